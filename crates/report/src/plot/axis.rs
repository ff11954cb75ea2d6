//! The axes of a picture: from values to places between 0 and 1, and labels.

use symloc_evaluate::Int;

use super::{Scale, Unit};

/// A line across the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// From 0 to 1.
    pub place: f64,
    /// The label; `None` between labelled ticks.
    pub label: Option<String>,
}

/// Cache sizes, logarithmic, from one power of two to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeAxis {
    /// The unit of the sizes.
    pub unit: Unit,
    /// The exponents of two at the ends.
    pub ends: (u32, u32),
}

/// Distances between labelled powers of two: those whose labels are round.
const OCTAVES: [u32; 7] = [1, 2, 3, 4, 5, 10, 20];

impl SizeAxis {
    /// Creates an axis that holds all these sizes, and some room beyond the last one.
    pub fn new(unit: Unit, sizes: impl Iterator<Item = f64>) -> Self {
        let logs = sizes.map(f64::log2).fold(None, |range: Option<(f64, f64)>, log| {
            Some(range.map_or((log, log), |(low, high)| (low.min(log), high.max(log))))
        });
        let (low, high) = logs.unwrap_or((0.0, 0.0));
        let low = low.floor();
        // Both are small: the logarithm of a number with a thousand digits is about 3,300.
        Self { unit, ends: (low as u32, ((high + 0.5).ceil().max(low + 2.0)) as u32) }
    }

    /// Returns the place of a size.
    pub fn place(&self, size: f64) -> f64 {
        let (low, high) = (f64::from(self.ends.0), f64::from(self.ends.1));
        (size.log2() - low) / (high - low)
    }

    /// Returns the size at a place.
    pub fn size(&self, place: f64) -> f64 {
        let (low, high) = (f64::from(self.ends.0), f64::from(self.ends.1));
        (low + place * (high - low)).exp2()
    }

    /// Returns a tick for each power of two, with at most so many labels.
    pub fn ticks(&self, labels: usize) -> Vec<Tick> {
        let (low, high) = self.ends;
        let step = self.step(labels);
        let tick = |exponent: u32| Tick {
            place: f64::from(exponent - low) / f64::from(high - low),
            label: exponent.is_multiple_of(step).then(|| power(exponent, self.unit)),
        };
        (low..=high).map(tick).collect()
    }

    /// Returns the sizes with labels.
    pub fn labelled(&self, labels: usize) -> impl Iterator<Item = (Int, String)> {
        let (low, high) = self.ends;
        let (step, unit) = (self.step(labels), self.unit);
        let exponents = (low..=high).filter(move |exponent| exponent.is_multiple_of(step));
        exponents.map(move |exponent| (two_to(exponent), power(exponent, unit)))
    }

    fn step(&self, labels: usize) -> u32 {
        let (low, high) = self.ends;
        let few = |step: &u32| ((high / step + 1) - low.div_ceil(*step)) as usize <= labels;
        OCTAVES.into_iter().find(few).unwrap_or((high - low).div_ceil(labels.max(1) as u32).max(1))
    }
}

fn two_to(exponent: u32) -> Int {
    (0..exponent).fold(Int::from(1), |power, _| &power + &power)
}

/// Returns `64 KiB` for 16; beyond all units `2^100 B`.
fn power(exponent: u32, unit: Unit) -> String {
    const BYTES: [&str; 9] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"];
    let number = 1u32 << (exponent % 10);
    match unit {
        Unit::Bytes => match BYTES.get(exponent as usize / 10) {
            Some(prefix) => format!("{number} {prefix}"),
            None => format!("2^{exponent} B"),
        },
        Unit::Lines if exponent < 20 => (1u32 << exponent).to_string(),
        Unit::Lines => format!("2^{exponent}"),
    }
}

/// Miss ratios.
#[derive(Clone, Debug, PartialEq)]
pub enum RatioAxis {
    /// From 0 to a round number.
    Linear {
        /// The distance between labels.
        step: f64,
        /// The number of these steps.
        steps: u32,
    },
    /// Between powers of ten.
    Log {
        /// The exponents of ten at the ends.
        ends: (i32, i32),
    },
}

impl RatioAxis {
    /// Creates an axis that holds all these ratios.
    pub fn new(scale: Scale, ratios: impl Iterator<Item = f64>) -> Self {
        let ratios: Vec<f64> = ratios.filter(|ratio| *ratio > 0.0).collect();
        let greatest = ratios.iter().copied().fold(f64::NAN, f64::max);
        let least = ratios.iter().copied().fold(f64::NAN, f64::min);
        match scale {
            _ if ratios.is_empty() => Self::Linear { step: 0.2, steps: 5 },
            Scale::Linear => Self::linear(greatest),
            Scale::Log => {
                let (low, high) = (least.log10().floor() as i32, greatest.log10().ceil() as i32);
                Self::Log { ends: (low, high.max(low + 1)) }
            }
        }
    }

    /// Creates the axis with the roundest steps of which four to six reach the greatest ratio.
    fn linear(greatest: f64) -> Self {
        let magnitude = 10f64.powi((greatest / 5.0).log10().floor() as i32);
        let round = [1.0, 2.0, 2.5, 5.0, 10.0].map(|factor| factor * magnitude);
        let step = round.into_iter().find(|step| greatest <= 6.0 * step).unwrap_or(10.0 * magnitude);
        // That 0.6 is 6 · 0.1 must not fail on the last bit.
        Self::Linear { step, steps: ((greatest / step - 1e-9).ceil() as u32).max(1) }
    }

