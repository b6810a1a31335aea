//! Answers what a change of a part of a definition means: its `return` statements, its docstring, a call in it.
//!
//! The part is looked up in the source. Its definition stays, so the effect is that of another body, of no decorator,
//! or of nothing at all.

pub(super) mod actions;
mod source;
mod statements;

use self::{
    source::{FoundPart, OwnerSource, PartPlace, begins_with, label, quoted},
    statements::{assignments, body, checks, other_words, returned_values, statements},
};
use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            changes::{divided, impacts, polarity_word},
            definitions::inherited,
            first_in_words, in_words, short_name, survey,
        },
        reading::{
            forms::QuestionIntent,
            plan::Understood,
            words::parts::{AskedPart, CodePart, PartChoice, asked_part},
        },
    },
    model::{
        EntityId, EntityKind, RelationshipKind,
        conventions::{has_whole_name, is_name_part, last_part},
        written_signature::WrittenSignature,
    },
    query::{
        impact::walk::factors::Change,
        navigate::lines::{assigned_in, statement_at},
        source::logical_lines::LogicalLine,
        target::{Target, TargetMatch, filter::is_decorated, known, lineage},
        words::count,
    },
    store::{error::StoreError, read::Entity},
};

/// Places, members and names that a headline lists.
const MAX_NAMED: usize = 4;
/// Decorators of Python, and the effect of their absence.
const DECORATORS: [(&str, &str); 13] = [
    ("property", "who reads it gets the method and not its value"),
    ("cached_property", "who reads it gets the method and not its value"),
    ("staticmethod", "a call on an instance passes that instance as its first argument"),
    ("classmethod", "a call gets no class as its first argument"),
    ("abstractmethod", "classes that do not override it can be made"),
    ("overload", "the variant replaces what is defined before it"),
    ("contextmanager", "it gives a bare generator, and a `with` over it fails"),
    ("asynccontextmanager", "it gives a bare generator, and an `async with` over it fails"),
    ("wraps", "the wrapper has the name and the docstring of its own"),
    ("cache", "each call computes its result again"),
    ("lru_cache", "each call computes its result again"),
    ("dataclass", "it has no `__init__`, `__repr__` and `__eq__` of its fields"),
    ("total_ordering", "it has only the comparisons that it defines"),
];

/// Answers a question about a change of a part; `None` for other questions.
pub(in crate::ask::answer) fn of_part(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    use QuestionIntent as I;
    let plan = &understood.plan;
    if matches!(plan.intent, I::History | I::Changes | I::Traceback) || !plan.lines.is_empty() {
        return Ok(None);
    }
    let Some(mut asked) = asked_part(&understood.question) else { return Ok(None) };
    // An instruction may name the part that is to be written.
    if plan.intent == I::Edit && (!asked.is_removal || asked.part == CodePart::Other) {
        return Ok(None);
    }
    let owners = owners(reading, understood, &asked)?;
    if asked.part == CodePart::Other && is_decorator(&asked.noun, &owners) {
        let name = std::mem::replace(&mut asked.noun, "decorator".to_owned());
        (asked.part, asked.named) = (CodePart::Decorator, Some(name));
    } else if asked.part == CodePart::Other && asked.noun.contains('_') {
        return Ok(None);
    }
    if asked.part == CodePart::Other && !is_unnamed(reading, understood, &asked, &owners)? {
        return Ok(None);
    }
    let mut chosen = None;
    for owner in &owners {
        let Some(found) = look_up(reading, owner.implementation(), &asked)? else { return Ok(None) };
        let has_it = !found.places.is_empty();
        if has_it || chosen.is_none() {
            chosen = Some((owner, found));
        }
        if has_it {
            break;
        }
    }
    let Some((owner, found)) = chosen else { return Ok(None) };
    let understood = of_owner(understood, owner, &asked.owner);
    let polarity = understood.plan.polarity;
    let main = owner.implementation();
    let mut rows: Vec<ListRow> = Vec::new();
    for place in &found.places {
        rows.push(ListRow {
            name: main.full_name(),
            end_line: if place.end > place.start { place.end } else { 0 },
            ..ListRow::line(&main.path, place.start, place.text.clone())
        });
    }
    let title = format!("{} of `{}` ({})", label(&asked, rows.len()), short_name(main), rows.len());
    let is_unfound = asked.part == CodePart::Other && found.places.is_empty();
    if (found.places.is_empty() || found.is_idle) && !is_unfound {
        let mut answer = Answer::new(understood.plan, String::new());
        let effect = found.effect.map_or(String::new(), |effect| format!("; {effect}"));
        // Nothing is safe or unsafe about a part that is not there.
        let word = if found.places.is_empty() { "" } else { polarity_word(polarity, false) };
        answer.headline = format!("{word}{}{effect}", found.has);
        answer.command = format!("repoidx show {}", main.full_name());
        answer.want(main, "asked about", false);
        answer.list(title, rows);
        return Ok(Some(answer));
    }
    let mut answer = impacts(reading, &understood)?;
    let (word, reach) = divided(&answer.headline);
    let effect = found.effect.map_or(String::new(), |effect| format!("; {effect}"));
    // Without the part no verdict on its change is true.
    let word = if is_unfound { "" } else { word };
    answer.headline = format!("{word}{}{effect}; {reach}", found.has);
    let behind = std::mem::take(&mut answer.blocks);
    answer.list(title, rows);
    answer.blocks.extend(behind);
    Ok(Some(answer))
}

