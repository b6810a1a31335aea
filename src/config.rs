//! The settings, each with its origin.
//!
//! A flag wins over the environment, the environment over the repository's file, that over the user's file, that over
//! the default.
//!
//! Somebody else wrote the repository's file, so it may set only the settings that [`KEYS`] marks. Only the user can
//! set anything that sends data away, runs a program or writes a file.

use std::{collections::BTreeMap, path::PathBuf};

/// Refused settings of a repository that a warning names.
const MAX_REFUSED: usize = 5;

/// The form of a setting's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueForm {
    Bool,
    /// A whole number, at least this one.
    Number(u64),
    /// A number from 0 to 1.
    Fraction,
    /// A number from 0 on.
    Weight,
    /// One of these words.
    Word(&'static [&'static str]),
    Text,
    /// Several texts: an array in a file, lines in the environment.
    Lines,
    /// Text that is never printed.
    Secret,
}

/// A setting.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    pub name: &'static str,
    pub variable: &'static str,
    pub default: &'static str,
    pub form: ValueForm,
    /// A repository's file may set it.
    pub is_for_repositories: bool,
    pub about: &'static str,
}

const WHEN: ValueForm = ValueForm::Word(&["auto", "always", "never"]);

const EMBEDDER: ValueForm = ValueForm::Word(&["static", "local", "remote"]);
const PUSH: ValueForm = ValueForm::Word(&["off", "advise", "breaks", "may-break"]);
const PROVIDER: ValueForm = ValueForm::Word(&["", "none", "openai", "anthropic", "ollama", "command", "local"]);

