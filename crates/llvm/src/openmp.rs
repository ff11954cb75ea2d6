//! `-fopenmp` in the flags: the text is read as without it, one thread after the other.
//!
//! With the flag Clang would make functions of the bodies of parallel loops, and let the runtime call them. Without it the pragmas are
//! ignored, and the loops stay where they are. The text may still ask for `_OPENMP`, and include `omp.h`, whose functions
//! answer for one thread.

use std::io;
use std::path::Path;

/// The header that is included in place of that of the runtime.
const HEADER: &str = include_str!("omp.h");

/// What the compiler defines with `-fopenmp`.
const DEFINED: &str = "-D_OPENMP=202011";

/// Flags without those that ask for OpenMP, and whether there were any.
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

/// Flags for a text that includes the header, which is in `folder`, or is to believe that OpenMP is there.
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
