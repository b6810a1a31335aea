//! The places of a question where the name of a parameter stands: `pass X to f`, `f called with X=1`, `the argument X`.
//!
//! Only the grammar of the question counts here. A word in such a place is a parameter of the named callable before it
//! is any other definition, however ordinary the word is.

use std::collections::BTreeSet;

use crate::{
    ask::reading::{
        subjects::{QuestionNames, comes_after, is_one_of, parameters::takes},
        words::{ParsedQuestion, QuestionWord, Shape, is_in, is_stop_word, objects::PRONOUNS},
    },
    model::{
        EntityKind,
        conventions::is_constructor,
        signature::{ParameterKind, Signature},
        written_signature::WrittenSignature,
    },
    query::{
        calls::parameters::parameters_of,
        target::{
            Target, aliased,
            filter::{Filter, FilterReader},
        },
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Words that call a name a parameter.
pub const PARAMETER_WORDS: &str = "parameter parameters argument arguments arg args param params kwarg kwargs keyword";
/// Verbs of which an argument is the object, and those of which it is one where the question speaks of calls.
const PASSING: &str =
    "pass passes passed passing specify specifies specified specifying supply supplies supplied supplying";
const GIVING: &str = "forget forgets give gives given giving lack lacking lacks leave leaves leaving omit omits omitting provide provides provided providing \
     set sets setting skip skipping skips with without";
/// Verbs of which an argument is the object where the question names the callable behind it.
const USING: &str = "use used uses using";
/// Words by which a question speaks of calls.
const CALLING: &str = "call called caller callers calling calls construct constructed constructing constructs create created creates \
     creating instantiate instantiated instantiates instantiating";
/// Verbs of a callable that has a parameter.
const ACCEPTING: &str =
    "accept accepted accepting accepts support supported supporting supports take takes taking took";
/// Words between a callable and such a verb by which it has the parameter no longer.
const NO_LONGER: &str = "cannot did do does longer never no not stop stopped stops to will would";
/// Beginnings of words by which calls do not pass something.
const NOT_PASSING: [&str; 6] = ["forget", "lack", "leav", "left", "omit", "skip"];
/// Words between a verb and the argument: `pass a value for x`, `with an explicit x`.
const FILLING: &str = "a an any anything as called different ever explicit explicitly for its named no out something the value values what";
/// Words that describe a parameter: `the required argument`.
const ADJECTIVES: &str =
    "additional default extra first keyword last new optional other positional required same second third";
/// Words between an argument and the verb behind it: `is x ever passed`.
const STATES: &str = "actually always are be being been ever explicitly is never not still was were";
/// Words before the callable: `to f`, `in calls to f`, `of the function f`.
const PREPOSITIONS: &str = "from in of out to when while";
const BEFORE_OWNER: &str = "a call calling calls class constructor function method signature the they to we you";
/// Verbs of a call that leaves a parameter to its default.
const LEAVING: &str = "depend depending depends get gets getting leave leaves leaving relies rely relying take takes taking use \
     uses using";
/// Small words that are no names of parameters where the question does not quote them.
const SMALL: &str = "and as at be been by can do does for from has have if in into is may not of on or out than then to was were \
     when while will with without";

/// An argument that calls pass, or do not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedArgument {
    pub name: String,
    /// The expression; `None` for any.
    pub value: Option<String>,
    pub is_denied: bool,
    /// The question says that calls pass it; otherwise it only names the parameter.
    pub is_passed: bool,
    /// Whether it must be passed by position or by keyword.
    pub way: Option<PassedBy>,
}

/// How a call passes an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassedBy {
    Position,
    Keyword,
}

impl AskedArgument {
    /// As in a call.
    pub fn worded(&self) -> String {
        match &self.value {
            Some(value) if self.name.is_empty() => value.clone(),
            Some(value) => format!("{}={value}", self.name),
            None => self.name.clone(),
        }
    }
}

