//! Impact as text: the verdict, direct dependents with their source lines, further ones, tests, and limits.
//!
//! Where the budget does not hold every dependent, further ones are counted by module with the most probable of each.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    model::{EntityKind, Evidence, RelationshipKind},
    query::{
        impact::{
            CallSite, ImpactReport, Impacted,
            completeness::{Completeness, no_limit_known},
            verdict::Verdict,
            walk::factors::Change,
        },
        target::described::Described,
        words::count,
    },
    render::{
        escape::visible,
        impact::{described, steps::step_lines},
        screen::{Ink, Screen},
        sheet::{
            Budget, Closing, Limit, Row, SOURCE_WIDTH, Section, Sheet, WIDTH,
            completeness::{completeness_word, limits},
            line::{Line, cut, wrapped},
            listed,
        },
        words::{MAYBE, VERY_LIKELY, argument, kind_note, likelihood, short},
    },
};

/// Ids of tests that the line with the command names instead of asking the index for them.
const MAX_IDS: usize = 3;
/// Files of tests in the widest list of them, in lines.
const MAX_TEST_LINES: usize = 3;
/// Digits of a commit in a line.
const SHORT_COMMIT: usize = 7;
/// Direct dependents that stand above those further away, however many there are.
const LEAST_DIRECT: usize = 4;
/// Calls that break, which are shown before anything else gets room.
const MOST_BROKEN: usize = 20;

/// The places of two sections in the sheet.
pub(crate) const DIRECT: usize = 3;
pub(super) const FURTHER: usize = 4;

/// Everything that the text needs besides the report.
pub struct View<'v> {
    /// Reads a line of a source file.
    pub source_line: &'v dyn Fn(&str, u32) -> Option<String>,
    /// Names the files behind each limit.
    pub has_details: bool,
    pub(crate) closing: Closing,
}

impl<'v> View<'v> {
    /// A view for an answer within another one.
    pub(crate) fn within(report: &ImpactReport, source_line: &'v dyn Fn(&str, u32) -> Option<String>) -> Self {
        let command = command(report);
        Self { source_line, has_details: false, closing: Closing { command, ..Closing::default() } }
    }
}

/// The command that gives the report.
pub(crate) fn command(report: &ImpactReport) -> String {
    let names: Vec<String> = if report.targets.is_empty() {
        vec![argument(&report.target.name)]
    } else {
        report.targets.iter().map(|target| argument(&target.name)).collect()
    };
    let change = match report.change {
        Change::Body => String::new(),
        change => format!(" --change {}", change.as_str()),
    };
    let param = report.param.as_ref().map_or_else(String::new, |param| format!(" --param {}", argument(param)));
    format!("repoidx impact {}{change}{param}", names.join(" "))
}

/// The whole answer.
pub(crate) fn sheet(report: &ImpactReport, view: &View, screen: &Screen) -> Sheet {
    let is_possible = |row: &&&Impacted| row.evidence == Evidence::Possible;
    let (possible, found): (Vec<&Impacted>, Vec<&Impacted>) = report.impacted.iter().partition(|row| is_possible(&row));
    let (mut direct, mut further): (Vec<&Impacted>, Vec<&Impacted>) =
        found.into_iter().partition(|row| row.distance == 1);
    // Tests have a list of their own, so other code comes first.
    direct.sort_by_key(|row| row.is_test);
    further.sort_by_key(|row| (row.distance, row.is_test));
    // Most of them are in the lists below, each with its place.
    let is_listed = |broken: &&Described| report.impacted.iter().any(|row| row.name == broken.name);
    let breaking: Vec<Described> = report.breaking.iter().filter(|broken| !is_listed(broken)).cloned().collect();
    let mut sections = vec![
        changed_section("changed", &report.targets),
        changed_section("breaks or may break with it", &breaking),
        call_sites(report),
    ];
    sections.push(Section { least: LEAST_DIRECT, ..direct_section(&direct, view, screen) });
    sections.push(further_section("further away", &further));
    sections
        .push(Section { least: 1, ..further_section("only possible: no more than a name fits on the way", &possible) });
    sections.push(tests(report, view));
    let has_details = view.has_details || screen.budget == Budget::All;
    let name = report.is_of_one().then_some(report.target.name.as_str());
    let (boundaries, is_short) = limits(&report.boundaries, has_details, name);
    let likelihood = judgement_line(report).map(|text| Limit { line: Line::of(text), ..Limit::default() });
    let limits = likelihood.into_iter().chain(seen_in_runs(report)).chain(boundaries).collect();
    Sheet { head: head(report), sections, limits, is_short, closing: view.closing.clone(), ..Sheet::default() }
}

