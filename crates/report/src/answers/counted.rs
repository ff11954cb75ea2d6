//! Numbers that are exact, or estimated from samples.

use symloc_evaluate::Int;

use crate::formats::csv;

/// A note on the meaning of ±.
pub(crate) const SAMPLED: &str = "sampled: what stands before a ± is within it of the true value, 95 times in 100";
/// A note on write-backs that samples leave undecided.
pub(crate) const UNDECIDED: &str = "of some lines that leave it is not known whether they were written long before: the ± of write-backs has room for both; `simulate` knows";

/// A number that is exact, or estimated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The number.
    pub value: Int,
    /// If it is estimated, the ends of the interval that holds the true one 95 times in 100.
    pub interval: Option<(Int, Int)>,
    /// True if the interval has room for what samples left undecided, both as counted and as not.
    pub undecided: bool,
}

impl Counted {
    /// Creates a number that is exact, or estimated if there is an interval; nothing is undecided.
    pub fn new(value: Int, interval: Option<(Int, Int)>) -> Self {
        Self { value, interval, undecided: false }
    }

    /// Creates an exact number.
    pub fn exact(value: impl Into<Int>) -> Self {
        Self { value: value.into(), interval: None, undecided: false }
    }

    /// Returns the product with a factor.
    pub fn times(&self, factor: &Int) -> Self {
        let interval = self.interval.as_ref().map(|(low, high)| (low * factor, high * factor));
        Self { value: &self.value * factor, interval, ..*self }
    }

    /// Returns the sum of both; its interval holds the sum if both intervals hold.
    pub fn plus(&self, other: &Self) -> Self {
        let ends =
            |counted: &Self| counted.interval.clone().unwrap_or_else(|| (counted.value.clone(), counted.value.clone()));
        let ((low, high), (other_low, other_high)) = (ends(self), ends(other));
        let interval =
            (self.interval.is_some() || other.interval.is_some()).then(|| (&low + &other_low, &high + &other_high));
        Self { value: &self.value + &other.value, interval, undecided: self.undecided || other.undecided }
    }

    /// Returns the distance from the number to the end of the interval that is further away, as a share of `all`, written by `share`;
    /// empty if the number is exact.
    pub(crate) fn error(&self, all: &Int, share: impl Fn(f64) -> String) -> String {
        let error = |(low, high): &(Int, Int)| share((&self.value - low).max(high - &self.value).ratio(all));
        self.interval.as_ref().map_or_else(String::new, error)
    }

    /// Returns its cells in a table: the number and, if there is such a column, its error.
    pub(crate) fn cells(counted: Option<&Self>, sampled: bool) -> Vec<String> {
        let error =
            || counted.map_or_else(String::new, |counted| counted.error(&Int::from(1), |error| format!("{error:.0}")));
        [csv::optional(counted.map(|counted| &counted.value))].into_iter().chain(sampled.then(error)).collect()
    }

    /// Returns its cells in CSV: the number, and the ends of the interval.
    pub(crate) fn csv(counted: Option<&Self>) -> [String; 3] {
        let [low, high] = csv::ends(counted.and_then(|counted| counted.interval.as_ref()));
        [csv::optional(counted.map(|counted| &counted.value)), low, high]
    }
}
