//! Questions for the classes of a kind: abstract ones, those with a protocol of Python, exceptions.

use crate::{harness::TestRepo, strictly::check};

fn kit() -> TestRepo {
    TestRepo::new()
        .file("src/kit/__init__.py", "")
        .file(
            "src/kit/shapes.py",
            "from abc import ABC, ABCMeta, abstractmethod\nfrom typing import Protocol\n\n\nclass Shape(ABC):\n    @abstractmethod\n    def area(self): ...\n\n    @property\n    @abstractmethod\n    def name(self): ...\n\n\nclass Named(Shape):\n    name = \"named\"\n\n\nclass Square(Named):\n    def area(self):\n        return 1\n\n\nclass Marker(ABC):\n    pass\n\n\nclass Below(Marker):\n    pass\n\n\nclass Loose:\n    @abstractmethod\n    def draw(self): ...\n\n\nclass Loosest(Loose):\n    pass\n\n\nclass Sized(Protocol):\n    def size(self): ...\n",
        )
        .file(
            "src/kit/flow.py",
            "from contextlib import contextmanager\n\n\nclass Opened:\n    def __enter__(self):\n        return self\n\n    def __exit__(self, *error):\n        pass\n\n\nclass Wrapped(Opened):\n    def __call__(self):\n        return 1\n\n    def run(self):\n        return 2\n\n    @property\n    def state(self):\n        return 3\n\n\nclass Half:\n    def __enter__(self):\n        return self\n\n\n@contextmanager\ndef opened():\n    yield\n\n\ndef attrs(cls):\n    return cls\n\n\ndef define(cls):\n    return cls\n",
        )
        .file(
            "src/kit/exceptions.py",
            "class KitError(Exception):\n    pass\n\n\nclass Missing(KitError):\n    pass\n\n\ndef show(error):\n    return str(error)\n",
        )
        .commit("first")
}

#[test]
fn a_class_is_abstract_by_its_methods() {
    let repo = kit();
    check(
        &repo,
        &[
            (
                "which classes are abstract",
                "3 classes outside of tests (abstract); 1 more is an ABC without an abstract method: `kit.shapes.Marker`",
            ),
            ("which abstract base classes are there", "3 classes outside of tests (abstract); 1 more is an ABC"),
            (
                "is Shape abstract?",
                "yes: `kit.shapes.Shape` is abstract (class at src/kit/shapes.py:5): `Shape.area` and `Shape.name` are abstract",
            ),
            (
                "is Named abstract?",
                "yes: `kit.shapes.Named` is abstract (class at src/kit/shapes.py:14): `Shape.area` is abstract",
            ),
            ("is Square abstract?", "no: `kit.shapes.Square` is not abstract"),
            (
                "is Marker abstract?",
                "no: `kit.shapes.Marker` is not abstract (class at src/kit/shapes.py:23): it is an ABC without an abstract method",
            ),
            ("is Loosest abstract?", "no: `kit.shapes.Loosest` is not abstract"),
            ("is Sized abstract?", "no: `kit.shapes.Sized` is not abstract"),
        ],
    );
    let listed = repo.run(["search", "--kind", "class", "--is", "abstract"]).code(0).stdout;
    for (name, is_listed) in [("Shape", true), ("Named", true), ("Loose", true), ("Square", false), ("Marker", false)] {
        assert_eq!(listed.contains(&format!("kit.shapes.{name} ")), is_listed, "{name}\n{listed}");
    }
}

#[test]
fn a_protocol_is_told_by_special_methods() {
    check(
        &kit(),
        &[
            (
                "which classes are context managers",
                "2 classes outside of tests are context managers (`__enter__` and `__exit__`, own or inherited): `kit.flow.Opened`, `kit.flow.Wrapped`; 1 function decorated by `contextmanager` gives one",
            ),
            (
                "which classes are callable",
                "1 class outside of tests is callable (`__call__`, own or inherited): `kit.flow.Wrapped`",
            ),
            (
                "which classes implement async context managers?",
                "none: no class outside of tests has `__aenter__` and `__aexit__`",
            ),
            (
                "is Wrapped a context manager?",
                "yes: `kit.flow.Wrapped` is a context manager: it has `Opened.__enter__` (src/kit/flow.py:5)",
            ),
            ("is Half a context manager?", "no: `kit.flow.Half` is not a context manager"),
        ],
    );
}

