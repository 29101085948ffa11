//! Whether rules and circuits have kept the meaning of what was asked of them, tried on samples.
//!
//! The pool remembers each request that a rule has answered, so nothing is noted while terms are built: when all is done, every
//! term is evaluated under some assignments, and
//! * what a request means, given the values of its operands, is the value of its answer;
//! * the bits of a circuit are those of the value of its term.
//!
//! A rule or a circuit that is wrong for one value in 2^64 can hide from samples. They are chosen where mistakes are made: at
//! zero, at the ends of the range, at the constants of the pool and beside them, with variables that are equal and nearly so.

use hardbop_base::rng::Rng;
use hardbop_base::{Budget, Exhausted};
use hardbop_sat::aig::Node;
use rustc_hash::FxHashMap;

use crate::blast::Blaster;
use crate::eval::meaning;
use crate::pool::Terms;
use crate::term::{BinaryOp, MAX_WIDTH, Term, TermId, VarId};
use crate::word::{ones, sign_bit};

/// Assignments that are looked at together: what a term is has to be found out once for all of them.
const LANES: usize = 8;
/// Assignments that are tried; at most 64, the bits of a word.
const SAMPLES: usize = 2 * LANES;
/// Of each width, so many constants of the pool are values of variables.
const MAX_CONSTANTS: usize = 256;

/// The value of a term under some assignments.
pub type Values = [u128; LANES];

/// What does not mean what it should.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    Mistake(String),
    Exhausted(Exhausted),
}

impl From<Exhausted> for Flaw {
    fn from(limit: Exhausted) -> Self {
        Flaw::Exhausted(limit)
    }
}

/// Looks at all terms of a pool without arrays, and at all circuits made of them. `also` is given the values of all terms, by
/// id. Returns the values of all nodes of the circuits, a bit for each sample.
pub fn audit(
    terms: &Terms,
    blaster: &Blaster,
    budget: &Budget,
    mut also: impl FnMut(&[Values]) -> Result<(), Flaw>,
) -> Result<Vec<u64>, Flaw> {
    let inputs = inputs(terms);
    let nodes = simulate(terms, blaster, &inputs);
    let mut rewritten: Vec<(Term, TermId)> = terms.rewritten().collect();
    let mut blasted: Vec<TermId> = blaster.blasted().collect();
    // Neighbours are in the cache.
    rewritten.sort_unstable_by_key(|it| it.1);
    blasted.sort_unstable();
    for (part, inputs) in inputs.chunks_exact(LANES).enumerate() {
        budget.check()?;
        let values = values(terms, inputs);
        let at = |term: TermId| &values[term.as_u32() as usize];
        for &(request, answer) in &rewritten {
            let meant = |lane: usize| meaning(terms, request, |term| at(term)[lane]);
            if (0..LANES).any(|lane| meant(lane) != at(answer)[lane]) {
                return Err(Flaw::Mistake(format!("a rule made {answer} of {request:?}")));
            }
        }
        for &term in &blasted {
            let mut made = Values::default();
            for (position, bit) in blaster.bits(terms, term).iter().enumerate() {
                let word = nodes[bit.node() as usize] >> (part * LANES);
                for (lane, made) in made.iter_mut().enumerate() {
                    let is_set = (word >> lane & 1 == 1) != bit.is_negated();
                    *made |= u128::from(is_set) << position;
                }
            }
            if made != *at(term) {
                let node = terms.node(term);
                return Err(Flaw::Mistake(format!("the circuit of {term}, {node:?}, is wrong")));
            }
        }
        also(&values)?;
    }
    Ok(nodes)
}

