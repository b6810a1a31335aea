//! `repoidx context`.

use clap::{Args, ValueEnum};

use crate::{
    ask::context::{headers, tokens::tokens},
    cli::{
        Global, embedding,
        notes::Notes,
        session::{Session, longest_line},
        standing::Standing,
        target::{beyond_the_end, line_count},
        values::positive,
    },
    error::Failure,
    query::{
        context::{context, cursor::Cursor},
        words::count,
    },
    render::{
        json,
        navigation::context::{FittedContext, Style, fitted},
        to_stdout,
    },
    tools::context::receivers,
};

/// Collect the context of the code at a place
///
/// Prints the definitions used there, the classes behind them, examples of their use, and similar code; for completions
/// and edits.
#[derive(Debug, Args)]
pub(crate) struct ContextArgs {
    /// The place: a file, a line and optionally a column, both from 1
    #[arg(long, value_name = "FILE:LINE[:COLUMN]")]
    at: String,
    /// Most tokens
    #[arg(long, value_name = "N", default_value = "2000", value_parser = positive::<u32>)]
    tokens: u32,
    /// How the code is written
    #[arg(long, value_name = "STYLE", default_value = "line-comment")]
    style: StyleName,
    /// How to write the answer; json has all pieces in full
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: crate::cli::values::Plain,
    /// Also tell, beside the answer, how much of it the headers of the pieces take
    #[arg(long)]
    stats: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StyleName {
    /// As comments of the language
    LineComment,
    /// As Markdown
    Markdown,
}

pub(crate) fn run(args: &ContextArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    let mut session = Session::open(global, notes)?;
    session.withhold()?;
    let cursor = cursor(&session, &args.at)?;
    if session.has_changed(&cursor.path) {
        let message = format!("{} has changed since the index was made, so its lines are not read", cursor.path);
        return Err(Failure::usage(message, "repoidx context, without --no-update"));
    }
    let meaning = embedding::ready(&session, false)?;
    let searcher = meaning.searcher(&session.store)?;
    let sources = session.sources();
    let receivers = receivers(&session.store, &sources, &cursor)?;
    let Some(mut report) = context(&session.store, &sources, &searcher, &cursor, &receivers)? else {
        return Err(Failure::usage(format!("`{}` is not in the index", cursor.path), "repoidx status"));
    };
    report.without_copies(session.config.number("copy_lines").unwrap_or(usize::MAX));
    let style = if args.style == StyleName::Markdown { Style::Markdown } else { Style::LineComment };
    let longest = longest_line(&session.config);
    let standing = Standing::of(&session);
    let copies = match report.copies {
        0 => None,
        copies => Some(format!("{} of code shown above left out", count(copies, "near copy"))),
    };
    let told: String = copies
        .into_iter()
        .chain(standing.line())
        .map(|line| match style {
            Style::Markdown => format!("{line}\n"),
            Style::LineComment => format!("# {line}\n"),
        })
        .collect();
    let fitted = fitted(&report, style, (args.tokens as usize).saturating_sub(tokens(&told)), longest);
    to_stdout(|out| match args.format {
        crate::cli::values::Plain::Json => json::document(out, &standing.with(&report), &session.screen),
        crate::cli::values::Plain::Text => out.write_all(format!("{}{told}", fitted.text).as_bytes()),
    })?;
    if args.stats {
        let FittedContext { tokens, pieces, header_tokens, .. } = fitted;
        let (all, budget) = (report.pieces.len(), args.tokens);
        let share = headers::share(header_tokens, tokens);
        notes.summary(&format!("{pieces} of {all} pieces; {tokens} of {budget} tokens, {share} of them headers"));
    }
    Ok(())
}

/// Reads `FILE:LINE[:COLUMN]`; the file is relative to where the user stands, or to the root.
fn cursor(session: &Session, place: &str) -> Result<Cursor, Failure> {
    let Some(cursor) = Cursor::parse(place) else {
        return Err(Failure::usage(format!("`{place}` is no place"), "repoidx context --at path/file.py:12:5"));
    };
    let Some(path) = session.file_path(&cursor.path)? else {
        return Err(Failure::usage(format!("`{}` is not in the index", cursor.path), "repoidx status"));
    };
    // The line behind the last one is where new code will be written.
    if cursor.line > line_count(session, &path)?.saturating_add(1) {
        return Err(beyond_the_end(session, &path)?);
    }
    Ok(Cursor { path, ..cursor })
}
