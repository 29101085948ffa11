//! What a finished refinement says of the loops of the C program: at each head, the combinations of
//! predicates with which the Boolean program comes there, as one invariant over C variables.
//!
//! What holds at a loop also depends on the values its function was entered with. That is left out: for whoever goes into calls
//! the rest is often enough, and it holds in any case.

use std::collections::BTreeMap;

use hardbop_cfg::VarId;
use hardbop_cir::{BinOp, ExprId, ExprPool, UnOp};
use hardbop_evidence::{Certificate, Formula, FormulaId, FormulaPool};
use hardbop_kind::Proof;
use hardbop_kind::contracts::Kept;
use hardbop_symbolic::region::Cuts;

use crate::boolean::{BooleanProgram, Shape};
use crate::cuts::{Cut, Place};
use crate::families::Family;
use crate::regions::Source;

/// More combinations at one head than this are not written down.
const MAX_CUBES: usize = 200;

pub fn proof(
    source: Source,
    pool: &ExprPool,
    shape: &Shape,
    boolean: &BooleanProgram,
    certificate: &Certificate,
) -> Option<Proof> {
    let Certificate::Sequential(known) = certificate else { return None };
    let mut program = source.normal.program.clone();
    program.exprs = pool.clone();
    let mut invariants = BTreeMap::new();
    for (&(proc, loc), &place) in boolean.places() {
        let Cut::Block(head) = place.cut else { continue };
        if !source.cuts.at_block(place.func, head) {
            continue;
        }
        let cubes = match known.procs[proc].at[loc] {
            None => Vec::new(),
            Some(formula) => Cubes::of(&known.formulas, formula)?,
        };
        let meaning = |var| meaning(boolean, shape, place, var);
        let all: Vec<ExprId> =
            cubes.iter().map(|cube| conjunction(&mut program.exprs, cube, &meaning)).collect();
        invariants.insert((place.func, head), vec![disjunction(&mut program.exprs, &all)]);
    }
    let contracts = Kept::default();
    let (cells, memory, is_brief) = (None, None, false);
    Some(Proof { program, invariants, k: 1, cells, memory, contracts, is_brief })
}

/// What a variable says at a place; `None` if it holds an old value there.
// Soundness: leaving a literal out of a cube makes the invariant weaker, never wrong.
fn meaning(boolean: &BooleanProgram, shape: &Shape, place: Place, var: VarId) -> Option<ExprId> {
    let followed = shape.tracked.get(&place)?;
    followed.iter().copied().find(|&it| boolean.var(place, it) == var)
}

type Cube = BTreeMap<VarId, bool>;

fn conjunction(
    pool: &mut ExprPool,
    cube: &Cube,
    meaning: &dyn Fn(VarId) -> Option<ExprId>,
) -> ExprId {
    let literals: Vec<(ExprId, bool)> =
        cube.iter().filter_map(|(&var, &value)| Some((meaning(var)?, value))).collect();
    let family = |pool: &ExprPool, it| match Family::of(pool, it) {
        Family::Single(_) => None,
        family => Some(family),
    };
    let fixed: Vec<Family> =
        literals.iter().filter(|it| it.1).filter_map(|it| family(pool, it.0)).collect();
    let mut all: Option<ExprId> = None;
    for (predicate, value) in literals {
        // Of the constants of a register, the one it has says that it has no other.
        if !value && family(pool, predicate).is_some_and(|it| fixed.contains(&it)) {
            continue;
        }
        let literal = if value { predicate } else { pool.unary(UnOp::Not, predicate) };
        all = Some(all.map_or(literal, |all| pool.binary(BinOp::And, all, literal)));
    }
    all.unwrap_or_else(|| pool.bool(true))
}

fn disjunction(pool: &mut ExprPool, list: &[ExprId]) -> ExprId {
    let never = pool.bool(false);
    list.iter().copied().reduce(|a, b| pool.binary(BinOp::Or, a, b)).unwrap_or(never)
}

/// The values of current variables with which a formula can hold, by splitting cases.
struct Cubes<'a> {
    formulas: &'a FormulaPool,
    /// The nodes below the root, operands first.
    nodes: Vec<FormulaId>,
    root: FormulaId,
    found: Vec<Cube>,
}

/// A variable of a formula: at the entry or now.
type Leaf = (bool, VarId);

impl Cubes<'_> {
    fn of(formulas: &FormulaPool, root: FormulaId) -> Option<Vec<Cube>> {
        let mut seen = std::collections::BTreeSet::new();
        let mut todo = vec![root];
        while let Some(id) = todo.pop() {
            if seen.insert(id) {
                todo.extend(formulas.get(id).operands());
            }
        }
        let nodes = seen.into_iter().collect();
        let mut cubes = Cubes { formulas, nodes, root, found: Vec::new() };
        cubes.split(&mut BTreeMap::new()).then_some(cubes.found)
    }

    /// `false` if there are too many.
    fn split(&mut self, given: &mut BTreeMap<Leaf, bool>) -> bool {
        match self.value(given) {
            Ok(false) => true,
            Ok(true) => {
                let now = given.iter().filter(|it| it.0.0).map(|(leaf, &value)| (leaf.1, value));
                let cube: Cube = now.collect();
                if !self.found.contains(&cube) {
                    self.found.push(cube);
                }
                self.found.len() <= MAX_CUBES
            }
            Err(leaf) => {
                let go_on = [true, false].into_iter().all(|value| {
                    given.insert(leaf, value);
                    self.split(given)
                });
                given.remove(&leaf);
                go_on
            }
        }
    }

    /// The truth of the formula, or a variable it depends on.
    fn value(&self, given: &BTreeMap<Leaf, bool>) -> Result<bool, Leaf> {
        let mut values: BTreeMap<FormulaId, Result<bool, Leaf>> = BTreeMap::new();
        for &id in &self.nodes {
            let leaf = |it: Leaf| given.get(&it).copied().ok_or(it);
            let one_of = |list: &[FormulaId], wanted: bool| {
                let mut result = Ok(!wanted);
                for it in list {
                    match values[it] {
                        Ok(value) if value == wanted => return Ok(wanted),
                        Err(open) if result.is_ok() => result = Err(open),
                        _ => {}
                    }
                }
                result
            };
            let value = match self.formulas.get(id) {
                Formula::Const(value) => Ok(*value),
                Formula::Entry(var) => leaf((false, *var)),
                Formula::Current(var) => leaf((true, *var)),
                Formula::Not(a) => values[a].map(|it| !it),
                Formula::And(list) => one_of(list, false),
                Formula::Or(list) => one_of(list, true),
                Formula::Ite(c, a, b) => values[c].and_then(|it| values[if it { a } else { b }]),
            };
            values.insert(id, value);
        }
        values[&self.root]
    }
}
