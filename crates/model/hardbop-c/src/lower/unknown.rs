//! Functions nobody defines. Each gets a function that stands for it, so that it can be called and have
//! an address; `hardbop_cir::pass::outside` says what it does.

use hardbop_base::{Name, Span};
use hardbop_cir::pass::outside::{Pointee, Unknown};
use hardbop_cir::{
    Assumption, Block, Callee, Check, Class, Cond, Expr as Node, ExprId, Func, FuncId, Inst, Op,
    Stop, Term, Ty, VarKind,
};

use super::Lowered;
use super::place::Val;
use super::scope::{Global, Home};
use super::state::Lower;
use crate::syntax::Unit;
use crate::syntax::ast::{Deriv, External, Storage};
use crate::types::{CType, FuncType, TypeKind};

/// Names that mean by convention that any value is returned and nothing else happens.
const INPUT_PREFIXES: [&str; 2] = ["nondet_", "__VERIFIER_nondet_"];

/// Headers of the system whose functions compute; those of others ask the system.
const COMPUTING: [&str; 20] = [
    "ctype.h",
    "fenv.h",
    "fnmatch.h",
    "in.h",
    "inet.h",
    "inttypes.h",
    "libgen.h",
    "math.h",
    "mathcalls-helper-functions.h",
    "mathcalls-narrow.h",
    "mathcalls.h",
    "search.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "time.h",
    "uchar.h",
    "wchar.h",
    "wctype.h",
];

/// By name and by the types it is called with, as declarations without prototypes leave these open.
pub(super) type StubKey = (Name, Vec<Ty>, Option<Ty>);

