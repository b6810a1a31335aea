//! The list by vectors: the cosine between a question and each chunk.
//!
//! For the static table, signs preselect the chunks, and only the vectors of the best are read. For other models every
//! vector is read. A long chunk takes the cosine of its nearest piece.

use rustc_hash::FxHashMap;

use crate::store::{
    Store,
    error::StoreError,
    search::{
        digests::{ChunkPlace, SIGNS},
        texts::STATIC_MODEL,
    },
};

/// Number of chunks that the signs preselect. In networkx, pytest and langchain it contains 97 % of the 200 nearest
/// chunks, and 99.8 % of the 50 nearest.
const PRESELECTED: usize = 800;

/// Mean and standard deviation of the cosines with many texts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Distribution {
    pub(super) center: f64,
    pub(super) spread: f64,
}

/// That of the static table over questions of the benchmark: .22 and .079 in flask, .18 and .074 in langchain, .12 and
/// .061 in sympy. The weights of the model were fitted to such cosines, so those of other embedders are scaled to them.
pub(super) const OF_CHUNKS: Distribution = Distribution { center: 0.18, spread: 0.07 };

/// By place: the cosine with a question's vector, -1..=1. It is `None` for chunks without a vector, and for chunks that
/// the signs rule out. Places in `wanted` always get one.
pub(super) fn cosines(
    store: &Store,
    model: u32,
    question: &[u8],
    places: &[ChunkPlace],
    accepted: &[bool],
    wanted: impl Iterator<Item = usize>,
) -> Result<Vec<Option<f64>>, StoreError> {
    if model != STATIC_MODEL {
        return all_cosines(store, model, question, places);
    }
    let mut chosen = preselected(question, places, accepted);
    for place in wanted {
        chosen.push(place);
        chosen.extend(pieces(places, place));
    }
    // In the order of the table, whose pages are then read once each.
    chosen.sort_unstable_by_key(|place| (places[*place].text.cast_signed(), *place));
    chosen.dedup();
    let texts: Vec<u64> = chosen.iter().map(|place| places[*place].text).collect();
    let mut cosines = vec![None; places.len()];
    store.cosines_of(model, question, &texts, &mut |at, cosine| cosines[chosen[at]] = Some(cosine))?;
    Ok(cosines)
}

/// The places of a chunk's pieces: they follow it.
fn pieces(places: &[ChunkPlace], whole: usize) -> impl Iterator<Item = usize> {
    let after = places.iter().enumerate().skip(whole + 1);
    after.take_while(|(_, place)| place.piece > 0).map(|(at, _)| at)
}

/// Gives each chunk the largest cosine of its pieces, which then have none. Returns the nearest pieces, by the place of
/// their chunk.
pub(super) fn joined(cosines: &mut [Option<f64>], places: &[ChunkPlace]) -> FxHashMap<usize, usize> {
    let mut nearest = FxHashMap::default();
    for (at, place) in places.iter().enumerate().filter(|(_, place)| place.piece > 0) {
        let Some(cosine) = cosines[at].take() else { continue };
        let whole = at - usize::from(place.piece);
        if cosines[whole].is_none_or(|other| cosine > other) {
            cosines[whole] = Some(cosine);
            nearest.insert(whole, at);
        }
    }
    nearest
}

/// The accepted places whose signs agree best with a question's vector: each number counts for a positive sign and
/// against a negative one. Equal ones keep their order.
fn preselected(question: &[u8], places: &[ChunkPlace], accepted: &[bool]) -> Vec<usize> {
    let mut chosen: Vec<usize> = (0..places.len()).filter(|place| accepted[*place]).collect();
    if chosen.len() <= PRESELECTED {
        return chosen;
    }
    // The worth of the eight signs of a byte, for each of its values.
    let mut worth = vec![[0_i32; 256]; SIGNS];
    for (at, number) in question.iter().map(|number| i32::from(number.cast_signed())).enumerate().take(8 * SIGNS) {
        for (byte, sum) in worth[at / 8].iter_mut().enumerate() {
            *sum += if byte >> (at % 8) & 1 == 1 { number } else { -number };
        }
    }
    let mut scored: Vec<(i32, usize)> = chosen
        .drain(..)
        .map(|place| {
            let signs = places[place].signs.iter().zip(&worth);
            (-signs.map(|(byte, worth)| worth[usize::from(*byte)]).sum::<i32>(), place)
        })
        .collect();
    scored.select_nth_unstable(PRESELECTED);
    scored.truncate(PRESELECTED);
    scored.into_iter().map(|(_, place)| place).collect()
}

