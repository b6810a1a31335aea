//! Answers about names that one's own change took away: `where did cart.py go`, `who uses the removed f`.
//!
//! Nothing in the index has such a name any more, so the change is searched for it: for definitions and files that it
//! removes, renames or moves, and for what lay in such files.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            changes::own::{OwnReview, command, commits_between, place, uncommitted, unpushed},
            first_in_words,
            history::asked_kinds,
        },
        reading::{
            forms::{
                QuestionIntent,
                own_change::{Judgement, OfChange, OwnChange, is_of_grammar},
            },
            names::at_path,
            plan::Understood,
            words::is_in,
        },
    },
    model::EntityKind,
    query::{
        impact::verdict::Verdict,
        navigate::refs::refs,
        target::{Target, is_below, is_suffix},
        words::count,
    },
    review::{Edit, Finding, ReviewedChange},
    store::{error::StoreError, read::Entity},
};

/// Verbs of a use, and words for the damage that a use suffers.
const USES: &str = "call called caller callers calling calls depend dependents depending depends import imported importer importers importing \
     imports need needed needs reference referenced references refer refers rely relies use used user users uses using usage usages";
const DAMAGE: &str = "affect affected affects break breaking breaks broke broken crash crashes damage fail failing fails fix forget forgot \
     forgotten harm harmed hurt hurts impact impacted impacts miss missed update updated adapt adapted";
/// Words that ask for what became of something.
const LOSSES: &str = "delete deleted deleting deletion drop away dropped gone lost missing remove removed removing removal disappear disappeared";
const MOVES: &str = "move moved moving rename renamed renaming went";
const FATES: &str =
    "available called changed defined exist exists go happen happened here name now still there where work works";
/// Words that ask whether something is there, and those of modules.
const LIFE: &str = "happened exist exists defined called";
const OF_MODULES: &str = "file files import imported importer importers importing imports module modules";
/// Words by which the old name is meant, whatever else has it.
const STILL: &str = "still remaining leftover leftovers left stale anymore";
const WHETHER: &str = "any are can could did do does has have is should was were will would";
/// Definitions of a file that is gone are read from its text: more of them than this are passed over.
const MAX_CONTENTS: usize = 2000;
/// Living definitions of the same name that a headline names.
const MAX_LIVE: usize = 3;
/// Questions with more words tell a story.
const LONGEST_QUESTION: usize = 24;

/// Something that is not there any more under its name.
#[derive(Clone, Debug)]
pub(super) struct Gone {
    /// The old full name.
    pub name: String,
    pub kind: EntityKind,
    pub old_path: String,
    /// The full name and the file that it has now.
    pub to: Option<(String, String)>,
    is_moved: bool,
    /// The module with which it went, by its old name.
    pub module: Option<String>,
}

impl Gone {
    /// Whether a word of a question is its name, or the end of it.
    fn is_called(&self, word: &str) -> bool {
        if is_path(word) {
            return self.kind == EntityKind::Module && self.module.is_none() && is_end_of_path(&self.old_path, word);
        }
        is_suffix(&self.name, word)
    }

    fn subject(&self, word: &str) -> String {
        if word.contains('/') || word.ends_with(".py") { self.old_path.clone() } else { format!("`{}`", self.name) }
    }

    fn verb(&self) -> &'static str {
        match (&self.to, self.is_moved) {
            (None, _) => "removed",
            (Some(_), true) => "moved",
            (Some(_), false) => "renamed",
        }
    }

    /// `is removed by the uncommitted changes`, behind its name.
    fn fate(&self, change: &str) -> String {
        let verb = self.verb();
        match (&self.to, &self.module) {
            (None, None) => format!("is removed by {change}"),
            (None, Some(module)) => format!("was in `{module}`, which is removed by {change}"),
            (Some((to, path)), None) => format!("is {verb} to `{to}` ({path}) by {change}"),
            (Some((to, path)), Some(module)) => {
                format!("is `{to}` now ({path}), since `{module}` is {verb} by {change}")
            }
        }
    }
}

