"""A plugin of pytest that writes which tests fail, the places of the errors, and what each file of tests runs.

    FAILURES=out.json python -m pytest -p failures

For each failed test or file: its id, and for each error of its chain the type, the text, and the innermost frame as
(path, line). With REACHED=1 also the functions that the tests of each file run, as (path, first line). With SELECTED,
the path of a list of files, only tests in these files run; all files are collected. benches/agents.py uses it.
"""

import json
import os
import sys
import threading

FAILED = {}
PASSED = set()
REACHED = {}
SEEN = set()


def errors(error):
    """The error and those that it came from."""
    seen = []
    while error is not None and error not in seen:
        seen.append(error)
        error = error.__cause__ or error.__context__
    return seen


def described(error):
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = None if trace is None else [trace.tb_frame.f_code.co_filename, trace.tb_lineno]
    return {"type": type(error).__name__, "text": str(error)[:2000], "place": place}


def note(node, call):
    if call.excinfo is None or call.excinfo.typename in ("Skipped", "XFailed", "Exit"):
        return
    FAILED.setdefault(node, []).extend(described(error) for error in errors(call.excinfo.value))


def seen(frame, event, argument):
    if event == "call":
        SEEN.add(frame.f_code)


def pytest_configure():
    # Before the project is imported: what an import runs belongs to every file.
    if os.environ.get("REACHED"):
        threading.setprofile(seen)
        sys.setprofile(seen)


def pytest_collection_modifyitems(session, config, items):
    # The key for what runs outside of tests.
    REACHED[""] = set(SEEN)
    if os.environ.get("SELECTED"):
        with open(os.environ["SELECTED"]) as listed:
            selected = set(json.load(listed))
        items[:] = [item for item in items if item.nodeid.split("::")[0] in selected]


def pytest_runtest_setup(item):
    SEEN.clear()


def pytest_runtest_logfinish(nodeid):
    REACHED.setdefault(nodeid.split("::")[0], set()).update(SEEN)


def pytest_runtest_makereport(item, call):
    if call.excinfo is None and call.when == "call":
        PASSED.add(item.nodeid)
    note(item.nodeid, call)


def pytest_exception_interact(node, call, report):
    if report.when == "collect":
        note(node.nodeid, call)


def pytest_fixture_post_finalizer(fixturedef):
    # A fixture that several tests share runs for the first one alone.
    if fixturedef.scope != "function":
        REACHED.setdefault("", set()).update(SEEN)


def pytest_sessionfinish(session):
    sys.setprofile(None)
    places = lambda codes: sorted({(code.co_filename, code.co_firstlineno) for code in codes})
    reached = {file: places(codes) for file, codes in REACHED.items()}
    with open(os.environ["FAILURES"], "w") as out:
        json.dump({"failed": FAILED, "passed": sorted(PASSED - set(FAILED)), "reached": reached}, out)
