//! A nine-banded system in double precision on the device, where corrections of x meet their
//! residual without a way over the host.

use std::rc::Rc;

use crate::Extent;
use crate::data::{Block, Float, Form, NineBanded};
use crate::gl::{self, Buffer, Context};
use crate::grid::{DeviceGrid, Part, Plan};
use crate::memory;
use crate::shader::{Api, Source, Stage};
use crate::stream::group::Group;
use crate::stream::{self, ComputeKernel, Dispatch};

use super::Error;
use super::bands::ORDER;
use super::coefficients::define;

/// The invocations of a work group that computes rows, and the most such groups: the host adds up
/// their sums.
const GROUP: u32 = 256;
const GROUPS: usize = 1024;
/// The work groups of the kernels that convert texels.
const TEXELS: Group = Group::new(64, 4);

/// A system in double precision, A, b, x and r = b - A x, by compute shaders of desktop OpenGL. It
/// takes 24 bytes an unknown, and 72 more where coefficients are stored.
pub struct DoubleSystem {
    plan: Rc<Plan>,
    /// The texels of each panel that are converted.
    parts: Vec<Part>,
    /// The rows that count, where others do not: the first and the last column, and the first and
    /// the last row, of the grid.
    window: Option<[i32; 4]>,
    /// The numbers of a row of the grid, and of all rows.
    m: usize,
    n: usize,
    bands: Buffer<f64>,
    x: Buffer<f64>,
    b: Buffer<f64>,
    r: Buffer<f64>,
    sums: Buffer<f64>,
    add: ComputeKernel,
    residual: ComputeKernel,
    scaled: ComputeKernel,
}

/// The sums that a residual leaves.
pub struct Sums {
    /// The sum of the elements.
    pub elements: f64,
    /// The sum of their squares.
    pub squares: f64,
}

impl DoubleSystem {
    /// Returns whether a device computes in doubles, and can address those of a matrix with n rows in
    /// this form.
    pub fn fits(context: &Context, n: usize, form: Form) -> bool {
        let abilities = context.abilities();
        // OpenGL 4.0 brought doubles; OpenGL ES has none.
        let most = match abilities.compute {
            Some(limits) if abilities.api == Api::Gl => limits.max_block_bytes,
            _ => 0,
        };
        bytes_of(n, form) <= most.min(i32::MAX as u32) as usize
    }

    /// Puts a matrix on a device, for corrections in grids of this plan.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Unsupported`] on a device that it does not [fit](Self::fits); out of memory,
    /// and errors of the device.
    pub fn new<T: Float>(
        context: &Context,
        matrix: &NineBanded<T>,
        plan: &Rc<Plan>,
    ) -> Result<DoubleSystem, Error> {
        DoubleSystem::of_parts(context, matrix, plan, plan.parts().to_vec(), None)
    }

    /// Makes the system of one of several ranks, which owns a block of what it stores: halos of
    /// grids are converted too, and sums are of the owned block. `None` if it is in several panels,
    /// which would convert the texels between them twice.
    pub(crate) fn on_rank<T: Float>(
        context: &Context,
        matrix: &NineBanded<T>,
        plan: &Rc<Plan>,
        owned: &Block,
    ) -> Result<Option<DoubleSystem>, Error> {
        let [part] = plan.parts() else { return Ok(None) };
        let parts = vec![Part { owned: part.stored, ..*part }];
        let Block { columns, rows } = owned;
        let window = [columns.start, columns.end, rows.start, rows.end].map(|side| side as i32);
        DoubleSystem::of_parts(context, matrix, plan, parts, Some(window)).map(Some)
    }

