//! The flow in a closed box: its fields on a device, and a step.

use anyhow::{Context as _, Result};
use quadrille::data::Stencil;
use quadrille::grid::{DeviceGrid, Packer};
use quadrille::linalg::multigrid;
use quadrille::linalg::solve::{Options, Preconditioner, Solver};
use quadrille::stream;
use quadrille::{Context, Extent, Kernel, PingPong, Source, Texture};

/// A fluid without viscosity between walls along which it slips. Velocities are in cells for each
/// step.
pub(crate) struct Flow {
    /// The velocities along x and y, and the density that is carried along.
    u: PingPong<f32>,
    v: PingPong<f32>,
    density: PingPong<f32>,
    inflow: Texture<f32>,
    pressure: Texture<f32>,
    /// The same as the solver has them.
    packed_inflow: DeviceGrid,
    packed_pressure: DeviceGrid,
    packer: Packer,
    /// Of minus Laplace's equation with Neumann's conditions at the walls: set up once, for every
    /// step.
    solver: Solver,
    kernels: Kernels,
    iterations: u64,
    /// What the last solution left of the divergence, in the 2-norm.
    residual: f64,
}

struct Kernels {
    advect: [Kernel; 3],
    lift: Kernel,
    divergence: Kernel,
    project: [Kernel; 2],
}

const ACROSS_X: &str = "ivec2(1, 0)";
const ACROSS_Y: &str = "ivec2(0, 1)";
const CENTRES: &str = "ivec2(0)";

impl Flow {
    /// A box of cells with these velocities in the middle of their sides and densities at their
    /// centres, by the place in cells.
    pub(crate) fn new(
        context: &Context,
        cells: Extent,
        velocity: impl Fn(f64, f64) -> (f64, f64),
        density: impl Fn(f64, f64) -> f64,
    ) -> Result<Flow> {
        let stencil =
            Stencil::Neumann5 { width: cells.width as usize, height: cells.height as usize };
        let options = Options::new()
            .preconditioner(Preconditioner::Multigrid(multigrid::Options::new()))
            .tolerance(1e-4);
        let mut solver = Solver::new(context, &stencil.matrix()?, options)?;
        solver.warm_up()?;
        let plan = solver.plan().context("the solver runs on a device")?;
        let packed = || DeviceGrid::zeros(context, plan);
        let (packed_inflow, packed_pressure) = (packed()?, packed()?);
        let field = |more: (u32, u32), number: &dyn Fn(f64, f64) -> f64| {
            let extent = Extent::new(cells.width + more.0, cells.height + more.1);
            let shift = |more| 0.5 * f64::from(1 - more);
            let place = |x, y| (f64::from(x) + shift(more.0), f64::from(y) + shift(more.1));
            let row = |y| (0..extent.width).map(move |x| place(x, y));
            let numbers: Vec<f32> =
                (0..extent.height).flat_map(row).map(|(x, y)| number(x, y) as f32).collect();
            anyhow::Ok(PingPong::new(context.texture(extent, &numbers)?, context.uninit(extent)?)?)
        };
        Ok(Flow {
            u: field((1, 0), &|x, y| velocity(x, y).0)?,
            v: field((0, 1), &|x, y| velocity(x, y).1)?,
            density: field((0, 0), &density)?,
            inflow: context.uninit(cells)?,
            pressure: context.uninit(cells)?,
            packed_inflow,
            packed_pressure,
            packer: Packer::new(context)?,
            solver,
            kernels: Kernels::new(context)?,
            iterations: 0,
            residual: 0.0,
        })
    }

    /// Carries velocity and density along, lets what is dense sink, and takes the divergence out
    /// (Chorin 1968). `weight` is the velocity that a density of 1 gains.
    pub(crate) fn step(&mut self, weight: f32) -> Result<()> {
        self.carry()?;
        if weight != 0.0 {
            let (kernel, density) = (&self.kernels.lift, self.density.newest());
            self.v.step(|old, new| {
                let pass = kernel.pass().input("v", old).input("density", density);
                pass.uniform("weight", weight).draw(new)
            })?;
        }
        self.project()
    }

