//! The cheapest combinations of one item from each of several lists.

use std::collections::BTreeSet;

/// Returns the `count` combinations with the smallest sums, the cheapest first: by list, the index of its item. The lists
/// are sorted; if one is empty there are none.
pub(crate) fn combinations(lists: &[Vec<f64>], count: usize) -> Vec<Vec<usize>> {
    if lists.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let sum = |picks: &Vec<usize>| picks.iter().zip(lists).map(|(pick, list)| list[*pick]).sum::<f64>();
    let mut found = Vec::new();
    let mut open = vec![vec![0; lists.len()]];
    let mut seen: BTreeSet<Vec<usize>> = open.iter().cloned().collect();
    while found.len() < count {
        let Some(next) = (0..open.len()).min_by(|a, b| sum(&open[*a]).total_cmp(&sum(&open[*b]))) else { break };
        let picks = open.swap_remove(next);
        for list in 0..lists.len() {
            let mut further = picks.clone();
            further[list] += 1;
            if further[list] < lists[list].len() && seen.insert(further.clone()) {
                open.push(further);
            }
        }
        found.push(picks);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_come_by_their_sums() {
        let lists = [vec![1.0, 2.0, 9.0], vec![10.0, 14.0]];
        let expected = [vec![0, 0], vec![1, 0], vec![0, 1], vec![1, 1], vec![2, 0], vec![2, 1]];
        assert_eq!(combinations(&lists, 10), expected);
        assert_eq!(combinations(&lists, 2), expected[..2]);
        assert!(combinations(&[Vec::new(), vec![1.0]], 3).is_empty());
    }
}
