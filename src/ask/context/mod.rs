//! Chooses the source and the facts of a prompt, within a hard budget of tokens.
//!
//! The subject of the question comes before all others. Where it does not fit in full, it is cut behind a statement,
//! and no other definition shows a body. Any other that does not fit is shown by its outline, then by its head; if that
//! is too large, it is left out. Smaller definitions behind it may still fit. Nothing is shown twice: a method is part
//! of its class when the class is shown. A class takes the place of its methods when half of them are wanted.
//!
//! Headers take less than a tenth of a prompt: the least wanted pieces with little code for their header go.
//!
//! The result lists facts, source snippets by path and line, and a manifest of the included and the omitted
//! definitions. Repository text passes the guard first, so that the budget counts the text that is really sent.

mod cut;
pub mod headers;
pub mod lines;
pub mod tokens;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, Wanted,
            facts::{FactGroup, FactLine, groups, place, section_texts},
        },
        context::tokens::tokens,
    },
    model::{EntityId, EntityKind},
    query::source::alike::DifferentTexts,
    store::{Store, error::StoreError, read::Entity},
};

/// The reason for showing a definition that the question names.
const ASKED_ABOUT: &str = "asked about";
/// Headers take less than this part of a prompt, one by so many.
pub const HEADERS: usize = 10;
/// Share of the budget for facts, in percent, as long as snippets fill the rest.
const FACTS_SHARE: usize = 35;
/// The same in a prompt whose subject would not fit in full otherwise.
const LEAST_FACTS_SHARE: usize = 15;
/// Tokens around the pieces of a file: two fences and line ends.
const FILE_OVERHEAD: usize = 8;
/// Tokens around a piece: line ends.
const SNIPPET_OVERHEAD: usize = 3;
/// Tokens around a group or a line of facts.
const LINE_OVERHEAD: usize = 3;
/// Tokens between name, place and note of a definition in the manifest.
const ENTRY_OVERHEAD: usize = 4;
/// Tokens of the line that counts the omitted lines of a group.
const MORE_OVERHEAD: usize = 14;
/// Lines of each group that go before further ones of any.
const FIRST_LINES: usize = 3;
/// Share of the room for facts, in percent, that the groups which are the answer take before all others.
const ANSWER_SHARE: usize = 85;
/// Shortest line of facts, in tokens: with less room, no line is tried.
const SHORTEST_LINE: usize = 10;
/// After this many lines of a group did not fit, the rest of the group is not tried.
const MAX_MISSES: usize = 16;
/// Definitions that the manifest names as left out; further ones are only counted.
const MAX_LEFT_OUT: usize = 12;
/// The list of omitted definitions gets one part in eight of the budget.
const MANIFEST_PART: usize = 8;
const MAX_MANIFEST: usize = 260;
const MANIFEST_OVERHEAD: usize = 24;
/// Lines of a head after which it is cut.
const MAX_HEAD_LINES: usize = 30;

/// The filters between the repository's text and a prompt.
pub struct PrivacyGuard<'a> {
    /// Makes text safe: no secrets, no control characters.
    pub clean: &'a dyn Fn(&str) -> String,
    /// Files that must not be shown to a model.
    pub is_withheld: &'a dyn Fn(&str) -> bool,
    /// Percentage of the lines that make code a near copy of other code, which is left out.
    pub copy_lines: usize,
}

/// How much of a definition a prompt shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SnippetForm {
    Full,
    /// Its first statements.
    Part,
    /// Head and the heads of its members.
    Outline,
    /// Decorators, name and signature.
    Head,
}

/// A piece of source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ContextSnippet {
    pub name: String,
    /// The name below its module, which the path says already; a module has its whole name.
    pub qualified: String,
    pub kind: &'static str,
    pub path: String,
    pub start_line: u32,
    pub end_line: u32,
    pub form: SnippetForm,
    pub why: &'static str,
    pub text: String,
    /// The line above the piece: its place, kind and name.
    pub header: String,
    /// Its header names the path, and a block begins behind it.
    pub is_first_of_file: bool,
    pub is_last_of_file: bool,
}

