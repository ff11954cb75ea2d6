//! Histograms of reuse intervals and of reuse distances.

use std::io::{self, Write};

use serde::Serialize;
use symloc_evaluate::{Bin, Int};
use symloc_model::Assumption;

use crate::AnswerHeader;
use crate::formats::json;
use crate::formats::text::{Columns, ratio};

/// The origin of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinsOrigin {
    /// A model.
    Model,
    /// A simulation.
    Simulation,
}

/// The bins of a histogram, by the quantity that it counts.
#[derive(Clone, Copy, Debug)]
pub enum Bins<'a> {
    /// Reuse intervals: of real reuses, and of first touches under infinite repeat.
    Intervals {
        /// Accesses that are no first touches.
        real: &'a [Bin],
        /// First touches.
        imaginary: &'a [Bin],
    },
    /// Reuse distances of the accesses that are no first touches.
    Distances {
        /// Accesses with a known distance, by distance.
        known: &'a [Bin],
        /// Accesses whose distance the model does not know, by interval.
        estimated: &'a [Bin],
    },
}

/// Writes a histogram for people.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_text(out: &mut dyn Write, header: &AnswerHeader, bins: Bins<'_>) -> io::Result<()> {
    header.write(out)?;
    match bins {
        Bins::Intervals { real, imaginary } => {
            write_bins(out, "reuse interval", real, &header.accesses)?;
            write_bins(out, "imaginary interval", imaginary, &header.accesses)
        }
        Bins::Distances { known, estimated } => {
            write_bins(out, "reuse distance", known, &header.accesses)?;
            write_bins(out, "interval without distance", estimated, &header.accesses)?;
            write_first_touches(out, &header.blocks, &header.accesses)
        }
    }
}

fn write_bins(out: &mut dyn Write, title: &str, bins: &[Bin], accesses: &Int) -> io::Result<()> {
    if bins.is_empty() {
        return Ok(());
    }
    let mut table = Columns::new(&[title, "accesses", "portion"], 0);
    for bin in bins {
        table.push(vec![bin.interval.to_string(), bin.count.to_string(), ratio(bin.count.ratio(accesses))]);
    }
    writeln!(out)?;
    table.write(out)
}

/// Writes the number of first touches, which have no distance, as a table of its own.
fn write_first_touches(out: &mut dyn Write, count: &Int, accesses: &Int) -> io::Result<()> {
    let mut table = Columns::new(&["first touches", "portion"], 0);
    table.push(vec![count.to_string(), ratio(count.ratio(accesses))]);
    writeln!(out)?;
    table.write(out)
}

/// Writes `symloc.histogram/1`; a simulated histogram is marked as such.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_json(out: &mut dyn Write, header: &AnswerHeader, bins: Bins<'_>, origin: BinsOrigin) -> io::Result<()> {
    let (real, imaginary, distance, estimated) = match bins {
        Bins::Intervals { real, imaginary } => (Some(Pairs(real)), Some(Pairs(imaginary)), None, None),
        Bins::Distances { known, estimated } => {
            (None, None, Some(Pairs(known)), (!estimated.is_empty()).then_some(Pairs(estimated)))
        }
    };
    let answer = HistogramAnswer {
        schema: "symloc.histogram/1",
        parameters: &header.parameters,
        model: (origin == BinsOrigin::Simulation).then_some("simulation"),
        line_bytes: header.line_bytes,
        accesses: &header.accesses,
        blocks: &header.blocks,
        assumptions: &header.assumptions,
        real,
        imaginary,
        estimated,
        first_touches: distance.is_some().then_some(json::Number(&header.blocks)),
        distance,
    };
    json::write(out, &answer)
}

#[derive(Serialize)]
struct Pairs<'a>(#[serde(serialize_with = "json::bins")] &'a [Bin]);

#[derive(Serialize)]
struct HistogramAnswer<'a> {
    schema: &'static str,
    #[serde(serialize_with = "json::parameters")]
    parameters: &'a [(String, i128)],
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'static str>,
    line_bytes: Option<u64>,
    #[serde(serialize_with = "json::int")]
    accesses: &'a Int,
    #[serde(serialize_with = "json::int")]
    blocks: &'a Int,
    #[serde(skip_serializing_if = "<[Assumption]>::is_empty")]
    assumptions: &'a [Assumption],
    #[serde(skip_serializing_if = "Option::is_none")]
    real: Option<Pairs<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    imaginary: Option<Pairs<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<Pairs<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated: Option<Pairs<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_touches: Option<json::Number<'a>>,
}
