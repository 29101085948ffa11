//! What a simple statement does.

use hardbop_base::{Name, Span};
use hardbop_cfg::{Action, Assign, Call, Expr, ExprId, Loc, ProcId, Spawn, VarId};
use hardbop_diag::codes::bp as codes;
use hardbop_diag::{Diagnostic, did_you_mean, nearest};
use rustc_hash::FxHashMap;

use super::count;
use super::expr::Place as In;
use super::proc::ProcLower;
use crate::ast::{self, Stmt, StmtKind, Target, ThreadStart};
use crate::token::Kw;

/// A label that begins with this makes a call start a thread (SLAM, boppo).
const ASYNC: &str = "ASYNC_";

/// What is assigned.
#[derive(Clone, Copy)]
enum Place {
    /// `_`, or a target that was reported.
    Nothing,
    Var(VarId),
    /// The variable in all other threads.
    Others(VarId),
}

impl ProcLower<'_, '_> {
    pub fn simple(&mut self, stmt: &Stmt, loc: Loc, next: Loc) {
        let exit = self.build.exit();
        let async_label = stmt.labels.iter().find(|label| label.name.starts_with(ASYNC));
        if let Some(label) = async_label
            && !matches!(stmt.kind, StmtKind::Call { .. } | StmtKind::Error)
        {
            let message = format!("`{}` is not on a call and starts no thread", label.name);
            self.lower.sink.push(Diagnostic::warning(
                codes::ASYNC_WITHOUT_CALL,
                label.span,
                message,
            ));
        }
        let (action, to) = match &stmt.kind {
            StmtKind::Goto(labels) => {
                for label in labels {
                    let to = self.label(label).unwrap_or(next);
                    self.build.edge(loc, Action::Skip, to);
                }
                return;
            }
            StmtKind::Print(values) => {
                for value in values {
                    self.expr(value, In::Plain);
                }
                (Action::Skip, next)
            }
            StmtKind::Return(values) => (self.return_values(values, stmt.span), exit),
            StmtKind::Assign { targets, values, constrain } => {
                (self.assign(targets, values, constrain.as_ref(), stmt.span), next)
            }
            StmtKind::Call { targets, callee, args } => {
                (self.call(targets, callee, args, async_label), next)
            }
            StmtKind::Assert(expr) => (Action::Assert(self.expr(expr, In::Plain)), next),
            StmtKind::Assume(expr) => (Action::Assume(self.expr(expr, In::Plain)), next),
            StmtKind::Dead(vars) => (self.dead(vars), next),
            StmtKind::StartThread(start) => (self.start_thread(start), next),
            StmtKind::EndThread => (Action::EndThread, exit),
            StmtKind::AtomicBegin => (Action::AtomicBegin, next),
            StmtKind::AtomicEnd => (Action::AtomicEnd, next),
            StmtKind::Skip | StmtKind::Error => (Action::Skip, next),
            StmtKind::If { .. } | StmtKind::While { .. } => {
                unreachable!("compound statements have edges of their own")
            }
        };
        self.build.edge(loc, action, to);
    }

    fn label(&mut self, label: &ast::Ident) -> Option<Loc> {
        let found = self.labels.get(&label.name);
        if found.is_none() && Kw::of(&label.name).is_none() && self.labels.report(&label.name) {
            let message = format!("there is no label `{}` in `{}`", label.name, self.ast.name.name);
            let it = Diagnostic::error(codes::UNKNOWN_LABEL, label.span, message);
            let known = self.labels.names();
            self.lower.sink.push_with(it, |it| did_you_mean(it, nearest(&label.name, known)));
        }
        found
    }

