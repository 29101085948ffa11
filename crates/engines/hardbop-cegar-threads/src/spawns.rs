//! Threads on a path: starting them, their numbers, whether they have ended, atomic sections and waiting.

use hardbop_cir::{ExprId, FuncId, ThreadOp, Ty, VarId as Register};
use hardbop_smt::TermId;

use crate::model::{Atomic, Meaning, Place, RoleId, Start, Target};
use crate::steps::{Path, Walker};
use crate::terms::width;

impl Walker<'_, '_> {
    pub(crate) fn thread(
        &mut self,
        mut path: Path,
        op: &ThreadOp,
        paths: &mut Vec<Path>,
    ) -> Option<Path> {
        match op {
            ThreadOp::Spawn { dst, func, arg } => {
                return self.spawn(path, (*dst, *func, *arg), paths);
            }
            ThreadOp::Current { dst } => {
                let wide = width(self.program.vars[*dst].ty, self.program.ptr_bits);
                let number = self.number(path.role, wide);
                match number {
                    Some(number) => self.set(&mut path, *dst, number),
                    None => drop(self.set_any(&mut path, *dst)),
                }
            }
            ThreadOp::Exists { dst, thread } => {
                let thread = self.eval(&path, *thread);
                let exists = self.exists(&path, thread);
                self.set(&mut path, *dst, exists);
            }
            ThreadOp::Ended { dst, thread } => {
                let thread = self.eval(&path, *thread);
                let ended = self.ended(&path, thread);
                self.set(&mut path, *dst, ended);
            }
            ThreadOp::Forget { thread } => {
                let thread = self.eval(&path, *thread);
                self.forget(&mut path, thread);
            }
            ThreadOp::Own { .. } => {
                return self.unsupported(path, "a thread-local variable in memory");
            }
            ThreadOp::Result { dst, .. } => drop(self.set_any(&mut path, *dst)),
            ThreadOp::Begin => match &mut path.at.atomic {
                Some(it) => it.depth += 1,
                None => {
                    let begin = (path.at.frame, path.at.block, path.at.at);
                    path.at.atomic = Some(Atomic { depth: 1, begin });
                }
            },
            ThreadOp::End => match &mut path.at.atomic {
                Some(it) if it.depth > 1 => it.depth -= 1,
                _ => path.at.atomic = None,
            },
            ThreadOp::Unordered | ThreadOp::Orders { .. } | ThreadOp::Fence { .. } => {}
            ThreadOp::Wait { cond } => {
                let cond = self.eval(&path, *cond);
                let mut other = path.clone();
                let not = self.naming.terms.not(cond);
                other.guard = self.naming.terms.and(other.guard, not);
                path.guard = self.naming.terms.and(path.guard, cond);
                if self.naming.terms.as_const(other.guard) != Some(0) {
                    match other.at.atomic {
                        Some(Atomic { depth: 1, begin }) if begin.0 == other.at.frame => {
                            let (frame, block, at) = begin;
                            let back = Place { frame, block, at, atomic: None };
                            let to = self.cut(back, other.span);
                            self.finish(other, Target::Cut(to));
                        }
                        _ => {
                            drop(self.unsupported(other, "waiting where no other thread may move"))
                        }
                    }
                }
            }
        }
        path.at.at += 1;
        Some(path)
    }

    /// The number of the one thread of a role.
    pub(crate) fn number(&mut self, role: RoleId, wide: u32) -> Option<TermId> {
        if self.naming.roles[role].start == Start::Main {
            return Some(self.naming.terms.constant(wide, 0));
        }
        if self.naming.roles[role].is_many() {
            return None;
        }
        if let Some(&number) = self.facts.numbers.get(&role) {
            return Some(self.naming.terms.constant(wide, number));
        }
        let var = self.naming.var(Meaning::Number(role));
        let term = self.naming.vars[var].term;
        (wide <= 64).then(|| self.naming.terms.truncate(term, wide))
    }

    /// Whether all threads are those of roles that have one each.
    pub(crate) fn are_all_known(&self) -> bool {
        self.facts.again.is_empty()
            && self.facts.roles.iter().all(|&role| !self.naming.roles[role].is_many())
    }

