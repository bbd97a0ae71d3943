//! The largest tiles that the devices and the memory of all ranks hold.

use crate::cluster::communicator::collective::gathered;
use crate::error::Kind;
use crate::linalg::matmul::{self, Accumulator, Element, Method};
use crate::memory;
use crate::stream::Engine;

use super::rank_product::{BAND, RankProduct};
use super::tiling::Tiling;
use super::{Communicator, Error, Layout, Options, Rank, Result};

/// The tiles that are computed at once, and the products of the local ranks.
pub(super) struct Setup<T: Element> {
    pub(super) tiling: Tiling,
    pub(super) products: Vec<RankProduct<T>>,
    pub(super) method: Option<Method>,
}

/// The answer to whether a tiling fits: all ranks act on the worst result of any rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Fits,
    TilesTooLarge,
    TooMuch,
}

/// Tries tilings, the largest first, until all ranks hold what they need.
pub(super) fn set_up<T: Element>(
    ranks: &dyn Communicator,
    layout: &Layout,
    local: &[Rank<'_, T>],
    options: &Options,
) -> Result<Setup<T>> {
    let choose = |rank: &Rank<'_, T>| {
        Accumulator::<T>::options(rank.context, layout.a, layout.b, options.product)
    };
    let chosen: Vec<matmul::Options> = local.iter().map(choose).collect();
    let room = Room::new(local, &chosen, options);
    let tile = options.product.tile;
    let mut tiling = Tiling::whole(layout.largest(), tile);
    loop {
        let made = match room.must_hold(&tiling, layout.width) {
            Ok(()) => products(ranks, local, &chosen, &tiling, layout.width),
            Err(error) => Err(error),
        };
        let fit = match &made {
            Ok(_) => Fit::Fits,
            Err(Error::Memory { .. }) => Fit::TooMuch,
            Err(Error::Product(error)) if Accumulator::<T>::needs_smaller(error) => {
                match error.kind() {
                    Kind::OutOfMemory => Fit::TooMuch,
                    _ => Fit::TilesTooLarge,
                }
            }
            Err(_) => return made.map(|products| Setup { tiling, products, method: None }),
        };
        let worst = worst(ranks, fit)?;
        let smaller = match worst {
            Fit::Fits => {
                let method = chosen.first().and_then(|options| options.method);
                return made.map(|products| Setup { tiling, products, method });
            }
            Fit::TilesTooLarge => tiling.with_smaller_tiles(),
            Fit::TooMuch => tiling.with_less_at_once(),
        };
        tiling = match (smaller, made) {
            (Some(smaller), _) => smaller,
            (None, Err(error)) => return Err(error),
            // Another rank has the reason.
            (None, Ok(_)) => return Err(room.too_small(&tiling, layout.width)),
        };
    }
}

fn products<T: Element>(
    ranks: &dyn Communicator,
    local: &[Rank<'_, T>],
    chosen: &[matmul::Options],
    tiling: &Tiling,
    width: usize,
) -> Result<Vec<RankProduct<T>>> {
    let all = ranks.local().zip(local).zip(chosen);
    all.map(|((rank, own), options)| RankProduct::new(own.context, rank, tiling, width, *options))
        .collect()
}

fn worst(ranks: &dyn Communicator, fit: Fit) -> Result<Fit> {
    let all = gathered(ranks, &vec![fit as u8; ranks.local().len()])?;
    Ok(match all.into_iter().max() {
        Some(most) if most == Fit::TooMuch as u8 => Fit::TooMuch,
        Some(most) if most == Fit::TilesTooLarge as u8 => Fit::TilesTooLarge,
        _ => Fit::Fits,
    })
}

/// The memory that may be taken, and what the ranks of this process take of it.
struct Room {
    /// Bytes of the host, for all ranks of this process.
    host: u64,
    /// Bytes of each device, for its rank.
    devices: u64,
    /// Ranks of this process, and those of them whose device has no memory of its own.
    ranks: u64,
    in_software: u64,
    /// The copies of a tile on a device.
    copies: u64,
}

impl Room {
    fn new<T: Element>(
        local: &[Rank<'_, T>],
        chosen: &[matmul::Options],
        options: &Options,
    ) -> Room {
        let half = |bytes: Option<u64>| bytes.map_or(u64::MAX, |bytes| bytes / 2);
        let software = local.iter().filter(|rank| rank.context.abilities().software);
        let memory = local.iter().filter_map(|rank| rank.context.abilities().memory).min();
        let engine = chosen.first().and_then(|options| options.method?.engine());
        Room {
            host: options.memory.unwrap_or_else(|| half(memory::available())),
            devices: half(memory),
            ranks: local.len() as u64,
            in_software: software.count() as u64,
            // A product, its part, and two sums, where a kernel does not add by itself.
            copies: if engine == Some(Engine::Compute) { 1 } else { 4 },
        }
    }

    /// Returns the bytes of this process and of one device.
    fn taken(&self, tiling: &Tiling, width: usize) -> (u64, u64) {
        let (panels, tiles) = tiling.numbers(width);
        let each = ((tiling.tile.rows + tiling.tile.cols) as u64).saturating_mul(width as u64);
        let bytes = |numbers: u64| numbers.saturating_mul(4);
        let count = (tiling.down * tiling.across) as u64;
        let device = tiles.saturating_mul(self.copies).saturating_add(panels);
        let device = bytes(device.saturating_add(each.saturating_mul(count)));
        // Panels three times, and what is read of a tile, and may be unpacked, twice.
        let band = (tiles / count).min(BAND as u64);
        let host = panels.saturating_mul(3).saturating_add(band.saturating_mul(2));
        let host = bytes(host);
        let in_software = device.saturating_mul(self.in_software);
        (host.saturating_mul(self.ranks).saturating_add(in_software), device)
    }

    fn must_hold(&self, tiling: &Tiling, width: usize) -> Result<()> {
        let (host, device) = self.taken(tiling, width);
        if host <= self.host && device <= self.devices {
            return Ok(());
        }
        Err(self.too_small(tiling, width))
    }

    /// Returns the error where nothing smaller is left.
    fn too_small(&self, tiling: &Tiling, width: usize) -> Error {
        let (host, device) = self.taken(tiling, width);
        let (of, least, limit) = match host > self.host {
            true => ("memory", host, self.host),
            false => ("a device's memory", device, self.devices),
        };
        Error::Memory { of, least, width, limit }
    }
}
