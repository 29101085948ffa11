//! A verified program as text.

use std::fmt::Write;

use hardbop_base::Span;

use super::names::{BINARY, CASTS, PRINTS, UNARY, VAR_KINDS, word};
use crate::check::{Cond, Holder};
use crate::expr::{Expr, ExprId};
use crate::program::{Callee, ObjKind, Op, Program, Source, Stop, Term, TextPart, VarId};
use crate::scan::{Numeral, Scan};
use crate::thread::ThreadOp;

pub fn print(program: &Program) -> String {
    let mut printer = Printer { program, out: String::new() };
    printer.tables();
    printer.funcs();
    printer.out
}

struct Printer<'a> {
    program: &'a Program,
    out: String,
}

impl Printer<'_> {
    fn put(&mut self, text: impl std::fmt::Display) {
        // Writing to a string does not fail.
        let _ = write!(self.out, "{text} ");
    }

    fn end(&mut self, span: Option<Span>) {
        match span {
            Some(span) => self.put(format_args!("@{span:?}")),
            None => self.put("@-"),
        }
        self.out.pop();
        self.out.push('\n');
    }

    fn quoted(&mut self, text: &str) {
        self.put(format_args!("{text:?}"));
    }

    fn tables(&mut self) {
        let program = self.program;
        self.put(format_args!("cir 1 ptr {} main {}", program.ptr_bits, program.main));
        self.end(None);
        for (id, var) in program.vars.iter_enumerated() {
            let sign = if var.is_signed { "s" } else { "u" };
            self.put(format_args!("var {id} {} {sign} {}", var.ty, word(&VAR_KINDS, &var.kind)));
            if let Some(owner) = var.owner {
                self.put(owner);
            }
            self.quoted(&var.name);
            if let Some(init) = var.init {
                self.put("=");
                self.expr(init);
            }
            self.end(var.span);
        }
        for (id, object) in program.objects.iter_enumerated() {
            self.put(format_args!("object {id}"));
            match object.kind {
                ObjKind::Global => self.put("global"),
                ObjKind::Local(func) => self.put(format_args!("local {func}")),
                ObjKind::Heap(func) => self.put(format_args!("heap {func}")),
                ObjKind::Thread => self.put("thread"),
            }
            match object.size {
                Some(size) => self.put(size),
                None => self.put("?"),
            }
            if object.align > 1 {
                self.put(format_args!("align {}", object.align));
            }
            self.put(if object.is_const { "const" } else { "var" });
            self.quoted(&object.name);
            self.put("{");
            for init in &object.init {
                self.put(init.offset);
                self.expr(init.value);
            }
            self.put("}");
            self.end(object.span);
        }
        for (id, check) in program.checks.iter_enumerated() {
            self.put(format_args!("check {id} {}", check.class));
            self.quoted(&check.message);
            self.end(Some(check.span));
        }
        for it in &program.assumptions {
            self.put("assume");
            self.quoted(&it.to_string());
            self.end(None);
        }
    }

    fn funcs(&mut self) {
        for (id, func) in self.program.funcs.iter_enumerated() {
            self.put(format_args!("func {id}"));
            match func.result {
                Some(ty) => self.put(ty),
                None => self.put("void"),
            }
            self.quoted(&func.name);
            self.put("(");
            func.params.iter().for_each(|param| self.put(param));
            self.put(")");
            self.end(func.span);
            for block in &func.blocks {
                self.put("block");
                self.end(Some(block.span));
                for inst in &block.insts {
                    self.out.push_str("  ");
                    self.op(&inst.op);
                    self.end(Some(inst.span));
                }
                self.out.push_str("  ");
                self.term(&block.term);
                self.end(None);
            }
        }
    }

    fn dst(&mut self, dst: Option<VarId>) {
        match dst {
            Some(dst) => self.put(dst),
            None => self.put("_"),
        }
    }

    fn op(&mut self, op: &Op) {
        let (name, dst) = match op {
            Op::Set { dst, .. } => ("set", Some(*dst)),
            Op::Nondet { dst, .. } => ("nondet", Some(*dst)),
            Op::Load { dst, .. } => ("load", Some(*dst)),
            Op::Size { dst, .. } => ("size", Some(*dst)),
            Op::Alloc { dst, .. } => ("alloc", Some(*dst)),
            Op::Store { .. } => ("store", None),
            Op::Copy { .. } => ("copy", None),
            Op::Fill { .. } => ("fill", None),
            Op::Repeat { .. } => ("repeat", None),
            Op::Havoc { .. } => ("havoc", None),
            Op::Enter { .. } => ("enter", None),
            Op::Leave { .. } => ("leave", None),
            Op::Free { .. } => ("free", None),
            Op::Call { .. } => ("call", None),
            Op::Print { .. } => ("print", None),
            Op::Assume { .. } => ("assume", None),
            Op::Check { .. } => ("check", None),
            Op::Thread(op) => (thread_word(op), op.dst()),
        };
        self.put(name);
        if let Some(dst) = dst {
            self.put(dst);
        }
        match op {
            Op::Nondet { source, .. } => match source {
                Source::Input(name) => {
                    self.put("input");
                    self.quoted(name);
                }
                Source::External(name) => {
                    self.put("external");
                    self.quoted(name);
                }
                Source::System(name) => {
                    self.put("system");
                    self.quoted(name);
                }
                Source::Byte(stream) => self.put(stream.name()),
                Source::Scanned(stream, scan) => {
                    self.put("scanned");
                    self.put(stream.name());
                    match scan {
                        Scan::Ahead(numeral) => self.put(format_args!("ahead {}", shown(*numeral))),
                        Scan::Solid => self.put("solid"),
                        Scan::Number(numeral) => {
                            self.put(format_args!("number {}", shown(*numeral)))
                        }
                    }
                }
                Source::ArgCount => self.put("argc"),
                Source::Argument(at, part) => {
                    self.put(format_args!("argument {at}"));
                    match part {
                        TextPart::Length => self.put("length"),
                        TextPart::Rest => self.put("rest"),
                        TextPart::Byte(at) => self.put(format_args!("byte {at}")),
                    }
                }
                Source::Uninit => self.put("uninit"),
                Source::Order => self.put("order"),
            },
            Op::Enter { object, .. } | Op::Leave { object } | Op::Alloc { object, .. } => {
                self.put(object)
            }
            Op::Thread(ThreadOp::Own { object, .. }) => self.put(object),
            Op::Call { dst, callee, .. } => {
                self.dst(*dst);
                if let Callee::Func(func) = callee {
                    self.put(func);
                }
            }
            Op::Print { dst, kind, .. } => {
                self.dst(*dst);
                self.put(word(&PRINTS, kind));
            }
            Op::Check { check, cond } => {
                self.put(check);
                self.put(match cond {
                    Cond::Holds(_) => "holds",
                    Cond::NotNull(_) => "notnull",
                    Cond::Alive(_) => "alive",
                    Cond::InBounds { .. } => "inbounds",
                    Cond::Written { .. } => "written",
                    Cond::Writable(_) => "writable",
                    Cond::Freeable(_) => "freeable",
                    Cond::Apart { .. } => "apart",
                    Cond::NoLeak(Holder::System) => "freed",
                    Cond::NoLeak(Holder::Globals) => "noleak",
                    Cond::NoLeak(Holder::Calls) => "noleak_in_calls",
                    Cond::Watched => "watched",
                    Cond::Fails => "fails",
                });
            }
            _ => {}
        }
        op.operands().into_iter().for_each(|operand| self.expr(operand));
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Goto(to) => self.put(format_args!("goto {to}")),
            Term::Branch { cond, yes, no } => {
                self.put("branch");
                self.expr(*cond);
                self.put(format_args!("{yes} {no}"));
            }
            Term::Switch { value, cases, default } => {
                self.put("switch");
                self.expr(*value);
                self.put(default);
                cases.iter().for_each(|(value, to)| self.put(format_args!("{value} {to}")));
            }
            Term::Return(value) => {
                self.put("return");
                value.iter().for_each(|&value| self.expr(value));
            }
            Term::Stop(Stop::Exit(code)) => {
                self.put("exit");
                self.expr(*code);
            }
            Term::Stop(Stop::Thread(value)) => {
                self.put("endthread");
                self.expr(*value);
            }
            Term::Stop(Stop::Abort) => self.put("abort"),
            Term::Stop(Stop::Unreachable) => self.put("unreachable"),
            Term::Stop(Stop::Unsupported(what)) => {
                self.put("unsupported");
                self.quoted(what);
            }
        }
    }

    /// The front end bounds how deep expressions are.
    fn expr(&mut self, id: ExprId) {
        let pool = &self.program.exprs;
        match pool.get(id) {
            Expr::Int { width, value } => self.put(format_args!("i{width}:{value}")),
            Expr::Float { ty, bits } => {
                self.put(format_args!("{}:{bits}", crate::ty::Ty::Float(ty)))
            }
            Expr::Null => self.put("null"),
            Expr::Var(var) => self.put(var),
            Expr::Addr(object) => self.put(format_args!("&{object}")),
            Expr::FuncAddr(func) => self.put(format_args!("&{func}")),
            node => {
                self.put("(");
                match node {
                    Expr::Unary(op, _) => self.put(word(&UNARY, &op)),
                    Expr::Binary(op, ..) => self.put(word(&BINARY, &op)),
                    Expr::Cast(op, ty, _) => self.put(format_args!("{} {ty}", word(&CASTS, &op))),
                    _ => self.put("ite"),
                }
                node.operands().for_each(|operand| self.expr(operand));
                self.put(")");
            }
        }
    }
}

