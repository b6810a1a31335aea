//! Answers about changes: the impact of a change, and the calls that pass a parameter.
//!
//! The impact report is the one of `impact`; the question adds the quoted line, the call sites of a parameter and the
//! tests.

pub(in crate::ask::answer) mod added;
mod gone;
mod judged;
mod limited;
mod new_tests;
pub mod own;
pub(in crate::ask::answer) mod parameters;
mod reverse;
pub(in crate::ask::answer) mod testing;
pub(in crate::ask::answer) mod transitive;
mod work;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::{
    ask::{
        answer::{
            Answer, AnswerBlock, AnswerInputs, ListRow,
            changes::{added::added, testing::existing_tests},
            first_in_words, names_of,
            relations::{arguments, reference_row},
            short_name, snippet,
        },
        context::lines::LinePlace,
        reading::{
            forms::Polarity,
            names::at_path,
            plan::Understood,
            subjects::{parameters::takes, slots::takes_any_keyword},
            words::is_in,
        },
    },
    model::{EntityFlags, EntityId, EntityKind, Evidence, RelationshipKind, conventions::is_constructor},
    query::{
        impact::{
            CallSite, ImpactOptions, ImpactReport, Impacted, completeness::no_limit_known, impact, verdict::Verdict,
            walk::factors::Change,
        },
        navigate::{
            lines::statement_at,
            refs::{ReferenceSite, refs},
        },
        target::{Target, likeliest::is_aside},
        words::{count, plural, shell_word},
    },
    review::judged_sites,
    store::error::StoreError,
};

/// Affected definitions that a language model gets to see.
const MAX_SHOWN: usize = 40;
/// Changed definitions that are shown, and of which the tests are listed, where a line stands in many.
const MAX_HOLDERS: usize = 20;
/// Changed definitions that a headline names.
const MAX_NAMED: usize = 5;
/// Tests that use a changed definition themselves and are listed.
const MAX_TESTS: usize = 6;

