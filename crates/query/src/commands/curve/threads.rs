//! `curve --threads`: misses and traffic over the number of threads, and with `--roofline` the speed that they allow.

use std::io::Write;

use clap::Args;
use symloc_machine::{CacheRange, Levels, Machine, SourceRate};
use symloc_model::LineChoice;
use symloc_report::answers::over_threads::curve::{self, ThreadCurve};
use symloc_report::answers::over_threads::roofline::{Cores, ThreadRooflines};
use symloc_report::plot::room_for;
use symloc_report::plot::threads::ThreadPicture;
use symloc_report::{MissModel, Terminal};

use super::pictures::{PictureArgs, title};
use crate::answers::question::Question;
use crate::answers::sampled::are_run_by_default;
use crate::answers::series::{LoadedModel, SeriesArgs, SeriesCase};
use crate::answers::threads::ThreadNeeds;
use crate::answers::threads::every_count::EveryCount;
use crate::answers::threads::traffic::{MachineCaches, measured};
use crate::error::{CliError, ExitStatus};
use crate::options::ModelSource;
use crate::options::caches::{CacheArgs, single};
use crate::options::samples::SampleArgs;
use crate::options::threads::ThreadArgs;
use crate::output;

/// The options of curves over the number of threads.
#[derive(Clone, Debug, Args)]
pub(super) struct ThreadCurveArgs {
    #[command(flatten)]
    threads: ThreadArgs,
    /// With --threads: a cache, one for each level, as in `query`; they come behind those of --machine
    #[arg(
        long = "cache",
        value_name = "SIZE[,WAYS[,LINE[,POLICY]]]",
        requires = "threads",
        conflicts_with = "roofline"
    )]
    caches: Vec<CacheRange>,
    /// With --threads: take all caches as fully associative, whatever ways they have, and those of --machine as LRU
    #[arg(long, requires = "threads", conflicts_with = "roofline")]
    fully_associative: bool,
    /// With --threads and --roofline: how much a level of --machine, or memory, delivers to all cores together:
    /// memory=80GB/s; one for each
    #[arg(long = "all-cores", value_name = "LEVEL=RATE", requires_all = ["threads", "roofline"])]
    rates: Vec<SourceRate>,
}

impl ThreadCurveArgs {
    /// Returns true if the question is about numbers of threads.
    pub(super) fn asked(&self) -> bool {
        self.threads.threads.is_some()
    }
}

/// The form of data.
#[derive(Clone, Copy)]
pub(super) enum DataForm {
    Csv,
    Json,
}

/// A question over the number of threads.
pub(super) struct OverThreads<'a> {
    pub(super) models: &'a [ModelSource],
    pub(super) line_bytes: Option<u64>,
    pub(super) series: &'a SeriesArgs,
    pub(super) pictures: &'a PictureArgs,
    pub(super) threads: &'a ThreadCurveArgs,
    pub(super) roofline: bool,
    /// The form of the data, if data are asked for.
    pub(super) form: Option<DataForm>,
}

