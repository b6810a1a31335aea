#!/usr/bin/env python3
"""How good the first rows of an answer are, of `repoidx impact` on functions that tests run.

  ranking.py REPO=OBSERVED ...

REPO and OBSERVED are those of calibration.py; OBSERVED also has
          "tests": positions of the tests in "entities"
          "cover": for each test the positions of what it ran
Of each repository the functions outside of its tests that were run are taken in the order of a hash, at most SAMPLE. For a
function that k others were seen to call, `direct` is the share of true ones among the first k direct dependents that
`impact` lists (fewer rows count as wrong ones); for one that k tests ran, `tests` is the same for the tests.
"""
import gzip, hashlib, json, subprocess, sys

from calibration import TOOL, lines, plain

SAMPLE = 45


def is_test(path):
    return any(part.startswith("test") for part in path.split("/")) or path.endswith(("_test.py", "conftest.py"))


def order(key):
    return hashlib.sha256(":".join(key).encode()).digest()


def share(rows, wanted):
    return len(set(rows[: len(wanted)]) & wanted) / len(wanted)


def main():
    direct, tests = [], []
    for argument in sys.argv[1:]:
        repo, _, file = argument.partition("=")
        with (gzip.open if file.endswith(".gz") else open)(file, "rt") as f:
            data = json.load(f)
        ends = [tuple(e) for e in data["entities"]]
        callers, runs = {}, {}
        for caller, callee, *_ in data["edges"]:
            callers.setdefault(ends[callee], set()).add(ends[caller])
        for test, covered in zip(data["tests"], data["cover"]):
            for end in covered:
                runs.setdefault(ends[end], set()).add(ends[test])
        entities = lines(repo, "entities")
        module = {e["path"]: e["name"] for e in entities if e["kind"] == "module"}
        key = {e["name"]: (e["path"], plain(e["name"][len(module[e["path"]]):].lstrip("."))) for e in entities}
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
    for what, shares in (("direct", direct), ("tests", tests)):
        print(f"{what}: {sum(shares) / max(1, len(shares)):.3f} over {len(shares)} functions")


if __name__ == "__main__":
    main()
