//! The forward pass of Llama (Touvron and others 2023) and its relatives of the same shape (Mistral, Qwen 2 and 3).
//!
//! Weights have the names and quantization of llama.cpp. Keys and values of earlier tokens are cached.

use std::io::{Read, Seek};

use candle_core::{
    D, Device, Error, Result, Tensor,
    quantized::{
        QMatMul,
        gguf_file::{Content, Value},
    },
};
use candle_nn::{
    Module,
    ops::{rms_norm, silu, softmax_last_dim},
    rotary_emb::{rope, rope_i},
};

/// The score of a masked token: far below all others, and still a finite number.
const MASKED: f32 = -1e9;
/// Most layers or heads; more indicate a damaged file.
const MOST: usize = 1024;

/// The weights, and the cache of the tokens so far.
pub(super) struct Llama {
    words: QMatMul,
    layers: Vec<DecoderLayer>,
    norm: Tensor,
    output: QMatMul,
    /// One angle for each pair of dimensions, divided by the position.
    angles: Tensor,
    epsilon: f32,
    /// Pairs of dimensions lie side by side, not half a head apart.
    is_interleaved: bool,
    /// Tokens that fit into the context.
    pub(super) window: usize,
    position: usize,
}

struct DecoderLayer {
    attention_norm: Tensor,
    query: Projection,
    key: Projection,
    value: Projection,
    mixed: QMatMul,
    feed_norm: Tensor,
    gate: QMatMul,
    up: QMatMul,
    down: QMatMul,
    heads: usize,
    key_heads: usize,
    /// Keys and values of earlier tokens: (1, head, token, dimension).
    read: Option<(Tensor, Tensor)>,
}

/// One projection of the attention, with the additions of some relatives.
struct Projection {
    weight: QMatMul,
    bias: Option<Tensor>,
    norm: Option<Tensor>,
}

impl Llama {
    /// Reads the weights.
    pub(super) fn read(content: &Content, file: &mut (impl Read + Seek)) -> Result<Self> {
        let kind = content.metadata.get("general.architecture").map(|kind| kind.to_string().cloned());
        let kind = kind.transpose()?.unwrap_or_default();
        if !matches!(kind.as_str(), "llama" | "qwen2" | "qwen3") {
            return Err(Error::Msg(format!("the architecture `{kind}` is not supported (llama, qwen2 and qwen3 are)")));
        }
        let value = |name: &str| content.metadata.get(&format!("{kind}.{name}"));
        let number = |name: &str| -> Result<usize> {
            let found = value(name).ok_or_else(|| Error::Msg(format!("it does not say `{kind}.{name}`")))?;
            found.to_u32().map(|number| number as usize)
        };
        let (heads, layers) = (number("attention.head_count")?, number("block_count")?);
        let key_heads = number("attention.head_count_kv").unwrap_or(heads);
        let size = number("embedding_length")?;
        if heads == 0 || key_heads == 0 || heads % key_heads != 0 || size % heads != 0 || heads.max(layers) > MOST {
            return Err(Error::Msg(format!("{size} dimensions, {heads} and {key_heads} heads do not go together")));
        }
        let width = number("attention.key_length").unwrap_or(size / heads);
        if number("rope.dimension_count").unwrap_or(width) != width || width % 2 != 0 {
            return Err(Error::Msg("heads that are rotated in part are not supported".to_owned()));
        }
        let mut weights = Weights { content, file };
        let words = weights.matrix("token_embd.weight")?;
        let has_output = weights.has("output.weight");
        let output = if has_output { weights.matrix("output.weight")? } else { words.clone() };
        let layers = (0..layers).map(|layer| DecoderLayer::read(&mut weights, layer, heads, key_heads));
        let layers = layers.collect::<Result<Vec<_>>>()?;
        let base = value("rope.freq_base").map_or(Ok(10_000.0), Value::to_f32)?;
        #[expect(clippy::cast_precision_loss, reason = "a head has few dimensions")]
        let angles: Vec<f32> = (0..width).step_by(2).map(|at| base.powf(-(at as f32) / width as f32)).collect();
        let mut angles = Tensor::from_vec(angles, (1, width / 2), &Device::Cpu)?;
        if weights.has("rope_freqs.weight") {
            angles = angles.broadcast_div(&weights.vector("rope_freqs.weight")?)?;
        }
        Ok(Llama {
            words,
            layers,
            norm: weights.vector("output_norm.weight")?,
            output,
            angles,
            epsilon: value("attention.layer_norm_rms_epsilon").map_or(Ok(1e-5), Value::to_f32)?,
            // llama.cpp reorders the rows of Llama only.
            is_interleaved: kind == "llama",
            window: number("context_length")?,
            position: 0,
        })
    }

    /// Reads further tokens and returns a logit for each possible next token.
    pub(super) fn next(&mut self, tokens: &[u32]) -> Result<Vec<f32>> {
        let length = tokens.len();
        let mut hidden = self.words.embedding(&Tensor::new(tokens, &Device::Cpu)?)?.unsqueeze(0)?;
        let (first, end) = (self.position, self.position + length);
        #[expect(clippy::cast_precision_loss, reason = "windows are shorter than 16 million tokens")]
        let places: Vec<f32> = (first..end).map(|place| place as f32).collect();
        let turns = Tensor::from_vec(places, (length, 1), &Device::Cpu)?.broadcast_mul(&self.angles)?;
        let turns = (turns.cos()?, turns.sin()?);
        let mask = (0..length).flat_map(|from| (0..end).map(move |to| if to > first + from { MASKED } else { 0.0 }));
        let mask = Tensor::from_vec(mask.collect::<Vec<f32>>(), (length, end), &Device::Cpu)?;
        for layer in &mut self.layers {
            hidden = layer.forward(&hidden, &turns, &mask, self.epsilon, self.is_interleaved)?;
        }
        self.position = end;
        // Only the last position predicts the next token.
        let last = hidden.narrow(1, length - 1, 1)?.contiguous()?;
        self.output.forward(&rms_norm(&last, &self.norm, self.epsilon)?)?.flatten_all()?.to_vec1()
    }
}

