//! Follow-ups in a conversation: each is answered as the full question is.

use crate::harness::TestRepo;

/// A shop with a class, a caller of its method, and a test.
fn shop() -> TestRepo {
    TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file("shop/__init__.py", "")
        .file(
            "shop/cart.py",
            "class Base:\n    def add(self, item):\n        return item\n\n\nclass Cart(Base):\n    limit = 3\n\n    def add(self, item, count=1):\n        \"\"\"Adds an item.\"\"\"\n        return check(item)\n\n    def drop(self, item):\n        return None\n\n\nclass Bag(Base):\n    pass\n\n\ndef check(item):\n    if not item:\n        raise ValueError(item)\n    return item\n",
        )
        .file(
            "shop/app.py",
            "from shop.cart import Cart, check\n\n\ndef buy(item):\n    cart = Cart()\n    return cart.add(item, count=2)\n\n\ndef look(item):\n    return check(item)\n",
        )
        .file("tests/test_cart.py", "from shop.cart import Cart\n\n\ndef test_add():\n    assert Cart().add(1)\n")
        .commit("first")
}

/// The first line of the answer to a follow-up, and the first line of the answer to the full question.
struct Talk<'r> {
    repo: &'r TestRepo,
    name: &'static str,
}

impl Talk<'_> {
    fn ask(&self, question: &str) -> String {
        let text = self.repo.run(["ask", "--session", self.name, question]).code(0).stdout;
        text.lines().next().unwrap_or_default().to_owned()
    }

    /// Checks how the answer to each question of the conversation begins.
    fn goes(&self, turns: &[(&str, &str)]) {
        for (question, wanted) in turns {
            let answer = self.ask(question);
            assert!(answer.starts_with(wanted), "{}: {question}\n{answer}\nwanted: {wanted}", self.name);
        }
    }
}

fn alone(repo: &TestRepo, question: &str) -> String {
    let text = repo.run(["ask", question]).code(0).stdout;
    text.lines().next().unwrap_or_default().to_owned()
}

/// Checks that each follow-up behind `first` is answered as its full question.
fn check(name: &'static str, first: &str, follow_ups: &[(&str, &str)]) {
    let repo = shop();
    for (follow_up, full) in follow_ups {
        let talk = Talk { repo: &repo, name };
        talk.ask(first);
        assert_eq!(talk.ask(follow_up), alone(&repo, full), "{first} / {follow_up}");
    }
}

/// `it` stands for the subject also beside a second name: dropping it gave a false yes.
#[test]
fn it_stands_for_the_subject_beside_other_names() {
    check(
        "it",
        "explain Cart.add",
        &[
            ("is it called by look?", "is Cart.add called by look?"),
            ("is it called by buy?", "is Cart.add called by buy?"),
            ("is it used by Bag?", "is Cart.add used by Bag?"),
            ("does it call check?", "does Cart.add call check?"),
            ("does it call drop?", "does Cart.add call drop?"),
            ("does it raise ValueError?", "does Cart.add raise ValueError?"),
            ("is it used in shop/cart.py?", "is Cart.add used in shop/cart.py?"),
            ("does it have a docstring?", "does Cart.add have a docstring?"),
            ("does it have a decorator?", "does Cart.add have a decorator?"),
            ("does it have callers?", "does Cart.add have callers?"),
            ("does it override anything?", "does Cart.add override anything?"),
            ("who changed it last?", "who changed Cart.add last?"),
            ("what are its parameters?", "what are the parameters of Cart.add?"),
            ("what if I remove its count parameter?", "what if I remove the count parameter of Cart.add?"),
            ("how is it different from Base.add?", "how is Cart.add different from Base.add?"),
            ("who uses that class?", "who uses Cart?"),
            ("is it safe to remove?", "is it safe to remove Cart.add?"),
        ],
    );
}

#[test]
fn what_a_follow_up_leaves_out_comes_from_the_conversation() {
    check(
        "rest",
        "who calls Cart.add?",
        &[
            ("show me the source", "show the source of Cart.add"),
            ("print the code", "show the source of Cart.add"),
            ("only outside of tests", "who calls Cart.add outside of tests?"),
            ("without tests", "who calls Cart.add outside of tests?"),
            ("what about in the tests folder?", "who calls Cart.add in tests?"),
            ("how many are in tests?", "who calls Cart.add in tests?"),
            ("in which files?", "which files call Cart.add?"),
            ("which tests do I need to run?", "which tests should I run if I change Cart.add?"),
            ("explain the second one", "explain tests.test_cart.test_add"),
            ("the first one", "explain shop.app.buy"),
        ],
    );
    check("of", "describe Cart", &[("which of its methods are not tested?", "which methods of Cart are not tested?")]);
}

