//! GitHub's annotations: commands in the log of a workflow, which the page of a change shows at their lines.

use crate::record::{Record, Verdict, Violated};

/// Where a command points.
struct At<'a> {
    file: &'a str,
    line: Option<u64>,
    column: Option<u64>,
}

/// An annotation for each violation and each mistake, and one for a file without an answer.
pub fn annotations(record: &Record) -> String {
    let whole = At { file: &record.file, line: None, column: None };
    match record.verdict {
        Verdict::Unsafe => violations(record),
        Verdict::Safe => command("notice", &whole, "safe", &record.headline()),
        Verdict::Unknown => command("warning", &whole, "unknown", &record.headline()),
        Verdict::Rejected | Verdict::Error if record.diagnostics.is_empty() => {
            command("error", &whole, &record.verdict.to_string(), &record.headline())
        }
        Verdict::Rejected | Verdict::Error => {
            let told = |it: &crate::record::Diagnostic| {
                let level = if it.severity == "error" { "error" } else { "warning" };
                let at = At { file: &it.file, line: it.line, column: it.column };
                command(level, &at, it.code.as_deref().unwrap_or("input"), &it.message)
            };
            record.diagnostics.iter().map(told).collect()
        }
    }
}

fn violations(record: &Record) -> String {
    let told = |it: Violated<'_>| {
        let at = At { file: it.file, line: it.line, column: None };
        command("error", &at, it.class, &it.message)
    };
    record.violated().into_iter().map(told).collect()
}

fn command(level: &str, at: &At<'_>, title: &str, message: &str) -> String {
    let line = at.line.map(|it| format!(",line={it}")).unwrap_or_default();
    let column = at.column.map(|it| format!(",col={it}")).unwrap_or_default();
    let title = format!("Hardbop: {title}");
    format!(
        "::{level} file={}{line}{column},title={}::{}\n",
        property(at.file),
        property(&title),
        data(message)
    )
}

/// The three characters that would end a command early.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// In a property two more are special.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::annotations;
    use crate::record::Record;

    #[test]
    fn a_message_cannot_end_its_command() {
        let object = json!({ "schema": "hardbop.result/1", "file": "a,b:c.bp", "verdict": "unsafe",
            "violation": { "file": "a,b:c.bp", "line": 7, "what": "label 100%\n::error::x" } });
        let text = annotations(&Record::of(&object).unwrap());
        assert_eq!(
            text,
            "::error file=a%2Cb%3Ac.bp,line=7,title=Hardbop%3A label::The label 100%25%0A::error::x can be reached\n"
        );
    }

    #[test]
    fn each_mistake_of_an_input_has_its_place() {
        let object = json!({ "schema": "hardbop.result/1", "file": "a.bp", "verdict": "rejected",
            "reason": "input", "diagnostics": [
                { "severity": "error", "code": "bp0003", "message": "m", "file": "a.bp", "line": 2, "column": 5 },
                { "severity": "warning", "code": null, "message": "w", "file": "a.bp" }] });
        let text = annotations(&Record::of(&object).unwrap());
        assert_eq!(
            text,
            "::error file=a.bp,line=2,col=5,title=Hardbop%3A bp0003::m\n\
             ::warning file=a.bp,title=Hardbop%3A input::w\n"
        );
    }
}
