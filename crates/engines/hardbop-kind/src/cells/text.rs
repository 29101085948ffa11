//! What the text of a program says about the elements of its arrays: comparisons of elements, and
//! what is stored. Here guesses come from, so nothing has to be exact.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_cir::{
    BinOp, BlockId, CastOp, Expr, ExprId, ExprPool, FuncId, Op, Program, Term, Ty, VarId, VarInfo,
    VarKind,
};

use crate::cells::arrays::{Access, Arrays, Site};

/// Expressions with more nodes than this are not used.
const MAX_NODES: usize = 60;
/// How often a register is replaced by what it was set to.
const MAX_LEVELS: usize = 6;

/// A comparison that mentions elements; those are registers of [`Text::elements`].
#[derive(Clone, Copy, Debug)]
pub struct Atom {
    pub func: FuncId,
    pub expr: ExprId,
}

/// Whether a register has a step up, and down.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Ways {
    pub up: bool,
    pub down: bool,
}

#[derive(Default, Debug)]
pub struct Text {
    /// Registers that hold an element as it was read, or that stand for one that is stored.
    pub elements: BTreeMap<VarId, Access>,
    pub atoms: Vec<Atom>,
    /// Indices of accesses in each function, without those that mention elements.
    pub indices: BTreeMap<FuncId, BTreeSet<ExprId>>,
    pub ways: BTreeMap<VarId, Ways>,
    /// Loads and stores at an index that varies, those that checks depend on first.
    pub sites: Vec<Site>,
}

impl Text {
    /// Adds expressions, and a register for each store, to the program.
    pub fn of(program: &mut Program, arrays: &Arrays) -> Text {
        let mut text = Text { ways: ways(program), ..Text::default() };
        let defs = definitions(program);
        let blocks: Vec<(FuncId, BlockId)> = program
            .funcs
            .iter_enumerated()
            .flat_map(|(func, it)| it.blocks.ids().map(move |block| (func, block)))
            .collect();
        // Reads first: what is stored or compared may come from any of them.
        for (&(func, block, at), &access) in &arrays.accesses {
            if let Op::Load { dst, .. } = program.funcs[func].blocks[block].insts[at].op {
                text.elements.insert(dst, access);
            }
        }
        let sites: Vec<Site> = arrays.accesses.keys().copied().collect();
        for site in sites {
            text.access(program, arrays, &defs, site);
        }
        let mut near: BTreeSet<VarId> = BTreeSet::new();
        for (func, block) in blocks {
            text.block(program, &defs, func, block, &mut near);
        }
        text.rank(program, arrays, &near);
        text
    }

    fn access(
        &mut self,
        program: &mut Program,
        arrays: &Arrays,
        defs: &BTreeMap<VarId, ExprId>,
        site: Site,
    ) {
        let (func, block, at) = site;
        let access = arrays.accesses[&site];
        let op = program.funcs[func].blocks[block].insts[at].op.clone();
        if !matches!(op, Op::Load { .. } | Op::Store { .. }) {
            return;
        }
        let index = resolved(&mut program.exprs, defs, access.index);
        let access = Access { index, ..access };
        if program.exprs.as_int(index).is_none() && !self.mentions_element(program, index) {
            self.indices.entry(func).or_default().insert(index);
        }
        match op {
            Op::Load { dst, .. } => drop(self.elements.insert(dst, access)),
            Op::Store { value, .. } => {
                let value = resolved(&mut program.exprs, defs, value);
                let ty = Ty::Int(arrays.list[access.array].width);
                let stored = program.vars.push(VarInfo {
                    name: "stored".into(),
                    ty,
                    is_signed: true,
                    kind: VarKind::Temp,
                    owner: Some(func),
                    init: None,
                    span: None,
                });
                self.elements.insert(stored, access);
                let stored = program.exprs.var(stored, ty);
                let expr = program.exprs.binary(BinOp::Eq, stored, value);
                self.add(program, func, expr);
            }
            _ => {}
        }
    }