/// A word in the place of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ParameterSlot {
    at: usize,
    /// The word of the question that says so: a verb, or `parameter`.
    by: usize,
    /// Calls pass it; otherwise the question only calls it a parameter.
    is_passed: bool,
    /// Calls leave it to its default.
    is_left: bool,
}

impl ParameterSlot {
    fn new(at: usize, by: usize, is_passed: bool) -> Self {
        Self { at, by, is_passed, is_left: false }
    }
}

/// The places of a question where parameters stand, and where the callables stand that take them.
pub struct ParameterSlots {
    slots: Vec<ParameterSlot>,
    pub owners: BTreeSet<usize>,
}

impl ParameterSlots {
    /// Finds the places in a question.
    pub fn of(question: &ParsedQuestion) -> Self {
        let mut slots: Vec<ParameterSlot> = Vec::new();
        let mut owners = BTreeSet::new();
        let speaks_of_calls = question.words.iter().any(|word| is_in(CALLING, &word.lower()));
        for (by, word) in question.words.iter().enumerate().filter(|(_, word)| !word.is_quoted) {
            let lower = word.lower();
            let is_noun = is_in(PARAMETER_WORDS, &lower);
            let is_used = speaks_of_calls
                && is_in(USING, &lower)
                && [by, by + 1].into_iter().any(|at| owner_behind(question, at).is_some());
            let is_verb = is_in(PASSING, &lower) || speaks_of_calls && is_in(GIVING, &lower) || is_used;
            if !is_noun && !is_verb {
                continue;
            }
            let is_filling = |at: usize| is_one_of(question, at, FILLING) || is_one_of(question, at, PARAMETER_WORDS);
            let end = (by + 1..question.words.len()).find(|at| !is_free(question, *at, is_filling));
            // `pass value to f`: a word that could lead to a name is one where none follows.
            let end = end.unwrap_or(question.words.len());
            // `the argument all of f`, `pass all to f`, `the args parameter of f`
            let is_owned = |at: usize| {
                let is_behind = at == by + 1 && owner_behind(question, at).is_some();
                let is_before = at + 1 == by && owner_behind(question, by).is_some();
                (is_behind || is_before && comes_after(question, at, "are is the")) && !is_one_of(question, at, SMALL)
            };
            let can_stand =
                |word: &QuestionWord| is_constant(&word.text) || can_be_parameter(question, end) || is_owned(end);
            let is_there = question.words.get(end).is_some_and(can_stand);
            let behind = if is_there { Some(end) } else { Some(end - 1).filter(|last| *last > by) };
            let is_state = |at: usize| is_one_of(question, at, STATES);
            let before = (0..by).rev().find(|at| !is_free(question, *at, is_state));
            let is_before =
                |at: &usize| if is_noun { is_named_before(question, *at, by) } else { is_subject(question, *at) };
            let places = [behind.filter(|_| !word.ends_clause), before.filter(is_before)];
            // `pass args to f`
            let is_noun_passed = |at: usize| is_verb && is_one_of(question, at, PARAMETER_WORDS);
            let can_be = |at: &usize| {
                can_be_parameter(question, *at)
                    || is_noun_passed(*at)
                    || is_owned(*at)
                    || is_verb && is_constant(&question.words[*at].text)
            };
            let found = places.into_iter().flatten().filter(can_be);
            slots.extend(found.map(|at| ParameterSlot::new(at, by, is_verb)));
            // `is x of f ever passed`
            let owner = before.filter(|at| is_verb && *at > 1 && is_one_of(question, at - 1, "in of"));
            let owned =
                owner.map(|at| at - 2).filter(|at| is_subject(question, *at) && can_be_parameter(question, *at));
            slots.extend(owned.map(|at| ParameterSlot::new(at, by, true)));
            owners.extend(owner.filter(|_| owned.is_some()));
            owners.extend(is_verb.then(|| owner_behind(question, by)).flatten());
            // `an argument before x`
            let is_beside = is_noun && is_one_of(question, by + 1, "after before behind");
            let beside = (by + 2..question.words.len()).find(|at| !is_one_of(question, *at, "a an the"));
            slots.extend(beside.filter(|_| is_beside).map(|at| ParameterSlot::new(at, by + 1, false)));
            // `change this parameter of f to None: x`
            let last = question.words.len() - 1;
            let is_shown =
                is_noun && comes_after(question, by, "following this") && question.words[last.max(1) - 1].ends_clause;
            slots.extend(is_shown.then_some(ParameterSlot::new(last, by, false)));
            owners.extend(is_noun.then(|| owner_behind(question, by)).flatten());
        }
        let is_valued = |at: &usize| question.words[*at].value.is_some();
        let is_known = |at: &usize| slots.iter().any(|slot| slot.at == *at);
        let valued: Vec<usize> = (0..question.words.len()).filter(|at| is_valued(at) && !is_known(at)).collect();
        slots.extend(valued.into_iter().map(|at| ParameterSlot::new(at, at, speaks_of_calls)));
        slots.extend(left_to_default(question));
        for (owner, slot) in given_up(question) {
            owners.insert(owner);
            slots.push(slot);
        }
        // `f's x`
        for by in (0..question.words.len()).filter(|at| question.words[*at].is_possessive) {
            let at = (by + 1..question.words.len()).find(|at| !is_one_of(question, *at, PARAMETER_WORDS));
            slots.extend(at.map(|at| ParameterSlot::new(at, by, false)));
            owners.insert(by);
        }
        owners.extend(slots.iter().filter_map(|slot| owner_behind(question, slot.at)));
        Self { slots, owners }
    }
}

