//! Machine descriptions: which levels of cache the memory accesses of one core pass.
//!
//! Four sources say it, one module each: this machine's kernel (`sysfs`), `lstopo` (`hwloc`), kerncraft's machine files
//! (`kerncraft`), and our own TOML (`description`). Only caches that hold data count; a cache that several cores share
//! counts in full.

mod description;
mod hwloc;
mod kerncraft;
mod sysfs;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Where this machine's caches are described.
const SYSFS: &str = "/sys/devices/system/cpu/cpu0/cache";

/// A machine that the user names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Machine {
    /// The one that the program runs on.
    This,
    /// The one that a file describes.
    File(PathBuf),
}

/// A level of cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineLevel {
    /// `L1`, `L2`, …
    pub name: String,
    /// How much it holds.
    pub bytes: u64,
    /// Its associativity; nothing if it is fully associative or nobody says.
    pub ways: Option<u64>,
    /// Bytes per line, if somebody says.
    pub line_bytes: Option<u64>,
}

/// Why a description says nothing.
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

/// A machine that nothing is known about: what is wrong with its description, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescriptionError {
    path: PathBuf,
    place: Option<(u64, u64)>,
    message: String,
}

impl std::error::Error for DescriptionError {}

/// `machine.toml:2:8: error: …`
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

/// What reads a description.
type Reader = fn(&str) -> Result<Vec<MachineLevel>, DescriptionProblem>;

/// What reads a file, by the end of its name.
fn reader(path: &Path) -> Option<Reader> {
    match path.extension()?.to_str()? {
        "toml" => Some(description::read),
        "yml" | "yaml" => Some(kerncraft::read),
        "xml" => Some(hwloc::read),
        _ => None,
    }
}

impl Machine {
    /// The levels of cache from the core outwards, at least one.
    ///
    /// # Errors
    ///
    /// A [`DescriptionError`] if there is no description, if it cannot be read, or if it describes caches that cannot be.
    pub fn levels(&self) -> Result<Vec<MachineLevel>, DescriptionError> {
        let (path, levels) = match self {
            Self::This => (Path::new(SYSFS), sysfs::read(Path::new(SYSFS))),
            Self::File(path) => (path.as_path(), read(path)),
        };
        levels.and_then(checked).map_err(|problem| problem.in_file(path))
    }
}

fn read(path: &Path) -> Result<Vec<MachineLevel>, DescriptionProblem> {
    let text =
        std::fs::read_to_string(path).map_err(|error| DescriptionProblem::new(format!("cannot read it: {error}")))?;
    let reader = reader(path).ok_or_else(|| DescriptionProblem::new("its name does not say what it is"))?;
    reader(&text)
}

/// What holds for every hierarchy, whoever describes it.
fn checked(levels: Vec<MachineLevel>) -> Result<Vec<MachineLevel>, DescriptionProblem> {
    if levels.is_empty() {
        return Err(DescriptionProblem::new("it describes no cache that holds data"));
    }
    for MachineLevel { name, bytes, ways, line_bytes } in &levels {
        if *bytes == 0 || *ways == Some(0) || *line_bytes == Some(0) {
            return Err(DescriptionProblem::new(format!(
                "the cache {name} has no bytes, no ways or no bytes per line"
            )));
        }
        let (ways, line) = (ways.unwrap_or(1), line_bytes.unwrap_or(1));
        if ways.checked_mul(line).is_none_or(|set| bytes % set != 0) {
            return Err(DescriptionProblem::new(format!(
                "{bytes} bytes of {name} are not {ways} ways of {line}-byte lines each"
            )));
        }
    }
    Ok(levels)
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
        let level = |bytes, ways, line_bytes| vec![MachineLevel { name: "L1".to_owned(), bytes, ways, line_bytes }];
        let error = |levels| checked(levels).unwrap_err().message;
        assert_eq!(error(Vec::new()), "it describes no cache that holds data");
        assert_eq!(error(level(0, None, None)), "the cache L1 has no bytes, no ways or no bytes per line");
        assert_eq!(error(level(1000, Some(8), Some(64))), "1000 bytes of L1 are not 8 ways of 64-byte lines each");
        assert!(checked(level(49152, Some(12), Some(64))).is_ok());
        assert!(checked(level(49152, None, None)).is_ok());
    }
}
