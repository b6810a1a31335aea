//! `repoidx man`.

use std::{fs, path::PathBuf};

use clap::Args;

use crate::{cli::description, error::Failure, render::to_stdout};

/// Print the manual page, or write the pages of all commands
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Write every page into DIR instead
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &ManArgs) -> Result<(), Failure> {
    if let Some(folder) = &args.out {
        return fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(description(), folder))
            .map_err(|error| Failure::unusable(format!("writing to {}: {error}", folder.display()), ""));
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(description()).render(&mut page)?;
    Ok(to_stdout(|out| out.write_all(&page))?)
}
