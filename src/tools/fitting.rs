//! Fits an answer to its budget, and adds its last line.
//!
//! The budget is one of real tokenizers, so the sheet counts by an upper estimate. The words around the sheet make
//! a text longer now and then; then the budget of the sheet shrinks until the whole text fits.

use serde::Serialize;

use crate::{
    ask::context::tokens::{head, tokens},
    error::Failure,
    query::words::count,
    render::{
        escape::visible_path,
        screen::Screen,
        sheet::{Budget, Sheet},
    },
    tools::{ToolAnswer, WithStanding, arguments::MAX_TOKENS, standing::AnswerStanding},
};

/// Attempts to fit a text by a smaller budget before lines are cut.
const MAX_ATTEMPTS: usize = 6;
/// With fewer tokens, places come before limits: the last line names the first one.
const SMALL: usize = 1000;
/// Characters of a last line that a small budget leaves.
const SHORT_LINE: usize = 240;

/// The frame of an answer.
pub(super) struct AnswerFrame {
    pub(super) tokens: usize,
    pub(super) with_report: bool,
    pub(super) standing: AnswerStanding,
    /// Lines above the last one.
    pub(super) notes: Vec<String>,
    /// Files whose source is withheld.
    pub(super) withheld: Vec<String>,
}

impl AnswerFrame {
    /// A text with the last line.
    pub(super) fn message(&self, text: &str) -> ToolAnswer {
        ToolAnswer { text: self.closed(text, &self.last_line(None)), report: None }
    }

    /// An answer from what `write` puts on a screen of some budget. `command` is the one that the text would name for
    /// more.
    pub(super) fn answer<R: Serialize>(
        &self,
        report: &R,
        completeness: Option<&str>,
        command: &str,
        write: impl Fn(&mut dyn std::io::Write, &Screen) -> std::io::Result<()>,
    ) -> Result<ToolAnswer, Failure> {
        let last = self.last_line(completeness);
        let room =
            self.tokens.saturating_sub(tokens(&last) + self.notes.iter().map(|note| tokens(note)).sum::<usize>());
        let mut budget = room;
        let mut text = String::new();
        for _ in 0..MAX_ATTEMPTS {
            let screen = Screen { budget: Budget::MostTokens(budget.max(1)), ..Screen::default() };
            let mut written = Vec::new();
            write(&mut written, &screen)?;
            text = self.for_models(&String::from_utf8_lossy(&written), command);
            let needed = tokens(&text);
            if needed <= room {
                break;
            }
            // A step that is too small would be repeated.
            budget = (budget * room / needed).min(budget.saturating_sub(10));
        }
        let report = if self.with_report {
            Some(serde_json::to_value(WithStanding { report, standing: &self.standing })?)
        } else {
            None
        };
        Ok(ToolAnswer { text: self.closed(&text, &last), report })
    }

    /// Leaves out the parts for which a small budget has no room.
    pub(super) fn shorten(&self, sheet: &mut Sheet) {
        if self.tokens < SMALL {
            sheet.limits.clear();
        }
    }

    /// The words of the command line in those of the tools.
    fn for_models(&self, text: &str, command: &str) -> String {
        let more = if self.tokens < MAX_TOKENS {
            format!("more: max_tokens={}", (self.tokens * 2).min(MAX_TOKENS))
        } else {
            "more: ask about a part of it".to_owned()
        };
        text.replace(&format!("everything: {command} --all"), &more)
            .replace("(--possible lists them)", "(possible=true lists them)")
            .replace("--limit shows them", "a larger limit shows them")
    }

    fn last_line(&self, completeness: Option<&str>) -> String {
        let line = self.standing.words(completeness);
        let most = self.tokens / 3;
        if tokens(&line) <= most {
            return line;
        }
        let line: String = line.chars().take(SHORT_LINE).collect();
        format!("{}…", head(&line, most))
    }

    /// A line about the files in `text` whose source is withheld.
    fn withheld_in(&self, text: &str) -> String {
        let named: Vec<&String> = self.withheld.iter().filter(|path| text.contains(path.as_str())).collect();
        match named.as_slice() {
            [] => String::new(),
            [path] => format!("an ignore file withholds the source of {}\n", visible_path(path)),
            many => format!("an ignore file withholds the source of {}\n", count(many.len(), "file")),
        }
    }

    /// `text` with notes and the last line, in lines that the budget holds.
    fn closed(&self, text: &str, last: &str) -> String {
        let mut end = String::new();
        for note in &self.notes {
            end += &format!("{note}\n");
        }
        end += &self.withheld_in(text);
        end += last;
        let room = self.tokens.saturating_sub(tokens(&end) + 1);
        let mut lines: Vec<&str> = text.trim_end().lines().collect();
        let size = |lines: &[&str]| lines.iter().map(|line| tokens(line) + 1).sum::<usize>();
        // The verdict and a place stand in any sheet; a very small budget cuts the rest from the end.
        while lines.len() > 2 && tokens(&lines.join("\n")) > room && size(&lines) > room {
            lines.pop();
        }
        let mut text = lines.join("\n");
        if let [verdict, place] = lines.as_slice()
            && tokens(&text) > room
        {
            let verdict = head(verdict, room.saturating_sub(tokens(place) + 1));
            text = format!("{verdict}…\n{place}");
        }
        format!("{}\n{end}", head(&text, room).trim_end())
    }
}
