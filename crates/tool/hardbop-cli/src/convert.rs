//! `hardbop convert`: kept results in another format, without checking again.

use std::io;
use std::path::PathBuf;

use clap::Args;
use hardbop_report::read;

use crate::exit::Exit;
use crate::format::Format;
use crate::output::named;
use crate::voice::{self, tell};

/// Print results that were kept as JSON in another format
#[derive(Args, Debug)]
pub struct ConvertArgs {
    /// What `hardbop check --format json` has printed
    pub results: PathBuf,

    /// How to print them
    #[arg(long, value_enum)]
    pub format: Format,
}

pub fn convert(args: &ConvertArgs) -> io::Result<Exit> {
    if args.format == Format::Human {
        tell!("hardbop: for a person there is --format markdown, and `hardbop explore`");
        return Ok(Exit::Usage);
    }
    let path = &args.results;
    let text = std::fs::read_to_string(path).map_err(|error| named(path, &error))?;
    match read(&text) {
        Ok(records) => {
            let pieces: String = records.iter().map(|it| args.format.piece(it)).collect();
            voice::result(&(pieces + &args.format.document(records.iter())))?;
            Ok(Exit::Safe)
        }
        Err(why) => {
            tell!("hardbop: {}:{why}", path.display());
            Ok(Exit::Rejected)
        }
    }
}
