//! A drawing: boxes with text, in groups, each group placed in layers.

use std::fmt::Write;

use crate::layered::{Placed, Unplaced, place};
use crate::svg::escaped;

/// Boxes and arrows that belong together, such as a procedure.
#[derive(Clone, Debug, Default)]
pub struct Group {
    pub name: String,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

/// A box.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Lines in the box, from above.
    pub lines: Vec<String>,
    /// The first and the last line of the source it is about.
    pub source: Option<(u32, u32)>,
    pub is_entry: bool,
}

/// An arrow.
#[derive(Clone, Debug, Default)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub label: String,
    pub is_dashed: bool,
}

/// Width of a letter and height of a line, at the size the text is written in.
const LETTER: f64 = 7.0;
const LINE: f64 = 16.0;
const PAD: f64 = 10.0;

impl Group {
    /// The size of each box, by its text.
    pub fn sizes(&self) -> Vec<(f64, f64)> {
        let size = |node: &Node| {
            let longest = node.lines.iter().map(|it| it.chars().count()).max().unwrap_or(0);
            (LETTER * longest as f64 + 2.0 * PAD, LINE * node.lines.len().max(1) as f64 + PAD)
        };
        self.nodes.iter().map(size).collect()
    }

    /// Where everything is.
    pub fn placed(&self) -> Placed {
        let edges = self.edges.iter().map(|it| (it.from, it.to)).collect();
        place(&Unplaced { sizes: self.sizes(), edges })
    }
}

/// All groups in one picture, side by side, each under its name.
pub fn svg(groups: &[Group]) -> String {
    let placed: Vec<Placed> = groups.iter().map(Group::placed).collect();
    let title = 26.0;
    let width: f64 = placed.iter().map(|it| it.width + PAD).sum::<f64>() + PAD;
    let height = placed.iter().map(|it| it.height).fold(0.0, f64::max) + title + 2.0 * PAD;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"monospace\" font-size=\"11.5\">\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#555\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    let mut left = PAD;
    for (group, placed) in groups.iter().zip(&placed) {
        writeln!(out, "<g transform=\"translate({left:.1} {PAD:.1})\">").expect("a string");
        let name = escaped(&group.name);
        writeln!(
            out,
            "<rect width=\"{:.1}\" height=\"{:.1}\" rx=\"8\" fill=\"#f7f7f5\" stroke=\"#d0d0cc\"/>\n\
             <text x=\"{PAD}\" y=\"18\" font-weight=\"bold\">{name}</text>",
            placed.width,
            placed.height + title
        )
        .expect("a string");
        writeln!(out, "<g transform=\"translate(0 {title})\">").expect("a string");
        arrows(&mut out, group, placed);
        boxes(&mut out, group, placed);
        out.push_str("</g>\n</g>\n");
        left += placed.width + PAD;
    }
    out.push_str("</svg>\n");
    out
}

fn arrows(out: &mut String, group: &Group, placed: &Placed) {
    for (edge, way) in group.edges.iter().zip(&placed.ways) {
        let points: Vec<_> = way.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let dash = if edge.is_dashed { " stroke-dasharray=\"5 4\"" } else { "" };
        writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#555\"{dash} marker-end=\"url(#tip)\"><title>{}</title></polyline>",
            points.join(" "),
            escaped(&edge.label)
        )
        .expect("a string");
    }
}

fn boxes(out: &mut String, group: &Group, placed: &Placed) {
    for ((node, size), corner) in group.nodes.iter().zip(group.sizes()).zip(&placed.corners) {
        let stroke = if node.is_entry { "#222\" stroke-width=\"2" } else { "#999" };
        writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"4\" fill=\"#fff\" stroke=\"{stroke}\"/>",
            corner.0, corner.1, size.0, size.1
        )
        .expect("a string");
        for (at, line) in node.lines.iter().enumerate() {
            writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                corner.0 + size.0 / 2.0,
                corner.1 + PAD / 2.0 + LINE * at as f64 + 12.0,
                escaped(line)
            )
            .expect("a string");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Edge, Group, Node, svg};

    #[test]
    fn names_are_text() {
        let node = |text: &str| Node { lines: vec![text.into()], ..Node::default() };
        let edge = Edge { from: 0, to: 1, label: "<b>".into(), is_dashed: true };
        let group = Group {
            name: "</svg>".into(),
            nodes: vec![node("a < b & \"c\""), node("x")],
            edges: vec![edge],
        };
        let text = svg(&[group]);
        assert_eq!(text.matches("</svg>").count(), 1);
        assert!(text.contains("a &lt; b &amp; &quot;c&quot;"), "{text}");
        assert!(text.contains("stroke-dasharray"), "{text}");
        assert_eq!(text.matches("<polyline").count(), 1);
    }
}
