//! `sets`: compares the misses of a set-associative cache, as valgrind counts them for compiled programs, with the answers of
//! `symloc`.
//!
//! The programs of `tests/sets` are compiled and called on consecutive arrays, each at the start of a line. Their sizes and
//! leading dimensions are around powers of two, where the placement of rows matters most.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use symloc_report::formats::text::Columns;

use crate::BoxedError;
use crate::cachegrind::{command, misses_in};

/// A program, with the sizes at which it is compared.
struct ComparedProgram {
    name: &'static str,
    sizes: &'static [&'static str],
    /// The bytes of each array, as expressions in C of the sizes.
    arrays: &'static [&'static str],
    at: &'static [&'static [u32]],
}

const CASES: [ComparedProgram; 5] = [
    ComparedProgram {
        name: "transpose",
        sizes: &["n", "lda", "ldb"],
        arrays: &["8 * n * lda", "8 * n * ldb"],
        at: &[
            &[255, 255, 255],
            &[256, 256, 256],
            &[257, 257, 257],
            &[200, 512, 512],
            &[200, 512, 520],
            &[200, 520, 512],
            &[511, 511, 511],
            &[512, 512, 512],
            &[513, 513, 513],
            &[600, 1024, 1032],
            &[1000, 1024, 1024],
            &[1000, 1003, 1029],
        ],
    },
    ComparedProgram {
        name: "pivots",
        sizes: &["n", "ld"],
        arrays: &["8 * n * ld", "8 * n"],
        at: &[
            &[255, 255],
            &[256, 256],
            &[257, 257],
            &[250, 512],
            &[250, 520],
            &[250, 528],
            &[500, 511],
            &[512, 512],
            &[500, 513],
            &[1000, 1000],
            &[1000, 1024],
            &[1000, 1032],
        ],
    },
    ComparedProgram {
        name: "gemm",
        sizes: &["n", "ld"],
        arrays: &["4 * n * ld", "4 * n * ld", "4 * n * ld"],
        at: &[
            &[63, 63],
            &[64, 64],
            &[65, 65],
            &[100, 128],
            &[100, 129],
            &[100, 256],
            &[100, 257],
            &[128, 512],
            &[128, 528],
            &[128, 513],
            &[257, 1024],
            &[288, 1040],
        ],
    },
    ComparedProgram {
        name: "stencil",
        sizes: &["n", "m"],
        arrays: &["8 * n * m", "8 * n * m"],
        at: &[
            &[127, 127],
            &[128, 128],
            &[129, 129],
            &[255, 256],
            &[256, 257],
            &[257, 264],
            &[500, 511],
            &[500, 512],
            &[500, 513],
            &[1000, 1023],
            &[1000, 1024],
            &[1000, 1040],
        ],
    },
    ComparedProgram {
        name: "grey",
        sizes: &["height", "width", "pitch"],
        arrays: &["height * pitch", "height * width"],
        at: &[
            &[256, 256, 768],
            &[255, 255, 765],
            &[257, 257, 771],
            &[480, 640, 1920],
            &[480, 641, 1923],
            &[480, 640, 2048],
            &[512, 512, 1536],
            &[512, 510, 2048],
            &[512, 510, 2112],
            &[1000, 683, 2049],
            &[1024, 682, 2048],
            &[1024, 682, 2112],
        ],
    },
];

const LINE: u64 = 64;
const CACHE: &str = "32KiB,8";

/// Prints a row for each size; fails if an answer differs from valgrind's count by more than this fraction of it.
pub(crate) fn run(tolerance: f64, compiler: &str) -> Result<(), BoxedError> {
    let folder = tempfile::tempdir()?;
    let head = ["program", "sizes", "valgrind", "simulate", "off by", "query", "off by"];
    let (mut table, mut far) = (Columns::new(&head, 2), 0);
    for case in &CASES {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../tests/sets/{}.c", case.name));
        let program = CompiledProgram { case, source, folder: folder.path() };
        let model = program.model()?;
        for at in case.at {
            let counted = program.counted(at, compiler)?;
            let sizes: Vec<_> = case.sizes.iter().zip(*at).map(|(name, size)| format!("{name}={size}")).collect();
            let mut row = vec![case.name.to_owned(), sizes.join(" "), counted.to_string()];
            for found in [program.simulated(&sizes)?, queried(&model, &sizes)?] {
                let off = (found as f64 - counted as f64) / counted as f64;
                row.extend([found.to_string(), format!("{:.2}%", 100.0 * off)]);
                far += usize::from(off.abs() > tolerance);
            }
            table.push(row);
        }
    }
    table.write(&mut std::io::stdout())?;
    if far == 0 { Ok(()) } else { Err(format!("{far} answers are off by more than {}%", 100.0 * tolerance).into()) }
}

