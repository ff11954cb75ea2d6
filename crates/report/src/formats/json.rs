//! Pieces of JSON that serde does not write by itself.
//!
//! Objects are structs, so that keys come in the order of their fields; each result is one line.

use std::io::{self, Write};

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use symloc_evaluate::{Bin, Int};

/// Writes one object and the end of its line.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write(out: &mut dyn Write, object: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, object)?;
    writeln!(out)
}

/// Serializes an integer of any size as a plain JSON number.
///
/// # Errors
///
/// That of the serializer.
pub fn int<S: Serializer>(value: &Int, serializer: S) -> Result<S::Ok, S::Error> {
    match value.to_i128() {
        Some(value) => serializer.serialize_i128(value),
        None => RawValue::from_string(value.to_string()).map_err(serde::ser::Error::custom)?.serialize(serializer),
    }
}

/// An [`Int`] that serializes with [`int`].
#[derive(Serialize)]
pub struct Number<'i>(#[serde(serialize_with = "int")] pub &'i Int);

/// An owned [`Int`] that serializes with [`int`].
#[derive(Serialize)]
pub struct Owned(#[serde(serialize_with = "int")] pub Int);

/// NamedCounts by name, which serialize as an object.
pub struct NamedCounts<'c>(pub &'c [(String, Int)]);

impl Serialize for NamedCounts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, count)| (name, Number(count))))
    }
}

/// Serializes the sizes as an object, in the order of the model's parameters.
///
/// # Errors
///
/// That of the serializer.
pub fn parameters<S: Serializer>(sizes: &[(String, i128)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(sizes.len()))?;
    for (name, value) in sizes {
        map.serialize_entry(name, value)?;
    }
    map.end()
}

/// Returns the ends of an interval, if there is one.
pub fn ends(interval: Option<&(Int, Int)>) -> (Option<Number<'_>>, Option<Number<'_>>) {
    interval.map(|(low, high)| (Number(low), Number(high))).unzip()
}

/// The interval of misses, if they were sampled.
#[derive(Serialize)]
pub struct Sampled<'i> {
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<Number<'i>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<Number<'i>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sampled: Option<bool>,
}

impl<'i> Sampled<'i> {
    /// Creates the fields of an interval.
    pub fn new(interval: Option<&'i (Int, Int)>) -> Self {
        let (low, high) = ends(interval);
        Self { low, high, sampled: interval.map(|_| true) }
    }
}

/// Serializes a histogram as `[[interval, count], …]`.
///
/// # Errors
///
/// That of the serializer.
pub fn bins<S: Serializer>(bins: &[Bin], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(bins.iter().map(|bin| (Number(&bin.interval), Number(&bin.count))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_any_size_are_numbers() {
        let large = &Int::from(i128::MAX) + &Int::from(1);
        assert_eq!(serde_json::to_string(&Number(&large)).unwrap(), "170141183460469231731687303715884105728");
        assert_eq!(serde_json::to_string(&Number(&Int::from(i128::MIN))).unwrap(), i128::MIN.to_string());
    }
}
