//! Small indexes, and the entities that a change in them reaches.

use expect_test::{Expect, expect};

use super::*;
use crate::{
    model::{Basis, EntityFlags, EntityKind::*, RelationshipKind::*},
    query::{
        fixture::Fixture,
        impact::walk::Least,
        target::{TargetMatch, look_up},
    },
};

/// Rows as `distance probability name <- chain`, then the boundaries of the answer and the tests.
fn check(fixture: &mut Fixture, target: &str, options: &ImpactOptions, expected: &Expect) {
    let store = fixture.store();
    let sources =
        Sources::new(|path| (path == "shop/use.py").then(|| b"\n        add(1, 2)\n        add(1)\n".to_vec()));
    let Ok(TargetMatch::Found(target)) = look_up(&store, target, "") else { panic!("no target") };
    let report = impact(&store, &sources, &[target], options).expect("a store in memory");
    let mut lines = Vec::new();
    for row in &report.impacted {
        let via: Vec<String> = row.via.iter().map(|via| format!("{} {}:{}", via.kind, via.name, via.line)).collect();
        lines.push(format!("{} {} {} <- {}", row.distance, row.probability, row.name, via.join(" <- ")));
    }
    let limits: Vec<String> = report.boundaries.iter().map(|limit| format!(", {}", limit.message)).collect();
    lines.push(format!("{}{}", report.completeness.as_str(), limits.concat()));
    lines.extend(report.tests.iter().map(|test| format!("test {test}")));
    lines.extend(report.call_sites.iter().map(|site| format!("{}: {:?}", site.line, site.passes)));
    expected.assert_eq(&(lines.join("\n") + "\n"));
}

fn shop() -> Fixture {
    let mut fixture = Fixture::default();
    fixture.file("shop/cart.py", "shop.cart").entity(Class, "Base", 1, 5).entity(Method, "Base.add", 2, 4);
    fixture.entity(Class, "Cart", 10, 30).entity(Method, "Cart.__init__", 11, 12).entity(Method, "Cart.add", 13, 20);
    fixture.entity(Function, "total", 40, 50);
    fixture.file("shop/use.py", "shop.use").entity(Function, "buy", 1, 9).entity(Function, "main", 10, 19);
    fixture.file("tests/test_use.py", "tests.test_use").entity(Class, "TestUse", 1, 9);
    fixture.entity(Method, "TestUse.test_main", 2, 5);
    fixture
}

