//! A thread without a stack: calls inlined, their origin kept (BOOM section 7.1, "any function calls
//! are inlined").
//!
//! A [`Context`] is a chain of calls from a thread's first procedure: what inlining would make a
//! copy of the callee's locations for. A thread is then a context, a location of the context's
//! procedure, and the values of all its frames, pooled by depth: the locals of the bottom frame keep
//! their positions in the scope, those of a callee follow the caller's. So two threads at the same
//! place have their values at the same positions, and the frames can be read back at any time.
//!
//! **Departure.** Contexts come into being when a call is first taken: a program of n procedures
//! can have 2ⁿ chains of calls, of which a run meets few.
//!
//! **Invariant.** No bit outside of the context's frames is set. Without recursion there are finitely
//! many contexts; [`check_inlinable`] refuses the others.

use hardbop_base::{Bits, Idx, IndexVec, define_id};
use hardbop_cfg::analysis::CallGraph;
use hardbop_cfg::{EdgeId, EdgeRef, Loc, LocRef, ProcId, Program, VarId};
use hardbop_interp::semantics::live::Live;
use rustc_hash::FxHashMap;

define_id!(
    /// A chain of calls.
    Context, "c"
);

/// A thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Local {
    pub context: Context,
    /// Of the procedure of the context.
    pub loc: Loc,
    /// Of all frames; see [`Contexts::scope`].
    pub values: Bits,
}

/// What is known of a chain of calls.
#[derive(Debug)]
struct Info {
    proc: ProcId,
    caller: Option<(Context, EdgeId)>,
    /// How far the frame's locals are moved up from their positions in the scope.
    offset: usize,
    /// The frames below.
    depth: usize,
    /// The values of waiting frames that can still matter.
    live_below: Bits,
}

/// All chains of calls met so far.
#[derive(Debug)]
pub struct Contexts<'a> {
    program: &'a Program,
    live: Live,
    infos: IndexVec<Context, Info>,
    roots: FxHashMap<ProcId, Context>,
    called: FxHashMap<(Context, EdgeId), Context>,
}

/// `Err` names a cycle of calls, in words for the user.
pub fn check_inlinable(program: &Program) -> Result<(), String> {
    match CallGraph::of(program).recursive_cycle_names(program) {
        None => Ok(()),
        Some(cycle) => Err(format!(
            "threads with recursive calls ({}) need a bound on context switches: engine `contexts`",
            cycle.join(" → ")
        )),
    }
}

impl<'a> Contexts<'a> {
    pub fn new(program: &'a Program) -> Self {
        Contexts {
            program,
            live: Live::new(program),
            infos: IndexVec::new(),
            roots: FxHashMap::default(),
            called: FxHashMap::default(),
        }
    }

    /// Of a thread that begins in `proc`.
    pub fn root(&mut self, proc: ProcId) -> Context {
        *self.roots.entry(proc).or_insert_with(|| {
            let live_below = Bits::new();
            self.infos.push(Info { proc, caller: None, offset: 0, depth: 0, live_below })
        })
    }

    /// After the call on `edge`.
    pub fn call(&mut self, caller: Context, edge: EdgeId, callee: ProcId) -> Context {
        if let Some(&known) = self.called.get(&(caller, edge)) {
            return known;
        }
        let Info { proc, offset, depth, ref live_below, .. } = self.infos[caller];
        let n_shared = self.program.n_shared();
        let waiting = self.live.waiting(self.program, EdgeRef { proc, edge });
        let mut live_below = live_below.clone();
        live_below.extend(waiting.from(n_shared).iter().map(|bit| bit + offset));
        let context = self.infos.push(Info {
            proc: callee,
            caller: Some((caller, edge)),
            offset: offset + self.program.procs[proc].locals.len(),
            depth: depth + 1,
            live_below,
        });
        self.called.insert((caller, edge), context);
        context
    }

    pub fn proc(&self, context: Context) -> ProcId {
        self.infos[context].proc
    }

    /// The call waited for, and the context that waits.
    pub fn caller(&self, context: Context) -> Option<(Context, EdgeId)> {
        self.infos[context].caller
    }

    /// The number of frames below the top one: the position of that frame in the stack.
    pub fn depth(&self, context: Context) -> usize {
        self.infos[context].depth
    }

    pub fn place(&self, local: &Local) -> LocRef {
        LocRef { proc: self.proc(local.context), loc: local.loc }
    }

