//! Where a path goes on: calls, the ends of blocks, and the end of a thread.

use hardbop_base::Span;
use hardbop_cir::analysis::liveness::live_in;
use hardbop_cir::{BlockId, Callee, ExprId, FuncId, Inst, Op, Stop, Term, VarId as Register};
use hardbop_smt::TermId;

use crate::model::{Frame, Meaning, Start, Target};
use crate::steps::{Path, Walker};
use crate::terms::{FIRST_FUNC, parts};

impl Walker<'_, '_> {
    pub(crate) fn call(&mut self, mut path: Path, callee: Callee, args: &[ExprId]) -> Option<Path> {
        let func = match callee {
            Callee::Func(func) => func,
            Callee::Ptr(ptr) => {
                let pointer = self.eval(&path, ptr);
                match self.func(pointer) {
                    Some(func) => func,
                    None => {
                        return self.unsupported(path, "a call of a function that is not known");
                    }
                }
            }
        };
        let mut above = Some(path.at.frame);
        while let Some(frame) = above {
            if self.naming.frames[frame].func == func {
                return self.unsupported(path, "recursion in a program with threads");
            }
            above = self.naming.frames[frame].parent.map(|it| it.0);
        }
        let body = &self.program.funcs[func];
        if body.params.len() != args.len() {
            return self.unsupported(path, "a call with another number of arguments");
        }
        let args: Vec<TermId> = args.iter().map(|&arg| self.eval(&path, arg)).collect();
        let parent = Some((path.at.frame, path.at.block, path.at.at));
        let frame = self.naming.frame(Frame { role: path.role, func, parent });
        (path.at.frame, path.at.block, path.at.at) = (frame, BlockId::from_u32(0), 0);
        for (&param, arg) in body.params.iter().zip(args) {
            self.set(&mut path, param, arg);
        }
        self.begin(&mut path, func);
        self.arrive(path)
    }

    /// Registers are arbitrary in a new call.
    fn begin(&mut self, path: &mut Path, func: FuncId) {
        let body = &self.program.funcs[func];
        let live = live_in(self.program, body);
        for at in live[BlockId::from_u32(0)].iter() {
            let register = Register::from_u32(at as u32);
            let is_own = self.program.vars[register].owner == Some(func);
            if is_own && !body.params.contains(&register) {
                self.set_any(path, register);
            }
        }
    }

    pub(crate) fn func(&mut self, pointer: TermId) -> Option<FuncId> {
        let (object, offset) = parts(&mut self.naming.terms, self.program.ptr_bits, pointer);
        let number = self.naming.terms.as_const(object)?.checked_sub(FIRST_FUNC)?;
        let func = FuncId::from_u32(u32::try_from(number).ok()?);
        let is_one = self.program.funcs.get(func).is_some();
        (is_one && self.naming.terms.as_const(offset) == Some(0)).then_some(func)
    }

    /// At the beginning of a block.
    fn arrive(&mut self, mut path: Path) -> Option<Path> {
        if path.visited.insert(path.at) {
            return Some(path);
        }
        let to = self.cut(path.at, path.span);
        self.finish(path, Target::Cut(to));
        None
    }

    /// Whether the thread ends there, which others may wait for.
    pub(crate) fn is_end(&self, path: &Path, term: &Term) -> bool {
        match term {
            Term::Stop(Stop::Thread(_)) => true,
            Term::Return(_) => self.naming.frames[path.at.frame].parent.is_none(),
            _ => false,
        }
    }

    pub(crate) fn term(
        &mut self,
        mut path: Path,
        term: &Term,
        span: Span,
        paths: &mut Vec<Path>,
    ) -> Option<Path> {
        let go = |it: &mut Self, mut path: Path, to: BlockId| {
            (path.at.block, path.at.at) = (to, 0);
            it.arrive(path)
        };
        match term {
            Term::Goto(to) => go(self, path, *to),
            Term::Branch { cond, yes, no } => {
                let cond = self.eval(&path, *cond);
                let not = self.naming.terms.not(cond);
                let mut other = path.clone();
                other.guard = self.naming.terms.and(other.guard, not);
                path.guard = self.naming.terms.and(path.guard, cond);
                if self.naming.terms.as_const(other.guard) != Some(0) {
                    paths.extend(go(self, other, *no));
                }
                if self.naming.terms.as_const(path.guard) == Some(0) {
                    return None;
                }
                go(self, path, *yes)
            }
            Term::Switch { value, cases, default } => {
                let value = self.eval(&path, *value);
                let wide = self.naming.terms.width(value);
                for &(case, to) in cases {
                    let case = self.naming.terms.constant(wide, case);
                    let same = self.naming.terms.eq(value, case);
                    let mut other = path.clone();
                    other.guard = self.naming.terms.and(other.guard, same);
                    if self.naming.terms.as_const(other.guard) != Some(0) {
                        paths.extend(go(self, other, to));
                    }
                    let not = self.naming.terms.not(same);
                    path.guard = self.naming.terms.and(path.guard, not);
                }
                if self.naming.terms.as_const(path.guard) == Some(0) {
                    return None;
                }
                go(self, path, *default)
            }
            Term::Return(value) => {
                let frame = self.naming.frames[path.at.frame];
                let Some((parent, block, at)) = frame.parent else { return self.end(path) };
                let value = value.map(|value| self.eval(&path, value));
                (path.at.frame, path.at.block, path.at.at) = (parent, block, at);
                let call = &self.program.funcs[self.naming.frames[parent].func].blocks[block];
                if let Some(Inst { op: Op::Call { dst: Some(dst), .. }, .. }) = call.insts.get(at) {
                    match value {
                        Some(value) => self.set(&mut path, *dst, value),
                        None => drop(self.set_any(&mut path, *dst)),
                    }
                }
                path.at.at += 1;
                Some(path)
            }
            Term::Stop(Stop::Thread(_)) => self.end_thread(path),
            // The program ends: nobody moves afterwards, and what could be done before was possible earlier.
            Term::Stop(Stop::Exit(_) | Stop::Abort | Stop::Unreachable) => None,
            Term::Stop(Stop::Unsupported(what)) => {
                path.span = span;
                self.unsupported(path, what.to_string())
            }
        }
    }

    /// The function that a thread runs returns.
    fn end(&mut self, path: Path) -> Option<Path> {
        match self.naming.roles[path.role].start {
            // All threads end.
            Start::Main => None,
            _ => self.end_thread(path),
        }
    }

    fn end_thread(&mut self, mut path: Path) -> Option<Path> {
        let role = path.role;
        if !self.naming.roles[role].is_many() {
            let ended = self.naming.var(Meaning::Ended(role));
            let truth = self.naming.terms.bool(true);
            path.values.insert(ended, truth);
        }
        self.finish(path, Target::Ended);
        None
    }
}
