//! The fixpoint as a certificate: an invariant for every location.
//!
//! Path edges are kept at nodes only; at the locations between them they are computed once more,
//! statement by statement, from the node before.

use hardbop_base::{Bits, Budget, Exhausted, IndexVec};
use hardbop_cfg::{Action, Goal, LocRef};
use hardbop_dd::{Dd, Manager};
use hardbop_evidence::{Certificate, Formula, FormulaId, FormulaPool, Invariants, ProcInvariant};
use rustc_hash::FxHashMap;

use crate::diagrams::fixpoint::Fixpoint;
use hardbop_encode::slots::{Moment, Slots};

/// Why the goal cannot be reached, from a finished fixpoint.
pub fn certificate(
    fixpoint: &mut Fixpoint<'_>,
    goal: &Goal,
    budget: &Budget,
) -> Result<Certificate, Exhausted> {
    let mut meter = budget.meter(4);
    let program = fixpoint.enc.program;
    let mut edges_at: FxHashMap<LocRef, Dd> = FxHashMap::default();
    let nodes: Vec<_> =
        fixpoint.graph.nodes.iter_enumerated().map(|(id, it)| (id, it.at)).collect();
    for &(node, at) in &nodes {
        if let Some(reached) = fixpoint.reached.get(node) {
            edges_at.insert(at, reached.clone());
        }
    }
    let live = fixpoint.graph.live();
    for (_, at) in nodes {
        let mut waiting = vec![at];
        while let Some(at) = waiting.pop() {
            meter.tick()?;
            let body = &program.procs[at.proc];
            let edges = edges_at[&at].clone();
            for (_, edge) in body.out_edges(at.loc) {
                let to = LocRef { loc: edge.to, ..at };
                let inside = !matches!(edge.action, Action::Call(_) | Action::EndThread);
                if inside && !edges_at.contains_key(&to) {
                    let Fixpoint { enc, graph, .. } = &mut *fixpoint;
                    let transfer = graph.transfers.of_action(enc, &edge.action, body.enforce)?;
                    let arrow = graph.transfers.arrow(enc, transfer, live.at(at), live.at(to))?;
                    let post = arrow.post(enc, &edges)?;
                    edges_at.insert(to, post);
                    waiting.push(to);
                }
            }
        }
    }
    let mut writer = Writer {
        dd: fixpoint.enc.dd,
        slots: fixpoint.enc.slots,
        formulas: FormulaPool::default(),
        known: FxHashMap::default(),
    };
    let procs = program.procs.iter_enumerated().map(|(proc, body)| {
        let mut frame = Bits::full(program.n_shared());
        frame.subtract(fixpoint.calls.modified(proc));
        let at = body.locs.ids().map(|loc| {
            let edges = edges_at.get(&LocRef { proc, loc })?;
            (!writer.dd.is_false(edges)).then(|| writer.formula(edges))
        });
        ProcInvariant { frame, at: at.collect() }
    });
    let procs: IndexVec<_, _> = procs.collect();
    Ok(Invariants { goal: goal.clone(), formulas: writer.formulas, procs }.into())
}

/// Writes diagrams as formulas, node by node.
struct Writer<'a> {
    dd: &'a Manager,
    slots: &'a Slots,
    formulas: FormulaPool,
    known: FxHashMap<Dd, FormulaId>,
}

impl Writer<'_> {
    fn formula(&mut self, f: &Dd) -> FormulaId {
        if let Some(&known) = self.known.get(f) {
            return known;
        }
        let formula = match self.dd.split(f) {
            None => Formula::Const(self.dd.is_true(f)),
            Some((level, high, low)) => {
                let var = match self.slots.meaning(level) {
                    (var, Moment::Entry) => Formula::Entry(var),
                    (var, Moment::Now) => Formula::Current(var),
                    (_, Moment::Next) => unreachable!("path edges have no next values"),
                };
                let test = self.formulas.add(var);
                let (high, low) = (self.formula(&high), self.formula(&low));
                Formula::Ite(test, high, low)
            }
        };
        let id = self.formulas.add(formula);
        self.known.insert(f.clone(), id);
        id
    }
}