/// The verdict, and the id of each test.
pub(crate) fn tests_alone(report: &ImpactReport, view: &View, screen: &Screen) -> Sheet {
    let ids: Vec<&str> = report.tests.iter().map(String::as_str).collect();
    Sheet { sections: vec![id_section(&ids)], ..sheet(report, view, screen) }
}

/// A row for each id of a test.
pub(crate) fn id_section(ids: &[&str]) -> Section {
    let file = |id: &str| id.split("::").next().unwrap_or_default().to_owned();
    let row = |id: &&str| Row::new(vec![Line::of("  ").text(visible(id))]).in_group(&file(id));
    Section::new(tests_title(ids), ids.iter().map(row).collect())
}

/// How likely the list is to be complete, with reasons against it as far as they fit on a line.
///
/// The model was fitted to functions that tests run. Where no test is listed it would only say that one is missing.
pub(crate) fn judgement_line(report: &ImpactReport) -> Option<String> {
    if let Some(run) = report.completeness_judgement.as_ref().and_then(|judgement| judgement.run.as_ref()) {
        return Some(format!("complete: as far as the tests that ran at {} show", short_commit(run)));
    }
    let has_limit = report.completeness == Completeness::LowerBound && !no_limit_known(&report.boundaries);
    let is_judged = has_limit && !report.tests.is_empty();
    let judgement = report.completeness_judgement.as_ref().filter(|_| is_judged)?;
    let (own, wide) = (percent(judgement.probability), percent(judgement.with_improbable));
    let wide = if own == wide { String::new() } else { format!(", {wide} with the improbable ones") };
    let with_reasons = |number: usize| {
        let against = judgement.reasons[..number].join(", ");
        let against = if against.is_empty() { against } else { format!("; against it: {against}") };
        format!("complete: {own}{wide}, judged by other projects' tests{against}")
    };
    let texts = (0..=judgement.reasons.len()).rev().map(with_reasons);
    texts.into_iter().find(|text| text.chars().count() <= WIDTH)
}

/// The same in two words; `None` where no test is listed.
pub(crate) fn judgement_word(report: &ImpactReport) -> Option<String> {
    let judgement = report.completeness_judgement.as_ref().filter(|_| !report.tests.is_empty())?;
    Some(format!("complete: {}", percent(judgement.probability)))
}

/// How many tests a run showed, and how many of them the source does not show.
fn seen_in_runs(report: &ImpactReport) -> Option<Limit> {
    let seen: Vec<&Impacted> = report.impacted.iter().filter(|row| row.seen.is_some()).collect();
    let commit = seen.first()?.seen.as_deref()?;
    let alone =
        seen.iter().filter(|row| row.via.first().is_some_and(|via| via.kind == RelationshipKind::Tests)).count();
    let alone = if alone > 0 { format!(", {alone} of them only by that") } else { String::new() };
    let tests = count(seen.len(), "test");
    let text = format!("{tests} known to run it by a run at {}{alone}", short_commit(commit));
    Some(Limit { line: Line::of(text), ..Limit::default() })
}

fn short_commit(commit: &str) -> &str {
    commit.get(..SHORT_COMMIT).unwrap_or(commit)
}

/// A probability for people; nothing is certain.
fn percent(probability: f64) -> String {
    format!("{:.0}%", (probability * 100.0).clamp(1.0, 99.0))
}

