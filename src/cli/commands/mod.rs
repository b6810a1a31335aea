//! One file per command: resolves arguments, calls one function, renders.

pub(crate) mod agents;
pub(crate) mod ask;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod context;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod here;
pub(crate) mod hook;
pub(crate) mod impact;
pub(crate) mod index;
pub(crate) mod init;
pub(crate) mod install_hooks;
pub(crate) mod man;
pub(crate) mod map;
pub(crate) mod mcp;
pub(crate) mod pre_push;
pub(crate) mod refs;
pub(crate) mod review;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod status;
pub(crate) mod templates;
pub(crate) mod tree;
pub(crate) mod uninstall_hooks;
