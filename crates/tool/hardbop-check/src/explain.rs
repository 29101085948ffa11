//! Why a sequential program is safe, in words: the invariant of a location, or the summary of a procedure, as
//! a small sum of products.
//!
//! It is read off the certificate, so it works for every engine that writes one. `x` is a value now,
//! `old x` the value when the procedure was entered.

use hardbop_base::{Idx, Name, SourceFile};
use hardbop_cfg::{Action, LocRef, ProcId, Program, VarId};
use hardbop_dd::{Dd, Level, Limits, Manager, OutOfNodes, Product};
use hardbop_evidence::{Formula, FormulaId, Invariants};

use crate::shown::Shown;

/// What to explain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Topic {
    /// The asserts of the program and the summaries of its procedures.
    Everything,
    /// Every statement besides, unless they are too many.
    EveryLine,
    /// The summary of a procedure.
    Procedure(String),
    /// What holds at the statements on a line.
    Line(u32),
}

/// A longer sum explains nothing to anybody.
const MOST_PRODUCTS: usize = 24;
/// Where there are more statements, not every one is explained.
const MOST_PLACES: usize = 2_000;

/// What holds at a place, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The file; `None` if it is the one that was checked.
    pub file: Option<String>,
    /// Line in the source.
    pub line: Option<u32>,
    /// The procedure it is about.
    pub proc: Option<Name>,
    /// What is there.
    pub at: String,
    /// What holds.
    pub holds: String,
}

/// Why a sequential program is safe; `Err` if it has no such place.
pub(crate) fn invariants(
    program: &Program,
    source: Option<&SourceFile>,
    certificate: &Invariants,
    topic: &Topic,
) -> Result<Vec<Invariant>, String> {
    let shown = Shown { program, source };
    let mut list = Vec::new();
    for at in places(&shown, topic) {
        let body = &program.procs[at.proc];
        list.push(Invariant {
            file: None,
            line: shown.line(body.locs[at.loc].span),
            proc: Some(body.name.clone()),
            at: format!("before `{}`", shown.text(at)),
            holds: formula(program, certificate, at),
        });
    }
    for proc in procedures(program, topic) {
        let body = &program.procs[proc];
        let mut say = |does: &str, holds: String| {
            let (at, proc) = (format!("{} {does}", body.name), Some(body.name.clone()));
            list.push(Invariant { file: None, line: None, proc, at, holds });
        };
        say("returns with", formula(program, certificate, LocRef { proc, loc: body.exit }));
        let kept: Vec<_> = certificate.procs[proc].frame.iter().collect();
        if !kept.is_empty() && kept.len() < 20 {
            let names = kept.iter().map(|&var| program.shared[var].name.to_string());
            say("leaves alone", names.collect::<Vec<_>>().join(", "));
        }
    }
    match topic {
        _ if !list.is_empty() => Ok(list),
        Topic::Line(line) => Err(format!("no statement begins on line {line}")),
        Topic::Procedure(name) => Err(format!("there is no procedure {name}")),
        Topic::Everything | Topic::EveryLine => Err("nothing to explain".into()),
    }
}

fn places(shown: &Shown<'_>, topic: &Topic) -> Vec<LocRef> {
    let program = shown.program;
    let is_small = program.all_locs().count() <= MOST_PLACES;
    let wanted = |at: &LocRef| {
        let body = &program.procs[at.proc];
        match topic {
            Topic::EveryLine if is_small => at.loc != body.exit && body.locs[at.loc].span.is_some(),
            Topic::Everything | Topic::EveryLine => {
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
        Topic::Everything | Topic::EveryLine => {
            program.procs.ids().filter(|&proc| proc != program.main).collect()
        }
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
