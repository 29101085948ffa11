//! The part of YAML that witnesses are written in: mappings and lists by indentation, scalars plain, in quotes or in
//! blocks, empty `[]` and `{}`. Anchors, tags, several documents and the rest of the language are refused.

/// A value and the line it begins in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    pub line: usize,
    pub value: Yaml,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Yaml {
    Scalar(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

/// What nests deeper is no witness.
const MAX_DEPTH: usize = 40;

impl Node {
    /// The value of a key of a mapping.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Yaml::Map(entries) => entries.iter().find(|it| it.0 == key).map(|it| &it.1),
            _ => None,
        }
    }

    /// The value of a key, or a message with the line.
    pub fn need(&self, key: &str) -> Result<&Node, String> {
        self.get(key).ok_or_else(|| format!("line {}: `{key}` is missing", self.line))
    }

    pub fn text(&self) -> Result<&str, String> {
        match &self.value {
            Yaml::Scalar(text) => Ok(text),
            _ => Err(format!("line {}: a text is expected", self.line)),
        }
    }

    pub fn list(&self) -> Result<&[Node], String> {
        match &self.value {
            Yaml::List(items) => Ok(items),
            _ => Err(format!("line {}: a list is expected", self.line)),
        }
    }
}

/// Reads a document; `Err` names the line.
pub fn read(text: &str) -> Result<Node, String> {
    let lines: Vec<Line> = text.lines().enumerate().map(|(at, it)| Line::of(at + 1, it)).collect();
    if let Some(line) = lines.iter().find(|it| it.text.starts_with('\t')) {
        return Err(format!("line {}: indented by a tab", line.number));
    }
    let mut reader = Reader { lines, at: 0 };
    reader.skip_blank();
    if reader.line().is_some_and(|it| it.text == "---") {
        reader.at += 1;
    }
    let Some(indent) = reader.next_indent() else { return Err("the file is empty".into()) };
    let node = reader.block(indent, 0)?;
    match reader.next_indent() {
        None => Ok(node),
        Some(_) => Err(format!("line {}: this belongs to nothing above", reader.number())),
    }
}

#[derive(Clone)]
struct Line<'a> {
    number: usize,
    indent: usize,
    /// Without indentation.
    text: &'a str,
}

impl<'a> Line<'a> {
    fn of(number: usize, whole: &'a str) -> Line<'a> {
        let text = whole.trim_start_matches(' ');
        Line { number, indent: whole.len() - text.len(), text: text.trim_end() }
    }

    fn is_blank(&self) -> bool {
        self.text.is_empty() || self.text.starts_with('#')
    }
}

struct Reader<'a> {
    lines: Vec<Line<'a>>,
    at: usize,
}

