//! Units to one program: declarations and definitions of the whole, the start.

use std::collections::BTreeMap;

use hardbop_base::{Idx, Name, Span};
use hardbop_cir::{
    Assumption, Block, Callee, Class, Cond, Expr as Node, ExprPool, Func, FuncId, ObjId, ObjKind,
    Op, Program, Shape, Source, Stop, Term, Ty, VarKind,
};
use hardbop_diag::{Diagnostic, codes};

use super::effects::Summaries;
use super::lifetime::Lifetimes;
use super::scope::{Entity, Global, Home, Scope};
use super::state::{FuncState, Lower};
use super::{Lowered, Options, addressed};
use crate::source::Sources;
use crate::syntax::Unit;
use crate::syntax::ast::{Attributes, Decl, Deriv, External, FuncDef, Initializer, Storage};
use crate::types::{CType, FuncType, Len, TypeKind};

/// All units as one program.
pub struct Unified {
    pub program: Program,
    /// What is not modelled, where it stands.
    pub diagnostics: Vec<Diagnostic>,
    /// How the source reads heap objects.
    pub heap_shapes: BTreeMap<ObjId, Shape>,
}

/// Lowers units that are linked together; `library` is in front of them, as headers are, so that
/// builtins can be called without a declaration. The warnings name constructs that are not modelled.
pub fn lower_units(
    library: Option<&Unit>,
    units: &[Unit],
    sources: &Sources,
    options: &Options,
) -> Result<Unified, Box<Diagnostic>> {
    let program = Program {
        ptr_bits: options.model.ptr_bits(),
        vars: Default::default(),
        objects: Default::default(),
        funcs: Default::default(),
        checks: Default::default(),
        exprs: ExprPool::new(options.model.ptr_bits()),
        main: FuncId::new(0),
        assumptions: Vec::new(),
    };
    let mut lower = Lower::new(options, program, sources);
    lower.program.funcs.push(empty_func("(start)".into(), None));
    let all = || library.into_iter().chain(units).enumerate();
    lower.link(&all().map(|it| it.1).collect::<Vec<_>>())?;
    for (at, unit) in all() {
        lower.unit = at;
        lower.announce(unit)?;
        if at == 0 && library.is_some() {
            lower.library = lower.program.funcs.ids().skip(1).collect();
        }
    }
    lower.announce_hooks(units);
    lower.error_labels = options.goals.assertions && !crate::goals::has_goal_call(units);
    lower.summaries = Summaries::of(all().map(|it| it.1));
    lower.used = all().flat_map(|(_, unit)| unit.uses.iter().cloned()).collect();
    lower.address_exported(units);
    for (at, unit) in all() {
        lower.unit = at;
        lower.in_library = at == 0 && library.is_some();
        lower.scopes = vec![Scope::default()];
        for item in &unit.items {
            lower.external(item)?;
        }
    }
    lower.refuse_weak_variables()?;
    lower.start()?;
    lower.build_ends()?;
    super::fixup::fix_calls(&mut lower.program);
    super::noval::settle(&mut lower.program, &lower.without_value);
    super::instantiate::instantiate(&mut lower.program, &lower.library, sources);
    hardbop_cir::pass::outside::close(&mut lower.program, &lower.outside);
    let Lower { program, diagnostics, heap_shapes, .. } = lower;
    Ok(Unified { program, diagnostics, heap_shapes })
}

pub(super) fn empty_func(name: Name, span: Option<Span>) -> Func {
    let term = Term::Stop(Stop::Unreachable);
    let block = Block { insts: Vec::new(), term, span: span.unwrap_or_default() };
    Func { name, params: Vec::new(), result: None, blocks: vec![block].into(), span }
}

