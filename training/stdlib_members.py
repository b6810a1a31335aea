"""Makes src/resolve/frameworks/rules/stdlib_members.txt from the sources of the Python that runs it (3.11 for the
committed one): which methods of the standard library's classes use other methods of the same object.

A class that derives from one of them may define these anew, and the library then runs its own: `wrapper.fill(text)` runs
`_wrap_chunks`. A line holds a class, its methods, `>` and what each of them uses, itself or by `super()`; `do_*` stands
for the methods with this prefix. Special methods are left out; `rules/stdlib.toml` has those of containers.

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
    """The members of its own object that a method loads, and those of `super()` (with a dot before them)."""
    own, members = function.args.args[0].arg, set()
    for node in ast.walk(function):
        match node:
            case ast.Attribute(ast.Name(name), attribute, ast.Load()) if name == own:
                members.add(attribute)
            case ast.Attribute(ast.Call(ast.Name("super")), attribute):
                members.add("." + attribute)
            case ast.Call(ast.Name("getattr"), [ast.Name(name), ast.BinOp(ast.Constant(str(text))), *_]) if name == own:
                members.add(text.split("%")[0] + "*")
    return members


class Library:
    """The classes of the standard library: their bases, and what each method uses."""

    def __init__(self):
        self.bases, self.methods, self.aliases = {}, {}, {}
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
            self.methods[path] = defaultdict(set)
            for function in functions:
                if function.args.args:
                    self.methods[path][function.name] |= used(function)
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
        """The methods that a method uses, which the class at `after` or a base of it defines."""
        owner = next((at for at in range(after, len(line)) if method in self.methods[line[at]]), None)
        if owner is None:
            return set()
        found = set()
        for member in self.methods[line[owner]][method]:
            if member.startswith("."):
                found |= self.used(line, member[1:], owner + 1)
            elif member.endswith("*") or any(member in self.methods[one] for one in line):
                found.add(member)
        return {member for member in found if not member.startswith("__") and member != method}


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
            if members := sorted(library.used(line, method)):
                groups[" ".join(members)].append(method)
        for name in sorted({path} | {one for one in known_as[path] if "._" not in one}):
            for members, methods in sorted(groups.items()):
                print(f"{name} {' '.join(methods)} > {members}")


if __name__ == "__main__":
    sys.exit(main())
