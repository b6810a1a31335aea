#!/usr/bin/env python3
"""Fits how likely the list of `impact` is to be complete: the two tables in src/query/impact/likelihood.rs.

  fit_completeness.py [--rows FILE] [--most N] REPO=OBSERVED ...

REPO      a git repository; repoidx (on PATH, or $REPOIDX) indexes it and answers `impact` of each function that tests ran
OBSERVED  what happened when its tests ran, as benches/traced_calls.py writes it
--rows    keeps the answers' factors there, or reads them from there if the file exists
--most    asks N functions of each repository, evenly spread over its list: 120 take a third of the time of all

A list is complete if it names every test that ran the function. Each function is asked twice: as by default, and with
everything that is too improbable to be listed. One logistic model says how likely the second list is to be complete. The
other says, where it is and the first list leaves tests out, how likely the first one is complete too; its factors
begin with `left_out` or `listed`, but for one that both have. A list as shown is as likely as both together.
Repositories count by the root of their number of functions. The printed figures leave each repository out of the fit in
turn: the calibration error over ten bins, the Brier score as a share of the base rate's, the share of answers that get
.9 or more, and the share of these that lacked nothing. Needs numpy."""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "benches"))
import calibration
import traced_calls

# Draws weights towards zero: the penalty of a weight of one on a factor of unit variance.
RIDGE = 4
MODES = {"shown": [], "any": ["--min-probability", "0"]}
# The factors of a list and of the tests that it leaves out, and the one that counts for both parts.
OF_LIST = ("left_out_", "listed_")
OF_BOTH = ["best_code"]


def rows_of(repo, file, most):
    """A row for each function of the code under test that a test ran: factors and truth of both lists."""
    data = calibration.read(file)
    entities = [tuple(entity) for entity in data["entities"]]
    tests = [entities[test] for test in data["tests"]]
    subprocess.run([calibration.TOOL, "--repo", repo, "-q", "index"], check=True)
    exported = calibration.lines(repo, "entities")
    key = calibration.keys(exported)
    kind = {entity["name"]: entity["kind"] for entity in exported}
    names = {}
    for name in key:
        if kind[name] in ("function", "method"):
            names.setdefault(key[name], name)
    ran = {}
    for test, cover in zip(tests, data["cover"]):
        # Of a wrapper, and of a test that its class hides under a condition, the trace has a name that no test has.
        if test not in names:
            continue
        for position in cover:
            if not traced_calls.is_test(entities[position]):
                ran.setdefault(entities[position], set()).add(test)
    asked = [(names[function], tests) for function, tests in sorted(ran.items()) if function in names]
    if most and len(asked) > most:
        asked = [asked[at * len(asked) // most] for at in range(most)]

    def ask(case):
        name, tests = case
        row = {"repo": os.path.basename(repo.rstrip("/")), "name": name}
        of_mode = {}
        for mode, options in MODES.items():
            command = [calibration.TOOL, "--repo", repo, "--no-update", "-q", "impact", name, "--format", "json", *options]
            run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            if run.returncode:
                return None
            answer = json.loads(run.stdout)
            if "completeness_judgement" not in answer:
                return None
            listed = {key.get(item["name"]) for item in answer["impacted"]}
            of_mode[mode] = {item["name"] for item in answer["impacted"] if item["is_test"]}
            row[mode] = [answer["completeness_judgement"]["factors"], not tests - listed]
        row["leaves_out"] = of_mode["shown"] != of_mode["any"]
        return row

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [row for row in pool.map(ask, asked) if row]


def fit(values, truth, weight):
    """Intercept and weights by Newton's method; twelve steps are more than it needs."""
    values = np.c_[np.ones(len(values)), values]
    ridge = np.eye(values.shape[1]) * RIDGE
    ridge[0, 0] = 0
    found = np.zeros(values.shape[1])
    for _ in range(12):
        chance = 1 / (1 + np.exp(-values @ found))
        slope = values.T @ (weight * (truth - chance)) - ridge @ found
        curve = (values * (weight * chance * (1 - chance))[:, None]).T @ values + ridge
        found += np.linalg.solve(curve, slope)
    return found


def figures(chance, truth):
    bins = np.minimum((chance * 10).astype(int), 9)
    error = sum(abs((chance[bins == at] - truth[bins == at]).sum()) for at in range(10)) / len(truth)
    base, high = truth.mean(), chance >= 0.9
    brier = ((chance - truth) ** 2).mean() / (base * (1 - base))
    return f"calibration {error:.3f}  Brier {brier:.3f}  at .9 {high.mean():.3f}, true {truth[high].mean() if high.any() else 0:.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows")
    parser.add_argument("--most", type=int)
    parser.add_argument("traced", nargs="*", metavar="REPO=OBSERVED")
    arguments = parser.parse_args()
    if arguments.rows and os.path.exists(arguments.rows):
        with open(arguments.rows) as file:
            rows = [json.loads(line) for line in file]
    else:
        rows = [row for pair in arguments.traced for row in rows_of(*pair.split("=", 1), arguments.most)]
        if arguments.rows:
            with open(arguments.rows, "w") as file:
                file.writelines(json.dumps(row) + "\n" for row in rows)
    repos = np.array([row["repo"] for row in rows])
    count = {repo: (repos == repo).sum() for repo in set(repos)}
    weight = np.array([count[repo] ** -0.5 for repo in repos])
    weight *= len(weight) / weight.sum()
    truth = {mode: np.array([float(row[mode][1]) for row in rows]) for mode in MODES}
    every = sorted(rows[0]["any"][0])
    of_list = [name for name in every if name.startswith(OF_LIST)]
    names = {"any": [name for name in every if name not in of_list], "shown": OF_BOTH + of_list}
    values = {mode: np.array([[row[mode][0][name] for name in names[mode]] for row in rows]) for mode in MODES}
    leaves_out = np.array([row["leaves_out"] for row in rows])
    # The second part is asked only where the whole list is complete.
    kept = {"any": np.ones(len(rows), bool), "shown": leaves_out & (truth["any"] > 0)}
    mean = {mode: values[mode][kept[mode]].mean(0) for mode in MODES}
    spread = {mode: values[mode][kept[mode]].std(0) + 1e-9 for mode in MODES}
    scaled = {mode: (values[mode] - mean[mode]) / spread[mode] for mode in MODES}

    def part(mode, chosen):
        chosen = chosen & kept[mode]
        return fit(scaled[mode][chosen], truth[mode][chosen], weight[chosen])

    chance = {mode: np.zeros(len(rows)) for mode in MODES}
    for repo in sorted(count):
        left_out = repos == repo
        for mode in MODES:
            found = part(mode, ~left_out)
            chance[mode][left_out] = 1 / (1 + np.exp(-(found[0] + scaled[mode][left_out] @ found[1:])))
    chance["shown"] = chance["any"] * np.where(leaves_out, chance["shown"], 1)
    print(f"{len(rows)} functions of {len(count)} repositories, each left out in turn")
    for mode in MODES:
        print(f"  {mode:6s} base {truth[mode].mean():.3f}  {figures(chance[mode], truth[mode])}")
    for mode, constant in (("any", "REACHED"), ("shown", "LEFT_OUT")):
        found = part(mode, np.ones(len(rows), bool))
        print(f"\nconst {constant}: FittedPart = FittedPart {{\n    at_means: {found[0]:.3f},\n    terms: &[")
        for name, middle, value in zip(names[mode], mean[mode], found[1:] / spread[mode]):
            print(f'        Term {{ name: "{name}", mean: {middle:.3f}, weight: {value:.3f} }},')
        print("    ],\n};")


if __name__ == "__main__":
    main()
