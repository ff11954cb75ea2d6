//! Writes the tables of docs/accuracy.md.

use std::fmt::Write as _;

use symloc_affine::{AccessId, Node, Program};

use super::kernels::{Kernel, Variant};
use super::measure::{AccessReuse, Measurement, Unpadded};
use super::native::Native;
use super::predict::{Predicted, Predictions};
use super::{LINE_BYTES, SIZES, WAYS};
use crate::BoxedError;
use crate::page::table;

/// One kernel in one variant.
pub(crate) struct Studied {
    pub(crate) kernel: Kernel,
    pub(crate) variant: Variant,
    pub(crate) program: Program,
    pub(crate) measured: Measurement,
    pub(crate) predicted: Predictions,
}

/// A model: its name, and the function that selects its predictions.
pub(crate) type NamedModel = (&'static str, fn(&Predictions) -> &Predicted);

pub(crate) const MODELS: [NamedModel; 3] =
    [("Denning", |p| &p.denning), ("Denning by phase", |p| &p.phases), ("LRU", |p| &p.lru)];

/// The smallest error that is explained, in percent.
const LARGE: f64 = 5.0;

impl Studied {
    pub(crate) fn name(&self) -> String {
        match self.variant {
            Variant::Original => self.kernel.name.clone(),
            Variant::Fused => format!("{} (fused)", self.kernel.name),
        }
    }

    /// Returns the simulated misses in the cache of `SIZES[size]`.
    pub(crate) fn simulated(&self, size: usize, ways: bool) -> u64 {
        if ways { self.measured.padded[size] } else { self.measured.misses(SIZES[size]) }
    }

    pub(crate) fn percent(&self, misses: u64) -> f64 {
        100.0 * misses as f64 / self.measured.total() as f64
    }

    /// Returns |predicted - simulated| / accesses, in percent.
    pub(crate) fn error(&self, model: NamedModel, size: usize, ways: bool) -> f64 {
        let predicted = (model.1)(&self.predicted);
        let predicted = if ways { predicted.ways[size] } else { predicted.full[size] };
        self.percent(predicted.abs_diff(self.simulated(size, ways)))
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Returns the kernels before fusion, and after it, when the fused kernels replace their originals.
fn before_and_after(studied: &[Studied]) -> [(&'static str, Vec<&Studied>); 2] {
    let before: Vec<_> = studied.iter().filter(|s| s.variant == Variant::Original).collect();
    let fused = |s: &&Studied| studied.iter().find(|f| f.variant == Variant::Fused && f.kernel.name == s.kernel.name);
    let after = before.iter().map(|s| fused(s).unwrap_or(s)).collect();
    [("before", before), ("after", after)]
}

/// Returns the table of averages and maxima.
pub(crate) fn summary(studied: &[Studied]) -> String {
    let head = ["model", "fusion", "cache", "6 KiB", "12 KiB", "48 KiB", "average", "maximum", "where"];
    let mut rows = Vec::new();
    for ways in [false, true] {
        for model in MODELS {
            for (fusion, kernels) in before_and_after(studied) {
                let errors = |size| kernels.iter().map(|s| s.error(model, size, ways)).collect::<Vec<_>>();
                let by_size: Vec<_> = (0..SIZES.len()).map(errors).collect();
                let all = by_size.concat();
                let worst = (0..all.len()).max_by(|a, b| all[*a].total_cmp(&all[*b])).unwrap_or(0);
                let percent = |value: f64| format!("{value:.2} %");
                let mut row = vec![model.0.to_owned(), fusion.to_owned()];
                row.push(if ways { format!("{WAYS}-way") } else { "full".to_owned() });
                row.extend(by_size.iter().map(|errors| percent(mean(errors))));
                row.extend([percent(mean(&all)), percent(all[worst])]);
                let (size, kernel) = (SIZES[worst / kernels.len()], kernels[worst % kernels.len()]);
                row.push(if all[worst] < 0.005 { "-".to_owned() } else { format!("{}, {}", kernel.name(), kib(size)) });
                rows.push(row);
            }
        }
    }
    table(&head, rows)
}

fn kib(bytes: u64) -> String {
    format!("{} KiB", bytes >> 10)
}

/// Describes the accuracy of the derived distances. That they equal those of the trace was checked by the prediction.
pub(crate) fn exactness(studied: &[Studied]) -> String {
    let estimated: Vec<_> = studied.iter().filter(|s| s.predicted.estimated > 0).collect();
    let exact = studied.len() - estimated.len();
    let mut text = format!(
        "{} models, {exact} without a fallback. In these the histogram of distances is that of the trace, and all {} \
         fully associative cells have the simulated misses.\n",
        studied.len(),
        exact * SIZES.len()
    );
    for s in estimated {
        let share = 100.0 * s.predicted.estimated as f64 / s.measured.total() as f64;
        text += &format!(
            "\n- {}: {} reuses ({share:.2} % of the accesses) are estimated.",
            s.name(),
            s.predicted.estimated
        );
    }
    text
}

/// Returns the table of each cell of Denning's model, and of exact distances with ways.
pub(crate) fn cells(studied: &[Studied]) -> String {
    let sizes = SIZES.map(|bytes| (bytes >> 10).to_string());
    let mut head = vec!["kernel".to_owned(), "accesses".to_owned(), "misses at 6, 12, 48 KiB".to_owned()];
    for what in ["Denning", "Denning 12-way", "LRU 12-way"] {
        head.extend(sizes.iter().map(|size| format!("{what} {size}")));
    }
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let rows = studied.iter().map(|s| {
        let misses = (0..SIZES.len()).map(|size| format!("{:.2}", s.percent(s.simulated(size, false))));
        let mut row = vec![s.name(), s.measured.total().to_string(), misses.collect::<Vec<_>>().join(", ")];
        for (model, ways) in [(MODELS[0], false), (MODELS[0], true), (MODELS[2], true)] {
            row.extend((0..SIZES.len()).map(|size| format!("{:.2}", s.error(model, size, ways))));
        }
        row
    });
    table(&head, rows)
}

/// Returns the table of cells with large errors, with their reasons.
pub(crate) fn large(studied: &[Studied]) -> String {
    let mut rows = Vec::new();
    for s in studied {
        for (ways, model) in [(false, MODELS[0]), (true, MODELS[0]), (true, MODELS[2])] {
            for (size, bytes) in SIZES.into_iter().enumerate() {
                let error = s.error(model, size, ways);
                if error > LARGE {
                    let cache = format!("{}{}", kib(bytes), if ways { ", 12-way" } else { "" });
                    let reason = reason(s, model, size, ways);
                    rows.push(vec![s.name(), model.0.to_owned(), cache, format!("{error:.2} %"), reason]);
                }
            }
        }
    }
    let cells = format!("{} cells of {}.\n\n", rows.len(), 9 * studied.len());
    cells + &table(&["kernel", "model", "cache", "error", "reason"], rows)
}

fn reason(s: &Studied, model: NamedModel, size: usize, ways: bool) -> String {
    let full = s.error(model, size, false);
    if !ways || full > LARGE / 2.0 {
        return moving_cliff(s, size);
    }
    let (estimated, simulated, full) =
        ((model.1)(&s.predicted).ways[size], s.simulated(size, true), s.simulated(size, false));
    let cause = if simulated.abs_diff(full) < simulated.abs_diff(estimated) {
        "even sets: lines spread over them better than by chance, nearly as in a fully associative cache"
    } else if simulated > estimated {
        "conflicts: lines share sets more often than by chance"
    } else {
        "lines share sets less often than by chance"
    };
    let [simulated, estimated, full] = [simulated, estimated, full].map(|misses| s.percent(misses));
    format!("{cause} ({simulated:.2} % miss, {estimated:.2} % estimated, {full:.2} % fully associative)")
}

/// Describes the access at which window and distances disagree most, and the window of the cache in its nest.
fn moving_cliff(s: &Studied, size: usize) -> String {
    let Some(window) = s.predicted.windows[size] else { return "all windows fit on average".to_owned() };
    let predicted = |access: &AccessReuse| {
        let late = access.intervals.iter().filter(|(interval, _)| *interval > window);
        access.first_touches + late.map(|(_, count)| count).sum::<u64>()
    };
    let accesses = &s.measured.accesses;
    let difference = |index: &usize| predicted(&accesses[*index]).abs_diff(accesses[*index].misses(SIZES[size]));
    let Some(worst) = (0..accesses.len()).max_by_key(difference) else { return String::new() };
    let access = &s.program.accesses[worst];
    let share = |misses: u64| 100.0 * misses as f64 / accesses[worst].total().max(1) as f64;
    let nest = nests(&s.program).iter().position(|nest| nest.contains(&worst)).unwrap_or(0);
    format!(
        "moving cliff: `{}` in line {} (nest {}) misses {:.1} % of its accesses, predicted {:.1} %; the window is {window} on average",
        s.program.array(access.array).name,
        access.location.line,
        nest + 1,
        share(accesses[worst].misses(SIZES[size])),
        share(predicted(&accesses[worst])),
    )
}

/// Returns the accesses in each top-level node.
fn nests(program: &Program) -> Vec<Vec<usize>> {
    fn collect(node: &Node, found: &mut Vec<usize>) {
        match node {
            Node::Loop(l) => l.body.iter().for_each(|node| collect(node, found)),
            Node::If(guard) => guard.then.iter().chain(&guard.otherwise).for_each(|node| collect(node, found)),
            Node::Access(AccessId(id)) => found.push(*id as usize),
            Node::Operations(_) | Node::Mark(_) => {}
        }
    }
    let nest = |node: &Node| {
        let mut found = Vec::new();
        collect(node, &mut found);
        found
    };
    program.body.iter().map(nest).collect()
}

/// Returns the table of Denning's recursion without imaginary intervals.
pub(crate) fn ablation(studied: &[Studied]) -> String {
    let [(_, before), (_, after)] = before_and_after(studied);
    let row = |name: &str, misses: fn(&Studied) -> u64| {
        let mut row = vec![name.to_owned()];
        for kernels in [&before, &after] {
            let error = |s: &&Studied| s.percent(misses(s).abs_diff(s.measured.misses(super::ABLATION)));
            let errors: Vec<_> = kernels.iter().map(error).collect();
            row.push(format!("{:.2} %", mean(&errors)));
            row.push(format!("{:.2} %", errors.iter().copied().fold(0.0, f64::max)));
        }
        row
    };
    let rows = [
        row("with imaginary reuse", |s| s.predicted.ablation.imaginary),
        row("first touches left out of the working set", |s| s.predicted.ablation.ignored),
        row("first touches as infinite intervals", |s| s.predicted.ablation.infinite),
        row("first touches left out, of misses too", |s| s.predicted.ablation.ignored - s.measured.first_touches()),
    ];
    table(&["recursion", "before: average", "maximum", "after: average", "maximum"], rows)
}

/// Compares arrays with the strides of C with predictions for rows that start lines.
pub(crate) fn unpadded(studied: &[Studied], unpadded: &[(String, Unpadded)]) -> String {
    let mut rows: Vec<(f64, Vec<String>)> = Vec::new();
    let mut errors: [Vec<f64>; 3] = Default::default();
    for (name, real) in unpadded {
        let Some(s) = studied.iter().find(|s| s.variant == Variant::Original && s.kernel.name == *name) else {
            continue;
        };
        for (size, bytes) in SIZES.into_iter().enumerate() {
            let error = |misses: u64, real: u64| s.percent(misses.abs_diff(real));
            let cell = [
                error(s.predicted.denning.full[size], real.full[size]),
                error(s.predicted.denning.ways[size], real.ways[size]),
                error(s.predicted.lru.ways[size], real.ways[size]),
            ];
            errors.iter_mut().zip(cell).for_each(|(errors, error)| errors.push(error));
            let percents =
                [real.full[size], s.simulated(size, true), real.ways[size]].map(|m| format!("{:.2}", s.percent(m)));
            let mut row = vec![name.clone(), kib(bytes)];
            row.extend(percents);
            row.extend(cell.map(|error| format!("{error:.2}")));
            rows.push((cell[1].max(cell[2]), row));
        }
    }
    rows.retain(|(error, _)| *error > LARGE);
    let [full, denning, lru] = errors.map(|errors| (mean(&errors), errors.iter().copied().fold(0.0, f64::max)));
    let mut text = format!(
        "Over all {} cells: Denning, fully associative, average {:.2} %, maximum {:.2} %; Denning 12-way {:.2} %, {:.2} %; LRU 12-way {:.2} %, {:.2} %.\n\n",
        3 * unpadded.len(),
        full.0,
        full.1,
        denning.0,
        denning.1,
        lru.0,
        lru.1
    );
    let head = [
        "kernel",
        "cache",
        "misses %, full",
        "12-way, padded",
        "12-way, C",
        "Denning full error",
        "Denning 12-way error",
        "LRU 12-way error",
    ];
    text += &table(&head, rows.into_iter().map(|(_, row)| row));
    text
}

/// Compares machine code with the trace.
pub(crate) fn native(measured: &[(String, Native)]) -> String {
    let row = |(name, native): &(String, Native)| {
        let Native { simulated, machine } = native;
        let error = simulated.misses.abs_diff(machine.misses) as f64 / simulated.accesses as f64;
        let cells = [simulated.accesses, machine.accesses, simulated.misses, machine.misses];
        let mut row = vec![name.clone()];
        row.extend(cells.iter().map(u64::to_string));
        row.push(format!("{:.2} %", 100.0 * error));
        row.push(format!("{:.2}", machine.misses as f64 / simulated.misses as f64));
        row
    };
    let head = [
        "kernel",
        "accesses",
        "references",
        "misses, simulated",
        "misses, machine code",
        "difference / accesses",
        "ratio",
    ];
    table(&head, measured.iter().map(row))
}

/// Returns the figures of the study as a file for tests and readers.
pub(crate) fn tsv(studied: &[Studied]) -> Result<String, BoxedError> {
    let mut text = "kernel\tvariant\tbytes\tways\taccesses\tsimulated\tdenning\tby phase\tlru\testimated\n".to_owned();
    for s in studied {
        for (size, bytes) in SIZES.iter().enumerate() {
            for ways in [false, true] {
                let misses =
                    MODELS.map(|(_, of)| if ways { of(&s.predicted).ways[size] } else { of(&s.predicted).full[size] });
                let shown = if ways { WAYS } else { bytes / LINE_BYTES };
                let (total, simulated) = (s.measured.total(), s.simulated(size, ways));
                write!(text, "{}\t{}\t{bytes}\t{shown}\t{total}\t{simulated}", s.kernel.name, s.variant.name())?;
                misses.iter().try_for_each(|misses| write!(text, "\t{misses}"))?;
                writeln!(text, "\t{}", s.predicted.estimated)?;
            }
        }
    }
    Ok(text)
}
