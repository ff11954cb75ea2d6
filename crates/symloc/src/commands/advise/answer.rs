//! The answer of `advise` at one size.

use symloc_advise::results::{Agreement, ResultKind};
use symloc_advise::run::Measured;
use symloc_advise::{Advice, AdvisedOrder, Cost, LevelMisses, Sums};
use symloc_affine::Program;
use symloc_report::answers::advice::padding::PaddingReport;
use symloc_report::answers::advice::{AdviceReport, ArrayMisses, OrderReport, Tolerances, WorkAmounts};

use super::proposed::fastest;
use crate::input::Input;

/// Returns the answer: the program as written, the orders that are predicted to be faster, and what was measured.
pub(super) fn report(
    input: &Input,
    sizes: &[i64],
    advice: &Advice,
    levels: Vec<String>,
    measured: &[Measured],
    paddings: Vec<Option<PaddingReport>>,
) -> AdviceReport {
    let program = &input.program;
    let order = |place: usize, order: &AdvisedOrder| OrderReport {
        seconds: measured.get(place).map(|measured| measured.seconds),
        is_equal: measured.get(place).map(Measured::is_equal),
        relative_difference: measured.get(place).and_then(|measured| match measured.agreement {
            Agreement::WithinRounding { largest } => Some(largest),
            Agreement::Identical | Agreement::Different => None,
        }),
        ..predicted(program, advice, order)
    };
    let mut orders: Vec<_> =
        advice.proposed().enumerate().map(|(place, candidate)| order(place + 1, candidate)).collect();
    let parameters = program.params.iter().zip(sizes).map(|(param, size)| (param.name.clone(), i128::from(*size)));
    let mut written = order(0, &advice.written);
    for (order, padding) in std::iter::once(&mut written).chain(&mut orders).zip(paddings) {
        order.padding = padding;
    }
    let is_promising = orders.iter().any(|order| order.cycles < written.cycles);
    AdviceReport {
        function: program.name.clone(),
        parameters: parameters.collect(),
        levels,
        written,
        helps: fastest(measured).map_or(is_promising, |place| place > 0),
        orders,
        is_partial: advice.is_partial,
        tolerances: None,
        curve: Vec::new(),
        bounds: Vec::new(),
    }
}

/// Returns what is predicted of an order.
fn predicted(program: &Program, advice: &Advice, order: &AdvisedOrder) -> OrderReport {
    let Cost { misses, is_exact, work, cycles } = &order.cost;
    OrderReport {
        moves: order.words.clone(),
        misses: misses.iter().map(LevelMisses::all).collect(),
        is_exact: *is_exact,
        arrays: by_array(program, advice, misses),
        cycles: *cycles,
        work: WorkAmounts {
            vectors: work.vectors,
            gathers: work.gathers,
            scalars: work.scalars,
            chain: work.chain,
            vector_divisions: work.vector_divisions,
            scalar_divisions: work.scalar_divisions,
            entries: work.entries,
            pages: work.pages,
            page_walks: work.page_walks,
            streamed: misses.iter().map(|level| level.streamed).collect(),
            scattered: misses.iter().map(|level| level.scattered).collect(),
        },
        seconds: None,
        is_equal: None,
        relative_difference: None,
        may_reorder_sums: order.sums == Sums::Reassociated,
        padding: None,
    }
}

/// Returns the misses of each array that the loops touch.
pub(super) fn by_array(program: &Program, advice: &Advice, misses: &[LevelMisses]) -> Vec<ArrayMisses> {
    let of_array = |array: usize| ArrayMisses {
        name: program.arrays[array].name.clone(),
        misses: misses.iter().map(|level| level.arrays[array]).collect(),
    };
    let accesses = &advice.scop.program.accesses;
    let is_touched = |array: &usize| accesses.iter().any(|access| access.array.index() == *array);
    (0..program.arrays.len()).filter(is_touched).map(of_array).collect()
}

/// Returns the relative differences that rounding explains.
pub(super) fn tolerances() -> Tolerances {
    Tolerances { double: ResultKind::Double.tolerance(), float: ResultKind::Float.tolerance() }
}
