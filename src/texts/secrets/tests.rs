//! Planted secrets of every kind, and text that only looks like them.

use crate::texts::secrets::*;

/// Characters from a fixed sequence, so that this file contains no real key.
fn random(alphabet: &str, length: usize, seed: u64) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).expect("31 bits fit") % alphabet.len()
    };
    (0..length).map(|_| alphabet[next()]).collect()
}

const HEX: &str = "0123456789abcdef";
const LOWER: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
/// Of the keys that Django makes.
const DJANGO: &str = "abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)";
const MIXED: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// A secret of each kind, assembled from parts.
fn planted(seed: u64) -> Vec<(&'static str, String)> {
    let r = |alphabet: &str, length: usize| random(alphabet, length, seed);
    let letters: String = MIXED.chars().filter(char::is_ascii_alphabetic).collect();
    vec![
        (
            "private_key",
            format!("-----BEGIN RSA PRIVATE {}-----\n{}\n-----END RSA PRIVATE KEY-----", "KEY", r(MIXED, 64)),
        ),
        ("age_key", format!("AGE-SECRET-KEY-{}{}", 1, r(UPPER, 58))),
        ("aws_access_key", format!("AKI{}{}", "A", r(UPPER, 16))),
        ("aws_secret_key", format!("aws_secret_access_key = \"{}\"", r(MIXED, 40))),
        ("github_token", format!("gh{}_{}", "p", r(MIXED, 36))),
        ("github_token", format!("github_{}_{}", "pat", r(MIXED, 60))),
        ("gitlab_token", format!("glpat{}{}", "-", r(MIXED, 20))),
        ("slack_token", format!("xox{}-{}-{}", "b", r("0123456789", 12), r(MIXED, 24))),
        (
            "slack_webhook",
            format!("https://hooks.slack{}/services/T{}/B{}/{}", ".com", r(UPPER, 9), r(UPPER, 9), r(MIXED, 24)),
        ),
        ("stripe_key", format!("sk_{}_{}", "live", r(MIXED, 24))),
        ("webhook_secret", format!("whsec{}{}", "_", r(MIXED, 32))),
        ("anthropic_key", format!("sk-{}-api03-{}", "ant", r(MIXED, 80))),
        ("openai_key", format!("sk-{}-{}", "proj", r(MIXED, 48))),
        ("google_api_key", format!("AIz{}{}", "a", r(MIXED, 35))),
        ("google_oauth", format!("GOCSPX{}{}", "-", r(MIXED, 28))),
        ("json_web_token", format!("ey{}{}.ey{}{}.{}", "J", r(MIXED, 30), "J", r(MIXED, 40), r(MIXED, 43))),
        ("npm_token", format!("npm{}{}", "_", r(MIXED, 36))),
        ("pypi_token", format!("pypi-{}{}", "AgE", r(MIXED, 90))),
        ("rubygems_key", format!("rubygems{}{}", "_", r(HEX, 48))),
        ("docker_token", format!("dckr_{}_{}", "pat", r(MIXED, 27))),
        ("digitalocean_token", format!("dop_{}_{}", "v1", r(HEX, 64))),
        ("sendgrid_key", format!("SG{}{}.{}", ".", r(MIXED, 22), r(MIXED, 43))),
        ("twilio_key", format!("S{}{}", "K", r(HEX, 32))),
        ("mailgun_key", format!("key{}{}", "-", r(LOWER, 32))),
        ("mailchimp_key", format!("{}-us{}", r(HEX, 32), 12)),
        ("square_token", format!("sq0{}-{}", "atp", r(MIXED, 22))),
        ("shopify_token", format!("shp{}_{}", "at", r(HEX, 32))),
        ("discord_token", format!("M{}.{}.{}", r(MIXED, 25), r(MIXED, 6), r(MIXED, 38))),
        ("telegram_token", format!("{}:A{}{}", r("123456789", 9), "A", r(MIXED, 33))),
        ("telegram_token", format!("https://api.telegram.org/bot{}:A{}{}/send", r("123456789", 9), "A", r(MIXED, 33))),
        ("huggingface_token", format!("hf{}{}", "_", r(&letters, 34))),
        ("huggingface_token", format!("hf{}{}", "_", r(MIXED, 34))),
        ("credentials_in_address", format!("redis://:{}@cache.internal:6379/0", r(MIXED, 18))),
        ("credentials_in_address", format!("f\"https://bob:{}@{{host}}/\"", r(MIXED, 18))),
        ("databricks_token", format!("dap{}{}", "i", r(HEX, 32))),
        ("linear_key", format!("lin_{}_{}", "api", r(MIXED, 40))),
        ("notion_token", format!("ntn{}{}", "_", r(MIXED, 46))),
        ("sentry_token", format!("sntry{}_{}", "s", r(MIXED, 60))),
        ("grafana_token", format!("gls{}_{}", "a", r(MIXED, 41))),
        ("newrelic_key", format!("NR{}-{}", "AK", r(UPPER, 27))),
        ("vault_token", format!("hv{}.{}", "s", r(MIXED, 90))),
        ("terraform_token", format!("{}.atlas{}.{}", r(MIXED, 14), "v1", r(MIXED, 67))),
        ("doppler_token", format!("dp.{}.{}", "pt", r(MIXED, 43))),
        (
            "azure_storage_key",
            format!("DefaultEndpointsProtocol=https;AccountName=a;Account{}={}==", "Key", r(MIXED, 86)),
        ),
        ("groq_key", format!("gsk{}{}", "_", r(MIXED, 52))),
        ("replicate_token", format!("r8{}{}", "_", r(MIXED, 37))),
        ("tailscale_key", format!("tskey-{}-{}-{}", "auth", r(MIXED, 12), r(MIXED, 32))),
        ("credentials_in_address", format!("postgres://ann:{}@db.internal/shop", r(MIXED, 12))),
        ("bearer_token", format!("Authorization: Bearer {}", r(MIXED, 40))),
        ("bearer_token", format!("headers = {{\"Authorization\": \"Bearer {}9a\"}}", r(MIXED, 18))),
        ("assigned_secret", format!("DB_PASSWORD = '{}9a'", r(MIXED, 16))),
        ("assigned_secret", format!("config[\"api_key\"] = \"{}7b\"", r(MIXED, 24))),
        ("assigned_secret", format!("password = \"{}{}\"", "hunter2", "secret")),
        ("assigned_secret", format!("# admin password: {}9a", r(MIXED, 12))),
        ("assigned_secret", format!("SECRET_KEY = 'django-{}-{}'", "insecure", r(DJANGO, 50))),
        ("assigned_secret", format!("SECRET_KEY = \"{}\"", r(DJANGO, 50))),
        ("assigned_secret", format!("api_key: str = Field(default=\"{}7b\")", r(MIXED, 30))),
        ("assigned_secret", format!("TOKEN = env('SHOP_TOKEN', default='{}7b')", r(MIXED, 30))),
        ("assigned_secret", format!("# token: {}9a", r(MIXED, 30))),
        ("assigned_secret", format!("password = '{}$w%({}'", r(LOWER, 6), r(LOWER, 6))),
        ("assigned_secret", format!("FERNET_KEY = b'{}='", r(MIXED, 43))),
        ("django_key", format!("if key == 'django-{}-{}':", "insecure", r(DJANGO, 50))),
        ("fernet_key", format!("box = Fernet(b'{}=')", r(MIXED, 43))),
        ("basic_auth", format!("get(url, auth=('bob', '{}9a'))", r(MIXED, 10))),
        ("basic_auth", format!("# curl -s -u bob:{}9a https://api.internal", r(MIXED, 10))),
        ("login_password", format!("login('admin', 'Q7{}')", r(MIXED, 14))),
        ("login_password", format!("db.connect_db(\"db.internal\", \"root\", \"kX4{}\")", r(MIXED, 14))),
        ("connection_password", format!("dsn = 'host=db user=shop password={} dbname=shop'", r(MIXED, 12))),
        ("assigned_secret", format!("if password == '{}9a':", r(MIXED, 12))),
        ("sentry_dsn", format!("init('https://{}@o1.ingest.example.io/{}')", r(HEX, 32), 4711)),
        ("key_in_address", format!("get('https://api.internal/v1?api_key={}7b&page=2')", r(MIXED, 30))),
        ("openai_key", format!("key = 'sk-{}-{}'", "proj", "abcdef1234567890abcdef1234567890")),
        ("assigned_secret", format!("export SERVICE_TOKEN={}3c", r(MIXED, 30))),
        ("assigned_secret", format!("API_SECRET = \"{}\"", r(&letters, 32))),
        ("assigned_secret", format!("    API_KEY={}", r(&letters, 32))),
        ("assigned_secret", format!("DB_PASSWORD = \"{}\"", r(&letters, 14))),
        ("assigned_secret", format!("connect(key=\"{}\")", r(&letters, 24))),
        ("assigned_secret", format!("connect(key=\"{}7b\")", r(MIXED, 24))),
        ("assigned_secret", format!("TOKEN = \"{}-{}_{}\"", r(MIXED, 9), r(&letters, 7), r(&letters, 4))),
        ("assigned_secret", format!("# the password is {}", r(&letters, 14))),
        ("assigned_secret", format!("\"\"\"Connects.\n\n    password: {}\n    \"\"\"", r(&letters, 14))),
        ("assigned_secret", format!("\"\"\"Connects.\n\n    :token: {}9a\n    \"\"\"", r(MIXED, 20))),
    ]
}

