//! PageRank of a directed graph on the device: x = d P x + (1 - d) / n until it stands still, with P
//! the sparse matrix of a random step along an edge (Brin and Page 1998).
//!
//! `cargo run --release --features solve --example page_rank -- edges.txt` reads an edge on each line, as two node
//! numbers from 0. Without a file it makes a graph in which new pages link to pages that many link
//! to. The ranks are compared with double precision on the host.

use quadrille::data::{Csr, SplitMix64};
use quadrille::grid::DeviceVector;
use quadrille::linalg::blas1::Blas1;
use quadrille::linalg::sparse::Operator;
use quadrille::{Context, Shape};

/// The chance that a reader follows a link.
const FOLLOWS: f64 = 0.85;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let links = match std::env::args().nth(1) {
        Some(path) => read(&std::fs::read_to_string(path)?)?,
        None => grown(100_000),
    };
    let n = 1 + links.iter().flat_map(|(from, to)| [*from, *to]).max().unwrap_or(0);
    let (p, lost) = steps(n, &links)?;
    let context = Context::headless()?;
    let (blas, p_on_device) = (Blas1::new(&context), Operator::new(&context, &p)?);
    let mut x = DeviceVector::from_host(&context, &vec![1.0 / n as f32; n])?;
    let mut next = DeviceVector::uninit(&context, n)?;
    let ends = DeviceVector::from_host(&context, &lost)?;
    let mut moved = 1.0;
    let mut rounds = 0;
    while moved > 1e-6 && rounds < 200 {
        // Who stands on a page without links goes anywhere, as who follows none does.
        let anywhere = (1.0 - FOLLOWS + FOLLOWS * blas.dot(&ends, &x)?) / n as f64;
        next.write(&vec![anywhere as f32; n])?;
        p_on_device.accumulate(FOLLOWS as f32, &x, 1.0, &mut next)?;
        blas.axpy(-1.0, &next, &mut x)?;
        moved = blas.asum(&x)?;
        std::mem::swap(&mut x, &mut next);
        rounds += 1;
    }
    let ranks = x.read()?;
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|a, b| ranks[*b].total_cmp(&ranks[*a]));
    println!(
        "{n} pages, {} links, {rounds} rounds on {}",
        p.entries(),
        context.abilities().renderer
    );
    for page in order.iter().take(5) {
        println!("page {page:>6}  rank {:.6}", ranks[*page]);
    }
    let exact = in_double_precision(&p, &lost, rounds);
    let off: f64 = ranks.iter().zip(&exact).map(|(x, exact)| (f64::from(*x) - exact).abs()).sum();
    println!("off by {off:.1e} of 1 in all from double precision");
    if off > 1e-4 { Err(format!("off by {off:e}").into()) } else { Ok(()) }
}

/// The links of lines with two numbers.
fn read(text: &str) -> Result<Vec<(usize, usize)>, Box<dyn std::error::Error>> {
    let mut links = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let numbers: Vec<usize> =
            line.split_whitespace().map_while(|word| word.parse().ok()).collect();
        let [from, to] = numbers[..] else {
            return Err(format!("line {}: expected two node numbers, got `{line}`", at + 1).into());
        };
        links.push((from, to));
    }
    Ok(links)
}

/// A graph whose pages come one after the other: each links to the targets of earlier links, or to any
/// earlier page.
fn grown(pages: usize) -> Vec<(usize, usize)> {
    let mut random = SplitMix64::new(1998);
    let mut links: Vec<(usize, usize)> = vec![(1, 0)];
    for page in 2..pages {
        for _ in 0..8 {
            let known = links[random.below(links.len() as u64) as usize].1;
            let any = random.below(page as u64) as usize;
            links.push((page, if random.coin() { known } else { any }));
        }
    }
    links
}

/// The matrix of a step: entry (to, from) is the chance to go there. And a 1 for each page without
/// links.
fn steps(n: usize, links: &[(usize, usize)]) -> quadrille::data::Result<(Csr, Vec<f32>)> {
    let mut degrees = vec![0_u32; n];
    links.iter().for_each(|(from, _)| degrees[*from] += 1);
    let chances = links.iter().map(|(from, to)| (*to, *from, 1.0 / degrees[*from] as f32));
    let lost = degrees.iter().map(|degree| if *degree == 0 { 1.0 } else { 0.0 }).collect();
    Ok((Csr::from_entries(Shape::new(n, n), chances)?, lost))
}

fn in_double_precision(p: &Csr, lost: &[f32], rounds: usize) -> Vec<f64> {
    let n = lost.len();
    let mut x = vec![1.0 / n as f64; n];
    for _ in 0..rounds {
        let ends: f64 = x.iter().zip(lost).map(|(x, lost)| x * f64::from(*lost)).sum();
        let mut next = vec![0.0; n];
        p.add_product(&x, &mut next);
        let anywhere = (1.0 - FOLLOWS + FOLLOWS * ends) / n as f64;
        x = next.into_iter().map(|product| FOLLOWS * product + anywhere).collect();
    }
    x
}
