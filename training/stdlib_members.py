"""Makes src/resolve/frameworks/rules/stdlib_members.txt from the sources of the Python that runs it (3.11 for the
committed one): which methods of the standard library's classes use other methods of the same object.

A class that derives from one of them may define these anew, and the library then runs its own: `wrapper.fill(text)`
runs `_wrap_chunks`. A line holds a class, its methods, `>` and what each of them uses, itself or by `super()`; `do_*`
stands for the methods with this prefix, `?` marks what some calls do not reach, and `!` what only ends in an error.
Special methods are left out; `rules/stdlib.toml` has those of containers.

    python3 stdlib_members.py > ../src/resolve/frameworks/rules/stdlib_members.txt
"""

import ast
import sys
import sysconfig
from collections import defaultdict
from pathlib import Path

# Tests, programs, what later versions lack, and classes that a compiled module replaces (`datetime`).
LEFT_OUT = {
    "datetime",
    "test", "tests", "idlelib", "lib2to3", "distutils", "ensurepip", "site-packages", "dist-packages", "turtledemo",
    "encodings", "msilib", "tkinter", "pydoc_data", "turtle", "asyncore", "asynchat", "smtpd", "venv", "pip",
}  # fmt: skip


def dotted(node, names, module):
    """The dotted path that a base means in its module."""
    match node:
        case ast.Name():
            return names.get(node.id, f"{module}.{node.id}")
        case ast.Attribute():
            base = dotted(node.value, names, module)
            return base and f"{base}.{node.attr}"
        case ast.Subscript():
            return dotted(node.value, names, module)


def imported(tree, module, is_package):
    """What the imports of a module bind."""
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.split(".")[0]
                names[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom):
            parts = module.split(".")
            parts = parts[: len(parts) - node.level + is_package] if node.level else []
            source = ".".join(parts + ([node.module] if node.module else []))
            for alias in node.names:
                names[alias.asname or alias.name] = f"{source}.{alias.name}"
    return names


def used(function):
    """The members of its own object that a method loads, and those of `super()` (with a dot before them); of each,
    whether every call gets there: not in one branch alone, behind one that returns, or where an error is handled."""
    return loaded(function.body, function.args.args[0].arg, True)


def loaded(nodes, own, is_sure):
    """The members that nodes load, one after the other, when the first of them is always reached or not."""
    members = {}

    def add(member, is_sure):
        members[member] = is_sure or members.get(member, False)

    for node in nodes:
        match node:
            case ast.Attribute(ast.Name(name), attribute, ast.Load()) if name == own:
                add(attribute, is_sure)
            case ast.Attribute(ast.Call(ast.Name("super")), attribute):
                add("." + attribute, is_sure)
            case ast.Call(ast.Name("getattr"), [ast.Name(name), ast.BinOp(ast.Constant(str(text))), *_]) if name == own:
                add(text.split("%")[0] + "*", is_sure)
        match node:
            case ast.If(test, then, other) | ast.IfExp(test, then, other):
                branches = [loaded(part if isinstance(part, list) else [part], own, is_sure) for part in (then, other)]
                inner = {one: all(branch.get(one) for branch in branches) for branch in branches for one in branch}
                inner |= loaded([test], own, is_sure)
            case ast.BoolOp(_, [first, *others]):
                inner = loaded(others, own, False) | loaded([first], own, is_sure)
            case ast.ExceptHandler() | ast.Lambda() | ast.FunctionDef() | ast.AsyncFunctionDef():
                inner = loaded(ast.iter_child_nodes(node), own, False)
            case _:
                inner = loaded(ast.iter_child_nodes(node), own, is_sure)
        for member, is_sure_there in inner.items():
            add(member, is_sure_there)
        is_sure = is_sure and not (isinstance(node, ast.If) and returns(node))
    return members


def returns(statement):
    """Whether a way through the statement ends the function without an error."""
    return any(isinstance(node, ast.Return) for node in ast.walk(statement))