    /// The comparisons of a block; `near` gets the elements whose comparison may lead to a check.
    fn block(
        &mut self,
        program: &mut Program,
        defs: &BTreeMap<VarId, ExprId>,
        func: FuncId,
        block: BlockId,
        near: &mut BTreeSet<VarId>,
    ) {
        let body = &program.funcs[func].blocks;
        let has_check =
            |id: BlockId| body[id].insts.iter().any(|inst| matches!(inst.op, Op::Check { .. }));
        let term = &body[block].term;
        let is_last = term.successors().into_iter().any(has_check);
        let mut operands: Vec<(ExprId, bool)> = Vec::new();
        for inst in &body[block].insts {
            let is_near = matches!(inst.op, Op::Check { .. } | Op::Call { .. });
            operands.extend(inst.op.operands().into_iter().map(|it| (it, is_near)));
        }
        operands.extend(term.operands().map(|it| (it, is_last)));
        if let Term::Switch { value, cases, .. } = term.clone() {
            let Ty::Int(width) = program.exprs.ty(value) else { return };
            for (case, _) in cases.iter().take(8) {
                let case = program.exprs.int(width, *case);
                operands.push((program.exprs.binary(BinOp::Eq, value, case), false));
            }
        }
        for (operand, is_near) in operands {
            let operand = resolved(&mut program.exprs, defs, operand);
            let mut comparisons = Vec::new();
            program.exprs.visit(operand, &mut |id, node| match node {
                Expr::Binary(
                    BinOp::Eq | BinOp::Ne | BinOp::Ult | BinOp::Ule | BinOp::Slt | BinOp::Sle,
                    ..,
                ) => comparisons.push(id),
                Expr::Var(var) if is_near && self.elements.contains_key(&var) => {
                    near.insert(var);
                }
                _ => {}
            });
            comparisons.sort_unstable();
            comparisons.into_iter().for_each(|it| self.add(program, func, it));
        }
    }

    fn add(&mut self, program: &Program, func: FuncId, expr: ExprId) {
        let is_new = self.atoms.iter().all(|it| it.expr != expr);
        if is_new && self.mentions_element(program, expr) {
            self.atoms.push(Atom { func, expr });
        }
    }

    pub fn mentions_element(&self, program: &Program, expr: ExprId) -> bool {
        let mut found = false;
        program.exprs.for_each_var(expr, &mut |it| found |= self.elements.contains_key(&it));
        found
    }

    /// Orders the sites: reads that a check depends on, other reads, writes; later ones first.
    fn rank(&mut self, program: &Program, arrays: &Arrays, near: &BTreeSet<VarId>) {
        let mut ranked: Vec<(usize, Site)> = Vec::new();
        let mut seen: BTreeSet<(FuncId, BlockId, bool, ExprId)> = BTreeSet::new();
        for (&(func, block, at), access) in arrays.accesses.iter().rev() {
            let rank = match program.funcs[func].blocks[block].insts[at].op {
                Op::Load { dst, .. } if near.contains(&dst) => 0,
                Op::Load { .. } => 1,
                Op::Store { .. } => 2,
                _ => continue,
            };
            let varies = program.exprs.as_int(access.index).is_none();
            if varies && seen.insert((func, block, rank == 2, access.index)) {
                ranked.push((rank, (func, block, at)));
            }
        }
        ranked.sort_by_key(|it| it.0);
        self.sites = ranked.into_iter().map(|it| it.1).collect();
    }
}

fn ways(program: &Program) -> BTreeMap<VarId, Ways> {
    let mut ways: BTreeMap<VarId, Ways> = BTreeMap::new();
    for (_, _, inst) in program.insts() {
        if let Op::Set { dst, value } = inst.op
            && let Some((var, step)) = position(&program.exprs, value)
            && var == dst
        {
            let it = ways.entry(dst).or_default();
            it.up |= step > 0;
            it.down |= step < 0;
        }
    }
    ways
}

