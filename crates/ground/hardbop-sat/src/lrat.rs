//! Refutations that are checked: each clause a solver learns is a step that says from which clauses it follows
//! by unit propagation (Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp, "Efficient certified RAT
//! verification", 2017; steps by resolution only).
//!
//! The checker is what is trusted: it knows the clauses that were given, believes nothing else, and
//! searches for nothing.

use hardbop_base::fault::{Fault, is_on};
use hardbop_base::{Budget, Exhausted};

use crate::cdcl::Cdcl;
use crate::solver::{Lit, Solver};

/// The name of a clause in a proof: those given and those derived are counted apart.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ClauseId(u32);

impl ClauseId {
    pub fn given(at: u32) -> Self {
        ClauseId(2 * at)
    }

    pub fn derived(at: u32) -> Self {
        ClauseId(2 * at + 1)
    }
}

/// A step of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// If none of its literals holds, the clauses named become units one after the other, the last a
    /// contradiction.
    Derive { literals: Vec<Lit>, hints: Vec<ClauseId> },
    /// A clause that is not used any more.
    Forget(ClauseId),
}

/// A step that does not follow, counted among the derived clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refused(pub usize);

#[derive(Default)]
pub struct Checker {
    given: Vec<Vec<Lit>>,
    /// Empty where it was forgotten: an empty clause is noted in `is_refuted`.
    derived: Vec<Vec<Lit>>,
    is_refuted: bool,
    /// By literal: whether it holds in the argument that is looked at.
    holds: Vec<bool>,
    trail: Vec<Lit>,
}

impl Checker {
    pub fn give(&mut self, clause: &[Lit]) {
        self.given.push(clause.to_vec());
    }

    /// Whether all clauses that were given hold, in each bit of the words that variables have.
    pub fn all_hold(&self, word: impl Fn(u32) -> u64) -> bool {
        let of_lit = |it: &Lit| if it.is_positive() { word(it.var()) } else { !word(it.var()) };
        self.given.iter().all(|clause| clause.iter().map(of_lit).fold(0, |a, b| a | b) == u64::MAX)
    }

    pub fn n_derived(&self) -> usize {
        self.derived.len()
    }

    /// Soundness: a clause becomes one of those believed here only, after its argument was followed.
    pub fn follow(&mut self, step: &Step) -> Result<(), Refused> {
        match step {
            Step::Forget(ClauseId(id)) if id % 2 == 1 => {
                self.derived.get_mut(*id as usize / 2).map(std::mem::take);
            }
            Step::Forget(_) => {}
            Step::Derive { literals, hints } => {
                let follows = self.is_contradiction(literals, hints);
                self.trail.drain(..).for_each(|lit| self.holds[lit.code()] = false);
                if !follows {
                    return Err(Refused(self.derived.len()));
                }
                self.is_refuted |= literals.is_empty();
                self.derived.push(literals.clone());
            }
        }
        Ok(())
    }

    /// Whether clauses that are believed contradict the assumptions: the last one derived does.
    pub fn refutes(&self, assumptions: &[Lit]) -> bool {
        let last = self.derived.last().filter(|it| !it.is_empty());
        self.is_refuted || last.is_some_and(|it| it.iter().all(|&lit| assumptions.contains(&!lit)))
    }

    fn assign(&mut self, lit: Lit) {
        let code = lit.code().max((!lit).code());
        if self.holds.len() <= code {
            self.holds.resize(code + 1, false);
        }
        self.holds[lit.code()] = true;
        self.trail.push(lit);
    }

    fn is(&self, lit: Lit) -> bool {
        self.holds.get(lit.code()).copied().unwrap_or(false)
    }

    fn is_contradiction(&mut self, literals: &[Lit], hints: &[ClauseId]) -> bool {
        for &lit in literals {
            if self.is(lit) {
                return true; // a literal and its negation: the clause always holds
            }
            self.assign(!lit);
        }
        for &ClauseId(id) in hints {
            let list = if id % 2 == 0 { &self.given } else { &self.derived };
            // Soundness: an empty clause here is one that was forgotten, which says nothing.
            let Some(clause) = list.get(id as usize / 2).filter(|it| !it.is_empty()) else {
                return false;
            };
            let mut open = clause.iter().copied().filter(|&lit| !self.is(!lit));
            let Some(only) = open.next() else { return true };
            if open.any(|lit| lit != only) {
                return false;
            }
            self.assign(only);
        }
        false
    }
}

