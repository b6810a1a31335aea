//! A context as comments or as Markdown, within a budget of tokens.
//!
//! Signatures come first, then docstrings, then sources: no piece is shown in full while the signature of another
//! lacks room. A class with more members than fit is cut to its first line, a function to its first lines. Nothing
//! comes twice: a piece inside a source that is shown is left out, and around a more wanted piece no source is shown.
//!
//! The pieces of a file stand below its path, those of a class together. A header has the first line of its piece, and
//! its parent unless the piece before has the same. It has the last line where the code does not tell it, and says that
//! a property is one. The only piece of a file stands behind its path if it is one line. Headers take less than a tenth
//! of a text that fills its budget. Beyond a tenth of the budget only pieces come in whose code is long for their
//! header. The least wanted with little code go where the share is larger in the end.

use std::iter;

use crate::{
    ask::context::tokens::tokens,
    model::EntityKind,
    query::{
        context::{ContextPiece, ContextReport, Reason},
        words,
    },
    render::escape::{elided, fence, visible, visible_path},
};

/// Headers take less than this part of a text, one by so many. With a twelfth a context offers fewer of the definitions
/// that new lines use: .76 for .79 on flask and click, 200 commits (`benches/context_use.py`).
const HEADERS: usize = 10;
/// Tokens of headers that a small budget has room for: it holds several pieces.
const LEAST_HEADERS: usize = 100;
/// In a text with fewer tokens, headers may take a larger part: a place that uses one constant has little to show.
const LEAST_TEXT: usize = 500;
/// A text fills its budget from this part of it on.
const FILLED: (usize, usize) = (9, 10);
/// A piece counts on no more than this part of the budget, one by so many.
const LARGEST: usize = 5;
/// The outline of a module takes no more than this part of the budget, one by so many.
const OUTLINE: usize = 3;
/// Fewest lines of a function whose end is left out.
const LEAST_LINES: usize = 5;

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
    /// The first lines of the source.
    Beginning,
    Whole,
}

/// A context within its budget.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FittedContext {
    pub text: String,
    pub tokens: usize,
    /// Pieces in the text, those inside the source of others included; the rest did not fit.
    pub pieces: usize,
    /// Tokens of the lines that only name a piece and its place.
    pub header_tokens: usize,
}

