//! Questions whose truth hangs on two names: `is A used by B`, turned verbs, and names that nothing here has.

use crate::{harness::TestRepo, strictly::check};

/// A package in which a class uses some functions and has calls on objects of unknown types.
fn shop() -> TestRepo {
    TestRepo::new()
        .file("shop/__init__.py", "")
        .file(
            "shop/base.py",
            "from collections import UserDict\n\n\nclass Stock:\n    def add(self, item):\n        return item\n\n    def size(self):\n        return 0\n\n\nclass Cart(Stock):\n    def add(self, item):\n        return check(item)\n\n    def flush(self, target):\n        target.settle()\n        return [price(one) for one in self.items]\n\n\nclass Book(UserDict):\n    def settle(self):\n        return total(1)\n\n\ndef check(item):\n    return price(item)\n\n\ndef price(item):\n    return item\n",
        )
        .file(
            "shop/money.py",
            "from shop.base import Cart, price\n\n\ndef total(cart):\n    \"\"\"Like price, with Cart.\"\"\"\n    return Cart().add(cart)\n\n\ndef twice(cart):\n    return total(cart) + total(cart)\n\n\ndef split(cart, parts, rest=0):\n    return total(cart)\n\n\ndef all_of(cart):\n    return split(cart, 2) + split(cart, 2, 3)\n",
        )
        .file("tests/test_shop.py", "from shop.money import total\n\n\ndef test_total():\n    assert total(1)\n")
        .commit("first")
}

/// That each name is used somewhere says nothing of whether one is used inside of the other.
#[test]
fn a_use_inside_of_another_definition_is_yes_or_no() {
    check(
        &shop(),
        &[
            (
                "is price used by Cart?",
                "yes: `shop.base.price` is used at 1 place in `shop.base.Cart` (shop/base.py:18)",
            ),
            ("is price called from the class Cart?", "yes: `shop.base.price` is called at 1 place in `shop.base.Cart`"),
            ("does Cart use price?", "yes: `shop.base.price` is used at 1 place in `shop.base.Cart`"),
            (
                "is price called by Cart.add?",
                "no: `shop.base.price` is called nowhere in `shop.base.Cart.add` itself; over others, `shop.base.Cart.add` reaches `shop.base.price` in 2 steps: over `check`",
            ),
            ("is total used in Cart?", "no: `shop.money.total` is used nowhere in `shop.base.Cart`"),
            ("is total never used in Cart?", "yes: `shop.money.total` is used nowhere in `shop.base.Cart`"),
            (
                "is price used by total?",
                "no: `shop.base.price` is used nowhere in `shop.money.total` itself; the word `price` stands there in 1 line, first at shop/money.py:5",
            ),
            ("is price imported by shop.money?", "yes: `shop.base.price` is imported at 1 place in `shop.money`"),
            ("is check imported by shop.money?", "no: `shop.base.check` is imported nowhere in `shop.money`"),
            ("where is price used in Cart?", "`shop.base.price` is used at 1 place in `shop.base.Cart`"),
            (
                "is total tested by test_total?",
                "yes: `shop.money.total` is tested at 1 place in `tests.test_shop.test_total`",
            ),
            ("is check tested by test_total?", "yes: `tests.test_shop.test_total` reaches `shop.base.check`"),
        ],
    );
}

/// `anything in C` is no use of C itself.
#[test]
fn anything_inside_is_asked_of_the_inside_alone() {
    check(
        &shop(),
        &[
            ("does anything in Cart use price?", "yes: `shop.base.price` is used at 1 place in `shop.base.Cart`"),
            ("does any code inside Cart call check", "yes: `shop.base.check` is called at 1 place in `shop.base.Cart`"),
            ("does anything in Stock call total?", "no: `shop.money.total` is called nowhere in `shop.base.Stock`"),
            (
                "does any part of Cart.add use price?",
                "no: `shop.base.price` is used nowhere in `shop.base.Cart.add` itself",
            ),
            ("doesn't anything in Stock use price?", "yes: `shop.base.price` is used nowhere in `shop.base.Stock`"),
            ("does anything in money.py call split?", "yes: `shop.money.split` is called at"),
            ("does anything in money.py call check?", "no: `shop.base.check` is called nowhere in `shop.money`"),
        ],
    );
}

