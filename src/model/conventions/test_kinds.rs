//! The kinds of tests, as the names of folders and files tell them.
//!
//! Many words have other meanings too: `nn/functional/` is a part of a program. So a word counts where it stands beside
//! `test`, below a folder for tests, or first in the path.

/// A kind of tests, by the name of their folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SuiteKind {
    Unit,
    Integration,
    EndToEnd,
    Functional,
    Acceptance,
    System,
    Smoke,
    Performance,
}

impl SuiteKind {
    /// Every kind.
    pub const ALL: [SuiteKind; 8] = [
        Self::Unit,
        Self::Integration,
        Self::EndToEnd,
        Self::Functional,
        Self::Acceptance,
        Self::System,
        Self::Smoke,
        Self::Performance,
    ];

    /// The word before `test` in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unit => "unit",
            Self::Integration => "integration",
            Self::EndToEnd => "end-to-end",
            Self::Functional => "functional",
            Self::Acceptance => "acceptance",
            Self::System => "system",
            Self::Smoke => "smoke",
            Self::Performance => "performance",
        }
    }

    /// The words of folders, with underscores.
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Unit => &["unit"],
            Self::Integration => &["integration"],
            Self::EndToEnd => &["e2e", "end_to_end", "endtoend"],
            Self::Functional => &["functional", "func"],
            Self::Acceptance => &["acceptance"],
            Self::System => &["system"],
            Self::Smoke => &["smoke"],
            Self::Performance => &["benchmark", "benchmarks", "performance", "perf"],
        }
    }

    /// Its name hardly ever means anything but tests.
    fn is_plain(self) -> bool {
        !matches!(self, Self::Functional | Self::System | Self::Performance)
    }
}

/// The kind of the tests in this file; `None` where no name tells it. The outermost folder decides, since inner ones
/// often repeat those of the code.
pub fn kind_of_tests(path: &str) -> Option<SuiteKind> {
    let path = path.to_lowercase().replace('-', "_");
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", &path));
    // The first folder counts like one below `tests`.
    let (mut is_below, mut is_right_below) = (false, true);
    for folder in folders.split('/') {
        let bare = without_test(folder);
        let says_test = bare.len() < folder.len();
        let is_it = |kind: &SuiteKind| {
            let counts = says_test || is_right_below || is_below && kind.is_plain() || *kind == SuiteKind::EndToEnd;
            let ends = |name: &&str| bare.strip_suffix(*name).is_some_and(|rest| rest.ends_with('_'));
            kind.names().contains(&bare) && counts || says_test && kind.is_plain() && kind.names().iter().any(ends)
        };
        if let Some(kind) = SuiteKind::ALL.into_iter().find(is_it) {
            return Some(kind);
        }
        (is_below, is_right_below) = (is_below || says_test, says_test);
    }
    let stem = file.strip_suffix(".py").unwrap_or(file);
    SuiteKind::ALL.into_iter().find(|kind| kind.names().iter().any(|name| is_file_of(stem, name, *kind)))
}

/// Whether the name of a file tells this kind: `test_unit_cart`, `cart_unit_test`; of plain names also `test_e2e`.
fn is_file_of(stem: &str, name: &str, kind: SuiteKind) -> bool {
    let is_beside = [format!("_{name}_test"), format!("_{name}_tests")].iter().any(|end| stem.ends_with(end));
    let begins = stem.starts_with(&format!("{name}_test")) || kind == SuiteKind::Unit && stem.starts_with("test_unit_");
    // `test_unit.py` and `test_parse_unit.py` are about units.
    let has = || kind != SuiteKind::Unit && format!("_{stem}_").contains(&format!("_{name}_"));
    is_beside || begins || kind.is_plain() && has()
}

/// A name without the word for tests at its beginning or end.
fn without_test(name: &str) -> &str {
    let bare = ["tests_", "test_"].iter().find_map(|start| name.strip_prefix(start)).unwrap_or(name);
    let ends = ["_tests", "_test", "tests", "test", "_testing", "testing", "_suite"];
    ends.iter().find_map(|end| bare.strip_suffix(end)).unwrap_or(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_files_tell_the_kind_of_tests() {
        use SuiteKind as K;
        let cases = [
            ("tests/unit/test_cart.py", Some(K::Unit)),
            ("tests/unit_tests/llms/test_base.py", Some(K::Unit)),
            ("unit/test_cart.py", Some(K::Unit)),
            ("unittests/test_cart.py", Some(K::Unit)),
            ("packages/shop/tests/unit/test_cart.py", Some(K::Unit)),
            ("tests/test_unit_cart.py", Some(K::Unit)),
            ("tests/integration_tests/test_search.py", Some(K::Integration)),
            ("tests/integration/unit/test_search.py", Some(K::Integration)),
            ("tests/test_integration.py", Some(K::Integration)),
            ("tests/e2e/test_login.py", Some(K::EndToEnd)),
            ("e2e-tests/test_login.py", Some(K::EndToEnd)),
            ("tests/functional/test_cli.py", Some(K::Functional)),
            ("functional_tests/test_cli.py", Some(K::Functional)),
            ("tests/backend/integration/test_db.py", Some(K::Integration)),
            ("tests/acceptance/test_shop.py", Some(K::Acceptance)),
            ("tests/system/small/test_client.py", Some(K::System)),
            ("benchmarks/test_speed.py", Some(K::Performance)),
            // Words with another meaning.
            ("tests/test_cart.py", None),
            ("tests/test_system.py", None),
            ("tests/test_functional.py", None),
            ("tests/test_unit.py", None),
            ("tests/integrations/flask/test_flask.py", None),
            ("astropy/units/tests/test_units.py", None),
            ("shop/system/tests/test_info.py", None),
            ("torch/nn/functional/test_linear.py", None),
            ("tests/shop/functional/test_linear.py", None),
        ];
        for (path, kind) in cases {
            assert_eq!(kind_of_tests(path), kind, "{path}");
        }
    }
}