/// A question between that names nothing does not change the subject, and two subjects can be compared.
#[test]
fn the_subject_is_kept_and_two_are_compared() {
    let repo = shop();
    let talk = Talk { repo: &repo, name: "kept" };
    talk.ask("explain check");
    talk.ask("is it called by buy?");
    assert_eq!(
        talk.ask("who calls it?"),
        alone(&repo, "who calls check?"),
        "`it` is what the question before was about"
    );
    talk.ask("which classes are there?");
    assert_eq!(talk.ask("does it raise ValueError?"), alone(&repo, "does check raise ValueError?"));
    talk.ask("explain Cart.drop");
    assert_eq!(talk.ask("compare the two"), alone(&repo, "compare check and Cart.drop"));
    talk.ask("did I break anything?");
    assert_eq!(talk.ask("who calls it?"), alone(&repo, "who calls Cart.drop?"));
    talk.ask("subclasses of Base");
    assert_eq!(talk.ask("compare them"), alone(&repo, "compare shop.cart.Bag and shop.cart.Cart"));
    // A name of the question itself goes before.
    talk.ask("explain Cart.drop");
    assert_eq!(talk.ask("explain check and who calls it"), alone(&repo, "explain check and who calls it"));
}

/// A row is picked by its number as often as one likes, and a condition that is not understood is said to be so.
#[test]
fn rows_of_the_list_before_are_picked_or_said_to_be_lost() {
    let repo = shop();
    let talk = Talk { repo: &repo, name: "rows" };
    talk.ask("subclasses of Base");
    assert_eq!(talk.ask("which of them define drop?"), "1 of these 2 classes defines `drop`");
    talk.ask("subclasses of Base");
    assert_eq!(talk.ask("explain the second one"), alone(&repo, "explain Cart"));
    assert_eq!(talk.ask("and the first one?"), alone(&repo, "explain Bag"));
    assert!(
        talk.ask("which of them smell bad?").starts_with("the condition on the 2 definitions of the answer before")
    );
    let talk = Talk { repo: &repo, name: "none" };
    talk.ask("how many files are there?");
    let lost = talk.ask("which of them are tested?");
    assert!(lost.starts_with("the answer before this one lists no definition"), "{lost}");
}

/// A first question whose name has two definitions is about the one that its answer names, and a verdict is about the
/// calls of the other name: the second name took the place of `it`, for good.
#[test]
fn it_means_the_main_definition_of_a_name_with_two() {
    let repo = TestRepo::new()
        .file("shop/__init__.py", "")
        .file(
            "shop/text.py",
            "from urllib.parse import quote\n\n\ndef ask(question) -> str:\n    \"\"\"Asks.\"\"\"\n    rows = []\n    rows.append(quote(question))\n    return clean(rows)\n\n\ndef clean(rows):\n    return rows\n\n\ndef confirm(question):\n    return clean([question])\n\n\ndef repeat(question):\n    confirm(question)\n    return ask(question)\n",
        )
        .file("shop/form.py", "class Field:\n    def __init__(self):\n        self.ask = True\n\n    def append(self, row):\n        return row\n")
        .file("docs/guide.md", "# Guide\n\n## Asking\n\nCall `ask` with a question.\n")
        .commit("first");
    let talk = Talk { repo: &repo, name: "two" };
    for (question, wanted) in [
        ("explain ask", "`shop.text.ask`: Asks"),
        ("is it called by confirm?", "no: `shop.text.ask` is called nowhere in `shop.text.confirm`"),
        ("is it called by repeat?", "yes: `shop.text.ask` is called at 1 place in `shop.text.repeat`"),
        ("does it call clean?", "yes: `shop.text.clean` is called at 1 place in `shop.text.ask`"),
        ("does it call quote?", "yes: `urllib.parse.quote` is called at 1 place in `shop.text.ask` (shop/text.py:7)"),
        (
            "does it call append?",
            "yes: a call of some `append` is written at 1 place in `shop.text.ask` (shop/text.py:7)",
        ),
        ("does it call unquote?", "nothing here is called `unquote`, and `shop.text.ask` does not have the word"),
        ("does it have a return type?", "yes: `shop.text.ask` is annotated to return `str`"),
        ("does it have overrides?", "nothing overrides `shop.text.ask`"),
        ("is it used in the docs?", "yes: 1 section of 1 document has `ask`"),
        ("who calls it?", "`shop.text.ask` is called at 1 place"),
        ("how many places?", "`shop.text.ask` is called at 1 place"),
        ("who calls clean?", "`shop.text.clean` is called at 2 places"),
        ("which of them is the longest?", "the biggest function of these 2 is `shop.text.ask` with 5 lines"),
        ("which of them are the oldest?", "the condition on the 2 definitions of the answer before is not understood"),
    ] {
        let answer = talk.ask(question);
        assert!(answer.starts_with(wanted), "{question}\n{answer}");
    }
    let lost = alone(&repo, "is it called by confirm?");
    assert!(lost.starts_with("`it` is not known"), "{lost}");
}

