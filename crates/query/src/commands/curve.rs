//! `curve`: the misses over all cache sizes, of one or several models at one or several sizes.
//!
//! Curves are step functions. CSV and JSON hold every step; pictures hold exact points, closer than a pixel. With
//! `--roofline` the answer is a roofline instead: see [`roofline`](super::roofline).

use std::io::Write;
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::Args;
use symloc_evaluate::{Detail, Int, MissCurve};
use symloc_locality::{Counts, Growth};
use symloc_machine::Machine;
use symloc_model::LineChoice;
use symloc_report::plot::roofline::RooflinePicture;
use symloc_report::plot::{self, Canvas, Picture, Scale, SizeMark, room_for};
use symloc_report::roofline::Rooflines;
use symloc_report::{AnswerHeader, Terminal, curve, estimate, text};

use super::explorer;
use super::profiles::Profiles;
use super::roofline::rooflines;
use crate::error::{CliError, ExitStatus};
use crate::options::ModelSource;
use crate::output;
use crate::series::{Exact, LoadedModel, SeriesArgs, SeriesCase};

/// The options of `curve`.
#[derive(Clone, Debug, Args)]
pub struct CurveArgs {
    /// The model files; - reads standard input
    #[arg(value_name = "MODEL", required = true, value_parser = ModelSource::parser())]
    pub(super) models: Vec<ModelSource>,
    /// The line size, where a model holds several
    #[arg(long, value_name = "BYTES")]
    line_bytes: Option<u64>,
    #[command(flatten)]
    series: SeriesArgs,
    #[command(flatten)]
    pictures: PictureArgs,
    /// Show the rows of `scaling`: the caches at which the curve falls, with their formulas; of one model at one size
    #[arg(long, conflicts_with_all = ["csv", "json"])]
    rows: bool,
    /// Print every step as comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Show instead how fast the programs can be on --machine at most, with the traffic of its caches: operations a
    /// second over operations for each byte
    #[arg(long, requires = "machine", conflicts_with_all = ["rows", "scale", "marks", "miss_model", "detail"])]
    roofline: bool,
    /// With --csv and --json: steps closer than one COUNT-th of the cache size may be told as one
    #[arg(long, value_name = "COUNT")]
    detail: Option<NonZeroU32>,
}

/// The options of pictures.
#[derive(Clone, Debug, Args)]
pub struct PictureArgs {
    /// Write a picture of the curves; - is standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a page that answers for other sizes and caches, too, without a network; - is standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Mark a cache size, such as 32KiB or L1=48KiB; one for each
    #[arg(long = "mark", value_name = "[NAME=]SIZE")]
    marks: Vec<SizeMark>,
    /// Mark the data caches of a machine: `this` one, or a .toml, kerncraft .yml or lstopo .xml file
    #[arg(long, value_name = "this|FILE")]
    machine: Option<Machine>,
    /// The axis of miss ratios
    #[arg(long, value_name = "SCALE", value_enum, default_value_t)]
    scale: Scale,
}

impl PictureArgs {
    /// Returns true if a file was requested.
    pub(super) fn wanted(&self) -> bool {
        self.svg.is_some() || self.html.is_some()
    }

    /// Returns the machine's caches and the marked ones.
    fn marks(&self) -> Result<Vec<SizeMark>, CliError> {
        let machine = self.machine.as_ref().map_or(Ok(Vec::new()), Machine::levels)?;
        Ok(machine.into_iter().map(SizeMark::from).chain(self.marks.iter().cloned()).collect())
    }

