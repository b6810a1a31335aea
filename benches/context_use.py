#!/usr/bin/env python3
"""How many of the definitions that new lines use were offered for their place, by `repoidx context` and by BM25.

    benches/context_use.py --repoidx PROGRAM [--commits 75] [--tokens 1500] [--work DIR] CLONE...

Of each clone the latest commits are taken that add lines to code that exists; tests, examples and documents are left out. The
place is where the largest group of new lines begins, with their indentation, in the parent commit. The truth are the definitions that
the new lines refer to with a probability of at least LIKELY, by the index of the commit, which exist in the parent and cannot be
seen around the place: those within SEEN lines, in the same function, and in tests are left out. A definition is offered if its first line, or its name among the members of its
class, stands in the answer. `new` counts only definitions that the function around the place did not use before.

The BM25 beside it ranks all definitions by the words of the lines around the place, and writes the same heads into the same budget.
Tokens are counted by the same upper estimate, and an answer over its budget is an error. With --misses, each definition that was not
offered is printed.
"""
import argparse, collections, json, math, pathlib, re, subprocess, sys, tempfile

SEEN = 30
LIKELY = 0.5
ASIDE = re.compile(r"(^|/)(tests?|testing|examples?|docs?|benchmarks?|scripts)(/|_|$)|(^|/)(test_[^/]*|conftest|setup)\.py$")
HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
LINES_BEFORE, LINES_BEHIND, K1, B = 15, 5, 1.2, 0.75


def git(clone, *arguments):
    return subprocess.run(["git", "-C", str(clone), *arguments], check=True, capture_output=True, text=True, errors="replace").stdout


def largest_hunk(clone, commit):
    """(path, line in the parent, indentation, first and last new line) of the largest group of new lines of code."""
    best, path = None, None
    diff = git(clone, "diff", "-U0", "--no-renames", "--diff-filter=M", f"{commit}^", commit, "--", "*.py").splitlines()
    for at, line in enumerate(diff):
        if line.startswith("+++ b/"):
            path = line[6:]
        found = HUNK.match(line)
        if not found or ASIDE.search(path):
            continue
        old, removed, new, added = (int(number) if number else 1 for number in found.groups())
        text = [line[1:] for line in diff[at + 1 + removed : at + 1 + removed + added]]
        code = [line for line in text if line.strip() and not line.lstrip().startswith("#")]
        if code and (best is None or len(code) > best[0]):
            place = old if removed else old + 1
            indent = len(code[0]) - len(code[0].lstrip())
            best = len(code), (path, place, indent, new, new + added - 1)
    return best and best[1]


def sample(clone, number):
    """The latest `number` commits with such a group, the oldest first."""
    found = []
    for commit in git(clone, "log", "--no-merges", "--format=%H", "origin/HEAD", "--", "*.py").split():
        hunk = largest_hunk(clone, commit) if git(clone, "rev-list", "--parents", "-n1", commit).count(" ") == 1 else None
        if hunk:
            found.append((commit, hunk))
        if len(found) == number:
            break
    return found[::-1]


