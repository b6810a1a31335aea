//! Values of the command line for types of lower layers.

pub(crate) mod filters;

use clap::{ValueEnum, builder::PossibleValue};

use crate::{query::impact::walk::factors::Change, render::screen::When};

impl ValueEnum for Change {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Body, Self::Signature, Self::Remove, Self::Rename, Self::Require, Self::KeywordOnly]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Self::Body => "it does something else",
            Self::Signature => "it takes other arguments",
            Self::Remove => "it is gone",
            Self::Rename => "it has another name",
            Self::Require => "the parameter loses its default (with --param)",
            Self::KeywordOnly => "the parameter can only be given by keyword (with --param)",
        };
        Some(PossibleValue::new(self.as_str()).help(help))
    }
}

impl ValueEnum for When {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Auto, Self::Always, Self::Never]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match self {
            Self::Auto => "auto",
            Self::Always => "always",
            Self::Never => "never",
        }))
    }
}

/// The formats of reports that have only two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Plain {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
}

/// Reads a number from -1 to 1.
pub(crate) fn similarity(text: &str) -> Result<f64, String> {
    from_to(text, -1, 1)
}

/// A whole number of things, at least one.
pub(crate) fn positive<N: std::str::FromStr + Default + PartialEq>(text: &str) -> Result<N, String> {
    match text.parse() {
        Ok(number) if number != N::default() => Ok(number),
        Ok(_) => Err("at least 1 is needed".to_owned()),
        Err(_) => Err("not a whole number".to_owned()),
    }
}

/// Reads a number from 0 to 1.
pub(crate) fn fraction(text: &str) -> Result<f64, String> {
    from_to(text, 0, 1)
}

fn from_to(text: &str, low: i32, high: i32) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    let is_between = (f64::from(low)..=f64::from(high)).contains(&number);
    if is_between { Ok(number) } else { Err(format!("not between {low} and {high}")) }
}