    fn carry(&mut self) -> Result<(), stream::Error> {
        let Flow { u, v, density, kernels, .. } = self;
        let [along_x, along_y, carried] = &kernels.advect;
        // The velocity carries itself too: the old one stays until all is carried.
        u.with_scratch(|u, to| {
            along_x.pass().input("u", u).input("v", v.newest()).input("field", u).draw(to)
        })?;
        v.with_scratch(|v, to| {
            along_y.pass().input("u", u.newest()).input("v", v).input("field", v).draw(to)
        })?;
        density.step(|old, new| {
            let pass = carried.pass().input("u", u.newest()).input("v", v.newest());
            pass.input("field", old).draw(new)
        })?;
        u.swap();
        v.swap();
        Ok(())
    }

    /// Subtracts the gradient of the pressure whose Laplacian is the divergence. The last step's
    /// pressure is the guess. Nothing but the norms of residuals leaves the device.
    fn project(&mut self) -> Result<()> {
        let Flow { u, v, kernels, inflow, pressure, packed_inflow, packed_pressure, .. } = self;
        let divergence = kernels.divergence.pass().input("u", u.newest()).input("v", v.newest());
        divergence.draw(inflow)?;
        self.packer.pack(inflow, packed_inflow)?;
        let solution = self.solver.solve_on_device(packed_inflow, packed_pressure)?;
        (self.iterations, self.residual) =
            (self.iterations + solution.iterations, solution.residual);
        self.packer.unpack(packed_pressure, pressure)?;
        for (kernel, velocity) in kernels.project.iter().zip([u, v]) {
            velocity.step(|old, new| {
                kernel.pass().input("velocity", old).input("pressure", pressure).draw(new)
            })?;
        }
        Ok(())
    }

    /// The velocities along x and y.
    pub(crate) fn velocities(&self) -> Result<[Vec<f32>; 2]> {
        Ok([self.u.newest().read()?, self.v.newest().read()?])
    }

    /// The largest divergence of a cell, in double precision.
    pub(crate) fn divergence(&self) -> Result<f64> {
        let [u, v] =
            self.velocities()?.map(|field| field.into_iter().map(f64::from).collect::<Vec<f64>>());
        let Extent { width, height } = self.inflow.extent();
        let (width, height) = (width as usize, height as usize);
        let of_cell = |i: usize| {
            let (x, y) = (i % width, i / width);
            let along_x = u[y * (width + 1) + x + 1] - u[y * (width + 1) + x];
            (along_x + v[(y + 1) * width + x] - v[y * width + x]).abs()
        };
        Ok((0..width * height).map(of_cell).fold(0.0, f64::max))
    }

    /// What it may be: the residual of the pressure, and roundings of pressures and velocities.
    /// Each side of a cell rounds a velocity twice and two pressures once, here and in the
    /// divergence that the pressure was computed from, whose mean is left.
    pub(crate) fn divergence_bound(&self) -> Result<f64> {
        let largest =
            |field: &[f32]| field.iter().fold(0.0, |most, x| f64::from(x.abs()).max(most));
        let velocity = self.velocities()?.iter().map(|field| largest(field)).fold(0.0, f64::max);
        let pressure = largest(&self.pressure.read()?);
        let inflow = self.inflow.read()?.into_iter().map(f64::from);
        let residual = self.residual * inflow.map(|b| b * b).sum::<f64>().sqrt();
        Ok(residual + 20.0 * f64::from(f32::EPSILON) * (velocity + 2.0 * pressure))
    }

    /// The density of each cell.
    pub(crate) fn density(&self) -> Result<Vec<f32>> {
        Ok(self.density.newest().read()?)
    }

    /// The steps of conjugate gradients so far.
    pub(crate) fn iterations(&self) -> u64 {
        self.iterations
    }
}

impl Kernels {
    fn new(context: &Context) -> Result<Kernels, stream::Error> {
        let kernel = |source: Source| {
            context.kernel(source.file("staggered.glsl", include_str!("staggered.glsl")))
        };
        let of = |name: &str, text: &str| Source::fragment(name, text);
        let advect = || of("advect.frag", include_str!("advect.frag"));
        let project = || of("project.frag", include_str!("project.frag"));
        Ok(Kernels {
            advect: [
                kernel(advect().define("ACROSS", ACROSS_X))?,
                kernel(advect().define("ACROSS", ACROSS_Y))?,
                kernel(advect().define("ACROSS", CENTRES).define("LIMITED", 1))?,
            ],
            lift: kernel(of("lift.frag", include_str!("lift.frag")))?,
            divergence: kernel(of("divergence.frag", include_str!("divergence.frag")))?,
            project: [
                kernel(project().define("ACROSS", ACROSS_X))?,
                kernel(project().define("ACROSS", ACROSS_Y))?,
            ],
        })
    }
}
