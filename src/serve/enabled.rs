//! The server over hyper. One thread speaks HTTP; answers are made on a few threads of their own.

use std::{
    convert::Infallible,
    net::Ipv4Addr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use http_body_util::Full;
use hyper::{
    Request, Response, StatusCode,
    body::{Bytes, Incoming},
    header::{
        CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION, REFERRER_POLICY,
        SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
    },
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::TcpListener,
    runtime::Builder,
    sync::Semaphore,
    time::{Instant, timeout_at},
};

use super::{
    ServeOptions,
    guard::{Admission, Guard, MAX_HEADERS, Refusal, RequestHead},
    pages::{Pages, WrittenPage},
    router::{PageRoute, route},
};
use crate::{
    error::Failure,
    tools::opening::{Configure, memory},
};

/// Answers that are made at once; the others wait.
const WORKERS: usize = 16;
/// Open connections; a further one waits for a free place.
const CONNECTIONS: usize = 512;
/// How long a connection may take to say the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(15);
/// Most headers of a request.
const HEADERS: usize = 64;
/// With "never" as the time without a request, the server looks again after this time.
const LONG: Duration = Duration::from_secs(24 * 60 * 60);

/// Serves until nobody asks any more. `announce` gets the address to open.
///
/// # Errors
/// When the port is taken.
pub fn serve(options: ServeOptions, configure: Arc<Configure>, announce: &dyn Fn(&str)) -> Result<(), Failure> {
    let broken = |error: &dyn std::fmt::Display| Failure::unusable(format!("the server stopped: {error}"), "");
    let runtime = Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(WORKERS)
        .build()
        .map_err(|error| broken(&error))?;
    let (asked, idle) = (options.port, options.idle);
    let served = runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, asked)).await.map_err(|error| {
            let message = format!("port {asked} of this machine cannot be used: {error}");
            Failure::unusable(message, "leave --port out for one that is free")
        })?;
        let port = listener.local_addr().map_err(|error| broken(&error))?.port();
        let guard = Guard::new(port).ok_or_else(|| broken(&"this system gives no random numbers"))?;
        let server = Arc::new(PageServer {
            pages: Arc::new(Pages::new(options, configure)?),
            guard,
            busy: AtomicUsize::new(0),
            last: Mutex::new(Instant::now()),
        });
        announce(&server.guard.address());
        server.run(listener, idle).await;
        Ok(())
    });
    runtime.shutdown_background();
    served
}

struct PageServer {
    pages: Arc<Pages>,
    guard: Guard,
    /// Answers under way.
    busy: AtomicUsize,
    /// The end of the last answer.
    last: Mutex<Instant>,
}

impl PageServer {
    async fn run(self: Arc<Self>, listener: TcpListener, idle: Option<Duration>) {
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
            let stream = loop {
                let end = self.last_answer() + idle.unwrap_or(LONG);
                match timeout_at(end, listener.accept()).await {
                    Ok(Ok((stream, _))) => break stream,
                    // A connection that broke off before it was accepted concerns nobody else.
                    Ok(Err(_)) => {}
                    Err(_) if idle.is_some() && self.is_idle(end) => return,
                    Err(_) => self.answered(),
                }
            };
            let server = Arc::clone(&self);
            tokio::spawn(async move {
                let service = service_fn(|request| {
                    let server = Arc::clone(&server);
                    async move { Ok::<_, Infallible>(server.respond(&request).await) }
                });
                let connection = http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(HEAD_TIME)
                    .max_buf_size(2 * MAX_HEADERS)
                    .max_headers(HEADERS)
                    .serve_connection(TokioIo::new(stream), service);
                // Whoever hangs up needs no answer.
                connection.await.ok();
                drop(place);
            });
        }
    }

    fn last_answer(&self) -> Instant {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answered(&self) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Whether nothing happened up to `end`.
    fn is_idle(&self, end: Instant) -> bool {
        self.busy.load(Ordering::SeqCst) == 0 && self.last_answer() < end
    }

    async fn respond(self: Arc<Self>, request: &Request<Incoming>) -> Response<Full<Bytes>> {
        self.busy.fetch_add(1, Ordering::SeqCst);
        let response = self.response(request).await;
        // A refused request keeps no server alive.
        if !matches!(response.status(), StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
            self.answered();
        }
        self.busy.fetch_sub(1, Ordering::SeqCst);
        response
    }

    async fn response(&self, request: &Request<Incoming>) -> Response<Full<Bytes>> {
        let uri = request.uri();
        let target = uri.path_and_query().map_or("", |target| target.as_str());
        let head = RequestHead {
            method: request.method().as_str(),
            target,
            is_absolute: uri.authority().is_some(),
            headers: request.headers().iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect(),
        };
        match self.guard.check(&head) {
            Err(refusal) => self.refused(refusal),
            Ok(Admission::Welcome) => {
                let mut response = Response::new(Full::default());
                *response.status_mut() = StatusCode::SEE_OTHER;
                response.headers_mut().insert(LOCATION, HeaderValue::from_static("/"));
                let cookie = HeaderValue::from_str(&self.guard.set_cookie()).expect("a secret is written in ASCII");
                response.headers_mut().insert(SET_COOKIE, cookie);
                hardened(response, "default-src 'none'")
            }
            Ok(Admission::Answer) => match route(target) {
                Err(refusal) => self.refused(refusal),
                Ok(PageRoute::Icon) => {
                    let mut response = Response::new(Full::default());
                    *response.status_mut() = StatusCode::NO_CONTENT;
                    hardened(response, "default-src 'none'")
                }
                Ok(route) => {
                    let pages = Arc::clone(&self.pages);
                    let broke_off = Refusal { status: 500, reason: "the answer broke off" };
                    let written = tokio::task::spawn_blocking(move || {
                        let written = pages.page(&route);
                        memory::give_back();
                        written
                    })
                    .await;
                    page(written.unwrap_or_else(|_| self.pages.refused(broke_off)), "text/html; charset=utf-8")
                }
            },
        }
    }

    fn refused(&self, refusal: Refusal) -> Response<Full<Bytes>> {
        let mut response = page(self.pages.refused(refusal), "text/plain; charset=utf-8");
        if refusal.status == 405 {
            response.headers_mut().insert(hyper::header::ALLOW, HeaderValue::from_static("GET"));
        }
        response
    }
}

fn page(written: WrittenPage, kind: &'static str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(written.body)));
    *response.status_mut() = StatusCode::from_u16(written.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    hardened(response, &written.policy)
}

/// The headers by which a browser keeps the page to itself.
fn hardened(mut response: Response<Full<Bytes>>, policy: &str) -> Response<Full<Bytes>> {
    let headers = response.headers_mut();
    let policy = HeaderValue::from_str(policy).expect("digests are written in ASCII");
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    // An answer is about the files of this moment.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    for name in ["cross-origin-resource-policy", "cross-origin-opener-policy"] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static("same-origin"));
    }
    response
}
