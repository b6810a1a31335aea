//! Templates that word a report. The only user of minijinja.
//!
//! A missing value is an error that names it. Templates are built in; a file of the same name in the user's
//! configuration directory replaces one. The repository's own files are never templates, because somebody else wrote
//! them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior, syntax::SyntaxConfig, value::Serde};
use serde::Serialize;
use thiserror::Error;

/// The built-in templates, by name.
const BUILT_IN: &[(&str, &str)] = &[
    ("ask-context.j2", include_str!("../templates/ask-context.j2")),
    ("ask-doc.j2", include_str!("../templates/ask-doc.j2")),
    ("ask-explain.j2", include_str!("../templates/ask-explain.j2")),
    ("ask-impact.j2", include_str!("../templates/ask-impact.j2")),
    ("ask-review.j2", include_str!("../templates/ask-review.j2")),
    ("ask-smell.j2", include_str!("../templates/ask-smell.j2")),
    ("ask-system.j2", include_str!("../templates/ask-system.j2")),
    ("ask-test.j2", include_str!("../templates/ask-test.j2")),
    ("ask-verdict.j2", include_str!("../templates/ask-verdict.j2")),
    ("ask.j2", include_str!("../templates/ask.j2")),
    ("impact.j2", include_str!("../templates/impact.j2")),
    ("page.css", include_str!("../templates/page/page.css")),
    ("page.html.j2", include_str!("../templates/page/page.html.j2")),
    ("page.js", include_str!("../templates/page/page.js")),
    ("review.j2", include_str!("../templates/review.j2")),
    ("serve-ask.html.j2", include_str!("../templates/serve/ask.html.j2")),
    ("serve-definition.html.j2", include_str!("../templates/serve/definition.html.j2")),
    ("serve-frame.html.j2", include_str!("../templates/serve/frame.html.j2")),
    ("serve-hits.html.j2", include_str!("../templates/serve/hits.html.j2")),
    ("serve-home.html.j2", include_str!("../templates/serve/home.html.j2")),
    ("serve-message.html.j2", include_str!("../templates/serve/message.html.j2")),
    ("serve-search.html.j2", include_str!("../templates/serve/search.html.j2")),
    ("serve.css", include_str!("../templates/serve/serve.css")),
    ("serve.js", include_str!("../templates/serve/serve.js")),
];

/// Work that one rendering may cause, in minijinja's units. The largest page of the program needs a tenth.
const FUEL: u64 = 20_000_000;
/// Largest template file, in bytes.
const MAX_BYTES: u64 = 1 << 20;
/// Longest rendered text, in bytes: nobody reads a longer prompt or page.
const MAX_OUTPUT: usize = 32 << 20;
/// Depth of templates that include others.
const MAX_RECURSION: usize = 20;

/// The reasons why rendering fails.
#[derive(Debug, Error)]
pub enum PromptError {
    #[error("there is no template `{0}`")]
    Unknown(String),
    #[error("reading {}: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("template {name}{}: {reason}", line.map(|line| format!(", line {line}")).unwrap_or_default())]
    Wrong { name: String, line: Option<usize>, reason: String },
}

/// Renders a conversation by the template of a model, as transformers does. Somebody else wrote that template, so it
/// gets only the messages (role and text), and its work is bounded.
pub fn chat(template: &str, messages: &[(&str, String)], first: &str, last: &str) -> Result<String, PromptError> {
    let wrong = |error: minijinja::Error| PromptError::Wrong {
        name: "of the model".to_owned(),
        line: error.line(),
        reason: error.detail().map_or_else(|| error.kind().to_string(), str::to_owned),
    };
    let mut environment = Environment::new();
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(MAX_RECURSION);
    environment.set_syntax(
        SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build()
            .expect("the delimiters are the usual ones"),
    );
    environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
    environment.add_function("raise_exception", |reason: String| -> Result<String, minijinja::Error> {
        Err(minijinja::Error::new(ErrorKind::InvalidOperation, reason))
    });
    let messages: Vec<_> =
        messages.iter().map(|(role, content)| serde_json::json!({"role": role, "content": content})).collect();
    let values = serde_json::json!({
        "messages": messages, "add_generation_prompt": true, "bos_token": first, "eos_token": last,
    });
    environment.render_str(template, Serde(&values)).map_err(wrong)
}

/// A template in the list of `repoidx templates`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TemplateInfo {
    pub name: String,
    /// The user's file that replaces the built-in text.
    pub replaced_by: Option<PathBuf>,
}

/// The templates in effect.
#[derive(Clone, Debug, Default)]
pub struct Templates {
    /// `templates` in the user's configuration directory.
    folder: Option<PathBuf>,
}

