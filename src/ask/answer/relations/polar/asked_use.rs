//! Reads whether, or where, something is used inside of something else: `is A used by B`, `do we call A in B`.
//!
//! Only the words count here. Each form of such a question is one function over the words ahead.

use crate::{
    ask::{
        answer::relations::worded,
        reading::{
            relations::noun_of,
            words::{QuestionWord, Shape, is_in, is_stop_word},
        },
    },
    model::{RelationshipKind, conventions::standard_library::is_called_builtin},
};

/// Words around a name that say only what it is.
const AROUND: &str = "a an attribute both class classes constant decorator either exception fixture function functions method \
     methods module modules package property the variable";
/// Words that change nothing about where a use stands.
const ADVERBS: &str = "actually already also anywhere at all currently directly else ever even exactly itself now precisely really \
     somewhere still too";
/// Words for things in general, none of which is the name behind `which`.
const THINGS: &str = "argument arguments builtin builtins call calls code data error errors file files folder folders keyword keywords \
     libraries library name names package packages parameter parameters statement statements thing things type types value values \
     version versions way ways";
const INSIDE: &str = "in inside of within";
/// Those who use something where a question names only the place.
const ANYBODY: &str = "anybody anyone anything code i it one people somebody someone something they we you";
/// Quantities before the parts of a place.
const SOME: &str = "a any one some";
/// Parts of a definition or file, which stand for all of it.
const PARTS: &str = "bit bits code line lines part parts piece pieces place places section sections spot spots";
/// Definitions that are parts too. Which of them use something is asked of sets, where no `in` stands before.
const HOLDERS: &str = "class classes file files function functions member members method methods module modules";
/// Words at the end by which a statement asks for yes or no.
const TAGS: [&str; 18] = [
    "am i right",
    "correct",
    "does it",
    "does it not",
    "doesn't it",
    "don't they",
    "is it",
    "is it not",
    "is that correct",
    "is that right",
    "is that so",
    "is that true",
    "isn't it",
    "no",
    "or not",
    "right",
    "true",
    "yes",
];
/// Words before a statement that ask for the same.
const HEADS: [&str; 7] = [
    "am i right that",
    "is it correct that",
    "is it right that",
    "is it so that",
    "is it the case that",
    "is it true that",
    "so",
];

/// Whether something is used inside of something else, as a question asks it.
pub(super) struct AskedUse<'q> {
    pub used: Vec<&'q QuestionWord>,
    pub users: Vec<&'q QuestionWord>,
    pub verb: Option<RelationshipKind>,
    /// The verb of the question, passive: `called`.
    pub done: &'static str,
    /// Yes or no is asked for, not the places.
    pub is_whether: bool,
    pub is_denied: bool,
    /// `does a call b`: each of several names may be told apart by the way to it.
    pub is_of_ways: bool,
    /// `which a does b call`: which of the definitions of one name is asked for.
    pub is_which: bool,
}

/// The ways to ask for a use; the first that fits counts.
const FORMS: [for<'q> fn(WordsAhead<'q>) -> Option<AskedUse<'q>>; 7] =
    [which_of, used_by, does_use, anything_inside, ours, place_first, statement];

type Verb = (Option<RelationshipKind>, &'static str);

/// The relationship that a participle speaks of, and the word for it.
fn passive(word: &str) -> Option<Verb> {
    use RelationshipKind as K;
    let of = |verb: K| Some((Some(verb), worded(Some(verb)).1));
    match word {
        "called" | "invoked" | "executed" => of(K::Calls),
        "created" | "instantiated" | "constructed" => Some((Some(K::Calls), "created")),
        "imported" => of(K::Imports),
        "read" => of(K::Reads),
        "written" | "set" | "assigned" | "modified" | "mutated" => of(K::Writes),
        "raised" | "thrown" => of(K::Raises),
        "tested" | "covered" | "exercised" => Some((None, "tested")),
        "used" | "referenced" | "needed" | "accessed" | "required" => Some((None, "used")),
        _ => None,
    }
}

/// The same for a verb in another form: `call` behind `does A`, `calls` behind `A`, `calling` behind `are we`.
fn active(word: &str) -> Option<Verb> {
    let stem = word.strip_suffix("ing").or_else(|| word.strip_suffix('s')).unwrap_or(word);
    match stem {
        "call" | "invok" | "invoke" => passive("called"),
        "creat" | "create" | "instantiat" | "instantiate" | "construct" => passive("created"),
        "import" => passive("imported"),
        "rais" | "raise" | "throw" => passive("raised"),
        "us" | "use" | "referenc" | "reference" | "need" | "acces" | "access" => passive("used"),
        _ => None,
    }
}

/// The rest of a question behind what was read.
#[derive(Clone)]
struct WordsAhead<'q> {
    words: Vec<&'q QuestionWord>,
    lower: Vec<String>,
    /// Words that name something, whatever they mean elsewhere: `define`.
    names: &'q [&'q str],
    at: usize,
}

