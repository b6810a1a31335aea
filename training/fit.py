"""Fits the weights of src/query/search/model.rs on the development part of the retrieval benchmark:
fit.py BENCHMARK_DIR REPOIDX CACHE.pickle [docstring=2 natural=2]

BENCHMARK_DIR has harness.py, corpus.py and data/ as its README says. Every question is asked with --explain; the weights
make the answers likely among all that was found (softmax over the candidates of a question, small ridge; a set counts as
much as every other, or as often as the command line says). Some features have a second weight, which counts as much as the
question tells of a change. Printed: NDCG@10 by set, for weights fitted on everything and for weights fitted without the repository at hand."""

import collections
import json
import math
import os
import pickle
import subprocess
import sys

import numpy as np
from scipy.optimize import minimize

BENCHMARK, REPOIDX, CACHE = sys.argv[1:4]
TIMES = dict(part.split("=") for part in sys.argv[4:])
# Features that may count otherwise in a question that tells of a change.
OF_CHANGES = (
    "cosine", "share", "in_name", "name_told", "in_body", "in_twice", "in_often", "length", "signature_length", "doc_length", "body_length",
    "file_bm25", "file_cosine", "is_special",
)
sys.path.insert(0, BENCHMARK)
import harness  # noqa: E402

parsed = {}
parse = harness.parse_file


def parse_once(path, source):
    """Most files are the same from commit to commit."""
    key = path, hash(source)
    if key not in parsed:
        parsed[key] = [{k: e[k] for k in ("kind", "start", "end", "qual")} for e in parse(path, source)]
    return parsed[key]


harness.parse_file = parse_once
SETS = ("docstring", "commit", "natural")
WORK = os.environ.get("WORK", "/var/tmp/repoidx-fit")
RIDGE = float(os.environ.get("RIDGE", "3"))
# Candidates of a question, the best by the present weights: what stands further down teaches little and takes long.
KEPT = "150"


def collect():
    rows = []
    for name in SETS:
        questions = [json.loads(line) for line in open(f"{BENCHMARK}/data/{name}.jsonl")]
        groups = collections.defaultdict(list)
        for question in questions:
            if not question["heldout"]:
                groups[question["repo"], question["commit"]].append(question)
        order = list(groups)
        if name == "commit":
            order.sort(key=lambda key: (key[0], int(harness.git(key[0], "show", "-s", "--format=%ct", key[1]))))
        current, state = None, {}
        for repository, commit in order:
            folder = f"{WORK}/{name}-{repository}"
            if repository == "langchain":
                folder = os.environ["RET_LANGCHAIN"]
            else:
                if current != repository:
                    subprocess.run(["rm", "-rf", folder], check=True)
                    os.makedirs(folder)
                    subprocess.run(["git", "init", "-q", folder], check=True)
                    current, state = repository, {}
                state = harness.materialise(repository, commit, folder, name == "docstring", state)
            functions = harness.spans(folder)
            subprocess.run([REPOIDX, "-q", "index", "--repo", folder], check=True)
            batch = groups[repository, commit]
            path = f"{WORK}/questions.jsonl"
            with open(path, "w") as file:
                for question in batch:
                    file.write(json.dumps({"id": question["qid"], "query": question["query"]}) + "\n")
            out = subprocess.run([REPOIDX, "search", "--queries", path, "-k", KEPT, "--explain", "--format", "json", "--repo", folder], check=True, capture_output=True, text=True).stdout
            answers = {line["id"]: line["hits"] for line in map(json.loads, out.splitlines())}
            for question in batch:
                gold = {(a["path"], a["name"].split("#")[0]) for a in question["answers"]}
                features, labels, keys = [], [], []
                for hit in answers[question["qid"]]:
                    found = harness.to_functions([hit], functions, 4)
                    is_function = hit["kind"] in ("function", "method", "property")
                    found_features = [hit["explain"]["features"][n] for n in NAMES]
                    change = hit["explain"]["change"]
                    of_changes = [change * hit["explain"]["features"][n] for n in OF_CHANGES]
                    features.append(found_features + [float(hit["explain"]["named"])] + of_changes)
                    labels.append(float(is_function and any(f in gold for f in found)))
                    keys.append(found)
                rows.append((name, repository, np.array(features, np.float32), np.array(labels), keys, gold, [h["score"] for h in answers[question["qid"]]]))
        print(name, len(rows), flush=True)
    return rows


