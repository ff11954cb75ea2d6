//! The misses of a program's threads, and what comes of lines that they share.

use std::io::{self, Write};

use symloc_evaluate::Int;

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
