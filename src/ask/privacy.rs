//! Questions about what is read, kept back, masked and sent: the ignore files, the log of requests and the settings
//! answer them.
//!
//! Nothing here reads the log or the settings: who asks tells them as plain data, and only once such a question comes.

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow},
        reading::{
            forms::{QuestionIntent, patterns::Phrase},
            plan::Understood,
        },
    },
    query::words::count,
    store::error::StoreError,
};

/// The facts from the settings, the ignore files and the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Privacy {
    /// The ignore files that are there, each with the number of its rules.
    pub rules: Vec<(String, usize)>,
    /// Python files and documents that `.repoidxignore` keeps out of the index.
    pub ignored: Vec<String>,
    /// Indexed files and documents that no model is shown.
    pub withheld: Vec<String>,
    /// The language model of the settings; empty for none.
    pub provider: String,
    /// Whether the settings have vectors made by a service.
    pub embeds_remotely: bool,
    /// `None` where the log is not at hand.
    pub sent: Option<SentSoFar>,
}

/// The entries of the log of requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SentSoFar {
    pub requests: usize,
    /// Which requests, or why the log does not tell.
    pub words: String,
    pub is_known: bool,
}

/// The subject of a question about privacy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PrivacyMatter {
    Withheld,
    Sent,
    Sends,
    OneFile,
    Ignored,
    Secrets,
    /// Whether secrets are masked, whatever there is.
    Masking,
    /// How a file is kept back.
    Keeping,
}

const WITHHELD: &str = "withheld/hidden/kept/excluded/protected/blocked/hide/withhold .. model/models/llm/llms/ai/prompt/prompts | \
     model/models/llm/llms/ai .. not/never .. see/read/get | never sent | ^ which/what files .. withheld $ | \
     ^ what/which .. is/are withheld $";
const SENT: &str = "^ was/were/has/have/did/is .. anything/something/nothing/code/source/data/prompt/prompts .. \
     sent/send/uploaded/transmitted/left/leave/leaked | ^ what/which .. was/were/has/have/is/are .. sent/transmitted/uploaded $ | \
     ^ what did you/it/repoidx .. send $ | sent/send/uploaded to .. model/models/llm/llms/provider/ai/openai/anthropic/claude/chatgpt | \
     ^ how many/much .. requests/bytes/data .. sent $ | ^ which/what requests .. sent/logged $";
const SENDS: &str = "^ do/does/will/can/could/is/are .. you/this/it/repoidx/tool .. send/sends/sending/upload/uploads/share/shares/leak/leaks/transmit ... \
     code/source/data/anything/anywhere/repository/repo/files/something | \
     my/our/the code/source/data .. leave/leaves .. machine/computer/laptop/network | \
     ^ is my/our/the code/source/data .. sent/uploaded/shared/private | ^ do/does .. phone home | \
     ^ is/are/does .. telemetry/analytics";
const ONE_FILE: &str = "^ why ... not/n't in the index | ^ why isn't/aren't ... in the index | ^ is/are ... in the index & !up to date | ^ is/are/why ... ignored/excluded/indexed/withheld/skipped | ^ is/are ... hidden from | \
     ^ do/does .repoidxignore/.aiignore ... match/name/cover/ignore";
const IGNORED: &str = "^ which/what/list/show .. files/documents/modules/paths/folders/directories .. left/kept out | \
     ^ which/what .. files .. do/does .repoidxignore/.aiignore .. cover/match/name/ignore/exclude/hide | ^ which/what/list/show .. files/documents/modules/paths/folders/directories .. \
     ignored/excluded/skipped/unindexed & !import* | ^ which/what/list/show .. files/documents/paths/folders .. not .. indexed | \
     ^ list/show .. ignored/excluded/unindexed .. files | ^ what is/are .. ignored/excluded/skipped $ | \
     ^ what does/do .. ignore file/files/rules .. say/contain/have | ^ what does/do/is .. .repoidxignore/repoidxignore/.aiignore/aiignore/.cursorignore/cursorignore | ^ which/what ignore .. rules/files/patterns | \
     ^ are there .. ignored/excluded files";
