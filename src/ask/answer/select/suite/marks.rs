//! The marks of tests: those of their decorators, and those that their classes and modules give them.

use std::collections::BTreeMap;

use crate::{
    ask::answer::AnswerInputs,
    model::{EntityId, EntityKind, FileId, brackets::matching_close, conventions::pytest::MARKS},
    query::target::lineage,
    store::{error::StoreError, read::Entity},
};

/// Characters of a mark that a row shows.
const LONGEST_MARK: usize = 90;
/// Characters of a value that names variables with marks, at most.
const LONGEST_NAMES: usize = 200;
/// The decorators of `unittest` that act like marks.
const OF_UNITTEST: [&str; 4] = ["skip", "skipIf", "skipUnless", "expectedFailure"];

/// A mark, or another decorator of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TestMark {
    /// `skipif`
    pub(super) name: String,
    /// As it is written, with its arguments.
    pub(super) written: String,
    /// Whether it is one of pytest or unittest, and no other decorator.
    pub(super) is_mark: bool,
    /// The class or module that gives it to the test.
    pub(super) giver: Option<String>,
}

/// Reads marks; those of a class or a module only once.
pub(super) struct MarkReader<'a> {
    reading: AnswerInputs<'a>,
    classes: BTreeMap<EntityId, Vec<TestMark>>,
    files: BTreeMap<FileId, Vec<Entity>>,
    /// The marks that a variable holds, by the file that uses it and its name.
    named: BTreeMap<(FileId, String), Vec<TestMark>>,
}

impl<'a> MarkReader<'a> {
    pub(super) fn new(reading: AnswerInputs<'a>) -> Self {
        Self { reading, classes: BTreeMap::new(), files: BTreeMap::new(), named: BTreeMap::new() }
    }

    /// The marks of a test, its own first.
    pub(super) fn marks(&mut self, test: &Entity) -> Result<Vec<TestMark>, StoreError> {
        let mut marks = self.of_decorators(test)?;
        let mut at = test.parent;
        let mut below = test.id;
        while at != below
            && let Some(outer) = self.reading.store.entity(at)?
        {
            match outer.record.kind {
                EntityKind::Class => marks.extend(self.of_class(&outer)?),
                EntityKind::Module => marks.extend(self.of_variable(&outer, MARKS)?),
                _ => {}
            }
            (below, at) = (outer.id, outer.parent);
        }
        Ok(marks)
    }

    /// The marks that a class gives its tests: its own and those of its bases.
    fn of_class(&mut self, class: &Entity) -> Result<Vec<TestMark>, StoreError> {
        if let Some(known) = self.classes.get(&class.id) {
            return Ok(known.clone());
        }
        let mut marks = Vec::new();
        for id in [class.id].into_iter().chain(lineage(self.reading.store, class.id)?) {
            let Some(one) = self.reading.store.entity(id)? else { continue };
            let qualified = format!("{}.{MARKS}", one.record.qualified);
            marks.extend(self.of_decorators(&one)?);
            marks.extend(self.of_variable(&one, &qualified)?);
        }
        for mark in &mut marks {
            mark.giver.get_or_insert_with(|| class.record.name.clone());
        }
        self.classes.insert(class.id, marks.clone());
        Ok(marks)
    }

    /// The marks in a variable `pytestmark` of a class or module.
    fn of_variable(&mut self, holder: &Entity, qualified: &str) -> Result<Vec<TestMark>, StoreError> {
        let variables: Vec<Entity> =
            self.entities(holder.file)?.iter().filter(|one| one.record.qualified == qualified).cloned().collect();
        let mut marks = Vec::new();
        for variable in &variables {
            marks.extend(self.held(variable)?);
        }
        let giver = if holder.record.kind == EntityKind::Module { "its module" } else { holder.record.name.as_str() };
        for mark in &mut marks {
            mark.giver.get_or_insert_with(|| giver.to_owned());
        }
        Ok(marks)
    }

