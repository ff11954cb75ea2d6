//! Simulations of one kernel, kept in a file so that a study can be interrupted and resumed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use symloc_affine::{Extent, Layout, Line, Program, Strides};
use symloc_evaluate::Bin;
use symloc_sim::{Cache, Survey, Trace};

use super::kernels::{Kernel, Sized, Variant};
use super::{LINE_BYTES, SIZES, WAYS};
use crate::BoxedError;

/// The measurements of one kernel. Histograms are pairs of a value and its count.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Measurement {
    /// The sizes, as in [`Kernel::shown_sizes`].
    pub(crate) sizes: String,
    /// The reuses, by access of the program's text.
    pub(crate) accesses: Vec<AccessReuse>,
    /// Imaginary intervals.
    pub(crate) imaginary: Vec<(u64, u64)>,
    /// Misses in the [`WAYS`]-way cache of each of [`SIZES`], arrays padded to primes.
    pub(crate) padded: Vec<u64>,
}

/// The reuse of one access.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct AccessReuse {
    pub(crate) first_touches: u64,
    pub(crate) intervals: Vec<(u64, u64)>,
    pub(crate) distances: Vec<(u64, u64)>,
}

/// The misses with arrays as they lie in a C program: rows follow each other without gaps, wherever lines begin.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Unpadded {
    /// The sizes, as in [`Kernel::shown_sizes`].
    pub(crate) sizes: String,
    /// Misses in the fully associative cache of each of [`SIZES`].
    pub(crate) full: Vec<u64>,
    /// Misses in the [`WAYS`]-way cache of each of [`SIZES`].
    pub(crate) ways: Vec<u64>,
}

impl Measurement {
    /// Returns the real intervals of the whole trace.
    pub(crate) fn intervals(&self) -> Vec<Bin> {
        bins(sum(self.accesses.iter().map(|access| &access.intervals)).into_iter())
    }

    /// Returns the distances of the whole trace.
    pub(crate) fn distances(&self) -> BTreeMap<u64, u64> {
        sum(self.accesses.iter().map(|access| &access.distances))
    }

    pub(crate) fn first_touches(&self) -> u64 {
        self.accesses.iter().map(|access| access.first_touches).sum()
    }

    /// Returns the number of accesses.
    pub(crate) fn total(&self) -> u64 {
        self.accesses.iter().map(AccessReuse::total).sum()
    }

    /// Returns the misses of a fully associative cache.
    pub(crate) fn misses(&self, bytes: u64) -> u64 {
        self.accesses.iter().map(|access| access.misses(bytes)).sum()
    }
}

impl AccessReuse {
    /// Returns the number of its executions.
    pub(crate) fn total(&self) -> u64 {
        self.first_touches + self.distances.iter().map(|(_, count)| count).sum::<u64>()
    }

    /// Returns the misses of a fully associative cache.
    pub(crate) fn misses(&self, bytes: u64) -> u64 {
        let missing = self.distances.iter().filter(|(distance, _)| *distance >= bytes / LINE_BYTES);
        self.first_touches + missing.map(|(_, count)| count).sum::<u64>()
    }
}

fn sum<'a>(histograms: impl Iterator<Item = &'a Vec<(u64, u64)>>) -> BTreeMap<u64, u64> {
    let mut sum = BTreeMap::new();
    for (value, count) in histograms.flatten() {
        *sum.entry(*value).or_insert(0) += count;
    }
    sum
}

/// Returns bins of ascending values.
pub(crate) fn bins(pairs: impl Iterator<Item = (u64, u64)>) -> Vec<Bin> {
    pairs.map(|(interval, count)| Bin { interval: interval.into(), count: count.into() }).collect()
}

