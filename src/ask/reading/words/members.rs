//! Joins a member to the class or module that the question says has it: `the get method of the Session class` becomes
//! `Session.get`.
//!
//! The rest of the reading then sees one name, whatever is asked about it. Words that the index does not have so stay.

use crate::{
    ask::reading::{
        relations::noun_of,
        words::{
            ParsedQuestion, QuestionWord, Shape, is_in, is_stop_word,
            spelling::{name_members, restore_case},
        },
    },
    model::EntityKind,
    query::target::{TargetMatch, known, likeliest::is_aside},
    store::{Store, error::StoreError, read::Entity},
};

/// Words that call a name a member, of one and of several.
const CALLABLE: &str = "classmethod coroutine function method property staticmethod";
const CALLABLES: &str = "classmethods coroutines functions methods properties staticmethods";
const VALUE: &str = "attribute constant field variable";
const VALUES: &str = "attributes constants fields variables";
/// Words before them that say more of the member.
const QUALITIES: &str = "abstract async asynchronous class instance private protected public static";
/// Words between a kind and the name: `the method called get`.
const NAMING: &str = "called named";
/// Words between a member and the one that has it.
const BELONGING: &str = "belonging belongs declared defined implemented that is";
const PREPOSITIONS: &str = "from in inside of on within";
/// Words before a member that ask whether there is one, or which.
const OPEN: &str = "a an another any each every no what which";
/// Words that order members and name none.
const ORDINALS: &str = "first last next only other same second third";
/// Words by which the heirs or the objects of a class are meant, not the class.
const OTHERS: &str = "child children descendants instances objects subclass subclasses";

/// A member in a question: the words that it takes, those that name it, and the one that has it.
struct AskedMember {
    start: usize,
    end: usize,
    names: Vec<usize>,
    owner: usize,
    /// It is called a value, not something to call.
    is_value: bool,
    /// The question may also ask for places in a module.
    may_be_place: bool,
}

impl AskedMember {
    /// Bare names, which nothing calls members.
    fn of(names: Vec<usize>) -> Self {
        Self { start: 0, end: 0, names, owner: 0, is_value: false, may_be_place: false }
    }
}

/// Reads the names of a question as the index has them: dotted ones, those in lower case, and members with their class.
pub fn restore_names(store: &Store, question: &mut ParsedQuestion) -> Result<(), StoreError> {
    name_members(store, question)?;
    restore_case(store, question)?;
    join_members(store, question)
}

/// Reads each member and its place as one dotted name.
fn join_members(store: &Store, question: &mut ParsedQuestion) -> Result<(), StoreError> {
    if let Some(words) = whether_there_is(question) {
        question.words = words;
    }
    for words in [with_place_behind(question), with_verb_behind(question)].into_iter().flatten() {
        let before = words.len();
        let mut turned = ParsedQuestion { words, quotes: Vec::new() };
        join_in_order(store, &mut turned)?;
        if turned.words.len() < before {
            *question = turned;
            break;
        }
    }
    join_in_order(store, question)
}

fn join_in_order(store: &Store, question: &mut ParsedQuestion) -> Result<(), StoreError> {
    let mut at = 0;
    while at < question.words.len() {
        let mut found = of_several(store, question, at)?;
        if found.is_none()
            && let Some(asked) = with_owner_behind(question, at).or_else(|| with_owner_before(question, at))
        {
            found = joined(store, question, &asked)?.map(|joined| (asked.start, asked.end, joined));
        }
        if let Some((start, end, joined)) = found {
            for (before, _) in question.quotes.iter_mut().filter(|(before, _)| *before >= end) {
                *before = *before + joined.len() - (end - start);
            }
            at = start + joined.len();
            question.words.splice(start..end, joined);
        } else {
            at += 1;
        }
    }
    Ok(())
}

/// `does Session have a method get` for `is there a method get in the Session class`.
fn whether_there_is(question: &ParsedQuestion) -> Option<Vec<QuestionWord>> {
    let words = &question.words;
    let is_asked = has(question, 0, "is are") && has(question, 1, "there") && has(question, 2, "a an any");
    let end = (3..words.len()).find(|at| has(question, *at, PREPOSITIONS)).filter(|_| is_asked)?;
    let (owner, behind) = owner(question, end + 1).filter(|(_, behind)| *behind == words.len())?;
    let is_kind = |at: usize| has(question, at, CALLABLE) || has(question, at, VALUE);
    let is_class = words[owner].shape != Shape::Plain || is_called_class(question, owner);
    // `is there a method called get in Session` has an answer of its own, which tells its kind.
    let is_called = (3..end).any(|at| has(question, at, NAMING));
    if is_called || !(3..end).any(is_kind) || end < 5 || !is_class || behind < end || !question.quotes.is_empty() {
        return None;
    }
    let plain = |text: &str| QuestionWord::new(text.to_owned(), Shape::Plain);
    let owner = QuestionWord { ends_clause: false, ..words[owner].clone() };
    Some([&[plain("does"), owner, plain("have")], &words[2..end]].concat())
}

