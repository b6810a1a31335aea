//! Searching with the vectors of another embedder than the table in the binary.

use std::{
    io::Write,
    net::TcpListener,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{
    harness::{Run, TestRepo},
    models::read_request,
};

/// A service whose vectors count a text's letters; it notes what it was asked.
struct Service {
    address: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Service {
    /// `answer` makes the body of a reply from the texts of a request; `None` fails it.
    fn start(answer: impl Fn(&[String]) -> Option<String> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = format!("http://{}/v1", listener.local_addr().expect("it is bound"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&requests);
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let request = read_request(&mut stream);
                let body = request.split_once("\r\n\r\n").map_or("", |(_, body)| body);
                let body: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
                let texts: Vec<String> = serde_json::from_value(body["input"].clone()).unwrap_or_default();
                kept.lock().expect("no test panics with it").push(request.clone());
                let (status, body) = match answer(&texts) {
                    Some(body) => ("200 OK", body),
                    None => ("401 Unauthorized", "{\"error\":\"no key\"}".to_owned()),
                };
                let length = body.len();
                let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
                stream.write_all(format!("{head}{body}").as_bytes()).ok();
            }
        });
        Self { address, requests }
    }

    fn run(&self, repo: &TestRepo, arguments: &[&str]) -> Run {
        let mut command = repo.command(env!("CARGO_BIN_EXE_repoidx"));
        command.args(arguments).env("REPOIDX_EMBEDDER", "remote").env("REPOIDX_EMBEDDING_MODEL", "letters");
        command.env("REPOIDX_EMBEDDING_URL", &self.address).env("OPENAI_API_KEY", "key-of-the-test");
        Run::of(command.output().expect("the binary was built"))
    }

    /// The first hit, and what was missing.
    fn search(&self, repo: &TestRepo, question: &str) -> (String, Vec<String>) {
        answer(&self.run(repo, &["search", question, "-k", "1", "--format", "json"]))
    }

    /// Everything that was sent since the last look.
    fn sent(&self) -> String {
        std::mem::take(&mut *self.requests.lock().expect("no test panics with it")).join("\n")
    }
}

fn answer(run: &Run) -> (String, Vec<String>) {
    assert_eq!(run.code, 0, "{}", run.stderr);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("a report is JSON");
    let missing = report["missing"].as_array().cloned().unwrap_or_default();
    let missing = missing.iter().map(|text| text.as_str().unwrap_or_default().to_owned()).collect();
    (report["hits"][0]["name"].as_str().unwrap_or_default().to_owned(), missing)
}

fn letters() -> Service {
    Service::start(|texts| Some(vectors(texts, 26)))
}

fn vectors(texts: &[String], dimensions: usize) -> String {
    let vector = |text: &String| -> Vec<usize> {
        let letters = ('a'..='z').take(dimensions);
        letters.map(|letter| 1 + text.matches(letter).count() * 10).collect()
    };
    let data: Vec<_> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| serde_json::json!({"index": index, "embedding": vector(text)}))
        .collect();
    serde_json::json!({"data": data}).to_string()
}

fn zoo() -> TestRepo {
    TestRepo::new()
        .file("zoo.py", "def feed():\n    return 'zzzzzzzzzzzzzzzzzzzzzzzzzz'\n\n\ndef clean():\n    return 'water'\n")
        .file("secret.py", "def qqqq():\n    token = 'AKIAQWERTYUIOPASDFGH'\n    return token\n")
        .file("kept/back.py", "def never_sent():\n    return 'xylophone'\n")
        .file(".aiignore", "kept/\n")
        .commit("first")
}

#[test]
fn the_user_s_embedder_decides_what_means_the_same() {
    let (repo, service) = (zoo(), letters());
    let run = service.run(&repo, &["index"]).code(0);
    assert!(run.stderr.contains(&format!("have vectors of {} letters", service.address)), "{}", run.stderr);
    // No word of the question is anywhere; its letters are.
    assert_eq!(service.search(&repo, "zz zzz z"), ("zoo.feed".to_owned(), vec![]));
    let status = service.run(&repo, &["status", "--format", "json"]).code(0).stdout;
    assert!(status.contains("\"vectors\"") && status.contains("letters"), "{status}");
}

#[test]
fn maps_are_drawn_by_it_and_lines_of_code_are_no_question_for_a_service() {
    let (repo, service) = (zoo(), letters());
    service.run(&repo, &["index"]).code(0);
    service.sent();
    let map = service.run(&repo, &["map", "--focus", "zz zzz z", "--format", "json"]).code(0).stdout;
    let map: serde_json::Value = serde_json::from_str(&map).expect("a report is JSON");
    assert_eq!(map["entities"][0]["name"], "zoo.feed");
    assert!(service.sent().contains("zz zzz z"));
    service.run(&repo, &["context", "--at", "zoo.py:2"]).code(0);
    assert_eq!(service.sent(), "");
}

