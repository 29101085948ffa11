//! The C corpus against the compiler.

mod compare;
mod compiled;
mod violations;

use std::path::PathBuf;

#[derive(clap::Subcommand)]
pub enum Native {
    /// What programs print and how they end, on the interpreter and compiled
    Compare { folder: PathBuf },
    /// Whether the line that a sanitizer complains about is listed as a check
    Violations { folder: PathBuf },
}

pub fn run(what: &Native) -> Result<(), String> {
    let native = compiled::Native::new().map_err(|error| error.to_string())?;
    match what {
        Native::Compare { folder } => compare::run_all(folder, &native),
        Native::Violations { folder } => {
            violations::run_all(folder, &native).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}
