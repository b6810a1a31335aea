//! Answers about methods that may override those of libraries, and about all that one class overrides.
//!
//! The index has no members of a class of a library. So a class below one may override any of them, and the answer says
//! no more than that.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, first_in_words, in_words, relations::overrides::Overrides},
        reading::{
            forms::{QuestionIntent, UsageDirection},
            plan::Understood,
            words::{QuestionWord, is_in, is_stop_word},
        },
    },
    model::{
        EntityFlags, EntityKind,
        conventions::{last_part, standard_classes::standard_class},
    },
    query::{
        navigate::outside::outside_bases,
        target::{Target, filter::FilterReader, is_suffix, likeliest::is_aside, lineage},
        words::{count, shell_word},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Classes and members that a headline names.
const MAX_NAMED: usize = 4;
/// Classes of libraries that have no methods of their own to override.
const WITHOUT_METHODS: &str =
    "abc.ABC object typing.Generic typing.Protocol typing_extensions.Generic typing_extensions.Protocol";

/// The classes of libraries above a class, the nearest first.
pub(super) fn libraries_above(store: &Store, class: &Entity) -> Result<Vec<String>, StoreError> {
    let mut found: Vec<String> = Vec::new();
    for id in [vec![class.id], lineage(store, class.id)?].concat() {
        let Some(class) = store.entity(id)? else { continue };
        for base in outside_bases(store, &class)? {
            if !is_in(WITHOUT_METHODS, &base) && !found.contains(&base) {
                found.push(base);
            }
        }
    }
    Ok(found)
}

/// A class that defines the member, and the classes of libraries above it.
struct Definer {
    class: Entity,
    member: Entity,
    libraries: Vec<String>,
}

/// Answers `which classes override emit` where the method is none of the repository; `None` for other questions, and
/// where a method of the repository is overridden.
pub(in crate::ask::answer) fn of_library(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let store = reading.store;
    let words = &understood.question.words;
    // `what does C.m override` is about the methods above it.
    let is_asked = words.iter().any(|word| word.lower().starts_with("overrid"))
        && (understood.direction == UsageDirection::Incoming || understood.targets.is_empty());
    let is_class = |target: &Target| target.main().record.kind == EntityKind::Class;
    if !is_asked || !understood.plan.files.is_empty() || understood.targets.iter().any(is_class) {
        return Ok(None);
    }
    let Some((name, base)) = member_and_base(store, words)? else { return Ok(None) };
    let reader = FilterReader::new(store)?;
    let (mut found, mut others) = (Vec::new(), 0);
    for member in store.entities_named(&name, false)? {
        let is_body = !member.record.flags.has(EntityFlags::OVERLOAD) && !member.record.flags.has(EntityFlags::SETTER);
        let class = store.entity(member.parent)?.filter(|class| class.record.kind == EntityKind::Class);
        let Some(class) = class.filter(|_| is_body && member.record.kind.is_callable()) else { continue };
        let overrides = Overrides::of(store, &Target::of(vec![member.clone()]))?;
        if base.is_none() && !(overrides.above.is_empty() && overrides.below.is_empty()) {
            return Ok(None);
        }
        let mut libraries = libraries_above(store, &class)?;
        if let Some(base) = &base {
            let mut fitting = Vec::new();
            for library in libraries {
                // The name of another one, which the file gives to a class of a library, may stand for it.
                let is_own_name = !library.contains('.') && standard_class(&library).is_none();
                let above = reader.above_base(&class, &library)?.unwrap_or_default();
                if is_own_name || is_class_of(&library, base) || above.iter().any(|one| is_suffix(one, base)) {
                    fitting.push(library);
                }
            }
            libraries = fitting;
        }
        if libraries.is_empty() {
            others += 1;
        } else if found.iter().all(|one: &Definer| one.class.id != class.id) {
            found.push(Definer { class, member, libraries });
        }
    }
    if found.is_empty() {
        return Ok(None);
    }
    found.sort_by_key(|one| (is_aside(&one.member.path), one.member.path.clone(), one.member.record.start_line));
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Hierarchy).plan, String::new());
    answer.plan.unknown.clear();
    answer.headline = headline(words, &name, &found, others);
    answer.command = format!("git grep -nwE {}", shell_word(&format!("def {name}")));
    for one in found.iter().take(MAX_NAMED) {
        answer.want(&one.member, "it may override a method of a library", false);
    }
    let row = |one: &Definer| ListRow::of(&one.member).with(format!("below {}", quoted(&one.libraries)));
    let rows: Vec<ListRow> = found.iter().map(row).collect();
    answer.list(format!("definitions of `{name}` below classes of libraries ({})", rows.len()), rows);
    Ok(Some(answer))
}

