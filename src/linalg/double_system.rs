//! A system in double precision on a device, where corrections of x meet their residual without a way over the host.
//!
//! What the matrix is, its kernel of rows alone knows: `double_system/nine_banded.rs` and `double_system/grid3.rs` make them.

mod grid3;
mod nine_banded;

use std::rc::Rc;

use crate::Extent;
use crate::data::Block;
use crate::gl::{self, Buffer, Context, Value};
use crate::grid::{DeviceGrid, GridShape, Part, Plan};
use crate::linalg::nine_banded::Result;
use crate::shader::{Api, Source, Stage};
use crate::stream::group::{Group, Setup};
use crate::stream::launch::{Launch, Program};

/// The invocations of a work group that computes rows, and the most such groups: the host adds up
/// their sums.
const GROUP: u32 = 256;
const GROUPS: usize = 1024;
/// The work groups of the kernels that convert texels.
const TEXELS: Setup = Setup::Compute(Group::new(64, 4));

/// A system in double precision, A, b, x and r = b - A x, by compute shaders of desktop OpenGL. It
/// takes 24 bytes an unknown, 32 where x is kept, and what its matrix takes.
pub struct DoubleSystem {
    plan: Rc<Plan>,
    /// The texels of each panel that are converted.
    parts: Vec<Part>,
    n: usize,
    context: Context,
    x: Buffer<f64>,
    /// A copy of x, made when first needed.
    kept: Option<Buffer<f64>>,
    b: Buffer<f64>,
    r: Buffer<f64>,
    sums: Buffer<f64>,
    rows: Rows,
    add: Program,
    scaled: Program,
}

/// A matrix of which a device computes the rows of a residual in double precision.
pub trait InDouble {
    /// Returns the bytes of the largest buffer that it takes, at most.
    fn bytes(&self) -> usize;

    /// Puts it on a device; sums of the residual are of the rows of a block, or of all.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    fn rows(&self, context: &Context, counts: Option<&Block>) -> Result<Rows>;
}

/// What computes the rows of b - A x.
pub struct Rows {
    program: Program,
    coefficients: Coefficients,
    uniforms: Vec<(&'static str, Value)>,
}

/// What a kernel of rows reads of a matrix.
enum Coefficients {
    /// Numbers that 32 bits hold exactly.
    Single(Buffer<f32>),
    Double(Buffer<f64>),
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
    pub fn fits(context: &Context, matrix: &impl InDouble) -> bool {
        fits(context, matrix.bytes())
    }

    /// Puts a matrix on a device, for corrections in grids of this plan.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Unsupported`](crate::gl::Error::Unsupported) on a device that it does not [fit](Self::fits); out
    /// of memory, and errors of the device.
    pub fn new(context: &Context, matrix: &impl InDouble, plan: &Rc<Plan>) -> Result<DoubleSystem> {
        must_fit(context, matrix.bytes())?;
        DoubleSystem::with(context, plan, plan.parts().to_vec(), matrix.rows(context, None)?)
    }

    /// Makes the system of one of several ranks, which owns a block of what it stores: halos of
    /// grids are converted too, and sums are of the owned block. `None` if it is in several panels,
    /// which would convert the texels between them twice.
    #[cfg(feature = "cluster")]
    pub(crate) fn on_rank(
        context: &Context,
        matrix: &impl InDouble,
        plan: &Rc<Plan>,
        owned: &Block,
    ) -> Result<Option<DoubleSystem>> {
        must_fit(context, matrix.bytes())?;
        let [part] = plan.parts() else { return Ok(None) };
        let parts = vec![Part { owned: part.stored, ..*part }];
        DoubleSystem::with(context, plan, parts, matrix.rows(context, Some(owned))?).map(Some)
    }

    fn with(
        context: &Context,
        plan: &Rc<Plan>,
        parts: Vec<Part>,
        rows: Rows,
    ) -> Result<DoubleSystem> {
        let n = plan.shape().len();
        let numbers = || context.uninit_buffer(n);
        let program =
            |what: &str| -> Result<_> { Ok(Program::new(context, TEXELS, on_texels(what)?)?) };
        Ok(DoubleSystem {
            plan: Rc::clone(plan),
            parts,
            n,
            context: context.clone(),
            x: numbers()?,
            kept: None,
            b: numbers()?,
            r: numbers()?,
            sums: context.uninit_buffer(2 * groups(n))?,
            rows,
            add: program("add")?,
            scaled: program("scaled")?,
        })
    }

    /// Sets b.
    ///
    /// # Errors
    ///
    /// Another length than n, and errors of the device.
    pub fn set(&mut self, b: &[f64]) -> Result<()> {
        Ok(self.b.write(b)?)
    }

    /// Computes x = x + factor c, or x = factor c.
    ///
    /// # Errors
    ///
    /// Errors of the device, and grids of another plan.
    pub fn add(&mut self, c: &DeviceGrid, factor: f64, keep: bool) -> Result<()> {
        c.must_be(&self.plan, "a correction")?;
        for (c, part) in c.textures().iter().zip(&self.parts) {
            let launch = self.add.launch().buffer_mut("X", &mut self.x).input("c", c);
            let launch = launch.uniform("factor", bits(factor)).uniform("keep", i32::from(keep));
            on(launch, part, self.plan.shape()).into(&mut [])?;
        }
        Ok(())
    }

