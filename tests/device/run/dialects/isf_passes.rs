//! ISF shaders of several passes, against plain loops in double precision.

use super::*;

/// A header with these inputs and passes, and what each pass computes.
fn shader(inputs: &str, passes: &str, body: &str) -> String {
    format!(
        "/*{{\n  \"ISFVSN\": \"2\",\n  \"INPUTS\": [{inputs}],\n  \"PASSES\": [{passes}]\n}}*/\nvoid main() {{ {body} }}"
    )
}

const IMAGE: &str = r#"{ "NAME": "inputImage", "TYPE": "image" }"#;

/// A field as one row of texels after the other, from y = 0 on as the shader has it.
fn from_bottom(field: &Field) -> Vec<[f64; 4]> {
    let Extent { width, height } = field.extent();
    let at = |index: u32| (i64::from(index % width), i64::from(index / width));
    (0..width * height).map(at).map(|(x, y)| texel(field, x, y, true)).collect()
}

#[track_caller]
fn holds(experiment: &Experiment, output: &str, tolerance: f64, wanted: &[[f64; 4]], width: u32) {
    let extent = experiment.read(output).unwrap().extent();
    assert_eq!(extent, Extent::new(width, wanted.len() as u32 / width), "{output}");
    is(experiment, output, tolerance, &|x, y| wanted[y as usize * width as usize + x as usize]);
}

fn mixed(a: [f64; 4], b: [f64; 4], part: f64) -> [f64; 4] {
    std::array::from_fn(|c| a[c] * (1.0 - part) + b[c] * part)
}

/// A trail: a buffer mixes what it was with the input, and the picture shows it in a tint.
#[test]
fn a_buffer_keeps_what_it_held_in_the_frame_before() {
    let amount = r#", { "NAME": "amount", "TYPE": "float", "DEFAULT": 0.75 }"#;
    let two = r#"{ "TARGET": "trail", "PERSISTENT": true, "FLOAT": true }, {}"#;
    let body = "if (PASSINDEX == 0) gl_FragColor = mix(IMG_THIS_PIXEL(inputImage), IMG_THIS_PIXEL(trail), amount);
        else { vec4 t = IMG_NORM_PIXEL(trail, isf_FragNormCoord); gl_FragColor = t.bgra * 0.5; }";
    let text = shader(&format!("{IMAGE}{amount}"), two, body);
    // Two products and two sums each step, of numbers up to 1.
    let bound = |steps: f64| 4.0 * steps * ROUNDING;
    each(|context| {
        let image = picture(EXTENT, 4, 31);
        for amount in [0.75, 0.25] {
            let mut setup = nearest().input("inputImage", image.clone());
            if amount != 0.75 {
                setup = setup.uniform("amount", amount.to_string());
            }
            let mut experiment = made(context, Dialect::Isf, &text, setup);
            let fresh = from_bottom(&image);
            let mut trail = vec![[0.0; 4]; fresh.len()];
            for step in 1..=5 {
                experiment.step().unwrap();
                for (old, new) in trail.iter_mut().zip(&fresh) {
                    *old = mixed(*new, *old, amount);
                }
                let shown: Vec<_> =
                    trail.iter().map(|[r, g, b, a]| [b * 0.5, g * 0.5, r * 0.5, a * 0.5]).collect();
                holds(&experiment, "trail.colour", bound(step.into()), &trail, 13);
                holds(&experiment, "colour", bound(step.into()), &shown, 13);
            }
            experiment.restart().unwrap();
            experiment.step().unwrap();
            let first: Vec<_> = fresh.iter().map(|new| mixed(*new, [0.0; 4], amount)).collect();
            holds(&experiment, "trail.colour", bound(1.0), &first, 13);
        }
    });
}