/// Answers with the impact of a change of the subjects.
pub fn impacts(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let plan = &understood.plan;
    let mut answer = Answer::new(plan.clone(), String::new());
    let change = plan.change.unwrap_or_default();
    if let Some(missing) = no_line(understood) {
        answer.headline = missing;
        answer.command = format!("git grep -nF {}", shell_word(&plan.lines[0].text));
        return Ok(answer);
    }
    let at_lines = holders_of_lines(reading, understood)?;
    let understood = at_lines.as_ref().unwrap_or(understood);
    lines(reading, understood, &mut answer);
    let added = added(reading, understood)?;
    if let Some(added) = added.as_ref().filter(|added| added.is_harmless) {
        answer.headline.clone_from(&added.headline);
        answer.list(format!("calls ({})", added.rows.len()), added.rows.clone());
        answer.command = format!("repoidx refs {}", understood.targets[0].main().full_name());
        return Ok(answer);
    }
    places(reading, understood, change, &mut answer)?;
    let mut headlines = Vec::new();
    let groups: Vec<&[Target]> =
        // Targets may take different parameters, so with parameters each needs an impact of its own.
        if plan.parameters.is_empty() { vec![&understood.targets] } else { understood.targets.chunks(1).collect() };
    for targets in groups {
        let mut parameter = None;
        for name in &plan.parameters {
            if takes(reading.store, &targets[0], name)? {
                parameter = Some(name.clone());
            }
        }
        for target in targets {
            for entity in &target.entities {
                answer.want(entity, "asked about", false);
            }
        }
        // A parameter that is not there yet may be added.
        let is_gone = matches!(change, Change::Remove | Change::Rename);
        if let (None, Some(name), true) = (&parameter, plan.parameters.first(), is_gone) {
            headlines.push(without_parameter(reading, understood, &targets[0], name, &mut answer)?);
            continue;
        }
        let judged = match &parameter {
            Some(parameter) => judged_sites(reading.store, targets, change, parameter)?,
            None => Vec::new(),
        };
        let options = ImpactOptions { change, param: parameter.clone(), judged, limits: reading.limits.clone() };
        let mut report = impact(reading.store, reading.sources, targets, &options)?;
        let affected = affected_modules(understood, &report, &mut answer);
        let leaves_out_tests = plan.filters.in_tests() == Some(false) && parameter.is_none();
        if leaves_out_tests {
            report.impacted.retain(|row| !row.is_test);
            report.tests.clear();
        }
        let body = match &parameter {
            Some(name) if change == Change::Remove => lines_that_read(reading, &targets[0], name)?,
            _ => None,
        };
        headlines.push(match (new_default(understood, change, parameter.as_deref(), &report), body) {
            (Some(sentence), _) => sentence,
            (None, Some(body)) => {
                let calls = headline(targets, understood, change, parameter.as_deref(), &report);
                format!("{}{}; {body}", polarity_word(understood.plan.polarity, true), divided(&calls).1)
            }
            (None, None) => {
                let headline = headline(targets, understood, change, parameter.as_deref(), &report);
                let (word, rest) = divided(&headline);
                let rest = match rest.strip_suffix("; no test to run") {
                    Some(extent) if leaves_out_tests => format!("{extent}, tests left out"),
                    _ => rest.to_owned(),
                };
                format!("{word}{}{rest}", affected.map_or(String::new(), |modules| format!("{modules}; ")))
            }
        });
        for impacted in report.impacted.iter().take(MAX_SHOWN) {
            if let Some(entity) = at_path(reading.store, &impacted.name, &impacted.path)? {
                answer.want(&entity, "affected", true);
            }
        }
        answer.bound(report.completeness, report.boundaries.clone());
        let has_sites = !report.call_sites.is_empty();
        answer.blocks.push(AnswerBlock::Impact(Box::new(report)));
        for target in targets.iter().take(MAX_HOLDERS).filter(|_| !has_sites) {
            let direct = existing_tests(reading, target)?;
            let title = format!("tests that use `{}` themselves ({})", short_name(target.main()), direct.len());
            answer.list(title, direct.iter().take(MAX_TESTS).map(ListRow::of).collect());
        }
    }
    answer.headline = joined(&headlines);
    if let Some(added) = added {
        answer.headline = format!("{}; {}", added.headline, divided(&answer.headline).1);
    }
    if becomes_async(understood) {
        let list = answer.blocks.iter().find_map(|block| match block {
            AnswerBlock::List(list) if list.title.starts_with(AWAITING) => Some(list.rows.len()),
            _ => None,
        });
        let calls = count(list.unwrap_or_default(), "call");
        let names = names_of(&understood.targets);
        // `no: …` answers the question as it was put.
        answer.headline = if understood.plan.polarity == Polarity::Open {
            format!("{names} async: {calls} of it break unless they await it; {}", answer.headline)
        } else {
            format!("{}; {calls} of it break unless they await it", answer.headline)
        };
    }
    Ok(answer)
}