/// The verdict in one line, and the definition that it is about.
fn head(report: &ImpactReport) -> Vec<Line> {
    let full = |name: &str| match report.targets.len() {
        0 if !report.is_of_one() => "what was removed".to_owned(),
        0 | 1 if report.target.kind == EntityKind::Module && report.target.definitions > 1 => {
            format!("the package `{name}` ({} modules)", report.target.definitions)
        }
        0 | 1 => format!("`{name}`"),
        number => count(number, "definition"),
    };
    let verdict = |name: &str| {
        let what = full(name);
        let param = report.param.as_ref().map(|param| format!("parameter `{}` of ", visible(param)));
        let param = param.unwrap_or_default();
        if report.impacted.is_empty() && report.breaking.is_empty() {
            return nothing(report, &format!("{param}{what}"));
        }
        let (verb, end) = match report.change {
            Change::Signature if param.is_empty() => ("changing the signature of", ""),
            change => change.verb(),
        };
        format!("{verb}{end} {param}{what} {}; {}", report.extent(), report.tests_to_run())
    };
    // A lower bound that counts something says so before the number.
    let (ink, word) = completeness_word(report.completeness, &report.boundaries);
    let word = word.to_owned();
    let end = match report.completeness {
        Completeness::LowerBound if no_limit_known(&report.boundaries) => {
            Some((ink, judgement_word(report).unwrap_or(word)))
        }
        Completeness::LowerBound if report.impacted.is_empty() => Some((ink, "there may be some".to_owned())),
        Completeness::LowerBound => None,
        Completeness::Exact | Completeness::Unknown => Some((ink, word)),
    };
    let room = WIDTH - end.as_ref().map_or(0, |(_, word)| word.len() + 2);
    let visible_name = visible(&report.target.name);
    let names = [short(&visible_name), visible_name.rsplit('.').next().unwrap_or_default()];
    let fitting = names.iter().map(|name| verdict(name)).find(|text| text.chars().count() <= room);
    let text = fitting.unwrap_or_else(|| cut(&verdict(names[1]), room));
    let first = Line::default().ink(Ink::Heading, text);
    let first = match end {
        Some((ink, word)) => first.text("; ").ink(ink, word),
        None => first,
    };
    let mut head = vec![first];
    if report.is_of_one() {
        head.extend(described(&report.target));
    }
    head
}

/// Why nothing is listed, since a bare "nothing" would hide the unresolved.
fn nothing(report: &ImpactReport, what: &str) -> String {
    let sites = report.call_sites.len();
    if sites > 0 {
        return format!("a change of {what} concerns none of {}", count(sites, "call"));
    }
    if !report.tests.is_empty() {
        return format!("{what} is a test: nothing refers to it; {}", report.tests_to_run());
    }
    let unresolved = if no_limit_known(&report.boundaries) { ", no unresolved occurrence of the name" } else { "" };
    format!("no reference to {what} found{unresolved}")
}

/// Definitions from which the impact is counted, if there are several.
fn changed_section(title: &str, targets: &[Described]) -> Section {
    let rows = targets.iter().map(|target| {
        let mut lines = described(target);
        lines.truncate(1);
        Row::new(lines).in_group(&target.path)
    });
    Section::new(format!("{title} ({})", targets.len()), rows.collect())
}

/// The calls and their arguments for the parameter in question, the worst first.
fn call_sites(report: &ImpactReport) -> Section {
    let Some(param) = &report.param else { return Section::default() };
    let mut sites: Vec<&CallSite> = report.call_sites.iter().collect();
    // Calls that pass it come first.
    sites.sort_by_key(|site| (site.verdict, site.passes.is_none() && !site.is_hidden));
    let rows = sites.into_iter().map(|site| {
        let passes = cut(&visible(&site.passing()), SOURCE_WIDTH);
        let line = Line::of("  ").ink(Ink::Name, visible(&site.name)).text("  ").place(&site.path, site.line);
        let verdict = site.verdict.map(|verdict| format!("  {}: {}", verdict.as_str(), visible(&site.reason)));
        Row::new(vec![line.text(format!("  {passes}{}", verdict.unwrap_or_default()))]).in_group(&site.path)
    });
    let title = format!("calls and what they pass for `{}`", visible(param));
    let section = Section::new(title, rows.collect());
    // The calls that break are the answer.
    let broken = report.call_sites.iter().filter(|site| site.verdict == Some(Verdict::Breaks)).count();
    Section { least: broken.clamp(LEAST_DIRECT, MOST_BROKEN), ..section }
}

