//! Why a target of a net cannot be covered: a set of states, tokens counted by their place.
//!
//! Two kinds of set, as for threads: all states below listed ones, or all states whose places occur
//! together with their control state, that are above no state listed as never reached, and in which some sums of
//! tokens are small. The text form is described in `docs/formats/certificate.md`; control states and places have the numbers of the net.

use std::fmt::Write;

use crate::lines::{Lines, MOST, number};
use crate::threads::Count;

/// An inductive set of states of a net, with the question it answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetProof {
    /// The largest initial state; ω for any number.
    pub initial: NetState,
    /// What cannot be covered.
    pub targets: Vec<NetState>,
    /// It has the initial state, no target, and no step leaves it.
    pub set: NetSet,
}

/// The set, see the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetSet {
    /// All states below these.
    Cover(Vec<NetState>),
    /// All states whose places occur together with their control state, that are above none of `never` and
    /// within all `bounds`.
    Views {
        /// Control states that occur, each with the places that hold tokens then.
        occurs: Vec<(u32, Vec<u32>)>,
        /// The least elements of an upward-closed set that is not reached; counts are finite.
        never: Vec<NetState>,
        /// Sums that no step makes larger.
        bounds: Vec<NetBound>,
    },
}

/// A sum of tokens, each counted with the weight of its place, that is never larger than a number.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct NetBound {
    /// The largest value of the sum.
    pub most: u32,
    /// Sorted by place, each at most once; no weight is 0.
    pub weights: Vec<(u32, u32)>,
}

/// A control state and how many tokens each place holds.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct NetState {
    /// The control state.
    pub control: u32,
    /// Sorted by place, each at most once; no count is 0.
    pub counts: Vec<(u32, Count)>,
}

impl NetProof {
    /// As in the version line.
    pub(crate) fn kind(&self) -> &'static str {
        match self.set {
            NetSet::Cover(_) => "net-cover",
            NetSet::Views { .. } => "net-views",
        }
    }

    /// Everything below the version line.
    pub(crate) fn print(&self, out: &mut String) {
        self.write(out).expect("writing to a string");
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "initial {}", self.initial)?;
        self.targets.iter().try_for_each(|target| writeln!(out, "target {target}"))?;
        match &self.set {
            NetSet::Cover(states) => {
                states.iter().try_for_each(|state| writeln!(out, "state {state}"))?;
            }
            NetSet::Views { occurs, never, bounds } => {
                for (control, places) in occurs {
                    let places: String = places.iter().map(|place| format!(" {place}")).collect();
                    writeln!(out, "occurs {control}{places}")?;
                }
                never.iter().try_for_each(|state| writeln!(out, "never {state}"))?;
                for NetBound { most, weights } in bounds {
                    let counts = weights.iter().map(|&(at, n)| (at, Count::finite(n))).collect();
                    writeln!(out, "bound {}", NetState { control: *most, counts })?;
                }
            }
        }
        out.push_str("end\n");
        Ok(())
    }

    /// Reads what follows the version line; `None` if the kind is not about nets.
    pub(crate) fn read(kind: &str, lines: Lines<'_>) -> Option<Result<NetProof, String>> {
        let set = match kind {
            "net-cover" => NetSet::Cover(Vec::new()),
            "net-views" => NetSet::Views { occurs: vec![], never: vec![], bounds: vec![] },
            _ => return None,
        };
        let mut proof = NetProof { initial: NetState::default(), targets: Vec::new(), set };
        let mut has_initial = false;
        let read = lines.each(|line| proof.read_line(line, &mut has_initial));
        Some(read.and_then(|()| match has_initial {
            true => Ok(proof),
            false => Err("no line begins with `initial`".into()),
        }))
    }

    fn read_line(&mut self, line: &str, has_initial: &mut bool) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, &mut self.set) {
            ("initial", _) if !std::mem::replace(has_initial, true) => {
                self.initial = state(rest)?;
            }
            ("initial", _) => return Err("this was said before".into()),
            ("target", _) => self.targets.push(state(rest)?),
            ("state", NetSet::Cover(states)) | ("never", NetSet::Views { never: states, .. }) => {
                states.push(state(rest)?);
            }
            ("bound", NetSet::Views { bounds, .. }) => {
                // Written as a state is, with the sum in place of a control state.
                let NetState { control: most, counts } = state(rest)?;
                let weight = |(place, n): (u32, Count)| Some((place, n.as_finite()?));
                let weights = counts.into_iter().map(weight).collect::<Option<_>>();
                bounds.push(NetBound { most, weights: weights.ok_or("a weight is a number")? });
            }
            ("occurs", NetSet::Views { occurs, .. }) => {
                let numbers = rest.split(' ').map(|word| Ok(number(word, MOST)? as u32));
                let numbers = numbers.collect::<Result<Vec<_>, String>>()?;
                let (&control, places) = numbers.split_first().ok_or("no control state")?;
                if !places.is_sorted_by(|a, b| a < b) {
                    return Err("places in increasing order, each once".into());
                }
                occurs.push((control, places.to_vec()));
            }
            _ => return Err("expected initial, target, or a fact of the set".into()),
        }
        Ok(())
    }
}