def ndcg(order, keys, gold):
    ranked = []
    for at in order:
        for key in keys[at]:
            if key not in ranked:
                ranked.append(key)
        if len(ranked) >= 10:
            break
    gain = sum(1 / math.log2(rank + 2) for rank, key in enumerate(ranked[:10]) if key in gold)
    return gain / sum(1 / math.log2(rank + 2) for rank in range(min(10, len(gold))))


def fit(rows):
    usable = [row for row in rows if row[3].sum() > 0]
    counts = collections.Counter(row[0] for row in rows)
    x = np.concatenate([row[2] for row in usable]).astype(np.float64)
    y = np.concatenate([row[3] for row in usable])
    starts = np.concatenate([[0], np.cumsum([len(row[3]) for row in usable])])
    share = np.array([float(TIMES.get(row[0], 1)) / counts[row[0]] for row in usable])
    scale = x.std(0) + 1e-9
    x = x / scale
    owner = np.repeat(np.arange(len(usable)), np.diff(starts))
    target = y / np.add.reduceat(y, starts[:-1])[owner]

    def loss(w):
        s = x @ w
        s = s - np.maximum.reduceat(s, starts[:-1])[owner]
        e = np.exp(s)
        z = np.add.reduceat(e, starts[:-1])
        p = e / z[owner]
        log_p = s - np.log(z)[owner]
        value = -(share * np.add.reduceat(target * log_p, starts[:-1])).sum()
        gradient = x.T @ ((p - target) * share[owner])
        return value + RIDGE * (w @ w) / len(usable) * 3, gradient + 2 * RIDGE * w / len(usable) * 3

    result = minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return result.x / scale


def evaluate(rows, scores):
    by_set = collections.defaultdict(list)
    for row, score in zip(rows, scores):
        by_set[row[0]].append(ndcg(np.argsort(-score, kind="stable"), row[4], row[5]) if len(score) else 0.0)
    return {name: round(float(np.mean(values)), 4) for name, values in by_set.items()}


source = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../src/query/search/features.rs")).read()
names_text = source.split("pub const FEATURES")[1].split("= [")[1].split("];")[0]
NAMES = [line.strip().split('"')[1] for line in names_text.splitlines() if '"' in line]
if os.path.exists(CACHE):
    rows = pickle.load(open(CACHE, "rb"))
else:
    os.makedirs(WORK, exist_ok=True)
    rows = collect()
    pickle.dump(rows, open(CACHE, "wb"))
print("as ranked now", evaluate(rows, [-np.arange(len(row[3]), dtype=float) for row in rows]))
weights = fit(rows)
print("fitted on all", evaluate(rows, [row[2] @ weights for row in rows]))
scores = [None] * len(rows)
for repository in sorted({row[1] for row in rows}):
    others = fit([row for row in rows if row[1] != repository])
    for at, row in enumerate(rows):
        if row[1] == repository:
            scores[at] = row[2] @ others
print("fitted without the repository at hand", evaluate(rows, scores))
print("answers among the candidates", {n: round(float(np.mean([row[3].sum() > 0 for row in rows if row[0] == n])), 3) for n in SETS})
for name, weight in zip(NAMES + ["named"], weights):
    print(f"    {weight:.3f}, // {name}")
print("in questions that tell of a change")
second = dict(zip(OF_CHANGES, weights[len(NAMES) + 1 :]))
for name in NAMES:
    print(f"    {second.get(name, 0.0):.3f}, // {name}")