/// The sentence about the modules or classes that a change reaches, where these are asked for; lists them.
fn affected_modules(understood: &Understood, report: &ImpactReport, answer: &mut Answer) -> Option<String> {
    let words: Vec<&str> = understood.words.iter().take(3).map(String::as_str).collect();
    let head = words.first().is_some_and(|word| is_in("which what list show how in", word));
    let noun = words.iter().skip(1).find_map(|word| match *word {
        "module" | "modules" => Some("module"),
        "file" | "files" => Some("file"),
        "class" | "classes" => Some("class"),
        _ => None,
    });
    let noun = noun.filter(|_| head)?;
    let name = |row: &Impacted| match noun {
        "file" => Some(row.path.clone()),
        // `pyproject.toml` is a file only.
        "module" => row.path.contains(".py").then(|| row.module.clone()),
        _ if row.kind == EntityKind::Class => Some(row.name.clone()),
        _ if matches!(row.kind, EntityKind::Method | EntityKind::Property) => {
            row.name.rsplit_once('.').map(|(class, _)| class.to_owned())
        }
        _ => None,
    };
    let (mut program, mut tests) = (BTreeMap::<String, ListRow>::new(), BTreeSet::new());
    for row in report.impacted.iter().filter(|row| row.evidence != Evidence::Possible) {
        let Some(name) = name(row) else { continue };
        if row.is_test || is_aside(&row.path) {
            tests.insert(name);
            continue;
        }
        let entry = program.entry(name.clone()).or_insert_with(|| ListRow {
            name,
            kind: noun,
            path: row.path.clone(),
            line: row.line,
            ..ListRow::default()
        });
        entry.line = entry.line.min(row.line);
    }
    let named = first_in_words(program.keys().map(|name| format!("`{name}`")), MAX_NAMED);
    let named = if named.is_empty() { named } else { format!(" ({named})") };
    let are = if program.len() == 1 { "is" } else { "are" };
    let in_tests = if tests.is_empty() { String::new() } else { format!(", and {} of tests or examples", tests.len()) };
    let sentence = format!("{} {are} affected{named}{in_tests}", count(program.len(), noun));
    answer.list(format!("affected {} ({})", plural(noun), program.len()), program.into_values().collect());
    Some(sentence)
}

/// Answers for a parameter that a definition does not have: which calls pass it all the same, into its `**kwargs`.
fn without_parameter(
    reading: AnswerInputs,
    understood: &Understood,
    target: &Target,
    name: &str,
    answer: &mut Answer,
) -> Result<String, StoreError> {
    let options =
        ImpactOptions { param: Some(name.to_owned()), limits: reading.limits.clone(), ..ImpactOptions::default() };
    let report = impact(reading.store, reading.sources, std::slice::from_ref(target), &options)?;
    answer.bound(report.completeness, report.boundaries);
    let all = report.call_sites.len();
    let passing = report.call_sites.iter().filter(|site| site.passes.is_some());
    let rows: Vec<ListRow> = passing.map(|site| arguments::row(reading, site)).collect();
    let no = if understood.plan.polarity == Polarity::Open { "" } else { "no: " };
    let passed = match (rows.len(), all) {
        (_, 0) => "nothing here calls it".to_owned(),
        (0, all) => format!("none of its {} passes one", count(all, "call")),
        (some, all) => format!("{some} of its {} pass one, as a further keyword", count(all, "call")),
    };
    // The command that was read would remove the definition itself.
    answer.command = format!("repoidx refs {}", target.main().full_name());
    let passes_none = rows.is_empty();
    answer.list(format!("calls that pass `{name}` ({})", rows.len()), rows);
    if passes_none && all > 0 && takes_any_keyword(reading.store, target)? {
        let hidden: Vec<&CallSite> = report.call_sites.iter().filter(|site| site.is_hidden).collect();
        let by = match hidden.len() {
            0 => String::new(),
            hidden => format!(", {hidden} may by `**`"),
        };
        let passed = passed.replace("passes one", "passes it by name");
        let heir_of = match base_that_takes(reading, target, name)? {
            Some(base) => format!(", and its base `{}` has it", short_name(base.main())),
            None => String::new(),
        };
        let handed = handed_on(reading, &hidden, name, answer)?;
        let names = names_of(std::slice::from_ref(target));
        return Ok(format!("{names} takes `{name}` only by `**`{heir_of}: {passed}{by}{handed}"));
    }
    Ok(format!("{no}{} has no parameter `{name}`: {passed}", names_of(std::slice::from_ref(target))))
}

