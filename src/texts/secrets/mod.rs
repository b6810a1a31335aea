//! Finds secrets in text by their shape and replaces them by `[REDACTED_<kind>]`.
//!
//! The shapes are those that issuers document for their keys, private key blocks, and credentials in addresses. Values
//! with high entropy count too, if they are assigned to names such as `password`, and so do letters that make no words.
//! A secret that looks like an ordinary word cannot be recognized.

mod named;
mod told;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::OnceLock,
};

use regex::Regex;

use named::named_spans;
use told::{may_announce, told_spans};

/// The shapes of secrets: kind, needles, pattern. A text in lower case without any needle needs no run of the pattern,
/// which is a hundred times faster. The first group is replaced; without a group, the whole match. The shapes are those
/// that the issuers document for secret scanning. Classes are ASCII, and what a class excludes repeats without an upper
/// end: otherwise a pattern takes up to 30 ms to compile, longer than the answer that it guards.
const SHAPES: &[(&str, &str, &str)] = &[
    (
        "private_key",
        "private key",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?s:.*?)(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\z)",
    ),
    ("age_key", "age-secret-key", r"\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b"),
    ("aws_access_key", "akia asia abia acca agpa aida aroa", r"\b(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA)[0-9A-Z]{16}\b"),
    (
        "aws_secret_key",
        "aws",
        r#"(?i)aws.{0,24}?(?:secret|private|key).{0,24}?["'= :]([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|\z)"#,
    ),
    (
        "github_token",
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[0-9A-Za-z_]{22,255})\b",
    ),
    (
        "gitlab_token",
        "glpat glptt gldt glrt glcbt glsoat glft glimt glagent gloas",
        r"\bgl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|agent|oas)-[0-9A-Za-z_\-]{20,}",
    ),
    ("slack_token", "xox", r"\bxox[abeoprs]-(?:[0-9A-Za-z]+-)*[0-9A-Za-z]{10,}"),
    ("slack_app_token", "xapp-", r"\bxapp-[0-9]-[A-Z0-9]+-[0-9]+-[a-z0-9]{20,}"),
    (
        "slack_webhook",
        "hooks.slack.com",
        r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{40,}",
    ),
    ("stripe_key", "sk_ rk_", r"\b(?:sk|rk)_(?:live|test|prod)_[0-9a-zA-Z]{16,247}\b"),
    ("webhook_secret", "whsec_", r"\bwhsec_[A-Za-z0-9+/=]{24,}"),
    ("anthropic_key", "sk-ant-", r"\bsk-ant-[a-z0-9]{2,8}-[A-Za-z0-9_\-]{20,}"),
    ("openai_key", "sk-proj- sk-svcacct- sk-admin-", r"\bsk-(?:proj|svcacct|admin)-[A-Za-z0-9_\-]{20,}\b"),
    ("api_key", "sk-", r"\bsk-[A-Za-z0-9_\-]{20,}\b"),
    ("google_api_key", "aiza", r"\bAIza[0-9A-Za-z_\-]{35}"),
    ("google_oauth", "gocspx- ya29.", r"\bGOCSPX-[0-9A-Za-z_\-]{28}|\bya29\.[0-9A-Za-z_\-]{20,}"),
    ("json_web_token", "eyj", r"\beyJ[A-Za-z0-9_\-]{10,}\.eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{10,}"),
    ("npm_token", "npm_", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("pypi_token", "pypi-age", r"\bpypi-AgE[A-Za-z0-9_\-]{40,}"),
    ("rubygems_key", "rubygems_", r"\brubygems_[a-f0-9]{48}\b"),
    ("crates_io_token", "cio", r"\bcio[A-Za-z0-9]{32}\b"),
    ("docker_token", "dckr_", r"\bdckr_(?:pat|oat)_[A-Za-z0-9_\-]{27,}"),
    ("digitalocean_token", "dop_v1 doo_v1 dor_v1", r"\bdo[opr]_v1_[a-f0-9]{64}\b"),
    ("sendgrid_key", "sg.", r"\bSG\.[A-Za-z0-9_\-]{16,32}\.[A-Za-z0-9_\-]{32,64}"),
    ("twilio_key", "sk", r"\bSK[0-9a-f]{32}\b"),
    ("mailgun_key", "key-", r"\bkey-[0-9a-z]{32}\b"),
    ("mailchimp_key", "-us", r"\b[0-9a-f]{32}-us[0-9]{1,2}\b"),
    ("square_token", "sq0 eaaa", r"\bsq0(?:atp|csp|idp)-[0-9A-Za-z_\-]{22,}|\bEAAA[A-Za-z0-9_\-]{56,}"),
    ("shopify_token", "shpat shpca shppa shpss", r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b"),
    ("discord_token", ".", r"\b[MNO][A-Za-z0-9_\-]{23,27}\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,38}"),
    (
        "discord_webhook",
        "/api/webhooks/",
        r"https://(?:[A-Za-z0-9_]+\.)?discord(?:app)?\.com/api/webhooks/[0-9]+/[A-Za-z0-9_\-]{40,}",
    ),
    ("telegram_token", ":aa", r"(?:\bbot|\b)([0-9]{8,10}:AA[A-Za-z0-9_\-]{32,35})"),
    ("huggingface_token", "hf_ api_org_", r"\b(?:hf|api_org)_[A-Za-z0-9]{30,}\b"),
    ("databricks_token", "dapi", r"\bdapi[0-9a-f]{32}(?:-[0-9])?\b"),
    ("linear_key", "lin_", r"\blin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    ("notion_token", "ntn_ secret_", r"\b(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})\b"),
    ("figma_token", "fig", r"\bfig[dou]r?_[A-Za-z0-9_\-]{40,}"),
    ("sentry_token", "sntry", r"\bsntry[su]_[A-Za-z0-9+/=_\-]{40,}"),
    ("grafana_token", "glsa glc", r"\bgl(?:sa|c)_[A-Za-z0-9+/=_]{32,}"),
    ("newrelic_key", "nrak- nrjs- nrii- nriq- nrra-", r"\bNR(?:AK|JS|II|IQ|RA)-[A-Za-z0-9]{20,40}\b"),
    ("dropbox_token", "sl.", r"\bsl\.(?:u\.)?[A-Za-z0-9_\-]{100,}"),
    ("atlassian_token", "atatt3 atbb atctt3", r"\bAT(?:ATT3|BB|CTT3)[A-Za-z0-9_\-=]{24,}"),
    ("vault_token", "hvs. hvb. hvr.", r"\bhv[sbr]\.[A-Za-z0-9_\-]{24,}"),
    ("terraform_token", ".atlasv1.", r"\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_\-=]{60,}"),
    ("pulumi_token", "pul-", r"\bpul-[a-f0-9]{40}\b"),
    ("doppler_token", "dp.", r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_\-]+\.)?[A-Za-z0-9]{40,44}\b"),
    ("postman_key", "pmak-", r"\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b"),
    ("azure_storage_key", "accountkey=", r"AccountKey=([A-Za-z0-9+/]{60,}={0,2})"),
    ("azure_sas", "sig=", r"[?&]sig=([A-Za-z0-9%+/]{40,}(?:%3D|=)?)"),
    ("alibaba_key", "ltai", r"\bLTAI[A-Za-z0-9]{17,21}\b"),
    ("netlify_token", "nfp_", r"\bnfp_[A-Za-z0-9]{36,}\b"),
    ("supabase_key", "sbp_ sb_secret_", r"\bsb(?:p|_secret)_[a-zA-Z0-9_]{30,}\b"),
    ("planetscale_token", "pscale_", r"\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9_\-.=]{32,}"),
    ("groq_key", "gsk_", r"\bgsk_[A-Za-z0-9]{40,}\b"),
    ("replicate_token", "r8_", r"\br8_[A-Za-z0-9]{36,}\b"),
    ("xai_key", "xai-", r"\bxai-[A-Za-z0-9]{60,}\b"),
    ("perplexity_key", "pplx-", r"\bpplx-[A-Za-z0-9]{40,}\b"),
    ("tailscale_key", "tskey-", r"\btskey-(?:auth|api|client)-[A-Za-z0-9]+-[A-Za-z0-9]{20,}"),
    ("flyio_token", "flyv1 fo1_", r"\bFlyV1 fm[12]_[A-Za-z0-9+/=,_]{60,}|\bfo1_[A-Za-z0-9_\-]{40,}"),
    ("facebook_token", "eaa", r"\bEAACEdEose0cBA[0-9A-Za-z]+|\bEAA[A-Za-z0-9]{90,}\b"),
    (
        "credentials_in_address",
        "://",
        r#"\b[a-zA-Z][a-zA-Z0-9+.\-]{1,20}://[^\s:/@'"`<>{}$]*:([^\s:/@'"`<>{}$]{3,})@[A-Za-z0-9\[{]"#,
    ),
    (
        "connection_password",
        "password= pwd=",
        r#"(?i:\b(?:host|server|user|username|user id|uid|dbname|database|port)=[^\s;,()"'=]+[; ]\s*(?:[a-z_ ]{1,20}=[^\s;,()"'=]*[; ]\s*)*(?:password|pwd)=)([^\s;,()"'`]{6,})"#,
    ),
    ("basic_auth", "auth", r#"(?i:\bauth)\s*=\s*\(\s*["'][^"'\s]+["']\s*,\s*["']([^"'\s]{6,})["']"#),
    ("basic_auth", "curl", r#"\bcurl\s[^\n]*-(?:u|-user)\s+["']?[^\s:"']+:([^\s"'`]{6,})"#),
    (
        "command_password",
        "-u -auth mysql",
        r#"(?m)(?:^|[\s"'])-(?:u|a|-user|-auth)[ =]["']?[^\s:"'/]+:([^\s"'`]{8,})|\bmysql(?:dump)?\s[^\n]*\s-p([^\s"'`]{8,})"#,
    ),
    ("command_password", "mysql", r#"\bmysql(?:dump|admin)?["']?,?\s[^\n]*["']-p([^\s"'`]{8,})["']"#),
    ("login_password", "_auth", r#"(?i:_auth)\s*=\s*\(\s*["'][^"'\s]+["']\s*,\s*["']([^"'\s]{8,})["']"#),
    (
        "login_password",
        "login log_in sign authenticate connect",
        r#"(?i-u:\b(?:[a-z_.]{0,40}[._])?(?:login|log_in|authenticate|connect|sign_?in)(?:_[a-z_]{1,40})?)\(\s*(?:["'][^"'\s]+["']\s*,\s*){1,3}["']([^"'\s]{8,})["']"#,
    ),
    ("sentry_dsn", "://", r"\bhttps://([0-9a-f]{32})(?::[0-9a-f]{32})?@[A-Za-z0-9.\-]+/[0-9]+"),
    (
        "key_in_address",
        "key= token= secret= sig= signature= password=",
        r#"(?i-u:[?&][a-z_\-]{0,20}(?:key|token|secret|sig|signature|password)=)([^&#\s"'`<>{}]{12,})"#,
    ),
    ("django_key", "django-insecure-", r"\bdjango-insecure-[A-Za-z0-9!@#$%^&*(_=+)\-]{40,}"),
    ("fernet_key", "fernet(", r#"\bFernet\(\s*b?["']([A-Za-z0-9_\-]{43}=)["']"#),
    (
        "bearer_token",
        "authorization",
        r#"(?i)\bauthorization["']?\]?\s*(?:[:=,]|=>)\s*[rbf]{0,2}["']?(?:bearer|basic|token)\s+([A-Za-z0-9_\-.=+/~]{12,})"#,
    ),
    ("bearer_token", "bearer basic token", r"(?i)\b(?:bearer|basic|token)\s+([A-Za-z0-9_\-.=+/~]{24,})"),
];

/// A value assigned to a name that announces a secret, by itself or as the default of a field or variable:
/// `token: str = Field(default="…")`; group 1 is the value.
const ASSIGNED: &str = r#"(?i-u:[A-Za-z0-9_.\-]{0,40}(?:passw(?:or)?d|passwd|pwd|passphrase|passcode|secret|api[_-]?key|apikey|(?:access|private|signing|encryption|client|auth|service|fernet|master|session|hmac|jwt|shared|license|storage)[_-]?key|token|credential|webhook[_-]?url|conn(?:ection)?[_-]?str(?:ing)?)[A-Za-z0-9_\-]{0,20}["']?\]?\s*(?::\s*[A-Za-z\[\]., |]{1,30})?(?:=|==|!=|:|=>|,|:=)\s*(?:[A-Za-z_.]{1,40}\(\s*(?:["'][A-Za-z0-9_.\-]{1,60}["']\s*,\s*)?(?:[a-z_]{1,20}\s*=\s*)?)?[rbfu]{0,2})\\{0,2}["'`]([^"'`\s]{8,}?)\\{0,2}["'`]"#;
/// The same without quotes, as in `.env` files and shell scripts.
const EXPORTED: &str = r"(?m)^\s*(?:export\s+|set\s+)?[A-Z0-9_]{0,40}(?:PASSWORD|PASSWD|SECRET|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|TOKEN|CREDENTIALS?)[A-Z0-9_]{0,20}=([^\s\x22'`<>(){}]{8,})\s*$";
/// A password or a key in a comment, without quotes. Outside of comments the word behind a colon is a type.
const NOTED: &str = r"(?m)(?:#|//|;|--)[ \t]*[A-Za-z0-9_.\- ]{0,40}(?i-u:passw(?:or)?d|passwd|pwd|passphrase|passcode|token|secret|(?:api|access|private|signing|encryption|client|auth|service|fernet|master|session|hmac|jwt|shared|license|storage)[_\- ]?key)(?i-u:[a-z0-9_\-]{0,20})\s*(?:=|:|is)\s*([^\s\x22'`<>(){},]{8,})\s*$";
/// A key that is given by this name alone: `connect(key="…")`.
const KEYED: &str = r#"(?m)(?:^|[^A-Za-z0-9_.])[kK][eE][yY]\s*=\s*[rbf]{0,2}["']([A-Za-z0-9+/=_\-]{16,})["']"#;
/// A password or a key in prose, at the end of a line: `password: …` in a docstring.
const STATED: &str = r"(?m)(?i-u:passw(?:or)?d|passwd|pwd|passphrase|passcode|token|secret|(?:api|access|private|signing|encryption|client|auth|service|fernet|master|session|hmac|jwt|shared|license|storage)[_\- ]?key)(?i-u:[a-z0-9_\-]{0,20})\s*(?:=|:|is)\s*([^\s\x22'`<>(){},]{8,}?)[.;]?\s*$";
/// The same within a line of prose, with no space around the mark: `password=…` in the subject of a commit.
const GIVEN: &str = r"(?i-u:passw(?:or)?d|passwd|pwd|passphrase|passcode|token|secret|(?:api|access|private|signing|encryption|client|auth|service|fernet|master|session|hmac|jwt|shared|license|storage)[_\-]?key)(?i-u:[a-z0-9_\-]{0,20})=([^\s\x22'`<>(){},]{8,})(?:[\s)]|$)";
/// A password between the marks that prose has for code.
const QUOTED: &str = r#"(?i-u:passw(?:or)?d|passwd|passphrase)(?i-u: is| was)?:?\s+`{1,2}([^\s`"']{8,})`"#;
/// A line of a configuration file, without quotes.
const CONFIGURED: &str = r"(?m)^\s*(?:-\s*)?(?:(?i-u:export|set|env|arg)\s+)?[A-Za-z0-9_.\-]{0,60}(?i-u:passw(?:or)?d|passwd|pwd|pass|passphrase|token|secret|(?:api|access|auth|private|signing|secret)[_\-]?key|credentials?)(?i-u:[a-z0-9_\-]{0,20})\s*[=:]\s*([^\s\x22'`<>{}]{8,})\s*(?:[#;].*)?$";
/// The same with quotes.
const ASSIGNED_PLAIN: &str = r#"(?m)^\s*["']?[A-Za-z0-9_.\-]{0,60}(?i-u:passw(?:or)?d|passwd|pwd|passphrase)["']?\s*[=:]\s*["']([^\s"'`]{8,})["']"#;
/// A private key in the text of a file. Source between the marks is none: it has brackets.
const KEY_OF_FILE: &str = r#"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[A-Za-z0-9+/= \t\r\n\\"',:.#|>\-]*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"#;

/// The marks between two literals that Python joins.
const JOINT: &str = r#"["'](?:[ \t]+(?:\+[ \t]*)?|[ \t]*\+[ \t]*|[ \t]*\\?\r?\n[ \t]*(?:\+[ \t]*)?)[rbfRBF]{0,2}["']"#;

/// The fewest quotation marks of two literals.
const MARKS_OF_TWO: usize = 4;

/// Parts of values that are placeholders for secrets.
const PLACEHOLDERS: &[&str] = &[
    "example",
    "placeholder",
    "changeme",
    "change_me",
    "your",
    "xxxx",
    "1234567",
    "abcdef",
    "dummy",
    "redacted",
    "insert",
    "replace",
    "todo",
    "lorem",
    "sample",
    "****",
    "....",
    "test",
    "fake",
    "secret",
    "password",
    "default",
    "foo",
    "csrf",
    "qwerty",
];

/// The most frequent pairs of letters in the names of code and in English: they make up four of five pairs. Letters
/// drawn by chance have one of them in five pairs.
const PAIRS: &str = "ab ac ad ag ai ak al am an ap ar as at au ba be bi bl ca ce ch ci ck cl co ct da de di do ea ec ed ee ef el em en ep \
     er es et ex fa ff fi fo ge gi gr ha he hi ho ia ic id ie ig il im in io ir is it iv iz ke la le li ll lo lu ly ma me mi \
     mo mp na nc nd ne ng ni no ns nt oc od ol om on oo op or os ot ou ow pa pe pi pl po pr ra rd re ri rm ro rr rs rt ru sa \
     sc se sh si so sp ss st su ta te th ti to tr ts tt tu ty ue ul un ur us ut va ve vi wa xx ze";
/// Pairs of letters that a value needs before they tell chance from words: of a key, and of what is called a password.
const KEY_PAIRS: usize = 11;
const PASSWORD_PAIRS: usize = 7;
/// Different letters of a value by chance; fewer fill a place: `aaaaaaaa`.
const LEAST_LETTERS: usize = 6;

/// Characters from which a value counts as long.
const LONG: usize = 16;
/// Least entropy of a long and of a short value, in bits per character: names and words of code stay below.
const LONG_ENTROPY: f64 = 3.2;
const SHORT_ENTROPY: f64 = 2.75;
/// Characters and entropy of a value that is a key, whatever words it begins with.
const KEY_LENGTH: usize = 40;
const KEY_ENTROPY: f64 = 4.5;
/// A value of several words is a name if less than one character in so many is a digit.
const DIGIT_SHARE: usize = 8;
/// Characters of the shortest password in an address; shorter ones are examples.
const SHORTEST_PASSWORD: usize = 6;

/// Characters of the shortest value that counts behind a name.
const SHORTEST_VALUE: usize = 8;
/// Pairs of letters drawn by chance of a value that cannot be a word.
const TOLD_PAIRS: usize = 4;

/// Every pattern needs so many bytes without white space: the shortest is a quoted value of eight characters.
const SHORTEST_RUN: usize = 10;

/// Number of replacements by kind.
pub type Findings = BTreeMap<&'static str, usize>;

/// Parts of the names that the patterns of assignments look for, in lower case.
const NAMES: [&str; 10] =
    ["passw", "pwd", "passphrase", "passcode", "secret", "key", "token", "credential", "webhook", "conn"];

/// Compiles a pattern when a text first needs it. All of them take longer than most answers, which need none.
fn compiled<'p>(pattern: &str, kept: &'p OnceLock<Regex>) -> &'p Regex {
    kept.get_or_init(|| Regex::new(pattern).expect("the patterns are constants that a test compiles"))
}

fn shapes() -> impl Iterator<Item = (&'static (&'static str, &'static str, &'static str), &'static OnceLock<Regex>)> {
    static KEPT: [OnceLock<Regex>; SHAPES.len()] = [const { OnceLock::new() }; SHAPES.len()];
    SHAPES.iter().zip(&KEPT)
}

fn assignments() -> impl Iterator<Item = &'static Regex> {
    static KEPT: [OnceLock<Regex>; 4] = [const { OnceLock::new() }; 4];
    [ASSIGNED, EXPORTED, NOTED, KEYED].into_iter().zip(&KEPT).map(|(pattern, kept)| compiled(pattern, kept))
}

/// The patterns for lines of prose alone: in code a type stands behind the colon.
fn stated() -> impl Iterator<Item = &'static Regex> {
    static KEPT: [OnceLock<Regex>; 3] = [const { OnceLock::new() }; 3];
    [STATED, GIVEN, QUOTED].into_iter().zip(&KEPT).map(|(pattern, kept)| compiled(pattern, kept))
}

