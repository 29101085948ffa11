//! Claims: who works on a key. Two batches on one store do each task once; the work of one that was killed is free.

use std::sync::OnceLock;

use rusqlite::{OptionalExtension, Transaction, params};

use super::{ResultId, Store, now};
use crate::error::Trouble;
use crate::key::Key;
use crate::limits::Limits;
use crate::stat::Stat;

/// Seconds after which an owner on another machine that gave no sign is taken for dead.
const SILENCE: i64 = 120;

/// A process that works on tasks: machine, boot, process and when it started, so that no other has the same name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Owner(String);

/// What became of asking for a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// It is ours to do.
    Granted,
    /// Somebody else works on it.
    Taken,
    /// There is a result already.
    Done(ResultId),
}

impl Owner {
    /// This process.
    pub fn this() -> Owner {
        let pid = std::process::id();
        Owner(format!("{} {pid} {}", boot(), Stat::of(pid).map_or(0, |it| it.started)))
    }

    /// `None` if it lives on another machine.
    fn is_running(&self) -> Option<bool> {
        let mut words = self.0.rsplitn(3, ' ');
        let start: u64 = words.next()?.parse().ok()?;
        let pid: u32 = words.next()?.parse().ok()?;
        (words.next()? == boot()).then(|| Stat::of(pid).is_some_and(|it| it.started == start))
    }
}

/// The name of this machine since it was started.
fn boot() -> &'static str {
    static BOOT: OnceLock<String> = OnceLock::new();
    BOOT.get_or_init(|| {
        let read = |path| std::fs::read_to_string(path).unwrap_or_default();
        let (host, boot) =
            (read("/proc/sys/kernel/hostname"), read("/proc/sys/kernel/random/boot_id"));
        format!("{}/{}", host.trim(), boot.trim())
    })
}

impl Store {
    /// Says that the owner lives; to be said much more often than [`SILENCE`].
    pub fn sign_of_life(&self, owner: &Owner) -> Result<(), Trouble> {
        let sql = "INSERT OR REPLACE INTO owner (name, seen) VALUES (?1, ?2)";
        self.write(|db| db.execute(sql, params![owner.0, now()]).map(drop))
    }

    /// Asks for the right to work on a key. A result that has come meanwhile is given to the tasks that wait for it.
    pub fn claim(&self, key: &Key, limits: Limits, owner: &Owner) -> Result<Claim, Trouble> {
        if let Some(done) = self.answer(key, limits)? {
            self.write(|db| {
                let sql = "UPDATE task SET result = ?1 WHERE key = ?2 AND result IS NULL";
                db.execute(sql, params![done.id.0, key.0]).map(drop)
            })?;
            return Ok(Claim::Done(done.id));
        }
        self.write(|db| {
            let holder: Option<String> = db
                .prepare_cached("SELECT owner FROM claim WHERE key = ?1")?
                .query_row([&key.0], |it| it.get(0))
                .optional()?;
            let is_free = match holder {
                None => true,
                Some(holder) => !is_alive(db, &Owner(holder))?,
            };
            if !is_free {
                return Ok(Claim::Taken);
            }
            db.prepare_cached("INSERT OR REPLACE INTO claim (key, owner) VALUES (?1, ?2)")?
                .execute([&key.0, &owner.0])?;
            Ok(Claim::Granted)
        })
    }

    /// Gives back what an owner has not done.
    pub fn release(&self, owner: &Owner) -> Result<(), Trouble> {
        self.write(|db| {
            db.execute("DELETE FROM claim WHERE owner = ?1", [&owner.0])?;
            db.execute("DELETE FROM owner WHERE name = ?1", [&owner.0]).map(drop)
        })
    }
}

fn is_alive(db: &Transaction<'_>, owner: &Owner) -> rusqlite::Result<bool> {
    if let Some(is_running) = owner.is_running() {
        return Ok(is_running);
    }
    let seen: Option<i64> = db
        .query_row("SELECT seen FROM owner WHERE name = ?1", [&owner.0], |it| it.get(0))
        .optional()?;
    Ok(seen.is_some_and(|seen| now() - seen < SILENCE))
}
