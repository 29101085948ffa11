//! Values against `docs/formats/result.schema.json`, as far as that uses the language of JSON schemas.

use std::sync::OnceLock;

use serde_json::Value;

const TEXT: &str = include_str!("../../../../../docs/formats/result.schema.json");

fn root() -> &'static Value {
    static ROOT: OnceLock<Value> = OnceLock::new();
    ROOT.get_or_init(|| serde_json::from_str(TEXT).expect("the published schema is JSON"))
}

/// Whether a value is a result; if not, where.
pub fn validate(value: &Value) -> Result<(), String> {
    against(root(), value, "the object")
}

/// Each word of the schema language that we use; another one is a mistake in the schema.
fn against(schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let words = schema.as_object().ok_or("a schema is an object")?;
    for (word, rule) in words {
        match word.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "description" => {}
            "$ref" => {
                let path = rule.as_str().and_then(|it| it.strip_prefix('#')).unwrap_or_default();
                let target = root().pointer(path).ok_or_else(|| format!("no {rule}"))?;
                against(target, value, at)?;
            }
            "const" if rule == value => {}
            "enum" if list(rule).contains(value) => {}
            "type" if is_of(rule, value) => {}
            "const" | "enum" | "type" => {
                return Err(format!("{at} is {value}, its {word} should be {rule}"));
            }
            "anyOf" => {
                if !list(rule).iter().any(|it| against(it, value, at).is_ok()) {
                    return Err(format!("{at} is {value}, none of {rule}"));
                }
            }
            "required" => {
                let missing = |it: &&Value| value.get(it.as_str().unwrap_or_default()).is_none();
                if let Some(name) = list(rule).iter().find(missing) {
                    return Err(format!("{at} has no {name}"));
                }
            }
            "properties" => {
                for (name, rule) in rule.as_object().into_iter().flatten() {
                    if let Some(value) = value.get(name) {
                        against(rule, value, &format!("{at}.{name}"))?;
                    }
                }
            }
            "items" => {
                for (index, value) in list(value).iter().enumerate() {
                    against(rule, value, &format!("{at}[{index}]"))?;
                }
            }
            other => return Err(format!("the schema says `{other}`, which nobody checks")),
        }
    }
    Ok(())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn is_of(rule: &Value, value: &Value) -> bool {
    if !list(rule).is_empty() {
        return list(rule).iter().any(|it| is_of(it, value));
    }
    match rule.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::validate;
    use serde_json::{Value, json};

    fn sample() -> Value {
        json!({
            "schema": "hardbop.result/1", "file": "f.bp", "verdict": "unsafe",
            "scope": { "threads": "inf", "contexts": null, "depth": 3 },
            "certified": true, "engine": "bdd", "goal": "assert", "reason": null, "detail": null,
            "claims": [],
            "violation": { "file": "f.bp", "line": 3, "what": "assertion" },
            "trace": { "steps": [{ "thread": 0, "depth": 0, "proc": "main", "line": 3,
                                   "text": "assert(x);", "values": { "x": false } }] },
            "goals": [], "properties": [], "assumptions": [], "warnings": [],
            "invariants": [], "diagnostics": [],
            "engines": [{ "engine": "bdd", "said": null, "time_ms": 1.0, "numbers": { "steps": 3 } }],
            "abstraction": { "rounds": [{ "number": 1, "program": "", "learned": "nothing",
                "predicates": [{ "file": "f.c", "line": 2, "proc": "f", "at": "here", "predicates": ["x == 0"] }],
                "path": [{ "file": "f.c", "line": null, "proc": "f", "at": "here", "values": { "x == 0": true } }] }] },
            "stats": { "time_ms": 1.5, "cpu_ms": 1.0, "peak_memory_bytes": null },
        })
    }

    #[test]
    fn results_are_valid_and_others_are_not() {
        assert_eq!(validate(&sample()), Ok(()));
        for (pointer, wrong) in [
            ("/schema", json!("hardbop.result/2")),
            ("/verdict", json!("perhaps")),
            ("/scope/threads", json!("many")),
            ("/certified", json!("yes")),
            ("/violation/line", json!("three")),
            ("/trace/steps/0/depth", json!(null)),
            ("/assumptions", json!([1])),
            ("/engines/0/said", json!(1)),
            ("/abstraction/rounds/0/path/0/line", json!("two")),
            ("/abstraction/rounds/0/predicates/0", json!({ "predicates": [] })),
            ("/stats", json!({})),
        ] {
            let mut object = sample();
            *object.pointer_mut(pointer).unwrap() = wrong;
            let found = validate(&object);
            let field = pointer.rsplit('/').next().unwrap();
            assert!(found.is_err_and(|why| why.contains("the object")), "{field}");
        }
        let mut object = sample();
        object.as_object_mut().unwrap().remove("diagnostics");
        assert!(validate(&object).is_err_and(|why| why.contains("diagnostics")));
    }
}
