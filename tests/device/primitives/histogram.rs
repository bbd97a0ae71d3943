//! Histograms against the host's: of numbers and of ranges, with weights, on each engine, in one
//! panel and in several.

use crate::common::{Flavour, each_engine};
use quadrille::Context;
use quadrille::grid::DeviceVector;
use quadrille::primitives::Histogram;
use quadrille::stream::Engine;
use quadrille::testing::Comparison;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const LENGTHS: [usize; 6] = [0, 1, 5, 257, 1021, 5003];
/// The sides of textures by which vectors have several panels.
const SIDE: u32 = 16;
/// The most numbers of one such panel.
const PANEL: usize = 4 * 16 * 16;

fn counted(bins: impl Iterator<Item = Option<usize>>, count: usize) -> Vec<u32> {
    let mut counts = vec![0; count];
    bins.flatten().filter(|bin| *bin < count).for_each(|bin| counts[bin] += 1);
    counts
}

/// The bin of a number by its edges, which it is compared with one after the other.
fn bin_of(edges: &[f32], x: f32) -> Option<usize> {
    let last = edges.len() - 2;
    (0..=last).find(|bin| {
        let below = if *bin == last { x <= edges[bin + 1] } else { x < edges[bin + 1] };
        edges[*bin] <= x && below
    })
}

#[test]
fn numbers_are_counted_exactly() {
    each_engine(SIDE, |context, engine| {
        for bins in [1, 7, 256, 1000] {
            let counts = Histogram::<u32>::of_numbers_on(context, engine, bins).unwrap();
            let signed = Histogram::<i32>::of_numbers_on(context, engine, bins).unwrap();
            for length in LENGTHS {
                let mut random = Pcg64Mcg::seed_from_u64(length as u64);
                let mut number = || random.random_range(-9..2 * bins as i64);
                let numbers: Vec<i64> = (0..length).map(|_| number()).collect();
                let expected =
                    counted(numbers.iter().map(|number| usize::try_from(*number).ok()), bins);
                let whole: Vec<u32> = numbers.iter().map(|number| *number as u32).collect();
                let x = DeviceVector::from_host(context, &whole).unwrap();
                assert!(counts.of(&x).unwrap().read().unwrap() == expected, "{bins}, {length}");
                let whole: Vec<i32> = numbers.iter().map(|number| *number as i32).collect();
                let x = DeviceVector::from_host(context, &whole).unwrap();
                assert!(signed.of(&x).unwrap().read().unwrap() == expected, "{bins}, {length}");
            }
        }
    });
}

#[test]
fn one_number_and_more_bins_than_a_group_counts() {
    each_engine(SIDE, |context, engine| {
        let one = DeviceVector::from_host(context, &[3_u32; 4099]).unwrap();
        let counts = Histogram::<u32>::of_numbers_on(context, engine, 5).unwrap();
        assert_eq!(counts.of(&one).unwrap().read().unwrap(), [0, 0, 0, 4099, 0]);
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let numbers: Vec<u32> = (0..3001).map(|_| random.random_range(0..70_000)).collect();
        let x = DeviceVector::from_host(context, &numbers).unwrap();
        let counts = Histogram::<u32>::of_numbers_on(context, engine, 1 << 16).unwrap();
        let expected = counted(numbers.iter().map(|number| Some(*number as usize)), 1 << 16);
        assert!(counts.of(&x).unwrap().read().unwrap() == expected);
    });
}

/// A float would count no further.
#[test]
fn counts_are_exact_past_2_to_the_24() {
    const COUNT: usize = (1 << 24) + 3;
    let engines = |context: &Context| {
        for engine in Engine::of(context) {
            let histogram = Histogram::<u32>::of_numbers_on(context, engine, 2).unwrap();
            let x = DeviceVector::from_host(context, &vec![1; COUNT]).unwrap();
            assert_eq!(histogram.of(&x).unwrap().read().unwrap(), [0, COUNT as u32], "{engine}");
        }
    };
    crate::common::on(&[Flavour::Gl], engines);
}

