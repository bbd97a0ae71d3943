//! `quadrille test --device all`: a table of distances, and what explains them.

use super::folder;

const ROOT: &str = "uniform sampler2D x;
out float y;
void main() { y = log2(1.0 - 1.0e-5 * READ(x, TEXEL).r); }
";

/// Near 1 llvmpipe's log2 is off by a million ULP (`quadrille card`), softpipe's by two.
#[test]
fn devices_that_differ_are_compared_and_explained() {
    let folder = folder(&[("a", "[expect.y]\nequals = \"y.npy\"\nulp = 100\n")]);
    folder.write("halve.frag", ROOT);
    folder.run("test --bless").ended(0);
    let run = folder.run("test --device all").ended(1);
    assert!(run.out.contains("fail     a  (softpipe, gl)"), "{}", run.out);
    let explained = run.out.lines().find(|line| line.starts_with("a: log2(a), near 1: off by "));
    let explained = explained.unwrap_or_else(|| panic!("{}", run.out));
    assert!(
        explained.contains("ULP on llvmpipe") && explained.contains("ULP on softpipe"),
        "{explained}"
    );
    let table: Vec<&str> = run
        .out
        .lines()
        .skip_while(|line| !line.starts_with("largest distance  llvmpipe"))
        .collect();
    assert!(
        table[1].starts_with(&format!("{:<18}0 ", "a")) && table[1].contains("  fail, "),
        "{}",
        run.out
    );
    let json = folder.run("test --device all --json --report page").ended(1).json();
    let page = std::fs::read_to_string(folder.file("page/index.html")).unwrap();
    assert!(page.contains("<li>a: log2(a), near 1: off by "), "{page}");
    let first = &json["explanations"][0];
    assert_eq!((&first["name"], &first["operation"]), (&"a".into(), &"log2(a)".into()));
    assert_eq!(json["tests"].as_array().unwrap().len(), 2);
}