/// The definitions that the prompt shows, and those that it leaves out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Manifest {
    pub included: Vec<ManifestEntry>,
    /// At most a dozen, fewer if the room is small.
    pub left_out: Vec<ManifestEntry>,
    pub left_out_more: usize,
    /// Lines of facts that did not fit.
    pub facts_left_out: usize,
    /// The prompt has room to say that definitions are left out.
    pub is_told: bool,
}

/// A definition in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ManifestEntry {
    pub name: String,
    pub place: String,
    /// The form in which it is shown, or why it is not.
    pub note: String,
}

/// The chosen context.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Context {
    pub facts: Vec<FactGroup>,
    pub snippets: Vec<ContextSnippet>,
    pub manifest: Manifest,
}

impl Context {
    /// The texts that come from the repository.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let of_group = |group| {
            let FactGroup { lines, title, .. }: &FactGroup = group;
            lines.iter().map(|line| &line.text).chain([title])
        };
        let lines = self.facts.iter().flat_map(of_group);
        let left_out = self.manifest.left_out.iter().flat_map(|entry| [&entry.name, &entry.place]);
        self.snippets.iter().map(|snippet| &snippet.text).chain(lines).chain(left_out).map(String::as_str)
    }

    /// The files that the pieces of source and the lines of facts come from.
    pub fn files(&self) -> BTreeSet<String> {
        let lines = self.facts.iter().flat_map(|group| &group.lines).flat_map(|line| &line.files);
        self.snippets.iter().map(|snippet| &snippet.path).chain(lines).cloned().collect()
    }
}

/// A form of a definition, its text without secrets, its cost in tokens, and the lines of the source that it shows.
type ShownForm = (SnippetForm, String, usize, usize);

/// A wanted definition on its way into the context.
struct WantedPiece {
    wanted: Wanted,
    /// The forms from largest to smallest, cleaned, each with its cost in tokens.
    forms: Vec<ShownForm>,
    chosen: Option<usize>,
    /// Its header would take too much of the prompt.
    is_barred: bool,
    /// The tokens of its header, at most.
    header: usize,
    /// The tokens of its path and of the block below it, which the pieces of a file share.
    file: usize,
}