/// Every setting, sorted by name.
pub const KEYS: &[Setting] = &[
    key(
        "answer_tokens",
        "REPOIDX_ANSWER_TOKENS",
        "1500",
        ValueForm::Number(1),
        false,
        "longest answer of a language model, in tokens",
    ),
    key(
        "api_key",
        "REPOIDX_API_KEY",
        "",
        ValueForm::Secret,
        false,
        "key of the provider; better: its own variable, or key_command",
    ),
    key("base_url", "REPOIDX_BASE_URL", "", ValueForm::Text, false, "address of the provider; empty for its usual one"),
    key("color", "REPOIDX_COLOR", "auto", WHEN, false, "colors: auto, always or never"),
    key(
        "copy_lines",
        "REPOIDX_COPY_LINES",
        "90",
        ValueForm::Number(1),
        true,
        "code with this percentage of the lines of earlier code is left out of a context or a prompt; 101 keeps all",
    ),
    key(
        "depth",
        "REPOIDX_DEPTH",
        "",
        ValueForm::Number(1),
        true,
        "largest distance that impact follows; empty for all",
    ),
    key(
        "editor_link",
        "REPOIDX_EDITOR_LINK",
        "vscode://file{path}:{line}",
        ValueForm::Text,
        false,
        "link of a place on a page: {path}, {relative}, {line}; or none",
    ),
    key(
        "embedder",
        "REPOIDX_EMBEDDER",
        "static",
        EMBEDDER,
        false,
        "source of the vectors that search compares: static, local or remote",
    ),
    key(
        "embedding_model",
        "REPOIDX_EMBEDDING_MODEL",
        "",
        ValueForm::Text,
        false,
        "the embedder's model: a folder, a name in the hub's cache, or the service's name for it",
    ),
    key("embedding_url", "REPOIDX_EMBEDDING_URL", "", ValueForm::Text, false, "address of embedder `remote`"),
    key(
        "expect",
        "REPOIDX_EXPECT",
        "",
        ValueForm::Lines,
        true,
        "findings of a review that are meant: NAME[breaks]: reason",
    ),
    key(
        "hyperlink_format",
        "REPOIDX_HYPERLINK_FORMAT",
        "file://{path}",
        ValueForm::Text,
        false,
        "link of a place: {path}, {line}",
    ),
    key("hyperlinks", "REPOIDX_HYPERLINKS", "auto", WHEN, false, "places as links: auto, always or never"),
    key("key_command", "REPOIDX_KEY_COMMAND", "", ValueForm::Text, false, "command that prints the provider's key"),
    key(
        "library",
        "REPOIDX_LIBRARY",
        "true",
        ValueForm::Bool,
        true,
        "other projects may use its public names; false says that none does",
    ),
    key(
        "llm_command",
        "REPOIDX_LLM_COMMAND",
        "",
        ValueForm::Text,
        false,
        "program that provider `command` pipes prompts to",
    ),
    key(
        "map_common",
        "REPOIDX_MAP_COMMON",
        "1",
        ValueForm::Weight,
        true,
        "weight of names that more than 5 definitions have on a map without a focus",
    ),
    key(
        "map_file",
        "REPOIDX_MAP_FILE",
        "0.5",
        ValueForm::Weight,
        true,
        "weight of the definitions of a focused file on a map; the best hit of its text has 1",
    ),
    key(
        "map_long",
        "REPOIDX_MAP_LONG",
        "1",
        ValueForm::Weight,
        true,
        "weight of names of several words and 8 or more characters on a map without a focus",
    ),
    key(
        "map_mentioned",
        "REPOIDX_MAP_MENTIONED",
        "1",
        ValueForm::Weight,
        true,
        "weight of names that stand in the focus of a map",
    ),
    key(
        "map_private",
        "REPOIDX_MAP_PRIVATE",
        "0.3",
        ValueForm::Fraction,
        true,
        "weight of private names on a map without a focus, 0 to 1",
    ),
    key(
        "map_tests",
        "REPOIDX_MAP_TESTS",
        "0.02",
        ValueForm::Fraction,
        true,
        "weight of tests on a map without a focus, 0 to 1",
    ),
    key(
        "max_average_line",
        "REPOIDX_MAX_AVERAGE_LINE",
        "",
        ValueForm::Number(1),
        true,
        "Python files with more characters a line on average are skipped, and listed by status; empty for none",
    ),
    key(
        "max_digits",
        "REPOIDX_MAX_DIGITS",
        "0.9",
        ValueForm::Fraction,
        true,
        "files and documents with a larger share of digits are data: skipped, and listed by status; 1 for none",
    ),
    key(
        "max_document_kib",
        "REPOIDX_MAX_DOCUMENT_KIB",
        "1024",
        ValueForm::Number(1),
        true,
        "documents larger than so many KiB are skipped, and listed by status",
    ),
    key(
        "max_file_kib",
        "REPOIDX_MAX_FILE_KIB",
        "4096",
        ValueForm::Number(1),
        true,
        "Python files larger than so many KiB are skipped, and listed by status",
    ),
    key(
        "max_line",
        "REPOIDX_MAX_LINE",
        "300",
        ValueForm::Number(20),
        true,
        "characters of a line of source in a prompt or a context; the rest is counted",
    ),
    key(
        "max_lines",
        "REPOIDX_MAX_LINES",
        "100000",
        ValueForm::Number(1),
        true,
        "files and documents with more lines are skipped, and listed by status",
    ),
    key(
        "merge_lines",
        "REPOIDX_MERGE_LINES",
        "300",
        ValueForm::Number(0),
        true,
        "`search --merge`: several hits in a file with fewer lines become the file",
    ),
    key(
        "merge_members",
        "REPOIDX_MERGE_MEMBERS",
        "50",
        ValueForm::Number(1),
        true,
        "`search --merge`: hits that are this percentage of a class's functions become the class",
    ),
    key(
        "min_alphanumeric",
        "REPOIDX_MIN_ALPHANUMERIC",
        "0.25",
        ValueForm::Fraction,
        true,
        "files and documents with a smaller share of letters and digits are skipped, and listed by status; 0 for none",
    ),
    key(
        "min_probability",
        "REPOIDX_MIN_PROBABILITY",
        "",
        ValueForm::Fraction,
        true,
        "least probability that is listed; empty for 0.12 times the largest, 0.15 for tests",
    ),
    key(
        "model",
        "REPOIDX_MODEL",
        "",
        ValueForm::Text,
        false,
        "name of the language model; for provider `local` the path of its GGUF file",
    ),
    key(
        "per_file",
        "REPOIDX_PER_FILE",
        "",
        ValueForm::Number(1),
        true,
        "most hits of one file in `search`; empty for any number",
    ),
    key(
        "pre_push",
        "REPOIDX_PRE_PUSH",
        "advise",
        PUSH,
        false,
        "reviews of pushes: off, advise; breaks or may-break stop one with such findings",
    ),
    key(
        "pre_push_seconds",
        "REPOIDX_PRE_PUSH_SECONDS",
        "10",
        ValueForm::Number(0),
        false,
        "longest time that a push waits for its review",
    ),
    key("provider", "REPOIDX_PROVIDER", "", PROVIDER, false, "openai, anthropic, ollama, command, local or none"),
    key("rows", "REPOIDX_ROWS", "40", ValueForm::Number(1), true, "lines of a text answer"),
    key("threads", "REPOIDX_THREADS", "", ValueForm::Number(1), false, "threads that index; empty for all cores"),
    key("timeout", "REPOIDX_TIMEOUT", "120", ValueForm::Number(1), false, "seconds that a provider may be silent"),
    key(
        "tokenizer",
        "REPOIDX_TOKENIZER",
        "",
        ValueForm::Text,
        false,
        "the model's tokenizer.json, by which prompts are counted; empty for an upper estimate",
    ),
    key("tokens", "REPOIDX_TOKENS", "6000", ValueForm::Number(200), true, "budget of a prompt"),
    key("update", "REPOIDX_UPDATE", "true", ValueForm::Bool, false, "catch up with the working tree before answering"),
];

