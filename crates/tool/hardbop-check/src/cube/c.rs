//! C: split by bits of inputs that an execution reads at most once: in no loop, and in functions that are called from
//! one place that is executed at most once.

use hardbop_base::{Idx, IndexVec};
use hardbop_c::CProgram;
use hardbop_cir::{
    BinOp, BlockId, Callee, Expr, ExprId, Func, FuncId, Inst, Op, Program, Source, Ty, VarId,
};

use super::Fixed;

/// An input, and where it is read.
#[derive(Clone, PartialEq, Eq)]
struct Site {
    func: FuncId,
    block: BlockId,
    /// The instruction.
    at: usize,
    dst: VarId,
    width: u8,
    name: String,
}

/// The program with an assumption behind each input that is split.
pub fn restrict(
    loaded: &CProgram,
    values: impl FnOnce(usize) -> Option<Vec<bool>>,
) -> Option<(CProgram, Vec<Fixed>)> {
    let sites = sites(loaded, &loaded.program);
    let bits = bits(&sites);
    let values = values(bits.len())?;
    let chosen: Vec<(&Site, u8, bool)> =
        bits.into_iter().zip(values).map(|((site, bit), value)| (site, bit, value)).collect();
    let named = |(site, bit, value): &(&Site, u8, bool)| Fixed {
        what: format!("bit {bit} of {}", site.name),
        value: *value,
    };
    let fixed = chosen.iter().map(named).collect();
    let mut part = loaded.clone();
    assume(&mut part.program, &chosen);
    // Soundness: where the other reading of functions without a body asks otherwise, it is not looked at.
    part.trusting = match part.trusting.take() {
        Some(mut trusting) if self::sites(loaded, &trusting) == sites => {
            assume(&mut trusting, &chosen);
            Some(trusting)
        }
        _ => None,
    };
    Some((part, fixed))
}

/// The lowest bit of each input first: a parity and a truth value are worth more than a sign.
fn bits(sites: &[Site]) -> Vec<(&Site, u8)> {
    let widest = sites.iter().map(|it| it.width).max().unwrap_or(0);
    let of = |bit: u8| sites.iter().filter(move |it| bit < it.width).map(move |it| (it, bit));
    (0..widest).flat_map(of).collect()
}

/// Soundness: only what an execution comes to at most once. Were it twice, an execution could have both values and be
/// in no part.
fn sites(loaded: &CProgram, program: &Program) -> Vec<Site> {
    let mut sites = Vec::new();
    for func in called_once(program) {
        let body = &program.funcs[func];
        for (block, inside) in body.blocks.iter_enumerated() {
            if reaches_itself(body, block) {
                continue;
            }
            for (at, inst) in inside.insts.iter().enumerate() {
                let Op::Nondet { dst, source: Source::Input(name) } = &inst.op else { continue };
                let Ty::Int(width) = program.vars[*dst].ty else { continue };
                let line = loaded.sources.position(inst.span).line;
                let name = format!("{name} at line {line} ({func}.{block}.{at})");
                sites.push(Site { func, block, at, dst: *dst, width, name });
            }
        }
    }
    sites
}

/// The first function, if nobody calls it, and those with one call, which is in one of these and in no loop.
fn called_once(program: &Program) -> Vec<FuncId> {
    let mut calls: IndexVec<FuncId, Vec<(FuncId, BlockId)>> =
        IndexVec::from_elem(Vec::new(), program.funcs.len());
    for (caller, body) in program.funcs.iter_enumerated() {
        for (block, inside) in body.blocks.iter_enumerated() {
            for inst in &inside.insts {
                if let Op::Call { callee: Callee::Func(callee), .. } = inst.op {
                    calls[callee].push((caller, block));
                }
            }
        }
    }
    // Whoever has an address may be called through it.
    let mut is_open: IndexVec<FuncId, bool> = IndexVec::from_elem(true, program.funcs.len());
    for id in (0..program.exprs.len()).map(ExprId::new) {
        if let Expr::FuncAddr(func) = program.exprs.get(id) {
            is_open[func] = false;
        }
    }
    let mut once = Vec::new();
    if calls[program.main].is_empty() && is_open[program.main] {
        once.push(program.main);
        is_open[program.main] = false;
    }
    // Soundness: a function that calls itself, by whatever way, is never added: its caller would have to be before it.
    let mut at = 0;
    while at < once.len() {
        for func in program.funcs.ids() {
            let [(caller, block)] = calls[func][..] else { continue };
            let is_here = caller == once[at] && !reaches_itself(&program.funcs[caller], block);
            if is_here && std::mem::replace(&mut is_open[func], false) {
                once.push(func);
            }
        }
        at += 1;
    }
    once
}

fn reaches_itself(func: &Func, block: BlockId) -> bool {
    let (mut seen, mut todo) =
        (vec![false; func.blocks.len()], func.blocks[block].term.successors());
    while let Some(next) = todo.pop() {
        if next == block {
            return true;
        }
        if !std::mem::replace(&mut seen[next.index()], true) {
            todo.extend(func.blocks[next].term.successors());
        }
    }
    false
}

fn assume(program: &mut Program, chosen: &[(&Site, u8, bool)]) {
    // From behind: what is put in does not move what comes before.
    let mut chosen: Vec<_> = chosen.to_vec();
    chosen.sort_by_key(|it| (it.0.func, it.0.block, std::cmp::Reverse(it.0.at)));
    for (site, bit, value) in chosen {
        let var = program.exprs.var(site.dst, Ty::Int(site.width));
        let mask = program.exprs.int(site.width, 1 << bit);
        let zero = program.exprs.int(site.width, 0);
        let masked = program.exprs.add(Expr::Binary(BinOp::And, var, mask));
        let compare = if value { BinOp::Ne } else { BinOp::Eq };
        let cond = program.exprs.add(Expr::Binary(compare, masked, zero));
        let insts = &mut program.funcs[site.func].blocks[site.block].insts;
        let span = insts[site.at].span;
        insts.insert(site.at + 1, Inst { op: Op::Assume { cond }, span });
    }
}
