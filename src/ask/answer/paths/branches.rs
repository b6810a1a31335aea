//! The branches of Python code, read off its lines: under which condition a line runs, and which lines exclude others.

use std::collections::BTreeMap;

use crate::query::source::texts::lines_of_texts;

/// Longest condition in a sentence, in characters.
const LONGEST_CONDITION: usize = 48;

/// One block of a statement that has several: `if`, `elif`, `else`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Arm {
    /// The line of the statement, which its blocks share, and the line of this block.
    statement: u32,
    line: u32,
    kind: ArmKind,
    /// The condition as it stands, or the exception.
    condition: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArmKind {
    If,
    Else,
    Case,
    Try,
    Except,
    Loop,
    /// A function or class, whose lines run at another time.
    Definition,
    Other,
}

/// The blocks around each line of a file.
#[derive(Debug, Default)]
pub(super) struct Branches {
    arms: BTreeMap<u32, Vec<Arm>>,
}

impl Branches {
    /// Reads the branches of a file.
    pub(super) fn of(text: &str) -> Self {
        let mut branches = Self::default();
        // The open blocks, each with the blanks before its head.
        let mut open: Vec<(usize, Arm)> = Vec::new();
        for (first, last, indent, line) in statements(text) {
            let mut left: Option<Arm> = None;
            while let Some((_, arm)) = open.pop_if(|(known, _)| *known >= indent) {
                left = Some(arm);
            }
            let word = line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            let around: Vec<Arm> = open.iter().map(|(_, arm)| arm.clone()).collect();
            if let Some(kind) = kind_of(word, &line, left.as_ref()) {
                let statement = match (&left, word) {
                    (Some(arm), "elif" | "else" | "except" | "finally") => arm.statement,
                    // The cases of one `match` have the same blanks.
                    (Some(arm), "case") if arm.kind == ArmKind::Case => arm.statement,
                    _ => first,
                };
                let (head, body) = head_of(&line);
                let condition = head.strip_prefix(word).unwrap_or_default().trim().to_owned();
                let arm = Arm { statement, line: first, kind, condition };
                if body.is_empty() {
                    open.push((indent, arm));
                } else {
                    // `if x: return f()`
                    let mut inner = around.clone();
                    inner.push(arm.clone());
                    branches.arms.extend((first..=last).map(|line| (line, inner.clone())));
                    open.push((indent, arm));
                    continue;
                }
            }
            branches.arms.extend((first..=last).map(|line| (line, around.clone())));
        }
        branches
    }

    /// The blocks of the function around a line in which the line stands, the outermost first.
    fn around(&self, line: u32) -> &[Arm] {
        let arms = self.arms.get(&line).map_or(&[][..], Vec::as_slice);
        let begin = arms.iter().rposition(|arm| arm.kind == ArmKind::Definition).map_or(0, |at| at + 1);
        &arms[begin..]
    }

    /// The condition under which a line of a function runs, in words; empty where it always does.
    pub(super) fn condition(&self, line: u32) -> String {
        let worded = |arm: &Arm| {
            let condition = cut(&arm.condition);
            match arm.kind {
                ArmKind::If => format!("if `{condition}`"),
                ArmKind::Case => format!("case `{condition}`"),
                ArmKind::Else => "otherwise".to_owned(),
                ArmKind::Except if condition.is_empty() => "on an exception".to_owned(),
                ArmKind::Except => format!("on `{}`", condition.split(" as ").next().unwrap_or_default()),
                ArmKind::Loop => "in a loop".to_owned(),
                ArmKind::Try | ArmKind::Definition | ArmKind::Other => String::new(),
            }
        };
        let mut words: Vec<String> = self.around(line).iter().map(worded).filter(|words| !words.is_empty()).collect();
        words.dedup();
        words.join(", ")
    }

    /// Whether two lines of a function stand in branches of one statement, of which at most one runs. Lines behind a
    /// `return` under a condition are none: a loop or a caught exception may run both.
    pub(super) fn exclude_each_other(&self, first: u32, second: u32) -> bool {
        let (first, second) = (self.around(first), self.around(second));
        let is_branch = |arm: &Arm| matches!(arm.kind, ArmKind::If | ArmKind::Else | ArmKind::Case);
        first.iter().filter(|arm| is_branch(arm)).any(|arm| {
            let is_other = |other: &&Arm| other.statement == arm.statement && *other != arm;
            !second.contains(arm) && second.iter().any(|other| is_other(&other))
        })
    }
}

