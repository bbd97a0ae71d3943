//! The arguments of `quadrille test`.

use std::ffi::OsStr;
use std::time::Duration;

use anyhow::Context as _;
use clap::ValueEnum;

use quadrille::shader::Api;

use super::bless::{Allowed, must_not_be_ci};
use super::rights::Rights;
use crate::arguments::seconds::seconds;
use crate::prelude::*;

/// The page of a report.
pub(super) const PAGE: &str = "index.html";

const ABOUT: &str = "\
Tests fragment shaders: runs every file *.test.toml under the paths, and compares what the shaders compute with
what is expected. A test is a description of a `quadrille run` and expectations of its outputs:

  shader = \"sobel.frag\"                # beside this file, as all files
  input.image = \"plate.png\"            # as `run --input`: also random:64x48x4, zeros:..., ramp:...
  uniform.strength = 1.5
  size = [64, 48]                      # also: iterate, feedback = { next = \"state\" }, seed, include, common
  timeout = 10                         # seconds
  api = [\"gl\", \"gles\"]                 # gl unless told
  vary = [\"reads\", \"size\"]             # the same by fetch and sampling; on a larger target (no feedback)

  [expect.edges]                       # an output; [[expect.edges]] for several expectations
  equals = \"sobel.edges.npy\"           # or: values, all, twin = \"other.frag\", finite = true, inside = [0, 1]
  ulp = 4                              # or: exact = true, absolute and/or relative
  outliers = 3                         # texels that may miss; also: at, nan, denormals
  device.\"NVIDIA\".equals = \"nvidia.npy\"     # instead, where the device's name contains this

  [require]                            # else it is skipped: precise, compute, float_blending, hardware,
  precise = true                       # max_texture_size, device

  [known.\"softpipe\"]                   # fails where the device's name contains this; passing is then a failure
  reason = \"log2 near 1\"

docs/test.md has all of it. Each test runs in a process of its own with a time limit, so that an endless shader or a
driver's crash ends that test alone. Every result is computed twice and must be the same.";

const EXAMPLES: &str = "\
Examples:
  quadrille test                                     every test below this folder
  quadrille test shaders --device llvmpipe --junit tests.xml
  quadrille test shaders/sobel.test.toml --device all
  quadrille test shaders --bless                     write what is expected from now on

Exit codes: 0 all is as expected; 1 a test failed, crashed or took too long; 2 a description is wrong, there is no
test, or every test was skipped.";

/// Test fragment shaders against expected results
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Files *.test.toml, and folders to search for them
    #[arg(value_name = "PATH", default_value = ".")]
    pub(super) paths: Vec<PathBuf>,

    /// Run only tests whose names contain this text
    #[arg(long, value_name = "TEXT")]
    pub(super) filter: Option<String>,

    /// The number of tests that run at a time [default: that of the cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    jobs: Option<u32>,

    /// The most seconds of each test, in place of its own limit
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(super) timeout: Option<Duration>,

    /// Take it for success that every test was skipped
    #[arg(long)]
    pub(super) allow_skipped: bool,

    /// Let tests, and the runs that they name, name any file; without this they may name those of the folder in which
    /// the command is started, or where they are not below that, of the folder PATH, or their own
    #[arg(long)]
    pub(super) allow_outside: bool,

    /// Let tests that are named themselves name files of this folder, as those that are found in it may
    #[arg(long, value_name = "DIR")]
    pub(super) found_in: Option<PathBuf>,

    /// Write what is expected: every file of `equals`, and for a test without an expectation those
    /// of all its outputs, with the device, driver, CPU and date in a .json file beside each
    #[arg(long, help_heading = "Expectations", conflicts_with_all = ["junit", "json", "report", "annotate"])]
    pub(super) bless: bool,

    /// Also write an output that is the same in all texels
    #[arg(long, help_heading = "Expectations", requires = "bless")]
    allow_constant: bool,

    /// Also write files of `equals` that are outside of the folder of their test
    #[arg(long, help_heading = "Expectations", requires = "bless")]
    bless_outside: bool,

    /// The device: its index in `quadrille doctor`, a part of its name, or `all`, with Mesa's
    /// softpipe where it is installed [default: QUADRILLE_DEVICE if set, else the first hardware
    /// device, else software]
    #[arg(long, value_name = "DEVICE", help_heading = "Device")]
    pub(super) device: Option<String>,

    /// Desktop OpenGL, OpenGL ES, or both [default: what each test says]
    #[arg(long, value_name = "API", help_heading = "Device")]
    api: Option<ApiName>,

    /// Write the outcomes as JUnit's XML
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub(super) junit: Option<PathBuf>,

    /// Write a page, DIR/index.html: pictures of what was expected, what came and the difference,
    /// and a histogram of the distances, for each test and device
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub(super) report: Option<PathBuf>,

    /// Print an annotation for each test that is not as expected, at the line of the shader or of
    /// the test, as a service for CI reads them from standard output
    #[arg(long, value_name = "SERVICE", help_heading = "Results", conflicts_with = "json")]
    pub(super) annotate: Option<Service>,

    /// Print one JSON object instead of text
    #[arg(long, help_heading = "Results")]
    pub(super) json: bool,

    /// Draw what the one test compares
    #[arg(long, hide = true, requires = "isolated")]
    pub(super) figures: bool,

    /// Measure how exact the device computes the operations of a shader, in place of a test
    #[arg(long, hide = true, requires = "isolated")]
    pub(super) accuracy: bool,

    /// Run one test in this process, and print its answer for the process that started it
    #[arg(long, hide = true)]
    pub(super) isolated: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ApiName {
    Gl,
    Gles,
    All,
}

/// A service for CI that shows annotations beside the lines of a change.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Service {
    /// GitHub's workflow commands, `::error file=...,line=...::...`
    Github,
}

impl Arguments {
    /// Refuses files that could not be written, before the work for them.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if self.bless {
            must_not_be_ci("--bless")?;
        }
        if self.bless && (self.device.as_deref() == Some("all") || self.api == Some(ApiName::All)) {
            let text = "--bless writes what one device computes: name it, in place of `all`".into();
            return Err(Failure::Input { text }.into());
        }
        if let Some(file) = &self.junit {
            output::check_folder(file)?;
        }
        if let Some(folder) = &self.report {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("{}: cannot make this folder", folder.display()))?;
            output::check_folder(&folder.join(PAGE))?;
        }
        Ok(())
    }

    /// The arguments of the process of a test.
    pub(super) fn of_child<'a>(&self, path: &'a Path, rights: &'a Rights) -> Vec<&'a OsStr> {
        let mut words = vec![path.as_os_str()];
        words.extend(rights.words(path));
        words.extend(self.bless.then_some(OsStr::new("--bless")));
        words.extend(self.report.is_some().then_some(OsStr::new("--figures")));
        words.extend(self.allow_constant.then_some(OsStr::new("--allow-constant")));
        words.extend(self.bless_outside.then_some(OsStr::new("--bless-outside")));
        words
    }

    /// What the one test may name.
    pub(super) fn rights(&self) -> Rights {
        Rights { folder: self.found_in.clone(), outside: self.allow_outside }
    }

    /// The results to write although they may be a mistake.
    pub(super) fn allowed(&self) -> Allowed {
        Allowed { constant: self.allow_constant, outside: self.bless_outside }
    }

    /// The APIs of every test, if they are not its own.
    pub(super) fn apis(&self) -> Option<&'static [Api]> {
        self.api.map(|api| match api {
            ApiName::Gl => &[Api::Gl][..],
            ApiName::Gles => &[Api::Gles],
            ApiName::All => &[Api::Gl, Api::Gles],
        })
    }

    pub(super) fn jobs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(cores, |jobs| jobs as usize)
    }
}
