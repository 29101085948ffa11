//! The campaign against the command: random options, inputs, limits and signals.
//!
//! Whatever is asked, the command ends with a documented exit code, in time, without a panic; what it prints
//! as JSON is of the published schema and says the same as the exit code; inputs stay as they are, and
//! nothing is made but what was named.

mod case;
mod judge;
mod process;
mod schema;
mod world;

use std::path::{Path, PathBuf};

use hardbop_base::rng::Rng;

use crate::campaign::{Failure, FailureKind, Outcome};
use case::Case;
use world::World;

pub struct Setup {
    /// The command under test.
    pub binary: PathBuf,
    /// What a busy machine may cost: the second beyond each limit is multiplied by it.
    pub slack: f64,
}

/// The command, if it was built beside this program.
pub fn beside() -> PathBuf {
    let here = std::env::current_exe().unwrap_or_default();
    here.parent().unwrap_or(Path::new(".")).join("hardbop")
}

pub fn check(setup: &Setup, seed: u64) -> Outcome {
    let mut rng = Rng::new(seed);
    let broken = |error: std::io::Error| Failure::new(FailureKind::Command, error.to_string());
    let world = World::new(seed, &mut rng).map_err(broken)?;
    let case = Case::random(&mut rng, &world);
    let before = world.files().map_err(broken)?;
    let ended = process::run(setup, &case, &world).map_err(broken)?;
    let after = world.files().map_err(broken)?;
    let found = judge::judge(setup, &case, &ended).and_then(|words| {
        judge::files(&case, &before, &after)?;
        Ok(words)
    });
    found.map_err(|why| {
        let told = String::from_utf8_lossy(&ended.stderr);
        let said = String::from_utf8_lossy(&ended.stdout);
        let cut = |text: &str| text.chars().take(2000).collect::<String>();
        let detail = format!(
            "{why}\n{}\nended as {:?} after {:.2} s\nstandard output:\n{}\nstandard error:\n{}",
            case.shown(),
            ended.end,
            ended.time.as_secs_f64(),
            cut(&said),
            cut(&told)
        );
        Failure::new(FailureKind::Command, detail)
    })
}
