//! isl and Barvinok through the wrapper: tables of texts in isl notation.

use std::thread;

use num_bigint::BigInt;
use num_rational::BigRational;
use symloc_isl::{
    BasicSet, Context, Counting, DimType, Error, ErrorKind, Map, Point, PwMultiAff, PwQPolynomial, Set, Space,
    UnionMap, UnionSet,
};

fn integer(value: i64) -> BigRational {
    BigRational::from_integer(value.into())
}

/// The set, and its count at some parameter values.
type CountedSet = (&'static str, &'static [(&'static [i64], i64)]);

const COUNTS: &[CountedSet] = &[
    ("[n] -> { [i, j] : 0 <= i < n and 0 <= j <= i }", &[(&[0], 0), (&[1], 1), (&[5], 15), (&[1000], 500_500)]),
    ("[n] -> { [i] : 0 <= i < n and i mod 8 = 7 }", &[(&[-3], 0), (&[7], 0), (&[8], 1), (&[15], 1), (&[64], 8)]),
    ("[n, m] -> { [i] : 0 <= i < n and i < m }", &[(&[3, 5], 3), (&[5, 3], 3), (&[5, -1], 0)]),
    ("[n] -> { S[b] : exists (i : b = floor(i/8) and 0 <= i < n) }", &[(&[1], 1), (&[8], 1), (&[9], 2), (&[65], 9)]),
    ("[n] -> { [i] : 0 <= i < n or 10 <= i < 12 }", &[(&[0], 2), (&[5], 7), (&[11], 12), (&[20], 20)]),
    ("[n] -> { : n >= 3 }", &[(&[2], 0), (&[3], 1)]),
    ("{ [i, j] : 0 <= i, j < 7 }", &[(&[], 49)]),
];

#[test]
fn counts() {
    let context = Context::new().unwrap();
    for (text, values) in COUNTS {
        let count = Set::read(&context, text).unwrap().card().unwrap();
        for (params, expected) in *values {
            assert_eq!(count.eval(&Point::new(params, &[])).unwrap(), integer(*expected), "{text} at {params:?}");
        }
    }
}

#[test]
fn a_count_can_be_approximate() {
    let line = "[n] -> { [b] : 0 <= 8b < n }";
    let count = |counting| {
        let context = Context::with_counting(counting).unwrap();
        Set::read(&context, line).unwrap().card().unwrap().to_string()
    };
    assert!(count(Counting::Exact).contains("floor"), "{}", count(Counting::Exact));
    assert!(!count(Counting::Scale).contains("floor"), "{}", count(Counting::Scale));
}

#[test]
fn the_count_of_a_map_is_a_function_on_its_domain() {
    let context = Context::new().unwrap();
    let map = Map::read(&context, "[n] -> { A[i] -> B[j] : 0 <= j <= i < n }").unwrap();
    let count = map.card().unwrap();
    assert_eq!(count.to_string(), "[n] -> { A[i] -> (1 + i) : 0 <= i < n }");
    assert_eq!(count.eval(&Point::new(&[9], &[4])).unwrap(), integer(5));
    assert_eq!(count.eval(&Point::new(&[4], &[4])).unwrap(), integer(0));
    let total = count.sum().unwrap();
    assert_eq!(total.eval(&Point::new(&[9], &[])).unwrap(), integer(45));
    let missing = count.eval(&Point::new(&[], &[4])).unwrap_err();
    assert!(matches!(missing, Error::Isl { kind: ErrorKind::Invalid, .. }), "{missing}");
}

#[test]
fn an_infinite_count_is_an_error() {
    let context = Context::new().unwrap();
    for text in ["[n] -> { [i] : i >= n }", "[n] -> { [i, j] : 0 <= i < n and (j = 0 or (j > 0 and i > 5)) }"] {
        let set = Set::read(&context, text).unwrap();
        assert_eq!(set.card().unwrap_err(), Error::Unbounded { operation: "isl_set_card" }, "{text}");
        assert!(!set.is_bounded().unwrap());
    }
    let map = Map::read(&context, "{ [i] -> [j] : j >= i }").unwrap();
    assert_eq!(map.card().unwrap_err(), Error::Unbounded { operation: "isl_map_card" });
}

/// `for i, j, k in [0, n): read A[i][k]; read B[k][j]; read C[i][j]; write C[i][j]`
const MATMUL_ACCESSES: &str = "[n] -> {
    R0[i, j, k] -> A[i, k] : 0 <= i, j, k < n;
    R1[i, j, k] -> B[k, j] : 0 <= i, j, k < n;
    R2[i, j, k] -> C[i, j] : 0 <= i, j, k < n;
    W3[i, j, k] -> C[i, j] : 0 <= i, j, k < n }";

const MATMUL_SCHEDULE: &str = "[n] -> {
    R0[i, j, k] -> [i, j, k, 0]; R1[i, j, k] -> [i, j, k, 1];
    R2[i, j, k] -> [i, j, k, 2]; W3[i, j, k] -> [i, j, k, 3] }";

/// Returns the last of some accesses before each of others, to the same element.
fn previous(of: &UnionMap, among: &UnionMap, schedule: &UnionMap) -> Result<UnionMap, Error> {
    let earlier = schedule.lex_lt(schedule)?.reverse()?;
    let to_one_element = of.apply_range(&among.reverse()?)?.intersect(&earlier)?;
    let time = to_one_element.apply_range(schedule)?.lexmax()?;
    time.apply_range(&schedule.reverse()?)
}

#[test]
fn previous_accesses_of_matmul() {
    let context = Context::new().unwrap();
    let accesses = UnionMap::read(&context, MATMUL_ACCESSES).unwrap();
    let schedule = UnionMap::read(&context, MATMUL_SCHEDULE).unwrap();
    let found = previous(&accesses, &accesses, &schedule).unwrap();
    let expected = "[n] -> {
        R0[i, j, k] -> R0[i, j - 1, k] : 0 <= i, j, k < n and j > 0;
        R1[i, j, k] -> R1[i - 1, j, k] : 0 <= i, j, k < n and i > 0;
        W3[i, j, k] -> R2[i, j, k] : 0 <= i, j, k < n;
        R2[i, j, k] -> W3[i, j, k - 1] : 0 <= i, j, k < n and k > 0 }";
    assert!(found.is_equal(&UnionMap::read(&context, expected).unwrap()).unwrap());
    let first_touches =
        "[n] -> { R0[i, 0, k] : 0 <= i, k < n; R1[0, j, k] : 0 <= j, k < n; R2[i, j, 0] : 0 <= i, j < n }";
    let others = accesses.domain().unwrap().subtract(&found.domain().unwrap()).unwrap();
    assert!(others.is_equal(&UnionSet::read(&context, first_touches).unwrap()).unwrap());

    // As the analyses use it: the previous access as a function of the access, in a fixed order.
    let maps = found.maps().unwrap();
    let names: Vec<_> = maps.iter().map(|map| map.tuple_name(DimType::In).unwrap().unwrap()).collect();
    assert_eq!(names, ["R0", "R1", "R2", "W3"]);
    let previous = PwMultiAff::from_map(&maps[2]).unwrap();
    let pieces = previous.pieces().unwrap();
    assert_eq!(pieces.len(), 1);
    let values: Vec<_> = pieces[0].1.affs().unwrap().iter().map(|a| a.form().unwrap()).collect();
    let point = Point::new(&[9], &[2, 3, 4]);
    assert_eq!(values.iter().map(|v| v.value(&point).unwrap()).collect::<Vec<_>>(), [2, 3, 3].map(integer));
}

