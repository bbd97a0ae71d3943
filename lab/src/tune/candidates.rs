//! The candidates of a search.

use quadrille::gl::Abilities;
use quadrille::linalg::matmul::{Method, OperandReads, Options};
use quadrille::shader::Reads;

use super::super::matmul::Contender;

/// Beyond these a method takes long and is not the best: a core's loops anywhere, small blocks on a
/// software renderer.
const LARGE_FOR_A_CORE: usize = 512;
const LARGE_FOR_SMALL_BLOCKS: usize = 1024;

/// Methods with the options that decide most, as far as a context can run them.
pub(super) fn candidates(n: usize, abilities: &Abilities) -> Vec<Contender> {
    let methods = Method::ALL.into_iter().filter(|method| {
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
    let unrolls = [2, 4, 8].into_iter();
    let wishes = unrolls
        .flat_map(|unroll| reads.iter().map(move |reads| plain.unroll(unroll).reads(*reads)));
    wishes.map(|wish| Contender::Method(method, wish)).collect()
}
