//! Questions about one quoted line and about one parameter.

use crate::{harness::TestRepo, strictly::check};

/// Functions whose parameters are everyday words, and classes with lines of their own.
fn kit() -> TestRepo {
    TestRepo::new()
        .file("pytest.ini", "[pytest]\npythonpath = src\n")
        .file("src/kit/__init__.py", "")
        .file(
            "src/kit/text.py",
            "class Style:\n    red = 1\n\n\nclass Text:\n    def __init__(self, plain, style=\"\", code=0):\n        self.plain = plain\n        self.style = style\n        self.code = code\n\n    def append(self, text, style=None):\n        self.plain += text\n        return self\n\n\nclass Lines:\n    def __init__(self, lines):\n        self.lines = lines\n        self.plain_lines = []\n\n    def justify(self, width):\n        for line in self.lines:\n            line.rstrip()\n        return self.lines\n",
        )
        .file(
            "src/kit/run.py",
            "from kit.text import Text\n\n\ndef run(name, debug=False, many=None):\n    result = Text(name, style=\"red\")\n    if debug:\n        return Text(name, \"bold\", code=1)\n    return result\n\n\ndef define(maybe_cls, slots=False):\n    return maybe_cls, slots\n\n\ndef send(url, **options):\n    return url, options\n\n\ndef get(url):\n    return send(url, timeout=1)\n\n\ndef errors():\n    return send(\"a\", verify=False)\n\n\ndef open_file(path, errors=\"strict\"):\n    print(path, errors)\n    return None\n\n\ndef store(cookie, *args):\n    print(cookie)\n\n\ndef load(path, all=False):\n    return path, all\n\n\ndef main():\n    load(1, all=True)\n    define(1, slots=True)\n    store(2)\n    open_file(\"a\", \"x\")\n    open_file(\"b\")\n    return run(\"a\", many=1), run(\"b\", debug=True)\n",
        )
        .file(
            "src/kit/tree.py",
            "def recurse(leaves, step=1):\n    return leaves and recurse(leaves[1:])\n\n\ndef walk():\n    return recurse([], step=2)\n",
        )
        .file(
            "tests/test_kit.py",
            "from kit.run import run\nfrom kit.text import Lines\n\n\ndef test_justify():\n    lines = Lines([])\n    lines.justify(3)\n    assert lines.lines == []\n\n\ndef test_run():\n    assert run(\"a\", debug=True)\n    assert 'x-code' not in run(\"b\").plain\n",
        )
        .commit("first")
}

/// A value is read with its quotes, and its words name nothing.
#[test]
fn a_quoted_value_is_compared_as_a_value() {
    let one = "1 of 2 calls of `kit.text.Text` passes";
    check(
        &kit(),
        &[
            ("which calls of Text pass style=\"red\"", &format!("{one} `style=\"red\"`")),
            ("which calls of Text pass style='bold'", &format!("{one} `style='bold'`")),
            ("who calls Text with `code=1`?", &format!("{one} `code=1`")),
            ("which calls of Text pass style=\"green\"", "none of 2 calls of `kit.text.Text`"),
        ],
    );
}

/// Where calls pass something, an everyday word is a parameter of the named function before anything else.
#[test]
fn calls_that_pass_an_argument_are_found_in_every_wording() {
    let all = |words: &str| format!("{words}1 of 2 calls of `kit.run.open_file` passes `errors`; 1 does not");
    let (plain, yes) = (all(""), all("yes: "));
    check(
        &kit(),
        &[
            ("does anyone pass errors to open_file?", &yes),
            ("is the errors parameter of open_file used by any caller", &yes),
            ("is anybody passing errors to open_file?", &yes),
            ("is errors ever passed to open_file?", &yes),
            ("does anyone pass name to run?", "yes: 4 of 4 calls of `kit.run.run` pass `name`"),
            ("who sets errors when calling open_file()", &plain),
            ("what values are passed for errors in calls to open_file", &plain),
            ("list all callers of open_file that pass errors", &plain),
            ("who passes many to run?", "1 of 4 calls of `kit.run.run` passes `many`"),
            ("which tests call run with debug", "1 of 2 calls of `kit.run.run` in tests passes `debug`"),
        ],
    );
}

