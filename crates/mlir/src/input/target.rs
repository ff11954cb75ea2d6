//! The machine that a module is for, as its attribute `dlti.target_system_spec` describes it.

use melior::ir::operation::OperationLike;

use crate::ffi::{self, Op};

/// The levels of caches that are looked for.
const LEVELS: std::ops::RangeInclusive<u32> = 1..=4;

/// Returns the sizes of the processor's data caches in bytes, the first level first: `L1_cache_size_in_bytes` and so on, of the
/// device `CPU`, or of the only device. They are read from the attribute's text, since MLIR's C API has no function for it.
pub(crate) fn caches(function: Op<'_>) -> Vec<u64> {
    let system = ffi::with_parents(function).find_map(|op| op.attribute("dlti.target_system_spec").ok());
    system.map(|system| caches_in(&system.to_string())).unwrap_or_default()
}

fn caches_in(system: &str) -> Vec<u64> {
    let parts: Vec<&str> = system.split("#dlti.target_device_spec<").collect();
    let mut devices = parts.windows(2).map(|pair| (pair[0].rsplit('"').nth(1).unwrap_or_default(), pair[1]));
    let device = match parts.len() {
        2 => devices.next(),
        _ => devices.find(|(name, _)| *name == "CPU"),
    };
    let Some((_, entries)) = device else { return Vec::new() };
    let size = |level: u32| {
        let (_, rest) = entries.split_once(&format!("\"L{level}_cache_size_in_bytes\" = "))?;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    LEVELS.map_while(size).collect()
}
