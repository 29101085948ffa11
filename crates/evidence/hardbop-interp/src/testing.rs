//! Small random programs, straight in the IR: tests of this crate need no parser.

use hardbop_base::Name;
use hardbop_cfg::{
    Action, Assign, Call, Expr, ExprId, ExprPool, Loc, ProcBuilder, ProcId, Program, Spawn, VarId,
    VarInfo,
};

/// What a random program may do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One thread, any recursion.
    Recursive,
    /// Threads, atomic sections and broadcasts; calls only of later procedures.
    Threads,
}

/// A generator of numbers (splitmix64).
pub struct Rng(pub u64);

impl Rng {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// The signature of a procedure.
struct Signature {
    n_locals: usize,
    n_formals: usize,
    n_returns: usize,
}

struct Gen {
    rng: Rng,
    kind: Kind,
    exprs: ExprPool,
    n_shared: usize,
    signatures: Vec<Signature>,
}

/// The program of a seed. Some of its locations carry the label `R`, some edges assert.
pub fn random_program(seed: u64, kind: Kind) -> Program {
    let mut rng = Rng(seed);
    let n_shared = 1 + rng.below(2);
    let signatures: Vec<_> = (0..1 + rng.below(3))
        .map(|_| {
            let (n_formals, n_returns) = (rng.below(2), rng.below(2));
            Signature { n_locals: n_formals + n_returns + rng.below(2), n_formals, n_returns }
        })
        .collect();
    let mut it = Gen { rng, kind, exprs: ExprPool::default(), n_shared, signatures };
    let procs = (0..it.signatures.len()).map(|proc| it.proc(proc)).collect();
    let mut init = Vec::new();
    for var in 0..n_shared {
        if it.rng.chance(50) {
            let value = it.expr(var, 1);
            init.push((VarId::from_u32(var as u32), value));
        }
    }
    let shared = vars("g", n_shared);
    Program { shared, init, procs, main: ProcId::from_u32(0), exprs: it.exprs }
}

fn vars(prefix: &str, n: usize) -> Vec<VarInfo> {
    (0..n).map(|i| VarInfo { name: format!("{prefix}{i}").into(), span: None }).collect()
}

impl Gen {
    fn width(&self, proc: usize) -> usize {
        self.n_shared + self.signatures[proc].n_locals
    }

    fn proc(&mut self, id: usize) -> hardbop_cfg::Proc {
        let mut body = ProcBuilder::new(format!("p{id}").into(), None);
        let Signature { n_locals, n_formals, n_returns } = self.signatures[id];
        body.locals(vars("l", n_locals), n_formals, n_returns);
        if self.rng.chance(15) {
            body.enforce(Some(self.expr(self.width(id), 1)));
        }
        let n_locs = 2 + self.rng.below(5);
        let locs: Vec<Loc> = (0..n_locs).map(|_| body.loc(None)).collect();
        body.entry(locs[0]);
        for (i, &loc) in locs.iter().enumerate() {
            if i > 1 && self.rng.chance(15) {
                body.label(loc, Name::from("R"));
            }
            for _ in 0..1 + self.rng.below(2) {
                let next = locs.get(i + 1).copied().unwrap_or(body.exit());
                let to = if self.rng.chance(75) { next } else { locs[self.rng.below(n_locs)] };
                let action = self.action(id, &locs);
                body.edge(loc, action, to);
            }
        }
        body.finish()
    }

