//! `repoidx templates`.

use std::io;

use clap::Args;

use crate::{
    cli::session::templates,
    error::Failure,
    render::{escape::visible_path, to_stdout},
};

/// List the templates, or print one as a starting point for your own
///
/// A file of the same name in the `templates` folder of the user's configuration directory replaces a template.
#[derive(Debug, Args)]
pub(crate) struct TemplatesArgs {
    /// The template to print
    name: Option<String>,
}

pub(crate) fn run(args: &TemplatesArgs) -> Result<(), Failure> {
    let templates = templates();
    if let Some(name) = &args.name {
        let source = templates.source(name)?;
        return Ok(to_stdout(|out| out.write_all(source.as_bytes()))?);
    }
    to_stdout(|out| -> io::Result<()> {
        for info in templates.list() {
            let origin = info.replaced_by.map_or_else(|| "built in".to_owned(), |path| path.display().to_string());
            writeln!(out, "{:<24} {}", info.name, visible_path(&origin))?;
        }
        Ok(())
    })?;
    Ok(())
}
