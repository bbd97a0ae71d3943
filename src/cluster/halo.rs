//! Halos of textures on several ranks: a pass gathers what other ranks need into a strip, which is
//! read back while the device continues; messages carry it; and a pass spreads what arrives.
//!
//! Fan, Qiu, Kaufman and Yoakum-Stover, "GPU Cluster for High Performance Computing" (SC 2004).

mod kernels;
mod panel;
mod strip;

use crate::gl::{Texel, Texture};
use crate::grid::{HaloCopy, Plan};

use kernels::HaloKernels;
pub(crate) use kernels::sources;
use panel::{Message, Strip};
use strip::{StripPlan, strips};

use super::{Incoming, Outgoing, Result, Team};

/// Refreshes the halos of textures of this process's ranks, each rank's in one panel or several.
///
/// [`begin`](Self::begin) and [`finish`](Self::finish) are two steps, so that a device computes
/// between them what needs no halo.
pub(crate) struct Halos<T: Texel> {
    team: Team,
    ranks: Vec<Rank<T>>,
    sends: bool,
}

struct Rank<T: Texel> {
    kernels: HaloKernels,
    leaving: Vec<Strip<T>>,
    arriving: Vec<Strip<T>>,
    outgoing: Vec<Message<T>>,
    incoming: Vec<Message<T>>,
}

