//! The conditions on definitions or places that a question states.

use serde::Serialize;

use crate::{
    ask::reading::{
        forms::{
            Facts, QuestionIntent, denied, details, number,
            patterns::{Phrase, is_negation},
            words,
        },
        names::meanings,
        plan::PlannedFile,
        subjects::{
            FileMention, NameMention, QuestionNames, contains,
            decorators::{DECORATED, first_name, joined},
            name_parts::{NAME_PARTS, NAMED},
            slots::AskedArgument,
        },
        words::{
            ParsedQuestion, QuestionWord, Shape, is_stop_word,
            limits::{PlaceLimit, is_scope, limit},
        },
    },
    model::{EntityKind, RelationshipKind},
    query::{
        navigate::outside::heirs_of_outside,
        target::{
            Target,
            filter::{DefinitionMark, Filter, ListOrder},
            likeliest::is_aside,
        },
        words::{count, plural},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Where a base is named.
const DERIVED: &str = "deriv*/inherit*/descend*/descended from | subclass/subclasses/children/descendants/heirs of | \
     subclass/subclasses/subclassing/extend/extends/extending";

/// Words of the table that a negation turns round; the other ones have a word for the contrary.
const DENIABLE: [&str; 6] =
    ["exact_lines", "exact_parameters", "least_lines", "least_parameters", "most_lines", "most_parameters"];

/// Questions for all environment variables.
pub const EVERY_VARIABLE: &str = "which/what/list/all/any .. environment/enviroment/env variable*/var*|\
    is/are there .. environment/env variable*/var*|environment/env variables|env vars|what/which .. read/reads .. from .. environment/env";

words! {
    /// A kind of definition that a question asks for in the plural.
    Noun {
        Function = "function",
        /// A function of a module, not of a class.
        Helper = "helper",
        Method = "method",
        Class = "class",
        Property = "property",
        Exception = "exception",
        Fixture = "fixture",
        Test = "test",
        Module = "module",
        Constant = "constant",
        Variable = "variable",
        /// Any definition.
        Definition = "definition",
    }
}

impl Noun {
    /// The noun in sentences.
    pub fn worded(self) -> &'static str {
        match self {
            Self::Helper => "function",
            Self::Exception => "exception class",
            other => other.as_str(),
        }
    }

    /// Whether functions are meant.
    pub fn is_callable(self) -> bool {
        matches!(self, Self::Function | Self::Helper | Self::Method | Self::Property | Self::Fixture)
    }

    /// The kinds that can be meant, and the mark that tells this noun apart.
    pub fn meaning(self) -> (&'static [EntityKind], Option<DefinitionMark>) {
        use EntityKind::{Class, Function, Method, Module, Property, Variable};
        match self {
            Self::Function => (&[Function, Method], Some(DefinitionMark::Outer)),
            Self::Helper => (&[Function], Some(DefinitionMark::Outer)),
            Self::Fixture => (&[Function, Method], Some(DefinitionMark::Fixture)),
            Self::Test => (&[Function, Method], Some(DefinitionMark::Test)),
            Self::Method => (&[Method, Property], None),
            Self::Class => (&[Class], None),
            Self::Exception => (&[Class], Some(DefinitionMark::Exception)),
            Self::Property => (&[Property], None),
            Self::Module => (&[Module], None),
            Self::Constant => (&[Variable], Some(DefinitionMark::Constant)),
            Self::Variable => (&[Variable], None),
            Self::Definition => (&[Class, Function, Method, Property], None),
        }
    }
}

words! {
    /// The figure by which a question ranks definitions.
    Ranking {
        Biggest = "biggest",
        MostUsed = "most_used",
        MostComplex = "most_complex",
        MostMembers = "most_members",
        MostMethods = "most_methods",
        MostParameters = "most_parameters",
        MostSubclasses = "most_subclasses",
    }
}

impl Ranking {
    /// The order of the list.
    pub fn order(self) -> ListOrder {
        match self {
            Self::Biggest => ListOrder::Size,
            Self::MostUsed => ListOrder::Uses,
            Self::MostComplex => ListOrder::Complexity,
            Self::MostMembers | Self::MostMethods => ListOrder::Members,
            Self::MostParameters => ListOrder::Parameters,
            Self::MostSubclasses => ListOrder::Subclasses,
        }
    }

    /// The first definition by this ranking in a sentence: `the biggest function in a.py is x with 3 lines`.
    pub fn headline(self, noun: &str, place: &str, names: &[String], figure: usize) -> String {
        let figure = count(figure, self.unit());
        let name = names.join("` and `");
        // Several have the same figure.
        let (noun, is, each) =
            if names.len() > 1 { (plural(noun), "are", " each") } else { (noun.to_owned(), "is", "") };
        match self {
            Self::Biggest | Self::MostUsed | Self::MostComplex => {
                format!("the {} {noun} {place} {is} `{name}` with {figure}{each}", self.as_str().replace('_', " "))
            }
            _ => format!("the {noun} with the most {} {place} {is} `{name}` with {figure}{each}", plural(self.unit())),
        }
    }

    /// The figure's unit.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Biggest => "line",
            Self::MostUsed => "reference",
            Self::MostComplex => "branch",
            Self::MostMembers => "member",
            Self::MostMethods => "method",
            Self::MostParameters => "parameter",
            Self::MostSubclasses => "subclass",
        }
    }
}

