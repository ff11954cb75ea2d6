//! Pseudorandom numbers that depend on the seed alone.
//!
//! Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014): SplitMix64.

/// Returns the next 64 bits, and advances the state.
pub fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed(*state)
}

/// Returns a number below `count`; all are nearly equally likely if `count` is small compared with 2^64.
pub fn below(state: &mut u64, count: u64) -> u64 {
    // The high half of the product.
    ((u128::from(next(state)) * u128::from(count)) >> 64) as u64
}

/// Returns the bits of a word, mixed so that similar words become different ones.
pub fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}
