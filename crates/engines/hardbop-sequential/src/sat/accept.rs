//! Which tasks the engines of this crate take.

use hardbop_engine::{InitialThreads, Task};

/// One thread, from beginning to end; any recursion.
pub fn sequential(task: &Task<'_>) -> Result<(), String> {
    if task.program.starts_threads() {
        return Err("the program starts threads".into());
    }
    if task.initial_threads != InitialThreads::Count(1) {
        return Err("several threads run main".into());
    }
    Ok(())
}
