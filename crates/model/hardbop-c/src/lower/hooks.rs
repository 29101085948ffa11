//! `constructor` and `destructor`: functions that run before the entry and at the end.

use hardbop_base::{Name, Span};
use hardbop_cir::{Callee, FuncId, Op, Stop, Term, Ty, VarKind};
use hardbop_diag::codes;

use super::Lowered;
use super::scope::Global;
use super::state::{FuncState, Lower};
use crate::syntax::Unit;
use crate::syntax::ast::{Attributes, External, Priority};
use crate::types::CType;

/// Without a priority: after all others before the entry, before all others at the end.
const NO_PRIORITY: i128 = 65_536;

#[derive(Default)]
pub(super) struct Hooks {
    starts: Vec<Hook>,
    ends: Vec<Hook>,
    /// Runs `ends`.
    at_exit: Option<FuncId>,
}

struct Hook {
    priority: i128,
    function: Name,
    span: Span,
}

impl Lower<'_> {
    /// Makes the function that `exit` calls, if any unit has something to run at the end.
    pub fn announce_hooks(&mut self, units: &[Unit]) {
        let is_end = |it: &Attributes| it.destructor.is_some();
        let any = units.iter().flat_map(|unit| &unit.items).any(|item| match item {
            External::Func(def) => {
                is_end(&def.specs.attributes) || is_end(&def.declarator.attributes)
            }
            External::Decl(decl) => {
                let mut items = decl.items.iter().map(|it| &it.declarator.attributes);
                is_end(&decl.specs.attributes) || items.any(is_end)
            }
            External::Asm(_) | External::StaticAssert(_) => false,
        });
        if any {
            let func = super::unit::empty_func("(at exit)".into(), None);
            self.hooks.at_exit = Some(self.program.funcs.push(func));
        }
    }

    /// Takes note of what attributes say about when a function runs, and how often it returns.
    pub fn note_function(
        &mut self,
        link: &Name,
        attributes: &Attributes,
        span: Span,
    ) -> Lowered<()> {
        if attributes.is_noreturn {
            self.linkage.noreturn.insert(link.clone());
        }
        if attributes.returns_twice {
            self.linkage.returning_twice.insert(link.clone());
        }
        if attributes.contract.is_given() {
            self.note_contract(link, &attributes.contract)?;
        }
        if let Some(Priority(priority)) = &attributes.constructor {
            let hook = self.hook(link, priority.as_deref(), span)?;
            add(&mut self.hooks.starts, hook);
        }
        if let Some(Priority(priority)) = &attributes.destructor {
            let hook = self.hook(link, priority.as_deref(), span)?;
            add(&mut self.hooks.ends, hook);
        }
        Ok(())
    }

    fn hook(
        &mut self,
        link: &Name,
        priority: Option<&crate::syntax::ast::Expr>,
        span: Span,
    ) -> Lowered<Hook> {
        let priority = match priority {
            Some(expr) => self.const_int(expr)?,
            None => NO_PRIORITY,
        };
        Ok(Hook { priority, function: link.clone(), span })
    }

    /// Calls what runs before the entry.
    pub fn run_starts(&mut self) -> Lowered<()> {
        let mut hooks = std::mem::take(&mut self.hooks.starts);
        hooks.sort_by_key(|it| it.priority);
        self.run_hooks(&hooks)
    }

    fn run_hooks(&mut self, hooks: &[Hook]) -> Lowered<()> {
        if hooks.windows(2).any(|it| it[0].priority == it[1].priority) {
            self.assume_said("constructors of one priority run in the order they are written in");
        }
        for hook in hooks {
            let Some(Global::Func { id: Some(id), .. }) = self.globals.get(&hook.function) else {
                continue;
            };
            let id = *id;
            if !self.program.funcs[id].params.is_empty() {
                let message = "a constructor or destructor with parameters is not supported";
                return self.error(codes::c::UNSUPPORTED, hook.span, message);
            }
            let op = Op::Call { dst: None, callee: Callee::Func(id), args: Vec::new() };
            self.emit(op, hook.span);
            self.let_no_jump_pass(hook.span);
        }
        Ok(())
    }

    /// Whether anything runs at the end.
    pub fn has_ends(&self) -> bool {
        self.hooks.at_exit.is_some()
    }

    /// The program comes to its end, by `exit` or from the entry.
    pub fn run_ends(&mut self, span: Span) {
        if let Some(id) = self.hooks.at_exit {
            let op = Op::Call { dst: None, callee: Callee::Func(id), args: Vec::new() };
            self.emit(op, span);
            self.let_no_jump_pass(span);
        }
    }

    /// The body of the function that runs what runs at the end, once.
    pub fn build_ends(&mut self) -> Lowered<()> {
        let Some(id) = self.hooks.at_exit else { return Ok(()) };
        let mut hooks = std::mem::take(&mut self.hooks.ends);
        hooks.reverse();
        hooks.sort_by_key(|it| -it.priority);
        let span = hooks.first().map_or(Span::default(), |it| it.span);
        self.func = FuncState::new(id, CType::VOID);
        let ending = self.new_var("(ending)".into(), Ty::BOOL, false, VarKind::Global, None);
        self.program.vars[ending].init = Some(self.program.exprs.bool(false));
        let (again, first) = (self.new_block(), self.new_block());
        let is_again = self.var_expr(ending);
        self.branch(is_again, again, first, span);
        self.begin(again);
        let what = "`exit` while the program ends";
        self.finish(Term::Stop(Stop::Unsupported(what.into())), span);
        self.begin(first);
        let value = self.program.exprs.bool(true);
        self.emit(Op::Set { dst: ending, value }, span);
        self.run_hooks(&hooks)?;
        self.finish(Term::Return(None), span);
        self.program.funcs[id] = self.built("(at exit)".into(), Vec::new(), None, span);
        Ok(())
    }
}

/// One for each function; a later declaration may say the priority again.
fn add(hooks: &mut Vec<Hook>, hook: Hook) {
    match hooks.iter_mut().find(|it| it.function == hook.function) {
        Some(known) => known.priority = known.priority.min(hook.priority),
        None => hooks.push(hook),
    }
}
