#!/usr/bin/env python3
"""Fits the weights of `src/ask/reading/forms/forms.txt` and tells how well they hold on questions that were left out.

    python3 training/readings.py --bin repoidx --bench DIR --work DIR --mirror DIR [--write] [--cache FILE]

DIR of --bench holds the questions benchmark (`bench_ask.py`, `data/`). Two sorts of samples are used. A question of the
benchmark counts by the score of each way to read it (`ask --as READING`). A paraphrase is one of the templates below with
names from the index; its reading is known. A fit moves the weights from where they are, and pays for each move, so no
single sentence decides. It is repeated with each repository and with each kind of question left out of it.
"""
import argparse
import collections
import concurrent.futures
import importlib.util
import json
import math
import pathlib
import random
import subprocess

TABLE = pathlib.Path(__file__).resolve().parents[1] / "src/ask/reading/forms/forms.txt"
READINGS, ROUNDS, RATE, PRICE, LEAST = 4, 120, 0.4, 0.004, 0.3

# {f} a function or method, {c} a class, {m} a file, {n} any of them, {g} another function.
TEMPLATES = {
    "show": ["where is {n} defined", "show me {f}", "print the source of {f}", "wheres {c} implemented", "which file defines {c}?",
             "i need to see the code of {f}", "open {c}", "locate {f} please"],
    "signature": ["what parameters does {f} take", "signature of {f}?", "which arguments does {f} accept and what are their defaults",
                  "what does {f} return", "default values of {f}", "what type does {f} return"],
    "members": ["which methods does {c} have", "list the methods of {c}", "what attributes are on {c}", "show all members of {c}",
                "whats in {m}", "public api of {c}", "give me an outline of {m}"],
    "hierarchy": ["who inherits from {c}", "subclasses of {c}?", "what are the base classes of {c}", "which classes extend {c}",
                  "who overrides {f}", "class hierarchy of {c}", "what classes derive from {c}", "is {c} subclassed anywhere"],
    "explain": ["how does {f} work", "explain {c}", "what does {f} do?", "what is {c} for", "can you describe {f} to me",
                "i dont understand {f}", "whats the purpose of {c}"],
    "compare": ["difference between {f} and {g}", "{f} vs {g}", "compare {f} with {g}", "how is {f} different from {g}?"],
    "usage": ["who calls {f}", "where is {n} used", "find all usages of {c}", "callers of {f}", "is {f} used anywhere",
              "does anything still use {n}", "what uses {c}", "what does {f} call?", "who imports {m}", "where do we create {c} objects",
              "which modules import {c}", "show every place that references {n}", "is {f} dead code?", "which functions does {f} use"],
    "examples": ["example of {f}", "how do i use {c}?", "show me an example of using {f}", "any sample for {c}", "how is {f} used in practice"],
    "documents": ["where is {f} documented", "which docs mention {c}", "what does the documentation say about {f}"],
    "path": ["how does {f} reach {g}", "path from {f} to {g}", "how do we get from {f} to {g}", "does {f} end up in {g}",
             "is {g} reachable from {f}, how does it get to {g}"],
    "flow": ["trace me what {f} does step by step", "call graph of {f}", "what happens when {f} runs", "walk me through what happens in {f}"],
    "impact": ["what breaks if i change {f}", "can i delete {f}?", "is it safe to remove {c}", "will renaming {f} break anything",
               "what would be affected by changing {n}", "i want to rename {c}, what else has to change", "blast radius of {f}",
               "if we move {c} to another module who suffers", "what depends on {c}", "impact of modifying {f}",
               "what happens if i drop {f}", "ok to get rid of {f}?"],
    "tests": ["which tests cover {f}", "what tests should i run after touching {c}", "is {f} tested", "write unit tests for {f}",
              "tests for {c}?", "i edited {m}, which tests do i run"],
    "coverage": ["what is untested in {m}", "which functions in {m} have no tests", "anything in {m} not covered by a test",
                 "list the classes without tests"],
    "files": ["is there a file called {m}", "does {m} exist"],
    "edit": ["add logging to {f}", "in {c} add a method that counts calls", "fix {f} so that it accepts None", "make {f} async"],
    "select": ["which functions in {m} have no docstring", "how many classes are in {m}", "list all async functions",
               "functions longer than 80 lines", "methods with more than 6 parameters", "private functions in {m}",
               "what are the biggest classes here", "unused functions in {m}", "list all properties of {c}", "how many tests are there",
               "which functions in {m} lack type annotations", "most used functions"],
    "raised": ["which exceptions can {f} raise", "what does {f} raise", "what errors might {f} throw", "what can go wrong in {f}"],
    "handled": ["who catches ValueError", "where do we raise TypeError", "which functions handle KeyError", "who raises RuntimeError"],
    "todos": ["any TODOs left", "list fixme comments", "todo comments in {m}"],
    "history": ["who wrote {f}", "when was {c} added", "who last changed {f}", "git blame for {m}", "since when do we have {f}"],
    "changes": ["what changed in {m} since v1.0", "what's new since 2.0", "changes to {m} since 1.2.0"],
    "packages": ["which third party packages are used", "external dependencies of {m}", "what libraries does this project need"],
    "cycles": ["are there circular imports", "any import cycles", "which modules import each other"],
    "entry_points": ["what are the entry points", "where does the program start", "which console scripts are there"],
    "repository": ["give me an overview of this repo", "how is this project structured", "what is this codebase about", "new to this code base, where do i start"],
    "knowledge": ["what is a decorator in general", "how do i write a web server", "is rust better than python", "best practices for logging"],
}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--bench", type=pathlib.Path, required=True, help="the folder of bench_ask.py")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="the clones of the benchmark")
    parser.add_argument("--mirror", type=pathlib.Path, required=True)
    parser.add_argument("--cache", type=pathlib.Path, help="keep the samples here, for another fit of the same table")
    parser.add_argument("--write", action="store_true", help="write the weights into the table")
    parser.add_argument("--names", type=int, default=2, help="choices of names for each template and repository")
    parser.add_argument("--wrong", action="store_true", help="print the samples that are read wrongly")
    return parser.parse_args()


