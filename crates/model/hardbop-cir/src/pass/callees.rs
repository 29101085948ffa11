//! Calls through pointers become a switch over the functions the pointer may hold.
//!
//! The last branch stops as unsupported, so that nothing is lost where the pointer holds something
//! else, such as no value at all.

use hardbop_base::Idx;
use hardbop_base::fault::{Fault, is_on};

use crate::analysis::PointsTo;
use crate::expr::{BinOp, Expr};
use crate::program::{Block, BlockId, Callee, FuncId, Inst, Op, Program, Stop, Term};

/// Returns how many calls were replaced.
pub fn resolve_calls(program: &mut Program, points_to: &PointsTo) -> usize {
    let mut n_replaced = 0;
    for func in program.funcs.ids() {
        let mut block = 0;
        while block < program.funcs[func].blocks.len() {
            let id = BlockId::new(block);
            let at = program.funcs[func].blocks[id]
                .insts
                .iter()
                .position(|inst| matches!(inst.op, Op::Call { callee: Callee::Ptr(_), .. }));
            if let Some(at) = at {
                resolve(program, points_to, func, id, at);
                n_replaced += 1;
            }
            block += 1;
        }
    }
    n_replaced
}

fn resolve(program: &mut Program, points_to: &PointsTo, func: FuncId, block: BlockId, at: usize) {
    let here = &mut program.funcs[func].blocks[block];
    let rest = here.insts.split_off(at + 1);
    let Some(Inst { op: Op::Call { dst, callee: Callee::Ptr(ptr), args }, span }) =
        here.insts.pop()
    else {
        return;
    };
    let (term, term_span) = (here.term.clone(), here.span);
    let targets = points_to.targets(program, ptr);
    let fits = |candidate: &FuncId| {
        let it = &program.funcs[*candidate];
        it.params.len() == args.len()
            && it
                .params
                .iter()
                .zip(&args)
                .all(|(&param, &arg)| program.vars[param].ty == program.exprs.ty(arg))
            && dst.is_none_or(|dst| it.result == Some(program.vars[dst].ty))
    };
    let mut callees: Vec<FuncId> = targets.funcs.iter().copied().filter(fits).collect();
    if is_on(Fault::CalleeForgotten) {
        callees.pop();
    }
    // Soundness: null, an uninitialised pointer, a function of another type end here, seen.
    let what = "a call of an unknown function or of one of another type";
    let last = Term::Stop(Stop::Unsupported(what.into()));
    let blocks = &mut program.funcs[func].blocks;
    let after = blocks.push(Block { insts: rest, term, span: term_span });
    let mut next = blocks.push(Block { insts: Vec::new(), term: last, span });
    for callee in callees.into_iter().rev() {
        let op = Op::Call { dst, callee: Callee::Func(callee), args: args.clone() };
        let blocks = &mut program.funcs[func].blocks;
        let call =
            blocks.push(Block { insts: vec![Inst { op, span }], term: Term::Goto(after), span });
        let address = program.exprs.add(Expr::FuncAddr(callee));
        let cond = program.exprs.binary(BinOp::Eq, ptr, address);
        let term = Term::Branch { cond, yes: call, no: next };
        next = program.funcs[func].blocks.push(Block { insts: Vec::new(), term, span });
    }
    let here = &mut program.funcs[func].blocks[block];
    (here.term, here.span) = (Term::Goto(next), span);
}
