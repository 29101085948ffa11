//! Guesses from runs: the program is run on random small inputs, and the linear equations that all
//! values seen at a loop head satisfy are candidates (as Daikon does, Ernst et al. 2001).

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::Span;
use hardbop_bmc::Counterexample;
use hardbop_bmc::induct::LoopId;
use hardbop_cir::eval::signed;
use hardbop_cir::interp::{Config, Step, Value, Watch, run_watched};
use hardbop_cir::{BinOp, BlockId, Class, ExprId, FuncId, Program, Ty, VarId, VarKind};

use crate::candidates::Guesses;
use crate::linear::equations;
use crate::loops::Loops;

const RUNS: u64 = 60;
const STEPS: u64 = 20_000;
/// Points of one loop, and of one run of it.
const POINTS: usize = 400;
const POINTS_OF_A_RUN: usize = 12;
/// Registers of one loop.
const MAX_VARS: usize = 12;

/// The values seen at the heads.
struct Sampler {
    vars: BTreeMap<LoopId, Vec<VarId>>,
    widths: BTreeMap<VarId, u8>,
    points: BTreeMap<LoopId, BTreeSet<Vec<i128>>>,
    n_in_run: BTreeMap<LoopId, usize>,
}

impl Watch for Sampler {
    fn wants(&self, _: FuncId, _: Span) -> bool {
        false
    }

    fn step(&mut self, _: Step) {}

    fn enters(&mut self, func: FuncId, block: BlockId, var: &dyn Fn(VarId) -> Value) {
        let head = (func, block);
        let Some(vars) = self.vars.get(&head) else { return };
        let n = self.n_in_run.entry(head).or_default();
        let points = self.points.entry(head).or_default();
        if *n >= POINTS_OF_A_RUN || points.len() >= POINTS {
            return;
        }
        *n += 1;
        let value = |&it: &VarId| match var(it) {
            Value::Int(bits) => signed(bits, self.widths[&it]),
            _ => 0,
        };
        points.insert(std::iter::once(1).chain(vars.iter().map(value)).collect());
    }
}

/// Equations over the registers of one width that each loop's function names, those the loop does not
/// change first.
pub fn sampled(program: &mut Program, loops: &Loops) -> Guesses {
    let all_inputs = Counterexample { inputs: Vec::new(), fixes_all: true, fresh_byte: 0 };
    let mut points: Vec<(LoopId, Vec<VarId>, Vec<Vec<i128>>)> = Vec::new();
    for width in [32, 64] {
        let mut sampler = Sampler {
            vars: BTreeMap::new(),
            widths: BTreeMap::new(),
            points: BTreeMap::new(),
            n_in_run: BTreeMap::new(),
        };
        for (&head, changes) in &loops.changes {
            let vars = named(program, head.0, width, &changes.vars);
            sampler.widths.extend(vars.iter().map(|&it| (it, width)));
            sampler.vars.insert(head, vars);
        }
        let program = all_inputs.program(program);
        for seed in 0..RUNS {
            sampler.n_in_run.clear();
            let config = Config {
                inputs: inputs(seed),
                classes: vec![Class::Assert],
                max_steps: STEPS,
                ..Config::default()
            };
            run_watched(&program, &config, &mut sampler);
        }
        let Sampler { vars, points: seen, .. } = sampler;
        points.extend(
            seen.into_iter()
                .map(|(head, rows)| (head, vars[&head].clone(), rows.into_iter().collect())),
        );
    }
    let mut guesses = Guesses::new();
    for (head, vars, rows) in points {
        let changed = &loops.changes[&head].vars;
        for law in equations(&rows) {
            let is_of_loop =
                vars.iter().zip(&law[1..]).any(|(it, &c)| c != 0 && changed.contains(it));
            if is_of_loop {
                let guess = law_expr(program, &vars, &law);
                guesses.entry(head).or_default().push(guess);
            }
        }
    }
    guesses
}

/// Small numbers that differ from run to run; the first runs are all zeros and all ones.
fn inputs(seed: u64) -> Vec<u128> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        // xorshift64 (Marsaglia 2003)
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let most = [1, 2, 3, 10, 50, 1000][(seed % 6) as usize];
    (0..200)
        .map(|_| if seed < 2 { u128::from(seed) } else { u128::from(next() % (most + 1)) })
        .collect()
}

fn named(program: &Program, func: FuncId, width: u8, changed: &[VarId]) -> Vec<VarId> {
    let mut seen: BTreeSet<VarId> = BTreeSet::new();
    for block in program.funcs[func].blocks.iter() {
        let operands = block.insts.iter().flat_map(|inst| inst.op.operands());
        for operand in operands.chain(block.term.operands()) {
            program.exprs.for_each_var(operand, &mut |var| {
                seen.insert(var);
            });
        }
    }
    let is_number = |it: &VarId| {
        let info = &program.vars[*it];
        info.ty == Ty::Int(width) && info.kind != VarKind::Temp
    };
    let (last, first): (Vec<VarId>, Vec<VarId>) =
        seen.into_iter().filter(is_number).partition(|it| changed.contains(it));
    // What the loop changes matters most.
    let room = MAX_VARS.saturating_sub(last.len());
    first.into_iter().take(room).chain(last).take(MAX_VARS).collect()
}

fn law_expr(program: &mut Program, vars: &[VarId], law: &[i128]) -> ExprId {
    let Some(&Ty::Int(width)) = vars.first().map(|&it| &program.vars[it].ty) else {
        return program.exprs.bool(true);
    };
    // Positive parts on the left, negative ones on the right.
    let mut sides = [program.exprs.int(width, 0); 2];
    for (at, &factor) in law.iter().enumerate().filter(|it| *it.1 != 0) {
        let constant = program.exprs.int(width, factor.unsigned_abs());
        let part = match at.checked_sub(1) {
            None => constant,
            Some(at) => {
                let var = program.exprs.var(vars[at], Ty::Int(width));
                program.exprs.binary(BinOp::Mul, constant, var)
            }
        };
        let side = &mut sides[usize::from(factor < 0)];
        *side = program.exprs.binary(BinOp::Add, *side, part);
    }
    program.exprs.binary(BinOp::Eq, sides[0], sides[1])
}
