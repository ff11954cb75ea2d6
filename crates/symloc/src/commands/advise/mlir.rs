//! Programs in MLIR.

use symloc_advise::run::Measured;
use symloc_advise::{Advice, AdvisedOrder, Arithmetic, BegunStatement, Nests, StatementDescription, latencies};
use symloc_affine::{Expr, IterId, Program};
use symloc_mlir::{
    Latencies, LoopStatements, NewOrder, Options, Source, StatementInstance, loop_statements, reordered,
};
use symloc_query::CliError;

use super::written::WrittenProgram;
use crate::input::{Enter, Input, ProgramArgs, read};

/// A function in a file in MLIR.
pub(super) struct MlirProgram {
    source: Source,
    options: Options,
    input: Input,
    statements: LoopStatements,
}

impl MlirProgram {
    /// Reads the function.
    pub(super) fn read(args: &ProgramArgs, enter: Enter) -> Result<Self, CliError> {
        let source = read(args.path())?;
        let options = args.mlir_of_all_accesses(&source)?;
        let input = args.load_from(&source, enter)?;
        if input.lowered.is_some() {
            return Err(not_read(&source.name));
        }
        let latencies = Latencies {
            addition: latencies::ADDITION,
            division: latencies::DIVISION,
            function: latencies::CALL,
            choice: latencies::CHOICE,
        };
        let statements = loop_statements(&source, &options, &latencies).map_err(diagnosed)?;
        if statements.reading.program.accesses != input.program.accesses {
            return Err(CliError::with_hint(
                format!("{}: --assume gives several values: advise looks at one program", source.name),
                "give one value",
            ));
        }
        Ok(Self { source, options, input, statements })
    }
}

/// Returns the refusal of a program that is in no language that advise writes.
pub(super) fn not_read(name: &str) -> CliError {
    CliError::with_hint(
        format!("{name}: advise reads C and MLIR only"),
        "compare two orders of other programs with `symloc compare`",
    )
}

fn diagnosed(errors: symloc_mlir::Errors) -> CliError {
    CliError::Diagnostics(errors.to_string())
}

impl WrittenProgram for MlirProgram {
    fn input(&self) -> &Input {
        &self.input
    }

    fn nests(&self, program: &Program) -> Result<Nests, CliError> {
        let LoopStatements { placed, works, variables, .. } = &self.statements;
        let describe = |statement: usize, around: &[IterId]| {
            let work = works.get(statement)?;
            let latency = work.latency.unwrap_or(latencies::ADDITION);
            let variable = |iter: &IterId| Some((variables.get(iter.index())?.clone(), Expr::iter(*iter)));
            Some(StatementDescription {
                arithmetic: Arithmetic { latency, divisions: work.divisions as f64 },
                variables: around.iter().map(variable).collect::<Option<_>>()?,
            })
        };
        Nests::new(program, placed, &describe).map_err(|error| CliError::refused(error.to_string()))
    }

    fn new_source(&self, nests: &Nests, advice: &Advice, order: &AdvisedOrder) -> Result<String, CliError> {
        let instances = order.instances(nests, &advice.scop).into_iter().map(|begun| {
            let BegunStatement { access, statement, values } = begun;
            (access, StatementInstance { statement, values })
        });
        let new = NewOrder { program: &order.generated.program, instances: instances.collect() };
        reordered(&self.source, &self.options, &new).map_err(diagnosed)
    }

    fn measure(&self, _: &[i64], _: &[String]) -> Result<Vec<Measured>, CliError> {
        Err(CliError::with_hint(
            format!("{}: --run: only for C", self.source.name),
            "leave it out, and run the text that -o writes with the tools that run the function now",
        ))
    }
}