impl<T: Texel> Halos<T> {
    /// Prepares these copies between the parts of a plan of ranks; `panels` has the plan of each
    /// local rank's own panels.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    pub(crate) fn new(team: &Team, copies: &[HaloCopy], panels: &[&Plan]) -> Result<Halos<T>> {
        let ranks = team.local().zip(panels).map(|((rank, context), panels)| {
            let from = copies.iter().filter(|copy| copy.from == rank);
            let leaving = strips(from.map(|copy| (copy.to, copy.source)), panels, |p| p.owned);
            let to = copies.iter().filter(|copy| copy.to == rank);
            let arriving = strips(to.map(|copy| (copy.from, copy.target)), panels, |p| p.stored);
            let make = |plans: Vec<StripPlan>| {
                plans.into_iter().map(|plan| Strip::new(context, plan)).collect::<Result<_, _>>()
            };
            Ok(Rank {
                kernels: HaloKernels::new(context, T::FORMAT.channels)?,
                outgoing: leaving.lengths.iter().map(Message::new).collect(),
                incoming: arriving.lengths.iter().map(Message::new).collect(),
                leaving: make(leaving.strips)?,
                arriving: make(arriving.strips)?,
            })
        });
        Ok(Halos { team: team.clone(), ranks: ranks.collect::<Result<_>>()?, sends: true })
    }

    /// Returns the bytes that this process's ranks send.
    pub(crate) fn bytes(&self) -> usize {
        let outgoing = self.ranks.iter().flat_map(|rank| &rank.outgoing);
        outgoing.map(|message| size_of_val(message.texels.as_slice())).sum()
    }

    /// Sets whether messages are sent; without them, the numbers that arrived last are used.
    pub(crate) fn send(&mut self, sends: bool) {
        self.sends = sends;
    }

    /// Gathers what leaves the textures of each local rank. Returns before the device has done it;
    /// it begins once the context is flushed, or with [`finish`](Self::finish).
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub(crate) fn begin(&mut self, of_ranks: &[&[Texture<T>]]) -> Result<()> {
        for (rank, panels) in self.ranks.iter_mut().zip(of_ranks) {
            for strip in &mut rank.leaving {
                rank.kernels.gather(&panels[strip.panel], strip)?;
            }
        }
        Ok(())
    }

    /// Exchanges what [`begin`](Self::begin) gathered, and spreads what arrives into the textures.
    /// Waits for the gathering and for the messages.
    ///
    /// # Errors
    ///
    /// Errors of the communicator and of the device.
    pub(crate) fn finish(&mut self, of_ranks: &mut [&mut [Texture<T>]]) -> Result<()> {
        if self.sends {
            self.exchange()?;
        }
        for (rank, panels) in self.ranks.iter_mut().zip(of_ranks) {
            // What was gathered came after all that was spread before, and was waited for.
            let fenced = rank.leaving.is_empty();
            for strip in &mut rank.arriving {
                rank.kernels.spread(strip, &mut panels[strip.panel], fenced)?;
            }
        }
        Ok(())
    }

    /// Waits for what was gathered, exchanges it, and has what arrived ready to be spread.
    fn exchange(&mut self) -> Result<()> {
        for rank in &mut self.ranks {
            for strip in &rank.leaving {
                strip.copy_to(&mut rank.outgoing)?;
            }
        }
        self.pass_messages()?;
        for rank in &mut self.ranks {
            for strip in &mut rank.arriving {
                strip.copy_from(&rank.incoming)?;
            }
        }
        Ok(())
    }

    fn pass_messages(&mut self) -> Result<()> {
        let (mut outgoing, mut incoming) = (Vec::new(), Vec::new());
        for (here, rank) in self.team.communicator().local().zip(&mut self.ranks) {
            for Message { other, texels } in &rank.outgoing {
                let bytes = bytemuck::cast_slice(texels);
                outgoing.push(Outgoing { from: here, to: *other, bytes });
            }
            for Message { other, texels } in &mut rank.incoming {
                let bytes = bytemuck::cast_slice_mut(texels);
                incoming.push(Incoming { from: *other, to: here, bytes });
            }
        }
        self.team.communicator().exchange(&outgoing, &mut incoming)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::cluster::InProcess;
    use crate::gl::masks::Limit;
    use crate::grid::{DeviceGrid, GridShape, Halo};
    use crate::{Context, Extent};

    /// Fills halos over poisoned textures, with every rank in one panel or several, on contexts of
    /// their own: afterwards each rank stores the numbers of the whole grid around what it owns.
    #[test]
    fn halos_have_the_numbers_of_other_ranks() {
        let contexts = [
            Context::headless().unwrap(),
            Context::builder().limit_to(Limit::Gles30).build().unwrap(),
        ];
        for ((width, height), (columns, rows), steps, limit) in [
            ((5, 3), (2, 3), 1, 64),
            ((61, 40), (3, 2), 1, 64),
            ((61, 40), (2, 2), 5, 13),
            ((37, 23), (1, 4), 3, 9),
            ((130, 17), (6, 1), 2, 64),
        ] {
            let shape = GridShape::new(width, height);
            let halo = Halo { steps, across_ends: false };
            let ranks = Plan::blocks(shape, columns, rows, Extent::new(1, 1), halo);
            let count = ranks.parts().len();
            let of_ranks = contexts.iter().cycle().take(count).cloned().collect();
            let team = Team::new(Rc::new(InProcess::new(count)), of_ranks).unwrap();
            let mut grids = stored(&team, &ranks, limit, |at| at as f32);
            grids.iter_mut().for_each(poison_halos);
            let plans: Vec<_> = grids.iter().map(|grid| Rc::clone(grid.plan())).collect();
            let plans: Vec<&Plan> = plans.iter().map(|plan| &**plan).collect();
            let mut halos = Halos::new(&team, ranks.copies(), &plans).unwrap();
            for _ in 0..2 {
                let textures: Vec<_> = grids.iter().map(|grid| grid.textures()).collect();
                halos.begin(&textures).unwrap();
                let mut textures: Vec<_> =
                    grids.iter_mut().map(|grid| grid.textures_mut()).collect();
                halos.finish(&mut textures).unwrap();
            }
            assert!(count == 1 || halos.bytes() > 0);
            let expected = stored(&team, &ranks, limit, |at| at as f32);
            for (got, wanted) in grids.iter().zip(&expected) {
                got.fill_halos().unwrap();
                assert_eq!(got.read().unwrap(), wanted.read().unwrap());
                for ((got, _), (wanted, _)) in got.panels().zip(wanted.panels()) {
                    assert_eq!(got.read().unwrap(), wanted.read().unwrap());
                }
            }
        }
    }

    /// Keeps what each panel owns, and sets the rest to NaN.
    fn poison_halos(grid: &mut DeviceGrid) {
        let owned: Vec<_> = grid.panels().map(|(_, part)| part.local(part.owned)).collect();
        let context = grid.context().clone();
        for (texture, owned) in grid.textures_mut().iter_mut().zip(owned) {
            let kept = context.uninit(texture.extent()).unwrap();
            kept.copy_part(owned, texture, owned).unwrap();
            texture.fill([f32::NAN; 4]).unwrap();
            texture.copy_part(owned, &kept, owned).unwrap();
        }
    }

    /// Returns a grid for each rank with the numbers of the whole grid.
    fn stored(
        team: &Team,
        ranks: &Plan,
        limit: u32,
        number: impl Fn(usize) -> f32,
    ) -> Vec<DeviceGrid> {
        let grids = team.local().zip(ranks.parts()).map(|((_, context), part)| {
            let block = ranks.block(part.stored);
            let shape = GridShape::new(block.width(), block.rows.len());
            let limit = Extent::new(limit, limit);
            let plan = Plan::of_window(shape, part.local(part.owned), limit, ranks.halo());
            let width = ranks.shape().width();
            let numbers = block.rows.clone().flat_map(|row| {
                let number = &number;
                block.columns.clone().map(move |column| number(row * width + column))
            });
            let numbers: Vec<f32> = numbers.collect();
            DeviceGrid::from_host(context, &Rc::new(plan.unwrap()), &numbers).unwrap()
        });
        grids.collect()
    }
}
