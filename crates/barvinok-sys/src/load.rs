//! Finding the libraries.
//!
//! There may be two builds of isl: Barvinok's own, with GMP, and one with small integers that falls back to big ones
//! (`USE_SMALL_INT_OPT`), which is about twice as fast. Objects of one mean nothing to the other.
//!
//! A directory qualifies if it holds isl and Barvinok, as `libisl.so…` or, as Python wheels name them,
//! `libisl-<hash>.so…`; its subdirectory `imath` may hold the isl with small integers. Without that, Barvinok's own
//! takes its place: it is slower, and some of its integer programs with remainders go wrong (see `vendor/fetch`), so
//! that a few programs are refused. The first directory that qualifies wins:
//!
//! 1. the directory in `SYMLOC_BARVINOK_DIR`; if that is set, nothing else is searched,
//! 2. `../lib/symloc` beside the executable's directory, then the executable's directory (an installed bundle),
//! 3. `islpy_barvinok.libs`, where pip puts Barvinok's package beside the one that this program came in,
//!    `symloc-compiler`; that one brings the isl with small integers, in `symloc_compiler/imath`,
//! 4. `vendor/lib` of the source tree (where `./setup` puts them).

use std::ffi::{CStr, OsStr};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::functions::{Barvinok, Isl};
use crate::library::{Handle, LoadError};

/// The environment variable that names the directory of the libraries.
pub const DIRECTORY_VARIABLE: &str = "SYMLOC_BARVINOK_DIR";

/// The directories of the isl with small integers, relative to Barvinok: a subdirectory, or the Python package of this
/// program.
const SMALL_INTEGERS: [&str; 2] = ["imath", "../symloc_compiler/imath"];

/// The directory of the libraries in Barvinok's Python package, relative to the packages.
const PYTHON_PACKAGE: &str = "islpy_barvinok.libs";

/// The libraries of a process.
#[derive(Debug)]
pub struct Libraries {
    /// isl, for everything but counting.
    pub isl: Isl,
    /// The functions that count.
    pub counting: Counting,
}

/// Barvinok, and the isl whose objects it counts.
#[derive(Debug)]
pub struct Counting {
    /// Barvinok's own isl; it may be the same library as [`Libraries::isl`].
    pub isl: Isl,
    /// Barvinok.
    pub barvinok: Barvinok,
}

impl Libraries {
    /// Returns the libraries of this process, loaded at the first call. A failure is remembered as well.
    ///
    /// # Errors
    ///
    /// [`LoadError`] if the libraries are not found, cannot be opened, or lack a function.
    pub fn global() -> Result<&'static Libraries, LoadError> {
        static LIBRARIES: OnceLock<Result<Libraries, LoadError>> = OnceLock::new();
        LIBRARIES.get_or_init(|| Libraries::search(&directories())).as_ref().map_err(Clone::clone)
    }

    /// Loads the libraries in `directory`.
    ///
    /// # Errors
    ///
    /// [`LoadError`] if the libraries are not found, cannot be opened, or lack a function.
    pub fn load(directory: &Path) -> Result<Libraries, LoadError> {
        Libraries::search(&[directory.to_owned()])
    }

    fn search(directories: &[PathBuf]) -> Result<Libraries, LoadError> {
        for directory in directories {
            if let (Some(isl), Some(barvinok)) = (find(directory, "isl"), find(directory, "barvinok")) {
                let small = SMALL_INTEGERS.iter().find_map(|place| find(&directory.join(place), "isl"));
                return Libraries::open(small.unwrap_or_else(|| isl.clone()), isl, barvinok);
            }
        }
        Err(LoadError::NotFound { searched: directories.to_vec() })
    }

    fn open(isl: PathBuf, counted: PathBuf, barvinok: PathBuf) -> Result<Libraries, LoadError> {
        // Its isl goes before Barvinok, which must get this one.
        let counted = Isl::resolve(Handle::open(counted)?)?;
        let barvinok = Barvinok::resolve(Handle::open(barvinok)?)?;
        Ok(Libraries { isl: Isl::resolve(Handle::open(isl)?)?, counting: Counting { isl: counted, barvinok } })
    }
}