/// The pattern for lines of configuration alone: in code a name stands behind the mark.
fn configured() -> &'static Regex {
    static KEPT: OnceLock<Regex> = OnceLock::new();
    compiled(CONFIGURED, &KEPT)
}

/// `text` without its secrets.
pub fn without_secrets(text: &str) -> Cow<'_, str> {
    redacted(text, &mut Findings::new())
}

/// The text of a docstring without its secrets.
pub fn prose_without_secrets(text: &str) -> Cow<'_, str> {
    replaced(text, &mut Findings::new(), TextKind::Prose)
}

/// `text` without its secrets; counts the replacements in `findings`.
pub fn redacted<'t>(text: &'t str, findings: &mut Findings) -> Cow<'t, str> {
    replaced(text, findings, TextKind::Code)
}

/// A value as it stands in code, without its secrets: the name that has it tells whether it is one.
pub fn value_without_secrets<'t>(name: &str, value: &'t str) -> Cow<'t, str> {
    let head = format!("{name} = ");
    match without_secrets(&format!("{head}{value}")) {
        Cow::Owned(clean) => Cow::Owned(clean.strip_prefix(&head).map_or_else(
            // The name is part of what was replaced.
            || without_secrets(value).into_owned(),
            str::to_owned,
        )),
        Cow::Borrowed(_) => Cow::Borrowed(value),
    }
}

