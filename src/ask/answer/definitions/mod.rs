//! Answers about single definitions: their source, their members, comparisons and explanations.

pub(super) mod aliases;
pub(super) mod defaults;
pub(super) mod definers;
pub(super) mod deprecated;
pub(super) mod hashable;
pub(super) mod inheriting;
pub(super) mod metaclass;
pub(super) mod parameters;
pub(super) mod resolution_order;
pub(super) mod setters;
pub(super) mod unknown;
pub(super) mod untold;
pub(super) mod which;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use self::{deprecated::deprecated, hashable::hashable, metaclass::metaclass, setters::setter};
use crate::{
    ask::{
        answer::{
            Answer, AnswerBlock, AnswerInputs, AnswerTable, ListRow, Snippet,
            changes::testing::existing_tests,
            facts::place,
            in_words, names_of,
            relations::{connections, users, uses},
            select::{asked_members, counted_kinds, joined_kinds},
            short_name, snippet,
            survey::whole::is_underline,
        },
        reading::{
            names::NameMatch,
            plan::Understood,
            words::{ParsedQuestion, is_stop_word, name_parts, stem},
        },
    },
    model::{
        EntityFlags, EntityId, EntityKind, Relationship, RelationshipKind,
        written_signature::{WrittenParameter, WrittenSignature},
    },
    query::{
        impact::completeness::Completeness,
        target::{
            Target, aliased, bases,
            filter::{Abstractness, DefinitionMark, Filter, FilterReader},
            likeliest::is_aside,
            lineage,
        },
        words::count,
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Definitions with more lines than this are explained by their members instead of their whole source.
const LONG: u32 = 150;
/// The same for classes: their members say more than the first half of their source.
const LONG_CLASS: u32 = 40;
/// A longer signature does not stand in a headline.
const LONGEST_SIGNATURE: usize = 100;
/// Members of a long definition that are shown because their names fit the question.
const MAX_FOCUS: usize = 4;
/// Abstract methods that a headline names.
const MAX_ABSTRACT: usize = 4;
/// Tests that a language model gets to see as examples of use.
const MAX_TESTS: usize = 3;
/// Callers and callees that an explanation lists; its titles count all of them.
const MAX_NEIGHBORS: usize = 12;

/// Shows the source of the definitions.
pub fn show(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let targets = &understood.targets;
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    for target in targets {
        sources_of(reading, target, &mut answer)?;
    }
    answer.headline = match targets.as_slice() {
        [target] => {
            let main = target.main();
            let verdict = yes_or_no(reading, understood, target)?;
            let verdict = if asks_whether_there(understood) { Some(there(understood, targets)) } else { verdict };
            if let Some(verdict) = verdict {
                let others = other_verdicts(reading, understood, &verdict)?;
                answer.headline = [vec![verdict], others].concat().join("; ");
                return Ok(answer);
            }
            if main.record.flags.has(EntityFlags::FIXTURE) {
                let mut requested = uses(reading, target)?.entities;
                requested.retain(|entity| entity.record.flags.has(EntityFlags::FIXTURE));
                let title = format!("fixtures that it requests ({})", requested.len());
                answer.list(title, requested.iter().map(ListRow::of).collect());
            }
            let from = target.inherited_by.as_ref().map_or(String::new(), |class| format!(", inherited by {class}"));
            let record = &target.implementation().record;
            let at = place(&main.path, record.start_line, record.end_line);
            let written = defaults::statement(reading, main).map_or(String::new(), |text| format!(": `{text}`"));
            format!("{} is the {} at {at}{from}{written}", named(main), record.kind)
        }
        several => {
            let mut verdicts = Vec::new();
            for target in several {
                verdicts.extend(yes_or_no(reading, understood, target)?);
            }
            match (asks_whether_there(understood), verdicts.is_empty()) {
                (true, _) => there(understood, several),
                (false, false) => verdicts.join("; "),
                (false, true) => format!("{} are shown", names_of(several)),
            }
        }
    };
    Ok(answer)
}

/// The verdict on a definition; `None` for questions that ask for none.
fn yes_or_no(reading: AnswerInputs, understood: &Understood, target: &Target) -> Result<Option<String>, StoreError> {
    if let Some(verdict) = deprecated(reading, understood, target) {
        return Ok(Some(verdict));
    }
    if let Some(verdict) = metaclass(reading, understood, target)? {
        return Ok(Some(verdict));
    }
    if let Some(verdict) = setter(reading, understood, target)? {
        return Ok(Some(verdict));
    }
    match hashable(reading, understood, target)? {
        Some(verdict) => Ok(Some(verdict)),
        None => verdict(reading.store, understood, target.main()),
    }
}

/// The verdicts on less likely definitions of the name that say the contrary.
fn other_verdicts(reading: AnswerInputs, understood: &Understood, verdict: &str) -> Result<Vec<String>, StoreError> {
    let head = |verdict: &str| verdict.split(':').next().unwrap_or_default().to_owned();
    let passed = understood.passed.iter().flat_map(|(_, passed)| passed);
    let mut others = Vec::new();
    for target in passed.filter(|target| !is_aside(&target.main().path)) {
        let other = yes_or_no(reading, understood, target)?;
        others.extend(other.filter(|other| head(other) != head(verdict)));
    }
    Ok(others)
}

/// Whether a question asks if there is a definition of a name: `is there a class called C`.
fn asks_whether_there(understood: &Understood) -> bool {
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    matches!(words.as_slice(), ["is" | "are", "there", ..])
}

/// Yes or no to `is there a class called C`, in the files that the question names.
fn there(understood: &Understood, targets: &[Target]) -> String {
    let files: Vec<&String> = understood.plan.files.iter().flat_map(|file| &file.paths).collect();
    let is_inside = |target: &&Target| files.is_empty() || files.contains(&&target.main().path);
    let place = |target: &Target| {
        let main = target.main();
        format!("{} is a {} at {}:{}", named(main), main.record.kind, main.path, main.record.start_line)
    };
    let (inside, outside): (Vec<&Target>, Vec<&Target>) = targets.iter().partition(is_inside);
    let found: Vec<String> = inside.iter().map(|target| place(target)).collect();
    if found.is_empty() {
        let found: Vec<String> = outside.iter().map(|target| place(target)).collect();
        return format!("no: none is there{}; {}", understood.limited_to(), found.join("; "));
    }
    format!("yes: {}", found.join("; "))
}

/// Yes or no to `is X abstract` and to `does C have a method m`; `None` for other questions.
fn verdict(store: &Store, understood: &Understood, main: &Entity) -> Result<Option<String>, StoreError> {
    let conditions = Filter { is_in_tests: None, ..understood.plan.filters.conditions() };
    let place = format!("{} at {}:{}", main.record.kind, main.path, main.record.start_line);
    Ok(match understood.words.first().map(String::as_str) {
        Some("is" | "are") if !conditions.is_empty() => {
            let is_so = FilterReader::new(store)?.accepts(&conditions, main)?;
            let words = conditions.words();
            let bare = words.strip_prefix("not ");
            let (yes, words) = match (is_so, bare) {
                (true, _) => ("yes", words),
                (false, Some(bare)) => ("no", bare.to_owned()),
                (false, None) => ("no", format!("not {words}")),
            };
            let why =
                if conditions.marks == [DefinitionMark::Abstract] { why_abstract(store, main)? } else { String::new() };
            Some(format!("{yes}: {} is {words} ({place}){why}", named(main)))
        }
        Some("does" | "do" | "has" | "have") => Some(if let Some(mention) = slip(understood, main) {
            format!("no: nothing is called `{mention}`; {} is a {place}", named(main))
        } else if let Some(member) = missing_member(understood, main) {
            format!("no: {} has no member `{member}` that is known here ({place})", named(main))
        } else if is_asked_for(understood) {
            format!("yes: {} is a {place}", named(main))
        } else {
            format!("whether this holds is not known: the condition is not understood; {} is a {place}", named(main))
        }),
        _ => None,
    })
}

/// The reason why a class is abstract or not, behind a colon.
fn why_abstract(store: &Store, class: &Entity) -> Result<String, StoreError> {
    Ok(match FilterReader::new(store)?.abstractness(class)? {
        Abstractness::Methods(methods) => {
            let names = methods.iter().take(MAX_ABSTRACT).map(|one| format!("`{}`", one.record.qualified));
            let mut names: Vec<String> = names.collect();
            let more = methods.len().saturating_sub(MAX_ABSTRACT);
            names.extend((more > 0).then(|| format!("{more} more")));
            let is = if methods.len() == 1 { "is" } else { "are" };
            format!(": {} {is} abstract", in_words(&names))
        }
        Abstractness::NoMethods => ": it is an ABC without an abstract method".to_owned(),
        Abstractness::Concrete => String::new(),
    })
}

/// Whether the question asks for the definition itself: `do we have a class called C`, `does C have a method m`.
fn is_asked_for(understood: &Understood) -> bool {
    let is_here = understood.words.iter().take(4).any(|word| {
        matches!(
            word.as_str(),
            "code"
                | "codebase"
                | "exist"
                | "i"
                | "it"
                | "library"
                | "package"
                | "program"
                | "project"
                | "repo"
                | "repository"
                | "there"
                | "they"
                | "this"
                | "we"
                | "you"
        )
    });
    is_here
        || understood.words.iter().any(|word| word.starts_with("exist"))
        || understood.plan.subjects.iter().any(|subject| subject.within.is_some() || subject.inherited_by.is_some())
}

/// The misspelt name that was taken for this definition.
fn slip<'a>(understood: &'a Understood, main: &Entity) -> Option<&'a str> {
    let name = main.full_name();
    let mut subjects = understood.plan.subjects.iter();
    subjects.find(|subject| subject.matched == NameMatch::Slip && subject.name == name).map(|it| it.mention.as_str())
}

