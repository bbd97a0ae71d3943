//! Products by compute shaders, from buffers.

use std::cell::{OnceCell, RefCell};

use crate::Extent;
use crate::gl::{self, Buffer, Context, Texture};
use crate::grid::row_shift;
use crate::shader::{Source, Stage};
use crate::stream::group::Group;
use crate::stream::{ComputeKernel, Error};

use super::backend::Backend;
use super::entries::Entries;
use super::form::{Form, Scale};
use super::plan::{Addresses, Order};

/// The invocations of a group, where the context allows them: one for each row.
const GROUP: u32 = 128;
/// The work groups along one axis.
const ACROSS: u32 = 1 << 15;
/// The work groups that spread a texture.
const TEXELS: Group = Group::new(16, 16);

/// The entries of some rows in buffers.
pub(super) struct Table {
    lines: Buffer<[u32; 4]>,
    values: Buffer<[f32; 4]>,
    addresses: Buffer<[u32; 4]>,
}

pub(super) struct Dispatched {
    context: Context,
    places: Addresses,
    group: u32,
    /// x, a row of zeros, and the sums of pieces.
    numbers: RefCell<Buffer<[f32; 4]>>,
    texels: Group,
    spread: ComputeKernel,
    products: [OnceCell<ComputeKernel>; 2],
}

fn source(form: Form, group: u32) -> Result<Source, Error> {
    let source = Source::library(Stage::Compute, "sparse/product.comp")?;
    Ok(form.define(source.define("STRIDE", Dispatched::ORDER.stride).define("GROUP", group)))
}

fn spread_source(group: Group) -> Result<Source, Error> {
    Ok(group.define(Source::library(Stage::Compute, "sparse/spread.comp")?))
}

pub(super) fn sources() -> Result<Vec<Source>, Error> {
    let mut sources = vec![spread_source(TEXELS)?];
    for form in Form::ALL {
        sources.push(source(form, GROUP)?);
    }
    Ok(sources)
}

impl Backend for Dispatched {
    /// As many quads alternate as invocations run together.
    const ORDER: Order = Order { stride: 32 };
    type Table = Table;

    fn new(context: &Context, places: Addresses) -> Result<Dispatched, Error> {
        let count = places.texels().texels();
        must_fit(context, "the numbers of x", count)?;
        let mut numbers = context.uninit_buffer(count)?;
        let zeros = vec![[0.0; 4]; places.x.width as usize];
        numbers.write_at(places.zero() / 4, &zeros)?;
        let most = context.abilities().compute.map_or(1, |limits| limits.max_invocations);
        let texels = if TEXELS.fits(context.abilities()) { TEXELS } else { Group::new(8, 8) };
        Ok(Dispatched {
            context: context.clone(),
            places,
            group: GROUP.min(most),
            numbers: RefCell::new(numbers),
            texels,
            spread: context.compute_kernel(spread_source(texels)?)?,
            products: Default::default(),
        })
    }

    fn table(&self, entries: &Entries, _: Extent) -> Result<Table, Error> {
        let what = "the entries of a sparse matrix, filled up ones among them,";
        must_fit(&self.context, what, entries.values.len().max(entries.lines.len()))?;
        Ok(Table {
            lines: self.context.buffer(&entries.lines)?,
            values: self.context.buffer(&entries.values)?,
            addresses: self.context.buffer(&entries.addresses)?,
        })
    }

    fn spread(&self, x: &Texture<[f32; 4]>, row: u32) -> Result<(), Error> {
        let first = row as usize * self.places.x.width as usize;
        let numbers = &mut *self.numbers.borrow_mut();
        let dispatch = self.spread.dispatch().input("x", x).buffer_mut("Numbers", numbers);
        dispatch.uniform("first", first as i32).run(self.texels.cover(x.extent()))
    }

    fn product(
        &self,
        table: &Table,
        scale: Scale,
        result: &mut Texture<[f32; 4]>,
    ) -> Result<(), Error> {
        let kernel = self.kernel(scale.form())?;
        let numbers = self.numbers.borrow();
        let dispatch = kernel.dispatch().buffer("Lines", &table.lines);
        let dispatch = dispatch.buffer("Values", &table.values);
        let dispatch = dispatch.buffer("Addresses", &table.addresses);
        let dispatch = dispatch.buffer("Numbers", &*numbers);
        let dispatch = dispatch.uniform("count", table.lines.len() as i32);
        let dispatch = dispatch.uniform("shift", row_shift(result.extent()));
        let dispatch = dispatch.uniform("alpha", scale.alpha);
        let groups = (4 * table.lines.len() as u32).div_ceil(self.group);
        let groups = [groups.min(ACROSS), groups.div_ceil(ACROSS), 1];
        if !scale.form().keeps {
            return dispatch.image_mut("result", result).run(groups);
        }
        let mut next = self.context.uninit(result.extent())?;
        let dispatch = dispatch.uniform("beta", scale.beta).input("old", result);
        dispatch.image_mut("result", &mut next).run(groups)?;
        *result = next;
        Ok(())
    }
}

impl Dispatched {
    fn kernel(&self, form: Form) -> Result<&ComputeKernel, Error> {
        let kept = &self.products[usize::from(form.keeps)];
        if let Some(kernel) = kept.get() {
            return Ok(kernel);
        }
        let made = self.context.compute_kernel(source(form, self.group)?)?;
        Ok(kept.get_or_init(|| made))
    }
}

/// Refuses more elements of 16 bytes than a storage block holds.
fn must_fit(context: &Context, what: &str, elements: usize) -> Result<(), gl::Error> {
    let limit = context.abilities().compute.map_or(0, |limits| limits.max_block_bytes);
    let bytes = 16 * elements as u64;
    if bytes <= u64::from(limit) {
        return Ok(());
    }
    Err(gl::Error::TooLarge {
        what: what.into(),
        request: format!("a storage block of {bytes} bytes"),
        limit: limit.into(),
        remedy: "use fragments, or multiply by parts of its rows".into(),
    })
}
