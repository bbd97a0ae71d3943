//! The data of tasks, how they run, and the comparison with the host.

mod data;
mod filters;

use quadrille::data::SplitMix64;
use quadrille::gl::Context;
use quadrille::grid::DeviceVector;
use quadrille::primitives::{Histogram, Scan, Select, Sort};
use quadrille::stream::Engine;

use self::data::{Made, floats, whole_numbers};
use self::filters::{convolution, transform};
use super::Task;
use crate::bench::benchmark::benchmark;
use crate::twin::Comparison;

/// Makes the data of a task.
pub(super) fn begin(context: &Context, task: Task, engine: Engine, n: usize) -> Made {
    match task {
        Task::Scan => scan(context, engine, n),
        Task::Select => select(context, engine, n),
        Task::Sort => sort(context, engine, n, 32),
        Task::Sort16 => sort(context, engine, n, 16),
        Task::Argsort => argsort(context, engine, n),
        Task::Histogram => histogram(context, engine, whole_numbers(n, 8)?),
        Task::HistogramOne => histogram(context, engine, vec![7; n]),
        Task::Fft => transform(context, engine, n),
        Task::Convolution => convolution(context, engine, n),
    }
}

/// The comparison of what is either right or not, with the number of places that are not.
fn exact(wrong: usize) -> Comparison {
    Comparison::of_number(wrong as f64, 0.0, 0.0)
}

fn scan(context: &Context, engine: Engine, n: usize) -> Made {
    let host = floats(n)?;
    let x = DeviceVector::from_host(context, &host)?;
    let sums = DeviceVector::uninit(context, n)?;
    let scan = Scan::on(context, engine)?;
    let bound = scan.error_bound(n);
    let run = move |sums: &mut DeviceVector| Ok(scan.of(&x).run(sums)?);
    let compare = move |sums: &DeviceVector| {
        let mut sum = 0.0;
        let expected = host.iter().map(|x| {
            sum += f64::from(*x);
            (sum, bound * sum)
        });
        Ok(Comparison::of(sums.read()?, expected))
    };
    Ok(benchmark(sums, run, compare))
}

fn select(context: &Context, engine: Engine, n: usize) -> Made {
    let select = Select::on(context, engine, "x > 0.5")?;
    let host = floats(n)?;
    let x = DeviceVector::from_host(context, &host)?;
    let run = move |kept: &mut DeviceVector| {
        *kept = select.of(&x)?;
        Ok(())
    };
    let compare = move |kept: &DeviceVector| {
        let expected = host.iter().filter(|x| **x > 0.5);
        Ok(Comparison::of(kept.read()?, expected.map(|x| (f64::from(*x), 0.0))))
    };
    Ok(benchmark(DeviceVector::uninit(context, 0)?, run, compare))
}

/// A sum that the order of numbers does not change, and other numbers do.
fn fingerprint(numbers: &[u32]) -> u64 {
    let mixed = |number: &u32| SplitMix64::new(u64::from(*number)).next();
    numbers.iter().map(mixed).fold(0, u64::wrapping_add)
}

fn sort(context: &Context, engine: Engine, n: usize, bits: u32) -> Made {
    let host = whole_numbers(n, bits)?;
    let x = DeviceVector::from_host(context, &host)?;
    let sort = Sort::<u32>::on(context, engine)?.bits(bits);
    let run = move |sorted: &mut DeviceVector<u32>| {
        *sorted = sort.keys(&x)?;
        Ok(())
    };
    // In their order, and the same numbers.
    let compare = move |sorted: &DeviceVector<u32>| {
        let sorted = sorted.read()?;
        let wrong = sorted.windows(2).filter(|pair| pair[0] > pair[1]).count();
        let same = sorted.len() == host.len() && fingerprint(&sorted) == fingerprint(&host);
        Ok(exact(wrong + usize::from(!same)))
    };
    Ok(benchmark(DeviceVector::uninit(context, 0)?, run, compare))
}

fn argsort(context: &Context, engine: Engine, n: usize) -> Made {
    let host = whole_numbers(n, 32)?;
    let x = DeviceVector::from_host(context, &host)?;
    let sort = Sort::<u32>::on(context, engine)?;
    let run = move |places: &mut DeviceVector<u32>| {
        *places = sort.indices(&x)?;
        Ok(())
    };
    // Keys with their places, which are strictly ascending only if the sort is right and stable; so
    // no place comes twice.
    let compare = move |places: &DeviceVector<u32>| {
        let places = places.read()?;
        let pair = |place: &u32| Some((*host.get(*place as usize)?, *place));
        let wrong = places.windows(2).filter(|two| {
            let pairs = (pair(&two[0]), pair(&two[1]));
            !matches!(pairs, (Some(left), Some(right)) if left < right)
        });
        Ok(exact(wrong.count() + places.len().abs_diff(host.len())))
    };
    Ok(benchmark(DeviceVector::uninit(context, 0)?, run, compare))
}

/// The bins of the histograms.
const BINS: usize = 256;

fn histogram(context: &Context, engine: Engine, host: Vec<u32>) -> Made {
    let histogram = Histogram::<u32>::of_numbers_on(context, engine, BINS)?;
    let x = DeviceVector::from_host(context, &host)?;
    let run = move |counts: &mut DeviceVector<u32>| {
        *counts = histogram.of(&x)?;
        Ok(())
    };
    let compare = move |counts: &DeviceVector<u32>| {
        let mut expected = vec![(0.0, 0.0); BINS];
        host.iter().for_each(|bin| expected[*bin as usize].0 += 1.0);
        Ok(Comparison::of(counts.read()?, expected))
    };
    Ok(benchmark(DeviceVector::uninit(context, 0)?, run, compare))
}
