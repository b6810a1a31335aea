//! `repoidx config`.

use std::{
    collections::BTreeMap,
    io::{self, IsTerminal},
};

use clap::Args;
use serde::Serialize;

use crate::{
    cli::{
        Global,
        notes::Notes,
        session::{configuration, repository},
        values::Plain,
    },
    config::{SettingOrigin, ValueForm},
    error::Failure,
    render::{escape::visible, json, screen::Screen, to_stdout},
};

/// List the settings, their values and where each comes from
///
/// A flag wins over the environment. The environment wins over repoidx.toml, or [tool.repoidx] in pyproject.toml, at
/// the repository's root. These win over config.toml in the user's configuration directory. A repository may set few of
/// them.
#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Plain,
}

#[derive(Serialize)]
struct SettingRow<'a> {
    value: &'a str,
    origin: String,
    variable: &'a str,
    about: &'a str,
}

pub(crate) fn run(args: &ConfigArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    let repo = repository(global).ok();
    let config = configuration(repo.as_ref(), notes)?;
    let mut entries: BTreeMap<&str, SettingRow<'_>> = BTreeMap::new();
    for (key, value, origin) in config.entries() {
        let origin = match origin {
            SettingOrigin::Default => "default".to_owned(),
            SettingOrigin::User => "config.toml of the user".to_owned(),
            SettingOrigin::Repository(file) => format!("{file} of the repository"),
            SettingOrigin::Environment(name) => (*name).to_owned(),
        };
        let value = if key.form == ValueForm::Secret && !value.is_empty() { "(set)" } else { value };
        entries.insert(key.name, SettingRow { value, origin, variable: key.variable, about: key.about });
    }
    let screen = Screen { is_terminal: io::stdout().is_terminal(), ..Screen::default() };
    to_stdout(|out| {
        if args.format == Plain::Json {
            return json::document(out, &entries, &screen);
        }
        for (name, entry) in &entries {
            let (value, origin) = (visible(entry.value), &entry.origin);
            writeln!(out, "{name:<16}  {value:<13}  {origin:<31}  {}", entry.about)?;
        }
        Ok(())
    })?;
    Ok(())
}