impl Isl {
    /// Returns the text of `isl_version()`, without the line end: `isl-0.27-GMP`.
    pub fn version(&self) -> String {
        // SAFETY: isl_version takes nothing and returns a string constant.
        let version = unsafe { CStr::from_ptr((self.isl_version)()) };
        version.to_string_lossy().trim_end().to_owned()
    }
}

impl fmt::Debug for Isl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Isl").field("version", &self.version()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Barvinok {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Barvinok").finish_non_exhaustive()
    }
}

fn directories() -> Vec<PathBuf> {
    if let Some(directory) = std::env::var_os(DIRECTORY_VARIABLE) {
        return vec![PathBuf::from(directory)];
    }
    let mut directories = Vec::new();
    if let Some(beside) = std::env::current_exe().ok().as_deref().and_then(Path::parent) {
        let around = |place: &str| beside.parent().map(|prefix| prefix.join(place));
        directories.extend(around("lib/symloc"));
        directories.push(beside.to_owned());
        directories.extend(around(PYTHON_PACKAGE));
    }
    directories
        .extend(Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map(|workspace| workspace.join("vendor/lib")));
    directories
}

/// Returns the library `lib{name}` in `directory`: the first in name order, so that the file system does not choose.
fn find(directory: &Path, name: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(directory).ok()?.flatten();
    entries.filter(|entry| is_library(&entry.file_name(), name)).map(|entry| entry.path()).min()
}

/// Returns true if `file` is called `lib{name}[-hash].so[.version]` or `lib{name}[.version].dylib`.
fn is_library(file: &OsStr, name: &str) -> bool {
    let Some(rest) = file.to_str().and_then(|f| f.strip_prefix("lib")).and_then(|f| f.strip_prefix(name)) else {
        return false;
    };
    let digits_and_dots = |text: &str| text.chars().all(|c| c == '.' || c.is_ascii_digit());
    if let Some(version) = rest.strip_suffix(".dylib") {
        return digits_and_dots(version);
    }
    let Some((hash, version)) = rest.split_once(".so") else { return false };
    (hash.is_empty() || hash.starts_with('-')) && digits_and_dots(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn library_names() {
        let cases = [
            ("libisl.so", true),
            ("libisl.so.23", true),
            ("libisl-77a25c89.so.23.4.0", true),
            ("libisl.dylib", true),
            ("libisl.23.dylib", true),
            ("libisl.so.23.4.0-gdb.py", false),
            ("libislands.so", false),
            ("libbarvinok.so", false),
            ("isl.so", false),
            ("libisl.a", false),
        ];
        for (file, expected) in cases {
            assert_eq!(is_library(OsStr::new(file), "isl"), expected, "{file}");
        }
    }

    #[test]
    fn a_directory_without_libraries_is_reported_with_the_remedy() {
        let message = Libraries::load(Path::new("/nonexistent")).unwrap_err().to_string();
        for part in ["/nonexistent", "./setup", DIRECTORY_VARIABLE] {
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn the_libraries_load_and_tell_their_versions() {
        let libraries = Libraries::global().unwrap();
        for isl in [&libraries.isl, &libraries.counting.isl] {
            assert!(isl.version().starts_with("isl-"), "{}", isl.version());
        }
    }

    #[test]
    fn one_isl_may_do_both() {
        let directories = directories();
        let holds = |directory: &&PathBuf| find(directory, "isl").is_some() && find(directory, "barvinok").is_some();
        let directory = directories.iter().find(holds).unwrap();
        let (isl, barvinok) = (find(directory, "isl").unwrap(), find(directory, "barvinok").unwrap());
        let libraries = Libraries::open(isl.clone(), isl, barvinok).unwrap();
        assert_eq!(libraries.isl.version(), libraries.counting.isl.version());
    }
}
