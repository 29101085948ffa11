//! Traces that go over calls: the same run as the one written out, checked passage by passage, and nothing
//! else is accepted.

use hardbop_base::{Bits, Idx, SourceFile};
use hardbop_cfg::Program;
use hardbop_engine::{Engine, Reached, RunCtx, Task, Verdict};
use hardbop_evidence::{Event, PassageId, Trace};
use hardbop_gen::random::{self, Profile};
use hardbop_interp::replay;
use hardbop_sequential::diagrams::Bdd;

const FOLDED: Bdd = Bdd { fold: true, ..Bdd::DEFAULT };

fn load(text: &str) -> Program {
    hardbop_bp::load(&SourceFile::new("t.bp", text)).0.expect("the program is right")
}

fn trace(engine: &Bdd, program: &Program) -> Option<Trace> {
    match engine.check(&Task::new(program), &RunCtx::default()).answer {
        Verdict::Unsafe(Reached { trace, .. }) => trace,
        _ => None,
    }
}

fn replays(program: &Program, trace: &Trace) -> Result<(), String> {
    let task = Task::new(program);
    let replayed = replay(program, &task.goal, task.threads, task.initial_threads, trace);
    replayed.map(drop).map_err(|error| error.to_string())
}

#[test]
fn a_folded_trace_is_the_same_run() {
    let profile = Profile::recursive();
    let mut n_folded = 0;
    for seed in 0..600 {
        let text = hardbop_bp::print(&random::program(seed, &profile));
        let program = load(&text);
        let Some(flat) = trace(&Bdd::DEFAULT, &program) else { continue };
        let folded = trace(&FOLDED, &program).expect("it is unsafe");
        assert_eq!(replays(&program, &folded), Ok(()), "seed {seed}\n{text}");
        assert_eq!(folded.n_statements(), flat.n_statements(), "seed {seed}");
        n_folded += usize::from(!folded.passages.is_empty());
        assert_eq!(folded.unfold(u64::MAX), flat, "seed {seed}");
    }
    assert!(n_folded > 40, "{n_folded}");
}

const TWICE: &str = "
decl g := F;
void main() begin
  decl x;
  x := flip(T);
  x := flip(x);
  assert(!x);
end
bool flip(a) begin step(); return !a; end
void step() begin g := !g; end";

/// Whatever is changed in a folded trace, the replay refuses it.
#[test]
fn forged_passages_are_refused() {
    let program = load(TWICE);
    let right = trace(&FOLDED, &program).expect("it is unsafe");
    assert_eq!(replays(&program, &right), Ok(()));
    assert_eq!(right.passages.len(), 4, "{right:#?}");
    let refused = |what: &str, forge: &dyn Fn(&mut Trace)| {
        let mut forged = right.clone();
        forge(&mut forged);
        assert!(forged != right && replays(&program, &forged).is_err(), "{what}");
    };
    let flipped = |bits: &Bits, var: usize| {
        let mut bits = bits.clone();
        bits.set(var, !bits.contains(var));
        bits
    };
    for id in right.passages.ids() {
        for var in 0..program.scope_width(right.passages[id].proc) {
            refused("another value at the entry", &|it| {
                it.passages[id].entry = flipped(&it.passages[id].entry, var);
            });
            refused("another value at the exit", &|it| {
                let last = it.passages[id].steps.last_mut().expect("it does something");
                last.after = flipped(&last.after, var);
            });
        }
        refused("it ends too soon", &|it| drop(it.passages[id].steps.pop()));
        refused("another procedure", &|it| it.passages[id].proc = program.main);
        refused("it goes by itself", &|it| {
            let passage = &mut it.passages[id];
            let call = right.steps.iter().find(|step| matches!(step.event, Event::Over(..)));
            let mut call = call.expect("there is a call").clone();
            if let Event::Over(_, by) = &mut call.event {
                *by = id;
            }
            passage.steps.insert(0, call);
        });
    }
    for at in 0..right.steps.len() {
        if let Event::Over(edge, id) = right.steps[at].event {
            refused("no such passage", &|it| {
                it.steps[at].event = Event::Over(edge, PassageId::new(99));
            });
            for other in right.passages.ids().filter(|other| *other != id) {
                refused("another passage", &|it| it.steps[at].event = Event::Over(edge, other));
            }
            refused("another result", &|it| {
                let var = program.n_shared();
                it.steps[at].after = flipped(&it.steps[at].after, var);
            });
        }
    }
}