/// The nearest base of a class whose constructor has a parameter.
fn base_that_takes(reading: AnswerInputs, class: &Target, name: &str) -> Result<Option<Target>, StoreError> {
    let mut open: VecDeque<EntityId> = VecDeque::from([class.main().id]);
    let mut known = BTreeSet::new();
    while let Some(id) = open.pop_front() {
        for edge in reading.store.outgoing(id)? {
            if edge.kind != RelationshipKind::Inherits || !known.insert(edge.target) {
                continue;
            }
            let Some(base) = reading.store.entity(edge.target)?.map(|base| Target::of(vec![base])) else { continue };
            if takes(reading.store, &base, name)? {
                return Ok(Some(base));
            }
            open.push_back(edge.target);
        }
    }
    Ok(None)
}

/// The sentence about calls of functions that hand their own further keywords on at these places; lists the calls that
/// pass the parameter.
fn handed_on(
    reading: AnswerInputs,
    sites: &[&CallSite],
    name: &str,
    answer: &mut Answer,
) -> Result<String, StoreError> {
    let mut said = String::new();
    let mut known = BTreeSet::new();
    for site in sites {
        let mut around = at_path(reading.store, &site.name, &site.path)?;
        while let Some(entity) = around.take() {
            let parent = entity.parent;
            let function = Target::of(vec![entity]);
            let is_callable = function.main().record.kind.is_callable();
            if !is_callable || !takes_any_keyword(reading.store, &function)? {
                let is_module = function.main().record.kind == EntityKind::Module;
                around = if is_module { None } else { reading.store.entity(parent)? };
                continue;
            }
            if !known.insert(function.main().id) || takes(reading.store, &function, name)? {
                break;
            }
            let param = Some(name.to_owned());
            let options = ImpactOptions { param, limits: reading.limits.clone(), ..ImpactOptions::default() };
            let report = impact(reading.store, reading.sources, std::slice::from_ref(&function), &options)?;
            let passing = report.call_sites.iter().filter(|site| site.passes.is_some());
            let rows: Vec<ListRow> = passing.map(|site| arguments::row(reading, site)).collect();
            if !rows.is_empty() {
                let (calls, short) = (count(rows.len(), "call"), short_name(function.main()));
                let pass = if rows.len() == 1 { "passes" } else { "pass" };
                said += &format!("; {calls} of `{short}`, which hands keywords on, {pass} it");
                answer.list(format!("calls of `{short}` that pass `{name}` ({})", rows.len()), rows);
            }
        }
    }
    Ok(said)
}

/// The lines of a body that read a parameter, in words: without it they raise.
fn lines_that_read(reading: AnswerInputs, target: &Target, parameter: &str) -> Result<Option<String>, StoreError> {
    let mut callables = target.entities.clone();
    if target.main().record.kind == EntityKind::Class {
        let members = reading.store.children(target.main().id)?;
        callables.extend(members.into_iter().filter(|member| is_constructor(&member.record.name)));
    }
    for callable in callables.iter().filter(|callable| callable.record.kind.is_callable()) {
        let (place, line) = ((callable.file, callable.path.as_str()), callable.record.line);
        let Some(head) = statement_at(reading.store, reading.sources, place, (line, line))? else { continue };
        let Some(name) = head.bound.iter().find(|name| name.name == parameter && !name.read.is_empty()) else {
            continue;
        };
        let (body, first) = (count(name.read.len(), "line"), name.read[0]);
        let read = if name.read.len() == 1 { "reads" } else { "read" };
        return Ok(Some(format!("{body} of its body {read} it, first {}:{first}", callable.path)));
    }
    Ok(None)
}

/// The `yes: ` or `no: ` of a headline, and the rest.
pub(super) fn divided(headline: &str) -> (&str, &str) {
    let words = ["yes: ", "no: ", "perhaps: ", "perhaps not: "];
    let end = words.into_iter().find(|word| headline.starts_with(word)).map_or(0, str::len);
    headline.split_at(end)
}