/// Chooses the parts of `answer` that fit into `room` tokens, with at most `most_headers` tokens of headers. The first
/// piece is shown whatever its header costs.
pub fn assemble(
    reading: AnswerInputs,
    answer: &Answer,
    room: usize,
    most_headers: usize,
    guard: &PrivacyGuard,
) -> Result<Context, StoreError> {
    let mut manifest = Manifest::default();
    let mut left_out: Vec<ManifestEntry> = Vec::new();
    // The list of omitted definitions must fit the budget too.
    let reserve = (room / MANIFEST_PART).max(MANIFEST_OVERHEAD.min(room / 3)).min(MAX_MANIFEST);
    let room = room - reserve;
    let wanted = merged(reading.store, &answer.wanted)?;
    let mut pieces = Vec::new();
    let mut different = DifferentTexts::new(guard.copy_lines);
    for wanted in wanted {
        let path = &wanted.entity.path;
        if (guard.is_withheld)(path) {
            left_out.push(entry(&wanted.entity, "withheld by an ignore file"));
            continue;
        }
        let header =
            tokens(&(guard.clean)(&headers::longest(&wanted.entity, &within_file(&wanted.entity), wanted.why)))
                + SNIPPET_OVERHEAD;
        let file = tokens(&(guard.clean)(path)) + FILE_OVERHEAD;
        let forms = forms(reading, &wanted, header, guard)?;
        // Whoever asks about two copies wants to see both.
        let is_different = forms.first().is_none_or(|(_, full, ..)| different.keep(full));
        if !is_different && wanted.why != ASKED_ABOUT {
            left_out.push(entry(&wanted.entity, "nearly the same text as one that is wanted more"));
            continue;
        }
        pieces.push(WantedPiece { wanted, forms, chosen: None, is_barred: false, header, file });
    }
    let mut all = section_texts(reading, answer, guard.is_withheld);
    all.extend(groups(answer, guard.is_withheld));
    let share = if pieces.is_empty() { room } else { room * FACTS_SHARE / 100 };
    // A first filling of the facts only measures them; lists of members may become superfluous below.
    let (_, facts_cost) = filled(all.iter().filter(|group| group.members_of.is_none()), share, guard);
    let needed: usize = pieces.iter().filter(|piece| piece.is_subject()).map(WantedPiece::whole).sum();
    let most = needed.min(room - room * LEAST_FACTS_SHARE / 100);
    let used = choose_within(&mut pieces, room.saturating_sub(facts_cost).max(most), most_headers, guard);
    // Source that is shown includes the members, so their list would say the same again.
    let is_shown = |group: &&FactGroup| {
        let shows = |piece: &WantedPiece| {
            piece.chosen.is_some_and(|form| matches!(piece.forms[form].0, SnippetForm::Full | SnippetForm::Outline))
        };
        pieces.iter().any(|piece| Some(piece.wanted.entity.id) == group.members_of && shows(piece))
    };
    // Facts fill the room that the snippets leave.
    let (facts, _) = filled(all.iter().filter(|group| !is_shown(group)), room.saturating_sub(used), guard);
    manifest.facts_left_out = facts.iter().map(|group| group.left_out).sum();
    let snippets = snippets(&pieces, guard);
    for piece in &pieces {
        let entity = &piece.wanted.entity;
        match piece.chosen {
            Some(_) => {}
            None if is_covered(&pieces, entity, SnippetForm::Head) => {}
            None if piece.forms.is_empty() => left_out.push(entry(entity, "its file cannot be read")),
            None => left_out.push(entry(entity, "no room")),
        }
    }
    manifest.included = snippets
        .iter()
        .map(|snippet| ManifestEntry {
            name: snippet.name.clone(),
            place: place(&snippet.path, snippet.start_line, snippet.end_line),
            note: format!("{}, {}", snippet.form.as_str(), snippet.why),
        })
        .collect();
    let all = left_out.len();
    left_out.truncate(MAX_LEFT_OUT);
    let mut used = MANIFEST_OVERHEAD;
    left_out.retain_mut(|entry| {
        entry.name = (guard.clean)(&entry.name);
        entry.place = (guard.clean)(&entry.place);
        let cost = tokens(&entry.name) + tokens(&entry.place) + tokens(&entry.note) + LINE_OVERHEAD + ENTRY_OVERHEAD;
        let fits = used + cost <= reserve;
        used += if fits { cost } else { 0 };
        fits
    });
    manifest.left_out_more = all - left_out.len();
    manifest.is_told = all > 0 && reserve >= MANIFEST_OVERHEAD;
    manifest.left_out = left_out;
    Ok(Context { facts, snippets, manifest })
}

impl SnippetForm {
    /// The word in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Full => "in full",
            Self::Part => "in part",
            Self::Outline => "outline",
            Self::Head => "signature",
        }
    }
}

/// Chooses pieces until their headers take at most `most_headers` tokens, and returns the tokens of all.
fn choose_within(pieces: &mut [WantedPiece], room: usize, most_headers: usize, guard: &PrivacyGuard) -> usize {
    loop {
        let used = choose(pieces, room);
        if headers::header_tokens(&snippets(pieces, guard)) <= most_headers {
            return used;
        }
        let shown = |at: &usize| pieces[*at].chosen.is_some();
        let is_little = |at: &usize| {
            let piece = &pieces[*at];
            let header = piece.header + if is_alone(pieces, *at) { piece.file } else { 0 };
            piece.chosen.is_some_and(|form| header * HEADERS > piece.forms[form].2)
        };
        // Background goes before subjects, and the less wanted before the more wanted.
        let least = |at: &usize| (pieces[*at].wanted.is_background, *at);
        let Some(first) = (0..pieces.len()).filter(shown).min_by_key(least) else { return used };
        let others = || (0..pieces.len()).filter(shown).filter(|at| *at != first);
        let Some(at) = others().filter(is_little).max_by_key(least).or_else(|| others().max_by_key(least)) else {
            return used;
        };
        pieces[at].is_barred = true;
    }
}

