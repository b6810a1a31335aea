//! Whether a program writes to its environment, `os.environ`, or reads it.

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            places::{Place, PlaceRole, places, row, text},
        },
        reading::{forms::QuestionIntent, literals::Literal, plan::Understood},
    },
    model::EntityKind,
    query::{
        impact::completeness::{Boundary, Completeness},
        target::likeliest::is_aside,
        words::count,
    },
    store::error::StoreError,
};

/// The name of the environment in code, and that of its attribute.
const ENVIRON: &str = "os.environ";
const ATTRIBUTE: &str = "environ";

/// Answers `does anything write to os.environ`; `None` for other questions.
pub(in crate::ask::answer) fn writes(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    const VERBS: [&str; 8] = ["assign", "change", "delet", "modif", "mutat", "overwrit", "set", "writ"];
    const OTHERS: [&str; 3] = ["setting", "settings", "setup"];
    let is_verb = |word: &&str| VERBS.iter().any(|verb| word.starts_with(verb)) && !OTHERS.contains(word);
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    let is_plain = understood.plan.literals.iter().all(|literal| literal.text == ENVIRON);
    if !words.contains(&ENVIRON) || !is_plain || has_subject(understood) {
        return Ok(None);
    }
    let is_whether = matches!(words.first(), Some(&("does" | "do" | "is" | "are")));
    if !words.iter().any(is_verb) {
        return if is_whether { reads(reading, understood) } else { Ok(None) };
    }
    let mut found = places(reading, understood, ATTRIBUTE)?;
    let is_imported = |path: &str| {
        let source = reading.sources.text(path).unwrap_or_default();
        source.lines().any(|line| line.trim_start().starts_with("from os import") && line.contains(ATTRIBUTE))
    };
    found.retain(|place| {
        let is_code = !matches!(place.role, PlaceRole::Comment | PlaceRole::Imports);
        is_code && is_write(&place.text) && (place.text.contains(ENVIRON) || is_imported(&place.path))
    });
    let (own, rest): (Vec<&Place>, Vec<&Place>) =
        found.iter().partition(|place| !place.is_test && !is_aside(&place.path));
    let verdict = match (is_whether, own.is_empty() && rest.is_empty()) {
        (false, _) => "",
        (true, true) => "no: ",
        (true, false) => "yes: ",
    };
    let program = match own.first() {
        Some(first) => {
            let places = count(own.len(), "place");
            format!("the program writes to `{ENVIRON}` at {places}, first {}:{}", first.path, first.line)
        }
        None => format!("no line of the program writes to `{ENVIRON}`"),
    };
    let others = match rest.first() {
        Some(first) => {
            let places = count(rest.len(), "place");
            format!("; tests, examples and documents do at {places}, first {}:{}", first.path, first.line)
        }
        None => String::new(),
    };
    let plan = understood.clone().read_as(QuestionIntent::Text).plan;
    let mut answer = Answer::new(plan, format!("{verdict}{program}{others}"));
    answer.command = format!("git grep -nF {ENVIRON}");
    let rows =
        |places: &[&Place]| places.iter().map(|place| row(place).with("writes, by text")).collect::<Vec<ListRow>>();
    answer.list(format!("lines of the program that write to `{ENVIRON}` ({})", own.len()), rows(&own));
    answer.list(format!("lines of tests, examples and documents that do ({})", rest.len()), rows(&rest));
    let message = "found by comparing texts: a write over another name of the environment is not found".to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("text", 1, message)]);
    Ok(Some(answer))
}

/// The answer to `does anything read os.environ`: the variables that the program reads.
fn reads(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    const VERBS: [&str; 7] = ["access", "accesses", "read", "reads", "use", "used", "uses"];
    if !understood.words.iter().any(|word| VERBS.contains(&word.as_str())) {
        return Ok(None);
    }
    let mut of_text = understood.clone().read_as(QuestionIntent::Text);
    of_text.plan.literals = vec![Literal { text: ENVIRON.to_owned(), is_message: false }];
    let mut answer = text(reading, &of_text)?;
    if answer.blocks.is_empty() {
        answer.headline = format!("no: `{ENVIRON}` stands in no Python file here");
    } else if !answer.headline.starts_with("yes") {
        answer.headline.insert_str(0, "yes: ");
    }
    answer.command = format!("git grep -nF {ENVIRON}");
    Ok(Some(answer))
}

/// Whether a definition of the repository is asked about, beside modules that only say where to look.
fn has_subject(understood: &Understood) -> bool {
    understood.targets.iter().any(|target| target.main().record.kind != EntityKind::Module)
}

/// Whether a line changes the environment: `environ[x] = y`, `del environ[x]`, `environ.update(x)`.
fn is_write(line: &str) -> bool {
    const METHODS: [&str; 6] = [".clear(", ".pop(", ".popitem(", ".setdefault(", ".update(", ".__setitem__("];
    let Some((before, behind)) = line.split_once(ATTRIBUTE) else { return false };
    let is_assignment = |text: &str| {
        let text = text.trim_start();
        let text = text.strip_prefix('|').unwrap_or(text);
        text.starts_with('=') && !text.starts_with("==")
    };
    let key = behind.strip_prefix('[').and_then(|inner| inner.split_once(']'));
    METHODS.iter().any(|method| behind.starts_with(method))
        || key.is_some_and(|(_, rest)| is_assignment(rest) || before.trim_start().starts_with("del "))
        || is_assignment(behind) && before.trim_end_matches("os.").trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::is_write;

    #[test]
    fn lines_that_change_the_environment_are_told_from_those_that_read_it() {
        for line in [
            "os.environ[name] = value",
            "del os.environ[name]",
            "os.environ.update(values)",
            "environ.pop(\"X\", None)",
            "os.environ |= {}",
        ] {
            assert!(is_write(line), "{line}");
        }
        for line in ["old = os.environ[name]", "if os.environ[\"X\"] == 1:", "os.environ.get(name)", "env = os.environ"]
        {
            assert!(!is_write(line), "{line}");
        }
    }
}
