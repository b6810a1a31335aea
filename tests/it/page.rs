//! The page of an impact or a review: what stands in the file, and what a browser makes of it.
//!
//! The browser's part needs `chromedriver` and Chromium and runs with `REPOIDX_BROWSER=1`.

use std::{
    net::TcpListener,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    browser::{self, ARROW_DOWN, ARROW_LEFT, ARROW_RIGHT, Browser, ENTER, ESCAPE},
    harness::TestRepo,
};

const HOSTILE: &str = "</script><script>document.title='owned'</script><img src=x onerror=alert(1)><!--";
const HOSTILE_FILE: &str = "<img src=x onerror=\"document.title='owned'\">&amp;.py";

/// `price` with its callers, one in a file and with a default that would be markup if nobody escaped it.
fn shop() -> TestRepo {
    let app = format!(
        "from shop.prices import price\n\n\ndef total(text=\"{HOSTILE}\"):\n    # {HOSTILE}\n    return price(2)\n"
    );
    TestRepo::new()
        .file("shop/__init__.py", "")
        .file("shop/prices.py", "def price(amount):\n    \"\"\"Round.\"\"\"\n    return round(amount)\n")
        .file(
            "shop/cart.py",
            "from shop.prices import price\n\n\nclass Cart:\n    def sum(self):\n        return price(1)\n",
        )
        .file(HOSTILE_FILE, app)
        .file("tests/test_cart.py", "from shop.cart import Cart\n\n\ndef test_sum():\n    assert Cart().sum() == 1\n")
        .commit("first")
}

fn page(repo: &TestRepo, arguments: &[&str]) -> String {
    let mut all = vec!["-q"];
    all.extend(arguments);
    all.extend(["--format", "html"]);
    repo.run(all).code(0).stdout
}

/// The data that the script of a page reads.
fn data(page: &str) -> Value {
    let start = page.find("id=\"data\">").expect("the page has data") + "id=\"data\">".len();
    let end = start + page[start..].find("</script>").expect("the data ends");
    serde_json::from_str(&page[start..end]).expect("the data is JSON")
}

/// The same page wherever the repository lies.
fn without_links(repo: &TestRepo, threads: &str, arguments: &[&str]) -> String {
    let mut command = repo.command(env!("CARGO_BIN_EXE_repoidx"));
    command.args(["-q"]).args(arguments).args(["--format", "html"]);
    command.env("REPOIDX_EDITOR_LINK", "none").env("REPOIDX_THREADS", threads);
    let output = command.output().expect("the binary was built");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("pages are UTF-8")
}

#[test]
fn nothing_from_the_repository_becomes_markup() {
    let repo = shop();
    repo.write("shop/prices.py", format!("def price(amount, currency):\n    # {HOSTILE}\n    return amount\n"));
    for arguments in [&["impact", "price"][..], &["review", "--worktree"], &["impact", HOSTILE_FILE]] {
        let page = page(&repo, arguments);
        assert_eq!(page.matches("<script").count(), 2, "{arguments:?}");
        assert_eq!(page.matches("</script").count(), 2, "{arguments:?}");
        assert!(!page.contains("<img") && !page.contains("<!--"), "{arguments:?}");
        let data = data(&page).to_string();
        assert!(data.contains("onerror=alert(1)"), "the source is shown: {arguments:?}");
    }
}

