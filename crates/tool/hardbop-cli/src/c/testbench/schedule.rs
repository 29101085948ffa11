//! The order in which the threads of a violation came to what they share, for `schedule.c` of the testbench.
//!
//! A **place** is an access to memory, an atomic operation or a call of the library, as the compiled program
//! comes by it, too: there it is known by the line of the source and the variable or the function, and by how often the
//! thread came by that before. Places that one thread came to in a row are a **stretch**. In the compiled
//! program a thread goes on past a place when its stretch has begun, and a stretch begins when the one before is over.

use std::fmt::Write;
use std::path::Path;

use hardbop_base::Span;
use hardbop_c::Sources;
use hardbop_cir::interp::{Moment, Step, Watch};
use hardbop_cir::{Callee, FuncId, ObjKind, Op, Program, Source, ThreadOp};

pub(super) const FILE: &str = "schedule";

/// Functions of the library that `threads.c` stands before.
pub(super) const CALLS: [&str; 40] = [
    "pthread_create",
    "pthread_join",
    "pthread_detach",
    "pthread_mutex_lock",
    "pthread_mutex_trylock",
    "pthread_mutex_timedlock",
    "pthread_mutex_unlock",
    "pthread_mutex_destroy",
    "pthread_cond_wait",
    "pthread_cond_timedwait",
    "pthread_cond_signal",
    "pthread_cond_broadcast",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_unlock",
    "pthread_spin_lock",
    "pthread_spin_trylock",
    "pthread_spin_unlock",
    "pthread_barrier_wait",
    "pthread_once",
    "sem_wait",
    "sem_trywait",
    "sem_post",
    "sem_getvalue",
    "thrd_create",
    "thrd_join",
    "thrd_detach",
    "mtx_lock",
    "mtx_trylock",
    "mtx_unlock",
    "cnd_wait",
    "cnd_signal",
    "cnd_broadcast",
    "call_once",
    "free",
    "memcpy",
    "memset",
    "strcpy",
];

/// How the compiled program comes by something: a plain access, an atomic one, a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Read,
    Write,
    Atomic,
    /// An exchange that fails, maybe for no reason.
    Fails,
    Call,
}

impl Kind {
    fn letter(self) -> char {
        match self {
            Kind::Read => 'r',
            Kind::Write => 'w',
            Kind::Atomic => 'a',
            Kind::Fails => 'f',
            Kind::Call => 'c',
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Key {
    kind: Kind,
    at: Span,
    /// Of a variable or a function; empty where memory has no name.
    name: String,
}

struct Place {
    thread: u32,
    /// The compiler may have any of these.
    keys: Vec<Key>,
}

/// A call of the library that a thread is in.
#[derive(Clone)]
struct Call {
    name: String,
    at: Span,
    n_places: usize,
}

/// An atomic section in the text of the user.
#[derive(Clone)]
struct Section {
    began: Span,
    accesses: Vec<Key>,
    is_exchange: bool,
}

#[derive(Clone, Default)]
struct Thread {
    call: Option<Call>,
    section: Option<Section>,
    /// It was just asked whether a weak exchange fails.
    may_fail: bool,
}

/// Follows the run.
pub(super) struct Recorder<'a> {
    program: &'a Program,
    sources: &'a Sources,
    threads: Vec<Thread>,
    places: Vec<Place>,
}

impl Watch for Recorder<'_> {
    fn wants(&self, _: FuncId, _: Span) -> bool {
        false
    }

    fn step(&mut self, _: Step) {}

    fn follows(&self) -> bool {
        true
    }

    fn executes(&mut self, moment: Moment<'_>) {
        let at = moment.thread as usize;
        self.threads.resize(self.threads.len().max(at + 1), Thread::default());
        // The first call of ours is what the user called.
        let inside = moment.stack.iter().position(|it| self.sources.is_ours(it.1));
        match inside {
            Some(inside) => self.in_library(moment, inside),
            None => self.in_text(moment),
        }
    }
}

impl<'a> Recorder<'a> {
    pub fn new(program: &'a Program, sources: &'a Sources) -> Recorder<'a> {
        Recorder { program, sources, threads: Vec::new(), places: Vec::new() }
    }

    fn add(&mut self, thread: u32, keys: Vec<Key>) {
        if !keys.is_empty() {
            self.places.push(Place { thread, keys });
        }
    }

