//! Products of square matrices.

use std::time::Duration;

use quadrille::Shape;
use quadrille::gl::{Abilities, Context};
use quadrille::linalg::matmul::{Method, Multiplier, OperandReads, Options};
use quadrille::shader::Reads;
use quadrille::testing::Comparison;

use super::{Running, Subject};
use crate::Result;
use crate::bench::matmul::{Case, Contender, Trial};
use crate::bench::runner::Case as _;

/// Beyond these a method takes long and is not the best: a core's loops anywhere, small blocks on a
/// software renderer.
const LARGE_FOR_A_CORE: usize = 512;
const LARGE_FOR_SMALL_BLOCKS: usize = 1024;

pub(super) struct Product {
    n: usize,
    trial: Trial<f32>,
    /// The contender that runs where nothing was tuned.
    usual: Contender,
}

impl Product {
    pub(super) fn new(n: usize, context: &Context) -> Result<Product> {
        let shape = Shape::new(n, n);
        let usual = Multiplier::<f32>::new(context, shape, shape, Options::new())?.method();
        Ok(Product { n, trial: Trial::new(n)?, usual: usual.into() })
    }
}

impl Subject for Product {
    fn choices(&self, context: &Context) -> Vec<String> {
        candidates(self.n, context.abilities()).iter().map(ToString::to_string).collect()
    }

    fn start<'a>(&'a self, context: &'a Context) -> Result<Box<dyn Running + 'a>> {
        let tuned = context.tuned(quadrille::linalg::matmul::OPERATION, self.n);
        let contender = match tuned {
            Some(entry) => entry.choice.parse()?,
            None => self.usual,
        };
        let mut case = Case::new(context, &self.trial, contender);
        case.prepare()?;
        Ok(Box::new(ProductRunning(case)))
    }
}

struct ProductRunning<'a>(Case<'a, f32>);

impl Running for ProductRunning<'_> {
    fn choice(&self) -> String {
        self.0.contender.to_string()
    }

    fn check(&mut self) -> Result<Comparison> {
        self.0.check()
    }

    fn time(&mut self, _context: &Context, parts: u64) -> Result<Duration> {
        self.0.time(parts)
    }
}

/// Methods with the options that decide most, as far as a context can run them; large blocks first,
/// which are the fastest where they run.
fn candidates(n: usize, abilities: &Abilities) -> Vec<Contender> {
    let methods = Method::ALL.into_iter().rev().filter(|method| {
        let slow = match method {
            Method::Serial => n > LARGE_FOR_A_CORE,
            Method::Sp | Method::Block4x4 => abilities.software && n > LARGE_FOR_SMALL_BLOCKS,
            // Rungs of a ladder: another is better wherever they run.
            Method::Element | Method::Cp | Method::ComputeSimple | Method::ComputeTiled => true,
            Method::ComputeShared => abilities.software,
            _ => false,
        };
        !slow && method.lacks(abilities).is_none()
    });
    methods.flat_map(|method| variants(method, abilities.software)).collect()
}

/// Software fetches slower than it samples, whatever else varies.
fn variants(method: Method, software: bool) -> Vec<Contender> {
    let options = method.options();
    let mut reads = vec![OperandReads::Texture(Reads::Sample)];
    if !software {
        reads.push(OperandReads::Texture(Reads::Fetch));
    }
    if options.contains(&"reads from buffers") {
        reads.push(OperandReads::Buffer);
    }
    let plain = Options::from(method);
    if !options.contains(&"unroll") {
        return vec![Contender::Method(method, plain)];
    }
    let unrolls = [4, 8, 2].into_iter();
    let wishes = unrolls
        .flat_map(|unroll| reads.iter().map(move |reads| plain.unroll(unroll).reads(*reads)));
    wishes.map(|wish| Contender::Method(method, wish)).collect()
}
