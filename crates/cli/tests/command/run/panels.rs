//! Arrays larger than a texture, from the command and from files.

use super::*;

/// More than a texture of llvmpipe has along an axis.
const LENGTH: usize = 40_001;

const DIFFUSE: &str = "uniform sampler2D x;
out float y;
void main() {
    y = 0.5 * READ(x, TEXEL).r
        + 0.25 * (READ_CLAMPED(x, TEXEL - ivec2(1, 0)).r + READ_CLAMPED(x, TEXEL + ivec2(1, 0)).r);
}
";

/// A line of numbers of which each step is exact, and its diffusion.
fn line(folder: &Folder) -> Vec<f32> {
    folder.write("diffuse.frag", DIFFUSE);
    let x: Vec<f32> = (0..LENGTH).map(|i| (i * 7919 % 1024) as f32).collect();
    folder.write("x.npy", npy("<f4", false, &format!("({LENGTH},)"), &singles(&x)));
    x
}

fn diffused(x: &[f32]) -> Vec<f32> {
    let at = |i: usize| x[i.min(x.len() - 1)];
    let next = |i: usize| 0.5 * at(i) + 0.25 * (at(i.saturating_sub(1)) + at(i + 1));
    (0..x.len()).map(next).collect()
}

#[test]
fn a_line_larger_than_a_texture_is_computed_in_panels() {
    let folder = folder();
    let mut x = line(&folder);
    let command = "run diffuse.frag --input x=x.npy --feedback y=x --iterate 4 --output y=y.npy";
    let line = format!("{command} --halo 1 --save-test far --json");
    let run = folder.run(&line).ended(0);
    for _ in 0..4 {
        x = diffused(&x);
    }
    assert_eq!(floats(&folder, "y.npy"), (vec![LENGTH], x));
    // A GPU may have larger textures.
    let panels = run.json()["panels"].as_u64().unwrap();
    let saved = std::fs::read_to_string(folder.file("far.test.toml")).unwrap();
    assert!(saved.contains("\nhalo = 1\n"), "{saved}");
    folder.run("test far.test.toml").ended(0);
    if panels > 1 {
        let run = folder.run(&format!("{command} --halo 1")).ended(0);
        assert!(run.out.contains(&format!("in {panels} panels")), "{}", run.out);
        let parts = [
            "diffuse.frag: arrays of 40001 x 1 are computed in panels",
            "With a halo of 0, 4 of the cells read what their panels do not store",
            "Give a halo of 1",
            "help: --halo CELLS says how far",
        ];
        refused(&folder, &command.replace("run ", "").replace("y.npy", "z.npy"), &parts);
    }
}

#[test]
fn a_run_file_has_a_halo_and_the_command_goes_before_it() {
    let folder = folder();
    let mut x = line(&folder);
    let file = |halo: &str| {
        format!(
            "{halo}iterate = 2\n[buffer.x]\nfirst = \"x.npy\"\nfrom = \"two.y\"\n[pass.one]\nshader = \"diffuse.frag\"\n\
             [pass.two]\nshader = \"diffuse.frag\"\nread.x = \"one.y\"\n"
        )
    };
    folder.write("line.run.toml", file("halo = 1\n"));
    folder.run("run line.run.toml --output two.y=y.npy").ended(0);
    for _ in 0..4 {
        x = diffused(&x);
    }
    assert_eq!(floats(&folder, "y.npy").1, x);
    folder.write("none.run.toml", file(""));
    folder.run("run none.run.toml --halo 2 --output two.y=z.npy").ended(0);
    assert_eq!(floats(&folder, "z.npy").1, x);
}
