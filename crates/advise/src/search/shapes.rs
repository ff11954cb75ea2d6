//! The moves of a nest that are tried: permutations of its loops, and shapes of tiles.

/// The largest number of loops whose permutations are all tried.
const PERMUTED: usize = 4;

/// Returns the permutations of `0..count`, in lexicographic order; of many only the identity.
pub(crate) fn permutations(count: usize) -> Vec<Vec<usize>> {
    if count > PERMUTED {
        return vec![(0..count).collect()];
    }
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |start: &Vec<usize>| {
            let start = start.clone();
            (0..count).filter(move |next| !start.contains(next)).collect::<Vec<_>>()
        };
        all = all
            .iter()
            .flat_map(|start| longer(start).into_iter().map(|next| start.iter().copied().chain([next]).collect()))
            .collect();
    }
    all
}

/// Returns the tile sizes to try for a nest, by loop; 0 for a loop that is not tiled.
pub(crate) fn tiles(depth: usize) -> Vec<Vec<i64>> {
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
    fn outer_tiles_are_made_of_whole_inner_ones() {
        let expected = [[128, 0, 32], [256, 0, 64], [512, 0, 128], [0, 0, 64], [256, 0, 0]];
        assert_eq!(outer_tiles(&[32, 0, 8]), expected.map(Vec::from));
        assert_eq!(outer_tiles(&[8, 0]).len(), 3);
    }
}
