//! Whether a violation depends on variables without a value. The interpreter takes these for 0 and null;
//! a compiled program finds what happens to lie there, and need not fail.

use hardbop_cir::interp::{Ending, run};
use hardbop_cir::{CheckId, Expr, ObjInfo, ObjKind, Op, Program, Shape, Source, Ty};

use super::Counterexample;

/// Bytes of the object that pointers without a value point to.
const ROOM: u64 = 1 << 16;

impl Counterexample {
    /// The violation is gone when variables without a value hold something else: numbers 1, pointers the address of
    /// memory that may be used.
    pub fn depends_on_unset(&self, original: &Program, check: CheckId) -> bool {
        let program = with_other_values(&self.program(original));
        run(&program, &self.up_to(&program, check)).ending != Ending::Violation(check)
    }
}

fn with_other_values(program: &Program) -> Program {
    let mut program = program.clone();
    let room = program.objects.push(ObjInfo {
        name: "memory that may be used".into(),
        kind: ObjKind::Global,
        size: Some(ROOM),
        init: Vec::new(),
        is_const: false,
        align: 16,
        copy_of: None,
        shape: Shape::Bytes,
        span: None,
    });
    let exprs = &mut program.exprs;
    for func in program.funcs.as_mut_slice() {
        for inst in func.blocks.as_mut_slice().iter_mut().flat_map(|block| &mut block.insts) {
            let Op::Nondet { dst, source: Source::Uninit } = inst.op else { continue };
            let value = match program.vars[dst].ty {
                Ty::Int(width) => exprs.int(width, 1),
                Ty::Float(ty) => exprs.add(Expr::Float { ty, bits: 1f64.to_bits() }),
                Ty::Ptr => exprs.add(Expr::Addr(room)),
            };
            inst.op = Op::Set { dst, value };
        }
    }
    program
}