impl<'q> WordsAhead<'q> {
    fn word(&self) -> &str {
        self.lower.get(self.at).map_or("", String::as_str)
    }

    /// Steps over one of the words.
    fn take(&mut self, list: &str) -> Option<()> {
        is_in(list, self.word()).then(|| self.at += 1)
    }

    /// Steps over adverbs; whether a denial is among them.
    fn adverbs(&mut self) -> bool {
        let mut is_denied = false;
        loop {
            let is_denial = is_in("not never", self.word());
            if !is_denial && !is_in(ADVERBS, self.word()) {
                return is_denied;
            }
            is_denied |= is_denial;
            self.at += 1;
        }
    }

    fn participle(&mut self) -> Option<Verb> {
        let verb = passive(self.word())?;
        self.at += 1;
        Some(verb)
    }

    fn verb(&mut self) -> Option<Verb> {
        if is_in("make makes making", self.word())
            && self.lower[self.at + 1..].starts_with(&["use".into(), "of".into()])
        {
            self.at += 3;
            return passive("used");
        }
        let verb = active(self.word())?;
        self.at += 1;
        Some(verb)
    }

    /// The names of a phrase such as `the class A or B`.
    fn names(&mut self) -> Option<Vec<&'q QuestionWord>> {
        let mut names = Vec::new();
        loop {
            while is_in(AROUND, self.word()) && self.words[self.at].shape == Shape::Plain {
                self.at += 1;
            }
            let name = *self.words.get(self.at)?;
            let is_known = self.names.contains(&name.text.as_str()) || is_called_builtin(&name.text);
            let is_plain = name.shape == Shape::Plain && !is_known;
            if name.is_possessive || is_plain && is_stop_word(&name.lower()) {
                return None;
            }
            names.push(name);
            self.at += 1;
            // `the Cart class`
            while is_in(AROUND, self.word()) {
                self.at += 1;
            }
            if self.take("and or").is_none() {
                return Some(names);
            }
        }
    }

    /// Steps over adverbs at the end; a further condition is read elsewhere.
    fn end(&mut self) -> Option<()> {
        self.adverbs();
        (self.at == self.words.len()).then_some(())
    }
}