impl Templates {
    /// Templates with the user's own ones from `folder`, which need not exist.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder }
    }

    /// Every template and its origin, sorted by name.
    pub fn list(&self) -> Vec<TemplateInfo> {
        let info = |(name, _): &(&str, &str)| TemplateInfo {
            name: (*name).to_owned(),
            replaced_by: self.file(name).filter(|path| path.is_file()),
        };
        BUILT_IN.iter().map(info).collect()
    }

    /// The text of a template: the user's, or the built-in one.
    pub fn source(&self, name: &str) -> Result<String, PromptError> {
        if let Some(text) = self.own(name)? {
            return Ok(text);
        }
        let built_in = BUILT_IN.iter().find(|(built_in, _)| *built_in == name);
        built_in.map(|(_, text)| (*text).to_owned()).ok_or_else(|| PromptError::Unknown(name.to_owned()))
    }

    /// Fills the template `name` with `values`.
    pub fn render(&self, name: &str, values: &impl Serialize) -> Result<String, PromptError> {
        // Fails with a better message than minijinja would.
        self.source(name)?;
        let mut environment = Environment::new();
        // A misspelled value in a user's template should be an error, not an empty line.
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_fuel(Some(FUEL));
        environment.set_recursion_limit(MAX_RECURSION);
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
        environment.set_syntax(syntax.expect("the delimiters are the usual ones"));
        environment.set_auto_escape_callback(|name| {
            if name.ends_with(".html.j2") { AutoEscape::Html } else { AutoEscape::None }
        });
        let templates = self.clone();
        environment.set_loader(move |name| match templates.source(name) {
            Ok(text) => Ok(Some(text)),
            Err(PromptError::Unknown(_)) => Ok(None),
            Err(error) => Err(minijinja::Error::new(ErrorKind::InvalidOperation, error.to_string())),
        });
        let wrong = |error: minijinja::Error| PromptError::Wrong {
            name: error.name().unwrap_or(name).to_owned(),
            line: error.line(),
            reason: error
                .detail()
                .map_or_else(|| error.kind().to_string(), |detail| format!("{}: {detail}", error.kind())),
        };
        let template = environment.get_template(name).map_err(wrong)?;
        let mut out = BoundedBuffer(Vec::new());
        template.render_captured_to(Serde(values), &mut out).map_err(wrong)?;
        Ok(String::from_utf8_lossy(&out.0).into_owned())
    }

    /// The path of the user's own version of a template.
    fn file(&self, name: &str) -> Option<PathBuf> {
        let is_plain = !name.is_empty()
            && !name.starts_with('.')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
        self.folder.as_deref().filter(|_| is_plain).map(|folder| folder.join(name))
    }

    fn own(&self, name: &str) -> Result<Option<String>, PromptError> {
        self.file(name).map_or(Ok(None), |path| read_template(&path))
    }
}

/// The text of a template's file; `None` when there is none, or nothing in it.
fn read_template(path: &Path) -> Result<Option<String>, PromptError> {
    let unreadable = |source| PromptError::Unreadable { path: path.to_owned(), source };
    match fs::metadata(path) {
        Ok(metadata) if metadata.len() > MAX_BYTES => {
            Err(unreadable(std::io::Error::other("it is too long for a template")))
        }
        // The shell empties the file before the template is printed to it.
        Ok(metadata) if metadata.len() == 0 => Ok(None),
        Ok(_) => fs::read_to_string(path).map(Some).map_err(unreadable),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(error)),
    }
}

/// A buffer that refuses to grow without end.
struct BoundedBuffer(Vec<u8>);

impl std::io::Write for BoundedBuffer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_OUTPUT {
            return Err(std::io::Error::other("the text grows too long"));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &str, text: &str) -> (tempfile::TempDir, Templates) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(name), text).unwrap();
        let templates = Templates::new(Some(folder.path().to_owned()));
        (folder, templates)
    }

    #[test]
    fn a_file_of_the_user_replaces_a_template() {
        let (_folder, templates) = with("impact.j2", "hello {{ name }}\n");
        assert_eq!(templates.render("impact.j2", &serde_json::json!({"name": "x"})).unwrap(), "hello x\n");
        assert!(templates.list().iter().any(|info| info.name == "impact.j2" && info.replaced_by.is_some()));
    }

    #[test]
    fn an_empty_file_replaces_nothing() {
        let (_folder, templates) = with("impact.j2", "");
        assert_eq!(templates.source("impact.j2").unwrap(), Templates::default().source("impact.j2").unwrap());
    }

    #[test]
    fn a_missing_value_is_an_error_with_a_place() {
        let (_folder, templates) = with("impact.j2", "a\n{{ nobody }}\n");
        let error = templates.render("impact.j2", &serde_json::json!({})).unwrap_err().to_string();
        assert!(error.starts_with("template impact.j2, line 2: undefined value"), "{error}");
    }

    #[test]
    fn endless_work_is_stopped() {
        let (_folder, templates) =
            with("impact.j2", "{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}");
        let error = templates.render("impact.j2", &serde_json::json!({})).unwrap_err().to_string();
        assert!(error.contains("fuel"), "{error}");
    }

    #[test]
    fn other_files_cannot_be_included() {
        let (_folder, templates) = with("impact.j2", "{% include '../../etc/passwd' %}");
        assert!(templates.render("impact.j2", &serde_json::json!({})).is_err());
        assert!(matches!(templates.source("/etc/passwd"), Err(PromptError::Unknown(_))));
    }
}