#[test]
fn kinds_and_names_are_told_apart() {
    check(
        &kit(),
        &[
            ("list all exceptions", "2 exception classes outside of tests"),
            ("what exceptions are there", "2 exception classes outside of tests"),
            ("difference between define and attrs", "`define` and `attrs` side by side"),
            ("list methods of Wrapped", "`kit.flow.Wrapped` has 2 methods and 1 property"),
            ("how many methods does Wrapped have", "3 methods of `kit.flow.Wrapped`, 1 of which is a property"),
        ],
    );
}

/// A module of type variables, fixtures and a class with methods of many kinds.
fn loom() -> TestRepo {
    TestRepo::new()
        .file("loom/__init__.py", "from .weave import Loom\n\n__all__ = [\"Loom\"]\n")
        .file(
            "loom/weave.py",
            "from typing import TypeVar\n\nT = TypeVar(\"T\")\nWIDTH = 3\n\n\nclass TornError(Exception):\n    pass\n\n\nclass Loom:\n    warp = 1\n    weft: int = 2\n\n    def __init__(self):\n        self.speed = 1\n\n    def __len__(self):\n        return 1\n\n    @property\n    def color(self):\n        return 1\n\n    @color.setter\n    def color(self, value):\n        self.speed = value\n\n    @staticmethod\n    def clean():\n        return 1\n\n    def threads(self):\n        def spin():\n            return 1\n\n        yield spin()\n\n    def stop(self):\n        return 1\n\n\nclass Jacquard(Loom):\n    def stop(self):\n        return 2\n\n\ndef make(kind: T) -> T:\n    return Loom() or kind\n",
        )
        .file(
            "tests/test_weave.py",
            "import pytest\n\n\n@pytest.fixture\ndef loom():\n    return 1\n\n\ndef helper():\n    return 1\n\n\nclass TestLoom:\n    def test_one(self, loom):\n        assert loom\n\n\ndef test_two():\n    assert helper()\n",
        )
        .commit("first")
}

/// A condition on methods is none on their class, and a kind that is joined to another one counts too.
#[test]
fn kinds_of_methods_and_variables_are_told_apart() {
    check(
        &loom(),
        &[
            ("which classes have nested functions?", "1 class outside of tests (nested functions in it)"),
            (
                "which classes have methods decorated with staticmethod?",
                "1 class outside of tests (with methods decorated by `staticmethod` of its own)",
            ),
            ("which classes have dunder methods?", "1 class outside of tests (with dunder methods of its own)"),
            ("which methods of Loom are decorated?", "2 methods of `loom.weave.Loom` (decorated)"),
            ("which methods of Loom are not decorated?", "(not decorated)"),
            ("which dunder methods does Loom have?", "2 methods of `loom.weave.Loom` (named `__*__`)"),
            ("how many methods of Loom are overridden?", "1 method of `loom.weave.Loom` is overridden here: `stop`"),
            (
                "which methods of Jacquard are overridden?",
                "none: no method of `loom.weave.Jacquard` is overridden here",
            ),
            ("which setters does Loom have?", "1 method of `loom.weave.Loom`"),
            ("which setters are there?", "1 method outside of tests"),
            ("which methods yield?", "1 method outside of tests"),
            (
                "which class variables does Loom have?",
                "`loom.weave.Loom` has 2 class variables of its own: `warp` and `weft`",
            ),
            ("list the instance variables of Loom", "`loom.weave.Loom` has 1 instance variable of its own: `speed`"),
            ("which type variables are there?", "1 type variable outside of tests: `loom.weave.T`"),
            ("list the TypeVars in loom/weave.py", "1 type variable in loom/weave.py: `loom.weave.T`"),
            ("functions and fixtures in tests/test_weave.py", "1 fixture in tests/test_weave.py"),
            ("functions and variables in loom/weave.py", "and 2 variables in loom/weave.py"),
            ("methods and attributes of Loom", "`loom.weave.Loom` has 5 methods, 1 property and 3 variables"),
            ("what is in loom.__all__?", "`loom` exports 1 name by its `__all__`"),
            ("which names does loom.__init__ export?", "`loom` exports 1 name by its `__all__`"),
            ("how many tests does TestLoom in tests/test_weave.py have?", "1 test of `tests.test_weave.TestLoom`"),
            ("how many functions does tests/test_wave.py have?", "no indexed file is called `tests/test_wave.py`"),
            ("list the exceptions of loom", "1 exception class"),
            ("who uses the Loom class of loom.weave?", "`loom.weave.Loom` is used at 4 places"),
            ("who calls the function make in loom.weave?", "nothing uses `loom.weave.make`"),
        ],
    );
}