/// The conditions of a question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Filters {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noun: Option<Noun>,
    /// Words of the table: `private`, `undocumented`, `unused`, `biggest`, `count`, `in_tests` and others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub is: Vec<&'static str>,
    /// Marks of a definition: `async`, `static`, `abstract`, `overload` and others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<&'static str>,
    /// The last part of the name of a base, or several such names with bars between.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The last part of the name of a metaclass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metaclass: Option<String>,
    /// The last part of the name of a decorator, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decorator: Option<String>,
    /// The argument of the decorator, where the question quotes one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decorator_argument: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_lines: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_lines: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_parameters: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_parameters: Option<u32>,
    /// The name with `*` for the rest of it, `visit_*`: one of several with `|` between, each of several with `&`
    /// between, and none with a `!` before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Types that a callable takes, returns, raises and catches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub takes: Option<String>,
    /// The name of a parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub returns: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raises: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub catches: Option<String>,
    /// The conditions that must not hold, by their words or by the names of their fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub denied: Vec<&'static str>,
}

/// Words before the type that functions return.
const RETURNING: &str = "return/returns/returning|give/gives back";

impl Filters {
    /// The filters that the words state.
    pub fn of(phrase: &Phrase) -> Self {
        let none = Facts::new();
        let first = |head: &str| details(phrase, &none, head).first().map(|names| (*names).to_owned());
        // A bare number is a number of exactly so many: `with two parameters`.
        let limits = |least: &str, most: &str, exact: &str| match (number(phrase, least), number(phrase, most)) {
            (None, None) => (number(phrase, exact), number(phrase, exact)),
            limits => limits,
        };
        let (least_lines, most_lines) = limits("least_lines", "most_lines", "exact_lines");
        let (least_parameters, most_parameters) = limits("least_parameters", "most_parameters", "exact_parameters");
        let is = details(phrase, &none, "is:");
        let most_parameters = most_parameters.or(is.contains(&"parameterless").then_some(0));
        Self {
            noun: details(phrase, &none, "noun:").first().and_then(|word| Noun::of(word)),
            is: is.into_iter().filter(|word| *word != "parameterless").collect(),
            marks: details(phrase, &none, "mark:"),
            base: first("base:"),
            decorator: first("decorated:"),
            least_lines,
            most_lines,
            least_parameters,
            most_parameters,
            denied: ["is:", "mark:", "number:"]
                .iter()
                .flat_map(|head| denied(phrase, head))
                .filter(|word| DENIABLE.contains(word) || DefinitionMark::ALL.iter().any(|mark| mark.as_str() == *word))
                .collect(),
            ..Self::default()
        }
    }

    /// Whether the question states this condition.
    pub fn has(&self, condition: &str) -> bool {
        self.is.contains(&condition)
    }

    /// Whether a mark is stated that the parameters of a function tell: `with keyword-only parameters`.
    pub fn has_mark_of_parameters(&self) -> bool {
        DefinitionMark::ALL.iter().any(|mark| mark.is_of_parameters() && self.marks.contains(&mark.as_str()))
    }

    /// The figure by which the question ranks.
    pub fn ranking(&self) -> Option<Ranking> {
        self.is.iter().find_map(|word| Ranking::of(word))
    }

