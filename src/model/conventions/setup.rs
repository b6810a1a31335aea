//! Functions that pytest and `unittest` run around tests because of their names.

/// The tests around which a set-up function runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupScope {
    /// The tests of its class.
    Class,
    /// The tests of its module.
    Module,
}

use SetupScope::{Class, Module};

/// The names of set-up and tear-down functions.
const NAMES: [(&str, SetupScope); 16] = [
    ("asyncSetUp", Class),
    ("asyncTearDown", Class),
    ("setUp", Class),
    ("setUpClass", Class),
    ("setUpModule", Module),
    ("setup_class", Class),
    ("setup_function", Module),
    ("setup_method", Class),
    ("setup_module", Module),
    ("tearDown", Class),
    ("tearDownClass", Class),
    ("tearDownModule", Module),
    ("teardown_class", Class),
    ("teardown_function", Module),
    ("teardown_method", Class),
    ("teardown_module", Module),
];

/// The scope of the set-up or tear-down function of this name.
pub fn setup_scope(name: &str) -> Option<SetupScope> {
    NAMES.iter().find(|(known, _)| *known == name).map(|&(_, scope)| scope)
}
