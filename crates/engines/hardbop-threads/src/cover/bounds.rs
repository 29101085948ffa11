//! Sums of tokens that no step makes larger: place invariants of a Petri net.
//!
//! A sum with weights that are not negative is bounded by what it is initially if no rule puts more than it takes.
//! Those that stay equal are found by Farkas' elimination (Martinez and Silva 1982): one row for each place, what it
//! weighs and what each rule does to the sum; rules are removed one by one by adding rows of opposite signs. What a
//! file says of its net is tried besides. All of them are checked here, and the certifier checks them again.
//!
//! Only places that hold finitely many tokens initially count: the others have no bound.

use hardbop_evidence::NetBound;
use hardbop_net::{Net, Question, Rule};

use crate::cover::counts::{Counts, OMEGA};

/// So many rows at once are affordable; with more there are no sums of our own.
const MOST_ROWS: usize = 512;

/// A larger net has no sums of our own.
const MOST_ENTRIES: usize = 40_000;

/// A sum and the largest value it can have.
#[derive(Clone, Debug)]
pub struct Bound {
    /// By place.
    weights: Vec<u32>,
    most: u64,
}

impl Bound {
    /// Whether some state with these tokens, and perhaps others, is within the bound.
    pub fn admits(&self, counts: &Counts) -> bool {
        let weight = |place: u32| self.weights.get(place as usize).copied().unwrap_or(0);
        let terms = counts.iter().map(|(local, n)| match (weight(local.as_u32()), n) {
            (0, _) => 0,
            (_, OMEGA) => u128::MAX >> 32,
            (weight, n) => u128::from(weight) * u128::from(n),
        });
        terms.sum::<u128>() <= self.most.into()
    }

    /// In the words of a certificate; none if the number is too large for it.
    fn to_net_bound(&self) -> Option<NetBound> {
        let weights = (0..).zip(&self.weights).filter(|&(_, &n)| n > 0);
        let weights = weights.map(|(place, &n)| (place, n)).collect();
        Some(NetBound { most: u32::try_from(self.most).ok()?, weights })
    }
}

/// The bounds of a Petri net, and how a certificate has them. None for nets with control states, whose places may
/// have any numbers.
pub fn bounds(net: &Net, question: &Question) -> (Vec<Bound>, Vec<NetBound>) {
    if net.names.is_empty() || net.n_controls != 1 {
        return (Vec::new(), Vec::new());
    }
    let highs: Vec<Option<u32>> = (0..net.n_places).map(|place| high(question, place)).collect();
    let hinted = net.hints.iter().map(|hint| {
        let mut weights = vec![0; highs.len()];
        hint.iter().for_each(|&(place, n)| weights[place as usize] = n);
        weights
    });
    let mut found: Vec<Vec<u32>> = hinted.chain(invariants(net, &highs)).collect();
    found.sort_unstable();
    found.dedup();
    let bounds = found.into_iter().filter_map(|weights| bound(net, weights, &highs));
    bounds.filter_map(|it| Some((it.clone(), it.to_net_bound()?))).unzip()
}

/// How many tokens a place may hold initially, if not any number.
fn high(question: &Question, place: u32) -> Option<u32> {
    let range = question.initial.ranges.iter().find(|range| range.place == place);
    range.map_or(Some(0), |range| range.high)
}

/// Soundness: the sum with these weights is bounded only if it is finite initially and no rule makes it larger.
fn bound(net: &Net, weights: Vec<u32>, highs: &[Option<u32>]) -> Option<Bound> {
    let weigh = |list: &[(u32, u32)]| -> u64 {
        list.iter().map(|&(place, n)| u64::from(weights[place as usize]) * u64::from(n)).sum()
    };
    let weight = |place: u32| weights[place as usize];
    let keeps = |rule: &Rule| {
        let no_gain = rule.transfers.iter().flat_map(|it| it.to.iter().map(|&to| (it.from, to)));
        weigh(&rule.put) <= weigh(&rule.take)
            && no_gain.into_iter().all(|(from, to)| weight(to) <= weight(from))
    };
    if weights.iter().all(|&n| n == 0) || !net.rules.iter().all(keeps) {
        return None;
    }
    let counted = weights.iter().zip(highs).filter(|&(&weight, _)| weight > 0);
    let terms = counted.map(|(&weight, high)| Some(u64::from(weight) * u64::from((*high)?)));
    let most = terms.sum::<Option<u64>>()?;
    Some(Bound { weights, most })
}

/// A row of the elimination: weights, and what each rule does to their sum.
#[derive(Clone, PartialEq, Eq)]
struct Row {
    weights: Vec<i64>,
    effects: Vec<i64>,
}

impl Row {
    /// The sum with positive factors in which the effect vanishes that has opposite signs in both.
    fn join(&self, other: &Row, column: usize) -> Option<Row> {
        let (a, b) = (other.effects[column].abs(), self.effects[column].abs());
        let add = |x: &[i64], y: &[i64]| -> Option<Vec<i64>> {
            let term = |(&x, &y): (&i64, &i64)| a.checked_mul(x)?.checked_add(b.checked_mul(y)?);
            x.iter().zip(y).map(term).collect()
        };
        let mut row = Row {
            weights: add(&self.weights, &other.weights)?,
            effects: add(&self.effects, &other.effects)?,
        };
        let all = row.weights.iter().chain(&row.effects);
        let divisor = all.fold(0, |divisor, &n| gcd(divisor, n.abs())).max(1);
        row.weights.iter_mut().chain(&mut row.effects).for_each(|n| *n /= divisor);
        Some(row)
    }

