//! Accesses to promoted objects become assignments.

use std::collections::BTreeMap;

use hardbop_base::IndexVec;

use super::{never_fails, place, zero};
use crate::check::Cond;
use crate::eval::mask;
use crate::expr::{BinOp, ExprId};
use crate::program::{Inst, ObjId, Op, Program, Source, VarId};
use crate::ty::Ty;

/// Replaces the accesses.
pub(super) struct Promoter {
    /// The register of each field.
    pub registers: IndexVec<ObjId, Option<BTreeMap<u64, VarId>>>,
    /// Whether what they hold counts while calls run: what is left holds nothing.
    pub asks_calls: bool,
}

impl Promoter {
    pub fn rewrite(&self, program: &mut Program) {
        for func in program.funcs.ids() {
            for block in program.funcs[func].blocks.ids() {
                let insts = std::mem::take(&mut program.funcs[func].blocks[block].insts);
                let mut new = Vec::with_capacity(insts.len());
                for Inst { op, span } in insts {
                    match self.inst(program, &op) {
                        Some(ops) => new.extend(ops.into_iter().map(|op| Inst { op, span })),
                        None => new.push(Inst { op, span }),
                    }
                }
                program.funcs[func].blocks[block].insts = new;
            }
        }
        for (object, registers) in self.registers.iter_enumerated() {
            if registers.is_some() {
                program.objects[object].init.clear();
            }
        }
    }

    /// The registers of the object a pointer points to, if that was promoted.
    fn target(&self, program: &Program, ptr: ExprId) -> Option<(&BTreeMap<u64, VarId>, u64)> {
        let (object, at) = place(program, ptr)?;
        Some((self.registers[object].as_ref()?, at))
    }

    /// What stands for an instruction; `None` if it stays.
    fn inst(&self, program: &mut Program, op: &Op) -> Option<Vec<Op>> {
        match op {
            Op::Load { dst, ptr } => {
                let (registers, at) = self.target(program, *ptr)?;
                let value = program.exprs.var(registers[&at], program.vars[*dst].ty);
                Some(vec![Op::Set { dst: *dst, value }])
            }
            Op::Store { ptr, value } => {
                let (registers, at) = self.target(program, *ptr)?;
                Some(vec![Op::Set { dst: registers[&at], value: *value }])
            }
            Op::Copy { dst, src, size } => self.copy(program, *dst, *src, *size),
            Op::Fill { dst, byte, size } => {
                let (registers, start) = self.target(program, *dst)?;
                let byte = program.exprs.as_int(*byte).unwrap_or(0);
                let size = program.exprs.as_int(*size)? as u64;
                let fields = registers.range(start..start + size);
                Some(fields.map(|(_, &dst)| fill(program, dst, byte)).collect())
            }
            Op::Enter { object, .. } => {
                let registers = self.registers[*object].as_ref()?;
                let fresh = |&dst| Op::Nondet { dst, source: Source::Uninit };
                Some(registers.values().map(fresh).collect())
            }
            Op::Leave { object } => {
                let registers = self.registers[*object].as_ref()?;
                let mut end = |&dst| Op::Set { dst, value: zero(program, program.vars[dst].ty) };
                Some(registers.values().filter(|_| self.asks_calls).map(&mut end).collect())
            }
            Op::Check {
                cond:
                    cond @ (Cond::NotNull(ptr)
                    | Cond::Alive(ptr)
                    | Cond::Writable(ptr)
                    | Cond::InBounds { ptr, .. }),
                ..
            } => {
                self.target(program, *ptr)?;
                never_fails(program, cond).then(Vec::new)
            }
            _ => None,
        }
    }

    fn copy(
        &self,
        program: &mut Program,
        dst: ExprId,
        src: ExprId,
        size: ExprId,
    ) -> Option<Vec<Op>> {
        let (to, start) = self.target(program, dst)?;
        let size = program.exprs.as_int(size)? as u64;
        let fields: Vec<(u64, VarId)> =
            to.range(start..start + size).map(|(&at, &dst)| (at - start, dst)).collect();
        let source = self.target(program, src);
        Some(
            fields
                .into_iter()
                .map(|(by, dst)| match source {
                    Some((from, from_start)) => {
                        let ty = program.vars[dst].ty;
                        let value = program.exprs.var(from[&(from_start + by)], ty);
                        Op::Set { dst, value }
                    }
                    None => {
                        let by = program.exprs.int(program.ptr_bits, u128::from(by));
                        Op::Load { dst, ptr: program.exprs.binary(BinOp::PtrAdd, src, by) }
                    }
                })
                .collect(),
        )
    }
}

/// A register whose bytes are all `byte`.
fn fill(program: &mut Program, dst: VarId, byte: u128) -> Op {
    let value = match program.vars[dst].ty {
        Ty::Int(width) => {
            let bytes = (0..width.div_ceil(8)).fold(0, |sum, at| sum | byte << (8 * at));
            program.exprs.int(width, bytes & mask(width))
        }
        ty => zero(program, ty),
    };
    Op::Set { dst, value }
}
