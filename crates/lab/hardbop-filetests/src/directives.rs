//! Reading the expectations out of a test file.

use hardbop_cfg::Goal;
use hardbop_engine::{InitialThreads, Threads};

/// What must come out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expect {
    Safe,
    Unsafe,
    /// With this reason.
    Unknown(String),
    /// The front end finds errors.
    Rejected,
    /// The front end finds none; no engine is run.
    Accepted,
}

/// Everything a test file says about itself.
#[derive(Clone, Debug)]
pub struct Directives {
    pub expect: Expect,
    /// Empty: every engine that accepts the task.
    pub engines: Vec<String>,
    pub goal: Option<Goal>,
    pub threads: Option<Threads>,
    pub initial_threads: Option<InitialThreads>,
    /// Switches from one thread to another, for engines that bound them.
    pub contexts: Option<u32>,
    pub trace_steps: Option<usize>,
    /// Lines with `//~ CODE`, with the codes.
    pub marks: Vec<(u32, String)>,
}

impl Directives {
    pub fn read(text: &str) -> Result<Self, String> {
        let mut expect = None;
        let mut directives = Directives {
            expect: Expect::Safe,
            engines: Vec::new(),
            goal: None,
            threads: None,
            initial_threads: None,
            contexts: None,
            trace_steps: None,
            marks: Vec::new(),
        };
        for (line, text) in (1..).zip(text.lines()) {
            if let Some((_, codes)) = text.split_once("//~") {
                directives.marks.extend(codes.split_whitespace().map(|code| (line, code.into())));
            }
            let Some((key, value)) = text.trim_start().strip_prefix("//").and_then(directive)
            else {
                continue;
            };
            match key {
                "expect" => expect = Some(expectation(value)?),
                "engine" => {
                    directives.engines = value.split(',').map(|name| name.trim().into()).collect();
                }
                "goal" => directives.goal = Some(goal(value)),
                "threads" => {
                    directives.threads =
                        Some(count(value)?.map_or(Threads::Unbounded, Threads::AtMost));
                }
                "initial-threads" => {
                    let count = count(value)?;
                    directives.initial_threads =
                        Some(count.map_or(InitialThreads::Unbounded, InitialThreads::Count));
                }
                "contexts" => {
                    let switches = value.parse().map_err(|_| format!("contexts: {value}?"))?;
                    directives.contexts = Some(switches);
                }
                "trace-steps" => {
                    let steps = value.parse().map_err(|_| format!("trace-steps: {value}?"))?;
                    directives.trace_steps = Some(steps);
                }
                // A single word is a misspelt directive, anything else a comment with a colon.
                _ if key.bytes().all(|it| it.is_ascii_alphabetic() || it == b'-') => {
                    return Err(format!("line {line}: no directive is called `{key}`"));
                }
                _ => {}
            }
        }
        directives.expect = expect.ok_or("the file says no `// expect: …`")?;
        Ok(directives)
    }
}

fn directive(comment: &str) -> Option<(&str, &str)> {
    let (key, value) = comment.split_once(':')?;
    Some((key.trim(), value.trim()))
}

fn expectation(text: &str) -> Result<Expect, String> {
    Ok(match text {
        "safe" => Expect::Safe,
        "unsafe" => Expect::Unsafe,
        "rejected" => Expect::Rejected,
        "accepted" => Expect::Accepted,
        _ => match text.strip_prefix("unknown(").and_then(|rest| rest.strip_suffix(')')) {
            Some(reason) => Expect::Unknown(reason.into()),
            None => return Err(format!("expect: {text}?")),
        },
    })
}

fn goal(text: &str) -> Goal {
    text.strip_prefix("label:").map_or(Goal::Assert, |name| Goal::Label(name.into()))
}

fn count(text: &str) -> Result<Option<u32>, String> {
    match text {
        "inf" => Ok(None),
        _ => text.parse().map(Some).map_err(|_| format!("not a number of threads: {text}")),
    }
}