#[test]
fn the_operation_limit_is_an_error_of_its_own_and_can_be_lifted() {
    let context = Context::new().unwrap();
    let accesses = UnionMap::read(&context, MATMUL_ACCESSES).unwrap();
    let schedule = UnionMap::read(&context, MATMUL_SCHEDULE).unwrap();
    context.set_max_operations(100);
    let error = previous(&accesses, &accesses, &schedule).unwrap_err();
    assert!(matches!(error, Error::Limit { .. }), "{error}");
    context.reset_operations();
    context.set_max_operations(0);
    assert!(previous(&accesses, &accesses, &schedule).is_ok());
}

/// Wherever the limit strikes, the result is an error and no crash.
#[test]
fn the_limit_may_strike_anywhere() {
    let context = Context::new().unwrap();
    let accesses = UnionMap::read(&context, MATMUL_ACCESSES).unwrap();
    let lines = UnionMap::read(&context, "{ A[i, j] -> A[i, floor(j/8)]; C[i, j] -> C[i, floor(j/8)] }").unwrap();
    let schedule = UnionMap::read(&context, MATMUL_SCHEDULE).unwrap();
    let all_pieces = || -> Result<(), Error> {
        let blocks = accesses.apply_range(&lines)?;
        for map in previous(&blocks, &blocks, &schedule)?.coalesce()?.maps()? {
            for (domain, function) in PwMultiAff::from_map(&map)?.pieces()? {
                domain.make_disjoint()?.systems()?;
                function.gist(&domain)?.affs()?.iter().try_for_each(|aff| aff.form().map(drop))?;
            }
        }
        Ok(())
    };
    let mut limited = 0;
    for limit in (1u64..).map(|i| i * i * i / 2 + 1) {
        context.reset_operations();
        context.set_max_operations(limit);
        match all_pieces() {
            Ok(()) => break,
            Err(Error::Limit { .. }) => limited += 1,
            Err(other) => panic!("with limit {limit}: {other}"),
        }
    }
    assert!(limited > 20, "{limited}");
}