/// The headlines in one; a `yes: ` or `no: ` that all of them begin with is said once.
fn joined(headlines: &[String]) -> String {
    let word = ["yes: ", "no: "].into_iter().find(|word| headlines.iter().all(|headline| headline.starts_with(word)));
    let word = word.unwrap_or_default();
    let bare: Vec<&str> = headlines.iter().map(|headline| &headline[word.len()..]).collect();
    word.to_owned() + &bare.join("; ")
}

/// Lists the places that a rename, a move or another signature makes wrong, before everything that they reach.
fn places(
    reading: AnswerInputs,
    understood: &Understood,
    change: Change,
    answer: &mut Answer,
) -> Result<(), StoreError> {
    let is_call = change == Change::Signature && understood.plan.parameters.is_empty();
    if becomes_async(understood) {
        return awaits(reading, understood, answer);
    }
    if !understood.is_move && change != Change::Rename && !is_call || !understood.plan.parameters.is_empty() {
        return Ok(());
    }
    let mut sites = Vec::new();
    let mut possible = Vec::new();
    for target in &understood.targets {
        let report = refs(reading.store, reading.sources, target, true)?;
        sites.extend(report.references);
        possible.extend(report.possible);
    }
    let (title, is_wrong): (&str, fn(&ReferenceSite) -> bool) = if understood.is_move {
        ("imports to change", |site| site.kind == RelationshipKind::Imports)
    } else if is_call {
        ("calls to change", |site| site.kind == RelationshipKind::Calls)
    } else {
        ("places to change", |site| site.is_named)
    };
    let mut tests = Vec::new();
    for site in &sites {
        let file = reading.store.file_id(&site.path)?.map(|id| reading.store.file(id)).transpose()?.flatten();
        tests.push(file.is_some_and(|file| file.is_test));
    }
    let mut sites: Vec<(bool, ReferenceSite)> =
        tests.into_iter().zip(sites).filter(|(_, site)| is_wrong(site)).collect();
    sites.sort_by(|a, b| (a.0, &a.1.path, a.1.line).cmp(&(b.0, &b.1.path, b.1.line)));
    sites.dedup_by(|a, b| (&a.1.path, a.1.line) == (&b.1.path, b.1.line));
    let all = sites.len();
    if understood.is_move {
        // One row a file: its imports stand together.
        sites.dedup_by(|a, b| a.1.path == b.1.path);
    }
    answer.list(format!("{title} ({all})"), sites.into_iter().map(|(_, site)| reference_row(site)).collect());
    // An import is never left open.
    possible.retain(|site| is_wrong(site) && !understood.is_move);
    possible.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    let rows: Vec<ListRow> = possible.into_iter().map(possible_row).collect();
    answer.list(format!("perhaps too, as their receivers are not known ({})", rows.len()), rows);
    Ok(())
}

/// Whether the change makes the subjects coroutines, which they are not yet.
fn becomes_async(understood: &Understood) -> bool {
    const CHANGING: [&str; 8] = ["make", "making", "made", "turn", "turning", "become", "becomes", "convert"];
    let has = |known: &[&str]| understood.words.iter().any(|word| known.contains(&word.as_str()));
    let is_plain = |target: &Target| {
        target.main().record.kind.is_callable() && !target.main().record.flags.has(EntityFlags::ASYNC)
    };
    has(&["async", "asynchronous", "coroutine"])
        && has(&CHANGING)
        && !understood.targets.is_empty()
        && understood.targets.iter().all(is_plain)
}

/// Lists the calls that have to await the subjects once these are coroutines.
fn awaits(reading: AnswerInputs, understood: &Understood, answer: &mut Answer) -> Result<(), StoreError> {
    let mut sites = Vec::new();
    for target in &understood.targets {
        let report = refs(reading.store, reading.sources, target, false)?;
        sites.extend(report.references.into_iter().filter(|site| site.kind == RelationshipKind::Calls));
    }
    answer.list(format!("{AWAITING} ({})", sites.len()), sites.into_iter().map(reference_row).collect());
    Ok(())
}