/// The parameters that calls leave to their defaults: `rely on the default of x`.
fn left_to_default(question: &ParsedQuestion) -> Vec<ParameterSlot> {
    let mut slots = Vec::new();
    for default in 1..question.words.len() {
        let verb = (0..default).rev().find(|at| !is_one_of(question, *at, "on the to upon"));
        let verb = verb.filter(|at| is_one_of(question, *at, LEAVING));
        let is_owned = is_one_of(question, default + 1, "for of value");
        if let Some(by) = verb.filter(|_| is_one_of(question, default, "default") && is_owned) {
            let mut behind = default + 1..question.words.len();
            let is_name = |at: &usize| {
                !is_one_of(question, *at, "for of the value") && !is_one_of(question, *at, PARAMETER_WORDS)
            };
            slots.extend(
                behind.find(is_name).map(|at| ParameterSlot { is_left: true, ..ParameterSlot::new(at, by, true) }),
            );
        }
    }
    slots
}

/// The callables that have a parameter no longer, with it: `if f no longer accepts x`, `if f took no x`.
fn given_up(question: &ParsedQuestion) -> Vec<(usize, ParameterSlot)> {
    let mut found = Vec::new();
    let is_supposed = question.words.iter().any(|word| is_in("if once suppose when", &word.lower()));
    for by in (2..question.words.len()).filter(|by| is_supposed && is_one_of(question, *by, ACCEPTING)) {
        let is_denial = |at: usize| is_one_of(question, at, NO_LONGER) || question.words[at].lower().ends_with("n't");
        let Some(owner) = (1..by).rev().find(|at| !is_denial(*at)) else { continue };
        let is_denied = owner + 1 < by || is_one_of(question, by + 1, "no");
        let at = (by + 1..question.words.len()).find(|at| !is_one_of(question, *at, "a an any its no the"));
        let slot = at.filter(|at| is_denied && can_be_parameter(question, *at));
        found.extend(slot.map(|at| (owner, ParameterSlot::new(at, by, false))));
    }
    found
}

/// Whether a word stands between others without being a name.
fn is_free(question: &ParsedQuestion, at: usize, is_known: impl Fn(usize) -> bool) -> bool {
    !question.words[at].is_quoted && question.words[at].value.is_none() && is_known(at)
}

/// Whether a word is the subject of a passive: `is x passed`.
fn is_subject(question: &ParsedQuestion, at: usize) -> bool {
    let head = if at > 0 && comes_after(question, at, "the") { at - 1 } else { at };
    comes_after(question, head, "are is was were")
}

