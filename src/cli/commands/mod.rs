//! One file per command: resolves arguments, calls one function, renders. A new one is entered here three times: as a
//! module, as a variant of [`Command`], and in `run`.

pub(crate) mod agents;
pub(crate) mod ask;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod context;
pub(crate) mod doctor;
pub(crate) mod evidence;
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
pub(crate) mod schema;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod status;
pub(crate) mod templates;
pub(crate) mod tree;
pub(crate) mod uninstall_hooks;

use clap::Subcommand;

use crate::{
    cli::{Global, notes::Notes},
    error::Failure,
};

/// The commands in the order of `--help`.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Init(init::InitArgs),
    Index(index::IndexArgs),
    Status(status::StatusArgs),
    Impact(impact::ImpactArgs),
    Review(review::ReviewArgs),
    Refs(refs::RefsArgs),
    Show(show::ShowArgs),
    Tree(tree::TreeArgs),
    Ask(Box<ask::AskArgs>),
    Search(search::SearchArgs),
    Map(map::MapArgs),
    Context(context::ContextArgs),
    Evidence(evidence::EvidenceArgs),
    Export(export::ExportArgs),
    Serve(serve::ServeArgs),
    Mcp(mcp::McpArgs),
    Agents(agents::AgentsArgs),
    InstallHooks(install_hooks::InstallHooksArgs),
    UninstallHooks(uninstall_hooks::UninstallHooksArgs),
    Hook(hook::HookArgs),
    Doctor(doctor::DoctorArgs),
    Config(config::ConfigArgs),
    Templates(templates::TemplatesArgs),
    Schema(schema::SchemaArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

impl Command {
    pub(crate) fn run(&self, global: &Global, notes: Notes) -> Result<(), Failure> {
        match self {
            Self::Init(args) => init::run(args, global, notes),
            Self::Index(args) => index::run(args, global, notes),
            Self::Status(args) => status::run(args, global, notes),
            Self::Impact(args) => impact::run(args, global, notes),
            Self::Review(args) => review::run(args, global, notes),
            Self::Refs(args) => refs::run(args, global, notes),
            Self::Show(args) => show::run(args, global, notes),
            Self::Tree(args) => tree::run(args, global, notes),
            Self::Ask(args) => ask::run(args, global, notes),
            Self::Search(args) => search::run(args, global, notes),
            Self::Map(args) => map::run(args, global, notes),
            Self::Context(args) => context::run(args, global, notes),
            Self::Evidence(args) => evidence::run(args, global, notes),
            Self::Export(args) => export::run(args, global, notes),
            Self::Serve(args) => serve::run(args, global, notes),
            Self::Mcp(args) => mcp::run(args, global),
            Self::Agents(args) => agents::run(args, global, notes),
            Self::InstallHooks(args) => install_hooks::run(args, global, notes),
            Self::UninstallHooks(args) => uninstall_hooks::run(args, global, notes),
            // A hook reports nothing, so `run` handles it first.
            Self::Hook(_) => Ok(()),
            Self::Doctor(args) => doctor::run(args, global, notes),
            Self::Config(args) => config::run(args, global, notes),
            Self::Templates(args) => templates::run(args),
            Self::Schema(args) => schema::run(args),
            Self::Completions(args) => completions::run(args),
            Self::Man(args) => man::run(args),
        }
    }
}