/// A value as it stands in the code of this file. Its own name need not tell that it is a secret: `user, password = …`.
pub fn value_in_file(path: &str, file: &str, name: &str, value: &str) -> String {
    let mut shown = value_without_secrets(name, value).into_owned();
    if has_random_run(&shown) {
        for secret in FileContext::of(path, file).named_values(file) {
            shown = shown.replace(secret, "[REDACTED_assigned_secret]");
        }
    }
    shown
}

/// Code, with docstrings in it, code that begins within a docstring, the text of one, or a file of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextKind {
    Code,
    Within,
    Prose,
    Settings,
}

/// The parts of a file that tell what a few of its lines are: one line of a private key has no shape of its own, the
/// line of a docstring no quotes, and the name of a value may stand some lines above it.
#[derive(Debug)]
pub struct FileContext {
    /// Where private keys stand, and values whose names announce a secret.
    known: Vec<SecretSpan>,
    /// Where triple quotes stand.
    quotes: Vec<usize>,
    /// Of the whole file.
    text_kind: TextKind,
}

impl FileContext {
    pub fn of(path: &str, text: &str) -> Self {
        static KEPT: OnceLock<Regex> = OnceLock::new();
        let mut known: Vec<SecretSpan> = Vec::new();
        if text.contains("PRIVATE KEY") {
            let keys = compiled(KEY_OF_FILE, &KEPT).find_iter(text);
            known.extend(keys.map(|found| (found.start(), found.end(), "private_key")));
        }
        let ends_with = |ends: &[&str]| ends.iter().any(|end| path.ends_with(end));
        let text_kind = match () {
            () if ends_with(&[".md", ".rst", ".txt", ".markdown", ".adoc"]) => TextKind::Prose,
            () if ends_with(&[".py", ".pyi", ".ipynb", ".html", ".htm", ".tex"]) => TextKind::Code,
            () => TextKind::Settings,
        };
        let mut quotes: Vec<usize> = Vec::new();
        if text_kind != TextKind::Prose {
            for marks in ["\"\"\"", "\'\'\'"] {
                quotes.extend(text.match_indices(marks).map(|(at, _)| at));
            }
        }
        quotes.sort_unstable();
        if may_announce(&text.to_ascii_lowercase()) {
            known.extend(spans_by_name(text, text_kind));
        }
        Self { known, quotes, text_kind }
    }

