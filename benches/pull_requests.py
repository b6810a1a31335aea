#!/usr/bin/env python3
"""The action's script on the pull requests of a repository's history, with a `gh` that writes down what it is told.

    benches/pull_requests.py --repoidx PROGRAM --number 20 CLONE...

Each merge of a branch that changes Python files is checked out as the host does it, and reviewed against its first parent. A
comment must be posted exactly where something breaks. The digest at the end is that of all comments: equal commits, equal digest.
"""

import argparse
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import time

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "packaging" / "action.sh"
GH = """#!/bin/sh
[ "$2" != --paginate ] || exit 0
for word; do case $word in body=@*) cat "${word#body=@}" >"$GH_POSTED" ;; esac; done
"""


def git(clone, *arguments):
    run = subprocess.run(["git", "-C", str(clone), *arguments], check=True, capture_output=True, text=True)
    return run.stdout.strip()


def merges(clone, number):
    """The latest merges of branches that change Python files, the newest first."""
    found = []
    # The working tree is left at an old commit, so HEAD says nothing.
    for line in git(clone, "log", "origin/HEAD", "--merges", "--first-parent", "--format=%H %P %s").splitlines():
        commit, first, second, subject = line.split(" ", 3)
        paths = git(clone, "diff", "--name-only", first, commit, "--", "*.py") if len(found) < number else ""
        if paths and "pull request" in subject:
            found.append((commit, first, second, subject))
    return found[:number]


def reviewed(program, clone, merge, folder):
    """Runs the script; returns the number of breaks, the posted comment and the seconds."""
    commit, first, second, _ = merge
    git(clone, "checkout", "--quiet", "--force", "--detach", commit)
    for name in ["output", "summary", "posted"]:
        (folder / name).write_text("")
    variables = {
        "PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder), "REPOIDX": program, "RUNNER_TEMP": str(folder),
        "GITHUB_REPOSITORY": "ann/shop", "GITHUB_OUTPUT": str(folder / "output"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"), "GH_POSTED": str(folder / "posted"), "EVENT_BASE": first,
        "EVENT_HEAD": second, "EVENT_HEAD_REPOSITORY": "ann/shop", "EVENT_NUMBER": "7",
    }
    start = time.monotonic()
    run = subprocess.run(["sh", str(SCRIPT)], cwd=clone, env=variables, capture_output=True, text=True)
    seconds = time.monotonic() - start
    if run.returncode:
        sys.exit(f"{commit}: {run.stdout}{run.stderr}")
    if not (folder / "summary").read_text():
        sys.exit(f"{commit}: no summary")
    breaks = next(line for line in (folder / "output").read_text().splitlines() if line.startswith("breaks="))
    return int(breaks.removeprefix("breaks=")), (folder / "posted").read_text(), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repoidx", required=True)
    parser.add_argument("--number", type=int, default=20)
    parser.add_argument("--comments", action="store_true", help="print the comments too")
    parser.add_argument("clones", nargs="+", help="clones whose working tree may be overwritten")
    options = parser.parse_args()
    program = str(pathlib.Path(options.repoidx).resolve())
    digest, total, with_comment, slowest = hashlib.sha256(), 0, 0, 0.0
    for clone in options.clones:
        for merge in merges(clone, options.number):
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                (folder / "gh").write_text(GH)
                (folder / "gh").chmod(0o755)
                breaks, comment, seconds = reviewed(program, clone, merge, folder)
            if bool(comment) != (breaks > 0):
                sys.exit(f"{merge[0]}: {breaks} breaks, and a comment of {len(comment)} characters")
            digest.update(f"{merge[0]}\n{comment}".encode())
            total, with_comment, slowest = total + 1, with_comment + bool(comment), max(slowest, seconds)
            print(f"{pathlib.Path(clone).name} {merge[0][:10]} {breaks:3} break  {seconds:5.2f} s  {merge[3][:60]}")
            if options.comments and comment:
                print(comment)
    print(f"{total} pull requests, {with_comment} with a comment, slowest {slowest:.2f} s, digest {digest.hexdigest()[:16]}")


if __name__ == "__main__":
    main()
