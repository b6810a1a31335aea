//! Definitions by what is known of them: filters of `search`, `refs` and `tree`, bases from libraries, ambiguous names.

use expect_test::expect;

use crate::harness::TestRepo;

fn shop() -> TestRepo {
    TestRepo::new()
        .file(
            "shop/cart.py",
            "import abc\nimport pydantic\nfrom functools import cache\n\n\nclass Cart(pydantic.BaseModel, metaclass=abc.ABCMeta):\n    \"\"\"Things to buy.\"\"\"\n\n    @cache\n    def total(self, *, tax: float) -> float:\n        if tax > 1:\n            raise ValueError(\"tax %s is too high\" % tax)\n        return tax\n\n    async def pay(self, way, amount, currency):\n        try:\n            return await way(amount)\n        except (OSError, KeyError):\n            pass\n\n\nclass Sale(Cart):\n    def total(self, *, tax: float) -> float:\n        return 0.0\n\n\ndef _hidden():\n    return Cart()\n",
        )
        .file("tests/test_cart.py", "from shop.cart import Cart, Sale\n\n\ndef test_total():\n    Cart().total(tax=1)\n\n\nclass Sale: ...\n")
}

#[test]
fn filters_alone_list_what_fits() {
    let repo = shop().commit("first");
    repo.run(["search", "--is", "async"]).stdout(expect![[r#"
        1 definition: async

          shop.cart.Cart.pay  method  shop/cart.py:15  5 lines
    "#]]);
    repo.run(["search", "--kind", "function", "--tests", "none", "--sort", "size"]).stdout(expect![[r#"
        4 functions: outside of tests

          shop.cart.Cart.pay  method  shop/cart.py:15  5 lines
          shop.cart.Cart.total  method  shop/cart.py:9  4 lines
          shop.cart.Sale.total  method  shop/cart.py:23  2 lines
          shop.cart._hidden  function  shop/cart.py:27  2 lines
    "#]]);
    let count = |filters: &[&str]| {
        let arguments = [&["search", "--count"], filters].concat();
        repo.run(arguments).code(0).stdout.trim().to_owned()
    };
    assert_eq!(count(&["--raises", "ValueError"]), "1");
    assert_eq!(count(&["--catches", "KeyError"]), "1");
    assert_eq!(count(&["--returns", "float", "--with", "annotations"]), "2");
    assert_eq!(count(&["--overrides", "Cart.total"]), "1");
    assert_eq!(count(&["--lacks", "pay", "--kind", "class", "--in", "shop"]), "1");
    assert_eq!(count(&["--decorated-by", "functools.cache"]), "0", "decorators are compared as written");
    assert_eq!(count(&["--decorated-by", "cache"]), "1");
    assert_eq!(count(&["--parameters-over", "2"]), "1");
    assert_eq!(count(&["--is", "private", "--without", "uses"]), "1");
    let run = repo.run(["search"]).code(2);
    assert!(run.stderr.contains("the query is empty"), "{}", run.stderr);
    let run = repo.run(["search", "cart", "--in", "nowhere"]).code(2);
    assert!(run.stderr.contains("no indexed file is in or below `nowhere`"), "{}", run.stderr);
}

#[test]
fn filters_narrow_a_search_references_and_trees() {
    let repo = shop().commit("first");
    let hits =
        repo.run(["search", "total of a cart", "--tests", "none", "--is", "public", "--kind", "method"]).code(0).stdout;
    assert!(hits.contains("Cart.total") && !hits.contains("test_total"), "{hits}");
    repo.run(["refs", "Cart", "--tests", "only"]).stdout(expect![[r#"
        `cart.Cart`: 2 references; 2 elsewhere left out
          shop.cart.Cart  class  shop/cart.py:6

          tests/test_cart.py:1  imports  tests.test_cart  [bound by an import]
              from shop.cart import Cart, Sale
          tests/test_cart.py:5  calls  test_cart.test_total  [bound by an import]
              Cart().total(tax=1)
    "#]]);
    repo.run(["tree", "shop/cart.py", "--kind", "method", "--longer-than", "3"]).stdout(expect![[r#"
        `shop.cart`: 3 top-level definitions, 6 in all; at least 4 lines: 2
          shop.cart  module  shop/cart.py:1

        └─ cart.Cart  class  shop/cart.py:6  (on the way)
           ├─ Cart.total  method  shop/cart.py:10
           └─ Cart.pay  method  shop/cart.py:15
    "#]]);
}

#[test]
fn bases_of_libraries_are_shown_and_a_metaclass_is_none() {
    let repo = shop().commit("first");
    repo.run(["tree", "Cart", "--up"]).stdout(expect![[r#"
        `cart.Cart`: 1 direct base
          shop.cart.Cart  class  shop/cart.py:6

        └─ pydantic.BaseModel  class  of a library
    "#]]);
    repo.run(["tree", "BaseModel"]).stdout(expect![[r#"
        `pydantic.BaseModel`: 1 direct subclass, 2 in all
          pydantic.BaseModel  class  of a library

        └─ cart.Cart  class  shop/cart.py:6
           └─ cart.Sale  class  shop/cart.py:22
    "#]]);
    repo.run(["show", "Cart", "--tokens", "200"]).stdout(expect![[r#"
        shop.cart.Cart  class  shop/cart.py:6-19

        class Cart(pydantic.BaseModel, metaclass=abc.ABCMeta):
            """Things to buy."""

            @cache
            def total(self, *, tax: float) -> float:
                if tax > 1:
                    raise ValueError("tax %s is too high" % tax)
                return tax

            async def pay(self, way, amount, currency):
                try:
                    return await way(amount)
                except (OSError, KeyError):
                    pass

        methods (2)
          total(self, *, tax: float) -> float  :9-13
          async pay(self, way, amount, currency)  :15-19

        bases     pydantic.BaseModel
        parent    shop.cart  :1-28
        next      Sale  :22-24
        called    2 times (in all 4 references)
    "#]]);
}

#[test]
fn an_ambiguous_name_means_own_code_before_tests() {
    let repo = shop().commit("first");
    repo.run(["tree", "Sale", "--members"]).stdout(expect![[r#"
        `cart.Sale`: 1 top-level definition
          shop.cart.Sale  class  shop/cart.py:22

        └─ Sale.total  method  shop/cart.py:23

        `Sale` also names tests.test_cart.Sale (tests/test_cart.py:8)
    "#]]);
    let report = repo.run(["show", "Sale", "--format", "json"]).code(0).stdout;
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["passed_over"][0]["name"], "tests.test_cart.Sale");
}

#[test]
fn lines_of_changed_files_are_not_quoted_without_an_update() {
    let repo = shop().commit("first");
    repo.run(["index", "-q"]).code(0);
    repo.write("shop/cart.py", "# one more line\nclass Cart: ...\n");
    let run = repo.run(["show", "Cart.total", "--no-update"]).code(0);
    assert!(run.stderr.contains("1 file has changed since the index was made: shop/cart.py"), "{}", run.stderr);
    assert!(
        run.stdout.contains("shop/cart.py has changed since the index was made, so its lines are not shown"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("class Cart: ..."), "{}", run.stdout);
    let refs = repo.run(["refs", "Cart", "--no-update", "-q"]).code(0).stdout;
    assert!(refs.contains("from shop.cart import Cart") && !refs.contains("one more line"), "{refs}");
}
