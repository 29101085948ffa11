//! Thousands of managers, one after the other: no thread and no memory stays behind. Alone in
//! its file, because it counts the threads of the process.

#![cfg(target_os = "linux")]

use std::time::{Duration, Instant};

use hardbop_base::memory::resident_bytes;
use hardbop_dd::{Level, Limits, Manager};

fn n_threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

fn use_one() {
    let m = Manager::new(20, Limits::SMALL);
    let f = (0..10).fold(m.zero().clone(), |sum, i| {
        let [x, y] = [i, 10 + i].map(|i| m.var(Level::from_u32(i)).unwrap());
        m.or(&sum, &m.and(&x, &y).unwrap()).unwrap()
    });
    assert_eq!(m.support(&f).len(), 20);
}

#[test]
fn managers_leave_nothing_behind() {
    let threads = n_threads();
    for _ in 0..200 {
        use_one();
    }
    let bytes = resident_bytes().unwrap();
    for _ in 0..3_000 {
        use_one();
    }
    // Threads end a moment after their manager.
    let waiting = Instant::now();
    while n_threads() > threads && waiting.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(n_threads(), threads);
    let grown = resident_bytes().unwrap().saturating_sub(bytes);
    assert!(grown < 20_000_000, "{grown} bytes stayed behind");
}
