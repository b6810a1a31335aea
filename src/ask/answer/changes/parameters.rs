//! Changes of parameters as calls notice them: another order, one that takes no keyword, any one of them.

use std::collections::BTreeMap;

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, changes::polarity_word, in_words, names_of},
        reading::{plan::Understood, subjects::parameters::takes},
    },
    model::signature::{Parameter, Signature},
    query::{
        calls::parameters::parameters_of,
        impact::{Judged, verdict::Verdict, walk::factors::Change},
        words::count,
    },
    review::judged_sites,
    store::error::StoreError,
};

/// Answers which calls notice another order of parameters: those that pass some of them by position. `None` for other
/// questions.
pub(in crate::ask::answer) fn reordered(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let plan = &understood.plan;
    let has = |heads: &[&str]| understood.words.iter().any(|word| heads.iter().any(|head| word.starts_with(head)));
    let speaks_of_parameters = has(&["arg", "param"]) || plan.parameters.len() > 1;
    let is_other_order = has(&["order"]) && has(&["chang", "different", "alter", "switch"]);
    if !has(&["reorder", "swap"]) && !is_other_order || !speaks_of_parameters || understood.targets.is_empty() {
        return Ok(None);
    }
    let are_named = plan.parameters.len() > 1;
    let mut names = if are_named { plan.parameters.clone() } else { Vec::new() };
    for target in understood.targets.iter().filter(|_| !are_named) {
        names.extend(parameters_of(reading.store, target)?);
    }
    names.sort_unstable();
    names.dedup();
    let mut known = Vec::new();
    for target in &understood.targets {
        known.extend(parameters_of(reading.store, target)?);
    }
    // `swap the parameters x and y`
    let pair = understood.words.windows(4).find(|words| is_noun(&words[0]) && words[2] == "and");
    let said: Vec<&String> = match pair {
        Some(words) if !are_named => vec![&words[1], &words[3]],
        _ => names.iter().collect(),
    };
    let is_missing = |name: &&String| known.iter().all(|one| one.to_lowercase() != name.to_lowercase());
    let missing: Vec<String> = said.into_iter().filter(is_missing).map(|name| format!("`{name}`")).collect();
    if !missing.is_empty() {
        let takes: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
        let takes = if takes.is_empty() { "nothing".to_owned() } else { in_words(&takes) };
        let headline =
            format!("{} has no parameter {}: it takes {takes}", names_of(&understood.targets), in_words(&missing));
        return Ok(Some(Answer::new(plan.clone(), headline)));
    }
    // `*args` has no place among the others.
    let is_star = |name: &String| {
        let entities = understood.targets.iter().flat_map(|target| &target.entities);
        let mut signatures = entities.filter_map(|entity| Signature::parse(&entity.record.signature));
        let is_it = |one: &Parameter| one.name == *name && one.kind.is_variadic();
        signatures.any(|signature| signature.parameters.iter().any(is_it))
    };
    names.retain(|name| !is_star(name));
    if names.is_empty() {
        return Ok(None);
    }
    let mut calls: BTreeMap<(String, u32, u32), (ListRow, Vec<String>)> = BTreeMap::new();
    for name in &names {
        for site in judged_sites(reading.store, &understood.targets, Change::KeywordOnly, name)? {
            let call = site.relationship;
            let Some(source) = reading.store.entity(call.source)? else { continue };
            let text = reading.sources.line(&source.path, call.line).unwrap_or_default();
            let row = ListRow { line: call.line, end_line: 0, text, kind: "calls", ..ListRow::of(&source) };
            let known = calls.entry((source.path.clone(), call.line, call.column)).or_insert((row, Vec::new()));
            if site.verdict != Verdict::NotAffected {
                known.1.push(format!("`{name}`"));
            }
        }
    }
    let (all, mut rows) = (calls.len(), Vec::new());
    for (row, passed) in calls.into_values().filter(|(_, passed)| !passed.is_empty()) {
        rows.push(row.with(format!("passes {} by position", in_words(&passed))));
    }
    let mut answer = Answer::new(plan.clone(), String::new());
    let word = polarity_word(plan.polarity, !rows.is_empty());
    let which = if are_named {
        in_words(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>())
    } else {
        "some".to_owned()
    };
    answer.headline = format!(
        "{word}another order of the parameters of {} concerns {} of {}: those that pass {which} by position",
        names_of(&understood.targets),
        rows.len(),
        count(all, "call")
    );
    for target in &understood.targets {
        answer.want(target.main(), "asked about", false);
        answer.command = format!("repoidx refs {}", target.main().full_name());
    }
    answer.list(format!("calls that pass parameters by position ({})", rows.len()), rows);
    Ok(Some(answer))
}

