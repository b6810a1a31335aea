"""Trains the table of word vectors: train.py PAIRS_DIR MODEL_DIR OUT.npz [--minutes 25 --seed 1]

Start: every word through all-MiniLM-L6-v2, centered, reduced to 256 dimensions, scaled by rarity. Then InfoNCE both
ways over mined pairs: a question is the sum of its words; a function is the sum over its fields of
gain * (1 + ln count) / sqrt(words of the field) * word. Every second batch (or more, --near) comes from one source, so that the wrong
answers are as hard as in a repository. Plain numpy, one thread, the same result for the same seed and time limit."""

import argparse
import glob
import hashlib
import os
import pickle
import struct
import time
from collections import Counter

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scipy.sparse import csr_matrix

from words import STOP, stem

FIELDS = ("name", "owner", "path", "signature", "doc", "body")
DOC, NAME = FIELDS.index("doc"), FIELDS.index("name")


def load(folder):
    """All pairs: kind, source, question, fields, function key, with words as global numbers."""
    ids, frequency, pairs, seen = {}, Counter(), [], set()
    for number, path in enumerate(sorted(glob.glob(os.path.join(folder, "*.pickle")))):
        words, counts, found = pickle.load(open(path, "rb"))
        local = [ids.setdefault(word, len(ids)) for word in words]
        for word, count in counts.items():
            frequency[local[word]] += count
        for kind, question, fields in found:
            key = hashlib.md5(repr((sorted(words[w] for w in question), sorted(words[w] for w in fields["name"]))).encode()).digest()
            if key in seen:
                continue
            seen.add(key)
            where = hash((number, *(tuple(sorted(local[w] for w in fields[f])) for f in ("name", "owner", "path"))))
            pairs.append((kind, number, [local[w] for w in question], {f: {local[w]: n for w, n in c.items()} for f, c in fields.items()}, where))
    return list(ids), frequency, pairs


def vocabulary(words, frequency, size):
    """The most frequent words of two to twenty ASCII letters or digits."""
    good = [
        number
        for number, word in enumerate(words)
        if 1 < len(word) <= 20 and word.isascii() and word not in STOP and not (word.isdigit() and len(word) > 3) and frequency[number] >= 3
    ]
    good.sort(key=lambda number: (-frequency[number], words[number]))
    return good[:size]


def pieces(word, index):
    """A word as rows: its own, else the longest known pieces of three letters and more from left to right."""
    row = index.get(word)
    if row is not None:
        return [row]
    found, start = [], 0
    while start < len(word) and len(word) <= 40:
        for end in range(len(word), start + 2, -1):
            row = index.get(word[start:end])
            if row is not None:
                found.append(row)
                start = end
                break
        else:
            start += 1
    return found


def start_vectors(words, folder, dimensions):
    from teacher import Teacher  # a later run goes on without the model

    teacher, surface = Teacher(folder), {}
    for line in open(os.path.join(folder, "vocab.txt"), encoding="utf-8"):
        word = line.strip()
        if word.isascii() and word.isalpha():
            surface.setdefault(stem(word), word)  # from frequent to rare
    vectors = teacher.vectors([surface.get(word, word) for word in words])
    vectors -= vectors.mean(0)
    basis = np.linalg.svd(vectors.T @ vectors)[0]
    return vectors @ basis[:, :dimensions]


