//! Vectors of models, compared with those of sentence-transformers for the same texts (`training/reference.py`).

use std::{collections::BTreeMap, fmt::Write, fs, path::Path};

use serde::Deserialize;
use tempfile::TempDir;

use super::*;

#[derive(Deserialize)]
struct Reference {
    #[serde(default)]
    files: BTreeMap<String, serde_json::Value>,
    /// In the order of names.
    #[serde(default)]
    shapes: BTreeMap<String, Vec<usize>>,
    texts: Vec<String>,
    vectors: Vec<Vec<f32>>,
}

const BERT: &str = include_str!("../../../fixtures/models/tiny-bert.json");
const ROBERTA: &str = include_str!("../../../fixtures/models/tiny-roberta.json");
const MINILM: &str = include_str!("../../../fixtures/models/minilm.json");

fn reference(text: &str) -> Reference {
    serde_json::from_str(text).unwrap()
}

/// The numbers of `training/reference.py`.
fn numbers(name: &str, count: usize) -> Vec<f32> {
    let mut state = name.bytes().fold(0_u32, |state, byte| state.wrapping_mul(31).wrapping_add(byte.into()));
    let shift = if name.ends_with("LayerNorm.weight") { 1.0 } else { 0.0 };
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let number = i16::try_from(state >> 16 & 4095).unwrap() - 2048;
        f32::from(number) / 4096.0 + shift
    };
    (0..count).map(|_| next()).collect()
}

/// A folder as sentence-transformers writes it.
fn folder(reference: &Reference) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in &reference.files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content.to_string()).unwrap();
    }
    let (mut header, mut bytes) = (String::from("{"), Vec::new());
    for (name, shape) in &reference.shapes {
        let start = bytes.len();
        bytes.extend(numbers(name, shape.iter().product()).iter().flat_map(|number| number.to_le_bytes()));
        let comma = if header.len() > 1 { "," } else { "" };
        let end = bytes.len();
        write!(header, r#"{comma}"{name}":{{"dtype":"F32","shape":{shape:?},"data_offsets":[{start},{end}]}}"#)
            .unwrap();
    }
    header.push('}');
    let weights = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &bytes].concat();
    fs::write(folder.path().join("model.safetensors"), weights).unwrap();
    folder
}

fn opened(folder: &Path, threads: usize) -> Result<Local, EmbedError> {
    open(&Hub(folder.join("no hub")), folder.to_str().unwrap(), Some(threads))
}

