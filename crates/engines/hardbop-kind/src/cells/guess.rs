//! Guesses about cells: where a cell lies relative to the indices of the program, and what then holds
//! of its value, from the program's own comparisons and stores with the elements replaced by cells.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_cir::{BinOp, Expr, ExprId, FuncId, Op, Program, Ty, VarId, VarKind};
use hardbop_symbolic::LoopId;
use hardbop_symbolic::order::Order;

use crate::candidates::Guesses;
use crate::cells::rewrite::Cell;
use crate::cells::text::{Atom, Text, Ways, at_index, position};
use crate::loops::Loops;

/// Guesses for one loop.
const MAX_CANDIDATES: usize = 1500;
/// Facts of one function that imply each other in guesses.
const MAX_IMPLIED: usize = 16;
/// Values of a flag, and values of all flags of a function.
const MAX_VALUES: usize = 3;
const MAX_FLAGS: usize = 8;
/// Elements in one comparison.
const MAX_ELEMENTS: usize = 3;

/// What the cells of a plan allow to be guessed.
pub struct Guesser<'a> {
    pub program: &'a mut Program,
    pub text: &'a Text,
    pub cells: &'a [Cell],
    pub watched: &'a [ExprId],
}

/// How much is guessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// Facts about cells on one side of an index.
    Facts,
    /// Also which facts imply each other, and what flags say of them.
    Implications,
}

