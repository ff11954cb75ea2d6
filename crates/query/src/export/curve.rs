//! Miss curves as data: every step of them.

use std::io::{self, Write};

use serde::Serialize;
use symloc_model::{Int, Step};

use super::json::{self, Number};

/// The curve of a model at a size.
#[derive(Clone, Debug)]
pub struct Curve {
    /// What tells the program from others.
    pub name: String,
    /// How its misses are predicted.
    pub miss_model: &'static str,
    /// The size.
    pub parameters: Vec<(String, i128)>,
    /// Bytes per line, if all arrays agree on them.
    pub line_bytes: Option<u64>,
    /// N, the number of accesses.
    pub accesses: Int,
    /// m, the number of first touches.
    pub first_touches: Int,
    /// How many reuses are judged by their interval, because the model holds no distance of theirs.
    pub estimated: Int,
    /// From so many blocks on, so many misses.
    pub steps: Vec<Step>,
}

/// One row for each step; among several curves, each row says which curve it is of.
pub fn write_csv(out: &mut dyn Write, curves: &[Curve]) -> io::Result<()> {
    let mut names: Vec<&String> = Vec::new();
    if curves.len() > 1 {
        for (name, _) in curves.iter().flat_map(|curve| &curve.parameters) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        write!(out, "model,{}", names.iter().map(|name| format!("{},", field(name))).collect::<String>())?;
    }
    writeln!(out, "lines,bytes,misses,cold,miss_ratio")?;
    for curve in curves {
        let mut start = String::new();
        if curves.len() > 1 {
            let value = |name: &&String| curve.parameters.iter().find(|(n, _)| n == *name).map(|(_, value)| value);
            let values = names.iter().map(|name| value(name).map(i128::to_string).unwrap_or_default() + ",");
            start = format!("{},{}", field(&curve.name), values.collect::<String>());
        }
        for Step { blocks, misses } in &curve.steps {
            let bytes = curve.line_bytes.map(|line| (blocks * &Int::from(line)).to_string()).unwrap_or_default();
            let ratio = misses.total().ratio(&curve.accesses);
            let ratio = if ratio.is_nan() { String::new() } else { ratio.to_string() };
            writeln!(out, "{start}{blocks},{bytes},{},{},{ratio}", misses.total(), misses.cold)?;
        }
    }
    Ok(())
}

/// A field of comma-separated values.
pub(super) fn field(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// One curve as `symloc.curve/1`, several as `symloc.curves/1`.
pub fn write_json<'a>(out: &mut dyn Write, curves: &'a [Curve]) -> io::Result<()> {
    match curves {
        [curve] => json::write(out, &Single { schema: "symloc.curve/1", curve: Answer::new(curve) }),
        _ => {
            let member = |curve: &'a Curve| Member { name: &curve.name, curve: Answer::new(curve) };
            json::write(out, &Several { schema: "symloc.curves/1", curves: curves.iter().map(member).collect() })
        }
    }
}

#[derive(Serialize)]
struct Single<'a> {
    schema: &'static str,
    #[serde(flatten)]
    curve: Answer<'a>,
}

#[derive(Serialize)]
struct Several<'a> {
    schema: &'static str,
    curves: Vec<Member<'a>>,
}

#[derive(Serialize)]
struct Member<'a> {
    name: &'a str,
    #[serde(flatten)]
    curve: Answer<'a>,
}

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(serialize_with = "json::parameters")]
    parameters: &'a [(String, i128)],
    model: &'static str,
    line_bytes: Option<u64>,
    #[serde(serialize_with = "json::int")]
    accesses: &'a Int,
    #[serde(serialize_with = "json::int")]
    first_touches: &'a Int,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated: Option<Number<'a>>,
    #[serde(serialize_with = "steps")]
    steps: &'a [Step],
}

/// `[[lines, misses], …]`
fn steps<S: serde::Serializer>(steps: &[Step], serializer: S) -> Result<S::Ok, S::Error> {
    let totals: Vec<_> = steps.iter().map(|step| (&step.blocks, step.misses.total())).collect();
    serializer.collect_seq(totals.iter().map(|(blocks, misses)| (Number(blocks), Number(misses))))
}

impl<'a> Answer<'a> {
    fn new(curve: &'a Curve) -> Self {
        Self {
            parameters: &curve.parameters,
            model: curve.miss_model,
            line_bytes: curve.line_bytes,
            accesses: &curve.accesses,
            first_touches: &curve.first_touches,
            estimated: (!curve.estimated.is_zero()).then_some(Number(&curve.estimated)),
            steps: &curve.steps,
        }
    }
}
