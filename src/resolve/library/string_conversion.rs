//! Formats: which arguments `%` and `str.format` convert to text, by which special methods.
//!
//! The rules name the special methods; the interpreter runs them. So does the rule for `assertEqual`, which compares.

use smallvec::SmallVec;

use crate::{
    facts::{
        bodies::{ExprId, ExprKind, Literal},
        hash_name,
    },
    resolve::{
        interpret::calls::arguments::MethodCall,
        solver::Solver,
        values::{Kinds, SetId},
    },
};

/// Special methods for `str(x)`; the first that an object has is run.
pub(crate) const STR: &[&str] = &["__str__", "__repr__"];

/// The same for `repr(x)`.
pub(crate) const REPR: &[&str] = &["__repr__"];

/// The same for `format(x)`.
pub(crate) const FORMAT: &[&str] = &["__format__", "__str__", "__repr__"];

/// Special methods that a call runs on values.
pub(crate) enum Protocol {
    /// Values become text.
    Show { values: SetId, methods: &'static [&'static str] },
    /// The elements of containers become text.
    ShowElements { containers: SetId, methods: &'static [&'static str] },
    /// Two values are compared, each given with its expression.
    Equate { left: (ExprId, SetId), right: (ExprId, SetId), methods: &'static [&'static str] },
}

/// Which argument a part of a format shows: one by its place, or by its name.
#[derive(Debug, PartialEq, Eq)]
enum FormatField<'a> {
    At(usize),
    Named(&'a str),
}

/// The letters of the conversions in a format for `%`: `['s', 'r']` of `"%s (%r)"`.
pub(crate) fn conversions(format: &str) -> SmallVec<[char; 4]> {
    let mut conversions = SmallVec::new();
    let mut rest = format;
    while let Some((_, after)) = rest.split_once('%') {
        let after = match after.strip_prefix('(').and_then(|named| named.split_once(')')) {
            Some((_, after)) => after,
            None => after,
        };
        let letter = after.trim_start_matches(|letter: char| !letter.is_alphabetic() && letter != '%');
        let mut letters = letter.chars();
        match letters.next() {
            Some('%') | None => {}
            Some(letter) => conversions.push(letter),
        }
        rest = letters.as_str();
    }
    conversions
}

/// The replacement fields of a format for `str.format`, each with its conversion, those left out that show a part of an
/// argument.
fn fields(format: &str) -> Vec<(FormatField<'_>, Option<char>)> {
    let mut fields = Vec::new();
    let (mut rest, mut automatic) = (format, 0);
    while let Some((_, after)) = rest.split_once('{') {
        if let Some(after) = after.strip_prefix('{') {
            rest = after;
            continue;
        }
        let Some(end) = after.find(['}', '{']) else { break };
        let field = &after[..end];
        rest = &after[end..];
        let field = field.split(':').next().unwrap_or_default();
        let (name, conversion) = field.split_once('!').unwrap_or((field, ""));
        if name.contains(['.', '[']) {
            continue;
        }
        let shown = match name.parse() {
            Ok(at) => FormatField::At(at),
            Err(_) if name.is_empty() => {
                automatic += 1;
                FormatField::At(automatic - 1)
            }
            Err(_) => FormatField::Named(name),
        };
        fields.push((shown, conversion.chars().next()));
    }
    fields
}

/// `format.format(…)` and `format.format_map(…)`: the arguments that the format names, by the conversion that is
/// written. Nobody knows which ones a format names that is not written here, nor those of containers: all of them.
pub(crate) fn format_call(solver: &mut Solver<'_>, call: &MethodCall<'_>) -> Vec<Protocol> {
    let &MethodCall { receivers, callee, arguments, is_defined, .. } = call;
    let bodies = solver.bodies;
    let Some(&ExprKind::Attribute { base, name }) = bodies.kind(callee) else { return Vec::new() };
    let is_text = solver.sets.is_text(receivers);
    // Of an unknown object only texts are formatted in these ways.
    let is_unknown = receivers == SetId::EMPTY || solver.sets.holds(receivers, Kinds::PARAMETERS);
    let may_be_text = is_text || is_unknown && !is_defined;
    match bodies.names.text(name) {
        "format" if is_text || may_be_text && arguments.has_mapping => {}
        "format_map" if may_be_text => {
            return vec![Protocol::ShowElements { containers: arguments.first(), methods: FORMAT }];
        }
        _ => return Vec::new(),
    }
    // `*` spreads elements already.
    let spread = Protocol::Show { values: arguments.spread, methods: FORMAT };
    let mapped = Protocol::ShowElements { containers: arguments.mapping, methods: FORMAT };
    let Some(&ExprKind::Text(text)) = bodies.kind(base) else {
        let named = arguments.keywords.iter().map(|&(_, set)| set);
        let all = arguments.positional.iter().copied().chain(named);
        let all = all.map(|values| Protocol::Show { values, methods: FORMAT });
        return all.chain([spread, mapped]).collect();
    };
    let shown = fields(bodies.names.text(text)).into_iter().map(|(shown, conversion)| {
        let set = match shown {
            FormatField::At(at) => arguments.positional.get(at).copied(),
            FormatField::Named(name) => {
                let name = hash_name(name);
                arguments.keywords.iter().find(|(keyword, _)| *keyword == name).map(|&(_, set)| set)
            }
        };
        let methods = match conversion {
            Some('r' | 'a') => REPR,
            Some(_) => STR,
            None => FORMAT,
        };
        Protocol::Show { values: set.unwrap_or_default(), methods }
    });
    shown.chain([spread, mapped]).collect()
}

/// `self.assertEqual(first, second)` and the like, unless the repository has such a method itself.
pub(crate) fn assert_call(solver: &mut Solver<'_>, call: &MethodCall<'_>) -> Vec<Protocol> {
    let &MethodCall { method: name, arguments, .. } = call;
    if call.is_defined {
        return Vec::new();
    }
    let &[first, second, ..] = arguments.positional.as_slice() else { return Vec::new() };
    let &[written, other, ..] = solver.bodies.list(arguments.written()) else { return Vec::new() };
    let (left, right) = ((written, first), (other, second));
    // What equals `None` is `None`, which has no method of the repository.
    let is_none = |side: ExprId| matches!(solver.bodies.kind(side), Some(ExprKind::Literal(Literal::None)));
    let has_none = is_none(written) || is_none(other);
    match solver.bodies.names.text(name) {
        "assertEqual" | "assertEquals" if has_none => Vec::new(),
        "assertEqual"
        | "assertEquals"
        | "assertListEqual"
        | "assertTupleEqual"
        | "assertSequenceEqual"
        | "assertDictEqual" => vec![Protocol::Equate { left, right, methods: &["__eq__"] }],
        "assertNotEqual" => vec![Protocol::Equate { left, right, methods: &["__ne__", "__eq__"] }],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{FormatField, conversions, fields};

    #[test]
    fn conversions_of_percent_formats() {
        assert_eq!(conversions("%s is %-5d of %%, %(name)r").as_slice(), ['s', 'd', 'r']);
        assert_eq!(conversions("100%").as_slice(), []);
    }

    #[test]
    fn fields_of_format_strings() {
        let found = fields("{} {!r} {{x}} {0!s:>5} {name:{width}} {point.x}");
        let named = FormatField::Named("name");
        let expected = [
            (FormatField::At(0), None),
            (FormatField::At(1), Some('r')),
            (FormatField::At(0), Some('s')),
            (named, None),
        ];
        assert_eq!(found[..4], expected);
    }
}