    /// A range of the file's text without its secrets.
    pub fn without_secrets<'t>(&self, text: &'t str, range: Range<usize>) -> Cow<'t, str> {
        let part = &text[range.clone()];
        let is_within = self.quotes.partition_point(|at| *at < range.start) % 2 == 1;
        let text_kind = if self.text_kind == TextKind::Code && is_within { TextKind::Within } else { self.text_kind };
        let cut = |span: &SecretSpan| (span.0.max(range.start), span.1.min(range.end), span.2);
        let known = self.known.iter().map(cut).filter(|(start, end, _)| start < end);
        let spans = known.map(|(start, end, kind)| (start - range.start, end - range.start, kind)).collect();
        replaced_beside(part, &mut Findings::new(), text_kind, spans)
    }

    /// The values of this file that are secrets by their names alone.
    pub fn named_values<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let named = self.known.iter().filter(|(.., kind)| *kind == "assigned_secret");
        named.filter_map(move |(start, end, _)| text.get(*start..*end)).filter(|value| value.len() >= SHORTEST_VALUE)
    }
}

/// A text cut behind its empty lines and the marks of code in it.
fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let ends = |line: &str| line.trim().is_empty() || line.trim_start().starts_with("```");
        let length: usize = {
            let mut is_over = false;
            let lines = rest.split_inclusive('\n').take_while(|line| !std::mem::replace(&mut is_over, ends(line)));
            lines.map(str::len).sum()
        };
        let (paragraph, behind) = rest.split_at(length);
        rest = behind;
        (!paragraph.is_empty()).then_some(paragraph)
    })
}

