//! Answers whether and where a module, a name out of one or a builtin is imported or used: `does the app import
//! asyncio`, `which files import urljoin`, `where is pathlib.Path imported`, `who calls print`.
//!
//! A definition of the repository that has the same name is answered beside it, by its own name.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow, by_intent,
            examples::sections,
            first_in_words,
            imports::{imports_in, names::names_from},
            in_words,
            places::{PlaceRole, places, row},
        },
        reading::{
            forms::QuestionIntent,
            names::NameMatch,
            plan::{Subject, Understood},
            relations::{RelationSet, RelationVerb},
            words::{is_in, is_stop_word},
        },
    },
    model::{
        EntityKind, FileRecord, RelationshipKind,
        conventions::{
            is_whole_name,
            standard_library::{self, is_called_builtin},
        },
    },
    query::{
        impact::completeness::{Boundary, Completeness},
        target::{
            Target, TargetMatch,
            imported::{OutsideUse, imports_from, uses_below, uses_of},
            innermost, known,
            likeliest::is_aside,
            origins::OwnModules,
        },
        words::{count, shell_word},
    },
    store::{error::StoreError, read::Entity},
};

/// Full names of which a headline tells where they are imported.
const MAX_NAMES: usize = 4;
/// Words before the verb in a question for the files that import something.
const OF_FILES: &str = "who what which list show find give me all the every module modules file files place places test \
     tests test-file scripts script packages parts code that it else still actually statements imports line lines";
/// Definitions that use something, beside the files.
const USERS: &str = "code definition definitions function functions method methods";
/// Words for all code of the repository, where a question says who uses something.
const EVERYBODY: &str = "anybody anyone anything code codebase i it library package program project repo repository somebody someone \
     something they we you";
/// Words that say of what kind the imported thing is.
const KINDS: [&str; 10] =
    ["the", "module", "package", "library", "class", "function", "name", "decorator", "exception", "type"];
/// Words behind the name that say nothing more.
const ENDINGS: [&str; 10] =
    ["anywhere", "somewhere", "at", "all", "module", "package", "here", "directly", "statement", "statements"];

/// Words between those of a question for a use that change nothing.
const ADVERBS: &str = "actually already also currently ever even exactly just now really still yet";
/// Names of a module that a headline names as the most used ones.
const MAX_USED: usize = 3;

/// The form of the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ImportForm {
    Whether,
    Where,
    Files,
    Count,
    /// `how is m used`, `what do we use m for`
    How,
}

/// A question for imports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AskedImports {
    pub form: ImportForm,
    /// The module or name, as the question spells it: `M.X` where the question names both.
    pub name: String,
    /// The word before the verb, which may say where to look: `does the app import m`.
    pub subject: Option<String>,
    /// The verb is that of an import, and not `use` or `call`.
    pub is_import: bool,
    pub is_call: bool,
    /// Only tests are asked for: `which tests import m`.
    pub is_of_tests: bool,
    /// The definitions that use it are asked for: `which functions use m`.
    pub is_of_users: bool,
    /// The question has a form that asks for the uses of any definition too: `is x used`.
    pub is_common: bool,
}

