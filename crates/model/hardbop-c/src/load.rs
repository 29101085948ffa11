//! Files to a program: read, preprocess, parse, add the library, lower, verify.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use hardbop_base::{Exhausted, Span};
use hardbop_cir::pass::outside;
use hardbop_cir::{ObjId, Program, Shape};
use hardbop_diag::{Diagnostic, Sink, codes};

use crate::library;
use crate::loader::Loader;
use crate::lower::{Options, Unified, lower_units};
use crate::source::Sources;
use crate::syntax::{Unit, parse};

/// Stack for the recursion of parser and lowering: [`crate::syntax::MAX_DEPTH`] levels fit.
const STACK: usize = 512 << 20;

/// A program with its text.
#[derive(Clone, Debug)]
pub struct CProgram {
    pub program: Program,
    /// The same, if functions without a body that promise nothing returned objects; there if that
    /// makes a difference. Its executions are executions of the program.
    pub trusting: Option<Program>,
    /// The same with functions of the library that may do more than they do and have no loops; there if that makes a
    /// difference. What is safe in it is safe in the program. It has checks and registers of its own.
    pub brief: Option<Arc<Program>>,
    /// Objects that functions without a body return, whose length nothing says, each with its function.
    /// In both programs they are the same.
    pub lent: outside::Made,
    pub sources: Sources,
    /// Constructs that are not modelled, where they stand.
    pub warnings: Vec<Diagnostic>,
    /// How the source reads heap objects, for printing: the program has no types for them.
    pub heap_shapes: BTreeMap<ObjId, Shape>,
}

/// Why there is no program.
#[derive(Debug)]
pub struct Rejected {
    /// All that is wrong, in the order of the text; spans are those of `sources`.
    pub diagnostics: Vec<Diagnostic>,
    pub sources: Sources,
    /// Soundness: with a limit here a part was read, and what is wrong with that says nothing.
    pub limit: Option<Exhausted>,
}

impl Rejected {
    /// What the first mistake is, or the limit.
    pub fn message(&self) -> String {
        match (self.limit, self.diagnostics.first()) {
            (None, Some(first)) => first.message.clone(),
            (Some(limit), _) => limit.to_string(),
            (None, None) => String::new(),
        }
    }
}

/// Reads files as one program.
pub fn load(
    paths: &[&Path],
    loader: &dyn Loader,
    options: &Options,
) -> Result<CProgram, Box<Rejected>> {
    let mut texts = Vec::new();
    for path in paths {
        let name = path.to_string_lossy();
        match text_of(path, loader) {
            Ok(text) => texts.push((name.into_owned(), text)),
            Err(error) => return Err(Box::new(cannot_read(&name, path, loader, &error))),
        }
    }
    load_text(texts, options)
}

fn text_of(path: &Path, loader: &dyn Loader) -> Result<String, String> {
    // Every other file goes through the preprocessor, directives or not: macros come from options and
    // from the compiler, too, and a name says nothing about being one.
    let is_preprocessed = path.extension().is_some_and(|it| it == "i");
    if is_preprocessed { loader.read(path) } else { loader.preprocess(path) }
}

/// The compiler's message; where it names a place of the file, that place.
fn cannot_read(name: &str, path: &Path, loader: &dyn Loader, error: &str) -> Rejected {
    let mut sources = Sources::default();
    let text = loader.read(path).unwrap_or_default();
    let place = error.strip_prefix(name).and_then(|rest| {
        let mut parts = rest.strip_prefix(':')?.splitn(3, ':');
        let above = parts.next()?.parse::<usize>().ok()?.checked_sub(1)?;
        let before = parts.next()?.parse::<usize>().ok()?.checked_sub(1)?;
        let line_start: usize = text.split_inclusive('\n').take(above).map(str::len).sum();
        let line_text = text.lines().nth(above)?;
        let start = line_start + before.min(line_text.len());
        Some((parts.next()?.trim(), Span::new(start, line_start + line_text.len())))
    });
    let (message, span) = place.unwrap_or((error, Span::default()));
    let message = message.trim_start_matches("fatal ").trim_start_matches("error: ");
    let diagnostic = Diagnostic::error(codes::c::CANNOT_READ, span, message);
    sources.add(name, text);
    Rejected { diagnostics: vec![diagnostic], sources, limit: None }
}

/// Preprocessed texts with their names, as one program.
pub fn load_text(
    texts: Vec<(String, String)>,
    options: &Options,
) -> Result<CProgram, Box<Rejected>> {
    hardbop_base::stack::grow(STACK, || load_here(texts, options))
}

fn load_here(texts: Vec<(String, String)>, options: &Options) -> Result<CProgram, Box<Rejected>> {
    let mut sources = Sources::default();
    let mut sink = Sink::within(&options.budget, codes::c::TOO_MANY);
    let mut units: Vec<Unit> = Vec::new();
    for (name, text) in texts {
        let start = sources.add(&name, text);
        units.push(parse(sources.unit_text(start), start, &mut sink));
    }
    let needed = library::needed(&units);
    let mut in_library = |text: String, sink: &mut Sink| {
        let start = sources.add("<library>", text);
        parse(sources.unit_text(start), start, sink)
    };
    let (text, brief) = needed.map_or((None, None), |it| (Some(it.text), it.brief));
    let used = text.map(|it| in_library(it, &mut sink));
    let brief = brief.map(|it| in_library(it, &mut sink));
    let lowered = match sink.stopped() {
        None => lower_units(used.as_ref(), &units, &sources, options, &mut sink),
        Some(_) => None,
    };
    match lowered {
        Some(Unified {
            program,
            trusting,
            lent,
            diagnostics: warnings,
            heap_shapes,
            has_rooms,
        }) => {
            hardbop_cir::expect_verified(&program, "lowering");
            if let Some(trusting) = &trusting {
                hardbop_cir::expect_verified(trusting, "lowering");
            }
            // Soundness: in brief a function does not go through all the bytes that have to lie inside of such a part.
            let brief = brief.filter(|_| !has_rooms);
            let brief = brief.and_then(|it| in_brief(&it, &units, &sources, options));
            Ok(CProgram { program, trusting, brief, lent, sources, warnings, heap_shapes })
        }
        None => {
            let limit = sink.stopped();
            Err(Box::new(Rejected { diagnostics: sink.finish(), sources, limit }))
        }
    }
}

/// The program with the library in brief. What is wrong with it, such as a limit, is no news: there is none then.
fn in_brief(
    library: &Unit,
    units: &[Unit],
    sources: &Sources,
    options: &Options,
) -> Option<Arc<Program>> {
    let mut sink = Sink::within(&options.budget, codes::c::TOO_MANY);
    let lowered = lower_units(Some(library), units, sources, options, &mut sink)?;
    hardbop_cir::expect_verified(&lowered.program, "lowering");
    Some(Arc::new(lowered.program))
}
