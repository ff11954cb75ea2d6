//! Tile sizes that are parameters, as `--tile` names them.

use std::str::FromStr;

use symloc_affine::{Atom, Expr, LoopStep, Overflow, ParamId, Program, is_name};

use crate::error::DerivationError;

/// A parameter that is the size of tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileSize {
    /// Its name.
    pub name: String,
    /// The size of which it is a multiple, and the factor, at least 2; `None` if it is by itself.
    pub multiple: Option<(i64, String)>,
}

impl FromStr for TileSize {
    type Err = String;

    /// Reads `T`, or `T1 = 4*T2`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not of the form T, or T1 = 4*T2");
        let name = |text: &str| Some(text.trim()).filter(|name| is_name(name)).map(str::to_owned).ok_or_else(wrong);
        let Some((size, multiple)) = text.split_once('=') else {
            return Ok(Self { name: name(text)?, multiple: None });
        };
        let (factor, of) = multiple.split_once('*').ok_or_else(wrong)?;
        let factor = factor.trim().parse().ok().filter(|factor| *factor >= 2).ok_or_else(wrong)?;
        Ok(Self { name: name(size)?, multiple: Some((factor, name(of)?)) })
    }
}

/// Returns the names of all tile sizes.
pub fn names(sizes: &[TileSize]) -> Vec<String> {
    let all = sizes.iter().flat_map(|size| [Some(&size.name), size.multiple.as_ref().map(|(_, of)| of)]);
    all.flatten().cloned().collect()
}

/// Checks that loops go in steps of the tile sizes, and writes multiples of others as such.
///
/// # Errors
///
/// If a size is no parameter of the program, no loop goes in steps of it, or it is a multiple of something that is a multiple
/// itself.
pub fn settled(program: Program, sizes: &[TileSize]) -> Result<Program, DerivationError> {
    let mut program = program;
    for TileSize { name, multiple } in sizes {
        let Some((factor, of)) = multiple else { continue };
        let size = used(&program, name)?;
        let of = parameter(&program, of)?;
        if of == size
            || sizes.iter().any(|other| other.multiple.is_some() && other.name == program.params[of.index()].name)
        {
            let why = format!("--tile: `{}` is a multiple itself", program.params[of.index()].name);
            return Err(DerivationError::with_hint(why, "give the multiples of one size"));
        }
        program = scaled(&program, size, *factor, of).map_err(|error| DerivationError::refused(error.to_string()))?;
    }
    let by_themselves = sizes.iter().filter(|size| size.multiple.is_none());
    by_themselves.map(|size| used(&program, &size.name)).try_for_each(|size| size.map(drop))?;
    Ok(program)
}

fn parameter(program: &Program, name: &str) -> Result<ParamId, DerivationError> {
    let is_it = |param: &symloc_affine::Param| param.name == name || param.argument.as_deref() == Some(name);
    let position = program.params.iter().position(is_it).and_then(|index| u32::try_from(index).ok());
    position.map(ParamId).ok_or_else(|| {
        let names: Vec<&str> = program.params.iter().map(|param| param.name.as_str()).collect();
        let known = symloc_affine::listed(&names);
        DerivationError::with_hint(
            format!("--tile: there is no parameter `{name}`"),
            format!("name the parameter that a loop goes in steps of; the parameters are {known}"),
        )
    })
}

/// Returns a parameter that some loop goes in steps of.
fn used(program: &Program, name: &str) -> Result<ParamId, DerivationError> {
    let size = parameter(program, name)?;
    let mut is_used = false;
    symloc_affine::lines::loops(&program.body, &mut |l| is_used |= l.step.size() == Some(size));
    match is_used {
        true => Ok(size),
        false => Err(DerivationError::with_hint(
            format!("--tile: no loop goes in steps of `{name}`"),
            "leave it out, or write the loop over tiles as `for (ii = 0; ii < n; ii += T)`",
        )),
    }
}

/// Writes one tile size as a multiple of another. The parameter is left out.
fn scaled(program: &Program, size: ParamId, factor: i64, of: ParamId) -> Result<Program, Overflow> {
    let after = |param: ParamId| ParamId(param.0 - u32::from(param > size));
    let value = |atom: &Atom| match atom {
        Atom::Param(param) if *param == size => Some(Expr::param(after(of)).times(factor)),
        Atom::Param(param) => Some(Ok(Expr::param(after(*param)))),
        Atom::Iter(_) | Atom::Floor(..) => None,
    };
    let step = |step: LoopStep| match step {
        LoopStep::Tiles { times, size: by } if by == size => {
            Ok(LoopStep::Tiles { times: times.checked_mul(factor).ok_or(Overflow)?, size: after(of) })
        }
        LoopStep::Tiles { times, size } => Ok(LoopStep::Tiles { times, size: after(size) }),
        LoopStep::Known(_) => Ok(step),
    };
    let mut program = program.with(&|expr| expr.replace(&value), &step)?;
    program.params.remove(size.index());
    program.multiples = program.multiples.iter().map(|(n, b)| (after(*n), after(*b))).collect();
    Ok(program)
}
