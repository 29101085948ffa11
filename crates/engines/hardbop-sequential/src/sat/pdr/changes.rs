//! When something was last learned, by level.

/// The times at which lemmas came to a place.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Levels fall and times rise: what is older and of no higher level tells nothing more.
    latest: Vec<(usize, u64)>,
}

impl Changes {
    pub fn note(&mut self, level: usize, time: u64) {
        while self.latest.last().is_some_and(|&(older, _)| older <= level) {
            self.latest.pop();
        }
        self.latest.push((level, time));
    }

    /// When a lemma of this level or more last came; 0 if none ever did.
    pub fn last(&self, level: usize) -> u64 {
        let n_enough = self.latest.partition_point(|&(it, _)| it >= level);
        n_enough.checked_sub(1).map_or(0, |at| self.latest[at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::Changes;

    #[test]
    fn the_last_change_of_a_level_is_one_of_that_level_or_more() {
        let mut changes = Changes::default();
        let told = [(3, 1), (1, 2), (2, 5), (2, 7), (0, 8)];
        for (level, time) in told {
            changes.note(level, time);
        }
        for level in 0..5 {
            let expected = told.iter().filter(|it| it.0 >= level).map(|it| it.1).max();
            assert_eq!(changes.last(level), expected.unwrap_or(0), "{level}");
        }
    }
}
