"""Fits the weights of src/query/search/files/model.rs on issues whose fix is known:
fit_files.py BENCHMARK_DIR REPOIDX CACHE.json

BENCHMARK_DIR has localise.py and its data; its README names the repositories. Every issue is asked with `--files --explain`.
The weights make the edited files likely among all files (softmax, ridge, no weight below 0; a repository counts as the
square root of its issues). Printed: file@1, @3, @5 and the mean reciprocal rank, for weights fitted without the repository
at hand, then the weights of all."""

import json
import math
import os
import subprocess
import sys

import numpy as np
from scipy.optimize import minimize

BENCHMARK, REPOIDX, CACHE = sys.argv[1:4]
sys.path.insert(0, BENCHMARK)
import localise  # noqa: E402

WORK = os.environ.get("WORK", "/var/tmp/repoidx-fit-files")
MIRROR = os.environ.get("MIRROR", f"{BENCHMARK}/../../../.mirror")
RIDGE = float(os.environ.get("RIDGE", "1"))
# More files than any of the repositories has.
ALL = "5000"


def collect():
    rows, here = [], set()
    for row in localise.load():
        if row["held"]:
            continue
        folder = f"{WORK}/{row['repo'].replace('/', '+')}"
        if row["repo"] not in here:
            localise.clone(MIRROR, row["repo"], folder)
            here.add(row["repo"])
        localise.check_out(folder, row["base_commit"])
        subprocess.run([REPOIDX, "-q", "index", "--repo", folder], check=True)
        question = json.dumps({"id": 1, "query": row["problem_statement"]})
        command = [REPOIDX, "search", "--files", "--queries", "-", "-k", ALL, "--explain", "--format", "json", "--repo", folder]
        out = subprocess.run(command, input=question + "\n", check=True, capture_output=True, text=True).stdout
        files = [file for file in json.loads(out)["files"] if localise.ranking([file])]
        rows.append({"repo": row["repo"], "gold": row["files"], "files": [{key: file[key] for key in ("path", "features")} for file in files]})
    return rows


def fitted(issues, width):
    """The weights that make the edited files likely; `issues` has features, what is right, and how much it counts."""

    def loss(weights):
        total, slope = RIDGE * weights @ weights, 2 * RIDGE * weights
        for features, right, count in issues:
            if not right.any():
                continue
            scores = features @ weights
            likely = np.exp(scores - scores.max())
            total += count * (math.log(likely.sum()) - math.log(likely[right].sum()))
            slope = slope + count * (features.T @ (likely / likely.sum() - np.where(right, likely / likely[right].sum(), 0)))
        return total, slope

    return minimize(loss, np.full(width, 0.1), jac=True, method="L-BFGS-B", bounds=[(0, None)] * width).x


def main():
    if not os.path.exists(CACHE):
        with open(CACHE, "w") as file:
            json.dump(collect(), file)
    with open(CACHE) as file:
        rows = json.load(file)
    names = list(rows[0]["files"][0]["features"])
    repositories = [row["repo"] for row in rows]
    issues = []
    for row in rows:
        features = np.array([[file["features"][name] for name in names] for file in row["files"]])
        right = np.array([file["path"] in row["gold"] for file in row["files"]])
        issues.append((features, right, 3 / math.sqrt(repositories.count(row["repo"]))))
    scores = {}
    for repository in sorted(set(repositories)):
        weights = fitted([issue for issue, other in zip(issues, repositories) if other != repository], len(names))
        for at, row in enumerate(rows):
            if row["repo"] == repository:
                order = np.argsort(-(issues[at][0] @ weights), kind="stable")
                ranked = [row["files"][file]["path"] for file in order]
                scores[at] = localise.score({"files": row["gold"], "definitions": []}, [], ranked)
    for repository in ["", *sorted(set(repositories))]:
        part = [score for at, score in scores.items() if repository in ("", repositories[at])]
        figures = " ".join(f"{key} {localise.mean(part, key):.3f}" for key in ("file1", "file3", "file5", "mrr"))
        print(f"{repository or 'all, left out':24} {len(part):3} {figures}")
    for name, weight in zip(names, fitted(issues, len(names))):
        print(f"    {weight:.2f}, // {name}")


if __name__ == "__main__":
    main()