#[test]
fn a_page_may_ask_nobody_and_run_nothing_but_itself() {
    let page = page(&shop(), &["impact", "price"]);
    let policy = page.split("Content-Security-Policy\" content=\"").nth(1).expect("there is a policy");
    let policy = policy.split('"').next().expect("it ends");
    assert!(
        policy.starts_with("default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
    for outside in ["<link", "src=\"", "@import", "url(", "innerHTML", "fetch("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn a_page_has_the_same_bytes_everywhere() {
    let repo = shop();
    let clone = TestRepo::clone_of(&repo);
    for arguments in
        [&["impact", "price"][..], &["review", "HEAD~0...HEAD"], &["impact", "shop.prices.price", "--change", "remove"]]
    {
        let one = without_links(&repo, "1", arguments);
        assert!(one == without_links(&repo, "4", arguments), "{arguments:?} on four threads");
        assert!(one == without_links(&clone, "2", arguments), "{arguments:?} in a clone");
    }
}

#[test]
fn a_page_has_the_chain_the_source_and_the_limits() {
    let repo = shop();
    let page = page(&repo, &["impact", "price"]);
    assert!(page.contains("<h1>What breaks if <code>shop.prices.price</code> changes</h1>"), "{page}");
    let data = data(&page);
    let nodes = data["nodes"].as_array().expect("nodes are a list");
    let test = nodes.iter().find(|node| node["name"] == "tests.test_cart.test_sum").expect("the test is reached");
    let names = test["chain"].as_array().expect("a chain").iter().map(|step| {
        let step = &data["steps"][usize::try_from(step.as_u64().expect("a number")).expect("it is small")];
        nodes[usize::try_from(step["to"].as_u64().expect("a number")).expect("it is small")]["name"].as_str()
    });
    assert_eq!(names.collect::<Vec<_>>(), [Some("shop.cart.Cart.sum"), Some("shop.prices.price")]);
    assert_eq!(data["sources"]["shop/cart.py:6"]["start"], 3);
    assert!(data["sources"]["shop/cart.py:6"]["text"].as_str().is_some_and(|text| text.ends_with("return price(1)")));
    let root = repo.root();
    assert_eq!(data["links"]["root"], root.to_str().expect("a plain path").replace('\\', "/"));
}

#[test]
fn a_page_says_how_likely_it_is_complete_as_the_text_does() {
    let repo = shop();
    let text = repo.run(["-q", "impact", "price"]).code(0).stdout;
    let (_, likely) = text.lines().next().and_then(|line| line.split_once("complete: ")).expect("a test is listed");
    assert!(likely.ends_with('%'), "{text}");
    let page = page(&repo, &["impact", "price"]);
    assert!(page.contains(&format!("<summary>complete: {likely}</summary>")), "{page}");
}

#[test]
fn prompts_stay_small_and_pages_hold_thousands_of_callers() {
    let callers: String =
        (0..2_400).map(|number| format!("def f{number}():\n    return price({number})\n\n\n")).collect();
    let repo = shop().file("shop/many.py", format!("from shop.prices import price\n\n\n{callers}"));
    let prompt = repo.run(["-q", "impact", "price", "--format", "prompt"]).code(0).stdout;
    assert!(prompt.contains("- stopped after ") && prompt.contains("Completeness: lower bound"), "{prompt}");
    let page = page(&repo, &["impact", "price"]);
    assert!(page.len() < 1 << 20, "{} bytes", page.len());
    let data = data(&page);
    assert!(data["nodes"].as_array().is_some_and(|nodes| nodes.len() > 2_400), "all callers are there");
    assert_eq!(data["cut"], json!([]));
}

#[test]
fn links_lead_to_editors_and_to_nothing_that_runs() {
    let repo = shop();
    let linked = |pattern: &str, arguments: &[&str]| {
        let mut command = repo.command(env!("CARGO_BIN_EXE_repoidx"));
        command.args(["-q"]).args(arguments).args(["--format", "html"]).env("REPOIDX_EDITOR_LINK", pattern);
        crate::harness::Run::of(command.output().expect("the binary was built"))
    };
    for pattern in ["javascript:alert({path})", " javascript:alert(1)", "DATA:text/html,{path}", "{path}"] {
        let run = linked(pattern, &["impact", "price"]).code(2);
        assert!(run.stderr.contains("editor_link"), "{}", run.stderr);
    }
    let host = "https://git.example/blob/main/{relative}#L{line}";
    let links = data(&linked(host, &["impact", "price"]).code(0).stdout)["links"].clone();
    assert_eq!(links, json!({"pattern": host, "root": ""}), "the page for others does not say where the files lie");
    // The lines of another commit are not those of the files that an editor would open.
    repo.save("second");
    repo.write("shop/prices.py", "def price(amount):\n    return amount\n");
    repo.save("third");
    let links =
        data(&linked("vscode://file{path}:{line}", &["review", "HEAD~2..HEAD~1"]).code(0).stdout)["links"].clone();
    assert_eq!(links["pattern"], "");
}

#[test]
#[cfg(unix)]
fn a_page_opens_in_the_browser_that_the_user_named() {
    use std::os::unix::fs::PermissionsExt;
    let repo = shop();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (browser, opened) = (folder.path().join("browser"), folder.path().join("opened"));
    std::fs::write(&browser, format!("#!/bin/sh\necho \"$1\" >'{}.new'\nmv '{0}.new' '{0}'\n", opened.display()))
        .expect("it is ours");
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    for (command, name) in [(["impact", "price"], "impact"), (["review", "--worktree"], "review")] {
        let mut run = repo.command(env!("CARGO_BIN_EXE_repoidx"));
        run.args(["-q"]).args(command).arg("--open").env("BROWSER", &browser);
        let run = crate::harness::Run::of(run.output().expect("the binary was built")).code(0);
        assert_eq!(
            run.stdout.trim(),
            repo.root().join(format!(".git/repoidx/pages/{name}.html")).display().to_string()
        );
        let page = std::fs::read_to_string(run.stdout.trim()).expect("it is written");
        assert!(page.starts_with("<!doctype html>"), "{page}");
        let start = Instant::now();
        while !opened.exists() && start.elapsed() < Duration::from_secs(10) {
            std::thread::yield_now();
        }
        assert_eq!(std::fs::read_to_string(&opened).expect("the browser was started"), run.stdout);
        std::fs::remove_file(&opened).expect("it is ours");
    }
}

#[test]
fn a_browser_searches_filters_and_reads_the_evidence() {
    if !browser::is_wanted() {
        return;
    }
    let repo = shop();
    repo.write("shop/prices.py", "def price(amount, currency):\n    return round(amount)\n");
    let file = repo.root().join("review.html");
    let folder = tempfile::tempdir().expect("a temporary folder");
    repo.write("review.html", page(&repo, &["review", "--worktree"]));
    let browser = Browser::start(folder.path());
    browser.post("/url", &json!({"url": format!("file://{}", file.display())}));

    let rows = || browser.run("return [...document.querySelectorAll('.row .name')].map(e => e.firstChild.textContent)");
    let drawn = || browser.run("return [...document.querySelectorAll('#graph .label')].map(e => e.textContent)");
    let shown =
        |text: &str| browser.run("return document.querySelector('#details').textContent").to_string().contains(text);
    assert_eq!(rows()[0], "prices.price");
    assert_eq!(rows().as_array().map(Vec::len), Some(6), "{}", rows());
    assert_eq!(drawn().as_array().map(Vec::len), Some(6), "{}", drawn());
    assert_ne!(browser.run("return document.title"), "owned");

    // Search: what does not fit goes, in the list and in the picture; what it hangs on stays in the picture.
    browser.press(&["/", "t", "e", "s", "t", "_", "s"]);
    assert_eq!(rows(), json!(["test_cart.test_sum"]));
    assert_eq!(drawn(), json!(["prices.price", "Cart.sum", "test_cart.test_sum"]));
    browser.press(&[ESCAPE]);
    assert_eq!(rows().as_array().map(Vec::len), Some(6));

    // Filters.
    browser.run("document.querySelector('[name=tests][value=code]').click()");
    assert!(!rows().to_string().contains("test_sum"), "{}", rows());
    browser.run("document.querySelector('[name=tests][value=all]').click()");
    browser.run("const f = document.querySelector('#folder'); f.value = 'tests'; f.dispatchEvent(new Event('change'))");
    assert_eq!(rows(), json!(["prices.price", "test_cart.test_sum"]));
    // A form is reset after the click.
    let is_whole = "document.querySelectorAll('.row .name').length === 6";
    browser.click("#reset");
    browser.until(is_whole);
    browser.run("const l = document.querySelector('#least'); l.value = 100; l.dispatchEvent(new Event('input'))");
    assert_eq!(rows(), json!(["prices.price"]));
    browser.click("#reset");
    browser.until(is_whole);

    // A click in the picture, and keys from there: to the test, and back to the change.
    browser.click("#graph [title^='shop.cart.Cart.sum'] .label");
    assert!(shown("passes no currency") && shown("shop/cart.py:6") && shown("return price(1)"));
    browser.press(&[ARROW_RIGHT, ENTER]);
    assert!(shown("tests.test_cart.test_sum") && shown("Why: 2 steps to the change"));
    browser.press(&["p", ARROW_LEFT, ARROW_LEFT, ENTER]);
    assert!(shown("shop.prices.price") && shown("takes currency now"));
    browser.press(&["l", ARROW_DOWN]);
    assert_eq!(browser.run("return document.querySelector('[aria-current=true] .name').textContent"), rows()[1]);
    browser.press(&[ESCAPE]);
    assert!(shown("Choose something"));

    // What the page asked for by itself: its own file.
    let requests: Vec<String> = browser
        .logged("performance")
        .iter()
        .filter_map(|line| {
            let event: Value = serde_json::from_str(line).ok()?;
            let (event, parameters) = (&event["message"], &event["message"]["params"]);
            let is_ours = parameters["documentURL"].as_str()?.ends_with("review.html");
            let url = parameters["request"]["url"].as_str()?.to_owned();
            (event["method"] == "Network.requestWillBeSent" && is_ours).then_some(url)
        })
        .collect();
    assert_eq!(requests, [format!("file://{}", file.display())]);

    // Nothing else can be asked for, and no other script runs.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.set_nonblocking(true).expect("sockets can");
    let address = listener.local_addr().expect("it is bound");
    browser.run(&format!(
        "fetch('http://{address}').catch(() => {{}}); new Image().src = 'http://{address}/x.png'; \
         const s = document.createElement('script'); s.textContent = \"document.title = 'owned'\"; document.body.append(s)"
    ));
    let deadline = Instant::now() + Duration::from_millis(700);
    while Instant::now() < deadline {
        assert!(listener.accept().is_err(), "the page reached the network");
        std::thread::yield_now();
    }
    assert_ne!(browser.run("return document.title"), "owned", "a script that is not the page's own ran");
    let errors: Vec<String> =
        browser.logged("browser").into_iter().filter(|line| !line.contains("Content Security Policy")).collect();
    assert!(errors.is_empty(), "{errors:?}");
}