    pub(crate) fn exists(&mut self, path: &Path, thread: TermId) -> TermId {
        let wide = self.naming.terms.width(thread);
        let mut exists = self.was_started(path, thread);
        for role in self.facts.roles.clone() {
            if self.naming.roles[role].is_many() {
                continue;
            }
            let Some(number) = self.number(role, wide) else { continue };
            let is_it = self.is_thread(path, role, number, thread);
            let forgotten = self.naming.var(Meaning::Forgotten(role));
            let forgotten = self.value(path, forgotten);
            let both = self.naming.terms.and(is_it, forgotten);
            let not = self.naming.terms.not(both);
            exists = self.naming.terms.and(exists, not);
        }
        exists
    }

    fn was_started(&mut self, path: &Path, thread: TermId) -> TermId {
        let wide = self.naming.terms.width(thread);
        if !self.facts.numbers.is_empty() && self.are_all_known() {
            let zero = self.naming.terms.constant(wide, 0);
            let mut exists = self.naming.terms.eq(thread, zero);
            for (role, number) in self.facts.numbers.clone() {
                let started = self.naming.var(Meaning::Started(role));
                let started = self.value(path, started);
                let number = self.naming.terms.constant(wide, number);
                let same = self.naming.terms.eq(thread, number);
                let it = self.naming.terms.and(same, started);
                exists = self.naming.terms.or(exists, it);
            }
            return exists;
        }
        let count = self.naming.var(Meaning::Count);
        let count = self.value(path, count);
        let thread = self.fitted(thread);
        self.naming.terms.ult(thread, count)
    }

    /// That nobody may wait for it any more is known of the one thread of a role. Of one of many it is not: that each of these
    /// is waited for once is assumed.
    fn forget(&mut self, path: &mut Path, thread: TermId) {
        let wide = self.naming.terms.width(thread);
        for role in self.facts.roles.clone() {
            if self.naming.roles[role].is_many() {
                continue;
            }
            let Some(number) = self.number(role, wide) else { continue };
            let var = self.naming.var(Meaning::Forgotten(role));
            let before = self.value(path, var);
            let is_it = self.is_thread(path, role, number, thread);
            let truth = self.naming.terms.bool(true);
            let after = self.naming.terms.ite(is_it, truth, before);
            path.values.insert(var, after);
        }
        path.is_seen = true;
    }

    /// Whether the thread of a role, which has one, runs or has run, and has the number that is asked for.
    fn is_thread(&mut self, path: &Path, role: RoleId, number: TermId, asked: TermId) -> TermId {
        let same = self.naming.terms.eq(number, asked);
        if self.naming.roles[role].start == Start::Main {
            return same;
        }
        let started = self.naming.var(Meaning::Started(role));
        let started = self.value(path, started);
        self.naming.terms.and(same, started)
    }

    /// As wide as a pointer.
    pub(crate) fn fitted(&mut self, number: TermId) -> TermId {
        let wide = u32::from(self.program.ptr_bits);
        match self.naming.terms.width(number) {
            it if it <= wide => self.naming.terms.zero_extend(number, wide),
            _ => self.naming.terms.truncate(number, wide),
        }
    }

    pub(crate) fn ended(&mut self, path: &Path, thread: TermId) -> TermId {
        let wide = self.naming.terms.width(thread);
        let is_known = self.are_all_known();
        let mut result = match is_known {
            true => self.naming.terms.bool(false),
            false => self.fresh(1),
        };
        for role in self.facts.roles.clone() {
            if self.naming.roles[role].is_many() {
                continue;
            }
            let Some(number) = self.number(role, wide) else { continue };
            let ended = self.naming.var(Meaning::Ended(role));
            let ended = self.value(path, ended);
            let it = self.is_thread(path, role, number, thread);
            result = self.naming.terms.ite(it, ended, result);
        }
        result
    }

