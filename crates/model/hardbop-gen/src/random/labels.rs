//! Second pass over random procedures: labels are placed, jumps get their targets.

use hardbop_bp::ast::{Ident, Proc, Stmt, StmtKind, ThreadStart};

use super::make;
use super::profile::Profile;
use crate::rng::Rng;
use crate::walk::each_stmt;

/// Gives every jump of every procedure one or more targets, which may lie anywhere in it.
pub fn place(rng: &mut Rng, profile: &Profile, procs: &mut [Proc]) {
    for proc in procs {
        let mut n_jumps = 0;
        each_stmt(&mut proc.body, &mut |stmt| n_jumps += usize::from(is_jump(stmt)));
        let names = label_some(rng, profile, &mut proc.body, n_jumps > 0);
        each_stmt(&mut proc.body, &mut |stmt| match &mut stmt.kind {
            StmtKind::Goto(targets) => {
                while targets.is_empty() || (targets.len() < 3 && rng.chance(35)) {
                    targets.extend(rng.pick(&names).cloned());
                }
            }
            StmtKind::StartThread(ThreadStart::Goto(target)) => {
                if let Some(name) = rng.pick(&names) {
                    *target = name.clone();
                }
            }
            _ => {}
        });
    }
}

fn is_jump(stmt: &Stmt) -> bool {
    matches!(&stmt.kind, StmtKind::Goto(_) | StmtKind::StartThread(ThreadStart::Goto(_)))
}

/// Labels statements at random, at least one if asked, and returns all labels there are.
fn label_some(rng: &mut Rng, profile: &Profile, body: &mut [Stmt], needed: bool) -> Vec<Ident> {
    let mut n_stmts = 0;
    each_stmt(body, &mut |_| n_stmts += 1);
    let sure = rng.below(n_stmts);
    let chance = profile.label + if needed { 20 } else { 0 };
    let (mut at, mut names) = (0, Vec::new());
    each_stmt(body, &mut |stmt| {
        let mut wanted = needed && at == sure;
        while wanted || rng.chance(chance) {
            wanted = false;
            // Some programs of the field number their labels.
            let name = match rng.below(4) {
                0 => format!("{}", names.len() + 1),
                _ => format!("L{}", names.len()),
            };
            let label = make::ident(&name);
            names.push(label.clone());
            stmt.labels.push(label);
        }
        at += 1;
    });
    names
}
