//! Questions about one line, given by its number.

use crate::harness::TestRepo;

const CART: &str = r#"import os
from shop.rates import (
    rate,
    spare,
)

# the least amount
LEAST = 3
os.environ.get("SHOP")


def total(
    prices,
    country="de",
):
    """The total.

    With taxes.
    """
    amount = sum(prices)
    if amount > LEAST:
        remove_all(prices)
    amount = amount * rate(country)
    report = str(amount)
    return report


def remove_all(prices):
    left = [price for price in prices]
    for price in left:
        prices.remove(price)
"#;

fn shop() -> TestRepo {
    TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file("README.md", "# Shop\n\nIt sells things.\n")
        .file("shop/__init__.py", "")
        .file("shop/rates.py", "def rate(country):\n    return 1\n\n\ndef spare():\n    return 2\n")
        .file("shop/cart.py", CART)
        .file(
            "tests/test_cart.py",
            "from shop.cart import LEAST, total\n\n\ndef test_total():\n    assert total([LEAST])\n",
        )
        .commit("sell")
}

/// The first lines of the answers begin so.
fn check(cases: &[(&str, &str)]) {
    let repo = shop();
    for (question, wanted) in cases {
        let text = repo.run(["ask", "-q", question]).code(0).stdout;
        let first = text.split("\n= ").next().unwrap_or_default().split("\n\n").next().unwrap_or_default();
        let found = first.replace('\n', " ");
        assert!(found.starts_with(wanted), "{question}\n  wanted {wanted}\n  found  {found}\n{text}");
    }
}

#[test]
fn a_line_is_answered_by_its_statement_and_the_names_that_it_binds() {
    check(&[
        (
            "what does line 24 of cart.py do?",
            "line 24 of shop/cart.py stands in `total` (shop/cart.py:12): it is `report = str(amount)`; it refers to no \
             definition here; `report` is read in line 25",
        ),
        (
            "which function is line 22 of shop/cart.py in",
            "line 22 of shop/cart.py stands in `total` (shop/cart.py:12): it is `remove_all(prices)`; it calls `remove_all`",
        ),
        (
            "explain shop/cart.py:3",
            "line 3 of shop/cart.py is `rate,`, a part of the statement `from \
             shop.rates import (` of lines 2-5 at the level of the module `shop.cart`; it imports",
        ),
        (
            "what is line 14 of cart.py",
            "line 14 of shop/cart.py is `country=\"de\",`, a part of the statement `def total(` of lines 12-15 in the head of `total` (shop/cart.py:12); it refers to no definition here; `country` is read in line 23",
        ),
        (
            "what is line 2 of cart.py",
            "line 2 of shop/cart.py stands at the level of the module `shop.cart`: it is `from shop.rates import (`, the first \
             of a statement of lines 2-5; it imports",
        ),
        (
            "explain lines 20-22 of cart.py",
            "lines 20-22 of shop/cart.py stand in `total` (shop/cart.py:12): they begin with `amount = sum(prices)`",
        ),
        (
            "what is line 2 of remove_all",
            "line 29 of shop/cart.py stands in `remove_all` (shop/cart.py:28): it is `left = ",
        ),
        (
            "what is line 3 of README.md",
            "line 3 of README.md is `It sells things.`, in a document: no code depends on it",
        ),
        (
            "which tests cover line 22 of cart.py",
            "line 22 of shop/cart.py stands in `total` (shop/cart.py:12): it is `remove_all(prices)`; 1 test concerns `total`",
        ),
        ("who last changed line 22 of cart.py", "line 22 of shop/cart.py was last changed by "),
    ]);
}

