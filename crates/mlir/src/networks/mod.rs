//! Networks: ONNX files, and MLIR in the dialects of frameworks, to linalg on tensors.
//!
//! The lowering is that of torch-mlir, a Python wheel with an LLVM of its own. `import.py` reads an ONNX file with its
//! importer, and `torch-mlir-opt` lowers the output of the importer, PyTorch or JAX; `shapes.py` and `attention.py`
//! first rewrite operations that it cannot lower. The result is read like other MLIR, with the names of the network:
//! locations are the lines of a *listing*, which has a line for each input and each node of an ONNX file, and
//! `symloc.dims` names the extents of each argument.
//!
//! - `programs`: torch-mlir's programs,
//! - `symbols`: names of sizes from PyTorch's exporter,
//! - `failures`: errors from their messages.

mod failures;
mod programs;
mod symbols;

use std::path::Path;

use symloc_frontend::{Diagnostic, Errors, Kind, Source, Text};

use failures::Failure;
use programs::{Installation, Program, Script};

/// A network, lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Linalg on tensors.
    pub(crate) mlir: Source,
    /// The text that its locations refer to: the listing, or the text that was lowered.
    pub(crate) original: Text,
}

/// The form of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// An ONNX file.
    Onnx,
    /// ONNX operations in the torch dialect.
    TorchOnnx,
    /// The torch dialect.
    Torch,
    /// StableHLO.
    StableHlo,
}

/// From ONNX operations to those of PyTorch.
const FROM_ONNX: &str = "func.func(convert-torch-onnx-to-torch)";
/// From the torch dialect to linalg on tensors.
const FROM_TORCH: &str = "torch-lower-to-backend-contract,func.func(torch-scalarize-shapes,canonicalize),\
                          torch-backend-to-linalg-on-tensors-backend-pipeline";
/// From StableHLO to linalg on tensors.
const FROM_STABLEHLO: &str = "stablehlo-legalize-to-linalg,func.func(canonicalize,cse)";

/// The operation that torch-mlir lowers to one without loops on tensors.
const ATTENTION: &str = "torch.aten.scaled_dot_product_attention";
/// Inlining, because sizes are passed to functions.
const INLINED: &str = "inline,symbol-dce";
/// The option for the only form in which Python's bindings read operations of StableHLO.
const GENERIC: &str = "--mlir-print-op-generic";
/// The option to leave out the contents of large constants, which are not needed, and which other versions of MLIR may
/// not be able to read.
const ELIDE: &str = "--mlir-elide-elementsattrs-if-larger=256";

/// The prefix of the lines of the listing in the importer's output.
const LISTED: &str = "// listing: ";

