//! Uniforms that are arrays.

use super::*;

const ARRAY: &str = "
uniform float weights[5];
out float result;
void main() {
    result = 0.0;
    for (int i = 0; i < 5; i++) {
        result = 10.0 * result + weights[i];
    }
}
";

#[test]
fn an_array_of_floats_arrives_whole_or_not_at_all() {
    crate::common::each(|context| {
        let kernel = crate::common::kernel(context, ARRAY);
        let mut target = context.uninit::<f32>(Extent::new(1, 1)).unwrap();
        let all = vec![1.0, 2.0, 3.0, 4.0, 5.0];
        kernel.pass().uniform("weights", all).draw(&mut target).unwrap();
        assert_eq!(target.read().unwrap(), [12345.0]);
        for count in [1, 2, 4, 6] {
            let wrong = vec![9.0; count];
            let error = kernel.pass().uniform("weights", wrong).draw(&mut target).unwrap_err();
            let text = error.to_string();
            assert!(text.starts_with("test.frag: `weights` is a float[5]; got "), "{text}");
        }
        assert!(kernel.pass().uniform("weights", Vec::<f32>::new()).draw(&mut target).is_err());
    });
}

#[test]
fn an_array_whose_end_the_compiler_removed_takes_what_its_text_says() {
    crate::common::each(|context| {
        let text = "uniform float weights[8];\nout float result;\n\
                    void main() { result = weights[0] + 10.0 * weights[2]; }";
        let kernel = crate::common::kernel(context, text);
        let mut target = context.uninit::<f32>(Extent::new(1, 1)).unwrap();
        let all: Vec<f32> = (1..=8).map(|i| i as f32).collect();
        kernel.pass().uniform("weights", all).draw(&mut target).unwrap();
        assert_eq!(target.read().unwrap(), [31.0]);
        let error = kernel.pass().uniform("weights", vec![1.0; 9]).draw(&mut target).unwrap_err();
        assert_eq!(error.to_string(), "test.frag: `weights` is a float[8]; got a float[9]");
    });
}

#[test]
#[allow(
    clippy::needless_borrows_for_generic_args,
    reason = "without it a vector is given, not an array"
)]
fn slices_and_references_to_arrays_are_arrays() {
    crate::common::each(|context| {
        let text = "uniform float w[3]; uniform int k[2]; uniform vec2 v[2]; out vec4 o;\n\
                    void main() { o = vec4(w[0] + 10.0 * w[1] + 100.0 * w[2], float(k[0] - k[1]), v[1]); }";
        let kernel = crate::common::kernel(context, text);
        let mut target = context.uninit::<[f32; 4]>(Extent::new(1, 1)).unwrap();
        let weights = vec![1.0_f32, 2.0, 3.0];
        let pass = || kernel.pass().uniform("k", &[7, 4]).uniform("v", &[[0.0, 0.0], [5.0, 6.0]]);
        pass().uniform("w", &weights).draw(&mut target).unwrap();
        assert_eq!(target.read().unwrap(), [[321.0, 3.0, 5.0, 6.0]]);
        pass().uniform("w", &weights[..]).draw(&mut target).unwrap();
        assert_eq!(target.read().unwrap(), [[321.0, 3.0, 5.0, 6.0]]);
        pass().uniform("w", &[4.0, 5.0, 6.0]).draw(&mut target).unwrap();
        assert_eq!(target.read().unwrap(), [[654.0, 3.0, 5.0, 6.0]]);
        let error = pass().uniform("w", &weights[..2]).draw(&mut target).unwrap_err();
        assert!(error.to_string().contains("`w` is a float[3]; got a float[2]"), "{error}");
    });
}