/// The member that a question asks a class for and that nothing was found for: `does C have a method named m`.
fn missing_member(understood: &Understood, main: &Entity) -> Option<String> {
    const MEMBERS: [&str; 6] = ["attribute", "field", "function", "member", "method", "property"];
    let words = &understood.words;
    let at = words.iter().position(|word| MEMBERS.contains(&word.as_str()))?;
    if main.record.kind != EntityKind::Class {
        return None;
    }
    let called = words[at + 1..].iter().find(|word| !matches!(word.as_str(), "called" | "named"));
    let is_article = |word: &&String| matches!(word.as_str(), "a" | "an" | "the" | "own" | "have" | "has");
    let before = at.checked_sub(1).map(|at| &words[at]).filter(|word| !is_article(word));
    let unknown = understood.plan.unknown.first().map(|unknown| unknown.mention.clone());
    unknown.or_else(|| called.or(before).cloned()).filter(|name| *name != main.record.name.to_lowercase())
}

/// The modules of a package, at any depth.
fn modules_below(reading: AnswerInputs, package: &Entity) -> Result<Vec<ListRow>, StoreError> {
    let folder = package.path.trim_end_matches("__init__.py");
    let mut rows = Vec::new();
    for (id, file) in reading.store.files()? {
        if file.path.starts_with(folder) && file.path != package.path {
            let module = reading.store.entities_of(id)?.into_iter().find(|one| one.record.kind == EntityKind::Module);
            rows.extend(module.map(|module| ListRow::of(&module).with(module.record.doc.clone())));
        }
    }
    rows.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(rows)
}

