//! The report, as text and as JSON.

use std::time::Duration;

use serde::Serialize;

use quadrille::cluster::matmul::Summary;
use quadrille::data::Number;
use quadrille::linalg::matmul::{Checked, Element, Method, Multiplier};
use quadrille::stream::Engine;
use quadrille::{Context, Shape};

use super::arguments::Arguments;
use crate::output::column;
use crate::ranks::Shares;

#[derive(Default)]
pub(super) struct Times {
    /// Compiling, and allocating memory on the device.
    pub(super) setup: Duration,
    /// Packing and upload.
    pub(super) upload: Duration,
    pub(super) multiply: Duration,
    pub(super) readback: Duration,
}

/// The JSON object; its text for people says the same.
#[derive(Default, Serialize)]
pub(super) struct Report {
    a: [usize; 2],
    b: [usize; 2],
    c: [usize; 2],
    #[serde(rename = "type")]
    numbers: &'static str,
    method: &'static str,
    engine: &'static str,
    options: String,
    /// Products of blocks on the device that make up this one.
    partial_products: usize,
    /// Times that the files were gone through, of products in parts.
    passes: Option<usize>,
    device: String,
    software: bool,
    api: String,
    /// Compiling shaders and making room on the device.
    setup_milliseconds: f64,
    /// Packing both operands and sending them to the device.
    upload_milliseconds: f64,
    /// The multiplication alone.
    milliseconds: f64,
    readback_milliseconds: f64,
    /// 2 m n k operations, in 10^9 a second.
    gflops: f64,
    /// The largest difference from double precision, where it was checked.
    max_error: Option<f64>,
    /// The largest difference divided by the bound of rounding.
    of_bound: Option<f64>,
    /// Whether the same plan multiplied matrices of -1 and 1 exactly.
    exact: Option<bool>,
    /// Whether both checks found no error.
    right: Option<bool>,
    /// The shares of the ranks; null on one.
    ranks: Option<Shares>,
    output: Option<String>,
}

impl Report {
    pub(super) fn on_ranks(self, shares: Shares) -> Report {
        Report { ranks: Some(shares), ..self }
    }

    pub(super) fn new<T: Element>(
        arguments: &Arguments,
        context: &Context,
        product: &Multiplier<T>,
        (a, b): (Shape, Shape),
        times: Times,
        checked: Option<&Checked>,
    ) -> Report {
        let right = checked.map(Checked::is_right);
        let written = arguments.output.as_ref().filter(|_| right != Some(false));
        Report {
            options: product.options(),
            partial_products: product.partial_products(),
            max_error: checked.map(|checked| checked.comparison.max_error),
            of_bound: checked.map(|checked| checked.comparison.of_bound),
            exact: checked.map(Checked::is_exact),
            right,
            output: written.map(|path| path.display().to_string()),
            ..Report::of::<T>(context, product.method(), (a, b), &times)
        }
    }

    /// Reports a product of files in parts. Reading parts of the files counts as upload, writing C
    /// as readback; both happen while the device multiplies, and count in that time too.
    pub(super) fn in_parts<T: Element>(
        arguments: &Arguments,
        context: &Context,
        summary: &Summary,
    ) -> Report {
        let times = Times {
            setup: summary.setup,
            upload: summary.reading,
            multiply: summary.total.saturating_sub(summary.setup),
            readback: summary.finishing,
        };
        let method = summary.method.unwrap_or(Method::Serial);
        Report {
            options: summary.options.clone(),
            partial_products: summary.passes * summary.tiles * summary.layout.panels(),
            passes: Some(summary.passes),
            output: arguments.output.as_ref().map(|path| path.display().to_string()),
            ..Report::of::<T>(context, method, summary.layout.operands(), &times)
        }
    }

    fn of<T: Element>(
        context: &Context,
        method: Method,
        (a, b): (Shape, Shape),
        times: &Times,
    ) -> Report {
        let abilities = context.abilities();
        let c = Shape::new(a.rows, b.cols);
        let operations = 2.0 * c.rows as f64 * c.cols as f64 * a.cols as f64;
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        let sides = |shape: Shape| [shape.rows, shape.cols];
        Report {
            a: sides(a),
            b: sides(b),
            c: sides(c),
            numbers: T::NAME,
            method: method.name(),
            engine: method.engine().map_or("host", Engine::name),
            device: abilities.renderer.clone(),
            software: abilities.software,
            api: abilities.api_text(),
            setup_milliseconds: milliseconds(times.setup),
            upload_milliseconds: milliseconds(times.upload),
            milliseconds: milliseconds(times.multiply),
            readback_milliseconds: milliseconds(times.readback),
            gflops: operations / times.multiply.as_secs_f64().max(1e-9) / 1e9,
            ..Report::default()
        }
    }

    pub(super) fn text(&self) -> String {
        let Report { device, api, method, options, engine, .. } = self;
        let shape = |[rows, cols]: [usize; 2]| format!("{rows} x {cols}");
        let shapes = format!(
            "{} = {} times {}, {}",
            shape(self.c),
            shape(self.a),
            shape(self.b),
            self.numbers
        );
        let options = if options.is_empty() { String::new() } else { format!(", {options}") };
        let blocks = match (self.passes, self.partial_products) {
            (Some(passes), count) => {
                format!(", in parts: the files in {passes} passes, {count} partial products")
            }
            (None, 1) => String::new(),
            (None, count) => format!(", in blocks: {count} partial products"),
        };
        let time = format!(
            "pack and upload {:.1} ms, multiply {:.2} ms, readback {:.1} ms; \
             setup {:.1} ms",
            self.upload_milliseconds,
            self.milliseconds,
            self.readback_milliseconds,
            self.setup_milliseconds
        );
        let unit = if self.numbers == f32::NAME { "GFLOPS" } else { "10^9 operations a second" };
        let mut lines = vec![
            ("product", shapes),
            ("method", format!("{method} ({engine}){options}{blocks}")),
            ("device", format!("{device}, {api}")),
            ("time", time),
            ("rate", format!("{:.2} {unit}", self.gflops)),
        ];
        if let Some(shares) = &self.ranks {
            lines.push(("ranks", shares.text()));
        }
        if let (Some(error), Some(of_bound)) = (self.max_error, self.of_bound) {
            let text = format!("at most {error:.2e}, {of_bound:.2e} of the bound of rounding");
            lines.push(("error", text));
        }
        if let Some(exact) = self.exact {
            let is = if exact { "is exact" } else { "is WRONG" };
            lines.push((
                "check",
                format!("with the same plan, the product of matrices of -1 and 1 {is}"),
            ));
        }
        if let Some(path) = &self.output {
            lines.push(("written", path.clone()));
        }
        column(9, &lines)
    }
}
