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

/// Removes the flags of OpenMP; also returns true if one of them asked for threads.
pub(crate) fn without(flags: &[String]) -> (Vec<String>, bool) {
    let asks = |flag: &String| {
        matches!(flag.as_str(), "-fopenmp" | "-qopenmp" | "-openmp" | "-fiopenmp" | "-fopenmp-simd" | "-qopenmp-simd")
            || flag.starts_with("-fopenmp=")
            || flag.starts_with("-fopenmp-")
    };
    let kept: Vec<String> = flags.iter().filter(|flag| !asks(flag)).cloned().collect();
    let parallel = flags.iter().any(|flag| asks(flag) && !flag.ends_with("-simd"));
    (kept, parallel)
}

/// Returns flags for the header, which is in `folder`; with `one_thread` also those that define `_OPENMP`.
pub(crate) fn flags(folder: &Path, one_thread: bool) -> Vec<String> {
    const QUIET: [&str; 2] = ["-Wno-unknown-pragmas", "-Wno-source-uses-openmp"];
    let (defined, include) = match one_thread {
        true => (Some(DEFINED), "-isystem"),
        false => (None, "-idirafter"),
    };
    let words = defined.into_iter().chain(QUIET.into_iter().filter(|_| one_thread)).chain([include]);
    words.map(str::to_owned).chain([folder.display().to_string()]).collect()
}

/// Writes the header into a folder.
pub(crate) fn write_header(folder: &Path) -> io::Result<()> {
    std::fs::write(folder.join("omp.h"), HEADER)
}
