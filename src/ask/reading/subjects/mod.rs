//! Finds the subjects of a question: definitions, parameters, files, quoted lines.
//!
//! Parameters, files and quoted lines are never taken for definitions. A method and its class are one subject, not two.

pub mod decorators;
pub mod members;
pub mod name_parts;
pub mod parameters;
pub mod slots;
pub mod unknown;
pub mod untested;

use std::collections::BTreeSet;

use crate::{
    ask::reading::{
        forms::world::is_language,
        names::{Hint, Meanings, NameMatch, meanings, taken_for},
        relations::noun_of,
        subjects::{
            members::{bind_to_class, joined_members, members_of_place},
            parameters::{fixtures, is_changed_owner, keep_parameters, parameter_words, unknown_parameters},
            slots::{AskedArgument, ParameterSlots, fill_slots},
            unknown::{unknown_object, unknown_partner, unknown_slips, unknown_title},
        },
        words::{ParsedQuestion, QuestionWord, Shape, is_in, is_stop_word, objects::is_object, parts::asked_part},
    },
    model::{EntityFlags, EntityKind, FileId, FileRecord, conventions::standard_library},
    query::navigate::outside::is_library,
    query::target::{
        Target, TargetMatch, known,
        likeliest::{is_of_program, likeliest},
        lineage, look_up,
    },
    store::{Store, error::StoreError, read::Entity},
    texts::documents::is_document,
};

/// Names of one question that are looked up.
const MAX_MENTIONS: usize = 40;
/// Classes of one name that are compared to find the one that refines the others.
const MAX_REFINED: usize = 6;

/// A name in a question with its possible meanings.
#[derive(Clone, Debug)]
pub struct NameMention {
    /// The word, by its number.
    pub at: usize,
    pub text: String,
    pub hint: Hint,
    pub meanings: Meanings,
    /// The class or module that the question names as its place.
    pub container: Option<Target>,
    /// Further definitions of this name that were passed over: in tests, or less likely.
    pub passed: Vec<Target>,
    /// None of several meanings is likelier than the others.
    pub are_all_meant: bool,
}

impl NameMention {
    /// A name without a place, of which nothing was passed over.
    pub fn new(at: usize, text: String, hint: Hint, meanings: Meanings) -> Self {
        Self { at, text, hint, meanings, container: None, passed: Vec::new(), are_all_meant: false }
    }
}

/// A file or folder in a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileMention {
    pub text: String,
    /// Files that it can mean, by path; for a folder, the files below it.
    pub paths: Vec<String>,
    pub is_folder: bool,
}

/// Everything that a question names.
#[derive(Clone, Debug, Default)]
pub struct QuestionNames {
    /// In the order of the question.
    pub mentions: Vec<NameMention>,
    /// Names of parameters.
    pub parameters: Vec<String>,
    /// The question speaks of a parameter, named or not.
    pub has_parameter: bool,
    /// The argument that the question says calls pass, or the first parameter.
    pub argument: Option<AskedArgument>,
    pub files: Vec<FileMention>,
    /// A word that the question counts, and that is neither a kind of definitions nor the name of a module.
    pub uncounted: Option<String>,
    /// Notes on misspelt names that only say where a subject is.
    pub guessed: Vec<String>,
    /// Numbers of the words that name anything.
    pub blank: BTreeSet<usize>,
}

