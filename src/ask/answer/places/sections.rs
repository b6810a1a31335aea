//! Answers about documents: the sections of one that a question names, those of them that speak of something, and which
//! documents there are.
//!
//! A document is read by its sections: their titles and first lines are its contents.

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, examples, in_words},
        reading::{
            forms::QuestionIntent,
            plan::{PlannedFile, Understood},
            relations::noun_of,
            words::{QuestionWord, Shape, is_in, stem},
        },
    },
    model::{EntityKind, conventions::is_name_part},
    query::{
        navigate::sections::section_text,
        words::{count, shell_word},
    },
    store::{error::StoreError, search::documents::SectionSummary},
};

/// Words for the parts of a document, and for all of them.
const SECTIONS: &str = "chapter chapters heading headings headline headlines section sections subsection subsections \
     title titles toc topic topics";
const CONTENTS: &str = "about contain contains content contents cover covered covers describe described describes discuss \
     discussed discusses document documented documents explain explained explains in inside mention mentioned mentions \
     outline overview say says speak speaks structure summarise summarize summary talk talks tell tells";
/// Words that ask to see all of a document.
const SHOWING: &str = "display open print read show view";
/// Words that ask for them and say nothing else.
const AROUND: &str = "a about all an and any anything are be can could describe display do does document each every file \
     find for from give have has how i is it list many me much name of on open or page parts please print read show \
     something table tell that the their there to us view what where which with within you";
/// Words that ask for something else of a file: its history, its size, its use.
const OF_FILES: &str = "author authors big bytes changed commit commits committed edited import imports large last length \
     line lines long modified size tested tests touched used uses when who whose words written wrote";
/// Words for documents, and for all of them.
const DOCUMENTS: &str =
    "document documents docs doc documentation guide guides page pages tutorial tutorials chapter chapters";
/// Words around a name that is asked for in the documents.
const SPOKEN_OF: &str = "a also an anywhere class covered described discussed documented ever explained function listed \
     mentioned method module named referenced the";
/// A shorter word has no stem.
const SHORTEST_STEM: usize = 4;
/// The words of a question among which the kind of definition stands that it asks for.
const LAST_HEAD: usize = 4;
/// Documents that a headline names.
const MAX_SAID: usize = 3;
/// Characters of a line that mentions something.
const LONGEST_LINE: usize = 120;

/// Answers `which sections does docs/guide.rst have`, `show README.md` and `what does CHANGES.rst say about url_for`;
/// `None` for other questions, and for those about code.
pub(in crate::ask::answer) fn sections_of(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = &understood.question.words;
    let [file] = understood.plan.files.as_slice() else { return Ok(None) };
    let has = |list: &str| words.iter().any(|word| is_in(list, &word.lower()));
    // `what does it say about tests`: the words behind are what is looked for.
    let mut before = words.iter().take_while(|word| word.lower() != "about");
    let asks_of_file = before.any(|word| is_in(OF_FILES, &word.lower()));
    let is_file = |word: &&QuestionWord| word.shape == Shape::Path || word.text == file.mention;
    let says_nothing = |word: &&QuestionWord| {
        let lower = word.lower();
        !word.is_quoted && [AROUND, SECTIONS, CONTENTS].iter().any(|list| is_in(list, &lower))
    };
    let topic: Vec<&QuestionWord> = words.iter().filter(|word| !is_file(word) && !says_nothing(word)).collect();
    // `which functions are mentioned in README.md` asks for code.
    let is_code = |word: &QuestionWord| noun_of(&word.lower()).is_some() && topic.contains(&word);
    let asks_for_code = words.iter().take(LAST_HEAD).any(is_code);
    let shows_all = has(SHOWING) || words.len() == 1;
    let is_asked = has(SECTIONS) || has(CONTENTS) || shows_all && topic.is_empty();
    if !is_asked || asks_for_code || asks_of_file || !file.paths.is_empty() {
        return Ok(None);
    }
    let mut documents = file.documents(reading.store)?;
    // The one at the root is meant before others of its name.
    let root = documents.iter().position(|path| path.eq_ignore_ascii_case(&file.mention));
    let others: Vec<String> = match root {
        Some(at) if documents.len() > 1 => {
            let root = documents.remove(at);
            std::mem::replace(&mut documents, vec![root])
        }
        _ => Vec::new(),
    };
    let asks_whether = words.first().is_some_and(|word| is_in("do does is are has have", &word.lower()));
    if documents.is_empty() || asks_whether && topic.is_empty() {
        return Ok(None);
    }
    let asked = understood.clone().read_as(QuestionIntent::Documents);
    let mut answer = Answer::new(asked.plan, String::new());
    answer.plan.notes.clear();
    if !others.is_empty() {
        let note = format!("`{}` is taken for {}; also: {}", file.mention, documents[0], others.join(", "));
        answer.plan.notes.push(note);
    }
    answer.command = documents.first().map_or_else(String::new, |first| format!("repoidx show {}", shell_word(first)));
    told_of(reading, &mut answer, &documents, &AskedSections { topic: &topic, asks_whether })?;
    Ok(Some(answer))
}

