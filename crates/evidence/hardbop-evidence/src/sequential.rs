//! Why a sequential program is safe: an invariant at every location, and its text form.
//!
//! The invariant of a location relates the values at the entry of its procedure with the values
//! now. The invariant of the exit is the procedure's summary. A program is safe if the invariants
//! hold initially, are closed under every statement, call and return, and exclude the goal; the
//! crate `hardbop-certify` checks just that. The text form is described in
//! `docs/formats/certificate.md`.

use std::fmt::Write;

use hardbop_base::{Bits, Idx, IndexVec};
use hardbop_cfg::{Goal, Loc, ProcId, VarId};

use crate::formula::{Formula, FormulaId, FormulaPool};
use crate::lines::{Lines, MOST, goal, number};

/// An inductive invariant of a sequential program.
#[derive(Clone, Debug)]
pub struct Invariants {
    /// What it excludes.
    pub goal: Goal,
    /// Owns the formulas of all procedures.
    pub formulas: FormulaPool,
    /// What holds in each procedure.
    pub procs: IndexVec<ProcId, ProcInvariant>,
}

/// The invariants of one procedure.
#[derive(Clone, Default, Debug)]
pub struct ProcInvariant {
    /// Shared variables that neither the procedure nor anything it calls assigns. They have their
    /// entry values throughout, and no formula has to say so.
    pub frame: Bits,
    /// `None`: the location is never reached.
    pub at: IndexVec<Loc, Option<FormulaId>>,
}

impl Invariants {
    /// Everything below the version line.
    pub(crate) fn print(&self, out: &mut String) {
        writeln!(out, "goal {}", self.goal).expect("writing to a string");
        for (id, formula) in self.formulas.iter() {
            let list =
                |ids: &[FormulaId]| ids.iter().map(|id| format!(" {id}")).collect::<String>();
            let text = match formula {
                Formula::Const(value) => value.to_string(),
                Formula::Entry(var) => format!("entry {}", var.as_u32()),
                Formula::Current(var) => format!("now {}", var.as_u32()),
                Formula::Not(a) => format!("not {a}"),
                Formula::And(ids) => format!("and{}", list(ids)),
                Formula::Or(ids) => format!("or{}", list(ids)),
                Formula::Ite(c, a, b) => format!("ite {c} {a} {b}"),
            };
            writeln!(out, "{id} = {text}").expect("writing to a string");
        }
        for proc in &self.procs {
            let frame: String = proc.frame.iter().map(|var| format!(" {var}")).collect();
            writeln!(out, "proc {} frame{frame}", proc.at.len()).expect("writing to a string");
            for (loc, invariant) in proc.at.iter_enumerated() {
                if let Some(formula) = invariant {
                    writeln!(out, "at {loc} {formula}").expect("writing to a string");
                }
            }
        }
        out.push_str("end\n");
    }

    /// Reads what follows the version line.
    pub(crate) fn read(lines: Lines<'_>) -> Result<Invariants, String> {
        let mut invariants = Invariants {
            goal: Goal::Assert,
            formulas: FormulaPool::default(),
            procs: IndexVec::new(),
        };
        // Ids of the file, which need not be those of our pool: it merges equal nodes.
        let mut ids = Vec::new();
        let mut has_goal = false;
        lines.each(|line| {
            if !has_goal {
                has_goal = true;
                invariants.goal = goal(line)?;
                return Ok(());
            }
            invariants.read_line(line, &mut ids)
        })?;
        if has_goal { Ok(invariants) } else { Err("line 2: there is no goal".into()) }
    }

    fn read_line(&mut self, line: &str, ids: &mut Vec<FormulaId>) -> Result<(), String> {
        let mut words = line.split_ascii_whitespace();
        let first = words.next().unwrap_or("");
        let rest: Vec<_> = words.collect();
        match (first, rest.as_slice()) {
            ("proc", [n_locs, "frame", frame @ ..]) => {
                let n_locs = number(n_locs, MOST)?;
                let frame = frame.iter().map(|var| number(var, MOST)).collect::<Result<_, _>>()?;
                self.procs.push(ProcInvariant { frame, at: IndexVec::from_elem(None, n_locs) });
            }
            ("at", [loc, formula]) => {
                let formula = reference(formula, ids)?;
                let proc = self.procs.as_mut_slice().last_mut().ok_or("`at` before `proc`")?;
                let loc = loc.strip_prefix('l').ok_or("expected a location")?;
                let loc = Loc::new(number(loc, proc.at.len())?);
                if proc.at[loc].replace(formula).is_some() {
                    return Err(format!("{loc} has an invariant already"));
                }
            }
            (_, ["=", kind, operands @ ..]) => {
                if first != format!("f{}", ids.len()) {
                    return Err(format!("expected f{}", ids.len()));
                }
                let formula = formula(kind, operands, ids)?;
                ids.push(self.formulas.add(formula));
            }
            _ => return Err(format!("cannot read `{line}`")),
        }
        Ok(())
    }
}

