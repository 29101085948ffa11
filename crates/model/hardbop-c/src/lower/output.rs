//! Output: the arguments fit the format, what `%s` gets is a string that ends, the stream is open.
//!
//! What is written has no effect on the program. A format that is not known beforehand is left to the
//! library (`library/format.c`) where it is kept, and to trust where it is printed.

use hardbop_base::{Name, Span};
use hardbop_cir::{BinOp, Callee, Class, Cond, Expr as Node, ExprId, Op, PrintKind, Ty};

use super::Lowered;
use super::format::{Conversion, Kind, conversions};
use super::place::{Val, ValKind};
use super::scope::Global;
use super::state::Lower;
use crate::syntax::ast::{Expr, ExprKind};
use crate::syntax::literal::Encoding;
use crate::types::CType;

impl Lower<'_> {
    /// To standard output, or nowhere.
    pub fn output(&mut self, kind: PrintKind, args: &[Expr], span: Span) -> Lowered<Val> {
        let (values, mut operands) = self.output_args(args, span)?;
        if kind != PrintKind::Putchar {
            operands[0] = self.pointer_arg(&values[0], span)?;
        }
        match kind {
            PrintKind::Puts => self.ends(operands[0], span),
            PrintKind::Putchar | PrintKind::Bytes => {}
            PrintKind::Printf | PrintKind::Other => {
                self.formatted(&args[0], &values, &operands, span);
            }
        }
        let is_plain = |text: &Vec<u8>| !text.iter().any(|it| matches!(it, b'%' | 0));
        let plain = literal(&args[0]).filter(|text| kind == PrintKind::Printf && is_plain(text));
        let value = self.printed(kind, operands, span);
        if let (Some(text), ValKind::Scalar(n)) = (plain, value.kind) {
            let length = self.program.exprs.int(32, text.len() as u128);
            let cond = self.program.exprs.binary(BinOp::Eq, n, length);
            self.emit(Op::Assume { cond }, span);
        }
        Ok(value)
    }

    fn output_args(&mut self, args: &[Expr], span: Span) -> Lowered<(Vec<Val>, Vec<ExprId>)> {
        let values = self.plain_args(args)?;
        let operands: Lowered<_> = values.iter().map(|it| self.scalar(it, span)).collect();
        Ok((values, operands?))
    }

    fn printed(&mut self, kind: PrintKind, args: Vec<ExprId>, span: Span) -> Val {
        self.assume_said("output succeeds");
        let dst = self.temp(Ty::Int(32), true);
        let first = args.first().copied();
        self.emit(Op::Print { dst: Some(dst), kind, args }, span);
        let value = self.var_expr(dst);
        if let (PrintKind::Putchar, Some(byte)) = (kind, first) {
            let byte = self.program.exprs.resize(byte, 8, false);
            return Val::scalar(CType::INT, self.program.exprs.resize(byte, 32, false));
        }
        // How many bytes, or some number that is not negative.
        let zero = self.program.exprs.int(32, 0);
        let cond = self.program.exprs.binary(BinOp::Sle, zero, value);
        self.emit(Op::Assume { cond }, span);
        Val::scalar(CType::INT, value)
    }

    /// To the stream that comes before the format.
    pub fn output_to(&mut self, args: &[Expr], span: Span) -> Lowered<Val> {
        let (values, mut operands) = self.output_args(args, span)?;
        operands[0] = self.pointer_arg(&values[0], span)?;
        operands[1] = self.pointer_arg(&values[1], span)?;
        self.formatted(&args[1], &values[1..], &operands[1..], span);
        let rest = operands[1..].to_vec();
        match &args[0].kind {
            ExprKind::Ident(name) if &**name == "stdout" => {
                return Ok(self.printed(PrintKind::Printf, rest, span));
            }
            ExprKind::Ident(name) if &**name == "stderr" => {
                return Ok(self.printed(PrintKind::Other, rest, span));
            }
            _ => {}
        }
        let Some(is_stdout) = self.library_call("__hardbop_is_stdout", vec![operands[0]], span)
        else {
            return Ok(self.printed(PrintKind::Other, rest, span));
        };
        let (here, elsewhere, after) = (self.new_block(), self.new_block(), self.new_block());
        let zero = self.program.exprs.int(32, 0);
        let is_stdout = self.program.exprs.binary(BinOp::Ne, is_stdout, zero);
        let dst = self.temp(Ty::Int(32), true);
        self.branch(is_stdout, here, elsewhere, span);
        for (block, kind) in [(here, PrintKind::Printf), (elsewhere, PrintKind::Other)] {
            self.begin(block);
            let value = self.printed(kind, rest.clone(), span);
            let value = self.scalar(&value, span)?;
            self.emit(Op::Set { dst, value }, span);
            self.goto(after, span);
        }
        Ok(Val::scalar(CType::INT, self.var_expr(dst)))
    }

    /// `values` and `operands` begin with the format.
    pub(super) fn formatted(
        &mut self,
        format: &Expr,
        values: &[Val],
        operands: &[ExprId],
        span: Span,
    ) {
        let Some(text) = literal(format) else {
            self.ends(operands[0], span);
            self.assume_said("a format that is not known beforehand fits its arguments");
            return;
        };
        for (at, conversion) in (1..).zip(conversions(&text)) {
            if conversion.kind == Kind::Unknown {
                return self.unsupported(span, format!("`{}` in output", conversion.text));
            }
            if conversion.kind == Kind::Meaningless {
                let message = format!("`{}` has no meaning in a format", conversion.text);
                self.check(Class::Library, Cond::Fails, message, span);
                return;
            }
            let Some(operand) = operands.get(at).copied() else {
                let message = format!("`{}` has no argument", conversion.text);
                self.check(Class::Library, Cond::Fails, message, span);
                return;
            };
            if !self.fits(&conversion, &values[at]) {
                let ctype = self.types.describe(&values[at].ctype);
                let message = format!("`{}` does not fit the type `{ctype}`", conversion.text);
                self.check(Class::Library, Cond::Fails, message, span);
            } else if conversion.kind == Kind::Text {
                match conversion.limit {
                    None => self.ends(operand, span),
                    Some(limit) => {
                        let limit = match limit {
                            Some(limit) => self.program.exprs.int(32, u128::from(limit)),
                            None => operands[at - 1],
                        };
                        self.reads(operand, limit, span);
                    }
                }
            } else if conversion.kind == Kind::Wide && conversion.limit.is_none() {
                self.memory_call("__hardbop_wide_text", vec![operand], span);
            } else if conversion.kind == Kind::Count {
                let Some(n) = conversion.before else {
                    return self.unsupported(span, "`%n` in output, behind what is not fixed,");
                };
                let n = self.program.exprs.int(64, u128::from(n));
                let length =
                    self.program.exprs.int(32, i128::from(conversion.length) as u128 & 0xffff_ffff);
                self.library_call("__hardbop_store_whole", vec![operand, length, n], span);
            }
        }
    }

    /// By the size of what is passed: that a number is a pointer or signed shows nowhere.
    fn fits(&self, conversion: &Conversion, value: &Val) -> bool {
        let ptr_bits = self.options.model.ptr_bits();
        let bits = |ty: Ty| ty.bits(ptr_bits);
        let Some(ty) = self.types.ty(&value.ctype) else { return false };
        match conversion.kind {
            Kind::Whole { is_long, is_wide } => {
                let wanted = if is_wide {
                    64
                } else if is_long {
                    ptr_bits
                } else {
                    32
                };
                !matches!(ty, Ty::Float(_)) && bits(ty) == u32::from(wanted)
            }
            Kind::Real { is_long } => match ty {
                Ty::Float(ty) => ty.is_wider_than_double() == is_long,
                _ => false,
            },
            Kind::Text | Kind::Wide | Kind::Count => ty == Ty::Ptr,
            Kind::Unknown | Kind::Meaningless => true,
            Kind::Pointer => !matches!(ty, Ty::Float(_)) && bits(ty) == u32::from(ptr_bits),
        }
    }

    /// A string that ends. One that was written down does.
    pub(super) fn ends(&mut self, ptr: ExprId, span: Span) {
        if let Node::Addr(object) = self.program.exprs.get(ptr) {
            let info = &self.program.objects[object];
            if info.is_const && info.span.is_none() {
                return;
            }
        }
        self.memory_call("__hardbop_text", vec![ptr], span);
    }

    fn reads(&mut self, ptr: ExprId, limit: ExprId, span: Span) {
        self.memory_call("__hardbop_text_up_to", vec![ptr, limit], span);
    }

    /// For its checks of memory alone.
    fn memory_call(&mut self, name: &str, args: Vec<ExprId>, span: Span) {
        let asked = [Class::Null, Class::Bounds, Class::Dangling, Class::Uninit];
        if asked.iter().any(|&it| self.checks(it)) {
            self.library_call(name, args, span);
        }
    }

    /// A function of the library, by its name in the program; its result, if it is there and has one.
    pub(super) fn library_call(
        &mut self,
        name: &str,
        args: Vec<ExprId>,
        span: Span,
    ) -> Option<ExprId> {
        let Some(Global::Func { id: Some(id), ctype: Some(ctype) }) =
            self.globals.get(&Name::from(name))
        else {
            return None;
        };
        let id = *id;
        let result = ctype.func().map_or(CType::VOID, |it| it.result.clone());
        let dst = self.types.ty(&result).map(|ty| self.temp(ty, true));
        self.emit(Op::Call { dst, callee: Callee::Func(id), args }, span);
        dst.map(|dst| self.var_expr(dst))
    }
}

/// The bytes of a string that is written down.
pub(super) fn literal(expr: &Expr) -> Option<Vec<u8>> {
    match &expr.kind {
        ExprKind::Str { units, encoding: Encoding::Plain | Encoding::Utf8 } => {
            Some(units.iter().map(|&it| it as u8).collect())
        }
        ExprKind::Cast(_, of) => literal(of),
        _ => None,
    }
}
