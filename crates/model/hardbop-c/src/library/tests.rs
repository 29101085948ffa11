use super::index::{FILES, Index};
use hardbop_diag::{Sink, codes};

use crate::syntax::ast::{BaseSpec, External};
use crate::syntax::parse;

/// The names an external declaration defines, as the parser sees them.
fn defined(item: &External) -> Vec<String> {
    match item {
        External::Func(def) => def.declarator.name.iter().map(|it| it.to_string()).collect(),
        External::Asm(_) | External::StaticAssert(_) => Vec::new(),
        External::Decl(decl) => {
            let mut names: Vec<String> = decl
                .items
                .iter()
                .filter_map(|it| it.declarator.name.as_ref().map(|it| it.to_string()))
                .collect();
            match &decl.specs.base {
                BaseSpec::Record { tag: Some(tag), fields: Some(_), .. } => {
                    names.push(tag.to_string());
                }
                BaseSpec::Enum { items: Some(items), .. } => {
                    names.extend(items.iter().map(|it| it.0.to_string()));
                }
                _ => {}
            }
            names
        }
    }
}

#[test]
fn the_index_finds_what_the_parser_finds() {
    let mut seen = std::collections::BTreeSet::new();
    for item in &Index::get().items {
        let (file, text) = FILES[item.file];
        let (own, rest) = (&text[item.range.clone()], &text[item.range.end..]);
        // Types that stand elsewhere: the parser must know which names are types.
        let types = "typedef unsigned long size_t; typedef int FILE;";
        let before = if own.starts_with("typedef") { "" } else { types };
        let mut sink = Sink::new(codes::c::TOO_MANY);
        let unit = parse(&format!("{before}{own}"), 0, &mut sink);
        assert_eq!(sink.finish(), [], "{file}:{}", item.line);
        let n_types = if before.is_empty() { 0 } else { 2 };
        assert_eq!(unit.items.len(), n_types + 1, "{file}:{} is one item", item.line);
        let names = defined(&unit.items[n_types]);
        assert_eq!(names, super::index::names(own), "{file}:{}", item.line);
        for name in names {
            // Programs with threads have some functions of their own, and so have proofs.
            let of_threads = file == super::index::OF_THREADS;
            let in_brief = file == super::index::IN_BRIEF;
            assert!(
                seen.insert((of_threads, in_brief, name.clone())),
                "{file}:{}: `{name}` is there twice",
                item.line
            );
        }
        assert!(rest.starts_with(['\n', ';']) || rest.is_empty(), "{file}:{}", item.line);
    }
}
