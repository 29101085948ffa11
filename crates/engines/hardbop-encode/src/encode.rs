//! From expressions to diagrams.
//!
//! An expression becomes two functions of the current (and, in a `constrain`, next) values: where
//! it may be true, and where it may be false. Its choices are quantified away in doing so, and no
//! auxiliary variable is needed: the relation of `v := e` is "if v' then e may be true else e may
//! be false". (BOOM section 10.8 writes that choices are quantified universally; its own example
//! 10.6 is the existential, and so is this.)

use hardbop_base::{Bits, Idx};
use hardbop_cfg::{ExprId, Formulas, May, Program, VarId};
use hardbop_dd::{Cube, Dd, Manager, OutOfNodes, Renaming};
use rustc_hash::FxHashMap;

use crate::slots::{Moment, Slots};

/// Builds functions over the slots of a program, each once.
#[derive(Debug)]
pub struct Encoder<'a> {
    pub program: &'a Program,
    pub dd: &'a Manager,
    pub slots: &'a Slots,
    known: FxHashMap<ExprId, May<Dd>>,
    cubes: FxHashMap<(Moment, Bits), Cube>,
    renamings: FxHashMap<(Moment, Moment, Bits), Renaming>,
}

impl<'a> Encoder<'a> {
    pub fn new(program: &'a Program, dd: &'a Manager, slots: &'a Slots) -> Self {
        Encoder {
            program,
            dd,
            slots,
            known: FxHashMap::default(),
            cubes: FxHashMap::default(),
            renamings: FxHashMap::default(),
        }
    }

    pub fn var(&self, var: VarId, moment: Moment) -> Result<Dd, OutOfNodes> {
        self.dd.var(self.slots.level(var, moment))
    }

    /// The same as [`Encoder::cube`], for large sets that differ from place to place: it is not
    /// kept, because all of them together are quadratic in the size of the program.
    pub fn passing_cube(&self, vars: &Bits, moment: Moment) -> Result<Cube, OutOfNodes> {
        self.dd.cube(vars.iter().map(|var| self.slots.level(VarId::new(var), moment)))
    }

    /// The copies of a set of variables at one moment.
    pub fn cube(&mut self, vars: &Bits, moment: Moment) -> Result<Cube, OutOfNodes> {
        let key = (moment, vars.clone());
        if let Some(cube) = self.cubes.get(&key) {
            return Ok(cube.clone());
        }
        let cube = self.passing_cube(vars, moment)?;
        self.cubes.insert(key, cube.clone());
        Ok(cube)
    }

    /// `f` with each variable of a set read at another moment.
    pub fn shift(
        &mut self,
        f: &Dd,
        vars: &Bits,
        from: Moment,
        to: Moment,
    ) -> Result<Dd, OutOfNodes> {
        if vars.is_empty() {
            return Ok(f.clone());
        }
        let level = |var, moment| self.slots.level(VarId::new(var), moment);
        let renaming = self.renamings.entry((from, to, vars.clone())).or_insert_with(|| {
            Renaming::new(vars.iter().map(|var| (level(var, from), level(var, to))))
        });
        self.dd.rename(f, renaming)
    }

    /// `∃ vars now. f ∧ g`, then the next values become the current ones.
    pub fn image(&mut self, f: &Dd, g: &Dd, gone: &Bits, new: &Bits) -> Result<Dd, OutOfNodes> {
        let image = if gone.is_empty() {
            self.dd.and(f, g)?
        } else {
            let cube = self.cube(gone, Moment::Now)?;
            self.dd.and_exists(f, g, &cube)?
        };
        self.shift(&image, new, Moment::Next, Moment::Now)
    }

    /// The values of a set of variables at two moments are equal.
    pub fn equal(&mut self, vars: &Bits, a: Moment, b: Moment) -> Result<Dd, OutOfNodes> {
        let mut equal = self.dd.one().clone();
        // From the bottom of the order, so that each conjunction adds its nodes on top.
        let mut vars: Vec<_> = vars.iter().map(VarId::new).collect();
        vars.sort_unstable_by_key(|&var| std::cmp::Reverse(self.slots.level(var, a)));
        for var in vars {
            let same = self.dd.iff(&self.var(var, a)?, &self.var(var, b)?)?;
            equal = self.dd.and(&equal, &same)?;
        }
        Ok(equal)
    }

    /// `var` at a moment has one of the values an expression may have.
    pub fn takes(&mut self, var: VarId, moment: Moment, expr: ExprId) -> Result<Dd, OutOfNodes> {
        let may = self.may(expr)?;
        self.dd.ite(&self.var(var, moment)?, &may.be_true, &may.be_false)
    }

    /// Where an expression may be true, and where it may be false.
    pub fn may(&mut self, id: ExprId) -> Result<May<Dd>, OutOfNodes> {
        let mut diagrams = Diagrams { dd: self.dd, slots: self.slots };
        self.program.exprs.may(id, &mut diagrams, &mut self.known)
    }
}

/// Formulas as diagrams over the slots.
struct Diagrams<'a> {
    dd: &'a Manager,
    slots: &'a Slots,
}

impl Formulas for Diagrams<'_> {
    type Formula = Dd;
    type Error = OutOfNodes;

    fn constant(&mut self, value: bool) -> Dd {
        self.dd.constant(value)
    }

    fn now(&mut self, var: VarId) -> Result<Dd, OutOfNodes> {
        self.dd.var(self.slots.level(var, Moment::Now))
    }

    fn next(&mut self, var: VarId) -> Result<Dd, OutOfNodes> {
        self.dd.var(self.slots.level(var, Moment::Next))
    }

    fn not(&mut self, a: &Dd) -> Dd {
        self.dd.not(a)
    }

    fn and(&mut self, a: &Dd, b: &Dd) -> Result<Dd, OutOfNodes> {
        self.dd.and(a, b)
    }

    fn or(&mut self, a: &Dd, b: &Dd) -> Result<Dd, OutOfNodes> {
        self.dd.or(a, b)
    }

    fn ite(&mut self, c: &Dd, a: &Dd, b: &Dd) -> Result<Dd, OutOfNodes> {
        self.dd.ite(c, a, b)
    }
}
