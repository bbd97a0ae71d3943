//! The shaders of the studies as a set.

use crate::files::{root, shaders_below};
use crate::validator::{all_must_be_legal, files_of};
use quadrille_papers::shaders;

#[test]
fn every_shader_that_runs_is_legal_in_every_language_in_every_variant() {
    let texts = all_must_be_legal(&quadrille_papers::sources().unwrap(), []);
    assert!(texts > 5, "only {texts} texts");
}

#[test]
fn the_table_the_folder_and_the_page_name_the_same_files_and_all_are_used() {
    let folder = root().join("crates/papers/glsl");
    let on_disk = shaders_below(&folder);
    let mut table: Vec<_> = shaders::files().map(|(name, _)| name.to_owned()).collect();
    table.sort();
    assert_eq!(table, on_disk, "src/shaders.rs lists the left, glsl/ holds the right");

    let page = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let used = files_of(&quadrille_papers::sources().unwrap(), []);
    for name in table {
        assert!(page.contains(&format!("`{name}`")), "glsl/README.md does not describe {name}");
        assert!(used.contains(&format!("crates/papers/glsl/{name}")), "nothing uses {name}");
    }
}
