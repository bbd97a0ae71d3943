//! Descriptions of shader tests.

use super::mutation::mutate;
use super::scratch::bounded;
use super::{Choices, Target, Verdicts};
use quadrille_run::testing::TestFile;
use quadrille_run::testing::file::Claim;

pub const TARGET: Target = Target { name: "shader_test", file, generated };

const WORDS: [&str; 16] = [
    "\n[expect.y]\n",
    "\n[[expect.y]]\n",
    "\nexact = true\n",
    "\nulp = 4\n",
    "\nall = 0.5\n",
    "values = [[1, 2], [3, 4]]",
    "device.\"a\".finite = true\n",
    "[known.\"b\"]\nreason = \"c\"\n",
    "inside = [0, 1]",
    "nan",
    "inf",
    "0x7f",
    "\"",
    "[",
    "]",
    "=",
];

fn file(bytes: &[u8]) -> Verdicts {
    let mut verdicts = Verdicts::default();
    let text = String::from_utf8_lossy(bytes);
    let test = bounded(1000 * text.len() + 65536, || TestFile::parse("fuzz.test.toml", &text));
    verdicts.count(&test);
    match test {
        Ok(test) => assert_sound(&test),
        Err(error) => assert!(error.to_string().starts_with("fuzz.test.toml:"), "{error}"),
    }
    verdicts
}

fn generated(bytes: &[u8]) -> Verdicts {
    let mut choices = Choices::new(bytes);
    let (iterate, seed) = (choices.between(1, 1000), choices.below(1 << 16));
    let mut text = format!("shader = \"a.frag\"\niterate = {iterate}\nseed = {seed}\n");
    let uniforms = choices.below(4);
    for index in 0..uniforms {
        let value =
            choices.pick(&["1", "-2.5e3", "true", "[1, 2.5]", "[[1, 0], [0, 1]]", "\"0x10\""]);
        text += &format!("uniform.u{index} = {value}\n");
    }
    let expectations = choices.below(4);
    for _ in 0..expectations {
        text += "[[expect.y]]\n";
        text += choices.pick(&[
            "finite = true\n",
            "inside = [-1, 1.5]\n",
            "all = [0, 1]\nulp = 3\n",
            "values = [1, 2, 3]\nexact = true\n",
            "equals = \"y.npy\"\nabsolute = 1e-3\nrelative = 0.5\noutliers = 2\n",
            "twin = \"b.frag\"\nexact = true\ndevice.\"x\".ulp = 9\nnan = \"forbid\"\n",
        ]);
    }
    let test = TestFile::parse("valid.test.toml", &text).unwrap();
    assert_eq!(
        (test.settings.iterate, test.settings.seed),
        (Some(iterate as u64), Some(seed as u64))
    );
    assert_eq!((test.settings.uniforms.len(), test.expectations.len()), (uniforms, expectations));
    let mut text = text.into_bytes();
    mutate(&mut text, &mut choices, &WORDS);
    file(&text)
}

/// Checks that a description can be computed with.
fn assert_sound(test: &TestFile) {
    assert!(test.settings.iterate != Some(0) && !test.timeout.is_zero() && !test.apis.is_empty());
    for expectation in &test.expectations {
        let part = expectation.on("any device");
        match part.claim {
            None => panic!("an expectation of nothing"),
            Some(Claim::Inside(low, high)) => assert!(low <= high),
            Some(Claim::Values(literal) | Claim::All(literal)) => {
                let (extent, channels) = literal.shape();
                assert!(extent.texels() > 0 && (1..=4).contains(&channels));
            }
            Some(_) => {}
        }
        assert!(expectation.at.is_none_or(|at| at.texels() > 0));
    }
}
