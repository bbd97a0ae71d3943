//! Tests of shaders by their descriptions: what passes, what fails and why.

use quadrille::Context;
use quadrille_run::testing::{Error, Ran, TestFile, Verdict, run};

use crate::common::each;
use crate::files::Folder;

const HALVE: &str = "uniform sampler2D x;
uniform float factor;
out float y;
void main() { y = factor * READ(x, TEXEL).r; }
";

const COUNT: &str = "out ivec2 n;
void main() { n = ivec2(TEXEL.x, 10 * TEXEL.y); }
";

/// A folder with shaders and the description of one test.
fn folder(text: &str) -> Folder {
    let folder = Folder::new();
    folder.write("halve.frag", HALVE);
    folder.write("other.frag", HALVE.replace("factor *", "(0.5 + 0.0 * factor) *"));
    folder.write("count.frag", COUNT);
    folder.write("broken.frag", "out float y;\nvoid main() { y = z; }\n");
    folder.write("a.test.toml", text);
    folder
}

fn ran(context: &Context, text: &str) -> Result<Ran, Error> {
    let folder = folder(text);
    run(context, &TestFile::read(folder.file("a.test.toml")).unwrap())
}

/// The verdict about the shader that multiplies by a factor, three times.
fn verdict(context: &Context, expect: &str) -> Verdict {
    let text = "shader = \"halve.frag\"\ninput.x = \"ramp:3x2\"\nuniform.factor = 0.5\nvary = [\"reads\"]\n";
    ran(context, &format!("{text}{expect}")).unwrap_or_else(|error| panic!("{error}")).verdict
}

#[track_caller]
fn fails(verdict: Verdict, part: &str) {
    match verdict {
        Verdict::Fail(reasons) => {
            let said = reasons.join("\n");
            assert!(said.contains(part), "expected `{part}` in: {said}");
        }
        other => panic!("expected a failure with `{part}`, got {other:?}"),
    }
}

#[test]
fn what_is_as_expected_passes_and_one_wrong_number_fails() {
    each(|context| {
        let rows = "[[0, 0.25, 0.5], [0, 0.25, 0.5]]";
        for right in [
            format!("values = {rows}\nexact = true"),
            "values = [[0.25]]\nat = [1, 1, 1, 1]\nulp = 1".into(),
            "twin = \"other.frag\"\nulp = 1".into(),
            "finite = true".into(),
            "inside = [0, 0.5]".into(),
            "all = 0.25\nabsolute = 0.25".into(),
            "all = 0.25\nexact = true\noutliers = 4".into(),
        ] {
            assert_eq!(verdict(context, &format!("[expect.y]\n{right}")), Verdict::Pass, "{right}");
        }
        let moved = "values = [[0, 0.25, 0.5], [0, 0.26, 0.5]]\nulp = 4";
        let worst = "`values`: 1 of 6 texels miss (within 4 ULP)\nthe worst is at column 1 of row 1, channel 0: \
                     expected 0.26, got 0.25";
        fails(verdict(context, &format!("[expect.y]\n{moved}")), worst);
        fails(verdict(context, "[expect.y]\ninside = [0, 0.4]"), "2 of 6 texels miss");
        fails(verdict(context, "[expect.y]\nall = 0.25\nexact = true\noutliers = 3"), "4 of 6");
    });
}

#[test]
fn what_cannot_be_compared_is_wrong_in_the_description() {
    let context = Context::headless().unwrap();
    for (expect, says) in [
        ("values = [[1, 2]]\nulp = 1", "output `y`, `values`: expected 2 x 1 with one channel"),
        ("all = [0, 0]\nulp = 1", "`all`: expected 3 x 2 with 2 channels a texel, got 3 x 2"),
        ("finite = true\nat = [2, 0, 2, 1]", "`at`: 2 x 1 texels at (2, 0)"),
        ("all = 1\nulp = 1\nat = [2, 0, 2, 1]", "is not inside the output of 3 x 2"),
        ("twin = \"count.frag\"\nulp = 1", "`twin`, file "),
    ] {
        let start = "shader = \"halve.frag\"\ninput.x = \"ramp:3x2\"\nuniform.factor = 1\n";
        let error = ran(&context, &format!("{start}[expect.y]\n{expect}")).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("a.test.toml:4:9: ") && error.contains(says), "{expect}: {error}");
    }
}

/// A twin may do without inputs and uniforms of the shader, and not the shader itself.
#[test]
fn a_twin_needs_not_all_that_the_shader_has() {
    let twin = |factor: &str, more: &str| {
        let text = format!(
            "shader = \"halve.frag\"\ninput.x = \"ramp:3x2\"\nuniform.factor = {factor}\n{more}\n\
             feedback.y = \"x\"\niterate = 2\n[expect.y]\ntwin = \"ramp.frag\"\nulp = 1"
        );
        let folder = folder(&text);
        folder.write("ramp.frag", "out float y;\nvoid main() { y = 0.125 * float(TEXEL.x); }");
        let context = Context::headless().unwrap();
        run(&context, &TestFile::read(folder.file("a.test.toml")).unwrap())
    };
    assert_eq!(twin("0.5", "").unwrap().verdict, Verdict::Pass);
    fails(twin("0.25", "").unwrap().verdict, "4 of 6 texels miss");
    let error = twin("0.5", "uniform.tint = 1").unwrap_err().to_string();
    assert!(error.contains("tint"), "{error}");
}

