//! The gallery and variants of the library's own shaders, tested by descriptions.

use std::fmt::Write;

use crate::common::is_thorough;
use crate::runner::{Folder, path, root};

#[test]
fn the_gallery_is_as_expected() {
    let folder = Folder::new();
    let gallery = root().join("crates/run/gallery");
    let run = folder.run(&format!("test {} --json", gallery.display())).ended(0);
    let json = run.json();
    let names: Vec<&str> = json["tests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|test| test["name"].as_str().unwrap())
        .collect();
    for entry in std::fs::read_dir(&gallery).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_some_and(|ending| ending == "frag") {
            let stem = file.file_stem().unwrap().to_str().unwrap();
            let name = path(&format!("/{stem}"));
            assert!(names.iter().any(|known| known.ends_with(&name)), "{stem} has no test");
        }
    }
}

/// The folder that docs/test.md tells people to copy.
#[test]
fn the_starter_is_as_expected_and_sees_a_wrong_shader() {
    let folder = Folder::new();
    std::fs::create_dir(folder.file("shaders")).unwrap();
    let starter = root().join("docs/starter/shaders");
    for name in ["linear_light.frag", "linear_light.test.toml"] {
        std::fs::copy(starter.join(name), folder.file("shaders").join(name)).unwrap();
    }
    let run = folder.run("test shaders --api all").ended(0);
    assert!(run.out.contains("2 passed on"), "{}", run.out);
    let shader = std::fs::read_to_string(starter.join("linear_light.frag")).unwrap();
    for (right, wrong) in [("12.92", "12.93"), ("2.4", "2.41"), ("0.04045", "0.0")] {
        assert!(shader.contains(right), "{shader}");
        folder.write("shaders/linear_light.frag", shader.replace(right, wrong));
        folder.run("test shaders").ended(1);
    }
}

/// A variant of a shader, and a plain one that computes the same in another way.
struct Variant {
    name: String,
    shader: &'static str,
    setup: String,
    output: &'static str,
    twin: String,
    rule: &'static str,
}

impl Variant {
    fn write(&self, folder: &Folder) {
        let Variant { name, shader, setup, output, twin, rule } = self;
        let glsl = root().join("glsl");
        let vary = if is_thorough() { "vary = [\"reads\"]\napi = [\"gl\", \"gles\"]" } else { "" };
        folder.write(&format!("{name}.twin.frag"), twin);
        let text = format!(
            "shader = \"{0}/{shader}\"\ninclude = [\"{0}\"]\n{vary}\n{setup}\n\
             [expect.{output}]\ntwin = \"{name}.twin.frag\"\n{rule}\n",
            glsl.display()
        );
        folder.write(&format!("{name}.test.toml"), text);
    }
}

/// Twelve numbers from 0 to 1, or products of two, are added in another order: at most 11 roundings
/// of at most 12.
const SUM_OF_12: &str = "absolute = 1e-5";
/// The tolerance of a sum of 128 numbers.
const SUM_OF_128: &str = "absolute = 1e-3";
/// Seven products: at most 13 roundings of at most 7.
const SUM_OF_7_PRODUCTS: &str = "absolute = 6e-6";

