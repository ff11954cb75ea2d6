//! Miss curves as data: every step of them.

use std::io::{self, Write};
use std::iter;

use serde::Serialize;
use symloc_evaluate::{Int, Step};

use crate::formats::csv;
use crate::formats::json::{self, Number};
use crate::{AnswerHeader, Fields};

/// The curve of a model at a size.
#[derive(Clone, Debug)]
pub struct StepCurve {
    /// The name that distinguishes the program from others.
    pub name: String,
    /// The name of the model that predicts its misses.
    pub miss_model: &'static str,
    /// The header of the answer.
    pub header: AnswerHeader,
    /// The number of reuses judged by their interval because the model holds no distance for them.
    pub estimated: Int,
    /// The steps: the misses from a number of blocks on.
    pub steps: Vec<Step>,
}

/// Writes one row for each step; if there are several curves, each row states its curve.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_csv(out: &mut dyn Write, curves: &[StepCurve]) -> io::Result<()> {
    let names = match curves {
        [_] => Vec::new(),
        several => AnswerHeader::parameter_names(several.iter().map(|curve| &curve.header)),
    };
    let model = (curves.len() > 1).then(|| "model".to_owned());
    let columns = ["lines", "bytes", "misses", "cold", "miss_ratio"].map(str::to_owned);
    let head = model.into_iter().chain(names.iter().copied().cloned()).chain(columns).collect();
    let rows = curves.iter().flat_map(|curve| {
        let name = (curves.len() > 1).then(|| curve.name.clone());
        let start: Vec<_> = name.into_iter().chain(curve.header.cells(&names)).collect();
        curve.steps.iter().map(move |step| [start.as_slice(), &curve.row(step)].concat())
    });
    csv::write(out, iter::once(head).chain(rows))
}

impl StepCurve {
    fn row(&self, Step { blocks, misses }: &Step) -> [String; 5] {
        let (total, bytes) = (misses.total(), csv::bytes(blocks, self.header.line_bytes));
        let ratio = csv::ratio(total.ratio(&self.header.accesses));
        [blocks.to_string(), bytes, total.to_string(), misses.cold.to_string(), ratio]
    }
}

/// Writes one curve as `symloc.curve/1`, several as `symloc.curves/1`.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_json<'a>(out: &mut dyn Write, curves: &'a [StepCurve]) -> io::Result<()> {
    match curves {
        [curve] => json::write(out, &Single { schema: "symloc.curve/1", curve: CurveAnswer::new(curve) }),
        _ => {
            let member = |curve: &'a StepCurve| NamedCurveAnswer { name: &curve.name, curve: CurveAnswer::new(curve) };
            json::write(out, &Several { schema: "symloc.curves/1", curves: curves.iter().map(member).collect() })
        }
    }
}

#[derive(Serialize)]
struct Single<'a> {
    schema: &'static str,
    #[serde(flatten)]
    curve: CurveAnswer<'a>,
}

#[derive(Serialize)]
struct Several<'a> {
    schema: &'static str,
    curves: Vec<NamedCurveAnswer<'a>>,
}

#[derive(Serialize)]
struct NamedCurveAnswer<'a> {
    name: &'a str,
    #[serde(flatten)]
    curve: CurveAnswer<'a>,
}

#[derive(Serialize)]
struct CurveAnswer<'a> {
    #[serde(flatten)]
    header: Fields<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated: Option<Number<'a>>,
    #[serde(serialize_with = "steps")]
    steps: &'a [Step],
}

/// Serializes the steps as `[[lines, misses], …]`.
fn steps<S: serde::Serializer>(steps: &[Step], serializer: S) -> Result<S::Ok, S::Error> {
    let totals: Vec<_> = steps.iter().map(|step| (&step.blocks, step.misses.total())).collect();
    serializer.collect_seq(totals.iter().map(|(blocks, misses)| (Number(blocks), Number(misses))))
}

impl<'a> CurveAnswer<'a> {
    fn new(curve: &'a StepCurve) -> Self {
        Self {
            header: curve.header.fields(curve.miss_model),
            estimated: (!curve.estimated.is_zero()).then_some(Number(&curve.estimated)),
            steps: &curve.steps,
        }
    }
}