    pub(crate) fn spawn(
        &mut self,
        mut path: Path,
        (dst, func, arg): (Register, ExprId, ExprId),
        paths: &mut Vec<Path>,
    ) -> Option<Path> {
        let pointer = self.eval(&path, func);
        let Some(func) = self.func(pointer) else {
            return self.unsupported(path, "a thread that runs a function that is not known");
        };
        let params = &self.program.funcs[func].params;
        let fits = match params[..] {
            [] => true,
            [param] => self.program.vars[param].ty == Ty::Ptr,
            _ => false,
        };
        if !fits {
            return self.unsupported(path, "a thread that runs a function of another type");
        }
        let arg = self.eval(&path, arg);
        let place = (path.at.frame, path.at.block, path.at.at);
        self.seen.starts.insert(place);
        let is_once = !self.naming.roles[path.role].is_many()
            && !matches!(self.naming.roles[path.role].start, Start::Watched(_))
            && !self.facts.again.contains(&place)
            && !self.is_started_by(path.role, func);
        let start = match is_once {
            true => Start::Once(place.0, place.1, place.2),
            false => Start::Many(func),
        };
        let role = self.naming.role(start, func);
        // The number, and how many there are now.
        let bits = u32::from(self.program.ptr_bits);
        let count = self.naming.var(Meaning::Count);
        let before = self.value(&path, count);
        let one = self.naming.terms.constant(bits, 1);
        let after = self.naming.terms.add(before, one);
        path.values.insert(count, after);
        let most = self.naming.terms.constant(bits, u128::MAX);
        let fits = self.naming.terms.ne(before, most);
        path.guard = self.naming.terms.and(path.guard, fits);
        let wide = width(self.program.vars[dst].ty, self.program.ptr_bits);
        let number = match self.facts.numbers.get(&role) {
            Some(&number) => self.naming.terms.constant(wide, number),
            None if wide <= bits => self.naming.terms.truncate(before, wide),
            None => self.naming.terms.zero_extend(before, wide),
        };
        self.set(&mut path, dst, number);
        path.n_alone.get_or_insert(path.n_steps);
        path.is_seen = true;
        path.at.at += 1;
        if self.watches && !is_once {
            let watched = self.naming.role(Start::Watched(func), func);
            let flag = self.naming.var(Meaning::Watched);
            let is_taken = self.value(&path, flag);
            let mut other = path.clone();
            let free = self.naming.terms.not(is_taken);
            other.guard = self.naming.terms.and(other.guard, free);
            let truth = self.naming.terms.bool(true);
            other.values.insert(flag, truth);
            self.started(&mut other, watched, arg, before);
            paths.push(other);
        }
        self.started(&mut path, role, arg, before);
        Some(path)
    }

    /// Whether the role, or one that leads to it, runs the function.
    pub(crate) fn is_started_by(&self, role: RoleId, func: FuncId) -> bool {
        let mut above = Some(role);
        while let Some(role) = above {
            let it = &self.naming.roles[role];
            if it.func == func {
                return true;
            }
            above = match it.start {
                Start::Once(frame, ..) => Some(self.naming.frames[frame].role),
                _ => None,
            };
        }
        false
    }

    pub(crate) fn started(&mut self, path: &mut Path, role: RoleId, arg: TermId, number: TermId) {
        path.starts.push(role);
        self.enter(role);
        if self.naming.roles[role].is_many() {
            return;
        }
        let func = self.naming.roles[role].func;
        if let [param] = self.program.funcs[func].params[..] {
            let var = self.naming.register(self.naming.roles[role].frame, param);
            self.assign(var, arg);
            path.values.insert(var, arg);
        }
        let truth = self.naming.terms.bool(true);
        let not = self.naming.terms.bool(false);
        let started = self.naming.var(Meaning::Started(role));
        let ended = self.naming.var(Meaning::Ended(role));
        let forgotten = self.naming.var(Meaning::Forgotten(role));
        path.values.extend([(started, truth), (ended, not), (forgotten, not)]);
        if !self.facts.numbers.contains_key(&role) {
            let var = self.naming.var(Meaning::Number(role));
            let number = self.naming.terms.zero_extend(number, 64);
            path.values.insert(var, number);
        }
    }
}