impl WantedPiece {
    /// Whether the question asks about it.
    fn is_subject(&self) -> bool {
        self.wanted.why == ASKED_ABOUT && !self.wanted.is_background
    }

    /// The tokens that it takes in full.
    fn whole(&self) -> usize {
        self.forms.first().map_or(0, |(.., cost, _)| cost + self.file)
    }
}

/// Fits the subjects of the question first, then what else the answer is about, then the heads of their surroundings,
/// then larger forms while room remains. Unless the subjects are there in full, all others show their heads.
fn choose(pieces: &mut [WantedPiece], room: usize) -> usize {
    for piece in pieces.iter_mut() {
        piece.chosen = None;
    }
    // Of several subjects none takes the room of the others' heads.
    for index in 0..pieces.len() {
        let last = pieces[index].forms.len();
        if pieces[index].is_subject() && !pieces[index].is_barred {
            grow(pieces, index, last.saturating_sub(1)..last, room);
        }
    }
    for of_question in [true, false] {
        let is_cut = !of_question && has_cut_subject(pieces);
        for index in 0..pieces.len() {
            let piece = &pieces[index];
            let is_other = piece.is_barred || piece.wanted.is_background || piece.is_subject() != of_question;
            if is_other || is_inside(pieces, &piece.wanted.entity) {
                continue;
            }
            // Forms are sorted from largest to smallest, so the first that fits shows most.
            let all = piece.forms.len();
            grow(pieces, index, if is_cut { all.saturating_sub(1)..all } else { 0..all }, room);
        }
    }
    for index in 0..pieces.len() {
        let piece = &pieces[index];
        if piece.is_barred || !piece.wanted.is_background || is_inside(pieces, &piece.wanted.entity) {
            continue;
        }
        if let Some((form, ..)) = piece.forms.last()
            && !is_covered(pieces, &piece.wanted.entity, *form)
        {
            let last = piece.forms.len() - 1;
            grow(pieces, index, last..last + 1, room);
        }
    }
    let is_cut = has_cut_subject(pieces);
    for index in 0..pieces.len() {
        let piece = &pieces[index];
        // Only heads of the surroundings can grow; the subjects took their largest form already.
        let Some(chosen) = piece.chosen.filter(|_| piece.wanted.is_background) else { continue };
        if is_inside(pieces, &piece.wanted.entity) {
            // An outer piece has grown over this one in the meantime.
            pieces[index].chosen = None;
            continue;
        }
        if !is_cut {
            grow(pieces, index, 0..chosen, room);
        }
    }
    used(pieces)
}

/// Whether a function that the question asks about is not shown in full. A class has an outline, and the bodies that
/// matter may be those of its members.
fn has_cut_subject(pieces: &[WantedPiece]) -> bool {
    let mut functions = pieces.iter().filter(|piece| piece.wanted.entity.record.kind.is_callable());
    functions.any(|piece| {
        let is_whole = piece.chosen == Some(0) || is_inside(pieces, &piece.wanted.entity);
        piece.is_subject() && !piece.is_barred && !piece.forms.is_empty() && !is_whole
    })
}

/// Takes the first of these forms of a piece that fits, and drops the choices inside it.
fn grow(pieces: &mut [WantedPiece], index: usize, forms: std::ops::Range<usize>, room: usize) {
    let before = pieces[index].chosen.take();
    let others = used(pieces) + if is_alone(pieces, index) { pieces[index].file } else { 0 };
    let fitting = forms.into_iter().find(|form| others + pieces[index].forms[*form].2 <= room);
    pieces[index].chosen = fitting.or(before);
    if fitting.is_some() {
        drop_inner(pieces, index);
    }
}

