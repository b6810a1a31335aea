//! Compares what a question asks for with the titles of sections: `how do I register a blueprint` is answered below
//! `Registering Blueprints`.
//!
//! Each word of the question has to stand in the title, in the titles above it, in the first lines or, at worst, in
//! the text. At least one stands in the title. The fewer other words a title has, the nearer it is.

use std::collections::BTreeSet;

use crate::{
    ask::reading::words::is_in,
    query::target::likeliest::is_aside,
    store::{Store, error::StoreError, search::documents::SectionSummary},
};

/// Words that say nothing of what is asked for.
const AROUND: &str = "a about all an and any are as at be behind best by can could did do does exactly for from get gets go got has have how i if in into is \
     it its just let lets library make me my need needs of on one or our package please possible project recommended repo repository right should \
     so some than that the their them then there these they this those to us use used uses using via want way ways we what when where which \
     who why will with work working works would you your";
/// Words that tell less than those beside them.
const LIGHT: &str = "access add allow another app application applications build change configure content contents control correctly create custom customize \
     default define different easily enable give handle handled handling implement new object other own page pages pass print \
     properly provide put run send set setting setup show several something specify start support supported supports turn up user users value values write";
/// Endings that words of one family differ by: those of any word, and those of longer ones.
const FORMS: &str = "s es ed ing ings e y ies er ers d";
const DERIVED: &str = "s es ed ing ings e y ies er ers d able ance ant ation ations ence ent ication ications ion ions ity ive ment ments or ors \
     ration sion t";
/// Short words and what they are short for, or stand beside.
const SHORT: [(&str, &str); 13] = [
    ("app", "application"),
    ("arg", "argument"),
    ("auth", "authentication"),
    ("cert", "certificate"),
    ("config", "configuration"),
    ("db", "database"),
    ("dir", "directory"),
    ("env", "environment"),
    ("msg", "message"),
    ("param", "parameter"),
    ("ssl", "https"),
    ("ssl", "tls"),
    ("tls", "https"),
];
/// Words of titles of pages about many things.
const NEUTRAL: &str = "advanced basic basics developer developers documentation features getting guide guides intro introduction overview quick \
     quickstart started topics tutorial usage";
/// Beginnings of titles under which something is not done.
const UNDOING: &str = "avoiding deprecated disabling limitations removing troubleshooting";
/// Heads of questions that a section may answer.
const HEADS: [&str; 11] = [
    "how do/can/should/could/would i/we/you/one",
    "how to",
    "can/could/may i/we/you/one/it",
    "is it possible to",
    "what is/are/what's the best/right/recommended/easiest/proper/correct/preferred way to",
    "what's the best/right/recommended/easiest/proper/correct/preferred way to",
    "does/do it/they",
    "how does/do",
    "how is/are",
    "is there a way to",
    "is/are there support for",
];

/// A section with at least so many points answers the question, one with fewer perhaps.
pub const STRONG: i32 = 70;
const LIKELY: i32 = 45;
const WHOLE: i32 = 100;
const ONE_WORD: i32 = 95;
const DIVIDED: i32 = 85;
const IN_TEXT: i32 = 80;

/// The words of a question that say what it asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedTopic {
    /// The words that tell, the object last.
    told: Vec<String>,
    /// Those that tell less.
    light: Vec<String>,
    /// All of them in their order: `send`, `file`.
    said: Vec<String>,
    /// The question is how something is done; and the first word that tells is the verb for it.
    is_deed: bool,
    has_verb: bool,
    /// Its object is only `it`.
    is_bare: bool,
}

impl AskedTopic {
    /// The topic of the words of a question, besides the names of the project; `None` for questions of other forms.
    pub fn of(words: &[String], projects: &[String]) -> Option<Self> {
        // `does click support ...`
        let is_project = words.len() > 2 && is_in("does do can", &words[0]) && projects.contains(&words[1]);
        if is_project {
            return Self::of_rest(&words[2..], projects, false);
        }
        let (rest, is_deed) = behind_head(words)?;
        Self::of_rest(rest, projects, is_deed)
    }

    /// Whether the question is how one's own thing is made: `write a custom adapter`.
    pub fn makes(&self) -> bool {
        const MAKING: &str = "add create customize define extend implement write";
        self.is_deed && self.light.iter().any(|word| is_in(MAKING, word))
    }

    /// The last word that tells.
    pub fn object(&self) -> &str {
        self.told.last().map_or("", String::as_str)
    }

    /// Whether the question is how something is done.
    pub fn is_deed(&self) -> bool {
        self.is_deed
    }

