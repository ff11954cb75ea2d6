//! The order in which the threads of a parallel loop run.

use std::str::FromStr;

use symloc_cache::splitmix;

/// The order in which the threads of a parallel loop run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interleave {
    /// The first iteration of each thread, as a whole, in the order of threads; then the second of each.
    #[default]
    Lockstep,
    /// At each step one of the threads that have accesses left, each as likely as any other, runs its next access; the numbers
    /// depend on a seed.
    Random(u64),
    /// All iterations of thread 0, then all of thread 1.
    After,
}

impl FromStr for Interleave {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.strip_prefix("random:").map(str::parse)) {
            ("lockstep", _) => Ok(Self::Lockstep),
            ("after", _) => Ok(Self::After),
            (_, Some(Ok(seed))) => Ok(Self::Random(seed)),
            _ => Err("expected lockstep, after, or random: and a number, such as random:1".to_owned()),
        }
    }
}

/// The threads that have accesses left, in no order.
pub(crate) struct Drawing<'s> {
    /// The state of the generator of random numbers.
    state: &'s mut u64,
    left: Vec<usize>,
}

impl<'s> Drawing<'s> {
    pub(crate) fn new(state: &'s mut u64, left: Vec<usize>) -> Self {
        Self { state, left }
    }

    /// Draws one of the threads; `None` if there is none.
    pub(crate) fn draw(&mut self) -> Option<usize> {
        let count = self.left.len() as u64;
        (count > 0).then(|| self.left[splitmix::below(self.state, count) as usize])
    }

    /// Removes a thread that has no access left.
    pub(crate) fn remove(&mut self, thread: usize) {
        self.left.retain(|other| *other != thread);
    }
}

/// Returns the order in which threads run their iterations, as threads and numbers of iterations, unless that is decided access by
/// access; `counts` has the number of iterations of each thread.
pub(crate) fn order(interleave: Interleave, counts: &[u64]) -> Option<Box<dyn Iterator<Item = (usize, u64)> + '_>> {
    match interleave {
        Interleave::Lockstep => {
            let most = counts.iter().copied().max().unwrap_or(0);
            let at = move |number| (0..counts.len()).filter(move |t| number < counts[*t]).map(move |t| (t, number));
            Some(Box::new((0..most).flat_map(at)))
        }
        Interleave::After => {
            let of = |(thread, count): (usize, &u64)| (0..*count).map(move |number| (thread, number));
            Some(Box::new(counts.iter().enumerate().flat_map(of)))
        }
        Interleave::Random(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_have_every_iteration_once() {
        let order = |interleave| order(interleave, &[3, 0, 2]).map(Iterator::collect::<Vec<_>>);
        assert_eq!(order(Interleave::Lockstep), Some(vec![(0, 0), (2, 0), (0, 1), (2, 1), (0, 2)]));
        assert_eq!(order(Interleave::After), Some(vec![(0, 0), (0, 1), (0, 2), (2, 0), (2, 1)]));
        assert_eq!(order(Interleave::Random(1)), None);
    }

    #[test]
    fn draws_end_with_the_threads() {
        let mut state = 5;
        let mut drawing = Drawing::new(&mut state, vec![0, 2, 3]);
        let draws: Vec<_> = (0..300).filter_map(|_| drawing.draw()).collect();
        assert!([0, 2, 3].iter().all(|thread| draws.iter().filter(|draw| *draw == thread).count() > 70));
        drawing.remove(2);
        assert!((0..100).all(|_| drawing.draw().is_some_and(|thread| thread != 2)));
        drawing.remove(0);
        drawing.remove(3);
        assert_eq!(drawing.draw(), None);
    }

    #[test]
    fn orders_have_names() {
        let parse = |text: &str| text.parse::<Interleave>().ok();
        assert_eq!(parse("lockstep"), Some(Interleave::Lockstep));
        assert_eq!(parse("after"), Some(Interleave::After));
        assert_eq!(parse("random:17"), Some(Interleave::Random(17)));
        assert!(["random", "random:", "random:x", "random:-1", "before", ""].iter().all(|text| parse(text).is_none()));
    }
}
