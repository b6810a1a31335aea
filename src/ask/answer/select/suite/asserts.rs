//! The statements of tests that check something.

use crate::{ask::answer::AnswerInputs, query::source::texts::lines_of_texts, store::read::Entity};

/// Reads the source of tests.
pub(super) struct Asserts<'a> {
    reading: AnswerInputs<'a>,
}

impl<'a> Asserts<'a> {
    pub(super) fn new(reading: AnswerInputs<'a>) -> Self {
        Self { reading }
    }

    /// The source of a test, without what its texts say.
    pub(super) fn text(&self, test: &Entity) -> String {
        let record = &test.record;
        let text = self.reading.sources.lines(&test.path, record.line, record.end_line).unwrap_or_default();
        let texts = lines_of_texts(&text);
        let lines = (1..).zip(text.lines()).filter(|(number, _)| !texts.contains_key(number));
        lines.map(|(_, line)| line).collect::<Vec<_>>().join("\n")
    }

    /// The source of the decorators of a test.
    pub(super) fn decorators(&self, test: &Entity) -> String {
        let record = &test.record;
        self.reading.sources.lines(&test.path, record.start_line, record.line).unwrap_or_default()
    }

    /// Whether a test asserts something itself: by a statement, a method of unittest, or one of a mock.
    pub(super) fn has(&self, test: &Entity) -> bool {
        self.text(test).lines().any(|line| {
            let line = line.trim_start();
            let is_statement = line.starts_with("assert ") || line.starts_with("assert(");
            is_statement || line.contains(": assert ") || line.contains("self.assert") || line.contains(".assert_")
        })
    }

    /// Whether a test expects an exception or a warning: `with pytest.raises(E)`.
    pub(super) fn expects(&self, test: &Entity) -> bool {
        const CALLS: [&str; 5] = ["raises(", "warns(", "deprecated_call(", "pytest.fail(", "assertRaises"];
        let text = self.text(test);
        CALLS.iter().any(|call| text.contains(call))
    }
}