/// Overloads and the definition that implements them are one: the last change of any of them is told.
#[test]
fn overloads_are_one_definition_with_their_body() {
    let before = "from typing import overload\n\n\n@overload\ndef fetch(key: int) -> int: ...\n@overload\ndef fetch(key: str) -> str: ...\ndef fetch(key):\n    return key\n";
    let repo = TestRepo::new().file("shop.py", before).commit("first");
    repo.write("shop.py", before.replace("return key", "return key or None"));
    repo.save("change the body");
    let told = alone(&repo, "who changed fetch last?");
    assert!(told.contains("change the body"), "{told}");
    assert_eq!(alone(&repo, "show fetch"), "`shop.fetch` is the function at shop.py:8-9");
}

/// A follow-up about a list is about the definitions that its headline counts, under each of its conditions: the
/// attributes slipped in, a condition was dropped, and a short question was about the whole repository.
#[test]
fn a_follow_up_about_a_list_is_about_its_definitions_alone() {
    let repo = TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file(
            "shop/core.py",
            "class ShopError(Exception):\n    \"\"\"Any.\"\"\"\n\n\nclass Sold(ShopError):\n    pass\n\n\nclass Lost(ShopError):\n    pass\n\n\nclass Base:\n    def old(self):\n        return 1\n\n\nclass Cart(Base):\n    limit = 3\n\n    def __init__(self):\n        self.items = []\n        self._size = 0\n\n    def add(self, item, count=1):\n        \"\"\"Adds.\"\"\"\n        return self._check(item)\n\n    def _check(self, item):\n        if not item:\n            raise Sold(item)\n        return item\n\n    async def load(self, **options):\n        return options\n\n    @property\n    def size(self):\n        return self._size\n\n    @size.setter\n    def size(self, size):\n        self._size = size\n\n    @property\n    def first(self):\n        return self.items[0]\n",
        )
        .file("shop/app.py", "from shop.core import Cart, Lost\n\n\ndef _quiet():\n    raise Lost\n\n\ndef buy(item):\n    return Cart().add(item)\n")
        .file("tests/test_cart.py", "from shop.core import Cart\n\n\ndef test_add():\n    assert Cart().add(1)\n")
        .commit("first");
    let check = |name, turns: &[(&str, &str)]| Talk { repo: &repo, name }.goes(turns);
    check(
        "members",
        &[
            ("methods of Cart", "`shop.core.Cart` has 4 methods and 2 properties"),
            ("how many of them are properties?", "2 of these 6 definitions are properties"),
            ("how many are private?", "1 of these 6 definitions (private)"),
            ("how many?", "the answer before lists 6 definitions: 4 methods and 2 properties"),
            ("do they all have docstrings?", "no: 1 of these 6 definitions (with docstring)"),
            ("which one is the longest?", "the biggest definition of these 6 is `shop.core.Cart._check` with 4 lines"),
            ("which take **kwargs?", "1 of these 6 definitions"),
            ("which of them smell bad?", "the condition on the 6 definitions of the answer before is not understood"),
            ("only the private ones", "1 of these 6 definitions (private)"),
        ],
    );
    check(
        "again",
        &[
            ("functions in app.py", "2 functions in shop/app.py"),
            ("how many?", "the answer before lists 2 functions"),
            ("only the private ones", "1 of these 2 functions (private)"),
            ("and in core.py?", "none: shop/core.py has no functions, but 5 methods"),
        ],
    );
    check(
        "setters",
        &[
            ("properties of Cart", "2 properties of `shop.core.Cart`"),
            ("which of these have setters?", "1 of these 2 properties (setter)"),
            ("how many are there?", "the answer before lists 1 property"),
        ],
    );
    check(
        "raised",
        &[
            ("subclasses of ShopError", "2 classes are derived from `shop.core.ShopError`"),
            ("which of them are raised in core.py?", "1 of these 2 classes is raised in core.py"),
            ("which of them are raised by Cart._check?", "1 of these 2 classes is raised in `shop.core.Cart._check`"),
            ("which are never raised?", "none: 0 of these 2 classes are not raised by name"),
        ],
    );
    let talk = Talk { repo: &repo, name: "again" };
    talk.ask("which methods of Cart are private?");
    assert_eq!(talk.ask("and of Base?"), alone(&repo, "which methods of Base are private?"));
    talk.ask("who calls Cart.add in app.py?");
    assert_eq!(talk.ask("and in test_cart.py?"), alone(&repo, "who calls Cart.add in test_cart.py?"));
    talk.ask("is Cart tested?");
    assert_eq!(talk.ask("by which tests?"), alone(&repo, "which tests test Cart?"));
}

