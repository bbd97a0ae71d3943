//! The page of `quadrille test --report`.

use super::{RIGHT, folder};

#[test]
fn a_page_shows_what_was_expected_and_what_came() {
    let folder = folder(&[("a", RIGHT), ("b", &RIGHT.replace("0.25", "0.26"))]);
    folder.run("test --report out/page").ended(1);
    let page = std::fs::read_to_string(folder.file("out/page/index.html")).unwrap();
    for title in ["expected", "actual", "actual - expected"] {
        let image = format!("<img alt=\"{title}\" src=\"data:image/png;base64,iVBOR");
        assert_eq!(page.matches(&image).count(), 2, "{title}");
    }
    for text in [
        "<span class=\"outcome bad\">fail</span>",
        "<code>quadrille test b.test.toml --api gl</code>",
        "<td>equal</td><td class=\"number\">3</td>",
        "<td>262144 to 524287 ULP</td><td class=\"number\">1</td>",
        "1 of 3 texels miss (exactly)",
    ] {
        assert!(page.contains(text), "no `{text}` in: {page}");
    }
    assert!(!page.contains("http"), "it needs nothing else");
    assert_eq!(std::fs::read_dir(folder.file("out/page")).unwrap().count(), 1);
}
