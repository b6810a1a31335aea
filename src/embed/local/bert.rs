//! The forward pass of BERT and `RoBERTa` (Devlin and others 2018, Liu and others 2019), with the weight names of
//! transformers.
//!
//! Token numbers of texts of one padded length become one vector per token.

use candle_core::{D, DType, Result, Tensor};
use candle_nn::{
    Embedding, LayerNorm, Linear, Module, VarBuilder, embedding, layer_norm, linear, ops::softmax_last_dim,
};

use crate::embed::folder::Architecture;

/// The score of a masked position: far below all others, but finite, because infinity would give NaN.
const MASKED: f64 = -1e9;

/// The weights, ready to run.
pub(super) struct Bert {
    words: Embedding,
    positions: Embedding,
    /// Of the first kind of token: only that one occurs here.
    kind: Tensor,
    norm: LayerNorm,
    layers: Vec<BertLayer>,
    first_position: u32,
}

struct BertLayer {
    query: Linear,
    key: Linear,
    value: Linear,
    mixed: Linear,
    mixed_norm: LayerNorm,
    inner: Linear,
    outer: Linear,
    outer_norm: LayerNorm,
    activation: Activation,
    heads: usize,
}

#[derive(Clone, Copy)]
enum Activation {
    Gelu,
    GeluTanh,
    Relu,
}

impl Bert {
    /// Takes the weights, whose names begin with nothing or with the kind of model.
    pub(super) fn new(weights: &VarBuilder, architecture: &Architecture) -> Result<Self> {
        let prefixes = ["bert", "roberta"];
        let prefix = prefixes
            .into_iter()
            .find(|prefix| weights.contains_tensor(&format!("{prefix}.embeddings.word_embeddings.weight")));
        let weights = prefix.map_or_else(|| weights.clone(), |prefix| weights.pp(prefix));
        let (size, epsilon) = (architecture.hidden_size, architecture.layer_norm_eps);
        let table = |name: &str| -> Result<Embedding> {
            // Any number of rows will do; the number of columns must be the model's.
            let rows = weights.get_unchecked(&format!("embeddings.{name}.weight"))?.dim(0)?;
            embedding(rows, size, weights.pp("embeddings").pp(name))
        };
        let layers = (0..architecture.num_hidden_layers)
            .map(|layer| BertLayer::new(&weights.pp("encoder").pp("layer").pp(layer), architecture));
        Ok(Bert {
            words: table("word_embeddings")?,
            positions: table("position_embeddings")?,
            kind: table("token_type_embeddings")?.embeddings().get(0)?,
            norm: layer_norm(size, epsilon, weights.pp("embeddings").pp("LayerNorm"))?,
            layers: layers.collect::<Result<_>>()?,
            first_position: u32::try_from(architecture.first_position()).unwrap_or(0),
        })
    }

    /// Vectors of tokens, (text, token, dimension). `mask` has 1 for tokens and 0 for padding; both are (text, token).
    pub(super) fn forward(&self, tokens: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let length = u32::try_from(tokens.dim(1)?).unwrap_or(u32::MAX);
        let places = Tensor::arange(self.first_position, self.first_position + length, tokens.device())?;
        let sum = self.words.forward(tokens)?.broadcast_add(&self.positions.forward(&places)?)?;
        let mut hidden = self.norm.forward(&sum.broadcast_add(&self.kind)?)?;
        // (text, head, from, to)
        let hides = ((mask.to_dtype(DType::F32)? - 1.0)? * -MASKED)?.unsqueeze(1)?.unsqueeze(1)?;
        for layer in &self.layers {
            hidden = layer.forward(&hidden, &hides)?;
        }
        Ok(hidden)
    }
}

impl BertLayer {
    fn new(weights: &VarBuilder, architecture: &Architecture) -> Result<Self> {
        let (size, epsilon) = (architecture.hidden_size, architecture.layer_norm_eps);
        let (attention, own) = (weights.pp("attention"), weights.pp("attention").pp("self"));
        let inner = weights.get_unchecked("intermediate.dense.weight")?.dim(0)?;
        Ok(BertLayer {
            query: linear(size, size, own.pp("query"))?,
            key: linear(size, size, own.pp("key"))?,
            value: linear(size, size, own.pp("value"))?,
            mixed: linear(size, size, attention.pp("output").pp("dense"))?,
            mixed_norm: layer_norm(size, epsilon, attention.pp("output").pp("LayerNorm"))?,
            inner: linear(size, inner, weights.pp("intermediate").pp("dense"))?,
            outer: linear(inner, size, weights.pp("output").pp("dense"))?,
            outer_norm: layer_norm(size, epsilon, weights.pp("output").pp("LayerNorm"))?,
            activation: match architecture.hidden_act.as_str() {
                "relu" => Activation::Relu,
                "gelu" => Activation::Gelu,
                _ => Activation::GeluTanh,
            },
            heads: architecture.num_attention_heads,
        })
    }

    fn forward(&self, hidden: &Tensor, hides: &Tensor) -> Result<Tensor> {
        let (texts, length, size) = hidden.dims3()?;
        let width = size / self.heads;
        let by_head = |part: &Linear| {
            part.forward(hidden)?.reshape((texts, length, self.heads, width))?.transpose(1, 2)?.contiguous()
        };
        let (query, key, value) = (by_head(&self.query)?, by_head(&self.key)?, by_head(&self.value)?);
        #[expect(clippy::cast_precision_loss, reason = "a head has few dimensions")]
        let scores = (query.matmul(&key.t()?.contiguous()?)? / (width as f64).sqrt())?;
        let shares = softmax_last_dim(&scores.broadcast_add(hides)?)?;
        let mixed = shares.matmul(&value)?.transpose(1, 2)?.contiguous()?.reshape((texts, length, size))?;
        let hidden = self.mixed_norm.forward(&(hidden + self.mixed.forward(&mixed)?)?)?;
        let inner = self.inner.forward(&hidden)?;
        let inner = match self.activation {
            Activation::Gelu => inner.gelu_erf()?,
            Activation::GeluTanh => inner.gelu()?,
            Activation::Relu => inner.relu()?,
        };
        self.outer_norm.forward(&(hidden + self.outer.forward(&inner)?)?)
    }
}

/// Mean over the tokens that are no padding: (text, dimension).
pub(super) fn mean(hidden: &Tensor, mask: &Tensor) -> Result<Tensor> {
    let mask = mask.to_dtype(DType::F32)?.unsqueeze(2)?;
    hidden.broadcast_mul(&mask)?.sum(1)?.broadcast_div(&mask.sum(1)?)
}

/// The largest of each dimension over the tokens that are no padding.
pub(super) fn max(hidden: &Tensor, mask: &Tensor) -> Result<Tensor> {
    let hides = ((mask.to_dtype(DType::F32)? - 1.0)? * -MASKED)?.unsqueeze(2)?;
    hidden.broadcast_add(&hides)?.max(1)
}

/// Vectors of length 1.
pub(super) fn normalized(vectors: &Tensor) -> Result<Tensor> {
    // The bound is torch's.
    vectors.broadcast_div(&vectors.sqr()?.sum_keepdim(D::Minus1)?.sqrt()?.maximum(1e-12)?)
}