/// Finds the names in `question`. `folder` is the user's folder.
pub fn named(store: &Store, question: &ParsedQuestion, folder: &str) -> Result<QuestionNames, StoreError> {
    let mut named = QuestionNames::default();
    // Most questions name no file, so the list of files is read only for those that may.
    let files = if question.words.iter().any(|word| word.shape == Shape::Path || is_folder_word(&word.lower())) {
        store.files()?
    } else {
        Vec::new()
    };
    files_named(store, question, &files, &mut named)?;
    let parameter_words = parameter_words(question, &mut named);
    let slots = ParameterSlots::of(question);
    let part_owner = asked_part(question).map(|part| part.owner_at);
    let makes = asks_for_own(question);
    for (at, word) in question.words.iter().enumerate() {
        if named.mentions.len() >= MAX_MENTIONS || named.blank.contains(&at) && word.shape != Shape::Path {
            continue;
        }
        if word.shape == Shape::Path {
            // `file.py:12` means a definition; a file alone is no subject.
            if let TargetMatch::Found(target) = place(store, &word.text, folder)? {
                let meanings = Meanings { targets: vec![target], how: Some(NameMatch::Exact), proposals: Vec::new() };
                named.mentions.push(NameMention::new(at, word.text.clone(), None, meanings));
            }
            continue;
        }
        // `a.b.c` stands for any dotted name.
        let is_pattern = word.text.contains('.') && word.text.split('.').all(|part| part.chars().count() == 1);
        if parameter_words.contains(&at) || is_pattern {
            continue;
        }
        if is_language(&question.words, at) {
            continue;
        }
        let lower = word.lower();
        if let Some(found) = fixture_called(store, question, at)? {
            named.blank.insert(at);
            named.mentions.push(NameMention::new(at, word.text.clone(), Some(EntityKind::Function), found));
            continue;
        }
        let hint = hint_at(question, at);
        let is_code = word.shape == Shape::Code;
        // A sentence begins with a capital letter too, but hardly as `Fail from shop/errors.py`.
        let is_placed = comes_before(question, at, "from in inside of");
        let is_title = word.shape == Shape::Capitalized && (at > 0 || is_placed) && word.text.len() > 1;
        // `module level functions` are of no module `level`.
        if lower == "level" && comes_after(question, at, "class file function import method module package top") {
            continue;
        }
        // `how many exceptions are there` and `list all exceptions` ask for the kind, whatever module is called so.
        let is_of_all = comes_after(question, at, "all list many show what which");
        if word.shape == Shape::Plain && is_of_all && noun_of(&lower).is_some() {
            continue;
        }
        // `the most complex function` names no function `complex`.
        let is_graded = word.shape == Shape::Plain && comes_after(question, at, "least less more most very");
        // `how do I write my own auth class`: no `auth` of the program is meant.
        if makes && word.shape == Shape::Plain {
            continue;
        }
        let is_told =
            hint.is_some() && !is_graded && (is_title || !is_stop_word(&lower) || is_one_letter_name(&word.text));
        // `make the parameter x required in connect`: the plain word takes the parameter.
        let is_taker = named.has_parameter && comes_after(question, at, "from in to");
        // `who calls next`: what stands there can be nothing else.
        let is_owner = slots.owners.contains(&at) || is_changed_owner(question, at) || part_owner == Some(at);
        let is_object = is_object(question, at) || is_owner || is_compared(question, at);
        let is_possible =
            is_code || is_told || is_object || word.shape == Shape::Capitalized || is_taker || may_name(question, at);
        // Inside a sentence `View` can be a class; `Class` before a name is only its kind. Behind `methods of
        // Attribute` stands none.
        let is_before_name = question.words.get(at + 1).is_some_and(|next| !is_stop_word(&next.lower()));
        let is_owner = comes_after(question, at, "in of") && (word.ends_clause || !is_before_name);
        let is_ordinary = is_stop_word(&lower) && !is_object && !(is_title && (kind_of(&lower).is_none() || is_owner));
        if !is_possible || (!is_code && !is_told && is_ordinary) {
            continue;
        }
        let mut found = meanings(store, &word.text, hint, !is_code && !is_told, folder)?;
        // `the difference between define and attrs`: a package may be called so, too.
        let is_code_of_it = |target: &Target| is_class_or_callable(target.main().record.kind);
        if is_compared(question, at) && word.shape == Shape::Plain && !found.targets.iter().any(is_code_of_it) {
            found = meanings(store, &word.text, Some(EntityKind::Function), true, folder)?;
        }
        // A plain word is a name only if a class or callable is called exactly so.
        let is_weak = !is_code && !is_told && word.shape == Shape::Plain;
        if is_weak && !is_meant(store, question, at, &found.targets)? {
            continue;
        }
        if found.targets.is_empty() && word.shape == Shape::Capitalized && at > 0 {
            found = misspelt_class(store, question, at)?.unwrap_or(found);
        }
        // `the Blueprints class` is that of a blueprint.
        let is_class = |target: &Target| target.main().record.kind == EntityKind::Class;
        if hint == Some(EntityKind::Class)
            && !found.targets.iter().any(is_class)
            && let Some(singular) = word.text.strip_suffix('s').filter(|_| word.text.starts_with(char::is_uppercase))
        {
            let one = meanings(store, singular, hint, true, folder)?;
            found = if one.targets.iter().any(is_class) { one } else { found };
        }
        let looks_like_a_name = is_code || is_told && follows_its_kind(question, at);
        if found.targets.is_empty() && !looks_like_a_name {
            continue;
        }
        named.blank.insert(at);
        named.mentions.push(NameMention::new(at, word.text.clone(), hint, found));
    }
    // Each step relies on the ones before: parameters are taken out before names settle each other.
    fill_slots(store, question, &slots, &mut named)?;
    drop_weak(question, &mut named);
    keep_parameters(question, &parameter_words, &mut named);
    fixtures(store, question, &parameter_words, folder, &mut named)?;
    narrow(store, &mut named)?;
    bind_to_class(store, question, &mut named)?;
    joined_members(store, question, &mut named)?;
    members_of_place(store, question, &mut named)?;
    prefer_siblings(&mut named);
    unknown_parameters(store, question, &mut named)?;
    prefer_code(store, &mut named)?;
    unknown_slips(&mut named);
    unknown_object(store, question, &mut named)?;
    unknown_title(store, question, &mut named)?;
    unknown_partner(store, question, &mut named)?;
    Ok(named)
}

