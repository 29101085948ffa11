//! The Boolean program: one procedure for each function, one variable for each predicate, one
//! parallel assignment for each stretch.
//!
//! Predicates over global registers are shared variables, those of a function its locals; what is
//! followed at its entry are its formals, at its exit its return values. A variable has a meaning at
//! the places where its predicate is followed; elsewhere it holds an old value that nobody reads.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::{IndexVec, Span};
use hardbop_cfg::{
    Action, Assign, Call, Expr, ExprId as BoolId, ExprPool, Loc, ProcBuilder, ProcId, Program,
    VarId, VarInfo,
};
use hardbop_cir::{ExprId, FuncId};

use crate::abstraction::{Abstraction, Arrow, Clause, Literal, Update};
use crate::cuts::{Cut, Place};
use crate::predicates::{Precision, Predicates, Scope, names_at};
use crate::regions::Exit;
use crate::registers::{Demand, OFTEN, Registers};
use crate::settings::Following;

/// What the Boolean program is made from, gathered by the engine.
pub struct Parts<'a> {
    pub scope: &'a Scope<'a>,
    pub precision: &'a Precision,
    pub abstraction: &'a Abstraction,
    pub shape: &'a Shape,
    pub following: Following,
}

/// The graph of cuts and stretches.
#[derive(Default)]
pub struct Shape {
    /// What is followed at each place.
    pub tracked: BTreeMap<Place, BTreeSet<ExprId>>,
    /// All stretches, with what the terms say of the predicates at their ends.
    pub arrows: BTreeMap<Arrow, BTreeMap<ExprId, Update>>,
}

pub struct BooleanProgram {
    pub program: Program,
    pub funcs: IndexVec<ProcId, FuncId>,
    /// The predicate of each shared variable.
    pub shared: Vec<ExprId>,
    /// What each local one stands for.
    pub locals: IndexVec<ProcId, Vec<BTreeSet<ExprId>>>,
    pub(crate) places: BTreeMap<(ProcId, Loc), Place>,
    pub(crate) arrows: BTreeMap<(ProcId, Loc, Loc), Arrow>,
    pub(crate) names: Names,
}

/// Where the value of a predicate is kept.
#[derive(Default)]
pub(crate) struct Names {
    pub procs: BTreeMap<FuncId, ProcId>,
    pub shared: BTreeMap<ExprId, VarId>,
    /// Of what is not in a shared variable.
    pub locals: BTreeMap<FuncId, Registers>,
    sharing: Option<Sharing>,
}

/// Predicates over global registers that have a shared variable everywhere; others only where procedures meet.
struct Sharing {
    everywhere: BTreeSet<ExprId>,
}

impl Names {
    /// The shared variable of a predicate, if it is kept there at this place.
    fn shared(&self, place: Place, predicate: ExprId) -> Option<VarId> {
        let var = *self.shared.get(&predicate)?;
        let is_there = |it: &Sharing| is_border(place) || it.everywhere.contains(&predicate);
        self.sharing.as_ref().is_none_or(is_there).then_some(var)
    }

    pub fn of(&self, place: Place, predicate: ExprId) -> VarId {
        self.shared(place, predicate).unwrap_or_else(|| {
            let at = self.locals[&place.func].of(place, predicate);
            VarId::from_u32((self.shared.len() + at) as u32)
        })
    }
}

/// Whether callers and callees meet there.
fn is_border(place: Place) -> bool {
    !matches!(place.cut, Cut::Block(_)) || place == Place::entry(place.func)
}

/// Where a stretch leads, and what it does to the predicates there.
type Next<'n> = (Place, &'n BTreeMap<ExprId, Update>);

/// A step of a trace of the Boolean program, in terms of the C program.
#[derive(Clone, Debug)]
pub enum Move {
    /// Along a stretch, with the values of the predicates before and after.
    Along {
        arrow: Arrow,
        before: Vec<Literal>,
        after: Vec<Literal>,
    },
    /// Into the callee of the call before which the last stretch ended.
    Call,
    Return,
}