/// Whether a word names the parameter that the noun at `noun` speaks of: `the x argument`.
fn is_named_before(question: &ParsedQuestion, at: usize, noun: usize) -> bool {
    let is_plural = question.words[noun].lower().ends_with('s');
    let is_everyday = is_stop_word(&question.words[at].lower());
    question.words[at].is_quoted
        || ordinal(&question.words[at].lower()).is_some()
        || !is_plural
            && !is_one_of(question, at, ADJECTIVES)
            && (!is_everyday || comes_after(question, at, "the") && owner_behind(question, noun).is_some())
}

/// Whether a word is no small word of the language.
pub fn can_be_parameter(question: &ParsedQuestion, at: usize) -> bool {
    let word = &question.words[at];
    let lower = word.lower();
    let is_name =
        word.is_string || word.shape != Shape::Path && word.text.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name && (word.is_quoted || !is_in(PRONOUNS, &lower) && !is_in(SMALL, &lower) && !is_in(PARAMETER_WORDS, &lower))
}

/// The word behind the one at `at` that names a callable: `x of the method f`, `x when calling f`.
pub fn owner_behind(question: &ParsedQuestion, at: usize) -> Option<usize> {
    let ends_clause = question.words.get(at).is_none_or(|word| word.ends_clause);
    if ends_clause || !is_one_of(question, at + 1, PREPOSITIONS) {
        return None;
    }
    (at + 2..question.words.len()).find(|at| question.words[*at].is_quoted || !is_one_of(question, *at, BEFORE_OWNER))
}