impl<'a> Reader<'a> {
    fn line(&self) -> Option<Line<'a>> {
        self.lines.get(self.at).cloned()
    }

    fn number(&self) -> usize {
        self.line().map_or(self.lines.len(), |it| it.number)
    }

    fn skip_blank(&mut self) {
        while self.line().is_some_and(|it| it.is_blank()) {
            self.at += 1;
        }
    }

    /// The indentation of the next line that says something.
    fn next_indent(&mut self) -> Option<usize> {
        self.skip_blank();
        self.line().map(|it| it.indent)
    }

    /// The list or mapping whose lines are indented so far.
    fn block(&mut self, indent: usize, depth: usize) -> Result<Node, String> {
        let number = self.number();
        if depth > MAX_DEPTH {
            return Err(format!("line {number}: nested too deeply"));
        }
        let is_item = |it: &Line| it.text == "-" || it.text.starts_with("- ");
        let is_list = self.line().is_some_and(|it| is_item(&it));
        let (mut items, mut entries) = (Vec::new(), Vec::new());
        while self.next_indent() == Some(indent) {
            let Some(line) = self.line().filter(|it| is_item(it) == is_list) else { break };
            if is_list {
                items.push(self.item(&line, depth)?);
                continue;
            }
            let (key, rest) = key_of(&line)?;
            if entries.iter().any(|it: &(String, Node)| it.0 == key) {
                return Err(format!("line {}: `{key}` stands here twice", line.number));
            }
            entries.push((key, self.value(indent, rest, depth)?));
        }
        let value = if is_list { Yaml::List(items) } else { Yaml::Map(entries) };
        Ok(Node { line: number, value })
    }

    /// `- key: value` is a mapping that begins behind the dash.
    fn item(&mut self, line: &Line<'a>, depth: usize) -> Result<Node, String> {
        let inside = line.text[1..].trim_start();
        let inner = line.indent + line.text.len() - inside.len();
        let is_nested =
            inside.starts_with("- ") || key_of(&Line { text: inside, ..line.clone() }).is_ok();
        if inside.is_empty() || !is_nested {
            return self.value(line.indent, inside, depth);
        }
        self.lines[self.at] = Line { indent: inner, text: inside, ..line.clone() };
        self.block(inner, depth + 1)
    }

    /// What stands behind `key:` in the current line, and below it.
    fn value(&mut self, indent: usize, rest: &str, depth: usize) -> Result<Node, String> {
        let line = self.number();
        self.at += 1;
        let node = |value| Ok(Node { line, value });
        match rest {
            "" => match self.next_indent() {
                Some(more) if more > indent => self.block(more, depth + 1),
                // A list below a key may stand as far to the left as the key.
                Some(same)
                    if same == indent
                        && self.line().is_some_and(|it| it.text.starts_with("- ")) =>
                {
                    self.block(same, depth + 1)
                }
                _ => node(Yaml::Scalar(String::new())),
            },
            "[]" => node(Yaml::List(Vec::new())),
            "{}" => node(Yaml::Map(Vec::new())),
            "|" | "|-" | ">" | ">-" => {
                node(Yaml::Scalar(self.folded(indent, rest.starts_with('|'))))
            }
            _ if rest.starts_with(['"', '\'']) => {
                let text = self.quoted(indent, rest, line)?;
                node(Yaml::Scalar(text))
            }
            _ if rest.starts_with(['&', '*', '!', '[', '{', '%', '@', '`']) => {
                Err(format!("line {line}: `{rest}` is not understood"))
            }
            _ => {
                // A plain text goes on in the lines below that are indented further.
                let mut text = uncommented(rest).to_string();
                while self.line().is_some_and(|it| !it.is_blank() && it.indent > indent) {
                    text = text + " " + uncommented(self.lines[self.at].text);
                    self.at += 1;
                }
                node(Yaml::Scalar(text))
            }
        }
    }

    /// The lines of a block scalar, joined by ends of lines or by spaces.
    fn folded(&mut self, indent: usize, keeps_lines: bool) -> String {
        let mut lines = Vec::new();
        while self.line().is_some_and(|it| it.text.is_empty() || it.indent > indent) {
            lines.push(self.lines[self.at].text);
            self.at += 1;
        }
        lines.join(if keeps_lines { "\n" } else { " " }).trim_end().to_string()
    }

    /// A text in quotes, which may go on in lines below.
    fn quoted(&mut self, indent: usize, rest: &str, line: usize) -> Result<String, String> {
        let mut whole = rest.to_string();
        loop {
            if let Some((text, behind)) =
                unquoted(&whole).map_err(|why| format!("line {line}: {why}"))?
            {
                return match behind.is_empty() || behind.starts_with('#') {
                    true => Ok(text),
                    false => Err(format!("line {line}: `{behind}` stands behind the quotes")),
                };
            }
            let Some(more) = self.line().filter(|it| it.text.is_empty() || it.indent > indent)
            else {
                return Err(format!("line {line}: the quotes are not closed"));
            };
            // An end of line that is escaped is nothing, another one a space.
            match whole.strip_suffix('\\') {
                Some(joined) => {
                    whole = joined.to_string() + more.text.strip_prefix('\\').unwrap_or(more.text)
                }
                None => whole = whole + " " + more.text,
            }
            self.at += 1;
        }
    }
}