fn all_cosines(
    store: &Store,
    model: u32,
    question: &[u8],
    places: &[ChunkPlace],
) -> Result<Vec<Option<f64>>, StoreError> {
    let mut order: Vec<(i64, usize)> = places.iter().map(|place| place.text.cast_signed()).zip(0..).collect();
    order.sort_unstable();
    let mut cosines = vec![None; places.len()];
    let mut next = 0;
    // Both sides ascend by hash: one pass merges them.
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

/// Scales the cosines of another embedder to the mean and deviation that those of the static table have.
pub(super) fn aligned(cosines: &mut [Option<f64>], like: Distribution) {
    let known: Vec<f64> = cosines.iter().flatten().copied().collect();
    #[expect(clippy::cast_precision_loss, reason = "a mean")]
    let count = known.len().max(1) as f64;
    let mean = known.iter().sum::<f64>() / count;
    let spread = (known.iter().map(|cosine| (cosine - mean).powi(2)).sum::<f64>() / count).sqrt();
    for cosine in cosines.iter_mut().flatten() {
        *cosine = if spread > 0.0 { like.center + like.spread * (*cosine - mean) / spread } else { like.center };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{EntityKind, FileId},
        store::search::digests::ChunkLengths,
    };

    #[test]
    fn signs_choose_what_points_the_same_way() {
        let mut question = vec![0_u8; 256];
        (question[3], question[255]) = (100, (-100_i8).cast_unsigned());
        let place = |chunk: u32| ChunkPlace {
            chunk,
            file: FileId(1),
            ordinal: chunk,
            piece: 0,
            kind: EntityKind::Function,
            length: 1,
            lengths: ChunkLengths::default(),
            text: u64::from(chunk),
            // Every third has the right sign at one of the places, every hundredth at both.
            signs: std::array::from_fn(|byte| match byte {
                0 if chunk.is_multiple_of(3) || chunk.is_multiple_of(100) => 8,
                31 if !chunk.is_multiple_of(100) => 128,
                _ => 0,
            }),
        };
        let places: Vec<ChunkPlace> = (0..3000).map(place).collect();
        let mut chosen = preselected(&question, &places, &vec![true; 3000]);
        chosen.sort_unstable();
        assert_eq!(chosen.len(), PRESELECTED);
        assert!((0..30).all(|at| chosen.contains(&(at * 100))));
        assert!(chosen.iter().all(|place| place.is_multiple_of(100) || place.is_multiple_of(3)));
        let accepted: Vec<bool> = (0..3000).map(|place| place % 5 == 1).collect();
        assert_eq!(preselected(&question, &places, &accepted).len(), 600);
    }

    #[test]
    fn a_long_chunk_is_as_near_as_the_nearest_of_its_pieces() {
        let place = |piece: u16| ChunkPlace {
            chunk: 1,
            file: FileId(1),
            ordinal: 0,
            piece,
            kind: EntityKind::Function,
            length: 1,
            lengths: ChunkLengths::default(),
            text: 0,
            signs: [0; SIGNS],
        };
        let places = [0, 1, 2, 0, 0, 1].map(place);
        assert_eq!(pieces(&places, 0).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(pieces(&places, 3).count(), 0);
        let mut cosines = [Some(0.2), Some(0.1), Some(0.5), Some(0.4), None, Some(0.3)];
        let nearest = joined(&mut cosines, &places);
        assert_eq!(cosines, [Some(0.5), None, None, Some(0.4), Some(0.3), None]);
        assert_eq!((nearest.get(&0), nearest.get(&3), nearest.get(&4)), (Some(&2), None, Some(&5)));
    }

    #[test]
    fn aligned_cosines_keep_their_order() {
        let mut cosines = vec![Some(0.9), None, Some(0.7), Some(0.8)];
        aligned(&mut cosines, OF_CHUNKS);
        let at = |place: usize| cosines[place].unwrap();
        assert!(at(0) > at(3) && at(3) > at(2) && cosines[1].is_none());
        assert!((at(3) - OF_CHUNKS.center).abs() < 1e-9);
        let mut equal = vec![Some(0.5); 2];
        aligned(&mut equal, OF_CHUNKS);
        assert_eq!(equal, [Some(OF_CHUNKS.center); 2]);
    }
}
