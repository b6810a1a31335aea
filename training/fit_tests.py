#!/usr/bin/env python3
"""Fits how often a listed test runs the function: the three numbers in src/query/impact/selection/true_shares.rs.

  fit_tests.py REPO=OBSERVED ...

REPO      a git repository; repoidx (on PATH, or $REPOIDX) indexes it and answers `impact` of functions that tests ran
OBSERVED  what happened when its tests ran, as benches/traced_calls.py writes it

An answer has the share of a test, so its chain's probability is found with the numbers of that file, which has to be the
one that the binary was built from. Of each repository at most SAMPLE functions are asked. A test that was run is true if
it ran the function. A logistic model reads the log-odds of the chain and the logarithm of the number of tests listed; each
test counts by the inverse root of that number. The printed calibration errors (ten bins, by tests and by functions) leave
each repository out in turn. Needs numpy."""
import functools
import json
import math
import os
import random
import re
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "benches"))
import calibration
import traced_calls

SAMPLE = 110
FAINT = 0.005
RIDGE = 3
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
SHARES = os.path.join(ROOT, "src", "query", "impact", "selection", "true_shares.rs")


@functools.cache
def numbers():
    """BASE, PER_CHAIN and PER_TESTS of today."""
    with open(SHARES) as file:
        found = dict(re.findall(r"const (\w+): f64 = (-?[\d.]+);", file.read()))
    return [float(found[name]) for name in ("BASE", "PER_CHAIN", "PER_TESTS")]


def chain_log_odds(share, tests):
    """The log-odds of the chain that has this share in an answer with `tests`; no share is certain."""
    base, per_chain, per_tests = numbers()
    share = min(max(share, 0.0001), 0.9999)
    found = (math.log(share / (1 - share)) - base - per_tests * math.log1p(tests)) / per_chain
    most = math.log((1 - FAINT) / FAINT)
    return min(max(found, -most), most)


def is_test(item):
    """Whether an entry of an answer is a test; `is_test` says that its file holds tests."""
    is_callable = item["kind"] in ("function", "method")
    return item["is_test"] and is_callable and item["name"].rsplit(".", 1)[-1].startswith("test")


def rows_of(repo, file):
    """How many functions were asked, and (log-odds of the chain, tests in the answer, truth) of each listed test that was
    run."""
    data = calibration.read(file)
    entities = [tuple(entity) for entity in data["entities"]]
    tests = {entities[test] for test in data["tests"]}
    ran = {}
    for test, cover in zip(data["tests"], data["cover"]):
        for position in cover:
            if not traced_calls.is_test(entities[position]):
                ran.setdefault(entities[position], set()).add(entities[test])
    subprocess.run([calibration.TOOL, "--repo", repo, "-q", "index"], check=True)
    key = calibration.keys(calibration.lines(repo, "entities"))
    name = {key[name]: name for name in reversed(key)}
    asked = sorted(function for function in ran if function in name)
    random.Random(7).shuffle(asked)
    asked = asked[:SAMPLE]
    rows = []
    for function in asked:
        command = [calibration.TOOL, "--repo", repo, "--no-update", "-q", "impact", name[function], "--format", "json"]
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if run.returncode:
            continue
        listed = [item for item in json.loads(run.stdout)["impacted"] if is_test(item)]
        for item in listed:
            test = key.get(item["name"])
            if test in tests:
                odds = chain_log_odds(item["probability"], len(listed))
                rows.append((odds, len(listed), float(test in ran[function])))
    return len(asked), rows


def fit(values, truth, weight):
    values = np.c_[np.ones(len(values)), values]
    weight = weight * len(weight) / weight.sum()
    found = np.zeros(values.shape[1])
    for _ in range(25):
        chance = 1 / (1 + np.exp(-values @ found))
        slope = values.T @ (weight * (truth - chance)) - RIDGE * found
        curve = (values * (weight * chance * (1 - chance))[:, None]).T @ values + RIDGE * np.eye(len(found))
        found += np.linalg.solve(curve, slope)
    return found


def error(chance, truth, weight):
    bins = np.minimum((chance * 10).astype(int), 9)
    return sum(abs((weight * (chance - truth))[bins == at].sum()) for at in range(10)) / weight.sum()


def main():
    if len(sys.argv) < 3 or "-h" in sys.argv or "--help" in sys.argv:
        sys.exit(__doc__)
    found = [rows_of(*pair.split("=", 1)) for pair in sys.argv[1:]]
    asked, parts = [asked for asked, _ in found], [np.array(rows) for _, rows in found]
    repo = np.concatenate([np.full(len(part), at) for at, part in enumerate(parts)])
    chains, number, truth = np.concatenate(parts).T
    values = np.c_[chains, np.log1p(number)]
    weight = number**-0.5
    print(f"{len(truth)} tests listed for {sum(asked)} functions of {len(parts)} repositories, each left out in turn")
    chain = 1 / (1 + np.exp(-chains))
    unseen = np.zeros(len(truth))
    for at in range(len(parts)):
        found = fit(values[repo != at], truth[repo != at], weight[repo != at])
        unseen[repo == at] = 1 / (1 + np.exp(-np.c_[np.ones((repo == at).sum()), values[repo == at]] @ found))
    for what, chance in (("chain", chain), ("fitted, each left out", unseen)):
        print(f"{what}: by tests {error(chance, truth, np.ones(len(truth))):.3f}, by functions {error(chance, truth, 1 / number):.3f}")
    print("BASE, PER_CHAIN, PER_TESTS:", *(f"{value:.3f}" for value in fit(values, truth, weight)))


if __name__ == "__main__":
    main()
