//! Reads a question about one's own work in whatever words as one that the grammar of `own_change` knows.
//!
//! Such a question has a few parts: a state (`staged`, `on this branch`), a kind of edit (`removed`), a kind of thing
//! (`functions`), and perhaps one name. They are found in any order, and every word has to be known.

use crate::ask::reading::{
    forms::{
        own_change::{OwnQuestion, is_of_grammar, spelled},
        patterns::Phrase,
    },
    words::is_in,
};

/// Words that are known here besides those of the grammar.
const FURTHER: &str = "their its both python py additions addition again anymore behavior behaviour ci existing complete completed created creating create currently dangling deletion deletions \
     deleting removing renaming moving adding disappear disappeared display doc docs documentation done dropped drop edit fixture fixtures find finished folder gone green here \
     hanging incoming latest locally longer lost lose message messages minimal minimum move moves necessary newly old outdated overlook overlooked part parts pass passes passing \
     print property properties public red relevant removal removals rename renames required retest rows sha skip spot spots stale stuff suffice symbol symbols thing things \
     vanish vanished worth write draft suggest generate propose title description entry changelog notes release there going happen happened \
     different relocate relocated still untouched old outdated leftover leftovers broken must should me us dir mine have got get a affected one unittests unit-tests testcases \
     depend depending rely relies unused fixing stays keep existing source production set first top catch catches detect notice bug bugs mistake mistakes path fully entire every re-run somewhere elsewhere smallest subset enough whole all suite since sites call-sites callsites who whom go wrong update updating adjust";
const PEOPLE: &str = "i we my our me us mine ours";
const WHETHER: &str = "any anything are am can could did do does has have is must need should was were will";
const CHANGED: &str = "change changed changes modify modified modification modifications edit edited edits touch touched alter altered different differ differs diff happened happen";
const ADDED: &str =
    "add added adding addition additions new newly introduce introduced create created creating write wrote written";
const REMOVED: &str = "remove removed removing removal removals delete deleted deleting deletion deletions drop dropped gone disappear disappeared vanish vanished lost lose";
const RENAMED: &str = "rename renamed renames renaming";
const MOVED: &str = "move moved moves moving relocate relocated";
/// Forms of these verbs that say by themselves that it has happened.
const PAST: &str = "changed modified edited touched altered different added new newly introduced created written removed deleted dropped gone disappeared vanished lost \
     renamed moved relocated additions removals deletions edits changes modifications renames moves differ differs";
/// The things that are changed, each under the name that is asked for.
const THINGS: [(&str, &str); 17] = [
    ("signature signatures", "signatures"),
    ("parameter parameters argument arguments", "parameters"),
    ("default defaults", "defaults"),
    ("docstring docstrings", "docstrings"),
    ("annotation annotations", "annotations"),
    ("base bases hierarchy inheritance", "bases"),
    ("decorator decorators", "decorators"),
    ("file files", "files"),
    ("module modules", "modules"),
    ("function functions", "functions"),
    ("method methods", "methods"),
    ("class classes", "classes"),
    ("property properties", "properties"),
    ("constant constants variable variables", "constants"),
    ("definition definitions symbol symbols", "definitions"),
    ("doc docs documentation", "docs"),
    ("test tests testcases", "tests"),
];
/// Words of other questions than for the edits themselves.
const NOT_OF_EDITS: &str = "if suppose would could should can may must will why when once who whose safe ok okay fine ready caller callers call calls called use uses used user users \
     import imports imported depend depends reference references cover covers covered tested untested run rerun execute line lines commits push pushed pushing merge \
     merging depends relies stash stashed untracked tracked next large big size behind ahead up conflict unpushed";
