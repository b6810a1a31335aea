#!/usr/bin/env python3
"""Fits `src/ask/reading/forms/learned.tsv`, the weights of a question's words for each reading, and tells how well they
hold on questions that were left out.

    python3 training/question_words.py --bin repoidx --set FILE WORK [--set FILE WORK ...] [--out FILE]

Two sorts of questions are used. `training/questions.tsv` has questions with placeholders, each with its reading. Each
FILE has the questions of a benchmark (`bench_ask.py`), and WORK its repositories with their indexes; `ask --plan` gives
their words. The kind of a question tells its reading, but for kinds with several right ones, which are left out.

The model is a multinomial logistic regression over the features that `learned.rs` describes, with an L1 penalty. It is
fitted again with each FILE, each repository and each kind of question left out; the shares of right readings of these,
by the words alone, are printed. Needs numpy and scipy.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import subprocess

import numpy as np
from scipy.sparse import csr_matrix

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE.parent / "src/ask/reading/forms/learned.tsv"
GENERAL = {"<class>", "<function>", "<variable>", "<module>", "<exception>", "<unknown>"}
# Rounds, steps and the price of a weight, found by trials; a feature must stand in so many questions.
ROUNDS, PRICE, LEAST, MOST_WORDS = 400, 0.0001, 2, 40
KINDS = {
    "bug-story": "search", "callees": "usage", "callers": "usage", "changes": "changes", "compare": "compare",
    "count": "select", "dead-code": "usage", "decorated": "select", "define": "show", "deps": "packages",
    "example": "examples", "exceptions": "raised", "hierarchy": "hierarchy", "history": "history",
    "importers": "usage", "instantiates": "usage", "knowledge": "knowledge", "list-docs": "select",
    "list-marks": "select", "list-size": "select", "overrides": "hierarchy", "path": "path",
    "raises-catches": "handled", "read-write": "usage", "scope": "usage", "signature": "signature",
    "tests-for": "tests", "untested": "coverage", "users": "usage", "where-concept": "search", "where-text": "text",
}


def reading_of(kind):
    """The right reading of a kind; None where several are."""
    return "impact" if kind.startswith("break-") else KINDS.get(kind)


def words_of(question):
    """The words of a question with placeholders, as `ask --plan` writes those of a real one."""
    question = re.sub(r"\b(here|how|that|there|what|when|where|who|why)['’]?s\b", r"\1 is", question, flags=re.I)
    parts = re.split(r"(\{\w+\})", question)
    words = []
    for part in parts:
        words += [f"<{part[1:-1]}>"] if part.startswith("{") else [w for w in re.split(r"[\W_]+", part.lower()) if w]
    return words


def stem(word):
    return next((word[: -len(end)] for end in ("ing", "ed", "es", "s") if word.endswith(end)), word) if len(word) > 4 else word


def features(words):
    """As `features` of `learned.rs`."""
    words = words[:MOST_WORDS]
    general = ["<name>" if word in GENERAL else word for word in words]
    stems = [stem(word) for word in general]
    row = ["^", *stems, "$"]
    pairs = {f"{a}_{b}" for a, b in zip(row, row[1:])} | {f"{a}_*_{b}" for a, b in zip(row, row[2:])}
    return {"*"} | set(words) | set(general) | {f"~{one}" for one in stems} | pairs


def benchmark(binary, path, work):
    """The questions of a benchmark with their words."""
    def one(line):
        sample = json.loads(line)
        reading = reading_of(sample["intent"])
        if reading is None:
            return None
        command = [binary, "ask", "-q", "--plan", "--format", "json", sample["question"]]
        run = subprocess.run(command, cwd=pathlib.Path(work) / sample["repo"], capture_output=True, text=True)
        words = json.loads(run.stdout).get("words", [])
        return {"words": words, "reading": reading, "set": path, "repo": sample["repo"], "kind": sample["intent"]}

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return [one for one in pool.map(one, open(path, encoding="utf-8")) if one]


def fit(samples):
    """The features, the readings and the weights; proximal gradient steps with momentum."""
    counts = collections.Counter(feature for sample in samples for feature in features(sample["words"]))
    names = sorted(feature for feature, count in counts.items() if count >= LEAST)
    number = {feature: at for at, feature in enumerate(names)}
    readings = sorted({sample["reading"] for sample in samples})
    rows = [sorted(number[feature] for feature in features(sample["words"]) if feature in number) for sample in samples]
    ends = np.cumsum([0] + [len(row) for row in rows])
    columns = np.array([column for row in rows for column in row])
    x = csr_matrix((np.ones(len(columns), dtype=np.float32), columns, ends), shape=(len(samples), len(names)))
    back = x.T.tocsr()
    y = np.zeros((len(samples), len(readings)), dtype=np.float32)
    for row, sample in enumerate(samples):
        y[row, readings.index(sample["reading"])] = 1
    # The largest curvature bounds the step.
    v = np.ones(len(names), dtype=np.float32)
    for _ in range(20):
        v = back @ (x @ v)
        size = np.linalg.norm(v)
        v /= size
    step = 2 * len(samples) / size
    weights = np.zeros((len(names), len(readings)), dtype=np.float32)
    ahead, momentum = weights, 1.0
    for _ in range(ROUNDS):
        z = x @ ahead
        z -= z.max(axis=1, keepdims=True)
        p = np.exp(z)
        p /= p.sum(axis=1, keepdims=True)
        moved = ahead - step * (back @ (p - y)) / len(samples)
        moved = np.sign(moved) * np.maximum(np.abs(moved) - step * PRICE, 0)
        following = (1 + (1 + 4 * momentum**2) ** 0.5) / 2
        ahead = moved + (momentum - 1) / following * (moved - weights)
        weights, momentum = moved, following
    return names, readings, np.rint(weights * 100).astype(int)


def share(model, samples):
    names, readings, weights = model
    number = {feature: at for at, feature in enumerate(names)}
    right = 0
    for sample in samples:
        sums = weights[[number[feature] for feature in features(sample["words"]) if feature in number]].sum(axis=0)
        right += readings[int(sums.argmax())] == sample["reading"]
    return right


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--set", nargs=2, action="append", default=[], metavar=("FILE", "WORK"))
    parser.add_argument("--skip", action="append", default=[], help="a FILE that is judged, and never part of the fit")
    parser.add_argument("--out", default=TABLE)
    parser.add_argument("--fast", action="store_true", help="leave out the fits that judge")
    options = parser.parse_args()
    corpus = []
    for line in open(HERE / "questions.tsv", encoding="utf-8"):
        reading, question = line.rstrip("\n").split("\t", 1)
        corpus.append({"words": words_of(question), "reading": reading, "set": "", "repo": "", "kind": ""})
    asked = [sample for path, work in options.set for sample in benchmark(options.bin, path, work)]
    used = [sample for sample in asked if sample["set"] not in options.skip]
    print(f"{len(corpus)} questions with placeholders, {len(used)} of benchmarks")
    for by in () if options.fast else ("set", "repo", "kind"):
        right = 0
        for value in sorted({sample[by] for sample in used}):
            rest = [sample for sample in used if sample[by] != value]
            found = share(fit(corpus + rest), [sample for sample in used if sample[by] == value])
            right += found
            if by == "set":
                print(f"  {value}: {found} of {sum(sample[by] == value for sample in used)}")
        print(f"each {by} left out: {right / len(used):.3f} right")
    model = names, readings, weights = fit(corpus + used)
    kept = [sample for sample in asked if sample["set"] in options.skip]
    if kept:
        print(f"skipped sets: {share(model, kept)} of {len(kept)}")
    lines = []
    for name, row in zip(names, weights):
        cells = [f"{reading} {weight}" for reading, weight in zip(readings, row) if weight]
        if cells:
            lines.append("\t".join([name, *cells]))
    lines.sort(key=lambda line: line.split("\t")[0].encode())
    pathlib.Path(options.out).write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} features, {sum(line.count(chr(9)) for line in lines)} weights: {options.out}")


if __name__ == "__main__":
    main()