/// The limit may also be reached while results are read piece by piece.
#[test]
fn the_limit_may_strike_while_results_are_read() {
    let context = Context::new().unwrap();
    let set =
        Set::read(&context, "[n, m] -> { [i, j] : 0 <= i < n and 0 <= 3j <= i + m and (i + n) mod 8 = 7 }").unwrap();
    let count = set.card().unwrap();
    let read = || count.pieces()?.iter().try_for_each(|(_, polynomial)| polynomial.form().map(drop));
    let mut limited = 0;
    for limit in 1.. {
        context.reset_operations();
        context.set_max_operations(limit);
        match read() {
            Ok(()) => break,
            Err(Error::Limit { .. }) => limited += 1,
            Err(other) => panic!("with limit {limit}: {other}"),
        }
    }
    assert!(limited > 20, "{limited}");
}

/// Barvinok cannot cope with a limit: it dereferences the NULL of a refusal.
#[test]
fn counts_are_exempt_from_the_limit() {
    let context = Context::new().unwrap();
    let map = Map::read(&context, "[n] -> { [i] -> [j] : 0 <= i < n and 0 <= j <= i and i mod 8 = 7 }").unwrap();
    let set = map.wrap().unwrap();
    context.reset_operations();
    context.set_max_operations(60);
    let counts = [set.card().unwrap(), map.card().unwrap().sum().unwrap()];
    assert!(matches!(set.lexmax(), Err(Error::Limit { .. })));
    context.set_max_operations(0);
    for count in counts {
        assert_eq!(count.eval(&Point::new(&[16], &[])).unwrap(), integer(24));
    }
}

#[test]
fn a_second_context_on_the_thread_is_refused_until_the_first_is_gone() {
    let first = Context::new().unwrap();
    assert_eq!(Context::new().unwrap_err(), Error::Busy);
    let set = Set::read(&first, "{ [i] }").unwrap();
    drop(first);
    assert_eq!(Context::new().unwrap_err(), Error::Busy, "the set keeps the context alive");
    drop(set);
    assert!(Context::new().is_ok());
}

#[test]
fn threads_take_turns() {
    let count = || {
        for _ in 0..50 {
            let context = Context::new().unwrap();
            let set = Set::read(&context, "[n] -> { [i, j] : 0 <= i < n and 0 <= j <= i and j mod 3 = 1 }").unwrap();
            assert_eq!(set.card().unwrap().eval(&Point::new(&[6], &[])).unwrap(), integer(7));
        }
    };
    thread::scope(|scope| {
        scope.spawn(count);
        scope.spawn(count);
    });
}

#[test]
fn a_thread_that_panics_gives_its_turn_back() {
    let thread = thread::spawn(|| {
        let _context = Context::new().unwrap();
        std::panic::resume_unwind(Box::new("on purpose"));
    });
    assert!(thread.join().is_err());
    assert!(Context::new().is_ok());
}

