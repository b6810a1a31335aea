#!/usr/bin/env python3
"""How often call edges of each probability are true: the fit behind `Basis::probability` in src/model/basis.rs.

  calibration.py [--fit | --unseen] REPO=OBSERVED ...

REPO      a git repository; repoidx (on PATH, or $REPOIDX) indexes it and exports its edges
OBSERVED  what happened when its tests ran under a tracer, as traced_calls.py writes it: JSON, possibly gzipped, with
          "entities": [[path, qualified name without <locals>], ...] and
          "edges": [[caller, callee, ...], ...] as positions in that list

A call edge counts when both ends were run, and is true when it was seen, or seen to go through one inner function, as
calls through a decorator's wrapper do, or where its class statement stands. That is a lower bound: a call on a way that
the tests do not take counts as false. Each repository weighs the same, however large it is; a probability that few of
its edges have is drawn towards what was claimed (PRIOR edges' worth). --fit prints the rates to write down; without it
the table by kind of evidence and the expected calibration error over ten bins (Guo et al., "On Calibration of Modern
Neural Networks", ICML 2017) are printed. --unseen fits on all repositories but one and measures the error on that one,
each in turn.
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


def keys(entities):
    """(path, qualified name) of each name of the index."""
    module = {e["path"]: e["name"] for e in entities if e["kind"] == "module"}
    return {e["name"]: (e["path"], plain(e["name"][len(module[e["path"]]):].lstrip("."))) for e in entities}


def edges(repo):
    """The best (probability, kind of evidence) of each pair of a caller and a callee, both as (path, qualified name); inner
    functions; classes."""
    entities = lines(repo, "entities")
    key, kind = keys(entities), {e["name"]: e["kind"] for e in entities}
    best = {}
    for edge in lines(repo, "edges"):
        if edge["kind"] != "calls" or kind.get(edge["to"]) not in ("function", "method"):
            continue
        pair = (key[edge["from"]], key[edge["to"]])
        best[pair] = max(best.get(pair, (0, "")), (edge["probability"], edge["basis"]))
    inner = {key[name] for name in key if kind[name] == "function" and "." in key[name][1]}
    return best, inner, {key[name] for name in key if kind[name] == "class"}


def read(file):
    with (gzip.open if file.endswith(".gz") else open)(file, "rt") as f:
        return json.load(f)


def observed(file):
    data = read(file)
    entities = [tuple(e) for e in data["entities"]]
    seen = {(entities[e[0]], entities[e[1]]) for e in data["edges"]}
    return seen, {end for pair in seen for end in pair}


def through_wrappers(seen, inner):
    """Calls that go through an inner function to the function as written."""
    written = defaultdict(set)
    for caller, callee in seen:
        if caller in inner:
            written[caller].add(callee)
    return {(caller, callee) for caller, wrapper in seen for callee in written.get(wrapper, ())}


def scopes(caller, classes):
    """A caller; where it is a class, also what holds its statement: the frame that a metaclass is called from."""
    yield caller
    while caller in classes:
        caller = (caller[0], caller[1].rpartition(".")[0])
        yield caller


def counts(argument):
    """Edges and true ones by probability and kind of evidence."""
    repo, _, file = argument.partition("=")
    seen, ran = observed(file)
    best, inner, classes = edges(repo)
    seen |= through_wrappers(seen, inner)
    count = defaultdict(lambda: [0, 0])
    for (caller, callee), claimed in best.items():
        if caller in ran and callee in ran and caller != callee:
            count[claimed][0] += 1
            count[claimed][1] += any((scope, callee) in seen for scope in scopes(caller, classes))
    return count


def fitted(probability, rows):
    """The mean rate of repositories with (edges, true) rows, few edges drawn towards what was claimed."""
    return sum((true + PRIOR * probability) / (n + PRIOR) for n, true in rows) / len(rows)


def calibration_error(rows):
    """Of (edges, true, claimed) rows, over ten bins of what is claimed."""
    bins = defaultdict(lambda: [0, 0, 0.0])
    for n, true, claimed in rows:
        b = bins[min(int(claimed * 10), 9)]
        b[0], b[1], b[2] = b[0] + n, b[1] + true, b[2] + n * claimed
    total = sum(n for n, _, _ in rows)
    return sum(abs(true - claimed) for _, true, claimed in bins.values()) / max(total, 1), total


def unseen(by_repo):
    errors = []
    for name, count in by_repo.items():
        others = [other for key, other in by_repo.items() if key != name]
        rows, as_claimed = [], []
        for (probability, basis), (n, true) in count.items():
            known = [tuple(other[probability, basis]) for other in others if (probability, basis) in other]
            rows.append((n, true, fitted(probability, known) if known else probability))
            as_claimed.append((n, true, probability))
        error, total = calibration_error(rows)
        errors.append(error)
        print(f"| {os.path.basename(name)} | {total:,} | {error:.3f} | {calibration_error(as_claimed)[0]:.3f} |")
    print(f"mean of the unseen repositories {sum(errors) / len(errors):.3f}")


def main():
    arguments = [a for a in sys.argv[1:] if a not in ("--fit", "--unseen")]
    if not arguments or any("=" not in a for a in arguments):
        sys.exit(__doc__)
    by_repo = {argument.partition("=")[0]: counts(argument) for argument in arguments}
    if "--unseen" in sys.argv:
        return unseen(by_repo)
    rates = defaultdict(list)                   # (probability, kind) -> (edges, true) by repository
    for count in by_repo.values():
        for claimed, row in count.items():
            rates[claimed].append(tuple(row))
    for probability, basis in sorted(rates, reverse=True):
        rows = rates[probability, basis]
        n, true = sum(r[0] for r in rows), sum(r[1] for r in rows)
        rate = fitted(probability, rows)
        if "--fit" in sys.argv:
            print(f"{basis}: claimed {probability:.2f}  fitted {rate:.2f}  ({n:,} edges of {len(rows)} repositories)")
        else:
            print(f"| {probability:.2f} | {basis} | {n:,} | {true / n:.2f} | {rate:.2f} |")
    error, total = calibration_error([(n, true, p) for (p, _), rows in rates.items() for n, true in rows])
    print(f"expected calibration error {error:.3f} over {total:,} edges")


if __name__ == "__main__":
    main()
