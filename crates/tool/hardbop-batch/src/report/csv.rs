//! A run as CSV, a row for each task.

use crate::store::Listed;
use crate::task::Expected;

/// With a line of names.
pub fn table(tasks: &[Listed]) -> String {
    let mut out =
        String::from("name,answer,expected,reason,cpu_seconds,wall_seconds,memory_bytes,key\n");
    for it in tasks {
        let expected = match it.task.expected {
            Some(Expected::True) => "safe",
            Some(Expected::False) => "unsafe",
            None => "",
        };
        let result = it.result.as_ref();
        let number =
            |of: &dyn Fn(&crate::store::Stored) -> String| result.map(of).unwrap_or_default();
        let cells = [
            it.task.name.clone(),
            number(&|it| it.answer.to_string()),
            expected.into(),
            number(&|it| it.reason.clone().unwrap_or_default()),
            number(&|it| format!("{:.3}", it.cpu.as_secs_f64())),
            number(&|it| format!("{:.3}", it.wall.as_secs_f64())),
            number(&|it| it.memory.to_string()),
            it.key.to_string(),
        ];
        let quoted: Vec<String> = cells.iter().map(|it| cell(it)).collect();
        out += &quoted.join(",");
        out.push('\n');
    }
    out
}

fn cell(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.into(),
    }
}
