//! Several models at several sizes: the cases of a query, and their names.
//!
//! `-D n=256,1024 -D m=8` are two cases of each model. Parameters go by their names: a model takes those definitions
//! that are about its own parameters, and a definition that no model knows is refused.

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use num_bigint::BigInt;
use symloc_evaluate::evaluator::DEFAULT_POINTS;
use symloc_evaluate::{Distribution, EvalError, Evaluator, Prediction, WholeCurve};
use symloc_model::{LineChoice, LineModel, Model, NamedSizes};
use symloc_report::formats::text;
use symloc_report::{MissModel, miss_model};

use crate::error::CliError;
use crate::options::grid::{Grid, ParameterAxis, Point};
use crate::options::{GridArgs, ModelSource, ParameterArgs};

/// At which sizes.
#[derive(Clone, Debug, Args)]
pub struct SeriesArgs {
    #[command(flatten)]
    parameters: ParameterArgs,
    #[command(flatten)]
    grid: GridArgs,
    /// How misses are predicted: lru by default, where the models hold reuse distances
    #[arg(long = "model", value_name = "MODEL", value_parser = miss_model::parser(), id = "miss_model")]
    miss_model: Option<MissModel>,
    /// How many points of free iterators one evaluation may visit
    #[arg(long, value_name = "COUNT", default_value_t = DEFAULT_POINTS)]
    pub max_points: u64,
}

/// A model among others.
#[derive(Clone, Debug)]
pub struct LoadedModel {
    /// The name in messages: that of its file.
    pub source: String,
    /// The name in pictures and tables.
    pub label: String,
    /// The model.
    pub model: Arc<Model>,
    /// The model with the parameters of threads, if `model` is that of one thread and there is one with them.
    pub with_threads: Option<Arc<Model>>,
}

impl LoadedModel {
    /// Reads some models; each gets the shortest name that distinguishes it from the others.
    ///
    /// # Errors
    ///
    /// A refusal if a file cannot be read or holds no valid model.
    pub fn load(sources: &[ModelSource]) -> Result<Vec<LoadedModel>, CliError> {
        Ok(Self::load_with_threads(sources)?.into_iter().map(Self::on_one_thread).collect())
    }

    /// Returns the model of the program on one thread, if it has parameters of threads.
    #[must_use]
    pub fn on_one_thread(self) -> Self {
        match self.model.threads {
            None => self,
            Some(_) => Self { model: Arc::new(self.model.on_one_thread()), with_threads: Some(self.model), ..self },
        }
    }

    /// Reads some models, with the parameters of threads that they may have.
    ///
    /// # Errors
    ///
    /// Those of [`load`](Self::load).
    pub fn load_with_threads(sources: &[ModelSource]) -> Result<Vec<LoadedModel>, CliError> {
        let load = |source: &ModelSource| Ok((source.to_string(), source.load_with_threads()?));
        Ok(LoadedModel::label(sources.iter().map(load).collect::<Result<_, CliError>>()?))
    }

    /// Names models by their functions, or else by their files without folders, or with them, or by numbers.
    pub fn label(models: Vec<(String, Arc<Model>)>) -> Vec<LoadedModel> {
        let functions: Vec<_> = models.iter().map(|(_, model)| model.function.clone()).collect();
        let files: Vec<_> = models.iter().map(|(source, _)| stem(source)).collect();
        let sources: Vec<_> = models.iter().map(|(source, _)| source.clone()).collect();
        let numbered = (1..).zip(&functions).map(|(number, name)| format!("{name} ({number})")).collect();
        let labels = [functions, files, sources].into_iter().find(|names| distinct(names)).unwrap_or(numbered);
        let member = |((source, model), label)| LoadedModel { source, label, model, with_threads: None };
        models.into_iter().zip(labels).map(member).collect()
    }
}

/// Returns the name of a file without folders and suffix: `lu` for `models/lu.loc.json`.
fn stem(source: &str) -> String {
    let name = Path::new(source).file_name().map_or(source.into(), |name| name.to_string_lossy());
    let known = [".loc.json", ".json", ".mlir", ".einsum"];
    known.iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(&name).to_owned()
}

fn distinct(names: &[String]) -> bool {
    names.iter().enumerate().all(|(index, name)| !names[..index].contains(name))
}

/// The part that all cases of a series have in common.
#[derive(Clone, Copy)]
struct SeriesAbout {
    line: LineChoice,
    miss_model: MissModel,
    /// True if there are several models, which are told apart by their names.
    several: bool,
}