impl AskedImports {
    fn of(understood: &Understood) -> Option<Self> {
        let words: Vec<&str> =
            understood.words.iter().map(String::as_str).filter(|word| !is_in(ADVERBS, word)).collect();
        if let Some((form, name, is_of_tests)) = common_use(&words, has_place(understood)) {
            let name = understood.as_spelled(name);
            let (is_import, is_call, is_of_users) = (false, false, false);
            return Some(Self {
                form,
                name,
                subject: None,
                is_import,
                is_call,
                is_of_tests,
                is_of_users,
                is_common: true,
            });
        }
        let first = *words.first()?;
        let is_import =
            |word: &&str| matches!(*word, "import" | "imports" | "imported" | "importing" | "importers" | "importer");
        // `does httpx use threading`: a module of Python is used where it is imported.
        let is_call = |word: &&str| matches!(*word, "call" | "calls" | "calling");
        let is_use = |word: &&str| {
            let asks = matches!(first, "does" | "do" | "where" | "which" | "what" | "who");
            asks && (matches!(*word, "use" | "uses" | "using") || is_call(word))
        };
        let verb = words.iter().rposition(is_import);
        let at = verb.or_else(|| words.iter().position(is_use))?;
        let (head, tail) = (&words[..at], &words[at + 1..]);
        // `in a.py` says where to look.
        let end = tail.iter().position(|word| matches!(*word, "in" | "inside" | "within" | "under" | "outside"));
        if end.is_some() && !has_place(understood) {
            return None;
        }
        let tail = end.map_or(tail, |end| &tail[..end]);
        let is_passive = words[at] == "imported" || first == "where" && matches!(head, ["where", "does" | "do", _]);
        let skip = |words: &[&str]| words.iter().take_while(|word| KINDS.contains(word)).count();
        let (name, rest, subject) = if is_passive && matches!(first, "where" | "is" | "are") && !is_person(head.last())
        {
            let asking = if first == "where" { 2 } else { 1 };
            let object = head.get(asking..)?;
            let [name] = &object[skip(object).min(object.len().saturating_sub(1))..] else { return None };
            (*name, tail, None)
        } else {
            let tail = tail.strip_prefix(&["of"]).unwrap_or(tail);
            let (name, rest) = tail[skip(tail).min(tail.len().saturating_sub(1))..].split_first()?;
            (*name, rest, head.last().map(|word| (*word).to_owned()))
        };
        let (module, rest) = match rest {
            ["from", module, rest @ ..] => (Some(*module), rest),
            rest => (None, rest),
        };
        let is_name = |word: &str| word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
        if !rest.iter().all(|word| ENDINGS.contains(word)) || !is_name(name) {
            return None;
        }
        let is_file = |word: &&str| matches!(*word, "module" | "modules" | "file" | "files" | "tests" | "test");
        let form = match first {
            "how" if words.get(1) == Some(&"many") && head.len() > 2 && head[2..].iter().all(is_file) => {
                ImportForm::Count
            }
            "how" => return None,
            "does" | "do" | "is" | "are" => ImportForm::Whether,
            "where" => ImportForm::Where,
            _ if head.iter().all(|word| is_in(OF_FILES, word) || !is_import(&words[at]) && is_in(USERS, word)) => {
                ImportForm::Files
            }
            _ => return None,
        };
        let spelled = |word: &str| understood.as_spelled(word);
        let name = match module {
            Some(module) => format!("{}.{}", spelled(module), spelled(name)),
            None => spelled(name),
        };
        let is_of_tests = form == ImportForm::Files && head.iter().any(|word| matches!(*word, "test" | "tests"));
        let is_of_users = form == ImportForm::Files && head.iter().any(|word| is_in(USERS, word) && *word != "code");
        let (is_import, is_call) = (is_import(&words[at]), is_call(&words[at]));
        Some(Self { form, name, subject, is_import, is_call, is_of_tests, is_of_users, is_common: false })
    }
}

/// Whether the question says where to look.
fn has_place(understood: &Understood) -> bool {
    !understood.plan.files.is_empty()
        || !understood.plan.outside.is_empty()
        || !understood.targets.is_empty()
        || understood.plan.filters.in_tests().is_some()
}

/// The form of a question for the use of something, its name, and whether only tests are asked about: `is m used`, `how
/// is m used here`, `what do we use m for`.
fn common_use<'w>(words: &[&'w str], has_place: bool) -> Option<(ImportForm, &'w str, bool)> {
    use ImportForm as F;
    let end = words.iter().rposition(|word| matches!(*word, "in" | "inside" | "within" | "outside" | "under"));
    let is_of_tests = end.is_some_and(|end| {
        let place = &words[end + 1..];
        words[end] == "in"
            && place.iter().all(|word| is_in("all any my our suite test tests the unit", word))
            && place.iter().any(|word| is_in("test tests", word))
    });
    let words = match end {
        Some(end) if has_place || is_of_tests => &words[..end],
        Some(_) => return None,
        None => words,
    };
    let end = words.iter().rposition(|word| !ENDINGS.contains(word)).map_or(0, |last| last + 1);
    let open: Vec<&str> = words[..end].iter().copied().filter(|word| !is_in("the a any", word)).collect();
    let (form, name) = match open.as_slice() {
        ["is" | "are", name, verb] if is_in("used needed required referenced", verb) => (F::Whether, *name),
        ["is" | "are", "there", "use" | "uses" | "usage" | "usages", "of", name] => (F::Whether, *name),
        ["how", "is" | "are", name, "used"] => (F::How, *name),
        ["how", "do" | "does", user, "use", name] if is_in(EVERYBODY, user) => (F::How, *name),
        ["what", "do" | "does", user, "use" | "need" | "import", name, "for"]
        | ["why", "do" | "does", user, "use" | "need" | "import", name]
            if is_in(EVERYBODY, user) =>
        {
            (F::How, *name)
        }
        ["what", "is" | "are", name, "used", "for"] => (F::How, *name),
        ["where", "is" | "are", name, verb] if is_in("used needed required referenced", verb) => (F::Where, *name),
        _ => return None,
    };
    let is_name = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    (is_name && !is_stop_word(name)).then_some((form, name, is_of_tests))
}