/// Each follow-up is one operation on the conversation: a count of the last answer, a choice from the list or what is
/// left of it, a row, or the same question about something else. Other answers were counted, the whole repository was
/// searched, and a name took the place of one further back.
#[test]
fn each_follow_up_goes_on_with_its_turn() {
    let repo = TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file("shop/__init__.py", "")
        .file(
            "shop/core.py",
            "class ShopError(Exception):\n    pass\n\n\nclass Sold(ShopError):\n    \"\"\"Is sold.\"\"\"\n\n\nclass SoldOut(Sold):\n    pass\n\n\nclass Lost(ShopError):\n    pass\n\n\ndef check(item, count, strict=False):\n    if not item:\n        raise Sold(item)\n    if count > 9:\n        raise Lost(item)\n    return item\n\n\ndef _quiet(item):\n    return check(item, 1)\n\n\nasync def load(item):\n    return item\n",
        )
        .file(
            "shop/cart.py",
            "from shop.core import Lost, check\n\n\nclass Base:\n    @classmethod\n    def make(cls):\n        return cls()\n\n    def _old(self):\n        return 1\n\n\nclass Cart(Base):\n    @property\n    def size(self):\n        return 1\n\n    @classmethod\n    def make(cls):\n        return cls()\n\n    def add(self, item):\n        return check(item, 2)\n\n    def _drop(self, item):\n        raise Lost(item)\n",
        )
        .file("tests/test_core.py", "from shop.core import check\n\n\ndef test_check():\n    assert check(1, 1)\n\n\ndef test_strict():\n    assert check(1, 1, strict=True)\n")
        .commit("first");
    let check = |name, turns: &[(&str, &str)]| Talk { repo: &repo, name }.goes(turns);
    check(
        "counts",
        &[
            ("what are the parameters of check?", "`check(item, count, strict=False)`"),
            ("how many?", "3 parameters: `check(item, count, strict=False)`"),
            ("which have defaults?", "`check` has 1 optional parameter: `strict`"),
            ("who calls check?", "`shop.core.check` is called at 4 places"),
            ("how many?", "`shop.core.check` is called at 4 places"),
            ("and in cart.py?", "`shop.core.check` is called at 1 place in cart.py (3 places elsewhere)"),
            ("how many places?", "`shop.core.check` is called at 1 place in cart.py"),
            ("and in core.py?", "`shop.core.check` is called at 1 place in core.py (3 places elsewhere)"),
            ("which exceptions does check raise?", "`check` raises `Lost`, `Sold`"),
            ("how many?", "2 exceptions: `check` raises"),
            ("by which tests is check tested?", "2 tests concern `check`"),
            ("how many?", "2 tests concern `check`"),
            ("which of them are in test_core.py?", "2 of these 2 functions in test_core.py"),
            ("explain load", "`shop.core.load`"),
            ("how many?", "how many of what is not known"),
        ],
    );
    check(
        "lists",
        &[
            ("functions in core.py", "3 functions in shop/core.py"),
            ("how many?", "the answer before lists 3 functions"),
            ("how many of them are private?", "1 of these 3 functions (private)"),
            ("which ones?", "1 of these 3 functions (private)"),
            ("which of them are async?", "1 of these 3 functions (async)"),
            ("the others?", "2 of these 3 functions are the others"),
            ("how many?", "the answer before lists 2 functions"),
            ("and classes?", "4 classes in shop/core.py"),
            ("and in cart.py?", "2 classes in shop/cart.py"),
            ("which methods does the last one have?", "`shop.cart.Cart` has 3 methods and 1 property"),
            ("how many are class methods?", "1 of these 4 definitions (classmethod)"),
            ("only the private ones", "1 of these 4 definitions (private)"),
            ("and of Base?", "`shop.cart.Base` has 2 methods"),
            ("the properties only", "none: 0 of these 2 methods are properties"),
            ("how many?", "none: the answer before lists no definition"),
            ("only the private ones", "1 of these 2 methods (private)"),
            ("and class methods?", "1 method of `shop.cart.Base` (classmethod)"),
        ],
    );
    check(
        "again",
        &[
            ("classes in core.py", "4 classes in shop/core.py"),
            ("which derive from ShopError?", "3 of these 4 classes"),
            ("and from Sold?", "1 of these 4 classes"),
            ("how many?", "the answer before lists 1 class"),
            ("and from Lost?", "none: 0 of these 4 classes"),
            ("which of them have docstrings?", "1 of these 3 classes (with docstring)"),
            ("and in cart.py?", "2 classes in shop/cart.py"),
            ("who subclasses Basket?", "none: no class outside of tests fits (derived from `Basket`)"),
            ("and ShopError?", "2 classes are derived from `shop.core.ShopError` directly, 3 in all"),
            ("and of OtherBasket?", "none: no class outside of tests fits (derived from `OtherBasket`)"),
        ],
    );
    check(
        "rows",
        &[
            ("classes in cart.py", "2 classes in shop/cart.py"),
            ("which methods does the first one have?", "`shop.cart.Base` has 2 methods"),
            ("and the second one?", "`shop.cart.Cart` has 3 methods and 1 property"),
            ("how many of them are private?", "1 of these 4 definitions (private)"),
            ("only the private ones", "1 of these 4 definitions (private)"),
            ("and the public ones?", "3 of these 4 definitions (public)"),
            ("which one is the longest?", "the biggest definitions of these 3 are `shop.cart.Cart.size` and"),
            ("is it documented?", "no: `shop.cart.Cart.size` has no docstring"),
            ("which of them are in nowhere.py?", "not known: no indexed file is called `nowhere.py`"),
            ("classes in cart.py", "2 classes in shop/cart.py"),
            ("compare the first and the second", "`Base` and `Cart` have"),
            ("subclasses of ShopError", "2 classes are derived from `shop.core.ShopError` directly, 3 in all"),
            ("the first two", "the first 2 of these 3 classes: "),
            ("how many?", "the answer before lists 2 classes"),
            ("what is in core.py?", "7 definitions in 1 file"),
            ("and classes?", "4 classes in shop/core.py"),
            ("does _quiet call check?", "yes"),
            ("and does load?", "no"),
        ],
    );
    check(
        "lost",
        &[
            ("explain load", "`shop.core.load`"),
            ("only the private ones", "the answer before this one lists no definition"),
            ("which of them are tested?", "the answer before this one lists no definition"),
            ("the others?", "which others are meant is not known"),
            ("and class methods?", "which class methods are meant is not known"),
        ],
    );
}

