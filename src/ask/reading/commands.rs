//! The command that does the same as a question, for each reading of it.

use crate::{
    ask::reading::{
        filters::Ranking,
        forms::{Polarity, QuestionIntent as I, UsageDirection},
        plan::{PlannedFile, QuestionPlan, Understood},
        words::is_in,
    },
    model::EntityKind,
    query::{impact::walk::factors::Change, words::shell_word},
};

/// Files that a command names.
const MAX_FILES: usize = 3;
/// Paths to which a command limits its answer; with more, nobody would read it.
const MAX_PATHS: usize = 6;
/// Words among which a plural says of which kind a search is: `logging formatter classes`.
const MOST_BEFORE_KIND: usize = 5;

impl QuestionPlan {
    /// The command that asks the question again.
    pub fn ask_command(&self) -> String {
        format!("repoidx ask {}", shell_word(&self.question))
    }
}

impl Understood {
    /// The command that does the same as the question in its reading; empty where there is none.
    pub fn command(&self) -> String {
        let plan = &self.plan;
        let is_list = matches!(plan.intent, I::Usage | I::Handled | I::Hierarchy | I::Select | I::Text);
        if is_list && !plan.outside.is_empty() {
            // No command leaves files out.
            return plan.ask_command();
        }
        let names: Vec<String> = self.targets.iter().map(|target| target.main().full_name()).collect();
        let files = plan.files.iter().filter(|file| !file.paths.is_empty()).take(MAX_FILES);
        let files: Vec<String> = files
            .map(|file| match file.paths.as_slice() {
                [path] => path.clone(),
                _ => file.mention.clone(),
            })
            .collect();
        let unknown = plan.unknown.iter().map(|unknown| unknown.mention.clone());
        let texts = plan.literals.iter().map(|literal| literal.text.clone());
        // Names that the index knows say where to look; other names are texts.
        let named: Vec<String> = names.iter().cloned().chain(unknown).chain(files.iter().cloned()).collect();
        let targets = if names.is_empty() { &files } else { &names };
        let first = targets.first().map(|name| shell_word(name));
        let all = joined(targets);
        let with = |command: &str| first.as_ref().map_or_else(String::new, |name| format!("repoidx {command} {name}"));
        let again = |about: &[String]| match about {
            [] => String::new(),
            about => format!("repoidx ask --as {} {}", plan.intent.as_str(), joined(about)),
        };
        // A folder, or a name that several files share, is no target of a command.
        let are_targets = !names.is_empty() || plan.files.iter().all(|file| file.paths.len() < 2 && !file.is_folder);
        match plan.intent {
            I::Usage | I::Impact | I::Tests if !are_targets => again(&files),
            I::Show if names.len() > 1 => again(&names),
            I::Show | I::Explain | I::Edit => with("show"),
            I::Members if names.is_empty() => again(&files),
            I::Members => with("tree --members"),
            // Nothing derives from a method.
            I::Hierarchy if self.targets.first().is_some_and(|target| target.main().record.kind.is_callable()) => {
                String::new()
            }
            I::Hierarchy if self.asks_for_bases() => with("tree --up"),
            I::Hierarchy => match self.limits() {
                Some(limits) => with("tree") + &limits,
                None => plan.ask_command(),
            },
            I::Usage if self.direction == UsageDirection::Incoming && names.is_empty() => with("refs"),
            I::Usage if self.direction == UsageDirection::Incoming => match self.limits() {
                Some(limits) => with("refs") + &limits,
                None => format!("repoidx ask --as {} {}", plan.intent.as_str(), shell_word(&plan.question)),
            },
            I::Tests => first.map_or_else(String::new, |_| format!("repoidx impact {all} --tests")),
            I::Impact => first.map_or_else(String::new, |_| {
                let parameter =
                    self.taken.first().map_or_else(String::new, |name| format!(" --param {}", shell_word(name)));
                let change = match self.change {
                    Change::Body => String::new(),
                    change => format!(" --change {}", change.as_str()),
                };
                format!("repoidx impact {all}{parameter}{change}")
            }),
            I::Search => {
                let kinds: String = self.kinds().iter().map(|kind| format!(" --kind {kind}")).collect();
                let paths: Vec<String> = plan.files.iter().flat_map(PlannedFile::patterns).collect();
                let paths: String =
                    paths.iter().take(MAX_PATHS).map(|path| format!(" --in {}", shell_word(path))).collect();
                format!("repoidx search {}{kinds}{paths}", shell_word(&cut(&plan.question)))
            }
            I::Repository => "repoidx map".to_owned(),
            I::Documents => {
                let name = names.first().and_then(|name| name.rsplit('.').next()).unwrap_or(&self.search);
                format!("repoidx search {} --kind document", shell_word(&cut(name)))
            }
            I::Text => texts.take(1).map(|text| format!("git grep -nF {}", shell_word(&cut(&text)))).collect(),
            I::Todos => "git grep -nwE 'TODO|FIXME|XXX|HACK'".to_owned(),
            I::Handled => again(&self.exceptions),
            I::Select => self.listing(),
            I::Cycles | I::Packages | I::EntryPoints | I::Coverage | I::Files if named.is_empty() => {
                format!("repoidx ask --as {} {}", plan.intent.as_str(), "here")
            }
            I::Knowledge | I::Traceback | I::History | I::Changes => String::new(),
            _ => again(&named),
        }
    }

