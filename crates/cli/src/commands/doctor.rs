//! `quadrille doctor`: the devices of this machine, examined.

use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;

use quadrille_lab::survey::{self, Examined, Found, Host, Survey, Surveyed, change_texts};

use crate::arguments::device::slow_calls;
use crate::output;
use crate::process::failure::Failure;
use crate::ranks;

const ABOUT: &str = "\
Examines every device that EGL lists, and on Windows WGL and ANGLE, in OpenGL and OpenGL ES: what a context supports, what small probes
find, and whether a sum and a few Jacobi iterations in every layout agree with the CPU to within rounding.
If something fails, it says why and what may help. --json makes a file to attach to a report, also where there is
no device: it has versions, the system, the processor and all that was found, and no folder of yours.";

const EXAMPLES: &str = "\
Examples:
  quadrille doctor
  quadrille doctor --json > doctor.json";

/// List the devices and check that they compute correctly
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub(crate) struct Doctor {
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(doctor: &Doctor) -> anyhow::Result<()> {
    let mpi = ranks::Mpi::examine(ranks::of_processes()?);
    if ranks::rank() > 0 {
        return Ok(());
    }
    slow_calls::watch();
    let spinner = ProgressBar::new_spinner();
    let survey = survey::run(|what| {
        spinner.set_message(what.to_owned());
        spinner.tick();
    });
    spinner.finish_and_clear();
    let survey = match survey {
        Ok(survey) => survey,
        Err(error) => {
            if doctor.json {
                let error = Some(error.to_string());
                say_json(&Report { survey: Survey::without_devices(), error, mpi })?;
            }
            return Err(error.into());
        }
    };
    let report = Report { survey, error: None, mpi };
    match doctor.json {
        true => say_json(&report)?,
        false => output::say(&report.text())?,
    }
    let survey = report.survey;
    if survey.working() == 0 {
        let text = "no device gives a context that quadrille can use".into();
        return Err(Failure::NoDevice { text }.into());
    }
    if !survey.is_right() {
        let text = "a context does not work correctly; choose another device".into();
        return Err(Failure::Work { text }.into());
    }
    Ok(())
}

/// Prints the object without the person's own folder, which a driver's message may name.
fn say_json(report: &Report) -> anyhow::Result<()> {
    let mut object = serde_json::to_value(report)?;
    let home = ["HOME", "USERPROFILE"].into_iter().find_map(|name| std::env::var(name).ok());
    if let Some(home) = home.filter(|home| home.len() > 1) {
        change_texts(&mut object, &|text| text.replace(&home, "~"));
    }
    output::show(true, &object, String::new)
}

/// The JSON object; its text for people says the same.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    survey: Survey,
    /// Why no device could be listed.
    error: Option<String>,
    mpi: ranks::Mpi,
}

impl Report {
    fn text(&self) -> String {
        let Host { quadrille, system, kernel, architecture, cpu, threads } = &self.survey.host;
        let mut lines = vec![
            format!("quadrille {quadrille} on {system}, kernel {kernel}, {architecture}"),
            fact(("processor", format!("{cpu}, {threads} threads"))),
            String::new(),
        ];
        lines.extend(devices_lines(&self.survey));
        lines.push("MPI".into());
        lines.extend(self.mpi.lines().into_iter().map(fact));
        lines.push(String::new());
        lines.push(
            "Select a device with --device or QUADRILLE_DEVICE, by its index or a part of its name."
                .into(),
        );
        lines.join("\n")
    }
}

fn devices_lines(survey: &Survey) -> Vec<String> {
    let mut lines = Vec::new();
    for device in &survey.devices {
        let chosen = if survey.default == Some(device.index) { "  <- the default" } else { "" };
        lines.push(format!("device {}: {}{chosen}", device.index, device.label));
        lines.extend(device_lines(device));
        lines.push(String::new());
    }
    lines
}

fn device_lines(device: &Surveyed) -> Vec<String> {
    device.contexts.iter().flat_map(context_lines).collect()
}

fn context_lines(context: &Examined) -> Vec<String> {
    let mut lines = Vec::new();
    match &context.found {
        None => lines.push(format!("  {}: no context", context.api)),
        Some(found) => {
            lines.push(format!("  {} on {}", found.version, found.renderer));
            lines.extend(found_lines(found).into_iter().map(fact));
        }
    }
    if let Some(probes) = &context.probes {
        let answer = match (probes.lines_are_exact(), probes.lines_go_upward()) {
            (true, Some(true)) => "upward lines exact",
            (true, Some(false)) => "downward lines exact, upward lines not,",
            (true, None) => "exact upward at some, downward at others,",
            (false, _) => "inexact",
        };
        let at = probes.lines.len();
        lines.push(fact(("lines", format!("{answer} at {at} extents"))));
        let count =
            |count: usize| if count == 0 { "exact".into() } else { format!("{count} wrong") };
        lines.push(fact(("sampling", count(probes.misread_texels))));
        lines.push(fact(("floor", count(probes.misplaced_by_floor))));
        lines.push(fact(("loops", probes.loops())));
        lines.extend(probes.remarks().into_iter().map(|remark| fact(("remark", remark))));
    }
    for proof in &context.proofs {
        let answer = if proof.right { "right" } else { "WRONG" };
        let text = format!("{:<17} {answer}, error {:.1e}", proof.what, proof.max_error);
        lines.push(fact(("proof", text)));
    }
    for trouble in &context.troubles {
        lines.push(fact(("trouble", format!("{}: {}", trouble.what, trouble.reason))));
        lines.push(fact(("mend", trouble.mend.clone())));
    }
    lines
}

fn found_lines(found: &Found) -> Vec<(&'static str, String)> {
    let kind = if found.software { "software" } else { "hardware" };
    let surface = match (found.pbuffer, cfg!(windows)) {
        (false, _) => "without a surface",
        (true, false) => "on a pbuffer",
        (true, true) => "on a surface that is never shown",
    };
    let named = [
        (found.float_targets, "float targets"),
        (found.float_blending, "float blending"),
        (found.compute, "compute"),
        (found.precise, "precise"),
        (found.timers, "timers"),
        (found.messages, "messages"),
        (found.robust, "robustness"),
    ];
    let names = |wish: bool| -> String {
        let names: Vec<&str> =
            named.iter().filter(|(has, _)| *has == wish).map(|(_, name)| *name).collect();
        if names.is_empty() { "nothing".into() } else { names.join(", ") }
    };
    vec![
        ("driver", format!("{}, {kind}, {surface}", found.driver)),
        ("has", names(true)),
        ("lacks", names(false)),
        (
            "limits",
            format!(
                "textures {0} x {0}, {1} targets, {2} inputs",
                found.max_texture_size, found.max_targets, found.max_inputs
            ),
        ),
    ]
}

fn fact((name, text): (&str, String)) -> String {
    let text = text.replace('\n', "\n              ");
    format!("    {name:<10}{text}")
}
