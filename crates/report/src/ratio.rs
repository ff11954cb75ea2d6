//! Miss ratios as the user writes them, `5%`, `0.05` or `7.3e-4`, compared exactly.
//!
//! The decimal number is kept as a fraction, and "misses / accesses ≤ bound" is decided in integers.

use std::fmt;
use std::str::FromStr;

use symloc_evaluate::{Int, Misses};

/// A bound on a miss ratio, from 0 to 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ratio {
    numerator: Int,
    denominator: Int,
    text: String,
}

/// The largest number of decimal places; the numbers stay within 128 bits.
const PLACES: i32 = 36;

impl FromStr for Ratio {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let ratio = Ratio::read(text).ok_or_else(|| format!("`{text}` is not a miss ratio; write 0.05 or 5%"))?;
        if ratio.numerator > ratio.denominator {
            return Err(format!("a miss ratio of {text} is more than all accesses (1, or 100%)"));
        }
        Ok(ratio)
    }
}

/// A bound on how much more misses there may be than before, in parts of those before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissGrowth(Ratio);

impl FromStr for MissGrowth {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let ratio = Ratio::read(text).ok_or_else(|| format!("`{text}` is not a share; write 0.05 or 5%"))?;
        // Whoever writes 5 for 5% would never see a failure.
        if !text.ends_with('%') && ratio.numerator > ratio.denominator {
            return Err(format!("`{text}` is more than 1, which is 100%; a percentage is written {text}%"));
        }
        Ok(Self(ratio))
    }
}

impl MissGrowth {
    /// Returns true if `after` misses are at most so much more than `before`; with none before, none may come.
    pub fn allows(&self, before: &Int, after: &Int) -> bool {
        self.0.allows(&(after - before), before)
    }
}

impl fmt::Display for MissGrowth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Returns the digits of a decimal number, and the number of them after the point.
fn decimal(text: &str) -> Option<(i128, i32)> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i16>().ok()?),
        None => (text, 0),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{part}");
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    Some((digits.parse().ok()?, i32::try_from(part.len()).ok()? - i32::from(exponent)))
}

/// Returns `digits` / 10^`places`.
fn fraction(digits: i128, places: i32, text: &str) -> Option<Ratio> {
    if places > PLACES {
        return None;
    }
    let power = 10_i128.checked_pow(places.unsigned_abs())?;
    let (numerator, denominator) = if places < 0 { (digits.checked_mul(power)?, 1) } else { (digits, power) };
    Some(Ratio { numerator: numerator.into(), denominator: denominator.into(), text: text.to_owned() })
}

impl Ratio {
    /// Reads a decimal number or a percentage that is not negative, of any size.
    fn read(text: &str) -> Option<Self> {
        let (number, percent) = text.strip_suffix('%').map_or((text, 0), |number| (number.trim_end(), 2));
        decimal(number).and_then(|(digits, places)| fraction(digits, places + percent, text))
    }

    /// Returns true if `misses` misses of `accesses` accesses are at most this ratio. A run without accesses has no
    /// misses.
    pub fn allows(&self, misses: &Int, accesses: &Int) -> bool {
        misses * &self.denominator <= accesses * &self.numerator
    }

    /// Returns the ratio as a number, for programs that read the answer.
    pub fn value(&self) -> f64 {
        self.numerator.ratio(&self.denominator)
    }
}

/// A goal for a cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MissGoal {
    /// Miss at most this ratio of the accesses.
    AtMost(Ratio),
    /// Miss first touches only.
    ColdOnly,
}

impl MissGoal {
    /// Returns true if these misses meet the goal.
    pub fn is_met(&self, misses: &Misses, accesses: &Int) -> bool {
        match self {
            MissGoal::AtMost(bound) => bound.allows(&misses.total(), accesses),
            MissGoal::ColdOnly => misses.reuse.is_zero(),
        }
    }

    /// Returns the bound, if there is one.
    pub fn bound(&self) -> Option<&Ratio> {
        match self {
            MissGoal::AtMost(bound) => Some(bound),
            MissGoal::ColdOnly => None,
        }
    }
}

impl fmt::Display for MissGoal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MissGoal::AtMost(bound) => write!(f, "misses <= {bound}"),
            MissGoal::ColdOnly => f.write_str("cold misses only"),
        }
    }
}

/// Shows the ratio as it was written.
impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(text: &str) -> Ratio {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn growth_is_relative() {
        let allows = |bound: &str, before: i64, after: i64| {
            bound.parse::<MissGrowth>().unwrap().allows(&before.into(), &after.into())
        };
        assert!(allows("5%", 100, 105) && !allows("5%", 100, 106));
        assert!(allows("250%", 100, 350) && !allows("250%", 100, 351));
        assert!(allows("0", 100, 100) && allows("0", 100, 7) && !allows("0", 100, 101));
        assert!(allows("5%", 0, 0) && !allows("5%", 0, 1));
        assert!("5".parse::<MissGrowth>().unwrap_err().contains("a percentage is written 5%"));
        assert!("-5%".parse::<MissGrowth>().is_err() && "much".parse::<MissGrowth>().is_err());
    }

    #[test]
    fn ratios_are_fractions() {
        for (text, numerator, denominator) in [
            ("0.05", 5, 100),
            ("5%", 5, 100),
            ("2.5 %", 25, 1000),
            (".5", 5, 10),
            ("1", 1, 1),
            ("1.", 1, 1),
            ("100%", 100, 100),
            ("0", 0, 1),
            ("7.32e-4", 732, 1_000_000),
            ("1E2%", 100, 100),
        ] {
            let Ratio { numerator: n, denominator: d, .. } = ratio(text);
            assert_eq!(&n * &Int::from(denominator), &d * &Int::from(numerator), "{text}");
        }
    }

    #[test]
    fn bounds_are_exact() {
        let third = ratio("0.333333333333333333");
        let (one, three) = (Int::from(1), Int::from(3));
        assert!(!third.allows(&one, &three));
        assert!(ratio("0.05").allows(&5.into(), &100.into()) && !ratio("0.05").allows(&6.into(), &100.into()));
        assert!(ratio("0").allows(&0.into(), &0.into()));
        let large = Int::from(i128::MAX);
        assert!(ratio("50%").allows(&large, &(&large * &Int::from(2))));
        assert!(!ratio("50%").allows(&(&large + &one), &(&large * &Int::from(2))));
    }

    #[test]
    fn what_is_no_ratio() {
        for text in ["", "%", "x", "-0.1", "1/20", "0.0.5", ".", "5%%", "1e", "0.05 x", "1e-99", "+1", "9e40"] {
            assert!(text.parse::<Ratio>().unwrap_err().contains("is not a miss ratio"), "{text}");
        }
        for text in ["1.01", "101%", "5", "1e3"] {
            assert!(text.parse::<Ratio>().unwrap_err().contains("more than all accesses"), "{text}");
        }
    }
}
