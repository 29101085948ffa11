//! Random statements. Labels come later: a `goto` is drawn without targets, see `labels`.

use hardbop_base::Span;
use hardbop_bp::ast::{Expr, Ident, Stmt, StmtKind, Target, ThreadStart};

use super::expr::{ExprGen, Scope};
use super::make;
use super::profile::Profile;
use crate::rng::Rng;

/// The head of a procedure.
#[derive(Clone, Debug)]
pub struct Signature {
    pub name: Ident,
    pub n_formals: usize,
    pub n_returns: usize,
}

/// Draws the body of the procedure number `at`.
pub struct BodyGen<'a> {
    pub rng: &'a mut Rng,
    pub profile: &'a Profile,
    pub scope: &'a Scope,
    pub signatures: &'a [Signature],
    pub at: usize,
    /// Labels `ASYNC_…` given so far.
    pub n_async: usize,
}

#[derive(Clone, Copy)]
enum Kind {
    Skip,
    Print,
    Goto,
    Return,
    Assign,
    Call,
    If,
    While,
    Assert,
    Assume,
    Dead,
    StartGoto,
    StartCall,
    AsyncCall,
    EndThread,
    Atomic,
    OddAtomic,
}

impl BodyGen<'_> {
    /// `n` statements inside `depth` blocks; an atomic section counts as one.
    pub fn block(&mut self, n: usize, depth: usize) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for _ in 0..n {
            self.push_stmt(&mut stmts, depth);
        }
        stmts
    }

    fn push_stmt(&mut self, out: &mut Vec<Stmt>, depth: usize) {
        let w = &self.profile.weights;
        let compound = u32::from(depth < self.profile.nesting);
        let kind = self.rng.weighted(&[
            (w.skip, Kind::Skip),
            (w.print, Kind::Print),
            (w.goto, Kind::Goto),
            (w.return_, Kind::Return),
            (w.assign, Kind::Assign),
            (w.call, Kind::Call),
            (w.if_ * compound, Kind::If),
            (w.while_ * compound, Kind::While),
            (w.assert, Kind::Assert),
            (w.assume, Kind::Assume),
            (w.dead, Kind::Dead),
            (w.start_goto, Kind::StartGoto),
            (w.start_call, Kind::StartCall),
            (w.async_call, Kind::AsyncCall),
            (w.end_thread, Kind::EndThread),
            (w.atomic * compound, Kind::Atomic),
            (w.odd_atomic, Kind::OddAtomic),
        ]);
        let kind = match kind.unwrap_or(Kind::Skip) {
            Kind::Skip => StmtKind::Skip,
            Kind::Print => {
                let n = 1 + self.rng.below(2);
                StmtKind::Print(self.exprs(n))
            }
            Kind::Goto => StmtKind::Goto(Vec::new()),
            Kind::Return => StmtKind::Return(self.exprs(self.signatures[self.at].n_returns)),
            Kind::Assign => self.assign(),
            Kind::Call => self.call(),
            Kind::If => self.if_(depth),
            Kind::While => {
                let n = 1 + self.rng.below(3);
                StmtKind::While { guard: self.expr(), body: make::block(self.block(n, depth + 1)) }
            }
            Kind::Assert => StmtKind::Assert(self.expr()),
            Kind::Assume => StmtKind::Assume(self.expr()),
            Kind::Dead => match self.rng.pick(&self.scope.vars) {
                Some(var) => StmtKind::Dead(vec![var.clone()]),
                None => StmtKind::Skip,
            },
            Kind::StartGoto => StmtKind::StartThread(ThreadStart::Goto(make::ident(""))),
            Kind::StartCall => {
                let callee = &self.signatures[self.rng.below(self.signatures.len())];
                let args = self.exprs(callee.n_formals);
                let callee = callee.name.clone();
                StmtKind::StartThread(ThreadStart::Call { callee, args })
            }
            Kind::AsyncCall => return self.push_async_call(out),
            Kind::EndThread => StmtKind::EndThread,
            Kind::Atomic => {
                let n = 1 + self.rng.below(3);
                out.push(make::stmt(StmtKind::AtomicBegin));
                out.extend(self.block(n, depth + 1));
                StmtKind::AtomicEnd
            }
            Kind::OddAtomic if self.rng.chance(50) => StmtKind::AtomicBegin,
            Kind::OddAtomic => StmtKind::AtomicEnd,
        };
        out.push(make::stmt(kind));
    }

    fn expr(&mut self) -> Expr {
        let depth = self.profile.expr_depth;
        ExprGen { rng: self.rng, profile: self.profile, scope: self.scope }.draw(depth)
    }

    fn exprs(&mut self, n: usize) -> Vec<Expr> {
        (0..n).map(|_| self.expr()).collect()
    }

    /// Up to `n` different variables, in any order.
    fn distinct_vars(&mut self, n: usize) -> Vec<Ident> {
        let mut rest = self.scope.vars.clone();
        let n = n.min(rest.len());
        (0..n).map(|_| rest.swap_remove(self.rng.below(rest.len()))).collect()
    }

    fn assign(&mut self) -> StmtKind {
        let n = 1 + self.rng.below(3);
        let mut targets: Vec<Target> = self.distinct_vars(n).into_iter().map(Target::Var).collect();
        if self.profile.broadcast
            && self.rng.chance(30)
            && let Some(local) = self.rng.pick(&self.scope.locals)
        {
            targets.push(Target::Var(make::ident(&format!("{}$", local.name))));
        }
        if targets.is_empty() {
            return StmtKind::Skip;
        }
        if self.rng.chance(4) {
            let at = self.rng.below(targets.len());
            targets[at] = Target::Drop(Span::default());
        }
        let values = self.exprs(targets.len());
        let constrain = self.rng.chance(self.profile.constrain).then(|| {
            let scope = Scope { next: true, ..self.scope.clone() };
            ExprGen { rng: self.rng, profile: self.profile, scope: &scope }.draw(2)
        });
        StmtKind::Assign { targets, values, constrain }
    }

    /// The procedures that may be called from here.
    fn callees(&self) -> &[Signature] {
        if self.profile.recursion {
            // Nothing calls `main`: some engines start threads there and treat it apart.
            &self.signatures[1..]
        } else {
            &self.signatures[self.at + 1..]
        }
    }

    fn call(&mut self) -> StmtKind {
        let n = self.callees().len();
        let at = self.rng.below(n);
        let Some(callee) = self.callees().get(at).cloned() else {
            return self.assign();
        };
        let args = self.exprs(callee.n_formals);
        let mut targets = Vec::new();
        if self.rng.chance(85) {
            let vars = self.distinct_vars(callee.n_returns);
            targets = vars.into_iter().map(Target::Var).collect();
            targets.resize(callee.n_returns, Target::Drop(Span::default()));
            for target in &mut targets {
                if self.rng.chance(15) {
                    *target = Target::Drop(Span::default());
                }
            }
        }
        StmtKind::Call { targets, callee: callee.name, args }
    }

    fn push_async_call(&mut self, out: &mut Vec<Stmt>) {
        let callee = &self.signatures[self.rng.below(self.signatures.len())];
        let (callee, n_formals) = (callee.name.clone(), callee.n_formals);
        let args = self.exprs(n_formals);
        let mut call = make::stmt(StmtKind::Call { targets: Vec::new(), callee, args });
        call.labels.push(make::ident(&format!("ASYNC_{}", self.n_async)));
        self.n_async += 1;
        out.push(call);
    }

    fn if_(&mut self, depth: usize) -> StmtKind {
        let mut branches = Vec::new();
        while branches.is_empty() || (branches.len() < 3 && self.rng.chance(30)) {
            let n = 1 + self.rng.below(3);
            let guard = self.expr();
            branches.push(make::branch(guard, self.block(n, depth + 1)));
        }
        let otherwise = self.rng.chance(50).then(|| {
            let n = 1 + self.rng.below(2);
            make::block(self.block(n, depth + 1))
        });
        StmtKind::If { branches, otherwise }
    }
}