#[test]
fn failures_say_what_and_why() {
    let context = Context::new().unwrap();
    let syntax = Set::read(&context, "{ [i] : ").unwrap_err();
    assert!(matches!(&syntax, Error::Isl { operation: "isl_set_read_from_str", .. }), "{syntax}");
    let one = Set::read(&context, "{ A[i] }").unwrap();
    let two = Set::read(&context, "{ A[i, j] }").unwrap();
    let spaces = one.union(&two).unwrap_err();
    assert!(matches!(&spaces, Error::Isl { kind: ErrorKind::Invalid, .. }), "{spaces}");
    let range = one.project_out(DimType::SET, 1, 1).unwrap_err();
    assert!(matches!(&range, Error::Isl { kind: ErrorKind::Invalid, .. }), "{range}");
    assert!(matches!(one.dim_name(DimType::SET, 7), Err(Error::Isl { kind: ErrorKind::Invalid, .. })));
    assert_eq!(one.set_tuple_name("a\0b").unwrap_err(), Error::Nul { text: "a\0b".to_owned() });
    let many = Map::read(&context, "{ [i] -> [j] : 0 <= j < 2 }").unwrap();
    assert!(PwMultiAff::from_map(&many).is_err());
}

/// Sets whose divisions are nested, shared, negative or only implied.
const DIVIDED: &[&str] = &[
    "[n] -> { [i, j] : 0 <= i < n and j = floor(i/8) and n <= 20 and n >= -3 }",
    "[n] -> { [i] : -20 <= i < n <= 9 and n >= 7 and i mod 8 = 7 }",
    "[n] -> { [i, j] : 0 <= i, j <= 12 and 3 <= n <= 5 and floor((i + 2*floor(j/3))/4) <= n - 2 }",
    "{ [i] : exists (k : 0 <= i <= 40 and i = 6*k + 1) or exists (k : -9 <= i <= 40 and 2*i = 5*k) }",
    "{ [i, j] : exists (a, b : i = 3*a + 5*b and j = a - b and 0 <= a, b <= 4) }",
    "{ [i, j] : 0 <= i < 6 and 0 <= j < 6 and (i - j) mod 4 <= 1 and i != 3 }",
];

#[test]
fn constraints_as_plain_data_describe_the_same_set() {
    let context = Context::new().unwrap();
    for text in DIVIDED {
        let set = Set::read(&context, text).unwrap();
        let systems = set.systems().unwrap();
        let points = set.points().unwrap();
        assert!(!points.is_empty());
        let (params, dims) = (set.dim(DimType::Param).unwrap(), set.dim(DimType::SET).unwrap());
        let mut inside = 0;
        for values in grid(params + dims, -22, 42) {
            let point = Point::new(&values[..params], &values[params..]);
            let expected = points.binary_search(&point).is_ok();
            let actual = systems.iter().any(|system| system.contains(&point).unwrap());
            assert_eq!(actual, expected, "{text} at {point:?}");
            inside += usize::from(expected);
        }
        assert_eq!(inside, points.len(), "{text}: the grid is too small");
    }
}

/// All points of a cube; thinned out, but only where the sets above are empty, in three dimensions.
fn grid(dimensions: usize, low: i64, high: i64) -> Vec<Vec<i64>> {
    let range = if dimensions == 3 { -4..=21 } else { low..=high };
    (0..dimensions).fold(vec![vec![]], |points, _| {
        points.iter().flat_map(|p| range.clone().map(move |x| [p.as_slice(), &[x]].concat())).collect()
    })
}

#[test]
fn polynomials_as_plain_data_have_the_same_values() {
    let context = Context::new().unwrap();
    for text in DIVIDED.iter().chain(&[
        "[n] -> { [i, j] : 0 <= i < n and 0 <= j <= i and (i + 3*j) mod 4 = 1 }",
        "[n] -> { [a, b] : exists (i, j : a = floor(i/3) and b = floor(j/5) and 0 <= i < n and i <= j < n) }",
    ]) {
        let set = Set::read(&context, text).unwrap();
        let count = set.card().unwrap();
        let params = set.dim(DimType::Param).unwrap();
        for values in grid(params, 0, 40) {
            let point = Point::new(&values, &[]);
            let mut value = integer(0);
            for (domain, polynomial) in count.pieces().unwrap() {
                if domain.systems().unwrap().iter().any(|system| system.contains(&point).unwrap()) {
                    value += polynomial.form().unwrap().value(&point).unwrap();
                }
            }
            assert_eq!(value, count.eval(&point).unwrap(), "{text} at {point:?}");
        }
    }
    let infinite = PwQPolynomial::read(&context, "{ [i] -> infty }").unwrap();
    assert!(matches!(infinite.pieces().unwrap()[0].1.form(), Err(Error::Unbounded { .. })));
    let undefined = PwQPolynomial::read(&context, "{ [i] -> NaN }").unwrap();
    assert!(matches!(undefined.pieces().unwrap()[0].1.form(), Err(Error::Undefined { .. })));
}

