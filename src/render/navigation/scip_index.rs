//! An index for code navigation in the SCIP format, as code hosts and editors read it.
//!
//! The output is a sequence of protocol buffer messages, one for the head and one a file. Together they are one index,
//! as the format allows.
//!
//! Symbols resemble those of scip-python: `` repoidx python . . `pkg.mod`/Class#method(). ``; the second definition of
//! a name is `` `name@2` `` or `method(+1).`.

use std::{io, path::Path};

use protobuf::{Message, MessageField};
use rustc_hash::{FxHashMap, FxHashSet};
use scip::{
    symbol::{SymbolFormatOptions, format_symbol_with},
    types::{
        Descriptor, Document, Index, Metadata, Occurrence, PositionEncoding, Relationship, Signature, Symbol,
        SymbolInformation, SymbolRole, TextEncoding, ToolInfo, descriptor::Suffix, symbol_information::Kind,
    },
};

use crate::{
    model::{EntityId, EntityKind, RelationshipKind},
    query::navigate::occurrences::{Definition, FileOccurrences, NameOccurrence},
    render::screen::percent_encoded,
};

/// Start of each symbol: scheme, package manager, and neither name nor version of a package, since all is in this
/// repository.
const PREFIX: &str = "repoidx python . . ";

/// The symbol and the full name of each entity.
#[derive(Debug, Default)]
pub struct Symbols {
    symbols: FxHashMap<EntityId, (String, String)>,
    modules: FxHashSet<String>,
}

impl Symbols {
    /// Adds the definitions of one file, parents first. If two files are one module, as scripts of two folders can be,
    /// the later one gets its path as name.
    pub fn add(&mut self, definitions: Vec<Definition>, path: &str) {
        for Definition { id, parent, module, full_name, record } in definitions {
            let symbol = match parent {
                None => {
                    let space = if self.modules.contains(&module) { path } else { &module };
                    format!("{PREFIX}{}{}", part(Suffix::Namespace, space, 0), part(Suffix::Meta, "__init__", 0))
                }
                Some(parent) => {
                    let above = self.symbol(parent).unwrap_or(PREFIX);
                    // The symbol of a module ends in its `__init__`; its members stand beside that.
                    let above = above.strip_suffix("__init__:").unwrap_or(above);
                    format!("{above}{}", part(suffix(record.kind), &record.name, record.duplicate))
                }
            };
            self.modules.insert(module);
            self.symbols.insert(id, (symbol, full_name));
        }
    }

    /// The full name of an entity.
    pub fn name(&self, id: EntityId) -> Option<&str> {
        self.symbols.get(&id).map(|(_, name)| name.as_str())
    }

    fn symbol(&self, id: EntityId) -> Option<&str> {
        self.symbols.get(&id).map(|(symbol, _)| symbol.as_str())
    }
}

/// The head of an index of the repository at `root`.
pub fn head(root: &Path) -> io::Result<Vec<u8>> {
    let tool = ToolInfo { name: "repoidx".into(), version: env!("CARGO_PKG_VERSION").into(), ..ToolInfo::new() };
    let metadata = Metadata {
        tool_info: MessageField::some(tool),
        project_root: format!("file://{}", percent_encoded(&root.to_string_lossy())),
        text_document_encoding: TextEncoding::UTF8.into(),
        ..Metadata::new()
    };
    bytes(&Index { metadata: MessageField::some(metadata), ..Index::new() })
}

/// The message of one file. `is_test` marks its references.
pub fn document(file: &FileOccurrences, is_test: bool, symbols: &Symbols) -> io::Result<Vec<u8>> {
    let definitions = file.definitions.iter().filter_map(|definition| occurrence_of(definition, symbols));
    let references = file.references.iter().filter_map(|reference| occurrence(reference, is_test, symbols));
    let mut occurrences: Vec<Occurrence> = definitions.chain(references).collect();
    occurrences.sort_by(|a, b| (&a.range, &a.symbol).cmp(&(&b.range, &b.symbol)));
    let informations = file.definitions.iter().filter_map(|definition| information(definition, file, symbols));
    let document = Document {
        language: if file.path.ends_with(".toml") { "toml" } else { "python" }.into(),
        relative_path: file.path.clone(),
        occurrences,
        symbols: informations.collect(),
        position_encoding: PositionEncoding::UTF8CodeUnitOffsetFromLineStart.into(),
        ..Document::new()
    };
    bytes(&Index { documents: vec![document], ..Index::new() })
}

fn bytes(index: &Index) -> io::Result<Vec<u8>> {
    index.write_to_bytes().map_err(io::Error::from)
}

