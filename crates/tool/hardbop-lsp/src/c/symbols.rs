//! What the files of a C program declare outside of functions.

use hardbop_base::{Budget, SourceFile, Span, stack};
use hardbop_c::Sources;
use hardbop_c::syntax::ast::{BaseSpec, Declarator, Deriv, External, Specs, Storage};
use hardbop_c::syntax::parse;
use hardbop_diag::{Sink, codes};
use lsp_types::{DocumentSymbol, SymbolKind};

use crate::diagnostics::in_line;
use crate::positions::Encoding;
use crate::reading::STACK;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Function,
    Variable,
    Type,
}

/// A declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    pub name: String,
    pub kind: Kind,
    /// Whether it is more than an announcement.
    pub is_definition: bool,
    pub file: String,
    /// Of the name; counted from 1.
    pub line: u32,
    pub col: u32,
    /// Where the whole begins and ends.
    pub lines: (u32, u32),
}

/// Those of the first unit, in the order of the text.
pub fn symbols(sources: &Sources, budget: &Budget) -> Vec<Symbol> {
    let mut sink = Sink::within(budget, codes::c::TOO_MANY);
    let unit = stack::grow(STACK, || parse(sources.unit_text(0), 0, &mut sink));
    let mut found = Vec::new();
    let mut add = |name: &str, kind, is_definition, at: Span, whole: Span| {
        let place = sources.position(at);
        let last = Span { start: whole.end.saturating_sub(1).max(whole.start), end: whole.end };
        let lines = (sources.position(whole).line, sources.position(last).line);
        found.push(Symbol {
            name: name.into(),
            kind,
            is_definition,
            file: place.file.to_string(),
            line: place.line,
            col: place.col,
            lines,
        });
    };
    for item in &unit.items {
        match item {
            External::Func(func) => {
                let at = func.declarator.span;
                if let Some(name) = &func.declarator.name {
                    add(name, Kind::Function, true, at, func.span.to(func.body.span));
                }
            }
            External::Decl(decl) => {
                if let Some(tag) = tag(&decl.specs) {
                    add(tag, Kind::Type, true, decl.specs.span, decl.span);
                }
                for it in &decl.items {
                    let kind = kind(&decl.specs, &it.declarator);
                    let is_definition = match kind {
                        Kind::Function => false,
                        Kind::Variable => {
                            it.init.is_some() || decl.specs.storage != Storage::Extern
                        }
                        Kind::Type => true,
                    };
                    if let Some(name) = &it.declarator.name {
                        add(name, kind, is_definition, it.declarator.span, decl.span);
                    }
                }
            }
            External::Asm(_) | External::StaticAssert(_) => {}
        }
    }
    found
}

/// The name of a record or enumeration that is defined here.
fn tag(specs: &Specs) -> Option<&str> {
    match &specs.base {
        BaseSpec::Record { tag, fields: Some(_), .. } => tag.as_deref(),
        BaseSpec::Enum { tag, items: Some(_), .. } => tag.as_deref(),
        _ => None,
    }
}

fn kind(specs: &Specs, declarator: &Declarator) -> Kind {
    match (specs.storage, declarator.derivs.first()) {
        (Storage::Typedef, _) => Kind::Type,
        (_, Some(Deriv::Func { .. })) => Kind::Function,
        _ => Kind::Variable,
    }
}

impl Symbol {
    /// Whether it is a function with a body.
    pub fn is_function(&self) -> bool {
        self.kind == Kind::Function && self.is_definition
    }

    /// Where its name stands in its file.
    pub fn range(&self, file: &SourceFile, encoding: Encoding) -> lsp_types::Range {
        in_line(file, self.line, self.col, &self.name, encoding)
    }
}

/// The outline of a file.
pub fn outline(symbols: &[Symbol], file: &SourceFile, encoding: Encoding) -> Vec<DocumentSymbol> {
    let here = symbols.iter().filter(|it| it.file == file.name && it.is_definition);
    let entry = |it: &Symbol| {
        let selection_range = it.range(file, encoding);
        let (first, last) = (encoding.line(file, it.lines.0), encoding.line(file, it.lines.1));
        let range = lsp_types::Range {
            start: first.start.min(selection_range.start),
            end: last.end.max(selection_range.end),
        };
        #[allow(deprecated)] // The field has to be given.
        DocumentSymbol {
            name: it.name.clone(),
            detail: None,
            kind: match it.kind {
                Kind::Function => SymbolKind::FUNCTION,
                Kind::Variable => SymbolKind::VARIABLE,
                Kind::Type => SymbolKind::STRUCT,
            },
            tags: None,
            deprecated: None,
            range,
            selection_range,
            children: None,
        }
    };
    here.map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::{Kind, symbols};
    use hardbop_base::Budget;
    use hardbop_c::Sources;

    #[test]
    fn declarations_of_all_files_are_found() {
        let text = "# 1 \"a.h\" 1\nint f(int);\nextern int e;\n# 3 \"a.c\" 2\n\
                    typedef struct s { int x; } t;\nint *p, q = 2;\nint f(int a)\n{\n  return a;\n}\n";
        let mut sources = Sources::default();
        sources.add("a.c", text.into());
        let told: Vec<_> = symbols(&sources, &Budget::unlimited())
            .into_iter()
            .map(|it| (it.name, it.kind, it.is_definition, it.file, it.lines))
            .collect();
        let told: Vec<_> = told.iter().map(|it| (&*it.0, it.1, it.2, &*it.3, it.4)).collect();
        let wanted = [
            ("f", Kind::Function, false, "a.h", (1, 1)),
            ("e", Kind::Variable, false, "a.h", (2, 2)),
            ("s", Kind::Type, true, "a.c", (3, 3)),
            ("t", Kind::Type, true, "a.c", (3, 3)),
            ("p", Kind::Variable, true, "a.c", (4, 4)),
            ("q", Kind::Variable, true, "a.c", (4, 4)),
            ("f", Kind::Function, true, "a.c", (5, 8)),
        ];
        assert_eq!(told, wanted);
    }
}