#[test]
fn affine_functions_as_plain_data_have_the_same_values() {
    let context = Context::new().unwrap();
    let map = "[n] -> { [i] -> [i - 8*floor(i/8), floor((n + 3*floor(i/4))/5), 2i - n + 3] : -9 <= i <= 20 }";
    let map = Map::read(&context, map).unwrap();
    let function = PwMultiAff::from_map(&map).unwrap();
    assert!(Map::from_pw_multi_aff(&function).unwrap().is_equal(&map).unwrap());
    for (_, piece) in function.pieces().unwrap() {
        let forms: Vec<_> = piece.affs().unwrap().iter().map(|aff| aff.form().unwrap()).collect();
        for n in -3..4 {
            for i in -9i64..=20 {
                let expected = [i.rem_euclid(8), (n + 3 * i.div_euclid(4)).div_euclid(5), 2 * i - n + 3];
                let point = Point::new(&[n], &[i]);
                let actual: Vec<_> = forms.iter().map(|form| form.value(&point).unwrap()).collect();
                assert_eq!(actual, expected.map(integer), "{n} {i}");
            }
        }
    }
}

#[test]
fn a_division_without_a_definition_is_an_error_until_it_is_computed() {
    let context = Context::new().unwrap();
    let set = "{ [i, j] : exists (k : 2*k <= i and 3*k >= j and i + j <= 7*k) }";
    let basic = BasicSet::read(&context, set).unwrap();
    assert!(matches!(basic.system(), Err(Error::Isl { kind: ErrorKind::Invalid, .. })));
    assert!(basic.to_set().unwrap().systems().is_ok());
}

#[test]
fn dimensions_move_and_are_renamed() {
    let context = Context::new().unwrap();
    let set = Set::read(&context, "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < i }").unwrap();
    assert_eq!(set.tuple_name().unwrap().as_deref(), Some("S"));
    assert_eq!(set.dim_name(DimType::SET, 1).unwrap().as_deref(), Some("j"));
    assert_eq!(set.reset_tuple_name().unwrap().tuple_name().unwrap(), None);
    let renamed = set.set_dim_name(DimType::SET, 0, "q").unwrap().set_tuple_name("T").unwrap();
    let count = renamed.move_dims(DimType::Param, 1, DimType::SET, 0, 1).unwrap().card().unwrap();
    assert_eq!(count.to_string(), "[n, q] -> { q : 0 < q < n }");
    assert_eq!(count.domain_space().unwrap().dim_names(DimType::Param).unwrap(), ["n", "q"]);
    let space = Space::set(&context, &["n"], Some("S"), &["i", "j"]).unwrap();
    assert!(space.is_equal(&set.space().unwrap()).unwrap());
    assert!(set.is_subset(&Set::universe(&space).unwrap()).unwrap());
    assert!(Set::empty(&space).unwrap().is_empty().unwrap());
    assert!(PwQPolynomial::zero(&space).unwrap().is_zero().unwrap());
    let params = Set::universe(&Space::params(&context, &["n"]).unwrap()).unwrap();
    assert!(params.is_params().unwrap() && params.plain_is_universe().unwrap());
}

