//! Reads Linux's description of the caches of a core: a folder `index0`, `index1`, … for each, with a file for each property.
//!
//! Source: the kernel's `Documentation/ABI/testing/sysfs-devices-system-cpu`.

use std::fs;
use std::path::Path;

use super::{DescriptionProblem, MachineLevel};

/// Reads the caches below a folder `cpu0/cache`.
pub(super) fn read(folder: &Path) -> Result<Vec<MachineLevel>, DescriptionProblem> {
    let entries = fs::read_dir(folder)
        .map_err(|error| DescriptionProblem::new(format!("this system does not say what its caches are: {error}")))?;
    let mut levels = Vec::new();
    for entry in entries.filter_map(Result::ok) {
        if entry.file_name().to_string_lossy().starts_with("index") {
            levels.extend(cache(&entry.path())?);
        }
    }
    levels.sort_by_key(|(level, _)| *level);
    Ok(levels.into_iter().map(|(_, cache)| cache).collect())
}

/// Reads a cache and its level; `None` if it does not hold data.
fn cache(folder: &Path) -> Result<Option<(u64, MachineLevel)>, DescriptionProblem> {
    let property = |name: &str| fs::read_to_string(folder.join(name)).ok().map(|text| text.trim().to_owned());
    if !matches!(property("type").as_deref(), Some("Data" | "Unified")) {
        return Ok(None);
    }
    let required = |name: &str| {
        let missing = || DescriptionProblem::new(format!("{} has no usable `{name}`", folder.display()));
        property(name).as_deref().and_then(number).ok_or_else(missing)
    };
    let level = required("level")?;
    // A property that the system does not know is absent or zero.
    let optional = |name: &str| property(name).as_deref().and_then(number).filter(|value| *value > 0);
    let cache = MachineLevel {
        name: format!("L{level}"),
        bytes: required("size")?,
        ways: optional("ways_of_associativity"),
        line_bytes: optional("coherency_line_size"),
        ..MachineLevel::default()
    };
    Ok(Some((level, cache)))
}

/// Parses `64`, or `48K`, which is 48 · 1024.
fn number(text: &str) -> Option<u64> {
    let units = [("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30), ("", 1)];
    let (digits, factor) = units.iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)))?;
    digits.parse::<u64>().ok()?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    /// Creates a folder with files, each given by name and content.
    fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("symloc-sysfs-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        for (file, text) in files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("{text}\n")).unwrap();
        }
        folder
    }

    #[test]
    fn data_and_unified_caches_by_level() {
        let folder = folder(
            "good",
            &[
                ("index0/level", "2"),
                ("index0/type", "Unified"),
                ("index0/size", "1024K"),
                ("index0/ways_of_associativity", "16"),
                ("index0/coherency_line_size", "64"),
                ("index1/level", "1"),
                ("index1/type", "Instruction"),
                ("index1/size", "32K"),
                ("index2/level", "1"),
                ("index2/type", "Data"),
                ("index2/size", "48K"),
                ("index2/ways_of_associativity", "0"),
                ("uevent", ""),
            ],
        );
        let levels = read(&folder).unwrap();
        let l1 = MachineLevel {
            name: "L1".to_owned(),
            bytes: 49152,
            ways: None,
            line_bytes: None,
            ..MachineLevel::default()
        };
        let l2 = MachineLevel {
            name: "L2".to_owned(),
            bytes: 1 << 20,
            ways: Some(16),
            line_bytes: Some(64),
            ..MachineLevel::default()
        };
        assert_eq!(levels, [l1, l2]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_is_missing_is_named() {
        let folder = folder("bad", &[("index0/level", "1"), ("index0/type", "Data"), ("index0/size", "much")]);
        assert!(read(&folder).unwrap_err().message.ends_with("index0 has no usable `size`"));
        fs::remove_dir_all(&folder).unwrap();
        assert!(read(&folder).unwrap_err().message.starts_with("this system does not say"));
    }

    #[test]
    fn sizes_of_the_kernel() {
        assert_eq!([number("64"), number("48K"), number("2M")], [Some(64), Some(49152), Some(2 << 20)]);
        assert_eq!([number(""), number("K"), number("48kB"), number("99999999999999999999G")], [None; 4]);
    }
}
