"""What a tiny model of Qwen 3's shape says, for the test of src/llm/local: decoder.py FIXTURES_DIR

Computes Llama, Qwen 2 and Qwen 3 in plain numpy. The first two are compared with what transformers made of the same weights
(tiny-llama.json and tiny-qwen2.json, by reference.py); only when both agree, tiny-qwen3.json is written. Qwen 3 differs from
them by the norms of queries and keys, and by heads whose width is given. Needs numpy alone."""

import json
import sys

import numpy as np

TOKENS = [1, 70, 33, 255, 9, 9, 200, 14, 3, 128, 77]
VOCABULARY, SIZE, INNER, LAYERS, HEADS, KEY_HEADS, EPSILON = 259, 32, 64, 2, 4, 2, 1e-5


def numbers(name, shape):
    """As in reference.py."""
    state = 0
    for byte in name.encode():
        state = (state * 31 + byte) % 2**32
    out = np.empty(int(np.prod(shape)))
    for at in range(out.size):
        state = (state * 1664525 + 1013904223) % 2**32
        out[at] = ((state >> 16) % 4096 - 2048) / 4096
    return out.reshape(shape)


def shapes(kind, width):
    found = {"model.embed_tokens.weight": (VOCABULARY, SIZE)}
    for layer in range(LAYERS):
        prefix = f"model.layers.{layer}."
        for part, heads in (("q", HEADS), ("k", KEY_HEADS), ("v", KEY_HEADS)):
            found[f"{prefix}self_attn.{part}_proj.weight"] = (heads * width, SIZE)
            if kind == "qwen2":
                found[f"{prefix}self_attn.{part}_proj.bias"] = (heads * width,)
        found[f"{prefix}self_attn.o_proj.weight"] = (SIZE, HEADS * width)
        if kind == "qwen3":
            found[f"{prefix}self_attn.q_norm.weight"] = (width,)
            found[f"{prefix}self_attn.k_norm.weight"] = (width,)
        found[f"{prefix}mlp.gate_proj.weight"] = (INNER, SIZE)
        found[f"{prefix}mlp.up_proj.weight"] = (INNER, SIZE)
        found[f"{prefix}mlp.down_proj.weight"] = (SIZE, INNER)
        found[f"{prefix}input_layernorm.weight"] = (SIZE,)
        found[f"{prefix}post_attention_layernorm.weight"] = (SIZE,)
    return found | {"model.norm.weight": (SIZE,), "lm_head.weight": (VOCABULARY, SIZE)}


def logits(kind, width):
    weights = {name: numbers(name, shape) for name, shape in shapes(kind, width).items()}

    def norm(hidden, name):
        return hidden / np.sqrt((hidden**2).mean(-1, keepdims=True) + EPSILON) * weights[name]

    angles = np.outer(np.arange(len(TOKENS)), 10000.0 ** (-np.arange(0, width, 2) / width))
    cos, sin = (np.concatenate([part, part], -1) for part in (np.cos(angles), np.sin(angles)))

    def turned(part):
        first, second = np.split(part, 2, -1)
        return part * cos + np.concatenate([-second, first], -1) * sin

    hidden = weights["model.embed_tokens.weight"][TOKENS]
    for layer in range(LAYERS):
        prefix = f"model.layers.{layer}."
        normed = norm(hidden, f"{prefix}input_layernorm.weight")

        def by_head(part, heads, normed=normed, prefix=prefix):
            name = f"{prefix}self_attn.{part}_"
            out = normed @ weights[f"{name}proj.weight"].T + weights.get(f"{name}proj.bias", 0)
            out = out.reshape(len(TOKENS), heads, width).transpose(1, 0, 2)
            return norm(out, f"{name}norm.weight") if f"{name}norm.weight" in weights else out

        query, key = turned(by_head("q", HEADS)), turned(by_head("k", KEY_HEADS))
        key, value = (np.repeat(part, HEADS // KEY_HEADS, 0) for part in (key, by_head("v", KEY_HEADS)))
        scores = query @ key.transpose(0, 2, 1) / np.sqrt(width)
        scores = np.where(np.tril(np.ones(scores.shape[1:])) > 0, scores, -np.inf)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ value
        mixed = mixed.transpose(1, 0, 2).reshape(len(TOKENS), HEADS * width)
        hidden = hidden + mixed @ weights[f"{prefix}self_attn.o_proj.weight"].T
        normed = norm(hidden, f"{prefix}post_attention_layernorm.weight")
        gate = normed @ weights[f"{prefix}mlp.gate_proj.weight"].T
        inner = gate / (1 + np.exp(-gate)) * (normed @ weights[f"{prefix}mlp.up_proj.weight"].T)
        hidden = hidden + inner @ weights[f"{prefix}mlp.down_proj.weight"].T
    return (norm(hidden, "model.norm.weight") @ weights["lm_head.weight"].T)[-1]


def main():
    folder = sys.argv[1]
    for kind in ("llama", "qwen2"):
        with open(f"{folder}/tiny-{kind}.json") as file:
            known = json.load(file)
        assert known["tokens"] == TOKENS
        assert {name: list(shape) for name, shape in shapes(kind, SIZE // HEADS).items()} == known["shapes"], kind
        difference = np.abs(logits(kind, SIZE // HEADS) - known["logits"]).max()
        print(f"{kind}: differs by {difference:.1e}")
        assert difference < 1e-4, kind
    width = 16
    content = {
        "tokens": TOKENS,
        "shapes": {name: list(shape) for name, shape in shapes("qwen3", width).items()},
        "logits": [float(f"{number:.7g}") for number in logits("qwen3", width)],
    }
    with open(f"{folder}/tiny-qwen3.json", "w") as file:
        json.dump(content, file)
        file.write("\n")


main()