    /// The contexts of the frames, top first; each is the context its own frame is the top of.
    pub fn frames(&self, context: Context) -> impl Iterator<Item = Context> + '_ {
        std::iter::successors(Some(context), |&at| self.caller(at).map(|(below, _)| below))
    }

    /// The locals of the frame of `frame`, which is one of the contexts of the thread's frames, at
    /// their positions in the scope.
    pub fn locals(&self, frame: Context, values: &Bits) -> Bits {
        let Info { proc, offset, .. } = self.infos[frame];
        let width = self.program.scope_width(proc);
        if offset == 0 {
            return values.below(width);
        }
        let own = values.below(width + offset).from(self.program.n_shared() + offset);
        own.iter().map(|bit| bit - offset).collect()
    }

    /// The scope of the top frame.
    pub fn scope(&self, shared: &Bits, local: &Local) -> Bits {
        let mut scope = self.locals(local.context, &local.values);
        scope.union_with(shared);
        scope
    }

    /// The values of a thread whose top frame belongs to `context` and has the locals of `scope`, and
    /// whose frames below are those of `values`.
    pub fn with_top(&self, context: Context, values: &Bits, scope: &Bits) -> Bits {
        let n_shared = self.program.n_shared();
        let offset = self.infos[context].offset;
        let mut all = values.below(n_shared + offset);
        all.extend(scope.from(n_shared).iter().map(|bit| bit + offset));
        all
    }

    /// Where the values have a local of the frame of `frame`.
    pub fn position(&self, frame: Context, var: VarId) -> usize {
        var.index() + self.infos[frame].offset
    }

    /// Where the values of a thread at this place can still matter.
    pub fn live(&self, context: Context, loc: Loc) -> Bits {
        let Info { proc, offset, ref live_below, .. } = self.infos[context];
        let mut live = live_below.clone();
        let top = self.live.at(proc, loc).from(self.program.n_shared());
        live.extend(top.iter().map(|bit| bit + offset));
        live
    }

    /// The shared variables that can matter: those that some expression reads.
    pub fn live_shared(&self) -> Bits {
        let main = self.program.main;
        self.live.at(main, self.program.procs[main].entry).below(self.program.n_shared())
    }

    /// The thread with every value that cannot matter any more set to false. Threads that differ
    /// only in such values can do the same, up to such values: see `hardbop_interp::semantics::live`.
    pub fn canonical(&self, local: &Local) -> Local {
        let mut values = local.values.clone();
        values.intersect_with(&self.live(local.context, local.loc));
        Local { values, ..*local }
    }

    /// The same for the shared variables.
    pub fn canonical_shared(&self, shared: &Bits) -> Bits {
        let mut canonical = shared.clone();
        canonical.intersect_with(&self.live_shared());
        canonical
    }

    pub fn len(&self) -> usize {
        self.infos.len()
    }

    pub fn is_empty(&self) -> bool {
        self.infos.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use hardbop_base::{Bits, SourceFile};
    use hardbop_cfg::{Action, Program};

    use super::{Contexts, Local, check_inlinable};

    fn load(text: &str) -> Program {
        hardbop_bp::load(&SourceFile::new("t.bp", text)).0.expect("the program is right")
    }

    const NESTED: &str = "decl g; void main() begin decl x, y; x := f(y); assert(x | y); end \
                          bool f(a) begin decl z; z := a; return z; end";

    #[test]
    fn frames_are_read_back_from_the_pooled_values() {
        let program = load(NESTED);
        let mut contexts = Contexts::new(&program);
        let main = contexts.root(program.main);
        assert_eq!(contexts.root(program.main), main);
        let (edge, callee) = program.procs[program.main]
            .edges
            .iter_enumerated()
            .find_map(|(id, edge)| match &edge.action {
                Action::Call(call) => Some((id, call.callee)),
                _ => None,
            })
            .expect("main calls");
        let inner = contexts.call(main, edge, callee);
        assert_eq!(contexts.call(main, edge, callee), inner);
        assert_eq!(contexts.len(), 2);
        // Shared is 0; x and y of main are 1 and 2.
        let below: Bits = [1, 2].into_iter().collect();
        let scope: Bits = [0, 1, 3].into_iter().collect();
        let values = contexts.with_top(inner, &below, &scope);
        let local = Local { context: inner, loc: program.procs[callee].entry, values };
        assert_eq!(contexts.scope(&Bits::full(1), &local), scope);
        assert_eq!(contexts.locals(main, &local.values), below);
        let stack: Vec<_> = contexts.frames(inner).map(|it| contexts.depth(it)).collect();
        assert_eq!(stack, [1, 0]);
        // The call overwrites x, the callee reads its formal before anything else.
        let canonical = contexts.canonical(&local);
        assert_eq!(contexts.locals(main, &canonical.values), [2].into_iter().collect());
        assert_eq!(contexts.locals(inner, &canonical.values), [1].into_iter().collect());
    }

    #[test]
    fn recursion_is_refused_by_name() {
        assert_eq!(check_inlinable(&load(NESTED)), Ok(()));
        let program =
            load("void main() begin f(); end void f() begin g(); end void g() begin f(); end");
        let refusal = check_inlinable(&program).unwrap_err();
        assert!(refusal.contains("f → g → f") && refusal.contains("`contexts`"), "{refusal}");
    }
}
