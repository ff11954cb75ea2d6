//! Cuts classes at several sizes together.
//!
//! The threads of a program have shares of their own at one size of the program. So formulas are fixed at what the sizes have in common
//! first: most conditions are decided there, and with them most pieces, and what is left of the others is short (docs/counting.md,
//! Threads).

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::points::PiecePoints;
use super::{ClassFormula, CountFormula, SizeCondition};
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
    let mut decided = DecidedConditions::new(common, points);
    for (list, classes) in lists.into_iter().enumerate() {
        for (class, piece) in classes.iter().flat_map(|class| class.counts.iter().map(move |piece| (class, piece))) {
            let Some(exists) = decided.all(&piece.fixed) else { continue };
            let fixed = FixedPiece::new(class, piece, common);
            for (size, _) in sizes.iter_mut().zip(exists).filter(|(size, exists)| *exists && size.stop.is_none()) {
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

/// The sizes at which conditions hold, each decided once for all pieces that have it.
struct DecidedConditions<'f> {
    common: &'f [i128],
    /// The values of each size behind those that all have in common.
    rests: Vec<&'f [i128]>,
    /// By the place of the condition in memory.
    known: HashMap<*const SizeCondition, Vec<bool>>,
}

impl<'f> DecidedConditions<'f> {
    fn new(common: &'f [i128], points: &'f [Vec<i128>]) -> Self {
        Self { common, rests: points.iter().map(|point| &point[common.len()..]).collect(), known: HashMap::new() }
    }

    /// Returns at which sizes all of some conditions hold; `None` if there is none.
    fn all(&mut self, conditions: &'f [Arc<SizeCondition>]) -> Option<Vec<bool>> {
        let mut all = vec![true; self.rests.len()];
        for condition in conditions {
            let holds = self.known.entry(Arc::as_ptr(condition)).or_insert_with(|| {
                let condition = condition.prepared().fix(self.common);
                match condition.constant() {
                    Some(holds) => vec![holds; self.rests.len()],
                    None => self.rests.iter().map(|rest| condition.holds(rest)).collect(),
                }
            });
            all.iter_mut().zip(holds).for_each(|(all, holds)| *all &= *holds);
            if !all.contains(&true) {
                return None;
            }
        }
        Some(all)
    }
}

/// A piece with values for the first parameters.
struct FixedPiece<'f> {
    class: &'f ClassFormula,
    piece: &'f CountFormula,
    values: &'f [i128],
    plan: OnceCell<Option<Plan>>,
    points: OnceCell<PiecePoints>,
}

impl<'f> FixedPiece<'f> {
    fn new(class: &'f ClassFormula, piece: &'f CountFormula, values: &'f [i128]) -> Self {
        Self { class, piece, values, plan: OnceCell::new(), points: OnceCell::new() }
    }

    /// Adds the parts at a size at which the piece exists.
    fn cut(&self, point: &[i128], left: &mut u64, parts: &mut Parts) -> Result<(), Stop> {
        let plan = || self.piece.plan(&self.class.value).map(|plan| plan.fix(self.values));
        let points = || self.points.get_or_init(|| self.class.points(self.piece).fix(self.values));
        let plan = self.plan.get_or_init(plan).as_ref();
        self.class.cut_existing(plan, points, &point[self.values.len()..], left, parts)
    }
}
