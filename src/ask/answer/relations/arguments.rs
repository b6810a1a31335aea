//! The calls that pass an argument: `who calls echo with err=True`.

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            relations::{Within, open_uses, perhaps},
        },
        reading::{
            plan::Understood,
            subjects::{
                parameters::takes,
                slots::{AskedArgument, takes_any_keyword},
            },
            words::is_literal,
        },
    },
    model::{EntityKind, RelationshipKind, signature::Signature, written_signature::WrittenSignature},
    query::{
        calls::arguments::{Passed, passed},
        impact::{CallSite, ImpactOptions, impact},
        target::{Target, aliased, likeliest::is_aside},
        words::count,
    },
    store::error::StoreError,
    texts::secrets::value_without_secrets,
};

/// Lists the calls of the subjects that pass the argument of the question, and counts the others.
pub(super) fn passing(
    reading: AnswerInputs,
    understood: &Understood,
    argument: &AskedArgument,
) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    // `never` denies the whole question, not what one call does.
    let asks = matches!(understood.words.first().map(String::as_str), Some("is" | "are" | "do" | "does" | "did"));
    let is_denied = argument.is_denied && !(asks && says_none(understood));
    let argument = &AskedArgument { is_denied, ..argument.clone() };
    let mut limited = understood.clone();
    if asks_for_tests(understood) && limited.plan.filters.in_tests().is_none() {
        limited.plan.filters.is.push("in_tests");
    }
    let within = Within::of(reading, &limited)?;
    let place = within.worded();
    let mut headlines = Vec::new();
    for target in &asked_callables(reading, understood, argument)? {
        let name = target.main().full_name();
        answer.want(target.main(), "asked about", false);
        let param = Some(argument.name.clone());
        let options = ImpactOptions { param, limits: reading.limits.clone(), ..ImpactOptions::default() };
        let mut report = impact(reading.store, reading.sources, std::slice::from_ref(target), &options)?;
        add_calls_of_aliases(reading, understood, target, argument, &mut report.call_sites)?;
        // A function that is handed on is no call.
        report.call_sites.retain(|site| within.has(&site.path) && !site.is_value);
        report.call_sites.sort_by_key(|site| is_aside(&site.path));
        let (mut asked, mut open, mut others) = (Vec::new(), Vec::new(), 0);
        for site in &report.call_sites {
            match fits(site, argument) {
                Some(true) => asked.push(row(reading, site)),
                Some(false) => others += 1,
                None => open.push(row(reading, site)),
            }
        }
        let possible = open_uses(reading, target, Some(RelationshipKind::Calls))?;
        let unresolved = possible.iter().filter(|reference| within.has(&reference.path)).count();
        headlines.push(headline(
            &name,
            argument,
            &place,
            asked.len(),
            others,
            open.len(),
            default_of(target, argument),
        ));
        if let Some(last) = headlines.last_mut() {
            *last += &perhaps(asked.len(), unresolved);
            // A class may have the constructor of a base, and a decorator may pass other arguments.
            let is_taken = argument.name.is_empty() || takes(reading.store, target, &argument.name)?;
            let is_further = !is_taken && takes_any_keyword(reading.store, target)?;
            let can_be_passed = is_taken || is_further || !target.main().record.kind.is_callable();
            if is_further {
                *last += &format!("; `{name}` takes `{}` among its further keywords", argument.name);
            } else if !can_be_passed {
                *last = format!("`{name}` has no parameter `{}`; {last}", argument.name);
            }
            let is_open = can_be_passed && asked.is_empty() && open.len() + unresolved > 0;
            // `is x always passed` is not answered by some calls.
            let is_said = |known: &[&str]| {
                let mut words = understood.words.iter().filter(|word| **word != argument.name.to_lowercase());
                words.any(|word| known.contains(&word.as_str()))
            };
            let is_always = is_said(&["all", "always", "each", "every"]);
            // `does nobody pass x`: a call that does denies it.
            let (is, is_not) = if says_none(understood) { ("no: ", "yes: ") } else { ("yes: ", "no: ") };
            last.insert_str(
                0,
                match understood.words.first().map(String::as_str) {
                    Some("is" | "are" | "do" | "does") if is_always && others > 0 => "no: ",
                    Some("is" | "are" | "do" | "does") if is_always && open.len() + unresolved > 0 => "perhaps: ",
                    Some("is" | "are" | "do" | "does" | "did") if is_open => "perhaps: ",
                    Some("is" | "are" | "do" | "does" | "did") if asked.is_empty() => is_not,
                    Some("is" | "are" | "do" | "does" | "did") => is,
                    _ => "",
                },
            );
        }
        let does = if argument.is_denied { "do not pass" } else { "pass" };
        answer.count(asked.len(), "call");
        answer.list(format!("calls of `{name}` that {does} `{}` ({})", argument.worded(), asked.len()), asked);
        answer.beside(format!("calls of which it cannot be told ({})", open.len()), open);
        answer.bound(report.completeness, report.boundaries);
        answer.command = format!("repoidx impact {name} --param {}", argument.name);
    }
    answer.headline = headlines.join("; ");
    Ok(answer)
}