    /// The conditions that the words state beside the kind.
    pub fn conditions(&self) -> Filter {
        let mark = |word: &&str| DefinitionMark::ALL.into_iter().find(|mark| mark.as_str() == *word);
        let visible = ["public", "private"].into_iter().filter(|word| self.has(word));
        // A name that is not private may still be public, so only the first stated one counts.
        let marks: Vec<&'static str> = self.marks.iter().copied().chain(visible.take(1)).collect();
        // Of two that exclude each other, the first counts: "undocumented" holds "documented".
        let part = |no: &str, yes: &str| if self.has(no) { Some(false) } else { self.has(yes).then_some(true) };
        let one = |field: &str, value: &Option<String>, is_denied: bool| -> Vec<String> {
            value.iter().filter(|_| self.denied.contains(&field) == is_denied).cloned().collect()
        };
        // The stated conditions, or those that must not hold.
        let of = |is_denied: bool| Filter {
            marks: marks.iter().filter(|word| self.denied.contains(word) == is_denied).filter_map(mark).collect(),
            derives_from: alternatives(one("base", &self.base, is_denied).first()),
            metaclass: one("metaclass", &self.metaclass, is_denied).into_iter().next(),
            decorators: self.decorators(is_denied),
            names: self.names(is_denied),
            takes: one("takes", &self.takes, is_denied),
            parameters: one("parameter", &self.parameter, is_denied),
            returns: one("returns", &self.returns, is_denied),
            raises: one("raises", &self.raises, is_denied),
            catches: one("catches", &self.catches, is_denied),
            least_lines: self.least_lines.filter(|_| self.denies_number("lines") == is_denied),
            most_lines: self.most_lines.filter(|_| self.denies_number("lines") == is_denied),
            least_parameters: self.least_parameters.filter(|_| self.denies_number("parameters") == is_denied),
            most_parameters: self.most_parameters.filter(|_| self.denies_number("parameters") == is_denied),
            ..Filter::default()
        };
        Filter {
            is_in_tests: self.in_tests(),
            has_docstring: part("undocumented", "documented"),
            has_annotations: part("unannotated", "annotated").filter(|_| !self.has("untold_result")),
            has_result: self.has("untold_result").then_some(false),
            has_uses: self.has("unused").then_some(false),
            excluded: of(true).alone(),
            ..of(false)
        }
    }

    /// The patterns of names that must hold, or those that must not.
    fn names(&self, is_denied: bool) -> Vec<Vec<String>> {
        let all = self.denied.contains(&"name");
        let parts = self.name.iter().flat_map(|name| name.split('&'));
        let of = parts.filter(|part| (all || part.starts_with('!')) == is_denied);
        of.map(|part| part.trim_start_matches('!').split('|').map(str::to_owned).collect()).collect()
    }

    /// The decorators that a definition must have, or those that it must not: `final&!dataclass`.
    fn decorators(&self, is_denied: bool) -> Vec<Vec<String>> {
        let all = self.denied.contains(&"decorator");
        let parts = self.decorator.iter().flat_map(|names| names.split('&'));
        let of = parts.filter(|part| (all || part.starts_with('!')) == is_denied);
        of.map(|part| part.trim_start_matches('!').split('|').map(str::to_owned).collect()).collect()
    }

    /// Whether the limits of a number must not hold: `no more than five lines`.
    fn denies_number(&self, unit: &str) -> bool {
        self.denied
            .iter()
            .any(|field| field.split_once('_').is_some_and(|(_, of)| DENIABLE.contains(field) && of == unit))
    }

    /// The words that state a decorator or a base, with its name and a `not` before them.
    pub fn places_of_names(&self, phrase: &Phrase) -> Vec<usize> {
        let is_exceptional = self.noun == Some(Noun::Exception);
        let parts = NAME_PARTS.map(|(words, ..)| (words, self.name.is_some()));
        let is_special = self.name.as_deref() == Some("__*__");
        let stated = [
            (DECORATED, self.decorator.is_some()),
            ("decorated/undecorated/decorators", self.decorator.as_deref() == Some("*")),
            (NAMED, self.name.is_some()),
            ("dunder/magic/special", is_special),
            (DERIVED, self.base.is_some() || is_exceptional),
            ("use/uses/using .. metaclass* | as .. metaclass* | metaclass*", self.metaclass.is_some()),
            (RETURNING, self.returns.is_some()),
        ]
        .into_iter()
        .chain(parts);
        let mut places: Vec<usize> = Vec::new();
        for (start, end) in stated.filter(|(_, is)| *is).filter_map(|(list, _)| phrase.place(list)) {
            let is_around = |at: &usize| matches!(phrase.words[*at].as_str(), "a" | "an" | "the");
            let name = (end..phrase.words.len()).find(|at| !is_around(at)).unwrap_or(end);
            let denied = (start.saturating_sub(2)..start).filter(|at| is_negation(&phrase.words[*at]));
            places.extend(denied.chain(start..=name));
        }
        if let Some((start, end)) = phrase.place(DECORATED).filter(|_| self.decorator.is_some()) {
            let at = first_name(&phrase.words, end);
            let last = joined(&phrase.words, at).last().map_or(at, |(at, _)| *at);
            places.extend(start..=last);
        }
        if self.decorator_argument.is_some() {
            places.extend(phrase.words.iter().position(|word| word == "frozen"));
        }
        places
    }

