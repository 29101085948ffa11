//! Whether a bound on threads can be reached at all. Where it cannot, nobody has to count the threads
//! alive, in each context anew.

use hardbop_base::{Bits, Idx};
use hardbop_cfg::{Action, Loc, Proc, Program, Spawn};

/// The most threads a run can have, for the simplest kind of program: threads are started by calls and
/// by `main` only, each statement at most once in a run of `main`, and nobody runs `main` again.
pub fn most_threads(program: &Program, initial: u32) -> Option<u32> {
    let main = &program.procs[program.main];
    let mut n_starts: u32 = 0;
    for (at, edge) in program.all_edges() {
        match &edge.action {
            Action::Call(call) if call.callee == program.main => return None,
            Action::StartThread(spawn) => {
                let is_simple =
                    matches!(**spawn, Spawn::Call { callee, .. } if callee != program.main);
                if !is_simple || at.proc != program.main || reaches(main, edge.to, edge.from) {
                    return None;
                }
                n_starts += 1;
            }
            _ => {}
        }
    }
    initial.checked_mul(1 + n_starts)
}

fn reaches(proc: &Proc, from: Loc, to: Loc) -> bool {
    let (mut seen, mut todo) = (Bits::new(), vec![from]);
    while let Some(loc) = todo.pop() {
        if loc == to {
            return true;
        }
        if seen.insert(loc.index()) {
            todo.extend(proc.successors(loc));
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use hardbop_base::SourceFile;

    use super::most_threads;

    fn most(main: &str) -> Option<u32> {
        let inner = if main.contains("g1") { "start_thread f();" } else { "skip;" };
        let text = format!(
            "decl g; void main() begin {main} end void f() begin skip; end \
             void g1() begin {inner} end"
        );
        let program = hardbop_bp::load(&SourceFile::new("t.bp", text)).0.expect("it is right");
        most_threads(&program, 2)
    }

    #[test]
    fn threads_are_counted_where_that_is_simple() {
        assert_eq!(most("skip;"), Some(2));
        assert_eq!(most("skip; start_thread f(); if (g) then start_thread f(); fi"), Some(6));
        assert_eq!(most("while (*) do start_thread f(); od"), None);
        assert_eq!(most("L: start_thread goto L;"), None);
        assert_eq!(most("start_thread main();"), None);
        assert_eq!(most("start_thread f(); g1();"), None);
    }
}
