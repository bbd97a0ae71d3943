//! The shaders of a package that stands on the library, as a set.

use crate::files::{root, shaders_below};
use crate::validator::{all_must_be_legal, files_of};
use quadrille_vp::internal::{SHADERS, sources};

#[test]
fn every_shader_that_runs_is_legal_in_every_language_in_every_variant() {
    let texts = all_must_be_legal(&sources().unwrap(), []);
    assert!(texts > 100, "only {texts} texts");
}

#[test]
fn the_table_the_folder_and_the_page_name_the_same_files_and_all_are_used() {
    let folder = root().join("vector-machine/glsl");
    let mut table: Vec<_> = SHADERS.files().map(|(name, _)| name.to_owned()).collect();
    table.sort();
    let on_disk = shaders_below(&folder);
    assert_eq!(table, on_disk, "src/shaders.rs lists the left, glsl/ holds the right");

    let page = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let used = files_of(&sources().unwrap(), []);
    for name in table {
        assert!(page.contains(&format!("`{name}`")), "glsl/README.md does not describe {name}");
        assert!(used.contains(&SHADERS.shown(&name)), "nothing uses {name}");
    }
}