/// The words with the place at the head behind the member: `in the class Session, who calls the get method`.
fn with_place_behind(question: &ParsedQuestion) -> Option<Vec<QuestionWord>> {
    let (_, end) = owner(question, 1).filter(|_| has(question, 0, PREPOSITIONS) && question.quotes.is_empty())?;
    let members = (end..question.words.len()).find_map(|at| members(question, at))?;
    let (place, rest) = question.words.split_at(end);
    let (member, rest) = rest.split_at(members.end - end);
    Some([member, place, rest].concat())
}

/// The words with a verb behind the place, not before it: `what does the get method do in Session`.
fn with_verb_behind(question: &ParsedQuestion) -> Option<Vec<QuestionWord>> {
    const VERBS: &str = "behave call do does mean raise return work works";
    let verb = (1..question.words.len()).find(|at| {
        let is_behind = has(question, *at, VERBS) && has(question, at + 1, "in inside of on");
        is_behind && (0..*at).any(|start| members(question, start).is_some_and(|members| members.end == *at))
    })?;
    let (_, end) = owner(question, verb + 2).filter(|_| question.quotes.is_empty())?;
    let words = &question.words;
    Some([&words[..verb], &words[verb + 1..end], &words[verb..=verb], &words[end..]].concat())
}

/// `the get and post methods of the Session class`, from the word at `at` on.
fn with_owner_behind(question: &ParsedQuestion, at: usize) -> Option<AskedMember> {
    let called_so = members(question, at);
    // `who calls read in Stream` asks for the calls that stand there.
    let may_be_use = called_so.is_none() && at > 0 && has(question, at - 1, "call calls test tests use uses");
    let members = called_so.or_else(|| bare_member(question, at))?;
    let mut next = members.end;
    while has(question, next, BELONGING) {
        next += 1;
    }
    let is_of = has(question, next, "from of") || next > members.end && has(question, next, "to");
    if !is_of && (members.is_value || may_be_use || !has(question, next, PREPOSITIONS)) {
        return None;
    }
    let (owner, end) = owner(question, next + 1)?;
    let others = question.words[owner..end].iter().any(|word| word.is_possessive) || has(question, end, OTHERS);
    (!others).then_some(AskedMember { end, owner, may_be_place: !is_of, ..members })
}

/// `get of Session or Client`, from the word at `at` on: where it begins and ends, and `Session.get or Client.get` in
/// place of it. A class that lacks the member stays with it, as an unknown name.
fn of_several(
    store: &Store,
    question: &ParsedQuestion,
    at: usize,
) -> Result<Option<(usize, usize, Vec<QuestionWord>)>, StoreError> {
    const USING: &str = "call calls cover covers invoke invokes override overrides test tests use uses";
    let called_so = members(question, at);
    // `who calls get in Session or Client` asks for the calls that stand there.
    let may_be_use = called_so.is_none() && at > 0 && has(question, at - 1, "call calls test tests use uses");
    let bare = || names(question, at).map(|(names, end)| AskedMember { start: at, end, ..AskedMember::of(names) });
    let Some(asked) = called_so.or_else(bare) else { return Ok(None) };
    let is_noun = |name: &usize| noun_of(&question.words[*name].lower()).is_some();
    let preposition = past(question, asked.end, BELONGING);
    let is_of = has(question, preposition, "of on");
    let is_in = !may_be_use && has(question, preposition, "in inside");
    if !is_of && !is_in || asked.names.iter().any(is_noun) {
        return Ok(None);
    }
    let (mut owners, mut next) = (Vec::new(), preposition + 1);
    let end = loop {
        let Some((owner, end)) = owner(question, next) else { return Ok(None) };
        let class = class_called(store, &question.words[owner].text)?;
        let mut known = store.entities_named(&class, false)?.into_iter();
        if !known.any(|one| one.record.kind == EntityKind::Class) || question.words[owner].is_possessive {
            return Ok(None);
        }
        owners.push(class);
        next = end + usize::from(has(question, end, "and or"));
        let goes_on = next > end || question.words[end - 1].ends_clause;
        if !goes_on || next == question.words.len() {
            break end;
        }
    };
    if owners.len() < 2 || has(question, end, OTHERS) {
        return Ok(None);
    }
    let joint = if (preposition..end).any(|at| has(question, at, "or")) { "or" } else { "and" };
    let (mut joined, mut missing) = (Vec::new(), 0);
    for owner in &owners {
        for name in &asked.names {
            let QuestionWord { text: name, shape, .. } = &question.words[*name];
            let mut known = member_of(store, owner, name, &asked)?;
            // `the history of A and B` asks for no attribute.
            if known.is_none() && *shape == Shape::Code {
                let value = AskedMember { is_value: true, ..AskedMember::of(Vec::new()) };
                known = member_of(store, owner, name, &value)?;
            }
            missing += usize::from(known.is_none());
            if !joined.is_empty() {
                joined.push(QuestionWord::new(joint.to_owned(), Shape::Plain));
            }
            joined.push(QuestionWord::new(known.unwrap_or_else(|| format!("{owner}.{name}")), Shape::Code));
        }
    }
    // `how is get of Session related to Client` may name a class by the second.
    let is_used = at > 0 && has(question, at - 1, USING);
    if missing == owners.len() * asked.names.len() || missing > 0 && !is_used {
        return Ok(None);
    }
    if let Some(last) = joined.last_mut() {
        last.ends_clause = question.words[end - 1].ends_clause;
    }
    Ok(Some((asked.start, end, joined)))
}

