//! Answers `which classes are context managers` and `is C iterable`: by the special methods that a class has.
//!
//! A method counts where the class or a class above it in the repository defines it. Bases from outside are not read.

use std::collections::BTreeMap;

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, definitions::named, in_words, select},
        reading::{forms::QuestionIntent, plan::Understood},
    },
    model::EntityKind,
    query::{
        target::{
            filter::{Filter, FilterReader},
            lineage,
        },
        words::{count, plural},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// A protocol of Python.
struct KnownProtocol {
    /// A noun, or else an adjective of its classes.
    name: &'static str,
    is_noun: bool,
    /// The special methods; of each list one is enough.
    methods: &'static [&'static [&'static str]],
    /// Decorators that make functions give such an object.
    decorators: &'static [&'static str],
}

/// Longer names first: an async iterator is no iterator.
const PROTOCOLS: [KnownProtocol; 15] = [
    noun("async context manager", &[&["__aenter__"], &["__aexit__"]], &["asynccontextmanager"]),
    noun("asynchronous context manager", &[&["__aenter__"], &["__aexit__"]], &["asynccontextmanager"]),
    noun("context manager", &[&["__enter__"], &["__exit__"]], &["contextmanager"]),
    noun("async iterator", &[&["__aiter__"], &["__anext__"]], &[]),
    noun("async iterable", &[&["__aiter__"]], &[]),
    noun("iterator", &[&["__iter__"], &["__next__"]], &[]),
    noun("iterable", &[&["__iter__"]], &[]),
    noun("data descriptor", &[&["__set__", "__delete__"]], &[]),
    noun("descriptor", &[&["__get__", "__set__", "__delete__"]], &[]),
    noun("container", &[&["__contains__"]], &[]),
    adjective("callable", &[&["__call__"]]),
    adjective("awaitable", &[&["__await__"]]),
    adjective("subscriptable", &[&["__getitem__", "__class_getitem__"]]),
    adjective("indexable", &[&["__getitem__"]]),
    adjective("reversible", &[&["__reversed__"]]),
];

const fn noun(
    name: &'static str,
    methods: &'static [&'static [&'static str]],
    decorators: &'static [&'static str],
) -> KnownProtocol {
    KnownProtocol { name, is_noun: true, methods, decorators }
}

const fn adjective(name: &'static str, methods: &'static [&'static [&'static str]]) -> KnownProtocol {
    KnownProtocol { name, is_noun: false, methods, decorators: &[] }
}

impl KnownProtocol {
    /// The protocol that the words name.
    fn of(words: &[String]) -> Option<&'static Self> {
        let is_there = |protocol: &&Self| {
            let parts: Vec<&str> = protocol.name.split(' ').collect();
            words.windows(parts.len()).any(|words| {
                words.iter().zip(&parts).all(|(word, part)| word == part || word.strip_suffix('s') == Some(*part))
            })
        };
        PROTOCOLS.iter().find(is_there)
    }

    /// The methods in a sentence: `__enter__` and `__exit__`.
    fn worded(&self) -> String {
        let one = |names: &&[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ");
        in_words(&self.methods.iter().map(one).collect::<Vec<_>>())
    }

    /// The methods by which a class, own or inherited, has the protocol; `None` where it lacks one.
    fn held(&self, store: &Store, class: &Entity) -> Result<Option<Vec<Entity>>, StoreError> {
        let mut members: BTreeMap<String, Entity> = BTreeMap::new();
        for id in std::iter::once(class.id).chain(lineage(store, class.id)?) {
            for member in store.children(id)? {
                members.entry(member.record.name.clone()).or_insert(member);
            }
        }
        let found = self.methods.iter().map(|names| names.iter().find_map(|name| members.get(*name)).cloned());
        Ok(found.collect())
    }
}

/// Answers it; `None` for other questions.
pub(in crate::ask::answer) fn protocols(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = &understood.words;
    let Some(protocol) = KnownProtocol::of(words) else { return Ok(None) };
    // `context managers written with contextlib.contextmanager` are functions.
    let is_decorator = |word: &String| {
        word.starts_with("decorat") || protocol.decorators.iter().any(|decorator| word.ends_with(decorator))
    };
    if words.iter().any(is_decorator) {
        return Ok(None);
    }
    // `what is a context manager` asks for no list.
    if understood.is_of_world {
        return Ok(None);
    }
    let head: Vec<&str> = words.iter().take(2).map(String::as_str).collect();
    match (head.as_slice(), understood.targets.as_slice()) {
        (["is" | "are", second], [target]) if *second != "there" && target.main().record.kind == EntityKind::Class => {
            of_class(reading, understood, protocol, target.main())
        }
        (
            ["which" | "what" | "list" | "show" | "all" | "find" | "name", _]
            | ["how", "many"]
            | ["are" | "is", "there"],
            [],
        ) => classes(reading, understood, protocol),
        _ => Ok(None),
    }
}