def table():
    """The lines of the table that speak for readings: line number in the file, reading, weight; by number of the form."""
    forms = {}
    number = -1
    for at, line in enumerate(TABLE.read_text(encoding="utf-8").splitlines()):
        if not line.strip() or line[0] in "# ":
            continue
        number += 1
        target, _, weight = line.split()[:3]
        if ":" not in target:
            forms[number] = (at, target, float(weight))
    return forms


def run(binary, repo, *words):
    command = [binary, "ask", "-q", "--no-update", "--repo", str(repo), "--no-llm", *words]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)


def plan(binary, repo, question):
    done = run(binary, repo, "--plan", "--format", "json", "--", question)
    return json.loads(done.stdout)["readings"][:READINGS] if done.returncode == 0 else []


def benchmark(options):
    """One sample for each question: the readings with their forms and scores."""
    spec = importlib.util.spec_from_file_location("bench_ask", options.bench / "bench_ask.py")
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
    specs = json.loads((options.bench / "data/repos.json").read_text())
    questions = [json.loads(line) for line in (options.bench / "data/questions_dev.jsonl").read_text().splitlines() if line.strip()]
    files = {}
    for name in sorted({question["repo"] for question in questions}):
        repo = bench.prepare(name, specs[name], options.work, options.mirror, None)
        files[name] = set(bench.git("ls-files", cwd=repo).splitlines())
        subprocess.run([options.bin, "index", "--repo", str(repo)], capture_output=True, check=True)

    def sample(question):
        repo = options.work / question["repo"]
        readings = plan(options.bin, repo, question["question"])
        for reading in readings:
            done = run(options.bin, repo, "--as", reading["intent"], "--", question["question"])
            answer = bench.Answer(done, 0, files[question["repo"]])
            reading["reward"] = bench.judge(question, answer)[0]
        return {"repo": question["repo"], "kind": question["intent"], "question": question["question"], "readings": readings, "is_dev": True}

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = list(pool.map(sample, questions))
    return [sample for sample in found if len(sample["readings"]) > 1], sorted(files)


def paraphrases(options, repos):
    """One sample for each template and choice of names."""
    jobs = []
    for repo in repos:
        export = subprocess.run([options.bin, "export", "entities", "--repo", str(options.work / repo)], capture_output=True, text=True)
        entities = [json.loads(line) for line in export.stdout.splitlines()]
        own = [e for e in entities if not any(part in e["path"] for part in ("test", "docs/", "examples/")) and "__" not in e["name"]]
        kinds = {"f": ("function", "method"), "g": ("function", "method"), "c": ("class",)}
        chooser = random.Random(repo)
        pick = lambda letter: chooser.choice([e for e in own if e["kind"] in kinds[letter]])["name"].split(".")[-2:]
        for intent, templates in TEMPLATES.items():
            for template in templates:
                for _ in range(options.names):
                    names = {letter: ".".join(pick(letter)) for letter in "fg"}
                    names["c"] = pick("c")[-1]
                    names["m"] = chooser.choice(own)["path"]
                    names["n"] = chooser.choice([names["f"], names["c"]])
                    jobs.append((repo, intent, template.format(**names)))

    def sample(job):
        repo, intent, question = job
        readings = plan(options.bin, options.work / repo, question)
        for reading in readings:
            reading["reward"] = float(reading["intent"] == intent)
        return {"repo": repo, "kind": intent, "question": question, "readings": readings, "is_dev": False}

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(sample, jobs))