    fn return_values(&mut self, values: &[ast::Expr], span: Span) -> Action {
        let n_returns = self.ast.n_returns;
        let mut ids = Vec::with_capacity(values.len());
        for value in values {
            ids.push(self.expr(value, In::Plain));
        }
        let name = &self.ast.name.name;
        if values.is_empty() && n_returns > 0 {
            let message = format!("this gives no value: the caller of `{name}` gets any");
            let it = Diagnostic::warning(codes::RETURN_WITHOUT_VALUES, span, message);
            self.lower.sink.push(it);
        } else if values.len() != n_returns {
            let message =
                format!("`{name}` returns {}, not {}", count(n_returns, "value"), values.len());
            let it = Diagnostic::error(codes::WRONG_RETURN, span, message);
            self.lower.sink.push(it.also(self.ast.span, "the procedure"));
        }
        if ids.is_empty() {
            return Action::Skip;
        }
        let first = self.ast.formals.len();
        let vars = (first..first + n_returns).map(|index| self.local(index));
        assignment(vars.zip(ids).collect(), Vec::new(), None)
    }

    fn assign(
        &mut self,
        targets: &[Target],
        values: &[ast::Expr],
        constrain: Option<&ast::Expr>,
        span: Span,
    ) -> Action {
        let places = self.targets(targets);
        let mut ids: Vec<ExprId> = Vec::with_capacity(values.len());
        for value in values {
            ids.push(self.expr(value, In::Plain));
        }
        let constrain = constrain.map(|expr| self.expr(expr, In::Constrain));
        if targets.len() != values.len() {
            let message =
                format!("{} for {}", count(values.len(), "value"), count(targets.len(), "target"));
            self.lower.error(codes::WRONG_VALUES, span, message);
        }
        let (mut assigned, mut broadcast) = (Vec::new(), Vec::new());
        for (place, id) in places.into_iter().zip(ids) {
            match place {
                Place::Nothing => {}
                Place::Var(var) => assigned.push((var, id)),
                Place::Others(var) => broadcast.push((var, id)),
            }
        }
        assignment(assigned, broadcast, constrain)
    }

    /// What the targets stand for, each once.
    fn targets(&mut self, targets: &[Target]) -> Vec<Place> {
        let mut seen: FxHashMap<&Name, Span> = FxHashMap::default();
        let mut places = Vec::with_capacity(targets.len());
        for target in targets {
            let Target::Var(name) = target else {
                places.push(Place::Nothing);
                continue;
            };
            if let Some(first) = seen.insert(&name.name, name.span) {
                let message = format!("`{}` is assigned twice", name.name);
                let it = Diagnostic::error(codes::ASSIGNED_TWICE, name.span, message);
                self.lower.sink.push(it.label("second time").also(first, "first time"));
                places.push(Place::Nothing);
                continue;
            }
            places.push(self.target(name));
        }
        places
    }

    fn target(&mut self, name: &ast::Ident) -> Place {
        if let Some(var) = self.lower.lookup(&name.name, &self.locals) {
            return Place::Var(var);
        }
        if let Some(base) = name.name.strip_suffix('$') {
            if let Some(var) = self.locals.get(base) {
                return Place::Others(var);
            }
            if let Some(declared) = self.lower.globals.place(base) {
                let message = format!("`{base}` is a global variable: no thread has its own");
                let it = Diagnostic::error(codes::MISUSED_BROADCAST, name.span, message);
                let it = it.also(declared, "declared here");
                self.lower.sink.push(it.help(format!("assign `{base}` itself")));
                return Place::Nothing;
            }
        }
        self.lower.unknown_variable(name, &mut self.locals);
        Place::Nothing
    }

