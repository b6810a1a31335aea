"""Calls that happen while a project's own tests run, against the relationships that repoidx finds.

    cd PROJECT && PYTHONPATH=.../benches TRACED=calls.json python -m pytest -p traced_calls ...    # notes the calls
    python benches/traced_calls.py --repoidx PROGRAM PROJECT=calls.json ...                        # compares them

As a pytest plugin it notes, by `sys.setprofile`, which function of the repository calls which, with no frame of other
code between them; a generator counts where it is resumed for the first time. Calls of the tests by the test runner and of
tests by the code (callbacks) are left out. `recall` is the share of these pairs that repoidx has as a call, or as a read of a
property; `precision` the share of its pairs that were seen, of those whose both ends ran: a path that the tests do not
take counts as false, so it is a lower bound.
"""

import argparse
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

ROOT = os.path.realpath(".") + "/"
RESUMED = 0x20 | 0x80 | 0x200  # generators and coroutines


class Tracer:
    def __init__(self):
        self.places = {}
        self.pairs = set()

    def place(self, code):
        """Path, first line and name of a code object; equal ones of two files are told apart by their identity."""
        known = self.places.get(id(code))
        if known is None:
            path = os.path.realpath(code.co_filename)
            is_own = path.startswith(ROOT) and "site-packages" not in path and not code.co_filename.startswith("<")
            known = (code, (path[len(ROOT):], code.co_firstlineno, code.co_name) if is_own else None)
            self.places[id(code)] = known
        return known[1]

    def __call__(self, frame, event, _):
        if event != "call" or frame.f_back is None:
            return
        code = frame.f_code
        callee = self.place(code)
        if callee is None or code.co_name.startswith("<") or (code.co_flags & RESUMED and frame.f_lasti > 4):
            return
        caller = self.place(frame.f_back.f_code)
        if caller is not None:
            self.pairs.add((caller, callee))


def pytest_sessionstart(session):
    tracer = session.config.traced_calls = Tracer()
    threading.setprofile(tracer)
    sys.setprofile(tracer)


def pytest_sessionfinish(session):
    sys.setprofile(None)
    threading.setprofile(None)
    pairs = sorted(session.config.traced_calls.pairs)
    Path(os.environ["TRACED"]).write_text(json.dumps(pairs))


def is_test(path):
    return "tests/" in path or "test/" in path or Path(path).name.startswith(("test", "conftest"))


class Index:
    def __init__(self, program, repository):
        self.command = [program, "--repo", str(repository)]
        self.run("index")
        entities = [json.loads(line) for line in self.run("export", "entities").splitlines()]
        self.by_name = {entity["name"]: entity for entity in entities}
        self.by_line = {(e["path"], e["start_line"], e["name"].rsplit(".", 1)[-1].split("@")[0]): e for e in entities}
        self.by_path = {}
        for entity in entities:
            if entity["kind"] in ("module", "function", "method", "property", "class"):
                self.by_path.setdefault(entity["path"], []).append(entity)

    def run(self, *arguments):
        return subprocess.run(self.command + list(arguments), check=True, capture_output=True, text=True).stdout

    def entity(self, path, line, name):
        """The definition that a code object is of; of lambdas and comprehensions the one around them."""
        exact = self.by_line.get((path, line, name))
        if exact is not None:
            return None if exact["kind"] == "class" else exact["name"].split("@")[0]
        if not name.startswith("<"):
            return None
        around = [e for e in self.by_path.get(path, ()) if e["start_line"] <= line <= e["end_line"]]
        around = [e for e in around if e["kind"] != "class"]
        return min(around, key=lambda e: e["end_line"] - e["start_line"])["name"].split("@")[0] if around else None

    def calls(self):
        """The pairs that repoidx has, each with its largest probability."""
        best = {}
        for line in self.run("export", "edges").splitlines():
            edge = json.loads(line)
            target = self.by_name.get(edge["to"])
            if target is None or target["kind"] == "class":
                continue
            is_call = edge["kind"] in ("calls", "decorates")
            if not is_call and not (edge["kind"] in ("reads", "writes") and target["kind"] == "property"):
                continue
            source = edge["from"]
            # What stands in a variable or in the body of a class runs with the module.
            while self.by_name.get(source, {"kind": "module"})["kind"] in ("variable", "class"):
                source = source.rpartition(".")[0]
            pair = (source.split("@")[0], edge["to"].split("@")[0])
            best[pair] = max(best.get(pair, 0), edge["probability"])
        return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repoidx", default="repoidx")
    parser.add_argument("projects", nargs="+", metavar="PROJECT=FILE")
    arguments = parser.parse_args()
    total = [0, 0, 0, 0]
    for project in arguments.projects:
        repository, _, traced = project.partition("=")
        index = Index(arguments.repoidx, repository)
        seen = set()
        for caller, callee in json.loads(Path(traced).read_text()):
            if is_test(callee[0]) and not is_test(caller[0]):
                continue
            pair = (index.entity(*caller), index.entity(*callee))
            if None not in pair:
                seen.add(pair)
        calls = index.calls()
        ran = {name for pair in seen for name in pair}
        claimed = {pair for pair in calls if pair[0] in ran and pair[1] in ran and pair[0] != pair[1]}
        counts = [len(seen), len(seen & calls.keys()), len(claimed), len(claimed & seen)]
        total = [a + b for a, b in zip(total, counts)]
        show(Path(repository).name, counts)
    show("all", total)


def show(name, counts):
    seen, found, claimed, right = counts
    recall, precision = found / max(seen, 1), right / max(claimed, 1)
    score = 2 * recall * precision / max(recall + precision, 1e-9)
    print(f"{name:12} {seen:6} calls  recall {recall:.3f}  precision {precision:.3f}  F1 {score:.3f}", flush=True)


if __name__ == "__main__":
    main()
