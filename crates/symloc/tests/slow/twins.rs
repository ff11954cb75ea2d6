//! Compares the models of the kernels of polybench/c with those of polybench, formula by formula.
//!
//! Whole models are compared: the reuse classes of each access with their values, domains and multiplicities, and the
//! numbers of accesses, blocks and operations. Only the names of iterators may differ; formulas do not contain them.

use std::fs;
use std::path::Path;

use crate::common::{model, nothing_from, root, symloc};
use serde_json::Value;
use symloc_model::Model;

/// The kernels with loops that count down. The counter of their iterations has no name in C and takes that of the C
/// iterator; in MLIR it is `r`, so later loops can have the name.
const OTHER_NAMES: [&str; 4] = ["adi", "deriche", "ludcmp", "nussinov"];

/// The kernel with a guard that always holds, which the front end for C drops. With the guard, dataflow finds the same
/// functions in other pieces, so the classes are compared at sizes, and all else as formulas.
const OTHER_PIECES: &str = "nussinov";

/// The sizes of that kernel: around multiples of 16 and 64 elements.
const SIZES: [u32; 12] = [1, 2, 3, 15, 16, 17, 18, 47, 63, 64, 65, 100];

/// Derives the model of a file, without the name of the file, the places in it, and the notes on it.
fn derived(file: &str) -> Model {
    let mut model = Model::load(model(&[file]).unwrap().as_ref()).unwrap();
    model.source.clear();
    model.source_checksum = None;
    model.remarks.clear();
    model.assumptions.clear();
    // The names and conditions of the two texts differ. The rest of the model shows that their effect is the same.
    model.program.as_mut().unwrap().tree = None;
    for access in &mut model.program.as_mut().unwrap().accesses {
        (access.file, access.line, access.column) = (None, 0, 0);
    }
    model
}

/// Replaces the names of iterators in a model by numbers.
fn without_names(mut model: Model) -> Model {
    for access in &mut model.program.as_mut().unwrap().accesses {
        access.subscripts = numbered(&access.subscripts, &model.parameters);
    }
    for class in model.lines.iter_mut().flat_map(|line| &mut line.classes) {
        class.iterators = (0..class.iterators.len()).map(|number| format!("#{number}")).collect();
    }
    model
}

/// Replaces the names of iterators by numbers, in the order in which they first occur: `[n - i][j]` with the parameter
/// n becomes `[n - #0][#1]`.
fn numbered(subscripts: &str, parameters: &[String]) -> String {
    let ends_name = |letter: char| !letter.is_alphanumeric() && letter != '_';
    let (mut names, mut text) = (Vec::new(), String::new());
    for piece in subscripts.split_inclusive(ends_name) {
        let word = piece.trim_end_matches(ends_name);
        if !word.starts_with(char::is_alphabetic) || parameters.iter().any(|parameter| parameter == word) {
            text += piece;
            continue;
        }
        if !names.contains(&word) {
            names.push(word);
        }
        let number = names.iter().position(|name| *name == word).unwrap();
        text += &format!("#{number}{}", &piece[word.len()..]);
    }
    text
}

/// Returns the histogram of intervals at each of the sizes.
fn histograms(file: &str) -> Vec<String> {
    let model = model(&[file]).unwrap();
    let at = |size: &u32| {
        let (text, errors, status) = symloc(&["histogram", &model, "-D", &format!("n={size}")]);
        assert_eq!(status, Some(0), "{file}: {errors}");
        text
    };
    SIZES.iter().map(at).collect()
}

/// Returns the first difference between two models.
fn difference(ours: &Model, theirs: &Model) -> Option<String> {
    let [ours, theirs] = [ours, theirs].map(|model| serde_json::to_value(model).unwrap());
    first("", &ours, &theirs)
}

/// Returns the place and the values of the first difference between two JSON values.
fn first(place: &str, ours: &Value, theirs: &Value) -> Option<String> {
    match (ours, theirs) {
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let pairs = a.iter().zip(b).enumerate();
            pairs.into_iter().find_map(|(index, (a, b))| first(&format!("{place}[{index}]"), a, b))
        }
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            a.iter().find_map(|(key, a)| first(&format!("{place}.{key}"), a, &b[key]))
        }
        _ => (ours != theirs).then(|| format!("{place}: {ours} and {theirs}")),
    }
}

#[test]
fn models_of_c_are_those_of_mlir() {
    let entries = fs::read_dir(root().join("polybench/c")).unwrap().map(|entry| entry.unwrap().path());
    let is_c = |path: &Path| path.extension().is_some_and(|extension| extension == "c");
    let stem = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let kernels: Vec<String> = entries.filter(|path| is_c(path)).map(|path| stem(&path)).collect();
    assert_eq!(kernels.len(), 30, "the kernels of PolyBench/C");
    nothing_from(kernels.into_iter(), |kernel| {
        let mut models =
            [format!("polybench/c/{kernel}.c"), format!("polybench/{kernel}.mlir")].map(|file| derived(&file));
        if OTHER_NAMES.contains(&kernel.as_str()) {
            if models[0] == models[1] {
                return Some(format!("{kernel}: iterators have the same names"));
            }
            models = models.map(without_names);
        }
        if kernel == OTHER_PIECES {
            let histograms = ["polybench/c/nussinov.c", "polybench/nussinov.mlir"].map(histograms);
            assert_eq!(histograms[0], histograms[1], "{kernel}");
            models.iter_mut().flat_map(|model| &mut model.lines).for_each(|line| line.classes.clear());
        }
        let [ours, theirs] = models;
        difference(&ours, &theirs).map(|what| format!("{kernel}: {what}"))
    });
}

/// The comparison finds an iterator in another place, a condition, and the order of two operands.
#[test]
fn other_programs_have_other_models() {
    let kernels = [
        ("gemm", "alpha * A[i][k] * B[k][j]", "alpha * B[k][j] * A[i][k]"),
        ("trmm", "k = i + 1", "k = i"),
        ("nussinov", "if (i + 1 < n)", "if (i + 2 < n)"),
        ("ludcmp", "i >= 0", "i > 0"),
    ];
    nothing_from(kernels.into_iter(), |(kernel, text, other)| {
        let c = fs::read_to_string(root().join(format!("polybench/c/{kernel}.c"))).unwrap();
        assert!(c.contains(text), "{kernel}: {text}");
        let changed = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("twins-{kernel}.c"));
        fs::write(&changed, c.replace(text, other)).unwrap();
        let files = [changed.to_str().unwrap(), &format!("polybench/{kernel}.mlir")];
        let [ours, theirs] = files.map(|file| without_names(derived(file)));
        difference(&ours, &theirs).is_none().then(|| format!("{kernel}: {other} makes no difference"))
    });
}
