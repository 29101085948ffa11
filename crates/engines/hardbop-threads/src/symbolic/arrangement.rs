//! The levels of a layout as the order of the slots arranges them, so that a run whose diagrams grow can take another order
//! ([`hardbop_encode::reorder`]).

use hardbop_base::Idx;
use hardbop_cfg::{Program, VarId};
use hardbop_dd::Level;
use hardbop_encode::reorder::{Arrangement, OfSlots};
use hardbop_encode::slots::Slots;

use crate::symbolic::layout::{Copy, Layout};

/// Which layout a search has.
#[derive(Clone, Copy, Debug)]
pub enum Arranged<'p> {
    Apart(&'p Program),
    Together { program: &'p Program, n_threads: usize, n_above: usize },
}

impl Arranged<'_> {
    pub fn layout(&self, slots: &Slots) -> Layout {
        match *self {
            Arranged::Apart(program) => Layout::apart(program, slots),
            Arranged::Together { program, n_threads, n_above } => {
                Layout::together(program, slots, n_threads, n_above)
            }
        }
    }
}

impl Arrangement for Arranged<'_> {
    fn n_levels(&self, slots: &Slots) -> usize {
        self.layout(slots).n_levels()
    }

    fn moved(&self, from: &Slots, to: &Slots) -> Vec<Level> {
        let (old, new) = (self.layout(from), self.layout(to));
        let mut moved = OfSlots.moved(from, to);
        // Levels that belong to no position stay.
        moved.extend((moved.len()..old.n_levels()).map(Level::new));
        for position in 0..old.n_positions() {
            for thread in 0..old.n_threads() {
                for copy in [Copy::Now, Copy::Next, Copy::Started] {
                    if copy != Copy::Started || !old.is_shared(position) {
                        let level = old.level_of(thread, position, copy);
                        moved[level.index()] = new.level_of(thread, position, copy);
                    }
                }
            }
        }
        moved
    }

    fn groups(&self, slots: &Slots) -> Vec<(usize, Option<VarId>)> {
        let layout = self.layout(slots);
        let n_slots = slots.order().len();
        let slot = |position: usize| (position < n_slots).then(|| VarId::new(position));
        let mut groups = vec![(slots.n_levels(), None)];
        let positions = layout.order(slots);
        let n_locals = positions.iter().filter(|&&it| !layout.is_shared(it)).count();
        match *self {
            Arranged::Apart(_) => {
                let (shared, locals): (Vec<usize>, Vec<usize>) =
                    positions.into_iter().partition(|&it| layout.is_shared(it));
                groups.extend(shared.into_iter().chain(locals).map(|it| (2, slot(it))));
                groups.push((n_locals, None));
            }
            Arranged::Together { n_threads, n_above, .. } => {
                groups.push((n_above, None));
                groups.extend(positions.into_iter().map(|it| {
                    (if layout.is_shared(it) { 2 } else { 2 * n_threads + 1 }, slot(it))
                }));
            }
        }
        groups.retain(|&(n_levels, _)| n_levels > 0);
        groups
    }
}

#[cfg(test)]
mod tests {
    use hardbop_base::{Idx, SourceFile};
    use hardbop_encode::reorder::Arrangement;
    use hardbop_encode::slots::{Order, Slots};

    use super::Arranged;

    /// Every level goes to one of its own, and groups have all levels.
    #[test]
    fn levels_are_moved_one_to_one() {
        let text = "decl a, b, c; void main() begin decl x; x := a; f(x); start_thread f(b); end \
                    void f(y) begin decl u, v; u := y; v := c & u; assert(v | a); end";
        let program = hardbop_bp::load(&SourceFile::new("t.bp", text)).0.expect("it is right");
        let force = Slots::new(&program, Order::Force);
        let declared = Slots::new(&program, Order::Declared);
        let together = Arranged::Together { program: &program, n_threads: 3, n_above: 4 };
        for arranged in [Arranged::Apart(&program), together] {
            let mut moved = arranged.moved(&force, &declared);
            moved.sort_unstable();
            let all: Vec<usize> = moved.iter().map(|level| level.index()).collect();
            assert_eq!(all, (0..arranged.n_levels(&force)).collect::<Vec<_>>());
            let groups = arranged.groups(&force);
            let n_levels: usize = groups.iter().map(|group| group.0).sum();
            assert_eq!(n_levels, all.len());
            let slots: Vec<_> = groups.iter().filter_map(|group| group.1).collect();
            assert_eq!(slots.len(), force.order().len());
        }
    }
}
