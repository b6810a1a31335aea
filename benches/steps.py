#!/usr/bin/env python3
"""How surely a test that runs one end of a relationship runs the other: what the factors in src/query/impact/walk/factors.rs and
src/query/walk rest on.

  steps.py REPO=OBSERVED ...

REPO and OBSERVED are those of ranking.py. For each kind of relationship and kind of evidence, over the pairs of functions that
tests ran: of the tests that ran the source (the caller, the test with a fixture, the override) the share that ran the target
(the callee, the fixture, the base's method). `enclosed` is a function and what is defined inside it. The last column weighs each
project by the square root of its pairs. What no function is at the other end of (a variable, a class) cannot be seen so.
"""
import sys
from collections import defaultdict

from calibration import keys, lines, read


def shares(argument):
    """(kind, evidence) -> for each pair the share of the source's tests that ran the target."""
    repo, _, file = argument.partition("=")
    data = read(file)
    runs = defaultdict(set)
    for test, covered in zip(data["tests"], data["cover"]):
        for end in covered:
            runs[tuple(data["entities"][end])].add(test)
    key = keys(lines(repo, "entities"))
    pairs = {(edge["kind"], edge["basis"], key[edge["from"]], key[edge["to"]]) for edge in lines(repo, "edges")}
    pairs |= {("enclosed", "", (path, name.rpartition(".")[0]), (path, name)) for path, name in runs if "." in name}
    found = defaultdict(list)
    for kind, basis, source, target in pairs:
        if source in runs and target in runs and source != target:
            found[kind, basis].append(len(runs[source] & runs[target]) / len(runs[source]))
    return found


def main():
    if len(sys.argv) < 2 or any("=" not in argument for argument in sys.argv[1:]):
        sys.exit(__doc__)
    by_project = [shares(argument) for argument in sys.argv[1:]]
    print("| relationship | evidence | pairs | projects | run | projects by square root |\n|---|---|---|---|---|---|")
    steps = {step for found in by_project for step in found}
    rows = {step: [found[step] for found in by_project if step in found] for step in steps}
    for (kind, basis), each in sorted(rows.items(), key=lambda row: (row[0][0], -sum(map(len, row[1])))):
        pairs = sum(map(len, each))
        rooted = sum(sum(one) / len(one) ** 0.5 for one in each) / sum(len(one) ** 0.5 for one in each)
        print(f"| {kind} | {basis} | {pairs:,} | {len(each)} | {sum(map(sum, each)) / pairs:.2f} | {rooted:.2f} |")


if __name__ == "__main__":
    main()