const fn key(
    name: &'static str,
    variable: &'static str,
    default: &'static str,
    form: ValueForm,
    is_for_repositories: bool,
    about: &'static str,
) -> Setting {
    Setting { name, variable, default, form, is_for_repositories, about }
}

/// The origin of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingOrigin {
    Default,
    /// The user's file.
    User,
    /// A file of the repository, by its name.
    Repository(&'static str),
    /// An environment variable, by its name.
    Environment(&'static str),
}

/// The texts of the configuration files.
#[derive(Clone, Debug, Default)]
pub struct ConfigTexts {
    /// The user's own file.
    pub user: Option<String>,
    /// `repoidx.toml` at the repository's root.
    pub repository: Option<String>,
    /// `pyproject.toml` at the repository's root; read when there is no `repoidx.toml`.
    pub pyproject: Option<String>,
}

/// The settings in effect.
#[derive(Clone, Debug)]
pub struct Config {
    values: BTreeMap<&'static str, (String, SettingOrigin)>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
}

/// An error in the user's own settings.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ConfigError {
    #[error("{origin}: `{key}` is {wanted}, not `{value}`")]
    WrongValue { origin: String, key: &'static str, wanted: String, value: String },
    #[error("{origin}: there is no setting `{key}`")]
    UnknownKey { origin: String, key: String },
    #[error("{origin}: {reason}")]
    NotToml { origin: String, reason: String },
}

impl Config {
    /// Loads the settings. `variable` reads the environment.
    pub fn load(sources: &ConfigTexts, variable: impl Fn(&str) -> Option<String>) -> Result<Config, ConfigError> {
        match Self::load_what_is_right(sources, variable) {
            (config, None) => Ok(config),
            (_, Some(error)) => Err(error),
        }
    }

    /// The settings that are right, and the first that is wrong.
    pub fn load_what_is_right(
        sources: &ConfigTexts,
        variable: impl Fn(&str) -> Option<String>,
    ) -> (Config, Option<ConfigError>) {
        let defaults = KEYS.iter().map(|key| (key.name, (key.default.to_owned(), SettingOrigin::Default)));
        let mut config = Config { values: defaults.collect(), warnings: Vec::new() };
        let mut error = sources.user.as_ref().and_then(|text| config.read_user(text).err());
        match (&sources.repository, &sources.pyproject) {
            (Some(text), _) => config.read_repository("repoidx.toml", text, &[]),
            (None, Some(text)) => config.read_repository("pyproject.toml", text, &["tool", "repoidx"]),
            (None, None) => {}
        }
        for key in KEYS {
            let Some(value) = variable(key.variable).filter(|value| !value.is_empty()) else { continue };
            match check(key, &value, key.variable) {
                Ok(()) => {
                    config.values.insert(key.name, (value, SettingOrigin::Environment(key.variable)));
                }
                Err(wrong) => error = error.or(Some(wrong)),
            }
        }
        (config, error)
    }

    /// Every setting with its value and origin, sorted by name.
    pub fn entries(&self) -> impl Iterator<Item = (&'static Setting, &str, &SettingOrigin)> {
        KEYS.iter().filter_map(|key| self.values.get(key.name).map(|(value, origin)| (key, value.as_str(), origin)))
    }

    /// A setting as text.
    pub fn text(&self, name: &str) -> &str {
        &self.values.get(name).expect("the name is one of KEYS").0
    }

    /// A setting as a number; `None` when it is empty.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.text(name).parse().ok()
    }

    /// A setting with several texts.
    pub fn lines(&self, name: &str) -> impl Iterator<Item = &str> {
        self.text(name).lines().filter(|line| !line.trim().is_empty())
    }

    /// A setting with a decimal point; `None` when it is empty.
    pub fn fraction(&self, name: &str) -> Option<f64> {
        self.text(name).parse().ok()
    }

    /// A setting that is on or off.
    pub fn flag(&self, name: &str) -> bool {
        is_on(self.text(name))
    }

    /// Lets answers come from the index as it is, whatever the settings say.
    pub fn keep_index(&mut self) {
        self.values.insert("update", ("false".to_owned(), SettingOrigin::Default));
    }

    fn read_user(&mut self, text: &str) -> Result<(), ConfigError> {
        let origin = "the user's configuration";
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| ConfigError::NotToml {
            origin: origin.to_owned(),
            reason: error.message().to_owned(),
        })?;
        let mut read = Ok(());
        for (name, value) in &table {
            // A typo in the user's own file would otherwise have no effect, silently.
            let Some(key) = KEYS.iter().find(|key| key.name == name) else {
                read = read.and(Err(ConfigError::UnknownKey { origin: origin.to_owned(), key: name.clone() }));
                continue;
            };
            let value = plain(value);
            match check(key, &value, origin) {
                Ok(()) => {
                    self.values.insert(key.name, (value, SettingOrigin::User));
                }
                wrong => read = read.and(wrong),
            }
        }
        read
    }

    /// Takes the settings that a repository may set; all others together give one warning.
    fn read_repository(&mut self, file: &'static str, text: &str, section: &[&str]) {
        let Ok(mut table) = text.parse::<toml::Table>() else {
            if section.is_empty() {
                self.warnings.push(format!("{file} is not valid TOML: it is ignored"));
            }
            return;
        };
        for name in section {
            match table.remove(*name) {
                Some(toml::Value::Table(inner)) => table = inner,
                _ => return,
            }
        }
        let (mut refused, mut wrongs): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for (name, value) in &table {
            let key = KEYS.iter().find(|key| key.name == name && key.is_for_repositories);
            let value = plain(value);
            match key.map(|key| (key, check(key, &value, file))) {
                Some((key, Ok(()))) => {
                    self.values.insert(key.name, (value, SettingOrigin::Repository(file)));
                }
                Some((_, Err(wrong))) => wrongs.push(format!("{wrong} (ignored)")),
                None => refused.push(name.clone()),
            }
        }
        let more = wrongs.len().saturating_sub(MAX_REFUSED);
        wrongs.truncate(MAX_REFUSED);
        self.warnings.extend(wrongs);
        if more > 0 {
            self.warnings.push(format!("{file} has {more} more wrong values (ignored)"));
        }
        if !refused.is_empty() {
            let more = refused.len().saturating_sub(MAX_REFUSED);
            refused.truncate(MAX_REFUSED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let names = refused.join(", ");
            self.warnings.push(format!("{file} may not set these: {names}{more} (ignored)"));
        }
    }
}

