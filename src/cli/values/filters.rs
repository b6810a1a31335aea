//! The options that choose definitions by what is known of them, the same for `search`, `refs` and `tree`.

use clap::{Args, ValueEnum, builder::PossibleValue};

use crate::{
    cli::{session::Session, values::positive},
    error::Failure,
    model::EntityKind,
    query::target::filter::{DefinitionMark, Filter, matches_path},
    render::{escape::visible, words::argument},
};

/// Parts of definitions that `search --field` knows: whoever asks for one with `--in` means no folder.
const PARTS: [&str; 5] = ["name", "docstring", "body", "literal", "comment"];

/// Conditions on definitions. All that are given must hold.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Filters")]
pub(crate) struct FilterOptions {
    /// Only definitions of this KIND; may be given several times
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Vec<KindName>,
    /// Only files in or below PATH, or that match it (* stands for anything); may be given several times
    #[arg(long = "in", value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// Only definitions in tests, or only those outside of tests
    #[arg(long, value_name = "WHICH")]
    tests: Option<Which>,
    /// Only definitions with this MARK; may be given several times
    #[arg(long = "is", value_name = "MARK")]
    marks: Vec<DefinitionMark>,
    /// Only definitions with this PART: docstring, annotations, tests (direct ones), uses
    #[arg(long, value_name = "PART")]
    with: Vec<DefinitionPart>,
    /// Only definitions without this PART
    #[arg(long, value_name = "PART")]
    without: Vec<DefinitionPart>,
    /// Only classes that derive from NAME, directly or not: a name, the end of it, or several such names between |
    #[arg(long, value_name = "NAME")]
    derives_from: Vec<String>,
    /// Only definitions with this decorator: its NAME, the end of it, or several such names between |
    #[arg(long, value_name = "NAME")]
    decorated_by: Vec<String>,
    /// Only definitions with more than N lines
    #[arg(long, value_name = "N", value_parser = positive::<u32>)]
    longer_than: Option<u32>,
    /// Only callables with more than N parameters, `self` and `cls` not counted
    #[arg(long, value_name = "N")]
    parameters_over: Option<u32>,
    /// Only callables with more than N branches: if, for, while, except, case
    #[arg(long, value_name = "N")]
    branches_over: Option<u32>,
    /// Only callables that raise TYPE themselves: its name or the end of it
    #[arg(long, value_name = "TYPE")]
    raises: Vec<String>,
    /// Only callables that catch TYPE
    #[arg(long, value_name = "TYPE")]
    catches: Vec<String>,
    /// Only callables with TYPE in the annotation of their result, or behind a `return`
    #[arg(long, value_name = "TYPE")]
    returns: Vec<String>,
    /// Only callables with TYPE in the annotation of a parameter
    #[arg(long, value_name = "TYPE")]
    takes: Vec<String>,
    /// Only callables with a parameter called NAME
    #[arg(long, value_name = "NAME")]
    parameter: Vec<String>,
    /// Only methods that override METHOD (* for any)
    #[arg(long, value_name = "METHOD")]
    overrides: Vec<String>,
    /// Only classes that define MEMBER themselves
    #[arg(long, value_name = "MEMBER")]
    defines: Vec<String>,
    /// Only classes that do not define MEMBER themselves
    #[arg(long, value_name = "MEMBER")]
    lacks: Vec<String>,
}

/// The names between the bars; one of each list is enough.
fn alternatives(names: &[String]) -> Vec<Vec<String>> {
    names.iter().map(|names| names.split('|').map(str::to_owned).collect()).collect()
}

/// Kinds as people name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KindName {
    Module,
    Class,
    /// At module level or in another function; the functions of classes are methods
    Function,
    Method,
    Property,
    /// Found by its name alone
    Variable,
    /// A section of a document
    #[value(alias = "section")]
    Document,
    /// An import statement, found by the names that it imports; for search alone
    Import,
    /// A function or method in tests that has the name of one; `--is fixture` has the fixtures
    Test,
}

impl KindName {
    /// An import is no definition, so that no kind is its own.
    pub(crate) fn kinds(self) -> &'static [EntityKind] {
        match self {
            Self::Module => &[EntityKind::Module],
            Self::Class => &[EntityKind::Class],
            Self::Function => &[EntityKind::Function],
            Self::Method => &[EntityKind::Method],
            Self::Property => &[EntityKind::Property],
            Self::Variable => &[EntityKind::Variable],
            Self::Document => &[EntityKind::Document],
            Self::Import => &[],
            Self::Test => &[EntityKind::Function, EntityKind::Method],
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Which {
    Only,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DefinitionPart {
    Docstring,
    Annotations,
    Tests,
    Uses,
}

impl ValueEnum for DefinitionMark {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.as_str()))
    }
}

