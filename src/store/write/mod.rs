//! Rows on their way into the index.

pub mod bulk;
pub(crate) mod entities;
pub(crate) mod entries;
pub(crate) mod files;
pub(crate) mod lists;
pub(crate) mod pages;
pub(crate) mod questions;
pub mod resolutions;
pub(crate) mod update;
