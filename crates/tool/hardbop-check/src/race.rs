//! Rivals side by side, each in a thread of its own: the first that decides ends the others. What
//! decides, and for what it is worth to wait, says a [`Judge`]; engines for Boolean programs and for
//! C have one each.
//!
//! **Contradictions.** Answers that were heard are compared, those that came while one waited and those
//! that had come when one decided. Two that cannot both be right are our mistake: the race then ends
//! with that instead of the faster one's answer. What comes later nobody hears.
//!
//! **Start.** One rival may be ahead of the others, who wait at a line ([`StartingLine`]).
//!
//! **Turns.** Where there are more rivals than cores, those with a slice take turns
//! ([`hardbop_base::turns`]).
//!
//! **Limits.** Rivals ask the budget themselves, but one operation of a diagram library or of a
//! solver cannot be interrupted. One that does not come back within [`GRACE`] of the limit, or of
//! being cancelled, is left behind: its thread ends with the process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use hardbop_base::{Bits, CancelToken, Exhausted, Progress, Turn, address_space, stack, turns};
use hardbop_engine::RunCtx;

use crate::start::{Behind, StartingLine};

/// Deep programs need deep stacks; the pages are touched only when used.
const STACK: usize = 512 << 20;

/// How long after its end a run may take to say so.
const GRACE: Duration = Duration::from_millis(500);

/// How often the limits are looked at while nothing is said.
const EVERY: Duration = Duration::from_millis(20);

/// Who takes part, with all it needs: it outlives the race if it does not stop.
pub struct Rival<T> {
    /// For messages.
    name: &'static str,
    /// The first slice of its turns; without one it does not wait for others.
    slice: Option<Duration>,
    /// Which it opens when it has answered without deciding.
    ahead: Option<StartingLine>,
    /// Where it waits before it runs.
    behind: Option<Behind>,
    run: Box<dyn FnOnce(&RunCtx) -> T + Send>,
}

impl<T> Rival<T> {
    /// What it does within the limits, all the time.
    pub fn new(name: &'static str, run: impl FnOnce(&RunCtx) -> T + Send + 'static) -> Self {
        Rival { name, slice: None, ahead: None, behind: None, run: Box::new(run) }
    }

    /// Has a head start: those behind the line wait for it.
    pub fn ahead_of(mut self, line: &StartingLine) -> Self {
        self.ahead = Some(line.clone());
        self
    }

    /// Starts when the line is open.
    pub fn behind(mut self, line: &StartingLine) -> Self {
        self.behind = Some(line.enter());
        self
    }

    /// Takes turns with others where cores are few, and begins with this slice.
    pub fn in_turns(mut self, slice: Duration) -> Self {
        self.slice = Some(slice);
        self
    }
}

/// What an answer is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// It ends the race.
    Decides,
    /// It ends the race unless a better one comes in this time.
    Waits(Duration),
    /// It says nothing; of several such the one of the first rival counts.
    Nothing,
}

/// Compares answers.
pub trait Judge<T> {
    /// What the answer of a rival is worth, given who has spoken (that rival included) and how long
    /// the race has taken.
    fn worth(&self, rival: usize, answer: &T, heard: &Bits, elapsed: Duration) -> Worth;

    /// An answer in a few words, for the list of who did what.
    fn words(&self, answer: &T) -> String;

    /// Whether an answer takes the place of one that waits.
    fn is_better(&self, new: &T, known: &T) -> bool;

    /// What to say if the answers of two rivals cannot both be right. Soundness: never a verdict.
    fn contradiction(&self, one: (usize, &T), other: (usize, &T)) -> Option<T>;

    /// The answer of a rival that failed, or could not start. Soundness: never a verdict.
    fn failed(&self, why: String) -> T;

    /// The answer when a limit is reached and a rival does not stop.
    fn exhausted(&self, limit: Exhausted) -> T;

    /// An answer that leaves nothing open although no rival has given it: what they told while they were at work
    /// is enough. It ends the race.
    fn settled(&self) -> Option<T> {
        None
    }
}

