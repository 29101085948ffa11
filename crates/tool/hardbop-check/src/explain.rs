//! Why a program is safe, in words: the invariant of a location, or the summary of a procedure, as
//! a small sum of products.
//!
//! It is read off the certificate, so it works for every engine that writes one. `x` is a value now,
//! `old x` the value when the procedure was entered.

use std::fmt::Write;

use hardbop_base::{Idx, SourceFile};
use hardbop_cfg::{Action, LocRef, ProcId, Program, VarId};
use hardbop_dd::{Dd, Level, Limits, Manager, OutOfNodes, Product};
use hardbop_evidence::{Certificate, Formula, FormulaId, Invariants};

use crate::shown::Shown;

/// What to explain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Topic {
    /// The asserts of the program and the summaries of its procedures.
    Everything,
    /// The summary of a procedure.
    Procedure(String),
    /// What holds at the statements on a line.
    Line(u32),
}

/// A longer sum explains nothing to anybody.
const MOST_PRODUCTS: usize = 24;

/// The explanation; `Err` if the program has no such place.
pub fn explain(
    program: &Program,
    source: Option<&SourceFile>,
    certificate: &Certificate,
    topic: &Topic,
) -> Result<String, String> {
    let Certificate::Sequential(certificate) = certificate else {
        return Err("reasons are told for sequential programs only".into());
    };
    let shown = Shown { program, source };
    let mut out = String::new();
    for at in places(&shown, topic) {
        let line = shown.line(program.procs[at.proc].locs[at.loc].span);
        let line = line.map(|line| format!("line {line}, ")).unwrap_or_default();
        let formula = formula(program, certificate, at);
        writeln!(out, "  {line}before `{}`: {formula}", shown.text(at)).expect("a string");
    }
    for proc in procedures(program, topic) {
        let body = &program.procs[proc];
        let formula = formula(program, certificate, LocRef { proc, loc: body.exit });
        writeln!(out, "  {} returns with: {formula}", body.name).expect("a string");
        let kept: Vec<_> = certificate.procs[proc].frame.iter().collect();
        if !kept.is_empty() && kept.len() < 20 {
            let names = kept.iter().map(|&var| program.shared[var].name.to_string());
            let names = names.collect::<Vec<_>>().join(", ");
            writeln!(out, "    and leaves alone: {names}").expect("a string");
        }
    }
    if out.is_empty() {
        return Err(match topic {
            Topic::Line(line) => format!("no statement begins on line {line}"),
            Topic::Procedure(name) => format!("there is no procedure {name}"),
            Topic::Everything => "nothing to explain".into(),
        });
    }
    Ok(out)
}

fn places(shown: &Shown<'_>, topic: &Topic) -> Vec<LocRef> {
    let program = shown.program;
    let wanted = |at: &LocRef| {
        let body = &program.procs[at.proc];
        match topic {
            Topic::Everything => {
                body.out_edges(at.loc).any(|(_, edge)| matches!(edge.action, Action::Assert(_)))
            }
            Topic::Line(line) => {
                at.loc != body.exit && shown.line(body.locs[at.loc].span) == Some(*line)
            }
            Topic::Procedure(_) => false,
        }
    };
    program.all_locs().map(|(at, _)| at).filter(wanted).collect()
}

fn procedures(program: &Program, topic: &Topic) -> Vec<ProcId> {
    match topic {
        Topic::Everything => program.procs.ids().filter(|&proc| proc != program.main).collect(),
        Topic::Procedure(name) => program.proc_named(name).into_iter().collect(),
        Topic::Line(_) => Vec::new(),
    }
}

/// The invariant of a location as a sum of products.
fn formula(program: &Program, certificate: &Invariants, at: LocRef) -> String {
    let Some(root) = certificate.procs[at.proc].at[at.loc] else {
        return "never reached".into();
    };
    match sum_of_products(certificate, root) {
        Ok(Some(products)) if products.is_empty() => "false".into(),
        Ok(Some(products)) => {
            let product = |literals: &Product| {
                let literal = |&(level, value): &(Level, bool)| {
                    let var = VarId::new(level.index() / 2);
                    let old = if level.index() % 2 == 0 { "old " } else { "" };
                    let not = if value { "" } else { "!" };
                    format!("{not}{old}{}", program.var_info(at.proc, var).name)
                };
                match literals.is_empty() {
                    true => "anything".into(),
                    false => literals.iter().map(literal).collect::<Vec<_>>().join(" & "),
                }
            };
            products.iter().map(product).collect::<Vec<_>>().join(" | ")
        }
        Ok(None) | Err(OutOfNodes { .. }) => {
            format!("a relation of more than {MOST_PRODUCTS} cases")
        }
    }
}

/// Level 2v is the entry value of variable v, level 2v+1 its current value.
fn sum_of_products(
    certificate: &Invariants,
    root: FormulaId,
) -> Result<Option<Vec<Product>>, OutOfNodes> {
    let pool = &certificate.formulas;
    let nodes = pool.below(&[root]);
    let level = |id: FormulaId| match pool.get(id) {
        Formula::Entry(var) => Some(2 * var.index()),
        Formula::Current(var) => Some(2 * var.index() + 1),
        _ => None,
    };
    let n_levels = nodes.iter().filter_map(|&id| level(id)).max().map_or(0, |last| last + 1);
    let dd = Manager::new(n_levels, Limits::SMALL);
    let mut known: std::collections::HashMap<FormulaId, Dd> = std::collections::HashMap::new();
    for id in nodes {
        let of = |id: &FormulaId| known[id].clone();
        let built = match pool.get(id) {
            Formula::Const(value) => dd.constant(*value),
            Formula::Entry(_) | Formula::Current(_) => {
                dd.var(Level::new(level(id).expect("it is a variable")))?
            }
            Formula::Not(a) => dd.not(&of(a)),
            Formula::And(list) => {
                list.iter().try_fold(dd.one().clone(), |all, next| dd.and(&all, &of(next)))?
            }
            Formula::Or(list) => {
                list.iter().try_fold(dd.zero().clone(), |any, next| dd.or(&any, &of(next)))?
            }
            Formula::Ite(c, a, b) => dd.ite(&of(c), &of(a), &of(b))?,
        };
        known.insert(id, built);
    }
    dd.isop(&known[&root], MOST_PRODUCTS)
}