/// The class of which a word with a capital letter is a slip, where only a name stands: `where is Blueprnt defined`.
fn misspelt_class(store: &Store, question: &ParsedQuestion, at: usize) -> Result<Option<Meanings>, StoreError> {
    const HEADS: &str = "describe explain locate open show";
    let word = &question.words[at];
    let ends = at + 1 == question.words.len() || comes_before(question, at, "class defined");
    let is_shown = ends && (is_one_of(question, 0, HEADS) && at <= 2 || comes_after(question, at, "is") && at == 2);
    let is_owner = ends && comes_after(question, at, "of for") && at > 1;
    let is_thing = ends && is_one_of(question, 0, "what") && comes_after(question, at, "a an");
    let is_judged = at == 1 && is_one_of(question, 0, "is does") && !ends;
    let is_name =
        is_shown || is_owner || is_thing || is_judged || is_object(question, at) || is_after_verb(question, at);
    if !is_name || is_library(store, &word.lower())? || standard_library::is_module(&word.lower()) {
        return Ok(None);
    }
    let mut found = meanings(store, &word.text, Some(EntityKind::Class), false, "")?;
    let is_class = |target: &Target| {
        let main = target.main();
        main.record.kind == EntityKind::Class && main.record.name.starts_with(char::is_uppercase)
    };
    found.targets.retain(is_class);
    Ok(Some(found).filter(|found| !found.targets.is_empty() && found.how == Some(NameMatch::Slip)))
}

/// The fixtures that a question calls so: `the asgi fixture` is no package `asgi`.
fn fixture_called(store: &Store, question: &ParsedQuestion, at: usize) -> Result<Option<Meanings>, StoreError> {
    const FIXTURE: &str = "fixture fixtures";
    // `test fixtures` and `use fixtures` name none of them.
    const AROUND: &str = "a all any every test tests the use used uses which";
    if is_in(AROUND, &question.words[at].lower()) {
        return Ok(None);
    }
    if !comes_after(question, at, FIXTURE) && !comes_before(question, at, FIXTURE) {
        return Ok(None);
    }
    let text = &question.words[at].text;
    let mut targets = Vec::new();
    for entity in store.entities_named(text, false)? {
        if entity.record.flags.has(EntityFlags::FIXTURE) {
            targets.push(Target::of(vec![entity]));
        }
    }
    Ok((!targets.is_empty()).then(|| Meanings { targets, how: Some(NameMatch::Exact), proposals: Vec::new() }))
}