/// Direct dependents, each with its line of source.
fn direct_section(rows: &[&Impacted], view: &View, screen: &Screen) -> Section {
    let detailed = screen.budget.most_rows();
    let (code, tested): (Vec<&Impacted>, Vec<&Impacted>) = rows.iter().partition(|row| !row.is_test);
    let row = |(at, row): (usize, &&Impacted)| {
        let mut lines = vec![dependent(row)];
        if at < detailed {
            lines.extend(source_of(row, view).map(|source| Line::of("      ").text(source)));
        }
        lines.extend(explanation(row));
        Row { lines, ..Row::new(Vec::new()) }.in_group(row.place().0)
    };
    let all: Vec<Row> = rows.iter().enumerate().map(row).collect();
    let folded = (!tested.is_empty() && !code.is_empty()).then(|| {
        let mut folded: Vec<Row> = code.iter().enumerate().map(row).collect();
        let groups = by(tested.iter().map(|row| row.path.as_str()));
        let text = format!("  {} in tests: ", tested.len());
        let text = format!("{text}{}", listed(&groups, WIDTH - text.len()));
        // The tests stand above what the budget may hide.
        folded.insert(0, Row { count: tested.len(), ..Row::new(vec![Line::of(text)]) });
        folded
    });
    Section { folded, ..Section::new(format!("direct ({})", rows.len()), all) }
}

/// The line of source where a dependence stands.
pub(super) fn source_of(row: &Impacted, view: &View) -> Option<String> {
    let (path, line) = row.place();
    let text = (view.source_line)(path, line).filter(|text| !text.is_empty())?;
    Some(cut(&visible(&text), SOURCE_WIDTH))
}

/// Dependents beyond the direct ones: each with its chain, or by module.
fn further_section(title: &str, rows: &[&Impacted]) -> Section {
    let all = rows.iter().map(|row| {
        let mut lines = vec![dependent(row)];
        lines.extend(explanation(row));
        Row { shared: chain(row), ..Row::new(lines) }
    });
    let tests = rows.iter().filter(|row| row.is_test).count();
    let modules: BTreeSet<&str> = rows.iter().map(|row| row.module.as_str()).collect();
    let mut words = vec![rows.len().to_string()];
    if rows.len() > 1 {
        words.push(format!("in {}", count(modules.len(), "module")));
    }
    let deepest = rows.iter().map(|row| row.distance).max().unwrap_or(1);
    if deepest > 1 {
        words.push(format!("over up to {deepest} steps"));
    }
    let mut folded = by_module(rows);
    if tests > 0 {
        let of_tests = by(rows.iter().filter(|row| row.is_test).map(|row| row.path.as_str()));
        let text = format!("  {tests} in {}: ", count(of_tests.len(), "test file"));
        let text = format!("{text}{}", listed(&of_tests, WIDTH - text.len()));
        // They stand above the modules that the budget may hide.
        folded.insert(0, Row { count: tests, ..Row::new(vec![Line::of(text)]) });
    }
    let folded = (folded.len() < rows.len()).then_some(folded);
    Section { folded, ..Section::new(format!("{title} ({})", words.join(" ")), all.collect()) }
}

/// A row for each module outside of tests: its number of dependents, and the most probable one with its chain.
fn by_module(rows: &[&Impacted]) -> Vec<Row> {
    let mut modules: BTreeMap<&str, Vec<&Impacted>> = BTreeMap::new();
    for row in rows.iter().filter(|row| !row.is_test) {
        modules.entry(&row.module).or_default().push(row);
    }
    let mut folded: Vec<(&Impacted, &str, usize)> = Vec::new();
    for (module, rows) in modules {
        let best = rows.iter().copied().reduce(|best, row| {
            let is_better = (row.probability, best.distance) > (best.probability, row.distance);
            if is_better { row } else { best }
        });
        folded.extend(best.map(|best| (best, module, rows.len())));
    }
    folded.sort_by(|a, b| b.0.probability.total_cmp(&a.0.probability).then(b.2.cmp(&a.2)).then_with(|| a.1.cmp(b.1)));
    let row = |(best, module, number): (&Impacted, &str, usize)| {
        let name = visible(module).into_owned();
        let line = Line::of("  ").ink(Ink::Name, name.clone()).text(format!(" ({number})  "));
        let line = line.text(if number > 1 { "such as " } else { "" }).then(place_and_kind(best));
        Row { lines: vec![line], shared: chain(best), group: name, count: number }
    };
    folded.into_iter().map(row).collect()
}

/// `  path:line  kind  name  likelihood`.
pub(super) fn dependent(row: &Impacted) -> Line {
    Line::of("  ").then(place_and_kind(row))
}

