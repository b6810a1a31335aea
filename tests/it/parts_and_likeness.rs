//! Questions for parts of files and definitions (sections, docstrings, the definitions of a module), and for what is
//! like a known definition.

use crate::{harness::TestRepo, strictly::check};

/// A client with docstrings and overloads, two modules that are alike, and a document.
fn line() -> TestRepo {
    TestRepo::new()
        .file("docs/guide.md", "# Guide\n\nHello.\n\n## Start\n\nBegin.\n\n### Faster\n\nRun.\n\n## End\n\nBye.\n")
        .file(
            "wire/client.py",
            "\"\"\"Clients of a line.\"\"\"\n\nfrom typing import overload\n\nLIMIT = 3\nRETRIES: int = 2\n\n\nclass Base:\n    \"\"\"Sends with back pressure.\"\"\"\n\n    def send(self, rows):\n        \"\"\"Sends rows.\n\n        It applies backpressure when the line is slow.\n        \"\"\"\n        return rows\n\n\nclass Client(Base):\n    @overload\n    def call(self, x: int) -> int: ...\n    @overload\n    def call(self, x: str) -> str: ...\n    def call(self, x):\n        \"\"\"Calls the other side.\n\n        The second paragraph.\n        \"\"\"\n        return x\n\n    def bare(self):\n        return 1\n\n\n@overload\ndef connect(url: str) -> Client: ...\n@overload\ndef connect(url: bytes) -> Client: ...\ndef connect(url):\n    # backpressure is no word of a docstring here\n    return Client()\n",
        )
        .file(
            "wire/tables.py",
            "class Table:\n    def add_row(self, cells, style):\n        \"\"\"Add a row of cells with a style to the end of the table.\"\"\"\n        row = make_row(cells, style)\n        self.rows.append(row)\n        return row\n\n    def add_column(self, cells, style):\n        \"\"\"Add a column of cells with a style to the end of the table.\"\"\"\n        column = make_row(cells, style)\n        self.columns.append(column)\n        return column\n\n\ndef make_row(cells, style):\n    return (style, cells)\n\n\ndef parse_date(text):\n    \"\"\"Read a date.\"\"\"\n    year, month, day = text.split(\"-\")\n    return int(year), int(month), int(day)\n",
        )
        .file("wire/fields.py", "class Field:\n    def load_one(self):\n        return 1\n")
        .file(
            "tests/test_tables.py",
            "from wire.tables import Table\n\n\ndef test_add_row():\n    \"\"\"Add a row of cells with a style to the end of the table.\"\"\"\n    assert Table().add_row([], None)\n",
        )
        .commit("first")
}

#[test]
fn the_sections_of_a_document_are_listed() {
    let repo = line();
    let all = "docs/guide.md has 4 sections";
    check(
        &repo,
        &[
            ("list the sections of docs/guide.md", all),
            ("which sections does docs/guide.md have?", all),
            ("list the headings of docs/guide.md", all),
            ("what sections are in docs/guide.md?", all),
            ("what is in docs/guide.md?", all),
            ("how many sections does docs/guide.md have?", all),
        ],
    );
    let text = repo.run(["ask", "list the sections of docs/guide.md"]).code(0).stdout;
    assert!(text.contains("Start  docs/guide.md:5-") && text.contains("End  docs/guide.md:13-"), "{text}");
    assert!(!text.contains("defines nothing"), "{text}");
}

#[test]
fn docstrings_are_found_by_their_words() {
    let one = "1 docstring has `backpressure`, first `wire.client.Base.send` (wire/client.py:13)";
    check(
        &line(),
        &[
            ("which docstrings mention backpressure?", one),
            ("which functions mention backpressure in their docstring?", one),
            ("find docstrings about backpressure", one),
            ("search the docstrings for backpressure", one),
            ("whose docstring mentions backpressure?", one),
            ("does any docstring mention backpressure?", &format!("yes: {one}")),
            (
                "which docstrings mention slow line?",
                "no docstring has `slow line`; 1 docstring has its words apart, first `wire.client.Base.send`",
            ),
            ("which classes mention backpressure in their docstring?", "no docstring has `backpressure`"),
            ("does any docstring mention zebra?", "no: no docstring has `zebra`"),
        ],
    );
}

#[test]
fn the_docstring_of_a_definition_is_shown_in_full() {
    let repo = line();
    let there = "is at wire/client.py:26-29";
    check(
        &repo,
        &[
            ("what does the docstring of Client.call say", there),
            ("show the docstring of Client.call", there),
            ("what is Client.call's docstring?", there),
            ("show the docstring of Client.bare", "`Client.bare` has no docstring"),
        ],
    );
    let text = repo.run(["ask", "what does the docstring of Client.call say"]).code(0).stdout;
    assert!(text.contains("The second paragraph.") && !text.contains("def call"), "{text}");
}

