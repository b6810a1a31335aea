//! Reads plain words as the one definition that has exactly these: `who uses the text area` asks for `TextArea`, `show
//! context invoke` for `Context.invoke`, and `go to table` for the class `Table`.
//!
//! A phrase is read so where a word of a lookup leads to it and it ends the question, or another such word follows. The
//! longest phrase is read first: as a name, then as a class with its member, then as a class.

mod classes;
mod definitions;
mod members;
mod own;

use crate::{
    ask::reading::words::{is_in, is_stop_word, is_thing_of_programs},
    store::{Store, error::StoreError},
};

/// Longer questions tell a story.
const LONGEST_QUESTION: usize = 16;
/// Words of a class and its member.
const MOST_WORDS: usize = 7;
/// Words right before a name.
const LEADS: &str = "a about an and are between by call called calling calls catch catches change changed \
     changing class compare construct constructs cover covers create creates creating define defines definition \
     delete deleting describe display do does drop dropping explain extend extends find for from function go goto \
     implement implements import imports in inherit inherited inherits instantiate instantiates instantiating \
     invoke invokes is locate me method modify modifying named need needs of on open or override overrides print \
     raise raises reach reaches read reads remove removing rename renaming return returns see show subclass \
     subclasses take takes test tests than the throw throws to touch use used uses using view was where where's wheres";
/// Words right behind a name.
const FOLLOWERS: &str = "a abstract accept accepts added affect affected affects an and anywhere async break \
     breaks by call called callers calls change changed changes changing class come covered created declared \
     define defined definition deleted depend depends deprecated derive directly do docstring documented does \
     ever extend extends first for from function has have here implemented import imported imports in indirectly \
     inherit inherits instantiated introduced is itself last live lives located look mean method methods need \
     needs or overridden override overrides parameters private public raise raised raises reach reached removed \
     renamed return returned returns signature somewhere still subclassed subclasses take takes tested throw \
     throws to transitively usages use used uses work works";
/// Further words that may stand before a name.
const OPENINGS: &str = "anyone anything break can constructor difference example examples exceptions fields goto \
     history importers jump navigate please print references signature somebody someone usages what's whats \
     where's wheres who's would wrote";
/// First words of a condition: `which class is abstract`.
const AUXILIARIES: &str = "are can could did do does did had has have is should was were will would";

/// Plain words that may name a definition, with the words around them.
struct SpokenName<'q> {
    /// In small letters, without marks.
    words: Vec<&'q str>,
    /// All words before, in small letters.
    front: &'q [String],
    /// The word right behind, in small letters; `None` at the end of the question or of a clause.
    behind: Option<String>,
}

impl SpokenName<'_> {
    /// The word right before.
    fn before(&self) -> Option<&str> {
        self.front.last().map(String::as_str)
    }

    /// Whether a word right before or behind is in a list.
    fn is_beside(&self, list: &str) -> bool {
        self.before().into_iter().chain(self.behind.as_deref()).any(|word| is_in(list, word))
    }
}

/// Writes the names that are spoken as several words as they stand in the code; `None` where there is none.
pub(super) fn with_spoken_names(store: &Store, text: &str) -> Result<Option<String>, StoreError> {
    if let Some(owned) = own::with_owners(store, text)? {
        return Ok(Some(owned));
    }
    let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    if words.len() > LONGEST_QUESTION || describes(&words) {
        return Ok(None);
    }
    let mut is_read = false;
    let mut start = 0;
    while start < words.len() && (start == 0 || may_precede(&words[start - 1])) {
        for length in (1..=MOST_WORDS.min(words.len() - start)).rev() {
            let Some(name) = name_of(store, &words, start, length)? else { continue };
            let last = &words[start + length - 1];
            let written = format!("{name}{}", &last[bare(last).len()..]);
            words.splice(start..start + length, [written]);
            is_read = true;
            break;
        }
        start += 1;
    }
    Ok(is_read.then(|| words.join(" ")))
}

