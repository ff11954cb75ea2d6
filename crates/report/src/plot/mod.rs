//! Miss curves as pictures.
//!
//! A [`Picture`] holds the content without any form: curves, marked cache sizes, titles. [`chart`] draws it with characters, [`svg`] as a
//! graphic; [`html`] adds the data with which a page shows values under the pointer. All share the axes of [`axis`]: cache sizes are
//! logarithmic, miss ratios linear or logarithmic. The points of a curve are exact, and so close that nothing is lost between them at the
//! size of a picture.
//!
//! [`simulated`] draws curves that come from simulations. [`spans`] puts the rows of a profile beside a curve. [`roofline`] draws another kind of graphic, of the attainable speed of a machine, and [`threads`] values over the number of threads.

pub mod axis;
pub mod chart;
mod frame;
pub mod html;
pub mod mark;
mod profile;
pub mod roofline;
pub mod simulated;
pub mod svg;
mod thread_curves;
mod thread_rooflines;
pub mod threads;

use clap::ValueEnum;
use symloc_evaluate::{Detail, EvalError, Int, MissCurve, MissModel, Prediction, Step, SummedCurves};

use crate::formats::text;
use axis::{RatioAxis, SizeAxis};
pub use frame::Canvas;
pub use mark::SizeMark;
pub use profile::spans;

/// The distance between the points of a curve: a hundred-and-twenty-eighth of the cache size is less than a pixel.
pub const DETAIL: Detail = Detail::Part(128);

/// The axis of miss ratios.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Scale {
    /// From 0 on
    #[default]
    Linear,
    /// Powers of ten
    Log,
}

/// The unit of cache sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Lines, where bytes have no meaning because arrays differ in their element size.
    Lines,
}

/// Some miss curves.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The title.
    pub title: String,
    /// The properties that all curves have in common.
    pub subtitle: String,
    /// The curves, at least one.
    pub curves: Vec<DrawnCurve>,
    /// The marked cache sizes, ascending.
    pub marks: Vec<Marked>,
    /// The ranges over which the curve falls according to formulas, by ascending ends.
    pub spans: Vec<Span>,
    /// The cache sizes of the table that goes with the picture: the marked ones, or else those at the axis.
    pub samples: Vec<CacheSample>,
    /// The axis of cache sizes.
    pub sizes: SizeAxis,
    /// The axis of miss ratios.
    pub ratios: RatioAxis,
}

/// A miss curve.
#[derive(Clone, Debug)]
pub struct DrawnCurve {
    /// The name that distinguishes it from the others.
    pub name: String,
    /// N, the number of accesses.
    pub accesses: Int,
    /// The misses in every cache: first touches.
    pub cold: Int,
    /// The number of reuses judged by their interval because their distance is not known.
    pub estimated: Int,
    /// The points where it changes, by ascending size; the first is a cache of one line. Empty if nothing is accessed.
    pub points: Vec<CurvePoint>,
}

/// The misses from a cache size on.
#[derive(Clone, Debug)]
pub struct CurvePoint {
    /// The cache, in the picture's unit, for drawing.
    pub size: f64,
    /// The cache, in lines.
    pub lines: Int,
    /// The misses.
    pub misses: Int,
    /// Misses by accesses.
    pub ratio: f64,
}

/// A cache size with a name.
#[derive(Clone, Debug)]
pub struct Marked {
    /// `L1 48 KiB`
    pub label: String,
    /// The size in the picture's unit.
    pub size: f64,
}

/// A range of cache sizes over which a curve falls according to a formula.
#[derive(Clone, Debug)]
pub struct Span {
    /// The formula.
    pub label: String,
    /// The sizes where it begins and ends, in the picture's unit; they are equal if it is a step.
    pub ends: [f64; 2],
}

/// A row of the table that goes with a picture.
#[derive(Clone, Debug)]
pub struct CacheSample {
    /// The cache.
    pub label: String,
    /// The misses of each curve in it.
    pub misses: Vec<Int>,
}

/// The largest number of curves that can be distinguished.
pub const MOST_CURVES: usize = 8;

/// The approximate number of labels of the axis of cache sizes.
const SIZE_LABELS: usize = 12;

/// The reasons why something cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// A curve has no value somewhere.
    #[error(transparent)]
    Evaluation(#[from] EvalError),
    /// More curves than [`MOST_CURVES`].
    #[error("{0} curves are too many for one picture; there is room for {MOST_CURVES}")]
    TooManyCurves(usize),
    /// Cache sizes are bytes for some curves and lines for others.
    #[error("some of the models know how many bytes a line has and some do not: they have no common axis")]
    NoCommonAxis,
    /// A mark in lines on an axis of bytes.
    #[error("the axis has bytes, not lines")]
    MarkInLines,
    /// A mark in bytes on an axis of lines.
    #[error("the arrays of this model differ in their element size, so a size in bytes says nothing")]
    MarkInBytes,
}

