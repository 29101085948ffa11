//! The control flow of a C program's functions, for the explorer's page: a box for each basic block.

use hardbop_base::{Idx, Span};
use hardbop_c::CProgram;
use hardbop_cir::{Block, BlockId, Func, Term};
use hardbop_picture::graph::{Edge, Group, Node};
use serde_json::Value;

use super::{MOST_PLACES, clipped, placed};

/// The functions of the user's text with their layout.
pub fn data(loaded: &CProgram) -> Value {
    let is_users = |it: &&Func| {
        it.span.is_some_and(|span| !loaded.sources.is_ours(span)) && it.blocks.len() <= MOST_PLACES
    };
    let funcs = loaded.program.funcs.iter().filter(is_users).filter(|it| !it.blocks.is_empty());
    funcs.map(|it| placed(&group(loaded, it))).collect()
}

fn group(loaded: &CProgram, func: &Func) -> Group {
    let node = |(id, block): (BlockId, &Block)| {
        let (text, source) = words(loaded, block);
        Node { lines: vec![text], source, is_entry: id.index() == 0 }
    };
    let mut edges = Vec::new();
    for (from, block) in func.blocks.iter_enumerated() {
        for (at, to) in block.term.successors().into_iter().enumerate() {
            let label = match (&block.term, at) {
                (Term::Branch { .. }, 0) => "yes",
                (Term::Branch { .. }, _) => "no",
                _ => "",
            };
            let label = label.into();
            edges.push(Edge { from: from.index(), to: to.index(), label, is_dashed: false });
        }
    }
    let nodes = func.blocks.iter_enumerated().map(node).collect();
    Group { name: func.name.to_string(), nodes, edges }
}

/// The first statement of a block, and the lines it is about; what the front end put there by itself has none.
fn words(loaded: &CProgram, block: &Block) -> (String, Option<(u32, u32)>) {
    let sources = &loaded.sources;
    let ends = !matches!(block.term, Term::Goto(_));
    let spans = block.insts.iter().map(|it| it.span).chain(ends.then_some(block.span));
    let spans: Vec<Span> = spans.filter(|it| it.start < it.end && !sources.is_ours(*it)).collect();
    let lines = || spans.iter().map(|it| sources.position(*it).line);
    let Some((first, last)) = lines().min().zip(lines().max()) else { return ("·".into(), None) };
    let text = clipped(&sources.snippet(spans[0]));
    let until = if last > first { format!("–{last}") } else { String::new() };
    (format!("{first}{until}: {text}"), Some((first, last)))
}
