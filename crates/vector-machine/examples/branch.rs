//! A branch, as in 2002: two functions, and the host looks at the vector between them.
//!
//! Newton's iteration for square roots goes on until no element changes any more; which of the two
//! functions runs next depends on what the first one gave.
//!
//! `cargo run --release -p quadrille-vp --example branch`

use quadrille::Context;
use quadrille::testing::Comparison;
use quadrille_vp::vector_machine::{DFunction, DProgram, DVector, Machine, Profile, Semantics};

/// r := (r + a / r) / 2, with a in v[1] and r in v[2].
const STEP: &str = "
    RCP R0.x, v[2].x;  RCP R0.y, v[2].y;  RCP R0.z, v[2].z;  RCP R0.w, v[2].w;
    MUL R0, v[1], R0;
    ADD R0, R0, v[2];
    MUL o[1], R0, c[0];";

/// How far r * r is from a, as a part of a: 0 where that is no more than rounding explains.
const FAR: &str = "
    MOV R1, v[2];
    MAD R0, -R1, R1, v[1];
    MAX R0, R0, -R0;
    MUL R2, v[1], c[1];
    SLT o[1], R2, R0;";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let machine = Machine::new(&Context::headless()?);
    let function = |name, text| {
        let program = DProgram::parse(name, text, Profile::Modern)?;
        Ok::<_, Box<dyn std::error::Error>>(DFunction::new(&machine, &program, Semantics::VvToV)?)
    };
    let (mut step, mut far) = (function("step.vp", STEP)?, function("far.vp", FAR)?);
    step.set_constant(0, 0.5)?;
    far.set_constant(1, 4.0 * f32::EPSILON)?;

    let a = DVector::<f32>::random(1000, 1.0..1000.0, 42);
    let mut root = DVector::from_slice(&[30.0_f32; 1000]);
    let mut steps = 0;
    // The branch: does any element have a 1? The device finds it and says where.
    while let Some(index) = machine.find(&far.apply::<f32>(&[&a, &root])?, 1.0)? {
        if steps == 0 {
            println!("element {index} is the first that is not a root yet");
        }
        root = step.apply(&[&a, &root])?;
        steps += 1;
        assert!(steps < 50, "Newton's iteration converges");
    }
    let exact = a.read()?.iter().map(|a| f64::from(*a).sqrt());
    let comparison =
        Comparison::of(root.read()?.iter().copied(), exact.map(|root| (root, 1e-6 * root)));
    let error = comparison.max_error;
    println!("1000 square roots after {steps} steps; largest error {error:.1e}");
    assert!(comparison.is_right(), "each is within a millionth of the square root");
    Ok(())
}