    fn has_all_places_of(&self, other: &Row) -> bool {
        self.weights.iter().zip(&other.weights).all(|(&mine, &its)| its == 0 || mine > 0)
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Weights of sums that never change; none if the elimination grows too large.
fn invariants(net: &Net, highs: &[Option<u32>]) -> Vec<Vec<u32>> {
    let columns: Vec<Vec<(u32, i64)>> = net.rules.iter().flat_map(effects).collect();
    if columns.len() * highs.len() > MOST_ENTRIES {
        return Vec::new();
    }
    let mut rows: Vec<Row> = Vec::new();
    for (place, _) in (0..).zip(highs).filter(|(_, high)| high.is_some()) {
        let mut weights = vec![0; highs.len()];
        weights[place as usize] = 1;
        let effect = |column: &Vec<(u32, i64)>| {
            column.iter().filter(|&&(at, _)| at == place).map(|&(_, n)| n).sum()
        };
        rows.push(Row { weights, effects: columns.iter().map(effect).collect() });
    }
    for column in 0..columns.len() {
        let Some(next) = eliminate(&rows, column) else { return Vec::new() };
        rows = next;
    }
    let weights = |row: Row| row.weights.into_iter().map(|n| u32::try_from(n).ok()).collect();
    rows.into_iter().filter_map(weights).collect()
}

/// What a rule does to places, and each of its transfers by itself.
fn effects(rule: &Rule) -> Vec<Vec<(u32, i64)>> {
    let put = rule.put.iter().map(|&(place, n)| (place, i64::from(n)));
    let take = rule.take.iter().map(|&(place, n)| (place, -i64::from(n)));
    let mut columns = vec![put.chain(take).collect()];
    for transfer in &rule.transfers {
        columns.extend(transfer.to.iter().map(|&to| vec![(to, 1), (transfer.from, -1)]));
    }
    columns
}

/// The rows in which the column is zero, and the sums of two in which it becomes zero; of those only the ones
/// that have no other's places and more.
fn eliminate(rows: &[Row], column: usize) -> Option<Vec<Row>> {
    let with = |sign: i64| rows.iter().filter(move |row| row.effects[column].signum() == sign);
    let mut next: Vec<Row> = with(0).cloned().collect();
    for up in with(1) {
        for down in with(-1) {
            let joined = up.join(down, column)?;
            if next.iter().any(|known| joined.has_all_places_of(known)) {
                continue;
            }
            next.retain(|known| !known.has_all_places_of(&joined));
            next.push(joined);
            if next.len() > MOST_ROWS {
                return None;
            }
        }
    }
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::bounds;
    use hardbop_base::SourceFile;
    use hardbop_evidence::NetBound;
    use hardbop_net::spec;

    fn found(rules: &str, tail: &str) -> Vec<NetBound> {
        let text = format!("vars a b c d rules {rules} init {tail}");
        let (net, question) = spec::parse(&SourceFile::new("t.spec", text)).expect("it is a net");
        bounds(&net, &question).1
    }

    const CYCLE: &str =
        "a >= 1 -> a' = a - 1, b' = b + 1; b >= 1, c >= 2 -> b' = b - 1, a' = a + 1,
        c' = c - 2, d' = d + 1; d >= 1 -> d' = d - 1, c' = c + 2;";

    #[test]
    fn sums_that_stay_are_found() {
        let tail = "a = 1, b = 0, c = 4, d = 0 target a >= 2";
        let one = NetBound { most: 1, weights: vec![(0, 1), (1, 1)] };
        let two = NetBound { most: 4, weights: vec![(2, 1), (3, 2)] };
        assert_eq!(found(CYCLE, tail), [two, one.clone()]);
        // Any number of tokens has no bound.
        let tail = "a = 1, b = 0, c >= 4, d = 0 target a >= 2";
        assert_eq!(found(CYCLE, tail), [one]);
    }

    #[test]
    fn what_a_file_says_is_not_believed() {
        let rules = "a >= 1 -> b' = b + 1;";
        let tail = "a = 1, b = 0, c = 0, d = 0 target b >= 2 invariants a = 1, b = 1 a = 3";
        let kept = |place| NetBound { most: u32::from(place == 0), weights: vec![(place, 1)] };
        let tripled = NetBound { most: 3, weights: vec![(0, 3)] };
        assert_eq!(found(rules, tail), [kept(3), kept(2), kept(0), tripled]);
        // A broadcast keeps a sum only if all that moves weighs the same, or less.
        let rules = "a >= 1 -> b' = b + c, c' = 0;";
        let tail = "a = 1, b = 1, c = 2, d = 0 target b >= 2";
        let all = found(rules, tail);
        assert!(all.contains(&NetBound { most: 3, weights: vec![(1, 1), (2, 1)] }), "{all:?}");
        assert!(all.iter().all(|it| it.weights != [(1, 1)]), "{all:?}");
    }
}
