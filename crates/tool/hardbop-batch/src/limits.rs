//! What a task may use.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Limits of one task; `None` is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Of the processor, by all processes of the task together.
    pub cpu: Option<Duration>,
    /// By the clock on the wall.
    pub wall: Option<Duration>,
    /// Bytes, of all processes of the task together.
    pub memory: Option<u64>,
}

impl Limits {
    /// Where this says nothing, what the other says.
    pub fn or(self, other: Limits) -> Limits {
        Limits {
            cpu: self.cpu.or(other.cpu),
            wall: self.wall.or(other.wall),
            memory: self.memory.or(other.memory),
        }
    }

    /// Whether whoever had these could use all that the other allows: what was not decided then is not decided now.
    pub fn cover(self, other: Limits) -> bool {
        fn covers<T: PartialOrd>(had: Option<T>, asked: Option<T>) -> bool {
            match (had, asked) {
                (None, _) => true,
                (Some(_), None) => false,
                (Some(had), Some(asked)) => had >= asked,
            }
        }
        covers(self.cpu, other.cpu)
            && covers(self.wall, other.wall)
            && covers(self.memory, other.memory)
    }
}

#[cfg(test)]
mod tests {
    use super::Limits;
    use std::time::Duration;

    #[test]
    fn more_covers_less_and_none_covers_all() {
        let wall = |s| Limits { wall: Some(Duration::from_secs(s)), ..Limits::default() };
        assert!(wall(10).cover(wall(10)) && wall(10).cover(wall(1)));
        assert!(!wall(1).cover(wall(10)) && !wall(10).cover(Limits::default()));
        assert!(Limits::default().cover(wall(10)));
        let memory = Limits { memory: Some(1), ..wall(10) };
        assert!(!memory.cover(wall(1)) && wall(10).cover(memory));
    }
}
