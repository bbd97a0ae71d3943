//! Bad arguments and bad input: exit 2, the reason on standard error, nothing on standard output,
//! and no file left.

use crate::runner::{Folder, data, finish, npy, singles};

/// Runs something that must be refused.
#[track_caller]
fn refused(folder: &Folder, arguments: &str, texts: &[&str]) {
    let before = folder.names();
    let run = folder.run(arguments).ended(2);
    for text in texts {
        run.says(text);
    }
    run.says("error: ");
    assert_eq!(run.out, "", "{arguments}");
    assert_eq!(folder.names(), before, "{arguments}");
}

#[test]
fn matrix_files() {
    let folder = Folder::new();
    let cases = [
        ("nan.mtx", &["bad/nan.mtx:4: expected finite numbers, got NaN at row 3, column 2"][..]),
        ("tridiagonal.mtx", &["--width M"]),
        ("none.mtx", &["none.mtx: cannot read it: No such file"]),
    ];
    for (file, texts) in cases {
        let file = data(&format!("bad/{file}"));
        refused(&folder, &format!("jacobi {file} --output x.npy --picture x.png"), texts);
        refused(&folder, &format!("jacobi {file} --output x.npy --json"), texts);
    }
}

#[test]
fn a_width_given_for_an_open_file_is_taken() {
    let folder = Folder::new();
    let header = "%%MatrixMarket matrix coordinate real symmetric\n";
    folder.write("open.mtx", format!("{header}4 4 5\n1 1 2\n2 2 2\n3 3 2\n4 4 2\n2 1 -1\n"));
    refused(&folder, "jacobi open.mtx", &["open.mtx: ", "--width M"]);
    assert_eq!(folder.run("jacobi open.mtx --width 3 --json").ended(0).json()["m"], 3);
}

#[test]
fn right_hand_sides() {
    let folder = Folder::new();
    folder.write("short.npy", npy("<f4", false, "(3,)", &singles(&[1.0; 3])));
    folder.write("nan.npy", npy("<f4", false, "(16,)", &singles(&[f32::NAN; 16])));
    folder.write("square.npy", npy("<f4", false, "(4, 4)", &singles(&[1.0; 16])));
    folder.write("b.txt", "1 2 3");
    let cases = [
        (
            "short.npy",
            "short.npy: expected 16 numbers, one for each unknown of the matrix, got shape [3]",
        ),
        ("nan.npy", "nan.npy: expected finite numbers, got NaN at index [0]"),
        ("square.npy", "expected a vector"),
        ("b.txt", "expected a name ending in .npy or .mtx, got .txt"),
    ];
    for (file, text) in cases {
        refused(&folder, &format!("jacobi --stencil heat9:4 --rhs {file} --output x.npy"), &[text]);
    }
}

#[test]
fn names_that_do_not_exist_list_those_that_do() {
    let folder = Folder::new();
    let cases = [
        ("--layout blue", "expected one of: red, separate, packed, rgba"),
        ("--reads aloud", "expected one of: fetch, sample"),
        ("--api vulkan", "[possible values: gl, gles]"),
        ("--device nonesuch", "no OpenGL device matches `nonesuch`; expected one of: "),
        ("--device 99", "llvmpipe"),
        ("--device 99", "no OpenGL device matches `99`; expected one of: 0: "),
        ("--colour red", "unexpected argument '--colour'"),
    ];
    for (arguments, text) in cases {
        refused(&folder, &format!("jacobi --stencil heat9:4 {arguments} --output x.npy"), &[text]);
    }
    refused(
        &folder,
        "jacobi --stencil heat8:4 --output x.npy",
        &["unknown stencil `heat8`", "heat9:512"],
    );
    refused(&folder, "waltz", &["unrecognized subcommand 'waltz'"]);
    refused(&folder, "bench jacobi --layouts blue", &["unknown layout `blue`"]);
}

#[test]
fn the_environment_names_a_device_and_the_argument_comes_first() {
    let folder = Folder::new();
    let run = |arguments: &str| {
        let mut command = folder.command(arguments);
        command.env("QUADRILLE_DEVICE", "nonesuch");
        crate::runner::finish(command.spawn().unwrap())
    };
    run("jacobi --stencil heat9:4").ended(2).says("no OpenGL device matches `nonesuch`");
    run("jacobi --stencil heat9:4 --device llvmpipe").ended(0);
}