/// Whether a question asks how something of one's own is made: `how do I write a custom adapter`.
fn asks_for_own(question: &ParsedQuestion) -> bool {
    let words = question.lower_words();
    words.first().is_some_and(|first| first == "how")
        && words.iter().any(|word| matches!(word.as_str(), "own" | "custom" | "new"))
}

/// Drops ordinary words where only the position suggests a name (`the class diagram`), if the question names something
/// else.
fn drop_weak(question: &ParsedQuestion, named: &mut QuestionNames) {
    let has_target = named.mentions.iter().any(|mention| !mention.meanings.targets.is_empty());
    let mut dropped = Vec::new();
    named.mentions.retain(|mention| {
        let is_weak = question.words[mention.at].shape == Shape::Plain && mention.meanings.targets.is_empty();
        let is_kept = !is_weak || !has_target;
        if !is_kept {
            dropped.push(mention.at);
        }
        is_kept
    });
    named.blank.retain(|at| !dropped.contains(at));
}

/// Removes classes and modules that only locate another subject.
pub fn absorb_containers(question: &ParsedQuestion, named: &mut QuestionNames) {
    let mut absorbed = BTreeSet::new();
    for index in 0..named.mentions.len() {
        let [inner] = named.mentions[index].meanings.targets.as_slice() else { continue };
        let inner = inner.clone();
        let outer = named.mentions.iter().enumerate().find(|(other, mention)| {
            let is_outer = |target: &Target| {
                contains(target, inner.main())
                    || inner.inherited_by.as_deref() == Some(plain_name(target.main()).as_str())
            };
            *other != index
                && !is_joined(question, named.mentions[index].at, mention.at)
                && matches!(mention.meanings.targets.as_slice(), [outer] if is_outer(outer))
        });
        if let Some((other, mention)) = outer {
            let outer = mention.meanings.targets[0].clone();
            if mention.meanings.how == Some(NameMatch::Slip) {
                named.guessed.push(taken_for(&mention.text, &outer));
            }
            // The subject keeps its container as a remark, so that the plan can show it.
            absorbed.insert(other);
            named.mentions[index].container = Some(outer);
        }
    }
    let mut index = 0;
    named.mentions.retain(|_| {
        index += 1;
        !absorbed.contains(&(index - 1))
    });
    let mut seen = BTreeSet::new();
    named.mentions.retain(|mention| match mention.meanings.targets.as_slice() {
        [target] => seen.insert((target.main().path.clone(), target.main().record.qualified.clone())),
        _ => true,
    });
}

/// `a and b`: both are subjects, even if one is part of the other.
fn is_joined(question: &ParsedQuestion, a: usize, b: usize) -> bool {
    let between = &question.words[a.min(b) + 1..a.max(b)];
    between.iter().any(|word| matches!(word.lower().as_str(), "and" | "or" | "with" | "versus" | "vs"))
}

/// Whether an entity lies inside a target: a member at any depth, or anything in a module.
pub fn contains(outer: &Target, inner: &Entity) -> bool {
    let outer = outer.main();
    let is_same_file = outer.file == inner.file && outer.id != inner.id;
    let qualified = &outer.record.qualified;
    match outer.record.kind {
        EntityKind::Module => is_same_file || inner.module.starts_with(&format!("{}.", outer.module)),
        _ => is_same_file && inner.record.qualified.starts_with(&format!("{qualified}.")),
    }
}

fn plain_name(entity: &Entity) -> String {
    let dot = if entity.record.qualified.is_empty() { "" } else { "." };
    format!("{}{dot}{}", entity.module, entity.record.qualified)
}

fn is_class_or_callable(kind: EntityKind) -> bool {
    kind == EntityKind::Class || kind.is_callable()
}

