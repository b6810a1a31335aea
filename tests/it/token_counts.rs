//! Budgets by the model's own tokenizer: counted exactly, filled, never exceeded, and said to be counted.

use repoidx::ask::context::tokens::tokens;

use crate::harness::{Run, TestRepo, package_files, package_text};

/// A tokenizer that takes each word and each run of marks for one token.
const TOKENIZER: &str = r#"{"version":"1.0","truncation":null,"padding":null,"added_tokens":[],"normalizer":null,
    "pre_tokenizer":{"type":"Whitespace"},"post_processor":null,"decoder":null,
    "model":{"type":"WordLevel","vocab":{"def":0,"?":1},"unk_token":"?"}}"#;

/// The number of words and of runs of other characters.
fn counted(text: &str) -> usize {
    let sort = |c: char| match c {
        c if c.is_whitespace() => 0,
        c if c.is_alphanumeric() || c == '_' => 1,
        _ => 2,
    };
    let sorts: Vec<u8> = text.chars().map(sort).collect();
    (0..sorts.len()).filter(|&at| sorts[at] > 0 && (at == 0 || sorts[at - 1] != sorts[at])).count()
}

fn shop() -> TestRepo {
    let repo = TestRepo::new();
    for path in package_files("fixtures/sample/src") {
        repo.write(path.trim_start_matches("fixtures/sample/"), package_text(&path));
    }
    repo.write("../home/tokenizer.json", TOKENIZER);
    repo.commit("start")
}

fn prompt(repo: &TestRepo, budget: usize, is_counted: bool) -> Run {
    let mut command = repo.command(env!("CARGO_BIN_EXE_repoidx"));
    let question = ["ask", "--format", "prompt", "explain shop.orders and shop.cart", "--tokens"];
    command.args(question).arg(budget.to_string());
    if is_counted {
        command.env("REPOIDX_TOKENIZER", repo.root().join("../home/tokenizer.json"));
    }
    Run::of(command.output().expect("the binary was built")).code(0)
}

#[test]
fn a_budget_is_filled_by_the_model_s_own_count() {
    let repo = shop();
    for budget in [500, 800, 1200] {
        let (estimated, exact) = (prompt(&repo, budget, false), prompt(&repo, budget, true));
        assert!(estimated.stderr.contains("tokens (an upper estimate)"), "{}", estimated.stderr);
        let tokens = counted(&exact.stdout);
        let said = format!("prompt of {tokens} tokens (counted by the tokenizer that you set)");
        assert!(exact.stderr.contains(&said), "{tokens}: {}", exact.stderr);
        assert!(tokens <= budget, "{tokens} of {budget}");
        assert!(counted(&estimated.stdout) < tokens, "the estimate leaves room: {}", counted(&estimated.stdout));
        assert_eq!(prompt(&repo, budget, true).stdout, exact.stdout, "the same prompt again");
    }
}

/// Both parts of a prompt count, and the end of line between them.
#[test]
fn the_line_ends_of_a_printed_prompt_are_counted() {
    let repo = shop();
    let signs = TOKENIZER.replace(
        r#"{"type":"Whitespace"}"#,
        r#"{"type":"Split","pattern":{"Regex":"\\s|\\w+|[^\\w\\s]+"},"behavior":"Isolated","invert":false}"#,
    );
    repo.write("../home/tokenizer.json", signs);
    let printed = prompt(&repo, 3000, true);
    let tokens = counted(&printed.stdout) + printed.stdout.chars().filter(|c| c.is_whitespace()).count();
    assert!(printed.stderr.contains(&format!("prompt of {tokens} tokens ")), "{tokens}: {}", printed.stderr);
}

#[test]
fn a_tokenizer_that_cannot_be_used_is_said_to_be_one() {
    let repo = shop();
    repo.write("../home/tokenizer.json", "{}");
    let mut command = repo.command(env!("CARGO_BIN_EXE_repoidx"));
    command.args(["ask", "--format", "prompt", "explain shop.cart"]);
    command.env("REPOIDX_TOKENIZER", repo.root().join("../home/tokenizer.json"));
    let run = Run::of(command.output().expect("the binary was built")).code(2);
    assert!(run.stderr.contains("REPOIDX_TOKENIZER"), "{}", run.stderr);
}

