//! Reads questions for what depends on a definition as one shape: who is meant, how it depends, on what, and how far.
//! `which public methods in a.py are affected within two steps by changing f`.
//!
//! Every word has to be read, so no condition is dropped. A question without conditions is left to other readings.

mod clauses;
pub(super) mod names;

use self::clauses::{AskedSubject, Clause};
use crate::{
    ask::reading::{
        forms::patterns::number,
        relations::{DependentKind, DependentPlace, Distance, ReverseQuestion, ReverseWish},
        understand::reverse::names::{is_name, place_of, qualified, spelled},
        words::is_in,
    },
    store::{Store, error::StoreError},
};

/// Questions with more words tell a story.
const LONGEST_QUESTION: usize = 26;
/// Verbs for a change, in all forms.
const CHANGES: &str = "adapt adapted adapting adjust adjusting alter altered altering alters change changed changes changing \
     delete deleted deletes deleting drop dropped dropping edit edited editing edits modified modifies modify modifying \
     move moved moving refactor refactored refactoring remove removed removes removing rename renamed renames renaming \
     replace replaced replacing rewrite rewriting rewritten touch touched touching tweak tweaked tweaking update updated \
     updates updating";
/// Units of a distance.
const STEPS: &str = "call calls degree degrees hop hops layer layers level levels step steps";

/// How such a question is read.
pub(super) enum ReadAs {
    /// In another wording.
    Wording(String),
    /// As the question in the wording, under conditions that no wording has.
    Limited(String, ReverseQuestion),
}

/// Reads a question for dependents; `None` for other ones and those that other readings understand.
pub(super) fn read_reverse(store: &Store, text: &str) -> Result<Option<ReadAs>, StoreError> {
    let words: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_end_matches([',', ';', ':', '?', '!']).trim_end_matches('.').trim_start_matches('('))
        .filter(|word| !word.is_empty())
        .collect();
    if !(3..=LONGEST_QUESTION).contains(&words.len()) || text.contains('\n') {
        return Ok(None);
    }
    if let Some(wording) = special(store, &words)? {
        return Ok(Some(ReadAs::Wording(wording)));
    }
    let words = with_change_behind(&words);
    let Some(clause) = Clause::read(store, &words)? else { return Ok(None) };
    outcome(store, clause)
}

/// The question with its leading clause behind it: `if I change f, which functions break`.
fn with_change_behind<'q>(words: &[&'q str]) -> Vec<&'q str> {
    const HEADS: &str = "which what what's who who's how is are does do would will can could";
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    if !is_in("if when suppose once assuming", &lower[0]) || !lower.iter().any(|word| is_in(CHANGES, word)) {
        return words.to_vec();
    }
    // Behind the clause of one name at least: `if f is changed, which ..`.
    let Some(head) = (3..words.len())
        .find(|at| is_in(HEADS, &lower[*at]) && !is_in(CHANGES, lower.get(at + 1).map_or("", String::as_str)))
    else {
        return words.to_vec();
    };
    let rest = words[head..].iter().filter(|word| !word.eq_ignore_ascii_case("then"));
    rest.chain(std::iter::once(&"if")).chain(&words[1..head]).copied().collect()
}

