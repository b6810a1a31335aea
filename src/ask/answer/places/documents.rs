//! Answers about documents that a question does not name by a path: `what does the changelog say about X`, `show the
//! section "Testing"`, `do the docs mention X`, `which page explains X`, `list the documents in docs/guides`.
//!
//! Words are looked for in the text of the sections. Whether a section explains them is not known: those with the words
//! in a title come first, and documents that tell what changed from version to version last.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use crate::{
    ask::{
        answer::{
            Answer, AnswerBlock, AnswerInputs, ListRow, Snippet,
            examples::{self, GENERATED},
            places::license::license,
            places::sections::{AskedSections, listed, speaking, stands_in, told_of, whole_section},
        },
        reading::{
            forms::QuestionIntent,
            names::NameMatch,
            plan::Understood,
            words::{QuestionWord, Shape, is_in, stem},
        },
    },
    model::EntityKind,
    query::{
        impact::completeness::{Boundary, Completeness},
        navigate::sections::section_text,
        target::likeliest::is_aside,
        words::{count, shell_word},
    },
    store::{error::StoreError, search::documents::SectionSummary},
};

/// The nouns for documents, and the names that their files have.
const NOUNS: [(&str, &str); 13] = [
    (
        "changelog|changelogs|change log|change notes|release notes|changes file|news file",
        "changelog changes history news \
        release-notes release_notes releases",
    ),
    ("readme|readme file|read me", "readme"),
    (
        "contributing guide|contributing guidelines|contribution guide|contribution guidelines|contributor guide|\
        contributing document|contributing file|contributing docs",
        "contributing contribute",
    ),
    ("license|licence|license file|licence file|licensed|licensing", "license licence copying"),
    ("code of conduct", "code_of_conduct code-of-conduct conduct"),
    ("security policy", "security"),
    (
        "upgrade guide|upgrade guides|upgrading guide|upgrade notes|migration guide",
        "upgrading upgrade upgrades upgrade-guide upgrade-guides upgrade_guide upgrade_guides migration migrating",
    ),
    ("installation guide|install guide|installation instructions", "installation install installing"),
    ("quickstart|quick start|quickstart guide", "quickstart quick-start quick_start"),
    ("faq|faqs|frequently asked questions", "faq faqs"),
    ("glossary", "glossary"),
    ("tutorial|tutorials", "tutorial tutorials"),
    ("cookbook|recipes", "cookbook recipes"),
];
/// Verbs by which a question asks for the contents of a document.
const SAYING: &str = "cover covers covered describe describes described discuss discusses discussed explain explains \
     explained mention mentions mentioned say says said speak speaks spoken stand stands state states stated talk talks \
     tell tells told written document documents documented note notes noted refer refers contain contains";
/// Words for all documents, and for one of them or a part.
const ALL: &str = "doc docs documentation documents manual";
const ONE: &str = "chapter chapters doc docs document documents documentation guide guides manual page pages section \
     sections tutorial tutorials";
const SECTION: &str = "chapter heading section subsection";
/// Words around those that are looked for.
const AROUND: &str = "a about all an and any anything are at can could do does ever for from give go has have how i in \
     is it me much of on or our please project's read should show something somewhere that the there to we what where \
     which with you your anywhere learn more class function method module topic subject repo repository project entry \
     entries be find list word words name here there's also with deal deals use using";

/// The sections with some words, and how they have them.
struct SpokenOf {
    row: ListRow,
    is_history: bool,
    in_title: bool,
    as_phrase: bool,
    times: usize,
}

