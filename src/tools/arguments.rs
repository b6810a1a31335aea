//! The arguments of the tools, and how they are read from what a model wrote.
//!
//! Models write numbers and flags as text now and then, and invent arguments. The former is understood, the latter is
//! ignored and named in the answer.

use serde_json::{Map, Value};

use crate::{
    error::Failure, model::EntityKind, query::impact::walk::factors::Change, render::escape::visible,
    tools::catalog::NAMES,
};

/// Bounds of the budget of an answer, in tokens.
pub const MIN_TOKENS: usize = 200;
pub const MAX_TOKENS: usize = 8000;
/// The budget where none is given.
pub const USUAL_TOKENS: usize = 1500;
/// Characters of a wrong value that a message repeats.
const MAX_ECHO: usize = 80;
/// Most hits of a search.
const MAX_HITS: u64 = 50;

/// A question to one of the tools.
#[derive(Clone, Debug)]
pub struct Request {
    pub call: ToolQuestion,
    /// The repository, worktree, or a file in it; empty where the caller knows.
    pub root: String,
    pub max_tokens: usize,
    /// The tool, and the arguments that it does not have.
    pub tool: &'static str,
    pub ignored: Vec<String>,
}

#[derive(Clone, Debug)]
pub enum ToolQuestion {
    Impact(ImpactArguments),
    Review(ReviewArguments),
    Refs(RefsArguments),
    Search(SearchArguments),
    Show(ShowArguments),
    Map(MapArguments),
    Context(ContextArguments),
}

#[derive(Clone, Debug)]
pub struct ImpactArguments {
    pub target: String,
    pub change: Change,
    /// Empty for the whole definition.
    pub param: String,
    /// Most steps; 0 for all.
    pub depth: u32,
    pub only: ImpactPart,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImpactPart {
    #[default]
    All,
    Direct,
    Tests,
}

#[derive(Clone, Debug, Default)]
pub struct ReviewArguments {
    /// Commits; empty for the working tree.
    pub range: String,
    pub staged: bool,
    /// A unified diff that is not applied; empty for none.
    pub patch: String,
    pub only: ReviewPart,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReviewPart {
    #[default]
    All,
    Breaks,
    Tests,
}

#[derive(Clone, Debug)]
pub struct RefsArguments {
    pub target: String,
    pub possible: bool,
    /// Empty for everywhere.
    pub path: String,
}

/// The things that a search finds.
#[derive(Clone, Copy, Debug)]
pub enum SearchedKind {
    /// Definitions of these kinds; of all, if there are none.
    Definitions(&'static [EntityKind]),
    Imports,
}

#[derive(Clone, Debug)]
pub struct SearchArguments {
    pub query: String,
    pub kind: SearchedKind,
    /// Empty for everywhere.
    pub path: String,
    pub limit: usize,
}

#[derive(Clone, Debug)]
pub struct ShowArguments {
    /// Empty for the outline of the repository.
    pub target: String,
}

#[derive(Clone, Debug)]
pub struct MapArguments {
    /// Words, a name or a path; empty for the whole repository.
    pub focus: String,
}

#[derive(Clone, Debug)]
pub struct ContextArguments {
    /// `FILE:LINE` or `FILE:LINE:COLUMN`.
    pub at: String,
}

impl ToolQuestion {
    /// The definition that it is about.
    pub(super) fn target(&mut self) -> Option<&mut String> {
        match self {
            Self::Impact(ImpactArguments { target, .. })
            | Self::Refs(RefsArguments { target, .. })
            | Self::Show(ShowArguments { target }) => Some(target),
            Self::Search(_) | Self::Review(_) | Self::Map(_) | Self::Context(_) => None,
        }
    }
}

impl Request {
    /// Reads the arguments of `tool`.
    ///
    /// # Errors
    /// When there is no such tool, or an argument cannot be read; the message names it.
    pub fn parse(tool: &str, arguments: &Map<String, Value>) -> Result<Self, Failure> {
        let Some(tool) = NAMES.iter().copied().find(|name| *name == tool) else {
            let message = format!("there is no tool `{}`", echo(tool));
            return Err(Failure::usage(message, format!("the tools are {}", NAMES.join(", "))));
        };
        let mut fields = Fields { tool, arguments, known: vec!["root", "max_tokens"] };
        let call = match tool {
            "impact" => ToolQuestion::Impact(ImpactArguments {
                target: fields.needed("target")?,
                change: fields.word("change", CHANGES)?,
                param: fields.text("param")?,
                depth: u32::try_from(fields.number("depth", 0)?).unwrap_or(u32::MAX),
                only: fields.word("only", IMPACT_PARTS)?,
            }),
            "review" => ToolQuestion::Review(ReviewArguments {
                range: fields.text("range")?,
                staged: fields.flag("staged")?,
                patch: fields.text("patch")?,
                only: fields.word("only", REVIEW_PARTS)?,
            }),
            "refs" => ToolQuestion::Refs(RefsArguments {
                target: fields.needed("target")?,
                possible: fields.flag("possible")?,
                path: fields.text("path")?,
            }),
            "search" => ToolQuestion::Search(SearchArguments {
                query: fields.needed("query")?,
                kind: fields.word("kind", KINDS)?,
                path: fields.text("path")?,
                limit: usize::try_from(fields.number("limit", 10)?.clamp(1, MAX_HITS)).unwrap_or(1),
            }),
            "map" => ToolQuestion::Map(MapArguments { focus: fields.text("focus")? }),
            "context" => ToolQuestion::Context(ContextArguments { at: fields.needed("at")? }),
            _ => ToolQuestion::Show(ShowArguments { target: fields.text("target")? }),
        };
        let max_tokens = usize::try_from(fields.number("max_tokens", USUAL_TOKENS as u64)?).unwrap_or(MAX_TOKENS);
        let root = fields.text("root")?;
        let ignored = arguments.keys().filter(|name| !fields.known.contains(&name.as_str()));
        let ignored = ignored.map(|name| echo(name)).collect();
        Ok(Self { call, root, max_tokens: max_tokens.clamp(MIN_TOKENS, MAX_TOKENS), tool, ignored })
    }

