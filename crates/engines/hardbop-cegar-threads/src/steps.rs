//! From cut to cut: the paths of a thread between two places where others may move.
//!
//! A path does what the instructions say, on terms. It ends before the second access to what others can see, where it comes
//! round to a place again, where a check fails, and where the thread ends.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::{Budget, Span};
use hardbop_cir::analysis::PointsTo;
use hardbop_cir::{Class, Op, Program};
use hardbop_smt::{Solver, TermId};
use rustc_hash::FxHashMap;

use crate::facts::{Facts, Seen};
use crate::model::{Cut, CutId, Place, RoleId, Start, Step, Target, Var};
use crate::names::Naming;

/// More paths than this are not followed.
const MAX_PATHS: usize = 3_000;
const MAX_FRAMES: usize = 600;

pub struct Walker<'a, 'n> {
    pub naming: &'n mut Naming<'a>,
    pub program: &'a Program,
    pub classes: &'a [Class],
    pub facts: &'n Facts,
    pub points_to: &'n PointsTo,
    /// Whether a thread that goes wrong is told from the others that run its function.
    pub watches: bool,
    pub solver: &'n mut Solver,
    pub budget: &'n Budget,
    pub seen: Seen,
    pub cuts: hardbop_base::IndexVec<CutId, Cut>,
    pub steps: Vec<Step>,
    pub entries: FxHashMap<RoleId, CutId>,
    by_place: FxHashMap<Place, CutId>,
    todo: Vec<CutId>,
    n_paths: usize,
    pub gave_up: Option<(String, Span)>,
}

#[derive(Clone)]
pub(crate) struct Path {
    pub from: CutId,
    pub role: RoleId,
    pub at: Place,
    pub guard: TermId,
    pub values: BTreeMap<Var, TermId>,
    pub has_accessed: bool,
    /// Others can see something of it.
    pub is_seen: bool,
    pub starts: Vec<RoleId>,
    pub n_steps: u64,
    pub n_alone: Option<u64>,
    pub asked: Vec<TermId>,
    pub visited: BTreeSet<Place>,
    pub span: Span,
}

impl<'a, 'n> Walker<'a, 'n> {
    pub fn new(
        naming: &'n mut Naming<'a>,
        classes: &'a [Class],
        (facts, points_to): (&'n Facts, &'n PointsTo),
        watches: bool,
        solver: &'n mut Solver,
        budget: &'n Budget,
    ) -> Self {
        Walker {
            program: naming.program,
            naming,
            classes,
            facts,
            points_to,
            watches,
            solver,
            budget,
            seen: Seen::default(),
            cuts: hardbop_base::IndexVec::new(),
            steps: Vec::new(),
            entries: FxHashMap::default(),
            by_place: FxHashMap::default(),
            todo: Vec::new(),
            n_paths: 0,
            gave_up: None,
        }
    }

    /// All steps of all roles.
    pub fn walk(&mut self) {
        let main = self.naming.role(Start::Main, self.program.main);
        self.enter(main);
        while let Some(cut) = self.todo.pop() {
            if self.gave_up.is_some() || self.budget.check().is_err() {
                return;
            }
            self.explore(cut);
        }
    }

    fn give_up(&mut self, why: impl Into<String>, span: Span) {
        self.gave_up.get_or_insert((why.into(), span));
    }

    pub(crate) fn cut(&mut self, place: Place, span: Span) -> CutId {
        if let Some(&cut) = self.by_place.get(&place) {
            return cut;
        }
        let role = self.naming.frames[place.frame].role;
        let cut = self.cuts.push(Cut { role, place: Some(place), span });
        self.by_place.insert(place, cut);
        self.todo.push(cut);
        cut
    }

    fn explore(&mut self, from: CutId) {
        let Cut { role, place: Some(at), span } = self.cuts[from] else { return };
        let guard = self.naming.terms.bool(true);
        let first = Path {
            from,
            role,
            at,
            guard,
            values: BTreeMap::new(),
            has_accessed: false,
            is_seen: false,
            starts: Vec::new(),
            n_steps: 0,
            n_alone: None,
            asked: Vec::new(),
            visited: if at.at == 0 { BTreeSet::from([at]) } else { BTreeSet::new() },
            span,
        };
        let mut paths = vec![first];
        while let Some(path) = paths.pop() {
            self.n_paths += 1;
            if self.n_paths > MAX_PATHS || self.naming.frames.len() > MAX_FRAMES {
                return self.give_up("the paths between accesses of threads are too many", span);
            }
            self.follow(path, &mut paths);
            if self.gave_up.is_some() {
                return;
            }
        }
    }

    fn follow(&mut self, mut path: Path, paths: &mut Vec<Path>) {
        loop {
            if self.naming.terms.as_const(path.guard) == Some(0) {
                return;
            }
            let func = &self.program.funcs[self.naming.frames[path.at.frame].func];
            let block = &func.blocks[path.at.block];
            let goes_on = match block.insts.get(path.at.at) {
                Some(inst) => {
                    path.span = inst.span;
                    if self.ends_before(&path, &inst.op) {
                        let to = self.cut(path.at, inst.span);
                        return self.finish(path, Target::Cut(to));
                    }
                    path.n_steps += 1;
                    self.inst(path, inst, paths)
                }
                None => {
                    path.span = block.span;
                    if self.is_end(&path, &block.term)
                        && path.has_accessed
                        && path.at.atomic.is_none()
                    {
                        let to = self.cut(path.at, block.span);
                        return self.finish(path, Target::Cut(to));
                    }
                    path.n_steps += 1;
                    self.term(path, &block.term, block.span, paths)
                }
            };
            match goes_on {
                Some(next) => path = next,
                None => return,
            }
        }
    }

    pub(crate) fn finish(&mut self, path: Path, to: Target) {
        let n_alone = path.n_alone.unwrap_or(path.n_steps);
        let updates = path.values.into_iter().collect();
        let Path { from, guard, starts, n_steps, asked, span, .. } = path;
        self.steps.push(Step { from, to, guard, updates, starts, n_steps, n_alone, asked, span });
    }

    /// The thread moves no more; what others have seen of it counts.
    pub(crate) fn stuck(&mut self, path: Path) {
        if path.is_seen && self.naming.terms.as_const(path.guard) != Some(0) {
            self.finish(path, Target::Ended);
        }
    }

    /// Whether others can tell when the instruction is executed, and the path has done such a thing before.
    fn ends_before(&mut self, path: &Path, op: &Op) -> bool {
        if !path.has_accessed || path.at.atomic.is_some() {
            return false;
        }
        self.is_point(path, op)
    }

    pub(crate) fn unsupported(&mut self, path: Path, what: impl Into<String>) -> Option<Path> {
        let to = Target::Unsupported(what.into(), path.span);
        self.finish(path, to);
        None
    }
}