/// The number of the winner, and its answer.
pub fn race<T: Send + 'static>(
    rivals: Vec<Rival<T>>,
    judge: &dyn Judge<T>,
    ctx: &RunCtx,
) -> (usize, T) {
    let stop = CancelToken::default();
    let (say, hear) = channel();
    let n_rivals = rivals.len();
    let contexts = ctx.side_by_side(n_rivals, &stop);
    let mut turns = turns(&rivals).into_iter();
    let lines: Vec<_> = rivals.iter().map(|rival| rival.ahead.clone()).collect();
    let mut each = Vec::new();
    for (index, (rival, mut rivals_ctx)) in rivals.into_iter().zip(contexts).enumerate() {
        let turn = rival.slice.and_then(|_| turns.next());
        if let Some(turn) = &turn {
            rivals_ctx.budget = rivals_ctx.budget.with_turn(turn.clone());
        }
        let progress = ctx.progress.join(rival.name, turn.clone());
        each.push(progress.clone());
        start(index, rival, turn, rivals_ctx.with_progress(progress), say.clone());
    }
    drop(say);
    let referee = Referee {
        n_rivals,
        lines: &lines,
        judge,
        ctx,
        each: &each,
        start: Instant::now(),
        best: None,
        heard: Bits::new(),
        others: Vec::new(),
        over: None,
    };
    let winner = referee.winner(&stop, &hear);
    stop.cancel();
    // Who still waits there finds the race decided.
    lines.iter().flatten().for_each(StartingLine::open);
    each.iter().for_each(|it| ctx.progress.ended(it, || "stopped".into()));
    winner
}

/// For those with a slice, if they are more than the cores.
fn turns<T>(rivals: &[Rival<T>]) -> Vec<Turn> {
    let slices: Vec<Duration> = rivals.iter().filter_map(|it| it.slice).collect();
    match std::thread::available_parallelism() {
        Ok(n_cores) if n_cores.get() < slices.len() => turns::turns(&slices, n_cores.get()),
        _ => Vec::new(),
    }
}

/// An answer, or why there is none.
type Said<T> = (usize, Result<T, Silence>);

enum Silence {
    /// It failed, or could not start.
    Failed(String),
    /// A limit was reached before it could start.
    Over(Exhausted),
}

fn start<T: Send + 'static>(
    index: usize,
    rival: Rival<T>,
    turn: Option<Turn>,
    ctx: RunCtx,
    say: Sender<Said<T>>,
) {
    let thread = std::thread::Builder::new().name(rival.name.into());
    let thread = thread.stack_size(stack::affordable(STACK));
    let refused = say.clone();
    let run = move || {
        let Rival { name, behind, run, .. } = rival;
        let may_start = behind.as_ref().map_or(Ok(()), |it| it.wait(&ctx.budget));
        // Soundness: a panic leaves no answer behind, so the verdict can only become unknown.
        let run = || catch_unwind(AssertUnwindSafe(|| run(&ctx)));
        let answer = may_start.map_err(Silence::Over).and_then(|()| {
            run().map_err(|panic| {
                let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
                let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
                Silence::Failed(format!("engine {name} failed: {}", text.unwrap_or_default()))
            })
        });
        if let Some(turn) = turn {
            turn.end();
        }
        drop(behind);
        // Nobody listens any more once another was first.
        let _ = say.send((index, answer));
    };
    if let Err(error) = thread.spawn(run) {
        address_space::note_refusal();
        let why = Silence::Failed(format!("cannot start a thread: {error}"));
        let _ = refused.send((index, Err(why)));
    }
}

/// What was said so far, and what is still waited for.
struct Referee<'a, T> {
    n_rivals: usize,
    /// Those that rivals are ahead of, by number.
    lines: &'a [Option<StartingLine>],
    judge: &'a dyn Judge<T>,
    ctx: &'a RunCtx,
    /// Where each tells how far it has come.
    each: &'a [Progress],
    start: Instant,
    /// The best answer that says something, and when it is taken if no better one comes.
    best: Option<((usize, T), Instant)>,
    heard: Bits,
    /// All other answers.
    others: Vec<(usize, T)>,
    /// The limit that was reached, and when.
    over: Option<(Instant, Exhausted)>,
}

