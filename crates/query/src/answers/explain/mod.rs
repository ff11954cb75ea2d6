//! Explains the misses of a cache: the accesses that make them, the reasons, and the changes that would matter.
//!
//! Facts are found first, as numbers, and sentences state only these facts:
//!
//! - [`subject`]: the misses, and the caches with a given number of misses;
//! - [`facts`]: the accesses that make nine tenths of the misses, and the caches in which more or fewer accesses miss; `groups`:
//!   the accesses that are described together;
//! - [`elsewhere`]: the sizes of the program at which the miss ratio differs;
//! - [`prose`]: from facts to sentences, whose form is in [`symloc_report::answers::sentence`].

pub mod elsewhere;
pub mod facts;
mod groups;
pub mod prose;
pub mod subject;

use symloc_evaluate::{Evaluator, Int, Prediction};
use symloc_model::Model;
use symloc_report::answers::explanation::{Asked, Explained, Explanation};
use symloc_report::{AnswerHeader, MissModel};

use crate::error::CliError;
use elsewhere::Elsewhere;
use facts::Facts;
use prose::Prose;
use subject::AttributedMisses;

/// Explains the misses of some caches.
///
/// # Errors
///
/// Those of [`Evaluator::locality`] or [`Evaluator::lru`], and of [`Evaluator::attribution`].
pub fn explain(
    model: &Model,
    (evaluator, miss_model): (&Evaluator<'_>, MissModel),
    prediction: &Prediction,
    caches: &[Asked],
) -> Result<Explanation, CliError> {
    let subject = AttributedMisses::new(prediction, evaluator)?;
    let lines: Vec<Int> = caches.iter().map(|cache| cache.lines.clone()).collect();
    let elsewhere = Elsewhere::new((evaluator, miss_model), prediction, &lines);
    let prose = Prose { subject: &subject, outline: model.outline()? };
    let explained = |(index, cache): (usize, &Asked)| {
        let facts = Facts::find(&subject, &cache.lines)?;
        let axes = elsewhere.axes(index)?;
        Ok(Explained {
            cache: cache.clone(),
            thresholds: facts.thresholds().cloned().collect(),
            sentences: prose.sentences(cache, &facts, &axes)?,
            axes,
        })
    };
    Ok(Explanation {
        header: AnswerHeader::of_prediction(model, prediction),
        miss_model,
        estimated: prediction.estimated(),
        caches: caches.iter().enumerate().map(explained).collect::<Result<_, CliError>>()?,
    })
}
