//! Misses of some caches, at one size or at many.

use std::io::{self, Write};

use serde::Serialize;
use symloc_evaluate::{Int, Misses};
use symloc_machine::Capacity;
use symloc_model::Assumption;

use crate::MissModel;
use crate::answers::Answer;
use crate::answers::counted::{SAMPLED, UNDECIDED};
use crate::answers::estimate;
use crate::answers::thread_misses::ThreadCounts;
pub use crate::answers::thread_misses::{CoherenceMessages, ParallelAccesses, ThreadMisses};
use crate::formats::text::{Columns, ratio};
use crate::formats::{csv, json, text};
use crate::{AnswerHeader, Counted};

/// One cache and its misses.
#[derive(Clone, Debug)]
pub struct CacheMisses {
    /// The name that its machine gives it.
    pub name: Option<String>,
    /// As the user gave it.
    pub capacity: Capacity,
    /// The number of lines it holds.
    pub lines: u64,
    /// Its associativity; equal to `lines` if it is fully associative.
    pub ways: u64,
    /// The misses.
    pub misses: Misses,
    /// The number of written lines that were evicted, where it is known.
    pub write_backs: Option<Counted>,
    /// The interval that holds sampled misses 95 times in 100.
    pub interval: Option<(Int, Int)>,
    /// The misses by thread, for a program on several threads, each with a cache of its own.
    pub threads: Option<ThreadMisses>,
    /// The misses that no order of the same operations goes below, if that was asked for.
    pub bound: Option<Int>,
}

impl CacheMisses {
    /// Returns its name, its size and the number of accesses that miss.
    pub fn summary(&self) -> (Option<&str>, Capacity, Int) {
        (self.name.as_deref(), self.capacity, self.misses.total())
    }

    /// Returns the number of misses, with the coherence misses of threads in caches of their own.
    pub fn with_coherence(&self) -> Int {
        let coherence = self.threads.as_ref().and_then(|threads| threads.coherence.as_ref());
        coherence.into_iter().fold(self.misses.total(), |sum, more| &sum + more)
    }

    /// Returns the number of misses, with its interval.
    pub(crate) fn counted(&self) -> Counted {
        Counted::new(self.misses.total(), self.interval.clone())
    }

    /// Returns true if it is set-associative.
    fn is_in_sets(&self) -> bool {
        self.ways != self.lines
    }

    /// Returns the number of bytes it holds, if its lines have a size.
    pub fn bytes(&self, line_bytes: Option<u64>) -> Option<u64> {
        match self.capacity {
            Capacity::Bytes(bytes) => Some(bytes),
            Capacity::Lines(lines) => line_bytes.and_then(|line| lines.checked_mul(line)),
        }
    }
}

/// The source of misses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissSource {
    /// The prediction of a model.
    Predicted(MissModel),
    /// A simulation of the caches.
    Simulated,
    /// A simulation of pieces of the run.
    Sampled,
}

impl From<MissModel> for MissSource {
    fn from(miss_model: MissModel) -> Self {
        MissSource::Predicted(miss_model)
    }
}

impl MissSource {
    pub(crate) fn name(self) -> &'static str {
        match self {
            MissSource::Predicted(miss_model) => miss_model.name(),
            MissSource::Simulated => "simulation",
            MissSource::Sampled => "sampled",
        }
    }

    /// Returns the basis of the estimate for set-associative caches; `None` if their misses are not estimated.
    fn of_sets(self) -> Option<&'static str> {
        match self {
            MissSource::Predicted(MissModel::Denning) => Some("the working sets of reuse intervals"),
            MissSource::Predicted(MissModel::Lru) => Some("reuse distances"),
            MissSource::Simulated | MissSource::Sampled => None,
        }
    }
}