    fn action(&mut self, proc: usize, locs: &[Loc]) -> Action {
        let width = self.width(proc);
        let threads = self.kind == Kind::Threads;
        match self.rng.below(if threads { 18 } else { 13 }) {
            0 => Action::Skip,
            1 | 2 => Action::Assume(self.expr(width, 2)),
            3 => {
                // Rarely violated, so that nearest violations are far.
                let (a, b) = (self.expr(width, 2), self.expr(width, 2));
                Action::Assert(self.exprs.or(a, b))
            }
            4..=8 => Action::Assign(Box::new(self.assign(proc))),
            9..=12 => match self.callee(proc) {
                Some((callee, args)) => Action::Call(Box::new(self.call(proc, callee, args))),
                None => Action::Skip,
            },
            13 | 14 => match self.callee(proc) {
                Some((callee, args)) if self.rng.chance(60) => {
                    let callee = ProcId::from_u32(callee as u32);
                    Action::StartThread(Box::new(Spawn::Call { callee, args }))
                }
                _ => {
                    let start = locs[self.rng.below(locs.len())];
                    Action::StartThread(Box::new(Spawn::Goto(start)))
                }
            },
            15 => Action::EndThread,
            16 => Action::AtomicBegin,
            _ => Action::AtomicEnd,
        }
    }

    fn assign(&mut self, proc: usize) -> Assign {
        let width = self.width(proc);
        let mut targets = Vec::new();
        for var in 0..width {
            if self.rng.chance(40) {
                targets.push((VarId::from_u32(var as u32), self.expr(width, 2)));
            }
        }
        let mut broadcast = Vec::new();
        if self.kind == Kind::Threads && width > self.n_shared && self.rng.chance(20) {
            let var =
                VarId::from_u32((self.n_shared + self.rng.below(width - self.n_shared)) as u32);
            broadcast.push((var, self.expr(width, 1)));
        }
        let mut constrain = None;
        if self.rng.chance(20) {
            let now = self.expr(width, 1);
            let var = VarId::from_u32(self.rng.below(width) as u32);
            let next = self.exprs.add(Expr::Next(var));
            constrain = Some(self.exprs.add(Expr::Xor(now, next)));
        }
        Assign { targets, broadcast, constrain }
    }

    fn callee(&mut self, proc: usize) -> Option<(usize, Vec<ExprId>)> {
        let n_procs = self.signatures.len();
        let callee = match self.kind {
            Kind::Recursive => self.rng.below(n_procs),
            Kind::Threads if proc + 1 < n_procs => proc + 1 + self.rng.below(n_procs - proc - 1),
            Kind::Threads => return None,
        };
        let width = self.width(proc);
        let args = (0..self.signatures[callee].n_formals).map(|_| self.expr(width, 1)).collect();
        Some((callee, args))
    }

    fn call(&mut self, proc: usize, callee: usize, args: Vec<ExprId>) -> Call {
        let width = self.width(proc);
        let mut results: Vec<Option<VarId>> = Vec::new();
        for _ in 0..self.signatures[callee].n_returns {
            let var = VarId::from_u32(self.rng.below(width) as u32);
            results.push((!results.contains(&Some(var)) && self.rng.chance(80)).then_some(var));
        }
        if self.rng.chance(20) {
            results.clear();
        }
        Call { callee: ProcId::from_u32(callee as u32), args, results }
    }

    /// Over the first `width` variables.
    fn expr(&mut self, width: usize, depth: usize) -> ExprId {
        let n = if depth == 0 { 6 } else { 14 };
        let node = match self.rng.below(n) {
            0 => Expr::Const(self.rng.chance(50)),
            1 => Expr::Choice,
            2..=5 if width > 0 => Expr::Var(VarId::from_u32(self.rng.below(width) as u32)),
            2..=5 => Expr::Choice,
            6 | 7 => Expr::Not(self.expr(width, depth - 1)),
            kind => {
                let (a, b) = (self.expr(width, depth - 1), self.expr(width, depth - 1));
                match kind {
                    8 | 9 => Expr::And(a, b),
                    10 | 11 => Expr::Or(a, b),
                    12 => Expr::Xor(a, b),
                    _ if self.rng.chance(50) => Expr::Schoose(a, b),
                    _ => Expr::Ite(self.expr(width, depth - 1), a, b),
                }
            }
        };
        self.exprs.add(node)
    }
}