/// Wordings with a shape of their own: a way between two names, callers of callers, numbered levels.
fn special(store: &Store, words: &[&str]) -> Result<Option<String>, StoreError> {
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let mut bare: Vec<&str> = lower.iter().map(String::as_str).collect();
    // `who calls f, and who calls those?`
    if let ["who" | "what", "calls" | "uses" | "call", _, "and", rest @ ..] = bare.as_slice() {
        let is_second = matches!(
            rest,
            ["who" | "what", "calls" | "uses" | "call", "those" | "them" | "these" | "that" | "it"]
                | ["who" | "what", "calls" | "uses", "the" | "their" | "its", ..]
                | ["their" | "its", "callers"]
                | ["the", "callers", "of", ..]
        );
        if is_second && is_name(store, words[2])? {
            return Ok(Some(format!("callers of callers of `{}`", spelled(words[2]))));
        }
    }
    // `two levels of callers of f`, `callers of f, two levels deep`
    while bare.first().is_some_and(|word| is_in("show list give me find all the up to", word)) {
        bare.remove(0);
    }
    let levels = match bare.as_slice() {
        [many, unit, "of", "callers" | "dependents" | "users", "of", _] if is_in(STEPS, unit) => number(many),
        ["callers" | "dependents" | "users", "of", _, rest @ ..] => match rest {
            [many, unit] | [many, unit, "deep" | "up" | "away"] | ["up", "to", many, unit] if is_in(STEPS, unit) => {
                number(many)
            }
            _ => None,
        },
        _ => None,
    };
    if let Some(levels) = levels.filter(|levels| (1..20).contains(levels)) {
        let of = bare.iter().position(|word| *word == "of").unwrap_or_default();
        let at = if is_in(STEPS, bare[of - 1]) { of + 3 } else { of + 1 };
        let name = words[words.len() - bare.len() + at];
        if is_name(store, name)? {
            return Ok(Some(format!("who transitively calls `{}` within {levels} steps", spelled(name))));
        }
    }
    // `chain of callers from a to b`, `is there a path from a to b`
    let is_way = lower.iter().any(|word| is_in("chain chains path paths route way ways", word));
    let is_open = !lower.iter().any(|word| is_in("shortest longest all every import imports", word));
    if is_way && is_open {
        let ends = ends_of_way(&lower);
        if let Some((from, to)) = ends.filter(|(from, to)| from < to) {
            let (first, second) = (joined_member(store, &words[from..to])?, joined_member(store, &words[to + 1..])?);
            if let (Some(first), Some(second)) = (first, second) {
                let head = if is_in("is are does", &lower[0]) { "does" } else { "how does" };
                return Ok(Some(format!("{head} `{first}` reach `{second}`")));
            }
        }
    }
    // `is f reachable from g`
    if let ["is" | "are", _, rest @ ..] = lower.iter().map(String::as_str).collect::<Vec<_>>().as_slice()
        && let ["reachable" | "reached", "from" | "by" | "via", _] = rest
        && is_name(store, words[1])?
        && is_name(store, words[4])?
    {
        let from = spelled(words[4]);
        let from = names::module_called(store, &from, false)?.unwrap_or(from);
        return Ok(Some(format!("does `{from}` reach `{}`", spelled(words[1]))));
    }
    // `does f get called by g`
    if let ["does" | "do" | "did", _, "get" | "ever" | "gets", middle @ ..] =
        lower.iter().map(String::as_str).collect::<Vec<_>>().as_slice()
        && let ["called" | "used" | "invoked", "by" | "from" | "in", _]
        | ["get" | "gets", "called" | "used" | "invoked", "by" | "from" | "in", _] = middle
        && is_name(store, words[1])?
        && is_name(store, words[words.len() - 1])?
    {
        let verb = if middle.contains(&"used") { "use" } else { "call" };
        return Ok(Some(format!("does `{}` {verb} `{}`", spelled(words[words.len() - 1]), spelled(words[1]))));
    }
    Ok(None)
}

/// Where the first end of a way begins, and the word between both: `from A to B`, `between A and B`.
fn ends_of_way(lower: &[String]) -> Option<(usize, usize)> {
    let place = |word: &str| lower.iter().rposition(|known| known == word);
    let (head, joint) = match (place("from"), place("between")) {
        (Some(from), _) => (from, place("to")?),
        (None, Some(between)) => (between, place("and")?),
        (None, None) => return None,
    };
    let is_short = (2..=4).contains(&(joint - head.min(joint))) && (1..=3).contains(&(lower.len() - joint - 1));
    is_short.then_some((head + 1, joint))
}

/// The name that a few words are: `f`, `the function f`, `flow of C` for `C.flow`.
fn joined_member(store: &Store, words: &[&str]) -> Result<Option<String>, StoreError> {
    let mut words = words;
    while let [first, rest @ ..] = words
        && !rest.is_empty()
        && is_in("the function method class", &first.to_lowercase())
    {
        words = rest;
    }
    match words {
        // A common word is a name at the end of a way.
        [name] if is_name(store, &format!("`{}`", spelled(name)))? => {
            names::callable_called(store, &spelled(name)).map(Some)
        }
        [member, of, class] if of.eq_ignore_ascii_case("of") => {
            let name = format!("{}.{}", spelled(class), spelled(member));
            Ok(is_name(store, &name)?.then_some(name))
        }
        _ => Ok(None),
    }
}