    /// Whether functions that answer requests are meant.
    pub fn is_route(&self) -> bool {
        self.decorator.as_ref().is_some_and(|names| names.starts_with("route|"))
    }

    /// Whether only tests are meant, or only the rest.
    pub fn in_tests(&self) -> Option<bool> {
        // `outside of tests` has the words of both.
        if self.has("in_library") { Some(false) } else { self.has("in_tests").then_some(true) }
    }

    /// Whether a condition is stated that only definitions have, whatever relationship the question speaks of besides.
    pub fn is_strong(&self) -> bool {
        self.decorator.is_some()
            || self.base.is_some()
            || self.metaclass.is_some()
            || [&self.name, &self.takes, &self.parameter, &self.returns, &self.raises, &self.catches]
                .iter()
                .any(|name| name.is_some())
            || [self.least_lines, self.most_lines, self.least_parameters, self.most_parameters]
                .iter()
                .any(Option::is_some)
            || self.noun == Some(Noun::Test)
            || self.ranking().is_some_and(|ranking| ranking != Ranking::Biggest)
            || ["undocumented", "documented", "unannotated", "annotated", "untold_result", "unused"]
                .iter()
                .any(|condition| self.has(condition))
    }

    /// Whether some condition on the definitions themselves is stated.
    pub fn is_any(&self) -> bool {
        self.is_strong()
            || !self.marks.is_empty()
            || self.noun == Some(Noun::Property)
            || ["private", "public", "biggest"].iter().any(|condition| self.has(condition))
    }

    /// The facts that forms need: definitions of a kind are asked for, under conditions, under ones that decide.
    pub fn facts(&self) -> impl Iterator<Item = &'static str> {
        let has_noun = self.noun.is_some();
        let facts = [
            ("noun", has_noun),
            ("condition", has_noun || self.is_any()),
            ("unlimited", !self.is_any()),
            ("filter", has_noun && self.is_any()),
            ("strong", has_noun && self.is_strong()),
        ];
        facts.into_iter().filter(|(_, holds)| *holds).map(|(fact, _)| fact)
    }
}

/// Reads a base that is no class of the repository out of the question, and says whether there is one: `classes that
/// derive from Exception`. The classes below one of the repository are a hierarchy, those that are not are a set.
pub fn find_base(
    store: &Store,
    question: &ParsedQuestion,
    phrase: &Phrase,
    filters: &mut Filters,
    named: &mut QuestionNames,
) -> Result<bool, StoreError> {
    const BUILTIN: &str = "dict exception float int list object set str tuple type";
    if !matches!(filters.noun, None | Some(Noun::Class | Noun::Exception | Noun::Definition)) || filters.base.is_some()
    {
        return Ok(false);
    }
    let Some((start, mut at)) = phrase.place(DERIVED) else { return Ok(false) };
    // `do not inherit from C`; `C has no subclasses` speaks of the heirs.
    let is_denied = phrase.is_denied(start) && filters.noun.is_some();
    // `derive from pydantic's BaseModel`
    let is_around = |word: &QuestionWord| {
        matches!(word.lower().as_str(), "a" | "an" | "the" | "class" | "python" | "builtin" | "built-in")
            || word.text.ends_with("'s")
            || word.text.ends_with("\u{2019}s")
    };
    while question.words.get(at).is_some_and(is_around) {
        at += 1;
    }
    let Some(word) = question.words.get(at) else { return Ok(false) };
    let name = word.text.rsplit('.').next().unwrap_or(&word.text);
    let is_builtin = BUILTIN.split(' ').any(|known| known == word.lower());
    let is_type = name.trim_start_matches('_').starts_with(char::is_uppercase) || is_builtin;
    let is_class = |target: &Target| target.main().record.kind == EntityKind::Class;
    let is_here = named.mentions.iter().filter(|mention| mention.at == at).any(|mention| {
        mention.meanings.targets.iter().any(|target| is_class(target) && target.main().record.name == name)
    });
    if !is_type || word.shape == Shape::Path || is_here && !is_denied {
        return Ok(false);
    }
    // `asyncio.Protocol` is not `typing.Protocol`.
    let is_whole = !is_here && heirs_of_outside(store, &word.text)?.is_some();
    let mut base = if is_whole { word.text.clone() } else { name.to_owned() };
    let is_exception = matches!(name.to_lowercase().as_str(), "exception" | "baseexception");
    if !is_here && !is_builtin && !is_exception && heirs_of_outside(store, name)?.is_none() {
        // No file names such a base: a class of the repository may be meant.
        let mut found = meanings(store, &word.text, Some(EntityKind::Class), false, "")?;
        found.targets.retain(is_class);
        if let Some(class) = found.targets.first().map(|target| target.main().record.name.clone()) {
            if !is_denied {
                let (text, hint) = (word.text.clone(), Some(EntityKind::Class));
                named.mentions.retain(|mention| mention.at != at);
                named.mentions.push(NameMention::new(at, text, hint, found));
                named.mentions.sort_by_key(|mention| mention.at);
                named.blank.insert(at);
                return Ok(false);
            }
            base = class;
        }
    }
    if is_exception && !is_denied {
        // Most derive from another exception of Python, whose bases nobody states.
        filters.noun = Some(Noun::Exception);
    } else {
        filters.noun = filters.noun.or(Some(Noun::Class));
        filters.base = Some(base);
    }
    if is_denied {
        filters.denied.push("base");
    }
    named.mentions.retain(|mention| mention.at != at);
    named.blank.insert(at);
    Ok(true)
}

