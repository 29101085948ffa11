//! Recursion: a function that calls itself is represented by what holds before and after each of its calls (Hoare,
//! "Procedures and parameters", 1971), guessed and proved as the invariants of loops are.
//!
//! Such a function is looked at once by itself, from any state in which what holds before a call does; each call
//! of it is replaced by any effect after which what holds after a call does.
//!
//! Why this leaves nothing out: take the first thing that goes wrong in an execution (a check that fails, a place
//! without a meaning, a candidate that does not hold at a loop, at a call or at a return). Look at the
//! innermost running call of such a function, or at `main` where there is none. What holds before that call held when it
//! began, and what holds after its inner calls held when they returned, because nothing went wrong before. So this is one of
//! the executions that were looked at.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::{Idx, IndexVec};
use hardbop_cir::analysis::graph::cycles;
use hardbop_cir::{
    Block, BlockId, Callee, Expr, ExprId, Func, FuncId, Inst, Op, Program, Term, Ty, VarId,
    VarInfo, VarKind,
};
use hardbop_symbolic::LoopId;
use hardbop_symbolic::forget::Changes;

use crate::candidates::Guesses;

/// Where it is said what holds before and after the calls of a function, and over which registers.
#[derive(Clone, Debug)]
pub struct Contract {
    /// The first block with something to do: said over parameters and global registers.
    pub begins: LoopId,
    /// The only block that returns: said over the registers below and global ones.
    pub returns: LoopId,
    /// Parameters that are numbers, each with a register that keeps its first value.
    pub old: Vec<(VarId, VarId)>,
    pub result: Option<VarId>,
}

pub type Contracts = BTreeMap<FuncId, Contract>;

/// Contracts with what was proved.
#[derive(Clone, Default, Debug)]
pub struct Kept {
    pub contracts: Contracts,
    /// At the places where they begin and return.
    pub facts: Guesses,
}

/// Gives each function that may call itself, but `main`, the registers and blocks that its contract needs.
pub fn prepare(program: &mut Program) -> Contracts {
    let mut contracts = Contracts::new();
    for func in recursive(program) {
        let is_entered_again = {
            let mut targets = program.funcs[func].blocks.iter().flat_map(|it| it.term.successors());
            targets.any(|it| it == ENTRY)
        };
        if func != program.main && !is_entered_again {
            let contract = add(program, func);
            contracts.insert(func, contract);
        }
    }
    contracts
}

const ENTRY: BlockId = BlockId::from_u32(0);

fn recursive(program: &Program) -> Vec<FuncId> {
    let n = program.funcs.len();
    let mut callees: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (func, _, inst) in program.insts() {
        match inst.op {
            Op::Call { callee: Callee::Func(callee), .. } => {
                callees[func.index()].push(callee.index());
            }
            Op::Call { callee: Callee::Ptr(_), .. } => return Vec::new(),
            _ => {}
        }
    }
    let is_recursive = cycles(&callees, n);
    program.funcs.ids().filter(|it| is_recursive[it.index()]).collect()
}

fn add(program: &mut Program, func: FuncId) -> Contract {
    let params = program.funcs[func].params.clone();
    let mut old = Vec::new();
    for param in params {
        let it = &program.vars[param];
        if matches!(it.ty, Ty::Int(_)) {
            let name = format!("\\old({})", it.name);
            let (ty, is_signed) = (it.ty, it.is_signed);
            old.push((param, register(program, func, name, ty, is_signed)));
        }
    }
    let result = program.funcs[func].result;
    let result = result.map(|ty| register(program, func, "\\result".into(), ty, true));
    let set = |program: &mut Program, dst: VarId, from: VarId| {
        let value = program.exprs.var(from, program.vars[from].ty);
        Op::Set { dst, value }
    };
    let keeps: Vec<Op> = old.iter().map(|&(param, kept)| set(program, kept, param)).collect();
    // So that nobody takes them for dead on the way there.
    let reads: Vec<Op> = old.iter().map(|&(_, kept)| set(program, kept, kept)).collect();
    let returned = result.map(|it| program.exprs.var(it, program.vars[it].ty));
    let Func { blocks, .. } = &mut program.funcs[func];
    let entry = blocks[ENTRY].clone();
    let span = entry.insts.first().map_or(entry.span, |it| it.span);
    let insts = |ops: Vec<Op>| ops.into_iter().map(|op| Inst { op, span }).collect();
    let begins = blocks.push(entry);
    blocks[ENTRY] = Block { insts: insts(keeps), term: Term::Goto(begins), span };
    let term = Term::Return(returned);
    let returns = blocks.push(Block { insts: insts(reads), term, span });
    for block in (0..returns.index()).map(BlockId::new) {
        let it = &mut blocks[block];
        let Term::Return(value) = it.term else { continue };
        if let (Some(dst), Some(value)) = (result, value) {
            it.insts.push(Inst { op: Op::Set { dst, value }, span: it.span });
        }
        it.term = Term::Goto(returns);
    }
    Contract { begins: (func, begins), returns: (func, returns), old, result }
}

