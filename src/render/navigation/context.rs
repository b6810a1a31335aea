//! A context as comments or as Markdown, within a budget of tokens.
//!
//! Signatures come first, then docstrings, then sources: no piece is shown in full while the signature of another lacks
//! room. A class with more members than fit is cut to its first line.

use crate::{
    ask::context::tokens::tokens,
    query::context::{ContextPiece, ContextReport},
    render::escape::{fence, visible, visible_path, visible_source},
};

/// How a context is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As comments of the language, to stand before code.
    LineComment,
    Markdown,
}

/// How much of a piece is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// The first line of the signature, without the members of a class.
    Head,
    Signature,
    /// With the first paragraph of its docstring.
    Doc,
    Whole,
}

/// A context within its budget.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FittedContext {
    pub text: String,
    pub tokens: usize,
    /// Pieces in the text; the others did not fit.
    pub pieces: usize,
    /// Tokens of the lines that only name a piece and its place.
    pub header_tokens: usize,
}

/// The text of as many pieces as fit `budget` tokens, by an upper estimate.
pub fn fitted(report: &ContextReport, style: Style, budget: usize) -> FittedContext {
    let mut parts: Vec<FittedPiece<'_>> = Vec::new();
    let mut room = budget;
    for piece in by_file(&report.pieces) {
        let header = header(piece, parts.last().map(|part| part.piece), style);
        let forms = [Extent::Signature, Extent::Head].into_iter().map(|extent| written(piece, &header, style, extent));
        let Some((cost, text)) = forms.map(|text| (tokens(&text), text)).find(|(cost, _)| *cost <= room) else {
            continue;
        };
        room -= cost;
        parts.push(FittedPiece { piece, header, text, cost });
    }
    for extent in [Extent::Doc, Extent::Whole] {
        for FittedPiece { piece, header, text, cost } in &mut parts {
            let more = match extent {
                Extent::Whole => piece.source.is_some(),
                _ => !piece.doc.is_empty(),
            };
            if !more {
                continue;
            }
            let longer = written(piece, header, style, extent);
            let longer_cost = tokens(&longer);
            if longer_cost <= room + *cost {
                room = room + *cost - longer_cost;
                (*text, *cost) = (longer, longer_cost);
            }
        }
    }
    let header_tokens = parts.iter().map(|part| tokens(&part.header)).sum();
    let text: String = parts.iter().map(|part| part.text.as_str()).collect();
    debug_assert!(tokens(&text) <= budget);
    FittedContext { tokens: tokens(&text), pieces: parts.len(), header_tokens, text }
}

/// A piece that fits, as it is written.
struct FittedPiece<'r> {
    piece: &'r ContextPiece,
    header: String,
    text: String,
    cost: usize,
}

/// The pieces with those of one file together, as long as they are there for one reason: their path is written once.
fn by_file(pieces: &[ContextPiece]) -> Vec<&ContextPiece> {
    let mut ordered: Vec<&ContextPiece> = Vec::new();
    for piece in pieces {
        let is_alike = |known: &&ContextPiece| known.reason == piece.reason && known.path == piece.path;
        let run = ordered.iter().rev().take_while(|known| known.reason == piece.reason).count();
        let at = ordered.iter().rposition(is_alike).filter(|at| at + run >= ordered.len());
        ordered.insert(at.map_or(ordered.len(), |at| at + 1), piece);
    }
    ordered
}

fn written(piece: &ContextPiece, header: &str, style: Style, extent: Extent) -> String {
    let code = match &piece.source {
        Some(source) if extent == Extent::Whole => dedented(source),
        _ if extent == Extent::Head => piece.signature.lines().next().unwrap_or_default().to_owned(),
        _ if piece.doc.is_empty() || extent == Extent::Signature => piece.signature.clone(),
        _ => format!("{}\n    \"\"\"{}\"\"\"", piece.signature, piece.doc),
    };
    match style {
        Style::LineComment => {
            let mut text = header.to_owned();
            for line in visible_source(&code).lines() {
                text.push_str(format!("# {line}").trim_end());
                text.push('\n');
            }
            text
        }
        Style::Markdown => {
            let fence = fence([code.as_str()]);
            format!("{header}{fence}python\n{}\n{fence}\n\n", visible_source(&code).trim_end())
        }
    }
}

