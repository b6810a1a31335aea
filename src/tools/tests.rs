//! Arguments as models write them.

use serde_json::{Value, json};

use crate::{
    query::impact::walk::factors::Change,
    tools::{
        arguments::{ImpactArguments, ImpactPart, Request, ToolQuestion, USUAL_TOKENS},
        catalog::{NAMES, TOOLS, for_one_repository},
    },
};

#[expect(clippy::needless_pass_by_value, reason = "`json!` is written in place")]
fn parsed(tool: &str, arguments: Value) -> Result<Request, String> {
    let arguments = arguments.as_object().expect("an object");
    Request::parse(tool, arguments).map_err(|failure| format!("{}; {}", failure.message, failure.hint))
}

#[test]
fn numbers_and_words_are_read_however_they_are_written() {
    let arguments = json!({"target": " Cart.add ", "change": "keyword_only", "depth": "2", "max_tokens": 3000.0});
    let request = parsed("impact", arguments).unwrap();
    let ToolQuestion::Impact(ImpactArguments { target, change, depth, only, .. }) = request.call else {
        panic!("an impact")
    };
    assert_eq!((target.as_str(), change, depth, only), ("Cart.add", Change::KeywordOnly, 2, ImpactPart::All));
    assert_eq!(request.max_tokens, 3000);
    assert_eq!(parsed("show", json!({"target": null})).unwrap().max_tokens, USUAL_TOKENS);
    assert_eq!(parsed("show", json!({"max_tokens": 9_000_000})).unwrap().max_tokens, 8000);
}

#[test]
fn a_wrong_argument_is_named_with_the_right_form() {
    let message = |tool: &str, arguments: Value| parsed(tool, arguments).unwrap_err();
    assert_eq!(message("impact", json!({})), "impact needs `target`; give `target` as a text");
    assert_eq!(message("refs", json!({"target": "a", "possible": 3})), "`possible` is 3; give true or false");
    assert_eq!(message("show", json!({"max_tokens": "many"})), "`max_tokens` is \"many\"; give a whole number");
    assert_eq!(
        message("search", json!({"query": "a", "kind": "lambda"})),
        "`kind` is \"lambda\"; give one of any, module, class, function, method, property, variable, document, import"
    );
    assert_eq!(
        message("explode", json!({})),
        "there is no tool `explode`; the tools are impact, review, refs, search, show"
    );
}

#[test]
fn invented_arguments_are_named() {
    let request = parsed("show", json!({"target": "a", "verbose": true})).unwrap();
    assert_eq!(request.notes(), ["ignored: `verbose` is no argument of show"]);
}

#[test]
fn an_absolute_target_is_a_place() {
    let place = |arguments: Value| parsed("show", arguments).unwrap().place().map(str::to_owned);
    assert_eq!(place(json!({"target": "/r/a.py:3"})), Some("/r/a.py:3".to_owned()));
    assert_eq!(place(json!({"target": "a.py:3"})), None);
}

#[test]
fn the_table_holds_the_tools_and_their_descriptions_are_short() {
    let tools: Vec<Value> = serde_json::from_str(TOOLS).unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, NAMES);
    for tool in &tools {
        assert!(tool["description"].as_str().unwrap().len() <= 350, "{tool}");
    }
    for tool in for_one_repository() {
        assert!(tool.parameters["properties"].get("root").is_none(), "{tool:?}");
    }
}
