//! The shapes of tiles that are tried.

use super::permutations::is_deep;

/// Of so many loops, not more, the innermost ones are tiled in a deep nest.
const TILED_LOOPS: usize = 3;

/// Returns the tile sizes to try for a nest, by loop; 0 for a loop that is not tiled. `may_be_tiled` has the loops that may
/// be.
pub(crate) fn tiles(may_be_tiled: &[bool]) -> Vec<Vec<i64>> {
    let mut places: Vec<usize> = (0..may_be_tiled.len()).filter(|place| may_be_tiled[*place]).collect();
    if is_deep(may_be_tiled.len()) {
        places.drain(..places.len().saturating_sub(TILED_LOOPS));
    }
    let in_all_loops = |shape: Vec<i64>| {
        let mut sizes = vec![0; may_be_tiled.len()];
        places.iter().zip(shape).for_each(|(place, size)| sizes[*place] = size);
        sizes
    };
    shapes(places.len()).into_iter().map(in_all_loops).collect()
}

/// Returns the tile sizes to try for so many loops.
fn shapes(depth: usize) -> Vec<Vec<i64>> {
    if depth < 2 {
        return Vec::new();
    }
    let innermost = |size: i64, last: i64| {
        let mut sizes = vec![size; depth];
        sizes[depth - 1] = last;
        sizes
    };
    let mut tiles = vec![
        vec![32; depth],
        vec![64; depth],
        innermost(16, 256),
        innermost(32, 0),
        innermost(8, 0),
        innermost(8, 512),
    ];
    match depth {
        2 => tiles.extend([vec![0, 256], vec![64, 512], vec![0, 64], vec![4, 0]]),
        3 => tiles.extend([vec![8, 64, 128], vec![0, 64, 256], vec![16, 64, 512], vec![0, 8, 0], vec![8, 8, 0]]),
        _ => {}
    }
    tiles
}

/// Returns the sizes of tiles to try around others, by loop; 0 for a loop that is not tiled: multiples of the inner sizes.
pub(crate) fn outer_tiles(inner: &[i64]) -> Vec<Vec<i64>> {
    let times = |factor: i64| inner.iter().map(|size| size * factor).collect::<Vec<_>>();
    let mut tiles = vec![times(4), times(8), times(16)];
    // Slabs: one of the outermost and the innermost loop is not divided at this level.
    let tiled: Vec<usize> = (0..inner.len()).filter(|place| inner[*place] > 0).collect();
    if let [first, .., last] = tiled[..] {
        for whole in [first, last] {
            let mut slab = times(8);
            slab[whole] = 0;
            tiles.push(slab);
        }
    }
    tiles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_nests_have_tiles_in_their_innermost_loops() {
        assert!(tiles(&[true; 4]).contains(&vec![32; 4]) && tiles(&[true, false, true]).contains(&vec![32, 0, 32]));
        let deep = tiles(&[true, true, true, true, false, false, true]);
        assert!(deep.contains(&vec![0, 0, 32, 32, 0, 0, 32]), "{deep:?}");
        assert!(tiles(&[false, true]).is_empty());
    }

    #[test]
    fn outer_tiles_are_made_of_whole_inner_ones() {
        let expected = [[128, 0, 32], [256, 0, 64], [512, 0, 128], [0, 0, 64], [256, 0, 0]];
        assert_eq!(outer_tiles(&[32, 0, 8]), expected.map(Vec::from));
        assert_eq!(outer_tiles(&[8, 0]).len(), 3);
    }
}
