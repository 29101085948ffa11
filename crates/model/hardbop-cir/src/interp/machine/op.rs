//! What one instruction does.

use hardbop_base::Span;

use super::{Go, Machine};
use crate::expr::ExprId;
use crate::interp::memory::{Base, Fault, Pointer};
use crate::interp::run::Ending;
use crate::interp::show;
use crate::interp::value::{Value, evaluate};
use crate::interp::watch::Event;
use crate::program::{Callee, FuncId, ObjId, Op, PrintKind, Source, VarId};
use crate::ty::Ty;

impl Machine<'_> {
    pub(super) fn op(&mut self, op: &Op, span: Span) -> Go {
        let program = self.program;
        match op {
            Op::Set { dst, value } => {
                let value = evaluate(self, *value);
                self.set(*dst, value);
            }
            Op::Nondet { dst, source } => {
                let ty = program.vars[*dst].ty;
                let value = self.arbitrary(*dst, source);
                if !matches!(source, Source::Uninit | Source::Order) {
                    self.tell(span, |it, _| Event::Input {
                        source: source.clone(),
                        value: it.shown(value, ty, program.vars[*dst].is_signed),
                    });
                }
                self.set(*dst, value);
            }
            Op::Load { dst, ptr } => {
                let value = self.load(self.pointer(*ptr), program.vars[*dst].ty, span)?;
                self.set(*dst, value);
            }
            Op::Size { dst, ptr } => {
                let size = self.memory.size_of(self.pointer(*ptr));
                self.set(*dst, Value::Int(u128::from(size)));
            }
            Op::Store { ptr, value } => {
                let stored = evaluate(self, *value);
                let (to, ty) = (self.pointer(*ptr), program.exprs.ty(*value));
                self.store(to, stored, ty, span)?;
                let object = self.object_at(to);
                self.tell(span, |it, _| Event::Store {
                    object,
                    place: show::place(program, &it.memory, to),
                    value: it.shown(stored, ty, true),
                });
            }
            Op::Copy { dst, src, size } => {
                let (dst, src, size) = (self.pointer(*dst), self.pointer(*src), self.size(*size));
                let copied = self.memory.copy(dst, src, size);
                self.access(copied, span)?;
            }
            Op::Fill { dst, byte, size } => {
                let (dst, size) = (self.pointer(*dst), self.size(*size));
                let filled = self.memory.fill(dst, evaluate(self, *byte).int() as u8, size);
                self.access(filled, span)?;
            }
            Op::Repeat { dst, value, size } => {
                let (dst, size) = (self.pointer(*dst), self.size(*size));
                let repeated = self.memory.repeat(dst, self.pointer(*value), size);
                self.access(repeated, span)?;
            }
            // Arbitrary bytes may be those that are there; but now they are written.
            Op::Havoc { ptr } => {
                self.took.value();
                self.memory.mark_written(self.pointer(*ptr));
            }
            Op::Enter { object, size } => self.enter(*object, *size, span)?,
            Op::Leave { object } => {
                if let Some(frame) = self.frames.last_mut()
                    && let Some(at) = frame.objects.iter().rposition(|(it, _)| it == object)
                {
                    let (_, id) = frame.objects.remove(at);
                    self.memory.kill(id);
                }
            }
            Op::Alloc { dst, object, size } => {
                let created = self.memory.create(program, *object, self.size(*size));
                let pointer = self.access(created, span)?;
                self.set(*dst, Value::Ptr(pointer));
            }
            Op::Free { ptr } => match self.pointer(*ptr).base {
                Base::Instance(id) if self.freeable(self.pointer(*ptr)) => {
                    let gone = self.pointer(*ptr);
                    self.tell(span, |it, _| Event::Free {
                        object: show::value(program, &it.memory, Value::Ptr(gone), Ty::Ptr, false),
                    });
                    self.memory.kill(id);
                }
                _ if self.pointer(*ptr) == Pointer::NULL => {}
                _ => return Err(Ending::Undefined(Fault::Dead, span)),
            },
            Op::Call { dst, callee, args } => {
                let args = args.iter().map(|&arg| evaluate(self, arg)).collect();
                let (func, args) = self.callee(*callee, args, *dst, span)?;
                self.tell(span, |it, _| {
                    let params = program.funcs[func].params.iter().map(|&id| &program.vars[id]);
                    let shown = params
                        .zip(&args)
                        .map(|(param, &arg)| it.shown(arg, param.ty, param.is_signed));
                    Event::Call { func, args: shown.collect() }
                });
                self.call(func, args, *dst)?;
            }
            Op::Print { dst, kind, args } => {
                let n = self.print(*kind, args);
                if let Some(dst) = dst {
                    self.took.value();
                    // What `putchar` returns is what it wrote.
                    let value = match (kind, args.as_slice()) {
                        (PrintKind::Putchar, [byte]) => evaluate(self, *byte).int() & 0xff,
                        _ => n as u128,
                    };
                    self.set(
                        *dst,
                        match program.vars[*dst].ty {
                            Ty::Int(width) => Value::Int(value & crate::eval::mask(width)),
                            ty => Value::zero(ty),
                        },
                    );
                }
            }
            Op::Assume { cond } => {
                if evaluate(self, *cond).int() == 0 {
                    return Err(Ending::AssumptionFailed(span));
                }
            }
            Op::Check { check, cond } => self.check(*check, *cond)?,
            Op::Thread(op) => self.thread(op, span)?,
        }
        if self.threads.are_many() {
            self.has_moved();
        }
        Ok(())
    }

    fn enter(&mut self, object: ObjId, size: Option<ExprId>, span: Span) -> Go {
        let size = match size {
            Some(size) => self.size(size),
            None => self.program.objects[object].size.unwrap_or(0),
        };
        // A jump back over the declaration ends the life of the one before.
        if let Some(frame) = self.frames.last_mut()
            && let Some(at) = frame.objects.iter().position(|(it, _)| *it == object)
        {
            let (_, old) = frame.objects.remove(at);
            self.memory.kill(old);
        }
        let created = self.memory.create(self.program, object, size);
        let pointer = self.access(created, span)?;
        if let (Base::Instance(id), Some(frame)) = (pointer.base, self.frames.last_mut()) {
            frame.objects.push((object, id));
        }
        Ok(())
    }

    /// A call through a pointer converts nothing: where argument types differ, C gives no meaning.
    fn callee(
        &self,
        callee: Callee,
        args: Vec<Value>,
        dst: Option<VarId>,
        span: Span,
    ) -> Go<(FuncId, Vec<Value>)> {
        let func = match callee {
            Callee::Func(func) => func,
            Callee::Ptr(ptr) => match self.pointer(ptr) {
                Pointer { base: Base::Func(func), offset: 0 } => func,
                _ => return Err(Ending::Undefined(Fault::Null, span)),
            },
        };
        let it = &self.program.funcs[func];
        let fits = it.params.len() == args.len()
            && it.params.iter().zip(&args).all(|(&param, arg)| {
                matches!(
                    (self.program.vars[param].ty, arg),
                    (Ty::Int(_), Value::Int(_))
                        | (Ty::Float(_), Value::Float(_))
                        | (Ty::Ptr, Value::Ptr(_))
                )
            })
            && dst.is_none_or(|dst| it.result == Some(self.program.vars[dst].ty));
        match fits {
            true => Ok((func, args)),
            false => Err(Ending::Unsupported("a call of a function of another type".into(), span)),
        }
    }
}
