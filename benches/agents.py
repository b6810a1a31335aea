"""How many of the places that an edit breaks does an agent see in 1,500 tokens?

For each project, functions and methods are drawn by a seed before any tool runs. Each is renamed, loses its last parameter,
or is removed, in its own definition alone. A place is broken if the interpreter's syntax tree has a call or a name there that
can only mean the edited definition:

- a name that the module imports from the defining module, or that the defining module binds and does not bind again;
- `self.NAME` in the class or a subclass, where the classes are joined by their names as the tree spells them.

Neither repoidx nor a text search takes part in this. Two answers are compared, each cut at 1,500 tokens:

- the tool `impact` over the Model Context Protocol;
- `grep -rn -w NAME`, as a person would type it.

Tokens are counted as four bytes, for both sides alike.

    python3 benches/agents.py --binary target/release/repoidx --clones DIR flask click …

Prints a line for each project and kind of edit, and the mean.
"""

import argparse
import ast
import collections
import json
import pathlib
import random
import re
import subprocess
import sys

BUDGET = 1500
BYTES_PER_TOKEN = 4
PER_PROJECT = 10
KINDS = {"rename": "rename", "remove": "remove", "signature": "signature"}


class Server:
    """`repoidx mcp`, spoken to in lines of JSON."""

    def __init__(self, binary, root):
        self.process = subprocess.Popen(
            [binary, "mcp", "--wait", "600"], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.last = 0
        client = {"name": "bench", "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == self.last:
                return message["result"]
        raise RuntimeError("the server ended")

    def call(self, tool, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})["content"][0]["text"]

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def python_files(root):
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=root, capture_output=True, text=True, check=True)
    return listed.stdout.split("\n")[:-1]


def module_of(path):
    parts = list(pathlib.PurePosixPath(path).with_suffix("").parts)
    if parts[0] in ("src", "lib"):
        parts = parts[1:]
    if parts[-1] == "__init__":
        parts = parts[:-1]
    return ".".join(parts)


class Project:
    def __init__(self, root):
        self.root = root
        self.trees = {}
        for path in python_files(root):
            try:
                self.trees[path] = ast.parse((root / path).read_bytes())
            except (SyntaxError, ValueError, FileNotFoundError):
                continue
        self.modules = {module_of(path): path for path in self.trees}
        self.classes = collections.defaultdict(list)
        for path, tree in self.trees.items():
            for node in tree.body:
                if isinstance(node, ast.ClassDef):
                    self.classes[node.name].append((path, node))

    def candidates(self):
        """Public functions of modules, and public methods of classes, outside of tests."""
        found = []
        for path, tree in sorted(self.trees.items()):
            if "test" in path or path.startswith(("docs/", "examples/")):
                continue
            for node in tree.body:
                if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                    found.append((path, None, node))
                elif isinstance(node, ast.ClassDef):
                    for member in node.body:
                        if isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
                            found.append((path, node, member))
        return found

    def heirs(self, name):
        """Names of the class and of those that name it as a base, over any number of steps."""
        heirs, grown = {name}, True
        while grown:
            grown = False
            for other, definitions in self.classes.items():
                for _, node in definitions:
                    bases = {b.id if isinstance(b, ast.Name) else getattr(b, "attr", "") for b in node.bases}
                    if other not in heirs and bases & heirs:
                        heirs.add(other)
                        grown = True
        return heirs

    def imported(self, path, tree, module, name):
        """The names under which a file has `module.name`."""
        own, names, package = module_of(path), set(), path.endswith("__init__.py")
        for node in ast.walk(tree):
            if not isinstance(node, ast.ImportFrom):
                continue
            source = node.module or ""
            if node.level:
                parts = own.split(".") if own else []
                keep = len(parts) - node.level + (1 if package else 0)
                source = ".".join(parts[: max(keep, 0)] + ([source] if source else []))
            for alias in node.names:
                if alias.name != name:
                    continue
                if source == module or self.exports(source, module, name, 3):
                    names.add((alias.asname or name, node.lineno))
        return names

    def exports(self, source, module, name, depth):
        """Whether a package hands the name on from the module."""
        path = self.modules.get(source)
        if path is None or depth == 0:
            return False
        for node in self.trees[path].body:
            if isinstance(node, ast.ImportFrom) and any((a.asname or a.name) == name for a in node.names):
                parts = source.split(".")
                keep = len(parts) - node.level + (1 if path.endswith("__init__.py") else 0)
                base = ".".join(parts[: max(keep, 0)] + ([node.module] if node.module else []))
                base = base if node.level else node.module or ""
                if base == module or self.exports(base, module, name, depth - 1):
                    return True
        return False

    def broken(self, path, holder, function, kind):
        """Places (path, line) that cannot work after the edit."""
        module, name, places = module_of(path), function.name, set()
        own = range(function.lineno, function.end_lineno + 1)
        parameters = [a.arg for a in function.args.args if a.arg not in ("self", "cls")]
        last = parameters[-1] if parameters else None

        def is_hit(call):
            # A lost last parameter breaks only the calls that pass it.
            if kind != "signature":
                return True
            return any(k.arg == last for k in call.keywords) or len(call.args) >= len(parameters)

        for file, tree in self.trees.items():
            if holder is None:
                names = {(name, 0)} if file == path else self.imported(file, tree, module, name)
                if kind != "signature":
                    places.update((file, line) for _, line in names if line)
                known = {n for n, _ in names}
                bound = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
                known -= {n.id for n in bound}
                for node in ast.walk(tree):
                    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in known:
                        if is_hit(node) and not (file == path and node.lineno in own):
                            places.add((file, node.lineno))
            else:
                heirs = self.heirs(holder.name)
                for node in tree.body:
                    if not isinstance(node, ast.ClassDef) or node.name not in heirs:
                        continue
                    overrides = any(isinstance(m, ast.FunctionDef) and m.name == name for m in node.body)
                    if overrides and node.name != holder.name:
                        continue
                    for call in ast.walk(node):
                        if (
                            isinstance(call, ast.Call)
                            and isinstance(call.func, ast.Attribute)
                            and call.func.attr == name
                            and isinstance(call.func.value, ast.Name)
                            and call.func.value.id == "self"
                            and is_hit(call)
                            and not (file == path and call.lineno in own)
                        ):
                            places.add((file, call.lineno))
        return places


