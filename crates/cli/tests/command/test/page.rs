//! The page of `quadrille test --report`.

use super::{Folder, RIGHT, folder};
use crate::runner::path;

/// The page of the tests of a folder that has failures.
fn page_of(folder: &Folder) -> String {
    folder.run("test --report out/page").ended(1);
    std::fs::read_to_string(folder.file("out/page/index.html")).unwrap()
}

#[test]
fn a_page_shows_what_was_expected_and_what_came() {
    let folder = folder(&[("a", RIGHT), ("b", &RIGHT.replace("0.25", "0.26"))]);
    let page = page_of(&folder);
    for title in ["expected", "actual", "actual - expected"] {
        let image = format!(
            "<img class=\"enlarged\" alt=\"{title}\" width=\"256\" height=\"85\" src=\"data:image/png;base64,iVBOR"
        );
        assert_eq!(page.matches(&image).count(), 2, "{title}");
    }
    for text in [
        "<span class=\"outcome bad\">fail</span>",
        "<code>quadrille test b.test.toml --api gl</code>",
        "<td>equal</td><td class=\"number\">3</td>",
        "<td>262144 to 524287 ULP</td><td class=\"number\">1</td>",
        "1 of 3 texels miss (exactly)",
        "<p>1 of 3 are not 0</p>",
    ] {
        assert!(page.contains(text), "no `{text}` in: {page}");
    }
    assert!(!page.contains("http"), "it needs nothing else");
    assert_eq!(std::fs::read_dir(folder.file("out/page")).unwrap().count(), 1);
}

const COLOUR: &str = "out vec4 colour;
void main() { colour = vec4(1.0, 0.5, 0.0, gl_FragCoord.x < 1.0 ? 1.0 : 0.5); }
";

const BOTH: &str = "shader = \"colour.frag\"
size = [2, 1]
[[expect.colour]]
inside = [0, 1]
[[expect.colour]]
all = [1.0, 0.5, 0.0, 1.0]
exact = true
";

#[test]
fn the_page_shows_a_colour_in_colour_and_what_failed_first() {
    let folder = Folder::new();
    folder.write("colour.frag", COLOUR);
    folder.write("colour.test.toml", BOTH);
    let page = page_of(&folder);
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("no `{text}` in: {page}"));
    let wrong = at("<code>all</code> <span class=\"outcome bad\">not as expected</span>");
    let right = at("<code>inside</code> <span class=\"outcome good\">as expected</span>");
    assert!(wrong < right, "what failed comes first");
    assert_eq!(page.matches("<p>colours; alpha is not drawn</p>").count(), 3);
    assert_eq!(page.matches("width=\"256\" height=\"128\"").count(), 4, "all of one size");
    at("<td>0.1 to 1</td><td class=\"number\">1</td>");
    at("<p>the largest of the channels; 1 of 2 are not 0</p>");
}

#[test]
fn numbers_outside_of_a_range_are_shown_where_they_are() {
    let folder = folder(&[("a", "[expect.y]\ninside = [0.1, 1]\n")]);
    let page = page_of(&folder);
    for text in ["alt=\"outside 0.1 to 1\"", "<span>-0.1</span><span>0</span><span>+0.1</span>"] {
        assert!(page.contains(text), "no `{text}` in: {page}");
    }
}

#[test]
fn a_failure_names_the_page() {
    let folder = folder(&[("a", RIGHT), ("b", &RIGHT.replace("0.25", "0.26"))]);
    let help = "help: --report DIR writes a page with pictures of what was expected";
    let run = folder.run("test").ended(1);
    assert!(run.out.contains(help), "{}", run.out);
    let run = folder.run("test --report out").ended(1);
    let there = format!("\n{} shows what was expected and what came\n", path("out/index.html"));
    assert!(run.out.contains(&there) && !run.out.contains(help), "{}", run.out);
    let run = folder.run("test a.test.toml").ended(0);
    assert!(!run.out.contains("--report"), "{}", run.out);
}
