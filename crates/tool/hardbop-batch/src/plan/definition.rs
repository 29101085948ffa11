//! SV-COMP's task definitions (`.yml`, format 2.0): files, a data model, properties and what is known of them.
//!
//! A key nobody knows is refused at its line, as is what `yaml.rs` does not read.

use super::yaml::{Said, Wrong, lines};
use crate::task::{Expected, Model};

/// What a task asks for.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Definition {
    /// As seen from the definition.
    pub files: Vec<String>,
    /// Each asks another question.
    pub properties: Vec<Property>,
    /// Sizes of types, where it says so.
    pub data_model: Option<Model>,
}

/// A question, and perhaps its answer.
#[derive(Debug, PartialEq, Eq)]
pub struct Property {
    /// A .prp file, as seen from the definition.
    pub file: String,
    /// What is known.
    pub expected: Option<Expected>,
}

/// Reads a task definition.
pub fn read(text: &str) -> Result<Definition, Wrong> {
    let mut task = Definition::default();
    let mut has_version = false;
    let lines = lines(text)?;
    let mut at = 0;
    while let Some(it) = lines.get(at) {
        let n_inside = lines[at + 1..]
            .iter()
            .take_while(|below| {
                below.indent > it.indent || (below.is_item && below.indent == it.indent)
            })
            .count();
        let inside = &lines[at + 1..at + 1 + n_inside];
        let wrong = |why: String| Err((it.number, why));
        match it.key.as_deref() {
            _ if it.indent > 0 || it.is_item => return wrong("this belongs to no key".into()),
            Some("format_version") => {
                if !matches!(it.word.as_str(), "1.0" | "2.0" | "2.1") {
                    return wrong(format!("format {} is not known", it.word));
                }
                has_version = true;
            }
            Some("input_files") => task.files = words(it, inside)?,
            Some("properties") => task.properties = properties(inside)?,
            Some("options") => task.data_model = options(inside)?,
            // Needed to build or to judge a task, not to check it.
            Some("required_files" | "additional_information") => {}
            Some(key) => return wrong(format!("`{key}` is not known in a task definition")),
            None => return wrong("a key is expected here".into()),
        }
        at += 1 + n_inside;
    }
    if !has_version {
        return Err((1, "this is no task definition: it has no `format_version`".into()));
    }
    if task.files.is_empty() {
        return Err((1, "the task has no `input_files`".into()));
    }
    Ok(task)
}

/// A word, or a list of them.
fn words(key: &Said, inside: &[Said]) -> Result<Vec<String>, Wrong> {
    if let Some(list) = &key.list {
        return Ok(list.clone());
    }
    if !key.word.is_empty() {
        return Ok(vec![key.word.clone()]);
    }
    let word = |it: &Said| match it.is_item && it.key.is_none() {
        true => Ok(it.word.clone()),
        false => Err((it.number, "an item `- FILE` is expected here".into())),
    };
    inside.iter().map(word).collect()
}

fn properties(inside: &[Said]) -> Result<Vec<Property>, Wrong> {
    let mut properties: Vec<Property> = Vec::new();
    for it in inside {
        match (it.key.as_deref(), properties.last_mut()) {
            (Some("property_file"), _) => {
                properties.push(Property { file: it.word.clone(), expected: None });
            }
            (Some("expected_verdict"), Some(property)) => {
                let expected = Expected::named(&it.word);
                property.expected = Some(
                    expected.ok_or_else(|| (it.number, format!("`{}` is no verdict", it.word)))?,
                );
            }
            (Some("subproperty"), Some(_)) => {}
            _ => return Err((it.number, "not known of a property".into())),
        }
    }
    Ok(properties)
}

fn options(inside: &[Said]) -> Result<Option<Model>, Wrong> {
    let mut model = None;
    for it in inside {
        match (it.key.as_deref(), it.word.as_str()) {
            (Some("language"), "C") => {}
            (Some("data_model"), "ILP32") => model = Some(Model::Ilp32),
            (Some("data_model"), "LP64") => model = Some(Model::Lp64),
            (Some(key), word) => return Err((it.number, format!("`{key}: {word}` is not known"))),
            (None, _) => return Err((it.number, "a key is expected here".into())),
        }
    }
    Ok(model)
}

#[cfg(test)]
mod tests {
    use super::{Definition, Property, read};
    use crate::task::{Expected, Model};

    const TASK: &str = "# a comment\nformat_version: '2.0'\n\ninput_files: 'list.i' # one\n\nproperties:\n  \
        - property_file: ../properties/unreach-call.prp\n    expected_verdict: false\n  \
        - property_file: \"../properties/valid-memsafety.prp\"\n    expected_verdict: false\n    subproperty: valid-deref\n\n\
        options:\n  language: C\n  data_model: ILP32\n";

    #[test]
    fn a_task_is_its_files_its_model_and_its_properties() {
        let property = |name: &str| Property {
            file: format!("../properties/{name}.prp"),
            expected: Some(Expected::False),
        };
        let expected = Definition {
            files: vec!["list.i".into()],
            properties: vec![property("unreach-call"), property("valid-memsafety")],
            data_model: Some(Model::Ilp32),
        };
        assert_eq!(read(TASK), Ok(expected));
        let several = "format_version: 2.0\ninput_files:\n- a.c\n- b.c\n";
        assert_eq!(read(several).unwrap().files, ["a.c", "b.c"]);
        let in_a_row = "format_version: 2.0\ninput_files: [a.c, 'b.c']\n";
        assert_eq!(read(in_a_row).unwrap().files, ["a.c", "b.c"]);
    }

    #[test]
    fn what_is_not_understood_is_refused_at_its_line() {
        let wrong = |text: &str| read(text).unwrap_err();
        assert_eq!(wrong("format_version: '3.0'").0, 1);
        assert_eq!(
            wrong("input_files: a.c").1,
            "this is no task definition: it has no `format_version`"
        );
        assert_eq!(wrong("format_version: 2.0\nsecret: 1\n").0, 2);
        assert_eq!(wrong("format_version: 2.0\ninput_files: {a: b}\n").0, 2);
        assert_eq!(
            wrong("format_version: 2.0\ninput_files: a.c\noptions:\n  language: Java\n").0,
            4
        );
        assert_eq!(wrong("format_version: 2.0\ninput_files: 'a.c\n").0, 2);
        assert_eq!(wrong("format_version: 2.0\n").1, "the task has no `input_files`");
        assert_eq!(wrong("format_version: 2.0\n\tinput_files: a.c\n").0, 2);
    }
}
