//! The values of the parameters, as given by the user.

use std::collections::BTreeMap;

use symloc_quasi::{Constraint, Evaluator};

use crate::error::RequestError;
use crate::types::{LineCount, Model};

/// A value for each parameter, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedSizes(BTreeMap<String, i64>);

impl Model {
    /// Returns the sizes that are counted in tiles whose size is a parameter.
    pub fn tiled(&self) -> impl Iterator<Item = &LineCount> {
        let of_lines = self.lines.iter().any(|line| line.symbolic.is_some());
        self.line_counts.iter().filter(move |_| !of_lines)
    }

    /// Returns the parameters without those of a thread's part.
    fn sizes_of_all_threads(&self) -> Vec<String> {
        let of_thread: Vec<&String> = self.threads.iter().flat_map(|threads| threads.names(self)).collect();
        self.parameters.iter().filter(|name| !of_thread.contains(name)).cloned().collect()
    }

    /// Returns true if a size may have this name: that of a parameter, the source's name of one, or a size that makes
    /// no difference.
    pub fn knows_size(&self, name: &str) -> bool {
        let is_in = |names: &[String]| names.iter().any(|known| known == name);
        is_in(&self.parameters) || self.arguments.contains_key(name) || is_in(&self.without_effect)
    }
}

impl NamedSizes {
    /// Creates an empty set of sizes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives a parameter a value; returns the value it had.
    pub fn insert(&mut self, name: impl Into<String>, value: i64) -> Option<i64> {
        self.0.insert(name.into(), value)
    }

    /// Returns the value of a parameter.
    pub fn get(&self, name: &str) -> Option<i64> {
        self.0.get(name).copied()
    }

    /// Checks that no part of a thread is given where all threads are asked about.
    ///
    /// # Errors
    ///
    /// [`RequestError::Unknown`] if a parameter of the model's thread has a value.
    pub fn are_of_all_threads(&self, model: &Model) -> Result<(), RequestError> {
        let mut of_thread = model.threads.iter().flat_map(|threads| threads.names(model));
        let Some(name) = of_thread.find(|name| self.get(name).is_some()) else { return Ok(()) };
        Err(RequestError::Unknown {
            name: name.clone(),
            similar: None,
            parameters: model.sizes_of_all_threads(),
            without_effect: model.without_effect.clone(),
        })
    }

    /// Returns the point at which a model is evaluated: one value for each of its parameters, truth values and line
    /// counts, in their order.
    pub fn point(&self, model: &Model) -> Result<Vec<i128>, RequestError> {
        if let Some(name) = self.0.keys().find(|name| !model.knows_size(name)) {
            return Err(RequestError::Unknown {
                name: name.clone(),
                similar: most_similar(name, &model.sizes_of_all_threads()).cloned(),
                parameters: model.sizes_of_all_threads(),
                without_effect: model.without_effect.clone(),
            });
        }
        let is_conditional = |name: &String| model.at_least_one.contains(name);
        if let Some((name, value)) = self.0.iter().find(|(name, value)| is_conditional(name) && **value < 1) {
            return Err(RequestError::Unused { name: name.clone(), value: *value });
        }
        let argument = |name: &String| model.arguments.iter().find(|(_, parameter)| *parameter == name).map(|(a, _)| a);
        let only = |name: &String| model.only_value(model.parameters.iter().position(|known| known == name)?);
        let is_given = |name: &String| self.get(name).is_some();
        let whole = model.threads.as_ref().filter(|threads| !threads.names(model).any(is_given));
        // Until all sizes are known.
        let of_thread = |name: &String| whole?.names(model).any(|known| known == name).then_some(0);
        let value = |name: &String| {
            self.get(name).or_else(|| self.get(argument(name)?)).or_else(|| only(name)).or_else(|| of_thread(name))
        };
        let (found, missing): (Vec<_>, Vec<_>) = model.parameters.iter().partition(|name| value(name).is_some());
        if !missing.is_empty() {
            return Err(RequestError::Missing { names: missing.into_iter().cloned().collect() });
        }
        let mut point: Vec<i128> = found.into_iter().filter_map(value).map(i128::from).collect();
        if let Some(threads) = whole {
            threads.set(&mut point, 0, 1);
        }
        let truth = |truth: &Constraint| {
            let sign = Evaluator::new(&truth.poly, point.len()).sign(&point);
            i128::from(truth.relation.holds(sign))
        };
        let truths: Vec<i128> = model.truths.iter().map(truth).collect();
        let counts: Vec<i128> = model.line_counts.iter().map(|count| count.at(&point)).collect();
        point.extend(truths.into_iter().chain(counts));
        Ok(point)
    }
}