def scores(sample, weights):
    return [reading["words"] + sum(weights[form] for form in reading["forms"]) for reading in sample["readings"]]


def fit(samples, start):
    """Weights that raise the expected reward; a move from `start` costs PRICE times its square."""
    weights = dict(start)
    # All questions of the benchmark together weigh as much as all paraphrases.
    dev = sum(sample["is_dev"] for sample in samples) or 1
    rest = len(samples) - dev or 1
    for _ in range(ROUNDS):
        slope = collections.defaultdict(float)
        for sample in samples:
            values = scores(sample, weights)
            if len(values) < 2:
                continue
            top = max(values)
            shares = [math.exp(value - top) for value in values]
            total = sum(shares)
            shares = [share / total for share in shares]
            expected = sum(share * reading["reward"] for share, reading in zip(shares, sample["readings"]))
            importance = 0.5 / (dev if sample["is_dev"] else rest) / max(expected, 0.05)
            for share, reading in zip(shares, sample["readings"]):
                gain = importance * share * (reading["reward"] - expected)
                for form in reading["forms"]:
                    slope[form] += gain
        for form in weights:
            step = RATE * (slope[form] - PRICE * (weights[form] - start[form]))
            weights[form] = max(LEAST, weights[form] + 10 * step)
    return weights


def reward(sample, weights):
    values = scores(sample, weights)
    return sample["readings"][values.index(max(values))]["reward"] if values else 0.0


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else 0.0


def left_out(samples, start, field):
    """The mean reward of each sample, by weights that were fitted without all that share its `field`."""
    found = {True: [], False: []}
    for value in sorted({sample[field] for sample in samples}):
        # Without a kind of the benchmark, paraphrases of the readings that answer it are out too.
        best = {r["intent"] for s in samples if s["is_dev"] and s[field] == value for r in s["readings"] if r["reward"] > 0.9} if field == "kind" else set()
        out = lambda sample: sample[field] == value or (not sample["is_dev"] and sample[field] in best)
        weights = fit([sample for sample in samples if not out(sample)], start)
        for sample in samples:
            if sample[field] == value:
                found[sample["is_dev"]].append(reward(sample, weights))
    return found


def main():
    options = arguments()
    forms = table()
    if options.cache and options.cache.exists():
        samples = json.loads(options.cache.read_text())
    else:
        dev, repos = benchmark(options)
        samples = dev + paraphrases(options, repos)
        if options.cache:
            options.cache.write_text(json.dumps(samples))
    start = {number: weight for number, (_, _, weight) in forms.items()}
    for reading in (reading for sample in samples for reading in sample["readings"]):
        # The rest of a score is the evidence of the words, which `question_words.py` fits.
        reading["forms"] = reading.get("forms", [])
        reading["words"] = reading["score"] - sum(start[form] for form in reading["forms"])
    weights = fit(samples, start)
    sides = {"benchmark": [s for s in samples if s["is_dev"]], "paraphrases": [s for s in samples if not s["is_dev"]]}
    for name, mine in sides.items():
        best = mean(max((r["reward"] for r in s["readings"]), default=0) for s in mine)
        print(f"{name:12} samples={len(mine)} before={mean(reward(s, start) for s in mine):.3f} fitted={mean(reward(s, weights) for s in mine):.3f} best={best:.3f}")
    for field in ("repo", "kind"):
        found = left_out(samples, start, field)
        print(f"each {field} left out: benchmark={mean(found[True]):.3f} paraphrases={mean(found[False]):.3f}")
    if options.wrong:
        for sample in samples:
            best = max((r["reward"] for r in sample["readings"]), default=0)
            if reward(sample, weights) < best - 0.05 or best < 0.5:
                values = scores(sample, weights)
                read = [(r["intent"], round(v, 1), round(r["reward"], 2)) for v, r in zip(values, sample["readings"])]
                print(f"  {sample['repo']} {sample['kind']}: {sample['question'][:100]!r} {read}")
    if options.write:
        lines = TABLE.read_text(encoding="utf-8").splitlines()
        for number, (at, _, weight) in forms.items():
            # The column keeps its place.
            lines[at] = lines[at].replace(f" {weight:.2f} ", f" {weights[number]:.2f} ", 1)
        TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