/// Answers about a name that the change took away; `None` where the question has none.
pub(super) fn gone(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let is_other = understood.plan.intent == QuestionIntent::Edit || understood.second.is_some();
    let own = understood.own.as_ref();
    let is_of_callers = own.and_then(|own| own.against.as_ref()).is_some_and(|one| one.by == Judgement::Callers);
    let has_state =
        own.is_some_and(|own| matches!(own.change, OwnChange::Range(_) | OwnChange::Since(_)) || own.work.is_some());
    if is_other || is_of_callers || has_state {
        return Ok(None);
    }
    let words = asked_words(&understood.plan.question);
    if words.len() > LONGEST_QUESTION {
        return Ok(None);
    }
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let mut names: Vec<&String> = Vec::new();
    for word in words.iter().filter(|word| may_be_name(word)) {
        if may_be_gone(reading, word, &lower)? {
            names.push(word);
        }
    }
    if names.is_empty() {
        return Ok(None);
    }
    for is_committed in [false, true] {
        let Some(review) = review(reading, &names, is_committed) else { continue };
        let gone = all_gone(reading, &review);
        for name in &names {
            let bare = bare(name);
            let mut found: Vec<&Gone> = gone.iter().filter(|one| one.is_called(bare)).collect();
            found.sort_by_key(|one| (one.module.is_some(), one.kind == EntityKind::Module));
            let mut meant = Vec::new();
            for one in found {
                if is_meant(reading, one, (name, &lower), &review)? {
                    meant.push(one);
                }
            }
            if let Some(first) = meant.first() {
                return told(reading, understood, first, (name, &lower), &review).map(Some);
            }
        }
    }
    Ok(None)
}

/// The words of a question as they are written, without the signs around them.
fn asked_words(question: &str) -> Vec<String> {
    let words = question.split_whitespace().map(|word| {
        let word = word.trim_matches(|c: char| "?!,;:'\"".contains(c)).trim_end_matches('.');
        word.strip_suffix("'s").unwrap_or(word).to_owned()
    });
    words.filter(|word| !word.is_empty()).collect()
}

fn bare(word: &str) -> &str {
    word.trim_matches('`').trim_end_matches("()")
}

/// Whether a word is written as only names are.
fn is_like_code(word: &str) -> bool {
    word.contains(['_', '.', '/', '`', '(']) || word.chars().skip(1).any(char::is_uppercase)
}

fn may_be_name(word: &str) -> bool {
    let is_name = |part: char| part.is_alphanumeric() || "_./`()".contains(part);
    let lower = word.to_lowercase();
    word.len() > 1 && word.chars().all(is_name) && (is_like_code(word) || !is_of_grammar(&lower))
}

/// Whether the change has to be searched for a name, which takes several runs of git: nothing that lives is called so,
/// or the question speaks of a loss, of a use or of damage.
fn may_be_gone(reading: AnswerInputs, word: &str, words: &[String]) -> Result<bool, StoreError> {
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    if has(LOSSES) || has(MOVES) {
        return Ok(true);
    }
    let (bare, is_asked) = (bare(word), has(USES) || has(DAMAGE) || has("still where"));
    if !is_like_code(word) && !is_asked && !has(LIFE) {
        return Ok(false);
    }
    if is_path(bare) {
        return Ok(is_asked || !reading.store.files()?.iter().any(|(_, file)| is_end_of_path(&file.path, bare)));
    }
    let (mut live, modules) = (definitions_called(reading, bare)?, modules_called(reading, bare)?);
    live.retain(|one| !one.path.ends_with(".pyi"));
    let names: BTreeSet<String> = live.iter().map(Entity::full_name).collect();
    Ok(names.is_empty() && modules.is_empty()
        // One of several definitions of the name may be gone.
        || is_asked && has(STILL)
        || modules.is_empty() && has(OF_MODULES)
        // One that moved has one name still.
        || is_asked && names.len() < 2)
}

/// The definitions that are called so, in full or by the end of their names.
fn definitions_called(reading: AnswerInputs, bare: &str) -> Result<Vec<Entity>, StoreError> {
    let last = bare.rsplit('.').next().unwrap_or(bare);
    let mut live = reading.store.entities_named(last, false)?;
    live.retain(|one| bare == last || is_suffix(&one.full_name(), bare));
    Ok(live)
}