/// Lets names settle each other: `add` beside `Cart` is `Cart.add`.
fn narrow(store: &Store, named: &mut QuestionNames) -> Result<(), StoreError> {
    let folders: Vec<Vec<String>> = named.files.iter().map(|file| file.paths.clone()).collect();
    for index in 0..named.mentions.len() {
        for other in 0..named.mentions.len() {
            let (inner, outer) = (&named.mentions[index], &named.mentions[other]);
            if index == other || inner.meanings.targets.is_empty() {
                continue;
            }
            let holders: Vec<Target> = outer.meanings.targets.clone();
            let is_held = |target: &Target| holders.iter().any(|outer| contains(outer, target.main()));
            let held: Vec<Target> = inner.meanings.targets.iter().filter(|target| is_held(target)).cloned().collect();
            if held.is_empty() {
                continue;
            }
            // Meanings that hold none of the members are not meant either.
            let used: Vec<Target> =
                holders.iter().filter(|outer| held.iter().any(|t| contains(outer, t.main()))).cloned().collect();
            named.mentions[index].meanings.targets = held;
            named.mentions[other].meanings.targets = used;
        }
    }
    for mention in &mut named.mentions {
        if mention.meanings.targets.len() > 1 {
            for paths in &folders {
                let is_there = |target: &Target| paths.iter().any(|path| *path == target.main().path);
                if mention.meanings.targets.iter().any(is_there) {
                    mention.meanings.targets.retain(is_there);
                }
            }
        }
    }
    inherited(store, named)
}

/// Resolves a method that the class beside it inherits.
fn inherited(store: &Store, named: &mut QuestionNames) -> Result<(), StoreError> {
    for index in 0..named.mentions.len() {
        let inner = &named.mentions[index];
        let is_open = inner.meanings.targets.len() != 1 || inner.hint.is_some_and(EntityKind::is_callable);
        if !is_open || inner.text.contains(['.', '/', ':']) {
            continue;
        }
        let name =
            inner.meanings.targets.first().map_or(inner.text.clone(), |target| target.main().record.name.clone());
        for other in 0..named.mentions.len() {
            let [class] = named.mentions[other].meanings.targets.as_slice() else { continue };
            if other == index || class.main().record.kind != EntityKind::Class {
                continue;
            }
            if named.mentions[index].meanings.targets.iter().any(|target| contains(class, target.main())) {
                continue;
            }
            let dotted = format!("{}.{name}", plain_name(class.main()));
            if let Some(TargetMatch::Found(target)) = known(store, &dotted, "")?
                && target.inherited_by.is_some()
            {
                named.mentions[index].meanings =
                    Meanings { targets: vec![target], how: Some(NameMatch::Exact), proposals: Vec::new() };
            }
        }
    }
    Ok(())
}

/// Of several methods with a name, prefers those of the class whose other method the question names.
fn prefer_siblings(named: &mut QuestionNames) {
    let owner = |target: &Target| (target.main().record.qualified.contains('.')).then(|| target.main().parent);
    let settled: Vec<_> = named
        .mentions
        .iter()
        .filter_map(|mention| match mention.meanings.targets.as_slice() {
            [target] => owner(target),
            _ => None,
        })
        .collect();
    for mention in named.mentions.iter_mut().filter(|mention| mention.meanings.targets.len() > 1) {
        let is_sibling = |target: &Target| owner(target).is_some_and(|owner| settled.contains(&owner));
        if mention.meanings.targets.iter().any(is_sibling) {
            let all = std::mem::take(&mut mention.meanings.targets);
            let (kept, passed): (Vec<Target>, Vec<Target>) = all.into_iter().partition(is_sibling);
            mention.meanings.targets = kept;
            mention.passed.extend(passed);
        }
    }
}

/// `file.py:12` and `file.py::Class::test`.
fn place(store: &Store, text: &str, folder: &str) -> Result<TargetMatch, StoreError> {
    let has_place = text.contains("::") || text.rsplit_once(':').is_some_and(|(_, line)| line.parse::<u32>().is_ok());
    if has_place { look_up(store, text, folder) } else { Ok(TargetMatch::Unknown(Vec::new())) }
}

fn is_folder_word(lower: &str) -> bool {
    matches!(lower, "folder" | "folders" | "directory" | "dir" | "subfolder")
}

