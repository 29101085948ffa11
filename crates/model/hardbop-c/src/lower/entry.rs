//! The start: what is unknown before the entry function runs, what it is called with, and what is
//! asked at the end.

use hardbop_base::{Idx, Name, Span};
use hardbop_cir::{
    Callee, Class, Cond, Expr as Node, ExprId, FuncId, Holder, Op, Source, Term, Ty,
};
use hardbop_diag::{Diagnostic, codes, did_you_mean, nearest};

use super::Lowered;
use super::mistake::Wrong;
use super::scope::Global;
use super::state::{FuncState, Lower};
use crate::types::{CType, TypeKind};

impl Lower<'_> {
    /// The function that calls the entry: what is unknown at the start, and what is asked at the
    /// end.
    pub fn start(&mut self) -> Lowered<()> {
        let entry: Name = self.options.entry.as_str().into();
        let Some(Global::Func { id: Some(id), ctype: Some(ctype) }) =
            self.globals.get(&entry).cloned()
        else {
            return self.no_entry(&entry);
        };
        let span = self.program.funcs[id].span.unwrap_or_default();
        let Some(func) = ctype.func().cloned() else { return Ok(()) };
        self.func = FuncState::new(FuncId::new(0), CType::INT);
        let mut globals: Vec<(Name, Global)> = self.globals.clone().into_iter().collect();
        globals.sort_by(|a, b| a.0.cmp(&b.0));
        for (link, global) in globals {
            let Global::Var { home, ctype, is_defined, .. } = global else { continue };
            self.finish_global(&link, home, &ctype, is_defined, span);
            self.export(&link, home, &ctype, is_defined);
        }
        self.run_starts()?;
        let mut args = Vec::new();
        if let TypeKind::Record(_) = func.result.kind {
            args.push(self.temp_object(&func.result, span)?);
        }
        let reads_argv = self.is_param_read(id, 1).then_some(id);
        for (at, param) in func.params.iter().enumerate() {
            let arg = self.entry_argument(&entry, at, param, &args, reads_argv, span)?;
            args.push(arg);
        }
        if func.is_variadic {
            args.push(self.program.exprs.add(Node::Null));
        }
        let dst = self.types.ty(&func.result).map(|ty| self.temp(ty, func.result.is_signed()));
        self.emit(Op::Call { dst, callee: Callee::Func(id), args }, span);
        self.let_no_jump_pass(span);
        self.run_exit_handlers(span);
        self.run_ends(span);
        self.check_heap(Holder::Globals, span);
        let value = match dst {
            Some(dst) if func.result.is_integer() => {
                let value = self.var_expr(dst);
                self.program.exprs.resize(value, 32, func.result.is_signed())
            }
            _ => self.program.exprs.int(32, 0),
        };
        self.finish(Term::Return(Some(value)), span);
        self.program.funcs[FuncId::new(0)] =
            self.built("(start)".into(), Vec::new(), Some(Ty::Int(32)), span);
        Ok(())
    }

    /// What is asked about memory where the program ends, in the entry or inside of calls.
    pub fn check_heap(&mut self, holder: Holder, span: Span) {
        // What other threads lead to is not known.
        if holder == Holder::Globals || !self.has_threads {
            let message = "memory may be lost: at the end nothing points to it";
            self.check(Class::Leak, Cond::NoLeak(holder), message, span);
        }
        let message = "memory may still be allocated at the end";
        self.check(Class::Cleanup, Cond::NoLeak(Holder::System), message, span);
    }

    fn no_entry<T>(&self, entry: &str) -> Lowered<T> {
        let ids = self.program.funcs.ids().filter(|it| !self.library.contains(it));
        let there = ids.map(|it| &self.program.funcs[it]);
        let there: Vec<_> = there.filter_map(|it| Some((&*it.name, it.span?))).collect();
        let message = format!("there is no function `{entry}` with a body");
        let place = there.first().map_or(Span::default(), |it| it.1);
        let wrong = Diagnostic::error(codes::c::NO_ENTRY, place, message);
        let near = nearest(entry, there.iter().map(|it| it.0));
        let wrong = match there.first() {
            Some((name, _)) if near.is_none() => {
                wrong.help(format!("`--entry NAME` starts with another function, such as `{name}`"))
            }
            _ => did_you_mean(wrong, near),
        };
        Err(Wrong::Mistake(Box::new(wrong)))
    }

    /// `main` gets any number of arguments (see `arguments`), another entry any values. `before` are those
    /// of the parameters before this one.
    pub fn entry_argument(
        &mut self,
        entry: &str,
        at: usize,
        param: &CType,
        before: &[ExprId],
        reads_argv: Option<FuncId>,
        span: Span,
    ) -> Lowered<ExprId> {
        let Some(ty) = self.types.ty(param) else { return self.temp_object(param, span) };
        if entry != "main" {
            let source = Source::Input(format!("argument {at} of {entry}").into());
            if ty == Ty::Ptr && self.options.entry_depth > 0 {
                let name = format!("argument {at} of {entry}");
                return self.entry_objects(entry, &name, param, span);
            }
            if ty == Ty::Ptr {
                self.assume_said(format!(
                    "`{entry}` is called with pointers that point to nothing known"
                ));
            }
            let value = self.nondet(ty, param.is_signed(), source, span);
            self.bool_range(param, value, span);
            return Ok(value);
        }
        Ok(match (at, ty) {
            (0, Ty::Int(width)) => self.argc(width, span),
            (1, Ty::Ptr) => match (before, reads_argv) {
                (&[argc, ..], Some(main)) => self.argv(argc, main, span),
                _ => self.program.exprs.add(Node::Null),
            },
            (_, ty) => self.nondet(ty, false, Source::External("environment".into()), span),
        })
    }

    /// Whether a function looks at its parameter; one without such a parameter does not.
    pub fn is_param_read(&self, func: FuncId, at: usize) -> bool {
        let func = &self.program.funcs[func];
        let Some(&param) = func.params.get(at) else { return false };
        let blocks = func.blocks.iter();
        let mut operands = blocks.flat_map(|block| {
            let insts = block.insts.iter().flat_map(|inst| inst.op.operands());
            insts.chain(block.term.operands())
        });
        operands.any(|id| {
            let mut is_read = false;
            self.program.exprs.for_each_var(id, &mut |var| is_read |= var == param);
            is_read
        })
    }
}