#[test]
fn the_change_of_a_line_is_answered_by_its_effect() {
    check(&[
        (
            "what happens if I delete line 24 of cart.py",
            "line 24 of shop/cart.py stands in `total` (shop/cart.py:12): it is `report = str(amount)`; it refers to no \
             definition here; without it `report` is not bound, and line 25 reads it; changing `total` affects 1 \
             definition (directly)",
        ),
        ("does it break anything if I delete shop/cart.py:24", "yes: line 24 of shop/cart.py stands in `total`"),
        ("is it safe to delete line 24 of cart.py", "no: line 24 of shop/cart.py stands in `total`"),
        ("can line 7 of cart.py be removed", "yes: line 7 of shop/cart.py stands at the level of the module"),
        (
            "what breaks if I delete line 20 in cart.py",
            "line 20 of shop/cart.py stands in `total` (shop/cart.py:12): it is `amount = sum(prices)`; it refers to no \
             definition here; `amount` is read in lines 21, 23 and 24 and bound again in line 23; changing `total`",
        ),
        (
            "delete line 22 of cart.py",
            "line 22 of shop/cart.py stands in `total` (shop/cart.py:12): it is `remove_all(prices)`; it calls \
             `remove_all`; without it the file does not parse: the block of line 21 is empty; changing `total`",
        ),
        (
            "what happens if I remove line 21 of cart.py",
            "line 21 of shop/cart.py stands in `total` (shop/cart.py:12): it is `if amount > LEAST:`; it reads `LEAST`; \
             without it the file does not parse: the block at line 22 loses its head; changing `total`",
        ),
        (
            "what breaks if I delete line 8 of cart.py",
            "line 8 of shop/cart.py stands at the level of the module `shop.cart`: it is `LEAST = 3`; it sets `LEAST`; \
             without it `LEAST` is not bound, and line 21 reads it; removing `LEAST` affects 3 definitions",
        ),
        (
            "what breaks if I delete line 3 of cart.py",
            "line 3 of shop/cart.py is `rate,`, a part of the statement `from \
             shop.rates import (` of lines 2-5 at the level of the module `shop.cart`; it imports",
        ),
        (
            "what breaks if I change line 13 of cart.py",
            "line 13 of shop/cart.py is `prices,`, a part of the statement `def total(` of lines 12-15 in the head of `total` (shop/cart.py:12); it refers to no definition here; `prices` is read in lines 20 and 22; changing \
             the signature of `total`",
        ),
        (
            "what happens if I delete line 9 of cart.py",
            "line 9 of shop/cart.py stands at the level of the module `shop.cart`: it is",
        ),
        (
            "what happens if I delete line 25 of cart.py",
            "line 25 of shop/cart.py stands in `total` (shop/cart.py:12): it is `return report`; it refers to no definition \
             here; without it the function runs on, and returns `None` at its end; changing `total`",
        ),
        (
            "what will break if I remove the line 'report = str(amount)' of the function total",
            "line 24 of shop/cart.py stands in `total` (shop/cart.py:12): it is `report = str(amount)`",
        ),
    ]);
}

#[test]
fn lines_without_code_are_said_to_be_so() {
    check(&[
        (
            "what happens if I delete line 18 of cart.py",
            "line 18 of shop/cart.py stands in `total` (shop/cart.py:12): it is `With taxes.` in a docstring or another \
             string that nothing reads; nothing that runs changes",
        ),
        (
            "does anything break if I delete line 7 of cart.py",
            "no: line 7 of shop/cart.py stands at the level of the module `shop.cart`: it is a comment, `# the least \
             amount`; nothing that runs changes",
        ),
        (
            "what does line 6 of cart.py do",
            "line 6 of shop/cart.py stands at the level of the module `shop.cart`: it is blank",
        ),
        ("what does line 99 of cart.py do", "there is no line 99 in shop/cart.py, which has 31 lines"),
        ("what happens if I delete line 3 of none.py", "no indexed file is called `none.py`: it has no line 3 here"),
        ("what happens if I delete line 3", "the question names no file that has a line 3: ask for `line 3 of FILE`"),
        ("what is line 9 of remove_all", "`remove_all` has no line 9: it has 4 lines, shop/cart.py:28"),
    ]);
}

#[test]
fn lines_that_set_a_name_are_those_of_the_place_that_is_asked_about() {
    const REQUEST: &str = r#"class Base:
    limit: int


class Request(Base):
    limit: int

    def __init__(self):
        self._media: object = None
        self.limit: int = 3

    def media(self, rv, age=None):
        kind, rv = rv
        if age is None:
            age = rv
        self._media = kind
        kind.age = age
        return self._media
"#;
    let repo = TestRepo::new()
        .file("shop/__init__.py", "")
        .file("shop/request.py", REQUEST)
        .file(
            "shop/response.py",
            "class Response:\n    def __init__(self):\n        self._media = None\n        self.kind = 1\n",
        )
        .file("tests/test_rv.py", "class Rv:\n    pass\n")
        .commit("sell");
    for (question, wanted) in [
        (
            "which line sets self._media in shop/request.py",
            "`self._media` is set at 2 places in shop/request.py: lines 9 and 16",
        ),
        (
            "which line sets Request._media in shop/request.py",
            "`Request._media` is set at 2 places in shop/request.py: lines 9 and 16",
        ),
        ("which line sets kind in shop/request.py", "`kind` is set at 1 place in shop/request.py: line 13"),
        ("where is the variable rv set in shop/request.py", "`rv` is set at 1 place in shop/request.py: line 13"),
        ("which line sets self.limit in file request.py", "`self.limit` is set at 1 place in shop/request.py: line 10"),
        ("which line sets self.kind in shop/request.py", "no line of shop/request.py sets `self.kind`"),
        (
            "which line sets limit in the class Base",
            "no line of `shop.request.Base` sets `limit`; line 2 only declares `Base.limit`",
        ),
        (
            "which line assigns age in media",
            "`age` is set at 1 place in `shop.request.Request.media`: line 15 of shop/request.py",
        ),
    ] {
        let text = repo.run(["ask", "-q", question]).code(0).stdout;
        assert!(text.starts_with(&format!("{wanted}\n")), "{question}\n  wanted {wanted}\n{text}");
    }
}
