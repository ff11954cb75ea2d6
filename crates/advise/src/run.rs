//! Compiles and runs a function in several orders, and compares times and results.
//!
//! Each order is a program of its own: the source with a `main` behind it that fills the function's arrays, calls it and
//! reports the time and a checksum of all arrays. Programs run in turns, so that what disturbs the machine disturbs all.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use symloc_affine::Program;
use symloc_replay::{Code, Survey};

use crate::c::source::{SourceArgument, SourceFunction};
use crate::error::AdviseError;

/// The measurement of one order.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The shortest time, in seconds; infinite if it was stopped because it ran so long.
    pub seconds: f64,
    /// True if all arrays have the same bytes as after the program as written.
    pub is_equal: bool,
}

/// The compiler and the function.
#[derive(Clone, Copy, Debug)]
pub struct Runner<'r> {
    /// The compiler.
    pub compiler: &'r str,
    /// Its flags.
    pub flags: &'r [String],
    /// The folder of the source, for what it includes.
    pub folder: &'r Path,
    /// The function.
    pub source: &'r SourceFunction,
    /// The program.
    pub program: &'r Program,
    /// The sizes, in the order of the program's parameters.
    pub sizes: &'r [i64],
}

/// The types of elements that can be filled with numbers.
const ARITHMETIC: [&str; 12] = [
    "double",
    "float",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "_Float16",
];

/// How often each program runs.
const ROUNDS: usize = 3;

impl Runner<'_> {
    /// Runs sources, the one as written first.
    ///
    /// # Errors
    ///
    /// [`AdviseError::Run`] if a program cannot be built or run.
    pub fn measure(&self, sources: &[String]) -> Result<Vec<Measured>, AdviseError> {
        let folder = tempfile::tempdir().map_err(|error| AdviseError::Run { why: error.to_string() })?;
        let driver = self.driver()?;
        let programs = sources.iter().enumerate().map(|(index, source)| {
            let file = folder.path().join(format!("order{index}.c"));
            std::fs::write(&file, format!("#define main symloc_main\n{source}\n#undef main\n{driver}"))
                .map_err(|error| AdviseError::Run { why: error.to_string() })?;
            let program = folder.path().join(format!("order{index}"));
            let mut command = Command::new(self.compiler);
            command.args(self.flags).arg("-iquote").arg(self.folder).args(["-w", "-o"]).arg(&program).arg(&file);
            let output = command.arg("-lm").stdin(Stdio::null()).output();
            let output = output.map_err(|error| AdviseError::Run { why: format!("{}: {error}", self.compiler) })?;
            match output.status.success() {
                true => Ok(program),
                false => Err(AdviseError::Run { why: String::from_utf8_lossy(&output.stderr).into_owned() }),
            }
        });
        let programs = programs.collect::<Result<Vec<_>, AdviseError>>()?;
        let mut measured: Vec<Measured> = Vec::new();
        let mut expected = None;
        for round in 0..ROUNDS {
            for (index, program) in programs.iter().enumerate() {
                if measured.get(index).is_some_and(|known| known.seconds.is_infinite()) {
                    continue;
                }
                let limit = measured.first().map_or(Duration::MAX, |written| patience(written.seconds));
                let ran = run(program, limit)?;
                let seconds = ran.map_or(f64::INFINITY, |(seconds, _)| seconds);
                let expected = *expected.get_or_insert(ran.map_or(0, |(_, sum)| sum));
                let is_equal = ran.is_none_or(|(_, sum)| sum == expected);
                if round == 0 {
                    measured.push(Measured { seconds, is_equal });
                } else {
                    let known = &mut measured[index];
                    known.seconds = known.seconds.min(seconds);
                    known.is_equal &= is_equal;
                }
            }
        }
        Ok(measured)
    }

    /// Returns the `main` that calls the function.
    fn driver(&self) -> Result<String, AdviseError> {
        let survey = Survey::of(&Code::new(self.program, self.sizes)?)?;
        let extents = survey.extents(self.program);
        let mut before = String::new();
        let mut after = String::new();
        let mut arguments = Vec::new();
        for argument in &self.source.arguments {
            arguments.push(self.argument(argument, &extents, &mut before, &mut after)?);
        }
        let names: Vec<_> = self.source.arguments.iter().map(|argument| argument.name.as_str()).collect();
        for (array, extents) in self.program.arrays.iter().zip(&extents) {
            let is_touched = self.program.accesses.iter().any(|access| self.program.array(access.array) == array);
            if extents.is_empty() || !is_touched || names.contains(&array.name.as_str()) {
                continue;
            }
            // A global array, or one that the function declares, which has no name here.
            if self.source.declares_array(&array.name) {
                continue;
            }
            let kind = if array.element_bytes == 4 { "float" } else { "double" };
            let _ = writeln!(before, "  SYMLOC_FILL({kind}, {0}, sizeof({0}) / sizeof({kind}), 0);", array.name);
            let _ = writeln!(after, "  symloc_add(&symloc_sum, (void *){0}, sizeof({0}));", array.name);
        }
        let call = format!("  {}({});\n", self.program.name, arguments.join(", "));
        Ok(format!(
            "{DRIVER}int main(void) {{\n  unsigned long long symloc_sum = 14695981039346656037ull;\n{before}  \
             const double symloc_start = symloc_now();\n{call}  const double symloc_end = symloc_now();\n{after}  \
             printf(\"%.9f %llu\\n\", symloc_end - symloc_start, symloc_sum);\n  return 0;\n}}\n"
        ))
    }

    /// Returns the text of an argument; writes what comes before and after the call.
    fn argument(
        &self,
        argument: &SourceArgument,
        extents: &[Vec<i64>],
        before: &mut String,
        after: &mut String,
    ) -> Result<String, AdviseError> {
        let SourceArgument { name, kind } = argument;
        if !kind.contains(['*', '[']) {
            let param = self.program.param(name).and_then(|param| self.sizes.get(param.index()));
            return Ok(match param {
                Some(size) => size.to_string(),
                None if ["double", "float"].iter().any(|float| kind.contains(float)) => "1.5".to_owned(),
                None => "1".to_owned(),
            });
        }
        let element = kind.split(['*', '(', '[']).next().unwrap_or_default().replace("const", "");
        let element = element.replace("restrict", "").trim().to_owned();
        let known = self.program.arrays.iter().position(|array| array.name == *name);
        let extents = known.map(|index| extents[index].clone()).unwrap_or_default();
        let elements = extents.iter().product::<i64>().max(1);
        if !ARITHMETIC.contains(&element.as_str()) {
            return Err(AdviseError::Run { why: format!("`{name}` has elements of the type {element}") });
        }
        let diagonal = match extents.as_slice() {
            [rows, columns] if rows == columns => columns + 1,
            _ => 0,
        };
        // Writing to a String cannot fail.
        let _ = writeln!(
            before,
            "  void *symloc_of_{name} = aligned_alloc(64, ({elements}ul * sizeof({element}) + 4096 + 63) / 64 * 64);"
        );
        let _ = writeln!(before, "  SYMLOC_FILL({element}, symloc_of_{name}, {elements}ul, {diagonal}ul);");
        let _ = writeln!(after, "  symloc_add(&symloc_sum, symloc_of_{name}, {elements}ul * sizeof({element}));");
        Ok(format!("symloc_of_{name}"))
    }
}