/// Whether a word in the place of a part is a decorator, of the owners or of Python.
fn is_decorator(noun: &str, owners: &[Target]) -> bool {
    let has_it = |target: &Target| is_decorated(&target.main().record.decorators, last_part(noun));
    owners.iter().any(has_it) || noun != "cache" && DECORATORS.iter().any(|(name, _)| *name == noun)
}

/// Whether the words for a part name nothing that the owners have, and no other definition of the question.
fn is_unnamed(
    reading: AnswerInputs,
    understood: &Understood,
    asked: &AskedPart,
    owners: &[Target],
) -> Result<bool, StoreError> {
    let plan = &understood.plan;
    let is_noun = |name: &str| asked.noun.split(' ').any(|word| word.eq_ignore_ascii_case(name));
    let is_known = plan.parameters.iter().any(|name| is_noun(name))
        || plan.subjects.iter().any(|subject| is_noun(&subject.mention) && !subject.mention.contains('.'));
    let has_source =
        |target: &Target| target.main().record.kind.is_callable() || target.main().record.kind == EntityKind::Class;
    for owner in owners.iter().flat_map(|target| &target.entities) {
        let members = reading.store.children(owner.id)?;
        let signature = WrittenSignature::parse(&owner.record.signature);
        let is_parameter = signature.is_some_and(|one| one.parameters.iter().any(|one| is_noun(one.name)));
        if is_parameter || members.iter().any(|member| is_noun(&member.record.name)) {
            return Ok(false);
        }
    }
    Ok(!is_known && !owners.is_empty() && owners.iter().all(has_source))
}

/// The definitions or files that the question names as the owner of the part.
fn owners(reading: AnswerInputs, understood: &Understood, asked: &AskedPart) -> Result<Vec<Target>, StoreError> {
    let is_it = |mention: &str| mention.trim_end_matches("()").eq_ignore_ascii_case(&asked.owner);
    let subjects = || understood.plan.subjects.iter().zip(&understood.targets);
    let named = || subjects().filter(|(subject, _)| is_it(&subject.mention));
    // A second name of the same definition is no subject: `super().__init__` beside `C.__init__`.
    let behind_dot = format!(".{}", asked.owner);
    let ending = || subjects().filter(|(subject, _)| subject.name.ends_with(&behind_dot));
    let found: Vec<Target> = named().map(|(_, target)| target.clone()).collect();
    let found = if found.is_empty() { ending().map(|(_, target)| target.clone()).collect() } else { found };
    if !found.is_empty() {
        return Ok(found);
    }
    // `the inner function of f`: a definition that is called `inner` may have taken the place of `f`.
    if asked.part == CodePart::Inner
        && let Some(TargetMatch::Found(target)) = known(reading.store, &asked.owner, "")?
    {
        return Ok(vec![target]);
    }
    let mut plan = understood.plan.clone();
    plan.files.retain(|file| !file.is_folder && is_it(&file.mention));
    survey::modules(reading.store, &plan)
}

