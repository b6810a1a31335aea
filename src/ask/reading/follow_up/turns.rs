//! The turns of a conversation, and the one that a follow-up goes on with.
//!
//! | operation | goes on with |
//! |---|---|
//! | `Choose`, `CountChosen`, `Every` | the list of the conversation |
//! | `Count` | the last answer, or the list where that one only counted a part of it |
//! | `Rest` | the last choice, and the list that it chose from |
//! | `Row` | the list of the conversation |
//! | `Again` | the last question if it has a place for the new name or file, else the last question for a list |
//! | `About` | the definition that the conversation is about |
//!
//! The list of the conversation is that of the newest answer that lists definitions, even none. A number, a verdict
//! on all of them, the description of a row and a follow-up that is not understood leave it as it is. A choice replaces
//! it, and one that leaves fewer than two is followed by a choice from the same list.

use serde::{Deserialize, Serialize};

use crate::{
    ask::reading::names::at_path,
    model::EntityKind,
    store::{Store, error::StoreError, read::Entity},
};

/// Turns in which the subject of a follow-up is looked for.
const MAX_BETWEEN: usize = 4;
/// Turns in which the list of a follow-up is looked for: several questions can be about one list.
const MAX_LISTS: usize = 8;

/// A question with its answer, as a session keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConversationTurn {
    /// The question as one that stands by itself.
    pub question: String,
    pub answer: String,
    /// Full names of its subjects.
    pub subjects: Vec<String>,
    /// The full name of the definition that `it` means afterwards.
    #[serde(default)]
    pub topic: Option<String>,
    /// The definitions that the answer lists.
    #[serde(default)]
    pub listed: Vec<ListedName>,
    /// Absent in the sessions of earlier versions.
    #[serde(default)]
    pub told: ToldTurn,
}

/// A definition by its full name and file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedName {
    pub name: String,
    pub path: String,
}

/// The parts of a turn that follow-ups go on with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToldTurn {
    /// `None` for a question of its own.
    pub goes_on: Option<GoingOn>,
    /// The names of the question as it spells them.
    pub names: Vec<String>,
    /// The answer lists definitions, perhaps none.
    pub is_list: bool,
    /// The things that it counts, where these are not the definitions: 3, `place`.
    pub counted: Option<(usize, String)>,
    /// The answer describes one definition, or is the nearest in meaning: it has a list only where no other has.
    #[serde(default)]
    pub is_aside: bool,
    /// The first line of the answer from the index.
    pub headline: String,
}

/// A way in which a question goes on with a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operation {
    /// `which of them are private?`, `only the private ones`
    Choose,
    /// `how many of them are private?`
    CountChosen,
    /// `are they all documented?`
    Every,
    /// `how many?`
    Count,
    /// `the others?`
    Rest,
    /// `explain the second one`
    Row,
    /// `and of Cart?`, `and in b.py?`, `and classes?`
    Again,
    /// `who calls it?`
    About,
    /// A follow-up that is not understood: the next one goes on with the turn before.
    Lost,
}

/// A question as one that goes on with a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoingOn {
    pub operation: Operation,
    /// The number of turns back to the one with the list that it is about; 0 for none.
    pub list: usize,
}

/// The place that `in there` means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TurnPlace {
    File(String),
    /// The full name of a definition.
    Within(String),
}

/// The conversation before a question, oldest turn first.
#[derive(Clone, Debug, Default)]
pub struct Conversation {
    pub turns: Vec<ConversationTurn>,
}

impl ConversationTurn {
    /// Whether the answer lists definitions, perhaps none.
    pub(super) fn lists(&self) -> bool {
        self.told.is_list || !self.listed.is_empty()
    }

    /// Whether the question chose from the list of the conversation.
    pub(super) fn is_of_list(&self) -> bool {
        use Operation::{Choose, CountChosen, Every};
        self.lists() && matches!(self.operation(), Some(Choose | CountChosen | Every))
    }

    /// How the question went on with the conversation; `None` for one of its own.
    pub(super) fn operation(&self) -> Option<Operation> {
        self.told.goes_on.map(|goes_on| goes_on.operation)
    }

