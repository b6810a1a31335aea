//! `repoidx search`.

mod imports;
mod rerank;

use std::{
    borrow::Cow,
    collections::BTreeSet,
    io::Read,
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use regex::Regex;

use crate::{
    cli::{
        Global,
        changes::changed_since,
        embedding::{self, Meaning},
        notes::Notes,
        session::Session,
        size::Size,
        standing::{Standing, command},
        values::{Plain, filters::FilterOptions, fraction, positive},
    },
    error::Failure,
    lang::language_of,
    query::{
        impact::selection::reader_of,
        search::{FilesReport, Hit, MergeRule, SearchField, SearchOptions, SearchReport, SearchText},
        source::Sources,
        target::{
            filter::{Filter, ListOrder},
            place,
        },
    },
    render::{
        escape::visible,
        json,
        navigation::search::{BatchLine, FilesLine, definitions, files_text, text},
        to_stdout,
        words::argument,
    },
    texts::{documents::markup_of, secrets::without_secrets},
};

/// Find the definitions that a question is about
///
/// A question may be words, names or code. Definitions that it names come first, then those that fit its words and
/// their meaning. Nothing leaves the machine unless you chose a remote embedder.
#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// The words, name, code or whole text to look for (- for standard input); without it, the filters alone choose the
    /// definitions
    #[arg(conflicts_with = "queries")]
    query: Option<String>,
    /// Answer the questions in FILE (- for standard input), one {"id","query"} a line, with one {"id","hits"} a line
    #[arg(long, value_name = "FILE")]
    queries: Option<PathBuf>,
    /// Read the query as a regular expression over full names; plain text is a part of a name
    #[arg(long, conflicts_with_all = ["queries", "explain"])]
    regex: bool,
    /// Most hits
    #[arg(short = 'k', long, value_name = "N", default_value = "10", value_parser = positive::<u16>)]
    limit: u16,
    /// Look into one PART of definitions alone
    #[arg(long, value_name = "PART", conflicts_with = "regex")]
    field: Option<FieldName>,
    /// List files in place of definitions; the query may be a whole issue, a log or a traceback
    #[arg(long, conflicts_with_all = ["regex", "field", "near", "per_file", "sort", "count"])]
    files: bool,
    /// Prefer definitions near PLACE: a file, or file.py:LINE
    #[arg(long, value_name = "PLACE", conflicts_with_all = ["regex", "field"])]
    near: Option<String>,
    /// Leave out hits with less than this share of the best one's score, from 0 to 1; one called like the query stays
    #[arg(long, value_name = "SHARE", value_parser = fraction, conflicts_with_all = ["regex", "files", "rerank"])]
    min_score: Option<f64>,
    /// Most hits of one file [default: the setting `per_file`, else any number]
    #[arg(long, value_name = "N", value_parser = positive::<u16>)]
    per_file: Option<u16>,
    /// Merge hits into their class, if they are half of its functions, or into their file, if it is short
    #[arg(long, conflicts_with_all = ["regex", "field", "files"])]
    merge: bool,
    /// Let the language model that you chose order the hits and leave out those that do not help; one request. Without
    /// a model that answers, the hits keep their order, and a note says so
    #[arg(long, value_name = "BY", conflicts_with_all = ["regex", "files", "queries"])]
    rerank: Option<RerankName>,
    /// The order of definitions that filters alone choose
    #[arg(long, value_name = "ORDER", default_value = "place", conflicts_with = "query")]
    sort: SortName,
    /// Print the number of definitions that the filters choose; a property with its setter is one
    #[arg(long, conflicts_with_all = ["query", "queries", "repo"])]
    count: bool,
    /// Only files in this LANGUAGE (python, markdown, rst, text, html, tex, notebook); may be given several times
    #[arg(long, value_name = "LANGUAGE")]
    language: Vec<String>,
    /// Only files that differ from REV, uncommitted changes included
    #[arg(long, value_name = "REV")]
    changed_since: Option<String>,
    /// Say how each hit was found
    #[arg(long)]
    explain: bool,
    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Plain,
    #[command(flatten)]
    size: Size,
    #[command(flatten)]
    filters: FilterOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FieldName {
    Name,
    /// By words and by meaning
    Docstring,
    Body,
    /// String literals, with values filled in too
    Literal,
    Comment,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RerankName {
    /// The provider and the model of the settings
    Llm,
}

impl FieldName {
    fn field(self) -> SearchField {
        match self {
            Self::Name => SearchField::Name,
            Self::Docstring => SearchField::Docstring,
            Self::Body => SearchField::Body,
            Self::Literal => SearchField::Literal,
            Self::Comment => SearchField::Comment,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SortName {
    /// By path and line
    Place,
    Name,
    /// Most lines first
    Size,
    /// Most references first
    Uses,
    /// Most branches first
    Complexity,
    /// Most members first
    Members,
    /// Most parameters first
    Parameters,
    /// Most direct subclasses first
    Subclasses,
}

/// A line of a file of questions.
#[derive(serde::Deserialize)]
struct BatchQuestion {
    id: serde_json::Value,
    query: String,
}

pub(crate) fn run(args: &SearchArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    let questions = match &args.queries {
        Some(path) => Some(questions(path)?),
        None => None,
    };
    let typed = args.query.as_deref().unwrap_or_default();
    let read;
    let query = if typed == STANDARD_INPUT {
        read = standard_input()?;
        read.as_str()
    } else {
        typed
    };
    args.filters.check_tests()?;
    if args.filters.asks_for_imports() {
        return imports::run(args, query, global, notes);
    }
    if questions.is_none() && query.trim().is_empty() {
        let filter = args.filters.filter();
        if args.query.is_some() || filter.is_empty() {
            return Err(Failure::usage(
                "the query is empty",
                "repoidx search 'parse a date', or a filter such as --is async",
            ));
        }
        return list(args, &filter, global, notes);
    }
    if args.rerank.is_some() && global.repo.len() > 1 {
        return Err(Failure::usage(
            "a model orders the hits of one repository",
            "repoidx search --repo DIR --rerank llm",
        ));
    }
    if args.explain && matches!(args.field, Some(FieldName::Literal | FieldName::Comment)) {
        return Err(Failure::usage(
            "literals and comments are compared as text, which has no ranks to explain",
            "repoidx search --field docstring --explain 'parse a date'",
        ));
    }
    let mut opened = Vec::new();
    for (name, global) in global.each() {
        let mut session = Session::open(&global, notes)?;
        args.size.apply(&mut session);
        // Filling vectors writes to the index.
        let may_write = !global.no_update && session.config.flag("update");
        let meaning = match args.field {
            None | Some(FieldName::Docstring) if !args.regex => embedding::meaning(&mut session, may_write)?,
            _ => Meaning::default(),
        };
        opened.push((name, session, meaning));
    }
    let mut searchers = Vec::new();
    for (name, session, meaning) in &opened {
        args.filters.check_paths(session)?;
        let filter = args.filters.beyond_places();
        let fitting = filter.map(|filter| reader_of(&session.store, &filter)?.set(&filter)).transpose()?;
        let options = SearchOptions {
            text: SearchText::Question,
            limit: usize::from(args.limit) * if args.rerank.is_some() { rerank::CANDIDATES } else { 1 },
            kinds: args.filters.kind.iter().flat_map(|kind| kind.kinds()).copied().collect(),
            paths: args.filters.paths.clone(),
            only: only(args, session)?,
            fitting,
            per_file: args.per_file.map(usize::from).or(session.config.number("per_file")).unwrap_or(0),
            near: near(args, session)?,
            merge: args.merge.then(|| MergeRule {
                members_percent: session.config.number("merge_members").unwrap_or(usize::MAX),
                file_lines: session.config.number("merge_lines").unwrap_or(0),
            }),
            explain: args.explain,
        };
        searchers.push((name, session, meaning.searcher(&session.store)?, options));
    }
    let sources: Vec<Sources> = searchers.iter().map(|(_, session, ..)| session.sources()).collect();
    let found = |query: &str| -> Result<SearchReport, Failure> {
        let mut reports = Vec::new();
        for ((name, session, searcher, options), sources) in searchers.iter().zip(&sources) {
            let mut report = match args.field {
                Some(field) => searcher.in_field(query, field.field(), options)?,
                None if args.regex => searcher.matching(&pattern(query)?, options)?,
                None => {
                    let lines = |path: &str, first, last| sources.lines(path, first, last);
                    searcher.search_without_copies(query, options, &lines)?
                }
            };
            if matches!(args.field, Some(FieldName::Literal | FieldName::Comment)) {
                report.hits.iter_mut().for_each(|hit| mask(hit, sources));
            }
            report.missing.extend(session.staleness.as_ref().map(|boundary| boundary.message.clone()));
            for hit in &mut report.hits {
                hit.repository.clone_from(name);
            }
            reports.push(report);
        }
        let mut report = merged(reports, searchers[0].3.limit);
        if let Some(share) = args.min_score {
            report.keep_above(share);
        }
        Ok(report)
    };
    let found_files = |query: &str| -> Result<FilesReport, Failure> {
        let mut reports = Vec::new();
        for (name, session, searcher, options) in &searchers {
            let mut report = searcher.files(query, options)?;
            report.missing.extend(session.staleness.as_ref().map(|boundary| boundary.message.clone()));
            for file in &mut report.files {
                file.repository.clone_from(name);
            }
            reports.push(report);
        }
        Ok(merged_files(reports, args.limit.into()))
    };
    let screen = &opened[0].1.screen;
    if args.files {
        let Some(questions) = questions else {
            let report = found_files(query)?;
            let standing = standing(&opened);
            let closing = standing.closing(asked(args, global, query));
            return Ok(to_stdout(|out| match args.format {
                Plain::Json => json::document(out, &standing.with(&report), screen),
                Plain::Text => files_text(out, &report, closing, screen),
            })?);
        };
        return to_stdout(|out| {
            for BatchQuestion { id, query } in &questions {
                let FilesReport { files, missing, .. } = found_files(query)?;
                json::line(out, &FilesLine { id, files: &files, missing: &missing })?;
            }
            Ok::<(), Failure>(())
        });
    }
    let Some(questions) = questions else {
        let mut report = found(query)?;
        if let Some((RerankName::Llm, (_, session, _))) = args.rerank.zip(opened.first()) {
            rerank::rerank(&mut report, session, args.limit.into(), notes);
        }
        let standing = standing(&opened);
        let closing = standing.closing(asked(args, global, query));
        to_stdout(|out| match args.format {
            Plain::Json => json::document(out, &standing.with(&report), screen),
            Plain::Text => text(out, &report, closing, screen),
        })?;
        if args.field.is_some() && report.hits.is_empty() {
            notes.note(&format!("`repoidx search {}` looks in all parts of definitions", argument(query)));
        }
        return Ok(());
    };
    to_stdout(|out| {
        for BatchQuestion { id, query } in &questions {
            let SearchReport { hits, missing, .. } = found(query)?;
            json::line(out, &BatchLine { id, hits: &hits, missing: &missing })?;
        }
        Ok::<(), Failure>(())
    })
}

/// Replaces secrets in the literal or comment of a hit. Its lines may say what the value is: `password = "…"`.
fn mask(hit: &mut Hit, sources: &Sources) {
    let more = u32::try_from(hit.doc.lines().count().saturating_sub(1)).unwrap_or(0);
    let lines = sources.lines(&hit.path, hit.start_line, hit.start_line + more).unwrap_or_default();
    let shown = sources.shown_lines(&hit.path, hit.start_line, hit.start_line + more).unwrap_or_default();
    if shown != lines {
        shown.trim().clone_into(&mut hit.doc);
    } else if let Cow::Owned(clean) = without_secrets(&hit.doc) {
        hit.doc = clean;
    }
}

/// The query that stands for the text on standard input.
const STANDARD_INPUT: &str = "-";

/// The text on standard input; bytes that are not UTF-8 are replaced.
fn standard_input() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).map_err(|error| {
        Failure::usage(format!("reading standard input: {error}"), "repoidx search --files - < issue.md")
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The commit of the answer; several repositories have no one commit.
fn standing(opened: &[(Option<String>, Session, Meaning)]) -> Standing {
    match opened {
        [(_, session, _)] => Standing::of(session),
        _ => Standing::default(),
    }
}

/// The path of the file that hits should be near.
fn near(args: &SearchArgs, session: &Session) -> Result<Option<String>, Failure> {
    let Some(text) = &args.near else { return Ok(None) };
    let path = place(text).map_or(text.as_str(), |(path, _)| path);
    match session.file_path(path)? {
        Some(path) => Ok(Some(path)),
        None => Err(Failure::usage(format!("`{}` is not in the index", visible(path)), "repoidx status")),
    }
}

/// Lists the definitions that filters alone choose.
fn list(args: &SearchArgs, filter: &Filter, global: &Global, notes: Notes) -> Result<(), Failure> {
    if global.repo.len() > 1 {
        return Err(Failure::usage(
            "filters without a query look into one repository",
            "repoidx search --repo DIR --is async",
        ));
    }
    let mut session = Session::open(global, notes)?;
    args.filters.check_paths(&session)?;
    args.size.apply(&mut session);
    let sort = match args.sort {
        SortName::Place => ListOrder::Place,
        SortName::Name => ListOrder::Name,
        SortName::Size => ListOrder::Size,
        SortName::Uses => ListOrder::Uses,
        SortName::Complexity => ListOrder::Complexity,
        SortName::Members => ListOrder::Members,
        SortName::Parameters => ListOrder::Parameters,
        SortName::Subclasses => ListOrder::Subclasses,
    };
    let only = only(args, &session)?;
    let report = reader_of(&session.store, filter)?.report(filter, sort, only.as_deref())?;
    if args.count && args.format == Plain::Text {
        return Ok(to_stdout(|out| writeln!(out, "{}", report.definitions.len()))?);
    }
    let standing = Standing::of(&session);
    let closing = standing.closing(asked(args, global, ""));
    to_stdout(|out| match args.format {
        Plain::Json => json::document(out, &standing.with(&report), &session.screen),
        Plain::Text => definitions(out, &report, closing, &session.screen),
    })?;
    Ok(())
}

/// Characters of a query that a printed command repeats.
const LONGEST_ECHO: usize = 200;

/// The command of this search.
fn asked(args: &SearchArgs, global: &Global, query: &str) -> String {
    // A whole issue in a command would hide the options behind it.
    let is_long = query.chars().count() > LONGEST_ECHO || query.contains('\n');
    let echo =
        if is_long { args.query.as_deref().filter(|typed| *typed == STANDARD_INPUT).unwrap_or("…") } else { query };
    let mut command = command(global, "search", echo);
    if args.regex {
        command += " --regex";
    }
    command += &args.filters.typed();
    for language in &args.language {
        command += &format!(" --language {}", argument(language));
    }
    if let Some(rev) = &args.changed_since {
        command += &format!(" --changed-since {}", argument(rev));
    }
    if let Some(field) = args.field.and_then(|field| field.to_possible_value()) {
        command += &format!(" --field {}", field.get_name());
    }
    if let Some(near) = &args.near {
        command += &format!(" --near {}", argument(near));
    }
    if args.files {
        command += " --files";
    }
    if args.merge {
        command += " --merge";
    }
    if args.rerank.is_some() {
        command += " --rerank llm";
    }
    if let Some(share) = args.min_score {
        command += &format!(" --min-score {share}");
    }
    if let Some(most) = args.per_file {
        command += &format!(" --per-file {most}");
    }
    if query.is_empty() {
        if let Some(sort) = args.sort.to_possible_value().filter(|_| args.sort != SortName::Place) {
            command += &format!(" --sort {}", sort.get_name());
        }
        return command;
    }
    format!("{command} -k {}", args.limit)
}

/// Merges the hits of several repositories by score. Each repository keeps its own order; of equal scores the
/// repository named first wins.
fn merged(mut reports: Vec<SearchReport>, limit: usize) -> SearchReport {
    let mut all = reports.remove(0);
    if reports.is_empty() {
        return all;
    }
    let mut lists = vec![std::mem::take(&mut all.hits)];
    for report in reports {
        lists.push(report.hits);
        all.missing.extend(report.missing);
        all.more += report.more;
    }
    all.missing.dedup();
    let left_out;
    (all.hits, left_out) = interleaved(lists, |hit| hit.score, limit);
    // Without a cut in any repository, the lists are complete and need no count.
    if all.more > 0 {
        all.more += left_out;
    }
    all
}

/// The best of several lists, and the number of the others. Each list keeps its own order.
fn interleaved<T>(lists: Vec<Vec<T>>, score: impl Fn(&T) -> f64, limit: usize) -> (Vec<T>, usize) {
    let mut lists: Vec<_> = lists.into_iter().map(|list| list.into_iter().peekable()).collect();
    let mut chosen = Vec::new();
    while chosen.len() < limit {
        let heads = lists.iter_mut().enumerate().filter_map(|(at, list)| Some((at, score(list.peek()?))));
        let best = heads.fold(None, |best: Option<(usize, f64)>, next| match best {
            Some(best) if best.1 >= next.1 => Some(best),
            _ => Some(next),
        });
        let Some(one) = best.and_then(|(at, _)| lists[at].next()) else { break };
        chosen.push(one);
    }
    (chosen, lists.into_iter().map(Iterator::count).sum())
}

/// Merges the files of several repositories by score; of equal scores the repository named first wins.
fn merged_files(mut reports: Vec<FilesReport>, limit: usize) -> FilesReport {
    let mut all = reports.remove(0);
    let mut lists = vec![std::mem::take(&mut all.files)];
    for report in reports {
        lists.push(report.files);
        all.missing.extend(report.missing);
    }
    all.missing.dedup();
    (all.files, _) = interleaved(lists, |file| file.score, limit);
    all
}

/// The paths that remain after filtering by revision and language; `None` for all.
fn only(args: &SearchArgs, session: &Session) -> Result<Option<Vec<String>>, Failure> {
    let changed = args.changed_since.as_deref().map(|rev| changed_since(session, rev)).transpose()?;
    if args.language.is_empty() {
        return Ok(changed);
    }
    let files = session.store.files()?.into_iter().map(|(_, file)| file.path);
    let documents = session.store.documents()?.into_iter().map(|(_, document)| document.path);
    let all: Vec<(String, &str)> = files
        .chain(documents)
        .filter_map(|path| {
            let language = language_of(&path).map(|language| language.name).or_else(|| markup_of(&path))?;
            Some((path, language))
        })
        .collect();
    let known: BTreeSet<&str> = all.iter().map(|(_, language)| *language).collect();
    if let Some(wrong) = args.language.iter().find(|language| !known.contains(language.as_str())) {
        let known = known.into_iter().collect::<Vec<_>>().join(", ");
        return Err(Failure::usage(format!("nothing here is in the language `{wrong}`"), format!("there is {known}")));
    }
    let mut paths: Vec<String> = all
        .into_iter()
        .filter(|(_, language)| args.language.iter().any(|l| l == language))
        .map(|(path, _)| path)
        .collect();
    paths.retain(|path| changed.as_ref().is_none_or(|changed| changed.contains(path)));
    paths.sort();
    Ok(Some(paths))
}

fn pattern(text: &str) -> Result<Regex, Failure> {
    Regex::new(text).map_err(|error| Failure::usage(error.to_string(), "repoidx search --regex 'Cart\\.(add|total)$'"))
}

fn questions(path: &Path) -> Result<Vec<BatchQuestion>, Failure> {
    let place = path.display();
    let text = if place.to_string() == "-" {
        std::io::read_to_string(std::io::stdin())
    } else {
        std::fs::read_to_string(path)
    };
    let text = text.map_err(|error| {
        Failure::usage(format!("reading {place}: {error}"), "a file with one {\"id\",\"query\"} a line")
    })?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_str(line).map_err(|error| {
                Failure::usage(
                    format!("{place}, line {number}: {error}"),
                    "each line is like {\"id\":1,\"query\":\"…\"}",
                )
            })
        })
        .collect()
}