/// The misses of some levels at one size: `symloc.query/1`.
#[derive(Clone, Debug)]
pub struct LevelMisses {
    /// The header of the answer.
    pub header: AnswerHeader,
    /// The source of the misses.
    pub source: MissSource,
    /// The number of reuses that are estimated because the model holds no distance for them.
    pub estimated: Int,
    /// The number of lines that several threads touch in one phase and one of them writes, by array, over all phases;
    /// `None` where it is not known, and of one thread.
    pub falsely_shared: Option<Vec<(String, Int)>>,
    /// The levels, from the core outwards.
    pub levels: Vec<CacheMisses>,
}

impl LevelMisses {
    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        self.levels.iter().find_map(|level| level.threads.as_ref()).map_or(1, |threads| threads.by_thread.len())
    }

    fn is_threaded(&self) -> bool {
        self.levels.iter().any(|level| level.threads.is_some())
    }

    fn has_orders(&self) -> bool {
        self.levels.iter().flat_map(|level| &level.threads).any(|threads| threads.orders.is_some())
    }

    /// Returns the levels, each with its name or else its number.
    pub(crate) fn named(&self) -> impl Iterator<Item = (String, &CacheMisses)> {
        let named = (1..).zip(&self.levels);
        named.map(|(number, level)| (level.name.clone().unwrap_or_else(|| number.to_string()), level))
    }
}

impl Answer for LevelMisses {
    fn json(&self) -> impl Serialize {
        let Self { header, source, estimated, falsely_shared, levels } = self;
        let level = |level| CacheMissesAnswer::new(header, level, *source);
        LevelsAnswer {
            schema: "symloc.query/1",
            parameters: &header.parameters,
            model: source.name(),
            accesses: &header.accesses,
            first_touches: &header.blocks,
            threads: levels.iter().find_map(|level| level.threads.as_ref()).map(|threads| threads.by_thread.len()),
            falsely_shared_lines: falsely_shared.as_deref().map(json::NamedCounts),
            estimated: (!estimated.is_zero()).then_some(json::Number(estimated)),
            assumptions: &header.assumptions,
            levels: levels.iter().map(level).collect(),
        }
    }

    fn head(&self) -> Vec<String> {
        let level = [
            "level",
            "bytes",
            "lines",
            "ways",
            "line_bytes",
            "accesses",
            "misses",
            "cold",
            "reuse",
            "miss_ratio",
            "low",
            "high",
            "write_backs",
            "write_backs_low",
            "write_backs_high",
        ];
        let threads = if self.is_threaded() { &["threads", "least", "most", "coherence"][..] } else { &[] };
        let orders = if self.has_orders() { &["orders_low", "orders_high"][..] } else { &[] };
        let bound = self.levels.iter().find_map(|level| level.bound.as_ref()).map(|_| "bound");
        let parameters = self.header.parameters.iter().map(|(name, _)| name.clone());
        parameters
            .chain(level.iter().chain(threads).chain(orders).chain(&bound).map(|name| (*name).to_owned()))
            .collect()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let AnswerHeader { parameters, line_bytes, accesses, .. } = &self.header;
        let row = |(name, level): (String, &CacheMisses)| {
            let Misses { cold, reuse } = &level.misses;
            let total = level.misses.total();
            let cells = [
                name,
                csv::optional(level.bytes(*line_bytes)),
                level.lines.to_string(),
                level.ways.to_string(),
                csv::optional(*line_bytes),
                accesses.to_string(),
                total.to_string(),
                cold.to_string(),
                reuse.to_string(),
                csv::ratio(total.ratio(accesses)),
            ];
            let (interval, write_backs) =
                (csv::ends(level.interval.as_ref()), Counted::csv(level.write_backs.as_ref()));
            parameters
                .iter()
                .map(|(_, value)| value.to_string())
                .chain(cells)
                .chain(interval)
                .chain(write_backs)
                .chain(level.threads.iter().flat_map(|threads| {
                    let [least, most] = threads.least_and_most();
                    let orders = self.has_orders().then(|| csv::ends(threads.orders.as_ref()));
                    let counts = [threads.by_thread.len().to_string(), least, most, threads.coherence()];
                    counts.into_iter().chain(orders.into_iter().flatten())
                }))
                .chain(level.bound.as_ref().map(ToString::to_string))
                .collect()
        };
        self.named().map(row).collect()
    }

