//! Questions about what is read, kept back, masked and sent: the ignore files, the log of requests and the settings
//! answer them.
//!
//! Nothing here reads the log or the settings: who asks tells them as plain data, and only once such a question comes.

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow},
        limited_secrets::SecretLimits,
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
    /// The files that a model may see, and the contents of a prompt.
    Seen,
    Prompt,
    /// Files of settings with secrets, such as `.env`.
    DotEnv,
    /// Where the index is.
    Place,
}

const WITHHELD: &str = "^ which/what files .. .aiignore/aiignore | withheld/hidden/kept/excluded/protected/blocked/hide/withhold .. model/models/llm/llms/ai/prompt/prompts | \
     model/models/llm/llms/ai .. not/never .. see/read/get | never sent | ^ which/what files .. withheld $ | \
     ^ what/which .. is/are withheld $";
const SENT: &str = "^ was/were/has/have/did/is .. anything/something/nothing/code/source/data/prompt/prompts .. \
     sent/send/uploaded/transmitted/left/leave/leaked | ^ what/which .. was/were/has/have/is/are .. sent/transmitted/uploaded $ | \
     ^ what did you/it/repoidx .. send $ | sent/send/uploaded to .. model/models/llm/llms/provider/ai/openai/anthropic/claude/chatgpt | \
     ^ how many/much .. requests/bytes/data .. sent $ | ^ how many requests were made & !per & !in | \
     ^ when was .. something/anything/it/request .. sent $ | ^ which/what requests .. sent/logged $";
const SENDS: &str = "^ do/does/will/can/could/is/are .. you/this/it/repoidx/tool .. send/sends/sending/upload/uploads/share/shares/leak/leaks/transmit ... \
     code/source/data/anything/anywhere/repository/repo/files/something | \
     my/our/the code/source/data .. leave/leaves .. machine/computer/laptop/network | \
     ^ is my/our/the code/source/data .. sent/uploaded/shared | ^ do/does .. phone home | \
     ^ is/are/do/does .. telemetry/analytics | ^ do/does .. repoidx/it/this/you/tool need/needs/require/requires/use/uses .. network/internet/connection | \
     ^ do i/we need .. internet/network/connection .. this/it/repoidx/tool/you & !test & !tests | ^ do i/we need .. internet/network/connection $ | \
     ^ can/could/do/does/will this/it/repoidx/you/i/we .. offline & !test & !tests | \
     ^ do/does/will .. code/source/data .. stay/stays .. local/here/private/machine | ^ is/are .. code/source/data private/local/safe $ | \
     ^ who .. see/sees/read/reads/get/gets .. my/our code/source/data";
const ONE_FILE: &str = "^ why ... not/n't in the index | ^ why isn't/aren't ... in the index | ^ is/are ... in the index & !up to date | ^ is/are/why ... ignored/excluded/indexed/withheld/skipped | ^ is/are ... hidden from | \
     ^ do/does .repoidxignore/.aiignore ... match/name/cover/ignore";
/// Whether a model is shown a file, where the question names one.
const FILE_SENT: &str = "^ is/are/was/will/would/does/do/can/may ... sent/shown/visible/see/sees/read/reads .. model/models/ai/llm/llms/provider | \
     ^ can/may/will/does/do the/a/an model/models/ai/llm/llms see/read";
const SEEN: &str = "^ which/what files/file/code/source .. model/models/ai/llm/llms .. see/sees/read/reads & !not & !never | \
     ^ what do/does/can .. model/models/ai/llm/llms .. see/get/read & !not & !never | \
     ^ which/what files/file/code .. is/are/be .. sent/shown/visible .. model/models/ai/llm/llms & !not & !never";
const PROMPT: &str = "^ what is/are/gets/would/will .. sent/send .. model/models/ai/llm/llms/provider/openai/anthropic/ollama | \
     ^ what do/does/would/will .. you/it/repoidx/tool .. send .. model/models/ai/llm/llms/provider/openai/anthropic/ollama";
