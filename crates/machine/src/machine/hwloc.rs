//! Reads `lstopo --of xml`: the machine as a tree of objects, in which a core's caches enclose it.
//!
//! The caches are those around the first processing unit. hwloc 2 calls them `L1Cache`, `L2Cache`, …, hwloc 1 `Cache`
//! with a depth; in both `cache_type` is 0 for unified, 1 for data and 2 for instruction caches. An associativity of −1
//! is full, 0 unknown.

use roxmltree::{Document, Node, ParsingOptions};

use super::{Description, DescriptionProblem, MachineLevel};

pub(super) fn read(text: &str) -> Result<Description, DescriptionProblem> {
    // The files name hwloc's document type.
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let place = error.pos();
        let message = error.to_string();
        let message = message.rsplit_once(" at ").map_or(message.as_str(), |(before, _)| before);
        DescriptionProblem::at(place.row.into(), place.col.into(), message)
    })?;
    if document.root_element().tag_name().name() != "topology" {
        return Err(DescriptionProblem::new("it is no topology as `lstopo --of xml` writes it"));
    }
    let unit = |node: &Node<'_, '_>| node.attribute("type") == Some("PU");
    let unit =
        document.descendants().find(unit).ok_or_else(|| DescriptionProblem::new("it has no processing unit (PU)"))?;
    let levels = unit.ancestors().filter(is_data_cache).map(|node| level(&document, node));
    Ok(levels.collect::<Result<Vec<_>, _>>()?.into())
}

fn is_data_cache(node: &Node<'_, '_>) -> bool {
    let object = node.attribute("type").unwrap_or_default();
    let level = object.strip_prefix('L').and_then(|rest| rest.strip_suffix("Cache"));
    let cache = object == "Cache" || level.is_some_and(|level| level.parse::<u32>().is_ok());
    cache && node.attribute("cache_type") != Some("2")
}

fn level(document: &Document<'_>, node: Node<'_, '_>) -> Result<MachineLevel, DescriptionProblem> {
    let number = |name: &str| -> Result<Option<i64>, DescriptionProblem> {
        let Some(text) = node.attribute(name) else { return Ok(None) };
        let place = document.text_pos_at(node.range().start);
        let wrong =
            |_| DescriptionProblem::at(place.row.into(), place.col.into(), format!("`{text}` is no usable {name}"));
        text.parse().map(Some).map_err(wrong)
    };
    let positive = |value: Option<i64>| value.and_then(|value| u64::try_from(value).ok()).filter(|value| *value > 0);
    let required = |name: &str| {
        let place = document.text_pos_at(node.range().start);
        let missing = || DescriptionProblem::at(place.row.into(), place.col.into(), format!("a cache without {name}"));
        positive(number(name)?).ok_or_else(missing)
    };
    Ok(MachineLevel {
        name: format!("L{}", required("depth")?),
        bytes: required("cache_size")?,
        ways: positive(number("cache_associativity")?),
        line_bytes: positive(number("cache_linesize")?),
        ..MachineLevel::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine of ours: two cores, of which the second has another second level.
    const TOPOLOGY: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" os_index="0">
    <object type="L3Cache" cache_size="33554432" depth="3" cache_linesize="64" cache_associativity="-1" cache_type="0">
      <object type="L2Cache" cache_size="1048576" depth="2" cache_linesize="64" cache_associativity="16" cache_type="0">
        <object type="L1Cache" cache_size="49152" depth="1" cache_linesize="64" cache_associativity="12" cache_type="1">
          <object type="L1iCache" cache_size="32768" depth="1" cache_linesize="64" cache_associativity="8" cache_type="2">
            <object type="Core"><object type="PU" os_index="0"/></object>
          </object>
        </object>
      </object>
      <object type="L2Cache" cache_size="2097152" depth="2" cache_linesize="64" cache_associativity="16" cache_type="0">
        <object type="Core"><object type="PU" os_index="1"/></object>
      </object>
    </object>
  </object>
</topology>
"#;

    #[test]
    fn the_caches_around_the_first_unit() {
        let level = |name: &str, bytes, ways| {
            let (name, line_bytes) = (name.to_owned(), Some(64));
            MachineLevel { name, bytes, ways, line_bytes, ..MachineLevel::default() }
        };
        let levels = [level("L1", 49152, Some(12)), level("L2", 1 << 20, Some(16)), level("L3", 32 << 20, None)];
        let expected = Description::from(levels.to_vec());
        assert_eq!(read(TOPOLOGY).unwrap(), expected);
        // hwloc 1
        let old = TOPOLOGY.replace("L1iCache", "Cache").replace("L1Cache", "Cache").replace("L2Cache", "Cache");
        assert_eq!(read(&old.replace("L3Cache", "Cache")).unwrap(), expected);
    }

    #[test]
    fn problems_have_places() {
        let problem = |text: &str| read(text).unwrap_err();
        assert_eq!(problem(&TOPOLOGY.replacen("</object>\n  </object>", "</object>", 1)).place.map(|p| p.0), Some(17));
        assert_eq!(problem("<svg/>"), DescriptionProblem::new("it is no topology as `lstopo --of xml` writes it"));
        assert_eq!(
            problem(&TOPOLOGY.replace("PU", "Thing")),
            DescriptionProblem::new("it has no processing unit (PU)")
        );
        let wrong = problem(&TOPOLOGY.replace("\"49152\"", "\"48K\""));
        assert_eq!(wrong, DescriptionProblem::at(7, 9, "`48K` is no usable cache_size"));
        let missing = problem(&TOPOLOGY.replace("cache_size=\"1048576\"", ""));
        assert_eq!(missing, DescriptionProblem::at(6, 7, "a cache without cache_size"));
    }
}