    fn write_text(answers: &[Self], out: &mut dyn Write) -> io::Result<()> {
        let varying = AnswerHeader::write_common(answers.iter().map(|answer| &answer.header), out)?;
        writeln!(out)?;
        // The names of levels matter if there are any, or if the levels are repeated for several sizes.
        let several = answers.len() > 1 && answers.iter().any(|answer| answer.levels.len() > 1);
        let names = several || answers.iter().flat_map(|answer| &answer.levels).any(|level| level.name.is_some());
        let accesses = !varying.is_empty();
        let mut head: Vec<&str> = varying.iter().map(String::as_str).collect();
        let counts = answers.windows(2).any(|pair| pair[0].threads() != pair[1].threads());
        head.extend(counts.then_some("threads"));
        head.extend(names.then_some("level"));
        head.extend(["cache", "lines", "ways"]);
        head.extend(accesses.then_some("accesses"));
        head.extend(["misses", "cold", "reuse", "miss ratio"]);
        let sampled = answers.iter().flat_map(|answer| &answer.levels).any(|level| level.interval.is_some());
        head.extend(sampled.then_some("±"));
        let write_backs = answers.iter().flat_map(|answer| &answer.levels).any(|level| level.write_backs.is_some());
        if write_backs {
            head.push("written back");
            head.extend(sampled.then_some("±"));
        }
        let threads = answers.iter().any(LevelMisses::is_threaded);
        let of_threads = || answers.iter().flat_map(|answer| &answer.levels).filter_map(|level| level.threads.as_ref());
        let false_sharing = of_threads().any(|threads| threads.false_sharing.is_some());
        let orders = answers.iter().any(LevelMisses::has_orders);
        if threads {
            head.extend(["least", "most", "coherence"]);
            head.extend(false_sharing.then_some("false sharing"));
            head.extend(orders.then_some("over orders"));
        }
        let bounded = answers.iter().flat_map(|answer| &answer.levels).any(|level| level.bound.is_some());
        head.extend(bounded.then_some(["bound", "misses / bound"]).into_iter().flatten());
        let mut table = Columns::new(&head, 0);
        for answer in answers {
            for (name, level) in answer.named() {
                let total = level.misses.total();
                let mut row = answer.header.values(&varying);
                row.extend(counts.then(|| answer.threads().to_string()));
                row.extend(names.then_some(name));
                row.extend([level.capacity.to_string(), level.lines.to_string(), text::ways(level.ways, level.lines)]);
                row.extend(accesses.then(|| answer.header.accesses.to_string()));
                row.extend([total.to_string(), level.misses.cold.to_string(), level.misses.reuse.to_string()]);
                row.push(ratio(total.ratio(&answer.header.accesses)));
                row.extend(sampled.then(|| level.counted().error(&answer.header.accesses, ratio)));
                let written = write_backs.then(|| Counted::cells(level.write_backs.as_ref(), sampled));
                row.extend(written.into_iter().flatten());
                if let Some(threads) = &level.threads {
                    row.extend(threads.least_and_most());
                    row.push(threads.coherence());
                    row.extend(false_sharing.then(|| threads.false_sharing()));
                    row.extend(orders.then(|| threads.orders()));
                }
                row.extend(level.bound.iter().flat_map(|bound| [bound.to_string(), text::times(&total, bound)]));
                table.push(row);
            }
        }
        table.write(out)?;
        if threads {
            ThreadMisses::write_notes(of_threads(), out)?;
        }
        if let [LevelMisses { falsely_shared: Some(lines), .. }] = answers {
            write_falsely_shared(lines, out)?;
        }
        write_note_on_sets(answers, out)?;
        if sampled {
            writeln!(out, "\n{SAMPLED}")?;
            let mut written =
                answers.iter().flat_map(|answer| &answer.levels).filter_map(|level| level.write_backs.as_ref());
            if written.any(|written| written.undecided) {
                writeln!(out, "{UNDECIDED}")?;
            }
        }
        match answers {
            [answer] => estimate::write_note(out, &answer.estimated),
            // For several sizes, only the other formats state the number of estimated reuses.
            _ => Ok(()),
        }
    }
}

