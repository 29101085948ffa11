//! What pointer registers may point into at each place, by a flow-sensitive analysis.
//!
//! A cut forgets what registers hold. Of a number that is any number; a pointer of which nothing is known is of no use,
//! because no access by it can be followed. So the objects it may be based on are found ahead (Emami, Ghiya and
//! Hendren, PLDI 1994, for registers only), and only how far into them it points is forgotten, which predicates can
//! speak of.
//!
//! Objects are those with one instance in an execution: global ones, and those of `main` that are entered once. A pointer
//! that may be anything else, such as one into the heap, one that was read from memory, a plain number, or one without a
//! value, is unknown as before. Global registers have one set everywhere.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::{Idx, IndexVec};
use hardbop_cir::analysis::graph::{cycles, post_order};
use hardbop_cir::{
    BinOp, BlockId, Callee, Check, Class, Cond, Expr, ExprId, FuncId, ObjId, ObjKind, Op, Program,
    Term, Ty, UnOp, VarId,
};
use hardbop_symbolic::region::{At, Life, Pointees};

use crate::cuts::lives;
use crate::normal::Normal;

/// More objects than this are not told apart.
const MAX_OBJECTS: usize = 6;

/// What a pointer may be; the default is nothing at all.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Set {
    objects: BTreeSet<ObjId>,
    null: bool,
    unknown: bool,
}

impl Set {
    fn unknown() -> Set {
        Set { unknown: true, ..Set::default() }
    }

    fn null() -> Set {
        Set { null: true, ..Set::default() }
    }

    fn join(&mut self, other: &Set) -> bool {
        let before = self.clone();
        self.objects.extend(&other.objects);
        self.null |= other.null;
        self.unknown |= other.unknown || self.objects.len() > MAX_OBJECTS;
        if self.unknown {
            *self = Set::unknown();
        }
        *self != before
    }
}

/// Of the pointer registers of one function; one that is absent has not been assigned on any path.
type State = BTreeMap<VarId, Set>;

pub struct Bases {
    /// Objects with one instance.
    single: BTreeSet<ObjId>,
    globals: BTreeMap<VarId, Set>,
    /// Objects of `main` that pointers of other functions may point to, while these run.
    outer: IndexVec<FuncId, BTreeMap<ObjId, Life>>,
    results: BTreeMap<FuncId, Set>,
    /// Before each block that may be reached.
    before: IndexVec<FuncId, BTreeMap<BlockId, State>>,
    /// Whether executions end where a null pointer is used.
    null_is_checked: bool,
}

impl Bases {
    pub fn of(normal: &Normal, classes: &[Class]) -> Bases {
        let program = &normal.program;
        let mut bases = Bases {
            single: single(program),
            globals: BTreeMap::new(),
            outer: IndexVec::from_elem(BTreeMap::new(), program.funcs.len()),
            results: BTreeMap::new(),
            before: IndexVec::from_elem(BTreeMap::new(), program.funcs.len()),
            null_is_checked: classes.contains(&Class::Null),
        };
        for (var, info) in program.vars.iter_enumerated() {
            if info.owner.is_none() && info.ty == Ty::Ptr {
                let first =
                    info.init.map_or(Set::null(), |it| bases.eval(program, &State::new(), it));
                bases.globals.insert(var, first);
            }
        }
        // A program with calls through pointers has functions whose callers are not known.
        let is_indirect =
            |op: &Op| matches!(op, Op::Call { callee: Callee::Ptr(_), .. } | Op::Thread(_));
        if program.insts().any(|it| is_indirect(&it.2.op)) {
            bases.single.clear();
        }
        bases.reach(program, program.main, State::new());
        while bases.round(program) {}
        bases.look_outward(program);
        bases
    }

    /// How the objects of `main` are that pointers elsewhere point to, from the calls that lead there.
    fn look_outward(&mut self, program: &Program) {
        let elsewhere = self.before.iter_enumerated().filter(|it| it.0 != program.main);
        let states = elsewhere.flat_map(|it| it.1.values()).flat_map(BTreeMap::values);
        let is_local = |it: &ObjId| program.objects[*it].kind == ObjKind::Local(program.main);
        let objects: BTreeSet<ObjId> = states
            .chain(self.globals.values())
            .flat_map(|it| it.objects.iter().copied())
            .filter(is_local)
            .collect();
        if objects.is_empty() {
            return;
        }
        let mut callees: Vec<Vec<usize>> = vec![Vec::new(); program.funcs.len()];
        for (func, _, inst) in program.insts() {
            if let Op::Call { callee: Callee::Func(callee), .. } = inst.op {
                callees[func.index()].push(callee.index());
            }
        }
        for (id, block) in program.funcs[program.main].blocks.iter_enumerated() {
            for (inst, it) in block.insts.iter().enumerate() {
                let Op::Call { callee: Callee::Func(callee), .. } = it.op else { continue };
                let lives = lives(program, program.main, At { block: id, inst });
                for func in post_order(&callees, callee.index()) {
                    for &object in &objects {
                        let life = lives[object];
                        let known = self.outer[FuncId::new(func)].entry(object).or_insert(life);
                        if *known != life {
                            *known = Life::Sometimes;
                        }
                    }
                }
            }
        }
    }

