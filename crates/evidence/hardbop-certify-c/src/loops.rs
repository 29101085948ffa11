//! The loops of a function: a head and the blocks from which it is reached again without leaving through it.
//!
//! A function whose loops are entered elsewhere than at their heads is not certified.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_cir::{BlockId, Func};

pub(crate) struct Loops {
    /// The place of each block in an order in which every edge but those back to a head goes forward.
    pub order: BTreeMap<BlockId, usize>,
    /// By head: the blocks of the loop, head included.
    pub bodies: BTreeMap<BlockId, BTreeSet<BlockId>>,
    /// A block where a loop is entered in the middle.
    pub irreducible: Option<BlockId>,
}

impl Loops {
    pub fn of(func: &Func) -> Loops {
        let order = reverse_post_order(func);
        let dominators = dominators(func, &order);
        let at: BTreeMap<BlockId, usize> = order.iter().enumerate().map(|(i, &b)| (b, i)).collect();
        let mut preds: BTreeMap<BlockId, Vec<BlockId>> = BTreeMap::new();
        for &block in &order {
            for to in func.blocks[block].term.successors() {
                preds.entry(to).or_default().push(block);
            }
        }
        let (mut bodies, mut irreducible) = (BTreeMap::new(), None);
        for &from in &order {
            for head in
                func.blocks[from].term.successors().into_iter().filter(|it| at[it] <= at[&from])
            {
                if !dominators[&from].contains(&head) {
                    irreducible = Some(head);
                    continue;
                }
                let body: &mut BTreeSet<BlockId> = bodies.entry(head).or_default();
                body.insert(head);
                let mut todo = vec![from];
                while let Some(block) = todo.pop() {
                    if body.insert(block) {
                        todo.extend(preds.get(&block).into_iter().flatten());
                    }
                }
            }
        }
        Loops { order: at, bodies, irreducible }
    }
}

fn reverse_post_order(func: &Func) -> Vec<BlockId> {
    let entry = BlockId::from_u32(0);
    let (mut seen, mut order) = (BTreeSet::from([entry]), Vec::new());
    let mut todo = vec![(entry, func.blocks[entry].term.successors())];
    while let Some((block, rest)) = todo.last_mut() {
        match rest.pop() {
            Some(to) if seen.insert(to) => todo.push((to, func.blocks[to].term.successors())),
            Some(_) => {}
            None => {
                order.push(*block);
                todo.pop();
            }
        }
    }
    order.reverse();
    order
}

/// For each block those that every path to it goes through.
fn dominators(func: &Func, order: &[BlockId]) -> BTreeMap<BlockId, BTreeSet<BlockId>> {
    let mut found: BTreeMap<BlockId, BTreeSet<BlockId>> =
        BTreeMap::from([(order[0], BTreeSet::from([order[0]]))]);
    loop {
        let mut is_stable = true;
        for &from in order {
            let of_from = found[&from].clone();
            for to in func.blocks[from].term.successors().into_iter().filter(|&it| it != order[0]) {
                let mut now = match found.get(&to) {
                    None => of_from.clone(),
                    Some(known) => known.intersection(&of_from).copied().collect(),
                };
                now.insert(to);
                if found.get(&to) != Some(&now) {
                    is_stable = false;
                    found.insert(to, now);
                }
            }
        }
        if is_stable {
            return found;
        }
    }
}