    /// The options that limit places to the files and tests of the question; `None` for too many files.
    fn limits(&self) -> Option<String> {
        let holds = |file: &&PlannedFile| self.targets.iter().any(|target| file.paths.contains(&target.main().path));
        let limiting = self.plan.files.iter().filter(|file| file.is_folder || !holds(file));
        let patterns: Vec<String> = limiting.flat_map(PlannedFile::patterns).collect();
        if patterns.len() > MAX_PATHS {
            return None;
        }
        let mut options: String = patterns.iter().map(|path| format!(" --in {}", shell_word(path))).collect();
        options += match self.plan.filters.in_tests() {
            Some(true) => " --tests only",
            Some(false) => " --tests none",
            None => "",
        };
        Some(options)
    }

    /// The command that lists the definitions that fit; a class's members have none.
    fn listing(&self) -> String {
        let filters = &self.plan.filters;
        let mut owners = self.owners().into_iter().flatten();
        let options =
            self.filter().options().filter(|_| owners.all(|owner| owner.main().record.kind == EntityKind::Module));
        let Some(options) = options else { return String::new() };
        let mut command = "repoidx search".to_owned();
        for (name, value) in options {
            command += &format!(" --{name} {}", shell_word(&value));
        }
        command += match filters.ranking() {
            Some(Ranking::Biggest) => " --sort size",
            Some(Ranking::MostUsed) => " --sort uses",
            Some(Ranking::MostComplex) => " --sort complexity",
            Some(Ranking::MostMembers) => " --sort members",
            // No option orders by the methods alone.
            Some(Ranking::MostMethods) => return self.plan.ask_command(),
            Some(Ranking::MostParameters) => " --sort parameters",
            Some(Ranking::MostSubclasses) => " --sort subclasses",
            None if filters.has("count") => " --count",
            None => "",
        };
        command
    }