    /// The topic of words behind the head of a question.
    fn of_rest(rest: &[String], projects: &[String], is_deed: bool) -> Option<Self> {
        let parts = rest.iter().flat_map(|word| tokens(word));
        let tells = |word: &String| !is_in(AROUND, word) && !projects.contains(word);
        let all: Vec<String> = parts.filter(tells).collect();
        let position = |word: &String| all.iter().position(|one| one == word);
        let said = all.clone();
        let (light, told): (Vec<String>, Vec<String>) = said.iter().cloned().partition(|word| is_in(LIGHT, word));
        let (light, told) = if told.is_empty() { (Vec::new(), light) } else { (light, told) };
        let is_bare = rest.iter().any(|word| word == "it");
        let has_verb = is_deed && told.len() > 1 && light.iter().all(|word| position(word) > position(&told[0]));
        (!told.is_empty()).then_some(Self { told, light, said, is_deed, has_verb, is_bare })
    }

    pub fn told(&self) -> &[String] {
        &self.told
    }

    /// The words that a name has which does what is asked for: of `send a file` the verb too, however little it tells.
    pub fn deed(&self) -> &[String] {
        let begins_light = self.said.first().is_some_and(|word| self.light.contains(word));
        if self.is_deed && begins_light && self.told.len() == 1 && self.said.len() == 2 {
            &self.said
        } else {
            &self.told
        }
    }

    /// Whether the question is about tests.
    fn is_of_tests(&self) -> bool {
        self.said.iter().any(|word| are_alike(word, "test"))
    }

    /// How well a section answers: `None` where it does not, and `text` gives what it says.
    pub fn points(
        &self,
        path: &str,
        section: &SectionSummary,
        projects: &[String],
        text: &dyn Fn() -> String,
    ) -> Option<i32> {
        let file = path.rsplit('/').next().unwrap_or(path);
        let file_stem = file.split('.').next().unwrap_or(file);
        let title = if section.title == file { file_stem } else { &without_target(&section.title) };
        let (plain, title) = (tokens(title), with_joined(tokens(title)));
        let told = with_joined_told(&self.told);
        let stands = |word: &str, among: &[String]| among.iter().any(|other| are_alike(word, other));
        // `static files` stands in `StaticFiles` too.
        let is_told = |at: usize, among: &[String]| {
            let joined = told.iter().filter(|(_, places)| places.contains(&at));
            joined.into_iter().any(|(word, _)| stands(word, among))
        };
        let (inside, rest): (Vec<usize>, Vec<usize>) = (0..self.told.len()).partition(|at| is_told(*at, &title));
        let names = with_joined(tokens(file_stem));
        let above = [with_joined(tokens(&section.above)), names.clone()].concat();
        // A test stands in sections of any kind: who asks how to test something wants one about tests.
        let lacks_test = self.has_verb && self.told[0] == "test" && !inside.contains(&0) && !is_told(0, &above);
        if inside.is_empty() || lacks_test {
            return None;
        }
        // `logging.rst` begins with what it is about, whatever else its title says.
        let is_page = self.light.is_empty()
            && section.above.is_empty()
            && tokens(file_stem).iter().all(|name| self.told.iter().any(|word| are_alike(word, name)))
            && (0..self.told.len()).all(|at| is_told(at, &names));
        let of_question = |word: &String| {
            told.iter().any(|(one, _)| are_alike(one, word)) || self.light.iter().any(|one| are_alike(one, word))
        };
        // `HTTP/2` is `http2`.
        let is_joined = |at: usize| {
            let before = at.checked_sub(1).map(|before| plain[before].clone() + &plain[at]);
            let behind = plain.get(at + 1).map(|behind| plain[at].clone() + behind);
            before.iter().chain(behind.iter()).any(of_question)
        };
        let is_other = |at: &usize| {
            let word = &plain[*at];
            let says_nothing = is_in(AROUND, word) || is_in(LIGHT, word) || projects.contains(word);
            !says_nothing && !of_question(word) && !is_joined(*at)
        };
        let others = if is_page { 0 } else { points((0..plain.len()).filter(is_other).count()) };
        let object = self.told.len() - 1;
        let mut sum = if rest.is_empty() {
            if self.told.len() > 1 {
                WHOLE - 5 * others
            } else {
                ONE_WORD - if self.is_bare { 30 } else { 20 } * others
            }
        } else {
            let lead = with_joined(tokens(&section.lead));
            let (head, body): (Vec<usize>, Vec<usize>) =
                rest.iter().partition(|at| is_told(**at, &above) || is_told(**at, &lead));
            if body.is_empty() {
                let unsaid = points(head.iter().filter(|at| !is_told(**at, &lead)).count());
                DIVIDED - 10 * others - 5 * unsaid - if inside.contains(&object) { 0 } else { 8 }
            } else {
                let text = with_joined(tokens(&text()));
                if !body.iter().all(|at| is_told(*at, &text)) {
                    return None;
                }
                // Two words of the title say enough of what is done.
                let for_verb = if inside.len() > 1 { 5 } else { 15 };
                let without_verb = if self.has_verb && !inside.contains(&0) { for_verb } else { 0 };
                let with_object = if inside.contains(&object) { 5 } else { 0 };
                IN_TEXT - 10 * others - 5 * points(rest.len()) + with_object - without_verb
            }
        };
        sum += 2 * points(self.light.iter().filter(|word| stands(word, &title)).count());
        sum += if inside.iter().any(|at| is_told(*at, &names)) { 6 } else { 0 };
        sum += if is_page { 8 } else { 0 };
        // `Custom Commands`, for who adds one.
        let is_custom = self.light.iter().any(|word| word == "custom") && stands("custom", &title);
        sum += if is_custom { 6 } else { 0 };
        sum -= if !self.is_of_tests() && stands("test", &names) { 10 } else { 0 };
        // A section of a page about something else speaks of that first.
        let is_of_other = |word: &String| {
            !is_in(AROUND, word) && !is_in(LIGHT, word) && !is_in(NEUTRAL, word) && !projects.contains(word)
        };
        let is_beside = !(0..self.told.len()).any(|at| is_told(at, &above));
        sum -= if is_beside && tokens(&section.above).iter().any(is_of_other) { 3 } else { 0 };
        sum += if plain.first().is_some_and(of_question) { 2 } else { 0 };
        sum += if inside.iter().all(|at| is_told(*at, &with_joined(tokens(&section.lead)))) { 2 } else { 0 };
        let is_undone = plain.first().is_some_and(|word| is_in(UNDOING, word) && !of_question(word));
        sum -= if is_undone { 8 } else { 0 };
        sum += i32::from(section.above.is_empty());
        sum -= if section.lead.is_empty() { 15 } else { 0 };
        // `README.de.md` is a translation.
        sum -= if file.split('.').count() > 2 && file.starts_with("README") { 40 } else { 0 };
        let path = path.to_lowercase();
        let is_apart = |names: &[&str]| names.iter().any(|name| path.contains(name));
        sum -= if is_apart(&["api", "reference"]) { 6 } else { 0 };
        sum -= if is_apart(&["compat", "faq", "blog", "third", "sep/", "tutorial", "example", "contribut"]) {
            10
        } else {
            0
        };
        Some(sum)
    }
}

