//! Curves that are simulated, not predicted by a model.

use symloc_evaluate::Int;

use super::axis::{RatioAxis, SizeAxis};
use super::{CacheSample, CurvePoint, DrawnCurve, Picture, PictureError, SIZE_LABELS, Scale, SizeMark, Unit, placed};

/// The misses of a simulation in caches of several sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulatedCurve {
    /// The name that distinguishes it from others.
    pub name: String,
    /// The number of accesses.
    pub accesses: u64,
    /// The number of blocks that are touched: the misses in every cache.
    pub blocks: u64,
    /// The misses from a cache size on, by ascending size.
    pub points: Vec<SimulatedPoint>,
}

/// The misses in a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedPoint {
    /// The cache, in lines; at least one.
    pub lines: u64,
    /// Its misses.
    pub misses: u64,
}

impl SimulatedCurve {
    /// Returns the misses in a cache of so many lines: those of the largest one that is not larger; all accesses below the smallest.
    pub fn at(&self, lines: u64) -> u64 {
        let place = self.points.partition_point(|point| point.lines <= lines);
        place.checked_sub(1).map_or(self.accesses, |index| self.points[index].misses)
    }

    fn drawn(&self, line: u64) -> DrawnCurve {
        let accesses = Int::from(self.accesses);
        let point = |point: &SimulatedPoint| CurvePoint {
            size: point.lines as f64 * line as f64,
            lines: Int::from(point.lines),
            misses: Int::from(point.misses),
            ratio: Int::from(point.misses).ratio(&accesses),
        };
        let points = self.points.iter().filter(|_| self.accesses > 0).map(point).collect();
        let (name, cold) = (self.name.clone(), Int::from(self.blocks));
        DrawnCurve { name, accesses, cold, estimated: Int::from(0), points }
    }
}

impl Picture {
    /// Draws simulated curves with lines of the same size, in bytes; `None` if that is not known. `subtitle` says what the curves
    /// have in common.
    ///
    /// # Errors
    ///
    /// That of [`room_for`](super::room_for); that of [`SizeMark::size`].
    pub fn of_simulated(
        title: String,
        subtitle: String,
        line_bytes: Option<u64>,
        simulated: &[SimulatedCurve],
        marks: &[SizeMark],
    ) -> Result<Self, PictureError> {
        super::room_for(simulated.len())?;
        let (unit, line) = (line_bytes.map_or(Unit::Lines, |_| Unit::Bytes), line_bytes.unwrap_or(1));
        let curves: Vec<_> = simulated.iter().map(|curve| curve.drawn(line)).collect();
        let marks = placed(marks, unit)?;
        let points = || curves.iter().flat_map(|curve| &curve.points);
        let sizes = SizeAxis::new(unit, points().map(|p| p.size).chain(marks.iter().map(|mark| mark.size)));
        let ratios = RatioAxis::new(Scale::Linear, points().map(|point| point.ratio));
        let sample = |label: String, lines: u64| CacheSample {
            label,
            misses: simulated.iter().map(|curve| Int::from(curve.at(lines))).collect(),
        };
        let samples = match marks.as_slice() {
            [] => {
                let labelled = sizes.labelled(SIZE_LABELS);
                labelled.map(|(size, label)| sample(label, (size.ratio(&Int::from(line))) as u64)).collect()
            }
            _ => marks.iter().map(|mark| sample(mark.label.clone(), mark.size as u64 / line)).collect(),
        };
        Ok(Self { title, subtitle, curves, marks, spans: Vec::new(), samples, sizes, ratios })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_between_two_points_misses_as_the_smaller() {
        let points = [(1, 90), (4, 40), (16, 10)].map(|(lines, misses)| SimulatedPoint { lines, misses });
        let curve =
            SimulatedCurve { name: "as written".to_owned(), accesses: 100, blocks: 10, points: points.to_vec() };
        assert_eq!([0, 1, 3, 4, 15, 16, 99].map(|lines| curve.at(lines)), [100, 90, 90, 40, 40, 10, 10]);
        let mark: SizeMark = "L1=1KiB".parse().unwrap();
        let picture = Picture::of_simulated(String::new(), String::new(), Some(64), &[curve], &[mark]).unwrap();
        assert_eq!(picture.samples[0].misses, [Int::from(10)]);
        assert_eq!(picture.curves[0].at(300.0), Some(0.4));
    }
}