/// `where do we import m`
fn is_person(word: Option<&&str>) -> bool {
    matches!(word, Some(&("we" | "you" | "i" | "they" | "people")))
}

/// The imports of one full name.
#[derive(Debug, Default)]
struct ImportsOfName {
    rows: Vec<ListRow>,
    files: BTreeSet<String>,
    /// Files outside of tests and examples.
    program: BTreeSet<String>,
}

/// Where to look, and what else has the name.
pub(super) struct ImportScope {
    /// The definitions of the repository that have the name.
    namesakes: Vec<Target>,
    /// Full names of the modules that the question names as places.
    modules: Vec<String>,
    /// Paths of the modules in question; empty for all.
    paths: Vec<String>,
    /// Whether the files have to be tests.
    is_in_tests: Option<bool>,
    /// The place as the headline says it.
    pub words: String,
}

impl ImportScope {
    /// Whether a file is one of those in question.
    pub(super) fn holds(&self, understood: &Understood, file: &FileRecord) -> bool {
        let mut listed = understood.plan.files.iter().flat_map(|file| &file.paths).peekable();
        let is_everywhere = self.paths.is_empty() && listed.peek().is_none();
        // A package holds the modules below it.
        let holds = |scope: &String| {
            let folder = scope.strip_suffix("__init__.py");
            file.path == *scope || folder.is_some_and(|folder| file.path.starts_with(folder))
        };
        (is_everywhere || self.paths.iter().any(holds) || listed.any(|path| *path == file.path))
            && !understood.leaves_out(&file.path)
            && self.is_in_tests.is_none_or(|wanted| wanted == file.is_test)
    }
}

/// Answers questions for the imports of a module from outside or of a name out of one; `None` for other questions.
pub(in crate::ask::answer) fn of_outside(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    if let Some(answer) = names_from(reading, understood)? {
        return Ok(Some(answer));
    }
    let Some(asked) = AskedImports::of(understood) else { return Ok(None) };
    // `core.py` is no name out of a module `core`.
    if understood.plan.files.iter().any(|file| file.mention == asked.name) {
        return Ok(None);
    }
    let is_dotted = asked.name.contains('.');
    let top = asked.name.split('.').next().unwrap_or_default();
    if understood.set.as_ref().is_some_and(|set| !is_one_import(set)) && !is_dotted {
        return Ok(None);
    }
    let mut own = OwnModules::of(reading.store)?;
    if is_dotted
        && own.has(&asked.name)
        && matches!(known(reading.store, &asked.name, "")?, Some(TargetMatch::Found(_)))
    {
        return Ok(None);
    }
    // A definition that is called so has answers of its own.
    let names_own = |(target, subject): (&Target, &Subject)| {
        subject.matched == NameMatch::Exact && subject.mention.eq_ignore_ascii_case(&asked.name)
            || target.main().record.name == asked.name
    };
    if asked.is_common && understood.targets.iter().zip(&understood.plan.subjects).any(names_own) {
        return Ok(None);
    }
    let Some(scope) = scope(reading, understood, &asked)? else { return Ok(None) };
    let mut name = asked.name.clone();
    // `does load use quote` asks for the uses inside of `load`.
    if let Some(subject) = asked.subject.as_ref().filter(|_| !asked.is_import && scope.paths.is_empty()) {
        let is_user = |entity: &Entity| entity.record.kind.is_callable() || entity.record.kind == EntityKind::Class;
        if !is_in(EVERYBODY, subject) && reading.store.entities_named(subject, true)?.iter().any(is_user) {
            return Ok(None);
        }
    }
    let is_open = !asked.is_import && scope.namesakes.is_empty();
    let is_module = is_open && !asked.is_call && !own.has(&name) && is_imported_module(reading, &mut own, &name)?;
    let is_of_name = is_open && !is_module && !standard_library::is_module(&asked.name);
    if is_of_name && asked.is_call && !is_dotted && calls_own(understood, &asked) {
        let outside = used(reading, understood, &mut own, &asked, &scope)?;
        let mut answer = by_intent(reading, &understood.clone().read_as(QuestionIntent::Usage))?;
        answer.plan.notes.extend(outside.map(|outside| format!("besides, from outside: {}", outside.headline)));
        return Ok(Some(answer));
    }
    if is_of_name && let Some(answer) = used(reading, understood, &mut own, &asked, &scope)? {
        return Ok(Some(answer));
    }
    if !asked.is_import && !is_module && (asked.is_call || asked.form != ImportForm::Whether) {
        return Ok(None);
    }
    let (mut found, mut elsewhere) = collect(reading, understood, &mut own, &scope, &name)?;
    if found.is_empty() && elsewhere.is_empty() && scope.namesakes.is_empty() && name.contains(char::is_uppercase) {
        // Modules are spelled in small letters.
        let lower = name.to_lowercase();
        (found, elsewhere) = collect(reading, understood, &mut own, &scope, &lower)?;
        if !found.is_empty() {
            name = lower;
        }
    }
    // `do we use m`: a name that nobody imports is no library's.
    if !asked.is_import && !standard_library::is_module(top) && found.is_empty() && elsewhere.is_empty() {
        return stands_nowhere(reading, understood, &asked);
    }
    let is_known = !found.is_empty() || !elsewhere.is_empty() || standard_library::is_module(top);
    let is_no = matches!(asked.form, ImportForm::Whether | ImportForm::Where)
        && asked.is_import
        && !is_dotted
        && asked.subject.is_none()
        && understood.targets.is_empty()
        && reading.store.entities_named(&name, true)?.is_empty();
    let is_own_alone = found.is_empty() && !scope.namesakes.is_empty();
    if !is_known && !is_no || is_own_alone || own.has(&name) && found.is_empty() {
        return Ok(None);
    }
    let mut answer = Answer::new(understood.plan.clone(), headline(&asked, &name, &scope, &found, &elsewhere));
    let pattern = match name.rsplit_once('.') {
        Some((module, member)) => format!("from {module} import .*{member}|(from|import) {name}"),
        None => format!("(from|import) .*{name}"),
    };
    // Resembling names are not asked about.
    let last = asked.name.rsplit('.').next().unwrap_or_default();
    answer.plan.notes.retain(|note| !note.starts_with(&format!("`{last}` ")));
    answer.command = format!("git grep -nwE {}", shell_word(&pattern));
    if is_module && asked.form != ImportForm::Whether && !found.is_empty() {
        add_uses(reading, understood, &mut own, (&asked, &name, &scope), &mut answer)?;
    }
    for (name, imports) in found {
        answer.list(format!("imports of `{name}` ({})", imports.rows.len()), imports.rows);
    }
    add_namesakes(reading, understood, scope.namesakes, &mut answer)?;
    Ok(Some(answer))
}

