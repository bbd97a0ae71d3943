//! `quadrille doctor`.

use crate::runner::{Folder, finish, loop_budget};

#[test]
fn every_device_is_examined_and_proved_in_both_apis() {
    let json = Folder::new().run("doctor --json").ended(0).json();
    assert!(json["default"].is_u64());
    assert_eq!(json["mpi"]["compiled_in"], cfg!(feature = "mpi"));
    assert_eq!(json["mpi"]["processes"], 1);
    let devices = json["devices"].as_array().unwrap();
    assert!(!devices.is_empty());
    let contexts: Vec<_> =
        devices.iter().flat_map(|device| device["contexts"].as_array().unwrap()).collect();
    assert_eq!(contexts.len(), 2 * devices.len());
    let software: Vec<_> =
        contexts.iter().filter(|context| context["found"]["software"] == true).collect();
    assert_eq!(software.len(), 2, "llvmpipe in OpenGL and OpenGL ES");
    for context in software {
        assert_eq!(context["found"]["float_targets"], true);
        assert_eq!(context["probes"]["rows_ascend"], true);
        assert_eq!(context["probes"]["misread_texels"], 0);
        assert_eq!(context["probes"]["loop_budget"], serde_json::json!(loop_budget()));
        let proofs = context["proofs"].as_array().unwrap();
        let names: Vec<_> = proofs.iter().map(|proof| proof["what"].as_str().unwrap()).collect();
        let expected = ["sum", "jacobi, red", "jacobi, separate", "jacobi, rgba", "jacobi, packed"];
        assert_eq!(names, expected);
        assert!(proofs.iter().all(|proof| proof["right"] == true), "{proofs:?}");
        // A proof without any error would have compared something with itself.
        assert!(proofs.iter().all(|proof| proof["max_error"].as_f64().unwrap() > 0.0));
        assert!(context["troubles"].as_array().unwrap().is_empty());
    }
}

#[test]
fn people_read_the_same() {
    let run = Folder::new().run("doctor").ended(0);
    let loops = match loop_budget() {
        Some(_) => "loops     end after 65535 iterations of an invocation in total",
        None => "loops     no limit found up to 262144 iterations",
    };
    for text in
        ["device 0:", "<- the default", "llvmpipe", "OpenGL ES", "right, error", loops, "MPI\n"]
    {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
}

#[test]
fn without_a_driver_it_names_the_packages() {
    let folder = Folder::new();
    let mut command = folder.command("doctor --json");
    command.env("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent");
    let run = finish(command.spawn().unwrap()).ended(2);
    run.says("error: EGL reports no devices");
    run.says(&quadrille::internal::gl::mesa());
    let json = run.json();
    assert_eq!(json["devices"], serde_json::json!([]));
    assert!(json["error"].as_str().unwrap().starts_with("EGL reports no devices"), "{json}");
    assert_eq!(json["host"]["quadrille"], env!("CARGO_PKG_VERSION"));
}

/// A person attaches the object to a report.
#[test]
fn the_object_names_versions_and_nothing_of_its_owner() {
    let folder = Folder::new();
    std::fs::create_dir(folder.file("bin")).unwrap();
    folder.write("bin/mpirun", "");
    let mut command = folder.command("doctor --json");
    command.env("HOME", folder.file("")).env("PATH", folder.file("bin"));
    let json = finish(command.spawn().unwrap()).ended(0).json();
    let host = &json["host"];
    for key in ["quadrille", "system", "kernel", "architecture", "cpu"] {
        assert!(!host[key].as_str().unwrap().is_empty(), "{key}: {host}");
    }
    assert!(host["threads"].as_u64().unwrap() > 0);
    assert_eq!(json["mpi"]["launchers"], serde_json::json!(["mpirun"]));
    assert!(!json.to_string().contains(folder.file("").to_str().unwrap()), "{json}");
    let limits = &json["devices"][0]["contexts"][0]["found"]["compute_limits"];
    assert!(limits["max_invocations"].as_u64().unwrap() > 0, "{limits}");
}
