//! `--explain`: each step ends where the code is that makes it true, and what is not followed says why.

use expect_test::{Expect, expect};

use crate::harness::TestRepo;

/// A channel with one method that the tests ask about.
const CHANNEL: &str = "class Channel:\n    limit = 3\n\n    def send(self, text):\n        return text\n";

fn with_channel(code: &str) -> TestRepo {
    TestRepo::new().file("channel.py", CHANNEL).file("app.py", code)
}

/// The steps of every row that refers to `target` or could, one line each, below the place of the row.
fn check(repo: TestRepo, target: &str, steps: &Expect) {
    let repo = repo.commit("first");
    let out = repo.run(["refs", target, "--explain", "--possible"]).code(0).stdout;
    let is_step = |line: &&str| line.starts_with("        ") || line.contains(".py:") && line.starts_with("  ");
    let lines = out.lines().skip(2).filter(is_step).map(|line| match line.strip_prefix("        ") {
        Some(step) => format!("    {step}\n"),
        None => format!("{}\n", line.split_whitespace().take(2).collect::<Vec<_>>().join(" ")),
    });
    steps.assert_eq(&lines.collect::<String>());
}

#[test]
fn an_attribute_names_its_assignment_and_the_call_that_passed_the_value() {
    let repo = with_channel(
        "from channel import Channel\n\n\nclass Session:\n    def __init__(self, channel):\n        self.channel = channel\n\n    \
         def run(self):\n        self.channel.send('a')\n\n\ndef main():\n    Session(Channel()).run()\n",
    );
    check(
        repo,
        "Channel.send",
        &expect![[r#"
        app.py:9 calls
            self (parameter): an instance of app.Session [member of self, over the MRO]
            self.channel: the variable app.Session.channel (app.py:6) [named here], an instance of channel.Channel [value passed by a caller]; assigned at app.py:6; passed at app.py:13
            self.channel.send: channel.Channel.send [value passed by a caller]
    "#]],
    );
}

#[test]
fn an_attribute_that_no_known_value_has_says_so() {
    let repo = with_channel(
        "class Session:\n    channel = 'none'\n\n    def connect(self, made):\n        self.channel = made\n\n    \
         def run(self):\n        self.channel.send('a')\n",
    );
    check(
        repo,
        "Channel.send",
        &expect![[r#"
        app.py:8 calls
            self (parameter): an instance of app.Session [member of self, over the MRO]
            self.channel: the variable app.Session.channel (app.py:2) [named here], an object of the builtin str [value kept in between]; assigned at app.py:2
            self.channel.send: no value that is known of `self.channel` has it; assigned at app.py:5, `made` (no call of app.Session.connect is known)
    "#]],
    );
}

#[test]
fn what_a_property_or_function_gives_names_its_return() {
    let repo = with_channel(
        "from channel import Channel\n\n\ndef opened():\n    if 1:\n        return None\n    return Channel()\n\n\nclass Session:\n    \
         @property\n    def channel(self):\n        return opened()\n\n    def run(self):\n        self.channel.send('a')\n        \
         opened().send('b')\n",
    );
    check(
        repo,
        "Channel.send",
        &expect![[r#"
        app.py:16 calls
            self (parameter): an instance of app.Session [member of self, over the MRO]
            self.channel: the property app.Session.channel (app.py:11) [named here], an instance of channel.Channel [value kept in between], None [value kept in between]; returned at app.py:13
            self.channel.send: channel.Channel.send [value kept in between]
        app.py:17 calls
            opened (name of an outer scope): app.opened [bound in this file]
            opened(…): an instance of channel.Channel [returned value], None [returned value]; returned at app.py:7
            opened(…).send: channel.Channel.send [returned value]
    "#]],
    );
}

#[test]
fn what_is_taken_out_of_a_container_names_where_it_was_put_in() {
    let repo = with_channel(
        "from channel import Channel\n\nALL = {}\nALL['a'] = Channel()\n\n\ndef run(name):\n    ALL[name].send('a')\n    for each in \
         ALL.values():\n        each.send('b')\n",
    );
    check(
        repo,
        "Channel.send",
        &expect![[r#"
            app.py:8 calls
                ALL (name of an outer scope): the variable app.ALL (app.py:3) [named here], a list, tuple, set or dict made in app [receiver constructed here]; assigned at app.py:3
                ALL[…]: an instance of channel.Channel [element of a container]; put in at app.py:4
                ALL[…].send: channel.Channel.send [element of a container]
            app.py:10 calls
                each (local variable): an instance of channel.Channel [element of a container]; taken out at app.py:9; put in at app.py:4
                each.send: channel.Channel.send [element of a container]
        "#]],
    );
}

#[test]
fn three_places_are_named_and_the_others_counted() {
    let repo = with_channel(
        "from channel import Channel\n\n\ndef use(channel):\n    channel.send('a')\n\n\ndef main():\n    use(Channel())\n    \
         use(Channel())\n    use(Channel())\n    use(channel=Channel())\n    use(None)\n",
    );
    check(
        repo,
        "Channel.send",
        &expect![[r#"
        app.py:5 calls
            channel (parameter): an instance of channel.Channel [value passed by a caller]; passed at app.py:9, app.py:10, app.py:11 and 1 more
            channel.send: channel.Channel.send [value passed by a caller]
    "#]],
    );
}

#[test]
fn what_leads_to_the_target_comes_first() {
    let repo = with_channel(
        "from channel import Channel\n\n\nclass A:\n    def send(self): ...\n\n\nclass B(A):\n    def send(self): ...\n\n\nclass C(A):\n    \
         def send(self): ...\n\n\nclass D(A): ...\n\n\nALL = [\n    A(),\n    B(),\n    C(),\n    D(),\n    Channel(),\n]\n\n\ndef run():\n    \
         for each in ALL:\n        each.send()\n",
    );
    check(
        repo,
        "Channel.send",
        &expect![[r#"
        app.py:30 calls
            each (local variable): an instance of channel.Channel [element of a container], an instance of app.A [element of a container], an instance of app.B [element of a container], an instance of app.C [element of a container], and 1 more; taken out at app.py:29; put in at app.py:24
            each.send: channel.Channel.send [element of a container], app.A.send [element of a container], app.A.send, inherited by app.D [element of a container], app.B.send [element of a container], and 1 more
    "#]],
    );
}

#[test]
fn a_descriptor_is_told_with_its_method() {
    let repo = with_channel(
        "from channel import Channel\n\n\nclass Lazy:\n    def __get__(self, instance, owner):\n        return Channel()\n\n\nclass \
         Session:\n    channel = Lazy()\n\n    def run(self):\n        self.channel.send('a')\n",
    );
    check(
        repo,
        "Channel.send",
        &expect![[r#"
        app.py:13 calls
            self (parameter): an instance of app.Session [member of self, over the MRO]
            self.channel: a descriptor app.Lazy, whose __get__ (app.py:5) gives the value [read through it], the variable app.Session.channel (app.py:10) [named here], an instance of channel.Channel [returned value]
            self.channel.send: channel.Channel.send [returned value]
    "#]],
    );
}

#[test]
fn what_is_assigned_is_told_as_such() {
    let repo =
        with_channel("from channel import Channel\n\n\ndef run():\n    channel = Channel()\n    channel.limit = 4\n");
    check(
        repo,
        "Channel.limit",
        &expect![[r#"
        app.py:6 writes
            channel (local variable): an instance of channel.Channel [receiver constructed here]; assigned at app.py:5
            channel.limit: the variable channel.Channel.limit (channel.py:2) [assigned here]
    "#]],
    );
}

#[test]
fn fixtures_name_the_fixture_and_what_it_returns() {
    let repo = TestRepo::new().file("channel.py", CHANNEL).file(
        "tests/test_channel.py",
        "import pytest\nfrom channel import Channel\n\n\n@pytest.fixture\ndef opened():\n    return Channel()\n\n\ndef test_send(opened):\n    \
         opened.send('a')\n",
    );
    check(
        repo,
        "Channel.send",
        &expect![[r#"
        tests/test_channel.py:11 calls
            opened (parameter): the function tests.test_channel.opened (tests/test_channel.py:5) [named here], an instance of channel.Channel [receiver constructed here]; returned at tests/test_channel.py:7
            opened.send: channel.Channel.send [receiver constructed here]
    "#]],
    );
}

#[test]
fn rules_are_named_with_what_they_join() {
    let repo = TestRepo::new().file("channel.py", CHANNEL).file(
        "tests/test_channel.py",
        "from unittest import mock\n\nimport pytest\nfrom channel import Channel\n\n\n@pytest.fixture\ndef opened():\n    return \
         Channel()\n\n\ndef test_send(opened):\n    with mock.patch('channel.Channel'):\n        pass\n",
    );
    check(
        repo,
        "opened",
        &expect![[r#"
        tests/test_channel.py:12 uses_fixture
            by rule, a parameter of a test or fixture takes the fixture of its name: the function tests.test_channel.opened (tests/test_channel.py:7)
    "#]],
    );
    let repo = with_channel(
        "import channel\n\n__all__ = ['run']\n\n\ndef run(name):\n    for part in ('se', 'send'):\n        \
         getattr(channel.Channel(), part)('a')\n    method = getattr(channel.Channel(), 'se' + name)\n    method('b')\n    \
         hasattr(channel.Channel(), 'send')\n",
    );
    check(
        repo,
        "Channel.send",
        &expect![[r#"
            app.py:11 references
                hasattr(channel.Channel(…), "send") (not bound in this file): the builtin hasattr [always bound]
                by rule, a text that is given here names the attribute: the method channel.Channel.send (channel.py:4)
            app.py:8 calls
                getattr (not bound in this file): the builtin getattr [always bound]
                getattr(channel.Channel(…), part): channel.Channel.send [receiver constructed here]
                part (local variable): "se" or "send"
                by rule, a text that is given here names the attribute: the method channel.Channel.send (channel.py:4)
            app.py:9 references
                getattr (not bound in this file): the builtin getattr [always bound]
                getattr(channel.Channel(…), "se" … name): the methods of channel.Channel whose names begin or end so [named in a string]
                by rule, a text that is given here names the attribute: the method channel.Channel.send (channel.py:4)
            app.py:10 calls
                method (local variable): the methods of channel.Channel whose names begin or end so [named in a string], by `getattr(channel.Channel(…), "se" … name)`; assigned at app.py:9
        "#]],
    );
}

#[test]
fn special_methods_are_run_by_python() {
    let repo = TestRepo::new().file(
        "app.py",
        "class Lock:\n    def __enter__(self): ...\n\n    def __exit__(self, *args): ...\n\n\nlock = Lock()\n\n\ndef run():\n    with \
         lock:\n        pass\n",
    );
    check(
        repo,
        "Lock.__enter__",
        &expect![[r#"
        app.py:11 calls
            lock (name of an outer scope): the variable app.lock (app.py:7) [named here], an instance of app.Lock [receiver constructed here]; assigned at app.py:7
            by rule, Python itself runs this method of what stands here: the method app.Lock.__enter__ (app.py:2)
    "#]],
    );
}

#[test]
fn what_is_not_followed_says_why() {
    // Nobody calls it.
    check(
        with_channel("def run(channel):\n    channel.send('a')\n"),
        "Channel.send",
        &expect![[r#"
        app.py:2 calls
            channel (parameter): no call of app.run is known
    "#]],
    );
    // Its caller is the one that nobody calls.
    let repo = with_channel(
        "class Session:\n    def __init__(self, channel=None):\n        self.channel = channel\n\n    def run(self):\n        \
         self.channel.send('a')\n\n\ndef opened(given):\n    return Session(given)\n",
    );
    check(
        repo,
        "Channel.send",
        &expect![[r#"
            app.py:6 calls
                self (parameter): an instance of app.Session [member of self, over the MRO]
                self.channel: the variable app.Session.channel (app.py:3) [named here], None [value passed by a caller], passed at app.py:10, `given` (no call of app.opened is known); assigned at app.py:3; default at app.py:2
                self.channel.send: only None is known of `self.channel`
        "#]],
    );
    // A function gives a part of what nobody passes.
    let repo = with_channel(
        "def made(given):\n    return given.first\n\n\ndef run():\n    channel = made(1)\n    channel.send('a')\n",
    );
    check(
        repo,
        "Channel.send",
        &expect![[r#"
        app.py:7 calls
            channel (local variable): assigned at app.py:6, `made(…)` (returned at app.py:2, `given.first` (`given`: passed at app.py:6, `1`))
    "#]],
    );
    // Code outside the repository makes it.
    let repo = with_channel(
        "import outside\n\n\nclass Session:\n    def __init__(self):\n        self.channel = None\n\n    def open(self):\n        \
         self.channel = [outside.channel() for _ in '12'][0]\n\n    def run(self):\n        self.channel.send('a')\n",
    );
    check(
        repo,
        "Channel.send",
        &expect![[r#"
            app.py:12 calls
                self (parameter): an instance of app.Session [member of self, over the MRO]
                self.channel: the variable app.Session.channel (app.py:6) [named here], None [value kept in between], assigned at app.py:9, `[outside.channel(…) for …][…]` (put in at app.py:9, `outside.channel(…)` (from outside the repository)); assigned at app.py:6
                self.channel.send: only None is known of `self.channel`
        "#]],
    );
    // It is in a container.
    let repo = with_channel(
        "class Pool:\n    def __init__(self):\n        self.all = []\n\n    def add(self, channel):\n        \
         self.all.append(channel)\n\n    def run(self):\n        for each in self.all:\n            each.send('a')\n",
    );
    check(
        repo,
        "Channel.send",
        &expect![[r#"
            app.py:10 calls
                each (local variable): taken out at app.py:9, `self.all` (put in at app.py:6, `channel` (no call of app.Pool.add is known))
        "#]],
    );
    // Which attribute it is comes from elsewhere.
    let repo = with_channel("def run(session, name):\n    getattr(session, name).send('a')\n");
    check(
        repo,
        "Channel.send",
        &expect![[r#"
            app.py:2 calls
                getattr (not bound in this file): the builtin getattr [always bound]
                getattr(…): an object that may be of any class [returned value], the name of the attribute is not known
                getattr(…).send: an object that may be of any class [returned value]
        "#]],
    );
}

/// A decorator that code outside applies may pass what no call does.
#[test]
fn parameters_of_tests_may_come_from_a_decorator() {
    let repo = TestRepo::new().file("channel.py", CHANNEL).file(
        "tests/test_channel.py",
        "from unittest import mock\n\n\n@mock.patch('a.b')\ndef test_send(opened):\n    opened.send('a')\n\n\ndef test_more(other):\n    \
         other.send('a')\n",
    );
    check(
        repo,
        "Channel.send",
        &expect![[r#"
            tests/test_channel.py:6 calls
                opened (parameter): no fixture of this name is known; a decorator may pass it
            tests/test_channel.py:10 calls
                other (parameter): no fixture of this name is known
        "#]],
    );
}

#[test]
fn places_are_fields_of_the_json() {
    let repo =
        with_channel("from channel import Channel\n\n\ndef run():\n    channel = Channel()\n    channel.send('a')\n");
    let repo = repo.commit("first");
    let out = repo.run(["refs", "Channel.send", "--explain", "--format", "json"]).code(0).stdout;
    let report: serde_json::Value = serde_json::from_str(&out).expect("a report");
    let places = &report["references"][0]["steps"][0]["places"];
    expect![[r#"[{"expression":"Channel(…)","how":"assigned","line":5,"path":"app.py"}]"#]]
        .assert_eq(&places.to_string());
}

/// More is passed than is told apart: the annotation holds, and it is evaluated where no statement runs.
#[test]
fn a_parameter_that_is_passed_too_much_is_what_it_is_annotated_as() {
    let classes: String = (0..90).map(|index| format!("class C{index}: ...\n\n\n")).collect();
    let made: String = (0..90).map(|index| format!("    use(C{index}())\n")).collect();
    let repo = with_channel(&format!(
        "from channel import Channel\n\n\ndef use(channel: Channel):\n    channel.send('a')\n\n\n{classes}def main():\n{made}"
    ));
    check(
        repo,
        "Channel.send",
        &expect![[r#"
        app.py:5 calls
            channel (parameter): an instance of channel.Channel [receiver's annotation]; declared at app.py:4
            channel.send: channel.Channel.send [receiver's annotation]
    "#]],
    );
}
