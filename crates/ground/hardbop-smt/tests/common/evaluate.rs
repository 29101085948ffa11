//! Evaluation against circuits: the variables are fixed by assumptions, and the term must have the
//! value the evaluator gives it, and no other.

use hardbop_base::Budget;
use hardbop_gen::rng::Rng;
use hardbop_smt::random::RandomTerms;
use hardbop_smt::{Answer, Backend, Solver, Sort, TermId, Terms};

use super::{max_width, random_model, var_of};

/// Terms that share a solver.
const PER_SOLVER: usize = 20;

pub fn evaluation(seed: u64, n_terms: usize, backend: Backend) {
    let mut rng = Rng::new(seed);
    let mut done = 0;
    while done < n_terms {
        let widest = max_width(&mut rng);
        let arrays = rng.chance(30);
        let mut draws = Rng::new(rng.next_u64());
        let mut draw = || draws.next_u64();
        let mut random = RandomTerms::new(&mut draw, widest);
        random.arrays = arrays;
        let mut terms = Terms::new();
        let mut solver = Solver::new(backend);
        for _ in 0..PER_SOLVER {
            let width = random.width();
            let depth = 2 + (done % 3) as u32;
            let term = random.term(&mut terms, width, depth);
            one_term(&mut terms, &mut solver, &mut random, term);
            done += 1;
        }
    }
}

fn one_term(terms: &mut Terms, solver: &mut Solver, random: &mut RandomTerms<'_>, term: TermId) {
    let model = random_model(terms, random);
    let value = terms.eval(term, &model);
    let mut fixed = Vec::new();
    for &var in &random.vars {
        let id = var_of(terms, var);
        match terms.sort(var) {
            Sort::Bits(width) => {
                let constant = terms.constant(width, model.get(id));
                fixed.push(terms.eq(var, constant));
            }
            Sort::Array { index, element } => {
                for at in 0..1u128 << index {
                    let held = model.array(id).expect("every array was given values").get(at);
                    let (at, held) = (terms.constant(index, at), terms.constant(element, held));
                    let read = terms.select(var, at);
                    fixed.push(terms.eq(read, held));
                }
            }
        }
    }
    let constant = terms.constant(terms.width(term), value);
    let budget = Budget::unlimited();
    let same = terms.eq(term, constant);
    fixed.push(same);
    let answer = solver.check(terms, &fixed, &budget);
    assert_eq!(answer, Answer::Sat, "{term} should be {value} in {model:?}");
    assert_eq!(solver.value(terms, term), value);
    *fixed.last_mut().expect("just pushed") = terms.not(same);
    let Answer::Unsat(core) = solver.check(terms, &fixed, &budget) else {
        panic!("{term} should be {value} alone in {model:?}");
    };
    assert!(core.iter().all(|assumption| fixed.contains(assumption)));
    assert!(matches!(solver.check(terms, &core, &budget), Answer::Unsat(_)));
}
