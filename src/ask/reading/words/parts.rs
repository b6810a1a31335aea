//! The part of a definition that a question changes: `remove the return statement of f`, `drop the call to g in f`.
//!
//! Only the words count here: a verb of a change, the noun of a part, and the definition or file behind a preposition.

use crate::ask::reading::words::{ParsedQuestion, Shape, is_in, numbered::ordinal};

/// A kind of part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodePart {
    /// A statement or clause that begins with one of these keywords, or an expression that has one.
    Statement(&'static [&'static str]),
    /// The condition of a statement.
    Check,
    Assignment,
    /// The values behind `return`.
    ReturnValue,
    Body,
    Call,
    Comment,
    Docstring,
    /// The annotation of the result, or those of the parameters too.
    ResultAnnotation,
    Annotations,
    Decorator,
    Base,
    Import,
    /// A function or class inside a function.
    Inner,
    /// Words that stand for no known part: `the lock`.
    Other,
}

/// The ones that are meant where a definition has a part several times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartChoice {
    All,
    /// From 1.
    Numbered(usize),
    Last,
}

/// The part that a question takes out or changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedPart {
    pub part: CodePart,
    /// As the question calls it: `return statement`.
    pub noun: String,
    pub which: PartChoice,
    /// The name beside the noun: `g` of `the call to g in f`.
    pub named: Option<String>,
    /// The definition or file that has it, and the number of its word.
    pub owner: String,
    pub owner_at: usize,
    /// It goes; otherwise it only changes.
    pub is_removal: bool,
}

use CodePart::{
    Annotations, Assignment, Base, Body, Call, Check, Comment, Decorator, Docstring, Import, Inner, Other,
    ResultAnnotation, ReturnValue, Statement,
};

/// The nouns of the parts in one number; of two that fit, the first is meant.
const NOUNS: &[(&str, CodePart)] = &[
    ("return value", ReturnValue),
    ("returned value", ReturnValue),
    ("return type annotation", ResultAnnotation),
    ("return type hint", ResultAnnotation),
    ("return annotation", ResultAnnotation),
    ("return hint", ResultAnnotation),
    ("return type", ResultAnnotation),
    ("result annotation", ResultAnnotation),
    ("result type", ResultAnnotation),
    ("parameter annotation", Annotations),
    ("type annotation", Annotations),
    ("type hint", Annotations),
    ("annotation", Annotations),
    ("typing", Annotations),
    ("docstring", Docstring),
    ("doc string", Docstring),
    ("decorator", Decorator),
    ("base class", Base),
    ("parent class", Base),
    ("superclass", Base),
    ("base", Base),
    ("import statement", Import),
    ("import line", Import),
    ("import", Import),
    ("comment", Comment),
    ("invocation", Call),
    ("call", Call),
    ("assignment", Assignment),
    ("body", Body),
    ("if condition", Check),
    ("if check", Check),
    ("condition", Check),
    ("guard clause", Check),
    ("guard", Check),
    ("check", Check),
    ("return statement", Statement(&["return"])),
    ("return clause", Statement(&["return"])),
    ("return", Statement(&["return"])),
    ("raise statement", Statement(&["raise"])),
    ("raise", Statement(&["raise"])),
    ("yield statement", Statement(&["yield"])),
    ("yield expression", Statement(&["yield"])),
    ("yield", Statement(&["yield"])),
    ("try except", Statement(&["try"])),
    ("try/except", Statement(&["try"])),
    ("try-except", Statement(&["try"])),
    ("try statement", Statement(&["try"])),
    ("try block", Statement(&["try"])),
    ("try clause", Statement(&["try"])),
    ("try", Statement(&["try"])),
    ("exception handler", Statement(&["except"])),
    ("except", Statement(&["except"])),
    ("finally", Statement(&["finally"])),
    ("with statement", Statement(&["with"])),
    ("with block", Statement(&["with"])),
    ("with", Statement(&["with"])),
    ("for loop", Statement(&["for"])),
    ("for statement", Statement(&["for"])),
    ("for", Statement(&["for"])),
    ("while loop", Statement(&["while"])),
    ("loop", Statement(&["for", "while"])),
    ("while", Statement(&["while"])),
    ("if statement", Statement(&["if", "elif"])),
    ("if block", Statement(&["if", "elif"])),
    ("if", Statement(&["if", "elif"])),
    ("else if", Statement(&["elif"])),
    ("elif", Statement(&["elif"])),
    ("else", Statement(&["else"])),
    ("assertion", Statement(&["assert"])),
    ("assert", Statement(&["assert"])),
    ("break", Statement(&["break"])),
    ("continue", Statement(&["continue"])),
    ("await", Statement(&["await"])),
    ("inner function", Inner),
    ("nested function", Inner),
    ("local function", Inner),
    ("inner helper", Inner),
    ("nested helper", Inner),
    ("inner def", Inner),
    ("nested def", Inner),
    ("closure", Inner),
    ("inner class", Inner),
    ("nested class", Inner),
    ("local class", Inner),
    ("lambda function", Statement(&["lambda"])),
    ("lambda", Statement(&["lambda"])),
    ("global", Statement(&["global"])),
    ("nonlocal", Statement(&["nonlocal"])),
    ("del", Statement(&["del"])),
    ("pass", Statement(&["pass"])),
    ("match", Statement(&["match"])),
    ("case", Statement(&["case"])),
];
/// Words behind a keyword that call it a part of the code.
const BEHIND_KEYWORD: &str =
    "block blocks branch branches check clause clauses expression expressions keyword line lines statement statements";
