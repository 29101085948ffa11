//! The SAT solver below, and when to change it.
//!
//! Batsat answers many small queries several times faster than CaDiCaL, which in turn is the only
//! one to finish hard ones; `campaign timings`, the example, prints both. So a solver starts with
//! batsat; the first query that meets more than `PATIENCE` conflicts moves everything to CaDiCaL
//! for good: a formula that was hard once is not going to get smaller. Conflicts are counted, not
//! decisions or time: a large easy query decides much, and a run must not depend on the clock.

use hardbop_base::fault::{Fault, is_on};
use hardbop_base::{Budget, Exhausted};
#[cfg(feature = "cadical")]
use hardbop_sat::Cadical;
use hardbop_sat::{Aig, Batsat, Encoder, Lit, Solver as _};

use crate::circuit::Bit;

/// Conflicts of one query before the adaptive choice gives batsat up.
#[cfg(feature = "cadical")]
const PATIENCE: u64 = 5_000;

/// Which SAT solver to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Backend {
    Batsat,
    #[cfg(feature = "cadical")]
    Cadical,
    /// Batsat until a query is hard, then CaDiCaL if it was built in.
    #[default]
    Adaptive,
}

enum Inner {
    Batsat(Box<Encoder<Batsat>>),
    #[cfg(feature = "cadical")]
    Cadical(Box<Encoder<Cadical>>),
}

/// Calls the same method of whichever solver it is.
macro_rules! either {
    ($inner:expr, $encoder:ident => $result:expr) => {
        match $inner {
            Inner::Batsat($encoder) => $result,
            #[cfg(feature = "cadical")]
            Inner::Cadical($encoder) => $result,
        }
    };
}

/// A SAT solver that holds part of a graph.
pub struct Sat {
    inner: Inner,
    /// What holds, for the solver that comes after this one; `None` if none will.
    #[cfg(feature = "cadical")]
    asserted: Option<Vec<Bit>>,
}

impl Sat {
    pub fn new(choice: Backend) -> Self {
        let budget = Budget::unlimited();
        let inner = match choice {
            Backend::Batsat | Backend::Adaptive => {
                Inner::Batsat(Box::new(Encoder::new(Batsat::new(&budget))))
            }
            #[cfg(feature = "cadical")]
            Backend::Cadical => Inner::Cadical(Box::new(Encoder::new(Cadical::new(&budget)))),
        };
        Sat {
            inner,
            #[cfg(feature = "cadical")]
            asserted: (choice == Backend::Adaptive).then(Vec::new),
        }
    }

    /// The solver in use.
    pub fn current(&self) -> Backend {
        match self.inner {
            Inner::Batsat(_) => Backend::Batsat,
            #[cfg(feature = "cadical")]
            Inner::Cadical(_) => Backend::Cadical,
        }
    }

    pub fn assert(&mut self, aig: &Aig, bit: Bit) {
        #[cfg(feature = "cadical")]
        if let Some(asserted) = &mut self.asserted {
            asserted.push(bit);
        }
        either!(&mut self.inner, encoder => encoder.assert(aig, bit));
    }

    pub fn solve(
        &mut self,
        aig: &Aig,
        assumptions: &[Bit],
        budget: &Budget,
    ) -> Result<bool, Exhausted> {
        budget.check()?;
        either!(&mut self.inner, encoder => encoder.solver.set_budget(budget));
        let mut lits = self.lits(aig, assumptions);
        if is_on(Fault::ExtraAssumption) {
            lits.push(Lit::new(1, false));
        }
        if is_on(Fault::AssumptionsStay) {
            either!(&mut self.inner, encoder => lits.iter().for_each(|&lit| encoder.solver.add_clause(&[lit])));
        }
        #[cfg(feature = "cadical")]
        if let (Some(asserted), Inner::Batsat(encoder)) = (&self.asserted, &mut self.inner) {
            let patience = if is_on(Fault::GivesUpNo) { 1 } else { PATIENCE };
            if let Some(answer) = encoder.solver.solve_within(&lits, patience)? {
                return Ok(answer);
            }
            if is_on(Fault::GivesUpNo) {
                return Ok(false);
            }
            self.inner = Inner::Cadical(Box::new(with_cadical(aig, asserted)));
            self.asserted = None;
            return self.solve(aig, assumptions, budget);
        }
        either!(&mut self.inner, encoder => encoder.solver.solve(&lits))
    }

    fn lits(&mut self, aig: &Aig, bits: &[Bit]) -> Vec<Lit> {
        bits.iter().map(|&bit| either!(&mut self.inner, encoder => encoder.lit(aig, bit))).collect()
    }

    /// The value of an input in the last model; false if the query was not about it.
    pub fn input_value(&self, input: Bit) -> bool {
        either!(&self.inner, encoder => encoder.input_value(input))
    }

    /// Which of the assumptions (as given) the last negative answer rests on.
    pub fn core(&self, assumptions: &[Bit]) -> Vec<bool> {
        let core = either!(&self.inner, encoder => encoder.solver.core());
        let known = |bit| either!(&self.inner, encoder => encoder.known(bit));
        assumptions.iter().map(|&bit| known(bit).is_some_and(|lit| core.contains(&lit))).collect()
    }
}

#[cfg(feature = "cadical")]
fn with_cadical(aig: &Aig, asserted: &[Bit]) -> Encoder<Cadical> {
    let mut encoder = Encoder::new(Cadical::new(&Budget::unlimited()));
    for &bit in asserted {
        encoder.assert(aig, bit);
    }
    encoder
}
