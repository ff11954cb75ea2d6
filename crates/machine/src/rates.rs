//! How much in a second: `12.5 GB/s`, `76.8 GFlop/s`, `2.7 GHz`.

/// Units of bytes a second.
pub(crate) const BYTES: &[(&str, u64)] = &[
    ("KiB/s", 1 << 10),
    ("MiB/s", 1 << 20),
    ("GiB/s", 1 << 30),
    ("TiB/s", 1 << 40),
    ("kB/s", 1_000),
    ("MB/s", 1_000_000),
    ("GB/s", 1_000_000_000),
    ("TB/s", 1_000_000_000_000),
    ("B/s", 1),
];

/// Units of floating-point operations a second.
pub(crate) const OPERATIONS: &[(&str, u64)] =
    &[("MFlop/s", 1_000_000), ("GFlop/s", 1_000_000_000), ("TFlop/s", 1_000_000_000_000), ("Flop/s", 1)];

/// Units of cycles a second.
pub(crate) const CYCLES: &[(&str, u64)] =
    &[("kHz", 1_000), ("MHz", 1_000_000), ("GHz", 1_000_000_000), ("THz", 1_000_000_000_000), ("Hz", 1)];

/// A decimal number and one of some units, rounded down to a whole number that is positive.
pub(crate) fn parse(text: &str, units: &[(&str, u64)]) -> Result<u64, String> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = (&text[..end], text[end..].trim());
    let Some((_, factor)) = units.iter().find(|(name, _)| *name == unit) else {
        let names: Vec<_> = units.iter().map(|(name, _)| *name).collect();
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
        assert_eq!(parse("12.5 GB/s", BYTES), Ok(12_500_000_000));
        assert_eq!(parse("3GiB/s", BYTES), Ok(3 << 30));
        assert_eq!(parse(".5 TFlop/s", OPERATIONS), Ok(500_000_000_000));
        assert_eq!(parse("2.7  GHz", CYCLES), Ok(2_700_000_000));
        for (text, reason) in [
            ("12.5 GB", "one of the units"),
            ("-1 GB/s", "one of the units"),
            ("fast", "one of the units"),
            ("1.2.3 GB/s", "no number"),
            (". GB/s", "no number"),
            ("99999999999999999999 GB/s", "too large"),
            ("0.1 B/s", "nothing"),
        ] {
            assert!(parse(text, BYTES).unwrap_err().contains(reason), "{text}");
        }
    }
}