/// The definition that so many words from `start` on name, as it is written in code.
fn name_of(store: &Store, words: &[String], start: usize, length: usize) -> Result<Option<String>, StoreError> {
    let front: Vec<String> = words[..start].iter().map(|word| bare(word).to_lowercase()).collect();
    let (last, inner) = words[start..start + length].split_last().expect("a phrase has a word");
    let ends = bare(last).len() < last.len();
    let behind = words.get(start + length).filter(|_| !ends).map(|word| bare(word).to_lowercase());
    let parts: Vec<&str> = inner.iter().map(String::as_str).chain([bare(last)]).collect();
    let is_noun = is_thing_of_programs(&parts.join(" ").to_lowercase());
    let is_condition = is_noun || is_in(AUXILIARIES, parts[0]) || parts.iter().any(|part| is_in("but or", part));
    if length == 1 && start > 0 && is_class_name(parts[0]) {
        return classes::written_otherwise(store, parts[0]);
    }
    if is_condition || !behind.iter().all(|word| is_in(FOLLOWERS, word)) {
        return Ok(None);
    }
    // `show Session send`
    let is_of_class = length > 1 && is_class_name(parts[0]);
    let is_spoken = (is_of_class || is_plain(parts[0]) && !parts[0].starts_with(|c: char| c.is_ascii_digit()))
        && parts[1..].iter().all(|part| is_plain(part) || is_of_class && is_plain(&part.replace('_', "")));
    if !is_spoken {
        return Ok(None);
    }
    let phrase = SpokenName { words: parts, front: &front, behind };
    if length == 1 {
        return classes::named(store, &phrase);
    }
    if is_of_class {
        return members::named(store, &phrase);
    }
    Ok(match definitions::named(store, &phrase)? {
        Some(name) => Some(name),
        None => members::named(store, &phrase)?,
    })
}

/// A word without the marks behind it.
fn bare(word: &str) -> &str {
    word.trim_end_matches(['?', '.', ',', '!'])
}

/// Whether a word has small letters and digits alone.
fn is_plain(word: &str) -> bool {
    word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
}

/// Whether a word is written as the names of classes are.
fn is_class_name(word: &str) -> bool {
    word.len() > 1
        && word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.chars().all(|c| c.is_ascii_alphanumeric())
}

/// Whether a question tells in words of its own what it looks for: `how do we build a request`.
fn describes(words: &[String]) -> bool {
    let lower: Vec<String> = words.iter().map(|word| bare(word).to_lowercase()).collect();
    let is_person = |word: &String| is_in("i it one they we you", word);
    lower.windows(2).any(|pair| pair[0] == "how" && is_in("can could should to would", &pair[1]))
        || lower.windows(3).any(|three| is_in("how where why", &three[0]) && is_person(&three[2]))
}