/// The fold of every texel that is a stride from another one.
fn folds(map: &str, combine: &str, number: &str, wide: (u32, u32), ragged: bool) -> Variant {
    let (second, mapped) = match map {
        "PRODUCT" => (true, "READ(x, p) * READ(y, p)"),
        "MAGNITUDE" => (false, "abs(READ(x, p))"),
        "SQUARE" => (false, "READ(x, p) * READ(x, p)"),
        _ => (false, "READ(x, p)"),
    };
    let (combined, rule) = match combine {
        "SUM" => ("total + next", SUM_OF_12),
        "MIN" => ("min(total, next)", "exact = true"),
        _ => ("max(total, next)", "exact = true"),
    };
    let kept = match number {
        "FLOAT" => "vec4(total.x, 0.0, 0.0, 0.0)",
        "VEC2" => "vec4(total.xy, 0.0, 0.0)",
        _ => "total",
    };
    let mut setup = format!(
        "size = [6, 3]\nuniform.stride = [6, 3]\ndefine.FOLD_X = 4\ndefine.FOLD_Y = 3\ndefine.MAP_{map} = 1\n\
         define.COMBINE_{combine} = 1\ndefine.NUMBER_{number} = 1\ninput.x = \"random:{0}x{1}x4\"\n",
        wide.0, wide.1
    );
    if second {
        writeln!(setup, "input.y = \"random:{}x{}x4\"", wide.0, wide.1).unwrap();
    }
    if ragged {
        setup += "define.RAGGED = 1\n";
    }
    let sampler = if second { "uniform sampler2D y;" } else { "" };
    let twin = format!(
        "uniform sampler2D x;\n{sampler}\nuniform vec2 stride;\nout vec4 folded;
void main() {{
    ivec2 size = textureSize(x, 0);
    vec4 total = vec4(0.0);
    bool begun = false;
    for (int i = TEXEL.x; i < size.x; i += int(stride.x)) {{
        for (int j = TEXEL.y; j < size.y; j += int(stride.y)) {{
            ivec2 p = ivec2(i, j);
            vec4 next = {mapped};
            total = begun ? {combined} : next;
            begun = true;
        }}
    }}
    folded = {kept};
}}"
    );
    let ragged = if ragged { "_ragged" } else { "" };
    let name = format!("fold_{map}_{combine}_{number}{ragged}");
    Variant { name, shader: "reduce/fold.frag", setup, output: "folded", twin, rule }
}

/// The fold of two rows of 64 texels that are beside each other.
fn rows(combine: &str, combined: &str, rule: &'static str) -> Variant {
    let setup = format!(
        "size = [2, 3]\ndefine.MAP_SAME = 1\ndefine.COMBINE_{combine} = 1\ndefine.NUMBER_VEC4 = 1\n\
         input.x = \"random:128x6x4\"\n"
    );
    let twin = format!(
        "uniform sampler2D x;\nout vec4 folded;
void main() {{
    ivec2 first = TEXEL * ivec2(64, 2);
    vec4 total = READ(x, first);
    for (int i = 1; i < 128; i++) {{
        vec4 next = READ(x, first + ivec2(i / 2, i % 2));
        total = {combined};
    }}
    folded = total;
}}"
    );
    let name = format!("rows_{combine}");
    Variant { name, shader: "reduce/fold_rows.frag", setup, output: "folded", twin, rule }
}

/// Cells of a matrix of 7 columns and 5 rows: the elements of each lane as steps to the right and
/// down.
fn packs(down: u32, across: u32, transposed: bool) -> Variant {
    let cells = (7_u32.div_ceil(across), 5_u32.div_ceil(down));
    let (width, height) = if transposed { (cells.1, cells.0) } else { cells };
    let mut setup = format!(
        "size = [{width}, {height}]\ndefine.NUMBER = \"float\"\ndefine.SAMPLER = \"sampler2D\"\n\
         define.DOWN = {down}\ndefine.ACROSS = {across}\ninput.matrix = \"random:7x5\"\n"
    );
    if transposed {
        setup += "define.TRANSPOSED = 1\n";
    }
    let cell = if transposed { "ivec2(TEXEL.y, TEXEL.x)" } else { "TEXEL" };
    let lanes = down * across;
    let parts: Vec<String> = (0..lanes)
        .map(|lane| {
            format!(
                "at({cell} * ivec2({across}, {down}) + ivec2({}, {}))",
                lane % across,
                lane / across
            )
        })
        .collect();
    let (output, kind) = if lanes == 1 { ("element", "float") } else { ("cell", "vec4") };
    let twin = format!(
        "uniform sampler2D matrix;\nout {kind} {output};
float at(ivec2 p) {{ return p.x < 7 && p.y < 5 ? READ_CLAMPED(matrix, p).r : 0.0; }}
void main() {{ {output} = {kind}({}); }}",
        parts.join(", ")
    );
    let name = format!("pack_{down}x{across}_{transposed}");
    Variant { name, shader: "matmul/pack.frag", setup, output, twin, rule: "exact = true" }
}

