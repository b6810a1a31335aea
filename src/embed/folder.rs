//! The folder of a model: its weights, its tokenizer and its configuration.
//!
//! The folder is named directly, or found in the cache that the hub's own tools fill. The configuration gives layers,
//! pooling, normalization, longest text and prompts. The files of sentence-transformers (`modules.json` and its
//! modules) come before those of transformers. Nothing is downloaded or run.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use serde::{Deserialize, de::DeserializeOwned};

use super::EmbedError;

/// Configuration files are small.
const MAX_CONFIG: u64 = 16 << 20;
/// Number of blocks of the weights that identify a model, and the bytes of each.
const BLOCKS: u64 = 64;
const BLOCK: u64 = 4096;
/// Where a name without an owner is looked for.
const OWNER: &str = "sentence-transformers";

/// The cache of models on this machine.
#[derive(Clone, Debug)]
pub struct Hub(pub PathBuf);

/// How the vectors of a text's tokens become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pooling {
    Mean,
    /// The first token.
    Cls,
    Max,
}

/// The numbers of a model of the BERT family, by the names of its `config.json`.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Architecture {
    pub(super) model_type: String,
    pub(super) hidden_size: usize,
    pub(super) num_hidden_layers: usize,
    pub(super) num_attention_heads: usize,
    pub(super) max_position_embeddings: usize,
    #[serde(default = "gelu")]
    pub(super) hidden_act: String,
    #[serde(default = "epsilon")]
    pub(super) layer_norm_eps: f64,
    #[serde(default)]
    pub(super) pad_token_id: Option<usize>,
    #[serde(default = "absolute")]
    position_embedding_type: String,
}

/// A model that can be read.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    pub(super) path: PathBuf,
    /// One file, or several that each hold a part.
    pub(super) weights: Vec<PathBuf>,
    pub(super) tokenizer: PathBuf,
    pub(super) architecture: Architecture,
    pub(super) pooling: Pooling,
    pub(super) is_normalized: bool,
    /// Tokens of the longest text, those around it included.
    pub(super) longest: usize,
    pub(super) is_lower_case: bool,
    /// Texts that stand before a question and before a passage.
    pub(super) question_prompt: String,
    pub(super) passage_prompt: String,
    /// Recognizes the model by its content.
    pub(super) fingerprint: String,
}

