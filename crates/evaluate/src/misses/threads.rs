//! The misses of several threads together, each in caches of its own.

use symloc_quasi::Int;

use super::coherence::InvalidatedReuses;
use super::curve::{MissCurve, Misses};
use super::prediction::Prediction;
use crate::error::EvalError;

/// One of several threads at a size, by itself.
#[derive(Debug)]
pub struct OneThread {
    /// The prediction of its accesses.
    pub prediction: Prediction,
    /// The reuses of lines that another thread has written since, where they are known.
    pub invalidated: Option<InvalidatedReuses>,
    /// By array, the lines that it is the first to touch of those that are falsely shared, where they are known.
    pub falsely_shared: Option<Vec<Int>>,
}

/// The misses of some threads in a cache of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadSum {
    /// Those of all of them, each by itself.
    pub misses: Misses,
    /// Those of each, by its number.
    pub by_thread: Vec<Int>,
    /// The further misses of all of them, on lines that another thread has written since, where they are known.
    pub coherence: Option<Int>,
}

impl ThreadSum {
    /// Adds up the misses of threads in a cache of `blocks` blocks, in which a thread by itself misses as `alone` says.
    ///
    /// # Errors
    ///
    /// Those of `alone` and of [`InvalidatedReuses::misses`].
    pub fn new(
        threads: &[OneThread],
        blocks: &Int,
        alone: impl Fn(&Prediction) -> Result<Misses, EvalError>,
    ) -> Result<Self, EvalError> {
        let mut misses = Misses { cold: Int::ZERO, reuse: Int::ZERO };
        let (mut by_thread, mut coherence) = (Vec::new(), Some(Int::ZERO));
        for OneThread { prediction, invalidated, .. } in threads {
            let own = alone(prediction)?;
            by_thread.push(own.total());
            misses.cold += &own.cold;
            misses.reuse += &own.reuse;
            let more = invalidated.as_ref().map(|reuses| reuses.misses(prediction, blocks)).transpose()?;
            coherence = coherence.zip(more).map(|(sum, more)| &sum + &more);
        }
        Ok(Self { misses, by_thread, coherence })
    }
}

impl OneThread {
    /// Returns, by array, the number of lines that all these threads share falsely; `None` where it is not known.
    pub fn falsely_shared_by(threads: &[Self]) -> Option<Vec<Int>> {
        let of_threads: Option<Vec<&Vec<Int>>> = threads.iter().map(|thread| thread.falsely_shared.as_ref()).collect();
        let of_threads = of_threads?;
        let arrays = of_threads.first().map_or(0, |lines| lines.len());
        let sum = |array: usize| of_threads.iter().fold(Int::ZERO, |sum, lines| &sum + &lines[array]);
        Some((0..arrays).map(sum).collect())
    }
}

/// The misses of threads, each in a cache of its own, over the size of these caches.
#[derive(Clone, Debug)]
pub struct SummedCurves<'p> {
    predictions: Vec<&'p Prediction>,
    blocks: Int,
}

impl<'p> SummedCurves<'p> {
    /// Adds up the curves of some predictions.
    pub fn new(predictions: Vec<&'p Prediction>) -> Self {
        let blocks = predictions.iter().map(|prediction| prediction.blocks()).max().cloned().unwrap_or(Int::ZERO);
        Self { predictions, blocks }
    }
}

impl MissCurve for SummedCurves<'_> {
    fn misses(&self, blocks: &Int) -> Result<Misses, EvalError> {
        let mut sum = Misses { cold: Int::ZERO, reuse: Int::ZERO };
        for prediction in &self.predictions {
            let own = prediction.misses(blocks)?;
            sum.cold += &own.cold;
            sum.reuse += &own.reuse;
        }
        Ok(sum)
    }

    fn blocks(&self) -> &Int {
        &self.blocks
    }
}

#[cfg(test)]
mod tests {
    use symloc_model::{LineChoice, Model, NamedSizes};