const DOT_ENV: &str = "^ is/are/can/do/does/will/would ... .env/env/dotenv ... read/safe/see/sent/indexed/shown/ignored/private/file/files/index & !variable* | \
     ^ is/are/can/do/does/will/would ... read/see/send/index/show ... .env/env/dotenv & !variable*";
const PLACE: &str = "^ where is/are .. index .. stored/kept/saved/located $ | ^ where is/are .. repoidx .. index/database/data | \
     ^ where do/does .. repoidx/you/tool .. keep/keeps/store/stores/save/saves/put/puts .. index/data/database/files | \
     ^ where is the index $";
const IGNORED: &str = "^ which/what/list/show .. files/documents/modules/paths/folders/directories .. left/kept out | \
     ^ which/what .. files .. do/does/is/are .. .repoidxignore/repoidxignore .. cover/match/name/ignore/exclude/hide | \
     ^ which/what files .. ignored/excluded/covered/matched/hidden/named by .repoidxignore/repoidxignore | \
     ^ how many .. files/documents/modules .. ignored/excluded/skipped/unindexed/left & !import* | \
     ^ how many .. files .. not .. indexed | ^ which/what files .. too .. big/large/long .. indexed/index | ^ which/what/list/show .. files/documents/modules/paths/folders/directories .. \
     ignored/excluded/skipped/unindexed & !import* | ^ which/what/list/show .. files/documents/paths/folders .. not .. indexed | \
     ^ list/show .. ignored/excluded/unindexed .. files | ^ what is/are .. ignored/excluded/skipped $ | \
     ^ what does/do .. ignore file/files/rules .. say/contain/have | ^ what does/do/is .. .repoidxignore/repoidxignore/.aiignore/aiignore/.cursorignore/cursorignore | ^ which/what ignore .. rules/files/patterns | \
     ^ are there .. ignored/excluded files";
const SECRETS: &str = "^ is/are there ... secret/secrets/credential/credentials/password/passwords/tokens/keys .. \
     in .. repo/repository/code/project/codebase/source | \
     hard-coded/hardcoded/leaked/committed/plaintext .. secret/secrets/credential/credentials/password/passwords/tokens/keys | \
     hard coded .. secret/secrets/credential/credentials/password/passwords/tokens/keys | \
     secret/secrets/credential/credentials/password/passwords .. hard-coded/hardcoded/leaked/committed/masked/redacted/hidden | \
     secret/secrets/credential/credentials/passwords/keys checked in $ | \
     ^ where are .. secrets/credentials $ | ^ which/what secrets/credentials/passwords .. there/here/in/found/commit/committed/leak/leaked/push/pushed | \
     ^ do/does .. this/the/it/repo/repository/project/code/commit .. contain/have/has/add/adds .. secret/secrets/credential/credentials/passwords/password & !parameter | \
     ^ did .. commit/leak/push/add/check .. secret/secrets/credential/credentials/passwords/password/keys & !test & !tests & !name* | \
     ^ how many .. secret/secrets/credential/credentials/passwords .. here/there/in/committed/leaked | \
     ^ show/list .. secrets/credentials/passwords $ | ^ show/list/find ... api/secret keys .. in .. repo/repository/code/project/codebase/source | \
     ^ which/what values/lines/files/file .. masked/redacted | ^ which/what files/file .. contain/contains/have/has/hold/holds .. secret/secrets/credential/credentials/password/passwords | \
     ^ which/what files/file .. contain/contains/have/has/hold/holds .. api key/keys | \
     ^ is/are there .. api/private/secret/access/ssh/signing/encryption key/keys .. in/inside/anywhere/committed/left/lying/here | \
     ^ is/are .. api/private/secret/access/ssh/signing/encryption key/keys .. committed/exposed/leaked/checked/hardcoded/hard-coded | \
     ^ is/are there .. secret/secrets/credential/credentials/password/passwords .. in .. repo/repository/code/project/codebase/source/test/tests/docs/documentation/folder/directory/files/changes/diff/commit/commits/branch/history/config/settings/examples | \
     ^ are there .. secrets/credentials/passwords .. in/inside/outside/under | \
     ^ do/does/did i/we .. have/leave/keep/store/expose .. secret/secrets/credential/credentials/password/passwords/key/keys/tokens .. in/anywhere .. repo/repository/code/project/codebase/source/test/tests/docs/folder/files/changes/diff/commit/commits/branch/config/settings | \
     ^ do/does .. tests/docs/documentation/folder/directory/files/file/changes/diff/config/settings/examples contain/contains/have/has/hold/include .. secret/secrets/credential/credentials/password/passwords/tokens/key/keys | \
     ^ did .. commit/leak/push/add/check .. api/private/secret/access/ssh key/keys | \
     ^ have/has .. committed/leaked/pushed/exposed .. secret/secrets/credential/credentials/password/passwords/keys";
