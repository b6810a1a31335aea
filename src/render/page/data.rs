//! The graph behind a page.
//!
//! Nodes are entities; each hangs on the next node of its chain. Every place has the source lines around it. All shown
//! text passes `escape`. Omitted parts are counted and named. `sent` gives the graph the form that the script reads.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Display,
};

use serde::Serialize;

use crate::{
    query::{impact::Via, source::Sources, words::count},
    render::{
        escape::{visible, visible_path, visible_source},
        page::Links,
        words::short,
    },
};

/// Entities on one page.
pub(super) const MAX_NODES: usize = 20_000;
/// Findings on one page.
pub(super) const MAX_FINDINGS: usize = 2_000;
/// Bytes of source on one page.
const MAX_SOURCE: usize = 1_200_000;
/// Lines shown before and after a place.
const AROUND: u32 = 3;
/// Lines shown of a definition.
const DEFINITION_LINES: u32 = 40;
/// Lines shown of a definition that is the end of a step.
const HEAD_LINES: u32 = 5;

/// The data that the script draws.
#[derive(Clone, Debug)]
pub(super) struct Data {
    pub(super) links: Links,
    /// Titles of the list's parts.
    pub(super) groups: Vec<String>,
    /// Most telling first within a group.
    pub(super) nodes: Vec<PageNode>,
    pub(super) steps: Vec<PageStep>,
    pub(super) findings: Vec<PageFinding>,
    /// Source lines by `path:line`.
    pub(super) sources: BTreeMap<String, SourceLines>,
    /// Lists that are not about single nodes.
    pub(super) notes: Vec<Note>,
    /// Parts that are not on the page, a sentence each.
    pub(super) cut: Vec<String>,
}

/// An entity.
#[derive(Clone, Debug, Default)]
pub(super) struct PageNode {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) kind: &'static str,
    /// A remark in one line.
    pub(super) note: String,
    /// The place of the dependence; of a changed entity, its definition.
    pub(super) path: String,
    pub(super) line: u32,
    /// Its definition, where that is another place.
    pub(super) defined: Option<Defined>,
    /// Position in the list of groups; `None` for a node that only lies on a chain.
    pub(super) group: Option<usize>,
    pub(super) distance: u32,
    pub(super) probability: f64,
    /// The weakest evidence on the chain.
    pub(super) evidence: &'static str,
    pub(super) is_test: bool,
    /// `breaks`, `may_break`, `differs`, `spared`, or nothing for a changed entity.
    pub(super) tone: &'static str,
    /// The node it depends on; `None` for a changed entity.
    pub(super) parent: Option<usize>,
    /// Steps to the changed entity, nearest first.
    pub(super) chain: Vec<usize>,
    pub(super) findings: Vec<usize>,
}

/// Where an entity is defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Defined {
    pub(super) path: String,
    pub(super) line: u32,
}

/// One relationship.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PageStep {
    pub(super) to: usize,
    pub(super) path: String,
    pub(super) line: u32,
    pub(super) kind: &'static str,
    pub(super) evidence: &'static str,
    pub(super) basis: &'static str,
}

/// A verdict about a place.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PageFinding {
    /// The changed node.
    pub(super) changed: usize,
    pub(super) tone: &'static str,
    pub(super) verdict: &'static str,
    pub(super) reason: String,
    pub(super) path: String,
    pub(super) line: u32,
    /// `None` if it was not computed.
    pub(super) probability: Option<f64>,
}

/// Lines of a file.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SourceLines {
    start: u32,
    text: String,
}

/// A list under a title.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Note {
    title: String,
    /// The command whose arguments a button copies, such as `pytest`.
    command: &'static str,
    lines: Vec<String>,
}

/// Builds the graph.
pub(super) struct PageBuilder<'a> {
    sources: &'a Sources<'a>,
    data: Data,
    positions: BTreeMap<String, usize>,
    steps: BTreeMap<PageStep, usize>,
    /// Nodes that steps lead to.
    targets: BTreeSet<usize>,
    bytes: usize,
    without_source: usize,
}

impl<'a> PageBuilder<'a> {
    pub(super) fn new(sources: &'a Sources<'a>, links: &Links, groups: Vec<String>) -> Self {
        let data = Data {
            links: links.clone(),
            groups,
            nodes: Vec::new(),
            steps: Vec::new(),
            findings: Vec::new(),
            sources: BTreeMap::new(),
            notes: Vec::new(),
            cut: Vec::new(),
        };
        Self {
            sources,
            data,
            positions: BTreeMap::new(),
            steps: BTreeMap::new(),
            targets: BTreeSet::new(),
            bytes: 0,
            without_source: 0,
        }
    }

