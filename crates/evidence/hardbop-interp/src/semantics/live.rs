//! Which variables can still matter where.
//!
//! A local is *live* at a location if some path of its procedure reads it before it is overwritten;
//! a shared variable is live everywhere if any expression of the program reads it. Configurations
//! that differ only in variables that are not live allow the same steps, the same violations and
//! the same labels, now and after every step: so of the values a dead variable may take by choice,
//! one is as good as all. The enumeration uses this and nothing else; values that are computed
//! stay what they are, so every run it finds is a run in the letter of the semantics.
//!
//! Engines use the sharper `hardbop_cfg::analysis::live`. The reference has this one, on purpose: a mistake there shows as
//! a difference between the two, here it would be believed.

use hardbop_base::{Bits, Idx, IndexVec};
use hardbop_cfg::{Action, Edge, EdgeRef, ExprId, Loc, Proc, ProcId, Program, Spawn};

/// The live variables of every location.
#[derive(Debug)]
pub struct Live {
    at: IndexVec<ProcId, IndexVec<Loc, Bits>>,
}

impl Live {
    pub fn new(program: &Program) -> Self {
        let shared = shared_reads(program);
        let taken = taken_returns(program);
        let at = program.procs.ids().map(|id| locals_of(program, id, &taken[id])).collect();
        let mut live = Live { at };
        for proc in live.at.as_mut_slice() {
            proc.iter_mut().for_each(|locals| _ = locals.union_with(&shared));
        }
        live
    }

    /// At a location.
    pub fn at(&self, proc: ProcId, loc: Loc) -> &Bits {
        &self.at[proc][loc]
    }

    /// In a frame that waits for the call on `edge` to return.
    pub fn waiting(&self, program: &Program, edge: EdgeRef) -> Bits {
        let it = program.edge(edge);
        let mut live = self.at(edge.proc, it.to).clone();
        live.subtract(&written(&it.action));
        live
    }
}

/// Every shared variable that some expression of the program reads.
fn shared_reads(program: &Program) -> Bits {
    let mut read = Bits::new();
    for (_, edge) in program.all_edges() {
        reads(program, edge, &mut read);
    }
    let enforced = program.procs.iter().filter_map(|proc| proc.enforce);
    for expr in enforced.chain(program.init.iter().map(|&(_, expr)| expr)) {
        read.union_with(&program.exprs.support(expr));
    }
    read.below(program.n_shared())
}

/// For each procedure, the return values that some call keeps.
fn taken_returns(program: &Program) -> IndexVec<ProcId, Bits> {
    let mut taken: IndexVec<ProcId, Bits> = IndexVec::from_elem(Bits::new(), program.procs.len());
    for (_, edge) in program.all_edges() {
        if let Action::Call(call) = &edge.action {
            for (from, to) in program.returns(call.callee).zip(&call.results) {
                if to.is_some() {
                    taken[call.callee].insert(from.index());
                }
            }
        }
    }
    taken
}

/// The least solution of the backward equations, by sweeps over the locations.
fn locals_of(program: &Program, id: ProcId, taken: &Bits) -> IndexVec<Loc, Bits> {
    let proc = &program.procs[id];
    let mut live: IndexVec<Loc, Bits> = IndexVec::from_elem(Bits::new(), proc.locs.len());
    let mut everywhere = Bits::new();
    if let Some(enforce) = proc.enforce {
        everywhere = program.exprs.support(enforce);
    }
    live[proc.exit] = taken.clone();
    loop {
        let mut grew = false;
        for loc in proc.locs.ids().rev() {
            let mut before = everywhere.clone();
            for (_, edge) in proc.out_edges(loc) {
                before.union_with(&before_edge(program, proc, edge, &live));
            }
            grew |= live[loc].union_with(&before.from(program.n_shared()));
        }
        if !grew {
            return live;
        }
    }
}

fn before_edge(program: &Program, proc: &Proc, edge: &Edge, live: &IndexVec<Loc, Bits>) -> Bits {
    debug_assert!(edge.to.index() < proc.locs.len());
    let mut before = if edge.falls_through() { live[edge.to].clone() } else { Bits::new() };
    before.subtract(&written(&edge.action));
    reads(program, edge, &mut before);
    if let Action::StartThread(spawn) = &edge.action
        && let Spawn::Goto(start) = **spawn
    {
        // The new thread gets a copy of the locals.
        before.union_with(&live[start]);
    }
    before
}

/// The variables an action overwrites in the frame that executes it.
fn written(action: &Action) -> Bits {
    match action {
        Action::Assign(assign) => assign.targets.iter().map(|(var, _)| var.index()).collect(),
        Action::Call(call) => call.results.iter().flatten().map(|var| var.index()).collect(),
        _ => Bits::new(),
    }
}

/// Adds the variables whose value before the action its expressions depend on.
fn reads(program: &Program, edge: &Edge, read: &mut Bits) {
    let mut next = Bits::new();
    for expr in exprs(&edge.action) {
        program.exprs.mentions(expr, read, &mut next);
    }
    // The next value of a variable that is not assigned is its value before.
    next.subtract(&written(&edge.action));
    read.union_with(&next);
}

/// All expressions of an action.
fn exprs(action: &Action) -> Vec<ExprId> {
    match action {
        Action::Assume(guard) | Action::Assert(guard) => vec![*guard],
        Action::Assign(assign) => {
            let values = assign.targets.iter().chain(&assign.broadcast).map(|&(_, value)| value);
            values.chain(assign.constrain).collect()
        }
        Action::Call(call) => call.args.clone(),
        Action::StartThread(spawn) => match &**spawn {
            Spawn::Goto(_) => Vec::new(),
            Spawn::Call { args, .. } => args.clone(),
        },
        Action::Skip | Action::EndThread | Action::AtomicBegin | Action::AtomicEnd => Vec::new(),
    }
}
