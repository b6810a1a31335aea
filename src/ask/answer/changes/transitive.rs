//! Answers who reaches a definition over any number of calls, or over a few: `who eventually calls f`, `which functions
//! reach f within 3 steps`. One step back would be a part of the answer only.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{
            Answer, AnswerBlock, AnswerInputs, ListRow, by_intent, changes::reverse::dependents, first_in_words,
            imports::entry_points, names_of,
        },
        reading::{
            filters::Noun,
            forms::{QuestionIntent, patterns::number},
            names::at_path,
            plan::Understood,
            relations::{RelationCondition, RelationSet, RelationVerb, noun_of},
            words::is_in,
        },
    },
    model::{EntityId, EntityKind, Evidence, RelationshipKind, conventions::is_private},
    query::{
        impact::{ImpactReport, Impacted, walk::Limits},
        target::{
            exported::offered,
            filter::{Filter, FilterReader},
            likeliest::is_aside,
        },
        words::count,
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Words that speak of more than one step.
pub(in crate::ask::answer) const OVER_OTHERS: &str =
    "eventually finally indirect indirectly recursive recursively transitive transitively ultimately";
/// Beginnings of words for a use.
const USES: [&str; 8] = ["call", "depend", "invok", "reach", "rel", "use", "using", "lead"];
/// Units of a distance.
const STEPS: &str = "call calls hop hops level levels step steps";
/// Ways to a definition, which begin somewhere else.
const WAYS: &str = "chains paths routes ways";
/// Words of other questions.
const OTHERS: &str = "subclass subclasses derive derives derived inherit inherits inherited heirs base bases exception \
     exceptions raise raises raised import imports imported if change changed changing break breaks commit commits when why";
/// Those that reach a definition and are named in a headline.
const MAX_NAMED: usize = 4;

/// Answers such a question with the impact of the definition; `None` for other questions.
pub(in crate::ask::answer) fn transitive(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    if understood.reverse.is_some() {
        return dependents(reading, understood);
    }
    let words = understood.question.lower_words();
    let Some(subject) = understood.plan.subjects.first() else { return Ok(None) };
    let is_one = understood.plan.subjects.iter().all(|one| one.mention == subject.mention);
    let mention = subject.mention.to_lowercase();
    let Some(name) = words.iter().position(|word| *word == mention) else { return Ok(None) };
    let (before, behind) = (&words[..name], &words[name + 1..]);
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    let is_of_tests = words.iter().any(|word| noun_of(word) == Some(Noun::Test));
    if !is_one || is_of_tests || has(OTHERS) || !understood.plan.files.is_empty() {
        return Ok(None);
    }
    let levels = levels_of_callers(before);
    let steps = within(&words[name..]).or_else(|| within(before)).or(levels);
    if is_outgoing(before, behind) && (steps.is_some() || is_over_others(&words, before)) {
        let asked = understood.clone().read_as(QuestionIntent::Flow);
        return by_intent(reading, &asked).map(Some);
    }
    let is_open = understood.set.as_ref().is_none_or(is_of_one);
    let is_asked = asks_whether_public(before)
        || is_reaching(before, behind)
        || is_open && is_incoming(before) && (steps.is_some() || is_over_others(&words, before));
    if !is_asked {
        return Ok(None);
    }
    let limits = Limits { depth: steps.or(reading.limits.depth), ..reading.limits.clone() };
    let asked = understood.clone().read_as(QuestionIntent::Impact);
    let mut answer = by_intent(AnswerInputs { limits: &limits, ..reading }, &asked)?;
    let report = answer.blocks.iter().find_map(|block| match block {
        AnswerBlock::Impact(report) if !report.impacted.is_empty() => Some(report.as_ref()),
        _ => None,
    });
    let farthest = levels.zip(report).map(|(levels, report)| {
        let row = |row: &Impacted| (row.distance == levels && !row.is_test).then(|| format!("`{}`", row.name));
        report.impacted.iter().filter_map(row).collect::<Vec<String>>()
    });
    let found = report.map(|report| reached_from(reading, &asked, before, report)).transpose()?;
    if let Some((headline, rows)) = found {
        answer.headline = match farthest {
            Some(names) => {
                let steps = count(levels.unwrap_or_default() as usize, "step");
                let (number, are) = (count(names.len(), "definition"), if names.len() == 1 { "is" } else { "are" });
                let named = first_in_words(names.into_iter(), MAX_NAMED);
                let named = if named.is_empty() { named } else { format!(": {named}") };
                format!("{number} outside of tests {are} {steps} away{named}; {headline}")
            }
            None => headline,
        };
        if !rows.is_empty() {
            let behind = std::mem::take(&mut answer.blocks);
            answer.list(format!("those that reach it ({})", rows.len()), rows);
            answer.blocks.extend(behind);
        }
    }
    if answer.command.is_empty() {
        answer.command = asked.command();
    }
    if let Some(steps) = steps {
        answer.headline += &format!("; only what is at most {} away", count(steps as usize, "step"));
        answer.command += &format!(" --depth {steps}");
    }
    Ok(Some(answer).filter(|answer| !answer.headline.is_empty()))
}

/// The number of levels of `callers of callers of f`.
fn levels_of_callers(before: &[String]) -> Option<u32> {
    let mut open: Vec<&str> = before.iter().map(String::as_str).filter(|word| *word != "the").collect();
    let mut levels = 0;
    while let [rest @ .., "callers", "of"] = open.as_slice() {
        levels += 1;
        open = rest.to_vec();
    }
    (levels > 1).then_some(levels)
}

/// Whether the words before a name ask whether some public function reaches it.
fn asks_whether_public(before: &[String]) -> bool {
    before.iter().map(String::as_str).take(4).eq(["does", "any", "public", "function"])
}

/// Whether a set has no other condition but one use: `public functions that call f`.
fn is_of_one(set: &RelationSet) -> bool {
    let is_use =
        |one: &RelationCondition| !one.is_denied && matches!(one.verb, RelationVerb::Calls | RelationVerb::Uses);
    let is_alone = set.owners.is_empty() && set.among.is_empty() && set.left_out.is_empty() && set.lost.is_empty();
    is_alone && set.conditions.len() == 1 && set.conditions.iter().all(is_use)
}

/// Whether the words around a name ask for what it calls: `callees of f`, `what does f call`.
fn is_outgoing(before: &[String], behind: &[String]) -> bool {
    let is_turned = before.first().is_some_and(|word| is_in("list show what which", word))
        && before.iter().any(|word| is_in("can could do does", word))
        && behind.iter().take(2).any(|word| is_in("call calls invoke reach reaches use", word));
    before.iter().any(|word| is_in("callee callees outgoing", word)) || is_turned
}

/// Whether the words before a name ask for those that use it: `what does f call` asks for the other direction.
fn is_incoming(before: &[String]) -> bool {
    before.iter().any(|word| USES.iter().any(|verb| word.starts_with(verb)))
        && !before.iter().any(|word| is_in("can could do does did from will would", word))
        && !before.first().is_some_and(|word| is_in("are how is", word))
}

/// Whether the words speak of more than one step.
fn is_over_others(words: &[String], before: &[String]) -> bool {
    let is_chain = |part: &[String]| {
        let joined = part.join(" ");
        matches!(
            joined.as_str(),
            "call chain to" | "call chains to" | "chain of calls" | "chains of calls" | "chain of callers"
        )
    };
    let is_everything = matches!(
        before.iter().map(String::as_str).collect::<Vec<_>>().as_slice(),
        ["everything" | "anything", "that" | "which", "depends", "on", ..]
            | ["all", "that", "depends", "on", ..]
            | ["list" | "show" | "find", "everything" | "all", "that", "depends", "on", ..]
            | ["what" | "who", "all", "depends", "on", ..]
    );
    words.iter().any(|word| is_in(OVER_OTHERS, word)) || words.windows(3).any(is_chain) || is_everything
}

/// Whether the words around a name ask who reaches it, however many steps away: `what reaches f`, `which paths lead to
/// f`, `trace back the callers of f`, `from where can f be reached`.
fn is_reaching(before: &[String], behind: &[String]) -> bool {
    let bare: Vec<&str> = before.iter().map(String::as_str).filter(|word| !is_in("a all any the", word)).collect();
    let has = |list: &str| bare.iter().any(|word| is_in(list, word));
    let head = bare.first().copied().unwrap_or_default();
    let is_question = is_in("what which who", head);
    let is_list = is_question || is_in("display everything find give list show", head) || has("that") || has("where");
    let is_turned = is_in("are do does did how is", head);
    let kinds = "class function method variable property module";
    let mut open = bare.as_slice();
    while let [rest @ .., last] = open
        && is_in(kinds, last)
    {
        open = rest;
    }
    match open {
        // `who can reach f`
        [front @ .., verb] if is_in("reach reaches reaching", verb) => {
            is_list && !is_turned && front.last().is_none_or(|word| *word != "to")
        }
        // `which functions lead to f`, `paths ending in f`, `call paths to f`
        [front @ .., verb, "at" | "in" | "into" | "to" | "up"] if !is_turned && !has("from") => match *verb {
            "lead" | "leads" | "leading" => is_list || front.iter().any(|word| is_in(WAYS, word)),
            // `paths that end up in f`
            "end" | "ends" | "ending" | "up" => front.iter().any(|word| is_in(WAYS, word)),
            "paths" => !has("where"),
            "path" => front.last().is_some_and(|word| is_in("call code execution", word)),
            _ => false,
        },
        // `trace the callers of f`, `callers of callers of f`
        [front @ .., "callers" | "calls", "of" | "to"] => {
            is_in("backtrace follow trace walk", head) || front.ends_with(&["callers", "of"])
        }
        // `from where can f be reached`, `where is f reachable from`
        _ => {
            let is_asked = is_question || head == "where" || matches!(bare.as_slice(), ["from", "where" | "what", ..]);
            let states = behind.iter().take(2).any(|word| is_in("reachable reached", word));
            let has_end = matches!(behind, [.., last] if last == "from") || bare.contains(&"from");
            is_asked && states && has_end
        }
    }
}

/// The sentence about everything that reaches the subjects, and those of the kind that is asked for.
fn reached_from(
    reading: AnswerInputs,
    understood: &Understood,
    before: &[String],
    report: &ImpactReport,
) -> Result<(String, Vec<ListRow>), StoreError> {
    let names = names_of(&understood.targets);
    let (are, it) = if understood.targets.len() == 1 { ("is", "it") } else { ("are", "them") };
    let is_sure = report.impacted.iter().any(|row| row.evidence != Evidence::Possible);
    let perhaps = if is_sure { "" } else { "perhaps " };
    let reach = if report.tests.len() > 1 { "reach" } else { "reaches" };
    let tests = report.number_of_tests();
    let mut headline = format!("{names} {are} {perhaps}reached from {}; {tests} {reach} {it}", report.dependents());
    let has = |list: &str| before.iter().any(|word| is_in(list, word));
    // `what reaches the function f` asks for all.
    let noun = before.split_last().and_then(|(_, front)| front.iter().find_map(|word| noun_of(word)));
    let only_public = has("public exported");
    let api = if only_public { Some(PublicApi::of(reading.store)?) } else { None };
    let mut conditions = String::new();
    let (kind, rows) = if has("entry entrypoint entrypoints") {
        ("entry point", entry_points_among(reading, understood, report)?)
    } else if matches!(noun, Some(Noun::Function | Noun::Method | Noun::Class)) && !has("callers") {
        let are_functions = understood.words.iter().any(|word| word.starts_with("function"));
        let is_kind = |row: &Impacted| match noun {
            Some(Noun::Class) => {
                matches!(row.kind, EntityKind::Class | EntityKind::Method | EntityKind::Property)
            }
            Some(Noun::Method) if !are_functions => matches!(row.kind, EntityKind::Method | EntityKind::Property),
            _ => row.kind.is_callable(),
        };
        let found = report.impacted.iter().filter(|row| !row.is_test && !is_aside(&row.path) && is_kind(row));
        // A guess is no certain caller, unless there are only guesses.
        let found = found.filter(|row| !is_sure || row.evidence != Evidence::Possible);
        let (mut rows, mut classes) = (Vec::new(), BTreeSet::new());
        let filter = Filter { is_in_tests: None, ..understood.plan.filters.conditions() };
        let reader = FilterReader::new(reading.store)?;
        for row in found {
            let mut entity = at_path(reading.store, &row.name, &row.path)?;
            if noun == Some(Noun::Class)
                && let Some(member) = entity.take()
            {
                // Who changes a method changes its class.
                entity = if member.record.kind == EntityKind::Class {
                    Some(member)
                } else {
                    reading.store.entity(member.parent)?.filter(|outer| outer.record.kind == EntityKind::Class)
                };
                if entity.as_ref().is_none_or(|class| !classes.insert(class.id)) {
                    continue;
                }
            }
            if let (Some(api), Some(entity)) = (&api, &entity)
                && !api.has(reading.store, entity)?
            {
                continue;
            }
            let ids: BTreeSet<EntityId> = entity.iter().map(|entity| entity.id).collect();
            if !ids.is_empty() && reader.among(&filter, &ids)?.is_empty() {
                continue;
            }
            let of_row = || ListRow {
                name: row.name.clone(),
                kind: row.kind.as_str(),
                path: row.path.clone(),
                line: row.line,
                ..ListRow::default()
            };
            rows.push(match &entity {
                Some(class) if noun == Some(Noun::Class) => ListRow::of(class),
                _ => of_row(),
            });
        }
        conditions = filter.words();
        let is_public = only_public && matches!(conditions.as_str(), "" | "public");
        if is_public {
            conditions.clear();
        }
        let noun = match (noun, is_public) {
            (Some(Noun::Class), true) => "public class",
            (Some(Noun::Class), false) => "class",
            (Some(Noun::Method), true) if !are_functions => "public method",
            (Some(Noun::Method), false) if !are_functions => "method",
            (_, true) => "public function",
            (_, false) => "function",
        };
        (noun, rows)
    } else {
        return Ok((headline, Vec::new()));
    };
    let first = first_in_words(rows.iter().map(|row: &ListRow| format!("`{}`", row.name)), MAX_NAMED);
    if let Some(api) = api.filter(|_| asks_whether_public(before)) {
        let mut is_itself = false;
        for target in &understood.targets {
            is_itself = is_itself || api.has(reading.store, target.main())?;
        }
        let own = if is_itself {
            format!("{names} {are} public {}; ", if are == "is" { "itself" } else { "themselves" })
        } else {
            String::new()
        };
        let verdict = match (rows.len(), is_itself) {
            (0, false) if is_sure => {
                "no: no public function or method outside of tests is known to reach it".to_owned()
            }
            (0, false) => "perhaps: only guesses lead from public functions or methods".to_owned(),
            (0, true) => format!("yes: {own}no other public function outside of tests is known to reach {it}"),
            (1, _) if is_sure => {
                format!("yes: {own}1 public function or method outside of tests reaches {it}: {first}")
            }
            (all, _) if is_sure => {
                format!("yes: {own}{all} public functions and methods outside of tests reach {it}: {first}")
            }
            (all, true) => format!("yes: {own}{all} more may reach {it}: {first}"),
            (all, false) => format!("perhaps: {all} public functions or methods may reach {it}: {first}"),
        };
        return Ok((format!("{verdict}; {headline}"), rows));
    }
    let conditions = if conditions.is_empty() { conditions } else { format!(" ({conditions})") };
    headline += &match rows.len() {
        0 => format!("; no {kind}{conditions} outside of tests is among these"),
        all => format!("; outside of tests {}{conditions}: {first}", count(all, kind)),
    };
    Ok((headline, rows))
}

/// The definitions that users of the program can reach by name.
pub(super) struct PublicApi {
    /// Those that a public package or module offers.
    offered: BTreeSet<EntityId>,
}

impl PublicApi {
    pub(super) fn of(store: &Store) -> Result<Self, StoreError> {
        let mut offered = offered(store)?;
        // The members of its bases are those of a class too.
        let mut open: Vec<EntityId> = offered.iter().copied().collect();
        while let Some(class) = open.pop() {
            let bases = store.outgoing(class)?.into_iter().filter(|one| one.kind == RelationshipKind::Inherits);
            open.extend(bases.map(|one| one.target).filter(|base| offered.insert(*base)));
        }
        Ok(Self { offered })
    }

    /// Whether a definition and all that it stands in are public: a function inside of another one is not.
    pub(super) fn has(&self, store: &Store, entity: &Entity) -> Result<bool, StoreError> {
        let mut inner = entity.clone();
        while inner.record.kind != EntityKind::Module {
            if self.offered.contains(&inner.id) {
                return Ok(true);
            }
            let Some(outer) = store.entity(inner.parent)?.filter(|_| !is_private(&inner.record.name)) else {
                return Ok(false);
            };
            if outer.record.kind.is_callable() {
                return Ok(false);
            }
            inner = outer;
        }
        // What a private module has is no part of the API unless another one offers it.
        Ok(!inner.module.split('.').any(is_private))
    }
}

/// The places where the program begins that are among those that reach the subjects.
fn entry_points_among(
    reading: AnswerInputs,
    understood: &Understood,
    report: &ImpactReport,
) -> Result<Vec<ListRow>, StoreError> {
    let begins = entry_points(reading, understood)?.blocks.into_iter().flat_map(|block| match block {
        AnswerBlock::List(list) => list.rows,
        _ => Vec::new(),
    });
    let is_found = |row: &ListRow| {
        report.impacted.iter().any(|one| one.name == row.name && one.path == row.path)
            || understood.targets.iter().any(|target| target.main().full_name() == row.name)
    };
    Ok(begins.filter(is_found).collect())
}

/// The number of steps that a question allows: `within three calls`, `at most 2 steps away`, `up to depth 3`, `two
/// levels deep`.
pub(in crate::ask::answer) fn within(words: &[String]) -> Option<u32> {
    const HEADS: [&str; 12] = [
        "within",
        "at most",
        "up to",
        "down to",
        "limited to",
        "limit to",
        "more than",
        "max",
        "maximum",
        "maximum of",
        "next",
        "last",
    ];
    let is_asked = |at: &usize| {
        let before = words[at.saturating_sub(2)..*at].join(" ");
        let is_headed = HEADS.iter().any(|head| before == *head || before.ends_with(&format!(" {head}")));
        let is_of_depth = ["depth", "depth of", "depth to", "depth is"].iter().any(|end| before.ends_with(end));
        let behind = |back: usize| words.get(at + back).map_or("", String::as_str);
        is_of_depth || is_in(STEPS, behind(1)) && (is_headed || is_in("away back deep down up", behind(2)))
    };
    (0..words.len()).filter(is_asked).find_map(|at| number(&words[at]).filter(|steps| *steps > 0))
}
