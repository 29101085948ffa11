//! Where threads start.

use hardbop_base::Idx;
use hardbop_cfg::{Action, Loc, ProcId, Program, Spawn};

/// A place where threads start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    pub proc: ProcId,
    pub loc: Loc,
    pub start: Start,
}

/// What a new thread must be given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// At the entry: the formals; other locals have any value.
    Formals,
    /// At the entry of `main`: nothing, formals have any value, too.
    Nothing,
    /// All locals: in the middle of a procedure, or at an entry where they must fulfil its `enforce`.
    AllLocals,
}

impl Site {
    pub fn of_main(program: &Program) -> Site {
        let body = &program.procs[program.main];
        let start = if body.enforce.is_some() { Start::AllLocals } else { Start::Nothing };
        Site { proc: program.main, loc: body.entry, start }
    }

    /// Of a statement in `proc`.
    pub fn of(program: &Program, proc: ProcId, spawn: &Spawn) -> Site {
        match *spawn {
            Spawn::Goto(loc) => Site { proc, loc, start: Start::AllLocals },
            Spawn::Call { callee, .. } => {
                let body = &program.procs[callee];
                let enforced = body.enforce.is_some();
                let start = if enforced { Start::AllLocals } else { Start::Formals };
                Site { proc: callee, loc: body.entry, start }
            }
        }
    }

    /// How many values it is given.
    pub fn n_values(&self, program: &Program) -> usize {
        let body = &program.procs[self.proc];
        match self.start {
            Start::Formals => body.n_formals,
            Start::Nothing => 0,
            Start::AllLocals => body.locals.len(),
        }
    }
}

/// All places, that of the initial threads first; a place's number is its position plus one.
#[derive(Debug)]
pub struct Sites(pub Vec<Site>);

impl Sites {
    pub fn of(program: &Program) -> Self {
        let mut sites = vec![Site::of_main(program)];
        for (at, edge) in program.all_edges() {
            if let Action::StartThread(spawn) = &edge.action {
                let site = Site::of(program, at.proc, spawn);
                if !sites.contains(&site) {
                    sites.push(site);
                }
            }
        }
        Sites(sites)
    }

    pub fn number(&self, site: Site) -> usize {
        1 + self.0.iter().position(|&it| it == site).expect("all places were collected")
    }

    pub fn n_bits(&self) -> usize {
        bits_for(self.0.len())
    }

    /// The most values a thread is given.
    pub fn n_values(&self, program: &Program) -> usize {
        self.0.iter().map(|site| site.n_values(program)).max().unwrap_or(0)
    }
}

/// How many bits a number up to `most` needs.
pub fn bits_for(most: usize) -> usize {
    (usize::BITS - most.leading_zeros()) as usize
}

/// The number of a local, counted without the shared variables.
pub fn local_index(program: &Program, var: hardbop_cfg::VarId) -> Option<usize> {
    var.index().checked_sub(program.n_shared())
}
