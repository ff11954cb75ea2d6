//! Accesses that others shadow (docs/mathematics.md, "The previous access").
//!
//! Two accesses of one loop body or branch touch the same block in each iteration: `C[i][j]` is read and then written. The earlier
//! one is the last before another access only if that one stands between the two. So most accesses need not be asked whether
//! they are the previous one.

use std::collections::BTreeMap;

use symloc_affine::AccessId;
use symloc_isl::Map;

use crate::Error;
use crate::timestamps::Step;

/// Which accesses are shadowed, and by which: the next one of the same body to the same blocks.
#[derive(Debug, Default)]
pub(crate) struct Shadows(BTreeMap<AccessId, AccessId>);

impl Shadows {
    /// Among accesses to one array, in the order of the text, with the blocks that they touch.
    pub(crate) fn among(accesses: &[(AccessId, Map)], times: &[Vec<Step>]) -> Result<Self, Error> {
        let mut shadows = BTreeMap::new();
        // By the path to the body: the accesses that nothing shadows yet, each with its map.
        let mut open: BTreeMap<&[Step], Vec<(AccessId, Map)>> = BTreeMap::new();
        for (access, map) in accesses {
            let Some((_, path)) = times[access.index()].split_last() else { continue };
            let blocks = map.set_tuple_name(symloc_isl::DimType::In, "S")?;
            let others = open.entry(path).or_default();
            let mut same = None;
            for (index, (_, other)) in others.iter().enumerate() {
                if same.is_none() && blocks.plain_is_equal(other)? {
                    same = Some(index);
                }
            }
            match same {
                Some(index) => _ = shadows.insert(std::mem::replace(&mut others[index].0, *access), *access),
                None => others.push((*access, blocks)),
            }
        }
        Ok(Self(shadows))
    }

    /// Is an access never the last one before a sink, since another one to the same block always comes after it?
    pub(crate) fn hide(&self, access: AccessId, sink: Option<AccessId>, times: &[Vec<Step>]) -> bool {
        let Some(shadow) = self.0.get(&access) else { return false };
        let time = |access: AccessId| times[access.index()].as_slice();
        !sink.is_some_and(|sink| comes_between(time(sink), time(access), time(*shadow)))
    }
}

/// Does an access execute after the first of two accesses of one body, and not after the second, in the same iteration?
fn comes_between(time: &[Step], first: &[Step], second: &[Step]) -> bool {
    let (Some((first, path)), Some((second, _))) = (first.split_last(), second.split_last()) else { return false };
    let Some(position) = time.strip_prefix(path).and_then(<[Step]>::first) else { return false };
    first < position && position <= second
}