/// The statements of a text: first line, last line, blanks before it, and its text in one line.
fn statements(text: &str) -> Vec<(u32, u32, usize, String)> {
    let texts = lines_of_texts(text);
    let mut found: Vec<(u32, u32, usize, String)> = Vec::new();
    let mut depth = 0_usize;
    let mut goes_on = false;
    for (number, line) in (1..).zip(text.lines()) {
        let code = if texts.contains_key(&number) { "" } else { line.split(" #").next().unwrap_or(line).trim() };
        if code.is_empty() || code.starts_with('#') {
            continue;
        }
        match found.last_mut().filter(|_| goes_on) {
            Some((_, last, _, statement)) => {
                *last = number;
                *statement += &format!(" {code}");
            }
            None => found.push((number, number, line.len() - line.trim_start().len(), code.to_owned())),
        }
        depth = (depth + code.matches(['(', '[', '{']).count()).saturating_sub(code.matches([')', ']', '}']).count());
        goes_on = depth > 0 || code.ends_with('\\');
    }
    found
}

/// The kind of block that a line begins; `left` is the block before it with the same blanks.
fn kind_of(word: &str, line: &str, left: Option<&Arm>) -> Option<ArmKind> {
    Some(match word {
        "if" | "elif" => ArmKind::If,
        "else" if left.is_some_and(|arm| arm.kind == ArmKind::If) => ArmKind::Else,
        "case" if head_of(line).0.len() < line.len() => ArmKind::Case,
        "try" => ArmKind::Try,
        "except" => ArmKind::Except,
        "for" | "while" => ArmKind::Loop,
        "async" if line.starts_with("async for ") => ArmKind::Loop,
        "async" if line.starts_with("async def ") => ArmKind::Definition,
        "def" | "class" => ArmKind::Definition,
        "else" | "finally" | "with" | "match" | "async" => ArmKind::Other,
        _ => return None,
    })
}

/// The head of a statement up to its colon, and what stands behind on the same line.
fn head_of(line: &str) -> (&str, &str) {
    let (mut depth, mut quote) = (0_usize, None);
    for (at, c) in line.char_indices() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(c),
            ('(' | '[' | '{', None) => depth += 1,
            (')' | ']' | '}', None) => depth = depth.saturating_sub(1),
            (':', None) if depth == 0 && !line[at..].starts_with(":=") => return (&line[..at], line[at + 1..].trim()),
            _ => {}
        }
    }
    (line, "")
}

/// A condition of readable length.
fn cut(condition: &str) -> String {
    match condition.char_indices().nth(LONGEST_CONDITION) {
        Some((at, _)) => format!("{} …", condition[..at].trim_end()),
        None => condition.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str = r#"def choose(kind):
    """If only.

    if it were code:
    """
    begin()
    if kind == "a":
        a()
    elif (kind ==
          "b"):
        b()
    else:
        c()
    if not kind: return early()
    try:
        late()
    except (KeyError, ValueError):
        rescue()
    for one in many:
        each()

    def inner():
        later()

    end()
"#;

    #[test]
    fn a_line_has_the_condition_under_which_it_runs() {
        let branches = Branches::of(CODE);
        let condition = |call: &str| {
            let at = CODE.lines().position(|line| line.contains(&format!("{call}()"))).expect("it stands there");
            branches.condition(u32::try_from(at + 1).expect("a short text"))
        };
        assert_eq!(condition("begin"), "");
        assert_eq!(condition("a"), "if `kind == \"a\"`");
        assert_eq!(condition("b"), "if `(kind == \"b\")`");
        assert_eq!(condition("c"), "otherwise");
        assert_eq!(condition("early"), "if `not kind`");
        assert_eq!(condition("late"), "");
        assert_eq!(condition("rescue"), "on `(KeyError, ValueError)`");
        assert_eq!(condition("each"), "in a loop");
        assert_eq!(condition("later"), "");
        assert_eq!(condition("end"), "");
    }

    #[test]
    fn lines_of_different_branches_exclude_each_other() {
        let branches = Branches::of(CODE);
        for (first, second) in [(8, 11), (8, 13), (11, 13)] {
            assert!(branches.exclude_each_other(first, second), "{first} {second}");
        }
        for (first, second) in [(6, 8), (8, 14), (13, 16), (14, 16), (14, 25), (16, 18), (18, 20), (20, 25)] {
            assert!(!branches.exclude_each_other(first, second), "{first} {second}");
        }
    }
}
