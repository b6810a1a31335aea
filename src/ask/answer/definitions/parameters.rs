//! Answers `which parameters have no annotation` and `which parameters of f are keyword-only`.

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, definitions::constructor, in_words, select::place, short_name},
        reading::{filters::Noun, forms::QuestionIntent, plan::Understood, words::is_in},
    },
    model::{
        EntityKind,
        signature::ParameterKind,
        written_signature::{WrittenParameter, WrittenSignature},
    },
    query::{
        impact::{ImpactOptions, impact},
        target::{
            Target,
            filter::{Filter, FilterReader},
        },
        words::count,
    },
    store::error::StoreError,
};

const PARAMETERS: &str = "arg args argument arguments parameter parameters params";

/// Lists parameters of a kind, or functions with parameters that have no annotation; `None` for other questions.
pub(in crate::ask::answer) fn parameters(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    match of_kind(reading, understood)? {
        None => unannotated(reading, understood),
        answer => Ok(answer),
    }
}

/// The kinds of parameters that a question tells by words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ParameterSort {
    KeywordOnly,
    PositionalOnly,
    Positional,
    Required,
    Optional,
}

impl ParameterSort {
    /// The kind, where each word of the question belongs to such a question.
    fn of(words: &[String], names: &[String]) -> Option<Self> {
        const HEADS: &str = "all give keyword keyword-only kw-only list mandatory optional positional positional-only \
             required show the what which";
        const AROUND: &str = "a all an and any are accept accepts by can class constructor default defaults do does for from function \
             give has have in is its keyword keyword-only kw-only list mandatory me method must name no not of only optional \
             passed positional positional-only required show take takes that the value values what which with without";
        let has = |list: &str| words.iter().any(|word| is_in(list, word));
        let is_read = |word: &String| is_in(AROUND, word) || is_in(PARAMETERS, word) || names.contains(word);
        let asks = words.first().is_some_and(|first| is_in(HEADS, first)) && has(PARAMETERS);
        if !asks || !words.iter().all(is_read) {
            return None;
        }
        let has_no_default = has("default defaults") && has("no not without");
        Some(match () {
            () if has("keyword-only kw-only") || has("keyword") && has("only") => Self::KeywordOnly,
            () if has("positional-only") || has("positional") && has("only") => Self::PositionalOnly,
            () if has("positional") => Self::Positional,
            () if has("required mandatory") || has_no_default => Self::Required,
            () if has("optional") || has("default defaults") && has("have has with") => Self::Optional,
            () => return None,
        })
    }

    fn fits(self, parameter: &WrittenParameter<'_>) -> bool {
        use ParameterKind::{KeywordOnly, Ordinary, PositionalOnly};
        let kind = parameter.kind;
        let is_single = matches!(kind, KeywordOnly | Ordinary | PositionalOnly);
        match self {
            Self::KeywordOnly => kind == KeywordOnly,
            Self::PositionalOnly => kind == PositionalOnly,
            Self::Positional => matches!(kind, Ordinary | PositionalOnly),
            Self::Required => is_single && parameter.default.is_none(),
            Self::Optional => parameter.default.is_some(),
        }
    }

    fn worded(self) -> &'static str {
        match self {
            Self::KeywordOnly => "keyword-only parameter",
            Self::PositionalOnly => "positional-only parameter",
            Self::Positional => "positional parameter",
            Self::Required => "required parameter",
            Self::Optional => "optional parameter",
        }
    }
}

/// Lists the parameters of a kind that the callables of a question have.
fn of_kind(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let mentions = understood.plan.subjects.iter().map(|subject| subject.mention.to_lowercase());
    let names: Vec<String> = mentions.collect();
    let Some(sort) = ParameterSort::of(&understood.question.lower_words(), &names) else { return Ok(None) };
    let asked = understood.clone().read_as(QuestionIntent::Signature);
    let mut answer = Answer::new(asked.plan.clone(), String::new());
    answer.command = asked.command();
    let mut headlines = Vec::new();
    for target in &understood.targets {
        let callable = constructor(reading.store, target.implementation())?;
        let Some(written) = WrittenSignature::parse(&callable.record.signature) else { continue };
        let is_own = |(at, one): &(usize, &WrittenParameter<'_>)| {
            *at == 0 && callable.record.kind == EntityKind::Method && matches!(one.name, "self" | "cls" | "mcs")
        };
        let all = written.parameters.iter().enumerate().filter(|one| !is_own(one)).map(|(_, one)| one);
        let fitting: Vec<String> = all.filter(|one| sort.fits(one)).map(|one| format!("`{}`", one.name)).collect();
        let name = short_name(target.main());
        answer.count(fitting.len(), sort.worded());
        headlines.push(match fitting.len() {
            0 => format!("none: `{name}` has no {}", sort.worded()),
            all => format!("`{name}` has {}: {}", count(all, sort.worded()), in_words(&fitting)),
        });
        answer.want(target.main(), "asked about", false);
        answer.beside("asked about", vec![ListRow::of(&callable)]);
    }
    answer.headline = headlines.join("; ");
    Ok((!answer.headline.is_empty()).then_some(answer))
}

