//! Reads sets under several relationships out of a question: `classes that derive from A but not from B`.
//!
//! A set has a kind of definition and conditions, each a relationship to a name that must hold or must not. One
//! condition that must hold is no set: the answer about uses or subclasses says more.

use serde::Serialize;

use crate::{
    ask::reading::{
        filters::{Filters, Noun},
        forms::{
            patterns::{Phrase, is_negation},
            words,
        },
        names::{NameMatch, meanings},
        subjects::{NameMention, QuestionNames},
        words::{ParsedQuestion, Shape, is_in, is_stop_word},
    },
    model::{
        EntityKind,
        conventions::{is_special, standard_library},
    },
    query::target::{Target, likeliest::is_aside},
    store::{Store, error::StoreError, read::Entity},
};

/// Words by which a question goes on with what the answer before it lists.
const GOES_ON: &str = "of them/those/these | ^ are/is/do/does/and they/those/these | ^ which/what ones | ^ which are/do/have & !§ .. § | \
     ^ and/only/just in/inside/within | ^ and/only/just in/inside the/module/file | ^ how many .. they/those/these";
const TESTED: &str =
    "tested | untested | covered | uncovered | reached by .. test/tests | have/has/with/without .. tests/test";

/// Words within which a question says of what kind of definition it speaks.
const HEAD: usize = 6;

words! {
    /// A relationship that a set can be asked for.
    RelationVerb {
        Calls = "call",
        Uses = "use",
        Imports = "import",
        Inherits = "derive from",
        /// A class defines a member of this name.
        Defines = "define",
        Reads = "read",
        Writes = "write",
        Raises = "raise",
        Catches = "catch",
        /// A change of the name would concern the test.
        Tests = "test",
        /// Some test reaches the definition.
        Tested = "be reached by tests",
        /// The code of a place does this with the definition.
        IsCalled = "be called",
        IsUsed = "be used",
        IsImported = "be imported",
        IsRaised = "be raised",
        IsCaught = "be caught",
    }
}

impl RelationVerb {
    /// Whether others do it with the definition.
    pub fn is_passive(self) -> bool {
        matches!(self, Self::IsCalled | Self::IsUsed | Self::IsImported | Self::IsRaised | Self::IsCaught)
    }
}

/// A relationship that must hold, or must not.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct RelationCondition {
    pub verb: RelationVerb,
    /// The name, as answers say it.
    pub of: String,
    pub is_denied: bool,
    /// The definitions that it can be; none for a name of a library.
    #[serde(skip)]
    pub targets: Vec<Target>,
}

/// A set of definitions under conditions.
#[derive(Clone, Debug)]
pub struct RelationSet {
    /// The kind of its definitions; `None` where the question leaves it open.
    pub noun: Option<Noun>,
    pub conditions: Vec<RelationCondition>,
    /// The classes and modules among whose contents the question looks.
    pub owners: Vec<Target>,
    /// Numbers of the words that are names of a library here, whatever they mean elsewhere.
    pub outside: Vec<usize>,
    /// The definitions of the earlier answer that the question goes on with; empty where it does not.
    pub among: Vec<Entity>,
    /// Definitions that belong to the set and are left out of it: `besides C`.
    pub left_out: Vec<Target>,
    /// Only classes that derive from a base at once count.
    pub is_direct: bool,
    /// Objects that name nothing: `call neither f nor frob`.
    pub lost: Vec<String>,
}

impl RelationSet {
    /// Whether the question asks for such a set, given its other conditions.
    pub fn is_asked(&self, filters: &Filters, has_files: bool) -> bool {
        const CODE: [RelationVerb; 7] = [
            RelationVerb::Calls,
            RelationVerb::Uses,
            RelationVerb::Imports,
            RelationVerb::Reads,
            RelationVerb::Writes,
            RelationVerb::Raises,
            RelationVerb::Catches,
        ];
        if !self.among.is_empty() {
            let has_conditions = !self.conditions.is_empty() || filters.is_any();
            return has_conditions || filters.in_tests().is_some() || has_files || self.narrows(filters);
        }
        // `methods of C that call f`
        if !self.owners.is_empty() && self.conditions.iter().all(|one| CODE.contains(&one.verb)) {
            return true;
        }
        let has_conditions = filters.is_any() && filters.base.is_none() && filters.ranking().is_none();
        self.conditions.len() > 1
            || self.conditions.iter().any(|one| one.is_denied)
            || has_conditions
            || !self.left_out.is_empty()
    }

