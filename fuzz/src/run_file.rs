//! Descriptions of experiments of several passes, parsed and planned.

use std::path::Path;

use super::mutation::mutate;
use super::scratch::{self, Scratch, bounded};
use super::{Choices, Target, Verdicts};
use quadrille::Extent;
use quadrille::data::Field;
use quadrille::gl::Class;
use quadrille_run::RunFile;
use quadrille_run::internal::{Declares, dry};

pub const TARGET: Target = Target { name: "run_file", file, generated };

const WORDS: [&str; 30] = [
    "\n[pass.a]\nshader = \"a.frag\"\n",
    "\n[pass.b]\nshader = \"b.frag\"\n",
    "\n[buffer.c]\nfrom = \"a.y\"\n",
    "\nread.x = \"a.y\"\n",
    "\nread.x = \"x\"\n",
    "\nread = { x = \"c\" }\n",
    "\nsize = \"x / 2\"\n",
    "\nsize = \"a.y * 1.5\"\n",
    "\nsize = [4, 3]\n",
    "\nfirst = [0, 1]\n",
    "\nfirst = \"zeros:3x2x2\"\n",
    "\nchannels = 2\n",
    "\nrepeat = 2\nfeedback.y = \"x\"\n",
    "\nfeedback.\"a.y\" = \"x\"\n",
    "\ninput.x = \"x.npy\"\n",
    "\ninput.x = \"ramp:3x2\"\n",
    "\nuniform.k = [1, 2]\n",
    "\ndefine.N = 3\n",
    "\nprecision.x = \"half\"\n",
    "\nwrap = \"repeat\"\n",
    "\nfilter.x = \"linear\"\n",
    "\nhalo = 1\n",
    "\ndialect = \"shadertoy\"\n",
    "\nflip = true\n",
    "\ngroups = [1, 1, 1]\n",
    "\"",
    "[",
    "]",
    "=",
    ".",
];

/// The largest side of textures.
const LIMIT: u32 = 64;

fn file(bytes: &[u8]) -> Verdicts {
    let mut verdicts = Verdicts::default();
    let text = String::from_utf8_lossy(bytes);
    scratch::with(|scratch| {
        let path = scratch.path("fuzz.run.toml");
        let run = bounded(1000 * text.len() + 65536, || RunFile::parse(&path, &text));
        verdicts.count(&run);
        match run {
            Ok(run) => assert_sound(&run, scratch),
            Err(error) => assert!(says(&error.to_string(), &path), "{error}"),
        }
    });
    verdicts
}

fn says(error: &str, path: &Path) -> bool {
    error.starts_with(&format!("{}:", path.display()))
}

/// Checks that a description can be planned, and that what is planned has an extent.
fn assert_sound(run: &RunFile, scratch: &Scratch) {
    assert!(run.iterate() > 0 && run.shaders().count() > 0);
    let again = run.clone().with(run.settings().clone());
    assert_eq!(again.inputs().count(), run.inputs().count());
    if is_small(run)
        && let Ok(outputs) = planned(run, scratch)
    {
        assert!(!outputs.is_empty());
        assert!(outputs.iter().all(|(name, extent)| name.contains('.') && extent.texels() > 0));
    }
}

/// Whether its arrays take little memory, and are in files that end.
fn is_small(run: &RunFile) -> bool {
    let text = format!("{run:?}");
    let behind = |word: &str, most: f64| {
        text.split(word).skip(1).all(|rest| {
            let end = rest.find([',', ' ', ')', '}']).unwrap_or(rest.len());
            rest[..end].parse().is_ok_and(|number: f64| (1.0 / most..=most).contains(&number))
        })
    };
    let scales = text.matches("Times(").count() + text.matches("Over(").count();
    let stays = ["Stream", "/dev/", "/proc/", ".."].iter().all(|word| !text.contains(word));
    let factors = behind("Times(", 4.0) && behind("Over(", 4.0);
    stays && scales <= 3 && factors && behind("width: ", 64.0) && behind("height: ", 64.0)
}

