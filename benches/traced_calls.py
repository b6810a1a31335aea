#!/usr/bin/env python3
"""What happens while a project's own tests run, and how much of it repoidx knows.

    cd REPO && PYTHONPATH=.../benches TRACED=OBSERVED python -m pytest -p traced_calls ...    # notes it
    traced_calls.py REPO=OBSERVED ...                                                         # compares

As a pytest plugin (Python 3.11 or newer) it notes by `sys.setprofile` which function of the repository calls which, and writes
what calibration.py, candidates.py, ranking.py and steps.py read, as JSON, gzipped where the name of the file ends in .gz:

  "entities": [[path, qualified name without <locals>], ...], "" for a module
  "edges":    [[caller, callee, how], ...] as positions in that list, sorted; how is "direct", "gen" where the callee is a
              generator or a coroutine (which counts where it is first resumed), "via" with other code's frames in between
  "tests":    positions of the test functions that ran, as they are written: parametrized and inherited ones once
  "cover":    for each test the positions of the functions that ran for it

A call in a lambda or a comprehension is one of the function around it.

Compared are calls without other code's frames, but not those of tests by the code (callbacks). `recall` is the share of these
that repoidx has as a call, or as a read of a property; `precision` the share of what it has that was seen, of those whose both
ends ran: a path that the tests do not take counts as false, so it is a lower bound.
"""
import gzip, inspect, json, os, sys, threading
from pathlib import Path

import calibration

ROOT = os.path.realpath(".") + os.sep
RESUMED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
# Frames of other code that a callback is looked for behind.
DEPTH = 25


class Tracer:
    def __init__(self):
        self.places = {}
        self.edges = set()
        self.covers = {}
        self.cover = None

    def place(self, code):
        """Path and qualified name of a code object of the repository; equal ones of two files are told apart by their identity."""
        known = self.places.get(id(code))
        if known is None:
            path = os.path.realpath(code.co_filename)
            # What a template was made into has the template's name.
            is_own = path.startswith(ROOT) and path.endswith(".py") and "site-packages" not in path
            known = (code, (path[len(ROOT):].replace(os.sep, "/"), plain(code.co_qualname)) if is_own else None)
            self.places[id(code)] = known
        return known[1]

    def __call__(self, frame, event, _):
        code = frame.f_code
        # What is not optimized is the body of a module or of a class.
        if event != "call" or not code.co_flags & inspect.CO_OPTIMIZED or code.co_name.startswith("<"):
            return
        callee = self.place(code)
        is_resumed = code.co_flags & RESUMED
        if callee is None or (is_resumed and frame.f_lasti > 4):
            return
        if self.cover is not None:
            self.cover.add(callee)
        frame, how = frame.f_back, "gen" if is_resumed else "direct"
        for _ in range(DEPTH):
            if frame is None or frame.f_code.co_filename == __file__:
                return
            caller = self.place(frame.f_code)
            if caller is not None:
                self.edges.add((caller, callee, how))
                return
            frame, how = frame.f_back, "via"

    def start(self):
        threading.setprofile(self)
        sys.setprofile(self)

    def stop(self):
        sys.setprofile(None)
        threading.setprofile(None)

    def begin(self, item):
        """What runs from now on runs for this test, known by its function as written."""
        code = getattr(inspect.unwrap(getattr(item, "function", None)), "__code__", None)
        test = code and self.place(code)
        self.cover = self.covers.setdefault(test, set()) if test else None
        if sys.getprofile() is not self:
            self.start()

    def observed(self):
        covers = {test: cover for test, cover in self.covers.items() if test in cover}
        ends = {end for caller, callee, _ in self.edges for end in (caller, callee)}
        entities = sorted(ends.union(covers, *covers.values()))
        at = {entity: position for position, entity in enumerate(entities)}
        return {
            "entities": entities,
            "edges": sorted([at[caller], at[callee], how] for caller, callee, how in self.edges),
            "tests": [at[test] for test in sorted(covers)],
            "cover": [sorted(at[place] for place in covers[test]) for test in sorted(covers)],
        }


def plain(qualified):
    """`f.<locals>.g` is `f.g`; lambdas and comprehensions belong to what is around them, a module is ""."""
    return ".".join(part for part in qualified.split(".") if not part.startswith("<"))


def pytest_sessionstart(session):
    session.config.traced_calls = Tracer()
    session.config.traced_calls.start()


def pytest_runtest_setup(item):
    item.config.traced_calls.begin(item)


def pytest_sessionfinish(session):
    session.config.traced_calls.stop()
    path = Path(os.environ["TRACED"])
    text = json.dumps(session.config.traced_calls.observed()).encode()
    path.write_bytes(gzip.compress(text, mtime=0) if path.suffix == ".gz" else text)


def is_test(entity):
    path = Path(entity[0])
    return not {"test", "tests"}.isdisjoint(path.parts[:-1]) or path.name.startswith(("test", "conftest"))


def claimed(repo):
    """The calls that repoidx has, and reads of properties; what stands in a variable or a class runs with what is around it.
    Also the places of classes."""
    entities = calibration.lines(repo, "entities")
    key, kind = calibration.keys(entities), {e["name"]: e["kind"] for e in entities}
    pairs = set()
    for edge in calibration.lines(repo, "edges"):
        is_read = edge["kind"] in ("reads", "writes") and kind.get(edge["to"]) == "property"
        is_call = edge["kind"] == "calls" and kind.get(edge["to"]) in ("function", "method")
        source = edge["from"]
        while kind.get(source) in ("variable", "class"):
            source = source.rpartition(".")[0]
        if (is_call or is_read) and source in key:
            pairs.add((key[source], key[edge["to"]]))
    return pairs, {key[name] for name in key if kind[name] == "class"}


def outside_of(end, classes):
    """The function or module that runs the body of a class; any other place as it is."""
    while end in classes:
        end = (end[0], end[1].rpartition(".")[0])
    return end


def counts(repo, file):
    """Calls that were seen; how many repoidx has; how many it has whose ends ran; how many of those were seen."""
    data = calibration.read(file)
    entities = [tuple(entity) for entity in data["entities"]]
    has, classes = claimed(repo)
    direct = [(outside_of(entities[a], classes), entities[b]) for a, b, how, *_ in data["edges"] if how != "via"]
    seen = {(caller, callee) for caller, callee in direct if is_test(caller) or not is_test(callee)}
    ran = {end for pair in seen for end in pair}
    near = {pair for pair in has if pair[0] in ran and pair[1] in ran and pair[0] != pair[1]}
    return [len(seen), len(seen & has), len(near), len(near & seen)]


def show(name, counts):
    seen, found, near, right = counts
    recall, precision = found / max(seen, 1), right / max(near, 1)
    score = 2 * recall * precision / max(recall + precision, 1e-9)
    print(f"{name:12} {seen:6} calls  recall {recall:.3f}  precision {precision:.3f}  F1 {score:.3f}", flush=True)


def main():
    if len(sys.argv) < 2 or not all("=" in argument for argument in sys.argv[1:]):
        sys.exit(__doc__)
    total = [0, 0, 0, 0]
    for argument in sys.argv[1:]:
        repo, _, file = argument.partition("=")
        own = counts(repo, file)
        total = [a + b for a, b in zip(total, own)]
        show(Path(repo).name, own)
    show("all", total)


if __name__ == "__main__":
    main()
