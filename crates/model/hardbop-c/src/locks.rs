//! Which functions acquire and release locks; a user can add to the table.

use std::str::FromStr;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockAct {
    Init,
    Acquire,
    Release,
    /// Acquires the lock or not, which the result tells: 1 or 0.
    Try,
    /// The same; the result is 0 or an error.
    TryZero,
}

/// Function names with what they do to the lock their first argument points to.
#[derive(Clone, Debug)]
pub struct LockTable {
    entries: Vec<(String, LockAct)>,
    /// How many of them are those of every table.
    n_known: usize,
}

impl LockTable {
    /// Later entries go before earlier ones.
    pub fn add(&mut self, function: impl Into<String>, act: LockAct) {
        self.entries.push((function.into(), act));
    }

    /// Whether a user said so.
    pub fn is_told(&self, function: &str) -> bool {
        self.entries[self.n_known..].iter().any(|(name, _)| name == function)
    }

    pub fn find(&self, function: &str) -> Option<LockAct> {
        self.entries.iter().rev().find(|(name, _)| name == function).map(|&(_, act)| act)
    }
}

impl Default for LockTable {
    fn default() -> Self {
        let mut table = LockTable { entries: Vec::new(), n_known: 0 };
        for lock in ["spin", "mutex", "pthread_mutex", "pthread_spin", "raw_spin"] {
            table.add(format!("{lock}_init"), LockAct::Init);
            table.add(format!("{lock}_lock"), LockAct::Acquire);
            table.add(format!("{lock}_unlock"), LockAct::Release);
            let tried = if lock.starts_with("pthread") { LockAct::TryZero } else { LockAct::Try };
            table.add(format!("{lock}_trylock"), tried);
        }
        for lock in ["spin", "raw_spin"] {
            table.add(format!("{lock}_lock_init"), LockAct::Init);
            for (acquire, release) in [("irq", "irq"), ("irqsave", "irqrestore"), ("bh", "bh")] {
                table.add(format!("{lock}_lock_{acquire}"), LockAct::Acquire);
                table.add(format!("{lock}_unlock_{release}"), LockAct::Release);
            }
        }
        table.add("pthread_mutex_destroy", LockAct::Init);
        table.add("pthread_spin_destroy", LockAct::Init);
        table.n_known = table.entries.len();
        table
    }
}

/// `FUNCTION=ACT`, as a user writes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LockEntry {
    pub function: String,
    pub act: LockAct,
}

impl FromStr for LockEntry {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = "write FUNCTION=init, acquire, release, try or try0";
        let (function, act) = text.split_once('=').ok_or(wanted)?;
        let act = match act {
            "init" => LockAct::Init,
            "acquire" => LockAct::Acquire,
            "release" => LockAct::Release,
            "try" => LockAct::Try,
            "try0" => LockAct::TryZero,
            _ => return Err(wanted.into()),
        };
        match function.is_empty() {
            true => Err(wanted.into()),
            false => Ok(LockEntry { function: function.into(), act }),
        }
    }
}