/// Shows the section that has just the title of the question; `None` for other questions, and without such a section.
pub(in crate::ask::answer) fn titled_section(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = understood.question.lower_words();
    let first = words.first().map_or("", String::as_str);
    let is_asked = is_in("show print display open read view give find where what cat see", first)
        && words.iter().any(|word| is_in(SECTION, word));
    if !is_asked {
        return Ok(None);
    }
    let titles = asked_titles(&understood.plan.question);
    let mut found: Vec<(String, SectionSummary)> = reading.store.sections()?;
    let documents: Vec<String> =
        understood.plan.files.iter().map(|file| file.documents(reading.store)).collect::<Result<Vec<_>, _>>()?.concat();
    found.retain(|(path, section)| {
        let title = section.title.to_lowercase();
        titles.contains(&title) && (documents.is_empty() || documents.contains(path))
    });
    // A page that only lists definitions explains less, and a whole document with the title explains most.
    found.sort_by_cached_key(|(path, section)| {
        let lines = (section.start_line, section.end_line);
        let text = section_text(reading.sources, path, &section.title, lines).unwrap_or_default();
        let is_generated = GENERATED.iter().any(|directive| text.contains(directive));
        (is_history(path), is_generated, !section.above.is_empty(), Reverse(text.len()))
    });
    let Some((path, section)) = found.first() else { return Ok(None) };
    let mut answer = begun(understood);
    let place = format!("{path}:{}", section.start_line);
    answer.command = match found.len() {
        1 => format!("repoidx show {}", shell_word(&section.title)),
        _ => format!("repoidx show {place}"),
    };
    let more = match found.len() {
        1 => String::new(),
        all => format!("; {} have this title", count(all, "section")),
    };
    answer.headline = format!("the section `{}` stands at {place}-{}{more}", section.title, section.end_line);
    let lines = (section.start_line, section.end_line);
    answer.blocks.push(AnswerBlock::Source(Snippet {
        name: section.title.clone(),
        kind: EntityKind::Document,
        path: path.clone(),
        start_line: section.start_line,
        end_line: section.end_line,
        text: section_text(reading.sources, path, &section.title, lines),
    }));
    let rest: Vec<ListRow> = found.iter().skip(1).map(|(path, section)| whole_section(path, section)).collect();
    answer.list(format!("further sections with this title ({})", rest.len()), rest);
    Ok(Some(answer))
}

