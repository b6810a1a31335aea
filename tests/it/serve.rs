//! `repoidx serve`: who may ask, what the pages say, and what a browser makes of them.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, Stdio},
    sync::atomic::{AtomicBool, Ordering},
};

use serde_json::{Value, json};

use crate::{
    browser::{self, ARROW_DOWN, Browser, ENTER, ESCAPE},
    harness::TestRepo,
};

const HOSTILE: &str = "</script><script>document.title='owned'</script><img src=x onerror=alert(1)>";

/// `price` with its callers, one with a default that would be markup if nobody escaped it.
fn shop() -> TestRepo {
    TestRepo::new()
        .file("shop/__init__.py", "")
        .file("shop/prices.py", "def price(amount):\n    \"\"\"Round an amount.\"\"\"\n    return round(amount)\n")
        .file(
            "shop/cart.py",
            "from shop.prices import price\n\n\nclass Cart:\n    def sum(self):\n        return price(1)\n",
        )
        .file(
            "shop/odd.py",
            format!("from shop.prices import price\n\n\ndef odd(text=\"{HOSTILE}\"):\n    return price(2)\n"),
        )
        .file("tests/test_cart.py", "from shop.cart import Cart\n\n\ndef test_sum():\n    assert Cart().sum() == 1\n")
        .commit("first")
}

/// A running server with the secrets of its user.
struct Site {
    process: Child,
    port: u16,
    address: String,
    cookie: String,
}

/// An answer as it came over the wire.
struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Reply {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (other, value) = line.split_once(':')?;
            other.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }
}

impl Site {
    fn start(repo: &TestRepo, arguments: &[&str]) -> Self {
        let mut command = repo.command(env!("CARGO_BIN_EXE_repoidx"));
        command.arg("serve").args(arguments).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().expect("the binary was built");
        let mut address = String::new();
        let mut lines = BufReader::new(process.stdout.take().expect("it is piped"));
        lines.read_line(&mut address).expect("it tells its address");
        let address = address.trim().to_owned();
        let port = address.split(['/', ':']).nth(4).and_then(|port| port.parse().ok()).expect("the address has a port");
        let mut site = Self { process, port, address, cookie: String::new() };
        let welcome = site.ask(&format!("GET {} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n", site.token_path()));
        assert_eq!(welcome.status, 303, "{}", welcome.head);
        let cookie = welcome.header("set-cookie").expect("a cookie");
        assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{cookie}");
        cookie.split(';').next().expect("a pair").clone_into(&mut site.cookie);
        site
    }

    fn token_path(&self) -> &str {
        &self.address[self.address.find("/?").expect("the address has a token")..]
    }

    /// Sends these bytes and reads the answer.
    fn ask(&self, request: &str) -> Reply {
        ask(self.port, request)
    }

    /// A page, as the user's browser asks for it.
    fn page(&self, path: &str) -> Reply {
        let (port, cookie) = (self.port, &self.cookie);
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n"))
    }