/// The question about the owner alone, whose body changes.
fn of_owner(understood: &Understood, owner: &Target, mention: &str) -> Understood {
    let mut alone = Understood { change: Change::Body, ..understood.clone() }.read_as(QuestionIntent::Impact);
    let plan = &mut alone.plan;
    let name = owner.main().full_name();
    plan.subjects.retain(|subject| subject.name == name);
    (plan.subject_count, plan.complexity) = (1, "simple");
    (plan.unknown, plan.parameters, plan.files, plan.outside) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let quoted = format!("`{mention}`");
    plan.notes.retain(|note| note.starts_with(&quoted));
    alone.targets = vec![owner.clone()];
    alone.passed.retain(|(of, _)| of == mention);
    alone
}

/// Looks for the part in its owner; `None` where no such owner can have one.
fn look_up(reading: AnswerInputs, owner: &Entity, asked: &AskedPart) -> Result<Option<FoundPart>, StoreError> {
    let Some(source) = OwnerSource::of(reading, owner)? else { return Ok(None) };
    let is_callable = owner.record.kind.is_callable();
    Ok(match asked.part {
        CodePart::Statement(keywords) => Some(statements(&source, asked, keywords)),
        CodePart::Check => Some(checks(&source, asked)),
        CodePart::Assignment => Some(assignments(reading, &source, asked)?),
        CodePart::ReturnValue => Some(returned_values(&source, asked)),
        CodePart::Body if is_callable => Some(body(&source)),
        CodePart::Other => Some(other_words(&source, asked)),
        CodePart::Call => calls(reading, &source, asked)?,
        CodePart::Comment => Some(comments(&source, asked)),
        CodePart::Docstring => Some(docstring(&source, asked)),
        CodePart::ResultAnnotation | CodePart::Annotations if is_callable => Some(annotations(&source, asked)),
        CodePart::Decorator if owner.record.kind != EntityKind::Module => Some(decorators(reading, &source, asked)?),
        CodePart::Base if owner.record.kind == EntityKind::Class => Some(bases(reading, &source, asked)?),
        CodePart::Import => Some(imports(reading, &source, asked)?),
        CodePart::Inner if is_callable && asked.named.is_none() => Some(inner(reading, &source, asked)?),
        _ => None,
    })
}

