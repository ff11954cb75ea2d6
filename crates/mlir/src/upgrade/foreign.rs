//! Operations of other tools' dialects that are left out, because MLIR cannot parse their syntax.
//!
//! Directives for a compiler's transformations are not executed; those of HeteroCL and Allo are known by name. The user
//! may declare that others touch no array (`--ignore-calls`).

use std::ops::Range;

use symloc_frontend::library;

use super::edits::Edits;
use super::statements::{Statement, is_operation};
use super::tokens::Token;

/// An operation that was left out, at a byte of the text, with the note about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Omission {
    pub(crate) start: usize,
    pub(crate) text: String,
}

/// Directives of the dialect `hcl`.
const DIRECTIVES: &[&str] = &[
    "hcl.bind",
    "hcl.buffer_at",
    "hcl.compute_at",
    "hcl.create_loop_handle",
    "hcl.create_op_handle",
    "hcl.create_stage_handle",
    "hcl.fuse",
    "hcl.inter_kernel_to",
    "hcl.interleaving",
    "hcl.outline",
    "hcl.parallel",
    "hcl.partition",
    "hcl.pipeline",
    "hcl.reform",
    "hcl.reorder",
    "hcl.replace",
    "hcl.reshape",
    "hcl.reuse_at",
    "hcl.split",
    "hcl.thread_bind",
    "hcl.tile",
    "hcl.unfold",
    "hcl.unroll",
];

/// The note about directives.
const NOT_FOLLOWED: &str = "directives of `hcl` are not followed: loops and arrays are those that stand here, not those that \
                            HeteroCL makes of them";

/// Blanks the directives among some tokens, and the operations that `ignored` names; returns one omission for each
/// note.
pub(crate) fn leave_out(
    text: &str,
    tokens: &[Token],
    range: Range<usize>,
    ignored: &[String],
    edits: &mut Edits,
) -> Vec<Omission> {
    let mut omissions: Vec<Omission> = Vec::new();
    for at in range.filter(|&at| is_operation(text, tokens, at)) {
        let name = tokens[at].text;
        let said = match () {
            () if DIRECTIVES.contains(&name) => NOT_FOLLOWED.to_owned(),
            () if name.contains('.') && ignored.iter().any(|ignored| ignored == name) => library::ignored(name),
            () => continue,
        };
        let statement = Statement::new(text, tokens, at);
        edits.blank(text, statement.bytes(&(statement.start..statement.end)));
        if omissions.iter().all(|omission| omission.text != said) {
            omissions.push(Omission { start: tokens[statement.start].start, text: said });
        }
    }
    omissions
}
