//! The share of a derivation that is done, for its progress bar.
//!
//! Accesses take nearly all of the time, so the share follows the weight of those that are done. What comes before and after
//! them has a small part of its own.

/// The whole, in thousandths.
pub(crate) const WHOLE: u64 = 1000;
/// The share before the first access.
const BEFORE: u64 = 30;
/// The share after the last access.
const AFTER: u64 = 950;

/// The share that is done, in thousandths: it never falls, and is whole at the end only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DoneShare(u64);

impl DoneShare {
    /// Returns the share in thousandths.
    pub(crate) fn thousandths(self) -> u64 {
        self.0
    }

    /// Returns the share when accesses of the weight `done` out of `total` have been derived, after this one.
    pub(crate) fn after(self, done: u64, total: u64) -> Self {
        let done = u128::from(done.min(total)) * u128::from(AFTER - BEFORE) / u128::from(total.max(1));
        // At most AFTER − BEFORE.
        Self(self.0.max(BEFORE + done as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_follows_the_weight_and_never_falls() {
        let half = DoneShare::default().after(50, 100);
        assert_eq!(half.thousandths(), (BEFORE + AFTER) / 2);
        assert_eq!(half.after(10, 100), half);
        assert!(half.after(60, 100).thousandths() > half.thousandths());
    }

    #[test]
    fn the_whole_is_not_reached_by_accesses() {
        assert!(DoneShare::default().after(7, 7).thousandths() < WHOLE);
        assert!(DoneShare::default().after(u64::MAX, u64::MAX).thousandths() < WHOLE);
        assert_eq!(DoneShare::default().after(0, 0).thousandths(), BEFORE);
    }
}
