//! How often and by how much an engine wins against the baseline.

use crate::measure::Measured;

/// Comparisons of one engine with the baseline on the same programs.
#[derive(Default)]
pub struct Wins {
    both: u32,
    faster: u32,
    slower: u32,
    fewer_states: u32,
    more_states: u32,
    /// Sums of logarithms of ratios, the engine's number over the baseline's, and how many.
    time: (f64, u32),
    states: (f64, u32),
    only_engine: u32,
    only_baseline: u32,
}

/// Times that differ by less are equal.
const NOISE: f64 = 1.1;

/// Seconds below which times are noise.
const SHORTEST: f64 = 0.002;

impl Wins {
    pub fn add(&mut self, baseline: &Measured, engine: &Measured) {
        match (baseline.is_decided(), engine.is_decided()) {
            (false, false) => return,
            (true, false) => return self.only_baseline += 1,
            (false, true) => return self.only_engine += 1,
            (true, true) => self.both += 1,
        }
        let ratio = engine.seconds.max(SHORTEST) / baseline.seconds.max(SHORTEST);
        self.time.0 += ratio.ln();
        self.time.1 += 1;
        self.faster += u32::from(ratio * NOISE < 1.0);
        self.slower += u32::from(ratio > NOISE);
        if let (Some(before), Some(after)) = (baseline.stat("states"), engine.stat("states"))
            && before > 0
            && after > 0
        {
            self.states.0 += (after as f64 / before as f64).ln();
            self.states.1 += 1;
            self.fewer_states += u32::from(after < before);
            self.more_states += u32::from(after > before);
        }
    }

    /// One line, such as `x against y: …`.
    pub fn line(&self, engine: &str, baseline: &str) -> String {
        let mean = |(sum, n): (f64, u32)| (sum / f64::from(n.max(1))).exp();
        format!(
            "{engine} against {baseline}: of {} that both decide {} faster, {} slower, time x{:.2}; \
             {} fewer states, {} more, states x{:.2}; decided by one only: {} and {}\n",
            self.both,
            self.faster,
            self.slower,
            mean(self.time),
            self.fewer_states,
            self.more_states,
            mean(self.states),
            self.only_engine,
            self.only_baseline,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Wins;
    use crate::measure::Measured;

    #[test]
    fn ratios_are_means_of_logarithms() {
        let run = |verdict: &str, seconds, states| Measured {
            verdict: verdict.into(),
            by: String::new(),
            seconds,
            wall: seconds,
            bytes: 0,
            certified: false,
            stats: vec![("states".into(), states)],
        };
        let mut wins = Wins::default();
        wins.add(&run("safe", 1.0, 100), &run("safe", 4.0, 50));
        wins.add(&run("safe", 1.0, 100), &run("safe", 0.25, 25));
        wins.add(&run("unknown(time)", 9.0, 7), &run("unsafe", 1.0, 7));
        assert_eq!(
            wins.line("a", "b"),
            "a against b: of 2 that both decide 1 faster, 1 slower, time x1.00; 2 fewer states, \
             0 more, states x0.35; decided by one only: 1 and 0\n"
        );
    }
}
