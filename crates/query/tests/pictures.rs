//! Tests that pictures are well-formed and readable, and show the numbers of the data.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests stop at the first surprise")]

use std::process::Command;

use roxmltree::{Document, Node};
use serde_json::Value;

/// Returns the output of `symloc-query curve` about some of the shared models.
fn curve(arguments: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_symloc-query"));
    command.arg("curve").current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models"));
    let output = command.args(arguments.split_whitespace()).output().unwrap();
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Gemm at several sizes, jacobi-2d, lu with lines of one element, one step only, large numbers, marks close together.
const PICTURES: [&str; 17] = [
    "gemm.loc.json -D ni=100 -D nj=100 -D nk=64,256,1024 --mark L1=48KiB --mark L2=2MiB",
    "jacobi-2d.loc.json -D T=10 -D n=100,200 --scale log --mark 32KiB",
    "lu-element.loc.json -D n=16,24,32,40,48,56,64,72 --mark L1=4KiB",
    "gemm-element.loc.json -D ni=3 -D nj=3 -D nk=3",
    "matmul.loc.json -D n=9223372036854775800",
    "matmul.loc.json gemm.loc.json -D n=128 -D ni=128 -D nj=128 -D nk=128,4096 --scale log",
    "jacobi-2d.loc.json -D T=10 -D n=200 --rows --mark 32KiB",
    "lu-element.loc.json -D n=72 --rows --scale log",
    "gemm.loc.json -D ni=100 -D nj=100 -D nk=1024 --rows",
    "matmul.loc.json -D n=1024 --mark L1=32KiB --mark a=40KiB --mark b=48KiB --mark c=64KiB --mark d=96KiB --mark 64B",
    "lu.loc.json -D n=16,300 --roofline --machine ../../crates/query/tests/machines/fast.toml",
    "lu.loc.json -D n=20,40,60,80,100,120,140,160 --roofline --machine ../../crates/query/tests/machines/fast.toml",
    "lu.loc.json -D n=100 --roofline --machine ../../crates/query/tests/machines/even.toml",
    "jacobi-1d-threads.loc.json -D n=4000,tsteps=10 --threads 1..64 --cache 8KiB --cache 64KiB",
    "jacobi-1d-threads.loc.json -D n=400,800 -D tsteps=10 --threads 3,5,40 --cache 1KiB,4 --cache 8KiB,8 --scale log",
    "jacobi-1d-threads.loc.json -D n=400,tsteps=10 --threads 1 --cache 1KiB --cache 8KiB --shared-levels 1",
    "jacobi-1d-threads.loc.json -D n=4000,tsteps=10 --threads 1..9 --roofline --machine ../../crates/query/tests/machines/cores.toml",
];

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).and_then(|text| text.parse().ok()).unwrap_or(f64::NAN)
}

/// Estimates the extent of a text: left, right, top, bottom. DejaVu Sans, the widest of the fonts, needs less than this.
fn extent(node: Node<'_, '_>) -> [f64; 4] {
    let size = node.attribute("font-size").map_or(12.0, |size| size.parse().unwrap());
    let width = node.text().unwrap_or_default().chars().count() as f64 * size * 0.58;
    let (x, y) = (number(node, "x"), number(node, "y"));
    let left = match node.attribute("text-anchor") {
        Some("end") => x - width,
        Some("middle") => x - width / 2.0,
        _ => x,
    };
    [left, left + width, y - 0.75 * size, y + 0.2 * size]
}

#[test]
fn texts_do_not_overlap_and_are_within_the_picture() {
    for arguments in PICTURES {
        let svg = curve(&format!("{arguments} --svg -"));
        let document = Document::parse(&svg).unwrap();
        let root = document.root_element();
        let (width, height) = (number(root, "width"), number(root, "height"));
        let texts: Vec<_> = root.descendants().filter(|node| node.tag_name().name() == "text").collect();
        assert!(texts.len() > 8, "{arguments}: {} texts", texts.len());
        for (index, text) in texts.iter().enumerate() {
            let [left, right, top, bottom] = extent(*text);
            let within = left >= 0.0 && right <= width && top >= 0.0 && bottom <= height;
            assert!(within, "{arguments}: `{}` at {left}..{right}", text.text().unwrap());
            for other in &texts[..index] {
                let [l, r, t, b] = extent(*other);
                let apart = right <= l || r <= left || bottom <= t || b <= top;
                assert!(apart, "{arguments}: `{}` and `{}`", text.text().unwrap(), other.text().unwrap());
            }
        }
    }
}

