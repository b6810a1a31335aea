//! Takes the secrets out of an answer.
//!
//! A line of a file is read with that file around it, and a sentence by itself. A value that only its name makes a
//! secret may stand in a sentence without that name, so the values of the files of the answer are taken out of it too.

use std::{borrow::Cow, collections::BTreeSet};

use crate::{
    ask::answer::{Answer, AnswerBlock, Snippet},
    query::source::Sources,
    texts::secrets::{has_random_run, prose_without_secrets},
};

/// Files of an answer whose values are looked for; a longer list has no sentence with a value.
const MOST_FILES: usize = 100;
/// Stands for a value that its name makes a secret.
const HIDDEN: &str = "[REDACTED_assigned_secret]";

impl Answer {
    /// Takes the secrets out of all that it shows.
    pub(in crate::ask) fn hide_secrets(&mut self, sources: &Sources) {
        let mut is_random = false;
        self.each_text(&mut |place, text| {
            let clean = match place {
                Some((path, lines)) => sources.shown_text(path, lines, text),
                None => prose_without_secrets(text),
            };
            if let Cow::Owned(clean) = clean {
                *text = clean;
            }
            is_random |= has_random_run(text);
        });
        if !is_random {
            return;
        }
        let mut paths = BTreeSet::new();
        self.each_text(&mut |place, _| paths.extend(place.map(|(path, _)| path.to_owned())));
        let values = sources.named_secrets(paths.iter().map(String::as_str).take(MOST_FILES));
        self.each_text(&mut |_, text| {
            for value in values.iter().filter(|value| !HIDDEN.contains(value.as_str())) {
                if text.contains(value.as_str()) {
                    *text = text.replace(value.as_str(), HIDDEN);
                }
            }
        });
    }

    /// Calls `change` with each text, and with the file and lines from which it is, if it is from one.
    fn each_text(&mut self, change: &mut dyn FnMut(Option<(&str, (u32, u32))>, &mut String)) {
        change(None, &mut self.headline);
        for block in &mut self.blocks {
            match block {
                AnswerBlock::Source(Snippet { text: Some(text), path, start_line, end_line, .. }) => {
                    change(Some((path, (*start_line, *end_line))), text);
                }
                AnswerBlock::List(list) => {
                    change(None, &mut list.title);
                    for row in &mut list.rows {
                        change(Some((&row.path, (row.line, row.line))), &mut row.text);
                        change(Some((&row.path, (row.line, row.end_line))), &mut row.signature);
                        change(None, &mut row.name);
                        change(None, &mut row.note);
                    }
                }
                AnswerBlock::Table(table) => {
                    change(None, &mut table.title);
                    table.rows.iter_mut().flatten().for_each(|cell| change(None, cell));
                }
                AnswerBlock::Source(_) | AnswerBlock::Impact(_) => {}
            }
        }
    }
}