/// The statements that call the named function.
fn calls(reading: AnswerInputs, source: &OwnerSource, asked: &AskedPart) -> Result<Option<FoundPart>, StoreError> {
    let Some(name) = &asked.named else { return Ok(None) };
    let is_call = |part: &str, name: &str| {
        !begins_with(part, "def")
            && !begins_with(part, "class")
            && part.match_indices(name).any(|(at, _)| {
                !part[..at].ends_with(is_name_part) && part[at + name.len()..].trim_start().starts_with('(')
            })
    };
    let of = |name: &str| source.own(|line| source.statements(line).iter().any(|part| is_call(part, name)));
    let mut found = of(name);
    if found.is_empty() {
        found = of(last_part(name));
    }
    let places: Vec<PartPlace> = found.iter().map(|line| source.place(line, line.end)).collect();
    if places.is_empty() {
        return Ok(Some(source.without(format!("{} does not call `{name}` itself", source.name))));
    }
    let is_bare = |line: &&LogicalLine| {
        source.statements(line).iter().any(|part| {
            let bare = part.strip_prefix("await ").unwrap_or(part);
            let callee = bare.split('(').next().unwrap_or_default();
            last_part(callee) == last_part(name)
                && callee.chars().all(|c| is_name_part(c) || c == '.')
                && bare.ends_with(')')
        })
    };
    let used = found.iter().filter(|line| !is_bare(line)).count();
    let mut effect = match (used, found.len()) {
        (0, _) => "nothing uses its result".to_owned(),
        (used, all) if used == all => "the rest of the statement needs its result".to_owned(),
        (used, all) => format!("{used} of {all} statements need its result"),
    };
    let mut called: Option<Entity> = None;
    for line in &found {
        for edge in reading.store.outgoing_between(source.owner.file, line.start, line.end)? {
            let entity = reading.store.entity(edge.target)?.filter(|one| one.record.name == last_part(name));
            called = called.or(entity);
        }
    }
    if let Some(called) = called.filter(|one| one.record.kind.is_callable()) {
        let range = called.record.line..=called.record.end_line;
        let set = assigned_in(reading.store, called.file)?;
        let mut set: Vec<String> = set
            .into_iter()
            .filter(|(line, name)| range.contains(line) && name.contains('.') && !name.contains('?'))
            .map(|(_, name)| format!("`{name}`"))
            .collect();
        set.sort_unstable();
        set.dedup();
        let (called, place) = (short_name(&called).to_owned(), format!("{}:{}", called.path, called.record.line));
        effect += &match set.len() {
            0 => format!("; `{called}` ({place}) sets no attribute itself, and stays as it is"),
            _ => {
                let set = first_in_words(set.into_iter(), MAX_NAMED);
                format!("; `{called}` ({place}) sets {set}, and stays as it is")
            }
        };
    }
    let statements = count(places.len(), "statement");
    let has = format!("{} calls `{name}` in {statements}: {}", source.name, source.said(&places));
    Ok(Some(FoundPart { places, has, effect: Some(effect), is_idle: false }))
}

/// The functions inside a function, with the lines that read their names.
fn inner(reading: AnswerInputs, source: &OwnerSource, asked: &AskedPart) -> Result<FoundPart, StoreError> {
    let mut found = reading.store.children(source.owner.id)?;
    let is_class = asked.noun.ends_with("class") || asked.noun.ends_with("classes");
    found.retain(|one| if is_class { one.record.kind == EntityKind::Class } else { one.record.kind.is_callable() });
    found.sort_by_key(|one| one.record.start_line);
    match asked.which {
        PartChoice::All => {}
        PartChoice::Numbered(number) => found = found.into_iter().skip(number - 1).take(1).collect(),
        PartChoice::Last => drop(found.drain(..found.len().saturating_sub(1))),
    }
    if found.is_empty() {
        return Ok(source.lacks(asked));
    }
    let (mut places, mut effects) = (Vec::new(), Vec::new());
    for one in &found {
        let record = &one.record;
        let is_outside = |line: &&LogicalLine| {
            let is_own = line.start >= record.start_line && line.end <= record.end_line;
            line.start > source.owner.record.line && line.end <= source.owner.record.end_line && !is_own
        };
        let reads = |line: &&LogicalLine| source.statements(line).iter().any(|part| has_whole_name(part, &record.name));
        let lines: Vec<String> =
            source.all.iter().filter(is_outside).filter(reads).map(|line| line.start.to_string()).collect();
        effects.push(match lines.len() {
            0 => format!("no other line of {} reads `{}`", source.name, record.name),
            1 => format!("without it line {} fails, which reads `{}`", lines[0], record.name),
            _ => {
                let lines = first_in_words(lines.into_iter(), MAX_NAMED);
                format!("without it lines {lines} fail, which read `{}`", record.name)
            }
        });
        let text = format!("def {}{}", record.name, record.signature);
        places.push(PartPlace { start: record.start_line, end: record.end_line, text });
    }
    effects.truncate(MAX_NAMED);
    Ok(source.found(asked, places, effects.join("; ")))
}

