//! `--branch 12=0.5`: the probabilities of branches on data, kept exactly.

use std::str::FromStr;

use num_traits::Zero;
use symloc_quasi::Rational;

/// The probability with which the branch on data at a line is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BranchProbability {
    pub line: u32,
    pub probability: Rational,
}

/// The most decimal places of a number.
const PLACES: usize = 30;

impl FromStr for BranchProbability {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || format!("`{text}` is not of the form 12=0.5: a line of the source, and a number from 0 to 1");
        let (line, probability) = text.split_once('=').ok_or_else(form)?;
        let line = line.trim().parse().map_err(|_| form())?;
        let probability = number(probability.trim()).ok_or_else(form)?;
        if probability > Rational::from_integer(1.into()) {
            return Err(form());
        }
        Ok(Self { line, probability })
    }
}

/// Parses a decimal number or a fraction, without a sign.
fn number(text: &str) -> Option<Rational> {
    let Some((numerator, denominator)) = text.split_once('/') else { return decimal(text) };
    let denominator = decimal(denominator).filter(|value| !value.is_zero())?;
    Some(decimal(numerator)? / denominator)
}

/// Parses a decimal number without a sign.
fn decimal(text: &str) -> Option<Rational> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{part}");
    if digits.is_empty() || part.len() > PLACES || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let places = u32::try_from(part.len()).ok()?;
    let ten = Rational::from_integer(10.into());
    Some((0..places).fold(Rational::from_integer(digits.parse().ok()?), |value, _| value / &ten))
}