    /// The node of an entity that is on the page.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.positions.get(name).copied()
    }

    pub(super) fn node(&mut self, position: usize) -> &mut PageNode {
        &mut self.data.nodes[position]
    }

    /// Whether an entity is one of the changed ones.
    pub(super) fn is_changed(&self, name: &str) -> bool {
        self.position(name).is_some_and(|position| self.data.nodes[position].group == Some(0))
    }

    /// Adds an entity by its full name. A second one of the same name is the same node.
    pub(super) fn add(&mut self, name: &str, node: PageNode) -> usize {
        self.add_as(name, name, node)
    }

    /// Adds an entity that is known by `key`.
    pub(super) fn add_as(&mut self, key: &str, name: &str, node: PageNode) -> usize {
        if let Some(position) = self.position(key) {
            return position;
        }
        self.positions.insert(key.to_owned(), self.data.nodes.len());
        self.data.nodes.push(PageNode {
            name: visible(name).into_owned(),
            label: visible(short(name)).into_owned(),
            path: visible_path(&node.path).into_owned(),
            defined: node.defined.map(|at| Defined { path: visible_path(&at.path).into_owned(), ..at }),
            ..node
        });
        self.data.nodes.len() - 1
    }

    /// Registers another name of a node.
    pub(super) fn alias(&mut self, name: &str, position: usize) {
        self.positions.entry(name.to_owned()).or_insert(position);
    }

    /// Hangs a node on the chain that leads from it to the changed entity. All listed entities must have been added
    /// before, because unknown ones become mere steps of a chain.
    pub(super) fn hang(&mut self, position: usize, via: &[Via]) {
        let chain: Vec<usize> = via.iter().map(|via| self.step(via)).collect();
        let mut from = position;
        for step in &chain {
            let to = self.data.steps[*step].to;
            let is_hanging = self.data.nodes[from].parent.is_some() || self.data.nodes[from].group == Some(0);
            // Chains may run through each other; a parent below its own child would be a circle.
            if !is_hanging && !self.hangs_on(to, from) {
                self.data.nodes[from].parent = Some(to);
            }
            from = to;
        }
        self.data.nodes[position].chain = chain;
    }

    pub(super) fn find(&mut self, node: usize, found: &PageFinding) {
        self.source(&found.path, found.line.saturating_sub(AROUND).max(1), found.line + AROUND, found.line);
        self.data.nodes[node].findings.push(self.data.findings.len());
        self.data.findings.push(PageFinding {
            path: visible_path(&found.path).into_owned(),
            reason: visible(&found.reason).into_owned(),
            ..found.clone()
        });
    }

    /// The lines of a definition.
    pub(super) fn definition(&mut self, path: &str, line: u32, start: u32, end: u32) {
        self.source(path, start, end.min(start + DEFINITION_LINES - 1), line);
    }

    /// Whether a step leads to a node.
    pub(super) fn has_dependents(&self, position: usize) -> bool {
        self.targets.contains(&position)
    }

    /// The first lines of a definition that something on the page depends on.
    pub(super) fn head(&mut self, position: usize, path: &str) {
        if let Some(Defined { line, .. }) = self.data.nodes[position].defined {
            self.source(path, line, line + HEAD_LINES, line);
        }
    }

    pub(super) fn note<T: Display>(&mut self, title: &str, command: &'static str, lines: impl Iterator<Item = T>) {
        let lines: Vec<String> = lines.map(|line| visible(&line.to_string()).into_owned()).collect();
        if !lines.is_empty() {
            self.data.notes.push(Note { title: title.to_owned(), command, lines });
        }
    }

    /// Records that `number` of `what` are not on the page.
    pub(super) fn cut(&mut self, number: usize, what: &str) {
        if number > 0 {
            let is = if number == 1 { "is" } else { "are" };
            self.data.cut.push(format!("{} {is} not on this page; --format json has them all", count(number, what)));
        }
    }

    pub(super) fn finish(mut self) -> Data {
        if self.without_source > 0 {
            let places = count(self.without_source, "place");
            self.data.cut.push(format!("the source around {places} is left out for the size of the page"));
        }
        self.data
    }

    fn step(&mut self, via: &Via) -> usize {
        let to = match self.position(&via.name) {
            Some(position) => position,
            None => {
                let (path, line) = (via.path.to_string(), via.line);
                self.add(&via.name, PageNode { path, line, probability: 1.0, evidence: "exact", ..PageNode::default() })
            }
        };
        self.source(&via.path, via.line.saturating_sub(AROUND).max(1), via.line + AROUND, via.line);
        let step = PageStep {
            to,
            path: visible_path(&via.path).into_owned(),
            line: via.line,
            kind: via.kind.as_str(),
            evidence: via.evidence.as_str(),
            basis: via.basis,
        };
        self.targets.insert(to);
        let next = self.data.steps.len();
        let position = *self.steps.entry(step.clone()).or_insert(next);
        if position == next {
            self.data.steps.push(step);
        }
        position
    }

    /// Whether the chain from a node to the changed entity passes another node.
    fn hangs_on(&self, mut node: usize, other: usize) -> bool {
        loop {
            if node == other {
                return true;
            }
            match self.data.nodes[node].parent {
                Some(parent) => node = parent,
                None => return false,
            }
        }
    }

    fn source(&mut self, path: &str, start: u32, end: u32, line: u32) {
        let key = format!("{}:{line}", visible_path(path));
        if self.data.sources.contains_key(&key) {
            return;
        }
        let Some(text) = self.sources.shown_lines(path, start, end).filter(|text| !text.trim().is_empty()) else {
            return;
        };
        let text = visible_source(text.trim_end()).into_owned();
        // A shorter excerpt may still fit later.
        if self.bytes + text.len() > MAX_SOURCE {
            self.without_source += 1;
            return;
        }
        self.bytes += text.len();
        self.data.sources.insert(key, SourceLines { start, text });
    }
}
