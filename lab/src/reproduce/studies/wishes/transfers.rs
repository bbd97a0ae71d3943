//! Transfers to the device and back: their rates, and what can be done meanwhile.

use super::super::prelude::*;
use std::hint::black_box;
use std::time::Instant;

use super::super::vectors_2002::claims;
use super::{Measurement, Request};
use crate::bench::stream;
use quadrille::Extent;
use quadrille::data::SplitMix64;
use quadrille::gl::{Readback, Texture, Upload};
use quadrille::shader::Stage;
use quadrille::stream::Kernel;
use quadrille_vp::vector_machine::bundled::muls;
use quadrille_vp::vector_machine::{DVector, Machine};

pub(super) const UPLOAD: Request = Request {
    wish: "a faster memory interface",
    answer: "Faster buses, and pixel buffers, from which a driver may fetch: on hardware quadrille sends large data \
        through one. Data is sent once and stays on the device for all functions that need it.",
    measure: upload,
};

pub(super) const BACK: Request = Request {
    wish: "DMA from the card to main memory",
    answer: "Readback into a pixel buffer, with a fence that signals its end: Texture::read_async, Readback::wait, \
        and execute_async with its DSemaphore. The host works meanwhile.",
    measure: back,
};

fn texels(extent: Extent, seed: u64) -> Vec<[f32; 4]> {
    let mut random = SplitMix64::new(seed);
    let mut next = || (random.next() >> 40) as f32 / (1_u32 << 24) as f32;
    (0..extent.texels()).map(|_| [next(), next(), next(), next()]).collect()
}

/// Seconds of each comparison, quick and whole.
const SECONDS: [f64; 2] = [0.7, 8.0];

/// Bytes a second of table 5: 20 MB in what is not readback of 140 ms.
const TABLE_5: f64 = 20e6 / 0.110;

fn upload(lab: &mut Lab<'_>) -> Result<Option<Measurement>, Error> {
    let context = lab.context;
    let side = lab.scale.pick(512, 2048).min(context.abilities().max_texture_size);
    let extent = Extent::new(side, side);
    let numbers = texels(extent, lab.seed);
    let bytes = extent.texels() as f64 * 16.0;
    let mut texture: Texture<[f32; 4]> = context.uninit(extent)?;
    let mut send = |way: usize| -> Result<Duration, Error> {
        let route = if way == 0 { Upload::Direct } else { Upload::Buffer };
        let work =
            || -> Result<(), Error> { Ok(texture.write_by(route, extent.rectangle(), &numbers)?) };
        Ok(Clock::Wall.time(context, work)?.1)
    };
    let times: Option<[Summary; 2]> = interleaved(lab, SECONDS, &mut send)?;
    let Some(times) = times else { return Ok(None) };
    must_hold("a texture by way of a buffer", texture.read()? == numbers)?;
    let [plain, by_buffer] = times.map(|time| time.rate(bytes) / 1e9);
    let buys = format!(
        "{} MB are sent to a texture at {} GB/s directly and at {} GB/s through a pixel buffer; by table 5, the \
         paper's bus had {} GB/s",
        short(bytes / 1e6),
        short(plain),
        short(by_buffer),
        short(TABLE_5 / 1e9)
    );
    Ok(Some(Measurement::new(buys, &["upload", "upload through a pixel buffer"], &times)))
}

/// Results that are brought back one after the other.
const RESULTS: usize = 8;

/// The means to compute results, read each back and sum it.
struct Results<'a> {
    adder: Kernel,
    x: Texture<[f32; 4]>,
    outputs: [Texture<[f32; 4]>; 2],
    back: Vec<[f32; 4]>,
    context: &'a Context,
}

impl Results<'_> {
    fn make(&mut self, index: usize) -> Result<(), Error> {
        let output = &mut self.outputs[index % 2];
        let pass = self.adder.pass().input("x", &self.x).uniform("amount", index as f32);
        Ok(pass.draw(output)?)
    }

    /// The host's part: each number is looked at.
    fn look(&self) -> f64 {
        self.back.iter().flatten().map(|number| f64::from(*number)).sum()
    }

    fn waiting(&mut self) -> Result<f64, Error> {
        let mut sum = 0.0;
        for index in 0..RESULTS {
            self.make(index)?;
            self.outputs[index % 2].read_into(&mut self.back)?;
            sum += self.look();
        }
        Ok(sum)
    }

    /// Each result comes back while the next is made, and the one before is looked at.
    fn later(&mut self) -> Result<f64, Error> {
        let (mut sum, mut pending) = (0.0, None::<Readback<[f32; 4]>>);
        for index in 0..RESULTS {
            self.make(index)?;
            let next = self.outputs[index % 2].read_async()?;
            if let Some(before) = pending.replace(next) {
                before.read_into(&mut self.back)?;
                sum += self.look();
            }
        }
        if let Some(last) = pending {
            last.read_into(&mut self.back)?;
            sum += self.look();
        }
        Ok(sum)
    }
}

