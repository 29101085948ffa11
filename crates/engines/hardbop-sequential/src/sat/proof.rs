//! Summaries as a certificate: an invariant for every location.
//!
//! The states expanded at a location, choices quantified away ([`project`](crate::project)), are the pairs of values
//! at entry and now there: closed under statements and returns, whatever the entry. What remains is to say which
//! entries there are:
//!
//! * a procedure with a universal summary may be entered from wherever none of its *ways* leads to the goal. A
//!   call that could enter it elsewhere is itself on a way of the caller, so callers that obey their condition
//!   obey those of their callees, and the question that decided the program says that `main` obeys its own;
//! * a tabulated procedure is entered in its contexts, which cover all calls of it;
//! * a procedure of which nothing was asked does anything if no goal is below it, and is never entered else. Places that
//!   only an exhaustive run asks for are no goals: conditions on entries do not speak of them.
//!
//! **Invariant.** Nothing is widened or lost here: the certifier accepts what is closed, and only exact sets are
//! known to be.

use hardbop_base::{Bits, Budget, Exhausted, IndexVec};
use hardbop_cfg::{Loc, LocRef, ProcId};
use hardbop_engine::{Claim, Reason, RunCtx, Task, Verdict};
use hardbop_evidence::{Certificate, Formula, FormulaId, FormulaPool, Invariants, ProcInvariant};
use hardbop_sat::Term;

use crate::project::Projection;
use crate::sat::sim::Sim;
use crate::sat::state::{StateId, WayId};
use crate::sat::unroll::{Known, Summary};
use crate::sat::write::Writer;

/// What a run knows of each procedure.
pub type Explored = IndexVec<ProcId, Reach>;

/// Where a procedure gets.
#[derive(Clone, Debug)]
pub enum Reach {
    /// It is never entered.
    Never,
    /// Anywhere, with any values.
    Anywhere,
    /// To these states, entered like this.
    States(Vec<StateId>, Entered),
}

/// The entries of a procedure.
#[derive(Clone, Debug)]
pub enum Entered {
    /// From which none of these ways can be taken.
    Unless(Vec<(usize, WayId)>),
    /// For which this holds under some choices.
    If(Term),
}

impl Reach {
    /// By a universal summary.
    pub fn of_summary(summary: &Summary) -> Reach {
        Reach::States(summary.states.to_vec(), Entered::Unless(summary.ways.clone()))
    }

    /// By all that is known of a procedure that is not tabulated.
    pub fn of_known(sim: &Sim<'_>, proc: ProcId, known: &Known) -> Reach {
        match known {
            Known::Summary(summary) => Reach::of_summary(summary),
            _ if sim.facts.leads_to_violation(proc) => Reach::Never,
            _ => Reach::Anywhere,
        }
    }
}

/// Gives a claim that the program is safe its certificate, if one is wanted.
pub fn certify(
    claim: &mut Claim,
    task: &Task<'_>,
    ctx: &RunCtx,
    sim: &mut Sim<'_>,
    explored: Option<Explored>,
) {
    let (Verdict::Safe, true, Some(mut explored)) =
        (&claim.answer, task.want_certificate, explored)
    else {
        return;
    };
    if !sim.facts.sites.iter().any(|site| site.is_of(&task.goal)) {
        // Nothing to exclude, and perhaps nothing was explored.
        explored.iter_mut().for_each(|reach| *reach = Reach::Anywhere);
    }
    match certificate(sim, &explored, &ctx.for_evidence().budget) {
        Ok(certificate) => claim.certificate = Some(certificate),
        Err(limit) => claim.lacks = Some(Reason::Exhausted(limit)),
    }
}

fn certificate(
    sim: &mut Sim<'_>,
    explored: &Explored,
    budget: &Budget,
) -> Result<Certificate, Exhausted> {
    let program = sim.facts.program;
    let mut formulas = FormulaPool::default();
    let mut projection = Projection::new(budget);
    let mut procs = IndexVec::new();
    for (id, proc) in program.procs.iter_enumerated() {
        let mut frame = Bits::full(program.n_shared());
        frame.subtract(sim.facts.modref.modified(id));
        let at = match &explored[id] {
            Reach::Never => IndexVec::from_elem(None, proc.locs.len()),
            Reach::Anywhere => IndexVec::from_elem(Some(formulas.constant(true)), proc.locs.len()),
            Reach::States(states, entered) => {
                let mut body = Body::new(sim, id, &frame, &mut projection, &mut formulas);
                body.invariants(states, entered)?
            }
        };
        procs.push(ProcInvariant { frame, at });
    }
    Ok(Invariants { goal: sim.facts.goal.clone(), formulas, procs }.into())
}

