//! `symloc.toml`: the kernels of a repository, and what must hold for each.
//!
//! - `text`: the keys as they are written,
//! - `reader`: their meaning; [`error`]: errors with places,
//! - [`fit`]: up to which size a cache holds a kernel.

use symloc_evaluate::Int;
use symloc_machine::Levels;
use symloc_query::options::grid::Grid;
use symloc_report::ratio::{MissGrowth, Ratio};

pub mod error;
pub mod fit;
mod reader;
mod text;

pub use error::ConfigError;
pub use fit::FitRule;
pub use reader::read;

/// A kernel that is checked.
#[derive(Clone, Debug)]
pub struct CheckedKernel {
    /// The name, by which a kernel is the same one in another revision.
    pub name: String,
    /// The line and column of the name in the file.
    pub place: (usize, usize),
    /// The program that it is derived from.
    pub source: KernelSource,
    /// The sizes, caches and threads of interest.
    pub question: KernelQuestion,
    /// The conditions that must hold.
    pub requirements: Requirements,
}

/// A program, and how it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelSource {
    /// The file, relative to the folder of the `symloc.toml`.
    pub file: String,
    /// The function, where there are several.
    pub function: Option<String>,
    /// Flags for the compiler.
    pub flags: Vec<String>,
    /// Options of `symloc derive`.
    pub options: Vec<String>,
}

/// The sizes, caches and threads for which a kernel is measured.
#[derive(Clone, Debug)]
pub struct KernelQuestion {
    /// Grids of sizes.
    pub sizes: Vec<Grid>,
    /// One hierarchy of caches.
    pub levels: Levels,
    /// The names of its levels: those of the machine, and caches as they are written.
    pub level_names: Vec<String>,
    /// The numbers of threads; none for the program on one thread.
    pub threads: Vec<u64>,
}

/// The conditions that must hold for a kernel; at least one.
#[derive(Clone, Debug)]
pub struct Requirements {
    /// Limits on misses, for every size.
    pub max_misses: Vec<LevelLimit<Int>>,
    /// Limits on miss ratios, for every size.
    pub max_ratio: Vec<LevelLimit<Ratio>>,
    /// The kernel must not miss more than this one does.
    pub baseline: Option<Baseline>,
    /// The share by which it may.
    pub tolerance: MissGrowth,
    /// The sizes that must fit a cache.
    pub fits: Vec<FitRule>,
}

/// A limit of one level, by its index, or of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelLimit<T> {
    /// The level; `None` for all.
    pub level: Option<usize>,
    /// The limit.
    pub limit: T,
}

impl<T> LevelLimit<T> {
    /// Returns true if the limit is about a level.
    pub fn is_about(&self, level: usize) -> bool {
        self.level.is_none_or(|limited| limited == level)
    }
}

/// The model that a kernel is compared with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Baseline {
    /// The accepted model in the folder `.symloc`.
    Committed,
    /// A model in a file, relative to the folder of the `symloc.toml`.
    File(String),
    /// The model of the kernel in a revision.
    Revision(String),
}