/// Whether a callable of the program has just the name whose calls are asked for: `collect` is more than `gc.collect`.
fn calls_own(understood: &Understood, asked: &AskedImports) -> bool {
    understood
        .targets
        .iter()
        .map(Target::main)
        .any(|own| own.record.name == asked.name && own.record.kind.is_callable() && !is_aside(&own.path))
}

/// Whether files import a module as a module, and are more than those that name it over the one above: `os.path` is
/// most often used by way of `import os`.
fn is_imported_module(reading: AnswerInputs, own: &mut OwnModules, name: &str) -> Result<bool, StoreError> {
    let last = name.rsplit('.').next().unwrap_or(name);
    let (mut importing, mut naming) = (0, 0);
    for (_, file) in reading.store.files()? {
        if !reading.sources.text(&file.path).is_some_and(|text| text.contains(last)) {
            continue;
        }
        if !imports_from(reading.store, &file, name)?.is_empty() {
            importing += 1;
        } else if name.contains('.') {
            naming += usize::from(uses_of(own, reading.store, &file, last)?.iter().any(|one| one.name == name));
        }
    }
    Ok(importing > naming)
}

/// Adds where the names of a module from outside are used, and which ones most.
fn add_uses(
    reading: AnswerInputs,
    understood: &Understood,
    own: &mut OwnModules,
    (asked, name, scope): (&AskedImports, &str, &ImportScope),
    answer: &mut Answer,
) -> Result<(), StoreError> {
    let mut files = reading.store.files()?;
    files.retain(|(_, file)| scope.holds(understood, file));
    files.sort_by_cached_key(|(_, file)| (file.is_test, is_aside(&file.path), file.path.clone()));
    let (mut rows, mut counts, mut users) = (Vec::new(), BTreeMap::<String, usize>::new(), BTreeSet::new());
    for (id, file) in files {
        let uses = uses_below(own, reading.store, &file, name)?;
        let entities = if uses.is_empty() { Vec::new() } else { reading.store.entities_of(id)? };
        for one in uses {
            let user = innermost(&entities, one.line).map_or_else(|| file.module.clone(), Entity::full_name);
            *counts.entry(one.name.clone()).or_default() += 1;
            users.insert(user.clone());
            rows.push(row_of_use(reading, &file.path, user, &one));
        }
    }
    let Some(first) = rows.first() else { return Ok(()) };
    let mut most: Vec<(String, usize)> = counts.into_iter().collect();
    most.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let number = most.len();
    let named = first_in_words(most.into_iter().map(|(name, uses)| format!("`{name}` ({uses})")), MAX_USED);
    let (names, places) = (count(number, "name"), count(rows.len(), "place"));
    let are = if number == 1 { "is" } else { "are" };
    let used = format!("{names} of it {are} used at {places}: {named}");
    answer.headline = if asked.is_of_users {
        let use_it = if users.len() == 1 { "uses" } else { "use" };
        let at = format!("{}:{}", first.path, first.line);
        format!("{}{} {use_it} `{name}`, first at {at}; {used}", count(users.len(), "definition"), scope.words)
    } else {
        format!("{}; {used}", answer.headline)
    };
    let message = format!("`{name}` is from outside: uses by way of an object that holds a part of it are not seen");
    answer.bound(Completeness::LowerBound, [Boundary::new("outside", 1, message)]);
    answer.list(format!("where names of `{name}` are used ({})", rows.len()), rows);
    Ok(())
}

