//! The rows of arrays at one size: the sets that a column meets, and arrays whose rows are longer.

use std::collections::BTreeSet;

use symloc_affine::{Array, Extent, Line, Strides};
use symloc_cache::{Design, Geometry};

/// The rows of a column that are looked at: more than a cache has sets in most machines.
const MOST_ROWS: u64 = 1 << 16;
/// A column is crowded if it meets fewer than this share of the sets that it could meet.
const SHARE: u64 = 4;

/// An array with a column whose rows fall into few sets of some cache, and into more if they are longer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CrowdedRows {
    /// The array, by its place in the program's table.
    pub(super) array: usize,
    /// The distance of neighbouring rows, in elements.
    pub(super) pitch: i64,
    /// The elements in a line.
    per_line: i64,
    /// By subscript that runs along the column, the distance in rows from one value to the next, and the number of values.
    column: Vec<(i64, u64)>,
}

impl CrowdedRows {
    /// Returns the first crowded column of an array that longer rows relieve; `None` if there is none, or the array has no
    /// rows. `touched` is the smallest and the largest value of each subscript.
    pub(super) fn of(
        array: usize,
        declared: &Array,
        touched: &[(i64, i64)],
        line: Line,
        designs: &[Design],
    ) -> Option<Self> {
        let pitch = pitch(declared)?;
        let strides = &declared.strides.as_ref()?.strides;
        let per_line = line.elements(declared).ok()?;
        let outer = strides.iter().zip(touched).rev().skip(1);
        let outer = outer.map(|(stride, (low, high))| (stride / pitch, high.abs_diff(*low).saturating_add(1)));
        let outer: Vec<_> = outer.filter(|(_, count)| *count > 1).collect();
        // All subscripts together, and each alone.
        let columns = std::iter::once(outer.clone()).chain(outer.iter().map(|along| vec![*along]));
        columns.map(|column| Self { array, pitch, per_line, column }).find(|rows| rows.can_be_relieved(designs))
    }

    fn can_be_relieved(&self, designs: &[Design]) -> bool {
        let mut crowded = designs.iter().filter(|design| self.is_crowded(design.geometry, self.pitch)).peekable();
        crowded.peek().is_some() && {
            let longer = self.longer();
            crowded.any(|design| longer.iter().any(|pitch| !self.is_crowded(design.geometry, *pitch)))
        }
    }

    /// Returns the number of the column's rows that are looked at.
    fn rows(&self) -> u64 {
        self.column.iter().fold(1, |rows: u64, (_, count)| rows.saturating_mul(*count)).min(MOST_ROWS)
    }

    /// Returns true if the column does not fit in the few sets of a cache that it meets.
    fn is_crowded(&self, geometry: Geometry, pitch: i64) -> bool {
        let (met, rows) = (self.sets_met(geometry, pitch), self.rows());
        met.saturating_mul(geometry.ways()) < rows && met.saturating_mul(SHARE) < geometry.sets().min(rows)
    }

    /// Returns the number of sets that the column meets where neighbouring rows are `pitch` elements apart and the array begins
    /// with a line.
    pub(super) fn sets_met(&self, geometry: Geometry, pitch: i64) -> u64 {
        let block = |number: u64| {
            let mut rest = number;
            let mut row = 0;
            for (step, count) in &self.column {
                row += i128::from(rest % count) * i128::from(*step);
                rest /= count;
            }
            u64::try_from(row.checked_mul(pitch.into())? / i128::from(self.per_line)).ok()
        };
        let blocks = (0..self.rows()).filter_map(block);
        blocks.map(|block| geometry.set(block)).collect::<BTreeSet<_>>().len() as u64
    }

    /// Returns the longer distances of rows that are tried: one line more, and the next odd number of lines, whose multiples meet
    /// all sets where their number is a power of two. None if they leave 64 bits.
    pub(super) fn longer(&self) -> Vec<i64> {
        let odd = || ((self.pitch / self.per_line + 1) | 1).checked_mul(self.per_line);
        let longer: BTreeSet<i64> = self.pitch.checked_add(self.per_line).into_iter().chain(odd()).collect();
        longer.into_iter().collect()
    }
}

/// Returns the distance of neighbouring rows in elements; `None` if an array has no rows one after the other, each of neighbours.
pub(super) fn pitch(array: &Array) -> Option<i64> {
    let Strides { offset: 0, strides } = array.strides.as_ref()? else { return None };
    let [outer @ .., pitch, 1] = strides.as_slice() else { return None };
    let is_whole = *pitch > 1 && outer.iter().all(|stride| *stride > 0 && stride % pitch == 0);
    is_whole.then_some(*pitch)
}

