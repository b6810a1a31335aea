//! Impact as a graph in the DOT language of Graphviz, dependents on the left.

use std::io::{self, Write};

use crate::{
    model::Evidence,
    query::impact::ImpactReport,
    render::{
        escape::visible,
        impact::drawing::drawing,
        words::{percent, short},
    },
};

/// Graphviz needs minutes for much larger graphs.
const MAX_NODES: usize = 500;

/// Writes the graph.
pub fn digraph(out: &mut dyn Write, report: &ImpactReport) -> io::Result<()> {
    let drawing = drawing(report, MAX_NODES);
    writeln!(out, "digraph impact {{")?;
    writeln!(out, "  rankdir=RL;")?;
    writeln!(out, "  node [shape=box, fontname=\"Helvetica\", fontsize=10];")?;
    writeln!(out, "  edge [fontname=\"Helvetica\", fontsize=8];")?;
    for (at, node) in drawing.nodes.iter().enumerate() {
        let style = match at {
            0 => ", penwidth=3",
            _ if node.is_test => ", style=dashed",
            _ => "",
        };
        let note = if at == 0 { String::new() } else { format!("\\n{}", percent(node.probability)) };
        let tooltip = quoted(&node.name);
        writeln!(out, "  n{at} [label=\"{}{note}\", tooltip=\"{tooltip}\"{style}];", quoted(short(&node.name)))?;
    }
    for edge in &drawing.edges {
        let style = if edge.evidence == Evidence::Possible { ", style=dotted" } else { "" };
        writeln!(out, "  n{} -> n{} [label=\"{}\"{style}];", edge.from, edge.to, edge.kind)?;
    }
    if drawing.left_out > 0 {
        writeln!(out, "  more [label=\"… {} more\", shape=plaintext];", drawing.left_out)?;
    }
    writeln!(out, "}}")
}

/// Text inside double quotes.
pub fn quoted(text: &str) -> String {
    visible(text).replace('\\', "\\\\").replace('"', "\\\"")
}