/// Lists the functions with such parameters; `None` for other questions.
fn unannotated(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let is_head = |word: &String| is_in(PARAMETERS, word);
    let is_asked = understood.words.iter().take(2).any(is_head) && understood.plan.filters.has("unannotated");
    if !is_asked || !understood.asks_for_list() && !understood.words.first().is_some_and(is_head) {
        return Ok(None);
    }
    let mut functions = understood.clone();
    functions.plan.filters.noun = Some(Noun::Function);
    let filter = Filter { has_annotations: None, marks: Vec::new(), ..functions.filter() };
    let named: Vec<&str> = understood.targets.iter().map(|target| target.main().path.as_str()).collect();
    let (mut rows, mut all, mut bare) = (Vec::new(), 0, 0);
    for entity in FilterReader::new(reading.store)?.fitting(&filter)? {
        let is_named = |target: &Target| {
            let whole = target.main().full_name();
            entity.full_name() == whole || entity.full_name().starts_with(&format!("{whole}."))
        };
        if !named.is_empty() && !understood.targets.iter().any(is_named) || understood.leaves_out(&entity.path) {
            continue;
        }
        let signature = WrittenSignature::parse(&entity.record.signature);
        let is_bare = |one: &&WrittenParameter| {
            one.annotation.is_empty() && !matches!(one.name, "self" | "cls" | "mcs" | "*" | "/")
        };
        let parameters = signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
        let names: Vec<&str> = parameters.iter().filter(is_bare).map(|one| one.name).collect();
        all += 1;
        bare += names.len();
        if !names.is_empty() {
            rows.push(ListRow::of(&entity).with(format!("without: {}", names.join(", "))));
        }
    }
    let place = place(&functions, &filter);
    let headline = match rows.len() {
        0 => format!("none: no parameter of {} {place} lacks an annotation", count(all, "function")),
        some => {
            let have = if bare == 1 { "has" } else { "have" };
            format!(
                "{} of {} {place} {have} no annotation; {all} were looked at",
                count(bare, "parameter"),
                count(some, "function")
            )
        }
    };
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Select).plan, headline);
    answer.plan.notes.retain(|note| !note.contains("which this answer leaves out"));
    answer.command = understood.plan.ask_command();
    answer.list(format!("functions with parameters that have no annotation ({})", rows.len()), rows);
    Ok(Some(answer))
}

/// The default and the type of a parameter in words, behind yes or no where the question asks for that.
pub(super) fn worded(parameter: &WrittenParameter, owner: &str, words: &[String]) -> String {
    let WrittenParameter { name, annotation, default, .. } = parameter;
    let kind = if annotation.is_empty() { "not annotated".to_owned() } else { format!("type `{annotation}`") };
    let asks = |list: &str| {
        words.first().is_some_and(|word| is_in("are does is", word)) && words.iter().any(|word| is_in(list, word))
    };
    let answer = match default.is_some() {
        is_optional if asks("optional") => {
            if is_optional {
                "yes: "
            } else {
                "no: "
            }
        }
        is_optional if asks("mandatory obligatory required") => {
            if is_optional {
                "no: "
            } else {
                "yes: "
            }
        }
        _ => "",
    };
    match default {
        None => format!("{answer}`{name}` of `{owner}` has no default ({kind})"),
        Some(default) => format!("{answer}`{name}` of `{owner}` is `{default}` by default ({kind})"),
    }
}

/// Whether the question asks for the parameters that no call passes.
pub(super) fn asks_for_unpassed(understood: &Understood) -> bool {
    let has = |known: &[&str]| understood.words.iter().any(|word| known.contains(&word.as_str()));
    has(&["never", "not", "unused", "nobody"]) && has(&["passed", "passes", "given", "supplied"])
}

/// The parameters that no known call passes, in a sentence.
pub(super) fn unpassed(
    reading: AnswerInputs,
    target: &Target,
    parameters: &[WrittenParameter],
) -> Result<String, StoreError> {
    let name = short_name(target.main());
    let (mut never, mut open) = (Vec::new(), Vec::new());
    let mut calls = 0;
    let asked =
        parameters.iter().filter(|one| !matches!(one.name, "self" | "cls" | "*" | "/") && !one.name.starts_with('*'));
    for parameter in asked {
        let param = Some(parameter.name.to_owned());
        let options = ImpactOptions { param, limits: reading.limits.clone(), ..ImpactOptions::default() };
        let sites = impact(reading.store, reading.sources, std::slice::from_ref(target), &options)?.call_sites;
        calls = sites.len();
        if sites.iter().all(|site| site.passes.is_none()) {
            let is_open = sites.iter().any(|site| site.is_hidden || site.is_value);
            if is_open { &mut open } else { &mut never }.push(format!("`{}`", parameter.name));
        }
    }
    let open = match open.as_slice() {
        [] => String::new(),
        open => format!("; {} may be passed where `*`, `**` or a value hides it", in_words(open)),
    };
    let calls = count(calls, "known call");
    Ok(match never.as_slice() {
        [] => format!("none: each parameter of `{name}` is passed by one of {calls}, or may be{open}"),
        never => format!("never passed to `{name}`, in {calls}: {}{open}", in_words(never)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_parameters_is_read_from_whole_questions() {
        let of = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            ParameterSort::of(&words, &["f".to_owned()])
        };
        assert_eq!(of("which parameters of f are keyword only"), Some(ParameterSort::KeywordOnly));
        assert_eq!(of("required arguments of f"), Some(ParameterSort::Required));
        assert_eq!(of("which parameters of f have no default"), Some(ParameterSort::Required));
        assert_eq!(of("what are the optional arguments of f"), Some(ParameterSort::Optional));
        assert_eq!(of("what are the parameters of f"), None);
        assert_eq!(of("what happens if the parameters of f become keyword-only"), None);
    }
}
