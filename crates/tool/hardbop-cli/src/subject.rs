//! What is checked: one report each. C files are linked into one program, others stand for themselves.

use std::path::{Path, PathBuf};

use crate::c;

/// What a file is, by the end of its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A Boolean program.
    Boolean,
    /// A thread-transition system.
    Tts,
    /// A Petri net.
    Spec,
    C,
}

impl Kind {
    pub fn of(path: &Path) -> Kind {
        match path.extension().and_then(|it| it.to_str()) {
            Some("tts") => Kind::Tts,
            Some("spec") => Kind::Spec,
            _ if c::is_c(path) => Kind::C,
            _ => Kind::Boolean,
        }
    }

    /// What the facade calls it.
    pub fn of_facade(self) -> hardbop_check::Kind {
        match self {
            Kind::Boolean => hardbop_check::Kind::Program,
            Kind::Tts | Kind::Spec => hardbop_check::Kind::Net,
            Kind::C => hardbop_check::Kind::C,
        }
    }

    /// In words, for several.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Boolean => "Boolean programs",
            Kind::Tts => "nets (.tts)",
            Kind::Spec => "nets (.spec)",
            Kind::C => "C",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Subject {
    pub kind: Kind,
    /// Several for C only.
    pub files: Vec<PathBuf>,
}

impl Subject {
    /// The files as the user named them.
    pub fn name(&self) -> String {
        let names: Vec<_> = self.files.iter().map(|it| it.display().to_string()).collect();
        names.join(" ")
    }
}

/// In the order of the command line; the C program stands where its first file does.
pub fn subjects(files: &[PathBuf]) -> Vec<Subject> {
    let mut subjects: Vec<Subject> = Vec::new();
    for file in files {
        let kind = Kind::of(file);
        let linked = subjects.iter_mut().find(|it| it.kind == Kind::C && kind == Kind::C);
        match linked {
            Some(program) => program.files.push(file.clone()),
            None => subjects.push(Subject { kind, files: vec![file.clone()] }),
        }
    }
    subjects
}

#[cfg(test)]
mod tests {
    use super::{Kind, subjects};

    #[test]
    fn c_files_are_one_program() {
        let files = ["a.bp", "x.c", "-", "y.i", "n.tts"].map(Into::into);
        let found = subjects(&files);
        let kinds: Vec<_> = found.iter().map(|it| it.kind).collect();
        assert_eq!(kinds, [Kind::Boolean, Kind::C, Kind::Boolean, Kind::Tts]);
        assert_eq!(found[1].name(), "x.c y.i");
    }
}