/// Other words for the same question have the same answer.
#[test]
fn a_use_by_us_or_for_something_is_yes_or_no() {
    let yes = "yes: `shop.base.price` is used at 1 place in `shop.base.Cart` (shop/base.py:18)";
    let no = "no: `shop.money.total` is used nowhere in `shop.base.Cart`";
    check(
        &shop(),
        &[
            ("do we use price in Cart?", yes),
            ("are we still using price inside Cart?", yes),
            ("does Cart make use of price?", yes),
            ("Cart uses price, right?", yes),
            ("so price is used by Cart, isn't it?", yes),
            ("is it true that Cart uses price?", yes),
            ("is price needed for Cart?", yes),
            ("do we use total in Cart?", no),
            ("Cart uses total, correct?", no),
            ("is total required for Cart?", no),
            ("Cart never uses total, right?", "yes: `shop.money.total` is used nowhere in `shop.base.Cart`"),
            ("do we call total in Cart?", "no: `shop.money.total` is called nowhere in `shop.base.Cart`"),
        ],
    );
}

/// The places inside of something are not all places.
#[test]
fn places_inside_are_counted_there_alone() {
    let used = "`shop.base.price` is used at 1 place in `shop.base.Cart` (shop/base.py:18)";
    check(
        &shop(),
        &[
            ("where in Cart is price used?", used),
            ("where exactly in Cart do we use price", used),
            ("in which methods of Cart is price used?", used),
            ("where do we use price in Cart?", used),
            (
                "which part of Cart calls check?",
                "`shop.base.check` is called at 1 place in `shop.base.Cart` (shop/base.py:14)",
            ),
            ("which lines of Cart call total?", "`shop.money.total` is called nowhere in `shop.base.Cart`"),
        ],
    );
}

/// An unresolved call on an object of unknown type could be the use that was asked for.
#[test]
fn an_unresolved_occurrence_inside_is_no_no() {
    check(
        &shop(),
        &[(
            "is Book.settle called by Cart.flush?",
            "perhaps: no place is known where `shop.base.Book.settle` is called in `shop.base.Cart.flush`, but 1 unresolved occurrence could be one",
        )],
    );
}

/// The base stands first in the passive voice.
#[test]
fn passive_questions_about_bases_are_turned() {
    check(
        &shop(),
        &[
            ("is Stock inherited by Cart?", "yes: `shop.base.Cart` derives from `shop.base.Stock` directly"),
            ("is Stock subclassed by Cart?", "yes: `shop.base.Cart` derives from `shop.base.Stock` directly"),
            ("is Cart extended by Stock?", "no: `shop.base.Stock` does not derive from `shop.base.Cart`"),
            ("is Stock.add overridden by Cart.add?", "yes: `shop.base.Cart.add` overrides `shop.base.Stock.add`"),
            (
                "is Cart.add overridden by Stock.add?",
                "no: `shop.base.Stock.add` does not override `shop.base.Cart.add`",
            ),
        ],
    );
}

/// A name beside a known one is not dropped without a word; words of the texts are everyday words.
#[test]
fn an_unknown_name_beside_a_known_one_is_said() {
    let repo = shop();
    check(
        &repo,
        &[
            ("does Cart use Gadget?", "nothing here is called `Gadget`, and `shop.base.Cart` does not have the word"),
            ("is Gadget used by Cart?", "nothing here is called `Gadget`"),
            ("is price used by Gadget?", "nothing here is called `Gadget`"),
            ("does Cart.add call frobnicate?", "nothing here is called `frobnicate`"),
            ("how do Cart and Gizmo work together", "nothing here is called `Gizmo`; `shop.base.Cart`"),
            ("explain Cart and frobnicate", "; nothing here is called `frobnicate`"),
            ("what breaks if I change Cart and frobnicate", "; nothing here is called `frobnicate`"),
            ("what is the difference between Cart and Gizmo", "nothing here is called `Gizmo`; "),
        ],
    );
    let plan = repo.run(["ask", "--plan", "--format", "json", "explain Cart and frobnicate"]).code(0).stdout;
    assert!(plan.contains("\"mention\":\"frobnicate\"") || plan.contains("\"mention\": \"frobnicate\""), "{plan}");
    for question in ["explain Cart and items", "how do Cart and the gizmos work together", "explain Cart and parts"] {
        let text = repo.run(["ask", question]).code(0).stdout;
        assert!(!text.contains("nothing here is called"), "{question}\n{text}");
    }
}