/// The files and folders of a question.
fn files_named(
    store: &Store,
    question: &ParsedQuestion,
    files: &[(FileId, FileRecord)],
    named: &mut QuestionNames,
) -> Result<(), StoreError> {
    let speaks_of_files =
        question.words.iter().any(|word| matches!(word.lower().as_str(), "file" | "files" | "exist" | "exists"));
    for (at, word) in question.words.iter().enumerate() {
        let is_before_folder = question.words.get(at + 1).is_some_and(|next| is_folder_word(&next.lower()));
        let is_folder_name = is_before_folder && !is_stop_word(&word.lower());
        if word.shape != Shape::Path && !is_folder_name {
            continue;
        }
        let path = word.text.split("::").next().unwrap_or(&word.text);
        let path = path.split(':').next().unwrap_or(path);
        let path = path.trim_start_matches("./").trim_end_matches('/');
        if path.is_empty() {
            continue;
        }
        let (ending, below) = (format!("/{path}"), format!("{path}/"));
        let paths_where = |fits: &dyn Fn(&str) -> bool| -> Vec<String> {
            files.iter().filter(|(_, file)| fits(&file.path)).map(|(_, file)| file.path.clone()).collect()
        };
        let exact = paths_where(&|file| file == path);
        let by_end = if exact.is_empty() { paths_where(&|file| file.ends_with(&ending)) } else { exact };
        let inner = format!("/{below}");
        let in_folder = if by_end.is_empty() { paths_where(&|file| file.starts_with(&below)) } else { Vec::new() };
        let in_folder = if by_end.is_empty() && in_folder.is_empty() {
            paths_where(&|file| file.contains(&inner))
        } else {
            in_folder
        };
        // `utils/text` is written like an import: the ending is missing.
        let by_end = if by_end.is_empty() && in_folder.is_empty() && path.contains('/') {
            let ending = format!("{ending}.py");
            paths_where(&|file| file.strip_suffix(".py") == Some(path) || file.ends_with(&ending))
        } else {
            by_end
        };
        let is_folder = by_end.is_empty() && !in_folder.is_empty();
        // `the login/ url`: a route, whatever files the rest of the question speaks of.
        let routes = "url urls uri route routes endpoint path";
        let is_route = comes_after(question, at, routes) || comes_before(question, at, routes);
        let is_text = by_end.is_empty() && in_folder.is_empty() && is_text(path, &word.text);
        if is_text && (is_route || !speaks_of_files) && !has_document(store, path)? {
            let (text, meanings) = (word.text.clone(), Meanings::default());
            named.blank.insert(at);
            named.mentions.push(NameMention::new(at, text, None, meanings));
            continue;
        }
        if word.shape != Shape::Path && !is_folder {
            continue;
        }
        named.blank.insert(at);
        let paths = if is_folder { in_folder } else { by_end };
        named.files.push(FileMention { text: word.text.clone(), paths, is_folder });
    }
    Ok(())
}

/// Whether a document has this path, or ends with it: `README.md`.
fn has_document(store: &Store, path: &str) -> Result<bool, StoreError> {
    let ending = format!("/{path}").to_lowercase();
    let is_it = |document: &str| format!("/{document}").to_lowercase().ends_with(&ending);
    Ok(is_document(path) && store.documents()?.iter().any(|(_, document)| is_it(&document.path)))
}

/// Whether a path without a file may stand in the source as a text: `/items/` or `items/` of a route, or `robots.txt`.
fn is_text(path: &str, text: &str) -> bool {
    const INDEXED: [&str; 7] = [".py", ".pyi", ".pyx", ".ipynb", ".toml", ".cfg", ".ini"];
    !INDEXED.iter().any(|ending| path.ends_with(ending))
        && (text.starts_with('/') || text.ends_with('/') || !text.contains('/'))
}

