//! Which rows formulas pad, in one sentence (docs/mathematics.md, "Lines of arrays in memory").

use std::collections::{BTreeMap, BTreeSet};

use crate::assumption::{Assumption, AssumptionKind};
use crate::expr::{Atom, Constraint, Expr, Overflow, gcd};
use crate::ids::ArrayId;
use crate::layout::{LayoutError, Line};
use crate::names::listed;
use crate::program::{Access, Array, Program};
use crate::rows::{Naming, Padding, Purpose};
use crate::strides::FormulaStrides;

/// Returns what formulas assume of the rows of a program's arrays where these lie as in memory, for lines of these
/// sizes; `None` if no rows are padded.
///
/// # Errors
///
/// [`LayoutError`] if a line does not hold a whole number of elements, or a coefficient leaves 64 bits.
pub fn padded_rows(program: &Program, lines: &[Line]) -> Result<Option<Assumption>, LayoutError> {
    let mut padded = PaddedRows::default();
    for array in &program.arrays {
        for line in lines {
            let elements = line.elements(array)?;
            let strides = array.strides.as_ref().map(|strides| FormulaStrides::of(program, array, strides, elements));
            let why = match Naming::of(program, array, elements, Purpose::RowsApart)? {
                Naming::Padded(padded) => padded.why,
                Naming::Exact(_) => strides.filter(|strides| strides.padded).map(|_| Padding::Accesses),
            };
            if let Some(why) = why {
                for number in numbers_behind(program, array, elements, &why)? {
                    padded.add_behind(number);
                }
                padded.add(array, why);
            }
        }
    }
    Ok(padded.text(program).map(assumed))
}

/// Returns the assumption of formulas whose line size is a parameter: every row starts a line. `None` if no array has
/// rows.
pub fn rows_of_symbolic_lines(program: &Program) -> Option<Assumption> {
    let arrays = program.arrays.iter().filter(|array| array.shape.len() > 1).map(|array| array.name.as_str());
    let arrays: Vec<_> = arrays.collect();
    let text =
        || format!("formulas let rows of {} start a line each, since --line leaves its size open", listed(&arrays));
    (!arrays.is_empty()).then(|| assumed(text()))
}

/// Returns the assumption on arrays that are one row each where every row starts a line, though accesses to them have several strides: a stride
/// that is a constant in the text, or by `--assume`, need not be the length of a row. `None` if there are no such arrays.
pub fn arrays_of_one_row(program: &Program) -> Option<Assumption> {
    let has_strides = |access: &&Access| {
        let strides =
            access.subscripts.iter().flat_map(Expr::terms).filter(|(atom, _)| !matches!(atom, Atom::Param(_)));
        let strides: BTreeSet<u64> = strides.map(|(_, factor)| factor.unsigned_abs()).collect();
        strides.len() > 1
    };
    let arrays: BTreeSet<ArrayId> = program.accesses.iter().filter(has_strides).map(|access| access.array).collect();
    let arrays = arrays.into_iter().map(|array| program.array(array)).filter(|array| array.shape.len() == 1);
    let arrays: Vec<_> = arrays.map(|array| array.name.as_str()).collect();
    let text = || {
        format!(
            "no rows of {} are known that could start a line each: a constant stride need not be the length of a row",
            listed(&arrays)
        )
    };
    (!arrays.is_empty()).then(|| assumed(text()))
}

fn assumed(text: String) -> Assumption {
    Assumption { kind: AssumptionKind::Padding, text, location: None }
}

impl Padding {
    /// Returns the condition on parameters, as `--assume` reads it, under which rows are whole lines; `None` if that is not
    /// known to take away the padding.
    pub fn whole_lines(&self, program: &Program) -> Option<String> {
        match self.clone() {
            Self::Remainder(length, modulus) => {
                let (length, modulus) = without_common_factor(length, modulus);
                Some(format!("{} mod {modulus} = 0", in_product(program, &length)))
            }
            Self::Count(..) | Self::Short(..) | Self::Length | Self::Accesses => None,
        }
    }
}

/// Returns the numbers of rows whose remainders have to be known, too, for rows to be exact once the remainder of their length is.
fn numbers_behind(
    program: &Program,
    array: &Array,
    elements: i64,
    why: &Padding,
) -> Result<Vec<(Expr, i64)>, LayoutError> {
    let (mut numbers, mut next) = (Vec::new(), why.clone());
    let Padding::Remainder(..) = why else { return Ok(numbers) };
    // As if one were told after the other: the least remainder that is no whole line, and rows of a line at least.
    let mut told = program.clone();
    for _ in array.shape.iter().skip(1) {
        let condition = match &next {
            Padding::Remainder(number, modulus) | Padding::Count(number, modulus) => {
                let (number, modulus) = without_common_factor(number.clone(), *modulus);
                Constraint::zero(number.modulo(modulus)?.minus(&Expr::constant(1))?)
            }
            Padding::Short(length, least) => Constraint::non_negative(length.minus(&Expr::constant(*least))?),
            Padding::Length | Padding::Accesses => break,
        };
        told.assume(vec![condition]);
        let Naming::Padded(padded) = Naming::of(&told, array, elements, Purpose::RowsApart)? else { break };
        let Some(why) = padded.why else { break };
        if let Padding::Count(number, modulus) = &why {
            numbers.push(without_common_factor(number.clone(), *modulus));
        }
        next = why;
    }
    Ok(numbers)
}