/// Words between the verb and the noun.
const ARTICLES: &str = "a all an any both closing each early entire every explicit final first full its last lone of one only out second single \
     that the their these this those whole";
const PREPOSITIONS: &str = "above at from in inside of on within";
const BEFORE_OWNER: &str =
    "a an beginning body bottom class code end file function head method module of our property start the top";
/// Words of which one says that the part at one end is meant.
const AT_START: &str = "beginning first head opening start top";
const AT_END: &str = "bottom closing end ending final last";
/// Words that no part of the code is called by: something else goes, or several things do.
const NO_PART: &str = "arg args argument arguments attribute attributes class classes constant copy default defaults definition \
     everything field fields file files function functions kwarg kwargs keyword line lines member members method methods \
     module name names option options parameter parameters prefix property reference references rest support test tests \
     use usage usages uses value variable variables";
/// Words behind a noun that is no part of the code: a value, or the name of a parameter.
const GIVEN: &str = "arg argument kwarg keyword param parameter value values";
const REMOVING: &str = "comment commented cut delete deleted deleting deletion drop dropped dropping erase kill omit remove removed \
     removes removing removal rid strip stripped stripping take taking took taken without";
const CHANGING: &str =
    "change changed changing edit edited editing modify modified modifying replace replaced replacing rewrite";
/// Words behind a part that goes by itself: `the return of f disappears`, `is gone`.
const GOING: &str = "disappears disappeared gone missing vanished vanishes";
/// Words by which a definition loses a part of its own: `if f had no docstring`.
const LOSING: &str = "had has have lacked lacks lose loses losing lost";

/// The part that a question changes; `None` for other questions.
pub fn asked_part(question: &ParsedQuestion) -> Option<AskedPart> {
    let words = question.lower_words();
    if words.first().is_some_and(|first| is_in("how when where which who", first)) {
        return None;
    }
    call_given_up(question, &words)
        .or_else(|| super_call(question, &words))
        .or_else(|| (0..words.len()).find_map(|at| part_at(question, &words, at)))
        .or_else(|| other_part(question, &words))
}

