//! The questions of a page, as JSON with the kind of question in `ask`.

use std::collections::BTreeMap;

use serde::Deserialize;
use symloc_report::MissModel;
use symloc_report::plot::Scale;

/// A question.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub(crate) enum Question {
    /// Opens a model, given as the text of its file; models have numbers from 0 in the order in which they are opened.
    Open {
        text: String,
        #[serde(default)]
        line_bytes: Option<u64>,
    },
    /// The misses of caches: `symloc.query/1`.
    Query { case: SizedModel, caches: Vec<CacheText> },
    /// The misses of each access: `symloc.attribution/1`.
    Accesses { case: SizedModel, caches: Vec<CacheText> },
    /// Miss curves as a picture, with its data for the script.
    Picture(PictureQuestion),
    /// The value of a parameter for which the model holds that is nearest to the given one.
    Near { case: SizedModel, parameter: String },
}

/// A model at a size.
#[derive(Debug, Deserialize)]
pub(crate) struct SizedModel {
    /// The name in a legend.
    #[serde(default)]
    pub(crate) name: String,
    pub(crate) model: usize,
    pub(crate) sizes: BTreeMap<String, i64>,
    #[serde(default)]
    pub(crate) misses: Option<AskedMisses>,
    /// The number of threads that share its parallel loops, each with caches of its own; one thread runs everything if there are
    /// none, or if the model is not of threads.
    #[serde(default)]
    pub(crate) threads: Option<u64>,
}

/// The miss model.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AskedMisses {
    Denning,
    Lru,
}

impl From<AskedMisses> for MissModel {
    fn from(misses: AskedMisses) -> Self {
        match misses {
            AskedMisses::Denning => MissModel::Denning,
            AskedMisses::Lru => MissModel::Lru,
        }
    }
}

/// A cache with its size as text: `48KiB`, `512lines`.
#[derive(Debug, Deserialize)]
pub(crate) struct CacheText {
    #[serde(default)]
    pub(crate) name: Option<String>,
    pub(crate) size: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct PictureQuestion {
    pub(crate) title: String,
    pub(crate) cases: Vec<SizedModel>,
    pub(crate) marks: Vec<CacheText>,
    #[serde(default)]
    pub(crate) spans: Vec<SpanText>,
    pub(crate) scale: AxisScale,
    /// Points closer than one `detail`-th of the cache size may be merged.
    pub(crate) detail: u32,
    /// The width and the height in pixels.
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A range of caches, in lines, in which a curve falls according to formulas.
#[derive(Debug, Deserialize)]
pub(crate) struct SpanText {
    pub(crate) label: String,
    pub(crate) ends: [f64; 2],
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AxisScale {
    Linear,
    Log,
}

impl From<AxisScale> for Scale {
    fn from(scale: AxisScale) -> Self {
        match scale {
            AxisScale::Linear => Scale::Linear,
            AxisScale::Log => Scale::Log,
        }
    }
}