/// Returns the time after which a program that is slower than the one as written is stopped; its arrays have to be filled
/// in it as well.
fn patience(written: f64) -> Duration {
    Duration::from_secs_f64(3.0 * written + 10.0)
}

/// Runs a program; returns its time in seconds and its checksum, or `None` if it had to be stopped.
fn run(program: &Path, limit: Duration) -> Result<Option<(f64, u64)>, AdviseError> {
    let failed = |why: String| AdviseError::Run { why };
    let mut command = Command::new(program);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| failed(error.to_string()))?;
    let start = Instant::now();
    // The program prints one line at its end, which the pipe holds.
    while child.try_wait().map_err(|error| failed(error.to_string()))?.is_none() {
        if start.elapsed() > limit {
            // If it has just ended, there is nothing to stop.
            let _ = child.kill();
            let _ = child.wait();
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.split_whitespace();
    let seconds = numbers.next().and_then(|seconds| seconds.parse().ok());
    let sum = numbers.next().and_then(|sum| sum.parse().ok());
    let found = seconds.zip(sum).ok_or_else(|| failed(format!("the program ended with {}", output.status)))?;
    Ok(Some(found))
}

/// The functions of the driver. Diagonals are large, so that factorisations stay finite.
const DRIVER: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#define SYMLOC_FILL(kind, array, elements, diagonal) \
  for (unsigned long i = 0, d = (diagonal); i < (elements); i++) \
    ((kind *)(void *)(array))[i] = (kind)((kind)((i * 7 + 3) % 11 + 1) / 4 + (d && i % d == 0 ? (kind)(4 * d) : 0))
static void symloc_add(unsigned long long *sum, const unsigned char *bytes, unsigned long count) {
  for (unsigned long i = 0; i < count; i++) *sum = (*sum ^ bytes[i]) * 1099511628211ull;
}
static double symloc_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}
"#;
