//! Marks of a definition: what its name, its flags and its decorators say.

use crate::{
    model::{
        EntityFlags, EntityKind, conventions::is_special, signature::ParameterKind, written_signature::WrittenSignature,
    },
    store::{Store, error::StoreError, read::Entity},
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
    /// A function that is defined inside another one, or a class that is no module's own.
    Inner,
    /// One that is defined inside a function or method, at any depth. Only its parents tell.
    Local,
    /// Neither of both.
    Outer,
    /// A function that takes a function and gives one back, or gives a function that does.
    Decorator,
    /// A class that derives from an exception.
    Exception,
    /// A variable whose name is in capitals.
    Constant,
    /// It takes further arguments by position, as `*args` does.
    Variadic,
    /// It takes further arguments by keyword, as `**kwargs` does.
    Keywords,
    /// A parameter is passed by keyword alone.
    KeywordOnly,
    /// A parameter is passed by position alone.
    PositionalOnly,
    /// A parameter has a default.
    Defaulted,
    /// The default of a parameter is an object that all calls share and can change: `[]`, `{}`, `set()`.
    MutableDefault,
}

impl DefinitionMark {
    /// Every mark.
    pub const ALL: [DefinitionMark; 25] = [
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
        Self::Local,
        Self::Outer,
        Self::Decorator,
        Self::Exception,
        Self::Constant,
        Self::Variadic,
        Self::Keywords,
        Self::KeywordOnly,
        Self::PositionalOnly,
        Self::Defaulted,
        Self::MutableDefault,
    ];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Private => "private",
            Self::Async => "async",
            Self::Generator => "generator",
            Self::Static => "static",
            Self::ClassMethod => "classmethod",
            Self::Property => "property",
            Self::Setter => "setter",
            Self::Abstract => "abstract",
            Self::Overload => "overload",
            Self::Deprecated => "deprecated",
            Self::Fixture => "fixture",
            Self::Test => "test",
            Self::Inner => "inner",
            Self::Local => "local",
            Self::Outer => "outer",
            Self::Decorator => "decorator",
            Self::Exception => "exception",
            Self::Constant => "constant",
            Self::Variadic => "variadic",
            Self::Keywords => "keywords",
            Self::KeywordOnly => "keyword-only",
            Self::PositionalOnly => "positional-only",
            Self::Defaulted => "defaulted",
            Self::MutableDefault => "mutable-default",
        }
    }

    /// The mark in sentences: `private`, `with a keyword-only parameter`.
    pub fn worded(self) -> &'static str {
        match self {
            Self::Variadic => "with `*args` of any name",
            Self::Keywords => "with `**kwargs` of any name",
            Self::KeywordOnly => "with a keyword-only parameter",
            Self::PositionalOnly => "with a positional-only parameter",
            Self::Defaulted => "with a default value",
            Self::MutableDefault => "with a mutable default value",
            other => other.as_str(),
        }
    }

    /// Whether the parameters of a callable tell it.
    pub fn is_of_parameters(self) -> bool {
        matches!(
            self,
            Self::Variadic
                | Self::Keywords
                | Self::KeywordOnly
                | Self::PositionalOnly
                | Self::Defaulted
                | Self::MutableDefault
        )
    }

    /// Whether a definition can have the mark, by its own record. Only its bases tell whether a class is an
    /// exception or abstract, and only its parents whether a definition is local.
    pub fn fits(self, entity: &Entity) -> bool {
        let record = &entity.record;
        let has = |flag: u32| record.flags.has(flag);
        let is_special = is_special(&record.name);
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
            Self::Abstract => has(EntityFlags::ABSTRACT) || record.kind == EntityKind::Class,
            Self::Overload => has(EntityFlags::OVERLOAD),
            Self::Deprecated => {
                is_decorated(&record.decorators, "deprecated") || record.doc.to_lowercase().contains("deprecated")
            }
            Self::Fixture => has(EntityFlags::FIXTURE),
            Self::Test => has(EntityFlags::TEST),
            // A method's kind says so; a function with a name in two parts stands in a function.
            Self::Inner | Self::Local => {
                matches!(record.kind, EntityKind::Function | EntityKind::Class) && record.qualified.contains('.')
            }
            Self::Outer => !Self::Inner.fits(entity),
            Self::Decorator => record.kind.is_callable() && makes_decorator(&record.signature),
            Self::Exception => record.kind == EntityKind::Class,
            Self::Constant => {
                record.kind == EntityKind::Variable
                    && record.name.contains(char::is_uppercase)
                    && !record.name.contains(char::is_lowercase)
            }
            mark => record.kind.is_callable() && !mark.parameters_of(&record.signature).is_empty(),
        }
    }

    /// The names of the parameters by which a signature has the mark; none for a mark that parameters do not tell.
    pub fn parameters_of(self, signature: &str) -> Vec<&str> {
        let mut parameters = WrittenSignature::parse(signature).map_or(Vec::new(), |signature| signature.parameters);
        parameters.retain(|parameter| match self {
            Self::Variadic => parameter.kind == ParameterKind::Positionals,
            Self::Keywords => parameter.kind == ParameterKind::Keywords,
            Self::KeywordOnly => parameter.kind == ParameterKind::KeywordOnly,
            Self::PositionalOnly => parameter.kind == ParameterKind::PositionalOnly,
            Self::Defaulted => parameter.default.is_some(),
            Self::MutableDefault => parameter.default.is_some_and(is_mutable),
            _ => false,
        });
        parameters.into_iter().map(|parameter| parameter.name).collect()
    }
}

