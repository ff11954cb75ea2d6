//! Combinations of one item from each of several lists: the cheapest, or some of all costs.

use std::collections::BTreeSet;

/// Which of all orders are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Those that are predicted to be the cheapest.
    Cheapest,
    /// Some of all costs, of which predictions can be compared with times.
    Spread,
}

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

/// Returns at most `count` combinations of all costs, the cheapest first: the next takes in each list the item that is
/// further down by the same share.
pub(crate) fn spread(lists: &[Vec<f64>], count: usize) -> Vec<Vec<usize>> {
    if lists.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let parts = count.saturating_sub(1).max(1);
    let pick = |part: usize| lists.iter().map(|list| part * (list.len() - 1) / parts).collect();
    let mut found: Vec<Vec<usize>> = (0..count).map(pick).collect();
    found.dedup();
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

    #[test]
    fn a_spread_goes_from_the_cheapest_to_the_dearest_items() {
        let lists = [vec![1.0, 2.0, 3.0, 4.0, 9.0], vec![10.0, 14.0]];
        assert_eq!(spread(&lists, 3), [vec![0, 0], vec![2, 0], vec![4, 1]]);
        assert_eq!(spread(&[vec![1.0, 2.0]], 5), [[0], [1]]);
        assert_eq!(spread(&lists, 1), [[0, 0]]);
        assert!(spread(&[Vec::new()], 3).is_empty());
    }
}
