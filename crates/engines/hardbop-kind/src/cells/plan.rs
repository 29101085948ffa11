//! Which sites are watched and which cells are followed.

use std::collections::BTreeSet;

use hardbop_base::Idx;
use hardbop_cir::{BlockId, Callee, Class, ExprId, FuncId, Op, Program, VarId};

use crate::candidates::Guesses;
use crate::cells::arrays::{Array, Arrays, Site};
use crate::cells::guess::{Depth, Guesser};
use crate::cells::rewrite::{Cell, Rewriter, Watch};
use crate::cells::text::{Text, at_index, position};
use crate::cells::{Element, Index, Meaning};
use crate::loops::Loops;

/// Plans that are tried.
const MAX_PLANS: usize = 8;
/// Cells of one plan.
const MAX_CELLS: usize = 10;

/// A rewritten program and its cells.
#[derive(Clone)]
pub struct Plan {
    pub program: Program,
    cells: Vec<Cell>,
    indices: Vec<Index>,
}

impl Plan {
    pub fn guess(&mut self, text: &Text, loops: &Loops, depth: Depth) -> Guesses {
        let program = &mut self.program;
        let watched: Vec<ExprId> = self
            .indices
            .iter()
            .map(|it| program.exprs.var(it.var, program.vars[it.var].ty))
            .collect();
        Guesser { program, text, cells: &self.cells, watched: &watched }.guess(loops, depth)
    }

    /// `first` is the first register that is not of the source.
    pub fn meaning(&self, first: VarId, arrays: &Arrays) -> Meaning {
        let element = |it: &Cell| {
            let Array { object, width, .. } = arrays.list[it.array];
            Element { object, width, index: it.index, value: it.value }
        };
        let elements = self.cells.iter().map(element).collect();
        Meaning { indices: self.indices.clone(), elements, ..Meaning::without_cells(first, false) }
    }
}

/// One site for each plan, then two that are indexed by different registers.
pub fn plans(program: &mut Program, arrays: &Arrays, text: &Text, classes: &[Class]) -> Vec<Plan> {
    let Some(&class) = classes.first() else { return Vec::new() };
    let mut choices: Vec<Vec<Site>> = text.sites.iter().map(|&it| vec![it]).collect();
    choices.truncate(MAX_PLANS - 1);
    choices.extend(pair(program, arrays, text));
    choices.into_iter().map(|sites| plan(program, arrays, text, &sites, class)).collect()
}

/// The two first sites of one function with different registers.
fn pair(program: &Program, arrays: &Arrays, text: &Text) -> Option<Vec<Site>> {
    let register =
        |site: &Site| position(&program.exprs, arrays.accesses[site].index).map(|it| it.0);
    let &first = text.sites.first()?;
    let other = text.sites.iter().find(|it| it.0 == first.0 && register(it) != register(&first))?;
    Some(vec![first, *other])
}

fn plan(program: &Program, arrays: &Arrays, text: &Text, sites: &[Site], class: Class) -> Plan {
    let mut rewriter = Rewriter::new(program, arrays, sites, class);
    let mut chosen: BTreeSet<(usize, ExprId)> = BTreeSet::new();
    let mut list: Vec<(usize, ExprId)> = Vec::new();
    for watch in rewriter.watches.clone() {
        let index = rewriter.var(watch.index);
        list.extend((0..arrays.list.len()).map(|array| (array, index)));
    }
    for watch in rewriter.watches.clone() {
        let index = rewriter.var(watch.index);
        list.extend(related(&mut rewriter.program, arrays, text, watch.site, index));
    }
    for (array, index) in list {
        if chosen.len() < MAX_CELLS.max(arrays.list.len()) && chosen.insert((array, index)) {
            rewriter.add_cell(array, index);
        }
    }
    rewriter.run();
    let below = |site: &Site| arrays.list[arrays.accesses.get(site)?.array].len;
    let index = |it: &Watch| Index { var: it.index, below: below(&it.site) };
    let indices = rewriter.watches.iter().map(index).collect();
    Plan { program: rewriter.program, cells: rewriter.cells, indices }
}

/// The places other accesses of the site's function go to when the site goes to `index`, as far as
/// one register decides.
fn related(
    program: &mut Program,
    arrays: &Arrays,
    text: &Text,
    site: Site,
    index: ExprId,
) -> Vec<(usize, ExprId)> {
    let Some((register, shift)) = position(&program.exprs, arrays.accesses[&site].index) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (&(func, ..), access) in &arrays.accesses {
        if func != site.0 {
            continue;
        }
        let place = at_index(&mut program.exprs, access.index, register, index, shift);
        let mut is_closed = place != access.index;
        program.exprs.for_each_var(place, &mut |var| {
            is_closed &= program.vars[var].owner.is_none() && !text.elements.contains_key(&var);
        });
        if is_closed {
            found.push((access.array, place));
        }
    }
    found
}

/// Whether the first block of the program is executed once, so that what is put before it is, too.
pub fn has_one_start(program: &Program) -> bool {
    let first = BlockId::new(0);
    let main: FuncId = program.main;
    let is_entered_again =
        program.funcs[main].blocks.iter().any(|it| it.term.successors().contains(&first));
    let is_called = program.insts().any(|(_, _, inst)| match &inst.op {
        Op::Call { callee: Callee::Func(to), .. } => *to == main,
        Op::Call { .. } => true,
        _ => false,
    });
    !is_entered_again && !is_called
}