/// Says what a definition takes and gives: its head as written, the parameters that are asked for, and its returns.
pub fn signature(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let mut headlines = Vec::new();
    let takes = |target: &&Target| {
        matches!(target.main().record.kind, EntityKind::Class) || target.main().record.kind.is_callable()
    };
    let mut targets = Vec::new();
    for target in &understood.targets {
        targets.push(aliased(reading.store, target)?.unwrap_or_else(|| target.clone()));
    }
    let has_callable = targets.iter().any(|target| takes(&target));
    for target in targets.iter().filter(|target| !has_callable || takes(target)) {
        let main = target.main();
        answer.want(main, "asked about", false);
        let callable = constructor(reading.store, target.implementation())?;
        let written = WrittenSignature::parse(&callable.record.signature);
        let (parameters, result) =
            written.map_or_else(Default::default, |written| (written.parameters, written.result));
        // No caller passes the object itself.
        let is_own = |parameter: &WrittenParameter| matches!(parameter.name, "self" | "cls" | "mcs");
        let own = parameters.first().filter(|first| callable.record.kind != EntityKind::Function && is_own(first));
        let passed = parameters.len() - usize::from(own.is_some());
        let without = own.map_or_else(String::new, |own| format!(" besides `{}`", own.name));
        let wants_number = understood.words.windows(2).any(|pair| pair[0] == "how" && pair[1] == "many")
            || understood.words.windows(2).any(|pair| pair[0] == "number" && pair[1] == "of");
        let wants_default = understood.words.iter().any(|word| word.starts_with("default"));
        let is_named = |name: &str| {
            understood.plan.parameters.iter().any(|one| one == name)
                || wants_default && name != "default" && understood.words.iter().any(|word| word == name)
        };
        let is_asked = |parameter: &&WrittenParameter| is_named(parameter.name);
        let asked: Vec<&WrittenParameter> = parameters.iter().filter(is_asked).collect();
        let fields = fields(reading, main)?;
        let name = short_name(main);
        let mut parts: Vec<String> =
            asked.iter().map(|parameter| parameters::worded(parameter, name, &understood.words)).collect();
        let fields: Vec<&ListRow> =
            fields.iter().filter(|row| asked.is_empty() && row.name.rsplit('.').next().is_some_and(is_named)).collect();
        parts.extend(fields.iter().map(|row| format!("`{}` ({}:{})", row.text, row.path, row.line)));
        let wants_returns = understood.words.iter().any(|word| word.starts_with("return") || word == "gives");
        if asked.is_empty() && !wants_returns {
            answer.count(passed, "parameter");
        }
        let gives = if wants_returns { returns(reading, &callable) } else { Vec::new() };
        if wants_returns && !result.is_empty() {
            parts.push(format!("`{name}` returns `{result}`"));
        } else if let Some(first) = gives.first().filter(|_| callable.record.kind.is_callable()) {
            let more =
                if gives.len() > 1 { format!(", the first of {}", count(gives.len(), "place")) } else { String::new() };
            parts.push(format!(
                "the result of `{name}` is not annotated: `{}` ({}:{}){more}",
                first.note, first.path, first.line
            ));
        }
        if parameters::asks_for_unpassed(understood) {
            parts.push(parameters::unpassed(reading, target, &parameters)?);
        }
        if wants_default && main.record.kind == EntityKind::Variable {
            let written = users(reading, target)?.rows.into_iter().filter(|row| row.note.starts_with("writes"));
            let written: Vec<ListRow> = written.filter(|row| !is_aside(&row.path)).collect();
            let value = defaults::of_variable(reading, main, &written)?;
            let (said, rows) = defaults::of_parameters(reading, &main.record.name)?;
            if let (None, None, Some(first)) = (&value, &said, written.first()) {
                parts.push(format!("`{name}` is set at {}:{}: `{}`", first.path, first.line, first.text));
            }
            parts.extend(value);
            parts.extend(said);
            answer.list(format!("parameters called `{}` ({})", main.record.name, rows.len()), rows);
            answer.list(format!("where `{name}` is set ({})", written.len()), written);
        }
        if parts.is_empty() {
            let signature = &callable.record.signature;
            parts.push(if signature.is_empty() {
                format!("`{name}` is a {} at {}:{}", main.record.kind, main.path, main.record.start_line)
            } else if signature.len() > LONGEST_SIGNATURE || wants_number {
                // The whole head follows.
                let gives = if result.is_empty() { String::new() } else { format!(" and returns `{result}`") };
                format!("`{name}` takes {}{without}{gives}", count(passed, "parameter"))
            } else {
                format!("`{name}{signature}`")
            });
        }
        // A class and its base may share the statement that sets an attribute.
        parts.retain(|part| !headlines.contains(part));
        headlines.extend(parts);
        answer.blocks.push(AnswerBlock::Source(head(reading, &callable)));
        answer.list(format!("fields of `{name}`"), fields.into_iter().cloned().collect());
        if wants_returns {
            answer.list(format!("where it returns ({})", gives.len()), gives);
        }
    }
    answer.headline = headlines.join("; ");
    Ok(answer)
}

