//! One context: everything one thread can do while the others stand still.
//!
//! **Computes** the stacks the thread can have, one regular set for each shared state, by saturation of an automaton
//! (A. Bouajjani, J. Esparza, O. Maler, "Reachability analysis of pushdown automata", CONCUR 1997; S. Schwoon, "Model-checking
//! pushdown systems", 2002, post*). A configuration is accepted if its stack is, read from the top, beginning in the node of
//! what it has besides the stack. A step `(p, γ) → (p', γ')` adds a transition of `p'` for each of `p` with `γ`; a call adds
//! a node between its two symbols; a return makes `p'` do what the node behind the top does.
//!
//! **Departures.** Returns hand values down, so what becomes of the symbol below depends on it. Threads that are started
//! stand still, too: they are part of the node. A thread that ends is gone with its stack.
//!
//! **Invariant.** From every node acceptance can be reached, so the top of every transition of a control node is the top of a
//! reachable stack: a goal met on the way is reached.

use hardbop_base::Exhausted;
use hardbop_base::budget::Meter;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::stacks::language::{Language, Languages, Nfa};
use crate::stacks::system::{Control, Shared, Step, Symbol, System, Value};

/// What one context can lead to.
#[derive(Debug)]
pub struct Context<G> {
    pub outcomes: Vec<Outcome>,
    /// A goal that is reached. The outcomes are not complete then.
    pub goal: Option<G>,
    /// Whether a thread was not started because there would be too many.
    pub is_cut: bool,
}

/// A set of configurations in which the context may end, or where the thread is inside an atomic section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    pub control: Control,
    /// The stacks of the thread; `None` if it is gone.
    pub own: Option<Language>,
    /// The threads that were started, sorted; each has this symbol alone on its stack.
    pub started: Vec<Symbol>,
}

/// What the thread has besides its stack.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Beside {
    control: Control,
    started: Vec<Symbol>,
}

struct Saturation<'a, 'm, S: System> {
    system: &'a mut S,
    meter: &'a mut Meter<'m>,
    /// Threads alive in the beginning, the running one included.
    n_alive: usize,
    nfa: Nfa,
    transitions: FxHashSet<(usize, Symbol, usize)>,
    controls: FxHashMap<Beside, usize>,
    beside: FxHashMap<usize, Beside>,
    /// The nodes between the two symbols of a call, by where the call leads and its top.
    between: FxHashMap<(usize, Symbol), usize>,
    /// The returns that uncover a node.
    returned: FxHashMap<usize, Vec<(usize, Value)>>,
    todo: Vec<(usize, Symbol, usize)>,
    gone: FxHashSet<(Shared, Vec<Symbol>)>,
    goal: Option<S::Goal>,
    is_cut: bool,
}

/// The context of a thread whose stack is one of these.
pub fn context<S: System>(
    system: &mut S,
    languages: &mut Languages,
    shared: Shared,
    n_alive: usize,
    stacks: Language,
    meter: &mut Meter<'_>,
) -> Result<Context<S::Goal>, Exhausted> {
    let automaton = languages.automaton(stacks);
    let mut it = Saturation {
        system,
        meter,
        n_alive,
        nfa: Nfa::default(),
        transitions: FxHashSet::default(),
        controls: FxHashMap::default(),
        beside: FxHashMap::default(),
        between: FxHashMap::default(),
        returned: FxHashMap::default(),
        todo: Vec::new(),
        gone: FxHashSet::default(),
        goal: None,
        is_cut: false,
    };
    for state in automaton.iter() {
        it.nfa.push(state.accepts);
    }
    for (from, state) in automaton.iter().enumerate() {
        for &(symbol, to) in &state.next {
            it.add(from, symbol, to);
        }
    }
    let control = Control { shared, held: false };
    let start = it.control(Beside { control, started: Vec::new() });
    for &(symbol, to) in &automaton[0].next {
        it.add(start, symbol, to);
    }
    while let Some((from, top, node)) = it.todo.pop() {
        it.meter.tick()?;
        it.visit(from, top, node)?;
        if it.goal.is_some() {
            break;
        }
    }
    it.outcomes(languages)
}