impl SeriesArgs {
    /// Returns each model at each of its sizes. The names of the cases state the values that vary among them.
    ///
    /// # Errors
    ///
    /// A refusal of a definition that no model knows or that does not fit, of too many points, or of a miss model that a model
    /// does not support.
    pub fn cases<'m>(&self, members: &'m [LoadedModel], line: LineChoice) -> Result<Vec<SeriesCase<'m>>, CliError> {
        self.refuse_unknown(members)?;
        let about = SeriesAbout { line, miss_model: self.choose(members, line)?, several: members.len() > 1 };
        let mut cases: Vec<SeriesCase<'m>> = Vec::new();
        for member in members {
            let (first, grid) = (cases.len(), self.grid_of(member)?);
            for case in grid.points().map(|point| self.case(member, &grid, point, about)) {
                // A parameter that varies may not be one of this model.
                if cases[first..].iter().all(|earlier| earlier.sizes != case.sizes) {
                    cases.push(case);
                }
            }
        }
        Ok(cases)
    }

    /// Returns two models side by side at each size.
    ///
    /// # Errors
    ///
    /// Those of [`cases`](Self::cases).
    pub fn pairs<'m>(
        &self,
        members: &'m [LoadedModel; 2],
        line: LineChoice,
    ) -> Result<Vec<[SeriesCase<'m>; 2]>, CliError> {
        self.refuse_unknown(members)?;
        let about = SeriesAbout { line, miss_model: self.choose(members, line)?, several: true };
        let [first, second] = members;
        let grids = [self.grid_of(first)?, self.grid_of(second)?];
        // Both have an axis for each definition, and a data set adds single values.
        let points = grids[0].points().zip(grids[1].points());
        let pair = |(one, other)| [self.case(first, &grids[0], one, about), self.case(second, &grids[1], other, about)];
        Ok(points.map(pair).collect())
    }

    /// Returns the miss model that the user asks for.
    pub fn asked_model(&self) -> Option<MissModel> {
        self.miss_model
    }

    /// Refuses more points than the limit.
    ///
    /// # Errors
    ///
    /// That of [`GridArgs::check`].
    pub fn check(&self, points: u128) -> Result<(), CliError> {
        self.grid.check(points)
    }

    /// Chooses one miss model for all of them.
    fn choose(&self, members: &[LoadedModel], line: LineChoice) -> Result<MissModel, CliError> {
        let choose = |member: &LoadedModel| MissModel::choose(self.miss_model, &member.model, line);
        let chosen = members.iter().map(choose).collect::<Result<Vec<_>, _>>()?;
        Ok(if chosen.contains(&MissModel::Denning) { MissModel::Denning } else { MissModel::Lru })
    }

    fn grid_of(&self, member: &LoadedModel) -> Result<Grid, CliError> {
        let grid = self.parameters.grid(&member.model.function, &member.model.parameters)?;
        self.grid.check(grid.count())?;
        Ok(grid)
    }

    fn case<'m>(&self, member: &'m LoadedModel, grid: &Grid, point: Point, about: SeriesAbout) -> SeriesCase<'m> {
        let SeriesAbout { line, miss_model, several } = about;
        // A single model refuses an unknown name with a suggestion.
        let known = |name: &String| !several || member.model.knows_size(name);
        let sizes: Point = point.into_iter().filter(|(name, _)| known(name)).collect();
        let varies = |name: &String| grid.ranges().any(|axis| axis.values.count() > 1 && axis.names.contains(name));
        let varying = sizes.iter().filter(|(name, _)| varies(name));
        let varying: Vec<_> = varying.map(|(name, value)| (name.clone(), i128::from(*value))).collect();
        let label = several.then(|| member.label.clone());
        let parts = label.into_iter().chain((!varying.is_empty()).then(|| text::grouped_sizes(&varying)));
        let name = parts.collect::<Vec<_>>().join(", ");
        SeriesCase { member, name, sizes, line, miss_model, max_points: self.max_points, several }
    }

    /// Returns the first parameter of a model that another lacks and that has no value.
    ///
    /// # Errors
    ///
    /// A refusal of a definition that does not fit, or of too many points.
    pub fn without_value<'m>(
        &self,
        member: &'m LoadedModel,
        other: &LoadedModel,
    ) -> Result<Option<&'m String>, CliError> {
        let grid = self.grid_of(member)?;
        let defined = |name: &String| grid.axes().any(|axis| axis.names.contains(name));
        let own = |name: &&String| !other.model.parameters.contains(name);
        Ok(member.model.parameters.iter().filter(own).find(|name| !defined(name)))
    }

    fn refuse_unknown(&self, members: &[LoadedModel]) -> Result<(), CliError> {
        let known = |name: &str| members.iter().any(|member| member.model.knows_size(name));
        match (members, self.parameters.names().find(|name| !known(name))) {
            ([_], _) | (_, None) => Ok(()),
            (_, Some(unknown)) => Err(CliError::with_hint(
                format!("`{unknown}` is a parameter of none of the models"),
                parameters_of(members),
            )),
        }
    }
}