/// The class of the repository that stands before the kind, for it is a base: `field classes` are those below `Field`.
pub fn find_kind_of_class(
    store: &Store,
    question: &ParsedQuestion,
    filters: &Filters,
    named: &mut QuestionNames,
) -> Result<Option<Entity>, StoreError> {
    let kind = question.words.iter().position(|word| word.lower() == "classes");
    let Some(at) = kind.and_then(|at| at.checked_sub(1)).filter(|_| filters.noun == Some(Noun::Class)) else {
        return Ok(None);
    };
    let word = &question.words[at];
    let lower = word.lower();
    let is_named = named.mentions.iter().any(|mention| mention.at == at && !mention.meanings.targets.is_empty());
    if filters.base.is_some() || is_named || word.shape != Shape::Plain || is_stop_word(&lower) || lower != word.text {
        return Ok(None);
    }
    let mut letters = lower.chars();
    let name: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    for class in store.entities_named(&name, false)? {
        let below = store.incoming_of(class.id, RelationshipKind::Inherits)?.len();
        if class.record.kind == EntityKind::Class && !is_aside(&class.path) && below > 1 {
            named.mentions.retain(|mention| mention.at != at);
            named.blank.insert(at);
            return Ok(Some(class));
        }
    }
    Ok(None)
}

/// Reads the types that functions take, return, raise and catch: `methods that return Text`. With a file, `raise` asks
/// for the functions in it; without one, for the places.
pub fn find_types(question: &ParsedQuestion, phrase: &Phrase, filters: &mut Filters, named: &mut QuestionNames) {
    const BUILTIN: &str = "str int bool float bytes dict list tuple set none";
    if !filters.noun.is_some_and(Noun::is_callable) {
        return;
    }
    let type_behind = |verbs: &str| {
        let (start, mut at) = phrase.place(verbs)?;
        let is_denied = phrase.is_denied(start);
        while matches!(phrase.words.get(at).map(String::as_str), Some("a" | "an" | "the")) {
            at += 1;
        }
        let word = question.words.get(at)?;
        let is_builtin = BUILTIN.split(' ').any(|name| name == word.lower());
        let is_type = word.text.trim_start_matches('_').starts_with(char::is_uppercase) || word.text.contains('.');
        (is_builtin || is_type && word.shape != Shape::Path).then_some((at, is_denied))
    };
    let has_file = !named.files.is_empty();
    for (field, verbs, applies, type_name) in [
        (
            "takes",
            "take/takes/accept/accepts/taking/accepting/expect/expects/receive/receives",
            true,
            &mut filters.takes,
        ),
        ("returns", RETURNING, true, &mut filters.returns),
        ("raises", "raise/raises/raising/throw/throws", has_file, &mut filters.raises),
        ("catches", "catch/catches/catching", has_file, &mut filters.catches),
    ] {
        let Some((at, is_denied)) = type_behind(verbs).filter(|_| applies) else { continue };
        if is_denied {
            filters.denied.push(field);
        }
        let text = &question.words[at].text;
        let last = text.rsplit('.').next().unwrap_or(text);
        *type_name = Some(if last == "none" { "None" } else { last }.to_owned());
        named.mentions.retain(|mention| mention.at != at);
        // `a Console parameter` names a type, no parameter.
        named.parameters.retain(|parameter| parameter != text);
        named.has_parameter &= !named.parameters.is_empty();
    }
}

