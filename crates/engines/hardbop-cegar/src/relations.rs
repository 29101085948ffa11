//! All values that some predicates before and after a stretch have together, where these are few.
//!
//! One step that no execution takes is told by a clause; where it speaks of registers that hold one of
//! many constants, each pair of constants would need its own. So the models of the stretch are
//! enumerated over all predicates of these families at once (Lahiri, Nieuwenhuis and Oliveras, CAV
//! 2006), until there is no other.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::Exhausted;
use hardbop_cir::{ExprId, ExprPool};
use hardbop_smt::TermId;

use crate::families::Family;
use crate::regions::{Exit, Region};

/// More combinations than this are not listed.
const MAX_ROWS: usize = 400;

/// Each execution of a stretch has one of the rows: the values of `before`, then those of `after`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Relation {
    pub before: Vec<ExprId>,
    pub after: Vec<ExprId>,
    pub rows: BTreeSet<Vec<bool>>,
}

/// Which families a relation is about, before and after.
pub type About = (BTreeSet<Family>, BTreeSet<Family>);

/// The relations of one stretch to one of its ends; `None` where there were too many rows.
#[derive(Default)]
pub struct Relations(BTreeMap<About, Option<Relation>>);

impl Relations {
    pub fn iter(&self) -> impl Iterator<Item = &Relation> {
        self.0.values().flatten()
    }

    /// Lists the rows over all predicates of the families, if they are not too many.
    pub fn extend(
        &mut self,
        region: &mut Region,
        pool: &ExprPool,
        exit: Exit,
        about: About,
        followed: (&BTreeSet<ExprId>, &BTreeSet<ExprId>),
        n_queries: &mut u64,
    ) -> Result<(), Exhausted> {
        let members = |families: &BTreeSet<Family>, among| {
            families.iter().flat_map(|it| it.members(pool, among)).collect::<Vec<_>>()
        };
        let (before, after) = (members(&about.0, followed.0), members(&about.1, followed.1));
        match self.0.get(&about) {
            Some(None) => return Ok(()),
            Some(Some(known)) if (&known.before, &known.after) == (&before, &after) => {
                return Ok(());
            }
            _ => {}
        }
        let relation = enumerate(region, pool, exit, before, after, n_queries)?;
        self.0.insert(about, relation);
        Ok(())
    }
}

fn enumerate(
    region: &mut Region,
    pool: &ExprPool,
    exit: Exit,
    before: Vec<ExprId>,
    after: Vec<ExprId>,
    n_queries: &mut u64,
) -> Result<Option<Relation>, Exhausted> {
    let columns = columns(region, pool, exit, &before, &after);
    let guard = region.guard(exit);
    let open = region.executor.terms.var("another", 1);
    let mut rows: BTreeSet<Vec<bool>> = BTreeSet::new();
    loop {
        *n_queries += 1;
        if region.refute(&[guard, open])?.is_some() {
            return Ok(Some(Relation { before, after, rows }));
        }
        if rows.len() == MAX_ROWS {
            return Ok(None);
        }
        let executor = &mut region.executor;
        let mut evaluator = executor.solver.evaluator(&executor.terms);
        let row: Vec<bool> = columns.iter().map(|&it| evaluator.value(it) == 1).collect();
        let same = row_term(region, &columns, &row);
        let terms = &mut region.executor.terms;
        let differs = terms.not(same);
        let another = terms.implies(open, differs);
        region.executor.solver.assert(another);
        // Soundness: the solver has to come to an end by itself; a row twice would go on forever.
        assert!(rows.insert(row), "a model that was excluded");
    }
}

/// The condition that none of the rows holds.
pub fn violated(region: &mut Region, pool: &ExprPool, exit: Exit, relation: &Relation) -> TermId {
    let columns = columns(region, pool, exit, &relation.before, &relation.after);
    let rows: Vec<TermId> =
        relation.rows.iter().map(|row| row_term(region, &columns, row)).collect();
    let any = region.executor.terms.or_all(&rows);
    region.executor.terms.not(any)
}

fn columns(
    region: &mut Region,
    pool: &ExprPool,
    exit: Exit,
    before: &[ExprId],
    after: &[ExprId],
) -> Vec<TermId> {
    let mut columns: Vec<TermId> = before.iter().map(|&it| region.before(pool, it)).collect();
    if let Exit::To(end) = exit {
        columns.extend(after.iter().map(|&it| region.after(pool, end, it)));
    }
    columns
}

fn row_term(region: &mut Region, columns: &[TermId], row: &[bool]) -> TermId {
    let terms = &mut region.executor.terms;
    let literals: Vec<TermId> = columns
        .iter()
        .zip(row)
        .map(|(&it, &value)| if value { it } else { terms.not(it) })
        .collect();
    terms.and_all(&literals)
}
