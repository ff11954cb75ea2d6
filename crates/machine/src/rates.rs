//! Rates per second: `12.5 GB/s`, `76.8 GFlop/s`, `2.7 GHz`.

use crate::cache::UNITS;

/// Parses a number of bytes a second: `12.5 GB/s`.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    parse(text, &UNITS, "/s")
}

/// Parses a number of floating-point operations a second: `76.8 GFlop/s`.
pub(crate) fn operations(text: &str) -> Result<u64, String> {
    parse(text, &[("MFlop", MEGA), ("GFlop", GIGA), ("TFlop", TERA), ("Flop", 1)], "/s")
}

/// Parses a number of cycles a second: `2.7 GHz`.
pub(crate) fn cycles(text: &str) -> Result<u64, String> {
    parse(text, &[("MHz", MEGA), ("GHz", GIGA), ("THz", TERA), ("Hz", 1)], "")
}

const MEGA: u64 = 1_000_000;
const GIGA: u64 = 1_000 * MEGA;
const TERA: u64 = 1_000 * GIGA;

/// Parses a decimal number, one of some units, and a suffix; rounds down to a whole number that is positive.
fn parse(text: &str, units: &[(&str, u64)], suffix: &str) -> Result<u64, String> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = (&text[..end], text[end..].trim());
    let Some((_, factor)) = units.iter().find(|(name, _)| unit.strip_suffix(suffix) == Some(*name)) else {
        let names: Vec<_> = units.iter().map(|(name, _)| format!("{name}{suffix}")).collect();
        return Err(format!("`{text}` is no number with one of the units {}", names.join(", ")));
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let value = format!("{whole}{part}").parse::<u128>().ok();
    let scale = u32::try_from(part.len()).ok().and_then(|digits| 10u128.checked_pow(digits));
    let value = value.and_then(|value| Some(value.checked_mul(u128::from(*factor))? / scale?));
    match value.and_then(|value| u64::try_from(value).ok()) {
        Some(0) => Err(format!("`{text}` is nothing")),
        Some(value) => Ok(value),
        None => Err(format!("`{number}` is no number, or too large")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_numbers_with_units() {
        assert_eq!(bytes("12.5 GB/s"), Ok(12_500_000_000));
        assert_eq!(bytes("3GiB/s"), Ok(3 << 30));
        assert_eq!(operations(".5 TFlop/s"), Ok(500_000_000_000));
        assert_eq!(cycles("2.7  GHz"), Ok(2_700_000_000));
        for (text, reason) in [
            ("12.5 GB", "one of the units"),
            ("-1 GB/s", "one of the units"),
            ("fast", "one of the units"),
            ("1.2.3 GB/s", "no number"),
            (". GB/s", "no number"),
            ("99999999999999999999 GB/s", "too large"),
            ("0.1 B/s", "nothing"),
        ] {
            assert!(bytes(text).unwrap_err().contains(reason), "{text}");
        }
    }
}
