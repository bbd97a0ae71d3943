//! What a description from somebody else may read: files of the folder in which the command is started,
//! or of its own where it lies elsewhere.

use std::os::unix::fs::symlink;

use crate::common::in_turn;
use crate::runner::{Folder, Run, finish, npy, singles};

const SHADER: &str = "uniform sampler2D x; out float y; void main() { y = READ(x, TEXEL).r; }";
/// What a compiler's message would quote.
const SECRET: &str = "root:secret:0:0";

/// A folder `home`, whose files a stranger's folder `home/theirs` may not read from elsewhere: each is a
/// file that its reader would take, or quote.
fn folders() -> Folder {
    let folder = Folder::new();
    for name in ["home/theirs/deep", "home/frames", "elsewhere"] {
        std::fs::create_dir_all(folder.file(name)).unwrap();
    }
    let array = npy("<f4", false, "(1, 2)", &singles(&[1.0, 2.0]));
    for name in ["home/x.npy", "home/frames/f-1.npy", "home/frames/f-2.npy", "home/theirs/x.npy"] {
        folder.write(name, &array);
    }
    for name in ["home/secret", "home/secret.frag", "home/secret.glsl", "home/s.run.toml"] {
        folder.write(name, format!("{SECRET}\n"));
    }
    folder.write("home/theirs/s.frag", SHADER);
    folder
}

/// The same file of `home` in every way in which a file of `home/theirs` can name it.
fn ways(folder: &Folder, name: &str) -> Vec<String> {
    let theirs = folder.file("home/theirs");
    let link = format!("link-{}", name.replace('/', "-"));
    if !name.contains('%') && !theirs.join(&link).exists() {
        symlink(format!("../{name}"), theirs.join(&link)).unwrap();
    }
    if !theirs.join("up").exists() {
        symlink("..", theirs.join("up")).unwrap();
    }
    let mut ways = vec![
        format!("../{name}"),
        format!("deep/../../{name}"),
        format!("missing/../../{name}"),
        format!("up/{name}"),
        folder.file("home").join(name).display().to_string(),
    ];
    ways.extend((!name.contains('%')).then_some(link));
    ways
}

fn at(folder: &Folder, place: &str, arguments: &str) -> Run {
    let mut command = folder.command(arguments);
    finish(command.current_dir(folder.file(place)).spawn().unwrap())
}

/// The keys of run files that name a file, each with a file, and a description with a hole for it.
const RUNS: [(&str, &str, &str); 6] = [
    ("pass.p.shader", "secret.frag", "input.x = \"x.npy\"\n[pass.p]\nshader = \"HERE\"\n"),
    ("common", "secret", "common = \"HERE\"\ninput.x = \"x.npy\"\n[pass.p]\nshader = \"s.frag\"\n"),
    (
        "include",
        "frames",
        "include = [\"HERE\"]\ninput.x = \"x.npy\"\n[pass.p]\nshader = \"s.frag\"\n",
    ),
    ("input.x", "x.npy", "input.x = \"HERE\"\n[pass.p]\nshader = \"s.frag\"\n"),
    ("input.x", "frames/f-%d.npy", "input.x = \"HERE\"\n[pass.p]\nshader = \"s.frag\"\n"),
    (
        "buffer.x.first",
        "x.npy",
        "[buffer.x]\nfrom = \"p.y\"\nfirst = \"HERE\"\n[pass.p]\nshader = \"s.frag\"\n",
    ),
];

/// The same of tests.
const TESTS: [(&str, &str, &str); 5] = [
    ("shader", "secret.frag", "shader = \"HERE\"\n[expect.y]\nfinite = true\n"),
    ("run", "s.run.toml", "run = \"HERE\"\n[expect.\"p.y\"]\nfinite = true\n"),
    ("common", "secret", "shader = \"s.frag\"\ncommon = \"HERE\"\n[expect.y]\nfinite = true\n"),
    (
        "expect.y.equals",
        "x.npy",
        "shader = \"s.frag\"\ninput.x = \"x.npy\"\n[expect.y]\nequals = \"HERE\"\nexact = true\n",
    ),
    (
        "expect.y.twin",
        "secret.frag",
        "shader = \"s.frag\"\ninput.x = \"x.npy\"\n[expect.y]\ntwin = \"HERE\"\nexact = true\n",
    ),
];

/// Tries every way to name every file, from where it is refused and from where it is not; where a test need not be thorough
/// two ways for each file, by turns.
fn try_all(cases: &[(&str, &str, &str)], file: &str, verb: &str) {
    let folder = folders();
    let theirs = format!("home/theirs/{file}");
    for (turn, (key, named, text)) in cases.iter().enumerate() {
        for way in in_turn(&ways(&folder, named), turn, 3) {
            folder.write(&theirs, text.replace("HERE", way));
            let started = [
                ("home/theirs", file.to_owned()),
                ("elsewhere", format!("../home/theirs/{file}")),
                ("elsewhere", folder.file(&theirs).display().to_string()),
            ];
            for (place, name) in &started {
                let run = at(&folder, place, &format!("{verb} {name}")).ended(2);
                let said = format!("{}{}", run.out, run.err);
                assert!(said.contains(&format!("`{key}` names ")), "{key} {way}: {said}");
                assert!(said.contains("which is outside of the folder "), "{said}");
                assert!(said.contains("--allow-outside lets it"), "{said}");
                assert!(!said.contains("secret:0"), "{said}");
            }
            // The folder above is the one in which the command is started, or any is allowed.
            for (place, arguments) in [
                ("home", format!("{verb} theirs/{file}")),
                ("elsewhere", format!("{verb} ../home/theirs/{file} --allow-outside")),
            ] {
                let run = at(&folder, place, &arguments);
                let said = format!("{}{}", run.out, run.err);
                let read = run.code == Some(0)
                    || said.contains("secret")
                    || said.contains("not valid TOML")
                    || way.starts_with("missing")
                        && ["there is no", "cannot read it"].iter().any(|text| said.contains(text));
                assert!(read && !said.contains("outside of the folder"), "{key} {way}: {said}");
            }
        }
    }
}