/// The tokens of the chosen pieces, each file counted once.
fn used(pieces: &[WantedPiece]) -> usize {
    let mut files: BTreeMap<&str, usize> = BTreeMap::new();
    let mut used = 0;
    for piece in pieces {
        if let Some(form) = piece.chosen {
            files.insert(&piece.wanted.entity.path, piece.file);
            used += piece.forms[form].2;
        }
    }
    used + files.values().sum::<usize>()
}

/// Whether no other piece of its file is shown.
fn is_alone(pieces: &[WantedPiece], index: usize) -> bool {
    let path = &pieces[index].wanted.entity.path;
    let is_beside =
        |(at, piece): (usize, &WantedPiece)| at != index && piece.chosen.is_some() && piece.wanted.entity.path == *path;
    !pieces.iter().enumerate().any(is_beside)
}

/// Drops choices that lie inside a piece that is now shown in full.
fn drop_inner(pieces: &mut [WantedPiece], outer: usize) {
    let is_full = pieces[outer].chosen.is_some_and(|form| pieces[outer].forms[form].0 == SnippetForm::Full);
    if !is_full {
        return;
    }
    let outer_entity = pieces[outer].wanted.entity.clone();
    for (index, piece) in pieces.iter_mut().enumerate() {
        if index != outer && holds(&outer_entity, &piece.wanted.entity) {
            piece.chosen = None;
        }
    }
}

/// Whether a piece that is shown in full contains this entity.
fn is_inside(pieces: &[WantedPiece], entity: &Entity) -> bool {
    is_covered(pieces, entity, SnippetForm::Full)
}

/// Whether a shown piece already includes this entity in `form`: the whole source, or a head in an outline.
fn is_covered(pieces: &[WantedPiece], entity: &Entity, form: SnippetForm) -> bool {
    pieces.iter().any(|piece| {
        let shows = piece.chosen.is_some_and(|chosen| match piece.forms[chosen].0 {
            SnippetForm::Full => holds(&piece.wanted.entity, entity),
            SnippetForm::Outline => form == SnippetForm::Head && entity.parent == piece.wanted.entity.id,
            SnippetForm::Part | SnippetForm::Head => false,
        });
        shows && piece.wanted.entity.id != entity.id
    })
}

fn holds(outer: &Entity, inner: &Entity) -> bool {
    let (a, b) = (&outer.record, &inner.record);
    let is_within = a.start_line <= b.start_line && b.end_line <= a.end_line;
    outer.id != inner.id && outer.path == inner.path && is_within && (a.qualified.len() < b.qualified.len())
}

/// The wanted definitions, with a class in place of its methods where half of them are wanted.
fn merged(store: &Store, wanted: &[Wanted]) -> Result<Vec<Wanted>, StoreError> {
    let mut by_class: BTreeMap<EntityId, usize> = BTreeMap::new();
    for item in
        wanted.iter().filter(|item| matches!(item.entity.record.kind, EntityKind::Method | EntityKind::Property))
    {
        *by_class.entry(item.entity.parent).or_default() += 1;
    }
    let mut classes: BTreeMap<EntityId, Entity> = BTreeMap::new();
    for (class, count) in by_class {
        // A single method does not stand for its class.
        if count < 2 {
            continue;
        }
        let methods = store.children(class)?.iter().filter(|child| child.record.kind.is_callable()).count();
        if count * 2 >= methods
            && let Some(entity) = store.entity(class)?.filter(|entity| entity.record.kind == EntityKind::Class)
        {
            classes.insert(class, entity);
        }
    }
    let mut merged: Vec<Wanted> = Vec::new();
    for item in wanted {
        let entity = classes.get(&item.entity.parent).unwrap_or(&item.entity);
        match merged.iter_mut().find(|known| known.entity.id == entity.id) {
            // One wanted method that is a subject makes the whole class a subject.
            Some(known) => known.is_background &= item.is_background,
            None => merged.push(Wanted { entity: entity.clone(), ..item.clone() }),
        }
    }
    Ok(merged)
}

