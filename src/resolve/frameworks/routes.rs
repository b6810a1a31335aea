//! Requests by path: `client.get("/api/users/3")` runs the view of `@users.get("/<int:id>")`.
//!
//! Only the end of a pattern counts, from its last literal part on: other files may add prefixes before it. A pattern
//! without a literal part gets the prefix of its group. Of several views that fit, those with more literal parts come
//! first.

use crate::{
    facts::{
        bodies::{ExprId, ExprKind, Literal},
        hash_name,
    },
    model::{EntityId, EntityKind, conventions::http},
    resolve::{
        frameworks::{registered_names::name_key, tables::routes::Requests},
        solver::Solver,
        values::{self, SetId, Value, questions},
    },
};

/// Stands for the method of a view that answers requests of all of them.
pub(crate) const ANY: &str = "any";

/// A pattern without a literal part has at most this many parts.
const MAX_PARTS: usize = 3;

/// Of more views that a path fits it is not known which one runs.
pub(crate) const MAX_VIEWS: usize = 6;

/// Stands in place of a pattern for a group without a prefix of its own.
pub(crate) const WITHOUT_PREFIX: u64 = hash_name("without prefix");

/// The key of the groups with this name.
pub(crate) fn group_key(kind: u64, name: &str) -> questions::Key {
    name_key(kind, &format!("{name}."))
}

pub(crate) fn unplaced(group: EntityId, method: &str, count: usize) -> questions::Key {
    questions::unplaced(group, hash_name(&format!("{method} {count}")))
}

// --- patterns ------------------------------------------------------------------------------------------------------

/// The end of a pattern: its last literal part and the number of parts behind it, with `more` that follow the pattern.
/// `None` without a literal part.
pub(crate) fn ending(pattern: &str, more: usize) -> Option<String> {
    let parts = parts(pattern);
    let last = parts.iter().rposition(|part| is_literal(part))?;
    Some(named(parts[last], parts.len() - last - 1 + more))
}

/// The ends of patterns that a path can fit, those with more literal parts first; the last one has no literal part.
fn endings_of(path: &str) -> Vec<String> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let parts = parts(path);
    let literal = (0..parts.len()).rev().filter(|&at| is_literal(parts[at]));
    let literal = literal.map(|at| named(parts[at], parts.len() - at - 1));
    literal.chain([named("", parts.len())]).collect()
}

pub(crate) fn named(part: &str, followers: usize) -> String {
    format!("/{part}/{followers}")
}

pub(crate) fn parts(path: &str) -> Vec<&str> {
    let path = path.trim_start_matches('^').trim_end_matches('$');
    path.split('/').filter(|part| !part.is_empty() && *part != "?").collect()
}

fn is_literal(part: &str) -> bool {
    part.chars().all(|character| character.is_alphanumeric() || matches!(character, '-' | '_' | '.'))
}

impl<'a> Solver<'a> {
    /// Adds views of the paths with this end.
    pub(crate) fn add_route(&mut self, kind: u64, method: &str, ending: &str, views: SetId) {
        self.add(name_key(kind, &format!("{method} {ending}")), views);
    }

    /// The HTTP methods that a decorator serves: `app.post(…)`, `app.route(…, methods=["POST"])`. For functions the
    /// default is GET.
    pub(crate) fn methods_answered(&mut self, decorator: ExprId, called: &str) -> Vec<String> {
        if http::METHODS.contains(&called) {
            return vec![called.to_owned()];
        }
        let Some(listed) = self.bodies.written_argument(decorator, None, Some(const { hash_name("methods") })) else {
            let method = if self.look.kind(self.entity) == Some(EntityKind::Class) { ANY } else { "get" };
            return vec![method.to_owned()];
        };
        let items = self.written_items(listed).unwrap_or_default();
        let texts: Option<Vec<String>> =
            items.iter().map(|&item| self.bodies.text(item).map(str::to_lowercase)).collect();
        texts.filter(|texts| !texts.is_empty()).unwrap_or_else(|| vec![ANY.to_owned()])
    }

