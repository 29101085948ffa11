//! Linear equations that hold for all points of a sample: the null space of a matrix, by elimination
//! over the rationals.

/// Numbers beyond this mean that the sample follows no simple law.
const MAX_COEFFICIENT: i128 = 1 << 40;

/// Each result is a vector `c` with `c · row = 0` for every row, in whole numbers without a common
/// factor. Columns on the left are preferred as those that others are expressed by.
pub fn equations(rows: &[Vec<i128>]) -> Vec<Vec<i128>> {
    let Some(n) = rows.first().map(Vec::len) else { return Vec::new() };
    let mut matrix: Vec<Vec<i128>> = Vec::new();
    let mut pivots: Vec<usize> = Vec::new();
    for row in rows {
        let mut row = row.clone();
        for (known, &pivot) in matrix.iter().zip(&pivots) {
            if !eliminate(&mut row, known, pivot) {
                return Vec::new();
            }
        }
        let Some(pivot) = row.iter().position(|&it| it != 0) else { continue };
        for known in &mut matrix {
            if !eliminate(known, &row, pivot) {
                return Vec::new();
            }
        }
        matrix.push(row);
        pivots.push(pivot);
        if pivots.len() == n {
            return Vec::new();
        }
    }
    let free = (0..n).filter(|it| !pivots.contains(it));
    free.filter_map(|free| equation(&matrix, &pivots, free, n)).collect()
}

/// `row` without its entry at the pivot of `by`; `false` if the numbers become too large.
fn eliminate(row: &mut [i128], by: &[i128], pivot: usize) -> bool {
    let (a, b) = (by[pivot], row[pivot]);
    if b == 0 {
        return true;
    }
    for (x, y) in row.iter_mut().zip(by) {
        match (x.checked_mul(a), y.checked_mul(b)) {
            (Some(left), Some(right)) => *x = left - right,
            _ => return false,
        }
    }
    reduce(row);
    row.iter().all(|it| it.abs() <= MAX_COEFFICIENT)
}

fn equation(matrix: &[Vec<i128>], pivots: &[usize], free: usize, n: usize) -> Option<Vec<i128>> {
    // At each pivot p: matrix[p] · x_p + matrix[free] · x_free = 0.
    let mut scale: i128 = 1;
    for (row, &pivot) in matrix.iter().zip(pivots) {
        let needed = row[pivot].abs() / gcd(row[pivot], row[free]);
        scale = (scale / gcd(scale, needed)).checked_mul(needed)?;
    }
    let mut result = vec![0; n];
    result[free] = scale;
    for (row, &pivot) in matrix.iter().zip(pivots) {
        result[pivot] = -scale.checked_mul(row[free])? / row[pivot];
    }
    reduce(&mut result);
    result.iter().all(|it| it.abs() <= MAX_COEFFICIENT).then_some(result)
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

fn reduce(row: &mut [i128]) {
    let common = row.iter().fold(0, |sum, &it| if it == 0 { sum } else { gcd(sum, it) });
    if common > 1 {
        row.iter_mut().for_each(|it| *it /= common);
    }
}

#[cfg(test)]
mod tests {
    use super::equations;

    #[test]
    fn laws_of_a_sample_are_found() {
        // 1, n, x, y with x + y = n, and z = 2x + 1.
        let rows = [[1, 5, 5, 0, 11], [1, 5, 3, 2, 7], [1, 9, 2, 7, 5], [1, 9, 9, 0, 19]];
        let rows: Vec<Vec<i128>> = rows.iter().map(|it| it.to_vec()).collect();
        let found = equations(&rows);
        assert_eq!(found, vec![vec![0, -1, 1, 1, 0], vec![-1, 0, -2, 0, 1]]);
        for row in &rows {
            for law in &found {
                assert_eq!(law.iter().zip(row).map(|(c, x)| c * x).sum::<i128>(), 0);
            }
        }
        assert!(equations(&[vec![1, 0], vec![1, 1]]).is_empty());
        assert!(equations(&[]).is_empty());
        // Three points of a line that does not go through whole numbers only.
        assert_eq!(
            equations(&[vec![1, 1, 2], vec![1, 3, 5], vec![1, 5, 8]]),
            vec![vec![-1, -3, 2]]
        );
    }
}
