//! Decorators and calls as the rules name them: paths, arguments, metadata of annotations.

use crate::{
    facts::{
        Bodies, NameId,
        bodies::{ExprId, ExprKind, NONE},
    },
    model::{Basis, EntityId, RelationshipKind},
    resolve::{
        frameworks::tables::rules,
        interpret::calls::arguments::Arguments,
        names::Lookup,
        values::{self, SetId, Sets, Value},
    },
};

/// The kinds of relationships of an annotation's metadata to functions and classes.
pub(crate) const METADATA_KINDS: [RelationshipKind; 2] = [RelationshipKind::Calls, RelationshipKind::References];

impl Lookup<'_> {
    /// The index of the parameter of this name, by its hash.
    pub(crate) fn parameter_named(&mut self, function: EntityId, parameter: u64) -> Option<u32> {
        let found = self.signature(function, 0)?;
        let names = &found.info.interface.names;
        let mut heads = (0..).zip(&found.signature().parameters);
        heads.find(|(_, head)| names.hash(head.name) == parameter).map(|(index, _)| index)
    }

    pub(crate) fn is_of_a_module(&mut self, entity: EntityId) -> bool {
        self.with_head(entity, |_, head| head.parent) == Some(0)
    }
}

impl Bodies {
    /// An argument by its keyword, else by its position, and where it is written.
    pub(crate) fn argument(
        &self,
        arguments: &Arguments,
        position: Option<usize>,
        keyword: Option<u64>,
    ) -> Option<(SetId, ExprId)> {
        let bodies = self;
        if let Some(&(hash, set)) = arguments.keywords.iter().find(|&&(name, _)| Some(name) == keyword) {
            let mut named = bodies.keywords(arguments.named()).iter();
            let written = named.find(|&&(name, _)| name != NONE && bodies.names.hash(NameId(name)) == hash);
            return Some((set, written.map_or(NONE, |&(_, value)| value)));
        }
        let set = *arguments.positional.get(position?)?;
        Some((set, bodies.list(arguments.written()).get(position?).copied().unwrap_or(NONE)))
    }

    /// An argument of a call by its keyword, else by its position, as it is written.
    pub(crate) fn written_argument(
        &self,
        call: ExprId,
        position: Option<usize>,
        keyword: Option<u64>,
    ) -> Option<ExprId> {
        let bodies = self;
        let &ExprKind::Call { arguments, keywords, .. } = bodies.kind(call)? else { return None };
        let mut named = bodies.keywords(keywords).iter();
        let named = named.find(|&&(name, _)| name != NONE && Some(bodies.names.hash(NameId(name))) == keyword);
        named.map(|&(_, value)| value).or_else(|| bodies.list(arguments).get(position?).copied())
    }

    /// `app.command` in `@app.command()` and in `@app.command`.
    pub(crate) fn decorator_named(&self, decorator: ExprId) -> ExprId {
        match self.expressions[decorator as usize].kind {
            ExprKind::Call { callee, .. } => callee,
            _ => decorator,
        }
    }
}

impl Sets {
    /// The object that a framework makes of a function, beside the function itself.
    pub(crate) fn object_made(&mut self, made: SetId) -> SetId {
        let objects = self.outside_paths(made).into_iter().filter_map(|path| rules().makes.get(&path).copied());
        let entries: values::Entries =
            objects.map(|object| values::entry(Value::ExternalInstance(object), Basis::Returned)).collect();
        self.of(entries)
    }

    /// The names outside the repository in a set, and those of the classes of its outside instances.
    pub(crate) fn outside_paths(&self, set: SetId) -> Vec<u64> {
        let paths = self.entries(set).iter().filter_map(|&entry| match values::parts(entry).0 {
            Value::External(path) | Value::ExternalInstance(path) => Some(path),
            _ => None,
        });
        paths.collect()
    }
}