/// Whether a run of a text may be a secret: it looks random.
pub fn has_random_run(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '\'' | '`' | '(' | ')' | '[' | ']' | ',' | ';');
    text.split(|c| !is_part(c))
        .any(|run| run.len() >= SHORTEST_VALUE && (is_random(run) || is_by_chance(run, PASSWORD_PAIRS)))
}

fn replaced<'t>(text: &'t str, findings: &mut Findings, text_kind: TextKind) -> Cow<'t, str> {
    // Most signatures and lines end here, which makes this filter cheap enough for every answer.
    if is_short(text) {
        return Cow::Borrowed(text);
    }
    let lower = text.to_ascii_lowercase();
    let named = if may_announce(&lower) { spans_by_name(text, text_kind) } else { Vec::new() };
    replaced_beside(text, findings, text_kind, named)
}

/// Whether no run of a text is long enough for a secret.
fn is_short(text: &str) -> bool {
    !text.split(char::is_whitespace).any(|run| run.len() >= SHORTEST_RUN)
}

/// The secrets of a text that the names in it announce.
fn spans_by_name(text: &str, text_kind: TextKind) -> Vec<SecretSpan> {
    if text_kind == TextKind::Code {
        return named_spans(text);
    }
    // An apostrophe or a bracket in prose ends nowhere, so each paragraph is read by itself.
    let (mut known, mut start) = (told_spans(text, 0), 0);
    for paragraph in paragraphs(text) {
        let spans = named_spans(paragraph).into_iter();
        known.extend(spans.map(|(from, to, kind)| (start + from, start + to, kind)));
        start += paragraph.len();
    }
    known
}