/// A keyword that the signature does not name is passed all the same, into `**options`.
#[test]
fn further_keywords_are_arguments_too() {
    check(
        &kit(),
        &[
            ("who passes timeout to send?", "1 of 2 calls of `kit.run.send` passes `timeout`; 1 does not"),
            (
                "which calls pass timeout= to kit.run.send",
                "1 of 2 calls of `kit.run.send` passes `timeout`; 1 does not",
            ),
            ("who calls send with verify", "1 of 2 calls of `kit.run.send` passes `verify`; 1 does not"),
        ],
    );
}

/// A keyword that a class hands on to its base is no parameter of its own, and other functions may hand it on too.
#[test]
fn a_keyword_that_is_handed_on_is_found_at_those_calls() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "class Base:\n    def __init__(self, hook=None):\n        self.hook = hook\n\n\nclass Option(Base):\n    def __init__(self, name, **more):\n        super().__init__(**more)\n\n\ndef option(name, **more):\n    return Option(name, **more)\n\n\noption(\"a\", hook=print)\nOption(\"b\")\n",
        )
        .commit("first");
    check(
        &repo,
        &[(
            "rename the parameter hook of Option to call, what breaks",
            "`Option` takes `hook` only by `**`, and its base `Base` has it: none of its 2 calls passes it by name, 1 may by `**`; 1 call of `option`, which hands keywords on, passes it",
        )],
    );
}

/// A change is one of the parameter, however ordinary the words for it and for its function are.
#[test]
fn a_change_of_a_parameter_is_none_of_its_function() {
    let rename = |parameter: &str, function: &str| format!("renaming `{parameter}` of `{function}` breaks");
    check(
        &kit(),
        &[
            ("what breaks if I rename the argument debug of run to verbose", &rename("debug", "run")),
            ("what happens if I rename `slots` in define to use_slots", &rename("slots", "define")),
            ("what breaks if I delete the parameter many of run?", "removing `many` of `run` breaks"),
            ("what happens if I remove the code argument from Text?", "removing `code` of `Text` breaks"),
            ("if name in run becomes keyword-only, what breaks", "`name` of `run`"),
            (
                "What will happen if I change this parameter of the function run to None: name",
                "changing `name` of `run`",
            ),
            ("if I change the second argument of run what breaks", "changing `debug` of `run`"),
            (
                "what happens if I reorder the arguments of open_file",
                "another order of the parameters of `open_file` concerns 2 of 2 calls",
            ),
        ],
    );
}

/// A parameter that the body reads cannot go, even if no call notices.
#[test]
fn a_parameter_that_the_body_reads_is_needed() {
    check(
        &kit(),
        &[(
            "can I remove the cookie argument of store?",
            "no: removing `cookie` of `store` breaks none of 1 call; 1 line of its body reads it, first src/kit/run.py:33",
        )],
    );
}

/// The text of a line says which of several functions and files is meant.
#[test]
fn a_quoted_line_chooses_among_namesakes() {
    let repo = kit();
    let lines = "line 19 of src/kit/text.py stands in `Lines.__init__`";
    check(
        &repo,
        &[
            ("What will happen if I remove the line 'self.plain_lines = []' of the function __init__?", lines),
            ("what does the line `self.plain_lines = []` in text.py do", lines),
            ("why do we need the line `self.plain_lines = []` in __init__()?", lines),
            ("What does the line 'self.plain_lines = []' do?", lines),
            ("what if the line: self.plain_lines = [] was removed from __init__", lines),
            ("can I remove `line.rstrip()` from justify?", "line 23 of src/kit/text.py stands in `Lines.justify`"),
            ("what does the line `nothing()` in open_file do", "the text `nothing()` stands in no line of `open_file`"),
            (
                "which function contains the line `assert 'x-code' not in run(\"b\").plain`?",
                "line 13 of tests/test_kit.py stands in `test_run`",
            ),
        ],
    );
    let repo = TestRepo::new()
        .file("a/conn.py", "x = 1\n")
        .file("a/deep/conn.py", "def f():\n    y = 1\n    z = y\n    return z\n")
        .commit("first");
    check(&repo, &[("does anything depend on line 2 of conn.py?", "yes: line 2 of a/deep/conn.py stands in `f`")]);
}

/// A verdict about a line says what becomes of its own function, too.
#[test]
fn a_verdict_about_a_line_counts_its_own_function() {
    check(
        &kit(),
        &[
            ("can i remove line 29 of src/kit/run.py?", "yes: line 29 of src/kit/run.py"),
            (
                "is it safe to delete the line 'lines.justify(3)' in test_justify",
                "perhaps not: line 7 of tests/test_kit.py",
            ),
            ("what does line 19 of src/kit/text.py do", "it sets `Lines.plain_lines`"),
            ("what happens if I comment out line 5 of src/kit/run.py", "without it `result` is not bound"),
        ],
    );
}

