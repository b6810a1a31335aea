//! Chooses the language model and its key.
//!
//! Flags, the environment and the user's configuration decide, never a repository's.

use std::{env, time::Duration};

use clap::ValueEnum;

use crate::{
    cli::{commands::ask::AskArgs, session::DAY},
    config::Config,
    error::{Failure, FailureKind},
    git::Repository,
    llm::{ApiKey, Provider, Wire, is_loopback, key_from, requests::RequestLog},
    render::escape::visible,
};

const OPENAI: &str = "https://api.openai.com/v1";
const ANTHROPIC: &str = "https://api.anthropic.com";
const OLLAMA: &str = "127.0.0.1:11434";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Name {
    /// Chat completions: `OpenAI`, llama.cpp, vLLM, LM Studio, `OpenRouter` and others, by --base-url
    Openai,
    /// Anthropic's messages
    Anthropic,
    /// An Ollama server, by default on this machine
    Ollama,
    /// A program that reads the prompt and prints the answer
    Command,
    /// A model in a GGUF file, run in this process: --model is its path
    Local,
    /// None
    None,
}

/// The provider that the user chose, if any.
pub(crate) fn provider(args: &AskArgs, repo: &Repository, config: &Config) -> Result<Option<Provider>, Failure> {
    let name = match args.provider {
        _ if args.no_llm => return Ok(None),
        Some(name) => name,
        None => match config.text("provider") {
            "" => return without_provider(args),
            text => Name::from_str(text, true).map_err(|error| Failure::usage(error, "repoidx config"))?,
        },
    };
    let wire = match name {
        Name::None => return Ok(None),
        Name::Openai => Wire::OpenAi,
        Name::Anthropic => Wire::Anthropic,
        Name::Ollama => Wire::Ollama,
        Name::Command => Wire::Command,
        Name::Local => Wire::Local,
    };
    let address = address(args, config, wire)?;
    let model = args.model.clone().unwrap_or_else(|| config.text("model").to_owned());
    if model.is_empty() && wire != Wire::Command {
        return Err(Failure::usage("no model is named", "repoidx ask --model NAME, or set REPOIDX_MODEL"));
    }
    // On this machine nobody else can read plain http.
    let is_local = matches!(wire, Wire::Command | Wire::Local) || is_loopback(&address);
    if address.starts_with("http://") && !is_local && !args.allow_http {
        let message = format!("plain http would show the prompt and the key to the network: {}", visible(&address));
        return Err(Failure::usage(message, "use https, or --allow-http if the network is yours"));
    }
    // A key is no part of the bytes that a dry run prints.
    let key = if args.dry_run { None } else { key(config, wire)? };
    let needs_key = matches!(wire, Wire::OpenAi | Wire::Anthropic) && !is_local && !args.dry_run;
    if needs_key && key.is_none() {
        let variable = if wire == Wire::Anthropic { "ANTHROPIC_API_KEY" } else { "OPENAI_API_KEY" };
        let message = format!("no key is set for {}", visible(&address));
        let hint = format!("set {variable}, or key_command in your config.toml; --no-llm answers without a model");
        return Err(Failure { kind: FailureKind::Llm, message, hint });
    }
    let answer_tokens = config.number("answer_tokens").unwrap_or(1);
    let log = Some(RequestLog::in_folder(&repo.data_dir()));
    Ok(Some(Provider { wire, address, model, key, timeout: timeout(config), answer_tokens, log }))
}

/// The same. Where it cannot be asked, the answer without a model is printed, but not in place of bytes to send.
pub(crate) fn provider_or(
    args: &AskArgs,
    repo: &Repository,
    config: &Config,
    from_index: impl FnOnce() -> Result<(), Failure>,
) -> Result<Option<Provider>, Failure> {
    provider(args, repo, config).or_else(|failure| {
        if !args.dry_run {
            from_index()?;
        }
        Err(failure)
    })
}

/// How long a service may take; at most a day.
pub(crate) fn timeout(config: &Config) -> Duration {
    Duration::from_secs(u64::try_from(config.number("timeout").unwrap_or(1)).unwrap_or(u64::MAX).min(DAY))
}

