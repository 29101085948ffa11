//! A certificate proves its own program and nothing else; what is taken from it or added to it is
//! found out, and the place is named.

use hardbop_base::{Budget, SourceFile};
use hardbop_certify::{Rejected, certify};
use hardbop_cfg::{Goal, LocRef, Program};
use hardbop_engine::{Engine, RunCtx, Task, Verdict};
use hardbop_evidence::{Certificate, Formula, Invariants};
use hardbop_gen::random::{self, Profile};
use hardbop_sequential::diagrams::Bdd;

const LOCK: &str = "
decl locked := F;
void acquire() begin assert(!locked); locked := T; end
void release() begin assert(locked); locked := F; end
void main() begin
  decl again;
  again := T;
  while (again) do acquire(); release(); again := *; od
end";

fn program(text: &str) -> Program {
    let (program, diagnostics) = hardbop_bp::load(&SourceFile::new("test.bp", text));
    program.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

fn proof(program: &Program) -> Option<Invariants> {
    let claim = Bdd::DEFAULT.check(&Task::new(program), &RunCtx::default());
    let certificate = matches!(claim.answer, Verdict::Safe).then(|| claim.certificate)?;
    match certificate.expect("it was wanted") {
        Certificate::Sequential(invariants) => Some(invariants),
        other => panic!("a certificate of another kind: {other:?}"),
    }
}

fn verdict(program: &Program, certificate: &Invariants) -> Result<(), Rejected> {
    certify(program, &certificate.clone().into(), &Budget::unlimited()).map(|_| ())
}

#[test]
fn its_own_program() {
    let program = program(LOCK);
    let certificate = proof(&program).unwrap();
    assert_eq!(verdict(&program, &certificate), Ok(()));
    let read = Certificate::read(&Certificate::from(certificate).print()).unwrap();
    assert!(certify(&program, &read, &Budget::unlimited()).is_ok());
}

#[test]
fn another_program() {
    let certificate = proof(&program(LOCK)).unwrap();
    let broken = program(&LOCK.replace("locked := F; end", "locked := T; end"));
    assert!(matches!(verdict(&broken, &certificate), Err(Rejected::At(..))));
    let shorter = program("void main() begin skip; end");
    assert!(matches!(verdict(&shorter, &certificate), Err(Rejected::Unfit(_))));
}

#[test]
fn another_goal() {
    let program = program(&LOCK.replace("again := T;", "HERE: again := T;"));
    let mut certificate = proof(&program).unwrap();
    certificate.goal = Goal::Label("HERE".into());
    assert!(matches!(verdict(&program, &certificate), Err(Rejected::At(..))));
}

/// Every invariant in turn replaced: by false where the location is reached, a predecessor misses
/// it; by true, either something that was excluded comes in, or nothing depended on it.
#[test]
fn invariants_taken_away_or_widened() {
    let program = program(LOCK);
    let certificate = proof(&program).unwrap();
    let mut n_widened_rejected = 0;
    for (at, _) in program.all_locs() {
        if certificate.procs[at.proc].at[at.loc].is_none() {
            continue;
        }
        let mut narrowed = certificate.clone();
        narrowed.procs[at.proc].at[at.loc] = None;
        assert!(matches!(verdict(&program, &narrowed), Err(Rejected::At(..))), "{at:?}");
        let mut widened = certificate.clone();
        widened.procs[at.proc].at[at.loc] = Some(widened.formulas.constant(true));
        if let Err(Rejected::At(..)) = verdict(&program, &widened) {
            n_widened_rejected += 1;
        }
    }
    assert!(n_widened_rejected >= 4, "{n_widened_rejected}");
}

#[test]
fn a_summary_widened_is_found_at_the_call() {
    let program = program(LOCK);
    let mut certificate = proof(&program).unwrap();
    let release = program.proc_named("release").unwrap();
    let exit = program.procs[release].exit;
    certificate.procs[release].at[exit] = Some(certificate.formulas.constant(true));
    let Err(Rejected::At(LocRef { proc, .. }, _)) = verdict(&program, &certificate) else {
        panic!("accepted");
    };
    assert_eq!(proc, program.main);
}

#[test]
fn a_frame_that_is_assigned() {
    let program = program(LOCK);
    let mut certificate = proof(&program).unwrap();
    let acquire = program.proc_named("acquire").unwrap();
    certificate.procs[acquire].frame.insert(0);
    assert!(matches!(verdict(&program, &certificate), Err(Rejected::At(..))));
}

/// No certificate whatsoever proves an unsafe program: here, the invariants of the safe twin of a
/// random program with its assertions removed from the goal.
#[test]
fn nothing_proves_an_unsafe_program() {
    let mut n_unsafe = 0;
    for seed in 0..200 {
        let text = hardbop_bp::print(&random::program(seed, &Profile::recursive()));
        let program = program(&text);
        if proof(&program).is_some() {
            continue;
        }
        n_unsafe += 1;
        // All invariants true, frames empty: closed under everything, but for the goal.
        let mut everything = Invariants {
            goal: Goal::Assert,
            formulas: Default::default(),
            procs: Default::default(),
        };
        let truth = everything.formulas.add(Formula::Const(true));
        for body in &program.procs {
            everything.procs.push(hardbop_evidence::ProcInvariant {
                frame: Default::default(),
                at: vec![Some(truth); body.locs.len()].into(),
            });
        }
        assert!(matches!(verdict(&program, &everything), Err(Rejected::At(..))), "{text}");
    }
    assert!(n_unsafe > 20, "{n_unsafe}");
}

/// Obligations that read the same are asked once; those of a procedure that is alike but for one statement, or
/// for its part of the certificate, are not the same.
#[test]
fn procedures_that_are_nearly_alike() {
    let text = "
decl g := F;
void one() begin g := !g; g := !g; end
void two() begin g := !g; g := !g; end
void main() begin one(); two(); assert(!g); end";
    let right = program(text);
    let certificate = proof(&right).unwrap();
    assert_eq!(verdict(&right, &certificate), Ok(()));
    let broken = program(&text.replace("two() begin g := !g; g", "two() begin g := g; g"));
    assert!(matches!(verdict(&broken, &certificate), Err(Rejected::At(..))));
    let two = right.proc_named("two").unwrap();
    for loc in right.procs[two].locs.ids() {
        let mut forged = certificate.clone();
        if forged.procs[two].at[loc].take().is_none() {
            continue;
        }
        assert!(matches!(verdict(&right, &forged), Err(Rejected::At(..))), "{loc}");
    }
}