/// Replaces these secrets too.
fn replaced_beside<'t>(
    text: &'t str,
    findings: &mut Findings,
    text_kind: TextKind,
    known: Vec<SecretSpan>,
) -> Cow<'t, str> {
    if known.is_empty() && is_short(text) {
        return Cow::Borrowed(text);
    }
    let mut spans = secret_spans(text, text_kind);
    spans.extend(known);
    if let Some(joined) = JoinedText::of(text) {
        let across = secret_spans(&joined.text, text_kind);
        spans.extend(across.into_iter().flat_map(|span| joined.parts(span)));
    }
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    // Of overlapping matches, the one that begins first and reaches furthest counts.
    // A kind of its own says more than that a name announces a secret.
    let is_named = |span: &SecretSpan| span.2 == "assigned_secret";
    spans.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)).then(is_named(a).cmp(&is_named(b))).then(a.2.cmp(b.2)));
    let mut clean = String::with_capacity(text.len());
    let mut end = 0;
    for (start, stop, kind) in spans {
        if start < end {
            end = end.max(stop);
            continue;
        }
        clean.push_str(&text[end..start]);
        clean.push_str("[REDACTED_");
        clean.push_str(kind);
        clean.push(']');
        *findings.entry(kind).or_default() += 1;
        end = stop;
    }
    clean.push_str(&text[end..]);
    Cow::Owned(clean)
}

