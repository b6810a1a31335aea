//! Questions whose verb can be turned: what a definition refers to against who refers to it, what a method overrides
//! against who overrides it, what an exception is against where it is raised.

use crate::{harness::TestRepo, strictly::check};

fn repo() -> TestRepo {
    TestRepo::new()
        .file(
            "shop.py",
            "from errors import CartError\n\n\nRATE = 2\n\n\nclass Base:\n    def total(self, call=None):\n        return call\n\n    def add(self):\n        return 0\n\n\nclass Cart(Base):\n    \"\"\"Holds items.\"\"\"\n\n    def total(self, call=None):\n        try:\n            return price(self) * RATE\n        except (KeyError, CartError) as error:\n            raise CartError from error\n        except ValueError:\n            return 0\n\n\ndef price(cart):\n    return 1\n\n\ndef main():\n    return Cart().total(call=1)\n",
        )
        .file(
            "errors.py",
            "class CartError(Exception):\n    \"\"\"Raised for a broken cart.\"\"\"\n\n    def __init__(self, why):\n        self.why = why\n\n\nclass LonelyError(Exception):\n    \"\"\"Nobody raises it.\"\"\"\n",
        )
        .commit("first")
}

#[test]
fn what_a_definition_refers_to_is_no_question_for_its_users() {
    let uses = "`shop.Cart.total` uses 3 definitions";
    let calls = "`shop.Cart.total` calls 2 definitions: `price`, `CartError`";
    check(
        &repo(),
        &[
            ("what does Cart.total refer to?", uses),
            ("which definitions does the method Cart.total refer to", uses),
            ("callees of Cart.total", uses),
            ("references made by Cart.total", uses),
            ("dependencies of the method Cart.total", uses),
            ("dependencies of class Cart", "`shop.Cart` uses"),
            ("which functions are called inside Cart.total", calls),
            ("which functions are called within Cart.total", calls),
            ("what is called in Cart.total", calls),
            ("who is called by Cart.total", calls),
            ("what calls does Cart.total make?", calls),
            // The other way round.
            ("who refers to Cart.total", "`shop.Cart.total` is used"),
            ("references to Cart.total", "`shop.Cart.total` is used"),
            ("who is price called by", "`shop.price` is called at 1 place"),
            ("where is price called", "`shop.price` is called at 1 place"),
        ],
    );
}

#[test]
fn what_a_method_overrides_stands_above_it() {
    let above = "`shop.Cart.total` overrides `shop.Base.total` (shop.py:8)";
    let below = "`shop.Base.total` is overridden 1 time: by `Cart`";
    check(
        &repo(),
        &[
            ("what does Cart.total override", above),
            ("which method does Cart.total override?", above),
            ("which method is overridden by Cart.total", above),
            ("what does Base.add override", "`shop.Base.add` overrides nothing of the repository"),
            ("does Cart.total override anything", "yes: `Cart.total` overrides"),
            ("what overrides Base.total", below),
            ("who overrides Base.total", below),
            ("is Base.total overridden", below),
        ],
    );
}

#[test]
fn what_an_exception_is_comes_before_where_it_is_raised() {
    check(
        &repo(),
        &[
            ("what is CartError", "`errors.CartError`: Raised for a broken cart"),
            ("what is the class CartError?", "`errors.CartError`: Raised for a broken cart"),
            ("what is LonelyError?", "`errors.LonelyError`: Nobody raises it"),
            ("source of CartError", "`errors.CartError` is the class at errors.py:1-5"),
            ("show the constructor of CartError", "`errors.CartError.__init__` is the method at errors.py:4-5"),
            ("where is CartError raised", "`CartError` is raised in `Cart.total`"),
            ("who raises CartError", "`CartError` is raised in `Cart.total`"),
            (
                "which exceptions does Cart.total catch?",
                "`Cart.total` catches `KeyError`, `CartError` and `ValueError`, first at shop.py:21",
            ),
            ("which exceptions does price catch", "`price` catches nothing itself: no `except` stands in it"),
            ("which exceptions does Cart.total raise", "`Cart.total` raises `CartError`"),
        ],
    );
}

#[test]
fn a_parameter_named_like_a_part_of_code_is_a_parameter() {
    check(
        &repo(),
        &[
            ("what if I drop the call parameter of Cart.total?", "removing `call` of `Cart.total` breaks 1 of 1 call"),
            ("simplify CartValidator", "nothing here is called `CartValidator`"),
        ],
    );
}

/// `delta` calls `_gamma`, which calls `beta`, which calls `alpha`.
fn chain() -> TestRepo {
    TestRepo::new()
        .file("pytest.ini", "[pytest]\n")
        .file(
            "steps.py",
            "def alpha():\n    return 1\n\n\ndef beta():\n    return alpha()\n\n\ndef _gamma():\n    return beta()\n\n\ndef delta():\n    return _gamma()\n",
        )
        .file(
            "tests/test_steps.py",
            "from steps import alpha, delta\n\n\ndef test_alpha():\n    assert alpha()\n\n\ndef test_delta():\n    assert delta()\n",
        )
        .commit("first")
}

#[test]
fn trees_of_callers_and_of_callees_have_their_direction() {
    let callers = "`alpha` is reached from";
    let callees = "`delta` calls `_gamma`; over at most 6 steps it reaches 3 definitions";
    check(
        &chain(),
        &[
            ("caller hierarchy of alpha", callers),
            ("show me the callers tree of alpha", callers),
            ("reverse call graph of alpha", callers),
            ("upstream callers of alpha", callers),
            ("call tree of delta", callees),
            ("everything reachable from delta", callees),
            ("which functions are reachable from delta?", callees),
            ("transitive callees of delta", callees),
            ("downstream calls of delta", callees),
            ("what can delta reach?", callees),
            ("callees of delta up to depth 2", "`delta` calls `_gamma`; over at most 2 steps it reaches 2 definitions"),
        ],
    );
}