/// The modules that are called so, in full or by the end of their names.
fn modules_called(reading: AnswerInputs, bare: &str) -> Result<Vec<String>, StoreError> {
    let modules = reading.store.modules()?.into_iter().map(|(_, name)| name);
    Ok(modules.filter(|name| is_suffix(name, bare)).collect())
}

/// Whether a path is this one, or ends with it.
fn is_end_of_path(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

fn is_path(word: &str) -> bool {
    word.contains('/') || word.ends_with(".py") || word.ends_with(".pyi")
}

/// The review of the change that may have taken one of the names away: it costs more than a look at the difference.
fn review(reading: AnswerInputs, names: &[&String], is_committed: bool) -> Option<OwnReview> {
    let base = if is_committed {
        let mut bases = ["@{upstream}", "origin/HEAD"].into_iter();
        let base = bases.find(|base| commits_between(reading, base, "HEAD") > 0)?;
        format!("{base}...HEAD")
    } else {
        "HEAD".to_owned()
    };
    let difference = (reading.git)(&["diff", "-M", "-U0", "--no-color", &base, "--", "*.py", "*.pyi"])?;
    let is_lost = |line: &str| {
        // What lay in a file that moved as it was does not stand in the difference.
        if line.starts_with("rename from ") {
            return true;
        }
        let Some(line) = line.strip_prefix('-') else { return false };
        names.iter().any(|name| {
            let last = bare(name).trim_end_matches(".py").rsplit(['.', '/']).next().unwrap_or_default();
            !last.is_empty() && line.contains(last)
        })
    };
    if !difference.lines().any(is_lost) {
        return None;
    }
    if is_committed { unpushed(reading, &[]).ok() } else { uncommitted(reading).ok() }
}

/// Everything that the change took away.
pub(super) fn all_gone(reading: AnswerInputs, review: &OwnReview) -> Vec<Gone> {
    let report = &review.report;
    let base = if report.base_commit.is_empty() { "HEAD" } else { report.base_commit.as_str() };
    let head = report.head_commit.clone();
    let mut arguments = vec!["diff", "--name-status", "-M", base];
    arguments.extend(head.as_deref());
    let status = (reading.git)(&arguments).unwrap_or_default();
    let old_path = |path: &str| {
        let fields = status.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        let mut old = fields.filter(|fields| fields.len() == 3 && fields[2] == path).map(|fields| fields[1].to_owned());
        old.next_back().unwrap_or_else(|| path.to_owned())
    };
    let mut gone = Vec::new();
    for one in &report.changed {
        for edit in &one.edits {
            let (to, is_moved) = match edit {
                Edit::Removed => (None, false),
                Edit::Renamed { to } => (Some((to.clone(), one.path.clone())), false),
                Edit::Moved { to } => (Some((to.clone(), one.path.clone())), true),
                _ => continue,
            };
            let old_path = if to.is_some() { old_path(&one.path) } else { one.path.clone() };
            let whole =
                Gone { name: one.name.clone(), kind: one.kind, old_path: old_path.clone(), to, is_moved, module: None };
            if one.kind == EntityKind::Module {
                let text = (reading.git)(&["show", &format!("{base}:{old_path}")]).unwrap_or_default();
                gone.extend(contents(&text).into_iter().map(|(name, kind)| Gone {
                    name: format!("{}.{name}", whole.name),
                    kind,
                    to: whole.to.as_ref().map(|(to, path)| (format!("{to}.{name}"), path.clone())),
                    module: Some(whole.name.clone()),
                    ..whole.clone()
                }));
            }
            gone.push(whole);
        }
    }
    gone
}

/// The definitions of a text of Python, by the beginnings of its lines.
pub(super) fn contents(text: &str) -> Vec<(String, EntityKind)> {
    let mut found = Vec::new();
    let mut around: Vec<(usize, String, bool)> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let code = line.trim_start();
        let depth = line.len() - code.len();
        if code.starts_with(['#', ')', ']', '}']) {
            continue;
        }
        let code = code.strip_prefix("async ").unwrap_or(code);
        let (rest, is_class) = match (code.strip_prefix("def "), code.strip_prefix("class ")) {
            (Some(rest), _) => (rest, false),
            (_, Some(rest)) => (rest, true),
            _ => continue,
        };
        around.retain(|(outer, ..)| *outer < depth);
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        // What lies in a function has no name outside of it.
        if around.iter().all(|(.., is_class)| *is_class) && found.len() < MAX_CONTENTS {
            let outer: Vec<&str> = around.iter().map(|(_, name, _)| name.as_str()).chain([name.as_str()]).collect();
            let kind = match (is_class, around.is_empty()) {
                (true, _) => EntityKind::Class,
                (false, true) => EntityKind::Function,
                (false, false) => EntityKind::Method,
            };
            found.push((outer.join("."), kind));
        }
        around.push((depth, name, is_class));
    }
    found
}