/// `key: rest`.
fn key_of<'a>(line: &Line<'a>) -> Result<(String, &'a str), String> {
    let no_key = || format!("line {}: `key: value` is expected", line.number);
    if line.text.starts_with(['"', '\'']) {
        let (key, behind) = unquoted(line.text).ok().flatten().ok_or_else(no_key)?;
        let rest = behind.strip_prefix(':').ok_or_else(no_key)?;
        return Ok((key, rest.trim_start()));
    }
    let end = line.text.find(": ").or_else(|| line.text.strip_suffix(':').map(str::len));
    let (key, rest) = line.text.split_at(end.ok_or_else(no_key)?);
    match key.is_empty() || key.contains(['[', '{', '"']) {
        true => Err(no_key()),
        false => Ok((key.trim_end().into(), rest[1..].trim_start())),
    }
}

/// Without a comment behind it.
fn uncommented(text: &str) -> &str {
    text.find(" #").map_or(text, |end| &text[..end]).trim_end()
}

/// The text in the quotes at the beginning and what stands behind; none if they are not closed.
fn unquoted(whole: &str) -> Result<Option<(String, &str)>, String> {
    let quote = whole.chars().next().unwrap_or('"');
    let mut text = String::new();
    let mut chars = whole.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\'' if quote == '\'' && chars.peek().is_some_and(|it| it.1 == '\'') => {
                chars.next();
                text.push('\'');
            }
            _ if c == quote => return Ok(Some((text, whole[at + 1..].trim_start()))),
            '\\' if quote == '"' => match chars.next().map(|it| it.1) {
                None => return Ok(None),
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(c @ ('"' | '\\' | '/' | ' ')) => text.push(c),
                Some(other) => return Err(format!("`\\{other}` is not understood")),
            },
            _ => text.push(c),
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::{Node, Yaml, read};

    fn shown(node: &Node) -> String {
        match &node.value {
            Yaml::Scalar(text) => format!("{text:?}"),
            Yaml::List(items) => {
                format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", "))
            }
            Yaml::Map(entries) => {
                let entries: Vec<_> =
                    entries.iter().map(|it| format!("{}: {}", it.0, shown(&it.1))).collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }

    #[test]
    fn what_tools_write_is_read() {
        for (text, expected) in [
            ("a: 1\nb: \"x: y\"\n", r#"{a: "1", b: "x: y"}"#),
            (
                "- a: 1\n  b:\n  - c\n  - d: 'it''s'\n    e: []\n",
                r#"[{a: "1", b: ["c", {d: "it's", e: []}]}]"#,
            ),
            (
                "---\n# all\na:\n  \"./f.c\": \"12\"\n\nb: x <= 1 ||\n  y # why\n",
                r#"{a: {./f.c: "12"}, b: "x <= 1 || y"}"#,
            ),
            ("a: \"one \\\n  \\ two\"\nb: >-\n  c\n  d\n", r#"{a: "one  two", b: "c d"}"#),
            ("- - a\n  - b\n-\n  c: d\n", r#"[["a", "b"], {c: "d"}]"#),
            ("a:\nb: 2\n", r#"{a: "", b: "2"}"#),
        ] {
            assert_eq!(read(text).map(|it| shown(&it)), Ok(expected.to_string()), "{text}");
        }
    }

    #[test]
    fn what_is_not_understood_is_refused_with_its_line() {
        for (text, line) in [
            ("a: 1\na: 2\n", "line 2"),
            ("a: &x 1\n", "line 1"),
            ("a: [1, 2]\n", "line 1"),
            ("a: \"open\n", "line 1"),
            ("a: 1\n   b: 2\n", ""),
            ("\ta: 1\n", "line 1"),
            ("a: \"x\" y\n", "line 1"),
            ("just words\n", "line 1"),
            ("", "empty"),
        ] {
            match read(text) {
                Err(why) => assert!(why.contains(line), "{text}: {why}"),
                // A text that goes on is no mistake.
                Ok(_) => assert!(line.is_empty(), "{text}"),
            }
        }
        let deep = "- ".repeat(100) + "a\n";
        assert!(read(&deep).is_err());
    }
}
