//! Calls: by name, through pointers.

use std::rc::Rc;

use hardbop_base::{Name, Span};
use hardbop_cir::{
    Callee, Class, Cond, Expr as Node, ExprId, FuncId, ObjKind, Op, Shape, Source, Stop, Term, Ty,
};
use hardbop_diag::codes;

use super::Lowered;
use super::order::Order;
use super::place::{At, Guard, Place, Val, ValKind};
use super::scope::{Entity, Global};
use super::state::Lower;
use crate::syntax::ast::{Expr, ExprKind};
use crate::types::{CType, FieldInfo, FuncType, RecordId, TypeKind};

impl Lower<'_> {
    pub fn call(&mut self, callee: &Expr, args: &[Expr], span: Span) -> Lowered<Val> {
        if let ExprKind::Ident(name) = &callee.kind {
            let entity = self.lookup(name).cloned();
            match entity {
                None => return self.call_named(name, name, None, args, span),
                Some(Entity::Func { link, ctype }) => {
                    let func = ctype.func().cloned();
                    return self.call_named(name, &link, func, args, span);
                }
                Some(_) => {}
            }
        }
        let pointer = self.rvalue(callee)?;
        let Some(func) = pointer.ctype.func().cloned() else {
            return self.error(codes::c::TYPE, callee.span, "this is no function");
        };
        let ptr = self.scalar(&pointer, callee.span)?;
        if let Node::FuncAddr(id) = self.program.exprs.get(ptr) {
            return self.call_ir(Callee::Func(id), &func, args, span);
        }
        let ptr = if args.iter().any(|it| it.has_effect) { self.snapshot(ptr, span) } else { ptr };
        let null = self.program.exprs.add(Node::Null);
        let fine = self.program.exprs.binary(hardbop_cir::BinOp::Ne, ptr, null);
        let message = format!("`{}` may be null where it is called", self.text(callee.span));
        self.check(Class::Null, Cond::Holds(fine), message, span);
        self.call_ir(Callee::Ptr(ptr), &func, args, span)
    }

    fn call_named(
        &mut self,
        name: &Name,
        link: &Name,
        func: Option<Rc<FuncType>>,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Val> {
        let defined = match self.globals.get(link) {
            Some(Global::Func { id, .. }) => *id,
            _ => None,
        };
        // A function of this name with another type is not the library's.
        let defined = defined.filter(|&id| self.fits_library(id, link, func.as_deref()));
        let result = func.as_ref().map_or(CType::INT, |func| func.result.clone());
        let is_ours = defined.is_some_and(|id| self.library.contains(&id));
        if self.linkage.returning_twice.contains(link) && !is_ours {
            self.unsupported(span, format!("`{name}`, which returns twice,"));
            return self.dead_value(&result, span);
        }
        // What a user says about a lock goes before what the library says.
        let is_told = !self.has_threads && self.options.locks.is_told(name);
        let is_defined = defined.is_some_and(|id| !(is_told && self.library.contains(&id)));
        if let Some(value) = self.builtin_call(name, &result, args, is_defined, span)? {
            return Ok(value);
        }
        // `__builtin_strlen` is `strlen`, if that is one of the library's.
        let plain: Name = crate::library::names::canonical(link).into();
        if defined.is_none()
            && plain != *link
            && let Some(Global::Func { id: Some(id), .. }) = self.globals.get(&plain)
            && self.library.contains(id)
        {
            let id = *id;
            let func = self.implicit_type(&plain);
            return self.call_ir_kept(Callee::Func(id), Some(&plain), &func, args, span);
        }
        let func = func.unwrap_or_else(|| self.implicit_type(link));
        let func = match defined.is_some_and(|id| self.library.contains(&id))
            && func.params.iter().any(|it| self.is_transparent(it))
        {
            true => self.implicit_type(link),
            false => func,
        };
        if defined.is_some_and(|id| self.library.contains(&id)) {
            self.check_input(link, args, span)?;
        }
        match defined {
            Some(id) => self.call_ir_kept(Callee::Func(id), Some(link), &func, args, span),
            // No function without a body: the compiler gives it a meaning.
            None if name.starts_with("__builtin_") => {
                self.unsupported(span, format!("`{name}`"));
                self.dead_value(&result, span)
            }
            None if self.is_weak(name) => {
                self.args(&func, args, span)?;
                self.weak_is_null(name);
                let message = format!("`{name}` is null where it is called");
                self.check(Class::Null, Cond::Fails, message, span);
                self.finish(Term::Stop(Stop::Unreachable), span);
                self.dead_value(&result, span)
            }
            None => {
                let value = self.call_unknown(name, &func, args, span)?;
                if self.linkage.noreturn.contains(link) {
                    self.end_in_library(span);
                }
                Ok(value)
            }
        }
    }

    /// Whether a declaration can be that of the library's function: registers of the same kinds.
    /// Functions that are not the library's always fit.
    fn fits_library(&self, id: FuncId, link: &Name, declared: Option<&FuncType>) -> bool {
        let Some(declared) = declared.filter(|_| self.library.contains(&id)) else { return true };
        let Some(Global::Func { ctype: Some(ctype), .. }) = self.globals.get(link) else {
            return true;
        };
        let Some(ours) = ctype.func() else { return true };
        let kind = |it: &CType| match self.is_transparent(it) {
            true => Some(Ty::Ptr),
            false => self.types.ty(it),
        };
        let params = |it: &FuncType| it.params.iter().map(kind).collect::<Vec<_>>();
        // The machine cuts a wider result (see `fixup`).
        let same_result = match (kind(&declared.result), kind(&ours.result)) {
            (Some(Ty::Int(declared)), Some(Ty::Int(has))) => declared <= has,
            (declared, has) => declared == has,
        };
        let same_params =
            params(declared) == params(ours) && declared.is_variadic == ours.is_variadic;
        same_result && (same_params || !declared.has_prototype)
    }

    /// Whether a parameter takes any of several pointers, as those of `connect` and its like do.
    fn is_transparent(&self, ctype: &CType) -> bool {
        let TypeKind::Record(id) = ctype.kind else { return false };
        let record = &self.types.records[id];
        record.is_transparent && record.fields.iter().flatten().all(|it| it.ctype.is_ptr())
    }

    pub fn weak_is_null(&mut self, name: &str) {
        self.assume_said(format!("`{name}` is weak and defined nowhere: its address is null"));
    }

    /// A function without a body that does not return has ended the program, as `exit` or as `abort`.
    fn end_in_library(&mut self, span: Span) {
        let (exits, aborts) = (self.new_block(), self.new_block());
        let source = Source::External("end of the program".into());
        match self.has_ends() {
            true => {
                let which = self.nondet(Ty::BOOL, false, source, span);
                self.branch(which, exits, aborts, span);
                self.begin(exits);
                self.run_ends(span);
                self.goto(aborts, span);
            }
            false => self.goto(aborts, span),
        }
        self.finish(Term::Stop(Stop::Abort), span);
    }

    /// A function called without a declaration: what its definition says, or `int f()`.
    fn implicit_type(&self, link: &Name) -> Rc<FuncType> {
        match self.globals.get(link) {
            Some(Global::Func { ctype: Some(ctype), .. }) if ctype.func().is_some() => {
                ctype.func().cloned().unwrap_or_else(unknown_type)
            }
            _ => unknown_type(),
        }
    }

    /// Evaluates arguments from left to right and converts them.
    pub fn args(&mut self, func: &FuncType, args: &[Expr], span: Span) -> Lowered<Vec<Val>> {
        if func.has_prototype
            && (args.len() < func.params.len()
                || args.len() > func.params.len() && !func.is_variadic)
        {
            return self.error(
                codes::c::TYPE,
                span,
                format!("{} arguments are expected here", func.params.len()),
            );
        }
        let mut values = Vec::new();
        let all: Vec<&Expr> = args.iter().collect();
        let early = match self.order_of_all(&all) {
            Order::Open => Some(self.in_any_order(&all, &mut |lower, it| lower.rvalue(it))?),
            Order::Irrelevant | Order::Assumed => None,
        };
        for (at, arg) in args.iter().enumerate() {
            let value = match &early {
                Some(values) => values[at].clone(),
                None => self.rvalue(arg)?,
            };
            let ctype = match func.params.get(at) {
                Some(param) if func.has_prototype => param.unqualified(),
                _ => self.default_promotion(&value.ctype),
            };
            let mut value = match (&ctype.kind, value.kind) {
                (&TypeKind::Record(id), ValKind::Scalar(_))
                    if self.types.records[id].is_transparent =>
                {
                    self.transparent(id, &ctype, &value, arg.span)?
                }
                _ => self.convert(&value, &ctype, arg.span)?,
            };
            if let ValKind::Scalar(id) = value.kind
                && args[at + 1..].iter().any(|it| it.has_effect)
            {
                value.kind = ValKind::Scalar(self.snapshot(id, arg.span));
            }
            values.push(value);
        }
        Ok(values)
    }

    fn default_promotion(&self, ctype: &CType) -> CType {
        match ctype.kind {
            TypeKind::Float(hardbop_cir::FloatTy::F32) => CType::DOUBLE,
            // A wide bit-field is passed as the type it was declared with.
            TypeKind::Int { bits: 33..64, is_signed, .. } => CType::int(64, is_signed, 5),
            TypeKind::Int { .. } | TypeKind::Bool => self.types.promoted(ctype),
            _ => ctype.decayed(),
        }
    }

    /// An argument for a parameter that is a transparent union, by the member of its type.
    fn transparent(
        &mut self,
        id: RecordId,
        ctype: &CType,
        value: &Val,
        span: Span,
    ) -> Lowered<Val> {
        let fields = self.types.records[id].fields.clone().unwrap_or_default();
        let fits = |it: &&FieldInfo| self.types.compatible(&it.ctype, &value.ctype);
        let pointers = |it: &&FieldInfo| it.ctype.is_ptr() == value.ctype.is_ptr();
        let field = fields.iter().find(fits).or_else(|| fields.iter().find(pointers));
        let Some(field) = field else {
            return self.error(codes::c::TYPE, span, "no member of the union has this type");
        };
        let value = self.convert(value, &field.ctype, span)?;
        let ptr = self.temp_object(ctype, span)?;
        let at = At::Memory { ptr, guard: Guard::SAFE };
        self.write(&Place { ctype: field.ctype.clone(), at }, &value, span)?;
        Ok(Val { ctype: ctype.clone(), kind: ValKind::Record(ptr) })
    }

    /// Evaluates all arguments; scalars only.
    pub fn plain_args(&mut self, args: &[Expr]) -> Lowered<Vec<Val>> {
        let func = FuncType {
            result: CType::INT,
            params: Vec::new(),
            is_variadic: true,
            has_prototype: false,
        };
        self.args(&func, args, Span::default())
    }

    fn call_ir(
        &mut self,
        callee: Callee,
        func: &FuncType,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Val> {
        self.call_ir_kept(callee, None, func, args, span)
    }

    /// The same by a name, whose promises the arguments must keep.
    fn call_ir_kept(
        &mut self,
        callee: Callee,
        link: Option<&Name>,
        func: &FuncType,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Val> {
        let values = self.args(func, args, span)?;
        // Our library asks for itself: headers say less than it knows.
        let is_library = matches!(callee, Callee::Func(id) if self.library.contains(&id));
        if let Some(link) = link.filter(|_| !is_library) {
            self.keep_nonnull(link, &values, span);
        }
        if let Callee::Func(id) = callee
            && is_library
        {
            let first = usize::from(matches!(func.result.kind, TypeKind::Record(_)));
            self.note_rooms(id, &args[..args.len().min(func.params.len())], first, span);
        }
        let text_room = match link.filter(|_| is_library) {
            Some(link) => self.text_room(link, args, &values, span),
            None => None,
        };
        let (mut operands, mut copies) = (Vec::new(), Vec::new());
        let mut result_place = None;
        if let TypeKind::Record(_) = func.result.kind {
            let ptr = self.temp_object(&func.result, span)?;
            result_place = Some(ptr);
            operands.push(ptr);
        }
        let n_fixed = if func.has_prototype { func.params.len() } else { values.len() };
        for value in &values[..n_fixed.min(values.len())] {
            operands.push(self.argument(value, &mut copies, span)?);
        }
        if func.is_variadic {
            let rest = &values[n_fixed.min(values.len())..];
            let ptr = self.varargs(rest, &mut copies, span)?;
            operands.push(ptr);
        }
        let dst = self.types.ty(&func.result).map(|ty| self.temp(ty, func.result.is_signed()));
        self.emit(Op::Call { dst, callee, args: operands }, span);
        self.leave_copies(copies, span);
        if let (Some(link), Some(n), Some(room)) = (link, dst, text_room) {
            self.keep_text_inside(link, &room, n, span);
        }
        self.let_jumps_pass(span);
        Ok(match (dst, result_place) {
            (Some(dst), _) => Val::scalar(func.result.clone(), self.var_expr(dst)),
            (_, Some(ptr)) => Val { ctype: func.result.clone(), kind: ValKind::Record(ptr) },
            _ => Val::VOID,
        })
    }

    /// What the callee owns ends with the call.
    pub fn leave_copies(&mut self, copies: Vec<ExprId>, span: Span) {
        for ptr in copies {
            if let Node::Addr(object) = self.program.exprs.get(ptr) {
                self.emit(Op::Leave { object }, span);
            }
        }
    }

    /// A record is passed as the address of a copy that the callee owns.
    pub fn argument(
        &mut self,
        value: &Val,
        copies: &mut Vec<ExprId>,
        span: Span,
    ) -> Lowered<ExprId> {
        match value.kind {
            ValKind::Scalar(id) => Ok(id),
            ValKind::Record(src) => {
                let dst = self.temp_object(&value.ctype, span)?;
                let size = self.size_of(&value.ctype, span)?;
                let size = self.size_expr(size);
                self.emit(Op::Copy { dst, src, size }, span);
                copies.push(dst);
                Ok(dst)
            }
            ValKind::Void => self.error(codes::c::TYPE, span, "a value is needed here"),
        }
    }

    pub fn temp_object(&mut self, ctype: &CType, span: Span) -> Lowered<ExprId> {
        let size = self.size_of(ctype, span)?;
        let shape = self.types.shape(ctype);
        let ptr = self.fresh_object("(temporary)", size, shape, span);
        if let Node::Addr(object) = self.program.exprs.get(ptr)
            && !self.is_unevaluated()
        {
            self.func.temporaries.push(object);
        }
        Ok(ptr)
    }

    pub(super) fn fresh_object(
        &mut self,
        name: &str,
        size: u64,
        shape: Shape,
        span: Span,
    ) -> ExprId {
        let kind = ObjKind::Local(self.func.id);
        let object = self.new_object(name.into(), kind, Some(size), shape, Some(span));
        self.emit(Op::Enter { object, size: None }, span);
        self.program.exprs.add(Node::Addr(object))
    }

    pub fn external_result(&mut self, name: &Name, result: &CType, span: Span) -> Lowered<Val> {
        let source = Source::External(name.clone());
        match self.types.ty(result) {
            Some(ty) => {
                let value = self.nondet(ty, result.is_signed(), source, span);
                self.bool_range(result, value, span);
                Ok(Val::scalar(result.clone(), value))
            }
            None if result.is_void() => Ok(Val::VOID),
            None => {
                let ptr = self.temp_object(result, span)?;
                Ok(Val { ctype: result.clone(), kind: ValKind::Record(ptr) })
            }
        }
    }

    /// An arbitrary `_Bool` is 0 or 1.
    pub fn bool_range(&mut self, ctype: &CType, value: ExprId, span: Span) {
        if ctype.kind == TypeKind::Bool {
            let one = self.program.exprs.int(8, 1);
            let cond = self.program.exprs.binary(hardbop_cir::BinOp::Ule, value, one);
            self.emit(Op::Assume { cond }, span);
        }
    }
}

fn unknown_type() -> Rc<FuncType> {
    Rc::new(FuncType {
        result: CType::INT,
        params: Vec::new(),
        is_variadic: false,
        has_prototype: false,
    })
}