/// The names of the packages at the top level of the program: a question may call the project so.
pub fn projects(store: &Store) -> Result<Vec<String>, StoreError> {
    let mut found = BTreeSet::new();
    for (file, module) in store.modules()? {
        let Some(top) = module.split('.').next().filter(|top| !found.contains(*top)) else { continue };
        let is_own = |path: &str| path.contains('/') && !is_aside(path);
        if store.file(file)?.is_some_and(|file| !file.is_test && is_own(&file.path)) {
            found.insert(top.to_lowercase());
        }
    }
    Ok(found.into_iter().collect())
}

/// Whether a section of a document is likely to answer a question, by its title and first lines.
pub fn is_guided(store: &Store, words: &[String]) -> Result<bool, StoreError> {
    let projects = projects(store)?;
    let Some(topic) = AskedTopic::of(words, &projects) else { return Ok(false) };
    // Of two words, fewer points are no accident either.
    let least = if topic.told.len() > 1 { LIKELY } else { STRONG };
    let is_strong = |(path, section): &(String, SectionSummary)| {
        !tells_history(path) && topic.points(path, section, &projects, &String::new) >= Some(least)
    };
    Ok(store.sections()?.iter().any(is_strong))
}

/// Whether a document tells what changed from version to version, or how to go from one to another.
pub fn tells_history(path: &str) -> bool {
    const NAMES: [&str; 8] = ["announce", "changelog", "changes", "history", "migrat", "news", "release", "upgrad"];
    let lower = path.to_lowercase();
    NAMES.iter().any(|name| lower.contains(name))
}