/// Weights by name.
struct Weights<'a, F> {
    content: &'a Content,
    file: &'a mut F,
}

impl<F: Read + Seek> Weights<'_, F> {
    fn has(&self, name: &str) -> bool {
        self.content.tensor_infos.contains_key(name)
    }

    fn matrix(&mut self, name: &str) -> Result<QMatMul> {
        QMatMul::from_qtensor(self.content.tensor(self.file, name, &Device::Cpu)?)
    }

    fn vector(&mut self, name: &str) -> Result<Tensor> {
        self.content.tensor(self.file, name, &Device::Cpu)?.dequantize(&Device::Cpu)
    }

    fn vector_if_any(&mut self, name: &str) -> Result<Option<Tensor>> {
        if self.has(name) { self.vector(name).map(Some) } else { Ok(None) }
    }
}

impl DecoderLayer {
    fn read<F: Read + Seek>(weights: &mut Weights<F>, layer: usize, heads: usize, key_heads: usize) -> Result<Self> {
        let name = |part: &str| format!("blk.{layer}.{part}.weight");
        let mut projection = |part: &str| -> Result<Projection> {
            Ok(Projection {
                weight: weights.matrix(&name(part))?,
                bias: weights.vector_if_any(&format!("blk.{layer}.{part}.bias"))?,
                norm: weights.vector_if_any(&name(&format!("{part}_norm")))?,
            })
        };
        let (query, key, value) = (projection("attn_q")?, projection("attn_k")?, projection("attn_v")?);
        Ok(DecoderLayer {
            attention_norm: weights.vector(&name("attn_norm"))?,
            query,
            key,
            value,
            mixed: weights.matrix(&name("attn_output"))?,
            feed_norm: weights.vector(&name("ffn_norm"))?,
            gate: weights.matrix(&name("ffn_gate"))?,
            up: weights.matrix(&name("ffn_up"))?,
            down: weights.matrix(&name("ffn_down"))?,
            heads,
            key_heads,
            read: None,
        })
    }

    fn forward(
        &mut self,
        hidden: &Tensor,
        (cos, sin): &(Tensor, Tensor),
        mask: &Tensor,
        epsilon: f32,
        is_interleaved: bool,
    ) -> Result<Tensor> {
        let normed = rms_norm(hidden, &self.attention_norm, epsilon)?;
        let query = self.query.by_head(&normed, self.heads, epsilon)?;
        let key = self.key.by_head(&normed, self.key_heads, epsilon)?;
        let value = self.value.by_head(&normed, self.key_heads, epsilon)?;
        let turned = |part: &Tensor| if is_interleaved { rope_i(part, cos, sin) } else { rope(part, cos, sin) };
        let (query, mut key, mut value) = (turned(&query)?, turned(&key)?, value);
        if let Some((keys, values)) = &self.read {
            key = Tensor::cat(&[keys, &key], 2)?;
            value = Tensor::cat(&[values, &value], 2)?;
        }
        self.read = Some((key.clone(), value.clone()));
        let shared = |part: &Tensor| -> Result<Tensor> {
            let (texts, heads, length, width) = part.dims4()?;
            let times = self.heads / heads;
            let part = part.unsqueeze(2)?.expand((texts, heads, times, length, width))?;
            part.contiguous()?.reshape((texts, heads * times, length, width))
        };
        #[expect(clippy::cast_precision_loss, reason = "a head has few dimensions")]
        let scale = (query.dim(D::Minus1)? as f64).sqrt();
        let scores = (query.contiguous()?.matmul(&shared(&key)?.t()?.contiguous()?)? / scale)?;
        let mixed = softmax_last_dim(&scores.broadcast_add(mask)?)?.matmul(&shared(&value)?)?;
        let mixed = mixed.transpose(1, 2)?.contiguous()?.flatten_from(2)?;
        let hidden = (hidden + self.mixed.forward(&mixed)?)?;
        let normed = rms_norm(&hidden, &self.feed_norm, epsilon)?;
        let inner = (silu(&self.gate.forward(&normed)?)? * self.up.forward(&normed)?)?;
        hidden + self.down.forward(&inner)?
    }
}

impl Projection {
    /// (1, head, token, dimension)
    fn by_head(&self, hidden: &Tensor, heads: usize, epsilon: f32) -> Result<Tensor> {
        let (texts, length, _) = hidden.dims3()?;
        let mut part = self.weight.forward(hidden)?;
        if let Some(bias) = &self.bias {
            part = part.broadcast_add(bias)?;
        }
        let width = part.dim(D::Minus1)? / heads;
        let part = part.reshape((texts, length, heads, width))?.transpose(1, 2)?.contiguous()?;
        match &self.norm {
            Some(norm) => rms_norm(&part, norm, epsilon),
            None => Ok(part),
        }
    }
}
