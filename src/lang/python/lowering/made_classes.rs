//! Classes that a call makes: named tuples, and results of `type` or of a metaclass.
//!
//! Such an assignment, or a class statement with such a call among its bases, becomes a class as a statement would
//! make it. Its members are the fields of the tuple or the keys of the dict. A metaclass is recognized where the
//! assigned name and the first argument agree (`Base = Meta("Base", (object,), {})`), a named tuple by the name of the
//! callee.

use tree_sitter::Node;

use crate::{
    facts::{
        bodies::{Block, ClassBody, ExprId, ExprKind, NONE, Stmt},
        interface::Binding,
    },
    lang::python::{lowering::Lowerer, syntax::NodeKind},
    model::{EntityFlags, EntityKind},
};

/// A member of a class that is made by a call.
struct Field<'t, 's> {
    name: &'s str,
    place: (u32, u32),
    declared: Option<Node<'t>>,
    value: Option<Node<'t>>,
}

impl<'s> Lowerer<'s> {
    /// `Point = namedtuple("Point", "x y")`, `Made = type("Made", (Base,), {…})`; false for any other assignment.
    pub(crate) fn made_class(&mut self, assignment: Node<'_>, statement: Node<'_>, block: &mut Block) -> bool {
        let fields = &self.syntax.fields;
        let (Some(left), Some(call)) = (self.field(assignment, fields.left), self.field(assignment, fields.right))
        else {
            return false;
        };
        if self.kind(left) != NodeKind::Identifier
            || self.kind(call) != NodeKind::Call
            || self.field(assignment, fields.annotation).is_some()
        {
            return false;
        }
        let Some(callee) = self.field(call, fields.function) else { return false };
        if let Some(members) = self.tuple_fields(call) {
            let base = self.expression(callee);
            self.class_made(left, statement, vec![base], Vec::new(), &members, block);
            return true;
        }
        let Some((bases, members)) = self.bases_and_members(left, call) else { return false };
        let mut keywords = Vec::new();
        let metaclass = self.expression(callee);
        if self.text(callee) != "type" {
            keywords.push((self.name("metaclass").0, metaclass));
        }
        let bases = bases.into_iter().map(|base| self.expression(base)).collect();
        self.class_made(left, statement, bases, keywords, &members, block);
        true
    }

    fn class_made(
        &mut self,
        name_node: Node<'_>,
        statement: Node<'_>,
        bases: Vec<ExprId>,
        keywords: Vec<(u32, ExprId)>,
        members: &[Field<'_, 's>],
        block: &mut Block,
    ) {
        let conditional = if self.conditional > 0 { EntityFlags::CONDITIONAL } else { 0 };
        let flags = EntityFlags(EntityFlags::MADE | conditional);
        let kind = EntityKind::Class;
        let record = self.definition_record(statement, None, name_node, kind, flags, String::new(), Vec::new());
        let name = self.name(self.text(name_node));
        let variable = self.bind(name);
        self.log(self.scope, name, Binding::Entity(record));
        let (type_parameters, decorators, body) = (Vec::new(), Vec::new(), Block::new());
        let class =
            ClassBody { entity: record, scope: NONE, variable, type_parameters, bases, keywords, decorators, body };
        self.add_class(class, block, |this| this.members_made(members, statement));
    }

    /// The fields of the named tuples among the bases of a class statement, as its own.
    pub(crate) fn inherited_fields(&mut self, bases: Node<'_>, statement: Node<'_>) -> Block {
        let mut body = Block::new();
        for base in self.children_of(bases, NodeKind::Call) {
            if let Some(members) = self.tuple_fields(base) {
                body.extend(self.members_made(&members, statement));
            }
        }
        body
    }

    /// Binds the members in the present scope, the class's.
    fn members_made(&mut self, members: &[Field<'_, 's>], statement: Node<'_>) -> Block {
        let mut block = Block::new();
        for member in members {
            let annotation = member.declared.map_or(NONE, |declared| self.annotation(declared));
            let value = member.value.map_or(NONE, |value| self.expression(value));
            let name = self.name(member.name);
            let variable = self.bind(name);
            let (first, last) = self.lines(statement);
            let line = member.place.0.clamp(first, last);
            let hash = self.content_hash(statement);
            let flags = EntityFlags::default();
            let record = self.add_variable(self.scope, name, (line, line), member.place, flags, hash);
            self.bodies.variables[variable as usize].entity = record;
            let target = self.expr(ExprKind::Name { name, variable }, member.place);
            if annotation != NONE {
                block.push(self.stmt(Stmt::Annotated { target, annotation, value }));
            } else if value != NONE {
                block.push(self.stmt(Stmt::Assign { target, value }));
            }
        }
        block
    }