    /// Local objects of callers, and whether they are alive while a function runs.
    pub fn outer(&self, func: FuncId) -> Vec<(ObjId, Life)> {
        self.outer[func].iter().map(|(&object, &life)| (object, life)).collect()
    }

    /// What a register may point to at a place; `None` if that is not known.
    pub fn pointees(
        &self,
        program: &Program,
        func: FuncId,
        at: At,
        var: VarId,
    ) -> Option<Pointees> {
        let state = self.state(program, func, at)?;
        let set = self.read(program, &state, var);
        (!set.unknown && !set.objects.is_empty())
            .then(|| Pointees { objects: set.objects.into_iter().collect(), may_be_null: set.null })
    }

    fn state(&self, program: &Program, func: FuncId, at: At) -> Option<State> {
        let mut state = self.before[func].get(&at.block)?.clone();
        for inst in program.funcs[func].blocks[at.block].insts.iter().take(at.inst) {
            self.pass(program, &mut state, &inst.op);
        }
        Some(state)
    }

    /// Joins a state to the entry of a function.
    fn reach(&mut self, program: &Program, func: FuncId, args: State) -> bool {
        self.flow(program, func, BlockId::new(0), args)
    }

    fn flow(&mut self, program: &Program, func: FuncId, to: BlockId, state: State) -> bool {
        let is_new = !self.before[func].contains_key(&to);
        let known = self.before[func].entry(to).or_default();
        if is_new {
            *known = state;
            return true;
        }
        let mut changed = false;
        // A register that one of the two has not assigned is without a value there.
        let all: BTreeSet<VarId> = known.keys().chain(state.keys()).copied().collect();
        for var in all {
            debug_assert_eq!(program.vars[var].owner, Some(func));
            let other = state.get(&var).cloned().unwrap_or_else(Set::unknown);
            match known.get_mut(&var) {
                Some(set) => changed |= set.join(&other),
                None => {
                    known.insert(var, Set::unknown());
                    changed = true;
                }
            }
        }
        changed
    }

    /// Goes once through all that is reached; whether something was new.
    fn round(&mut self, program: &Program) -> bool {
        let mut changed = false;
        for func in program.funcs.ids() {
            let blocks: Vec<BlockId> = self.before[func].keys().copied().collect();
            for block in blocks {
                changed |= self.block(program, func, block);
            }
        }
        changed
    }

    fn block(&mut self, program: &Program, func: FuncId, block: BlockId) -> bool {
        let body = &program.funcs[func].blocks[block];
        let mut state = self.before[func][&block].clone();
        let mut changed = false;
        for inst in &body.insts {
            if let Op::Call { callee: Callee::Func(callee), args, .. } = &inst.op {
                let params = program.funcs[*callee].params.iter().zip(args);
                let passed = params
                    .filter(|it| program.vars[*it.0].ty == Ty::Ptr)
                    .map(|(&param, &arg)| (param, self.eval(program, &state, arg)))
                    .collect();
                changed |= self.reach(program, *callee, passed);
            }
            self.pass(program, &mut state, &inst.op);
            if let Some(dst) = inst.op.dst()
                && program.vars[dst].owner.is_none()
                && program.vars[dst].ty == Ty::Ptr
            {
                let value = self.assigned(program, &state, &inst.op);
                changed |= self.globals.entry(dst).or_default().join(&value);
            }
        }
        match &body.term {
            Term::Branch { cond, yes, no } => {
                for (to, holds) in [(*yes, true), (*no, false)] {
                    let mut there = state.clone();
                    learn(program, &mut there, *cond, holds);
                    changed |= self.flow(program, func, to, there);
                }
            }
            Term::Return(value) => {
                if let Some(value) = value.filter(|it| program.exprs.ty(*it) == Ty::Ptr) {
                    let value = self.eval(program, &state, value);
                    changed |= self.results.entry(func).or_default().join(&value);
                }
            }
            other => {
                for to in other.successors() {
                    changed |= self.flow(program, func, to, state.clone());
                }
            }
        }
        changed
    }

