//! A table held against one that was kept: what was decided then and is not now, and what takes more than twice as long.

use std::collections::BTreeMap;
use std::path::Path;

/// Below this a ratio of processor times says nothing, in seconds.
const NOISE: f64 = 0.1;

/// What matters of a row.
struct Row {
    verdict: String,
    certified: bool,
    seconds: f64,
}

impl Row {
    fn is_decided(&self) -> bool {
        matches!(self.verdict.as_str(), "safe" | "unsafe")
    }
}

/// The lines that tell where `now` is worse than the table of that file; both as CSV.
pub fn compare(file: &Path, now: &str) -> Result<Vec<String>, String> {
    let kept = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    worse(&kept, now)
}

fn worse(kept: &str, now: &str) -> Result<Vec<String>, String> {
    let (before, now) = (rows(kept)?, rows(now)?);
    let mut worse = Vec::new();
    for (key @ (program, engine), old) in &before {
        let Some(new) = now.get(key) else {
            worse.push(format!("{program}, {engine}: not in the new table"));
            continue;
        };
        let mut say = |what: String| worse.push(format!("{program}, {engine}: {what}"));
        if old.is_decided() && new.verdict != old.verdict {
            say(format!("{}, was {}", new.verdict, old.verdict));
        } else if old.certified && !new.certified {
            say("not certified any more".into());
        } else if new.seconds > 2.0 * old.seconds.max(NOISE) {
            say(format!("{:.2} s, was {:.2} s", new.seconds, old.seconds));
        }
    }
    Ok(worse)
}

/// By program and engine.
fn rows(csv: &str) -> Result<BTreeMap<(String, String), Row>, String> {
    let mut lines = csv.lines();
    let head: Vec<&str> = lines.next().unwrap_or("").split(',').collect();
    let column = |name: &str| {
        let at = head.iter().position(|it| *it == name);
        at.ok_or_else(|| format!("the table has no column {name}"))
    };
    let (program, engine) = (column("program")?, column("engine")?);
    let (verdict, certified) = (column("verdict")?, column("certified")?);
    let seconds = column("seconds")?;
    let mut rows = BTreeMap::new();
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let cell = |at: usize| cells.get(at).copied().ok_or_else(|| format!("not a row: {line}"));
        let row = Row {
            verdict: cell(verdict)?.into(),
            certified: cell(certified)? == "yes",
            seconds: cell(seconds)?.parse().map_err(|_| format!("not a time: {line}"))?,
        };
        rows.insert((cell(program)?.into(), cell(engine)?.into()), row);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::worse;

    const HEAD: &str = "suite,program,engine,verdict,certified,seconds\n";

    #[test]
    fn what_is_worse_is_told_and_nothing_else() {
        let kept = "n,a,auto,safe,yes,1.0\nn,b,auto,unknown,no,9.0\nn,c,auto,unsafe,yes,0.01\n\
                    n,d,auto,safe,yes,1.0\nn,e,auto,safe,yes,0.3\n";
        let now = "n,a,auto,unknown,no,1.0\nn,b,auto,safe,yes,1.0\nn,c,auto,unsafe,yes,0.15\n\
                   n,d,auto,safe,no,1.0\nn,e,auto,safe,yes,0.7\n";
        let told = worse(&format!("{HEAD}{kept}"), &format!("{HEAD}{now}")).expect("tables");
        assert_eq!(
            told,
            [
                "a, auto: unknown, was safe",
                "d, auto: not certified any more",
                "e, auto: 0.70 s, was 0.30 s",
            ]
        );
        let gone = worse(&format!("{HEAD}{kept}"), HEAD).expect("tables");
        assert_eq!(gone.len(), 5);
        assert!(worse("", HEAD).is_err_and(|why| why.contains("no column")));
    }
}