/// A product of 3 x 7 and 7 x 4 elements.
fn multiplies(a_transposed: bool, b_transposed: bool, unroll: u32) -> Variant {
    let (a, read_a) =
        if a_transposed { ("3x7", "ivec2(TEXEL.y, k)") } else { ("7x3", "ivec2(k, TEXEL.y)") };
    let (b, read_b) =
        if b_transposed { ("7x4", "ivec2(k, TEXEL.x)") } else { ("4x7", "ivec2(TEXEL.x, k)") };
    let mut setup = format!(
        "size = [4, 3]\nuniform.first = 0\nuniform.last = 7\ndefine.NUMBER = \"float\"\n\
         define.SAMPLER = \"sampler2D\"\ndefine.UNROLL = {unroll}\ninput.a = \"random:{a}\"\n\
         input.b = \"random:{b}\"\ninput.partial = \"zeros:4x3\"\n"
    );
    for (transposed, name) in [(a_transposed, "A"), (b_transposed, "B")] {
        if transposed {
            writeln!(setup, "define.{name}_TRANSPOSED = 1").unwrap();
        }
    }
    let twin = format!(
        "uniform sampler2D a;\nuniform sampler2D b;\nuniform sampler2D partial;\nuniform int first;
uniform int last;\nout float element;
void main() {{
    element = 0.0;
    for (int k = 6; k >= 0; k--) {{ element += READ(a, {read_a}).r * READ(b, {read_b}).r; }}
}}"
    );
    let name = format!("multiply_{a_transposed}_{b_transposed}_{unroll}");
    let rule = SUM_OF_7_PRODUCTS;
    Variant { name, shader: "matmul/element.frag", setup, output: "element", twin, rule }
}

fn variants() -> Vec<Variant> {
    let mut all = Vec::new();
    let numbers: &[&str] = if is_thorough() { &["FLOAT", "VEC2", "VEC4"] } else { &["VEC4"] };
    for number in numbers {
        for map in ["SAME", "MAGNITUDE", "SQUARE", "PRODUCT"] {
            all.extend(
                ["SUM", "MIN", "MAX"].map(|combine| folds(map, combine, number, (24, 9), false)),
            );
        }
        all.push(folds("SAME", "SUM", number, (23, 8), true));
        all.push(folds("SAME", "MAX", number, (23, 8), true));
    }
    all.push(rows("SUM", "total + next", SUM_OF_128));
    all.push(rows("MIN", "min(total, next)", "exact = true"));
    all.push(rows("MAX", "max(total, next)", "exact = true"));
    for (down, across) in [(1, 1), (4, 1), (1, 4), (2, 2)] {
        all.extend([false, true].map(|transposed| packs(down, across, transposed)));
    }
    for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
        all.extend([1, 4].map(|unroll| multiplies(a, b, unroll)));
    }
    all
}

#[test]
fn variants_of_our_shaders_compute_what_plain_ones_do() {
    let folder = Folder::new();
    let variants = variants();
    assert!(variants.len() >= 30);
    variants.iter().for_each(|variant| variant.write(&folder));
    let run = folder.run("test --allow-outside").ended(0);
    let apis = if is_thorough() { 2 } else { 1 };
    assert!(run.out.contains(&format!("{} passed on", apis * variants.len())), "{}", run.out);
}

/// A twin that leaves a term out, or takes another element, is seen.
#[test]
fn variants_with_another_result_fail() {
    let folder = Folder::new();
    let planted = [
        (folds("SQUARE", "SUM", "VEC4", (24, 9), false), "bool begun = false", "bool begun = true"),
        (folds("SAME", "MAX", "VEC4", (23, 8), true), "i < size.x", "i < size.x - 1"),
        (packs(2, 2, true), "ivec2(1, 0)", "ivec2(0, 0)"),
        (multiplies(true, false, 4), "k >= 0", "k >= 1"),
        (rows("SUM", "total + next", SUM_OF_128), "i < 128", "i < 127"),
    ];
    let mut expected = Vec::new();
    for (mut variant, right, wrong) in planted {
        assert!(variant.twin.contains(right), "{}", variant.twin);
        variant.twin = variant.twin.replace(right, wrong);
        if right.contains("begun") {
            variant.twin =
                variant.twin.replace("vec4 total = vec4(0.0)", "vec4 total = vec4(0.01)");
        }
        variant.write(&folder);
        expected.push(format!("fail     {}", variant.name));
    }
    let run = folder.run("test --allow-outside").ended(1);
    for line in expected {
        assert!(run.out.contains(&line), "no `{line}` in: {}", run.out);
    }
}
