//! Questions about single flows, one incremental solver for each cutpoint.
//!
//! The solver of a cutpoint holds the flows out of it, the lemmas of the cutpoint, of the contexts
//! of its procedure and, for its calls, of the callees' exits. A lemma of level k is switched on by
//! an *activation* literal of that level, so the assumptions of a question pick the frame.

use hardbop_base::{Budget, Exhausted, IndexVec};
use hardbop_cfg::ProcId;
use hardbop_sat::aig::Node;
use hardbop_sat::{Aig, Batsat, Encoder, Lit, Model, Solver, Term};
use rustc_hash::FxHashMap;

use super::cube::{Cube, Var};
use super::cuts::{CutId, Cuts, Flow, FlowId};
use super::frames::Fact;
use crate::sat::sim::Sim;
use crate::sat::state::WayId;

/// What a question got.
pub enum Answer {
    /// No, because of these literals.
    Blocked(Cube),
    /// Yes, with values of all variables that are involved.
    Open(Model),
}

/// Which summary of a callee to take.
#[derive(Clone, Copy, Debug)]
pub enum Through<'f> {
    /// From above, of this level.
    Lemmas(usize),
    /// From below.
    Facts(&'f [Fact]),
}

pub struct Solvers {
    budget: Budget,
    sources: IndexVec<CutId, Source>,
    /// For the starts of procedures, where nothing is known.
    bare: Source,
    n_calls: u64,
}

struct Source {
    encoder: Encoder<Batsat>,
    /// Activation literals by level.
    states: Vec<Lit>,
    contexts: Vec<Lit>,
    exits: FxHashMap<FlowId, Vec<Lit>>,
    /// That one of so many facts applies.
    facts: FxHashMap<FlowId, (usize, Lit)>,
}

impl Source {
    fn new(budget: &Budget) -> Self {
        Source {
            encoder: Encoder::new(Batsat::new(budget)),
            states: Vec::new(),
            contexts: Vec::new(),
            exits: FxHashMap::default(),
            facts: FxHashMap::default(),
        }
    }

    /// Forbids a conjunction while the activation literal is assumed.
    fn forbid(&mut self, aig: &Aig, terms: &[Term], activation: Lit) {
        let mut clause: Vec<Lit> = terms.iter().map(|&it| !self.encoder.lit(aig, it)).collect();
        clause.push(!activation);
        self.encoder.solver.add_clause(&clause);
    }
}

/// The activation literal of a level.
fn activation(encoder: &mut Encoder<Batsat>, levels: &mut Vec<Lit>, level: usize) -> Lit {
    while levels.len() <= level {
        levels.push(encoder.solver.new_var());
    }
    levels[level]
}

impl Solvers {
    pub fn new(cuts: &Cuts, budget: &Budget) -> Self {
        Solvers {
            budget: budget.clone(),
            sources: cuts.cuts.iter().map(|_| Source::new(budget)).collect(),
            bare: Source::new(budget),
            n_calls: 0,
        }
    }

    pub fn n_calls(&self) -> u64 {
        self.n_calls
    }

    /// A lemma of a cutpoint; at an exit its callers must know.
    pub fn add_lemma(&mut self, sim: &Sim<'_>, cuts: &Cuts, at: CutId, cube: &Cube, level: usize) {
        let cut = &cuts.cuts[at];
        let proc = cut.at.proc;
        let source = &mut self.sources[at];
        let active = activation(&mut source.encoder, &mut source.states, level);
        let terms = terms(cube, |var| cuts.term(sim, proc, cut.start, var));
        source.forbid(&sim.aig, &terms, active);
        if cuts.scope(proc).exit != Some(at) {
            return;
        }
        for &id in &cuts.scope(proc).called_by {
            let Flow { from: Some(from), call: Some(call), .. } = &cuts.flows[id] else {
                unreachable!("a call comes from a cutpoint")
            };
            let source = &mut self.sources[*from];
            let levels = source.exits.entry(id).or_default();
            let active = activation(&mut source.encoder, levels, level);
            let terms = self::terms(cube, |var| call.term(var));
            source.forbid(&sim.aig, &terms, active);
        }
    }

