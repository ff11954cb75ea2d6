//! Sources in C that are compiled and run.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use symloc_affine::Program;
use symloc_replay::{Code, Survey};

use super::source::{SourceArgument, SourceFunction};
use crate::error::AdviseError;
use crate::run::{DRIVER, Measured, compile, diagonal, main_around, measure_in_turns, unwritten};

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

impl Runner<'_> {
    /// Runs sources, the one as written first.
    ///
    /// # Errors
    ///
    /// [`AdviseError::Run`] if a program cannot be built or run.
    pub fn measure(&self, sources: &[String]) -> Result<Vec<Measured>, AdviseError> {
        let folder = tempfile::tempdir().map_err(|error| unwritten(&error))?;
        let driver = self.driver()?;
        let programs = sources.iter().enumerate().map(|(index, source)| {
            let file = folder.path().join(format!("order{index}.c"));
            std::fs::write(&file, format!("#define main symloc_main\n{source}\n#undef main\n{driver}"))
                .map_err(|error| unwritten(&error))?;
            let program = folder.path().join(format!("order{index}"));
            let mut command = Command::new(self.compiler);
            command.args(self.flags).arg("-iquote").arg(self.folder).args(["-w", "-o"]).arg(&program).arg(&file);
            compile(command.arg("-lm"))?;
            Ok(program)
        });
        measure_in_turns(&programs.collect::<Result<Vec<_>, AdviseError>>()?)
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
        Ok(format!("{DRIVER}{}", main_around(&before, &call, &after)))
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
        let diagonal = diagonal(&extents);
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