    /// What is done in the functions that the user wrote.
    fn in_text(&mut self, moment: Moment<'_>) {
        let Some(&(_, at)) = moment.stack.last() else { return };
        let one = |kind, name: &str| vec![Key { kind, at, name: name.into() }];
        let now = &mut self.threads[moment.thread as usize];
        match moment.op {
            Op::Call { callee: Callee::Func(func), .. } => {
                let name = self.program.funcs[*func].name.to_string();
                now.call = Some(Call { name, at, n_places: 0 });
            }
            Op::Nondet { source: Source::Input(name) | Source::External(name), .. } => {
                self.add(moment.thread, one(Kind::Call, name));
            }
            Op::Nondet { source: Source::System(_), .. } => now.may_fail = true,
            Op::Free { .. } => self.add(moment.thread, one(Kind::Call, "free")),
            Op::Thread(ThreadOp::Begin) if moment.depth == 0 => {
                let is_exchange = std::mem::take(&mut now.may_fail);
                now.section = Some(Section { began: at, accesses: Vec::new(), is_exchange });
            }
            Op::Thread(ThreadOp::End) if moment.depth == 1 => {
                let Some(section) = now.section.take() else { return };
                self.section(moment.thread, section, at);
            }
            _ => {
                let program = self.program;
                let accesses = moment.accesses.iter().map(|&(object, is_write)| {
                    let kind = if is_write { Kind::Write } else { Kind::Read };
                    Key { kind, at, name: name(program, object) }
                });
                let accesses: Vec<Key> = accesses.collect();
                match &mut now.section {
                    Some(section) => section.accesses.extend(accesses),
                    None => accesses.into_iter().for_each(|it| self.add(moment.thread, vec![it])),
                }
            }
        }
    }

    /// One operation, where it begins and ends in one expression.
    fn section(&mut self, thread: u32, section: Section, ended: Span) {
        let Section { began, accesses, is_exchange } = section;
        if began != ended {
            return accesses.into_iter().for_each(|it| self.add(thread, vec![it]));
        }
        let mut keys: Vec<Key> = Vec::new();
        let fails = is_exchange && accesses.iter().all(|it| it.kind == Kind::Read);
        let kind = if fails { Kind::Fails } else { Kind::Atomic };
        for it in &accesses {
            let atomic = Key { kind, at: began, name: it.name.clone() };
            if !keys.contains(&atomic) {
                keys.push(atomic);
            }
        }
        keys.extend(accesses);
        self.add(thread, keys);
    }

    /// A call counts where it first does something that nobody interrupts; one that waits for a condition, or at a
    /// barrier, also where it comes back.
    fn in_library(&mut self, moment: Moment<'_>, inside: usize) {
        let counts = match moment.op {
            Op::Thread(ThreadOp::End) => moment.depth == 1,
            Op::Free { .. } => true,
            _ => moment.depth == 0 && !moment.accesses.is_empty(),
        };
        let now = &mut self.threads[moment.thread as usize];
        // Atomic sections of the user are not interrupted by a call in them.
        let (Some(call), true) = (&mut now.call, counts) else { return };
        let innermost = moment.stack.last().map_or(FuncId::from_u32(0), |it| it.0);
        let innermost = &*self.program.funcs[innermost].name;
        let name = match (call.n_places, &*call.name) {
            (0, _) => call.name.clone(),
            (_, "pthread_cond_wait" | "pthread_cond_timedwait" | "cnd_wait")
                if innermost == "pthread_mutex_lock" =>
            {
                format!("{}/2", call.name)
            }
            (1, "pthread_barrier_wait") => format!("{}/2", call.name),
            _ => return,
        };
        call.n_places += 1;
        let at = inside.checked_sub(1).map_or(call.at, |user| moment.stack[user].1);
        if CALLS.contains(&&*call.name) {
            self.add(moment.thread, vec![Key { kind: Kind::Call, at, name }]);
        }
    }

    /// What `schedule.c` reads.
    pub fn text(&self) -> String {
        let mut text = String::from(
            "# The order of the threads: THREAD STRETCH PLACE LAST KIND NAME LINE FILE, where LAST is 1 at the end of a stretch\n",
        );
        let (mut stretch, mut counts) = (0, vec![0; self.threads.len()]);
        for (at, place) in self.places.iter().enumerate() {
            if at > 0 && self.places[at - 1].thread != place.thread {
                stretch += 1;
            }
            let number = &mut counts[place.thread as usize];
            *number += 1;
            let next = self.places.get(at + 1);
            let is_last = next.is_none_or(|it| it.thread != place.thread);
            for key in &place.keys {
                let position = self.sources.position(key.at);
                let file = Path::new(&*position.file);
                let file = file.file_name().map_or_else(|| "".into(), |it| it.to_string_lossy());
                let name = if key.name.is_empty() { "-" } else { &key.name };
                let (thread, is_last) = (place.thread, u8::from(is_last));
                let (kind, line) = (key.kind.letter(), position.line);
                let _ = writeln!(
                    text,
                    "{thread} {stretch} {number} {is_last} {kind} {name} {line} {file}"
                );
            }
        }
        text
    }
}

/// What the linker calls a variable; nothing if it knows none of it.
fn name(program: &Program, object: hardbop_cir::ObjId) -> String {
    let info = &program.objects[object];
    let is_name = info.name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
    match info.kind {
        ObjKind::Global if is_name => info.name.to_string(),
        _ => String::new(),
    }
}