fn points(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// The words of a question behind its head, and whether it asks how something is done.
fn behind_head(words: &[String]) -> Option<(&[String], bool)> {
    let fits = |head: &str| {
        let head: Vec<&str> = head.split(' ').collect();
        let is_one = |(pattern, word): (&&str, &String)| pattern.split('/').any(|one| one == word);
        words.get(head.len()..).filter(|rest| !rest.is_empty() && head.iter().zip(words).all(is_one))
    };
    let (head, rest) = HEADS.iter().find_map(|head| Some((*head, fits(head)?)))?;
    let has_last = |list: &str| rest.last().is_some_and(|last| is_in(list, last));
    match head {
        "how does/do" => has_last("work works").then_some((rest, false)),
        "how is/are" => has_last("handled configured stored cached loaded rendered").then_some((rest, false)),
        "does/do it/they" | "is/are there support for" => Some((rest, false)),
        _ => Some((rest, true)),
    }
}

/// The words of a text in lower case.
fn tokens(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    parts.map(str::to_lowercase).collect()
}

/// A title without the targets of its links: `[Trio](https://…)`.
fn without_target(title: &str) -> String {
    match title.split_once("](") {
        Some((before, behind)) => format!("{before} {}", behind.split_once(')').map_or("", |(_, rest)| rest)),
        None => title.to_owned(),
    }
}

/// The words, and each with the one behind it as one word.
fn with_joined(words: Vec<String>) -> Vec<String> {
    let joined: Vec<String> = words.windows(2).map(<[String]>::concat).collect();
    [words, joined].concat()
}

/// The words and those that two of them make, with their places.
fn with_joined_told(told: &[String]) -> Vec<(String, Vec<usize>)> {
    let mut found: Vec<(String, Vec<usize>)> =
        told.iter().enumerate().map(|(at, word)| (word.clone(), vec![at])).collect();
    found.extend(told.windows(2).enumerate().map(|(at, pair)| (pair.concat(), vec![at, at + 1])));
    found
}

/// Whether two words in lower case are of one family: `stream` and `streaming`, `notify` and `notification`.
pub fn are_alike(one: &str, other: &str) -> bool {
    /// Letters that words of one family share at least, and those of which any derived word may come.
    const LEAST: usize = 3;
    const MANY: usize = 5;
    let is_short = |short: &str, long: &str| {
        SHORT.iter().any(|(a, b)| *a == short && (*b == long || long.strip_suffix('s') == Some(b)))
    };
    if one == other || is_short(one, other) || is_short(other, one) {
        return true;
    }
    let same: usize = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let (one_end, other_end) = (&one[same..], &other[same..]);
    let fits = |list: &str, end: &str| end.is_empty() || is_in(list, end);
    // `skip` and `skipping`
    let is_doubled = |short: &str, long: &str| {
        let mut letters = long.chars();
        short.is_empty() && letters.next() == one[..same].chars().last() && is_in("ing ed er ers", letters.as_str())
    };
    let letters = one[..same].chars().count();
    if letters < LEAST {
        return false;
    }
    let is_form = fits(FORMS, one_end) && fits(FORMS, other_end) && one_end.len().min(other_end.len()) < 2;
    let is_derived = letters >= MANY && fits(DERIVED, one_end) && fits(DERIVED, other_end);
    is_form || is_derived || is_doubled(one_end, other_end) || is_doubled(other_end, one_end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topic(text: &str) -> Option<AskedTopic> {
        AskedTopic::of(&tokens(text), &["flask".to_owned()])
    }

    fn points(question: &str, path: &str, title: &str, above: &str, lead: &str) -> i32 {
        let section = SectionSummary {
            title: title.to_owned(),
            above: above.to_owned(),
            lead: lead.to_owned(),
            start_line: 1,
            end_line: 9,
            names: Vec::new(),
        };
        topic(question).and_then(|topic| topic.points(path, &section, &[], &String::new)).unwrap_or_default()
    }

    #[test]
    fn words_of_one_family_are_alike() {
        for (one, other) in [
            ("stream", "streaming"),
            ("register", "registering"),
            ("skip", "skipping"),
            ("proxy", "proxies"),
            ("cookie", "cookies"),
            ("notify", "notification"),
            ("validate", "validation"),
            ("app", "application"),
            ("route", "routing"),
        ] {
            assert!(are_alike(one, other) && are_alike(other, one), "{one} {other}");
        }
        for (one, other) in [("context", "content"), ("port", "portion"), ("test", "text"), ("a", "as")] {
            assert!(!are_alike(one, other), "{one} {other}");
        }
    }

    #[test]
    fn a_section_answers_whose_title_has_what_is_asked_for() {
        let strong = |question: &str, title: &str, above: &str, lead: &str| {
            points(question, "docs/guide.rst", title, above, lead) >= STRONG
        };
        assert!(strong("how do I register a blueprint?", "Registering Blueprints", "Blueprints", "So how?"));
        assert!(strong("how do I render markdown?", "Markdown", "", "Rich can render Markdown."));
        assert!(strong("does it support http2?", "HTTP/2", "", "A protocol."));
        assert!(strong("how do I serve static files?", "StaticFiles", "", "A class for serving files."));
        assert!(strong("how do I use a proxy?", "Proxies", "Advanced", "If you need one."));
        assert!(!strong("how do I use a proxy?", "Tell Flask it is Behind a Proxy", "", "When using one."));
        assert!(!strong("how do I register a blueprint?", "Commands", "", "Blueprints can register commands."));
        assert!(!strong("how do I stream a response?", "Errors", "", "A response is streamed."));
    }

    #[test]
    fn other_forms_ask_for_no_section() {
        for text in ["who calls stream?", "how does it fail?", "what does the client do?", "how do I"] {
            assert_eq!(topic(text), None, "{text}");
        }
    }
}
