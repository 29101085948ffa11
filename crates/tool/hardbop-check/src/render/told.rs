//! Which values of a trace are news: JSON gives each value once, where a reader first needs it.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::Name;

use crate::shown::{ShownStep, ShownValue};

/// What a reader knows of a trace so far.
#[derive(Default)]
pub struct Told {
    threads: BTreeMap<u32, Known>,
}

/// Values told of one thread.
#[derive(Default)]
struct Known {
    shared: BTreeMap<Name, bool>,
    /// Of the open activations, bottom first.
    locals: Vec<BTreeMap<Name, bool>>,
}

impl Told {
    /// What is new before a step: another value than was told, or the first one; `None` for one that was told
    /// and from here on may be either.
    pub fn news(&mut self, step: &ShownStep) -> Vec<(Name, Option<bool>)> {
        let known = self.threads.entry(step.thread).or_default();
        // An activation at the depth of one that has returned is another one; its call was shown in between.
        known.locals.truncate(step.depth + 1);
        known.locals.resize_with(step.depth + 1, BTreeMap::default);
        let Known { shared, locals } = known;
        let locals = locals.last_mut().expect("there is one for the depth");
        let mut news = newly_open(shared, step, true);
        news.extend(newly_open(locals, step, false));
        for ShownValue { name, value, is_shared, .. } in &step.values {
            let told = if *is_shared { &mut *shared } else { &mut *locals };
            if told.insert(name.clone(), *value) != Some(*value) {
                news.push((name.clone(), Some(*value)));
            }
        }
        news
    }
}

/// What was told and is not among the values of a step; it is forgotten.
fn newly_open(
    told: &mut BTreeMap<Name, bool>,
    step: &ShownStep,
    is_shared: bool,
) -> Vec<(Name, Option<bool>)> {
    let values = step.values.iter().filter(|value| value.is_shared == is_shared);
    let values: BTreeSet<&Name> = values.map(|value| &value.name).collect();
    let open: Vec<_> = told.keys().filter(|name| !values.contains(name)).cloned().collect();
    told.retain(|name, _| values.contains(name));
    open.into_iter().map(|name| (name, None)).collect()
}

#[cfg(test)]
mod tests {
    use super::Told;
    use crate::shown::{ShownStep, ShownValue};

    fn step(depth: usize, values: &[(&str, bool, bool)]) -> ShownStep {
        let value = |&(name, value, is_shared): &(&str, bool, bool)| ShownValue {
            name: name.into(),
            value,
            is_shared,
            matters: true,
        };
        ShownStep {
            thread: 0,
            depth,
            proc: "main".into(),
            line: None,
            text: String::new(),
            values: values.iter().map(value).collect(),
            counts: Vec::new(),
            over: None,
        }
    }

    #[test]
    fn each_value_is_told_once_until_it_changes() {
        let (g, x) = (("g", true, true), ("x", false, false));
        let mut told = Told::default();
        let mut news = |step: ShownStep| {
            let news = told.news(&step).into_iter();
            news.map(|(name, value)| (name.to_string(), value)).collect::<Vec<_>>()
        };
        let is = |name: &str, value| (name.to_string(), value);
        assert_eq!(news(step(0, &[g, x])), [is("g", Some(true)), is("x", Some(false))]);
        assert_eq!(news(step(0, &[g, x])), []);
        // Another `x`, of another activation; `g` is the same.
        assert_eq!(news(step(1, &[g, x])), [is("x", Some(false))]);
        assert_eq!(news(step(0, &[("g", false, true), x])), [is("g", Some(false))]);
        assert_eq!(news(step(0, &[x])), [is("g", None)]);
        assert_eq!(news(step(1, &[g, x])), [is("g", Some(true)), is("x", Some(false))]);
    }
}