/// A follow-up that narrows the list, however it is worded, and one that is not understood keeps it: the whole
/// repository was searched, and every later turn was about what that found.
#[test]
fn the_list_is_narrowed_by_any_wording_and_never_lost() {
    let repo = TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file("shop/__init__.py", "")
        .file(
            "shop/core.py",
            "class Item:\n    def show(self):\n        return 1\n\n    async def load(self):\n        return 2\n\n\nclass Book(Item):\n    def show(self):\n        return 3\n\n\nclass Pen(Book):\n    def _ink(self):\n        return 4\n\n\ndef print_all():\n    return show_one()\n\n\ndef print_one():\n    return 5\n\n\ndef show_one():\n    return 6\n\n\ndef _quiet():\n    return 7\n",
        )
        .file("tests/test_core.py", "from shop.core import show_one\n\n\ndef test_show():\n    assert show_one()\n")
        .commit("first");
    let check = |name, turns: &[(&str, &str)]| Talk { repo: &repo, name }.goes(turns);
    check(
        "functions",
        &[
            ("which classes are in core.py?", "3 classes in shop/core.py"),
            ("give me all functions of core.py", "4 functions in shop/core.py"),
            ("what do they sing?", "the condition on the"),
            ("count them", "the answer before lists"),
            ("which functions are in there?", "4 functions in shop/core.py"),
            ("without the private ones", "6 of these 8 definitions (not private)"),
            ("only the ones starting with print", "2 of these 6 definitions (named `print*`)"),
            ("without print_one", "1 of these 2 functions is left without `print_one`"),
            ("what about the private ones?", "none: 0 of these 2 functions (private)"),
        ],
    );
    check(
        "classes",
        &[
            (
                "which classes in core.py derive from Item?",
                "1 class in core.py is derived from `shop.core.Item` directly, 2 in all",
            ),
            ("what classes are in core.py?", "3 classes in shop/core.py"),
            ("which have a show method?", "2 of these 3 classes define `show`"),
            ("classes in core.py", "3 classes in shop/core.py"),
            ("which have async methods?", "1 of these 3 classes has async methods of its own: `Item` (1)"),
            ("only those derived from Item", "2 of these 3 classes"),
            ("only the direct ones", "1 of these 2 classes directly"),
        ],
    );
    check(
        "impact",
        &[
            ("what happens if I change show_one?", "changing `show_one` affects"),
            ("how many tests are affected?", "changing `show_one` affects"),
            ("how many?", "changing `show_one` affects"),
            ("what about print_one?", "nothing was found that depends on `print_one`"),
        ],
    );
}