/// Yes or no to `is C a context manager`.
fn of_class(
    reading: AnswerInputs,
    understood: &Understood,
    protocol: &KnownProtocol,
    class: &Entity,
) -> Result<Option<Answer>, StoreError> {
    // `is C the iterator of D`
    let last = understood.words.last().map(String::as_str).unwrap_or_default();
    if !protocol.name.ends_with(last) {
        return Ok(None);
    }
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Show).plan, String::new());
    let article = match (protocol.is_noun, protocol.name.starts_with(['a', 'e', 'i', 'o', 'u'])) {
        (false, _) => "",
        (true, true) => "an ",
        (true, false) => "a ",
    };
    let is = format!("{article}{}", protocol.name);
    let name = named(class);
    let place = format!("{}:{}", class.path, class.record.start_line);
    answer.headline = match protocol.held(reading.store, class)? {
        Some(methods) => {
            let places: Vec<String> = methods
                .iter()
                .map(|one| format!("`{}` ({}:{})", one.record.qualified, one.path, one.record.line))
                .collect();
            format!("yes: {name} is {is}: it has {}", in_words(&places))
        }
        None => format!("no: {name} is not {is}: it has no {} here, own or inherited ({place})", protocol.worded()),
    };
    answer.command = format!("repoidx show {}", class.full_name());
    answer.want(class, "asked about", false);
    Ok(Some(answer))
}

/// The classes with the protocol, and the functions that give such objects.
fn classes(
    reading: AnswerInputs,
    understood: &Understood,
    protocol: &KnownProtocol,
) -> Result<Option<Answer>, StoreError> {
    // `which functions return iterators`, `which functions are context managers`
    const OTHERS: [&str; 12] = [
        "argument",
        "call",
        "function",
        "method",
        "module",
        "parameter",
        "return",
        "test",
        "use",
        "take",
        "accept",
        "yield",
    ];
    if understood.words.iter().any(|word| word != "callable" && OTHERS.iter().any(|other| word.starts_with(other))) {
        return Ok(None);
    }
    let reader = FilterReader::new(reading.store)?;
    let asked = understood.filter();
    let filter = Filter {
        kinds: vec![EntityKind::Class],
        is_in_tests: asked.is_in_tests.or(asked.paths.is_empty().then_some(false)),
        paths: asked.paths,
        ..Filter::default()
    };
    let mut rows = Vec::new();
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Select).plan, String::new());
    for class in reader.fitting(&filter)? {
        if understood.leaves_out(&class.path) {
            continue;
        }
        let Some(methods) = protocol.held(reading.store, &class)? else { continue };
        let inherited = methods.iter().find(|method| method.parent != class.id);
        let note = inherited.map_or(String::new(), |method| format!("`{}`", method.record.qualified));
        answer.want(&class, "it fits", true);
        rows.push(ListRow::of(&class).with(note));
    }
    let decorators: Vec<String> = protocol.decorators.iter().map(|name| (*name).to_owned()).collect();
    let by_decorator = Filter {
        kinds: vec![EntityKind::Function, EntityKind::Method],
        decorators: vec![decorators],
        ..filter.clone()
    };
    let functions = if protocol.decorators.is_empty() { Vec::new() } else { reader.fitting(&by_decorator)? };
    let place = select::place(understood, &filter);
    let noun = if protocol.is_noun { format!("{}s", protocol.name) } else { protocol.name.to_owned() };
    let by = format!("{}, own or inherited", protocol.worded());
    let are = if rows.len() == 1 { "is" } else { "are" };
    let noun = if rows.len() == 1 && protocol.is_noun { format!("a {}", protocol.name) } else { noun };
    answer.headline = match rows.len() {
        0 => format!("none: no class {place} has {by}"),
        all => {
            let first: Vec<String> = rows.iter().take(4).map(|row| format!("`{}`", row.name)).collect();
            let more = if all > first.len() { ", …" } else { "" };
            format!("{} {place} {are} {noun} ({by}): {}{more}", count(all, "class"), first.join(", "))
        }
    };
    let decorator = protocol.decorators.first().copied().unwrap_or_default();
    if !functions.is_empty() {
        answer.headline += &format!("; {} decorated by `{decorator}`", count(functions.len(), "function"));
        answer.headline += if functions.len() == 1 { " gives one" } else { " give one" };
    }
    answer.list(format!("{} with {by} ({})", plural("class"), rows.len()), rows);
    let title = format!("functions decorated by `{decorator}` ({})", functions.len());
    answer.list(title, functions.iter().map(ListRow::of).collect());
    answer.command = understood.plan.ask_command();
    Ok(Some(answer))
}
