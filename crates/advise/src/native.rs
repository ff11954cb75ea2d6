//! Functions in LLVM IR that are compiled and run: languages whose front end lowers them have these.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use crate::error::AdviseError;
use crate::results::{ResultComparison, ResultKind};
use crate::run::{DRIVER, Measured, RunResults, compile, diagonal, main_around, measure_in_turns, unwritten};

/// A function in LLVM IR.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeFunction {
    /// The text of its module.
    pub ir: Vec<u8>,
    /// Its symbol.
    pub symbol: String,
}

/// An argument of a call, with types in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NativeArgument {
    /// A number.
    Scalar {
        /// Its type.
        kind: String,
        /// Its value.
        value: String,
    },
    /// An array, as MLIR passes it: where it is allocated, where it is aligned, offset, extents and strides.
    Memref {
        /// The type of an element.
        element: String,
        /// The position of the first element.
        offset: i64,
        /// The extents.
        extents: Vec<i64>,
        /// The distances of elements.
        strides: Vec<i64>,
        /// The elements that it has room for.
        room: i64,
    },
}

/// Compiles functions with the same arguments and runs them, the one as written first.
///
/// # Errors
///
/// [`AdviseError::Run`] if a program cannot be built or run.
pub fn measure_native(
    compiler: &str,
    flags: &[&str],
    functions: &[NativeFunction],
    arguments: &[NativeArgument],
    comparison: ResultComparison,
) -> Result<Vec<Measured>, AdviseError> {
    let folder = tempfile::tempdir().map_err(|error| unwritten(&error))?;
    let build = |(index, function): (usize, &NativeFunction)| {
        let [module, driver, program] =
            [".ll", "_driver.c", ""].map(|end| folder.path().join(format!("order{index}{end}")));
        std::fs::write(&module, &function.ir).map_err(|error| unwritten(&error))?;
        std::fs::write(&driver, driver_of(&function.symbol, arguments)).map_err(|error| unwritten(&error))?;
        let mut command = Command::new(compiler);
        command.args(flags).args(["-w", "-o"]).arg(&program).args([
            module.as_path(),
            driver.as_path(),
            Path::new("-lm"),
        ]);
        compile(&mut command)?;
        Ok(program)
    };
    let programs = functions.iter().enumerate().map(build).collect::<Result<Vec<_>, AdviseError>>()?;
    let kind = |argument: &NativeArgument| match argument {
        NativeArgument::Scalar { .. } => None,
        NativeArgument::Memref { element, .. } => Some(ResultKind::of(element)),
    };
    let kinds = arguments.iter().filter_map(kind).collect();
    measure_in_turns(&programs, &RunResults { kinds, comparison })
}

/// Returns the `main` that calls a function.
fn driver_of(symbol: &str, arguments: &[NativeArgument]) -> String {
    let (mut before, mut after) = (String::new(), String::new());
    let (mut kinds, mut values) = (Vec::new(), Vec::new());
    for (index, argument) in arguments.iter().enumerate() {
        match argument {
            NativeArgument::Scalar { kind, value } => {
                kinds.push(kind.clone());
                values.push(value.clone());
            }
            NativeArgument::Memref { element, offset, extents, strides, room } => {
                let (name, diagonal) = (format!("symloc_array_{index}"), diagonal(extents));
                // Writing to a String cannot fail.
                let _ = writeln!(
                    before,
                    "  void *{name} = aligned_alloc(64, ({room}ul * sizeof({element}) + 4096 + 63) / 64 * 64);\n  \
                     SYMLOC_FILL({element}, {name}, {room}ul, {diagonal}ul);"
                );
                let _ = writeln!(after, "  symloc_add(&symloc_sum, {name}, {room}ul * sizeof({element}));");
                kinds.extend(["void *".to_owned(), "void *".to_owned()]);
                values.extend([name.clone(), name]);
                for number in std::iter::once(offset).chain(extents).chain(strides) {
                    kinds.push("long long".to_owned());
                    values.push(format!("{number}ll"));
                }
            }
        }
    }
    let declared = if kinds.is_empty() { "void".to_owned() } else { kinds.join(", ") };
    let escaped = symbol.replace('\\', "\\\\").replace('"', "\\\"");
    let call = format!("  symloc_function({});\n", values.join(", "));
    let main = main_around(&before, &call, &after);
    format!("{DRIVER}void symloc_function({declared}) __asm__(\"{escaped}\");\n{main}")
}