/// The part whose noun begins at a word.
fn part_at(question: &ParsedQuestion, words: &[String], at: usize) -> Option<AskedPart> {
    let (noun, part) = NOUNS.iter().find_map(|(noun, part)| Some((noun_at(words, at, noun)?, *part)))?;
    // `functions without docstrings in a.py` asks for a list.
    let is_condition = part == Docstring
        && at
            .checked_sub(1)
            .is_some_and(|before| is_in("any have having lack lacking missing no with without", &words[before]))
        && words[..at]
            .iter()
            .any(|word| is_in("classes definitions functions members methods modules properties", word));
    if is_condition {
        return None;
    }
    let mut end = at + noun;
    while matches!(part, Statement(_)) && words.get(end).is_some_and(|word| is_in(BEHIND_KEYWORD, word)) {
        end += 1;
    }
    // `the return value of f` is what callers get, and `the call parameter of f` what they pass: no parts of the code.
    if words.get(end).is_some_and(|word| is_in(GIVEN, word)) {
        return None;
    }
    // `if` and `with` are words of every question, unless an article says that one is meant.
    let is_small = noun == 1 && is_in("case check else for global if match pass with", &words[at]) && end == at + 1;
    // `the isinstance check`
    let is_named_check = part == Check
        && at.checked_sub(2).is_some_and(|before| is_article(&words[before]) || is_in(REMOVING, &words[before]));
    let says_one = |word: &str| is_in("a an any every final last only the this", word) || ordinal(word).is_some();
    if is_small && !is_named_check && !(at > 0 && says_one(&words[at - 1])) {
        return None;
    }
    // `will removing f break anything`: behind a name a keyword is the verb of the question.
    let is_led = at.checked_sub(1).is_some_and(|before| {
        let word = &words[before];
        is_verb(word) || is_article(word) || is_in(LOSING, word) || word == "no" || question.words[before].is_possessive
    });
    if matches!(part, Statement(_)) && !is_led {
        return None;
    }
    let text = |at: usize| question.words[at].text.trim_end_matches("()").trim_start_matches('@').to_owned();
    let is_name = |at: usize| !is_article(&words[at]) && !is_verb(&words[at]) && !is_in(LOSING, &words[at]);
    // `the url_for import`, `the docstring of f` and `f's docstring`
    let before =
        at.checked_sub(1).filter(|before| is_name(*before) && !is_in("if longer no what when", &words[*before]));
    let (mut named, mut owner) = (None, None);
    let takes_name = !matches!(part, Docstring | Comment | ResultAnnotation);
    match before {
        Some(before) if question.words[before].is_possessive || !takes_name || part == Annotations => {
            owner = Some(before);
        }
        before => named = before,
    }
    let mut head = before.map_or(at, |before| before);
    while head > 0 && is_article(&words[head - 1]) {
        head -= 1;
    }
    // `the call to g`, `the base class C`, `the import of x`
    let mut next = end;
    if named.is_none() && takes_name {
        let is_joined =
            !matches!(part, Base | Decorator) && words.get(next).is_some_and(|word| is_in("for of to", word));
        let beside = if is_joined { next + 1 } else { next };
        let is_beside = words.get(beside).is_some_and(|word| !is_in(PREPOSITIONS, word) && is_name(beside))
            && words.get(beside + 1).is_some_and(|word| is_in(PREPOSITIONS, word));
        if is_beside && owner.is_none() {
            named = Some(beside);
            next = beside + 1;
        }
    }
    let mut behind = next;
    if owner.is_none() && words.get(next).is_some_and(|word| is_in(PREPOSITIONS, word)) {
        let at = (next + 1..words.len()).find(|at| !is_in(BEFORE_OWNER, &words[*at]))?;
        owner = Some(at);
        behind = at + 1;
    }
    let (mut is_removal, mut is_change) = (false, false);
    if let Some(verb) = head.checked_sub(1).map(|at| &words[at]) {
        (is_removal, is_change) = (is_in(REMOVING, verb), is_in(CHANGING, verb));
        if is_in(LOSING, verb) || verb == "no" {
            // `if f had no docstring`, `if f loses its decorator`
            let loser = (0..head).rev().find(|at| !is_in(LOSING, &words[*at]) && !is_in("longer no", &words[*at]));
            let loser = loser.filter(|at| *at > 0 && *at + 1 < head && !is_in("what", &words[*at]));
            let loses = is_in("lose loses losing lost lacks", verb) || verb == "no";
            if let Some(loser) = loser.filter(|_| loses && owner.is_none()) {
                owner = Some(loser);
                is_removal = true;
            }
        }
    }
    // `if the return of f is removed`
    let state = words[behind.min(words.len())..].iter().take(3);
    is_removal |= state.clone().any(|word| is_in(GOING, word) || is_in(REMOVING, word) && word.ends_with(['d', 'n']));
    is_change |= state.clone().any(|word| is_in(CHANGING, word) && word.ends_with('d'));
    // The type of a result that is another one is another result.
    let is_part = is_removal || is_change && !matches!(part, ResultAnnotation | ReturnValue);
    let owner = owner.or_else(|| named.take()).filter(|_| is_part)?;
    let around = words[head..at].iter().chain(words.get(end..owner).unwrap_or_default());
    let which = which(&around);
    let noun = words[at..end].join(" ");
    Some(AskedPart { part, noun, which, named: named.map(text), owner: text(owner), owner_at: owner, is_removal })
}