/// Returns an array with constant strides as if it was declared with rows that are `length` elements apart; `None` if it has no
/// such rows, or a distance leaves 64 bits.
pub(super) fn with_rows(array: &Array, length: i64) -> Option<Array> {
    let pitch = pitch(array)?;
    let Strides { offset, strides } = array.strides.as_ref()?;
    let (last, counting) = strides.split_last()?;
    let counting = counting.iter().map(|stride| (stride / pitch).checked_mul(length)).collect::<Option<Vec<_>>>()?;
    let mut padded = array.clone();
    padded.strides = Some(Strides { offset: *offset, strides: [counting.as_slice(), &[*last]].concat() });
    if let Some(extent) = padded.shape.last_mut().filter(|extent| extent.constant() == Some(pitch)) {
        *extent = Extent::Known(length);
    }
    Some(padded)
}

#[cfg(test)]
mod tests {
    use symloc_affine::Location;
    use symloc_cache::{IndexFunction, Replacement};

    use super::*;

    fn array(extents: &[i64]) -> Array {
        Array {
            name: "A".to_owned(),
            element_bytes: 8,
            shape: extents.iter().map(|extent| Extent::Known(*extent)).collect(),
            strides: Strides::row_major(extents),
            location: Location::new("a.c", 1, 1),
            per_thread: false,
        }
    }

    fn crowded(array: &Array, design: Design) -> Option<CrowdedRows> {
        let touched: Vec<_> = array.shape.iter().map(|extent| (0, extent.constant().unwrap() - 1)).collect();
        CrowdedRows::of(0, array, &touched, Line::Bytes(64), &[design])
    }

    fn design(lines: u64, ways: u64, index: IndexFunction) -> Design {
        Design::new(Geometry::new(lines, ways, index).unwrap(), Replacement::default())
    }

    #[test]
    fn columns_are_crowded_where_they_meet_few_sets() {
        let l1 = design(512, 8, IndexFunction::Modulo);
        let rows = crowded(&array(&[512, 512]), l1).unwrap();
        // Rows are 64 lines apart, as many as there are sets.
        assert_eq!((rows.sets_met(l1.geometry, 512), rows.sets_met(l1.geometry, 520)), (1, 64));
        assert_eq!(rows.longer(), [520]);
        assert_eq!(crowded(&array(&[500, 500]), l1), None, "rows that are no whole lines meet all sets");
        assert_eq!(crowded(&array(&[8, 512]), l1), None, "as many rows as ways fit in one set");
        assert_eq!(crowded(&array(&[512]), l1), None);
        assert_eq!(crowded(&array(&[512, 512]), design(512, 512, IndexFunction::Modulo)), None);
        let folded = design(512, 8, IndexFunction::Xor);
        assert_eq!(crowded(&array(&[512, 512]), folded), None, "other bits of the block spread rows");
    }

    #[test]
    fn planes_are_columns_too() {
        let l1 = design(512, 8, IndexFunction::Modulo);
        // Rows are 8 lines apart, planes 504.
        let cube = array(&[128, 63, 64]);
        let rows = crowded(&cube, l1).unwrap();
        assert_eq!((rows.pitch, rows.column.as_slice()), (64, &[(1, 63), (63, 128)][..]));
        assert_eq!((rows.sets_met(l1.geometry, 64), rows.sets_met(l1.geometry, 72)), (8, 64));
        let padded = with_rows(&cube, 72).unwrap();
        assert_eq!(padded.strides.unwrap().strides, [63 * 72, 72, 1]);
        assert_eq!(padded.shape, [128, 63, 72].map(Extent::Known));
        // Rows meet 16 sets, but planes one: they are 64 lines apart, and 80 with longer rows.
        let rows = crowded(&array(&[12, 16, 32]), l1).unwrap();
        assert_eq!(rows.column, [(16, 12)]);
        assert_eq!((rows.sets_met(l1.geometry, 32), rows.sets_met(l1.geometry, 40)), (1, 4));
        assert_eq!(crowded(&array(&[128, 16, 32]), l1), None, "so many planes do not fit in 4 sets either");
    }

    #[test]
    fn arrays_without_rows_are_left_alone() {
        let mut columns = array(&[512, 512]);
        columns.strides = Some(Strides { offset: 0, strides: vec![1, 512] });
        assert_eq!(with_rows(&columns, 520), None);
        columns.strides = Some(Strides { offset: 0, strides: vec![600, 1] });
        assert_eq!(with_rows(&columns, 608).unwrap().shape, columns.shape, "the rows themselves are as long as before");
        columns.strides = Some(Strides { offset: 0, strides: vec![i64::MAX - 7, 1] });
        assert_eq!(with_rows(&columns, i64::MAX).map(|array| array.strides.unwrap().strides), Some(vec![i64::MAX, 1]));
    }
}