    fn of_parts<T: Float>(
        context: &Context,
        matrix: &NineBanded<T>,
        plan: &Rc<Plan>,
        parts: Vec<Part>,
        window: Option<[i32; 4]>,
    ) -> Result<DoubleSystem, Error> {
        let n = matrix.n();
        must_fit(context, n, matrix.form())?;
        let kernel = |source: Result<Source, _>| -> Result<_, Error> {
            Ok(context.compute_kernel(source?)?)
        };
        let numbers = || context.uninit_buffer(n);
        Ok(DoubleSystem {
            plan: Rc::clone(plan),
            parts,
            window,
            m: matrix.m(),
            n,
            bands: bands(context, matrix)?,
            x: numbers()?,
            b: numbers()?,
            r: numbers()?,
            sums: context.uninit_buffer(2 * groups(n))?,
            add: kernel(on_texels("add"))?,
            residual: kernel(on_rows(window.is_some(), matrix.form()))?,
            scaled: kernel(on_texels("scaled"))?,
        })
    }

    /// Sets b.
    ///
    /// # Errors
    ///
    /// Another length than n, and errors of the device.
    pub fn set(&mut self, b: &[f64]) -> Result<(), Error> {
        Ok(self.b.write(b)?)
    }

    /// Computes x = x + factor c, or x = factor c.
    ///
    /// # Errors
    ///
    /// Errors of the device, and grids of another plan.
    pub fn add(&mut self, c: &DeviceGrid, factor: f64, keep: bool) -> Result<(), Error> {
        c.must_be(&self.plan, "a correction")?;
        for (c, part) in c.textures().iter().zip(&self.parts) {
            let run = self.add.dispatch().buffer_mut("X", &mut self.x).input("c", c);
            let run = run.uniform("factor", bits(factor)).uniform("keep", i32::from(keep));
            run_on(run, part, [self.m, self.n])?;
        }
        Ok(())
    }

    /// Computes r = b - A x, and its sums.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn residual(&mut self) -> Result<Sums, Error> {
        let groups = groups(self.n) as u32;
        let run = self.residual.dispatch().buffer("Bands", &self.bands).buffer("X", &self.x);
        let run = run.buffer("B", &self.b).buffer_mut("R", &mut self.r);
        let run = run.buffer_mut("Sums", &mut self.sums).uniform("stride", (GROUP * groups) as i32);
        let run = match self.window {
            Some(window) => run.uniform("window", window),
            None => run,
        };
        run.uniform("m", self.m as i32).uniform("n", self.n as i32).run([groups, 1, 1])?;
        let sums = self.sums.read()?;
        let total = |which: usize| sums.iter().skip(which).step_by(2).sum();
        Ok(Sums { elements: total(0), squares: total(1) })
    }

    /// Computes to = factor (r - shift).
    ///
    /// # Errors
    ///
    /// Errors of the device, and grids of another plan.
    pub fn scaled(&self, shift: f64, factor: f64, to: &mut DeviceGrid) -> Result<(), Error> {
        self.scale(&self.r, shift, factor, to)
    }

    /// Computes to = factor b.
    ///
    /// # Errors
    ///
    /// Those of [`scaled`](Self::scaled).
    pub fn scaled_right_side(&self, factor: f64, to: &mut DeviceGrid) -> Result<(), Error> {
        self.scale(&self.b, 0.0, factor, to)
    }

    fn scale(
        &self,
        from: &Buffer<f64>,
        shift: f64,
        factor: f64,
        to: &mut DeviceGrid,
    ) -> Result<(), Error> {
        to.must_be(&self.plan, "a residual")?;
        for (index, part) in self.parts.iter().enumerate() {
            let Some(panel) = to.panel_mut(index) else { continue };
            let run = self.scaled.dispatch().buffer("R", from).image_mut("value", panel);
            let run = run.uniform("factor", bits(factor)).uniform("shift", bits(shift));
            run_on(run, part, [self.m, self.n])?;
        }
        Ok(())
    }

    /// Reads x.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn x(&self) -> Result<Vec<f64>, Error> {
        Ok(self.x.read()?)
    }
}