/// Whether the question means what is gone, and nothing else of the same name.
fn is_meant(
    reading: AnswerInputs,
    gone: &Gone,
    (word, words): (&str, &[String]),
    review: &OwnReview,
) -> Result<bool, StoreError> {
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    let bare = bare(word);
    let speaks_of_modules = has(OF_MODULES);
    if !is_like_code(word) {
        // A common word is a name where the question asks for uses or for a fate.
        let is_name = has(USES) || has(DAMAGE) || has(LOSSES) || has(MOVES) || has("where") || has(LIFE);
        if !is_name
            || gone.kind == EntityKind::Module && !(speaks_of_modules || has(LOSSES) || has(MOVES) || has("where"))
        {
            return Ok(false);
        }
    }
    if bare.contains('/') || bare.ends_with(".py") {
        return Ok(reading.store.file_id(&gone.old_path)?.is_none());
    }
    let mut live = definitions_called(reading, bare)?;
    // A stub beside the code, which still has it, is none.
    live.retain(|one| !one.path.ends_with(".pyi") || gone.old_path.ends_with(".pyi"));
    let modules = modules_called(reading, bare)?;
    let Some((to, _)) = &gone.to else {
        let is_live = live.iter().any(|one| one.full_name() == gone.name) || modules.contains(&gone.name);
        let is_free = live.is_empty() && modules.is_empty() || bare == gone.name && !is_live;
        let is_module = gone.kind == EntityKind::Module && gone.module.is_none() && speaks_of_modules;
        let is_module = is_module && modules.is_empty();
        let mut breaks = review.report.of(Verdict::Breaks).chain(review.report.of(Verdict::MayBreak));
        let is_stale = has(STILL) && gone.module.is_none() && breaks.any(|finding| finding.entity == gone.name);
        return Ok(is_free || is_module || has(LOSSES) || is_stale && (has(USES) || has(DAMAGE)));
    };
    let is_module = gone.kind == EntityKind::Module && gone.module.is_none() && speaks_of_modules && modules.is_empty();
    if is_module || live.is_empty() && modules.is_empty() || bare == gone.name || has(MOVES) && gone.module.is_none() {
        return Ok(true);
    }
    // A definition of a moved file has its users still, but these name the file by its old name.
    let is_broken = |finding: &Finding| Some(&finding.entity) == gone.module.as_ref();
    let is_same = live.iter().all(|one| one.full_name() == *to);
    let is_broken = |finding: &Finding| is_broken(finding) || gone.module.is_none() && finding.entity == gone.name;
    let mut breaks = review.report.of(Verdict::Breaks).chain(review.report.of(Verdict::MayBreak));
    let asks_for_place = gone.module.is_none() && words.first().is_some_and(|word| word == "where") && has("go gone");
    let is_of_old_place = gone.module.is_none() && has(STILL);
    let is_broken = (has(USES) || has(DAMAGE)) && breaks.any(is_broken);
    // `who still calls f`, where another `f` lives: the places that are stale are meant.
    Ok(is_same && (is_broken || asks_for_place || is_of_old_place) || is_broken && is_of_old_place)
}