/// The method that makes instances of a class, its own or that of a base; any other definition itself.
fn constructor(store: &Store, main: &Entity) -> Result<Entity, StoreError> {
    if main.record.kind != EntityKind::Class {
        return Ok(main.clone());
    }
    let own = store.children(main.id)?;
    let is_one = |member: &Entity| matches!(member.record.name.as_str(), "__init__" | "__new__");
    if let Some(member) = own.iter().find(|member| is_one(member)) {
        return Ok(member.clone());
    }
    for (_, members) in inherited(store, main, &own)? {
        if let Some(member) = members.into_iter().find(is_one) {
            return Ok(member);
        }
    }
    Ok(main.clone())
}

/// The lines of a definition up to the colon that ends its head.
fn head(reading: AnswerInputs, entity: &Entity) -> Snippet {
    let record = &entity.record;
    let whole = snippet(reading.sources, entity);
    if !record.kind.is_callable() {
        return whole;
    }
    let text = reading.sources.lines(&entity.path, record.line, record.end_line).unwrap_or_default();
    let mut depth = 0_i32;
    let mut length = 0;
    for line in text.lines() {
        length += 1;
        let code = line.split(" #").next().unwrap_or(line).trim_end();
        depth += code.chars().map(|c| i32::from("([{".contains(c)) - i32::from(")]}".contains(c))).sum::<i32>();
        if depth <= 0 && code.ends_with(':') {
            break;
        }
    }
    let end_line = (record.line + length).saturating_sub(1).max(record.line);
    let (start_line, text) = (record.line, reading.sources.lines(&entity.path, record.line, end_line));
    Snippet { start_line, end_line, text, ..whole }
}