impl Network {
    /// Lowers a source, if it is a network; `enter` is called with the name of each phase.
    ///
    /// # Errors
    ///
    /// If torch-mlir is missing, refuses the network, or does not know one of its operators.
    pub fn lowered(source: &Source, enter: &mut dyn FnMut(&'static str)) -> Result<Option<Self>, Errors> {
        let Some(form) = Form::of(source) else { return Ok(None) };
        let mut original = Text { name: source.name.clone(), text: String::new() };
        match lower(source, form, &mut original, enter) {
            Ok(text) => {
                let name = format!("{} as MLIR", source.name);
                Ok(Some(Self { mlir: Source { name, bytes: text.into_bytes() }, original }))
            }
            Err(error) => Err(Errors::new(vec![original], vec![error])),
        }
    }
}

/// Lowers a network. An operator that torch-mlir does not lower is replaced by its definition in ONNX, and tried again.
fn lower(
    source: &Source,
    form: Form,
    original: &mut Text,
    enter: &mut dyn FnMut(&'static str),
) -> Result<String, Diagnostic> {
    let mut expanded = Vec::new();
    loop {
        match lower_with(source, form, &expanded, original, enter) {
            Err(Failure { operator: Some(operator), .. }) if form == Form::Onnx && !expanded.contains(&operator) => {
                expanded.push(operator);
            }
            lowered => return lowered.map_err(|failure| *failure.error),
        }
    }
}

fn lower_with(
    source: &Source,
    form: Form,
    expanded: &[String],
    original: &mut Text,
    enter: &mut dyn FnMut(&'static str),
) -> Result<String, Failure> {
    let torch_mlir = Installation::from_environment();
    let given = match form {
        Form::Onnx => {
            enter("importing");
            let imported = torch_mlir.import(source, expanded)?;
            original.text = listing(&imported);
            imported
        }
        _ => {
            original.text = text(source)?.to_owned();
            symbols::named(&original.text)
        }
    };
    enter("lowering");
    let given = match form == Form::Torch && given.contains(ATTENTION) {
        true => torch_mlir.rewritten(Script::Attention, &source.name, &given)?,
        false => given,
    };
    let run = |pipeline: &str, form: &str, text: &str| {
        let pipeline = format!("builtin.module({pipeline})");
        let options = ["--allow-unregistered-dialect", "--mlir-print-debuginfo", form, "--pass-pipeline", &pipeline];
        let run = torch_mlir.run(Program::Opt, &options, text.as_bytes())?;
        match run.succeeded {
            true => Ok(run.output),
            false => Err(failures::of_lowering(&failures::named(&run.messages, &source.name), original)),
        }
    };
    let lowered = match form == Form::StableHlo && computes_sizes(&given) {
        true => {
            let given = torch_mlir.rewritten(Script::Shapes, &source.name, &run(INLINED, GENERIC, &given)?)?;
            // The canonicalizer removes the computations of sizes, which are no longer used.
            run(&format!("func.func(canonicalize),{}", form.pipeline()), ELIDE, &given)?
        }
        false => run(&form.pipeline(), ELIDE, &given)?,
    };
    Ok(failures::complete(failures::named(&lowered, &source.name), original)?)
}

/// Returns true if a program in StableHLO computes the sizes of its tensors.
fn computes_sizes(text: &str) -> bool {
    ["stablehlo.get_dimension_size", "stablehlo.dynamic_", "@shape_assertion"].iter().any(|name| text.contains(name))
}

fn text(source: &Source) -> Result<&str, Diagnostic> {
    std::str::from_utf8(&source.bytes)
        .map_err(|error| Diagnostic::new(Kind::Syntax, None, format!("this is not UTF-8 text: {error}")))
}

/// Returns the lines of the listing.
fn listing(imported: &str) -> String {
    imported.lines().filter_map(|line| line.strip_prefix(LISTED)).map(|line| format!("{line}\n")).collect()
}

impl Form {
    /// Returns the form of a source; `None` if it is not a network, or is linalg already.
    fn of(source: &Source) -> Option<Self> {
        if Path::new(&source.name).extension().is_some_and(|extension| extension == "onnx") {
            return Some(Form::Onnx);
        }
        let text = std::str::from_utf8(&source.bytes).ok()?;
        let mut found = None;
        for line in text.lines() {
            let code = line.split("//").next().unwrap_or_default();
            if uses(code, "torch.operator \"onnx") {
                return Some(Form::TorchOnnx);
            }
            if uses(code, "torch.") || code.contains("!torch.") {
                found = found.or(Some(Form::Torch));
            } else if uses(code, "stablehlo.") || uses(code, "chlo.") {
                return Some(Form::StableHlo);
            }
        }
        found
    }

    fn pipeline(self) -> String {
        match self {
            Form::Onnx | Form::TorchOnnx => format!("{FROM_ONNX},{FROM_TORCH}"),
            Form::Torch => FROM_TORCH.to_owned(),
            Form::StableHlo => FROM_STABLEHLO.to_owned(),
        }
    }
}

/// Returns true if an operation of a dialect begins in a line: at its start or after `=`, perhaps in quotes.
fn uses(line: &str, dialect: &str) -> bool {
    let operation = line.split_once(" = ").map_or(line, |(_, operation)| operation).trim_start();
    operation.trim_start_matches('"').starts_with(dialect)
}
