//! The client for VS Code says the same as the server: words, and where the server is started.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

fn json(file: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../contrib/vscode").join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn the_words_of_the_grammar_are_those_of_the_lexer() {
    let grammar = json("syntaxes/boolean-program.tmLanguage.json");
    let patterns = grammar["repository"]["words"]["patterns"].as_array().unwrap();
    let mut words = BTreeSet::new();
    for pattern in patterns {
        let pattern = pattern["match"].as_str().unwrap();
        let Some(list) = pattern.split("(?:").nth(1) else { continue };
        for word in list.split(')').next().unwrap().split('|') {
            assert!(words.insert(word), "{word} is there twice");
        }
    }
    let ours = hardbop_bp::words::keywords().chain(hardbop_bp::words::soft_keywords());
    assert_eq!(words, ours.collect());
}

#[test]
fn the_manifest_names_what_is_there() {
    let manifest = json("package.json");
    let language = &manifest["contributes"]["languages"][0];
    assert_eq!(language["extensions"][0], ".bp");
    json(language["configuration"].as_str().unwrap());
    let grammar = &manifest["contributes"]["grammars"][0];
    let scope = &json(grammar["path"].as_str().unwrap())["scopeName"];
    assert_eq!(*scope, grammar["scopeName"]);
}