impl<T> Referee<'_, T> {
    fn winner(mut self, stop: &CancelToken, hear: &Receiver<Said<T>>) -> (usize, T) {
        let mut was_settled = false;
        loop {
            match hear.recv_timeout(EVERY) {
                Ok(said) => self.note(said),
                Err(RecvTimeoutError::Disconnected) => return self.answer(),
                Err(RecvTimeoutError::Timeout) => match self.judge.settled() {
                    // Who settled it had time to say so, and to add a proof, but is still at work.
                    Some(answer) if was_settled => return (0, answer),
                    settled => was_settled = settled.is_some(),
                },
            }
            let is_due = self.best.as_ref().is_some_and(|it| Instant::now() >= it.1);
            if self.heard.len() == self.n_rivals || is_due || self.is_over(stop) {
                // What has been said by now was heard, too.
                while let Ok(said) = hear.try_recv() {
                    self.note(said);
                }
                return self.answer();
            }
        }
    }

    /// A rival that fails where the system refuses memory has run out of it.
    fn failed(&self, why: String) -> T {
        match address_space::limit().or(self.ctx.budget.memory_limit()) {
            Some(limit) if address_space::was_refused() => {
                self.judge.exhausted(Exhausted::Memory(limit))
            }
            _ => self.judge.failed(why),
        }
    }

    fn note(&mut self, (index, said): Said<T>) {
        let answer = said.unwrap_or_else(|why| match why {
            Silence::Failed(why) => self.failed(why),
            Silence::Over(limit) => self.judge.exhausted(limit),
        });
        self.heard.insert(index);
        self.ctx.progress.ended(&self.each[index], || self.judge.words(&answer));
        let now = Instant::now();
        let worth = self.judge.worth(index, &answer, &self.heard, self.start.elapsed());
        if let Some(line) = &self.lines[index]
            && worth != Worth::Decides
        {
            line.open();
        }
        let due = match worth {
            Worth::Decides => now,
            Worth::Waits(time) => now + time,
            Worth::Nothing => return self.others.push((index, answer)),
        };
        let takes_over = match &self.best {
            None => true,
            // What decided first counts.
            Some((_, until)) if *until <= now => false,
            Some(((_, known), _)) => due <= now || self.judge.is_better(&answer, known),
        };
        if takes_over {
            let before = self.best.replace(((index, answer), due));
            self.others.extend(before.map(|it| it.0));
        } else {
            self.others.push((index, answer));
        }
    }

    /// Whether a limit was reached longer ago than rivals need to stop.
    fn is_over(&mut self, stop: &CancelToken) -> bool {
        match (self.ctx.budget.check(), self.over) {
            (Ok(()), _) => self.over = None,
            (Err(limit), None) => {
                // Ctrl-C reaches the rivals through here only; other limits they see themselves.
                if limit == Exhausted::Cancelled {
                    stop.cancel();
                }
                self.over = Some((Instant::now(), limit));
            }
            (Err(_), Some((since, limit))) if since.elapsed() > GRACE => {
                let left_behind = self.judge.exhausted(limit);
                self.others.push((0, left_behind));
                return true;
            }
            (Err(_), Some(_)) => {}
        }
        false
    }

    /// The best answer unless another one contradicts it; without one, that of the first rival.
    fn answer(mut self) -> (usize, T) {
        if let Some((best, _)) = self.best {
            let known = (best.0, &best.1);
            let denied =
                self.others.iter().find_map(|it| self.judge.contradiction(known, (it.0, &it.1)));
            return match denied {
                Some(mistake) => (best.0, mistake),
                None => best,
            };
        }
        // The sort is stable: of a rival that was left behind, what it said comes first.
        self.others.sort_by_key(|it| it.0);
        let first = self.others.into_iter().next();
        first.unwrap_or_else(|| (0, self.judge.failed("no engine answered".into())))
    }
}

#[cfg(test)]
mod tests {
    use super::{Judge, Rival, StartingLine, Worth, race};
    use hardbop_base::{Bits, Budget, Exhausted};
    use hardbop_engine::RunCtx;
    use std::time::{Duration, Instant};

    /// Numbers: the larger the better, 0 says nothing, below 0 something went wrong.
    struct Largest;

    impl Judge<i32> for Largest {
        fn worth(&self, _: usize, answer: &i32, _: &Bits, _: Duration) -> Worth {
            match answer {
                ..=0 => Worth::Nothing,
                1..=9 => Worth::Waits(Duration::from_millis(300)),
                _ => Worth::Decides,
            }
        }

