//! Answers about the packages of the repository itself, and the modules of each.
//!
//! A folder with an `__init__.py` is a package, and so is one below such a folder: its modules have the name of it.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow, first_in_words,
            survey::{file_row, part},
        },
        reading::{forms::QuestionIntent, plan::Understood, words::is_in},
    },
    model::{FileId, FileRecord},
    query::{
        target::{is_below, likeliest::is_aside},
        words::count,
    },
    store::{Store, error::StoreError},
};

/// Words around the nouns of such a question. With another word it is about something else, such as libraries.
pub(super) const AROUND: &str = "a about all an and any are available can code codebase consist consists contain contained contains could \
     count different do does each every everything exist exists find for from get give has have here how i in inside into is \
     it its itself lib library list make makes many me name named names number of one our own please print program project python repo \
     repository see show source split tell that the their there these they this top-level total under up us we what where which \
     whole with within you";
/// Packages and modules that a headline names.
const MAX_NAMED: usize = 8;

/// A package of the repository.
pub(in crate::ask::answer) struct Package {
    pub name: String,
    /// The folder, with a slash at its end.
    pub folder: String,
    pub has_init: bool,
    /// It is no part of tests, documents or examples.
    pub is_own: bool,
    /// The files directly in it, its `__init__.py` first.
    pub files: Vec<(FileId, FileRecord)>,
}

/// The part of the repository that a question asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PackageNoun {
    Packages,
    SubPackages,
    Modules,
}

/// Whether a file has Python source.
pub(super) fn is_source(file: &FileRecord) -> bool {
    file.path.ends_with(".py") || file.path.ends_with(".pyi")
}

/// Whether a file belongs to the program, and to no tests, documents or examples.
pub(super) fn is_own(file: &FileRecord) -> bool {
    !file.is_test && !is_aside(&file.path)
}

/// All packages, by name.
pub(in crate::ask::answer) fn packages_of(store: &Store) -> Result<Vec<Package>, StoreError> {
    let mut files = store.files()?;
    let paths: BTreeSet<String> = files.iter().map(|(_, file)| file.path.clone()).collect();
    // A stub beside its module is no second one.
    let is_stub_beside = |file: &FileRecord| {
        file.path.strip_suffix('i').is_some_and(|path| path.ends_with(".py") && paths.contains(path))
    };
    files.retain(|(_, file)| is_source(file) && !is_stub_beside(file));
    files.sort_by(|a, b| (!is_init(&a.1), &a.1.path).cmp(&(!is_init(&b.1), &b.1.path)));
    let mut packages: BTreeMap<String, Package> = BTreeMap::new();
    for (id, file) in files {
        let name = if is_init(&file) { Some(file.module.as_str()) } else { parent(&file.module) };
        let Some(name) = name.map(str::to_owned) else { continue };
        let folder = file.path.rfind('/').map_or("", |at| &file.path[..=at]).to_owned();
        let (has_init, is_own) = (is_init(&file), is_own(&file));
        // The folders above it are packages too, whether a module lies directly in them or not.
        let (mut above, mut place) = (parent(&name), folder.as_str());
        while let Some(outer) = above {
            place = place.trim_end_matches('/').rfind('/').map_or("", |at| &place[..=at]);
            let package = packages.entry(outer.to_owned()).or_insert_with(|| Package::empty(outer, place));
            package.is_own |= is_own;
            above = parent(outer);
        }
        let package = packages.entry(name.clone()).or_insert_with(|| Package::empty(&name, &folder));
        package.has_init |= has_init;
        package.is_own |= is_own;
        package.files.push((id, file));
    }
    let inits: BTreeSet<String> =
        packages.values().filter(|package| package.has_init).map(|package| package.name.clone()).collect();
    let is_package = |package: &Package| {
        let mut name = Some(package.name.as_str());
        while let Some(outer) = name.filter(|name| !inits.contains(*name)) {
            name = parent(outer);
        }
        name.is_some()
    };
    Ok(packages.into_values().filter(is_package).collect())
}

impl Package {
    fn empty(name: &str, folder: &str) -> Self {
        Self { name: name.to_owned(), folder: folder.to_owned(), has_init: false, is_own: false, files: Vec::new() }
    }