/// Whether a word stands before a noun and says which one is meant, or that one is.
fn is_article(word: &str) -> bool {
    is_in(ARTICLES, word) || ordinal(word).is_some()
}

/// Which one is meant, by the words around the noun: `the first raise`, `the return at the end of`.
fn which<'w>(around: &(impl Iterator<Item = &'w String> + Clone)) -> PartChoice {
    if around.clone().any(|word| is_in(AT_END, word)) {
        PartChoice::Last
    } else if around.clone().any(|word| is_in(AT_START, word)) {
        PartChoice::Numbered(1)
    } else {
        around.clone().find_map(|word| ordinal(word)).map_or(PartChoice::All, PartChoice::Numbered)
    }
}

/// The call of a base's method: `remove super().__init__ from C.__init__`.
fn super_call(question: &ParsedQuestion, words: &[String]) -> Option<AskedPart> {
    let at = words.iter().position(|word| word == "super" || word.starts_with("super."))?;
    let verb = (0..at).rev().find(|at| !is_in(ARTICLES, &words[*at]) && !is_in("call calls to", &words[*at]))?;
    let preposition = (at + 1..words.len().min(at + 4)).find(|at| is_in(PREPOSITIONS, &words[*at]))?;
    let owner = (preposition + 1..words.len()).find(|at| !is_in(BEFORE_OWNER, &words[*at]))?;
    is_in(REMOVING, &words[verb]).then(|| AskedPart {
        part: Call,
        noun: "call".to_owned(),
        which: PartChoice::All,
        named: Some("super".to_owned()),
        owner: question.words[owner].text.trim_end_matches("()").to_owned(),
        owner_at: owner,
        is_removal: true,
    })
}

/// Words in the place of a part that no noun is known for: `remove the lock from f`, `drop the retry logic of f`.
fn other_part(question: &ParsedQuestion, words: &[String]) -> Option<AskedPart> {
    let verb = words.iter().position(|word| is_in(REMOVING, word))?;
    let first = (verb + 1..words.len()).find(|at| !is_in(ARTICLES, &words[*at]))?;
    let end = (first..words.len().min(first + 4)).find(|at| is_in(PREPOSITIONS, &words[*at]))?;
    // `remove the lru_cache from f`: a name in the place of a part may be that of a decorator.
    let is_decorator = |at: usize| end == first + 1 && question.words[at].text.contains('_');
    let is_plain = |at: usize| {
        let word = &question.words[at];
        (word.shape == Shape::Plain || is_decorator(at))
            && !word.is_quoted
            && !word.is_possessive
            && !is_in(NO_PART, &words[at])
    };
    let owner = (end + 1..words.len()).find(|at| !is_in(BEFORE_OWNER, &words[*at]))?;
    // `does removing f raise errors in g`: only behind an article several words are one part.
    let is_noun = end == first + 1 || first > verb + 1 && end > first;
    (is_noun && (first..end).all(is_plain)).then(|| AskedPart {
        part: Other,
        noun: words[first..end].join(" "),
        which: which(&words[verb + 1..first].iter().chain(&words[end..owner])),
        named: None,
        owner: question.words[owner].text.trim_end_matches("()").to_owned(),
        owner_at: owner,
        is_removal: true,
    })
}

/// The call that a function gives up: `if f no longer calls g`, `if f stops calling g`.
fn call_given_up(question: &ParsedQuestion, words: &[String]) -> Option<AskedPart> {
    if !words.iter().any(|word| is_in("if once when", word)) {
        return None;
    }
    let verb = words.iter().position(|word| is_in("call calling calls", word))?;
    let is_denial = |word: &String| {
        is_in("did does longer never no not stop stopped stops", word) || word.ends_with("n't") || word == "to"
    };
    let owner = (0..verb).rev().find(|at| !is_denial(&words[*at])).filter(|at| at + 1 < verb)?;
    let is_denied = words[owner + 1..verb].iter().any(|word| word != "does" && word != "did" && word != "to");
    let text = |at: usize| question.words[at].text.trim_end_matches("()").to_owned();
    let called = (verb + 1..words.len()).find(|at| !is_in(BEFORE_OWNER, &words[*at])).filter(|_| is_denied)?;
    Some(AskedPart {
        part: Call,
        noun: "call".to_owned(),
        which: PartChoice::All,
        named: Some(text(called)),
        owner: text(owner),
        owner_at: owner,
        is_removal: true,
    })
}