impl Guesser<'_> {
    pub fn guess(&mut self, loops: &Loops, depth: Depth) -> Guesses {
        let mut facts: BTreeMap<FuncId, Vec<ExprId>> = BTreeMap::new();
        let mut guesses = Guesses::new();
        for &(func, block) in loops.changes.keys() {
            let indices = self.indices((func, block), loops);
            let facts = facts.entry(func).or_insert_with(|| self.facts(func));
            let flags = match depth {
                Depth::Facts => Vec::new(),
                Depth::Implications => self.flags(func),
            };
            let list = self.at_head(&indices, facts, &flags, depth);
            guesses.insert((func, block), list);
        }
        guesses
    }

    /// Indices that the loop, or one around it, moves.
    fn indices(&self, (func, block): LoopId, loops: &Loops) -> Vec<ExprId> {
        let order = Order::of(&self.program.funcs[func]);
        let around = &order.places[block].heads;
        let moved: BTreeSet<VarId> = around
            .iter()
            .filter_map(|&head| loops.changes.get(&(func, head)))
            .flat_map(|it| it.vars.iter().copied())
            .collect();
        let all = self.text.indices.get(&func).into_iter().flatten().copied();
        all.filter(|&index| {
            let mut is_moved = false;
            self.program.exprs.for_each_var(index, &mut |var| is_moved |= moved.contains(&var));
            is_moved
        })
        .collect()
    }

    fn at_head(
        &mut self,
        indices: &[ExprId],
        facts: &[ExprId],
        flags: &[ExprId],
        depth: Depth,
    ) -> Vec<ExprId> {
        let guards = self.guards(indices);
        let mut list: Vec<ExprId> = facts.to_vec();
        list.extend(&guards);
        // What a flag says of the elements seen so far: `found == 0 && j < i ==> a[j] != x`.
        let lasting: Vec<ExprId> = facts.iter().copied().filter(|it| self.lasts(*it)).collect();
        let behind: Vec<ExprId> = guards.iter().copied().filter(|it| self.is_behind(*it)).collect();
        for &flag in flags {
            let mut of_flag = Vec::new();
            for &guard in &behind {
                self.implies(guard, &lasting, &mut of_flag);
            }
            self.implies(flag, &of_flag, &mut list);
        }
        for &guard in &guards {
            self.implies(guard, facts, &mut list);
        }
        if depth == Depth::Implications {
            let few = &facts[..facts.len().min(MAX_IMPLIED)];
            for &fact in few {
                let from = list.len();
                self.implies(fact, few, &mut list);
                let implied = list[from..].to_vec();
                for &guard in &guards {
                    self.implies(guard, &implied, &mut list);
                }
            }
        }
        let mut seen = BTreeSet::new();
        list.retain(|it| self.program.exprs.as_int(*it).is_none() && seen.insert(*it));
        list.truncate(MAX_CANDIDATES);
        list
    }

    /// Whether a fact speaks of cells and of registers with a name: what was computed on the way is gone at the head of a loop.
    fn lasts(&self, fact: ExprId) -> bool {
        let mut lasts = true;
        self.program.exprs.for_each_var(fact, &mut |var| {
            let is_cell = self.cells.iter().any(|it| it.value == var);
            lasts &= is_cell || self.program.vars[var].kind != VarKind::Temp;
        });
        lasts
    }

    /// Whether a guard says that a cell has been passed.
    fn is_behind(&self, guard: ExprId) -> bool {
        matches!(self.program.exprs.get(guard), Expr::Binary(BinOp::Slt, ..))
    }

    /// Which value a register has that is set to a few constants only.
    fn flags(&mut self, func: FuncId) -> Vec<ExprId> {
        let mut values: BTreeMap<VarId, BTreeSet<u128>> = BTreeMap::new();
        let mut others: BTreeSet<VarId> = BTreeSet::new();
        for (_, _, inst) in self.program.insts() {
            let Some(dst) = inst.op.dst() else { continue };
            let value = match inst.op {
                Op::Set { value, .. } => self.program.exprs.as_int(value),
                _ => None,
            };
            match value {
                Some(value) => drop(values.entry(dst).or_default().insert(value)),
                None => drop(others.insert(dst)),
            }
        }
        let mut flags = Vec::new();
        for (var, values) in values {
            let info = &self.program.vars[var];
            let (Ty::Int(width), true) = (info.ty, info.owner.is_none_or(|it| it == func)) else {
                continue;
            };
            let is_flag = info.kind != VarKind::Temp && (2..=MAX_VALUES).contains(&values.len());
            if !is_flag || others.contains(&var) || flags.len() >= MAX_FLAGS {
                continue;
            }
            for value in values {
                let pool = &mut self.program.exprs;
                let (it, value) = (pool.var(var, Ty::Int(width)), pool.int(width, value));
                flags.push(pool.binary(BinOp::Eq, it, value));
            }
        }
        flags
    }

    fn implies(&mut self, cond: ExprId, facts: &[ExprId], list: &mut Vec<ExprId>) {
        let not = self.program.exprs.not(cond);
        for &fact in facts.iter().filter(|it| **it != cond && **it != not) {
            list.push(self.program.exprs.binary(BinOp::Or, not, fact));
        }
    }

    /// Orders of cells and indices: what lies behind an index that moves, and what lies before it.
    fn guards(&mut self, indices: &[ExprId]) -> Vec<ExprId> {
        let mut guards = Vec::new();
        let places: BTreeSet<ExprId> = self.cells.iter().map(|it| it.index).collect();
        for &place in &places {
            for &index in indices {
                let ways = self.ways(index);
                let pool = &mut self.program.exprs;
                if ways.up {
                    guards.push(pool.binary(BinOp::Slt, place, index));
                    guards.push(pool.binary(BinOp::Sle, index, place));
                }
                if ways.down {
                    guards.push(pool.binary(BinOp::Slt, index, place));
                    guards.push(pool.binary(BinOp::Sle, place, index));
                }
            }
        }
        for (at, &a) in self.watched.iter().enumerate() {
            for &b in &self.watched[at + 1..] {
                let pool = &mut self.program.exprs;
                guards.push(pool.binary(BinOp::Slt, a, b));
                guards.push(pool.binary(BinOp::Slt, b, a));
                guards.push(pool.binary(BinOp::Ne, a, b));
            }
        }
        guards
    }

    /// Where the registers of an index step to; both ways if that is not seen.
    fn ways(&self, index: ExprId) -> Ways {
        let mut ways = Ways::default();
        self.program.exprs.for_each_var(index, &mut |var| {
            let of_var = self.text.ways.get(&var).copied().unwrap_or_default();
            ways.up |= of_var.up;
            ways.down |= of_var.down;
        });
        match position(&self.program.exprs, index) {
            Some(_) if ways.up != ways.down => ways,
            _ => Ways { up: true, down: true },
        }
    }

    /// The program's comparisons, of cells, and their opposites.
    fn facts(&mut self, func: FuncId) -> Vec<ExprId> {
        let mut facts = Vec::new();
        for &atom in &self.text.atoms {
            for fact in self.instances(atom) {
                if self.is_visible(fact, func) {
                    facts.push(fact);
                    facts.push(self.program.exprs.not(fact));
                }
            }
        }
        let mut seen = BTreeSet::new();
        facts.retain(|it| self.program.exprs.as_int(*it).is_none() && seen.insert(*it));
        facts
    }

    fn is_visible(&self, expr: ExprId, func: FuncId) -> bool {
        let mut is_visible = true;
        self.program.exprs.for_each_var(expr, &mut |var| {
            is_visible &= self.program.vars[var].owner.is_none_or(|it| it == func)
                && !self.text.elements.contains_key(&var);
        });
        is_visible
    }

    /// A comparison of elements with each element replaced by a cell of its array, and the register
    /// it was indexed with by the place of the cell.
    fn instances(&mut self, atom: Atom) -> Vec<ExprId> {
        let mut elements: Vec<VarId> = Vec::new();
        self.program.exprs.for_each_var(atom.expr, &mut |var| {
            if self.text.elements.contains_key(&var) && !elements.contains(&var) {
                elements.push(var);
            }
        });
        elements.sort_unstable();
        if elements.len() > MAX_ELEMENTS {
            return Vec::new();
        }
        let mut choices: Vec<Vec<Cell>> = vec![Vec::new()];
        for element in &elements {
            let array = self.text.elements[element].array;
            let cells = self.cells.iter().filter(|it| it.array == array);
            choices = cells
                .flat_map(|cell| {
                    choices.iter().map(move |it| it.iter().copied().chain([*cell]).collect())
                })
                .collect();
        }
        choices.iter().filter_map(|it| self.instance(atom.expr, &elements, it)).collect()
    }

    /// `None` if the elements' indices do not fit the places of the cells.
    fn instance(&mut self, expr: ExprId, elements: &[VarId], cells: &[Cell]) -> Option<ExprId> {
        let mut result = expr;
        let placed = elements.iter().zip(cells).find_map(|(element, cell)| {
            let index = self.text.elements[element].index;
            position(&self.program.exprs, index).map(|(var, shift)| (var, shift, cell.index))
        });
        if let Some((var, shift, place)) = placed {
            for (element, cell) in elements.iter().zip(cells) {
                let index = self.text.elements[element].index;
                let expected = at_index(&mut self.program.exprs, index, var, place, shift);
                if expected != index && expected != cell.index {
                    return None;
                }
            }
            result = at_index(&mut self.program.exprs, result, var, place, shift);
        }
        let mut values: BTreeMap<VarId, ExprId> = BTreeMap::new();
        for (&element, cell) in elements.iter().zip(cells) {
            let ty = self.program.vars[cell.value].ty;
            values.insert(element, self.program.exprs.var(cell.value, ty));
        }
        Some(self.program.exprs.rewrite(result, &mut |leaf| match leaf {
            Expr::Var(var) => values.get(&var).copied(),
            _ => None,
        }))
    }
}
