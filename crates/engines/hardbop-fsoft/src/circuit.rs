//! The transition system in bits: for each block the functions that give the next state.

use hardbop_base::{Bits, Budget, Exhausted, IndexVec, Name};
use hardbop_cir::{BlockId, CheckId, VarId};
use hardbop_sat::{Aig, Term};
use hardbop_smt::{Blaster, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::groups::groups;
use crate::model::{BlockStep, System};

pub struct Circuit {
    pub aig: Aig,
    pub words: Vec<WordBits>,
    pub blocks: IndexVec<BlockId, BlockCircuit>,
    /// Which variable and bit of it an input of the graph is; those of words included.
    pub owner: FxHashMap<u32, (TermId, u32)>,
    /// By variable: the group of those whose bits meet bit by bit, by its first member.
    pub group: FxHashMap<TermId, TermId>,
}

pub struct WordBits {
    pub bits: Vec<Term>,
    pub first: Option<u128>,
    pub register: Option<VarId>,
}

#[derive(Default)]
pub struct BlockCircuit {
    pub is_reached: bool,
    pub updates: Vec<(usize, Vec<Term>)>,
    pub edges: Vec<(BlockId, Term)>,
    pub fails: Vec<(CheckId, Term)>,
    pub given_up: Vec<(Name, Term)>,
    pub inputs: Vec<InputBits>,
    pub live: Bits,
}

/// An arbitrary value a block asks for.
pub struct InputBits {
    pub guard: Term,
    pub var: VarId,
    pub bits: Vec<Term>,
    pub is_input: bool,
}

impl Circuit {
    pub fn of(system: &System, budget: &Budget) -> Result<Circuit, Exhausted> {
        let mut builder = Builder { terms: &system.terms, blaster: Blaster::default(), budget };
        let mut words = Vec::new();
        for word in &system.words {
            let bits = builder.bits(word.var)?;
            words.push(WordBits { bits, first: word.first, register: word.register });
        }
        let mut blocks = IndexVec::new();
        for step in &system.blocks {
            blocks.push(builder.block(step)?);
        }
        let mut owner = FxHashMap::default();
        for &(_, term) in builder.blaster.vars() {
            for (at, bit) in (0..).zip(builder.blaster.bits(&system.terms, term)) {
                owner.insert(bit.node(), (term, at));
            }
        }
        Ok(Circuit { aig: builder.blaster.aig, words, blocks, owner, group: groups(system) })
    }

    pub fn n_bits(&self) -> usize {
        self.words.iter().map(|it| it.bits.len()).sum()
    }

    /// Blocks some step may be in.
    pub fn n_blocks(&self) -> usize {
        self.blocks.iter().filter(|it| it.is_reached).count()
    }
}

/// Terms between two looks at the clock.
const TERMS_PER_CHECK: u32 = 256;

struct Builder<'a> {
    terms: &'a Terms,
    blaster: Blaster,
    budget: &'a Budget,
}

impl Builder<'_> {
    fn bits(&mut self, term: TermId) -> Result<Vec<Term>, Exhausted> {
        let mut meter = self.budget.meter(TERMS_PER_CHECK);
        self.blaster.blast(self.terms, term, &mut meter)?;
        Ok(self.blaster.bits(self.terms, term).to_vec())
    }

    fn bit(&mut self, term: TermId) -> Result<Term, Exhausted> {
        Ok(self.bits(term)?[0])
    }

    fn block(&mut self, step: &BlockStep) -> Result<BlockCircuit, Exhausted> {
        let mut circuit = BlockCircuit {
            is_reached: step.is_reached,
            live: step.live.clone(),
            ..BlockCircuit::default()
        };
        for &(word, value) in &step.updates {
            circuit.updates.push((word, self.bits(value)?));
        }
        for &(to, guard) in &step.edges {
            circuit.edges.push((to, self.bit(guard)?));
        }
        for &(check, cond) in &step.fails {
            circuit.fails.push((check, self.bit(cond)?));
        }
        for (why, cond) in &step.given_up {
            circuit.given_up.push((why.clone(), self.bit(*cond)?));
        }
        for input in &step.inputs {
            let bits = match input.term {
                Some(term) => self.bits(term)?,
                None => Vec::new(),
            };
            let (var, is_input) = (input.var, input.is_input);
            let guard = self.bit(input.guard)?;
            circuit.inputs.push(InputBits { guard, var, bits, is_input });
        }
        Ok(circuit)
    }
}