pub fn build(parts: &Parts<'_>, predicates: &mut Predicates) -> BooleanProgram {
    Builder::new(parts, predicates).run()
}

struct Builder<'a> {
    parts: &'a Parts<'a>,
    predicates: &'a mut Predicates,
    exprs: ExprPool,
    result: BooleanProgram,
}

impl<'a> Builder<'a> {
    fn new(parts: &'a Parts<'a>, predicates: &'a mut Predicates) -> Self {
        let program = Program {
            shared: Vec::new(),
            init: Vec::new(),
            procs: IndexVec::new(),
            main: ProcId::from_u32(0),
            exprs: ExprPool::default(),
        };
        let result = BooleanProgram {
            program,
            funcs: IndexVec::new(),
            shared: Vec::new(),
            locals: IndexVec::new(),
            places: BTreeMap::new(),
            arrows: BTreeMap::new(),
            names: Names::default(),
        };
        Builder { parts, predicates, exprs: ExprPool::default(), result }
    }

    fn run(mut self) -> BooleanProgram {
        self.name_shared();
        let funcs: BTreeSet<FuncId> =
            self.parts.shape.tracked.keys().map(|place| place.func).collect();
        for func in funcs {
            let proc = self.result.funcs.push(func);
            self.result.names.procs.insert(func, proc);
        }
        let signatures: Vec<(usize, usize)> =
            self.result.funcs.clone().iter().map(|&func| self.name_locals(func)).collect();
        for (proc, &func) in self.result.funcs.clone().iter_enumerated() {
            let built = self.procedure(proc, func, signatures[proc.as_u32() as usize]);
            self.result.program.procs.push(built);
        }
        let main = self.parts.scope.normal.program.main;
        self.result.program.main = self.result.names.procs[&main];
        self.result.program.exprs = self.exprs;
        self.result
    }

    fn is_global(&self, predicate: ExprId) -> bool {
        self.predicates.is_global(self.parts.scope.normal, predicate)
    }

    fn name_shared(&mut self) {
        let tracked = &self.parts.shape.tracked;
        let mut all: BTreeSet<ExprId> = tracked.values().flatten().copied().collect();
        all.retain(|&it| self.is_global(it));
        if self.parts.following == Following::Sharing {
            let is_often = |it: &&ExprId| {
                let n_places = tracked.values().filter(|list| list.contains(it)).count();
                n_places * OFTEN >= tracked.len()
            };
            let everywhere: BTreeSet<ExprId> = all.iter().filter(is_often).copied().collect();
            let meets = |it: &ExprId| {
                let borders = tracked.iter().filter(|(place, _)| is_border(**place));
                borders.into_iter().any(|(_, list)| list.contains(it))
            };
            all.retain(|it| everywhere.contains(it) || meets(it));
            self.result.names.sharing = Some(Sharing { everywhere });
        }
        for predicate in all {
            let var = VarId::from_u32(self.result.shared.len() as u32);
            self.result.program.shared.push(info(&format!("g{}", self.result.shared.len())));
            self.result.shared.push(predicate);
            self.result.names.shared.insert(predicate, var);
        }
    }

    /// The numbers of formals and returns.
    fn name_locals(&mut self, func: FuncId) -> (usize, usize) {
        let precision = self.parts.precision;
        let mine = |place| {
            let chosen = precision.chosen(place);
            chosen.filter(|&it| !self.is_global(it)).collect::<Vec<_>>()
        };
        let (formals, returns) = (mine(Place::entry(func)), mine(Place::exit(func)));
        let signature = (formals.len(), returns.len());
        let mut demand = Demand { formals, returns, at: BTreeMap::new() };
        for (&place, list) in self.parts.shape.tracked.iter().filter(|it| it.0.func == func) {
            let names = &self.result.names;
            let is_mine = |it: &ExprId| names.shared(place, *it).is_none();
            demand.at.insert(place, list.iter().copied().filter(is_mine).collect());
        }
        let registers = match self.parts.following {
            Following::Sharing => Registers::sharing(&demand),
            Following::Everywhere | Following::Needed => Registers::single(&demand),
        };
        self.result.locals.push(registers.stands_for.clone());
        self.result.names.locals.insert(func, registers);
        signature
    }

