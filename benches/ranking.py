#!/usr/bin/env python3
"""How good the first rows of an answer are, and how true its probabilities, of `repoidx impact` on functions that tests run.

  ranking.py REPO=OBSERVED ...

REPO and OBSERVED are those of calibration.py; OBSERVED also has
          "tests": positions of the tests in "entities"
          "cover": for each test the positions of what it ran
Of each repository the functions outside of its tests that were run are taken in the order of a hash, at most SAMPLE. For a
function that k others were seen to call, `direct` is the share of true ones among the first k direct dependents that
`impact` lists (fewer rows count as wrong ones); for one that k tests ran, `tests` is the same for the tests.

The table compares the probability of each test that was listed and ran with the share that ran the function, over ten bins:
of all tests, and where each function counts the same, however many tests its answer has (`expected calibration error` as in
calibration.py). A test that depends on a function without running it counts as false here: one that reads what was made of it
while a module was imported, or that patches it.
"""
import hashlib, json, subprocess, sys

from calibration import TOOL, calibration_error, keys, lines, read

SAMPLE = 45


def is_test(path):
    return any(part.startswith("test") for part in path.split("/")) or path.endswith(("_test.py", "conftest.py"))


def order(key):
    return hashlib.sha256(":".join(key).encode()).digest()


def share(rows, wanted):
    return len(set(rows[: len(wanted)]) & wanted) / len(wanted)


def show(claims):
    """The reliability diagram of what `claims` says of the tests of each function: (probability, true) rows."""
    every = [(1, true, claimed) for rows in claims for claimed, true in rows]
    alike = [(1 / len(rows), true / len(rows), claimed) for rows in claims for claimed, true in rows]
    print("| probability | tests | said | ran it | functions alike: said | ran it |\n|---|---|---|---|---|---|")
    for low in range(10):
        cells = []
        for rows in (every, alike):
            inside = [row for row in rows if min(int(row[2] * 10), 9) == low]
            total = sum(n for n, _, _ in inside)
            if inside:
                cells += [sum(n * claimed for n, _, claimed in inside) / total, sum(true for _, true, _ in inside) / total]
        if cells:
            print(f"| .{low} | {len(inside):,} | " + " | ".join(f"{cell:.2f}" for cell in cells) + " |")
    errors = [calibration_error(rows)[0] for rows in (every, alike)]
    print(f"expected calibration error {errors[0]:.3f} over {len(every):,} tests; {errors[1]:.3f}, {len(claims):,} functions alike")


def main():
    direct, tests, claims = [], [], []
    for argument in sys.argv[1:]:
        repo, _, file = argument.partition("=")
        data = read(file)
        ends = [tuple(e) for e in data["entities"]]
        callers, runs = {}, {}
        for caller, callee, *_ in data["edges"]:
            callers.setdefault(ends[callee], set()).add(ends[caller])
        ran = {ends[test] for test in data["tests"]}
        for test, covered in zip(data["tests"], data["cover"]):
            for end in covered:
                runs.setdefault(ends[end], set()).add(ends[test])
        entities = lines(repo, "entities")
        key = keys(entities)
        name = {key[n]: n for n in reversed(key)}
        chosen = sorted((end for end in runs if not is_test(end[0]) and end in name), key=order)[:SAMPLE]
        for end in chosen:
            command = [TOOL, "--repo", repo, "-q", "impact", name[end], "--format", "json", "--no-update"]
            run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
            if run.returncode:
                continue
            rows = [(key.get(row["name"]), row) for row in json.loads(run.stdout)["impacted"]]
            if end in callers:
                first = [place for place, row in rows if place and row["distance"] == 1]
                direct.append(share(first, callers[end]))
            tests.append(share([place for place, row in rows if place and row["is_test"]], runs[end]))
            claimed = {place: (row["probability"], place in runs[end]) for place, row in reversed(rows) if place in ran}
            claims.extend([list(claimed.values())] if claimed else [])
    for what, shares in (("direct", direct), ("tests", tests)):
        print(f"{what}: {sum(shares) / max(1, len(shares)):.3f} over {len(shares)} functions")
    show(claims)


if __name__ == "__main__":
    main()
