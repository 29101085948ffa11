//! What a witness says: invariants of a program that is right, or waypoints of an execution that goes wrong.

use crate::yaml::{self, Node};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// `CHECK( init(main()), LTL(…) )`, as in property files.
    pub specification: String,
    /// Whether `long` and pointers have 32 bits, if it says so.
    pub is_32_bit: Option<bool>,
    /// Names of files with the SHA-256 of their bytes.
    pub hashes: Vec<(String, String)>,
    pub content: Content,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// The program is right, and this holds.
    Correctness(Vec<Invariant>),
    /// It is not: waypoints by segment. The last one is the target, alone.
    Violation(Vec<Vec<Waypoint>>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    pub kind: InvariantKind,
    pub at: Location,
    /// A C expression.
    pub value: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvariantKind {
    /// Holds each time the loop that begins here decides whether to go on; of `do`, each time the body begins.
    Loop,
    /// Holds whenever an execution comes here.
    Location,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    pub file: String,
    pub line: u32,
    /// None: the first place of the line that fits.
    pub column: Option<u32>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    pub kind: WaypointKind,
    pub action: Action,
    pub at: Location,
    /// The line of the witness it is written in.
    pub line: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WaypointKind {
    /// A C expression is true before the statement.
    Assumption(String),
    /// The condition of the statement is true, or false.
    Branching(bool),
    /// A function is called; the place is the closing parenthesis of the call.
    FunctionEnter,
    /// It returns, and an expression over `\result` is true.
    FunctionReturn(String),
    /// The violation.
    Target,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    Follow,
    Avoid,
}

impl Witness {
    /// Reads a witness; `Err` says what is wrong with it, and the line.
    pub fn read(text: &str) -> Result<Witness, String> {
        let root = yaml::read(text)?;
        let entry = match root.list()? {
            [entry] => entry,
            several => {
                return Err(format!(
                    "line {}: one entry is expected, there are {}",
                    root.line,
                    several.len()
                ));
            }
        };
        let metadata = entry.need("metadata")?;
        let version = metadata.need("format_version")?;
        if !version.text()?.starts_with("2.") {
            return Err(format!(
                "line {}: format 2.0 is expected, not {}",
                version.line,
                version.text()?
            ));
        }
        let task = metadata.need("task")?;
        let is_32_bit = match task
            .get("data_model")
            .map(|it| it.text().map(|text| (it.line, text)))
            .transpose()?
        {
            None => None,
            Some((_, "ILP32")) => Some(true),
            Some((_, "LP64")) => Some(false),
            Some((line, other)) => {
                return Err(format!("line {line}: no data model is called `{other}`"));
            }
        };
        let hashes = match task.get("input_file_hashes").map(|it| &it.value) {
            Some(yaml::Yaml::Map(entries)) => {
                let hash = |it: &(String, Node)| Ok((it.0.clone(), it.1.text()?.to_string()));
                entries.iter().map(hash).collect::<Result<_, String>>()?
            }
            _ => Vec::new(),
        };
        let kind = entry.need("entry_type")?;
        let content = entry.need("content")?.list()?;
        let content = match kind.text()? {
            "invariant_set" => {
                Content::Correctness(content.iter().map(invariant).collect::<Result<_, _>>()?)
            }
            "violation_sequence" => {
                let segments = content.iter().map(segment).collect::<Result<_, _>>()?;
                Content::Violation(checked(segments, kind.line)?)
            }
            other => return Err(format!("line {}: no entry is called `{other}`", kind.line)),
        };
        let specification = task.need("specification")?.text()?.to_string();
        Ok(Witness { specification, is_32_bit, hashes, content })
    }
}

fn invariant(item: &Node) -> Result<Invariant, String> {
    let node = item.need("invariant")?;
    let kind = match node.need("type")?.text()? {
        "loop_invariant" => InvariantKind::Loop,
        "location_invariant" => InvariantKind::Location,
        other => return Err(format!("line {}: no invariant is called `{other}`", node.line)),
    };
    expect_format(node, &["c_expression"])?;
    Ok(Invariant { kind, at: location(node)?, value: node.need("value")?.text()?.into() })
}

fn segment(item: &Node) -> Result<Vec<Waypoint>, String> {
    item.need("segment")?.list()?.iter().map(waypoint).collect()
}

fn waypoint(item: &Node) -> Result<Waypoint, String> {
    let node = item.need("waypoint")?;
    let action = match node.need("action")?.text()? {
        "follow" => Action::Follow,
        "avoid" => Action::Avoid,
        other => return Err(format!("line {}: no action is called `{other}`", node.line)),
    };
    let constraint = || -> Result<String, String> {
        let constraint = node.need("constraint")?;
        Ok(constraint.need("value")?.text()?.into())
    };
    let kind = match node.need("type")?.text()? {
        "assumption" => WaypointKind::Assumption(constraint()?),
        "branching" => match constraint()?.as_str() {
            "true" => WaypointKind::Branching(true),
            "false" => WaypointKind::Branching(false),
            other => {
                return Err(format!(
                    "line {}: `{other}` is not understood: `true` or `false`",
                    node.line
                ));
            }
        },
        "function_enter" => WaypointKind::FunctionEnter,
        "function_return" => WaypointKind::FunctionReturn(constraint()?),
        "target" => WaypointKind::Target,
        other => return Err(format!("line {}: no waypoint is called `{other}`", node.line)),
    };
    Ok(Waypoint { kind, action, at: location(node)?, line: node.line })
}

fn expect_format(node: &Node, known: &[&str]) -> Result<(), String> {
    match node.get("format").map(|it| it.text().map(|text| (it.line, text))).transpose()? {
        Some((line, other)) if !known.contains(&other) => {
            Err(format!("line {line}: no format is called `{other}`"))
        }
        _ => Ok(()),
    }
}

fn location(node: &Node) -> Result<Location, String> {
    let at = node.need("location")?;
    let number = |it: &Node| -> Result<u32, String> {
        it.text()?.parse().map_err(|_| format!("line {}: a number is expected", it.line))
    };
    Ok(Location {
        file: at.need("file_name")?.text()?.into(),
        line: number(at.need("line")?)?,
        column: at.get("column").map(number).transpose()?.filter(|&it| it > 0),
    })
}

/// Each segment is followed to its end, the last one to the target, and there is no other target.
fn checked(segments: Vec<Vec<Waypoint>>, line: usize) -> Result<Vec<Vec<Waypoint>>, String> {
    for (at, segment) in (1..).zip(&segments) {
        let Some((last, others)) = segment.split_last() else {
            return Err(format!("line {line}: segment {at} is empty"));
        };
        let is_target = |it: &Waypoint| it.kind == WaypointKind::Target;
        if let Some(wrong) = others.iter().find(|it| it.action == Action::Follow || is_target(it)) {
            return Err(format!(
                "line {}: only the last waypoint of a segment is followed",
                wrong.line
            ));
        }
        if last.action == Action::Avoid {
            return Err(format!(
                "line {}: a segment ends with a waypoint that is followed",
                last.line
            ));
        }
        if is_target(last) != (at == segments.len()) {
            return Err(format!(
                "line {}: the target is the last waypoint, and there is one",
                last.line
            ));
        }
    }
    match segments.is_empty() {
        true => Err(format!("line {line}: there is no target")),
        false => Ok(segments),
    }
}
