//! What one would say about the misses of a cache: who makes them, why, and what would change them.
//!
//! Facts are found first, as numbers, and nothing is said that is not one of them:
//!
//! - [`subject`]: the misses, and the cache in which so many of them are left;
//! - [`facts`]: the accesses that make nine tenths of the misses, and the caches in which more or fewer accesses miss;
//!   `groups`: which accesses are told together;
//! - [`elsewhere`]: the sizes of the program with which the miss ratio is another;
//! - [`sentence`]: text in which each number knows the question whose answer it is;
//! - [`prose`]: from facts to sentences.

pub mod elsewhere;
pub mod facts;
mod groups;
pub mod prose;
pub mod sentence;
pub mod subject;

use symloc_evaluate::{Evaluator, Int, Prediction};
use symloc_model::Model;

use crate::error::CliError;
use crate::export::Header;
use crate::options::MissModel;
use elsewhere::{Axis, Elsewhere};
use facts::Facts;
use prose::Prose;
use sentence::Sentence;
use subject::{Subject, Threshold};

/// The sentences about some caches at one size.
#[derive(Debug)]
pub struct Explanation {
    /// What it is about.
    pub header: Header,
    /// How misses are predicted.
    pub miss_model: MissModel,
    /// How many reuses are estimated, because the model holds no distance of theirs.
    pub estimated: Int,
    /// The caches, in the order of the question.
    pub caches: Vec<Explained>,
}

/// A fully associative cache that is asked about.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What its machine calls it.
    pub name: Option<String>,
    /// How many lines it holds.
    pub lines: Int,
}

/// The sentences about one cache, and what was searched for them.
#[derive(Debug)]
pub struct Explained {
    /// The cache.
    pub cache: Asked,
    /// The caches that are told.
    pub thresholds: Vec<Threshold>,
    /// The sizes that were tried.
    pub axes: Vec<Axis>,
    /// The sentences: the first is about the misses, the others about what makes and what would change them.
    pub sentences: Vec<Sentence>,
}

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
    let subject = Subject::new(prediction, evaluator)?;
    let lines: Vec<Int> = caches.iter().map(|cache| cache.lines.clone()).collect();
    let elsewhere = Elsewhere::new((evaluator, miss_model), prediction, &lines);
    let prose = Prose { subject: &subject, outline: model.outline()? };
    let explained = |(index, cache): (usize, &Asked)| {
        let facts = Facts::find(&subject, &cache.lines);
        let axes = elsewhere.axes(index)?;
        Ok(Explained {
            cache: cache.clone(),
            thresholds: facts.thresholds().cloned().collect(),
            sentences: prose.sentences(cache, &facts, &axes),
            axes,
        })
    };
    Ok(Explanation {
        header: Header::of_prediction(model, prediction),
        miss_model,
        estimated: prediction.estimated(),
        caches: caches.iter().enumerate().map(explained).collect::<Result<_, CliError>>()?,
    })
}
