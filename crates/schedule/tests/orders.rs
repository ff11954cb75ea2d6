//! Orders that may be illegal: loops permuted, tiled and distributed at random.

use symloc_schedule::{Band, OrderTree};
use symloc_sim::random::Rng;

pub(crate) fn changed(order: &OrderTree, rng: &mut Rng) -> OrderTree {
    let mut change = |band: &Band| {
        let mut places: Vec<usize> = (0..band.depth()).collect();
        (0..places.len()).for_each(|place| {
            let other = rng.range(0, band.depth() as i64 - 1) as usize;
            places.swap(place, other);
        });
        let tiles: Vec<i64> = places.iter().map(|_| [0, 2, 3][rng.range(0, 2) as usize]).collect();
        // Every other time in larger tiles.
        let larger = tiles.iter().map(|size| size * rng.range(0, 1)).map(|size| 2 * size).collect();
        band.permuted(&places).tiled_in_levels(&[larger, tiles]).map(OrderTree::Band)
    };
    // Bands that are not permutable are changed as well: this is what may be illegal.
    let order = all_permutable(order).with_nests(&mut change).unwrap();
    if rng.one_in(2) { order.distributed() } else { order }
}

/// Returns the order with loops that are nested in each other as one band, which claims to be permutable.
fn all_permutable(order: &OrderTree) -> OrderTree {
    match order {
        OrderTree::Leaf => OrderTree::Leaf,
        OrderTree::Band(band) => match all_permutable(&band.child) {
            OrderTree::Band(inner) => {
                let members = [band.members.clone(), inner.members].concat();
                OrderTree::Band(Band { members, permutable: true, child: inner.child })
            }
            child => OrderTree::Band(Band { members: band.members.clone(), permutable: true, child: Box::new(child) }),
        },
        OrderTree::Sequence(parts) => {
            OrderTree::Sequence(parts.iter().map(|(part, order)| (part.clone(), all_permutable(order))).collect())
        }
    }
}