/// The same where the question names a file.
const SECRETS_OF_FILE: &str = "^ is/are there .. secret/secrets/credential/credentials/password/passwords/token/tokens/key/keys in | \
     ^ which/what secrets/credentials/passwords/tokens/keys .. in | ^ do/does ... contain/have/hold .. secret/secrets/credential/credentials/password/passwords/token/tokens/keys $";

const MASKING: &str = "^ is/are/do/does/will .. secret/secrets/passwords/credentials/tokens .. \
     hidden/masked/redacted/safe/shown/stripped/removed/filtered/sent & !in .. file/files & !repo* & !code";
const KEEPING: &str = "^ how do/can/could/would/should i/we/one .. stop/exclude/keep/prevent/hide/ignore/withhold/skip/leave ... \
     index/model/models/ai/llm/repoidx/indexing/prompt/prompts";

/// The answer to a question about privacy; `None` for any other question.
pub(in crate::ask) fn told(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let phrase = Phrase::of_words(understood.question.lower_words().into_iter().flat_map(words_of_key).collect());
    let of_file = || !understood.plan.files.is_empty() && phrase.has(SECRETS_OF_FILE);
    let Some(asked) = asked(&phrase).or_else(|| of_file().then_some(PrivacyMatter::Secrets)) else { return Ok(None) };
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
        PrivacyMatter::Sends => {
            let asks = match () {
                () if phrase.has("^ who/which/what") => SendsAsked::Who,
                () if phrase.has("private/local/safe/stay/stays/offline") => SendsAsked::Stays,
                () => SendsAsked::Sends,
            };
            answer.headline = sends(&privacy, asks);
        }
        PrivacyMatter::OneFile => {
            let of_model = phrase.has("sent/shown/visible/see/sees/read/reads");
            let Some(headline) = one_file(reading, understood, &privacy, of_model)? else { return Ok(None) };
            let is_why = phrase.has("^ why");
            answer.headline =
                headline.split_once(": ").filter(|_| is_why).map_or(headline.clone(), |(_, why)| why.to_owned());
        }
        PrivacyMatter::Seen => seen(&privacy, &mut answer),
        PrivacyMatter::Prompt => {
            answer.headline = format!(
                "a prompt of the lines that answer the question, without secrets and withheld files: `--dry-run` prints \
                 it; {}",
                sent(&privacy, false)
            );
            "repoidx ask --dry-run QUESTION".clone_into(&mut answer.command);
        }
        PrivacyMatter::DotEnv => {
            let verdict = if phrase.has("safe/ignored/private") { "yes" } else { "no" };
            answer.headline = format!(
                "{verdict}: only Python files, documents and files of Python's settings are read, and `.env` files are never \
                 shown to models"
            );
        }
        PrivacyMatter::Place => {
            "in the git directory, in a folder `repoidx`: one file for each version (`repoidx status` names it)"
                .clone_into(&mut answer.headline);
        }
        PrivacyMatter::Ignored if phrase.has("big/large/long") => too_large(reading, &mut answer)?,
        PrivacyMatter::Ignored => ignored(reading, &privacy, &mut answer)?,
        PrivacyMatter::Masking => {
            let verdict = if phrase.has("shown/sent") { "no" } else { "yes" };
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
        PrivacyMatter::Secrets => {
            secrets(reading, understood, &phrase, &mut answer)?;
        }
    }
    Ok(Some(answer))
}