/// Takes the words in the places of parameters for parameters, where a named callable has them, and reads the argument
/// by which calls are asked for.
pub fn fill_slots(
    store: &Store,
    question: &ParsedQuestion,
    slots: &ParameterSlots,
    named: &mut QuestionNames,
) -> Result<(), StoreError> {
    for (before, quote) in &question.quotes {
        let verb = (0..*before).rev().find(|at| !is_free(question, *at, |at| is_one_of(question, at, FILLING)));
        if verb.is_some_and(|at| is_one_of(question, at, PASSING)) {
            pass_value(store, question, *before, format!("\"{quote}\""), named)?;
        }
    }
    for slot in &slots.slots {
        let word = &question.words[slot.at];
        let is_position = is_one_of(question, slot.by, "after before behind");
        if is_position || is_default_taken(question, slot) {
            // Where a new parameter stands is no subject, and neither is the default that a parameter loses.
            named.mentions.retain(|mention| mention.at != slot.at);
            if !is_position {
                named.blank.remove(&slot.at);
            }
            named.has_parameter = true;
            continue;
        }
        if let Some(number) = ordinal(&word.lower()).filter(|_| !word.is_quoted) {
            if let Some(name) = numbered(store, named, number)? {
                named.parameters.push(name);
            }
            continue;
        }
        let mut is_taken = false;
        let mut is_open = false;
        let is_owned = question.words[slot.by].is_possessive;
        let owners = named.mentions.iter().filter(
            |mention| {
                if is_owned { mention.at == slot.by } else { mention.at != slot.at }
            },
        );
        for target in owners.flat_map(|mention| &mention.meanings.targets) {
            if is_owned && !target.main().record.kind.is_callable() {
                continue;
            }
            is_taken |= target.main().record.name != word.text && accepts(store, target, &word.text)?;
            is_open |= takes_any_keyword(store, target)?;
        }
        if let Some(value) = literal_of(question, slot).filter(|_| !is_taken) {
            named.mentions.retain(|mention| mention.at != slot.at);
            named.blank.insert(slot.at);
            pass_value(store, question, slot.at + 1, value, named)?;
            continue;
        }
        // A word that is written as code names a further keyword, or one that nothing takes.
        let is_name = word.value.is_some() || word.shape == Shape::Code || word.is_quoted;
        let is_defined =
            named.mentions.iter().any(|mention| mention.at == slot.at && !mention.meanings.targets.is_empty());
        let is_alone = is_in(PASSING, &question.words[slot.by].lower()) || ends_there(question, slot);
        let is_keyword = is_open && is_alone && !is_stop_word(&word.lower());
        // Nothing but an argument can be passed to what takes any keyword.
        let by = question.words[slot.by].lower();
        let is_verb = is_in(PASSING, &by) || slot.is_passed && is_in("given set", &by);
        let is_subject = slot.at < slot.by && owner_behind(question, slot.by).is_some();
        let is_passed_on = is_open && is_verb && (is_subject || ends_there(question, slot));
        let can_be_further = !is_owned && !slot.is_left;
        // `the x parameter of f`
        let is_called_so = is_open && is_in(PARAMETER_WORDS, &by) && owner_behind(question, slot.by).is_some();
        let is_refused = !is_owned && !is_taken && !is_open && is_refused(store, question, slot, named)?;
        let is_given_up =
            (is_open && !is_defined || is_refused) && is_in(ACCEPTING, &by) && !is_stop_word(&word.lower());
        let is_further = can_be_further
            && (word.value.is_some()
                || is_passed_on
                || is_called_so
                || is_given_up
                || slot.is_passed && !is_defined && (is_name || is_keyword));
        if !is_taken && !is_further && !(is_refused && (slot.is_passed || is_given_up)) {
            continue;
        }
        named.has_parameter |= (is_taken || is_given_up) && !slot.is_passed;
        named.mentions.retain(|mention| mention.at != slot.at);
        named.blank.insert(slot.at);
        if (is_taken || is_given_up) && !named.parameters.contains(&word.text) {
            named.parameters.push(word.text.clone());
        }
        let is_known = named.argument.as_ref().is_some_and(|known| known.is_passed || !slot.is_passed);
        if !is_known {
            let is_no = |word: &str| {
                matches!(word, "not" | "never" | "no" | "without")
                    || word.ends_with("n't")
                    || NOT_PASSING.iter().any(|verb| word.starts_with(verb))
            };
            let from = slot.by.min(slot.at).saturating_sub(1);
            let is_denied =
                slot.is_left || question.words[from..slot.by.max(slot.at)].iter().any(|word| is_no(&word.lower()));
            let (name, value) = (word.text.clone(), word.value.clone().or_else(|| value_set(question, slot)));
            let is_passed = slot.is_passed;
            named.argument = Some(AskedArgument { name, value, is_denied, is_passed, way: way(question) });
        }
    }
    lost_default(store, question, named)
}

/// Whether a word stands where an argument of a function does that has no such parameter: `who passes x to f`.
fn is_refused(
    store: &Store,
    question: &ParsedQuestion,
    slot: &ParameterSlot,
    named: &QuestionNames,
) -> Result<bool, StoreError> {
    let word = &question.words[slot.at];
    // `who calls f with x`, `if f no longer takes x`
    let is_behind = is_one_of(question, slot.by, "with without") || is_in(ACCEPTING, &question.words[slot.by].lower());
    let before = (0..slot.by).rev().find(|at| !is_one_of(question, *at, NO_LONGER)).filter(|_| is_behind);
    let owner = [slot.at, slot.by].into_iter().find_map(|at| owner_behind(question, at)).or(before);
    let owner = named.mentions.iter().find(|mention| Some(mention.at) == owner);
    let is_attribute =
        |target: &Target| matches!(target.main().record.kind, EntityKind::Variable | EntityKind::Property);
    let itself = named.mentions.iter().find(|mention| mention.at == slot.at);
    if itself.is_some_and(|itself| !itself.meanings.targets.iter().all(is_attribute)) {
        return Ok(false);
    }
    match owner {
        Some(owner) => lacks_parameter(store, &owner.meanings.targets, word),
        None => Ok(false),
    }
}

