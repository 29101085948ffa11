//! The page as text.
//!
//! The data are JSON inside a script element of a type no browser runs. Two rules keep a program's names and
//! strings from becoming markup: no `<` stands in the data as such, and the front end sets text, never markup.
//! The policy lets nothing run but the one embedded script, by its hash, and nothing be fetched at all.

use hardbop_base::sha256;
use serde_json::{Map, Value, json};

/// The front end, as `web/build.mjs` makes it.
const SCRIPT: &str = include_str!("../web/dist/explorer.js");
const STYLE: &str = include_str!("../web/style.css");

/// What the page shows of one program.
#[derive(Clone, Debug, Default)]
pub struct Item {
    /// `hardbop.result/1`.
    pub record: Value,
    /// Control-flow graphs with their layout, one for each procedure; null without.
    pub graphs: Value,
    /// Names and texts of the files the record speaks of.
    pub sources: Vec<(String, String)>,
}

/// The whole page.
pub fn page(items: &[Item]) -> String {
    let mut sources = Map::new();
    for (name, text) in items.iter().flat_map(|it| &it.sources) {
        sources.insert(name.clone(), json!(text));
    }
    let results: Vec<Value> =
        items.iter().map(|it| json!({ "record": it.record, "graphs": it.graphs })).collect();
    let data = json!({ "schema": "hardbop.page/1", "results": results, "sources": sources });
    let data = data.to_string().replace('<', "\\u003c");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Hardbop</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <noscript>This page needs JavaScript to be looked through.</noscript>\n\
         <div id=\"app\"></div>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script>{SCRIPT}</script>\n</body>\n</html>\n",
        policy(),
    )
}

/// The content security policy: our script and our style, nothing else.
pub fn policy() -> String {
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        base64(&sha256::digest(SCRIPT.as_bytes())),
        base64(&sha256::digest(STYLE.as_bytes())),
    )
}

/// RFC 4648, with padding.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let word = (0..3).fold(0, |word, i| word << 8 | u32::from(*chunk.get(i).unwrap_or(&0)));
        for digit in 0..4 {
            let is_there = digit <= chunk.len();
            let at = word >> (18 - 6 * digit) & 63;
            out.push(if is_there { char::from(DIGITS[at as usize]) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Item, SCRIPT, STYLE, base64, page};

    #[test]
    fn base64_is_that_of_the_standard() {
        let examples =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (text, digits) in examples {
            assert_eq!(base64(text.as_bytes()), digits);
        }
    }

    #[test]
    fn nothing_in_the_data_ends_the_data() {
        let evil = "</script><script>alert(1)</script><!--";
        let item = Item {
            record: json!({ "file": evil }),
            sources: vec![(evil.into(), evil.into())],
            ..Item::default()
        };
        let page = page(&[item]);
        assert_eq!(page.matches("<script").count(), 2, "the data and the program");
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(!page.contains("<!--"));
    }

    #[test]
    fn what_is_embedded_stays_inside_its_element() {
        assert!(!SCRIPT.contains("</script") && !SCRIPT.contains("<!--"));
        assert!(!STYLE.contains("</style"));
        for word in ["http:", "https:", "eval(", "innerHTML", "document.write", "new Function"] {
            let namespaces = SCRIPT.replace("http://www.w3.org/2000/svg", "");
            assert!(!namespaces.contains(word), "the front end mentions {word}");
        }
    }
}
