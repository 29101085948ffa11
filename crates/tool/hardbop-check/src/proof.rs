//! Whether a certificate answers the question that was asked, and is right.

use hardbop_base::Budget;
use hardbop_certify::{Accepted, Rejected, certify};
use hardbop_cfg::{Action, Program, Spawn};
use hardbop_engine::{InitialThreads, Task, Threads};
use hardbop_evidence::threads::Count;
use hardbop_evidence::{Certificate, ThreadProof, ThreadSet};

/// Checks a certificate against the task: its goal and its threads, then every obligation.
pub fn confirm(
    task: &Task<'_>,
    certificate: &Certificate,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    if certificate.goal() != Some(&task.goal) || !has_threads_of(task, certificate) {
        return Err(Rejected::Unfit("to answer the question that was asked".into()));
    }
    certify(task.program, certificate, budget)
}

fn has_threads_of(task: &Task<'_>, certificate: &Certificate) -> bool {
    match (task.threads, certificate) {
        (Threads::Sequential, Certificate::Sequential(_)) => true,
        (threads, Certificate::Threads(proof)) => {
            let initial = match task.initial_threads {
                InitialThreads::Count(n) => Count::finite(n),
                InitialThreads::Unbounded => Count::OMEGA,
            };
            proof.initial == initial && is_for(threads, proof, task.program)
        }
        _ => false,
    }
}

fn is_for(threads: Threads, proof: &ThreadProof, program: &Program) -> bool {
    match (threads, &proof.set) {
        (Threads::AtMost(n), ThreadSet::Bounded { bound, .. }) => *bound == n,
        (Threads::Unbounded, ThreadSet::Cover { .. } | ThreadSet::Views { .. }) => true,
        // What holds for any number of threads holds with a bound, too: a start that is skipped
        // leads to the same state with a thread less. But where a start is impossible, because the
        // new thread could not be where it begins, only the bound makes it possible to pass.
        (Threads::AtMost(_), ThreadSet::Cover { .. } | ThreadSet::Views { .. }) => {
            starts_are_possible(program)
        }
        _ => false,
    }
}

fn starts_are_possible(program: &Program) -> bool {
    program.all_edges().all(|(_, edge)| match &edge.action {
        Action::StartThread(spawn) => match &**spawn {
            Spawn::Goto(_) => true,
            Spawn::Call { callee, .. } => program.procs[*callee].enforce.is_none(),
        },
        _ => true,
    })
}