    /// Whether the question asks for one kind of the definitions of the earlier answer: `which of them are properties`.
    pub fn narrows(&self, filters: &Filters) -> bool {
        let asked = self.noun.or(filters.noun).filter(|noun| *noun != Noun::Definition);
        asked.is_some() && !self.among.is_empty() && asked != list_noun(&self.among)
    }

    /// Whether others do something with the definitions: a place is that of the deed.
    pub fn is_of_uses(&self) -> bool {
        self.conditions.iter().any(|one| one.verb.is_passive())
    }

    /// Limits the set to the heirs of a class.
    pub fn add_base(&mut self, base: Option<Entity>) {
        self.conditions.extend(base.map(|base| RelationCondition {
            verb: RelationVerb::Inherits,
            of: base.full_name(),
            is_denied: false,
            targets: vec![Target::of(vec![base])],
        }));
    }

    /// Takes the base out of the filters, which the set has as a condition.
    pub fn take_over(&self, filters: &mut Filters) {
        filters.base = None;
        filters.denied.retain(|denied| *denied != "base");
        filters.noun = self.noun.or(filters.noun);
        filters.raises = None;
        filters.catches = None;
        if self.is_of_uses() {
            filters.is.retain(|word| !matches!(*word, "unused" | "most_used"));
        }
        filters.denied.retain(|denied| !matches!(*denied, "raises" | "catches"));
    }
}

/// The relationship that a word speaks of.
fn verb_of(word: &str) -> Option<RelationVerb> {
    Some(match word {
        "call" | "calls" | "calling" | "callers" | "invoke" | "invokes" | "invoking" => RelationVerb::Calls,
        "use" | "uses" | "using" | "users" | "reference" | "references" => RelationVerb::Uses,
        "import" | "imports" | "importing" | "importers" => RelationVerb::Imports,
        "inherit" | "inherits" | "inheriting" | "derive" | "derives" | "derived" | "deriving" | "extend"
        | "extends" | "extending" | "subclass" | "subclasses" | "subclassing" | "descend" | "descendants" | "heirs" => {
            RelationVerb::Inherits
        }
        "override" | "overrides" | "overriding" | "define" | "defines" | "defining" | "implement" | "implements"
        | "implementing" | "redefine" | "redefines" => RelationVerb::Defines,
        "read" | "reads" | "reading" => RelationVerb::Reads,
        "write" | "writes" | "writing" | "set" | "sets" | "setting" | "modify" | "modifies" => RelationVerb::Writes,
        "raise" | "raises" | "raising" | "throw" | "throws" => RelationVerb::Raises,
        "catch" | "catches" | "catching" => RelationVerb::Catches,
        "test" | "tests" | "cover" | "covers" | "exercise" | "exercises" | "reach" | "reaches" => RelationVerb::Tests,
        _ => return None,
    })
}

/// The noun for the definitions of a list; `None` for an empty one.
pub fn list_noun(listed: &[Entity]) -> Option<Noun> {
    use EntityKind::{Class, Function, Method, Property};
    listed.first()?;
    let are = |kinds: &[EntityKind]| listed.iter().all(|one| kinds.contains(&one.record.kind));
    Some(if are(&[Class]) {
        Noun::Class
    } else if are(&[Property]) {
        Noun::Property
    } else if are(&[Method, Property]) {
        Noun::Method
    } else if are(&[Function, Method, Property]) {
        Noun::Function
    } else {
        Noun::Definition
    })
}

