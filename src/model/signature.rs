//! Parameters, and which argument of a call reaches which of them.
//!
//! A [`Signature`] is parsed from the text that the index keeps (`(self, x: int = 3, *a, k=1) -> str`). [`bind`] pairs
//! parameters with arguments by Python's rules, over any kind of name; [`Signature::bind`] adds the `TypeError` that
//! Python would raise. Types play no part.

use std::fmt;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{
    CallShape,
    written_signature::{WrittenParameter, WrittenSignature},
};

/// A list in parentheses that stands in one line, without the spaces and commas that line breaks leave in it.
pub fn without_breaks(list: &str) -> String {
    list.replace("( ", "(").replace(", )", ")").replace(" )", ")")
}

/// How arguments reach a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ParameterKind {
    PositionalOnly,
    Ordinary,
    KeywordOnly,
    /// `*args`
    Positionals,
    /// `**kwargs`
    Keywords,
}

impl ParameterKind {
    /// Whether one positional argument can fill the parameter.
    pub fn is_positional(self) -> bool {
        matches!(self, Self::PositionalOnly | Self::Ordinary)
    }

    /// Whether it is `*args` or `**kwargs`, which take any number of arguments.
    pub fn is_variadic(self) -> bool {
        matches!(self, Self::Positionals | Self::Keywords)
    }
}

/// A parameter as the callers see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    pub kind: ParameterKind,
    pub has_default: bool,
}

/// The parameters of a callable, in order. A method's first one is `self` until [`Signature::bound`] drops it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    pub parameters: Vec<Parameter>,
}

/// The arguments that fill one parameter, by their numbers in the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filled {
    /// The positional argument with this number.
    Position(usize),
    /// The keyword argument with this number.
    Keyword(usize),
    /// Perhaps an element of `*args` or `**kwargs` of the call.
    Hidden,
    /// No argument: the default holds.
    Nothing,
    /// `*args` takes the positional arguments from this number on.
    Positionals(usize),
    /// `**kwargs` takes the keyword arguments with these numbers.
    Keywords(SmallVec<[usize; 4]>),
}

/// The pairing of a call's arguments with parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArgumentBinding {
    /// One for each parameter.
    pub filled: SmallVec<[Filled; 8]>,
    /// Some positional arguments are more than the parameters take.
    pub has_too_many: bool,
    /// The first keyword argument that no parameter takes, or that repeats a positional one.
    pub refused: Option<Refused>,
}

/// A keyword argument that cannot be passed, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    Unknown(usize),
    Repeated(usize),
}

/// The arguments of a call, as far as binding needs them.
#[derive(Clone, Copy, Debug)]
pub struct CallArguments<K> {
    /// Number of the positional arguments, without `*args`.
    pub positional: usize,
    /// The names of the keyword arguments.
    pub keywords: K,
    /// The call passes `*args`.
    pub has_stars: bool,
    /// The call passes `**kwargs`.
    pub has_mapping: bool,
}

/// Why a call does not fit a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// More positional arguments than parameters for them.
    TooMany { takes: usize, gets: usize },
    /// A keyword that no parameter takes.
    Keyword(String),
    /// A parameter without default gets nothing.
    Missing(String),
    /// A parameter gets a value by position and by keyword.
    Twice(String),
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany { takes: 1, gets } => write!(f, "takes 1 positional argument, gets {gets}"),
            Self::TooMany { takes, gets } => write!(f, "takes {takes} positional arguments, gets {gets}"),
            Self::Keyword(name) => write!(f, "takes no keyword `{name}`"),
            Self::Missing(name) => write!(f, "needs `{name}`"),
            Self::Twice(name) => write!(f, "gets `{name}` twice"),
        }
    }
}

