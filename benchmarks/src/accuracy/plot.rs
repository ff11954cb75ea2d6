//! Two plots, as SVG: the error of every cell, and miss curves where the error is largest.

use std::fmt::Write as _;

use symloc_evaluate::{Distribution, Instance, MissModel, WholeCurve};

use super::SIZES;
use super::kernels::Variant;
use super::measure::bins;
use super::report::{MODELS, Studied};

const COLOURS: [&str; 3] = ["#d55e00", "#0072b2", "#009e73"];
const PANEL: (f64, f64) = (860.0, 170.0);
const LEFT: f64 = 60.0;

/// A picture under construction.
struct Svg(String);

impl Svg {
    fn new(width: f64, height: f64) -> Self {
        Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
        ))
    }

    // Writing to a string cannot fail.
    fn line(&mut self, points: &[(f64, f64)], colour: &str, width: f64) {
        let points = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ");
        let _ = writeln!(
            self.0,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>"
        );
    }

    fn dot(&mut self, (x, y): (f64, f64), colour: &str) {
        let _ =
            writeln!(self.0, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\" fill-opacity=\"0.75\"/>");
    }

    fn text(&mut self, (x, y): (f64, f64), anchor: &str, text: &str) {
        let _ = writeln!(self.0, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>");
    }

    /// Adds text that ends at a point, upwards from lower left.
    fn slanted(&mut self, (x, y): (f64, f64), text: &str) {
        let _ = writeln!(
            self.0,
            "<text transform=\"translate({x:.1} {y:.1}) rotate(-55)\" text-anchor=\"end\">{text}</text>"
        );
    }

    fn legend(&mut self, entries: &[&str]) {
        for (index, (entry, colour)) in entries.iter().zip(COLOURS).enumerate() {
            let x = LEFT + 180.0 * index as f64;
            self.dot((x, 12.0), colour);
            self.text((x + 8.0, 16.0), "start", entry);
        }
    }

    fn finish(mut self) -> String {
        self.0 += "</svg>\n";
        self.0
    }
}

/// Draws one dot for each cell: a panel for each cache, a column for each kernel.
pub(crate) fn cells(studied: &[Studied]) -> String {
    let (width, height) = PANEL;
    let series = [(MODELS[0], false), (MODELS[0], true), (MODELS[2], true)];
    let errors = |s: &Studied, size| series.map(|(model, ways)| s.error(model, size, ways));
    let all = studied.iter().flat_map(|s| (0..SIZES.len()).flat_map(move |size| errors(s, size)));
    let top = all.fold(5.0_f64, f64::max).ceil();
    let mut svg = Svg::new(width + LEFT + 20.0, 3.0 * (height + 30.0) + 200.0);
    svg.legend(&["Denning, fully associative", "Denning, 12-way", "LRU, 12-way"]);
    let step = width / studied.len() as f64;
    for (size, bytes) in SIZES.iter().enumerate() {
        let base = 40.0 + (height + 30.0) * size as f64 + height;
        let at = |error: f64| base - height * (error / top).sqrt();
        for mark in [0.0, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 40.0].into_iter().filter(|mark| *mark <= top) {
            svg.line(&[(LEFT, at(mark)), (LEFT + width, at(mark))], "#dddddd", 1.0);
            svg.text((LEFT - 6.0, at(mark) + 4.0), "end", &format!("{mark} %"));
        }
        svg.text((LEFT + width, base - height - 6.0), "end", &format!("{} KiB", bytes >> 10));
        for (column, s) in studied.iter().enumerate() {
            for (error, colour) in errors(s, size).into_iter().zip(COLOURS) {
                svg.dot((LEFT + step * (column as f64 + 0.5), at(error)), colour);
            }
        }
    }
    let base = 40.0 + 3.0 * (height + 30.0) - 12.0;
    for (column, s) in studied.iter().enumerate() {
        svg.slanted((LEFT + step * (column as f64 + 0.5) + 4.0, base), &s.name().replace("_pattern", ""));
    }
    svg.finish()
}

/// Draws simulated and predicted miss ratios over cache sizes, fully associative, of the four kernels where they differ most.
pub(crate) fn curves(studied: &[Studied]) -> String {
    let error = |s: &Studied| (0..SIZES.len()).map(|size| s.error(MODELS[0], size, false)).fold(0.0, f64::max);
    let mut worst: Vec<_> = studied.iter().filter(|s| s.variant == Variant::Original).collect();
    worst.sort_by(|a, b| error(b).total_cmp(&error(a)));
    let (width, height) = (380.0, 200.0);
    let mut svg = Svg::new(2.0 * (width + 80.0), 2.0 * (height + 60.0) + 30.0);
    svg.legend(&["Denning", "simulated"]);
    for (index, s) in worst.into_iter().take(4).enumerate() {
        let left = LEFT + (width + 70.0) * (index % 2) as f64;
        let base = 60.0 + height + (height + 60.0) * (index / 2) as f64;
        panel(&mut svg, s, (left, base), (width, height));
    }
    svg.finish()
}

fn panel(svg: &mut Svg, s: &Studied, (left, base): (f64, f64), (width, height): (f64, f64)) {
    // From 1 KiB to 1 MiB, a quarter of a power of two at a time.
    let lines: Vec<f64> = (16..=56).map(|quarter| (f64::from(quarter) / 4.0).exp2()).collect();
    let accesses = s.measured.total();
    let intervals = Distribution {
        miss_model: MissModel::Denning,
        place: Instance { parameters: Vec::new(), line_bytes: None, element: false },
        distances: Vec::new(),
        accesses: accesses.into(),
        blocks: s.measured.first_touches().into(),
        real: s.measured.intervals(),
        imaginary: bins(s.measured.imaginary.iter().copied()),
    };
    let denning = WholeCurve::new(&intervals, &intervals);
    let ratios =
        |misses: &dyn Fn(u64) -> f64| lines.iter().map(|l| misses(*l as u64) / accesses as f64).collect::<Vec<_>>();
    let predicted = ratios(&|lines| denning.misses(&lines.into()).total().ratio(&1.into()));
    let simulated = ratios(&|lines| s.measured.misses(lines * super::LINE_BYTES) as f64);
    let top = predicted.iter().chain(&simulated).copied().fold(0.0, f64::max);
    svg.text((left + width, base - height - 8.0), "end", &format!("{}, {}", s.kernel.name, s.kernel.shown_sizes()));
    for portion in [0.0, 0.5, 1.0] {
        let y = base - height * portion;
        svg.line(&[(left, y), (left + width, y)], "#dddddd", 1.0);
        svg.text((left - 6.0, y + 4.0), "end", &format!("{:.1} %", 100.0 * top * portion));
    }
    let x = |index: usize| left + width * index as f64 / (lines.len() - 1) as f64;
    for (index, label) in [(0, "1 KiB"), (12, "8 KiB"), (24, "64 KiB"), (40, "1 MiB")] {
        svg.text((x(index), base + 16.0), "middle", label);
    }
    for (ratios, colour) in [(&simulated, COLOURS[1]), (&predicted, COLOURS[0])] {
        let points: Vec<_> = ratios.iter().enumerate().map(|(i, ratio)| (x(i), base - height * ratio / top)).collect();
        svg.line(&points, colour, 2.0);
    }
}
