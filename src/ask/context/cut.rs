//! A definition that is too large for a prompt, cut where a statement ends.

use crate::query::source::logical_lines::logical_lines;

/// Places at which one definition may be cut.
const MOST_CUTS: usize = 24;

/// The beginnings of a definition, the longest first: each ends with a statement and says how much is left out. The
/// number of lines of the source goes with each.
pub(super) fn beginnings(source: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = source.lines().collect();
    let statements = logical_lines(source);
    // Behind the head of a block its first statement must stand.
    let ends = statements.iter().filter(|one| !one.opens_block).map(|one| one.end as usize);
    let ends: Vec<usize> = ends.filter(|end| *end < lines.len()).collect();
    let step = ends.len().div_ceil(MOST_CUTS).max(1);
    let cut = |end: &usize| {
        let rest = lines.len() - end;
        let next = lines[*end..].iter().find(|line| !line.trim().is_empty()).copied().unwrap_or_default();
        let indent = &next[..next.len() - next.trim_start().len()];
        let more = if rest == 1 { "line" } else { "lines" };
        (format!("{}\n{indent}# … {rest} more {more}", lines[..*end].join("\n")), *end)
    };
    ends.iter().rev().step_by(step).map(cut).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_is_cut_behind_whole_statements() {
        let source = "def f(\n    a,\n):\n    \"\"\"Do it.\n\n    Well.\n    \"\"\"\n    b = [\n        a,\n    ]\n    if b:\n        \
                      return b\n    return a\n";
        let cuts: Vec<String> = beginnings(source).into_iter().map(|(text, _)| text).collect();
        let head = "def f(\n    a,\n):\n    \"\"\"Do it.\n\n    Well.\n    \"\"\"\n";
        assert_eq!(
            cuts,
            [
                format!("{head}    b = [\n        a,\n    ]\n    if b:\n        return b\n    # … 1 more line"),
                format!("{head}    b = [\n        a,\n    ]\n    # … 3 more lines"),
                format!("{head}    # … 6 more lines"),
            ]
        );
        let long = format!("def f():\n{}", "    g()\n".repeat(500));
        assert!(beginnings(&long).len() <= MOST_CUTS);
        assert!(beginnings("def f(): return 1\n").is_empty() && beginnings("").is_empty());
    }
}
