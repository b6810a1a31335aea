//! The conditions on definitions or places that a question states.

use serde::Serialize;

use crate::{
    ask::reading::{
        forms::{Facts, details, number, words},
        patterns::Phrase,
    },
    model::EntityKind,
};

/// Where a decorator is named: the word behind the pattern.
pub const DECORATED: &str =
    "decorated with/by|written with/by|wrapped with/by/in|marked with/by|annotated with|using the";

/// Questions for all environment variables.
pub const EVERY_VARIABLE: &str =
    "which/what/list/all/any .. environment/enviroment/env variable*/var*|environment/env variables|env vars";

/// Decorators that make a function answer requests.
pub const ROUTES: &str = "route|get|post|put|patch|delete|websocket|api_route";

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

    /// Whether an entity of this kind can be meant. A question for functions or methods means both.
    pub fn fits(self, kind: EntityKind) -> bool {
        match self {
            Self::Function | Self::Fixture | Self::Test => kind.is_callable() && kind != EntityKind::Property,
            Self::Helper => kind == EntityKind::Function,
            Self::Method => kind.is_callable(),
            Self::Class | Self::Exception => kind == EntityKind::Class,
            Self::Property => kind == EntityKind::Property,
            Self::Module => kind == EntityKind::Module,
            Self::Definition => kind == EntityKind::Class || kind.is_callable(),
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
    /// The last part of the name of a decorator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decorator: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_lines: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_parameters: Option<u32>,
}

impl Filters {
    /// The filters that the words state.
    pub fn of(phrase: &Phrase) -> Self {
        let none = Facts::new();
        let mut marks = details(phrase, &none, "mark:");
        let is_route = marks.contains(&"route");
        marks.retain(|mark| *mark != "route");
        Self {
            noun: details(phrase, &none, "noun:").first().and_then(|word| Noun::of(word)),
            is: details(phrase, &none, "is:"),
            marks,
            decorator: is_route.then(|| ROUTES.to_owned()),
            least_lines: number(phrase, "least_lines"),
            least_parameters: number(phrase, "least_parameters"),
        }
    }

    /// Whether the question states this condition.
    pub fn has(&self, condition: &str) -> bool {
        self.is.contains(&condition)
    }

    /// Whether only tests are meant, or only the rest.
    pub fn in_tests(&self) -> Option<bool> {
        // `outside of tests` has the words of both.
        if self.has("in_library") { Some(false) } else { self.has("in_tests").then_some(true) }
    }

    /// Whether a condition is stated that only definitions have, whatever relationship the question speaks of besides.
    pub fn is_strong(&self) -> bool {
        self.decorator.is_some()
            || self.least_lines.is_some()
            || self.least_parameters.is_some()
            || self.noun == Some(Noun::Test)
            || ["undocumented", "documented", "unannotated", "annotated", "unused", "most_used", "most_complex"]
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
        assert!(filters("functions that dont start with an underscore").has("public"));
        assert_eq!(filters("functions with more than twelve params").least_parameters, Some(13));
        assert_eq!(filters("functions with 10 or more parameters").least_parameters, Some(10));
        assert_eq!(filters("methods longer than 100 lines").least_lines, Some(101));
        assert_eq!(filters("is x used anywhere outside of tests").in_tests(), Some(false));
        assert_eq!(filters("show async methods").marks, ["async"]);
        assert_eq!(filters("how many tests are there").noun, Some(Noun::Test));
        assert_eq!(filters("which endpoints does the api have").decorator.as_deref(), Some(ROUTES));
    }
}