/// A session that an earlier version kept goes on: its turns have no more than their lists.
#[test]
fn a_session_of_an_earlier_version_goes_on() {
    let repo = shop();
    let turn = r#"{"question":"methods of Cart","answer":"","subjects":["shop.cart.Cart"],"topic":"shop.cart.Cart","listed":[{"name":"shop.cart.Cart.add","path":"shop/cart.py"},{"name":"shop.cart.Cart.drop","path":"shop/cart.py"}]}"#;
    repo.run(["ask", "--session", "old", "explain check"]).code(0);
    repo.write(".git/repoidx/sessions/old.jsonl", format!("{turn}\n"));
    let talk = Talk { repo: &repo, name: "old" };
    assert_eq!(talk.ask("how many?"), "the answer before lists 2 methods");
    assert_eq!(talk.ask("which of them are documented?"), "1 of these 2 methods (with docstring)");
    assert_eq!(talk.ask("and of Base?"), alone(&repo, "methods of Base"));
}

/// The question before has the part that a follow-up leaves out: the relationship, the list, the file, or the function.
#[test]
fn a_follow_up_takes_what_it_leaves_out_from_the_question_before() {
    let repo = shop();
    let talk = |name: &'static str, turns: &[(&str, &str)]| Talk { repo: &repo, name }.goes(turns);
    talk(
        "functions",
        &[
            ("who calls check?", "`shop.cart.check` is called at 2 places"),
            ("in which functions?", "`shop.cart.check` is called"),
        ],
    );
    talk(
        "any",
        &[
            ("list the classes in shop/cart.py", "3 classes in shop/cart.py"),
            ("any that have a drop method?", "1 of these 3 classes defines `drop`"),
        ],
    );
    talk("there", &[("list functions in shop/cart.py", ""), ("what classes are there?", "3 classes in shop/cart.py")]);
    talk(
        "parameters",
        &[
            ("what is the default of count in Cart.add?", "`count` of `Cart.add` is `1` by default"),
            ("and of item?", "`item` of `Cart.add` has no default"),
            ("what is the default of count?", "`count` of `Cart.add` is `1` by default"),
        ],
    );
}