    /// Returns the place of a ratio; `None` for 0 on a logarithmic axis.
    pub fn place(&self, ratio: f64) -> Option<f64> {
        match self {
            Self::Linear { step, steps } => Some(ratio / (step * f64::from(*steps))),
            Self::Log { .. } if ratio <= 0.0 => None,
            Self::Log { ends: (low, high) } => Some((ratio.log10() - f64::from(*low)) / f64::from(high - low)),
        }
    }

    /// Returns ticks at round ratios, with at most so many labels; between powers of ten there are ticks without labels.
    pub fn ticks(&self, labels: usize) -> Vec<Tick> {
        match self {
            Self::Linear { step, steps } => {
                let every = every(steps + 1, labels);
                let label = |index: u32| match index {
                    0 => "0".to_owned(),
                    _ => number(step * f64::from(index), step.log10().floor() as i32),
                };
                let tick = |index: u32| Tick {
                    place: f64::from(index) / f64::from(*steps),
                    label: index.is_multiple_of(every).then(|| label(index)),
                };
                (0..=*steps).map(tick).collect()
            }
            Self::Log { ends: (low, high) } => {
                let every = every(high.abs_diff(*low) + 1, labels);
                let decade = |exponent: i32| self.decade(exponent, exponent.abs_diff(*low).is_multiple_of(every));
                (*low..=*high).flat_map(decade).collect()
            }
        }
    }

    /// Returns the ticks of a power of ten, with a label or without, and those up to the next power.
    fn decade(&self, exponent: i32, labelled: bool) -> Vec<Tick> {
        let Self::Log { ends: (_, high) } = self else { return Vec::new() };
        let last = if exponent == *high { 1 } else { 9 };
        let tick = |factor: i32| {
            let place = self.place(f64::from(factor) * 10f64.powi(exponent))?;
            Some(Tick { place, label: (labelled && factor == 1).then(|| number(10f64.powi(exponent), exponent)) })
        };
        (1..=last).filter_map(tick).collect()
    }
}

/// Returns the distance from one label to the next that keeps the labels few enough.
fn every(all: u32, labels: usize) -> u32 {
    all.div_ceil(u32::try_from(labels).unwrap_or(u32::MAX).max(1))
}

/// Returns a number of the magnitude of a power of ten, with two digits from there on: `0.25`, `1e-6`.
fn number(value: f64, magnitude: i32) -> String {
    if magnitude < -4 {
        return format!("{value:e}");
    }
    let digits = usize::try_from(1 - magnitude).unwrap_or(0);
    let text = format!("{value:.digits$}");
    if digits == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().filter_map(|tick| tick.label.as_deref()).collect()
    }

    #[test]
    fn powers_of_two_have_round_labels() {
        let axis = SizeAxis::new(Unit::Bytes, [64.0, 134_144.0].into_iter());
        assert_eq!(axis.ends, (6, 18));
        assert_eq!(labels(&axis.ticks(13)).len(), 13);
        assert_eq!(labels(&axis.ticks(8)), ["64 B", "256 B", "1 KiB", "4 KiB", "16 KiB", "64 KiB", "256 KiB"]);
        assert_eq!(labels(&axis.ticks(3)), ["256 B", "4 KiB", "64 KiB"]);
        assert!((axis.place(64.0), axis.place(262_144.0)) == (0.0, 1.0));
        let large = SizeAxis::new(Unit::Bytes, [64.0, 1e36].into_iter());
        assert!(labels(&large.ticks(8)).len() <= 8);
        let lines = SizeAxis::new(Unit::Lines, [1.0, 5e6].into_iter());
        assert_eq!(labels(&lines.ticks(6)), ["1", "16", "256", "4096", "65536", "2^20"]);
        assert_eq!(lines.labelled(6).last(), Some((Int::from(1 << 20), "2^20".to_owned())));
    }

    #[test]
    fn an_axis_of_nothing_is_an_axis() {
        let axis = SizeAxis::new(Unit::Bytes, std::iter::empty());
        assert_eq!(axis.ends, (0, 2));
        assert_eq!(labels(&RatioAxis::new(Scale::Log, std::iter::empty()).ticks(9)).len(), 6);
    }

    #[test]
    fn ratios_have_round_labels() {
        let linear = |greatest: f64| RatioAxis::new(Scale::Linear, [greatest].into_iter()).ticks(9);
        assert_eq!(labels(&linear(0.75)), ["0", "0.2", "0.4", "0.6", "0.8"]);
        assert_eq!(labels(&linear(1.0)), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(labels(&linear(0.6)), ["0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6"]);
        assert_eq!(labels(&linear(0.134)), ["0", "0.025", "0.05", "0.075", "0.1", "0.125", "0.15"]);
        assert_eq!(labels(&linear(3e-7)), ["0", "5e-8", "1e-7", "1.5e-7", "2e-7", "2.5e-7", "3e-7"]);
        let log = RatioAxis::new(Scale::Log, [0.75, 0.0007].into_iter());
        assert_eq!(labels(&log.ticks(9)), ["0.0001", "0.001", "0.01", "0.1", "1"]);
        assert_eq!(labels(&log.ticks(4)), ["0.0001", "0.01", "1"]);
        assert_eq!([log.ticks(9).len(), log.ticks(4).len()], [4 * 9 + 1; 2]);
        assert_eq!((log.place(0.0), log.place(1.0)), (None, Some(1.0)));
    }
}
