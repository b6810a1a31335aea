"""Finds the words that tell questions about a change from those about behavior: changes.py PAIRS_DIR OUT.txt

A question of a commit ("Fix crash when …") asks for the code to be changed, a sentence of documentation ("Returns the …") for
the code that does it. Logistic regression over the words of mined questions (`mine.py`) and over the first word ("^fix");
both kinds count alike. Only words that at least a third of the sources use, and of these the two hundred that tell most. The
result is read by src/query/search/change.rs: a line for each word with its weight, the constant first."""

import glob
import os
import pickle
import sys
from collections import Counter

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

KEPT, RIDGE = 200, 1e-4


def parts(question):
    return ["^" + question[0], *dict.fromkeys(question)]


def load(folder):
    questions, sources = {True: set(), False: set()}, {}
    paths = sorted(glob.glob(os.path.join(folder, "*.pickle")))
    for number, path in enumerate(paths):
        words, _, pairs = pickle.load(open(path, "rb"))
        for kind, question, _ in pairs:
            if kind != "comment":
                question = tuple(words[word] for word in question)
                questions[kind == "commit"].add(question)
                for part in parts(question):
                    sources.setdefault(part, set()).add(number)
    common = sorted(part for part, found in sources.items() if len(found) * 3 >= len(paths) and part.isascii())
    return sorted(questions[True]), sorted(questions[False]), common


def fit(changes, others, words):
    index = {word: number for number, word in enumerate(words)}
    rows, columns = [], []
    for number, question in enumerate(changes + others):
        for part in parts(question):
            if part in index:
                rows.append(number)
                columns.append(index[part])
    x = csr_matrix((np.ones(len(rows)), (rows, columns)), (len(changes) + len(others), len(words)))
    y = np.repeat([1.0, 0.0], [len(changes), len(others)])
    share = np.repeat([0.5 / len(changes), 0.5 / len(others)], [len(changes), len(others)])

    def loss(w):
        p = 1 / (1 + np.exp(-(x @ w[1:] + w[0])))
        value = -(share * (y * np.log(p + 1e-12) + (1 - y) * np.log(1 - p + 1e-12))).sum() + RIDGE * (w[1:] @ w[1:])
        difference = share * (p - y)
        return value, np.concatenate([[difference.sum()], x.T @ difference + 2 * RIDGE * w[1:]])

    weights = minimize(loss, np.zeros(len(words) + 1), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return weights, np.asarray(share @ x).ravel()


def main():
    changes, others, words = load(sys.argv[1])
    weights, frequency = fit(changes, others, words)
    best = np.argsort(-np.abs(weights[1:]) * np.sqrt(frequency), kind="stable")[:KEPT]
    words = sorted(words[number] for number in best)
    weights, _ = fit(changes, others, words)
    with open(sys.argv[2], "w") as out:
        for word, weight in zip(["", *words], weights):
            out.write(f"{word} {weight:.2f}\n")
    print(len(changes), "changes", len(others), "others", len(words), "words")


if __name__ == "__main__":
    main()
