//! Conversions of vectors between types: what is exact, bit for bit, and the first number that is not.

use crate::common::each_size;
use quadrille::Context;
use quadrille::grid::DeviceVector;
use quadrille::primitives::{Convert, Number};
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const LENGTHS: [usize; 8] = [0, 1, 3, 4, 5, 257, 1021, 4097];
/// The sides of textures by which vectors have several panels.
const SIDE: u32 = 16;

/// Returns what the host makes of a number, if it is exact.
fn cast<T: Number, U: Number>(x: T) -> Option<U> {
    // All numbers of 32 bits are doubles.
    let (x, any): (f64, &dyn std::any::Any) = (x.double(), &x);
    assert!(any.is::<f32>() || x.fract() == 0.0);
    let made: Box<dyn std::any::Any> = match std::any::type_name::<U>() {
        "f32" => Box::new(Some(x as f32).filter(|y| f64::from(*y) == x)),
        "i32" => Box::new(Some(x as i32).filter(|y| f64::from(*y) == x)),
        _ => Box::new(Some(x as u32).filter(|y| f64::from(*y) == x)),
    };
    *made.downcast::<Option<U>>().unwrap()
}

/// Converts numbers that the other type holds, and then with one that it does not at each of some
/// places.
fn compare<T: Number, U: Number>(context: &Context, all: &[T], wrong: &[T]) {
    let convert = Convert::<T, U>::new(context);
    let right: Vec<T> = all.iter().copied().filter(|x| cast::<T, U>(*x).is_some()).collect();
    assert!(right.len() > 20);
    for length in LENGTHS {
        let numbers: Vec<T> = right.iter().copied().cycle().take(length).collect();
        let expected: Vec<U> = numbers.iter().filter_map(|x| cast(*x)).collect();
        let x = DeviceVector::from_host(context, &numbers).unwrap();
        let got = convert.of(&x).unwrap();
        let bits = |numbers: &[U]| bytemuck::cast_slice::<U, u32>(numbers).to_vec();
        assert_eq!(bits(&got.read().unwrap()), bits(&expected), "{convert:?} of {length}");
        for (place, number) in [0, length / 2, length.saturating_sub(1)].into_iter().zip(wrong) {
            if length == 0 {
                continue;
            }
            assert_eq!(cast::<T, U>(*number), None);
            let mut numbers = numbers.clone();
            numbers[place] = *number;
            // One further back, which is not the first.
            *numbers.last_mut().unwrap() = *number;
            let x = DeviceVector::from_host(context, &numbers).unwrap();
            let error = convert.of(&x).unwrap_err().to_string();
            let to = std::any::type_name::<U>();
            let wanted = format!("{to} holds, got {} at index {place}", number.double());
            assert!(error.ends_with(&wanted), "{error}; expected {wanted}");
        }
    }
}

fn words() -> Vec<u32> {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let edges = (0..32).flat_map(|bit| {
        let power = 1_u32 << bit;
        [
            power,
            power.wrapping_sub(1),
            power.wrapping_add(1),
            power.wrapping_neg(),
            power ^ (power >> 1),
        ]
    });
    // Some with few significant bits, which floats hold.
    let random = (0..3000).map(|_| {
        random.next_u32() >> random.random_range(0..32_u32) << random.random_range(0..9_u32)
    });
    edges.chain(random).collect()
}

#[test]
fn conversions_are_exact_or_name_the_first_number_that_is_not() {
    each_size(SIDE, |context| {
        let unsigned = words();
        let signed: Vec<i32> = unsigned.iter().map(|word| word.cast_signed()).collect();
        compare::<u32, i32>(context, &unsigned, &[1 << 31, u32::MAX, (1 << 31) + 1]);
        compare::<u32, f32>(context, &unsigned, &[(1 << 24) + 1, u32::MAX, u32::MAX - 128]);
        compare::<i32, u32>(context, &signed, &[-1, i32::MIN, -77]);
        compare::<i32, f32>(context, &signed, &[-(1 << 24) - 1, i32::MAX, i32::MIN + 1]);
        let whole = signed.iter().map(|x| *x as f32).chain(unsigned.iter().map(|x| *x as f32));
        // By their bits: any float, of any exponent.
        let any = unsigned.iter().map(|word| f32::from_bits(*word));
        let floats: Vec<f32> =
            whole.chain(any).filter(|x| x.is_normal() && x.to_bits() != 1 << 31).collect();
        compare::<f32, i32>(context, &floats, &[0.5, 2_147_483_648.0, f32::NEG_INFINITY]);
        compare::<f32, u32>(context, &floats, &[-1.0, 4_294_967_296.0, f32::INFINITY]);
        compare::<f32, i32>(context, &floats, &[-2_147_483_904.0, 1e-30, 8_388_607.5]);
    });
}

#[test]
fn zeros_and_nan_are_what_they_are() {
    each_size(SIDE, |context| {
        let x = DeviceVector::from_host(context, &[-0.0_f32, 0.0]).unwrap();
        assert_eq!(Convert::<f32, i32>::new(context).of(&x).unwrap().read().unwrap(), [0, 0]);
        let x = DeviceVector::from_host(context, &[1.0, f32::NAN]).unwrap();
        let error = Convert::<f32, u32>::new(context).of(&x).unwrap_err();
        assert!(error.to_string().ends_with("u32 holds, got NaN at index 1"), "{error}");
    });
}
