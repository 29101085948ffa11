//! The steps of a trace as one formula: shared variables in one copy, those of each of many threads in a copy for each.

use hardbop_base::{Budget, Exhausted};
use hardbop_cir::interp::{Ending, Turn, run};
use hardbop_cir::{CheckId, Program};
use hardbop_engine_c::Counterexample;
use hardbop_smt::{Answer, Solver, Term, TermId};
use rustc_hash::FxHashMap;

use crate::boolean::Move;
use crate::model::{Model, Var};
use crate::terms::replaced;

/// A variable as one thread sees it; the thread is left out of those that are shared.
pub type Name = (Option<usize>, Var);

pub fn name(model: &Model, thread: usize, var: Var) -> Name {
    (model.local_to(var).map(|_| thread), var)
}

/// A term of a step in terms of names: `of` says what each is. What is chosen in the step is chosen anew.
pub fn placed(
    model: &mut Model,
    term: TermId,
    thread: usize,
    of: &mut dyn FnMut(&mut Model, Name) -> TermId,
    chosen: &mut FxHashMap<TermId, TermId>,
) -> TermId {
    let mut with: FxHashMap<TermId, TermId> = FxHashMap::default();
    for it in model.terms.cone(&[term]) {
        if !matches!(model.terms.node(it), Term::Var(_)) {
            continue;
        }
        let new = match model.by_term.get(&it) {
            Some(&var) => {
                let name = name(model, thread, var);
                of(model, name)
            }
            None => match chosen.get(&it) {
                Some(&new) => new,
                None => {
                    let width = model.terms.width(it);
                    let new = model.terms.var("any", width);
                    chosen.insert(it, new);
                    new
                }
            },
        };
        with.insert(it, new);
    }
    replaced(&mut model.terms, term, &|it| with.get(&it).copied())
}

pub enum Outcome {
    /// The steps up to this one cannot all be taken.
    Impossible(usize),
    /// The values that it asks for.
    Possible(Vec<u128>),
}

/// Whether the steps can be taken one after the other.
pub fn simulate(model: &mut Model, moves: &[Move], budget: &Budget) -> Result<Outcome, Exhausted> {
    let mut now: FxHashMap<Name, TermId> = FxHashMap::default();
    let (mut guards, mut asked) = (Vec::new(), Vec::new());
    for it in moves {
        let mut chosen = FxHashMap::default();
        let mut of = |model: &mut Model, name: Name| {
            *now.entry(name).or_insert_with(|| {
                let width = model.vars[name.1].width;
                model.terms.var("before", width)
            })
        };
        let step = model.steps[it.step].clone();
        guards.push(placed(model, step.guard, it.thread, &mut of, &mut chosen));
        for &any in &step.asked {
            asked.push(placed(model, any, it.thread, &mut of, &mut chosen));
        }
        let mut after = Vec::new();
        for &(var, value) in &step.updates {
            let value = placed(model, value, it.thread, &mut of, &mut chosen);
            after.push((name(model, it.thread, var), value));
        }
        now.extend(after);
    }
    let mut solver = Solver::default();
    match solver.check(&mut model.terms, &guards, budget) {
        Answer::Sat => {
            let mut values = solver.evaluator(&model.terms);
            Ok(Outcome::Possible(asked.iter().map(|&it| values.value(it)).collect()))
        }
        Answer::Unsat(core) => {
            let last = guards.iter().rposition(|it| core.contains(it)).unwrap_or(0);
            // The shortest beginning that cannot be.
            let (mut low, mut high) = (0, last);
            while low < high {
                let middle = (low + high) / 2;
                match solver.check(&mut model.terms, &guards[..=middle], budget) {
                    Answer::Sat => low = middle + 1,
                    Answer::Unsat(_) => high = middle,
                    Answer::Unknown(limit) => return Err(limit),
                }
            }
            Ok(Outcome::Impossible(low))
        }
        Answer::Unknown(limit) => Err(limit),
    }
}

/// The run of the interpreter that a trace stands for, if it comes to the violation.
pub fn replay(
    original: &Program,
    model: &Model,
    moves: &[Move],
    numbers: &[u32],
    inputs: Vec<u128>,
    check: CheckId,
) -> Option<Counterexample> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut are_many = false;
    for it in moves {
        let step = &model.steps[it.step];
        let n_steps = if are_many { step.n_steps } else { step.n_steps - step.n_alone };
        are_many |= !step.starts.is_empty();
        let thread = *numbers.get(it.thread)?;
        match turns.last_mut() {
            _ if n_steps == 0 => {}
            Some(turn) if turn.thread == thread => turn.n_steps += n_steps,
            _ => turns.push(Turn { thread, n_steps }),
        }
    }
    let found = Counterexample { inputs, fixes_all: true, turns, ..Counterexample::default() };
    let shown = run(&found.program(original), &found.up_to(original, check));
    (shown.ending == Ending::Violation(check)).then_some(found)
}
