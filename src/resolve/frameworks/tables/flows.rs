//! Rules about library functions that only pass values on, or run special methods of their arguments.

use std::sync::Arc;

use serde::Deserialize;

use super::{DottedPath, RuleKind, Rules};

/// `heappop(heap)` gives an element of its first argument.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Flow {
    calls: Vec<DottedPath>,
    /// The source argument; without it, all arguments.
    pub(crate) from: Option<usize>,
    pub(crate) gives: Option<Taken>,
    /// The argument that becomes an element of the first one.
    pub(crate) puts: Option<usize>,
    /// It compares the elements.
    #[serde(default)]
    pub(crate) compares: bool,
}

impl RuleKind for Flow {
    fn add(self, rules: &mut Rules) {
        rules.describe(&self.calls);
        let rule = Arc::new(self);
        rules.flows.insert(&rule, &rule.calls);
    }
}

/// The relation of a call's result to its source arguments.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Taken {
    /// An element of them.
    Element,
    /// A list of their elements.
    List,
    /// A list of lists of their elements.
    Lists,
    /// A list of tuples, with an element of each argument in its place.
    Tuples,
    /// A list of pairs, of something and a list of their elements.
    Groups,
    /// One of them.
    Same,
    /// A list of them.
    Single,
    /// Those that are paths of modules.
    Path,
}

/// `operator.add(a, b)` runs a special method of its arguments and gives the result.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Applies {
    calls: Vec<DottedPath>,
    /// The first of these that the first argument has.
    pub(crate) methods: Vec<String>,
    /// The method of the second argument if the first has none.
    pub(crate) reflected: Option<String>,
    /// It runs the method of each argument by itself.
    #[serde(default)]
    pub(crate) each: bool,
}

impl RuleKind for Applies {
    fn add(self, rules: &mut Rules) {
        rules.describe(&self.calls);
        let rule = Arc::new(self);
        rules.applies.insert(&rule, &rule.calls);
    }
}

impl Rules {
    /// The flow of values through a library function.
    pub(crate) fn flow(&self, call: u64) -> Option<&Flow> {
        self.flows.get(call)
    }

    /// The special methods of its arguments that a library function runs.
    pub(crate) fn applies(&self, call: u64) -> Option<&Applies> {
        self.applies.get(call)
    }
}