/// Returns an error for more curves than one picture holds; meant to be called before they are computed.
///
/// # Errors
///
/// [`PictureError::TooManyCurves`].
pub fn room_for(curves: usize) -> Result<(), PictureError> {
    if curves > MOST_CURVES { Err(PictureError::TooManyCurves(curves)) } else { Ok(()) }
}

impl Picture {
    /// Draws some curves, each with a distinguishing name and with the predictions, at least one, whose misses are added up: those
    /// of threads in caches of their own. Points are as close as `detail` demands.
    ///
    /// # Errors
    ///
    /// That of [`room_for`]; [`PictureError::NoCommonAxis`]; that of [`SizeMark::size`]; those of [`Prediction::misses`].
    pub fn new(
        title: String,
        named: Vec<(String, Vec<&Prediction>)>,
        marks: &[SizeMark],
        scale: Scale,
        detail: Detail,
    ) -> Result<Self, PictureError> {
        room_for(named.len())?;
        let (names, predictions): (Vec<_>, Vec<_>) = named.into_iter().unzip();
        // Threads have the same lines, and the same sizes apart from their parameters.
        let first: Vec<&Prediction> = predictions.iter().filter_map(|threads| threads.first().copied()).collect();
        let unit = unit(&first)?;
        let curves = names.into_iter().zip(&predictions).map(|(name, of)| DrawnCurve::new(name, of, detail));
        let curves = curves.collect::<Result<Vec<_>, _>>()?;
        let marks = placed(marks, unit)?;
        let points = || curves.iter().flat_map(|curve| &curve.points);
        let sizes = SizeAxis::new(unit, points().map(|p| p.size).chain(marks.iter().map(|mark| mark.size)));
        let ratios = RatioAxis::new(scale, points().map(|point| point.ratio));
        let samples = match marks.as_slice() {
            [] => sizes
                .labelled(SIZE_LABELS)
                .map(|(size, label)| sample(label, &size, &predictions))
                .collect::<Result<_, _>>()?,
            _ => marks
                .iter()
                .map(|mark| sample(mark.label.clone(), &Int::from(mark.size as u64), &predictions))
                .collect::<Result<_, _>>()?,
        };
        let subtitle = subtitle(&first);
        Ok(Self { title, subtitle, curves, marks, spans: Vec::new(), samples, sizes, ratios })
    }

    /// Adds spans, whose ends are in lines.
    pub fn with_spans(self, spans: Vec<Span>, line_bytes: Option<u64>) -> Self {
        let factor = if self.sizes.unit == Unit::Bytes { line_bytes.unwrap_or(1) as f64 } else { 1.0 };
        let mut spans: Vec<_> =
            spans.into_iter().map(|span| Span { ends: span.ends.map(|end| factor * end), ..span }).collect();
        spans.sort_by(|a, b| a.ends[1].total_cmp(&b.ends[1]));
        let (low, high) = self.sizes.ends;
        let beyond = spans.last().map_or(0.0, |span| span.ends[1].log2()).ceil();
        let sizes = SizeAxis { ends: (low, high.max(beyond as u32)), ..self.sizes };
        let subtitle = format!("{}, formulas in lines", self.subtitle);
        Self { spans, sizes, subtitle, ..self }
    }

    /// Returns the labels above the plot, from the left to the right: those of marks and spans, each with its place.
    fn labels(&self) -> Vec<Label<'_>> {
        let marks =
            self.marks.iter().map(|mark| Label { text: &mark.label, place: self.sizes.place(mark.size), of: Of::Mark });
        let spans =
            self.spans.iter().map(|span| Label { text: &span.label, place: self.place(span.ends[1]), of: Of::Span });
        let mut labels: Vec<_> = marks.chain(spans).collect();
        labels.sort_by(|a, b| a.place.total_cmp(&b.place));
        labels
    }

    /// Returns the place of a size, or the nearest end of the axis.
    fn place(&self, size: f64) -> f64 {
        self.sizes.place(size).clamp(0.0, 1.0)
    }
}

/// A label above a plot.
#[derive(Clone, Copy, Debug)]
struct Label<'p> {
    text: &'p str,
    /// From 0 to 1.
    place: f64,
    of: Of,
}

/// The object that a label belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Mark,
    Span,
}

