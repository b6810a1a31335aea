//! Runs a model of the BERT family over batches of texts.
//!
//! The vectors equal those of sentence-transformers. Texts of similar length share a batch, so little time is spent on
//! padding.

use std::collections::HashMap;

use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tokenizers::{Tokenizer, TruncationParams};

use super::bert::{Bert, max, mean, normalized};
use crate::{
    embed::{
        EmbedError, Embedder, Hub, QuestionInput,
        folder::{Folder, Pooling, damaged},
        passage::passage,
    },
    texts::TextFields,
};

/// Tokens of a batch, padding included: more of them are not faster on a processor, and take memory.
const BATCH: usize = 4096;

/// A model in memory.
pub struct Local {
    name: String,
    folder: Folder,
    tokenizer: Tokenizer,
    bert: Bert,
    pool: ThreadPool,
}

/// Reads a model from a folder or, by its name, from the cache. At most `threads` of the machine's cores work for it.
pub fn open(hub: &Hub, model: &str, threads: Option<usize>) -> Result<Local, EmbedError> {
    let folder = hub.read(model)?;
    let mut tokenizer = Tokenizer::from_file(&folder.tokenizer).map_err(|error| damaged(&folder.tokenizer, &error))?;
    let truncation = TruncationParams { max_length: folder.longest, ..TruncationParams::default() };
    tokenizer.with_truncation(Some(truncation)).map_err(|error| damaged(&folder.tokenizer, &error))?;
    tokenizer.with_padding(None);
    let mut tensors: HashMap<String, Tensor> = HashMap::new();
    for file in &folder.weights {
        tensors.extend(candle_core::safetensors::load(file, &Device::Cpu).map_err(|error| damaged(file, &error))?);
    }
    let weights = VarBuilder::from_tensors(tensors, DType::F32, &Device::Cpu);
    let bert = Bert::new(&weights, &folder.architecture).map_err(|error| damaged(&folder.path, &error))?;
    let pool = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    let pool = pool.map_err(|error| EmbedError::Run(error.to_string()))?;
    let stem = model.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(model);
    Ok(Local { name: format!("{stem} {}", folder.fingerprint), folder, tokenizer, bert, pool })
}

impl Embedder for Local {
    fn name(&self) -> &str {
        &self.name
    }

    fn passages(&self, passages: &[TextFields]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let prompt = &self.folder.passage_prompt;
        self.vectors(passages.iter().map(|fields| format!("{prompt}{}", passage(fields))).collect())
    }

    fn question(&self, question: &QuestionInput<'_>) -> Result<Option<Vec<f32>>, EmbedError> {
        Ok(self.vectors(vec![format!("{}{}", self.folder.question_prompt, question.text)])?.pop())
    }
}

impl Local {
    fn vectors(&self, mut texts: Vec<String>) -> Result<Vec<Vec<f32>>, EmbedError> {
        if self.folder.is_lower_case {
            for text in &mut texts {
                *text = text.to_lowercase();
            }
        }
        self.pool.install(|| self.run(texts))
    }

    fn run(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, EmbedError> {
        let count = texts.len();
        let encoded =
            self.tokenizer.encode_batch(texts, true).map_err(|error| damaged(&self.folder.tokenizer, &error))?;
        let tokens: Vec<&[u32]> = encoded.iter().map(tokenizers::Encoding::get_ids).collect();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|text| tokens[*text].len());
        let mut vectors = vec![Vec::new(); count];
        let mut rest = order.as_slice();
        while !rest.is_empty() {
            // Sorted: the last one of a batch is the longest.
            let fits = |size: &usize| size * tokens[rest[size - 1]].len().max(1) <= BATCH;
            let size = (1..=rest.len()).take_while(fits).last().unwrap_or(1);
            let (batch, others) = rest.split_at(size);
            rest = others;
            let rows = self.batch(&batch.iter().map(|text| tokens[*text]).collect::<Vec<_>>());
            for (text, row) in batch.iter().zip(rows.map_err(|error| EmbedError::Run(error.to_string()))?) {
                vectors[*text] = row;
            }
        }
        Ok(vectors)
    }

    fn batch(&self, texts: &[&[u32]]) -> candle_core::Result<Vec<Vec<f32>>> {
        let length = texts.iter().map(|tokens| tokens.len()).max().unwrap_or(0).max(1);
        let padded = |text: &&[u32]| [*text, &vec![0; length - text.len()]].concat();
        let shown = |text: &&[u32]| [vec![1; text.len()], vec![0; length - text.len()]].concat();
        let tensor = |rows: Vec<u32>| Tensor::from_vec(rows, (texts.len(), length), &Device::Cpu);
        let tokens = tensor(texts.iter().flat_map(padded).collect())?;
        let mask = tensor(texts.iter().flat_map(shown).collect())?;
        let hidden = self.bert.forward(&tokens, &mask)?;
        let vectors = match self.folder.pooling {
            Pooling::Mean => mean(&hidden, &mask)?,
            Pooling::Max => max(&hidden, &mask)?,
            Pooling::Cls => hidden.narrow(1, 0, 1)?.squeeze(1)?,
        };
        let vectors = if self.folder.is_normalized { normalized(&vectors)? } else { vectors };
        vectors.to_vec2()
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
