"""Takes the answers of one binary over public repositories as digests, and compares another binary with them.

Usage: frozen.py take BINARY --repos BARE... [--quick] > digests.json
       frozen.py compare digests.json BINARY [--repos BARE...]

For changes that must change no answer. BARE are bare clones of the repositories in `PINNED`, with their history; which
of them is which follows from the commit that each holds. `take` clones each at its pinned commit into a scratch folder,
builds the index there, and notes digests of

  - the exports: `export entities`, `edges`, `edges --possible`, `candidates` and `scip`;
  - answers as JSON: `impact`, `refs` and `review`, 25 a repository, 200 of all eight. Names and commits are chosen by a
    seed, so they are the same in each run; `compare` asks for those that `take` noted.

`compare` builds the indexes anew with the other binary. It prints the first difference of each kind with the first
lines that differ, and exits with 1 when there is one. For these lines it needs the answers themselves, which `take`
leaves in the scratch folder; where they are gone it tells digests alone. With `--quick` only the first four
repositories are used: 20 seconds instead of 40 on two cores.

Exports are compared byte for byte, except that the head of SCIP (the version of the tool and the folder of the
repository) is left out. Prose for people inside the JSON answers is left out too, since wording may change: see
`PROSE`. Messages on stderr are never compared; exit codes are.

Only the standard library is used. The machine's git configuration and home are not.
"""

import argparse
import concurrent.futures
import gzip
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

# Small ones first; `--quick` takes the first four.
PINNED = {
    "requests": "1f6589ec3a1ee910f9a65cc3ceac60b26677bc0e",
    "flask": "2ac89889f4cc330eabd50f295dcef02828522c69",
    "attrs": "c1dc5dcba16ed827aa6dcad896b41a3afedb4e32",
    "click": "2c8cd3ac958a7eb316d67f2d316c27086c4c0369",
    "marshmallow": "341b927f219205704728c05cd61f04d7e9727523",
    "werkzeug": "1b00618e787f40dfb21eba29caf8f8be7c8e1d93",
    "rich": "42899d8a0a96b121a514516f4be9db44ff7aeaf3",
    "pytest": "df87db7b0462fb764ef73fa00561adf8ad047572",
}
QUICK = 4

# Fields of the JSON answers that are prose for people: they are left out of the digests, wherever they stand.
PROSE = {
    "message": "boundaries of impact and review: a sentence about the limit of an answer",
    "reason": "findings of review and call sites of impact: a sentence about one place",
    "effect": "rows of impact: words for the consequence of a change",
    "basis": "links of chains and references: words for the way a reference was resolved (`export edges` holds them)",
    "steps": "rows of impact and refs, with --explain only: sentences of an explanation",
    "commit": "the state of the repository that an answer is about, which the digests are taken for anyway",
    "edited": "the same: the files that differ from that commit",
}

EXPORTS = {
    "export entities": ["export", "entities"],
    "export edges": ["export", "edges"],
    "export edges --possible": ["export", "edges", "--possible"],
    "export candidates": ["export", "candidates"],
    "export scip": ["export", "scip"],
}

# Questions for one repository, 25 in all.
IMPACTS_OF_USED, IMPACTS_OF_ANY, IMPACTS_OF_PARAMETERS = 7, 2, 3
REFERENCES_OF_USED, REFERENCES_OF_ANY = 7, 2
REVIEWS_OF_SIGNATURES, REVIEWS_OF_ANY = 3, 1
CHANGES = ["body", "signature", "remove", "rename"]
CHANGES_OF_PARAMETERS = ["require", "keyword-only", "remove"]
SEED = 31