/// The member that the question names, and the class of a library where it names one: `emit of logging.Handler`,
/// `logging.Handler.emit`.
fn member_and_base(store: &Store, words: &[QuestionWord]) -> Result<Option<(String, Option<String>)>, StoreError> {
    let names: Vec<&str> = words
        .iter()
        .filter(|word| word.is_quoted || !is_stop_word(&word.lower()))
        .map(|word| word.text.trim_end_matches("()"))
        .collect();
    let is_member = |name: &str| -> Result<bool, StoreError> {
        Ok(store.entities_named(name, false)?.iter().any(|one| one.record.kind.is_callable()))
    };
    Ok(match names.as_slice() {
        [whole] => match whole.rsplit_once('.') {
            Some((base, name)) => Some((name.to_owned(), Some(base.to_owned()))),
            None => Some(((*whole).to_owned(), None)),
        },
        [name, base] if !is_member(base)? => Some(((*name).to_owned(), Some((*base).to_owned()))),
        [base, name] => Some(((*name).to_owned(), Some((*base).to_owned()))),
        _ => None,
    })
}

/// Whether the imported name of a class is the one that the question writes: a package hands on classes of its modules.
fn is_class_of(library: &str, base: &str) -> bool {
    let top = |name: &str| name.split('.').next().map(str::to_owned);
    is_suffix(library, base) || top(library) == top(base) && last_part(library) == last_part(base)
}

pub(super) fn quoted(names: &[String]) -> String {
    in_words(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>())
}

fn headline(words: &[QuestionWord], name: &str, found: &[Definer], others: usize) -> String {
    let asks = words.first().is_some_and(|word| is_in("are did do does has have is", &word.lower()));
    let perhaps = if asks { "perhaps: " } else { "" };
    let libraries: BTreeSet<&String> = found.iter().flat_map(|one| &one.libraries).collect();
    let libraries = quoted(&libraries.into_iter().cloned().collect::<Vec<_>>());
    let each = found
        .iter()
        .take(MAX_NAMED)
        .map(|one| format!("`{}` ({}:{})", one.class.record.qualified, one.member.path, one.member.record.start_line));
    let each = in_words(&each.collect::<Vec<_>>());
    let first = if found.len() > MAX_NAMED { "first " } else { "" };
    let classes = count(found.len() + others, "class");
    let define = if found.len() + others == 1 { "defines" } else { "define" };
    let derive = match (found.len(), others) {
        (1, 0) => "it derives".to_owned(),
        (1, _) => "1 of them derives".to_owned(),
        (_, 0) => "each derives".to_owned(),
        (all, _) => format!("{all} of them derive"),
    };
    format!(
        "{perhaps}{classes} {define} `{name}`; {derive} from a class of a library ({libraries}), whose members the index does not hold: {first}{each}"
    )
}

/// Answers `which methods does C override`: the members of a class that its bases have, too. `None` for other
/// questions.
pub(in crate::ask::answer) fn all_of_class(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let ([target], [subject]) = (understood.targets.as_slice(), understood.plan.subjects.as_slice()) else {
        return Ok(None);
    };
    let class = target.main();
    let words = &understood.question.words;
    if class.record.kind == EntityKind::Class && asks_for_overridden(words, &subject.mention) {
        return overridden_members(reading, understood, class).map(Some);
    }
    if class.record.kind != EntityKind::Class || !is_of_class(words, &subject.mention) {
        return Ok(None);
    }
    let store = reading.store;
    let wants_methods = words.iter().any(|word| is_in("functions method methods", &word.lower()));
    let libraries = libraries_above(store, class)?;
    let (mut found, mut own) = (Vec::new(), 0);
    let mut seen = BTreeSet::new();
    for member in store.children(class.id)? {
        let flags = member.record.flags;
        let is_further = [EntityFlags::OVERLOAD, EntityFlags::SETTER, EntityFlags::INSTANCE_ATTRIBUTE]
            .iter()
            .any(|flag| flags.has(*flag));
        let is_wanted =
            !wants_methods || member.record.kind.is_callable() || member.record.kind == EntityKind::Property;
        if is_further || !is_wanted || !seen.insert(member.record.name.clone()) {
            continue;
        }
        match Overrides::of(store, &Target::of(vec![member.clone()]))?.above.first() {
            Some(above) => found.push((member, above.full_name())),
            None => own += 1,
        }
    }
    // Methods are meant before attributes.
    found.sort_by_key(|(member, _)| !member.record.kind.is_callable());
    let named = first_in_words(found.iter().map(|(member, _)| format!("`{}`", member.record.name)), MAX_NAMED);
    let rows: Vec<ListRow> =
        found.iter().map(|(member, above)| ListRow::of(member).with(format!("overrides {above}"))).collect();
    let name = class.full_name();
    let what = if wants_methods { "method" } else { "member" };
    let overrides = match found.len() {
        0 => format!("`{name}` overrides nothing of the repository"),
        all => format!("`{name}` overrides {} of its bases: {named}", count(all, what)),
    };
    let open = match (own, libraries.len()) {
        (0, _) | (_, 0) => String::new(),
        (own, _) => format!(
            "; it derives from {} of a library, whose members the index does not hold: {} of its own may override some",
            quoted(&libraries),
            count(own, what)
        ),
    };
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Hierarchy).plan, overrides + &open);
    answer.want(class, "asked about", false);
    answer.command = format!("repoidx tree {name}");
    answer.list(format!("members of `{name}` that override others ({})", rows.len()), rows);
    Ok(Some(answer))
}

