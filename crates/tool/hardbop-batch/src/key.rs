//! The key of a task: a hash of everything its answer depends on.
//!
//! These are the tool, the options, the names of the files (results speak of them) and their texts; for C the text
//! after preprocessing, so that an edit of a header touches whoever includes it and nobody else. Limits are no part
//! of it: they decide whether there is an answer, not which one ([`crate::row::Row::answers`]).

use std::fmt;
use std::path::{Path, PathBuf};

use hardbop_base::sha256;
use hardbop_c::compile_commands;
use hardbop_c::{Loader, SystemLoader};

use crate::task::{Model, Task};

/// 64 hexadecimal digits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key(pub String);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The key of a task whose paths are as seen from `folder`.
pub fn key(task: &Task, folder: &Path, tool: &str) -> Key {
    let mut parts = Parts::default();
    parts.put("hardbop.key/1", tool.as_bytes());
    for word in task.asked.words() {
        parts.put("option", word.as_bytes());
        let value = word.split_once('=').map_or(word.as_str(), |it| it.1);
        parts.file_if_there(&folder.join(value));
    }
    for file in &task.files {
        parts.put("file", file.as_os_str().as_encoded_bytes());
        match file.extension().and_then(|it| it.to_str()) {
            Some("c" | "i") => parts.put("text", &preprocessed(task, folder, &[], file)),
            Some("json") => parts.database(task, folder, file),
            Some("pds") => {
                parts.file(&folder.join(file));
                // Where a pushdown system begins, and what must not be reached.
                for beside in ["init", "spec"] {
                    parts.file_if_there(&folder.join(file).with_extension(beside));
                }
            }
            _ => {
                parts.file(&folder.join(file));
                // The target of a net, where no option names one.
                parts.file_if_there(&folder.join(file).with_extension("prop"));
            }
        }
    }
    Key(sha256::hex(&parts.bytes))
}

/// What is hashed: each part with its kind and its length, so that no two sequences are one text.
#[derive(Default)]
struct Parts {
    bytes: Vec<u8>,
}

impl Parts {
    fn put(&mut self, kind: &str, part: &[u8]) {
        self.bytes.extend_from_slice(format!("{kind} {}\n", part.len()).as_bytes());
        // A hash stands for what is long.
        match part.len() {
            0..=4096 => self.bytes.extend_from_slice(part),
            _ => self.bytes.extend_from_slice(&sha256::digest(part)),
        }
    }

    /// That a file cannot be read is part of the question: the answer is an error, which is asked again.
    fn file(&mut self, path: &Path) {
        match std::fs::read(path) {
            Ok(bytes) => self.put("text", &bytes),
            Err(error) => self.put("unreadable", error.to_string().as_bytes()),
        }
    }

    fn file_if_there(&mut self, path: &Path) {
        if path.is_file() {
            self.file(path);
        }
    }

    fn database(&mut self, task: &Task, folder: &Path, file: &Path) {
        self.file(&folder.join(file));
        let text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
        // What is wrong with it is in its text, which is hashed already.
        let commands = compile_commands::read(&text, folder).unwrap_or_default();
        for command in &commands {
            let one = std::slice::from_ref(command);
            self.put("text", &preprocessed(task, folder, one, command.path()));
        }
    }
}

/// The text of a C file as the front end gets it; where the preprocessor fails, what it says.
fn preprocessed(
    task: &Task,
    folder: &Path,
    commands: &[compile_commands::CompileCommand],
    file: &Path,
) -> Vec<u8> {
    let raw = match std::fs::read(folder.join(file)) {
        Ok(raw) => raw,
        Err(error) => return error.to_string().into_bytes(),
    };
    if file.extension().is_some_and(|it| it == "i") {
        return raw;
    }
    let loader = SystemLoader {
        include_paths: task.asked.include.iter().map(PathBuf::from).collect(),
        defines: task.asked.define.clone(),
        is_32_bit: task.asked.data_model == Some(Model::Ilp32),
        commands: commands.to_vec(),
        // As for the check itself, so that `__FILE__` is the same text wherever the batch is begun.
        folder: Some(folder.to_path_buf()).filter(|it| !it.as_os_str().is_empty()),
        ..SystemLoader::default()
    };
    match loader.preprocess(file) {
        Ok(text) => without_folder(&text, folder).into_bytes(),
        Err(why) => [raw, why.into_bytes()].concat(),
    }
}

/// Line markers name files as seen from the folder, wherever that lies.
fn without_folder(text: &str, folder: &Path) -> String {
    let prefix = format!("\"{}/", folder.display());
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.starts_with("# ") {
            true => out.push_str(&line.replacen(&prefix, "\"", 1)),
            false => out.push_str(line),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Key, key};
    use crate::task::Task;

    struct Folder(std::path::PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path =
                std::env::temp_dir().join(format!("hardbop-key-{}-{name}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Folder(path)
        }

        fn write(&self, file: &str, text: &str) {
            std::fs::write(self.0.join(file), text).unwrap();
        }

        fn key(&self, file: &str) -> Key {
            key(&Task::of(vec![file.into()]), &self.0, "tool")
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn an_edit_touches_what_it_touches() {
        let folder = Folder::new("edit");
        folder.write("a.h", "#define N 1\n");
        folder.write("a.c", "#include \"a.h\"\nint main(void) { return N; }\n");
        folder.write("b.c", "int main(void) { return 0; }\n");
        let before = (folder.key("a.c"), folder.key("b.c"));
        assert_eq!(before, (folder.key("a.c"), folder.key("b.c")));
        folder.write("a.h", "#define N 2\n");
        assert_ne!(folder.key("a.c"), before.0);
        assert_eq!(folder.key("b.c"), before.1);
        // A comment is no part of the preprocessed text, but for the line it stands on.
        let after = folder.key("a.c");
        folder.write("a.h", "#define N 2 /* two */\n");
        assert_eq!(folder.key("a.c"), after);
    }

    #[test]
    fn a_folder_may_move() {
        let (one, two) = (Folder::new("here"), Folder::new("there"));
        for folder in [&one, &two] {
            folder.write("a.h", "int f(void);\n");
            folder
                .write("a.c", "#include \"a.h\"\nint main(void) { puts(__FILE__); return f(); }\n");
        }
        assert_eq!(one.key("a.c"), two.key("a.c"));
    }

    #[test]
    fn options_tools_and_files_they_name_count() {
        let folder = Folder::new("options");
        folder.write("a.bp", "void main() begin skip; end\n");
        folder.write("p.prp", "one");
        let mut task = Task::of(vec!["a.bp".into()]);
        let of = |task: &Task, tool: &str| key(task, Path::new(&folder.0), tool);
        let plain = of(&task, "1");
        assert_ne!(of(&task, "2"), plain);
        task.asked.property = Some("p.prp".into());
        let asked = of(&task, "1");
        assert_ne!(asked, plain);
        folder.write("p.prp", "two");
        assert_ne!(of(&task, "1"), asked);
        task.asked.property = None;
        task.limits.memory = Some(1);
        assert_eq!(of(&task, "1"), plain);
    }
}