/// The kind of definition that the words around a name state.
fn hint_at(question: &ParsedQuestion, at: usize) -> Hint {
    let word = |at: Option<usize>| at.and_then(|at| question.words.get(at));
    let before = word(at.checked_sub(1));
    let before = before.filter(|word| !word.ends_clause || kind_of(&word.lower()).is_some());
    let earlier =
        before.filter(|word| matches!(word.lower().as_str(), "called" | "named" | "the")).and(word(at.checked_sub(2)));
    let is_last_of_clause = question.words[at].ends_clause;
    // `custom http methods`: a plain word before a plural describes it.
    let is_described = |word: &&QuestionWord| question.words[at].shape == Shape::Plain && word.lower().ends_with('s');
    let is_class = |word: &&QuestionWord| word.lower() == "class";
    let after = word(Some(at + 1)).filter(|_| !is_last_of_clause).filter(|word| is_class(word) || !is_described(word));
    let hint = |word: Option<&QuestionWord>| word.and_then(|word| kind_of(&word.lower()));
    // `which class stores the config`: behind the kind comes what it does.
    let is_asked_for = at > 1 && comes_after(question, at - 1, "which what whichever");
    let is_verb = is_asked_for && question.words[at].shape == Shape::Plain;
    // `methods longer than` names no method.
    let before = before.filter(|_| !is_verb).filter(|word| {
        question.words[at].shape != Shape::Plain || !word.lower().ends_with('s') || word.lower().ends_with("ss")
    });
    hint(before).or_else(|| hint(after)).or_else(|| hint(earlier))
}

/// `X` stands for a name, `a` and `I` do not.
fn is_one_letter_name(text: &str) -> bool {
    text.len() == 1 && text.chars().all(char::is_uppercase) && text != "I"
}

/// The kind comes before the name: `the function X`.
fn follows_its_kind(question: &ParsedQuestion, at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| question.words.get(at));
    before.is_some_and(|word| kind_of(&word.lower()).is_some())
}

fn kind_of(lower: &str) -> Hint {
    match lower {
        "class" | "classes" => Some(EntityKind::Class),
        "function" | "functions" | "func" | "def" | "decorator" | "decorators" | "fixture" | "fixtures" => {
            Some(EntityKind::Function)
        }
        "method" | "methods" => Some(EntityKind::Method),
        "module" | "modules" | "package" => Some(EntityKind::Module),
        "property" | "attribute" | "variable" | "constant" | "field" => Some(EntityKind::Variable),
        _ => None,
    }
}

/// Words of actions on code, before a name: `calls total`, `i removed total`.
const VERBS: &str = "break breaks call called calling calls change changed changes changing compare cover covering covers \
     delete deleted deletes deleting deprecate describe display document drop dropped dropping edit edited editing \
     exercise exercising explain find hit import imported importing imports inline invoke invokes invoking kill locate \
     modified modify modifying move moved moving override overrides overriding print reach reaches refactor refactored refactoring remove removed \
     removes removing rename renamed renames renaming replace replaced replacing rewrite show test tested testing tests \
     touch touched touching trace understand use used uses using";

/// Other words before a name: `does total work`, `if total changes`.
const CONNECTIVES: &str = "about and between can could do does for if is may of on own should would";

/// Whether the word before one is among `known`.
fn comes_after(question: &ParsedQuestion, at: usize, known: &str) -> bool {
    at.checked_sub(1).is_some_and(|before| is_one_of(question, before, known))
}

/// Whether the word after one is among `known`.
fn comes_before(question: &ParsedQuestion, at: usize, known: &str) -> bool {
    is_one_of(question, at + 1, known)
}

fn is_one_of(question: &ParsedQuestion, at: usize, known: &str) -> bool {
    question.words.get(at).is_some_and(|word| known.split_whitespace().any(|known| known == word.lower()))
}

/// Whether a verb of code stands before a word; `the test client` and `with test data` have a noun there.
fn is_after_verb(question: &ParsedQuestion, at: usize) -> bool {
    const BEFORE_NOUNS: &str = "a an any by each every from in its my no of our some that the their this with your";
    comes_after(question, at, VERBS) && !comes_after(question, at - 1, BEFORE_NOUNS)
}

/// Whether a word is one of two that a question sets against each other: `the difference between a and b`.
fn is_compared(question: &ParsedQuestion, at: usize) -> bool {
    const BUILTIN: &str = "class dict float int list object set str tuple type";
    const COMPARING: &str = "between compare comparing";
    let is_first = |at: usize| comes_after(question, at, COMPARING) && comes_before(question, at, "and to vs with");
    let is_second = at > 2 && comes_after(question, at, "and to vs with") && is_first(at - 2);
    (is_first(at) || is_second) && !is_one_of(question, at, BUILTIN)
}

