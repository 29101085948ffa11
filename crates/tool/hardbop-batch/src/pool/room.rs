//! How many tasks fit this machine at once.

use hardbop_base::memory;

use crate::task::Task;

/// As many as there are cores, fewer where their limits of memory are more than the machine has.
pub fn jobs<'a>(tasks: impl Iterator<Item = &'a Task>) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, |it| it.get());
    let largest = tasks.filter_map(|it| it.limits.memory).max();
    match (largest, memory::total_bytes()) {
        (Some(each), Some(total)) => {
            let fit = (total / 10 * 9 / each.max(1)) as usize;
            cores.min(fit).max(1)
        }
        _ => cores,
    }
}
