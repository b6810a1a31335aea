//! Questions with names that are easily mistaken: inherited ones, ones like those of files, unknown ones beside known.

use crate::{harness::TestRepo, strictly::check};

/// Two classes share a name, and one derives from the other; a third one inherits from another base.
fn shop() -> TestRepo {
    TestRepo::new()
        .file(
            "src/shop/base.py",
            "class Shelf:\n    def put(self, item):\n        return item\n\n    def json(self):\n        return '{}'\n\n    def md(self):\n        return ''\n",
        )
        .file("src/shop/plain.py", "from .base import Shelf\n\n\nclass Basket(Shelf):\n    pass\n")
        .file(
            "src/shop/full.py",
            "from .base import Shelf\nfrom .plain import Basket as PlainBasket\n\n\nclass Basket(PlainBasket):\n    pass\n\n\nclass Crate(Shelf):\n    pass\n",
        )
        .file("src/shop/wood.py", "class Board:\n    def cut(self):\n        return 1\n\n\nclass Crate(Board):\n    pass\n")
        .file("src/shop/iron.py", "class Sheet:\n    def cut(self):\n        return 2\n\n\nclass Crate(Sheet):\n    pass\n")
        .file("src/shop/__init__.py", "")
        .file(
            "src/shop/use.py",
            "from .full import Basket\n\n\ndef fill():\n    return Basket().put(1)\n\n\ndef print_all():\n    return Basket().json()\n",
        )
        .file("README.md", "# Shop\n\nA shop.\n")
        .commit("first")
}

/// A member is found in the bases of all classes of one name.
#[test]
fn a_member_inherited_by_one_of_several_classes_of_a_name_is_known() {
    let repo = shop();
    check(
        &repo,
        &[
            ("who calls Basket.put?", "`shop.base.Shelf.put` is called at 1 place"),
            ("where is Basket.put defined?", "`shop.base.Shelf.put` is the method at src/shop/base.py:2-3"),
            ("what breaks if I rename Basket.put?", "renaming `Shelf.put` affects"),
            ("who calls Crate.put?", "`shop.base.Shelf.put` is called at 1 place"),
            ("where is Crate.cut defined?", "note: `Crate.cut` is `shop.iron.Sheet.cut` and `shop.wood.Board.cut`"),
        ],
    );
    let shown = repo.run(["show", "Basket.put"]).code(0).stdout;
    assert!(shown.contains("shop.base.Shelf.put") && shown.contains("shop.full.Basket"), "{shown}");
    let places = repo.run(["refs", "Basket.put"]).code(0).stdout;
    assert!(places.contains("src/shop/use.py:5"), "{places}");
}

/// A member that is called like the ending of a file is no file; a document of that name, or a name that the question
/// calls a file, is.
#[test]
fn a_member_that_looks_like_the_ending_of_a_file_is_a_member() {
    check(
        &shop(),
        &[
            ("who calls Shelf.json?", "`shop.base.Shelf.json` is called at 1 place"),
            ("who calls Basket.json?", "`shop.base.Shelf.json` is called at 1 place"),
            ("where is shop.base.Shelf.md defined?", "`shop.base.Shelf.md` is the method at src/shop/base.py:8-9"),
            ("is Shelf.json tested?", "no tests are indexed at all, so none concerns `Shelf.json`"),
            ("signature of Shelf.json", "`Shelf.json(self)`"),
            ("does the file Shelf.json exist?", "no: no indexed file is called `Shelf.json`"),
            ("which sections are in README.md?", "README.md has 1 section"),
        ],
    );
}

/// A word with a capital letter beside a known name is a name, wherever it stands.
#[test]
fn an_unknown_name_beside_a_known_one_is_named() {
    check(
        &shop(),
        &[
            ("how are Shelf and Gadget related?", "nothing here is called `Gadget`"),
            ("what do Shelf and Gadget have in common?", "nothing here is called `Gadget`"),
            ("where are Shelf and Gadget defined?", "nothing here is called `Gadget`"),
            ("what does Shelf do with a Gadget?", "nothing here is called `Gadget`"),
            ("how does Shelf talk to Gadget?", "nothing here is called `Gadget`"),
            ("if I rename Shelf and Gadget what fails?", "nothing here is called `Gadget`"),
            ("if I delete Shelf.put and frobnicate what breaks?", "nothing here is called `frobnicate`"),
            ("show Shelf.put and Shelf.putt", "nothing here is called `Shelf.putt`"),
            ("is Gadget derived from Shelf?", "nothing here is called `Gadget`"),
            ("do Board and Gadget share a base class?", "nothing here is called `Gadget`"),
            ("can Shelf reach Gadget?", "nothing here is called `Gadget`"),
            ("does fill end up calling Gadget?", "no: nothing here is called `Gadget`"),
        ],
    );
}

/// Words that are no names, and authors, are not called unknown.
#[test]
fn ordinary_words_beside_a_name_are_no_unknown_names() {
    let repo = shop();
    for question in [
        "Hello Claude, who calls Shelf.put?",
        "In Python, who calls Shelf.put?",
        "who calls Shelf.put in Python?",
        "which commits by Miller changed Shelf?",
        "how do Shelf and its heirs work?",
    ] {
        let text = repo.run(["ask", question]).code(0).stdout;
        assert!(!text.contains("nothing here is called"), "{question}\n{text}");
    }
}