/// Pairs parameters with arguments. Faults do not stop it: each parameter gets its most likely argument.
pub fn bind<N: PartialEq>(
    parameters: impl Iterator<Item = (N, ParameterKind)>,
    arguments: &CallArguments<impl Iterator<Item = N> + Clone>,
) -> ArgumentBinding {
    let mut binding = ArgumentBinding::default();
    let mut next = 0;
    let mut taken = SmallVec::<[usize; 8]>::new();
    let mut repeated = None;
    let (mut takes_rest, mut takes_others) = (false, None);
    for (index, (name, kind)) in parameters.enumerate() {
        // A positional-only parameter leaves a keyword of its name to `**kwargs`.
        let can_be_named = matches!(kind, ParameterKind::Ordinary | ParameterKind::KeywordOnly);
        let keyword = if can_be_named { arguments.keywords.clone().position(|keyword| keyword == name) } else { None };
        taken.extend(keyword);
        binding.filled.push(match kind {
            kind if kind.is_positional() && next < arguments.positional => {
                next += 1;
                repeated = repeated.into_iter().chain(keyword).min();
                Filled::Position(next - 1)
            }
            ParameterKind::Positionals => {
                takes_rest = true;
                Filled::Positionals(std::mem::replace(&mut next, arguments.positional))
            }
            ParameterKind::Keywords => {
                takes_others = Some(index);
                Filled::Keywords(SmallVec::new())
            }
            kind => {
                let is_hidden = arguments.has_stars && kind.is_positional() || arguments.has_mapping && can_be_named;
                keyword.map_or(if is_hidden { Filled::Hidden } else { Filled::Nothing }, Filled::Keyword)
            }
        });
    }
    binding.has_too_many = next < arguments.positional && !takes_rest;
    let others = (0..arguments.keywords.clone().count()).filter(|number| !taken.contains(number));
    let others: SmallVec<[usize; 4]> = others.collect();
    // Python looks at keywords in the order of the call and stops at the first that does not fit.
    let unknown = others.first().copied().filter(|_| takes_others.is_none());
    binding.refused = match (unknown, repeated) {
        (Some(unknown), Some(repeated)) if repeated < unknown => Some(Refused::Repeated(repeated)),
        (Some(unknown), _) => Some(Refused::Unknown(unknown)),
        (None, repeated) => repeated.map(Refused::Repeated),
    };
    if let Some(index) = takes_others {
        binding.filled[index] = Filled::Keywords(others);
    }
    binding
}

impl Signature {
    /// Reads a signature; `None` for any other text.
    pub fn parse(text: &str) -> Option<Signature> {
        let written = WrittenSignature::parse(text)?;
        Some(Signature { parameters: written.parameters.into_iter().map(WrittenParameter::parameter).collect() })
    }

    /// The signature as a caller through an instance or class sees it: without `self` or `cls`.
    #[must_use]
    pub fn bound(mut self) -> Signature {
        if self.parameters.first().is_some_and(|first| first.kind.is_positional()) {
            self.parameters.remove(0);
        }
        self
    }

    /// The arguments that reach each parameter, or the reason why the call would raise `TypeError`. Where the call
    /// passes `*` or `**`, no parameter counts as missing, but the written arguments have to fit.
    pub fn bind(&self, call: &CallShape) -> Result<ArgumentBinding, Mismatch> {
        let binding = self.pair(call);
        if binding.has_too_many {
            let takes = self.parameters.iter().filter(|parameter| parameter.kind.is_positional()).count();
            return Err(Mismatch::TooMany { takes, gets: call.positional as usize });
        }
        match binding.refused {
            Some(Refused::Unknown(number)) => return Err(Mismatch::Keyword(call.keywords[number].clone())),
            Some(Refused::Repeated(number)) => return Err(Mismatch::Twice(call.keywords[number].clone())),
            None => {}
        }
        let mut missing = self.parameters.iter().zip(&binding.filled).filter(|(parameter, filled)| {
            !parameter.has_default && **filled == Filled::Nothing && !parameter.kind.is_variadic()
        });
        match missing.next() {
            Some((parameter, _)) => Err(Mismatch::Missing(parameter.name.clone())),
            None => Ok(binding),
        }
    }

    /// The pairing without the faults.
    fn pair(&self, call: &CallShape) -> ArgumentBinding {
        let parameters = self.parameters.iter().map(|parameter| (parameter.name.as_str(), parameter.kind));
        let arguments = CallArguments {
            positional: call.positional as usize,
            keywords: call.keywords.iter().map(String::as_str),
            has_stars: call.is_open,
            has_mapping: call.is_open,
        };
        bind(parameters, &arguments)
    }

    /// The arguments that the call passes for the parameter `name`; `None` when there is no such parameter.
    pub fn filled(&self, call: &CallShape, name: &str) -> Option<Filled> {
        let index = self.parameters.iter().position(|parameter| parameter.name == name)?;
        self.pair(call).filled.into_iter().nth(index)
    }

