//! Functions with a body: their parameters, and their blocks put together.

use hardbop_base::{Name, Span};
use hardbop_cir::{Block, Expr as Node, Func, ObjKind, Op, Stop, Term, Ty, VarKind};
use hardbop_diag::codes;

use super::lifetime::Lifetimes;
use super::scope::{Entity, Global, Home};
use super::state::{FuncState, Lower};
use super::{Lowered, addressed};
use crate::syntax::ast::{Deriv, FuncDef, Storage};
use crate::types::{CType, FuncType, TypeKind};

impl Lower<'_> {
    pub fn function(&mut self, def: &FuncDef) -> Lowered<()> {
        let Some(name) = def.declarator.name.clone() else {
            return self.error(codes::c::SYNTAX, def.span, "the function has no name");
        };
        let is_static = def.specs.storage == Storage::Static;
        let link = self.link_name(&name, is_static);
        let Some(Global::Func { id: Some(id), ctype: done }) = self.globals.get(&link) else {
            return self.error(
                codes::c::REDEFINED,
                def.span,
                format!("`{name}` is a variable elsewhere"),
            );
        };
        let (id, done) = (*id, done.is_some());
        let base = self.base_type(&def.specs)?;
        let ctype = self.derived(base, &def.declarator)?;
        let mut attributes = def.specs.attributes.joined(&def.declarator.attributes);
        attributes.is_noreturn |= def.specs.is_noreturn;
        self.note_function(&link, &attributes, def.span)?;
        if done || !self.is_body(&link, def) {
            self.bind(name, Entity::Func { link, ctype });
            return Ok(());
        }
        let Some(Deriv::Func { params, has_prototype, .. }) = def.declarator.derivs.first() else {
            return self.error(codes::c::SYNTAX, def.span, "this is no function");
        };
        let Some(func) = ctype.func().cloned() else {
            return self.error(codes::c::SYNTAX, def.span, "this is no function");
        };
        self.scopes.open();
        let func = match def.old_params.is_empty() {
            // `f()` takes no arguments and yet says nothing about those of a call.
            true => FuncType { has_prototype: *has_prototype, ..(*func).clone() },
            false => self.old_params(def, &func)?,
        };
        let ctype = CType::new(TypeKind::Func(std::rc::Rc::new(func.clone())));
        self.globals
            .insert(link.clone(), Global::Func { id: Some(id), ctype: Some(ctype.clone()) });
        let is_noreturn = self.linkage.noreturn.contains(&link);
        let returns_nonnull = self.linkage.promises.get(&link).is_some_and(|it| it.returns_nonnull);
        self.scopes.names.declare_outermost(&name, Entity::Func { link, ctype });
        self.addressed_here.clear();
        addressed::block(&def.body, &mut self.addressed_here);
        self.func = FuncState::new(id, func.result.clone());
        self.func.is_noreturn = is_noreturn;
        self.func.returns_nonnull = returns_nonnull;
        self.func.lifetimes = Lifetimes::of(&def.body);
        self.n_open = 0;
        self.begin_allocas(def.span);
        let names = params.iter().map(|it| it.declarator.name.clone()).collect();
        let declared = params;
        let params = self.params(names, &func, def.span)?;
        self.variable_params(declared)?;
        // Parameters and the outermost variables share a scope but for shadowing, which C forbids.
        self.begin_early(def.body.span);
        self.statements(&def.body.items)?;
        self.scopes.close();
        let end = Span { start: def.body.span.end.saturating_sub(1), end: def.body.span.end };
        if &*name == "main" && func.result.is_integer() {
            let zero = self.int_const(0, func.result.clone());
            let zero = self.scalar(&zero, end)?;
            self.return_with(Some(zero), end);
        } else {
            self.return_nothing(end);
        }
        self.resolve_jumps()?;
        self.number_frame(def.span);
        let result = self.types.ty(&func.result);
        self.program.funcs[id] = self.built(name, params, result, def.span);
        Ok(())
    }

    fn old_params(&mut self, def: &FuncDef, func: &FuncType) -> Lowered<FuncType> {
        let Some(Deriv::Func { params, .. }) = def.declarator.derivs.first() else {
            return Ok(func.clone());
        };
        let mut types = func.params.clone();
        for decl in &def.old_params {
            let base = self.base_type(&decl.specs)?;
            for item in &decl.items {
                let ctype = self.derived(base.clone(), &item.declarator)?;
                let ctype = match ctype.kind {
                    TypeKind::Array(..) | TypeKind::Func(_) => ctype.decayed(),
                    _ => ctype,
                };
                let at = params.iter().position(|it| it.declarator.name == item.declarator.name);
                if let Some(slot) = at.and_then(|at| types.get_mut(at)) {
                    *slot = ctype;
                }
            }
        }
        Ok(FuncType { params: types, has_prototype: true, ..func.clone() })
    }

    fn params(
        &mut self,
        names: Vec<Option<Name>>,
        func: &FuncType,
        span: Span,
    ) -> Lowered<Vec<hardbop_cir::VarId>> {
        let mut params = Vec::new();
        if let TypeKind::Record(_) = func.result.kind {
            let var = self.new_var("(result)".into(), Ty::Ptr, false, VarKind::Param, None);
            self.func.result_ptr = Some(var);
            params.push(var);
        }
        for (at, ctype) in func.params.iter().enumerate() {
            let name = names.get(at).cloned().flatten();
            let shown = name.clone().unwrap_or_else(|| format!("(parameter {at})").into());
            let ty = self.types.ty(ctype).unwrap_or(Ty::Ptr);
            let var =
                self.new_var(shown.clone(), ty, ctype.is_signed(), VarKind::Param, Some(span));
            params.push(var);
            let home = match (&ctype.kind, &name) {
                (TypeKind::Record(_), _) => Home::At(var),
                (_, Some(name)) if self.addressed_here.contains(name) => {
                    let size = self.size_of(ctype, span)?;
                    let shape = self.types.shape(ctype);
                    let kind = ObjKind::Local(self.func.id);
                    let object = self.new_object(shown, kind, Some(size), shape, Some(span));
                    self.program.objects[object].align = self.types.field_align(ctype);
                    self.program.objects[object].is_const = ctype.is_const_object();
                    self.emit(Op::Enter { object, size: None }, span);
                    let (ptr, value) =
                        (self.program.exprs.add(Node::Addr(object)), self.var_expr(var));
                    self.emit(Op::Store { ptr, value }, span);
                    Home::Object(object)
                }
                _ => Home::Register(var, None),
            };
            if let Some(name) = name {
                self.bind(name, Entity::Var { home, ctype: ctype.clone() });
            }
        }
        if func.is_variadic {
            let var = self.new_var("...".into(), Ty::Ptr, false, VarKind::Param, None);
            self.func.varargs = Some(var);
            params.push(var);
        }
        Ok(params)
    }

    /// The function built, without blocks that cannot be reached.
    pub fn built(
        &mut self,
        name: Name,
        params: Vec<hardbop_cir::VarId>,
        result: Option<Ty>,
        span: Span,
    ) -> Func {
        let blocks = std::mem::take(&mut self.func.blocks);
        let dead = || Block { insts: Vec::new(), term: Term::Stop(Stop::Unreachable), span };
        let blocks = blocks.into_iter().map(|it| it.unwrap_or_else(dead)).collect();
        let mut func = Func { name, params, result, blocks, span: Some(span) };
        hardbop_cir::pass::unreachable::drop_unreachable(&mut func);
        func
    }
}
