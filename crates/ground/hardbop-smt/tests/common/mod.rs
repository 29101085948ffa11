//! The random campaigns, for the tests (small) and the example `campaign` (as long as you like).

pub mod agree;
pub mod evaluate;

use hardbop_gen::rng::Rng;
use hardbop_smt::random::RandomTerms;
use hardbop_smt::{ArrayValue, Model, Sort, Term, TermId, Terms, VarId};

/// Random values for the variables of the terms made so far. The pool has more of them: the
/// solver's own, for what it reads from arrays.
pub fn random_model(terms: &Terms, random: &mut RandomTerms<'_>) -> Model {
    let mut model = Model::new();
    for var in random.vars.clone() {
        let id = var_of(terms, var);
        match terms.sort(var) {
            Sort::Bits(width) => model.set(id, random.value(width)),
            Sort::Array { index, element } => {
                let entries = (0..1u128 << index).map(|at| (at, random.value(element))).collect();
                model.set_array(id, ArrayValue { default: 0, entries });
            }
        }
    }
    model
}

/// The widths of a campaign: mostly small, where odd cases are frequent, sometimes as wide as C
/// gets, where carries are long.
pub fn max_width(rng: &mut Rng) -> u32 {
    rng.weighted(&[(4, 4), (4, 8), (3, 16), (2, 33), (1, 64), (1, 128)]).expect("a nonzero weight")
}

/// The number of the variable that a term is.
pub fn var_of(terms: &Terms, term: TermId) -> VarId {
    match terms.node(term) {
        Term::Var(var) => var,
        other => panic!("{other:?} should be a variable"),
    }
}