/// The lines that hold nothing but a comment.
fn comments(source: &OwnerSource, asked: &AskedPart) -> FoundPart {
    let record = &source.owner.record;
    let is_string =
        |number: u32| source.all.iter().any(|line| (line.start..=line.end).contains(&number) && line.is_text);
    let lines = (1..).zip(source.text.lines());
    let lines = lines
        .filter(|(number, _)| record.kind == EntityKind::Module || (record.line..=record.end_line).contains(number));
    let found = lines.filter(|(number, line)| line.trim_start().starts_with('#') && !is_string(*number));
    let places: Vec<PartPlace> =
        found.map(|(number, line)| PartPlace { start: number, end: number, text: line.trim().to_owned() }).collect();
    if places.is_empty() {
        return source.without(format!("{} has no comment in a line of its own", source.name));
    }
    let has = source.has(asked, &places);
    FoundPart { places, has, effect: Some("nothing that runs changes".to_owned()), is_idle: true }
}

/// The docstring: the first statement of the body.
fn docstring(source: &OwnerSource, asked: &AskedPart) -> FoundPart {
    let behind =
        if source.owner.record.kind == EntityKind::Module { 0 } else { source.head().map_or(0, |head| head.end) };
    let first = source.all.iter().find(|line| line.start > behind);
    let Some(line) = first.filter(|line| line.is_text && line.end <= source.owner.record.end_line) else {
        return source.without(format!("{} has no docstring", source.name));
    };
    let places = vec![source.place(line, line.end)];
    let has = source.has(asked, &places);
    let by = match source.owner.record.decorators.first() {
        Some(decorator) => format!(", perhaps `{}`", decorator.split('(').next().unwrap_or(decorator)),
        None => String::new(),
    };
    let effect = format!("nothing that runs changes but what reads `__doc__`, such as `help()` and documentation{by}");
    FoundPart { places, has, effect: Some(effect), is_idle: true }
}

/// The annotations in the head.
fn annotations(source: &OwnerSource, asked: &AskedPart) -> FoundPart {
    let Some(head) = source.head() else { return source.without(format!("{} has no head", source.name)) };
    let signature = WrittenSignature::parse(&source.owner.record.signature);
    let (mut written, is_result) = (Vec::new(), asked.part == CodePart::ResultAnnotation);
    if let Some(signature) = &signature {
        let is_asked = |name: &str| asked.named.as_ref().is_none_or(|asked| asked == name);
        let annotated = signature.parameters.iter().filter(|one| !one.annotation.is_empty() && is_asked(one.name));
        written.extend(annotated.filter(|_| !is_result).map(|one| format!("{}: {}", one.name, one.annotation)));
        let has_result = !signature.result.is_empty() && asked.named.is_none();
        written.extend(has_result.then(|| format!("-> {}", signature.result)));
    }
    if written.is_empty() {
        let of_it = asked.named.as_ref().map_or(String::new(), |name| format!(" of `{name}`"));
        return source.without(format!("{} has no {}{of_it}", source.name, label(asked, 1)));
    }
    // The result stands at the end of the head.
    let lines = (head.start..=head.end).zip(source.text.lines().skip(head.start.saturating_sub(1) as usize));
    let at_result = lines.filter(|(_, line)| line.contains("->")).map(|(number, _)| number).last();
    let line = at_result.filter(|_| is_result).unwrap_or(source.owner.record.line);
    let place = |text: String| PartPlace { start: line, end: line, text };
    let places: Vec<PartPlace> = written.into_iter().map(place).collect();
    let has = source.has(asked, &places);
    let effect =
        "nothing changes at run time, unless something reads the annotations: type checkers and some frameworks do";
    FoundPart { places, has, effect: Some(effect.to_owned()), is_idle: true }
}

