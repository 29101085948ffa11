//! From expressions to diagrams.
//!
//! An expression becomes two functions of the current (and, in a `constrain`, next) values: where
//! it may be true, and where it may be false. Its choices are quantified away in doing so, and no
//! auxiliary variable is needed: the relation of `v := e` is "if v' then e may be true else e may
//! be false". (BOOM section 10.8 writes that choices are quantified universally; its own example
//! 10.6 is the existential, and so is this.)

use hardbop_base::{Bits, Idx};
use hardbop_cfg::{Expr, ExprId, Program, VarId};
use hardbop_dd::{Cube, Dd, Manager, OutOfNodes, Renaming};
use rustc_hash::FxHashMap;

use crate::slots::{Moment, Slots};

/// Where an expression may be true, and where it may be false.
#[derive(Clone, Debug)]
pub struct May {
    pub be_true: Dd,
    pub be_false: Dd,
}

/// Builds functions over the slots of a program, each once.
#[derive(Debug)]
pub struct Encoder<'a> {
    pub program: &'a Program,
    pub dd: &'a Manager,
    pub slots: &'a Slots,
    known: FxHashMap<ExprId, May>,
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

    pub fn may(&mut self, id: ExprId) -> Result<May, OutOfNodes> {
        if let Some(may) = self.known.get(&id) {
            return Ok(may.clone());
        }
        let dd = self.dd;
        let literal = |f: Dd| May { be_false: dd.not(&f), be_true: f };
        let may = match self.program.exprs.get(id) {
            Expr::Const(value) => literal(dd.constant(value)),
            Expr::Var(var) => literal(self.var(var, Moment::Now)?),
            Expr::Next(var) => literal(self.var(var, Moment::Next)?),
            Expr::Choice => May { be_true: dd.one().clone(), be_false: dd.one().clone() },
            Expr::Not(a) => {
                let a = self.may(a)?;
                May { be_true: a.be_false, be_false: a.be_true }
            }
            Expr::And(a, b) => {
                let (a, b) = (self.may(a)?, self.may(b)?);
                May {
                    be_true: dd.and(&a.be_true, &b.be_true)?,
                    be_false: dd.or(&a.be_false, &b.be_false)?,
                }
            }
            Expr::Or(a, b) => {
                let (a, b) = (self.may(a)?, self.may(b)?);
                May {
                    be_true: dd.or(&a.be_true, &b.be_true)?,
                    be_false: dd.and(&a.be_false, &b.be_false)?,
                }
            }
            Expr::Xor(a, b) => {
                let (a, b) = (self.may(a)?, self.may(b)?);
                May {
                    be_true: self.either([&a.be_true, &b.be_false], [&a.be_false, &b.be_true])?,
                    be_false: self.either([&a.be_true, &b.be_true], [&a.be_false, &b.be_false])?,
                }
            }
            Expr::Schoose(p, n) => {
                let (p, n) = (self.may(p)?, self.may(n)?);
                let neither = dd.and(&p.be_false, &n.be_false)?;
                May { be_true: dd.or(&p.be_true, &neither)?, be_false: p.be_false }
            }
            Expr::Ite(c, a, b) => {
                let (c, a, b) = (self.may(c)?, self.may(a)?, self.may(b)?);
                May {
                    be_true: self.either([&c.be_true, &a.be_true], [&c.be_false, &b.be_true])?,
                    be_false: self.either([&c.be_true, &a.be_false], [&c.be_false, &b.be_false])?,
                }
            }
        };
        self.known.insert(id, may.clone());
        Ok(may)
    }

    fn either(&self, a: [&Dd; 2], b: [&Dd; 2]) -> Result<Dd, OutOfNodes> {
        let (a, b) = (self.dd.and(a[0], a[1])?, self.dd.and(b[0], b[1])?);
        self.dd.or(&a, &b)
    }
}