/// The deed that others do with the definitions of a list: `are raised in a.py`, `are called by f`.
fn passive(phrase: &Phrase, named: &QuestionNames) -> Option<RelationCondition> {
    const DEEDS: [(&str, RelationVerb); 5] = [
        ("called invoked instantiated", RelationVerb::IsCalled),
        ("used referenced needed", RelationVerb::IsUsed),
        ("imported", RelationVerb::IsImported),
        ("raised thrown", RelationVerb::IsRaised),
        ("caught handled", RelationVerb::IsCaught),
    ];
    let verb_at = |at: usize| DEEDS.iter().find(|(words, _)| is_in(words, &phrase.words[at])).map(|(_, verb)| *verb);
    let (at, verb) =
        (0..phrase.words.len()).filter(|at| !phrase.is_name[*at]).find_map(|at| Some((at, verb_at(at)?)))?;
    // `used most` ranks.
    if phrase.has("most | often | least | only once | times | more than | less than | at least") {
        return None;
    }
    let by: Vec<&NameMention> = named.mentions.iter().filter(|mention| mention.at > at).collect();
    let targets: Vec<Target> = by.iter().flat_map(|mention| mention.meanings.targets.iter().cloned()).collect();
    if by.iter().any(|mention| mention.meanings.targets.is_empty()) {
        return None;
    }
    let of = targets.first().map_or_else(String::new, |target| target.main().full_name());
    let is_denied = phrase.is_denied(at) || phrase.has("never | nowhere");
    Some(RelationCondition { verb, of, is_denied, targets })
}

fn is_module(target: &Target) -> bool {
    target.main().record.kind == EntityKind::Module
}

/// The kind of definitions that a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DependentKind {
    Any,
    Function,
    Method,
    Class,
    Exception,
    Module,
    File,
    Test,
}

/// The thing that a question wants to know about the dependents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReverseWish {
    Which,
    Whether,
    /// The one with most uses.
    Most,
    /// The distance of the farthest.
    Farthest,
}

/// How far away dependents may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    AtMost(u32),
    Exactly(u32),
}

/// A place in which dependents stand, or outside of which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DependentPlace {
    /// As the question has it.
    pub name: String,
    pub is_outside: bool,
    /// Full names of modules and classes.
    pub owners: Vec<String>,
    /// Files, and folders that end with `/`.
    pub paths: Vec<String>,
}

/// The conditions on the dependents of a definition that a question asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReverseQuestion {
    pub wanted: ReverseWish,
    pub kind: DependentKind,
    pub is_public: bool,
    pub is_async: bool,
    /// The class from which they derive: `which fields depend on f`, where a class is called `Field`.
    pub family: Option<String>,
    /// A word for the dependents that says nothing here.
    pub untold: Option<String>,
    pub place: Option<DependentPlace>,
    /// Only those in tests, or only those outside of them.
    pub in_tests: Option<bool>,
    pub distance: Option<Distance>,
}

/// The kind of definition that a word names in the plural, or singled out.
pub fn noun_of(word: &str) -> Option<Noun> {
    Some(match word {
        "module" | "modules" | "file" | "files" => Noun::Module,
        "function" | "functions" | "funcs" | "callers" | "callables" => Noun::Function,
        "method" | "methods" => Noun::Method,
        "class" | "classes" | "subclass" | "subclasses" | "heirs" | "descendants" => Noun::Class,
        "exception" | "exceptions" => Noun::Exception,
        "test" | "tests" | "testcases" => Noun::Test,
        _ => return None,
    })
}

/// Whether a word states a relationship, or belongs to one that others have with the definitions.
pub fn is_of_relation(word: &str) -> bool {
    const OTHERS: &str = "from actually anywhere besides called caught directly either ever handled imported instantiated invoked \
         least needed never nowhere one raised referenced somewhere thrown used";
    verb_of(word).is_some() || leaves_out(word) || is_in(OTHERS, word)
}

/// Whether a word leaves the ones behind it out of a set.
fn leaves_out(word: &str) -> bool {
    is_negation(word) || matches!(word, "except" | "excluding" | "lack" | "lacks")
}

/// The number of words at `at` that leave single definitions out of a set: `besides`, `other than`, `not counting`.
fn excepting(words: &[String], at: usize) -> usize {
    let next = words.get(at + 1).map_or("", String::as_str);
    match (words[at].as_str(), next) {
        ("other", "than") | ("apart" | "aside", "from") | ("except", "for") => 2,
        ("not" | "without", "counting" | "including" | "considering") => 2,
        ("besides" | "except" | "excepting" | "excluding", _) => 1,
        _ => 0,
    }
}

