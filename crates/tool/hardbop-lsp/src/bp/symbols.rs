//! The outline: variables, procedures, and in these their own variables and labels.

use hardbop_base::{SourceFile, Span};
use lsp_types::{DocumentSymbol, SymbolKind};

use super::Syntax;
use super::names::{Kind, Symbol};
use crate::positions::Encoding;

pub fn symbols(syntax: &Syntax, file: &SourceFile, encoding: Encoding) -> Vec<DocumentSymbol> {
    let all = &syntax.names.symbols;
    let mut outline: Vec<DocumentSymbol> = Vec::new();
    for it in all.iter().filter(|it| it.kind == Kind::Global) {
        outline.push(entry(it, it.span, None, file, encoding));
    }
    for it in all.iter().filter(|it| it.kind == Kind::Procedure) {
        let Some(proc) = it.proc.and_then(|it| syntax.program.procs.get(it)) else { continue };
        let inner = all.iter().filter(|inner| {
            inner.proc == it.proc && inner.kind != Kind::Procedure && inner.kind != Kind::Global
        });
        let inner = inner.map(|it| entry(it, it.span, None, file, encoding)).collect();
        outline.push(entry(it, proc.span.to(proc.end), Some(inner), file, encoding));
    }
    outline.sort_by_key(|it| it.range.start);
    outline
}

fn entry(
    it: &Symbol,
    whole: Span,
    children: Option<Vec<DocumentSymbol>>,
    file: &SourceFile,
    encoding: Encoding,
) -> DocumentSymbol {
    let (kind, detail) = match it.kind {
        Kind::Procedure => (SymbolKind::FUNCTION, None),
        Kind::Global => (SymbolKind::VARIABLE, Some("global")),
        Kind::Formal => (SymbolKind::VARIABLE, Some("formal")),
        Kind::Local => (SymbolKind::VARIABLE, Some("local")),
        Kind::Label => (SymbolKind::KEY, Some("label")),
    };
    #[allow(deprecated)] // The field has to be given.
    DocumentSymbol {
        name: it.name.to_string(),
        detail: detail.map(String::from),
        kind,
        tags: None,
        deprecated: None,
        range: encoding.range(file, whole.to(it.span)),
        selection_range: encoding.range(file, it.span),
        children,
    }
}

#[cfg(test)]
mod tests {
    use super::symbols;
    use crate::bp::tests::at;
    use crate::positions::Encoding;

    #[test]
    fn the_outline_is_a_tree_in_the_order_of_the_text() {
        let (file, syntax, _) =
            at("void f(a) begin decl b; L: skip; end decl g; bool main() begin end@");
        let told: Vec<_> = symbols(&syntax, &file, Encoding::Utf8)
            .iter()
            .map(|it| (it.name.clone(), it.children.as_ref().map_or(0, Vec::len)))
            .collect();
        assert_eq!(told, [("f".into(), 3), ("g".into(), 0), ("main".to_string(), 0)]);
    }
}
