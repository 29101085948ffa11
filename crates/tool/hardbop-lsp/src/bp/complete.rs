//! What can be typed at a place: names that are visible there, and keywords.

use hardbop_base::{Budget, SourceFile};
use hardbop_bp::words::{Kind as WordKind, keywords, soft_keywords, words};
use lsp_types::{CompletionItem, CompletionItemKind};

use super::Syntax;
use super::names::Kind;

pub fn complete(
    syntax: &Syntax,
    file: &SourceFile,
    offset: u32,
    budget: &Budget,
) -> Vec<CompletionItem> {
    let jumps = follows_goto(file, offset, budget);
    let visible = syntax.names.visible(syntax.proc_at(offset));
    let names = visible.filter(|it| (it.kind == Kind::Label) == jumps).map(|it| {
        let (kind, detail) = match it.kind {
            Kind::Procedure => (CompletionItemKind::FUNCTION, "procedure"),
            Kind::Global => (CompletionItemKind::VARIABLE, "global"),
            Kind::Formal => (CompletionItemKind::VARIABLE, "formal"),
            Kind::Local => (CompletionItemKind::VARIABLE, "local"),
            Kind::Label => (CompletionItemKind::REFERENCE, "label"),
        };
        item(&it.name, kind, Some(detail))
    });
    let words = keywords().chain(soft_keywords()).filter(|_| !jumps);
    names.chain(words.map(|it| item(it, CompletionItemKind::KEYWORD, None))).collect()
}

fn item(label: &str, kind: CompletionItemKind, detail: Option<&str>) -> CompletionItem {
    let detail = detail.map(String::from);
    CompletionItem { label: label.into(), kind: Some(kind), detail, ..CompletionItem::default() }
}

/// Whether the statement the cursor is in is a jump.
fn follows_goto(file: &SourceFile, offset: u32, budget: &Budget) -> bool {
    // A jump is short: what stands far before it is not looked at.
    let start = file.text[..offset as usize].rfind(';').map_or(0, |it| it + 1);
    let before = &file.text[start..offset as usize];
    let words = words(before, budget);
    let last = words.iter().rev().find(|it| it.kind == WordKind::Keyword);
    last.is_some_and(|it| &before[it.span.range()] == "goto")
}

#[cfg(test)]
mod tests {
    use super::complete;
    use crate::bp::tests::at;
    use hardbop_base::Budget;

    fn offered(marked: &str) -> Vec<String> {
        let (file, syntax, offset) = at(marked);
        let items = complete(&syntax, &file, offset, &Budget::unlimited());
        items.into_iter().map(|it| it.label).collect()
    }

    #[test]
    fn names_of_the_procedure_at_hand_are_offered() {
        let program = "decl g; void f(a) begin decl b; L: @ end void main() begin decl c; end";
        let labels = offered(program);
        for name in ["g", "f", "main", "a", "b", "assert", "choose"] {
            assert!(labels.iter().any(|it| it == name), "{name}");
        }
        for name in ["c", "L"] {
            assert!(!labels.iter().any(|it| it == name), "{name}");
        }
    }

    #[test]
    fn after_goto_only_labels_are_offered() {
        let text = "void main() begin decl x; L: skip; M: goto L, @ end";
        assert_eq!(offered(text), ["L", "M"]);
    }
}
