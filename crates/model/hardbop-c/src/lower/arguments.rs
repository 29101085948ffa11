//! The arguments of `main`: any number of texts, each of any length.
//!
//! A text that is short has its bytes one by one, so that the engines can choose them; of a longer one the
//! first bytes are chosen like that and the rest is arbitrary. The first [`MODELLED`] texts are there; all
//! behind the last of them are that text once more, which is said where the program may look at them.

use hardbop_base::Span;
use hardbop_cir::{
    BinOp, Expr as Node, ExprId, FuncId, ObjId, ObjKind, Op, Shape, Source, TextPart, Ty,
};

use super::state::Lower;

/// Texts that are modelled, the program's name included.
const MODELLED: u8 = 5;
/// Bytes of a short text.
const SHORT: u8 = TextPart::CHOSEN;
/// What Linux gives a program at most: `MAX_ARG_STRLEN`, and two megabytes for all if nobody asks for more.
const MAX_TEXT: u128 = (128 << 10) - 1;
const MAX_COUNT: u128 = 1 << 16;

impl Lower<'_> {
    /// One more than any number, so that a run without more is one without arguments.
    pub fn argc(&mut self, width: u8, span: Span) -> ExprId {
        self.assume_said(
            "the program is started as Linux does: with its name, at most 65,536 arguments, each of less \
             than 128 kilobytes",
        );
        let more = self.nondet(Ty::Int(width), true, Source::ArgCount, span);
        let most = self.program.exprs.int(width, MAX_COUNT - 1);
        let cond = self.program.exprs.binary(BinOp::Ule, more, most);
        self.emit(Op::Assume { cond }, span);
        let one = self.program.exprs.int(width, 1);
        self.program.exprs.binary(BinOp::Add, more, one)
    }

    /// The array of the texts: one of known length where all texts are there, and one of any length.
    pub fn argv(&mut self, argc: ExprId, main: FuncId, span: Span) -> ExprId {
        if !self.reads_modelled_only(main) {
            self.assume_said(format!(
                "arguments of the program behind the {}th are the same text as that one",
                MODELLED - 1
            ));
        }
        let bits = self.options.model.ptr_bits();
        let argc = self.program.exprs.resize(argc, bits, true);
        let texts: Vec<ExprId> = (0..MODELLED).map(|at| self.argument_text(at, span)).collect();
        let modelled = self.size_expr(MODELLED.into());
        let is_few = self.program.exprs.binary(BinOp::Ule, argc, modelled);
        // Each array is as long as it can be without the texts that belong to the other.
        let more = self.size_expr(u64::from(MODELLED) + 1);
        let few = self.program.exprs.ite(is_few, argc, modelled);
        let many = self.program.exprs.ite(is_few, more, argc);
        let few = self.few_texts(few, &texts, span);
        let many = self.many_texts(many, &texts, span);
        let argv = self.program.exprs.ite(is_few, few, many);
        self.spill(argv, span)
    }

    /// Whether `main` uses its second parameter for reading texts that are modelled, and for nothing else.
    fn reads_modelled_only(&self, main: FuncId) -> bool {
        let exprs = &self.program.exprs;
        let argv = self.program.funcs[main].params[1];
        let end = u128::from(MODELLED) * u128::from(self.options.model.ptr_bits() / 8);
        let is_modelled = |ptr: ExprId| match exprs.get(ptr) {
            Node::Var(_) => true,
            Node::Binary(BinOp::PtrAdd, base, by) => {
                matches!(exprs.get(base), Node::Var(_))
                    && exprs.as_int(by).is_some_and(|it| it < end)
            }
            _ => false,
        };
        let names_argv = |id: ExprId| {
            let mut is_named = false;
            exprs.for_each_var(id, &mut |var| is_named |= var == argv);
            is_named
        };
        self.program.funcs[main].blocks.iter().all(|block| {
            let is_fine = |op: &Op| match op {
                Op::Load { ptr, .. } => is_modelled(*ptr),
                Op::Check { .. } => true,
                _ => false,
            };
            let named = |op: &Op| op.operands().into_iter().any(names_argv);
            block.insts.iter().all(|inst| !named(&inst.op) || is_fine(&inst.op))
                && !block.term.operands().is_some_and(names_argv)
        })
    }

    /// The array has room for so many texts and the null pointer behind them.
    fn enter_texts(&mut self, count: ExprId, most: Option<u64>, span: Span) -> (ExprId, ExprId) {
        let bytes = u64::from(self.options.model.ptr_bits()) / 8;
        let pointer = Shape::Scalar { ty: Ty::Ptr, is_signed: false };
        let array = self.argument_object("argv", pointer, bytes, most.map(|it| it + 1), span);
        let (one, stride) = (self.size_expr(1), self.size_expr(bytes));
        let exprs = &mut self.program.exprs;
        let slots = exprs.binary(BinOp::Add, count, one);
        let size = exprs.binary(BinOp::Mul, slots, stride);
        self.emit(Op::Enter { object: array, size: Some(size) }, span);
        (self.program.exprs.add(Node::Addr(array)), size)
    }

    fn text_slot(&mut self, base: ExprId, at: ExprId, span: Span) -> ExprId {
        let bytes = u64::from(self.options.model.ptr_bits()) / 8;
        let stride = self.size_expr(bytes);
        let place = self.program.exprs.binary(BinOp::Mul, at, stride);
        self.ptr_add(base, place, span)
    }

    /// At most the texts that are modelled, one by one.
    fn few_texts(&mut self, count: ExprId, texts: &[ExprId], span: Span) -> ExprId {
        let (base, _) = self.enter_texts(count, Some(MODELLED.into()), span);
        let done = self.new_block();
        let null = self.program.exprs.add(Node::Null);
        for (at, &text) in (0u64..).zip(texts) {
            let index = self.size_expr(at);
            let ptr = self.text_slot(base, index, span);
            let (last, next) = (self.new_block(), self.new_block());
            let is_end = self.program.exprs.binary(BinOp::Eq, count, index);
            self.branch(is_end, last, next, span);
            self.begin(last);
            self.emit(Op::Store { ptr, value: null }, span);
            self.finish(hardbop_cir::Term::Goto(done), span);
            self.begin(next);
            self.emit(Op::Store { ptr, value: text }, span);
        }
        let end = self.size_expr(MODELLED.into());
        let ptr = self.text_slot(base, end, span);
        self.emit(Op::Store { ptr, value: null }, span);
        self.goto(done, span);
        base
    }

    /// More than those: the last one again and again.
    fn many_texts(&mut self, count: ExprId, texts: &[ExprId], span: Span) -> ExprId {
        let (base, size) = self.enter_texts(count, None, span);
        let value = texts[texts.len() - 1];
        self.emit(Op::Repeat { dst: base, value, size }, span);
        for (at, &value) in (0u64..).zip(texts) {
            let index = self.size_expr(at);
            let ptr = self.text_slot(base, index, span);
            self.emit(Op::Store { ptr, value }, span);
        }
        let ptr = self.text_slot(base, count, span);
        let value = self.program.exprs.add(Node::Null);
        self.emit(Op::Store { ptr, value }, span);
        base
    }

    /// One text. What is chosen does not depend on whether it is there, so that fewer arguments can be
    /// tried with the same values.
    fn argument_text(&mut self, at: u8, span: Span) -> ExprId {
        let bits = self.options.model.ptr_bits();
        let source = |part| Source::Argument(at, part);
        let length = self.nondet(Ty::Int(bits), false, source(TextPart::Length), span);
        let most = self.program.exprs.int(bits, MAX_TEXT);
        let cond = self.program.exprs.binary(BinOp::Ule, length, most);
        self.emit(Op::Assume { cond }, span);
        let mut bytes = Vec::new();
        for k in 0..SHORT {
            bytes.push(self.text_byte(source(TextPart::Byte(k)), span));
        }
        let rest = self.text_byte(source(TextPart::Rest), span);
        let limit = self.size_expr(SHORT.into());
        let is_short = self.program.exprs.binary(BinOp::Ule, length, limit);
        let (short, long) = (
            self.short_text(at, is_short, length, &bytes, span),
            self.long_text(at, is_short, length, &bytes, rest, span),
        );
        self.program.exprs.ite(is_short, short, long)
    }

    /// No byte of a text is 0; where nothing is chosen, it is a letter.
    fn text_byte(&mut self, source: Source, span: Span) -> ExprId {
        let chosen = self.nondet(Ty::Int(8), false, source, span);
        let (zero, letter) =
            (self.program.exprs.int(8, 0), self.program.exprs.int(8, u128::from(b'a')));
        let exprs = &mut self.program.exprs;
        let is_zero = exprs.binary(BinOp::Eq, chosen, zero);
        exprs.ite(is_zero, letter, chosen)
    }

    fn short_text(
        &mut self,
        at: u8,
        is_short: ExprId,
        length: ExprId,
        bytes: &[ExprId],
        span: Span,
    ) -> ExprId {
        let size = u64::from(SHORT) + 1;
        let object = self.text_object(at, Some(size), span);
        let limit = self.size_expr(SHORT.into());
        let length = self.program.exprs.ite(is_short, length, limit);
        let base = self.enter_text(object, length, span);
        let done = self.new_block();
        let zero = self.program.exprs.int(8, 0);
        for (k, &byte) in (0u64..).zip(bytes) {
            let (last, next) = (self.new_block(), self.new_block());
            let place = self.size_expr(k);
            let ptr = self.ptr_add(base, place, span);
            let is_end = self.program.exprs.binary(BinOp::Eq, length, place);
            self.branch(is_end, last, next, span);
            self.begin(last);
            self.emit(Op::Store { ptr, value: zero }, span);
            self.finish(hardbop_cir::Term::Goto(done), span);
            self.begin(next);
            self.emit(Op::Store { ptr, value: byte }, span);
        }
        let ptr = self.ptr_add(base, limit, span);
        self.emit(Op::Store { ptr, value: zero }, span);
        self.goto(done, span);
        base
    }

    fn long_text(
        &mut self,
        at: u8,
        is_short: ExprId,
        length: ExprId,
        bytes: &[ExprId],
        rest: ExprId,
        span: Span,
    ) -> ExprId {
        let object = self.text_object(at, None, span);
        let least = self.size_expr(u64::from(SHORT) + 1);
        let length = self.program.exprs.ite(is_short, least, length);
        let base = self.enter_text(object, length, span);
        // Soundness: the rest is arbitrary; what is filled in is what a run shows.
        self.emit(Op::Fill { dst: base, byte: rest, size: length }, span);
        self.emit(Op::Havoc { ptr: base }, span);
        let (end, zero) = (self.ptr_add(base, length, span), self.program.exprs.int(8, 0));
        self.emit(Op::Store { ptr: end, value: zero }, span);
        for (k, &value) in (0u64..).zip(bytes) {
            let place = self.size_expr(k);
            let ptr = self.ptr_add(base, place, span);
            self.emit(Op::Store { ptr, value }, span);
        }
        base
    }

    fn text_object(&mut self, at: u8, most: Option<u64>, span: Span) -> ObjId {
        let byte = Shape::Scalar { ty: Ty::Int(8), is_signed: true };
        self.argument_object(&format!("argv[{at}]"), byte, 1, most, span)
    }

    /// An object whose size is not fixed: at most so many elements, or any number.
    fn argument_object(
        &mut self,
        name: &str,
        element: Shape,
        stride: u64,
        most: Option<u64>,
        span: Span,
    ) -> ObjId {
        let shape = match most {
            Some(len) => Shape::Array { element: Box::new(element), stride, len },
            None => Shape::Bytes,
        };
        let kind = ObjKind::Local(self.func.id);
        self.new_object(name.into(), kind, None, shape, Some(span))
    }

    /// Room for so many bytes and the 0 behind them.
    fn enter_text(&mut self, object: ObjId, length: ExprId, span: Span) -> ExprId {
        let one = self.size_expr(1);
        let size = self.program.exprs.binary(BinOp::Add, length, one);
        self.emit(Op::Enter { object, size: Some(size) }, span);
        self.program.exprs.add(Node::Addr(object))
    }
}
