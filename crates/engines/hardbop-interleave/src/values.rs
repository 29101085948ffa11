//! Which values of an input make a difference.
//!
//! A register that is only ever compared with constants falls into regions between them; one value of each
//! region stands for all. Copies into other registers count with what is asked of these.

use std::collections::BTreeSet;

use hardbop_base::{Idx, IndexVec};
use hardbop_cir::{
    BinOp, Callee, Expr, ExprId, FuncId, Inst, Op, Program, Stop, Term, ThreadOp, Ty, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Values to try.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Values {
    pub tried: Vec<u128>,
    /// Whether they stand for all.
    pub are_all: bool,
}

/// Types of up to so many bits are tried out.
const FEW_BITS: u8 = 2;

/// More than this for one input are not tried.
const MAX_TRIED: usize = 40;

/// What is asked of a register.
#[derive(Clone, Default)]
struct Asked {
    constants: BTreeSet<u128>,
    /// Registers it is copied to.
    copies: BTreeSet<usize>,
    /// It is compared for more than equality.
    is_ordered: bool,
    /// It is used in some other way.
    is_open: bool,
}

pub(crate) struct Choices {
    asked: IndexVec<VarId, Asked>,
    widths: IndexVec<VarId, Option<u8>>,
}

impl Choices {
    pub fn of(program: &Program) -> Choices {
        let n = program.vars.len();
        let mut it = Choices {
            asked: IndexVec::from_elem(Asked::default(), n),
            widths: program.vars.iter().map(|it| int_width(it.ty)).collect(),
        };
        let (read, mut seen) = (read(program), FxHashMap::default());
        for (_, _, inst) in program.insts() {
            let copies: Vec<(VarId, ExprId)> = match &inst.op {
                Op::Set { dst, value } => vec![(*dst, *value)],
                Op::Call { callee: Callee::Func(func), args, .. } => {
                    let params = program.funcs[*func].params.iter().copied();
                    params.zip(args.iter().copied()).collect()
                }
                op => {
                    op.operands()
                        .into_iter()
                        .for_each(|operand| it.used(program, operand, &mut seen));
                    Vec::new()
                }
            };
            for (dst, value) in copies {
                match program.exprs.get(value) {
                    // What is never read asks nothing.
                    _ if !read.contains(&dst) => {}
                    Expr::Var(from) => {
                        it.asked[from].copies.insert(dst.index());
                    }
                    _ => it.used(program, value, &mut seen),
                }
            }
        }
        let ignores_results = ignores_results(program);
        let called = called(program);
        for (id, func) in program.funcs.iter_enumerated() {
            for block in func.blocks.iter() {
                match block.term {
                    // What a thread leaves and nobody asks for.
                    Term::Return(_) if ignores_results && !called.contains(&id) => {}
                    Term::Stop(Stop::Thread(_)) if ignores_results => {}
                    _ => {
                        let operand = block.term.operands();
                        operand
                            .into_iter()
                            .for_each(|operand| it.used(program, operand, &mut seen));
                    }
                }
            }
        }
        it
    }

    /// Notes how registers are used in an expression: compared with a constant, or in any other way.
    fn used(&mut self, program: &Program, root: ExprId, seen: &mut FxHashMap<ExprId, ()>) {
        if seen.insert(root, ()).is_some() {
            return;
        }
        let exprs = &program.exprs;
        if let Expr::Var(var) = exprs.get(root) {
            // A truth value has two values, however it is used.
            self.asked[var].is_open = true;
            return;
        }
        let mut todo = vec![root];
        while let Some(id) = todo.pop() {
            let node = exprs.get(id);
            if let Expr::Binary(op, a, b) = node
                && matches!(
                    op,
                    BinOp::Eq | BinOp::Ne | BinOp::Ult | BinOp::Ule | BinOp::Slt | BinOp::Sle
                )
            {
                let pair = match (plain(program, a), plain(program, b)) {
                    (Some(var), None) => exprs.as_int(b).map(|it| (var, it)),
                    (None, Some(var)) => exprs.as_int(a).map(|it| (var, it)),
                    _ => None,
                };
                if let Some((var, constant)) = pair {
                    self.asked[var].constants.insert(constant);
                    self.asked[var].is_ordered |= !matches!(op, BinOp::Eq | BinOp::Ne);
                    continue;
                }
            }
            for operand in node.operands() {
                match exprs.get(operand) {
                    Expr::Var(var) => self.asked[var].is_open = true,
                    _ if seen.insert(operand, ()).is_none() => todo.push(operand),
                    _ => {}
                }
            }
        }
    }

    /// The values of a register that stand for all, or some.
    pub fn values(&self, var: VarId, is_read: bool) -> Values {
        if !is_read {
            return Values { tried: vec![0], are_all: true };
        }
        let Some(width) = self.widths[var] else {
            let asked = &self.asked[var];
            let is_ignored =
                !asked.is_open && asked.constants.is_empty() && asked.copies.is_empty();
            return Values { tried: vec![0], are_all: is_ignored };
        };
        let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        if width <= FEW_BITS {
            return Values { tried: (0..=mask).collect(), are_all: true };
        }
        let (mut constants, mut is_open) = (BTreeSet::new(), false);
        let (mut met, mut todo) = (BTreeSet::from([var.index()]), vec![var.index()]);
        while let Some(at) = todo.pop() {
            let asked = &self.asked[VarId::new(at)];
            constants.extend(&asked.constants);
            is_open |= asked.is_open || self.widths[VarId::new(at)] != Some(width);
            todo.extend(asked.copies.iter().copied().filter(|&it| met.insert(it)));
        }
        let is_ordered = met.iter().any(|&at| self.asked[VarId::new(at)].is_ordered);
        let mut tried: Vec<u128> = Vec::new();
        let mut add = |value: u128| {
            if !tried.contains(&(value & mask)) {
                tried.push(value & mask);
            }
        };
        match is_open || is_ordered {
            // Each constant, and one that is none of them.
            false => {
                add((0..=mask).find(|it| !constants.contains(it)).unwrap_or(0));
                constants.iter().for_each(|&it| add(it));
            }
            // One value of each region, in both orders: signed and unsigned.
            true => {
                let sign = 1 << (width - 1);
                [0, 1].into_iter().for_each(&mut add);
                for &it in &constants {
                    [it, it.wrapping_add(1), it.wrapping_sub(1)].into_iter().for_each(&mut add);
                }
                [mask, sign - 1, sign].into_iter().for_each(&mut add);
            }
        }
        let are_all = !is_open && tried.len() <= MAX_TRIED;
        if is_open {
            tried.truncate(tried.len().min(6));
        }
        tried.truncate(MAX_TRIED);
        Values { tried, are_all }
    }
}

/// Registers that something reads.
fn read(program: &Program) -> FxHashSet<VarId> {
    let mut read = FxHashSet::default();
    let blocks = program.funcs.iter().flat_map(|func| func.blocks.iter());
    let ends = blocks.filter_map(|block| block.term.operands());
    let operands = program.insts().flat_map(|(_, _, inst)| inst.op.operands()).chain(ends);
    for operand in operands {
        program.exprs.for_each_var(operand, &mut |var| {
            read.insert(var);
        });
    }
    read
}

/// Functions that are called, or may be by a pointer; those that threads begin with alone are not.
fn called(program: &Program) -> FxHashSet<FuncId> {
    let mut called = FxHashSet::from_iter([program.main]);
    let mut by_pointer = false;
    for (_, _, inst) in program.insts() {
        match inst.op {
            Op::Call { callee: Callee::Func(func), .. } => {
                called.insert(func);
            }
            Op::Call { callee: Callee::Ptr(_), .. } => by_pointer = true,
            _ => {}
        }
    }
    if by_pointer {
        called.extend(program.funcs.ids());
    }
    called
}

/// Whether every wait for a thread says that its result is of no interest: the functions of the library that
/// ask for results get null for where they should go.
pub(crate) fn ignores_results(program: &Program) -> bool {
    let asks = |inst: &Inst| matches!(inst.op, Op::Thread(ThreadOp::Result { .. }));
    let asking: FxHashSet<FuncId> =
        program.insts().filter(|it| asks(it.2)).map(|it| it.0).collect();
    let is_null =
        |arg: Option<&ExprId>| arg.is_some_and(|&it| matches!(program.exprs.get(it), Expr::Null));
    let addressed = (0..program.exprs.len()).any(|at| match program.exprs.get(ExprId::new(at)) {
        Expr::FuncAddr(func) => asking.contains(&func),
        _ => false,
    });
    !addressed
        && program.insts().all(|(_, _, inst)| match &inst.op {
            Op::Call { callee: Callee::Func(func), args, .. } if asking.contains(func) => {
                is_null(args.get(1))
            }
            _ => true,
        })
}

fn int_width(ty: Ty) -> Option<u8> {
    match ty {
        Ty::Int(width) => Some(width),
        _ => None,
    }
}

/// The register that an operand is.
fn plain(program: &Program, id: ExprId) -> Option<VarId> {
    match program.exprs.get(id) {
        Expr::Var(var) => Some(var),
        _ => None,
    }
}