    /// A lemma on the contexts of a procedure.
    pub fn add_context(
        &mut self,
        sim: &Sim<'_>,
        cuts: &Cuts,
        proc: ProcId,
        cube: &Cube,
        level: usize,
    ) {
        let entry = cuts.scope(proc).entry;
        let terms = terms(cube, |var| cuts.term(sim, proc, entry, var));
        for (id, cut) in cuts.cuts.iter_enumerated() {
            if cut.at.proc == proc {
                let source = &mut self.sources[id];
                let active = activation(&mut source.encoder, &mut source.contexts, level);
                source.forbid(&sim.aig, &terms, active);
            }
        }
    }

    /// Whether a flow can lead into a cube of its target, coming from a frame of this level.
    pub fn ask_flow(
        &mut self,
        sim: &mut Sim<'_>,
        cuts: &Cuts,
        id: FlowId,
        level: usize,
        through: Through<'_>,
        cube: &Cube,
    ) -> Result<Answer, Exhausted> {
        let flow = &cuts.flows[id];
        let guard = sim.arena.states[flow.after].guard;
        let wanted = terms(cube, |var| cuts.term(sim, flow.proc, flow.after, var));
        let Some(from) = flow.from else {
            return self.ask(sim, None, Vec::new(), guard, cube, &wanted, &[]);
        };
        let source = &mut self.sources[from];
        let mut frame: Vec<Lit> = source.states.iter().skip(level).copied().collect();
        let mut involved = Vec::new();
        if let Some(call) = &flow.call {
            match through {
                Through::Lemmas(level) => {
                    let levels = source.exits.get(&id).into_iter().flatten();
                    frame.extend(levels.skip(level));
                }
                Through::Facts(facts) => frame.push(source.one_of(sim, cuts, id, facts)),
            }
            involved.extend(&call.passed);
            involved.extend(call.left.iter().map(|&(_, left)| left));
        }
        let mut retired = None;
        if flow.is_counted && from == flow.to {
            // What stays outside the cube in one round need not be shown to: relative induction.
            let here = terms(cube, |var| cuts.term(sim, flow.proc, cuts.cuts[from].start, var));
            let active = source.encoder.solver.new_var();
            source.forbid(&sim.aig, &here, active);
            frame.push(active);
            retired = Some(active);
        }
        let answer = self.ask(sim, Some((cuts, from)), frame, guard, cube, &wanted, &involved);
        if let Some(active) = retired {
            self.sources[from].encoder.solver.add_clause(&[!active]);
        }
        answer
    }

    /// Whether a call can enter its callee with values of a cube, in a context of the caller.
    pub fn ask_call(
        &mut self,
        sim: &mut Sim<'_>,
        cuts: &Cuts,
        id: FlowId,
        level: usize,
        context_level: usize,
        cube: &Cube,
    ) -> Result<Answer, Exhausted> {
        let Flow { from: Some(from), call: Some(call), .. } = &cuts.flows[id] else {
            unreachable!("a call comes from a cutpoint")
        };
        let wanted = terms(cube, |var| call.term(var));
        let frame = self.frame(*from, level, context_level);
        let guard = sim.arena.states[cuts.cuts[*from].start].guard;
        self.ask(sim, Some((cuts, *from)), frame, guard, cube, &wanted, &call.passed)
    }

    /// Whether a way can be taken from a cutpoint, in a context.
    pub fn ask_way(
        &mut self,
        sim: &mut Sim<'_>,
        cuts: &Cuts,
        from: CutId,
        way: WayId,
        level: usize,
    ) -> Result<Answer, Exhausted> {
        let frame = self.frame(from, level, level);
        let guard = sim.arena.ways[way].guard;
        self.ask(sim, Some((cuts, from)), frame, guard, &Vec::new(), &[], &[])
    }

