//! Suites of thread programs, each program with several numbers of threads.

use std::path::Path;

use crate::suites::{Case, family, manifest};

/// Numbers of threads for the families.
const SIZES: [u32; 4] = [2, 4, 6, 8];

/// Numbers of threads for the collected programs, which bring data of their own.
const BOUNDS: [u32; 4] = [2, 4, 6, 8];

/// Families with the number of their workers last: one bit of data, two slots, two nodes.
const WORKERS: [(&str, &str); 5] = [
    ("spin-lock", "1"),
    ("ticket-lock", "3"),
    ("readers-writers", "1"),
    ("work-queue", "2"),
    ("cas-stack", "2"),
];

/// Every family of threads, in all sizes, safe and unsafe where that is a choice.
pub fn families() -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for n in SIZES {
        let text = n.to_string();
        for template in ["bluetooth", "bluetooth-fixed"] {
            let case = family(template, &[])?;
            // The driver fails from three threads on.
            let expect = case.expect.clone().filter(|_| n > 2);
            let name = format!("{template} {n} threads");
            let (threads, initial_threads) = (Some(n), Some(n));
            cases.push(Case { name, threads, initial_threads, expect, ..case });
        }
        for variant in ["safe", "unsafe"] {
            for (name, size) in WORKERS {
                // Some errors take more workers than there are: such a program is not generated.
                cases.extend(family(name, &[size, variant, &text]));
            }
            for name in ["barrier", "token-ring"] {
                cases.push(family(name, &[&text, variant])?);
            }
        }
    }
    Ok(cases)
}

/// The thread programs of ../shared/bench/bp: those of satabs and ucob, and of each program of ijit
/// the last abstraction, which has the most variables.
pub fn collected() -> Result<Vec<Case>, String> {
    let root = Path::new("../shared/bench/bp");
    let mut cases: Vec<Case> = Vec::new();
    for (file, goal, _, expected) in manifest(root)? {
        let text =
            std::fs::read_to_string(root.join(&file)).map_err(|why| format!("{file}: {why}"))?;
        let is_threaded = text.contains("start_thread") || text.contains("ASYNC_");
        if !is_threaded {
            continue;
        }
        for n in BOUNDS {
            // Recorded verdicts are for any number of threads; here only the engines are compared.
            let known = Some(expected.clone()).filter(|it| it == "safe");
            cases.push(Case {
                name: format!("{file} {n} threads"),
                text: text.clone(),
                label: goal.strip_prefix("label:").map(Into::into),
                threads: Some(n),
                initial_threads: None,
                expect: known,
                net: None,
            });
        }
    }
    let is_last = |case: &Case| match abstraction(&case.name) {
        Some((program, number)) => {
            let numbers = cases.iter().filter_map(|other| abstraction(&other.name));
            numbers.filter(|(other, _)| *other == program).all(|(_, other)| other <= number)
        }
        None => true,
    };
    Ok(cases.iter().filter(|case| is_last(case)).cloned().collect())
}

/// The folder and the number of a file such as `ijit/15_Boop/satabs.4.bp 2 threads`.
fn abstraction(name: &str) -> Option<(&str, u32)> {
    let (folder, file) = name.strip_prefix("ijit/")?.split_once('/')?;
    Some((folder, file.strip_prefix("satabs.")?.split('.').next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{abstraction, families};

    #[test]
    fn every_family_is_there_in_every_size() {
        let cases = families().expect("the sizes fit");
        for name in ["bluetooth 8", "ticket-lock 3 safe 8", "barrier 6 unsafe", "token-ring 2"] {
            assert!(cases.iter().any(|case| case.name.starts_with(name)), "{name}");
        }
        assert!(cases.iter().all(|case| case.threads.is_some()));
    }

    #[test]
    fn abstractions_are_numbered() {
        let name = "ijit/15_Boop/satabs.14.bp 2 threads";
        assert_eq!(abstraction(name), Some(("15_Boop", 14)));
        assert_eq!(abstraction("ucob/satabs.1.bp"), None);
    }
}