/// The two words of a kind of key, which a variable of the repository may have made one name.
fn words_of_key(word: String) -> Vec<String> {
    let name = word.rsplit('.').next().unwrap_or(&word);
    match name.split_once('_') {
        Some((kind @ ("api" | "private" | "secret" | "access" | "ssh" | "signing" | "encryption"), "key" | "keys")) => {
            vec![kind.to_owned(), "key".to_owned()]
        }
        _ => vec![word],
    }
}

fn asked(phrase: &Phrase) -> Option<PrivacyMatter> {
    let readings = [
        (KEEPING, PrivacyMatter::Keeping),
        (PLACE, PrivacyMatter::Place),
        (DOT_ENV, PrivacyMatter::DotEnv),
        (MASKING, PrivacyMatter::Masking),
        (WITHHELD, PrivacyMatter::Withheld),
        (SEEN, PrivacyMatter::Seen),
        (PROMPT, PrivacyMatter::Prompt),
        (SENDS, PrivacyMatter::Sends),
        (SENT, PrivacyMatter::Sent),
        (IGNORED, PrivacyMatter::Ignored),
        (ONE_FILE, PrivacyMatter::OneFile),
        (SECRETS, PrivacyMatter::Secrets),
    ];
    let is_file = |word: &String| {
        let ending = word.rsplit_once('.');
        word.contains('/') || ending.is_some_and(|(name, ending)| !name.is_empty() && !ending.is_empty())
    };
    if phrase.words.iter().any(is_file) && phrase.has(FILE_SENT) {
        return Some(PrivacyMatter::OneFile);
    }
    readings.into_iter().find(|(patterns, _)| phrase.has(patterns)).map(|(_, asked)| asked)
}

