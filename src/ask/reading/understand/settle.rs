//! Settles which of the names in a question are its subjects: instances, members of earlier subjects, places to which
//! something moves, and names that only resemble others.

use std::{cmp::Reverse, collections::BTreeMap, mem};

use crate::{
    ask::reading::{
        filters::Filters,
        forms::{
            patterns::Phrase,
            world::{asks_of_language, asks_of_other_language, is_topic},
        },
        likeliest::of_instance,
        names::{Meanings, NameMatch, meanings, taken_for},
        plan::{PlannedFile, Understood},
        subjects::{NameMention, QuestionNames, unknown::stands_in_code},
        words::{ParsedQuestion, QuestionWord, Shape, is_in, objects::is_way},
    },
    model::{EntityKind, conventions::standard_library},
    query::{
        navigate::outside::{is_library, outside_bases},
        source::Sources,
        target::{
            Target, TargetMatch,
            filter::is_exception_name,
            known,
            likeliest::{is_aside, likeliest},
            lineage,
            spelling::nearest,
        },
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Definitions that are proposed for a member that a class has not.
const MAX_PROPOSALS: usize = 5;

/// Forgets names of a question about programs in the language that are topics of the world: `parse JSON in Python`.
pub(super) fn forget_topics(question: &ParsedQuestion, named: &mut QuestionNames) {
    let is_of_other = asks_of_other_language(&question.words);
    if !asks_of_language(&question.words) && !is_of_other {
        return;
    }
    let is_meant = |mention: &NameMention| {
        let word = &question.words[mention.at];
        let is_capital = word.text.chars().all(char::is_uppercase) && is_of_other;
        word.shape == Shape::Code && !is_capital || !is_topic(&word.lower())
    };
    let (meant, forgotten) = mem::take(&mut named.mentions).into_iter().partition(is_meant);
    named.mentions = meant;
    let forgotten: Vec<NameMention> = forgotten;
    named.blank.retain(|at| forgotten.iter().all(|mention| mention.at != *at));
}

/// Resolves what an instance is called here (`app.route`), or else the last part of a dotted name.
pub(super) fn resolve_instances(
    store: &Store,
    sources: &Sources,
    question: &ParsedQuestion,
    named: &mut QuestionNames,
) -> Result<Vec<String>, StoreError> {
    let mut notes = Vec::new();
    for mention in &mut named.mentions {
        let mut is_known = false;
        for target in &mention.meanings.targets {
            is_known |= store.file(target.main().file)?.is_some_and(|file| !file.is_test);
        }
        // `the setting pool.limit` is no `limit`.
        let before = mention.at.checked_sub(1).map(|at| question.words[at].lower()).unwrap_or_default();
        let is_key = matches!(before.as_str(), "key" | "option" | "setting" | "command" | "event" | "signal");
        if is_known || is_key || !mention.text.contains('.') || mention.text.contains(['/', ':']) {
            continue;
        }
        // `click.command` is one of the library, whatever is called `command` here.
        let first = mention.text.split('.').next().unwrap_or_default();
        if is_library(store, first)? {
            mention.meanings = Meanings::default();
            mention.passed.clear();
            notes.push(format!("`{first}` is a library here: its definitions are not in the index"));
            continue;
        }
        let found = match of_instance(store, sources, &mention.text)? {
            Some(target) => vec![target],
            None => {
                let (head, last) = mention.text.rsplit_once('.').unwrap_or(("", &mention.text));
                if let Some(target) = handed_on(store, head, last)? {
                    notes.extend(named_in_full(&mention.text, &target));
                    mention.meanings.targets = vec![target];
                    mention.meanings.how = Some(NameMatch::Exact);
                    continue;
                }
                // `asyncio.Protocol` is one of Python although a package here has an `asyncio` of its own.
                let is_root = |module: &str| module.split('.').next() == Some(first);
                if standard_library::is_module(first) && !store.modules()?.iter().any(|(_, one)| is_root(one)) {
                    mention.meanings = Meanings::default();
                    mention.passed.clear();
                    notes.push(format!("`{first}` is a library here: its definitions are not in the index"));
                    continue;
                }
                // `Cart.total` is no `total` of another class where nothing is called `Cart`.
                let is_class = head.starts_with(char::is_uppercase);
                if is_class && meanings(store, head, None, true, "")?.targets.is_empty() {
                    continue;
                }
                // The class of `request` is known, or of a library: `request.json` is no `json` of another class.
                let is_value = |target: &Target| {
                    target.main().record.kind == EntityKind::Variable && !is_aside(&target.main().path)
                };
                if meanings(store, head, None, true, "")?.targets.iter().any(is_value) {
                    continue;
                }
                let mut targets = meanings(store, last, mention.hint, true, "")?.targets;
                if let Some(class) = class_called(store, head)? {
                    // `Rule.match` is no `match` of a class that has nothing to do with `Rule`.
                    let (related, proposals) = of_relatives(store, &class, last, targets)?;
                    if related.is_empty() {
                        notes.push(lacks(store, &class, last)?);
                        mention.meanings = Meanings { proposals, ..Meanings::default() };
                        mention.passed.clear();
                        continue;
                    }
                    targets = related;
                }
                let mut chosen = likeliest(store, last, targets)?.0;
                // A test's own helper is no `last` of something that is not known.
                chosen.retain(|target| !is_aside(&target.main().path));
                chosen
            }
        };
        if let Some(first) = found.first() {
            notes.extend(named_in_full(&mention.text, first));
            mention.meanings.targets = found;
            mention.meanings.how = Some(NameMatch::Exact);
        }
    }
    Ok(notes)
}

/// That a text is taken for a definition, where it is not its full name.
fn named_in_full(text: &str, target: &Target) -> Option<String> {
    let name = target.main().full_name();
    (name != text).then(|| format!("`{text}` is taken for `{name}`"))
}

/// The only class of the program that is called so.
fn class_called(store: &Store, name: &str) -> Result<Option<Target>, StoreError> {
    let mut targets = meanings(store, name, None, true, "")?.targets;
    targets.retain(|target| !is_aside(&target.main().path));
    let is_class = |target: &Target| target.main().record.kind == EntityKind::Class;
    Ok(likeliest(store, name, targets)?.0.into_iter().next().filter(is_class))
}

/// The members among `targets` whose class derives from `class`; and else those that can be proposed: members of the
/// class with a name like it, then the others that have the name.
fn of_relatives(
    store: &Store,
    class: &Target,
    name: &str,
    targets: Vec<Target>,
) -> Result<(Vec<Target>, Vec<Entity>), StoreError> {
    let (mut related, mut proposals) = (Vec::new(), Vec::new());
    let mut own = Vec::new();
    for owner in [vec![class.main().id], lineage(store, class.main().id)?].concat() {
        own.extend(store.children(owner)?);
    }
    let names: Vec<String> = own.iter().map(|member| member.record.name.clone()).collect();
    for near in nearest(&names, name) {
        proposals.extend(own.iter().find(|member| member.record.name == *near).cloned());
    }
    for target in targets {
        let owner = target.main().parent;
        if lineage(store, owner)?.contains(&class.main().id) {
            related.push(target);
        } else if !is_aside(&target.main().path) {
            proposals.push(target.main().clone());
        }
    }
    proposals.truncate(MAX_PROPOSALS);
    Ok((related, proposals))
}

/// That a class has no member of a name, and from which library it may have one.
fn lacks(store: &Store, class: &Target, name: &str) -> Result<String, StoreError> {
    let main = class.main();
    let mut outside = Vec::new();
    for id in [vec![main.id], lineage(store, main.id)?].concat() {
        if let Some(class) = store.entity(id)? {
            outside.extend(outside_bases(store, &class)?.into_iter().filter(|base| base != "object"));
        }
    }
    outside.dedup();
    let outside: Vec<String> = outside.iter().map(|base| format!("`{base}`")).collect();
    let place = format!("{}:{}", main.path, main.record.start_line);
    let name_of_class = main.full_name();
    Ok(match outside.as_slice() {
        [] => format!("`{name_of_class}` has no `{name}` ({place})"),
        bases => {
            format!("`{name_of_class}` has no `{name}`, unless from {} of a library ({place})", bases.join(" and "))
        }
    })
}

/// The definition that a module called `head`, in some package, offers as `last`.
fn handed_on(store: &Store, head: &str, last: &str) -> Result<Option<Target>, StoreError> {
    let modules = meanings(store, head, Some(EntityKind::Module), true, "")?.targets;
    for module in modules.iter().filter(|module| module.main().record.kind == EntityKind::Module) {
        if let Some(target) = member_of(store, module, last)? {
            return Ok(Some(target));
        }
    }
    Ok(None)
}

/// The member of a class or module that has this name.
fn member_of(store: &Store, outer: &Target, name: &str) -> Result<Option<Target>, StoreError> {
    Ok(match known(store, &format!("{}.{name}", outer.main().full_name()), "")? {
        Some(TargetMatch::Found(member)) => Some(member),
        _ => None,
    })
}

/// Forgets definitions that only resemble the name of an exception or a setting, such as `key_error` for `KeyError`.
/// Behind `raise` and `catch` a name in capital letters is a class, be it one of a library.
pub(super) fn forget_namesakes(question: &ParsedQuestion, named: &mut QuestionNames) {
    let is_behind_raise = |at: usize| {
        let before = at.checked_sub(1).map(|at| question.words[at].lower()).unwrap_or_default();
        let is_class =
            question.words[at].text.rsplit('.').next().is_some_and(|last| last.starts_with(char::is_uppercase));
        let verbs = "raise raises raising throw throws throwing catch catches catching except handle handles handling";
        is_class && is_in(verbs, &before)
    };
    // `the __init__s` are many, and the subject stands beside them.
    if named.mentions.len() > 1 {
        named.mentions.retain(|mention| !mention.text.ends_with("__s"));
    }
    for mention in &mut named.mentions {
        let is_class = |target: &Target| target.main().record.kind == EntityKind::Class;
        // `NO_COLOR` is a setting, though an attribute `no_color` may hold it.
        let is_setting = mention.text.contains('_') && !mention.text.contains(char::is_lowercase);
        if is_setting && mention.meanings.how.is_some_and(|how| how != NameMatch::Exact) {
            mention.meanings.targets.clear();
        }
        let is_exception = is_exception_name(&mention.text) || is_behind_raise(mention.at);
        if is_exception && !mention.meanings.targets.iter().any(is_class) {
            mention.meanings.targets.clear();
            mention.passed.clear();
        }
    }
}

/// Puts misspelt types of the filters right, and says so: `functions that take a Consol`.
pub(super) fn correct_types(
    store: &Store,
    sources: &Sources,
    filters: &mut Filters,
) -> Result<Vec<String>, StoreError> {
    let mut notes = Vec::new();
    for name in [&mut filters.takes, &mut filters.returns, &mut filters.raises, &mut filters.catches] {
        let Some(written) = name.as_ref().filter(|name| name.starts_with(char::is_uppercase)) else { continue };
        if !store.entities_named(written, false)?.is_empty() || stands_in_code(&store.files()?, sources, written) {
            continue;
        }
        let found = meanings(store, written, Some(EntityKind::Class), false, "")?;
        if let (Some(NameMatch::Slip), Some(class)) = (found.how, found.targets.first()) {
            notes.push(taken_for(written, class));
            *name = Some(class.main().record.name.clone());
        }
    }
    Ok(notes)
}

/// Drops the names before `I mean`: the one behind it is meant.
pub(super) fn correct_oneself(phrase: &Phrase, named: &mut QuestionNames) {
    let Some((at, _)) = phrase.place("i mean/meant|sorry|or rather|err") else { return };
    if named.mentions.iter().any(|mention| mention.at > at) {
        named.mentions.retain(|mention| mention.at > at);
    }
}

/// Reads `old_name to new_name` as a renaming where nothing has the new name, and says whether it did.
pub(super) fn name_the_new(question: &mut ParsedQuestion, named: &QuestionNames) -> bool {
    let is_here = |at: usize| named.mentions.iter().any(|mention| mention.at == at && is_exact(mention));
    let is_new = |at: usize| {
        question.words.get(at).is_some_and(|word| word.shape == Shape::Code && word.text.contains('_')) && !is_here(at)
    };
    // `path from get to send_request` names two ends.
    let is_from = |at: usize| question.words[..at].iter().any(|word| word.lower() == "from");
    let has_way = question.words.iter().any(|word| is_way(&word.lower()));
    let found = (1..question.words.len())
        .filter(|at| !(has_way && is_from(*at)))
        .find(|at| question.words[*at].lower() == "to" && is_here(at - 1) && is_new(at + 1));
    if let Some(at) = found {
        "becomes".clone_into(&mut question.words[at].text);
    }
    found.is_some()
}

/// Whether a definition has the name as it is written.
fn is_exact(mention: &NameMention) -> bool {
    mention.meanings.how == Some(NameMatch::Exact)
}

/// Drops the place to which something moves: `X from a to b` is about `X`.
pub(super) fn drop_destination(question: &ParsedQuestion, named: &mut QuestionNames, heads: &str) {
    let is_behind = |at: usize| {
        let word = |back: usize| at.checked_sub(back).and_then(|at| question.words.get(at)).map(QuestionWord::lower);
        let is_to = |word: Option<String>| word.is_some_and(|word| heads.split(' ').any(|head| head == word));
        // `out of the package`: it comes from there.
        let is_out = word(1).as_deref() == Some("of") && word(2).as_deref() == Some("out");
        is_out || is_to(word(1)) || matches!(word(1).as_deref(), Some("the")) && is_to(word(2))
    };
    if named.mentions.iter().any(|mention| !is_behind(mention.at)) || !named.files.is_empty() {
        named.mentions.retain(|mention| !is_behind(mention.at));
    }
    let path_at = |text: &str| question.words.iter().position(|word| word.text == text);
    let has_other = named.files.len() > 1 || !named.mentions.is_empty();
    named.files.retain(|file| !has_other || path_at(&file.text).is_some_and(|at| !is_behind(at)));
}

/// The member of an earlier subject that the question names: `its show method`.
pub(super) fn own_member(
    store: &Store,
    question: &ParsedQuestion,
    about: &[Target],
) -> Result<Option<Target>, StoreError> {
    for pair in question.words.windows(2) {
        if !matches!(pair[1].lower().as_str(), "method" | "property" | "attribute" | "function") {
            continue;
        }
        for target in about {
            if let Some(member) = member_of(store, target, &pair[0].text)? {
                return Ok(Some(member));
            }
        }
    }
    Ok(None)
}

/// Puts `C.__init__` in the place of the class where its constructor is to be shown or explained. Who calls that calls
/// the class.
pub(super) fn own_constructor(
    store: &Store,
    question: &ParsedQuestion,
    named: &mut QuestionNames,
) -> Result<(), StoreError> {
    const SHOWING: &str = "constructor describe display explain give print see show source view";
    let is_showing = question.words.first().is_some_and(|word| is_in(SHOWING, &word.lower()));
    let constructor =
        question.words.iter().position(|word| is_in("constructor initialiser initializer", &word.lower()));
    let (Some(at), [mention]) = (constructor.filter(|_| is_showing), named.mentions.as_mut_slice()) else {
        return Ok(());
    };
    let [class] = mention.meanings.targets.as_slice() else { return Ok(()) };
    let is_between = |word: &QuestionWord| is_in("class exception for of the", &word.lower());
    let is_its = mention.at + 1 == at || mention.at > at && question.words[at + 1..mention.at].iter().all(is_between);
    if is_its
        && class.main().record.kind == EntityKind::Class
        && let Some(member) = member_of(store, class, "__init__")?
    {
        mention.meanings.targets = vec![member];
    }
    Ok(())
}

/// Puts the member in the place of the class that the question names: `Heap: which classes override its insert`.
pub(super) fn own_subject(
    store: &Store,
    question: &ParsedQuestion,
    named: &mut QuestionNames,
) -> Result<(), StoreError> {
    let [mention] = named.mentions.as_mut_slice() else { return Ok(()) };
    let [class] = mention.meanings.targets.as_slice() else { return Ok(()) };
    for (at, pair) in question.words.windows(2).enumerate() {
        let is_own = matches!(pair[0].lower().as_str(), "its" | "their") && at > mention.at;
        if !is_own || class.main().record.kind != EntityKind::Class {
            continue;
        }
        if let Some(member) = member_of(store, class, &pair[1].text)? {
            mention.meanings.targets = vec![member];
            named.blank.insert(at + 1);
            return Ok(());
        }
    }
    Ok(())
}

/// Takes the file of the main package where several have the name that the question gives, and there the one nearest to
/// the root: tests and others come after.
pub(super) fn choose_files(store: &Store, understood: &mut Understood) -> Result<Vec<String>, StoreError> {
    let mut notes = Vec::new();
    let is_open = |file: &&mut PlannedFile| !file.is_folder && file.paths.len() > 1;
    for file in understood.plan.files.iter_mut().filter(is_open) {
        let mut sizes: BTreeMap<String, usize> = BTreeMap::new();
        for (_, known) in store.files()? {
            *sizes.entry(first_folder(&known.path).to_owned()).or_default() += 1;
        }
        let size = |path: &String| sizes.get(first_folder(path)).copied().unwrap_or_default();
        // A file outside of all folders stands by itself.
        let is_inside = |path: &String| path.contains('/');
        let rank =
            |path: &String| (is_aside(path), is_inside(path).then(|| Reverse(size(path))), path.matches('/').count());
        let best = file.paths.iter().map(rank).min();
        let (chosen, others): (Vec<String>, Vec<String>) =
            mem::take(&mut file.paths).into_iter().partition(|path| Some(rank(path)) == best);
        if !others.is_empty() {
            notes.push(format!(
                "`{}` is taken for {}; also: {}",
                file.mention,
                chosen.join(" and "),
                others.join(", ")
            ));
        }
        file.paths = chosen;
        file.others = others.into_iter().filter(|path| !is_aside(path)).collect();
    }
    Ok(notes)
}

/// The folder at the root in which a file stands; empty for a file at the root.
fn first_folder(path: &str) -> &str {
    path.split_once('/').map_or("", |(folder, _)| folder)
}