/// `Session's get method`, and `the Session class's method get`, from the word at `at` on.
fn with_owner_before(question: &ParsedQuestion, at: usize) -> Option<AskedMember> {
    let (owner, next) = owner(question, at)?;
    let is_possessive = question.words[owner..next].iter().any(|word| word.is_possessive);
    let possessed = || one(question, next).filter(|_| next < question.words.len());
    let members = members(question, next).or_else(possessed).filter(|_| is_possessive)?;
    Some(AskedMember { start: at, owner, ..members })
}

/// The members that a word calls so: `the get method` and `the methods get and post`. Their owner is not known yet.
fn members(question: &ParsedQuestion, at: usize) -> Option<AskedMember> {
    if has(question, at, OPEN) || at > 0 && (has(question, at - 1, OPEN) || has(question, at - 1, "the")) {
        return None;
    }
    let is_kind = |at: usize, number: usize| {
        has(question, at, if number > 1 { CALLABLES } else { CALLABLE })
            || has(question, at, if number > 1 { VALUES } else { VALUE })
    };
    let is_value = |at: usize| has(question, at, VALUE) || has(question, at, VALUES);
    let first = at + usize::from(has(question, at, "the"));
    let found = |names: Vec<usize>, end: usize, kind: usize| {
        Some(AskedMember { start: at, end, names, owner: kind, is_value: is_value(kind), may_be_place: false })
    };
    let kind = past(question, first, QUALITIES);
    let begin = past(question, kind + 1, NAMING);
    if let Some((names, end)) = names(question, begin)
        && is_kind(kind, names.len())
        && !is_kind(begin, names.len())
    {
        return found(names, end, kind);
    }
    let (names, end) = names(question, first)?;
    let kind = past(question, end, QUALITIES);
    if is_kind(kind, names.len()) && !question.words[end - 1].ends_clause {
        return found(names, kind + 1, kind);
    }
    None
}

/// A member that nothing calls so, where a question shows it or asks of it: `show read in Stream`.
fn bare_member(question: &ParsedQuestion, at: usize) -> Option<AskedMember> {
    const HEADS: &str = "call calls describe display explain overrides show test tests use uses";
    let before = at.checked_sub(1)?;
    let is_asked = has(question, before, HEADS)
        || has(question, before, "does is")
            && before.checked_sub(1).is_some_and(|at| has(question, at, "how what where"));
    one(question, at).filter(|_| is_asked)
}

/// The one bare name at a word, which is no word for kinds of definitions.
fn one(question: &ParsedQuestion, at: usize) -> Option<AskedMember> {
    let is_noun = noun_of(&question.words.get(at)?.lower()).is_some();
    let (names, end) = names(question, at).filter(|(names, _)| names.len() == 1 && !is_noun)?;
    Some(AskedMember { start: at, end, names, owner: at, is_value: false, may_be_place: false })
}

/// The bare names that `and` joins from a word on, and the word behind them.
fn names(question: &ParsedQuestion, at: usize) -> Option<(Vec<usize>, usize)> {
    let is_bare = |at: usize| {
        question.words.get(at).is_some_and(|word| {
            let is_ordinal = is_in(ORDINALS, &word.lower()) && !word.is_quoted;
            word.shape != Shape::Path && !word.text.contains(['.', '@', '-', ':']) && !is_ordinal
        })
    };
    let mut names = vec![at];
    let mut end = at + 1;
    while is_bare(end - 1) && (has(question, end, "and or") || question.words[end - 1].ends_clause) {
        let next = end + usize::from(has(question, end, "and or"));
        if !is_bare(next) || has(question, next, PREPOSITIONS) {
            break;
        }
        names.push(next);
        end = next + 1;
    }
    names.iter().all(|at| is_bare(*at)).then_some((names, end))
}

