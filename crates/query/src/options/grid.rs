//! The sizes of a query: one, or the product of several values of several parameters.
//!
//! The parameters stand in the order of their first `-D`; the last one runs fastest.

use symloc_machine::ranges::{NumberList, product};

use crate::error::CliError;

/// The default limit on the points of a grid.
pub const DEFAULT_POINTS: u64 = 100_000;

/// A value for each parameter, by name.
pub type Point = Vec<(String, i64)>;

/// A product of axes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    axes: Vec<ParameterAxis>,
}

/// Parameters that have the same value everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterAxis {
    /// The parameters, at least one.
    pub names: Vec<String>,
    /// Their values.
    pub values: NumberList,
}

impl Grid {
    /// Creates the product of some axes.
    pub fn new(axes: Vec<ParameterAxis>) -> Self {
        Self { axes }
    }

    /// Returns true if every parameter has a single value, written without a list or a range.
    pub fn is_single(&self) -> bool {
        self.ranges().next().is_none()
    }

    /// Returns all axes.
    pub fn axes(&self) -> impl Iterator<Item = &ParameterAxis> {
        self.axes.iter()
    }

    /// Returns the axes for which a list or a range was written.
    pub fn ranges(&self) -> impl Iterator<Item = &ParameterAxis> {
        self.axes.iter().filter(|axis| axis.values.single().is_none())
    }

    /// Returns the number of points.
    pub fn count(&self) -> u128 {
        self.axes.iter().fold(1, |product: u128, axis| product.saturating_mul(axis.values.count()))
    }

    /// Returns the only point.
    ///
    /// # Errors
    ///
    /// A refusal if a parameter has several values.
    pub fn single(&self) -> Result<Point, CliError> {
        match self.ranges().find(|axis| axis.values.count() > 1) {
            None => Ok(self.points().next().unwrap_or_default()),
            Some(axis) => Err(CliError::with_hint(
                format!("{} has {} values; this command takes one size", axis.names.join(" = "), axis.values.count()),
                "`query` takes lists and ranges of sizes",
            )),
        }
    }

    /// Returns all points. Do not call it for a grid that [`limited`] refuses.
    pub fn points(&self) -> impl Iterator<Item = Point> {
        let values: Vec<Vec<i128>> = self.axes.iter().map(|axis| axis.values.iter().collect()).collect();
        let lengths: Vec<_> = values.iter().map(Vec::len).collect();
        product(&lengths).map(move |indices| {
            let chosen = indices.iter().zip(&values).map(|(index, values)| values[*index]);
            // A value between two values of 64 bits fits in 64 bits.
            let chosen = chosen.filter_map(|value| i64::try_from(value).ok());
            let named = self.axes.iter().zip(chosen);
            named.flat_map(|(axis, value)| axis.names.iter().map(move |name| (name.clone(), value))).collect()
        })
    }
}

/// Refuses a grid of more points than are allowed.
///
/// # Errors
///
/// A refusal if `points` are more than `limit`.
pub fn limited(points: u128, limit: u64) -> Result<(), CliError> {
    if points <= u128::from(limit) {
        return Ok(());
    }
    Err(CliError::with_hint(
        format!("limit: the question has {points} points, more than {limit}"),
        "ask for fewer, or raise the limit with --max-grid",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(names: &[&str], values: &str) -> ParameterAxis {
        let values = NumberList::parse(values, |number| number.parse().map_err(|_| number.to_owned())).unwrap();
        ParameterAxis { names: names.iter().map(|&name| name.to_owned()).collect(), values }
    }

    #[test]
    fn the_last_parameter_runs_fastest_and_tied_ones_go_together() {
        let grid = Grid::new(vec![axis(&["a"], "1,2"), axis(&["x", "y"], "10..30:+10"), axis(&["b"], "5")]);
        let points: Vec<Vec<i64>> =
            grid.points().map(|point| point.into_iter().map(|(_, value)| value).collect()).collect();
        assert_eq!(points[..3], [[1, 10, 10, 5], [1, 20, 20, 5], [1, 30, 30, 5]]);
        assert_eq!((points.len() as u128, grid.count()), (6, 6));
        assert!(grid.single().is_err());
        assert_eq!(grid.points().next().unwrap()[2], ("y".to_owned(), 10));
        assert!(limited(grid.count(), 6).is_ok() && limited(grid.count(), 5).is_err());
    }

    #[test]
    fn no_parameters_are_one_point() {
        assert_eq!(Grid::default().single().unwrap(), []);
        assert_eq!(Grid::default().count(), 1);
    }
}
