//! Requests of a task, searches for a topic among definitions of a kind, and questions about the whole repository.

use crate::{harness::TestRepo, strictly::check};

fn shop() -> TestRepo {
    TestRepo::new()
        .file("README.md", "# Shop\n\n[![badge](x)](y)\n\nShop sells things to\npeople with [patience][p]. It is small.\n")
        .file("src/shop/__init__.py", "")
        .file(
            "src/shop/cart.py",
            "\"\"\"Carts of customers.\"\"\"\n\nfrom shop.colors import paint\n\nDEFAULT_TIMEOUT = 3\nMAX_ITEMS = 9\n\n\nclass Cart:\n    def __init__(self):\n        self.prices = []\n\n    def add(self, price):\n        self.prices.append(price)\n        return self.total()\n\n    def total(self):\n        \"\"\"Sums the prices.\"\"\"\n        return sum(self.prices)\n\n    def export_html(self):\n        return paint(self.total())\n\n    def close(self):\n        pass\n\n\nclass Till:\n    def total(self):\n        return 0\n\n    def close(self):\n        pass\n\n\ndef report(cart):\n    return cart.prices\n",
        )
        .file("src/shop/colors.py", "def paint(text):\n    return text\n\n\nclass ColorTable:\n    \"\"\"Draws a table of colors.\"\"\"\n")
        .file("tests/test_cart.py", "from shop.cart import Cart\n\n\ndef test_add():\n    assert Cart().add(1) == 1\n\n\ndef test_export():\n    assert Cart().export_html() == 0\n")
        .commit("first")
}

/// The words that state the task are no part of what it is about, wherever they stand.
#[test]
fn a_task_is_answered_for_files_and_definitions_alike() {
    let cart = "src/shop/cart.py: 10 definitions; public without a docstring: 8";
    check(
        &shop(),
        &[
            ("refactor Cart.add", "`Cart.add` (method at src/shop/cart.py:13-15, 3 lines) has no docstring"),
            ("could Cart.add be simplified?", "`Cart.add` (method at"),
            ("give me refactoring ideas for Cart.add", "`Cart.add` (method at"),
            ("tell me about Cart and how I could improve it", "`Cart` (class at"),
            ("review src/shop/cart.py and tell me what is missing", cart),
            ("improve the readability of src/shop/cart.py", cart),
            ("are there any code smells in src/shop/cart.py?", cart),
            (
                "what's wrong with src/shop/cart.py",
                "bugs are not looked for; known is: src/shop/cart.py: 10 definitions",
            ),
            (
                "improve the error handling in Cart.add",
                "`error` and `handling` are not understood; without them: `Cart.add`",
            ),
            ("write docstrings for all functions in src/shop/cart.py", "8 of 9 public definitions have no docstring"),
            (
                "walk me through src/shop/cart.py",
                "src/shop/cart.py: Carts of customers; it has 2 classes (`Cart` and `Till`), 1 function (`report`) and 2 variables",
            ),
            ("summarize src/shop/cart.py for a new developer", "src/shop/cart.py: Carts of customers"),
        ],
    );
}

/// The kind, the class and the file limit the list, and the command that is printed has them.
#[test]
fn a_topic_is_looked_for_among_definitions_of_the_kind() {
    check(
        &shop(),
        &[
            (
                "constants about timeouts",
                "nearest by name: `shop.cart.DEFAULT_TIMEOUT` at src/shop/cart.py:5 = repoidx search timeouts --kind variable --tests none --is constant",
            ),
            (
                "classes that draw tables",
                "nearest in meaning: `shop.colors.ColorTable` at src/shop/colors.py:5 = repoidx search 'draw tables' --kind class --tests none",
            ),
            ("methods of Cart about exporting", "nearest in meaning in `Cart`: `shop.cart.Cart.export_html`"),
            (
                "which functions in src/shop/colors.py deal with painting",
                "= repoidx search painting --kind function --kind method --kind property --in src/shop/colors.py",
            ),
            ("tests about exporting", "--is test"),
        ],
    );
}

/// Everyday questions about all of the code are told by their words in any order.
#[test]
fn the_whole_repository_is_asked_about_in_everyday_words() {
    check(
        &shop(),
        &[
            ("what does this library do", "Shop sells things to people with patience (README.md:5); "),
            (
                "where do I start reading?",
                "begin with README.md:5 (Shop sells things to people with patience), `shop.c",
            ),
            ("is everything documented?", "no: 9 of 11 definitions (public) outside of tests have no docstring"),
            ("are there any bugs in this code?", "not known: nothing here looks for bugs; no file has syntax errors"),
            ("are there any failing tests", "not known: no test is run here, `pytest` would run them; 2 tests"),
            ("does this repo have a CLI", "no entry point is declared"),
            ("which folders does it consist of", "2 folders at the top: `src` and `tests`; 1 more below them"),
            ("what are the main packages", "1 package: `shop`"),
            ("which module do most others depend on", "the most used module outside of tests is `shop"),
        ],
    );
}

/// A name of several definitions lists them, and a member belongs to the class that the question gives.
#[test]
fn an_ambiguous_name_is_listed_or_settled_by_its_class() {
    check(
        &shop(),
        &[
            ("where is close defined", "2 definitions outside of tests (named `close`)"),
            ("where is total defined in Till", "`shop.cart.Till.total` is the method at src/shop/cart.py:29-30"),
            ("what does self.total in Cart.add call", "`shop.cart.Cart.total` is the method at src/shop/cart.py:17-19"),
            ("which class is self in Cart.add", "is defined in `Cart`"),
            ("who uses prices in Cart", "`shop.cart.Cart.prices` is used"),
        ],
    );
}

/// Two files are compared by what one uses of the other.
#[test]
fn two_files_are_related_by_what_they_use() {
    let related = "`shop.cart` uses 1 definition of `shop.colors`: `paint`; `shop.colors` uses nothing of `shop.cart`; `shop.cart` has 5 definitions; `shop.colors` has 2 definitions";
    check(
        &shop(),
        &[
            ("compare src/shop/cart.py and src/shop/colors.py", related),
            ("how are cart.py and colors.py related?", related),
            ("what is the difference between cart.py and colors.py", related),
        ],
    );
}
