//! Python's own exceptions that derive from others.

/// Each base before a colon, then the exceptions that derive from it directly. `Exception` has all of them below it,
/// and is left out.
const DERIVED: &str = "\
    ArithmeticError: FloatingPointError OverflowError ZeroDivisionError
    AttributeError: FrozenInstanceError
    ConnectionError: BrokenPipeError ConnectionAbortedError ConnectionRefusedError ConnectionResetError
    ImportError: ModuleNotFoundError
    LookupError: IndexError KeyError
    NameError: UnboundLocalError
    OSError: BlockingIOError ChildProcessError ConnectionError FileExistsError FileNotFoundError InterruptedError \
             IsADirectoryError NotADirectoryError PermissionError ProcessLookupError TimeoutError
    RuntimeError: NotImplementedError RecursionError
    SyntaxError: IndentationError
    IndentationError: TabError
    UnicodeError: UnicodeDecodeError UnicodeEncodeError UnicodeTranslateError
    ValueError: UnicodeError JSONDecodeError";

/// The exceptions of Python that derive from one of this name, directly or not.
pub fn derived_from(name: &str) -> Vec<&'static str> {
    let direct = |name: &str| {
        let mut lines = DERIVED.lines().filter_map(|line| line.trim().split_once(':'));
        lines.find(|(base, _)| *base == name).map_or("", |(_, derived)| derived).split_whitespace()
    };
    let mut found: Vec<&'static str> = direct(name).collect();
    let mut at = 0;
    while at < found.len() {
        found.extend(direct(found[at]));
        at += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exceptions_derive_over_several_steps() {
        assert_eq!(derived_from("LookupError"), ["IndexError", "KeyError"]);
        assert!(derived_from("OSError").contains(&"BrokenPipeError"));
        assert!(derived_from("ValueError").contains(&"UnicodeDecodeError"));
        assert!(derived_from("CartError").is_empty());
    }
}
