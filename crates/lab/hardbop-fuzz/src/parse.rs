//! The campaign against parser, printer and lowering.

use std::time::{Duration, Instant};

use hardbop_base::SourceFile;
use hardbop_bp::ast::Program;
use hardbop_gen::random::{Profile, mangle, program};

use crate::campaign::{Failure, FailureKind, Outcome};
use crate::small::shrunk_text;

/// Mangled variants of each program.
const N_MANGLED: u64 = 3;

pub fn check(profile: &Profile, seed: u64, limit: Duration) -> Outcome {
    let start = Instant::now();
    let program = program(seed, profile);
    well_formed(&program)?;
    let text = hardbop_bp::print(&program);
    let mut words = vec!["round trips".to_string()];
    for variant in 0..N_MANGLED {
        let mangled = mangle(&text, seed.wrapping_mul(N_MANGLED).wrapping_add(variant));
        let is_read = survives(&mangled)?;
        words.push(
            if is_read { "mangled, still a program" } else { "mangled, rejected" }.to_string(),
        );
    }
    if start.elapsed() > limit {
        words.push("gave up: over the time limit".to_string());
    }
    Ok(words)
}

pub fn shrunk(profile: &Profile, seed: u64, kind: FailureKind) -> String {
    shrunk_text(&program(seed, profile), kind, &well_formed)
}

/// A program of the generator is accepted, and printing and reading it changes nothing.
fn well_formed(program: &Program) -> Result<(), Failure> {
    let text = hardbop_bp::print(program);
    let file = SourceFile::new("random.bp", text);
    let (mut read, _) = hardbop_bp::parse(&file);
    let (lowered, diagnostics) = hardbop_bp::load(&file);
    let fail = |kind, what: &str| Err(Failure::new(kind, format!("{what}\n\n{}", file.text)));
    if lowered.is_none() {
        let first = diagnostics.iter().find(|diagnostic| diagnostic.is_error());
        return match first {
            Some(error) => fail(FailureKind::Rejected(error.code.0), &error.message),
            None => fail(FailureKind::Unexplained, "no program and no error"),
        };
    }
    if hardbop_bp::print(&read) != file.text {
        return fail(FailureKind::RoundTrip, "printed again, the text is another");
    }
    hardbop_gen::erase_spans(&mut read);
    if read != *program {
        return fail(FailureKind::RoundTrip, "read again, the tree is another");
    }
    Ok(())
}

/// Ill-formed text gives diagnostics or a program; says which. What was read prints as a fixed
/// point where nothing was wrong.
fn survives(text: &str) -> Result<bool, Failure> {
    let file = SourceFile::new("mangled.bp", text);
    let caught = crate::caught::catch(|| {
        let (lowered, diagnostics) = hardbop_bp::load(&file);
        (lowered.is_some(), diagnostics.iter().any(|diagnostic| diagnostic.is_error()))
    });
    let fail = |kind, what: &str| Err(Failure::new(kind, format!("{what}\n\n{text}")));
    match caught {
        Err(panic) => return fail(FailureKind::Panic, &panic),
        Ok((true, true)) => return fail(FailureKind::Unexplained, "a program in spite of errors"),
        Ok((false, false)) => return fail(FailureKind::Unexplained, "no program and no error"),
        Ok((false, true)) => return Ok(false),
        Ok((true, false)) => {}
    }
    let printed = hardbop_bp::print(&hardbop_bp::parse(&file).0);
    let again = SourceFile::new("mangled.bp", printed);
    if hardbop_bp::print(&hardbop_bp::parse(&again).0) != again.text {
        return fail(FailureKind::RoundTrip, "printing what was printed changes it");
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use hardbop_gen::random::Profile;

    #[test]
    fn a_short_campaign_finds_nothing() {
        for profile in Profile::all() {
            for seed in 0..300 {
                let outcome = super::check(&profile, seed, Duration::from_secs(5));
                assert!(outcome.is_ok(), "{} {seed}: {outcome:?}", profile.name);
            }
        }
    }
}