/// Reads the parameter by which functions are asked for: `functions that accept a timeout argument`.
pub fn find_parameter(phrase: &Phrase, filters: &mut Filters, named: &mut QuestionNames) {
    const TAKES: &str = "take*/accept*/have/has/having/with/get/gets/expect*/receive*/declare*/using";
    const LACKS: &str = "without | lack*";
    if filters.has_mark_of_parameters() {
        // `a mutable default`, `keyword arguments`: no parameter is called so.
        named.parameters.clear();
        named.has_parameter = false;
        return;
    }
    let is_asked = filters.noun.is_some_and(Noun::is_callable)
        && named.mentions.is_empty()
        && filters.least_parameters.is_none()
        && filters.most_parameters.is_none()
        && (phrase.has(TAKES) || phrase.has(LACKS));
    if let ([name], true) = (named.parameters.as_slice(), is_asked) {
        filters.parameter = Some(name.clone());
        // `have no x parameter` and `do not have an x parameter`
        let has_no = phrase.place(TAKES).is_some_and(|(start, end)| {
            phrase.is_denied(start) || phrase.words.get(end).is_some_and(|word| word == "no")
        });
        if has_no || phrase.has(LACKS) {
            filters.denied.push("parameter");
        }
        named.parameters.clear();
        named.has_parameter = false;
    }
}

/// A note where the question says `not` and no condition took it in, so that nobody takes the answer for its contrary.
pub fn note_on_denial(
    phrase: &Phrase,
    filters: &Filters,
    intent: QuestionIntent,
    named: &QuestionNames,
) -> Option<String> {
    const LISTED: &str = "which/what/list/show/all/every ... not/don't/doesn't/isn't/aren't/never/cannot/neither";
    const CONTRARIES: [&str; 5] = ["public", "undocumented", "unannotated", "unused", "in_library"];
    use QuestionIntent as I;
    let is_list = matches!(intent, I::Usage | I::Handled | I::Raised | I::Members | I::Select | I::Text)
        // A class and a member divide the classes below it.
        || intent == I::Hierarchy && named.mentions.len() < 2;
    let is_of_decorator = filters.decorator.as_ref().is_some_and(|names| names.contains('!'));
    let is_taken = is_of_decorator || !filters.denied.is_empty() || CONTRARIES.iter().any(|word| filters.has(word));
    let is_left_out = is_list && !is_taken && phrase.has(LISTED);
    is_left_out.then(|| "the question says `not`, which this answer leaves out".to_owned())
}

/// A note where the question gives an argument that no list of places is limited to.
pub fn note_on_argument(argument: &AskedArgument, intent: QuestionIntent) -> Option<String> {
    let is_list = matches!(intent, QuestionIntent::Usage | QuestionIntent::Examples | QuestionIntent::Select);
    is_list.then(|| {
        format!("the condition `{}` was not applied: the answer does not look at arguments", argument.worded())
    })
}

/// Reads a question for the number of tests in files, `how many tests does test_a.py have`, and says whether it is for
/// those of a class of tests, which is their place.
pub fn find_tests(
    store: &Store,
    phrase: &Phrase,
    filters: &mut Filters,
    named: &mut QuestionNames,
) -> Result<bool, StoreError> {
    const COUNTED: &str = "how many tests/testcases .. in/inside § | how many tests/testcases .. in/inside the module/file § | \
         number of tests/testcases in/inside § | how many tests/testcases does/do § have/contain/define";
    if !matches!(filters.noun, None | Some(Noun::Module)) || !phrase.has(COUNTED) {
        return Ok(false);
    }
    // A module of tests is the file that holds them; the tests of another module stand elsewhere.
    let mut files = Vec::new();
    for mention in &named.mentions {
        let [target] = mention.meanings.targets.as_slice() else { return Ok(false) };
        let module = target.main();
        let is_test = store.file(module.file)?.is_some_and(|file| file.is_test);
        if module.record.kind == EntityKind::Class && is_test && named.mentions.len() == 1 {
            filters.noun = Some(Noun::Test);
            return Ok(true);
        }
        if module.record.kind != EntityKind::Module || !is_test {
            return Ok(false);
        }
        files.push(FileMention { text: mention.text.clone(), paths: vec![module.path.clone()], is_folder: false });
    }
    if !files.is_empty() || !named.files.is_empty() {
        filters.noun = Some(Noun::Test);
        named.files.append(&mut files);
        named.mentions.clear();
    }
    Ok(false)
}

