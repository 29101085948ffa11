//! Headers of ours: `hardbop.h`, and what is missing for pointers of 32 bits where the system has those
//! for 64 alone.
//!
//! The headers themselves serve both widths: what a compiler for 32 bits lacks is the folder they lie
//! in, and `gnu/stubs-32.h`, which lists functions that do nothing and is empty as far as a program
//! is concerned. So the compiler is asked for 32 bits, looks into the folders of its own width last,
//! and finds that one file with us. Sizes and limits are then those of 32 bits, without exception.

use std::io;
use std::path::{Path, PathBuf};

use crate::scratch::Folder;

/// Contracts of functions, for `#include <hardbop.h>`.
pub const HARDBOP_H: &str = include_str!("../library/hardbop.h");

/// A folder of ours with the headers; it goes when this goes.
pub(crate) struct Stubs(Folder);

impl Stubs {
    pub fn write() -> io::Result<Stubs> {
        let folder = Folder::create("headers")?;
        std::fs::write(folder.path().join("hardbop.h"), HARDBOP_H)?;
        std::fs::create_dir(folder.path().join("gnu"))?;
        std::fs::write(folder.path().join("gnu/stubs-32.h"), "")?;
        Ok(Stubs(folder))
    }

    pub fn folder(&self) -> &Path {
        self.0.path()
    }
}

/// Where a compiler looks for headers, as it says with `-v`.
pub(crate) fn search_list(said: &str) -> Vec<PathBuf> {
    said.lines()
        .skip_while(|line| !line.starts_with("#include <...>"))
        .skip(1)
        .take_while(|line| line.starts_with(' '))
        .map(|line| PathBuf::from(line.trim().trim_end_matches(" (framework directory)")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::search_list;
    use std::path::Path;

    #[test]
    fn folders_are_those_between_the_marks() {
        let said = "ignoring \"/x\"\n#include \"...\" search starts here:\n\
                    #include <...> search starts here:\n /usr/lib/cc/include\n /usr/include\n\
                    End of search list.\n# 1 \"/dev/null\"\n";
        assert_eq!(
            search_list(said),
            [Path::new("/usr/lib/cc/include"), Path::new("/usr/include")]
        );
        assert!(search_list("cc: no such option").is_empty());
    }
}