/// The titles that a question may mean, in lower case: those in quotes, or else the words around `section`.
fn asked_titles(question: &str) -> Vec<String> {
    const QUOTES: [(char, char); 5] = [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”'), ('‘', '’')];
    for (open, close) in QUOTES {
        let Some((before, behind)) = question.split_once(open) else { continue };
        let is_open = before.is_empty() || before.ends_with([' ', '(']);
        if let Some((inner, _)) = behind.split_once(close).filter(|_| is_open) {
            return vec![inner.trim().to_lowercase()];
        }
    }
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower.trim_end_matches(['?', '.', '!']).split_whitespace().collect();
    let Some(at) = words.iter().position(|word| is_in(SECTION, word)) else { return Vec::new() };
    let is_around =
        |word: &str| is_in("the a an me us please show print display open read view give find where what is are", word);
    let start = words[..at].iter().position(|word| !is_around(word)).unwrap_or(at);
    let mut behind = &words[at + 1..];
    while let [first, rest @ ..] = behind
        && is_in("called titled named on about", first)
    {
        behind = rest;
    }
    let ends = |word: &&&str| is_in("say says said in of from contain tell explain describe", word);
    let end = behind.iter().position(|word| ends(&word)).unwrap_or(behind.len());
    [words[start..at].join(" "), behind[..end].join(" ")].into_iter().filter(|title| !title.is_empty()).collect()
}

/// Answers what a document says that the question calls by a noun, `the changelog`; `None` for other questions.
pub(in crate::ask::answer) fn of_noun(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let parsed = &understood.question.words;
    let words = understood.question.lower_words();
    let Some((noun, names, place)) = noun_in(&words) else { return Ok(None) };
    let says = |(at, word): (usize, &String)| !place.contains(&at) && is_in(SAYING, word);
    let is_about = words.windows(2).any(|pair| pair[0] == "in" && is_in("the a your our its", &pair[1]));
    let asks_for_history = words.iter().any(|word| is_in("when who whose commit commits changed author", word));
    let has_file = understood.plan.files.iter().any(|file| !file.is_folder);
    let is_license = noun.starts_with("licen");
    if is_license && let Some(answer) = license(reading, understood) {
        return Ok(Some(answer));
    }
    let shows = shows_whole(understood, &words, &place);
    let is_asked = words.iter().enumerate().any(says) || shows;
    if !is_asked || asks_for_history || has_file || asks_for_code(&words) {
        return Ok(None);
    }
    let topic: Vec<&QuestionWord> = parsed
        .iter()
        .enumerate()
        .filter(|(at, word)| {
            let lower = word.lower();
            let says_nothing = [AROUND, SAYING, ONE].iter().any(|list| is_in(list, &lower));
            word.is_quoted || !shows && !place.contains(at) && !says_nothing
        })
        .map(|(_, word)| word)
        .collect();
    let asks_whether = asks_whether(&words);
    if topic.is_empty() && (asks_whether || is_about && !shows) {
        return Ok(None);
    }
    let groups = documents_called(reading, names)?;
    let asked = AskedSections { topic: &topic, asks_whether };
    let mut first = None;
    // A file at the root may only say where the whole text is.
    // An example may have a `README` of its own.
    let most = if noun.starts_with("read") { 1 } else { usize::MAX };
    for documents in groups.iter().take(most) {
        let mut answer = begun(understood);
        answer.command = format!("repoidx show {}", shell_word(&documents[0]));
        if told_of(reading, &mut answer, documents, &asked)? {
            // The one at the root may only say where the others are.
            let rest = groups.iter().flatten().filter(|path| shows && most > 1 && !documents.contains(path));
            let rest: Vec<&String> = rest.collect();
            if let Some(path) = rest.first() {
                answer.headline += &format!("; {} more are called so, first {path}", rest.len());
            }
            return Ok(Some(answer));
        }
        first.get_or_insert(answer);
    }
    let mut answer = first.unwrap_or_else(|| {
        let mut answer = begun(understood);
        answer.headline = format!("no document here is called `{noun}`");
        answer.command = understood.plan.ask_command();
        answer
    });
    let is_other = |path: &str| groups.iter().flatten().all(|one| one != path);
    let rows = spoken_of(reading, &topic, &is_other)?;
    answer.headline += &elsewhere(&rows, &topic);
    answer.beside(format!("sections of other documents ({})", rows.len()), listed_rows(rows));
    Ok(Some(answer))
}

/// Whether the question asks for a document or its contents as a whole: `open the changelog`.
fn shows_whole(understood: &Understood, words: &[String], place: &[usize]) -> bool {
    const SHOWING: &str = "cat contents display list open print read see show view";
    const WHOLE: &str = "a all are can chapter chapters content contents complete current display does entire file full has \
         have heading headings headlines in inside is it latest main me newest of our outline please print project project's read root \
         section sections see show structure table the titles toc up view what which whole you your";
    let is_verb =
        |word: &String| is_in(SHOWING, word) || is_in("sections headings chapters toc outline contents", word);
    let rest = (0..words.len()).filter(|at| !place.contains(at)).map(|at| &words[at]);
    // A definition of that name is meant before a document.
    let is_named = understood
        .plan
        .subjects
        .iter()
        .zip(&understood.targets)
        .any(|(subject, target)| subject.matched == NameMatch::Exact && !is_aside(&target.main().path));
    let asks =
        words.iter().any(is_verb) || is_in("what what's whats", &words[0]) && words.iter().any(|word| word == "in");
    !is_named && asks && rest.into_iter().all(|word| is_in(WHOLE, word) || is_in(SHOWING, word))
}

/// The noun for a document, the names of its files, and the places of its words.
fn noun_in(words: &[String]) -> Option<(&'static str, &'static str, Vec<usize>)> {
    let mut found: Option<(&'static str, &'static str, Vec<usize>)> = None;
    for (nouns, names) in NOUNS {
        for noun in nouns.split('|').map(str::trim) {
            let parts: Vec<&str> = noun.split_whitespace().collect();
            let at = words.windows(parts.len()).position(|window| window.iter().eq(&parts));
            let longest = found.as_ref().map_or(0, |(_, _, places)| places.len());
            if let Some(at) = at.filter(|_| parts.len() > longest) {
                found = Some((noun, names, (at..at + parts.len()).collect()));
            }
        }
    }
    found
}

/// The documents whose files have one of these names, in groups: those at the root before others, those of a folder
/// that is called so last.
fn documents_called(reading: AnswerInputs, names: &str) -> Result<Vec<Vec<String>>, StoreError> {
    let mut all: Vec<String> = reading.store.documents()?.into_iter().map(|(_, document)| document.path).collect();
    let depth = |path: &String| path.matches('/').count();
    let parts = |path: &str| -> Vec<String> {
        path.rsplit('/').next().unwrap_or(path).to_lowercase().split('.').map(str::to_owned).collect()
    };
    let mut groups: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for path in all.iter().filter(|path| is_in(names, &parts(path)[0])) {
        groups.entry(depth(path)).or_default().push(path.clone());
    }
    // `README.de.md` is a translation of the one that is meant.
    for group in groups.values_mut() {
        let are_plain = |path: &String| parts(path).len() < 3;
        if group.iter().any(are_plain) {
            group.retain(are_plain);
        }
    }
    all.retain(|path| path.rsplit('/').skip(1).any(|folder| is_in(names, &folder.to_lowercase())));
    // The newest version comes first.
    all.reverse();
    Ok(groups.into_values().chain([all]).filter(|group| !group.is_empty()).collect())
}

/// Lists the documents of a folder; `None` for other questions.
pub(in crate::ask::answer) fn documents_in(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = understood.question.lower_words();
    let speaks_of_documents =
        words.iter().any(|word| is_in("doc docs document documents page pages guides guide tutorials", word));
    if !speaks_of_documents {
        return Ok(None);
    }
    let Some(folder) = folder_in(reading, understood)? else { return Ok(None) };
    let is_rest = |word: &String| {
        let is_folder = word.trim_matches('/') == folder.to_lowercase();
        is_folder
            || is_in(ALL, word)
            || is_in(ONE, word)
            || is_in(
                "list show which what how many much me all every the are is there in inside under below of within \
                 folder directory files file exist available does contain contains have has hold text we find name give",
                word,
            )
    };
    if !words.iter().all(is_rest) {
        return Ok(None);
    }
    let mut answer = begun(understood);
    answer.plan.unknown.clear();
    answer.command = understood.plan.ask_command();
    let rows = listed(reading, &|path| is_inside(path, &folder))?;
    let first = rows.first().map(|row| format!(", first {}", row.path)).unwrap_or_default();
    answer.headline = format!("{} in {folder}{first}", count(rows.len(), "document"));
    answer.list(format!("documents in {folder} ({})", rows.len()), rows);
    Ok(Some(answer))
}

/// The folder with documents that the question names by its path.
fn folder_in(reading: AnswerInputs, understood: &Understood) -> Result<Option<String>, StoreError> {
    let documents = reading.store.documents()?;
    let has = |folder: &str| documents.iter().any(|(_, document)| is_inside(&document.path, folder));
    let words: Vec<&str> = understood.question.words.iter().map(|word| word.text.as_str()).collect();
    let bare = |word: &str| word.trim_start_matches("./").trim_matches('/').to_owned();
    // `docs` alone is a word for documents, unless `in` stands before it.
    let is_folder = |at: &usize| {
        let is_behind = *at > 0 && is_in("in under inside below folder", &words[at - 1].to_lowercase());
        let word = bare(words[*at]);
        !word.is_empty() && (word.contains('/') || is_behind) && has(&word)
    };
    Ok((0..words.len()).find(is_folder).map(|at| bare(words[at])))
}

fn is_inside(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// How a question asks for what documents say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AskedFor {
    /// `do the docs mention X`
    Whether,
    /// `which document covers X`
    Documents,
    /// `which section explains X`, `where is X described`
    Sections,
}

/// Answers `do the docs mention X`, `which document covers X` and `where is X described`; `None` for other questions.
pub(in crate::ask::answer) fn spoken_of_in_documents(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let parsed = &understood.question.words;
    let words = understood.question.lower_words();
    let Some(asked) = asked_for(&words) else { return Ok(None) };
    if understood.plan.files.iter().any(|file| !file.paths.is_empty() && !file.is_folder) || asks_for_code(&words) {
        return Ok(None);
    }
    let folder = folder_in(reading, understood)?.filter(|folder| !is_in(ALL, folder));
    let is_folder = |word: &QuestionWord| folder.as_deref() == Some(word.text.trim_matches('/'));
    let says_nothing = |word: &&QuestionWord| {
        let lower = word.lower();
        !word.is_quoted && (is_folder(word) || [AROUND, SAYING, ONE].iter().any(|list| is_in(list, &lower)))
    };
    let topic: Vec<&QuestionWord> = parsed.iter().filter(|word| !says_nothing(word)).collect();
    if topic.is_empty() {
        return Ok(None);
    }
    let is_meant = |path: &str| folder.as_deref().is_none_or(|folder| is_inside(path, folder));
    let mut rows = spoken_of(reading, &topic, &is_meant)?;
    let mut said = said(&topic);
    // Documents seldom write the whole name of a definition: `secho` stands for `click.termui.secho`.
    let mut is_part = false;
    if let ([name], [target]) = (topic.as_slice(), understood.targets.as_slice()) {
        let mut shorter = (*name).clone();
        while let (true, Some((_, rest))) =
            (rows.iter().all(|one| one.is_history), shorter.text.clone().split_once('.'))
        {
            rest.clone_into(&mut shorter.text);
            shorter.shape = Shape::Code;
            let found = spoken_of(reading, &[&shorter], &is_meant)?;
            if rows.is_empty() || found.iter().any(|one| !one.is_history) {
                rows = found;
                said.clone_from(&shorter.text);
                is_part = !said.contains('.') && target.main().record.qualified.contains('.');
            }
        }
    }
    let rows = if asked == AskedFor::Documents { by_documents(rows) } else { rows };
    let place =
        folder.as_ref().map_or_else(|| "the documents".to_owned(), |folder| format!("the documents in {folder}"));
    let documents: BTreeSet<&str> = rows.iter().map(|one| one.row.path.as_str()).collect();
    let are_apart = topic.len() > 1 && !rows.iter().any(|one| one.as_phrase);
    let mut answer = begun(understood);
    answer.plan.unknown.clear();
    answer.command = format!("repoidx search {} --kind document", shell_word(&said));
    for target in &understood.targets {
        answer.want(target.main(), "asked about", false);
    }
    let (sections, pages) = (count(rows.len(), "section"), count(documents.len(), "document"));
    let have = if rows.len() == 1 { "has" } else { "have" };
    answer.headline = match (asked, rows.first()) {
        (AskedFor::Whether, None) => format!("no: no section of {place} has `{said}`"),
        // Other readings know where code describes it.
        (_, None) => return Ok(None),
        (AskedFor::Whether, Some(first)) => {
            let yes = match (are_apart, is_part) {
                (true, _) => "perhaps: only apart from each other,",
                (false, true) => "perhaps, as the name alone may be another's:",
                (false, false) => "yes:",
            };
            let at = format!("first `{}` at {}:{}", first.row.name, first.row.path, first.row.line);
            format!("{yes} {sections} of {pages} {have} `{said}`, {at}")
        }
        (AskedFor::Documents, Some(first)) => {
            let more = if documents.len() > 1 { format!("; {pages} have it in all") } else { String::new() };
            let verb = if first.in_title { "has it in a title" } else { "has it in its text" };
            format!("`{said}`: {} {verb}, in `{}` (line {}){more}", first.row.path, first.row.name, first.row.line)
        }
        (AskedFor::Sections, Some(first)) => {
            let title = if first.in_title { "has it in its title" } else { "has it in its text" };
            let more = if rows.len() > 1 { format!("; {sections} of {pages} have it in all") } else { String::new() };
            format!("`{said}`: `{}` at {}:{} {title}{more}", first.row.name, first.row.path, first.row.line)
        }
    };
    let title =
        if asked == AskedFor::Documents { "documents and their first section with it" } else { "sections with it" };
    let rows = if asked == AskedFor::Documents { one_for_each_document(rows) } else { rows };
    answer.list(format!("{title} ({})", rows.len()), listed_rows(rows));
    let definitions: Vec<ListRow> = understood.targets.iter().map(|target| ListRow::of(target.main())).collect();
    answer.list(format!("definitions called so ({})", definitions.len()), definitions);
    let message = "sections are found by their words: others may speak of it without its name".to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("search", 1, message)]);
    Ok(Some(answer))
}