def tokens(text):
    """The upper estimate of src/ask/context/tokens.rs."""
    total = 0
    for run in re.finditer(rb"[A-Z]*[a-z]+|[A-Z]+|[0-9]+|[ \t]+|[\r\n]+|([!-/:-@\[-`{-~])\1*|[\x00-\x08\x0b-\x1f\x7f]|[\x80-\xff]+", text.encode()):
        part, size = run.group(), len(run.group())
        if part.isalpha():
            total += -(-size // 6)
        elif part.isdigit() or part[0] >= 0x80:
            total += size
        elif part[:1] in b" \t":
            total += size > 1
        elif part[:1] in b"\r\n":
            total += -(-size // 2)
        else:
            total += -(-size // 3)
    return total + bool(text)


class Index:
    """The definitions and relationships of the working tree."""

    def __init__(self, program, clone):
        self.program, self.clone = program, clone
        subprocess.run([program, "-q", "index", "--repo", clone], check=True)

    def lines(self, *arguments):
        run = subprocess.run([self.program, "-q", *arguments, "--repo", self.clone], check=True, capture_output=True, text=True)
        return run.stdout

    def export(self, what):
        return [json.loads(line) for line in self.lines("export", what).splitlines()]


def plain(name):
    """The name without the number of a definition among several."""
    return name.split("@")[0]


def offered(text, entities):
    """The names of definitions whose heads a text has. Its headers name places: the file once, then lines in it."""
    by_place = {(entity["path"], entity["start_line"]): plain(entity["name"]) for entity in entities}
    names, path, current = set(), None, None
    for line in text.splitlines():
        if file := re.match(r"# (\S+\.pyi?)$", line):
            path, current = file[1], None
        elif head := re.match(r"# (\d+)(?:-\d+)?(?: top level| in [\w.@]+)?(?: property)?: ", line):
            current = by_place.get((path, int(head[1])))
            names.update([current] if current else [])
        elif current and (listed := re.match(r"#\s+(attributes|methods): (.*)", line)):
            names.update(f"{current}.{name.strip()}" for name in listed[2].split(","))
        elif current and (member := re.match(r"#     (?:async def|def|class) (\w+)|#     (\w+)(?:: | = )", line)):
            names.add(f"{current}.{member[1] or member[2]}")
    return names


def words(text):
    found = re.findall(r"[A-Za-z]+|\d+", re.sub(r"([a-z])([A-Z])", r"\1 \2", text))
    return [word.lower() for word in found if len(word) > 1]


def head(entity, text, members):
    lines = text[entity["start_line"] - 1 : entity["end_line"]]
    start = next((at for at, line in enumerate(lines) if re.match(r"\s*(async def|def|class) ", line)), 0)
    end = next((at for at in range(start, len(lines)) if lines[at].rstrip().endswith(":")), start)
    code = [" ".join(line.strip() for line in lines[start : end + 1])]
    doc = re.match(r'[rR]?"""(.*?)("""|$)', lines[end + 1].strip()) if end + 1 < len(lines) else None
    code += [f'    """{doc[1].strip()}"""'] if doc else []
    if entity["kind"] == "class":
        names = [member["identifier"] for member in members if member["kind"] == "variable"]
        code += [f"    attributes: {', '.join(names)}"] if names else []
        code += [f"    def {member['identifier']}" for member in members if member["kind"] != "variable"]
    code[0] = f"{entity['start_line']}: {code[0]}"
    written = "\n".join(f"# {line}" for line in code)
    return f"# {entity['path']}\n{written}\n"


def by_words(clone, entities, place, is_seen, budget):
    """The heads that BM25 puts first."""
    texts = {path: (pathlib.Path(clone) / path).read_text(errors="replace").split("\n") for path in {e["path"] for e in entities}}
    path, line = place
    query = set(words("\n".join(texts[path][max(line - 1 - LINES_BEFORE, 0) : line + LINES_BEHIND])))
    members = collections.defaultdict(list)
    for entity in entities:
        members[entity["name"].rpartition(".")[0]].append(entity)
    chosen = [e for e in entities if e["kind"] != "module" and not is_seen(e)]
    bags = [collections.Counter(words(e["name"] + "\n" + "\n".join(texts[e["path"]][e["start_line"] - 1 : e["end_line"]]))) for e in chosen]
    average = sum(bag.total() for bag in bags) / max(len(bags), 1)
    having = collections.Counter(word for bag in bags for word in bag if word in query)
    def score(bag):
        length = K1 * (1 - B + B * bag.total() / average)
        return sum(math.log(1 + (len(bags) - having[w] + 0.5) / (having[w] + 0.5)) * bag[w] * (K1 + 1) / (bag[w] + length) for w in query if w in bag)
    order = sorted(range(len(bags)), key=lambda at: (-score(bags[at]), chosen[at]["path"], chosen[at]["start_line"]))
    text, room = "", budget
    for at in order[:300]:
        part = head(chosen[at], texts[chosen[at]["path"]], members[chosen[at]["name"]])
        if tokens(part) <= room:
            text, room = text + part, room - tokens(part)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repoidx", default="repoidx")
    parser.add_argument("--commits", type=int, default=75)
    parser.add_argument("--tokens", type=int, default=1500)
    parser.add_argument("--work", default=None)
    parser.add_argument("--lenient", action="store_true")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("clones", nargs="+")
    args = parser.parse_args()
    sums = collections.defaultdict(lambda: [0.0, 0])
    for origin in args.clones:
        folder = pathlib.Path(args.work or tempfile.mkdtemp()) / pathlib.Path(origin).resolve().name
        if not folder.exists():
            subprocess.run(["git", "clone", "-q", "--shared", origin, folder], check=True)
        for commit, (path, line, indent, first, last) in sample(folder, args.commits):
            git(folder, "checkout", "-qf", "--detach", f"{commit}^")
            before = Index(args.repoidx, folder)
            entities = before.export("entities")
            edges = before.export("edges")
            around = [e for e in entities if e["path"] == path and e["start_line"] <= line <= e["end_line"] and e["kind"] in ("function", "method", "property")]
            low = min([line - SEEN, *(e["start_line"] for e in around[:1])])
            high = max([line + SEEN, *(e["end_line"] for e in around[:1])])
            is_seen = lambda e: e["path"] == path and low <= e["start_line"] <= high
            hidden = {plain(e["name"]) for e in entities if e["kind"] != "module" and not is_seen(e) and not ASIDE.search(e["path"])}
            used = {plain(e["to"]) for e in edges if e["path"] == path and low <= e.get("line", 0) <= high}
            text = before.lines("context", "--at", f"{path}:{line}:{indent + 1}", "--tokens", str(args.tokens))
            if not args.lenient and tokens(text) > args.tokens:
                sys.exit(f"{commit}: {tokens(text)} of {args.tokens} tokens")
            found = offered(text, entities), offered(by_words(folder, entities, (path, line), is_seen, args.tokens), entities)
            git(folder, "checkout", "-qf", "--detach", commit)
            after = Index(args.repoidx, folder).export("edges")
            wanted = {plain(e["to"]) for e in after if e["path"] == path and first <= e.get("line", 0) <= last and e["probability"] >= LIKELY} & hidden
            if args.misses and wanted - found[0]:
                print(f"{commit[:10]} {path}:{line}:{indent + 1} {len(wanted)} wanted, missed {sorted(wanted - found[0])}; used {sorted((wanted - found[0]) & used)}")
            for name, truth in [("all", wanted), ("new", wanted - used)]:
                for tool, names in zip(("context", "BM25"), found):
                    for group in (folder.name, "mean"):
                        entry = sums[group, name, tool]
                        if truth:
                            entry[0] += len(truth & names) / len(truth)
                            entry[1] += 1
        subprocess.run(["git", "-C", folder, "checkout", "-qf", "origin/HEAD"])
    print("| repository | definitions | places | context | BM25 | ratio |\n|---|---|---|---|---|---|")
    for group, name, tool in list(sums):
        if tool == "context":
            (ours, count), (theirs, _) = sums[group, name, tool], sums[group, name, "BM25"]
            print(f"| {group} | {name} | {count} | {ours / max(count, 1):.3f} | {theirs / max(count, 1):.3f} | {ours / max(theirs, 1e-9):.2f} |")


main()
