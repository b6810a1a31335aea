//! The answers behind the pages: each calls what a command calls, and gives its report as plain data.

use serde::Serialize;
use serde_json::{Value, json};

use super::{guard::Refusal, router::CHANGES};
use crate::{
    ask::{
        answer::{AnswerInputs, SearchFor, answer, changes::own::NotReviewed},
        reading::{plan::Hints, understand::understand},
    },
    error::{Failure, FailureKind},
    query::{
        impact::{ImpactOptions, ImpactReport, completeness::Completeness, walk::factors::Change},
        map::{MapOptions, map},
        navigate::{
            refs::refs,
            show::{asked_part, show},
        },
        search::{SearchOptions, Searcher},
        source::Sources,
        target::{Target, TargetMatch, likeliest::pick, look_up},
    },
    render::{
        escape::{visible, visible_source},
        page::{Frame, Links, Page, PageLink, impact as impact_page, review as review_page},
    },
    review::{Range, ReviewOptions, ReviewReport, ReviewedChange, definitions_since},
    store::read::Entity,
    tools::{
        Workspace,
        impact::reached,
        opening::privacy::privacy,
        review::{no_range, options, reviewed},
        target::{resolve, respelling},
    },
};

/// Hits on a page.
const HITS: usize = 20;
/// Definitions on the first page.
const OUTLINE: usize = 24;
/// Lines of source that one definition shows.
const MAX_LINES: usize = 600;
/// Rows of an answer whose source can be opened, and lines of each.
const MAX_OPEN: usize = 60;
const OPEN_LINES: u32 = 40;
/// Definitions of an ambiguous name to which an answer about another one links.
const MAX_OTHERS: usize = 8;

/// Values for a template.
pub(super) struct PageContent {
    /// The template.
    pub(super) template: &'static str,
    pub(super) title: String,
    pub(super) values: Value,
    pub(super) status: u16,
}

impl PageContent {
    fn new(template: &'static str, title: impl Into<String>, values: Value) -> Self {
        Self { template, title: title.into(), values: shown(values), status: 200 }
    }

    /// A request that is not answered.
    pub(super) fn refused(refusal: Refusal) -> Self {
        let title = match refusal.status {
            404 => "No such page",
            _ => "Not answered",
        };
        let values = json!({"message": refusal.reason, "hint": "", "candidates": []});
        Self { status: refusal.status, ..Self::new("serve-message.html.j2", title, values) }
    }

    /// A failure, with its next step.
    pub(super) fn failed(failure: &Failure) -> Self {
        let (status, title) = match failure.kind {
            FailureKind::Usage => (404, "No answer"),
            _ => (500, "The index cannot be used"),
        };
        let values = json!({"message": failure.message, "hint": failure.hint, "candidates": []});
        Self { status, ..Self::new("serve-message.html.j2", title, values) }
    }
}

/// The most used definitions, as `repoidx map` ranks them.
pub(super) fn home(workspace: &Workspace) -> Result<PageContent, Failure> {
    let options = MapOptions { limit: OUTLINE, ..MapOptions::default() };
    let report = map(workspace.store, &workspace.sources(), &options)?;
    Ok(PageContent::new("serve-home.html.j2", "repoidx", json!({"map": report})))
}

/// As `repoidx search`, with the vectors of the table in the binary.
pub(super) fn search(workspace: &Workspace, query: &str) -> Result<PageContent, Failure> {
    let title = format!("{query} · search");
    if query.is_empty() {
        let values = json!({"report": {"hits": [], "missing": []}, "query": ""});
        return Ok(PageContent::new("serve-search.html.j2", "Search", values));
    }
    let options = SearchOptions { limit: HITS, ..SearchOptions::default() };
    let mut report = Searcher::new(workspace.store)?.search(query, &options)?;
    report.missing.extend(workspace.staleness.map(|boundary| boundary.message.clone()));
    if workspace.config.text("embedder") != "static" {
        report.missing.push("pages compare meanings by the word table, and not by the embedder in the settings".into());
    }
    Ok(PageContent::new("serve-search.html.j2", title, json!({"report": report, "query": query})))
}