/// Reads the name of a module as a kind of definitions, where no other kind is named: `which filters are async` is
/// about those in `filters.py`, and so is `how many filters`. A note says so where there is no such module.
pub fn find_place_as_kind(
    store: &Store,
    question: &ParsedQuestion,
    phrase: &Phrase,
    filters: &mut Filters,
    named: &mut QuestionNames,
) -> Result<Option<String>, StoreError> {
    const BEFORE: [&str; 11] = ["which", "what", "list", "show", "all", "the", "every", "our", "my", "async", "many"];
    const BEHIND: [&str; 8] = ["that", "which", "are", "aren't", "without", "with", "exist", "there"];
    let is_open = filters.noun.is_none() && named.mentions.len() < 2 && named.files.is_empty();
    let is_counted = phrase.has("how many");
    if !is_open || filters.marks.is_empty() && !is_counted {
        return Ok(None);
    }
    let is_kind = |at: &usize| {
        let word = &question.words[*at];
        let is_begun = *at == 0 || BEFORE.contains(&phrase.words[at - 1].as_str());
        let has_it = phrase.has("how many .. do/does it/we/you have $");
        let goes_on = phrase.words.get(at + 1).is_none_or(|next| BEHIND.contains(&next.as_str())) || has_it;
        // A question names the module itself by the same word, and nothing else.
        let is_module = |mention: &NameMention| {
            let modules = |target: &Target| target.main().record.kind == EntityKind::Module;
            mention.at == *at && is_counted && mention.meanings.targets.iter().all(modules)
        };
        let is_begun = is_begun && named.mentions.iter().all(is_module);
        word.shape == Shape::Plain && word.text.ends_with('s') && is_begun && goes_on && !is_stop_word(&word.lower())
    };
    let Some(at) = (0..question.words.len()).find(is_kind) else { return Ok(None) };
    let text = question.words[at].text.clone();
    let (as_file, as_package) = (format!("/{text}.py"), format!("/{text}/"));
    let is_it = |path: &String| {
        let path = format!("/{path}");
        (path.ends_with(&as_file) || path.contains(&as_package)) && !is_aside(&path)
    };
    let files = store.files()?.into_iter().filter(|(_, file)| !file.is_test).map(|(_, file)| file.path);
    let paths: Vec<String> = files.filter(is_it).collect();
    if paths.is_empty() && is_counted && filters.marks.is_empty() {
        named.uncounted = named.mentions.is_empty().then_some(text);
        return Ok(None);
    }
    if paths.is_empty() {
        return Ok(Some(format!("`{text}` is no kind of definition, and was not applied")));
    }
    filters.noun = Some(Noun::Definition);
    named.mentions.clear();
    named.blank.insert(at);
    let note = format!("`{text}` are taken for what {} defines", paths.join(" and "));
    named.files.push(FileMention { text, is_folder: paths.len() > 1, paths });
    Ok(Some(note))
}

/// Turns modules and files that only limit the places into files, `in pkg.web`, and gives those that are left out,
/// `outside of pkg.web`.
pub fn find_limits(
    store: &Store,
    question: &ParsedQuestion,
    named: &mut QuestionNames,
) -> Result<Vec<PlannedFile>, StoreError> {
    let is_outside = |at: usize| limit(question, at) == Some(PlaceLimit::Outside);
    let is_inside = |at: usize| limit(question, at) == Some(PlaceLimit::Inside);
    let is_module = |mention: &NameMention| {
        let targets = &mention.meanings.targets;
        !targets.is_empty() && targets.iter().all(|target| target.main().record.kind == EntityKind::Module)
    };
    let (places, subjects): (Vec<NameMention>, Vec<NameMention>) = named
        .mentions
        .drain(..)
        .partition(|mention| is_module(mention) && (is_outside(mention.at) || is_inside(mention.at)));
    named.mentions = subjects;
    let at_word = |text: &str| question.words.iter().position(|word| word.text == text);
    let is_left_out = |file: &FileMention| at_word(&file.text).is_some_and(is_outside);
    let (left_out, files): (Vec<FileMention>, Vec<FileMention>) = named.files.drain(..).partition(is_left_out);
    named.files = files;
    let mut outside: Vec<PlannedFile> = left_out.iter().map(PlannedFile::from).collect();
    let is_named = |at: &usize| named.mentions.iter().any(|mention| mention.at == *at);
    let bare = |at: &usize| {
        let word = &question.words[*at];
        let is_limit = !named.blank.contains(at) && (is_outside(*at) || is_inside(*at));
        word.shape == Shape::Plain && (is_limit || is_scope(question, *at) && !is_named(at))
    };
    let bare: Vec<usize> = (1..question.words.len()).filter(bare).collect();
    let all = if places.is_empty() && bare.is_empty() { Vec::new() } else { store.files()? };
    // An exception of Python is no definition here, and is raised here all the same.
    let has_subject = !named.mentions.is_empty();
    // `inside flask itself` is a place, whatever else the question names.
    let is_itself = |at: usize| question.words.get(at + 1).is_some_and(|next| next.lower() == "itself");
    for at in bare.into_iter().filter(|at| has_subject || is_itself(*at) || is_scope(question, *at)) {
        // `outside src`: a folder at the root.
        let text = question.words[at].text.clone();
        let below = format!("{text}/");
        let inside = all.iter().map(|(_, file)| &file.path).filter(|path| path.starts_with(&below));
        let mut paths: Vec<String> = inside.cloned().collect();
        if paths.is_empty() {
            // `outside of termui`: a module of the program.
            let name = format!("/{text}.py");
            let is_it = |path: &&String| format!("/{path}").ends_with(&name) && !is_aside(path);
            paths = all.iter().map(|(_, file)| &file.path).filter(is_it).cloned().collect();
        }
        if paths.is_empty() {
            // `in sansio`: a folder of the program.
            let within = format!("/{below}");
            let is_below = |path: &&String| path.contains(&within) && !is_aside(path);
            paths = all.iter().map(|(_, file)| &file.path).filter(is_below).cloned().collect();
        }
        if paths.is_empty() || matches!(text.as_str(), "tests" | "test") {
            continue;
        }
        named.blank.insert(at);
        let file = FileMention { text, paths, is_folder: true };
        if is_outside(at) { outside.push(PlannedFile::from(&file)) } else { named.files.push(file) }
    }
    for mention in places {
        let holds = |subject: &NameMention| {
            mention
                .meanings
                .targets
                .iter()
                .any(|module| subject.meanings.targets.iter().any(|target| contains(module, target.main())))
        };
        let has_subject = named.mentions.iter().any(|subject| !subject.meanings.targets.is_empty());
        if !has_subject || !is_outside(mention.at) && named.mentions.iter().any(holds) {
            // The module is the subject, or tells which definition is meant.
            named.mentions.push(mention);
            continue;
        }
        let mut paths = Vec::new();
        for target in &mention.meanings.targets {
            let path = &target.main().path;
            let below = path.strip_suffix("__init__.py").unwrap_or("\0");
            let files = all.iter().map(|(_, file)| &file.path).filter(|file| *file == path || file.starts_with(below));
            paths.extend(files.cloned());
        }
        let file = FileMention { text: mention.text, paths, is_folder: true };
        if is_outside(mention.at) { outside.push(PlannedFile::from(&file)) } else { named.files.push(file) }
    }
    named.mentions.sort_by_key(|mention| mention.at);
    Ok(outside)
}