/// One part of a symbol: `Class#`, `method().`.
fn part(suffix: Suffix, name: &str, duplicate: u32) -> String {
    let mut descriptor = Descriptor { name: name.to_owned(), suffix: suffix.into(), ..Descriptor::new() };
    if duplicate > 0 && suffix == Suffix::Method {
        descriptor.disambiguator = format!("+{duplicate}");
    } else if duplicate > 0 {
        descriptor.name = format!("{name}@{}", u64::from(duplicate) + 1);
    }
    let symbol = Symbol { descriptors: vec![descriptor], ..Symbol::new() };
    let options = SymbolFormatOptions {
        include_scheme: false,
        include_package_manager: false,
        include_package_name: false,
        include_package_version: false,
        include_descriptor: true,
    };
    format_symbol_with(symbol, options)
}

fn suffix(kind: EntityKind) -> Suffix {
    match kind {
        EntityKind::Module => Suffix::Namespace,
        EntityKind::Class => Suffix::Type,
        EntityKind::Function | EntityKind::Method => Suffix::Method,
        EntityKind::Property | EntityKind::Variable | EntityKind::Document => Suffix::Term,
    }
}

fn occurrence_of(definition: &Definition, symbols: &Symbols) -> Option<Occurrence> {
    let record = &definition.record;
    let length = if definition.parent.is_none() { 0 } else { u32::try_from(record.name.len()).ok()? };
    Some(Occurrence {
        range: range(record.line, record.column, length),
        enclosing_range: vec![zero_based(record.start_line), 0, zero_based(record.end_line + 1), 0],
        symbol: symbols.symbol(definition.id)?.to_owned(),
        symbol_roles: SymbolRole::Definition as i32,
        ..Occurrence::new()
    })
}

fn occurrence(reference: &NameOccurrence, is_test: bool, symbols: &Symbols) -> Option<Occurrence> {
    use RelationshipKind as K;
    let role = |kind: &K| match kind {
        K::Imports => SymbolRole::Import as i32,
        K::Writes => SymbolRole::WriteAccess as i32,
        _ => SymbolRole::ReadAccess as i32,
    };
    let test = if is_test { SymbolRole::Test as i32 } else { 0 };
    Some(Occurrence {
        range: range(reference.line, reference.column, reference.length),
        symbol: symbols.symbol(reference.target)?.to_owned(),
        symbol_roles: reference.kinds.iter().map(role).fold(test, |roles, role| roles | role),
        ..Occurrence::new()
    })
}

/// Line and columns of one identifier. Not every reader knows the typed ranges of the format's newest version yet.
fn range(line: u32, column: u32, length: u32) -> Vec<i32> {
    let number = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
    vec![zero_based(line), number(column), number(column.saturating_add(length))]
}

fn zero_based(line: u32) -> i32 {
    i32::try_from(line.saturating_sub(1)).unwrap_or(i32::MAX)
}

fn information(definition: &Definition, file: &FileOccurrences, symbols: &Symbols) -> Option<SymbolInformation> {
    let record = &definition.record;
    let implements = file.implementations.iter().filter(|(source, ..)| *source == definition.id);
    let relationships = implements.filter_map(|&(_, target, kind)| {
        Some(Relationship {
            symbol: symbols.symbol(target)?.to_owned(),
            is_implementation: true,
            // A search for the uses of an override should find those of the overridden method.
            is_reference: kind == RelationshipKind::Overrides,
            ..Relationship::new()
        })
    });
    let word = match record.kind {
        EntityKind::Class => "class ",
        EntityKind::Function | EntityKind::Method => "def ",
        _ => "",
    };
    let signature = Signature {
        language: "python".into(),
        text: format!("{word}{}{}", record.name, record.signature),
        ..Signature::new()
    };
    Some(SymbolInformation {
        symbol: symbols.symbol(definition.id)?.to_owned(),
        documentation: if record.doc.is_empty() { Vec::new() } else { vec![record.doc.clone()] },
        relationships: relationships.collect(),
        kind: kind(record.kind).into(),
        display_name: record.name.clone(),
        signature_documentation: MessageField::some(signature),
        ..SymbolInformation::new()
    })
}

fn kind(kind: EntityKind) -> Kind {
    match kind {
        EntityKind::Module => Kind::Module,
        EntityKind::Class => Kind::Class,
        EntityKind::Function => Kind::Function,
        EntityKind::Method => Kind::Method,
        EntityKind::Property => Kind::Property,
        EntityKind::Variable | EntityKind::Document => Kind::Variable,
    }
}
