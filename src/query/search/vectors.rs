//! The list by meaning: how near the vector of each chunk is to that of a question.
//!
//! Goes in: a model, and a question's vector. Comes out: a cosine for each chunk. Every vector is looked at.

use crate::store::{Store, error::StoreError, texts::ChunkPlace};

/// The middle and the spread of the static table's cosines between a question and all chunks: .22 and .079 in flask, .18 and
/// .074 in langchain, .12 and .061 in sympy, over questions of the benchmark. The weights of the model were fitted to such
/// cosines; those of other embedders are brought there.
const CENTER: f64 = 0.18;
const SPREAD: f64 = 0.07;

/// By place: the cosine with a question's vector, -1..=1; `None` where there is nothing to compare.
pub(super) fn cosines(
    store: &Store,
    model: u32,
    question: &[u8],
    places: &[ChunkPlace],
) -> Result<Vec<Option<f64>>, StoreError> {
    let mut order: Vec<(i64, usize)> = places.iter().map(|place| place.text.cast_signed()).zip(0..).collect();
    order.sort_unstable();
    let mut cosines = vec![None; places.len()];
    let mut next = 0;
    // Both in ascending order: one walk along both.
    store.each_cosine(model, question, &mut |text, cosine| {
        let text = text.cast_signed();
        while order.get(next).is_some_and(|(other, _)| *other < text) {
            next += 1;
        }
        while let Some((_, place)) = order.get(next).filter(|(other, _)| *other == text) {
            cosines[*place] = Some(cosine);
            next += 1;
        }
    })?;
    Ok(cosines)
}

/// Brings the cosines of another embedder to the middle and the spread of the static table.
pub(super) fn aligned(cosines: &mut [Option<f64>]) {
    let known: Vec<f64> = cosines.iter().flatten().copied().collect();
    #[expect(clippy::cast_precision_loss, reason = "a mean")]
    let count = known.len().max(1) as f64;
    let mean = known.iter().sum::<f64>() / count;
    let spread = (known.iter().map(|cosine| (cosine - mean).powi(2)).sum::<f64>() / count).sqrt();
    for cosine in cosines.iter_mut().flatten() {
        *cosine = if spread > 0.0 { CENTER + SPREAD * (*cosine - mean) / spread } else { CENTER };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligned_cosines_keep_their_order() {
        let mut cosines = vec![Some(0.9), None, Some(0.7), Some(0.8)];
        aligned(&mut cosines);
        let at = |place: usize| cosines[place].unwrap();
        assert!(at(0) > at(3) && at(3) > at(2) && cosines[1].is_none());
        assert!((at(3) - CENTER).abs() < 1e-9);
        let mut equal = vec![Some(0.5); 2];
        aligned(&mut equal);
        assert_eq!(equal, [Some(CENTER); 2]);
    }
}
