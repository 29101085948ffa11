//! Variables and functions declared outside of functions, and `static` ones inside: what the linker
//! knows of them, their types and first values.

use hardbop_base::{Name, Span};
use hardbop_cir::{Assumption, Expr as Node, ObjKind, Op, Shape, Source, VarKind};
use hardbop_diag::codes;

use super::Lowered;
use super::scope::{Entity, Global, Home};
use super::state::Lower;
use crate::syntax::ast::{Attributes, Decl, Initializer, Storage};
use crate::types::{CType, Len, TypeKind};

impl Lower<'_> {
    pub fn global_decl(&mut self, decl: &Decl) -> Lowered<()> {
        if decl.items.is_empty() {
            return match decl.specs.base {
                crate::syntax::ast::BaseSpec::Auto => Ok(()),
                _ => self.base_type(&decl.specs).map(drop),
            };
        }
        let base = self.base_type(&decl.specs)?;
        for item in &decl.items {
            let ctype = self.derived(base.clone(), &item.declarator)?;
            // Types inside the declarator have been read since.
            self.is_thread_local = decl.specs.is_thread_local;
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
                    if decl.specs.is_volatile && !ctype.is_ptr() {
                        let said = "objects declared `volatile` change where the program changes them, \
                                    and nowhere else";
                        self.assume_said(said);
                    }
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
            self.linkage.declared.entry(link.clone()).or_insert(span);
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
            Some(Global::Var { home, ctype, .. }) => {
                self.note_alignment(*home, &ctype.clone(), attributes)
            }
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
            if let Home::Object(object) | Home::Own(object) = home {
                self.program.objects[object].size = self.types.size(&ctype);
            }
            return Ok(());
        }
        // Each thread has global registers of its own.
        let is_own = self.is_thread_local && self.has_threads;
        let home = match self.types.ty(&ctype) {
            Some(ty) if !self.addressed.contains(name) && (is_own || !self.has_threads) => {
                let is_signed = ctype.is_signed();
                let var = self.new_var(name.clone(), ty, is_signed, VarKind::Global, Some(span));
                Home::Register(var, None)
            }
            _ => {
                // The size may become known later.
                let size = self.types.size(&ctype);
                let kind = if is_own { ObjKind::Thread } else { ObjKind::Global };
                let object = self.new_object(name.clone(), kind, size, Shape::Bytes, Some(span));
                self.program.objects[object].is_const = ctype.is_const_object();
                if is_own { Home::Own(object) } else { Home::Object(object) }
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
                let Some(expr) = super::local::scalar_init(init) else {
                    return self.error(codes::c::TYPE, span, "one value is expected here");
                };
                let value = self.constant(expr, &ctype)?;
                self.program.vars[var].init = Some(value);
            }
            Home::Object(object) | Home::Own(object) => {
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

    /// What is settled only when all units have been read.
    pub fn finish_global(
        &mut self,
        link: &Name,
        home: Home,
        ctype: &CType,
        is_defined: bool,
        span: Span,
    ) {
        if let Home::Object(object) | Home::Own(object) = home {
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
            (info.size, info.shape) = (Some(size), shape);
            info.is_const = ctype.is_const_object();
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
                let value = self.var_expr(dst);
                self.bool_range(ctype, value, span);
            }
            Home::Object(object) => {
                let ptr = self.program.exprs.add(Node::Addr(object));
                self.emit(Op::Havoc { ptr }, span);
            }
            // Its first bytes are not known for any thread.
            Home::Own(_) => {
                self.unsupported(span, "a thread-local variable that is defined nowhere")
            }
            Home::At(_) => {}
        }
    }
}
