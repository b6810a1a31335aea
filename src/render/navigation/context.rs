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
    let mut parts: Vec<Option<(String, usize)>> = Vec::new();
    let mut room = budget;
    for piece in &report.pieces {
        let forms = [Extent::Signature, Extent::Head].into_iter().map(|extent| written(piece, style, extent));
        let part = forms.map(|text| (tokens(&text), text)).find(|(cost, _)| *cost <= room);
        room -= part.as_ref().map_or(0, |(cost, _)| *cost);
        parts.push(part.map(|(cost, text)| (text, cost)));
    }
    for extent in [Extent::Doc, Extent::Whole] {
        for (piece, part) in report.pieces.iter().zip(&mut parts) {
            let Some((text, cost)) = part else { continue };
            let more = match extent {
                Extent::Whole => piece.source.is_some(),
                _ => !piece.doc.is_empty(),
            };
            if !more {
                continue;
            }
            let longer = written(piece, style, extent);
            let longer_cost = tokens(&longer);
            if longer_cost <= room + *cost {
                room = room + *cost - longer_cost;
                (*text, *cost) = (longer, longer_cost);
            }
        }
    }
    let shown: Vec<(&ContextPiece, &String)> =
        report.pieces.iter().zip(&parts).filter_map(|(piece, part)| Some((piece, &part.as_ref()?.0))).collect();
    let header_tokens = shown.iter().map(|(piece, _)| tokens(&header(piece, style))).sum();
    let text: String = shown.iter().map(|(_, part)| part.as_str()).collect();
    debug_assert!(tokens(&text) <= budget);
    FittedContext { tokens: tokens(&text), pieces: shown.len(), header_tokens, text }
}

fn written(piece: &ContextPiece, style: Style, extent: Extent) -> String {
    let code = match &piece.source {
        Some(source) if extent == Extent::Whole => dedented(source),
        _ if extent == Extent::Head => piece.signature.lines().next().unwrap_or_default().to_owned(),
        _ if piece.doc.is_empty() || extent == Extent::Signature => piece.signature.clone(),
        _ => format!("{}\n    \"\"\"{}\"\"\"", piece.signature, piece.doc),
    };
    let header = header(piece, style);
    match style {
        Style::LineComment => {
            let mut text = header;
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

/// The line that names a piece, its place and why it is there.
fn header(piece: &ContextPiece, style: Style) -> String {
    let place = format!("{}:{}", visible_path(&piece.path), piece.start_line);
    let (name, reason) = (visible(within_file(piece)), piece.reason.as_str());
    match style {
        Style::LineComment => format!("# Path: {place} {name} ({reason})\n"),
        Style::Markdown => format!("`{name}` ({reason}), {place}\n\n"),
    }
}

/// The name of a piece without its module, which the path says already.
fn within_file(piece: &ContextPiece) -> &str {
    let path = piece.path.strip_suffix(".py").unwrap_or(&piece.path);
    let path = path.strip_suffix("/__init__").unwrap_or(path);
    let module = path.rsplit('/').next().unwrap_or(path);
    let (mark, name) = (format!(".{module}."), &piece.name);
    let own = name.find(&mark).map(|at| &name[at + mark.len()..]);
    own.or_else(|| name.strip_prefix(&mark[1..])).unwrap_or(name)
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
        assert!(text.starts_with("# Path: m.py:0 f0 (used here)\n# def f0(a, b)"), "{text}");
        let whole = fitted(&report(), Style::LineComment, 10_000).text;
        assert!(whole.contains("# def f19(a, b):\n#     return a + b\n"), "{whole}");
    }

    #[test]
    fn the_best_piece_is_cut_before_it_is_left_out() {
        let mut report = report();
        report.pieces[0].signature = format!("class F(Base)\n{}", "    def member(self)\n".repeat(40));
        let text = fitted(&report, Style::LineComment, 60).text;
        assert!(text.starts_with("# Path: m.py:0 f0 (used here)\n# class F(Base)\n# Path"), "{text}");
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
        let headers: usize = fitted.text.lines().filter(|line| line.starts_with("# Path")).count();
        assert_eq!(fitted.pieces, headers);
        assert!((1..fitted.tokens).contains(&fitted.header_tokens), "{fitted:?}");
    }
}
