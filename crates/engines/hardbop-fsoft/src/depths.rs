//! Bounded model checking of the circuit, depth by depth (FS section IV-A): the circuit is copied
//! for each step, and at each depth a SAT solver is asked whether a check can fail there.
//!
//! The program counter is a number or a bit for each block ([`Encoding`]); F-SOFT adds the bits for
//! each block to the number, we put them in its place. Switches: its variables are decided before
//! the data; clauses name the predecessors of each block (implied, so only the search changes);
//! blocks that no path of this length leads to are taken out of the copy.
//!
//! Invariant kept: `state` is the state after `depth` steps as a function of the inputs so far, and
//! no check fails earlier, as the solver knows.

use hardbop_base::{Budget, Exhausted, Idx, IndexVec, Name};
use hardbop_cir::{BlockId, CheckId, VarId};
use hardbop_engine::Reason;
use hardbop_sat::{Aig, Cdcl, Copy, Encoder, Eval, Solver, Term, Unmapped};
use rustc_hash::FxHashMap;

use crate::circuit::Circuit;
use crate::options::{Encoding, Options};

/// The executions of the first steps.
pub struct Depths<'a> {
    circuit: &'a Circuit,
    options: &'a Options,
    budget: &'a Budget,
    aig: Aig,
    solver: Encoder<Cdcl>,
    /// Number of the step that is looked at.
    pub depth: u32,
    /// By word.
    state: Vec<Vec<Term>>,
    /// Bits of the number of the block; of no use with a bit for each block.
    number: Vec<Term>,
    /// Whether control is in a block.
    active: IndexVec<BlockId, Term>,
    /// Blocks that a path of this length leads to.
    possible: IndexVec<BlockId, bool>,
    /// Where control was before the last step.
    before: IndexVec<BlockId, Term>,
    predecessors: IndexVec<BlockId, Vec<BlockId>>,
    /// Numbers of the blocks; 0 says that the execution has ended.
    code: IndexVec<BlockId, usize>,
    /// What each step asked for, in order.
    asked: Vec<Asked>,
}

struct Asked {
    guard: Term,
    var: VarId,
    bits: Vec<Term>,
    is_input: bool,
}

/// What can go wrong at the depth that is looked at.
#[derive(Default)]
pub struct Wrong {
    pub fails: Vec<(CheckId, Term)>,
    pub given_up: Vec<((Name, BlockId), Term)>,
}

/// Values of the inputs of a violation, by register.
pub type Inputs = FxHashMap<VarId, Vec<u128>>;

