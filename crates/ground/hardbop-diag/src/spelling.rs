//! Suggestions for misspelt names.

use crate::Diagnostic;

/// With the nearest name, if one is near.
pub fn did_you_mean(diagnostic: Diagnostic, near: Option<&str>) -> Diagnostic {
    match near {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}

/// The candidate nearest to a misspelt name, if one is near. Ties go to the alphabet, so that the
/// order of the candidates does not matter.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // One letter more or less says nothing about a name of one letter.
    let longest_edit = match name.chars().count() {
        0 | 1 => 0,
        2..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let near = candidates.filter(|other| other.len().abs_diff(name.len()) <= longest_edit);
    near.filter_map(|other| Some((edits(name, other, longest_edit)?, other)))
        .min()
        .map(|(_, other)| other)
}

/// Insertions, deletions, replacements and exchanges of neighbours between two names, if there are
/// at most `limit`; none where only upper and lower case differ.
fn edits(a: &str, b: &str, limit: usize) -> Option<usize> {
    if a.eq_ignore_ascii_case(b) {
        return Some(0);
    }
    // What is equal at both ends costs nothing, and names often differ in the middle alone.
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let n_equal = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[n_equal..], &b[n_equal..]);
    let n_equal = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - n_equal], &b[..b.len() - n_equal]);
    // Rows i-2, i-1 and i of the table of distances between beginnings.
    let (mut before, mut last) = (Vec::new(), (0..=b.len()).collect::<Vec<usize>>());
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        // An exchange of neighbours reaches back two rows.
        if row.iter().chain(&last).all(|&edits| edits > limit) {
            return None;
        }
        before = std::mem::replace(&mut last, row);
    }
    Some(last[b.len()]).filter(|&edits| edits <= limit)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn only_near_names_are_suggested() {
        let near = |name| nearest(name, ["counter", "lock", "x", "b0"].into_iter());
        assert_eq!(near("conuter"), Some("counter"));
        assert_eq!(near("Lock"), Some("lock"));
        assert_eq!(near("unlocked"), None);
        assert_eq!(near("b1"), Some("b0"));
        assert_eq!(near("stop"), None);
        assert_eq!(near("y"), None);
        assert_eq!(near("X"), Some("x"));
    }
}