/// The words that sections must have, and whether the question is if there are any.
pub(super) struct AskedSections<'q> {
    pub(super) topic: &'q [&'q QuestionWord],
    pub(super) asks_whether: bool,
}

/// Lists the sections of documents that have the words, or all where there are none. Says whether some have them.
pub(super) fn told_of(
    reading: AnswerInputs,
    answer: &mut Answer,
    documents: &[String],
    asked: &AskedSections,
) -> Result<bool, StoreError> {
    let all = reading.store.sections()?;
    let mut headlines = Vec::new();
    let (mut without, mut is_told) = (Vec::new(), false);
    for document in documents {
        let own: Vec<&SectionSummary> =
            all.iter().filter(|(path, _)| path == document).map(|(_, section)| section).collect();
        if !asked.topic.is_empty() {
            let (headline, rows) = speaking_of(reading, document, &own, asked.topic, asked.asks_whether);
            is_told |= !rows.is_empty();
            let side = if rows.is_empty() { &mut without } else { &mut headlines };
            side.push(headline);
            answer.list(format!("sections of {document} ({})", rows.len()), rows);
            continue;
        }
        let rows: Vec<ListRow> = own.into_iter().map(|section| whole_section(document, section)).collect();
        is_told |= !rows.is_empty();
        headlines.push(match rows.len() {
            0 => format!("{document} has no sections"),
            all => format!("{document} has {}", count(all, "section")),
        });
        answer.list(format!("sections of {document} ({})", rows.len()), rows);
    }
    let mut said = if headlines.is_empty() { without } else { headlines };
    let more = said.len().saturating_sub(MAX_SAID);
    said.truncate(MAX_SAID);
    answer.headline = in_words(&said);
    if more > 0 {
        answer.headline += &format!("; {} likewise", count(more, "more document"));
    }
    Ok(is_told)
}

/// A section with the titles above it and its first line.
pub(in crate::ask::answer) fn whole_section(document: &str, section: &SectionSummary) -> ListRow {
    ListRow {
        name: section.title.clone(),
        kind: "section",
        path: document.to_owned(),
        line: section.start_line,
        end_line: section.end_line,
        note: section.above.clone(),
        text: section.lead.chars().take(LONGEST_LINE).collect(),
        ..ListRow::default()
    }
}

/// The sections of a document that have the words of a question, each at the first line with one of them.
fn speaking_of(
    reading: AnswerInputs,
    document: &str,
    sections: &[&SectionSummary],
    topic: &[&QuestionWord],
    asks_whether: bool,
) -> (String, Vec<ListRow>) {
    let mut rows = Vec::new();
    for section in sections {
        rows.extend(speaking(reading, document, section, topic).map(|(row, _)| row));
    }
    // A section with the words in its title is about them.
    let is_about = |row: &ListRow| topic.iter().all(|word| stands_in(&row.name, word));
    rows.sort_by_key(|row| !is_about(row));
    let asked: Vec<&str> = topic.iter().map(|word| word.text.as_str()).collect();
    let asked = asked.join(" ");
    let (yes, no) = if asks_whether { ("yes: ", "no: ") } else { ("", "") };
    let headline = match rows.first() {
        None => format!("{no}no section of {document} has `{asked}`"),
        Some(first) => {
            let verb = if rows.len() == 1 { "has" } else { "have" };
            let sections = count(rows.len(), "section");
            format!(
                "{yes}{sections} of {document} {verb} `{asked}`, first `{}` at {document}:{}",
                first.name, first.line
            )
        }
    };
    (headline, rows)
}