fn seen(privacy: &Privacy, answer: &mut Answer) {
    withheld(privacy, answer);
    let but = match privacy.withheld.len() {
        0 => String::new(),
        number => {
            format!(", but for {} that {} withheld", count(number, "file"), if number == 1 { "is" } else { "are" })
        }
    };
    answer.headline =
        format!("lines of every indexed file that a question needs, without secrets{but} ({})", rules(privacy));
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
    let mut rows: Vec<ListRow> =
        privacy.ignored.iter().map(|path| file_row(path).with("named in .repoidxignore")).collect();
    rows.extend(skipped(reading)?);
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

/// The files that their size or their contents keep out of the index, each with the reason.
fn skipped(reading: AnswerInputs) -> Result<Vec<ListRow>, StoreError> {
    let files = reading.store.files()?.into_iter().map(|(_, file)| (file.path, file.skipped));
    let documents = reading.store.documents()?.into_iter().map(|(_, document)| (document.path, document.skipped));
    let skipped = files.chain(documents).filter(|(_, reason)| !reason.is_empty());
    Ok(skipped.map(|(path, reason)| file_row(&path).with(reason)).collect())
}

fn too_large(reading: AnswerInputs, answer: &mut Answer) -> Result<(), StoreError> {
    let rows = skipped(reading)?;
    answer.headline = match rows.len() {
        0 => "none: no file is skipped for its size or its contents".to_owned(),
        number => format!(
            "{} skipped for {} size or contents",
            are(number, "file"),
            if number == 1 { "its" } else { "their" }
        ),
    };
    if !rows.is_empty() {
        answer.list(format!("files that are skipped ({})", rows.len()), rows);
    }
    Ok(())
}

/// The file that the question names, and whether it is ignored or withheld; `None` where it names none.
fn one_file(
    reading: AnswerInputs,
    understood: &Understood,
    privacy: &Privacy,
    of_model: bool,
) -> Result<Option<String>, StoreError> {
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
    if of_model {
        let rules = rules(privacy);
        let known = reading.store.files()?.into_iter().map(|(_, file)| file.path);
        let documents = reading.store.documents()?.into_iter().map(|(_, document)| document.path);
        let known: Vec<String> = known.chain(documents).collect();
        return Ok(match (first(&privacy.ignored), first(&privacy.withheld), first(&known)) {
            (Some(path), ..) => Some(format!("no: `.repoidxignore` names {path}, so it is not read")),
            (_, Some(path), _) => Some(format!("no: {path} is kept from language models ({rules})")),
            (.., Some(path)) => Some(format!(
                "yes, where a question needs lines of it: no ignore file keeps {path} from models; {}",
                sent(privacy, false)
            )),
            _ => None,
        });
    }
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

/// The form of a question whether something is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SendsAsked {
    /// Whether it is.
    Sends,
    /// Whether it stays here.
    Stays,
    /// Who gets it.
    Who,
}

fn sends(privacy: &Privacy, asks: SendsAsked) -> String {
    let so_far = match &privacy.sent {
        Some(SentSoFar { requests: 0, is_known: true, .. }) => "; nothing was sent so far".to_owned(),
        Some(SentSoFar { words, .. }) => format!("; so far: {words}"),
        None => String::new(),
    };
    let (yes, no) = match asks {
        SendsAsked::Sends => ("yes: ", "no: "),
        SendsAsked::Stays => ("no: ", "yes: "),
        SendsAsked::Who => ("", "nobody: "),
    };
    match (privacy.provider.as_str(), privacy.embeds_remotely) {
        ("" | "none", false) => {
            format!("{no}no language model and no remote embedder is set, so nothing is sent{so_far}")
        }
        ("" | "none", true) => {
            format!("{yes}the settings have a remote embedder, which is sent texts without secrets{so_far}")
        }
        (provider, _) => {
            format!("{yes}`ask` sends prompts without secrets to the provider of the settings, `{provider}`{so_far}")
        }
    }
}

/// The lines that are masked, those of the part that the question names.
fn secrets(
    reading: AnswerInputs,
    understood: &Understood,
    phrase: &Phrase,
    answer: &mut Answer,
) -> Result<(), StoreError> {
    let files = reading.store.files()?.into_iter().map(|(_, file)| file.path);
    let documents = reading.store.documents()?.into_iter().map(|(_, document)| document.path);
    let all: Vec<String> = files.chain(documents).collect();
    let limits = SecretLimits::of(reading, understood, phrase, &all);
    let paths: Vec<String> = all.into_iter().filter(|path| limits.has_file(path)).collect();
    let mut rows: Vec<ListRow> = Vec::new();
    let (mut holders, mut others) = (0, 0);
    for path in &paths {
        let lines = reading.sources.masked_lines(path).into_iter().filter(|(line, _)| limits.has_line(*line));
        let (lines, of_others): (Vec<_>, Vec<_>) = lines.partition(|(line, _)| limits.has_state(path, *line));
        holders += usize::from(!lines.is_empty());
        others += of_others.len();
        rows.extend(lines.into_iter().map(|(line, text)| ListRow::line(path, line, text)));
    }
    let place = limits.of_place();
    let found = match rows.len() {
        0 => format!(
            "nothing in {}{place} looks like a secret{}{}; one that looks like an ordinary word cannot be recognized",
            count(paths.len(), "indexed file"),
            limits.and_state(1),
            limits.others(others)
        ),
        number => format!(
            "{} in {}{place} may hold a secret{}; it is masked wherever it is shown",
            count(number, "line"),
            count(holders, "file"),
            limits.and_state(number)
        ),
    };
    let is_polar = phrase.has("^ is/are/was/were/do/does/did/have/has");
    answer.headline = match (&limits.doubt, rows.is_empty(), is_polar) {
        (Some(doubt), ..) => format!("{doubt}: {found}"),
        (None, true, true) => format!("no: {found}"),
        (None, true, false) => format!("none: {found}"),
        (None, false, true) => format!("yes: {found}"),
        (None, false, false) => found,
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
            ("do you collect telemetry?", PrivacyMatter::Sends),
            ("does my code stay local?", PrivacyMatter::Sends),
            ("who can see my code?", PrivacyMatter::Sends),
            ("which secrets did I commit?", PrivacyMatter::Secrets),
            ("did I commit any secrets?", PrivacyMatter::Secrets),
            ("are any credentials checked in?", PrivacyMatter::Secrets),
            ("which file has an API key in it?", PrivacyMatter::Secrets),
            ("how many secrets are in the repo?", PrivacyMatter::Secrets),
            ("how many files are ignored?", PrivacyMatter::Ignored),
            ("which files are too big to be indexed?", PrivacyMatter::Ignored),
            ("which files does .aiignore cover?", PrivacyMatter::Withheld),
            ("which files does the AI see?", PrivacyMatter::Seen),
            ("what does the model get to see?", PrivacyMatter::Seen),
            ("what is sent to the LLM?", PrivacyMatter::Prompt),
            ("is app/a.py sent to the model?", PrivacyMatter::OneFile),
            ("are passwords sent to the model?", PrivacyMatter::Masking),
            ("can the AI see my .env?", PrivacyMatter::DotEnv),
            ("is the .env file read?", PrivacyMatter::DotEnv),
            ("where is the index stored?", PrivacyMatter::Place),
            ("is there an api key in the code?", PrivacyMatter::Secrets),
            ("are there passwords in the readme?", PrivacyMatter::Secrets),
            ("is there a private key in the repo", PrivacyMatter::Secrets),
            ("does the docs folder contain secrets?", PrivacyMatter::Secrets),
            ("do the tests contain tokens?", PrivacyMatter::Secrets),
            ("do I have a password in my uncommitted changes?", PrivacyMatter::Secrets),
            ("are there secrets in the files I haven't committed?", PrivacyMatter::Secrets),
            ("have I committed any passwords?", PrivacyMatter::Secrets),
            ("did I push an api key?", PrivacyMatter::Secrets),
            ("do I need internet to use this?", PrivacyMatter::Sends),
            ("does this work offline?", PrivacyMatter::Sends),
            ("where does repoidx keep its data?", PrivacyMatter::Place),
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
            "which files are read by load_dotenv?",
            "is there a password field in Login?",
            "does the client have a token parameter?",
            "do I need a network connection for the tests?",
            "does add have a password parameter?",
            "where is the cache stored in Session?",
            "what is sent by the client?",
            "is the environment variable FLASK_ENV read?",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn what_was_sent_is_told_in_its_polarity() {
        let none = Privacy { sent: Some(SentSoFar { is_known: true, ..SentSoFar::default() }), ..Privacy::default() };
        assert!(sent(&none, true).starts_with("no: nothing was sent"));
        assert!(sent(&none, false).starts_with("nothing was sent"));
        assert!(sends(&none, SendsAsked::Sends).starts_with("no: "));
        let some = SentSoFar { requests: 1, words: "1 request".to_owned(), is_known: true };
        let some = Privacy { sent: Some(some), provider: "ollama".to_owned(), ..Privacy::default() };
        assert_eq!(sent(&some, true), "yes: 1 request");
        let told = sends(&some, SendsAsked::Sends);
        assert!(told.starts_with("yes: ") && told.ends_with("so far: 1 request"));
        assert!(sends(&some, SendsAsked::Stays).starts_with("no: "));
        assert!(sends(&none, SendsAsked::Stays).starts_with("yes: "));
        assert!(sends(&none, SendsAsked::Who).starts_with("nobody: "));
    }
}
