//! From a program to its model, with phases, progress and limits around the derivation itself.

use std::cell::Cell;
use std::fmt;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use symloc_affine::{Layout, LayoutError, Program};
use symloc_isl::Context;
use symloc_model::Model;
use symloc_query::CliError;
use symloc_reuse::{Derived, Origin, Phase};

use crate::check::{self, Checked};
use crate::input::{Input, LayoutArgs, LineSizes};
use crate::watchdog::WatchArgs;

/// Limits of a derivation.
#[derive(Clone, Debug, Args)]
pub(crate) struct LimitArgs {
    #[command(flatten)]
    pub watch: WatchArgs,
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

/// The phases so far, and when each began.
pub(crate) type Phases = Vec<(String, Instant)>;

/// What takes how long.
#[derive(Debug)]
pub(crate) struct Clock {
    progress: ProgressBar,
    phases: Arc<Mutex<Phases>>,
    start: Instant,
    checked: Cell<Option<Checked>>,
}

impl Clock {
    /// Starts, with a watchdog.
    pub(crate) fn start(watch: &WatchArgs) -> Self {
        let progress = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} [{elapsed}]") {
            progress.set_style(style);
        }
        let clock = Self { progress, phases: Arc::default(), start: Instant::now(), checked: Cell::default() };
        let (watch, phases) = (watch.clone(), Arc::clone(&clock.phases));
        std::thread::spawn(move || watch.watch(&phases));
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

/// What a thread that panicked leaves behind is still of use.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Derives a model and checks it.
pub(crate) fn model(input: &Input, layout: &LayoutArgs, limits: &LimitArgs, clock: &Clock) -> Result<Model, CliError> {
    let Input { name, checksum, program, remarks, line, .. } = input;
    let isl = Context::new().map_err(|error| CliError::refused(error.to_string()))?;
    isl.set_max_operations(limits.max_operations.unwrap_or(0));
    let lines = layout.lines(*line);
    let exact = limits.exact.then(|| limits.distances());
    let mut derived = derive(&isl, program, layout.layout(), &lines, exact, &mut |p| clock.enter(p))
        .map_err(|error| explain(program, &error, &clock.phase()))?;
    if let (LineSizes::Fixed(lines), Some(steps)) = (&lines, exact) {
        for (line, model) in lines.iter().zip(&mut derived.lines) {
            let enter = &mut |p| clock.enter(p);
            let layout = layout.layout();
            let distances = symloc_reuse::distances(&isl, program, layout, *line, &model.classes, steps, enter);
            model.distances = Some(distances.map_err(|error| explain(program, &error, &clock.phase()))?);
        }
    }
    clock.enter("checking");
    let origin = Origin { generator: concat!("symloc ", env!("CARGO_PKG_VERSION")), source: name };
    let model = derived.into_model(program, layout.layout(), origin);
    let model = Model { source_checksum: *checksum, remarks: remarks.clone(), ..model };
    let checked = check::ri_sums(&model, program)?;
    if checked.identities + checked.samples == 0 {
        // Nobody is left to tell if standard error is closed.
        let _ = writeln!(std::io::stderr(), "note: that no reuse is missing could be checked at no size");
    }
    clock.checked(checked);
    check::distances(&model, program, layout.layout(), &lines)?;
    Ok(model)
}

/// Derives at fixed line sizes, or at a symbolic one; there with reuse distances, if limits are given for them.
pub(crate) fn derive(
    isl: &Context,
    program: &Program,
    layout: Layout,
    lines: &LineSizes,
    exact: Option<symloc_reuse::Limits>,
    enter: &mut dyn FnMut(Phase),
) -> Result<Derived, symloc_reuse::Error> {
    match lines {
        LineSizes::Fixed(lines) => symloc_reuse::derive(isl, program, layout, lines, enter),
        LineSizes::Symbolic(parameter) => symloc_reuse::derive_symbolic(isl, program, layout, *parameter, exact, enter),
    }
}

/// What a failed derivation means for the user; `phase` says what it was doing.
pub(crate) fn explain(program: &Program, error: &symloc_reuse::Error, phase: &str) -> CliError {
    use symloc_reuse::Error;
    match error {
        Error::Layout(layout) => unsuited(program, layout),
        Error::Line(line) => {
            let location = &program.access(line.access).location;
            CliError::Diagnostics(format!(
                "{location}: error: {error}\nhelp: give the line size, with --line-bytes in place of --line\n"
            ))
        }
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
        LayoutError::SymbolicStrides { array } => (
            array,
            "choose --layout rows, or give the memref a constant shape; `symloc simulate --layout linear` has it for given sizes",
        ),
        LayoutError::Overflow(_) => return CliError::refused(error.to_string()),
    };
    match program.arrays.iter().find(|a| a.name == *array) {
        Some(array) => CliError::Diagnostics(format!("{}: error: {error}\nhelp: {hint}\n", array.location)),
        None => CliError::with_hint(error.to_string(), hint),
    }
}
