"""all-MiniLM-L6-v2 in numpy: one vector for each word, for the start of the table. Apache-2.0 weights, see README.md."""

import json
import os

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer


def erf(x):
    """Abramowitz and Stegun 7.1.26: at most 1.5e-7 off."""
    t = 1 / (1 + 0.3275911 * np.abs(x))
    y = 1 - ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t * np.exp(-x * x)
    return np.sign(x) * y


def gelu(x):
    return 0.5 * x * (1 + erf(x / np.sqrt(2)))


class Teacher:
    def __init__(self, folder):
        self.weights = load_file(os.path.join(folder, "model.safetensors"))
        self.config = json.load(open(os.path.join(folder, "config.json")))
        self.tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
        self.tokenizer.no_padding()

    def linear(self, x, name):
        return x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        x /= np.sqrt((x * x).mean(-1, keepdims=True) + self.config["layer_norm_eps"])
        return x * self.weights[name + ".weight"] + self.weights[name + ".bias"]

    def encode(self, ids):
        """Mean of the last layer over all tokens; `ids` is a rectangle of token numbers, all of one length."""
        heads, w = self.config["num_attention_heads"], self.weights
        batch, length = ids.shape
        x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][:length] + w["embeddings.token_type_embeddings.weight"][0]
        x = self.norm(x, "embeddings.LayerNorm")
        for layer in range(self.config["num_hidden_layers"]):
            p = f"encoder.layer.{layer}."
            q, k, v = (self.linear(x, p + "attention.self." + part).reshape(batch, length, heads, -1).transpose(0, 2, 1, 3) for part in ("query", "key", "value"))
            scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1])
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            mixed = (scores / scores.sum(-1, keepdims=True)) @ v
            mixed = mixed.transpose(0, 2, 1, 3).reshape(batch, length, -1)
            x = self.norm(x + self.linear(mixed, p + "attention.output.dense"), p + "attention.output.LayerNorm")
            inner = gelu(self.linear(x, p + "intermediate.dense"))
            x = self.norm(x + self.linear(inner, p + "output.dense"), p + "output.LayerNorm")
        return x.mean(1)

    def vectors(self, texts):
        """One vector for each text; texts of one length are run together, so no padding is needed."""
        encoded = [encoding.ids[:256] for encoding in self.tokenizer.encode_batch(texts)]
        out = np.zeros((len(texts), self.config["hidden_size"]), np.float32)
        by_length = {}
        for number, ids in enumerate(encoded):
            by_length.setdefault(len(ids), []).append(number)
        for numbers in by_length.values():
            for start in range(0, len(numbers), 256):
                part = numbers[start : start + 256]
                out[part] = self.encode(np.array([encoded[number] for number in part]))
        return out