/// Functions with and without a parameter, and one that takes any keyword.
fn calls() -> TestRepo {
    TestRepo::new()
        .file(
            "post.py",
            "SPEED = 1\n\n\ndef send(letter, speed=SPEED):\n    return letter\n\n\ndef sort(letters):\n    return letters\n\n\ndef forward(letter, **options):\n    return send(letter, **options)\n\n\nclass Office:\n    __slots__ = ('box',)\n    opening_hours = 8\n\n    def take(self, many):\n        return many\n\n\nclass Branch(Office):\n    __slots__ = ()\n\n\ndef main():\n    send(1, speed=2)\n    sort([1])\n    forward(1)\n",
        )
        .commit("first")
}

/// No call passes an argument that a function does not take.
#[test]
fn a_parameter_that_a_function_has_not_is_passed_by_nobody() {
    check(
        &calls(),
        &[
            (
                "does anyone pass speed to sort?",
                "no: `post.sort` has no parameter `speed`; none of 1 call of `post.sort`",
            ),
            ("who passes speed to sort?", "`post.sort` has no parameter `speed`"),
            ("who calls sort with speed?", "`post.sort` has no parameter `speed`"),
            ("is speed passed to sort?", "no: `post.sort` has no parameter `speed`"),
            ("who passes speed to send?", "1 of 2 calls of `post.send` passes `speed`"),
            ("who passes weight_limit to forward?", "`post.forward` takes `weight_limit` among its further keywords"),
            ("does sort accept speed?", "no: `post.sort` has no parameter `speed`"),
            ("does send accept speed?", "yes: `post.send` has a parameter `speed`"),
            ("what if sort dropped speed?", "`sort` has no parameter `speed`: none of its 1 call passes one"),
            ("what if I drop speed from sort?", "`sort` has no parameter `speed`: none of its 1 call passes one"),
            ("what if Office.take dropped many?", "1 line of its body reads it, first post.py:21"),
        ],
    );
}

/// Functions are listed by a parameter, and classes by an attribute that they define.
#[test]
fn functions_are_listed_by_a_parameter_and_classes_by_an_attribute() {
    check(
        &calls(),
        &[
            ("which functions accept speed?", "1 function outside of tests (with parameter `speed`)"),
            ("which functions take a letter?", "2 functions outside of tests (with parameter `letter`)"),
            (
                "which functions take weight_limit?",
                "none: no function outside of tests fits (with parameter `weight_limit`)",
            ),
            (
                "which classes have __slots__?",
                "2 classes define `__slots__` themselves: `Office` (post.py:17) and `Branch`",
            ),
            ("which classes have opening_hours?", "1 class defines `opening_hours` itself: `Office` (post.py:18)"),
        ],
    );
}

/// A class of a library has members that the index does not hold.
fn handlers() -> TestRepo {
    TestRepo::new()
        .file(
            "app.py",
            "import asyncio\nimport logging\nimport typing\n\n\nclass Tail(logging.Handler):\n    def emit(self, record):\n        return record\n\n\nclass Loud(Tail):\n    level = 1\n\n    def flush(self):\n        return None\n\n    def beep(self):\n        return None\n\n\nclass Wire(asyncio.Protocol):\n    def data_received(self, data):\n        return data\n\n\nclass Sized(typing.Protocol):\n    def size(self): ...\n\n\nclass Louder(Loud):\n    level = 2\n\n    def beep(self):\n        return 1\n",
        )
        .commit("first")
}

/// Whether a method overrides one of a library is not known, and the answer says so.
#[test]
fn methods_below_a_class_of_a_library_may_override() {
    let not_held = "a class of a library (`logging.Handler`), whose members the index does not hold";
    check(
        &handlers(),
        &[
            (
                "which classes override emit?",
                &format!("1 class defines `emit`; it derives from {not_held}: `Tail` (app.py:7)"),
            ),
            (
                "which classes override logging.Handler.emit?",
                &format!("1 class defines `emit`; it derives from {not_held}"),
            ),
            ("does any class override emit?", "perhaps: 1 class defines `emit`"),
            ("which class overrides data_received of asyncio.Protocol?", "1 class defines `data_received`"),
            ("does Tail override emit?", "perhaps: `Tail.emit` overrides nothing of the repository"),
            (
                "which classes inherit from asyncio.Protocol?",
                "1 class outside of tests (derived from `asyncio.Protocol`)",
            ),
            (
                "which classes inherit from typing.Protocol?",
                "1 class outside of tests (derived from `typing.Protocol`)",
            ),
            ("what does Louder override?", "`app.Louder` overrides 2 members of its bases: `beep` and `level`"),
            ("which methods does Louder override?", "`app.Louder` overrides 1 method of its bases: `beep`"),
            (
                "which methods does Loud override?",
                "`app.Loud` overrides nothing of the repository; it derives from `logging.Handler` of a library, whose members the index does not hold: 2 methods of its own may override some",
            ),
            ("does Louder override level?", "yes: `Louder.level` overrides `Loud.level`"),
            ("which classes override beep?", "`app.Loud.beep` is overridden 1 time: by `Louder`"),
        ],
    );
}