#[test]
fn conditions_on_chains_of_calls_are_kept() {
    check(
        &chain(),
        &[
            ("callers of alpha up to depth 1", "; only what is at most 1 step away"),
            ("which public functions end up calling alpha?", "2 public functions outside of tests reach `alpha`: "),
            (
                "which tests reach alpha indirectly?",
                "1 test reaches `alpha` only over other definitions; 1 more directly",
            ),
        ],
    );
}

/// The reach of a change has many names, and each end of a path can be the one that is asked about.
#[test]
fn the_reach_of_a_change_is_told_in_every_direction() {
    let repo = repo();
    check(
        &repo,
        &[
            ("what is upstream of price?", "`price` is reached from"),
            ("what is downstream of Cart.total?", "`Cart.total` calls"),
            ("reverse dependencies of price", "changing `price` affects"),
            ("list the dependents of price", "changing `price` affects"),
            ("how far does a change of price reach?", "changing `price` affects"),
            ("what's the blast radius of price?", "changing `price` affects"),
            ("how is price reached from main?", "`shop.main` reaches `shop.price`"),
            ("who calls price through Cart.total?", "`shop.Cart.total` reaches `shop.price` in 1 step"),
            ("which modules are affected if I change price?", "1 module is affected (`shop`)"),
            ("what public API is affected by changing price?", "2 public functions outside of tests reach `price`: "),
            ("public API affected by price", "2 public functions outside of tests reach `price`: "),
            ("which of our public functions depend on price?", "2 public functions outside of tests reach `price`: "),
            ("is any public function affected by price?", "yes: `price` is public itself; 2 public functions"),
            ("callers of callers of price", "1 definition outside of tests is 2 steps away: `shop.main`; "),
            ("which functions in shop depend on price?", "2 functions in shop reach `price`: "),
            ("which functions depend on price?", "2 functions outside of tests reach `price`: "),
            (
                "which public methods are affected by changing price?",
                "1 public method outside of tests reaches `price`: ",
            ),
            (
                "does anything outside of shop depend on price",
                "no: no definition outside of shop and of tests is known",
            ),
            (
                "which functions are two calls away from price",
                "1 function outside of tests reaches `price` in exactly 2 steps: ",
            ),
            ("which function uses price most?", "`shop.Cart.total` uses `price` most, at 1 of 1 place"),
            ("is main affected if I change price?", "yes: `shop.main` reaches `shop.price` in 2 steps"),
            ("who relies on price?", "changing `price` affects"),
            ("what breaks if I touch price?", "changing `price` affects"),
        ],
    );
}

/// A private module that a package passes on.
fn passed_on() -> TestRepo {
    TestRepo::new()
        .file("web/__init__.py", "from ._client import Client, fetch\n\n__all__ = [\"Client\", \"fetch\"]\n")
        .file(
            "web/_client.py",
            "def _url():\n    return 1\n\n\nclass Base:\n    def build(self):\n        return _url()\n\n\nclass Client(Base):\n    def send(self):\n        return self._send()\n\n    def _send(self):\n        return _url()\n\n\nclass Hidden:\n    def look(self):\n        return _url()\n\n\ndef fetch():\n    return Client().send()\n\n\ndef _unused():\n    return _lonely()\n\n\ndef _lonely():\n    return 2\n",
        )
        .commit("first")
}

/// `Base.build` is a method of `Client`; nobody outside can import `Hidden`.
#[test]
fn what_a_package_passes_on_is_public() {
    let public = "3 public functions outside of tests reach `_url`: `web._client.Base.build`, `web._client.Client.send` \
                  and `web._client.fetch`; ";
    let yes = "yes: 3 public functions and methods outside of tests reach it: ";
    check(
        &passed_on(),
        &[
            ("what public API is affected if I change _url?", public),
            ("which public functions break if I change _url?", public),
            ("is the public API affected if I change _url?", yes),
            ("does changing _url affect the public API?", yes),
            ("is the public API affected if I change fetch?", "yes: `fetch` is public itself; "),
            (
                "is the public API affected if I change _lonely?",
                "no: no public function or method outside of tests is known to reach it",
            ),
            (
                "is web.fetch affected if I change Client.send?",
                "yes: `web._client.fetch` reaches `web._client.Client.send`",
            ),
            ("does changing _url affect web.fetch?", "yes: `web._client.fetch` reaches `web._client._url`"),
        ],
    );
}

#[test]
fn callers_at_every_level_have_many_wordings() {
    let reached = "`_url` is reached from";
    check(
        &passed_on(),
        &[
            ("how does _url get called?", reached),
            ("callers of _url, all levels", reached),
            ("through which functions is _url reached?", reached),
            ("reverse closure of _url", reached),
            ("downstream users of _url", reached),
        ],
    );
}

#[test]
fn the_classes_that_use_something_are_counted() {
    check(
        &passed_on(),
        &[
            (
                "which classes use _url?",
                "`web._client._url` is used in 3 classes (`web._client.Base`, `web._client.Client` and `web._client.Hidden`), \
                 at 3 places",
            ),
            ("which classes depend on _lonely?", "`web._client._lonely` is used in no class, at 1 place"),
            ("which gadgets use _url?", "which users are `gadgets` cannot be told; in all: "),
        ],
    );
}
