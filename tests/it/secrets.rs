//! No output tells a secret of the repository, whichever command shows the line that has it.

use std::{io::Write as _, process::Stdio};

use crate::harness::TestRepo;

/// A password that only its name tells, a token that its shape tells, a line of a private key, and a key with marks.
const PASSWORD: &str = "Qim7EFBJx3Pz!9";
const TOKEN: &str = concat!("gh", "p_idCApRv48KxTq72LmWzYb5NcQdEf91GhJkMn");
const KEY_LINE: &str = "MIIEowIBAAKCAQEAx7TqLmWzYb5NcQdEf91GhJkMnRv48KxT2sUvWpQaZ3dXcVbN";
const MARKED: &str = "django-insecure-h8z&r3S$x%9q#mV2kT7w*pL5";
/// The same after a change.
const NEW_PASSWORD: &str = "Zk4wWbRt8Uq!3";
const NEW_TOKEN: &str = concat!("gh", "p_ZZdefR9QmXkT7LpW2vKc8JdY5sHb1NfA4gEoU");

fn text(password: &str, token: &str) -> String {
    format!(
        "DB_PASSWORD = '{password}'\n\n\ndef connect(host, token='{token}', password=None, note='some words that stand before {token}'):\n    \"\"\"Connect.\n\n    \
         Example: secret_key={MARKED}\n    \"\"\"\n    # old secret_key: {MARKED}\n    return host, token, password\n"
    )
}

fn repo() -> TestRepo {
    let key = format!(
        "-----BEGIN RSA PRIVATE {}-----\n{KEY_LINE}\n{KEY_LINE}\n{KEY_LINE}\n-----END RSA PRIVATE KEY-----",
        "KEY"
    );
    let repo = TestRepo::new()
        .file("app.py", text(PASSWORD, TOKEN))
        .file("pem.py", format!("KEY = \"\"\"{key}\"\"\"\n"))
        .file(
            "use.py",
            format!(
                "from app import connect\n\n\ndef first():\n    return connect('h', token='{TOKEN}')\n\n\n\
                 def second():\n    return connect('h', password='{PASSWORD}')\n"
            ),
        )
        .file("README.md", format!("# Shop\n\n```\nexport SECRET_KEY={MARKED}\n```\n\n## Key\n\n{key}\n"))
        .commit("first");
    repo.write("app.py", text(NEW_PASSWORD, NEW_TOKEN));
    repo.save(&format!("rotate password={PASSWORD}"));
    repo
}

fn check(output: &str, asked: &str) {
    for secret in [PASSWORD, TOKEN, KEY_LINE, &KEY_LINE[8..40], MARKED, &MARKED[16..], NEW_PASSWORD, NEW_TOKEN] {
        assert!(!output.contains(secret), "`{asked}` tells `{secret}`:\n{output}");
    }
}

#[test]
fn no_command_tells_a_secret() {
    let repo = repo();
    for asked in [
        "context --at app.py:10",
        "context --at use.py:5",
        "context --at use.py:9 --format json",
        "context --at app.py:10:5 --style markdown",
        "review HEAD~1..HEAD",
        "review HEAD~1..HEAD --format json",
        "review HEAD~1..HEAD --format html",
        "review HEAD~1..HEAD --format markdown",
        "review HEAD~1..HEAD --format prompt",
        "impact app.connect --param password --all",
        "impact app.connect --param token --all --format json",
        "show README.md --format json",
        "show README.md --all",
        "show app.py --all",
        "search secret_key --field comment --all",
        "search insecure --field literal --all",
        "search KEY --field literal --all",
        "export jsonl",
    ] {
        let run = repo.run(asked.split(' '));
        check(&(run.stdout + &run.stderr), asked);
    }
}

