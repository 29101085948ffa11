//! A drawing of a program for Graphviz: one cluster per procedure.

use std::fmt::Write;

use hardbop_base::{SourceFile, Span};

use crate::program::{Action, Edge, Loc, Proc, ProcId, Program, Spawn};
use crate::text::ActionText;

/// The program in the DOT language. With the source at hand, locations show their line and text.
pub fn to_dot(program: &Program, source: Option<&SourceFile>) -> String {
    let mut out = String::from("digraph program {\n  node [shape=box, fontname=monospace];\n");
    out += "  edge [fontname=monospace];\n";
    let text = ActionText::new(program);
    for (id, proc) in program.procs.iter_enumerated() {
        let actions = text.of(id, proc.edges.iter().map(|edge| &edge.action));
        cluster(&mut out, id, proc, &actions, source);
    }
    for (at, edge) in program.all_edges() {
        if let Some((callee, style)) = entered(edge) {
            let (from, to) = (node(at.proc, edge.from), node(callee, program.procs[callee].entry));
            line(&mut out, format_args!("  {from} -> {to} [style={style}, constraint=false];"));
        }
    }
    out + "}\n"
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
    out.push('\n');
}

fn node(proc: ProcId, loc: Loc) -> String {
    format!("{proc}_{loc}")
}

/// The procedure an edge leads into, and how that is drawn.
fn entered(edge: &Edge) -> Option<(ProcId, &'static str)> {
    match &edge.action {
        Action::Call(call) => Some((call.callee, "dashed")),
        Action::StartThread(spawn) => match **spawn {
            Spawn::Call { callee, .. } => Some((callee, "dotted")),
            Spawn::Goto(_) => None,
        },
        _ => None,
    }
}

fn cluster(
    out: &mut String,
    id: ProcId,
    proc: &Proc,
    actions: &[String],
    source: Option<&SourceFile>,
) {
    line(out, format_args!("  subgraph cluster_{id} {{\n    label={};", quote(&proc.name)));
    for (loc, info) in proc.locs.iter_enumerated() {
        let mut label: String = info.labels.iter().map(|label| format!("{label}: ")).collect();
        label += &loc.to_string();
        if loc == proc.exit {
            label += " exit";
        } else if let (Some(span), Some(source)) = (info.span, source) {
            label += &statement(span, source);
        }
        let bold = if loc == proc.entry { ", style=bold" } else { "" };
        line(out, format_args!("    {} [label={}{bold}];", node(id, loc), quote(&label)));
    }
    for (edge, action) in proc.edges.iter().zip(actions) {
        let (from, to) = (node(id, edge.from), node(id, edge.to));
        line(out, format_args!("    {from} -> {to} [label={}];", quote(action)));
        if let Some(target) = edge.starts_at() {
            line(out, format_args!("    {from} -> {} [style=dotted];", node(id, target)));
        }
    }
    *out += "  }\n";
}

/// Line and text, on a line of its own.
fn statement(span: Span, source: &SourceFile) -> String {
    const LONGEST: usize = 60;
    let words: Vec<&str> = source.snippet(span).split_whitespace().collect();
    let text = words.join(" ");
    let cut = text.char_indices().nth(LONGEST).map_or(text.len(), |(at, _)| at);
    let dots = if cut < text.len() { "…" } else { "" };
    format!("\n{}: {}{dots}", source.line(span.start), &text[..cut])
}

/// A quoted DOT string: only quotes, backslashes and line ends are special in it.
fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use hardbop_base::SourceFile;

    use crate::text::read;

    #[test]
    fn names_are_escaped_and_calls_dashed() {
        let text = r#"hardbop-cfg 1
shared "a\"b\\"
main m
proc m()
  entry l1
  exit l0
  loc l0
  loc l1 L @2..7
  l1 -> l0: call m()
  l1 -> l0: start_thread goto l1
  l1 -> l0: "a\"b\\" := *
end
"#;
        let source = SourceFile::new("f", "\n\nm (\n);");
        let dot = super::to_dot(&read(text).unwrap(), Some(&source));
        let expect = r#"digraph program {
  node [shape=box, fontname=monospace];
  edge [fontname=monospace];
  subgraph cluster_p0 {
    label="m";
    p0_l0 [label="l0 exit"];
    p0_l1 [label="L: l1\n3: m ( )", style=bold];
    p0_l1 -> p0_l0 [label="call m()"];
    p0_l1 -> p0_l0 [label="start_thread goto l1"];
    p0_l1 -> p0_l1 [style=dotted];
    p0_l1 -> p0_l0 [label="\"a\\\"b\\\\\" := *"];
  }
  p0_l1 -> p0_l1 [style=dashed, constraint=false];
}
"#;
        assert_eq!(dot, expect);
    }
}
