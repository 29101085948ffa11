//! Slurm: an array job whose members are the parts of a plan, each with a store of its own in one folder.
//!
//! Nothing is submitted that Slurm would refuse or end too early: the partition must be there, and its limit of time
//! must allow for the tasks of a part one after the other.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::error::Trouble;
use crate::plan::Plan;

/// An array job.
#[derive(Clone, Debug)]
pub struct Job {
    /// Where the script, the logs and the stores go.
    pub folder: PathBuf,
    /// The command.
    pub tool: PathBuf,
    /// Words behind `batch` that each member gets: the plan, limits, options.
    pub words: Vec<String>,
    /// Options of `hardbop check` for all tasks.
    pub options: Vec<String>,
    /// How many members.
    pub n_parts: usize,
    /// Where they run; the default where none is named.
    pub partition: Option<String>,
    /// For a member as a whole.
    pub time: Duration,
    /// Bytes for a member, where its tasks have a limit.
    pub memory: Option<u64>,
}

/// What starting and ending a process may add to each task.
const BESIDE: Duration = Duration::from_secs(5);

impl Job {
    /// The time that a member needs at most; `None` if some task has no limit.
    pub fn time_of(plan: &Plan, n_parts: usize) -> Option<Duration> {
        let longest = plan.tasks.iter().map(|it| it.limits.wall).collect::<Option<Vec<_>>>()?;
        let longest = longest.into_iter().max()?;
        let n_each = plan.tasks.len().div_ceil(n_parts.max(1)) as u32;
        Some((longest + BESIDE) * n_each + Duration::from_secs(60))
    }

    /// The batch script.
    pub fn script(&self) -> String {
        let folder = self.folder.display().to_string();
        let mut script = format!(
            "#!/bin/sh\n#SBATCH --job-name=hardbop\n#SBATCH --array=1-{}\n#SBATCH --ntasks=1\n\
             #SBATCH --cpus-per-task=1\n#SBATCH --time={}\n#SBATCH --output={folder}/part-%a.log\n",
            self.n_parts,
            self.time.as_secs().div_ceil(60),
        );
        if let Some(partition) = &self.partition {
            let _ = writeln!(script, "#SBATCH --partition={partition}");
        }
        if let Some(memory) = self.memory {
            // The batch itself needs a little, too.
            let _ = writeln!(script, "#SBATCH --mem={}M", memory.div_ceil(1 << 20) + 256);
        }
        let line =
            |words: &[String]| words.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(" ");
        let _ = write!(
            script,
            "{} batch {} --jobs 1 --shard \"$SLURM_ARRAY_TASK_ID/{}\" --store {}/part-\"$SLURM_ARRAY_TASK_ID\".db -- {}\n\
             # A verdict is no failure of the job; a store that cannot be written is.\n\
             code=$?\n[ $code -ne 1 ] && [ -s {}/part-\"$SLURM_ARRAY_TASK_ID\".db ]\n",
            quoted(&self.tool.display().to_string()),
            line(&self.words),
            self.n_parts,
            quoted(&folder),
            line(&self.options),
            quoted(&folder),
        );
        script
    }

    /// Writes the script and hands it to Slurm; the number of the job.
    pub fn submit(&self) -> Result<String, Trouble> {
        std::fs::create_dir_all(&self.folder).map_err(|it| Trouble::io(&self.folder, &it))?;
        self.fits(&output("sinfo", &["--noheader", "--format=%P %l"])?)?;
        let script = self.folder.join("job.sh");
        std::fs::write(&script, self.script()).map_err(|it| Trouble::io(&script, &it))?;
        let said = output("sbatch", &["--parsable", &script.display().to_string()])?;
        Ok(said.trim().split(';').next().unwrap_or_default().to_string())
    }

    /// Whether a partition that `sinfo` lists takes the job.
    fn fits(&self, partitions: &str) -> Result<(), Trouble> {
        let mut known = Vec::new();
        for line in partitions.lines() {
            let mut words = line.split_whitespace();
            let (Some(name), Some(limit)) = (words.next(), words.next()) else { continue };
            let is_default = name.ends_with('*');
            let name = name.trim_end_matches('*');
            known.push(name.to_string());
            if !self.partition.as_deref().map_or(is_default, |it| it == name) {
                continue;
            }
            return match time(limit) {
                Some(limit) if limit < self.time => Err(Trouble::Usage(format!(
                    "partition {name} allows {} minutes, a part may take {}: more parts, or a smaller --time-limit",
                    limit.as_secs() / 60,
                    self.time.as_secs().div_ceil(60)
                ))),
                _ => Ok(()),
            };
        }
        let wanted = self.partition.as_deref().unwrap_or("by default");
        Err(Trouble::Usage(format!(
            "there is no partition {wanted}; there are: {}",
            known.join(", ")
        )))
    }
}