impl Lower<'_> {
    pub fn call_unknown(
        &mut self,
        name: &Name,
        func: &FuncType,
        args: &[crate::syntax::ast::Expr],
        span: Span,
    ) -> Lowered<Val> {
        if self.is_computed(name) {
            self.unsupported(span, format!("`{name}`"));
            return self.dead_value(&func.result, span);
        }
        let values = self.args(func, args, span)?;
        if self.is_input(name) {
            self.assume_said(Assumption::NoEffect(name.clone()));
            return self.external_result(name, &func.result, span);
        }
        let (mut operands, mut types, mut copies) = (Vec::new(), Vec::new(), Vec::new());
        for (at, value) in values.iter().enumerate() {
            operands.push(self.argument(value, &mut copies, span)?);
            // What a declaration promises counts, and so does a pointer that is no other.
            let declared = func.params.get(at).filter(|it| it.pointee().is_some());
            types.push(declared.unwrap_or(&value.ctype).clone());
        }
        self.keep_nonnull(name, &values, span);
        self.keep_format(name, args, &values, &operands, span);
        let tys = operands.iter().map(|&it| self.program.exprs.ty(it)).collect();
        let stub = self.stub(name, tys, &types, &func.result, span);
        let dst = self.types.ty(&func.result).map(|ty| self.temp(ty, func.result.is_signed()));
        self.emit(Op::Call { dst, callee: Callee::Func(stub), args: operands }, span);
        self.leave_copies(copies, span);
        self.let_no_jump_pass(span);
        match dst {
            Some(dst) => Ok(Val::scalar(func.result.clone(), self.var_expr(dst))),
            None => self.external_result(name, &func.result, span),
        }
    }

    /// Whether the system declares it in a header of functions that compute: what they return is fixed, so that any value would
    /// be a wrong one.
    fn is_computed(&self, link: &str) -> bool {
        let Some(&span) = self.linkage.declared.get(link) else { return false };
        let file = self.sources.position(span).file;
        let is_system = ["/usr/", "/lib/"].iter().any(|it| file.starts_with(it));
        let name = file.rsplit('/').next().unwrap_or(&file);
        is_system && file.contains("/include/") && COMPUTING.contains(&name)
    }

    fn is_input(&self, name: &str) -> bool {
        INPUT_PREFIXES.iter().any(|it| name.starts_with(it))
    }

    /// The address of a function; one without a body has one, too.
    pub fn func_address(&mut self, link: &Name, ctype: &CType, span: Span) -> ExprId {
        let name = link.split('@').next().unwrap_or(link);
        let is_goal = self.options.goals.is_call(name);
        let known = self.known_address(link, name).filter(|_| !is_goal);
        if known.is_none() && !is_goal && self.is_weak(&name.into()) {
            self.weak_is_null(name);
            return self.program.exprs.add(Node::Null);
        }
        let id = match (known, ctype.func().cloned()) {
            (Some(id), _) => id,
            (_, Some(func)) => {
                let tys = func.params.iter().map(|it| self.types.ty(it).unwrap_or(Ty::Ptr));
                let mut tys: Vec<Ty> = tys.collect();
                if func.is_variadic {
                    tys.push(Ty::Ptr);
                }
                self.stub(link, tys, &func.params, &func.result, span)
            }
            (_, None) => return self.program.exprs.add(Node::Null),
        };
        self.program.exprs.add(Node::FuncAddr(id))
    }

    /// The function of the program by this name, or the library's that can be pointed to.
    fn known_address(&self, link: &Name, name: &str) -> Option<FuncId> {
        let plain = crate::library::names::canonical(name);
        let wrapper: Name = format!("{}{plain}", crate::library::names::ADDRESS).into();
        [link, &Name::from(plain), &wrapper].into_iter().find_map(|it| match self.globals.get(it) {
            Some(Global::Func { id: Some(id), .. }) if it == link || self.library.contains(id) => {
                Some(*id)
            }
            _ => None,
        })
    }

    /// What stands for a function without a body.
    fn stub(
        &mut self,
        name: &Name,
        tys: Vec<Ty>,
        ctypes: &[CType],
        result: &CType,
        span: Span,
    ) -> FuncId {
        let key = (name.clone(), tys.clone(), self.types.ty(result));
        if let Some(&stub) = self.stubs.get(&key) {
            return stub;
        }
        let id = self.program.funcs.next_id();
        let is_goal = self.options.goals.is_call(name.split('@').next().unwrap_or(name));
        let block = match is_goal {
            true => self.goal_body(name, span),
            false => {
                let what = format!("a call of `{name}`, which has no body");
                let term = Term::Stop(Stop::Unsupported(what.into()));
                Block { insts: Vec::new(), term, span }
            }
        };
        let mut params = Vec::new();
        for (at, ty) in tys.into_iter().enumerate() {
            let name = format!("(parameter {at})").into();
            let var = self.new_var(name, ty, false, VarKind::Param, None);
            self.program.vars[var].owner = Some(id);
            params.push(var);
        }
        self.program.funcs.push(Func {
            name: name.clone(),
            params,
            result: self.types.ty(result),
            blocks: vec![block].into(),
            span: Some(span),
        });
        self.stubs.insert(key, id);
        if is_goal || self.is_computed(name) {
            return id;
        }
        self.assume_said(Assumption::NoBody(name.clone()));
        let keeps = |it: &CType| it.pointee().is_some_and(|to| to.is_const);
        let unknown = Unknown {
            pointee: self.pointee_of(result),
            keeps: ctypes.iter().map(keeps).collect(),
            most: (result.kind == TypeKind::Bool).then_some(1),
            ..Unknown::default()
        };
        self.outside.funcs.insert(id, unknown);
        id
    }

    /// Soundness: a function that must not be called must not be called through a pointer, either.
    fn goal_body(&mut self, name: &str, span: Span) -> Block {
        let mut insts = Vec::new();
        if self.checks(Class::Assert) {
            let message = format!("`{name}` may be called").into();
            let check = self.program.checks.push(Check { class: Class::Assert, message, span });
            insts.push(Inst { op: Op::Check { check, cond: Cond::Fails }, span });
        }
        Block { insts, term: Term::Stop(Stop::Abort), span }
    }

    fn pointee_of(&self, result: &CType) -> Option<Pointee> {
        let to = result.pointee()?;
        if to.is_void() || to.func().is_some() {
            return None;
        }
        let size = self.types.size(to).filter(|&it| it > 0)?;
        Some(Pointee { shape: self.types.shape(to), size })
    }

    /// A variable with external linkage is known outside.
    pub(super) fn export(&mut self, link: &Name, home: Home, ctype: &CType, is_defined: bool) {
        // What our library keeps for itself; `errno` belongs to everybody.
        let is_ours = link.starts_with("__hardbop_") && &**link != "__hardbop_errno";
        let is_static = link.contains('@') || is_ours;
        // One that is only declared somewhere is no part of the program.
        if is_static || !is_defined && !self.used.contains(link) {
            return;
        }
        match home {
            Home::Register(var, _) if !ctype.is_const => self.outside.vars.push(var),
            Home::Object(object) => self.outside.objects.push(object),
            Home::Register(..) | Home::At(_) | Home::Own(_) => {}
        }
    }

    /// Variables a function without a body may return the address of have one.
    pub(super) fn address_exported(&mut self, units: &[Unit]) {
        let returns_pointer =
            |derivs: &[Deriv]| matches!(derivs, [Deriv::Func { .. }, Deriv::Ptr { .. }, ..]);
        let items = || units.iter().flat_map(|unit| &unit.items);
        let declared = items().filter_map(|item| match item {
            External::Decl(decl) => Some(decl),
            _ => None,
        });
        let is_called = declared.clone().flat_map(|decl| &decl.items).any(|item| {
            let Some(name) = &item.declarator.name else { return false };
            returns_pointer(&item.declarator.derivs)
                && self.used.contains(name)
                && !matches!(self.globals.get(name), Some(Global::Func { id: Some(_), .. }))
        });
        if !is_called {
            return;
        }
        let is_open = |storage: &Storage| !matches!(storage, Storage::Static | Storage::Typedef);
        for decl in declared.filter(|decl| is_open(&decl.specs.storage)) {
            let names = decl.items.iter().filter_map(|item| item.declarator.name.clone());
            self.addressed.extend(names.filter(|it| self.used.contains(it)));
        }
    }
}
