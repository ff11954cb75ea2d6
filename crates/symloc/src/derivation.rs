//! From a program to its model, with phases, progress and limits around the derivation itself.

use std::cell::Cell;
use std::fmt;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use symloc_affine::{Atom, Constraint, Expr, LayoutError, Program, Relation};
use symloc_isl::Context;
use symloc_model::{Model, SCHEMA};
use symloc_quasi::{Poly, Var};
use symloc_query::CliError;

use crate::check::{self, Checked};
use crate::input::{Input, LayoutArgs, LayoutChoice};

/// Limits of a derivation.
#[derive(Clone, Debug, Args)]
pub(crate) struct LimitArgs {
    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub time_limit: Option<Duration>,
    /// Give up after so many elementary steps of isl; a million is of the order of a second
    #[arg(long, value_name = "COUNT")]
    pub max_operations: Option<u64>,
    /// Reuse distances too, for exact misses of LRU caches
    #[arg(long)]
    pub exact: bool,
}

impl LimitArgs {
    /// The limits of reuse distances; what exceeds them is estimated, and the derivation goes on.
    fn distances(&self) -> symloc_reuse::Limits {
        let limits = symloc_reuse::Limits::default();
        let most = self.max_operations.unwrap_or(u64::MAX);
        symloc_reuse::Limits { prev: limits.prev.min(most), window: limits.window.min(most) }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let value = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    value.ok_or_else(|| format!("`{text}` is not a number of seconds"))
}

/// What takes how long.
#[derive(Debug)]
pub(crate) struct Clock {
    progress: ProgressBar,
    phases: Arc<Mutex<Vec<(String, Instant)>>>,
    start: Instant,
    checked: Cell<Option<Checked>>,
}

impl Clock {
    /// Starts; with a limit, a watchdog ends the whole program when it is reached, because nothing else can interrupt a
    /// count in progress.
    pub(crate) fn start(limit: Option<Duration>) -> Self {
        let progress = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} [{elapsed}]") {
            progress.set_style(style);
        }
        let clock = Self { progress, phases: Arc::default(), start: Instant::now(), checked: Cell::default() };
        if let Some(limit) = limit {
            let phases = Arc::clone(&clock.phases);
            std::thread::spawn(move || watch(&phases, limit));
        }
        clock
    }

    /// Enters a phase.
    pub(crate) fn enter(&self, phase: impl fmt::Display) {
        self.progress.set_message(phase.to_string());
        self.progress.enable_steady_tick(Duration::from_millis(100));
        lock(&self.phases).push((phase.to_string(), Instant::now()));
    }

    /// Keeps the result of the RI sum test, to be told at the end.
    fn checked(&self, checked: Checked) {
        self.checked.set(Some(checked));
    }

    /// The phase, in words.
    fn phase(&self) -> String {
        lock(&self.phases).last().map_or(String::new(), |(phase, _)| phase.clone())
    }

    /// Ends, and tells the time of each phase if that is wanted.
    pub(crate) fn finish(self, tell: bool) {
        self.progress.finish_and_clear();
        let phases = std::mem::take(&mut *lock(&self.phases));
        if !tell {
            return;
        }
        let end = Instant::now();
        let mut stderr = std::io::stderr().lock();
        // Nobody is left to tell if standard error is closed.
        let line = |stderr: &mut dyn Write, name: &str, time: Duration| {
            let _ = writeln!(stderr, "{name:<20} {:>9.3} s", time.as_secs_f64());
        };
        let ends = phases.iter().skip(1).map(|(_, start)| *start).chain([end]);
        for ((name, start), end) in phases.iter().zip(ends) {
            line(&mut stderr, name, end - *start);
        }
        line(&mut stderr, "total", end - self.start);
        if let Some(Checked { identities, undecided, samples }) = self.checked.get() {
            let _ = writeln!(
                stderr,
                "RI sum test: {identities} identities hold, {undecided} undecided on formulas, {samples} sizes sampled"
            );
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn watch(phases: &Mutex<Vec<(String, Instant)>>, limit: Duration) {
    std::thread::sleep(limit);
    let phases = lock(phases);
    // No phases: the work is done, or has not begun.
    if let Some((phase, _)) = phases.last() {
        let seconds = limit.as_secs_f64();
        eprintln!("error: limit: {seconds} s passed during {phase}\nhelp: raise it with --time-limit");
        std::process::exit(2);
    }
}

/// Derives a model and checks it.
pub(crate) fn model(input: &Input, layout: &LayoutArgs, limits: &LimitArgs, clock: &Clock) -> Result<Model, CliError> {
    let Input { name, program } = input;
    let isl = Context::new().map_err(|error| CliError::refused(error.to_string()))?;
    isl.set_max_operations(limits.max_operations.unwrap_or(0));
    let mut derived = symloc_reuse::derive(&isl, program, layout.layout(), &layout.lines(), &mut |p| clock.enter(p))
        .map_err(|error| explain(program, &error, &clock.phase()))?;
    if limits.exact {
        for (line, model) in layout.lines().into_iter().zip(&mut derived.lines) {
            let enter = &mut |p| clock.enter(p);
            let (layout, steps) = (layout.layout(), limits.distances());
            let distances = symloc_reuse::distances(&isl, program, layout, line, &model.classes, steps, enter);
            model.distances = Some(distances.map_err(|error| explain(program, &error, &clock.phase()))?);
        }
    }
    clock.enter("checking");
    let model = Model {
        schema: SCHEMA.to_owned(),
        generator: concat!("symloc ", env!("CARGO_PKG_VERSION")).to_owned(),
        function: program.name.clone(),
        source: name.clone(),
        layout: match layout.layout {
            LayoutChoice::Rows => "rows".to_owned(),
            LayoutChoice::Linear => "linear".to_owned(),
        },
        parameters: program.params.iter().map(|p| p.name.clone()).collect(),
        context: program.context.iter().map(constraint).collect(),
        accesses: derived.accesses,
        lines: derived.lines,
    };
    clock.checked(check::ri_sums(&model)?);
    check::distances(&model, program, layout)?;
    Ok(model)
}

/// What a failed derivation means for the user; `phase` says what it was doing.
pub(crate) fn explain(program: &Program, error: &symloc_reuse::Error, phase: &str) -> CliError {
    use symloc_reuse::Error;
    match error {
        Error::Layout(layout) => unsuited(program, layout),
        Error::Isl(symloc_isl::Error::Limit { .. }) => {
            CliError::with_hint(format!("{error}, during {phase}"), "raise it with --max-operations")
        }
        Error::NoSize => CliError::with_hint(error.to_string(), "the conditions of --assume contradict each other"),
        _ => CliError::refused(error.to_string()),
    }
}

/// A layout error, at the array that it is about.
fn unsuited(program: &Program, error: &LayoutError) -> CliError {
    let (array, hint) = match error {
        LayoutError::ElementSize { array, .. } => (array, "choose other --line-bytes, or --element"),
        LayoutError::SymbolicStrides { array } => (array, "choose --layout rows, or give the memref a constant shape"),
        LayoutError::Overflow(_) => return CliError::refused(error.to_string()),
    };
    match program.arrays.iter().find(|a| a.name == *array) {
        Some(array) => CliError::Diagnostics(format!("{}: error: {error}\nhelp: {hint}\n", array.location)),
        None => CliError::with_hint(error.to_string(), hint),
    }
}

/// A condition on the parameters in the model's terms.
fn constraint(constraint: &Constraint) -> symloc_quasi::Constraint {
    let poly = polynomial(&constraint.expr);
    match constraint.relation {
        Relation::Zero => symloc_quasi::Constraint::zero(poly),
        Relation::NonNegative => symloc_quasi::Constraint::non_negative(poly),
    }
}

fn polynomial(expr: &Expr) -> Poly {
    let mut sum = Poly::integer(expr.constant_term());
    for (atom, coefficient) in expr.terms() {
        let atom = match atom {
            Atom::Param(param) => Poly::var(Var(param.0)),
            // A condition on parameters has no iterators; a variable beyond them would be refused on loading.
            Atom::Iter(iter) => Poly::var(Var(u32::MAX - iter.0)),
            Atom::Floor(numerator, divisor) => polynomial(numerator).floor_div(&(*divisor).into()),
        };
        sum = &sum + &(&atom * &Poly::integer(coefficient));
    }
    sum
}