#[test]
fn chains_are_followed_to_the_tests_and_end_at_module_level() {
    let mut fixture = shop();
    fixture.edge("shop.use.buy", Calls, "shop.cart.total", 3, Basis::Import);
    fixture.edge("shop.use.main", Calls, "shop.use.buy", 11, Basis::Scope);
    fixture.edge("shop.use", Calls, "shop.use.main", 20, Basis::Scope);
    fixture.edge("shop.cart", Calls, "shop.use", 99, Basis::Scope);
    fixture.edge("tests.test_use.TestUse.test_main", Calls, "shop.use.main", 3, Basis::Import);
    fixture.edge("shop.use", Imports, "shop.cart.total", 1, Basis::Import);
    check(
        &mut fixture,
        "total",
        &ImpactOptions::default(),
        &expect![[r#"
            1 0.98 shop.use.buy <- calls shop.cart.total:3
            3 0.7735 tests.test_use.TestUse.test_main <- calls shop.use.main:3 <- calls shop.use.buy:11 <- calls shop.cart.total:3
            2 0.7683 shop.use.main <- calls shop.use.buy:11 <- calls shop.cart.total:3
            3 0.6024 shop.use <- calls shop.use.main:20 <- calls shop.use.buy:11 <- calls shop.cart.total:3
            lower bound, no limit is known, but code may reach it in ways that the source does not show
            test tests/test_use.py::TestUse::test_main
        "#]],
    );
}

#[test]
fn what_a_class_statement_inside_a_function_runs_the_function_runs() {
    let mut fixture = Fixture::default();
    fixture.file("shop/cart.py", "shop.cart").entity(Function, "total", 40, 50);
    fixture.file("tests/test_use.py", "tests.test_use").entity(Function, "test_main", 1, 9);
    fixture.entity(Class, "test_main.Local", 2, 5);
    fixture.edge("tests.test_use.test_main.Local", Calls, "shop.cart.total", 2, Basis::SelfMember);
    check(
        &mut fixture,
        "total",
        &ImpactOptions::default(),
        &expect![[r#"
            1 0.98 tests.test_use.test_main.Local <- calls shop.cart.total:2
            2 0.8754 tests.test_use.test_main <- contains tests.test_use.test_main.Local:2 <- calls shop.cart.total:2
            lower bound, no limit is known, but code may reach it in ways that the source does not show
            test tests/test_use.py::test_main
        "#]],
    );
}

#[test]
fn callers_of_a_base_reach_a_changed_override_and_constructors_their_class() {
    let mut fixture = shop();
    fixture.edge("shop.cart.Cart.add", Overrides, "shop.cart.Base.add", 13, Basis::Scope);
    fixture.edge("shop.cart.Cart", Inherits, "shop.cart.Base", 10, Basis::Scope);
    fixture.edge("shop.use.buy", Calls, "shop.cart.Base.add", 3, Basis::Annotated);
    fixture.edge("shop.use.main", Calls, "shop.cart.Cart", 12, Basis::Import);
    check(
        &mut fixture,
        "Cart.add",
        &ImpactOptions::default(),
        &expect![[r#"
            1 0.19 shop.use.buy <- calls shop.cart.Base.add:3 <- overrides shop.cart.Cart.add:13
            lower bound, no limit is known, but code may reach it in ways that the source does not show
        "#]],
    );
    check(
        &mut fixture,
        "Base.add",
        &ImpactOptions::default(),
        &expect![[r#"
            1 0.95 shop.use.buy <- calls shop.cart.Base.add:3
            1 0.294 shop.cart.Cart.add <- overrides shop.cart.Base.add:13
            lower bound, no limit is known, but code may reach it in ways that the source does not show
        "#]],
    );
    check(
        &mut fixture,
        "Cart.__init__",
        &ImpactOptions::default(),
        &expect![[r#"
            1 0.98 shop.use.main <- calls shop.cart.Cart:12 <- calls shop.cart.Cart.__init__:11
            lower bound, no limit is known, but code may reach it in ways that the source does not show
        "#]],
    );
    check(
        &mut fixture,
        "shop.cart.Base",
        &ImpactOptions::default(),
        &expect![[r#"
            1 0.931 shop.cart.Cart <- inherits shop.cart.Base:10
            2 0.7299 shop.use.main <- calls shop.cart.Cart:12 <- inherits shop.cart.Base:10
            lower bound, no limit is known, but code may reach it in ways that the source does not show
        "#]],
    );
    // Whoever makes a base makes no object of the derived class.
    let mut fixture = Fixture::default();
    fixture.file("shop/cart.py", "shop.cart").entity(Class, "Base", 1, 5).entity(Method, "Base.__init__", 2, 3);
    fixture.entity(Class, "Cart", 10, 30).entity(Method, "Cart.__init__", 11, 12);
    fixture.file("shop/use.py", "shop.use").entity(Function, "buy", 1, 9);
    fixture.edge("shop.cart.Cart", Inherits, "shop.cart.Base", 10, Basis::Scope);
    fixture.edge("shop.cart.Cart.__init__", Overrides, "shop.cart.Base.__init__", 11, Basis::Scope);
    fixture.edge("shop.use.buy", Calls, "shop.cart.Base.__init__", 3, Basis::Import);
    check(
        &mut fixture,
        "Cart.__init__",
        &ImpactOptions::default(),
        &expect![[r#"
            lower bound, no limit is known, but code may reach it in ways that the source does not show
        "#]],
    );
}

#[test]
fn nothing_found_beside_unresolved_occurrences_is_unknown() {
    let mut fixture = shop();
    fixture.unresolved("shop.use.buy", "thing", "add", 3);
    fixture.edge("shop.use.main", Calls, "shop.use.buy", 11, Basis::Scope);
    check(
        &mut fixture,
        "Cart.add",
        &ImpactOptions::default(),
        &expect![[r#"
            unknown, 1 unresolved occurrence of `add` could be it
        "#]],
    );
    let strict =
        ImpactOptions { limits: Limits { least: Least::Probability(0.5), ..Limits::default() }, ..Default::default() };
    check(
        &mut fixture,
        "Cart.add",
        &strict,
        &expect![[r"
        unknown, 1 unresolved occurrence of `add` could be it
    "]],
    );
}

#[test]
fn a_parameter_concerns_the_calls_that_pass_it() {
    let mut fixture = shop();
    fixture.edge("shop.use.buy", Calls, "shop.cart.Cart.add", 2, Basis::Import);
    fixture.edge("shop.use.main", Calls, "shop.cart.Cart.add", 3, Basis::Import);
    let options = ImpactOptions { param: Some("y".to_owned()), ..ImpactOptions::default() };
    check(
        &mut fixture,
        "Cart.add",
        &options,
        &expect![[r#"
            1 0.98 shop.use.buy <- calls shop.cart.Cart.add:2
            lower bound, no limit is known, but code may reach it in ways that the source does not show
            2: Some("2")
            3: None
        "#]],
    );
}

#[test]
fn an_import_breaks_when_its_name_is_removed_and_not_when_a_body_changes() {
    let mut fixture = shop();
    fixture.edge("shop.use", Imports, "shop.cart.total", 1, Basis::Import);
    check(
        &mut fixture,
        "total",
        &ImpactOptions::default(),
        &expect![[r#"
            lower bound, no limit is known, but code may reach it in ways that the source does not show
        "#]],
    );
    let options = ImpactOptions { change: Change::Remove, ..ImpactOptions::default() };
    check(
        &mut fixture,
        "total",
        &options,
        &expect![[r#"
            1 0.98 shop.use <- imports shop.cart.total:1
            lower bound, no limit is known, but code may reach it in ways that the source does not show
        "#]],
    );
}

#[test]
fn the_code_of_a_module_runs_for_functions_that_import_it_where_no_module_does() {
    let mut fixture = shop();
    fixture.edge("shop.use", Calls, "shop.cart.total", 1, Basis::Import);
    fixture.edge("tests.test_use.TestUse.test_main", Imports, "shop.use", 3, Basis::Import);
    check(
        &mut fixture,
        "total",
        &ImpactOptions::default(),
        &expect![[r#"
        1 0.98 shop.use <- calls shop.cart.total:1
        2 0.5031 tests.test_use.TestUse.test_main <- imports shop.use:3 <- calls shop.cart.total:1
        lower bound, no limit is known, but code may reach it in ways that the source does not show
        test tests/test_use.py::TestUse::test_main
    "#]],
    );
    fixture.edge("tests.test_use", Imports, "shop.use", 1, Basis::Import);
    check(
        &mut fixture,
        "total",
        &ImpactOptions::default(),
        &expect![[r#"
        1 0.98 shop.use <- calls shop.cart.total:1
        lower bound, no limit is known, but code may reach it in ways that the source does not show
    "#]],
    );
}

#[test]
fn a_reference_of_its_own_is_direct_however_probable_another_way_is() {
    let mut fixture = shop();
    fixture.edge("shop.use", Annotates, "shop.cart.total", 1, Basis::Import);
    fixture.edge("shop.use.buy", Calls, "shop.cart.total", 3, Basis::Import);
    fixture.edge("shop.use", Calls, "shop.use.buy", 20, Basis::Scope);
    check(
        &mut fixture,
        "total",
        &ImpactOptions::default(),
        &expect![[r#"
            1 0.98 shop.use.buy <- calls shop.cart.total:3
            1 0.8364 shop.use <- annotates shop.cart.total:1
            lower bound, no limit is known, but code may reach it in ways that the source does not show
        "#]],
    );
}

#[test]
fn an_abstract_base_is_there_to_be_dispatched() {
    let mut fixture = shop();
    fixture.file("shop/more.py", "shop.more").entity(Class, "Any", 1, 9).entity(Method, "Any.run", 2, 3);
    fixture.last().flags = EntityFlags(EntityFlags::ABSTRACT);
    fixture.entity(Class, "One", 10, 19).entity(Method, "One.run", 11, 12);
    fixture.edge("shop.more.One.run", Overrides, "shop.more.Any.run", 11, Basis::Scope);
    fixture.edge("shop.use.buy", Calls, "shop.more.Any.run", 3, Basis::Annotated);
    check(
        &mut fixture,
        "One.run",
        &ImpactOptions::default(),
        &expect![[r#"
            1 0.665 shop.use.buy <- calls shop.more.Any.run:3 <- overrides shop.more.One.run:11
            lower bound, no limit is known, but code may reach it in ways that the source does not show
        "#]],
    );
}

#[test]
fn limits_are_told() {
    let mut fixture = shop();
    fixture.edge("shop.use.buy", Calls, "shop.cart.total", 3, Basis::Import);
    fixture.edge("shop.use.main", Calls, "shop.use.buy", 11, Basis::Scope);
    let with = |limits| ImpactOptions { limits, ..ImpactOptions::default() };
    check(
        &mut fixture,
        "total",
        &with(Limits { depth: Some(1), ..Limits::default() }),
        &expect![[r"
        1 0.98 shop.use.buy <- calls shop.cart.total:3
        lower bound, 1 relationship leads beyond the depth asked for
    "]],
    );
    check(
        &mut fixture,
        "total",
        &with(Limits { entities: 2, ..Limits::default() }),
        &expect![[r#"
            1 0.98 shop.use.buy <- calls shop.cart.total:3
            lower bound, stopped after 2 definitions
        "#]],
    );
}

#[test]
fn a_test_is_listed_that_is_not_much_less_probable_than_the_best() {
    let mut fixture = shop();
    fixture.entity(Method, "TestUse.test_buy", 6, 9);
    fixture.edge("shop.use.buy", Calls, "shop.cart.total", 3, Basis::Crowd);
    fixture.edge("shop.use.main", Calls, "shop.use.buy", 11, Basis::Crowd);
    fixture.edge("tests.test_use.TestUse.test_main", Calls, "shop.use.main", 3, Basis::Import);
    let (default, weak) = (ImpactOptions::default(), "shop.cart.total");
    check(
        &mut fixture,
        weak,
        &default,
        &expect![[r#"
            1 0.46 shop.use.buy <- calls shop.cart.total:3
            3 0.3556 tests.test_use.TestUse.test_main <- calls shop.use.main:3 <- calls shop.use.buy:11 <- calls shop.cart.total:3
            2 0.2208 shop.use.main <- calls shop.use.buy:11 <- calls shop.cart.total:3
            lower bound, no limit is known, but code may reach it in ways that the source does not show
            test tests/test_use.py::TestUse::test_main
        "#]],
    );
    fixture.edge("tests.test_use.TestUse.test_buy", Calls, "shop.cart.total", 7, Basis::Import);
    check(
        &mut fixture,
        weak,
        &default,
        &expect![[r#"
            1 0.9882 tests.test_use.TestUse.test_buy <- calls shop.cart.total:7
            1 0.46 shop.use.buy <- calls shop.cart.total:3
            2 0.2208 shop.use.main <- calls shop.use.buy:11 <- calls shop.cart.total:3
            lower bound, 1 further definition is too improbable to list (--min-probability)
            test tests/test_use.py::TestUse::test_buy
        "#]],
    );
}

#[test]
fn what_is_registered_is_reached_by_those_who_use_the_object_and_not_by_what_is_registered_beside_it() {
    let mut fixture = Fixture::default();
    fixture.file("shop/views.py", "shop.views").entity(Variable, "pages", 1, 1);
    fixture.entity(Function, "index", 3, 5).entity(Function, "about", 7, 9);
    for (view, line) in [("shop.views.index", 3), ("shop.views.about", 7)] {
        fixture.edge(view, Reads, "shop.views.pages", line, Basis::Scope);
        fixture.edge(view, Registers, "shop.views.pages", line, Basis::Scope);
    }
    fixture.file("shop/app.py", "shop.app").entity(Function, "create", 1, 5);
    fixture.edge("shop.app.create", Reads, "shop.views.pages", 3, Basis::Import);
    check(
        &mut fixture,
        "index",
        &ImpactOptions::default(),
        &expect![[r#"
            1 0.7056 shop.app.create <- reads shop.views.pages:3 <- registers shop.views.index:3
            lower bound, no limit is known, but code may reach it in ways that the source does not show
        "#]],
    );
}

#[test]
fn a_table_hardly_leads_from_what_it_keeps_to_its_readers() {
    let mut fixture = Fixture::default();
    fixture.file("shop/rates.py", "shop.rates").entity(Function, "half", 1, 2).entity(Variable, "RATES", 4, 4);
    fixture.entity(Variable, "HALF", 5, 5).entity(Function, "read", 6, 8);
    fixture.edge("shop.rates.RATES", References, "shop.rates.half", 4, Basis::Scope);
    fixture.edge("shop.rates.read", Reads, "shop.rates.RATES", 7, Basis::Scope);
    let all = Limits { least: Least::Probability(0.05), ..Limits::default() };
    check(
        &mut fixture,
        "half",
        &ImpactOptions { limits: all, ..ImpactOptions::default() },
        &expect![[r#"
            1 0.735 shop.rates.RATES <- references shop.rates.half:4
            2 0.0756 shop.rates.read <- reads shop.rates.RATES:7 <- references shop.rates.half:4
            lower bound, `half` is used as a value (shop/rates.py:4), and who calls it from there is not known
        "#]],
    );
    fixture.edge("shop.rates.HALF", Calls, "shop.rates.half", 5, Basis::Scope);
    fixture.edge("shop.rates.read", Reads, "shop.rates.HALF", 8, Basis::Scope);
    check(
        &mut fixture,
        "half",
        &ImpactOptions::default(),
        &expect![[r#"
            1 0.98 shop.rates.HALF <- calls shop.rates.half:5
            1 0.735 shop.rates.RATES <- references shop.rates.half:4
            2 0.6971 shop.rates.read <- reads shop.rates.HALF:8 <- calls shop.rates.half:5
            lower bound, no limit is known, but code may reach it in ways that the source does not show
        "#]],
    );
}

#[test]
fn set_up_and_automatic_fixtures_run_for_the_tests_in_their_reach() {
    let mut fixture = Fixture::default();
    fixture.file("shop/cart.py", "shop.cart").entity(Function, "fill", 1, 2).entity(Function, "empty", 4, 5);
    fixture.file("tests/conftest.py", "tests.conftest").entity(Function, "full", 1, 3);
    fixture.last().flags = EntityFlags(EntityFlags::FIXTURE | EntityFlags::AUTOUSE);
    fixture.file("tests/test_cart.py", "tests.test_cart").entity(Function, "test_one", 1, 3);
    fixture.entity(Class, "TestCart", 5, 12).entity(Method, "TestCart.setUp", 6, 7);
    fixture.entity(Method, "TestCart.test_two", 8, 9);
    fixture.edge("tests.conftest.full", Calls, "shop.cart.fill", 2, Basis::Import);
    fixture.edge("tests.test_cart.TestCart.setUp", Calls, "shop.cart.empty", 7, Basis::Import);
    check(
        &mut fixture,
        "fill",
        &ImpactOptions::default(),
        &expect![[r#"
            1 0.98 tests.conftest.full <- calls shop.cart.fill:2
            2 0.9658 tests.test_cart.TestCart.test_two <- uses_fixture tests.conftest.full:8 <- calls shop.cart.fill:2
            2 0.9658 tests.test_cart.test_one <- uses_fixture tests.conftest.full:1 <- calls shop.cart.fill:2
            lower bound, no limit is known, but code may reach it in ways that the source does not show
            test tests/test_cart.py::TestCart::test_two
            test tests/test_cart.py::test_one
        "#]],
    );
    check(
        &mut fixture,
        "empty",
        &ImpactOptions::default(),
        &expect![[r#"
            1 0.98 tests.test_cart.TestCart.setUp <- calls shop.cart.empty:7
            2 0.9676 tests.test_cart.TestCart.test_two <- uses_fixture tests.test_cart.TestCart.setUp:8 <- calls shop.cart.empty:7
            lower bound, no limit is known, but code may reach it in ways that the source does not show
            test tests/test_cart.py::TestCart
        "#]],
    );
}

#[test]
fn who_assigns_to_a_function_does_not_mind_its_body() {
    let mut fixture = shop();
    fixture.edge("shop.use.buy", Writes, "shop.cart.Cart.add", 3, Basis::Import);
    let written = |change| ImpactOptions { change, ..ImpactOptions::default() };
    check(
        &mut fixture,
        "Cart.add",
        &written(Change::Body),
        &expect![[r#"
        lower bound, no limit is known, but code may reach it in ways that the source does not show
    "#]],
    );
    let expected = expect![[r#"
        1 0.98 shop.use.buy <- writes shop.cart.Cart.add:3
        lower bound, no limit is known, but code may reach it in ways that the source does not show
    "#]];
    check(&mut fixture, "Cart.add", &written(Change::Remove), &expected);
}

/// A list of tests that leaves out one among many saves nothing, and is not complete.
#[test]
fn a_few_improbable_tests_beside_many_are_listed_and_otherwise_left_out() {
    let listed = |sure: u32| {
        let mut fixture = shop();
        fixture.file("tests/test_total.py", "tests.test_total");
        for number in 0..sure {
            fixture.entity(Function, &format!("test_{number}"), 10 * number + 1, 10 * number + 5);
        }
        fixture.entity(Function, "test_faint", 900, 905);
        for number in 0..sure {
            let test = format!("tests.test_total.test_{number}");
            fixture.edge(&test, Calls, "shop.cart.total", 10 * number + 2, Basis::Import);
        }
        // Two guesses, one behind the other.
        fixture.edge("shop.use.buy", Calls, "shop.cart.total", 3, Basis::Implicit);
        fixture.edge("shop.use.main", Calls, "shop.use.buy", 11, Basis::Implicit);
        fixture.edge("tests.test_total.test_faint", Calls, "shop.use.main", 901, Basis::Import);
        let store = fixture.store();
        let Ok(TargetMatch::Found(target)) = look_up(&store, "total", "") else { panic!("no target") };
        let graph = Graph::new(&store).expect("a store in memory");
        let seed = graph.head(target.main().id).expect("a store in memory").expect("it is there");
        let walk = walk(&graph, &[seed], Change::Body, &FxHashSet::default(), &Limits::default());
        let walk = walk.expect("a store in memory");
        walk.reached.values().filter(|at| at.entity.is_test() && walk.is_listed(at)).count()
    };
    assert_eq!((listed(2), listed(12)), (2, 13));
}
