//! Answers about the project as its settings and documents describe it: the required Python, the way to run the tests.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, examples::is_history, first_in_words, survey::packages},
        reading::{forms::QuestionIntent, plan::Understood, words::is_in},
    },
    query::words::count,
    store::error::StoreError,
};

/// Words of a question for the required Python.
const OF_PYTHON: &str = "a and any are at by can compatible compatibility do does for have here i install is it its least library lowest \
     min minimal minimum must my need needed needs of officially old oldest on or our package project python repo repository require \
     required requirement requirements requires run running runs should still support supported supports target targeted targets the this \
     to under use used uses version versions we what which will with work works you";
/// The words of which such a question has one.
const NEEDING: &str = "compatible compatibility least lowest min minimal minimum need needed needs oldest require required requirement \
     requirements requires run runs support supported supports target targeted targets use used uses version versions work works with";
/// Files that declare it, and how.
const DECLARING: [&str; 3] = ["pyproject.toml", "setup.cfg", "setup.py"];
const CLASSIFIER: &str = "Programming Language :: Python :: ";
/// Words of a question for the way to run the tests, beside its verb.
const OF_RUNNING: &str = "a all an are can command commands do does execute executed here how i in invoke is it its launch locally my of one our \
     package particular project repo repository run runs should single specific start started suite test test-suite tests testsuite the their there this to unit use used \
     we what which with you";
/// Beginnings of commands that run tests.
const COMMANDS: [&str; 18] = [
    "pytest",
    "py.test",
    "tox",
    "nox",
    "make test",
    "make check",
    "just test",
    "hatch test",
    "hatch run test",
    "invoke test",
    "inv test",
    "python -m pytest",
    "python -m unittest",
    "python -m tox",
    "python -m nox",
    "python setup.py test",
    "coverage run -m pytest",
    "./runtests",
];
/// Commands that run another one in an environment.
const RUNNERS: [&str; 7] = ["uv run ", "poetry run ", "pdm run ", "pipenv run ", "uvx ", "python3 -m ", "hatch run "];
/// Settings of programs that run tests: the file, the beginning of the line, the program.
const SETTINGS: [(&str, &str, &str); 12] = [
    ("pyproject.toml", "[tool.pytest", "pytest"),
    ("pytest.ini", "[pytest]", "pytest"),
    ("setup.cfg", "[tool:pytest]", "pytest"),
    ("tox.ini", "[pytest]", "pytest"),
    ("tox.ini", "[tox]", "tox"),
    ("tox.ini", "[testenv", "tox"),
    ("tox.toml", "", "tox"),
    ("pyproject.toml", "[tool.tox", "tox"),
    ("noxfile.py", "", "nox"),
    ("Makefile", "test:", "make test"),
    ("justfile", "test", "just test"),
    ("pyproject.toml", "[tool.hatch.envs.hatch-test", "hatch test"),
];
/// Documents of developers; others tell users about tests of their own.
const OF_DEVELOPERS: [&str; 4] = ["contribut", "develop", "hacking", "readme"];
/// Characters of a command that a headline quotes.
const LONGEST: usize = 60;
/// Versions that a headline names.
const MAX_VERSIONS: usize = 8;

