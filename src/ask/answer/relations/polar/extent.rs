//! How many users a question for yes or no asks for: `called only once`, `used in at most two files`, `imported by
//! every module`.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{AnswerInputs, ListRow, relations::polar::first_of},
        reading::{forms::patterns::number, plan::Understood, words::is_in},
    },
    query::{
        navigate::refs::ReferenceSite,
        target::{Target, likeliest::is_aside},
        words::count,
    },
    store::error::StoreError,
};

/// Words between a count and the verb, and behind it, that change nothing.
const AROUND: &str = "a an and any anywhere at by code codebase different distinct from here in is of or our places \
     repo repository the this total";

/// The thing that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ask::answer) enum Unit {
    Place,
    Function,
    Module,
}

/// The extent of the use that a question asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ask::answer) enum UseExtent {
    Count { least: usize, most: usize, unit: Unit },
    EveryModule,
}

/// The uses of one definition.
#[derive(Clone, Copy)]
pub(in crate::ask::answer) struct FoundUses<'u> {
    pub target: &'u Target,
    /// `called`, `imported`
    pub done: &'static str,
    /// The place to which the question limits them, in words behind a blank.
    pub place: &'u str,
    pub rows: &'u [ListRow],
    /// Unresolved occurrences that could be more.
    pub open: &'u [ReferenceSite],
}

/// The unit that a noun names.
fn unit_of(word: &str) -> Option<Unit> {
    Some(match word {
        "time" | "times" | "place" | "places" | "spot" | "spots" | "site" | "sites" | "line" | "lines" => Unit::Place,
        "function" | "functions" | "method" | "methods" | "caller" | "callers" => Unit::Function,
        "module" | "modules" | "file" | "files" => Unit::Module,
        _ => return None,
    })
}

impl UseExtent {
    /// The extent that the words state behind their verb.
    pub(in crate::ask::answer) fn of(understood: &Understood) -> Option<Self> {
        let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
        let is_whether = matches!(words.first(), Some(&("is" | "are" | "was" | "were" | "does" | "do" | "has")));
        let verb = words.iter().position(|word| {
            matches!(*word, "called" | "used" | "imported" | "raised" | "referenced" | "invoked" | "needed" | "read")
        })?;
        if !is_whether {
            return None;
        }
        let behind = &words[verb + 1..];
        Self::every(behind).or_else(|| Self::counted(&words, verb))
    }

    /// `by every module`, `in all the files`.
    fn every(behind: &[&str]) -> Option<Self> {
        let at = behind.iter().position(|word| matches!(*word, "every" | "each" | "all"))?;
        let (before, rest) = (&behind[..at], &behind[at + 1..]);
        let noun = rest.iter().position(|word| !matches!(*word, "the" | "our" | "other" | "single"))?;
        let is_noun = unit_of(rest[noun]) == Some(Unit::Module);
        let is_plain = before.iter().all(|word| is_in(AROUND, word));
        let ends = rest[noun + 1..].iter().all(|word| is_in(AROUND, word));
        (is_noun && is_plain && ends).then_some(Self::EveryModule)
    }

    /// `only once`, `at least 3 times`, `by more than one function`.
    fn counted(words: &[&str], verb: usize) -> Option<Self> {
        let once = |word: &str| match word {
            "once" => Some(1),
            "twice" => Some(2),
            "thrice" => Some(3),
            _ => None,
        };
        let (at, figure, unit, end) = (verb + 1..words.len()).find_map(|at| {
            if let Some(figure) = once(words[at]) {
                return Some((at, figure, Unit::Place, at + 1));
            }
            let figure = if words[at] == "single" { 1 } else { number(words[at])? };
            let noun = (at + 1..words.len().min(at + 4)).find(|at| unit_of(words[*at]).is_some())?;
            Some((at, figure as usize, unit_of(words[noun])?, noun + 1))
        })?;
        // Words before the figure that compare, as far as the verb or before it: `is only called once`.
        let before = words[1..at].iter().filter(|word| !matches!(**word, "called" | "used" | "imported"));
        let before = before.copied().collect::<Vec<_>>().join(" ");
        let behind = words[at + 1..].join(" ");
        let has = |list: &[&str]| list.iter().any(|known| format!(" {before} ").contains(&format!(" {known} ")));
        let is_denied = has(&["no", "not", "never"]);
        let (least, most) = if has(&["more than", "over", "above"]) {
            if is_denied { (0, figure) } else { (figure + 1, usize::MAX) }
        } else if has(&["less than", "fewer than", "under", "below"]) {
            if is_denied { (figure, usize::MAX) } else { (0, figure.saturating_sub(1)) }
        } else if has(&["at least"]) || behind.starts_with("or more") || behind.contains(" or more") {
            (figure, usize::MAX)
        } else if has(&["at most", "up to"]) || behind.contains("or less") || behind.contains("or fewer") {
            (0, figure)
        } else if is_denied {
            return None;
        } else {
            (figure, figure)
        };
        let is_comparing = |word: &&str| {
            is_in("above at exactly fewer just least less more most no not only over precisely than to under up", word)
        };
        let is_plain = |word: &&str| is_in(AROUND, word) || is_in("ever fewer less more only or", word);
        let between = words[verb + 1..at].iter().all(|word| is_in(AROUND, word) || is_comparing(word));
        let ends = words[end..].iter().all(is_plain);
        (between && ends).then_some(Self::Count { least, most, unit })
    }

