//! Patterns of paths: `*` and `?` inside a name, `**` for any number of folders.

use std::io;
use std::path::{Path, PathBuf};

/// The files below `folder` that a pattern means, sorted, as seen from `folder`.
pub fn files(folder: &Path, pattern: &str) -> io::Result<Vec<PathBuf>> {
    if !pattern.contains(['*', '?']) {
        // A name that is not there is told by who reads it.
        return Ok(vec![pattern.into()]);
    }
    let parts: Vec<&str> = pattern.split('/').filter(|it| !it.is_empty()).collect();
    let start = if pattern.starts_with('/') { PathBuf::from("/") } else { PathBuf::new() };
    let mut found = Vec::new();
    walk(folder, &start, &parts, &mut found)?;
    found.sort();
    found.dedup();
    Ok(found)
}

/// Recursion is as deep as folders are.
fn walk(root: &Path, at: &Path, parts: &[&str], found: &mut Vec<PathBuf>) -> io::Result<()> {
    let Some((part, rest)) = parts.split_first() else {
        if root.join(at).is_file() {
            found.push(at.into());
        }
        return Ok(());
    };
    if *part == "**" {
        walk(root, at, rest, found)?;
        for name in names(&root.join(at))?.into_iter().filter(|it| matches("*", it)) {
            // Links to folders are not followed: they may lead back.
            let path = at.join(name);
            if root.join(&path).symlink_metadata()?.is_dir() {
                walk(root, &path, parts, found)?;
            }
        }
        return Ok(());
    }
    if !part.contains(['*', '?']) {
        return walk(root, &at.join(part), rest, found);
    }
    for name in names(&root.join(at))?.into_iter().filter(|it| matches(part, it)) {
        walk(root, &at.join(name), rest, found)?;
    }
    Ok(())
}

/// What is in a folder; nothing if it is none.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    if !folder.as_os_str().is_empty() && !folder.is_dir() {
        return Ok(Vec::new());
    }
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    std::fs::read_dir(here)?.map(|it| Ok(it?.file_name().to_string_lossy().into_owned())).collect()
}

/// Whether a name is as the pattern says; one of a hidden file says its dot.
fn matches(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with('.') {
        return false;
    }
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    // The last star, and how far its text reaches so far.
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[n] => (p, n) = (p + 1, n + 1),
            _ => match star {
                Some((at, taken)) => {
                    star = Some((at, taken + 1));
                    (p, n) = (at + 1, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn names_match() {
        for (pattern, name) in
            [("*.c", "a.c"), ("a*b*c", "axxbyyc"), ("?", "x"), ("*", "abc"), ("a*", "a")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("*.c", "a.h"), ("?", "xy"), ("*", ".git"), ("a*b", "abc"), ("", "a")]
        {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