const DAMAGE: &str = "break breaks breaking broke broken fail fails failing failed crash crashes hurt hurts wrong";
const REPAIR: &str = "fix fixing fixed adapt adapted adjust adjusted update updated updating miss missed forget forgot forgotten overlook overlooked complete completed finished leftover leftovers stale outdated dangling";
const USES: &str = "use uses used using call calls called import imports imported importing depend depends rely relies reference references refer refers need needs needed";
const RUN: &str = "run rerun re-run execute retest catch catches detect notice worth relevant necessary needed need required matter minimal minimum smallest subset suffice enough";
const OUTCOME: &str = "pass passes passing green red fail fails failing failed break breaks broke broken";

/// The state that a question speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
enum AskedState {
    Own,
    Staged,
    Unstaged,
    Uncommitted,
    Branch,
    LastCommit,
    Since(String),
    Today(&'static str),
}

/// The words of a question, each as it is written and in lower case.
struct Bag {
    words: Vec<(String, String)>,
    state: AskedState,
    /// The word that is none of the grammar, with its place.
    name: Option<(usize, String)>,
}

/// The question in the words of the grammar; `None` for any other one.
pub(super) fn in_other_words(text: &str) -> Option<String> {
    const LONGEST: usize = 16;
    if text.contains(['"', '\n']) {
        return None;
    }
    let bag = Bag::of(text)?;
    // The index of git leaves no file out, that of repoidx does.
    let is_of_repoidx = bag.has("index") && bag.has("out");
    if bag.words.len() > LONGEST || bag.words.is_empty() || names_a_word(text) || is_of_repoidx {
        return None;
    }
    let of_noun = bag.has_noun_of_edit().then(|| bag.damage()).flatten();
    if let Some(wording) = bag.repair().or(of_noun) {
        return Some(wording);
    }
    if let Some(wording) = bag.whole_suite() {
        return Some(wording);
    }
    if OwnQuestion::of(text).is_some() {
        return None;
    }
    let read = [Bag::message, Bag::untested, Bag::adapted, Bag::tests, Bag::uses, Bag::damage, Bag::edits];
    read.iter().find_map(|reading| reading(&bag))
}

/// Whether a word stands where only a name does, whatever it means of a change: `who calls fail`, `callers of index`.
pub(super) fn names_a_word(text: &str) -> bool {
    let lower = text.trim_end_matches(['?', '.', ' ']).to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let (name, before) = match words.as_slice() {
        ["who" | "what", "calls" | "uses" | "call" | "use" | "imports" | "raises", name] => (name, 1),
        ["where", "is", name, "called" | "used" | "defined" | "raised"] => (name, 1),
        ["how", "many", "definitions" | "callers" | "users" | "uses", "of", name, ..] => (name, 4),
        [.., "callers" | "users" | "usages" | "definitions", "of", name] => (name, words.len() - 1),
        _ => return false,
    };
    let is_of_change = |word: &&str| is_in("my our i changed removed renamed new old deleted added moved", word);
    !words[..before].iter().any(is_of_change) && !is_in("it that this them these those they", name)
}

impl Bag {
    fn of(text: &str) -> Option<Self> {
        let mut words: Vec<(String, String)> = Vec::new();
        for raw in text.split_whitespace() {
            let bare = raw.trim_matches(|c: char| "?!,;:()'".contains(c)).trim_end_matches('.').replace('’', "'");
            let bare = spelled(&bare);
            let parts: Vec<String> = match bare.split_once('\'') {
                Some((word, "ve")) => vec![word.to_owned(), "have".to_owned()],
                Some((word, "s")) if is_in("what where who it that there which", &word.to_lowercase()) => {
                    vec![word.to_owned(), "is".to_owned()]
                }
                Some((word, "s")) => vec![word.to_owned()],
                Some((word, "t")) => vec![word.strip_suffix('n').unwrap_or(word).to_owned(), "not".to_owned()],
                Some((word, "m" | "re")) => vec![word.to_owned(), "are".to_owned()],
                _ => vec![bare],
            };
            words.extend(parts.into_iter().filter(|part| !part.is_empty()).map(|part| (part.to_lowercase(), part)));
        }
        let mut bag = Self { words, state: AskedState::Own, name: None };
        let base = bag.base();
        let is_of_command = bag.has("pytest test tests rerun");
        for (at, (lower, word)) in bag.words.iter().enumerate() {
            let is_quoted = word.starts_with('`');
            let is_known = !is_quoted && (is_of_grammar(lower) || is_in(FURTHER, lower));
            let is_base = base.as_ref().is_some_and(|base| base == word);
            let is_known = is_known || is_of_command && is_in("command cmd commandline", lower);
            if is_known || is_base || is_in("main master upstream origin remote head", lower) {
                continue;
            }
            if bag.name.replace((at, word.clone())).is_some() {
                return None;
            }
        }
        bag.state = bag.state(base);
        Some(bag)
    }

