//! How large a program is: what shrinking is measured by.

use hardbop_base::{Bits, Idx};

use crate::program::{ObjKind, Program};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Blocks.
    pub n_blocks: usize,
    pub n_insts: usize,
    pub n_checks: usize,
    /// Registers that are read or written.
    pub n_vars: usize,
    /// Bits of those registers.
    pub register_bits: u64,
    /// Bits of global and local objects of known size that are mentioned.
    pub memory_bits: u64,
}

impl Size {
    pub fn of(program: &Program) -> Size {
        let (mut vars, mut objects) = (Bits::new(), Bits::new());
        let mut size = Size {
            n_blocks: 0,
            n_insts: 0,
            n_checks: 0,
            n_vars: 0,
            register_bits: 0,
            memory_bits: 0,
        };
        let mut mention = |id, vars: &mut Bits| {
            program.exprs.visit(id, &mut |_, node| match node {
                crate::expr::Expr::Var(var) => drop(vars.insert(var.index())),
                crate::expr::Expr::Addr(object) => drop(objects.insert(object.index())),
                _ => {}
            });
        };
        for func in &program.funcs {
            for block in &func.blocks {
                size.n_blocks += 1;
                size.n_insts += block.insts.len();
                for inst in &block.insts {
                    size.n_checks +=
                        usize::from(matches!(inst.op, crate::program::Op::Check { .. }));
                    inst.op.operands().into_iter().for_each(|id| mention(id, &mut vars));
                    vars.extend(inst.op.dst().map(Idx::index));
                }
                block.term.operands().into_iter().for_each(|id| mention(id, &mut vars));
            }
        }
        for var in vars.iter() {
            size.n_vars += 1;
            let ty = program.vars[crate::program::VarId::new(var)].ty;
            size.register_bits += u64::from(ty.bits(program.ptr_bits));
        }
        for object in objects.iter() {
            let info = &program.objects[crate::program::ObjId::new(object)];
            if !matches!(info.kind, ObjKind::Heap(_)) && !info.is_const {
                size.memory_bits += info.size.unwrap_or(0) * 8;
            }
        }
        size
    }
}
