//! Rules about views: the decorators that give them a route, groups below a prefix, requests by a path.

use std::sync::Arc;

use serde::Deserialize;

use super::{DottedPath, HashedName, RuleKind, Rules, members, texts::Effect};

/// `@app.get("/users/<int:id>")`: the decorated definition is the view of the paths that fit the pattern, and has a
/// name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Route {
    objects: Vec<DottedPath>,
    /// Those with the name of an HTTP method are for such requests alone, as are those that list some in `methods`.
    decorators: Vec<String>,
    /// The keyword with the pattern, if it is not the first argument.
    pub(crate) keyword: HashedName,
    /// The kind of name that routes are.
    pub(crate) kind: HashedName,
    /// The keyword with the name of the view, if it is not the definition's own name.
    pub(crate) name: Option<HashedName>,
    /// No prefix stands before the pattern.
    #[serde(default)]
    pub(crate) is_root: bool,
}

impl RuleKind for Route {
    fn add(self, rules: &mut Rules) {
        let paths = members(&self.objects, &self.decorators);
        rules.routes.insert(&Arc::new(self), &paths);
    }
}

/// `Blueprint("pages", __name__, url_prefix="/pages")`, `app.register_blueprint(pages, url_prefix="/pages")`: a group
/// of views has a prefix and a name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RouteGroup {
    /// The calls that make a group.
    calls: Vec<DottedPath>,
    /// The calls that put a group, their first argument, below a prefix.
    mounts: Vec<DottedPath>,
    /// The keyword with the prefix, of either.
    pub(crate) prefix: HashedName,
    pub(crate) kind: HashedName,
    /// The position of the name: `pages.index` is the view `index` of the group `pages`.
    pub(crate) name: Option<usize>,
}

impl RuleKind for RouteGroup {
    fn add(self, rules: &mut Rules) {
        let rule = Arc::new(self);
        rules.add_effect(Effect::Mounts(Arc::clone(&rule)), &rule.mounts);
        rules.groups.insert(&rule, &rule.calls);
    }
}

/// `client.get("/cart/3/")`: a request runs the views whose route ends with the same literal parts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Requests {
    /// The objects that make requests.
    objects: Vec<DottedPath>,
    /// Their methods; a view that is a class runs its own of the same name.
    methods: Vec<String>,
    /// Other methods of such a class that run.
    #[serde(default)]
    pub(crate) runs: Vec<String>,
    /// The kind of name that routes are.
    pub(crate) kind: HashedName,
}

impl RuleKind for Requests {
    fn add(self, rules: &mut Rules) {
        let rule = Arc::new(self);
        for method in &rule.methods {
            let calls = members(&rule.objects, std::slice::from_ref(method));
            rules.add_effect(Effect::Requests(Arc::clone(&rule), method.clone()), &calls);
        }
    }
}