    /// Whether the program can start with values of a cube.
    pub fn ask_start(
        &mut self,
        sim: &mut Sim<'_>,
        cuts: &Cuts,
        cube: &Cube,
    ) -> Result<Answer, Exhausted> {
        let main = sim.facts.program.main;
        let initial = sim.initial();
        let entry = cuts.scope(main).entry;
        let wanted = terms(cube, |var| cuts.term(sim, main, entry, var));
        self.ask(sim, None, Vec::new(), initial, cube, &wanted, &[])
    }

    fn frame(&self, from: CutId, level: usize, context_level: usize) -> Vec<Lit> {
        let source = &self.sources[from];
        let states = source.states.iter().skip(level);
        states.chain(source.contexts.iter().skip(context_level)).copied().collect()
    }

    /// `cube` and `wanted` are the same literals; a core is given in those of the cube. The model
    /// has the variables of all terms, and of the cutpoint.
    #[allow(clippy::too_many_arguments)]
    fn ask(
        &mut self,
        sim: &Sim<'_>,
        from: Option<(&Cuts, CutId)>,
        frame: Vec<Lit>,
        guard: Term,
        cube: &Cube,
        wanted: &[Term],
        involved: &[Term],
    ) -> Result<Answer, Exhausted> {
        self.budget.check()?;
        if guard == Term::FALSE {
            return Ok(Answer::Blocked(Vec::new()));
        }
        if let Some(at) = wanted.iter().position(|&term| term == Term::FALSE) {
            return Ok(Answer::Blocked(vec![cube[at]]));
        }
        self.n_calls += 1; // stats
        let source = match from {
            Some((_, from)) => &mut self.sources[from],
            None => &mut self.bare,
        };
        let mut assumptions = frame;
        assumptions.push(source.encoder.lit(&sim.aig, guard));
        let literals: Vec<Lit> =
            wanted.iter().map(|&term| source.encoder.lit(&sim.aig, term)).collect();
        assumptions.extend(&literals);
        let mut known = vec![guard];
        known.extend(wanted.iter().chain(involved));
        if let Some((cuts, from)) = from {
            known.extend(sim.arena.states[cuts.cuts[from].start].values.iter());
            let scope = cuts.scope(cuts.cuts[from].at.proc);
            known.extend(sim.arena.states[scope.entry].values.iter());
        }
        for &term in &known {
            source.encoder.lit(&sim.aig, term);
        }
        if !source.encoder.solver.solve(&assumptions)? {
            let core = source.encoder.solver.core();
            let in_core = |&at: &usize| core.contains(&literals[at]);
            return Ok(Answer::Blocked(
                (0..cube.len()).filter(in_core).map(|at| cube[at]).collect(),
            ));
        }
        let mut model = Model::default();
        for node in sim.aig.cone(&known) {
            if sim.aig.node(node) == Node::Input {
                let input = Term::of_node(node);
                model.set(input, source.encoder.input_value(input));
            }
        }
        Ok(Answer::Open(model))
    }
}

impl Source {
    /// A literal that says that some fact about the callee applies to a call.
    fn one_of(&mut self, sim: &mut Sim<'_>, cuts: &Cuts, id: FlowId, facts: &[Fact]) -> Lit {
        if let Some(&(n, known)) = self.facts.get(&id)
            && n == facts.len()
        {
            return known;
        }
        let call = cuts.flows[id].call.as_ref().expect("facts are about calls");
        let one_of = self.encoder.solver.new_var();
        let mut clause = vec![!one_of];
        for fact in facts {
            let holds = sim.aig.all(&terms(&fact.cube, |var| call.term(var)));
            clause.push(self.encoder.lit(&sim.aig, holds));
        }
        self.encoder.solver.add_clause(&clause);
        self.facts.insert(id, (facts.len(), one_of));
        one_of
    }
}

/// The literals of a cube as terms.
pub fn terms(cube: &Cube, term: impl Fn(Var) -> Term) -> Vec<Term> {
    cube.iter().map(|&(var, value)| term(var).negated_if(!value)).collect()
}