    /// The text by which the repository may be found: an absolute path that the arguments name.
    pub fn place(&self) -> Option<&str> {
        let target = match &self.call {
            ToolQuestion::Impact(ImpactArguments { target, .. })
            | ToolQuestion::Refs(RefsArguments { target, .. })
            | ToolQuestion::Show(ShowArguments { target }) => target,
            ToolQuestion::Search(SearchArguments { path, .. }) => path,
            ToolQuestion::Map(MapArguments { focus }) => focus,
            ToolQuestion::Context(ContextArguments { at }) => at,
            ToolQuestion::Review(_) => return None,
        };
        std::path::Path::new(target).is_absolute().then_some(target.as_str())
    }

    /// Says which arguments were ignored.
    pub(super) fn notes(&self) -> Vec<String> {
        let note = |name: &String| format!("ignored: `{name}` is no argument of {}", self.tool);
        self.ignored.iter().map(note).collect()
    }
}

const CHANGES: &[(&str, Change)] = &[
    ("body", Change::Body),
    ("signature", Change::Signature),
    ("remove", Change::Remove),
    ("rename", Change::Rename),
    ("require", Change::Require),
    ("keyword-only", Change::KeywordOnly),
];

const IMPACT_PARTS: &[(&str, ImpactPart)] =
    &[("all", ImpactPart::All), ("direct", ImpactPart::Direct), ("tests", ImpactPart::Tests)];

const REVIEW_PARTS: &[(&str, ReviewPart)] =
    &[("all", ReviewPart::All), ("breaks", ReviewPart::Breaks), ("tests", ReviewPart::Tests)];

/// `function` includes methods, as people use the word.
const KINDS: &[(&str, SearchedKind)] = &[
    ("any", SearchedKind::Definitions(&[])),
    ("module", SearchedKind::Definitions(&[EntityKind::Module])),
    ("class", SearchedKind::Definitions(&[EntityKind::Class])),
    ("function", SearchedKind::Definitions(&[EntityKind::Function, EntityKind::Method, EntityKind::Property])),
    ("method", SearchedKind::Definitions(&[EntityKind::Method])),
    ("property", SearchedKind::Definitions(&[EntityKind::Property])),
    ("variable", SearchedKind::Definitions(&[EntityKind::Variable])),
    ("document", SearchedKind::Definitions(&[EntityKind::Document])),
    ("import", SearchedKind::Imports),
];

/// The arguments of one call. Reading one makes it known.
struct Fields<'a> {
    tool: &'static str,
    arguments: &'a Map<String, Value>,
    known: Vec<&'static str>,
}

impl Fields<'_> {
    fn value(&mut self, name: &'static str) -> Option<&Value> {
        self.known.push(name);
        self.arguments.get(name).filter(|value| !value.is_null())
    }

    fn text(&mut self, name: &'static str) -> Result<String, Failure> {
        match self.value(name) {
            None => Ok(String::new()),
            Some(Value::String(text)) if name == "patch" => Ok(text.clone()),
            Some(Value::String(text)) => Ok(text.trim().to_owned()),
            Some(other) => Err(wrong(name, other, "a text")),
        }
    }

    fn needed(&mut self, name: &'static str) -> Result<String, Failure> {
        let text = self.text(name)?;
        if text.is_empty() {
            return Err(Failure::usage(format!("{} needs `{name}`", self.tool), format!("give `{name}` as a text")));
        }
        Ok(text)
    }

