//! The store: one SQLite file with every result, shared by whoever runs.
//!
//! A write-ahead log with `synchronous = NORMAL`: a process may be killed at any moment, what was committed stays and
//! what was not is as if it had never begun; a crash of the machine may lose the last results, never the file. Several
//! processes of one machine may write. Over a network file system they may not (the log is shared memory): there each
//! has a store of its own, and [`Store::merge`] puts them together.
//!
//! `result` is only added to; `task` says which result a task of a run has; `claim` who works on a key. Read
//! `results.rs`, `runs.rs`, `claims.rs`, `merge.rs` in this order.

mod claims;
mod merge;
mod results;
mod runs;

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, TransactionBehavior,
};

use crate::error::Trouble;

pub use claims::{Claim, Owner};
pub use merge::Merged;
pub use results::{ResultId, Stored};
pub use runs::{Listed, Run, RunId};

/// "HBOP"; says that a file is ours.
const APPLICATION: i32 = 0x4842_4f50;
/// Of the tables below.
const VERSION: i32 = 1;
/// Somebody else may be writing.
const PATIENCE: Duration = Duration::from_secs(60);

const TABLES: &str = "
CREATE TABLE tool (identity TEXT PRIMARY KEY, hash TEXT NOT NULL) STRICT;
CREATE TABLE result (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, answer TEXT NOT NULL, reason TEXT,
    cpu REAL NOT NULL, wall REAL NOT NULL, memory INTEGER NOT NULL, limits TEXT NOT NULL,
    record TEXT, evidence BLOB, log TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE INDEX result_by_key ON result (key);
CREATE TABLE run (
    id INTEGER PRIMARY KEY, plan TEXT NOT NULL, folder TEXT NOT NULL, tool TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE TABLE task (
    run INTEGER NOT NULL REFERENCES run (id), at INTEGER NOT NULL, name TEXT NOT NULL, key TEXT NOT NULL,
    spec TEXT NOT NULL, result INTEGER REFERENCES result (id), PRIMARY KEY (run, at)
) STRICT, WITHOUT ROWID;
CREATE INDEX task_by_key ON task (key);
CREATE INDEX task_by_name ON task (name);
CREATE TABLE owner (name TEXT PRIMARY KEY, seen INTEGER NOT NULL) STRICT;
CREATE TABLE claim (key TEXT PRIMARY KEY, owner TEXT NOT NULL REFERENCES owner (name)) STRICT;
";

/// An open store.
pub struct Store {
    path: PathBuf,
    db: Connection,
}

impl Store {
    /// Opens it to be written; makes it where there is none.
    pub fn open(path: &Path) -> Result<Store, Trouble> {
        // A limit on the size of files is an error of the write, not the end of the process.
        // SAFETY: ignoring a signal touches no memory.
        unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
        let store = Store::connected(path, Connection::open(path))?;
        store.tried(|db| {
            db.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")
        })?;
        store.prepare()?;
        Ok(store)
    }

    /// Opens one that is there, to be read.
    pub fn existing(path: &Path) -> Result<Store, Trouble> {
        if let Err(error) = std::fs::metadata(path) {
            return Err(Trouble::Store(format!("{}: {error}", path.display())));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let store = Store::connected(path, Connection::open_with_flags(path, flags))?;
        if store.version().is_ok() {
            return store.known();
        }
        // Where nothing can be written nobody writes: the file is read as it is.
        let name =
            path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let still = Connection::open_with_flags(format!("file:{name}?immutable=1"), flags);
        Store::connected(path, still)?.known()
    }

    fn connected(path: &Path, db: rusqlite::Result<Connection>) -> Result<Store, Trouble> {
        let db = db.map_err(|error| told(path, &error))?;
        db.busy_timeout(PATIENCE).map_err(|error| told(path, &error))?;
        Ok(Store { path: path.into(), db })
    }

    /// Two may come at once: the first makes the tables.
    fn prepare(&self) -> Result<(), Trouble> {
        if self.version()? == (APPLICATION, VERSION) {
            return Ok(());
        }
        self.write(|db| {
            let owner: i32 = db.query_row("PRAGMA application_id", [], |it| it.get(0))?;
            let n_tables: i32 =
                db.query_row("SELECT count(*) FROM sqlite_master", [], |it| it.get(0))?;
            let is_new = n_tables == 0 && owner == 0;
            if is_new {
                db.execute_batch(TABLES)?;
                db.pragma_update(None, "application_id", APPLICATION)?;
                db.pragma_update(None, "user_version", VERSION)?;
            }
            Ok(())
        })?;
        match self.version()? == (APPLICATION, VERSION) {
            true => Ok(()),
            false => Err(self.foreign()),
        }
    }

    fn version(&self) -> Result<(i32, i32), Trouble> {
        let sql =
            "SELECT application_id, user_version FROM pragma_application_id, pragma_user_version";
        self.tried(|db| db.query_row(sql, [], |it| Ok((it.get(0)?, it.get(1)?))))
    }

    fn known(self) -> Result<Store, Trouble> {
        match self.version()? == (APPLICATION, VERSION) {
            true => Ok(self),
            false => Err(self.foreign()),
        }
    }

    fn foreign(&self) -> Trouble {
        let name = self.path.display();
        Trouble::Store(format!("{name}: this is no store of results, or one of another version"))
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The hash of a command that was seen before.
    pub(crate) fn tool(&self, identity: &str) -> Result<Option<String>, Trouble> {
        let sql = "SELECT hash FROM tool WHERE identity = ?1";
        self.tried(|db| db.query_row(sql, [identity], |it| it.get(0)).optional())
    }

    pub(crate) fn remember_tool(&self, identity: &str, hash: &str) -> Result<(), Trouble> {
        let sql = "INSERT OR REPLACE INTO tool (identity, hash) VALUES (?1, ?2)";
        self.write(|db| db.execute(sql, [identity, hash]).map(drop))
    }

    /// Asks; the error in words.
    fn tried<T>(&self, ask: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Trouble> {
        ask(&self.db).map_err(|error| told(&self.path, &error))
    }

    /// All or nothing. The lock is taken first: who reads and then writes cannot be overtaken in between.
    fn write<T>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, Trouble> {
        self.tried(|db| {
            let transaction = Transaction::new_unchecked(db, TransactionBehavior::Immediate)?;
            let made = change(&transaction)?;
            transaction.commit()?;
            Ok(made)
        })
    }
}

const READ_ONLY: &str = "the store cannot be written: it is read-only, or its folder is";

/// What the database says, in our words.
fn told(path: &Path, error: &rusqlite::Error) -> Trouble {
    let name = path.display();
    let why = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => {
            "the disk is full; what was recorded is kept, and the same command goes on from there"
                .into()
        }
        Some(ErrorCode::ReadOnly) => READ_ONLY.into(),
        // The log beside it cannot be made.
        Some(ErrorCode::CannotOpen) if path.exists() => READ_ONLY.into(),
        Some(ErrorCode::CannotOpen) => "the store cannot be opened or made here".into(),
        Some(ErrorCode::NotADatabase) => "this is no store of results".into(),
        Some(ErrorCode::DatabaseBusy) => "others have kept the store busy for a minute".into(),
        Some(ErrorCode::SystemIoFailure) => format!(
            "the store cannot be read or written ({error}); what was recorded is kept, and the same command goes on from there"
        ),
        Some(ErrorCode::DatabaseCorrupt) => format!("the store is damaged ({error})"),
        _ => error.to_string(),
    };
    Trouble::Store(format!("{name}: {why}"))
}

/// Seconds since 1970.
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs() as i64)
}
