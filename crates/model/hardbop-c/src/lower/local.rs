//! Local declarations.

use hardbop_base::{Name, Span};
use hardbop_cir::{Class, Expr as Node, ObjKind, Op, Ty, VarKind};
use hardbop_diag::codes;

use super::Lowered;
use super::place::{At, Place};
use super::scope::{Entity, Global, Home};
use super::state::Lower;
use crate::syntax::ast::{Attributes, BaseSpec, Decl, Expr, InitDeclarator, Initializer, Storage};
use crate::types::{CType, Len, TypeKind};

impl Lower<'_> {
    pub fn local_decl(&mut self, decl: &Decl) -> Lowered<()> {
        if decl.items.is_empty() {
            return match decl.specs.base {
                BaseSpec::Auto => Ok(()),
                _ => self.base_type(&decl.specs).map(drop),
            };
        }
        let base = match (&decl.specs.base, &decl.items[..]) {
            (BaseSpec::Auto, [InitDeclarator { init: Some(Initializer::Expr(expr)), .. }]) => {
                self.type_of(expr)?.decayed().unqualified()
            }
            _ => self.base_type(&decl.specs)?,
        };
        for item in &decl.items {
            let ctype = self.derived(base.clone(), &item.declarator)?;
            self.is_thread_local = decl.specs.is_thread_local;
            self.full(|it| it.local(decl, item, ctype), item.declarator.span)?;
        }
        Ok(())
    }

    fn local(&mut self, decl: &Decl, item: &InitDeclarator, ctype: CType) -> Lowered<()> {
        let span = item.declarator.span;
        let Some(name) = item.declarator.name.clone() else {
            return self.error(codes::c::SYNTAX, span, "a name is missing");
        };
        let attributes = decl.specs.attributes.joined(&item.declarator.attributes);
        if decl.specs.storage == Storage::Typedef {
            let ctype = self.typedef_type(ctype, &attributes)?;
            self.bind(name, Entity::Typedef(ctype));
            return Ok(());
        }
        if matches!(ctype.kind, TypeKind::Func(_)) || decl.specs.storage == Storage::Extern {
            return self.declare_extern(&name, ctype, false, &attributes, span);
        }
        if decl.specs.storage == Storage::Static {
            self.static_local(&name, ctype, item.init.as_ref(), span)?;
            return self.note_local(&name, &attributes);
        }
        let ctype = match &item.init {
            Some(init) => self.complete(&ctype, init)?,
            None => ctype,
        };
        let is_cleaned = attributes.cleanup.is_some();
        match self.types.ty(&ctype) {
            Some(ty) if !self.addressed_here.contains(&name) && !is_cleaned => {
                self.register_local(name.clone(), ty, ctype, item.init.as_ref(), span)?;
            }
            _ => self.object_local(name.clone(), ctype, item.init.as_ref(), span)?,
        }
        self.note_local(&name, &attributes)
    }

    /// What attributes say about a local variable that has just been bound.
    fn note_local(&mut self, name: &Name, attributes: &Attributes) -> Lowered<()> {
        let (home, ctype) = match self.lookup(name).cloned() {
            Some(Entity::Var { home, ctype }) => (home, ctype),
            Some(Entity::Global { link }) => match self.globals.get(&link) {
                // The attribute `cleanup` is for automatic variables; compilers ignore it here.
                Some(Global::Var { home, ctype, .. }) => {
                    return self.note_alignment(*home, &ctype.clone(), attributes);
                }
                _ => return Ok(()),
            },
            _ => return Ok(()),
        };
        self.note_alignment(home, &ctype, attributes)?;
        match (&attributes.cleanup, home) {
            (Some((function, span)), Home::Object(object)) => {
                self.clean_up(object, &ctype, function, *span)
            }
            _ => Ok(()),
        }
    }

    fn register_local(
        &mut self,
        name: Name,
        ty: Ty,
        ctype: CType,
        init: Option<&Initializer>,
        span: Span,
    ) -> Lowered<()> {
        let var = self.new_var(name.clone(), ty, ctype.is_signed(), VarKind::Local, Some(span));
        let known = self.checks(Class::Uninit).then(|| {
            let name = format!("{name}.known").into();
            self.new_var(name, Ty::BOOL, false, VarKind::Local, Some(span))
        });
        self.func.registers.push((var, known));
        // In scope in its own initialiser, as C has it.
        self.bind(name, Entity::Var { home: Home::Register(var, known), ctype: ctype.clone() });
        match init {
            Some(init) => {
                if let Some(dst) = known {
                    let value = self.program.exprs.bool(false);
                    self.emit(Op::Set { dst, value }, span);
                }
                let Some(expr) = scalar_init(init) else {
                    return self.error(codes::c::TYPE, span, "one value is expected here");
                };
                let value = self.rvalue(expr)?;
                let value = self.convert(&value, &ctype, expr.span)?;
                let value = self.scalar(&value, expr.span)?;
                self.emit(Op::Set { dst: var, value }, span);
                if let Some(dst) = known {
                    let value = self.program.exprs.bool(true);
                    self.emit(Op::Set { dst, value }, span);
                }
            }
            None => {
                for inst in self.without_values([(var, known)], span) {
                    self.emit(inst.op, span);
                }
                let value = self.var_expr(var);
                self.bool_range(&ctype, value, span);
            }
        }
        Ok(())
    }

    fn object_local(
        &mut self,
        name: Name,
        ctype: CType,
        init: Option<&Initializer>,
        span: Span,
    ) -> Lowered<()> {
        let size = self.types.size(&ctype);
        let dynamic = match (&ctype.kind, size) {
            (_, Some(_)) => None,
            (TypeKind::Array(_, Len::Variable(var)), _) => Some(self.var_expr(*var)),
            _ => {
                self.size_of(&ctype, span)?;
                None
            }
        };
        let shape = self.types.shape(&ctype);
        let (object, is_new) = match size {
            Some(size) => self.begin_object(name.clone(), size, shape, span),
            // One of variable length lives from its declaration on.
            None => {
                let kind = ObjKind::Local(self.func.id);
                let object = self.new_object(name.clone(), kind, None, shape, Some(span));
                self.emit(Op::Enter { object, size: dynamic }, span);
                self.func.live.push(object);
                (object, true)
            }
        };
        self.program.objects[object].is_const = ctype.is_const_object();
        self.bind(name.clone(), Entity::Var { home: Home::Object(object), ctype: ctype.clone() });
        let ptr = self.program.exprs.add(Node::Addr(object));
        let Some(init) = init else {
            if !is_new {
                self.emit(Op::Havoc { ptr }, span);
            }
            self.follow_bits(object, &name, &ctype, span);
            return Ok(());
        };
        if let (Initializer::Expr(expr), true) = (init, !matches!(ctype.kind, TypeKind::Array(..)))
        {
            let value = self.rvalue(expr)?;
            let value = self.convert(&value, &ctype, expr.span)?;
            let place = Place { ctype, at: At::Memory { ptr, guard: super::place::Guard::SAFE } };
            return self.write(&place, &value, span);
        }
        self.init_memory(ptr, &ctype, init, span)
    }
}

/// The expression of `= e` or `= { e }`.
pub(super) fn scalar_init(init: &Initializer) -> Option<&Expr> {
    match init {
        Initializer::Expr(expr) => Some(expr),
        Initializer::List(items, _) => match &items[..] {
            [(designators, init)] if designators.is_empty() => scalar_init(init),
            _ => None,
        },
    }
}
