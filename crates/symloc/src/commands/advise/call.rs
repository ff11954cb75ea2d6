//! The arguments of a function in MLIR, for a call at one size.

use symloc_advise::native::NativeArgument;
use symloc_affine::Program;
use symloc_frontend::signature::{Apart, Argument, ArrayArgument, Side};
use symloc_mlir::Callable;
use symloc_query::CliError;

use crate::dense::extents_at;

/// The types of MLIR that have one in C, with it; arrays of them can be filled with numbers.
const KINDS: [(&str, &str); 7] = [
    ("f64", "double"),
    ("f32", "float"),
    ("index", "long long"),
    ("i64", "long long"),
    ("i32", "int"),
    ("i16", "short"),
    ("i8", "signed char"),
];

/// Returns the arguments for a call at one size: sizes, arrays that have room for all accesses, and some numbers.
///
/// # Errors
///
/// If an argument has a type that is not known here, or if it is not known how large an array is.
pub(super) fn arguments(
    file: &str,
    program: &Program,
    sizes: &[i64],
    callable: &Callable,
) -> Result<Vec<NativeArgument>, CliError> {
    let (_, touched) = extents_at(program, sizes)?;
    let size = |name: &str| program.param(name).and_then(|param| sizes.get(param.index()).copied());
    let refused = |why: &str| {
        let message = format!("{file}: the function cannot be called: {why}");
        CliError::with_hint(message, "leave out --run: then the orders are not compared by running them")
    };
    let argument = |(argument, kind): (&Argument, &String)| {
        let known = KINDS.iter().find(|(mlir, _)| mlir == kind).map(|(_, c)| (*c).to_owned());
        let c = known.or_else(|| (kind == "i1" && !matches!(argument, Argument::Array(_))).then(|| "_Bool".to_owned()));
        let c = c.ok_or_else(|| refused(&format!("there are no numbers for the type {kind} of an argument")))?;
        match argument {
            Argument::Integer(name) => {
                let value = name.as_deref().and_then(size).unwrap_or(1);
                Ok(NativeArgument::Scalar { kind: c, value: value.to_string() })
            }
            Argument::Scalar => Ok(NativeArgument::Scalar { kind: c, value: "1.5".to_owned() }),
            Argument::Array(array) => {
                let memref = memref(array, c, program, &touched, &size);
                memref.ok_or_else(|| {
                    let name = array.name.as_deref().unwrap_or("an array that is not accessed");
                    refused(&format!("it is not known how large the array {name} is"))
                })
            }
        }
    };
    callable.arguments.iter().zip(&callable.types).map(argument).collect()
}

/// Returns an array with room for all accesses; `touched` has the extents that contain them, by array. `None` if these
/// are not known, or a number leaves 64 bits.
fn memref(
    array: &ArrayArgument,
    element: String,
    program: &Program,
    touched: &[Vec<i64>],
    size: &impl Fn(&str) -> Option<i64>,
) -> Option<NativeArgument> {
    let index = array.name.as_ref().and_then(|name| program.arrays.iter().position(|known| known.name == *name));
    let touched = index.and_then(|index| touched.get(index)).filter(|extents| !extents.is_empty());
    let extent = |side: &Side| match (side, touched) {
        (Side::Constant(extent), _) => Some(*extent),
        (Side::Parameter(name), _) => size(name),
        // Of an array that is not accessed one element is enough.
        (Side::Accessed(_), None) => Some(1),
        (Side::Accessed(place), Some(touched)) if touched.len() == array.extents.len() => touched.get(*place).copied(),
        // Rows that the reading found in an array of rank 1.
        (Side::Accessed(_), Some(touched)) if array.extents.len() == 1 => {
            touched.iter().try_fold(1_i64, |product, extent| product.checked_mul(*extent))
        }
        (Side::Accessed(_), Some(_)) => None,
    };
    let extents: Vec<i64> = array.extents.iter().map(extent).collect::<Option<_>>()?;
    let strides = match &array.strides {
        Apart::Constant(strides) => strides.clone(),
        Apart::Dense(order) => {
            let mut strides = vec![0; extents.len()];
            let mut distance = 1_i64;
            for dimension in order.iter().rev() {
                *strides.get_mut(*dimension)? = distance;
                distance = distance.checked_mul(*extents.get(*dimension)?)?;
            }
            strides
        }
    };
    let reach = extents.iter().zip(&strides).try_fold(array.offset, |reach, (extent, stride)| {
        // Reversed or empty arrays have no room that is known.
        let last = extent.checked_sub(1).filter(|last| *last >= 0 && *stride >= 0)?;
        reach.checked_add(last.checked_mul(*stride)?)
    });
    let room = reach?.checked_add(1)?;
    Some(NativeArgument::Memref { element, offset: array.offset, extents, strides, room })
}