#[test]
fn no_answer_and_no_prompt_tells_a_secret() {
    let repo = repo();
    for question in [
        "who passes password to connect?",
        "what happens if I remove password from connect?",
        "what is line 7 of app.py?",
        "what is line 9 of app.py?",
        "what is line 3 of pem.py?",
        "what is line 4 of README.md?",
        "what is line 11 of README.md?",
        "what did the last commit change?",
        "who changed connect?",
        "what changed?",
        "what does the docstring of connect say?",
        "show connect",
    ] {
        for form in ["text", "json", "prompt"] {
            let run = repo.run(["ask", "--no-llm", question, "--format", form]);
            check(&run.stdout, &format!("{question} --format {form}"));
        }
        check(&repo.run(["ask", question, "--dry-run"]).stdout, &format!("{question} --dry-run"));
    }
}

#[test]
fn no_tool_tells_a_secret() {
    let repo = repo();
    let mut process = repo.command(env!("CARGO_BIN_EXE_repoidx"));
    let process = process.args(["mcp", "--structured"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = process.stderr(Stdio::null()).spawn().expect("the binary was built");
    let mut input = process.stdin.take().expect("it is piped");
    let call = |id: u32, name: &str, arguments: &str| {
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"{name}\",\
             \"arguments\":{arguments}}}}}"
        )
    };
    let lines = [
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\
         \"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}"
            .to_owned(),
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}".to_owned(),
        call(1, "context", "{\"at\":\"app.py:10\"}"),
        call(2, "review", "{\"range\":\"HEAD~1..HEAD\"}"),
        call(3, "impact", "{\"target\":\"app.connect\",\"param\":\"password\"}"),
    ];
    for line in lines {
        writeln!(input, "{line}").expect("it reads");
    }
    drop(input);
    let output = process.wait_with_output().expect("it ends");
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.contains("\"id\":3"), "{output}");
    check(&output, "mcp");
}

/// A value that looks random, and that no shape tells.
const NAMED: &str = "Kd83jfLs92mQpXz7";

/// The name that tells a secret stands anywhere in the statement, some lines above it, or in another file format.
#[test]
fn a_value_that_only_its_name_tells_is_shown_nowhere() {
    let code = "import os\n\nuser, password = 'bob', 'V'\nadmin_password = (\n    'V'\n)\nAPI_KEYS = {\n    'prod': 'V',\n}\n\
                TOKEN = os.environ.get('X_TOKEN') or 'V'\n\n\ndef get_password():\n    return 'V'\n\n\n\
                def start(parser, token):\n    parser.add_argument('--password', default='V')\n    if token == 'V':\n        \
                raise ValueError('bad login, password=V')\n    return setattr(parser, 'password', 'V')\n";
    let readme = "# Shop\n\nLog in with `password=V` or `--token V`.\n\n| name | value |\n|---|---|\n| password | V |\n\n\
                  ```\ncurl -H \"X-Api-Key: V\" -u bob:V https://a.b\n```\n";
    let repo = TestRepo::new()
        .file("m.py", code.replace("'V'", &format!("'{NAMED}'")).replace("=V'", &format!("={NAMED}'")))
        .file("README.md", readme.replace('V', NAMED))
        .file("setup.cfg", format!("[db]\npassword = {NAMED}\napi_key: {NAMED}\n"))
        .commit("first");
    for asked in [
        "show m.py",
        "show README.md",
        "show setup.cfg",
        "export jsonl",
        "search password --field literal --all",
        "refs m.get_password",
        "context --at m.py:18",
        "ask 'what is in README.md?'",
        "ask 'what does get_password return?'",
        "ask 'what is the value of password?'",
        "ask 'what is line 5 of m.py?'",
        "ask 'explain README.md' --dry-run --provider ollama --model q",
        "ask 'is there a secret in this repository?' --all",
    ] {
        let run = repo.run(asked.split('\'').enumerate().flat_map(|(at, part)| {
            let words: Vec<&str> = if at % 2 == 1 { vec![part] } else { part.split_whitespace().collect() };
            words
        }));
        let output = run.stdout + &run.stderr;
        assert!(!output.contains(NAMED), "`{asked}` tells it:\n{output}");
    }
}