    /// A pattern or a prefix that is written out; an empty text is one.
    pub(crate) fn pattern_written(&self, written: ExprId) -> Option<&'a str> {
        let bodies = self.bodies;
        match bodies.kind(written)? {
            ExprKind::Literal(Literal::Text) => Some(""),
            _ => bodies.text(written),
        }
    }

    /// Gives the views of a group without literal parts in their patterns the paths below its prefix, with as many
    /// parts.
    pub(crate) fn place_views(&mut self, group: EntityId, kind: u64, prefix: Option<ExprId>) {
        let Some(prefix) = prefix.map_or(Some(""), |prefix| self.pattern_written(prefix)) else { return };
        for method in http::METHODS.into_iter().chain([ANY]) {
            // Without a literal part, only the number of parts tells paths apart.
            for count in 0..=MAX_PARTS {
                let views = self.read(unplaced(group, method, count));
                let ending = ending(prefix, count).unwrap_or_else(|| named("", parts(prefix).len() + count));
                self.add_route(kind, method, &ending, views);
            }
        }
    }

    /// The views with a name: `pages.index` is `index` of the group `pages`.
    pub(crate) fn view_named(&mut self, kind: u64, name: &str) -> SetId {
        let found = self.named(kind, name);
        let Some((group, view)) = name.rsplit_once('.').filter(|_| found == SetId::EMPTY) else { return found };
        let groups = self.read(group_key(kind, group));
        let mut views = SetId::EMPTY;
        for at in self.sets.range(groups) {
            if let Value::DottedName(group) = values::parts(self.sets.at(at)).0 {
                let named = self.read(questions::view(group, hash_name(view)));
                views = self.sets.union(views, named);
            }
        }
        views
    }

    /// The views that a path can mean. Among those with the most literal parts in common, the nearest win: in the same
    /// function, class or file as the request.
    pub(crate) fn requested_views(&mut self, rule: &Requests, method: &str, path: &str) -> SetId {
        for ending in endings_of(path) {
            let [own, any] = [method, ANY].map(|method| name_key(rule.kind.0, &format!("{method} {ending}")));
            let (own, any) = (self.read(own), self.read(any));
            let all = self.sets.union(own, any);
            let (mut nearest, mut shared) = (values::Entries::new(), 0);
            for at in self.sets.range(all) {
                let entry = self.sets.at(at);
                let (Value::Class(view) | Value::Function(view, _)) = values::parts(entry).0 else { continue };
                // Tests define applications with equal routes: the request is for the one of its own function or class.
                let shares = self.scopes_shared(view);
                if shares > shared {
                    nearest.clear();
                    shared = shares;
                }
                if shares == shared {
                    nearest.push(entry);
                }
            }
            if !nearest.is_empty() {
                return self.sets.of(nearest);
            }
        }
        SetId::EMPTY
    }

    /// In how many definitions, the module among them, both the present entity and another one stand.
    fn scopes_shared(&self, other: EntityId) -> usize {
        let (Some(own), Some(other)) = (self.look.own_place(self.entity), self.look.own_place(other)) else { return 0 };
        let (own, other) = (self.scopes_of(own), self.scopes_of(other));
        own.iter().rev().zip(other.iter().rev()).take_while(|(own, other)| own == other).count()
    }

    /// A definition of this file and those that it stands in, up to the module.
    fn scopes_of(&self, entity: u32) -> Vec<u32> {
        let entities = &self.look.own.interface.entities;
        let mut scopes = vec![entity];
        while let Some(&last) = scopes.last().filter(|&&last| last != 0) {
            scopes.push(entities[last as usize].parent);
        }
        scopes
    }

    /// The paths that an expression can be, with `{}` for computed parts.
    pub(crate) fn paths_written(&self, written: ExprId) -> Vec<String> {
        let texts = self.texts_computed(written);
        if texts.is_empty() { self.path_filled_in(written).into_iter().collect() } else { texts }
    }

    fn path_filled_in(&self, written: ExprId) -> Option<String> {
        let bodies = self.bodies;
        match *bodies.kind(written)? {
            ExprKind::Text(text) => Some(bodies.names.text(text).to_owned()),
            ExprKind::Format { values, prefix, suffix } => {
                let (before, after) = (bodies.names.text(prefix), bodies.names.text(suffix));
                // The text between several values is unknown.
                let is_known = bodies.list(values).len() == 1 || ending(after, 0).is_some();
                is_known.then(|| format!("{before}{{}}{after}"))
            }
            ExprKind::Binary { left, .. } => bodies.text(left).map(|text| format!("{text}{{}}")),
            ExprKind::Call { callee, .. } => match *bodies.kind(callee)? {
                ExprKind::Attribute { base, name } if bodies.names.text(name) == "format" => {
                    bodies.text(base).map(str::to_owned)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ending, endings_of};

    #[test]
    fn paths_meet_the_patterns_that_they_can_match() {
        assert_eq!(ending("cart/<int:pk>/", 0), Some("/cart/1".to_owned()));
        assert_eq!(ending("/users", 1), Some("/users/1".to_owned()));
        assert_eq!(ending(r"^cart/(?P<pk>\d+)/edit/$", 0), Some("/edit/0".to_owned()));
        assert_eq!(ending("<slug:slug>/", 0), None);
        assert_eq!(endings_of("/shop/cart/3/?page=2"), ["/3/0", "/cart/1", "/shop/2", "//3"]);
        assert_eq!(endings_of("/cart/{}"), ["/cart/1", "//2"]);
        assert_eq!(endings_of("/"), ["//0"]);
    }
}