    fn has(&self, list: &str) -> bool {
        let name = self.name.as_ref().map(|(at, _)| *at);
        self.words.iter().enumerate().any(|(at, (word, _))| Some(at) != name && is_in(list, word))
    }

    fn at(&self, list: &str) -> Option<usize> {
        self.words.iter().position(|(word, _)| is_in(list, word))
    }

    fn first(&self) -> &str {
        self.words.first().map_or("", |(word, _)| word)
    }

    fn is_whether(&self) -> bool {
        is_in(WHETHER, self.first())
    }

    /// The revision against which the question compares: `since main`.
    fn base(&self) -> Option<String> {
        let is_sign = |word: &str| is_in("since against from to with vs versus than", word);
        self.words.windows(2).find_map(|pair| {
            let (lower, word) = &pair[1];
            let is_base =
                is_in("main master head", lower) || lower.starts_with("origin/") || lower.starts_with("upstream/");
            (is_sign(&pair[0].0) && is_base).then(|| word.clone())
        })
    }

    fn state(&self, base: Option<String>) -> AskedState {
        let is_denied = self.has("not");
        let names_commit = |pair: &[(String, String)]| is_in("my our the this", &pair[0].0) && pair[1].0 == "commit";
        let is_named = self.words.windows(2).any(names_commit) && !self.has("before next if can when");
        let of_commit = self.has("last latest previous") && self.has("commit") || is_named;
        let is_compared = self.has("since against from compared vs versus than");
        match () {
            () if self.has("unstaged") || is_denied && self.has("staged stage") => AskedState::Unstaged,
            () if self.has("staged stage index") => AskedState::Staged,
            () if of_commit && is_compared => AskedState::Uncommitted,
            () if of_commit => AskedState::LastCommit,
            () if self.has("uncommitted worktree tree copy") || is_denied && self.has("committed") => {
                AskedState::Uncommitted
            }
            () if base.is_some() => AskedState::Since(base.unwrap_or_default()),
            () if self.has("branch pr mr request unpushed upstream origin remote") => AskedState::Branch,
            () if self.has("today") => AskedState::Today("today"),
            () if self.has("this") && self.has("morning") => AskedState::Today("this morning"),
            () if self.has("this") && self.has("week") => AskedState::Today("this week"),
            () => AskedState::Own,
        }
    }

    /// `my staged changes`
    fn changes(&self) -> String {
        match &self.state {
            AskedState::Own | AskedState::Today(_) => "my changes".to_owned(),
            AskedState::Staged => "my staged changes".to_owned(),
            AskedState::Unstaged => "my unstaged changes".to_owned(),
            AskedState::Uncommitted => "my uncommitted changes".to_owned(),
            AskedState::Branch => "my branch".to_owned(),
            AskedState::LastCommit => "my last commit".to_owned(),
            AskedState::Since(base) => format!("my changes since {base}"),
        }
    }

    /// ` in my staged changes`, behind a sentence.
    fn place(&self) -> String {
        match &self.state {
            AskedState::Own => String::new(),
            AskedState::Branch => " on this branch".to_owned(),
            AskedState::Since(base) => format!(" since {base}"),
            AskedState::Today(time) => format!(" {time}"),
            _ => format!(" in {}", self.changes()),
        }
    }

