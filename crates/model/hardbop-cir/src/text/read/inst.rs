//! Instructions, and how blocks end.

use super::{Read, Reader};
use crate::check::{Cond, Holder};
use crate::expr::ExprId;
use crate::program::{
    BlockId, Callee, Inst, ObjId, Op, Program, Source, Stop, Stream, Term, TextPart, VarId,
};
use crate::scan::{Numeral, Scan};
use crate::text::names::{PRINTS, find};
use crate::thread::ThreadOp;

impl Reader {
    pub(super) fn inst(&mut self, program: &mut Program, word: &str) -> Read<()> {
        if let Some(term) = self.term(program, word)? {
            return match program
                .funcs
                .as_mut_slice()
                .last_mut()
                .and_then(|it| it.blocks.as_mut_slice().last_mut())
            {
                Some(block) => {
                    block.term = term;
                    Ok(())
                }
                None => self.fail("an instruction belongs into a block"),
            };
        }
        let op = self.op(program, word)?;
        let span = self.span()?.unwrap_or_default();
        match program
            .funcs
            .as_mut_slice()
            .last_mut()
            .and_then(|it| it.blocks.as_mut_slice().last_mut())
        {
            Some(block) => {
                block.insts.push(Inst { op, span });
                Ok(())
            }
            None => self.fail("an instruction belongs into a block"),
        }
    }

    fn rest(&mut self, program: &mut Program) -> Read<Vec<ExprId>> {
        let mut list = Vec::new();
        while !self.peek().is_empty() && !self.peek().starts_with('@') {
            list.push(self.expr(program, 0)?);
        }
        Ok(list)
    }

    fn numeral(&mut self) -> Read<Numeral> {
        Ok(match self.word()?.as_str() {
            "signed" => Numeral::Signed(self.number()?),
            "unsigned" => Numeral::Unsigned(self.number()?),
            "real" => Numeral::Real(self.number()?),
            other => return self.fail(format!("`{other}` is no kind of number")),
        })
    }

    fn dst(&mut self) -> Read<Option<VarId>> {
        if self.eat("_") { Ok(None) } else { Ok(Some(self.id("v")?)) }
    }

    fn thread_op(&mut self, program: &mut Program, word: &str) -> Read<ThreadOp> {
        Ok(match word {
            "spawn" => ThreadOp::Spawn {
                dst: self.id("v")?,
                func: self.expr(program, 0)?,
                arg: self.expr(program, 0)?,
            },
            "current" => ThreadOp::Current { dst: self.id("v")? },
            "exists" => ThreadOp::Exists { dst: self.id("v")?, thread: self.expr(program, 0)? },
            "ended" => ThreadOp::Ended { dst: self.id("v")?, thread: self.expr(program, 0)? },
            "result" => ThreadOp::Result { dst: self.id("v")?, thread: self.expr(program, 0)? },
            "forget" => ThreadOp::Forget { thread: self.expr(program, 0)? },
            "own" => ThreadOp::Own { dst: self.id("v")?, object: self.id("o")? },
            "begin" => ThreadOp::Begin,
            "end" => ThreadOp::End,
            "unordered" => ThreadOp::Unordered,
            "orders" | "fence" => {
                let (acquires, releases) = match self.word()?.as_str() {
                    "nothing" => (false, false),
                    "acquire" => (true, false),
                    "release" => (false, true),
                    "both" => (true, true),
                    other => return self.fail(format!("`{other}` is no order")),
                };
                match word {
                    "orders" => ThreadOp::Orders { acquires, releases },
                    _ => ThreadOp::Fence { acquires, releases },
                }
            }
            "wait" => ThreadOp::Wait { cond: self.expr(program, 0)? },
            _ => return self.fail(format!("`{word}` is no instruction")),
        })
    }