    /// The marks of the decorators of a definition. A decorator may be a variable that holds a mark.
    fn of_decorators(&mut self, entity: &Entity) -> Result<Vec<TestMark>, StoreError> {
        let mut marks = Vec::new();
        for decorator in &entity.record.decorators {
            let (head, _) = decorator.split_once('(').unwrap_or((decorator, ""));
            let head = head.trim();
            let last = head.rsplit('.').next().unwrap_or(head);
            let is_of_unittest = OF_UNITTEST.contains(&last) && (head.starts_with("unittest.") || last != "skip");
            let is_mark = is_of_unittest || head.strip_suffix(last).is_some_and(is_mark_path);
            let variable = if is_mark { Vec::new() } else { self.named(entity.file, head)? };
            if variable.is_empty() {
                marks.push(TestMark { name: last.to_owned(), written: short(decorator), is_mark, giver: None });
            } else {
                marks.extend(
                    variable.into_iter().map(|mark| TestMark { written: format!("{head}: {}", mark.written), ..mark }),
                );
            }
        }
        Ok(marks)
    }

    /// The marks of the variable of this name, in the same file or where it is imported from.
    fn named(&mut self, file: FileId, name: &str) -> Result<Vec<TestMark>, StoreError> {
        let key = (file, name.to_owned());
        if let Some(known) = self.named.get(&key) {
            return Ok(known.clone());
        }
        let last = name.rsplit('.').next().unwrap_or(name);
        let mut found = self.reading.store.entities_named(last, false)?;
        found.retain(|one| one.record.kind == EntityKind::Variable);
        found.sort_by_key(|one| (one.file != file, one.path.clone()));
        // A variable that holds itself ends here.
        self.named.insert(key.clone(), Vec::new());
        let marks = found.first().map(|variable| self.held(variable)).transpose()?.unwrap_or_default();
        self.named.insert(key, marks.clone());
        Ok(marks)
    }

    /// The marks in the value of a variable, or in those of the variables that it names: `pytestmark = skiponwin32`.
    fn held(&mut self, variable: &Entity) -> Result<Vec<TestMark>, StoreError> {
        let record = &variable.record;
        let text = self.reading.sources.lines(&variable.path, record.start_line, record.end_line).unwrap_or_default();
        let Some((_, value)) = text.split_once('=') else { return Ok(Vec::new()) };
        let mut marks = marks_in(value);
        if marks.is_empty() && !value.contains('(') && value.len() < LONGEST_NAMES {
            for name in value.split([',', '[', ']', ' ', '\n']).filter(|name| !name.is_empty()) {
                marks.extend(self.named(variable.file, name)?);
            }
        }
        Ok(marks)
    }

    fn entities(&mut self, file: FileId) -> Result<&Vec<Entity>, StoreError> {
        if !self.files.contains_key(&file) {
            let mut held = self.reading.store.entities_of(file)?;
            held.retain(|one| one.record.name == MARKS);
            self.files.insert(file, held);
        }
        Ok(&self.files[&file])
    }
}

/// Whether a dotted path, with its last dot, is the one of marks: `pytest.mark.`.
fn is_mark_path(path: &str) -> bool {
    path == "mark." || path.ends_with(".mark.")
}

/// The marks of an expression, but for those within the arguments of another mark.
fn marks_in(value: &str) -> Vec<TestMark> {
    let mut marks = Vec::new();
    let mut rest = value;
    while let Some(at) = rest.find("mark.") {
        let is_begun = rest[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_');
        let behind = &rest[at + "mark.".len()..];
        let end = behind.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(behind.len());
        let close = behind[end..].starts_with('(').then(|| matching_close(behind, end)).flatten();
        let whole = close.map_or(end, |close| close + 1);
        if is_begun && end > 0 {
            let (name, written) = (behind[..end].to_owned(), short(&behind[..whole]));
            marks.push(TestMark { name, written, is_mark: true, giver: None });
        }
        rest = &behind[whole..];
    }
    marks
}

/// The text in one line, without its end where it is long.
fn short(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.trim_start_matches("pytest.").trim_start_matches("mark.");
    if text.chars().count() <= LONGEST_MARK {
        return text.to_owned();
    }
    text.chars().take(LONGEST_MARK).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_within_the_arguments_of_a_mark_are_not_those_of_the_test() {
        let names = |text: &str| marks_in(text).into_iter().map(|mark| mark.name).collect::<Vec<_>>().join(" ");
        assert_eq!(names(" pytest.mark.slow"), "slow");
        assert_eq!(names(" [pytest.mark.skipif(x, reason='a mark.b'), mark.slow]"), "skipif slow");
        assert_eq!(names(" pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.xfail)])"), "parametrize");
        assert_eq!(names(" benchmark.run"), "");
    }
}