impl<'a> Depths<'a> {
    pub fn new(circuit: &'a Circuit, options: &'a Options, budget: &'a Budget) -> Depths<'a> {
        let mut aig = Aig::default();
        let state = circuit.words.iter().map(|word| match word.first {
            Some(value) => {
                let bit = |at: usize| Term::constant(value >> at & 1 == 1);
                (0..word.bits.len()).map(bit).collect()
            }
            None => aig.inputs(word.bits.len()),
        });
        let state = state.collect();
        let n = circuit.blocks.len();
        let mut code = IndexVec::from_elem(0, n);
        let mut n_codes: usize = 1;
        let mut predecessors = IndexVec::from_elem(Vec::new(), n);
        for (id, block) in circuit.blocks.iter_enumerated().filter(|it| it.1.is_reached) {
            code[id] = n_codes;
            n_codes += 1;
            block.edges.iter().for_each(|(to, _): &(BlockId, Term)| {
                let list: &mut Vec<BlockId> = &mut predecessors[*to];
                list.push(id);
            });
        }
        let width = usize::BITS - n_codes.leading_zeros();
        let entry = code[BlockId::new(0)];
        let mut active = IndexVec::from_elem(Term::FALSE, n);
        active[BlockId::new(0)] = Term::TRUE;
        let mut possible = IndexVec::from_elem(false, n);
        possible[BlockId::new(0)] = true;
        Depths {
            circuit,
            options,
            budget,
            aig,
            solver: Encoder::new(Cdcl::new(budget)),
            depth: 0,
            state,
            number: (0..width).map(|at| Term::constant(entry >> at & 1 == 1)).collect(),
            before: IndexVec::from_elem(Term::FALSE, n),
            active,
            possible,
            predecessors,
            code,
            asked: Vec::new(),
        }
    }

    /// Whether no path is as long as the steps taken.
    pub fn is_over(&self) -> bool {
        let is_open = |id| self.possible[id] && self.active[id] != Term::FALSE;
        !self.active.ids().any(is_open)
    }

    /// Takes one step. What could go wrong in it is given back; the state is that after it.
    pub fn step(&mut self) -> Result<Wrong, Exhausted> {
        self.budget.check()?;
        let circuit = self.circuit;
        let mut copy = Copy::new(Unmapped::Fresh);
        for (word, bits) in circuit.words.iter().zip(&self.state) {
            word.bits.iter().zip(bits).for_each(|(&from, &to)| copy.map(from, to));
        }
        let mut wrong = Wrong::default();
        let mut state = self.state.clone();
        let mut edges: Vec<(BlockId, Term)> = Vec::new();
        for (id, block) in circuit.blocks.iter_enumerated() {
            let here = self.active[id];
            if here == Term::FALSE {
                continue;
            }
            let mut at = |aig: &mut Aig, cond: Term| {
                let cond = copy.import(&circuit.aig, aig, cond);
                aig.and(here, cond)
            };
            for (check, cond) in &block.fails {
                wrong.fails.push((*check, at(&mut self.aig, *cond)));
            }
            for (why, cond) in &block.given_up {
                wrong.given_up.push(((why.clone(), id), at(&mut self.aig, *cond)));
            }
            for (to, guard) in &block.edges {
                edges.push((*to, at(&mut self.aig, *guard)));
            }
            for input in &block.inputs {
                let guard = at(&mut self.aig, input.guard);
                self.asked.push(Asked {
                    guard,
                    var: input.var,
                    bits: input.bits.clone(),
                    is_input: input.is_input,
                });
            }
            for (word, bits) in &block.updates {
                for (old, &new) in state[*word].iter_mut().zip(bits) {
                    let new = copy.import(&circuit.aig, &mut self.aig, new);
                    *old = self.aig.ite(here, new, *old);
                }
            }
            let asked = self.asked.len() - block.inputs.len();
            for input in &mut self.asked[asked..] {
                for bit in &mut input.bits {
                    *bit = copy.import(&circuit.aig, &mut self.aig, *bit);
                }
            }
        }
        self.state = state;
        self.move_control(&edges);
        self.depth += 1;
        Ok(wrong)
    }

    /// The program counter after the step.
    fn move_control(&mut self, edges: &[(BlockId, Term)]) {
        let n = self.active.len();
        let mut targets: IndexVec<BlockId, Vec<Term>> = IndexVec::from_elem(Vec::new(), n);
        edges.iter().for_each(|(to, cond)| targets[*to].push(*cond));
        let mut active = IndexVec::from_elem(Term::FALSE, n);
        match self.options.encoding {
            Encoding::OneHot => {
                for (id, conds) in targets.iter_enumerated() {
                    let here = self.aig.any(conds);
                    active[id] = match self.circuit.blocks[id].is_reached {
                        true => self.counter_bit(here),
                        false => Term::FALSE,
                    };
                }
            }
            Encoding::Binary => {
                for at in 0..self.number.len() {
                    let set = edges.iter().filter(|it| self.code[it.0] >> at & 1 == 1);
                    let set: Vec<Term> = set.map(|it| it.1).collect();
                    let bit = self.aig.any(&set);
                    self.number[at] = self.counter_bit(bit);
                }
                for (id, conds) in targets.iter_enumerated() {
                    if self.circuit.blocks[id].is_reached
                        && (!self.options.reachability || !conds.is_empty())
                    {
                        active[id] = self.is_number(self.code[id]);
                    }
                }
            }
        }
        let mut possible = IndexVec::from_elem(false, n);
        for (from, _) in self.possible.iter_enumerated().filter(|it| *it.1) {
            let edges = &self.circuit.blocks[from].edges;
            edges.iter().for_each(|(to, _)| possible[*to] = true);
        }
        self.possible = possible;
        self.before = std::mem::replace(&mut self.active, active);
    }

    /// Without the switch a bit of the program counter is a variable of its own, so that the copy is
    /// not simplified by where control can be; the solver is told what it stands for.
    fn counter_bit(&mut self, value: Term) -> Term {
        if self.options.reachability {
            return value;
        }
        let variable = self.aig.input();
        let same = self.aig.iff(variable, value);
        self.solver.assert(&self.aig, same);
        variable
    }

    fn is_number(&mut self, code: usize) -> Term {
        let bits: Vec<Term> =
            (0..).zip(&self.number).map(|(at, &bit)| bit.negated_if(code >> at & 1 == 0)).collect();
        self.aig.all(&bits)
    }

    /// Tells the solver what the switches ask for, about the step that was taken.
    fn advise(&mut self) {
        if self.options.predecessors {
            for (id, &here) in self.active.iter_enumerated() {
                if here == Term::FALSE {
                    continue;
                }
                let mut clause = vec![!self.solver.lit(&self.aig, here)];
                for &from in &self.predecessors[id] {
                    clause.push(self.solver.lit(&self.aig, self.before[from]));
                }
                self.solver.solver.add_clause(&clause);
            }
        }
        if self.options.pc_first {
            let bits: Vec<Term> = match self.options.encoding {
                Encoding::Binary => self.number.clone(),
                Encoding::OneHot => self.active.iter().copied().collect(),
            };
            for bit in bits.into_iter().filter(|it| it.as_constant().is_none()) {
                let literal = self.solver.lit(&self.aig, bit);
                self.solver.solver.decide_first(literal.var());
            }
        }
    }

    /// Whether one of the conditions can hold; if none can, the solver remembers.
    pub fn is_possible(&mut self, conds: &[Term]) -> Result<bool, Exhausted> {
        let any = self.aig.any(conds);
        if any == Term::FALSE {
            return Ok(false);
        }
        let literal = self.solver.lit(&self.aig, any);
        self.advise();
        let answer = self.solver.solver.solve(&[literal])?;
        if !answer {
            self.solver.solver.add_clause(&[!literal]);
        }
        Ok(answer)
    }

    /// Whether some execution goes on after the steps taken.
    pub fn goes_on(&mut self) -> Result<bool, Exhausted> {
        let active: Vec<Term> = self.active.iter().copied().collect();
        self.is_possible(&active)
    }

    /// Those whose condition holds in the model of the last question, which was whether any does.
    /// Soundness: a model in which none holds is none.
    pub fn holding<'c, T>(&self, conds: &'c [(T, Term)]) -> Result<Vec<&'c T>, Reason> {
        let mut eval = self.model();
        let held = conds.iter().filter(|it| eval.value(&self.aig, it.1)).map(|it| &it.0);
        let held: Vec<&T> = held.collect();
        if held.is_empty() { Err(Reason::not_a_model()) } else { Ok(held) }
    }

    /// The values asked for in the last model, in the order of execution for each `origin` of a
    /// register; only those of inputs, or all arbitrary ones.
    pub fn inputs(&self, all: bool, origin: &FxHashMap<VarId, VarId>) -> Inputs {
        let mut eval = self.model();
        let mut inputs = Inputs::default();
        for asked in self.asked.iter().filter(|it| it.is_input || all) {
            if eval.value(&self.aig, asked.guard) {
                let bits = (0..).zip(&asked.bits);
                let value = bits.fold(0, |value, (at, &bit)| {
                    value | u128::from(eval.value(&self.aig, bit)) << at
                });
                inputs.entry(origin[&asked.var]).or_default().push(value);
            }
        }
        inputs
    }

    fn model(&self) -> Eval {
        let mut eval = Eval::new();
        for node in 0..self.aig.n_nodes() as u32 {
            let input = Term::of_node(node);
            if self.aig.is_input(input) && self.solver.known(input).is_some() {
                eval.set(input, self.solver.input_value(input));
            }
        }
        eval
    }

    pub fn n_conflicts(&self) -> u64 {
        self.solver.solver.n_conflicts()
    }
}