/// Whether a word is the name of a parameter, and these functions have none of that name: it is written like a name, or
/// another function has such a parameter.
pub fn lacks_parameter(store: &Store, functions: &[Target], word: &QuestionWord) -> Result<bool, StoreError> {
    let are_functions = functions.iter().all(|target| target.main().record.kind.is_callable()) && !functions.is_empty();
    if !are_functions || is_stop_word(&word.lower()) || word.text.starts_with(char::is_uppercase) {
        return Ok(false);
    }
    for function in functions {
        if accepts(store, function, &word.text)? || takes_any_keyword(store, function)? {
            return Ok(false);
        }
    }
    Ok(word.shape == Shape::Code || word.is_quoted || is_parameter_name(store, &word.text)?)
}

/// Whether some function of the repository has a parameter of this name.
pub fn is_parameter_name(store: &Store, name: &str) -> Result<bool, StoreError> {
    let filter = Filter { parameters: vec![name.to_owned()], ..Filter::default() };
    Ok(!FilterReader::new(store)?.fitting(&filter)?.is_empty())
}

/// `default=None` names no parameter where the question takes it away.
fn is_default_taken(question: &ParsedQuestion, slot: &ParameterSlot) -> bool {
    const TAKING: &str = "delete deleting drop dropping remove removing";
    let word = &question.words[slot.at];
    word.value.is_some() && word.lower() == "default" && comes_after(question, slot.at, TAKING)
}

/// Takes the one parameter that has the default which the question takes away.
fn lost_default(store: &Store, question: &ParsedQuestion, named: &mut QuestionNames) -> Result<(), StoreError> {
    let slot = |at: usize| ParameterSlot::new(at, at, false);
    let lost = (0..question.words.len()).find(|at| is_default_taken(question, &slot(*at)));
    let Some(value) = lost.and_then(|at| question.words[at].value.as_ref()).filter(|_| named.parameters.is_empty())
    else {
        return Ok(());
    };
    let mut found = Vec::new();
    for target in named.mentions.iter().flat_map(|mention| &mention.meanings.targets) {
        for name in parameters_of(store, target)? {
            let written = WrittenSignature::parse(&target.main().record.signature);
            let mut parameters = written.iter().flat_map(|written| &written.parameters);
            let is_it = parameters.any(|one| one.name == name && one.default == Some(value.as_str()));
            found.extend(is_it.then_some(name));
        }
    }
    if found.iter().any(|name| name == "default") {
        found.retain(|name| name == "default");
    }
    if let [name] = found.as_slice() {
        named.parameters.push(name.clone());
    }
    Ok(())
}

/// The value that stands in the place of an argument: a quoted string, a number, `None`.
fn literal_of(question: &ParsedQuestion, slot: &ParameterSlot) -> Option<String> {
    let word = &question.words[slot.at];
    let text = word.text.as_str();
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    // `pass two arguments`
    let is_amount = is_number && is_one_of(question, slot.at + 1, PARAMETER_WORDS);
    let is_constant = is_constant(text) || is_number && !is_amount;
    let value = match () {
        () if word.value.is_some() => return None,
        () if word.is_string => format!("\"{text}\""),
        () if is_constant => text.to_owned(),
        () => return None,
    };
    slot.is_passed.then_some(value)
}

/// Whether a word is a value of Python; as words of the language they are written small.
fn is_constant(word: &str) -> bool {
    matches!(word, "True" | "False" | "None")
}

/// The value to which a question sets an argument: `is x ever set to False`.
fn value_set(question: &ParsedQuestion, slot: &ParameterSlot) -> Option<String> {
    let is_set = slot.is_passed && slot.at < slot.by && is_one_of(question, slot.by, "given passed set specified");
    let at = if is_one_of(question, slot.by + 1, "as to") { slot.by + 2 } else { slot.by + 1 };
    let word = question.words.get(at).filter(|_| is_set)?;
    let is_number = word.text.bytes().all(|byte| byte.is_ascii_digit());
    match () {
        () if word.is_string => Some(format!("\"{}\"", word.text)),
        () => (is_constant(&word.text) || is_number).then(|| word.text.clone()),
    }
}

