//! Impact as a Mermaid flowchart, which code hosts draw in Markdown.

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

/// Mermaid draws more nodes, but nobody can read them.
const MAX_NODES: usize = 60;

/// Writes the flowchart.
pub fn flowchart(out: &mut dyn Write, report: &ImpactReport) -> io::Result<()> {
    let drawing = drawing(report, MAX_NODES);
    writeln!(out, "flowchart RL")?;
    for (at, node) in drawing.nodes.iter().enumerate() {
        let class = match at {
            0 => ":::target",
            _ if node.is_test => ":::test",
            _ => "",
        };
        let note = if at == 0 { String::new() } else { format!("<br/>{}", percent(node.probability)) };
        writeln!(out, "  n{at}[\"{}{note}\"]{class}", label(short(&node.name)))?;
    }
    for edge in &drawing.edges {
        let arrow = if edge.evidence == Evidence::Possible { "-.->" } else { "-->" };
        writeln!(out, "  n{} {arrow}|{}| n{}", edge.from, edge.kind, edge.to)?;
    }
    if drawing.left_out > 0 {
        writeln!(out, "  more[\"… {} more\"]", drawing.left_out)?;
    }
    writeln!(out, "  classDef target stroke-width:3px")?;
    writeln!(out, "  classDef test stroke-dasharray:4 3")
}

/// Text inside a quoted label.
fn label(text: &str) -> String {
    let mut label = String::new();
    for c in visible(text).chars() {
        match c {
            '"' => label.push_str("#quot;"),
            '#' => label.push_str("#35;"),
            '<' => label.push_str("#lt;"),
            '>' => label.push_str("#gt;"),
            '&' => label.push_str("#amp;"),
            '`' => label.push_str("#96;"),
            c => label.push(c),
        }
    }
    label
}
