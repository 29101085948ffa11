//! The corpus against the compiler: `native compare FOLDER` and `native violations FOLDER`
//! (`cargo run --release -p hardbop-c --example native -- …`).

mod compare;
mod compiled;
mod violations;

use std::path::Path;

fn main() -> std::io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let native = compiled::Native::new()?;
    match &args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["compare", folder] => compare::main(Path::new(folder), &native),
        ["violations", folder] => violations::main(Path::new(folder), &native)?,
        _ => eprintln!("usage: native compare|violations FOLDER"),
    }
    Ok(())
}