/// Mesa takes the version from the environment: the device is there, and its OpenGL is too old.
#[test]
fn a_device_with_too_old_an_opengl_is_named_with_its_version() {
    let folder = Folder::new();
    for device in ["llvmpipe", "", "0"] {
        let mut command = folder.command("jacobi --stencil heat9:4 --output x.npy");
        command.env("QUADRILLE_DEVICE", device).env("MESA_GL_VERSION_OVERRIDE", "3.0");
        command.env("MESA_GLES_VERSION_OVERRIDE", "2.0");
        let run = crate::runner::finish(command.spawn().unwrap());
        if run.code == Some(0) && device != "llvmpipe" {
            continue; // A GPU whose driver is another.
        }
        let run = run.ended(2);
        run.says("no device supports OpenGL 3.3 core or OpenGL ES 3.0 or later");
        run.says("has OpenGL 3.0");
        // Newer versions of Mesa do not give such a context.
        let of_es = ["has OpenGL ES 2.0", "does not name a valid config"];
        assert!(of_es.iter().any(|text| run.err.contains(text)), "{}", run.err);
        run.says("llvmpipe");
        assert_eq!(run.err.matches("tried:").count(), 1, "{}", run.err);
    }
}

#[test]
fn when_to_stop() {
    let folder = Folder::new();
    let cases = [
        ("--tolerance -1", "invalid value '-1' for '--tolerance <X>': expected a number from 0 on"),
        ("--tolerance 0", "the tolerance 0 runs a fixed number of iterations: set `iterations`"),
        ("--iterations -5", "invalid value '-5' for '--iterations <N>'"),
    ];
    for (arguments, text) in cases {
        refused(&folder, &format!("jacobi --stencil heat9:4 {arguments} --output x.npy"), &[text]);
    }
}

#[test]
fn what_is_solved_must_be_said_once() {
    let folder = Folder::new();
    refused(&folder, "jacobi", &["<MATRIX.mtx|--stencil <STENCIL>>"]);
    refused(&folder, "jacobi a.mtx --stencil heat9:4", &["cannot be used with"]);
}

#[test]
fn files_that_could_not_be_written_are_refused_before_the_work() {
    let folder = Folder::new();
    std::fs::create_dir(folder.file("folder.npy")).unwrap();
    let cases = [
        ("--output x.txt", "x.txt: expected a name ending in .npy or .mtx, got .txt"),
        ("--output x", "expected a name ending in .npy or .mtx, got none"),
        ("--picture x.jpg", "x.jpg: expected a name ending in .png, got .jpg"),
        ("--output no/where/x.npy", "no/where/x.npy: cannot write it: its folder does not exist"),
        ("--output folder.npy", "folder.npy: cannot write it: is a directory"),
    ];
    for (arguments, text) in cases {
        // So large that doing the work first would be noticed.
        refused(&folder, &format!("jacobi --stencil poisson5:4096 {arguments}"), &[text]);
    }
}

/// A terminal would obey them: set its title, or hide what follows.
#[test]
fn control_characters_of_files_names_and_arguments_are_shown_and_not_sent() {
    let folder = Folder::new();
    let escape = "\u{1b}]0;title\u{7}\u{9b}31m";
    folder
        .write("a.frag", "uniform sampler2D x; out float y; void main() { y = READ(x, TEXEL).r; }");
    let start = "shader = \"a.frag\"\ninput.x = \"ramp:3x1\"\n";
    let known = "[expect.y]\nall = 7\nexact = true\n[known.\"\"]\nreason = \"\\u001b]0;title\\u0007\\u009b31m\"\n";
    folder.write(&format!("{escape}.test.toml"), format!("{start}{known}"));
    folder.write(
        "key.run.toml",
        "\"\\u001b]0;title\\u0007\\u009b31m\" = 1\n[pass.a]\nshader = \"a.frag\"\n",
    );
    folder
        .write("word.mtx", format!("%%MatrixMarket matrix {escape} real general\n1 1 1\n1 1 1\n"));
    let missing = format!("{escape}.frag");
    let cases: [(&[&str], i32); 6] = [
        (&["test", "."], 0),
        (&["test", "--json", "."], 0),
        (&["run", "key.run.toml"], 2),
        (&["solve", "word.mtx", "--rhs", "b.npy"], 2),
        (&["run", &missing], 2),
        (&["run", "a.frag", "--iterate", escape], 2),
    ];
    for (arguments, code) in cases {
        let mut command = folder.command("");
        let run = finish(command.args(arguments).spawn().unwrap()).ended(code);
        for text in [&run.out, &run.err] {
            assert!(
                !text.contains(|c: char| c.is_control() && c != '\n'),
                "{arguments:?}: {text:?}"
            );
        }
        // clap removes such sequences from its own messages.
        let is_shown = format!("{}{}", run.out, run.err).contains("title");
        assert!(is_shown || arguments.contains(&"--iterate"), "{arguments:?}");
    }
}