    /// The modules directly in it, without its own.
    fn modules(&self) -> impl Iterator<Item = &(FileId, FileRecord)> {
        self.files.iter().filter(|(_, file)| !is_init(file))
    }

    pub(in crate::ask::answer) fn row(&self) -> ListRow {
        let first = self.files.first().filter(|_| self.has_init);
        let path = first.map_or_else(|| self.folder.clone(), |(_, file)| file.path.clone());
        let lines: u32 = self.files.iter().map(|(_, file)| file.line_count).sum();
        let modules = count(self.modules().count(), "module");
        let without = if self.has_init { "" } else { ", no `__init__.py`" };
        let note = format!("{modules}, {}{without}", count(lines as usize, "line"));
        ListRow { name: self.name.clone(), kind: "package", path, line: 1, note, ..ListRow::default() }
    }
}

fn is_init(file: &FileRecord) -> bool {
    matches!(file.path.rsplit('/').next(), Some("__init__.py" | "__init__.pyi"))
}

fn parent(module: &str) -> Option<&str> {
    module.rsplit_once('.').map(|(parent, _)| parent)
}

/// The package that a word names, in full or by its last part.
pub(super) fn named<'p>(packages: &'p [Package], word: &str) -> Option<&'p Package> {
    let is_it = |package: &&Package| package.name.eq_ignore_ascii_case(word);
    let ends_so = |package: &&Package| {
        package.name.rsplit('.').next().is_some_and(|last| last.eq_ignore_ascii_case(word)) && package.is_own
    };
    packages.iter().find(is_it).or_else(|| packages.iter().find(ends_so))
}

/// Lists the packages of the repository, or the modules of one; `None` for other questions.
pub(in crate::ask::answer) fn packages(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = understood.question.lower_words();
    let Some(asked) = asked_noun(&words) else { return Ok(None) };
    let packages = packages_of(reading.store)?;
    let mut within = None;
    for (word, is_noun) in words.iter().zip(nouns(&words)) {
        if is_noun || is_in(AROUND, word) {
            continue;
        }
        let Some(package) = named(&packages, word).filter(|_| within.is_none()) else { return Ok(None) };
        within = Some(package);
    }
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Repository).plan, String::new());
    answer.plan.notes.clear();
    match (asked, within) {
        // All modules are definitions that a list of them has.
        (PackageNoun::Modules, None) => return Ok(None),
        (PackageNoun::Modules, Some(package)) => modules_of(reading, package, &packages, &mut answer)?,
        (_, within) => list(&packages, within, asked == PackageNoun::SubPackages, &mut answer),
    }
    Ok(Some(answer))
}

/// For each word: it belongs to a noun for a part of the repository.
fn nouns(words: &[String]) -> Vec<bool> {
    const NOUNS: &str =
        "files module modules package packages sub-modules sub-package sub-packages submodules subpackage subpackages";
    let is_sub = |at: usize| words[at] == "sub" && words.get(at + 1).is_some_and(|next| is_in(NOUNS, next));
    (0..words.len()).map(|at| is_in(NOUNS, &words[at]) || is_sub(at)).collect()
}

fn asked_noun(words: &[String]) -> Option<PackageNoun> {
    let is_one_of_all = |at: usize| at > 0 && is_in("any each every", &words[at - 1]);
    let mut asked = None;
    for (at, word) in words.iter().enumerate() {
        let is_sub = at > 0 && words[at - 1] == "sub";
        asked = match word.as_str() {
            // `the modules of the json package`
            _ if asked.is_some() => asked,
            "packages" if is_sub => Some(PackageNoun::SubPackages),
            "packages" => Some(PackageNoun::Packages),
            "package" if is_one_of_all(at) => Some(PackageNoun::Packages),
            "subpackages" | "sub-packages" | "subpackage" | "sub-package" => Some(PackageNoun::SubPackages),
            "modules" | "submodules" | "sub-modules" | "files" => Some(PackageNoun::Modules),
            "module" if is_one_of_all(at) => Some(PackageNoun::Modules),
            _ => None,
        };
    }
    asked
}

