//! The parameters of a question: the names that it calls so, and those that a named function takes.

use std::collections::BTreeSet;

use crate::{
    ask::reading::{
        forms::patterns::number,
        names::meanings,
        subjects::{
            NameMention, QuestionNames, comes_after, contains, is_one_of,
            slots::{
                PARAMETER_WORDS, can_be_parameter, is_parameter_name, lacks_parameter, ordinal, takes_any_keyword,
            },
        },
        words::{ParsedQuestion, QuestionWord, Shape, is_in, is_stop_word, objects::is_way},
    },
    model::{EntityFlags, EntityKind, signature::Signature},
    query::target::{Target, aliased, likeliest::is_aside},
    store::{Store, error::StoreError, read::Entity},
};

/// Words before a noun of the language: `the name of f`.
const ARTICLES: &str = "a an default its return returned same the";
/// Words beside `argument` that name none: `the argument order`, `keyword only`.
const NO_NAMES: &str = "annotation annotations become becomes count counts hint hints is keyword-only kw-only list lists name names only order \
     ordering position positional-only positions type types value values was";
/// Words before `parameters` and `arguments` that say of what kind they are.
const KINDS: &str = "arbitrary default extra further keyword mutable optional positional required";
/// Verbs right before `parameter` or `kwargs`, which name none.
const NO_NAMES_BEFORE: &str =
    "delete deleting drop dropping pass passed passes passing remove removing strip stripping";
/// Definitions of one name whose parameter is changed in all of them.
const MAX_TAKERS: usize = 3;
/// Names of parameters that are everyday words, which name nothing elsewhere in a question.
const EVERYDAY_PARAMETERS: [&str; 10] =
    ["name", "value", "type", "kind", "file", "data", "function", "method", "class", "text"];

/// Numbers of the words that the question calls parameters.
pub(super) fn parameter_words(question: &ParsedQuestion, named: &mut QuestionNames) -> BTreeSet<usize> {
    let mut at_words = BTreeSet::new();
    for (at, word) in question.words.iter().enumerate() {
        let lower = word.lower();
        let is_parameter = PARAMETER_WORDS.split(' ').any(|known| known == lower);
        // `Params` amid a sentence is a class.
        let is_class = at > 0 && word.text.starts_with(char::is_uppercase);
        if !is_parameter || is_class || word.is_quoted {
            continue;
        }
        named.has_parameter = true;
        let is_name = |at: usize| {
            question.words.get(at).is_some_and(|word| {
                // `two parameters` are so many.
                let is_number =
                    !word.is_quoted && (number(&word.lower()).is_some() || ordinal(&word.lower()).is_some());
                let is_plain = word.shape != Shape::Path && !word.text.contains('.') && !is_number;
                let is_name = word.is_quoted || !is_in(NO_NAMES, &word.lower());
                is_plain && is_name && (word.shape == Shape::Code || !is_stop_word(&word.lower()))
            })
        };
        let mut next = at + 1;
        while question.words.get(next).is_some_and(|word| matches!(word.lower().as_str(), "called" | "named")) {
            next += 1;
        }
        let mut has_some = false;
        while is_name(next) {
            at_words.insert(next);
            has_some = true;
            let is_joined =
                question.words.get(next + 1).is_some_and(|word| matches!(word.lower().as_str(), "and" | "or"));
            next += if is_joined { 2 } else { 1 };
            if !is_joined && !question.words[next - 1].ends_clause {
                break;
            }
        }
        // `the name parameter`: everyday words are names of parameters between these two.
        let is_between = |before: usize| {
            let has_article = before > 0 && question.words[before - 1].lower() == "the";
            has_article && EVERYDAY_PARAMETERS.contains(&question.words[before].lower().as_str())
        };
        let is_verb = |before: usize| is_one_of(question, before, NO_NAMES_BEFORE);
        let is_kind = |before: usize| lower.ends_with('s') && is_one_of(question, before, KINDS);
        let before = at.checked_sub(1).filter(|before| !is_kind(*before));
        let before = before.filter(|before| is_name(*before) && !is_verb(*before) || is_between(*before));
        at_words.extend(before.filter(|_| !has_some));
    }
    at_words
}

/// Keeps the names that the question calls parameters.
pub(super) fn keep_parameters(question: &ParsedQuestion, at_words: &BTreeSet<usize>, named: &mut QuestionNames) {
    for at in at_words {
        let name = &question.words[*at].text;
        named.blank.insert(*at);
        if !named.parameters.contains(name) {
            named.parameters.push(name.clone());
        }
    }
}

