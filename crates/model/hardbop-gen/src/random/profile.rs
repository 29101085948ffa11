//! What random programs look like.

/// Sizes are ranges with both ends included; chances are percents.
#[derive(Clone, Debug)]
pub struct Profile {
    pub name: &'static str,
    pub globals: (usize, usize),
    /// Procedures beside `main`.
    pub procs: (usize, usize),
    pub formals: (usize, usize),
    pub returns: (usize, usize),
    /// Declared locals of a procedure.
    pub locals: (usize, usize),
    /// Statements of a procedure's body, those of inner blocks not counted.
    pub stmts: (usize, usize),
    /// Blocks inside blocks.
    pub nesting: usize,
    pub expr_depth: usize,
    /// Whether a procedure may call itself or an earlier one.
    pub recursion: bool,
    /// Whether threads may assign locals of others.
    pub broadcast: bool,
    /// A variable has an initial value.
    pub initial_value: u32,
    /// A procedure has one more enforced condition.
    pub enforce: u32,
    /// An assignment has a `constrain`.
    pub constrain: u32,
    /// `main` ends with an assert.
    pub last_assert: u32,
    /// A leaf of an expression is `*`.
    pub choice: u32,
    /// A statement has a label that nothing asks for.
    pub label: u32,
    pub weights: Weights,
}

/// How often each kind of statement is drawn, relative to the others.
#[derive(Clone, Debug, Default)]
pub struct Weights {
    pub skip: u32,
    pub print: u32,
    pub goto: u32,
    pub return_: u32,
    pub assign: u32,
    pub call: u32,
    pub if_: u32,
    pub while_: u32,
    pub assert: u32,
    pub assume: u32,
    pub dead: u32,
    pub start_goto: u32,
    pub start_call: u32,
    /// A call with a label `ASYNC_…`.
    pub async_call: u32,
    pub end_thread: u32,
    /// A balanced atomic section.
    pub atomic: u32,
    /// A lone `atomic_begin` or `atomic_end`.
    pub odd_atomic: u32,
}

impl Profile {
    /// Calls, no recursion, no threads.
    pub fn sequential() -> Self {
        Profile {
            name: "sequential",
            globals: (1, 4),
            procs: (0, 3),
            formals: (0, 2),
            returns: (0, 2),
            locals: (0, 3),
            stmts: (3, 8),
            nesting: 2,
            expr_depth: 3,
            recursion: false,
            broadcast: false,
            initial_value: 40,
            enforce: 8,
            constrain: 15,
            last_assert: 25,
            choice: 10,
            label: 8,
            weights: Weights {
                skip: 3,
                print: 1,
                goto: 5,
                return_: 3,
                assign: 40,
                call: 16,
                if_: 14,
                while_: 7,
                assert: 8,
                assume: 6,
                dead: 2,
                ..Weights::default()
            },
        }
    }

    /// Direct and mutual recursion.
    pub fn recursive() -> Self {
        let base = Profile::sequential();
        Profile {
            name: "recursive",
            procs: (1, 3),
            locals: (0, 2),
            stmts: (2, 6),
            recursion: true,
            last_assert: 60,
            weights: Weights { call: 28, return_: 6, ..base.weights },
            ..base
        }
    }

    /// Threads of every kind; calls without recursion.
    pub fn threads() -> Self {
        let base = Profile::sequential();
        Profile {
            name: "threads",
            globals: (1, 3),
            procs: (0, 2),
            formals: (0, 1),
            returns: (0, 1),
            locals: (0, 2),
            stmts: (2, 6),
            nesting: 1,
            last_assert: 60,
            weights: Weights {
                call: 8,
                start_goto: 6,
                start_call: 8,
                async_call: 4,
                end_thread: 3,
                atomic: 7,
                odd_atomic: 1,
                ..base.weights
            },
            ..base
        }
    }

    /// Threads that also assign locals of others.
    pub fn broadcast() -> Self {
        Profile { name: "broadcast", locals: (1, 2), broadcast: true, ..Profile::threads() }
    }

    /// Threads that call themselves and each other's procedures: stacks without bound.
    pub fn recursive_threads() -> Self {
        Profile { name: "recursive-threads", recursion: true, ..Profile::threads() }
    }

    pub fn all() -> Vec<Profile> {
        vec![
            Profile::sequential(),
            Profile::recursive(),
            Profile::threads(),
            Profile::broadcast(),
            Profile::recursive_threads(),
        ]
    }

    pub fn named(name: &str) -> Option<Self> {
        Profile::all().into_iter().find(|profile| profile.name == name)
    }
}
