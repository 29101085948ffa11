//! A set of pairs as a union of products.
//!
//! Where all variables of the one side are above all of the other, the diagram says it by itself:
//! each function it has just below the line is a right side, and the ways that lead there are its
//! left side. That is the coarsest splitting with disjoint left sides; BOOM's expansion by the
//! values of splice variables (section 7.4.2) splits at least as much.

use hardbop_dd::{Dd, Level, Manager, OutOfNodes};
use rustc_hash::FxHashMap;

/// The products whose union is `f`: left sides over levels above `line`, disjoint and not empty,
/// right sides over the others, distinct and not empty.
pub fn cut(dd: &Manager, f: &Dd, line: Level) -> Result<Vec<(Dd, Dd)>, OutOfNodes> {
    let mut known: FxHashMap<Dd, Vec<(Dd, Dd)>> = FxHashMap::default();
    // A node is finished when both below it are; the stack is our own, however many levels there are.
    let mut waiting = vec![f.clone()];
    while let Some(node) = waiting.last().cloned() {
        if known.contains_key(&node) {
            waiting.pop();
            continue;
        }
        let products = match dd.split(&node) {
            Some((level, high, low)) if level < line => match (known.get(&high), known.get(&low)) {
                (Some(high), Some(low)) => join(dd, level, high, low)?,
                (high_known, low_known) => {
                    let missing = [(high_known.is_none(), high), (low_known.is_none(), low)];
                    let missing = missing.into_iter().filter(|it| it.0).map(|it| it.1);
                    waiting.extend(missing);
                    continue;
                }
            },
            _ if dd.is_false(&node) => Vec::new(),
            _ => vec![(dd.one().clone(), node.clone())],
        };
        known.insert(node, products);
        waiting.pop();
    }
    Ok(known.remove(f).expect("the first function was waited for"))
}

/// The products above a node from those of its two sides.
fn join(
    dd: &Manager,
    level: Level,
    high: &[(Dd, Dd)],
    low: &[(Dd, Dd)],
) -> Result<Vec<(Dd, Dd)>, OutOfNodes> {
    let var = dd.var(level)?;
    let mut products = Vec::with_capacity(high.len() + low.len());
    for (left, right) in low {
        let other = high.iter().find(|it| it.1 == *right).map_or(dd.zero(), |it| &it.0);
        products.push((dd.ite(&var, other, left)?, right.clone()));
    }
    for (left, right) in high {
        if low.iter().all(|it| it.1 != *right) {
            products.push((dd.and(&var, left)?, right.clone()));
        }
    }
    Ok(products)
}

#[cfg(test)]
mod tests {
    use hardbop_base::Idx;
    use hardbop_dd::{Level, Limits, Manager};

    use super::cut;

    /// All functions of two variables on each side.
    #[test]
    fn the_products_are_disjoint_and_their_union_is_the_function() {
        let dd = Manager::new(4, Limits::SMALL);
        for table in 0..1u32 << 16 {
            if table % 37 != 0 {
                continue;
            }
            let mut f = dd.zero().clone();
            for point in (0..16).filter(|point| table >> point & 1 == 1) {
                let literals: Vec<_> =
                    (0..4).map(|level| (Level::new(level), point >> level & 1 == 1)).collect();
                f = dd.or(&f, &dd.product(&literals).unwrap()).unwrap();
            }
            let products = cut(&dd, &f, Level::new(2)).unwrap();
            let mut union = dd.zero().clone();
            let mut lefts = dd.zero().clone();
            for (left, right) in &products {
                assert!(!dd.is_false(left) && !dd.is_false(right) && dd.disjoint(&lefts, left));
                assert!(dd.support(left).iter().all(|level| level.index() < 2));
                assert!(dd.support(right).iter().all(|level| level.index() >= 2));
                lefts = dd.or(&lefts, left).unwrap();
                union = dd.or(&union, &dd.and(left, right).unwrap()).unwrap();
            }
            assert!(union == f && products.len() <= 4, "{table:016b}");
        }
    }
}