/// The text of as many pieces as fit `budget` tokens, by an upper estimate, with lines of about `longest` characters.
pub fn fitted(report: &ContextReport, style: Style, budget: usize, longest: usize) -> FittedContext {
    let short = |piece: &ContextPiece| ContextPiece {
        signature: match piece.kind {
            EntityKind::Module => outline(&elided(&piece.signature, longest), budget / OUTLINE),
            _ => elided(&piece.signature, longest),
        },
        source: piece.source.as_ref().map(|source| elided(source, longest)),
        ..piece.clone()
    };
    let pieces: Vec<ContextPiece> = report.pieces.iter().map(short).collect();
    let most_headers = (budget / HEADERS).max(LEAST_HEADERS);
    let mut parts: Vec<FittedPiece<'_>> = Vec::new();
    let most = |piece: &ContextPiece| {
        let [doc, whole] = [Extent::Doc, Extent::Whole].map(|extent| tokens(&code(piece, style, extent)));
        let part = budget / LARGEST;
        // Of a long function the first lines are shown, of a long class its signature.
        if whole <= part || piece.kind.is_callable() { doc.max(whole.min(part)) } else { doc }
    };
    let mut waiting: Vec<WaitingPiece<'_>> = pieces
        .iter()
        .enumerate()
        .map(|(rank, piece)| WaitingPiece { piece, rank, most: most(piece), fence: fence_of(piece) })
        .collect();
    // A piece whose code is long for its header lowers the share of the headers, so it comes in beyond their limit.
    let within_limit: HeaderLimit<'_> = &|headers, _| headers <= most_headers;
    let worth_it: HeaderLimit<'_> = &|headers, part| headers <= most_headers || part.header * HEADERS <= part.most;
    let mut covered = 0;
    for limit in [within_limit, worth_it] {
        loop {
            enter(&mut parts, &mut waiting, style, budget, limit);
            lengthen(&mut parts, style, budget);
            let inner = remove_inner(&mut parts);
            covered += inner;
            // The room of pieces that went is there for others.
            if inner == 0 {
                break;
            }
        }
    }
    begin(&mut parts, style, budget);
    // A piece that goes where there is room for all of them makes room for nothing.
    let has_room = |parts: &[FittedPiece<'_>]| cost(parts, style) * FILLED.1 < budget * FILLED.0;
    let all = (parts.clone(), covered);
    while let Some(at) = least_worth(&parts, style).filter(|_| !waiting.is_empty() || !has_room(&parts)) {
        parts.remove(at);
        lengthen(&mut parts, style, budget);
        covered += remove_inner(&mut parts);
        begin(&mut parts, style, budget);
    }
    // So does one whose loss leaves a text that is too short for the share.
    if has_room(&all.0) && header_tokens(&parts, style) * HEADERS >= tokens(&written(&parts, style)) {
        (parts, covered) = all;
    }
    let (text, header_tokens) = (written(&parts, style), header_tokens(&parts, style));
    debug_assert!(tokens(&text) <= budget);
    FittedContext { tokens: tokens(&text), pieces: parts.len() + covered, header_tokens, text }
}

/// The first lines of a module's outline that fit, and how many are left out.
fn outline(signature: &str, room: usize) -> String {
    let lines: Vec<&str> = signature.lines().collect();
    let first = |count: usize| match lines.len() - count {
        0 => signature.to_owned(),
        rest => format!("{}\n    … {rest} more", lines[..count].join("\n")),
    };
    let counts: Vec<usize> = (1..=lines.len()).collect();
    let fitting = counts.partition_point(|count| tokens(&first(*count)) <= room);
    first(fitting.max(1))
}

fn fence_of(piece: &ContextPiece) -> String {
    fence([&piece.signature, &piece.doc].into_iter().chain(&piece.source).map(String::as_str))
}

/// Shows as many first lines as fit of functions that do not fit.
fn begin(parts: &mut [FittedPiece<'_>], style: Style, budget: usize) {
    let mut room = budget.saturating_sub(cost(parts, style));
    for part in parts.iter_mut().filter(|part| part.extent != Extent::Whole) {
        let longer = beginning(part.piece, style, room + part.cost);
        if let Some(longer) = longer.filter(|longer| longer.cost > part.cost) {
            room = room + part.cost - longer.cost;
            part.show(longer);
        }
    }
}

/// The least wanted piece with little code for its header, while headers take too much of a text.
fn least_worth(parts: &[FittedPiece<'_>], style: Style) -> Option<usize> {
    let (text, all) = (tokens(&written(parts, style)), header_tokens(parts, style));
    if text < LEAST_TEXT || all * HEADERS < text {
        return None;
    }
    let is_little = |at: &usize| {
        let others = parts[..*at].iter().chain(&parts[at + 1..]);
        (all - header_tokens(others, style).min(all)) * HEADERS > parts[*at].cost
    };
    (0..parts.len()).filter(is_little).max_by_key(|at| parts[*at].rank)
}

/// Whether a piece may come in with which the headers take so many tokens.
type HeaderLimit<'a> = &'a dyn Fn(usize, &FittedPiece<'_>) -> bool;

/// Adds the signatures of waiting pieces as long as they and their headers fit.
fn enter<'r>(
    parts: &mut Vec<FittedPiece<'r>>,
    waiting: &mut Vec<WaitingPiece<'r>>,
    style: Style,
    budget: usize,
    limit: HeaderLimit<'_>,
) {
    let mut promised = 0;
    waiting.retain(|waiting| {
        let &WaitingPiece { piece, rank, most, .. } = waiting;
        if parts.iter().any(|part| part.holds(piece)) {
            return false;
        }
        let before = header_tokens(&*parts, style);
        let at = place(parts, piece);
        for extent in [Extent::Signature, Extent::Head] {
            parts.insert(
                at,
                FittedPiece { rank, most, fence: waiting.fence.clone(), ..FittedPiece::new(piece, style, extent) },
            );
            let cost = cost(parts, style);
            let taken = header_tokens(&*parts, style);
            parts[at].header = taken.saturating_sub(before);
            // More than the room that is left cannot be shown, and the pieces before count on a part of it.
            parts[at].most = most.min(budget.saturating_sub(cost + promised) + parts[at].cost);
            if cost <= budget && limit(taken, &parts[at]) {
                promised += parts[at].most.saturating_sub(parts[at].cost);
                return false;
            }
            parts.remove(at);
        }
        true
    });
}

/// Adds docstrings, then sources, as far as they fit.
fn lengthen(parts: &mut [FittedPiece<'_>], style: Style, budget: usize) {
    let mut room = budget.saturating_sub(cost(parts, style));
    let has_inner: Vec<bool> = parts
        .iter()
        .map(|outer| parts.iter().any(|inner| inner.rank < outer.rank && outer.is_around(inner.piece)))
        .collect();
    for extent in [Extent::Doc, Extent::Whole] {
        for (part, has_inner) in parts.iter_mut().zip(&has_inner).filter(|(part, _)| part.extent != Extent::Whole) {
            let has_more = match extent {
                Extent::Whole => part.piece.source.is_some() && !has_inner,
                // First lines say more than a docstring.
                _ => part.extent != Extent::Beginning && !part.piece.doc.is_empty(),
            };
            if !has_more {
                continue;
            }
            let longer = FittedPiece::new(part.piece, style, extent);
            if longer.cost <= room + part.cost {
                room = room + part.cost - longer.cost;
                part.show(longer);
            }
        }
    }
}

/// Removes the pieces inside a source that is shown, and counts them.
fn remove_inner(parts: &mut Vec<FittedPiece<'_>>) -> usize {
    let is_inner: Vec<bool> = parts.iter().map(|part| parts.iter().any(|outer| outer.holds(part.piece))).collect();
    let all = parts.len();
    let mut is_inner = is_inner.into_iter();
    parts.retain(|_| !is_inner.next().unwrap_or(false));
    all - parts.len()
}

/// A piece that is not in the text yet.
struct WaitingPiece<'r> {
    piece: &'r ContextPiece,
    /// 0 for the most wanted one.
    rank: usize,
    /// The tokens of all that it can show.
    most: usize,
    /// Longer than any in what it can show.
    fence: String,
}

/// A piece that fits, as it is written behind its header.
#[derive(Clone)]
struct FittedPiece<'r> {
    piece: &'r ContextPiece,
    extent: Extent,
    code: String,
    /// The tokens that its code adds to a text.
    cost: usize,
    rank: usize,
    /// The tokens by which it made the headers longer.
    header: usize,
    /// The tokens of all that it can show.
    most: usize,
    /// Longer than any in what it can show.
    fence: String,
}

impl<'r> FittedPiece<'r> {
    fn new(piece: &'r ContextPiece, style: Style, extent: Extent) -> Self {
        let code = code(piece, style, extent);
        let cost = added(&code);
        Self { piece, extent, cost, code, rank: 0, header: 0, most: cost, fence: String::new() }
    }

    /// Shows another extent of the same piece.
    fn show(&mut self, other: Self) {
        (self.extent, self.code, self.cost) = (other.extent, other.code, other.cost);
    }

    /// Whether the source of this piece is shown and the other piece is a part of it.
    fn holds(&self, inner: &ContextPiece) -> bool {
        self.extent == Extent::Whole && self.is_around(inner)
    }

    fn is_around(&self, inner: &ContextPiece) -> bool {
        let outer = self.piece;
        let is_within = outer.start_line <= inner.start_line && inner.end_line <= outer.end_line;
        let lines = |piece: &ContextPiece| piece.end_line.saturating_sub(piece.start_line);
        inner.path == outer.path && is_within && lines(inner) < lines(outer)
    }
}

/// As many lines of a function as fit, and how many are left out; `None` where that is no more than its head.
fn beginning(piece: &ContextPiece, style: Style, room: usize) -> Option<FittedPiece<'_>> {
    let source = piece.source.as_deref().filter(|_| piece.kind.is_callable())?;
    let lines: Vec<&str> = source.lines().collect();
    let first = |count: usize| {
        let last = lines[..count].iter().rfind(|line| !line.trim().is_empty()).copied().unwrap_or_default();
        let indent = last.len() - last.trim_start().len();
        let rest = format!("{:indent$}# … {}", "", words::count(lines.len() - count, "more line"));
        let source = Some(format!("{}\n{rest}", lines[..count].join("\n")));
        let code = code(&ContextPiece { source, ..piece.clone() }, style, Extent::Whole);
        FittedPiece {
            extent: Extent::Beginning,
            cost: added(&code),
            code,
            ..FittedPiece::new(piece, style, Extent::Head)
        }
    };
    let counts: Vec<usize> = (LEAST_LINES..lines.len()).collect();
    let fitting = counts.partition_point(|count| first(*count).cost <= room);
    Some(first(*counts.get(fitting.checked_sub(1)?)?))
}

/// Where a piece is written: the pieces of a file, and those of a class in it, stand together, so that both are said
/// once.
fn place(parts: &[FittedPiece<'_>], piece: &ContextPiece) -> usize {
    let last = |is_beside: &dyn Fn(&ContextPiece) -> bool| parts.iter().rposition(|part| is_beside(part.piece));
    let in_class = last(&|other| other.path == piece.path && parent(other) == parent(piece));
    in_class.or_else(|| last(&|other| other.path == piece.path)).map_or(parts.len(), |at| at + 1)
}

/// The text around the code of a piece.
#[derive(Default)]
struct PieceFrame {
    /// The path of its file, above the first piece of it.
    path: String,
    /// Begins the block of its file.
    opening: String,
    /// Where the piece stands in its file.
    label: String,
    /// Ends the block of its file.
    closing: String,
}

/// The frame of each piece.
fn frames<'p, 'r: 'p>(parts: impl IntoIterator<Item = &'p FittedPiece<'r>>, style: Style) -> Vec<PieceFrame> {
    let of_file = |file: &[&FittedPiece<'_>]| -> Vec<PieceFrame> {
        let parents = iter::once("").chain(file.iter().map(|part| parent(part.piece)));
        let frame = |(part, known): (&&FittedPiece<'_>, &str)| PieceFrame {
            label: label(part, known, style),
            ..PieceFrame::default()
        };
        let mut frames: Vec<PieceFrame> = file.iter().zip(parents).map(frame).collect();
        let path = visible_path(&file[0].piece.path);
        let is_short = file.len() == 1 && is_one_line(file[0].piece);
        if is_short && style == Style::LineComment {
            frames[0].label = frames[0].label.replacen("# ", &format!("# {path}:"), 1);
        } else if style == Style::LineComment {
            frames[0].path = format!("# {path}\n");
        } else {
            let fence = file.iter().map(|part| part.fence.as_str()).max().unwrap_or_default();
            frames[0].path = format!("{path}\n");
            frames[0].opening = format!("{fence}python\n");
            frames[file.len() - 1].closing = format!("{fence}\n\n");
        }
        frames
    };
    let parts: Vec<&FittedPiece<'_>> = parts.into_iter().collect();
    parts.chunk_by(|a, b| a.piece.path == b.piece.path).flat_map(of_file).collect()
}

/// The tokens of the text, by an upper estimate.
fn cost(parts: &[FittedPiece<'_>], style: Style) -> usize {
    let around = |frame: PieceFrame| [frame.path, frame.opening, frame.label, frame.closing];
    let around: String = frames(parts, style).into_iter().flat_map(around).collect();
    tokens(&around) + parts.iter().map(|part| part.cost).sum::<usize>()
}

/// The tokens that code adds to a text: the estimate of each whole text has one more. A space that begins the code may
/// join that of a header.
fn added(code: &str) -> usize {
    tokens(code) - 1 + usize::from(code.starts_with(' '))
}

/// The tokens that headers take of a text. The mark of a comment belongs to the code behind its header.
fn header_tokens<'p, 'r: 'p>(parts: impl IntoIterator<Item = &'p FittedPiece<'r>>, style: Style) -> usize {
    let frames = frames(parts, style);
    let marks = if style == Style::LineComment { frames.len() } else { 0 };
    let headers: String = frames.into_iter().flat_map(|frame| [frame.path, frame.label]).collect();
    tokens(&headers).saturating_sub(marks)
}

/// The pieces in their frames.
fn written(parts: &[FittedPiece<'_>], style: Style) -> String {
    let frames = frames(parts, style);
    let texts = frames
        .iter()
        .zip(parts)
        .flat_map(|(frame, part)| [frame.path.as_str(), &frame.opening, &frame.label, &part.code, &frame.closing]);
    texts.collect()
}

/// The code of a piece, with the end of its last line.
fn code(piece: &ContextPiece, style: Style, extent: Extent) -> String {
    let code = match &piece.source {
        Some(source) if extent == Extent::Whole => source.clone(),
        _ if extent == Extent::Head => piece.signature.lines().next().unwrap_or_default().to_owned(),
        _ if piece.doc.is_empty() || extent == Extent::Signature => piece.signature.clone(),
        _ => format!("{}\n    \"\"\"{}\"\"\"", piece.signature, piece.doc),
    };
    let code = dedented(&code);
    let code = code.trim_end();
    match style {
        Style::LineComment => {
            let lines = code.lines().map(|line| format!("# {line}").trim_end().to_owned());
            let mut text = lines.collect::<Vec<_>>().join("\n");
            // The header begins the first line.
            text.drain(..text.len().min(2));
            text + "\n"
        }
        Style::Markdown => format!("{code}\n"),
    }
}

/// Where a piece stands in its file, below one whose parent is `known`.
fn label(part: &FittedPiece<'_>, known: &str, style: Style) -> String {
    let piece = part.piece;
    let is_whole = matches!(part.extent, Extent::Beginning | Extent::Whole) || piece.reason == Reason::Usage;
    let mut label = format!("# {}", piece.start_line);
    // A module ends with its file.
    if !is_whole && piece.kind != EntityKind::Module && piece.end_line > piece.start_line {
        label += &format!("-{}", piece.end_line);
    }
    let parent = parent(piece);
    if parent != known {
        label += &if parent.is_empty() { " top level".to_owned() } else { format!(" in {}", visible(parent)) };
    }
    if !is_whole && piece.kind == EntityKind::Property {
        label += " property";
    }
    label + if style == Style::Markdown { "\n" } else { ": " }
}

/// Whether all that a piece can show is one line.
fn is_one_line(piece: &ContextPiece) -> bool {
    let is_line = |text: &str| text.lines().count() <= 1;
    piece.doc.is_empty() && is_line(&piece.signature) && piece.source.as_deref().is_none_or(is_line)
}

/// The class or function around a piece; empty at the top level. The first line of the piece has its own name.
fn parent(piece: &ContextPiece) -> &str {
    match piece.reason {
        // A piece of a definition, without its first line.
        Reason::Usage => &piece.qualified,
        _ => piece.qualified.rsplit_once('.').map_or("", |(parent, _)| parent),
    }
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
    use crate::{query::context::Reason, render::escape::MAX_LINE};

    fn fitted(report: &ContextReport, style: Style, budget: usize) -> FittedContext {
        super::fitted(report, style, budget, MAX_LINE)
    }

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
            copies: 0,
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
        let long = format!("def f(a, b):\n{}", "    return a + b\n".repeat(60));
        let mut report = report();
        report.pieces.iter_mut().for_each(|piece| piece.source = Some(long.clone()));
        let text = fitted(&report, Style::LineComment, 600).text;
        assert!(text.starts_with("# m.py\n# 0: def f(a, b):\n#     return a + b\n"), "{text}");
        assert!(text.contains("\n# 1-3: def f1(a, b)\n") && text.contains("\n# 2-4: def f2(a, b)\n"), "{text}");
        let whole = fitted(&report, Style::LineComment, 100_000).text;
        assert_eq!(whole.matches("return").count(), 20 * 60);
    }

    #[test]
    fn pieces_of_one_file_and_of_one_class_stand_together() {
        let mut report = report();
        report.pieces.truncate(4);
        report.pieces[1].path = "n.py".to_owned();
        report.pieces[0].qualified = "F.f0".to_owned();
        report.pieces[3].qualified = "F.f3".to_owned();
        let text = fitted(&report, Style::LineComment, 500).text;
        let headers: Vec<&str> = text.lines().filter(|line| !line.contains("    ")).collect();
        let expected = [
            "# m.py",
            "# 0 in F: def f0(a, b):",
            "# 3: def f3(a, b):",
            "# 2 top level: def f2(a, b):",
            "# n.py",
            "# 1: def f1(a, b):",
        ];
        assert_eq!(headers, expected);
    }

    #[test]
    fn a_piece_inside_a_source_that_is_shown_does_not_come_again() {
        let mut report = report();
        report.pieces.truncate(3);
        report.pieces[0].source = Some("class F:\n    def f1(a, b):\n        return a + b\n".to_owned());
        (report.pieces[0].start_line, report.pieces[0].end_line) = (1, 4);
        (report.pieces[2].start_line, report.pieces[2].end_line) = (9, 11);
        let text = fitted(&report, Style::LineComment, 500).text;
        assert_eq!(text.matches("def f1(a, b)").count(), 1, "{text}");
        assert!(text.contains("\n# 9: def f2(a, b)"), "{text}");
    }

    #[test]
    fn headers_take_less_than_a_tenth_of_the_text() {
        let mut report = report();
        for (number, piece) in (0..).zip(&mut report.pieces) {
            piece.path = format!("folder/{}.py", piece.name);
            let lines = number % 7 * 9;
            piece.source = Some(format!("{}:\n{}", piece.signature, "    return a + b\n".repeat(lines)));
        }
        for style in [Style::LineComment, Style::Markdown] {
            for budget in (1000..8000).step_by(500) {
                let fitted = fitted(&report, style, budget);
                assert!(fitted.header_tokens * 10 < fitted.tokens, "{style:?} {budget}: {fitted:?}");
                assert!(fitted.tokens > LEAST_TEXT && fitted.pieces > budget / 500, "{style:?} {budget}: {fitted:?}");
            }
        }
    }

    #[test]
    fn few_pieces_are_kept_however_little_code_stands_behind_their_headers() {
        let mut report = report();
        report.pieces.truncate(4);
        report.pieces.iter_mut().for_each(|piece| piece.source = None);
        assert_eq!(fitted(&report, Style::LineComment, 2000).pieces, 4);
    }

    #[test]
    fn pieces_stay_where_there_is_room_for_all() {
        let mut report = report();
        report.pieces.iter_mut().for_each(|piece| piece.source = None);
        let fitted = fitted(&report, Style::LineComment, 1500);
        assert!(fitted.tokens > LEAST_TEXT && fitted.header_tokens * HEADERS > fitted.tokens, "{fitted:?}");
        assert_eq!(fitted.pieces, report.pieces.len());
    }

    #[test]
    fn one_line_alone_stands_behind_its_path() {
        let mut report = report();
        report.pieces.truncate(2);
        for piece in &mut report.pieces {
            (piece.doc, piece.source, piece.kind) = (String::new(), None, EntityKind::Variable);
            piece.signature = "LIMIT = 3".to_owned();
            piece.end_line = piece.start_line;
        }
        report.pieces[1].path = "n.py".to_owned();
        report.pieces[1].qualified = "F.limit".to_owned();
        let text = fitted(&report, Style::LineComment, 500).text;
        assert_eq!(text, "# m.py:0: LIMIT = 3\n# n.py:1 in F: LIMIT = 3\n");
    }

    #[test]
    fn markdown_has_one_block_for_the_pieces_of_a_file() {
        let mut report = report();
        report.pieces.truncate(4);
        report.pieces[1].path = "n.py".to_owned();
        report.pieces[2].qualified = "F.f2".to_owned();
        let text = fitted(&report, Style::Markdown, 500).text;
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("    ")).collect();
        let expected = [
            "m.py",
            "````python",
            "# 0",
            "def f0(a, b):",
            "# 3",
            "def f3(a, b):",
            "# 2 in F",
            "def f2(a, b):",
            "````",
            "",
            "n.py",
            "````python",
            "# 1",
            "def f1(a, b):",
            "````",
            "",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_header_says_the_parent_of_a_use_and_the_property_whose_decorator_is_not_shown() {
        let mut report = report();
        report.pieces.truncate(2);
        report.pieces[0] = ContextPiece {
            qualified: "F.use".to_owned(),
            reason: Reason::Usage,
            signature: "f1(2, 3)".to_owned(),
            source: None,
            ..report.pieces[0].clone()
        };
        report.pieces[1].kind = EntityKind::Property;
        let whole = fitted(&report, Style::LineComment, 500).text;
        assert!(whole.contains("# 0 in F.use: f1(2, 3)\n"), "{whole}");
        assert!(whole.contains("# 1 top level: def f1(a, b):\n#     return"), "{whole}");
        report.pieces[1].source = None;
        let cut = fitted(&report, Style::LineComment, 500).text;
        assert!(cut.contains("# 1-3 top level property: def f1(a, b)\n"), "{cut}");
    }

    #[test]
    fn beyond_the_limit_of_headers_come_pieces_that_are_worth_theirs() {
        let mut report = report();
        for (number, piece) in (0..).zip(&mut report.pieces) {
            piece.path = format!("{}.py", piece.name);
            let lines = if number < 10 { 0 } else { 30 };
            piece.source = Some(format!("{}:\n{}", piece.signature, "    return a + b\n".repeat(lines)));
        }
        let fitted = fitted(&report, Style::LineComment, 2000);
        assert!(fitted.pieces > 10 && fitted.tokens > 1600, "{} {}", fitted.pieces, fitted.tokens);
        let header_tokens = fitted.header_tokens;
        assert!(header_tokens * HEADERS < 2 * fitted.tokens, "a tenth, and a tenth of the others: {header_tokens}");
    }

    #[test]
    fn the_end_of_a_function_that_does_not_fit_is_counted() {
        let mut report = report();
        report.pieces.truncate(1);
        report.pieces[0].source = Some(format!("    def f0(a, b):\n{}", "        a += b\n\n".repeat(50)));
        let text = fitted(&report, Style::LineComment, 100).text;
        let shown = text.lines().filter(|line| line.contains("a += b")).count();
        assert!(text.starts_with("# m.py\n# 0: def f0(a, b):\n#     a += b\n#\n"), "{text}");
        let left_out = 1 + 100 - (text.lines().count() - 2);
        assert!(shown > 5 && text.ends_with(&format!("\n#     # … {left_out} more lines\n")), "{text}");
    }

    #[test]
    fn the_best_piece_is_cut_before_it_is_left_out() {
        let mut report = report();
        report.pieces[0].signature = format!("class F(Base)\n{}", "    def member(self)\n".repeat(40));
        report.pieces[0].source = None;
        let text = fitted(&report, Style::LineComment, 60).text;
        assert!(text.starts_with("# m.py\n# 0-2: class F(Base)\n"), "{text}");
    }

    #[test]
    fn a_fence_is_longer_than_those_inside() {
        let mut report = report();
        report.pieces.truncate(1);
        report.pieces[0].source = None;
        assert!(fitted(&report, Style::Markdown, 100).text.contains("\n````python\n"));
    }

    #[test]
    fn a_header_says_where_a_piece_ends_unless_its_code_does() {
        let mut report = report();
        report.pieces.truncate(1);
        report.pieces[0].source = Some(format!("def f0(a, b):\n{}", "    return a + b\n".repeat(60)));
        report.pieces[0].end_line = 61;
        for (style, ends) in [(Style::LineComment, ": "), (Style::Markdown, "\n")] {
            for (budget, lines) in [(2000, "0"), (200, "0"), (40, "0-61")] {
                let text = fitted(&report, style, budget).text;
                assert!(text.contains(&format!("\n# {lines}{ends}def f0(a, b)")), "{text}");
            }
        }
    }

    #[test]
    fn headers_and_pieces_are_counted() {
        let fitted = fitted(&report(), Style::LineComment, 100);
        assert_eq!(fitted.pieces, fitted.text.matches(": def ").count());
        assert!((1..fitted.tokens).contains(&fitted.header_tokens), "{fitted:?}");
    }
}
