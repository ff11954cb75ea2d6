//! Functions of the LLVM dialect: MLIR's own translation to LLVM IR, which the LLVM front end reads.

use melior::ir::Module;
use melior::utility::register_all_llvm_translations;
use symloc_frontend::{Diagnostic, Errors, Kind, Source, on_large_stack};

use crate::ffi::{self, Op, run_on};
use crate::input::parse::Session;
use crate::input::passes;
use crate::input::places::{Places, UNNAMED};
use crate::input::select::{self, Wanted};
use crate::input::source::{Readable, is_bytecode};
use crate::{Options, text_of};

/// The pass that gives every instruction the place of its operation.
const PLACED: &str = "ensure-debug-info-scope-on-llvm-func";

/// Returns the LLVM IR of a source whose function is an `llvm.func`; `None` if it is another one, or if the source
/// cannot be parsed.
///
/// # Errors
///
/// If a pass of `--passes` fails, or MLIR does not translate the module.
pub fn llvm_ir(source: &Source, options: &Options) -> Result<Option<Vec<u8>>, Errors> {
    let mentions = |name: &[u8]| source.bytes.windows(name.len()).any(|window| window == name);
    if !mentions(b"llvm.func") && !is_bytecode(source) {
        return Ok(None);
    }
    on_large_stack(|| translated(source, options)).map_err(|errors| Errors::new(vec![text_of(source)], errors))
}

fn translated(source: &Source, options: &Options) -> Result<Option<Vec<u8>>, Vec<Diagnostic>> {
    let Ok(readable) = Readable::new(source) else { return Ok(None) };
    let session = Session::new();
    let Some(mut module) = ffi::parse_module(&session.context, readable.bytes) else { return Ok(None) };
    let wanted = options.function.as_deref().map(Wanted::of);
    let places = Places::new(&readable, None);
    if function(&module, wanted.as_ref(), &places).is_none() {
        return Ok(None);
    }
    if let Some(pipeline) = &options.passes {
        passes::run(&session, &mut module, pipeline, &places)?;
    }
    let Some(function) = function(&module, wanted.as_ref(), &places) else { return Ok(None) };
    let at = places.of(function);
    let names = ffi::arguments(function).into_iter().map(|value| places.ssa_name(value).unwrap_or_default().to_owned());
    let names: Vec<_> = names.collect();
    let symbol = ffi::text_attribute(function, "sym_name").unwrap_or_default();
    // Functions of other dialects have no translation, and functions of the LLVM dialect do not call them.
    ffi::keep_functions(module.as_operation(), &[]);
    let ir = text(&session, module.as_operation(), &symbol, &names, &source.name).ok_or_else(|| {
        let error = Diagnostic::new(Kind::Unsupported, at, "MLIR does not translate this function to LLVM IR");
        let error = error.note("functions of the LLVM dialect are read as LLVM IR");
        std::iter::once(error).chain(session.take_errors(Kind::Unsupported, &places)).collect::<Vec<_>>()
    })?;
    Ok(Some(ir))
}

/// Returns the LLVM IR of a module in the LLVM dialect, read from a file of this name, with names for the arguments of
/// one function.
pub(crate) fn text(
    session: &Session,
    module: Op<'_>,
    function: &str,
    arguments: &[String],
    file: &str,
) -> Option<Vec<u8>> {
    register_all_llvm_translations(&session.context);
    ffi::place_plainly(&session.context, module);
    run_on(&session.context, module, PLACED).ok()?;
    ffi::translated(module, function, arguments).map(|ir| in_file(&ir, file).into_bytes())
}

/// Returns the `llvm.func` that the user has named, or the first one; `None` if there is a `func.func` instead.
fn function<'m>(module: &'m Module, wanted: Option<&Wanted>, places: &Places) -> Option<Op<'m>> {
    let module = module.as_operation();
    let (defined, _) = select::functions_of(module, "func.func", places);
    let is_wanted = |name: &str| wanted.is_none_or(|wanted| wanted.name == name);
    if defined.iter().any(|candidate| is_wanted(&candidate.name)) {
        return None;
    }
    let (defined, _) = select::functions_of(module, "llvm.func", places);
    defined.into_iter().find(|candidate| is_wanted(&candidate.name)).map(|candidate| candidate.is)
}

/// Replaces MLIR's name of the source by that of the file.
fn in_file(ir: &str, name: &str) -> String {
    let escaped: String = name.bytes().map(escaped).collect();
    ir.replace(&format!("!DIFile(filename: \"{UNNAMED}\""), &format!("!DIFile(filename: \"{escaped}\""))
}

/// Escapes a byte for a string of LLVM IR.
fn escaped(byte: u8) -> String {
    match byte {
        b'"' | b'\\' | 0..=31 | 127.. => format!("\\{byte:02X}"),
        _ => char::from(byte).to_string(),
    }
}
