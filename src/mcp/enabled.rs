//! The server over rmcp. One thread speaks the protocol; calls run on threads of their own.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    thread,
    time::Duration,
};

use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject,
        ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
    transport::io::stdio_pipes,
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncRead, ReadBuf},
    runtime::Builder,
};

use super::{ServerOptions, roots};
use crate::{
    error::{Failure, FailureKind},
    tools::{
        ToolAnswer, answer,
        arguments::Request,
        catalog::{INSTRUCTIONS, NAMES, TOOLS},
        opening::{Configure, UpdateStage, Updates, memory},
        worded,
    },
};

/// How often a running call reports its progress.
const TICK: Duration = Duration::from_millis(500);
/// How often an orphan looks whether its host is gone.
const GLANCE: Duration = Duration::from_millis(250);

/// Serves until standard input ends.
///
/// # Errors
/// When the streams cannot be used.
pub fn serve(options: ServerOptions, configure: Arc<Configure>) -> Result<(), Failure> {
    let broken = |error: &dyn std::fmt::Display| Failure::unusable(format!("the server stopped: {error}"), "");
    // Both drivers: without the clock rmcp fails at the end while a request is under way.
    let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| broken(&error))?;
    let server = Server(Arc::new(Inner { options, configure, updates: Updates::default() }));
    let served = runtime.block_on(async {
        let (input, output) = stdio_pipes();
        match server.serve((UntilOrphaned::new(input), output)).await {
            Ok(running) => running.waiting().await.map(drop).map_err(|error| broken(&error)),
            // A client that goes before it says anything is no failure.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(broken(&error)),
        }
    });
    runtime.shutdown_background();
    served
}

#[derive(Clone)]
struct Server(Arc<Inner>);

struct Inner {
    options: ServerOptions,
    configure: Arc<Configure>,
    updates: Updates,
}

impl Inner {
    fn answer(&self, request: &Request, tell: &dyn Fn(&UpdateStage)) -> Result<ToolAnswer, Failure> {
        let place = roots::place(&request.root, request.place(), &self.options)?;
        let opened = self.updates.open(&place, &*self.configure, self.options.patience, tell)?;
        answer(&opened.workspace(), request, self.options.structured)
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("repoidx", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools(self.0.options.structured)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if !NAMES.contains(&request.name.as_ref()) {
            let message = format!("there is no tool `{}`; the tools are {}", request.name, NAMES.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        }
        let is_structured = self.0.options.structured;
        let request = match Request::parse(&request.name, &request.arguments.unwrap_or_default()) {
            Ok(request) => request,
            Err(failure) => return Ok(result(Err(failure), is_structured).into()),
        };
        let stage = Arc::new(Mutex::new(None));
        let (inner, heard) = (Arc::clone(&self.0), Arc::clone(&stage));
        let mut work = tokio::task::spawn_blocking(move || {
            let tell =
                |stage: &UpdateStage| *heard.lock().unwrap_or_else(PoisonError::into_inner) = Some(stage.clone());
            let answered = inner.answer(&request, &tell);
            memory::give_back();
            answered
        });
        loop {
            if let Ok(done) = tokio::time::timeout(TICK, &mut work).await {
                let answered =
                    done.unwrap_or_else(|_| Err(Failure::unusable("the answer broke off", "repoidx doctor")));
                return Ok(result(answered, is_structured).into());
            }
            if context.ct.is_cancelled() {
                // The thread ends by itself; nobody waits for it.
                return Err(ErrorData::internal_error("cancelled", None));
            }
            let told = stage.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let (Some(stage), Some(token)) = (told, context.meta.get_progress_token()) {
                #[expect(clippy::cast_precision_loss, reason = "a number of files")]
                let (done, total) = (stage.done as f64, stage.total as f64);
                let mut note = ProgressNotificationParam::new(token, done).with_message(stage.name);
                if total > 0.0 {
                    note = note.with_total(total);
                }
                // A client that does not listen is no reason to stop.
                context.peer.notify_progress(note).await.ok();
            }
        }
    }
}

/// The tools as the protocol lists them.
fn tools(is_structured: bool) -> Vec<Tool> {
    let mut tools: Vec<Tool> = serde_json::from_str(TOOLS).expect("the table of tools is JSON");
    if is_structured {
        let schema: JsonObject = [("type".to_owned(), json!("object"))].into_iter().collect();
        let schema = Arc::new(schema);
        for tool in &mut tools {
            tool.output_schema = Some(Arc::clone(&schema));
        }
    }
    tools
}

/// Conditions that the caller can remedy are answers. Only a malfunction is an error.
fn result(answered: Result<ToolAnswer, Failure>, is_structured: bool) -> CallToolResult {
    let (answer, is_error) = match answered {
        Ok(answer) => (answer, false),
        Err(failure) => (ToolAnswer { text: worded(&failure), report: None }, failure.kind != FailureKind::Usage),
    };
    let report = is_structured.then(|| answer.report.unwrap_or_else(|| message(&answer.text)));
    let content = vec![ContentBlock::text(answer.text)];
    let mut result = if is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = report;
    result
}

fn message(text: &str) -> Value {
    json!({"schema": "repoidx.message", "schema_version": 1, "message": text})
}

/// Standard input. At its end a call may still be under way, which is answered; but if the host is gone too, nobody
/// reads the answer, and the process ends.
struct UntilOrphaned<R> {
    input: R,
    parent: u32,
    has_ended: bool,
}

impl<R> UntilOrphaned<R> {
    fn new(input: R) -> Self {
        Self { input, parent: parent(), has_ended: false }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for UntilOrphaned<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.input).poll_read(context, buffer);
        let is_end = matches!(polled, Poll::Ready(Ok(()))) && buffer.filled().len() == before && buffer.remaining() > 0;
        if is_end && !self.has_ended {
            self.has_ended = true;
            let parent = self.parent;
            thread::spawn(move || {
                while self::parent() == parent {
                    thread::sleep(GLANCE);
                }
                end();
            });
        }
        polled
    }
}

#[expect(clippy::exit, reason = "nobody is left who waits for the call that is under way")]
#[expect(clippy::disallowed_methods, reason = "nobody is left who waits for the call that is under way")]
fn end() {
    std::process::exit(0);
}

/// The process that started this one; another one takes its place when it dies.
#[cfg(unix)]
fn parent() -> u32 {
    std::os::unix::process::parent_id()
}

/// Elsewhere the end of the host is not seen.
#[cfg(not(unix))]
fn parent() -> u32 {
    0
}