    /// The sentence for one definition, and the modules that it lacks.
    pub(in crate::ask::answer) fn verdict(
        self,
        reading: AnswerInputs,
        uses: FoundUses<'_>,
        is_within: &dyn Fn(&str) -> bool,
    ) -> Result<(String, Vec<ListRow>), StoreError> {
        match self {
            Self::Count { least, most, unit } => Ok((counted(uses, (least, most), unit), Vec::new())),
            Self::EveryModule => everywhere(reading, uses, is_within),
        }
    }
}

/// Yes or no to a number of places, functions or modules.
fn counted(uses: FoundUses<'_>, (least, most): (usize, usize), unit: Unit) -> String {
    // An import alone is no use, unless imports are asked for.
    let counts = |kind: &str| uses.done != "used" || kind != "imports";
    let rows: Vec<&ListRow> = uses.rows.iter().filter(|row| counts(row.kind)).collect();
    let imports = uses.rows.len() - rows.len();
    let (figure, noun) = match unit {
        Unit::Place => (rows.len(), "place"),
        Unit::Function => (rows.iter().map(|row| &row.name).collect::<BTreeSet<_>>().len(), "function"),
        Unit::Module => (rows.iter().map(|row| &row.path).collect::<BTreeSet<_>>().len(), "module"),
    };
    let open = uses.open.len();
    let yes = if figure >= least && figure.saturating_add(open) <= most {
        "yes"
    } else if figure > most || figure + open < least {
        "no"
    } else {
        // `at least` holds whatever the unresolved occurrences are.
        if figure >= least && most == usize::MAX { "yes" } else { "perhaps" }
    };
    let asked = match (least, most) {
        (least, usize::MAX) => format!("at least {least}"),
        (least, most) if least == most => format!("exactly {most}"),
        (_, most) => format!("at most {most}"),
    };
    let more = match open {
        0 => String::new(),
        open => format!(", and {} could be more", count(open, "unresolved occurrence")),
    };
    let imports = match imports {
        0 => String::new(),
        all => format!(" besides {}", count(all, "import")),
    };
    let (name, done, place) = (uses.target.main().full_name(), uses.done, uses.place);
    let by = if unit == Unit::Function { "by" } else { "at" };
    let by = if unit == Unit::Module { "in" } else { by };
    format!("{yes}: `{name}` is {done} {by} {}{place}{imports}{more}; the question is for {asked}", count(figure, noun))
}

/// Yes or no to `by every module`: the modules of the program are meant, without the asked one.
fn everywhere(
    reading: AnswerInputs,
    uses: FoundUses<'_>,
    is_within: &dyn Fn(&str) -> bool,
) -> Result<(String, Vec<ListRow>), StoreError> {
    let own: BTreeSet<&str> = uses.target.entities.iter().map(|entity| entity.path.as_str()).collect();
    let used: BTreeSet<&str> = uses.rows.iter().map(|row| row.path.as_str()).collect();
    let could: BTreeSet<&str> = uses.open.iter().map(|site| site.path.as_str()).collect();
    let (mut all, mut lacking, mut open) = (0, Vec::new(), 0);
    for (id, file) in reading.store.files()? {
        let counts = file.path.ends_with(".py") && !file.is_test && !is_aside(&file.path);
        if !counts || own.contains(file.path.as_str()) || !is_within(&file.path) {
            continue;
        }
        all += 1;
        if !used.contains(file.path.as_str()) {
            open += usize::from(could.contains(file.path.as_str()));
            lacking.extend(reading.store.entities_of(id)?.first().map(ListRow::of));
        }
    }
    let (name, done, place) = (uses.target.main().full_name(), uses.done, uses.place);
    let modules = count(all, "other module");
    let headline = match (all, lacking.len()) {
        (0, _) => format!("there is no other module outside of tests{place} that could use `{name}`"),
        (_, 0) => format!("yes: `{name}` is {done} in each of {modules} outside of tests{place}"),
        (_, lacks) => {
            let said = if lacks == open { "perhaps" } else { "no" };
            format!(
                "{said}: `{name}` is {done} in {} of {modules} outside of tests{place}, and not in {}",
                all - lacks,
                first_of(lacking.iter().map(|row: &ListRow| row.path.clone()))
            )
        }
    };
    Ok((headline, lacking))
}