/// The variables in a class's body, each with its line.
fn fields(reading: AnswerInputs, class: &Entity) -> Result<Vec<ListRow>, StoreError> {
    if class.record.kind != EntityKind::Class {
        return Ok(Vec::new());
    }
    let own = reading.store.children(class.id)?;
    let mut members = own.clone();
    for (_, inherited) in inherited(reading.store, class, &own)? {
        members.extend(inherited);
    }
    let fields = members.iter().filter(|member| member.record.kind == EntityKind::Variable);
    let row = |member: &Entity| {
        let text = reading.sources.line(&member.path, member.record.line).unwrap_or_default();
        ListRow { text, end_line: 0, signature: String::new(), ..ListRow::of(member) }
    };
    Ok(fields.map(row).collect())
}

/// The `return` and `yield` statements in the lines of a definition.
fn returns(reading: AnswerInputs, entity: &Entity) -> Vec<ListRow> {
    let record = &entity.record;
    let text = reading.sources.lines(&entity.path, record.line, record.end_line).unwrap_or_default();
    let is_return =
        |line: &str| ["return", "yield"].iter().any(|word| line == *word || line.starts_with(&format!("{word} ")));
    let found = (record.line..).zip(text.lines()).filter(|(_, line)| is_return(line.trim()));
    found
        .map(|(line, text)| ListRow {
            name: short_name(entity).to_owned(),
            kind: "returns",
            path: entity.path.clone(),
            line,
            note: text.trim().to_owned(),
            ..ListRow::default()
        })
        .collect()
}

/// Lists the members of classes and modules, own and inherited ones apart.
pub fn members(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let mut headlines = Vec::new();
    for target in &understood.targets {
        let main = target.main();
        let members = without_stubs(in_order(reading.store.children(main.id)?));
        let methods = members.iter().filter(|member| is_method(member.record.kind)).count();
        let noun = if main.record.kind == EntityKind::Class { "method" } else { "function" };
        // A property and its setter are one.
        let counted = |kind: EntityKind| {
            let of_kind = members.iter().filter(|member| member.record.kind == kind);
            of_kind.map(|member| &member.record.qualified).collect::<BTreeSet<_>>().len()
        };
        let (classes, variables) = (counted(EntityKind::Class), counted(EntityKind::Variable));
        let is_package = main.record.kind == EntityKind::Module && main.path.ends_with("/__init__.py");
        let below = if is_package { modules_below(reading, main)? } else { Vec::new() };
        // A module of classes, or of constants, has no functions to count; a package has modules too.
        let mut has: Vec<String> = match methods {
            0 if classes > 0 => vec![count(classes, "class")],
            0 if variables > 0 => vec![count(variables, "variable")],
            0 if !below.is_empty() => Vec::new(),
            _ => vec![count(methods, noun)],
        };
        // A property is a method by its `def`, and is counted where methods are.
        let properties = counted(EntityKind::Property);
        if properties > 0 && methods > 0 && understood.words.iter().any(|word| word == "methods") {
            has.push(count(properties, "property"));
        }
        if !below.is_empty() {
            has.push(count(below.len(), "module"));
        }
        let (asked, rest): (Vec<Entity>, Vec<Entity>) = match asked_members(understood) {
            Some((noun, kinds)) => {
                let (asked, rest): (Vec<_>, Vec<_>) =
                    members.iter().cloned().partition(|member| kinds.contains(&member.record.kind));
                let names: BTreeSet<&String> = asked.iter().map(|member| &member.record.qualified).collect();
                has = vec![count(names.len(), noun)];
                (asked, rest)
            }
            None => (members.clone(), Vec::new()),
        };
        let kinds = counted_kinds(understood, &members);
        if joined_kinds(&understood.words).len() > 1 {
            has = kinds.iter().map(|kind| count(counted(*kind), kind.as_str())).collect();
        }
        headlines.push(match main.record.kind {
            kind if kind.is_callable() && members.is_empty() => {
                format!("none: {} is a {kind}, with nothing defined inside it", named(main))
            }
            kind if kind.is_callable() => {
                format!("{} is a {kind}: {} inside it", named(main), in_words(&has))
            }
            _ => format!("{} has {}", named(main), in_words(&has)),
        });
        let first = answer.blocks.len();
        groups(&mut answer, main, &asked);
        groups(&mut answer, main, &rest);
        for block in &mut answer.blocks[first..] {
            let AnswerBlock::List(list) = block else { continue };
            list.is_beside = !list.rows.iter().any(|row| kinds.iter().any(|kind| kind.as_str() == row.kind));
        }
        answer.list(format!("modules of {} ({})", main.full_name(), below.len()), below);
        answer.want(main, "asked about", false);
        // Only callables of bases are listed: inherited attributes would bury the own members.
        for (base, members) in inherited(reading.store, main, &members)? {
            let callable: Vec<&Entity> = members.iter().filter(|member| member.record.kind.is_callable()).collect();
            let rows: Vec<ListRow> = callable.into_iter().map(ListRow::of).collect();
            answer.beside(format!("inherited from {} ({})", base.full_name(), rows.len()), rows);
            answer.want(&base, "a base of it", true);
        }
    }
    answer.headline = headlines.join("; ");
    Ok(answer)
}

