//! Attribution in JSON: `symloc.attribution/1`.

use serde::Serialize;
use symloc_evaluate::Int;

use super::{AttributionReport, Fill, FillRow, FilledCache, source};
use crate::Fields;
use crate::formats::json;
use crate::subject::SubjectAnswer;

#[derive(Serialize)]
pub(super) struct AttributionAnswer<'a> {
    schema: &'static str,
    #[serde(flatten)]
    header: Fields<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated: Option<json::Number<'a>>,
    operations: Option<json::Number<'a>>,
    levels: Vec<FilledCacheAnswer<'a>>,
    rows: Vec<FillRowAnswer<'a>>,
}

impl<'a> AttributionAnswer<'a> {
    pub(super) fn new(report: &'a AttributionReport<'_>) -> Self {
        Self {
            schema: "symloc.attribution/1",
            header: report.header.fields(report.source.name()),
            estimated: (!report.estimated.is_zero()).then_some(json::Number(&report.estimated)),
            operations: report.operations.as_ref().map(json::Number),
            levels: (0..report.levels.len()).map(|index| FilledCacheAnswer::new(report, index)).collect(),
            rows: report.rows.iter().map(|row| FillRowAnswer::new(report, row)).collect(),
        }
    }
}

#[derive(Serialize)]
struct FilledCacheAnswer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    lines: u64,
    filled_from_lines: Option<u64>,
    #[serde(serialize_with = "json::int")]
    misses: Int,
    #[serde(serialize_with = "json::int")]
    bytes: Int,
    #[serde(flatten)]
    further: FurtherAnswer<'a>,
    operations_per_byte: Option<f64>,
}

impl<'a> FilledCacheAnswer<'a> {
    fn new(report: &'a AttributionReport<'_>, index: usize) -> Self {
        let level = &report.levels[index];
        Self {
            name: level.name.as_deref(),
            lines: level.lines,
            filled_from_lines: source(&report.levels, index).map(|next| next.lines),
            misses: level.fill.misses.value.clone(),
            bytes: level.fill.bytes.value.clone(),
            further: FurtherAnswer::new(&level.fill),
            operations_per_byte: report.intensity(level),
        }
    }
}

#[derive(Serialize)]
struct FillRowAnswer<'a> {
    #[serde(flatten)]
    subject: SubjectAnswer<'a>,
    #[serde(serialize_with = "json::int")]
    accesses: &'a Int,
    #[serde(serialize_with = "json::int")]
    first_touches: &'a Int,
    levels: Vec<FillAnswer<'a>>,
}

#[derive(Serialize)]
struct FillAnswer<'a> {
    #[serde(serialize_with = "json::int")]
    misses: &'a Int,
    #[serde(serialize_with = "json::int")]
    bytes: &'a Int,
    share: f64,
    #[serde(flatten)]
    further: FurtherAnswer<'a>,
}

/// The fields that only samples and simulations have.
#[derive(Serialize)]
struct FurtherAnswer<'a> {
    #[serde(flatten)]
    sampled: json::Sampled<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_written: Option<json::Number<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_written_low: Option<json::Number<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_written_high: Option<json::Number<'a>>,
}

impl<'a> FurtherAnswer<'a> {
    fn new(fill: &'a Fill) -> Self {
        let sampled = json::Sampled::new(fill.misses.interval.as_ref());
        let bytes_written = fill.written.as_ref().map(|written| json::Number(&written.value));
        let (written_low, written_high) =
            json::ends(fill.written.as_ref().and_then(|written| written.interval.as_ref()));
        Self { sampled, bytes_written, bytes_written_low: written_low, bytes_written_high: written_high }
    }
}

impl<'a> FillRowAnswer<'a> {
    fn new(report: &'a AttributionReport<'_>, row: &'a FillRow<'_>) -> Self {
        let fill = |(fill, level): (&'a Fill, &FilledCache)| FillAnswer {
            misses: &fill.misses.value,
            bytes: &fill.bytes.value,
            share: fill.share(level),
            further: FurtherAnswer::new(fill),
        };
        Self {
            subject: row.subject.answer(report.model),
            accesses: &row.accesses,
            first_touches: &row.first_touches,
            levels: row.fills.iter().zip(&report.levels).map(fill).collect(),
        }
    }
}
