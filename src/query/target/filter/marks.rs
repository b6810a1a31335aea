//! Marks of a definition: what its name, its flags and its decorators say.

use crate::{
    model::{EntityFlags, EntityKind},
    store::read::Entity,
};

/// A mark of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefinitionMark {
    /// Neither private nor special.
    Public,
    /// Its name begins with an underscore, and is no special one such as `__init__`.
    Private,
    Async,
    Generator,
    Static,
    ClassMethod,
    Property,
    Setter,
    Abstract,
    Overload,
    /// By a decorator or its docstring.
    Deprecated,
    Fixture,
    Test,
    /// Defined inside a function.
    Inner,
}

impl DefinitionMark {
    /// Every mark.
    pub const ALL: [DefinitionMark; 14] = [
        Self::Public,
        Self::Private,
        Self::Async,
        Self::Generator,
        Self::Static,
        Self::ClassMethod,
        Self::Property,
        Self::Setter,
        Self::Abstract,
        Self::Overload,
        Self::Deprecated,
        Self::Fixture,
        Self::Test,
        Self::Inner,
    ];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Private => "private",
            Self::Async => "async",
            Self::Generator => "generator",
            Self::Static => "static",
            Self::ClassMethod => "class method",
            Self::Property => "property",
            Self::Setter => "setter",
            Self::Abstract => "abstract",
            Self::Overload => "overload",
            Self::Deprecated => "deprecated",
            Self::Fixture => "fixture",
            Self::Test => "test",
            Self::Inner => "inner",
        }
    }

    /// Whether a definition has the mark.
    pub fn fits(self, entity: &Entity) -> bool {
        let record = &entity.record;
        let has = |flag: u32| record.flags.has(flag);
        let is_special = record.name.starts_with("__") && record.name.ends_with("__");
        let is_private = record.name.starts_with('_') && !is_special;
        match self {
            Self::Public => !is_private && !is_special,
            Self::Private => is_private,
            Self::Async => has(EntityFlags::ASYNC),
            Self::Generator => has(EntityFlags::GENERATOR),
            Self::Static => has(EntityFlags::STATIC_METHOD),
            Self::ClassMethod => has(EntityFlags::CLASS_METHOD),
            Self::Property => record.kind == EntityKind::Property,
            Self::Setter => has(EntityFlags::SETTER),
            Self::Abstract => has(EntityFlags::ABSTRACT),
            Self::Overload => has(EntityFlags::OVERLOAD),
            Self::Deprecated => {
                is_decorated(&record.decorators, "deprecated") || record.doc.to_lowercase().contains("deprecated")
            }
            Self::Fixture => has(EntityFlags::FIXTURE),
            Self::Test => has(EntityFlags::TEST),
            // A method's kind says so; a function with a name in two parts stands in a function.
            Self::Inner => record.kind == EntityKind::Function && record.qualified.contains('.'),
        }
    }
}

/// Whether one of the decorators has this name, or ends with it.
pub fn is_decorated(decorators: &[String], wanted: &str) -> bool {
    decorators.iter().any(|decorator| {
        let name = decorator.trim_start_matches('@').split('(').next().unwrap_or_default().trim();
        let last = name.rsplit('.').next().unwrap_or(name);
        name == wanted || last == wanted
    })
}
