//! Measures the histograms of traces, by an LRU stack with a Fenwick tree, kept in files so that a study can be interrupted.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use symloc_affine::{Layout, Line, Program};
use symloc_sim::{DistanceHistogram, Trace};

use crate::BoxedError;
use crate::child::cpu;

/// The measurement of a trace.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Simulated {
    /// The values of the parameters, in the program's order.
    sizes: Vec<i64>,
    pub(crate) accesses: u64,
    pub(crate) first_touches: u64,
    /// From each distance to the number of accesses that have it.
    pub(crate) distances: BTreeMap<u64, u64>,
    /// Processor time of the run that measures. Another run before it finds the extents of arrays and is not counted.
    pub(crate) seconds: f64,
}

/// A folder of histograms.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(path: &Path) -> Result<Self, BoxedError> {
        fs::create_dir_all(path)?;
        Ok(Self(path.to_owned()))
    }

    /// Returns the histogram of this name, from its file or measured now.
    pub(crate) fn simulated(
        &self,
        name: &str,
        program: &Program,
        sizes: &[i64],
        line: Line,
    ) -> Result<Simulated, BoxedError> {
        let file = self.0.join(format!("{}.json", name.replace(", ", ".").replace(' ', "-")));
        if file.exists() {
            let kept: Simulated = serde_json::from_slice(&fs::read(&file)?)?;
            if kept.sizes == sizes {
                return Ok(kept);
            }
        }
        eprintln!("{name}: simulating");
        let measured = measure(program, sizes, line)?;
        // The file is renamed when complete, so that an interruption leaves no partial file.
        let unfinished = file.with_extension("part");
        fs::write(&unfinished, serde_json::to_vec(&measured)?)?;
        fs::rename(unfinished, file)?;
        Ok(measured)
    }
}

fn measure(program: &Program, sizes: &[i64], line: Line) -> Result<Simulated, BoxedError> {
    let trace = Trace::new(program, sizes, Layout::Rows, line)?;
    let start = cpu();
    let DistanceHistogram { accesses, first_touches, distances } = DistanceHistogram::of(&trace)?;
    let seconds = (cpu() - start).as_secs_f64();
    Ok(Simulated { sizes: sizes.to_vec(), accesses, first_touches, distances, seconds })
}
