//! The loops of a program and what executing each may change, and what calls may.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::IndexVec;
use hardbop_cir::analysis::PointsTo;
use hardbop_cir::{Callee, ExprId, FuncId, ObjId, Op, Program, Ty, VarId};
use hardbop_symbolic::LoopId;
use hardbop_symbolic::forget::Changes;
use hardbop_symbolic::order::Order;

use crate::contracts::{self, Contracts};

#[derive(Debug)]
pub struct Loops {
    pub changes: BTreeMap<LoopId, Changes>,
    /// What a call of each function may change, beyond its own registers.
    pub calls: IndexVec<FuncId, Changes>,
    /// Functions whose calls are not gone through.
    pub contracts: Contracts,
    /// A loop that can be entered elsewhere than at its head: induction does not see all its rounds.
    pub irreducible: Option<LoopId>,
}

/// Effects as sets, to be joined.
#[derive(Clone, Default, PartialEq, Eq)]
struct Effects {
    vars: BTreeSet<VarId>,
    objects: BTreeSet<ObjId>,
    any_object: bool,
    lives: BTreeSet<ObjId>,
    allocates: bool,
}

impl From<Effects> for Changes {
    fn from(it: Effects) -> Changes {
        Changes {
            vars: it.vars.into_iter().collect(),
            pointers: BTreeMap::new(),
            objects: it.objects.into_iter().collect(),
            any_object: it.any_object,
            lives: it.lives.into_iter().collect(),
            allocates: it.allocates,
        }
    }
}

impl Effects {
    fn join(&mut self, other: &Effects) {
        self.vars.extend(&other.vars);
        self.objects.extend(&other.objects);
        self.any_object |= other.any_object;
        self.lives.extend(&other.lives);
        self.allocates |= other.allocates;
    }

    fn add(&mut self, op: &Op, context: &Context<'_>) {
        self.vars.extend(op.dst());
        let mut writes = |ptr: ExprId| {
            let targets = context.points_to.accessed(context.program, ptr);
            self.objects.extend(targets.objects);
            self.any_object |= targets.is_unknown;
        };
        match op {
            Op::Store { ptr, .. } | Op::Havoc { ptr } => writes(*ptr),
            Op::Copy { dst, .. } | Op::Fill { dst, .. } | Op::Repeat { dst, .. } => {
                writes(*dst);
            }
            Op::Enter { object, .. } | Op::Leave { object } => {
                self.lives.insert(*object);
                self.objects.insert(*object);
            }
            Op::Alloc { object, .. } => {
                self.allocates = true;
                self.lives.insert(*object);
                self.objects.insert(*object);
            }
            Op::Free { ptr } => {
                let targets = context.points_to.accessed(context.program, *ptr);
                self.lives.extend(targets.objects);
                self.any_object |= targets.is_unknown;
            }
            Op::Call { callee: Callee::Func(func), .. } => self.join(&context.calls[*func]),
            Op::Call { callee: Callee::Ptr(_), .. } => self.any_object = true,
            _ => {}
        }
    }
}

struct Context<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    /// What a call of each function does to global registers and to memory.
    calls: IndexVec<FuncId, Effects>,
}

impl Loops {
    /// Of a program with calls resolved.
    pub fn of(program: &Program) -> Loops {
        let points_to = PointsTo::of(program);
        let n = program.funcs.len();
        let calls = IndexVec::from_elem(Effects::default(), n);
        let mut context = Context { program, points_to: &points_to, calls };
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for func in program.funcs.ids() {
                let mut effects = Effects::default();
                for block in program.funcs[func].blocks.iter() {
                    block.insts.iter().for_each(|inst| effects.add(&inst.op, &context));
                }
                effects.vars.retain(|var| program.vars[*var].owner.is_none());
                if context.calls[func] != effects {
                    context.calls[func] = effects;
                    changed = true;
                }
            }
        }
        let mut loops = Loops {
            changes: BTreeMap::new(),
            calls: context.calls.iter().cloned().map(Changes::from).collect(),
            contracts: Contracts::new(),
            irreducible: None,
        };
        for func in program.funcs.ids() {
            loops.add(func, &context);
        }
        loops
    }

    /// The same with what pointers may point to that loops change.
    pub fn with_pointers(program: &Program) -> Loops {
        let mut loops = Loops::of(program);
        let points_to = PointsTo::of(program);
        for changes in loops.changes.values_mut() {
            let is_pointer = |it: &&VarId| program.vars[**it].ty == Ty::Ptr;
            let pointers = changes.vars.iter().filter(is_pointer);
            changes.pointers = pointers.map(|&it| (it, points_to.of_var(it).objects)).collect();
        }
        loops
    }

    /// The same with functions that are represented by their contracts.
    pub fn with_contracts(program: &Program, contracts: &Contracts) -> Loops {
        let mut loops = Loops::of(program);
        loops.changes.extend(contracts::places(program, contracts, &loops.calls));
        Loops { contracts: contracts.clone(), ..loops }
    }

    fn add(&mut self, func: FuncId, context: &Context<'_>) {
        let body = &context.program.funcs[func];
        let order = Order::of(body);
        let mut effects: BTreeMap<LoopId, Effects> = BTreeMap::new();
        for (block, it) in body.blocks.iter_enumerated() {
            let heads = &order.places[block].heads;
            let mut here = Effects::default();
            it.insts.iter().for_each(|inst| here.add(&inst.op, context));
            here.vars.retain(|var| context.program.vars[*var].owner.is_none_or(|it| it == func));
            for &head in heads {
                effects.entry((func, head)).or_default().join(&here);
            }
            for to in it.term.successors() {
                let entered = order.places[to].heads.iter().find(|head| !heads.contains(head));
                if let Some(&head) = entered
                    && head != to
                {
                    self.irreducible = Some((func, head));
                }
            }
        }
        self.changes.extend(effects.into_iter().map(|(head, it)| (head, it.into())));
    }
}
