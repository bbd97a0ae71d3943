//! Some random experiments by the command, each beside an interpreter: most are in
//! `tests/device/run/random`, in one process.

use std::fmt::Write;

use quadrille_run::io::field;

use crate::cases::number::Array;
use crate::cases::run::{FRACTION, Run};
use crate::cases::twin::compute;
use crate::cases::{Choices, bytes};
use crate::runner::Folder;

/// The outputs of the command, by pass and output, when it is run once, or ended after some steps
/// and resumed.
fn computed(run: &Run) -> Vec<Vec<Array>> {
    let folder = Folder::new();
    run.write(&folder);
    let mut arguments = String::from("run a.run.toml");
    let mut names = Vec::new();
    for (pass, described) in run.passes.iter().enumerate() {
        names.push(Vec::new());
        for output in 0..described.outputs.len() {
            let (name, file) = (format!("p{pass}.o{output}"), format!("out-{pass}-{output}.npy"));
            let _ = write!(arguments, " --output {name}={file}");
            names[pass].push(file);
        }
    }
    if let Some(saved) = run.saved {
        folder
            .run(&format!("{arguments} --iterate {saved} --checkpoint state --checkpoint-every 1"))
            .ended(0);
        arguments += &format!(" --iterate {} --resume state", run.steps);
    }
    folder.run(&arguments).ended(0);
    let read = |file: &String| {
        let (field, _) = field::read(folder.file(file)).unwrap();
        Array::of(&field)
    };
    names.iter().map(|files| files.iter().map(read).collect()).collect()
}

#[test]
fn random_run_files_compute_what_the_interpreter_does() {
    for seed in 1..=12 {
        let run = Run::new(&mut Choices::new(&bytes(seed)), None);
        let expected = compute(&run, FRACTION, None);
        let difference = expected.difference(&computed(&run));
        assert_eq!(difference, None, "seed {seed}:\n{}", run.text());
    }
}