fn shown(numeral: Numeral) -> String {
    match numeral {
        Numeral::Signed(bits) => format!("signed {bits}"),
        Numeral::Unsigned(bits) => format!("unsigned {bits}"),
        Numeral::Real(bits) => format!("real {bits}"),
    }
}

fn thread_word(op: &ThreadOp) -> &'static str {
    match op {
        ThreadOp::Spawn { .. } => "spawn",
        ThreadOp::Current { .. } => "current",
        ThreadOp::Exists { .. } => "exists",
        ThreadOp::Ended { .. } => "ended",
        ThreadOp::Result { .. } => "result",
        ThreadOp::Forget { .. } => "forget",
        ThreadOp::Own { .. } => "own",
        ThreadOp::Begin => "begin",
        ThreadOp::End => "end",
        ThreadOp::Unordered => "unordered",
        ThreadOp::Orders { acquires: false, releases: false } => "orders nothing",
        ThreadOp::Orders { acquires: true, releases: false } => "orders acquire",
        ThreadOp::Orders { acquires: false, releases: true } => "orders release",
        ThreadOp::Orders { acquires: true, releases: true } => "orders both",
        ThreadOp::Fence { acquires: false, releases: false } => "fence nothing",
        ThreadOp::Fence { acquires: true, releases: false } => "fence acquire",
        ThreadOp::Fence { acquires: false, releases: true } => "fence release",
        ThreadOp::Fence { acquires: true, releases: true } => "fence both",
        ThreadOp::Wait { .. } => "wait",
    }
}
