"""Renames definitions without their users, and counts how many of the users `repoidx review --worktree` names.

Usage: removals.py --repoidx BINARY [--count N] [--seed S] CLONE...

Of each clone N functions, methods, properties, classes and module variables are chosen at random, outside of functions,
among those that other lines refer to (`repoidx refs`, what names them there, overrides aside). The name is changed in its
definition alone, so each of those lines now asks for what is gone. It counts as named when the review has a finding at its
path and line, of whatever verdict but `not_affected`, or one about the import that brings the name to its file. The clone
is put back after each.

Only the standard library is used.
"""

import argparse
import collections
import json
import random
import re
import subprocess


def answer(binary, repo, *args):
    run = subprocess.run([binary, "-q", "--repo", repo, *args], capture_output=True, text=True)
    return run.stdout if run.returncode == 0 else ""


def candidates(binary, repo):
    """Definitions as exported: outside of tests, not special, defined once."""
    rows = [json.loads(line) for line in answer(binary, repo, "export", "entities").splitlines()]
    kinds = {row["name"]: row["kind"] for row in rows}
    names = collections.Counter(row["name"].partition("@")[0] for row in rows)
    for row in rows:
        kind, name = row["kind"], row["identifier"]
        parts = row["name"].split(".")
        around = [kinds.get(".".join(parts[:end])) for end in range(1, len(parts))]
        is_local = "function" in around or "method" in around
        is_wanted = around[-1:] == ["module"] or (around[-1:] == ["class"] and kind != "variable")
        if is_local or not is_wanted or kind == "module" or name.startswith(("__", "test")):
            continue
        if names[row["name"].partition("@")[0]] == 1:
            yield row


def places(binary, repo, name):
    """The target and the lines that name it."""
    text = answer(binary, repo, "refs", name, "--format", "json")
    if not text:
        return None, set()
    report = json.loads(text)
    named = [ref for ref in report["references"] if ref["is_named"] and ref["kind"] not in ("overrides", "contains")]
    return report["target"], {(ref["path"], ref["line"]) for ref in named}


def renamed(text, line, name):
    lines = text.split("\n")
    lines[line - 1], count = re.subn(rf"\b{name}\b", f"{name}_renamed", lines[line - 1], count=1)
    return "\n".join(lines) if count else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repoidx", required=True)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("clones", nargs="+")
    args = parser.parse_args()
    for repo in args.clones:
        rows = sorted(candidates(args.repoidx, repo), key=lambda row: row["name"])
        random.Random(args.seed).shuffle(rows)
        done, expected, found, whole, silent = 0, 0, 0, 0, 0
        for row in rows:
            if done == args.count:
                break
            target, users = places(args.repoidx, repo, row["name"])
            users = {(path, line) for path, line in users if (path, line) != (row["path"], target and target["line"])}
            if not users:
                continue
            path = f"{repo}/{row['path']}"
            with open(path, encoding="utf-8", newline="") as file:
                before = file.read()
            after = renamed(before, target["line"], row["identifier"])
            if after is None:
                continue
            try:
                with open(path, "w", encoding="utf-8", newline="") as file:
                    file.write(after)
                report = json.loads(answer(args.repoidx, repo, "review", "--worktree", "--format", "json"))
            finally:
                with open(path, "w", encoding="utf-8", newline="") as file:
                    file.write(before)
            told = [finding for finding in report["findings"] if finding["verdict"] != "not_affected"]
            spots = {(finding["path"], finding["line"]) for finding in told}
            imports = {finding["path"] for finding in told if finding["via"][0]["kind"] == "imports"}
            named = {place for place in users if place in spots or place[0] in imports}
            done, expected, found = done + 1, expected + len(users), found + len(named)
            whole += named == users
            silent += not named and report["completeness"] == "exact"
            if args.verbose and named != users:
                print(f"  {row['name']} {row['kind']}: {len(named)} of {len(users)}, not {sorted(users - named)[:3]}")
        shares = f"{found} of {expected} places named, {whole} of {done} complete, {silent} silent and \"complete\""
        print(f"{repo.rstrip('/').rsplit('/', 1)[-1]}: {shares}")


if __name__ == "__main__":
    main()