    /// Whether the list of the conversation is still that from before.
    fn keeps_list(&self) -> bool {
        use Operation::{Count, CountChosen, Every, Lost};
        !self.lists() || matches!(self.operation(), Some(Count | CountChosen | Every | Lost))
    }

    /// The definitions that the answer lists, as far as they still exist.
    pub(super) fn entities(&self, store: &Store) -> Result<Vec<Entity>, StoreError> {
        let mut entities = Vec::new();
        for one in &self.listed {
            entities.extend(match one.name.split_once("::") {
                Some((_, test)) => test_at(store, test, &one.path)?,
                None => match at_path(store, &one.name, &one.path)? {
                    Some(entity) => Some(entity),
                    None => module_at(store, one)?,
                },
            });
        }
        entities.dedup_by_key(|entity| entity.id);
        Ok(entities)
    }
}

impl Conversation {
    /// The last turn with subjects: a question in between that names nothing does not change the subject.
    pub fn with_subjects(&self) -> Option<&ConversationTurn> {
        let recent = self.turns.iter().rev().take(MAX_BETWEEN);
        recent.into_iter().find(|turn| !turn.subjects.is_empty())
    }

    /// The definitions of its list, for questions that stand by themselves and speak of them all the same.
    pub fn listed(&self, store: &Store) -> Result<Vec<Entity>, StoreError> {
        let list = self.choice_before(self.turns.len());
        list.map_or_else(|| Ok(Vec::new()), |at| self.turns[at].entities(store))
    }

    /// The full names of the definitions that `it` meant or could mean, turn by turn, the newest first.
    pub(super) fn topics(&self) -> Vec<String> {
        self.turns.iter().rev().take(MAX_BETWEEN).filter_map(|turn| turn.topic.clone()).collect()
    }

    /// The number of the last question that was understood, and asked for more than a number that was known.
    pub(super) fn last_asked(&self) -> Option<usize> {
        self.turns.iter().rposition(|turn| !matches!(turn.operation(), Some(Operation::Count | Operation::Lost)))
    }

    /// The number of the turn with the list that turn `at` is about.
    pub(super) fn list_of(&self, at: usize) -> Option<usize> {
        let back = self.turns[at].told.goes_on.map_or(0, |goes_on| goes_on.list);
        at.checked_sub(back).filter(|_| back > 0)
    }

    /// The number of the last question for a list, whatever was chosen from it since.
    pub(super) fn list_question(&self) -> Option<usize> {
        let is_opening = |turn: &ConversationTurn| {
            turn.lists() && !turn.is_of_list() && !matches!(turn.operation(), Some(Operation::Count | Operation::Rest))
        };
        self.newest(self.turns.len(), is_opening)
    }

    /// The number of the turn that has the list of the conversation before turn `end`.
    pub(super) fn list_before(&self, end: usize) -> Option<usize> {
        self.newest(end, |turn| !turn.keeps_list())
    }

    /// The number of the newest turn before `end` that fits, and has its list not only aside.
    fn newest(&self, end: usize, fits: impl Fn(&ConversationTurn) -> bool) -> Option<usize> {
        let found = |is_aside: bool| {
            self.recent(end).find(|at| fits(&self.turns[*at]) && (is_aside || !self.turns[*at].told.is_aside))
        };
        found(false).or_else(|| found(true))
    }

    /// The same for a choice: of none or one definition that is left of a list nothing can be chosen.
    pub(super) fn choice_before(&self, end: usize) -> Option<usize> {
        let is_chosen = |turn: &ConversationTurn| turn.is_of_list() || turn.operation() == Some(Operation::Rest);
        let is_left = |turn: &ConversationTurn| is_chosen(turn) && turn.listed.len() < 2;
        self.newest(end, |turn| !turn.keeps_list() && !is_left(turn))
    }

