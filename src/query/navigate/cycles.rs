//! Modules that import each other, directly or over others.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::{
    model::{EntityKind, FileId, RelationshipKind},
    query::{source::Sources, target::likeliest::is_aside},
    store::{Store, error::StoreError},
};

/// One import on the way around a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportStep {
    /// The module that imports.
    pub module: String,
    pub path: String,
    pub line: u32,
    /// The statement stands inside a function or a condition: it may run when the other module is complete.
    pub is_late: bool,
}

/// The first import of one module by another.
#[derive(Clone, Copy, Debug)]
struct FirstImport {
    line: u32,
    is_late: bool,
}

/// Modules by number, in the order of their paths, with their imports of each other.
struct ImportGraph {
    modules: Vec<(String, String)>,
    edges: Vec<BTreeMap<usize, FirstImport>>,
}

/// The import cycles of the program: every pair of modules that import each other, then one shortest cycle for each
/// module that lies on a longer one of imports at the top of files. With `asked` modules, only cycles through one of
/// them, or through two where several are asked for.
pub fn import_cycles(
    store: &Store,
    sources: &Sources,
    asked: &BTreeSet<String>,
) -> Result<Vec<Vec<ImportStep>>, StoreError> {
    let imports = ImportGraph::read(store, sources)?;
    let needed = asked.len().min(2);
    let is_wanted =
        |cycle: &[usize]| cycle.iter().filter(|&&module| asked.contains(&imports.modules[module].0)).count() >= needed;
    let mut cycles: Vec<Vec<usize>> = Vec::new();
    for (from, targets) in imports.edges.iter().enumerate() {
        cycles.extend(
            targets.keys().filter(|&&to| to > from && imports.edges[to].contains_key(&from)).map(|&to| vec![from, to]),
        );
    }
    let paired: BTreeSet<(usize, usize)> = cycles.iter().map(|pair| (pair[0], pair[1])).collect();
    for start in 0..imports.modules.len() {
        let Some(mut cycle) = imports.shortest(start) else { continue };
        // The same cycle is found from each of its modules.
        let first = (0..cycle.len()).min_by_key(|&at| cycle[at]).unwrap_or(0);
        cycle.rotate_left(first);
        let has_pair = cycle.iter().any(|&a| cycle.iter().any(|&b| paired.contains(&(a, b))));
        if !has_pair && !cycles.contains(&cycle) {
            cycles.push(cycle);
        }
    }
    cycles.retain(|cycle| is_wanted(cycle));
    Ok(cycles.into_iter().map(|cycle| imports.steps(&cycle)).collect())
}

impl ImportGraph {
    fn read(store: &Store, sources: &Sources) -> Result<Self, StoreError> {
        let mut files = store.files()?;
        files.retain(|(_, file)| !file.is_test && !is_aside(&file.path) && file.path.ends_with(".py"));
        files.sort_by(|(_, a), (_, b)| a.path.cmp(&b.path));
        let numbers: BTreeMap<FileId, usize> = files.iter().enumerate().map(|(at, (file, _))| (*file, at)).collect();
        let mut edges = vec![BTreeMap::new(); files.len()];
        for (from, (file, record)) in files.iter().enumerate() {
            let mut lines = store.outgoing_between(*file, 0, u32::MAX)?;
            lines.retain(|edge| edge.kind == RelationshipKind::Imports);
            lines.sort_by_key(|edge| (edge.line, edge.column));
            for edge in lines {
                let Some(target) = store.entity(edge.target)? else { continue };
                let to = numbers.get(&target.file).copied().filter(|&to| to != from);
                let Some(to) = to.filter(|_| target.record.kind == EntityKind::Module) else { continue };
                let text = sources.lines(&record.path, edge.line, edge.line).unwrap_or_default();
                let import = FirstImport { line: edge.line, is_late: text.starts_with([' ', '\t']) };
                let known = edges[from].entry(to).or_insert(import);
                if known.is_late && !import.is_late {
                    *known = import;
                }
            }
        }
        let modules = files.into_iter().map(|(_, file)| (file.module, file.path)).collect();
        Ok(Self { modules, edges })
    }

    /// The shortest way from a module to itself over imports at the top of files, by breadth-first search.
    fn shortest(&self, start: usize) -> Option<Vec<usize>> {
        let mut came_from = BTreeMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(module) = queue.pop_front() {
            for (&next, _) in self.edges[module].iter().filter(|(_, import)| !import.is_late) {
                if next == start {
                    let mut cycle = vec![module];
                    while let Some(&before) = cycle.last().and_then(|last| came_from.get(last)) {
                        cycle.push(before);
                    }
                    cycle.reverse();
                    return Some(cycle);
                }
                if next != start && !came_from.contains_key(&next) {
                    came_from.insert(next, module);
                    queue.push_back(next);
                }
            }
        }
        None
    }

    fn steps(&self, cycle: &[usize]) -> Vec<ImportStep> {
        let next = cycle.iter().cycle().skip(1);
        let pairs = cycle.iter().zip(next);
        pairs
            .map(|(&from, to)| {
                let (module, path) = self.modules[from].clone();
                let FirstImport { line, is_late } = self.edges[from][to];
                ImportStep { module, path, line, is_late }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{Basis, EntityKind::Module},
        query::fixture::Fixture,
    };

    #[test]
    fn a_circle_of_three_modules_is_found_and_a_late_import_breaks_it() {
        let mut fixture = Fixture::default();
        for name in ["a", "b", "c", "d"] {
            fixture.file(&format!("p/{name}.py"), &format!("p.{name}")).entity(Module, "", 1, 9);
        }
        for (from, to) in [("a", "b"), ("b", "c"), ("c", "a"), ("a", "d")] {
            let (from, to) = (format!("p.{from}"), format!("p.{to}"));
            fixture.edge(&from, RelationshipKind::Imports, &to, 1, Basis::Scope);
        }
        let store = fixture.store();
        let found = |code: &'static str, asked: &[&str]| {
            let sources = Sources::new(move |path| Some(if path == "p/c.py" { code } else { "import x\n" }.into()));
            let asked = asked.iter().map(|name| (*name).to_owned()).collect();
            let cycles = import_cycles(&store, &sources, &asked).expect("a store in memory");
            let shown =
                |cycle: Vec<ImportStep>| cycle.iter().map(|step| step.module.clone()).collect::<Vec<_>>().join(" ");
            cycles.into_iter().map(shown).collect::<Vec<_>>().join("; ")
        };
        assert_eq!(found("import p.a\n", &[]), "p.a p.b p.c");
        assert_eq!(found("import p.a\n", &["p.b"]), "p.a p.b p.c");
        assert_eq!(found("import p.a\n", &["p.a", "p.d"]), "");
        assert_eq!(found("    import p.a\n", &[]), "");
    }
}