/// Plans it with shaders that read `x` and write `y`.
fn planned(run: &RunFile, scratch: &Scratch) -> Result<Vec<(String, Extent)>, String> {
    for name in ["a.frag", "b.frag"] {
        scratch
            .file(name, b"uniform sampler2D x; out vec2 y; void main() { y = READ(x, TEXEL).rg; }");
    }
    let x = Field::new(Extent::new(3, 2), 2, vec![0.5_f32; 12]).unwrap();
    quadrille_run::io::field::write(scratch.path("x.npy"), &x, Default::default()).unwrap();
    let declared = Declares {
        samplers: vec![("x".into(), Class::Float)],
        uniforms: Vec::new(),
        outputs: vec![("y".into(), "vec2", 2)],
    };
    let arrays = run.arrays().map_err(|error| error.to_string())?;
    run.steps(&arrays).map_err(|error| error.to_string())?;
    dry(run, run.setup(arrays), &[declared], LIMIT).map_err(|error| error.to_string())
}

/// Passes in a row, each of a size of its own; the first of them reads an input or a buffer.
fn generated(bytes: &[u8]) -> Verdicts {
    let mut choices = Choices::new(bytes);
    let (width, height) = (choices.between(1, 9) as u32, choices.between(1, 9) as u32);
    let size = Extent::new(width, height);
    let iterate = choices.between(1, 100);
    let mut text = format!("size = [{width}, {height}]\niterate = {iterate}\n");
    let passes = choices.between(1, 4);
    let buffer = choices.one_in(2);
    // A buffer is as large as what it holds.
    let mut extents: Vec<Extent> = vec![size];
    if buffer {
        text += &format!("[buffer.x]\nfrom = \"p{}.y\"\nchannels = 2\n", choices.below(passes));
    } else {
        text += "input.x = \"x.npy\"\n";
    }
    for pass in 0..passes {
        text += &format!("[pass.p{pass}]\nshader = \"{}\"\n", choices.pick(&["a.frag", "b.frag"]));
        if pass > 0 {
            text += &format!("read.x = \"p{}.y\"\n", choices.below(pass));
        }
        let by = choices.between(1, 4) as u32;
        let of = choices.below(pass + 1);
        let name = if of == 0 { "size".to_owned() } else { format!("p{}.y", of - 1) };
        let (key, extent) = match choices.below(4) {
            _ if buffer => (String::new(), size),
            0 => (String::new(), size),
            1 => (format!("size = [{by}, 2]\n"), Extent::new(by, 2)),
            2 => {
                let Extent { width, height } = extents[of];
                (
                    format!("size = \"{name}/{by}\"\n"),
                    Extent::new((width / by).max(1), (height / by).max(1)),
                )
            }
            _ => {
                let Extent { width, height } = extents[of];
                (format!("size = \"{name} * 2\"\n"), Extent::new(2 * width, 2 * height))
            }
        };
        text += &key;
        extents.push(extent);
        if choices.one_in(3) {
            text += "define.N = 2\n";
        }
    }
    scratch::with(|scratch| {
        let run = RunFile::parse(scratch.path("valid.run.toml"), &text);
        let run = run.unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!((run.iterate(), run.shaders().count()), (iterate as u64, passes), "{text}");
        let outputs = planned(&run, scratch);
        // A side of 9 that is doubled thrice is larger than a texture, and computed in panels only
        // where what is read is so too.
        let large = extents.iter().any(|extent| extent.width.max(extent.height) > LIMIT);
        match outputs {
            Ok(outputs) => {
                let planned: Vec<Extent> = outputs.iter().map(|(_, extent)| *extent).collect();
                assert_eq!(planned, extents[1..], "{text}");
            }
            Err(error) => assert!(large, "{error}\n{text}"),
        }
    });
    let mut text = text.into_bytes();
    mutate(&mut text, &mut choices, &WORDS);
    file(&text)
}
