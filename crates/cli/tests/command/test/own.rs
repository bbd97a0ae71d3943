//! The gallery and the starter, tested by descriptions.

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
