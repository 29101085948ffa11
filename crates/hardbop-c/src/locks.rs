//! Which functions acquire and release locks; a user can add to the table.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockAct {
    Init,
    Acquire,
    Release,
}

/// Function names with what they do to the lock their first argument points to.
#[derive(Clone, Debug)]
pub struct LockTable {
    entries: Vec<(String, LockAct)>,
}

impl LockTable {
    pub fn add(&mut self, function: impl Into<String>, act: LockAct) {
        self.entries.push((function.into(), act));
    }

    pub fn find(&self, function: &str) -> Option<LockAct> {
        self.entries.iter().rev().find(|(name, _)| name == function).map(|&(_, act)| act)
    }
}

impl Default for LockTable {
    fn default() -> Self {
        let mut table = LockTable { entries: Vec::new() };
        for lock in ["spin", "mutex", "pthread_mutex", "pthread_spin"] {
            table.add(format!("{lock}_init"), LockAct::Init);
            table.add(format!("{lock}_lock"), LockAct::Acquire);
            table.add(format!("{lock}_unlock"), LockAct::Release);
        }
        table.add("spin_lock_init", LockAct::Init);
        table.add("pthread_mutex_destroy", LockAct::Init);
        table
    }
}
