//! Dataflow analysis: which access each access depends on.
//!
//! Instances are scheduled in lexicographic order of their images under a schedule. For every instance and every
//! element that it reads (the *sink* relation), the source is the latest earlier instance that touches the same element
//! by the *source* relation.

use crate::error::Error;
use crate::object::{Argument, Object};
use crate::union::UnionMap;

/// The result of [`flow`].
#[derive(Clone, Debug)]
pub struct Flow {
    /// Source instance → sink instance.
    pub must_dependence: UnionMap,
    /// The part of the sink relation that has no source: sink instance → element.
    pub must_no_source: UnionMap,
}

object! {
    struct RawFlow(isl_union_flow): isl_union_flow_free;
}

/// Returns the last source before each sink.
///
/// `sink` and `must_source` map instances to elements, `schedule` maps instances to times.
///
/// # Errors
///
/// [`Error::Isl`] if the spaces do not fit or isl fails otherwise, [`Error::Limit`] at the limit on operations.
pub fn flow(sink: &UnionMap, must_source: &UnionMap, schedule: &UnionMap) -> Result<Flow, Error> {
    let context = &sink.context;
    let api = context.api();
    // SAFETY: all relations are live and C frees copies; each step takes the result of the one before, and NULL passes
    // through as NULL.
    let flow = unsafe {
        let access = (api.isl_union_access_info_from_sink)(sink.take());
        let access = (api.isl_union_access_info_set_must_source)(access, must_source.take());
        let access = (api.isl_union_access_info_set_schedule_map)(access, schedule.take());
        let raw = (api.isl_union_access_info_compute_flow)(access);
        RawFlow::adopt(context, "isl_union_access_info_compute_flow", raw)
    }?;
    let raw = flow.raw.as_ptr();
    // SAFETY: the flow is live and only looked at; the relations are ours.
    unsafe {
        Ok(Flow {
            must_dependence: UnionMap::adopt(
                context,
                "isl_union_flow_get_must_dependence",
                (api.isl_union_flow_get_must_dependence)(raw),
            )?,
            must_no_source: UnionMap::adopt(
                context,
                "isl_union_flow_get_must_no_source",
                (api.isl_union_flow_get_must_no_source)(raw),
            )?,
        })
    }
}