/// Compares two or more definitions member by member.
pub fn compare(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let targets = &understood.targets;
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let mut columns = vec![String::new()];
    columns.extend(targets.iter().map(|target| target.main().full_name()));
    let mut rows = profile(reading, targets)?;
    let mut held: Vec<BTreeMap<String, String>> = Vec::new();
    for target in targets {
        held.push(all_members(reading.store, target.main())?);
    }
    let names: BTreeSet<&String> = held.iter().flat_map(BTreeMap::keys).collect();
    let mut common = 0;
    for name in &names {
        let cells: Vec<String> =
            held.iter().map(|members| members.get(*name).cloned().unwrap_or_else(|| "-".to_owned())).collect();
        // A dash marks a member that this definition lacks.
        common += usize::from(!cells.iter().any(|cell| cell == "-"));
        rows.push([vec![(*name).clone()], cells].concat());
    }
    answer.headline = match (targets.len(), names.len()) {
        (1, _) => format!("only {} is known here: there is nothing to compare it with", names_of(targets)),
        (_, 0) => match caller_and_callee(reading, targets)? {
            Some((caller, callee)) => format!("`{}` calls `{}`", short_name(caller.main()), short_name(callee.main())),
            None => format!("{} side by side", names_of(targets)),
        },
        (_, all) => format!("{} have {common} of {} in common", names_of(targets), count(all, "member")),
    };
    answer.blocks.push(AnswerBlock::Table(AnswerTable { title: "side by side".to_owned(), columns, rows }));
    for target in targets {
        answer.want(target.main(), "asked about", false);
    }
    Ok(answer)
}

/// The two of two functions of which one calls the other, itself or by a function within it.
fn caller_and_callee<'t>(
    reading: AnswerInputs,
    targets: &'t [Target],
) -> Result<Option<(&'t Target, &'t Target)>, StoreError> {
    let [first, second] = targets else { return Ok(None) };
    for (caller, callee) in [(first, second), (second, first)] {
        let inner = reading.store.children(caller.main().id)?;
        let sources: BTreeSet<EntityId> = caller.entities.iter().chain(&inner).map(|entity| entity.id).collect();
        for entity in &callee.entities {
            let calls = |r: &Relationship| r.kind == RelationshipKind::Calls && sources.contains(&r.source);
            if reading.store.incoming(entity.id)?.iter().any(calls) {
                return Ok(Some((caller, callee)));
            }
        }
    }
    Ok(None)
}