impl FilterOptions {
    /// The conditions as data.
    pub(crate) fn filter(&self) -> Filter {
        let has = |part: DefinitionPart| match (self.with.contains(&part), self.without.contains(&part)) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        let over = |number: Option<u32>| number.map(|number| number.saturating_add(1));
        let is_test = self.kind.contains(&KindName::Test);
        let test = is_test.then_some(DefinitionMark::Test);
        Filter {
            kinds: self.kind.iter().flat_map(|kind| kind.kinds()).copied().collect(),
            is_in_tests: self.tests.map(|which| which == Which::Only).or(is_test.then_some(true)),
            paths: self.paths.clone(),
            marks: self.marks.iter().copied().chain(test).collect(),
            derives_from: alternatives(&self.derives_from),
            decorators: alternatives(&self.decorated_by),
            has_docstring: has(DefinitionPart::Docstring),
            has_annotations: has(DefinitionPart::Annotations),
            has_result: None,
            has_tests: has(DefinitionPart::Tests),
            has_uses: has(DefinitionPart::Uses),
            least_lines: over(self.longer_than),
            least_parameters: over(self.parameters_over),
            most_lines: None,
            most_parameters: None,
            least_branches: over(self.branches_over),
            raises: self.raises.clone(),
            catches: self.catches.clone(),
            names: Vec::new(),
            metaclass: None,
            returns: self.returns.clone(),
            takes: self.takes.clone(),
            parameters: self.parameter.clone(),
            overrides: self.overrides.clone(),
            defines: self.defines.clone(),
            lacks: self.lacks.clone(),
            excluded: Vec::new(),
        }
    }

    /// The conditions, where one goes beyond kinds and paths, which a search knows without reading definitions.
    pub(crate) fn beyond_places(&self) -> Option<Filter> {
        let filter = self.filter();
        let rest = Filter { kinds: Vec::new(), paths: Vec::new(), ..filter.clone() };
        (!rest.is_empty()).then_some(filter)
    }

    /// Whether imports are asked for in place of definitions.
    pub(crate) fn asks_for_imports(&self) -> bool {
        self.kind.contains(&KindName::Import)
    }

    /// An error where imports are asked for and definitions alone can be chosen.
    pub(crate) fn check_definitions(&self) -> Result<(), Failure> {
        if self.asks_for_imports() {
            return Err(Failure::usage(
                "an import is no definition: no other kind goes with it, and only search finds it",
                "repoidx search 'json' --kind import",
            ));
        }
        self.check_tests()
    }

    /// An error where tests are asked for together with a kind that tests cannot have.
    pub(crate) fn check_tests(&self) -> Result<(), Failure> {
        let is_other = |kind: &KindName| *kind != KindName::Test;
        if self.kind.contains(&KindName::Test) && self.kind.iter().any(is_other) {
            return Err(Failure::usage("no other kind goes with --kind test", "repoidx search --kind test"));
        }
        Ok(())
    }

    /// An error for a path under which nothing is indexed.
    pub(crate) fn check_paths(&self, session: &Session) -> Result<(), Failure> {
        if self.paths.is_empty() {
            return Ok(());
        }
        let files = session.store.files()?;
        let documents = session.store.documents()?;
        for pattern in &self.paths {
            let is_known = files.iter().any(|(_, file)| matches_path(&file.path, pattern))
                || documents.iter().any(|(_, document)| matches_path(&document.path, pattern));
            if !is_known {
                let message = format!("no indexed file is in or below `{}`", visible(pattern));
                let hint = if PARTS.contains(&pattern.as_str()) {
                    format!("`repoidx search QUERY --field {pattern}` searches in this part of definitions")
                } else {
                    "`--in 'src/*'`: paths are those from the repository's root".to_owned()
                };
                return Err(Failure::usage(message, hint));
            }
        }
        Ok(())
    }

    /// The options as they are typed, each after a space.
    pub(crate) fn typed(&self) -> String {
        let import = self.asks_for_imports().then(|| ("kind", "import".to_owned()));
        let options = import.into_iter().chain(self.filter().options().unwrap_or_default());
        options.map(|(name, value)| format!(" --{name} {}", argument(&value))).collect()
    }
}