#[derive(Deserialize)]
struct ModelModule {
    path: String,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Sentence {
    max_seq_length: Option<usize>,
    do_lower_case: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Prompts {
    prompts: BTreeMap<String, String>,
    default_prompt_name: Option<String>,
}

#[derive(Deserialize)]
struct Shards {
    weight_map: BTreeMap<String, String>,
}

fn gelu() -> String {
    "gelu".to_owned()
}

fn epsilon() -> f64 {
    1e-12
}

fn absolute() -> String {
    "absolute".to_owned()
}

impl Hub {
    /// The folder of a model: a path as it is, a name in the cache.
    fn find(&self, model: &str) -> Result<PathBuf, EmbedError> {
        let path = Path::new(model);
        if path.is_absolute() || model.starts_with('.') {
            return Ok(path.to_owned());
        }
        let missing = || EmbedError::NotInHub { name: model.to_owned(), hub: self.0.clone() };
        let (owner, name) = model.split_once('/').unwrap_or((OWNER, model));
        if [owner, name].iter().any(|part| part.is_empty() || part.starts_with('.') || part.contains(['/', '\\'])) {
            return Err(missing());
        }
        let folder = self.0.join(format!("models--{owner}--{name}"));
        let revision = fs::read_to_string(folder.join("refs").join("main")).map_err(|_| missing())?;
        let snapshot = folder.join("snapshots").join(revision.trim());
        if snapshot.is_dir() { Ok(snapshot) } else { Err(missing()) }
    }

    /// Reads the configuration of a model.
    pub(super) fn read(&self, model: &str) -> Result<Folder, EmbedError> {
        let path = self.find(model)?;
        let file = |name: &'static str| {
            let file = path.join(name);
            if file.is_file() { Ok(file) } else { Err(EmbedError::Incomplete { folder: path.clone(), file: name }) }
        };
        let architecture: Architecture = json(&file("config.json")?)?;
        check(&path.join("config.json"), &architecture)?;
        let tokenizer = file("tokenizer.json")?;
        let weights = weights(&path)?;
        let modules: Option<Vec<ModelModule>> = optional(&path.join("modules.json"))?;
        let (mut pooling, mut is_normalized) = (Pooling::Mean, false);
        for module in modules.unwrap_or_default() {
            match module.kind.rsplit('.').next().unwrap_or_default() {
                "Transformer" => {}
                "Normalize" => is_normalized = true,
                "Pooling" => {
                    let inner = path.join(Path::new(&module.path).file_name().unwrap_or_default());
                    pooling = read_pooling(&inner.join("config.json"))?;
                }
                _ => return Err(unsupported(&path.join("modules.json"), format!("the module `{}`", module.kind))),
            }
        }
        let sentence: Sentence = optional(&path.join("sentence_bert_config.json"))?.unwrap_or_default();
        let Prompts { prompts, default_prompt_name } =
            optional(&path.join("config_sentence_transformers.json"))?.unwrap_or_default();
        let prompt = |names: &[&str]| {
            let mut names = names.iter().copied().chain(default_prompt_name.as_deref());
            names.find_map(|name| prompts.get(name)).cloned().unwrap_or_default()
        };
        let positions = architecture.max_position_embeddings.saturating_sub(architecture.first_position());
        Ok(Folder {
            longest: sentence.max_seq_length.map_or(positions, |longest| longest.min(positions)),
            is_lower_case: sentence.do_lower_case,
            question_prompt: prompt(&["query"]),
            passage_prompt: prompt(&["document", "passage"]),
            fingerprint: fingerprint(&path, &weights).map_err(|error| damaged(&path, &error))?,
            path,
            weights,
            tokenizer,
            architecture,
            pooling,
            is_normalized,
        })
    }
}

impl Architecture {
    /// The position of the first token: those of the `RoBERTa` kind count on from the padding.
    pub(super) fn first_position(&self) -> usize {
        if self.model_type == "bert" { 0 } else { self.pad_token_id.unwrap_or(1) + 1 }
    }
}

fn check(path: &Path, architecture: &Architecture) -> Result<(), EmbedError> {
    let Architecture { model_type, hidden_size, num_attention_heads, hidden_act, .. } = architecture;
    if !matches!(model_type.as_str(), "bert" | "roberta" | "xlm-roberta") {
        return Err(unsupported(path, format!("the model type `{model_type}`")));
    }
    if architecture.position_embedding_type != "absolute" {
        return Err(unsupported(path, format!("`{}` positions", architecture.position_embedding_type)));
    }
    if !matches!(hidden_act.as_str(), "gelu" | "gelu_new" | "gelu_pytorch_tanh" | "relu") {
        return Err(unsupported(path, format!("the activation `{hidden_act}`")));
    }
    if *num_attention_heads == 0 || *hidden_size == 0 || hidden_size % num_attention_heads != 0 {
        let reason = format!("{hidden_size} dimensions cannot be shared by {num_attention_heads} heads");
        return Err(EmbedError::Damaged { path: path.to_owned(), reason });
    }
    Ok(())
}

fn weights(path: &Path) -> Result<Vec<PathBuf>, EmbedError> {
    let whole = path.join("model.safetensors");
    if whole.is_file() {
        return Ok(vec![whole]);
    }
    let Some(shards) = optional::<Shards>(&path.join("model.safetensors.index.json"))? else {
        return Err(EmbedError::Incomplete { folder: path.to_owned(), file: "model.safetensors" });
    };
    let names: BTreeSet<String> = shards.weight_map.into_values().collect();
    Ok(names.iter().map(|name| path.join(Path::new(name).file_name().unwrap_or_default())).collect())
}

fn read_pooling(path: &Path) -> Result<Pooling, EmbedError> {
    let config: BTreeMap<String, serde_json::Value> = json(path)?;
    let mut modes: BTreeSet<&str> = config
        .iter()
        .filter(|(_, value)| **value == serde_json::Value::Bool(true))
        .filter_map(|(key, _)| key.strip_prefix("pooling_mode_"))
        .collect();
    // Newer versions write one word.
    modes.extend(config.get("pooling_mode").and_then(|mode| mode.as_str()));
    let modes: Vec<&str> = modes.into_iter().collect();
    match modes.as_slice() {
        ["mean_tokens" | "mean"] => Ok(Pooling::Mean),
        ["cls_token" | "cls"] => Ok(Pooling::Cls),
        ["max_tokens" | "max"] => Ok(Pooling::Max),
        _ => Err(unsupported(path, format!("the pooling `{}`", modes.join(" and ")))),
    }
}

/// A hash over the configuration, and over blocks of the weights: reading all of them takes as long as running them.
fn fingerprint(path: &Path, weights: &[PathBuf]) -> std::io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    let names = ["config.json", "tokenizer.json", "modules.json", "sentence_bert_config.json", "1_Pooling/config.json"];
    for name in names.into_iter().chain(["config_sentence_transformers.json"]) {
        hasher.update(&fs::read(path.join(name)).unwrap_or_default());
    }
    for file in weights {
        let mut file = File::open(file)?;
        let length = file.metadata()?.len();
        hasher.update(&length.to_le_bytes());
        for block in 0..BLOCKS {
            file.seek(SeekFrom::Start(length.saturating_sub(BLOCK) * block / (BLOCKS - 1)))?;
            let mut bytes = Vec::new();
            (&mut file).take(BLOCK).read_to_end(&mut bytes)?;
            hasher.update(&bytes);
        }
    }
    Ok(hasher.finalize().to_hex()[..16].to_owned())
}

fn json<T: DeserializeOwned>(path: &Path) -> Result<T, EmbedError> {
    let mut text = String::new();
    let file = File::open(path).map_err(|error| damaged(path, &error))?;
    file.take(MAX_CONFIG).read_to_string(&mut text).map_err(|error| damaged(path, &error))?;
    serde_json::from_str(&text).map_err(|error| damaged(path, &error))
}

fn optional<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, EmbedError> {
    if path.is_file() { json(path).map(Some) } else { Ok(None) }
}

pub(super) fn damaged(path: &Path, reason: &dyn std::fmt::Display) -> EmbedError {
    EmbedError::Damaged { path: path.to_owned(), reason: reason.to_string() }
}

fn unsupported(path: &Path, what: String) -> EmbedError {
    EmbedError::Unsupported { path: path.to_owned(), what }
}