    /// Whether the call passes an argument for the parameter `name`; `None` when `*` or `**` hide it.
    pub fn passes(&self, call: &CallShape, name: &str) -> Option<bool> {
        let is_named = || call.keywords.iter().any(|keyword| keyword == name);
        match self.filled(call, name) {
            Some(Filled::Position(_) | Filled::Keyword(_)) => Some(true),
            _ if is_named() => Some(true),
            _ if call.is_open => None,
            _ => Some(false),
        }
    }

    /// Whether a parameter of its own, and not `**`, takes the keyword.
    pub fn takes_keyword(&self, keyword: &str) -> bool {
        let takes = |kind: ParameterKind| !kind.is_variadic() && kind != ParameterKind::PositionalOnly;
        self.parameters.iter().any(|parameter| takes(parameter.kind) && parameter.name == keyword)
    }

    /// Whether there is a parameter of this kind.
    pub fn has(&self, kind: ParameterKind) -> bool {
        self.parameters.iter().any(|parameter| parameter.kind == kind)
    }

    /// The name of the parameter that the positional argument with this number, counted from 0, reaches.
    pub fn reached_by(&self, position: usize) -> Option<&str> {
        let mut positional = self.parameters.iter().filter(|parameter| parameter.kind.is_positional());
        positional.nth(position).map(|parameter| parameter.name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(positional: u32, keywords: &[&str]) -> CallShape {
        CallShape { positional, keywords: keywords.iter().map(|&k| k.to_owned()).collect(), is_open: false }
    }

    #[test]
    fn a_call_that_cannot_work_is_told_apart() {
        let signature = Signature::parse("(self, a, b=1, *, k)").expect("a signature").bound();
        let mismatch = |call: &CallShape| signature.bind(call).err().map(|mismatch| mismatch.to_string());
        assert_eq!(mismatch(&call(1, &["k"])), None);
        assert_eq!(mismatch(&call(3, &["k"])).as_deref(), Some("takes 2 positional arguments, gets 3"));
        assert_eq!(mismatch(&call(1, &[])).as_deref(), Some("needs `k`"));
        assert_eq!(mismatch(&call(0, &["k"])).as_deref(), Some("needs `a`"));
        assert_eq!(mismatch(&call(1, &["k", "z"])).as_deref(), Some("takes no keyword `z`"));
        assert_eq!(mismatch(&call(1, &["k", "a"])).as_deref(), Some("gets `a` twice"));
        let open = |positional, keywords| CallShape { is_open: true, ..call(positional, keywords) };
        assert_eq!(mismatch(&open(0, &[])), None);
        assert_eq!(mismatch(&open(9, &[])).as_deref(), Some("takes 2 positional arguments, gets 9"));
        assert_eq!(mismatch(&open(0, &["z"])).as_deref(), Some("takes no keyword `z`"));
    }

    #[test]
    fn arguments_reach_parameters_by_position_and_by_name() {
        let filled = |text: &str, call: &CallShape| {
            let signature = Signature::parse(text).expect("a signature");
            signature.bind(call).expect("the call fits").filled.into_vec()
        };
        let (all, named) = (call(3, &["k", "z"]), call(1, &["b"]));
        assert_eq!(
            filled("(a, *args, k, **rest)", &all),
            [
                Filled::Position(0),
                Filled::Positionals(1),
                Filled::Keyword(0),
                Filled::Keywords(SmallVec::from_slice(&[1]))
            ]
        );
        assert_eq!(filled("(a, b, c=1)", &named), [Filled::Position(0), Filled::Keyword(0), Filled::Nothing]);
        let open = CallShape { is_open: true, ..call(1, &[]) };
        assert_eq!(filled("(a, b, c=1)", &open), [Filled::Position(0), Filled::Hidden, Filled::Hidden]);
        // The keyword `a` belongs to `**rest`: the parameter `a` takes arguments by position alone.
        let signature = Signature::parse("(a, /, **rest)").expect("a signature");
        assert_eq!(signature.bind(&call(0, &["a"])), Err(Mismatch::Missing("a".to_owned())));
    }

    #[test]
    fn a_text_that_is_no_signature_is_not_read() {
        assert_eq!(Signature::parse(""), None);
        assert_eq!(Signature::parse("(a, b"), None);
        assert_eq!(Signature::parse("()").expect("a signature").parameters, []);
    }
}