/// How the words ask for what documents say.
fn asked_for(words: &[String]) -> Option<AskedFor> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let has_verb = |words: &[&str]| words.iter().any(|word| is_in(SAYING, word));
    let is_all = |word: &str| is_in(ALL, word) || is_in("guide tutorial reference", word);
    match words.as_slice() {
        ["do" | "does" | "did", rest @ ..] => {
            let noun = rest.iter().take(3).position(|word| is_all(word))?;
            let is_head = rest[..noun].iter().all(|word| is_in("the any some your our project's its", word));
            let verb = rest.get(noun + 1)?;
            (is_head && is_in(SAYING, verb) || is_head && *verb == "ever" && has_verb(&rest[noun + 2..]))
                .then_some(AskedFor::Whether)
        }
        ["is" | "are" | "was", rest @ ..] => {
            let verb = rest.iter().position(|word| {
                is_in("mentioned described explained discussed covered documented spoken talked", word)
            })?;
            let place = &rest[verb + 1..];
            let is_place = matches!(place, ["in", .., noun] | ["anywhere" | "of", "in", .., noun] if is_in(ALL, noun));
            (verb > 0 && is_place && place.len() < 5).then_some(AskedFor::Whether)
        }
        ["which" | "what", noun, rest @ ..] if is_in(ONE, noun) => {
            let is_about = matches!(rest.first(), Some(&"about"))
                || matches!(rest, ["is" | "are", "about" | "on", ..])
                || matches!(rest, ["deal" | "deals", "with", ..]);
            let asks = rest.first().is_some_and(|verb| is_in(SAYING, verb))
                || is_about
                || matches!(rest, ["of", "the", docs, verb, ..] if is_all(docs) && is_in(SAYING, verb));
            let is_section = is_in("section sections chapter chapters", noun);
            // The words are looked for as they are written there.
            let asks = asks && !matches!(rest.first(), Some(&("mention" | "mentions")));
            asks.then_some(if is_section { AskedFor::Sections } else { AskedFor::Documents })
        }
        ["in", "which" | "what", noun, rest @ ..] if is_in(ONE, noun) && has_verb(rest) => {
            let is_section = is_in("section sections chapter chapters", noun);
            Some(if is_section { AskedFor::Sections } else { AskedFor::Documents })
        }
        // `where do we read the setting` is about code.
        ["where", "can" | "do" | "could" | "should", "i" | "we" | "you" | "one", "read" | "learn", rest @ ..] => {
            rest.iter().any(|word| is_in("about how more", word)).then_some(AskedFor::Sections)
        }
        ["where", "do" | "does", rest @ ..] => {
            let noun = rest.iter().take(3).position(|word| is_all(word))?;
            rest.get(noun + 1).is_some_and(|verb| is_in(SAYING, verb)).then_some(AskedFor::Sections)
        }
        ["where", "is" | "are", rest @ ..] => {
            let is_end = |words: &[&str]| {
                words.is_empty() || matches!(words, ["in", .., noun] if is_all(noun)) && words.len() < 5
            };
            let verb = rest
                .iter()
                .rposition(|word| is_in("described explained discussed mentioned covered documented", word))?;
            let in_docs = !rest[verb + 1..].is_empty();
            let is_plain = is_in("described explained discussed", rest[verb]);
            (verb > 0 && is_end(&rest[verb + 1..]) && (is_plain || in_docs)).then_some(AskedFor::Sections)
        }
        _ => None,
    }
}