/// The picture is what the last pass writes where all have targets; the older form has a list of
/// buffers, or a table.
#[test]
fn one_pass_may_be_its_own_buffer() {
    let body = "gl_FragColor = mix(IMG_THIS_PIXEL(inputImage), IMG_THIS_PIXEL(kept), 0.5);";
    let new = r#"{ "TARGET": "kept", "PERSISTENT": true, "FLOAT": true }"#;
    let old = |buffers: &str| {
        let text = shader(IMAGE, r#"{ "TARGET": "kept", "FLOAT": true }"#, body);
        text.replace("\"PASSES\"", &format!("\"PERSISTENT_BUFFERS\": {buffers},\n  \"PASSES\""))
    };
    // Some authors write the keys of a pass in small letters.
    let small = new.replace("PERSISTENT", "persistent");
    let texts = [
        shader(IMAGE, new, body),
        shader(IMAGE, &small, body),
        old("[\"kept\"]"),
        old(r#"{ "kept": { "WIDTH": "$WIDTH" } }"#),
    ];
    each(|context| {
        let image = picture(EXTENT, 4, 32);
        let fresh = from_bottom(&image);
        for text in &texts {
            let setup = || nearest().input("inputImage", image.clone());
            let mut experiment = made(context, Dialect::Isf, text, setup());
            experiment.advance(3, &mut ()).unwrap();
            let wanted = |first: f64| -> Vec<[f64; 4]> {
                fresh.iter().map(|new| mixed(*new, [first; 4], 0.125)).collect()
            };
            holds(&experiment, "colour", 12.0 * ROUNDING, &wanted(0.0), 13);
            assert_eq!(experiment.outputs().len(), 1);
            // What a buffer holds at first can be given by its name.
            let first = Field::new(EXTENT, 4, vec![1.0_f32; 13 * 7 * 4]).unwrap();
            let mut begun = made(context, Dialect::Isf, text, setup().input("kept", first));
            begun.advance(3, &mut ()).unwrap();
            holds(&begun, "colour", 12.0 * ROUNDING, &wanted(1.0), 13);
        }
    });
}

const BLUR: &str = r#"{ "TARGET": "rows", "WIDTH": "floor($WIDTH / 2.0)", "FLOAT": true },
    { "TARGET": "both", "WIDTH": "floor($WIDTH / 2.0)", "HEIGHT": "max(1.0, floor($HEIGHT*0.5))", "FLOAT": true },
    { "DESCRIPTION": "full size" }"#;

/// The mean of texels 2x and 2x + 1 along rows, then along columns, and the result at the full size
/// again, where the size of each target is told by RENDERSIZE.
#[test]
fn a_separable_blur_through_targets_of_half_the_size() {
    let body = "vec2 p = floor(gl_FragCoord.xy);
        if (PASSINDEX == 0) {
            vec4 left = IMG_PIXEL(inputImage, vec2(2.0 * p.x + 0.5, p.y + 0.5));
            vec4 right = IMG_PIXEL(inputImage, vec2(2.0 * p.x + 1.5, p.y + 0.5));
            gl_FragColor = vec4((0.5 * (left + right)).rgb, RENDERSIZE.x + 100.0 * RENDERSIZE.y);
        } else if (PASSINDEX == 1) {
            vec4 low = IMG_PIXEL(rows, vec2(p.x + 0.5, 2.0 * p.y + 0.5));
            vec4 high = IMG_PIXEL(rows, vec2(p.x + 0.5, 2.0 * p.y + 1.5));
            gl_FragColor = vec4((0.5 * (low + high)).rgb, low.a + RENDERSIZE.x / 10.0 + 10.0 * RENDERSIZE.y);
        } else {
            vec4 half_size = IMG_PIXEL(both, min(floor(p / 2.0), IMG_SIZE(both) - 1.0) + 0.5);
            gl_FragColor = half_size + vec4(0.0, 0.0, 0.0, RENDERSIZE.x / 1000.0);
        }";
    let text = shader(IMAGE, BLUR, body);
    each(|context| {
        for (width, height) in [(13, 7), (2, 1), (16, 9)] {
            let image = picture(Extent::new(width, height), 4, 33);
            let (w, h) = (width / 2, (height / 2).max(1));
            let setup = nearest().input("inputImage", image.clone());
            let mut experiment = made(context, Dialect::Isf, &text, setup);
            experiment.step().unwrap();
            let source = |x: u32, y: u32| texel(&image, x.into(), y.into(), true);
            let code = |w: u32, h: u32| f64::from(w) + 100.0 * f64::from(h);
            let row = |x: u32, y: u32| {
                let [a, b] = [source(2 * x, y), source(2 * x + 1, y)];
                let mean: [f64; 4] = std::array::from_fn(|c| 0.5 * (a[c] + b[c]));
                [mean[0], mean[1], mean[2], code(w, height)]
            };
            let both = |x: u32, y: u32| {
                let [a, b] = [row(x, (2 * y).min(height - 1)), row(x, (2 * y + 1).min(height - 1))];
                let mean: [f64; 4] = std::array::from_fn(|c| 0.5 * (a[c] + b[c]));
                [mean[0], mean[1], mean[2], a[3] + f64::from(w) / 10.0 + 10.0 * f64::from(h)]
            };
            let full = |x: u32, y: u32| {
                let half = both((x / 2).min(w - 1), (y / 2).min(h - 1));
                [half[0], half[1], half[2], half[3] + f64::from(width) / 1000.0]
            };
            let all = |w: u32, h: u32, of: &dyn Fn(u32, u32) -> [f64; 4]| -> Vec<[f64; 4]> {
                (0..w * h).map(|index| of(index % w, index / w)).collect()
            };
            holds(&experiment, "rows.colour", 4.0 * ROUNDING, &all(w, height, &row), w);
            holds(&experiment, "both.colour", 8.0 * ROUNDING, &all(w, h, &both), w);
            holds(&experiment, "colour", 8.0 * ROUNDING, &all(width, height, &full), width);
        }
    });
}

/// A pass reads what an earlier one writes in this frame, and of itself and later ones what they
/// wrote in the frame before.
#[test]
fn a_buffer_is_read_as_it_is_when_a_pass_begins() {
    let passes = r#"{ "TARGET": "a", "PERSISTENT": true, "FLOAT": true },
        { "TARGET": "b", "PERSISTENT": true, "FLOAT": true }, {}"#;
    let body = "vec4 a_now = IMG_THIS_PIXEL(a), b_now = IMG_THIS_PIXEL(b);
        if (PASSINDEX == 0) gl_FragColor = a_now + 2.0 * b_now + 1.0;
        else if (PASSINDEX == 1) gl_FragColor = 0.5 * a_now + 0.25 * b_now;
        else gl_FragColor = vec4(a_now.r, b_now.r, float(PASSINDEX), float(FRAMEINDEX));";
    let text = shader("", passes, body);
    each(|context| {
        let mut experiment = made(context, Dialect::Isf, &text, nearest().extent(EXTENT));
        let (mut a, mut b) = (0.0, 0.0);
        for step in 0..6 {
            experiment.step().unwrap();
            a += 2.0 * b + 1.0;
            b = 0.5 * a + 0.25 * b;
            // All of them are short sums of powers of two.
            is(&experiment, "a.colour", 0.0, &|_, _| [a; 4]);
            is(&experiment, "b.colour", 0.0, &|_, _| [b; 4]);
            is(&experiment, "colour", 0.0, &|_, _| [a, b, 2.0, f64::from(step)]);
        }
    });
}

/// Some declare what the host declares, for an editor.
#[test]
fn the_number_of_the_pass_is_told_to_who_declares_it() {
    let passes = r#"{ "TARGET": "a", "PERSISTENT": true, "FLOAT": true }, {}"#;
    let body = "gl_FragColor = PASSINDEX == 0 ? vec4(3.0) : IMG_THIS_PIXEL(a) + float(PASSINDEX);";
    let text = shader("", passes, body).replace("void main", "uniform int PASSINDEX;\nvoid main");
    each(|context| {
        let mut experiment = made(context, Dialect::Isf, &text, nearest().extent(EXTENT));
        experiment.advance(2, &mut ()).unwrap();
        is(&experiment, "a.colour", 0.0, &|_, _| [3.0; 4]);
        is(&experiment, "colour", 0.0, &|_, _| [4.0; 4]);
    });
}

#[test]
fn a_target_without_floats_holds_0_to_1() {
    let passes = r#"{ "TARGET": "bytes" }, { "TARGET": "floats", "FLOAT": 1 }, {}"#;
    let body = "vec2 wide = 3.0 * isf_FragNormCoord - 1.0;
        if (PASSINDEX < 2) gl_FragColor = vec4(wide, -0.5, 1.5);
        else gl_FragColor = IMG_THIS_PIXEL(bytes) + 8.0 * IMG_THIS_PIXEL(floats);";
    let text = shader("", passes, body);
    each(|context| {
        let mut experiment = made(context, Dialect::Isf, &text, nearest().extent(EXTENT));
        experiment.step().unwrap();
        let wide = |x: f64, y: f64| [3.0 * x / 13.0 - 1.0, 3.0 * y / 7.0 - 1.0, -0.5, 1.5];
        let bytes = |x: f64, y: f64| wide(x, y).map(|number| number.clamp(0.0, 1.0));
        is(&experiment, "bytes.colour", 8.0 * ROUNDING, &bytes);
        is(&experiment, "floats.colour", 8.0 * ROUNDING, &wide);
        is(&experiment, "colour", 64.0 * ROUNDING, &|x, y| {
            let (bytes, wide) = (bytes(x, y), wide(x, y));
            std::array::from_fn(|c| bytes[c] + 8.0 * wide[c])
        });
    });
}

/// One texel for each of a number of particles, whose number is an input.
#[test]
fn sizes_follow_from_inputs() {
    let count = r#"{ "NAME": "count", "TYPE": "float", "DEFAULT": 0.7, "MIN": 0.0 }, { "NAME": "tall", "TYPE": "bool" }"#;
    let passes = r#"{ "TARGET": "all", "WIDTH": "10 * $count", "HEIGHT": "1 + $tall * 2" }, {}"#;
    let text = shader(
        count,
        passes,
        "gl_FragColor = PASSINDEX == 1 ? vec4(IMG_SIZE(all), RENDERSIZE) : vec4(0.0);",
    );
    each(|context| {
        let setup = |tall: &str| nearest().extent(EXTENT).uniform("tall", tall);
        for (setup, width, height) in [
            (setup("false"), 7, 1),
            (setup("true"), 7, 3),
            (setup("true").value("count", 1.5_f32), 15, 3),
            // A target is at least one texel.
            (setup("false").value("count", 0.01_f32), 1, 1),
        ] {
            let mut experiment = made(context, Dialect::Isf, &text, setup);
            experiment.step().unwrap();
            let extent = experiment.read("all.colour").unwrap().extent();
            assert_eq!(extent, Extent::new(width, height));
            let [w, h] = [f64::from(width), f64::from(height)];
            is(&experiment, "colour", 0.0, &|_, _| [w, h, 13.0, 7.0]);
            experiment.set("tall", if height == 3 { "true" } else { "false" }).unwrap();
            let error = experiment.set("count", "2").unwrap_err().to_string();
            assert!(
                error.contains("uniform `count`") && error.contains("another experiment"),
                "{error}"
            );
        }
    });
}

/// Mistakes that only the run shows, at the line of the header that has to change.
#[test]
fn mistakes_of_passes_stand_in_the_header() {
    let refused = |context: &Context, text: &str, setup: Setup| {
        let source = pasted(text);
        match Experiment::new(context, &source, setup) {
            Ok(_) => panic!("runs: {text}"),
            Err(error) => (error.place().cloned(), error.to_string()),
        }
    };
    let read = "gl_FragColor = PASSINDEX == 0 ? IMG_THIS_PIXEL(later) : vec4(1.0);";
    let own = "gl_FragColor = IMG_THIS_PIXEL(later);";
    let none = "gl_FragColor = vec4(1.0);";
    let at = |side: &str| format!(r#"{{ "TARGET": "later", "WIDTH": {side} }}, {{}}"#);
    let first = r#"{ "TARGET": "first" }, { "TARGET": "later" }, {}"#;
    by_turns(
        [
            (
                first.to_owned(),
                read,
                "\"later\"",
                &["pass 0", "`later`", "only pass 1 writes", "\"PERSISTENT\": true"][..],
            ),
            (
                r#"{ "TARGET": "later" }"#.into(),
                own,
                "\"later\"",
                &["pass 0", "which it writes itself"],
            ),
            (
                at("-3"),
                none,
                "@",
                &["`later.WIDTH`", "expected 1 to ", "got -3", "max(1, floor($WIDTH / 8))"],
            ),
            (at("\"0.5 - $WIDTH\""), none, "@", &["got -12.5"]),
            (at("\"1 / ($WIDTH - 13)\""), none, "@", &["got inf"]),
            (at("\"sqrt(0 - $WIDTH)\""), none, "@", &["got NaN"]),
            (at("1000000"), none, "@", &["expected 1 to ", "got 1000000"]),
        ],
        |context, (passes, body, at, parts)| {
            let text = shader("", passes, body);
            let line = text.lines().nth(3).unwrap();
            let behind = ["\"WIDTH\": \"", "\"WIDTH\": "]
                .iter()
                .find_map(|key| Some(line.find(key)? + key.len()));
            let column = line.find(at).or(behind).unwrap() + 1;
            let (place, shown) = refused(context, &text, nearest().extent(EXTENT));
            let place = place.unwrap_or_else(|| panic!("no place: {shown}"));
            let got = (place.file.as_str(), place.line, place.column);
            assert_eq!(got, ("pasted.frag", Some(4), Some(column)), "{shown}");
            for part in *parts {
                assert!(shown.contains(part), "{part} in {shown}");
            }
        },
    );
    each(|context| {
        let limit = context.abilities().max_texture_size;
        let text = shader("", &at(&(limit + 1).to_string()), none);
        let (_, shown) = refused(context, &text, nearest().extent(EXTENT));
        assert!(shown.contains(&format!("expected 1 to {limit}")), "{shown}");
        // A target that is in no pass is a name that is not declared.
        let text = shader("", first, "gl_FragColor = IMG_THIS_PIXEL(other);");
        let (place, shown) = refused(context, &text, nearest().extent(EXTENT));
        assert_eq!(place.and_then(|place| place.line), Some(6), "{shown}");
        assert!(shown.contains("other"), "{shown}");
        let text = shader(r#"{ "NAME": "n", "TYPE": "float" }"#, &at("\"$n\""), none);
        let (_, shown) = refused(context, &text, nearest().extent(EXTENT));
        assert!(shown.contains("not given: float n"), "{shown}");
        let (_, shown) = refused(context, &text, nearest().extent(EXTENT).uniform("n", "many"));
        assert!(shown.contains("`n`") && shown.contains("many"), "{shown}");
        let text = shader("", first, none);
        let (_, shown) = refused(context, &text, nearest());
        assert!(shown.contains("size"), "{shown}");
        let setup = nearest().extent(EXTENT).uniform("PASSINDEX", "1");
        let (_, shown) = refused(context, &text, setup);
        assert!(shown.contains("pasted.frag has no uniform `PASSINDEX`"), "{shown}");
        let text = shader("", first, "o = vec4(1.0);").replace("void", "out vec4 o;\nvoid");
        let (_, shown) = refused(context, &text, nearest().extent(EXTENT));
        let told = "gl_FragColor: expected that in place of an output of its own, `o`";
        assert!(shown.contains(told), "{shown}");
    });
}

/// Pictures and targets are filtered, as the hosts of the format do; a texel at its centre is that
/// texel.
#[test]
fn what_a_pass_reads_is_filtered_and_ends_at_its_edge() {
    let passes = r#"{ "TARGET": "small", "WIDTH": 5, "HEIGHT": 3, "FLOAT": true }, {}"#;
    let body = "vec2 p = isf_FragNormCoord * 1.25 - 0.125;
        if (PASSINDEX == 0) gl_FragColor = IMG_NORM_PIXEL(inputImage, p);
        else if (gl_FragCoord.x < 6.0) gl_FragColor = IMG_NORM_PIXEL(small, p);
        else if (gl_FragCoord.x < 9.0) gl_FragColor = IMG_THIS_PIXEL(small);
        else gl_FragColor = IMG_PIXEL(inputImage, gl_FragCoord.xy) - IMG_THIS_PIXEL(inputImage);";
    // Also where an author's names are those of functions.
    let text = shader(IMAGE, passes, body).replace("inputImage", "texture");
    each(|context| {
        let image = picture(EXTENT, 4, 34);
        let setup = Setup::new().input("texture", image.clone());
        if !context.abilities().float_filtering {
            let error = Experiment::new(context, &Source::fragment("pasted.frag", &text), setup);
            let error = error.err().unwrap().to_string();
            assert!(error.contains("texture") && error.contains("nearest"), "{error}");
            return;
        }
        let mut experiment = made(context, Dialect::Isf, &text, setup);
        experiment.step().unwrap();
        let wide = |x: f64, y: f64, width: f64, height: f64| {
            (x / width * 1.25 - 0.125, y / height * 1.25 - 0.125)
        };
        is(&experiment, "small.colour", FILTERED, &|x, y| {
            let (u, v) = wide(x, y, 5.0, 3.0);
            linear(&image, u, v, true)
        });
        let small = experiment.read("small.colour").unwrap();
        is(&experiment, "colour", FILTERED, &|x, y| {
            let (u, v) = wide(x, y, 13.0, 7.0);
            match x {
                x if x < 6.0 => linear(&small, u, v, true),
                x if x < 9.0 => linear(&small, x / 13.0, y / 7.0, true),
                _ => [0.0; 4],
            }
        });
        let exact = experiment.read("colour").unwrap();
        for row in floats(&exact).chunks(13 * 4) {
            assert_eq!(row[9 * 4..], [0.0; 4 * 4], "centres of texels");
        }
    });
}

/// One word samples a target as a pass reads it, whether of this step or of the one before.
#[test]
fn a_target_is_sampled_as_is_asked_of_its_name() {
    let passes =
        r#"{ "TARGET": "kept", "PERSISTENT": true, "FLOAT": true, "WIDTH": 2, "HEIGHT": 1 }, {}"#;
    let body = "vec4 beyond = IMG_NORM_PIXEL(kept, vec2(1.25, 0.5));
        gl_FragColor = PASSINDEX == 0 ? vec4(gl_FragCoord.x, beyond.x, 0.0, 1.0) : beyond;";
    let text = shader("", passes, body);
    each(|context| {
        for (wrap, wanted) in [(Wrap::Clamp, 1.5), (Wrap::Repeat, 0.5)] {
            let sampling = Sampling { filter: Filter::Nearest, wrap };
            let setup = Setup::new().extent(EXTENT).sampling("kept", sampling);
            let mut experiment = made(context, Dialect::Isf, &text, setup);
            experiment.advance(2, &mut ()).unwrap();
            is(&experiment, "colour", 0.0, &|_, _| [wanted, wanted, 0.0, 1.0]);
        }
    });
}

/// Several rounds of one rule within a frame, each in the buffer that the last left.
#[test]
fn passes_may_share_a_target() {
    let shared = r#"{ "TARGET": "a", "PERSISTENT": true, "WIDTH": "$WIDTH - 2" }, { "TARGET": "a", "FLOAT": true }, { "TARGET": "a" }"#;
    let body = "vec4 before = IMG_THIS_PIXEL(a);
        if (PASSINDEX < 3) gl_FragColor = 2.0 * before + float(PASSINDEX + 1);
        else gl_FragColor = before + RENDERSIZE.x;";
    each(|context| {
        for (picture, outputs) in [
            (true, &["a.0.colour", "a.1.colour", "a.colour", "colour"][..]),
            (false, &["a.0.colour", "a.1.colour", "colour"]),
        ] {
            let passes = if picture { format!("{shared}, {{}}") } else { shared.to_owned() };
            let text = shader("", &passes, body);
            let mut experiment = made(context, Dialect::Isf, &text, nearest().extent(EXTENT));
            let mut a = 0.0;
            for _ in 0..4 {
                experiment.step().unwrap();
                let rounds: Vec<f64> = (1..=3)
                    .map(|pass| {
                        a = 2.0 * a + f64::from(pass);
                        a
                    })
                    .collect();
                let names: Vec<&str> =
                    experiment.outputs().iter().map(|output| output.name()).collect();
                assert_eq!(names, outputs);
                for (output, wanted) in outputs.iter().zip(rounds) {
                    is(&experiment, output, 0.0, &|_, _| [wanted; 4]);
                    assert_eq!(experiment.read(output).unwrap().extent(), Extent::new(11, 7));
                }
                if picture {
                    is(&experiment, "colour", 0.0, &|_, _| [a + 13.0; 4]);
                }
            }
            let discards = text.replace("else gl", "else if (PASSINDEX == 9) discard; else gl");
            let error = Experiment::new(
                context,
                &Source::fragment("pasted.frag", discards),
                nearest().extent(EXTENT),
            );
            let error = error.err().unwrap().to_string();
            assert!(
                error.starts_with("pasted.frag:4:")
                    && error.contains("pass 1")
                    && error.contains("discard"),
                "{error}"
            );
        }
    });
}
