//! `repoidx serve`.

use std::{env, sync::Arc, time::Duration};

use clap::Args;

use crate::{
    cli::{
        Global,
        notes::Notes,
        page::{editor_links, open_address},
        session::{configuration, repository, templates},
    },
    error::Failure,
    git::Repository,
    render::to_stdout,
    serve::{ServeOptions, serve},
};

/// Answer in a browser: questions, search, definitions, impact and review
///
/// The pages are the answers of the commands, about the files as they are. Only this machine reaches them, and only
/// through the address that is printed. The server ends by itself when nobody asks any more.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// The port on 127.0.0.1; 0 takes one that is free
    #[arg(long, value_name = "PORT", default_value = "0")]
    port: u16,
    /// End after this TIME without a request, such as 90s, 30m or 2h; 0 for never
    #[arg(long, value_name = "TIME", default_value = "30m", value_parser = time)]
    idle: Duration,
    /// Open the address in the browser
    #[arg(long)]
    open: bool,
    /// Seconds that an answer waits for the index before it comes from what is there
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    wait: u64,
}

pub(crate) fn run(args: &ServeArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    let repo = repository(global)?;
    let config = configuration(Some(&repo), notes)?;
    let place = repo.root().unwrap_or_else(|| repo.git_dir()).to_owned();
    // A relative path would change its meaning with the current folder.
    #[expect(clippy::disallowed_methods, reason = "here the current folder is read")]
    let place = env::current_dir().map_or_else(|_| place.clone(), |folder| folder.join(&place));
    let options = ServeOptions {
        place,
        port: args.port,
        idle: (!args.idle.is_zero()).then_some(args.idle),
        patience: Duration::from_secs(args.wait),
        templates: templates(),
        editor: editor_links(&config, &repo, true)?,
    };
    let announce = |address: &str| {
        // Whoever started it may have closed its output.
        to_stdout(|out| writeln!(out, "{address}")).ok();
        let or_idle = match args.idle.as_secs() {
            0 => String::new(),
            _ => format!(", or {} without a request", worded(args.idle)),
        };
        notes.note(&format!("Ctrl-C ends it{or_idle}"));
        if args.open {
            open_address(address);
        }
    };
    let no_update = global.no_update;
    let configure = move |repo: &Repository| {
        let mut config = configuration(Some(repo), Notes::new(true))?;
        if no_update {
            config.keep_index();
        }
        Ok(config)
    };
    serve(options, Arc::new(configure), &announce)
}

/// A number of seconds, minutes or hours.
fn time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.strip_suffix(['s', 'm', 'h']) {
        Some(number) => (number, &text[number.len()..]),
        None => (text, "m"),
    };
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        _ => 60 * 60,
    };
    let number: u32 = number.parse().map_err(|_| "a number with s, m or h, such as 30m".to_owned())?;
    Ok(Duration::from_secs(u64::from(number) * seconds))
}

fn worded(time: Duration) -> String {
    match time.as_secs() {
        seconds if seconds % 60 == 0 => format!("{} min", seconds / 60),
        seconds => format!("{seconds} s"),
    }
}
