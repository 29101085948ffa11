//! Expressions: values.

use hardbop_base::Span;
use hardbop_cir::{Expr as Node, FloatTy, ObjKind, Shape, Ty, UnOp};
use hardbop_diag::codes;

use super::Lowered;
use super::place::{At, Val, ValKind};
use super::scope::Entity;
use super::state::Lower;
use crate::syntax::ast::{Binary, Designator, Expr, ExprKind, TypeName, Unary};
use crate::syntax::literal::Encoding;
use crate::types::{CType, FieldInfo, RecordId, TypeKind};

impl Lower<'_> {
    /// The type of an expression that is not evaluated, or not yet. Each node is asked once: arms
    /// of `?:` ask again on every level above them.
    pub fn type_of(&mut self, expr: &Expr) -> Lowered<CType> {
        if let Some(known) = self.known_types.get(&expr.id) {
            return Ok(known.clone());
        }
        let ctype = self.unevaluated(|lower| {
            if lower.is_place(expr) {
                let place = lower.place(expr)?;
                return Ok(match place.at {
                    At::Bits { width, .. } => lower.bit_field_type(&place.ctype, width),
                    _ => place.ctype,
                });
            }
            Ok(lower.rvalue(expr)?.ctype)
        })?;
        self.known_types.insert(expr.id, ctype.clone());
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

    pub fn is_place(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Ident(name) => {
                let is_variable =
                    !matches!(self.lookup(name), Some(Entity::Enumerator { .. }) | None);
                is_variable || is_function_name(name)
            }
            ExprKind::Unary(Unary::Deref, _) | ExprKind::Index(..) => true,
            ExprKind::Member { .. } | ExprKind::Str { .. } | ExprKind::CompoundLit(..) => true,
            ExprKind::Generic(..) | ExprKind::ChooseExpr(..) => false,
            _ => false,
        }
    }

    pub fn rvalue(&mut self, expr: &Expr) -> Lowered<Val> {
        let span = expr.span;
        self.tick()?;
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
            ExprKind::Float { value, suffix, is_exact } => {
                let ty = match suffix {
                    b'f' => FloatTy::F32,
                    b'l' => FloatTy::F80,
                    _ => FloatTy::F64,
                };
                if ty.is_wider_than_double() && !is_exact {
                    let what = "a constant of type `long double` that no `double` equals";
                    self.unsupported(span, what);
                }
                let node = self.program.exprs.add(Node::Float { ty, bits: value.to_bits() });
                Ok(Val::scalar(CType::new(TypeKind::Float(ty)), node))
            }
            ExprKind::Char { value, encoding } => {
                let ctype = match encoding {
                    Encoding::Plain => CType::INT,
                    Encoding::Utf8 => CType::int(8, false, 1),
                    wide => self.types.text_element(*wide),
                };
                Ok(self.int_const(i128::from(*value), ctype))
            }
            ExprKind::Ident(name) => self.named_value(name, span),
            ExprKind::Unary(op, of) => self.unary(*op, of, span),
            ExprKind::Binary(op @ (Binary::And | Binary::Or), a, b) => {
                let truth = self.short(*op, a, b, span)?;
                Ok(self.int_of(truth))
            }
            ExprKind::Binary(op, a, b) => {
                let (left, right) = self.operands(a, b)?;
                self.binary(*op, &left, &right, span)
            }
            ExprKind::Assign(None, to, value) => self.assign(to, value, span),
            ExprKind::Assign(Some(op), to, value) => self.assign_op(*op, to, value, span),
            ExprKind::IncDec { is_inc, is_prefix, of } => {
                self.inc_dec(*is_inc, *is_prefix, of, span)
            }
            ExprKind::Cond(cond, yes, no) => self.cond_expr(cond, yes.as_deref(), no, span),
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.rvalue(b)
            }
            ExprKind::Call(callee, args) => self.call(callee, args, span),
            ExprKind::Cast(name, of) => {
                let to = self.type_name(name)?;
                if to.is_void() {
                    self.effect(of)?;
                    return Ok(Val::VOID);
                }
                // As headers write `DBL_MAX`.
                if let ExprKind::Float { value, is_exact: false, suffix: b'l' } = of.kind
                    && to.kind == TypeKind::Float(FloatTy::F64)
                {
                    self.assume_said(
                        "a constant of type `long double` that becomes `double` is rounded once",
                    );
                    let ty = FloatTy::F64;
                    let node = self.program.exprs.add(Node::Float { ty, bits: value.to_bits() });
                    return Ok(Val::scalar(to, node));
                }
                let value = self.rvalue(of)?;
                match to.kind {
                    TypeKind::Record(id) if value.ctype.kind != to.kind => {
                        self.union_of(id, value, span)
                    }
                    _ => self.convert(&value, &to, span),
                }
            }
            ExprKind::SizeofType(name) => {
                let ctype = self.type_name(name)?;
                self.sizeof(&ctype, span)
            }
            ExprKind::SizeofExpr(of) => {
                let ctype = self.type_of(of)?;
                // An operand of variable length is evaluated (C11 6.5.3.4, 2).
                let ctype = match ctype.is_variable() && self.is_place(of) {
                    true => self.place(of)?.ctype,
                    false => ctype,
                };
                self.sizeof(&ctype, span)
            }
            ExprKind::AlignofType(name) => {
                let ctype = self.type_name(name)?;
                let align = self.types.align(&ctype);
                Ok(self.int_const(i128::from(align), self.types.size_type()))
            }
            ExprKind::MinAlignofType(name) => {
                let ctype = self.type_name(name)?;
                let align = self.types.field_align(&ctype);
                Ok(self.int_const(i128::from(align), self.types.size_type()))
            }
            ExprKind::AlignofExpr(of) => {
                let align = self.align_of_expr(of)?;
                Ok(self.int_const(i128::from(align), self.types.size_type()))
            }
            ExprKind::StmtExpr(block) => self.stmt_expr(block),
            ExprKind::Generic(control, cases) => {
                let chosen = self.generic(control, cases, span)?;
                self.rvalue(chosen)
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
            ExprKind::LabelAddr(name) => self.label_address(name, span),
            ExprKind::Str { .. }
            | ExprKind::Index(..)
            | ExprKind::Member { .. }
            | ExprKind::CompoundLit(..) => {
                let place = self.place(expr)?;
                self.read(&place, span)
            }
        }
    }

    /// The expression `_Generic` stands for.
    pub fn generic<'e>(
        &mut self,
        control: &Expr,
        cases: &'e [(Option<Box<TypeName>>, Expr)],
        span: Span,
    ) -> Lowered<&'e Expr> {
        let ctype = self.type_of(control)?.decayed();
        for (name, value) in cases {
            if let Some(name) = name {
                let it = self.type_name(name)?;
                // The controlling expression has a value's type, which has no qualifiers.
                if !it.is_qualified() && self.types.compatible(&it, &ctype) {
                    return Ok(value);
                }
            }
        }
        match cases.iter().find(|(name, _)| name.is_none()) {
            Some((_, value)) => Ok(value),
            None => self.error(codes::c::TYPE, span, "no case fits the type"),
        }
    }

    /// A cast to a union: an object whose member of the value's type holds it.
    fn union_of(&mut self, id: RecordId, value: Val, span: Span) -> Lowered<Val> {
        let ctype = CType::new(TypeKind::Record(id));
        let info = &self.types.records[id];
        let fits = |it: &&FieldInfo| {
            it.bits.is_none() && self.types.compatible(&it.ctype.unqualified(), &value.ctype)
        };
        let member = info.fields.iter().flatten().find(fits).filter(|_| info.is_union).cloned();
        let Some(member) = member else {
            let (name, wanted) = (self.types.describe(&value.ctype), self.types.describe(&ctype));
            return self.error(codes::c::TYPE, span, format!("`{name}` cannot become `{wanted}`"));
        };
        let ptr = self.temp_object(&ctype, span)?;
        let place =
            self.record_place(&Val { ctype: member.ctype, kind: ValKind::Record(ptr) }, ptr);
        self.write(&place, &value, span)?;
        Ok(Val { ctype, kind: ValKind::Record(ptr) })
    }

    /// The left operand, kept if evaluating the right one could change it.
    pub fn operand_before(&mut self, a: &Expr, b: &Expr) -> Lowered<Val> {
        let mut left = self.rvalue(a)?;
        if b.has_effect
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
            _ => self.undeclared(name, span, format!("there is no `{name}` here")),
        }
    }

    pub fn unary(&mut self, op: Unary, of: &Expr, span: Span) -> Lowered<Val> {
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
                (Designator::Field(field, span), TypeKind::Record(id)) => {
                    let Some((at, info)) = self.types.field(*id, field) else {
                        let message = format!("there is no field `{field}`");
                        return self.undeclared(field, *span, message);
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
    pub fn string(&mut self, units: Vec<u32>, width: u8) -> hardbop_cir::ObjId {
        let key = (units, width);
        if let Some(&object) = self.strings.get(&key) {
            return object;
        }
        let units = &key.0;
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
        self.strings.insert(key, object);
        object
    }
}

/// Whether a name that nobody declares is the name of the function at hand.
pub(super) fn is_function_name(name: &str) -> bool {
    matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__")
}