/// `0 1 3*2 4*inf`: control state 0, a token in place 1, two in 3, any number in 4.
fn state(text: &str) -> Result<NetState, String> {
    let mut words = text.split(' ');
    let control = number(words.next().unwrap_or(""), MOST)? as u32;
    let mut state = NetState { control, counts: Vec::new() };
    for word in words {
        let (place, n) = word.split_once('*').unwrap_or((word, "1"));
        let (place, n) = (number(place, MOST)? as u32, Count::read(n)?);
        if n.is_zero() || state.counts.last().is_some_and(|&(last, _)| last >= place) {
            return Err("places in increasing order, each once, no count 0".into());
        }
        state.counts.push((place, n));
    }
    Ok(state)
}

impl std::fmt::Display for NetState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.control)?;
        for &(place, count) in &self.counts {
            match count {
                Count::ONE => write!(f, " {place}")?,
                _ => write!(f, " {place}*{count}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Certificate;

    fn samples() -> [NetProof; 2] {
        let state = |text| state(text).expect("the state is right");
        let (initial, targets) = (state("0 0*inf 7"), vec![state("2"), state("1 3*2")]);
        let never = vec![state("1 1 3")];
        let occurs = vec![(0, vec![0, 7]), (1, vec![])];
        let cover = NetSet::Cover(vec![state("0 0*inf 7"), state("1 3")]);
        let bounds = vec![NetBound { most: 3, weights: vec![(0, 1), (7, 2)] }];
        [cover, NetSet::Views { occurs, never, bounds }].map(|set| NetProof {
            initial: initial.clone(),
            targets: targets.clone(),
            set,
        })
    }

    #[test]
    fn printing_and_reading_are_inverse() {
        for sample in samples() {
            let text = Certificate::Net(sample.clone()).print();
            match Certificate::read(&text) {
                Ok(Certificate::Net(read)) => assert_eq!(read, sample),
                other => panic!("{other:?}\n{text}"),
            }
        }
    }

    #[test]
    fn truncations_and_odd_lines_are_errors() {
        for sample in samples() {
            let text = Certificate::Net(sample).print();
            let lines: Vec<_> = text.lines().collect();
            for n in 0..lines.len() {
                assert!(Certificate::read(&lines[..n].join("\n")).is_err(), "{n} lines");
            }
            let odd =
                ["state", "state x", "state 0 1*0", "state 0 2 1", "state 0 1 1", "never 0  1"];
            let others = [
                "initial 0",
                "occurs",
                "occurs 0 2 1",
                "occurs 1 x",
                "bound 1 0*inf",
                "bound",
                "",
                "?",
            ];
            for odd in odd.into_iter().chain(others) {
                let forged = text.replace("end\n", &format!("{odd}\nend\n"));
                let error = Certificate::read(&forged).expect_err(odd);
                assert!(error.starts_with("line "), "{odd}: {error}");
            }
            let without = text.replace("initial 0 0*inf 7\n", "");
            assert!(Certificate::read(&without).is_err_and(|why| why.contains("initial")));
        }
    }
}
