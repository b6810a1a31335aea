//! The names by which `unittest` finds tests.

/// Whether a class can be a test case of `unittest`, by its name. Frameworks derive `LiveServerTests` and the like.
pub fn is_test_case(class: &str) -> bool {
    ["TestCase", "Test", "Tests"].iter().any(|end| class.ends_with(end))
}

/// The method that runs where a test case defines no `test…` method.
pub const RUN_TEST: &str = "runTest";