#[test]
fn a_run_file_names_files_of_its_folder_alone() {
    try_all(&RUNS, "a.run.toml", "run");
}

#[test]
fn a_test_names_files_of_its_folder_alone() {
    try_all(&TESTS, "a.test.toml", "test");
}

#[test]
fn a_run_file_that_a_test_names_is_confined_as_well() {
    let folder = folders();
    folder.write(
        "home/theirs/a.test.toml",
        "run = \"a.run.toml\"\n[expect.\"p.y\"]\nfinite = true\n",
    );
    let text = "common = \"../secret\"\ninput.x = \"x.npy\"\n[pass.p]\nshader = \"s.frag\"\n";
    folder.write("home/theirs/a.run.toml", text);
    let run = at(&folder, "home/theirs", "test").ended(2);
    assert!(run.out.contains("`common` names ") && !run.out.contains("secret:0"), "{}", run.out);
    let run = at(&folder, "home/theirs", "test --allow-outside").ended(1);
    assert!(
        run.out.contains("secret") && run.out.contains("--allow-outside --api gl"),
        "{}",
        run.out
    );
}

/// The folder that the command names is searched, and what is found in it may name what is in it.
#[test]
fn a_test_that_is_found_names_files_of_the_folder_that_was_searched() {
    let folder = folders();
    let text =
        "shader = \"../s.frag\"\ninput.x = \"../x.npy\"\n[expect.y]\nall = 3\nexact = true\n";
    folder.write("home/theirs/deep/a.test.toml", text);
    let theirs = folder.file("home/theirs").display().to_string();
    let run = at(&folder, "elsewhere", &format!("test {theirs}")).ended(1);
    let again = run.out.lines().find_map(|line| line.trim().strip_prefix("again: quadrille "));
    let again = at(&folder, "elsewhere", again.unwrap()).ended(1);
    assert!(
        again.out.contains("2 texels miss") || again.out.contains("of 2 texels"),
        "{}",
        again.out
    );
    at(&folder, "elsewhere", &format!("test {theirs}/deep")).ended(2);
    folder.write("home/theirs/deep/a.test.toml", text.replace("../x.npy", "../../x.npy"));
    at(&folder, "elsewhere", &format!("test {theirs}")).ended(2);
}

/// A frame that is a link, and a test that is found and is one.
#[test]
fn links_lead_where_they_lead() {
    let folder = folders();
    let theirs = folder.file("home/theirs");
    std::fs::copy(theirs.join("x.npy"), theirs.join("f-1.npy")).unwrap();
    symlink("../x.npy", theirs.join("f-2.npy")).unwrap();
    let text = "input.x = \"f-%d.npy\"\n[pass.p]\nshader = \"s.frag\"\n";
    folder.write("home/theirs/a.run.toml", text);
    at(&folder, "home/theirs", "run a.run.toml").ended(2).says("`input.x` names f-2.npy");
    at(&folder, "home", "run theirs/a.run.toml").ended(0);

    symlink("../secret", theirs.join("b.test.toml")).unwrap();
    let run = at(&folder, "home/theirs", "test").ended(2);
    assert!(
        run.out.contains("a link out of its folder") && !run.out.contains(SECRET),
        "{}",
        run.out
    );
    // Whoever names it has it read.
    let run = at(&folder, "home/theirs", "test b.test.toml").ended(2);
    assert!(run.out.contains("not valid TOML"), "{}", run.out);
}

/// What the command line names is the user's own.
#[test]
fn what_the_command_names_is_free() {
    let folder = folders();
    let text = "common = \"../secret\"\ninput.x = \"../x.npy\"\n[pass.p]\nshader = \"s.frag\"\n";
    folder.write("home/theirs/a.run.toml", text);
    folder.write("home/none.glsl", "");
    let given = "run ../home/theirs/a.run.toml --input x=../home/x.npy --common ../home/none.glsl";
    at(&folder, "elsewhere", given).ended(0);
    at(&folder, "elsewhere", "run ../home/theirs/s.frag --input x=../home/x.npy").ended(0);
}

/// A link to a file that is not there yet is followed by what is written.
#[test]
fn nothing_is_blessed_through_a_link_to_nothing() {
    let folder = folders();
    symlink("../new.npy", folder.file("home/theirs/y.npy")).unwrap();
    let text =
        "shader = \"s.frag\"\ninput.x = \"x.npy\"\n[expect.y]\nequals = \"y.npy\"\nexact = true\n";
    folder.write("home/theirs/a.test.toml", text);
    for place in ["home", "home/theirs"] {
        let run = at(&folder, place, "test --bless").ended(2);
        assert!(run.out.contains("outside of the folder"), "{}", run.out);
        assert!(!folder.file("home/new.npy").exists());
    }
    at(&folder, "home", "test --bless --bless-outside").ended(0);
    assert!(folder.file("home/new.npy").exists());
}