    fn call(
        &mut self,
        targets: &[Target],
        callee: &ast::Ident,
        args: &[ast::Expr],
        async_label: Option<&ast::Ident>,
    ) -> Action {
        let places = self.targets(targets);
        let called = self.callee(callee, args);
        if let (Some(label), false) = (async_label, targets.is_empty()) {
            let message = "a call that runs in a thread of its own gives no results";
            let it = Diagnostic::error(codes::ASYNC_RESULTS, callee.span, message);
            self.lower.sink.push(it.also(label.span, "this label starts a thread"));
        }
        let Some((callee_id, args)) = called else { return Action::Skip };
        if async_label.is_some() {
            return Action::StartThread(Box::new(Spawn::Call { callee: callee_id, args }));
        }
        let returned = self.lower.ast.procs[callee_id.as_u32() as usize].n_returns;
        if !targets.is_empty() && targets.len() != returned {
            let message = format!(
                "`{}` returns {}, but there {} {}",
                callee.name,
                count(returned, "value"),
                if targets.len() == 1 { "is" } else { "are" },
                count(targets.len(), "target")
            );
            let head = self.lower.ast.procs[callee_id.as_u32() as usize].span;
            let it = Diagnostic::error(codes::WRONG_RESULTS, callee.span, message);
            self.lower.sink.push(it.also(head, "defined here"));
        }
        let mut results = Vec::with_capacity(places.len());
        for (place, target) in places.into_iter().zip(targets) {
            results.push(match (place, target) {
                (Place::Var(var), _) => Some(var),
                (Place::Others(_), Target::Var(name)) => {
                    let message = format!("a result cannot be given to `{}`", name.name);
                    let it = Diagnostic::error(codes::MISUSED_BROADCAST, name.span, message);
                    self.lower.sink.push(it.help("assign it in a statement of its own"));
                    None
                }
                _ => None,
            });
        }
        Action::Call(Box::new(Call { callee: callee_id, args, results }))
    }

    /// The procedure and the arguments of a call, checked against its formals.
    fn callee(&mut self, callee: &ast::Ident, args: &[ast::Expr]) -> Option<(ProcId, Vec<ExprId>)> {
        let mut ids = Vec::with_capacity(args.len());
        for arg in args {
            ids.push(self.expr(arg, In::Plain));
        }
        let id = self.lower.proc_named(callee)?;
        if id != self.id {
            self.lower.called.insert(id);
        }
        let proc = &self.lower.ast.procs[id.as_u32() as usize];
        if args.len() != proc.formals.len() {
            let message = format!(
                "`{}` has {}, but {} given",
                callee.name,
                count(proc.formals.len(), "formal"),
                match args.len() {
                    1 => "1 argument is".to_owned(),
                    n => format!("{n} arguments are"),
                }
            );
            let it = Diagnostic::error(codes::WRONG_ARGUMENTS, callee.span, message);
            self.lower.sink.push(it.also(proc.span, "defined here"));
        }
        Some((id, ids))
    }

    fn dead(&mut self, vars: &[ast::Ident]) -> Action {
        let any = self.lower.exprs.add(Expr::Choice);
        let mut targets: Vec<(VarId, ExprId)> = Vec::with_capacity(vars.len());
        for name in vars {
            match self.lower.lookup(&name.name, &self.locals) {
                Some(var) => targets.push((var, any)),
                None => self.lower.unknown_variable(name, &mut self.locals),
            }
        }
        // To forget a variable twice is to forget it.
        targets.sort_unstable();
        targets.dedup();
        assignment(targets, Vec::new(), None)
    }

    fn start_thread(&mut self, start: &ThreadStart) -> Action {
        let spawn = match start {
            ThreadStart::Goto(label) => self.label(label).map(Spawn::Goto),
            ThreadStart::Call { callee, args } => {
                self.callee(callee, args).map(|(callee, args)| Spawn::Call { callee, args })
            }
        };
        spawn.map_or(Action::Skip, |spawn| Action::StartThread(Box::new(spawn)))
    }
}

/// An assignment; `skip` where nothing is left of it.
fn assignment(
    targets: Vec<(VarId, ExprId)>,
    broadcast: Vec<(VarId, ExprId)>,
    constrain: Option<ExprId>,
) -> Action {
    if targets.is_empty() && broadcast.is_empty() && constrain.is_none() {
        return Action::Skip;
    }
    Action::Assign(Box::new(Assign { targets, broadcast, constrain }))
}
