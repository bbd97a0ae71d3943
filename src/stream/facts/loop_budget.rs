//! The loop budget of a device: the number of iterations that all loops of one invocation may make
//! together.
//!
//! llvmpipe of Mesa 22.3 ends every loop of an invocation once 65535 iterations have been made in all,
//! nested, successive and in called functions, and reports no error: the result is a wrong number.
//! That of 25.0 and 26.2, softpipe and hardware have no such limit. No version or extension reveals it, so it is measured
//! by running a loop.

use crate::Extent;
use crate::gl::Context;
use crate::shader::Reads;

use super::probe;
use crate::stream::Result;

impl Context {
    /// The iterations that [`loop_budget`](Context::loop_budget) tries on a device. One that makes
    /// all of them counts as a device without a budget.
    pub const PROBED_ITERATIONS: u32 = 1 << 18;

    /// Returns the most iterations that all loops of one invocation may make together on this
    /// device, or `None` where a loop of 2^18 iterations ran to its end. It is measured at the
    /// first call.
    ///
    /// Beyond its budget a device ends loops early and reports nothing. Invocations in one SIMD
    /// register share a count, so loops whose lengths differ between neighbours may use it up
    /// sooner.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    ///
    /// ```
    /// let context = quadrille::Context::headless()?;
    /// match context.loop_budget()? {
    ///     Some(budget) => println!("loops end after {budget} iterations of an invocation"),
    ///     None => println!("loops run to their end"),
    /// }
    /// # Ok::<(), quadrille::stream::Error>(())
    /// ```
    pub fn loop_budget(&self) -> Result<Option<u32>> {
        if let Some(known) = self.known_loop_budget().get() {
            return Ok(*known);
        }
        let found = measure(self)?;
        Ok(*self.known_loop_budget().get_or_init(|| found))
    }
}

/// Every device makes this number of iterations, so fewer are no reason to measure its budget.
const UNASKED: u64 = 4096;

impl Context {
    /// Returns the most iterations that a shader should make in an invocation that needs `wanted`:
    /// half of the [budget](Context::loop_budget), since drivers count differently. `None` if there
    /// is no limit, or if `wanted` is so small that every device makes them.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn most_iterations(&self, wanted: u64) -> Result<Option<u32>> {
        if wanted <= UNASKED {
            return Ok(None);
        }
        Ok(self.loop_budget()?.map(|budget| budget / 2))
    }
}

fn measure(context: &Context) -> Result<Option<u32>> {
    let kernel = probe(context, "probe/loop.frag", Reads::Fetch)?;
    let mut made = context.uninit::<u32>(Extent::new(1, 1))?;
    kernel.pass().uniform("iterations", Context::PROBED_ITERATIONS as i32).draw(&mut made)?;
    let made = made.read()?.into_iter().next().unwrap_or(0);
    Ok((made < Context::PROBED_ITERATIONS).then_some(made))
}