#[test]
fn points_and_fixed_values() {
    let context = Context::new().unwrap();
    let set = Set::read(&context, "[n] -> { [i] : 0 <= i < n and n <= 3 }").unwrap();
    let big: BigInt = "100000000000000000000".parse().unwrap();
    assert!(set.fix(DimType::SET, 0, big.clone()).unwrap().is_empty().unwrap());
    assert_eq!(
        set.fix(DimType::Param, 0, 2).unwrap().points().unwrap(),
        [(2, 0), (2, 1)].map(|(n, i)| Point::new(&[n], &[i]))
    );
    assert_eq!(set.upper_bound(DimType::SET, 0, -1).unwrap().sample_point().unwrap(), None);
    let far = Set::read(&context, "{ [i] }").unwrap().lower_bound(DimType::SET, 0, big.clone()).unwrap();
    assert!(far.sample_point().unwrap().unwrap().set[0] >= big);
    let params = Set::read(&context, "[n] -> { : 3 <= n <= 4 }").unwrap();
    assert_eq!(params.points().unwrap(), [Point::new(&[3], &[]), Point::new(&[4], &[])]);
    assert!(Set::read(&context, "{ [i] : i >= 0 }").unwrap().points().is_err());
}

/// Dropping constraints of this set, isl itself reads memory that it has given back: 2·q1 >= -51 - n - 16·q0 is
/// 2·q1 >= -50 - n - 16·q0 where n is even, which no constraint states.
#[test]
fn dropping_constraints_states_equalities_first() {
    let context = Context::new().unwrap();
    let set = Set::read(
        &context,
        "[n, q0, q1] -> { : 16q0 <= -58 - n and 2 - n - 8q0 <= q1 <= 7 and 2q1 >= -51 - n - 16q0 }",
    );
    let (set, among) = (set.unwrap(), Set::read(&context, "[n] -> { : (2 + n) mod 8 = 0 and n >= 7 }").unwrap());
    for gist in [set.gist(&among), set.gist_params(&among)] {
        let gist = gist.unwrap();
        let expected = set.intersect_params(&among).unwrap();
        assert!(gist.intersect_params(&among).unwrap().is_equal(&expected).unwrap(), "{gist}");
    }
}

#[test]
fn algebra_of_sets_and_maps() {
    let context = Context::new().unwrap();
    let set = |text: &str| Set::read(&context, text).unwrap();
    let map = |text: &str| Map::read(&context, text).unwrap();
    let (a, b) = (set("{ [i] : 0 <= i < 10 }"), set("{ [i] : 5 <= i < 15 }"));
    let sets = [
        (a.intersect(&b), "{ [i] : 5 <= i < 10 }"),
        (a.union(&b).and_then(|s| s.coalesce()), "{ [i] : 0 <= i < 15 }"),
        (a.subtract(&b), "{ [i] : 0 <= i < 5 }"),
        (a.intersect(&b).and_then(|s| s.gist(&b)), "{ [i] : i < 10 }"),
        (a.lexmax(), "{ [9] }"),
        (a.apply(&map("{ [i] -> [2i] }")), "{ [i] : 0 <= i <= 18 and i mod 2 = 0 }"),
        (a.affine_hull().and_then(|h| h.to_set()), "{ [i] }"),
        (a.flat_product(&b), "{ [i, j] : 0 <= i < 10 and 5 <= j < 15 }"),
        (map("{ [i] -> [j] : i < j < 7 and i >= 0 }").lexmax().and_then(|m| m.range()), "{ [6] }"),
        (map("{ [i] -> [i + 3] }").intersect_domain(&a).and_then(|m| m.range()), "{ [i] : 3 <= i < 13 }"),
        (map("{ [i] -> [i + 3] }").deltas(), "{ [3] }"),
    ];
    for (actual, expected) in sets {
        let actual = actual.unwrap();
        assert!(actual.is_equal(&set(expected)).unwrap(), "{actual} is not {expected}");
    }
    let forth = map("{ A[i] -> B[i + 1] }");
    let back = forth.reverse().unwrap();
    assert!(forth.apply_range(&back).unwrap().is_equal(&map("{ A[i] -> A[i] }")).unwrap());
    assert!(forth.wrap().unwrap().unwrap().unwrap().is_equal(&forth).unwrap());
    let union = UnionMap::empty(&context).unwrap().union(&UnionMap::from_map(&forth).unwrap()).unwrap();
    let image = UnionSet::from_set(&set("{ A[4] }")).unwrap().apply(&union).unwrap();
    assert!(image.is_equal(&UnionSet::read(&context, "{ B[5] }").unwrap()).unwrap());
    assert_eq!(image.sets().unwrap()[0].to_string(), "{ B[5] }");
}