/// Title of the calls of a function that becomes a coroutine.
const AWAITING: &str = "calls that have to await it";

/// An occurrence that may be meant, with its likelihood.
fn possible_row(site: ReferenceSite) -> ListRow {
    let percent = site.probability * 100.0;
    let row = reference_row(site);
    ListRow { note: format!("{}, {percent:.0}%", row.kind), ..row }
}

/// The sentence about quoted lines that stand nowhere in what the question names: nothing changes with them.
fn no_line(understood: &Understood) -> Option<String> {
    let first = understood.plan.lines.first()?;
    if understood.plan.lines.iter().any(|line| !line.places.is_empty()) {
        return None;
    }
    let files: Vec<&str> = understood.plan.files.iter().map(|file| file.mention.as_str()).collect();
    let place = if files.is_empty() { names_of(&understood.targets) } else { files.join(" or ") };
    let of_place = if place.is_empty() { " of the repository".to_owned() } else { format!(" of {place}") };
    let elsewhere = match first.elsewhere.as_slice() {
        [] => String::new(),
        [place, ..] => format!(", but in `{}` ({}:{})", place.within, place.path, place.line),
    };
    Some(format!("the text `{}` stands in no line{of_place}{elsewhere}", first.text))
}

/// The question about the definitions around its quoted lines, where it names only their file.
fn holders_of_lines(reading: AnswerInputs, understood: &Understood) -> Result<Option<Understood>, StoreError> {
    let is_module = |target: &Target| target.main().record.kind == EntityKind::Module;
    if understood.plan.lines.is_empty() || !understood.targets.iter().all(is_module) {
        return Ok(None);
    }
    let mut holders: Vec<Target> = Vec::new();
    for place in understood.plan.lines.iter().flat_map(|line| &line.places) {
        if let Some(holder) = at_path(reading.store, &place.within, &place.path)? {
            let holder = Target::of(vec![holder]);
            if !holders.contains(&holder) {
                holders.push(holder);
            }
        }
    }
    Ok((!holders.is_empty()).then(|| Understood { targets: holders, ..understood.clone() }))
}

/// Lists the places of the quoted lines before everything else.
pub(super) fn lines(reading: AnswerInputs, understood: &Understood, answer: &mut Answer) {
    for line in &understood.plan.lines {
        let row = |place: &LinePlace| ListRow {
            name: place.within.clone(),
            ..ListRow::line(&place.path, place.line, place.text.clone())
        };
        let number = if line.count > 1 { format!(" ({})", line.count) } else { String::new() };
        answer.list(format!("the line `{}`{number}", line.text), line.places.iter().map(row).collect());
    }
    // A line without its surroundings would explain little.
    if understood.plan.lines.iter().any(|line| !line.places.is_empty()) {
        for target in understood.targets.iter().take(MAX_HOLDERS) {
            answer.blocks.push(AnswerBlock::Source(snippet(reading.sources, target.main())));
        }
    }
}

/// The sentence about a parameter that gets another default: only calls that do not pass it notice.
fn new_default(
    understood: &Understood,
    change: Change,
    parameter: Option<&str>,
    report: &ImpactReport,
) -> Option<String> {
    let name = parameter?;
    let speaks_of_default = understood.words.iter().any(|word| word.starts_with("default"));
    // Without its default the parameter is required, which is another change.
    let is_other = matches!(change, Change::Body | Change::Signature);
    let is_open = understood.plan.polarity == Polarity::Open;
    let all = report.call_sites.len();
    if !speaks_of_default || !is_other || !is_open || all == 0 {
        return None;
    }
    let sites = || report.call_sites.iter();
    let silent = sites().filter(|site| site.passes.is_none() && !site.is_hidden && !site.is_value).count();
    let hidden = sites().filter(|site| site.is_hidden || site.is_value).count();
    let perhaps = if hidden > 0 { format!(", and {hidden} may not") } else { String::new() };
    let do_not = if silent == 1 { "does not" } else { "do not" };
    let (calls, owner) = (count(all, "call"), names_of(&understood.targets));
    let do_not =
        format!("{silent} of {calls} {do_not} pass `{name}` of {owner} and would get the new default{perhaps}");
    Some(format!("{do_not}; the change {}; {}", report.extent(), report.tests_to_run()))
}

