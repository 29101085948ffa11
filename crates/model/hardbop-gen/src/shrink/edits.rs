//! Edits of procedures, statements and declarations.

use hardbop_base::Span;
use hardbop_bp::ast::{Decl, Ident, Notes, Proc, Program, Stmt, StmtKind, Target, ThreadStart};

use super::Countdown;
use crate::walk::{blocks_of, each_sequence, each_stmt};

pub fn drop_proc(program: &mut Program, number: usize) -> bool {
    let exists = number < program.procs.len();
    if exists {
        program.procs.remove(number);
    }
    exists
}

/// `SIZE` statements in a row, or the rest of a shorter sequence.
pub fn drop_stmts<const SIZE: usize>(program: &mut Program, number: usize) -> bool {
    let mut countdown = Countdown::new(number);
    for proc in &mut program.procs {
        each_sequence(&mut proc.body, &mut |stmts| {
            if let Some(chunk) = countdown.at(stmts.len().div_ceil(SIZE)) {
                let end = stmts.len().min((chunk + 1) * SIZE);
                stmts.drain(chunk * SIZE..end);
            }
        });
    }
    countdown.was_found()
}

/// Puts the statements of an inner block in the place of the `if` or `while` around it.
pub fn unwrap_stmt(program: &mut Program, number: usize) -> bool {
    let mut countdown = Countdown::new(number);
    for proc in &mut program.procs {
        each_sequence(&mut proc.body, &mut |stmts| {
            for at in 0..stmts.len() {
                let mut blocks = blocks_of(&mut stmts[at]);
                if let Some(which) = countdown.at(blocks.len()) {
                    let inner = std::mem::take(&mut blocks[which].stmts);
                    stmts.splice(at..=at, inner);
                    return;
                }
            }
        });
    }
    countdown.was_found()
}

/// A branch of an `if` that has others, or its `else`.
pub fn drop_branch(program: &mut Program, number: usize) -> bool {
    let mut countdown = Countdown::new(number);
    each_stmt_of(program, &mut |stmt| {
        if let StmtKind::If { branches, otherwise } = &mut stmt.kind {
            if branches.len() > 1
                && let Some(which) = countdown.at(branches.len())
            {
                branches.remove(which);
            } else if otherwise.is_some() && countdown.at(1).is_some() {
                *otherwise = None;
            }
        }
    });
    countdown.was_found()
}

/// Makes a statement a `skip`: its labels stay, so jumps that hold each other up come apart.
pub fn skip_stmt(program: &mut Program, number: usize) -> bool {
    let mut countdown = Countdown::new(number);
    each_stmt_of(program, &mut |stmt| {
        if stmt.kind != StmtKind::Skip && countdown.at(1).is_some() {
            stmt.kind = StmtKind::Skip;
        }
    });
    countdown.was_found()
}

/// Drops a part of a statement that it can do without.
pub fn simplify_stmt(program: &mut Program, number: usize) -> bool {
    let mut countdown = Countdown::new(number);
    each_stmt_of(program, &mut |stmt| match &mut stmt.kind {
        StmtKind::Assign { targets, values, constrain } => {
            if constrain.is_some() && countdown.at(1).is_some() {
                *constrain = None;
            } else if targets.len() > 1
                && targets.len() == values.len()
                && let Some(which) = countdown.at(targets.len())
            {
                targets.remove(which);
                values.remove(which);
            }
        }
        StmtKind::Call { targets, .. } if !targets.is_empty() => {
            if countdown.at(1).is_some() {
                targets.clear();
            } else {
                let named = targets.iter().position(|target| matches!(target, Target::Var(_)));
                if let Some(at) = named
                    && countdown.at(1).is_some()
                {
                    targets[at] = Target::Drop(Span::default());
                }
            }
        }
        StmtKind::Goto(names) | StmtKind::Dead(names) if names.len() > 1 => {
            if let Some(which) = countdown.at(names.len()) {
                names.remove(which);
            }
        }
        StmtKind::Print(exprs) if exprs.len() > 1 => {
            if let Some(which) = countdown.at(exprs.len()) {
                exprs.remove(which);
            }
        }
        _ => {}
    });
    countdown.was_found()
}

