//! Limits of devices.

use super::*;

#[test]
fn the_historical_stages_refuse_what_they_cannot_index() {
    // More texels than floats can number: 4101 x 4099 is past 2^24.
    on_one(|context| {
        let (m, n) = (4101, 4101 * 4099);
        let bands = Band::ALL.map(|band| vec![if band == Band::DD { 1.0 } else { 0.0 }; n]);
        let matrix = NineBanded::new(m, bands).unwrap();
        let chosen = Variant::new()
            .layout(Layout::Separate)
            .optimization(Optimization::Generic)
            .reads(Reads::Fetch);
        let error = Jacobi::new(context, &matrix, chosen).err().unwrap();
        assert_eq!(error.kind(), Kind::Limit);
        let text = error.to_string();
        assert!(text.contains("floor(i / 4101)"), "{text}");
        assert!(
            text.contains("use the stage boundary or neighbours, which need no division"),
            "{text}"
        );
    });
}

#[test]
fn the_compute_stage_is_refused_where_there_is_no_compute() {
    crate::common::on(&[Flavour::Gl33, Flavour::Gles30], |context| {
        let chosen = Variant::new().optimization(Optimization::Compute);
        let error = Jacobi::new(context, &System::random(50, 7, 1).matrix, chosen).err().unwrap();
        assert_eq!(error.kind(), Kind::Unsupported);
        assert!(error.to_string().contains("needs OpenGL 4.3 or OpenGL ES 3.1"), "{error}");
    });
}

#[test]
fn without_float_targets_the_solver_says_so() {
    let context =
        Flavour::Gl.builder().without(quadrille::internal::Ability::FloatTargets).build().unwrap();
    crate::common::clean("no float targets", &context, |context| {
        let matrix = System::random(50, 7, 1).matrix;
        let made = Jacobi::new(context, &matrix, Variant::default());
        let error = match made {
            Err(error) => error,
            Ok(mut jacobi) => jacobi.solve(&[1.0; 50], Stop::iterations(1)).unwrap_err(),
        };
        assert_eq!(error.kind(), Kind::Unsupported);
        assert!(error.to_string().contains("float render targets"), "{error}");
    });
}

#[test]
fn a_stage_that_cannot_read_so_says_so() {
    crate::common::each(|context| {
        let system = System::random(9, 3, 1);
        let chosen = Variant::new()
            .layout(Layout::Red)
            .optimization(Optimization::Compute)
            .reads(Reads::Sample);
        let error = Jacobi::new(context, &system.matrix, chosen).err().unwrap();
        let text = "stage compute cannot read texels by sample; leave the reads open, or name another stage";
        assert_eq!(error.to_string(), text);
    });
}

#[test]
fn a_diagonal_that_devices_take_for_zero_is_refused_with_its_row() {
    crate::common::each(|context| {
        for value in [1e-40_f32, 3e38] {
            let mut bands: [Vec<f32>; 9] = std::array::from_fn(|_| vec![0.0; 9]);
            bands[Band::DD.index()] = vec![1.0; 9];
            bands[Band::DD.index()][4] = value;
            let matrix = NineBanded::new(3, bands).unwrap();
            let error = Jacobi::new(context, &matrix, Variant::default()).err().unwrap();
            assert_eq!(error.kind(), Kind::Input);
            assert!(error.to_string().starts_with("row 4 has "), "{error}");
        }
    });
}