fn register(program: &mut Program, func: FuncId, name: String, ty: Ty, is_signed: bool) -> VarId {
    program.vars.push(VarInfo {
        name: name.into(),
        ty,
        is_signed,
        kind: VarKind::Local,
        owner: Some(func),
        init: None,
        span: None,
    })
}

/// What is arbitrary at the places where contracts are said, as if they were heads of loops, so that guesses are made for them.
pub fn places(
    program: &Program,
    contracts: &Contracts,
    calls: &IndexVec<FuncId, Changes>,
) -> BTreeMap<LoopId, Changes> {
    let mut places = BTreeMap::new();
    for (&func, contract) in contracts {
        let globals = calls[program.main].vars.iter().copied();
        let params = program.funcs[func].params.iter().copied();
        let vars = params.chain(globals).collect();
        places.insert(contract.begins, Changes { vars, ..Changes::default() });
        let globals = calls[func].vars.iter().copied();
        let vars = contract.result.into_iter().chain(globals).collect();
        places.insert(contract.returns, Changes { vars, ..Changes::default() });
    }
    places
}

/// Where a contract is said: the registers of the function that mean something there, at a call as inside. Elsewhere `None`.
pub fn said_over(
    program: &Program,
    contracts: &Contracts,
    place: LoopId,
) -> Option<BTreeSet<VarId>> {
    let contract = contracts.get(&place.0)?;
    if place == contract.begins {
        Some(program.funcs[place.0].params.iter().copied().collect())
    } else if place == contract.returns {
        Some(contract.old.iter().map(|it| it.1).chain(contract.result).collect())
    } else {
        None
    }
}

/// Drops the guesses that speak of other registers of the function.
pub fn restrict(program: &Program, contracts: &Contracts, guesses: &mut Guesses) {
    for (&place, list) in guesses {
        let Some(known) = said_over(program, contracts, place) else { continue };
        list.retain(|&it| {
            let mut is_said = true;
            program.exprs.for_each_var(it, &mut |var| {
                is_said &= program.vars[var].owner.is_none() || known.contains(&var);
            });
            is_said
        });
    }
}

/// The constants that a function compares with, small ones first.
pub fn compared(program: &Program, func: FuncId) -> Vec<i128> {
    let mut found = BTreeSet::from([0, 1]);
    let blocks = &program.funcs[func].blocks;
    let insts = blocks.iter().flat_map(|it| it.insts.iter());
    let operands = insts.flat_map(|inst| inst.op.operands());
    for operand in operands.chain(blocks.iter().filter_map(|it| it.term.operands())) {
        program.exprs.visit(operand, &mut |_, node| {
            let Expr::Binary(_, a, b) = node else { return };
            for (value, width) in [a, b].into_iter().filter_map(|it| number(program, it)) {
                found.insert(hardbop_cir::eval::signed(value, width));
            }
        });
    }
    let mut found: Vec<i128> = found.into_iter().collect();
    found.sort_by_key(|it| it.abs());
    found
}

fn number(program: &Program, id: ExprId) -> Option<(u128, u8)> {
    match (program.exprs.as_int(id), program.exprs.ty(id)) {
        (Some(value), Ty::Int(width)) if width > 1 => Some((value, width)),
        _ => None,
    }
}