/// Explains definitions by source, members, uses in both directions, tests and connections.
pub fn explain(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let targets = &understood.targets;
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let mut between = Vec::new();
    if targets.len() > 1 {
        // Each one's source is a command away; only here stands how they work together.
        let facts = connections(reading, targets)?;
        answer.list("how they are connected", facts.links);
        answer.list("remarks", facts.remarks);
        between = facts.between;
    }
    for target in targets {
        let record = &target.main().record;
        // A short definition explains itself; of a long one the question selects the members.
        let longest = if record.kind == EntityKind::Class { LONG_CLASS } else { LONG };
        if record.end_line - record.start_line < longest {
            sources_of(reading, target, &mut answer)?;
            continue;
        }
        answer.want(target.main(), "asked about", false);
        for member in focus(reading.store, target.main(), &understood.question)? {
            answer.want(&member, "its name fits the question", false);
            answer.blocks.push(AnswerBlock::Source(snippet(reading.sources, &member)));
        }
    }
    let ids: BTreeSet<EntityId> = targets.iter().flat_map(|t| &t.entities).map(|entity| entity.id).collect();
    for entity in &between {
        answer.want(entity, "connects them", true);
    }
    let mut summaries = Vec::new();
    for target in targets {
        let main = target.main();
        if targets.len() == 1 && matches!(main.record.kind, EntityKind::Class | EntityKind::Module) {
            groups(&mut answer, main, &in_order(reading.store.children(main.id)?));
        }
        if main.record.kind == EntityKind::Class {
            for base in bases(reading.store, main.id)? {
                answer.want_id(reading.store, base, "a base of it", &ids)?;
            }
        }
        let used_by = users(reading, target)?;
        let used = uses(reading, target)?;
        let name = short_name(main).to_owned();
        // The first sentence of the docstring says what it is for.
        let doc = main.record.doc.split(". ").next().unwrap_or_default().trim().trim_end_matches('.');
        // An underlined title names the module alone.
        let doc = if doc.split(' ').any(is_underline) { "" } else { doc };
        let doc = if doc.is_empty() { named(main) } else { format!("{}: {doc}; it", named(main)) };
        let record = &target.implementation().record;
        summaries.push(format!(
            "{doc} is used at {} and uses {} ({} at {}{})",
            count(used_by.rows.len(), "place"),
            count(used.rows.len(), "definition"),
            main.record.kind,
            place(&main.path, record.start_line, record.end_line),
            defaults::statement(reading, main).map_or(String::new(), |text| format!(": `{text}`"))
        ));
        let cut = |mut rows: Vec<ListRow>| {
            rows.truncate(MAX_NEIGHBORS);
            rows
        };
        let title = |what: &str, all: usize| match all {
            all if all > MAX_NEIGHBORS => format!("{what} `{name}` (the first {MAX_NEIGHBORS} of {all})"),
            all => format!("{what} `{name}` ({all})"),
        };
        answer.beside(title("uses of", used_by.rows.len()), cut(used_by.rows));
        answer.beside(title("used by", used.rows.len()), cut(used.rows));
        answer.bound(used_by.limited.unwrap_or(Completeness::Exact), used_by.boundaries);
        for entity in used.entities.iter().take(MAX_NEIGHBORS) {
            answer.want(entity, "used by it", true);
        }
        for entity in used_by.entities.iter().take(MAX_NEIGHBORS) {
            answer.want(entity, "uses it", true);
        }
        let tests = existing_tests(reading, target)?;
        for test in tests.iter().take(MAX_TESTS) {
            answer.want(test, "tests it", true);
        }
        let rows: Vec<ListRow> = tests.iter().take(MAX_NEIGHBORS).map(ListRow::of).collect();
        answer.beside(format!("tests that use `{name}` themselves ({})", tests.len()), rows);
    }
    answer.headline = match summaries.as_slice() {
        [one] => one.clone(),
        // One name with several definitions asks for no comparison.
        several if understood.plan.subjects.windows(2).all(|pair| pair[0].mention == pair[1].mention) => {
            several.join("; ")
        }
        _ => format!("{}: what each is and how they are connected", names_of(targets)),
    };
    Ok(answer)
}

/// The members of a long definition whose names share most words with the question, best first.
fn focus(store: &Store, owner: &Entity, question: &ParsedQuestion) -> Result<Vec<Entity>, StoreError> {
    let words: BTreeSet<String> = question
        .words
        .iter()
        .filter(|word| word.text != owner.record.name && !is_stop_word(&word.lower()))
        .flat_map(|word| name_parts(&word.text).map(|part| stem(&part)).collect::<Vec<_>>())
        .collect();
    let shared = |member: &Entity| {
        let parts: BTreeSet<String> = name_parts(&member.record.name).map(|part| stem(&part)).collect();
        parts.intersection(&words).count()
    };
    let mut members = in_order(store.children(owner.id)?);
    members.retain(|member| member.record.kind.is_callable() && shared(member) > 0);
    // Of equally good names the shorter one fits more exactly.
    members.sort_by_key(|member| (Reverse(shared(member)), member.record.name.len(), member.record.start_line));
    members.truncate(MAX_FOCUS);
    Ok(members)
}

impl Answer {
    fn want_id(
        &mut self,
        store: &Store,
        id: EntityId,
        why: &'static str,
        known: &BTreeSet<EntityId>,
    ) -> Result<(), StoreError> {
        if !known.contains(&id)
            && let Some(entity) = store.entity(id)?
        {
            self.want(&entity, why, true);
        }
        Ok(())
    }
}

/// Adds the source of every definition of a target; for a module, its members.
fn sources_of(reading: AnswerInputs, target: &Target, answer: &mut Answer) -> Result<(), StoreError> {
    for entity in &target.entities {
        answer.want(entity, "asked about", false);
        if entity.record.kind == EntityKind::Module {
            groups(answer, entity, &in_order(reading.store.children(entity.id)?));
        } else {
            answer.blocks.push(AnswerBlock::Source(snippet(reading.sources, entity)));
        }
    }
    Ok(())
}

pub(super) fn named(entity: &Entity) -> String {
    format!("`{}`", entity.full_name())
}

fn is_method(kind: EntityKind) -> bool {
    matches!(kind, EntityKind::Method | EntityKind::Function)
}