const SECRETS: &str = "^ is/are there ... secret/secrets/credential/credentials/password/passwords/tokens/keys .. \
     in .. repo/repository/code/project/codebase/source | \
     hard-coded/hardcoded/leaked/committed/plaintext .. secret/secrets/credential/credentials/password/passwords/tokens/keys | \
     hard coded .. secret/secrets/credential/credentials/password/passwords/tokens/keys | \
     secret/secrets/credential/credentials/password/passwords .. hard-coded/hardcoded/leaked/committed/masked/redacted/hidden | \
     ^ where are .. secrets/credentials $ | ^ which/what secrets/credentials .. there/here/in/found | \
     ^ do/does .. this/the/it/repo/repository/project/code .. contain/have/has .. secret/secrets/credential/credentials/passwords | \
     ^ which/what values/lines/files .. masked/redacted | ^ which/what files .. contain/have .. secrets/credentials";

const MASKING: &str = "^ is/are/do/does/will .. secret/secrets/passwords/credentials/tokens .. \
     hidden/masked/redacted/safe/shown/stripped/removed/filtered & !in .. file/files & !repo* & !code";
const KEEPING: &str = "^ how do/can/could/would/should i/we/one .. stop/exclude/keep/prevent/hide/ignore/withhold/skip/leave ... \
     index/model/models/ai/llm/repoidx/indexing/prompt/prompts";

/// The answer to a question about privacy; `None` for any other question.
pub(in crate::ask) fn told(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let phrase = Phrase::of_words(understood.question.lower_words());
    let Some(asked) = asked(&phrase) else { return Ok(None) };
    let mut plan = understood.clone().read_as(QuestionIntent::Repository).plan;
    plan.notes.clear();
    plan.unknown.clear();
    let mut answer = Answer::new(plan, String::new());
    "repoidx status".clone_into(&mut answer.command);
    let privacy = (reading.privacy)();
    match asked {
        PrivacyMatter::Withheld => withheld(&privacy, &mut answer),
        PrivacyMatter::Sent => {
            answer.headline = sent(&privacy, phrase.has("^ was/were/has/have/did/is"));
            "repoidx status --requests".clone_into(&mut answer.command);
        }
        PrivacyMatter::Sends => answer.headline = sends(&privacy),
        PrivacyMatter::OneFile => {
            let Some(headline) = one_file(reading, understood, &privacy)? else { return Ok(None) };
            answer.headline = headline;
        }
        PrivacyMatter::Ignored => ignored(reading, &privacy, &mut answer)?,
        PrivacyMatter::Masking => {
            let verdict = if phrase.has("shown") { "no" } else { "yes" };
            answer.headline = format!(
                "{verdict}: values that look like secrets, by their shape or their name, are masked in every answer and prompt"
            );
        }
        PrivacyMatter::Keeping => {
            answer.headline = format!(
                "name it in `.repoidxignore` to keep it out of the index, or in `.aiignore` to keep it from models alone; \
                 today {}",
                rules(&privacy)
            );
        }
        PrivacyMatter::Secrets => secrets(reading, understood, phrase.has("^ is/are/do/does"), &mut answer)?,
    }
    Ok(Some(answer))
}

fn asked(phrase: &Phrase) -> Option<PrivacyMatter> {
    let readings = [
        (KEEPING, PrivacyMatter::Keeping),
        (MASKING, PrivacyMatter::Masking),
        (WITHHELD, PrivacyMatter::Withheld),
        (SENDS, PrivacyMatter::Sends),
        (SENT, PrivacyMatter::Sent),
        (IGNORED, PrivacyMatter::Ignored),
        (ONE_FILE, PrivacyMatter::OneFile),
        (SECRETS, PrivacyMatter::Secrets),
    ];
    readings.into_iter().find(|(patterns, _)| phrase.has(patterns)).map(|(_, asked)| asked)
}

fn withheld(privacy: &Privacy, answer: &mut Answer) {
    let rules = rules(privacy);
    if privacy.withheld.is_empty() {
        answer.headline =
            format!("none: no indexed file is kept from language models ({rules}); files such as `.env` always are");
        return;
    }
    let number = privacy.withheld.len();
    answer.headline = format!("{} kept from language models ({rules})", are(number, "file"));
    let rows = privacy.withheld.iter().map(|path| file_row(path)).collect();
    answer.list(format!("files that no model is shown ({number})"), rows);
}

fn ignored(reading: AnswerInputs, privacy: &Privacy, answer: &mut Answer) -> Result<(), StoreError> {
    let mut rows: Vec<ListRow> = Vec::new();
    for path in &privacy.ignored {
        rows.push(file_row(path).with("named in .repoidxignore"));
    }
    let files = reading.store.files()?.into_iter().map(|(_, file)| (file.path, file.skipped));
    let documents = reading.store.documents()?.into_iter().map(|(_, document)| (document.path, document.skipped));
    for (path, skipped) in files.chain(documents).filter(|(_, skipped)| !skipped.is_empty()) {
        rows.push(file_row(&path).with(skipped));
    }
    let rules = rules(privacy);
    answer.headline = match rows.len() {
        0 => format!("none: every Python file and document that git does not ignore is indexed ({rules})"),
        number => format!("{} not indexed ({rules}); what git ignores is never read", are(number, "file")),
    };
    if !rows.is_empty() {
        answer.list(format!("files that are not indexed ({})", rows.len()), rows);
    }
    Ok(())
}