/// Takes out the file in which a definition has no use: `functions in a.py that are not used inside pkg itself`.
pub fn find_place_of_uses(
    question: &ParsedQuestion,
    filters: &Filters,
    named: &mut QuestionNames,
) -> Option<PlannedFile> {
    const BETWEEN: [&str; 8] = ["anywhere", "by", "in", "inside", "of", "package", "the", "within"];
    let is_used = |at: usize| {
        let before = (0..at).rev().find(|at| !BETWEEN.contains(&question.words[*at].lower().as_str()));
        before.is_some_and(|at| matches!(question.words[at].lower().as_str(), "used" | "called" | "referenced"))
    };
    let at_word = |file: &FileMention| question.words.iter().position(|word| word.text == file.text);
    let is_place = |file: &FileMention| at_word(file).is_some_and(is_used);
    // `functions that are never used in pkg`: the only place is that of the functions.
    let has_other = named.files.len() > 1 || !named.mentions.is_empty();
    let is_asked = has_other && filters.has("unused") && filters.noun.is_some();
    let index = named.files.iter().position(is_place).filter(|_| is_asked)?;
    Some(PlannedFile::from(&named.files.remove(index)))
}

/// The names between the bars, as one list of which one is enough.
fn alternatives(names: Option<&String>) -> Vec<Vec<String>> {
    names.into_iter().map(|names| names.split('|').map(str::to_owned).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_read() {
        let filters = |text: &str| {
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            let is_name = words.iter().map(|word| word == "x").collect();
            Filters::of(&Phrase { words, is_name })
        };
        assert!(filters("list functions with no docstring").has("undocumented"));
        assert!(filters("private helpers that do have a docstring").has("documented"));
        assert!(filters("functions that don't start with an underscore").has("public"));
        assert_eq!(filters("functions with more than twelve params").least_parameters, Some(13));
        assert_eq!(filters("functions with 10 or more parameters").least_parameters, Some(10));
        assert_eq!(filters("methods longer than 100 lines").least_lines, Some(101));
        assert_eq!(filters("is x used anywhere outside of tests").in_tests(), Some(false));
        assert_eq!(filters("show async methods").marks, ["async"]);
        assert_eq!(filters("how many tests are there").noun, Some(Noun::Test));
        assert!(filters("which endpoints does the api have").is_route());
        assert_eq!(filters("all dataclasses").decorator.as_deref(), Some("dataclass"));
        assert_eq!(filters("list the enums").base.as_deref(), Some("Enum|IntEnum|StrEnum|Flag|IntFlag"));
    }
}