/// Whether the question is for definitions: `which functions are mentioned in the changelog`.
fn asks_for_code(words: &[String]) -> bool {
    const CODE: &str = "attributes class classes constants exceptions functions method methods module modules names \
         parameters tests symbols definitions";
    let is_turned = words.first().is_some_and(|first| is_in("do does is where", first));
    let is_asked = |at: usize| {
        at == 0 || is_in("which what list show all every many find name the me are any public", &words[at - 1])
    };
    !is_turned && words.iter().take(4).enumerate().any(|(at, word)| is_in(CODE, word) && is_asked(at))
}

fn asks_whether(words: &[String]) -> bool {
    words.first().is_some_and(|word| is_in("do does did is are was has have", word))
}

fn said(topic: &[&QuestionWord]) -> String {
    let words: Vec<&str> = topic.iter().map(|word| word.text.as_str()).collect();
    words.join(" ")
}

/// An answer about documents, without what other readings of the question say of it.
fn begun(understood: &Understood) -> Answer {
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Documents).plan, String::new());
    answer.plan.notes.clear();
    answer
}

/// The sections that have all of the words, the likeliest to explain them first.
fn spoken_of(
    reading: AnswerInputs,
    topic: &[&QuestionWord],
    is_meant: &dyn Fn(&str) -> bool,
) -> Result<Vec<SpokenOf>, StoreError> {
    let mut found = Vec::new();
    if topic.is_empty() {
        return Ok(found);
    }
    let has_all = |text: &str| topic.iter().all(|word| stands_in(text, word));
    for (path, section) in reading.store.sections()? {
        if !is_meant(&path) {
            continue;
        }
        let Some((row, text)) = speaking(reading, &path, &section, topic) else { continue };
        let file = path.rsplit('/').next().unwrap_or(&path).replace(['_', '-', '.'], " ");
        found.push(SpokenOf {
            is_history: is_history(&path),
            in_title: has_all(&section.title) || has_all(&file),
            as_phrase: has_phrase(&format!("{}\n{text}", section.title), topic),
            times: text.lines().filter(|line| topic.iter().any(|word| stands_in(line, word))).count(),
            row,
        });
    }
    found.sort_by_key(|one| (one.is_history, !one.as_phrase, !one.in_title, Reverse(one.times)));
    Ok(found)
}