/// The answer about one that is gone.
fn told(
    reading: AnswerInputs,
    understood: &Understood,
    gone: &Gone,
    (word, words): (&str, &[String]),
    review: &OwnReview,
) -> Result<Answer, StoreError> {
    let mut plan = understood.plan.clone();
    plan.unknown.clear();
    plan.notes.retain(|note| note.starts_with("read as"));
    let files: BTreeSet<String> = plan.files.iter().flat_map(|file| file.paths.iter().cloned()).collect();
    let mut answer = Answer::new(plan, String::new());
    answer.command = command(&review.change, OfChange::Breaks);
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    let is_whether = words.first().is_some_and(|word| is_in(WHETHER, word));
    let is_supposed = words.first().is_some_and(|word| is_in("can could should would will", word));
    let subject = gone.subject(bare(word));
    let fate = gone.fate(&review.name);
    let has_noun = has("function functions method methods class classes definition definitions");
    let is_of_contents = gone.kind == EntityKind::Module && gone.module.is_none() && has_noun && has(LOSSES);
    if is_of_contents && !has(USES) && !has(DAMAGE) && words.first().is_some_and(|word| is_in("which what list", word))
    {
        contained(reading, gone, (words, &fate), review, &mut answer);
        return Ok(answer);
    }
    let mut rows = users(reading, gone, review)?;
    let is_of_uses = has(USES) && !has("called now name") || has(DAMAGE) || has("test tests tested");
    if !files.is_empty() && is_of_uses {
        rows.retain(|(row, _)| files.contains(&row.path));
    }
    let of_tests = has("test tests tested");
    if of_tests && is_of_uses {
        rows.retain(|(_, is_test)| *is_test);
    }
    let first = rows.first().map_or(String::new(), |(row, _)| format!(", first {}:{}", row.path, row.line));
    let of_files = has("file files module modules") && !is_whether && is_of_uses;
    let number = if of_files {
        let paths: BTreeSet<&str> = rows.iter().map(|(row, _)| row.path.as_str()).collect();
        count(paths.len(), if has("module modules") { "module" } else { "file" })
    } else {
        count(rows.len(), "place")
    };
    let within = match (of_tests, files.len()) {
        (true, _) => " in tests".to_owned(),
        (_, 1) => files.first().map_or(String::new(), |path| format!(" in {path}")),
        _ => String::new(),
    };
    let is_one = number.starts_with("1 ");
    let list: Vec<ListRow> = rows.iter().map(|(row, _)| row.clone()).collect();
    // Whether other code has a test less needs the calls that the file had.
    let asks_for_cover = of_tests && gone.kind == EntityKind::Module && is_whether && has("tested covered untested");
    answer.headline = if asks_for_cover {
        format!("not known: the index has no calls of {subject} any more, which {}", fate.trim_start_matches("which "))
    } else if of_tests && has("run rerun execute need should must") {
        let tests = &review.report;
        match tests.tests.len() {
            0 => format!("no test is known to reach {}; {subject} {fate}", review.name),
            _ => format!("{} to run for {}; {subject} {fate}", tests.number_of_tests(), review.name),
        }
    } else if has("who when commit") && (has(LOSSES) || has(MOVES)) && !has(USES) && !has(DAMAGE) {
        format!("{}: {subject} {fate}", by_whom(reading, gone, review))
    } else if has("staged") && is_whether {
        let staged = (reading.git)(&["diff", "--cached", "--name-only", "--no-renames"]).unwrap_or_default();
        let is_staged = staged.lines().any(|path| path == gone.old_path);
        let (yes, not) = if is_staged { ("yes", "") } else { ("no", " not") };
        format!("{yes}: that {subject} was {} is{not} staged", gone.verb())
    } else if is_of_uses {
        let is_safe = has("safe ok okay fine works work");
        let yes = match (is_whether, rows.is_empty() == is_safe) {
            (false, _) => "",
            (true, true) => "yes: ",
            (true, false) => "no: ",
        };
        if rows.is_empty() {
            format!("{yes}nothing is known to use {subject}{within} any more: it {fate}")
        } else if has("break breaks broke broken breaking") {
            let breaks = if is_one { "breaks" } else { "break" };
            format!("{yes}{number}{within} {breaks} because {subject} {fate}{first}")
        } else {
            let verb = if has("import imported importers imports importing") && gone.kind == EntityKind::Module {
                "import"
            } else {
                "use"
            };
            let verb = if is_one { format!("{verb}s") } else { verb.to_owned() };
            format!("{yes}{number}{within} still {verb} {subject}{first}; it {fate}{}", by_new_name(reading, gone)?)
        }
    } else {
        let yes = match () {
            () if !is_whether || is_supposed => "",
            () if has(LOSSES) => {
                if gone.to.is_none() {
                    "yes: "
                } else {
                    "no: "
                }
            }
            () if has(MOVES) => {
                if gone.to.is_some() {
                    "yes: "
                } else {
                    "no: "
                }
            }
            () if has("change changed modify modified touch touched edit edited") => "yes: ",
            () if has(FATES) => "no: ",
            () => "",
        };
        let use_it = if is_one { "uses" } else { "use" };
        let rest = match rows.len() {
            0 => "nothing is known to use it any more".to_owned(),
            _ => format!("{number} still {use_it} it under this name{first}"),
        };
        format!("{yes}{subject} {fate}; {rest}")
    };
    let mut live = if gone.kind == EntityKind::Module { Vec::new() } else { definitions_called(reading, bare(word))? };
    let now = gone.to.as_ref().map(|(to, _)| to);
    live.retain(|one| !one.path.ends_with(".pyi") && one.full_name() != gone.name && Some(&one.full_name()) != now);
    if !live.is_empty() {
        let names = first_in_words(live.iter().map(|one| format!("`{}`", one.full_name())), MAX_LIVE);
        answer.headline += &format!("; {names} is another one and lives");
        if live.len() > 1 {
            answer.headline = answer.headline.replace(" is another one and lives", " are others and live");
        }
    }
    answer.list(format!("places that use it under its old name ({})", list.len()), list);
    Ok(answer)
}