/// Asks for the calls that pass a value, for the parameter that the words from `behind` on name: `True for x`.
fn pass_value(
    store: &Store,
    question: &ParsedQuestion,
    behind: usize,
    value: String,
    named: &mut QuestionNames,
) -> Result<(), StoreError> {
    let targets: Vec<Target> = named.mentions.iter().flat_map(|mention| mention.meanings.targets.clone()).collect();
    let mut name = String::new();
    for at in (behind..question.words.len()).filter(|at| comes_after(question, *at, "as for the")) {
        let text = &question.words[at].text;
        for target in &targets {
            if name.is_empty() && accepts(store, target, text)? {
                name.clone_from(text);
            }
        }
        if name == *text {
            named.mentions.retain(|mention| mention.at != at);
            named.blank.insert(at);
        }
    }
    let is_denied = question.words.iter().any(|word| word.lower() == "not" || word.lower().ends_with("n't"));
    let value = Some(value);
    named.argument = Some(AskedArgument { name, value, is_denied, is_passed: true, way: None });
    Ok(())
}

/// Whether the question asks for arguments by position or by keyword.
fn way(question: &ParsedQuestion) -> Option<PassedBy> {
    let words = question.lower_words();
    let is_after = |at: usize| at > 0 && is_in("a an as by", &words[at - 1]);
    let found = |known: &str| (0..words.len()).any(|at| is_in(known, &words[at]) && is_after(at));
    let is_by_position = words.iter().any(|word| word == "positionally") || found("position positional");
    match () {
        () if is_by_position => Some(PassedBy::Position),
        () if found("keyword name") => Some(PassedBy::Keyword),
        () => None,
    }
}

/// The number of a parameter from the left, from 0: `the second argument`. The last one has the highest number.
pub fn ordinal(lower: &str) -> Option<usize> {
    const WORDS: [[&str; 2]; 6] =
        [["first", "1st"], ["second", "2nd"], ["third", "3rd"], ["fourth", "4th"], ["fifth", "5th"], ["sixth", "6th"]];
    if lower == "last" { Some(usize::MAX) } else { WORDS.iter().position(|words| words.contains(&lower)) }
}

/// The name of the parameter at a position of the first named callable.
fn numbered(store: &Store, named: &QuestionNames, number: usize) -> Result<Option<String>, StoreError> {
    for target in named.mentions.iter().flat_map(|mention| &mention.meanings.targets) {
        let mut names = parameters_of(store, target)?;
        if !names.is_empty() && (number < names.len() || number == usize::MAX) {
            let at = number.min(names.len() - 1);
            return Ok(Some(names.swap_remove(at)));
        }
    }
    Ok(None)
}

/// Whether an argument stands right behind its verb, and nothing that it could describe behind it.
fn ends_there(question: &ParsedQuestion, slot: &ParameterSlot) -> bool {
    let is_last = slot.at + 1 == question.words.len() || question.words[slot.at].ends_clause;
    slot.at == slot.by + 1 && (is_last || is_one_of(question, slot.at + 1, PREPOSITIONS))
}

/// Whether a callable, perhaps under another name, has a parameter of this name.
fn accepts(store: &Store, target: &Target, name: &str) -> Result<bool, StoreError> {
    let alias = aliased(store, target)?;
    takes(store, alias.as_ref().unwrap_or(target), name)
}

/// Whether a callable, or the constructor of a class, takes keywords that its signature does not name.
pub fn takes_any_keyword(store: &Store, target: &Target) -> Result<bool, StoreError> {
    let mut callables = target.entities.clone();
    if target.main().record.kind == EntityKind::Class {
        callables = store.children(target.main().id)?;
        callables.retain(|member| is_constructor(&member.record.name));
    }
    let is_any = |signature: Signature| signature.parameters.iter().any(|one| one.kind == ParameterKind::Keywords);
    let takes_any = |entity: &Entity| Signature::parse(&entity.record.signature).is_some_and(is_any);
    Ok(callables.iter().any(|entity| entity.record.kind.is_callable() && takes_any(entity)))
}
