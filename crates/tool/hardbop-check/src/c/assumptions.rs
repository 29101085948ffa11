//! What a verdict about a C program rests on, and what it may be worth less than it looks.

use hardbop_base::IndexVec;
use hardbop_cir::{Callee, Class, Expr, ExprId, FuncId, Op, Program};

const MEMORY: [Class; 4] = [Class::Bounds, Class::Null, Class::Dangling, Class::Free];
const ARITHMETIC: [Class; 3] = [Class::Overflow, Class::Div, Class::Shift];

/// Those of the program, and those of asking about some classes only.
pub(super) fn assumptions(program: &Program, classes: &[Class]) -> Vec<String> {
    let mut said: Vec<String> = program.assumptions.iter().map(ToString::to_string).collect();
    let leaves_out = |group: &[Class]| group.iter().any(|it| !classes.contains(it));
    if leaves_out(&MEMORY) && program.insts().any(|(_, _, inst)| touches_memory(&inst.op)) {
        said.push("memory that no property asked about depends on is used as it may be".into());
    }
    if leaves_out(&ARITHMETIC) {
        said.push(
            "arithmetic that no property asked about goes on: signed overflow wraps, a division \
             by zero and a shift by too much have a fixed value"
                .into(),
        );
    }
    said
}

fn touches_memory(op: &Op) -> bool {
    matches!(
        op,
        Op::Load { .. }
            | Op::Store { .. }
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::Repeat { .. }
            | Op::Free { .. }
    )
}

/// A program in which nothing of what was asked about can happen is safe, which says little.
pub(super) fn vacuity(program: &Program, classes: &[Class]) -> Option<String> {
    let called = callable(program);
    let is_asked = |op: &Op| match op {
        Op::Check { check, .. } => classes.contains(&program.checks[*check].class),
        _ => false,
    };
    let mut asked = program.insts().filter(|it| is_asked(&it.2.op)).map(|it| it.0).peekable();
    let has_checks = asked.peek().is_some();
    if asked.any(|func| called[func]) {
        return None;
    }
    let names: Vec<_> = classes.iter().map(|it| it.name()).collect();
    let names = names.join(", ");
    Some(match has_checks {
        false => format!("the program contains no check of these properties ({names})"),
        true => format!("no function with a check of these properties ({names}) is ever called"),
    })
}

/// Functions that some chain of calls from the start may lead to.
pub(super) fn callable(program: &Program) -> IndexVec<FuncId, bool> {
    let mut called = IndexVec::from_elem(false, program.funcs.len());
    let mut todo = vec![program.main];
    let exprs = (0..program.exprs.len()).map(|at| ExprId::from_u32(at as u32));
    // Wherever an address is taken the function may be called.
    todo.extend(exprs.filter_map(|id| match program.exprs.get(id) {
        Expr::FuncAddr(func) => Some(func),
        _ => None,
    }));
    while let Some(func) = todo.pop() {
        if std::mem::replace(&mut called[func], true) {
            continue;
        }
        let blocks = program.funcs[func].blocks.iter();
        todo.extend(blocks.flat_map(|it| &it.insts).filter_map(|inst| match inst.op {
            Op::Call { callee: Callee::Func(callee), .. } => Some(callee),
            _ => None,
        }));
    }
    called
}
