//! The processor time this process may use (`ulimit -t`): where it ends, the system ends the process
//! without a word.

use std::time::Duration;

use cpu_time::ProcessTime;

/// What is left of it, or `None` without a limit.
pub(crate) fn left() -> Option<Duration> {
    let limit = limit(&std::fs::read_to_string("/proc/self/limits").ok()?)?;
    Some(limit.saturating_sub(ProcessTime::now().as_duration()))
}

/// The soft limit; an unlimited one is not a number.
fn limit(limits: &str) -> Option<Duration> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max cpu time"))?;
    line.split_ascii_whitespace().next()?.parse().ok().map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::limit;
    use std::time::Duration;

    #[test]
    fn the_soft_limit_is_read() {
        let head =
            "Limit                     Soft Limit           Hard Limit           Units     \n";
        let line = |soft| {
            format!("{head}Max cpu time              {soft}          60           seconds\n")
        };
        assert_eq!(limit(&line("30")), Some(Duration::from_secs(30)));
        assert_eq!(limit(&line("unlimited")), None);
        assert_eq!(limit(head), None);
    }
}
