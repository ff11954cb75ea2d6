//! Which access of a kernel was which access before.
//!
//! Whether a kernel is worse is decided by its misses alone; accesses are matched to say where. Names and lines move between
//! revisions, so accesses are paired by what they share most of: first those with equal array, subscripts and kind; then those whose
//! subscripts are equal but for the names of iterators, which a new loop changes; then those with equal subscripts and kind, with equal
//! array and kind, and of equal kind; among equals, in the order of the text.

use crate::measurement::KernelAccess;

/// Returns, for each access, the index of the one before that it is paired with; `None` for an access that is new.
pub(crate) fn pairs(before: &[KernelAccess], after: &[KernelAccess]) -> Vec<Option<usize>> {
    let rounds: [fn(&KernelAccess, &KernelAccess) -> bool; 5] = [
        |a, b| a.array == b.array && a.subscripts == b.subscripts && a.kind == b.kind,
        |a, b| a.array == b.array && shape(&a.subscripts) == shape(&b.subscripts) && a.kind == b.kind,
        |a, b| a.subscripts == b.subscripts && a.kind == b.kind,
        |a, b| a.array == b.array && a.kind == b.kind,
        |a, b| a.kind == b.kind,
    ];
    let mut paired = vec![None; after.len()];
    let mut free = vec![true; before.len()];
    for are_one in rounds {
        for (access, paired) in after.iter().zip(&mut paired).filter(|(_, paired)| paired.is_none()) {
            *paired = (0..before.len()).find(|index| free[*index] && are_one(&before[*index], access));
            if let Some(index) = *paired {
                free[index] = false;
            }
        }
    }
    paired
}

/// Returns subscripts with numbers in place of names, in the order in which these appear.
fn shape(subscripts: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut shape = String::new();
    for word in subscripts.split_inclusive(|letter: char| !(letter.is_alphanumeric() || letter == '_')) {
        let name = word.trim_end_matches(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        if name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') {
            let known = names.iter().position(|known| *known == name).unwrap_or(names.len());
            if known == names.len() {
                names.push(name);
            }
            shape += &format!("${known}{}", &word[name.len()..]);
        } else {
            shape += word;
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accesses(names: &[&str]) -> Vec<KernelAccess> {
        let access = |name: &&str| {
            let (array, rest) = name.split_at(1);
            let (subscripts, kind) = rest.strip_suffix('=').map_or((rest, "read"), |rest| (rest, "write"));
            KernelAccess {
                array: array.to_owned(),
                subscripts: subscripts.to_owned(),
                kind: kind.to_owned(),
                file: String::new(),
                line: 1,
                column: 1,
            }
        };
        names.iter().map(access).collect()
    }

    #[test]
    fn accesses_are_found_again() {
        let of = |before: &[&str], after: &[&str]| pairs(&accesses(before), &accesses(after));
        // In another order.
        assert_eq!(
            of(&["A[i][k]", "B[k][j]", "C[i][j]="], &["C[i][j]=", "A[i][k]", "B[k][j]"]),
            [Some(2), Some(0), Some(1)]
        );
        // With other names of arrays, of iterators, and with a new access.
        assert_eq!(of(&["A[i][k]", "B[k][j]"], &["X[i][k]", "Y[k][j]"]), [Some(0), Some(1)]);
        assert_eq!(of(&["A[i][k]", "B[k][j]"], &["B[q][p]", "A[o][q]"]), [Some(1), Some(0)]);
        assert_eq!(of(&["A[i]", "B[i]="], &["A[i]", "D[i]", "B[i]="]), [Some(0), None, Some(1)]);
        // With another loop before, which changes the names of iterators.
        assert_eq!(of(&["y[i]=", "x[i]"], &["x[i]=", "y[i_1]=", "x[i_1]"]), [None, Some(0), Some(1)]);
        assert_eq!(shape("[2 * i_1 + n][k][i_1]"), "[2 * $0 + $1][$2][$0]");
        // Equal accesses in the order of the text.
        assert_eq!(of(&["A[i]", "A[i]"], &["A[i]", "A[i]", "A[i]"]), [Some(0), Some(1), None]);
    }
}