    fn op(&mut self, program: &mut Program, word: &str) -> Read<Op> {
        Ok(match word {
            "set" => Op::Set { dst: self.id("v")?, value: self.expr(program, 0)? },
            "nondet" => {
                let dst = self.id("v")?;
                let source = match self.word()?.as_str() {
                    "input" => Source::Input(self.quoted()?),
                    "external" => Source::External(self.quoted()?),
                    "system" => Source::System(self.quoted()?),
                    "stdin" => Source::Byte(Stream::Stdin),
                    "file" => Source::Byte(Stream::Other),
                    "scanned" => {
                        let stream = match self.word()?.as_str() {
                            "stdin" => Stream::Stdin,
                            "file" => Stream::Other,
                            other => return self.fail(format!("`{other}` is no stream")),
                        };
                        let scan = match self.word()?.as_str() {
                            "ahead" => Scan::Ahead(self.numeral()?),
                            "solid" => Scan::Solid,
                            "number" => Scan::Number(self.numeral()?),
                            other => return self.fail(format!("`{other}` is not what is scanned")),
                        };
                        Source::Scanned(stream, scan)
                    }
                    "argc" => Source::ArgCount,
                    "argument" => {
                        let at = self.number()?;
                        let part = match self.word()?.as_str() {
                            "length" => TextPart::Length,
                            "rest" => TextPart::Rest,
                            "byte" => TextPart::Byte(self.number()?),
                            other => return self.fail(format!("`{other}` is no part of a text")),
                        };
                        Source::Argument(at, part)
                    }
                    "uninit" => Source::Uninit,
                    "order" => Source::Order,
                    other => return self.fail(format!("`{other}` is no source")),
                };
                Op::Nondet { dst, source }
            }
            "load" => Op::Load { dst: self.id("v")?, ptr: self.expr(program, 0)? },
            "size" => Op::Size { dst: self.id("v")?, ptr: self.expr(program, 0)? },
            "store" => Op::Store { ptr: self.expr(program, 0)?, value: self.expr(program, 0)? },
            "copy" => Op::Copy {
                dst: self.expr(program, 0)?,
                src: self.expr(program, 0)?,
                size: self.expr(program, 0)?,
            },
            "fill" => Op::Fill {
                dst: self.expr(program, 0)?,
                byte: self.expr(program, 0)?,
                size: self.expr(program, 0)?,
            },
            "repeat" => Op::Repeat {
                dst: self.expr(program, 0)?,
                value: self.expr(program, 0)?,
                size: self.expr(program, 0)?,
            },
            "havoc" => Op::Havoc { ptr: self.expr(program, 0)? },
            "enter" => {
                let object: ObjId = self.id("o")?;
                Op::Enter { object, size: self.rest(program)?.first().copied() }
            }
            "leave" => Op::Leave { object: self.id("o")? },
            "alloc" => Op::Alloc {
                dst: self.id("v")?,
                object: self.id("o")?,
                size: self.expr(program, 0)?,
            },
            "free" => Op::Free { ptr: self.expr(program, 0)? },
            "call" => {
                let dst = self.dst()?;
                let callee = match self.peek().starts_with('f') {
                    true => Callee::Func(self.id("f")?),
                    false => Callee::Ptr(self.expr(program, 0)?),
                };
                Op::Call { dst, callee, args: self.rest(program)? }
            }
            "print" => {
                let dst = self.dst()?;
                let kind = self.word()?;
                let Some(kind) = find(&PRINTS, &kind) else { return self.fail("no such output") };
                Op::Print { dst, kind, args: self.rest(program)? }
            }
            "assume" => Op::Assume { cond: self.expr(program, 0)? },
            "check" => {
                let check = self.id("c")?;
                let cond = match self.word()?.as_str() {
                    "holds" => Cond::Holds(self.expr(program, 0)?),
                    "notnull" => Cond::NotNull(self.expr(program, 0)?),
                    "alive" => Cond::Alive(self.expr(program, 0)?),
                    "inbounds" => {
                        Cond::InBounds { ptr: self.expr(program, 0)?, size: self.expr(program, 0)? }
                    }
                    "written" => {
                        Cond::Written { ptr: self.expr(program, 0)?, size: self.expr(program, 0)? }
                    }
                    "writable" => Cond::Writable(self.expr(program, 0)?),
                    "freeable" => Cond::Freeable(self.expr(program, 0)?),
                    "apart" => Cond::Apart {
                        a: self.expr(program, 0)?,
                        b: self.expr(program, 0)?,
                        size: self.expr(program, 0)?,
                    },
                    "freed" => Cond::NoLeak(Holder::System),
                    "noleak" => Cond::NoLeak(Holder::Globals),
                    "noleak_in_calls" => Cond::NoLeak(Holder::Calls),
                    "watched" => Cond::Watched,
                    "fails" => Cond::Fails,
                    other => return self.fail(format!("`{other}` is no condition")),
                };
                Op::Check { check, cond }
            }
            _ => Op::Thread(self.thread_op(program, word)?),
        })
    }

    fn term(&mut self, program: &mut Program, word: &str) -> Read<Option<Term>> {
        Ok(Some(match word {
            "goto" => Term::Goto(self.id("b")?),
            "branch" => {
                Term::Branch { cond: self.expr(program, 0)?, yes: self.id("b")?, no: self.id("b")? }
            }
            "switch" => {
                let value = self.expr(program, 0)?;
                let default: BlockId = self.id("b")?;
                let mut cases = Vec::new();
                while !self.peek().starts_with('@') && !self.peek().is_empty() {
                    cases.push((self.number()?, self.id("b")?));
                }
                Term::Switch { value, cases, default }
            }
            "return" => Term::Return(self.rest(program)?.first().copied()),
            "exit" => Term::Stop(Stop::Exit(self.expr(program, 0)?)),
            "endthread" => Term::Stop(Stop::Thread(self.expr(program, 0)?)),
            "abort" => Term::Stop(Stop::Abort),
            "unreachable" => Term::Stop(Stop::Unreachable),
            "unsupported" => Term::Stop(Stop::Unsupported(self.quoted()?)),
            _ => return Ok(None),
        }))
    }
}