/// The names behind words that leave definitions out: `besides A and B`; none where other words follow, `except those
/// that`.
fn left_out(phrase: &Phrase, named: &QuestionNames, start: usize) -> Vec<usize> {
    let mut found = Vec::new();
    for (at, word) in phrase.words.iter().enumerate().skip(start) {
        let mention = named.mentions.iter().find(|mention| mention.at == at);
        if mention.is_some_and(|mention| !mention.meanings.targets.is_empty()) {
            found.push(at);
        } else if !matches!(
            word.as_str(),
            "a" | "an" | "the" | "class" | "function" | "module" | "itself" | "and" | "or"
        ) {
            break;
        }
    }
    found
}

/// The set that a question asks for, if it asks for one.
pub fn relations(
    store: &Store,
    question: &ParsedQuestion,
    phrase: &Phrase,
    named: &QuestionNames,
    listed: &[Entity],
) -> Result<Option<RelationSet>, StoreError> {
    const STORIES: &str = "if | why | how does/do/can/to | what happens | break* | when | safe | by § | called/used/imported/tested/covered by | \
         difference* | or § | either | instead | should | explain | write/add/create a/an/some | itself | themselves | use/request/take .. fixtures \
         | write/writing/create/generate/propose/suggest/draft/add/make .. test/tests/docstring*";
    // `does anything except tests import m` asks for no tests.
    let is_excepted = |at: &usize| (1..=2).any(|back| *at >= back && excepting(&phrase.words, at - back) == back);
    // `does anything not in tests use f` neither.
    let is_in_place =
        |at: &usize| *at > 0 && matches!(phrase.words[at - 1].as_str(), "in" | "inside" | "within" | "outside");
    let is_head = |at: &usize| !phrase.is_name[*at] && !is_excepted(at) && !is_in_place(at);
    let mut heads = (0..phrase.words.len().min(HEAD)).filter(is_head);
    let head = heads.find_map(|at| Some((at, noun_of(&phrase.words[at])?)));
    // `test files that …` are files.
    let head = head.map(|(at, noun)| match phrase.words.get(at + 1).and_then(|next| noun_of(next)) {
        Some(Noun::Module | Noun::Class) if noun == Noun::Test && phrase.words[at] == "test" => {
            (at + 1, noun_of(&phrase.words[at + 1]).unwrap_or(noun))
        }
        _ => (at, noun),
    });
    let noun = head.map(|(_, noun)| noun);
    let asks_for_any = phrase.has("^ who/what .. both | ^ who/what .. but | ^ who/what .. not/don't/doesn't/never");
    let noun = noun.or_else(|| {
        phrase.has("^ who .. call/calls/invoke/invokes").then_some(Noun::Function).filter(|_| asks_for_any)
    });
    let among = if phrase.has(GOES_ON) { listed.to_vec() } else { Vec::new() };
    let goes_on = !among.is_empty();
    let done = if goes_on && !phrase.has(TESTED) { passive(phrase, named) } else { None };
    if noun.is_none() && !asks_for_any && !goes_on || phrase.has(STORIES) && done.is_none() {
        return Ok(None);
    }
    let mut set = RelationSet {
        noun,
        conditions: Vec::new(),
        owners: Vec::new(),
        outside: Vec::new(),
        among,
        left_out: Vec::new(),
        is_direct: phrase.has("direct/directly/immediate/immediately & !indirect* & !not direct/directly"),
        lost: Vec::new(),
    };
    if done.is_some() {
        set.conditions.extend(done);
        return Ok(Some(set));
    }
    if goes_on && let Some((at, _)) = phrase.place(TESTED) {
        let is_denied = phrase.is_denied(at) || phrase.has("untested | uncovered");
        set.conditions.push(RelationCondition {
            verb: RelationVerb::Tested,
            of: String::new(),
            is_denied,
            targets: Vec::new(),
        });
        return Ok(Some(set));
    }
    let (mut verb, mut is_verb_denied, mut is_denied) = (None, false, false);
    let mut has_owner = false;
    let mut excepted: Vec<usize> = Vec::new();
    for (at, word) in phrase.words.iter().enumerate() {
        let mention = named.mentions.iter().find(|mention| mention.at == at);
        let length = if phrase.is_name[at] { 0 } else { excepting(&phrase.words, at) };
        let here = if length > 0 { left_out(phrase, named, at + length) } else { Vec::new() };
        excepted.extend(&here);
        if let Some(mention) = mention.filter(|_| excepted.contains(&at)) {
            set.left_out.extend(mention.meanings.targets.iter().cloned());
            is_denied = false;
            continue;
        }
        // `which C subclasses …`
        if let Some(base) = mention.filter(|mention| verb.is_none() && is_base(phrase, at, mention)) {
            let (of, targets) = (base.text.clone(), base.meanings.targets.clone());
            let of = targets.first().map_or(of, |target| target.main().full_name());
            set.conditions.push(RelationCondition { verb: RelationVerb::Inherits, of, is_denied: false, targets });
            has_owner = true;
            continue;
        }
        if let Some(mention) = mention.filter(|mention| is_place(question, phrase, at, mention, verb)) {
            set.owners.extend(mention.meanings.targets.iter().cloned());
            continue;
        }
        let is_last = at + 1 == phrase.words.len() && at > 0 && is_joint(&phrase.words[at - 1]);
        let is_plain = mention.is_none() && (is_last || is_object(question, phrase, at));
        let verb_here = verb.filter(|_| mention.is_some() || is_plain);
        let meant = match (verb_here, mention) {
            (None, _) => None,
            // `import app` means a module, whatever else is called `app`.
            (Some(RelationVerb::Imports), Some(mention))
                if question.words[at].shape == Shape::Plain && !mention.meanings.targets.iter().any(is_module) =>
            {
                let modules = plain(store, question, RelationVerb::Imports, at)?.unwrap_or_default();
                let is_none = modules.is_empty();
                let verb = RelationVerb::Imports;
                Some((verb, if is_none { meant(question, verb, mention) } else { modules }))
            }
            (Some(verb), Some(mention)) => Some((verb, meant(question, verb, mention))),
            (Some(verb), None) => plain(store, question, verb, at)?.map(|targets| (verb, targets)),
        };
        if let Some((verb, targets)) = meant {
            // `define m of C`: the class says whose heirs are meant.
            let is_class = |target: &Target| target.main().record.kind == EntityKind::Class;
            let is_owner = verb == RelationVerb::Defines && !targets.is_empty() && targets.iter().all(is_class);
            let verb = if is_owner { RelationVerb::Inherits } else { verb };
            let was_denied = is_verb_denied;
            if is_owner {
                (is_verb_denied, is_denied) = (false, false);
            }
            let of = match targets.as_slice() {
                [target] if verb != RelationVerb::Defines => target.main().full_name(),
                [target] => target.main().record.name.clone(),
                _ => question.words[at].text.clone(),
            };
            if targets.is_empty() {
                set.outside.push(at);
            }
            is_verb_denied |= is_denied;
            is_denied = false;
            // Who overrides `C.m` is answered with the methods, who does not with the classes.
            if is_verb_denied && let Some(base) = owner(store, verb, mention, &targets)? {
                // Only heirs of `C` can override `C.m`.
                let (of, targets) = (base.full_name(), vec![Target::of(vec![base])]);
                set.conditions.push(RelationCondition { verb: RelationVerb::Inherits, of, is_denied: false, targets });
                has_owner = true;
            }
            set.conditions.push(RelationCondition { verb, of, is_denied: is_verb_denied, targets });
            is_verb_denied = if is_owner { was_denied } else { is_verb_denied };
            continue;
        }
        // `neither f nor g`: without one of them it is another condition.
        let is_joined = at > 0 && matches!(phrase.words[at - 1].as_str(), "neither" | "nor");
        if is_plain && is_joined && verb_here.is_some() {
            set.lost.push(question.words[at].text.clone());
        }
        if leaves_out(word) && here.is_empty() {
            is_denied = true;
            // `classes without m`, `that have no m`
            if verb.is_none() && noun == Some(Noun::Class) && names_member(phrase, named, at + 1) {
                verb = Some(RelationVerb::Defines);
            }
        } else if word == "but" {
            // `do not derive from A but from B`
            is_verb_denied = false;
        } else if let Some(found) = verb_of(word).filter(|_| !is_of_statements(phrase, at)) {
            // The tests that are asked for test nothing yet.
            let is_subject = head.is_some_and(|(head, _)| head == at) && found == RelationVerb::Tests;
            if !is_subject && !phrase.is_name[at] {
                (verb, is_verb_denied, is_denied) = (Some(found), is_denied, false);
            }
        }
    }
    if goes_on && set.conditions.is_empty() {
        // A place, or conditions on the definitions themselves, may be all that is added.
        return Ok(Some(set));
    }
    // Whoever imports something is a module.
    let imports = |one: &RelationCondition| one.verb == RelationVerb::Imports && !one.is_denied;
    if set.noun.is_none() && !goes_on && set.conditions.iter().any(imports) {
        set.noun = Some(Noun::Module);
    }
    let is_kept =
        set.fits() && (goes_on || has_owner || !is_left_to_hierarchy(&set.conditions)) && knows_all(store, &set)?;
    Ok(is_kept.then_some(set))
}

