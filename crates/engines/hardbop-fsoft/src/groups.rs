//! Which words meet bit by bit: by arithmetic, comparison or assignment. Their bits should lie together
//! in the order of a diagram's variables; words that meet in conditions only should lie apart, because
//! a diagram then remembers one bit of each, not all bits of some.

use hardbop_smt::{Term, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::model::System;

/// For each variable the first member of its group.
pub fn groups(system: &System) -> FxHashMap<TermId, TermId> {
    let terms = &system.terms;
    let mut groups = Groups::default();
    let mut roots: Vec<TermId> = Vec::new();
    for block in &system.blocks {
        roots.extend(block.updates.iter().map(|it| it.1));
        roots.extend(block.edges.iter().map(|it| it.1));
        roots.extend(block.fails.iter().map(|it| it.1));
        roots.extend(block.given_up.iter().map(|it| it.1));
    }
    for term in terms.cone(&roots) {
        groups.look(terms, term);
    }
    for block in &system.blocks {
        for &(word, value) in &block.updates {
            let var = system.words[word].var;
            groups.member.insert(var, var);
            groups.meet(Some(var), groups.member.get(&value).copied());
        }
    }
    let vars: Vec<TermId> = groups.parent.keys().copied().collect();
    vars.into_iter().map(|var| (var, groups.find(var))).collect()
}

#[derive(Default)]
struct Groups {
    /// A variable whose bits a term has in their places, if any.
    member: FxHashMap<TermId, TermId>,
    /// Of variables, towards the first of the group.
    parent: FxHashMap<TermId, TermId>,
}

impl Groups {
    /// Operands come before the terms they are in.
    fn look(&mut self, terms: &Terms, term: TermId) {
        let data: Vec<TermId> = match terms.node(term) {
            Term::Var(_) => {
                self.member.insert(term, term);
                self.parent.entry(term).or_insert(term);
                return;
            }
            Term::Ite(_, a, b) => vec![a, b],
            other => other.operands().filter(|&it| terms.width(it) > 1).collect(),
        };
        let members: Vec<TermId> =
            data.iter().filter_map(|it| self.member.get(it).copied()).collect();
        members.windows(2).for_each(|pair| self.meet(Some(pair[0]), Some(pair[1])));
        // A truth value has no bits that lie anywhere.
        if let (Some(&first), true) = (members.first(), terms.width(term) > 1) {
            self.member.insert(term, first);
        }
    }

    fn find(&mut self, var: TermId) -> TermId {
        let mut at = var;
        while let Some(&up) = self.parent.get(&at).filter(|&&up| up != at) {
            at = up;
        }
        self.parent.insert(var, at);
        at
    }

    fn meet(&mut self, a: Option<TermId>, b: Option<TermId>) {
        let (Some(a), Some(b)) = (a, b) else { return };
        let (a, b) = (self.find(a), self.find(b));
        self.parent.insert(a.max(b), a.min(b));
        self.parent.entry(a.min(b)).or_insert(a.min(b));
    }
}
