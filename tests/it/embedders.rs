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
    for number in [1, 2] {
        mode.store(number, Ordering::SeqCst);
        repo.write("new.py", format!("def new_{number}():\n    return {number}\n"));
        let run = service.run(&repo, &["index"]).code(0);
        assert!(run.stderr.contains("key_command") || run.stderr.contains("embedding_url"), "{}", run.stderr);
        assert!(!run.stderr.contains("--no-llm") && !run.stderr.contains("--base-url"), "{}", run.stderr);
    }
    mode.store(3, Ordering::SeqCst);
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

/// A zoo whose animals are described in docstrings, two of them alike.
fn described_zoo() -> TestRepo {
    let code = "\"\"\"mmm mmm mmm\"\"\"\n\n\nclass Cage:\n    \"\"\"ccc ccc ccc\"\"\"\n\n    def lock(self):\n        \"\"\"kkk kkk\n\n        kk\n        \"\"\"\n        return 'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz'\n\n\ndef shut():\n    \"\"\"kkk kkk\n\n    kk\n    \"\"\"\n    return 1\n\n\ndef bare():\n    return 'kkkkkkkkkkkkkkkkkkkkkkkkkkkk'\n";
    TestRepo::new().file("zoo.py", code).commit("first")
}

/// The names of the hits in docstrings, best first.
fn in_docstrings(service: &Service, repo: &TestRepo, question: &str) -> (Vec<String>, Vec<String>) {
    let run = service.run(repo, &["search", "--field", "docstring", question, "--format", "json"]);
    let missing = answer(&run).1;
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("a report is JSON");
    let hits = report["hits"].as_array().expect("a list").iter();
    (hits.map(|hit| hit["name"].as_str().unwrap_or_default().to_owned()).collect(), missing)
}

fn sorted(names: &[String]) -> Vec<&str> {
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.sort_unstable();
    names
}

/// The inputs that were sent since the last look.
fn inputs(service: &Service) -> Vec<String> {
    let requests = std::mem::take(&mut *service.requests.lock().expect("no test panics with it"));
    let bodies = requests.iter().filter_map(|request| request.split_once("\r\n\r\n"));
    let texts = |body: &str| -> Vec<String> {
        let body: serde_json::Value = serde_json::from_str(body).expect("a request is JSON");
        serde_json::from_value(body["input"].clone()).expect("texts")
    };
    bodies.flat_map(|(_, body)| texts(body)).map(|text| text.trim().to_owned()).collect()
}

#[test]
fn a_docstring_has_a_vector_of_its_own_which_a_search_in_docstrings_compares() {
    let (repo, service) = (described_zoo(), letters());
    service.run(&repo, &["index"]).code(0);
    let sent = inputs(&service);
    let alone = |doc: &str| sent.iter().filter(|text| *text == doc).count();
    assert_eq!(["mmm mmm mmm", "ccc ccc ccc", "kkk kkk\n\nkk"].map(alone), [1, 1, 1], "{sent:?}");
    // No word of the question is anywhere. Most letters of `lock` and `bare` are in their bodies, which do not count.
    let (hits, missing) = in_docstrings(&service, &repo, "k kk kkkk");
    assert_eq!((sorted(&hits), missing.len()), (vec!["zoo.Cage.lock", "zoo.shut"], 0));
    assert_eq!(in_docstrings(&service, &repo, "c cc cccc").0[0], "zoo.Cage");
    assert_eq!(in_docstrings(&service, &repo, "m mm mmmm").0[0], "zoo");
    let explained = service.run(&repo, &["search", "--field", "docstring", "ccc c cc", "-k", "1", "--explain"]);
    assert!(explained.stdout.contains("words 1, docstrings 1, bm25 +0.60, cosine +"), "{}", explained.stdout);
    // The same texts are counted: five definitions, and three docstrings among them.
    let status = service.run(&repo, &["status"]).code(0).stdout;
    assert!(status.contains("letters: 8 of 8 texts (3 docstrings)"), "{status}");
    // Nothing is left to ask for but the questions.
    inputs(&service);
    service.run(&repo, &["index"]).code(0);
    assert_eq!(inputs(&service), Vec::<String>::new());
}

#[test]
fn a_docstring_is_embedded_again_only_when_its_text_changes() {
    let (repo, service) = (described_zoo(), letters());
    service.run(&repo, &["index"]).code(0);
    let code = std::fs::read_to_string(repo.root().join("zoo.py")).expect("the file is there");
    inputs(&service);
    // A body, and a docstring that others have too, moved to another place and depth.
    let moved = "\n\nclass Yard:\n    class Gate:\n        def shut(self):\n            \"\"\"kkk kkk\n\n            kk\n            \"\"\"\n";
    repo.write("zoo.py", format!("{}{moved}", code.replace("return 1", "return 2")));
    let (hits, missing) = in_docstrings(&service, &repo, "k kk kkkk");
    assert_eq!((hits.len(), missing.len()), (3, 0), "{hits:?}");
    let sent = inputs(&service);
    assert!(sent.iter().any(|text| text.contains("return 2")), "{sent:?}");
    assert!(!sent.iter().any(|text| text == "kkk kkk\n\nkk"), "{sent:?}");
    repo.write("zoo.py", code.replace("ccc ccc ccc", "ppp ppp ppp"));
    assert_eq!(in_docstrings(&service, &repo, "p pp pppp").0[0], "zoo.Cage");
    assert!(inputs(&service).contains(&"ppp ppp ppp".to_owned()));
    // The answers are those of an index that was built from nothing.
    let (fresh, questions) = (TestRepo::clone_of(&repo), ["k kk kkkk", "p pp pppp", "m ccc"]);
    fresh.write("zoo.py", code.replace("ccc ccc ccc", "ppp ppp ppp"));
    service.run(&fresh, &["index"]).code(0);
    for question in questions {
        let ask = |repo| {
            service.run(repo, &["search", "--field", "docstring", question, "--explain", "--format", "json"]).stdout
        };
        let hits = |text: &str| text.split_once("\"hits\"").map(|(_, hits)| hits.to_owned());
        assert_eq!(hits(&ask(&repo)), hits(&ask(&fresh)), "{question}");
    }
}

