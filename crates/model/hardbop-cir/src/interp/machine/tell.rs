//! What a running machine tells: to its watcher, and to standard output.

use hardbop_base::Span;

use super::{Frame, Machine};
use crate::expr::ExprId;
use crate::interp::memory::Pointer;
use crate::interp::print::{self, Arg};
use crate::interp::show;
use crate::interp::value::{Env, Value, evaluate};
use crate::interp::watch::{Event, Moment, Step};
use crate::program::{Op, PrintKind, VarId};
use crate::ty::Ty;

impl Machine<'_> {
    pub(super) fn shown(&self, value: Value, ty: Ty, is_signed: bool) -> String {
        show::value(self.program, &self.memory, value, ty, is_signed)
    }

    pub(super) fn tell(&mut self, span: Span, event: impl FnOnce(&Self, &Frame) -> Event) {
        let Some(frame) = self.frames.last() else { return };
        let (func, depth) = (frame.func, self.frames.len() - 1);
        let thread = self.threads.current;
        if self.watch.as_ref().is_some_and(|it| it.wants(func, span)) {
            let event = event(self, frame);
            if let Some(watch) = &mut self.watch {
                watch.step(Step { thread, depth, func, span, event });
            }
        }
    }

    /// To who follows each instruction.
    pub(super) fn tell_moment(&mut self, op: &Op) {
        if !self.watch.as_ref().is_some_and(|it| it.follows()) {
            return;
        }
        let stack: Vec<_> = self.frames.iter().map(|it| (it.func, self.place(it))).collect();
        let instances = &self.memory.instances;
        let accesses = self.accesses(op).into_iter();
        let accesses: Vec<_> =
            accesses.map(|it| (instances[it.instance as usize].object, it.is_write)).collect();
        let depth = self.atomic.map_or(0, |it| it.depth);
        let thread = self.threads.current;
        if let Some(watch) = &mut self.watch {
            watch.executes(Moment { thread, stack: &stack, op, accesses: &accesses, depth });
        }
    }

    pub(super) fn tell_set(&mut self, var: VarId, span: Span) {
        if self.watch.is_some() {
            self.tell(span, |it, _| {
                let info = &it.program.vars[var];
                Event::Set { var, value: it.shown(it.var(var), info.ty, info.is_signed) }
            });
        }
    }

    pub(super) fn text_at(&self, pointer: Pointer) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        loop {
            let at = Pointer { offset: pointer.offset + text.len() as u64, ..pointer };
            match self.memory.read(at, 1).ok()? {
                [0] => return Some(text),
                byte => text.extend_from_slice(byte),
            }
        }
    }

    /// Prints, and says how many bytes that were.
    pub(super) fn print(&mut self, kind: PrintKind, args: &[ExprId]) -> usize {
        let before = self.output.len();
        self.put(kind, args);
        self.output.len() - before
    }

    fn put(&mut self, kind: PrintKind, args: &[ExprId]) {
        if let (PrintKind::Bytes, [at, size]) = (kind, args) {
            let (at, size) = (evaluate(self, *at).pointer(), evaluate(self, *size).int() as u64);
            let bytes = self.memory.read(at, size).map(<[u8]>::to_vec).unwrap_or_default();
            return self.output.extend(bytes);
        }
        let mut args = args.iter().map(|&arg| {
            let value = evaluate(self, arg);
            let text = match value {
                Value::Ptr(pointer) => self.text_at(pointer),
                _ => None,
            };
            Arg { value, ty: self.program.exprs.ty(arg), text }
        });
        let Some(first) = args.next() else { return };
        let rest: Vec<Arg> = args.collect();
        match kind {
            PrintKind::Printf => {
                print::format(&mut self.output, &first.text.unwrap_or_default(), &rest);
            }
            PrintKind::Puts => {
                self.output.extend(first.text.unwrap_or_default());
                self.output.push(b'\n');
            }
            PrintKind::Putchar => self.output.push(first.value.int() as u8),
            PrintKind::Other | PrintKind::Bytes => {}
        }
    }
}