fn names<'p>(packages: impl IntoIterator<Item = &'p Package>) -> String {
    let names: Vec<String> = packages.into_iter().map(|package| format!("`{}`", package.name)).collect();
    first_in_words(names.into_iter(), MAX_NAMED)
}

/// Lists packages: all of them, those below others, or those below one.
fn list(packages: &[Package], within: Option<&Package>, only_below: bool, answer: &mut Answer) {
    let is_below = |package: &Package, outer: &Package| is_below(&package.name, &outer.name);
    let own: Vec<&Package> = packages.iter().filter(|package| package.is_own).collect();
    // `the packages of shop` are those of the project where its package `shop` has none below it.
    let has_some = |outer: &&Package| only_below || packages.iter().any(|package| is_below(package, outer));
    if let Some(outer) = within.filter(has_some) {
        let found: Vec<&Package> = packages.iter().filter(|package| is_below(package, outer)).collect();
        answer.headline = match found.len() {
            0 => format!("none: the package `{}` has no package below it", outer.name),
            all => format!("`{}` has {}: {}", outer.name, count(all, "sub-package"), names(found.iter().copied())),
        };
        answer.list(
            format!("packages below {} ({})", outer.name, found.len()),
            found.iter().map(|one| one.row()).collect(),
        );
        return;
    }
    let (below, top): (Vec<&Package>, Vec<&Package>) =
        own.iter().partition(|package| own.iter().any(|outer| is_below(package, outer)));
    let others: Vec<ListRow> = packages.iter().filter(|package| !package.is_own).map(Package::row).collect();
    let more = match others.len() {
        0 => String::new(),
        all => format!("; {all} more in tests, documents and examples"),
    };
    let has = if top.len() == 1 { "has" } else { "have" };
    answer.headline = match (top.len(), below.len()) {
        (0, _) => format!("none: no folder with an `__init__.py` belongs to the program{more}"),
        (_, 0) if only_below => format!("none: {} {has} no package below", names(top.iter().copied())),
        (_, all) if only_below => {
            format!(
                "{} below {}: {}",
                count(all, "sub-package"),
                names(top.iter().copied()),
                names(below.iter().copied())
            )
        }
        (all, below) => format!("{}: {}{more}", count(all + below, "package"), names(own.iter().copied())),
    };
    let shown = if only_below && !below.is_empty() { &below } else { &own };
    let title = if only_below && !below.is_empty() { "sub-packages" } else { "packages" };
    answer.list(format!("{title} ({})", shown.len()), shown.iter().map(|package| package.row()).collect());
    answer.list(format!("packages in tests, documents and examples ({})", others.len()), others);
}

/// Lists the modules of a package, those directly in it first.
fn modules_of(
    reading: AnswerInputs,
    package: &Package,
    packages: &[Package],
    answer: &mut Answer,
) -> Result<(), StoreError> {
    let row = |id: FileId, file: &FileRecord| -> Result<ListRow, StoreError> {
        Ok(part(file, &reading.store.entities_of(id)?).unwrap_or_else(|| file_row(file, &[])))
    };
    let mut rows = Vec::new();
    for (id, file) in package.modules() {
        rows.push(row(*id, file)?);
    }
    let mut further = Vec::new();
    let below = format!("{}.", package.name);
    for inner in packages.iter().filter(|inner| inner.name.starts_with(&below)) {
        for (id, file) in &inner.files {
            further.push(row(*id, file)?);
        }
    }
    let names: Vec<String> = package.modules().map(|(_, file)| format!("`{}`", file.module)).collect();
    let names = first_in_words(names.into_iter(), MAX_NAMED);
    let init = if package.has_init { " beside its `__init__.py`" } else { "" };
    let more = match further.len() {
        0 => String::new(),
        all => format!("; {all} more in its packages"),
    };
    answer.headline = match rows.len() {
        0 => format!("`{}` has no module{init}{more}", package.name),
        all => format!("`{}` has {}{init}: {names}{more}", package.name, count(all, "module")),
    };
    answer.list(format!("modules of {} ({})", package.name, rows.len()), rows);
    answer.list(format!("modules of its packages ({})", further.len()), further);
    Ok(())
}