    fn do_changes(&self) -> &'static str {
        if matches!(self.state, AskedState::Branch | AskedState::LastCommit) { "does" } else { "do" }
    }

    /// The thing that a word among some names, in the plural.
    fn thing(&self, from: usize, to: usize) -> Option<&'static str> {
        let words = self.words.get(from..to)?;
        THINGS.iter().find(|(list, _)| words.iter().any(|(word, _)| is_in(list, word))).map(|(_, thing)| *thing)
    }

    fn any_thing(&self) -> Option<&'static str> {
        self.thing(0, self.words.len())
    }

    /// The only kind of edit that the question speaks of, as a verb.
    fn edit(&self) -> Option<&'static str> {
        let kinds = [(ADDED, "add"), (REMOVED, "remove"), (RENAMED, "rename"), (MOVED, "move")];
        let mut said = kinds.iter().filter(|(list, _)| self.has(list)).map(|(_, verb)| *verb);
        match (said.next(), said.next()) {
            // `which changes are new`
            (Some(verb), None) => Some(verb),
            (Some(_), Some(_)) => Some("change"),
            (None, _) => self.has(CHANGED).then_some("change"),
        }
    }

    /// The same verb of what has happened.
    fn edited(&self) -> &'static str {
        match self.edit() {
            Some("add") => "added",
            Some("remove") => "removed",
            Some("rename") => "renamed",
            Some("move") => "moved",
            _ => "changed",
        }
    }

    /// Whether a noun speaks of one kind of edit: `my deletions`, `the rename`.
    fn has_noun_of_edit(&self) -> bool {
        let is_noun =
            |pair: &[(String, String)]| is_in("the my our this", &pair[0].0) && is_in("move rename", &pair[1].0);
        self.has("deletion deletions removal removals renames moves") || self.words.windows(2).any(is_noun)
    }

    fn is_of_own(&self) -> bool {
        self.has(PEOPLE) || self.state != AskedState::Own
    }

    /// A text about the change: `write a commit message`.
    fn message(&self) -> Option<String> {
        let is_text =
            self.has("message messages description title notes") || self.has("changelog") && self.has("entry");
        let is_asked = self.has("write draft suggest generate propose give make create") || self.has("good");
        if !is_text
            || !is_asked
            || self.name.is_some()
            || !self.has("commit pr branch pull merge request changes change release changelog")
        {
            return None;
        }
        let is_of_branch = self.state == AskedState::Branch || self.has("release changelog");
        Some(if is_of_branch { "what did I change on this branch" } else { "what will I commit" }.to_owned())
    }

    /// Whether all tests need to run.
    fn whole_suite(&self) -> Option<String> {
        let of_all =
            self.has("suite tests everything") && self.has("all whole full fully entire every everything complete");
        let is_asked = is_in("do does should must need can could is are would", self.first());
        let is_of_run = self.has("run rerun re-run execute")
            || self.has("tests suite") && self.has("need needs require required necessary");
        let is_own = self.has(PEOPLE) || is_in("should must", self.first());
        if !of_all
            || !is_asked
            || !is_of_run
            || !is_own
            || self.name.is_some()
            || self.has("fixture fixtures pass passes passing green break fail not if")
        {
            return None;
        }
        Some(format!("should I run all tests for {}", self.changes()))
    }

    /// Whether tests have to be changed.
    fn adapted(&self) -> Option<String> {
        const OF_TESTS: &str = "test/tests .. need/needs/have/has/must/should .. change/changed/update/updated/updating/adapt/adapted/adjust/adjusted/fixed/fixing/edited \
             | update/change/adapt/adjust/fix/edit/touch .. test/tests | must/should .. test/tests be changed/updated/adapted/adjusted/fixed | do/does/must/should/need .. test/tests .. change/update/updating/adapting/fixing $";
        let words = Phrase::of_words(self.words.iter().map(|(word, _)| word.clone()).collect());
        let is_asked = words.has(OF_TESTS) && self.has("need needs must should have has") && self.name.is_none();
        if !is_asked || self.has("run rerun re-run execute if suppose why how pass") {
            return None;
        }
        match self.first() {
            "which" | "what" => Some(format!("which tests {} {} break", self.do_changes(), self.changes())),
            _ if self.is_whether() => Some(format!("must any tests be updated for {}", self.changes())),
            _ => None,
        }
    }

    /// The tests to run, and whether they pass.
    fn tests(&self) -> Option<String> {
        let of_tests = self.has("test tests testcases unittests suite pytest ci rerun re-run retest");
        let is_outside = self.has("outside except excluding besides beyond ignoring apart");
        if !of_tests
            || is_outside
            || self.name.is_some()
            || self.has("if suppose why how write skip not without no untested fixture fixtures")
            || self.has(USES) && !self.has("need needed") && !(self.has("import") && self.has("fail fails"))
        {
            return None;
        }
        let (changes, what) = (self.changes(), self.first());
        let is_of_have =
            self.has("have has had lack lacks") && self.has("code changes functions function methods classes");
        if is_of_have && self.edit().is_some() && self.is_whether() {
            return Some(format!("are {changes} tested"));
        }
        let is_run = self.has(RUN) || self.has("command cmd") && self.has("pytest") && self.has(PEOPLE);
        // `do all tests run in ci` asks for a setting.
        if self.has("ci") && self.has("run runs") {
            return None;
        }
        let is_outcome = self.has(OUTCOME) || self.has("ci");
        // `run the tests` alone asks how.
        if !(is_run || is_outcome || self.is_of_own() && self.has("for"))
            || self.has("many add added new") && !is_outcome
        {
            return None;
        }
        if is_outcome && self.is_whether() {
            return Some(if self.has("pass passes passing green") {
                format!("will the tests still pass after {changes}")
            } else {
                format!("{} {changes} break any tests", self.do_changes())
            });
        }
        if is_outcome {
            return Some(format!("which tests {} {changes} break", self.do_changes()));
        }
        let is_whether = is_in("do should must need does am have", what) && !self.has("which what");
        Some(if self.has("command cmd commandline") || self.has("pytest") && !is_whether {
            format!("which tests should I run with pytest for {changes}")
        } else if is_whether {
            format!("should I run tests for {changes}")
        } else {
            format!("which tests should I run for {changes}")
        })
    }

    /// Which of the changed definitions have no test.
    fn untested(&self) -> Option<String> {
        let is_denied = self.has("untested uncovered")
            || self.has("not no without lack lacks") && self.has("test tests tested covered coverage");
        let is_asked = is_denied && self.edit().is_some() && self.is_of_own() && self.name.is_none();
        if !is_asked
            || self.has("if suppose why how run write")
            || !is_in("which what list show are is any", self.first())
        {
            return None;
        }
        Some(format!("which of {} are not tested", self.changes()))
    }

    /// Who uses what has changed: `which modules depend on what I deleted`.
    fn uses(&self) -> Option<String> {
        let of_old = self.has("old") && self.has("name names signature way path");
        if of_old && self.name.is_none() && (self.has(USES) || self.has("where")) && !self.has("if suppose") {
            return Some(format!("what {} {} break", self.do_changes(), self.changes()));
        }
        let (uses, edit) = (self.at(USES)?, self.edit()?);
        let is_past = self.has(PAST) || self.has(PEOPLE);
        if self.name.is_some()
            || !is_past
            || self.has("if suppose would could should why when how did") && !self.has(PEOPLE)
            || self.has("run must")
        {
            return None;
        }
        let edited_at = self.at(match edit {
            "add" => ADDED,
            "remove" => REMOVED,
            "rename" => RENAMED,
            "move" => MOVED,
            _ => CHANGED,
        })?;
        // `is there a file I deleted that is still imported`
        let subject = if edited_at < uses { None } else { self.thing(0, uses) };
        let object = if edited_at < uses { self.thing(0, uses) } else { self.thing(uses, self.words.len()) };
        let object = match object {
            Some("files" | "modules") => "modules",
            Some(object @ ("functions" | "methods" | "classes")) => object,
            _ => "definitions",
        };
        let verb = if self.has("import imports imported importing") { "import" } else { "use" };
        let (edited, place) = (self.edited(), self.place());
        Some(match subject {
            _ if self.is_whether() => format!("does anything {verb} the {object} I {edited}{place}"),
            Some(subject) => format!("which {subject} {verb} the {object} I {edited}{place}"),
            None => format!("who {verb}s the {object} I {edited}{place}"),
        })
    }

    /// Whether everything was adapted to a change, and what was not.
    fn repair(&self) -> Option<String> {
        if self.name.is_some() || !self.has(REPAIR) || self.has("if suppose would could when stage commit push") {
            return None;
        }
        let of_uses = self.has("caller callers call calls use uses user users usage usages place places spot spots reference references import imports importer importers site sites callsites leftover leftovers everywhere everything");
        let has_edit = self.edit().is_some();
        if !(of_uses || has_edit)
            || !(self.is_of_own() || has_edit || self.has("there"))
            || self.has("test tests doc docs documentation changelog")
        {
            return None;
        }
        let changes = self.changes();
        let is_whole = self.has("all every everything everywhere complete completed finished");
        let of_misses = self
            .has("miss missed forget forgot forgotten overlook overlooked leftover leftovers stale outdated dangling");
        let does = self.do_changes();
        Some(match () {
            () if self.is_whether() && is_whole && !of_misses => {
                format!("is {changes} safe").replace("is my changes", "are my changes")
            }
            () if self.is_whether() => format!("{does} {changes} break anything"),
            () if is_in("which what where list show how", self.first()) && of_misses => {
                format!("what {does} {changes} break")
            }
            () => return None,
        })
    }

    /// The damage of the change, with no name in the question.
    fn damage(&self) -> Option<String> {
        let of_work = self.has("work works working") && self.has("everything all") && self.is_whether();
        if of_work && self.name.is_none() && !self.has("if suppose would could") {
            return Some(format!("is {} safe", self.changes()).replace("is my changes", "are my changes"));
        }
        let is_damage = self.has(DAMAGE)
            || self.has(REPAIR) && self.has("i we my our needs need must left")
            || self.has("affected affect affects") && self.edit().is_some();
        let of_review = self.has("review") && self.has("should must need") && self.has(PEOPLE);
        if of_review && self.name.is_none() && !self.has("if suppose why when") {
            return Some(format!("review {}", self.changes()));
        }
        if !is_damage || self.name.is_some() || self.has("if suppose would could once") || self.has("test tests") {
            return None;
        }
        let edit = self.edit().filter(|edit| *edit != "change");
        let is_bare = self.words.len() <= 6;
        if !(self.is_of_own() || self.edit().is_some() || is_bare) {
            return None;
        }
        let does = self.do_changes();
        let (changes, place) = (self.changes(), self.place());
        let is_whether = self.is_whether();
        if matches!(edit, Some("remove" | "rename" | "move")) {
            let edited = self.edited();
            let verb = if is_whether { "does anything break" } else { "what breaks" };
            return Some(format!("{verb} because of the definitions I {edited}{place}"));
        }
        let end = self.words.len();
        Some(match self.thing(0, end) {
            // `is it complete, or did I miss a place` has no single yes.
            _ if self.has("complete completed finished") && self.has("or") => format!("what {does} {changes} break"),
            _ if is_whether => format!("{does} {changes} break anything"),
            Some(thing @ ("files" | "modules" | "functions" | "methods" | "classes"))
                if is_in("which what how list show", self.first()) =>
            {
                format!("which {thing} {does} {changes} break")
            }
            _ => format!("what {does} {changes} break"),
        })
    }

    /// The edits themselves: changed, added, removed, renamed or moved.
    fn edits(&self) -> Option<String> {
        let is_denied = self.has("not") && self.state != AskedState::Unstaged && self.state != AskedState::Uncommitted;
        let has_parts = self.is_whether() && self.has("have has") && (self.has("all") || !self.has(PEOPLE));
        if self.has(NOT_OF_EDITS) || has_parts || is_denied || self.has("how") && !self.has("many") || self.has(DAMAGE)
        {
            return None;
        }
        let of_commit = self.has("commit") && !matches!(self.state, AskedState::LastCommit | AskedState::Uncommitted);
        // The history compares the last commit by itself.
        if of_commit || self.state == AskedState::LastCommit && !self.has(PEOPLE) {
            return None;
        }
        let is_stated = matches!(self.state, AskedState::Staged | AskedState::Unstaged | AskedState::Uncommitted);
        let what = self.first();
        let edit = match self.edit() {
            Some(edit) => edit,
            None if is_stated
                && (what == "what" && self.has("uncommitted unstaged staged")
                    || self.name.is_some()
                    || self.any_thing().is_some()) =>
            {
                "change"
            }
            None => return None,
        };
        let thing = self.any_thing();
        let of_code = self.has("code python py") && self.words.len() <= 6;
        let is_now =
            of_code || self.has("now here currently so") && self.has("changed modified different edited touched");
        let is_past = self.has(PAST)
            && (thing.is_some() || self.name.is_some() || self.words.len() == 3 && self.has("is are was") || is_now);
        if !(self.is_of_own() || is_past) {
            return None;
        }
        // `what is new` asks for the last release.
        if !self.is_of_own() && thing.is_none() && self.name.is_none() && self.has("new newly") {
            return None;
        }
        // Only files of Python are modules.
        let thing =
            if self.has("python py") && thing.is_none_or(|thing| thing == "files") { Some("modules") } else { thing };
        let place = self.place();
        let public = if self.has("public api") { "public " } else { "" };
        let tests = if thing.is_some_and(|thing| thing != "tests") && self.has("test tests") { "test " } else { "" };
        let whether = self.is_whether();
        let many = self.has("many");
        if let Some((at, name)) = &self.name {
            let is_like_code = name.contains(['_', '.', '/', '`']) || name.chars().any(char::is_uppercase);
            if !is_like_code {
                return None;
            }
            let before = at.checked_sub(1).map_or("", |before| self.words[before].0.as_str());
            let is_place = is_in("in inside within of to from with under below at", before) && before != "of";
            // `did I add a test for f` asks for no change of `f`.
            if thing == Some("tests") && is_in("for of", before) {
                return None;
            }
            return Some(match (whether, is_place, thing) {
                // `what changed in f` may ask for its history: the answerer decides.
                _ if !self.is_of_own() && !whether => return None,
                (true, true, Some(thing)) => format!("did I {edit} any {public}{thing} in {name}{place}"),
                (true, true, None) => format!("did I {edit} anything in {name}{place}"),
                (true, false, _) => format!("did I {edit} {name}{place}"),
                (false, _, Some(thing)) if is_place => format!("which {public}{thing} did I {edit} in {name}{place}"),
                (false, true, _) => format!("what did I {edit} in {name}{place}"),
                (false, false, _) => format!("how did I {edit} {name}{place}"),
            });
        }
        if self.has("source production") && matches!(thing, None | Some("files" | "modules")) && edit == "change" {
            let what = if whether { "did I change anything" } else { "which definitions did I change" };
            return Some(format!("{what} outside of tests{place}"));
        }
        Some(match thing {
            Some("tests") if whether => format!("did I {edit} any tests{place}"),
            Some("tests") if many => format!("how many tests did I {edit}{place}"),
            Some(thing) if whether => format!("did I {edit} any {public}{tests}{thing}{place}"),
            Some(thing) if many => format!("how many {public}{tests}{thing} did I {edit}{place}"),
            Some(thing) => format!("which {public}{tests}{thing} did I {edit}{place}"),
            None if whether => format!("did I {edit} anything{place}"),
            None if !public.is_empty() => format!("which public definitions did I {edit}{place}"),
            None => format!("what did I {edit}{place}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_question_are_found_in_any_order() {
        for (text, wanted) in [
            ("list my modified files", "which files did I change"),
            ("list deleted files", "which files did I remove"),
            ("which files are renamed?", "which files did I rename"),
            ("how many files are staged?", "how many files did I change in my staged changes"),
            ("did the branch rename any functions?", "did I rename any functions on this branch"),
            ("did this branch change termui.py?", "did I change termui.py on this branch"),
            ("what is modified?", "what did I change"),
            ("what changed today", "what did I change today"),
            ("list new functions", "which functions did I add"),
            ("which functions are gone", "which functions did I remove"),
            ("which function got a new parameter?", "which parameters did I add"),
            ("what's different now?", "what did I change"),
        ] {
            assert_eq!(in_other_words(text).as_deref(), Some(wanted), "{text}");
        }
    }

    #[test]
    fn tests_and_damage_are_asked_for_in_many_words() {
        for (text, wanted) in [
            ("which tests are worth running?", "which tests should I run for my changes"),
            ("do I need to run the tests?", "should I run tests for my changes"),
            ("will the tests still pass?", "will the tests still pass after my changes"),
            ("do I need to run the whole test suite?", "should I run all tests for my changes"),
            ("do my staged changes need all tests?", "should I run all tests for my staged changes"),
            ("give me the pytest command for my changes", "which tests should I run with pytest for my changes"),
            ("what should I rerun?", "which tests should I run for my changes"),
            ("which tests would catch a bug in my branch?", "which tests should I run for my branch"),
            ("do any tests fail to import now?", "do my changes break any tests"),
            ("which source files did I modify?", "which definitions did I change outside of tests"),
            ("which tests will fail?", "which tests do my changes break"),
            ("where is the old name still used?", "what do my changes break"),
            ("which of my new functions are untested?", "which of my changes are not tested"),
            ("is everything still working?", "are my changes safe"),
            ("what do my deletions break", "what breaks because of the definitions I removed"),
            ("which files must I fix", "which files do my changes break"),
            ("which callers did I miss after the rename?", "what do my changes break"),
            ("did I update all callers of the renamed functions?", "are my changes safe"),
            ("does my new code have tests?", "are my changes tested"),
            ("do any existing tests need to change?", "must any tests be updated for my changes"),
            ("which tests must be changed?", "which tests do my changes break"),
            ("should any tests be updated?", "must any tests be updated for my changes"),
            ("write a commit message for my changes", "what will I commit"),
            ("is my commit complete or did I miss a place?", "what does my last commit break"),
            ("which tests break because of the commit", "which tests does my last commit break"),
        ] {
            assert_eq!(in_other_words(text).as_deref(), Some(wanted), "{text}");
        }
    }

    #[test]
    fn other_questions_stay_as_they_are() {
        for text in [
            "what changed?",
            "what's new?",
            "what changed in cart.py?",
            "who calls push?",
            "which functions are tested?",
            "do all tests run in ci?",
            "do all tests need a fixture?",
            "what is in the index?",
            "list all functions",
            "how do I run the tests?",
            "what breaks if I change it?",
            "which tests cover total?",
            "what can I change?",
            "do all my new functions have docstrings",
            "did I change cookie handling",
            "who calls fail",
            "show me the callers of fail",
            "how many definitions of index are there?",
        ] {
            assert_eq!(in_other_words(text), None, "{text}");
        }
    }
}
