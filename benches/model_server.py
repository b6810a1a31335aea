"""Serves a tiny random language model over llama.cpp's own server, which speaks OpenAI's chat completions.

Usage: pip install xllamacpp gguf numpy; model_server.py [FOLDER]

Writes a GGUF file of two random layers (seeded: the same weights every time) and prints the address that
`REPOIDX_MODEL_SERVER=ADDRESS cargo test --test it model_server` takes. What the model says means nothing; that a real
server takes the request, counts its tokens and streams an answer is what the test is about. Ends with its standard input.
"""

import sys
import tempfile
from pathlib import Path

import gguf
import numpy
import xllamacpp

WIDTH, HEADS, LAYERS, INNER, CONTEXT = 64, 4, 2, 128, 16384
TEMPLATE = "{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}assistant:"


def tokens():
    special = [("<unk>", gguf.TokenType.UNKNOWN), ("<s>", gguf.TokenType.CONTROL), ("</s>", gguf.TokenType.CONTROL)]
    raw = [(f"<0x{byte:02X}>", gguf.TokenType.BYTE) for byte in range(256)]
    words = "def class return import the a of to call breaks test self total price cart app py line may not is and".split()
    plain = [(f"\u2581{word}", gguf.TokenType.NORMAL) for word in words]
    plain += [(chr(code), gguf.TokenType.NORMAL) for code in range(33, 127)]
    return special + raw + plain


def write_model(path):
    vocabulary = tokens()
    random = numpy.random.default_rng(7)

    def weights(*shape):
        return (random.standard_normal(shape) / numpy.sqrt(shape[-1])).astype(numpy.float32)

    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_name("random")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(vocabulary))
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    writer.add_tokenizer_model("llama")
    writer.add_token_list([text.encode() for text, _ in vocabulary])
    writer.add_token_scores([-float(index) for index in range(len(vocabulary))])
    writer.add_token_types([kind for _, kind in vocabulary])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_chat_template(TEMPLATE)
    writer.add_tensor("token_embd.weight", weights(len(vocabulary), WIDTH))
    writer.add_tensor("output_norm.weight", numpy.ones(WIDTH, dtype=numpy.float32))
    writer.add_tensor("output.weight", weights(len(vocabulary), WIDTH))
    for layer in range(LAYERS):
        name = f"blk.{layer}"
        for norm in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"{name}.{norm}.weight", numpy.ones(WIDTH, dtype=numpy.float32))
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            writer.add_tensor(f"{name}.{part}.weight", weights(WIDTH, WIDTH))
        writer.add_tensor(f"{name}.ffn_gate.weight", weights(INNER, WIDTH))
        writer.add_tensor(f"{name}.ffn_up.weight", weights(INNER, WIDTH))
        writer.add_tensor(f"{name}.ffn_down.weight", weights(WIDTH, INNER))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
    path = folder / "random.gguf"
    write_model(path)
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 1
    parameters.n_gpu_layers = 0
    parameters.warmup = False
    parameters.port = 0
    server = xllamacpp.Server(parameters)
    print(f"{server.listening_address}/v1", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
