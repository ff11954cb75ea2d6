//! `-fopenmp` in the flags: it is left out, so one thread executes all iterations.
//!
//! With the flag Clang moves the bodies of parallel loops to functions, which the runtime calls. Without it the pragmas
//! are ignored, and the loops stay in place. The text may still test `_OPENMP`, and include `omp.h`; a header of our
//! own defines its functions for one thread.

use std::io;
use std::path::Path;

/// The header that replaces that of the runtime.
const HEADER: &str = include_str!("omp.h");

/// The macro that the compiler defines with `-fopenmp`.
const DEFINED: &str = "-D_OPENMP=202011";

/// The use that flags make of OpenMP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Threads {
    /// None: no flag asks for threads.
    Unasked,
    /// Flags ask for threads, and one thread executes all iterations.
    One,
}

/// Removes the flags of OpenMP.
pub(crate) fn without(flags: &[String]) -> (Vec<String>, Threads) {
    let asks = |flag: &String| {
        matches!(flag.as_str(), "-fopenmp" | "-qopenmp" | "-openmp" | "-fiopenmp" | "-fopenmp-simd" | "-qopenmp-simd")
            || flag.starts_with("-fopenmp=")
            || flag.starts_with("-fopenmp-")
    };
    let kept: Vec<String> = flags.iter().filter(|flag| !asks(flag)).cloned().collect();
    let parallel = flags.iter().any(|flag| asks(flag) && !flag.ends_with("-simd"));
    (kept, if parallel { Threads::One } else { Threads::Unasked })
}

/// Returns flags for the header, which is in `folder`; for one thread also those that define `_OPENMP`.
pub(crate) fn flags(folder: &Path, threads: Threads) -> Vec<String> {
    const QUIET: [&str; 2] = ["-Wno-unknown-pragmas", "-Wno-source-uses-openmp"];
    let words = match threads {
        Threads::One => [&[DEFINED], &QUIET[..], &["-isystem"]].concat(),
        Threads::Unasked => vec!["-idirafter"],
    };
    words.into_iter().map(str::to_owned).chain([folder.display().to_string()]).collect()
}

/// Writes the header into a folder.
pub(crate) fn write_header(folder: &Path) -> io::Result<()> {
    std::fs::write(folder.join("omp.h"), HEADER)
}