/// The line that says where a piece stands and why it is there. Comments leave out what the piece before it says too.
fn header(piece: &ContextPiece, before: Option<&ContextPiece>, style: Style) -> String {
    let (path, line, reason) = (visible_path(&piece.path), piece.start_line, piece.reason.as_str());
    if style == Style::Markdown {
        return format!("`{}` ({reason}), {path}:{line}\n\n", visible(within_file(piece)));
    }
    let in_file = before.filter(|before| before.path == piece.path);
    let mut header = if in_file.is_some() { format!("# line {line}") } else { format!("# Path: {path}:{line}") };
    let (parent, known) = (parent(piece), in_file.map(parent));
    if known.unwrap_or_default() != parent {
        header += &if parent.is_empty() { ", top level".to_owned() } else { format!(" in {}", visible(parent)) };
    }
    if before.is_none_or(|before| before.reason != piece.reason) {
        header += &format!(" ({reason})");
    }
    header + "\n"
}

/// The name of a piece below its module, which the path says already; a module has its whole name.
fn within_file(piece: &ContextPiece) -> &str {
    if piece.qualified.is_empty() { &piece.name } else { &piece.qualified }
}

/// The class or function around a piece; empty at the top level. The first line of the piece has its own name.
fn parent(piece: &ContextPiece) -> &str {
    piece.qualified.rsplit_once('.').map_or("", |(parent, _)| parent)
}

/// The lines without their common indentation.
fn dedented(source: &str) -> String {
    let indent =
        source.lines().filter(|line| !line.trim().is_empty()).map(|line| line.len() - line.trim_start().len()).min();
    let indent = indent.unwrap_or(0);
    source.lines().map(|line| line.get(indent..).unwrap_or("").to_owned() + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::EntityKind, query::context::Reason};

    fn report() -> ContextReport {
        let piece = |number: u32| ContextPiece {
            name: format!("m.f{number}"),
            qualified: format!("f{number}"),
            kind: EntityKind::Function,
            path: "m.py".to_owned(),
            start_line: number,
            end_line: number + 2,
            reason: Reason::Defined,
            signature: format!("def f{number}(a, b)"),
            doc: "Adds `a` and ```b```.".to_owned(),
            source: Some(format!("    def f{number}(a, b):\n        return a + b\n")),
        };
        ContextReport {
            schema: "repoidx.context",
            schema_version: 1,
            path: "n.py".to_owned(),
            line: 1,
            inside: None,
            pieces: (0..20).map(piece).collect(),
        }
    }

    #[test]
    fn no_budget_is_exceeded_in_any_style() {
        for style in [Style::LineComment, Style::Markdown] {
            for budget in (0..800).step_by(7) {
                assert!(tokens(&fitted(&report(), style, budget).text) <= budget);
            }
        }
    }

    #[test]
    fn first_lines_go_before_whole_sources() {
        let text = fitted(&report(), Style::LineComment, 80).text;
        assert!(text.starts_with("# Path: m.py:0 (used here)\n# def f0(a, b)\n# line 1\n"), "{text}");
        let whole = fitted(&report(), Style::LineComment, 10_000).text;
        assert!(whole.contains("# def f19(a, b):\n#     return a + b\n"), "{whole}");
    }

    #[test]
    fn pieces_of_one_file_stand_together_as_long_as_they_serve_one_purpose() {
        let mut report = report();
        report.pieces.truncate(4);
        report.pieces[1].path = "n.py".to_owned();
        report.pieces[2].qualified = "F.f2".to_owned();
        report.pieces[3].reason = Reason::Nearby;
        let text = fitted(&report, Style::LineComment, 500).text;
        let headers: Vec<&str> =
            text.lines().filter(|line| line.contains("Path:") || line.contains("# line")).collect();
        assert_eq!(
            headers,
            ["# Path: m.py:0 (used here)", "# line 2 in F", "# Path: n.py:1", "# Path: m.py:3 (nearby)"]
        );
    }

    #[test]
    fn the_best_piece_is_cut_before_it_is_left_out() {
        let mut report = report();
        report.pieces[0].signature = format!("class F(Base)\n{}", "    def member(self)\n".repeat(40));
        let text = fitted(&report, Style::LineComment, 60).text;
        assert!(text.starts_with("# Path: m.py:0 (used here)\n# class F(Base)\n# line 1\n"), "{text}");
    }

    #[test]
    fn a_fence_is_longer_than_those_inside() {
        let mut report = report();
        report.pieces.truncate(1);
        report.pieces[0].source = None;
        assert!(fitted(&report, Style::Markdown, 100).text.contains("\n````python\n"));
    }

    #[test]
    fn headers_and_pieces_are_counted() {
        let fitted = fitted(&report(), Style::LineComment, 100);
        let is_header = |line: &&str| line.starts_with("# Path") || line.starts_with("# line");
        let headers: usize = fitted.text.lines().filter(is_header).count();
        assert_eq!(fitted.pieces, headers);
        assert!((1..fitted.tokens).contains(&fitted.header_tokens), "{fitted:?}");
    }
}