/// The largest difference of any two numbers.
fn difference(a: &[Vec<f32>], b: &[Vec<f32>]) -> f32 {
    assert_eq!(a.iter().map(Vec::len).collect::<Vec<_>>(), b.iter().map(Vec::len).collect::<Vec<_>>());
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn vectors_are_those_of_sentence_transformers() {
    for text in [BERT, ROBERTA] {
        let reference = reference(text);
        let folder = folder(&reference);
        let model = opened(folder.path(), 2).unwrap();
        let prompt = model.folder.passage_prompt.clone();
        let texts = reference.texts.iter().map(|text| format!("{prompt}{text}")).collect();
        let vectors = model.vectors(texts).unwrap();
        let difference = difference(&vectors, &reference.vectors);
        assert!(difference < 1e-5, "{}: {difference}", model.name());
    }
}

/// Switched on by `REPOIDX_MINILM`, the folder of all-MiniLM-L6-v2.
#[test]
fn minilm_s_vectors_are_those_of_sentence_transformers() {
    #[expect(clippy::disallowed_methods, reason = "a test that needs a model is switched on by a variable")]
    let Some(folder) = std::env::var_os("REPOIDX_MINILM") else { return };
    let reference = reference(MINILM);
    let model = opened(Path::new(&folder), 2).unwrap();
    let difference = difference(&model.vectors(reference.texts.clone()).unwrap(), &reference.vectors);
    assert!(difference < 1e-4, "{difference}");
}

#[test]
fn company_and_threads_change_no_vector_as_it_is_stored() {
    let reference = reference(BERT);
    let folder = folder(&reference);
    let stored = |threads: usize, texts: &[String]| -> Vec<Vec<u8>> {
        let model = opened(folder.path(), threads).unwrap();
        model.vectors(texts.to_vec()).unwrap().iter().map(|vector| crate::embed::quantized(vector)).collect()
    };
    let together = stored(1, &reference.texts);
    assert_eq!(together, stored(3, &reference.texts));
    for (text, vector) in reference.texts.iter().zip(&together) {
        assert_eq!(stored(1, std::slice::from_ref(text))[0], *vector, "{text:?}");
    }
}

#[test]
fn a_model_is_known_by_its_content_and_found_in_the_cache() {
    let (reference, hub) = (reference(BERT), tempfile::tempdir().unwrap());
    let folder = folder(&reference);
    let snapshot = hub.path().join("models--owner--tiny/snapshots/abc");
    fs::create_dir_all(snapshot.join("1_Pooling")).unwrap();
    fs::create_dir_all(hub.path().join("models--owner--tiny/refs")).unwrap();
    fs::write(hub.path().join("models--owner--tiny/refs/main"), "abc").unwrap();
    for name in reference.files.keys().map(String::as_str).chain(["model.safetensors"]) {
        fs::copy(folder.path().join(name), snapshot.join(name)).unwrap();
    }
    let hub = Hub(hub.path().to_owned());
    let found = open(&hub, "owner/tiny", None).unwrap();
    let fingerprint = found.folder.fingerprint.clone();
    assert_eq!(found.name(), format!("tiny {fingerprint}"));
    assert_eq!(opened(folder.path(), 1).unwrap().folder.fingerprint, fingerprint);
    for name in ["owner/other", "tiny", "../tiny", "owner/..", ""] {
        assert!(
            matches!(open(&hub, name, None).err(), Some(EmbedError::NotInHub { .. } | EmbedError::Incomplete { .. })),
            "{name}"
        );
    }
    let mut weights = fs::read(snapshot.join("model.safetensors")).unwrap();
    *weights.last_mut().unwrap() ^= 1;
    fs::write(snapshot.join("model.safetensors"), weights).unwrap();
    assert_ne!(open(&hub, "owner/tiny", None).unwrap().folder.fingerprint, fingerprint);
}

#[test]
fn what_is_missing_damaged_or_unknown_is_named() {
    let reference = reference(BERT);
    let reason = |change: &dyn Fn(&Path)| {
        let folder = folder(&reference);
        change(folder.path());
        let text = opened(folder.path(), 1).err().expect("the folder is no model any more").to_string();
        text.replace(folder.path().to_str().unwrap(), "DIR").replace('\\', "/")
    };
    for name in ["config.json", "tokenizer.json", "model.safetensors"] {
        assert_eq!(reason(&|dir| fs::remove_file(dir.join(name)).unwrap()), format!("DIR has no `{name}`"));
        let cut = reason(&|dir| {
            let bytes = fs::read(dir.join(name)).unwrap();
            fs::write(dir.join(name), &bytes[..bytes.len() / 2]).unwrap();
        });
        assert!(cut.starts_with(&format!("DIR/{name}: ")), "{cut}");
    }
    let replaced = |file: &str, from: &str, to: &str| {
        reason(&|dir| {
            let text = fs::read_to_string(dir.join(file)).unwrap();
            assert!(text.contains(from), "{text}");
            fs::write(dir.join(file), text.replace(from, to)).unwrap();
        })
    };
    let config = |from: &str, to: &str| replaced("config.json", from, to);
    assert_eq!(config("\"bert\"", "\"mpnet\""), "DIR/config.json: the model type `mpnet` is not supported");
    assert_eq!(config("\"gelu\"", "\"swish\""), "DIR/config.json: the activation `swish` is not supported");
    assert_eq!(
        config("\"num_attention_heads\":3", "\"num_attention_heads\":0"),
        "DIR/config.json: 24 dimensions cannot be shared by 0 heads"
    );
    assert!(config("\"hidden_size\":24", "\"hidden_size\":48").starts_with("DIR: "));
    assert!(config("\"num_hidden_layers\":2", "\"num_hidden_layers\":3").starts_with("DIR: "));
    assert_eq!(
        replaced("modules.json", "models.Normalize", "models.Dense"),
        "DIR/modules.json: the module `sentence_transformers.models.Dense` is not supported"
    );
    assert_eq!(
        replaced("1_Pooling/config.json", "true", "false"),
        "DIR/1_Pooling/config.json: the pooling `` is not supported"
    );
}
