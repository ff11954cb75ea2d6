//! A question for the orders of one program, and its answer.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::time::{Duration, Instant};

use clap::Args;
use symloc_advise::{
    AdviseError, CountedOrder, GivenOrder, NestOrders, Nests, OrdersQuestion, RefusedOrder, StatementLoops, Sums,
    nest_orders, outermost_loops,
};
use symloc_affine::{Location, Node, Program};
use symloc_derivation::dense;
use symloc_isl::Context;
use symloc_query::options::ParameterArgs;
use symloc_query::options::caches::CacheArgs;
use symloc_query::{CliError, ExitStatus};
use symloc_report::answers::advice::orders::{LegalOrder, NestReport, OrdersReport, OutlawedOrder, StatementReport};
use symloc_report::answers::{AnswerCount, AnswerFormat, Answers};
use symloc_reuse::stored_assumptions;

use crate::clock::Clock;
use crate::commands::advise::levels::hierarchy;
use crate::commands::advise::reading::read_program;
use crate::commands::advise::refusal::refused;
use crate::commands::{grid_of, sizes_of};
use crate::dense::at_size;
use crate::input::{Enter, LineArgs, ProgramArgs};
use crate::watchdog::WatchArgs;

/// The options of one question.
#[derive(Clone, Debug, Args)]
pub(crate) struct OrderQuestion {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    lines: LineArgs,
    #[command(flatten)]
    watch: WatchArgs,
    #[command(flatten)]
    parameters: ParameterArgs,
    #[command(flatten)]
    caches: CacheArgs,
    /// Look at this order and the one as written, instead of all: loops, outermost first, with the sizes of their tiles,
    /// such as 'k, i:32, j:64'; give it several times to compare several
    #[arg(long = "order", value_name = "LOOPS")]
    orders: Vec<String>,
    /// Look only at the nests whose outermost loops are on this line
    #[arg(long, value_name = "LINE")]
    nest: Option<u32>,
    /// Sums, products, minima and maxima may be collected in another order: results are equal within rounding, no longer
    /// bit by bit
    #[arg(long)]
    reassociate: bool,
    /// Look for orders for at most so many seconds in each nest
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    search_time: u64,
    /// Aligned text, or one JSON object
    #[arg(long, value_enum, default_value_t)]
    format: AnswerFormat,
}

