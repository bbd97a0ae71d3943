//! Tuned choices on a real context: what they change, and the file that the environment names.

use crate::common::each;
use quadrille::Context;
use quadrille::Shape;
use quadrille::data::Stencil;
use quadrille::linalg::blas1::Blas1;
use quadrille::linalg::jacobi::{Jacobi, Layout, Optimization, Variant};
use quadrille::linalg::matmul::{Method, Multiplier, Options};
use quadrille::shader::Reads;
use quadrille::stream::choice::Entry;
use quadrille::stream::reduce::Reducer;
use quadrille_vp::vector_machine::Machine;

fn plant(context: &Context, operation: &str, choice: &str) {
    context.use_tuned(operation, vec![Entry::new(512, choice, 2.5)]);
}

fn resolved(context: &Context, variant: Variant) -> (Layout, Optimization, Reads) {
    let found = variant.resolve(context, 91, 7).unwrap();
    (found.layout, found.optimization, found.reads)
}

#[test]
fn a_planted_choice_is_what_runs_where_nothing_is_set() {
    each(|context| {
        let n = Shape::new(3, 3);
        let multiplier = |options: Options| Multiplier::<f32>::new(context, n, n, options).unwrap();
        let matrix = "heat9:9".parse::<Stencil>().unwrap().matrix().unwrap();
        for (operation, choice) in [
            ("blas1", "fragment"),
            ("reduce", "fragment 4x4 fetch"),
            ("vector", "fragment"),
            ("jacobi", "red boundary fetch"),
            ("matmul", "cp unroll=2"),
        ] {
            plant(context, operation, choice);
        }
        assert_eq!(Blas1::new(context).choice(), "fragment");
        assert_eq!(Reducer::new(context).choice(), "fragment 4x4 fetch");
        assert_eq!(Machine::new(context).choice(), "fragment");
        let jacobi = Jacobi::new(context, &matrix, Variant::default()).unwrap();
        assert_eq!(jacobi.choice(), "red boundary fetch");
        assert_eq!(multiplier(Options::new()).method(), Method::Cp);
        // What is set stays.
        let packed = resolved(context, Variant::default().layout(Layout::Packed));
        assert_ne!(packed.1, Optimization::Boundary);
        assert_eq!(multiplier(Method::Sp.into()).method(), Method::Sp);
        let red = resolved(context, Variant::default().layout(Layout::Red));
        assert_eq!(red, (Layout::Red, Optimization::Boundary, Reads::Fetch));
    });
}

#[test]
fn what_cannot_run_or_be_read_is_ignored() {
    each(|context| {
        let usual = || {
            let machine = Machine::new(context).choice();
            let choices = [Blas1::new(context).choice(), Reducer::new(context).choice(), machine];
            (choices, resolved(context, Variant::default()))
        };
        let before = usual();
        for choice in ["", "a way of tomorrow", "compute 4096x4096", "rgba neighbours sample"] {
            for operation in ["blas1", "reduce", "vector", "jacobi"] {
                plant(context, operation, choice);
            }
            assert_eq!(usual(), before, "{choice}");
        }
        if context.abilities().compute.is_none() {
            plant(context, "blas1", "compute 8x8");
            plant(context, "reduce", "compute 8x8");
            plant(context, "vector", "compute 8x8");
            plant(context, "jacobi", "packed compute fetch 8x8 tile panels");
            assert_eq!(usual(), before, "no compute shaders");
        }
    });
}

mod files {
    use std::process::Command;

    use super::*;
    use crate::common::Flavour;
    use quadrille::stream::choice::{self, Device, Record, Tuned};

    fn saved(choice: &str) -> Entry {
        Entry::new(512, choice, 2.5)
    }

    #[test]
    fn what_was_saved_for_a_device_is_found_on_it_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tuned.json");
        each(|context| {
            let device = Device::of(context.abilities());
            let entry = saved(&device.api);
            choice::save(&path, &[Record::new(device, "matmul", entry)]).unwrap();
        });
        let tuned = Tuned::read(&path).unwrap();
        each(|context| {
            let device = Device::of(context.abilities());
            let found: Vec<&Entry> = tuned.of(&device).map(|record| &record.entry).collect();
            assert_eq!(found, [&saved(&device.api)]);
            let mut updated = device;
            updated.driver += ".1";
            assert_eq!(tuned.of(&updated).count(), 0);
        });
    }

    /// Run by the test below in a process of its own, whose environment names the file.
    #[test]
    #[ignore = "needs the environment of another test"]
    fn the_file_of_the_environment_is_read() {
        let context = Flavour::Gl.builder().build().unwrap();
        assert_eq!(context.load_tuned().unwrap(), 0, "nothing was saved yet");
        let entry = saved("red boundary fetch");
        let record = Record::new(Device::of(context.abilities()), "jacobi", entry.clone());
        choice::save(choice::path().unwrap(), &[record]).unwrap();
        assert_eq!(context.tuned("jacobi", 512), None, "it was not loaded yet");
        assert_eq!(context.load_tuned().unwrap(), 1);
        assert_eq!(context.tuned("jacobi", 9), Some(entry.clone()));
        assert_eq!(resolved(&context, Variant::default()).0, Layout::Red);
        std::fs::write(choice::path().unwrap(), "no JSON").unwrap();
        assert!(context.load_tuned().unwrap_err().to_string().contains("tuned.json"));
        assert_eq!(context.tuned("jacobi", 512), Some(entry), "what was loaded stays");
    }

    #[test]
    fn the_environment_names_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        // Its own report is none of this run.
        let run = Command::new(std::env::current_exe().unwrap())
            .args([
                "--ignored",
                "--exact",
                "gl::choice::files::the_file_of_the_environment_is_read",
            ])
            .env("QUADRILLE_CACHE", folder.path().join("cache"))
            .output()
            .unwrap();
        assert!(run.status.success(), "{run:?}");
        assert!(folder.path().join("cache").join("tuned.json").exists());
    }
}