/// Returns what `glsl/nine_banded/double_residual.comp` reads of a matrix: the bands, or of a constant
/// one the couplings and then the numbers of its diagonal, or the coefficients that bands follow from.
fn bands<T: Float>(context: &Context, matrix: &NineBanded<T>) -> Result<Buffer<f64>, Error> {
    if let Some(constant) = matrix.constant() {
        let couplings = ORDER.into_iter().map(|band| constant.coupling(band));
        let numbers = couplings.chain(constant.diagonal().iter().flatten().copied());
        return Ok(context.buffer(&numbers.map(Into::into).collect::<Vec<f64>>())?);
    }
    let n = matrix.n();
    if let Some(field) = matrix.field() {
        let coefficients = field.coefficients().iter().map(|k| field.factor() * k);
        return Ok(context.buffer(&memory::collected(n, coefficients)?)?);
    }
    let mut bands = context.uninit_buffer(ORDER.len() * n)?;
    for (index, band) in ORDER.into_iter().enumerate() {
        let entries = matrix.band(band).iter().map(|entry| (*entry).into());
        bands.write_at(index * n, &memory::collected::<f64>(n, entries)?)?;
    }
    Ok(bands)
}

/// Returns the bytes of the largest buffer.
fn bytes_of(n: usize, form: Form) -> usize {
    let numbers = if form == Form::Stored { ORDER.len() } else { 1 };
    n.saturating_mul(numbers * size_of::<f64>())
}

fn must_fit(context: &Context, n: usize, form: Form) -> Result<(), gl::Error> {
    if DoubleSystem::fits(context, n, form) {
        return Ok(());
    }
    let abilities = context.abilities();
    let bytes = bytes_of(n, form);
    Err(gl::Error::Unsupported {
        request: "a residual in double precision on the device".into(),
        lacks: format!("OpenGL 4.3 with storage blocks of {bytes} bytes"),
        device: abilities.renderer.clone(),
        remedy: "compute it on the host".into(),
    })
}

/// Runs a dispatch for the texels that a panel owns, in a grid of n numbers in rows of m.
fn run_on(run: Dispatch<'_>, part: &Part, [m, n]: [usize; 2]) -> Result<(), stream::Error> {
    let (owned, local) = (part.owned, part.local(part.owned));
    run.uniform("corner", [local.x as i32, local.y as i32])
        .uniform("owned", [owned.width as i32, owned.height as i32])
        .uniform("origin", [owned.x as i32, owned.y as i32])
        .uniform("m", m as i32)
        .uniform("n", n as i32)
        .run(TEXELS.cover(Extent::new(owned.width, owned.height)))
}

/// Returns the work groups that compute n rows.
fn groups(n: usize) -> usize {
    n.div_ceil(GROUP as usize).clamp(1, GROUPS)
}

/// Returns a double as a uniform that every context can set.
fn bits(number: f64) -> [u32; 2] {
    let bits = number.to_bits();
    [bits as u32, (bits >> 32) as u32]
}

fn on_rows(windowed: bool, form: Form) -> Result<Source, Error> {
    let source = Source::library(Stage::Compute, "nine_banded/double_residual.comp")?;
    let source = define(source.define("GROUP", GROUP), form);
    Ok(if windowed { source.define("WINDOW", 1) } else { source })
}

fn on_texels(what: &str) -> Result<Source, Error> {
    let source = Source::library(Stage::Compute, format!("nine_banded/double_{what}.comp"))?;
    Ok(TEXELS.define(source))
}

/// Returns the shaders of this file.
pub(super) fn sources() -> Result<Vec<Source>, Error> {
    let mut sources = vec![on_texels("add")?, on_texels("scaled")?];
    for (windowed, form) in [false, true].into_iter().flat_map(|windowed| {
        [Form::Stored, Form::Constant, Form::Field].map(|form| (windowed, form))
    }) {
        sources.push(on_rows(windowed, form)?);
    }
    Ok(sources)
}
