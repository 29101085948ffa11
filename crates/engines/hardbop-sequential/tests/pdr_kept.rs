//! Lemmas of another run: those that hold spare work, those that do not are left out.

use hardbop_engine::{RunCtx, Task, Verdict};
use hardbop_sequential::Pdr;
use hardbop_sequential::sat::pdr::kept::Lemma;

/// A ring of four bits with one token; `more` may put in another.
fn ring(more: &str) -> hardbop_cfg::Program {
    let text = format!(
        "decl a, b, c, d, e;\nvoid step()\nbegin\n  a, b, c, d := d, a, b, c;\nend\nvoid main()\nbegin\n  \
         a, b, c, d, e := T, F, F, F, F;\n  while (*) do\n    step();\n    if (*) then {more}; fi;\n  od;\n  \
         assert !((a & b) | (a & c) | (a & d) | (b & c) | (b & d) | (c & d));\nend\n"
    );
    let (_, program, diagnostics) = hardbop_bp::load_bytes("t.bp", text.clone().into_bytes());
    program.unwrap_or_else(|| panic!("{diagnostics:?}\n{text}"))
}

/// Whether it is safe, with the lemmas that were taken up and the questions to the solver.
fn ask(program: &hardbop_cfg::Program, kept: &mut Vec<Lemma>) -> (bool, u64, u64) {
    let claim = Pdr.check_keeping(&Task::new(program), &RunCtx::default(), kept);
    let is_safe = match claim.answer {
        Verdict::Safe => {
            let certificate = claim.certificate.expect("a proof");
            let budget = hardbop_base::Budget::unlimited();
            assert!(hardbop_certify::certify(program, &certificate, &budget).is_ok());
            true
        }
        Verdict::Unsafe(_) => false,
        Verdict::Unknown(why) => panic!("{why:?}"),
    };
    let stat = |name| claim.stats.get(name).unwrap_or(0);
    (is_safe, stat("lemmas_kept"), stat("sat_calls"))
}

#[test]
fn the_same_program_is_decided_with_less_work() {
    let program = ring("e := !e");
    let mut kept = Vec::new();
    let (first, none, before) = ask(&program, &mut kept);
    assert!(first && none == 0 && !kept.is_empty());
    let (second, n_kept, after) = ask(&program, &mut kept);
    assert!(second && n_kept > 0);
    assert!(after < before, "{after} questions, {before} without lemmas");
}

#[test]
fn lemmas_that_are_not_true_of_another_program_do_not_make_it_safe() {
    let mut kept = Vec::new();
    assert!(ask(&ring("e := !e"), &mut kept).0);
    let (is_safe, ..) = ask(&ring("c := T"), &mut kept);
    assert!(!is_safe);
    // Nor do those of one with more executions keep the other from being proved.
    assert!(ask(&ring("e := !e"), &mut kept).0);
}
