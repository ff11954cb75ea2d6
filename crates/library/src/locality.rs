//! Models, and questions to them.

use std::path::Path;

use symloc_evaluate::{Evaluator, Int, MissModel};
use symloc_model::{LineChoice, Model, NamedSizes};

use crate::error::SymlocError;

/// The cache locality of one function, for all sizes that it was derived for.
///
/// ```
/// use symloc::{CacheSize, Locality};
///
/// let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/matmul.loc.json");
/// let matmul = Locality::load(file)?;
/// assert_eq!((matmul.function(), matmul.parameters()), ("matmul", &["n".to_owned()][..]));
///
/// let answer = matmul.query(&[("n", 128)], CacheSize::Bytes(32 * 1024))?;
/// assert_eq!((answer.accesses.to_string(), answer.misses().to_string()), ("8388608".into(), "266240".into()));
/// # Ok::<(), symloc::SymlocError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Locality {
    model: Model,
    /// The model on one thread, if the program has parallel loops.
    one_thread: Option<Box<Model>>,
    notes: Vec<String>,
}

/// The size of a fully associative cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheSize {
    /// A number of bytes: a multiple of the line size.
    Bytes(u64),
    /// A number of lines.
    Lines(u64),
}

/// The misses of a program at a size, in a cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeMisses {
    /// The number of accesses.
    pub accesses: Int,
    /// The first accesses to each line.
    pub cold: Int,
    /// The other accesses that miss.
    pub reuse: Int,
    /// The model of misses: exact LRU if the model holds reuse distances, else Denning's working sets.
    pub miss_model: MissModel,
    /// The bytes per line; `None` with one element per line if arrays have elements of different sizes.
    pub line_bytes: Option<u64>,
}

impl SizeMisses {
    /// Returns the number of misses.
    pub fn misses(&self) -> Int {
        &self.cold + &self.reuse
    }

    /// Returns the misses per access.
    pub fn ratio(&self) -> f64 {
        self.misses().ratio(&self.accesses)
    }
}

impl Locality {
    pub(crate) fn new(model: Model, notes: Vec<String>) -> Self {
        let one_thread = model.threads.is_some().then(|| Box::new(model.clone().on_one_thread()));
        Self { model, one_thread, notes }
    }

    /// Reads a model from a file that [`Locality::to_json`] or `symloc derive` has written.
    ///
    /// # Errors
    ///
    /// [`SymlocError::File`] if the file cannot be read, [`SymlocError::Model`] if it is no model, or a damaged one.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SymlocError> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|error| SymlocError::File { file: path.display().to_string(), error })?;
        Self::parse(&text)
    }

    /// Reads a model from the text of its file.
    ///
    /// # Errors
    ///
    /// [`SymlocError::Model`] if the text is no model, or a damaged one.
    pub fn parse(text: &str) -> Result<Self, SymlocError> {
        Ok(Self::new(Model::parse(text)?, Vec::new()))
    }

    /// Returns the text of the model's file, with a newline at its end. The same model has the same bytes.
    pub fn to_json(&self) -> String {
        self.model.to_json()
    }

    /// Returns the name of the function.
    pub fn function(&self) -> &str {
        &self.model.function
    }

    /// Returns the names of the sizes that a question gives.
    pub fn parameters(&self) -> &[String] {
        &self.model().parameters
    }

    /// Returns the remarks that belong to every answer: parts that were left out or taken for granted.
    pub fn remarks(&self) -> &[String] {
        &self.model.remarks
    }

    /// Returns the notes of the derivation, as the command line prints them; none for a model that was read.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns true if a limit was reached, and the model holds the numbers of accesses and of lines alone. Questions
    /// for misses are then errors.
    pub fn is_sampled(&self) -> bool {
        self.model.sampled.is_some()
    }

    /// Returns the model as plain data: that of one thread, if the program has parallel loops. Its types are those of the crate
    /// `symloc-model` and change with the format of the file.
    pub fn model(&self) -> &Model {
        self.one_thread.as_deref().unwrap_or(&self.model)
    }

    /// Returns the misses at a size, in a cache, with the only line size of the model.
    ///
    /// # Errors
    ///
    /// [`SymlocError::Question`] if a size is missing or unknown, if the model does not hold at this size, or if it
    /// holds several line sizes; [`SymlocError::Request`] if the cache is not a whole number of lines.
    ///
    /// ```
    /// # use symloc::{CacheSize, Locality, SymlocError};
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/matmul.loc.json");
    /// # let matmul = Locality::load(file)?;
    /// let refused = matmul.query(&[("n", 100)], CacheSize::Lines(512)).unwrap_err();
    /// assert_eq!(refused.to_string(), "n = 100 is outside the model's context: n mod 8 = 0 is required");
    /// # Ok::<(), SymlocError>(())
    /// ```
    pub fn query(&self, sizes: &[(&str, i64)], cache: CacheSize) -> Result<SizeMisses, SymlocError> {
        let evaluator = self.evaluator(None)?;
        let miss_model = MissModel::choose(None, self.model(), LineChoice::Only)?;
        let sizes: NamedSizes = sizes.iter().copied().collect();
        let prediction = evaluator.predict(miss_model, &sizes)?;
        let line_bytes = prediction.place().line_bytes;
        let misses = prediction.misses(&Int::from(lines(cache, line_bytes)?))?;
        let accesses = prediction.accesses().clone();
        Ok(SizeMisses { accesses, cold: misses.cold, reuse: misses.reuse, miss_model, line_bytes })
    }

    /// Prepares the model for many questions, with lines of so many bytes; `None` for the only line size that it holds.
    ///
    /// # Errors
    ///
    /// [`SymlocError::Question`] if the model does not hold this line size, or holds several and none is given.
    ///
    /// ```
    /// # use symloc::{Int, Locality, MissModel};
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/matmul.loc.json");
    /// # let matmul = Locality::load(file)?;
    /// let evaluator = matmul.evaluator(Some(64))?;
    /// let at_128 = evaluator.predict(MissModel::Denning, &[("n", 128)].into_iter().collect())?;
    /// let misses = [16, 512, 4096].map(|lines| at_128.misses(&Int::from(lines)).unwrap().total().to_string());
    /// assert_eq!(misses, ["2361344", "266240", "6144"]);
    /// # Ok::<(), symloc::SymlocError>(())
    /// ```
    pub fn evaluator(&self, line_bytes: Option<u64>) -> Result<Evaluator<'_>, SymlocError> {
        let choice = line_bytes.map_or(LineChoice::Only, LineChoice::Bytes);
        Ok(Evaluator::new(self.model(), choice)?)
    }
}

/// Returns the number of lines of a cache.
fn lines(cache: CacheSize, line_bytes: Option<u64>) -> Result<u64, SymlocError> {
    match (cache, line_bytes) {
        (CacheSize::Lines(lines), _) => Ok(lines),
        (CacheSize::Bytes(bytes), Some(line)) if line > 0 && bytes % line == 0 => Ok(bytes / line),
        (CacheSize::Bytes(bytes), Some(line)) => Err(SymlocError::request(
            format!("{bytes} bytes are not a whole number of lines of {line} bytes"),
            "give a multiple of the line size",
        )),
        (CacheSize::Bytes(_), None) => Err(SymlocError::request(
            "the elements of arrays have different sizes, so a cache has no number of bytes",
            "give the number of lines, which hold one element each",
        )),
    }
}
