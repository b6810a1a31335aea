//! Answers that set one definition against another: which defines a member, which members one has and the other lacks,
//! which is longer, which is older.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow, first_in_words,
            history::{begin_of_definition, begin_of_file, is_before},
            in_words, short_name,
        },
        reading::{forms::QuestionIntent, plan::Understood, words::QuestionWord},
    },
    model::{EntityId, EntityKind},
    query::{
        target::{
            Target, TargetMatch,
            filter::lines,
            known,
            likeliest::{is_aside, likeliest},
            lineage,
        },
        words::{count, plural},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Verbs of a class that has a member.
const DEFINES: &str = "contain contains declare declares define defines has have implement implements own owns override \
     overrides provide provides";
/// Words around the name of a member, and behind it.
const AROUND: &str = "a an attribute called function its member method named own property the";
const BEHIND: &str = "both directly itself themselves too";
/// Members that a headline names.
const MAX_NAMED: usize = 6;

/// Answers a question that sets definitions against each other; `None` for other questions.
pub(in crate::ask::answer) fn which(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = &understood.question.words;
    if let Some(answer) = defining(reading, understood, words)? {
        return Ok(Some(answer));
    }
    if let Some(answer) = lacking(reading, understood, words)? {
        return Ok(Some(answer));
    }
    Ok(compared(reading, understood, words))
}

fn is_one_of(word: &QuestionWord, known: &str) -> bool {
    known.split_whitespace().any(|known| known == word.lower())
}

/// The class that a word names; several of one name are settled by their likelihood.
fn class_of(store: &Store, understood: &Understood, word: &QuestionWord) -> Result<Option<Entity>, StoreError> {
    let is_class = |target: &Target| target.main().record.kind == EntityKind::Class;
    let mut subjects = understood.plan.subjects.iter().zip(&understood.targets);
    if let Some((_, target)) = subjects.find(|(subject, target)| subject.mention == word.text && is_class(target)) {
        return Ok(Some(target.main().clone()));
    }
    if !word.text.rsplit('.').next().is_some_and(|last| last.trim_start_matches('_').starts_with(char::is_uppercase)) {
        return Ok(None);
    }
    let targets = match known(store, &word.text, "")? {
        Some(TargetMatch::Found(target)) => vec![target],
        Some(TargetMatch::Ambiguous(entities)) => {
            entities.into_iter().map(|entity| Target::of(vec![entity])).filter(is_class).collect()
        }
        _ => Vec::new(),
    };
    let (chosen, _) = likeliest(store, &word.text, targets)?;
    Ok(chosen.into_iter().find(is_class).map(|target| target.main().clone()))
}

/// The classes that the words name, each with the number of its word.
fn classes_of(
    store: &Store,
    understood: &Understood,
    words: &[QuestionWord],
) -> Result<Vec<(usize, Entity)>, StoreError> {
    let mut found: Vec<(usize, Entity)> = Vec::new();
    for (at, word) in words.iter().enumerate().skip(1) {
        if let Some(class) = class_of(store, understood, word)?
            && found.iter().all(|(_, known)| known.id != class.id)
        {
            found.push((at, class));
        }
    }
    Ok(found)
}

/// How a class comes by a member.
enum Holding {
    Defines(Entity),
    Inherits(Entity),
    Lacks,
}

/// Answers `does A or B define m` and `which of A and B define m`.
fn defining(
    reading: AnswerInputs,
    understood: &Understood,
    words: &[QuestionWord],
) -> Result<Option<Answer>, StoreError> {
    let begins = words.first().is_some_and(|word| is_one_of(word, "are do does is what which who"));
    let is_joined = words.iter().any(|word| is_one_of(word, "and both or neither"));
    let Some(verb) = words.iter().position(|word| is_one_of(word, DEFINES)).filter(|_| begins && is_joined) else {
        return Ok(None);
    };
    let Some(at) = (verb + 1..words.len()).find(|at| !is_one_of(&words[*at], AROUND)) else { return Ok(None) };
    let name = words[at].text.trim_end_matches("()").to_owned();
    let others: Vec<QuestionWord> =
        words.iter().enumerate().filter(|(word, _)| *word != at).map(|(_, word)| word.clone()).collect();
    let classes = classes_of(reading.store, understood, &others)?;
    let is_rest = |word: &QuestionWord| {
        is_one_of(word, BEHIND)
            || is_one_of(word, "and or")
            || classes.iter().any(|(at, _)| others[*at].text == word.text)
    };
    let is_member = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if classes.len() < 2 || !is_member || class_of(reading.store, understood, &words[at])?.is_some() {
        return Ok(None);
    }
    if !words[at + 1..].iter().all(is_rest) {
        return Ok(None);
    }
    let (mut holdings, mut rows) = (Vec::new(), Vec::new());
    for (_, class) in &classes {
        let own = reading.store.children(class.id)?.into_iter().find(|child| child.record.name == name);
        let holding = match own {
            Some(own) => Holding::Defines(own),
            None => match known(reading.store, &format!("{}.{name}", class.full_name()), "")? {
                Some(TargetMatch::Found(target)) if target.inherited_by.is_some() => {
                    Holding::Inherits(target.main().clone())
                }
                _ => Holding::Lacks,
            },
        };
        if let Holding::Defines(member) | Holding::Inherits(member) = &holding {
            rows.push(ListRow::of(member));
        }
        holdings.push(holding);
    }
    let pairs = || classes.iter().map(|(_, class)| class).zip(&holdings);
    let named = |class: &Entity| format!("`{}`", class.record.name);
    let (mut defining, mut places, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for (class, holding) in pairs() {
        match holding {
            Holding::Defines(own) => {
                defining.push(named(class));
                places.push(format!("{}:{}", own.path, own.record.line));
            }
            Holding::Inherits(from) => {
                let base = from.record.qualified.rsplit_once('.').map_or("", |(base, _)| base);
                rest.push(format!("{} inherits it from `{base}` ({}:{})", named(class), from.path, from.record.line));
            }
            Holding::Lacks => rest.push(format!("{} has none", named(class))),
        }
    }
    let all: Vec<String> = classes.iter().map(|(_, class)| named(class)).collect();
    let is_whether = words.first().is_some_and(|word| is_one_of(word, "do does"));
    let asks_for_all =
        words.iter().any(|word| is_one_of(word, "both")) || !words.iter().any(|word| is_one_of(word, "or"));
    let holds = if asks_for_all { defining.len() == all.len() } else { !defining.is_empty() };
    let yes = match (is_whether, holds) {
        (false, _) => "",
        (true, true) => "yes: ",
        (true, false) => "no: ",
    };
    let said = match (defining.len(), all.len()) {
        (0, 2) => format!("neither {} nor {} defines `{name}`", all[0], all[1]),
        (0, _) => format!("none of {} defines `{name}`", in_words(&all)),
        (1, _) => format!("only {} defines `{name}` ({})", defining[0], places[0]),
        (2, 2) => format!("both {} define `{name}` ({})", in_words(&defining), in_words(&places)),
        _ => format!("{} define `{name}` ({})", in_words(&defining), in_words(&places)),
    };
    let rest = if rest.is_empty() { String::new() } else { format!("; {}", rest.join("; ")) };
    let mut answer = begun(understood, format!("{yes}{said}{rest}"));
    for (_, class) in &classes {
        answer.want(class, "asked about", true);
    }
    answer.list(format!("definitions of `{name}` ({})", rows.len()), rows);
    Ok(Some(answer))
}

/// Answers `which methods of A are not in B`.
fn lacking(
    reading: AnswerInputs,
    understood: &Understood,
    words: &[QuestionWord],
) -> Result<Option<Answer>, StoreError> {
    const NOUNS: &str = "attributes fields functions members methods properties";
    const SUBJECT_LACKS: &str = "lack lacking lacks";
    let begins = words.first().is_some_and(|word| is_one_of(word, "all how list show what which"));
    let noun = words.iter().take(3).find(|word| is_one_of(word, NOUNS)).map(QuestionWord::lower);
    let Some(noun) = noun.filter(|_| begins) else { return Ok(None) };
    let other_verbs = ["call", "cover", "deriv", "import", "inherit", "overrid", "rais", "return", "test", "us"];
    if words.iter().any(|word| other_verbs.iter().any(|verb| word.lower().starts_with(verb))) {
        return Ok(None);
    }
    let is_denial = |word: &QuestionWord| {
        let lower = word.lower();
        is_one_of(word, SUBJECT_LACKS)
            || matches!(lower.as_str(), "not" | "missing" | "absent" | "without")
            || lower.ends_with("n't")
            || lower.ends_with("n\u{2019}t")
    };
    let Some(denial) = words.iter().position(is_denial) else { return Ok(None) };
    let classes = classes_of(reading.store, understood, words)?;
    let [first, second] = classes.as_slice() else { return Ok(None) };
    // `that B lacks` and `that B does not have` name it before, `not in B` and `missing in B` behind.
    let next = words.get(denial + 1).filter(|word| is_one_of(word, "have has define defines own provide offer"));
    let stands_before = is_one_of(&words[denial], SUBJECT_LACKS) || next.is_some();
    let nearest = |is_before: bool| {
        let mut sides = [first, second].into_iter().filter(|(at, _)| (*at < denial) == is_before);
        if is_before { sides.next_back() } else { sides.next() }
    };
    let Some((_, poor)) = nearest(stands_before).or_else(|| nearest(!stands_before)) else { return Ok(None) };
    let rich = if first.1.id == poor.id { &second.1 } else { &first.1 };
    let fits = |entity: &Entity| match noun.as_str() {
        "methods" | "functions" => entity.record.kind.is_callable(),
        "properties" => entity.record.kind == EntityKind::Property,
        "attributes" | "fields" => !matches!(entity.record.kind, EntityKind::Function | EntityKind::Method),
        _ => true,
    };
    let held = members(reading.store, rich)?;
    // A class has all that it inherits: of its own base, the members that it does not define are asked for.
    let above = lineage(reading.store, poor.id)?;
    let is_heir = above.contains(&rich.id);
    let mut own = if is_heir { reading.store.children(poor.id)? } else { members(reading.store, poor)? };
    if is_heir {
        let of_base: BTreeSet<EntityId> = lineage(reading.store, rich.id)?.into_iter().chain([rich.id]).collect();
        for between in above.into_iter().filter(|class| !of_base.contains(class)) {
            own.extend(reading.store.children(between)?);
        }
    }
    let known: BTreeSet<String> = own.into_iter().map(|member| member.record.name).collect();
    let mut apart: Vec<&Entity> =
        held.iter().filter(|member| fits(member) && !known.contains(&member.record.name)).collect();
    let mut seen = BTreeSet::new();
    apart.retain(|member| seen.insert(&member.record.name));
    let singular = match noun.as_str() {
        "properties" => "property",
        plural => plural.trim_end_matches('s'),
    };
    let (rich, poor) = (&rich.record.name, &poor.record.name);
    let named = first_in_words(apart.iter().map(|member| format!("`{}`", member.record.name)), MAX_NAMED);
    let headline = match apart.len() {
        0 if is_heir => format!("none: `{poor}` defines each {singular} of its base `{rich}` itself"),
        all if is_heir => {
            let things = if all == 1 { format!("1 {singular}") } else { format!("{all} {}", plural(singular)) };
            format!("`{poor}` inherits {things} of `{rich}` and does not define them itself: {named}")
        }
        0 => format!("none: each {singular} of `{rich}` is one of `{poor}`, too"),
        all => {
            let things = if all == 1 { format!("1 {singular}") } else { format!("{all} {}", plural(singular)) };
            format!("`{rich}` has {things} that `{poor}` lacks: {named}")
        }
    };
    let mut answer = begun(understood, headline);
    let rows = apart.into_iter().map(ListRow::of).collect::<Vec<_>>();
    answer.list(format!("{noun} of `{rich}` alone ({})", rows.len()), rows);
    Ok(Some(answer))
}

/// The members of a class, its own before those of its bases.
fn members(store: &Store, class: &Entity) -> Result<Vec<Entity>, StoreError> {
    let mut all = store.children(class.id)?;
    for above in lineage(store, class.id)? {
        all.extend(store.children(above)?);
    }
    Ok(all)
}

/// The figure by which two things are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ComparedFigure {
    Lines,
    Age,
}

/// A definition or file that is compared.
struct ComparedThing {
    name: String,
    path: String,
    lines: u32,
    /// The definition; `None` for a file.
    entity: Option<Entity>,
}

/// Answers `which is longer, A or B` and `is A older than B`.
fn compared(reading: AnswerInputs, understood: &Understood, words: &[QuestionWord]) -> Option<Answer> {
    const LONGER: &str = "bigger larger longer";
    const SHORTER: &str = "shorter smaller";
    const OLDER: &str = "older";
    const NEWER: &str = "newer younger";
    let begins = words.first().is_some_and(|word| is_one_of(word, "are is what what's which who"));
    let is_joined = words.iter().any(|word| is_one_of(word, "and or than versus vs"));
    let is_comparative =
        |word: &QuestionWord| [LONGER, SHORTER, OLDER, NEWER].iter().any(|known| is_one_of(word, known));
    let asked = words.iter().find(|word| is_comparative(word)).filter(|_| begins && is_joined)?;
    let sides = sides(reading, understood, words);
    let [first, second] = sides.as_slice() else { return None };
    let measure =
        if is_one_of(asked, OLDER) || is_one_of(asked, NEWER) { ComparedFigure::Age } else { ComparedFigure::Lines };
    let asked_word = asked.lower();
    let wants_first = is_one_of(asked, LONGER) || is_one_of(asked, OLDER);
    let mut answer = begun(understood, String::new());
    // The side that is longer or older, and the figures of both.
    let (leads, figures) = match measure {
        ComparedFigure::Lines => {
            let leads = (first.lines != second.lines).then_some(first.lines > second.lines);
            (leads, [first, second].map(|side| count(side.lines as usize, "line")))
        }
        ComparedFigure::Age => {
            let begin = |side: &ComparedThing| match &side.entity {
                Some(entity) => begin_of_definition(reading, &entity.record, &entity.path),
                None => begin_of_file(reading, &side.path),
            };
            let (Some(one), Some(other)) = (begin(first), begin(second)) else { return None };
            let leads = match one[1].cmp(&other[1]) {
                std::cmp::Ordering::Equal if one[0] == other[0] => None,
                std::cmp::Ordering::Equal => Some(is_before(reading, &one[0], &other[0])),
                order => Some(order.is_lt()),
            };
            (leads, [one, other].map(|[id, date, ..]| format!("there since {date} ({id})")))
        }
    };
    let [name, other] = [first, second].map(|side| format!("`{}`", side.name));
    let is_whether = words.first().is_some_and(|word| is_one_of(word, "are is"));
    let wins = leads.map(|leads| leads == wants_first);
    let yes = match (is_whether, wins) {
        (false, _) => "",
        (true, Some(true)) => "yes: ",
        (true, _) => "no: ",
    };
    let [figure, other_figure] = figures;
    answer.headline = match wins {
        None => format!("{yes}neither is {asked_word}: {name} and {other} have the same figure, {figure}"),
        Some(true) => format!("{yes}{name} is {asked_word}: {figure}; {other}: {other_figure}"),
        Some(false) => format!("{yes}{other} is {asked_word}: {other_figure}; {name}: {figure}"),
    };
    let row = |side: &ComparedThing| match &side.entity {
        Some(entity) => ListRow::of(entity),
        None => ListRow {
            name: side.name.clone(),
            kind: "file",
            path: side.path.clone(),
            line: 1,
            end_line: side.lines,
            ..ListRow::default()
        },
    };
    let rows: Vec<ListRow> = [first, second].into_iter().map(row).collect();
    for side in [first, second] {
        if let Some(entity) = &side.entity {
            answer.want(entity, "asked about", true);
        }
    }
    answer.list("compared", rows);
    Some(answer)
}

/// The definitions and files that the words name, in their order.
fn sides(reading: AnswerInputs, understood: &Understood, words: &[QuestionWord]) -> Vec<ComparedThing> {
    let mut sides: Vec<ComparedThing> = Vec::new();
    for word in words {
        let file = understood.plan.files.iter().find(|file| file.mention == word.text && !file.is_folder);
        // Of several files with one name, the one of the program nearest to the root.
        let path = file.and_then(|file| {
            file.paths.iter().min_by_key(|path| (is_aside(path), path.matches('/').count(), (*path).clone()))
        });
        if let Some(path) = path {
            let text = reading.sources.text(path).unwrap_or_default();
            let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
            sides.push(ComparedThing { name: path.clone(), path: path.clone(), lines, entity: None });
            continue;
        }
        let subjects = understood.plan.subjects.iter().zip(&understood.targets);
        let targets = subjects.filter(|(subject, _)| subject.mention == word.text).map(|(_, target)| target.main());
        if let Some(entity) = targets.min_by_key(|entity| is_aside(&entity.path)) {
            sides.push(ComparedThing {
                name: short_name(entity).to_owned(),
                path: entity.path.clone(),
                lines: lines(entity),
                entity: Some(entity.clone()),
            });
        }
    }
    sides.dedup_by(|a, b| a.name == b.name && a.path == b.path);
    sides
}

/// An answer of these questions, which `ask` alone gives.
fn begun(understood: &Understood, headline: String) -> Answer {
    let plan = understood.clone().read_as(QuestionIntent::Compare).plan;
    let mut answer = Answer::new(plan, headline);
    answer.command = understood.plan.ask_command();
    // A condition that was not understood elsewhere is the question here.
    answer.plan.notes.retain(|note| !note.contains("leaves out"));
    answer
}
