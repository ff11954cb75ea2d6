//! Machine descriptions: the levels of cache that the memory accesses of one core pass, its speed, and the bandwidths of the data.
//!
//! There are four sources, with one module each: this machine's kernel (`sysfs`), `lstopo` (`hwloc`), kerncraft's machine files
//! (`kerncraft`), and our own TOML (`description`). Only caches that hold data count; a cache that several cores share counts in full. No
//! source states the speed of this machine, so it is measured (`measure`).

mod description;
mod hwloc;
mod kerncraft;
mod measure;
mod speed;
mod sysfs;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::cache::Build;
pub use speed::{NoCommonBandwidth, SourceRate, Speed};

/// The folder in which Linux describes this machine's caches.
const SYSFS: &str = "/sys/devices/system/cpu/cpu0/cache";

/// A machine that the user names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Machine {
    /// The machine that the program runs on.
    This,
    /// The machine that a file describes.
    File(PathBuf),
}

/// A level of cache.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MachineLevel {
    /// `L1`, `L2`, …
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its associativity; `None` if it is fully associative or not known.
    pub ways: Option<u64>,
    /// Bytes per line, if known.
    pub line_bytes: Option<u64>,
    /// Its other properties.
    pub build: Build,
    /// The number of bytes a second that one core can read from it, if known.
    pub bandwidth: Option<u64>,
    /// The number of bytes a second that all cores that share it can read from it together, if known.
    pub all_cores: Option<u64>,
}

/// The content of a description.
#[derive(Debug, Default, PartialEq, Eq)]
struct Description {
    levels: Vec<MachineLevel>,
    /// The largest number of floating-point operations a second.
    peak: Option<u64>,
    /// The number of bytes a second that one core can read from memory.
    memory: Option<u64>,
    /// The number of bytes a second that all cores can read from memory together.
    memory_of_all: Option<u64>,
}

impl From<Vec<MachineLevel>> for Description {
    fn from(levels: Vec<MachineLevel>) -> Self {
        Self { levels, ..Self::default() }
    }
}

/// The reason why a description cannot be used.
#[derive(Debug, PartialEq, Eq)]
struct DescriptionProblem {
    /// Line and column, from 1, if the problem is at some place.
    place: Option<(u64, u64)>,
    message: String,
}

impl DescriptionProblem {
    fn new(message: impl Into<String>) -> Self {
        Self { place: None, message: message.into() }
    }

    fn at(line: u64, column: u64, message: impl Into<String>) -> Self {
        Self { place: Some((line, column)), message: message.into() }
    }

    fn in_file(self, path: &Path) -> DescriptionError {
        let Self { place, message } = self;
        DescriptionError { path: path.to_owned(), place, message }
    }
}

/// An error of a machine description: the problem, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescriptionError {
    path: PathBuf,
    place: Option<(u64, u64)>,
    message: String,
}

impl std::error::Error for DescriptionError {}

/// Formats the error as `machine.toml:2:8: error: …`.
impl fmt::Display for DescriptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some((line, column)) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": error: {}", self.message)
    }
}

