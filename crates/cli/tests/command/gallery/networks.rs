//! The gallery's Fourier transform, its sort and its histogram: passes that are repeated as often as the size
//! takes.

use super::*;

const SIDE: usize = 256;

fn image(seed: u64) -> (Vec<f64>, Settings) {
    let numbers = random(3 * SIDE * SIDE, seed);
    let picture = field(SIDE as u32, SIDE as u32, 3, &numbers);
    (numbers, settings(vec![("image", picture)], &[]))
}

fn brightness(image: &[f64]) -> Vec<f64> {
    image.chunks(3).map(|rgb| 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]).collect()
}

/// The sum of the definition, of one line of complex numbers.
fn transformed(line: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let n = line.len();
    let one = |k: usize| {
        let term = |(at, (re, im)): (usize, &(f64, f64))| {
            let (sin, cos) = (-std::f64::consts::TAU * (k * at % n) as f64 / n as f64).sin_cos();
            (cos * re - sin * im, cos * im + sin * re)
        };
        line.iter().enumerate().map(term).fold((0.0, 0.0), |sum, x| (sum.0 + x.0, sum.1 + x.1))
    };
    (0..n).map(one).collect()
}

fn transposed(x: &[(f64, f64)]) -> Vec<(f64, f64)> {
    (0..x.len()).map(|i| x[i % SIDE * SIDE + i / SIDE]).collect()
}

#[test]
fn the_transform_is_the_sum_of_its_definition() {
    each(|context| {
        let (numbers, settings) = image(31);
        let mut fft = described(context, "fft.run.toml", settings);
        fft.step().unwrap();
        let window =
            |at: usize| (std::f64::consts::PI * (at as f64 + 0.5) / SIDE as f64).sin().powi(2);
        let begun = brightness(&numbers).into_iter().enumerate();
        let begun: Vec<(f64, f64)> =
            begun.map(|(i, x)| (x * window(i % SIDE) * window(i / SIDE), 0.0)).collect();
        let rows: Vec<(f64, f64)> = begun.chunks(SIDE).flat_map(transformed).collect();
        let columns: Vec<_> = transposed(&rows).chunks(SIDE).flat_map(transformed).collect();
        let wanted: Vec<f64> = transposed(&columns).iter().flat_map(|x| [x.0, x.1]).collect();
        // The numbers go up to the sum of all, about 8000; each of 16 repetitions rounds relative
        // to the length of the whole.
        let scale = wanted.iter().map(|x| x * x).sum::<f64>().sqrt();
        let relative = |numbers: &[f64]| numbers.iter().map(|x| x / scale).collect::<Vec<f64>>();
        let got = relative(&read(&fft, "columns.y"));
        near(&got, &relative(&wanted), 1e-6);
        let mirrored: Vec<f64> =
            wanted.iter().enumerate().map(|(i, x)| if i % 2 == 1 { -x } else { *x }).collect();
        far(&got, &relative(&mirrored), 1e-6);
        let middle = (SIDE / 2 * SIDE + SIDE / 2, wanted[0].hypot(wanted[1]));
        near(&[read(&fft, "picture.strength")[middle.0]], &[(1.0 + middle.1).ln() / 9.0], 1e-5);
    });
}

/// The device computes the brightness; what it sorts is those very numbers.
#[test]
fn every_column_is_sorted() {
    each(|context| {
        let (numbers, settings) = image(32);
        let mut sort = described(context, "sort.run.toml", settings);
        sort.step().unwrap();
        let begun = read(&sort, "begin.brightness");
        near(&begun, &brightness(&numbers), 1e-6);
        let mut wanted = vec![0.0; SIDE * SIDE];
        for x in 0..SIDE {
            let mut column: Vec<f64> = begun.iter().skip(x).step_by(SIDE).copied().collect();
            column.sort_by(f64::total_cmp);
            for (y, number) in column.into_iter().enumerate() {
                wanted[y * SIDE + x] = number;
            }
        }
        assert_eq!(read(&sort, "sort.next"), wanted);
    });
}

/// The sums are exact, and the device looks levels up in them.
#[test]
fn levels_are_spread_by_their_counts() {
    each(|context| {
        let (numbers, settings) = image(33);
        let mut equalise = described(context, "equalise.run.toml", settings);
        equalise.step().unwrap();
        let begun = read(&equalise, "begin.brightness");
        near(&begun, &brightness(&numbers), 1e-6);
        let level = |x: f64| ((x * 256.0) as usize).min(255);
        let mut sums = vec![0.0; 256];
        begun.iter().for_each(|x| sums[level(*x)] += 1.0);
        for at in 1..256 {
            sums[at] += sums[at - 1];
        }
        assert_eq!(read(&equalise, "sums.y"), sums);
        let share = |x: &f64| sums[level(*x)] / (SIDE * SIDE) as f64;
        let wanted: Vec<f64> = begun.iter().map(share).collect();
        near(&read(&equalise, "picture.equalised"), &wanted, 1e-6);
    });
}