class Scratch:
    """Folders for clones and answers, and an environment in which nothing of the machine shows through."""

    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        os.makedirs(os.path.join(self.folder, "home"), exist_ok=True)
        configuration = os.path.join(self.folder, "gitconfig")
        with open(configuration, "w", encoding="utf-8") as file:
            file.write("[core]\n\tautocrlf = false\n[advice]\n\tdetachedHead = false\n[safe]\n\tdirectory = *\n")
        home = os.path.join(self.folder, "home")
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": home,
            "XDG_CONFIG_HOME": os.path.join(home, ".config"),
            "XDG_CACHE_HOME": os.path.join(home, ".cache"),
            "GIT_CONFIG_GLOBAL": configuration,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CEILING_DIRECTORIES": self.folder,
            "GIT_TERMINAL_PROMPT": "0",
            "LC_ALL": "C",
            "TZ": "UTC",
            "COLUMNS": "100",
        }

    def run(self, *command, cwd=None, may_fail=False):
        run = subprocess.run(
            command, cwd=cwd or self.folder, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        if run.returncode and not may_fail:
            sys.exit(f"{' '.join(command)}: {run.stderr.decode(errors='replace').strip()}")
        return run

    def clone(self, name, bares):
        """A fresh clone of a pinned repository."""
        commit = PINNED[name]
        folder = os.path.join(self.folder, "clones", name)
        shutil.rmtree(folder, ignore_errors=True)
        for bare in bares:
            found = self.run("git", "-C", bare, "cat-file", "-e", f"{commit}^{{commit}}", may_fail=True)
            if found.returncode == 0:
                self.run("git", "clone", "--quiet", "--shared", "--no-checkout", os.path.abspath(bare), folder)
                # No other branch: a review without them is the same, however new the bare clone is.
                self.run("git", "-C", folder, "checkout", "--quiet", "-B", "frozen", commit)
                for line in self.run("git", "-C", folder, "for-each-ref", "--format=%(refname)").stdout.decode().split():
                    if line != "refs/heads/frozen":
                        self.run("git", "-C", folder, "update-ref", "--no-deref", "-d", line)
                return folder
        sys.exit(f"no clone in --repos holds {name} at {commit}; make one with git clone --bare")


class Repository:
    """A clone with the index of one binary."""

    def __init__(self, scratch, binary, name, bares):
        self.scratch, self.binary = scratch, os.path.abspath(binary)
        self.folder = scratch.clone(name, bares)
        self.answer(["index"])

    def answer(self, arguments):
        """Exit code and output, without prose and without the machine's paths."""
        run = self.scratch.run(self.binary, "-q", *arguments, cwd=self.folder, may_fail=True)
        code, output = run.returncode, run.stdout
        if arguments[0] == "export" and code != 0:
            sys.exit(f"{self.binary} {' '.join(arguments)}: {run.stderr.decode(errors='replace').strip()}")
        if arguments == EXPORTS["export scip"]:
            output = scip_lines(output)
        elif "json" in arguments and output:
            output = json_lines(json.loads(output))
        return f"exit code {code}\n".encode() + output


def varint(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def scip_lines(data):
    """One line for each message of an index but its head: the path of the document, a digest of each occurrence."""
    lines, at = [], 0
    for field, message in fields(data, at):
        if field == 1:
            continue
        path = next((part.decode() for number, part in fields(message, 0) if number == 1), "")
        for number, part in fields(message, 0):
            kind = {2: "occurrence", 3: "symbol"}.get(number, f"field {number}")
            shown = part if isinstance(part, int) else part.decode(errors="backslashreplace")
            lines.append(f"{path}: {kind} {json.dumps(shown)}")
    lines.append(f"{len(data) and sum(1 for field, _ in fields(data, 0) if field == 2)} documents")
    return ("\n".join(lines) + "\n").encode()


def fields(data, at):
    """The fields of a message of protocol buffers: number and content."""
    while at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = varint(data, at)
        elif wire == 2:
            length, at = varint(data, at)
            value, at = data[at : at + length], at + length
        else:
            width = {1: 8, 5: 4}[wire]
            value, at = data[at : at + width], at + width
        yield number, value


def without_prose(value):
    if isinstance(value, dict):
        return {key: without_prose(part) for key, part in value.items() if key not in PROSE}
    return [without_prose(part) for part in value] if isinstance(value, list) else value


def json_lines(answer):
    """An answer with one row a line, in the order in which the binary wrote it: keys too."""
    answer, lines = without_prose(answer), []
    for key, value in answer.items():
        rows = value if isinstance(value, list) else [value]
        lines += [f"{key}: {json.dumps(row, ensure_ascii=False)}" for row in rows] or [f"{key}: []"]
    return ("\n".join(lines) + "\n").encode()


def questions(scratch, name, folder, entities, edges, documents):
    """The questions for one repository: chosen by a seed among the entities and the commits."""
    chance = random.Random(f"{SEED} {name}")
    names = sorted({row["name"] for row in entities if "@" not in row["name"]})
    used = sorted({row["to"] for row in edges if row["kind"] != "contains"} & set(names))
    parameters = {row["name"]: parameter_of(row["signature"]) for row in documents}
    called = [target for target in used if parameters.get(target)]
    # Most definitions of a repository are tests, which nothing refers to.
    asked = []
    for number, target in enumerate(chance.sample(used, IMPACTS_OF_USED) + chance.sample(names, IMPACTS_OF_ANY)):
        asked.append(["impact", target, "--change", CHANGES[number % len(CHANGES)]])
    for number, target in enumerate(chance.sample(called, IMPACTS_OF_PARAMETERS)):
        change = CHANGES_OF_PARAMETERS[number % len(CHANGES_OF_PARAMETERS)]
        asked.append(["impact", target, "--param", parameters[target], "--change", change])
    for number, target in enumerate(chance.sample(used, REFERENCES_OF_USED) + chance.sample(names, REFERENCES_OF_ANY)):
        asked.append(["refs", target, *(["--possible"] if number % 2 else [])])
    for commit in commits(scratch, folder, "^[[:space:]]*(async )?def ", REVIEWS_OF_SIGNATURES, chance):
        asked.append(["review", f"{commit}^..{commit}"])
    for commit in commits(scratch, folder, "", REVIEWS_OF_ANY, chance):
        asked.append(["review", f"{commit}^..{commit}"])
    return [[*arguments, "--format", "json"] for arguments in asked]


def parameter_of(signature):
    """The first parameter but the receiver; parameters that stand behind defaults with commas are not looked for."""
    names = re.findall(r"(?:^\(|, )(\w+)", signature or "")
    return next((name for name in names if name not in ("self", "cls")), None)


def commits(scratch, folder, changed, count, chance):
    """Commits that changed Python files, in lines that fit a pattern if there is one."""
    pattern = [f"-G{changed}"] if changed else []
    log = scratch.run(
        "git", "-C", folder, "log", "--first-parent", "--no-merges", "--min-parents=1", "-n", "150", *pattern,
        "--diff-filter=M", "--format=%H", "--", "*.py",
    )
    return chance.sample(log.stdout.decode().split(), count)


class Answers:
    """The answers of a run as files, so that a difference can be shown."""

    def __init__(self, folder):
        self.folder = folder

    def path(self, key):
        return os.path.join(self.folder, hashlib.sha256(key.encode()).hexdigest()[:24] + ".gz")

    def keep(self, key, answer):
        os.makedirs(self.folder, exist_ok=True)
        with gzip.open(self.path(key), "wb", compresslevel=1) as file:
            file.write(answer)

    def read(self, key, expected):
        """The answer, if it is the one with this digest."""
        try:
            with gzip.open(self.path(key), "rb") as file:
                answer = file.read()
        except (OSError, EOFError):
            return None
        return answer if digest(answer) == expected else None


def digest(answer):
    return hashlib.sha256(answer).hexdigest()[:32]


def of_repository(scratch, binary, name, bares, asked, answers):
    """Digests of one repository: of `asked`, or of questions chosen now. The answers go to `answers`."""
    started = time.monotonic()
    repository = Repository(scratch, binary, name, bares)
    built = time.monotonic() - started
    found, rows = {}, {}
    for kind, arguments in EXPORTS.items():
        answer = repository.answer(arguments)
        found[kind] = digest(answer)
        answers(f"{name}: {kind}", answer, found[kind])
        if kind in ("export entities", "export edges"):
            rows[kind] = answer
    if asked is None:
        lines = {kind: [json.loads(line) for line in answer.splitlines()[1:]] for kind, answer in rows.items()}
        documents = [json.loads(line) for line in repository.answer(["export", "jsonl"]).splitlines()[1:]]
        asked = questions(scratch, name, repository.folder, *lines.values(), documents)
    asked_digests = {}
    for arguments in asked:
        answer = repository.answer(arguments)
        asked_digests[" ".join(arguments)] = digest(answer)
        answers(f"{name}: {' '.join(arguments)}", answer, digest(answer))
    shutil.rmtree(repository.folder, ignore_errors=True)
    print(f"{name}: index {built:.1f} s, all {time.monotonic() - started:.1f} s", file=sys.stderr)
    return {"commit": PINNED[name], "exports": found, "answers": asked_digests}


def over_repositories(names, jobs, work):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return dict(zip(names, pool.map(work, names)))


def take(args, scratch):
    names = list(PINNED)[: QUICK if args.quick else None]
    kept = Answers(os.path.join(scratch.folder, "answers"))
    work = lambda name: of_repository(scratch, args.binary, name, args.repos, None, lambda key, answer, _: kept.keep(key, answer))
    found = over_repositories(names, args.jobs, work)
    count = sum(len(repository["answers"]) for repository in found.values())
    print(f"{len(found)} repositories, {len(found) * len(EXPORTS)} exports, {count} answers", file=sys.stderr)
    report = {"repositories": found, "kept": kept.folder, "bares": [os.path.abspath(bare) for bare in args.repos]}
    json.dump(report, sys.stdout, indent=1)
    print()


def first_differences(before, after, most=5):
    """The first lines that differ, without those that only moved."""
    before, after = before.decode(errors="replace").splitlines(), after.decode(errors="replace").splitlines()
    at = next((at for at, pair in enumerate(zip(before, after)) if pair[0] != pair[1]), min(len(before), len(after)))
    gone, new = set(after), set(before)
    only_before = [line for line in before if line not in gone]
    only_after = [line for line in after if line not in new]
    yield f"{len(before)} lines before, {len(after)} after; {len(only_before)} only before, {len(only_after)} only after"
    if not only_before and not only_after:
        yield f"the same lines in another order, from line {at + 1}"
        only_before, only_after = before[at : at + 1], after[at : at + 1]
    for sign, lines in (("-", only_before), ("+", only_after)):
        for line in lines[:most]:
            yield f"{sign} {shortened(line)}"
    pairs = list(zip(only_before, only_after))
    if pairs and len(pairs[0][0]) > 300:
        old, new_ = pairs[0]
        place = next((i for i, (a, b) in enumerate(zip(old, new_)) if a != b), min(len(old), len(new_)))
        yield f"first pair, at column {place}: …{old[max(0, place - 80) : place + 120]}… became …{new_[max(0, place - 80) : place + 120]}…"


def shortened(line):
    return line if len(line) <= 300 else line[:300] + f"… ({len(line)} characters)"


def compare(args, scratch):
    with open(args.digests, encoding="utf-8") as file:
        before = json.load(file)
    kept = Answers(before["kept"])
    bares = args.repos or before["bares"]
    names = [name for name in before["repositories"] if name in list(PINNED)[: QUICK if args.quick else None]]
    differences = []

    def work(name):
        old = before["repositories"][name]
        if old["commit"] != PINNED[name]:
            sys.exit(f"{name}: the digests are of {old['commit']}, not of {PINNED[name]}")
        expected = {f"{name}: {kind}": value for kind, value in old["exports"].items()}
        expected |= {f"{name}: {question}": value for question, value in old["answers"].items()}

        def check(key, answer, value):
            if value != expected[key]:
                differences.append((list(PINNED).index(name), list(expected).index(key), key, answer))
                with gzip.open(kept_now.path(key), "wb", compresslevel=1) as file:
                    file.write(answer)

        asked = [question.split(" ") for question in old["answers"]]
        of_repository(scratch, args.binary, name, bares, asked, check)
        return expected

    kept_now = Answers(os.path.join(scratch.folder, "differing"))
    shutil.rmtree(kept_now.folder, ignore_errors=True)
    os.makedirs(kept_now.folder)
    expected = {key: value for part in over_repositories(names, args.jobs, work).values() for key, value in part.items()}
    if not differences:
        print(f"equal: {len(names)} repositories, {len(expected)} exports and answers")
        return 0
    shown = set()
    differences.sort(key=lambda row: row[:2])
    for _, _, key, answer in differences:
        question = key.split(": ", 1)[1]
        kind = question if question in EXPORTS else question.split()[0]
        if kind in shown:
            continue
        shown.add(kind)
        of_kind = [row for row in differences if (row[2].split(": ", 1)[1] + " ").startswith(kind + " ")]
        print(f"{kind}: first of {len(of_kind)} differences\n  {key}")
        old = kept.read(key, expected[key])
        if old is None:
            print(f"  {expected[key]} became {digest(answer)}; the earlier answer is gone, so lines cannot be compared")
        else:
            for line in first_differences(old, answer):
                print(f"  {line}")
            print(f"  whole answers: {kept.path(key)} and {kept_now.path(key)}")
    print(f"{len(differences)} of {len(expected)} differ")
    return 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    modes = parser.add_subparsers(dest="mode", required=True)
    of_take = modes.add_parser("take", help="print the digests of a binary's answers")
    of_take.add_argument("binary")
    of_compare = modes.add_parser("compare", help="compare a binary's answers with digests")
    of_compare.add_argument("digests")
    of_compare.add_argument("binary")
    for mode in (of_take, of_compare):
        mode.add_argument("--repos", nargs="+", metavar="BARE", default=[], required=mode is of_take)
        mode.add_argument("--quick", action="store_true", help="the first four repositories only")
        mode.add_argument("--jobs", type=int, default=2, help="repositories at the same time [default: 2]")
        mode.add_argument("--scratch", default=os.path.join(tempfile.gettempdir(), "repoidx-frozen"))
    args = parser.parse_args()
    scratch = Scratch(args.scratch)
    sys.exit(take(args, scratch) if args.mode == "take" else compare(args, scratch))


if __name__ == "__main__":
    main()