/// Takes a parameter of a test for the fixture that pytest passes: `a test has an argument client`.
pub(super) fn fixtures(
    store: &Store,
    question: &ParsedQuestion,
    parameter_words: &BTreeSet<usize>,
    folder: &str,
    named: &mut QuestionNames,
) -> Result<(), StoreError> {
    let speaks_of_tests = question.words.iter().any(|word| matches!(word.lower().as_str(), "test" | "tests"));
    if !named.mentions.is_empty() || !speaks_of_tests {
        return Ok(());
    }
    for &at in parameter_words {
        let text = &question.words[at].text;
        let mut found = meanings(store, text, Some(EntityKind::Function), false, folder)?;
        found.targets.retain(|target| target.main().record.flags.has(EntityFlags::FIXTURE));
        if !found.targets.is_empty() {
            named.parameters.retain(|parameter| parameter != text);
            let (text, hint) = (text.clone(), Some(EntityKind::Function));
            named.mentions.push(NameMention::new(at, text, hint, found));
        }
    }
    Ok(())
}

/// Takes the last word of `which functions accept timeout` for a parameter, where some function has one of that name.
pub fn name_the_accepted(
    store: &Store,
    question: &ParsedQuestion,
    named: &mut QuestionNames,
) -> Result<(), StoreError> {
    const ACCEPTING: &str = "accept accepting accepts expect expecting expects take takes taking";
    let Some(at) = question.words.len().checked_sub(1) else { return Ok(()) };
    let word = &question.words[at];
    let verb = (0..at).rev().find(|at| !is_one_of(question, *at, "a an any no optional the"));
    let is_asked = verb.is_some_and(|verb| verb > 0 && is_one_of(question, verb, ACCEPTING));
    let is_class = |target: &Target| target.main().record.kind == EntityKind::Class;
    let is_other = |mention: &NameMention| mention.at != at || mention.meanings.targets.iter().any(is_class);
    let is_free = named.parameters.is_empty() && !named.mentions.iter().any(is_other);
    if !is_asked || !is_free || !can_be_parameter(question, at) {
        return Ok(());
    }
    if word.text.contains('_') || is_parameter_name(store, &word.text)? {
        named.parameters.push(word.text.clone());
        named.mentions.clear();
        named.blank.insert(at);
    }
    Ok(())
}

/// Takes an unknown name for a parameter if a named definition has a parameter of that name.
pub(super) fn unknown_parameters(
    store: &Store,
    question: &ParsedQuestion,
    named: &mut QuestionNames,
) -> Result<(), StoreError> {
    let targets: Vec<Target> = named.mentions.iter().flat_map(|mention| mention.meanings.targets.clone()).collect();
    let mut taken = Vec::new();
    for (index, mention) in named.mentions.iter().enumerate() {
        // A question for a default speaks of parameters, whatever else has their names.
        let is_default = question.words.iter().any(|word| word.lower().starts_with("default"));
        // `when connect loses timeout`: an attribute may have the name too.
        let is_given = comes_after(question, mention.at, "loses lose lost gains gets drops without")
            || loser_of(question, mention.at).is_some();
        let is_unknown = (mention.meanings.targets.is_empty() || is_default || is_given) && !mention.text.contains('.');
        // `connect shall require timeout`: attributes of that name elsewhere are not meant.
        let is_variable = |target: &Target| target.main().record.kind == EntityKind::Variable;
        let is_attribute = mention.hint.is_none()
            && !mention.text.contains('.')
            && !mention.meanings.targets.is_empty()
            && mention.meanings.targets.iter().all(is_variable);
        let is_new = comes_after(question, mention.at, "accept accepts gain require requires take takes");
        if is_attribute && is_new && targets.iter().any(|target| target.main().record.kind.is_callable()) {
            taken.push(index);
            continue;
        }
        let is_lost = match loser_of(question, mention.at).and_then(|at| mention_at(named, at)) {
            Some(owner) => gives_up(store, owner, &question.words[mention.at])?,
            None => false,
        };
        if is_lost || is_taken_out(store, question, named, mention)? {
            taken.push(index);
            continue;
        }
        for target in targets.iter().filter(|_| is_unknown || is_attribute) {
            if takes(store, target, &mention.text)? || is_unknown && has_value(store, target, &mention.text)? {
                taken.push(index);
                break;
            }
        }
    }
    let mut names: Vec<String> = Vec::new();
    for index in taken.into_iter().rev() {
        names.insert(0, named.mentions.remove(index).text);
    }
    // `step of walk`: an ordinary word before a name may be a part of it.
    for at in 0..question.words.len() {
        let (word, is_adjacent) = (&question.words[at], is_one_of(question, at + 1, "of in from"));
        // `path from get to send` has its two ends behind it.
        let is_end_of_way = is_way(&word.lower()) && is_one_of(question, at + 1, "from");
        let is_everyday = is_stop_word(&word.lower());
        // `the name of f` is what it is called; `if name in f becomes required` is its parameter.
        let is_no_name = is_everyday && (!can_be_parameter(question, at) || comes_after(question, at, ARTICLES));
        if named.blank.contains(&at) || is_end_of_way || word.shape != Shape::Plain || is_no_name {
            continue;
        }
        let loser = loser_of(question, at).and_then(|owner| mention_at(named, owner));
        let owner = owner_of(question, at).and_then(|owner| mention_at(named, owner)).or(loser);
        let is_changed = owner.is_some() && (loser.is_some() || is_object_of_change(question, at));
        if let Some(owner) = owner.filter(|_| is_changed)
            && lacks_parameter(store, &owner.meanings.targets, word)?
        {
            names.push(word.text.clone());
            named.blank.insert(at);
            continue;
        }
        for target in &targets {
            let is_owner = owner.is_some_and(|owner| owner.meanings.targets.contains(target));
            let is_near = if is_everyday { is_owner && is_changed } else { is_adjacent || is_owner };
            let is_part = is_near && has_value(store, target, &word.text)?;
            // `drop verify from send`, where `send` passes its keywords on.
            if is_part || is_owner && is_changed && !is_everyday && takes_any_keyword(store, target)? {
                names.push(word.text.clone());
                named.blank.insert(at);
                break;
            }
        }
    }
    for name in names {
        named.has_parameter = true;
        if !named.parameters.contains(&name) {
            named.parameters.push(name);
        }
    }
    keep_takers(store, question, named)
}

