"""How much of the damage of an edit does an agent see in 1,500 tokens?

For each project, functions and methods are drawn by a seed before any tool runs. Each is edited in its own definition
alone:

- rename: the definition gets another name;
- remove: the definition becomes empty lines;
- signature: the last parameter goes, or a required one is added;
- behaviour: one expression of the body changes.

The truth comes from running the project's own tests on the edited tree:

- a test is broken if it passes before and fails after the edit;
- a place is broken if an error about the edited name is raised there (AttributeError, ImportError, NameError,
  TypeError).

Only files run of which a test, or a shared fixture or an import, runs the definition; all files are collected.

A task counts if a test breaks, and if not more than half of the files with tests break: for a project that cannot be
imported any more nobody needs a tool. An edit of behaviour has no broken places, only tests.

    python3 benches/agents.py truth --clones DIR --python VENV/bin/python --seed 33 --out truth.json flask click …
    python3 benches/agents.py score truth.json --binary target/release/repoidx --clones DIR

`truth` makes the tasks. `score` compares answers, each cut at 1,500 tokens:

- the tool `impact` over the Model Context Protocol, before the edit;
- the tool `review`, after the edit;
- `git grep -n -w NAME`, as a person would type it;
- with `--jedi`, the references that jedi finds from the definition, in the form of grep.

A place is seen if the answer names its path and line. A test is seen if the answer names its file. The recall of a task
is the share of its places and of its files with broken tests, half each. Precision is the share of the named files of
tests in which a test breaks. Tokens are counted as four bytes, for all sides alike. VENV needs the requirements of the
projects.
"""

import argparse
import ast
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

BUDGET = 1500
BYTES_PER_TOKEN = 4
PER_PROJECT = 10
KINDS = ["rename", "signature", "remove", "behaviour"]
MOST_DRAWN = 60
SECONDS = 400
# Tests that start servers, wait for a clock or need a network.
SLOW = ["test_serving.py", "test_lowlevel.py", "test_requests.py", "asgi", "benchmarks"]
SKIPPED = [f"--ignore=tests/{name}" for name in SLOW]
ERRORS = {"AttributeError", "ImportError", "NameError", "TypeError", "ModuleNotFoundError", "UnboundLocalError"}
HERE = pathlib.Path(__file__).resolve().parent


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


def git(root, *arguments):
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, errors="replace").stdout


def is_test(path):
    name = path.rsplit("/", 1)[-1]
    return "test" in path.split("/")[0] or "/tests/" in path or name.startswith("test_") or name == "conftest.py"