/// The answer to `do we use m` where no code here has the word; `None` where some has it.
fn stands_nowhere(
    reading: AnswerInputs,
    understood: &Understood,
    asked: &AskedImports,
) -> Result<Option<Answer>, StoreError> {
    let plan = &understood.plan;
    // Names that only resemble the word are not asked about.
    let is_part = |subject: &Subject| subject.matched == NameMatch::Parts;
    let names_none = understood.targets.is_empty() || asked.is_common && plan.subjects.iter().all(is_part);
    let is_open = names_none && plan.files.is_empty() && plan.outside.is_empty();
    let is_everybody = asked.is_common || asked.subject.as_ref().is_some_and(|subject| is_in(EVERYBODY, subject));
    if asked.form != ImportForm::Whether || !is_open || !is_everybody || understood.set.is_some() {
        return Ok(None);
    }
    let (name, lower) = (&asked.name, asked.name.to_lowercase());
    // A name of code may be misspelt, and documents may speak of a removed one: other answers tell that.
    let is_of_code = name.contains('_') || name.contains(char::is_uppercase);
    if is_of_code && (asked.is_common || !sections(reading, name)?.is_empty()) {
        return Ok(None);
    }
    let is_whole = |text: &str| text.match_indices(&lower).any(|(at, _)| is_whole_name(text, at, lower.len()));
    let has_word = |path: &str| reading.sources.text(path).is_some_and(|text| is_whole(&text.to_lowercase()));
    let mentions = if reading.store.files()?.iter().any(|(_, file)| has_word(&file.path)) {
        let is_python = |path: &str| path.ends_with(".py") || path.ends_with(".pyi");
        let mentions = places(reading, understood, name)?;
        let is_code = mentions.iter().any(|place| place.role != PlaceRole::Comment && is_python(&place.path));
        // The name of another thing may begin like it.
        if is_code || mentions.is_empty() {
            return Ok(None);
        }
        mentions
    } else if asked.is_common && !plan.unknown.iter().all(|unknown| unknown.proposals.is_empty()) {
        // Perhaps a misspelt name: those like it belong to the answer.
        return Ok(None);
    } else {
        Vec::new()
    };
    let headline = match mentions.first() {
        None => format!("no: nothing here is called `{name}`, no file imports it, and no code has the word"),
        Some(first) => format!(
            "no: no file imports `{name}`, and no code names it; comments, texts or settings do at {}, first {}:{}",
            count(mentions.len(), "place"),
            first.path,
            first.line
        ),
    };
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Usage).plan, headline);
    answer.plan.subjects.clear();
    answer.plan.notes.retain(|note| !note.starts_with(&format!("`{name}` ")));
    answer.is_guess = mentions.is_empty();
    answer.command = format!("git grep -niF {}", shell_word(name));
    answer.beside(format!("mentions of `{name}` ({})", mentions.len()), mentions.iter().map(row).collect());
    Ok(Some(answer))
}

/// Whether a set is that of the modules that import one thing, whatever other condition the name looks like.
fn is_one_import(set: &RelationSet) -> bool {
    matches!(set.conditions.as_slice(), [one] if one.verb == RelationVerb::Imports && !one.is_denied)
        && set.left_out.is_empty()
        && set.among.is_empty()
}

