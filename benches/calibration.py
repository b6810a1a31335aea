#!/usr/bin/env python3
"""How often call edges of each probability are true: the fit behind `Basis::probability` in src/model.rs.

  calibration.py [--fit] REPO=OBSERVED ...

REPO      a git repository; repoidx (on PATH, or $REPOIDX) indexes it and exports its edges
OBSERVED  what happened when its tests ran under a tracer: JSON, possibly gzipped, with
          "entities": [[path, qualified name without <locals>], ...] and
          "edges": [[caller, callee, ...], ...] as positions in that list

A call edge counts when both ends were run, and is true when it was seen. That is a lower bound: a call on a way that
the tests do not take counts as false. Each repository weighs the same, however large it is; a probability that few of
its edges have is drawn towards what was claimed (PRIOR edges' worth). --fit prints the rates to write down; without it
the table of BENCHMARKS.md and the expected calibration error over ten bins (Guo et al., "On Calibration of Modern
Neural Networks", ICML 2017) are printed.
"""
import gzip, json, os, subprocess, sys
from collections import defaultdict

PRIOR = 20
TOOL = os.environ.get("REPOIDX", "repoidx")


def lines(repo, *command):
    run = subprocess.run([TOOL, "--repo", repo, "-q", "export", *command], stdout=subprocess.PIPE, check=True, text=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def plain(word):
    """`f@2`, the second definition of `f`, is `f` to a tracer."""
    return ".".join(part.split("@")[0] for part in word.split("."))


def edges(repo):
    """The best probability of each pair of a caller and a callee, both as (path, qualified name)."""
    entities = lines(repo, "entities")
    module = {e["path"]: e["name"] for e in entities if e["kind"] == "module"}
    key, kind = {}, {}
    for e in entities:
        inner = plain(e["name"][len(module[e["path"]]):].lstrip("."))
        key[e["name"]], kind[e["name"]] = (e["path"], inner), e["kind"]
    best = {}
    for edge in lines(repo, "edges"):
        if edge["kind"] != "calls" or kind.get(edge["to"]) not in ("function", "method"):
            continue
        pair = (key[edge["from"]], key[edge["to"]])
        best[pair] = max(best.get(pair, 0), edge["probability"])
    return best


def observed(file):
    with (gzip.open if file.endswith(".gz") else open)(file, "rt") as f:
        data = json.load(f)
    entities = [tuple(e) for e in data["entities"]]
    seen = {(entities[e[0]], entities[e[1]]) for e in data["edges"]}
    return seen, {end for pair in seen for end in pair}


def main():
    arguments = [a for a in sys.argv[1:] if a != "--fit"]
    if not arguments or any("=" not in a for a in arguments):
        sys.exit(__doc__)
    rates = defaultdict(list)                   # probability -> (edges, true) by repository
    for argument in arguments:
        repo, _, file = argument.partition("=")
        seen, ran = observed(file)
        count = defaultdict(lambda: [0, 0])
        for (caller, callee), probability in edges(repo).items():
            if caller in ran and callee in ran and caller != callee:
                count[round(probability, 2)][0] += 1
                count[round(probability, 2)][1] += (caller, callee) in seen
        for probability, (n, true) in count.items():
            rates[probability].append((n, true))
    error = total = 0
    bins = defaultdict(lambda: [0, 0, 0.0])     # edges, true, claimed
    for probability in sorted(rates, reverse=True):
        rows = rates[probability]
        n, true = sum(r[0] for r in rows), sum(r[1] for r in rows)
        rate = sum((t + PRIOR * probability) / (c + PRIOR) for c, t in rows) / len(rows)
        if "--fit" in sys.argv:
            print(f"claimed {probability:.2f}  fitted {rate:.2f}  ({n} edges of {len(rows)} repositories)")
        else:
            print(f"| {probability:.2f} | {n:,} | {true / n:.2f} | {rate:.2f} |")
        b = bins[min(int(probability * 10), 9)]
        b[0], b[1], b[2] = b[0] + n, b[1] + true, b[2] + n * probability
        total += n
    for n, true, claimed in bins.values():
        error += abs(true - claimed) / total
    print(f"expected calibration error {error:.3f} over {total:,} edges")


if __name__ == "__main__":
    main()