    use super::*;
    use crate::{Detail, Evaluator, MissModel};

    #[test]
    fn threads_add_up() {
        let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/jacobi-1d-threads.loc.json"));
        let model = Model::parse(text).unwrap();
        let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
        let sizes: NamedSizes = [("n", 400), ("tsteps", 10)].into_iter().collect();
        let threads = evaluator.threads(MissModel::Lru, &sizes, 0..6, 6).unwrap();
        let predictions: Vec<_> = threads.iter().map(|thread| &thread.prediction).collect();
        let curve = SummedCurves::new(predictions.clone());
        let steps = |detail| curve.steps(detail).unwrap().collect::<Result<Vec<_>, _>>().unwrap();
        let (every, few) = (steps(Detail::Every), steps(Detail::Part(4)));
        assert!(every.len() > 2 && few.len() < every.len(), "{} {}", every.len(), few.len());
        for step in every.iter().chain(&few) {
            let sum = ThreadSum::new(&threads, &step.blocks, |prediction| prediction.misses(&step.blocks)).unwrap();
            assert_eq!((&sum.misses, sum.by_thread.len()), (&step.misses, 6));
            let total = |sum: Int, misses: &Int| &sum + misses;
            assert_eq!(sum.by_thread.iter().fold(Int::ZERO, total), step.misses.total());
        }
        // As `query --threads 6 --cache 8KiB` prints it.
        let sum = ThreadSum::new(&threads, &Int::from(128), |prediction| prediction.misses(&Int::from(128))).unwrap();
        assert_eq!(sum.by_thread, [18, 18, 20, 18, 18, 18].map(Int::from));
        assert_eq!(
            (sum.coherence, OneThread::falsely_shared_by(&threads)),
            (Some(Int::ZERO), Some([50, 50].map(Int::from).to_vec()))
        );
        assert_eq!(every.last().unwrap().misses.total(), Int::from(110));
    }

    /// Threads that are prepared together share what is the same on them. The others must not have an effect on a thread.
    #[test]
    fn threads_share_only_what_is_the_same() {
        let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/jacobi-1d-threads.loc.json"));
        let model = Model::parse(text).unwrap();
        let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
        for n in [67, 400, 1000, 1003] {
            let sizes: NamedSizes = [("n", n), ("tsteps", 10)].into_iter().collect();
            for miss_model in [MissModel::Lru, MissModel::Denning] {
                let threads = |numbers| evaluator.threads(miss_model, &sizes, numbers, 18).unwrap();
                let misses = |threads: &[OneThread]| {
                    let at = |blocks: i64| {
                        let alone = |prediction: &Prediction| prediction.misses(&blocks.into());
                        ThreadSum::new(threads, &blocks.into(), alone).unwrap()
                    };
                    [1, 2, 3, 5, 8, 13, 21, 128].map(at)
                };
                let (together, rest) = (threads(0..18), threads(7..18));
                for (number, thread) in together.iter().enumerate() {
                    let number = number as u64;
                    let alone = misses(&threads(number..number + 1));
                    let case = format!("n = {n}, thread {number}, {miss_model:?}");
                    assert_eq!(misses(std::slice::from_ref(thread)), alone, "{case}");
                    if let Some(index) = number.checked_sub(7) {
                        assert_eq!(misses(&rest[index as usize..=index as usize]), alone, "{case}");
                    }
                    // With all sizes given, each formula is evaluated as it is written.
                    let at = model.on_thread(&sizes, number, 18).unwrap();
                    let (whole, invalidated) =
                        (evaluator.predict(miss_model, &at), evaluator.invalidated(miss_model, &at));
                    let (prediction, invalidated) = (whole.unwrap(), invalidated.unwrap());
                    let falsely_shared = evaluator.falsely_shared(&at).unwrap();
                    assert_eq!(misses(&[OneThread { prediction, invalidated, falsely_shared }]), alone, "{case}");
                }
            }
        }
    }
}