/// The wording or the conditions that a clause amounts to.
fn outcome(store: &Store, clause: Clause) -> Result<Option<ReadAs>, StoreError> {
    let clause = Clause { is_closure: clause.is_closure || clause.is_indirect, ..clause };
    let object = match &clause.object_in {
        Some(place) => qualified(store, &clause.object, place)?,
        None => clause.object.clone(),
    };
    let is_own_place = object != clause.object;
    let object = match names::module_called(store, &object, clause.is_object_a_module)? {
        Some(module) => module,
        None => object,
    };
    // `f in FILE`: `f` stands there, or those do that use it.
    let is_qualified = object != clause.object;
    let is_own_place = clause.object_in.is_some() && is_own_place;
    let mut places = clause.places.clone();
    places.extend(clause.object_in.iter().filter(|_| !is_own_place).map(|name| (name.clone(), false)));
    let mut place = None;
    let mut in_tests = clause.in_tests;
    for (name, is_outside) in places {
        if is_in("test tests testcases", &name.to_lowercase()) {
            in_tests = Some(!is_outside);
            continue;
        }
        let Some(found) = place_of(store, &name, is_outside)? else { return Ok(None) };
        if place.replace(found).is_some() {
            return Ok(None);
        }
    }
    // What stands in tests are the tests.
    let is_of_tests = in_tests == Some(true) && clause.subject == AskedSubject::Kind(DependentKind::Any);
    let subject = if is_of_tests { AskedSubject::Kind(DependentKind::Test) } else { clause.subject.clone() };
    let in_tests = in_tests.filter(|_| !is_of_tests);
    let wording = |text: String| Ok(Some(ReadAs::Wording(text)));
    if clause.is_object_unknown {
        let says_more = clause.subject != AskedSubject::Kind(DependentKind::Any) || place.is_some();
        if !clause.is_closure || !says_more || names::is_of_library(store, &object)? {
            return Ok(None);
        }
        // Nothing is known of the dependents of a name that is not here.
        return wording(format!("what depends on `{object}`"));
    }
    let is_described = clause.is_async || clause.family.is_some() || clause.untold.is_some();
    let is_limited = is_described || place.is_some() || in_tests.is_some() || clause.distance.is_some();
    if let AskedSubject::Name(subject) = &subject {
        // Direct uses are understood elsewhere, and so is what a class or a module depends on.
        let is_understood = clause.is_of_dependence && !names::is_callable(store, &spelled(subject))?;
        if is_understood
            || is_limited
            || clause.is_public
            || !clause.is_closure
            || clause.wanted != ReverseWish::Whether
        {
            return Ok(None);
        }
        return wording(format!("does `{}` reach `{object}`", spelled(subject)));
    }
    let AskedSubject::Kind(kind) = subject else { return Ok(None) };
    let is_whether = clause.wanted == ReverseWish::Whether;
    let limits = |distance: Option<Distance>, place: Option<DependentPlace>, in_tests: Option<bool>| ReverseQuestion {
        wanted: clause.wanted,
        kind,
        is_public: clause.is_public,
        is_async: clause.is_async,
        family: clause.family.clone(),
        untold: clause.untold.clone(),
        place,
        in_tests,
        distance,
    };
    if matches!(clause.wanted, ReverseWish::Most | ReverseWish::Farthest) {
        let reverse = limits(None, place, in_tests);
        return Ok(Some(ReadAs::Limited(format!("what depends on `{object}`"), reverse)));
    }
    if !clause.is_closure {
        let noun = match kind {
            DependentKind::Class => "classes",
            DependentKind::Module => "modules",
            DependentKind::Any if clause.is_relation_a_noun && clause.is_direct && !is_limited && !is_whether => {
                return wording(format!("who calls `{object}`"));
            }
            _ => return Ok(None),
        };
        let is_plain = !is_limited && !clause.is_public && !is_whether && clause.has_kind_of_object;
        return if is_plain { wording(format!("which {noun} use `{object}`")) } else { Ok(None) };
    }
    let is_direct = clause.is_direct && !clause.is_indirect;
    let changing = match &*clause.change {
        "delete" | "deleted" | "deleting" | "remove" | "removed" | "removing" | "drop" | "dropped" | "dropping" => {
            "removing"
        }
        change if change.starts_with("renam") => "renaming",
        _ => "changing",
    };
    let is_gone = changing != "changing";
    let is_bare = !is_limited && !clause.is_public;
    match kind {
        DependentKind::Any if is_bare && !is_whether => {
            return match () {
                () if clause.is_indirect => wording(format!("who transitively uses `{object}`")),
                () if is_direct => wording(format!("who uses `{object}`")),
                () if clause.is_upstream => wording(format!("what reaches `{object}`")),
                () if (is_qualified || clause.is_relation_a_noun) && !is_gone => {
                    wording(format!("what depends on `{object}`"))
                }
                () => Ok(None),
            };
        }
        DependentKind::Any if is_bare => return Ok(None),
        // Those that reach it over others only.
        DependentKind::Test if is_bare && !is_whether && clause.is_indirect && !clause.is_either => {
            return wording(format!("which tests reach `{object}` indirectly"));
        }
        DependentKind::Test if is_bare && !is_whether => return wording(format!("which tests reach `{object}`")),
        DependentKind::Module
            if is_bare
                && !is_whether
                && clause.is_of_dependence
                && !clause.is_indirect
                && names::is_callable(store, &object)? =>
        {
            return wording(format!("which modules use `{object}`"));
        }
        // Imports are told without the closure, and so are the classes that name another one.
        DependentKind::Module | DependentKind::File | DependentKind::Class
            if is_bare && !is_whether && !clause.is_indirect && (clause.is_of_dependence || is_direct) =>
        {
            return Ok(None);
        }
        DependentKind::Module if is_bare && !is_whether => {
            return wording(format!("which modules are affected by {changing} `{object}`"));
        }
        DependentKind::File if is_bare && !is_whether => {
            return wording(format!("which files are affected by {changing} `{object}`"));
        }
        DependentKind::Class if is_bare && !is_whether && !clause.is_of_use => {
            return wording(format!("which classes are affected by {changing} `{object}`"));
        }
        DependentKind::Function if is_whether && clause.is_public && !is_limited => {
            return wording(format!("does any public function transitively call `{object}`"));
        }
        _ => {}
    }
    let distance = clause.distance.or(is_direct.then_some(Distance::AtMost(1)));
    let reverse = limits(distance, place, in_tests);
    Ok(Some(ReadAs::Limited(format!("what depends on `{object}`"), reverse)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::EntityKind::*, query::fixture::Fixture};

    fn read(text: &str) -> String {
        let mut fixture = Fixture::default();
        fixture.file("shop/cart.py", "shop.cart").entity(Class, "Cart", 1, 9).entity(Method, "Cart.total", 2, 3);
        fixture.entity(Function, "price", 11, 12);
        fixture.file("shop/main.py", "shop.main").entity(Function, "run", 1, 2);
        let store = fixture.store();
        match read_reverse(&store, text).expect("a store in memory") {
            None => "-".to_owned(),
            Some(ReadAs::Wording(wording)) => wording,
            Some(ReadAs::Limited(wording, limits)) => {
                let place = limits.place.as_ref().map(|place| (place.name.as_str(), place.is_outside));
                let (kind, wanted) = (limits.kind, limits.wanted);
                format!(
                    "{wording}: {wanted:?} {kind:?} public={} place={place:?} tests={:?} {:?}",
                    limits.is_public, limits.in_tests, limits.distance
                )
            }
        }
    }

    #[test]
    fn every_condition_of_a_question_is_read() {
        let limits = |text: &str| read(text).replace("what depends on `price`: ", "");
        assert_eq!(
            limits("which public methods in cart.py are affected by changing price?"),
            "Which Method public=true place=Some((\"cart.py\", false)) tests=None None"
        );
        assert_eq!(
            limits("does anything outside of shop.cart depend on price within two steps"),
            "Whether Any public=false place=Some((\"shop.cart\", true)) tests=None Some(AtMost(2))"
        );
        assert_eq!(
            limits("if I change price, which functions break but not in tests?"),
            "Which Function public=false place=None tests=Some(false) None"
        );
        assert_eq!(limits("which class uses price most"), "Most Class public=false place=None tests=None None");
        assert_eq!(
            limits("which functions are two calls away from price"),
            "Which Function public=false place=None tests=None Some(Exactly(2))"
        );
    }

    #[test]
    fn a_question_without_conditions_gets_a_plain_wording() {
        assert_eq!(read("is run affected by changing Cart.total?"), "does `run` reach `Cart.total`");
        assert_eq!(read("who is affected, directly or indirectly, by price"), "who transitively uses `price`");
        assert_eq!(read("who calls price, and who calls those?"), "callers of callers of `price`");
        assert_eq!(read("two levels of callers of price"), "who transitively calls `price` within 2 steps");
        assert_eq!(read("is there a path from run to price"), "does `run` reach `price`");
        assert_eq!(read("which modules break if I delete price"), "which modules are affected by removing `price`");
        assert_eq!(read("what does a change to price in cart.py affect"), "what depends on `shop.cart.price`");
        assert_eq!(read("which tests depend on price"), "which tests reach `price`");
    }

    #[test]
    fn other_questions_are_left_to_other_readings() {
        for text in [
            "who calls price",
            "what depends on price",
            "which functions call price in cart.py",
            "is price used by run",
            "what does price depend on",
            "which functions sing louder than price",
            "is a change to price safe",
            "",
        ] {
            assert_eq!(read(text), "-", "{text}");
        }
    }

    #[test]
    fn a_name_that_is_not_here_keeps_no_conditions() {
        assert_eq!(read("which functions in cart.py depend on no_such_name"), "what depends on `no_such_name`");
    }
}