impl FromStr for Machine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "this" {
            return Ok(Self::This);
        }
        let path = PathBuf::from(text);
        match reader(&path) {
            Some(_) => Ok(Self::File(path)),
            None => Err(format!(
                "`{text}` is neither `this` nor a description: .toml, kerncraft's .yml or .yaml, or lstopo's .xml"
            )),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::This => f.write_str("this machine"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

/// A parser of descriptions.
type DescriptionParser = fn(&str) -> Result<Description, DescriptionProblem>;

/// Returns the parser of a file, by the end of its name.
fn reader(path: &Path) -> Option<DescriptionParser> {
    match path.extension()?.to_str()? {
        "toml" => Some(description::read),
        "yml" | "yaml" => Some(kerncraft::read),
        "xml" => Some(hwloc::read),
        _ => None,
    }
}

impl Machine {
    /// Returns the levels of cache from the core outwards, at least one.
    ///
    /// # Errors
    ///
    /// [`DescriptionError`] if there is no description, if it cannot be read, or if it describes impossible caches.
    pub fn levels(&self) -> Result<Vec<MachineLevel>, DescriptionError> {
        Ok(self.description()?.levels)
    }

    /// Returns the levels of cache and the speed: as described or, for this machine, as measured now, which takes a second or two.
    ///
    /// # Errors
    ///
    /// Those of [`levels`](Self::levels), and [`DescriptionError`] if the description is incomplete.
    pub fn levels_and_speed(&self) -> Result<(Vec<MachineLevel>, Speed), DescriptionError> {
        let description = self.description()?;
        let speed = match self {
            Self::This => measure::speed(&description.levels),
            Self::File(path) => description.speed().map_err(|problem| problem.in_file(path))?,
        };
        Ok((description.levels, speed))
    }

    fn description(&self) -> Result<Description, DescriptionError> {
        let (path, description) = match self {
            Self::This => (Path::new(SYSFS), sysfs::read(Path::new(SYSFS)).map(Description::from)),
            Self::File(path) => (path.as_path(), read(path)),
        };
        let checked = description.and_then(|description| {
            check(&description.levels)?;
            Ok(description)
        });
        checked.map_err(|problem| problem.in_file(path))
    }
}

/// The name of the level behind the last cache.
const MEMORY: &str = "memory";

impl Description {
    fn speed(&self) -> Result<Speed, DescriptionProblem> {
        let behind = self.levels.iter().skip(1).map(|level| (level.name.clone(), level.bandwidth));
        let behind = behind.chain([(MEMORY.to_owned(), self.memory)]);
        let bandwidths = behind.map(|(name, bandwidth)| match bandwidth {
            Some(bandwidth) => Ok((name, bandwidth)),
            None => Err(DescriptionProblem::new(format!("it does not say how many bytes a second {name} delivers"))),
        });
        let bandwidths = bandwidths.collect::<Result<_, _>>()?;
        let all_cores = self.levels.iter().skip(1).map(|level| level.all_cores).chain([self.memory_of_all]).collect();
        let peak = self.peak.ok_or_else(|| {
            DescriptionProblem::new("it does not say how many floating-point operations a second a core can do")
        })?;
        Ok(Speed { peak, bandwidths, all_cores })
    }
}

fn read(path: &Path) -> Result<Description, DescriptionProblem> {
    let text =
        std::fs::read_to_string(path).map_err(|error| DescriptionProblem::new(format!("cannot read it: {error}")))?;
    let reader = reader(path).ok_or_else(|| DescriptionProblem::new("its name does not say what it is"))?;
    reader(&text)
}

/// Checks the properties that every hierarchy must have, from any source.
fn check(levels: &[MachineLevel]) -> Result<(), DescriptionProblem> {
    if levels.is_empty() {
        return Err(DescriptionProblem::new("it describes no cache that holds data"));
    }
    for MachineLevel { name, bytes, ways, line_bytes, .. } in levels {
        if *bytes == 0 || *ways == Some(0) || *line_bytes == Some(0) {
            return Err(DescriptionProblem::new(format!(
                "the cache {name} has no bytes, no ways or no bytes per line"
            )));
        }
        let (ways, line) = (ways.unwrap_or(1), line_bytes.unwrap_or(1));
        if ways.checked_mul(line).is_none_or(|set| bytes % set != 0) {
            let each = if line_bytes.is_some() { format!("{line}-byte lines each") } else { "one size".to_owned() };
            return Err(DescriptionProblem::new(format!("{bytes} bytes of {name} are not {ways} ways of {each}")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_by_their_names() {
        assert_eq!("this".parse(), Ok(Machine::This));
        assert_eq!("a/b.xml".parse(), Ok(Machine::File("a/b.xml".into())));
        for text in ["", "that", "machine.json", "yml"] {
            assert!(text.parse::<Machine>().unwrap_err().contains("neither `this` nor"), "{text}");
        }
    }

    #[test]
    fn impossible_caches_are_refused() {
        let level = |bytes, ways, line_bytes| {
            [MachineLevel { name: "L1".to_owned(), bytes, ways, line_bytes, ..MachineLevel::default() }]
        };
        let error = |levels: &[MachineLevel]| check(levels).unwrap_err().message;
        assert_eq!(error(&[]), "it describes no cache that holds data");
        assert_eq!(error(&level(0, None, None)), "the cache L1 has no bytes, no ways or no bytes per line");
        assert_eq!(error(&level(1000, Some(8), Some(64))), "1000 bytes of L1 are not 8 ways of 64-byte lines each");
        assert!(check(&level(49152, Some(12), Some(64))).is_ok());
        assert!(check(&level(49152, None, None)).is_ok());
    }

    #[test]
    fn a_speed_is_told_in_full_or_not_at_all() {
        let level =
            |name: &str, bandwidth| MachineLevel { name: name.to_owned(), bandwidth, ..MachineLevel::default() };
        let levels = || vec![level("L1", None), level("L2", Some(60))];
        let speed = |levels, peak, memory| Description { levels, peak, memory, memory_of_all: Some(40) }.speed();
        let bandwidths = vec![("L2".to_owned(), 60), ("memory".to_owned(), 12)];
        let all_cores = vec![None, Some(40)];
        assert_eq!(speed(levels(), Some(100), Some(12)).unwrap(), Speed { peak: 100, bandwidths, all_cores });
        for (levels, peak, memory, missing) in [
            (levels(), None, Some(12), "floating-point operations a second"),
            (levels(), Some(100), None, "memory delivers"),
            (vec![level("L1", None), level("L2", None)], Some(100), Some(12), "L2 delivers"),
        ] {
            let problem = speed(levels, peak, memory).unwrap_err();
            assert!(problem.message.contains(missing), "{}", problem.message);
        }
    }
}