/// The values of variables, for each sample.
fn inputs(terms: &Terms) -> Vec<Vec<u128>> {
    let constants = Constants::of(terms);
    let mut chance = Rng::new(0x5eed);
    (0..SAMPLES)
        .map(|sample| {
            // Two values of each width that many variables share.
            let shared: Vec<[u128; 2]> = (0..=MAX_WIDTH)
                .map(|width| [(); 2].map(|()| any(&mut chance, width, constants.of_width(width))))
                .collect();
            let mut value = |var: VarId, width: u32| match sample {
                0 => 0,
                1 => u128::MAX,
                2 => 1,
                3 => sign_bit(width),
                4 => sign_bit(width) - 1,
                _ => {
                    let near = constants.beside(var);
                    // One after the other, so that few are all tried.
                    if sample % 2 == 1 && !near.is_empty() {
                        return near[(sample / 2 + var.as_u32() as usize) % near.len()];
                    }
                    let one = match chance.below(3) {
                        0 => shared[width as usize][chance.below(2)],
                        _ => any(&mut chance, width, constants.of_width(width)),
                    };
                    match chance.below(6) {
                        0 => one.wrapping_add(1),
                        1 => one.wrapping_sub(1),
                        _ => one,
                    }
                }
            };
            let vars = terms.vars().iter_enumerated();
            vars.map(|(var, it)| {
                let width = terms.width(it.term);
                value(var, width) & ones(width)
            })
            .collect()
        })
        .collect()
}

/// The constants of a pool, at which something may change.
struct Constants {
    by_width: Vec<Vec<u128>>,
    /// What a variable is compared with.
    by_var: FxHashMap<VarId, Vec<u128>>,
}

impl Constants {
    fn of(terms: &Terms) -> Constants {
        let mut it = Constants {
            by_width: vec![Vec::new(); MAX_WIDTH as usize + 1],
            by_var: FxHashMap::default(),
        };
        for term in terms.ids() {
            match terms.node(term) {
                Term::Const { width, value } => push(&mut it.by_width[width as usize], value),
                Term::Binary(BinaryOp::Eq | BinaryOp::Ult | BinaryOp::Slt, a, b) => {
                    for (a, b) in [(a, b), (b, a)] {
                        if let (Term::Var(var), Some(value)) = (terms.node(a), terms.as_const(b)) {
                            push(it.by_var.entry(var).or_default(), value);
                        }
                    }
                }
                _ => {}
            }
        }
        it
    }

    fn of_width(&self, width: u32) -> &[u128] {
        &self.by_width[width as usize]
    }

    fn beside(&self, var: VarId) -> &[u128] {
        self.by_var.get(&var).map_or(&[], |it| it)
    }
}

fn push(list: &mut Vec<u128>, value: u128) {
    if list.len() < MAX_CONSTANTS {
        list.push(value);
    }
}

/// A value at which something may change.
fn any(chance: &mut Rng, width: u32, constants: &[u128]) -> u128 {
    match chance.below(8) {
        _ if width == 0 => 0,
        0 | 1 => u128::from(chance.next_u64()) << 64 | u128::from(chance.next_u64()),
        2 => chance.below(16) as u128,
        3 => chance.below(2 * width as usize) as u128,
        4 => sign_bit(width),
        5 => ones(width),
        _ => chance.pick(constants).copied().unwrap_or(0),
    }
}

/// The values of each term. Operands are older than the terms they are in.
fn values(terms: &Terms, inputs: &[Vec<u128>]) -> Vec<Values> {
    let mut values: Vec<Values> = Vec::with_capacity(terms.len());
    for term in terms.ids() {
        let mut made = Values::default();
        match terms.node(term) {
            Term::Var(var) => {
                for (made, inputs) in made.iter_mut().zip(inputs) {
                    *made = inputs[var.as_u32() as usize];
                }
            }
            node => {
                for (lane, made) in made.iter_mut().enumerate() {
                    *made = meaning(terms, node, |term| values[term.as_u32() as usize][lane]);
                }
            }
        }
        values.push(made);
    }
    values
}

/// The value of each node of the circuits, a bit for each sample.
fn simulate(terms: &Terms, blaster: &Blaster, inputs: &[Vec<u128>]) -> Vec<u64> {
    let mut words = vec![0; blaster.aig.n_nodes()];
    for &(var, term) in blaster.vars() {
        for (at, bit) in blaster.bits(terms, term).iter().enumerate() {
            for (sample, values) in inputs.iter().enumerate() {
                let value = values[var.as_u32() as usize] >> at & 1;
                words[bit.node() as usize] |= (value as u64) << sample;
            }
        }
    }
    for node in 0..words.len() {
        if let Node::And(a, b) = blaster.aig.node(node as u32) {
            let word = |it: hardbop_sat::Term| match it.is_negated() {
                true => !words[it.node() as usize],
                false => words[it.node() as usize],
            };
            words[node] = word(a) & word(b);
        }
    }
    words
}