/// Tells the definitions of the repository with the name from the places in which to look; `None` where the question
/// names other definitions.
pub(super) fn scope(
    reading: AnswerInputs,
    understood: &Understood,
    asked: &AskedImports,
) -> Result<Option<ImportScope>, StoreError> {
    let (module, last) = asked.name.rsplit_once('.').unwrap_or(("", &asked.name));
    let is_in_tests = understood.plan.filters.in_tests().or(asked.is_of_tests.then_some(true));
    let words = understood.limited_to();
    let words = match is_in_tests.filter(|_| words.is_empty()) {
        Some(true) => " in tests".to_owned(),
        Some(false) => " outside of tests".to_owned(),
        None => words,
    };
    let mut scope = ImportScope { namesakes: Vec::new(), modules: Vec::new(), paths: Vec::new(), is_in_tests, words };
    for (target, subject) in understood.targets.iter().zip(&understood.plan.subjects) {
        let main = target.main();
        let is = |name: &str| !name.is_empty() && subject.mention.eq_ignore_ascii_case(name);
        if is(last) || is(&asked.name) || is(module) {
            // Only names at module level are imported.
            let has_name = main.record.name == last || main.record.kind == EntityKind::Module;
            let is_exact = has_name && subject.matched == NameMatch::Exact && !main.record.qualified.contains('.');
            if module.is_empty() && is_exact && subject.mention == last {
                scope.namesakes.push(target.clone());
            }
        } else if main.record.kind == EntityKind::Module {
            scope.modules.push(main.full_name());
            scope.paths.push(main.path.clone());
        } else {
            return Ok(None);
        }
    }
    if !scope.modules.is_empty() {
        let names: Vec<String> = scope.modules.iter().map(|module| format!("`{module}`")).collect();
        scope.words = format!(" in {}", names.join(" and "));
    }
    // `does the app import m`: the word before the verb says where, if something is called so.
    let subject = asked.subject.as_ref().filter(|_| asked.form == ImportForm::Whether);
    if let Some(subject) = subject.filter(|_| scope.paths.is_empty() && understood.plan.files.is_empty()) {
        let ending = format!(".{subject}");
        for (id, module) in reading.store.modules()? {
            if module.to_lowercase() == *subject || module.to_lowercase().ends_with(&ending) {
                let file = reading.store.file(id)?;
                scope.paths.extend(file.filter(|file| !file.is_test && !is_aside(&file.path)).map(|file| file.path));
            }
        }
        if !scope.paths.is_empty() {
            scope.words = format!(" in {subject}");
        }
    }
    Ok(Some(scope))
}

/// The imports of the name in the files in question, by full name, and the first of each other file.
fn collect(
    reading: AnswerInputs,
    understood: &Understood,
    own: &mut OwnModules,
    scope: &ImportScope,
    name: &str,
) -> Result<(BTreeMap<String, ImportsOfName>, Vec<String>), StoreError> {
    let last = name.rsplit('.').next().unwrap_or(name);
    let mut files = reading.store.files()?;
    files.sort_by_cached_key(|(_, file)| (is_aside(&file.path), file.path.clone()));
    let mut found: BTreeMap<String, ImportsOfName> = BTreeMap::new();
    let mut elsewhere = Vec::new();
    for (_, file) in files {
        let Some(text) = reading.sources.text(&file.path).filter(|text| text.contains(last)) else { continue };
        let mut places = imports_in(reading, own, &file, &text, name)?;
        places.retain(|place| name.contains('.') || !place.is_own);
        if !scope.holds(understood, &file) {
            elsewhere.extend(places.first().map(|place| format!("{}:{}", file.path, place.line)));
            continue;
        }
        for place in places {
            let text = reading.sources.line(&file.path, place.line).unwrap_or_default();
            let note = if text.contains(last) { "" } else { "over several lines" };
            let imports = found.entry(place.name).or_default();
            imports.files.insert(file.path.clone());
            if !file.is_test && !is_aside(&file.path) {
                imports.program.insert(file.path.clone());
            }
            imports.rows.push(ListRow {
                name: file.module.clone(),
                kind: "import",
                path: file.path.clone(),
                line: place.line,
                note: note.to_owned(),
                text,
                ..ListRow::default()
            });
        }
    }
    Ok((found, elsewhere))
}

/// The row of an expression with a name from outside, which stands in a file and in a definition there.
pub(in crate::ask::answer) fn row_of_use(reading: AnswerInputs, path: &str, user: String, one: &OutsideUse) -> ListRow {
    let verb = if one.is_called { RelationshipKind::Calls } else { RelationshipKind::References };
    ListRow {
        name: user,
        kind: verb.as_str(),
        path: path.to_owned(),
        line: one.line,
        note: verb.as_str().to_owned(),
        text: reading.sources.line(path, one.line).unwrap_or_default(),
        ..ListRow::default()
    }
}