/// The labels of each row are where its formula evaluates to, on the axis between two of its labels.
#[test]
fn rows_are_at_their_caches() {
    let svg = curve("matmul-exact.loc.json -D n=1024 --rows --svg -");
    let document = Document::parse(&svg).unwrap();
    let at = |label: &str| {
        let text = document.descendants().find(|node| node.text() == Some(label) && node.tag_name().name() == "text");
        text.map(|text| number(text, "x")).unwrap_or_else(|| panic!("{label} is missing in {svg}"))
    };
    let (first, last) = (at("64 B"), at("2 MiB"));
    for (label, lines) in [("1", 1.0), ("3", 3.0), ("9*n/8", 1152.0), ("n^2/8", 131_072.0_f64)] {
        let expected = first + (last - first) * lines.log2() / 15.0;
        assert!((at(label) - expected).abs() < 0.2, "{label} is at {}, not at {expected}", at(label));
    }
}

/// Marks are at the speed bounds of their programs, on axes between labels, and below the roof of their level.
#[test]
fn marks_are_on_their_roofs() {
    let roofline = "lu.loc.json -D n=64 --roofline --machine ../../crates/query/tests/machines/fast.toml";
    let svg = curve(&format!("{roofline} --svg -"));
    let answer: Value = serde_json::from_str(&curve(&format!("{roofline} --json"))).unwrap();
    let document = Document::parse(&svg).unwrap();
    let texts = || document.descendants().filter(|node| node.tag_name().name() == "text");
    let label = |anchor: &str, value: &str| {
        let found = texts().find(|node| node.text() == Some(value) && node.attribute("text-anchor") == Some(anchor));
        found.unwrap_or_else(|| panic!("{value} is missing in {svg}"))
    };
    let marks: Vec<_> = document.descendants().filter(|node| node.tag_name().name() == "circle").collect();
    let levels = answer["programs"][0]["levels"].as_array().unwrap();
    // The last mark is the legend's.
    assert_eq!(marks.len(), levels.len() + 1);
    let (left, right) = (number(label("middle", "0.1"), "x"), number(label("middle", "1"), "x"));
    let (low, high) = (number(label("end", "1"), "y") - 4.0, number(label("end", "10"), "y") - 4.0);
    for level in levels {
        let of = |key: &str| level[key].as_f64().unwrap();
        let x = right + (right - left) * of("operations_per_byte").log10();
        let y = low + (high - low) * (of("operations_per_second") / 1e9).log10();
        let near =
            |node: &&Node<'_, '_>| (number(**node, "cx") - x).abs() < 0.2 && (number(**node, "cy") - y).abs() < 0.2;
        assert!(marks.iter().any(|node| near(&node)), "no mark at {x} {y} in {svg}");
        let roof = of("operations_per_byte") * of("bandwidth");
        assert!((of("operations_per_second") / roof.min(32e9) - 1.0).abs() < 1e-9);
    }
}

#[test]
fn every_number_of_a_line_is_one() {
    for arguments in PICTURES {
        let svg = curve(&format!("{arguments} --svg -"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{arguments}");
    }
}

#[test]
fn a_page_needs_nothing_else_and_has_the_exact_steps() {
    let page = curve("matmul.loc.json -D n=128 --html -");
    let names = ["http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"];
    let names: usize = names.iter().map(|name| page.matches(name).count()).sum();
    assert_eq!(page.matches("://").count(), names, "only the names of SVG and MathML look like addresses");
    assert!(!page.contains("src=") && !page.contains("href="));
    let data = page.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script>").next()).unwrap();
    let data: Value = serde_json::from_str(data).unwrap();
    let steps = data["picture"]["curves"][0]["steps"].as_array().unwrap();
    let found: Vec<_> = steps.iter().map(|step| (step[0].as_f64().unwrap(), step[2].as_str().unwrap())).collect();
    let csv = curve("matmul.loc.json -D n=128 --csv");
    let rows = csv.lines().skip(2).map(|row| row.split(',').collect::<Vec<_>>());
    let expected: Vec<_> = rows.map(|row| (row[1].parse::<f64>().unwrap(), row[2].to_owned())).collect();
    assert_eq!(found.len(), expected.len());
    for ((size, misses), (bytes, count)) in found.into_iter().zip(expected) {
        assert_eq!((size, misses.replace(',', "")), (bytes, count));
    }
}