/// A package with a definition of every kind, and names that are like them.
fn bakery() -> TestRepo {
    TestRepo::new()
        .file("bakery/__init__.py", "from .oven import Oven\n")
        .file(
            "bakery/oven.py",
            "from functools import partial\n\nMAX_HEAT = 250\n\n\nclass BurntError(ValueError):\n    pass\n\n\nclass Oven:\n    def __init__(self):\n        self.params = {}\n\n    @property\n    def heat(self):\n        return MAX_HEAT\n\n    def bake(self):\n        raise BurntError()\n\n\ndef timed(f):\n    return partial(f)\n\n\n@timed\ndef knead():\n    return Oven().bake()\n",
        )
        .file(
            "tests/test_oven.py",
            "import pytest\n\nfrom bakery import Oven\n\n\n@pytest.fixture\ndef hot_oven():\n    return Oven()\n\n\ndef test_bake(hot_oven):\n    hot_oven.bake()\n",
        )
        .commit("first")
}

/// Only a thing of the kind with the very name is a yes, and `called` speaks of no call.
#[test]
fn things_of_every_kind_are_there_by_their_very_name() {
    check(
        &bakery(),
        &[
            ("is there an exception called BurntError?", "yes: `bakery.oven.BurntError` is an exception, a class at"),
            ("is there an exception called BurntErrors?", "no: no exception here is called `BurntErrors`; similar: "),
            (
                "is there an exception called Oven?",
                "no: no exception here is called `Oven`; `bakery.oven.Oven` is a class",
            ),
            (
                "is there a constant called MAX_HEAT?",
                "yes: `bakery.oven.MAX_HEAT` is a constant, a variable at bakery/oven.py:3",
            ),
            (
                "do we have a constant called KNEAD?",
                "no: no constant here is called `KNEAD`; similar: `bakery.oven.knead`",
            ),
            ("is there a property called heat?", "yes: `bakery.oven.Oven.heat` is a property at bakery/oven.py:14"),
            (
                "is there a property called bake?",
                "no: no property here is called `bake`; `bakery.oven.Oven.bake` is a method",
            ),
            ("is there a decorator called timed?", "yes: `bakery.oven.timed` is a decorator, a function at"),
            ("is there a fixture called hot_oven?", "yes: `tests.test_oven.hot_oven` is a fixture, a function at"),
            ("is there a fixture called hot_ovens?", "no: no fixture here is called `hot_ovens`; similar: "),
            ("is there a test called test_bake?", "yes: `tests.test_oven.test_bake` is a test, a function at"),
            ("is there a test named test_oven?", "no: no test here is called `test_oven`"),
            ("is there a package called bakery?", "yes: `bakery` is a package at bakery/__init__.py:1"),
            ("is there a package called oven?", "no: no package here is called `oven`"),
            ("is there a module called oven?", "yes: `bakery.oven` is a module at bakery/oven.py"),
            (
                "is there a module called ovens?",
                "no: no module here is called `ovens`; similar: `bakery.oven` is a module",
            ),
            ("is there a file called oven?", "yes: the file bakery/oven.py is called so"),
            ("does a class called Oven exist?", "yes: `bakery.oven.Oven` is a class at bakery/oven.py:10"),
            (
                "does a class called oven exist?",
                "no: no class here is called `oven`; similar: `bakery.oven.Oven` is a class",
            ),
            ("does bakery have an exception called BurntError?", "yes: `bakery.oven.BurntError` is"),
            (
                "is there a signal called knead?",
                "`bakery.oven.knead` is a function (bakery/oven.py:26); whether it is a signal is not known",
            ),
            (
                "does Oven have an attribute called params?",
                "yes: `bakery.oven.Oven.params` is a variable at bakery/oven.py:12",
            ),
            ("does Oven have an attribute params?", "yes: `bakery.oven.Oven.params` is a variable"),
        ],
    );
}

/// The members of everything are not what a misspelt class has.
#[test]
fn a_list_of_a_misspelt_class_is_none_of_everything() {
    check(
        &bakery(),
        &[
            ("which methods does Ovn have?", "nothing here is called `Ovn`"),
            ("how many methods does Ovenn have?", "nothing here is called `Ovenn`"),
        ],
    );
}

#[test]
fn one_goes_to_a_name_and_speaks_it_as_several_words() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "class JSONResponse:\n    def open(self):\n        pass\n\n\ndef flash():\n    return build_request()\n\n\ndef build_request():\n    return JSONResponse()\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            ("go to flash", "`shop.flash` is the function at shop.py"),
            ("goto flash", "`shop.flash` is the function at shop.py"),
            ("jump to the function flash", "`shop.flash` is the function at shop.py"),
            ("go to json response", "`shop.JSONResponse` is the class at shop.py"),
            ("who calls build request?", "`shop.build_request` is called at 1 place"),
            ("what breaks if I change build request?", "changing `build_request` affects"),
        ],
    );
}