/// A value without the name of its parameter is looked for among all arguments.
#[test]
fn calls_that_pass_a_value_are_found_without_its_parameter() {
    check(
        &kit(),
        &[
            ("who passes \"bold\" to Text", "1 of 2 calls of `kit.text.Text` fits `passing \"bold\"`"),
            ("which calls pass 'b' to run", "2 of 4 calls of `kit.run.run` fit `passing \"b\"`; 2 do not"),
            ("which calls pass 2 to store", "1 of 1 call of `kit.run.store` fits `passing 2`"),
            ("who passes True to run for debug", "2 of 4 calls of `kit.run.run` pass `debug=True`"),
            (
                "which calls pass None to open_file",
                "none of 2 calls of `kit.run.open_file` fit `passing None`; 2 do not",
            ),
        ],
    );
}

/// How an argument is passed is a condition of its own, and so is a default that calls rely on.
#[test]
fn the_way_of_passing_is_a_condition() {
    check(
        &kit(),
        &[
            (
                "who still passes name positionally to run",
                "4 of 4 calls of `kit.run.run` fit `passing name by position`",
            ),
            (
                "which calls pass debug by keyword to run",
                "2 of 4 calls of `kit.run.run` fit `passing debug by keyword`",
            ),
            ("is debug of run ever passed by position", "none of 4 calls of `kit.run.run`"),
            (
                "which callers rely on the default of errors in open_file",
                "1 of 2 calls of `kit.run.open_file` does not pass",
            ),
            (
                "which calls of open_file use the default for errors",
                "1 of 2 calls of `kit.run.open_file` does not pass",
            ),
            ("is errors always passed to open_file", "no: 1 of 2 calls of `kit.run.open_file` passes `errors`"),
            ("does every caller of open_file pass errors", "no: 1 of 2 calls of `kit.run.open_file` passes `errors`"),
            ("which calls of open_file omit errors", "1 of 2 calls of `kit.run.open_file` does not pass `errors`"),
            ("is the parameter many of run used anywhere", "yes: 1 of 4 calls of `kit.run.run` passes `many`"),
            ("who passes timeout to send", "1 of 2 calls of `kit.run.send` passes `timeout`"),
        ],
    );
}

/// A change of a parameter is said in many ways.
#[test]
fn a_parameter_is_changed_in_every_wording() {
    let rename = "renaming `name` of `run` breaks";
    check(
        &kit(),
        &[
            ("rename the argument name of run to foo", rename),
            ("rename the argument all of load to every", "renaming `all` of `load` breaks 1 of 1 call"),
            (
                "what happens when I remove default=None from run's many",
                "requiring `many` of `run` breaks 3 of 4 calls",
            ),
            ("what happens when I remove default=None from run", "requiring `many` of `run` breaks 3 of 4 calls"),
            ("what if many of run had no default", "requiring `many` of `run` breaks 3 of 4 calls"),
            ("what if the default of debug in the function run was True", "2 of 4 calls do not pass `debug` of `run`"),
            ("change the default of debug in run to True", "2 of 4 calls do not pass `debug` of `run`"),
            (
                "make errors keyword-only in open_file",
                "making `errors` of `open_file` keyword-only breaks 1 of 2 calls",
            ),
            (
                "what breaks if errors becomes keyword only in open_file",
                "making `errors` of `open_file` keyword-only breaks 1 of 2 calls",
            ),
            (
                "what if debug of run is positional only",
                "making `debug` of `run` positional-only concerns 2 of 4 calls: those that pass it by keyword",
            ),
            (
                "what happens if I change the argument order of open_file",
                "another order of the parameters of `open_file` concerns 2 of 2 calls",
            ),
            (
                "what breaks if I add a required parameter to open_file",
                "adding a required parameter to `open_file` breaks each of its 2 calls",
            ),
            (
                "what breaks if I add an optional parameter to open_file",
                "adding an optional parameter to `open_file` breaks none of 2 calls",
            ),
            (
                "what if I add a required argument before `code` in open_file",
                "adding a required parameter to `open_file` breaks each of its 2 calls",
            ),
        ],
    );
}

