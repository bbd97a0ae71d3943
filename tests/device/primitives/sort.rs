//! Sorts against the host's stable one: keys of every type, ascending and descending, places and
//! values, on each engine, at awkward lengths, in one panel and in several.

use crate::common::{each_engine, is_thorough};
use quadrille::Context;
use quadrille::grid::DeviceVector;
use quadrille::primitives::{Number, Sort};
use quadrille::stream::Engine;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// None, one, and lengths around texels and tiles.
const LENGTHS: [usize; 6] = [0, 1, 5, 17, 1025, 4099];
/// The sides of textures by which vectors have several panels.
const SIDE: u32 = 16;

/// Compares keys, places and values with those that the host sorts by `order`, bit for bit.
fn compare<T: Number, K: Ord>(
    sort: &Sort<T>,
    context: &Context,
    numbers: &[T],
    order: impl Fn(&T) -> K,
) {
    let x = DeviceVector::from_host(context, numbers).unwrap();
    let mut places: Vec<u32> = (0..numbers.len() as u32).collect();
    places.sort_by_key(|place| order(&numbers[*place as usize]));
    let of = |place: &u32| numbers[*place as usize];
    let sorted: Vec<T> = places.iter().map(of).collect();
    let bits = |numbers: &[T]| bytemuck::cast_slice::<T, u32>(numbers).to_vec();
    let what = format!("{} numbers", numbers.len());
    assert!(bits(&sort.keys(&x).unwrap().read().unwrap()) == bits(&sorted), "keys of {what}");
    assert!(sort.indices(&x).unwrap().read().unwrap() == places, "places of {what}");
    let names: Vec<f32> = (0..numbers.len()).map(|name| name as f32 - 7.5).collect();
    let values = DeviceVector::from_host(context, &names).unwrap();
    let (keys, moved) = sort.pairs(&x, &values).unwrap();
    let expected: Vec<f32> = places.iter().map(|place| names[*place as usize]).collect();
    assert!(moved.read().unwrap() == expected, "values of {what}");
    assert!(bits(&keys.read().unwrap()) == bits(&sorted), "keys beside values of {what}");
}

/// Few different numbers, so that equal ones show whether a sort is stable.
fn few<T>(random: &mut Pcg64Mcg, length: usize, number: impl Fn(u32) -> T) -> Vec<T> {
    (0..length).map(|_| number(random.random_range(0..50_u32).wrapping_mul(0x9e37_79b9))).collect()
}

#[test]
fn sorts_of_integers_are_stable_and_exact() {
    each_engine(SIDE, |context, engine| {
        let sort = Sort::<u32>::on(context, engine).unwrap();
        let signed = Sort::<i32>::on(context, engine).unwrap().descending();
        for length in LENGTHS {
            let mut random = Pcg64Mcg::seed_from_u64(length as u64);
            compare(&sort, context, &few(&mut random, length, |number| number), |x| *x);
            let numbers: Vec<u32> = (0..length).map(|_| random.random()).collect();
            compare(&sort, context, &numbers, |x| *x);
            compare(&signed, context, &few(&mut random, length, |n| n as i32), |x| {
                std::cmp::Reverse(*x)
            });
        }
        if !is_thorough() {
            return;
        }
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let numbers: Vec<u32> = (0..300_007).map(|_| random.random()).collect();
        if engine == Engine::Fragment && context.abilities().max_texture_size == SIDE {
            // The counts of the digits that are drawn are in one panel.
            let x = DeviceVector::from_host(context, &numbers).unwrap();
            let error = sort.keys(&x).map(|_| ()).unwrap_err().to_string();
            assert!(
                error.contains("300007 numbers exceeds this device's limit of 32704"),
                "{error}"
            );
        } else {
            compare(&sort, context, &numbers, |x| *x);
        }
    });
}

/// The place of a float in the order of sorts: NaN last, whichever its sign.
fn ordered(x: f32) -> (bool, i32) {
    let bits = x.to_bits() as i32;
    (x.is_nan(), if bits < 0 { bits ^ i32::MAX } else { bits })
}