fn is_verb(word: &str) -> bool {
    is_in(REMOVING, word) || is_in(CHANGING, word)
}

/// The number of words of a noun that stands at a word, in the plural too.
fn noun_at(words: &[String], at: usize, noun: &str) -> Option<usize> {
    let parts: Vec<&str> = noun.split(' ').collect();
    let is_it = |(index, part): (usize, &&str)| {
        let is_last = index + 1 == parts.len();
        let plural = |word: &String| word.strip_suffix('s') == Some(*part) || word.strip_suffix("es") == Some(*part);
        words.get(at + index).is_some_and(|word| word == part || is_last && part.len() > 3 && plural(word))
    };
    parts.iter().enumerate().all(is_it).then_some(parts.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_with_their_owners() {
        for (question, wanted) in [
            ("what happens if I drop the return statement of Session.send", "return statement | - | Session.send"),
            ("can I remove all returns from f", "returns | - | f"),
            ("remove the for loop in get_adapter", "for loop | - | get_adapter"),
            ("drop f's docstring", "docstring | - | f"),
            ("what if I remove the Flask.run docstring", "docstring | - | flask.run"),
            ("remove the setupmethod decorator from f", "decorator | setupmethod | f"),
            ("remove the decorator setupmethod from f", "decorator | setupmethod | f"),
            ("what if I remove the base class Scaffold from App", "base class | scaffold | app"),
            ("remove the import of url_for from templating.py", "import | url_for | templating.py"),
            ("if I take out the url_for import in templating.py", "import | url_for | templating.py"),
            ("delete the call to ctx.push() in the method wsgi_app", "call | ctx.push | wsgi_app"),
            ("what if f no longer calls g", "call | g | f"),
            ("what if f stops calling g", "call | g | f"),
            ("what if f had no docstring", "docstring | - | f"),
            ("what if f loses its decorator", "decorator | - | f"),
            ("what breaks without the try in f", "try | - | f"),
            ("is it safe if the raise in f is removed", "raise | - | f"),
            ("remove the if in f", "if | - | f"),
            ("drop the type hint of x in f", "type hint | x | f"),
            ("what if I remove the elif in f", "elif | - | f"),
            ("what if I drop the raise at the end of f", "raise | - | f"),
            ("can I delete the final return of f", "return | - | f"),
            ("what if I remove the assignment to self.x in f", "assignment | self.x | f"),
            ("can I remove the isinstance check in f", "check | isinstance | f"),
            ("what if I drop the condition in f", "condition | - | f"),
            ("what if I drop the return value of f", "return value | - | f"),
            ("what if I remove super().__init__ from C.__init__", "call | super | c.__init__"),
            ("what if I remove the call to super() in C.__init__", "call | super | c.__init__"),
            ("what if I remove the body of f", "body | - | f"),
            ("what if I remove the lambda in f", "lambda | - | f"),
            ("what happens if I remove the inner function in f", "inner function | - | f"),
            ("can I drop the nested function of f", "nested function | - | f"),
            ("what if I remove the retry logic from f", "retry logic | - | f"),
            ("can I remove the lock from C.f", "lock | - | c.f"),
            ("can I remove the argument x from f", ""),
            ("can I remove C.f from a.py", ""),
            ("what breaks if I remove f", ""),
            ("will removing f break anything", ""),
            ("does removing f raise errors in g", ""),
            ("what if f calls g", ""),
            ("does f call g if x", ""),
            ("who removed the docstring of f", ""),
            ("change the return type of f", ""),
            ("change the return value of f", ""),
            ("what does the docstring of f say", ""),
            ("what breaks if x is removed from f", ""),
        ] {
            let found = asked_part(&ParsedQuestion::parse(question)).map_or(String::new(), |part| {
                format!("{} | {} | {}", part.noun, part.named.as_deref().unwrap_or("-"), part.owner).to_lowercase()
            });
            assert_eq!(found, wanted.to_lowercase(), "{question}");
        }
    }
}