/// A pasted line is found with a comment behind it, and behind the words that ask for it.
#[test]
fn a_pasted_line_is_found() {
    let line = "line 19 of src/kit/text.py stands in `Lines.__init__`";
    check(
        &kit(),
        &[
            ("what happens if I remove `        self.plain_lines = []  # cached`", line),
            ("what does this line do: self.plain_lines = []", line),
        ],
    );
}

/// A variable that only gives a function another name is called like it, as a decorator too.
#[test]
fn calls_over_another_name_count() {
    let repo = TestRepo::new()
        .file(
            "pkg/__init__.py",
            "from pkg.make import attrs\n\ns = attributes = attrs\n",
        )
        .file("pkg/make.py", "def attrs(cls=None, slots=False):\n    return cls\n")
        .file(
            "use.py",
            "import pkg\n\n\n@pkg.s(slots=True)\nclass A:\n    pass\n\n\n@pkg.s\nclass B:\n    pass\n\n\n@pkg.s()\nclass C:\n    pass\n",
        )
        .commit("first");
    check(&repo, &[("who passes slots to pkg.s", "1 of 2 calls of `pkg.make.attrs` passes `slots`; 1 does not")]);
}

/// A line that stands at many places is counted, and a change of it is one of all of them.
#[test]
fn every_place_of_a_line_counts() {
    let functions: String = (1..=23).map(|number| format!("def f{number}():\n    pass\n\n\n")).collect();
    let calls: String = (1..=23).map(|number| format!("f{number}()\n")).collect();
    let repo =
        TestRepo::new().file("a.py", &functions).file("b.py", format!("from a import *\n\n{calls}")).commit("first");
    let all = "the line `pass` stands at 23 places";
    check(
        &repo,
        &[
            ("where is the line `pass`", &format!("{all}: a.py:2, a.py:6, a.py:10, a.py:14 and 19 more")),
            ("how many times does the line `pass` occur?", all),
            ("what does the line `pass` in a.py do", all),
            ("what happens if I change the line `pass`", "changing the 23 definitions around it affects"),
        ],
    );
    let plan = repo.run(["ask", "--plan", "--format", "json", "where is the line `pass`"]).code(0).stdout;
    assert!(plan.contains("\"count\":23"), "{plan}");
    let plan = repo.run(["ask", "--plan", "where is the line `pass`"]).code(0).stdout;
    assert!(plan.contains("and 18 more"), "{plan}");
}

/// `a parameter of f` and `the first line of f` are parts of it.
#[test]
fn a_part_without_a_name_is_not_the_whole() {
    check(
        &kit(),
        &[
            (
                "what happens if I remove a parameter from open_file",
                "removing a parameter of `open_file` breaks the calls that pass it: its 2 calls pass `path` in 1 (and perhaps 1 more) and `errors` in 1",
            ),
            (
                "what breaks if I rename a parameter of define",
                "renaming a parameter of `define` breaks the calls that pass it by keyword: its 1 call passes by keyword `slots` in 1, and never `maybe_cls`",
            ),
            ("what breaks if I remove the first line of open_file", "line 27 of src/kit/run.py stands in the head"),
            ("what breaks if I remove the last line of open_file", "line 29 of src/kit/run.py stands in `open_file`"),
        ],
    );
}

/// A parameter that is not there yet concerns every call.
#[test]
fn a_new_parameter_concerns_the_calls() {
    let both = "adding a parameter `retries` to `open_file`: a required one breaks each of its 2 calls: none passes it; \
                one with a default breaks none";
    check(
        &kit(),
        &[
            ("what happens if I add a parameter retries to open_file", both),
            ("what breaks if I add a parameter retries to open_file", both),
            ("what breaks if open_file gets a new argument called retries", both),
            (
                "what happens if I add a required parameter style to open_file",
                "adding a required parameter `style` to `open_file` breaks each of its 2 calls",
            ),
            (
                "is it safe to add an optional `retries` argument to open_file?",
                "yes: adding an optional parameter `retries` to `open_file` breaks none of 2 calls",
            ),
            (
                "what happens if I add a parameter timeout to send",
                "a required one breaks 1 of its 2 calls: 1 passes one already, as a further keyword",
            ),
            ("what happens if I add a parameter errors to open_file", "`open_file` has a parameter `errors` already"),
        ],
    );
}

