//! Every shader of functions, to be checked as a set.

use quadrille::shader::Source;

use super::super::{DProgram, Machine, Processor, Profile, Result, Semantics};
use super::body::Body;
use super::kernels::{Key, ResultForm};
use crate::vector_machine::scalar::blend::Adder;

/// Returns every shader of functions: each way of reading and giving, around one program that uses
/// all that a program can.
pub(in super::super) fn sources() -> Result<Vec<Source>> {
    let text = "ARL A0.x, v[1].x; EXP R0, v[1].x; LOG R1, v[1].y; LIT R2, v[1]; RCC R3, v[1].z; \
                DST R4, R0, R1; DPH R5, R2, R3; MAD R0, R4, c[A0.x + 2], R5; RSQ R1, R0.x; \
                SGE R2, R0, -R1; MAX o[1], R2, c[7];";
    let mut sources = Adder::sources()?.to_vec();
    for profile in Profile::ALL {
        let program = DProgram::parse("all.vp", text, profile)?;
        for semantics in Semantics::ALL {
            let body = Body::assembly(&Machine::simulator(), &program, semantics)?;
            for key in Key::all(semantics) {
                for engine in Processor::ALL {
                    // Points alone are blended.
                    if key.form == ResultForm::Sum && !engine.draws_points() {
                        continue;
                    }
                    let shaders = key.shaders(engine, semantics)?.into_vec();
                    sources.extend(shaders.into_iter().map(|shader| body.complete(shader)));
                }
            }
        }
    }
    Ok(sources)
}
