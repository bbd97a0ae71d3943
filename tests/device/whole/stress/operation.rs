//! The operations of a stress test: steps drawn from a seed.

use crate::common::Flavour;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Any number: whoever applies the step takes it modulo how many objects there are.
pub type Pick = usize;

/// One step, told by numbers alone, so that a list of steps is the same on the model and on the
/// device.
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    MakeContext(Flavour),
    /// Drops the handle and the kernels; textures, buffers and readbacks live on.
    DropContext(Pick),
    /// Asks a context for the errors that nobody saw.
    Check(Pick),
    MakeTexture {
        context: Pick,
        class: Class,
        width: u32,
        height: u32,
        seed: i32,
    },
    DropTexture(Pick),
    Fill(Pick, i32),
    Write {
        texture: Pick,
        corner: [u32; 2],
        seed: i32,
    },
    /// A pass with one target, over the texels that both textures have.
    Add {
        source: Pick,
        target: Pick,
        amount: i32,
    },
    /// A pass with two targets.
    Split {
        source: Pick,
        targets: [Pick; 2],
    },
    /// Steps between two textures of a context, of which one may panic or fail.
    PingPong {
        context: Pick,
        width: u32,
        steps: usize,
        stop: Option<(usize, Stop)>,
    },
    Copy {
        source: Pick,
        target: Pick,
    },
    Read(Pick),
    ReadRectangle(Pick, [u32; 4]),
    ReadLater(Pick),
    /// Takes what a late read brought, or drops it.
    Collect(Pick, bool),
    Sum(Pick),
    MakeBuffer {
        context: Pick,
        length: usize,
        seed: i32,
    },
    WriteBuffer {
        buffer: Pick,
        length: usize,
        seed: i32,
    },
    ReadBuffer(Pick),
    CopyFromBuffer {
        buffer: Pick,
        texture: Pick,
    },
    DropBuffer(Pick),
    MakeFence(Pick),
    /// A fence is passed when its context has finished.
    WaitFence(Pick),
    /// A pass that has something wrong.
    Misuse(Pick, Misuse),
    /// A shader that does not compile.
    BadKernel(Pick),
    /// A texture that no device can make.
    BadTexture(Pick, [u32; 2]),
}

/// The type of texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Float,
    Int,
}

/// The way a step of a ping-pong ends early.
#[derive(Clone, Copy, Debug)]
pub enum Stop {
    Panic,
    Error,
}

/// The faults that a pass can have.
#[derive(Clone, Copy, Debug)]
pub enum Misuse {
    UnknownInput,
    UnknownUniform,
    WrongUniform,
    NothingGiven,
    TwoTargetsForOne,
    Outside,
}

pub fn operations(seed: u64) -> impl Iterator<Item = Operation> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    std::iter::once(Operation::MakeContext(flavour(&mut random)))
        .chain(std::iter::repeat_with(move || operation(&mut random)))
}

fn operation(random: &mut Pcg64Mcg) -> Operation {
    let mut pick = || random.random_range(0..1 << 20);
    let (first, second, third) = (pick(), pick(), pick());
    let mut side = || random.random_range(1..24_u32);
    let (width, height) = (side(), side());
    let amount = random.random_range(-4..5);
    match random.random_range(0..100) {
        // Few contexts, so that most passes find their textures in one.
        0 if random.random_bool(0.2) => Operation::MakeContext(flavour(random)),
        0 if random.random_bool(0.1) => Operation::DropContext(first),
        0..=3 => Operation::Check(first),
        4..=11 => {
            let class = if random.random_bool(0.7) { Class::Float } else { Class::Int };
            Operation::MakeTexture { context: first, class, width, height, seed: amount }
        }
        12..=14 => Operation::DropTexture(first),
        15..=17 => Operation::Fill(first, amount),
        18..=20 => Operation::Write { texture: first, corner: [width, height], seed: amount },
        21..=44 => Operation::Add { source: first, target: second, amount },
        45..=51 => Operation::Split { source: first, targets: [second, third] },
        52..=54 => {
            let stop = if random.random_bool(0.5) { Stop::Panic } else { Stop::Error };
            let stop = random.random_bool(0.7).then_some((first % 4, stop));
            Operation::PingPong { context: second, width, steps: 4, stop }
        }
        55..=58 => Operation::Copy { source: first, target: second },
        59..=63 => Operation::Read(first),
        64..=65 => Operation::ReadRectangle(first, [width / 2, height / 2, height, width]),
        66..=69 => Operation::ReadLater(first),
        70..=74 => Operation::Collect(first, random.random_bool(0.7)),
        75..=77 => Operation::Sum(first),
        78..=79 => Operation::MakeBuffer { context: first, length: second % 100, seed: amount },
        80..=81 => Operation::WriteBuffer { buffer: first, length: second % 100, seed: amount },
        82..=84 => Operation::ReadBuffer(first),
        85..=86 => Operation::CopyFromBuffer { buffer: first, texture: second },
        87 => Operation::DropBuffer(first),
        88 => Operation::MakeFence(first),
        89 => Operation::WaitFence(first),
        90..=96 => Operation::Misuse(first, misuse(random)),
        97 => Operation::BadKernel(first),
        _ => {
            let extents = [[0, 5], [5, 0], [1 << 24, 1], [1, 1 << 24], [u32::MAX, u32::MAX]];
            Operation::BadTexture(first, extents[second % extents.len()])
        }
    }
}

fn flavour(random: &mut Pcg64Mcg) -> Flavour {
    Flavour::ALL[random.random_range(0..Flavour::ALL.len())]
}

fn misuse(random: &mut Pcg64Mcg) -> Misuse {
    use Misuse::*;
    let all = [UnknownInput, UnknownUniform, WrongUniform, NothingGiven, TwoTargetsForOne, Outside];
    all[random.random_range(0..all.len())]
}

/// The numbers of a new texture or buffer: whole ones, so that sums are exact.
pub fn numbers(count: usize, seed: i32) -> Vec<i32> {
    (0..count as i32).map(|index| (index * 7 + seed * 13) % 97).collect()
}
