//! The part of YAML that plans and task definitions are written in: mappings and lists by indentation, words, quoted
//! words, and lists of these in a row (`[a, b]`). Whatever else stands in a file is refused at its line.

use serde_json::{Map, Value};

/// Line and sentence.
pub type Wrong = (u32, String);

/// A line that says something: how far it is indented, whether it begins an item, its key and what stands behind it.
#[derive(Debug)]
pub struct Said {
    pub number: u32,
    pub indent: usize,
    pub is_item: bool,
    pub key: Option<String>,
    pub word: String,
    /// A quoted word is a word, also where it looks like something else.
    is_quoted: bool,
    /// Words in a row.
    pub list: Option<Vec<String>>,
}

/// The lines that say something.
pub fn lines(text: &str) -> Result<Vec<Said>, Wrong> {
    let mut said = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let rest = line.trim_start_matches(' ');
        let indent = line.len() - rest.len();
        if rest.starts_with('\t') {
            return Err((number, "YAML is indented by spaces".into()));
        }
        let item = rest.strip_prefix("- ").or_else(|| (rest == "-").then_some(""));
        let (is_item, rest) = item.map_or((false, rest), |rest| (true, rest.trim_start()));
        if rest.is_empty() && !is_item || rest.starts_with('#') || rest == "---" {
            continue;
        }
        let (key, rest) = match rest.split_once(':') {
            Some((key, rest)) if is_key(key) && (rest.is_empty() || rest.starts_with(' ')) => {
                (Some(key.to_string()), rest)
            }
            _ => (None, rest),
        };
        let wrong = |why| (number, why);
        let rest = rest.trim();
        let list = in_a_row(rest).transpose().map_err(wrong)?;
        let word = match &list {
            Some(_) => String::new(),
            None => word(rest).map_err(wrong)?,
        };
        let is_quoted = rest.starts_with(['\'', '"']);
        said.push(Said { number, indent, is_item, key, word, is_quoted, list });
    }
    Ok(said)
}

/// The whole text as a value: words are strings, but for `true` and `false`.
pub fn value(lines: &[Said]) -> Result<Value, Wrong> {
    let mut at = 0;
    let value = block(lines, &mut at, 0)?;
    match lines.get(at) {
        Some(more) => Err((more.number, "this belongs to no key".into())),
        None => Ok(value),
    }
}

/// The mapping or the list whose lines are indented like the next one.
fn block(lines: &[Said], at: &mut usize, depth: usize) -> Result<Value, Wrong> {
    let Some(first) = lines.get(*at) else { return Ok(Value::Object(Map::new())) };
    if depth > 8 {
        return Err((first.number, "this is nested too deep".into()));
    }
    if !first.is_item {
        return mapping(lines, at, first.indent, depth);
    }
    let mut list = Vec::new();
    while let Some(it) = lines.get(*at).filter(|it| it.is_item && it.indent == first.indent) {
        if it.key.is_some() {
            list.push(mapping(lines, at, it.indent + 2, depth)?);
        } else {
            *at += 1;
            list.push(scalar(it).ok_or_else(|| (it.number, "an item says nothing".into()))?);
        }
    }
    Ok(Value::Array(list))
}

/// Its keys stand in this column; that of an item is behind the dash.
fn mapping(lines: &[Said], at: &mut usize, indent: usize, depth: usize) -> Result<Value, Wrong> {
    let (mut map, start) = (Map::new(), *at);
    while let Some(it) = lines.get(*at) {
        let is_first = *at == start;
        let column = if it.is_item { it.indent + 2 } else { it.indent };
        if column != indent || it.is_item && !is_first {
            break;
        }
        let Some(key) = &it.key else {
            return Err((it.number, "a key is expected here".into()));
        };
        *at += 1;
        let next = lines.get(*at).filter(|next| {
            next.indent > indent || next.is_item && next.indent == indent && !it.is_item
        });
        let value = match (scalar(it), next) {
            (Some(value), None) => value,
            (Some(_), Some(next)) => return Err((next.number, "this belongs to no key".into())),
            (None, Some(_)) => block(lines, at, depth + 1)?,
            (None, None) => return Err((it.number, format!("`{key}` has no value"))),
        };
        if map.insert(key.clone(), value).is_some() {
            return Err((it.number, format!("`{key}` is there twice")));
        }
    }
    Ok(Value::Object(map))
}

