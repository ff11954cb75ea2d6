//! `-fopenmp` in the flags: the text is read as without it, one thread after the other.
//!
//! With the flag Clang would make functions of the bodies of parallel loops, and let the runtime call them. Without it the pragmas are
//! ignored, and the loops stay where they are. The text may still ask for `_OPENMP`, and include `omp.h`, whose functions
//! answer for one thread.

use std::io;
use std::path::Path;

use symloc_affine::Location;
use symloc_frontend::Note;

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

/// Says that a function's parallel loops are read as loops.
pub(crate) fn note(file: &str, text: &str, lines: (u32, u32)) -> Option<Note> {
    let is_parallel = |line: &str| {
        let words: Vec<&str> = line.trim_start().strip_prefix('#').unwrap_or_default().split_whitespace().collect();
        let shares = |word: &&str| PARALLEL.iter().any(|directive| word.starts_with(directive));
        words.starts_with(&["pragma", "omp"]) && words[2..].iter().any(shares)
    };
    let within = |number: &u32| (lines.0..=lines.1).contains(number);
    let (line, _) = (1..).zip(text.lines()).find(|(number, line)| within(number) && is_parallel(line))?;
    let said = "parallel loops are taken one after the other, by one thread (-fopenmp is left out)";
    Some(Note { location: Some(Location::new(file, line, 1)), text: said.to_owned(), is_remark: true })
}

/// How directives begin that give work to several threads.
const PARALLEL: [&str; 7] = ["parallel", "for", "sections", "task", "teams", "distribute", "loop"];
