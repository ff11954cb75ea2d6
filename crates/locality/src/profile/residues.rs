//! Combines the profiles of all residues of the sizes.
//!
//! A profile is derived for each set of residues with its own pieces. In leading terms they usually agree, and become one; they may differ
//! in rows of a lower order, which concern only about as many accesses as the sides of an array have elements. If those rows differ they
//! are joined to one row, from the first of their caches to the last.

use num_traits::Signed;
use symloc_quasi::{Constraint, Poly};

use crate::conditions::Conditions;
use crate::profile::{Profile, Row};
use crate::residue::Residues;

/// The profile at some residues.
pub(super) struct View {
    pub(super) residues: Residues,
    pub(super) conditions: Conditions,
    pub(super) accesses: Poly,
    pub(super) blocks: Poly,
    pub(super) operations: Option<Poly>,
    pub(super) rows: Vec<Row>,
    /// The number of rows that concern as many accesses as there are, in leading terms.
    pub(super) leading: usize,
}

impl View {
    fn agrees(&self, other: &View) -> bool {
        let mut rows = self.rows.iter().zip(&other.rows);
        self.accesses == other.accesses
            && self.rows.len() == other.rows.len()
            && rows.all(|(row, other)| row.agrees(other))
    }

    /// Joins the rows of a lower order.
    fn join(&mut self) {
        let lower = self.rows.split_off(self.leading);
        let joined = lower.into_iter().reduce(|mut row, next| {
            row.join(next);
            row
        });
        self.rows.extend(joined);
    }
}

/// The parameters from the largest to the smallest.
pub(super) struct SizeOrder {
    pub(super) parameters: Vec<usize>,
    /// The number of those that grow faster than the others.
    pub(super) faster: usize,
}

/// Returns one profile if all agree, and otherwise one for each set of residues that do.
pub(super) fn agreed(mut views: Vec<View>, all: &Residues, order: SizeOrder, names: &[String]) -> Vec<Profile> {
    if views.windows(2).any(|pair| !pair[0].agrees(&pair[1])) {
        views.iter_mut().for_each(View::join);
    }
    let mut groups: Vec<(View, Vec<View>)> = Vec::new();
    for view in views {
        match groups.iter_mut().find(|(first, _)| first.agrees(&view)) {
            Some((_, others)) => others.push(view),
            None => groups.push((view, Vec::new())),
        }
    }
    groups.into_iter().map(|(first, others)| profile(first, &others, all, &order, names)).collect()
}

fn profile(first: View, others: &[View], all: &Residues, order: &SizeOrder, names: &[String]) -> Profile {
    let views = || std::iter::once(&first).chain(others);
    let mut vectors: Vec<Vec<u64>> = views().flat_map(|view| view.residues.vectors().to_vec()).collect();
    vectors.sort();
    let conditions = strongest(views().flat_map(|view| view.conditions.constraints()));
    let distinction = all.only(vectors).describe(all, names);
    let View { accesses, blocks, operations, rows, .. } = first;
    let (order, faster) = (order.parameters.clone(), order.faster);
    Profile { order, faster, distinction, conditions, accesses, blocks, operations, rows }
}

/// Returns the conditions without those that a stronger one implies.
fn strongest(conditions: impl Iterator<Item = Constraint>) -> Vec<Constraint> {
    let implies = |strong: &Constraint, weak: &Constraint| {
        (&weak.poly - &strong.poly).as_constant().is_some_and(|slack| !slack.is_negative())
    };
    let mut kept: Vec<Constraint> = Vec::new();
    for condition in conditions {
        if !kept.iter().any(|strong| implies(strong, &condition)) {
            kept.retain(|weak| !implies(&condition, weak));
            kept.push(condition);
        }
    }
    kept
}