    /// Returns the picture of some cases.
    pub(super) fn picture(&self, members: &[LoadedModel], cases: &[SeriesCase<'_>]) -> Result<Picture, CliError> {
        let marks = self.marks()?;
        room_for(cases.len())?;
        let predictions = cases.iter().map(SeriesCase::prediction).collect::<Result<Vec<_>, _>>()?;
        let named = cases.iter().map(|case| case.name.clone()).zip(&predictions).collect();
        Ok(Picture::new(title(members), named, &marks, self.scale, plot::DETAIL)?)
    }

    /// Writes the files that were requested.
    pub(super) fn write(
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
fn title(members: &[LoadedModel]) -> String {
    match members {
        [only] => only.label.clone(),
        [first, second] => format!("{} and {}", first.label, second.label),
        many => format!("{} programs", many.len()),
    }
}

impl CurveArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let members = LoadedModel::load(&self.models)?;
        let line = self.line_bytes.map_or(LineChoice::Only, LineChoice::Bytes);
        let cases = self.series.cases(&members, line)?;
        if let (true, Some(machine)) = (self.roofline, &self.pictures.machine) {
            if self.pictures.wanted() {
                room_for(cases.len())?;
            }
            self.write_rooflines(out, title(&members), &rooflines(machine, &cases)?)?;
            return Ok(ExitStatus::Success);
        }
        if self.csv || self.json {
            self.write_data(out, &cases)?;
        }
        if self.pictures.wanted() {
            self.pictures.write(out, &self.picture(&members, &cases)?, &members, &cases)?;
        } else if !self.csv && !self.json {
            self.write_text(out, &members, &cases)?;
        }
        Ok(ExitStatus::Success)
    }

    fn write_rooflines(&self, out: &mut dyn Write, title: String, rooflines: &Rooflines) -> Result<(), CliError> {
        let pictures = &self.pictures;
        match (self.csv, self.json) {
            (true, _) => rooflines.write_csv(out)?,
            (_, true) => rooflines.write_json(out)?,
            _ if !pictures.wanted() => rooflines.write_text(out)?,
            _ => {}
        }
        let picture = RooflinePicture::new(title, rooflines);
        if let Some(path) = &pictures.svg {
            output::write(out, path, &picture.svg())?;
        }
        if let Some(path) = &pictures.html {
            output::write(out, path, &picture.page())?;
        }
        Ok(())
    }

    /// Returns the picture, with the rows of `scaling` if they are requested.
    fn picture(&self, members: &[LoadedModel], cases: &[SeriesCase<'_>]) -> Result<Picture, CliError> {
        let picture = self.pictures.picture(members, cases)?;
        if !self.rows {
            return Ok(picture);
        }
        let [case] = cases else {
            return Err(CliError::with_hint(
                "the rows of several curves cannot be told apart",
                "give one model and one value for each size, or leave `--rows` out",
            ));
        };
        let (model, line) = (&case.member.model, case.line_model()?);
        if line.symbolic.is_some() {
            return Err(CliError::with_hint(
                "the line size of this model is a symbol, so it has no rows in leading terms",
                "derive a model with `--line-bytes`, or leave `--rows` out",
            ));
        }
        let profiles = Profiles::derive(model, line, case.miss_model, Counts::default(), &Growth::default())?;
        let spans = profiles.spans(&case.point()?).ok_or_else(|| {
            CliError::with_hint("the rows differ between residues of the sizes", "`symloc scaling` prints all of them")
        })?;
        Ok(picture.with_spans(spans, line.line_bytes))
    }

    fn write_data(&self, out: &mut dyn Write, cases: &[SeriesCase<'_>]) -> Result<(), CliError> {
        let curves = cases.iter().map(|case| self.curve(case)).collect::<Result<Vec<_>, _>>()?;
        match self.json {
            true => curve::write_json(out, &curves)?,
            false => curve::write_csv(out, &curves)?,
        }
        Ok(())
    }

    /// Returns every step, from the histogram, or fewer steps without it.
    fn curve(&self, case: &SeriesCase<'_>) -> Result<curve::StepCurve, CliError> {
        let (name, miss_model) = (case.member.label.clone(), case.miss_model.name());
        if let Some(parts) = self.detail {
            let prediction = case.prediction()?;
            return Ok(curve::StepCurve {
                name,
                miss_model,
                header: AnswerHeader::of_prediction(&case.member.model, &prediction),
                estimated: prediction.estimated(),
                steps: prediction.steps(Detail::Part(parts.get()))?.collect::<Result<_, _>>()?,
            });
        }
        let Some(Exact { curve: whole, distribution }) = case.exact(u64::MAX)? else {
            return Err(CliError::with_hint(
                format!("limit: the evaluation visits more than {} points of free iterators", self.series.max_points),
                "tell fewer steps apart, with `--detail 100`, or raise the limit with --max-points",
            ));
        };
        Ok(curve::StepCurve {
            name,
            miss_model,
            steps: whole.into_steps(),
            estimated: distribution.estimated(),
            header: AnswerHeader::new(&case.member.model, &distribution),
        })
    }

    fn write_text(
        &self,
        out: &mut dyn Write,
        members: &[LoadedModel],
        cases: &[SeriesCase<'_>],
    ) -> Result<(), CliError> {
        let picture = self.picture(members, cases)?;
        writeln!(out, "{}: {}", picture.title, picture.subtitle)?;
        if let [only] = picture.curves.as_slice() {
            let cold = text::ratio(only.cold.ratio(&only.accesses));
            writeln!(out, "{} accesses, {} first touches: {cold}", only.accesses, only.cold)?;
        }
        writeln!(out)?;
        if picture.curves.iter().all(|curve| curve.points.is_empty()) {
            writeln!(out, "nothing is accessed, so that there is no curve")?;
            return Ok(());
        }
        plot::chart::write(out, &picture, Terminal::of_stdout().unwrap_or(Terminal::PLAIN))?;
        let estimated = picture.curves.iter().fold(Int::ZERO, |sum, curve| &sum + &curve.estimated);
        Ok(estimate::write_note(out, &estimated)?)
    }
}
