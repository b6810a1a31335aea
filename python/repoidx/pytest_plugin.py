"""`pytest --repoidx-impacted[=RANGE]`: runs the tests that a change reaches, the most endangered first.

repoidx decides; this file asks it once, orders what pytest has collected, and says what it left out. Whenever the answer
is not to be trusted, all tests run, and the first lines of the report say why.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest

# Files that decide how tests run. repoidx cannot know which tests depend on them.
SETTINGS = {"pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini", "uv.lock", "poetry.lock", "Pipfile.lock", "pdm.lock"}
TIMEOUT = 600


class CannotTell(Exception):
    """Why all tests run; a sentence for the report."""


def pytest_addoption(parser):
    group = parser.getgroup("repoidx", "selection of tests by repoidx")
    group.addoption(
        "--repoidx-impacted",
        nargs="?",
        const="",
        default=None,
        metavar="RANGE",
        help="run only the tests that a change reaches, most endangered first; RANGE is A..B, A...B or A "
        "(default: commits that are not pushed, and uncommitted edits)",
    )


def pytest_configure(config):
    asked = config.getoption("--repoidx-impacted")
    if asked is None:
        return
    if asked and (Path(str(config.invocation_params.dir)) / asked.split("::")[0]).exists():
        raise pytest.UsageError(
            f"--repoidx-impacted took {asked} for a range of commits; write --repoidx-impacted= before a path"
        )
    config.pluginmanager.register(Selection(config, asked), "repoidx-selection")


class Selection:
    """One run's choice of tests."""

    def __init__(self, config, asked):
        self.config = config
        self.asked = asked
        self.answer = None
        self.lines = []
        self.left_out = {}
        self.is_empty = False

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node):
        """Workers of pytest-xdist get the controller's answer: all must collect the same tests."""
        node.workerinput["repoidx"] = json.dumps(self.load())

    def load(self):
        if self.answer is None:
            given = getattr(self.config, "workerinput", {}).get("repoidx")
            self.answer = json.loads(given) if given else self.ask()
        return self.answer

    def ask(self):
        try:
            root = repository(Path(str(self.config.rootpath)))
            answer = {"root": str(root), **impacted(root, self.asked)}
        except CannotTell as reason:
            answer = {"all": str(reason)}
        return answer

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        answer = self.load()
        if "all" in answer:
            self.lines = [f"repoidx: all tests run: {answer['all']}"]
            return
        ranks = {test: rank for rank, test in enumerate(answer["tests"])}
        root = Path(answer["root"])
        kept, left_out = [], []
        for item in items:
            rank = rank_of(node_id(item, root), ranks)
            if rank is None:
                left_out.append(item)
            else:
                kept.append((rank, item))
        kept.sort(key=lambda pair: pair[0])
        for item in left_out:
            path = item.nodeid.split("::")[0]
            self.left_out[path] = self.left_out.get(path, 0) + 1
        total = len(items)
        items[:] = [item for _, item in kept]
        if left_out:
            self.config.hook.pytest_deselected(items=left_out)
        self.is_empty = total > 0 and not kept
        self.lines = [f"repoidx: {len(kept)} of {counted(total, 'test')}, most endangered first ({answer['subject']})"]
        self.lines += [f"repoidx: {note}" for note in answer["notes"]]

    def pytest_report_collectionfinish(self):
        return self.lines

    def pytest_terminal_summary(self, terminalreporter):
        number = sum(self.left_out.values())
        if not number:
            return
        files = sorted(self.left_out.items(), key=lambda pair: (-pair[1], pair[0]))
        named = ", ".join(f"{path} ({count})" for path, count in files[:4])
        more = f" and {counted(len(files) - 4, 'file')} more" if len(files) > 4 else ""
        terminalreporter.write_sep("-", "repoidx")
        terminalreporter.write_line(
            f"left out {counted(number, 'test')} that the change is not known to reach: {named}{more}"
        )

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session):
        # A change that reaches no test is no failure, but pytest ends with 5 when every test is left out.
        if self.is_empty and session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK


def counted(number, noun):
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def node_id(item, root):
    """The id of a test relative to the repository; pytest's own is relative to its root directory."""
    path = Path(str(getattr(item, "path", None) or item.fspath))
    try:
        inside = path.resolve().relative_to(root).as_posix()
    except ValueError:
        return item.nodeid
    return "::".join([inside, *item.nodeid.split("::")[1:]])


