//! NumPy's broadcasting: which entry of an array each row of an answer takes.

/// An array of one shape, taken for one of a larger shape: along axes where it has one entry, that is the entry for all.
pub(crate) struct Broadcast {
    /// The length and the stride (in entries) of each axis, outermost first.
    axes: Vec<(usize, usize)>,
}

impl Broadcast {
    /// Returns `None` if an array of this shape is no array of the other.
    pub(crate) fn new(shape: &[usize], to: &[usize]) -> Option<Self> {
        let missing = to.len().checked_sub(shape.len())?;
        let mut entries = 1;
        let mut axes = Vec::with_capacity(to.len());
        for (axis, &length) in to.iter().enumerate().rev() {
            let own = if axis < missing { 1 } else { shape[axis - missing] };
            if own != 1 && own != length {
                return None;
            }
            axes.push((length, if own == 1 { 0 } else { entries }));
            entries *= own;
        }
        axes.reverse();
        Some(Self { axes })
    }

    /// Returns the number of rows; `None` if they are too many to count.
    pub(crate) fn rows(&self) -> Option<usize> {
        self.axes.iter().try_fold(1_usize, |rows, (length, _)| rows.checked_mul(*length))
    }

    /// Returns the entry of each row, the last axis first.
    pub(crate) fn entries(&self) -> Vec<usize> {
        let mut entries = vec![0];
        for &(length, stride) in &self.axes {
            let mut longer = Vec::with_capacity(entries.len() * length);
            for first in entries {
                longer.extend((0..length).map(|place| first + place * stride));
            }
            entries = longer;
        }
        entries
    }
}
