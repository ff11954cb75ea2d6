//! The options of pictures, and the pictures of curves over cache sizes.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use symloc_machine::Machine;
use symloc_report::plot::{self, Canvas, Picture, Scale, SizeMark, room_for};

use crate::answers::explorer;
use crate::answers::series::{LoadedModel, SeriesCase};
use crate::error::CliError;
use crate::output;

/// The options of pictures.
#[derive(Clone, Debug, Args)]
pub struct PictureArgs {
    /// Write a picture of the curves; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,
    /// Write a page that answers for other sizes and caches, too, without a network; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
    /// Mark a cache size, such as 32KiB or L1=48KiB; one for each
    #[arg(long = "mark", value_name = "[NAME=]SIZE")]
    pub(super) marks: Vec<SizeMark>,
    /// Mark the data caches of a machine: `this` one, or a .toml, kerncraft .yml or lstopo .xml file
    #[arg(long, value_name = "this|FILE")]
    pub(super) machine: Option<Machine>,
    /// The axis of miss ratios
    #[arg(long, value_name = "SCALE", value_enum, default_value_t)]
    pub(super) scale: Scale,
}

impl PictureArgs {
    /// Returns true if a file was requested.
    pub(in crate::commands) fn wanted(&self) -> bool {
        self.svg.is_some() || self.html.is_some()
    }

    /// Returns the machine's caches and the marked ones.
    pub(super) fn marks(&self) -> Result<Vec<SizeMark>, CliError> {
        let machine = self.machine.as_ref().map_or(Ok(Vec::new()), Machine::levels)?;
        Ok(machine.into_iter().map(SizeMark::from).chain(self.marks.iter().cloned()).collect())
    }

    /// Returns the picture of some cases.
    pub(in crate::commands) fn picture(
        &self,
        members: &[LoadedModel],
        cases: &[SeriesCase<'_>],
    ) -> Result<Picture, CliError> {
        let marks = self.marks()?;
        room_for(cases.len())?;
        let predictions = cases.iter().map(SeriesCase::prediction).collect::<Result<Vec<_>, _>>()?;
        let named = cases.iter().map(|case| case.name.clone()).zip(predictions.iter().map(|one| vec![one])).collect();
        Ok(Picture::new(title(members), named, &marks, self.scale, plot::DETAIL)?)
    }

    /// Writes the files that were requested.
    pub(in crate::commands) fn write(
        &self,
        out: &mut dyn Write,
        picture: &Picture,
        members: &[LoadedModel],
        cases: &[SeriesCase<'_>],
    ) -> Result<(), CliError> {
        if let Some(path) = &self.svg {
            output::write(out, path, &plot::svg::document(picture, Canvas::PAPER))?;
        }
        if let Some(path) = &self.html {
            output::write(out, path, &explorer::page(picture, members, cases, &self.marks()?, self.scale)?)?;
        }
        Ok(())
    }
}

/// Returns a title such as `lu and lu-fused`.
pub(super) fn title(members: &[LoadedModel]) -> String {
    match members {
        [only] => only.label.clone(),
        [first, second] => format!("{} and {}", first.label, second.label),
        many => format!("{} programs", many.len()),
    }
}