    /// Keeps a copy of x.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    pub fn keep(&mut self) -> Result<()> {
        if self.kept.is_none() {
            self.kept = Some(self.context.uninit_buffer(self.n)?);
        }
        if let Some(kept) = &mut self.kept {
            kept.copy_from(&self.x)?;
        }
        Ok(())
    }

    /// Returns x to the copy that was kept last, if there is one.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn recall(&mut self) -> Result<()> {
        match &self.kept {
            Some(kept) => Ok(self.x.copy_from(kept)?),
            None => Ok(()),
        }
    }

    /// Computes r = b - A x, and its sums.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn residual(&mut self) -> Result<Sums> {
        let groups = groups(self.n) as u32;
        let Rows { program, coefficients, uniforms } = &self.rows;
        let run = match coefficients {
            Coefficients::Single(numbers) => program.launch().buffer("Coefficients", numbers),
            Coefficients::Double(numbers) => program.launch().buffer("Coefficients", numbers),
        };
        let run = run.buffer("X", &self.x);
        let run = run.buffer("B", &self.b).buffer_mut("R", &mut self.r);
        let mut run =
            run.buffer_mut("Sums", &mut self.sums).uniform("stride", (GROUP * groups) as i32);
        for (name, value) in uniforms {
            run = run.uniform(name, value.clone());
        }
        run.uniform("n", self.n as i32).run([groups, 1, 1])?;
        let sums = self.sums.read()?;
        let total = |which: usize| sums.iter().skip(which).step_by(2).sum();
        Ok(Sums { elements: total(0), squares: total(1) })
    }

    /// Computes to = factor (r - shift).
    ///
    /// # Errors
    ///
    /// Errors of the device, and grids of another plan.
    pub fn scaled(&self, shift: f64, factor: f64, to: &mut DeviceGrid) -> Result<()> {
        self.scale(&self.r, shift, factor, to)
    }

    /// Computes to = factor b.
    ///
    /// # Errors
    ///
    /// Those of [`scaled`](Self::scaled).
    pub fn scaled_right_side(&self, factor: f64, to: &mut DeviceGrid) -> Result<()> {
        self.scale(&self.b, 0.0, factor, to)
    }

    fn scale(
        &self,
        from: &Buffer<f64>,
        shift: f64,
        factor: f64,
        to: &mut DeviceGrid,
    ) -> Result<()> {
        to.must_be(&self.plan, "a residual")?;
        for (index, part) in self.parts.iter().enumerate() {
            let Some(panel) = to.panel_mut(index) else { continue };
            let launch = self.scaled.launch().buffer("R", from);
            let launch = launch.uniform("factor", bits(factor)).uniform("shift", bits(shift));
            on(launch, part, self.plan.shape()).write("value", panel)?;
        }
        Ok(())
    }

    /// Reads x.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn x(&self) -> Result<Vec<f64>> {
        Ok(self.x.read()?)
    }
}

/// Refuses a device that does not compute in doubles, or cannot address this many bytes of them.
fn must_fit(context: &Context, bytes: usize) -> Result<(), gl::Error> {
    if fits(context, bytes) {
        return Ok(());
    }
    let abilities = context.abilities();
    Err(gl::Error::Unsupported {
        request: "a residual in double precision on the device".into(),
        lacks: format!("OpenGL 4.3 with storage blocks of {bytes} bytes"),
        device: abilities.renderer.clone(),
        remedy: "compute it on the host".into(),
    })
}

/// Returns whether a device computes in doubles, and can address a buffer of this many bytes.
fn fits(context: &Context, bytes: usize) -> bool {
    let abilities = context.abilities();
    // OpenGL 4.0 brought doubles; OpenGL ES has none.
    let most = match abilities.compute {
        Some(limits) if abilities.api == Api::Gl => limits.max_block_bytes,
        _ => 0,
    };
    bytes <= most.min(i32::MAX as u32) as usize
}

/// Gives a launch the texels that a panel owns, in a grid of this shape.
fn on<'a>(launch: Launch<'a>, part: &Part, shape: GridShape) -> Launch<'a> {
    let (owned, local) = (part.owned, part.local(part.owned));
    launch
        .uniform("corner", [local.x as i32, local.y as i32])
        .uniform("owned", [owned.width as i32, owned.height as i32])
        .uniform("origin", [owned.x as i32, owned.y as i32])
        .uniform("m", shape.width() as i32)
        .uniform("n", shape.len() as i32)
        .uniform("stack", shape.stack_rows() as i32)
        .invocations(Extent::new(owned.width, owned.height))
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

impl Rows {
    /// Compiles the text of the rows of a residual.
    fn new(
        context: &Context,
        text: Source,
        coefficients: Coefficients,
        uniforms: Vec<(&'static str, Value)>,
    ) -> Result<Rows> {
        let program = Program::new(context, Setup::Compute(Group::new(GROUP, 1)), text)?;
        Ok(Rows { program, coefficients, uniforms })
    }
}

/// Returns a shader that computes the rows of a residual, for work groups as they are here.
fn on_rows(path: &str) -> Result<Source> {
    Ok(Source::library(Stage::Compute, path)?.define("GROUP", GROUP))
}

fn on_texels(what: &str) -> Result<Source> {
    Ok(TEXELS.library(&format!("double/{what}.comp"))?)
}

/// Returns every shader of this module in every variant, to be checked as a set.
pub(crate) fn sources() -> Result<Vec<Source>> {
    Ok([vec![on_texels("add")?, on_texels("scaled")?], nine_banded::sources()?, grid3::sources()?]
        .concat())
}