/// The decorators, or the named one.
fn decorators(reading: AnswerInputs, source: &OwnerSource, asked: &AskedPart) -> Result<FoundPart, StoreError> {
    let record = &source.owner.record;
    let above = source.all.iter().filter(|line| line.start >= record.start_line && line.end < record.line);
    let written = |line: &&LogicalLine| source.written(line).trim().trim_start_matches('@').to_owned();
    let is_it = |line: &&LogicalLine| {
        let is_named = |name: &String| is_decorated(&[written(line)], last_part(name));
        source.written(line).trim_start().starts_with('@') && asked.named.as_ref().is_none_or(is_named)
    };
    let found: Vec<&LogicalLine> = above.filter(is_it).collect();
    if found.is_empty() {
        let own: Vec<String> = record.decorators.iter().map(|one| quoted(&format!("@{one}"))).collect();
        let own = if own.is_empty() { String::new() } else { format!("; it has {}", in_words(&own)) };
        return Ok(source.without(match &asked.named {
            Some(name) => format!("{} has no decorator `{name}`{own}", source.name),
            None => format!("{} has no decorator", source.name),
        }));
    }
    let (mut effects, mut places) = (Vec::new(), Vec::new());
    for line in &found {
        places.push(source.place(line, line.end));
        let text = written(line);
        let name = text.split('(').next().unwrap_or(&text).trim();
        let known = DECORATORS.iter().find(|(known, _)| *known == last_part(name));
        let mut defined = None;
        for edge in reading.store.outgoing_between(source.owner.file, line.start, line.end)? {
            let entity = reading.store.entity(edge.target)?.filter(|one| one.record.name == last_part(name));
            defined = defined.or(entity);
        }
        effects.push(match (known, defined) {
            (Some((_, effect)), None) => format!("without `{name}` {effect}"),
            (_, Some(defined)) => {
                let does = defined.record.doc.split(". ").next().unwrap_or_default().trim_end_matches('.');
                let does = if does.is_empty() { String::new() } else { format!(": \"{does}\"") };
                format!(
                    "without it `{}` ({}:{}) no longer wraps or registers it{does}",
                    short_name(&defined),
                    defined.path,
                    defined.record.line
                )
            }
            (None, None) => format!("without `{name}` nothing wraps or registers it any more"),
        });
    }
    let has = source.has(asked, &places);
    Ok(FoundPart { places, has, effect: Some(effects.join("; ")), is_idle: false })
}

/// The bases, or the named one, with the members that the class has from them.
fn bases(reading: AnswerInputs, source: &OwnerSource, asked: &AskedPart) -> Result<FoundPart, StoreError> {
    let class = source.owner;
    let Some(head) = source.head() else { return Ok(source.without(format!("{} has no head", source.name))) };
    let code = source.written(head).split_whitespace().collect::<Vec<_>>().join(" ");
    let mut direct: Vec<Entity> = Vec::new();
    for edge in reading.store.outgoing(class.id)?.into_iter().filter(|edge| edge.kind == RelationshipKind::Inherits) {
        direct.extend(reading.store.entity(edge.target)?.filter(|one| direct.iter().all(|known| known.id != one.id)));
    }
    let is_asked = |name: &str| asked.named.as_ref().is_none_or(|asked| last_part(asked) == name);
    let (gone, kept): (Vec<Entity>, Vec<Entity>) = direct.into_iter().partition(|base| is_asked(&base.record.name));
    let is_written = asked.named.as_ref().map_or(code.contains('('), |name| {
        code.split_once('(').is_some_and(|(_, rest)| has_whole_name(rest, last_part(name)))
    });
    if gone.is_empty() && !is_written {
        return Ok(source.without(match &asked.named {
            Some(name) => format!("`{name}` is no direct base of {}: {}", source.name, quoted(&code)),
            None => format!("{} has no base", source.name),
        }));
    }
    let mut above = Vec::new();
    for (base, list) in gone.iter().map(|base| (base, true)).chain(kept.iter().map(|base| (base, false))) {
        let ids: Vec<EntityId> = std::iter::once(base.id).chain(lineage(reading.store, base.id)?).collect();
        above.push((list, ids));
    }
    let is_kept = |id: EntityId| above.iter().any(|(is_gone, ids)| !is_gone && ids.contains(&id));
    let mut lost: Vec<Entity> = Vec::new();
    for (base, members) in inherited(reading.store, class, &reading.store.children(class.id)?)? {
        if !is_kept(base.id) {
            lost.extend(members);
        }
    }
    let mut uses: Vec<String> = Vec::new();
    for own in reading.store.entities_of(class.file)? {
        let record = &own.record;
        let is_own = record.line >= class.record.line && record.end_line <= class.record.end_line;
        for edge in if is_own { reading.store.outgoing(own.id)? } else { Vec::new() } {
            let member = lost.iter().find(|member| member.id == edge.target);
            let is_use = edge.kind != RelationshipKind::Overrides;
            if let Some(member) = member.filter(|_| is_use && own.id != class.id) {
                let name = format!("`{}` ({}:{})", member.record.name, own.path, edge.line);
                let head = format!("`{}` ", member.record.name);
                if uses.iter().all(|known| !known.starts_with(&head)) {
                    uses.push(name);
                }
            }
        }
    }
    let methods = lost.iter().filter(|member| member.record.kind.is_callable()).count();
    let from = asked.named.as_ref().map_or("its bases".to_owned(), |name| format!("`{name}`"));
    let loses = match (lost.len(), gone.is_empty()) {
        (_, true) => {
            format!("{from} is not of this repository: the members that {} has from it are not known", source.name)
        }
        (0, _) => format!("{} has no member from {from} that it does not define itself", source.name),
        (lost, _) => format!("it loses {} of {from} ({})", count(lost, "member"), count(methods, "method")),
    };
    let used = match uses.len() {
        0 => String::new(),
        _ => format!(", of which its own code uses {}", first_in_words(uses.into_iter(), MAX_NAMED)),
    };
    let places = vec![source.place(head, head.end)];
    let has = format!("{} derives from {from}: {}", source.name, source.said(&places));
    Ok(FoundPart { places, has, effect: Some(format!("{loses}{used}")), is_idle: false })
}

