//! Values that become text: what `str`, `repr`, `format`, f-strings, `%` and `str.format` call.
//!
//! Goes in: the values, and the format where it is written out. Comes out: calls of `__str__`, `__repr__` and `__format__`. A
//! container shows what it holds by `repr`, whatever shows the container.

use smallvec::SmallVec;

use crate::{
    facts::{
        bodies::{ExprId, ExprKind, SequenceKind},
        hash_name,
    },
    model::Basis,
    resolve::{
        interpret::{Interpreter, arguments::MethodCall},
        library::known,
        solver::output::Position,
        values::{self, Kinds, SetId, Value},
    },
};

const STR: &[&str] = &["__str__", "__repr__"];

const REPR: &[&str] = &["__repr__"];

const FORMAT: &[&str] = &["__format__", "__str__", "__repr__"];

/// How deep containers in containers are looked into.
const MAX_NESTING: usize = 2;

/// Which argument a part of a format shows: one by its place, or by its name.
#[derive(Debug, PartialEq, Eq)]
enum FormatField<'a> {
    At(usize),
    Named(&'a str),
}

/// The letters of the conversions in a format for `%`: `['s', 'r']` of `"%s (%r)"`.
fn conversions(format: &str) -> SmallVec<[char; 4]> {
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

/// `format.format(…)`: the arguments that the format names, by the conversion that is written.
pub(crate) fn formatted_by(interpreter: &mut Interpreter<'_>, call: &MethodCall<'_>) {
    let &MethodCall { receivers, callee, arguments, place, .. } = call;
    let bodies = interpreter.solver.bodies;
    let Some(&ExprKind::Attribute { base, name }) = bodies.kind(callee) else { return };
    if bodies.names.text(name) != "format" || !interpreter.solver.sets.is_text(receivers) {
        return;
    }
    let Some(&ExprKind::Text(text)) = bodies.kind(base) else {
        let named = arguments.keywords.iter().map(|&(_, set)| set);
        let all: SmallVec<[SetId; 8]> = arguments.positional.iter().copied().chain(named).collect();
        for set in all {
            interpreter.formatted(set, place);
        }
        return;
    };
    for (shown, conversion) in fields(bodies.names.text(text)) {
        let set = match shown {
            FormatField::At(at) => arguments.positional.get(at).copied(),
            FormatField::Named(name) => {
                let name = hash_name(name);
                arguments.keywords.iter().find(|(keyword, _)| *keyword == name).map(|&(_, set)| set)
            }
        };
        let names = match conversion {
            Some('r' | 'a') => REPR,
            Some(_) => STR,
            None => FORMAT,
        };
        interpreter.shown_by(set.unwrap_or_default(), names, place);
    }
}

/// `self.assertEqual(first, second)` and the like, unless the repository has such a method itself.
pub(crate) fn asserted(interpreter: &mut Interpreter<'_>, call: &MethodCall<'_>) {
    let &MethodCall { method: name, arguments, place, .. } = call;
    if call.is_defined {
        return;
    }
    let &[first, second, ..] = arguments.positional.as_slice() else { return };
    let &[written, other, ..] = interpreter.solver.bodies.list(arguments.written()) else { return };
    let (first, second) = ((written, first), (other, second));
    match interpreter.solver.bodies.names.text(name) {
        "assertEqual"
        | "assertEquals"
        | "assertListEqual"
        | "assertTupleEqual"
        | "assertSequenceEqual"
        | "assertDictEqual" => interpreter.equated(first, second, &["__eq__"], place),
        "assertNotEqual" => interpreter.equated(first, second, &["__ne__", "__eq__"], place),
        _ => {}
    }
}

impl Interpreter<'_> {
    /// `str(x)`, `print(x)`, `f"{x!s}"`.
    pub(crate) fn shown(&mut self, set: SetId, place: Position) {
        self.shown_by(set, STR, place);
    }

    /// `repr(x)`, `f"{x!r}"`.
    pub(crate) fn represented(&mut self, set: SetId, place: Position) {
        self.shown_by(set, REPR, place);
    }

    /// `format(x)`, `f"{x}"`.
    pub(crate) fn formatted(&mut self, set: SetId, place: Position) {
        self.shown_by(set, FORMAT, place);
    }

    fn shown_by(&mut self, set: SetId, names: &[&str], place: Position) {
        self.special_first(set, names, place);
        for inside in self.contents(set) {
            self.special_first(inside, REPR, place);
        }
    }

    /// What lies in the containers of a set, and in containers in those; nothing where other objects are among them.
    pub(crate) fn contents(&mut self, set: SetId) -> SmallVec<[SetId; 4]> {
        let mut contents = SmallVec::new();
        let mut rest = set;
        for _ in 0..MAX_NESTING {
            if !self.solver.sets.holds(rest, Kinds::CONTAINERS) || self.solver.sets.holds(rest, Kinds::INSTANCES) {
                break;
            }
            let (elements, keys) = (self.elements(rest), self.keys_of(rest));
            contents.extend([elements, keys].into_iter().filter(|&set| set != SetId::EMPTY));
            rest = elements;
        }
        contents
    }

    /// `format % values`: a tuple is taken apart, one value for each conversion.
    pub(crate) fn filled_in(&mut self, format: (ExprId, SetId), values: (ExprId, SetId), place: Position) {
        if !self.solver.sets.is_text(format.1) {
            return;
        }
        let bodies = self.solver.bodies;
        let conversions = match bodies.kind(format.0) {
            Some(&ExprKind::Text(text)) => conversions(bodies.names.text(text)),
            _ => SmallVec::new(),
        };
        let names = |at: usize| if conversions.get(at) == Some(&'r') { REPR } else { STR };
        let is_tuple = matches!(bodies.kind(values.0), Some(ExprKind::Sequence { kind: SequenceKind::Tuple, .. }));
        if let Some(items) = self.solver.written_items(values.0).filter(|_| is_tuple) {
            for (at, &item) in items.iter().enumerate() {
                let set = self.quiet(|this| this.eval(item));
                self.shown_by(set, names(at), place);
            }
            return;
        }
        self.special_first(values.1, names(0), place);
        if !self.solver.sets.holds(values.1, Kinds::CONTAINERS) || self.solver.sets.holds(values.1, Kinds::INSTANCES) {
            return;
        }
        // For one conversion it is a list that is shown whole, for several or a named one the parts of a tuple or dict are.
        let is_named = matches!(bodies.kind(values.0), Some(ExprKind::Dict { .. }));
        let inside = self.elements(values.1);
        self.shown_by(inside, if conversions.len() == 1 && !is_named { REPR } else { STR }, place);
    }

    /// `left == right`: `__eq__` of what stands left, else of what stands right. A list, tuple or dict that is written out there
    /// is compared object by object: those that are made in it are nobody else's.
    pub(crate) fn equated(&mut self, left: (ExprId, SetId), right: (ExprId, SetId), names: &[&str], place: Position) {
        match names {
            [only] => {
                self.special(left.1, only, &[right.1], place);
            }
            _ => self.special_first(left.1, names, place),
        }
        let is_plain = |entry: &u64| {
            let plain = values::parts(*entry).0;
            matches!(plain, Value::ExternalInstance(class) if class != known::NONE_TYPE)
        };
        if self.expand_parameters(left.1) == SetId::EMPTY {
            // It may hand the question on.
            let asked = self.solver.sets.weaken(right.1, Basis::Element);
            self.special_first(asked, names, place);
        } else if self.solver.sets.entries(left.1).iter().all(is_plain) {
            self.special_first(right.1, names, place);
        }
        for written in [left.0, right.0] {
            self.equated_inside(written, place);
        }
    }

    /// `x in items`, `items.index(x)`: each element of a list is compared with what is sought, one that does not know better by
    /// what that says.
    pub(crate) fn sought(&mut self, containers: SetId, wanted: SetId, place: Position) {
        if !self.solver.sets.holds(containers, Kinds::CONTAINERS.or(Kinds::PARAMETERS)) {
            return;
        }
        let containers = self.expand_parameters(containers);
        let is_list = |value| matches!(value, Value::Container(_, site) if !site.is_dict());
        let lists = self.solver.sets.only(containers, is_list);
        if lists == SetId::EMPTY {
            return;
        }
        let elements = self.elements(lists);
        if self.solver.sets.holds(elements, Kinds::INSTANCES) {
            self.special(elements, "__eq__", &[wanted], place);
        } else {
            let wanted = self.solver.sets.weaken(wanted, Basis::Element);
            self.special(wanted, "__eq__", &[], place);
        }
    }

    fn equated_inside(&mut self, written: ExprId, place: Position) {
        let bodies = self.solver.bodies;
        let Some(&(ExprKind::Sequence { items, .. } | ExprKind::Dict { items, .. })) = bodies.kind(written) else {
            return;
        };
        for &item in bodies.list(items) {
            match bodies.kind(item) {
                Some(ExprKind::Call { .. }) => {
                    let made = self.quiet(|this| this.eval(item));
                    self.special(made, "__eq__", &[], place);
                }
                Some(ExprKind::Sequence { .. } | ExprKind::Dict { .. }) => self.equated_inside(item, place),
                _ => {}
            }
        }
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