    fn flag(&mut self, name: &'static str) -> Result<bool, Failure> {
        match self.value(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(Value::String(text)) if ["true", "false", ""].contains(&text.as_str()) => Ok(text == "true"),
            Some(other) => Err(wrong(name, other, "true or false")),
        }
    }

    fn number(&mut self, name: &'static str, default: u64) -> Result<u64, Failure> {
        let Some(value) = self.value(name) else { return Ok(default) };
        let number = match value {
            // A whole number with a fraction of zero, as some clients write all numbers.
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative, and cut to u64")]
            Value::Number(number) => {
                number.as_u64().or(number.as_f64().filter(|n| *n >= 0.0 && n.fract() == 0.0).map(|n| n as u64))
            }
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        number.ok_or_else(|| wrong(name, value, "a whole number"))
    }

    /// The meaning of one of several words; the first one is meant where none is given.
    fn word<T: Copy>(&mut self, name: &'static str, words: &[(&str, T)]) -> Result<T, Failure> {
        let text = self.text(name)?.to_lowercase().replace('_', "-");
        if text.is_empty() {
            return Ok(words[0].1);
        }
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning);
        found.ok_or_else(|| {
            let all: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            wrong(name, &Value::String(text.clone()), &format!("one of {}", all.join(", ")))
        })
    }
}

fn wrong(name: &str, value: &Value, wanted: &str) -> Failure {
    let shown = echo(&value.to_string());
    Failure::usage(format!("`{name}` is {shown}"), format!("give {wanted}"))
}

fn echo(text: &str) -> String {
    visible(text).chars().take(MAX_ECHO).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tools::catalog::{TOOLS, for_one_repository};

    #[expect(clippy::needless_pass_by_value, reason = "`json!` is written in place")]
    fn parsed(tool: &str, arguments: Value) -> Result<Request, String> {
        let arguments = arguments.as_object().expect("an object");
        Request::parse(tool, arguments).map_err(|failure| format!("{}; {}", failure.message, failure.hint))
    }

    #[test]
    fn numbers_and_words_are_read_however_they_are_written() {
        let arguments = json!({"target": " Cart.add ", "change": "keyword_only", "depth": "2", "max_tokens": 3000.0});
        let request = parsed("impact", arguments).unwrap();
        let ToolQuestion::Impact(ImpactArguments { target, change, depth, only, .. }) = request.call else {
            panic!("an impact")
        };
        assert_eq!((target.as_str(), change, depth, only), ("Cart.add", Change::KeywordOnly, 2, ImpactPart::All));
        assert_eq!(request.max_tokens, 3000);
        assert_eq!(parsed("show", json!({"target": null})).unwrap().max_tokens, USUAL_TOKENS);
        assert_eq!(parsed("show", json!({"max_tokens": 9_000_000})).unwrap().max_tokens, 8000);
    }

    #[test]
    fn a_wrong_argument_is_named_with_the_right_form() {
        let message = |tool: &str, arguments: Value| parsed(tool, arguments).unwrap_err();
        assert_eq!(message("impact", json!({})), "impact needs `target`; give `target` as a text");
        assert_eq!(message("refs", json!({"target": "a", "possible": 3})), "`possible` is 3; give true or false");
        assert_eq!(message("show", json!({"max_tokens": "many"})), "`max_tokens` is \"many\"; give a whole number");
        assert_eq!(
            message("search", json!({"query": "a", "kind": "lambda"})),
            "`kind` is \"lambda\"; give one of any, module, class, function, method, property, variable, document, import"
        );
        assert_eq!(
            message("explode", json!({})),
            "there is no tool `explode`; the tools are impact, review, refs, search, show, map, context"
        );
    }

    #[test]
    fn invented_arguments_are_named() {
        let request = parsed("show", json!({"target": "a", "verbose": true})).unwrap();
        assert_eq!(request.notes(), ["ignored: `verbose` is no argument of show"]);
    }

    #[test]
    fn an_absolute_target_is_a_place() {
        let place = |arguments: Value| parsed("show", arguments).unwrap().place().map(str::to_owned);
        assert_eq!(place(json!({"target": "/r/a.py:3"})), Some("/r/a.py:3".to_owned()));
        assert_eq!(place(json!({"target": "a.py:3"})), None);
    }

    #[test]
    fn the_table_holds_the_tools_and_their_descriptions_are_short() {
        let tools: Vec<Value> = serde_json::from_str(TOOLS).unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(names, NAMES);
        for tool in &tools {
            assert!(tool["description"].as_str().unwrap().len() <= 350, "{tool}");
        }
        for tool in for_one_repository() {
            assert!(tool.parameters["properties"].get("root").is_none(), "{tool:?}");
        }
    }
}
