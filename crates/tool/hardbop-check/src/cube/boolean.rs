//! Boolean programs: split by the initial values of shared variables that have none of their own.

use hardbop_base::Idx;
use hardbop_cfg::{Program, VarId};

use super::Fixed;

/// The program with these initial values; locations and statements stay as they are, so a trace and a certificate of
/// the part speak of the program.
pub fn restrict(
    program: &Program,
    values: impl FnOnce(usize) -> Option<Vec<bool>>,
) -> Option<(Program, Vec<Fixed>)> {
    let is_free = |var: &VarId| program.init.iter().all(|it| it.0 != *var);
    let free: Vec<VarId> = (0..program.shared.len()).map(VarId::new).filter(is_free).collect();
    let values = values(free.len())?;
    let mut part = program.clone();
    let mut fixed = Vec::new();
    for (var, value) in free.into_iter().zip(values) {
        let constant = part.exprs.constant(value);
        part.init.push((var, constant));
        fixed.push(Fixed { what: program.shared[var.index()].name.to_string(), value });
    }
    // In order of declaration.
    part.init.sort_by_key(|it| it.0);
    Some((part, fixed))
}