pub(super) fn place_and_kind(row: &Impacted) -> Line {
    let (path, line) = row.place();
    let kind = row.via.first().map_or("changes", |via| via.kind.as_str());
    let note = kind_note(row.kind);
    let name = visible(short(&row.name)).into_owned();
    let name = if note.is_empty() { name } else { format!("{name} ({note})") };
    let line = Line::default().place(path, line).text(format!("  {kind}  ")).ink(Ink::Name, name).text("  ");
    let line = line.ink(certainty(row.probability), likelihood(row.probability));
    match &row.seen {
        Some(commit) => line.text(format!("  seen when it ran at {}", short_commit(commit))),
        None => line,
    }
}

/// How the first relationship was resolved, when asked for.
fn explanation(row: &Impacted) -> Vec<Line> {
    let mut lines = step_lines(&row.steps);
    if let Some(also) = row.also.as_ref().filter(|_| !row.steps.is_empty()) {
        let text = format!("        more probable: it also reaches the target over {}, ", visible(short(&also.name)));
        lines.push(Line::of(text).place(&also.path, also.line));
    }
    if let Some(lacks) = row.lacks.as_ref().filter(|_| !row.steps.is_empty()) {
        let text = format!("        less probable: it is not known to make, name or run {}", visible(lacks));
        lines.push(Line::of(text));
    }
    lines
}

/// The steps between an entity and the target, nearest first; nothing for a direct user.
fn chain(row: &Impacted) -> Vec<Line> {
    let steps = row
        .via
        .windows(2)
        .map(|pair| Line::of(format!("← {} ", visible(short(&pair[0].name)))).place(&pair[1].path, pair[1].line));
    wrapped(steps.collect(), " ", "      ", WIDTH)
}

/// The files of the tests, and the command that runs them.
fn tests(report: &ImpactReport, view: &View) -> Section {
    let ids: Vec<&str> = report.tests.iter().map(String::as_str).collect();
    let row = Row { count: ids.len(), ..Row::new(test_lines(&ids, &view.closing.command)) };
    let rows = if ids.is_empty() { Vec::new() } else { vec![row] };
    Section { least: 1, ..Section::new(tests_title(&ids), rows) }
}

/// `tests to run (12 in 3 files)`, or `tests to run (3 files)`.
pub(crate) fn tests_title(ids: &[&str]) -> String {
    let is_whole = !ids.is_empty() && ids.iter().all(|id| !id.contains("::"));
    match files_of(ids).len() {
        number if is_whole => format!("tests to run ({})", count(number, "file")),
        0 | 1 => format!("tests to run ({})", ids.len()),
        number => format!("tests to run ({} in {number} files)", ids.len()),
    }
}

/// The files of tests with their numbers, and the pytest command. `command` gives the report of the tests.
pub(crate) fn test_lines(ids: &[&str], command: &str) -> Vec<Line> {
    let pasted: Vec<String> = ids.iter().map(|id| argument(id)).collect();
    let pasted = pasted.join(" ");
    if ids.len() <= MAX_IDS && pasted.chars().count() <= SOURCE_WIDTH {
        return vec![Line::of(format!("  pytest {pasted}"))];
    }
    let mut lines = test_file_lines(ids);
    lines.push(Line::of(format!("  {command} --tests | xargs -r pytest")));
    lines
}

/// The files of tests with their numbers, in a few lines.
pub(crate) fn test_file_lines(ids: &[&str]) -> Vec<Line> {
    let files = files_of(ids);
    let of_file = |(path, number): &(String, usize)| {
        let line = Line::default().place_as(path, 1, path.clone());
        if *number > 1 { line.text(format!(" ({number})")) } else { line }
    };
    let lines = wrapped(files.iter().map(of_file).collect(), ", ", "  ", WIDTH);
    if lines.len() <= MAX_TEST_LINES {
        return lines;
    }
    vec![Line::of("  ").text(listed(&files, WIDTH - 2))]
}

fn files_of(ids: &[&str]) -> Vec<(String, usize)> {
    by(ids.iter().map(|id| id.split("::").next().unwrap_or_default()))
}

/// Paths with their numbers, the most frequent first.
fn by<'p>(paths: impl Iterator<Item = &'p str>) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for path in paths {
        *counts.entry(path).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> =
        counts.into_iter().map(|(path, number)| (visible(path).into_owned(), number)).collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counts
}

fn certainty(probability: f64) -> Ink {
    match probability {
        p if p >= VERY_LIKELY => Ink::Good,
        p if p >= MAYBE => Ink::Warning,
        _ => Ink::Faint,
    }
}