/// The directory of the user's configuration.
pub fn user_folder(variable: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if let Some(folder) = absolute("REPOIDX_CONFIG_DIR") {
        return Some(folder);
    }
    let base = if cfg!(windows) { absolute("APPDATA") } else { absolute("XDG_CONFIG_HOME") };
    let base = base.or_else(|| absolute("HOME").map(|home| home.join(".config")))?;
    Some(base.join("repoidx"))
}

fn is_on(value: &str) -> bool {
    matches!(value, "true" | "1" | "yes" | "on")
}

fn check(key: &Setting, value: &str, origin: &str) -> Result<(), ConfigError> {
    let (fits, wanted) = match key.form {
        ValueForm::Bool => (is_on(value) || matches!(value, "false" | "0" | "no" | "off"), "true or false".to_owned()),
        ValueForm::Number(least) => {
            let fits = value.is_empty() || value.parse::<u64>().is_ok_and(|number| number >= least);
            (fits, format!("a number from {least} on"))
        }
        ValueForm::Fraction => {
            let fits = value.is_empty() || value.parse::<f64>().is_ok_and(|number| (0.0..=1.0).contains(&number));
            (fits, "a number from 0 to 1".to_owned())
        }
        ValueForm::Weight => {
            let is_weight = |number: f64| number.is_finite() && number >= 0.0;
            (value.is_empty() || value.parse().is_ok_and(is_weight), "a number from 0 on".to_owned())
        }
        ValueForm::Word(words) => {
            let named: Vec<&str> = words.iter().copied().filter(|word| !word.is_empty()).collect();
            (words.contains(&value), format!("one of {}", named.join(", ")))
        }
        ValueForm::Text | ValueForm::Lines | ValueForm::Secret => (true, String::new()),
    };
    if fits {
        return Ok(());
    }
    Err(ConfigError::WrongValue { origin: origin.to_owned(), key: key.name, wanted, value: value.to_owned() })
}

