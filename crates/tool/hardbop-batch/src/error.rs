//! What can go wrong before and beside the checks themselves.

use std::fmt;
use std::io;
use std::path::Path;

/// Why a batch cannot begin or cannot go on.
#[derive(Debug)]
pub enum Trouble {
    /// A plan says something that is not understood; the text begins with the file and, where there is one, the line.
    Plan(String),
    /// The words of the command line do not go together.
    Usage(String),
    /// The world: a file, a folder, a process.
    Io(String),
    /// The store cannot be read or written.
    Store(String),
}

impl Trouble {
    /// Something about a line of a file.
    pub fn at(file: &Path, line: usize, why: impl fmt::Display) -> Trouble {
        Trouble::Plan(format!("{}:{line}: {why}", file.display()))
    }

    /// Something about a file as a whole.
    pub fn of(file: &Path, why: impl fmt::Display) -> Trouble {
        Trouble::Plan(format!("{}: {why}", file.display()))
    }

    /// A file that cannot be read or written.
    pub fn io(file: &Path, error: &io::Error) -> Trouble {
        Trouble::Io(format!("{}: {error}", file.display()))
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Plan(why) | Trouble::Usage(why) | Trouble::Io(why) | Trouble::Store(why) => {
                f.write_str(why)
            }
        }
    }
}

impl std::error::Error for Trouble {}

/// The file's text.
pub fn read(file: &Path) -> Result<String, Trouble> {
    std::fs::read_to_string(file).map_err(|error| Trouble::io(file, &error))
}