def unpacked(path):
    """The words, vectors and gains of a table that pack.py wrote."""
    packed = open(path, "rb").read()
    rows, dimensions, size = struct.unpack_from("<III", packed, 8)
    (largest,) = struct.unpack_from("<f", packed, 44)
    steps = np.frombuffer(packed, "<u2", rows, 48 + size)
    numbers = np.frombuffer(packed, np.uint8, rows * dimensions // 2, 48 + size + 2 * rows).reshape(rows, -1)
    table = np.empty((rows, dimensions), np.float32)
    table[:, 0::2], table[:, 1::2] = numbers & 15, numbers >> 4
    table = (table - 8) * (steps[:, None].astype(np.float32) / 65535 * largest)
    return packed[48 : 48 + size].decode().split("\n"), table, np.frombuffer(packed, "<f4", 6, 20).astype(np.float64)


def rarities(pairs):
    """The rarity of a word among the functions of a source, as src/query/search/lists.rs counts it."""
    seen, functions, with_word = set(), Counter(), {}
    for _, source, _, texts, where in pairs:
        if where not in seen:
            seen.add(where)
            functions[source] += 1
            with_word.setdefault(source, Counter()).update({word for field in texts.values() for word in field})

    def rarity(source, word):
        count, found = functions[source], min(with_word.get(source, {}).get(word, 0), functions[source])
        return max(np.log((count - found + 0.5) / (found + 0.5)), 0.05)

    return rarity


class Side:
    """Sparse rows over the vocabulary."""

    def __init__(self, rows, width):
        lengths = np.array([len(columns) for columns, _ in rows])
        indptr = np.concatenate([[0], np.cumsum(lengths)])
        columns = np.concatenate([np.asarray(c, np.int32) for c, _ in rows]) if lengths.sum() else np.zeros(0, np.int32)
        data = np.concatenate([np.asarray(d, np.float32) for _, d in rows]) if lengths.sum() else np.zeros(0, np.float32)
        self.matrix = csr_matrix((data, columns, indptr), shape=(len(rows), width))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pairs")
    parser.add_argument("model")
    parser.add_argument("out")
    parser.add_argument("--dimensions", type=int, default=256)
    parser.add_argument("--vocabulary", type=int, default=28500)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=1200)
    parser.add_argument("--minutes", type=float, default=25)
    parser.add_argument("--rate", type=float, default=2.5e-3)
    parser.add_argument("--drop", type=float, default=0.3, help="share of a question's words left out")
    parser.add_argument("--thin", type=float, default=0.3, help="share of a function's words left out")
    parser.add_argument("--decay", type=float, default=0.02, help="pull of a word back to its start")
    parser.add_argument("--like", help="take the words and their start from this earlier run")
    parser.add_argument("--packed", help="go on from this packed table: its words, vectors and gains")
    parser.add_argument("--factors", nargs="*", default=[], help="the factors that the packed table's gains contain: name=1.6 body=0.75")
    parser.add_argument("--rare", type=float, default=0.0, help="a question's words count by their rarity in the source, to this power")
    parser.add_argument("--commits", type=float, default=1.0, help="how much more often a commit is drawn than another pair")
    parser.add_argument("--near", type=int, default=1, help="batches from one source between two from all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--holdout", type=int, default=3000)
    a = parser.parse_args()
    rng = np.random.default_rng(a.seed)
    began = time.time()
    words, frequency, pairs = load(a.pairs)
    if a.packed:
        names, table, start_gains = unpacked(a.packed)
    elif a.like:
        known = {word: number for number, word in enumerate(words)}
        names = [str(word) for word in np.load(a.like)["words"]]
        counts = [frequency[known[name]] if name in known else 1 for name in names]
        cache = a.like + ".start.npy"
    else:
        chosen = vocabulary(words, frequency, a.vocabulary)
        names = [words[number] for number in chosen]
        counts = [frequency[number] for number in chosen]
        cache = a.out + ".start.npy"
    index = {word: row for row, word in enumerate(names)}
    rows_of = [pieces(word, index) for word in words]
    print(len(pairs), "pairs", dict(Counter(kind for kind, *_ in pairs)), len(words), "words", f"{time.time() - began:.0f}s", flush=True)
    if not a.packed:
        if os.path.exists(cache):
            table = np.load(cache)
        else:
            table = start_vectors(names, a.model, a.dimensions)
            np.save(cache, table)
        table /= np.linalg.norm(table, axis=1, keepdims=True) + 1e-6
        total = max(frequency.values())
        rarity = np.log((total + 1) / (np.array(counts) + 1))
        table = (table * (rarity / rarity.mean())[:, None]).astype(np.float32)
    print("start", f"{time.time() - began:.0f}s", flush=True)

    rarity_of = rarities(pairs)
    questions, fields, kinds, sources, wheres = [], [[] for _ in FIELDS], [], [], []
    for kind, source, question, texts, where in pairs:
        rows = {}
        for word in dict.fromkeys(question):
            if words[word] not in STOP:
                for row in rows_of[word]:
                    rows[row] = max(rows.get(row, 0.0), rarity_of(source, word))
        if len(rows) < 2:
            continue
        questions.append((list(rows), np.array(list(rows.values())) ** a.rare))
        for number, field in enumerate(FIELDS):
            columns, weights = [], []
            for word, count in texts[field].items():
                for row in rows_of[word]:
                    columns.append(row)
                    weights.append(1 + np.log(count))
            fields[number].append((columns, np.array(weights) / np.sqrt(max(len(columns), 1))))
        kinds.append(kind)
        sources.append(source)
        wheres.append(where)
    del pairs
    kinds, sources, wheres = np.array(kinds), np.array(sources), np.array(wheres)
    width = len(names)
    question_matrix = Side(questions, width).matrix
    field_matrices = [Side(rows, width).matrix for rows in fields]
    for matrix in field_matrices + [question_matrix]:
        matrix.sum_duplicates()
    del questions, fields
    order = rng.permutation(len(kinds))
    held, train = order[: a.holdout], order[a.holdout :]
    by_source = [train[sources[train] == number] for number in range(sources.max() + 1)]
    by_source = [members for members in by_source if len(members) >= 256]
    sizes = np.array([min(len(members), 6000) * (a.commits if kinds[members[0]] == "commit" else 1) for members in by_source], float)
    chances = np.cumsum(np.where(kinds[train] == "commit", a.commits, 1.0))
    chances /= chances[-1]
    print(len(kinds), "usable", len(by_source), "sources", f"{time.time() - began:.0f}s", flush=True)

    factors_before = dict(part.split("=") for part in a.factors)
    factors_before = np.array([float(factors_before.get(field, 1)) for field in FIELDS])
    gains = np.log(start_gains / factors_before if a.packed else np.array([3.0, 1.2, 1.0, 2.0, 1.5, 1.8]))
    log_scale = np.log(1 / 0.06)
    origin = table.copy()
    first, second = np.zeros_like(table), np.zeros_like(table)
    steps_of_row = np.zeros(width, np.int32)
    small = {"m": np.zeros(len(FIELDS) + 1), "v": np.zeros(len(FIELDS) + 1), "t": 0}

    def sides(members, training):
        question = question_matrix[members]
        if training:
            keep = rng.random(len(question.data)) > a.drop
            # A question keeps its first two words at least.
            starts = question.indptr[:-1]
            keep[starts] = True
            keep[np.minimum(starts + 1, question.indptr[1:] - 1)] = True
            question = csr_matrix((question.data * keep, question.indices, question.indptr), question.shape)
        factors = np.repeat(np.exp(gains)[:, None], len(members), 1)
        if training:
            factors[DOC] *= rng.random(len(members)) < 0.6
            factors[NAME] *= rng.random(len(members)) > 0.15
        else:
            factors[DOC] *= ~np.isin(kinds[members], ["doc", "further"])
        parts = []
        for number, matrix in enumerate(field_matrices):
            part = matrix[members]
            part.data = part.data * np.repeat(factors[number], np.diff(part.indptr)).astype(np.float32)
            if training:
                part.data *= rng.random(len(part.data)) > a.thin
            parts.append(part)
        return question, parts

    def unit(vectors):
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-6
        return vectors / lengths, lengths

    def evaluate():
        question, parts = sides(held, False)
        q = unit(question @ table)[0]
        d = unit(sum(parts[1:], parts[0]) @ table)[0]
        scores = q @ d.T
        ranks = (scores > np.diag(scores)[:, None]).sum(1) + 1
        reciprocal = np.where(ranks <= 10, 1 / ranks, 0)
        return {kind: round(float(reciprocal[kinds[held] == kind].mean()), 4) for kind in ("doc", "further", "comment", "commit")}

    def save():
        np.savez(a.out, table=table, words=np.array(names), gains=np.exp(gains), fields=np.array(FIELDS))

    print("held pairs, MRR@10 at the start", evaluate(), flush=True)
    began_training, step, loss_sum, best = time.time(), 0, 0.0, 0.0
    while True:
        elapsed = (time.time() - began_training) / 60
        progress = max(step / a.steps, elapsed / a.minutes)
        if progress >= 1:
            break
        rate = a.rate * (1 - progress) + 1e-5
        if step % (a.near + 1):
            members = by_source[rng.choice(len(by_source), p=sizes / sizes.sum())]
            members = rng.choice(members, min(a.batch, len(members)), replace=False)
        else:
            members = np.unique(train[np.minimum(np.searchsorted(chances, rng.random(a.batch)), len(train) - 1)])
        question, parts = sides(members, True)
        function = sum(parts[1:], parts[0])
        (q, q_length), (d, d_length) = unit(question @ table), unit(function @ table)
        cosine = q @ d.T
        scale = np.exp(log_scale)
        logits = cosine * scale
        # Several questions about one function: the others are no wrong answers.
        same = wheres[members][:, None] == wheres[members][None, :]
        np.fill_diagonal(same, False)
        logits[same] = -1e4
        logits -= logits.max()
        e = np.exp(logits)
        rows, columns = e / e.sum(1, keepdims=True), e / e.sum(0, keepdims=True)
        n = len(members)
        loss_sum += float(-(np.log(np.diag(rows) + 1e-20) + np.log(np.diag(columns) + 1e-20)).mean() / 2)
        gradient = (rows + columns) / (2 * n)
        gradient[np.arange(n), np.arange(n)] -= 1 / n
        scale_gradient = float((gradient * cosine).sum() * scale)
        dq, dd = gradient @ d * scale, gradient.T @ q * scale
        dq = ((dq - q * (q * dq).sum(1, keepdims=True)) / q_length).astype(np.float32)
        dd = ((dd - d * (d * dd).sum(1, keepdims=True)) / d_length).astype(np.float32)
        touched = np.unique(np.concatenate([question.indices, function.indices]))
        slot = np.full(width, -1, np.int32)
        slot[touched] = np.arange(len(touched))
        compact = lambda m: csr_matrix((m.data, slot[m.indices], m.indptr), (n, len(touched)))
        g = compact(question).T @ dq + compact(function).T @ dd
        steps_of_row[touched] += 1
        t = steps_of_row[touched][:, None]
        first[touched] = m = 0.9 * first[touched] + 0.1 * g
        second[touched] = v = 0.999 * second[touched] + 0.001 * g * g
        table[touched] -= rate * a.decay * (table[touched] - origin[touched])
        table[touched] -= rate * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
        if step % 4 == 0:
            small_gradient = np.array([float(((part @ table) * dd).sum()) for part in parts] + [scale_gradient])
            small["t"] += 1
            small["m"] = 0.9 * small["m"] + 0.1 * small_gradient
            small["v"] = 0.99 * small["v"] + 0.01 * small_gradient**2
            move = 0.02 * (small["m"] / (1 - 0.9 ** small["t"])) / (np.sqrt(small["v"] / (1 - 0.99 ** small["t"])) + 1e-8)
            gains -= move[:-1]
            log_scale = min(log_scale - move[-1], np.log(60))
        step += 1
        if step % 100 == 0:
            print(step, f"loss {loss_sum / 100:.3f}", evaluate(), "gains", np.round(np.exp(gains), 2), f"scale {np.exp(log_scale):.1f} {time.time() - began_training:.0f}s", flush=True)
            loss_sum = 0.0
            held_now = evaluate()
            if held_now["doc"] + held_now["commit"] > best:
                best = held_now["doc"] + held_now["commit"]
                save()
    print("done", step, "best", best, flush=True)


if __name__ == "__main__":
    main()
