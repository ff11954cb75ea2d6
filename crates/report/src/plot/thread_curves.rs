//! Misses over the number of threads, as a picture: a line for each level of each program.

use symloc_evaluate::Int;

use super::svg::grouped;
use super::threads::{ThreadLine, ThreadPicture, ThreadTitles};
use super::{PictureError, Scale, room_for};
use crate::answers::misses::{CacheMisses, LevelMisses};
use crate::answers::over_threads::curve::ThreadCurve;
use crate::answers::over_threads::roofline::of_threads;
use crate::formats::text;

impl ThreadPicture {
    /// Draws curves: for each level the misses per access of all threads with coherence misses, and, dotted, without them. Where
    /// misses by false sharing are known, those of a level with them are one more line.
    ///
    /// # Errors
    ///
    /// That of [`room_for`].
    pub fn of_curves(title: String, curves: &[ThreadCurve], scale: Scale) -> Result<Self, PictureError> {
        let lines: Vec<_> = curves.iter().flat_map(lines).collect();
        room_for(lines.len())?;
        let titles = ThreadTitles { title, subtitle: subtitle(curves), up: "misses per access".to_owned() };
        ThreadPicture::new(titles, lines, scale)
    }
}

/// Returns what all curves have in common: their sizes, if they are the same, and their lines.
fn subtitle(curves: &[ThreadCurve]) -> String {
    let mut headers = curves.iter().filter_map(|curve| curve.points.first()).map(|point| &point.header);
    let Some(first) = headers.next() else { return String::new() };
    let mut sizes = first.parameters.clone();
    let mut lines = text::lines(first.line_bytes, first.element);
    for header in headers {
        sizes.retain(|size| header.parameters.contains(size));
        if text::lines(header.line_bytes, header.element) != lines {
            lines.clear();
        }
    }
    let parts = [text::sizes(&sizes), lines].into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(", ")
}

/// Returns the lines of a curve, level by level.
fn lines(curve: &ThreadCurve) -> Vec<ThreadLine> {
    let levels = curve.points.first().map_or(0, |point| point.levels.len());
    (0..levels).flat_map(|level| [Some(of_level(curve, level)), with_false_sharing(curve, level)]).flatten().collect()
}

/// Returns the line of a level, given by its position.
fn of_level(curve: &ThreadCurve, level: usize) -> ThreadLine {
    let with_coherence = values(curve, level, CacheMisses::with_coherence);
    let alone = values(curve, level, |level| level.misses.total());
    let beside = if alone == with_coherence { Vec::new() } else { ratios(&alone) };
    let dotted = if beside.is_empty() { "" } else { ", without coherence dotted" };
    let facts = format!("{}{dotted}", facts(&with_coherence));
    ThreadLine { name: name(curve, level), facts, points: ratios(&with_coherence), beside }
}

/// Returns the line of a level with its misses by false sharing; `None` if there are none, or they are not known.
fn with_false_sharing(curve: &ThreadCurve, level: usize) -> Option<ThreadLine> {
    let false_sharing = |level: &CacheMisses| {
        level.threads.as_ref().and_then(|threads| threads.false_sharing.clone()).unwrap_or(Int::ZERO)
    };
    if curve.points.iter().all(|point| false_sharing(&point.levels[level]).is_zero()) {
        return None;
    }
    let all = values(curve, level, |level| &level.with_coherence() + &false_sharing(level));
    let name = format!("{}, with false sharing", name(curve, level));
    Some(ThreadLine { name, facts: facts(&all), points: ratios(&all), beside: Vec::new() })
}

/// Returns a name such as `n = 100, L1 32 KiB, shared`.
fn name(curve: &ThreadCurve, level: usize) -> String {
    let Some(first) = curve.points.first() else { return curve.name.clone() };
    let CacheMisses { name, capacity, threads, .. } = &first.levels[level];
    let cache = name.iter().cloned().chain([capacity.to_string()]).collect::<Vec<_>>().join(" ");
    let shared = threads.as_ref().is_some_and(|threads| threads.shared).then(|| "shared".to_owned());
    let program = Some(curve.name.clone()).filter(|name| !name.is_empty());
    program.into_iter().chain([cache]).chain(shared).collect::<Vec<_>>().join(", ")
}

/// Some misses on a number of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ThreadValue {
    threads: u64,
    misses: Int,
    accesses: Int,
}

/// Returns some misses of a level, by the number of threads.
fn values(curve: &ThreadCurve, level: usize, of: impl Fn(&CacheMisses) -> Int) -> Vec<ThreadValue> {
    let value = |point: &LevelMisses| ThreadValue {
        threads: point.threads() as u64,
        misses: of(&point.levels[level]),
        accesses: point.header.accesses.clone(),
    };
    curve.points.iter().map(value).collect()
}

fn ratios(values: &[ThreadValue]) -> Vec<(u64, f64)> {
    let ratio = |value: &ThreadValue| (value.threads, value.misses.ratio(&value.accesses));
    values.iter().filter(|value| !value.accesses.is_zero()).map(ratio).collect()
}

/// Returns the misses on the fewest and on the most threads.
fn facts(values: &[ThreadValue]) -> String {
    let fact = |value: &ThreadValue| format!("{}: {}", of_threads(value.threads), grouped(&value.misses.to_string()));
    match values {
        [] => String::new(),
        [only] => fact(only),
        [first, .., last] => format!("{}; {}", fact(first), fact(last)),
    }
}