/// Whether a question asks whether no call passes something: `is x never passed`, `does nobody pass x`.
fn says_none(understood: &Understood) -> bool {
    let words = &understood.words;
    let is_pair = |pair: &[String]| {
        pair[0] == "no" && ["call", "code", "one", "place", "test"].iter().any(|noun| pair[1].starts_with(noun))
    };
    words.iter().any(|word| matches!(word.as_str(), "never" | "nobody" | "none" | "nothing" | "nowhere"))
        || words.windows(2).any(is_pair)
}

/// Adds the calls of a function over the variable that the question names, where that only gives it another name:
/// `@attr.s(slots=True)`.
fn add_calls_of_aliases(
    reading: AnswerInputs,
    understood: &Understood,
    function: &Target,
    argument: &AskedArgument,
    sites: &mut Vec<CallSite>,
) -> Result<(), StoreError> {
    let signature = Signature::parse(&function.main().record.signature).unwrap_or_default();
    for alias in &understood.targets {
        if alias.main().record.kind != EntityKind::Variable || aliased(reading.store, alias)?.as_ref() != Some(function)
        {
            continue;
        }
        for edge in reading.store.incoming(alias.main().id)? {
            let Some(source) = reading.store.entity(edge.source)? else { continue };
            let is_known =
                sites.iter().any(|site| (site.path.as_str(), site.line) == (source.path.as_str(), edge.line));
            let text = reading.sources.text(&source.path).unwrap_or_default();
            let name = &alias.main().record.name;
            let Some(passed) = passed(&text, edge.line, edge.column, name, &signature, &argument.name) else {
                continue;
            };
            if is_known || !matches!(edge.kind, RelationshipKind::Calls | RelationshipKind::Decorates) {
                continue;
            }
            sites.push(CallSite {
                name: source.full_name(),
                path: source.path.clone(),
                line: edge.line,
                is_hidden: passed == Passed::Hidden,
                is_value: false,
                verdict: None,
                reason: String::new(),
                passes: match passed {
                    Passed::Value(value) => Some(value_without_secrets(&argument.name, &value).into_owned()),
                    _ => None,
                },
            });
        }
    }
    sites.sort_by(|a, b| (&a.path, a.line, &a.name).cmp(&(&b.path, b.line, &b.name)));
    Ok(())
}

/// The functions and classes that a question names, and who overrides one of them: which of them a call on an object of
/// the base runs is open.
fn asked_callables(
    reading: AnswerInputs,
    understood: &Understood,
    argument: &AskedArgument,
) -> Result<Vec<Target>, StoreError> {
    let mut targets = Vec::new();
    for target in &understood.targets {
        let target = aliased(reading.store, target)?.unwrap_or_else(|| target.clone());
        let kind = target.main().record.kind;
        if kind.is_callable() || kind == EntityKind::Class {
            targets.push(target);
        }
    }
    let mut at = 0;
    while let Some(target) = targets.get(at) {
        for edge in reading.store.incoming_of(target.main().id, RelationshipKind::Overrides)? {
            let is_known = targets.iter().any(|one| one.entities.iter().any(|entity| entity.id == edge.source));
            let overriding = reading.store.entity(edge.source)?.filter(|one| !is_known && !is_aside(&one.path));
            let Some(overriding) = overriding else { continue };
            let is_test = reading.store.file(overriding.file)?.is_some_and(|file| file.is_test);
            let target = Target::of(vec![overriding]);
            if !is_test && takes(reading.store, &target, &argument.name)? {
                targets.push(target);
            }
        }
        at += 1;
    }
    Ok(targets)
}

