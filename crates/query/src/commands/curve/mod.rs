//! `curve`: the misses over all cache sizes, of one or several models at one or several sizes.
//!
//! Curves are step functions. CSV and JSON hold every step; pictures hold exact points, closer than a pixel. With
//! `--roofline` the answer is a roofline instead: see [`roofline`](crate::answers::roofline). With `--threads` either is over
//! the number of threads: `threads`. `pictures` has the options of pictures.

use std::io::Write;
use std::num::NonZeroU32;

use clap::Args;
use symloc_evaluate::{Detail, Int, MissCurve};
use symloc_locality::{Counts, Growth};
use symloc_model::LineChoice;
use symloc_report::answers::roofline::Rooflines;
use symloc_report::answers::{curve, estimate};
use symloc_report::formats::text;
use symloc_report::plot::roofline::RooflinePicture;
use symloc_report::plot::{self, Picture, room_for};
use symloc_report::{AnswerHeader, Terminal};

use self::pictures::title;
use self::threads::{DataForm, OverThreads, ThreadCurveArgs};
use crate::answers::formulas::profiles;
use crate::answers::roofline::rooflines;
use crate::answers::series::{Exact, LoadedModel, SeriesArgs, SeriesCase};
use crate::error::{CliError, ExitStatus};
use crate::options::ModelSource;
use crate::output;

mod pictures;
mod threads;

pub use pictures::PictureArgs;

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
    #[arg(long, conflicts_with_all = ["csv", "json", "threads"])]
    rows: bool,
    #[command(flatten)]
    threads: ThreadCurveArgs,
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
    #[arg(long, value_name = "COUNT", conflicts_with = "threads")]
    detail: Option<NonZeroU32>,
}

impl CurveArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        if self.threads.asked() {
            return self.over_threads().run(out);
        }
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

    /// Returns the question over numbers of threads.
    fn over_threads(&self) -> OverThreads<'_> {
        let Self { models, line_bytes, series, pictures, threads, roofline, csv, json, .. } = self;
        let form = match (csv, json) {
            (true, _) => Some(DataForm::Csv),
            (_, true) => Some(DataForm::Json),
            _ => None,
        };
        OverThreads { models, line_bytes: *line_bytes, series, pictures, threads, roofline: *roofline, form }
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
        let profiles = profiles::derive(model, line, case.miss_model, Counts::default(), &Growth::default())?;
        let spans = plot::spans(&profiles, &case.point()?).ok_or_else(|| {
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