/// Of several definitions with one name, keeps those that take a parameter of the question: `the timeout parameter of
/// send`.
fn keep_takers(store: &Store, question: &ParsedQuestion, named: &mut QuestionNames) -> Result<(), StoreError> {
    let is_callable = |target: &Target| target.main().record.kind.is_callable();
    for mention in named.mentions.iter_mut().filter(|mention| mention.meanings.targets.len() > 1) {
        let (mut takers, mut others) = (Vec::new(), Vec::new());
        for target in &mention.meanings.targets {
            let mut is_taker = false;
            for parameter in named.parameters.iter().filter(|_| is_callable(target)) {
                is_taker |= takes(store, target, parameter)?;
            }
            if is_taker { &mut takers } else { &mut others }.push(target.clone());
        }
        if takers.is_empty() {
            continue;
        }
        if speaks_of_change(question) {
            // An override is changed with its base, so none of them is likelier than the others.
            let (program, aside): (Vec<Target>, Vec<Target>) =
                takers.iter().cloned().partition(|target| !is_aside(&target.main().path));
            if (1..=MAX_TAKERS).contains(&program.len()) {
                mention.are_all_meant = true;
                takers = program;
                others.extend(aside);
            }
        }
        mention.meanings.targets = takers;
        mention.passed.extend(others);
    }
    Ok(())
}

/// Beginnings of words by which a question speaks of a change.
const CHANGING: [&str; 17] = [
    "becom",
    "chang",
    "delet",
    "disappear",
    "drop",
    "keyword",
    "kill",
    "kick",
    "positional",
    "remov",
    "renam",
    "requir",
    "strip",
    "tak",
    "throw",
    "vanish",
    "without",
];
/// Words between the name of a parameter and the preposition: `x is removed from f`.
const CHANGED: &str = "are away be became become becomes been being changed cut delete deleted disappear disappeared disappears drop dropped drops \
     fall falls gets go goes gone had has have is keyword keyword-only kicked left mandatory missing now only optional positional positional-only removed renamed required stripped taken thrown vanish vanished vanishes was \
     were";

/// The word that names the owner of the one at `at`: `drop x from f`, `x disappears from f`, `x of the method f`.
fn owner_of(question: &ParsedQuestion, at: usize) -> Option<usize> {
    let skip = |mut at: usize, known: &str| {
        while is_one_of(question, at, known) {
            at += 1;
        }
        at
    };
    // `the default of x to None in f`
    let is_set = is_one_of(question, at + 1, "to") && is_one_of(question, at + 3, "in of");
    let preposition = if is_set { at + 3 } else { skip(at + 1, CHANGED) };
    let owner = skip(preposition, "from of in out the function method class signature");
    (is_one_of(question, preposition, "from of in out") && owner < question.words.len()).then_some(owner)
}

/// The word that names a function which loses the parameter at `at`: `if f dropped x`.
fn loser_of(question: &ParsedQuestion, at: usize) -> Option<usize> {
    let behind = |at: usize, known: &str| (0..at).rev().find(|at| !is_one_of(question, *at, known));
    let verb = behind(at, "its the")?;
    let owner = behind(verb, "simply would")?;
    let is_supposed = (0..owner).any(|at| is_one_of(question, at, "if suppose when"));
    let is_lost = is_one_of(question, verb, "drop dropped drops lose loses lost");
    (is_lost && is_supposed).then_some(owner)
}

