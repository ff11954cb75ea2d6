//! The header of every answer about one size.

use std::io::{self, Write};

use serde::Serialize;
use symloc_evaluate::{Distribution, Instance, Int, Prediction, Totals};
use symloc_model::{Assumption, Model};

use crate::formats::{csv, json, text};

/// The header of every answer about one size.
#[derive(Clone, Debug)]
pub struct AnswerHeader {
    /// The function.
    pub function: String,
    /// The size.
    pub parameters: Vec<(String, i128)>,
    /// Bytes per line, if all arrays agree on them.
    pub line_bytes: Option<u64>,
    /// True if a line holds one element of each array.
    pub element: bool,
    /// N, the number of accesses.
    pub accesses: Int,
    /// m, the number of distinct blocks.
    pub blocks: Int,
    /// Remarks on what the model leaves out or takes for granted.
    pub remarks: Vec<String>,
    /// The assumptions, each with its place and file.
    pub assumptions: Vec<Assumption>,
}

impl AnswerHeader {
    /// Returns the header of a model's answer.
    pub fn new(model: &Model, distribution: &Distribution) -> Self {
        Self::of(model, &distribution.place, &distribution.accesses, &distribution.blocks)
    }

    /// Returns the header of an answer about caches.
    pub fn of_prediction(model: &Model, prediction: &Prediction) -> Self {
        Self::of_totals(model, prediction.totals())
    }

    /// Returns the header of an answer about a size.
    pub fn of_totals(model: &Model, Totals { place, accesses, blocks }: &Totals) -> Self {
        Self::of(model, place, accesses, blocks)
    }

    /// Builds the header of an answer from its parts.
    pub fn of(model: &Model, place: &Instance, accesses: &Int, blocks: &Int) -> Self {
        Self {
            function: model.function.clone(),
            parameters: place.parameters.clone(),
            line_bytes: place.line_bytes,
            element: place.element,
            accesses: accesses.clone(),
            blocks: blocks.clone(),
            remarks: model.remarks.clone(),
            assumptions: model.assumptions_with_files(),
        }
    }

    /// Returns the first fields of an answer in JSON, from this model of misses.
    pub fn fields(&self, model: &'static str) -> Fields<'_> {
        Fields {
            parameters: &self.parameters,
            model,
            line_bytes: self.line_bytes,
            accesses: &self.accesses,
            first_touches: &self.blocks,
            remarks: &self.remarks,
            assumptions: &self.assumptions,
        }
    }

    /// Writes the first lines of every answer for people.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}{}, {}", self.function, self.at(), self.lines())?;
        writeln!(out, "{} accesses, {} first touches", self.accesses, self.blocks)
    }

    /// Writes the first lines of several answers, with everything that all of them have in common. Returns the
    /// parameters that differ.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write_common<'h>(
        mut headers: impl Iterator<Item = &'h AnswerHeader>,
        out: &mut dyn Write,
    ) -> io::Result<Vec<String>> {
        let Some(first) = headers.next() else { return Ok(Vec::new()) };
        let mut common = first.parameters.clone();
        // Where the line size is a parameter, lines differ.
        let mut lines = format!(", {}", first.lines());
        for header in headers {
            common.retain(|size| header.parameters.contains(size));
            if header.lines() != first.lines() {
                lines.clear();
            }
        }
        if common.len() == first.parameters.len() {
            first.write(out)?;
            return Ok(Vec::new());
        }
        writeln!(out, "{}{}{lines}", first.function, at(&common))?;
        let names = first.parameters.iter().map(|(name, _)| name);
        Ok(names.filter(|name| common.iter().all(|(common, _)| common != *name)).cloned().collect())
    }

    /// Returns ` at n = 16`, or an empty string if there are no parameters.
    pub fn at(&self) -> String {
        at(&self.parameters)
    }

    fn lines(&self) -> String {
        text::lines(self.line_bytes, self.element)
    }

    /// Returns the parameters of some answers, each once.
    pub fn parameter_names<'h>(headers: impl Iterator<Item = &'h AnswerHeader>) -> Vec<&'h String> {
        let mut names: Vec<&String> = Vec::new();
        for (name, _) in headers.flat_map(|header| &header.parameters) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Returns the values of some parameters as cells in CSV, empty for those that it does not have.
    pub fn cells(&self, names: &[&String]) -> Vec<String> {
        let value = |name: &&String| self.parameters.iter().find(|(known, _)| known == *name).map(|(_, value)| value);
        names.iter().map(|name| csv::optional(value(name))).collect()
    }

    /// Returns the values of some parameters.
    pub fn values(&self, names: &[String]) -> Vec<String> {
        let value = |name: &String| self.parameters.iter().find(|(known, _)| known == name);
        names.iter().filter_map(value).map(|(_, value)| value.to_string()).collect()
    }
}

/// A [`AnswerHeader`] in JSON, to be flattened into an answer.
#[derive(Serialize)]
pub struct Fields<'a> {
    #[serde(serialize_with = "json::parameters")]
    parameters: &'a [(String, i128)],
    model: &'static str,
    line_bytes: Option<u64>,
    #[serde(serialize_with = "json::int")]
    accesses: &'a Int,
    #[serde(serialize_with = "json::int")]
    first_touches: &'a Int,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    remarks: &'a [String],
    #[serde(skip_serializing_if = "<[Assumption]>::is_empty")]
    assumptions: &'a [Assumption],
}

fn at(sizes: &[(String, i128)]) -> String {
    if sizes.is_empty() { String::new() } else { format!(" at {}", text::sizes(sizes)) }
}