#[test]
fn another_shader_is_no_twin() {
    each(|context| {
        let text = "shader = \"halve.frag\"\ninput.x = \"random:5x3\"\nuniform.factor = 0.75\n\
                    [expect.y]\ntwin = \"other.frag\"\nulp = 4";
        fails(ran(context, text).unwrap().verdict, "15 of 15 texels miss");
    });
}

#[test]
fn integers_are_exact_unless_told_and_floats_need_a_tolerance() {
    each(|context| {
        let of = |expect: &str| {
            let text = format!("shader = \"count.frag\"\nsize = [2, 2]\n[expect.n]\n{expect}");
            ran(context, &text)
        };
        let right = "values = [[[0, 0], [1, 0]], [[0, 10], [1, 10]]]";
        assert_eq!(of(right).unwrap().verdict, Verdict::Pass);
        fails(
            of(&right.replace("1, 10", "1, 11")).unwrap().verdict,
            "1 of 4 texels miss (exactly)",
        );
        let error = of(&format!("{right}\nulp = 1")).unwrap_err().to_string();
        assert!(
            error.contains("a.test.toml:3:9: output `n`, `ulp`: a tolerance in ULP"),
            "{error}"
        );
        let error = of("all = [0.5, 0]").unwrap_err().to_string();
        assert!(error.contains("expected integers, as the output has"), "{error}");
        let text = "shader = \"halve.frag\"\ninput.x = \"ramp:3x2\"\nuniform.factor = 1\n[expect.y]\nall = 1";
        let error = ran(context, text).unwrap_err().to_string();
        assert!(
            error.contains("a.test.toml:4:9: output `y` has floats and no tolerance"),
            "{error}"
        );
    });
}

#[test]
fn a_result_that_depends_on_the_target_is_seen() {
    each(|context| {
        let of = |name: &str, text: &str| {
            let test = format!(
                "shader = \"{name}\"\nsize = [3, 2]\nvary = [\"size\"]\n[expect.y]\nfinite = true"
            );
            let folder = folder(&test);
            folder.write(name, text);
            run(context, &TestFile::read(folder.file("a.test.toml")).unwrap()).unwrap().verdict
        };
        let plain = "out float y;\nvoid main() { y = float(TEXEL.x); }";
        assert_eq!(of("plain.frag", plain), Verdict::Pass);
        let relative = "in vec2 at;\nout float y;\nvoid main() { y = at.x; }";
        fails(of("relative.frag", relative), "differs on a larger target");
    });
}

#[test]
fn a_shader_that_does_not_compile_fails_unless_that_is_expected() {
    each(|context| {
        let of = |shader: &str, message: &str| {
            let expect =
                format!("shader = \"{shader}\"\nsize = [1, 1]\nexpect.error = \"{message}\"");
            ran(context, &expect).unwrap().verdict
        };
        assert_eq!(of("broken.frag", "broken.frag:2"), Verdict::Pass);
        fails(of("broken.frag", "no such words"), "expected a message with `no such words`");
        fails(of("count.frag", "z"), "compiles, but a message with `z` was expected");
        let plain = "shader = \"broken.frag\"\nsize = [1, 1]\n[expect.y]\nfinite = true";
        fails(ran(context, plain).unwrap().verdict, "broken.frag:2");
    });
}

#[test]
fn what_the_device_lacks_skips() {
    let context = Context::headless().unwrap();
    for (needs, reason) in [
        ("hardware = true", "software"),
        ("max_texture_size = 4000000000", "at most"),
        ("device = [\"none\", \"such\"]", "none of: none, such"),
    ] {
        let verdict = verdict(&context, &format!("[expect.y]\nfinite = true\n[require]\n{needs}"));
        match verdict {
            Verdict::Skip(said) => assert!(said.contains(reason), "{said}"),
            other => assert!(!context.abilities().software, "{needs}: {other:?}"),
        }
    }
    let needs = "[expect.y]\nfinite = true\n[require]\nmax_texture_size = 8";
    assert_eq!(verdict(&context, needs), Verdict::Pass);
}

#[test]
fn what_does_not_fit_the_shader_is_wrong_in_the_description() {
    let context = Context::headless().unwrap();
    let says = |text: &str| ran(&context, text).unwrap_err().to_string();
    let start = "shader = \"halve.frag\"\ninput.x = \"ramp:3x2\"\nuniform.factor = 1\n";
    let expect = "[expect.y]\nfinite = true";
    let no_output = says(&format!("{start}[expect.z]\nfinite = true"));
    assert!(
        no_output.contains("a.test.toml:4:9: the shader has no output `z`; it has: y"),
        "{no_output}"
    );
    assert!(says(&format!("{start}uniform.tint = 1\n{expect}")).contains("tint"));
    assert!(says(&format!("{start}iterate = 2\n{expect}")).contains("would compute the same"));
    assert!(
        says(&format!(
            "{start}{}",
            expect.replace("finite = true", "equals = \"halve.frag\"\nulp = 1")
        ))
        .contains(".npy")
    );
}
