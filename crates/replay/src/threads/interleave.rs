//! The order in which the threads of a parallel loop run their iterations.

use std::str::FromStr;

use symloc_cache::splitmix;

/// The order in which the threads of a parallel loop run their iterations, each of which is run as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interleave {
    /// The first iteration of each thread, in the order of threads, then the second of each.
    #[default]
    Lockstep,
    /// At each step one of the threads that have iterations left, each as likely as any other, runs its next one; the numbers depend
    /// on a seed.
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

/// A source of orders.
pub(crate) struct Interleaving {
    interleave: Interleave,
    /// The state of the generator of random numbers.
    state: u64,
}

impl Interleaving {
    pub(crate) fn new(interleave: Interleave) -> Self {
        let state = if let Interleave::Random(seed) = interleave { seed } else { 0 };
        Self { interleave, state }
    }

    /// Calls `run` with a thread and the number of one of its iterations, for all iterations; `counts` has one number for each
    /// thread.
    pub(crate) fn each<E>(
        &mut self,
        counts: &[u64],
        mut run: impl FnMut(usize, u64) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.interleave {
            Interleave::Lockstep => (0..counts.iter().copied().max().unwrap_or(0)).try_for_each(|number| {
                let mut threads = (0..counts.len()).filter(|thread| number < counts[*thread]);
                threads.try_for_each(|thread| run(thread, number))
            }),
            Interleave::After => {
                let mut threads = counts.iter().enumerate();
                threads.try_for_each(|(thread, count)| (0..*count).try_for_each(|number| run(thread, number)))
            }
            Interleave::Random(_) => self.at_random(counts, run),
        }
    }

    fn at_random<E>(&mut self, counts: &[u64], mut run: impl FnMut(usize, u64) -> Result<(), E>) -> Result<(), E> {
        let mut done = vec![0; counts.len()];
        let mut left: Vec<usize> = (0..counts.len()).filter(|thread| counts[*thread] > 0).collect();
        while !left.is_empty() {
            let at = splitmix::below(&mut self.state, left.len() as u64) as usize;
            let thread = left[at];
            run(thread, done[thread])?;
            done[thread] += 1;
            if done[thread] == counts[thread] {
                left.swap_remove(at);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(interleave: Interleave, counts: &[u64]) -> Vec<(usize, u64)> {
        let mut order = Vec::new();
        let run = |thread, number| {
            order.push((thread, number));
            Ok::<_, ()>(())
        };
        assert_eq!(Interleaving::new(interleave).each(counts, run), Ok(()));
        order
    }

    #[test]
    fn orders_have_every_iteration_once() {
        let counts = [3, 0, 2];
        assert_eq!(order(Interleave::Lockstep, &counts), [(0, 0), (2, 0), (0, 1), (2, 1), (0, 2)]);
        assert_eq!(order(Interleave::After, &counts), [(0, 0), (0, 1), (0, 2), (2, 0), (2, 1)]);
        let orders: Vec<_> = (0..20).map(|seed| order(Interleave::Random(seed), &counts)).collect();
        for random in &orders {
            let of =
                |wanted| random.iter().filter(|(thread, _)| *thread == wanted).map(|(_, number)| *number).collect();
            let by_thread: Vec<Vec<u64>> = (0..3).map(of).collect();
            assert_eq!(by_thread, [vec![0, 1, 2], vec![], vec![0, 1]]);
        }
        assert!(orders.iter().any(|random| *random != orders[0]));
        assert_eq!(orders[7], order(Interleave::Random(7), &counts));
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