/// Answers what went with a file: `which functions disappeared with cart.py`.
fn contained(
    reading: AnswerInputs,
    gone: &Gone,
    (words, fate): (&[String], &str),
    review: &OwnReview,
    answer: &mut Answer,
) {
    let kinds = asked_kinds(words);
    let is_in_it = |one: &Gone| one.module.as_ref() == Some(&gone.name);
    let is_asked = |one: &Gone| kinds.is_none_or(|(_, kinds)| kinds.contains(&one.kind));
    let found: Vec<Gone> = all_gone(reading, review).into_iter().filter(|one| is_in_it(one) && is_asked(one)).collect();
    let number = count(found.len(), kinds.map_or("definition", |(noun, _)| noun));
    let was = if found.len() == 1 { "was" } else { "were" };
    let named = first_in_words(found.iter().map(|one| format!("`{}`", one.name)), 6);
    let named = if named.is_empty() { named } else { format!(" ({named})") };
    answer.headline = format!("{number} {was} in {}, which {fate}{named}", gone.old_path);
    let rows: Vec<ListRow> = found
        .iter()
        .map(|one| ListRow {
            name: one.name.clone(),
            kind: one.kind.as_str(),
            path: one.old_path.clone(),
            ..ListRow::default()
        })
        .collect();
    answer.list(format!("definitions that were in it ({})", rows.len()), rows);
}

