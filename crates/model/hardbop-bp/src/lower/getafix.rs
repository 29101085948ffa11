//! Files without `main` (Getafix, BOOM A.2): `init` runs first, then each procedure nobody calls is
//! a thread.

use hardbop_base::IndexVec;
use hardbop_cfg::{Action, Call, Expr, ExprPool, Proc, ProcBuilder, ProcId, Spawn};
use rustc_hash::FxHashSet;

/// Adds a `main` that calls `init`, starts all threads but the last, and runs the last itself, so
/// that there are exactly as many threads as the file has. Formals get any value.
pub(super) fn add_main(
    procs: &mut IndexVec<ProcId, Proc>,
    exprs: &mut ExprPool,
    init: ProcId,
    called: &FxHashSet<ProcId>,
) -> ProcId {
    let mut threads: Vec<ProcId> =
        procs.ids().filter(|id| *id != init && !called.contains(id)).collect();
    let last = threads.pop();
    let steps = std::iter::once((init, false))
        .chain(threads.into_iter().map(|id| (id, true)))
        .chain(last.map(|id| (id, false)));
    let mut main = ProcBuilder::new("main".into(), None);
    let steps: Vec<_> = steps.map(|step| (step, main.loc(procs[step.0].span))).collect();
    main.entry(steps[0].1);
    for (at, &((callee, starts), loc)) in steps.iter().enumerate() {
        let args = vec![exprs.add(Expr::Choice); procs[callee].n_formals];
        let action = if starts {
            Action::StartThread(Box::new(Spawn::Call { callee, args }))
        } else {
            Action::Call(Box::new(Call { callee, args, results: Vec::new() }))
        };
        let next = steps.get(at + 1).map_or(main.exit(), |&(_, next)| next);
        main.edge(loc, action, next);
    }
    procs.push(main.finish())
}
