//! The size of text answers: about a screen, the same for a terminal and a pipe, and whole with `--all`.

use expect_test::expect;

use crate::harness::TestRepo;

/// A function with thirty callers in three modules, each with a caller and a test of its own.
fn busy() -> TestRepo {
    let mut repo = TestRepo::new().file("shop/__init__.py", "").file("shop/prices.py", "def price(): ...\n");
    for module in ["cart", "order", "sale"] {
        let mut code = "from shop.prices import price\n".to_owned();
        let mut tests = format!("from shop import {module}\n");
        for number in 0..10 {
            code +=
                &format!("\ndef pay{number}():\n    return price()\n\ndef show{number}():\n    return pay{number}()\n");
            tests += &format!("\ndef test_{number}():\n    {module}.show{number}()\n");
        }
        repo = repo.file(&format!("shop/{module}.py"), code).file(&format!("tests/test_{module}.py"), tests);
    }
    repo.commit("first")
}

#[test]
fn an_answer_is_about_a_screen_and_names_the_command_for_the_rest() {
    let repo = busy();
    repo.run(["impact", "price"]).stdout(expect![[r#"
        changing `prices.price` affects 90 definitions (30 directly); 30 tests to run; complete: 98%
          shop.prices.price  function  shop/prices.py:1

        direct (30)
          shop/cart.py:4  calls  cart.pay0  almost certain 98%
              return price()
          shop/cart.py:10  calls  cart.pay1  almost certain 98%
              return price()
          shop/cart.py:16  calls  cart.pay2  almost certain 98%
              return price()
          shop/cart.py:22  calls  cart.pay3  almost certain 98%
              return price()
          shop/cart.py:28  calls  cart.pay4  almost certain 98%
              return price()
          shop/cart.py:34  calls  cart.pay5  almost certain 98%
              return price()
          shop/cart.py:40  calls  cart.pay6  almost certain 98%
              return price()
          shop/cart.py:46  calls  cart.pay7  almost certain 98%
              return price()
          shop/cart.py:52  calls  cart.pay8  almost certain 98%
              return price()
          shop/cart.py:58  calls  cart.pay9  almost certain 98%
              return price()
          shop/order.py:4  calls  order.pay0  almost certain 98%
              return price()
          … 19 more: shop/sale.py (10), shop/order.py (9)

        further away (60 in 6 modules over up to 3 steps)
          30 in 3 test files: tests/test_cart.py (10), tests/test_order.py (10), tests/test_sale.py (10)
          shop.cart (10)  such as shop/cart.py:7  calls  cart.show0  likely 77%
              ← cart.pay0 shop/cart.py:4
          … 20 more: shop.order (10), shop.sale (10)

        tests to run (30 in 3 files)
          tests/test_cart.py (10), tests/test_order.py (10), tests/test_sale.py (10)
          repoidx impact shop.prices.price --tests | xargs -r pytest

        everything: repoidx impact shop.prices.price --all
    "#]]);
    repo.run(["refs", "price", "--tokens", "150"]).stdout(expect![[r#"
        `prices.price`: 33 references in 3 files
          shop.prices.price  function  shop/prices.py:1

          shop/cart.py:1  imports  shop.cart  [bound by an import]
              from shop.prices import price
          shop/cart.py:4  calls  cart.pay0  [bound by an import]
              return price()
          shop/cart.py:10  calls  cart.pay1  [bound by an import]
              return price()
          … 30 more: shop/order.py (11), shop/sale.py (11), shop/cart.py (8)

        everything: repoidx refs shop.prices.price --all
    "#]]);
    for command in ["impact", "refs", "show", "tree", "search"] {
        let target = if command == "tree" { "shop/cart.py" } else { "price" };
        let short = repo.run([command, target]).code(0).stdout;
        assert!(short.lines().count() <= 40, "{command}:\n{short}");
        let whole = repo.run([command, target, "--all"]).code(0).stdout;
        assert!(short == whole || short.contains(" --all\n"), "{command}:\n{short}");
        assert!(!whole.contains(" --all\n") && !whole.contains("  … "), "{command}:\n{whole}");
    }
    let whole = repo.run(["impact", "price", "--all"]).code(0).stdout;
    assert!(whole.contains("sale.show9") && whole.lines().count() > 100, "{whole}");
}

#[test]
fn tokens_set_the_size() {
    let repo = busy();
    let sizes = [50, 100, 200, 400, 4000];
    let length = |tokens: &u32| repo.run(["impact", "price", "--tokens", &tokens.to_string()]).code(0).stdout.len();
    let lengths: Vec<usize> = sizes.iter().map(length).collect();
    assert!(lengths.is_sorted(), "{lengths:?}");
    assert!(lengths[3] < 400 * 4, "{lengths:?}");
}

/// The commit and the edited files are said where they are not plain; JSON always has them.
#[test]
fn an_answer_says_which_state_it_speaks_of() {
    let repo = busy();
    let head = repo.git(["rev-parse", "HEAD"]).trim().to_owned();
    let json = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_str(&repo.run(arguments).code(0).stdout).expect("a report")
    };
    let plain = repo.run(["show", "price"]).code(0).stdout;
    assert!(!plain.contains("commit"), "{plain}");
    for command in ["impact", "refs", "show", "search"] {
        let report = json(&[command, "price", "--format", "json"]);
        assert_eq!((report["commit"].as_str(), &report["edited"]), (Some(&*head), &serde_json::json!([])), "{command}");
    }
    repo.write("shop/prices.py", "# edited\ndef price(): ...\n");
    repo.write("shop/new.py", "");
    repo.run(["show", "price"]).stdout(expect![[r#"
        shop.prices.price  function  shop/prices.py:2-2

        def price(): ...

        parent    shop.prices  :1-2
        folder    5 more files: __init__.py, cart.py, new.py, order.py, sale.py
        called    30 times (in all 33 references)

        about commit 58dd91993d4f with 2 edited files: shop/new.py, shop/prices.py
    "#]]);
    let report = json(&["show", "price", "--format", "json"]);
    assert_eq!(report["edited"], serde_json::json!(["shop/new.py", "shop/prices.py"]));
    repo.write("shop/prices.py", "# edited again\n\ndef price(): ...\n");
    let stale = repo.run(["refs", "price", "--no-update", "-q", "--tokens", "100"]).code(0).stdout;
    let last = stale.lines().last().unwrap_or_default();
    let index = format!("about the index of commit {} with 2 edited files: shop/new.py, shop/prices.py", &head[..12]);
    assert_eq!(last, format!("{index}; changed since: shop/prices.py"));
    let stale = json(&["show", "price", "--no-update", "-q", "--format", "json"]);
    assert_eq!(stale["edited"], serde_json::json!(["shop/new.py", "shop/prices.py"]));
    assert_eq!(stale["edited_since"], serde_json::json!(["shop/prices.py"]));
    // The worktree is the commit again, the index is not.
    repo.git(["checkout", "--quiet", "."]);
    let stale = repo.run(["refs", "price", "--no-update", "-q", "--tokens", "100"]).code(0).stdout;
    assert_eq!(stale.lines().last(), Some(&*format!("{index}; changed since: shop/prices.py")));
    // An index of the commit itself.
    std::fs::remove_file(repo.root().join("shop/new.py")).unwrap();
    repo.run(["index"]).code(0);
    repo.write("shop/cart.py", "");
    let stale = repo.run(["refs", "price", "--no-update", "-q", "--tokens", "100"]).code(0).stdout;
    let last = stale.lines().last().unwrap_or_default();
    assert_eq!(last, format!("about the index of commit {}; changed since: shop/cart.py", &head[..12]));
}

/// Git has not looked at a file that it took out of the stash, and the index has read it too early to trust its time.
#[test]
fn the_first_answer_after_a_stash_names_the_edited_files() {
    let repo = busy();
    repo.run(["index"]).code(0);
    for _ in 0..3 {
        repo.write("shop/prices.py", "# edited\ndef price(): ...\n");
        repo.git(["stash", "--quiet"]);
        repo.run(["show", "price"]).code(0);
        repo.git(["stash", "pop", "--quiet"]);
        let first = repo.run(["show", "price"]).code(0).stdout;
        assert!(first.contains(":2-2") && first.contains("with 1 edited file: shop/prices.py"), "{first}");
        repo.git(["checkout", "--quiet", "."]);
    }
}

/// A method with two callers, and what depends on them in turn.
fn shop() -> TestRepo {
    let orders = "class Order:\n    def __init__(self):\n        self.amount = price()\n\n\ndef price():\n    return 1\n\n\n\
                  def place():\n    return Order()\n\n\ndef show():\n    return price()\n";
    TestRepo::new()
        .file("orders.py", orders)
        .file("cli.py", "from orders import place, show\n\n\ndef main():\n    place()\n    return show()\n")
        .file("test_orders.py", "import orders\n\n\ndef test_place():\n    orders.place()\n")
        .commit("first")
}

#[test]
fn a_small_impact_is_drawn_as_trees() {
    let repo = shop();
    repo.run(["impact", "price"]).stdout(expect![[r#"
        changing `orders.price` affects 5 definitions (2 directly); 1 test to run; complete: 98%
          orders.price  function  orders.py:6

        direct (2), further away below them (3 over up to 3 steps)
          orders.py:3  calls  Order.__init__  almost certain 98%
          │   self.amount = price()
          └─ orders.py:11  calls  orders.place  almost certain 96%  over orders.Order
             └─ test_orders.py:5  calls  test_orders.test_place  very likely 87%
          orders.py:15  calls  orders.show  almost certain 98%
          │   return price()
          └─ cli.py:6  calls  cli.main  very likely 94%

        tests to run (1)
          pytest test_orders.py::test_place
    "#]]);
    let trees = |arguments: &[&str]| repo.run(arguments).code(0).stdout.contains("└─");
    assert!(trees(&["impact", "price", "--all"]));
    assert!(!trees(&["impact", "price", "--tokens", "400"]), "a budget in tokens has lists, which cost less");
    assert!(!trees(&["impact", "price", "--depth", "1"]), "without a further level there is nothing to draw");
    let busy = busy();
    assert!(!busy.run(["impact", "price", "--all"]).code(0).stdout.contains("└─"), "too many for a picture");
    busy.run(["impact", "cart.pay0"]).stdout(expect![[r#"
        changing `cart.pay0` affects 2 definitions (1 directly); 1 test to run; complete: 97%
          shop.cart.pay0  function  shop/cart.py:3

        direct (1), further away below them (1 over up to 2 steps)
          shop/cart.py:7  calls  cart.show0  almost certain 98%
          │   return pay0()
          └─ tests/test_cart.py:4  calls  test_cart.test_0  very likely 88%

        tests to run (1)
          pytest tests/test_cart.py::test_0
    "#]]);
}
