//! Transfers: texels to the device and back, waited for one by one, or overlapping.

use super::prelude::*;
use quadrille::gl::{Readback, Staging, Texture};
use quadrille::memory;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::bench::device) enum Way {
    /// Uploads, waiting until each has arrived.
    Upload,
    /// Uploads one after the other, waiting for the last.
    UploadAsync,
    /// Back, waiting for each.
    Readback,
    /// Back through pixel buffers: one is read while the next is on its way.
    ReadbackAsync,
    /// Uploads from memory that the device shares.
    UploadStaging,
    /// Back, into memory that it shares.
    ReadbackStaging,
}

impl Way {
    pub(in crate::bench::device) const ALL: [Way; 6] = [
        Way::Upload,
        Way::UploadAsync,
        Way::UploadStaging,
        Way::Readback,
        Way::ReadbackAsync,
        Way::ReadbackStaging,
    ];

    fn uploads(self) -> bool {
        matches!(self, Way::Upload | Way::UploadAsync | Way::UploadStaging)
    }

    fn names(self) -> (&'static str, &'static str) {
        match self {
            Way::Upload => ("upload", "blocking"),
            Way::UploadAsync => ("upload", "asynchronous"),
            Way::Readback => ("readback", "blocking"),
            Way::ReadbackAsync => ("readback", "asynchronous"),
            Way::UploadStaging => ("upload", "staging"),
            Way::ReadbackStaging => ("readback", "staging"),
        }
    }
}

/// 64 MiB of RGBA32F.
const EXTENT: Extent = Extent { width: 2048, height: 2048 };

pub(in crate::bench::device) fn subjects() -> Vec<Subject> {
    let bytes = (EXTENT.texels() * size_of::<[f32; 4]>()) as f64;
    let subject = |way: Way| {
        let (probe, variant) = way.names();
        let make = move |context: &Context| Transfer::new(context, way, EXTENT);
        Subject::new(probe, Engine::Host, variant, Unit::Bytes, bytes, make)
    };
    Way::ALL.map(subject).into()
}

pub(in crate::bench::device) struct Transfer {
    way: Way,
    context: Context,
    pub(in crate::bench::device) host: Vec<[f32; 4]>,
    back: Vec<[f32; 4]>,
    staging: Staging<[f32; 4]>,
    /// Two, so that nothing waits for a transfer of its own texture.
    textures: [Texture<[f32; 4]>; 2],
}

impl Transfer {
    pub(in crate::bench::device) fn new(
        context: &Context,
        way: Way,
        extent: Extent,
    ) -> Result<Transfer, Error> {
        let numbers = (0..extent.texels()).map(|i| [i as f32; 4]);
        let host = memory::collected(extent.texels(), numbers)?;
        let textures = [context.texture(extent, &host)?, context.texture(extent, &host)?];
        let back = memory::filled([0.0; 4], host.len())?;
        let mut staging = context.staging(host.len())?;
        staging.as_mut_slice()?.copy_from_slice(&host);
        Ok(Transfer { way, context: context.clone(), host, back, staging, textures })
    }

    fn read_overlapping(&mut self, times: u64) -> Result<(), Error> {
        let mut earlier: Option<Readback<[f32; 4]>> = None;
        for turn in 0..times {
            let later = self.textures[turn as usize % 2].read_async()?;
            if let Some(earlier) = earlier.replace(later) {
                earlier.read_into(&mut self.back)?;
            }
        }
        match earlier {
            Some(last) => Ok(last.read_into(&mut self.back)?),
            None => Ok(()),
        }
    }
}

impl Probe for Transfer {
    fn run(&mut self, times: u64) -> Result<(), Error> {
        if self.way == Way::ReadbackAsync {
            return self.read_overlapping(times);
        }
        for turn in 0..times as usize {
            let texture = &mut self.textures[turn % 2];
            match self.way {
                Way::Readback => texture.read_into(&mut self.back)?,
                Way::UploadStaging => texture.write_from(&self.staging)?,
                Way::ReadbackStaging => texture.read_to(&mut self.staging)?,
                _ => texture.write(&self.host)?,
            }
            match self.way {
                Way::Upload | Way::UploadStaging => self.context.finish()?,
                Way::ReadbackStaging => drop(self.staging.as_slice()?),
                _ => {}
            }
        }
        Ok(())
    }

    /// Bit for bit, into places that held something else.
    fn check(&mut self) -> Result<Comparison, Error> {
        if self.way.uploads() {
            for texture in &mut self.textures {
                texture.fill([-1.0; 4])?;
            }
        } else {
            self.back.fill([-1.0; 4]);
            self.staging.as_mut_slice()?.fill([-1.0; 4]);
        }
        self.run(2)?;
        let uploaded = if self.way.uploads() { Some(self.textures[1].read()?) } else { None };
        let got = match (&uploaded, self.way) {
            (Some(texels), _) => texels,
            (None, Way::ReadbackStaging) => self.staging.as_slice()?,
            (None, _) => &self.back,
        };
        let sent = self.host.as_flattened().iter().map(|sent| (f64::from(*sent), 0.0));
        Ok(compare(got.as_flattened().iter().copied(), sent))
    }

    fn clock(&self, _: &Context) -> Clock {
        Clock::Wall
    }
}