/// A TOML value in the form of an environment variable.
fn plain(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Array(items) if items.iter().all(toml::Value::is_str) => {
            items.iter().filter_map(toml::Value::as_str).collect::<Vec<_>>().join("\n")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(user: &str, repository: &str, environment: &[(&str, &str)]) -> Result<Config, ConfigError> {
        let sources =
            ConfigTexts { user: Some(user.to_owned()), repository: Some(repository.to_owned()), pyproject: None };
        let variable =
            |name: &str| environment.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        Config::load(&sources, variable)
    }

    #[test]
    fn the_environment_wins_over_the_repository_over_the_user() {
        let config =
            load("tokens = 1000\ndepth = 2\nrows = 9", "tokens = 2000\ndepth = 3", &[("REPOIDX_TOKENS", "3000")]);
        let config = config.unwrap();
        let numbers = ["tokens", "depth", "rows", "threads"].map(|name| config.number(name));
        assert_eq!(numbers, [Some(3000), Some(3), Some(9), None]);
        assert!(config.warnings.is_empty());
    }

    #[test]
    fn a_repository_cannot_set_what_is_not_its_own() {
        let config = load("", "update = false\nendpoint = \"http://evil\"\n[llm]\nkey = 1\n", &[]).unwrap();
        assert!(config.flag("update"));
        assert_eq!(config.warnings, ["repoidx.toml may not set these: endpoint, llm, update (ignored)"]);
    }

    #[test]
    fn mistakes_of_the_user_are_errors_and_those_of_a_repository_are_not() {
        let error = load("", "", &[("REPOIDX_COLOR", "pink")]).unwrap_err();
        assert_eq!(error.to_string(), "REPOIDX_COLOR: `color` is one of auto, always, never, not `pink`");
        assert!(load("nonsense = 1", "", &[]).is_err());
        let warnings = load("", "tokens = 7\nlibrary = \"maybe\"\nrows = 9", &[]).unwrap().warnings;
        assert_eq!(
            warnings,
            [
                "repoidx.toml: `library` is true or false, not `maybe` (ignored)",
                "repoidx.toml: `tokens` is a number from 200 on, not `7` (ignored)",
            ]
        );
        assert_eq!(load("", "not toml [", &[]).unwrap().warnings.len(), 1);
    }

    /// A command that must go on over a mistake keeps all other settings.
    #[test]
    fn a_wrong_setting_leaves_the_right_ones() {
        let sources = ConfigTexts {
            user: Some("color = \"pink\"\nrows = 9\npre_push = \"breaks\"".to_owned()),
            ..ConfigTexts::default()
        };
        let (config, error) = Config::load_what_is_right(&sources, |_| None);
        assert!(error.unwrap().to_string().contains("one of auto, always, never, not `pink`"));
        assert_eq!((config.text("color"), config.text("pre_push"), config.number("rows")), ("auto", "breaks", Some(9)));
    }

    /// A value is refused unless it is one of those that the list of settings names.
    #[test]
    fn settings_with_fixed_values_name_them() {
        for key in KEYS {
            if let ValueForm::Word(words) = key.form {
                for word in words.iter().filter(|word| !word.is_empty()) {
                    assert!(key.about.contains(word), "{}: {word}", key.name);
                }
            }
        }
        assert!(!KEYS.iter().any(|key| key.name == "pre_push" && key.about.contains("stop on breaks")));
    }

    #[test]
    fn pyproject_is_read_below_its_section() {
        let sources = ConfigTexts {
            pyproject: Some("[tool.other]\nx = 1\n[tool.repoidx]\ntokens = 777\n".to_owned()),
            ..ConfigTexts::default()
        };
        let config = Config::load(&sources, |_| None).unwrap();
        assert_eq!(config.number("tokens"), Some(777));
    }

    #[test]
    fn defaults_are_valid_and_sorted() {
        assert!(KEYS.iter().all(|key| check(key, key.default, "").is_ok()));
        assert!(KEYS.is_sorted_by_key(|key| key.name));
    }
}