/// The file that the question names, and whether it is ignored or withheld; `None` where it names none.
fn one_file(reading: AnswerInputs, understood: &Understood, privacy: &Privacy) -> Result<Option<String>, StoreError> {
    let is_path =
        |word: &&str| word.len() > 2 && (word.contains('.') || word.contains('/')) && !word.starts_with(".repo");
    let words: Vec<&str> = understood.question.words.iter().map(|word| word.text.as_str()).collect();
    let Some(name) = words.into_iter().find(is_path) else { return Ok(None) };
    let name = name.trim_matches(['`', '"', '\'', '?']).trim_start_matches("./");
    let below = |path: &str| {
        let is_end =
            path.strip_suffix(name.trim_end_matches('/')).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
        is_end || name.ends_with('/') && path.starts_with(name)
    };
    let first = |paths: &[String]| paths.iter().find(|path| below(path)).cloned();
    let asks_indexed = understood.question.lower_words().iter().any(|word| word == "indexed" || word == "index");
    let (yes, no) = if asks_indexed { ("no", "yes") } else { ("yes", "no") };
    if let Some(path) = first(&privacy.ignored) {
        return Ok(Some(format!("{yes}: `.repoidxignore` names {path}, so it is not indexed")));
    }
    let files = reading.store.files()?.into_iter().map(|(_, file)| (file.path, file.skipped));
    let documents = reading.store.documents()?.into_iter().map(|(_, document)| (document.path, document.skipped));
    let Some((path, skipped)) = files.chain(documents).find(|(path, _)| below(path)) else { return Ok(None) };
    Ok(Some(match first(&privacy.withheld) {
        _ if !skipped.is_empty() => format!("{yes}: {path} is not indexed: {skipped}"),
        Some(_) => format!("{no}: {path} is indexed, but kept from language models ({})", rules(privacy)),
        None => format!("{no}: {path} is indexed, and no ignore file keeps it out"),
    }))
}

fn sent(privacy: &Privacy, is_polar: bool) -> String {
    match &privacy.sent {
        None => "the log of requests is not read here: `repoidx status --requests` lists what was sent".to_owned(),
        Some(SentSoFar { is_known: false, words, .. }) => format!("not known: {words}"),
        Some(SentSoFar { requests: 0, .. }) => {
            let no = if is_polar { "no: " } else { "" };
            format!("{no}nothing was sent to a language model or an embedder: the log of requests is empty")
        }
        Some(SentSoFar { words, .. }) => format!("{}{words}", if is_polar { "yes: " } else { "" }),
    }
}

fn sends(privacy: &Privacy) -> String {
    let so_far = match &privacy.sent {
        Some(SentSoFar { requests: 0, is_known: true, .. }) => "; nothing was sent so far".to_owned(),
        Some(SentSoFar { words, .. }) => format!("; so far: {words}"),
        None => String::new(),
    };
    match (privacy.provider.as_str(), privacy.embeds_remotely) {
        ("" | "none", false) => {
            format!("no: no language model and no remote embedder is set, so nothing is sent{so_far}")
        }
        ("" | "none", true) => {
            format!("yes: the settings have a remote embedder, which is sent texts without secrets{so_far}")
        }
        (provider, _) => {
            format!("yes: `ask` sends prompts without secrets to the provider of the settings, `{provider}`{so_far}")
        }
    }
}