    fn text(&self, path: &str) -> String {
        let reply = self.page(path);
        assert_eq!(reply.status, 200, "{path}\n{}", reply.body);
        // The template writes a slash so; it is the same character.
        reply.body.replace("&#x2f;", "/")
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

/// The answer of a page, without its style and script.
fn main(page: &str) -> &str {
    page.split("<main").nth(1).and_then(|rest| rest.split("</main>").next()).unwrap_or(page)
}

fn ask(port: u16, request: &str) -> Reply {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the server listens");
    let request = request.replacen("\r\n", "\r\nConnection: close\r\n", 1);
    // A server that refuses early may close before it has read everything.
    stream.write_all(request.as_bytes()).ok();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).ok();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Reply { status, head: head.to_owned(), body: body.to_owned() }
}

/// Requests that nobody but an attacker or a broken program sends, each with the status that refuses it.
fn forged(site: &Site) -> Vec<(u16, String)> {
    let (port, cookie, token) = (site.port, &site.cookie, site.token_path());
    let own = format!("Host: 127.0.0.1:{port}\r\n");
    let mut all = Vec::new();
    // Names that an attacker gave this address, and requests without one.
    let other = port.wrapping_add(1);
    for host in [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        "127.0.0.1".to_owned(),
        "localhost".to_owned(),
        format!("127.0.0.1:{other}"),
        format!("localhost:{other}"),
        format!("127.0.0.1.evil.example:{port}"),
        format!("evil.example@127.0.0.1:{port}"),
        format!("0.0.0.0:{port}"),
        format!("[::1]:{port}"),
        format!("127.0.0.2:{port}"),
        format!("2130706433:{port}"),
        format!("127.0.0.1:{port}."),
        format!("127.0.0.1.:{port}"),
        String::new(),
    ] {
        all.push((421, format!("GET / HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n\r\n")));
        all.push((421, format!("GET {token} HTTP/1.1\r\nHost: {host}\r\n\r\n")));
    }
    all.push((421, format!("GET / HTTP/1.1\r\nCookie: {cookie}\r\n\r\n")));
    all.push((421, format!("GET / HTTP/1.1\r\n{own}{own}Cookie: {cookie}\r\n\r\n")));
    all.push((400, format!("GET http://127.0.0.1:{port}/ HTTP/1.1\r\n{own}Cookie: {cookie}\r\n\r\n")));
    all.push((400, format!("GET http://evil.example/ HTTP/1.1\r\n{own}Cookie: {cookie}\r\n\r\n")));
    all.push((400, format!("CONNECT evil.example:443 HTTP/1.1\r\n{own}Cookie: {cookie}\r\n\r\n")));
    // Other sites, whose pages the same browser shows.
    for origin in [
        "null".to_owned(),
        "http://evil.example".to_owned(),
        format!("http://evil.example:{port}"),
        format!("https://127.0.0.1:{port}"),
        format!("http://127.0.0.1:{other}"),
        format!("http://localhost:{port}"),
        "http://127.0.0.1".to_owned(),
        "file://".to_owned(),
        format!("http://127.0.0.1:{port}/"),
        "chrome-extension://abc".to_owned(),
        String::new(),
    ] {
        all.push((403, format!("GET / HTTP/1.1\r\n{own}Origin: {origin}\r\nCookie: {cookie}\r\n\r\n")));
        all.push((403, format!("GET {token} HTTP/1.1\r\n{own}Origin: {origin}\r\n\r\n")));
    }
    for site in ["cross-site", "same-site", "", "SAME-ORIGIN", "same-origin, cross-site"] {
        all.push((403, format!("GET /ask?q=x HTTP/1.1\r\n{own}Sec-Fetch-Site: {site}\r\nCookie: {cookie}\r\n\r\n")));
    }
    for method in
        ["POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "get", "GETX", "PURGE", "BREW"]
    {
        all.push((405, format!("{method} / HTTP/1.1\r\n{own}Cookie: {cookie}\r\n\r\n")));
    }
    // Without the secret, or with a wrong one.
    let (name, secret) = cookie.split_once('=').expect("a pair");
    let half = &secret[..secret.len() / 2];
    for line in [
        String::new(),
        "Cookie: \r\n".to_owned(),
        format!("Cookie: {name}=\r\n"),
        format!("Cookie: {name}={half}\r\n"),
        format!("Cookie: {name}={secret}x\r\n"),
        format!("Cookie: {name}x={secret}\r\n"),
        format!("Cookie: {secret}\r\n"),
        format!("Cookie: {}={secret}\r\n", name.to_uppercase()),
        format!("Cookie: {name}={}\r\n", secret.to_lowercase().replace('a', "b")),
        format!("Cookie: {name}=\"{secret}\"\r\n"),
        format!("Authorization: Bearer {secret}\r\n"),
        format!("X-Cookie: {cookie}\r\n"),
    ] {
        all.push((401, format!("GET / HTTP/1.1\r\n{own}{line}\r\n")));
    }
    let real = token.trim_start_matches("/?token=");
    for target in [
        "/?token=".to_owned(),
        "/?token=x".to_owned(),
        format!("/?token={}", &real[1..]),
        format!("/?token={real}&x=1"),
        format!("/?TOKEN={real}"),
        format!("/?q=1&token={real}"),
        format!("/search?token={real}"),
        format!("//?token={real}"),
        format!("/?token={secret}"),
    ] {
        all.push((401, format!("GET {target} HTTP/1.1\r\n{own}\r\n")));
    }
    // Pages that do not exist, and values that are no text.
    for target in [
        "/admin",
        "/search/",
        "/..",
        "/../../etc/passwd",
        "/%2e%2e/etc/passwd",
        "/ASK",
        "//",
        "/.git/config",
        "/index.db",
        "/definition/x",
        "/ask%3fq=1",
        "/?/search",
    ] {
        let status = if target == "/?/search" { 200 } else { 404 };
        all.push((status, format!("GET {target} HTTP/1.1\r\n{own}Cookie: {cookie}\r\n\r\n")));
    }
    for target in [
        "/search?q=%ff",
        "/ask?q=%c3%28",
        "/definition?name=a%00b",
        "/impact?name=price&change=burn",
        "/impact?name=price&change=require",
        "/review?of=everything",
        "/search?q=%ed%a0%80",
    ] {
        all.push((400, format!("GET {target} HTTP/1.1\r\n{own}Cookie: {cookie}\r\n\r\n")));
    }
    // Too much of anything.
    let long = |size: usize| "a".repeat(size);
    all.push((414, format!("GET /search?q={} HTTP/1.1\r\n{own}Cookie: {cookie}\r\n\r\n", long(9_000))));
    all.push((414, format!("GET /{} HTTP/1.1\r\n{own}Cookie: {cookie}\r\n\r\n", long(8_200))));
    all.push((431, format!("GET / HTTP/1.1\r\n{own}X: {}\r\nCookie: {cookie}\r\n\r\n", long(17_000))));
    all.push((431, format!("GET / HTTP/1.1\r\n{own}X: {}\r\nCookie: {cookie}\r\n\r\n", long(60_000))));
    all.push((431, format!("GET / HTTP/1.1\r\n{own}{}Cookie: {cookie}\r\n\r\n", "X: y\r\n".repeat(100))));
    all.push((413, format!("GET / HTTP/1.1\r\n{own}Content-Length: 3\r\nCookie: {cookie}\r\n\r\nabc")));
    all.push((413, format!("GET / HTTP/1.1\r\n{own}Transfer-Encoding: chunked\r\nCookie: {cookie}\r\n\r\n0\r\n\r\n")));
    // What is no request at all.
    for bytes in
        ["GET /\r\n\r\n", "\0\0\0\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "hello\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n"]
    {
        all.push((400, bytes.to_owned()));
    }
    all
}

#[test]
fn a_forged_request_is_refused() {
    let repo = shop();
    let site = Site::start(&repo, &[]);
    let forged = forged(&site);
    assert!(forged.len() >= 100, "{} requests", forged.len());
    let mut wrong = Vec::new();
    for (status, request) in &forged {
        let reply = site.ask(request);
        let (asked, head) = (request.chars().take(160).collect::<String>(), &reply.head);
        if reply.status != *status {
            wrong.push(format!("{asked:?}: {} and not {status}", reply.status));
        }
        if *status != 200 && (reply.body.contains("price") || reply.header("set-cookie").is_some()) {
            wrong.push(format!("{asked:?} learns something: {head}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The server is not harmed, and its user is not locked out.
    assert!(site.text("/").contains("shop.prices.price"));
}

#[test]
fn a_page_runs_nothing_but_itself_and_asks_nobody_else() {
    let repo = shop();
    let site = Site::start(&repo, &[]);
    for path in ["/", "/search?q=price", "/ask?q=who+calls+price", "/definition?name=price", "/impact?name=price"] {
        let reply = site.page(path);
        assert_eq!(reply.status, 200, "{path}");
        let policy = reply.header("content-security-policy").expect("a policy");
        let parts: Vec<&str> = policy.split("; ").collect();
        assert_eq!(parts[0], "default-src 'none'", "{path}");
        assert!(parts[1].starts_with("style-src 'sha256-") && parts[2].starts_with("script-src 'sha256-"), "{policy}");
        assert_eq!(
            &parts[3..],
            ["connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"]
        );
        for (name, value) in [
            ("cache-control", "no-store"),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(reply.header(name), Some(value), "{path}");
        }
        assert!(!reply.body.contains("<img"), "{path}");
        assert!(!reply.body.contains("src=\"http"), "{path}");
    }
    let odd = site.text("/definition?name=shop.odd.odd");
    assert!(odd.contains("&lt;img src=x") && !odd.contains("<img"), "{}", main(&odd));
    let echoed = site.text("/search?q=%3Cimg%20src%3Dx%3E%22%20autofocus");
    assert!(echoed.contains("&lt;img src=x&gt;&quot; autofocus"), "{}", main(&echoed));
}

#[test]
fn a_page_says_what_the_command_says() {
    let repo = shop();
    let site = Site::start(&repo, &[]);
    let answer = |arguments: &[&str]| -> Value {
        let run = repo.run(arguments.iter().chain(&["--format", "json"])).code(0);
        serde_json::from_str(&run.stdout).expect("the answer is JSON")
    };
    let names = |list: &Value| -> Vec<String> {
        let rows = list.as_array().expect("a list").iter();
        rows.filter_map(|row| row["name"].as_str().or(row.as_str()).map(str::to_owned)).collect()
    };
    let check = |page: &str, wanted: &[String]| {
        assert!(!wanted.is_empty(), "nothing to look for");
        for name in wanted {
            assert!(page.contains(name.as_str()), "{name} is missing in\n{}", main(page));
        }
    };
    let definition = site.text("/definition?name=price");
    check(&definition, &names(&answer(&["refs", "price"])["references"]));
    check(&definition, &names(&answer(&["impact", "price"])["tests"]));
    check(&definition, &["Round an amount.".to_owned(), "shop/prices.py:1".to_owned()]);
    check(&site.text("/definition?name=Cart.sum"), &names(&answer(&["show", "Cart.sum"])["refers_to"]));
    check(&site.text("/impact?name=price&change=remove"), &names(&answer(&["impact", "price"])["impacted"]));
    check(&site.text("/search?q=round+an+amount"), &names(&answer(&["search", "round an amount"])["hits"]));
    check(&site.text("/search?part=1&q=cart"), &names(&answer(&["search", "cart"])["hits"]));
    let asked = answer(&["ask", "who calls price?"]);
    let page = site.text("/ask?q=who+calls+price%3F");
    check(&page, &names(&asked["blocks"][0]["rows"]));
    let headline = asked["headline"].as_str().expect("a headline");
    check(&page, &[headline.rsplit('`').next().expect("words").to_owned()]);
    check(&site.text("/"), &names(&answer(&["map"])["entities"]));

    // Names that mean nothing, or nothing certain, are answers too.
    let reply = site.page("/definition?name=nothing_like_this");
    assert_eq!(reply.status, 404);
    assert!(reply.body.contains("nothing here is called `nothing_like_this`"), "{}", reply.body);
    assert!(site.text("/search?q=zzzzqqqq").contains("Nothing here fits these words"));
}

#[test]
fn no_page_tells_a_secret() {
    let text = |token: &str| format!("DB_PASSWORD = '{token}'\n\n\ndef connect(token='{token}'):\n    return token\n");
    let (old, new) = ("Qim7EFBJx3Pz!9kT", "Zk4wWbRt8Uq!3mPx");
    let repo = TestRepo::new()
        .file("app.py", text(old))
        .file("use.py", format!("from app import connect\n\n\ndef run():\n    return connect(token='{old}')\n"))
        .commit("first");
    repo.write("app.py", text(new));
    repo.save("second");
    let site = Site::start(&repo, &[]);
    for path in [
        "/ask?q=who+calls+connect%3F",
        "/ask?q=list+functions+in+app.py",
        "/ask?q=what+did+the+last+commit+change%3F",
        "/review?range=HEAD~1..HEAD",
        "/definition?name=connect",
        "/impact?name=connect",
    ] {
        let page = site.text(path);
        assert!(![old, new].iter().any(|secret| page.contains(&secret[..12])), "{path}\n{page}");
    }
}

#[test]
fn an_ambiguous_name_leads_to_the_other_definitions() {
    let repo = shop();
    repo.write("shop/stock.py", "def price(item):\n    return item\n");
    let site = Site::start(&repo, &[]);
    for page in ["/definition?name=price", "/impact?name=price&change=remove"] {
        let text = site.text(page);
        assert!(text.contains("The name also means "), "{page}: {}", main(&text));
        let link = text.split("The name also means <a href=\"").nth(1).and_then(|rest| rest.split('"').next());
        let link = link.expect("a link").replace("&amp;", "&").replace("&#x26;", "&");
        let other = site.text(&link);
        assert!(other.contains("shop.stock.price"), "{link}: {}", main(&other));
        assert!(!other.contains("The name also means "), "a place names one definition");
        assert_eq!(link.contains("change=remove"), page.contains("change=remove"), "{link}");
    }
    assert!(!site.text("/impact?name=shop.stock.price").contains("The name also means "));
}

#[test]
fn a_page_is_about_the_files_as_they_are() {
    let repo = shop();
    let site = Site::start(&repo, &[]);
    assert!(!site.text("/definition?name=price").contains("shop.late.late"));
    repo.write("shop/late.py", "from shop.prices import price\n\n\ndef late():\n    return price(3)\n");
    assert!(site.text("/definition?name=price").contains("shop.late.late"));
    repo.write("shop/prices.py", "def price(amount, currency):\n    return round(amount)\n");
    let review = site.text("/review?of=worktree");
    assert!(review.contains("parameter currency became required") || review.contains("currency"), "{review}");
    repo.delete("shop/late.py");
    assert!(!site.text("/definition?name=price").contains("shop.late.late"));
}

#[test]
fn two_hundred_readers_see_no_error_while_commits_land() {
    let repo = shop();
    let site = Site::start(&repo, &[]);
    let (port, cookie) = (site.port, site.cookie.as_str());
    let is_over = AtomicBool::new(false);
    let paths = ["/definition?name=price", "/search?part=1&q=price", "/", "/ask?q=who+calls+price"];
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..200)
            .map(|reader| {
                let is_over = &is_over;
                scope.spawn(move || {
                    let mut statuses = Vec::new();
                    while statuses.is_empty() || (!is_over.load(Ordering::SeqCst) && statuses.len() < 4) {
                        let path = paths[(reader + statuses.len()) % paths.len()];
                        let host = format!("Host: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n");
                        statuses.push(ask(port, &format!("GET {path} HTTP/1.1\r\n{host}\r\n")).status);
                    }
                    statuses
                })
            })
            .collect();
        for number in 0..6 {
            let text = format!("from shop.prices import price\n\n\ndef late_{number}():\n    return price(3)\n");
            repo.write("shop/late.py", text);
            repo.save("late");
            // Whoever asks after a commit sees it, whatever the others do.
            let page = site.text("/definition?name=price");
            assert!(page.contains(&format!("shop.late.late_{number}")), "commit {number} is missing");
        }
        is_over.store(true, Ordering::SeqCst);
        for reader in readers {
            let statuses = reader.join().expect("a reader does not panic");
            assert!(statuses.iter().all(|status| *status == 200), "{statuses:?}");
        }
    });
}

#[test]
fn the_server_ends_when_nobody_asks() {
    let repo = shop();
    let mut site = Site::start(&repo, &["--idle", "1s"]);
    assert!(site.text("/").contains("shop.prices.price"));
    let status = site.process.wait().expect("it is our process");
    assert!(status.success(), "{status}");
}

#[test]
fn a_port_that_is_taken_is_named() {
    let repo = shop();
    let site = Site::start(&repo, &[]);
    let run = repo.run(["serve", "--port", &site.port.to_string()]).code(3);
    assert!(run.stderr.contains(&format!("port {} of this machine cannot be used", site.port)), "{}", run.stderr);
    assert!(run.stderr.contains("leave --port out"), "{}", run.stderr);
    let run = repo.run(["serve", "--idle", "soon"]).code(2);
    assert!(run.stderr.contains("a number with s, m or h"), "{}", run.stderr);
}

/// Everything that a person does with the pages, in one browser.
#[test]
fn a_browser_asks_searches_and_goes_back() {
    if !browser::is_wanted() {
        return;
    }
    let repo = shop();
    let site = Site::start(&repo, &[]);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let browser = Browser::start(folder.path());
    let words = |script: &str| browser.run(&format!("return {script}"));
    let text = |selector: &str| words(&format!("document.querySelector({selector:?})?.textContent ?? ''")).to_string();
    let until = |condition: &str| browser.until(condition);
    let path = || words("location.pathname + location.search");
    let size = |width: u32| {
        let metrics = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false});
        browser.post("/goog/cdp/execute", &json!({"cmd": "Emulation.setDeviceMetricsOverride", "params": metrics}));
    };
    let scheme = |name: &str| {
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": name}]});
        browser.post("/goog/cdp/execute", &json!({"cmd": "Emulation.setEmulatedMedia", "params": features}));
    };

    // 1 The first address leads to the first page, and the token is gone from the address.
    browser.post("/url", &json!({"url": site.address}));
    assert_eq!(path(), "/");
    // 2 Scripts cannot read the cookie.
    assert_eq!(words("document.cookie"), "");
    // 3 The first page lists definitions.
    assert!(text(".cards").contains("shop.prices.price"));

    // 4 `/` goes to the box, and the list follows as one types.
    browser.press(&["/"]);
    until("document.activeElement.id === 'query'");
    browser.press(&["c", "a", "r", "t"]);
    until("document.querySelector('#found .hits a')");
    assert!(text("#found").contains("shop.cart.Cart"));
    // 5 The number is said to those who do not see the list.
    assert!(text("#count").contains("found"));
    // 6 Arrows go through the list and back to the box.
    browser.press(&[ARROW_DOWN]);
    assert_eq!(words("document.activeElement.closest('#found') !== null"), true);
    browser.press(&["\u{e013}"]);
    assert_eq!(words("document.activeElement.id"), "query");
    // 7 Esc closes it.
    browser.press(&[ESCAPE]);
    assert_eq!(words("document.querySelector('#found').hidden"), true);
    // 8 The last words win, however fast they come.
    browser.run("const q = document.querySelector('#query'); q.value = ''; q.focus()");
    browser.press(&["p", "r", "i", "c", "e"]);
    until("document.querySelector('#found .hits .mono')?.textContent === 'shop.prices.price'");
    // 9 Enter on a hit opens its page.
    browser.press(&[ARROW_DOWN, ENTER]);
    until("location.pathname === '/definition'");
    assert!(text("h1").contains("shop.prices.price"));
    // 10 The page has source, callers and tests.
    assert!(text(".source").contains("def price(amount):"));
    assert!(text(".columns").contains("shop.cart.Cart.sum"));
    assert!(text(".columns").contains("test_sum"));
    // 11 A link leads to the caller, and from there to what it calls.
    browser.run("[...document.querySelectorAll('.places a')].find(a => a.textContent.includes('Cart.sum')).click()");
    until("document.querySelector('h1').textContent.includes('Cart.sum')");
    assert!(text("[aria-labelledby=callees]").contains("shop.prices.price"));
    // 12 Back and forward.
    browser.post("/back", &json!({}));
    until("document.querySelector('h1').textContent === 'shop.prices.price'");
    browser.post("/forward", &json!({}));
    until("document.querySelector('h1').textContent.includes('Cart.sum')");
    browser.post("/back", &json!({}));
    // 13 The picture, and its links back to the pages.
    browser.run("document.querySelector('.actions a').click()");
    until("document.querySelector('#graph .label')");
    assert!(
        words("[...document.querySelectorAll('#graph .label')].map(e => e.textContent)")
            .to_string()
            .contains("Cart.sum")
    );
    assert!(
        words("document.querySelector('#details a')?.getAttribute('href')").to_string().contains("/definition?name=")
    );
    // 14 Another change from the bar.
    browser.run("[...document.querySelectorAll('.bar a')].find(a => a.textContent.includes('removed')).click()");
    until("document.querySelector('h1').textContent.includes('is removed')");
    // 15 A question, with sources that open.
    browser.run("[...document.querySelectorAll('.bar a')].find(a => a.textContent === 'Ask').click()");
    until("document.querySelector('#question')");
    browser.click("#question");
    browser.press(&"who calls price?".split("").filter(|key| !key.is_empty()).collect::<Vec<_>>());
    browser.press(&[ENTER]);
    until("document.querySelector('h1.answer')");
    assert!(text("h1.answer").contains("price"));
    assert_eq!(words("document.querySelector('.places details').open"), false);
    browser.click(".places details summary");
    assert_eq!(words("document.querySelector('.places details').open"), true);
    // 16 The search has a page of its own, whose address keeps the words; back brings them again.
    browser.post("/url", &json!({"url": format!("http://127.0.0.1:{}/search", site.port)}));
    browser.click("#query");
    browser.press(&["s", "u", "m"]);
    until("document.querySelector('#results .hits a') && location.search === '?q=sum'");
    browser.run("document.querySelector('#results .hits a').click()");
    until("location.pathname === '/definition'");
    browser.post("/back", &json!({}));
    until("location.search === '?q=sum' && document.querySelector('#results .hits a')");
    // 17 The review of what is not committed.
    repo.write("shop/prices.py", "def price(amount, currency):\n    return round(amount)\n");
    browser.post("/url", &json!({"url": format!("http://127.0.0.1:{}/review?of=worktree", site.port)}));
    until("document.querySelector('.row .name')");
    assert!(text("#list").contains("Cart.sum"));
    // 18 Dark and light differ.
    browser.post("/url", &json!({"url": format!("http://127.0.0.1:{}/definition?name=price", site.port)}));
    scheme("light");
    let light = words("getComputedStyle(document.body).backgroundColor");
    scheme("dark");
    assert_ne!(words("getComputedStyle(document.body).backgroundColor"), light);
    // 19 Nothing is wider than a telephone.
    size(390);
    for path in ["/", "/search?q=price", "/ask?q=who+calls+price", "/definition?name=price", "/impact?name=price"] {
        browser.post("/url", &json!({"url": format!("http://127.0.0.1:{}{path}", site.port)}));
        assert_eq!(words("document.documentElement.scrollWidth <= innerWidth"), true, "{path}");
    }
    // 20 What axe-core finds wrong for people who use no mouse or no screen.
    if let Some(axe) = std::env::var_os("REPOIDX_AXE") {
        let axe = std::fs::read_to_string(axe).expect("REPOIDX_AXE names axe.min.js");
        for (path, name) in [
            ("/", "light"),
            ("/", "dark"),
            ("/search?q=price", "light"),
            ("/search?q=price", "dark"),
            ("/ask?q=who+calls+price", "light"),
            ("/ask?q=who+calls+price", "dark"),
            ("/definition?name=price", "light"),
            ("/definition?name=price", "dark"),
            ("/definition?name=nothing", "light"),
            ("/impact?name=price", "light"),
            ("/impact?name=price", "dark"),
            ("/review?of=worktree", "light"),
        ] {
            scheme(name);
            browser.post("/url", &json!({"url": format!("http://127.0.0.1:{}{path}", site.port)}));
            browser.run(&axe);
            let ask = "const done = arguments[0]; axe.run().then(r => done(r.violations.map(v => `${v.id}: ${v.nodes.map(n => n.html).slice(0, 3).join(' ')}`)))";
            let found = browser.post("/execute/async", &json!({"script": ask, "args": []}));
            assert_eq!(found, json!([]), "{path} {name}");
        }
    }
    // 21 The filters of a picture stand in its address, and a reload keeps them.
    size(1280);
    scheme("light");
    let open = |path: &str| {
        browser.post("/url", &json!({"url": format!("http://127.0.0.1:{}{path}", site.port)}));
    };
    open("/impact?name=price");
    until("document.querySelector('.row .name')");
    browser.run("document.querySelector('[name=tests][value=tests]').click()");
    until("location.hash.includes('tests=tests')");
    browser.post("/refresh", &json!({}));
    until("document.querySelector('.row .name')");
    assert_eq!(words("document.querySelector('[name=tests][value=tests]').checked"), true);
    assert!(!text("#list").contains("odd.odd"), "{}", text("#list"));
    // 22 Reset shows all of it again.
    browser.click("#reset");
    until("document.querySelector('#list').textContent.includes('odd.odd')");
    // 23 A least probability takes the unlikely ones away.
    browser.run("const l = document.querySelector('#least'); l.value = 100; l.dispatchEvent(new Event('input'))");
    assert_eq!(words("document.querySelectorAll('.row .name').length"), 1, "{}", text("#list"));
    browser.click("#reset");
    until("document.querySelectorAll('.row .name').length > 1");
    // 24 `?` shows the keys, and Esc hides them.
    browser.press(&["?"]);
    assert_eq!(words("document.querySelector('#help').open"), true);
    browser.press(&[ESCAPE]);
    until("!document.querySelector('#help').open");
    // 25 The code of both ends stands in the details of a dependent.
    browser.run("[...document.querySelectorAll('.row')].find(e => e.textContent.includes('Cart.sum')).click()");
    until("document.querySelector('#details').textContent.includes('return price(1)')");
    // 26 A name that several definitions have leads to the others.
    repo.write("shop/stock.py", "def price(item):\n    return item\n");
    open("/impact?name=price");
    until("document.querySelector('.others a')");
    browser.click(".others a");
    until("document.querySelector('h1').textContent.includes('shop.stock.price')");
    // 27 A page follows the files: what is gone is gone after a reload.
    repo.delete("shop/stock.py");
    open("/impact?name=price");
    until("document.querySelector('.row .name')");
    assert_eq!(words("document.querySelector('.others') === null"), true);
    // 28 A name that means nothing has a page that says so, with the box for a search.
    open("/definition?name=nothing_like_this");
    assert!(text("main").contains("nothing here is called"));
    assert_eq!(words("document.querySelector('#query') !== null"), true);
    // 29 Text of the repository is no markup, and no page broke its own policy.
    browser.post("/url", &json!({"url": format!("http://127.0.0.1:{}/definition?name=shop.odd.odd", site.port)}));
    assert_ne!(words("document.title"), "owned");
    let complaints: Vec<String> =
        browser.logged("browser").into_iter().filter(|line| !line.contains("status of 404")).collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
    // 30 Nobody else was asked.
    let asked = browser.logged("performance").into_iter().filter(|line| line.contains("Network.requestWillBeSent"));
    let elsewhere: Vec<String> = asked
        .filter(|line| {
            let message: Value = serde_json::from_str(line).expect("a log of JSON");
            let url = message["message"]["params"]["request"]["url"].as_str().unwrap_or_default().to_owned();
            url.starts_with("http") && !url.starts_with(&format!("http://127.0.0.1:{}/", site.port))
        })
        .collect();
    assert!(elsewhere.is_empty(), "{elsewhere:#?}");
}

#[test]
fn imports_of_a_module_and_other_spellings_have_pages() {
    let repo = TestRepo::new()
        .file("shop/__init__.py", "")
        .file(
            "shop/prices.py",
            "import decimal\n\nSTEP = 1\n\n\ndef round_up(amount):\n    return decimal.Decimal(amount)\n",
        )
        .file("shop/cart.py", "def prices():\n    return 1\n")
        .commit("first");
    let site = Site::start(&repo, &[]);
    let imports = site.text("/definition?name=prices%3Aimports");
    assert!(main(&imports).contains("import decimal") && !main(&imports).contains("return"), "{}", main(&imports));
    let spelled = site.text("/definition?name=roundup");
    assert!(main(&spelled).contains("shop.prices.round_up"), "{}", main(&spelled));
}
