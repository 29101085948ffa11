//! Options that say nothing about the files given: a misunderstanding, which is told and not passed over.

use std::path::Path;

use hardbop_engine::{Reduction, Threads};

use crate::args::CheckArgs;
use crate::{c, nets};

/// What a file is, by the end of its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Boolean,
    Net,
    C,
}

impl Kind {
    fn of(path: &Path) -> Kind {
        match nets::Kind::of(path) {
            Some(_) => Kind::Net,
            None if c::is_c(path) => Kind::C,
            None => Kind::Boolean,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Boolean => "Boolean programs",
            Kind::Net => "nets",
            Kind::C => "C",
        }
    }
}

/// A message if all files are of one kind and an option is for others only. With files of several kinds each
/// takes what is for it.
pub fn misfit(args: &CheckArgs) -> Option<String> {
    let mut kinds = args.files.iter().map(|file| Kind::of(file));
    let kind = kinds.next()?;
    if !kinds.all(|other| other == kind) {
        return None;
    }
    use Kind::{Boolean, C, Net};
    let bounds = !matches!(args.threads, None | Some(Threads::Unbounded));
    let options: [(&str, bool, &[Kind]); 17] = [
        ("--goal", args.goal.is_some(), &[Boolean]),
        ("--threads", bounds, &[Boolean]),
        ("--threads inf", args.threads == Some(Threads::Unbounded), &[Boolean, Net]),
        ("--initial-threads", args.initial_threads.is_some(), &[Boolean]),
        ("--contexts", args.contexts.is_some(), &[Boolean]),
        ("--por", args.por != Reduction::None, &[Boolean]),
        ("--all", args.all, &[Boolean, C]),
        ("--explain", args.explain.is_some(), &[Boolean]),
        ("--certificate", args.certificate.is_some(), &[Boolean, Net]),
        ("--no-certificate", args.no_certificate, &[Boolean, Net]),
        ("--init", args.net.init.is_some(), &[Net]),
        ("--target", args.net.target.is_some(), &[Net]),
        ("--unwind", args.unwind.is_some(), &[C]),
        ("--list-properties", args.list_properties, &[C]),
        ("--property, -I, -D or --lock", args.c.is_given(), &[C]),
        ("--fsoft-…", args.fsoft.is_given(), &[C]),
        ("--witness or --testbench", args.c_output.is_given(), &[C]),
    ];
    let given = options.iter().filter(|(_, given, kinds)| *given && !kinds.contains(&kind));
    let given: Vec<_> = given.map(|(name, ..)| *name).collect();
    let says_nothing = || format!("{} means nothing for {}", given.join(", "), kind.name());
    (!given.is_empty()).then(says_nothing)
}
