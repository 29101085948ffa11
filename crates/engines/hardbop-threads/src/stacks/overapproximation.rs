//! Visible states without memory of stacks: more than there are.
//!
//! **Computes** a set Z of visible states that contains every reachable one. A thread is its top alone; a return may uncover every
//! symbol that some call has put below another one and that fits the value handed down (the context-insensitive
//! overapproximation of CUBA, section 4 of the paper named in [`converge`](crate::stacks::converge)). If no goal is in Z,
//! there is none. Else the members of Z in which a return ends are what convergence is judged by.

use hardbop_base::Exhausted;
use hardbop_base::budget::Meter;
use rustc_hash::FxHashSet;

use crate::stacks::system::{Control, Shared, Step, Symbol, System, Value, Visible};

/// More visible states than these are not looked at.
const MOST_STATES: usize = 200_000;

/// What is known of Z.
#[derive(Debug)]
pub struct Overapproximation {
    /// The members that are the result of a return.
    pub returns: FxHashSet<Visible>,
    pub reaches_goal: bool,
    /// All members.
    pub seen: FxHashSet<Visible>,
}

struct Exploration {
    seen: FxHashSet<Visible>,
    todo: Vec<Visible>,
    returns: FxHashSet<Visible>,
    /// Symbols that calls have put below others.
    below: Vec<Symbol>,
    waiting: Vec<Waiting>,
    known: FxHashSet<Waiting>,
}

/// A return that has still to know what it uncovers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Waiting {
    control: Control,
    value: Value,
    others: Vec<Symbol>,
}

/// Z, or nothing if it is too large, or threads were not started that might have been.
pub fn overapproximate<S: System>(
    system: &mut S,
    meter: &mut Meter<'_>,
) -> Result<Option<Overapproximation>, Exhausted> {
    let mut it = Exploration {
        seen: FxHashSet::default(),
        todo: Vec::new(),
        returns: FxHashSet::default(),
        below: Vec::new(),
        waiting: Vec::new(),
        known: FxHashSet::default(),
    };
    for initial in system.initial(meter)? {
        let tops = initial.stacks.iter().map(|stack| stack[0]).collect();
        it.meet(Visible::new(initial.shared, None, tops));
        for symbol in initial.stacks.iter().flat_map(|stack| &stack[1..]) {
            it.emerge(system, *symbol);
        }
    }
    let target = system.target();
    let mut reaches_goal = false;
    while let Some(state) = it.todo.pop() {
        meter.tick()?;
        if it.seen.len() > MOST_STATES || it.waiting.len() > MOST_STATES {
            return Ok(None);
        }
        reaches_goal |= target.as_ref().is_some_and(|(target, _)| *target == state);
        reaches_goal |=
            state.tops.iter().chain(&state.holder).any(|&top| system.goal_at(top).is_some());
        let n_alive = state.tops.len() + usize::from(state.holder.is_some());
        let mut last = None;
        for (control, top, others) in movers(&state) {
            if last.replace(top) == Some(top) {
                continue;
            }
            for step in system.steps(control, top, n_alive, meter)?.iter() {
                match step {
                    Step::Goal(_) => reaches_goal = true,
                    Step::Cut => return Ok(None),
                    _ => it.follow(system, step, &others),
                }
            }
        }
    }
    let Exploration { seen, returns, .. } = it;
    Ok(Some(Overapproximation { returns, reaches_goal, seen }))
}

/// Those who can move, each with the tops of the others.
fn movers(state: &Visible) -> Vec<(Control, Symbol, Vec<Symbol>)> {
    let control = Control { shared: state.shared, held: state.holder.is_some() };
    if let Some(holder) = state.holder {
        return vec![(control, holder, state.tops.clone())];
    }
    let others = |at: usize| {
        let mut others = state.tops.clone();
        others.remove(at);
        others
    };
    state.tops.iter().enumerate().map(|(at, &top)| (control, top, others(at))).collect()
}

/// The visible state after the mover has come to `top`.
fn arrived(control: Control, top: Symbol, others: &[Symbol]) -> Visible {
    let mut tops = others.to_vec();
    if control.held {
        return Visible::new(control.shared, Some(top), tops);
    }
    tops.push(top);
    Visible::new(control.shared, None, tops)
}

impl Exploration {
    fn meet(&mut self, state: Visible) {
        if self.seen.insert(state.clone()) {
            self.todo.push(state);
        }
    }

    fn follow<S: System>(&mut self, system: &mut S, step: &Step<S::Goal>, others: &[Symbol]) {
        match *step {
            Step::Go(control, top) => self.meet(arrived(control, top, others)),
            Step::Call { to, top, below } => {
                self.meet(arrived(to, top, others));
                self.emerge(system, below);
            }
            Step::Return(control, value) => {
                let waiting = Waiting { control, value, others: others.to_vec() };
                if self.known.insert(waiting.clone()) {
                    for at in 0..self.below.len() {
                        self.resume(system, &waiting, self.below[at]);
                    }
                    if system.may_be_last(value) {
                        self.returned(gone(control.shared, others));
                    }
                    self.waiting.push(waiting);
                }
            }
            Step::End(shared) => self.meet(gone(shared, others)),
            Step::Start { to, top, started } => {
                let mut others = others.to_vec();
                others.push(started);
                self.meet(arrived(to, top, &others));
            }
            Step::Cut | Step::Goal(_) => {}
        }
    }

    fn emerge<S: System>(&mut self, system: &mut S, symbol: Symbol) {
        if self.below.contains(&symbol) {
            return;
        }
        self.below.push(symbol);
        for at in 0..self.waiting.len() {
            let waiting = self.waiting[at].clone();
            self.resume(system, &waiting, symbol);
        }
    }

    fn resume<S: System>(&mut self, system: &mut S, waiting: &Waiting, below: Symbol) {
        let Waiting { control: Control { shared, held }, value, ref others } = *waiting;
        if let Some((shared, top)) = system.resume(shared, value, below) {
            self.returned(arrived(Control { shared, held }, top, others));
        }
    }

    fn returned(&mut self, state: Visible) {
        self.returns.insert(state.clone());
        self.meet(state);
    }
}

fn gone(shared: Shared, others: &[Symbol]) -> Visible {
    Visible::new(shared, None, others.to_vec())
}
