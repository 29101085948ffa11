//! Which checks are still asked about.
//!
//! One check that cannot be followed must not make all others unknown: a check that no predicate decides is set aside with
//! its reason, and one that costs many refinements, or for which the text has no predicate, is put off until the others are
//! decided. Neither is asked about any more, which changes nothing for the others: stretches go on wherever a check may
//! hold.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::Name;
use hardbop_cir::{CheckId, Class, Op, Program};
use hardbop_engine::Reason;
use hardbop_engine_c::Finding;

use crate::refine::Stage;
use crate::regions::Goal;

/// Refinements a check may cost before the others come first.
const PATIENCE: u32 = 6;
/// How much more of them in each turn.
const MORE: u32 = 4;

pub struct Asked<'a> {
    original: &'a Program,
    classes: &'a [Class],
    pub found: BTreeMap<CheckId, Finding>,
    /// Something on a path is not modelled: violations are still searched, nothing is proved.
    pub gave_up: Option<Name>,
    later: BTreeSet<CheckId>,
    efforts: BTreeMap<CheckId, u32>,
    patience: u32,
    /// In the first turn only what the text compares is tried.
    is_first_turn: bool,
}

impl<'a> Asked<'a> {
    pub fn new(original: &'a Program, classes: &'a [Class]) -> Asked<'a> {
        let mut asked = Asked {
            original,
            classes,
            found: BTreeMap::new(),
            gave_up: None,
            later: BTreeSet::new(),
            efforts: BTreeMap::new(),
            patience: PATIENCE,
            is_first_turn: true,
        };
        // A single check has no others to come first.
        asked.is_first_turn = asked.checks().len() > 1;
        asked
    }

    pub fn is_open(&self, check: CheckId) -> bool {
        !self.found.contains_key(&check) && !self.later.contains(&check)
    }

    pub fn is_asked(&self, goal: &Goal) -> bool {
        match goal {
            Goal::Check(check) => self.is_open(*check),
            Goal::GivenUp(_) => self.asks_given_up(),
        }
    }

    pub fn asks_given_up(&self) -> bool {
        self.gave_up.is_none()
    }

    /// The checks of a class cannot be followed at all.
    pub fn refuse(&mut self, class: Class, why: &'static str) {
        for check in self.checks().filter(|it| self.original.checks[*it].class == class) {
            let reason = Reason::Unsupported(why.into());
            self.found.insert(check, Finding::Unknown(reason));
        }
    }

    /// How far refinement goes.
    pub fn last_stage(&self) -> Stage {
        if self.is_first_turn { Stage::Text } else { Stage::Values }
    }

    /// Nothing that was tried rules these out; whether more is asked about now than before.
    // Soundness: what was given up cannot be put off, because it may lead to any check.
    pub fn set_back(&mut self, goals: Vec<Goal>) -> bool {
        if !self.is_first_turn {
            self.set_aside(goals);
            return false;
        }
        let mut has_checks_only = true;
        for goal in goals {
            match goal {
                Goal::Check(check) => drop(self.later.insert(check)),
                Goal::GivenUp(_) => has_checks_only = false,
            }
        }
        if has_checks_only && self.checks().any(|it| self.is_open(it)) {
            return false;
        }
        self.is_first_turn = false;
        self.later.clear();
        true
    }

    /// No predicate tells these from what executions do.
    pub fn set_aside(&mut self, goals: Vec<Goal>) {
        let says = |what: &str| format!("no predicate over variables rules out: {what}");
        for goal in goals {
            match goal {
                Goal::Check(check) => {
                    let info = &self.original.checks[check];
                    let reason = Reason::UnsupportedAt(says(&info.message), info.span);
                    self.found.entry(check).or_insert(Finding::Unknown(reason));
                }
                Goal::GivenUp(why) => {
                    self.gave_up.get_or_insert_with(|| says(&why).into());
                }
            }
        }
    }

    /// A refinement was made for these; whether some of them are put off.
    pub fn put_off(&mut self, goals: impl Iterator<Item = CheckId>) -> bool {
        let mut tired = BTreeSet::new();
        for check in goals {
            let effort = self.efforts.entry(check).or_default();
            *effort += 1;
            if *effort >= self.patience {
                tired.insert(check);
            }
        }
        let others = self.checks().filter(|it| self.is_open(*it) && !tired.contains(it)).count();
        if tired.is_empty() || others == 0 {
            return false;
        }
        self.later.extend(tired);
        true
    }

    /// All that is open is safe, unless something was given up.
    // Soundness: what was given up may lead to any check.
    pub fn close_safe(&mut self) -> Vec<CheckId> {
        if self.gave_up.is_some() {
            return Vec::new();
        }
        let safe: Vec<CheckId> = self.checks().filter(|it| self.is_open(*it)).collect();
        self.found.extend(safe.iter().map(|&it| (it, Finding::Safe)));
        safe
    }

    /// Goes on with what was put off, if there is something, once the others are safe.
    pub fn take_up(&mut self) -> bool {
        if self.later.is_empty() || self.gave_up.is_some() {
            return false;
        }
        self.later.clear();
        self.is_first_turn = false;
        self.efforts.clear();
        self.patience = self.patience.saturating_mul(MORE);
        true
    }

    fn checks(&self) -> std::vec::IntoIter<CheckId> {
        let mut checks = BTreeSet::new();
        for (_, _, inst) in self.original.insts() {
            if let Op::Check { check, .. } = inst.op
                && self.classes.contains(&self.original.checks[check].class)
            {
                checks.insert(check);
            }
        }
        checks.into_iter().collect::<Vec<_>>().into_iter()
    }
}
