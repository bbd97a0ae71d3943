//! The step as the paper prints it, with two calls of floor, in its four forms: X + (B - A X) / DD
//! or times a reciprocal, and rearranged as the library has it.

use quadrille::Extent;
use quadrille::data::Band;
use quadrille::gl::{Context, Texture};
use quadrille::shader::{self, Reads, Source, Stage};
use quadrille::stream::{Kernel, PingPong};
use quadrille_lab::Result;
use quadrille_lab::twin::System;

/// The use of the diagonal in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    /// (B - the other products) / DD.
    pub(super) rearranged: bool,
    /// A product with the reciprocal, from the host.
    pub(super) inverse: bool,
}

impl Form {
    /// The paper's first.
    pub(super) const ALL: [Form; 4] = [
        Form { rearranged: false, inverse: false },
        Form { rearranged: false, inverse: true },
        Form { rearranged: true, inverse: false },
        Form { rearranged: true, inverse: true },
    ];

    pub(super) fn name(self) -> &'static str {
        match (self.rearranged, self.inverse) {
            (false, false) => "X + (B - A X) / DD",
            (false, true) => "X + (B - A X) inv",
            (true, false) => "(B - others) / DD",
            (true, true) => "(B - others) inv",
        }
    }

    fn source(self) -> Result<Source, shader::Error> {
        let mut source = crate::shaders::source(Stage::Fragment, "jacobi/printed.frag")?;
        let defines = [(self.rearranged, "REARRANGED"), (self.inverse, "INVERSE")];
        for (_, name) in defines.into_iter().filter(|(wanted, _)| *wanted) {
            source = source.define(name, 1);
        }
        Ok(source)
    }
}

pub(crate) fn sources() -> Result<Vec<Source>, shader::Error> {
    Form::ALL.into_iter().map(Form::source).collect()
}

pub(super) struct Printed {
    kernel: Kernel,
    x: PingPong<f32>,
    bands: [Texture<[f32; 4]>; 2],
    last: Texture<[f32; 2]>,
    inverse: Option<Texture<f32>>,
}

impl Printed {
    /// Makes the step for whole rows: the number of unknowns is a multiple of their length.
    pub(super) fn new(context: &Context, system: &System, form: Form) -> Result<Printed> {
        let (n, m) = (system.matrix.n(), system.matrix.m());
        let extent = Extent::new(m as u32, (n / m) as u32);
        let band = |band: Band, row: usize| system.matrix.band(band)[row];
        let diagonal = |row: usize| match form {
            Form { rearranged: true, inverse: true } => 1.0 / band(Band::DD, row),
            _ => band(Band::DD, row),
        };
        let four = |bands: [Band; 4]| -> Result<Texture<[f32; 4]>> {
            let entry = |of, row| if of == Band::DD { diagonal(row) } else { band(of, row) };
            let texels: Vec<[f32; 4]> = (0..n).map(|row| bands.map(|of| entry(of, row))).collect();
            Ok(context.texture(extent, &texels)?)
        };
        let last: Vec<[f32; 2]> =
            (0..n).map(|row| [band(Band::UU, row), system.side[row]]).collect();
        let inverse: Vec<f32> = (0..n).map(|row| 1.0 / band(Band::DD, row)).collect();
        let additional = form == Form { rearranged: false, inverse: true };
        Ok(Printed {
            kernel: Kernel::from_fragment(context, &form.source()?, Reads::Sample)?,
            x: PingPong::new(context.texture(extent, &system.start)?, context.uninit(extent)?)?,
            bands: [
                four([Band::LL, Band::LD, Band::LU, Band::DL])?,
                four([Band::DD, Band::DU, Band::UL, Band::UD])?,
            ],
            last: context.texture(extent, &last)?,
            inverse: additional.then(|| context.texture(extent, &inverse)).transpose()?,
        })
    }

    pub(super) fn iterate(&mut self, steps: u64) -> Result<()> {
        for _ in 0..steps {
            let Printed { kernel, x, bands: [a, b], last, inverse } = self;
            x.step(|old, new| {
                let pass = kernel.pass().input("x", old).input("bands_a", a).input("bands_b", b);
                let pass = pass.input("bands_c", last);
                match inverse {
                    Some(inverse) => pass.input("reciprocal", inverse).draw(new),
                    None => pass.draw(new),
                }
            })?;
        }
        Ok(())
    }

    pub(super) fn read(&self) -> Result<Vec<f32>> {
        Ok(self.x.newest().read()?)
    }
}
