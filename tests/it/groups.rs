//! Questions about more than one definition under one name: packages, families of classes, fixtures of one name.

use crate::{harness::TestRepo, strictly::check};

/// A package with two modules besides its own file, a family of classes, a module in the plural, and tests.
fn shop() -> TestRepo {
    TestRepo::new()
        .file("pytest.ini", "[pytest]\npythonpath = src\n")
        .file("src/shop/__init__.py", "\"\"\"A shop, with a `cart`.\"\"\"\n")
        .file("src/shop/texts.py", "NAMES = [\"\", 'cart']\n")
        .file("src/shop/cart/__init__.py", "from .rules import check as check\n")
        .file("src/shop/cart/rules.py", "def check(cart):\n    return limit(cart) > 0\n\n\ndef limit(cart):\n    return len(cart)\n")
        .file("src/shop/cart/total.py", "from .rules import check\n\n\ndef total(cart):\n    return check(cart)\n\n\ndef unused(cart):\n    return cart\n")
        .file(
            "src/shop/media/base.py",
            "class BaseHandler:\n    def load(self):\n        return 1\n\n    def hidden(self):\n        return 2\n\n\nclass JSONHandler(BaseHandler):\n    pass\n\n\nclass TextHandler(BaseHandler):\n    pass\n",
        )
        .file("src/shop/media/__init__.py", "")
        .file("src/shop/converters.py", "def to_int(value):\n    return int(value)\n\n\ndef to_str(value):\n    return str(value)\n")
        .file("tests/conftest.py", "import pytest\n\n\n@pytest.fixture\ndef user():\n    return 1\n")
        .file(
            "tests/test_cart.py",
            "import pytest\nfrom shop.cart import check\nfrom shop.cart.total import total\n\n\n@pytest.fixture\ndef client():\n    return 1\n\n\ndef test_check(client):\n    assert check([client])\n\n\ndef test_total(user):\n    assert total([user])\n",
        )
        .file(
            "tests/test_media.py",
            "import pytest\nfrom shop import converters\nfrom shop.media.base import JSONHandler, TextHandler\n\n\n@pytest.fixture\ndef client():\n    return 2\n\n\ndef test_json(client):\n    assert JSONHandler().load() < client\n\n\ndef test_text():\n    assert TextHandler().load()\n\n\ndef test_int():\n    assert converters.to_int(\"1\") == 1\n    assert converters.to_str(1) == \"1\"\n",
        )
        .file(
            "tests/test_more.py",
            "import pytest\n\n\n@pytest.fixture\ndef client():\n    return 3\n\n\ndef test_more(client):\n    assert client\n",
        )
        .file(
            "tests/test_most.py",
            "import pytest\n\n\n@pytest.fixture\ndef client():\n    return 4\n\n\ndef test_most(client):\n    assert client\n",
        )
        .commit("first")
}

/// A package named with dots is all its modules, as its folder is; its file is one module.
#[test]
fn a_package_is_all_its_modules() {
    let repo = shop();
    check(
        &repo,
        &[
            ("which tests use shop.cart?", "2 tests concern the package `shop.cart` with its 3 modules"),
            ("which tests use the folder src/shop/cart?", "2 tests concern"),
            ("is shop.cart tested?", "yes: 2 tests concern the package `shop.cart` with its 3 modules"),
            ("what breaks if I change shop.cart?", "changing the package `shop.cart` with its 3 modules affects"),
            ("which functions in shop.cart are untested?", "1 of 4 functions is not reached by any test"),
        ],
    );
    let package = repo.run(["impact", "shop.cart"]).code(0).stdout;
    assert!(package.starts_with("changing the package `shop.cart` (3 modules) affects"), "{package}");
    assert!(package.contains("2 tests to run"), "{package}");
    let file = repo.run(["impact", "src/shop/cart/__init__.py"]).code(0).stdout;
    assert!(file.starts_with("changing `shop.cart` affects"), "{file}");
}

/// A module has no name that a text could have: an empty one is never said.
#[test]
fn a_module_has_no_empty_name() {
    let text = shop().run(["ask", "is shop.texts tested?"]).code(0).stdout;
    assert!(!text.contains("``"), "{text}");
}

/// All of a family are the classes of it, all of a module what it defines, and nothing else is everything.
#[test]
fn plural_subjects_are_a_family_or_a_module() {
    check(
        &shop(),
        &[
            (
                "are all converters tested?",
                "yes: as far as the source tells, every one of these 2 definitions is reached",
            ),
            ("does every converter have a test?", "every one of these 2 definitions is reached"),
            ("which converters are untested?", "none: as far as the source tells, every one of these 2 definitions"),
            ("does every media handler have a test?", "yes: as far as the source tells, every one of these 3 classes"),
            ("are all handlers tested?", "yes: as far as the source tells, every one of these 3 classes"),
            ("are all widgets tested?", "nothing here is called `widgets`"),
            ("does every widget have a test?", "nothing here is called `widget`"),
            ("which widgets are untested?", "nothing here is called `widgets`"),
            ("are all functions tested?", "no: "),
            ("which functions are untested?", "not reached by any test"),
        ],
    );
}

/// A fixture is named by a plain word too, and its name may have several fixtures.
#[test]
fn fixtures_are_named_by_plain_words() {
    check(
        &shop(),
        &[
            ("which tests use the user fixture?", "1 test concerns `user`"),
            ("which tests use the fixture user?", "1 test concerns `user`"),
            ("which tests use the fixture client?", "4 tests concern the 4 fixtures `client`"),
            ("list all test fixtures", "5 fixtures"),
            ("which fixtures exist?", "5 fixtures"),
            ("list all fixtures", "5 fixtures"),
        ],
    );
}

/// An import stands in a file: tests that import a module are the files with such an import.
#[test]
fn tests_that_import_are_files() {
    check(
        &shop(),
        &[("which tests import shop.media.base?", "`shop.media.base` is imported in 1 module, at 1 place in tests")],
    );
}