/// Everyday words are parameters where calls pass something.
#[test]
fn a_parameter_may_be_called_like_a_word_of_questions() {
    let all = "1 of 1 call of `kit.run.load` passes `all`; 0 do not";
    check(
        &kit(),
        &[
            ("is `all` passed to load by anyone?", &format!("yes: {all}")),
            ("who passes all to load?", all),
            ("who sets all when calling load()", all),
            ("list all callers of open_file that pass errors", "1 of 2 calls of `kit.run.open_file` passes `errors`"),
            ("is the args parameter of store used by any caller", "no: none of 1 call of `kit.run.store` pass `args`"),
            ("is `timeout` passed to send by anyone?", "yes: 1 of 2 calls of `kit.run.send` passes `timeout`"),
            ("which calls of open_file leave out errors", "1 of 2 calls of `kit.run.open_file` does not pass `errors`"),
            ("what is passed as errors to open_file", "1 of 2 calls of `kit.run.open_file` passes `errors`"),
        ],
    );
}

/// A question whether nobody does something is answered by yes where nobody does.
#[test]
fn nobody_and_never_deny_the_whole_question() {
    check(
        &kit(),
        &[
            ("does nobody pass errors to open_file?", "no: 1 of 2 calls of `kit.run.open_file` passes `errors`"),
            ("is errors never passed to open_file?", "no: 1 of 2 calls of `kit.run.open_file` passes `errors`"),
            ("does no caller pass many to run?", "no: 1 of 4 calls of `kit.run.run` passes `many`"),
            ("does nobody pass slots to send?", "yes: none of 2 calls of `kit.run.send` pass `slots`"),
        ],
    );
}

/// The new value may stand before the function.
#[test]
fn a_default_changes_to_a_value_in_a_function() {
    check(
        &kit(),
        &[
            (
                "what happens if I change the default of debug to True in run",
                "2 of 4 calls do not pass `debug` of `run`",
            ),
            ("can I make style of Text keyword-only?", "making `style` of `Text` keyword-only breaks 1 of 2 calls"),
            ("swap the parameters foo and bar of send", "`send` has no parameter `bar` and `foo`: it takes `url`"),
            ("does anyone pass step to recurse?", "yes: 1 of 2 calls of `kit.tree.recurse` passes `step`"),
        ],
    );
}

/// The function of a call stands behind `to` as well, and an argument needs none.
#[test]
fn calls_to_a_function_and_arguments_alone_are_read() {
    check(
        &kit(),
        &[
            ("which calls to open_file omit errors", "1 of 2 calls of `kit.run.open_file` does not pass `errors`"),
            ("which calls to run do not pass many?", "3 of 4 calls of `kit.run.run` do not pass `many`"),
            ("which calls pass verify=False?", "`verify=False` stands at 1 place, first in `kit.run.errors`"),
            ("where do tests pass debug=True", "`debug=True` stands at 2 places"),
        ],
    );
}

/// Whoever uses a parameter in a call passes it, and a function that accepts it no longer loses it.
#[test]
fn a_parameter_is_used_set_and_given_up_in_further_words() {
    let all = |words: &str| format!("{words}1 of 2 calls of `kit.run.open_file` passes `errors`; 1 does not");
    let removed = "removing `errors` of `open_file` breaks 1 of 2 calls";
    check(
        &kit(),
        &[
            ("does anyone use errors when calling open_file?", &all("yes: ")),
            ("which calls use errors in open_file", &all("")),
            ("is errors used when calling open_file?", &all("yes: ")),
            ("who constructs Text with code?", "1 of 2 calls of `kit.text.Text` passes `code`; 1 does not"),
            ("does anybody create a Text with style", "yes: 2 of 2 calls of `kit.text.Text` pass `style`"),
            ("is many ever set to 1 when calling run?", "yes: 1 of 4 calls of `kit.run.run` passes `many=1`"),
            ("is many ever set to 7 when calling run?", "no: none of 4 calls of `kit.run.run` pass `many=7`"),
            ("who uses the timeout parameter of send?", "1 of 2 calls of `kit.run.send` passes `timeout`; 1 does not"),
            (
                "is verify ever set to False when calling send?",
                "yes: 1 of 2 calls of `kit.run.send` passes `verify=False`",
            ),
            ("what if open_file no longer accepted errors?", removed),
            ("what breaks if open_file no longer takes errors", removed),
            ("what if open_file took no errors", removed),
            ("what breaks if send no longer takes verify?", "has no parameter `verify`: 1 of its 2 calls pass one"),
            (
                "what happens if I make slots of define keyword-only",
                "making `slots` of `define` keyword-only breaks none of 1 call",
            ),
            ("what happens if I drop **options from send", "removing `options` of `send` breaks 2 of 2 calls"),
        ],
    );
}