/// The lines that are masked, those of the files that the question names.
fn secrets(
    reading: AnswerInputs,
    understood: &Understood,
    is_polar: bool,
    answer: &mut Answer,
) -> Result<(), StoreError> {
    let named: Vec<&String> = understood.plan.files.iter().flat_map(|file| &file.paths).collect();
    let files = reading.store.files()?.into_iter().map(|(_, file)| file.path);
    let documents = reading.store.documents()?.into_iter().map(|(_, document)| document.path);
    let paths: Vec<String> = files.chain(documents).filter(|path| named.is_empty() || named.contains(&path)).collect();
    let mut rows: Vec<ListRow> = Vec::new();
    let mut holders = 0;
    for path in &paths {
        let lines = reading.sources.masked_lines(path);
        holders += usize::from(!lines.is_empty());
        rows.extend(lines.into_iter().map(|(line, text)| ListRow::line(path, line, text)));
    }
    let found = count(rows.len(), "line");
    answer.headline = match (rows.len(), is_polar) {
        (0, _) => format!(
            "{}nothing in {} looks like a secret; one that looks like an ordinary word cannot be recognized",
            if is_polar { "no: " } else { "none: " },
            count(paths.len(), "indexed file")
        ),
        (_, true) => {
            format!("yes: {found} in {} may hold a secret; it is masked wherever it is shown", count(holders, "file"))
        }
        (_, false) => {
            format!("{found} in {} may hold a secret; it is masked wherever it is shown", count(holders, "file"))
        }
    };
    if !rows.is_empty() {
        answer.list(format!("lines that are masked ({})", rows.len()), rows);
    }
    answer.command.clear();
    Ok(())
}

/// A file without a line of it.
fn file_row(path: &str) -> ListRow {
    ListRow { name: path.to_owned(), kind: "file", path: path.to_owned(), line: 1, ..ListRow::default() }
}

/// The ignore files in words.
fn rules(privacy: &Privacy) -> String {
    if privacy.rules.is_empty() {
        return "there is no `.repoidxignore` and no `.aiignore`".to_owned();
    }
    let each = privacy.rules.iter().map(|(file, rules)| format!("`{file}` has {}", count(*rules, "rule")));
    each.collect::<Vec<_>>().join(", ")
}

fn are(number: usize, noun: &str) -> String {
    format!("{} {}", count(number, noun), if number == 1 { "is" } else { "are" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<PrivacyMatter> {
        let words = text.trim_end_matches('?').split_whitespace().map(str::to_lowercase).collect();
        asked(&Phrase::of_words(words))
    }

    #[test]
    fn questions_about_privacy_are_told_from_those_about_code() {
        for (text, wanted) in [
            ("which files are ignored?", PrivacyMatter::Ignored),
            ("which files are not indexed?", PrivacyMatter::Ignored),
            ("what is ignored?", PrivacyMatter::Ignored),
            ("is app/a.py ignored?", PrivacyMatter::OneFile),
            ("why is app/a.py not indexed?", PrivacyMatter::OneFile),
            ("was anything sent to a model?", PrivacyMatter::Sent),
            ("what was sent?", PrivacyMatter::Sent),
            ("has any code been sent to an LLM?", PrivacyMatter::Sent),
            ("which files are withheld from models?", PrivacyMatter::Withheld),
            ("which files does the model not see?", PrivacyMatter::Withheld),
            ("does this send my code anywhere?", PrivacyMatter::Sends),
            ("does my code leave my machine?", PrivacyMatter::Sends),
            ("is there a secret in this repository?", PrivacyMatter::Secrets),
            ("are there hardcoded passwords?", PrivacyMatter::Secrets),
            ("where are secrets masked?", PrivacyMatter::Secrets),
            ("are secrets hidden in answers?", PrivacyMatter::Masking),
            ("which files are left out of the index?", PrivacyMatter::Ignored),
            ("why is app/a.py not in the index?", PrivacyMatter::OneFile),
            ("how do I stop a file from being sent to the AI?", PrivacyMatter::Keeping),
            ("is telemetry collected?", PrivacyMatter::Sends),
        ] {
            assert_eq!(of(text), Some(wanted), "{text}");
        }
        for text in [
            "where is the request sent?",
            "which functions send a request?",
            "what is sent by Session.send?",
            "who calls check_password?",
            "which headers are ignored?",
            "where is the password checked?",
            "are the keys of a MultiDict shown?",
            "is send used anywhere?",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn what_was_sent_is_told_in_its_polarity() {
        let none = Privacy { sent: Some(SentSoFar { is_known: true, ..SentSoFar::default() }), ..Privacy::default() };
        assert!(sent(&none, true).starts_with("no: nothing was sent"));
        assert!(sent(&none, false).starts_with("nothing was sent"));
        assert!(sends(&none).starts_with("no: "));
        let some = SentSoFar { requests: 1, words: "1 request".to_owned(), is_known: true };
        let some = Privacy { sent: Some(some), provider: "ollama".to_owned(), ..Privacy::default() };
        assert_eq!(sent(&some, true), "yes: 1 request");
        assert!(sends(&some).starts_with("yes: ") && sends(&some).ends_with("so far: 1 request"));
    }
}