/// What stands in the line itself.
fn scalar(it: &Said) -> Option<Value> {
    if let Some(list) = &it.list {
        return Some(list.iter().cloned().map(Value::String).collect());
    }
    match it.word.as_str() {
        "" if !it.is_quoted => None,
        "true" if !it.is_quoted => Some(Value::Bool(true)),
        "false" if !it.is_quoted => Some(Value::Bool(false)),
        word => Some(Value::String(word.into())),
    }
}

fn is_key(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// `[a, 'b']`, perhaps with a comment behind it; a comma inside quotes is more than is read here.
fn in_a_row(text: &str) -> Option<Result<Vec<String>, String>> {
    let inner = text.strip_prefix('[')?;
    let Some((inner, rest)) = inner.split_once(']') else {
        return Some(Err("the list is not closed in its line".into()));
    };
    if !(rest.trim().is_empty() || rest.trim_start().starts_with('#')) {
        return Some(Err(format!("`{}` is more of YAML than is read here", rest.trim())));
    }
    let words = inner.split(',').map(str::trim).filter(|it| !it.is_empty());
    Some(words.map(word).collect())
}

/// A plain or a quoted word, perhaps with a comment behind it.
fn word(text: &str) -> Result<String, String> {
    let quote = text.chars().next().filter(|it| matches!(it, '\'' | '"'));
    if let Some(quote) = quote {
        let Some(end) = text[1..].find(quote) else { return Err("the quote is not closed".into()) };
        let (inner, rest) = (&text[1..=end], text[end + 2..].trim());
        if inner.contains('\\') || !(rest.is_empty() || rest.starts_with('#')) {
            return Err("only a plain quoted word is understood here".into());
        }
        return Ok(inner.into());
    }
    let text = text.split(" #").next().unwrap_or_default().trim();
    if text.starts_with('#') {
        return Ok(String::new());
    }
    match text.starts_with(['[', '{', '&', '*', '|', '>', '!', '%', '@', '`', '?']) {
        true => Err(format!("`{text}` is more of YAML than is read here")),
        false => Ok(text.into()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Wrong, lines, value};

    fn read(text: &str) -> Result<serde_json::Value, Wrong> {
        value(&lines(text)?)
    }

    #[test]
    fn mappings_lists_and_words() {
        let text = "a: 1s # why\nb:\n- x\n- 'true'\nc: [p, \"q r\"]\nd:\n  - e: true\n    f:\n      - g\n  - e: false\n";
        let expected = json!({ "a": "1s", "b": ["x", "true"], "c": ["p", "q r"],
            "d": [{ "e": true, "f": ["g"] }, { "e": false }] });
        assert_eq!(read(text), Ok(expected));
        assert_eq!(read("# nothing\n"), Ok(json!({})));
        assert_eq!(read("a: ''\n"), Ok(json!({ "a": "" })));
    }

    #[test]
    fn what_is_not_read_is_refused_at_its_line() {
        let wrong = |text: &str| read(text).unwrap_err();
        assert_eq!(wrong("a: 1\na: 2\n"), (2, "`a` is there twice".into()));
        assert_eq!(wrong("a:\n"), (1, "`a` has no value".into()));
        assert_eq!(wrong("a: 1\n  b: 2\n").0, 2);
        assert_eq!(wrong("a:\n    b: 1\n  c: 2\n").0, 3);
        assert_eq!(wrong("a: [x, y\n").0, 1);
        assert_eq!(wrong("a: &x 1\n").0, 1);
        assert_eq!(wrong("word\n"), (1, "a key is expected here".into()));
        assert_eq!(wrong("a:\n\t- b\n").0, 2);
    }
}