    /// The wish behind the reading, in a few words.
    pub fn gloss(&self) -> &'static str {
        match self.plan.intent {
            I::Show | I::Explain | I::Edit => "its source",
            I::Signature => "its parameters",
            I::Members => "its members",
            I::Hierarchy => "its subclasses and bases",
            I::Compare => "side by side",
            I::Usage if self.direction == UsageDirection::Outgoing => "what it uses",
            I::Usage => "who uses it",
            I::Examples => "examples of its use",
            I::Documents => "where documents speak of it",
            I::Path => "how one reaches the other",
            I::Flow => "what it calls, step by step",
            I::Impact => "what a change breaks",
            I::Tests => "tests to run",
            I::Coverage => "what no test reaches",
            I::Files => "files of this name",
            I::Search => "nearest in meaning",
            I::Repository => "an outline of the repository",
            I::Select => "definitions that fit",
            I::Text => "where the text stands",
            I::Raised => "what it may raise",
            I::Handled => "who raises and catches it",
            I::Todos => "comments left to do",
            I::Packages => "packages from outside",
            I::Cycles => "import cycles",
            I::EntryPoints => "where the program begins",
            I::Knowledge | I::Traceback | I::History | I::Changes => "",
        }
    }

    /// Whether the answer hangs on all names of the question: `how do A and B work together`, `does A use B`.
    pub fn asks_of_several(&self) -> bool {
        let is_asked = |word: &String| matches!(word.as_str(), "are" | "did" | "do" | "does" | "how" | "is");
        self.plan.polarity == Polarity::Used
            || matches!(self.plan.intent, I::Compare | I::Path)
            || self.words.first().is_some_and(is_asked)
    }

    /// `is X dead` asks whether nothing uses it.
    pub fn asks_whether_unused(&self) -> bool {
        let is_denied = |pair: &[String]| {
            matches!(pair[0].as_str(), "never" | "not")
                && matches!(pair[1].as_str(), "used" | "called" | "imported" | "referenced" | "needed")
        };
        let is_by_none = |pair: &[String]| {
            matches!(pair[0].as_str(), "by" | "in" | "from")
                && matches!(pair[1].as_str(), "nobody" | "nothing" | "none" | "no" | "no-one" | "noone" | "nowhere")
        };
        self.words.iter().any(|word| matches!(word.as_str(), "dead" | "unused" | "obsolete" | "nowhere"))
            || self.words.windows(2).any(|pair| is_denied(pair) || is_by_none(pair))
    }

    /// The kinds of definitions that a search is for: `which class loads`, `the function that writes`. Empty for all.
    pub fn kinds(&self) -> Vec<EntityKind> {
        const ARTICLES: [&str; 5] = ["which", "what", "the", "a", "any"];
        let pairs = self.words.iter().zip(self.words.iter().skip(1));
        let nouns = pairs.filter(|(word, _)| ARTICLES.contains(&word.as_str())).map(|(_, noun)| noun.as_str());
        // `logging formatter classes`, `exception classes for timeouts`
        let asks_how = |word: &&String| is_in("how why when where who is are do does can", word);
        let head = if self.words.first().as_ref().is_some_and(asks_how) { 0 } else { MOST_BEFORE_KIND };
        let plurals = self.words.iter().take(head).map(String::as_str);
        let plurals = plurals.filter(|word| is_in("classes functions methods", word));
        let mut found = nouns.chain(plurals).filter_map(|noun| match noun {
            "class" | "classes" => Some(&[EntityKind::Class][..]),
            // In a hurry nobody tells a method from a function.
            "function" | "functions" | "method" | "methods" => {
                Some(&[EntityKind::Function, EntityKind::Method, EntityKind::Property])
            }
            _ => None,
        });
        found.next().unwrap_or_default().to_vec()
    }

    /// Whether tests are asked for, which the other words describe: `is there a test for digest auth`.
    pub fn asks_for_tests(&self) -> bool {
        let is_test = |word: &String| matches!(word.as_str(), "test" | "tests" | "testcase" | "testcases");
        let head: Vec<&str> = self.words.iter().take(2).map(String::as_str).collect();
        let is_asked = matches!(head.as_slice(), ["is" | "are", "there"] | ["how", "many"]);
        is_asked && self.words.iter().take(6).any(is_test)
    }

    /// `X inherits from what` asks for bases, `what inherits from X` and `which classes have X as base` for subclasses.
    pub fn asks_for_bases(&self) -> bool {
        let class = self.targets.iter().map(|target| &target.main().record).find(|r| r.kind == EntityKind::Class);
        let name = class.map(|record| record.name.to_lowercase()).unwrap_or_default();
        let word_at = |fits: &dyn Fn(&str) -> bool| self.words.iter().position(|word| fits(word));
        let class_at = word_at(&|word| word.rsplit('.').next() == Some(&name));
        let inherits_at =
            word_at(&|word| word.starts_with("inherit") || word.starts_with("deriv") || word == "extends");
        let asks = |word: &str| {
            "parent parents base bases superclass superclasses mro ancestor ancestors"
                .split(' ')
                .any(|known| known == word && known != name)
        };
        // `Cart - who derives from it`: the heirs come before the verb as a question word.
        let is_heir = |at: usize| matches!(self.words[at - 1].as_str(), "classes" | "that" | "what" | "which" | "who");
        let is_first = |(class, inherits): (usize, usize)| class < inherits && !is_heir(inherits);
        // `as a base class`
        let is_role = |at: usize| self.words[at.saturating_sub(3)..at].iter().any(|word| word == "as");
        let has_order = self.words.windows(2).any(|pair| pair[0] == "resolution" && pair[1] == "order");
        has_order || word_at(&asks).is_some_and(|at| !is_role(at)) || class_at.zip(inherits_at).is_some_and(is_first)
    }
}

fn joined(names: &[String]) -> String {
    names.iter().map(|name| shell_word(name)).collect::<Vec<_>>().join(" ")
}

/// A text in one short line.
fn cut(text: &str) -> String {
    const LONGEST: usize = 80;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.char_indices().nth(LONGEST).map_or(line.clone(), |(at, _)| line[..at].trim_end().to_owned())
}