/// A section that has the words, at the first line with one of them, and its text.
pub(super) fn speaking(
    reading: AnswerInputs,
    document: &str,
    section: &SectionSummary,
    topic: &[&QuestionWord],
) -> Option<(ListRow, String)> {
    let lines = (section.start_line, section.end_line);
    let text = section_text(reading.sources, document, &section.title, lines).unwrap_or_default();
    let whole = format!("{}\n{text}", section.title);
    if !topic.iter().all(|word| stands_in(&whole, word)) {
        return None;
    }
    let at = text.lines().position(|line| topic.iter().any(|word| stands_in(line, word))).unwrap_or_default();
    let line = section.start_line + u32::try_from(at).unwrap_or_default();
    let shown = text.lines().nth(at).unwrap_or_default().trim().chars().take(LONGEST_LINE).collect();
    Some((ListRow { line, end_line: 0, text: shown, ..whole_section(document, section) }, text))
}

/// Whether a text has a word: a name as it is written, another word in any case and form.
pub(super) fn stands_in(text: &str, word: &QuestionWord) -> bool {
    let is_short = word.text.chars().count() < SHORTEST_STEM;
    let is_single = word.text.chars().count() == 1;
    let is_name =
        word.is_quoted || word.shape == Shape::Code || word.text.chars().skip(1).any(char::is_uppercase) || is_single;
    // `Windows` is a name too, and no form of `window`, but documents may have it in small letters.
    let is_whole = is_name || is_short || word.text.starts_with(char::is_uppercase);
    let (text, word) = match (is_name, is_whole) {
        (true, _) => (text.to_owned(), word.text.clone()),
        (false, true) => (text.to_lowercase(), word.lower()),
        (false, false) => (text.to_lowercase(), stem(&word.lower())),
    };
    text.match_indices(&word).any(|(at, found)| {
        let (before, behind) = (&text[..at], &text[at + found.len()..]);
        let goes_on = is_whole && behind.starts_with(is_name_part);
        // `e.g.`
        let is_abbreviated = is_single && (before.ends_with(['.', '-', '/', '\'']) || behind.starts_with(['-', '/']));
        !goes_on && !is_abbreviated && !before.ends_with(is_name_part)
    })
}

/// Answers `list all documents` and `is there a document about testing`; `None` for other questions.
pub(in crate::ask::answer) fn documents_of(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let parsed = &understood.question.words;
    let lower = understood.question.lower_words();
    let words: Vec<&str> = lower.iter().map(String::as_str).collect();
    let Some(noun) = words.iter().position(|word| is_in(DOCUMENTS, word)) else { return Ok(None) };
    let (head, tail) = (&words[..noun], &words[noun + 1..]);
    let is_list = match head {
        ["how", "many" | "much"] => true,
        [first, rest @ ..] => {
            is_in("list show which what name give find all are", first)
                && rest.iter().all(|word| is_in("me all the every of there any are indexed", word))
        }
        [] => false,
    };
    let is_end = |word: &&str| {
        is_in("are there exist exists here is in indexed the repo repository project we have does it you", word)
    };
    if is_list
        && tail.iter().all(is_end)
        && understood.plan.files.is_empty()
        && !is_in("docs doc documentation", words[noun])
        || is_list && tail.is_empty() && words[noun] == "docs"
    {
        return Ok(Some(all_documents(reading, understood)?));
    }
    let ["is" | "are", "there", rest @ ..] = head else { return Ok(None) };
    let is_about = matches!(tail.first(), Some(&("about" | "on" | "for" | "describing" | "explaining")));
    if !rest.iter().all(|word| is_in("a an any some", word)) || !is_about || !understood.plan.files.is_empty() {
        return Ok(None);
    }
    let topic: Vec<&QuestionWord> = parsed[noun + 2..].iter().filter(|word| !is_in(AROUND, &word.lower())).collect();
    let is_name = |word: &&&QuestionWord| word.shape == Shape::Code || word.is_quoted;
    if topic.is_empty() || topic.iter().any(|word| is_name(&word)) || is_in("docs doc documentation", words[noun]) {
        return Ok(None);
    }
    let asked = understood.clone().read_as(QuestionIntent::Documents);
    let mut answer = Answer::new(asked.plan.clone(), String::new());
    answer.plan.notes.clear();
    answer.command = asked.command();
    let (mut titled, mut others) = (Vec::new(), Vec::new());
    for (path, section) in reading.store.sections()? {
        let lines = (section.start_line, section.end_line);
        let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
        let titles = format!("{} {} {}", section.title, section.above, name.replace(['_', '-', '.'], " "));
        let has = |text: &str| topic.iter().all(|word| stands_in(text, word));
        if has(&titles) {
            titled.push(whole_section(&path, &section));
        } else if has(&section_text(reading.sources, &path, &section.title, lines).unwrap_or_default()) {
            others.push(whole_section(&path, &section));
        }
    }
    let asked: Vec<&str> = topic.iter().map(|word| word.text.as_str()).collect();
    let asked = asked.join(" ");
    answer.headline = match (titled.first(), others.first()) {
        (Some(first), _) => {
            format!("yes: `{}` is about `{asked}` ({}:{})", first.name, first.path, first.line)
        }
        (None, Some(first)) => format!(
            "no document has `{asked}` in a title; {} in the text, first `{}` at {}:{}",
            if others.len() == 1 {
                "1 section has it".to_owned()
            } else {
                format!("{} sections have it", others.len())
            },
            first.name,
            first.path,
            first.line
        ),
        (None, None) => format!("no: no document has `{asked}`"),
    };
    answer.list(format!("sections with `{asked}` in a title or in the name of the file ({})", titled.len()), titled);
    answer.beside(format!("further sections with `{asked}` ({})", others.len()), others);
    Ok(Some(answer))
}

