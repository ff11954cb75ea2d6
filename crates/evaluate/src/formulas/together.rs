//! Cuts classes at several sizes together.
//!
//! The threads of a program have shares of their own at one size of the program. So formulas are fixed at what the sizes have in common
//! first: most conditions are decided there, and with them most pieces, and what is left of the others is short (docs/counting.md,
//! Threads).

use std::cell::OnceCell;

use super::{ClassFormula, CountFormula, PreparedConstraint, SizeCondition};
use crate::count::{Parts, Plan};
use crate::error::Stop;

/// Some lists of parts at one size.
struct SizeCuts<'s, const LISTS: usize> {
    point: &'s [i128],
    /// The number of points and rows that may still be enumerated.
    left: u64,
    parts: [Parts; LISTS],
    stop: Option<Stop>,
}

/// Returns the parts of some lists of classes at each of several sizes, or why there are none. The lists share the limit on points.
pub(crate) fn cut_together<const LISTS: usize>(
    lists: [&[ClassFormula]; LISTS],
    points: &[Vec<i128>],
    limit: u64,
) -> Vec<Result<[Parts; LISTS], Stop>> {
    let cuts = |point| SizeCuts { point, left: limit, parts: std::array::from_fn(|_| Parts::default()), stop: None };
    let mut sizes: Vec<SizeCuts<'_, LISTS>> = points.iter().map(|point| cuts(point.as_slice())).collect();
    let common = common(points);
    for (list, classes) in lists.into_iter().enumerate() {
        let pieces = classes.iter().flat_map(|class| class.counts.iter().map(move |piece| (class, piece)));
        for fixed in pieces.filter_map(|(class, piece)| FixedPiece::new(class, piece, common)) {
            for size in sizes.iter_mut().filter(|size| size.stop.is_none()) {
                size.stop = fixed.cut(size.point, &mut size.left, &mut size.parts[list]).err();
            }
        }
    }
    sizes.into_iter().map(|size| size.stop.map_or(Ok(size.parts), Err)).collect()
}

/// Returns the first values of all points, as many as are the same.
fn common(points: &[Vec<i128>]) -> &[i128] {
    let Some((first, others)) = points.split_first() else { return &[] };
    let same = |other: &Vec<i128>| first.iter().zip(other).take_while(|(a, b)| a == b).count();
    &first[..others.iter().map(same).min().unwrap_or(first.len())]
}

/// A piece with values for the first parameters.
struct FixedPiece<'f> {
    class: &'f ClassFormula,
    piece: &'f CountFormula,
    values: &'f [i128],
    /// The conditions on the other parameters.
    conditions: Vec<PreparedConstraint>,
    plan: OnceCell<Option<Plan>>,
}

impl<'f> FixedPiece<'f> {
    /// Fixes a piece; `None` if it does not exist with these values, whatever the others are.
    fn new(class: &'f ClassFormula, piece: &'f CountFormula, values: &'f [i128]) -> Option<Self> {
        let mut conditions = Vec::new();
        for PreparedConstraint { formula, relation } in piece.fixed.iter().map(SizeCondition::prepared) {
            let formula = formula.fix(values);
            match formula.constant() {
                Some(value) if !relation.holds(value.cmp(&0)) => return None,
                Some(_) => {}
                None => conditions.push(PreparedConstraint { formula, relation: *relation }),
            }
        }
        Some(Self { class, piece, values, conditions, plan: OnceCell::new() })
    }

    /// Adds the parts at a size.
    fn cut(&self, point: &[i128], left: &mut u64, parts: &mut Parts) -> Result<(), Stop> {
        let rest = &point[self.values.len()..];
        if !self.conditions.iter().all(|condition| condition.holds(rest)) {
            return Ok(());
        }
        let plan = || self.piece.plan(&self.class.value).map(|plan| plan.fix(self.values));
        let plan = self.plan.get_or_init(plan).as_ref().map(|plan| (plan, rest));
        self.class.cut_existing(self.piece, plan, point, left, parts)
    }
}