/// The forms in which a definition can be shown, largest first.
fn forms(
    reading: AnswerInputs,
    wanted: &Wanted,
    header: usize,
    guard: &PrivacyGuard,
) -> Result<Vec<ShownForm>, StoreError> {
    let entity = &wanted.entity;
    let record = &entity.record;
    let Some(full) = reading.sources.shown_lines(&entity.path, record.start_line, record.end_line) else {
        return Ok(Vec::new());
    };
    let lines = |text: &str| text.lines().count();
    let mut texts = vec![(SnippetForm::Full, full.clone(), lines(&full))];
    if wanted.why == ASKED_ABOUT && record.kind.is_callable() {
        let beginnings = cut::beginnings(&full).into_iter();
        texts.extend(beginnings.map(|(text, shown)| (SnippetForm::Part, text, shown)));
    }
    if matches!(record.kind, EntityKind::Class | EntityKind::Module) {
        // A module has no head of its own.
        let mut outline = if record.kind == EntityKind::Class { head(entity, &full) } else { String::new() };
        let indent = if record.kind == EntityKind::Class { "    " } else { "" };
        for child in reading.store.children(entity.id)? {
            outline.push_str(&member_line(&child, indent));
        }
        texts.push((SnippetForm::Outline, outline, lines(&full)));
    }
    if record.kind != EntityKind::Module {
        let head = head(entity, &full);
        let shown = lines(&head);
        texts.push((SnippetForm::Head, head, shown));
    }
    let mut forms: Vec<ShownForm> = Vec::new();
    for (form, text, shown) in texts {
        let text = (guard.clean)(text.trim_end_matches('\n'));
        // The fence must be longer than every run of backticks inside.
        let ticks = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let cost = tokens(&text) + header + ticks * 2;
        // A form that is not smaller than the one before would never be chosen.
        if forms.last().is_none_or(|(.., larger, _)| cost < *larger) && !text.trim().is_empty() {
            forms.push((form, text, cost, shown));
        }
    }
    Ok(forms)
}

/// The lines of a definition up to the colon that ends its head.
fn head(entity: &Entity, full: &str) -> String {
    let skipped = entity.record.line.saturating_sub(entity.record.start_line) as usize;
    let mut depth = 0_i32;
    let mut head = String::new();
    for (index, line) in full.lines().enumerate().take(MAX_HEAD_LINES) {
        head.push_str(line);
        head.push('\n');
        // Decorators precede the line that defines the name.
        if index < skipped {
            continue;
        }
        // A bracket or colon in a comment does not count.
        let code = line.split('#').next().unwrap_or(line);
        for c in code.chars() {
            depth += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
        }
        let ends = code.trim_end().ends_with(':') || entity.record.kind == EntityKind::Variable;
        // `def f(): return 1` has its body on the same line.
        if depth <= 0 && (ends || index >= skipped && code.contains(':') && !code.trim_end().ends_with(',')) {
            break;
        }
    }
    head
}

fn member_line(child: &Entity, indent: &str) -> String {
    let record = &child.record;
    let signature = &record.signature;
    match record.kind {
        EntityKind::Class => format!("{indent}class {}: ...  # line {}\n", record.name, record.start_line),
        EntityKind::Variable | EntityKind::Module | EntityKind::Document => {
            format!("{indent}{} = ...  # line {}\n", record.name, record.line)
        }
        EntityKind::Property => {
            format!("{indent}@property\n{indent}def {}{signature}: ...  # line {}\n", record.name, record.line)
        }
        EntityKind::Function | EntityKind::Method => {
            format!("{indent}def {}{signature}: ...  # line {}\n", record.name, record.line)
        }
    }
}

/// The name of a definition below its module; a module has its whole name.
fn within_file(entity: &Entity) -> String {
    if entity.record.qualified.is_empty() { entity.full_name() } else { entity.record.qualified.clone() }
}