/// Returns `n mod 8` for each number and its modulus.
fn remainders(program: &Program, of: &BTreeMap<Expr, i64>) -> Vec<String> {
    of.iter().map(|(number, modulus)| format!("{} mod {modulus}", in_product(program, number))).collect()
}

/// The arrays of which rows are padded, by the reason.
#[derive(Default)]
struct PaddedRows<'p> {
    /// Arrays whose rows would be exact if remainders were known.
    remainders: Vec<&'p str>,
    /// The lengths whose remainders are not known, without common factors, each with the largest modulus that is asked
    /// for.
    lengths: BTreeMap<Expr, i64>,
    /// Numbers of rows whose remainders would have to be known for them, too, where rows are no whole lines.
    behind: BTreeMap<Expr, i64>,
    /// Arrays whose rows would be exact if remainders of numbers of rows were known.
    counts: Vec<&'p str>,
    /// These numbers, as above.
    numbers: BTreeMap<Expr, i64>,
    /// Arrays whose rows may be shorter than a line.
    short: Vec<&'p str>,
    /// The lengths of these, and how long they would have to be.
    least: BTreeMap<Expr, i64>,
    /// Arrays whose rows have a length that the program does not tell.
    unknown: Vec<&'p str>,
    /// Arrays whose rows start in lines at many places, if there are many accesses to such arrays.
    many: Vec<&'p str>,
}

impl<'p> PaddedRows<'p> {
    fn add(&mut self, array: &'p Array, why: Padding) {
        let (arrays, lengths, length) = match why {
            Padding::Remainder(length, modulus) => {
                (&mut self.remainders, &mut self.lengths, Some(without_common_factor(length, modulus)))
            }
            Padding::Count(number, modulus) => {
                (&mut self.counts, &mut self.numbers, Some(without_common_factor(number, modulus)))
            }
            Padding::Short(length, least) => (&mut self.short, &mut self.least, Some((length, least))),
            Padding::Length => (&mut self.unknown, &mut self.lengths, None),
            Padding::Accesses => (&mut self.many, &mut self.lengths, None),
        };
        if !arrays.contains(&array.name.as_str()) {
            arrays.push(&array.name);
        }
        if let Some((length, value)) = length {
            let largest = lengths.entry(length).or_insert(value);
            *largest = value.max(*largest);
        }
    }

    fn add_behind(&mut self, (number, modulus): (Expr, i64)) {
        let largest = self.behind.entry(number).or_insert(modulus);
        *largest = modulus.max(*largest);
    }

    fn text(&self, program: &Program) -> Option<String> {
        let mut parts = Vec::new();
        if !self.remainders.is_empty() {
            let lengths = remainders(program, &self.lengths);
            let whole: Vec<_> = lengths.iter().map(|remainder| format!("{remainder} = 0")).collect();
            let behind = remainders(program, &self.behind);
            let told = match (lengths.as_slice(), behind.as_slice()) {
                ([only], []) => format!("what {only} is"),
                (_, []) => "what these are".to_owned(),
                _ => format!("what {} are", listed(&[lengths, behind].concat())),
            };
            let (arrays, whole) = (listed(&self.remainders), listed(&whole));
            parts.push(format!(
                "formulas pad rows of {arrays} to whole lines, which is at most one line for each row; they are exact where {whole}, or where \
                 --assume says {told}"
            ));
        }
        if !self.counts.is_empty() {
            let (arrays, remainders) = (listed(&self.counts), listed(&remainders(program, &self.numbers)));
            let verb = if self.numbers.len() == 1 { "is" } else { "are" };
            parts.push(format!(
                "formulas pad rows of {arrays} to whole lines, which is at most one line for each row; they are exact where --assume says what \
                 {remainders} {verb}"
            ));
        }
        if !self.short.is_empty() {
            let bound = |(length, least): (&Expr, &i64)| format!("{} >= {least}", program.show(length));
            let bounds = self.least.iter().map(bound).collect::<Vec<_>>().join(", ");
            let arrays = listed(&self.short);
            parts
                .push(format!("formulas pad rows of {arrays} to whole lines; they are exact with --assume '{bounds}'"));
        }
        if !self.unknown.is_empty() {
            let arrays = listed(&self.unknown);
            parts.push(format!(
                "formulas pad rows of {arrays} to whole lines, since the program does not say how long they are"
            ));
        }
        if !self.many.is_empty() {
            let arrays = listed(&self.many);
            parts.push(format!(
                "formulas pad rows of {arrays} to whole lines, which is at most one line for each row, since so many accesses to \
                 arrays like these take long to derive as they lie in memory; simulation has them as they lie, and --layout linear derives them so"
            ));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// Returns x and m of `c·x mod c·m = 0`.
fn without_common_factor(length: Expr, modulus: i64) -> (Expr, i64) {
    let factor = length.terms().fold(gcd(length.constant_term(), modulus), |factor, (_, other)| gcd(factor, other));
    match length.floor_div(factor) {
        Ok(quotient) => (quotient, modulus / factor),
        Err(Overflow) => (length, modulus),
    }
}

/// Returns an expression as text, in parentheses if it is a sum.
fn in_product(program: &Program, expr: &Expr) -> String {
    let text = program.show(expr).to_string();
    if text.contains(' ') { format!("({text})") } else { text }
}