/// Whether a word stands before names and tells nothing of what is looked for.
fn may_precede(word: &str) -> bool {
    let lower = bare(word).to_lowercase();
    let is_code = word.contains(['_', '.', '`']) || word.chars().skip(1).any(char::is_uppercase);
    is_stop_word(&lower) || is_in(LEADS, &lower) || is_in(OPENINGS, &lower) || is_code
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::EntityKind, query::fixture::Fixture};

    #[test]
    fn several_words_are_the_name_that_has_just_these() {
        let mut fixture = Fixture::default();
        fixture
            .file("shop.py", "shop")
            .entity(EntityKind::Class, "TextArea", 1, 9)
            .entity(EntityKind::Property, "TextArea.text", 2, 3)
            .entity(EntityKind::Class, "JSONResponse", 11, 12)
            .entity(EntityKind::Class, "Button", 40, 41)
            .entity(EntityKind::Class, "Label", 42, 43)
            .entity(EntityKind::Function, "label", 44, 45)
            .entity(EntityKind::Function, "build_request", 14, 15)
            .entity(EntityKind::Function, "_merge_queue", 17, 18)
            .entity(EntityKind::Function, "getfixtureinfo", 20, 21)
            .entity(EntityKind::Function, "url_for", 23, 24)
            .entity(EntityKind::Function, "param_type", 26, 27)
            .entity(EntityKind::Class, "ParamType", 29, 30)
            .entity(EntityKind::Class, "StaticFiles", 32, 33)
            .entity(EntityKind::Function, "get_help", 35, 36)
            .entity(EntityKind::Function, "say_and_paint", 38, 39)
            .entity(EntityKind::Variable, "current_app", 46, 46)
            .entity(EntityKind::Variable, "list", 47, 47)
            .entity(EntityKind::Class, "List", 48, 49)
            .entity(EntityKind::Class, "Context", 50, 59)
            .entity(EntityKind::Method, "Context.invoke", 51, 52)
            .entity(EntityKind::Method, "Context._invoke", 53, 54)
            .entity(EntityKind::Property, "Context.button", 55, 56)
            .entity(EntityKind::Method, "Context.is_closed", 57, 58)
            .entity(EntityKind::Method, "TextArea.endLine", 4, 5);
        fixture.file("tests/test_shop.py", "tests.test_shop").entity(EntityKind::Function, "make_cart", 1, 2);
        let store = fixture.store();
        let read = |text: &str| with_spoken_names(&store, text).expect("a store in memory");
        for (text, name) in [
            ("show text area", "show TextArea"),
            ("where is the text area class defined?", "where is the TextArea class defined?"),
            ("who uses json response?", "who uses JSONResponse?"),
            ("what breaks if I change build request?", "what breaks if I change build_request?"),
            ("does build request call url for?", "does build_request call url_for?"),
            ("go to merge queue", "go to _merge_queue"),
            ("show get fixture info", "show `getfixtureinfo`"),
            ("what inherits from param type", "what inherits from ParamType"),
            ("who calls param type", "who calls param_type"),
            ("show param type", "show ParamType"),
            ("who uses static files?", "who uses StaticFiles?"),
            ("who calls get help?", "who calls get_help?"),
            ("who uses button?", "who uses Button?"),
            ("go to button", "go to Button"),
            ("methods of button", "methods of Button"),
            ("what does button inherit from?", "what does Button inherit from?"),
            ("when was button last changed?", "when was Button last changed?"),
            ("signature of button", "signature of Button"),
            ("who creates button?", "who creates Button?"),
            ("button", "Button"),
            ("is button tested?", "is Button tested?"),
            ("what breaks if I change button?", "what breaks if I change Button?"),
            ("where is the button defined?", "where is the Button defined?"),
            ("show me label", "show me `label`"),
            ("go to current app", "go to current_app"),
            ("show context invoke", "show Context.invoke"),
            ("show label class", "show Label class"),
            ("who uses Textarea?", "who uses TextArea?"),
            ("show Context invoke", "show Context.invoke"),
            ("who calls Context is_closed?", "who calls Context.is_closed?"),
            ("who calls text area end line?", "who calls TextArea.endLine?"),
            ("where is context is closed defined?", "where is Context.is_closed defined?"),
        ] {
            assert_eq!(read(text).as_deref(), Some(name));
        }
        // A description in words, a name of tests alone, and words that are no name.
        for text in [
            "how do we build request",
            "where do we show the text area",
            "which handler builds the json response",
            "show make cart",
            "what are the static files",
            "show get help",
            "which methods does build request have?",
            "how does the build request work?",
            "who calls say and paint?",
            "show text",
            "show the text areas",
            "who uses TextArea?",
            "who uses Button labels?",
            "default of button",
            "what does create button do",
            "what happens if button is pressed?",
            "who uses list?",
            "show the button label",
            "what happens when the context is closed",
            "who uses label?",
            "where is the click of a button",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
