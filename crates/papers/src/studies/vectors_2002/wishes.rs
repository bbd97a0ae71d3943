//! The eight wishes of section 6: what answers each today, and where this report, or which command,
//! measures that.

mod compiler;

use super::super::prelude::*;

/// A request of the paper, the answer of OpenGL and of quadrille, and the study that measures it.
type Wish = (&'static str, &'static str, &'static str);

const MEASURED_ELSEWHERE: [Wish; 7] = [
    (
        "a faster memory interface",
        "Faster buses, and pixel buffers, from which a driver may fetch: on hardware quadrille sends large data through \
         mapped ones. Data is sent once and stays on the device for all functions that need it.",
        "table 5; GPUBench's transfers",
    ),
    (
        "DMA from the card to main memory",
        "Readback into a pixel buffer, with a fence that signals its end: Texture::read_async, Readback::wait, and \
         execute_async with its DSemaphore. The host works meanwhile.",
        "vectors-2002-9; GPUBench's transfers",
    ),
    (
        "operating system management of video memory",
        "Drivers page video memory and protect the memory of each process. quadrille's Memory keeps the copies of \
         vectors within a budget: the least recently used are evicted first, after a readback if the host has no copy, \
         and are sent again when a function needs them.",
        "table 4: a call with upload and readback, and a repeated one",
    ),
    (
        "better control over arithmetic precision",
        "Float textures as targets, transform feedback straight to memory, and `precise` where the context has it, which \
         keeps a compiler from fusing or reordering. EXP and LOG of the modern profile are within a unit in the last \
         place; the period's are there to compare.",
        "vectors-2002-15, -35, -36; the accuracy card",
    ),
    (
        "logical Boolean operations",
        "Integers and all bitwise operations in shaders, and integer textures: 128 Booleans in a texel. quadrille's \
         search of many candidates for models of formulas keeps each Boolean of a candidate in a bit.",
        "quadrille bench sat",
    ),
    (
        "state that is preserved across invocations",
        "Results stay on the device and are the next function's input: textures that take turns (stream::PingPong), \
         transform feedback (engine feedback), storage buffers in compute shaders. A program's own vectors stay on the \
         device unless the host reads them.",
        "table 4: a repeated call; the iterations of the paper \"jacobi\"",
    ),
    (
        "finding a value and its index",
        "Machine::find: a pass compares, further ones fold the first match of each 8 x 8 texels, and one position is \
         read back.",
        "not timed; tests compare the index with the host's",
    ),
];

const COMPILER: (&str, &str) = (
    "a compiler",
    "The driver compiles GLSL, with loops, branches and functions of one's own: DFunction::from_glsl makes a function of \
     it, with the registers' names. Assembly is translated to GLSL, a line an instruction, and the same compiler optimises \
     that.",
);

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part> {
    let (wish, answer) = COMPILER;
    let Some(compiler) = compiler::compared(lab)? else { return Ok(Part::default()) };
    let measured = MEASURED_ELSEWHERE.map(|(wish, answer, place)| (wish, answer, place.into()));
    let rows: Vec<_> = measured.into_iter().chain([(wish, answer, compiler)]).collect();
    let columns = vec![
        only_text("the paper asks for", "", |(wish, ..): &(&str, &str, String)| (*wish).into()),
        only_text("the answer today", "", |(_, answer, _)| (*answer).into()),
        only_text("measured", "", |(.., measured)| measured.as_str().into()),
    ];
    let title = "What the hardware of 2002 lacked, section 6";
    let table = Rows { columns, rows: &rows }.table(
        "vectors-2002-wishes",
        title,
        ["Claims of the same section are among the statements."],
        alone("vectors-wishes"),
    );
    Ok(Part { tables: vec![table], ..Part::default() })
}