#[test]
fn docstrings_of_withheld_files_are_sent_only_if_another_file_has_them() {
    let (repo, service) = (described_zoo(), letters());
    let code = "def hidden():\n    \"\"\"xxx xxx\"\"\"\n\n\ndef shared():\n    \"\"\"ccc ccc ccc\"\"\"\n";
    repo.write("kept/back.py", code);
    repo.write(".aiignore", "kept/\n");
    service.run(&repo, &["index"]).code(0);
    let sent = inputs(&service);
    assert!(sent.contains(&"ccc ccc ccc".to_owned()) && !sent.iter().any(|text| text.contains("xxx")), "{sent:?}");
    let (hits, missing) = in_docstrings(&service, &repo, "xxx");
    assert_eq!((hits[0].as_str(), missing.len()), ("kept.back.hidden", 0), "it is found by its words all the same");
    inputs(&service);
    // A secret in a docstring is replaced.
    repo.write(
        "open.py",
        "def told():\n    \"\"\"xxx xxx\"\"\"\n\n\ndef key():\n    \"\"\"Key AKIAQWERTYUIOPASDFGH.\"\"\"\n",
    );
    assert_eq!(sorted(&in_docstrings(&service, &repo, "x xx xxxx").0[..2]), ["kept.back.hidden", "open.told"]);
    let sent = inputs(&service);
    assert!(sent.contains(&"xxx xxx".to_owned()), "{sent:?}");
    assert!(sent.iter().any(|text| text.starts_with("Key ")) && !sent.join("").contains("AKIAQWERTY"), "{sent:?}");
    // What is withheld no more is made up for by the next run.
    repo.write("kept/back.py", "def hidden():\n    \"\"\"www www\"\"\"\n");
    service.run(&repo, &["index"]).code(0);
    repo.write(".aiignore", "");
    assert!(!inputs(&service).contains(&"www www".to_owned()));
    service.run(&repo, &["index"]).code(0);
    assert!(inputs(&service).contains(&"www www".to_owned()));
}

#[test]
fn docstrings_without_vectors_are_compared_by_the_table_and_a_note_says_so() {
    let failing = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&failing);
    let service = Service::start(move |texts| (seen.load(Ordering::SeqCst) == 0).then(|| vectors(texts, 26)));
    let code = "def shrink(source):\n    \"\"\"Make a small preview of an image.\"\"\"\n\n\ndef pay(order):\n    \"\"\"Charge the credit card of a customer.\"\"\"\n";
    let repo = TestRepo::new().file("shop.py", code).commit("first");
    service.run(&repo, &["index"]).code(0);
    let run = |arguments: &[&str]| {
        let arguments = [&["search", "--field", "docstring", "picture thumbnails"], arguments].concat();
        service.run(&repo, &arguments).code(0).stdout
    };
    failing.store(1, Ordering::SeqCst);
    let text = run(&[]);
    assert!(text.starts_with("shop.shrink ") && text.contains("note: the embedder "), "{text}");
    // Vectors that are gone are missed, and made anew when they may be.
    let lose = || {
        let index = repoidx::index::edition::file(&repoidx::git::Repository::open(&repo.root()).expect("a repository"));
        let index = rusqlite::Connection::open(index).expect("an index");
        index
            .execute("DELETE FROM vectors WHERE model_id > 0 AND text IN (SELECT doc FROM chunks)", ())
            .expect("a table")
    };
    assert_eq!(lose(), 2);
    let text = run(&["--no-update"]);
    assert!(text.starts_with("shop.shrink ") && text.contains("note: ") && text.contains("3 of 5 texts"), "{text}");
    failing.store(0, Ordering::SeqCst);
    assert!(!run(&[]).contains("note: "));
}

#[test]
fn requests_for_vectors_are_listed_with_their_texts_and_addresses_are_no_files() {
    let (repo, service) = (zoo(), letters());
    repo.write("serve.py", "def serve():\n    return '0.0.0.0:80 127.0.0.1:5000 page.py:3'\n");
    service.run(&repo, &["index"]).code(0);
    let listed = repo.run(["status", "--requests"]).code(0).stdout;
    assert!(listed.contains(" texts\n") && !listed.contains("file"), "{listed}");
}