/// Returns a text such as `a.loc.json: n, m; b.loc.json: none`.
pub fn parameters_of(members: &[LoadedModel]) -> String {
    let of = |member: &LoadedModel| match member.model.parameters.as_slice() {
        [] => format!("{}: none", member.source),
        names => format!("{}: {}", member.source, names.join(", ")),
    };
    let list = members.iter().map(of).collect::<Vec<_>>().join("; ");
    format!("parameters go by their names ({list}); `symloc derive --name OLD=NEW` renames them")
}

/// A whole miss curve.
#[derive(Clone, Debug)]
pub struct Exact {
    /// The curve.
    pub curve: WholeCurve,
    /// The histogram from which it is computed.
    pub distribution: Distribution,
}

/// A model at a size.
#[derive(Clone, Debug)]
pub struct SeriesCase<'m> {
    /// The model.
    pub member: &'m LoadedModel,
    /// The name that distinguishes it from the other cases; empty if there are none.
    pub name: String,
    /// The values that are defined.
    sizes: Point,
    /// The miss model.
    pub miss_model: MissModel,
    /// The line size.
    pub line: LineChoice,
    max_points: u64,
    several: bool,
}

impl SeriesCase<'_> {
    /// Prepares the misses of all caches.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::predict`], with the model's name if there are several.
    pub fn prediction(&self) -> Result<Prediction, CliError> {
        let evaluator = self.own_evaluator()?;
        evaluator.predict(self.miss_model, &self.sizes()).map_err(|error| self.explain(error.into()))
    }

    /// Returns every step of the curve. `None` if more points would have to be
    /// visited than the smaller of `limit` and the user's limit.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::distribution`], except for the limit.
    pub fn exact(&self, limit: u64) -> Result<Option<Exact>, CliError> {
        let evaluator = self.evaluator(limit.min(self.max_points))?;
        let found = |miss_model| match evaluator.distribution(miss_model, &self.sizes()) {
            Ok(found) => Ok(Some(found)),
            Err(EvalError::Limit { .. }) => Ok(None),
            Err(error) => Err(self.explain(error.into())),
        };
        let Some(intervals) = found(MissModel::Denning)? else { return Ok(None) };
        if self.miss_model == MissModel::Denning {
            return Ok(Some(Exact { curve: WholeCurve::new(&intervals, &intervals), distribution: intervals }));
        }
        let exact = |distribution| Exact { curve: WholeCurve::new(&distribution, &intervals), distribution };
        Ok(found(self.miss_model)?.map(exact))
    }

    /// Returns the part of the model for the chosen line size.
    ///
    /// # Errors
    ///
    /// A refusal if the model has no lines of the requested size.
    pub fn line_model(&self) -> Result<&LineModel, CliError> {
        self.member.model.line(self.line).map_err(|error| self.explain(error.into()))
    }

    /// Returns the point at which its model is evaluated.
    ///
    /// # Errors
    ///
    /// A refusal if a parameter has no value, or if a name is unknown.
    pub fn point(&self) -> Result<Vec<BigInt>, CliError> {
        let point = self.sizes().point(&self.member.model).map_err(|error| self.explain(error.into()))?;
        Ok(point.into_iter().map(BigInt::from).collect())
    }

    /// Returns an evaluator of its model.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::new`].
    pub fn own_evaluator(&self) -> Result<Evaluator<'_>, CliError> {
        self.evaluator(self.max_points)
    }

    fn evaluator(&self, limit: u64) -> Result<Evaluator<'_>, CliError> {
        let evaluator = Evaluator::new(&self.member.model, self.line).map_err(|error| self.explain(error.into()))?;
        Ok(evaluator.with_limit(limit))
    }

    /// Returns the values that are defined, as a grid of one point.
    pub fn grid(&self) -> Grid {
        let axis = |(name, value): &(String, i64)| ParameterAxis { names: vec![name.clone()], values: (*value).into() };
        Grid::new(self.sizes.iter().map(axis).collect())
    }

    /// Returns the values that are defined.
    pub fn sizes(&self) -> NamedSizes {
        self.sizes.iter().map(|(name, value)| (name.clone(), *value)).collect()
    }

    /// Adds the model's name to an error, if there are several models.
    pub fn explain(&self, error: CliError) -> CliError {
        match error {
            CliError::Refused { message, hint } if self.several => {
                CliError::Refused { message: format!("{}: {message}", self.member.source), hint }
            }
            other => other,
        }
    }
}
