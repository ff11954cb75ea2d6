//! `curve --html`: the page that explores some models, with all texts that do not depend on their sizes.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use symloc_locality::{Counts, Growth};
use symloc_machine::Capacity;
use symloc_model::{LineChoice, LineModel, Model};
use symloc_page::document::{Explorer, ExplorerModel, ModelFacts, SourceFile, Start, document};
use symloc_quasi::Style;
use symloc_report::answers::formulas::profiles::ProfileColumns;
use symloc_report::formats::{html, text};
use symloc_report::plot::{Picture, Scale, SizeMark, Span, Unit};
use symloc_report::{Format, MissModel, Sheet, subject};

use super::formulas::tables::TablesAbout;
use super::formulas::{profiles, table};
use crate::answers::series::{LoadedModel, SeriesCase};
use crate::error::CliError;
use crate::source;

/// Returns the page; it starts with the given picture.
pub(crate) fn page(
    picture: &Picture,
    members: &[LoadedModel],
    cases: &[SeriesCase<'_>],
    marks: &[SizeMark],
    scale: Scale,
) -> Result<String, CliError> {
    let models = members.iter().map(|member| model(member, cases)).collect::<Result<_, CliError>>()?;
    let start = start(picture, members, cases, marks, scale)?;
    Ok(document(&Explorer { picture, models, start }).map_err(io::Error::from)?)
}

fn start(
    picture: &Picture,
    members: &[LoadedModel],
    cases: &[SeriesCase<'_>],
    marks: &[SizeMark],
    scale: Scale,
) -> Result<Start, CliError> {
    let first = cases.first().map(SeriesCase::prediction).transpose()?;
    let line_bytes = first.as_ref().and_then(|first| first.place().line_bytes);
    let lines = line_bytes.filter(|_| picture.sizes.unit == Unit::Bytes).unwrap_or(1) as f64;
    let spans =
        picture.spans.iter().map(|span| Span { label: span.label.clone(), ends: span.ends.map(|end| end / lines) });
    let word = |mark: &SizeMark| (mark.name.clone(), mark.capacity.to_string().replace(' ', ""));
    let caches = marks.iter().map(word).collect::<Vec<_>>();
    Ok(Start {
        sizes: sizes(members, cases)?,
        caches: if caches.is_empty() { usual_caches(line_bytes) } else { caches },
        scale: if scale == Scale::Log { "log" } else { "linear" },
        misses: cases.first().map_or(MissModel::Denning, |case| case.miss_model).name(),
        spans: Start::spans(&spans.collect::<Vec<_>>()),
    })
}

/// Returns a first and a second level of usual sizes, in whole lines.
fn usual_caches(line_bytes: Option<u64>) -> Vec<(Option<String>, String)> {
    let words = |bytes: u64| match line_bytes {
        Some(line) if bytes.is_multiple_of(line) => Capacity::Bytes(bytes).to_string().replace(' ', ""),
        Some(line) => format!("{}B", bytes / line * line),
        None => format!("{}lines", bytes / 64),
    };
    [32 << 10, 1 << 20].map(|bytes| (None, words(bytes))).to_vec()
}

/// Returns the sizes of all models together: the first case of each of them, the second, and so on. A model with fewer keeps its
/// last.
fn sizes(members: &[LoadedModel], cases: &[SeriesCase<'_>]) -> Result<Vec<Vec<(String, i128)>>, CliError> {
    let mut of_models: Vec<Vec<Vec<(String, i128)>>> = Vec::new();
    for member in members {
        let own = cases.iter().filter(|case| std::ptr::eq(case.member, member));
        let own = own.map(|case| Ok(case.prediction()?.place().parameters.clone()));
        of_models.push(own.collect::<Result<_, CliError>>()?);
    }
    let rows = of_models.iter().map(Vec::len).max().unwrap_or(0);
    let row = |index: usize| {
        let mut row: Vec<(String, i128)> = Vec::new();
        for (name, value) in of_models.iter().filter_map(|own| own.get(index).or(own.last())).flatten() {
            if row.iter().all(|(known, _)| known != name) {
                row.push((name.clone(), *value));
            }
        }
        row
    };
    Ok((0..rows).map(row).collect())
}

fn model(member: &LoadedModel, cases: &[SeriesCase<'_>]) -> Result<ExplorerModel, CliError> {
    let LoadedModel { label, model, with_threads, .. } = member;
    let (choice, miss_model) =
        cases.first().map_or((LineChoice::Only, MissModel::Denning), |case| (case.line, case.miss_model));
    let line = model.line(choice)?;
    let (files, no_source) = match files(model) {
        Ok(files) => (files, None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    let facts = ModelFacts {
        label: label.clone(),
        parameters: model.parameters.clone(),
        context: text::sizes_of(model, "", Style::Text),
        lines: text::lines_of(model, line),
        line_bytes: line.symbolic.map_or(line.line_bytes, |symbolic| Some(symbolic.element_bytes)),
        line_choice: match choice {
            LineChoice::Bytes(bytes) if line.symbolic.is_none() => Some(bytes),
            _ => None,
        },
        exact: line.distances.is_some(),
        threads: with_threads.is_some(),
        files,
        no_source,
        remarks: model.remarks.clone(),
    };
    let assumptions = model.assumptions_with_files().iter().map(ToString::to_string).collect();
    let formulas = formulas(model, line, choice, miss_model);
    Ok(ExplorerModel { text: with_threads.as_ref().unwrap_or(model).to_json(), facts, formulas, assumptions })
}

/// Returns the source, file by file.
fn files(model: &Model) -> Result<Vec<SourceFile>, CliError> {
    let mut places: BTreeMap<&str, Vec<(u32, u32)>> = BTreeMap::new();
    for access in &model.outline()?.accesses {
        places.entry(subject::file(model, access)).or_default().push((access.line, access.column));
    }
    let file = |(name, mut places): (&str, Vec<(u32, u32)>)| {
        places.sort_unstable();
        let text = source::read(model, name, &source::locate(name, false, &[]), places.into_iter())?;
        Ok(SourceFile::new(name, text))
    };
    places.into_iter().map(file).collect()
}

/// Typesets the locality table and the scaling laws.
fn formulas(
    model: &Arc<Model>,
    line: &LineModel,
    choice: LineChoice,
    miss_model: MissModel,
) -> Vec<(&'static str, Result<String, String>)> {
    let typeset = |sheets: Result<Vec<Sheet>, CliError>| match sheets {
        Ok(sheets) => Ok(html::fragment(&sheets, "h3")),
        Err(error) => Err(error.to_string()),
    };
    let profiles = profiles::derive(model, line, miss_model, Counts::default(), &Growth::default());
    let about = |miss_model| TablesAbout { choice, miss_model, operations: false };
    let table = |miss_model| table::sheets(model, about(miss_model), profiles.as_ref().ok(), Format::Html);
    let tables = table(miss_model).or_else(|_| table(MissModel::Denning));
    let laws = profiles.as_ref().map(|profiles| profiles.sheets(Format::Html, ProfileColumns::Scaling));
    let laws = laws.map_err(|error| CliError::refused(error.to_string()));
    vec![("Locality table", typeset(tables)), ("Scaling laws", typeset(laws))]
}