#[test]
fn an_edit_is_embedded_before_the_answer_and_nothing_twice() {
    let (repo, service) = (zoo(), letters());
    service.run(&repo, &["index"]).code(0);
    service.sent();
    repo.write(
        "zoo.py",
        "def feed():\n    return 'zzzzzzzzzzzzzzzzzzzzzzzzzz'\n\n\ndef jump():\n    return 'jjjjjjjjjjjjj'\n",
    );
    assert_eq!(service.search(&repo, "jj jjj j"), ("zoo.jump".to_owned(), vec![]));
    let sent = service.sent();
    assert!(sent.contains("jjjjjjjjjjjjj") && !sent.contains("zzzzzzzz"), "{sent}");
    // A full build keeps what it would have to ask for again.
    let changed: String = (0..300).map(|at| format!("def f{at}():\n    return {at}\n")).collect();
    repo.write("many.py", changed);
    service.run(&repo, &["index"]).code(0);
    assert!(!service.sent().contains("jjjjjjjjjjjjj"));
}

#[test]
fn secrets_and_files_that_are_kept_back_are_not_sent() {
    let (repo, service) = (zoo(), letters());
    service.run(&repo, &["index"]).code(0);
    let sent = service.sent();
    assert!(sent.contains("qqqq") && sent.to_lowercase().contains("authorization: bearer key-of-the-test"), "{sent}");
    assert!(!sent.contains("AKIAQWERTY") && !sent.contains("xylophone") && !sent.contains("never_sent"), "{sent}");
    // It is found by its words all the same.
    assert_eq!(service.search(&repo, "never sent"), ("kept.back.never_sent".to_owned(), vec![]));
}

#[test]
fn many_new_texts_are_embedded_in_the_background_and_the_table_answers_meanwhile() {
    let (repo, service) = (zoo(), letters());
    let many: String = (0..60).map(|at| format!("def water_plant_{at}():\n    return {at}\n\n\n")).collect();
    repo.write("many.py", many);
    let (_, missing) = service.search(&repo, "clean the water");
    assert!(missing[0].contains("vectors of 0 of") && missing[0].contains("static-3 answers instead"), "{missing:?}");
    let start = Instant::now();
    while !service.search(&repo, "zz zzz z").1.is_empty() {
        assert!(start.elapsed() < Duration::from_secs(60), "the work in the background never ends");
        thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(service.search(&repo, "zz zzz z").0, "zoo.feed");
}

#[test]
fn a_service_that_fails_leaves_the_other_lists_and_is_named() {
    let mode = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&mode);
    let service = Service::start(move |texts| match seen.load(Ordering::SeqCst) {
        0 => Some(vectors(texts, 26)),
        1 => None,
        2 => Some("{}".to_owned()),
        _ => Some(vectors(texts, 7)),
    });
    let repo = zoo();
    service.run(&repo, &["index"]).code(0);
    for (number, reason) in [(1, "refused the key"), (2, "cannot be read"), (3, "answers with 7 numbers")] {
        mode.store(number, Ordering::SeqCst);
        let (hit, missing) = service.search(&repo, "clean");
        assert_eq!(hit, "zoo.clean");
        assert!(missing.len() == 1 && missing[0].contains(reason), "{reason}: {missing:?}");
    }
    service.run(&repo, &["index", "--full"]).code(0);
    assert_eq!(service.search(&repo, "zz zzz z").1, Vec::<String>::new());
}

#[test]
fn a_missing_model_leaves_the_table_in_the_binary_and_is_named() {
    let repo = zoo();
    let run = |arguments: &[&str], model: &str| {
        let mut command = repo.command(env!("CARGO_BIN_EXE_repoidx"));
        command.args(arguments).env("REPOIDX_EMBEDDER", "local").env("REPOIDX_EMBEDDING_MODEL", model);
        Run::of(command.output().expect("the binary was built"))
    };
    for model in ["/nowhere/at/all", "owner/model", ""] {
        let (hit, missing) = answer(&run(&["search", "clean", "-k", "1", "--format", "json"], model));
        assert_eq!((hit.as_str(), missing.len()), ("zoo.clean", 1));
        assert!(missing[0].ends_with("the word table static-3 answers instead"), "{missing:?}");
        let index = run(&["index"], model).code(0);
        assert!(index.stderr.contains("warning: "), "{}", index.stderr);
    }
}

#[test]
fn a_repository_cannot_choose_an_embedder() {
    let service = letters();
    let settings = format!("embedder = \"remote\"\nembedding_url = \"{}\"\nembedding_model = \"m\"\n", service.address);
    let repo = zoo().file("repoidx.toml", settings);
    let run = repo.run(["search", "clean", "-k", "1", "--format", "json"]);
    assert!(run.stderr.contains("may not set"), "{}", run.stderr);
    assert_eq!(answer(&run).0, "zoo.clean");
    assert_eq!(service.sent(), "");
}
