//! Which shared variables a procedure may modify and may reference, with all it calls.
//!
//! BEB section 3.3, "MOD/REF sets": a variable in neither set keeps its value and does not matter,
//! so that no summary of the procedure needs to mention it.
//!
//! A thread that a procedure starts is no part of the procedure: its effects are met only if
//! [`Follow::CallsAndStarts`] asks for them.

use hardbop_base::{Bits, Idx, IndexVec};

use super::callgraph::{CallGraph, Follow};
use super::effects::Effects;
use crate::program::{EdgeRef, ProcId, Program, VarId};

/// May-MOD and may-REF per procedure, over shared variables.
#[derive(Clone, Debug)]
pub struct ModRef {
    sets: IndexVec<ProcId, Sets>,
}

#[derive(Clone, Default, Debug)]
struct Sets {
    modified: Bits,
    referenced: Bits,
}

impl ModRef {
    /// In the reading of `effects`: with that of dependence, restrictions are modifications.
    pub fn of(program: &Program, effects: &Effects, calls: &CallGraph, follow: Follow) -> Self {
        let own = |proc, sets: &mut Sets| {
            let shared = |vars: &[VarId], into: &mut Bits| {
                let shared = vars.iter().filter(|&&var| program.is_shared(var));
                into.extend(shared.map(|var| var.index()));
            };
            shared(effects.enforce(proc), &mut sets.referenced);
            for edge in program.procs[proc].edges.ids() {
                shared(effects.reads(EdgeRef { proc, edge }), &mut sets.referenced);
                shared(effects.writes(EdgeRef { proc, edge }), &mut sets.modified);
            }
        };
        let join = |sets: &mut Sets, callee: &Sets| {
            sets.modified.union_with(&callee.modified);
            sets.referenced.union_with(&callee.referenced);
        };
        ModRef { sets: calls.close(follow, own, join) }
    }

    /// Every procedure touches everything: to measure what the analysis is worth.
    pub fn everything(program: &Program) -> Self {
        let all = Bits::full(program.n_shared());
        let sets = Sets { modified: all.clone(), referenced: all };
        ModRef { sets: IndexVec::from_elem(sets, program.procs.len()) }
    }

    /// The shared variables a call of `proc` may give a new value.
    pub fn modified(&self, proc: ProcId) -> &Bits {
        &self.sets[proc].modified
    }

    /// The shared variables a call of `proc` may read, anywhere.
    pub fn referenced(&self, proc: ProcId) -> &Bits {
        &self.sets[proc].referenced
    }

    /// The shared variables a summary of `proc` must mention; the others are framed.
    pub fn touched(&self, proc: ProcId) -> Bits {
        let mut touched = self.modified(proc).clone();
        touched.union_with(self.referenced(proc));
        touched
    }
}

#[cfg(test)]
mod tests {
    use crate::analysis::{CallGraph, Effects, Follow, ModRef, Reading};
    use crate::text::read;

    #[test]
    fn sets_are_closed_under_calls() {
        let text = "hardbop-cfg 1
shared a
shared b
shared c
shared d
shared e
main m
proc m()
  entry l1
  exit l0
  loc l0
  loc l1
  l1 -> l0: a := call even()
  l1 -> l0: start_thread call t()
end
proc even() returns (r)
  entry l1
  exit l0
  loc l0
  loc l1
  l1 -> l0: call odd(b)
end
proc odd(x)
  enforce e
  entry l1
  exit l0
  loc l0
  loc l1
  l1 -> l0: call even()
  l1 -> l0: assume x | c
end
proc t()
  entry l1
  exit l0
  loc l0
  loc l1
  l1 -> l0: d := !d
end
";
        let program = read(text).unwrap();
        let calls = CallGraph::of(&program);
        let sets = |reading, follow| {
            let effects = Effects::of(&program, reading);
            let modref = ModRef::of(&program, &effects, &calls, follow);
            let set = |bits: &hardbop_base::Bits| {
                bits.iter().map(|i| &*program.shared[i].name).collect::<String>()
            };
            let ids = program.procs.ids();
            ids.map(|p| set(modref.modified(p)) + "/" + &set(modref.referenced(p)))
                .collect::<Vec<_>>()
        };
        assert_eq!(sets(Reading::DataFlow, Follow::Calls), ["a/bce", "/bce", "/bce", "d/d"]);
        let with_threads = sets(Reading::DataFlow, Follow::CallsAndStarts);
        assert_eq!(with_threads[0], "ad/bcde");
        // Assume and enforce restrict; results come with the return, which is no edge.
        let dependence = sets(Reading::Dependence, Follow::Calls);
        assert_eq!(dependence[1], "ce/bce");
    }
}