struct CompiledProgram<'c> {
    case: &'c ComparedProgram,
    source: PathBuf,
    folder: &'c Path,
}

impl CompiledProgram<'_> {
    /// Returns the misses of the compiled program in its own function, as valgrind counts them.
    fn counted(&self, at: &[u32], compiler: &str) -> Result<u64, BoxedError> {
        let [driver, binary, counts] = ["driver.c", "program", "counts"].map(|name| self.folder.join(name));
        std::fs::write(&driver, self.driver(at)?)?;
        command(Command::new(compiler).args(["-g", "-O1", "-fno-inline", "-o"]).args([
            &binary,
            &driver,
            &self.source,
        ]))?;
        let options = [format!("--D1={},8,{LINE}", 32 << 10), format!("--cachegrind-out-file={}", counts.display())];
        let valgrind = ["--tool=cachegrind", "--cache-sim=yes", "-q"];
        command(Command::new("valgrind").args(valgrind).args(options).arg(&binary))?;
        let [first, _] = misses_in(&std::fs::read_to_string(&counts)?, self.case.name)?;
        Ok(first)
    }

    /// Returns a program that calls the function on consecutive arrays.
    fn driver(&self, at: &[u32]) -> Result<String, BoxedError> {
        let ComparedProgram { name, sizes, arrays, .. } = self.case;
        let mut text = format!("#include <stdlib.h>\nvoid {name}();\nint main(void) {{\n");
        for (size, value) in sizes.iter().zip(at) {
            writeln!(text, "  int {size} = {value};")?;
        }
        let aligned = |bytes: &&str| format!("({bytes} + {}) / {LINE} * {LINE}", LINE - 1);
        let all = arrays.iter().map(aligned).collect::<Vec<_>>().join(" + ");
        writeln!(text, "  char *memory = aligned_alloc(1 << 20, (({all}) | 0xfffff) + 1);")?;
        let before = |array: usize| arrays[..array].iter().map(aligned).map(|bytes| format!(" + {bytes}"));
        let places = (0..arrays.len()).map(|array| format!("memory{}", before(array).collect::<String>()));
        let arguments: Vec<_> = sizes.iter().map(|size| (*size).to_owned()).chain(places).collect();
        writeln!(text, "  {name}({});\n  return 0;\n}}", arguments.join(", "))?;
        Ok(text)
    }

    fn model(&self) -> Result<PathBuf, BoxedError> {
        let model = self.folder.join(format!("{}.loc.json", self.case.name));
        command(symloc()?.arg("derive").args([&self.source, Path::new("-o"), &model]))?;
        Ok(model)
    }

    fn simulated(&self, sizes: &[String]) -> Result<u64, BoxedError> {
        answer(symloc()?.arg("simulate").arg(&self.source), sizes)
    }
}

fn queried(model: &Path, sizes: &[String]) -> Result<u64, BoxedError> {
    answer(symloc()?.arg("query").arg(model), sizes)
}

/// Returns the program that was built with this one.
fn symloc() -> Result<Command, BoxedError> {
    Ok(Command::new(std::env::current_exe()?.with_file_name("symloc")))
}

/// Returns the misses in the answer to a question.
fn answer(question: &mut Command, sizes: &[String]) -> Result<u64, BoxedError> {
    let sizes = sizes.iter().flat_map(|size| ["-D", size]);
    let text = command(question.args(sizes).args(["--cache", CACHE, "--json"]))?;
    let answer: Value = serde_json::from_str(&text)?;
    let misses = &answer["levels"][0]["misses"];
    misses.as_u64().ok_or_else(|| format!("no misses in {text}").into())
}
