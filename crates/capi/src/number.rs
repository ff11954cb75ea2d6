//! Conversion of integers of any size to 64 bits.

use symloc_evaluate::Int;

use crate::status::{SYMLOC_ERROR_OVERFLOW, SYMLOC_OK, symloc_status};

/// A conversion of numbers to 64 bits, which remembers whether one did not fit.
#[derive(Default)]
pub(crate) struct Narrow {
    overflow: bool,
}

impl Narrow {
    /// Returns the number, or the largest number of 64 bits if it does not fit.
    pub(crate) fn number(&mut self, number: &Int) -> u64 {
        let fitting = number.to_i128().and_then(|number| u64::try_from(number).ok());
        self.overflow |= fitting.is_none();
        fitting.unwrap_or(u64::MAX)
    }

    pub(crate) fn status(&self) -> symloc_status {
        if self.overflow { SYMLOC_ERROR_OVERFLOW } else { SYMLOC_OK }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_exact() {
        let mut narrow = Narrow::default();
        assert_eq!(narrow.number(&Int::from(u64::MAX)), u64::MAX);
        assert_eq!(narrow.status(), SYMLOC_OK);
        assert_eq!(narrow.number(&(&Int::from(u64::MAX) + &Int::from(1))), u64::MAX);
        assert_eq!(narrow.number(&Int::ZERO), 0);
        assert_eq!(narrow.status(), SYMLOC_ERROR_OVERFLOW);
    }
}