/// Whether a definition stands inside a function or method.
pub(super) fn is_local(store: &Store, entity: &Entity) -> Result<bool, StoreError> {
    let mut at = entity.clone();
    while at.parent != at.id
        && let Some(parent) = store.entity(at.parent)?
    {
        if parent.record.kind.is_callable() {
            return Ok(true);
        }
        at = parent;
    }
    Ok(false)
}

/// Whether an expression makes a list, a dict, a set or another object that can be changed.
fn is_mutable(expression: &str) -> bool {
    const MAKING: [&str; 8] = [
        "bytearray",
        "collections.OrderedDict",
        "collections.defaultdict",
        "defaultdict",
        "deque",
        "dict",
        "list",
        "set",
    ];
    expression.starts_with(['[', '{']) || expression.split_once('(').is_some_and(|(made, _)| MAKING.contains(&made))
}

/// Whether a signature takes a function and gives one back, or gives a function that does.
fn makes_decorator(signature: &str) -> bool {
    let Some(signature) = WrittenSignature::parse(signature) else { return false };
    let returns = signature.result;
    // A type variable, such as `F` or `T_route`, stands for the function.
    let is_function = |annotation: &str| {
        annotation.contains("Callable[") || (1..3).contains(&annotation.len()) || annotation.starts_with("T_")
    };
    let first = signature.parameters.iter().find(|parameter| !matches!(parameter.name, "self" | "cls"));
    let gives_one = returns.contains("Callable[[") || returns.ends_with("Callable");
    gives_one || first.is_some_and(|first| first.annotation == returns && is_function(first.annotation))
}

/// Whether one of the decorators has this name, or ends with it; `*` stands for any.
pub fn is_decorated(decorators: &[String], wanted: &str) -> bool {
    if wanted == "*" {
        return !decorators.is_empty();
    }
    decorators.iter().any(|decorator| {
        let name = decorator.trim_start_matches('@').split('(').next().unwrap_or_default().trim();
        let last = name.rsplit('.').next().unwrap_or(name);
        name == wanted || last == wanted
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decorator_gives_back_the_function_that_it_takes() {
        assert!(makes_decorator("(self, f: F) -> F"));
        assert!(makes_decorator("(f: T_route) -> T_route"));
        assert!(makes_decorator("(rule: str, **options: Any) -> Callable[[T_route], T_route]"));
        assert!(!makes_decorator("(path: str) -> str"));
        assert!(!makes_decorator("(path)"));
    }

    #[test]
    fn parameters_have_marks() {
        let marks = |signature: &str| -> Vec<&str> {
            let all = DefinitionMark::ALL.into_iter();
            all.filter(|mark| !mark.parameters_of(signature).is_empty()).map(DefinitionMark::as_str).collect()
        };
        assert_eq!(marks("(self, a, b)"), [""; 0]);
        assert_eq!(marks("(a, /, *rest, key, **more)"), ["variadic", "keywords", "keyword-only", "positional-only"]);
        assert_eq!(marks("(a, *, key=())"), ["keyword-only", "defaulted"]);
        assert_eq!(marks("(a: list[str] = [])"), ["defaulted", "mutable-default"]);
        assert_eq!(marks("(a=set())"), ["defaulted", "mutable-default"]);
        assert_eq!(DefinitionMark::KeywordOnly.parameters_of("(a, *, b, c=1)"), ["b", "c"]);
    }
}
