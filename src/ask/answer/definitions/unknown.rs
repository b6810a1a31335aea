//! Questions about a name that nothing here has: its tests, its users, and what may have been meant.

use crate::{
    ask::{
        answer::{Answer, AnswerBlock, AnswerInputs, ListRow, places},
        reading::{
            forms::QuestionIntent,
            plan::{QuestionPlan, Understood},
            words::{ParsedQuestion, QuestionWord, is_stop_word, objects::is_object},
        },
    },
    model::conventions::exceptions::derived_from,
    query::{
        target::{likeliest::is_aside, spelling::nearest},
        words::{count, shell_word},
    },
    store::error::StoreError,
};

/// Less likely definitions of a name that are listed.
const MAX_CANDIDATES: usize = 8;

/// The answer to `is f covered by tests` and `which methods of C are untested` where nothing is called so: a name in a
/// text is no definition that tests reach, and the whole repository is not what was asked for.
pub(in crate::ask::answer) fn untested_name(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let [unknown] = understood.plan.unknown.as_slice() else { return Ok(None) };
    let is_of_tests =
        |word: &String| ["cover", "exercise", "test", "untested"].iter().any(|head| word.starts_with(head));
    let is_whether = understood
        .words
        .first()
        .is_some_and(|word| matches!(word.as_str(), "is" | "are" | "do" | "does" | "has" | "have"))
        && understood.words.iter().any(is_of_tests);
    let is_list = understood.plan.intent == QuestionIntent::Coverage;
    // An everyday word may describe something that is tested.
    let is_name = unknown.mention.chars().any(|c| !c.is_lowercase());
    if !(is_list || is_whether && is_name) || !understood.targets.is_empty() {
        return Ok(None);
    }
    let mut found = places::places(reading, understood, &unknown.mention)?;
    found.retain(|place| place.role != places::PlaceRole::Imports);
    let said = match found.first() {
        None => String::new(),
        Some(first) => {
            let places = count(found.len(), "place");
            format!("; the name stands in Python files at {places}, first at {}:{}", first.path, first.line)
        }
    };
    let plan = understood.clone().read_as(QuestionIntent::Tests).plan;
    let name = &unknown.mention;
    // `are all cookie jars tested`: the words name no one definition.
    let is_set = name.contains(' ');
    let headline = match (is_name, is_whether) {
        _ if is_set => {
            format!(
                "`{name}` names nothing here; which code is meant, and whether tests reach it, cannot be told{said}"
            )
        }
        (true, true) => format!("no: nothing here is called `{name}`, so no test covers it{said}"),
        (true, false) => format!("nothing here is called `{name}`, so no test covers it{said}"),
        (false, _) => format!("nothing here is called `{name}`, so it is not known which code is meant{said}"),
    };
    let mut answer = Answer::new(plan, headline);
    answer.is_guess = true;
    answer.command = format!("git grep -nF {}", shell_word(name));
    answer.beside(format!("mentions of `{name}` ({})", found.len()), found.iter().map(places::row).collect());
    candidates(&mut answer, understood);
    Ok(Some(answer))
}

/// The answer to `does f end up calling Gadget` and `is Gadget derived from C` where nothing is called so and no code
/// has the name.
pub(in crate::ask::answer) fn unknown_end(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let plan = &understood.plan;
    let [unknown] = plan.unknown.as_slice() else { return Ok(None) };
    let is_whether = matches!(understood.words.first().map(String::as_str), Some("is" | "are" | "do" | "does" | "can"));
    // `is there a C or D` has two answers.
    let has_two = understood.words.iter().any(|word| matches!(word.as_str(), "there" | "or" | "not" | "no"));
    let is_of_two = matches!(plan.intent, QuestionIntent::Path | QuestionIntent::Hierarchy);
    let name = &unknown.mention;
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    // An exception of Python is a base like those of libraries.
    let is_builtin = !derived_from(name).is_empty();
    if !is_whether
        || is_builtin
        || has_two
        || !is_of_two
        || !is_plain
        || understood.targets.is_empty()
        || understood.set.is_some()
    {
        return Ok(None);
    }
    if !places::places(reading, understood, name)?.is_empty() {
        return Ok(None);
    }
    let mut answer = Answer::new(plan.clone(), format!("no: nothing here is called `{name}`, and no code names it"));
    for target in &understood.targets {
        answer.want(target.main(), "asked about", false);
    }
    answer.command = format!("git grep -nF {}", shell_word(name));
    candidates(&mut answer, understood);
    Ok(Some(answer))
}

