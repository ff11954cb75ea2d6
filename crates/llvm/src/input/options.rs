//! The options of a request.

use num_rational::Ratio;

use crate::input::clang::Circumstances;
use crate::memory::registers::Registers;

/// The options of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The function to analyse (`--function`); `None`: the only candidate.
    pub function: Option<String>,
    /// Parameters to rename, old and new name (`--name OLD=NEW`), simultaneously.
    pub renames: Vec<(String, String)>,
    /// First and last line of the region to analyse (`--loops`); `None`: `#pragma scop`, or the whole function.
    pub lines: Option<(u32, u32)>,
    /// Functions without a body that are assumed to touch no array (`--ignore-calls`); `all` stands for every one.
    pub ignored_calls: Vec<String>,
    /// The names of the parameters that loops may go in steps of (`--tile`).
    pub tiles: Vec<String>,
    /// Leave out nests that cannot be read (`--skip-refused`).
    pub skip_refused: bool,
    /// The conditions on the sizes (`--assume`), for proofs; the caller adds them to the program.
    pub assume: Option<String>,
    /// The share of iterations in which the conditions on data on a line hold (`--branch`), from 0 to 1.
    pub branches: Vec<(u32, Ratio<i64>)>,
    /// What becomes of conditions on data that `branches` does not name.
    pub data_branches: DataBranches,
    /// The values that are in registers.
    pub registers: Registers,
    /// True if pointers are known not to overlap (`--assume-noalias`): then no note says so.
    pub assume_noalias: bool,
    /// How the module was made.
    pub circumstances: Circumstances,
}

/// What becomes of accesses under a condition on data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DataBranches {
    /// They are refused, since the trace depends on data.
    #[default]
    Refused,
    /// Both sides are taken to run, one after the other (`--both-sides`): the program has every access that may happen.
    BothSides,
}