/// A folder of measurements.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(path: &Path) -> Result<Self, BoxedError> {
        fs::create_dir_all(path)?;
        Ok(Self(path.to_owned()))
    }

    /// Returns the measurement of a kernel; `None` if fusion leaves it as it is.
    pub(crate) fn measured(&self, kernel: &Kernel, variant: Variant) -> Result<Option<Measurement>, BoxedError> {
        let measured = self.kept(kernel, variant.name(), || {
            kernel.program(variant)?.map(|sized| survey(&sized, kernel.shown_sizes())).transpose()
        })?;
        measured.map(|measured: Measurement| self.of_these_sizes(kernel, measured.sizes.clone(), measured)).transpose()
    }

    /// Returns the measurement of a kernel whose arrays have the strides of C.
    pub(crate) fn unpadded(&self, kernel: &Kernel) -> Result<Option<Unpadded>, BoxedError> {
        let measured = self.kept(kernel, "unpadded", || {
            let sized = kernel.program(Variant::Original)?;
            sized.map(|sized| unpadded(sized, kernel.shown_sizes())).transpose()
        })?;
        measured.map(|measured: Unpadded| self.of_these_sizes(kernel, measured.sizes.clone(), measured)).transpose()
    }

    /// Refuses a measurement at other sizes.
    fn of_these_sizes<T>(&self, kernel: &Kernel, sizes: String, measured: T) -> Result<T, BoxedError> {
        if sizes == kernel.shown_sizes() {
            return Ok(measured);
        }
        let folder = self.0.display();
        Err(format!("{folder} holds {} at {sizes}; choose another folder with --measurements", kernel.name).into())
    }

    /// Returns the contents of the file, or computes them and stores them for the next time.
    fn kept<T>(
        &self,
        kernel: &Kernel,
        what: &str,
        compute: impl FnOnce() -> Result<Option<T>, BoxedError>,
    ) -> Result<Option<T>, BoxedError>
    where
        T: Serialize + for<'de> Deserialize<'de>,
    {
        let file = self.0.join(format!("{}.{what}.json", kernel.name));
        if file.exists() {
            return Ok(serde_json::from_slice(&fs::read(file)?)?);
        }
        eprintln!("{} {what}", kernel.name);
        let computed = compute()?;
        // The file is renamed when complete, so that an interruption leaves no partial file.
        let unfinished = file.with_extension("part");
        fs::write(&unfinished, serde_json::to_vec(&computed)?)?;
        fs::rename(unfinished, file)?;
        Ok(computed)
    }
}

fn survey(sized: &Sized, sizes: String) -> Result<Measurement, BoxedError> {
    let trace = Trace::new(&sized.program, &sized.sizes, Layout::Rows, Line::Bytes(LINE_BYTES))?.padded()?;
    let survey = Survey::of(&trace, &set_associative()?)?;
    let pairs = |histogram: BTreeMap<u64, u64>| histogram.into_iter().collect();
    let access = |access: symloc_sim::Surveyed| AccessReuse {
        first_touches: access.first_touches,
        intervals: pairs(access.intervals),
        distances: pairs(access.distances),
    };
    Ok(Measurement {
        sizes,
        accesses: survey.accesses.into_iter().map(access).collect(),
        imaginary: pairs(survey.imaginary),
        padded: survey.caches.iter().map(|cache| cache.misses).collect(),
    })
}

fn set_associative() -> Result<Vec<Cache>, BoxedError> {
    SIZES.iter().map(|bytes| Ok(Cache::new(*bytes, WAYS, LINE_BYTES)?)).collect()
}

fn unpadded(sized: Sized, sizes: String) -> Result<Unpadded, BoxedError> {
    let Sized { mut program, sizes: values } = sized;
    let extents = Trace::new(&program, &values, Layout::Rows, Line::Element)?.extents();
    for (array, extents) in program.arrays.iter_mut().zip(extents) {
        array.shape = extents.iter().map(|extent| Extent::Known(*extent)).collect();
        array.strides = Some(row_major(&extents));
    }
    let full = SIZES.map(|bytes| Cache::fully_associative(bytes / LINE_BYTES, Line::Bytes(LINE_BYTES)));
    let caches = [full.to_vec(), set_associative()?].concat();
    let misses = simulate(&program, &values, &caches)?;
    let (full, ways) = misses.split_at(SIZES.len());
    Ok(Unpadded { sizes, full: full.to_vec(), ways: ways.to_vec() })
}

fn simulate(program: &Program, values: &[i64], caches: &[Cache]) -> Result<Vec<u64>, BoxedError> {
    let trace = Trace::new(program, values, Layout::Linear, Line::Bytes(LINE_BYTES))?;
    Ok(symloc_sim::simulate(&trace, caches)?.iter().map(|cache| cache.misses).collect())
}

fn row_major(extents: &[i64]) -> Strides {
    let mut stride = 1;
    let mut strides: Vec<i64> = Vec::with_capacity(extents.len());
    for extent in extents.iter().rev() {
        strides.push(stride);
        stride *= extent;
    }
    strides.reverse();
    Strides { offset: 0, strides }
}