fn reference(text: &str, ids: &[FormulaId]) -> Result<FormulaId, String> {
    let index =
        text.strip_prefix('f').ok_or_else(|| format!("expected a formula, not `{text}`"))?;
    Ok(ids[number(index, ids.len())?])
}

fn formula(kind: &str, operands: &[&str], ids: &[FormulaId]) -> Result<Formula, String> {
    let list = || operands.iter().map(|id| reference(id, ids)).collect::<Result<Vec<_>, _>>();
    let var = |text| Ok::<_, String>(VarId::new(number(text, MOST)?));
    Ok(match (kind, operands) {
        ("true", []) => Formula::Const(true),
        ("false", []) => Formula::Const(false),
        ("entry", [index]) => Formula::Entry(var(index)?),
        ("now", [index]) => Formula::Current(var(index)?),
        ("and", _) => Formula::And(list()?),
        ("or", _) => Formula::Or(list()?),
        ("not", [a]) => Formula::Not(reference(a, ids)?),
        ("ite", [c, a, b]) => {
            Formula::Ite(reference(c, ids)?, reference(a, ids)?, reference(b, ids)?)
        }
        _ => return Err(format!("`{kind}` with {} operands", operands.len())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Certificate;

    fn sample() -> Certificate {
        let mut formulas = FormulaPool::default();
        let entry = formulas.add(Formula::Entry(VarId::new(3)));
        let now = formulas.add(Formula::Current(VarId::new(0)));
        let not = formulas.add(Formula::Not(now));
        let both = formulas.add(Formula::And(vec![entry, not]));
        let ite = formulas.add(Formula::Ite(now, both, entry));
        let truth = formulas.constant(true);
        let frame = [1, 2].into_iter().collect();
        let procs = vec![
            ProcInvariant { frame, at: vec![Some(ite), None, Some(truth)].into() },
            ProcInvariant::default(),
        ];
        Invariants { goal: Goal::Label("a b".into()), formulas, procs: procs.into() }.into()
    }

    #[test]
    fn printing_and_reading_are_inverse() {
        let text = sample().print();
        let read = Certificate::read(&text).unwrap();
        assert_eq!(read.print(), text);
        assert_eq!(read.goal(), Some(&Goal::Label("a b".into())));
    }

    #[test]
    fn every_truncation_and_every_odd_line_is_an_error() {
        let text = sample().print();
        let lines: Vec<_> = text.lines().collect();
        for n in 0..lines.len() {
            assert!(Certificate::read(&lines[..n].join("\n")).is_err(), "{n} lines");
        }
        for odd in [
            "f0 = true",
            "f9 = true",
            "at l7 f0",
            "at l0 f77",
            "proc x frame",
            "f6 = ite f0",
            "goal assert",
            "?",
        ] {
            let forged = text.replace("end\n", &format!("{odd}\nend\n"));
            assert!(Certificate::read(&forged).is_err(), "{odd}");
        }
    }

    #[test]
    fn a_damaged_head_or_tail_is_refused_at_its_place() {
        let text = sample().print();
        let n_lines = text.lines().count();
        let head = "hardbop-certificate 1 sequential";
        for (from, to, line) in [
            (head, "hardbop-certificate 1sequential", 1),
            (head, "hardbop-certificate 12 sequential", 1),
            (head, "hardbop-certificate 1  sequential", 1),
            (head, "hardbop-certificate 1 sequential bounded", 1),
            (head, "hardbop-certificate 2 sequential", 1),
            (head, "\u{feff}hardbop-certificate 1 sequential", 1),
            (head, "", 1),
            ("goal label:a b\n", "", 2),
            ("goal label:a b\n", "goal label:a b\ngoal assert\n", 3),
            ("end\n", "end\nat l0 f0\n", n_lines + 1),
            ("end\n", "end\n\nend\n", n_lines + 2),
            ("end\n", "", n_lines - 1),
        ] {
            let damaged = text.replace(from, to);
            assert_ne!(damaged, text);
            let error = Certificate::read(&damaged).expect_err(to);
            assert!(error.starts_with(&format!("line {line}: ")), "{to:?}: {error}");
        }
        assert!(Certificate::read(&(text + "\n")).is_ok());
    }
}