    fn procedure(
        &mut self,
        proc: ProcId,
        func: FuncId,
        signature: (usize, usize),
    ) -> hardbop_cfg::Proc {
        let normal = self.parts.scope.normal;
        let body = &normal.program.funcs[func];
        let mut builder = ProcBuilder::new(body.name.clone(), body.span);
        let names = (0..self.result.locals[proc].len()).map(|at| info(&format!("p{at}")));
        builder.locals(names.collect(), signature.0, signature.1);
        let mut locs: BTreeMap<Place, Loc> = BTreeMap::new();
        for &place in self.parts.shape.tracked.keys().filter(|it| it.func == func) {
            let loc = match place.cut {
                Cut::Exit => builder.exit(),
                _ => builder.loc(Some(span_of(normal, place))),
            };
            locs.insert(place, loc);
            self.result.places.insert((proc, loc), place);
        }
        let start = Place { func, cut: Cut::Start };
        let entry = locs.get(&start).or_else(|| locs.get(&Place::entry(func)));
        builder.entry(entry.copied().unwrap_or_else(|| unreachable!("a function has an entry")));
        let error = builder.loc(body.span);
        let never = self.exprs.constant(false);
        builder.edge(error, Action::Assert(never), builder.exit());
        let mut left: BTreeSet<Loc> = BTreeSet::new();
        let arrows = self.parts.shape.arrows.iter().filter(|it| it.0.0.func == func);
        for (&arrow, updates) in arrows {
            if self.parts.abstraction.is_impossible(arrow) {
                continue;
            }
            let from = locs[&arrow.0];
            let (to, action) = match arrow.1 {
                Exit::Error => (error, self.assume(arrow)),
                Exit::To(end) => {
                    let to = arrow.0.of_end(end);
                    (
                        locs.get(&to).copied().unwrap_or(builder.exit()),
                        self.assign(arrow, to, updates),
                    )
                }
            };
            builder.edge(from, action, to);
            left.insert(from);
            self.result.arrows.insert((proc, from, to), arrow);
        }
        for (&place, &loc) in &locs {
            if let Cut::Call(at) = place.cut {
                let after = locs[&Place { cut: Cut::After(at), ..place }];
                builder.edge(loc, self.call(place), after);
            } else if place.cut != Cut::Exit && !left.contains(&loc) {
                builder.edge(loc, Action::Assume(never), builder.exit());
            }
        }
        builder.finish()
    }