/// The stores of the members that have written one.
pub fn parts(folder: &Path) -> Result<Vec<PathBuf>, Trouble> {
    let entries = std::fs::read_dir(folder).map_err(|it| Trouble::io(folder, &it))?;
    let mut parts: Vec<PathBuf> = entries
        .flatten()
        .map(|it| it.path())
        .filter(|it| it.extension().is_some_and(|end| end == "db"))
        .collect();
    parts.sort();
    Ok(parts)
}

/// Slurm's `days-hours:minutes:seconds`; `None` is no limit.
fn time(text: &str) -> Option<Duration> {
    let (days, rest) = match text.split_once('-') {
        Some((days, rest)) => (days.parse().ok()?, rest),
        None => (0, text),
    };
    let parts = rest.split(':').map(|it| it.parse().ok()).collect::<Option<Vec<u64>>>()?;
    let seconds = match parts[..] {
        [minutes] => minutes * 60,
        [minutes, seconds] => minutes * 60 + seconds,
        [hours, minutes, seconds] => hours * 3600 + minutes * 60 + seconds,
        _ => return None,
    };
    Some(Duration::from_secs(days * 86400 + seconds))
}

fn output(command: &str, words: &[&str]) -> Result<String, Trouble> {
    let output = Command::new(command).args(words).output().map_err(|error| {
        Trouble::Io(format!("{command}: {error}; is Slurm installed on this machine?"))
    })?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_string();
            Err(Trouble::Io(format!("{command}: {said}")))
        }
    }
}

/// For a shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::{Job, quoted, time};
    use std::time::Duration;

    fn job(minutes: u64, partition: Option<&str>) -> Job {
        Job {
            folder: "/work/out".into(),
            tool: "/opt/hardbop".into(),
            words: vec!["it's.toml".into()],
            options: vec!["--unwind".into(), "3".into()],
            n_parts: 4,
            partition: partition.map(String::from),
            time: Duration::from_secs(minutes * 60),
            memory: Some(1 << 30),
        }
    }

    #[test]
    fn a_job_is_submitted_only_where_it_fits() {
        let partitions = "debug* 30:00\nlong 2-00:00:00\nfree infinite\n";
        let fits = |minutes, partition| job(minutes, partition).fits(partitions);
        assert!(
            fits(30, None).is_ok()
                && fits(31, Some("long")).is_ok()
                && fits(9999, Some("free")).is_ok()
        );
        let told = fits(31, None).unwrap_err().to_string();
        assert!(
            told.starts_with("partition debug allows 30 minutes, a part may take 31"),
            "{told}"
        );
        let told = fits(1, Some("gpu")).unwrap_err().to_string();
        assert_eq!(told, "there is no partition gpu; there are: debug, long, free");
    }

    #[test]
    fn a_script_asks_for_what_it_needs() {
        let script = job(90, Some("long")).script();
        for line in [
            "#SBATCH --array=1-4",
            "#SBATCH --time=90",
            "#SBATCH --partition=long",
            "#SBATCH --mem=1280M",
        ] {
            assert!(script.lines().any(|it| it == line), "{line}: {script}");
        }
        assert!(script.contains(
            "'/opt/hardbop' batch 'it'\\''s.toml' --jobs 1 --shard \"$SLURM_ARRAY_TASK_ID/4\""
        ));
        assert!(script.contains(".db -- '--unwind' '3'\n"), "{script}");
        assert_eq!(quoted("a b"), "'a b'");
    }

    #[test]
    fn times_of_slurm() {
        let seconds = |text| time(text).map(|it| it.as_secs());
        assert_eq!(seconds("1-02:03:04"), Some(93784));
        assert_eq!((seconds("30:00"), seconds("5")), (Some(1800), Some(300)));
        assert_eq!(seconds("infinite"), None);
    }
}
