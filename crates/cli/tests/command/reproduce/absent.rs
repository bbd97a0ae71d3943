//! Commands that need reports, in a build without them.

use crate::runner::Folder;

#[test]
fn a_build_without_reports_says_how_to_get_them() {
    for (arguments, what) in [
        ("reproduce jacobi --quick --output r", "`reproduce`"),
        ("bench device --probes mad --plot mad.svg", "a chart"),
        ("solve --stencil poisson5:15 --plot residuals.svg", "a chart"),
        ("bench matmul --size 16 --runs 1 --methods cp,gemm-1", "the library gemm"),
    ] {
        let folder = Folder::new();
        let run = folder.run(arguments).ended(2);
        run.says(&format!("this build has no reports, and {what} needs them"));
        run.says("cargo install --locked --path crates/cli`");
        assert!(std::fs::read_dir(folder.file("")).unwrap().next().is_none(), "{arguments}");
    }
}