    /// What an instruction does to local registers.
    fn pass(&self, program: &Program, state: &mut State, op: &Op) {
        if let Some(dst) = op.dst()
            && program.vars[dst].owner.is_some()
            && program.vars[dst].ty == Ty::Ptr
        {
            let value = self.assigned(program, state, op);
            state.insert(dst, value);
        }
        if let Op::Check { check, cond: Cond::NotNull(ptr) } = op
            && self.null_is_checked
            && Check::is_fatal(&program.checks[*check])
            && let Some(var) = root(program, *ptr)
            && let Some(set) = state.get_mut(&var)
        {
            set.null = false;
        }
    }

    /// What an instruction assigns to its register.
    fn assigned(&self, program: &Program, state: &State, op: &Op) -> Set {
        match op {
            Op::Set { value, .. } => self.eval(program, state, *value),
            Op::Call { callee: Callee::Func(callee), .. } => {
                self.results.get(callee).cloned().unwrap_or_default()
            }
            _ => Set::unknown(),
        }
    }

    fn read(&self, program: &Program, state: &State, var: VarId) -> Set {
        match program.vars[var].owner {
            None => self.globals.get(&var).cloned().unwrap_or_else(Set::unknown),
            Some(_) => state.get(&var).cloned().unwrap_or_else(Set::unknown),
        }
    }

    fn eval(&self, program: &Program, state: &State, expr: ExprId) -> Set {
        match program.exprs.get(expr) {
            Expr::Null => Set::null(),
            Expr::Addr(object) if self.single.contains(&object) => {
                Set { objects: BTreeSet::from([object]), ..Set::default() }
            }
            Expr::Var(var) => self.read(program, state, var),
            Expr::Unary(UnOp::Start, a) => self.eval(program, state, a),
            Expr::Binary(BinOp::PtrAdd, a, by) => {
                let set = self.eval(program, state, a);
                // Beside null there are plain numbers.
                match set.null && program.exprs.as_int(by) != Some(0) {
                    true => Set::unknown(),
                    false => set,
                }
            }
            Expr::Ite(_, a, b) => {
                let mut set = self.eval(program, state, a);
                set.join(&self.eval(program, state, b));
                set
            }
            _ => Set::unknown(),
        }
    }
}

/// The register a pointer is in the same object as.
fn root(program: &Program, ptr: ExprId) -> Option<VarId> {
    match program.exprs.get(ptr) {
        Expr::Var(var) => Some(var),
        Expr::Unary(UnOp::Start, a) | Expr::Binary(BinOp::PtrAdd, a, _) => root(program, a),
        _ => None,
    }
}

/// What a comparison with null says of a register.
fn learn(program: &Program, state: &mut State, cond: ExprId, holds: bool) {
    let (op, a, b) = match program.exprs.get(cond) {
        Expr::Unary(UnOp::Not, inner) => return learn(program, state, inner, !holds),
        Expr::Binary(op @ (BinOp::Eq | BinOp::Ne), a, b) => (op, a, b),
        _ => return,
    };
    let var = match (program.exprs.get(a), program.exprs.get(b)) {
        (Expr::Var(var), Expr::Null) | (Expr::Null, Expr::Var(var)) => var,
        _ => return,
    };
    let Some(set) = state.get_mut(&var).filter(|it| !it.unknown) else { return };
    match (op == BinOp::Eq) == holds {
        true => *set = Set::null(),
        false => set.null = false,
    }
}

/// The objects of fixed size of which an execution has one instance.
// Soundness: `main` is not called again, or nothing is claimed.
fn single(program: &Program) -> BTreeSet<ObjId> {
    let body = &program.funcs[program.main];
    let succs: Vec<Vec<usize>> = body
        .blocks
        .iter()
        .map(|it| it.term.successors().into_iter().map(Idx::index).collect())
        .collect();
    let again = cycles(&succs, succs.len());
    let mut entered: BTreeMap<ObjId, usize> = BTreeMap::new();
    for (func, block, inst) in program.insts() {
        if let Op::Enter { object, .. } = inst.op {
            let is_once = func == program.main && !again[block.index()];
            *entered.entry(object).or_default() += if is_once { 1 } else { 2 };
        }
    }
    let is_single = |(id, info): &(ObjId, &hardbop_cir::ObjInfo)| match info.kind {
        ObjKind::Global => true,
        ObjKind::Local(func) => func == program.main && entered.get(id) == Some(&1),
        ObjKind::Heap(_) | ObjKind::Thread => false,
    };
    let sized = program.objects.iter_enumerated().filter(|it| it.1.size.is_some());
    sized.filter(is_single).map(|it| it.0).collect()
}