/// Lists members by kind.
fn groups(answer: &mut Answer, owner: &Entity, members: &[Entity]) {
    let is_class = owner.record.kind == EntityKind::Class;
    let titles = if is_class {
        ["methods", "properties", "nested classes", "attributes"]
    } else {
        ["functions", "properties", "classes", "variables"]
    };
    let is_in: [fn(EntityKind) -> bool; 4] = [
        is_method,
        |kind| kind == EntityKind::Property,
        |kind| kind == EntityKind::Class,
        |kind| kind == EntityKind::Variable,
    ];
    for (title, is_in) in titles.into_iter().zip(is_in) {
        let rows: Vec<ListRow> = members.iter().filter(|member| is_in(member.record.kind)).map(ListRow::of).collect();
        answer.members(owner.id, format!("{title} of {} ({})", short_name(owner), rows.len()), rows);
    }
}

/// Members that a class gets from its bases, nearest base first.
pub(in crate::ask::answer) fn inherited(
    store: &Store,
    class: &Entity,
    own: &[Entity],
) -> Result<Vec<(Entity, Vec<Entity>)>, StoreError> {
    let mut found = Vec::new();
    if class.record.kind != EntityKind::Class {
        return Ok(found);
    }
    // A member hides those of the same name in further bases.
    let mut names: BTreeSet<String> = own.iter().map(|member| member.record.name.clone()).collect();
    for base in lineage(store, class.id)? {
        let Some(entity) = store.entity(base)? else { continue };
        let mut members = in_order(store.children(base)?);
        members.retain(|member| !names.contains(&member.record.name));
        names.extend(members.iter().map(|member| member.record.name.clone()));
        if !members.is_empty() {
            found.push((entity, members));
        }
    }
    Ok(found)
}

/// Every member by name, with its cell in a comparison.
fn all_members(store: &Store, owner: &Entity) -> Result<BTreeMap<String, String>, StoreError> {
    let mut cells = BTreeMap::new();
    if !matches!(owner.record.kind, EntityKind::Class | EntityKind::Module) {
        return Ok(cells);
    }
    let own = in_order(store.children(owner.id)?);
    let cell = |member: &Entity, from: &str| {
        let prefix = if member.record.flags.has(EntityFlags::ASYNC) { "async " } else { "" };
        let signature = &member.record.signature;
        let what = if signature.is_empty() { member.record.kind.as_str().to_owned() } else { signature.clone() };
        format!("{prefix}{what}{from}")
    };
    for member in &own {
        cells.entry(member.record.name.clone()).or_insert_with(|| cell(member, ""));
    }
    for (base, members) in inherited(store, owner, &own)? {
        let from = format!(" (from {})", short_name(&base));
        for member in members.iter().filter(|member| member.record.kind.is_callable()) {
            cells.entry(member.record.name.clone()).or_insert_with(|| cell(member, &from));
        }
    }
    Ok(cells)
}

/// The rows of a comparison that all kinds of definitions have: place, signature, bases, users.
fn profile(reading: AnswerInputs, targets: &[Target]) -> Result<Vec<Vec<String>>, StoreError> {
    let mut rows: Vec<Vec<String>> =
        ["kind", "place", "signature", "bases", "used at"].iter().map(|title| vec![(*title).to_owned()]).collect();
    for target in targets {
        let main = target.main();
        let mut names = Vec::new();
        for base in bases(reading.store, main.id)? {
            names.extend(reading.store.entity(base)?.map(|base| short_name(&base).to_owned()));
        }
        let used = users(reading, target)?;
        let place = format!("{}:{}-{}", main.path, main.record.start_line, main.record.end_line);
        let cells = [
            main.record.kind.as_str().to_owned(),
            place,
            main.record.signature.clone(),
            names.join(", "),
            count(used.rows.len(), "place"),
        ];
        for (row, cell) in rows.iter_mut().zip(cells) {
            row.push(if cell.is_empty() { "-".to_owned() } else { cell });
        }
    }
    // A row of dashes compares nothing.
    rows.retain(|row| row[1..].iter().any(|cell| cell != "-"));
    Ok(rows)
}

/// Members without the overloads of those that are defined.
fn without_stubs(mut members: Vec<Entity>) -> Vec<Entity> {
    let is_stub = |member: &Entity| member.record.flags.has(EntityFlags::OVERLOAD);
    let defined = members.iter().filter(|member| !is_stub(member)).map(|member| member.record.name.clone());
    let defined: BTreeSet<String> = defined.collect();
    members.retain(|member| !is_stub(member) || !defined.contains(&member.record.name));
    members
}

fn in_order(mut entities: Vec<Entity>) -> Vec<Entity> {
    entities.sort_by_key(|entity| (entity.record.start_line, entity.record.line, entity.record.column));
    entities
}
