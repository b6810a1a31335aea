//! Questions that go on with the one before them, as questions that stand by themselves.
//!
//! A follow-up leaves out what the conversation has: its subject, its question, or its list. Each is one operation on
//! the conversation, and `turns` says which turn it goes on with. The full question has that in words, so that every
//! form of a question understands it. A follow-up that nothing in the conversation answers is said to be so.

mod again;
mod ellipsis;
mod members;
mod of_list;
mod place;
mod pronouns;
mod rows;
mod tokens;
pub mod turns;

use self::{
    of_list::OfList,
    rows::NumberedRow,
    turns::{Conversation, ConversationTurn, GoingOn, Operation},
};
use crate::{
    ask::reading::{
        forms::own_change::{OfChange, OwnQuestion},
        plan::Hints,
        relations::list_noun,
    },
    model::EntityKind,
    query::{
        target::{Target, TargetMatch, look_up},
        words::{count, plural},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// A follow-up as a question that stands by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FullQuestion {
    pub text: String,
    pub goes_on: GoingOn,
    /// The definition that the conversation stays with.
    pub topic: Option<String>,
    /// The definitions that it chooses from.
    pub among: Vec<Entity>,
    /// The answer, where the conversation alone has it.
    pub said: Option<String>,
}

/// The definition that a conversation is about, with the names by which questions speak of it.
struct EarlierSubject {
    target: Target,
    /// A name that means it alone.
    name: String,
}

impl FullQuestion {
    fn of(operation: Operation, text: String) -> Self {
        Self { text, goes_on: GoingOn { operation, list: 0 }, topic: None, among: Vec::new(), said: None }
    }

    fn said(operation: Operation, text: &str, said: String) -> Self {
        Self { said: Some(said), ..Self::of(operation, text.to_owned()) }
    }

    /// The question about the list of turn `at`.
    fn about_list(mut self, store: &Store, conversation: &Conversation, at: Option<usize>) -> Result<Self, StoreError> {
        if let Some(at) = at {
            self.goes_on.list = conversation.turns.len() - at;
            self.among = conversation.turns[at].entities(store)?;
            // Nothing is asked of the modules beside definitions: they hold the uses outside of any.
            if self.among.iter().any(|one| one.record.kind != EntityKind::Module) {
                self.among.retain(|one| one.record.kind != EntityKind::Module);
            }
        }
        Ok(self)
    }
}

/// The full question behind a follow-up; `None` for a question of its own.
pub fn full_question(store: &Store, hints: &Hints, text: &str) -> Result<Option<FullQuestion>, StoreError> {
    let conversation = &hints.conversation;
    if hints.is_selected || conversation.turns.is_empty() {
        return Ok(None);
    }
    if let Some(text) = place::there_in_file(conversation, text) {
        return Ok(Some(FullQuestion::of(Operation::Again, text)));
    }
    if !place::speaks_of_place(text) {
        return goes_on(store, hints, text);
    }
    let Some(text) = place::placed(store, conversation, text)? else {
        let lost = "which place `there` means is not known: no question before this one names a file or a definition";
        return Ok(Some(FullQuestion::said(Operation::Again, text, lost.to_owned())));
    };
    let full = goes_on(store, hints, &text)?;
    Ok(Some(full.unwrap_or_else(|| FullQuestion::of(Operation::Again, text))))
}

/// Whether a text that nothing here understood speaks of the list before: `what do they raise?`.
pub fn is_about_list(hints: &Hints, text: &str) -> bool {
    let lists = hints.conversation.turns.last().is_some_and(|last| last.lists() || last.is_of_list());
    let lists = lists || hints.conversation.last_asked().is_some_and(|at| hints.conversation.turns[at].lists());
    lists && hints.listed.len() > 1 && of_list::speaks_of_list(text)
}

/// The full question of a text that has its place.
fn goes_on(store: &Store, hints: &Hints, text: &str) -> Result<Option<FullQuestion>, StoreError> {
    let conversation = &hints.conversation;
    let end = conversation.turns.len();
    let topics = conversation.topics();
    let last = conversation.last_asked();
    if let Some((turn, text)) = last.and_then(|turn| {
        let question = &conversation.turns[turn].question;
        Some((turn, ellipsis::restricted(question, text)?))
    }) {
        let again = asked_again(store, conversation, turn, text)?;
        return Ok(Some(FullQuestion { topic: topics.first().cloned(), ..again }));
    }
    if let Some(again) = again::asked_again(store, conversation, text)? {
        return asked_again(store, conversation, again.turn, again.text).map(Some);
    }
    let own = OwnQuestion::of(text);
    if own.as_ref().is_some_and(|own| !own.is_bare && own.revision.is_none()) {
        return Ok(None);
    }
    let asks_for_tests = own.is_some_and(|own| own.is_bare && own.first() == OfChange::Tests);
    if let Some(row) = of_row(store, conversation, text)? {
        return Ok(Some(row));
    }
    let listed = conversation.list_before(end).map(|at| conversation.turns[at].entities(store)).transpose()?;
    if let Some(text) = rows::both_named(store, conversation, listed.as_deref().unwrap_or_default(), text)? {
        return Ok(Some(FullQuestion::of(Operation::Again, text)));
    }
    if let Some(full) = of_list(store, hints, text)? {
        return Ok(Some(full));
    }
    let topic = topics.first().map(|topic| EarlierSubject::of(store, topic)).transpose()?.flatten();
    if let Some(topic) = topic {
        let asked = conversation.with_subjects().map_or("", |turn| &turn.question);
        let full = match ellipsis::doing_that(&topic.name, asked, text) {
            Some(text) => Some(text),
            None => again::of_parameter(store, &topic.target, &topic.name, text)?,
        };
        let full = match full {
            Some(text) => Some(text),
            None => pronouns::replaced(store, &topic, text)?,
        };
        let full = match full {
            Some(text) => Some(text),
            None => ellipsis::completed(&topic.name, asked, text, asks_for_tests),
        };
        if let Some(text) = full {
            let topic = Some(topic.target.main().full_name());
            return Ok(Some(FullQuestion { topic, ..FullQuestion::of(Operation::About, text) }));
        }
    }
    let lost = match again::other_kind(text) {
        Some(kind) => {
            format!("which {kind} are meant is not known: no question before asks for a list of another kind")
        }
        None => match again::other_file(text) {
            Some(file) => format!("which question is meant for {file} is not known: the one before asks for no list"),
            None => return Ok(None),
        },
    };
    Ok(Some(FullQuestion::said(Operation::Again, text, lost)))
}

/// The question of a turn with other words; a choice chooses from the same list again.
fn asked_again(
    store: &Store,
    conversation: &Conversation,
    turn: usize,
    text: String,
) -> Result<FullQuestion, StoreError> {
    match conversation.turns[turn].operation().filter(|_| conversation.turns[turn].is_of_list()) {
        Some(operation) => {
            FullQuestion::of(operation, text).about_list(store, conversation, conversation.list_of(turn))
        }
        None => Ok(FullQuestion::of(Operation::Again, text)),
    }
}

/// The question about a row of the list, by its number. The number alone asks about that row what was asked about
/// another one, else what it is.
fn of_row(store: &Store, conversation: &Conversation, text: &str) -> Result<Option<FullQuestion>, StoreError> {
    let row_of = |at: usize, text: &str| rows::numbered_row(store, &conversation.turns[at].entities(store)?, text);
    let of = |at: usize, text: String| {
        let list = conversation.turns.len() - at;
        Ok(Some(FullQuestion {
            goes_on: GoingOn { operation: Operation::Row, list },
            ..FullQuestion::of(Operation::Row, text)
        }))
    };
    let last = conversation.last_asked().filter(|last| conversation.turns[*last].operation() == Some(Operation::Row));
    if let Some((last, at)) = last.and_then(|last| Some((last, conversation.list_of(last)?)))
        && let Some(NumberedRow { name, text: None }) = row_of(at, text)?
        && let Some(text) = again::with_name(store, &conversation.turns[last], &name)?
    {
        return of(at, text);
    }
    let Some(at) = conversation.list_before(conversation.turns.len()) else { return Ok(None) };
    let Some(row) = row_of(at, text)? else { return Ok(None) };
    let Some(text) = row.text else { return of(at, format!("explain {}", row.name)) };
    // `compare the first and the second`
    let other = row_of(at, &text)?.and_then(|other| other.text);
    of(at, other.unwrap_or(text))
}

/// The question about the list of the conversation; `None` where the text speaks of no list.
fn of_list(store: &Store, hints: &Hints, text: &str) -> Result<Option<FullQuestion>, StoreError> {
    let conversation = &hints.conversation;
    let end = conversation.turns.len();
    let last = conversation.last_asked().map(|at| (at, &conversation.turns[at]));
    // `how many of them are private?`, `are any of them private?` — `which ones?`
    if let Some((at, last)) = last.filter(|(_, last)| last.is_of_list() || last.told.goes_on.is_some() && last.lists())
        && of_list::asks_which(text)
    {
        let text = of_list::asking_which(&last.question);
        let again = asked_again(store, conversation, at, text)?;
        let goes_on = GoingOn { operation: Operation::Choose, ..again.goes_on };
        return Ok(Some(FullQuestion { goes_on, ..again }));
    }
    let counted = last.and_then(|(_, last)| Some((last, last.told.counted.as_ref()?)));
    if counted.is_some_and(|(_, (_, noun))| noun.ends_with("parameter"))
        && let Some(full) = of_parameters(store, conversation, text)?
    {
        return Ok(Some(full));
    }
    if let Some((last, (number, noun))) = counted
        && of_list::counted_noun(text).is_some_and(|asked| asked == *noun || asked == plural(noun))
    {
        return Ok(Some(FullQuestion::said(Operation::Count, text, of_counted(last, *number, noun))));
    }
    let is_last = last.is_some_and(|(_, last)| last.lists() || last.is_of_list());
    // `the public ones` behind `the private ones` chooses from the same list.
    let contrary = last.filter(|(_, last)| last.is_of_list() && of_list::is_contrary(&last.question, text));
    let list = contrary
        .and_then(|(at, _)| conversation.list_of(at))
        .or_else(|| conversation.choice_before(end))
        .or_else(|| conversation.list_before(end));
    let mut among = list.map(|at| conversation.turns[at].entities(store)).transpose()?.unwrap_or_default();
    // The conditions are those on definitions: of a file, tests reach what stands in it.
    among.retain(|one| one.record.kind != EntityKind::Module);
    let noun = list_noun(&among).map_or_else(|| "definitions".to_owned(), |noun| plural(noun.worded()));
    let found = match of_list::of_list(list.map(|_| noun.as_str()), is_last, text) {
        None if list.is_some() => again::other_file(text)
            .map(|file| OfList { text: format!("which of these {noun} are in {file}?"), operation: Operation::Choose }),
        found => found,
    };
    let chosen = |operation: Operation, (some, said): members::ChosenOfList| {
        let full = FullQuestion::said(operation, text, said).about_list(store, conversation, list)?;
        Ok(Some(FullQuestion { among: some, ..full }))
    };
    if let Some(some) = first_of(&among, text).or_else(|| members::without_named(&among, text)) {
        return chosen(Operation::Choose, some);
    }
    if let Some(said) = members::files_of(&among, text).filter(|_| is_last) {
        return Ok(Some(FullQuestion::said(Operation::Count, text, said)));
    }
    if let Some(again) = directly(store, conversation, text)? {
        return Ok(Some(again));
    }
    let Some(OfList { text: full, operation }) = found else { return Ok(None) };
    if matches!(operation, Operation::Choose | Operation::CountChosen) && !among.is_empty() {
        let of_members = members::with_members(store, &among, &full)?;
        if let Some(some) = of_members.or_else(|| members::of_own_kind(&among, &full)) {
            return chosen(operation, some);
        }
    }
    let full = members::with_member_named(&full).filter(|_| noun == "classes").unwrap_or(full);
    // The uses of a test lie in functions within it.
    let is_of_places = list.is_some_and(|at| conversation.turns[at].told.counted.is_some());
    let full = match full.strip_suffix(" of these tests are there?").filter(|_| is_of_places) {
        Some(head) => format!("{head} of these {noun} are in tests?"),
        None => full,
    };
    let said = |said: String| Ok(Some(FullQuestion::said(operation, text, said)));
    match operation {
        Operation::Count => {
            return match counted {
                Some((last, (number, noun))) => said(of_counted(last, *number, noun)),
                None if last.is_some_and(|(_, last)| ellipsis::asks_for_impact(&last.question)) => {
                    said(last.map_or_else(String::new, |(_, last)| last.told.headline.clone()))
                }
                None => said(number_of_list(store, conversation, text)?),
            };
        }
        Operation::Rest => return rest_of(store, conversation, &full).map(Some),
        _ => {}
    }
    // Files, lines and documents are listed too.
    if list.is_none_or(|at| among.is_empty() && !conversation.turns[at].listed.is_empty()) {
        // `which of the two is longer?` can be about two subjects.
        if hints.about.len() > 1 {
            return Ok(None);
        }
        return said(
            "the answer before this one lists no definition, so none can be chosen from it: name the definitions, or \
                     ask for a list first"
                .to_owned(),
        );
    }
    if among.is_empty() {
        let first = conversation.list_question().map(|at| &conversation.turns[at].question);
        let first = first.map_or_else(String::new, |question| format!("; the list was asked for by `{question}`"));
        let none = format!("none: the answer before leaves no definition to choose from{first}");
        return FullQuestion::said(operation, text, none).about_list(store, conversation, list).map(Some);
    }
    FullQuestion::of(operation, full).about_list(store, conversation, list).map(Some)
}

/// The choice of the classes that derive at once from the one whose heirs were asked for: `only the direct ones`.
fn directly(store: &Store, conversation: &Conversation, text: &str) -> Result<Option<FullQuestion>, StoreError> {
    if !of_list::asks_for_direct(text) {
        return Ok(None);
    }
    let turns = [conversation.last_asked(), conversation.list_question()];
    let found = turns.into_iter().flatten().find_map(|turn| {
        let asked = &conversation.turns[turn];
        let is_of_heirs =
            ["deriv", "subclass", "inherit", "extend", "child"].iter().any(|stem| asked.question.contains(stem));
        Some((turn, asked.told.names.first()?)).filter(|_| is_of_heirs && asked.lists())
    });
    let Some((turn, base)) = found else { return Ok(None) };
    let text = format!("which of these classes derive directly from {base}?");
    FullQuestion::of(Operation::Choose, text).about_list(store, conversation, Some(turn)).map(Some)
}

/// A condition on the parameters that the answer before counts: `which have defaults?`.
fn of_parameters(store: &Store, conversation: &Conversation, text: &str) -> Result<Option<FullQuestion>, StoreError> {
    let Some(OfList { text, operation: Operation::Choose | Operation::CountChosen }) =
        of_list::of_list(Some("parameters"), true, text)
    else {
        return Ok(None);
    };
    let topic = conversation.topics().first().map(|topic| EarlierSubject::of(store, topic)).transpose()?.flatten();
    Ok(topic.map(|topic| {
        let of = format!("parameters of {}", topic.name);
        let text = text.replacen("how many of", "which of", 1).replacen("of these parameters", &of, 1);
        FullQuestion::of(Operation::Again, text)
    }))
}

/// The first or the last definitions of a list, as many as the text says, in words too.
fn first_of(among: &[Entity], text: &str) -> Option<(Vec<Entity>, String)> {
    let (is_last, number) = of_list::first_of_list(text).filter(|(_, number)| *number <= among.len())?;
    let some = if is_last { &among[among.len() - number..] } else { &among[..number] };
    let names: Vec<String> = some.iter().map(|one| format!("`{}`", one.full_name())).collect();
    let (end, all) = (if is_last { "last" } else { "first" }, count(among.len(), kind_of_all(among)));
    Some((some.to_vec(), format!("the {end} {number} of these {all}: {}", names.join(", "))))
}

/// The definitions that the last choice left out of its list.
fn rest_of(store: &Store, conversation: &Conversation, text: &str) -> Result<FullQuestion, StoreError> {
    let last = conversation.last_asked().filter(|at| conversation.turns[*at].is_of_list());
    let Some((last, list)) = last.and_then(|last| Some((last, conversation.list_of(last)?))) else {
        let said = "which others are meant is not known: the question before chooses from no list".to_owned();
        return Ok(FullQuestion::said(Operation::Rest, text, said));
    };
    let chosen = conversation.turns[last].entities(store)?;
    let mut rest = conversation.turns[list].entities(store)?;
    let all = count(rest.len(), kind_of_all(&rest));
    rest.retain(|one| chosen.iter().all(|chosen| chosen.id != one.id));
    let said = match rest.len() {
        0 => format!("none: the answer before has all of the {all}"),
        1 => format!("1 of these {all} is the other, which the answer before leaves out"),
        left => format!("{left} of these {all} are the others, which the answer before leaves out"),
    };
    let full = FullQuestion::said(Operation::Rest, text, said).about_list(store, conversation, Some(list))?;
    Ok(FullQuestion { among: rest, ..full })
}

/// The number of things that an answer counted, in the sentence that counted them.
fn of_counted(turn: &ConversationTurn, number: usize, noun: &str) -> String {
    let (is_none, number, headline) = (number == 0, count(number, noun), &turn.told.headline);
    match headline {
        none if is_none => format!("none: {}", none.trim_start_matches("none: ")),
        said if said.contains(&number) => said.clone(),
        other => format!("{number}: {other}"),
    }
}

/// The number of definitions that the answer before lists; where that one counted a part of a list, of the list.
fn number_of_list(store: &Store, conversation: &Conversation, text: &str) -> Result<String, StoreError> {
    use Operation::{CountChosen, Every};
    let is_number = |turn: &ConversationTurn| matches!(turn.operation(), Some(CountChosen | Every));
    let last = conversation.last_asked().filter(|at| !is_number(&conversation.turns[*at]));
    let turn = match last {
        Some(last) if conversation.turns[last].lists() => Some(last),
        // `how many of them?` means a list further back too.
        Some(_) if !of_list::speaks_of_list(text) => None,
        _ => conversation.list_before(conversation.turns.len()),
    };
    let Some(turn) = turn.map(|at| &conversation.turns[at]) else {
        return Ok("how many of what is not known: the answer before counts nothing and lists no definition".to_owned());
    };
    let entities = turn.entities(store)?;
    // A document, a line or a file is listed too.
    let is_whole = entities.len() == turn.listed.len();
    let all = count(turn.listed.len(), if is_whole { kind_of_all(&entities) } else { "entry" });
    let mut kinds: Vec<(EntityKind, usize)> = Vec::new();
    for entity in &entities {
        match kinds.iter_mut().find(|(kind, _)| *kind == entity.record.kind) {
            Some((_, number)) => *number += 1,
            None => kinds.push((entity.record.kind, 1)),
        }
    }
    let kinds: Vec<String> = kinds.into_iter().map(|(kind, number)| count(number, kind.as_str())).collect();
    Ok(match kinds.as_slice() {
        [most @ .., last] if !most.is_empty() && is_whole => {
            format!("the answer before lists {all}: {} and {last}", most.join(", "))
        }
        [] if turn.listed.is_empty() => "none: the answer before lists no definition".to_owned(),
        _ => format!("the answer before lists {all}"),
    })
}

/// The kind of all definitions of a list, in a word.
pub(super) fn kind_of_all(listed: &[Entity]) -> &'static str {
    let kind = listed.first().map(|first| first.record.kind);
    kind.filter(|kind| listed.iter().all(|one| one.record.kind == *kind)).map_or("definition", EntityKind::as_str)
}

impl EarlierSubject {
    fn of(store: &Store, full_name: &str) -> Result<Option<Self>, StoreError> {
        let TargetMatch::Found(target) = look_up(store, full_name, "")? else { return Ok(None) };
        Ok(Some(Self { name: written(store, target.main())?, target }))
    }

    /// The class around a member.
    fn class(&self, store: &Store) -> Result<Option<Entity>, StoreError> {
        let parent = store.entity(self.target.main().parent)?;
        Ok(parent.filter(|parent| parent.record.kind == EntityKind::Class))
    }
}

/// The shortest name that means one definition and looks like a name.
fn written(store: &Store, entity: &Entity) -> Result<String, StoreError> {
    let qualified = &entity.record.qualified;
    if qualified.contains(['.', '_'])
        && let TargetMatch::Found(target) = look_up(store, qualified, "")?
        && target.main().id == entity.id
    {
        return Ok(qualified.clone());
    }
    Ok(entity.full_name())
}