impl<S: Into<String>> FromIterator<(S, i64)> for NamedSizes {
    fn from_iter<I: IntoIterator<Item = (S, i64)>>(sizes: I) -> Self {
        Self(sizes.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }
}

/// Returns the candidate that differs from `name` in case only, or else in the fewest letters, if they are few.
fn most_similar<'c>(name: &str, candidates: &'c [String]) -> Option<&'c String> {
    let distance = |c: &String| strsim::levenshtein(&name.to_lowercase(), &c.to_lowercase());
    let nearest = candidates.iter().min_by_key(|c| distance(c))?;
    (distance(nearest) * 2 < name.chars().count().max(2)).then_some(nearest)
}

#[cfg(test)]
pub(crate) mod tests {
    use symloc_quasi::{Poly, Relation, Var};

    use super::*;

    /// Returns the model of `for i = 0 to n: for j = 0 to i + 1: read A[i]` and two operations, one element per line, n
    /// at least 2. Row i reads A[i] in i + 1 accesses; the first of them comes N − i after the last of the run before.
    pub(crate) fn triangle() -> Model {
        Model::parse(include_str!("../../../tests/models/triangle.loc.json")).unwrap()
    }

    #[test]
    fn missing_and_unknown_parameters_are_named() {
        let model = triangle();
        let error = |sizes: &[(&str, i64)]| {
            sizes.iter().copied().collect::<NamedSizes>().point(&model).unwrap_err().to_string()
        };
        assert_eq!(error(&[]), "no value for the parameter n");
        assert_eq!(error(&[("N", 3)]), "`N` is not a parameter of this model (its parameter is n); did you mean `n`?");
        assert_eq!(error(&[("n", 3), ("rows", 3)]), "`rows` is not a parameter of this model (its parameter is n)");
    }

    #[test]
    fn parts_of_threads_are_not_offered() {
        let model = include_str!("../../../tests/models/jacobi-1d-threads.loc.json");
        let sizes: NamedSizes = [("rows", 3)].into_iter().collect();
        let error = sizes.point(&Model::parse(model).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "`rows` is not a parameter of this model (its parameters are tsteps, n)");
    }

    #[test]
    fn truth_values_follow_from_the_parameters() {
        let condition = |relation| Constraint { poly: &Poly::var(Var(0)) - &Poly::integer(3), relation };
        let truths = vec![condition(Relation::Zero), condition(Relation::NonNegative)];
        let model = Model { truths, ..triangle() };
        let point = |n: i64| [("n", n)].into_iter().collect::<NamedSizes>().point(&model).unwrap();
        assert_eq!([point(2), point(3), point(4)], [[2, 0, 0], [3, 1, 1], [4, 0, 1]]);
        assert_eq!(model.names(), ["n", "[n = 3]", "[n >= 3]"]);
    }

    #[test]
    fn sizes_without_effect_are_taken_and_ignored() {
        let model = Model { without_effect: vec!["m".to_owned()], ..triangle() };
        let point = |sizes: &[(&str, i64)]| sizes.iter().copied().collect::<NamedSizes>().point(&model);
        assert_eq!(point(&[("n", 3), ("m", 9)]), Ok(vec![3]));
        assert_eq!(point(&[("m", 9)]).unwrap_err().to_string(), "no value for the parameter n");
        let unknown = point(&[("n", 3), ("rows", 3)]).unwrap_err().to_string();
        assert_eq!(unknown, "`rows` is not a parameter of this model (its parameter is n; m makes no difference)");
    }

    #[test]
    fn sizes_without_effect_may_have_to_be_positive() {
        let without_effect = vec!["m".to_owned(), "k".to_owned()];
        let model = Model { without_effect, at_least_one: vec!["m".to_owned()], ..triangle() };
        let point = |sizes: &[(&str, i64)]| sizes.iter().copied().collect::<NamedSizes>().point(&model);
        assert_eq!(point(&[("n", 3), ("m", 1), ("k", -2)]), Ok(vec![3]));
        let error = point(&[("n", 3), ("m", 0)]).unwrap_err().to_string();
        assert_eq!(error, "m = 0 is outside the model's context: m >= 1 is required");
    }

    #[test]
    fn similar_names() {
        let names = ["ni".to_owned(), "nj".to_owned(), "tsteps".to_owned()];
        assert_eq!(most_similar("NJ", &names), Some(&names[1]));
        assert_eq!(most_similar("steps", &names), Some(&names[2]));
        assert_eq!(most_similar("x", &names), None);
        assert_eq!(most_similar("n", &[]), None);
    }
}