/// Writes how many lines are falsely shared, of which arrays.
fn write_falsely_shared(lines: &[(String, Int)], out: &mut dyn Write) -> io::Result<()> {
    let of: Vec<String> = lines.iter().map(|(array, count)| format!("{count} of {array}")).collect();
    let of = if of.is_empty() { "none".to_owned() } else { of.join(", ") };
    writeln!(out, "lines that several threads use between two barriers and one of them writes: {of}")
}

/// Writes a note that the misses of set-associative caches are estimates, and of which kind, if there are such caches.
pub(crate) fn write_note_on_sets<'a>(
    answers: impl IntoIterator<Item = &'a LevelMisses>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let in_sets = |answer: &&LevelMisses| answer.levels.iter().any(CacheMisses::is_in_sets);
    match answers.into_iter().find(in_sets).and_then(|answer| answer.source.of_sets()) {
        Some(over) => writeln!(out, "\nestimate: the misses of caches with ways are Smith's, over {over}"),
        None => Ok(()),
    }
}

#[derive(Serialize)]
struct LevelsAnswer<'a> {
    schema: &'static str,
    #[serde(serialize_with = "json::parameters")]
    parameters: &'a [(String, i128)],
    model: &'static str,
    #[serde(serialize_with = "json::int")]
    accesses: &'a Int,
    #[serde(serialize_with = "json::int")]
    first_touches: &'a Int,
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    falsely_shared_lines: Option<json::NamedCounts<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated: Option<json::Number<'a>>,
    #[serde(skip_serializing_if = "<[Assumption]>::is_empty")]
    assumptions: &'a [Assumption],
    levels: Vec<CacheMissesAnswer<'a>>,
}

/// A level in an answer.
#[derive(Serialize)]
pub(crate) struct CacheMissesAnswer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    bytes: Option<u64>,
    ways: u64,
    line_bytes: Option<u64>,
    #[serde(serialize_with = "json::int")]
    misses: Int,
    #[serde(flatten)]
    threads: Option<ThreadCounts<'a>>,
    miss_ratio: f64,
    #[serde(flatten)]
    sampled: json::Sampled<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    write_backs: Option<json::Number<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    write_backs_low: Option<json::Number<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    write_backs_high: Option<json::Number<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<json::Number<'a>>,
}

impl<'a> CacheMissesAnswer<'a> {
    pub(crate) fn new(header: &AnswerHeader, level: &'a CacheMisses, source: MissSource) -> Self {
        let misses = level.misses.total();
        let write_backs = level.write_backs.as_ref();
        let (write_backs_low, write_backs_high) = json::ends(write_backs.and_then(|written| written.interval.as_ref()));
        Self {
            name: level.name.as_deref(),
            bytes: level.bytes(header.line_bytes),
            ways: level.ways,
            line_bytes: header.line_bytes,
            miss_ratio: misses.ratio(&header.accesses),
            misses,
            threads: level.threads.as_ref().map(ThreadCounts::new),
            sampled: json::Sampled::new(level.interval.as_ref()),
            write_backs: write_backs.map(|written| json::Number(&written.value)),
            write_backs_low,
            write_backs_high,
            estimate: source.of_sets().filter(|_| level.is_in_sets()).map(|_| "smith"),
            bound: level.bound.as_ref().map(json::Number),
        }
    }
}
