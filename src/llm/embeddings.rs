//! Vectors from a service with the interface of `OpenAI`'s embeddings (llama.cpp, vLLM, Ollama, LM Studio and others).

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::json;

use crate::llm::{Message, Provider, error::LlmError, error::reason, http};

#[derive(Deserialize)]
struct EmbeddingsBody {
    data: Vec<EmbeddingRow>,
}

#[derive(Deserialize)]
struct EmbeddingRow {
    index: usize,
    embedding: Vec<f32>,
}

/// Requests the vectors of `texts`, in their order.
pub fn embeddings(provider: &Provider, texts: &[String]) -> Result<Vec<Vec<f32>>, LlmError> {
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let url = format!("{}/embeddings", provider.address);
    let message = Message { url, body: to_body(provider, texts), files: BTreeSet::new() };
    let bytes = http::document(provider, &message)?;
    parse(&bytes, texts.len())
}

fn to_body(provider: &Provider, texts: &[String]) -> String {
    json!({"model": provider.model, "input": texts, "encoding_format": "float"}).to_string()
}

fn parse(bytes: &[u8], count: usize) -> Result<Vec<Vec<f32>>, LlmError> {
    let text = String::from_utf8_lossy(bytes);
    let Ok(mut answer) = serde_json::from_str::<EmbeddingsBody>(&text) else {
        return Err(LlmError::Garbled(reason(&text)));
    };
    answer.data.sort_by_key(|row| row.index);
    let found = answer.data.len();
    if !answer.data.iter().map(|row| row.index).eq(0..count) {
        return Err(LlmError::Garbled(format!("{found} vectors for {count} texts, or not numbered from 0")));
    }
    let rows: Vec<Vec<f32>> = answer.data.into_iter().map(|row| row.embedding).collect();
    if rows.iter().any(|row| row.is_empty() || row.len() != rows[0].len() || row.iter().any(|n| !n.is_finite())) {
        return Err(LlmError::Garbled("vectors of different lengths, or without numbers".to_owned()));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_put_in_order_and_checked() {
        let parse = |text: &str| parse(text.as_bytes(), 2).map_err(|error| error.to_string());
        let row = |index: usize, numbers: &str| format!(r#"{{"index":{index},"embedding":[{numbers}]}}"#);
        let answer = |rows: &[String]| format!(r#"{{"data":[{}]}}"#, rows.join(","));
        assert_eq!(parse(&answer(&[row(1, "3,4"), row(0, "1,2")])).unwrap(), [[1.0, 2.0], [3.0, 4.0]]);
        for rows in [vec![row(0, "1,2")], vec![row(0, "1,2"), row(2, "1,2")], vec![row(0, "1"), row(1, "1,2")]] {
            assert!(parse(&answer(&rows)).is_err(), "{rows:?}");
        }
        assert!(parse(&answer(&[row(0, ""), row(1, "")])).is_err());
        assert_eq!(
            parse(r#"{"error":{"message":"no such model"}}"#).unwrap_err(),
            "the provider's answer cannot be read: no such model"
        );
    }
}