    /// The clauses of an arrow whose predicates are all followed.
    fn clauses(&self, arrow: Arrow, to: Option<Place>) -> Vec<&'a Clause> {
        let parts = self.parts;
        let before = &parts.shape.tracked[&arrow.0];
        let after = to.map(|to| &parts.shape.tracked[&to]);
        let usable = |clause: &&Clause| {
            clause.before.iter().all(|it| before.contains(&it.0))
                && clause.after.iter().all(|it| after.is_some_and(|after| after.contains(&it.0)))
        };
        parts.abstraction.clauses(arrow).filter(usable).collect()
    }

    fn assume(&mut self, arrow: Arrow) -> Action {
        let clauses = self.clauses(arrow, None);
        let mut all: Vec<BoolId> =
            clauses.into_iter().map(|it| self.clause(arrow.0, None, it)).collect();
        all.extend(self.relations(arrow, None));
        match self.conjunction(&all) {
            None => Action::Skip,
            Some(all) => Action::Assume(all),
        }
    }

    fn assign(&mut self, arrow: Arrow, to: Place, updates: &BTreeMap<ExprId, Update>) -> Action {
        let clauses = self.clauses(arrow, Some(to));
        let mut targets: Vec<(VarId, BoolId)> = Vec::new();
        for (&predicate, &update) in updates {
            let var = self.result.names.of(to, predicate);
            let value = match update {
                Update::Same => {
                    let old = self.result.names.of(arrow.0, predicate);
                    if old == var {
                        continue;
                    }
                    self.exprs.var(old)
                }
                Update::Always(value) => self.exprs.constant(value),
                Update::Open => self.choice(arrow.0, predicate, &clauses),
            };
            targets.push((var, value));
        }
        let is_single =
            |it: &Clause| it.after.len() == 1 && updates.get(&it.after[0].0) == Some(&Update::Open);
        let mut kept: Vec<BoolId> = Vec::new();
        for clause in clauses.into_iter().filter(|it| !is_single(it)) {
            let next = Some((to, updates));
            kept.push(self.clause(arrow.0, next, clause));
        }
        kept.extend(self.relations(arrow, Some((to, updates))));
        let constrain = self.conjunction(&kept);
        match (targets.is_empty(), constrain) {
            (true, None) => Action::Skip,
            (true, Some(all)) => Action::Assume(all),
            (false, constrain) => {
                Action::Assign(Box::new(Assign { targets, broadcast: Vec::new(), constrain }))
            }
        }
    }

    /// True where some cube says so, false where some does, otherwise either.
    fn choice(&mut self, place: Place, predicate: ExprId, clauses: &[&Clause]) -> BoolId {
        for value in [true, false] {
            let always = Clause { before: Vec::new(), after: vec![(predicate, value)] };
            if clauses.contains(&&always) {
                return self.exprs.constant(value);
            }
        }
        let mut sides = [true, false].map(|value| {
            let cubes = clauses.iter().filter(|it| it.after == [(predicate, value)]);
            let cubes: Vec<BoolId> = cubes
                .map(|clause| {
                    let literals: Vec<BoolId> = clause
                        .before
                        .iter()
                        .map(|&(it, is_set)| self.literal(place, (it, !is_set)))
                        .collect();
                    let truth = self.exprs.constant(true);
                    self.conjunction(&literals).unwrap_or(truth)
                })
                .collect();
            self.disjunction(&cubes)
        });
        let never = self.exprs.constant(false);
        match (sides[0].take(), sides[1].take()) {
            (None, None) => self.exprs.add(Expr::Choice),
            (yes, no) => self.exprs.add(Expr::Schoose(yes.unwrap_or(never), no.unwrap_or(never))),
        }
    }

    fn literal(&mut self, place: Place, (predicate, value): Literal) -> BoolId {
        let var = self.result.names.of(place, predicate);
        let read = self.exprs.var(var);
        if value { read } else { self.exprs.not(read) }
    }

    fn clause(&mut self, from: Place, to: Option<Next<'_>>, clause: &Clause) -> BoolId {
        let mut literals: Vec<BoolId> =
            clause.before.iter().map(|&it| self.literal(from, it)).collect();
        if let Some(next) = to {
            for &(predicate, value) in &clause.after {
                let read = self.next(from, next, predicate);
                literals.push(if value { read } else { self.exprs.not(read) });
            }
        }
        let never = self.exprs.constant(false);
        self.disjunction(&literals).unwrap_or(never)
    }

    /// The value of a predicate behind a stretch.
    fn next(&mut self, from: Place, (to, updates): Next<'_>, predicate: ExprId) -> BoolId {
        let (old, new) = (updates.get(&predicate), self.result.names.of(to, predicate));
        match old {
            // A variable that is not assigned has no next value of its own.
            Some(Update::Same) if self.result.names.of(from, predicate) == new => {
                self.exprs.var(new)
            }
            _ => self.exprs.add(Expr::Next(new)),
        }
    }

    /// The lists of values of an arrow.
    fn relations(&mut self, arrow: Arrow, to: Option<Next<'_>>) -> Vec<BoolId> {
        let abstraction = self.parts.abstraction;
        let mut all = Vec::new();
        for relation in abstraction.relations(arrow) {
            let mut columns = Vec::new();
            for &it in &relation.before {
                columns.push(self.literal(arrow.0, (it, true)));
            }
            for &it in &relation.after {
                columns.extend(to.map(|to| self.next(arrow.0, to, it)));
            }
            let rows: Vec<&[bool]> = relation.rows.iter().map(Vec::as_slice).collect();
            all.push(self.any_row(&columns, rows, &mut BTreeMap::new()));
        }
        all
    }

    /// Whether the columns hold one of the rows: a decision tree whose equal branches are one.
    fn any_row<'r>(
        &mut self,
        columns: &[BoolId],
        rows: Vec<&'r [bool]>,
        known: &mut BTreeMap<Vec<&'r [bool]>, BoolId>,
    ) -> BoolId {
        let Some((&column, rest)) = columns.split_first() else {
            return self.exprs.constant(!rows.is_empty());
        };
        if let Some(&done) = known.get(&rows) {
            return done;
        }
        let sides = [true, false].map(|value| {
            let side = rows.iter().filter(|row| row[0] == value).map(|row| &row[1..]);
            self.any_row(rest, side.collect(), known)
        });
        let result = match sides {
            [yes, no] if yes == no => yes,
            [yes, no] => {
                let other = self.exprs.not(column);
                let (yes, no) = (self.exprs.and(column, yes), self.exprs.and(other, no));
                self.exprs.or(yes, no)
            }
        };
        known.insert(rows, result);
        result
    }

    fn conjunction(&mut self, list: &[BoolId]) -> Option<BoolId> {
        list.iter().copied().reduce(|a, b| self.exprs.and(a, b))
    }

    fn disjunction(&mut self, list: &[BoolId]) -> Option<BoolId> {
        list.iter().copied().reduce(|a, b| self.exprs.or(a, b))
    }

    fn call(&mut self, place: Place) -> Action {
        let Cut::Call(at) = place.cut else { unreachable!("a place before a call") };
        let (scope, precision) = (self.parts.scope, self.parts.precision);
        let site = scope.site(place.func, at).clone();
        let names = names_at(scope.normal, &site);
        let after = Place { cut: Cut::After(at), ..place };
        let locals_of = |it: &Self, place| {
            let chosen = precision.chosen(place);
            chosen.filter(|&predicate| !it.is_global(predicate)).collect::<Vec<_>>()
        };
        let (formals, returns) =
            (locals_of(self, Place::entry(site.callee)), locals_of(self, Place::exit(site.callee)));
        let mut args = Vec::new();
        for it in formals {
            let here = self.predicates.rename(it, scope.normal, &names);
            let var = self.result.names.of(place, here);
            args.push(self.exprs.var(var));
        }
        let mut results = Vec::new();
        for it in returns {
            let here = self.predicates.rename(it, scope.normal, &names);
            results.push(Some(self.result.names.of(after, here)));
        }
        let callee = self.result.names.procs[&site.callee];
        Action::Call(Box::new(Call { callee, args, results }))
    }
}

fn info(name: &str) -> VarInfo {
    VarInfo { name: name.into(), span: None }
}

/// The line of the source a place stands for.
pub(crate) fn span_of(normal: &crate::normal::Normal, place: Place) -> Span {
    let body = &normal.program.funcs[place.func];
    let at = match place.cut {
        Cut::Call(at) | Cut::After(at) => at,
        _ => place.start().unwrap_or_else(|| unreachable!("not the exit")),
    };
    let block = &body.blocks[at.block];
    block.insts.get(at.inst).map_or(block.span, |it| it.span)
}