    /// The maker of the class, and the names of its fields, in `namedtuple("P", "x y")` where it is called in the same
    /// expression: `namedtuple("P", "x y")(1, 2)`. The object is lowered as one that holds `x=1, y=2`.
    pub(crate) fn tuple_called<'t>(&self, called: Node<'t>) -> Option<(Node<'t>, Vec<&'s str>)> {
        if self.kind(called) != NodeKind::Call {
            return None;
        }
        let members = self.tuple_fields(called)?;
        let maker = self.field(called, self.syntax.fields.function)?;
        Some((maker, members.into_iter().map(|member| member.name).collect()))
    }

    /// The fields that `namedtuple("P", "x y")` or `NamedTuple("P", [("x", int)])` writes out; none for any other call.
    fn tuple_fields<'t>(&self, call: Node<'t>) -> Option<Vec<Field<'t, 's>>> {
        let fields = &self.syntax.fields;
        let callee = self.field(call, fields.function)?;
        let last = self.text(callee).rsplit('.').next()?;
        if !matches!(last, "namedtuple" | "NamedTuple" | "TypedDict") {
            return None;
        }
        let arguments = self.children(self.field(call, fields.arguments)?);
        let keyword = |argument: &Node<'t>| {
            let is_fields = self.field(*argument, fields.name).is_some_and(|name| self.text(name) == "field_names");
            if is_fields { self.field(*argument, fields.value) } else { None }
        };
        let is_keyword = |argument: &&Node<'t>| self.kind(**argument) == NodeKind::KeywordArgument;
        let written = arguments.get(1).filter(|argument| !is_keyword(argument)).copied();
        let written = written.or_else(|| arguments.iter().filter(is_keyword).find_map(keyword));
        arguments.first().filter(|first| self.kind(**first) == NodeKind::Str)?;
        let mut members: Vec<Field<'t, 's>> = Vec::new();
        match written.map(|written| (self.kind(written), written)) {
            Some((NodeKind::Str, text)) => members.extend(self.names_in(text)),
            // `TypedDict("Order", {"line": Line})`
            Some((NodeKind::Dictionary, items)) => {
                for pair in self.children_of(items, NodeKind::Pair) {
                    let key = self.field(pair, fields.key).filter(|&key| self.kind(key) == NodeKind::Str);
                    let named = key.map_or_else(Vec::new, |key| self.names_in(key));
                    let declared = self.field(pair, fields.value);
                    members.extend(named.into_iter().map(|field| Field { declared, ..field }));
                }
            }
            Some((NodeKind::List | NodeKind::Tuple, items)) => {
                for item in self.children(items) {
                    let parts = self.children(item);
                    match (self.kind(item), parts.as_slice()) {
                        (NodeKind::Str, _) => members.extend(self.names_in(item)),
                        (NodeKind::Tuple, &[name, declared]) => {
                            let named = self.names_in(name).into_iter();
                            members.extend(named.map(|field| Field { declared: Some(declared), ..field }));
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        Some(members)
    }

    /// The bases and members of a class that `type` or a metaclass makes of a name, a tuple and a dict.
    fn bases_and_members<'t>(&self, target: Node<'_>, call: Node<'t>) -> Option<(Vec<Node<'t>>, Vec<Field<'t, 's>>)> {
        let fields = &self.syntax.fields;
        let callee = self.field(call, fields.function)?;
        let arguments = self.children(self.field(call, fields.arguments)?);
        let &[name, bases, members] = arguments.as_slice() else { return None };
        if self.kind(name) != NodeKind::Str || self.kind(bases) != NodeKind::Tuple {
            return None;
        }
        let is_named_alike = self.names_in(name).first().is_some_and(|field| field.name == self.text(target));
        if self.text(callee) != "type" && !is_named_alike {
            return None;
        }
        let bases: Vec<_> = self.children(bases).into_iter().collect();
        if !bases.iter().all(|&base| matches!(self.kind(base), NodeKind::Identifier | NodeKind::Attribute)) {
            return None;
        }
        let mut made = Vec::new();
        match self.kind(members) {
            NodeKind::Dictionary => {
                for pair in self.children_of(members, NodeKind::Pair) {
                    let Some(key) = self.field(pair, fields.key).filter(|&key| self.kind(key) == NodeKind::Str) else {
                        continue;
                    };
                    let value = self.field(pair, fields.value);
                    made.extend(self.names_in(key).into_iter().map(|field| Field { value, ..field }));
                }
            }
            NodeKind::Call => {
                let list = self.field(members, fields.arguments)?;
                for keyword in self.children_of(list, NodeKind::KeywordArgument) {
                    let Some(name) = self.field(keyword, fields.name) else { continue };
                    let value = self.field(keyword, fields.value);
                    made.push(Field { name: self.text(name), place: self.place(name), declared: None, value });
                }
            }
            NodeKind::Identifier => {}
            _ => return None,
        }
        Some((bases, made))
    }

    /// The names in a text, with commas or spaces between.
    fn names_in<'t>(&self, text: Node<'t>) -> Vec<Field<'t, 's>> {
        let mut names: Vec<Field<'t, 's>> = Vec::new();
        for content in self.children_of(text, NodeKind::StringContent) {
            let (text, (line, column)) = (self.text(content), self.place(content));
            for (row, written) in (0..).zip(text.split('\n')) {
                let mut at = 0;
                for name in written.split([' ', ',', '\t', '\r', '\\']) {
                    let offset = if row == 0 { column } else { 0 };
                    let is_name = name.starts_with(|first: char| first == '_' || first.is_alphabetic());
                    if is_name && names.iter().all(|field| field.name != name) {
                        let place = (line + row, offset + at);
                        names.push(Field { name, place, declared: None, value: None });
                    }
                    at += u32::try_from(name.len()).unwrap_or(0) + 1;
                }
            }
        }
        names
    }
}
