//! Decides who may ask: the browser of the user who started the server, and nobody else.
//!
//! Any page of the web can make this browser send a request to 127.0.0.1, and can give a name of its own that address.
//! So `Host` and `Origin` must be the server's own, and a secret must come along. The first address holds it as a
//! token. It is turned into a cookie that scripts cannot read and that other sites' requests do not carry.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    digest::{SHA256, digest},
    rand::{SecureRandom, SystemRandom},
};

/// Bytes of a secret. Nobody guesses 256 bits.
const SECRET: usize = 32;
/// Longest path with its query, in bytes: a question of a page of text fits.
pub(super) const MAX_TARGET: usize = 8 << 10;
/// All headers together, in bytes. Browsers send about one KiB.
pub(super) const MAX_HEADERS: usize = 16 << 10;
/// The parameter of the first address.
const TOKEN: &str = "token=";

/// The parts of a request that are checked before anything else of it is read.
#[derive(Clone, Debug, Default)]
pub(super) struct RequestHead<'r> {
    pub(super) method: &'r str,
    /// The path and the query.
    pub(super) target: &'r str,
    /// The address names a host itself, as requests to proxies do.
    pub(super) is_absolute: bool,
    /// Names in lower case, in the order of the request.
    pub(super) headers: Vec<(&'r str, &'r [u8])>,
}

/// A request that may be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Admission {
    /// It has the cookie.
    Answer,
    /// It has the token: it gets the cookie, and the address without the token.
    Welcome,
}

/// Why a request is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) status: u16,
    pub(super) reason: &'static str,
}

/// The secrets of a running server.
pub(super) struct Guard {
    port: u16,
    token: String,
    cookie: String,
}

impl Guard {
    /// Fresh secrets; `None` where the system has no random numbers.
    pub(super) fn new(port: u16) -> Option<Self> {
        let random = SystemRandom::new();
        let secret = || {
            let mut bytes = [0; SECRET];
            random.fill(&mut bytes).ok()?;
            Some(URL_SAFE_NO_PAD.encode(bytes))
        };
        Some(Self { port, token: secret()?, cookie: secret()? })
    }

    /// The first address, with the token.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?{TOKEN}{}", self.port, self.token)
    }

    /// The header that leaves the cookie in the browser. Cookies do not tell ports apart, so its name does.
    pub(super) fn set_cookie(&self) -> String {
        format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name(), self.cookie)
    }

    /// Checks a request.
    pub(super) fn check(&self, head: &RequestHead) -> Result<Admission, Refusal> {
        let refuse = |status, reason| Err(Refusal { status, reason });
        if head.is_absolute {
            return refuse(400, "this is no proxy");
        }
        let hosts = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        let host = match head.all("host").as_slice() {
            [host] => hosts.iter().find(|own| own.as_bytes().eq_ignore_ascii_case(host)),
            _ => None,
        };
        let Some(host) = host else { return refuse(421, "the host is not this server") };
        let origin = format!("http://{host}");
        if head.all("origin").iter().any(|from| *from != origin.as_bytes()) {
            return refuse(403, "another site asks");
        }
        // Browsers say who caused a request: this page, the user, or somebody else.
        let is_own = |from: &&[u8]| [&b"same-origin"[..], b"none"].contains(from);
        if !head.all("sec-fetch-site").iter().all(is_own) {
            return refuse(403, "another site asks");
        }
        if head.method != "GET" {
            return refuse(405, "only GET is answered");
        }
        if head.target.len() > MAX_TARGET {
            return refuse(414, "the address is too long");
        }
        if head.headers.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>() > MAX_HEADERS {
            return refuse(431, "the headers are too long");
        }
        let has_body = !head.all("transfer-encoding").is_empty()
            || head.all("content-length").iter().any(|length| *length != b"0");
        if has_body {
            return refuse(413, "a question has no body");
        }
        if let Some(token) = head.target.strip_prefix("/?").and_then(|query| query.strip_prefix(TOKEN)) {
            if !is_same(token, &self.token) {
                return refuse(401, "the token is not the one of this server");
            }
            return Ok(Admission::Welcome);
        }
        let name = self.cookie_name();
        let cookies = head.all("cookie").into_iter().filter_map(|line| std::str::from_utf8(line).ok());
        let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        if !pairs.any(|(other, value)| other == name && is_same(value, &self.cookie)) {
            return refuse(401, "open the address that `repoidx serve` printed");
        }
        Ok(Admission::Answer)
    }

    fn cookie_name(&self) -> String {
        format!("repoidx_{}", self.port)
    }
}

impl<'r> RequestHead<'r> {
    fn all(&self, name: &str) -> Vec<&'r [u8]> {
        self.headers.iter().filter(|(other, _)| *other == name).map(|(_, value)| *value).collect()
    }
}

/// Compares secrets by their digests, so that the time tells nothing about them.
fn is_same(left: &str, right: &str) -> bool {
    digest(&SHA256, left.as_bytes()).as_ref() == digest(&SHA256, right.as_bytes()).as_ref()
}
