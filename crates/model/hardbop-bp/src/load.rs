//! From bytes to a program.

use hardbop_base::{Budget, Exhausted, SourceFile, Span};
use hardbop_cfg::Program;
use hardbop_diag::codes::bp as codes;
use hardbop_diag::{Diagnostic, Sink};

use crate::{ast, lower, parser};

/// The syntax tree of a file and its mistakes of syntax. The tree holds what could be read.
pub fn parse(file: &SourceFile) -> (ast::Program, Vec<Diagnostic>) {
    let mut sink = Sink::new(codes::TOO_MANY);
    let parsed = parser::parse(file, &mut sink);
    (parsed.program, sink.finish())
}

/// [`parse`] as far as the budget goes.
pub fn parse_within(
    file: &SourceFile,
    budget: &Budget,
) -> Result<(ast::Program, Vec<Diagnostic>), Exhausted> {
    budget.check()?;
    let mut sink = Sink::within(budget, codes::TOO_MANY);
    let parsed = parser::parse(file, &mut sink);
    match sink.stopped() {
        Some(limit) => Err(limit),
        None => Ok((parsed.program, sink.finish())),
    }
}

/// The program of a file and all that is wrong with it; `None` if and only if there is an error.
pub fn load(file: &SourceFile) -> (Option<Program>, Vec<Diagnostic>) {
    let mut sink = Sink::new(codes::TOO_MANY);
    let parsed = parser::parse(file, &mut sink);
    let program = lowered(parsed, &mut sink);
    (program, sink.finish())
}

/// What was parsed, as a program. One that a limit has cut short is not looked at again.
fn lowered(parsed: parser::Parsed, sink: &mut Sink) -> Option<Program> {
    let program = lower::lower(parsed, sink)?;
    if sink.stopped().is_none() {
        hardbop_cfg::expect_verified(&program, "lowering");
    }
    Some(program)
}

/// [`load_bytes`] as far as the budget goes.
pub fn load_within(name: &str, bytes: Vec<u8>, budget: &Budget) -> Result<LoadedBytes, Exhausted> {
    let file = match text_of(name, bytes) {
        Ok(file) => file,
        Err(refused) => return Ok((refused.file, None, vec![refused.diagnostic])),
    };
    budget.check()?;
    let mut sink = Sink::within(budget, codes::TOO_MANY);
    let parsed = parser::parse(&file, &mut sink);
    let program = lowered(parsed, &mut sink);
    match sink.stopped() {
        Some(limit) => Err(limit),
        None => Ok((file, program, sink.finish())),
    }
}

/// A file with its program, unless there is an error, and its mistakes.
pub type LoadedBytes = (SourceFile, Option<Program>, Vec<Diagnostic>);

/// [`parse`] for bytes of any kind. Of a file that is not text, the source file holds the part up to
/// the bad byte.
pub fn parse_bytes(name: &str, bytes: Vec<u8>) -> (SourceFile, ast::Program, Vec<Diagnostic>) {
    match text_of(name, bytes) {
        Ok(file) => {
            let (program, diagnostics) = parse(&file);
            (file, program, diagnostics)
        }
        Err(refused) => (refused.file, ast::Program::default(), vec![refused.diagnostic]),
    }
}

/// [`load`] for bytes of any kind.
pub fn load_bytes(name: &str, bytes: Vec<u8>) -> LoadedBytes {
    match text_of(name, bytes) {
        Ok(file) => {
            let (program, diagnostics) = load(&file);
            (file, program, diagnostics)
        }
        Err(refused) => (refused.file, None, vec![refused.diagnostic]),
    }
}

/// Bytes that are no text.
#[derive(Debug)]
pub struct Refused {
    /// To show the place in: the text up to the bad byte.
    pub file: SourceFile,
    pub diagnostic: Diagnostic,
}

/// The bytes as a source file.
pub fn text_of(name: &str, bytes: Vec<u8>) -> Result<SourceFile, Box<Refused>> {
    if u32::try_from(bytes.len()).is_err() {
        let message = format!("the file has {} bytes, the limit is 4 GiB", bytes.len());
        let diagnostic = Diagnostic::error(codes::TOO_LARGE, Span::default(), message);
        return Err(Box::new(Refused { file: SourceFile::new(name, ""), diagnostic }));
    }
    let nul = bytes.iter().position(|&byte| byte == 0);
    let text = match String::from_utf8(bytes) {
        Ok(text) if nul.is_none() => return Ok(SourceFile::new(name, text)),
        Ok(text) => text.into_bytes(),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let at = nul.map_or(at, |nul| nul.min(at));
            return Err(not_text(name, &error.into_bytes(), at));
        }
    };
    Err(not_text(name, &text, nul.unwrap_or(0)))
}

/// Shows the text up to the bad byte, a replacement character for it and the rest of its line.
fn not_text(name: &str, bytes: &[u8], at: usize) -> Box<Refused> {
    const SHOWN: usize = 80;
    let mut text = String::from_utf8_lossy(&bytes[..at]).into_owned();
    let start = text.len();
    text.push(char::REPLACEMENT_CHARACTER);
    let span = Span::new(start, text.len());
    let rest = &bytes[at + 1..];
    let line = rest.split(|&byte| byte == b'\n').next().unwrap_or(rest);
    text.push_str(&String::from_utf8_lossy(&line[..line.len().min(SHOWN)]));
    let message = format!("the file is not text: byte {at} is 0x{:02x}", bytes[at]);
    let diagnostic = Diagnostic::error(codes::NOT_TEXT, span, message);
    Box::new(Refused { file: SourceFile::new(name, text), diagnostic })
}

#[cfg(test)]
mod tests {
    use super::{codes, load_bytes, load_within};
    use crate::parser;
    use hardbop_base::{Budget, CancelToken, Exhausted, SourceFile};
    use hardbop_diag::Sink;

    #[test]
    fn a_budget_that_suffices_changes_nothing() {
        let text = "void main() begin assert(T); end".as_bytes().to_vec();
        let within = load_within("f", text.clone(), &Budget::unlimited()).unwrap();
        assert_eq!(within.1.is_some(), load_bytes("f", text).1.is_some());
    }

    #[test]
    fn reading_ends_where_the_budget_does() {
        let cancel = CancelToken::default();
        let budget = Budget::unlimited().with_cancel(cancel.clone());
        cancel.cancel();
        assert_eq!(load_within("f", b"x".to_vec(), &budget).err(), Some(Exhausted::Cancelled));
        // Past the first question each phase ends by itself.
        let text = format!("void main() begin {} end", "skip; ".repeat(10_000));
        let file = SourceFile::new("f", text);
        let mut sink = Sink::within(&budget, codes::TOO_MANY);
        let parsed = parser::parse(&file, &mut sink);
        assert_eq!(sink.stopped(), Some(Exhausted::Cancelled));
        let n_read = parsed.program.procs.first().map_or(0, |proc| proc.body.len());
        assert!(n_read < 10_000, "{n_read} statements were read");
    }
}