def cut(text):
    return text.encode()[: BUDGET * BYTES_PER_TOKEN].decode(errors="ignore")


def shown(text, places):
    """The places that a text names as `path:line`."""
    named = {(path, int(line)) for path, line in re.findall(r"([\w./-]+\.py):(\d+)", text)}
    return len(places & named)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--clones", required=True, type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=33)
    parser.add_argument("projects", nargs="+")
    arguments = parser.parse_args()
    totals = collections.defaultdict(lambda: [0.0, 0.0, 0])
    for name in arguments.projects:
        root = arguments.clones / name
        project = Project(root)
        drawn = random.Random(f"{arguments.seed} {name}")
        candidates = project.candidates()
        drawn.shuffle(candidates)
        tasks = []
        for path, holder, function in candidates:
            kind = list(KINDS)[len(tasks) % len(KINDS)]
            if kind == "signature" and not [a for a in function.args.args if a.arg not in ("self", "cls")]:
                continue
            places = project.broken(path, holder, function, kind)
            if places:
                tasks.append((path, holder, function, kind, places))
            if len(tasks) == PER_PROJECT:
                break
        server = Server(arguments.binary, root)
        for path, holder, function, kind, places in tasks:
            full = ".".join(filter(None, [module_of(path), holder.name if holder else "", function.name]))
            text = server.call("impact", target=full, change=KINDS[kind], max_tokens=BUDGET)
            if not text.startswith(("changing", "removing", "renaming", "nothing", "no reference")):
                line = min([function.lineno, *(d.lineno for d in function.decorator_list)])
                text = server.call("impact", target=f"{path}:{line}", change=KINDS[kind], max_tokens=BUDGET)
            command = ["git", "grep", "-n", "-w", function.name, "--", "*.py"]
            grep = subprocess.run(command, cwd=root, capture_output=True, text=True, errors="replace").stdout
            ours, theirs = shown(text, places) / len(places), shown(cut(grep), places) / len(places)
            for key in [(name, "all"), ("all", kind), ("all", "all")]:
                totals[key][0] += ours
                totals[key][1] += theirs
                totals[key][2] += 1
            print(f"{name} {kind} {full}: {len(places)} places, impact {ours:.2f}, grep {theirs:.2f}", file=sys.stderr)
        server.end()
    print("project  edit       tasks  impact  grep")
    for (name, kind), (ours, theirs, count) in totals.items():
        print(f"{name:<8} {kind:<10} {count:>5}  {ours / count:>6.3f}  {theirs / count:.3f}")


if __name__ == "__main__":
    main()