impl RelationSet {
    /// Whether definitions of this kind can have the relationships.
    fn fits(&self) -> bool {
        let is_class = matches!(self.noun, Some(Noun::Class | Noun::Exception)) || !self.among.is_empty();
        !self.conditions.is_empty()
            && self.conditions.iter().all(|one| match one.verb {
                RelationVerb::Inherits | RelationVerb::Defines => is_class,
                RelationVerb::Tests => self.noun == Some(Noun::Test),
                _ => true,
            })
    }
}

/// The subclasses with and without a member are divided by the answer about the hierarchy.
fn is_left_to_hierarchy(conditions: &[RelationCondition]) -> bool {
    let is_base = |one: &RelationCondition| one.verb == RelationVerb::Inherits && !one.is_denied;
    let is_member = |one: &RelationCondition| one.verb == RelationVerb::Defines && !one.targets.is_empty();
    match conditions {
        [one, other] => is_base(one) && is_member(other) || is_base(other) && is_member(one),
        _ => false,
    }
}

/// Whether each name is one of the repository, or one that its files import or derive from.
fn knows_all(store: &Store, set: &RelationSet) -> Result<bool, StoreError> {
    for one in set.conditions.iter().filter(|one| one.targets.is_empty()) {
        let is_possible = match one.verb {
            RelationVerb::Imports => true,
            RelationVerb::Raises | RelationVerb::Catches => one.of.starts_with(char::is_uppercase),
            RelationVerb::Inherits => one.of.starts_with(char::is_uppercase),
            // That nothing here defines a special method is an answer.
            RelationVerb::Defines => {
                let is_special = is_special(&one.of);
                is_special || !store.entities_named(&one.of, false)?.is_empty()
            }
            RelationVerb::Tested => true,
            verb if verb.is_passive() => true,
            RelationVerb::Tests => false,
            // Its calls are read off the text.
            _ => one.of.contains('.'),
        };
        if !is_possible {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a verb is a part of a noun: `no import statements`.
fn is_of_statements(phrase: &Phrase, at: usize) -> bool {
    phrase.words.get(at + 1).is_some_and(|next| matches!(next.as_str(), "statement" | "statements"))
}

/// Whether a member of a class is named at a word, or behind an article there.
fn names_member(phrase: &Phrase, named: &QuestionNames, at: usize) -> bool {
    let is_article = phrase.words.get(at).is_some_and(|word| matches!(word.as_str(), "a" | "an" | "any" | "own"));
    let at = if is_article { at + 1 } else { at };
    let is_member = |target: &Target| target.main().record.qualified.contains('.');
    let targets = named.mentions.iter().filter(|mention| mention.at == at).flat_map(|one| &one.meanings.targets);
    targets.clone().next().is_some() && targets.clone().all(is_member)
}

/// Whether a name is the class whose heirs are asked for: `which C subclasses`.
fn is_base(phrase: &Phrase, at: usize, mention: &NameMention) -> bool {
    let is_class = |target: &Target| target.main().record.kind == EntityKind::Class;
    let next = phrase.words.get(at + 1).map_or("", String::as_str);
    matches!(next, "subclasses" | "descendants" | "heirs" | "children")
        && !mention.meanings.targets.is_empty()
        && mention.meanings.targets.iter().all(is_class)
}

/// Whether a name says where to look: `functions of C that …`, `in pkg.mod`.
fn is_place(
    question: &ParsedQuestion,
    phrase: &Phrase,
    at: usize,
    mention: &NameMention,
    verb: Option<RelationVerb>,
) -> bool {
    let before = phrase.words[..at].iter().rev().find(|word| !matches!(word.as_str(), "the" | "module" | "class"));
    let is_inside = before.is_some_and(|word| matches!(word.as_str(), "in" | "inside" | "within"))
        || verb.is_none() && before.is_some_and(|word| word == "of");
    // `Cart methods that …`
    let is_before = verb.is_none() && question.words.get(at + 1).is_some_and(|next| noun_of(&next.lower()).is_some());
    let is_owner = |target: &Target| matches!(target.main().record.kind, EntityKind::Class | EntityKind::Module);
    (is_inside || is_before) && mention.meanings.targets.iter().any(is_owner)
}

/// The class of a member that a question names with it: `override C.m`.
fn owner(
    store: &Store,
    verb: RelationVerb,
    mention: Option<&NameMention>,
    targets: &[Target],
) -> Result<Option<Entity>, StoreError> {
    let is_dotted = mention.is_some_and(|mention| mention.text.contains('.'));
    let [target] = targets else { return Ok(None) };
    if verb != RelationVerb::Defines || !is_dotted {
        return Ok(None);
    }
    Ok(store.entity(target.main().parent)?.filter(|parent| parent.record.kind == EntityKind::Class))
}

/// The definitions that a name can be behind a verb; none where it is one of a library.
fn meant(question: &ParsedQuestion, verb: RelationVerb, mention: &NameMention) -> Vec<Target> {
    let mut targets = mention.meanings.targets.clone();
    let is_standard = !mention.text.contains('.') && standard_library::is_module(&mention.text);
    match verb {
        RelationVerb::Inherits => targets.retain(|target| target.main().record.kind == EntityKind::Class),
        // `import json` means the one of Python, whatever else ends so.
        RelationVerb::Imports if is_standard && targets.iter().all(|target| target.main().module != mention.text) => {
            targets.clear();
        }
        _ => {}
    }
    // Behind `from` stands a class, and one that is only spelled alike is another.
    let is_guess = mention.meanings.how == Some(NameMatch::Slip) && question.words[mention.at].shape == Shape::Code;
    if is_guess && verb == RelationVerb::Inherits {
        targets.clear();
    }
    targets
}

/// The same for a plain word that the question does not mark as a name; `None` where it is hardly one.
fn plain(
    store: &Store,
    question: &ParsedQuestion,
    verb: RelationVerb,
    at: usize,
) -> Result<Option<Vec<Target>>, StoreError> {
    let text = &question.words[at].text;
    if verb == RelationVerb::Defines {
        return Ok(Some(Vec::new()));
    }
    if verb == RelationVerb::Imports {
        let mut modules = meanings(store, text, Some(EntityKind::Module), true, "")?.targets;
        modules.retain(|target| target.main().record.kind == EntityKind::Module && !is_aside(&target.main().path));
        return Ok(Some(if standard_library::is_module(text) { Vec::new() } else { modules }));
    }
    let mut found = meanings(store, text, None, true, "")?.targets;
    found.retain(|target| {
        let kind = target.main().record.kind;
        (kind == EntityKind::Class || kind.is_callable()) && !is_aside(&target.main().path)
    });
    let is_outside = verb == RelationVerb::Inherits && text.starts_with(char::is_uppercase);
    Ok((!found.is_empty() || is_outside).then_some(found))
}

/// Whether a word joins the object of a verb to another one: `uses a but not b`.
fn is_joint(word: &str) -> bool {
    matches!(word, "and" | "both" | "neither" | "nor" | "not")
}

/// Whether a word that is no name stands where the object of a verb does: `but not style`.
fn is_object(question: &ParsedQuestion, phrase: &Phrase, at: usize) -> bool {
    let word = &question.words[at];
    let before = at.checked_sub(1).map(|at| phrase.words[at].as_str()).unwrap_or_default();
    let is_object = verb_of(before).is_some() || is_joint(before) || before == "from";
    let is_word = word.text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    is_object
        && is_word
        && !leaves_out(&word.lower())
        && word.shape != Shape::Path
        && !is_stop_word(&word.lower())
        && verb_of(&word.lower()).is_none()
        && noun_of(&word.lower()).is_none()
}
