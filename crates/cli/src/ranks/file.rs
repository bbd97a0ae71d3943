//! A file that all ranks write parts of.

use std::path::Path;

use quadrille::cluster::collective;
use quadrille::io::npy::{Element, Parts, Unfinished};

use super::Joined;
use crate::process::interrupt;

/// A `.npy` file in the making: the first rank has made it, and each has opened it.
pub(crate) struct SharedFile {
    /// The file as a whole, on the first rank.
    whole: Option<Unfinished>,
    parts: Parts,
}

impl Joined {
    /// Makes a file of a shape for all ranks, which must see it: on a disk of their own computer,
    /// or one that computers share.
    pub(crate) fn file<T: Element>(
        &self,
        path: &Path,
        shape: &[usize],
    ) -> anyhow::Result<SharedFile> {
        let begun = match self.rank() {
            0 => Unfinished::create::<T>(path, shape).map(Some),
            _ => Ok(None),
        };
        let whole = self.agree(begun.map_err(anyhow::Error::new))?;
        let name = whole.as_ref().map(|whole| whole.temporary().to_string_lossy().into_owned());
        let mut name = name.unwrap_or_default().into_bytes();
        collective::broadcast(&*self.communicator(), 0, &mut name)?;
        let opened = Parts::open(Path::new(&*String::from_utf8_lossy(&name)), path);
        let parts = self.agree(opened.map_err(anyhow::Error::new))?;
        Ok(SharedFile { whole, parts })
    }
}

impl SharedFile {
    /// Splits into this rank's part, and the part that names the file once all ranks have written
    /// theirs.
    pub(crate) fn split(self) -> (Parts, Unnamed) {
        (self.parts, Unnamed(self.whole))
    }
}

/// A file without its name.
pub(crate) struct Unnamed(Option<Unfinished>);

impl Unnamed {
    /// Names it, unless the part of any rank is an error.
    pub(crate) fn finish(
        self,
        joined: &Joined,
        own: quadrille::io::Result<()>,
    ) -> anyhow::Result<()> {
        joined.agree(own.map_err(anyhow::Error::new))?;
        let named = interrupt::writing(|| self.0.map_or(Ok(()), Unfinished::finish));
        joined.agree(named.map_err(anyhow::Error::new))
    }
}