/// Whether only the calls in tests are asked for: `which tests call f with x`.
fn asks_for_tests(understood: &Understood) -> bool {
    const BEFORE: [&str; 8] = ["any", "are", "do", "does", "list", "many", "what", "which"];
    understood
        .words
        .windows(2)
        .any(|pair| BEFORE.contains(&pair[0].as_str()) && matches!(pair[1].as_str(), "test" | "tests"))
}

/// The numbers of calls in a sentence.
fn headline(
    name: &str,
    argument: &AskedArgument,
    place: &str,
    asked: usize,
    others: usize,
    open: usize,
    default: Option<String>,
) -> String {
    let all = count(asked + others + open, "call");
    let words = argument.worded();
    let passes = |calls: usize, is_denied: bool| match (is_denied, calls) {
        (false, 1) => ("passes", "does"),
        (false, _) => ("pass", "do"),
        (true, 1) => ("does not pass", "does not"),
        (true, _) => ("do not pass", "do not"),
    };
    let ((does, _), (_, do_not)) = (passes(asked, argument.is_denied), passes(others, !argument.is_denied));
    let asked = if asked == 0 { "none".to_owned() } else { asked.to_string() };
    let default = default.map(|value| format!(" (the default is `{value}`)")).unwrap_or_default();
    let open = match open {
        0 => String::new(),
        open => format!(", and of {open} it cannot be told"),
    };
    format!("{asked} of {all} of `{name}`{place} {does} `{words}`; {others} {do_not}{default}{open}")
}

/// The default of the parameter, where a value is asked for.
fn default_of(target: &Target, argument: &AskedArgument) -> Option<String> {
    argument.value.as_ref()?;
    let signature = &target.main().record.signature;
    let text = WrittenSignature::parse(signature)?;
    let parameter = text.parameters.iter().find(|parameter| parameter.name == argument.name)?;
    parameter.default.map(str::to_owned)
}

/// Whether a call passes the argument as the question asks; `None` where the source does not tell.
fn fits(site: &CallSite, argument: &AskedArgument) -> Option<bool> {
    let passes = match (&site.passes, &argument.value) {
        _ if site.is_hidden => None,
        (None, _) => Some(false),
        (Some(_), None) => Some(true),
        (Some(passed), Some(wanted)) => {
            let (passed, wanted) = (plain(passed), plain(wanted));
            if passed == wanted {
                Some(true)
            } else if is_literal(&passed) {
                Some(false)
            } else {
                None
            }
        }
    };
    passes.map(|passes| passes != argument.is_denied)
}

/// An expression without white space, with one kind of quotes.
pub(super) fn plain(expression: &str) -> String {
    expression.chars().filter(|c| !c.is_whitespace()).map(|c| if c == '\'' { '"' } else { c }).collect()
}

/// A call with what it passes.
pub(in crate::ask::answer) fn row(reading: AnswerInputs, site: &CallSite) -> ListRow {
    ListRow {
        text: reading.sources.line(&site.path, site.line).unwrap_or_default(),
        note: site.passing(),
        name: site.name.clone(),
        kind: "calls",
        path: site.path.clone(),
        line: site.line,
        ..ListRow::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_compared_as_it_is_written() {
        let check = |passes: Option<&str>, wanted: Option<&str>, is_denied: bool| {
            let site = CallSite {
                name: String::new(),
                path: String::new(),
                line: 1,
                passes: passes.map(str::to_owned),
                is_hidden: false,
                is_value: false,
                verdict: None,
                reason: String::new(),
            };
            let value = wanted.map(str::to_owned);
            fits(&site, &AskedArgument { name: "err".to_owned(), value, is_denied, is_passed: true, way: None })
        };
        assert_eq!(check(Some("True"), Some("True"), false), Some(true));
        assert_eq!(check(Some("'a b'"), Some("\"a b\""), false), Some(true));
        assert_eq!(check(Some("False"), Some("True"), false), Some(false));
        assert_eq!(check(Some("is_err"), Some("True"), false), None);
        assert_eq!(check(None, Some("True"), false), Some(false));
        assert_eq!(check(Some("is_err"), None, false), Some(true));
        assert_eq!(check(None, None, true), Some(true));
    }
}