def rank_of(node, ranks):
    """The rank of a test: its own, its function's without parameters, its class's or its file's."""
    parts = node.split("::")
    # Parameters may hold anything, `::` too: the first bracket after the path begins them.
    for index in range(1, len(parts)):
        if "[" in parts[index]:
            parts = [*parts[:index], parts[index].split("[")[0]]
            break
    candidates = [node, *("::".join(parts[:end]) for end in range(len(parts), 0, -1))]
    found = [ranks[candidate] for candidate in candidates if candidate in ranks]
    return min(found, default=None)


def repository(start):
    """The top of the working tree around a folder."""
    start = start.resolve()
    for folder in [start, *start.parents]:
        if (folder / ".git").exists():
            return folder
    raise CannotTell(f"{start} lies in no git repository")


def impacted(root, asked):
    """What repoidx knows about the change: tests in order, a subject, and notes for the report."""
    reports = []
    if asked:
        reports.append(review(root, [asked]))
        subject = f"{reports[0]['base']} → {reports[0]['head']}"
    else:
        reports.append(review(root, ["--worktree"]))
        subject = "uncommitted edits"
        if has_published(root):
            reports.append(review(root, []))
            subject = "commits that are not pushed, and uncommitted edits"
    tests, untraced, limits = [], [], []
    for report in reports:
        if report["completeness"] == "unknown":
            raise CannotTell("repoidx could not read the change")
        tests += [test["id"] for test in report["tests"]]
        untraced += report["untraced_tests"]
        limits += [boundary["message"] for boundary in report["boundaries"]]
    changed = changed_files(root, reports)
    for path in changed:
        if Path(path).name in SETTINGS or Path(path).name.startswith("requirements"):
            raise CannotTell(f"{path} changed, and any test may depend on it")
    notes = []
    others = sorted(path for path in changed if not path.endswith((".py", ".pyi", ".md", ".rst")))
    if others:
        named = ", ".join(others[:3]) + (" …" if len(others) > 3 else "")
        notes.append(f"{counted(len(others), 'changed file')} not in Python, whose readers are unknown: {named}")
    if untraced:
        notes.append(f"{counted(len(set(untraced)), 'test')} that could not be traced come last")
    if limits:
        more = f" (and {counted(len(limits) - 1, 'further limit')})" if len(limits) > 1 else ""
        notes.append(f"the list is a lower bound: {limits[0]}{more}")
    return {"tests": list(dict.fromkeys([*tests, *untraced])), "subject": subject, "notes": notes}


def review(root, arguments):
    from ._find import find_binary

    try:
        binary = os.environ.get("REPOIDX_BINARY") or find_binary()
        command = [binary, "-q", "--repo", str(root), "review", *arguments, "--format", "json"]
        done = subprocess.run(command, capture_output=True, timeout=TIMEOUT, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotTell(str(error)) from error
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise CannotTell(said[0] if said else f"repoidx ended with {done.returncode}")
    try:
        report = json.loads(done.stdout)
        if report["schema"] != "repoidx.review":
            raise KeyError
        return report
    except (ValueError, KeyError, TypeError) as error:
        raise CannotTell("the answer of repoidx could not be read") from error


def git(root, *arguments):
    """What git prints; `None` when it fails."""
    try:
        done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, timeout=TIMEOUT, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def has_published(root):
    """Whether there is anything to compare HEAD with: an upstream branch, or a default branch of the remote."""
    names = ["@{upstream}", "refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master"]
    return any(git(root, "rev-parse", "--quiet", "--verify", f"{name}^{{commit}}") is not None for name in names)


def changed_files(root, reports):
    """The paths that differ in the reviewed states, of any language."""
    paths = set()
    for report in reports:
        states = [report["base_commit"], *([report["head_commit"]] if report["head_commit"] else [])]
        listed = git(root, "diff", "--name-only", "-z", "--no-renames", *states, "--")
        if listed is None:
            raise CannotTell("git could not list the changed files")
        paths.update(listed.split("\0"))
        if not report["head_commit"]:
            paths.update((git(root, "ls-files", "-z", "--others", "--exclude-standard") or "").split("\0"))
    return sorted(paths - {""})
