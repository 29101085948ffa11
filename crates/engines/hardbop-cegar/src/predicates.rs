//! Predicates and where they are followed.
//!
//! A predicate is an `i1` over the global registers and those of one function. The [`Precision`]
//! says which ones are followed at each block, call and exit where executions are cut. What is
//! followed behind a call is not chosen: of the caller's predicates those survive that the callee
//! cannot change, and what is followed at the callee's exit is said of the caller's registers.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use hardbop_cir::{CastOp, Expr, ExprId, ExprPool, FuncId, Ty, UnOp, VarId};
use hardbop_symbolic::region::At;
use rustc_hash::FxHashMap;

use crate::cuts::{Cut, Effects, Place};
use crate::normal::{Normal, Site};

/// The expressions of predicates; ids of the program's own pool mean the same here.
pub struct Predicates {
    pub pool: ExprPool,
    /// Which registers they speak of: asked again and again.
    vars: RefCell<FxHashMap<ExprId, Rc<BTreeSet<VarId>>>>,
}

impl Predicates {
    pub fn of(normal: &Normal) -> Predicates {
        Predicates { pool: normal.program.exprs.clone(), vars: RefCell::default() }
    }

    pub fn vars(&self, predicate: ExprId) -> Rc<BTreeSet<VarId>> {
        let mut known = self.vars.borrow_mut();
        let vars = known.entry(predicate).or_insert_with(|| {
            let mut vars = BTreeSet::new();
            self.pool.for_each_var(predicate, &mut |var| {
                vars.insert(var);
            });
            Rc::new(vars)
        });
        Rc::clone(vars)
    }

    /// Whether it speaks of numbers, and of pointers only whether they are null and how far into their objects they
    /// point.
    // Soundness: the address of a local object is another one in each call, so a predicate with one
    // would change its meaning where it is renamed.
    pub fn is_numeric(&self, predicate: ExprId) -> bool {
        let mut is_numeric = true;
        self.pool.visit(predicate, &mut |id, node| {
            is_numeric &= match (self.pool.ty(id), node) {
                (_, Expr::Cast(CastOp::PtrToInt, ..)) => false,
                (Ty::Int(_), _) => true,
                (Ty::Ptr, Expr::Var(_) | Expr::Null | Expr::Unary(UnOp::Start, _)) => true,
                _ => false,
            };
        });
        is_numeric
    }

    /// Whether it speaks of global registers only.
    pub fn is_global(&self, normal: &Normal, predicate: ExprId) -> bool {
        self.vars(predicate).iter().all(|&var| normal.program.vars[var].owner.is_none())
    }

    /// The same with other registers.
    pub fn rename(
        &mut self,
        predicate: ExprId,
        normal: &Normal,
        names: &BTreeMap<VarId, VarId>,
    ) -> ExprId {
        let reads: BTreeMap<VarId, ExprId> = names
            .iter()
            .map(|(&from, &to)| (from, self.pool.var(to, normal.program.vars[to].ty)))
            .collect();
        self.pool.rewrite(predicate, &mut |leaf| match leaf {
            Expr::Var(var) => reads.get(&var).copied(),
            _ => None,
        })
    }
}

/// The callee's registers that a caller knows, by the caller's names.
pub fn names_at(normal: &Normal, site: &Site) -> BTreeMap<VarId, VarId> {
    let params = &normal.program.funcs[site.callee].params;
    let mut names: BTreeMap<VarId, VarId> =
        params.iter().copied().zip(site.args.iter().copied()).collect();
    if let (Some(inner), Some(outer)) = (normal.results[site.callee], site.result) {
        names.insert(inner, outer);
    }
    names
}

#[derive(Clone, Default, Debug)]
pub struct Precision {
    at: BTreeMap<Place, BTreeSet<ExprId>>,
}

impl Precision {
    /// Whether it was not there yet.
    pub fn add(&mut self, place: Place, predicate: ExprId) -> bool {
        self.at.entry(place).or_default().insert(predicate)
    }

    /// What was chosen for a place.
    pub fn chosen(&self, place: Place) -> impl Iterator<Item = ExprId> + '_ {
        self.at.get(&place).into_iter().flatten().copied()
    }

    pub fn places(&self) -> impl Iterator<Item = (&Place, &BTreeSet<ExprId>)> {
        self.at.iter()
    }

    pub fn n_predicates(&self) -> usize {
        self.at.values().flatten().collect::<BTreeSet<_>>().len()
    }
}

/// What everything about predicates at places is read off.
pub struct Scope<'a> {
    pub normal: &'a Normal,
    pub effects: &'a Effects,
}

impl Scope<'_> {
    pub fn site(&self, func: FuncId, at: At) -> &Site {
        &self.normal.sites[&(func, at)]
    }

    /// All predicates that have a value at a place.
    pub fn tracked(
        &self,
        predicates: &mut Predicates,
        precision: &Precision,
        place: Place,
    ) -> BTreeSet<ExprId> {
        match place.cut {
            Cut::Start => BTreeSet::new(),
            Cut::Block(_) | Cut::Exit => precision.chosen(place).collect(),
            Cut::Call(at) => {
                let site = self.site(place.func, at);
                let names = names_at(self.normal, site);
                let mut all: BTreeSet<ExprId> = precision.chosen(place).collect();
                for it in precision.chosen(Place::entry(site.callee)) {
                    all.insert(predicates.rename(it, self.normal, &names));
                }
                all
            }
            Cut::After(at) => {
                let site = self.site(place.func, at);
                let names = names_at(self.normal, site);
                let before = Place { cut: Cut::Call(at), ..place };
                let before = self.tracked(predicates, precision, before);
                let mut all: BTreeSet<ExprId> =
                    before.into_iter().filter(|&it| self.survives(predicates, site, it)).collect();
                for it in precision.chosen(Place::exit(site.callee)) {
                    all.insert(predicates.rename(it, self.normal, &names));
                }
                all
            }
        }
    }

    /// Whether a call leaves a predicate of the caller as it is.
    // Soundness: the callee changes the global registers of its effects and the register of the
    // result, nothing else a predicate can speak of.
    pub fn survives(&self, predicates: &Predicates, site: &Site, predicate: ExprId) -> bool {
        let modified = &self.effects.modified[site.callee];
        predicates
            .vars(predicate)
            .iter()
            .all(|var| !modified.contains(var) && Some(*var) != site.result)
    }
}
