//! The parts of a prompt about the whole repository: its outline, as much of it as the budget holds in each part.
//!
//! The first part shares its room with the definitions that matter most; the others hold the outline alone. Where a
//! part ends depends on the question, the budget and the index, never on the part that is asked for. So the parts
//! together name every file, and `--part` goes on where another call stopped.

use crate::{
    ask::{
        answer::{
            Answer, AnswerBlock,
            facts::{FactGroup, FactLine, groups},
        },
        context::{PrivacyGuard, tokens::head},
    },
    cli::commands::ask::measure::Measure,
};

/// Tokens of the smallest room for an outline in a part.
pub(super) const LEAST_ROOM: usize = 120;
/// The outline takes at most this part of the first prompt, in percent.
const FIRST_SHARE: usize = 50;

/// The outline of a repository in an answer, and the rest of that answer.
pub(super) struct Outline {
    pub(super) overview: Answer,
    /// One for each file.
    files: Vec<FactGroup>,
}

/// Lines of the outline in one part: of the file at `file`, those from `start` to `end`.
pub(super) type Piece = (usize, usize, usize);

impl Outline {
    /// A number of parts that no outline reaches, for the longest line that counts them.
    pub(super) const MOST_PARTS: usize = 10_000;

    /// The outline in an answer; `None` where it has none.
    pub(super) fn of(answer: &Answer, guard: &PrivacyGuard) -> Option<Self> {
        let is_outline = |block: &AnswerBlock| matches!(block, AnswerBlock::List(list) if list.outline_of.is_some());
        let (outline, rest): (Vec<_>, Vec<_>) = answer.blocks.iter().cloned().partition(is_outline);
        if outline.is_empty() {
            return None;
        }
        let overview = Answer { blocks: rest, ..answer.clone() };
        let mut files = groups(&Answer { blocks: outline, ..answer.clone() }, guard.is_withheld);
        let one_line = |text: &str| (guard.clean)(text).replace('\n', " ");
        for file in &mut files {
            file.title = one_line(&file.title);
            file.lines.iter_mut().for_each(|line| line.text = one_line(&line.text));
        }
        Some(Self { overview, files })
    }

    /// Divides the outline among parts of `room` tokens; at least one part.
    pub(super) fn divided(&self, room: usize, measure: &Measure) -> Vec<Vec<Piece>> {
        let title = |file: &FactGroup| measure.text(&format!("## {}\n\n\n", file.title));
        let cost = |line: &FactLine| measure.text(&format!("- {}\n", cut(&line.text, room)));
        let costs: Vec<(usize, Vec<usize>)> =
            self.files.iter().map(|file| (title(file), file.lines.iter().map(cost).collect())).collect();
        let all: usize = costs.iter().map(|(title, lines)| title + lines.iter().sum::<usize>()).sum();
        // A short outline leaves more than half of the prompt to the source.
        let first = (room * FIRST_SHARE / 100).min(all);
        let (mut parts, mut left) = (vec![Vec::new()], first);
        for (file, (title, lines)) in costs.iter().enumerate() {
            let mut is_titled = false;
            for (line, cost) in lines.iter().enumerate() {
                let wanted = cost + if is_titled { 0 } else { *title };
                if wanted > left && (parts.len() == 1 || left < room) {
                    parts.push(Vec::new());
                    (left, is_titled) = (room, false);
                }
                let part: &mut Vec<Piece> = parts.last_mut().expect("there is one");
                left = left.saturating_sub(cost + if is_titled { 0 } else { *title });
                match part.last_mut().filter(|_| is_titled) {
                    Some((_, _, end)) => *end = line + 1,
                    None => part.push((file, line, line + 1)),
                }
                is_titled = true;
            }
        }
        parts
    }

    /// The facts of a part.
    pub(super) fn facts(&self, pieces: &[Piece], room: usize) -> Vec<FactGroup> {
        let group = |(file, start, end): &Piece| {
            let file = &self.files[*file];
            let lines = file.lines[*start..*end].iter();
            let lines =
                lines.map(|line| FactLine { text: cut(&line.text, room).to_owned(), files: line.files.clone() });
            FactGroup::new(&file.title, lines.collect())
        };
        pieces.iter().map(group).collect()
    }
}

/// A line that leaves room for others in its part.
fn cut(line: &str, room: usize) -> &str {
    head(line, room / 2)
}
