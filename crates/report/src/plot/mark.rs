//! Marked cache sizes: `32KiB`, or `L1=48KiB` with a name.

use std::fmt;
use std::str::FromStr;

use symloc_machine::{Capacity, MachineLevel};

use super::{PictureError, Unit};

/// A cache size that a picture marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeMark {
    /// The name of the level.
    pub name: Option<String>,
    /// The size of the cache.
    pub capacity: Capacity,
}

impl FromStr for SizeMark {
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

impl From<MachineLevel> for SizeMark {
    fn from(level: MachineLevel) -> Self {
        Self { name: Some(level.name), capacity: Capacity::Bytes(level.bytes) }
    }
}

impl SizeMark {
    /// Returns the size in the unit of an axis.
    ///
    /// # Errors
    ///
    /// [`PictureError::MarkInLines`] or [`PictureError::MarkInBytes`] if the axis has the other unit.
    pub fn size(&self, unit: Unit) -> Result<u64, PictureError> {
        match (self.capacity, unit) {
            (Capacity::Bytes(size), Unit::Bytes) | (Capacity::Lines(size), Unit::Lines) => Ok(size),
            (Capacity::Lines(_), Unit::Bytes) => Err(PictureError::MarkInLines),
            (Capacity::Bytes(_), Unit::Lines) => Err(PictureError::MarkInBytes),
        }
    }
}

impl fmt::Display for SizeMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name} {}", self.capacity),
            None => write!(f, "{}", self.capacity),
        }
    }
}