/// The word that names a class or module, as in `the class Session` and `the Session class`, and the word behind.
fn owner(question: &ParsedQuestion, at: usize) -> Option<(usize, usize)> {
    let mut at = past(question, at, "a an the");
    if has(question, at, "class module package type") {
        at = past(question, at + 1, NAMING);
    }
    let word = question.words.get(at).filter(|word| word.shape != Shape::Path)?;
    let is_followed = has(question, at + 1, "class module package") && !word.ends_clause;
    let is_name = word.shape != Shape::Plain || !is_stop_word(&word.lower()) || is_called_class(question, at);
    is_name.then(|| (at, at + 1 + usize::from(is_followed)))
}

/// Whether the question calls the name at a word a class.
fn is_called_class(question: &ParsedQuestion, at: usize) -> bool {
    let before = (0..at).rev().find(|at| !has(question, *at, NAMING));
    before.is_some_and(|before| has(question, before, "class")) || has(question, at + 1, "class")
}

/// The words in place of a member and its owner, if the index has every one.
fn joined(
    store: &Store,
    question: &ParsedQuestion,
    asked: &AskedMember,
) -> Result<Option<Vec<QuestionWord>>, StoreError> {
    let written = &question.words[asked.owner].text;
    let class = class_called(store, written)?;
    let owners = if is_called_class(question, asked.owner) { [&class, written] } else { [written, &class] };
    let mut joined = Vec::new();
    for at in &asked.names {
        let mut member = None;
        for owner in owners {
            if member.is_none() {
                member = member_of(store, owner, &question.words[*at].text, asked)?;
            }
        }
        let Some(name) = member else { return Ok(None) };
        if !joined.is_empty() {
            joined.push(QuestionWord::new("and".to_owned(), Shape::Plain));
        }
        joined.push(QuestionWord::new(name, Shape::Code));
    }
    if let (Some(last), Some(end)) = (joined.last_mut(), question.words.get(asked.end - 1)) {
        last.ends_clause = end.ends_clause;
        last.is_possessive = end.is_possessive;
    }
    Ok(Some(joined))
}

/// The class that is called so but for its case, if there is one; else the name as it stands.
fn class_called(store: &Store, name: &str) -> Result<String, StoreError> {
    let mut classes = store.entities_named(name, true)?;
    classes.retain(|entity| entity.record.kind == EntityKind::Class && !is_aside(&entity.path));
    classes.dedup_by(|a, b| a.record.name == b.record.name);
    let has_itself = classes.iter().any(|class| class.record.name == name);
    Ok(match classes.as_slice() {
        [class] if !has_itself => class.record.name.clone(),
        _ => name.to_owned(),
    })
}

/// The dotted name of a member as the index has it; `None` where the class or module has no such member.
fn member_of(store: &Store, owner: &str, name: &str, asked: &AskedMember) -> Result<Option<String>, StoreError> {
    let entities: Vec<Entity> = match known(store, &format!("{owner}.{name}"), "")? {
        Some(TargetMatch::Found(target)) => target.entities,
        Some(TargetMatch::Ambiguous(entities)) => entities,
        Some(TargetMatch::Unknown(_)) | None => return Ok(None),
    };
    let is_member = |entity: &&Entity| {
        let kind = entity.record.kind;
        let is_kind = if asked.is_value { kind == EntityKind::Variable } else { kind.is_callable() };
        let is_in_class = entity.record.qualified.contains('.');
        entity.record.name.eq_ignore_ascii_case(name)
            && (is_kind || kind == EntityKind::Property)
            && (is_in_class || !asked.may_be_place)
    };
    let Some(entity) = entities.iter().find(is_member) else { return Ok(None) };
    let last = owner.rsplit('.').next().unwrap_or(owner);
    // Python tells names apart by their case, which people do not always type.
    let above = entity.record.qualified.rsplit('.').nth(1).filter(|above| above.eq_ignore_ascii_case(last));
    let head = &owner[..owner.len() - last.len()];
    Ok(Some(format!("{head}{}.{}", above.unwrap_or(last), entity.record.name)))
}

/// The first word from `at` on that is none of these.
fn past(question: &ParsedQuestion, mut at: usize, words: &str) -> usize {
    while has(question, at, words) {
        at += 1;
    }
    at
}

fn has(question: &ParsedQuestion, at: usize, known: &str) -> bool {
    question.words.get(at).is_some_and(|word| !word.is_quoted && is_in(known, &word.lower()))
}