impl OverThreads<'_> {
    /// Answers the question.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        if !self.pictures.marks.is_empty() {
            return Err(CliError::with_hint(
                "--mark is about the axis of cache sizes, and with --threads there is none",
                "give the caches with --cache",
            ));
        }
        let members = LoadedModel::load_with_threads(self.models)?;
        let counts = self.counts();
        match (self.roofline, &self.pictures.machine) {
            (true, Some(machine)) => self.write_rooflines(out, &members, machine, &counts)?,
            _ => self.write_curves(out, &members, &counts)?,
        }
        Ok(ExitStatus::Success)
    }

    /// Returns the numbers of threads, each once, ascending.
    fn counts(&self) -> Vec<u64> {
        let mut counts: Vec<u64> = self.threads.threads.threads.iter().flat_map(|counts| counts.iter()).collect();
        counts.sort_unstable();
        counts.dedup();
        counts
    }

    /// Returns the cases, after a check of their number.
    fn cases<'m>(
        &self,
        members: &'m [LoadedModel],
        line: LineChoice,
        counts: &[u64],
    ) -> Result<Vec<SeriesCase<'m>>, CliError> {
        let cases = self.series.cases(members, line)?;
        self.series.check(cases.len() as u128 * counts.len() as u128)?;
        if self.pictures.wanted() || self.form.is_none() {
            room_for(cases.len())?;
        }
        Ok(cases)
    }

    fn write_curves(&self, out: &mut dyn Write, members: &[LoadedModel], counts: &[u64]) -> Result<(), CliError> {
        let ThreadCurveArgs { caches, fully_associative, .. } = self.threads;
        let caches = CacheArgs::new(caches.clone(), self.pictures.machine.clone(), *fully_associative);
        let levels = caches.levels(|count| self.series.check(count))?;
        single(&levels)?;
        let cases = self.cases(members, levels.line(self.line_bytes)?, counts)?;
        let of = |case: &SeriesCase<'_>| self.curve(case, &levels, counts).map_err(|error| case.explain(error));
        let curves = cases.iter().map(of).collect::<Result<Vec<_>, _>>()?;
        match self.form {
            Some(DataForm::Csv) => curve::write_csv(out, &curves)?,
            Some(DataForm::Json) => curve::write_json(out, &curves)?,
            None => {}
        }
        if self.form.is_some() && !self.pictures.wanted() {
            return Ok(());
        }
        let picture = ThreadPicture::of_curves(title(members), &curves, self.pictures.scale)?;
        self.write_picture(out, &picture, |out| Ok(curve::write_text(out, &curves)?))?;
        if !self.writes_text() {
            return Ok(());
        }
        picture.write_chart(out, Terminal::of_stdout().unwrap_or(Terminal::PLAIN))?;
        writeln!(out)?;
        Ok(curve::write_text(out, &curves)?)
    }

    /// Returns true if neither data nor files are asked for.
    fn writes_text(&self) -> bool {
        self.form.is_none() && !self.pictures.wanted()
    }

    /// Writes the files that are asked for.
    fn write_picture(
        &self,
        out: &mut dyn Write,
        picture: &ThreadPicture,
        table: impl Fn(&mut dyn Write) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        if let Some(path) = &self.pictures.svg {
            output::write(out, path, &picture.svg())?;
        }
        if let Some(path) = &self.pictures.html {
            let mut text = Vec::new();
            table(&mut text)?;
            output::write(out, path, &picture.page(&String::from_utf8_lossy(&text)))?;
        }
        Ok(())
    }

    /// Returns the misses of a program on each number of threads.
    fn curve(&self, case: &SeriesCase<'_>, levels: &Levels, counts: &[u64]) -> Result<ThreadCurve, CliError> {
        let (model, args) = (case.member.model.as_ref(), &self.threads.threads);
        let asked = self.series.asked_model();
        let built = asked.is_none() && are_run_by_default(levels, model);
        let run = ThreadNeeds { model, args, built, formulas: asked.is_some() }.a_run()?;
        let evaluator = case.own_evaluator()?;
        // Runs need only data that every prediction holds.
        let miss_model = if run { MissModel::Denning } else { case.miss_model };
        let (sizes, hierarchies) = (case.grid(), levels.hierarchies().collect());
        let question = Question { model, evaluator: &evaluator, miss_model, sizes: &sizes, hierarchies };
        let every_count = match run {
            true => EveryCount::by_runs(&question, args, counts.to_vec(), &SampleArgs::default(), built)?,
            false => EveryCount::by_formulas(&question, args, counts.to_vec()),
        };
        let mut points = Vec::new();
        every_count.at(&case.sizes(), |answer| {
            points.push(answer);
            Ok(())
        })?;
        Ok(ThreadCurve { name: case.name.clone(), points })
    }

    fn write_rooflines(
        &self,
        out: &mut dyn Write,
        members: &[LoadedModel],
        machine: &Machine,
        counts: &[u64],
    ) -> Result<(), CliError> {
        let ThreadCurveArgs { threads: args, rates, .. } = self.threads;
        let caches = MachineCaches::read(machine, rates)?;
        let cases = self.cases(members, self.line_bytes.map_or(LineChoice::Only, LineChoice::Bytes), counts)?;
        let cores = Cores {
            machine: machine.to_string(),
            speed: caches.speed.clone(),
            own_sources: caches.own_sources(args.shared_levels)?,
        };
        caches.check_rates(&cores, counts)?;
        let of = |case| measured(case, &caches, args, counts).map_err(|error| case.explain(error));
        let programs = cases.iter().map(of).collect::<Result<_, _>>()?;
        let rooflines = ThreadRooflines::new(cores, programs).map_err(|error| caches.explain(&error))?;
        match self.form {
            Some(DataForm::Csv) => rooflines.write_csv(out)?,
            Some(DataForm::Json) => rooflines.write_json(out)?,
            None => {}
        }
        if self.pictures.wanted() {
            let picture = ThreadPicture::of_rooflines(title(members), &rooflines)?;
            self.write_picture(out, &picture, |out| Ok(rooflines.write_text(out)?))?;
        }
        if self.writes_text() { Ok(rooflines.write_text(out)?) } else { Ok(()) }
    }
}
