//! Scans by compute shaders: totals of groups, the scan of these by one group, and each group's own.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::gl::{Buffer, Context, Texture};
use crate::grid::DeviceVector;
use crate::shader::{Source, Stage};
use crate::stream::{ComputeKernel, Dispatch, Error};

use super::super::number::Number;
use super::form::Form;
use super::plan::{Division, Groups};

/// The groups where the context allows them: on a software renderer each barrier takes long.
const HARDWARE: Groups = Groups { size: 256, per: 4 };
const SOFTWARE: Groups = Groups { size: 16, per: 64 };

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    Totals,
    Groups,
    Prefixes,
}

pub(super) struct Dispatched<T: Number> {
    context: Context,
    groups: Groups,
    kernels: RefCell<HashMap<(Step, Form), Rc<ComputeKernel>>>,
    partial: RefCell<Option<Partial<T>>>,
}

/// The totals of groups, as many as the largest panel had, and what stands before a panel.
struct Partial<T: Number> {
    totals: Buffer<T>,
    has_starts: Buffer<u32>,
    carry: Buffer<T>,
}

/// A panel and where the starts of its segments are.
#[derive(Clone, Copy)]
struct Panel<'a, T: Number> {
    x: &'a Texture<T::Quad>,
    starts: Option<&'a Texture<[u32; 4]>>,
    length: usize,
    division: Division,
}

fn source<T: Number>(step: Step, form: Form, groups: Groups) -> Result<Source, Error> {
    let library = |path| Source::library(Stage::Compute, path);
    let source = match step {
        Step::Totals => form.define::<T>(library("scan/totals.comp")?),
        Step::Groups => form.define::<T>(library("scan/groups.comp")?),
        Step::Prefixes => form.define_result::<T>(library("scan/prefixes.comp")?),
    };
    Ok(source.define("GROUP", groups.size).define("PER", groups.per))
}

pub(super) fn sources<T: Number>(form: Form) -> Result<Vec<Source>, Error> {
    let all = [Step::Totals, Step::Groups, Step::Prefixes];
    all.into_iter().map(|step| source::<T>(step, form, HARDWARE)).collect()
}

impl<T: Number> Dispatched<T> {
    pub(super) fn new(context: &Context) -> Dispatched<T> {
        let usual = if context.abilities().software { SOFTWARE } else { HARDWARE };
        let most = context.abilities().compute.map_or(1, |limits| limits.max_invocations) as usize;
        let size = 1 << usual.size.min(most).max(1).ilog2();
        let (kernels, partial) = Default::default();
        Dispatched { context: context.clone(), groups: Groups { size, ..usual }, kernels, partial }
    }

    /// Returns the roundings that a number goes through at most.
    pub(super) fn chain(&self, length: usize) -> usize {
        let panel = DeviceVector::<T>::room_of_panel(&self.context);
        self.groups.chain(length.min(panel), length.div_ceil(panel))
    }

    pub(super) fn run(
        &self,
        form: Form,
        x: &DeviceVector<T>,
        starts: Option<&DeviceVector<u32>>,
        out: &mut DeviceVector<T>,
    ) -> Result<(), Error> {
        for (index, ((x, length), (out, _))) in x.panels().zip(out.panels_mut()).enumerate() {
            let starts = starts.and_then(|starts| starts.panel(index));
            let division = self.groups.divide(length.div_ceil(4));
            let panel = Panel { x, starts, length, division };
            let mut partial = self.partial.borrow_mut();
            let partial = self.room(&mut partial, division.groups)?;
            self.totals(form, panel, partial)?;
            self.scan_totals(form, division.groups, index > 0, partial)?;
            self.prefixes(form, panel, partial, out)?;
        }
        Ok(())
    }

    fn totals(
        &self,
        form: Form,
        panel: Panel<'_, T>,
        partial: &mut Partial<T>,
    ) -> Result<(), Error> {
        let kernel = self.kernel(Step::Totals, form)?;
        let dispatch = panel.bind(kernel.dispatch()).buffer_mut("Totals", &mut partial.totals);
        let dispatch = match form.segmented {
            true => dispatch.buffer_mut("HasStarts", &mut partial.has_starts),
            false => dispatch,
        };
        dispatch.run(panel.number())
    }

    fn scan_totals(
        &self,
        form: Form,
        count: usize,
        continues: bool,
        partial: &mut Partial<T>,
    ) -> Result<(), Error> {
        let kernel = self.kernel(Step::Groups, form)?;
        let Partial { totals, has_starts, carry } = partial;
        let dispatch = kernel.dispatch().uniform("count", count as i32);
        let dispatch = dispatch.uniform("continues", continues);
        let dispatch = dispatch.buffer_mut("Totals", totals).buffer_mut("Carry", carry);
        let dispatch = match form.segmented {
            true => dispatch.buffer("HasStarts", has_starts),
            false => dispatch,
        };
        dispatch.run([1, 1, 1])
    }

    fn prefixes(
        &self,
        form: Form,
        panel: Panel<'_, T>,
        partial: &Partial<T>,
        out: &mut Texture<T::Quad>,
    ) -> Result<(), Error> {
        let kernel = self.kernel(Step::Prefixes, form)?;
        let dispatch = panel.bind(kernel.dispatch()).buffer("Before", &partial.totals);
        let dispatch = dispatch.uniform("length_of_x", panel.length as i32);
        dispatch.image_mut("prefixes", out).run(panel.number())
    }

    fn kernel(&self, step: Step, form: Form) -> Result<Rc<ComputeKernel>, Error> {
        let form = if step == Step::Prefixes { form } else { Form { exclusive: false, ..form } };
        if let Some(kernel) = self.kernels.borrow().get(&(step, form)) {
            return Ok(Rc::clone(kernel));
        }
        let made = self.context.compute_kernel(source::<T>(step, form, self.groups)?)?;
        let made = Rc::new(made);
        self.kernels.borrow_mut().insert((step, form), Rc::clone(&made));
        Ok(made)
    }

    /// Returns buffers for the totals of this many groups.
    fn room<'a>(
        &self,
        partial: &'a mut Option<Partial<T>>,
        groups: usize,
    ) -> Result<&'a mut Partial<T>, Error> {
        let fits = |partial: &Partial<T>| partial.totals.len() >= groups;
        let kept = partial.take().filter(fits);
        let partial = partial.insert(match kept {
            Some(kept) => kept,
            None => Partial {
                totals: self.context.uninit_buffer(groups)?,
                has_starts: self.context.uninit_buffer(groups)?,
                carry: self.context.uninit_buffer(1)?,
            },
        });
        Ok(partial)
    }
}

impl<'a, T: Number> Panel<'a, T> {
    fn bind(self, dispatch: Dispatch<'a>) -> Dispatch<'a> {
        let shift = self.x.extent().width.trailing_zeros() as i32;
        let dispatch = dispatch.input("x", self.x).uniform("shift", shift);
        let dispatch = dispatch.uniform("texels", self.length.div_ceil(4) as i32);
        let dispatch = dispatch.uniform("tiles", self.division.tiles as i32);
        match self.starts {
            Some(starts) => dispatch.input("starts", starts),
            None => dispatch,
        }
    }

    /// Returns the number of work groups along x, y and z.
    fn number(self) -> [u32; 3] {
        [self.division.groups as u32, 1, 1]
    }
}