/// Says which versions of Python the project requires; `None` for other questions.
pub(in crate::ask::answer) fn python_version(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = understood.question.lower_words();
    let is_setting = |word: &String| is_in("requires-python requires_python python_requires python-requires", word);
    let asked = words.iter().find_map(|word| version(word.strip_prefix("python").unwrap_or(word)));
    let is_python =
        |word: &String| word == "python" || word.strip_prefix("python").is_some_and(|rest| version(rest).is_some());
    let is_asked = words.iter().any(is_setting)
        || words.iter().any(is_python)
            && words.iter().any(|word| is_in(NEEDING, word))
            && (asks_for_version(&words) || asked.is_some());
    let packages = if is_asked { packages::packages_of(reading.store)? } else { Vec::new() };
    let is_known = |word: &String| {
        is_in(OF_PYTHON, word)
            || is_setting(word)
            || is_python(word)
            || version(word).is_some()
            || packages::named(&packages, word).is_some()
    };
    if !is_asked || !words.iter().all(is_known) {
        return Ok(None);
    }
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Packages).plan, String::new());
    answer.plan.notes.clear();
    let (mut declared, mut classifiers, mut versions) = (Vec::new(), Vec::new(), Vec::new());
    for path in DECLARING {
        let text = reading.sources.text(path).unwrap_or_default();
        let mut is_poetry = false;
        for (number, line) in (1..).zip(text.lines()) {
            let bare = line.trim();
            if bare.starts_with('[') {
                is_poetry = bare == "[tool.poetry.dependencies]";
            }
            let row = || ListRow::line(path, number, bare.to_owned());
            if let Some(specifier) = specifier(bare, is_poetry) {
                declared.push((specifier.to_owned(), row()));
            } else if let Some(at) = bare.find(CLASSIFIER) {
                let named = bare[at + CLASSIFIER.len()..].trim_end_matches(['"', '\'', ',', ' ']);
                classifiers.push(row());
                if named.contains('.') && version(named).is_some() {
                    versions.push(named.to_owned());
                }
            }
        }
    }
    let named = match versions.len() {
        0 => String::new(),
        _ => format!("; the classifiers name Python {}", first_in_words(versions.into_iter(), MAX_VERSIONS)),
    };
    answer.headline = match declared.first() {
        None => format!("no file declares the Python that it needs ({} were looked at){named}", DECLARING.join(", ")),
        Some((specifier, row)) => {
            let is_whether = words.first().is_some_and(|word| is_in("can does is will", word));
            let allowed = asked.filter(|_| is_whether).and_then(|asked| allows(specifier, asked));
            let verdict = match allowed {
                Some(true) => "yes: ",
                Some(false) => "no: ",
                None => "",
            };
            format!("{verdict}Python `{specifier}` is required ({}:{}){named}", row.path, row.line)
        }
    };
    answer.list(format!("declared ({})", declared.len()), declared.into_iter().map(|(_, row)| row).collect());
    answer.list(format!("classifiers ({})", classifiers.len()), classifiers);
    Ok(Some(answer))
}

/// Whether the version of Python is asked for, and not what Python is used for.
fn asks_for_version(words: &[String]) -> bool {
    words.iter().any(|word| is_in("version versions", word))
        || words
            .windows(2)
            .any(|pair| is_in("which what minimum minimal lowest oldest", &pair[0]) && pair[1] == "python")
}

/// The two parts of `3.9`.
fn version(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.split_once('.')?;
    Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
}

/// The versions that a line of the settings requires.
fn specifier(line: &str, is_poetry: bool) -> Option<&str> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim();
    let is_it = matches!(name, "requires-python" | "python_requires") || is_poetry && name == "python";
    let value = value.trim().trim_end_matches(',').trim().trim_matches(['"', '\'']);
    let value = value.split("  #").next().unwrap_or(value).trim().trim_end_matches(['"', '\'']);
    (is_it && value.contains(|c: char| c.is_ascii_digit())).then_some(value)
}

/// Whether versions like `>=3.9,<4` allow one; `None` where they are written in another way.
fn allows(specifier: &str, asked: (u32, u32)) -> Option<bool> {
    let mut allowed = true;
    for clause in specifier.split(',').map(str::trim) {
        let at = clause.find(|c: char| c.is_ascii_digit())?;
        let text = clause[at..].trim_end_matches(".*");
        let named = version(text).or_else(|| Some((text.parse().ok()?, 0)))?;
        allowed &= match clause[..at].trim() {
            ">=" => asked >= named,
            ">" => asked > named,
            "<" => asked < named,
            "<=" => asked <= named,
            "!=" => asked != named,
            "~=" | "^" => asked >= named && asked.0 == named.0,
            _ => return None,
        };
    }
    Some(allowed)
}

/// Says how the tests are run, by the documents and the settings; `None` for other questions.
pub(in crate::ask::answer) fn running_tests(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = understood.question.lower_words();
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    let is_head = matches!(words.first().map(String::as_str), Some("how" | "what" | "which"))
        && (words[0] == "how" || has("command commands"));
    let is_asked = is_head
        && has("test tests suite testsuite test-suite")
        && has("execute executed invoke launch run runs start started")
        && words.iter().all(|word| is_in(OF_RUNNING, word));
    // `how does it run tests` asks for code.
    if !is_asked || words.get(1).is_some_and(|word| word == "does") {
        return Ok(None);
    }
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Documents).plan, String::new());
    answer.plan.notes.clear();
    let said = said_in_documents(reading)?;
    let (mut settings, mut programs) = (Vec::new(), BTreeSet::new());
    for (path, head, program) in SETTINGS {
        let text = reading.sources.text(path).unwrap_or_default();
        let found = (1..).zip(text.lines()).find(|(_, line)| !line.trim().is_empty() && line.starts_with(head));
        if let Some((number, line)) = found
            && programs.insert(program)
        {
            settings.push((program, ListRow::line(path, number, line.trim().to_owned())));
        }
    }
    let set = settings.iter().map(|(program, row)| format!("`{program}` by {}:{}", row.path, row.line));
    let set = first_in_words(set.collect::<Vec<_>>().into_iter(), SETTINGS.len());
    let set_up = if set.is_empty() { String::new() } else { format!("; set up are {set}") };
    answer.headline = match (said.first(), settings.first()) {
        (Some((command, row)), _) => format!("`{command}` ({}:{}){set_up}", row.path, row.line),
        (None, Some(_)) => format!("no document of the developers has a command for it; set up are {set}"),
        (None, None) => {
            let tests = reading.store.files()?.into_iter().filter(|(_, file)| file.is_test).count();
            format!(
                "no document and no setting that was looked at has a command for it; {} are here",
                count(tests, "test file")
            )
        }
    };
    answer.list(format!("commands in documents ({})", said.len()), said.into_iter().map(|(_, row)| row).collect());
    answer.list(format!("settings ({})", settings.len()), settings.into_iter().map(|(_, row)| row).collect());
    Ok(Some(answer))
}