fn back(lab: &mut Lab<'_>) -> Result<Option<Measurement>, Error> {
    let context = lab.context;
    let side = lab.scale.pick(256, 1024).min(context.abilities().max_texture_size);
    let extent = Extent::new(side, side);
    let mut results = Results {
        adder: context.kernel(stream::adder(Stage::Fragment)?)?,
        x: context.texture(extent, &texels(extent, lab.seed))?,
        outputs: [context.uninit(extent)?, context.uninit(extent)?],
        back: vec![[0.0; 4]; extent.texels()],
        context,
    };
    let mut sums = [0.0; 2];
    let mut bring = |way: usize| -> Result<Duration, Error> {
        let clock = (Clock::Wall, results.context);
        let work = || if way == 0 { results.waiting() } else { results.later() };
        let (sum, time) = clock.0.time(clock.1, work)?;
        sums[way] = sum;
        Ok(time)
    };
    let times: Option<[Summary; 2]> = interleaved(lab, SECONDS, &mut bring)?;
    let Some(times @ [waiting, later]) = times else { return Ok(None) };
    must_hold("results that come back later", sums[0] == sums[1])?;
    let buys = format!(
        "{RESULTS} results of {} MB, each made, brought back and summed by the host: {waiting} ms if the host waits for \
         each, {later} ms if each is read while the next is computed: a speedup of {}",
        short(extent.texels() as f64 * 16.0 / 1e6),
        short(waiting.over(&later))
    );
    Ok(Some(Measurement::new(buys, &["readback, waiting", "readback later"], &times)))
}

/// The device's work, the host's of about the same time, one after the other, and both at once.
pub(super) fn overlap(lab: &mut Lab<'_>) -> Result<Finding, Error> {
    let context = lab.context;
    let machine = Machine::new(context);
    let mut function = functions::modern(&machine, &muls(120))?;
    function.set_constant(11, 1.25)?;
    function.set_constant(12, 0.8)?;
    let elements = lab.scale.pick(1 << 15, 1 << 18);
    let mut vectors = [0, 1].map(|i| DVector::<f32>::random(elements, 0.5..1.0, lab.seed ^ i));
    let mut calls = 1;
    let mut device = |calls: usize| -> Result<_, Error> {
        let mut last = None;
        for _ in 0..calls {
            // Each reads what the one before wrote, so that none can be left out.
            let [from, to] = &mut vectors;
            last = Some(function.execute_async(&[&*from], to)?);
            vectors.swap(0, 1);
        }
        Ok(last)
    };
    let host = |turns: usize| {
        let mut x = 1.0_f64;
        for _ in 0..turns {
            x = black_box(x * 0.999_999 + 1e-6);
        }
        x
    };
    // The device works for some milliseconds, and the host as long.
    let wait = |last: Option<quadrille_vp::vector_machine::DSemaphore>| -> Result<(), Error> {
        last.map_or(Ok(()), |last| Ok(last.wait()?))
    };
    wait(device(1)?)?;
    let one = seconds(|| wait(device(1)?))?;
    calls = ((0.005 / one.max(1e-6)).ceil() as usize).clamp(calls, 200);
    let all = seconds(|| wait(device(calls)?))?;
    const SOME: usize = 100_000;
    let some = seconds(|| {
        black_box(host(SOME));
        Ok(())
    })?;
    let turns = (SOME as f64 * all / some.max(1e-9)) as usize;
    let mut run = |way: usize| -> Result<Duration, Error> {
        context.finish()?;
        let begun = Instant::now();
        let begins = way != 1;
        let last = if begins { device(calls)? } else { None };
        match way {
            0 => wait(last)?,
            2 => {
                wait(last)?;
                black_box(host(turns));
            }
            _ => {
                black_box(host(turns));
                wait(last)?;
            }
        }
        Ok(begun.elapsed())
    };
    let Some(times) = interleaved(lab, SECONDS, &mut run)? else {
        return Ok(judge(&claims::OVERLAP, Err("it was stopped".into())));
    };
    Ok(judge(&claims::OVERLAP, Ok(at_once(&times))))
}

fn seconds(work: impl FnOnce() -> Result<(), Error>) -> Result<f64, Error> {
    let begun = Instant::now();
    work()?;
    Ok(begun.elapsed().as_secs_f64())
}

fn at_once([device, host, apart, together]: &[Summary; 4]) -> Answer {
    let words = format!(
        "the device's work takes {device} ms, the host's {host} ms, one after the other {apart} ms, both at once \
         {together} ms"
    );
    Answer::of(words, timed(apart, together))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_work_at_once_takes_about_half_the_time() {
        let verdict = |together| {
            let times = [5.0, 5.0, 10.0, together];
            judge(&claims::OVERLAP, Ok(at_once(&times.map(Summary::still)))).verdict
        };
        let expected = [Verdict::Confirmed, Verdict::Contradicted, Verdict::NotMeasurable];
        assert_eq!([5.5, 9.5, 7.5].map(verdict), expected);
    }
}