pub fn drop_label(program: &mut Program, number: usize) -> bool {
    let mut countdown = Countdown::new(number);
    each_stmt_of(program, &mut |stmt| {
        if let Some(which) = countdown.at(stmt.labels.len()) {
            stmt.labels.remove(which);
        }
    });
    countdown.was_found()
}

/// An enforced condition or an initial value.
pub fn drop_condition(program: &mut Program, number: usize) -> bool {
    let mut countdown = Countdown::new(number);
    let initial = |decls: &mut Vec<Decl>, countdown: &mut Countdown| {
        for (_, init) in decls.iter_mut().flat_map(|decl| &mut decl.vars) {
            if init.is_some() && countdown.at(1).is_some() {
                *init = None;
            }
        }
    };
    initial(&mut program.globals, &mut countdown);
    for proc in &mut program.procs {
        initial(&mut proc.locals, &mut countdown);
        if let Some(which) = countdown.at(proc.enforce.len()) {
            proc.enforce.remove(which);
        }
    }
    countdown.was_found()
}

/// A returned value, with its expressions in the procedure and its targets at the calls.
pub fn drop_return_value(program: &mut Program, number: usize) -> bool {
    let mut countdown = Countdown::new(number);
    let Some((at, value)) = (program.procs.iter().enumerate())
        .find_map(|(at, proc)| countdown.at(proc.n_returns).map(|value| (at, value)))
    else {
        return false;
    };
    let proc = &mut program.procs[at];
    proc.n_returns -= 1;
    let name = proc.name.clone();
    each_stmt(&mut proc.body, &mut |stmt| {
        if let StmtKind::Return(values) = &mut stmt.kind
            && value < values.len()
        {
            values.remove(value);
        }
    });
    each_stmt_of(program, &mut |stmt| {
        if let StmtKind::Call { targets, callee, .. } = &mut stmt.kind
            && callee.name == name.name
            && value < targets.len()
        {
            targets.remove(value);
        }
    });
    true
}

/// Makes a formal a local, with the arguments gone from the calls.
pub fn formal_to_local(program: &mut Program, number: usize) -> bool {
    let mut countdown = Countdown::new(number);
    let Some((at, formal)) = (program.procs.iter().enumerate())
        .find_map(|(at, proc)| countdown.at(proc.formals.len()).map(|formal| (at, formal)))
    else {
        return false;
    };
    let proc = &mut program.procs[at];
    let name = proc.name.clone();
    let var = proc.formals.remove(formal);
    declare(proc, var);
    each_stmt_of(program, &mut |stmt| {
        if let StmtKind::Call { callee, args, .. }
        | StmtKind::StartThread(ThreadStart::Call { callee, args }) = &mut stmt.kind
            && callee.name == name.name
            && formal < args.len()
        {
            args.remove(formal);
        }
    });
    true
}

fn declare(proc: &mut Proc, var: Ident) {
    let decl = Decl { vars: vec![(var, None)], notes: Notes::default(), span: Span::default() };
    proc.locals.insert(0, decl);
}

/// A declared variable; its uses stay, so this is for variables that have none.
pub fn drop_var(program: &mut Program, number: usize) -> bool {
    let mut countdown = Countdown::new(number);
    let lists = std::iter::once(&mut program.globals)
        .chain(program.procs.iter_mut().map(|proc| &mut proc.locals));
    for decls in lists {
        for decl in decls.iter_mut() {
            if let Some(which) = countdown.at(decl.vars.len()) {
                decl.vars.remove(which);
            }
        }
        decls.retain(|decl| !decl.vars.is_empty());
    }
    countdown.was_found()
}

fn each_stmt_of(program: &mut Program, visit: &mut dyn FnMut(&mut Stmt)) {
    program.procs.iter_mut().for_each(|proc| each_stmt(&mut proc.body, visit));
}
