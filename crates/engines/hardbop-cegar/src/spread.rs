//! Predicates of the text carried over calls: what a caller compares, said of the callee's parameters
//! and result; what functions that call each other say of theirs, said of each other's; and the signs of
//! parameters and results, which recursion counts down to.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::Idx;
use hardbop_cir::analysis::graph::post_order;
use hardbop_cir::{BinOp, Callee, Expr, ExprId, FuncId, Op, Ty, VarId};
use hardbop_symbolic::region::{At, Cuts};

use crate::cuts::CutPoints;
use crate::families::smaller_differences;
use crate::normal::{Normal, Site};
use crate::predicates::{Predicates, names_at};

/// Predicates a function may get from one other.
const MAX_CARRIED: usize = 40;
/// Over how many calls they are carried.
const ROUNDS: usize = 2;

pub type Texts = BTreeMap<FuncId, BTreeSet<ExprId>>;

/// Adds to what each function says.
pub fn spread(normal: &Normal, cuts: &CutPoints, predicates: &mut Predicates, texts: &mut Texts) {
    let called: BTreeSet<FuncId> =
        normal.sites.values().map(|it| it.callee).filter(|&it| cuts.at_call(it)).collect();
    for &func in &called {
        signs(normal, predicates, func, texts.entry(func).or_default());
    }
    let sites = || normal.sites.iter().filter(|it| called.contains(&it.1.callee));
    for _ in 0..ROUNDS {
        for (&(func, at), site) in sites() {
            carry(normal, predicates, (func, site.callee), &inward(normal, func, at, site), texts);
        }
    }
    for (from, to) in partners(normal, &called) {
        carry(normal, predicates, (from, to), &parallel(normal, from, to), texts);
    }
    for said in texts.values_mut() {
        let more = smaller_differences(&mut predicates.pool, said);
        said.extend(more);
    }
}

/// Says what one function says with the names of the other.
fn carry(
    normal: &Normal,
    predicates: &mut Predicates,
    (from, to): (FuncId, FuncId),
    names: &BTreeMap<VarId, VarId>,
    texts: &mut Texts,
) {
    let said: Vec<ExprId> = texts.get(&from).into_iter().flatten().copied().collect();
    let is_there = |var: &VarId| normal.program.vars[*var].owner.is_none_or(|it| it == to);
    let mut carried = BTreeSet::new();
    for predicate in said {
        if predicates.vars(predicate).iter().any(|it| names.contains_key(it)) {
            let there = predicates.rename(predicate, normal, names);
            if predicates.vars(there).iter().all(is_there) {
                carried.insert(there);
            }
        }
        if carried.len() == MAX_CARRIED {
            break;
        }
    }
    texts.entry(to).or_default().extend(carried);
}

/// The callee's names of a caller's registers: of what is passed and returned, and of the registers it
/// comes from and goes to.
pub fn inward(normal: &Normal, func: FuncId, at: At, site: &Site) -> BTreeMap<VarId, VarId> {
    let pairs = names_at(normal, site);
    let mut names: BTreeMap<VarId, VarId> = BTreeMap::new();
    let insts = &normal.program.funcs[func].blocks[at.block].insts;
    let copies = |insts: &[hardbop_cir::Inst]| {
        let copy = |inst: &hardbop_cir::Inst| match inst.op {
            Op::Set { dst, value } => match normal.program.exprs.get(value) {
                Expr::Var(from) => Some((dst, from)),
                _ => None,
            },
            _ => None,
        };
        insts.iter().filter_map(copy).collect::<Vec<_>>()
    };
    let first = at.inst.saturating_sub(site.args.len());
    for (dst, from) in copies(&insts[first..at.inst]) {
        if let Some((&inner, _)) = pairs.iter().find(|it| *it.1 == dst) {
            names.insert(from, inner);
        }
    }
    if let (Some(result), Some(inner)) = (site.result, normal.results[site.callee]) {
        let behind = &insts[at.inst + 1..];
        let goes_to = copies(&behind[..behind.len().min(2)]);
        names.extend(goes_to.into_iter().filter(|it| it.1 == result).map(|it| (it.0, inner)));
    }
    names.extend(pairs.into_iter().map(|(inner, outer)| (outer, inner)));
    names
}

/// Parameters and results of two functions of the same type.
fn parallel(normal: &Normal, from: FuncId, to: FuncId) -> BTreeMap<VarId, VarId> {
    let params = |func: FuncId| normal.program.funcs[func].params.iter().copied();
    params(from).zip(params(to)).chain(normal.results[from].zip(normal.results[to])).collect()
}

/// Functions of the same type that call each other, directly or not.
fn partners(normal: &Normal, called: &BTreeSet<FuncId>) -> Vec<(FuncId, FuncId)> {
    let program = &normal.program;
    let mut callees: Vec<Vec<usize>> = vec![Vec::new(); program.funcs.len()];
    for (func, _, inst) in program.insts() {
        if let Op::Call { callee: Callee::Func(callee), .. } = inst.op {
            callees[func.index()].push(callee.index());
        }
    }
    let reached: BTreeMap<FuncId, BTreeSet<usize>> = called
        .iter()
        .map(|&it| (it, post_order(&callees, it.index()).into_iter().collect()))
        .collect();
    let ty = |func: FuncId| {
        let params = program.funcs[func].params.iter().map(|&it| program.vars[it].ty);
        (params.collect::<Vec<Ty>>(), program.funcs[func].result)
    };
    let mut pairs = Vec::new();
    for &a in called {
        for &b in called {
            let is_mutual = reached[&a].contains(&b.index()) && reached[&b].contains(&a.index());
            if a != b && is_mutual && ty(a) == ty(b) {
                pairs.push((a, b));
            }
        }
    }
    pairs
}

/// Whether parameters and result are less than 0, 0 or more.
fn signs(normal: &Normal, predicates: &mut Predicates, func: FuncId, into: &mut BTreeSet<ExprId>) {
    let program = &normal.program;
    let vars = program.funcs[func].params.iter().copied().chain(normal.results[func]);
    let pool = &mut predicates.pool;
    for var in vars {
        let Ty::Int(width) = program.vars[var].ty else { continue };
        let (value, zero) = (pool.var(var, Ty::Int(width)), pool.int(width, 0));
        into.insert(pool.binary(BinOp::Eq, value, zero));
        if width > 1 {
            into.insert(pool.binary(BinOp::Slt, value, zero));
            into.insert(pool.binary(BinOp::Slt, zero, value));
        }
    }
}