#[test]
fn what_is_like_a_definition_is_said_to_be_so_by_likeness() {
    let repo = line();
    let near = "likest to `Table.add_row` are `wire.tables.make_row` (wire/tables.py:15)";
    check(
        &repo,
        &[
            ("what is similar to wire.tables.Table.add_row", near),
            ("which code is similar to Table.add_row?", near),
            ("find code similar to Table.add_row", near),
            ("which functions are like Table.add_row?", near),
            ("is there code similar to Table.add_row?", &format!("perhaps: {near}")),
            ("which classes are similar to Client?", "likest to `Client` are `wire.client.Base` (wire/client.py:9)"),
        ],
    );
    let text = repo.run(["ask", "what is similar to Table.add_row"]).code(0).stdout;
    assert!(text.contains("by likeness alone") && !text.contains("test_add_row"), "{text}");
}

#[test]
fn the_kind_that_is_asked_of_a_module_comes_first() {
    check(
        &line(),
        &[
            ("which classes are in wire.client?", "2 classes of `wire.client`"),
            ("list all classes in wire.client", "2 classes of `wire.client`"),
            ("what classes are in the module wire.client?", "2 classes of `wire.client`"),
            ("what constants are defined in wire.client?", "2 constants of `wire.client`"),
            ("which constants does wire.client define?", "2 constants of `wire.client`"),
            ("list the functions of wire.client", "1 function of `wire.client`, and 3 methods of its classes"),
            ("which functions are in wire.fields?", "none: `wire.fields` has no functions, but 1 method"),
            ("what is in wire.client?", "`wire.client` has 1 function"),
        ],
    );
}

#[test]
fn the_order_of_resolution_is_that_of_bases_and_a_member_belongs_to_classes() {
    let repo = line();
    let owner = "1 definition of `load_one`: in `Field` (wire/fields.py:2)";
    check(
        &repo,
        &[
            (
                "what is the method resolution order of Client?",
                "the method resolution order of `wire.client.Client` is `Client`, `Base`, `object`",
            ),
            ("method resolution order of Client", "the method resolution order of `wire.client.Client` is `Client`"),
            ("which class does load_one belong to?", owner),
            ("which class contains the method load_one?", owner),
        ],
    );
}

/// The words between `which` and the verb say what is looked for, however many they are.
#[test]
fn a_noun_of_two_words_is_looked_for_by_likeness() {
    let repo = TestRepo::new()
        .file(
            "wire/auth.py",
            "class AuthBase:\n    def apply(self, request):\n        return request\n\n\nclass BasicAuth(AuthBase):\n    \"\"\"Adds the name and the password to a request.\"\"\"\n\n    def apply(self, request):\n        request.headers['auth'] = self.name + self.password\n        return request\n\n\nclass ProxyAuth(AuthBase):\n    \"\"\"Adds the name and the password of the proxy to a request.\"\"\"\n\n    def apply(self, request):\n        request.headers['proxy'] = self.name + self.password\n        return request\n",
        )
        .file("wire/dates.py", "class Day:\n    \"\"\"A day of a year.\"\"\"\n\n    def month(self):\n        return self.text.split('-')[1]\n")
        .commit("first");
    let near =
        "likest to `BasicAuth` are `wire.auth.AuthBase` (wire/auth.py:1), `wire.auth.ProxyAuth` (wire/auth.py:14)";
    check(
        &repo,
        &[
            ("which auth classes are similar to BasicAuth?", near),
            ("which auth types are like BasicAuth?", near),
            ("what request auth classes look like BasicAuth?", near),
            ("which proxy handlers resemble BasicAuth?", near),
            ("which classes are similar to BasicAuth?", near),
        ],
    );
}

/// Names that are common words, and shares of what is documented.
#[test]
fn docstrings_are_found_by_common_names_and_counted() {
    let repo = TestRepo::new()
        .file(
            "shop.py",
            "def define(slots=True):\n    \"\"\"Define a class.\n\n    With slots it is smaller.\n    \"\"\"\n\n\nclass Page:\n    \"\"\"A page.\"\"\"\n\n    request = None\n\n    def print(self):\n        \"\"\"Print to a file.\"\"\"\n\n    def _hide(self):\n        pass\n\n\nclass _Bare:\n    pass\n\n\ndef request():\n    \"\"\"Ask over proxies.\"\"\"\n",
        )
        .commit("first");
    check(
        &repo,
        &[
            (
                "what does the docstring of define say about slots?",
                "the docstring of `shop.define` has `slots` in 1 line",
            ),
            ("does the docstring of define mention frozen?", "no: the docstring of `shop.define` (shop.py:2) does not"),
            ("does the docstring of print mention file?", "yes: the docstring of `shop.Page.print` has `file`"),
            ("does the docstring of request mention proxies?", "yes: the docstring of `shop.request` has `proxies`"),
            ("are all public classes documented?", "yes: each of 1 class (public) outside of tests has a docstring"),
            ("are all classes documented?", "no: 1 of 2 classes outside of tests has no docstring"),
            ("is every method of Page documented?", "no: 1 of 2 methods of `shop.Page` has no docstring"),
            ("are all functions in shop.py documented?", "no: "),
            ("do all functions in shop.py have docstrings?", "no: "),
            (
                "what percentage of functions have docstrings?",
                "3 of 4 functions outside of tests have a docstring (75 %)",
            ),
            ("what share of the classes is documented?", "1 of 2 classes outside of tests has a docstring (50 %)"),
        ],
    );
}