/// Returns marks with their sizes in the unit of an axis, ascending.
fn placed(marks: &[SizeMark], unit: Unit) -> Result<Vec<Marked>, PictureError> {
    let place = |mark: &SizeMark| Ok(Marked { label: mark.to_string(), size: mark.size(unit)? as f64 });
    let mut placed = marks.iter().map(place).collect::<Result<Vec<_>, PictureError>>()?;
    placed.sort_by(|a, b| a.size.total_cmp(&b.size));
    Ok(placed)
}

/// Returns the unit of the caches, if all curves agree.
fn unit(predictions: &[&Prediction]) -> Result<Unit, PictureError> {
    let in_bytes = |prediction: &&Prediction| prediction.place().line_bytes.is_some();
    match (predictions.iter().all(in_bytes), predictions.iter().any(in_bytes)) {
        (true, _) => Ok(Unit::Bytes),
        (false, false) => Ok(Unit::Lines),
        _ => Err(PictureError::NoCommonAxis),
    }
}

/// Returns the properties that all curves have in common, such as `n = 16, 64-byte lines`.
fn subtitle(predictions: &[&Prediction]) -> String {
    let Some((first, others)) = predictions.split_first() else { return String::new() };
    let common = |(name, value): &&(String, i128)| {
        others.iter().all(|other| other.place().parameters.iter().any(|(n, v)| n == name && v == value))
    };
    let sizes: Vec<_> = first.place().parameters.iter().filter(common).cloned().collect();
    let lines = text::lines(first.place().line_bytes, first.place().element);
    let same = others.iter().all(|other| text::lines(other.place().line_bytes, other.place().element) == lines);
    let exact = predictions.iter().all(|prediction| prediction.miss_model() == MissModel::Lru);
    let caches = if exact { "fully associative LRU" } else { "fully associative" };
    let parts = [text::sizes(&sizes), if same { lines } else { String::new() }, caches.to_owned()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// Returns the misses in a cache of some size in the axis's unit. A part of a line holds nothing.
fn sample(label: String, size: &Int, predictions: &[Vec<&Prediction>]) -> Result<CacheSample, EvalError> {
    let misses = |threads: &Vec<&Prediction>| {
        threads.iter().try_fold(Int::ZERO, |sum, prediction| {
            let line = Int::from(prediction.place().line_bytes.unwrap_or(1));
            Ok(&sum + &prediction.misses(&size.div_floor(&line).unwrap_or(Int::ZERO))?.total())
        })
    };
    Ok(CacheSample { label, misses: predictions.iter().map(misses).collect::<Result<_, EvalError>>()? })
}

impl DrawnCurve {
    /// Adds up the curves of some predictions.
    fn new(name: String, predictions: &[&Prediction], detail: Detail) -> Result<Self, EvalError> {
        let total = |of: &dyn Fn(&Prediction) -> Int| predictions.iter().fold(Int::ZERO, |sum, one| &sum + &of(one));
        let line = Int::from(predictions.first().and_then(|one| one.place().line_bytes).unwrap_or(1));
        let accesses = total(&|one| one.accesses().clone());
        let curve = SummedCurves::new(predictions.to_vec());
        let mut points: Vec<CurvePoint> = Vec::new();
        for step in curve.steps(detail)? {
            let Step { blocks, misses } = step?;
            // The smallest cache that is drawn has one line.
            let lines = blocks.max(Int::from(1));
            let size = (&lines * &line).ratio(&Int::from(1));
            let misses = misses.total();
            let point = CurvePoint { size, ratio: misses.ratio(&accesses), lines, misses };
            match points.last_mut() {
                Some(last) if last.lines == point.lines => *last = point,
                _ => points.push(point),
            }
        }
        if accesses.is_zero() {
            points.clear();
        }
        Ok(Self {
            name,
            cold: total(&|one| one.blocks().clone()),
            estimated: total(&|one| one.estimated()),
            accesses,
            points,
        })
    }

    /// Returns the miss ratio of a cache of at least one line.
    pub fn at(&self, size: f64) -> Option<f64> {
        let place = self.points.partition_point(|point| point.size <= size);
        place.checked_sub(1).map(|index| self.points[index].ratio)
    }
}

/// Puts labels side by side in as few rows as possible, and returns the row of each in the given order. A label is its middle and its
/// width.
fn rows_of_labels(labels: impl Iterator<Item = (f64, f64)>) -> Vec<usize> {
    let mut ends: Vec<f64> = Vec::new();
    let mut row = |(middle, width): (f64, f64)| {
        let (start, end) = (middle - width / 2.0, middle + width / 2.0);
        let free = ends.iter().position(|last| *last <= start).unwrap_or(ends.len());
        match ends.get_mut(free) {
            Some(last) => *last = end,
            None => ends.push(end),
        }
        free
    };
    labels.map(&mut row).collect()
}
