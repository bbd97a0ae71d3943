//! `quadrille run --view` where there can be no window, or no sense in one.

use crate::runner::Folder;

const RUN: &str = "run double.frag --input x=ramp:3x2 --view";

fn folder() -> Folder {
    let folder = Folder::new();
    let text = "uniform sampler2D x; out float y; void main() { y = 2.0 * READ(x, TEXEL).r; }";
    folder.write("double.frag", text);
    folder
}

#[cfg(not(feature = "window"))]
#[test]
fn a_build_without_windows_says_how_to_get_one() {
    let run = folder().run(RUN).ended(2);
    run.says("--view");
    run.says("cargo install --locked --path crates/cli --features window");
}

/// A description's inputs are inputs like those of the options.
#[test]
fn a_sequence_that_a_description_reads_is_refused_in_a_window() {
    let folder = folder();
    folder.run("run double.frag --input x=ramp:3x2 --output y=x-1.npy").ended(0);
    folder.write("all.run.toml", "input.x = 'x-%d.npy'\n[pass.double]\nshader = 'double.frag'");
    for flag in ["--view", "--time"] {
        let run = folder.run(&format!("run all.run.toml {flag}")).ended(2);
        run.says(&format!("input `x`, x-%d.npy, is a sequence of frames, which {flag} does not"));
    }
    let run = folder.run("run all.run.toml --output double.y=x-%d.npy").ended(2);
    run.says("would write the files that input `x` reads, x-%d.npy");
}

/// The device is the display's, and frames are not steps to be timed.
#[test]
fn a_device_and_timing_do_not_go_with_a_window() {
    for other in ["--device llvmpipe", "--time"] {
        let run = folder().run(&format!("{RUN} {other}")).ended(2);
        run.says("--view");
        run.says(other.split(' ').next().unwrap());
        run.says("cannot be used");
    }
}