class Library:
    """The classes of the standard library: their bases, what each method uses, and its last statement
    where it does not return before."""

    def __init__(self):
        self.bases, self.methods, self.last, self.aliases = {}, {}, {}, {}
        library = Path(sysconfig.get_paths()["stdlib"])
        for path in sorted(library.rglob("*.py")):
            parts = list(path.relative_to(library).with_suffix("").parts)
            if LEFT_OUT.isdisjoint(parts) and all(part.isidentifier() for part in parts):
                self.read(path, parts)

    def read(self, path, parts):
        is_package = parts[-1] == "__init__"
        module = ".".join(parts[:-1] if is_package else parts)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = imported(tree, module, is_package)
        self.aliases |= {f"{module}.{name}": source for name, source in names.items() if is_package}
        self.visit(tree.body, module, names, module)

    def visit(self, body, prefix, names, module):
        for node in body:
            if isinstance(node, ast.If | ast.Try):
                self.visit(node.body + node.orelse, prefix, names, module)
            if not isinstance(node, ast.ClassDef):
                continue
            path = f"{prefix}.{node.name}"
            functions = [item for item in node.body if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)]
            self.bases[path] = [dotted(base, names, module) for base in node.bases]
            self.methods[path] = defaultdict(dict)
            for function in functions:
                if function.args.args:
                    self.methods[path][function.name] |= used(function)
                    self.last[path, function.name] = None if returns(function) else function.body[-1]
            self.visit(node.body, path, names, module)

    def line(self, path, line):
        """The class with its bases, the derived ones first."""
        path = self.aliases.get(path, path)
        if path in self.bases and path not in line:
            line.append(path)
            for base in self.bases[path]:
                self.line(base, line)
        return line

    def used(self, line, method, after=0):
        """The methods that a method uses which the class at `after` or a base of it defines; whether it always does."""
        owner = next((at for at in range(after, len(line)) if method in self.methods[line[at]]), None)
        if owner is None:
            return {}
        found = {}
        for member, is_sure in self.methods[line[owner]][method].items():
            if member.startswith("."):
                for inherited, is_sure_there in self.used(line, member[1:], owner + 1).items():
                    found[inherited] = found.get(inherited, False) or is_sure and is_sure_there
            elif member.endswith("*") or any(member in self.methods[one] for one in line):
                found[member] = found.get(member, False) or is_sure
        return {one: is_sure for one, is_sure in found.items() if not one.startswith("__") and one != method}

    def fails(self, line, method):
        """Whether a method never returns: it raises an error at its end, or ends the program. One that raises
        `NotImplementedError` is left to derived classes."""
        last = next((self.last[one, method] for one in line if (one, method) in self.last), None)
        match last:
            case ast.Raise(exc=error):
                return error is not None and "NotImplementedError" not in ast.unparse(error)
            case ast.Expr(ast.Call(ast.Attribute(ast.Name("sys" | "_sys"), "exit"))):
                return True
            case ast.Expr(ast.Call(ast.Attribute(ast.Name("self"), other))):
                return other != method and self.fails(line, other)
        return False

    def marked(self, line, members):
        """Members with their marks."""
        for member, is_sure in sorted(members.items()):
            yield member + ("!" if self.fails(line, member) else "" if is_sure else "?")


def main():
    library = Library()
    known_as = defaultdict(set)
    for alias, path in library.aliases.items():
        known_as[path].add(alias)
    for path in sorted(library.bases):
        if any(part.startswith("_") for part in path.split(".")):
            continue
        line = library.line(path, [])
        groups = defaultdict(list)
        for method in sorted({method for one in line for method in library.methods[one]}):
            if members := library.used(line, method):
                groups[" ".join(library.marked(line, members))].append(method)
        for name in sorted({path} | {one for one in known_as[path] if "._" not in one}):
            for members, methods in sorted(groups.items()):
                print(f"{name} {' '.join(methods)} > {members}")


if __name__ == "__main__":
    sys.exit(main())
