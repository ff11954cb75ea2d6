//! Marked cache sizes: `32KiB`, or `L1=48KiB` with a name.

use std::fmt;
use std::str::FromStr;

use super::Unit;
use crate::error::CliError;
use symloc_machine::Capacity;
use symloc_machine::MachineLevel;

/// A cache size that a picture marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The name of the level.
    pub name: Option<String>,
    /// How much it holds.
    pub capacity: Capacity,
}

impl FromStr for Mark {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, capacity) = match text.split_once('=') {
            Some((name, capacity)) => (Some(name.trim().to_owned()), capacity.trim()),
            None => (None, text.trim()),
        };
        match capacity.parse()? {
            Capacity::Bytes(0) | Capacity::Lines(0) => Err("a cache of nothing cannot be marked".to_owned()),
            capacity => Ok(Self { name, capacity }),
        }
    }
}

impl From<MachineLevel> for Mark {
    fn from(level: MachineLevel) -> Self {
        Self { name: Some(level.name), capacity: Capacity::Bytes(level.bytes) }
    }
}

impl Mark {
    /// In the unit of an axis.
    pub fn size(&self, unit: Unit) -> Result<u64, CliError> {
        match (self.capacity, unit) {
            (Capacity::Bytes(size), Unit::Bytes) | (Capacity::Lines(size), Unit::Lines) => Ok(size),
            (Capacity::Lines(_), Unit::Bytes) => {
                Err(CliError::with_hint("the axis has bytes, not lines", "mark a size in bytes, as in `--mark 32KiB`"))
            }
            (Capacity::Bytes(_), Unit::Lines) => Err(CliError::with_hint(
                "the arrays of this model differ in their element size, so a size in bytes says nothing",
                "mark a number of elements, as in `--mark 512lines`",
            )),
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name} {}", self.capacity),
            None => write!(f, "{}", self.capacity),
        }
    }
}