/// First byte of a secret, the byte behind it, and its kind.
type SecretSpan = (usize, usize, &'static str);

/// A text whose literals that stand side by side are one: `"ab" "cd"` and `"ab" + "cd"` are `"abcd"`.
struct JoinedText {
    text: String,
    /// For each place that joins two literals: its offset in `text`, and the bytes left out of the original.
    joints: Vec<(usize, Range<usize>)>,
}

impl JoinedText {
    /// `None` where no literals stand side by side.
    fn of(original: &str) -> Option<Self> {
        static KEPT: OnceLock<Regex> = OnceLock::new();
        // Most lines end here, without a run of the pattern.
        if original.bytes().filter(|byte| matches!(byte, b'"' | b'\'')).take(MARKS_OF_TWO).count() < MARKS_OF_TWO {
            return None;
        }
        let (mut text, mut joints, mut end) = (String::new(), Vec::new(), 0);
        for gap in compiled(JOINT, &KEPT).find_iter(original) {
            text.push_str(&original[end..gap.start()]);
            joints.push((text.len(), gap.range()));
            end = gap.end();
        }
        if joints.is_empty() {
            return None;
        }
        text.push_str(&original[end..]);
        Some(Self { text, joints })
    }

    /// The parts of a secret in the original, one in each literal; none where one literal has all of it.
    fn parts(&self, (start, end, kind): SecretSpan) -> Vec<SecretSpan> {
        let within: Vec<_> = self.joints.iter().filter(|(at, _)| start < *at && *at < end).collect();
        let Some((first, gap)) = within.first() else { return Vec::new() };
        let mut parts = vec![(gap.start - (first - start), gap.start, kind)];
        for (number, (at, gap)) in within.iter().enumerate() {
            let length = within.get(number + 1).map_or(end, |(next, _)| *next) - at;
            parts.push((gap.end, gap.end + length, kind));
        }
        parts
    }
}

fn secret_spans(text: &str, text_kind: TextKind) -> Vec<SecretSpan> {
    // Lower case in ASCII keeps every offset, so that offsets in one text are offsets in the other.
    let lower = text.to_ascii_lowercase();
    let mut spans: Vec<SecretSpan> = Vec::new();
    for (&(kind, needles, pattern), kept) in shapes() {
        if !needles.split(' ').any(|needle| lower.contains(needle)) {
            continue;
        }
        for captures in compiled(pattern, kept).captures_iter(text) {
            let Some(found) = captures.iter().skip(1).flatten().next().or_else(|| captures.get(0)) else { continue };
            // These shapes also match ordinary text, so the value itself must look random.
            let is_of_person = matches!(kind, "credentials_in_address" | "connection_password" | "basic_auth");
            let value = found.as_str();
            // The second argument of `connect` may be any text.
            if kind == "login_password" {
                if is_random(value) && is_of_all_sorts(value) {
                    spans.push((found.start(), found.end(), kind));
                }
                continue;
            }
            let is_sure = !is_of_person
                && !matches!(
                    kind,
                    "bearer_token" | "api_key" | "aws_secret_key" | "key_in_address" | "command_password"
                );
            // Behind this option stands a password and nothing else.
            let is_of_option = captures[0].starts_with("mysql") && is_of_mixed_letters(value);
            if is_sure || is_of_option || is_random(value) || (is_of_person && is_password(value)) {
                spans.push((found.start(), found.end(), kind));
            }
        }
    }
    let mut start = 0;
    let mut is_prose = text_kind != TextKind::Code;
    for line in lower.split_inclusive('\n') {
        let end = start + line.len();
        // Running the patterns on every line would take most of the time.
        if NAMES.iter().any(|name| line.contains(name)) {
            let of_settings = (text_kind == TextKind::Settings).then(configured);
            for pattern in assignments().chain(is_prose.then(stated).into_iter().flatten()).chain(of_settings) {
                spans.extend(assigned_spans(pattern, &text[start..end], start));
            }
            if let Some(pattern) = of_settings {
                spans.extend(plain_passwords(pattern, &text[start..end], start));
            }
        }
        let quotes = line.matches("\"\"\"").count() + line.matches("\'\'\'").count();
        is_prose ^= matches!(text_kind, TextKind::Code | TextKind::Within) && quotes % 2 == 1;
        start = end;
    }
    spans
}

/// The values that a pattern finds behind a name in a line, if they are secrets.
fn assigned_spans(pattern: &Regex, line: &str, offset: usize) -> Vec<SecretSpan> {
    let mut spans = Vec::new();
    for captures in pattern.captures_iter(line) {
        let Some(found) = captures.get(1) else { continue };
        let whole = &captures[0];
        // A tokenizer has a name of its own.
        if whole.to_ascii_lowercase().contains("tokeniz") {
            continue;
        }
        let is_password = assigns_to_password(whole);
        let value = found.as_str();
        // In code a name in capitals and small letters is a class; in a comment and between such marks it need not be.
        let is_told = whole.contains('`') || whole.trim_start().starts_with(['#', ';', '/', '-']);
        let is_secret = is_random(value)
            || is_password && (is_chosen_password(value) || is_told && is_of_mixed_letters(value))
            || is_by_chance(value, if is_password { PASSWORD_PAIRS } else { KEY_PAIRS });
        if is_secret {
            spans.push((offset + found.start(), offset + found.end(), "assigned_secret"));
        }
    }
    spans
}

/// The passwords of a line of settings that are made of words: no code stands there, so the value is one.
fn plain_passwords(configured: &Regex, line: &str, offset: usize) -> Vec<SecretSpan> {
    /// Words that settings have for how a password is used.
    const ABOUT: [&str; 8] =
        ["disabled", "enabled", "encrypted", "external", "optional", "plaintext", "readonly", "required"];
    static KEPT: OnceLock<Regex> = OnceLock::new();
    let quoted = compiled(ASSIGNED_PLAIN, &KEPT);
    let found = [configured, quoted].into_iter().flat_map(|pattern| pattern.captures_iter(line));
    let found = found.filter(|captures| assigns_to_password(&captures[0]));
    let values = found.filter_map(|captures| captures.get(1)).filter(|found| {
        let value = found.as_str();
        value.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
            && !ABOUT.contains(&value.to_ascii_lowercase().as_str())
            && !is_placeholder(value)
    });
    values.map(|found| (offset + found.start(), offset + found.end(), "assigned_secret")).collect()
}

/// Whether a value has a word of those that stand for secrets in examples.
fn is_placeholder(value: &str) -> bool {
    let lower = value.to_lowercase();
    PLACEHOLDERS.iter().any(|word| lower.contains(word))
}

/// Whether capitals stand within a value of letters, as in no word, unless it is the name of a type.
fn is_of_mixed_letters(value: &str) -> bool {
    const TYPES: [&str; 14] = [
        "auth",
        "base",
        "callback",
        "error",
        "field",
        "form",
        "hasher",
        "input",
        "manager",
        "mixin",
        "provider",
        "type",
        "validator",
        "widget",
    ];
    let lower = value.to_ascii_lowercase();
    let is_capital = |two: &[u8]| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase();
    value.len() >= SHORTEST_VALUE
        && value.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        && value.as_bytes().windows(2).any(is_capital)
        && !TYPES.iter().any(|end| lower.ends_with(end))
        && !is_placeholder(value)
}

/// Whether a value looks random: mixed digits and letters, few repetitions, no placeholder words.
fn is_random(value: &str) -> bool {
    if is_placeholder(value) || is_template(value) || is_pattern(value) {
        return false;
    }
    let has = |test: fn(&char) -> bool| value.chars().any(|c| test(&c));
    let has_digit = has(char::is_ascii_digit);
    let has_letter = has(char::is_ascii_alphabetic);
    // Marks that occur in names and paths say nothing about randomness.
    let has_mark = value.chars().any(|c| c.is_ascii_punctuation() && !matches!(c, '_' | '-' | '.' | '/' | ':'));
    let is_mixed = has(char::is_ascii_uppercase) && has(char::is_ascii_lowercase);
    // A dotted name, a path or an address is no key.
    let is_name = value.split(['.', '/', ':', '_', '-']).filter(|part| part.len() > 2).count() >= 2
        && value.chars().filter(char::is_ascii_digit).count() * DIGIT_SHARE < value.len();
    let length = value.chars().count();
    let entropy = entropy(value);
    // No sentence of code has so many different characters: `django-insecure-` and fifty random ones.
    if length >= KEY_LENGTH && has_digit && (has_mark || is_mixed) && entropy >= KEY_ENTROPY {
        return true;
    }
    has_letter
        && (has_digit && (!is_name || is_by_chance(value, KEY_PAIRS)) || has_mark && is_mixed)
        && entropy >= if length >= LONG { LONG_ENTROPY } else { SHORT_ENTROPY }
}

/// Whether a value is a regular expression: it has a set of characters.
fn is_pattern(value: &str) -> bool {
    ["[A-Z", "[a-z", "[0-9", "[^", "\\w", "\\d", "\\s", "(?:", "(?P<"].iter().any(|sign| value.contains(sign))
}

/// Whether a value has capitals, small letters and digits.
fn is_of_all_sorts(value: &str) -> bool {
    [char::is_ascii_uppercase, char::is_ascii_lowercase, char::is_ascii_digit]
        .iter()
        .all(|is_of_sort| value.chars().any(|c| is_of_sort(&c)))
}

/// Whether the letters of a value are drawn by chance: words have more of the frequent pairs of letters.
fn is_by_chance(value: &str, least_pairs: usize) -> bool {
    let lower = value.to_ascii_lowercase();
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '/' | '=');
    if !lower.chars().all(is_part) || PLACEHOLDERS.iter().any(|word| lower.contains(word)) {
        return false;
    }
    let pairs: Vec<&str> = (1..lower.len()).map(|at| &lower[at - 1..=at]).collect();
    let pairs: Vec<&str> = pairs.into_iter().filter(|pair| pair.chars().all(|c| c.is_ascii_lowercase())).collect();
    let frequent = pairs.iter().filter(|pair| PAIRS.split_whitespace().any(|known| known == **pair)).count();
    let letters: BTreeSet<char> = lower.chars().filter(char::is_ascii_lowercase).collect();
    pairs.len() >= least_pairs && frequent * 2 < pairs.len() && letters.len() >= LEAST_LETTERS
}

