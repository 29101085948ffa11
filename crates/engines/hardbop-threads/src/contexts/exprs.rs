//! Expressions of the program, read in a context, and those that steer.

use hardbop_base::Idx;
use hardbop_cfg::{Expr, ExprId, ExprPool, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::contexts::layout::Layout;

/// The pool of the sequential program, with what was translated into it.
pub struct Exprs<'a> {
    old: &'a ExprPool,
    pub pool: ExprPool,
    pub layout: Layout,
    known: FxHashMap<(ExprId, usize), ExprId>,
}

impl<'a> Exprs<'a> {
    pub fn new(old: &'a ExprPool, layout: Layout) -> Self {
        Exprs { old, pool: ExprPool::default(), layout, known: FxHashMap::default() }
    }

    /// The expression with the values the shared variables have in a context.
    pub fn within(&mut self, root: ExprId, context: usize) -> ExprId {
        if let Some(&known) = self.known.get(&(root, context)) {
            return known;
        }
        let layout = self.layout;
        let place = |var: VarId| match var.index() < layout.n_program {
            true => layout.now(context, var.index()),
            false => layout.local(var),
        };
        let new = self.renamed(root, |leaf| match leaf {
            Expr::Var(var) => Expr::Var(place(var)),
            Expr::Next(var) => Expr::Next(place(var)),
            other => other,
        });
        self.known.insert((root, context), new);
        new
    }

    /// The same for a scope whose locals are about to get their first values, elsewhere.
    pub fn entering(
        &mut self,
        root: ExprId,
        context: usize,
        local: impl Fn(usize) -> VarId,
    ) -> ExprId {
        let layout = self.layout;
        self.renamed(root, |leaf| match leaf {
            Expr::Var(var) | Expr::Next(var) => match var.index().checked_sub(layout.n_program) {
                None => Expr::Var(layout.now(context, var.index())),
                Some(index) => Expr::Next(local(index)),
            },
            other => other,
        })
    }

    fn renamed(&mut self, root: ExprId, leaf: impl Fn(Expr) -> Expr) -> ExprId {
        // Operands have smaller ids than what they are operands of: no recursion is needed.
        let (mut seen, mut todo) = (FxHashSet::from_iter([root]), vec![root]);
        while let Some(id) = todo.pop() {
            todo.extend(self.old.get(id).operands().filter(|&operand| seen.insert(operand)));
        }
        let mut ids: Vec<ExprId> = seen.into_iter().collect();
        ids.sort_unstable();
        let mut new: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        for id in ids {
            let of = |id: ExprId| new[&id];
            let node = match self.old.get(id) {
                Expr::Not(a) => Expr::Not(of(a)),
                Expr::And(a, b) => Expr::And(of(a), of(b)),
                Expr::Or(a, b) => Expr::Or(of(a), of(b)),
                Expr::Xor(a, b) => Expr::Xor(of(a), of(b)),
                Expr::Schoose(a, b) => Expr::Schoose(of(a), of(b)),
                Expr::Ite(c, a, b) => Expr::Ite(of(c), of(a), of(b)),
                it => leaf(it),
            };
            new.insert(id, self.pool.add(node));
        }
        new[&root]
    }

    /// Whether the expression mentions a shared variable.
    pub fn is_shared(&self, id: ExprId) -> bool {
        self.old.support(id).iter().any(|var| var < self.layout.n_program)
    }

    pub fn truth(&mut self, value: bool) -> ExprId {
        self.pool.constant(value)
    }

    pub fn any(&mut self) -> ExprId {
        self.pool.add(Expr::Choice)
    }

    pub fn var(&mut self, var: VarId) -> ExprId {
        self.pool.var(var)
    }

    pub fn not(&mut self, var: VarId) -> ExprId {
        let var = self.pool.var(var);
        self.pool.not(var)
    }

    pub fn all(&mut self, list: impl IntoIterator<Item = ExprId>) -> ExprId {
        let mut all = None;
        for next in list {
            all = Some(all.map_or(next, |all| self.pool.and(all, next)));
        }
        all.unwrap_or_else(|| self.truth(true))
    }

    /// Whether bits, the lowest first, are this number.
    pub fn is_number(&mut self, bits: &[VarId], number: usize) -> ExprId {
        let digits: Vec<_> = bits
            .iter()
            .enumerate()
            .map(|(at, &bit)| if number >> at & 1 == 1 { self.var(bit) } else { self.not(bit) })
            .collect();
        self.all(digits)
    }

    /// What a context ends with is what the next one was guessed to begin with.
    pub fn agrees(&mut self, context: usize) -> ExprId {
        let layout = self.layout;
        let mut equal = Vec::new();
        for var in 0..layout.n_copied() {
            let now = self.var(layout.now(context, var));
            let guess = self.var(layout.guess(context + 1, var));
            let differ = self.pool.add(Expr::Xor(now, guess));
            equal.push(self.pool.not(differ));
        }
        self.all(equal)
    }

    fn alive_bits(&self, context: usize) -> Vec<VarId> {
        let layout = self.layout;
        (0..layout.n_alive).map(|bit| layout.now(context, layout.alive(bit))).collect()
    }

    /// Whether so many threads are alive.
    pub fn alive_is(&mut self, context: usize, number: usize) -> ExprId {
        let bits = self.alive_bits(context);
        self.is_number(&bits, number)
    }

    /// One thread more, or one less: new values for the bits.
    pub fn count(&mut self, context: usize, more: bool) -> Vec<(VarId, ExprId)> {
        let mut targets = Vec::new();
        // Whether all lower bits make the change reach this one.
        let mut carry = self.truth(true);
        for bit in self.alive_bits(context) {
            let value = self.var(bit);
            targets.push((bit, self.pool.add(Expr::Xor(value, carry))));
            let passes_on = if more { value } else { self.pool.not(value) };
            carry = self.pool.and(carry, passes_on);
        }
        targets
    }
}