/// Released isls find the value for n ≤ 3 alone, and only 0: of `o ≤ p` and `0 ≤ o` they make `o = 0` (vendor/fetch has
/// more).
#[test]
fn the_largest_of_even_numbers_is_found() {
    let context = Context::new().unwrap();
    let map = |text: &str| Map::read(&context, text).unwrap();
    let numbers = "exists (b : o = 2b) and o <= p and p <= 3 + o and o < i and o >= n - 3 and o >= 0";
    let numbers = map(&format!("[n] -> {{ [i] -> [o, p] : {numbers} }}"));
    let largest = map("[n] -> { [i] -> [o, 3 + o] : o mod 2 = 0 and i - 2 <= o < i and o >= n - 3 and o >= 0 }");
    assert!(numbers.lexmax().unwrap().is_equal(&largest).unwrap());
}

/// Elements 2o + 4e with o < 2 are written, then all are read: released isls say of odd ones neither who wrote them nor
/// that nobody did, because o is the fraction i/2 − 2·⌊i/4⌋ there.
#[test]
fn elements_between_those_written_have_no_source() {
    let context = Context::new().unwrap();
    let read = |text: &str| UnionMap::read(&context, text).unwrap();
    let reads = read("[n] -> { R[i] -> A[i] : 0 <= i < n }");
    let writes = read("[n] -> { W[o, e] -> A[2o + 4e] : 0 <= o < 2 and 0 <= e < n }");
    let schedule = read("[n] -> { W[o, e] -> [0, o, e]; R[i] -> [1, i, 0] }");
    let written = previous(&reads, &writes, &schedule).unwrap().domain().unwrap();
    let no_source = UnionSet::read(&context, "[n] -> { R[i] : 0 <= i < n and i mod 2 = 1 }").unwrap();
    assert!(reads.domain().unwrap().subtract(&written).unwrap().is_equal(&no_source).unwrap());
}

#[test]
fn algebra_of_polynomials() {
    let context = Context::new().unwrap();
    let read = |text: &str| PwQPolynomial::read(&context, text).unwrap();
    let half = BigRational::new(1.into(), 2.into());
    let f = read("[n] -> { [i] -> i^2 : 0 <= i < n }");
    let one = read("[n] -> { [i] -> 1 : 0 <= i < n }");
    let values = [
        (f.add(&one), integer(10)),
        (f.sub(&one), integer(8)),
        (f.mul(&f), integer(81)),
        (f.neg(), integer(-9)),
        (f.scale(&half), BigRational::new(9.into(), 2.into())),
        (f.fix(DimType::In, 0, 4), integer(0)),
        (f.gist(&Set::read(&context, "[n] -> { [i] : 0 <= i < n }").unwrap()), integer(9)),
    ];
    for (function, expected) in values {
        assert_eq!(function.unwrap().eval(&Point::new(&[7], &[3])).unwrap(), expected);
    }
    assert_eq!(f.sum().unwrap().eval(&Point::new(&[4], &[])).unwrap(), integer(14));
    assert!(f.sub(&f).unwrap().is_zero().unwrap());
}

/// Operations on a set that was parsed do not change the meaning of its text, even after many other texts.
#[test]
fn texts_that_are_remembered() {
    let isl = Context::new().unwrap();
    let text = "[n] -> { [i] : 0 <= i < n }";
    let first = Set::read(&isl, text).unwrap();
    let moved = first.set_tuple_name("A").unwrap().set_dim_name(DimType::Param, 0, "m").unwrap();
    for constant in 0..5_000 {
        let other = Set::read(&isl, &format!("[n] -> {{ [i] : 0 <= i < n + {constant} }}")).unwrap();
        assert!(constant > 2 || first.is_subset(&other).unwrap());
    }
    let again = Set::read(&isl, text).unwrap();
    assert!(again.is_equal(&first).unwrap() && !again.is_equal(&moved).unwrap_or(false));
    assert_eq!(Set::read(&isl, text).unwrap().to_string(), first.to_string());
    assert!(Set::read(&isl, "{ [i : }").is_err() && Set::read(&isl, "{ [i : }").is_err());
}
