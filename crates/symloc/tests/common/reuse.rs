//! Reuse in a trace, measured by definition, and the difference between two measurements.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

/// The number of times that each interval or distance occurs.
pub(crate) type Histogram = BTreeMap<u64, u64>;

pub(crate) struct Intervals {
    pub(crate) real: Histogram,
    pub(crate) imaginary: Histogram,
}

pub(crate) struct DistanceHistogram {
    pub(crate) counts: Histogram,
    pub(crate) first_touches: u64,
}

pub(crate) fn intervals(blocks: &[u64]) -> Intervals {
    let mut lives: HashMap<u64, (u64, u64)> = HashMap::new();
    let (mut real, mut imaginary) = (Histogram::new(), Histogram::new());
    for (time, block) in (0..).zip(blocks) {
        let (_, latest) = lives
            .entry(*block)
            .and_modify(|(_, latest)| *real.entry(time - *latest).or_default() += 1)
            .or_insert((time, time));
        *latest = time;
    }
    for (first, latest) in lives.into_values() {
        *imaginary.entry(blocks.len() as u64 + first - latest).or_default() += 1;
    }
    Intervals { real, imaginary }
}

pub(crate) fn distances(blocks: &[u64]) -> DistanceHistogram {
    // Blocks in the order of their latest access.
    let mut stack = Vec::new();
    let mut distances = DistanceHistogram { counts: Histogram::new(), first_touches: 0 };
    for block in blocks {
        match stack.iter().rposition(|other| other == block) {
            Some(place) => {
                *distances.counts.entry((stack.len() - 1 - place) as u64).or_default() += 1;
                stack.remove(place);
            }
            None => distances.first_touches += 1,
        }
        stack.push(*block);
    }
    distances
}

/// Reads counts from JSON, such as `[[1, 632], [3, 512]]`.
pub(crate) fn counts(pairs: &Value) -> Histogram {
    let number = |value: &Value| value.as_u64().unwrap();
    pairs.as_array().unwrap().iter().map(|pair| (number(&pair[0]), number(&pair[1]))).collect()
}

/// Returns the first difference between two histograms.
pub(crate) fn unlike(what: &str, compiled: &Histogram, other: &Histogram) -> Option<String> {
    let counts = compiled.keys().chain(other.keys()).map(|key| (*key, compiled.get(key), other.get(key)));
    let (key, compiled, other) = counts.filter(|(_, compiled, other)| compiled != other).min()?;
    let times = |count: Option<&u64>| count.copied().unwrap_or_default();
    Some(format!("{what} {key}: {} times in the compiled program, not {}", times(compiled), times(other)))
}
