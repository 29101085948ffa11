//! The result strings of SV-COMP, as BenchExec's `result.py` reads them: `true`, `false(PROPERTY)`, or
//! `unknown(REASON)`, which counts as unknown.

use crate::record::{Record, Verdict};

/// One line; a file that is no program is `error(rejected)`, never an answer.
pub fn line(record: &Record) -> String {
    let why = || record.reason.as_deref().unwrap_or("unknown");
    match record.verdict {
        Verdict::Safe => "true\n".into(),
        Verdict::Unsafe => format!("false({})\n", subproperty(record)),
        Verdict::Unknown => format!("unknown({})\n", why()),
        Verdict::Rejected => format!("error(rejected: {})\n", why()),
        Verdict::Error => format!("error({})\n", why()),
    }
}

/// The property of SV-COMP that is violated; a class it has no word for keeps ours.
fn subproperty(record: &Record) -> &str {
    let Some(class) = record.violation.as_ref().and_then(|it| it.what.split(':').next()) else {
        return "unreach-call";
    };
    match class {
        "assert" | "unreachable" => "unreach-call",
        "bounds" | "null" | "dangling" => "valid-deref",
        "free" => "valid-free",
        "leak" => "valid-memtrack",
        "cleanup" => "valid-memcleanup",
        "overflow" => "no-overflow",
        "race" => "no-data-race",
        _ if record.properties.is_empty() => "unreach-call",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::line;
    use crate::record::Record;

    fn of(mut object: serde_json::Value) -> String {
        object["schema"] = json!("hardbop.result/1");
        object["file"] = json!("a.c");
        line(&Record::of(&object).unwrap())
    }

    #[test]
    fn each_verdict_has_its_word() {
        let violated = |what: &str| {
            let place = json!({ "file": "a.c", "line": 3, "what": what });
            let class = what.split(':').next();
            let property = json!({ "file": "a.c", "line": 3, "class": class, "message": "m",
                "verdict": "unsafe" });
            of(json!({ "verdict": "unsafe", "violation": place, "properties": [property] }))
        };
        assert_eq!(of(json!({ "verdict": "safe" })), "true\n");
        assert_eq!(violated("dangling: it is gone"), "false(valid-deref)\n");
        assert_eq!(violated("leak: lost"), "false(valid-memtrack)\n");
        assert_eq!(violated("div: by zero"), "false(div)\n");
        let label = json!({ "file": "a.bp", "line": 3, "what": "label SLIC_ERROR" });
        assert_eq!(of(json!({ "verdict": "unsafe", "violation": label })), "false(unreach-call)\n");
        assert_eq!(of(json!({ "verdict": "unknown", "reason": "time" })), "unknown(time)\n");
        assert_eq!(
            of(json!({ "verdict": "rejected", "reason": "input" })),
            "error(rejected: input)\n"
        );
    }
}
