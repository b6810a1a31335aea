//! Takes everyday words for methods where the question says of which class: `how do get and post work in Session`.

use std::collections::BTreeSet;

use crate::{
    ask::reading::{
        names::{Meanings, NameMatch},
        subjects::{NameMention, QuestionNames, comes_after, contains, is_one_of, plain_name},
        words::{ParsedQuestion, Shape, is_stop_word},
    },
    model::EntityKind,
    query::target::{Target, TargetMatch, known},
    store::{Store, error::StoreError},
};

/// Words before a class that the question gives as a place.
const PREPOSITIONS: &str = "in inside of on within";
/// Words between methods and such a place.
const BETWEEN: &str = "behave behaves both differ do does each interact interacts mean means method methods together work working \
     works";
/// Words before the first of the methods.
const HEADS: &str = "about are compare describe do does explain is show understand";
/// Words between two methods.
const JOINTS: &str = "and nor or";

/// Binds a bare name to the class of a dotted one: `does Client.get call request or send` is about `Client.request` and
/// `Client.send`.
pub(super) fn bind_to_class(
    store: &Store,
    question: &ParsedQuestion,
    named: &mut QuestionNames,
) -> Result<(), StoreError> {
    let Some((first, class)) = named.mentions.iter().find_map(|mention| {
        let [target] = mention.meanings.targets.as_slice() else { return None };
        let (class, _) = mention.text.rsplit_once('.').filter(|_| !mention.text.contains(['/', ':']))?;
        let full = plain_name(target.main());
        let owner = target.inherited_by.clone().or_else(|| full.rsplit_once('.').map(|(owner, _)| owner.to_owned()))?;
        let last = class.rsplit('.').next().unwrap_or(class);
        let is_class = last.starts_with(char::is_uppercase) && owner.rsplit('.').next() == Some(last);
        is_class.then_some((mention.at, owner))
    }) else {
        return Ok(());
    };
    for at in first + 1..question.words.len() {
        let word = &question.words[at];
        let index = named.mentions.iter().position(|mention| mention.at == at);
        // `call request or send`: the second of two everyday words is a name where the first one is.
        let is_joined = at > 1
            && comes_after(question, at, "and or nor")
            && named.mentions.iter().any(|mention| mention.at + 2 == at && mention.at > first);
        let is_verb_object = comes_after(question, at, "call calls invoke invokes override overrides use uses");
        let is_free = index.is_none() && !named.blank.contains(&at) && !is_stop_word(&word.lower());
        let is_bare = matches!(word.shape, Shape::Plain | Shape::Code)
            && !word.text.contains('.')
            && !word.text.starts_with(char::is_uppercase);
        if !is_bare || index.is_none() && !(is_free && (is_joined || is_verb_object)) {
            continue;
        }
        let Some(TargetMatch::Found(target)) = known(store, &format!("{class}.{}", word.text), "")? else { continue };
        let meanings = Meanings { targets: vec![target], how: Some(NameMatch::Exact), proposals: Vec::new() };
        match index {
            Some(index) => {
                named.mentions[index].meanings = meanings;
                named.mentions[index].passed.clear();
            }
            None => {
                named.blank.insert(at);
                named.mentions.push(NameMention::new(at, word.text.clone(), None, meanings));
                named.mentions.sort_by_key(|mention| mention.at);
            }
        }
    }
    Ok(())
}

/// Takes a plain word that `and` joins to a method for the method of the same class: `how do ping and pong work`.
pub(super) fn joined_members(
    store: &Store,
    question: &ParsedQuestion,
    named: &mut QuestionNames,
) -> Result<(), StoreError> {
    for index in 0..named.mentions.len() {
        let NameMention { at, meanings, .. } = &named.mentions[index];
        let owners: BTreeSet<String> = meanings
            .targets
            .iter()
            .filter(|target| target.main().record.qualified.contains('.'))
            .filter_map(|target| plain_name(target.main()).rsplit_once('.').map(|(owner, _)| owner.to_owned()))
            .collect();
        let before = at.checked_sub(2).filter(|_| is_one_of(question, at - 1, "and or"));
        let behind = is_one_of(question, at + 1, "and or").then_some(at + 2);
        for at in before.into_iter().chain(behind) {
            let Some(word) = question.words.get(at) else { continue };
            let is_free = !named.blank.contains(&at) && named.mentions.iter().all(|mention| mention.at != at);
            if word.shape != Shape::Plain || !is_free || is_stop_word(&word.lower()) {
                continue;
            }
            let mut targets = Vec::new();
            for owner in &owners {
                if let Some(TargetMatch::Found(target)) = known(store, &format!("{owner}.{}", word.text), "")? {
                    targets.push(target);
                }
            }
            if !targets.is_empty() {
                let meanings = Meanings { targets, how: Some(NameMatch::Exact), proposals: Vec::new() };
                named.blank.insert(at);
                named.mentions.push(NameMention::new(at, word.text.clone(), None, meanings));
            }
        }
    }
    named.mentions.sort_by_key(|mention| mention.at);
    Ok(())
}