/// Whether a plain word stands where a name would.
fn may_name(question: &ParsedQuestion, at: usize) -> bool {
    // `checkout: who calls it`
    let is_heading = at == 0 && question.words.len() > 1 && question.words[at].ends_clause;
    is_heading || is_after_verb(question, at) || comes_after(question, at, CONNECTIVES) || is_value(question, at)
}

/// Whether a word stands where a variable would: `which functions write to g`, `where is g defined`.
fn is_value(question: &ParsedQuestion, at: usize) -> bool {
    const USES: &str = "access accesses assign assigns modifies modify mutate mutates read reads set sets write writes";
    // `who reads g outside of a.py`
    let is_limited = comes_before(question, at, "besides but except in inside only outside")
        && !is_stop_word(&question.words[at].lower());
    let is_object = (at + 1 == question.words.len() || is_limited)
        && (comes_after(question, at, USES) || {
            at > 1 && comes_after(question, at, "to from") && comes_after(question, at - 1, USES)
        });
    let is_defined = at == 2
        && comes_after(question, at, "is")
        && comes_after(question, at - 1, "where")
        && comes_before(question, at, "assigned created declared defined initialized set");
    // `is retries deprecated`
    let is_judged = at == 1 && comes_after(question, at, "is") && comes_before(question, at, "deprecated unused used");
    // `what is g`, `what does g do`: one letter is no word.
    let is_letter = at == 2
        && question.words[at].text.len() == 1
        && comes_after(question, at, "does is")
        && comes_after(question, at - 1, "what");
    (is_object || is_defined || is_judged || is_letter)
        && !matches!(question.words[at].lower().as_str(), "it" | "that" | "them" | "this")
}

/// Whether a plain word is a name: some class or callable is called exactly so. In ordinary sentences that is no helper
/// of the tests or an example. `modules that import text` names a module.
fn is_meant(store: &Store, question: &ParsedQuestion, at: usize, targets: &[Target]) -> Result<bool, StoreError> {
    let is_after_verb = is_after_verb(question, at);
    let speaks_of_modules =
        question.words[..at].iter().any(|word| matches!(word.lower().as_str(), "module" | "modules"));
    // `who imports errors`: an everyday word names a module there, if not one of Python.
    let word = question.words[at].lower();
    let is_imported = comes_after(question, at, "import importing imports")
        && is_stop_word(&word)
        && !standard_library::is_module(&word);
    let can_be = |kind| {
        is_class_or_callable(kind)
            || (speaks_of_modules || is_imported) && kind == EntityKind::Module
            || kind == EntityKind::Variable && is_value(question, at)
    };
    for target in targets.iter().filter(|target| can_be(target.main().record.kind)) {
        if is_of_program(store, target.main().file)? || is_after_verb {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Prefers the likeliest definitions, or the class that all others are bases of. The answer names the others.
fn prefer_code(store: &Store, named: &mut QuestionNames) -> Result<(), StoreError> {
    let is_open = |mention: &&mut NameMention| mention.meanings.targets.len() > 1 && !mention.are_all_meant;
    for mention in named.mentions.iter_mut().filter(is_open) {
        let (mut chosen, mut passed) = likeliest(store, &mention.text, mention.meanings.targets.clone())?;
        if let Some(derived) = derived_from_others(store, &chosen)?.filter(|_| chosen.len() > 1) {
            passed.extend(chosen.into_iter().filter(|target| target.main().id != derived.main().id));
            chosen = vec![derived];
        }
        mention.meanings.targets = chosen;
        mention.passed.splice(0..0, passed);
    }
    Ok(())
}

/// The class that all others are bases of, as where a package refines a class under its own name.
fn derived_from_others(store: &Store, targets: &[Target]) -> Result<Option<Target>, StoreError> {
    let is_class = |target: &Target| target.main().record.kind == EntityKind::Class;
    if targets.len() > MAX_REFINED || !targets.iter().all(is_class) {
        return Ok(None);
    }
    for target in targets {
        let (own, above) = (target.main().id, lineage(store, target.main().id)?);
        if targets.iter().map(|other| other.main().id).all(|id| id == own || above.contains(&id)) {
            return Ok(Some(target.clone()));
        }
    }
    Ok(None)
}