impl<'q> AskedUse<'q> {
    /// Reads the question; `None` for other ones.
    pub(super) fn of(words: &'q [QuestionWord], names: &'q [&'q str]) -> Option<Self> {
        let words: Vec<&QuestionWord> = words.iter().collect();
        let lower = words.iter().map(|word| word.lower()).collect();
        let whole = WordsAhead { words, lower, names, at: 0 };
        FORMS.iter().find_map(|form| form(whole.clone()))
    }

    /// The beginnings of the sentences that say that it is used so, and that it is not.
    pub(super) fn yes_and_no(&self) -> (&'static str, &'static str) {
        match (self.is_whether, self.is_denied) {
            (false, _) => ("", ""),
            (true, false) => ("yes: ", "no: "),
            (true, true) => ("no: ", "yes: "),
        }
    }
}

/// `which A does B call`, `which A is called in B`, `which definition of A does B use`.
fn which_of(mut at: WordsAhead<'_>) -> Option<AskedUse<'_>> {
    at.take("what which")?;
    if at.take("definition implementation one version").is_some() {
        at.take("of")?;
    }
    let mut ahead = at.clone();
    let used = match ahead.names() {
        Some(used) => {
            at = ahead;
            used
        }
        // `which run does main call`: an everyday word in the place of a name.
        None => {
            let word = *at.words.get(at.at)?;
            at.at += 1;
            vec![word]
        }
    };
    let is_thing = |word: &str| noun_of(word).is_some() || is_in(AROUND, word) || is_in(THINGS, word);
    if used.len() != 1 || is_thing(&used[0].lower()) {
        return None;
    }
    let (users, (verb, done)) = if at.take("does do did").is_some() {
        let users = at.names()?;
        at.adverbs();
        (users, at.verb()?)
    } else {
        at.take("is are was gets")?;
        at.adverbs();
        let verb = at.participle()?;
        at.adverbs();
        at.take("by from in inside within")?;
        (at.names()?, verb)
    };
    at.end()?;
    Some(AskedUse { used, users, verb, done, is_whether: false, is_denied: false, is_of_ways: false, is_which: true })
}

/// `is A used by B`, `where is A called in B`, `is A needed for B`.
fn used_by(mut at: WordsAhead<'_>) -> Option<AskedUse<'_>> {
    let is_whether = at.take("where why").is_none();
    at.take("is are was were isn't aren't wasn't")?;
    let used = at.names()?;
    let is_denied = at.adverbs();
    let (verb, done) = at.participle()?;
    at.adverbs();
    let has_file = |at: &WordsAhead<'_>| at.words[at.at..].iter().any(|word| word.shape == Shape::Path);
    // Where something is raised in a file has an answer of its own.
    if verb == Some(RelationshipKind::Raises) && has_file(&at) {
        return None;
    }
    if at.word() == "for" && done != "used" {
        return None;
    }
    at.take("by for from in inside of within")?;
    at.take("of");
    // `by anything in B`
    let mut inside = at.clone();
    let is_inside = parts(&mut inside, true).and_then(|()| inside.take(INSIDE)).is_some();
    let at = if is_inside { &mut inside } else { &mut at };
    let users = at.names()?;
    at.end()?;
    Some(AskedUse { used, users, verb, done, is_whether, is_denied, is_of_ways: false, is_which: false })
}

/// `does B use A`, `where does B call A`, `why does B call A`.
fn does_use(mut at: WordsAhead<'_>) -> Option<AskedUse<'_>> {
    let is_whether = at.take("where why").is_none();
    at.take("does do did doesn't don't")?;
    let users = at.names()?;
    let is_denied = at.adverbs();
    // A function that raises something has an answer of its own, which tells the condition.
    let (verb, done) = at.verb().filter(|(verb, _)| *verb != Some(RelationshipKind::Raises))?;
    let used = at.names()?;
    at.end()?;
    let is_of_ways = is_whether && used.len() + users.len() > 2;
    Some(AskedUse { used, users, verb, done, is_whether, is_denied, is_of_ways, is_which: false })
}

/// `does anything in B use A`, `do any of the methods of B call A`, `is there any code in B that uses A`.
fn anything_inside(mut at: WordsAhead<'_>) -> Option<AskedUse<'_>> {
    let mut is_denied = is_in("doesn't don't isn't", at.word());
    let is_there = at.take("is are isn't").is_some();
    at.take(if is_there { "there" } else { "does do did doesn't don't" })?;
    is_denied |= at.word() == "nothing";
    parts(&mut at, true)?;
    at.take(INSIDE)?;
    let users = at.names()?;
    if is_there {
        at.take("that which")?;
    }
    let is_denied = at.adverbs() || is_denied;
    let (verb, done) = at.verb()?;
    let used = at.names()?;
    at.end()?;
    Some(AskedUse { used, users, verb, done, is_whether: true, is_denied, is_of_ways: false, is_which: false })
}

/// Steps over the parts of a place: `anything`, `any part`, `some of the lines`.
fn parts(at: &mut WordsAhead<'_>, may_hold: bool) -> Option<()> {
    if at.take("anything code nothing something").is_some() {
        return Some(());
    }
    if at.take(SOME).is_some() && at.take("of").is_some() {
        at.take("its the");
    }
    while at.take("other single").is_some() {}
    at.take(PARTS).or_else(|| if may_hold { at.take(HOLDERS) } else { None })
}

/// `do we use A in B`, `where do we call A in B`, `are we using A inside B`.
fn ours(mut at: WordsAhead<'_>) -> Option<AskedUse<'_>> {
    let is_whether = at.take("where").is_none();
    at.take("does do did doesn't don't is are am isn't aren't")?;
    at.take(ANYBODY)?;
    let is_denied = at.adverbs();
    let (verb, done) = at.verb()?;
    let used = at.names()?;
    at.adverbs();
    at.take("from in inside within")?;
    at.take("of");
    let users = at.names()?;
    at.end()?;
    Some(AskedUse { used, users, verb, done, is_whether, is_denied, is_of_ways: false, is_which: false })
}

/// `where in B is A called`, `which part of B calls A`, `in which methods of B do we use A`.
fn place_first(mut at: WordsAhead<'_>) -> Option<AskedUse<'_>> {
    if at.take("where").is_some() {
        at.adverbs();
    } else {
        let is_led = at.take("at from in inside within").is_some();
        at.take("what which")?;
        // `what in B uses A`
        if is_led || at.word() != "in" {
            parts(&mut at, is_led)?;
        }
    }
    at.take(INSIDE)?;
    let users = at.names()?;
    let (used, (verb, done)) = if at.take("is are was were").is_some() {
        let used = at.names()?;
        at.adverbs();
        (used, at.participle()?)
    } else {
        if at.take("does do did").is_some() {
            at.take(ANYBODY)?;
        }
        at.adverbs();
        let verb = at.verb()?;
        (at.names()?, verb)
    };
    at.end()?;
    Some(AskedUse { used, users, verb, done, is_whether: false, is_denied: false, is_of_ways: false, is_which: false })
}

/// `B uses A, right?`, `is it true that A is called by B`, `B never calls A, correct?`.
fn statement(mut at: WordsAhead<'_>) -> Option<AskedUse<'_>> {
    let joined = at.lower.join(" ");
    let length = |text: &str| text.split(' ').count();
    let head = HEADS.iter().find(|head| joined.starts_with(&format!("{head} ")));
    let tag = TAGS.iter().filter(|tag| joined.ends_with(&format!(" {tag}"))).max_by_key(|tag| tag.len());
    if head.is_none_or(|head| *head == "so") && tag.is_none() {
        return None;
    }
    let end = at.words.len() - tag.map_or(0, |tag| length(tag));
    at.words.truncate(end);
    at.lower.truncate(end);
    at.at = head.map_or(0, |head| length(head));
    let first = at.names()?;
    let mut is_denied = is_in("doesn't don't isn't aren't", at.word());
    let is_passive = at.take("is are isn't aren't").is_some();
    at.take("does do doesn't don't");
    is_denied |= at.adverbs();
    let (verb, done) = if is_passive { at.participle()? } else { at.verb()? };
    at.adverbs();
    if is_passive {
        at.take("by from in inside within")?;
    }
    let second = at.names()?;
    at.end()?;
    let (used, users) = if is_passive { (first, second) } else { (second, first) };
    Some(AskedUse { used, users, verb, done, is_whether: true, is_denied, is_of_ways: false, is_which: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::reading::words::ParsedQuestion;

    #[test]
    fn a_use_inside_of_something_is_read_in_every_form() {
        for (question, wanted) in [
            ("is a_b used by C.d?", "a_b used C.d ?"),
            ("where is a_b called in C.d", "a_b called C.d"),
            ("is a_b needed for C.d?", "a_b used C.d ?"),
            ("where in C.d do we raise a_b?", "a_b raised C.d"),
            ("is a_b called for C.d?", ""),
            ("does C.d use a_b", "a_b used C.d ?"),
            ("does a.py depend on b.py", ""),
            ("does a_b depend on C.d", ""),
            ("does C.d make use of a_b", "a_b used C.d ?"),
            ("does anything in C.d use a_b", "a_b used C.d ?"),
            ("does any of the methods of C.d call a_b", "a_b called C.d ?"),
            ("is there anything in C.d that uses a_b", "a_b used C.d ?"),
            ("does nothing in C.d use a_b", "a_b used C.d !"),
            ("is a_b used by anything in C.d", "a_b used C.d ?"),
            ("what in C.d uses a_b", "a_b used C.d"),
            ("does anything inside app.py import a_b", "a_b imported app.py ?"),
            ("doesn't anything in C.d use a_b", "a_b used C.d !"),
            ("do we use a_b in C.d", "a_b used C.d ?"),
            ("are we still calling a_b inside of C.d", "a_b called C.d ?"),
            ("where do we use a_b in C.d", "a_b used C.d"),
            ("where in C.d is a_b called", "a_b called C.d"),
            ("where exactly in C.d do we use a_b", "a_b used C.d"),
            ("which part of C.d calls a_b", "a_b called C.d"),
            ("in which methods of C.d is a_b used", "a_b used C.d"),
            ("which methods of C.d use a_b", ""),
            ("C.d uses a_b, right?", "a_b used C.d ?"),
            ("so C.d doesn't call a_b, does it?", "a_b called C.d !"),
            ("is it true that a_b is used in C.d", "a_b used C.d ?"),
            ("which a_b does C.d call", "a_b called C.d which"),
            ("which a_b is called in C.d?", "a_b called C.d which"),
            ("which definition of a_b is used by C.d", "a_b used C.d which"),
            ("which functions does C.d call", ""),
            ("which functions are called by C.d", ""),
            ("why does C.d call a_b", "a_b called C.d"),
            ("C.d uses a_b", ""),
            ("does C.d use a_b if x", ""),
        ] {
            let parsed = ParsedQuestion::parse(question);
            let found = AskedUse::of(&parsed.words, &[]).map_or(String::new(), |asked| {
                let mark = match (asked.is_whether, asked.is_denied) {
                    (false, _) if asked.is_which => " which",
                    (false, _) => "",
                    (true, false) => " ?",
                    (true, true) => " !",
                };
                format!("{} {} {}{mark}", asked.used[0].text, asked.done, asked.users[0].text)
            });
            assert_eq!(found, wanted, "{question}");
        }
    }
}
