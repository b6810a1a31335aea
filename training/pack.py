"""Packs trained tables for the binary: pack.py OUT.bin TABLE.npz... [name=1.6 body=0.75]. Several runs from one start are
averaged; a field with a factor gets its gain times this. The layout is read by src/embed/table.rs: magic, rows, dimensions,
bytes of the words, six gains, words (sorted, one a line), a 16-bit scale for each row as a share of the largest one (which
stands before them), two 4-bit numbers (-7..=7, plus 8) a byte."""

import struct
import sys

import numpy as np

out, *rest = sys.argv[1:]
runs = [np.load(path) for path in rest if "=" not in path]
factors = dict(part.split("=") for part in rest if "=" in part)
order = np.argsort(runs[0]["words"])
words = [str(word) for word in runs[0]["words"][order]]
# The size of a table means nothing: cosines are taken of sums.
table = np.mean([run["table"][order] / np.linalg.norm(run["table"]) for run in runs], 0).astype(np.float32)
table *= np.sqrt(len(words)) / np.linalg.norm(table)
gains = np.mean([run["gains"] / run["gains"].mean() for run in runs], 0)
gains *= [float(factors.get(str(field), 1)) for field in runs[0]["fields"]]


def rounded(scales):
    return np.clip(np.round(table / scales[:, None]), -7, 7)


def error(scales):
    return ((rounded(scales) * scales[:, None] - table) ** 2).sum(1)


# A scale that cuts the few largest numbers of a row rounds all others better.
whole = np.maximum(np.abs(table).max(1) / 7, 1e-6)
tried = whole * np.arange(0.6, 1.01, 0.05)[:, None]
scales = np.take_along_axis(tried, np.argmin([error(scales) for scales in tried], 0)[None], 0)[0]
largest = float(scales.max())
steps = np.maximum(np.round(scales / largest * 65535), 1).astype("<u2")
scales = steps.astype(np.float32) / 65535 * largest
numbers = rounded(scales).astype(np.int8) + 8
print(f"error of rounding: {error(scales).sum() / error(whole).sum():.3f} of that with whole rows")
packed = (numbers[:, 0::2] | numbers[:, 1::2] << 4).astype(np.uint8)
text = "\n".join(words).encode()
with open(out, "wb") as file:
    file.write(b"RIDXTAB1" + struct.pack("<III", len(words), table.shape[1], len(text)))
    file.write(gains.astype("<f4").tobytes() + struct.pack("<f", largest))
    file.write(text + steps.tobytes() + packed.tobytes())
    print(file.tell(), "bytes", len(words), "words", dict(zip(runs[0]["fields"].tolist(), gains.round(2).tolist())))
