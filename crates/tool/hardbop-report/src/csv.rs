//! Results for a spreadsheet (RFC 4180): a row for each, the verdict first.

use crate::record::Record;

/// The heads of the columns.
const COLUMNS: &str =
    "verdict,file,finding,violated file,line,engine,confirmed,seconds,steps,reason\r\n";

/// All results as one table.
pub fn table(records: &[Record]) -> String {
    std::iter::once(COLUMNS.to_owned()).chain(records.iter().map(row)).collect()
}

fn row(record: &Record) -> String {
    let place = record.violation.as_ref();
    let seconds = record.stats.get("time_ms").and_then(serde_json::Value::as_f64);
    let cells = [
        record.verdict.to_string(),
        record.file.clone(),
        record.headline(),
        place.map(|it| it.file.clone()).unwrap_or_default(),
        place.and_then(|it| it.line).map(|it| it.to_string()).unwrap_or_default(),
        record.engine.clone(),
        if record.certified { "yes" } else { "no" }.into(),
        seconds.map(|ms| format!("{:.3}", ms / 1000.0)).unwrap_or_default(),
        record.trace.as_ref().map(|it| it.steps.len().to_string()).unwrap_or_default(),
        record.reason.clone().unwrap_or_default(),
    ];
    format!("{}\r\n", cells.map(|it| cell(&it)).join(","))
}

/// A text that stays one: neither the end of the cell nor, at its beginning, a formula of the spreadsheet.
fn cell(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{guard}{}\"", text.replace('"', "\"\""))
    } else {
        format!("{guard}{text}")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::table;
    use crate::record::Record;

    #[test]
    fn cells_are_text() {
        let object = json!({ "schema": "hardbop.result/1", "file": "=a,\"b\".bp", "verdict": "unsafe",
            "engine": "bdd", "certified": true, "stats": { "time_ms": 12.5 },
            "violation": { "file": "-x.bp", "line": 4, "what": "one\ntwo" } });
        let text = table(&[Record::of(&object).unwrap()]);
        let (head, row) = text.split_once("\r\n").unwrap();
        assert_eq!(head.split(',').count(), 10);
        assert_eq!(row, "unsafe,\"'=a,\"\"b\"\".bp\",\"one\ntwo\",'-x.bp,4,bdd,yes,0.013,,\r\n");
    }
}
