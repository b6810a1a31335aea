//! Answers `which classes implement collect` and `which classes have __slots__`: the classes that define a method or an
//! attribute of this name themselves.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, in_words},
        reading::{
            forms::QuestionIntent,
            plan::Understood,
            words::{QuestionWord, is_in},
        },
    },
    model::{EntityFlags, EntityKind},
    query::{
        target::likeliest::is_aside,
        words::{count, shell_word},
    },
    store::error::StoreError,
};

/// Classes that a headline names.
const MAX_NAMED: usize = 4;
/// Words before the verb.
const HEAD: &str = "all any class classes do every find give is list me of show that the there types what which who";
const VERBS: &str = "declare declares define defines defining implement implements implementing provide provides";
/// Verbs by which only an attribute is asked for: of methods the inherited ones count, too.
const HAVING: &str = "has have having with";
const ATTRIBUTE: &str = "attribute field";
/// Words around the name of the member.
const AROUND: &str = "a an attribute attributes called class field function its itself method methods named own property the their themselves";

/// Lists the classes that define a member; `None` for other questions, and where the readings know the definitions.
pub(in crate::ask::answer) fn definers(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = &understood.question.words;
    let lower = understood.question.lower_words();
    let is_verb = |word: &String| is_in(VERBS, word) || is_in(HAVING, word);
    let Some(verb) = lower.iter().position(is_verb) else { return Ok(None) };
    let names: Vec<&QuestionWord> =
        words[verb + 1..].iter().filter(|word| !is_in(AROUND, &word.lower()) || word.is_quoted).collect();
    let is_of_classes = lower[..verb].iter().any(|word| is_in("class classes types who", word));
    let ([name], true) = (names.as_slice(), is_of_classes) else { return Ok(None) };
    let is_plain = lower[..verb].iter().all(|word| is_in(HEAD, word));
    if !is_plain || understood.set.is_some() || !understood.plan.files.is_empty() || name.text.contains('.') {
        return Ok(None);
    }
    let called = reading.store.entities_named(&name.text, false)?;
    if called.iter().any(|entity| entity.record.kind == EntityKind::Class) {
        return Ok(None);
    }
    let is_method = called.iter().any(|entity| entity.record.kind.is_callable());
    // `which classes have tests` names no attribute `tests`.
    let is_called_so = name.text.contains('_') || name.is_quoted || lower.iter().any(|word| is_in(ATTRIBUTE, word));
    if is_in(HAVING, &lower[verb]) && (is_method || !is_called_so) {
        return Ok(None);
    }
    let mut found = Vec::new();
    let mut owners = BTreeSet::new();
    for entity in called {
        let is_body = !entity.record.flags.has(EntityFlags::OVERLOAD) && !entity.record.flags.has(EntityFlags::SETTER);
        if !is_body || is_method && !entity.record.kind.is_callable() {
            continue;
        }
        let owner = reading.store.entity(entity.parent)?.filter(|owner| owner.record.kind == EntityKind::Class);
        if let Some(owner) = owner.filter(|owner| owners.insert(owner.id)) {
            found.push((owner, entity));
        }
    }
    let is_other = understood.targets.iter().any(|target| target.main().record.name != name.text);
    if found.is_empty() || is_other || is_method && !understood.targets.is_empty() && found.len() > 1 {
        return Ok(None);
    }
    found.sort_by_key(|(_, one)| (is_aside(&one.path), one.path.clone(), one.record.start_line));
    let mut is_test = Vec::new();
    for (_, one) in &found {
        is_test.push(reading.store.file(one.file)?.is_some_and(|file| file.is_test) || is_aside(&one.path));
    }
    let program = is_test.iter().filter(|is_test| !**is_test).count();
    let named = found.iter().take(MAX_NAMED).map(|(owner, one)| {
        let name = &owner.record.qualified;
        format!("`{name}` ({}:{})", one.path, one.record.start_line)
    });
    let named = in_words(&named.collect::<Vec<_>>());
    let first = if found.len() > MAX_NAMED { " first" } else { "" };
    let verb = if found.len() == 1 { "defines" } else { "define" };
    let outside = match program {
        program if program == found.len() || found.len() == 1 => String::new(),
        program => format!(", {program} of them outside of tests and examples"),
    };
    let asked = understood.clone().read_as(QuestionIntent::Hierarchy);
    let headline =
        format!("{} {verb} `{}` themselves{outside}:{first} {named}", count(found.len(), "class"), name.text);
    let headline = if found.len() == 1 { headline.replace(" themselves", " itself") } else { headline };
    let mut answer = Answer::new(asked.plan, headline);
    let written = if is_method { format!("def {}", name.text) } else { name.text.clone() };
    answer.command = format!("git grep -nwE {}", shell_word(&written));
    for (owner, _) in found.iter().take(MAX_NAMED) {
        answer.want(owner, "it defines the member", true);
    }
    let rows: Vec<ListRow> = found.iter().map(|(_, one)| ListRow::of(one)).collect();
    answer.list(format!("definitions of `{}` ({})", name.text, rows.len()), rows);
    Ok(Some(answer))
}