/// Source code has fewer letters for each token than prose: the budget of `show` is one that no tokenizer exceeds.
#[test]
fn show_keeps_to_its_budget_of_tokens() {
    let signs = "    rows[(a, b)] = {'x': [-1, +1], \"y\": (a << 2) ^ ~b, **{f'{a!r:>4}': a[::-1]}}\n".repeat(90);
    let repo = shop();
    repo.write(
        "src/shop/signs.py",
        format!(
            "def signs(rows, a, b):\n{signs}\n\nclass Signs:\n    def one(self, rows, a, b):\n    {}",
            signs.replace("\n    ", "\n        ")
        ),
    );
    for target in ["signs.signs", "Signs", "shop.orders", "Cart"] {
        for budget in [150, 400, 1500, 3000] {
            let text = repo.run(["show", target, "--tokens", &budget.to_string()]).code(0).stdout;
            let needed = tokens(&text);
            assert!(needed <= budget, "{target}: {needed} of {budget}\n{text}");
        }
    }
}

/// Prompts of `impact` and `review` are counted like those of `ask`, and a budget that holds none is refused.
#[test]
fn prompts_about_changes_keep_to_their_budget_by_any_count() {
    let repo = shop();
    let cart = repo.root().join("src/shop/cart.py");
    let text = std::fs::read_to_string(&cart).expect("the sample has it");
    std::fs::write(&cart, text.replace("def total(self)", "def total(self, rate)")).expect("it is written");
    let run = |arguments: &[&str], budget: usize, is_counted: bool| {
        let mut command = repo.command(env!("CARGO_BIN_EXE_repoidx"));
        command.args(arguments).args(["--format", "prompt", "--tokens", &budget.to_string()]);
        if is_counted {
            command.env("REPOIDX_TOKENIZER", repo.root().join("../home/tokenizer.json"));
        }
        Run::of(command.output().expect("the binary was built"))
    };
    for arguments in [&["impact", "Cart.total"][..], &["review", "--worktree"]] {
        for is_counted in [false, true] {
            let count = |text: &str| if is_counted { counted(text) } else { tokens(text) };
            let refused = run(arguments, 60, is_counted).code(2);
            assert!(refused.stdout.is_empty(), "{}", refused.stdout);
            let said = "60 tokens do not hold the shortest prompt about this, which takes ";
            let least = refused.stderr.split_once(said).unwrap_or_else(|| panic!("{}", refused.stderr)).1;
            let least: usize = least.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a number");
            assert_eq!(count(&run(arguments, least, is_counted).code(0).stdout), least);
            run(arguments, least - 1, is_counted).code(2);
            for budget in [least + 150, least + 400] {
                let used = count(&run(arguments, budget, is_counted).code(0).stdout);
                assert!(used <= budget && used + 150 > budget, "{arguments:?}: {used} of {budget}");
            }
        }
    }
}