/// The answer to `who uses frobnicate` where nothing is called so and no text has the word.
pub(in crate::ask::answer) fn unknown_user(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    const VERBS: &str = "calls imports invokes needs raises uses";
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    let (["who" | "what", verb, name] | ["what" | "which", _, verb, name]) = words.as_slice() else { return Ok(None) };
    let is_verb = VERBS.split(' ').any(|known| known.trim_end_matches('s') == verb.trim_end_matches('s'));
    let plan = &understood.plan;
    let is_open = plan.subjects.is_empty() && plan.files.is_empty() && plan.unknown.is_empty();
    if !is_verb || !is_open || understood.set.is_some() || is_stop_word(name) || !understood.exceptions.is_empty() {
        return Ok(None);
    }
    for (_, file) in reading.store.files()? {
        if reading.sources.text(&file.path).is_some_and(|text| text.to_lowercase().contains(name)) {
            return Ok(None);
        }
    }
    let headline = format!("nothing here is called `{name}`, and no code names it");
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Usage).plan, headline);
    answer.is_guess = true;
    answer.command = format!("git grep -niF {}", shell_word(name));
    let names = reading.store.names()?;
    let mut rows = Vec::new();
    for near in nearest(&names, name) {
        rows.extend(reading.store.entities_named(near, false)?.iter().map(ListRow::of));
    }
    answer.list("names like it", rows);
    Ok(Some(answer))
}

/// The answer to a question whose only meaningful word stands where a name does, and is none here: `explain blueprnt`.
pub(in crate::ask::answer) fn misspelt(
    reading: AnswerInputs,
    plan: &QuestionPlan,
) -> Result<Option<Answer>, StoreError> {
    /// Shorter words are seldom names.
    const SHORTEST: usize = 4;
    /// Words of a question about one name.
    const LONGEST: usize = 5;
    let question = ParsedQuestion::parse(&plan.question);
    // `is frobnicate used anywhere`
    let is_object = question.words.first().is_some_and(|word| matches!(word.lower().as_str(), "is" | "are"))
        && question.words.len() > 2
        && is_object(&question, 1);
    let words = question.words;
    let is_telling = |word: &&QuestionWord| word.text.len() >= SHORTEST && !is_stop_word(&word.lower());
    let mut telling = words.iter().filter(is_telling);
    let word = match (telling.next(), telling.next()) {
        _ if is_object => &words[1],
        (Some(word), None) => word,
        _ => return Ok(None),
    };
    let lower: Vec<String> = words.iter().map(QuestionWord::lower).collect();
    let head: Vec<&str> = lower.iter().map(String::as_str).collect();
    let is_asked_about = matches!(
        head.as_slice(),
        ["is" | "are" | "explain" | "describe" | "show" | "does" | "do" | "define", ..]
            | ["what" | "how" | "where" | "when", "does" | "do" | "is", ..]
    ) && words.len() <= LONGEST
        && !lower.iter().any(|word| matches!(word.as_str(), "a" | "an"))
        || is_object;
    let names = reading.store.names()?;
    let near = nearest(&names, &word.text);
    if !is_asked_about && near.is_empty() {
        return Ok(None);
    }
    let mut rows = Vec::new();
    for name in near {
        rows.extend(reading.store.entities_named(name, false)?.iter().map(ListRow::of));
    }
    rows.sort_by(|a, b| (is_aside(&a.path), &a.path, a.line).cmp(&(is_aside(&b.path), &b.path, b.line)));
    let like = match rows.first() {
        Some(first) => format!("; a name like it is `{}` ({}:{})", first.name, first.path, first.line),
        None => String::new(),
    };
    rows.truncate(MAX_CANDIDATES);
    let mut answer = Answer::new(plan.clone(), format!("nothing here is called `{}`{like}", word.text));
    answer.beside(format!("nothing is called `{}`; names like it", word.text), rows);
    answer.is_guess = true;
    Ok(Some(answer))
}

/// Lists the less likely definitions of names, and similar names for unknown ones.
pub(in crate::ask::answer) fn candidates(answer: &mut Answer, understood: &Understood) {
    for (name, targets) in &understood.passed {
        let is_listed = |row: &ListRow| {
            let mut lists = answer.blocks.iter();
            lists.any(|block| {
                matches!(block, AnswerBlock::List(list)
                    if list.rows.iter().any(|known| (&known.path, known.line, &known.name) == (&row.path, row.line, &row.name)))
            })
        };
        let rows = targets.iter().map(|target| ListRow::of(target.main()));
        let mut rows: Vec<ListRow> = rows.filter(|row| !is_listed(row)).collect();
        let all = rows.len();
        rows.truncate(MAX_CANDIDATES);
        answer.beside(format!("other definitions called `{name}` ({all})"), rows);
    }
    // An instruction may name the very thing that is to be written.
    let unknown = understood.plan.unknown.iter().filter(|_| understood.plan.intent != QuestionIntent::Edit);
    for name in unknown {
        let rows = name.proposals.iter().map(|candidate| ListRow {
            name: candidate.name.clone(),
            kind: candidate.kind.as_str(),
            path: candidate.path.clone(),
            line: candidate.line,
            end_line: candidate.end_line,
            ..ListRow::default()
        });
        answer.beside(format!("nothing is called `{}`; names like it", name.mention), rows.collect());
    }
}
