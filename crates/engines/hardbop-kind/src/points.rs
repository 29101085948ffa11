//! The values of the registers at the heads of loops, seen in runs on random small inputs.
//!
//! They tell what may hold ([`sample`](crate::sample)) and what does not: a guess that is false in a
//! state the program was in need not be put to the solver.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::rng::Rng;
use hardbop_base::{Budget, Span};
use hardbop_cir::eval;
use hardbop_cir::interp::{Config, Step, Value, Watch, run_watched};
use hardbop_cir::{BlockId, CastOp, Class, Expr, ExprId, FuncId, Program, Ty, VarId};
use hardbop_engine_c::Counterexample;
use hardbop_symbolic::LoopId;

use crate::contracts::said_over;
use crate::loops::Loops;

const RUNS: u64 = 60;
const STEPS: u64 = 20_000;
/// Bytes of a run's memory: to clear more takes longer than to run.
const MAX_BYTES: u64 = 64 << 20;
/// Points of one loop, and of one run of it.
const POINTS: usize = 400;
const POINTS_OF_A_RUN: usize = 12;

/// What was seen at one head.
#[derive(Default, Debug)]
pub struct Points {
    /// The numbers the loop's function mentions, ascending.
    pub vars: Vec<VarId>,
    /// Their values, in the same order, without repetition.
    pub rows: BTreeSet<Vec<u128>>,
}

impl Points {
    /// Whether an expression was false in a state at the head.
    pub fn refute(&self, program: &Program, expr: ExprId) -> bool {
        self.rows.iter().any(|row| self.value(program, expr, row) == Some(0))
    }

    /// Of an expression over numbers; `None` of another, or where a register was not looked at.
    pub fn value(&self, program: &Program, id: ExprId, row: &[u128]) -> Option<u128> {
        let pool = &program.exprs;
        let of = |it| self.value(program, it, row);
        match pool.get(id) {
            Expr::Int { value, .. } => Some(value),
            Expr::Var(var) => Some(row[self.vars.binary_search(&var).ok()?]),
            Expr::Unary(op, a) => match pool.ty(a) {
                Ty::Int(width) => eval::unary(op, width, of(a)?),
                _ => None,
            },
            Expr::Binary(op, a, b) => match pool.ty(a) {
                Ty::Int(width) => eval::binary(op, width, of(a)?, of(b)?),
                _ => None,
            },
            Expr::Cast(op, Ty::Int(to), a) => match (op, pool.ty(a)) {
                (CastOp::Sext, Ty::Int(from)) => Some(eval::sext(of(a)?, from, to)),
                (CastOp::Zext | CastOp::Trunc, Ty::Int(_)) => Some(of(a)? & eval::mask(to)),
                _ => None,
            },
            Expr::Ite(c, a, b) => of(if of(c)? != 0 { a } else { b }),
            _ => None,
        }
    }
}

#[derive(Default, Debug)]
pub struct Seen {
    heads: BTreeMap<LoopId, Points>,
    n_in_run: BTreeMap<LoopId, usize>,
}

impl Watch for Seen {
    fn wants(&self, _: FuncId, _: Span) -> bool {
        false
    }

    fn step(&mut self, _: Step) {}

    fn enters(&mut self, func: FuncId, block: BlockId, var: &dyn Fn(VarId) -> Value) {
        let head = (func, block);
        let Some(points) = self.heads.get_mut(&head) else { return };
        let n = self.n_in_run.entry(head).or_default();
        if *n >= POINTS_OF_A_RUN || points.rows.len() >= POINTS {
            return;
        }
        *n += 1;
        let value = |&it: &VarId| match var(it) {
            Value::Int(bits) => bits,
            Value::Float(_) | Value::Ptr(_) => unreachable!("only numbers were asked for"),
        };
        points.rows.insert(points.vars.iter().map(value).collect());
    }
}

impl Seen {
    pub fn of(program: &Program, loops: &Loops, budget: &Budget) -> Seen {
        let mut seen = Seen::default();
        for (&head, changes) in &loops.changes {
            let mut vars = numbers(program, head.0, &changes.vars);
            if let Some(said) = said_over(program, &loops.contracts, head) {
                vars.retain(|it| program.vars[*it].owner.is_none() || said.contains(it));
            }
            seen.heads.insert(head, Points { vars, rows: BTreeSet::new() });
        }
        let all_inputs = Counterexample { fixes_all: true, ..Counterexample::default() };
        let program = all_inputs.program(program);
        for seed in 0..RUNS {
            seen.n_in_run.clear();
            let config = Config {
                inputs: inputs(seed),
                classes: vec![Class::Assert],
                max_steps: STEPS,
                max_bytes: MAX_BYTES,
                budget: budget.clone(),
                ..Config::default()
            };
            run_watched(&program, &config, &mut seen);
        }
        seen
    }

    pub fn heads(&self) -> impl Iterator<Item = (LoopId, &Points)> {
        self.heads.iter().map(|(&head, points)| (head, points))
    }

    pub fn at(&self, head: LoopId) -> Option<&Points> {
        self.heads.get(&head)
    }
}

/// Small numbers that differ from run to run; the first runs are all zeros and all ones.
fn inputs(seed: u64) -> Vec<u128> {
    let mut rng = Rng::new(seed);
    let most = [1, 2, 3, 10, 50, 1000][(seed % 6) as usize];
    (0..200)
        .map(|_| if seed < 2 { u128::from(seed) } else { rng.below(most + 1) as u128 })
        .collect()
}

/// The numbers a function mentions, and those that its loop changes.
fn numbers(program: &Program, func: FuncId, changed: &[VarId]) -> Vec<VarId> {
    let mut seen: BTreeSet<VarId> = changed.iter().copied().collect();
    for block in program.funcs[func].blocks.iter() {
        let operands = block.insts.iter().flat_map(|inst| inst.op.operands());
        for operand in operands.chain(block.term.operands()) {
            program.exprs.for_each_var(operand, &mut |var| {
                seen.insert(var);
            });
        }
    }
    seen.into_iter().filter(|&it| matches!(program.vars[it].ty, Ty::Int(_))).collect()
}