/// A name governs the values of its statement, its line, its block and its table, in code and in documents.
#[test]
fn a_name_governs_values_that_are_not_assigned_to_it() {
    const VALUES: [&str; 9] = [
        "Kd83jfLs92mQpXz7",
        "9tRq4Zb71nVcYh2w",
        "aT5kPz08LwQe93Xr",
        "m2VbN7xKc41RtYs6",
        "Hq6dWe30ZpLf85Ju",
        "T7yGn52BvXs09QaK",
        "c4RfJ81mWzDo36Pi",
        "Ue93Lk27XnBq50Vt",
        "s8HpYd64ArMg19Cw",
    ];
    let filled = |text: &str| {
        let numbered = VALUES.iter().enumerate();
        numbered.fold(text.to_owned(), |text, (at, value)| text.replace(&format!("<{at}>"), value))
    };
    let code = filled(
        "from typing import Literal\n\n\ndef login(user, password: Literal['<0>']):\n    \"\"\"Log in.\n\n    Args:\n        \
         password: The password, such as <1>.\n\n    >>> login('bob', '<2>')\n    \"\"\"\n    if '<3>' == password:\n        \
         return run(['sshpass', '-p', '<4>'])\n    match password:\n        case '<5>':\n            return None\n",
    );
    let repo = TestRepo::new()
        .file("app.py", code)
        .file(
            "README.md",
            filled("# Users\n\n| user | password |\n|---|---|\n| bob | <6> |\n\nRun `app --token <7>`.\n"),
        )
        .file("setup.cfg", filled("[db]\npassword =\n    <8>\n"))
        .commit("first");
    for asked in [
        "show app.login",
        "show app.py",
        "show README.md",
        "show setup.cfg:2",
        "context --at app.py:13",
        "search login --format prompt",
        "ask explain login --format prompt",
        "ask --no-llm show login",
        "ask --no-llm what is in README.md?",
        "export entities",
        "export lines",
        "export jsonl",
        "map",
    ] {
        let output = repo.run(asked.split_whitespace()).stdout;
        for value in VALUES {
            assert!(!output.contains(value), "`{asked}` tells `{value}`:\n{output}");
        }
    }
}

/// A question about secrets is answered for the place and the state that it names.
#[test]
fn secrets_are_told_for_the_part_that_the_question_names() {
    let line = |name: &str| format!("{name} = '{NAMED}'\n");
    let repo = TestRepo::new()
        .file("app/billing.py", line("API_KEY"))
        .file("app/other.py", "LIMIT = 1\n")
        .file("tests/test_app.py", line("TOKEN"))
        .file("docs/use.md", "# Use\n\nNothing is here.\n")
        .commit("first");
    repo.write("app/new.py", line("DB_PASSWORD"));
    repo.run(["index", "-q"]).code(0);
    for (question, wanted) in [
        ("is there an api key in the code?", "yes: 3 lines in 3 files may hold a secret;"),
        ("are hardcoded passwords in the tests?", "yes: 1 line in 1 file of the tests may hold a secret;"),
        (
            "does the docs folder contain secrets?",
            "no: nothing in 1 indexed file of the documents looks like a secret;",
        ),
        ("are there secrets in billing?", "yes: 1 line in 1 file called `billing` or below it may hold a secret;"),
        ("did I commit any passwords?", "yes: 2 lines in 2 files may hold a secret and are committed;"),
        (
            "do I have a password in my uncommitted changes?",
            "yes: 1 line in 1 file may hold a secret and is not committed;",
        ),
        (
            "are there secrets in the staged files?",
            "no: nothing in 5 indexed files looks like a secret and is staged; 3 lines that are not staged may hold one;",
        ),
        ("are there secrets in the frontend?", "`frontend` is not known here: 3 lines in 3 files may hold a secret;"),
        ("is there a password in the git history?", "which commit added them is not known: 3 lines in 3 files"),
    ] {
        let told = repo.run(["ask", "-q", "--no-llm", question]).stdout;
        assert!(told.contains(wanted), "{question}: {told}");
    }
}