/// Whether a function takes a parameter of this name, as its own or as a further keyword.
fn gives_up(store: &Store, function: &NameMention, word: &QuestionWord) -> Result<bool, StoreError> {
    for target in function.meanings.targets.iter().filter(|target| target.main().record.kind.is_callable()) {
        if takes(store, target, &word.text)? || takes_any_keyword(store, target)? {
            return Ok(true);
        }
    }
    lacks_parameter(store, &function.meanings.targets, word)
}

fn mention_at(named: &QuestionNames, at: usize) -> Option<&NameMention> {
    named.mentions.iter().find(|mention| mention.at == at)
}

fn speaks_of_change(question: &ParsedQuestion) -> bool {
    question.words.iter().any(|word| CHANGING.iter().any(|beginning| word.lower().starts_with(beginning)))
}

/// Whether a change is made to the word at `at`: `drop x`, `x is removed`.
fn is_object_of_change(question: &ParsedQuestion, at: usize) -> bool {
    const VERBS: &str = "delete deleting drop dropping kill remove removing rename renaming strip stripping";
    let is_subject = is_one_of(question, at + 1, CHANGED) && comes_after(question, at, "after can could if once when");
    // `if x in f becomes required`
    let is_owned = comes_after(question, at, "if once when")
        && owner_of(question, at).is_some_and(|owner| is_one_of(question, owner + 1, CHANGED));
    // `if x of f had no default`
    let loses_default = is_owned
        && owner_of(question, at).is_some_and(|owner| is_one_of(question, owner + 1, "had has have lost loses"));
    // `change the default of x in f`
    let has_owned =
        comes_after(question, at, "of for") && at > 1 && comes_after(question, at - 1, "default value type");
    // `what if the default of x in f was 3`
    let is_supposed =
        has_owned && question.words.iter().any(|word| matches!(word.lower().as_str(), "was" | "were" | "had"));
    // `make x required in f`, `make x of f required`
    let becomes = |at: usize| is_one_of(question, at + 1, CHANGED);
    let is_made =
        (becomes(at) || owner_of(question, at).is_some_and(becomes)) && comes_after(question, at, "make makes making");
    (is_subject || is_owned || has_owned || is_made) && speaks_of_change(question)
        || loses_default
        || is_supposed
        || comes_after(question, at, VERBS)
}

/// Whether the word at `at` names the owner of a parameter that the question changes: `drop default from prompt`.
pub(super) fn is_changed_owner(question: &ParsedQuestion, at: usize) -> bool {
    let is_parameter = |word: &usize| owner_of(question, *word) == Some(at) && is_object_of_change(question, *word);
    (0..at).any(|word| is_parameter(&word))
}

/// Whether a change takes a name out of a callable that has a parameter of that name: `drop default from prompt`. A
/// member of a class is meant before a parameter of its constructor.
fn is_taken_out(
    store: &Store,
    question: &ParsedQuestion,
    named: &QuestionNames,
    mention: &NameMention,
) -> Result<bool, StoreError> {
    if mention.text.contains('.') {
        return Ok(false);
    }
    // A function has nothing but parameters that another definition could be called like.
    let is_change = speaks_of_change(question);
    let Some(owner) = owner_of(question, mention.at).and_then(|at| mention_at(named, at)) else { return Ok(false) };
    for target in &owner.meanings.targets {
        let is_member = mention.meanings.targets.iter().any(|inner| contains(target, inner.main()));
        let is_possible = is_change || target.main().record.kind.is_callable();
        if is_possible && !is_member && takes(store, target, &mention.text)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a target has a parameter of this name, or a class a field.
pub fn has_value(store: &Store, target: &Target, name: &str) -> Result<bool, StoreError> {
    let is_field = |child: &Entity| child.record.kind == EntityKind::Variable && child.record.name == name;
    let alias = aliased(store, target)?;
    let target = alias.as_ref().unwrap_or(target);
    let is_class = target.main().record.kind == EntityKind::Class;
    Ok(takes(store, target, name)? || is_class && store.children(target.main().id)?.iter().any(is_field))
}

/// Whether a target takes a parameter of this name. A class takes the parameters of its constructor.
pub fn takes(store: &Store, target: &Target, parameter: &str) -> Result<bool, StoreError> {
    let mut signatures: Vec<String> = target.entities.iter().map(|entity| entity.record.signature.clone()).collect();
    if target.main().record.kind == EntityKind::Class {
        let children = store.children(target.main().id)?;
        let constructors =
            children.into_iter().filter(|child| matches!(child.record.name.as_str(), "__init__" | "__new__"));
        signatures.extend(constructors.map(|child| child.record.signature));
    }
    let has = |text: &String| {
        Signature::parse(text).is_some_and(|signature| signature.parameters.iter().any(|p| p.name == parameter))
    };
    Ok(signatures.iter().any(has))
}