/// The members of a class that classes below it override.
fn overridden_members(reading: AnswerInputs, understood: &Understood, class: &Entity) -> Result<Answer, StoreError> {
    let store = reading.store;
    let wants_methods = understood.question.words.iter().any(|word| is_in("functions method methods", &word.lower()));
    let (mut rows, mut seen) = (Vec::new(), BTreeSet::new());
    for member in store.children(class.id)? {
        let is_method = member.record.kind.is_callable() || member.record.kind == EntityKind::Property;
        if wants_methods && !is_method || !seen.insert(member.record.name.clone()) {
            continue;
        }
        let below = Overrides::of(store, &Target::of(vec![member.clone()]))?.below;
        if !below.is_empty() {
            let note = format!("overridden {}, first in {}", count(below.len(), "time"), below[0].full_name());
            rows.push(ListRow::of(&member).with(note));
        }
    }
    let name = class.full_name();
    let what = if wants_methods { "method" } else { "member" };
    let named = first_in_words(
        rows.iter().map(|row| format!("`{}`", row.name.rsplit('.').next().unwrap_or(&row.name))),
        MAX_NAMED,
    );
    let headline = match rows.len() {
        0 => format!("none: no {what} of `{name}` is overridden here"),
        1 => format!("1 {what} of `{name}` is overridden here: {named}"),
        all => format!("{} of `{name}` are overridden here: {named}", count(all, what)),
    };
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Hierarchy).plan, headline);
    answer.want(class, "asked about", false);
    answer.command = format!("repoidx tree {name}");
    answer.list(format!("members of `{name}` that others override ({})", rows.len()), rows);
    Ok(answer)
}

/// Whether the question asks which members of one class are overridden: `which methods of C are overridden`, `do
/// subclasses override`.
fn asks_for_overridden(words: &[QuestionWord], class: &str) -> bool {
    const HEIRS: &str = "any child children derived descendants heirs its other others some subclass subclasses the";
    let begins = words.first().is_some_and(|word| is_in("all how list name show what which", &word.lower()));
    let Some(at) = words.iter().position(|word| word.text == class).filter(|at| begins && *at > 0) else {
        return false;
    };
    let Some(verb) = words.iter().position(|word| word.lower().starts_with("overrid")) else { return false };
    let before = (0..at).rev().find(|at| !is_in("class the", &words[*at].lower()));
    let is_owner = before.is_some_and(|at| is_in("in of", &words[at].lower())) || words[at].is_possessive;
    let by = words.iter().position(|word| word.lower() == "by");
    let is_by_heirs = by.is_none_or(|by| words[by + 1..].iter().all(|word| is_in(HEIRS, &word.lower())));
    let is_passive = words[verb].lower() == "overridden" && is_by_heirs;
    let heirs = words[..verb].iter().any(|word| is_in("children descendants heirs subclasses", &word.lower()));
    is_owner && (is_passive && (verb > at || words[verb + 1..at].len() < 4) || heirs && verb > at)
}

/// Whether the question asks for what one class overrides: `does C override`, `that C overrides`, `overridden by C`.
fn is_of_class(words: &[QuestionWord], class: &str) -> bool {
    let begins = words.first().is_some_and(|word| is_in("all how list name show what which", &word.lower()));
    let Some(verb) = words.iter().position(|word| word.lower().starts_with("overrid")) else { return false };
    let Some(at) = words.iter().position(|word| word.text == class).filter(|_| begins) else { return false };
    let skipped = (0..at).rev().find(|at| !is_in("class the", &words[*at].lower()));
    let before = skipped.map(|at| words[at].lower()).unwrap_or_default();
    let is_subject = at + 1 == verb && !is_in("below from in of under", &before);
    let is_agent = verb < at && words[verb].lower() == "overridden" && is_in("by in", &before);
    is_subject || is_agent
}