/// Whether something is filled in when the program runs: `{token}`, `${TOKEN}`, `$(pass db)`, `%(token)s`, `<token>`.
fn is_template(value: &str) -> bool {
    let has = |open: &str, close: &str| {
        value.split_once(open).is_some_and(|(_, rest)| rest.split_once(close).is_some_and(|(inner, _)| is_slot(inner)))
    };
    value.contains(' ')
        || has("{", "}")
        || has("<", ">")
        || has("$(", ")")
        || has("%(", ")s")
        || value.starts_with("%s")
        || value.ends_with("%s")
        || value.strip_prefix('$').is_some_and(is_slot)
}

/// Whether a text could be the name of a variable, or nothing.
fn is_slot(inner: &str) -> bool {
    inner.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '!' | '[' | ']'))
}

/// Whether the password of an address is real. Even a short word counts unless it is an obvious placeholder.
fn is_password(value: &str) -> bool {
    value.len() >= SHORTEST_PASSWORD && !is_of_stand_ins(value) && !value.chars().all(|c| c.is_ascii_digit())
}

/// Whether a value stands for a password and is made of nothing else: `my-secret_1`, `***`, and not `hunter2secret`.
fn is_of_stand_ins(value: &str) -> bool {
    const STAND_INS: [&str; 11] =
        ["password", "passwd", "pass", "pwd", "secret", "username", "user", "token", "port", "testing", "test"];
    // Words that go with them, and are passwords by themselves.
    const AROUND: [&str; 12] =
        ["app", "change", "db", "example", "me", "my", "new", "old", "super", "the", "very", "your"];
    let lower = value.to_lowercase();
    let is_mark = |c: char| c.is_ascii_digit() || matches!(c, '_' | '-' | '.' | '*');
    if ["xxx", "***", "..."].iter().any(|filling| lower.contains(filling)) {
        return lower.chars().all(|c| is_mark(c) || c == 'x');
    }
    let mut rest = lower.trim_start_matches(is_mark);
    let mut has_stand_in = false;
    while !rest.is_empty() {
        let known = |words: &[&str]| words.iter().find_map(|word| rest.strip_prefix(*word));
        let stand_in = known(&STAND_INS);
        has_stand_in |= stand_in.is_some();
        let Some(behind) = stand_in.or_else(|| known(&AROUND)) else { return false };
        rest = behind.trim_start_matches(is_mark);
    }
    has_stand_in
}

/// Whether a line assigns to a name that ends with `password`, not to one such as `PASSWORD_HASHER`.
fn assigns_to_password(assignment: &str) -> bool {
    let assignment = assignment.trim_start_matches(|c: char| c.is_whitespace() || c == ':');
    let name = assignment.split(['=', ':', ',', '`']).next().unwrap_or_default();
    let name = name.split(" is ").next().unwrap_or(name);
    let name = name.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ']')).to_lowercase();
    ["password", "passwd", "pwd", "passphrase"].iter().any(|end| name.ends_with(end))
}

/// Whether a person may have chosen this password: letters with a digit. Those of examples and tests say so at once.
fn is_chosen_password(value: &str) -> bool {
    const STAND_INS: [&str; 9] =
        ["pass", "pwd", "secret", "test", "user", "example", "placeholder", "changeme", "your"];
    let lower = value.to_lowercase();
    let has = |test: fn(&char) -> bool| value.chars().any(|c| test(&c));
    has(char::is_ascii_digit)
        && has(char::is_ascii_alphabetic)
        && !STAND_INS.iter().any(|word| lower.starts_with(word))
        && !value.contains(['_', '.', '/'])
        && !is_template(value)
}

/// Entropy of a text in bits per character.
fn entropy(value: &str) -> f64 {
    let mut counts: BTreeMap<char, u32> = BTreeMap::new();
    for c in value.chars() {
        *counts.entry(c).or_default() += 1;
    }
    let all = f64::from(counts.values().sum::<u32>().max(1));
    counts.values().map(|count| f64::from(*count) / all).map(|share| -share * share.log2()).sum()
}

#[cfg(test)]
mod tests;
