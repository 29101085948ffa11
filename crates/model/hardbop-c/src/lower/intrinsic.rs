//! What only the library's own C may call: checks with their class, arbitrary values with their
//! source, what memory knows. Their names begin with `__hardbop_`.

use hardbop_base::{Name, Span};
use hardbop_cir::{
    Ahead, BinOp, CastOp, Class, Cond, Expr as Node, FloatTy, Holder, Numeral, Op, PrintKind, Scan,
    Source, Stop, Stream, Term, Ty,
};
use hardbop_diag::codes;

use super::Lowered;
use super::place::Val;
use super::state::Lower;
use crate::syntax::ast::{Expr, ExprKind};
use crate::types::{CType, TypeKind};

impl Lower<'_> {
    /// `None` if the name is that of an ordinary function.
    pub fn intrinsic_call(
        &mut self,
        name: &str,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Option<Val>> {
        let Some(word) = name.strip_prefix("__hardbop_") else { return Ok(None) };
        if !self.in_library {
            let message = format!("`{name}`: names that begin with `__hardbop_` are the library's");
            return self.error(codes::c::UNSUPPORTED, span, message);
        }
        let value = match (word, args) {
            ("stdin_byte", []) => self.next_byte(Stream::Stdin, span),
            ("file_byte", []) => self.next_byte(Stream::Other, span),
            ("stdin_solid", []) => self.next_solid(Stream::Stdin, span),
            ("file_solid", []) => self.next_solid(Stream::Other, span),
            ("stdin_ahead", [kind]) => self.ahead(Stream::Stdin, &text(kind), span)?,
            ("file_ahead", [kind]) => self.ahead(Stream::Other, &text(kind), span)?,
            ("stdin_number", [kind]) => self.next_number(Stream::Stdin, &text(kind), span)?,
            ("file_number", [kind]) => self.next_number(Stream::Other, &text(kind), span)?,
            ("assume", [cond]) => {
                let cond = self.condition(cond)?;
                self.emit(Op::Assume { cond }, span);
                Val::VOID
            }
            ("check", [cond, class, message]) => {
                let cond = self.condition(cond)?;
                let class = self.class(class)?;
                self.check_said(class, Cond::Holds(cond), text(message), span);
                Val::VOID
            }
            ("apart", [a, b, size]) => {
                let (a, b) = (self.pointer_value(a)?, self.pointer_value(b)?);
                let size = self.rvalue(size)?;
                let size = self.scalar(&size, span)?;
                let message = "the memory read and the memory written may overlap";
                self.check_said(Class::Library, Cond::Apart { a, b, size }, message, span);
                Val::VOID
            }
            ("freeable", [ptr]) => {
                let ptr = self.pointer_value(ptr)?;
                let message = "what is to be freed may not be the start of allocated memory";
                self.check_said(Class::Free, Cond::Freeable(ptr), message, span);
                Val::VOID
            }
            ("assumed", [sentence]) => {
                self.assume_said(text(sentence));
                Val::VOID
            }
            ("readable" | "writable", [ptr, size]) => {
                let at = self.pointer_value(ptr)?;
                let size = self.rvalue(size)?;
                let size = self.scalar(&size, span)?;
                let text = self.text(ptr.span);
                self.guard_pointer(at, size, &text, word == "writable", span);
                Val::VOID
            }
            ("print", [ptr, size]) => {
                let at = self.pointer_value(ptr)?;
                let size = self.rvalue(size)?;
                let size = self.scalar(&size, span)?;
                let kind = PrintKind::Bytes;
                self.emit(Op::Print { dst: None, kind, args: vec![at, size] }, span);
                Val::VOID
            }
            ("any_bytes", [ptr]) => {
                let ptr = self.pointer_value(ptr)?;
                self.emit(Op::Havoc { ptr }, span);
                Val::VOID
            }
            ("size", [ptr]) => {
                let ptr = self.pointer_value(ptr)?;
                let ctype = self.types.size_type();
                let dst = self.temp(Ty::Int(self.options.model.ptr_bits()), false);
                self.emit(Op::Size { dst, ptr }, span);
                Val::scalar(ctype, self.var_expr(dst))
            }
            ("allocate", [align, size]) => {
                let Ok(align) = u64::try_from(self.const_int(align)?) else {
                    return self.error(codes::c::TYPE, span, "an alignment is positive");
                };
                self.allocate_aligned(align, size, span)?
            }
            ("unsupported", [what]) => {
                let what: Name = text(what).into();
                self.finish(Term::Stop(Stop::Unsupported(what)), span);
                Val::VOID
            }
            ("end_thread", [value]) => {
                let value = self.rvalue(value)?;
                let value = self.scalar(&value, span)?;
                self.finish(Term::Stop(Stop::Thread(value)), span);
                Val::VOID
            }
            (_, _) if let Some(value) = self.thread_call(word, args, span)? => value,
            ("exit", [code]) => {
                let code = self.rvalue(code)?;
                let code = self.scalar(&code, span)?;
                self.check_heap(Holder::Calls, span);
                self.finish(Term::Stop(Stop::Exit(code)), span);
                Val::VOID
            }
            (_, [source]) if let Some(kind) = word.strip_prefix("any_") => {
                let Some(ctype) = self.named_type(kind) else {
                    return self.error(codes::c::TYPE, span, format!("`{kind}` is no type here"));
                };
                let Some(ty) = self.types.ty(&ctype) else { return Ok(None) };
                let source = Source::System(text(source).into());
                let value = match ctype.kind {
                    TypeKind::Bool => {
                        let bit = self.nondet(Ty::BOOL, false, source, span);
                        self.program.exprs.resize(bit, 8, false)
                    }
                    _ => self.nondet(ty, ctype.is_signed(), source, span),
                };
                Val::scalar(ctype, value)
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    /// An `int`: the byte, or -1 at the end.
    fn next_byte(&mut self, stream: Stream, span: Span) -> Val {
        self.byte_of(Source::Byte(stream), span)
    }

    /// The same of the next byte that is no blank. That a text has no blanks there is no loss: nobody can
    /// tell.
    fn next_solid(&mut self, stream: Stream, span: Span) -> Val {
        self.byte_of(Source::Scanned(stream, Scan::Solid), span)
    }

    /// An `int`: 0 at the end, 1 where a number of this type comes next, 2 where something else does.
    fn ahead(&mut self, stream: Stream, kind: &str, span: Span) -> Lowered<Val> {
        let source = Source::Scanned(stream, Scan::Ahead(self.numeral(kind, span)?.1));
        let value = self.nondet(Ty::Int(Ahead::BITS), false, source, span);
        let value = self.program.exprs.resize(value, 32, false);
        Ok(Val::scalar(CType::INT, value))
    }

    fn next_number(&mut self, stream: Stream, kind: &str, span: Span) -> Lowered<Val> {
        let (ctype, numeral) = self.numeral(kind, span)?;
        let source = Source::Scanned(stream, Scan::Number(numeral));
        let ty = self.types.ty(&ctype).expect("numbers have a type of the IR");
        let value = self.nondet(ty, ctype.is_signed(), source, span);
        Ok(Val::scalar(ctype, value))
    }

    fn numeral(&mut self, kind: &str, span: Span) -> Lowered<(CType, Numeral)> {
        let ctype = self.named_type(kind);
        let numeral = match ctype.as_ref().and_then(|it| self.types.ty(it)) {
            Some(Ty::Int(bits)) if ctype.as_ref().is_some_and(CType::is_signed) => {
                Some(Numeral::Signed(bits))
            }
            Some(Ty::Int(bits)) => Some(Numeral::Unsigned(bits)),
            Some(Ty::Float(FloatTy::F32)) => Some(Numeral::Real(32)),
            Some(Ty::Float(FloatTy::F64)) => Some(Numeral::Real(64)),
            _ => None,
        };
        match ctype.zip(numeral) {
            Some(both) => Ok(both),
            None => self.error(codes::c::TYPE, span, format!("`{kind}` is no number here")),
        }
    }

    fn byte_of(&mut self, source: Source, span: Span) -> Val {
        let value = self.nondet(Ty::Int(Stream::BITS), false, source, span);
        let zero = self.program.exprs.int(Stream::BITS, 0);
        let one = self.program.exprs.int(Stream::BITS, 1);
        let is_end = self.program.exprs.binary(BinOp::Eq, value, zero);
        let byte = self.program.exprs.binary(BinOp::Sub, value, one);
        let byte = self.node(Node::Cast(CastOp::Trunc, Ty::Int(8), byte), span);
        let byte = self.program.exprs.resize(byte, 32, false);
        let end = self.program.exprs.int(32, u128::from(u32::MAX));
        let value = self.program.exprs.ite(is_end, end, byte);
        Val::scalar(CType::INT, value)
    }

    pub fn pointer_value(&mut self, arg: &Expr) -> Lowered<hardbop_cir::ExprId> {
        let value = self.rvalue(arg)?;
        self.pointer_arg(&value, arg.span)
    }

    fn class(&self, arg: &Expr) -> Lowered<Class> {
        let name = text(arg);
        match Class::ALL.into_iter().find(|it| it.name() == name) {
            Some(class) => Ok(class),
            None => self.error(codes::c::TYPE, arg.span, format!("`{name}` is no class")),
        }
    }
}

fn text(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Str { units, .. } => units.iter().filter_map(|&it| char::from_u32(it)).collect(),
        _ => String::new(),
    }
}
