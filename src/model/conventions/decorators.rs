//! Decorators that do no harm: they hand on the decorated function or class, or wrap it in something that behaves like
//! it. None of them makes code outside the repository call the definition.

use super::last_part;

/// How calls of the decorated name relate to the parameters as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameters {
    /// A call has to fit the parameters as written.
    Kept,
    /// The decorator makes other parameters, or the name is not called at all.
    Made,
}

/// A decorator of the standard library or of a library that nearly every project uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HarmlessDecorator {
    /// The dotted name by which it is imported.
    pub path: &'static str,
    pub parameters: Parameters,
}

const fn kept(path: &'static str) -> HarmlessDecorator {
    HarmlessDecorator { path, parameters: Parameters::Kept }
}

const fn made(path: &'static str) -> HarmlessDecorator {
    HarmlessDecorator { path, parameters: Parameters::Made }
}

/// The harmless decorators, by their paths.
pub const HARMLESS: &[HarmlessDecorator] = &[
    kept("abc.abstractmethod"),
    made("attr.attrs"),
    made("attr.define"),
    made("attr.frozen"),
    kept("builtins.classmethod"),
    kept("builtins.property"),
    made("builtins.property.deleter"),
    made("builtins.property.getter"),
    kept("builtins.property.setter"),
    kept("builtins.staticmethod"),
    kept("contextlib.asynccontextmanager"),
    kept("contextlib.contextmanager"),
    made("dataclasses.dataclass"),
    // Flask's: it checks that the application does not run yet, and calls the method.
    kept("flask.sansio.scaffold.setupmethod"),
    kept("functools.cache"),
    made("functools.cached_property"),
    kept("functools.lru_cache"),
    made("functools.total_ordering"),
    kept("functools.wraps"),
    made("pytest.fixture"),
    kept("typing.final"),
    kept("typing.no_type_check"),
    kept("typing.overload"),
    kept("typing.override"),
    made("typing.runtime_checkable"),
    kept("warnings.deprecated"),
];

/// The harmless decorator that a written decorator may be, judged by its last name: `lru_cache` for
/// `functools.lru_cache(maxsize=8)`.
pub fn harmless(written: &str) -> Option<&'static HarmlessDecorator> {
    let last = last_part(written.split(['(', '[']).next().unwrap_or_default().trim());
    HARMLESS.iter().find(|decorator| last_part(decorator.path) == last)
}

/// Whether calls of a definition with this decorator have to fit its parameters as written.
pub fn keeps_parameters(written: &str) -> bool {
    harmless(written).is_some_and(|decorator| decorator.parameters == Parameters::Kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decorator_is_known_by_its_last_name() {
        assert!(keeps_parameters("functools.lru_cache(maxsize=None)") && keeps_parameters("name.setter"));
        assert!(harmless("dataclass(frozen=True)").is_some() && !keeps_parameters("dataclass"));
        assert_eq!(harmless("app.route('/')"), None);
    }

    #[test]
    fn the_list_is_sorted_and_has_each_last_name_once() {
        assert!(HARMLESS.is_sorted_by_key(|decorator| decorator.path));
        let mut names: Vec<&str> = HARMLESS.iter().map(|decorator| last_part(decorator.path)).collect();
        names.sort_unstable();
        assert!(names.is_sorted_by(|one, other| one < other), "{names:?}");
    }
}