/// Whether the words stand one after the other in a text, in any form.
fn has_phrase(text: &str, topic: &[&QuestionWord]) -> bool {
    let parts = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let asked: Vec<String> = topic.iter().flat_map(|word| parts(&word.text)).map(|word| stem(&word)).collect();
    let all = parts(text);
    all.windows(asked.len()).any(|window| window.iter().zip(&asked).all(|(word, stem)| word.starts_with(stem)))
}

/// Whether a document tells what changed from version to version, or how to go from one to another.
fn is_history(path: &str) -> bool {
    let lower = path.to_lowercase();
    examples::is_history(path) || lower.contains("migrat") || lower.contains("upgrad")
}

/// The sections of other documents, behind a headline that has nothing.
fn elsewhere(rows: &[SpokenOf], topic: &[&QuestionWord]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let sections = count(rows.len(), "section");
    let have = if rows.len() == 1 { "has" } else { "have" };
    let row = &first.row;
    format!(
        "; {sections} of other documents {have} `{}`, first `{}` at {}:{}",
        said(topic),
        row.name,
        row.path,
        row.line
    )
}

/// The sections by their documents: those with the words in a title first, then those that have them most.
fn by_documents(mut rows: Vec<SpokenOf>) -> Vec<SpokenOf> {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for one in &rows {
        *times.entry(one.row.path.clone()).or_default() += one.times;
    }
    rows.sort_by_key(|one| (one.is_history, !one.as_phrase, !one.in_title, Reverse(times[&one.row.path])));
    rows
}

/// The first section of each document.
fn one_for_each_document(rows: Vec<SpokenOf>) -> Vec<SpokenOf> {
    let mut seen = BTreeSet::new();
    rows.into_iter().filter(|one| seen.insert(one.row.path.clone())).collect()
}

fn listed_rows(rows: Vec<SpokenOf>) -> Vec<ListRow> {
    rows.into_iter().map(|one| one.row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_a_setting_is_not_reading_about_one() {
        let asked = |text: &str| asked_for(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(asked("where can i read about settings"), Some(AskedFor::Sections));
        assert_eq!(asked("where do we read the setting debug"), None);
    }
}