impl Lower<'_> {
    /// Ids for all functions with a body, and the names whose address is taken.
    fn announce(&mut self, unit: &Unit) -> Lowered<()> {
        for item in &unit.items {
            match item {
                External::Func(def) => {
                    addressed::block(&def.body, &mut self.addressed);
                    let Some(name) = &def.declarator.name else { continue };
                    let is_static = def.specs.storage == Storage::Static;
                    let link = self.link_name(name, is_static);
                    let known = match self.globals.get(&link) {
                        Some(Global::Func { id: Some(id), .. }) => Some(*id),
                        _ => None,
                    };
                    if !self.takes_body(&link, def)? {
                        continue;
                    }
                    if let Some(id) = known {
                        self.program.funcs[id] = empty_func(name.clone(), Some(def.span));
                        continue;
                    }
                    let id = self.program.funcs.push(empty_func(name.clone(), Some(def.span)));
                    self.globals.insert(link, Global::Func { id: Some(id), ctype: None });
                }
                External::Decl(decl) => {
                    for init in decl.items.iter().filter_map(|it| it.init.as_ref()) {
                        addressed::initializer(init, &mut self.addressed);
                    }
                }
                External::Asm(_) => {}
            }
        }
        Ok(())
    }

    fn external(&mut self, item: &External) -> Lowered<()> {
        match item {
            External::Decl(decl) => self.global_decl(decl),
            External::Func(def) => self.function(def),
            External::Asm(span) => self.error(
                codes::c::UNSUPPORTED,
                *span,
                "assembler outside of functions is not supported",
            ),
        }
    }

    fn global_decl(&mut self, decl: &Decl) -> Lowered<()> {
        if decl.items.is_empty() {
            return match decl.specs.base {
                crate::syntax::ast::BaseSpec::Auto => Ok(()),
                _ => self.base_type(&decl.specs).map(drop),
            };
        }
        let base = self.base_type(&decl.specs)?;
        for item in &decl.items {
            let ctype = self.derived(base.clone(), &item.declarator)?;
            let span = item.declarator.span;
            let Some(name) = item.declarator.name.clone() else {
                return self.error(codes::c::SYNTAX, span, "a name is missing");
            };
            let is_static = decl.specs.storage == Storage::Static;
            let mut attributes = decl.specs.attributes.joined(&item.declarator.attributes);
            attributes.is_noreturn |= decl.specs.is_noreturn;
            match decl.specs.storage {
                Storage::Typedef => {
                    let ctype = self.typedef_type(ctype, &attributes)?;
                    self.bind(name, Entity::Typedef(ctype));
                }
                Storage::Extern if item.init.is_none() => {
                    self.declare_extern(&name, ctype, false, &attributes, span)?
                }
                _ if matches!(ctype.kind, TypeKind::Func(_)) => {
                    self.declare_extern(&name, ctype, is_static, &attributes, span)?;
                }
                _ => {
                    let init = item.init.as_ref();
                    self.define_global(&name, ctype, is_static, init, &attributes, span)?;
                }
            }
        }
        Ok(())
    }

    /// `extern int x;` or `int f(int);`
    pub fn declare_extern(
        &mut self,
        name: &Name,
        ctype: CType,
        is_static: bool,
        attributes: &Attributes,
        span: Span,
    ) -> Lowered<()> {
        let link = self.link_name(name, is_static);
        if let TypeKind::Func(_) = ctype.kind {
            self.note_function(&link, attributes, span)?;
            self.globals.entry(link.clone()).or_insert(Global::Func { id: None, ctype: None });
            self.bind(name.clone(), Entity::Func { link, ctype });
            return Ok(());
        }
        self.global_var(&link, name, ctype, span)?;
        self.note_global(&link, attributes)?;
        self.bind(name.clone(), Entity::Global { link });
        Ok(())
    }

    fn note_global(&mut self, link: &Name, attributes: &Attributes) -> Lowered<()> {
        match self.globals.get(link) {
            Some(Global::Var { home, .. }) => self.note_alignment(*home, attributes),
            _ => Ok(()),
        }
    }

    /// The variable of a link name, made at its first declaration.
    fn global_var(&mut self, link: &Name, name: &Name, ctype: CType, span: Span) -> Lowered<()> {
        if let Some(known) = self.globals.get_mut(link) {
            let Global::Var { ctype: old, home, .. } = known else {
                return self.error(
                    codes::c::REDEFINED,
                    span,
                    format!("`{name}` is a function elsewhere"),
                );
            };
            let sizes = (self.types.size(old), self.types.size(&ctype));
            if let (Some(one), Some(other)) = sizes
                && one != other
            {
                let message = format!("`{name}` has {other} bytes here and {one} elsewhere");
                return self.error(codes::c::REDEFINED, span, message);
            }
            // A later declaration may know the length.
            if matches!(old.kind, TypeKind::Array(_, Len::Unknown)) {
                *old = ctype;
            }
            let (home, ctype) = (*home, old.clone());
            if let Home::Object(object) = home {
                self.program.objects[object].size = self.types.size(&ctype);
            }
            return Ok(());
        }
        let home = match self.types.ty(&ctype) {
            Some(ty) if !self.addressed.contains(name) => {
                let is_signed = ctype.is_signed();
                let var = self.new_var(name.clone(), ty, is_signed, VarKind::Global, Some(span));
                Home::Register(var, None)
            }
            _ => {
                // The size may become known later.
                let size = self.types.size(&ctype);
                let object =
                    self.new_object(name.clone(), ObjKind::Global, size, Shape::Bytes, Some(span));
                self.program.objects[object].is_const = ctype.is_const;
                Home::Object(object)
            }
        };
        self.globals.insert(
            link.clone(),
            Global::Var { home, ctype, is_defined: false, is_initialised: false },
        );
        Ok(())
    }

    fn define_global(
        &mut self,
        name: &Name,
        ctype: CType,
        is_static: bool,
        init: Option<&Initializer>,
        attributes: &Attributes,
        span: Span,
    ) -> Lowered<()> {
        let link = self.link_name(name, is_static);
        if self.gives_way(name, &link) {
            return self.declare_extern(name, ctype, is_static, attributes, span);
        }
        self.global_var(&link, name, ctype.clone(), span)?;
        self.note_global(&link, attributes)?;
        self.bind(name.clone(), Entity::Global { link: link.clone() });
        self.init_global(&link, ctype, init, span)
    }

    fn init_global(
        &mut self,
        link: &Name,
        ctype: CType,
        init: Option<&Initializer>,
        span: Span,
    ) -> Lowered<()> {
        let ctype = match init {
            Some(init) => self.complete(&ctype, init)?,
            None => ctype,
        };
        let Some(Global::Var { home, ctype: known, is_defined, is_initialised }) =
            self.globals.get_mut(link)
        else {
            return Ok(());
        };
        *is_defined = true;
        if init.is_some() && std::mem::replace(is_initialised, true) {
            let name = link.split('@').next().unwrap_or(link);
            let message = format!("`{name}` is given a first value twice");
            return self.error(codes::c::REDEFINED, span, message);
        }
        if matches!(known.kind, TypeKind::Array(_, Len::Unknown)) {
            *known = ctype.clone();
        }
        let home = *home;
        let Some(init) = init else { return Ok(()) };
        match home {
            Home::Register(var, _) => {
                let Some(expr) = super::stmt::scalar_init(init) else {
                    return self.error(codes::c::TYPE, span, "one value is expected here");
                };
                let value = self.constant(expr, &ctype)?;
                self.program.vars[var].init = Some(value);
            }
            Home::Object(object) => {
                let size = self.size_of(&ctype, span)?;
                self.program.objects[object].size = Some(size);
                self.init_static(object, &ctype, init)?;
            }
            Home::At(_) => {}
        }
        Ok(())
    }

    pub fn static_local(
        &mut self,
        name: &Name,
        ctype: CType,
        init: Option<&Initializer>,
        span: Span,
    ) -> Lowered<()> {
        let func = self.program.funcs[self.func.id].name.clone();
        let link: Name = format!("{func}.{name}@{}#{}", self.unit, span.start).into();
        let addressed = self.addressed_here.contains(name);
        if addressed {
            self.addressed.insert(name.clone());
        }
        self.global_var(&link, name, ctype.clone(), span)?;
        self.bind(name.clone(), Entity::Global { link: link.clone() });
        // Constants: locals are not in reach, and neither is the block at hand.
        self.init_global(&link, ctype, init, span)
    }

    fn function(&mut self, def: &FuncDef) -> Lowered<()> {
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
        self.scopes.push(Scope::default());
        let func = match def.old_params.is_empty() {
            // `f()` takes no arguments and yet says nothing about those of a call.
            true => FuncType { has_prototype: *has_prototype, ..(*func).clone() },
            false => self.old_params(def, &func)?,
        };
        let ctype = CType::new(TypeKind::Func(std::rc::Rc::new(func.clone())));
        self.globals
            .insert(link.clone(), Global::Func { id: Some(id), ctype: Some(ctype.clone()) });
        let is_noreturn = self.linkage.noreturn.contains(&link);
        self.scopes[0].names.insert(name.clone(), Entity::Func { link, ctype });
        self.addressed_here.clear();
        addressed::block(&def.body, &mut self.addressed_here);
        self.func = FuncState::new(id, func.result.clone());
        self.func.is_noreturn = is_noreturn;
        self.func.lifetimes = Lifetimes::of(&def.body);
        self.n_open = 0;
        self.begin_allocas(def.span);
        let names = params.iter().map(|it| it.declarator.name.clone()).collect();
        let declared = params;
        let params = self.params(names, &func, def.span)?;
        self.variable_params(declared)?;
        // Parameters and the outermost variables share a scope but for shadowing, which C forbids.
        self.begin_early(def.body.span);
        def.body.items.iter().try_for_each(|it| self.stmt(it))?;
        self.scopes.pop();
        let end = Span { start: def.body.span.end.saturating_sub(1), end: def.body.span.end };
        if &*name == "main" && func.result.is_integer() {
            let zero = self.int_const(0, func.result.clone());
            let zero = self.scalar(&zero, end)?;
            self.return_with(Some(zero), end);
        } else {
            self.return_nothing(end);
        }
        self.resolve_jumps()?;
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

    /// The function that calls the entry: what is unknown at the start, and what is asked at the
    /// end.
    fn start(&mut self) -> Lowered<()> {
        let entry: Name = self.options.entry.as_str().into();
        let Some(Global::Func { id: Some(id), ctype: Some(ctype) }) =
            self.globals.get(&entry).cloned()
        else {
            let message = format!("there is no function `{entry}` with a body");
            return self.error(codes::c::NO_ENTRY, Span::default(), message);
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
        let reads_argv = self.is_param_read(id, 1);
        for (at, param) in func.params.iter().enumerate() {
            let arg = self.entry_argument(&entry, at, param, &args, reads_argv, span)?;
            args.push(arg);
        }
        if func.is_variadic {
            args.push(self.program.exprs.add(Node::Null));
        }
        let dst = self.types.ty(&func.result).map(|ty| self.temp(ty, func.result.is_signed()));
        self.emit(Op::Call { dst, callee: Callee::Func(id), args }, span);
        self.run_exit_handlers(span);
        self.run_ends(span);
        self.check(
            Class::Leak,
            Cond::NoLeak,
            "memory may be lost: at the end nothing points to it",
            span,
        );
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

    fn finish_global(
        &mut self,
        link: &Name,
        home: Home,
        ctype: &CType,
        is_defined: bool,
        span: Span,
    ) {
        if let Home::Object(object) = home {
            let info = &self.program.objects[object];
            let size = self.types.size(ctype).unwrap_or(0).max(info.size.unwrap_or(0));
            // `int a[];` without more is one element.
            let size = match &ctype.kind {
                TypeKind::Array(of, Len::Unknown) if is_defined => {
                    self.types.size(of).unwrap_or(0).max(size)
                }
                _ => size,
            };
            let shape = self.types.shape(ctype);
            let info = &mut self.program.objects[object];
            (info.size, info.shape, info.is_const) = (Some(size), shape, ctype.is_const);
        }
        let name = link.split('@').next().unwrap_or(link);
        if is_defined || !self.used.contains(name) {
            return;
        }
        self.assume_said(Assumption::Undefined(name.into()));
        match home {
            Home::Register(dst, _) => {
                let source = Source::External(link.clone());
                self.emit(Op::Nondet { dst, source }, span);
            }
            Home::Object(object) => {
                let ptr = self.program.exprs.add(Node::Addr(object));
                self.emit(Op::Havoc { ptr }, span);
            }
            Home::At(_) => {}
        }
    }
}