/// The lines of documents for developers that have a command which runs tests, the likeliest first.
fn said_in_documents(reading: AnswerInputs) -> Result<Vec<(String, ListRow)>, StoreError> {
    let mut found = Vec::new();
    for (path, section) in reading.store.sections()? {
        let lower = path.to_lowercase();
        let Some(rank) = OF_DEVELOPERS.iter().position(|name| lower.contains(name)) else { continue };
        // An example has a way of its own.
        if is_history(&path) || lower.split('/').any(|part| is_in("example examples", part)) {
            continue;
        }
        let speaks_of_tests = section.title.to_lowercase().contains("test");
        for number in section.start_line..=section.end_line {
            let Some(line) = reading.sources.line(&path, number) else { break };
            if let Some(command) = command_in(&line) {
                let is_readme = rank + 1 == OF_DEVELOPERS.len();
                let order = (is_readme, !speaks_of_tests, path.matches('/').count(), path.clone(), number);
                let row = ListRow { name: section.title.clone(), ..ListRow::line(&path, number, line) };
                found.push((order, (command, row)));
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    let mut seen = BTreeSet::new();
    found.retain(|(_, (_, row))| seen.insert((row.path.clone(), row.line)));
    Ok(found.into_iter().map(|(_, said)| said).collect())
}

/// The command that runs tests in a line of a document: the whole line, or a part in backticks.
fn command_in(line: &str) -> Option<String> {
    let is_command = |text: &str| {
        let text = text.trim();
        let bare = RUNNERS.iter().find_map(|runner| text.strip_prefix(runner)).unwrap_or(text);
        let is_whole = |rest: &str| rest.is_empty() || rest.starts_with([' ', '\t']);
        let is_run = COMMANDS
            .iter()
            .any(|command| [text, bare].iter().any(|text| text.strip_prefix(command).is_some_and(is_whole)));
        // A sentence that begins with the name of a program is no command.
        let is_sentence = text.ends_with(['.', ',', ':'])
            || text.contains(['<', '('])
            || text.split_whitespace().any(|word| is_in("and are is or the will", word));
        // An environment of such a program may build documents or check the style.
        let is_other = ["doc", "format", "lint", "mypy", "style", "typing"].iter().any(|other| text.contains(other));
        (is_run && !is_sentence && !is_other && text.chars().count() <= LONGEST).then(|| text.to_owned())
    };
    let bare = line.trim().trim_start_matches(['$', '>', '%']).trim();
    is_command(bare).or_else(|| line.split('`').skip(1).find_map(is_command))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_told_from_a_sentence_about_it() {
        assert_eq!(command_in("    $ python -m pytest tests").as_deref(), Some("python -m pytest tests"));
        assert_eq!(command_in("Run ``tox -e py312`` to test it.").as_deref(), Some("tox -e py312"));
        assert_eq!(command_in("uv run pytest").as_deref(), Some("uv run pytest"));
        assert_eq!(command_in("pytest is a framework"), None);
        assert_eq!(command_in("toxic"), None);
    }

    #[test]
    fn versions_are_compared_with_what_is_declared() {
        assert_eq!(specifier("requires-python = \">=3.9\"", false), Some(">=3.9"));
        assert_eq!(specifier("python_requires=\">=3.7\",", false), Some(">=3.7"));
        assert_eq!(specifier("python = \"^3.8\"", true), Some("^3.8"));
        assert_eq!(
            [allows(">=3.9", (3, 8)), allows(">=3.9,<4", (3, 10)), allows("==3.9.*", (3, 9))],
            [Some(false), Some(true), None]
        );
    }
}