/// A prompt about the whole repository has as many parts as its budget needs, and together they name every file.
#[test]
fn the_parts_of_an_outline_follow_the_budget_and_leave_nothing_out() {
    let repo = shop();
    repo.write("src/shop/limits.py", "LOWEST = 1\nHIGHEST = 9\n");
    repo.write("src/shop/imported.py", "from shop.cart import Cart\n");
    repo.write("src/shop/empty.py", "");
    for number in 0..30 {
        let text = format!(
            "class Part{number}:\n    size = {number}\n\n    def weigh_{number}(self, scale=None):\n        pass\n"
        );
        repo.write(&format!("src/shop/parts/part{number}.py"), text);
    }
    let question = "Are there any errors in the repository?";
    let run = |part: usize, budget: usize, is_counted: bool, more: &[&str]| {
        let mut command = repo.command(env!("CARGO_BIN_EXE_repoidx"));
        command.args(["ask", question, "--part", &part.to_string(), "--tokens", &budget.to_string()]).args(more);
        if is_counted {
            command.env("REPOIDX_TOKENIZER", repo.root().join("../home/tokenizer.json"));
        }
        Run::of(command.output().expect("the binary was built"))
    };
    let prompt = ["--format", "prompt"];
    for (budget, is_counted) in [(600, false), (600, true), (1200, false)] {
        let count = |text: &str| if is_counted { counted(text) } else { tokens(text) };
        let first = run(1, budget, is_counted, &prompt).code(0);
        let parts = first.stdout.split_once("this is part 1 of ").expect("it says which part it is").1;
        let parts: usize = parts.split(';').next().and_then(|number| number.parse().ok()).expect("a number");
        assert!(parts > 2, "{parts}");
        assert!(first.stderr.contains(&format!("; part 1 of {parts}; --part 2 goes on")), "{}", first.stderr);
        let mut whole = String::new();
        for part in 1..=parts {
            let text = run(part, budget, is_counted, &prompt).code(0).stdout;
            assert!(count(&text) <= budget, "{} of {budget}", count(&text));
            let next = if part < parts { format!("--part {} goes on", part + 1) } else { "the last one".to_owned() };
            assert!(text.contains(&format!("- this is part {part} of {parts}; {next}")), "{text}");
            assert!(text.contains("Completeness: lower bound."), "{text}");
            whole += &text;
        }
        let refused = run(parts + 1, budget, is_counted, &prompt).code(2).stderr;
        assert!(
            refused.contains(&format!("there is no part {}: this prompt has {parts} parts", parts + 1)),
            "{refused}"
        );
        for file in repo.run(["export", "entities"]).code(0).stdout.lines() {
            let entity: serde_json::Value = serde_json::from_str(file).expect("lines of JSON");
            let (path, name) = (entity["path"].as_str().expect("a path"), entity["name"].as_str().expect("a name"));
            assert!(whole.contains(&format!("## {path}\n")), "{path} is in no part");
            let last = name.rsplit('.').next().unwrap_or_default();
            assert!(entity["kind"] == "module" || whole.contains(last), "{name} is in no part");
        }
    }
    let refused = run(1, 200, false, &prompt).code(2).stderr;
    let least = refused.split_once("which take ").expect("it says the least budget").1;
    let least: usize = least.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a number");
    assert!(tokens(&run(1, least, false, &prompt).code(0).stdout) <= least);
    // The text lists the same, by parts of many rows.
    let text = repo.run(["ask", "--all", question]).code(0).stdout;
    for line in [
        "  shop.limits.LOWEST, HIGHEST  src/shop/limits.py:1-2\n",
        "  shop.imported  src/shop/imported.py:1  no definitions, only imports or other statements\n",
        "\nsrc/shop/empty.py\n",
        "  shop.parts.part7.Part7.weigh_7(self, scale=None)  src/shop/parts/part7.py:4-5\n",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

/// A long function with callers and with functions that it calls, each short enough for any budget.
fn crowded() -> TestRepo {
    let steps: String = (0..60).map(|n| format!("    total = helper_{}(total, {n})\n", n % 6)).collect();
    let helper =
        |n: usize| format!("def helper_{n}(total, step):\n    assert total >= 0, {n}\n    return total + step\n\n\n");
    let helpers: String = (0..6).map(helper).collect();
    let caller = |n: usize| format!("def caller_{n}():\n    print({n})\n    return settle({n})\n\n\n");
    let callers: String = (0..8).map(caller).collect();
    let settle = format!("def settle(total):\n    \"\"\"Settle it.\"\"\"\n{steps}    return total\n\n\n");
    TestRepo::new().file("bank.py", format!("{helpers}{settle}{callers}")).commit("start")
}

/// Who asks about a definition wants its source before that of its neighbors. One that is too large for the budget ends
/// behind a statement.
#[test]
fn the_subject_of_a_question_comes_before_the_bodies_of_its_neighbors() {
    let repo = crowded();
    let (mut state, mut cut, mut whole) = (7_u64, 0, 0);
    for _ in 0..50 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let budget = 800 + (state >> 33) % 2400;
        let text = budget.to_string();
        let run = repo.run(["ask", "--format", "prompt", "explain settle", "--tokens", &text]).code(0);
        assert!(tokens(&run.stdout) as u64 <= budget, "{} of {budget}", tokens(&run.stdout));
        let shown = run.stdout.matches("    total = helper_").count();
        let is_whole = run.stdout.contains("    total = helper_5(total, 59)\n    return total\n");
        let bodies = run.stdout.matches("    print(").count() + run.stdout.matches("    assert total").count();
        assert!(is_whole || bodies == 0, "with {budget} tokens, {shown} steps and {bodies} bodies:\n{}", run.stdout);
        assert!(is_whole || shown >= 5 && run.stdout.contains("more lines"), "{budget}:\n{}", run.stdout);
        (cut, whole) = (cut + usize::from(!is_whole), whole + usize::from(is_whole));
    }
    assert!(cut > 5 && whole > 5, "{cut} cut, {whole} whole");
}