/// As `repoidx ask` without a language model.
pub(super) fn ask(workspace: &Workspace, question: &str) -> Result<PageContent, Failure> {
    if question.is_empty() {
        return Ok(PageContent::new("serve-ask.html.j2", "Ask", json!({"answer": null, "question": ""})));
    }
    let (store, sources) = (workspace.store, workspace.sources());
    let understood = understand(store, &sources, question, &Hints::default())?;
    let search: &SearchFor = &|question, options| Searcher::new(store)?.search(question, options);
    let git = |arguments: &[&str]| workspace.repo.ask_git(arguments).ok().flatten();
    let limits = workspace.limits();
    let changed = |base: &str| definitions_since(workspace.repo, store, base);
    let own_review = |change: &ReviewedChange| own_review(workspace, change);
    let privacy = || privacy(workspace.repo, store, workspace.config);
    let inputs = AnswerInputs {
        store,
        sources: &sources,
        search,
        limits: &limits,
        git: &git,
        changed: &changed,
        reviewed: &own_review,
        privacy: &privacy,
        part: Some(1),
    };
    let mut answer = answer(inputs, &understood)?;
    if let Some(boundary) = workspace.staleness {
        answer.bound(Completeness::LowerBound, [boundary.clone()]);
    }
    let mut values = data(&answer);
    with_sources(&mut values, &sources);
    let values = json!({"answer": values, "question": question});
    Ok(PageContent::new("serve-ask.html.j2", format!("{question} · ask"), values))
}

/// The review of a change of the user's own.
fn own_review(workspace: &Workspace, change: &ReviewedChange) -> Result<ReviewReport, NotReviewed> {
    let missing = |failure: Failure| NotReviewed { message: failure.message, hint: failure.hint };
    let range = Range::of(workspace.repo, change).map_err(|error| missing(no_range(error)))?;
    Ok(reviewed(workspace, &range, &options(workspace)).map_err(missing)?.0)
}

/// As `repoidx show`, `refs`, and the tests of `impact`.
pub(super) fn definition(workspace: &Workspace, name: &str, editor: &Links) -> Result<PageContent, Failure> {
    let (asked, part) = asked_part(workspace.store, name, "")?;
    let (target, others) = match one(workspace, &asked)? {
        Named::Target(target, others) => (target, others),
        Named::Several(page) => return Ok(page),
    };
    let sources = workspace.sources();
    let mut report = show(workspace.store, &sources, &target, part)?;
    let mut left_out = 0;
    let definitions = report.definitions.iter_mut().chain(&mut report.lines).map(|shown| &mut shown.source);
    for source in definitions.chain(report.free.iter_mut().map(|shown| &mut shown.source)) {
        let Some(source) = source else { continue };
        left_out += source.lines().count().saturating_sub(MAX_LINES);
        *source = source.lines().take(MAX_LINES).collect::<Vec<_>>().join("\n");
    }
    let references = refs(workspace.store, &sources, &target, false)?;
    let impact = affected(workspace, &sources, target, Change::Body)?;
    let title = report.target.name.clone();
    let values = json!({
        "show": report, "refs": references, "tests": impact.tests, "left_out": left_out, "name": name,
        "editor": editor.address(&report.target.path, report.target.line),
        "completeness": impact.completeness, "boundaries": impact.boundaries,
        "others": links("/definition", "", &others),
    });
    Ok(PageContent::new("serve-definition.html.j2", title, values))
}

/// A page with a script of its own, or a page that says why there is none.
pub(super) enum Picture {
    Page(Box<Page>),
    Words(PageContent),
}

/// As `repoidx impact --format html`.
pub(super) fn impact(workspace: &Workspace, name: &str, change: Change, frame: &Frame) -> Result<Picture, Failure> {
    let (target, others) = match one(workspace, name)? {
        Named::Target(target, others) => (target, others),
        Named::Several(page) => return Ok(Picture::Words(page)),
    };
    let sources = workspace.sources();
    let report = affected(workspace, &sources, target, change)?;
    let others = links("/impact", &format!("&change={}", change.as_str()), &others);
    Ok(Picture::Page(Box::new(Page { others, ..impact_page(&report, &sources, frame) })))
}

/// As `repoidx review --format html`.
pub(super) fn review(workspace: &Workspace, is_worktree: bool, frame: &Frame) -> Result<Picture, Failure> {
    let repo = workspace.repo;
    let range = if is_worktree { Range::worktree(repo, None) } else { Range::committed(repo, None) };
    let range = range.map_err(no_range)?;
    let options = ReviewOptions { with_chains: true, ..options(workspace) };
    let (report, sources) = reviewed(workspace, &range, &options)?;
    Ok(Picture::Page(Box::new(review_page(&report, &sources, frame))))
}