/// Where the words begin that give a class, or several of one name, as a place: `in the class C`.
fn place(question: &ParsedQuestion, mention: &NameMention) -> Option<usize> {
    let is_class = |target: &Target| target.main().record.kind == EntityKind::Class;
    let targets = &mention.meanings.targets;
    let before = (0..mention.at).rev().find(|at| !is_one_of(question, *at, "class the"))?;
    let is_place = !targets.is_empty() && targets.iter().all(is_class) && is_one_of(question, before, PREPOSITIONS);
    is_place.then_some(before)
}

/// Takes the words before a class that is a place for its methods, however ordinary they are: `explain get and post in
/// C`. Beside a method of it, a word that it has not is an unknown name.
pub(super) fn members_of_place(
    store: &Store,
    question: &ParsedQuestion,
    named: &mut QuestionNames,
) -> Result<(), StoreError> {
    let found = named
        .mentions
        .iter()
        .find_map(|mention| place(question, mention).map(|end| (mention.meanings.targets.clone(), end)));
    let Some((classes, end)) = found else { return Ok(()) };
    let words = joined_words(question, end);
    let Some(first) = words.first() else { return Ok(()) };
    if words.len() == 1 && !comes_after(question, *first, HEADS) {
        return Ok(());
    }
    let mut found = Vec::new();
    for at in words {
        let mut members = Vec::new();
        for class in &classes {
            let dotted = format!("{}.{}", plain_name(class.main()), question.words[at].text);
            if let Some(TargetMatch::Found(target)) = known(store, &dotted, "")? {
                members.push(target);
            }
        }
        found.push((at, members));
    }
    let is_callable = |target: &Target| target.main().record.kind.is_callable();
    if !found.iter().any(|(_, members)| members.iter().any(is_callable)) {
        return Ok(());
    }
    for (at, targets) in found {
        let word = &question.words[at];
        let mention = named.mentions.iter_mut().find(|mention| mention.at == at);
        let meanings = match targets.is_empty() {
            false => Meanings { targets, how: Some(NameMatch::Exact), proposals: Vec::new() },
            true if mention.is_none() && !is_stop_word(&word.lower()) => Meanings::default(),
            true => continue,
        };
        named.blank.insert(at);
        match mention {
            Some(mention) => {
                mention.meanings = meanings;
                mention.passed.clear();
            }
            None => named.mentions.push(NameMention::new(at, word.text.clone(), None, meanings)),
        }
    }
    named.mentions.sort_by_key(|mention| mention.at);
    Ok(())
}

/// The bare words that `and` joins before the one at `end`, in their order.
fn joined_words(question: &ParsedQuestion, end: usize) -> Vec<usize> {
    let is_bare = |at: usize| {
        let word = &question.words[at];
        matches!(word.shape, Shape::Plain | Shape::Code) && !word.text.contains(['.', '/', ':'])
    };
    let is_joint = |at: usize| is_one_of(question, at, JOINTS);
    let last = (0..end).rev().find(|at| !is_one_of(question, *at, BETWEEN));
    let Some(mut at) = last.filter(|at| is_bare(*at)) else { return Vec::new() };
    let mut found = vec![at];
    while at > 0 {
        let before = match at - 1 {
            joint if is_joint(joint) && joint > 0 => joint - 1,
            other if question.words[other].ends_clause && !is_joint(other) => other,
            _ => break,
        };
        if !is_bare(before) || is_one_of(question, before, HEADS) {
            break;
        }
        found.insert(0, before);
        at = before;
    }
    found
}

/// Removes the class that only says where all other names of the question stand: `how do a and b work in C`.
pub fn absorb_place(question: &ParsedQuestion, named: &mut QuestionNames) {
    let is_within = |outer: &Target, inner: &Target| {
        contains(outer, inner.main()) || inner.inherited_by.as_deref() == Some(plain_name(outer.main()).as_str())
    };
    let is_of = |classes: &[Target], mention: &NameMention| {
        let targets = &mention.meanings.targets;
        !targets.is_empty() && targets.iter().all(|inner| classes.iter().any(|outer| is_within(outer, inner)))
    };
    let found = named.mentions.iter().position(|place| {
        let mut others = named.mentions.iter().filter(|mention| mention.at != place.at);
        self::place(question, place).is_some() && others.all(|mention| is_of(&place.meanings.targets, mention))
    });
    if let Some(index) = found.filter(|_| named.mentions.len() > 2) {
        let class = named.mentions.remove(index).meanings.targets.swap_remove(0);
        for mention in &mut named.mentions {
            mention.container = Some(class.clone());
        }
    }
}