/// The import statements, or those of the named one, with the lines that read their names.
fn imports(reading: AnswerInputs, source: &OwnerSource, asked: &AskedPart) -> Result<FoundPart, StoreError> {
    let owner = source.owner;
    let shown = if owner.record.kind == EntityKind::Module { owner.path.clone() } else { source.name.clone() };
    let is_import = |line: &LogicalLine| {
        let first = source.statements(line).into_iter().next().unwrap_or_default();
        let is_named = asked.named.as_ref().is_none_or(|name| has_whole_name(&first, last_part(name)));
        (begins_with(&first, "import") || begins_with(&first, "from")) && is_named
    };
    let found = source.own(is_import);
    if found.is_empty() {
        let name = asked.named.as_ref().map_or("anything".to_owned(), |name| format!("`{name}`"));
        return Ok(source.without(format!("{shown} does not import {name}")));
    }
    let mut places = Vec::new();
    let mut effects = Vec::new();
    let mut is_read = false;
    for line in &found {
        places.push(source.place(line, line.end));
        let at = (owner.file, owner.path.as_str());
        let Some(report) = statement_at(reading.store, reading.sources, at, (line.start, line.end))? else { continue };
        let is_asked = |bound: &str| {
            asked.named.as_ref().is_none_or(|name| {
                let alias = format!("{} as {bound}", last_part(name));
                bound == last_part(name) || source.written(line).contains(&alias)
            })
        };
        for name in report.bound.iter().filter(|name| is_asked(&name.name)) {
            let read: Vec<String> = name.read.iter().take(MAX_NAMED).map(u32::to_string).collect();
            let more = name.read.len().saturating_sub(MAX_NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            is_read |= !name.read.is_empty();
            effects.push(match name.read.len() {
                0 => format!("no other line of the file reads `{}`; who imports it from here loses it", name.name),
                1 => format!("without it line {} fails, which reads `{}`", read[0], name.name),
                _ => format!("without it lines {}{more} fail, which read `{}`", read.join(", "), name.name),
            });
        }
    }
    effects.truncate(MAX_NAMED);
    let has = match &asked.named {
        Some(name) => format!("{shown} imports `{name}`: {}", source.said(&places)),
        None => format!("{shown} has {}: {}", count(places.len(), "import"), source.said(&places)),
    };
    let effect = (!effects.is_empty()).then(|| effects.join("; "));
    Ok(FoundPart { places, has, effect, is_idle: !is_read })
}
