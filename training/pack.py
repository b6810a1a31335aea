"""Packs a trained table for the binary: pack.py TABLE.npz OUT.bin. The layout is read by src/embed/table.rs:
magic, rows, dimensions, bytes of the words, six gains, words (sorted, one a line), a 16-bit scale for each row as a
share of the largest one (which stands before them), two 4-bit numbers (-7..=7, plus 8) a byte."""

import struct
import sys

import numpy as np

loaded = np.load(sys.argv[1])
order = np.argsort(loaded["words"])
words = [str(word) for word in loaded["words"][order]]
table = loaded["table"][order].astype(np.float32)
scales = np.abs(table).max(1) / 7
largest = float(scales.max())
steps = np.maximum(np.round(scales / largest * 65535), 1).astype("<u2")
numbers = np.clip(np.round(table / (steps[:, None].astype(np.float32) / 65535 * largest)), -7, 7).astype(np.int8) + 8
packed = (numbers[:, 0::2] | numbers[:, 1::2] << 4).astype(np.uint8)
text = "\n".join(words).encode()
with open(sys.argv[2], "wb") as out:
    out.write(b"RIDXTAB1" + struct.pack("<III", len(words), table.shape[1], len(text)))
    out.write(np.asarray(loaded["gains"], "<f4").tobytes() + struct.pack("<f", largest))
    out.write(text + steps.tobytes() + packed.tobytes())
    print(out.tell(), "bytes", len(words), "words")
