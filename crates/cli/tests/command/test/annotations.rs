//! `quadrille test --annotate`.

use std::process::Stdio;

use crate::runner::{Folder, finish};

use super::{HALVE, RIGHT, START, folder};

/// The commands for GitHub that a run in a folder of a repository prints.
fn annotations(folder: &Folder, arguments: &str, repository: &std::path::Path) -> Vec<String> {
    let mut command = folder.command(arguments);
    command.env("GITHUB_WORKSPACE", repository).stdout(Stdio::piped());
    let out = finish(command.spawn().unwrap()).out;
    out.lines().filter(|line| line.starts_with("::")).map(str::to_owned).collect()
}

#[test]
fn what_fails_is_annotated_at_its_line_of_the_repository() {
    let folder = folder(&[
        ("a", RIGHT),
        ("b,c", &RIGHT.replace("0.25", "0.26")),
        ("d", "[expect.y]\nall = 1\nulp = ["),
        ("e", "uniform.fact = 1\n[expect.y]\nall = 1\nulp = 1"),
    ]);
    folder.write("bad.frag", HALVE.replace("0.5 *", "factor *"));
    folder.write("f.test.toml", format!("{START}{RIGHT}").replace("halve", "bad"));
    let repository = folder.file("..").canonicalize().unwrap();
    let here = folder.file("").canonicalize().unwrap();
    let here = here.strip_prefix(&repository).unwrap().display();
    let said = annotations(&folder, "test --annotate github", &repository);
    let starts = [
        format!(
            "::error file={here}/halve.frag,line=2,title=fail of b%2Cc::output `y`, `values`: "
        ),
        format!("::error file={here}/d.test.toml,line=5,col=8,title=bad of d::d.test.toml:5:8: "),
        format!("::error file={here}/e.test.toml,line=3,title=bad of e::e.test.toml:3: halve.frag"),
        format!("::error file={here}/bad.frag,line=3,col=19,title=fail of f::bad.frag does not"),
    ];
    assert_eq!(said.len(), starts.len(), "{said:?}");
    for (line, start) in said.iter().zip(&starts) {
        assert!(line.starts_with(start), "{start}\n{line}");
        assert!(line.contains("%0Aagain: quadrille test "), "{line}");
    }
    let elsewhere = annotations(&folder, "test b,c.test.toml --annotate github", "/none".as_ref());
    assert!(elsewhere[0].starts_with("::error file=halve.frag,line=2,"), "{elsewhere:?}");
    assert!(annotations(&folder, "test a.test.toml --annotate github", &repository).is_empty());
    folder.run("test a.test.toml --annotate github --json").ended(2).says("cannot be used with");
}

/// A shader of a dialect declares no output.
#[test]
fn an_output_that_a_shader_does_not_declare_is_annotated_where_it_is_expected() {
    let folder = Folder::new();
    folder.write("toy.frag", "void mainImage(out vec4 c, in vec2 p) { c = vec4(0.5); }\n");
    let test =
        "shader = \"toy.frag\"\nsize = [2, 2]\n[expect.colour]\nall = [0, 0, 0, 1]\nulp = 1\n";
    folder.write("toy.test.toml", test);
    let said = annotations(&folder, "test --annotate github", "/none".as_ref());
    assert!(said[0].starts_with("::error file=toy.test.toml,line=3,col="), "{said:?}");
}

/// What GitHub's log takes for a command: `::` at the beginning of a line, `##[` anywhere.
fn is_command(line: &str) -> bool {
    line.trim_start().starts_with("::") || line.contains("##[")
}

#[test]
fn texts_of_files_are_no_commands() {
    let evil = r"\n::stop-commands::x\r\n ::set-env name=A::b\u202e ##[error]c";
    let known =
        format!("{}[known.\"llvm\"]\nreason = \"a{evil}\"\n", RIGHT.replace("0.25", "0.26"));
    let folder = folder(&[
        ("known", &known),
        ("passing", &format!("{RIGHT}[known.\"llvm\"]\nreason = \"a{evil}\"\n")),
        ("key", &format!("\"a{evil}\" = 1\n{RIGHT}")),
        ("output", &format!("[expect.\"a{evil}\"]\nall = 1\nulp = 1\n")),
        ("message", &format!("[expect]\nerror = \"a{evil}\"\n")),
        ("name\n::stop-commands::y\n##[error]z", &RIGHT.replace("0.25", "0.26")),
        ("missing", &format!("input.z = \"a{evil}.npy\"\n{RIGHT}")),
    ]);
    for arguments in ["test", "test --annotate github", "test --json"] {
        let run = folder.run(arguments).ended(2);
        let lines = || run.out.lines().chain(run.err.lines());
        assert!(!run.out.contains('\u{202e}') && !run.err.contains('\u{202e}'), "{}", run.out);
        let commands: Vec<&str> = lines().filter(|line| is_command(line)).collect();
        let annotated = arguments.contains("annotate");
        assert!(
            commands.iter().all(|line| annotated && line.starts_with("::error file=")),
            "{commands:?}"
        );
        if annotated {
            // All but the one that is known.
            assert_eq!(commands.len(), 6, "{}", run.out);
        }
        if !arguments.contains("json") {
            let known = lines().find(|line| line.contains("known on")).unwrap();
            assert!(
                known.contains("a\u{240a}::stop-commands::x\u{240d}\u{240a} ::set-env"),
                "{known}"
            );
            assert!(run.out.contains("name\u{240a}::stop-commands::y"), "{}", run.out);
        }
    }
}