#[test]
fn ranges_have_the_edges_that_they_say() {
    const ODD: [f32; 8] =
        [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 1.0, -1.0, 1e-40, -1e-45];
    each_engine(SIDE, |context, engine| {
        // Denormals, which arithmetic may take for zeros, and differences that overflow.
        let tiny = f32::from_bits(1000);
        for (bins, low, high) in [
            (1, 0.0, 1.0),
            (10, -1.0, 1.0),
            (333, 1e6, 1.1e6),
            (500, -tiny, tiny),
            (90, -3e38, 3e38),
        ] {
            let histogram = Histogram::between_on(context, engine, bins, low, high).unwrap();
            let edges = histogram.edges().unwrap().to_vec();
            assert_eq!((edges.len(), edges[0], edges[bins]), (bins + 1, low, high));
            let mut random = Pcg64Mcg::seed_from_u64(bins as u64);
            let width = f64::from(high) - f64::from(low);
            let mut numbers: Vec<f32> = edges.clone();
            numbers.extend(edges.iter().flat_map(|edge| [edge.next_up(), edge.next_down()]));
            numbers.extend(ODD);
            let part = |part: f64| (f64::from(low) + width * part) as f32;
            let inside = || part(random.random_range(-0.1..1.1));
            numbers.extend(std::iter::repeat_with(inside).take(2000));
            let x = DeviceVector::from_host(context, &numbers).unwrap();
            let expected = counted(numbers.iter().map(|x| bin_of(&edges, *x)), bins);
            assert_eq!(histogram.of(&x).unwrap().read().unwrap(), expected, "{bins}");
        }
    });
}

#[test]
fn weights_are_summed_by_their_bins() {
    each_engine(SIDE, |context, engine| {
        for (bins, length) in [(1, 1), (7, 1000), (600, PANEL), (3, 0)] {
            let histogram = Histogram::<u32>::of_numbers_on(context, engine, bins).unwrap();
            let mut random = Pcg64Mcg::seed_from_u64(length as u64);
            let numbers: Vec<u32> =
                (0..length).map(|_| random.random_range(0..bins as u32 + 2)).collect();
            let weights: Vec<f32> = (0..length).map(|_| random.random_range(-1.0..1.0)).collect();
            let (x, w) = (
                DeviceVector::from_host(context, &numbers).unwrap(),
                DeviceVector::from_host(context, &weights).unwrap(),
            );
            let bound = histogram.error_bound(length);
            let mut expected = vec![(0.0, 0.0); bins];
            for (number, weight) in numbers.iter().zip(&weights) {
                if let Some((sum, allowed)) = expected.get_mut(*number as usize) {
                    *sum += f64::from(*weight);
                    *allowed += bound * f64::from(weight.abs());
                }
            }
            let got = histogram.weighted(&x, &w).unwrap().read().unwrap();
            let comparison = Comparison::of(got.iter().copied(), expected.iter().copied());
            assert!(comparison.is_right(), "{bins}, {length}: {comparison:?}");
            // A sum that is somewhat off is seen.
            if length == 1000 {
                let mut wrong = got;
                wrong[3] += 0.01;
                assert!(!Comparison::of(wrong, expected).is_right());
            }
        }
    });
}

#[test]
fn bins_and_ranges_that_cannot_be_are_refused() {
    let context = Context::headless().unwrap();
    for bins in [0, 65_537] {
        let error = Histogram::<u32>::of_numbers(&context, bins).unwrap_err().to_string();
        assert!(error.contains(&bins.to_string()) && error.contains("65536"), "{error}");
    }
    for (low, high) in [(1.0, 1.0), (2.0, 1.0), (f32::NAN, 1.0), (1.0, 1.000_001)] {
        let error = Histogram::between(&context, 100, low, high).unwrap_err().to_string();
        assert!(error.contains("100 bins") && error.contains(&high.to_string()), "{error}");
    }
    let x = DeviceVector::from_host(&context, &[1_u32; 5]).unwrap();
    let weights = DeviceVector::from_host(&context, &[1.0_f32; 4]).unwrap();
    let histogram = Histogram::<u32>::of_numbers(&context, 3).unwrap();
    let error = histogram.weighted(&x, &weights).unwrap_err().to_string();
    assert!(error.contains("the weights") && error.contains('5') && error.contains('4'), "{error}");
    let small = Context::builder()
        .without(quadrille::internal::Ability::LargerTextures(SIDE))
        .build()
        .unwrap();
    let long = DeviceVector::from_host(&small, &vec![1_u32; PANEL + 1]).unwrap();
    let weights = DeviceVector::from_host(&small, &vec![1.0_f32; PANEL + 1]).unwrap();
    let histogram = Histogram::<u32>::of_numbers(&small, 3).unwrap();
    let error = histogram.weighted(&long, &weights).unwrap_err().to_string();
    assert!(error.contains("1025") && error.contains("1024"), "{error}");
}
