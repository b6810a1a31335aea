//! Changes of parameters as calls notice them: another order, a new parameter, one that takes no keyword.

use std::collections::BTreeMap;

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, changes::polarity_word, in_words, names_of, relations::reference_row},
        reading::{plan::Understood, subjects::parameters::takes},
    },
    model::{
        RelationshipKind,
        signature::{Parameter, Signature},
    },
    query::{
        calls::parameters::parameters_of,
        impact::{verdict::Verdict, walk::factors::Change},
        navigate::refs::refs,
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

/// A parameter that a question adds, as the calls notice it.
pub(super) struct AddedParameter {
    pub headline: String,
    /// No call breaks.
    pub is_harmless: bool,
    pub rows: Vec<ListRow>,
}

/// The effect of a new parameter on the calls of the subjects; `None` where no parameter is added.
pub(super) fn added(reading: AnswerInputs, understood: &Understood) -> Result<Option<AddedParameter>, StoreError> {
    let words = &understood.words;
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let is_noun = |word: &str| ["arg", "param", "kwarg"].iter().any(|noun| word.starts_with(noun));
    let add = words.iter().position(|word| word.starts_with("add"));
    let is_added = add.is_some_and(|add| words[add..].iter().any(|word| is_noun(word)));
    let is_signature = understood.plan.change == Some(Change::Signature) && understood.plan.parameters.is_empty();
    if !is_added || !is_signature || understood.targets.is_empty() {
        return Ok(None);
    }
    let mut sites = Vec::new();
    for target in &understood.targets {
        let report = refs(reading.store, reading.sources, target, true)?;
        sites.extend(report.references.into_iter().filter(|site| site.kind == RelationshipKind::Calls));
    }
    let has_default =
        words.windows(2).any(|pair| pair[1] == "default" && !matches!(pair[0].as_str(), "no" | "without"));
    let is_optional = has(&["optional"]) || has_default || has(&["*args", "**kwargs"]);
    let is_required =
        has(&["required", "mandatory"]) || words.windows(2).any(|pair| pair[1] == "default" && !has_default);
    let names = names_of(&understood.targets);
    let calls = count(sites.len(), "call");
    let of_calls = if sites.len() == 1 { "its call".to_owned() } else { format!("each of its {calls}") };
    let effect = match (is_required, is_optional) {
        (true, _) => format!("adding a required parameter to {names} breaks {of_calls}: none passes it"),
        (false, true) => format!(
            "adding an optional parameter to {names} breaks none of {calls}, unless it stands before one that they \
             pass by position"
        ),
        (false, false) => format!("adding a parameter to {names} breaks {of_calls}, unless it has a default"),
    };
    let is_harmless = is_optional && !is_required;
    let breaks = !is_harmless && !sites.is_empty();
    let headline = format!("{}{effect}", polarity_word(understood.plan.polarity, breaks));
    Ok(Some(AddedParameter { headline, is_harmless, rows: sites.into_iter().map(reference_row).collect() }))
}