/// A set of tests with an unknown name is none: the known one is answered, and the other is said.
#[test]
fn tests_of_a_known_and_an_unknown_name_are_no_panic() {
    check(&shop(), &[("which tests cover Cart.add and Cart.walk", "nothing here is called `Cart.walk`")]);
}

/// A member that a class lacks is not taken from a class that has nothing to do with it.
#[test]
fn a_member_of_an_unrelated_class_is_not_taken() {
    let repo = shop();
    let cases = [
        ("who calls Cart.settle?", "note: `shop.base.Cart` has no `settle` (shop/base.py:12)"),
        (
            "who calls Book.flush?",
            "note: `shop.base.Book` has no `flush`, unless from `collections.UserDict` of a library",
        ),
    ];
    for (question, note) in cases {
        let text = repo.run(["ask", question]).code(0).stdout;
        let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.starts_with("nothing here is called"), "{question}\n{text}");
        assert!(joined.contains(note), "{question}\n{text}");
    }
    // The member of an heir is one of its family.
    check(&repo, &[("who calls Stock.flush?", "`shop.base.Cart.flush`")]);
}

/// The last commit of all is no answer to what one author changed.
#[test]
fn the_commits_of_an_author_are_told_apart() {
    let repo = TestRepo::new().file("app.py", "def f():\n    return 1\n").commit("begin");
    for (text, author, message) in [("2", "Ada Lovelace", "raise the number"), ("3", "Grace Hopper", "raise it again")]
    {
        repo.write("app.py", format!("def f():\n    return {text}\n"));
        repo.git(["-c", &format!("user.name={author}"), "commit", "-aqm", message]);
    }
    check(
        &repo,
        &[
            ("what did Ada Lovelace change last", "Ada Lovelace has 1 commit; the last is of"),
            ("what did Ada change last", "raise the number"),
            ("what did Grace Hopper change in app.py", "Grace Hopper has 1 commit in app.py; the last is of"),
            ("what did Alan Turing change last", "no author of a commit is called `Alan Turing`"),
        ],
    );
}

/// A condition that the answer leaves aside is said.
#[test]
fn a_number_of_uses_that_is_left_aside_is_said() {
    let repo = shop();
    for (question, said) in [
        ("which functions call total more than once", "more than once"),
        ("who calls total at least twice", "at least twice"),
    ] {
        let text = repo.run(["ask", question]).code(0).stdout;
        let note = format!("note: the condition `{said}` is not understood: it is left aside");
        assert!(text.contains(&note), "{question}\n{text}");
    }
    check(
        &repo,
        &[
            ("which calls pass more than two arguments to split", "1 of 2 calls of `shop.money.split` fit"),
            ("which module uses total the most", "`shop.money` uses `total` most, at 3 of 3 places outside of tests"),
        ],
    );
}

/// Several definitions of one short name are told apart.
#[test]
fn definitions_of_one_short_name_are_told_apart() {
    let class = "class Link:\n    def ping(self):\n        return 1\n";
    let repo = TestRepo::new().file("net/__init__.py", "").file("net/part0.py", class).file("net/part1.py", class);
    check(
        &repo.commit("first"),
        &[("what breaks if I change Link.ping", "`net.part0.Link.ping` and `net.part1.Link.ping`")],
    );
}