/// One procedure with states.
struct Body<'s, 'a, 'b> {
    sim: &'s mut Sim<'a>,
    proc: ProcId,
    frame: &'s Bits,
    projection: &'s mut Projection<'b>,
    formulas: &'s mut FormulaPool,
    /// Variables for values now.
    now: Vec<Term>,
    writer: Writer,
}

impl<'s, 'a, 'b> Body<'s, 'a, 'b> {
    fn new(
        sim: &'s mut Sim<'a>,
        proc: ProcId,
        frame: &'s Bits,
        projection: &'s mut Projection<'b>,
        formulas: &'s mut FormulaPool,
    ) -> Self {
        let entry = sim.entry(proc);
        let entry = sim.arena.states[entry].values.clone();
        let now = sim.aig.inputs(entry.len());
        projection.keep(entry.iter().chain(&now).copied());
        let writer = Writer::new(&entry, &now);
        Body { sim, proc, frame, projection, formulas, now, writer }
    }

    fn invariants(
        &mut self,
        states: &[StateId],
        entered: &Entered,
    ) -> Result<IndexVec<Loc, Option<FormulaId>>, Exhausted> {
        let n_locs = self.sim.facts.program.procs[self.proc].locs.len();
        let mut at = IndexVec::from_elem(None, n_locs);
        let Some(entered) = self.entered(entered)? else { return Ok(at) };
        let mut reached: IndexVec<Loc, Vec<FormulaId>> = IndexVec::from_elem(Vec::new(), n_locs);
        for &state in states {
            let formula = self.state(state)?;
            reached[self.sim.arena.states[state].loc].push(formula);
        }
        for (loc, some) in reached.iter_enumerated() {
            let formula = match some[..] {
                [] => continue,
                [only] => only,
                _ => self.formulas.add(Formula::Or(some.clone())),
            };
            at[loc] = Some(self.formulas.add(Formula::And(vec![entered, formula])));
        }
        Ok(at)
    }

    /// The condition on entries; nothing if there are none.
    fn entered(&mut self, entered: &Entered) -> Result<Option<FormulaId>, Exhausted> {
        let aig = &mut self.sim.aig;
        let condition = match entered {
            Entered::If(condition) => {
                let parts = self.projection.project(aig, *condition, Vec::new())?;
                aig.all(&parts)
            }
            Entered::Unless(ways) => {
                let facts = self.sim.facts;
                let is_goal = |group| facts.only_site(group).is_none_or(|it| it.is_of(&facts.goal));
                let ways = ways.iter().filter(|&&(group, _)| is_goal(group));
                let guards: Vec<Term> =
                    ways.map(|&(_, way)| self.sim.arena.ways[way].guard).collect();
                let mut none = Vec::new();
                for guard in guards {
                    let parts = self.projection.project(aig, guard, Vec::new())?;
                    none.push(!aig.all(&parts));
                }
                aig.all(&none)
            }
        };
        if condition == Term::FALSE {
            return Ok(None);
        }
        Ok(Some(self.writer.formula(&self.sim.aig, self.formulas, condition)))
    }

    /// What a state says of the variables that matter at its location.
    fn state(&mut self, state: StateId) -> Result<FormulaId, Exhausted> {
        let facts = self.sim.facts;
        let state = self.sim.arena.states[state].clone();
        let at = LocRef { proc: self.proc, loc: state.loc };
        let vars: Vec<usize> = if state.loc == facts.program.procs[self.proc].exit {
            facts.exit_vars(self.proc)
        } else {
            facts.live_at(at).filter(|&var| !self.frame.contains(var)).collect()
        };
        let equal = vars.iter().map(|&var| (self.now[var], state.values[var])).collect();
        let parts = self.projection.project(&mut self.sim.aig, state.guard, equal)?;
        let parts = parts.into_iter();
        let parts: Vec<FormulaId> =
            parts.map(|it| self.writer.formula(&self.sim.aig, self.formulas, it)).collect();
        Ok(self.formulas.add(Formula::And(parts)))
    }
}
