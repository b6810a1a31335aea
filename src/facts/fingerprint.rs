//! The definitions of a file as digests and short texts, for comparing two versions of it.
//!
//! `lang` fills a [`FileShape`] with a [`DefinitionShape`] per definition, found by the position of its name. Digests
//! ignore comments, white space, line breaks, redundant parentheses, trailing commas and the kind of quotes: two
//! versions with equal digests behave alike. Shapes are never stored; they are made when two versions are compared.

use crate::model::signature::ParameterKind;

/// One version of a file, ready to be compared with another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileShape {
    /// Sorted by place.
    pub definitions: Vec<DefinitionShape>,
    /// The statements at module level that define nothing and import nothing.
    pub code: u64,
    /// The module's docstring.
    pub doc: u64,
    /// Everything but comments and layout: equal digests are equal programs.
    pub whole: u64,
    /// The first line, from 1, that does not parse; 0 where all do.
    pub broken: u32,
}

/// The look of one function, class or assignment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DefinitionShape {
    /// Line of the name, 1-based, and its column in bytes: as in the entity's record.
    pub line: u32,
    pub column: u32,
    /// A function's body; a class's without the definitions and assignments in it; the value that is assigned.
    pub code: u64,
    /// The docstring.
    pub doc: u64,
    /// Number of tokens in the body.
    pub weight: u32,
    /// Hashes of the body's tokens, sorted, at most [`MAX_TOKENS`]: for likeness.
    pub tokens: Vec<u32>,
    pub parameters: Vec<ParameterShape>,
    /// The annotation of the result, of a variable, or empty.
    pub annotation: String,
    /// A class's bases and keywords as written.
    pub bases: Vec<String>,
    /// Decorators as written.
    pub decorators: Vec<String>,
    /// The exceptions raised by name, sorted, each once.
    pub raises: Vec<String>,
    pub returns: Returns,
    /// An assigned value as written, white space folded; empty without an assignment or a value.
    pub value: String,
}

/// Tokens kept for comparing two bodies.
pub const MAX_TOKENS: usize = 2000;

/// One parameter as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterShape {
    pub name: String,
    pub kind: ParameterKind,
    pub default: Option<String>,
    /// Empty without one.
    pub annotation: String,
}

/// The results that a function's `return` statements show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Returns {
    /// Lengths of the tuples that are written out, sorted, each once.
    pub tuples: Vec<u32>,
    /// Some `return` gives something else than a tuple that is written out.
    pub has_other: bool,
}

impl Returns {
    /// The length of the tuple that every `return` gives; `None` when it is not one and the same everywhere.
    pub fn length(&self) -> Option<u32> {
        match (self.tuples.as_slice(), self.has_other) {
            ([length], false) => Some(*length),
            _ => None,
        }
    }
}

impl FileShape {
    /// The definition whose name stands at this place.
    pub fn at(&self, line: u32, column: u32) -> Option<&DefinitionShape> {
        let index = self.definitions.binary_search_by_key(&(line, column), |shape| (shape.line, shape.column));
        index.ok().map(|index| &self.definitions[index])
    }
}

impl DefinitionShape {
    /// How alike two bodies are, from 0 (no common token) to 1 (the same tokens): the share of common tokens among all
    /// (Jaccard, on multisets).
    pub fn likeness(&self, other: &DefinitionShape) -> f64 {
        let (mut here, mut there, mut common) = (0, 0, 0_u32);
        while let (Some(a), Some(b)) = (self.tokens.get(here), other.tokens.get(there)) {
            here += usize::from(a <= b);
            there += usize::from(b <= a);
            common += u32::from(a == b);
        }
        let length = |tokens: &[u32]| u32::try_from(tokens.len()).unwrap_or(u32::MAX);
        let all = length(&self.tokens) + length(&other.tokens) - common;
        if all == 0 { 0.0 } else { f64::from(common) / f64::from(all) }
    }
}