impl<S: System> Saturation<'_, '_, S> {
    fn control(&mut self, beside: Beside) -> usize {
        if let Some(&known) = self.controls.get(&beside) {
            return known;
        }
        let node = self.nfa.push(false);
        self.controls.insert(beside.clone(), node);
        self.beside.insert(node, beside);
        node
    }

    fn add(&mut self, from: usize, symbol: Symbol, to: usize) {
        if !self.transitions.insert((from, symbol, to)) {
            return;
        }
        self.nfa.next[from].push((symbol, to));
        if self.beside.contains_key(&from) {
            self.todo.push((from, symbol, to));
        }
        for (control, value) in self.returned.get(&from).cloned().unwrap_or_default() {
            self.resume(control, value, symbol, to);
        }
    }

    /// All steps of the stacks with this top and what `node` accepts below it.
    fn visit(&mut self, from: usize, top: Symbol, node: usize) -> Result<(), Exhausted> {
        let Beside { control, started } = self.beside[&from].clone();
        let n_alive = self.n_alive + started.len();
        self.goal = self.system.goal_at(top);
        for step in self.system.steps(control, top, n_alive, self.meter)?.iter() {
            let started = started.clone();
            match *step {
                Step::Go(control, top) => {
                    let to = self.control(Beside { control, started });
                    self.add(to, top, node);
                }
                Step::Call { to: control, top, below } => {
                    let to = self.control(Beside { control, started });
                    let between = match self.between.get(&(to, top)) {
                        Some(&known) => known,
                        None => {
                            let fresh = self.nfa.push(false);
                            self.between.insert((to, top), fresh);
                            fresh
                        }
                    };
                    self.add(between, below, node);
                    self.add(to, top, between);
                }
                Step::Return(control, value) => {
                    let to = self.control(Beside { control, started: started.clone() });
                    let returned = self.returned.entry(node).or_default();
                    if returned.contains(&(to, value)) {
                        continue;
                    }
                    returned.push((to, value));
                    for (below, next) in self.nfa.next[node].clone() {
                        self.resume(to, value, below, next);
                    }
                    if self.nfa.accepts[node] {
                        self.gone.insert((control.shared, started));
                    }
                }
                Step::End(shared) => {
                    self.gone.insert((shared, started));
                }
                Step::Start { to: control, top, started: new } => {
                    if self.goal.is_none() {
                        self.goal = self.system.goal_at(new);
                    }
                    let mut started = started;
                    started.push(new);
                    started.sort_unstable();
                    let to = self.control(Beside { control, started });
                    self.add(to, top, node);
                }
                Step::Cut => self.is_cut = true,
                Step::Goal(ref goal) => self.goal = Some(goal.clone()),
            }
        }
        Ok(())
    }

    /// The return with this value that the control node stands for uncovers `below`.
    fn resume(&mut self, control: usize, value: Value, below: Symbol, node: usize) {
        let Beside { control: Control { shared, held }, started } = self.beside[&control].clone();
        if let Some((shared, top)) = self.system.resume(shared, value, below) {
            let to = self.control(Beside { control: Control { shared, held }, started });
            self.add(to, top, node);
        }
    }

    fn outcomes(self, languages: &mut Languages) -> Result<Context<S::Goal>, Exhausted> {
        let Saturation { nfa, beside, gone, goal, is_cut, meter, .. } = self;
        let mut outcomes = Vec::new();
        if goal.is_none() {
            let mut controls: Vec<_> = beside.into_iter().collect();
            controls.sort_unstable_by_key(|&(node, _)| node);
            for (node, Beside { control, started }) in controls {
                // A node that only returns have come to has no stack.
                if !nfa.next[node].is_empty() {
                    let own = Some(languages.of(&nfa, node, meter)?);
                    outcomes.push(Outcome { control, own, started });
                }
            }
            let mut gone: Vec<_> = gone.into_iter().collect();
            gone.sort_unstable();
            outcomes.extend(gone.into_iter().map(|(shared, started)| {
                let control = Control { shared, held: false };
                Outcome { control, own: None, started }
            }));
        }
        Ok(Context { outcomes, goal, is_cut })
    }
}
