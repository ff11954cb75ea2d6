//! The misses of a program's threads, and what comes of lines that they share.

use std::io::{self, Write};

use serde::Serialize;
use symloc_evaluate::Int;

use crate::formats::json::{self, Number};

/// The misses of threads in caches of their own, or in one that they share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadMisses {
    /// Those of each thread by itself, by its number; their sum is the misses of the level.
    pub by_thread: Vec<Int>,
    /// The further misses of all threads, on lines that another thread has written since, where they are known.
    pub coherence: Option<Int>,
    /// The further misses of all threads by false sharing, in a simulation of one interleaving.
    pub false_sharing: Option<Int>,
    /// The messages between the threads' caches up to this one, in a simulation of one interleaving.
    pub messages: Option<CoherenceMessages>,
    /// True if it is one cache that all threads share.
    pub shared: bool,
    /// The interval of the misses of a shared cache, over several orders in which the threads may run.
    pub orders: Option<(Int, Int)>,
    /// The accesses of a shared cache's threads in parallel loops, where they are known.
    pub work: Option<ParallelAccesses>,
}

/// The numbers of accesses in parallel loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParallelAccesses {
    /// All of them.
    pub all: Int,
    /// Those of the thread with the most, summed over all phases.
    pub busiest: Int,
}

/// The numbers of messages that keep the caches of threads coherent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoherenceMessages {
    /// Those of writes to lines that other threads may have as well.
    pub upgrades: Int,
    /// Those that make a line of another thread invalid.
    pub invalidations: Int,
    /// Those that take a written line from another thread's caches.
    pub transfers: Int,
}

impl ThreadMisses {
    /// Returns the fewest and the most misses of a thread, as text.
    pub(crate) fn least_and_most(&self) -> [String; 2] {
        let text = |misses: Option<&Int>| misses.map_or_else(String::new, Int::to_string);
        [text(self.by_thread.iter().min()), text(self.by_thread.iter().max())]
    }

    /// Returns the coherence misses as text, empty if they are not known.
    pub(crate) fn coherence(&self) -> String {
        self.coherence.as_ref().map_or_else(String::new, Int::to_string)
    }

    /// Returns the accesses of the busiest thread between barriers over the mean of all threads, at least 1, where they are known.
    fn imbalance(&self) -> Option<f64> {
        let ParallelAccesses { all, busiest } = self.work.as_ref()?;
        let threads = self.by_thread.len() as f64;
        Some(if all.is_zero() { 1.0 } else { busiest.ratio(all) * threads })
    }

    /// Returns the interval over several orders as text, empty if there is none.
    pub(crate) fn orders(&self) -> String {
        self.orders.as_ref().map_or_else(String::new, |(low, high)| format!("{low}–{high}"))
    }

    /// Returns the misses by false sharing as text, empty if they are not known.
    pub(crate) fn false_sharing(&self) -> String {
        self.false_sharing.as_ref().map_or_else(String::new, Int::to_string)
    }

    /// Writes the notes below a table with misses of threads.
    pub(crate) fn write_notes<'a>(
        of_threads: impl Iterator<Item = &'a ThreadMisses> + Clone,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        writeln!(out, "\n{OF_THREADS}")?;
        if of_threads.clone().any(|threads| threads.false_sharing.is_some()) {
            writeln!(
                out,
                "false sharing: further misses as these threads interleave, on lines of which others write other parts"
            )?;
        }
        if of_threads.clone().any(|threads| threads.shared) {
            writeln!(out, "caches without coherence misses are shared by all threads")?;
        }
        if of_threads.clone().any(|threads| threads.coherence.is_none() && !threads.shared) {
            writeln!(out, "coherence misses are not known here")?;
        }
        if of_threads.clone().any(|threads| threads.orders.is_some()) {
            writeln!(out, "{OVER_ORDERS}")?;
        }
        let uneven = of_threads.clone().filter_map(ThreadMisses::imbalance).fold(0.0, f64::max);
        if uneven >= UNEVEN {
            writeln!(
                out,
                "threads wait: between barriers the busiest one makes {uneven:.2} times the mean number of accesses{WAIT}"
            )?;
        }
        for CoherenceMessages { upgrades, invalidations, transfers } in of_threads.filter_map(|t| t.messages.as_ref()) {
            writeln!(
                out,
                "{upgrades} upgrades, {invalidations} invalidations, {transfers} transfers of written lines"
            )?;
        }
        Ok(())
    }
}

/// Explains the columns of misses by thread.
const OF_THREADS: &str = "misses are those of all threads, each in caches of its own; least and most: of one thread; \
                          coherence: further misses, on lines that another thread has written since";

/// The smallest imbalance that is worth a word.
const UNEVEN: f64 = 1.25;
/// The consequence of an imbalance.
const WAIT: &str =
    ", so the misses of shared caches depend on when each one is done, and these orders may not hold them";

/// Explains the column of intervals over several orders.
const OVER_ORDERS: &str = "over orders: holds lockstep, one thread after the other, and threads that interleave at random 95 times in \
                           100; the misses are those of a random order";

/// The fields of threads in the answer about a level.
#[derive(Serialize)]
pub(crate) struct ThreadCounts<'a> {
    misses_by_thread: Vec<Number<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coherence_misses: Option<Number<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    false_sharing_misses: Option<Number<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upgrades: Option<Number<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    invalidations: Option<Number<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transfers: Option<Number<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shared: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    orders_low: Option<Number<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    orders_high: Option<Number<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    imbalance: Option<f64>,
}

impl<'a> ThreadCounts<'a> {
    pub(crate) fn new(threads: &'a ThreadMisses) -> Self {
        let message = |of: fn(&CoherenceMessages) -> &Int| threads.messages.as_ref().map(of).map(Number);
        let (orders_low, orders_high) = json::ends(threads.orders.as_ref());
        Self {
            misses_by_thread: threads.by_thread.iter().map(Number).collect(),
            coherence_misses: threads.coherence.as_ref().map(Number),
            false_sharing_misses: threads.false_sharing.as_ref().map(Number),
            upgrades: message(|messages| &messages.upgrades),
            invalidations: message(|messages| &messages.invalidations),
            transfers: message(|messages| &messages.transfers),
            shared: threads.shared.then_some(true),
            orders_low,
            orders_high,
            imbalance: threads.imbalance(),
        }
    }
}
