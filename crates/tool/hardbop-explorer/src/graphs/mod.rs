//! Control-flow graphs as pictures: as SVG by themselves, and as data for the explorer's page.

pub mod c;

use hardbop_base::{Idx, SourceFile};
use hardbop_cfg::{Action, LocRef, Proc, ProcId, Program, Spawn};
use hardbop_check::Shown;
use hardbop_picture::graph::{Edge, Group, Node, svg};
use serde_json::{Value, json};

/// A statement is cut after so many letters.
const LONGEST: usize = 44;
/// A procedure of more places is not drawn on a page: nobody finds their way.
const MOST_PLACES: usize = 400;

/// The whole program, a group for each procedure.
pub fn picture(program: &Program, source: &SourceFile) -> String {
    svg(&program.procs.ids().map(|it| group(program, source, it)).collect::<Vec<_>>())
}

/// Each procedure with its layout.
pub fn data(program: &Program, source: &SourceFile) -> Value {
    let small = program.procs.iter_enumerated().filter(|it| it.1.locs.len() <= MOST_PLACES);
    small.map(|(id, _)| placed(&group(program, source, id))).collect()
}

fn group(program: &Program, source: &SourceFile, id: ProcId) -> Group {
    let proc = &program.procs[id];
    let shown = Shown { program, source: Some(source) };
    let node = |loc| {
        let info = &proc.locs[loc];
        let line = shown.line(info.span);
        let text = clipped(&shown.text(LocRef { proc: id, loc }));
        let label: String = info.labels.iter().map(|it| format!("{it}: ")).collect();
        let number = line.map(|it| format!("{it}: ")).unwrap_or_default();
        Node {
            lines: vec![format!("{number}{label}{text}")],
            source: line.map(|it| (it, it)),
            is_entry: loc == proc.entry,
        }
    };
    Group {
        name: proc.name.to_string(),
        nodes: proc.locs.ids().map(node).collect(),
        edges: edges(program, proc),
    }
}

fn edges(program: &Program, proc: &Proc) -> Vec<Edge> {
    let name = |callee: ProcId| &program.procs[callee].name;
    let mut edges = Vec::new();
    for edge in proc.edges.iter() {
        let label = match &edge.action {
            Action::Call(call) => format!("call {}", name(call.callee)),
            Action::StartThread(spawn) => match **spawn {
                Spawn::Call { callee, .. } => format!("start {}", name(callee)),
                Spawn::Goto(_) => "start".into(),
            },
            _ => String::new(),
        };
        let (from, to) = (edge.from.index(), edge.to.index());
        edges.push(Edge { from, to, label, is_dashed: false });
        if let Some(target) = edge.starts_at() {
            let label = "a new thread begins here".into();
            edges.push(Edge { from, to: target.index(), label, is_dashed: true });
        }
    }
    edges
}

fn clipped(text: &str) -> String {
    let cut = text.char_indices().nth(LONGEST).map_or(text.len(), |(at, _)| at);
    let dots = if cut < text.len() { "…" } else { "" };
    format!("{}{dots}", &text[..cut])
}

fn placed(group: &Group) -> Value {
    let placed = group.placed();
    let round = |it: f64| (it * 10.0).round() / 10.0;
    let nodes = group.nodes.iter().zip(group.sizes()).zip(&placed.corners);
    let nodes: Vec<Value> = nodes
        .map(|((node, size), corner)| {
            json!({
                "x": round(corner.0), "y": round(corner.1),
                "width": round(size.0), "height": round(size.1),
                "line": node.source.map(|it| it.0), "until": node.source.map(|it| it.1),
                "text": node.lines.join(" "),
            })
        })
        .collect();
    let edges = group.edges.iter().zip(&placed.ways);
    let edges: Vec<Value> = edges
        .map(|(edge, way)| {
            let points: Vec<_> = way.iter().map(|&(x, y)| [round(x), round(y)]).collect();
            json!({ "from": edge.from, "to": edge.to, "points": points, "label": edge.label })
        })
        .collect();
    json!({
        "name": group.name, "width": round(placed.width), "height": round(placed.height),
        "nodes": nodes, "edges": edges,
    })
}