impl OrderQuestion {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let clock = Clock::start(&self.watch);
        let answer = self.answer(&mut |phase| clock.enter(phase))?;
        clock.finish();
        let mut answers = Answers::new(out, self.format, AnswerCount::One);
        answers.push(answer)?;
        answers.finish()?;
        Ok(ExitStatus::Success)
    }

    /// Returns the orders of every nest.
    pub(super) fn answer(&self, enter: Enter) -> Result<OrdersReport, CliError> {
        let given = self.given()?;
        enter("reading");
        let written = read_program(&self.program, enter)?;
        let input = written.input();
        let program = &input.program;
        let sizes = sizes_of(program, &grid_of(program, &self.parameters)?.single()?)?;
        let nests = written.nests(&at_size(program, &sizes)?)?;
        let registers = written.registers()?;
        let as_read = nests_as_read(written.as_read_at_same_sizes(), &sizes);
        let (hierarchy, levels) = hierarchy(&self.caches, &self.lines, written.as_read().unwrap_or(&nests.program))?;
        enter("searching");
        let isl = Context::new().map_err(|error| refused(error.into()))?;
        let sums = if self.reassociate { Sums::Reassociated } else { Sums::InOrder };
        let (mut reports, mut applied) = (Vec::new(), BTreeSet::new());
        for nest in self.chosen(&nests)? {
            let end = Instant::now() + Duration::from_secs(self.search_time);
            let question = OrdersQuestion {
                nest: &nest,
                written: location(&nest.program).and_then(|place| as_read.get(&place)?.as_ref()),
                sizes: &sizes,
                hierarchy: &hierarchy,
                registers: &registers,
                given: &given,
                sums,
                end,
            };
            let found = nest_orders(&isl, &question).map_err(refused)?;
            applied.extend(found.applied.iter().copied());
            reports.push(self.report(&nest, found));
        }
        if let Some(unknown) = (0..given.len()).find(|place| !applied.contains(place)) {
            return Err(self.no_such_loops(&nests, unknown));
        }
        let parameters = program.params.iter().zip(&sizes);
        Ok(OrdersReport {
            function: program.name.clone(),
            parameters: parameters.map(|(param, size)| (param.name.clone(), i128::from(*size))).collect(),
            levels,
            nests: reports,
            assumptions: stored_assumptions(&input.assumptions, ""),
        })
    }

    /// Returns the nests that are asked for.
    fn chosen(&self, nests: &Nests) -> Result<Vec<Nests>, CliError> {
        let line_of = |nest: &Nests| location(&nest.program).map_or(0, |place| place.line);
        let mut chosen = nests.outermost();
        let known: BTreeSet<String> = chosen.iter().map(|nest| line_of(nest).to_string()).collect();
        chosen.retain(|nest| self.nest.is_none_or(|line| line == line_of(nest)));
        if let (Some(line), []) = (self.nest, chosen.as_slice()) {
            let known = known.into_iter().collect::<Vec<_>>().join(", ");
            return Err(CliError::with_hint(
                format!("--nest: no outermost loop is on line {line}"),
                format!("there are some on the lines {known}"),
            ));
        }
        Ok(chosen)
    }

    /// Reads the orders that are given.
    fn given(&self) -> Result<Vec<GivenOrder>, CliError> {
        let read = |text: &String| text.parse().map_err(|why: String| CliError::refused(format!("--order: {why}")));
        self.orders.iter().map(read).collect()
    }

    /// Returns the refusal of a given order whose loops no nest has.
    fn no_such_loops(&self, nests: &Nests, place: usize) -> CliError {
        let known: BTreeSet<String> = nests
            .variables
            .iter()
            .map(|variables| variables.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", "))
            .filter(|names| !names.is_empty())
            .collect();
        let known = known.into_iter().collect::<Vec<_>>().join("; ");
        refused(AdviseError::NoSuchLoops { loops: self.orders[place].clone(), known })
    }

    fn report(&self, nest: &Nests, found: NestOrders) -> NestReport {
        let given = |place: Option<usize>| place.and_then(|place| self.orders.get(place)).cloned();
        let statement = |StatementLoops { lines, loops, shared }| StatementReport { lines, loops, shared };
        let reported = |all: Vec<StatementLoops>| all.into_iter().map(statement).collect();
        let legal = |order: CountedOrder| LegalOrder {
            order: order.text,
            statements: reported(order.statements),
            misses: order.misses,
            is_exact: order.is_exact,
            is_written: order.is_written,
            given: given(order.given),
        };
        let outlawed = |order: RefusedOrder| OutlawedOrder {
            order: order.text,
            statements: reported(order.statements),
            why: order.why,
            given: given(order.given),
        };
        let place = location(&nest.program);
        NestReport {
            line: place.as_ref().map_or(0, |place| place.line),
            column: place.as_ref().map_or(0, |place| place.column),
            orders: found.orders.into_iter().map(legal).collect(),
            refused: found.refused.into_iter().map(outlawed).collect(),
            is_complete: found.is_complete && self.orders.is_empty(),
            is_partial: found.is_partial,
        }
    }
}

/// Returns the nests of a program with the accesses that other commands read, by their places; `None` for a place that
/// several nests share.
fn nests_as_read(as_read: Option<&Program>, sizes: &[i64]) -> BTreeMap<Location, Option<Program>> {
    let mut nests = BTreeMap::new();
    let Some((dense, _)) = as_read.and_then(|program| dense::at_size(program, sizes).ok()) else { return nests };
    for nest in outermost_loops(&dense) {
        if let Some(place) = location(&nest) {
            nests.entry(place).and_modify(|known| *known = None).or_insert(Some(nest));
        }
    }
    nests
}

/// Returns the place of a nest's outermost loop, or of its first access if the source does not tell.
fn location(nest: &Program) -> Option<Location> {
    let known = first_loop(&nest.body).and_then(|iter| nest.iters.get(iter)?.location.clone());
    known.or_else(|| nest.accesses.first().map(|access| access.location.clone()))
}

fn first_loop(nodes: &[Node]) -> Option<usize> {
    nodes.iter().find_map(|node| match node {
        Node::Loop(l) => Some(l.iter.index()),
        Node::If(guard) => first_loop(&guard.then).or_else(|| first_loop(&guard.otherwise)),
        Node::Access(_) | Node::Operations(_) | Node::Mark(_) => None,
    })
}
