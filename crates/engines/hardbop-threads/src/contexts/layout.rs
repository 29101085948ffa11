//! The variables of the sequential program.
//!
//! For each shared variable of the program (and each bit of the number of threads alive, where that
//! is bounded) there is its value in context 0, then for each further context a guess of its value
//! at the beginning and its value now: neighbours in the order are compared with each other. Behind
//! them come the variables that steer.

use hardbop_base::{Idx, Name};
use hardbop_cfg::{Program, VarId, VarInfo};

/// Where the variables are.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The last context.
    pub last: usize,
    /// Shared variables of the program.
    pub n_program: usize,
    /// Bits of the number of threads alive.
    pub n_alive: usize,
    /// Bits for where a thread starts.
    pub n_site: usize,
    /// Values a thread starts with.
    pub n_store: usize,
}

impl Layout {
    /// What each context has a copy of.
    pub fn n_copied(&self) -> usize {
        self.n_program + self.n_alive
    }

    pub fn n_contexts(&self) -> usize {
        self.last + 1
    }

    /// The value now, in a context.
    pub fn now(&self, context: usize, var: usize) -> VarId {
        VarId::new(var * (2 * self.last + 1) + 2 * context)
    }

    /// The guessed value at the beginning of a context, which is not the first.
    pub fn guess(&self, context: usize, var: usize) -> VarId {
        VarId::new(var * (2 * self.last + 1) + 2 * context - 1)
    }

    /// A bit of the number of threads alive, as a copied variable.
    pub fn alive(&self, bit: usize) -> usize {
        self.n_program + bit
    }

    fn steering(&self) -> usize {
        self.n_copied() * (2 * self.last + 1)
    }

    /// Whether the running thread is in this context.
    pub fn at(&self, context: usize) -> VarId {
        VarId::new(self.steering() + context)
    }

    /// Whether this context belongs to some thread already.
    pub fn taken(&self, context: usize) -> VarId {
        VarId::new(self.steering() + self.n_contexts() + context)
    }

    /// Whether this is the first context of the running thread: threads are known by it.
    pub fn first(&self, context: usize) -> VarId {
        VarId::new(self.steering() + 2 * self.n_contexts() + context)
    }

    /// Whether the running thread holds the atomic flag.
    pub fn atomic(&self) -> VarId {
        VarId::new(self.steering() + 3 * self.n_contexts())
    }

    /// Whether the goal is reached.
    pub fn error(&self) -> VarId {
        VarId::new(self.steering() + 3 * self.n_contexts() + 1)
    }

    fn started(&self, context: usize) -> usize {
        let start = self.steering() + 3 * self.n_contexts() + 2;
        start + (context - 1) * (self.n_site + self.n_store)
    }

    /// Where the thread starts whose first context this is; all 0: none.
    pub fn site(&self, context: usize, bit: usize) -> VarId {
        VarId::new(self.started(context) + bit)
    }

    /// A value it starts with.
    pub fn store(&self, context: usize, index: usize) -> VarId {
        VarId::new(self.started(context) + self.n_site + index)
    }

    /// All shared variables.
    pub fn n_shared(&self) -> usize {
        self.started(self.n_contexts())
    }

    /// A local of the program, by its number there.
    pub fn local(&self, var: VarId) -> VarId {
        VarId::new(var.index() - self.n_program + self.n_shared())
    }

    /// The shared variables with names that tell their role.
    pub fn infos(&self, program: &Program) -> Vec<VarInfo> {
        let mut names: Vec<String> = vec![String::new(); self.n_shared()];
        let mut name = |var: VarId, text: String| names[var.index()] = text;
        for var in 0..self.n_copied() {
            let base = match program.shared.get(var) {
                Some(info) => info.name.to_string(),
                None => format!("alive{}", var - self.n_program),
            };
            for context in 0..self.n_contexts() {
                name(self.now(context, var), format!("{base}@{context}"));
                if context > 0 {
                    name(self.guess(context, var), format!("{base}@{context}?"));
                }
            }
        }
        for context in 0..self.n_contexts() {
            name(self.at(context), format!("at{context}"));
            name(self.taken(context), format!("taken{context}"));
            name(self.first(context), format!("first{context}"));
            if context > 0 {
                (0..self.n_site)
                    .for_each(|b| name(self.site(context, b), format!("site{context}.{b}")));
                (0..self.n_store)
                    .for_each(|w| name(self.store(context, w), format!("start{context}.{w}")));
            }
        }
        name(self.atomic(), "atomic".into());
        name(self.error(), "error".into());
        names.into_iter().map(|it| VarInfo { name: Name::from(it.as_str()), span: None }).collect()
    }
}