/// The first word, which answers a question about a change as it was put.
pub(super) fn polarity_word(polarity: Polarity, breaks: bool) -> &'static str {
    match (polarity, breaks) {
        (Polarity::Open, _) => "",
        (Polarity::Safe, true) | (Polarity::Breaks | Polarity::Used, false) => "no: ",
        (Polarity::Safe, false) | (Polarity::Breaks | Polarity::Used, true) => "yes: ",
    }
}

fn headline(
    targets: &[Target],
    understood: &Understood,
    change: Change,
    parameter: Option<&str>,
    report: &ImpactReport,
) -> String {
    let names = match targets.len().saturating_sub(MAX_NAMED) {
        0 => names_of(targets),
        _ if understood.plan.lines.is_empty() => names_of(targets),
        _ => format!("the {} definitions around it", targets.len()),
    };
    let what = match (parameter, change) {
        (Some(parameter), change) => {
            let (verb, end) = change.verb();
            format!("{verb} `{parameter}` of {names}{end}")
        }
        (None, _) if understood.is_move => format!("moving {names}"),
        (None, change) if change.is_of_parameters() => format!("changing the signature of {names}"),
        (None, change) => format!("{} {names}", change.verb().0),
    };
    let polarity = understood.plan.polarity;
    let word = |breaks: bool| polarity_word(polarity, breaks);
    let passing =
        report.call_sites.iter().filter(|site| site.passes.is_some() || site.is_hidden || site.is_value).count();
    match report.impacted.len() {
        _ if parameter.is_none() && !understood.plan.parameters.is_empty() => {
            format!(
                "{names} has no parameter `{}`: {what} affects {}",
                understood.plan.parameters.join("` or `"),
                count(report.impacted.len(), "definition")
            )
        }
        _ if report.call_sites.iter().any(|site| site.verdict.is_some()) => {
            let sites = |verdict| report.call_sites.iter().filter(|site| site.verdict == Some(verdict)).count();
            let broken = sites(Verdict::Breaks);
            let doubtful = sites(Verdict::MayBreak) + sites(Verdict::MayBehaveDifferently);
            let calls = count(report.call_sites.len(), "call");
            let effect = match (broken, doubtful) {
                (0, 0) => format!("breaks none of {calls}"),
                (0, doubtful) => format!("may break {doubtful} of {calls}"),
                (broken, 0) => format!("breaks {broken} of {calls}"),
                (broken, doubtful) => format!("breaks {broken} of {calls} and may break {doubtful}"),
            };
            format!("{}{what} {effect}", word(broken + doubtful > 0))
        }
        _ if parameter.is_some() && !report.call_sites.is_empty() && passing == 0 => {
            let calls = count(report.call_sites.len(), "call");
            format!("{}none of the {calls} passes `{}`: no call breaks", word(false), parameter.unwrap_or_default())
        }
        0 if no_limit_known(&report.boundaries) => {
            format!("{}nothing was found that depends on {names}, and no limit of this is known", word(false))
        }
        0 => format!("no dependent of {names} was found, but the index cannot tell everything"),
        _ => {
            let is_sure = report.impacted.iter().any(|impacted| impacted.evidence != Evidence::Possible);
            let word = match polarity {
                _ if is_sure => word(true),
                Polarity::Open => "",
                Polarity::Safe => "perhaps not: ",
                Polarity::Breaks | Polarity::Used => "perhaps: ",
            };
            format!("{word}{what} {}; {}", report.extent(), report.tests_to_run())
        }
    }
}
