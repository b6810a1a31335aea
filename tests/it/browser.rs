//! A headless Chromium over `WebDriver`, for the tests of pages.
//!
//! It needs `chromedriver` and Chromium and runs with `REPOIDX_BROWSER=1`.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// Whether the browser's tests run; otherwise says how they would.
pub(crate) fn is_wanted() -> bool {
    let is_wanted = std::env::var_os("REPOIDX_BROWSER").is_some_and(|value| value == "1");
    if !is_wanted {
        writeln!(std::io::stderr(), "skipped: REPOIDX_BROWSER=1 drives Chromium over chromedriver").ok();
    }
    is_wanted
}

/// Chromium behind its driver; both end with the value.
pub(crate) struct Browser {
    driver: Child,
    session: String,
}

impl Browser {
    pub(crate) fn start(profile: &std::path::Path) -> Self {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed where REPOIDX_BROWSER is set");
        let lines = BufReader::new(driver.stdout.take().expect("it is piped")).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let port = line.split("on port ").nth(1)?.trim_end_matches('.').parse::<u16>();
            port.ok().filter(|_| line.contains("successfully"))
        });
        let mut browser =
            Self { driver, session: format!("http://127.0.0.1:{}/session", port.expect("it tells its port")) };
        let options = json!({
            "args": [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1400,900",
                format!("--user-data-dir={}", profile.display()),
            ]
        });
        let wanted =
            json!({"goog:chromeOptions": options, "goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"}});
        let made = browser.post("", &json!({"capabilities": {"alwaysMatch": wanted}}));
        browser.session = format!("{}/{}", browser.session, made["sessionId"].as_str().expect("a session"));
        browser
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Value {
        let mut answer = ureq::post(format!("{}{path}", self.session))
            .content_type("application/json")
            .send(body.to_string())
            .expect("the driver does as it is told");
        let text = answer.body_mut().read_to_string().expect("the driver answers");
        serde_json::from_str::<Value>(&text).expect("in JSON")["value"].take()
    }

    /// Waits until a condition holds. A page that is just left or not yet there holds none.
    #[track_caller]
    pub(crate) fn until(&self, condition: &str) {
        let end = Instant::now() + Duration::from_secs(10);
        let ask = json!({"script": format!("return Boolean({condition})"), "args": []}).to_string();
        loop {
            let asked =
                ureq::post(format!("{}/execute/sync", self.session)).content_type("application/json").send(&ask);
            let text = asked.ok().and_then(|mut answer| answer.body_mut().read_to_string().ok());
            if text.is_some_and(|text| text.contains("\"value\":true")) {
                return;
            }
            let page = || self.run("return document.body.innerText");
            assert!(Instant::now() < end, "{condition}\n{}", page());
        }
    }

    pub(crate) fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({"script": script, "args": []}))
    }

    /// Keys as a person presses them: they go to what has the focus.
    pub(crate) fn press(&self, keys: &[&str]) {
        let presses: Vec<Value> = keys
            .iter()
            .flat_map(|key| [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})])
            .collect();
        self.post("/actions", &json!({"actions": [{"type": "key", "id": "keys", "actions": presses}]}));
    }

    pub(crate) fn click(&self, selector: &str) {
        let found = self.post("/element", &json!({"using": "css selector", "value": selector}));
        let id = found.as_object().and_then(|object| object.values().next()).and_then(Value::as_str);
        self.post(&format!("/element/{}/click", id.expect("an element")), &json!({}));
    }

    pub(crate) fn logged(&self, kind: &str) -> Vec<String> {
        let entries = self.post("/se/log", &json!({"type": kind}));
        let entries = entries.as_array().expect("a list of entries");
        entries.iter().map(|entry| entry["message"].as_str().unwrap_or_default().to_owned()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        ureq::delete(&self.session).call().ok();
        self.driver.kill().ok();
        self.driver.wait().ok();
    }
}

pub(crate) const ARROW_DOWN: &str = "\u{e015}";
pub(crate) const ARROW_LEFT: &str = "\u{e012}";
pub(crate) const ARROW_RIGHT: &str = "\u{e014}";
pub(crate) const ENTER: &str = "\u{e007}";
pub(crate) const ESCAPE: &str = "\u{e00c}";
