//! `repoidx export`.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
};

use clap::{Args, ValueEnum};

use crate::{
    cli::{Global, notes::Notes, session::Session},
    error::Failure,
    model::{Basis, EntityKind, FileId, RelationshipKind},
    query::{
        candidates::{LISTED, all::possible_edges},
        graph::Graph,
        impact::{selection::Collected, tested::tests_of},
        navigate::{
            leaves::{Leaf, free_code, leaves},
            naming::{MentionSite, is_named},
        },
        source::Sources,
    },
    render::{
        impact::dot::quoted,
        json,
        lists::{CandidateLine, DocumentLine, EdgeKind, EdgeLine, EntityLine, LeafLine, SectionLine, TestKind},
        to_stdout,
    },
    store::read::{Entity, dump::ExportedEdge, full_name},
    texts::{
        documents::{is_converted, sections as sections_of},
        secrets::prose_without_secrets,
    },
    tools::limits,
};
#[cfg(feature = "formats")]
use crate::{
    query::navigate::occurrences,
    render::navigation::scip_index::{self, Symbols},
};

/// Write the whole index: as JSON lines, for other libraries, for code navigation or as a drawing
///
/// The order depends only on names and places: equal trees give equal bytes.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The list to write
    what: ExportList,
    /// Add the edges that are only possible, computed now
    #[arg(long)]
    possible: bool,
    /// Add what each module, class and function contains
    #[arg(long)]
    contains: bool,
    /// Add an edge from each test to each class and function that it is likely to run, with the probability
    #[arg(long)]
    tests: bool,
    /// The form of `export jsonl`; `export langchain` and `export llamaindex` say the same
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    format: DocumentForm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DocumentForm {
    /// All that is known, by its own names
    Plain,
    /// The fields of a `Document` of `LangChain`
    Langchain,
    /// The fields of a `TextNode` of `LlamaIndex`
    Llamaindex,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExportList {
    /// Every definition
    Entities,
    /// Every relationship
    Edges,
    /// Every definition that an unresolved occurrence can mean, with the evidence for and against it
    Candidates,
    /// Every definition with its text, the imports and other code of each module, and the sections of documents
    Jsonl,
    /// The same as documents of `LangChain`
    Langchain,
    /// The same as nodes of `LlamaIndex`
    Llamaindex,
    /// Every line of every file: the definition, imports or other code at module level that it belongs to
    Lines,
    /// Every section of a document, with the names of code in it
    Sections,
    /// Every relationship, as a graph for Graphviz
    Dot,
    /// Definitions and the places that name them, in the SCIP format of code hosts
    #[cfg(feature = "formats")]
    Scip,
}

pub(crate) fn run(args: &ExportArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    if args.possible && args.what != ExportList::Edges {
        return Err(Failure::usage("--possible goes with `export edges`", "repoidx export edges --possible"));
    }
    if args.contains && args.what != ExportList::Edges {
        return Err(Failure::usage("--contains goes with `export edges`", "repoidx export edges --contains"));
    }
    if args.tests && args.what != ExportList::Edges {
        return Err(Failure::usage("--tests goes with `export edges`", "repoidx export edges --tests"));
    }
    if args.format != DocumentForm::Plain && args.what != ExportList::Jsonl {
        return Err(Failure::usage("--format goes with `export jsonl`", "repoidx export jsonl --format langchain"));
    }
    #[cfg(feature = "formats")]
    if args.what == ExportList::Scip && io::IsTerminal::is_terminal(&io::stdout()) {
        return Err(Failure::usage("`export scip` writes bytes for programs", "repoidx export scip > index.scip"));
    }
    let mut session = Session::open(global, notes)?;
    // Texts go on to embeddings, models and code hosts.
    let has_texts = matches!(args.what, ExportList::Jsonl | ExportList::Langchain | ExportList::Llamaindex);
    #[cfg(feature = "formats")]
    let has_texts = has_texts || args.what == ExportList::Scip;
    if has_texts {
        session.withhold()?;
    }
    to_stdout(|out| match args.what {
        ExportList::Entities => entities(out, &session),
        ExportList::Edges => edges(out, &session, args),
        ExportList::Candidates => candidates(out, &session),
        ExportList::Jsonl => documents(out, &session, args.format),
        ExportList::Langchain => documents(out, &session, DocumentForm::Langchain),
        ExportList::Llamaindex => documents(out, &session, DocumentForm::Llamaindex),
        ExportList::Lines => lines(out, &session),
        ExportList::Sections => sections(out, &session),
        ExportList::Dot => graph(out, &session),
        #[cfg(feature = "formats")]
        ExportList::Scip => scip(out, &session),
    })
}

fn entities(out: &mut dyn Write, session: &Session) -> Result<(), Failure> {
    let mut written: io::Result<()> = Ok(());
    session.store.export_entities(&mut |entity| {
        if written.is_ok() {
            let (name, kind, path) = (entity.name, entity.kind, entity.path);
            let word = name.rsplit_once('.').map_or(name, |(_, word)| word);
            // `name@2` is the second definition of a name.
            let identifier = word.split_once('@').map_or(word, |(word, _)| word);
            let (start_line, end_line) = (entity.start_line, entity.end_line);
            let line = EntityLine { name, identifier, kind, path, start_line, end_line };
            written = json::line(out, &line);
        }
    })?;
    Ok(written?)
}

fn edges(out: &mut dyn Write, session: &Session, args: &ExportArgs) -> Result<(), Failure> {
    let mut written: io::Result<()> = Ok(());
    let sources = session.indexed_sources();
    session.store.export_edges(&mut |edge| {
        if written.is_ok() && (args.contains || edge.kind != RelationshipKind::Contains) {
            let ExportedEdge { kind, basis, to: target, path, line, column, .. } = edge;
            let is_named = is_named(&sources, &MentionSite { kind, basis, target, path, line, column });
            let line = EdgeLine {
                from: edge.from,
                to: edge.to,
                kind: EdgeKind::Relationship(edge.kind),
                evidence: edge.evidence,
                basis: basis.as_str(),
                probability: edge.probability,
                path: edge.path,
                line: edge.line,
                distance: None,
                named: is_named,
            };
            written = json::line(out, &line);
        }
    })?;
    written?;
    if args.possible {
        for edge in possible_edges(&session.store, &sources, LISTED)? {
            let line = EdgeLine {
                from: &edge.from,
                to: &edge.to,
                kind: EdgeKind::Relationship(edge.kind),
                evidence: edge.evidence,
                basis: Basis::Name.as_str(),
                probability: edge.probability,
                path: &edge.path,
                line: edge.line,
                distance: None,
                named: true,
            };
            json::line(out, &line)?;
        }
    }
    if args.tests { tests(out, session) } else { Ok(()) }
}

/// The relationships as a graph, each pair of definitions once for each kind.
fn graph(out: &mut dyn Write, session: &Session) -> Result<(), Failure> {
    let mut edges: BTreeSet<(String, String, &str)> = BTreeSet::new();
    session.store.export_edges(&mut |edge| {
        if edge.kind != RelationshipKind::Contains {
            edges.insert((edge.from.to_owned(), edge.to.to_owned(), edge.kind.as_str()));
        }
    })?;
    writeln!(out, "digraph repository {{")?;
    writeln!(out, "  rankdir=LR;")?;
    for (from, to, kind) in &edges {
        writeln!(out, "  \"{}\" -> \"{}\" [label=\"{kind}\"];", quoted(from), quoted(to))?;
    }
    Ok(writeln!(out, "}}")?)
}

/// An edge from each test to each definition outside of tests that it is likely to run.
fn tests(out: &mut dyn Write, session: &Session) -> Result<(), Failure> {
    let graph = Graph::new(&session.store)?;
    let limits = limits(&session.config);
    for (file, _) in session.store.files()?.into_iter().filter(|(_, file)| !file.is_test) {
        for entity in session.store.entities_of(file)? {
            if entity.record.kind != EntityKind::Class && !entity.record.kind.is_callable() {
                continue;
            }
            let name = entity.full_name();
            for test in tests_of(&graph, entity, &limits)? {
                let line = EdgeLine {
                    from: &test.test,
                    to: &name,
                    kind: EdgeKind::Test(TestKind::Tests),
                    evidence: test.evidence,
                    basis: "chain of relationships",
                    probability: test.probability,
                    path: &test.path,
                    line: test.line,
                    distance: Some(test.distance),
                    named: test.distance == 1,
                };
                json::line(out, &line)?;
            }
        }
    }
    Ok(())
}

fn candidates(out: &mut dyn Write, session: &Session) -> Result<(), Failure> {
    for edge in possible_edges(&session.store, &session.indexed_sources(), 0.0)? {
        let line = CandidateLine {
            from: &edge.from,
            to: &edge.to,
            kind: edge.kind,
            probability: edge.probability,
            path: &edge.path,
            line: edge.line,
            column: edge.column,
            definition: edge.definition,
            occurrence: edge.occurrence,
        };
        json::line(out, &line)?;
    }
    Ok(())
}

fn sections(out: &mut dyn Write, session: &Session) -> Result<(), Failure> {
    for (document, record) in session.store.documents()? {
        for ordinal in 0.. {
            let Some(section) = session.store.section(document, ordinal)? else { break };
            let line = SectionLine {
                title: &section.title,
                above: &section.above,
                path: &record.path,
                start_line: section.start_line,
                end_line: section.end_line,
                names: &section.names,
            };
            json::line(out, &line)?;
        }
    }
    Ok(())
}

fn documents(out: &mut dyn Write, session: &Session, form: DocumentForm) -> Result<(), Failure> {
    let graph = Graph::new(&session.store)?;
    let collected = Collected::new(&graph);
    for (file, _) in session.store.files()? {
        // A new cache for each file, so that the whole repository need not fit in memory.
        let sources = session.sources();
        let entities = session.store.entities_of(file)?;
        for entity in &entities {
            let record = &entity.record;
            let is_root = entity.parent == entity.id;
            let parent = entities.iter().find(|other| !is_root && other.id == entity.parent).map(Entity::full_name);
            let line = DocumentLine {
                name: &entity.full_name(),
                kind: record.kind.as_str(),
                path: &entity.path,
                start_line: record.start_line,
                end_line: record.end_line,
                parent: parent.as_deref(),
                is_test: collected.is_test_or_fixture(entity.id)?,
                signature: &record.signature,
                doc: &record.doc,
                decorators: &record.decorators,
                text: &shown(&sources, &entity.path, record.start_line, record.end_line),
            };
            document(out, &line, form)?;
        }
        let Some(module) = entities.first() else { continue };
        for Leaf { name, kind, start_line, end_line } in free_code(&session.store, &sources, file, None)? {
            let line = DocumentLine {
                name: &name,
                kind,
                path: &module.path,
                start_line,
                end_line,
                parent: Some(&module.full_name()),
                is_test: false,
                signature: "",
                doc: "",
                decorators: &[],
                text: &shown(&sources, &module.path, start_line, end_line),
            };
            document(out, &line, form)?;
        }
    }
    for (id, record) in session.store.documents()? {
        section_documents(out, session, (id, &record.path), form)?;
    }
    Ok(())
}

/// Some lines of a file without its secrets; empty where they are withheld.
fn shown(sources: &Sources, path: &str, start_line: u32, end_line: u32) -> String {
    sources.shown_lines(path, start_line, end_line).unwrap_or_default()
}

/// The sections of a document as documents of the export.
fn section_documents(
    out: &mut dyn Write,
    session: &Session,
    (id, path): (FileId, &str),
    form: DocumentForm,
) -> Result<(), Failure> {
    let sources = session.sources();
    let read = sources.text(path).map(|text| sections_of(path, text.as_bytes())).unwrap_or_default();
    let mut names: BTreeMap<String, u32> = BTreeMap::new();
    for ordinal in 0.. {
        let Some(section) = session.store.section(id, ordinal)? else { break };
        let name =
            if section.above.is_empty() { section.title } else { format!("{} / {}", section.above, section.title) };
        let again = names.entry(name.clone()).and_modify(|again| *again += 1).or_default();
        let text = match read.get(ordinal as usize).map(|section| &section.fields) {
            // HTML, TeX and notebooks are known by their prose and code; their lines are markup.
            Some(fields) if is_converted(path) => {
                prose_without_secrets(&format!("{}\n{}", fields.doc, fields.body)).into_owned()
            }
            _ => shown(&sources, path, section.start_line, section.end_line),
        };
        let line = DocumentLine {
            name: &full_name(&name, "", *again),
            kind: EntityKind::Document.as_str(),
            path,
            start_line: section.start_line,
            end_line: section.end_line,
            parent: (!section.above.is_empty()).then_some(section.above.as_str()),
            is_test: false,
            signature: "",
            doc: &prose_without_secrets(&section.lead),
            decorators: &[],
            text: text.trim_start_matches('\n'),
        };
        document(out, &line, form)?;
    }
    Ok(())
}

fn document(out: &mut dyn Write, line: &DocumentLine<'_>, form: DocumentForm) -> io::Result<()> {
    match form {
        DocumentForm::Plain => json::line(out, line),
        DocumentForm::Langchain => json::line(out, &line.langchain()),
        DocumentForm::Llamaindex => json::line(out, &line.llamaindex()),
    }
}

fn lines(out: &mut dyn Write, session: &Session) -> Result<(), Failure> {
    for (file, record) in session.store.files()? {
        let sources = session.sources();
        for Leaf { name, kind, start_line, end_line } in leaves(&session.store, &sources, file)? {
            json::line(out, &LeafLine { name: &name, kind, path: &record.path, start_line, end_line })?;
        }
    }
    Ok(())
}

#[cfg(feature = "formats")]
fn scip(out: &mut dyn Write, session: &Session) -> Result<(), Failure> {
    let files = session.store.files()?;
    let mut symbols = Symbols::default();
    for (file, record) in &files {
        // References can point to later files, so all symbols must be known first.
        symbols.add(occurrences::definitions_of(&session.store, *file)?, &record.path);
    }
    out.write_all(&scip_index::head(session.repo.root().unwrap_or(session.repo.git_dir()))?)?;
    for (file, record) in &files {
        // A new cache for each file, as above.
        let sources = session.sources();
        let named = occurrences::of_file(&session.store, &sources, *file, &record.path, |id| symbols.name(id))?;
        if !named.definitions.is_empty() {
            out.write_all(&scip_index::document(&named, record.is_test, &symbols)?)?;
        }
    }
    Ok(())
}
