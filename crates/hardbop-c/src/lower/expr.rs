//! Expressions: values and places.

use hardbop_base::Span;
use hardbop_cir::{BinOp, Expr as Node, ExprId, FloatTy, ObjKind, Op, Shape, Ty, UnOp};
use hardbop_diag::codes;

use super::Lowered;
use super::logic::has_effect;
use super::place::{At, Guard, Place, Val, ValKind};
use super::scope::{Entity, Global, Home};
use super::state::Lower;
use crate::syntax::ast::{Binary, Designator, Expr, ExprKind, Unary};
use crate::types::{CType, Len, TypeKind};

impl Lower<'_> {
    /// The type of an expression that is not evaluated, or not yet. Each node is asked once: arms
    /// of `?:` ask again on every level above them.
    pub fn type_of(&mut self, expr: &Expr) -> Lowered<CType> {
        let node = std::ptr::from_ref(expr);
        if let Some(known) = self.known_types.get(&node) {
            return Ok(known.clone());
        }
        let ctype = self.unevaluated(|lower| {
            if lower.is_place(expr) {
                return Ok(lower.place(expr)?.ctype);
            }
            Ok(lower.rvalue(expr)?.ctype)
        })?;
        self.known_types.insert(node, ctype.clone());
        Ok(ctype)
    }

    /// The value of an integer constant expression.
    pub fn const_int(&mut self, expr: &Expr) -> Lowered<i128> {
        match self.try_const_int(expr)? {
            Some(value) => Ok(value),
            None => self.error(codes::c::NOT_CONSTANT, expr.span, "a constant is needed here"),
        }
    }

    pub fn try_const_int(&mut self, expr: &Expr) -> Lowered<Option<i128>> {
        let value = self.unevaluated(|lower| lower.rvalue(expr))?;
        let ValKind::Scalar(id) = value.kind else { return Ok(None) };
        let Ty::Int(width) = self.program.exprs.ty(id) else { return Ok(None) };
        Ok(self.program.exprs.as_int(id).map(|it| match value.ctype.is_signed() {
            true => hardbop_cir::eval::signed(it, width),
            false => it as i128,
        }))
    }

    fn is_place(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Ident(name) => {
                !matches!(self.lookup(name), Some(Entity::Enumerator { .. }) | None)
            }
            ExprKind::Unary(Unary::Deref, _) | ExprKind::Index(..) => true,
            ExprKind::Member { .. } | ExprKind::Str { .. } | ExprKind::CompoundLit(..) => true,
            ExprKind::Generic(..) | ExprKind::ChooseExpr(..) => false,
            _ => false,
        }
    }

    pub fn rvalue(&mut self, expr: &Expr) -> Lowered<Val> {
        let span = expr.span;
        if self.is_place(expr) {
            let place = self.place(expr)?;
            return self.read(&place, span);
        }
        match &expr.kind {
            ExprKind::Int { value, is_decimal, is_unsigned, longs } => {
                let ctype = self.int_type(*value, *is_decimal, *is_unsigned, *longs);
                let bits = self.int_bits(&ctype);
                Ok(Val::scalar(ctype, self.program.exprs.int(bits, *value)))
            }
            ExprKind::Float { value, suffix } => {
                let ty = match suffix {
                    b'f' => FloatTy::F32,
                    b'l' => FloatTy::F80,
                    _ => FloatTy::F64,
                };
                self.say_float(ty);
                let node = self.program.exprs.add(Node::Float { ty, bits: value.to_bits() });
                Ok(Val::scalar(CType::new(TypeKind::Float(ty)), node))
            }
            ExprKind::Char(value) => Ok(self.int_const(i128::from(*value), CType::INT)),
            ExprKind::Ident(name) => self.named_value(name, span),
            ExprKind::Unary(op, of) => self.unary(*op, of, span),
            ExprKind::Binary(op @ (Binary::And | Binary::Or), a, b) => {
                let truth = self.short(*op, a, b, span)?;
                Ok(self.int_of(truth))
            }
            ExprKind::Binary(op, a, b) => {
                let left = self.operand_before(a, b)?;
                let right = self.rvalue(b)?;
                self.binary(*op, &left, &right, span)
            }
            ExprKind::Assign(None, to, value) => self.assign(to, value, span),
            ExprKind::Assign(Some(op), to, value) => self.assign_op(*op, to, value, span),
            ExprKind::IncDec { is_inc, is_prefix, of } => {
                self.inc_dec(*is_inc, *is_prefix, of, span)
            }
            ExprKind::Cond(cond, yes, no) => self.cond_expr(cond, yes.as_deref(), no, span),
            ExprKind::Comma(a, b) => {
                self.rvalue(a)?;
                self.rvalue(b)
            }
            ExprKind::Call(callee, args) => self.call(callee, args, span),
            ExprKind::Cast(name, of) => {
                let to = self.type_name(name)?;
                let value = self.rvalue(of)?;
                if let TypeKind::Record(id) = to.kind
                    && value.ctype.kind != TypeKind::Record(id)
                {
                    return self.error(
                        codes::c::UNSUPPORTED,
                        span,
                        "a cast to a union is not supported",
                    );
                }
                self.convert(&value, &to, span)
            }
            ExprKind::SizeofType(name) => {
                let ctype = self.type_name(name)?;
                self.sizeof(&ctype, span)
            }
            ExprKind::SizeofExpr(of) => {
                let ctype = self.type_of(of)?;
                self.sizeof(&ctype, span)
            }
            ExprKind::AlignofType(name) => {
                let ctype = self.type_name(name)?;
                let align = self.types.align(&ctype);
                Ok(self.int_const(i128::from(align), self.types.size_type()))
            }
            ExprKind::AlignofExpr(of) => {
                let ctype = self.type_of(of)?;
                let align = self.types.align(&ctype);
                Ok(self.int_const(i128::from(align), self.types.size_type()))
            }
            ExprKind::StmtExpr(block) => self.stmt_expr(block),
            ExprKind::Generic(control, cases) => {
                let ctype = self.type_of(control)?.decayed();
                for (name, value) in cases {
                    if let Some(name) = name {
                        let it = self.type_name(name)?;
                        if self.types.compatible(&it, &ctype) {
                            return self.rvalue(value);
                        }
                    }
                }
                match cases.iter().find(|(name, _)| name.is_none()) {
                    Some((_, value)) => self.rvalue(value),
                    None => self.error(codes::c::TYPE, span, "no case fits the type"),
                }
            }
            ExprKind::VaArg(list, name) => self.va_arg(list, name, span),
            ExprKind::Offsetof(name, path) => self.offsetof(name, path, span),
            ExprKind::TypesCompatible(a, b) => {
                let (a, b) = (self.type_name(a)?, self.type_name(b)?);
                let same = self.types.compatible(&a.unqualified(), &b.unqualified());
                Ok(self.int_const(i128::from(same), CType::INT))
            }
            ExprKind::ChooseExpr(cond, yes, no) => {
                if self.const_int(cond)? != 0 {
                    self.rvalue(yes)
                } else {
                    self.rvalue(no)
                }
            }
            ExprKind::LabelAddr(_) => {
                self.unsupported(span, "the address of a label");
                let null = self.program.exprs.add(Node::Null);
                Ok(Val::scalar(CType::VOID.ptr_to(), null))
            }
            ExprKind::Str { .. }
            | ExprKind::Index(..)
            | ExprKind::Member { .. }
            | ExprKind::CompoundLit(..) => {
                let place = self.place(expr)?;
                self.read(&place, span)
            }
        }
    }

    /// The left operand, kept if evaluating the right one could change it.
    fn operand_before(&mut self, a: &Expr, b: &Expr) -> Lowered<Val> {
        let mut left = self.rvalue(a)?;
        if has_effect(b)
            && let ValKind::Scalar(value) = left.kind
        {
            left.kind = ValKind::Scalar(self.snapshot(value, a.span));
        }
        Ok(left)
    }

    pub fn int_const(&mut self, value: i128, ctype: CType) -> Val {
        let bits = self.int_bits(&ctype);
        Val::scalar(ctype, self.program.exprs.int(bits, value as u128))
    }

    fn int_type(&self, value: u128, is_decimal: bool, is_unsigned: bool, longs: u8) -> CType {
        let long = self.options.model.ptr_bits();
        let candidates = [(32u8, 3u8, 0u8), (long, 4, 1), (64, 5, 2)];
        for (bits, rank, needs) in candidates {
            if needs < longs {
                continue;
            }
            if !is_unsigned && value <= hardbop_cir::eval::mask(bits - 1) {
                return CType::int(bits, true, rank);
            }
            if (is_unsigned || !is_decimal) && value <= hardbop_cir::eval::mask(bits) {
                return CType::int(bits, false, rank);
            }
        }
        CType::int(64, false, 5)
    }

    fn sizeof(&mut self, ctype: &CType, span: Span) -> Lowered<Val> {
        let size = self.size_value(ctype, span)?;
        Ok(Val::scalar(self.types.size_type(), size))
    }

    fn named_value(&mut self, name: &str, span: Span) -> Lowered<Val> {
        match self.lookup(name) {
            Some(Entity::Enumerator { value, ctype }) => {
                let (value, ctype) = (*value, ctype.clone());
                Ok(self.int_const(value, ctype))
            }
            None if matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") => {
                let func = self.program.funcs.get(self.func.id).map(|it| it.name.clone());
                let units = func.unwrap_or_else(|| "".into()).bytes().map(u32::from).collect();
                let object = self.string(units, false);
                let ptr = self.program.exprs.add(Node::Addr(object));
                Ok(Val::scalar(CType::CHAR.ptr_to(), ptr))
            }
            _ => self.error(codes::c::UNDECLARED, span, format!("there is no `{name}` here")),
        }
    }

    fn unary(&mut self, op: Unary, of: &Expr, span: Span) -> Lowered<Val> {
        match op {
            Unary::Not => {
                let cond = self.condition(of)?;
                let truth = self.program.exprs.not(cond);
                Ok(self.int_of(truth))
            }
            Unary::Addr => self.address_of(of, span),
            Unary::Minus => {
                let value = self.rvalue(of)?;
                self.negate(&value, span)
            }
            Unary::Plus | Unary::BitNot => {
                let value = self.rvalue(of)?;
                let ctype = self.types.promoted(&value.ctype);
                let value = self.convert(&value, &ctype, span)?;
                if op == Unary::Plus {
                    return Ok(value);
                }
                if !ctype.is_integer() {
                    return self.error(codes::c::TYPE, span, "`~` takes an integer");
                }
                let id = self.scalar(&value, span)?;
                let id = self.node(Node::Unary(UnOp::Not, id), span);
                Ok(Val::scalar(ctype, id))
            }
            Unary::Deref => {
                let place = self.deref(of, span)?;
                self.read(&place, span)
            }
            Unary::Real | Unary::Imag => {
                self.error(codes::c::UNSUPPORTED, span, "complex numbers are not supported")
            }
        }
    }

    fn address_of(&mut self, of: &Expr, span: Span) -> Lowered<Val> {
        let place = self.place(of)?;
        let ptr = self.address(&place, span)?;
        Ok(Val::scalar(place.ctype.ptr_to(), ptr))
    }

    fn deref(&mut self, of: &Expr, span: Span) -> Lowered<Place> {
        let pointer = self.rvalue(of)?;
        let Some(to) = pointer.ctype.pointee().cloned() else {
            let name = self.types.describe(&pointer.ctype);
            return self.error(codes::c::TYPE, span, format!("`{name}` is no pointer"));
        };
        let ptr = self.scalar(&pointer, span)?;
        let guard = Guard::Pointer(self.text(of.span));
        Ok(Place { ctype: to, at: At::Memory { ptr, guard } })
    }

    pub fn place(&mut self, expr: &Expr) -> Lowered<Place> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Ident(name) => self.named_place(name, span),
            ExprKind::Unary(Unary::Deref, of) => self.deref(of, span),
            ExprKind::Index(a, i) => self.index(a, i, span),
            ExprKind::Member { of, field, is_arrow } => self.member(of, field, *is_arrow, span),
            ExprKind::Str { units, is_wide } => {
                let element = if *is_wide { CType::INT } else { CType::CHAR };
                let len = Len::Fixed(units.len() as u64 + 1);
                let object = self.string(units.clone(), *is_wide);
                let ptr = self.program.exprs.add(Node::Addr(object));
                Ok(Place { ctype: element.array(len), at: At::Memory { ptr, guard: Guard::Safe } })
            }
            ExprKind::CompoundLit(name, init) => {
                let ctype = self.type_name(name)?;
                self.compound_literal(ctype, init, span)
            }
            ExprKind::Unary(op @ (Unary::Real | Unary::Imag), of) => {
                self.unary(*op, of, span)?;
                self.error(codes::c::UNSUPPORTED, span, "complex numbers are not supported")
            }
            _ => {
                // A record value has an address, though not one the program may keep.
                let value = self.rvalue(expr)?;
                match value.kind {
                    ValKind::Record(ptr) => Ok(self.record_place(&value, ptr)),
                    _ => self.error(
                        codes::c::TYPE,
                        span,
                        "this cannot be assigned and has no address",
                    ),
                }
            }
        }
    }

    fn named_place(&mut self, name: &str, span: Span) -> Lowered<Place> {
        let Some(entity) = self.lookup(name) else {
            return self.error(codes::c::UNDECLARED, span, format!("there is no `{name}` here"));
        };
        let (home, ctype) = match entity.clone() {
            Entity::Var { home, ctype } => (home, ctype),
            Entity::Func { link, ctype } => {
                let ptr = self.func_address(&link, span);
                return Ok(Place { ctype, at: At::Memory { ptr, guard: Guard::Safe } });
            }
            Entity::Global { link } => match self.globals.get(&link) {
                Some(Global::Var { home, ctype, .. }) => (*home, ctype.clone()),
                _ => {
                    return self.error(
                        codes::c::UNDECLARED,
                        span,
                        format!("there is no `{name}` here"),
                    );
                }
            },
            Entity::Enumerator { .. } | Entity::Typedef(_) => {
                return self.error(codes::c::TYPE, span, format!("`{name}` is no variable"));
            }
        };
        Ok(Place { at: self.at_home(home), ctype })
    }

    pub fn at_home(&mut self, home: Home) -> At {
        match home {
            Home::Register(var, known) => At::Register(var, known),
            Home::Object(object) => {
                let ptr = self.program.exprs.add(Node::Addr(object));
                At::Memory { ptr, guard: Guard::Safe }
            }
            Home::At(var) => At::Memory { ptr: self.var_expr(var), guard: Guard::Safe },
        }
    }

    fn index(&mut self, a: &Expr, i: &Expr, span: Span) -> Lowered<Place> {
        let base = self.operand_before(a, i)?;
        let index = self.rvalue(i)?;
        let (base, index, of, by) = match base.ctype.is_ptr() {
            true => (base, index, a, i),
            false => (index, base, i, a),
        };
        if !base.ctype.is_ptr() {
            return self.error(codes::c::TYPE, span, "only arrays and pointers can be indexed");
        }
        let Some(element) = base.ctype.pointee().cloned() else {
            return self.error(codes::c::TYPE, span, "only arrays and pointers can be indexed");
        };
        let pointer = self.pointer_add(&base, &index, false, span)?;
        let ptr = self.scalar(&pointer, span)?;
        let base_ptr = self.scalar(&base, span)?;
        let guard = self.index_guard(base_ptr, &element, &index, of, by, span)?;
        Ok(Place { ctype: element, at: At::Memory { ptr, guard } })
    }

    /// For a whole declared array the check is on the index alone.
    fn index_guard(
        &mut self,
        base: ExprId,
        element: &CType,
        index: &Val,
        of: &Expr,
        by: &Expr,
        span: Span,
    ) -> Lowered<Guard> {
        let text = self.text(of.span);
        let Node::Addr(object) = self.program.exprs.get(base) else {
            return Ok(Guard::Pointer(self.text(span)));
        };
        let info = &self.program.objects[object];
        let size = self.types.size(element).unwrap_or(0);
        let (Some(all), false) = (info.size, size == 0 || info.is_const && info.span.is_none())
        else {
            return Ok(Guard::Pointer(self.text(span)));
        };
        let n = all / size;
        let value = self.convert_index(index, by.span)?;
        let limit = self.size_expr(n);
        let cond = self.node(Node::Binary(BinOp::Ult, value, limit), span);
        let by = match self.program.exprs.as_int(value) {
            Some(value) => {
                let bits = self.options.model.ptr_bits();
                hardbop_cir::eval::signed(value, bits).to_string()
            }
            None => format!("`{}`", self.text(by.span)),
        };
        let range = if n == 0 { "of no element".into() } else { format!("0..{}", n - 1) };
        Ok(Guard::Index(cond, format!("index {by} out of bounds {range} of `{text}`")))
    }

    fn member(&mut self, of: &Expr, field: &str, is_arrow: bool, span: Span) -> Lowered<Place> {
        let base = match is_arrow {
            true => self.deref(of, span)?,
            false => self.place(of)?,
        };
        let TypeKind::Record(id) = base.ctype.kind else {
            let name = self.types.describe(&base.ctype);
            return self.error(codes::c::TYPE, span, format!("`{name}` has no fields"));
        };
        let Some((offset, info)) = self.types.field(id, field) else {
            let name = self.types.describe(&base.ctype);
            return self.error(
                codes::c::UNDECLARED,
                span,
                format!("`{name}` has no field `{field}`"),
            );
        };
        let At::Memory { ptr, guard } = base.at else {
            return self.error(codes::c::TYPE, span, "a bit-field has no fields");
        };
        let bytes = self.size_expr(offset);
        let ptr = self.ptr_add(ptr, bytes, span);
        let mut ctype = info.ctype;
        ctype.is_const |= base.ctype.is_const;
        let at = match info.bits {
            Some((first, width)) => At::Bits { ptr, guard, first, width },
            None => At::Memory { ptr, guard },
        };
        Ok(Place { ctype, at })
    }

    fn assign(&mut self, to: &Expr, value: &Expr, span: Span) -> Lowered<Val> {
        let place = self.place_before(to, value)?;
        let value = self.rvalue(value)?;
        let value = self.convert(&value, &place.ctype, span)?;
        self.write(&place, &value, to.span)?;
        Ok(self.assigned(&place, value))
    }

    /// The value of an assignment: a bit-field keeps only its bits.
    fn assigned(&mut self, place: &Place, value: Val) -> Val {
        if let (At::Bits { width, .. }, ValKind::Scalar(id)) = (&place.at, value.kind) {
            let cut = self.program.exprs.resize(id, *width, false);
            let bits = self.int_bits(&value.ctype);
            let id = self.program.exprs.resize(cut, bits, value.ctype.is_signed());
            return Val::scalar(value.ctype, id);
        }
        value
    }

    /// The place to assign, its address kept if evaluating `value` could change it.
    fn place_before(&mut self, to: &Expr, value: &Expr) -> Lowered<Place> {
        let mut place = self.place(to)?;
        if has_effect(value) {
            match &mut place.at {
                At::Memory { ptr, guard } | At::Bits { ptr, guard, .. } => {
                    *ptr = self.snapshot(*ptr, to.span);
                    if let Guard::Index(cond, _) = guard {
                        *cond = self.snapshot(*cond, to.span);
                    }
                }
                At::Register(..) => {}
            }
        }
        Ok(place)
    }

    fn assign_op(&mut self, op: Binary, to: &Expr, value: &Expr, span: Span) -> Lowered<Val> {
        // The right side first: it may change the place that is read.
        let right = self.rvalue(value)?;
        let right = match right.kind {
            ValKind::Scalar(id) => Val::scalar(right.ctype, self.snapshot(id, value.span)),
            _ => right,
        };
        let place = self.place(to)?;
        let old = self.read(&place, to.span)?;
        let new = self.binary(op, &old, &right, span)?;
        let new = self.convert(&new, &place.ctype, span)?;
        let new = self.kept(new, span);
        self.write(&place, &new, to.span)?;
        Ok(self.assigned(&place, new))
    }

    fn kept(&mut self, value: Val, span: Span) -> Val {
        match value.kind {
            ValKind::Scalar(id) => Val::scalar(value.ctype, self.snapshot(id, span)),
            _ => value,
        }
    }

    fn inc_dec(&mut self, is_inc: bool, is_prefix: bool, of: &Expr, span: Span) -> Lowered<Val> {
        let place = self.place(of)?;
        let old = self.read(&place, of.span)?;
        let old = self.kept(old, span);
        let one = self.int_const(1, CType::INT);
        let op = if is_inc { Binary::Add } else { Binary::Sub };
        let new = self.binary(op, &old, &one, span)?;
        let new = self.convert(&new, &place.ctype, span)?;
        let new = self.kept(new, span);
        self.write(&place, &new, of.span)?;
        let new = self.assigned(&place, new);
        Ok(if is_prefix { new } else { old })
    }

    fn offsetof(
        &mut self,
        name: &crate::syntax::ast::TypeName,
        path: &[Designator],
        span: Span,
    ) -> Lowered<Val> {
        let mut ctype = self.type_name(name)?;
        let mut offset = 0;
        for step in path {
            match (step, &ctype.kind) {
                (Designator::Field(field), TypeKind::Record(id)) => {
                    let Some((at, info)) = self.types.field(*id, field) else {
                        return self.error(
                            codes::c::UNDECLARED,
                            span,
                            format!("there is no field `{field}`"),
                        );
                    };
                    offset += i128::from(at);
                    ctype = info.ctype;
                }
                (Designator::Index(index), TypeKind::Array(of, _)) => {
                    let of = (**of).clone();
                    offset += self.const_int(index)? * i128::from(self.size_of(&of, span)?);
                    ctype = of;
                }
                _ => return self.error(codes::c::TYPE, span, "there is no such field"),
            }
        }
        Ok(self.int_const(offset, self.types.size_type()))
    }

    /// The object of a string literal, one for equal texts.
    pub fn string(&mut self, units: Vec<u32>, is_wide: bool) -> hardbop_cir::ObjId {
        if let Some(&object) = self.strings.get(&(units.clone(), is_wide)) {
            return object;
        }
        let width = if is_wide { 32 } else { 8 };
        let stride = u64::from(width / 8);
        let len = units.len() as u64 + 1;
        let shape = Shape::Array {
            element: Box::new(Shape::Scalar { ty: Ty::Int(width), is_signed: true }),
            stride,
            len,
        };
        let text: String = units.iter().take(20).filter_map(|&it| char::from_u32(it)).collect();
        let name = format!("\"{}\"", text.escape_debug());
        let object = self.new_object(name.into(), ObjKind::Global, Some(len * stride), shape, None);
        let init: Vec<_> = units
            .iter()
            .enumerate()
            .filter(|it| *it.1 != 0)
            .map(|(at, &unit)| {
                let value = self.program.exprs.int(width, u128::from(unit));
                hardbop_cir::Init { offset: at as u64 * stride, value }
            })
            .collect();
        let info = &mut self.program.objects[object];
        (info.init, info.is_const) = (init, true);
        self.strings.insert((units, is_wide), object);
        object
    }

    /// The size in bytes of an array whose length is computed now.
    pub fn variable_len(&mut self, of: &CType, expr: &Expr) -> Lowered<Len> {
        let value = self.rvalue(expr)?;
        if !value.ctype.is_integer() {
            return self.error(codes::c::TYPE, expr.span, "the length of an array is an integer");
        }
        let n = self.convert_index(&value, expr.span)?;
        let size = self.size_value(of, expr.span)?;
        let bytes = self.node(Node::Binary(BinOp::Mul, n, size), expr.span);
        let dst = self.temp(Ty::Int(self.options.model.ptr_bits()), false);
        self.emit(Op::Set { dst, value: bytes }, expr.span);
        Ok(Len::Variable(dst))
    }
}