/// Answers which calls break where a parameter becomes positional-only: those that pass it by keyword. `None` for other
/// questions.
pub(in crate::ask::answer) fn positional_only(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = &understood.words;
    let is_said = words.iter().any(|word| word == "positional-only")
        || words.windows(2).any(|pair| pair[0] == "positional" && pair[1] == "only");
    let is_change = words.iter().any(|word| {
        matches!(word.as_str(), "if" | "when" | "breaks" | "break")
            || ["mak", "becom", "turn"].iter().any(|verb| word.starts_with(verb))
    });
    let mut headlines = Vec::new();
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    for (target, name) in
        understood.targets.iter().flat_map(|target| understood.plan.parameters.iter().map(move |name| (target, name)))
    {
        if !is_said || !is_change || !takes(reading.store, target, name)? {
            continue;
        }
        // A call breaks in the same way where its keyword is called something else.
        let sites = judged_sites(reading.store, std::slice::from_ref(target), Change::Rename, name)?;
        let all = sites.len();
        let mut rows = Vec::new();
        for site in sites.into_iter().filter(|site| site.verdict != Verdict::NotAffected) {
            let call = site.relationship;
            let Some(source) = reading.store.entity(call.source)? else { continue };
            let text = reading.sources.line(&source.path, call.line).unwrap_or_default();
            let row = ListRow { line: call.line, end_line: 0, text, kind: "calls", ..ListRow::of(&source) };
            let breaks = if site.verdict == Verdict::Breaks { "passes" } else { "may pass" };
            rows.push(row.with(format!("{breaks} `{name}` by keyword")));
        }
        let word = polarity_word(understood.plan.polarity, !rows.is_empty());
        headlines.push(format!(
            "{word}making `{name}` of {} positional-only concerns {} of {}: those that pass it by keyword",
            names_of(std::slice::from_ref(target)),
            rows.len(),
            count(all, "call")
        ));
        answer.want(target.main(), "asked about", false);
        answer.command = format!("repoidx impact {} --param {name} --change rename", target.main().full_name());
        answer.list(format!("calls that pass `{name}` by keyword ({})", rows.len()), rows);
    }
    answer.headline = headlines.join("; ");
    Ok((!headlines.is_empty()).then_some(answer))
}

/// Answers what a change of a parameter means that the question does not name: which calls notice it, parameter by
/// parameter. `None` for other questions.
pub(in crate::ask::answer) fn any_of_them(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    const BEFORE: [&str; 16] = [
        "a", "all", "an", "any", "default", "first", "its", "keyword", "of", "one", "optional", "other", "some", "the",
        "unneeded", "unused",
    ];
    let plan = &understood.plan;
    let words = &understood.words;
    let noun = (1..words.len()).find(|at| is_noun(&words[*at]) && BEFORE.contains(&words[*at - 1].as_str()));
    let verb = words.iter().position(|word| CHANGING.iter().any(|verb| word.starts_with(verb)));
    let is_object = noun.zip(verb).is_some_and(|(noun, verb)| noun < verb || noun - verb <= 4);
    let (how, change) = match plan.change {
        Some(Change::Remove) => ("", Change::Remove),
        Some(Change::Rename) => (" by keyword", Change::Rename),
        Some(Change::KeywordOnly) => (" by position", Change::KeywordOnly),
        _ => return Ok(None),
    };
    let [target] = understood.targets.as_slice() else { return Ok(None) };
    let names = parameters_of(reading.store, target)?;
    if !is_object || !plan.parameters.is_empty() || !plan.lines.is_empty() || names.is_empty() {
        return Ok(None);
    }
    let mut answer = Answer::new(plan.clone(), String::new());
    let (mut passed, mut not_passed, mut all) = (Vec::new(), Vec::new(), 0);
    for name in &names {
        let sites = judged_sites(reading.store, &understood.targets, change, name)?;
        all = all.max(sites.len());
        let (rows, perhaps) = noticing(reading, sites)?;
        let surely = rows.len() - perhaps;
        let or_more = if perhaps > 0 { format!(" (and perhaps {perhaps} more)") } else { String::new() };
        match rows.len() {
            0 => not_passed.push(format!("`{name}`")),
            _ => passed.push(format!("`{name}` in {surely}{or_more}")),
        }
        answer.list(format!("calls that pass `{name}`{how} ({})", rows.len()), rows);
    }
    let (name, (verb, end)) = (names_of(&understood.targets), change.verb());
    let (calls, passes) = (count(all, "call"), if all == 1 { "passes" } else { "pass" });
    let effect = match (passed.as_slice(), not_passed.as_slice()) {
        _ if all == 0 => "nothing here calls it".to_owned(),
        ([], _) => format!("none of its {calls} passes one{how}"),
        (passed, []) => format!("its {calls} {passes}{how} {}", in_words(passed)),
        (passed, not) => format!("its {calls} {passes}{how} {}, and never {}", in_words(passed), in_words(not)),
    };
    let body = if change == Change::Remove { "; a body that reads it breaks without it" } else { "" };
    let word = polarity_word(plan.polarity, !passed.is_empty());
    answer.headline =
        format!("{word}{verb} a parameter of {name}{end} breaks the calls that pass it{how}: {effect}{body}");
    answer.want(target.main(), "asked about", false);
    answer.command =
        format!("repoidx impact {} --param {} --change {}", target.main().full_name(), names[0], change.as_str());
    Ok(Some(answer))
}

/// Beginnings of words for the changes of a parameter.
const CHANGING: [&str; 10] = ["cut", "delet", "drop", "gone", "keyword", "kill", "mak", "remov", "renam", "strip"];

fn is_noun(word: &str) -> bool {
    ["arg", "param", "kwarg"].iter().any(|noun| word.starts_with(noun))
}

/// The calls that notice a change, and how many of them only may.
fn noticing(reading: AnswerInputs, sites: Vec<Judged>) -> Result<(Vec<ListRow>, usize), StoreError> {
    let (mut rows, mut perhaps) = (Vec::new(), 0);
    for site in sites.into_iter().filter(|site| site.verdict != Verdict::NotAffected) {
        let call = site.relationship;
        let Some(source) = reading.store.entity(call.source)? else { continue };
        let text = reading.sources.line(&source.path, call.line).unwrap_or_default();
        perhaps += usize::from(site.verdict != Verdict::Breaks);
        rows.push(ListRow { line: call.line, end_line: 0, text, kind: "calls", ..ListRow::of(&source) });
    }
    Ok((rows, perhaps))
}
