//! `compile_commands.json`: which files make a program, and how each is preprocessed.
//!
//! Only what changes the preprocessed text is taken from a command (include paths, macros,
//! language and width). The compiler it names is never run, so a database can start no program.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// One file of a compilation database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileCommand {
    path: PathBuf,
    /// Options for `cc -E`, with paths as seen from where the database lies.
    pub flags: Vec<String>,
}

impl CompileCommand {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Options whose value follows, as one word or two; those with a path have it made whole.
const WITH_PATH: [&str; 6] = ["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I"];
const WITH_VALUE: [&str; 2] = ["-D", "-U"];
const ALONE: [&str; 5] = ["-m32", "-m64", "-nostdinc", "-ansi", "-pthread"];

/// Options that give types or names another meaning than the one we model.
const REFUSED: [&str; 10] = [
    "-funsigned-char",
    "-fno-signed-char",
    "-fshort-enums",
    "-fpack-struct",
    "-fshort-wchar",
    "-mx32",
    "-m16",
    "-malign-double",
    "-mms-bitfields",
    "-mlong-double-",
];

/// Reads a database that lies in `folder`; the first command of a file counts. The message says
/// which entry is wrong.
pub fn read(text: &str, folder: &Path) -> Result<Vec<CompileCommand>, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let entries = value.as_array().ok_or("a compilation database is a list")?;
    let mut commands: Vec<CompileCommand> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let command = command(entry, folder).map_err(|what| format!("entry {at}: {what}"))?;
        let is_c = command.path.extension().is_some_and(|it| it == "c" || it == "i");
        if is_c && commands.iter().all(|it| it.path != command.path) {
            commands.push(command);
        }
    }
    Ok(commands)
}

fn command(entry: &Value, folder: &Path) -> Result<CompileCommand, String> {
    let field = |name: &str| entry.get(name).and_then(Value::as_str);
    let file = field("file").ok_or("there is no `file`")?;
    let directory = folder.join(field("directory").unwrap_or(""));
    let words = match entry.get("arguments") {
        Some(Value::Array(words)) => words
            .iter()
            .map(|it| it.as_str().map(str::to_string))
            .collect::<Option<Vec<_>>>()
            .ok_or("`arguments` is not a list of words")?,
        Some(_) => return Err("`arguments` is not a list of words".into()),
        None => split(field("command").ok_or("there is neither `arguments` nor `command`")?)?,
    };
    // Soundness: what these options compile is another program.
    let is_refused = |word: &&String| REFUSED.iter().any(|it| word.starts_with(it));
    if let Some(word) = words.iter().find(is_refused) {
        return Err(format!("the option `{word}` is not supported"));
    }
    Ok(CompileCommand { path: directory.join(file), flags: flags(&words, &directory) })
}

fn flags(words: &[String], directory: &Path) -> Vec<String> {
    let mut flags = Vec::new();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        let option = |names: &[&'static str]| {
            names.iter().copied().find(|name| word.strip_prefix(name).is_some())
        };
        if ALONE.contains(&word.as_str()) || word.starts_with("-std=") {
            flags.push(word.clone());
            continue;
        }
        let (name, is_path) = match (option(&WITH_PATH), option(&WITH_VALUE)) {
            (Some(name), _) => (name, true),
            (None, Some(name)) => (name, false),
            (None, None) => continue,
        };
        let value = match &word[name.len()..] {
            "" => words.next().map(String::as_str),
            value => Some(value),
        };
        let Some(value) = value else { continue };
        let value = match is_path {
            true => directory.join(value).to_string_lossy().into_owned(),
            false => value.to_string(),
        };
        flags.extend([name.to_string(), value]);
    }
    flags
}

/// The words of a shell command without expansions.
pub(crate) fn split(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), c) if c == open => quote = None,
            (None | Some('"'), '\\') => match chars.next() {
                // Inside quotes only these are escaped.
                Some(c) if quote.is_none() || matches!(c, '"' | '\\' | '$' | '`') => {
                    word.get_or_insert_default().push(c);
                }
                Some(c) => word.get_or_insert_default().extend(['\\', c]),
                None => return Err("`command` ends in the middle of a word".into()),
            },
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err("`command` ends in the middle of a word".into());
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::read;
    use std::path::Path;

    #[test]
    fn what_changes_the_text_is_taken() {
        let text = r#"[
            {"directory": "build", "file": "../a.c", "arguments":
                ["clang", "-c", "-Iinc", "-D", "N=2", "-O2", "-isystem", "/s", "-m32", "-o", "a.o", "../a.c"]},
            {"directory": "/src", "file": "b.c", "command":
                "gcc -DS=\"\\\"two words\\\"\" -DT='x y' -U Z -std=gnu99 -fplugin=evil.so -c b.c"},
            {"directory": "/src", "file": "b.c", "command": "gcc -DAGAIN b.c"},
            {"directory": "/src", "file": "c.cpp", "command": "g++ c.cpp"}
        ]"#;
        let read = read(text, Path::new("top")).unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].path(), Path::new("top/build/../a.c"));
        assert_eq!(read[0].flags, ["-I", "top/build/inc", "-D", "N=2", "-isystem", "/s", "-m32"]);
        assert_eq!(read[1].path(), Path::new("/src/b.c"));
        assert_eq!(
            read[1].flags,
            ["-D", "S=\"two words\"", "-D", "T=x y", "-U", "Z", "-std=gnu99"]
        );
    }

    #[test]
    fn what_is_no_database_is_told() {
        for (text, message) in [
            ("{}", "a compilation database is a list"),
            ("[{}]", "entry 0: there is no `file`"),
            (r#"[{"file": "a.c"}]"#, "entry 0: there is neither `arguments` nor `command`"),
            (
                r#"[{"file": "a.c", "arguments": [1]}]"#,
                "entry 0: `arguments` is not a list of words",
            ),
            (
                r#"[{"file": "a.c", "command": "cc -fshort-enums a.c"}]"#,
                "entry 0: the option `-fshort-enums` is not supported",
            ),
            (
                r#"[{"file": "a.c", "command": "cc \"a.c"}]"#,
                "entry 0: `command` ends in the middle of a word",
            ),
        ] {
            assert_eq!(read(text, Path::new("")), Err(message.into()));
        }
        assert!(read("[", Path::new("")).is_err());
    }
}
