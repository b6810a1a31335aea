//! Names out of libraries, documents by their file, and what stands inside of what: each with the truth of the source.

use crate::{harness::TestRepo, strictly::check};

/// A package that imports names out of libraries, over several lines and under a name that it defines as well.
fn shop() -> TestRepo {
    TestRepo::new()
        .file("shop/__init__.py", "")
        .file(
            "shop/compat.py",
            "from __future__ import annotations\n\nimport io\nfrom typing import IO, NamedTuple\nfrom urllib.parse import (\n    quote,\n    urljoin,\n    urlparse as parse,\n)\n",
        )
        .file(
            "shop/paths.py",
            "from pathlib import Path as RealPath\n\nfrom .compat import (\n    quote,\n    urljoin,\n)\n\n\nclass Path:\n    pass\n\n\ndef open_it(name):\n    import code\n    from code import interact\n    return interact\n",
        )
        .file("shop/use.py", "from .paths import Path\n\n\ndef make():\n    return Path()\n")
        .file("tests/test_use.py", "from urllib.parse import urljoin\n\nfrom shop.use import make\n\n\ndef test_make():\n    assert make()\n")
        .commit("first")
}

/// The imports come from the index: several lines count, names are told by case, and a library from the repository.
#[test]
fn names_of_libraries_are_found_without_their_module() {
    check(
        &shop(),
        &[
            ("where is urljoin imported?", "`urllib.parse.urljoin` is imported at 3 places in 3 modules, 2 of them"),
            ("which files import urljoin?", "3 modules import `urllib.parse.urljoin`, 2 of them outside of tests"),
            (
                "which tests import urljoin?",
                "1 module in tests imports `urllib.parse.urljoin`, first at tests/test_use.py:1",
            ),
            ("who imports urlparse?", "1 module imports `urllib.parse.urlparse`, first at shop/compat.py:5"),
            ("which files import IO?", "1 module imports `typing.IO`, first at shop/compat.py:4"),
            ("where is io imported?", "`io` is imported at 1 place in 1 module, first at shop/compat.py:3"),
            ("which files import interact?", "1 module imports `code.interact`, first at shop/paths.py:15"),
            ("where is annotations imported?", "`__future__.annotations` is imported at 1 place in 1 module"),
            (
                "where is Path imported from pathlib?",
                "`pathlib.Path` is imported at 1 place in 1 module, first at shop/paths.py:1",
            ),
            (
                "where is Path imported?",
                "`pathlib.Path` is imported at 1 place in 1 module, first at shop/paths.py:1; `shop.paths.Path` is imported at 1 place",
            ),
            (
                "where is urljoin imported in use.py?",
                "none: no module in use.py imports `urljoin`; 3 modules elsewhere import it",
            ),
            ("is numpy imported anywhere?", "no: no import of `numpy` was found"),
            (
                "which modules import quote but not typing?",
                "1 module in the repository imports `quote` and does not import `typing`",
            ),
        ],
    );
}