#[test]
fn floats_have_a_total_order() {
    const NUMBERS: [f32; 10] =
        [0.0, -0.0, 1.5, -1.5, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 3e38, -3e38, 2.0];
    each_engine(SIDE, |context, engine| {
        let sort = Sort::<f32>::on(context, engine).unwrap();
        let descending = Sort::<f32>::on(context, engine).unwrap().descending();
        for length in LENGTHS {
            let mut random = Pcg64Mcg::seed_from_u64(length as u64);
            let numbers: Vec<f32> =
                (0..length).map(|_| NUMBERS[random.random_range(0..NUMBERS.len())]).collect();
            compare(&sort, context, &numbers, |x| ordered(*x));
            compare(&descending, context, &numbers, |x| {
                let (last, order) = ordered(*x);
                (last, std::cmp::Reverse(order))
            });
        }
    });
}

#[test]
fn the_lowest_bits_alone_are_sorted_by() {
    each_engine(SIDE, |context, engine| {
        for bits in [1, 4, 5, 8, 11, 16, 31] {
            let sort = Sort::<u32>::on(context, engine).unwrap().bits(bits);
            for length in [0, 1, 1025, 4099] {
                let mut random = Pcg64Mcg::seed_from_u64(length as u64);
                let numbers: Vec<u32> = (0..length).map(|_| random.random()).collect();
                compare(&sort, context, &numbers, |x| x & ((1 << bits) - 1));
            }
        }
    });
}

#[test]
fn unique_numbers_and_the_first_of_all() {
    each_engine(SIDE, |context, engine| {
        let (sort, whole) =
            (Sort::<f32>::on(context, engine).unwrap(), Sort::<i32>::on(context, engine).unwrap());
        let last = Sort::<i32>::on(context, engine).unwrap().descending();
        for length in LENGTHS {
            let mut random = Pcg64Mcg::seed_from_u64(length as u64);
            let mut number = || random.random_range(-300..300_i32);
            let mut numbers: Vec<i32> = (0..length).map(|_| number()).collect();
            let x = DeviceVector::from_host(context, &numbers).unwrap();
            for count in [0, 1, 5, 1024, 1025] {
                let mut places: Vec<u32> = (0..length as u32).collect();
                places.sort_by_key(|place| std::cmp::Reverse(numbers[*place as usize]));
                places.truncate(count);
                assert_eq!(last.first_indices(&x, count).unwrap().read().unwrap(), places);
                let of = |place: &u32| numbers[*place as usize];
                let expected: Vec<i32> = places.iter().map(of).collect();
                assert_eq!(last.first(&x, count).unwrap().read().unwrap(), expected);
                let (keys, indices) = last.first_with_indices(&x, count).unwrap();
                assert_eq!(keys.read().unwrap(), expected);
                assert_eq!(indices.read().unwrap(), places);
            }
            numbers.sort_unstable();
            numbers.dedup();
            assert_eq!(whole.unique(&x).unwrap().read().unwrap(), numbers, "{length}");
        }
        let odd = [f32::NAN, 1.0, -0.0, f32::NAN, 0.0, 1.0, f32::INFINITY, -f32::NAN];
        let x = DeviceVector::from_host(context, &odd).unwrap();
        let got = sort.unique(&x).unwrap().read().unwrap();
        assert_eq!(got.len(), 4);
        assert!(got[..3] == [0.0, 1.0, f32::INFINITY] && got[3].is_nan(), "{got:?}");
    });
}

/// Floats that a device's arithmetic takes for equal, and those beside them.
const ODD: [f32; 18] = [
    0.0,
    -0.0,
    1e-45,
    -1e-45,
    1e-40,
    -1e-40,
    2e-40,
    f32::MIN_POSITIVE,
    -f32::MIN_POSITIVE,
    1.175_494_2e-38,
    1.0,
    -1.0,
    f32::MAX,
    -f32::MAX,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    -f32::NAN,
];

fn bits(numbers: &[f32]) -> Vec<u32> {
    let known = |number: &f32| if number.is_nan() { f32::NAN } else { *number };
    numbers.iter().map(|number| known(number).to_bits()).collect()
}