    /// The file that `in there` means: of the newest question that names one, else of the newest topic.
    pub(super) fn place(&self) -> Option<TurnPlace> {
        self.turns.iter().rev().take(MAX_BETWEEN).find_map(|turn| {
            let mut words = turn.question.split_whitespace().map(|word| word.trim_matches(['?', '!', ',', '`', '.']));
            let file = words.rfind(|word| word.contains('/') || word.ends_with(".py"));
            let topic = || turn.topic.clone().map(TurnPlace::Within);
            file.map(|file| TurnPlace::File(file.to_owned())).or_else(topic)
        })
    }

    /// The numbers of the turns before `end`, the newest first.
    fn recent(&self, end: usize) -> impl Iterator<Item = usize> {
        (end.saturating_sub(MAX_LISTS)..end).rev()
    }
}

/// The test with this id of pytest in a file: `TestCart::test_add[one]`.
fn test_at(store: &Store, test: &str, path: &str) -> Result<Option<Entity>, StoreError> {
    let qualified = test.split('[').next().unwrap_or(test).replace("::", ".");
    let Some(file) = store.file_id(path)? else { return Ok(None) };
    Ok(store.entities_of(file)?.into_iter().find(|entity| entity.record.qualified == qualified))
}

/// The module of this name in a file.
fn module_at(store: &Store, one: &ListedName) -> Result<Option<Entity>, StoreError> {
    let Some(file) = store.file_id(&one.path)? else { return Ok(None) };
    let mut entities = store.entities_of(file)?.into_iter();
    Ok(entities.find(|entity| entity.record.kind == EntityKind::Module && entity.full_name() == one.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(question: &str, operation: Option<Operation>, listed: usize) -> ConversationTurn {
        let name = |number: usize| ListedName { name: format!("shop.f{number}"), path: "shop.py".to_owned() };
        let goes_on = operation.map(|operation| GoingOn { operation, list: 1 });
        let told = ToldTurn { goes_on, is_list: true, ..ToldTurn::default() };
        ConversationTurn {
            question: question.to_owned(),
            listed: (0..listed).map(name).collect(),
            told,
            ..ConversationTurn::default()
        }
    }

    #[test]
    fn each_operation_goes_on_with_its_turn() {
        let talk = Conversation {
            turns: vec![
                turn("functions in shop.py", None, 9),
                turn("how many of these functions are private?", Some(Operation::CountChosen), 3),
                turn("which of these functions are async?", Some(Operation::Choose), 1),
                turn("how many?", Some(Operation::Count), 0),
            ],
        };
        assert_eq!(talk.list_question(), Some(0), "a choice is no question for a list");
        assert_eq!(talk.list_before(2), Some(0), "a number leaves the list as it is");
        assert_eq!(talk.list_before(4), Some(2), "a choice replaces it");
        assert_eq!(talk.choice_before(4), Some(0), "the one that is left is nothing to choose from");
        assert_eq!(talk.last_asked(), Some(2));
        assert_eq!((talk.list_of(1), talk.list_of(0)), (Some(0), None));
        assert_eq!(talk.place(), Some(TurnPlace::File("shop.py".to_owned())));
        let none = Conversation {
            turns: vec![turn("methods of C", None, 4), turn("which are async?", Some(Operation::Choose), 0)],
        };
        assert_eq!(none.choice_before(2), Some(0), "a choice that leaves none loses no list");
        assert_eq!(none.place(), None);
        let mut aside = turn("explain shop.f1", None, 5);
        aside.told.is_aside = true;
        let talk = Conversation { turns: vec![turn("methods of C", None, 4), aside.clone()] };
        assert_eq!(talk.list_before(2), Some(0), "a description does not replace the list");
        assert_eq!(Conversation { turns: vec![aside] }.list_before(1), Some(0));
    }

    #[test]
    fn a_turn_of_an_earlier_version_is_read() {
        let line = r#"{"question":"methods of C","answer":"","subjects":[],"listed":[{"name":"a.C.f","path":"a.py"}]}"#;
        let turn: ConversationTurn = serde_json::from_str(line).expect("an old turn");
        assert!(turn.lists() && !turn.is_of_list());
    }
}
