//! Parts that serve at several sizes.

use proptest::prelude::*;
use symloc_model::IntervalKind;

use super::{any_high, random};
use crate::count::{Decomposition, Parts, Plan};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// A size that comes back, and sizes with the same floors, may share their parts; others must not.
    #[test]
    fn shared_parts_are_those_of_the_size(random in random(2, any_high()), sizes in prop::collection::vec(0_i64..25, 1..24)) {
        let (class, piece) = random.piece();
        let plan = || Plan::new(&class.value, &piece, 1);
        let Some((plan, sharing)) = plan().zip(plan().map(|plan| plan.fix(&[]))) else { return Ok(()) };
        for n in sizes {
            let size = [i128::from(n)];
            let (mut left, mut alone, mut shared) = ([1_000_000; 2], Parts::default(), Parts::default());
            let outcomes = [
                Decomposition::run(&plan, IntervalKind::Real, &size, &mut left[0], &mut alone).is_ok(),
                Decomposition::run(&sharing, IntervalKind::Real, &size, &mut left[1], &mut shared).is_ok(),
            ];
            prop_assert_eq!((outcomes[0], left[0], format!("{alone:?}")), (outcomes[1], left[1], format!("{shared:?}")), "n = {}", n);
        }
    }
}