/// The places that still use what is gone, and whether they are in tests.
fn users(reading: AnswerInputs, gone: &Gone, review: &OwnReview) -> Result<Vec<(ListRow, bool)>, StoreError> {
    let report = &review.report;
    let findings = || report.of(Verdict::Breaks).chain(report.of(Verdict::MayBreak));
    if gone.module.is_none() {
        let is_of = |finding: &&Finding| finding.entity == gone.name || is_below(&finding.entity, &gone.name);
        return Ok(findings().filter(is_of).map(|finding| (place(finding), finding.is_test)).collect());
    }
    // The review tells who imports the module; the lines tell what they take from it.
    let last = gone.name.rsplit('.').next().unwrap_or_default();
    let lines = (reading.git)(&["grep", "-nwF", last, "--", "*.py", "*.pyi"]).unwrap_or_default();
    let mut rows = Vec::new();
    for line in lines.lines() {
        let mut fields = line.splitn(3, ':');
        let (Some(path), Some(number), Some(text)) = (fields.next(), fields.next(), fields.next()) else { continue };
        let text = text.trim();
        let is_definition = ["def ", "class ", "async def "].iter().any(|head| text.starts_with(head));
        let breaks = findings().any(|finding| finding.path == path && Some(&finding.entity) == gone.module.as_ref());
        if is_definition || text.starts_with('#') || !breaks {
            continue;
        }
        let is_test = reading.store.file_id(path)?.map(|id| reading.store.file(id)).transpose()?.flatten();
        let row = ListRow::line(path, number.parse().unwrap_or(1), text.to_owned());
        rows.push((row, is_test.is_some_and(|file| file.is_test)));
    }
    Ok(rows)
}

/// Where it is used under its new name, behind a sentence.
fn by_new_name(reading: AnswerInputs, gone: &Gone) -> Result<String, StoreError> {
    let Some((to, path)) = gone.to.as_ref().filter(|_| gone.kind != EntityKind::Module) else {
        return Ok(String::new());
    };
    let Some(entity) = at_path(reading.store, to, path)? else { return Ok(String::new()) };
    let users = refs(reading.store, reading.sources, &Target::of(vec![entity]), false)?.references.len();
    let use_it = if users == 1 { "uses" } else { "use" };
    Ok(if users == 0 { String::new() } else { format!("; {} {use_it} the new one", count(users, "place")) })
}

/// The commit that took it away.
fn by_whom(reading: AnswerInputs, gone: &Gone, review: &OwnReview) -> String {
    if matches!(review.change, ReviewedChange::Worktree | ReviewedChange::Staged | ReviewedChange::Unstaged) {
        return "no commit has this yet".to_owned();
    }
    let range = format!("{}..HEAD", review.report.base_commit);
    let last = gone.name.rsplit('.').next().unwrap_or_default();
    let search = format!("-S{last}");
    let mut arguments = vec!["log", "-n", "1", "--format=%h by %an: %s"];
    if gone.kind != EntityKind::Module {
        arguments.push(&search);
    }
    arguments.extend([range.as_str(), "--", gone.old_path.as_str()]);
    let found = (reading.git)(&arguments).unwrap_or_default();
    let found = found.lines().next().unwrap_or_default();
    if found.is_empty() { "one of the commits".to_owned() } else { found.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(to: Option<&str>) -> Gone {
        Gone {
            name: "shop.cart".to_owned(),
            kind: EntityKind::Module,
            old_path: "src/shop/cart.py".to_owned(),
            to: to.map(|to| (to.to_owned(), "src/shop/basket.py".to_owned())),
            is_moved: false,
            module: None,
        }
    }

    #[test]
    fn a_file_is_named_by_the_end_of_its_path_or_as_a_module() {
        let gone = module(None);
        for word in ["cart.py", "shop/cart.py", "src/shop/cart.py", "shop.cart", "cart"] {
            assert!(gone.is_called(word), "{word}");
        }
        for word in ["art.py", "basket.py", "art", "shop"] {
            assert!(!gone.is_called(word), "{word}");
        }
    }

    #[test]
    fn the_fate_says_what_became_of_it() {
        assert_eq!(module(None).fate("the change"), "is removed by the change");
        assert_eq!(
            module(Some("shop.basket")).fate("the change"),
            "is renamed to `shop.basket` (src/shop/basket.py) by the change"
        );
    }

    #[test]
    fn functions_and_classes_of_a_text_are_read() {
        let text = "class A:\n    def f(self):\n        def inner(): ...\n\nasync def g(): ...\n# def h(): ...\n";
        let names: Vec<String> = contents(text).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["A", "A.f", "g"]);
    }
}
