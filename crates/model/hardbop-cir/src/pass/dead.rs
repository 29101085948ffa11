//! Assignments to registers that nothing reads are dropped, and arguments for parameters that
//! nothing reads become 0: an address that is handed on for nothing keeps its object in memory.

use hardbop_base::fault::{Fault, is_on};
use hardbop_base::{Bits, Idx};

use crate::analysis::holding::held_by_calls;
use crate::check::Cond;
use crate::program::{Callee, Op, Program};

/// Returns how many assignments and arguments went.
pub fn drop_dead(program: &mut Program) -> usize {
    let mut n_dropped = 0;
    loop {
        let read = read_anywhere(program);
        let before = n_dropped;
        for func in program.funcs.ids() {
            for block in program.funcs[func].blocks.ids() {
                let mut insts = std::mem::take(&mut program.funcs[func].blocks[block].insts);
                let n = insts.len();
                insts.retain(
                    |it| !matches!(it.op, Op::Set { dst, .. } if !read.contains(dst.index())),
                );
                n_dropped += n - insts.len();
                for inst in &mut insts {
                    n_dropped += drop_arguments(program, &mut inst.op, &read);
                }
                program.funcs[func].blocks[block].insts = insts;
            }
        }
        if n_dropped == before {
            return n_dropped;
        }
    }
}

fn drop_arguments(program: &mut Program, op: &mut Op, read: &Bits) -> usize {
    let Op::Call { callee: Callee::Func(callee), args, .. } = op else { return 0 };
    let mut n_dropped = 0;
    for (at, arg) in args.iter_mut().enumerate() {
        let param = program.funcs[*callee].params[at];
        let nothing = super::promote::zero(program, program.vars[param].ty);
        if (!read.contains(param.index()) || is_on(Fault::DeadArguments)) && *arg != nothing {
            *arg = nothing;
            n_dropped += 1;
        }
    }
    n_dropped
}

fn read_anywhere(program: &Program) -> Bits {
    let mut read = Bits::new();
    // What a global register points to is not lost: whoever asks for leaks reads it.
    let asks_leak = |op: &Op| matches!(op, Op::Check { cond: Cond::NoLeak(_), .. });
    read.union_with(&held_by_calls(program));
    if program.insts().any(|(_, _, inst)| asks_leak(&inst.op)) {
        let globals = program.vars.iter_enumerated().filter(|(_, it)| it.owner.is_none());
        read.extend(globals.map(|(id, _)| id.index()));
    }
    for block in program.funcs.iter().flat_map(|func| &func.blocks) {
        let operands = block.insts.iter().flat_map(|inst| inst.op.operands());
        for operand in operands.chain(block.term.operands()) {
            program.exprs.for_each_var(operand, &mut |var| {
                read.insert(var.index());
            });
        }
    }
    read
}
