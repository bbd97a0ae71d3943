//! A nine-banded system in double precision on the device, where corrections of x meet their
//! residual without a way over the host.

use std::rc::Rc;

use std::sync::atomic::{AtomicBool, Ordering};

use crate::Extent;
use crate::data::{Block, Diffusion, Float, Form, NineBanded};
use crate::gl::{self, Buffer, Context};
use crate::grid::{DeviceGrid, Part, Plan};
use crate::shader::{Api, Source, Stage};
use crate::stream::group::Group;
use crate::stream::{self, ComputeKernel, Dispatch};

use super::Error;
use super::bands::ORDER;

/// The invocations of a work group that computes rows, and the most such groups: the host adds up
/// their sums.
const GROUP: u32 = 256;
const GROUPS: usize = 1024;
/// The work groups of the kernels that convert texels.
const TEXELS: Group = Group::new(64, 4);

/// A system in double precision, A, b, x and r = b - A x, by compute shaders of desktop OpenGL. It
/// takes 24 bytes an unknown, and where coefficients are stored 72 more, or 36 where 32 bits hold each exactly.
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
    bands: Bands,
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
    /// Returns whether a device computes in doubles, and can address those of a matrix.
    pub fn fits<T: Float>(context: &Context, matrix: &NineBanded<T>) -> bool {
        let abilities = context.abilities();
        // OpenGL 4.0 brought doubles; OpenGL ES has none.
        let most = match abilities.compute {
            Some(limits) if abilities.api == Api::Gl => limits.max_block_bytes,
            _ => 0,
        };
        bytes_of(matrix) <= most.min(i32::MAX as u32) as usize
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
        must_fit(context, matrix)?;
        let kernel = |source: Result<Source, _>| -> Result<_, Error> {
            Ok(context.compute_kernel(source?)?)
        };
        let numbers = || context.uninit_buffer(n);
        let (bands, read) = Bands::of(context, matrix)?;
        Ok(DoubleSystem {
            plan: Rc::clone(plan),
            parts,
            window,
            m: matrix.m(),
            n,
            x: numbers()?,
            b: numbers()?,
            r: numbers()?,
            sums: context.uninit_buffer(2 * groups(n))?,
            add: kernel(on_texels("add"))?,
            residual: kernel(on_rows(window.is_some(), read))?,
            scaled: kernel(on_texels("scaled"))?,
            bands,
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
        let run = self.residual.dispatch();
        let run = match &self.bands {
            Bands::Single(bands) => run.buffer("Bands", bands),
            Bands::Double(bands) => run.buffer("Bands", bands),
        };
        let run = run.buffer("X", &self.x);
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

/// What `glsl/nine_banded/double_residual.comp` reads of a matrix.
enum Bands {
    /// Stored bands whose numbers 32 bits hold exactly.
    Single(Buffer<f32>),
    Double(Buffer<f64>),
}

/// The numbers that the shader reads, by which it is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Numbers {
    /// The couplings of a constant matrix, and then the numbers of its diagonal.
    Constant,
    /// The coefficients of diffusion that bands follow from, at points or at faces.
    Points,
    Faces,
    Single,
    Double,
}

impl Bands {
    fn of<T: Float>(context: &Context, matrix: &NineBanded<T>) -> Result<(Bands, Numbers), Error> {
        if let Some(constant) = matrix.constant() {
            let couplings = ORDER.into_iter().map(|band| constant.coupling(band));
            let numbers = couplings.chain(constant.diagonal().iter().flatten().copied());
            let numbers = numbers.map(Into::into).collect::<Vec<f64>>();
            return Ok((Bands::Double(context.buffer(&numbers)?), Numbers::Constant));
        }
        if let Some(field) = matrix.field() {
            let numbers = if field.is_by_faces() { Numbers::Faces } else { Numbers::Points };
            return Ok((Bands::Double(coefficients(context, field)?), numbers));
        }
        if let Some(bands) = exact(context, matrix)? {
            return Ok((Bands::Single(bands), Numbers::Single));
        }
        let mut bands = context.uninit_buffer(ORDER.len() * matrix.n())?;
        bands.write_by(|first, numbers| {
            each_band(matrix, first, numbers, |entry, number| *number = entry);
        })?;
        Ok((Bands::Double(bands), Numbers::Double))
    }
}

/// Returns the coefficients of diffusion, one grid after the other.
fn coefficients(context: &Context, field: &Diffusion) -> Result<Buffer<f64>, Error> {
    let grids = field.grids();
    let mut all = context.uninit_buffer(grids.iter().map(|[across, down]| across * down).sum())?;
    all.write_by(|first, numbers| {
        let mut start = 0;
        for (grid, [across, down]) in grids.iter().enumerate() {
            let (from, to) = (first.max(start), (first + numbers.len()).min(start + across * down));
            let mut at = from;
            while at < to {
                let (line, column) = ((at - start) / across, (at - start) % across);
                let end = to.min(at - column + across);
                field.fill(grid, line, column as isize, &mut numbers[at - first..end - first]);
                at = end;
            }
            start += across * down;
        }
    })?;
    Ok(all)
}

/// Returns stored bands in single precision, if that holds them exactly.
fn exact<T: Float>(
    context: &Context,
    matrix: &NineBanded<T>,
) -> Result<Option<Buffer<f32>>, Error> {
    let is_exact = AtomicBool::new(true);
    let is_single = |entry: f64| f64::from(entry as f32) == entry;
    // What is not mostly differs in its first rows already.
    let mut some = [T::default(); 256];
    for band in ORDER {
        let some = &mut some[..matrix.n().min(256)];
        matrix.fill(band, 0..some.len(), some);
        if !some.iter().all(|entry| is_single((*entry).into())) {
            return Ok(None);
        }
    }
    let mut bands = context.uninit_buffer(ORDER.len() * matrix.n())?;
    bands.write_by(|first, numbers: &mut [f32]| {
        let mut exact = is_exact.load(Ordering::Relaxed);
        if !exact {
            return;
        }
        each_band(matrix, first, numbers, |entry, number| {
            *number = entry as f32;
            exact &= is_single(entry);
        });
        if !exact {
            is_exact.store(false, Ordering::Relaxed);
        }
    })?;
    Ok(is_exact.into_inner().then_some(bands))
}

/// Calls with numbers of a list that has one band after the other, from a place on, and what is to be set to each.
fn each_band<T: Float, N>(
    matrix: &NineBanded<T>,
    first: usize,
    numbers: &mut [N],
    mut set: impl FnMut(f64, &mut N),
) {
    const TOGETHER: usize = 512;
    let (n, mut at) = (matrix.n(), first);
    let mut entries = [T::default(); TOGETHER];
    let end = first + numbers.len();
    while at < end {
        let (band, row) = (at / n, at % n);
        let count = (n - row).min(end - at).min(TOGETHER);
        matrix.fill(ORDER[band], row..row + count, &mut entries[..count]);
        let to = &mut numbers[at - first..at - first + count];
        entries.iter().zip(to).for_each(|(entry, to)| set((*entry).into(), to));
        at += count;
    }
}

/// Returns the bytes of the largest buffer, at most.
fn bytes_of<T: Float>(matrix: &NineBanded<T>) -> usize {
    let numbers = match (matrix.form(), matrix.field()) {
        (Form::Stored, _) => ORDER.len().saturating_mul(matrix.n()),
        (_, Some(field)) => field.grids().iter().map(|[across, down]| across * down).sum(),
        (_, None) => 0,
    };
    numbers.max(matrix.n()).saturating_mul(size_of::<f64>())
}

fn must_fit<T: Float>(context: &Context, matrix: &NineBanded<T>) -> Result<(), gl::Error> {
    if DoubleSystem::fits(context, matrix) {
        return Ok(());
    }
    let abilities = context.abilities();
    let bytes = bytes_of(matrix);
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

fn on_rows(windowed: bool, numbers: Numbers) -> Result<Source, Error> {
    let source = Source::library(Stage::Compute, "nine_banded/double_residual.comp")?;
    let source = source.define("GROUP", GROUP);
    let source = match numbers {
        Numbers::Constant => source.define("CONSTANT", 1),
        Numbers::Points => source.define("FIELD", 1),
        Numbers::Faces => source.define("FIELD", 1).define("FACES", 1),
        Numbers::Single => source.define("SINGLE", 1),
        Numbers::Double => source,
    };
    Ok(if windowed { source.define("WINDOW", 1) } else { source })
}

fn on_texels(what: &str) -> Result<Source, Error> {
    let source = Source::library(Stage::Compute, format!("nine_banded/double_{what}.comp"))?;
    Ok(TEXELS.define(source))
}

/// Returns the shaders of this file.
pub(super) fn sources() -> Result<Vec<Source>, Error> {
    let mut sources = vec![on_texels("add")?, on_texels("scaled")?];
    for windowed in [false, true] {
        for numbers in
            [Numbers::Constant, Numbers::Points, Numbers::Faces, Numbers::Single, Numbers::Double]
        {
            sources.push(on_rows(windowed, numbers)?);
        }
    }
    Ok(sources)
}
