#!/usr/bin/env python3
"""Fits `src/ask/reading/intents/intents.txt`: how strongly the words of a question speak for each reading.

    REPOIDX_CORPUS=$PWD/corpus.jsonl cargo test --lib nearly_all_questions    # may fail where the table is older than the corpus
    python3 training/intents.py corpus.jsonl [--write] [--wrong]

The corpus is `fixtures/questions.tsv`: a reading and a question a line, names of a repository as placeholders in braces. It
was written by hand for this purpose; no question of a benchmark and no name of a repository stands in it. The first
command writes its features and what the forms say of each question. The model is a multinomial logistic regression over the
features, beside the weights of the forms, with a square price on each weight: words decide where forms are silent. Prints
the share that the forms alone, and each fifth by weights fitted on the others, read rightly.
"""
import argparse
import collections
import json
import pathlib
import random

import numpy as np

TABLE = pathlib.Path(__file__).resolve().parents[1] / "src/ask/reading/intents/intents.txt"
ROUNDS, RATE, PRICE = 60, 0.05, 0.003
# A feature of one line alone teaches nothing; a smaller weight than this changes no answer.
LEAST_LINES, LEAST_WEIGHT = 2, 0.1
FOLDS = 5


def known(index, sample):
    return np.array([index[f] for f in sample["features"] if f in index] + [len(index)])


def fit(samples, labels):
    """Weights by feature and label: gradient steps of each feature's own size (Adagrad)."""
    counts = collections.Counter(feature for sample in samples for feature in sample["features"])
    index = {feature: at for at, feature in enumerate(sorted(f for f, n in counts.items() if n >= LEAST_LINES))}
    weights = np.zeros((len(index) + 1, len(labels)))
    squares = np.ones_like(weights)
    lines = collections.Counter(sample["label"] for sample in samples)
    middle = sorted(lines.values())[len(lines) // 2]
    # Labels with few lines count nearly as much as the others.
    rows = [(known(index, sample), labels.index(sample["label"]), sample["base"], (middle / lines[sample["label"]]) ** 0.5) for sample in samples]
    chooser = random.Random(1)
    for _ in range(ROUNDS):
        chooser.shuffle(rows)
        for at, label, base, importance in rows:
            scores = base + weights[at].sum(axis=0)
            shares = np.exp(scores - scores.max())
            shares /= shares.sum()
            shares[label] -= 1
            slope = importance * shares + PRICE * weights[at]
            squares[at] += slope**2
            weights[at] -= RATE / np.sqrt(squares[at]) * slope
    return index, weights


def read(index, weights, sample):
    return int((sample["base"] + weights[known(index, sample)].sum(axis=0)).argmax())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--wrong", action="store_true", help="print the questions that their fold reads wrongly")
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.corpus.read_text(encoding="utf-8").splitlines()]
    labels = sorted({row[0] for row in rows})
    samples = []
    for label, question, forms, features in rows:
        base = np.array([forms.get(label, 0.0) for label in labels])
        samples.append({"label": label, "question": question, "base": base, "features": features})
    random.Random(2).shuffle(samples)
    by_label = collections.Counter()
    alone = sum(labels[int(sample["base"].argmax())] == sample["label"] for sample in samples)
    for fold in range(FOLDS):
        index, weights = fit([sample for at, sample in enumerate(samples) if at % FOLDS != fold], labels)
        for sample in samples[fold::FOLDS]:
            best = labels[read(index, weights, sample)]
            by_label[sample["label"]] += best == sample["label"]
            if options.wrong and best != sample["label"]:
                print(f"  {sample['label']:12} read as {best:12} {sample['question']}")
    total = collections.Counter(sample["label"] for sample in samples)
    right = sum(by_label.values()) / len(samples)
    print(f"lines={len(samples)} labels={len(labels)} forms alone={alone / len(samples):.3f} each fifth left out={right:.3f}")
    print("  " + "  ".join(f"{label} {by_label[label] / total[label]:.2f}" for label in labels))
    if options.write:
        index, weights = fit(samples, labels)
        found = ["# Made by training/intents.py from fixtures/questions.tsv. A feature, a tab, readings with their weights."]
        for feature, at in sorted(index.items()) + [("", len(index))]:
            kept = [f"{label} {weights[at][n]:.2f}" for n, label in enumerate(labels) if abs(weights[at][n]) >= LEAST_WEIGHT]
            if kept:
                found.append(f"{feature}\t{' '.join(kept)}")
        TABLE.write_text("\n".join(found) + "\n", encoding="utf-8")
        print(f"{len(found) - 1} features, {TABLE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
