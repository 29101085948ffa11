//! What the solver's model says of the parts of a question.

use hardbop_engine::Reason;
use hardbop_smt::{Solver, TermId, Terms};

/// Those whose guard holds in the model of a satisfiable question whether any of them does; at least
/// one. Soundness: a model in which none holds is none, and to go on would be to call safe what
/// the solver called possible.
pub fn holding<'g, T>(
    solver: &Solver,
    terms: &Terms,
    guarded: &'g [(T, TermId)],
) -> Result<Vec<&'g T>, Reason> {
    let mut evaluator = solver.evaluator(terms);
    let held = guarded.iter().filter(|it| evaluator.value(it.1) == 1);
    let held: Vec<&T> = held.map(|it| &it.0).collect();
    match held.is_empty() {
        true => Err(Reason::not_a_model()),
        false => Ok(held),
    }
}

#[cfg(test)]
mod tests {
    use hardbop_base::Budget;
    use hardbop_engine::Reason;
    use hardbop_smt::{Answer, Solver, Terms};

    use super::holding;

    #[test]
    fn a_model_in_which_nothing_holds_is_our_mistake() {
        let (mut terms, mut solver) = (Terms::new(), Solver::default());
        let x = terms.var("x", 1);
        let not = terms.not(x);
        assert_eq!(solver.check(&mut terms, &[x], &Budget::unlimited()), Answer::Sat);
        let parts = [("no", not), ("yes", x)];
        assert_eq!(holding(&solver, &terms, &parts), Ok(vec![&"yes"]));
        let wrong = holding(&solver, &terms, &parts[..1]);
        assert!(matches!(wrong, Err(Reason::Internal(_))), "{wrong:?}");
    }
}
