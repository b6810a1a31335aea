//! How attention spreads over a weighted graph.
//!
//! Two methods give each node a share: personalized `PageRank` (Page and others 1999, damping 0.85) until it converges,
//! and one step of diffusion as in `MotleyCoder`. Nodes are numbered by paths and lines, and each sum is taken in that
//! order. Equal trees give equal bytes.

/// The share of attention that follows a relationship; the rest starts anew.
const DAMPING: f64 = 0.85;
/// The iteration stops when all shares together move less than this.
const STILL: f64 = 1e-6;
/// Most iterations; 0.85^n is below [`STILL`] long before.
const MOST_STEPS: usize = 300;
/// Weights are whole multiples of 1 / `UNIT`.
const UNIT: f32 = 1e6;
/// Share of its attention that a node gives to its neighbors in a diffusion.
const DIFFUSED: f64 = 0.2;

/// Weighted edges, by target.
pub(super) struct Edges {
    /// Where each target's edges begin, and the end.
    starts: Vec<u32>,
    /// Source and weight; the weights of one source sum up to 1.
    edges: Vec<(u32, f32)>,
    /// Nodes without outgoing edges.
    dead_ends: Vec<u32>,
}

impl Edges {
    /// Groups edges (source, target, weight) by target. Parallel edges become one, with their mean weight times the
    /// root of their number: a hundred calls from one place must not drown all others.
    pub(super) fn new(nodes: usize, raw: &[(u32, u32, f32)]) -> Self {
        let is_edge = |(source, target, weight): &&(u32, u32, f32)| source != target && *weight > 0.0;
        // One pass counts and one distributes: sorting all edges takes several times as long.
        let mut ends = vec![0_u32; nodes];
        for (_, target, _) in raw.iter().filter(is_edge) {
            ends[*target as usize] += 1;
        }
        let mut count = 0;
        for end in &mut ends {
            count += std::mem::replace(end, count);
        }
        // Whole numbers give the same sum in any order.
        let mut by_target = vec![(0_u32, 0_u32); count as usize];
        for (source, target, weight) in raw.iter().filter(is_edge) {
            let end = &mut ends[*target as usize];
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "weights are small and positive"
            )]
            let weight = (weight * UNIT) as u32;
            by_target[*end as usize] = (*source, weight);
            *end += 1;
        }
        let mut edges: Vec<(u32, f32)> = Vec::with_capacity(by_target.len());
        let (mut starts, mut leaving) = (Vec::with_capacity(nodes + 1), vec![0.0; nodes]);
        let mut start = 0;
        for end in ends {
            starts.push(u32::try_from(edges.len()).expect("fewer than 2^32 edges"));
            let arriving = &mut by_target[start..end as usize];
            start = end as usize;
            arriving.sort_unstable();
            for same in arriving.chunk_by(|a, b| a.0 == b.0) {
                let sum: u64 = same.iter().map(|(_, weight)| u64::from(*weight)).sum();
                #[expect(clippy::cast_precision_loss, reason = "a weight needs few digits")]
                let weight = sum as f64 / f64::from(UNIT) / (same.len() as f64).sqrt();
                leaving[same[0].0 as usize] += weight;
                #[expect(clippy::cast_possible_truncation, reason = "a weight needs few digits")]
                edges.push((same[0].0, weight as f32));
            }
        }
        starts.push(u32::try_from(edges.len()).expect("fewer than 2^32 edges"));
        for (source, weight) in &mut edges {
            #[expect(clippy::cast_possible_truncation, reason = "a weight needs few digits")]
            let share = (f64::from(*weight) / leaving[*source as usize]) as f32;
            *weight = share;
        }
        let dead_ends = (0_u32..).zip(&leaving).filter(|(_, weight)| **weight == 0.0).map(|(node, _)| node).collect();
        Edges { starts, edges, dead_ends }
    }

    fn into(&self, node: usize) -> &[(u32, f32)] {
        &self.edges[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

/// Shares that sum up to 1. `start` says where attention begins; all zero counts as everywhere.
pub(super) fn page_rank(edges: &Edges, start: &[f64]) -> Vec<f64> {
    let start = shares(start);
    let mut rank = start.clone();
    for _ in 0..MOST_STEPS {
        let lost: f64 = edges.dead_ends.iter().map(|node| rank[*node as usize]).sum();
        let mut moved = 0.0;
        for node in 0..rank.len() {
            // Gauss-Seidel: values of this step are used at once, which halves the number of steps.
            let arriving: f64 =
                edges.into(node).iter().map(|(source, weight)| rank[*source as usize] * f64::from(*weight)).sum();
            let next = (1.0 - DAMPING + DAMPING * lost) * start[node] + DAMPING * arriving;
            moved += (next - rank[node]).abs();
            rank[node] = next;
        }
        if moved < STILL {
            break;
        }
    }
    // The iteration does not preserve the sum: it ends near 1 and is set to 1 here.
    shares(&rank)
}

/// One step: every node keeps its attention and gets a part of its neighbors'.
pub(super) fn diffusion(edges: &Edges, start: &[f64]) -> Vec<f64> {
    let start = shares(start);
    let gained = |node: usize| {
        let arriving: f64 = edges.into(node).iter().map(|(source, _)| start[*source as usize]).sum();
        start[node] + DIFFUSED * arriving
    };
    let rank: Vec<f64> = (0..start.len()).map(gained).collect();
    shares(&rank)
}

fn shares(weights: &[f64]) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    #[expect(clippy::cast_precision_loss, reason = "numbers of entities are small")]
    let even = 1.0 / weights.len().max(1) as f64;
    weights.iter().map(|weight| if sum > 0.0 { weight / sum } else { even }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_those_of_a_solved_example() {
        // 0 → 1, 0 → 2, 1 → 2, 2 → 0; solved by hand for damping 0.85 and an even start.
        let edges = Edges::new(3, &[(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0), (2, 0, 1.0)]);
        let rank = page_rank(&edges, &[1.0; 3]);
        for (found, expected) in rank.iter().zip([0.387_79, 0.214_81, 0.397_40]) {
            assert!((found - expected).abs() < 1e-4, "{rank:?}");
        }
        assert!((rank.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn attention_stays_near_where_it_starts_and_dead_ends_lose_none() {
        let edges = Edges::new(4, &[(0, 1, 1.0), (2, 3, 1.0)]);
        let rank = page_rank(&edges, &[1.0, 0.0, 0.0, 0.0]);
        assert!(rank[0] > rank[1] && rank[1] > 0.0 && rank[2] == 0.0 && rank[3] == 0.0);
        assert!((rank.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let spread = diffusion(&edges, &[1.0, 0.0, 0.0, 0.0]);
        assert!((spread[1] - 0.2 / 1.2).abs() < 1e-9);
    }

    #[test]
    fn nothing_ranks_nothing() {
        assert_eq!(page_rank(&Edges::new(0, &[]), &[]), Vec::<f64>::new());
    }

    #[test]
    fn parallel_edges_are_damped() {
        let many: Vec<_> = vec![(0, 1, 1.0); 100].into_iter().chain([(0, 2, 1.0)]).collect();
        let rank = page_rank(&Edges::new(3, &many), &[1.0, 0.0, 0.0]);
        assert!(rank[1] / rank[2] < 11.0);
    }
}
