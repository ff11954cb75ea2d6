//! Explains the misses of a cache: the accesses that make them, the reasons, and the changes that would matter.
//!
//! Facts are found first, as numbers, and sentences state only these facts:
//!
//! - [`subject`]: the misses, and the caches with a given number of misses;
//! - [`analysis`]: the accesses that make nine tenths of the misses, and the caches in which more or fewer accesses miss; `groups`:
//!   the accesses that are described together;
//! - [`other_sizes`]: the sizes of the program at which the miss ratio differs;
//! - `bound`: how far the misses are from the least of any order;
//! - [`threads`]: how many threads it takes until the part of each fits;
//! - [`prose`]: from these to sentences, whose form is in [`symloc_report::answers::sentence`].

pub mod analysis;
mod bound;
mod groups;
pub mod other_sizes;
pub mod prose;
pub mod subject;
pub mod threads;

use symloc_evaluate::{Int, Prediction};
use symloc_model::Model;
use symloc_report::AnswerHeader;
use symloc_report::answers::explanation::{Asked, Explained, Explanation};

use super::lower_bound::BoundedSize;
use super::predictor::Predictor;
use crate::error::CliError;
use analysis::Analysis;
use other_sizes::OtherSizes;
use prose::Prose;
use subject::AttributedMisses;
use threads::ThreadPart;

/// Explains the misses of some caches; with the program of one thread also how many threads would help.
///
/// # Errors
///
/// Those of [`Evaluator::predict`](symloc_evaluate::Evaluator::predict) and of
/// [`Evaluator::attribution`](symloc_evaluate::Evaluator::attribution).
pub fn explain(
    model: &Model,
    predictor: Predictor<'_>,
    prediction: &Prediction,
    part: Option<ThreadPart<'_>>,
    caches: &[Asked],
) -> Result<Explanation, CliError> {
    let subject = AttributedMisses::new(prediction, predictor.evaluator)?;
    let lines: Vec<Int> = caches.iter().map(|cache| cache.lines.clone()).collect();
    let other_sizes = OtherSizes::new(predictor, prediction, &lines);
    let bounded = BoundedSize::new(model, predictor.evaluator, prediction)?;
    let prose = Prose { subject: &subject, outline: model.outline()? };
    let explained = |(index, cache): (usize, &Asked)| {
        let analysis = Analysis::find(&subject, &cache.lines)?;
        let axes = other_sizes.axes(index)?;
        let mut sentences = prose.sentences(cache, &analysis, &axes)?;
        sentences.extend(bound::sentence(&bounded, prediction, &cache.lines)?);
        sentences.extend(part.map(|part| part.sentence(&cache.lines)).transpose()?.flatten());
        Ok(Explained { cache: cache.clone(), thresholds: analysis.thresholds().cloned().collect(), sentences, axes })
    };
    Ok(Explanation {
        header: AnswerHeader::of_prediction(model, prediction),
        miss_model: predictor.miss_model,
        estimated: prediction.estimated(),
        caches: caches.iter().enumerate().map(explained).collect::<Result<_, CliError>>()?,
    })
}
