//! The speed that threads can reach at most, over their number: a line for each program, or for each bound of one.

use super::threads::{ThreadLine, ThreadPicture, ThreadTitles};
use super::{PictureError, Scale};
use crate::answers::over_threads::roofline::{ThreadRoofline, ThreadRooflines, of_threads};
use crate::answers::roofline::{Roofline, bytes, operations};

/// One billion: operations a second are shown in billions.
const GIGA: f64 = 1e9;

impl ThreadPicture {
    /// Draws the largest speed of each program on each number of cores; of one program also the bounds of each level and the peak.
    ///
    /// # Errors
    ///
    /// That of [`room_for`](super::room_for).
    pub fn of_rooflines(title: String, rooflines: &ThreadRooflines) -> Result<Self, PictureError> {
        let lines = match rooflines.programs.as_slice() {
            [only] => bounds(only),
            several => {
                several.iter().map(|program| line(program.name.clone(), at_last(program), program, most)).collect()
            }
        };
        let sizes = match rooflines.programs.as_slice() {
            [only] => only.points.first().map(|(_, roofline)| roofline.program.header.at()).unwrap_or_default(),
            _ => String::new(),
        };
        let sizes = sizes.strip_prefix(" at ").map_or_else(String::new, |sizes| format!("{sizes}; "));
        let of_a_core = operations(rooflines.cores.speed.peak as f64);
        let subtitle = format!("{sizes}each core of {}: at most {of_a_core}", rooflines.cores.machine);
        ThreadPicture::new(ThreadTitles { title, subtitle, up: "GFlop/s".to_owned() }, lines, Scale::Log)
    }
}

/// Returns the largest speed of the most threads, as `16 threads: 46.9 GFlop/s`.
fn at_last(of: &ThreadRoofline) -> String {
    let Some((threads, roofline)) = of.points.last() else { return String::new() };
    format!("{}: {}", of_threads(*threads), operations(roofline.most().0))
}

fn most(roofline: &Roofline) -> Option<f64> {
    Some(roofline.most().0)
}

/// Returns a line of some operations a second on each number of threads.
fn line(name: String, facts: String, of: &ThreadRoofline, rate: impl Fn(&Roofline) -> Option<f64>) -> ThreadLine {
    let point = |(threads, roofline): &(u64, Roofline)| Some((*threads, rate(roofline)? / GIGA));
    ThreadLine { name, facts, points: of.points.iter().filter_map(point).collect(), beside: Vec::new() }
}

/// Returns the lines of a single program: its largest speed, the bound of each level, and the peak.
fn bounds(of: &ThreadRoofline) -> Vec<ThreadLine> {
    let mut lines = vec![line("at most".to_owned(), at_last(of), of, most)];
    let levels = of.points.first().map(|(_, roofline)| roofline.bounds().count()).unwrap_or_default();
    for index in 0..levels {
        let mut bounds = of.points.iter().filter_map(|(_, roofline)| roofline.bounds().nth(index));
        let Some(bound) = bounds.next_back() else { continue };
        let facts = format!("up to {}", bytes(bound.bandwidth as f64));
        let name = bound.level.clone();
        lines.push(line(name, facts, of, |roofline| roofline.bounds().nth(index).map(|bound| bound.attainable)));
    }
    let peak = of.points.last().map_or(0.0, |(_, roofline)| roofline.peak);
    lines.push(line("peak".to_owned(), format!("up to {}", operations(peak)), of, |roofline| Some(roofline.peak)));
    lines
}
