//! Properties a user asks for: classes by name, `.prp` files, and the list of checks.

use hardbop_cir::{CheckId, Class};

use crate::load::CProgram;
use crate::source::Position;

/// One check of a program, for `--list-properties`.
#[derive(Clone, Debug)]
pub struct CheckLine {
    pub id: CheckId,
    pub class: Class,
    pub position: Position,
    pub message: String,
}

/// Every check that is in the program, in order of position.
pub fn list_checks(program: &CProgram) -> Vec<CheckLine> {
    let mut lines: Vec<CheckLine> = program
        .program
        .checks
        .iter_enumerated()
        .map(|(id, check)| CheckLine {
            id,
            class: check.class,
            position: program.sources.position(check.span),
            message: check.message.to_string(),
        })
        .collect();
    lines.sort_by(|a, b| {
        (&a.position.file, a.position.line, a.position.col, a.class, a.id).cmp(&(
            &b.position.file,
            b.position.line,
            b.position.col,
            b.class,
            b.id,
        ))
    });
    lines
}

/// The classes an SV-COMP property file asks for; the line that is not understood otherwise.
pub fn read_prp(text: &str) -> Result<Vec<Class>, String> {
    let mut classes = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let formula = line.split("LTL(").nth(1).map(|it| it.split_whitespace().collect::<String>());
        let name = match formula.as_deref().map(|it| it.trim_end_matches(')')) {
            Some("Gvalid-free") => "valid-free",
            Some("Gvalid-deref") => "valid-deref",
            Some("Gvalid-memtrack") => "valid-memtrack",
            Some("G!overflow") => "no-overflow",
            Some(it) if it.starts_with("G!call(") || it.starts_with("G!label(") => "unreach-call",
            _ => return Err(line.to_string()),
        };
        classes.extend(Class::select(name).unwrap_or_default());
    }
    classes.sort_unstable();
    classes.dedup();
    Ok(classes)
}

#[cfg(test)]
mod tests {
    use super::read_prp;
    use hardbop_cir::Class;

    #[test]
    fn property_files_name_classes() {
        let reach = "CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )";
        assert_eq!(read_prp(reach), Ok(vec![Class::Assert]));
        let safety =
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n";
        assert_eq!(
            read_prp(safety),
            Ok(vec![Class::Bounds, Class::Null, Class::Dangling, Class::Free])
        );
        // To leave memory that is still reachable is no leak, so `leak` cannot stand for the latter.
        for other in ["F end", "G valid-memcleanup"] {
            let line = format!("CHECK( init(main()), LTL({other}) )");
            assert_eq!(read_prp(&line), Err(line));
        }
    }
}