fn all_documents(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let asked = understood.clone().read_as(QuestionIntent::Documents);
    let mut answer = Answer::new(asked.plan, String::new());
    answer.plan.notes.clear();
    let rows = listed(reading, &|_| true)?;
    answer.headline = match rows.len() {
        0 => "no document is indexed".to_owned(),
        all => format!("{} in the repository", count(all, "document")),
    };
    answer.list(format!("documents ({})", rows.len()), rows);
    Ok(answer)
}

/// The documents that are meant, each with its first title and the number of its sections.
pub(super) fn listed(reading: AnswerInputs, is_meant: &dyn Fn(&str) -> bool) -> Result<Vec<ListRow>, StoreError> {
    let sections = reading.store.sections()?;
    let mut rows = Vec::new();
    for (_, document) in reading.store.documents()?.into_iter().filter(|(_, document)| is_meant(&document.path)) {
        let mut own = sections.iter().filter(|(path, _)| *path == document.path).map(|(_, section)| section);
        let Some(first) = own.next() else { continue };
        let all = own.count() + 1;
        rows.push(ListRow {
            name: first.title.clone(),
            kind: EntityKind::Document.as_str(),
            path: document.path.clone(),
            line: first.start_line,
            note: count(all, "section"),
            ..ListRow::default()
        });
    }
    Ok(rows)
}

/// Answers `is X mentioned in the docs` like `is X documented`; `None` for other questions.
pub(in crate::ask::answer) fn mentioned_in_documents(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    let ["is" | "are", .., place] = words.as_slice() else { return Ok(None) };
    let is_noun = |word: &str| is_in(DOCUMENTS, word) || is_in("manual readme reference", word);
    let Some(at) = words.iter().rposition(|word| *word == "in") else { return Ok(None) };
    let names: Vec<String> = understood
        .plan
        .subjects
        .iter()
        .map(|subject| &subject.mention)
        .chain(understood.plan.unknown.iter().map(|unknown| &unknown.mention))
        .map(|mention| mention.to_lowercase())
        .collect();
    let is_plain = |word: &&str| {
        is_in(SPOKEN_OF, word) || names.iter().any(|name| *name == **word || name.split('.').any(|part| part == *word))
    };
    let is_place = words.len() - at < 4 && is_noun(place);
    if !is_place || names.is_empty() || at < 2 || !words[1..at].iter().all(is_plain) {
        return Ok(None);
    }
    let mut asked = understood.clone().read_as(QuestionIntent::Documents);
    // `docs` is where to look, and no folder of code.
    asked.plan.files.retain(|file: &PlannedFile| !file.is_folder);
    let mut answer = examples::documents(reading, &asked)?;
    answer.command = asked.command();
    Ok(Some(answer).filter(|answer| !answer.headline.is_empty()))
}
