//! Boolean programs: what the names of a text stand for, and all that is read off that.

mod complete;
mod fold;
mod format;
mod hover;
pub mod names;
mod navigate;
mod rename;
mod symbols;
mod tokens;

use hardbop_base::{Budget, Exhausted, SourceFile};
use hardbop_bp::ast;

use names::Names;

pub use complete::complete;
pub use fold::folds;
pub use format::format;
pub use hover::hover;
pub use navigate::{definition, highlights, references};
pub use rename::{prepare, rename};
pub use symbols::symbols;
pub use tokens::{legend, tokens};

/// The tree of a text and what its names stand for, as far as it can be read.
#[derive(Debug)]
pub struct Syntax {
    pub program: ast::Program,
    /// Whether a part of it could not be read.
    pub has_mistakes: bool,
    pub names: Names,
}

impl Syntax {
    pub fn of(file: &SourceFile, budget: &Budget) -> Result<Syntax, Exhausted> {
        let (program, diagnostics) = hardbop_bp::parse_within(file, budget)?;
        let has_mistakes = diagnostics.iter().any(hardbop_diag::Diagnostic::is_error);
        let names = Names::of(&program);
        Ok(Syntax { program, has_mistakes, names })
    }

    /// The procedure around a place, by its number.
    pub fn proc_at(&self, offset: u32) -> Option<usize> {
        self.program.procs.iter().position(|it| it.span.start <= offset && offset <= it.end.end)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::Syntax;
    use hardbop_base::{Budget, SourceFile};

    /// A text in which `@` marks the cursor: the file, its syntax, the offset.
    pub fn at(marked: &str) -> (SourceFile, Syntax, u32) {
        let offset = marked.find('@').expect("a cursor");
        let file = SourceFile::new("f.bp", marked.replacen('@', "", 1));
        let syntax = Syntax::of(&file, &Budget::unlimited()).unwrap();
        (file, syntax, offset as u32)
    }
}