#[test]
fn planted_secrets_of_every_kind_are_found() {
    let (mut planted_count, mut missed) = (0, Vec::new());
    let mut kinds = BTreeSet::new();
    for seed in 1..=5 {
        for (kind, secret) in planted(seed) {
            kinds.insert(kind);
            planted_count += 1;
            let text = format!("def connect():\n    value = 1\n    {secret}\n    return value\n");
            let mut findings = Findings::new();
            let clean = redacted(&text, &mut findings);
            let core = &secret[secret.len() / 2..secret.len() / 2 + 6];
            if findings.is_empty() || clean.contains(core) {
                missed.push(format!("{kind}: {secret}"));
            }
        }
    }
    assert!(planted_count >= 200 && kinds.len() >= 40, "{planted_count} secrets of {} kinds", kinds.len());
    assert!(missed.len() * 20 <= planted_count, "{} of {planted_count} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn ordinary_code_is_left_alone() {
    for text in [
        "token = parser.next_token()\n",
        "password = os.environ[\"DB_PASSWORD\"]\n",
        "SECRET_KEY = 'your-secret-key-here'\n",
        "def check_password(password, encoded): ...\n",
        "PASSWORD_RESET_TIMEOUT = 60 * 60 * 24 * 3\n",
        "csrf_token_name = \"csrfmiddlewaretoken\"\n",
        "token = \"%(prefix)s-4711-ABCdef\"\n",
        "password = \"${DB_PASSWORD_2}\"\n",
        "get(url, auth=('user', 'password'))\n",
        "connect(host=host, user=user, password=get_password(user))\n",
        "url = \"https://api.internal/v1?api_key={key}&next_page_token=\"\n",
        "SECRET_KEY = get_random_string(50, \"abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)\")\n",
        "url = \"http://user:password@example.com/\"\n",
        "hash = \"d41d8cd98f00b204e9800998ecf8427e\"\n",
        "token_class = \"rest_framework.authtoken.models.Token\"\n",
        "from sklearn.model_selection import risk_score_of_the_long_name\n",
        "user.set_password(password='password123')\n",
        "    password: Pbkdf2Sha256\n",
        "# The password is checked.\n",
        "API_SECRET = \"authenticationcredentials\"\n",
        "token_name = \"XMLHttpRequestTokenHeader\"\n",
        "TOKEN_CHARS = \"abcdefghijklmnopqrstuvwxyz\"\n",
        "sorted(rows, key=\"dark_olive_green3_bright\")\n",
        "lookup(key=\"kubernetes-dashboard-settings\")\n",
        "\"\"\"Logs in.\n\n    password: required.\n    token: optional\n\"\"\"\n",
        "PASSWORD_HASHERS = [\"django.contrib.auth.hashers.PBKDF2PasswordHasher\"]\n",
        "widget.connect(\"clicked\", \"on_button_2\")\n",
        "login(\"admin\", \"wrong-password-1\")\n",
        "names = [\"alpha\" \" \", \"beta\" + \" gamma\"]\n",
        "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\n",
    ] {
        let mut findings = Findings::new();
        assert_eq!(redacted(text, &mut findings), text, "{findings:?}");
    }
}

/// The text of a docstring has no quotes around it that tell it from code.
#[test]
fn secrets_of_prose_are_found_without_quotes() {
    let password = random("abcdefghijkmnpqrstuvwxyz", 14, 3);
    let text = format!("Connects.\n\npassword: {password}\n");
    assert_eq!(prose_without_secrets(&text), "Connects.\n\npassword: [REDACTED_assigned_secret]\n");
    assert_eq!(without_secrets(&text), text);
}

/// Capitals within a word, and words that settings call a password, are no shape: what stands before them tells.
#[test]
fn a_password_of_letters_is_known_where_nothing_else_can_stand() {
    let shown = |path: &str, text: &str| FileContext::of(path, text).without_secrets(text, 0..text.len()).into_owned();
    for (path, text, value) in [
        ("a.py", "# staging password: StagingsTgOow\n", "StagingsTgOow"),
        ("a.py", "def f():\n    \"\"\"Connect with the password ``Zebra-zLZAVpIv``.\"\"\"\n", "Zebra-zLZAVpIv"),
        ("a.md", "The password is `Zebra-zLZAVpIv` today.\n", "Zebra-zLZAVpIv"),
        ("a.py", "run([\"mysql\", \"-uroot\", \"-pHxSbMusZbA\"])\n", "HxSbMusZbA"),
        ("a.py", "self._auth = (\"svc\", \"TupiEsEDtp5H\")\n", "TupiEsEDtp5H"),
        ("a.py", "x = {\"smtp\": {\"pass\": \"Q0F4XLOKz6X\"}}\n", "Q0F4XLOKz6X"),
        ("a.py", "x[\"pass\"] = \"Q0F4XLOKz6X\"\n", "Q0F4XLOKz6X"),
        ("a.cfg", "[mail]\npasswd = correcthorseiyl\n", "correcthorseiyl"),
        ("a.toml", "[mail]\ndb_password = \"correcthorseiyl\"\n", "correcthorseiyl"),
    ] {
        let clean = shown(path, text);
        assert!(!clean.contains(value) && clean.contains("[REDACTED_"), "{clean}");
    }
    for (path, text) in [
        ("a.py", "TOKENIZER = \"cl100k_base\"\n"),
        ("a.py", "# password: CharField\n"),
        ("a.py", "def f():\n    \"\"\"Sets the password of a ``UserManager``, password ``PasswordInput``.\"\"\"\n"),
        ("a.py", "record(\"pass\", \"Q0F4XLOKz6X\")\n"),
        ("a.py", "SUPPORTED_AUTH = (\"basic\", \"digestmd5\")\n"),
        ("a.py", "run([\"mysql\", \"-uroot\", f\"-p{password}\"])\n"),
        ("a.py", "h = {\"Authorization\": 'Digest nonce=\"Kd83jfLs92mQpXz7\", opaque=\"9tRq4Zb71nVcYh2w\"'}\n"),
        ("a.py", "# no token: see magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a&dn=x\n"),
        ("a.toml", "[mail]\npassword = \"required\"\npasswd = \"your-password\"\n"),
    ] {
        assert_eq!(shown(path, text), text);
    }
}

/// A value stands alone where a review tells it: its name tells whether it is a secret.
#[test]
fn the_name_of_a_value_tells_that_it_is_a_secret() {
    let value = format!("'{}!9'", random(MIXED, 12, 3));
    assert_eq!(value_without_secrets("db_password", &value), "'[REDACTED_assigned_secret]'");
    assert_eq!(value_without_secrets("title", &value), value);
    assert_eq!(value_without_secrets("password", "None"), "None");
}

/// A line of a private key looks like any text, and source between two marks of keys is none.
#[test]
fn a_line_of_a_private_key_is_known_by_its_file() {
    let shown = |text: &str| {
        let line = text.find('\n').unwrap() + 1;
        let end = line + text[line..].find('\n').unwrap();
        FileContext::of("a.py", text).without_secrets(text, line..end).into_owned()
    };
    let (begin, end, body) = ("-----BEGIN PRIVATE ", "-----END PRIVATE ", random(MIXED, 64, 3));
    let key = format!("A = '''{begin}KEY-----\n{body}\n{body}\n{end}KEY-----'''\n");
    assert_eq!(shown(&key), "[REDACTED_private_key]");
    let code = format!("A = '{begin}KEY-----'\nkey = read(A)\nB = '{end}KEY-----'\n");
    assert_eq!(shown(&code), "key = read(A)");
}

/// The line of a docstring has no quotes of its own.
#[test]
fn a_line_of_a_docstring_is_known_by_its_file() {
    let (token, head) = (random(HEX, 32, 3), "    token: ");
    let text = format!("def f():\n    \"\"\"Connect.\n\n{head}{token}\n    \"\"\"\n");
    let start = text.find(head).unwrap();
    let range = start..start + head.len() + token.len();
    let shown = FileContext::of("a.py", &text).without_secrets(&text, range).into_owned();
    assert_eq!(shown, format!("{head}[REDACTED_assigned_secret]"));
}

/// A value that only contains a word for passwords is a password; one that is made of such words stands for one.
#[test]
fn passwords_in_addresses_are_told_from_their_stand_ins() {
    let is_replaced = |password: &str| {
        let mut findings = Findings::new();
        redacted(&format!("url = \"postgres://bob:{password}@db/x\"\n"), &mut findings);
        !findings.is_empty()
    };
    for real in ["hunter2secret", "tokenRing77z", "contest9Ka", "Passw0rd!"] {
        assert!(is_replaced(real), "{real}");
    }
    for stand_in in ["secret", "my-secret", "password123", "test_pass", "***", "xxxx", "user"] {
        assert!(!is_replaced(stand_in), "{stand_in}");
    }
}

#[test]
fn a_secret_is_replaced_and_what_is_around_it_stays() {
    let secret = format!("gh{}_{}", "p", random(MIXED, 36, 7));
    let mut findings = Findings::new();
    let text = format!("a = \"{secret}\"  # héllo\nb = \"{secret}\"\n");
    let clean = redacted(&text, &mut findings);
    assert_eq!(clean, "a = \"[REDACTED_github_token]\"  # héllo\nb = \"[REDACTED_github_token]\"\n");
    assert_eq!(findings.get("github_token"), Some(&2));
}

/// Python joins literals that stand side by side, so a secret may be spread over them.
#[test]
fn a_secret_in_joined_literals_is_replaced_in_each() {
    let (front, back) = (random(MIXED, 20, 7), random(MIXED, 16, 8));
    for joint in ["\" \"", "\" + \"", "\"\n         \"", "\" \\\n    f\""] {
        let text = format!("a = (\"gh{}_{front}{joint}{back}\", \"b\")  # héllo\n", "p");
        let mask = "[REDACTED_github_token]";
        assert_eq!(without_secrets(&text), format!("a = (\"{mask}{joint}{mask}\", \"b\")  # héllo\n"));
    }
    let text = format!("API_KEY = \"{}9a\" + \"{}7b\"\n", random(MIXED, 9, 7), random(MIXED, 9, 9));
    let mask = "[REDACTED_assigned_secret]";
    assert_eq!(without_secrets(&text), format!("API_KEY = \"{mask}\" + \"{mask}\"\n"));
}

/// Run with `REPOIDX_TEST_CODE=FOLDER`, a source tree without secrets, such as Django's: at most one hit per 10,000
/// lines.
#[test]
fn a_large_source_tree_has_few_false_hits() {
    #[expect(clippy::disallowed_methods, reason = "the tree is not part of this repository")]
    let Some(folder) = std::env::var_os("REPOIDX_TEST_CODE") else { return };
    let mut folders = vec![std::path::PathBuf::from(folder)];
    let (mut lines, mut findings, mut shown) = (0, Findings::new(), Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            if !path.extension().is_some_and(|extension| extension == "py" || extension == "toml") {
                continue;
            }
            lines += text.lines().count();
            let clean = redacted(&text, &mut findings);
            for (before, after) in text.lines().zip(clean.lines()).filter(|(before, after)| before != after) {
                shown.push(format!("{}: {before} -> {after}", path.display()));
            }
        }
    }
    let hits: usize = findings.values().sum();
    println!("{hits} hits in {lines} lines");
    assert!(hits * 10_000 <= lines.max(10_000), "{hits} hits in {lines} lines: {findings:?}\n{}", shown.join("\n"));
}

/// Patterns are compiled when a text needs them, so nothing else tells that one is wrong.
#[test]
fn every_pattern_compiles() {
    for (shape, kept) in shapes() {
        compiled(shape.2, kept);
    }
    assert_eq!(assignments().chain(stated()).chain([configured()]).count(), 8);
}
