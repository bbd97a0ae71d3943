//! Compares what separates calls of one function in a row: nothing, a flush, a fence, a semaphore,
//! or a new vector for each result. Microseconds of one call of x^50, of 1, 10 and 100 calls, by
//! the device's clock.
//!
//! `cargo bench -p quadrille-benches --bench calls_in_a_row [-- ELEMENTS]`, by default 10^7
//! numbers.
#![allow(clippy::expect_used)] // A bench without a context has nothing to say.
#![allow(clippy::print_stdout)] // Its result.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use quadrille::Context;
use quadrille::gl::Fence;
use quadrille::stream::Clock;
use quadrille_vp::vector_machine::{
    DFunction, DProgram, DVector, Error, Machine, Profile, Semantics,
};

const RUNS: usize = 9;
/// The clocks of a GPU are low until it has been at work for some time.
const WARM_UP: Duration = Duration::from_millis(500);

/// A name of what follows a call, and the call with it.
type Way<'a> = (&'static str, &'a dyn Fn() -> Result<(), Error>);

fn main() {
    let elements = std::env::args().find_map(|text| text.parse().ok()).unwrap_or(10_000_000);
    let context = Context::headless().expect("a context");
    println!("{}", context.abilities().renderer);
    measure(&context, elements).expect("results");
}

fn measure(context: &Context, elements: usize) -> Result<(), Error> {
    let text = include_str!("../crates/vector-machine/programs/exponents.vp");
    let program = DProgram::parse("exponents.vp", text, Profile::Modern)?;
    let function = DFunction::new(&Machine::new(context), &program, Semantics::VToV)?;
    let x = DVector::<f32>::random(elements, 0.5..1.5, 1);
    let y = RefCell::new(DVector::<f32>::zeros(elements));
    let into = || function.apply_into(&[&x], &mut *y.borrow_mut());
    let ways: [Way<'_>; 5] = [
        ("nothing", &into),
        ("a flush", &|| {
            into()?;
            Ok(context.flush()?)
        }),
        ("a fence", &|| {
            into()?;
            Ok(Fence::new(context).map(drop)?)
        }),
        ("a semaphore", &|| function.execute_async(&[&x], &mut *y.borrow_mut()).map(drop)),
        ("a new vector", &|| function.apply::<f32>(&[&x]).map(drop)),
    ];
    let begun = Instant::now();
    while begun.elapsed() < WARM_UP {
        (0..10).try_for_each(|_| into())?;
        context.finish()?;
    }
    for (name, call) in ways {
        for count in [1, 10, 100] {
            let calls = || (0..count).try_for_each(|_| call());
            let time = || Clock::of(context).time(context, calls).map(|((), time)| time / count);
            let mut times = (0..RUNS).map(|_| time()).collect::<Result<Vec<_>, Error>>()?;
            times.sort();
            let us = times[RUNS / 2].as_secs_f64() * 1e6;
            println!("{name:12}  {count:3} calls  {us:8.1} us each");
        }
    }
    Ok(())
}
