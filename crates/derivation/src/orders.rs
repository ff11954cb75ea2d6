//! The loops of a function in MLIR, for a search of orders, and its text in a new order.

use symloc_advise::{
    Advice, AdviseError, AdvisedOrder, Arithmetic, BegunStatement, Nests, StatementDescription, StatementForm,
    latencies,
};
use symloc_affine::{Expr, IterId, Program};
use symloc_mlir::{
    Errors, Latencies, LoopStatements, NewOrder, Options, Source, StatementInstance, loop_statements, reordered,
};

/// Returns the statements in the loops of a function.
///
/// # Errors
///
/// If the function cannot be read, or an operation in the loops cannot be moved.
pub fn statements(source: &Source, options: &Options) -> Result<LoopStatements, Errors> {
    let latencies = Latencies {
        addition: latencies::ADDITION,
        integer_addition: latencies::INTEGER_ADDITION,
        division: latencies::DIVISION,
        function: latencies::CALL,
        choice: latencies::CHOICE,
    };
    loop_statements(source, options, &latencies)
}

/// Returns the loops of a program with the statements of its source.
///
/// # Errors
///
/// If the loops of the program are not those of the source.
pub fn nests(statements: &LoopStatements, program: &Program) -> Result<Nests, AdviseError> {
    let LoopStatements { placed, works, variables, .. } = statements;
    let describe = |statement: usize, around: &[IterId]| {
        let work = works.get(statement)?;
        let latency = work.latency.unwrap_or(latencies::ADDITION);
        let variable = |iter: &IterId| Some((variables.get(iter.index())?.clone(), Expr::iter(*iter)));
        Some(StatementDescription {
            arithmetic: Arithmetic { latency, divisions: work.divisions as f64 },
            form: if work.is_update { StatementForm::Update } else { StatementForm::Other },
            variables: around.iter().map(variable).collect::<Option<_>>()?,
        })
    };
    Nests::new(program, placed, &describe)
}

/// Returns the text of a source with its loops in an order.
///
/// # Errors
///
/// If the order has no code.
pub fn new_source(
    source: &Source,
    options: &Options,
    nests: &Nests,
    advice: &Advice,
    order: &AdvisedOrder,
) -> Result<String, Errors> {
    let instances = order.instances(nests, &advice.scop).into_iter().map(|begun| {
        let BegunStatement { access, statement, values } = begun;
        (access, StatementInstance { statement, values })
    });
    let new = NewOrder {
        program: &order.generated.program,
        instances: instances.collect(),
        independent: order.independent_loops(),
    };
    reordered(source, options, &new)
}