/// Rejects what has no effect without a provider.
fn without_provider(args: &AskArgs) -> Result<Option<Provider>, Failure> {
    let hint = if args.dry_run {
        "`--format prompt` prints the prompt for any model; `--provider openai --model NAME` the bytes for one"
    } else if args.model.is_some() || args.base_url.is_some() || args.llm_command.is_some() {
        "repoidx ask --provider openai|anthropic|ollama|command|local"
    } else {
        return Ok(None);
    };
    Err(Failure::usage("no provider is chosen", hint))
}

fn address(args: &AskArgs, config: &Config, wire: Wire) -> Result<String, Failure> {
    if wire == Wire::Local {
        return Ok("this process".to_owned());
    }
    if wire == Wire::Command {
        let line = args.llm_command.clone().unwrap_or_else(|| config.text("llm_command").to_owned());
        if line.trim().is_empty() {
            return Err(Failure::usage("no program is named", "repoidx ask --provider command --llm-command 'llm'"));
        }
        return Ok(line);
    }
    let chosen =
        args.base_url.clone().or_else(|| Some(config.text("base_url").to_owned()).filter(|url| !url.is_empty()));
    let usual = || match wire {
        Wire::Anthropic => variable("ANTHROPIC_BASE_URL").unwrap_or_else(|| ANTHROPIC.to_owned()),
        Wire::Ollama => variable("OLLAMA_HOST").unwrap_or_else(|| OLLAMA.to_owned()),
        _ => variable("OPENAI_BASE_URL").or_else(|| variable("OPENAI_API_BASE")).unwrap_or_else(|| OPENAI.to_owned()),
    };
    let address = chosen.unwrap_or_else(usual);
    let address = if wire == Wire::Ollama { ollama_host(&address) } else { address };
    let address = address.trim().trim_end_matches('/');
    // Some tools write the version into the address; the wire format adds it itself.
    let address = if wire == Wire::Anthropic { address.trim_end_matches("/v1") } else { address };
    let is_address = (address.starts_with("https://") || address.starts_with("http://"))
        && !address.contains(|c: char| c.is_whitespace() || c.is_control());
    if !is_address {
        let message = format!("`{}` is no address", visible(address));
        return Err(Failure::usage(message, "an address begins with https://, or http:// on this machine"));
    }
    Ok(address.to_owned())
}

/// Completes a host as Ollama's own programs do: the scheme or the host may be missing.
fn ollama_host(text: &str) -> String {
    let (scheme, rest) = text.split_once("://").unwrap_or(("http", text));
    let rest = rest.trim_end_matches('/');
    let (host, port) = match rest.rsplit_once(':') {
        Some((host, port)) if port.parse::<u16>().is_ok() => (host, port),
        _ if scheme == "https" => (rest, "443"),
        _ => (rest, "11434"),
    };
    // A server listens on every interface of this address; a client must name one.
    let host = if host.is_empty() || host == "0.0.0.0" { "127.0.0.1" } else { host };
    format!("{scheme}://{host}:{port}")
}

/// The provider's key: its usual variable, then ours, then what the user's command prints.
pub(crate) fn key(config: &Config, wire: Wire) -> Result<Option<ApiKey>, Failure> {
    let usual = match wire {
        Wire::OpenAi => variable("OPENAI_API_KEY"),
        Wire::Anthropic => variable("ANTHROPIC_API_KEY"),
        Wire::Ollama => variable("OLLAMA_API_KEY"),
        Wire::Command | Wire::Local => return Ok(None),
    };
    if let Some(text) = usual.or_else(|| Some(config.text("api_key").to_owned()).filter(|key| !key.is_empty())) {
        return match ApiKey::new(&text) {
            Some(key) => Ok(Some(key)),
            None => Err(Failure::usage("the provider's key has characters that no key has", "check its variable")),
        };
    }
    match config.text("key_command") {
        "" => Ok(None),
        line => Ok(key_from(line)?),
    }
}

#[expect(clippy::disallowed_methods, reason = "keys and addresses are where providers' own programs look for them")]
pub(crate) fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_as_ollama_reads_them() {
        for (text, address) in [
            ("127.0.0.1:11434", "http://127.0.0.1:11434"),
            ("0.0.0.0", "http://127.0.0.1:11434"),
            (":8000", "http://127.0.0.1:8000"),
            ("gpu.local", "http://gpu.local:11434"),
            ("https://ollama.example.com/", "https://ollama.example.com:443"),
        ] {
            assert_eq!(ollama_host(text), address);
        }
    }
}