/// Answers where a name out of a module from outside is used, by the expressions that have it; `None` where it is no
/// such name, or the whole module is meant.
fn used(
    reading: AnswerInputs,
    understood: &Understood,
    own: &mut OwnModules,
    asked: &AskedImports,
    scope: &ImportScope,
) -> Result<Option<Answer>, StoreError> {
    let last = asked.name.rsplit('.').next().unwrap_or(&asked.name);
    let is_builtin = is_called_builtin(&asked.name);
    let is_it = |name: &str| match name.rsplit_once('.') {
        Some(_) if asked.name.contains('.') => name == asked.name,
        Some((_, end)) => end == last && !is_builtin,
        None => is_builtin && name == last,
    };
    let mut files = reading.store.files()?;
    files.retain(|(_, file)| scope.holds(understood, file));
    files.sort_by_cached_key(|(_, file)| (file.is_test, is_aside(&file.path), file.path.clone()));
    let (mut rows, mut imported) = (Vec::new(), Vec::new());
    let mut names: BTreeSet<String> = is_builtin.then(|| last.to_owned()).into_iter().collect();
    let (mut used_in, mut program, mut users) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (id, file) in files {
        let Some(text) = reading.sources.text(&file.path).filter(|text| text.contains(last)) else { continue };
        let mut places = imports_in(reading, own, &file, &text, &asked.name)?;
        places.retain(|place| !place.is_own && is_it(&place.name));
        names.extend(places.iter().map(|place| place.name.clone()));
        imported.extend(places.iter().map(|place| format!("{}:{}", file.path, place.line)));
        let mut entities = None;
        for one in uses_of(own, reading.store, &file, last)? {
            if !is_it(&one.name) || asked.is_call && !one.is_called {
                continue;
            }
            names.insert(one.name.clone());
            if entities.is_none() {
                entities = Some(reading.store.entities_of(id)?);
            }
            let user = innermost(entities.as_deref().unwrap_or_default(), one.line);
            let user = user.map_or_else(|| file.module.clone(), Entity::full_name);
            used_in.insert(file.path.clone());
            if !file.is_test && !is_aside(&file.path) {
                program.insert(file.path.clone());
            }
            users.insert(user.clone());
            rows.push(row_of_use(reading, &file.path, user, &one));
        }
    }
    if names.is_empty() {
        return Ok(None);
    }
    let done = if asked.is_call { "called" } else { "used" };
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let (names, place) = (in_words(&names), &scope.words);
    let is_whether = asked.form == ImportForm::Whether;
    let (yes, no) = if is_whether { ("yes: ", "no: ") } else { ("", "none: ") };
    let headline = match (rows.first(), imported.first()) {
        (Some(first), _) => {
            let within = match (program.len(), used_in.len()) {
                _ if scope.is_in_tests == Some(true) => String::new(),
                (0, _) => ", only in tests or examples".to_owned(),
                (program, all) if all > program => format!(", {program} of them outside of tests and examples"),
                _ => String::new(),
            };
            let (places, modules) = (count(rows.len(), "place"), count(used_in.len(), "module"));
            let at = format!("{}:{}", first.path, first.line);
            match asked.form {
                ImportForm::Files => {
                    let users = count(users.len(), "definition");
                    let verb = match (users.starts_with("1 "), asked.is_call) {
                        (true, true) => "calls",
                        (true, false) => "uses",
                        (false, true) => "call",
                        (false, false) => "use",
                    };
                    format!("{users}{place} {verb} {names}, at {places} in {modules}{within}, first at {at}")
                }
                _ => format!("{yes}{names} is {done} at {places}{place} in {modules}{within}, first at {at}"),
            }
        }
        (None, Some(first)) => {
            let places = count(imported.len(), "place");
            // What is imported from a module is used without its name.
            if asked.name.contains('.') && !asked.is_call {
                format!("{names} is imported at {places}{place}, first at {first}; nothing else there names it")
            } else {
                format!("{no}{names} is imported at {places}{place}, first at {first}, but {done} nowhere there")
            }
        }
        (None, None) if is_builtin => format!("{no}the builtin {names} is {done} nowhere{place}"),
        (None, None) => return Ok(None),
    };
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Usage).plan, headline);
    answer.plan.unknown.clear();
    answer.plan.notes.retain(|note| !note.starts_with(&format!("`{last}` ")));
    answer.command = format!("git grep -nw {}", shell_word(last));
    let message = format!("`{last}` is from outside: uses by way of an object that holds it are not seen");
    answer.bound(Completeness::LowerBound, [Boundary::new("outside", 1, message)]);
    answer.list(format!("where {names} is {done} ({})", rows.len()), rows);
    Ok(Some(answer))
}