/// A change that the page of an impact offers.
#[derive(Serialize)]
pub(super) struct OfferedChange {
    pub(super) word: &'static str,
    /// Behind "if it".
    pub(super) gloss: &'static str,
}

/// The changes that an impact can be about.
pub(super) fn changes() -> [OfferedChange; 4] {
    CHANGES.map(|change| OfferedChange {
        word: change.as_str(),
        gloss: match change {
            Change::Signature | Change::Require | Change::KeywordOnly => "takes other arguments",
            Change::Rename => "is renamed",
            Change::Remove => "is removed",
            Change::Body => "changes",
        },
    })
}

/// The definition that a name means, with those that it passes over, or a page that lists all that it could mean.
enum Named {
    Target(Target, Vec<Entity>),
    Several(PageContent),
}

fn one(workspace: &Workspace, name: &str) -> Result<Named, Failure> {
    if name.is_empty() {
        return Err(Failure::usage("the address names no definition", "search for one"));
    }
    let respelled = respelling(workspace, name)?;
    let name = respelled.as_deref().unwrap_or(name);
    let TargetMatch::Ambiguous(candidates) = look_up(workspace.store, name, "")? else {
        return Ok(Named::Target(resolve(workspace, name)?, Vec::new()));
    };
    if let Some((target, others)) = pick(workspace.store, name, &candidates)? {
        return Ok(Named::Target(target, others));
    }
    let row = |entity: &Entity| {
        let (place, line) = (&entity.path, entity.record.line);
        json!({"name": entity.full_name(), "kind": entity.record.kind, "path": place, "line": line})
    };
    let rows: Vec<Value> = candidates.iter().map(row).collect();
    let message = format!("`{}` names {} definitions", visible(name), rows.len());
    let values = json!({"message": message, "hint": "", "candidates": rows});
    Ok(Named::Several(PageContent::new("serve-message.html.j2", "Several definitions", values)))
}

/// Links to the pages of definitions, by their places: a name may be that of several.
fn links(page: &str, rest: &str, entities: &[Entity]) -> Vec<PageLink> {
    let link = |entity: &Entity| {
        let place = format!("{}:{}", entity.path, entity.record.line);
        let name = percent_encoding::utf8_percent_encode(&place, percent_encoding::NON_ALPHANUMERIC);
        let address = format!("{page}?name={name}{rest}");
        PageLink { words: visible(&entity.full_name()).into_owned(), address, is_here: false }
    };
    entities.iter().take(MAX_OTHERS).map(link).collect()
}

fn affected(workspace: &Workspace, sources: &Sources, target: Target, change: Change) -> Result<ImpactReport, Failure> {
    let options = ImpactOptions { change, limits: workspace.limits(), ..ImpactOptions::default() };
    reached(workspace, sources, &[target], &options)
}

/// Adds the source behind the first rows of an answer, so that they open on the page.
fn with_sources(answer: &mut Value, sources: &Sources) {
    let blocks = answer["blocks"].as_array_mut().into_iter().flatten();
    let rows = blocks.filter_map(|block| block.get_mut("rows")?.as_array_mut()).flatten();
    for row in rows.filter(|row| row.is_object()).take(MAX_OPEN) {
        let line = |name: &str| row[name].as_u64().and_then(|line| u32::try_from(line).ok()).unwrap_or_default();
        let (first, last) = (line("line"), line("end_line"));
        let last = last.max(first).min(first.saturating_add(OPEN_LINES));
        let path = row["path"].as_str().unwrap_or_default();
        let source = if path.is_empty() || first == 0 { None } else { sources.shown_lines(path, first, last) };
        row["source"] = json!(source);
    }
}

fn data(report: &impl Serialize) -> Value {
    serde_json::to_value(report).expect("plain data has a JSON form")
}

/// The values with every text made safe to show; the template escapes markup.
fn shown(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(visible_source(&text).into_owned()),
        Value::Array(values) => values.into_iter().map(shown).collect(),
        Value::Object(values) => values.into_iter().map(|(name, value)| (name, shown(value))).collect(),
        value => value,
    }
}
