//! `curve --roofline`: how fast programs can be on a machine at most.
//!
//! Traffic is that of the machine's caches as they are built, one behind the other: simulated, or sampled where that takes long.

use std::io::{self, Write};
use std::path::Path;

use symloc_machine::{Machine, NamedCache, Speed};
use symloc_report::plot::roofline::RooflinePicture;
use symloc_report::roofline::{self, Roofline};
use symloc_report::{AnswerHeader, MissModel};

use super::sampled::{SampleArgs, Sampler};
use crate::error::CliError;
use crate::output;
use crate::series::SeriesCase;

/// Where the speed of a machine is told.
const SPEED: &str = "a .toml tells it with peak = \"76.8 GFlop/s\", and bandwidth = \"12.5 GB/s\" in [memory] and in each \
                     [[cache]] but the first";

/// Some programs on a machine.
pub(super) struct Rooflines {
    machine: String,
    speed: Speed,
    programs: Vec<Roofline>,
}

impl Rooflines {
    pub(super) fn derive(machine: &Machine, cases: &[SeriesCase<'_>]) -> Result<Self, CliError> {
        let speed = machine.speed().map_err(|error| {
            // It has a place, or names a file.
            CliError::Diagnostics(format!("{error}\nhelp: {SPEED}\n"))
        })?;
        let caches: Vec<_> = machine.levels()?.into_iter().map(NamedCache::from).collect();
        let caches: Vec<_> = caches.iter().collect();
        let one = |case| derive(case, &caches, cases.len() == 1).map_err(|error| case.explain(error));
        let programs = cases.iter().map(one).collect::<Result<_, _>>()?;
        Ok(Self { machine: machine.to_string(), speed, programs })
    }

    pub(super) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        roofline::write_text(out, &self.programs, &self.machine, &self.speed)
    }

    pub(super) fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        roofline::write_csv(out, &self.programs, &self.speed)
    }

    pub(super) fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        roofline::write_json(out, &self.programs, &self.machine, &self.speed)
    }

    /// Writes the pictures that have a path.
    pub(super) fn write_pictures(
        &self,
        out: &mut dyn Write,
        title: &str,
        svg: Option<&Path>,
        page: Option<&Path>,
    ) -> Result<(), CliError> {
        let picture = RooflinePicture::new(title.to_owned(), &self.programs, &self.machine, &self.speed);
        if let Some(path) = svg {
            output::write(out, path, &picture.svg())?;
        }
        if let Some(path) = page {
            output::write(out, path, &picture.page(&self.machine))?;
        }
        Ok(())
    }
}

/// The traffic of a program at a size; its notes are told if it is the only one.
fn derive(case: &SeriesCase<'_>, caches: &[&NamedCache], only: bool) -> Result<Roofline, CliError> {
    let (model, evaluator) = (&case.member.model, case.own_evaluator()?);
    // Samples take from a prediction what any can tell.
    let prediction = MissModel::Denning.predict(&evaluator, &case.sizes())?;
    let operations = evaluator.operations(&case.sizes())?.filter(|operations| !operations.is_zero());
    let operations = operations.ok_or_else(|| {
        CliError::with_hint(
            "it has no floating-point operations that are known, and a roofline is about those",
            "`symloc derive` counts them; models of older versions do not hold them",
        )
    })?;
    let arguments = SampleArgs::default();
    let sampler = Sampler::new(model, &evaluator, &arguments)?;
    let at = sampler.at(&prediction)?;
    if only {
        at.notes(caches)?.iter().for_each(|note| output::tell("note", note));
    }
    let fills = at.fills(caches, &[])?;
    let header = AnswerHeader::of_prediction(model, &prediction);
    Ok(Roofline { name: case.name.clone(), header, source: fills.source, operations, caches: fills.levels })
}
