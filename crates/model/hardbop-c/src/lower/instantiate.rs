//! Each call of a library function gets a copy of it.
//!
//! A rule that is broken inside the library is the caller's mistake: the checks of the copy stand at
//! the call. What a pointer may point to is also known better for each call than for all together.
//! The functions themselves stay only where a pointer may lead to them.

use hardbop_base::{Name, Span};
use hardbop_cir::pass::{copy_func, drop_unasked};
use hardbop_cir::{Block, BlockId, Callee, Check, Expr, FuncId, ObjKind, Op, Program, Stop, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use super::declared::{self, Rooms};
use crate::source::Sources;

pub(super) fn instantiate(
    program: &mut Program,
    library: &FxHashSet<FuncId>,
    rooms: &Rooms,
    sources: &Sources,
) {
    if library.is_empty() {
        return;
    }
    let callers: Vec<FuncId> = program.funcs.ids().filter(|it| !library.contains(it)).collect();
    for caller in callers {
        for block in program.funcs[caller].blocks.ids().collect::<Vec<_>>() {
            instantiate_calls(program, library, rooms, sources, caller, block);
        }
    }
    drop_uncalled(program, library);
    drop_unasked(program);
}

fn instantiate_calls(
    program: &mut Program,
    library: &FxHashSet<FuncId>,
    rooms: &Rooms,
    sources: &Sources,
    caller: FuncId,
    block: BlockId,
) {
    for at in 0..program.funcs[caller].blocks[block].insts.len() {
        let inst = &program.funcs[caller].blocks[block].insts[at];
        let Op::Call { callee: Callee::Func(callee), .. } = inst.op else { continue };
        if !library.contains(&callee) {
            continue;
        }
        let site = Site {
            span: inst.span,
            line: sources.position(inst.span).line,
            called: program.funcs[callee].name.clone(),
        };
        let copies = site.copies(program, library, callee);
        let rooms = rooms.get(&(site.span, callee)).map_or(&[][..], Vec::as_slice);
        for room in rooms {
            declared::keep_inside(program, &copies, room, &site.called, site.span);
        }
        if let Op::Call { callee: Callee::Func(it), args, .. } =
            &mut program.funcs[caller].blocks[block].insts[at].op
        {
            *it = copies[0];
            let bases = rooms.iter().map(|it| it.base.unwrap_or(args[it.operand]));
            args.extend(bases.collect::<Vec<_>>());
        }
    }
}

/// A call in the program.
struct Site {
    span: Span,
    line: u32,
    called: Name,
}

impl Site {
    /// Copies a function and those of the library it calls; its copy comes first, each one before those that it calls.
    fn copies(
        &self,
        program: &mut Program,
        library: &FxHashSet<FuncId>,
        first: FuncId,
    ) -> Vec<FuncId> {
        let mut copies: FxHashMap<FuncId, FuncId> = FxHashMap::default();
        let mut order = Vec::new();
        for func in called_from(program, library, first) {
            let copy = copy_func(
                program,
                func,
                |it| self.moved(it),
                |it| copies.get(&it).copied().unwrap_or(it),
            );
            self.place(program, copy);
            copies.insert(func, copy);
            order.push(copy);
        }
        order.reverse();
        order
    }

    fn moved(&self, check: &Check) -> Check {
        // What the front end calls for the program goes by the text of the call.
        let message = match self.called.starts_with("__hardbop_") {
            true => check.message.clone(),
            false => format!("`{}`: {}", self.called, check.message).into(),
        };
        Check { message, span: self.span, ..check.clone() }
    }

    /// What is allocated is allocated by the call, and what is not modelled is not modelled there.
    fn place(&self, program: &mut Program, copy: FuncId) {
        for object in program.objects.as_mut_slice() {
            // It is one of the program's own, and can be asked to lie somewhere.
            if matches!(object.kind, ObjKind::Heap(it) | ObjKind::Local(it) if it == copy) {
                object.copy_of = None;
            }
            if object.kind == ObjKind::Heap(copy) {
                object.name = format!("heap:{}", self.line).into();
                object.span = Some(self.span);
            }
        }
        for block in program.funcs[copy].blocks.as_mut_slice() {
            if matches!(block.term, Term::Stop(Stop::Unsupported(_))) {
                block.span = self.span;
            }
        }
    }
}

/// The library's functions a function leads to, callees first. The library has no recursion.
fn called_from(program: &Program, library: &FxHashSet<FuncId>, first: FuncId) -> Vec<FuncId> {
    let (mut order, mut seen) = (Vec::new(), FxHashSet::default());
    let mut open = vec![(first, false)];
    while let Some((func, is_done)) = open.pop() {
        if is_done {
            order.push(func);
        } else if seen.insert(func) {
            open.push((func, true));
            open.extend(
                callees(program, func).filter(|it| library.contains(it)).map(|it| (it, false)),
            );
        }
    }
    order
}

fn callees(program: &Program, func: FuncId) -> impl Iterator<Item = FuncId> + '_ {
    let insts = program.funcs[func].blocks.iter().flat_map(|block| &block.insts);
    insts.filter_map(|inst| match inst.op {
        Op::Call { callee: Callee::Func(callee), .. } => Some(callee),
        _ => None,
    })
}

/// Empties the functions of the library that nothing leads to any more.
fn drop_uncalled(program: &mut Program, library: &FxHashSet<FuncId>) {
    let mut live: FxHashSet<FuncId> = FxHashSet::default();
    let mut open: Vec<FuncId> = program.funcs.ids().filter(|it| !library.contains(it)).collect();
    let mut at_start = Vec::new();
    program.objects.iter().for_each(|it| at_start.extend(it.init.iter().map(|it| it.value)));
    at_start.extend(program.vars.iter().filter_map(|it| it.init));
    let addressed = |program: &Program, expr, open: &mut Vec<FuncId>| {
        program.exprs.visit(expr, &mut |_, node| {
            if let Expr::FuncAddr(func) = node {
                open.push(func);
            }
        });
    };
    at_start.into_iter().for_each(|it| addressed(program, it, &mut open));
    while let Some(func) = open.pop() {
        if !live.insert(func) {
            continue;
        }
        open.extend(callees(program, func));
        for block in &program.funcs[func].blocks {
            let operands = block.insts.iter().flat_map(|inst| inst.op.operands());
            for operand in operands.chain(block.term.operands()) {
                addressed(program, operand, &mut open);
            }
        }
    }
    for &func in library.iter().filter(|it| !live.contains(it)) {
        let it = &mut program.funcs[func];
        let span = it.span.unwrap_or_default();
        let term = Term::Stop(Stop::Unreachable);
        it.blocks = vec![Block { insts: Vec::new(), term, span }].into();
    }
}