#[test]
fn sorts_and_different_numbers_have_one_order_down_to_denormals() {
    each_engine(SIDE, |context, engine| {
        let sort = Sort::<f32>::on(context, engine).unwrap();
        let lists = [
            vec![0.0, 1.0, -1e-40],
            vec![1e-40, 2e-40, 1e-45],
            vec![-0.0, 0.0],
            vec![0.0, -0.0, 1e-45],
            ODD.to_vec(),
        ];
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let long = LENGTHS.map(|length| {
            (0..length).map(|_| ODD[random.random_range(0..ODD.len())]).collect::<Vec<f32>>()
        });
        for numbers in lists.into_iter().chain(long) {
            let x = DeviceVector::from_host(context, &numbers).unwrap();
            let places = sort.indices(&x).unwrap().read().unwrap();
            let by_places: Vec<f32> = places.iter().map(|at| numbers[*at as usize]).collect();
            let mut expected = numbers.clone();
            expected.sort_by_key(|x| ordered(*x));
            let sorted = sort.keys(&x).unwrap().read().unwrap();
            assert_eq!(bits(&sorted), bits(&expected));
            assert_eq!(bits(&by_places), bits(&expected));
            assert_eq!(
                bits(&sort.first(&x, 5).unwrap().read().unwrap()),
                bits(&expected)[..expected.len().min(5)]
            );
            expected.dedup_by(|one, other| one == other || one.is_nan() && other.is_nan());
            let different = sort.unique(&x).unwrap().read().unwrap();
            assert_eq!(bits(&different), bits(&expected), "{} numbers", numbers.len());
        }
    });
}

#[test]
fn rows_are_sorted_each_by_itself() {
    each_engine(SIDE, |context, engine| {
        let sort = Sort::<f32>::on(context, engine).unwrap();
        for (rows, columns) in [(1, 1), (3, 7), (257, 5), (2, 1025), (1, 300), (300, 1), (0, 4)] {
            let mut random = Pcg64Mcg::seed_from_u64(rows as u64);
            let numbers: Vec<f32> =
                (0..rows * columns).map(|_| random.random_range(0..9) as f32).collect();
            let x = DeviceVector::from_host(context, &numbers).unwrap();
            let (mut expected, mut indices) = (Vec::new(), Vec::new());
            for row in numbers.chunks(columns) {
                let mut places: Vec<u32> = (0..columns as u32).collect();
                places.sort_by_key(|place| row[*place as usize] as i32);
                expected.extend(places.iter().map(|place| row[*place as usize]));
                indices.extend(places);
            }
            assert_eq!(sort.rows(&x, columns).unwrap().read().unwrap(), expected);
            assert_eq!(sort.row_indices(&x, columns).unwrap().read().unwrap(), indices);
        }
        let x = DeviceVector::from_host(context, &[1.0_f32; 7]).unwrap();
        let error = sort.rows(&x, 3).unwrap_err().to_string();
        assert!(error.contains("2 rows of 3") && error.contains('7'), "{error}");
    });
}

/// On hardware a buffer holds more than a test should sort.
#[test]
fn more_numbers_than_a_buffer_holds_are_sorted_by_fragments() {
    let context = Context::headless().unwrap();
    let Some(limits) = context.abilities().compute else {
        return crate::common::not_tested("no compute shaders");
    };
    let count = limits.max_block_bytes as usize / 4 + 1;
    if count > 1 << 26 {
        return;
    }
    let host: Vec<u32> = (0..count as u32).map(|i| i.wrapping_mul(0x9E37_79B1) >> 30).collect();
    let x = DeviceVector::from_host(&context, &host).unwrap();
    let dispatched = Sort::<u32>::on(&context, Engine::Compute).unwrap().bits(2);
    let error = dispatched.keys(&x).unwrap_err().to_string();
    assert!(error.contains(&count.to_string()), "{error}");
    let sorted = Sort::new(&context).unwrap().bits(2).keys(&x).unwrap().read().unwrap();
    let counts =
        |numbers: &[u32]| [0, 1, 2, 3].map(|key| numbers.iter().filter(|n| **n == key).count());
    assert!(sorted.is_sorted() && counts(&sorted) == counts(&host));
}

#[test]
fn values_of_another_length_are_refused() {
    let context = Context::headless().unwrap();
    let sort = Sort::<u32>::new(&context).unwrap();
    let x = DeviceVector::from_host(&context, &[1_u32; 5]).unwrap();
    let values = DeviceVector::from_host(&context, &[1.0_f32; 4]).unwrap();
    let error = sort.pairs(&x, &values).unwrap_err().to_string();
    assert!(error.contains("the values") && error.contains('5') && error.contains('4'), "{error}");
}