def definitions(root):
    """Functions and methods outside of tests with one definition of their name in their scope: (path, class, node)."""
    found = []
    for path in git(root, "ls-files", "*.py").split("\n")[:-1]:
        if is_test(path) or path.split("/")[0] in ("docs", "examples", "benchmarks", "bench", "tools", "setup.py"):
            continue
        try:
            tree = ast.parse((root / path).read_bytes())
        except (SyntaxError, ValueError, FileNotFoundError):
            continue
        scopes = [(None, tree.body)] + [(node, node.body) for node in tree.body if isinstance(node, ast.ClassDef)]
        for holder, body in scopes:
            functions = [node for node in body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
            times = collections.Counter(node.name for node in functions)
            for node in functions:
                is_stub = len(node.body) == 1 and isinstance(node.body[0], (ast.Pass, ast.Expr))
                if times[node.name] == 1 and not node.name.startswith("__") and not is_stub:
                    found.append((path, holder, node))
    return found


class Lines:
    """A file whose edits keep the number of each line."""

    def __init__(self, text):
        self.lines = text.encode().split(b"\n")

    def replace(self, node, new):
        """Puts `new` in the place of a node that stands on one line."""
        line = self.lines[node.lineno - 1]
        self.lines[node.lineno - 1] = line[: node.col_offset] + new.encode() + line[node.end_col_offset :]

    def text(self):
        return b"\n".join(self.lines).decode()


def renamed(lines, node):
    at = node.lineno - 1
    name = node.name.encode()
    lines.lines[at] = re.sub(rb"\bdef\s+" + name, b"def " + name + b"_renamed", lines.lines[at], count=1)
    return {"change": "rename"}


def removed(lines, node, holder, tree):
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    for at in range(first - 1, node.end_lineno):
        lines.lines[at] = b""
    if len((holder or tree).body) == 1:
        lines.lines[first - 1] = b" " * node.col_offset + b"pass"
    return {"change": "remove"}


def other_signature(lines, node, drawn):
    """The last parameter goes and its default takes its place, or a required one is added."""
    arguments = node.args
    plain = [a for a in arguments.args if a.arg not in ("self", "cls")]
    first = node.body[1] if isinstance(node.body[0], ast.Expr) and len(node.body) > 1 else node.body[0]
    is_simple = isinstance(first, (ast.Assign, ast.Return, ast.Expr, ast.Raise, ast.AnnAssign, ast.Assert))
    if drawn.random() < 0.5 and plain and arguments.defaults and is_simple and not arguments.kwonlyargs:
        last, default = arguments.args[-1], arguments.defaults[-1]
        if arguments.vararg or last.lineno != default.end_lineno or first.lineno == node.lineno:
            return None
        text = ast.unparse(default)
        line = lines.lines[first.lineno - 1]
        start = first.col_offset
        lines.lines[first.lineno - 1] = line[:start] + f"{last.arg} = {text}; ".encode() + line[start:]
        line = lines.lines[last.lineno - 1]
        before = line[: last.col_offset]
        if before.strip():
            before = before.rstrip().removesuffix(b",")
        lines.lines[last.lineno - 1] = before + line[default.end_col_offset :]
        if not before.strip() and line[default.end_col_offset :].strip() == b",":
            lines.lines[last.lineno - 1] = b""
        return {"change": "signature", "param": last.arg}
    if arguments.kwarg or arguments.vararg or arguments.kwonlyargs:
        return None
    ends = [*arguments.args, *arguments.defaults]
    if not ends:
        return None
    ends += [a.annotation for a in arguments.args if a.annotation]
    end = max((a.end_lineno, a.end_col_offset) for a in ends)
    line = lines.lines[end[0] - 1]
    lines.lines[end[0] - 1] = line[: end[1]] + b", *, added_here" + line[end[1] :]
    return {"change": "signature"}


def other_behaviour(lines, node, drawn):
    """One expression of the body changes: a comparison turns, a result becomes None, a number grows."""
    turns = {ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in"}
    found = []
    for inner in ast.walk(node):
        if inner is node or getattr(inner, "lineno", 0) != getattr(inner, "end_lineno", -1):
            continue
        if isinstance(inner, ast.Compare) and len(inner.ops) == 1 and type(inner.ops[0]) in turns:
            words = f"{ast.unparse(inner.left)} {turns[type(inner.ops[0])]} {ast.unparse(inner.comparators[0])}"
            found.append((inner, f"({words})"))
        elif isinstance(inner, ast.Return) and inner.value is not None:
            found.append((inner, "return None"))
        elif isinstance(inner, ast.Constant) and type(inner.value) is int:
            found.append((inner, str(inner.value + 1)))
    if not found:
        return None
    found.sort(key=lambda entry: (entry[0].lineno, entry[0].col_offset))
    place, new = drawn.choice(found)
    lines.replace(place, new)
    return {"change": "body"}


def edited(root, path, holder, node, kind, drawn):
    """The text of the file with the edit and the arguments of `impact`, or None."""
    text = (root / path).read_text()
    tree = ast.parse(text)
    lines = Lines(text)
    if kind == "rename":
        arguments = renamed(lines, node)
    elif kind == "remove":
        arguments = removed(lines, node, holder, tree)
    elif kind == "signature":
        arguments = other_signature(lines, node, drawn)
    else:
        arguments = other_behaviour(lines, node, drawn)
    new = lines.text()
    if arguments is None or new == text:
        return None
    try:
        ast.parse(new)
    except SyntaxError:
        return None
    return new, arguments


class Suite:
    """A project's tests, run in a clone of it."""

    def __init__(self, root, python):
        self.root, self.python = root, os.path.abspath(python)
        base = self.run(reached=True)
        self.passed = set(base["passed"])
        self.reached = collections.defaultdict(set)
        for file, places in base["reached"].items():
            for path, line in places:
                self.reached[path, line].add(file)

    def run(self, reached=False, files=None):
        with tempfile.TemporaryDirectory() as folder:
            out, selected = pathlib.Path(folder) / "failures.json", pathlib.Path(folder) / "selected.json"
            paths = [str(self.root / part) for part in ("src", "") if (self.root / part).is_dir()]
            environment = dict(os.environ)
            environment |= {"PYTHONPATH": os.pathsep.join([*paths, str(HERE)]), "FAILURES": str(out)}
            environment |= {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}
            if reached:
                environment["REACHED"] = "1"
            if files is not None:
                selected.write_text(json.dumps(sorted(files)))
                environment["SELECTED"] = str(selected)
            command = [self.python, "-m", "pytest", "-q", "-p", "failures", "-p", "no:cacheprovider", "--timeout", "20"]
            command += ["--rootdir", ".", "-W", "ignore", "--continue-on-collection-errors", *SKIPPED, "tests"]
            try:
                subprocess.run(command, cwd=self.root, env=environment, capture_output=True, timeout=SECONDS)
            except subprocess.TimeoutExpired:
                return None
            return json.loads(out.read_text()) if out.exists() else None

    def files(self, path, first):
        """The files of tests that run a definition; all of them if an import or a shared fixture does."""
        reached = self.reached[str(self.root / path), first]
        return files_of(self.passed) if "" in reached else reached

    def broken(self, name, files):
        """The tests of `files` and of files that are not collected any more that fail, and the places of errors."""
        result = self.run(files=files)
        if result is None:
            return None
        lost = {node.split("::")[0] for node in result["failed"] if "::" not in node}
        passed = set(result["passed"])
        ran = {test for test in self.passed if test.split("::")[0] in files | lost}
        tests = sorted(ran - passed)
        places = set()
        for errors in result["failed"].values():
            for error in errors:
                about = error["type"] in ERRORS and re.search(rf"\b{re.escape(name)}\b", error["text"])
                path = error["place"] and pathlib.Path(error["place"][0])
                if about and path.is_relative_to(self.root):
                    places.add((str(path.relative_to(self.root)), error["place"][1]))
        return tests, sorted(places)


def files_of(tests):
    return {test.split("::")[0] for test in tests}


def tasks_of(name, root, python, seed):
    drawn = random.Random(f"{seed} {name}")
    candidates = definitions(root)
    drawn.shuffle(candidates)
    suite = Suite(root, python)
    files = files_of(suite.passed)
    print(f"{name}: {len(candidates)} definitions, {len(suite.passed)} tests in {len(files)} files", file=sys.stderr)
    tasks = []
    for path, holder, node in candidates[:MOST_DRAWN]:
        kind = KINDS[len(tasks) % len(KINDS)]
        line = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        reaching = suite.files(path, line)
        edit = edited(root, path, holder, node, kind, drawn)
        if edit is None or not reaching:
            continue
        new, arguments = edit
        (root / path).write_text(new)
        broken = suite.broken(node.name, reaching)
        git(root, "checkout", "--quiet", ".")
        if broken is None or not broken[0] or 2 * len(files_of(broken[0])) > len(files):
            continue
        tests, places = broken
        tasks.append(
            {
                "project": name,
                "kind": kind,
                "name": node.name,
                "target": f"{path}:{line}",
                "at": [node.lineno, node.col_offset + (10 if isinstance(node, ast.AsyncFunctionDef) else 4)],
                "arguments": arguments,
                "text": new,
                "tests": tests,
                "places": [] if kind == "behaviour" else places,
                "files": len(files),
            }
        )
        print(f"{name} {kind} {path}:{line} {node.name}: {len(tests)} tests, {len(places)} places", file=sys.stderr)
        if len(tasks) == PER_PROJECT:
            break
    return tasks


def cut(text):
    return text.encode()[: BUDGET * BYTES_PER_TOKEN].decode(errors="ignore")


def named(text):
    """The places that a text names as `path:line` or `path:line, line`, and the files that it names."""
    places, files = set(), set(re.findall(r"[\w./-]+\.py\b", text))
    for path, lines in re.findall(r"([\w./-]+\.py):(\d+(?:, \d+)*)", text):
        places.update((path, int(line)) for line in lines.split(", "))
    return places, files


def scored(text, task):
    """Recall, and the precision of the files with tests."""
    places, files = named(cut(text))
    wanted_places = {tuple(place) for place in task["places"]}
    wanted_files = files_of(task["tests"])
    shares = [len(wanted_files & files) / len(wanted_files)]
    if wanted_places:
        shares.append(len(wanted_places & places) / len(wanted_places))
    tests = {file for file in files if is_test(file)}
    precision = len(wanted_files & tests) / len(tests) if tests else 0.0
    return shares, precision


def grep_of(root, task):
    return git(root, "grep", "-n", "-w", task["name"], "--", "*.py")


def jedi_of(root, task):
    import jedi

    path, _ = task["target"].rsplit(":", 1)
    script = jedi.Script(path=root / path, project=jedi.Project(root))
    line, column = task["at"]
    try:
        found = script.get_references(line, column)
    except Exception as error:
        return f"jedi failed: {type(error).__name__}"
    rows = []
    for place in found:
        if place.module_path and pathlib.Path(place.module_path).is_relative_to(root):
            rows.append((str(pathlib.Path(place.module_path).relative_to(root)), place.line))
    text = {path: (root / path).read_text().split("\n") for path in {path for path, _ in rows}}
    return "".join(f"{path}:{line}:{text[path][line - 1]}\n" for path, line in sorted(set(rows)))


def score(tasks, arguments):
    sides = ["impact", "review", "grep"] + (["jedi"] if arguments.jedi else [])
    rows = collections.defaultdict(list)
    for name in dict.fromkeys(task["project"] for task in tasks):
        root = (arguments.clones / name).resolve()
        git(root, "checkout", "--quiet", ".")
        server = Server(arguments.binary, root)
        for task in (task for task in tasks if task["project"] == name):
            texts = {"impact": server.call("impact", target=task["target"], max_tokens=BUDGET, **task["arguments"])}
            texts["grep"] = grep_of(root, task)
            if arguments.jedi:
                texts["jedi"] = jedi_of(root, task)
            path = root / task["target"].rsplit(":", 1)[0]
            before = path.read_text()
            path.write_text(task["text"])
            texts["review"] = server.call("review", max_tokens=BUDGET)
            path.write_text(before)
            line = []
            for side in sides:
                shares, precision = scored(texts[side], task)
                recall = sum(shares) / len(shares)
                for key in [(name, "all"), ("all", task["kind"]), ("all", "all")]:
                    rows[key, side].append((recall, shares[0], shares[1] if len(shares) > 1 else None, precision))
                line.append(f"{side} {recall:.2f} ({', '.join(f'{share:.2f}' for share in shares)})")
            print(f"{name} {task['kind']} {task['target']} {task['name']}: {'; '.join(line)}", file=sys.stderr)
            if arguments.show and task["name"] in arguments.show:
                truth = {key: task[key] for key in ("tests", "places", "arguments")}
                print(json.dumps(truth, indent=0), file=sys.stderr)
                for side in sides:
                    print(f"--- {side}\n{cut(texts[side])}", file=sys.stderr)
        server.end()
    mean = lambda values: sum(values) / len(values) if values else float("nan")
    print("project      edit       tasks  " + "  ".join(f"{side:<27}" for side in sides))
    print(" " * 31 + "  ".join(f"{'recall tests places prec.':<27}" for _ in sides))
    for name, kind in dict.fromkeys(key for key, _ in rows):
        parts = []
        for side in sides:
            values = rows[(name, kind), side]
            columns = [mean([value[at] for value in values if value[at] is not None]) for at in range(4)]
            parts.append("  ".join(f"{column:>5.3f}" for column in columns))
        print(f"{name:<12} {kind:<10} {len(rows[(name, kind), sides[0]]):>5}  " + "  ".join(parts))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    truth = commands.add_parser("truth")
    truth.add_argument("--clones", required=True, type=pathlib.Path)
    truth.add_argument("--python", required=True)
    truth.add_argument("--seed", type=int, default=33)
    truth.add_argument("--out", required=True, type=pathlib.Path)
    truth.add_argument("projects", nargs="+")
    compared = commands.add_parser("score")
    compared.add_argument("truth", type=pathlib.Path)
    compared.add_argument("--binary", required=True)
    compared.add_argument("--clones", required=True, type=pathlib.Path)
    compared.add_argument("--jedi", action="store_true")
    compared.add_argument("--show", nargs="*")
    arguments = parser.parse_args()
    if arguments.command == "score":
        return score(json.loads(arguments.truth.read_text()), arguments)
    tasks = []
    for name in arguments.projects:
        tasks += tasks_of(name, (arguments.clones / name).resolve(), arguments.python, arguments.seed)
        arguments.out.write_text(json.dumps(tasks, indent=1))


if __name__ == "__main__":
    sys.exit(main())