/// A solver whose negative answers are checked.
pub struct Checked {
    solver: Cdcl,
    checker: Checker,
}

impl Checked {
    pub fn new() -> Self {
        let mut solver = Cdcl::new(&Budget::unlimited());
        solver.log_proof();
        Checked { solver, checker: Checker::default() }
    }

    pub fn set_budget(&mut self, budget: &Budget) {
        self.solver.set_budget(budget);
    }

    /// Whether all clauses that were given hold, in each bit of the words that variables have.
    pub fn all_hold(&self, word: impl Fn(u32) -> u64) -> bool {
        self.checker.all_hold(word)
    }

    /// How many steps were followed.
    pub fn n_steps(&self) -> usize {
        self.checker.n_derived()
    }
}

impl Default for Checked {
    fn default() -> Self {
        Checked::new()
    }
}

impl Solver for Checked {
    fn new_var(&mut self) -> Lit {
        self.solver.new_var()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        // The checker has it from who gives it, not from the solver.
        self.checker.give(clause);
        self.solver.add_clause(clause);
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, Exhausted> {
        let unasked = is_on(Fault::RefutedUnasked);
        let answer = if unasked { Ok(false) } else { self.solver.solve(assumptions) };
        for step in self.solver.take_steps() {
            if let Err(Refused(at)) = self.checker.follow(&step) {
                panic!("step {at} of a refutation does not follow");
            }
        }
        // Soundness: that the clauses contradict the assumptions is the checker's word.
        if answer == Ok(false) {
            assert!(self.checker.refutes(assumptions), "a refutation ends without a contradiction");
        }
        answer
    }

    fn value(&self, lit: Lit) -> bool {
        self.solver.value(lit)
    }

    fn core(&self) -> Vec<Lit> {
        self.solver.core()
    }
}

#[cfg(test)]
mod tests {
    use super::{Checked, Checker, ClauseId, Step};
    use crate::solver::tests::check_back_end;
    use crate::solver::{Lit, Solver};
    use hardbop_base::rng::Rng;

    /// Every negative answer of these is followed step by step.
    #[test]
    fn answers_are_right_and_refutations_are_followed() {
        check_back_end(Checked::new);
    }

    #[test]
    fn long_refutations_are_followed() {
        let mut solver = Checked::new();
        let (n, holes) = (8, 7);
        let at: Vec<Vec<Lit>> =
            (0..n).map(|_| (0..holes).map(|_| solver.new_var()).collect()).collect();
        at.iter().for_each(|pigeon| solver.add_clause(pigeon));
        for (i, a) in at.iter().enumerate() {
            for b in &at[..i] {
                a.iter().zip(b).for_each(|(&a, &b)| solver.add_clause(&[!a, !b]));
            }
        }
        assert_eq!(solver.solve(&[]), Ok(false));
        assert!(solver.n_steps() > 1000, "{}", solver.n_steps());
    }

    /// Clauses that do not follow from those given are never believed, whatever the hints are.
    #[test]
    fn what_does_not_follow_is_refused() {
        let mut chance = Rng::new(5);
        let mut n_believed = 0;
        for _ in 0..20_000 {
            let mut lit = |chance: &mut Rng| Lit::new(chance.below(4) as u32, chance.below(2) == 0);
            let clause = |chance: &mut Rng, lit: &mut dyn FnMut(&mut Rng) -> Lit| {
                (0..1 + chance.below(3)).map(|_| lit(chance)).collect::<Vec<_>>()
            };
            let given: Vec<Vec<Lit>> = (0..5).map(|_| clause(&mut chance, &mut lit)).collect();
            let literals = clause(&mut chance, &mut lit);
            let hints =
                (0..chance.below(5)).map(|_| ClauseId::given(chance.below(6) as u32)).collect();
            let mut checker = Checker::default();
            given.iter().for_each(|it| checker.give(it));
            let step = Step::Derive { literals: literals.clone(), hints };
            let is_believed = checker.follow(&step).is_ok();
            n_believed += usize::from(is_believed);
            let follows = (0..16u32).all(|bits| {
                let holds = |lit: &Lit| (bits >> lit.var() & 1 == 1) == lit.is_positive();
                !given.iter().all(|it| it.iter().any(holds)) || literals.iter().any(holds)
            });
            assert!(follows || !is_believed, "{given:?} do not say {literals:?}");
        }
        assert!(n_believed > 1000, "{n_believed}");
    }
}
