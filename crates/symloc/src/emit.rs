//! `--emit`: a stage of the derivation as text, relations in isl notation.

use std::io::{self, Write};

use clap::ValueEnum;
use symloc_affine::{Layout, Line, ParamId, Program};
use symloc_isl::Context;
use symloc_model::variable_names;
use symloc_quasi::{Notation, Style};
use symloc_query::CliError;
use symloc_reuse::lines::LineStarts;
use symloc_reuse::previous::Prev;
use symloc_reuse::schedule::coordinates::Coordinates;
use symloc_reuse::schedule::rank::Ranks;
use symloc_reuse::schedule::timestamps::{Timestamps, statement_name};
use symloc_reuse::{DeriveOptions, Derived, Error, Frame, LineSizes, derive};

use crate::derivation::explain;
use crate::input::Input;

/// A stage of the derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stage {
    /// What a network was lowered to: linalg on tensors
    Mlir,
    /// The affine program
    Affine,
    /// The accesses in order, loops in brackets and guards in braces
    Trace,
    /// The timestamp of each access
    Timestamps,
    /// The block that each access touches
    Accesses,
    /// The previous access to the same block
    Prev,
    /// The number of accesses before each access
    Rank,
    /// The reuse classes
    Classes,
}

/// Writes a stage.
pub(crate) fn emit(
    out: &mut dyn Write,
    input: &Input,
    layout: Layout,
    lines: &LineSizes,
    stage: Stage,
) -> Result<(), CliError> {
    let program = &input.program;
    match stage {
        Stage::Mlir => return lowered(out, input),
        Stage::Affine => return Ok(write!(out, "{program}")?),
        Stage::Trace => return Ok(write!(out, "{}", program.bracketed())?),
        _ => (),
    }
    let text = match stage {
        Stage::Classes => classes(program, layout, lines),
        _ => relations(program, layout, lines, stage),
    };
    out.write_all(text.map_err(|error| explain(program, &error))?.as_bytes())?;
    Ok(())
}

fn lowered(out: &mut dyn Write, input: &Input) -> Result<(), CliError> {
    match &input.lowered {
        Some(text) => Ok(out.write_all(text.as_bytes())?),
        None => Err(CliError::with_hint(
            format!("--emit mlir: {} is no network, and was not lowered", input.name),
            "`--emit affine` prints the program that was read",
        )),
    }
}

fn relations(program: &Program, layout: Layout, lines: &LineSizes, stage: Stage) -> Result<String, Error> {
    let isl = &Context::new()?;
    let timestamps = Timestamps::new(isl, program)?;
    let mut text = Vec::new();
    match stage {
        Stage::Timestamps => {
            for statement in &timestamps.statements {
                text.push(statement.schedule.to_text()?);
            }
        }
        Stage::Rank => text = ranks(isl, program, &timestamps)?,
        _ => {
            for (name, Coordinates { accesses, schedule, .. }) in coordinates(isl, program, &timestamps, layout, lines)?
            {
                text.push(format!("# {name}"));
                let maps = match stage {
                    Stage::Accesses => accesses.maps()?,
                    _ => {
                        let prev = Prev::new(&accesses, &schedule)?;
                        let mut maps = prev.real.coalesce()?.maps()?;
                        maps.extend(prev.imaginary.coalesce()?.maps()?);
                        maps
                    }
                };
                for map in maps {
                    text.push(map.to_text()?);
                }
            }
        }
    }
    text.push(String::new());
    Ok(text.join("\n"))
}

/// Returns the coordinates of the program at each line size, with the name of the line size.
fn coordinates(
    isl: &Context,
    program: &Program,
    timestamps: &Timestamps,
    layout: Layout,
    lines: &LineSizes,
) -> Result<Vec<(String, Coordinates)>, Error> {
    let ranks = Ranks::new(isl, program, timestamps)?;
    let fixed = |line: &Line| {
        let accesses = timestamps.accesses(isl, program, layout, *line)?;
        Ok((line_name(*line), Coordinates::of_program(isl, program, timestamps, &ranks, accesses)?))
    };
    match lines {
        LineSizes::Fixed(lines) => lines.iter().map(fixed).collect(),
        LineSizes::Symbolic(parameter) => {
            let starts = LineStarts::new(isl, program, timestamps, &ranks, layout, *parameter)?;
            Ok(vec![(symbolic_name(program, *parameter), starts.coordinates)])
        }
    }
}

fn ranks(isl: &Context, program: &Program, timestamps: &Timestamps) -> Result<Vec<String>, Error> {
    let ranks = Ranks::new(isl, program, timestamps)?;
    let mut text = Vec::new();
    for (statement, rank) in timestamps.statements.iter().zip(&ranks.statements) {
        let frame = timestamps.frame(program, statement.access);
        let name = statement_name(statement.access);
        let domain = timestamps.regions[statement.region].domain.set_tuple_name(&name)?;
        for piece in rank.pieces(&domain)? {
            let value = Notation::new(Style::Plain, frame.names()).poly(&piece.value);
            let place = match rank.terms.is_empty() {
                true => String::new(),
                false => format!("   on {}", piece.domain.to_text()?),
            };
            text.push(format!("{name}: {value}{place}"));
        }
    }
    let parameters = Frame::new(program, &[]);
    for (domain, value) in &ranks.total {
        let value = Notation::new(Style::Plain, parameters.names()).poly(value);
        text.push(format!("total: {value}   on {}", domain.to_text()?));
    }
    Ok(text)
}

fn classes(program: &Program, layout: Layout, lines: &LineSizes) -> Result<String, Error> {
    let derived = derive(program, &DeriveOptions::new(layout, lines.clone()))?;
    let mut text = Vec::new();
    // Writing to a vector cannot fail.
    let _ = write_classes(&mut text, program, &derived, lines);
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn write_classes(out: &mut dyn Write, program: &Program, derived: &Derived, lines: &LineSizes) -> io::Result<()> {
    let names = match lines {
        LineSizes::Fixed(lines) => lines.iter().map(|line| line_name(*line)).collect(),
        LineSizes::Symbolic(parameter) => vec![symbolic_name(program, *parameter)],
    };
    let parameters: Vec<String> = program.params.iter().map(|p| p.name.clone()).collect();
    let variables = variable_names(&parameters, &derived.truths, &derived.line_counts);
    for (name, model) in names.iter().zip(&derived.lines) {
        writeln!(out, "# {name}")?;
        for class in &model.classes {
            let names = [&variables[..], &class.iterators].concat();
            let notation = Notation::new(Style::Plain, &names);
            let kind = match class.kind {
                symloc_model::IntervalKind::Real => "real",
                symloc_model::IntervalKind::Imaginary => "imaginary",
            };
            let iterators = match class.iterators.is_empty() {
                true => String::new(),
                false => format!("[{}]", class.iterators.join(", ")),
            };
            writeln!(out, "{kind}{iterators} {}", notation.poly(&class.value))?;
            for piece in &class.counts {
                let domain = match piece.domain.is_empty() {
                    true => "always".to_owned(),
                    false => notation.conjunction(&piece.domain),
                };
                writeln!(out, "    {}   where {domain}", notation.poly(&piece.count))?;
            }
        }
    }
    Ok(())
}

fn symbolic_name(program: &Program, line: ParamId) -> String {
    format!("lines of {} elements", program.params[line.index()].name)
}

fn line_name(line: Line) -> String {
    match line {
        Line::Element => "lines of one element".to_owned(),
        Line::Bytes(bytes) => format!("lines of {bytes} bytes"),
    }
}
