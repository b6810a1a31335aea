"""What sentence-transformers and transformers make of some texts, for the tests of src/embed/local and src/llm/local:
reference.py FIXTURES_DIR [MINILM_DIR]

Writes tiny-bert.json and tiny-roberta.json (configuration and tokenizer of a tiny model, and its vectors; the weights come
from the generator below, which the test has too) and, given the folder of all-MiniLM-L6-v2, minilm.json.
Needs sentence-transformers 5 with torch; the numbers do not depend on the machine beyond the last digits."""

import json
import os
import sys
import tempfile

import numpy as np
import torch
from safetensors.numpy import save_file
from sentence_transformers import SentenceTransformer
from transformers import LlamaConfig, LlamaForCausalLM, Qwen2Config, Qwen2ForCausalLM
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

TEXTS = [
    "def total(self): return sum(item.price for item in self.items)",
    "Signs a cookie.",
    "",
    "where is the cart's total rounded? " * 12,
    "ünïcode ✓ 東京 \x00 tabs\tand\nlines",
    "class Cart:\n    \"\"\"What somebody wants to buy.\"\"\"",
]
WORDS = "[PAD] [UNK] [CLS] [SEP] def class self return sum total cart cookie where is the a item items price for in round ##ed ##s sign what somebody want to buy t o r e a s n i d c ##t ##o ##r ##e ##a ##n ##i ##d ##c ( ) : . ? ' \" = _".split()


def numbers(name, shape):
    """Multiples of 1/4096 in -0.5..0.5 from a linear congruential generator that starts with the tensor's name."""
    state = 0
    for byte in name.encode():
        state = (state * 31 + byte) % 2**32
    out = np.empty(int(np.prod(shape)), np.float32)
    for at in range(out.size):
        state = (state * 1664525 + 1013904223) % 2**32
        out[at] = ((state >> 16) % 4096 - 2048) / 4096
    if name.endswith("LayerNorm.weight"):
        out += 1
    return out.reshape(shape)


def tiny(kind, pooling, normalize, prompts):
    words = list(dict.fromkeys(WORDS))
    config = {
        "model_type": kind, "architectures": ["BertModel" if kind == "bert" else "RobertaModel"], "vocab_size": len(words), "hidden_size": 24, "num_hidden_layers": 2,
        "num_attention_heads": 3, "intermediate_size": 40, "hidden_act": "gelu" if kind == "bert" else "gelu_new", "max_position_embeddings": 48,
        "type_vocab_size": 2 if kind == "bert" else 1, "layer_norm_eps": 1e-12 if kind == "bert" else 1e-5, "pad_token_id": 0, "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0,
    }
    tokenizer = Tokenizer(models.WordPiece({word: at for at, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    size, inner = config["hidden_size"], config["intermediate_size"]
    shapes = {
        "embeddings.word_embeddings.weight": (len(words), size), "embeddings.position_embeddings.weight": (config["max_position_embeddings"], size),
        "embeddings.token_type_embeddings.weight": (config["type_vocab_size"], size), "embeddings.LayerNorm.weight": (size,), "embeddings.LayerNorm.bias": (size,),
    }
    for layer in range(config["num_hidden_layers"]):
        for name, out, into in [("attention.self.query", size, size), ("attention.self.key", size, size), ("attention.self.value", size, size), ("attention.output.dense", size, size), ("intermediate.dense", inner, size), ("output.dense", size, inner)]:
            shapes[f"encoder.layer.{layer}.{name}.weight"] = (out, into)
            shapes[f"encoder.layer.{layer}.{name}.bias"] = (out,)
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes[f"encoder.layer.{layer}.{name}.weight"] = (size,)
            shapes[f"encoder.layer.{layer}.{name}.bias"] = (size,)
    modules = [("", "Transformer"), ("1_Pooling", "Pooling")] + ([("2_Normalize", "Normalize")] if normalize else [])
    files = {
        "config.json": config,
        "tokenizer.json": json.loads(tokenizer.to_str()),
        "modules.json": [{"idx": at, "name": str(at), "path": path, "type": f"sentence_transformers.models.{name}"} for at, (path, name) in enumerate(modules)],
        "1_Pooling/config.json": {"word_embedding_dimension": size, **{f"pooling_mode_{mode}": mode == pooling for mode in ("cls_token", "mean_tokens", "max_tokens", "mean_sqrt_len_tokens")}},
        "sentence_bert_config.json": {"max_seq_length": 40, "do_lower_case": False},
        "config_sentence_transformers.json": {"prompts": prompts},
        "tokenizer_config.json": {"tokenizer_class": "PreTrainedTokenizerFast", "pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"},
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
            json.dump(content, open(f"{folder}/{name}", "w"))
        save_file({name: numbers(name, shape) for name, shape in shapes.items()}, f"{folder}/model.safetensors", {"format": "pt"})
        vectors = SentenceTransformer(folder, device="cpu").encode(TEXTS, prompt=prompts.get("document"))
    files.pop("tokenizer_config.json")
    return {"files": files, "shapes": {name: list(shape) for name, shape in shapes.items()}, "texts": TEXTS, "vectors": rounded(vectors)}


def rounded(vectors):
    return [[float(f"{number:.7g}") for number in vector] for vector in np.asarray(vectors, np.float64)]


def tiny_llama(kind, bias):
    """How likely each token is the next one after some others, by a tiny model of Llama's shape."""
    numbers_of = {"vocab_size": 259, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "rms_norm_eps": 1e-5, "max_position_embeddings": 64, "tie_word_embeddings": False}
    model = (LlamaForCausalLM(LlamaConfig(**numbers_of)) if kind == "llama" else Qwen2ForCausalLM(Qwen2Config(**numbers_of))).eval()
    state = model.state_dict()
    assert any(name.endswith("q_proj.bias") for name in state) == bias
    model.load_state_dict({name: torch.from_numpy(numbers(name, tuple(tensor.shape))) for name, tensor in state.items()})
    tokens = [1, 70, 33, 255, 9, 9, 200, 14, 3, 128, 77]
    with torch.no_grad():
        logits = model(torch.tensor([tokens])).logits[0, -1]
    return {"tokens": tokens, "shapes": {name: list(tensor.shape) for name, tensor in state.items()}, "logits": rounded([logits])[0]}


torch.manual_seed(0)
folder = sys.argv[1]
made = {"tiny-bert": tiny("bert", "mean_tokens", True, {}), "tiny-roberta": tiny("roberta", "cls_token", False, {"query": "the ", "document": "a "})}
made |= {"tiny-llama": tiny_llama("llama", False), "tiny-qwen2": tiny_llama("qwen2", True)}
if len(sys.argv) > 2:
    made["minilm"] = {"texts": TEXTS, "vectors": rounded(SentenceTransformer(sys.argv[2], device="cpu").encode(TEXTS))}
for name, content in made.items():
    with open(f"{folder}/{name}.json", "w") as file:
        json.dump(content, file, ensure_ascii=True)
        file.write("\n")