/// Registers that are set at one place only, and to what.
pub fn definitions(program: &Program) -> BTreeMap<VarId, ExprId> {
    let mut defs: BTreeMap<VarId, Option<ExprId>> = BTreeMap::new();
    for (_, _, inst) in program.insts() {
        let Some(dst) = inst.op.dst() else { continue };
        let value = match inst.op {
            Op::Set { value, .. } => Some(value),
            // The value a variable has before its first is of no use.
            Op::Nondet { .. } => continue,
            _ => None,
        };
        let before = defs.insert(dst, value);
        if before.is_some() {
            defs.insert(dst, None);
        }
    }
    let is_param = |it: &VarId| program.vars[*it].kind == VarKind::Param;
    defs.into_iter()
        .filter(|(var, _)| !is_param(var) && program.vars[*var].owner.is_some())
        .filter_map(|(var, value)| Some((var, value?)))
        .collect()
}

/// With registers replaced by what they were set to.
pub fn resolved(pool: &mut ExprPool, defs: &BTreeMap<VarId, ExprId>, mut expr: ExprId) -> ExprId {
    for _ in 0..MAX_LEVELS {
        let next = pool.rewrite(expr, &mut |leaf| match leaf {
            Expr::Var(var) => defs.get(&var).copied(),
            _ => None,
        });
        if next == expr || size(pool, next) > MAX_NODES {
            break;
        }
        expr = next;
    }
    expr
}

pub fn size(pool: &ExprPool, expr: ExprId) -> usize {
    let mut n = 0;
    pool.visit(expr, &mut |_, _| n += 1);
    n
}

/// An index as a register, perhaps extended, plus a constant.
pub fn position(pool: &ExprPool, index: ExprId) -> Option<(VarId, i128)> {
    let (mut id, mut sum) = (index, 0);
    loop {
        let Ty::Int(width) = pool.ty(id) else { return None };
        match pool.get(id) {
            Expr::Var(var) => return Some((var, sum)),
            Expr::Cast(CastOp::Sext | CastOp::Zext, _, inner) => id = inner,
            Expr::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                let constant = hardbop_cir::eval::signed(pool.as_int(b)?, width);
                sum += if op == BinOp::Add { constant } else { -constant };
                id = a;
            }
            _ => return None,
        }
    }
}

/// The expression where the register has the value `at - shift`, given in the width of an index.
pub fn at_index(
    pool: &mut ExprPool,
    expr: ExprId,
    register: VarId,
    at: ExprId,
    shift: i128,
) -> ExprId {
    let (Ty::Int(width), ty) = (pool.ty(at), pool.ty(expr)) else { return expr };
    if size(pool, expr) > MAX_NODES {
        return expr;
    }
    if ty == Ty::Int(width)
        && let Some((var, sum)) = position(pool, expr)
        && var == register
    {
        return plus(pool, at, sum - shift);
    }
    let node = pool.get(expr);
    let mut of = |it: ExprId| at_index(pool, it, register, at, shift);
    match node {
        Expr::Var(var) if var == register => {
            let value = plus(pool, at, -shift);
            match ty {
                Ty::Int(width) => pool.resize(value, width, true),
                _ => expr,
            }
        }
        Expr::Unary(op, a) => {
            let a = of(a);
            pool.unary(op, a)
        }
        Expr::Binary(op, a, b) => {
            let (a, b) = (of(a), of(b));
            pool.binary(op, a, b)
        }
        Expr::Cast(op, ty, a) => {
            let a = of(a);
            pool.cast(op, ty, a)
        }
        Expr::Ite(c, a, b) => {
            let (c, a, b) = (of(c), of(a), of(b));
            pool.ite(c, a, b)
        }
        _ => expr,
    }
}

pub fn plus(pool: &mut ExprPool, expr: ExprId, constant: i128) -> ExprId {
    let Ty::Int(width) = pool.ty(expr) else { return expr };
    let constant = pool.int(width, constant as u128);
    pool.binary(BinOp::Add, expr, constant)
}
