//! A program that asks nothing has one execution, and to execute it is to look at all of them.
//!
//! Soundness: the run must not have taken anything that C does not determine. The interpreter notes
//! arbitrary values, memory that was never written and whatever depends on addresses. What it cannot
//! see is asked of the program: a register read before it is written holds 0 in the interpreter
//! and anything in C; `long double` is kept as a `double`.

use hardbop_base::fault::{Fault, is_on};
use hardbop_base::{Bits, Idx};
use hardbop_cir::analysis::liveness::live_in;
use hardbop_cir::interp::{Ending, Run};
use hardbop_cir::{BlockId, ExprId, Func, FuncId, Op, Program, Source, Ty, VarId};

/// `int i;` gives `i` any value: where none of its reads sees that, it is no choice.
pub fn drop_unread(program: &mut Program) {
    for func in program.funcs.ids() {
        let live = live_in(program, &program.funcs[func]);
        for block in program.funcs[func].blocks.ids() {
            let it = &program.funcs[func].blocks[block];
            let after = it.term.successors().into_iter().map(|to| &live[to]);
            let mut read = after.fold(Bits::new(), |mut all, it| {
                all.union_with(it);
                all
            });
            note_reads(program, it.term.operands(), &mut read);
            let mut kept = Vec::new();
            for inst in it.insts.iter().rev() {
                let is_unread =
                    |dst: VarId| program.vars[dst].owner.is_some() && !read.contains(dst.index());
                if let Op::Nondet { dst, source: Source::Uninit } = inst.op
                    && is_unread(dst)
                {
                    continue;
                }
                if let Some(dst) = inst.op.dst() {
                    read.remove(dst.index());
                }
                note_reads(program, inst.op.operands(), &mut read);
                kept.push(inst.clone());
            }
            kept.reverse();
            program.funcs[func].blocks[block].insts = kept;
        }
    }
}

fn note_reads(program: &Program, operands: impl IntoIterator<Item = ExprId>, read: &mut Bits) {
    for operand in operands {
        program.exprs.for_each_var(operand, &mut |var| {
            read.insert(var.index());
        });
    }
}

/// Whether a run that violated nothing is all that the program can do. `was_in` knows the blocks it came to.
pub fn is_only_run(program: &Program, run: &Run, was_in: impl Fn(FuncId, BlockId) -> bool) -> bool {
    let has_ended = matches!(run.ending, Ending::Exit(_) | Ending::Abort);
    has_ended
        && run.violations.is_empty()
        && (!run.took.has_values() || is_on(Fault::InputsUncounted))
        && !run.took.has_addresses()
        && program.funcs.iter().all(|func| reads_only_params(program, func))
        && !computes_wide(program, was_in)
}

/// Whether the blocks a run came to have numbers wider than `double`.
fn computes_wide(program: &Program, was_in: impl Fn(FuncId, BlockId) -> bool) -> bool {
    let is_wide = |ty: Ty| matches!(ty, Ty::Float(it) if it.is_wider_than_double());
    let has_wide = |operands: Vec<ExprId>| {
        let mut found = false;
        for operand in operands {
            program.exprs.visit(operand, &mut |id, _| found |= is_wide(program.exprs.ty(id)));
        }
        found
    };
    program.funcs.ids().any(|func| {
        let blocks = &program.funcs[func].blocks;
        blocks.ids().filter(|&block| was_in(func, block)).any(|block| {
            let it = &blocks[block];
            let by_inst = it.insts.iter().any(|inst| {
                inst.op.dst().is_some_and(|dst| is_wide(program.vars[dst].ty))
                    || has_wide(inst.op.operands())
            });
            by_inst || has_wide(it.term.operands().into_iter().collect())
        })
    })
}

fn reads_only_params(program: &Program, func: &Func) -> bool {
    let live = live_in(program, func);
    let mut read = live[BlockId::from_u32(0)].iter();
    read.all(|it| func.params.contains(&VarId::from_u32(it as u32)))
}