fn headline(
    asked: &AskedImports,
    name: &str,
    scope: &ImportScope,
    found: &BTreeMap<String, ImportsOfName>,
    elsewhere: &[String],
) -> String {
    let subject = &scope.words;
    let mut all: Vec<(&String, &ImportsOfName)> = found.iter().collect();
    all.sort_by_key(|(_, imports)| std::cmp::Reverse(imports.rows.len()));
    let others = match elsewhere.first() {
        None => String::new(),
        Some(first) if elsewhere.len() == 1 => format!("; 1 module elsewhere imports it, {first}"),
        Some(first) => format!("; {} elsewhere import it, first {first}", count(elsewhere.len(), "module")),
    };
    let outside = |imports: &ImportsOfName| match (imports.program.len(), imports.files.len()) {
        _ if scope.is_in_tests.is_some() => String::new(),
        (0, _) => ", only in tests or examples".to_owned(),
        (program, all) if all > program => format!(", {program} of them outside of tests and examples"),
        _ => String::new(),
    };
    match all.as_slice() {
        [] if asked.form == ImportForm::Whether => format!("no: no import of `{name}` was found{subject}{others}"),
        [] => match name.rsplit_once('.') {
            Some((module, _)) if others.is_empty() => {
                format!("none: no module{subject} imports `{name}` by this name; others may import `{module}`")
            }
            _ => format!("none: no module{subject} imports `{name}`{others}"),
        },
        [(name, imports)] => {
            let modules = count(imports.files.len(), "module");
            let outside = outside(imports);
            let first = &imports.rows[0];
            let first = format!("first at {}:{}", first.path, first.line);
            // Those outside of the tests, or in them, are worth a word.
            let others = if scope.is_in_tests.is_some() { others.as_str() } else { "" };
            match asked.form {
                ImportForm::Where | ImportForm::How => {
                    let places = count(imports.rows.len(), "place");
                    format!("`{name}` is imported at {places}{subject} in {modules}{outside}, {first}{others}")
                }
                ImportForm::Whether => {
                    format!("yes: `{name}` is imported{subject} in {modules}{outside}, {first}{others}")
                }
                ImportForm::Files | ImportForm::Count => {
                    let verb = if imports.files.len() == 1 { "imports" } else { "import" };
                    format!("{modules}{subject} {verb} `{name}`{outside}, {first}{others}")
                }
            }
        }
        several => {
            let files: BTreeSet<&String> = several.iter().flat_map(|(_, imports)| &imports.files).collect();
            let rows: usize = several.iter().map(|(_, imports)| imports.rows.len()).sum();
            let each = several.iter().take(MAX_NAMES).map(|(name, imports)| {
                let first = &imports.rows[0];
                format!("`{name}` at {}, first {}:{}", count(imports.rows.len(), "place"), first.path, first.line)
            });
            let each = each.collect::<Vec<_>>().join("; ");
            let more = match several.len().saturating_sub(MAX_NAMES) {
                0 => String::new(),
                more => format!("; {more} more names"),
            };
            let (places, modules) = (count(rows, "place"), count(files.len(), "module"));
            let yes = if asked.form == ImportForm::Whether { "yes: " } else { "" };
            format!("{yes}`{name}` is imported at {places}{subject} in {modules}: {each}{more}")
        }
    }
}

/// Adds where the definitions of the repository with the same name are imported.
fn add_namesakes(
    reading: AnswerInputs,
    understood: &Understood,
    namesakes: Vec<Target>,
    answer: &mut Answer,
) -> Result<(), StoreError> {
    if namesakes.is_empty() {
        return Ok(());
    }
    let mut own = understood.clone().read_as(QuestionIntent::Usage);
    own.verb = Some(RelationshipKind::Imports);
    own.plan.subjects.retain(|subject| namesakes.iter().any(|one| one.main().full_name() == subject.name));
    own.targets = namesakes;
    let own = by_intent(reading, &own)?;
    if own.headline.is_empty() {
        return Ok(());
    }
    answer.headline += &format!("; {}", own.headline.trim_start_matches("yes: "));
    answer.blocks.extend(own.blocks);
    answer.bound(own.completeness, own.boundaries);
    Ok(())
}
