//! The shape of a certificate, and its frames: read off the program, no solver needed.

use hardbop_base::Bits;
use hardbop_cfg::{Action, LocRef, Program, VarId};
use hardbop_evidence::{Formula, Invariants};

use crate::Rejected;

/// The certificate has an entry for every location and variable of this program, and a variable in
/// the frame of a procedure is shared and assigned neither there nor in a callee.
pub fn check(program: &Program, certificate: &Invariants) -> Result<(), Rejected> {
    let unfit = |why: String| Err(Rejected::Unfit(why));
    if certificate.procs.len() != program.procs.len() {
        let (theirs, ours) = (certificate.procs.len(), program.procs.len());
        return unfit(format!("{theirs} procedures in the certificate, {ours} in the program"));
    }
    for (id, proc) in program.procs.iter_enumerated() {
        let claim = &certificate.procs[id];
        if claim.at.len() != proc.locs.len() {
            let (theirs, ours) = (claim.at.len(), proc.locs.len());
            return unfit(format!("procedure {}: {theirs} locations, not {ours}", proc.name));
        }
        if !claim.frame.is_subset(&Bits::full(program.n_shared())) {
            return unfit(format!("procedure {}: a frame of shared variables only", proc.name));
        }
        let roots: Vec<_> = claim.at.iter().flatten().copied().collect();
        let width = program.scope_width(id);
        for formula in certificate.formulas.below(&roots) {
            if let Formula::Entry(var) | Formula::Current(var) = certificate.formulas.get(formula)
                && var.as_u32() as usize >= width
            {
                return unfit(format!("procedure {} has no variable {var}", proc.name));
            }
        }
    }
    for (at, edge) in program.all_edges() {
        let frame = &certificate.procs[at.proc].frame;
        let framed = |var: VarId| frame.contains(var.as_u32() as usize);
        let kept = match &edge.action {
            Action::Assign(assign) => !assign.targets.iter().any(|&(var, _)| framed(var)),
            Action::Call(call) => {
                frame.is_subset(&certificate.procs[call.callee].frame)
                    && !call.results.iter().flatten().any(|&var| framed(var))
            }
            _ => true,
        };
        if !kept {
            let at = LocRef { proc: at.proc, loc: edge.from };
            return Err(Rejected::At(at, "a variable of the frame is assigned".into()));
        }
    }
    Ok(())
}
