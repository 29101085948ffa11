//! How large a program is: what shrinking is measured by.

use hardbop_base::{Bits, Idx};

use super::liveness::live_in;
use super::pointsto::PointsTo;
use super::ranges::Ranges;
use crate::check::Cond;
use crate::expr::Expr;
use crate::program::{ObjId, ObjKind, Op, Program, VarId};
use crate::ty::Ty;

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
    /// Bits of global and local objects of known size whose contents something may read.
    pub memory_bits: u64,
    /// Bits of the registers that hold a value from one block to another: the others are wires.
    pub state_bits: u64,
}

/// The bits that the registers of [`Size::state_bits`] need: numbers by their range, pointers to tell
/// apart the bytes they may point to.
pub fn needed_state_bits(program: &Program, ranges: &Ranges, points_to: &PointsTo) -> u64 {
    let needed = |var: VarId| {
        let ty = program.vars[var].ty;
        let all = u64::from(ty.bits(program.ptr_bits));
        match (ty, ranges.vars[var]) {
            (Ty::Int(_), Some(range)) => u64::from(range.bits()).min(all),
            (Ty::Ptr, _) => pointer_bits(program, points_to, var).unwrap_or(all).min(all),
            _ => all,
        }
    };
    state_registers(program).iter().map(|at| needed(VarId::new(at))).sum()
}

/// `None` if it may point anywhere, or into an object of any size.
fn pointer_bits(program: &Program, points_to: &PointsTo, var: VarId) -> Option<u64> {
    let targets = points_to.of_var(var);
    // Null, and each byte of each object with the place past its end.
    let mut n_places = 1 + targets.funcs.len() as u64;
    for object in targets.objects {
        n_places = n_places.checked_add(program.objects[object].size?.checked_add(1)?)?;
    }
    (!targets.is_unknown).then(|| u64::from(n_places.next_power_of_two().trailing_zeros()))
}

/// Global registers that are mentioned, and local ones that a block may find with a value.
fn state_registers(program: &Program) -> Bits {
    let mut state = mentioned(program);
    let mut carried = Bits::new();
    for func in &program.funcs {
        for live in &live_in(program, func) {
            carried.union_with(live);
        }
    }
    for (id, var) in program.vars.iter_enumerated() {
        if var.owner.is_some() && !carried.contains(id.index()) {
            state.remove(id.index());
        }
    }
    state
}

/// Objects that are named, and that a load, a copy, a print or a question about their contents may
/// read.
fn read_objects(program: &Program, points_to: &PointsTo) -> Bits {
    let (mut objects, mut named) = (Bits::new(), Bits::new());
    let mut read = |ptr| {
        let targets = points_to.targets(program, ptr);
        match targets.is_unknown {
            true => objects.extend(program.objects.ids().map(Idx::index)),
            false => objects.extend(targets.objects.into_iter().map(Idx::index)),
        }
    };
    for (_, _, inst) in program.insts() {
        for operand in inst.op.operands() {
            program.exprs.visit(operand, &mut |_, node| {
                if let Expr::Addr(object) = node {
                    named.insert(object.index());
                }
            });
        }
        match &inst.op {
            Op::Load { ptr, .. } | Op::Check { cond: Cond::Written { ptr, .. }, .. } => read(*ptr),
            Op::Copy { src, .. } => read(*src),
            Op::Print { args, .. } => args.iter().copied().for_each(&mut read),
            _ => {}
        }
    }
    // Contents of named objects name further ones.
    for object in &program.objects {
        for init in &object.init {
            program.exprs.visit(init.value, &mut |_, node| {
                if let Expr::Addr(object) = node {
                    named.insert(object.index());
                }
            });
        }
    }
    objects.intersect_with(&named);
    objects
}

/// Registers that instructions read or write.
fn mentioned(program: &Program) -> Bits {
    let mut vars = Bits::new();
    let mention = |id, vars: &mut Bits| {
        program.exprs.for_each_var(id, &mut |var| {
            vars.insert(var.index());
        });
    };
    for block in program.funcs.iter().flat_map(|func| &func.blocks) {
        for inst in &block.insts {
            inst.op.operands().into_iter().for_each(|id| mention(id, &mut vars));
            vars.extend(inst.op.dst().map(Idx::index));
        }
        block.term.operands().into_iter().for_each(|id| mention(id, &mut vars));
    }
    vars
}

impl Size {
    pub fn of(program: &Program, points_to: &PointsTo) -> Size {
        let (vars, objects) = (mentioned(program), read_objects(program, points_to));
        let blocks = || program.funcs.iter().flat_map(|func| &func.blocks);
        let insts = || blocks().flat_map(|block| &block.insts);
        let bits = |set: &Bits| {
            let bits = |at| program.vars[VarId::new(at)].ty.bits(program.ptr_bits);
            set.iter().map(|at| u64::from(bits(at))).sum()
        };
        let is_variable = |info: &crate::program::ObjInfo| {
            !matches!(info.kind, ObjKind::Heap(_)) && !info.is_const
        };
        let objects = objects.iter().map(|at| &program.objects[ObjId::new(at)]);
        Size {
            n_blocks: blocks().count(),
            n_insts: insts().count(),
            n_checks: insts().filter(|it| matches!(it.op, Op::Check { .. })).count(),
            n_vars: vars.len(),
            register_bits: bits(&vars),
            memory_bits: objects
                .filter(|it| is_variable(it))
                .map(|it| it.size.unwrap_or(0).saturating_mul(8))
                .sum(),
            state_bits: bits(&state_registers(program)),
        }
    }
}