/// The chosen pieces with their headers. A reader follows files from top to bottom, not by importance.
fn snippets(pieces: &[WantedPiece], guard: &PrivacyGuard) -> Vec<ContextSnippet> {
    let chosen = |piece: &WantedPiece| piece.chosen.map(|form| snippet(piece, form, guard));
    let mut snippets: Vec<ContextSnippet> = pieces.iter().filter_map(chosen).collect();
    snippets.sort_by(|a, b| (&a.path, a.start_line, &a.name).cmp(&(&b.path, b.start_line, &b.name)));
    headers::write(&mut snippets);
    snippets
}

fn snippet(piece: &WantedPiece, form: usize, guard: &PrivacyGuard) -> ContextSnippet {
    let entity = &piece.wanted.entity;
    let (form, text, _, lines) = &piece.forms[form];
    let lines = u32::try_from(*lines).unwrap_or(u32::MAX);
    let start_line = entity.record.start_line;
    let end_line = match form {
        SnippetForm::Part | SnippetForm::Head => start_line.saturating_add(lines.saturating_sub(1)),
        SnippetForm::Full | SnippetForm::Outline => entity.record.end_line,
    };
    ContextSnippet {
        name: (guard.clean)(&entity.full_name()),
        qualified: (guard.clean)(&within_file(entity)),
        kind: entity.record.kind.as_str(),
        path: (guard.clean)(&entity.path),
        start_line,
        end_line,
        form: *form,
        why: piece.wanted.why,
        text: text.clone(),
        header: String::new(),
        is_first_of_file: true,
        is_last_of_file: true,
    }
}

fn entry(entity: &Entity, note: &str) -> ManifestEntry {
    let record = &entity.record;
    let place = place(&entity.path, record.start_line, record.end_line);
    ManifestEntry { name: entity.full_name(), place, note: note.to_owned() }
}

/// As many lines of each group as fit, and their cost in tokens: first those of the groups that are the answer, then a
/// few of each, then the rest in their order.
fn filled<'g>(
    groups: impl Iterator<Item = &'g FactGroup>,
    room: usize,
    guard: &PrivacyGuard,
) -> (Vec<FactGroup>, usize) {
    // A name or a source line may contain line breaks; a line of facts may not.
    let one_line = |text: &str| (guard.clean)(text).replace('\n', " ");
    let mut used = 0;
    let mut filling: Vec<(FactGroup, std::slice::Iter<'g, FactLine>)> = groups
        .map(|group| {
            let left_out = group.left_out + group.lines.len();
            let comes_first = group.comes_first;
            let kept = FactGroup { left_out, comes_first, ..FactGroup::new(&one_line(&group.title), Vec::new()) };
            (kept, group.lines.iter())
        })
        .collect();
    let answer = room * ANSWER_SHARE / 100;
    for (of_answer, most, room) in [(true, usize::MAX, answer), (false, FIRST_LINES, room), (false, usize::MAX, room)] {
        for (kept, lines) in filling.iter_mut().filter(|(kept, _)| kept.comes_first || !of_answer) {
            let mut misses = 0;
            while kept.lines.len() < most && misses < MAX_MISSES && used + SHORTEST_LINE <= room {
                let Some(line) = lines.next() else { break };
                let line = FactLine { text: one_line(&line.text), files: line.files.clone() };
                // With the first line come the title and the line that counts omitted lines.
                let title = tokens(&kept.title) + LINE_OVERHEAD + MORE_OVERHEAD;
                let cost = tokens(&line.text) + LINE_OVERHEAD + if kept.lines.is_empty() { title } else { 0 };
                if used + cost > room {
                    misses += 1;
                    continue;
                }
                used += cost;
                misses = 0;
                kept.left_out -= 1;
                kept.lines.push(line);
            }
        }
    }
    let filled = filling.into_iter().map(|(mut kept, _)| {
        if kept.lines.is_empty() {
            kept.title.clear();
        }
        kept
    });
    (filled.collect(), used)
}