        fn words(&self, answer: &i32) -> String {
            answer.to_string()
        }

        fn is_better(&self, new: &i32, known: &i32) -> bool {
            new > known
        }

        fn contradiction(&self, one: (usize, &i32), other: (usize, &i32)) -> Option<i32> {
            (one.1 + other.1 == 99).then_some(-3)
        }

        fn failed(&self, _: String) -> i32 {
            -1
        }

        fn exhausted(&self, _: Exhausted) -> i32 {
            -2
        }
    }

    fn after(ms: u64, answer: i32) -> Rival<i32> {
        let run = move |_: &RunCtx| {
            std::thread::sleep(Duration::from_millis(ms));
            answer
        };
        Rival::new("sleeper", run)
    }

    fn winner(rivals: Vec<Rival<i32>>, budget: Budget) -> (usize, i32) {
        race(rivals, &Largest, &RunCtx::new(budget))
    }

    #[test]
    fn the_first_that_decides_wins() {
        let start = Instant::now();
        let won = winner(vec![after(60_000, 20), after(0, 10)], Budget::unlimited());
        assert_eq!(won, (1, 10));
        assert!(start.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn who_is_behind_starts_when_the_one_ahead_does_not_decide() {
        let line = || StartingLine::new(None);
        let pair = |line: &StartingLine, ahead: Rival<i32>| {
            vec![ahead.ahead_of(line), after(0, 10).behind(line)]
        };
        let unlimited = Budget::unlimited;
        assert_eq!(winner(pair(&line(), after(50, 20)), unlimited()), (0, 20));
        assert_eq!(winner(pair(&line(), after(50, 0)), unlimited()), (1, 10));
        let fails = Rival::new("fails", |_: &RunCtx| panic!("on purpose"));
        assert_eq!(winner(pair(&line(), fails), unlimited()), (1, 10));
        let head_start = StartingLine::new(Some(Duration::from_millis(20)));
        let works = Rival::new("works", |ctx: &RunCtx| {
            while ctx.budget.check().is_ok() {}
            0
        });
        assert_eq!(winner(pair(&head_start, works), unlimited()), (1, 10));
        let opened = line();
        let opens = {
            let line = opened.clone();
            Rival::new("opens", move |_: &RunCtx| {
                line.open();
                while !line.is_alone() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                0
            })
        };
        assert_eq!(winner(pair(&opened, opens), unlimited()), (1, 10));
    }

    #[test]
    fn an_answer_waits_for_a_better_one() {
        let unlimited = Budget::unlimited;
        assert_eq!(winner(vec![after(0, 1), after(50, 20)], unlimited()), (1, 20));
        assert_eq!(winner(vec![after(0, 1), after(60_000, 20)], unlimited()), (0, 1));
        assert_eq!(winner(vec![after(0, 0), after(20, 0)], unlimited()), (0, 0));
    }

    #[test]
    fn answers_that_contradict_each_other_are_no_answer() {
        let unlimited = Budget::unlimited;
        // One decides while the other waits, whichever comes first; both wait; both have come.
        assert_eq!(winner(vec![after(0, 9), after(50, 90)], unlimited()).1, -3);
        assert_eq!(winner(vec![after(50, 98), after(0, 1)], unlimited()).1, -3);
        assert_eq!(winner(vec![after(0, 9), after(50, 8), after(80, 90)], unlimited()).1, -3);
        // Others do not matter.
        assert_eq!(winner(vec![after(0, 9), after(20, 0), after(50, 91)], unlimited()), (2, 91));
    }

    #[test]
    fn a_panic_is_no_answer() {
        let fails = Rival::new("fails", |_: &RunCtx| panic!("on purpose"));
        assert_eq!(winner(vec![fails, after(20, 10)], Budget::unlimited()), (1, 10));
        let fails = Rival::new("fails", |_: &RunCtx| panic!("on purpose"));
        assert_eq!(winner(vec![fails], Budget::unlimited()), (0, -1));
    }

    #[test]
    fn a_rival_that_does_not_stop_is_left_behind() {
        let start = Instant::now();
        let budget = Budget::unlimited().with_time(Duration::from_millis(100));
        assert_eq!(winner(vec![after(60_000, 10)], budget), (0, -2));
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}
