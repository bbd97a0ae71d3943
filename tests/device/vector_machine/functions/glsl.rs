//! Functions from GLSL.

use super::*;

#[test]
fn a_function_may_come_from_glsl() {
    each(|context| {
        let text = "void program() {\n    o[1].x = dot(v[1], c[2]);\n}";
        let machine = Machine::new(context);
        for engine in
            [Processor::Attributes, Processor::Vertex, Processor::Feedback, Processor::Fragment]
        {
            let machine = machine.with(engine).unwrap();
            let (profile, semantics) = (Profile::Modern, Semantics::VToS);
            let mut function =
                DFunction::from_glsl(&machine, "dot.glsl", text, profile, semantics).unwrap();
            function.set_constant(2, [1.0, 10.0, 100.0, 1000.0]).unwrap();
            function.set_padding(9.0);
            let input = DVector::from_slice(&[1.0_f32, 2.0, 3.0]);
            assert_eq!(function.total(&[&input]).unwrap(), 9321.0);
        }
        let bad = "void program() {\n    o[1] = w[1];\n}";
        let function =
            DFunction::from_glsl(&machine, "bad.glsl", bad, Profile::Modern, Semantics::VToV)
                .unwrap();
        let error = function.apply::<f32>(&[&DVector::<f32>::zeros(4)]).unwrap_err();
        assert_eq!(error.kind(), Kind::Compile);
        let place = error.place().unwrap();
        assert_eq!((place.file.as_str(), place.line), ("bad.glsl", Some(2)), "{error}");
    });
}

#[test]
fn a_glsl_function_may_have_any_name_and_names_of_its_own() {
    each(|context| {
        let text = "#define width 1.0\n#define quad width\n#define number quad\n\
                    float first(vec4 x) { return x.x * number; }\nvec4 result;\nvoid program () {\n    \
                    result = vec4(first(v[1]));\n    o[1] = result + c[95];\n}";
        for engine in Processor::of(context) {
            if engine == Processor::Simulator {
                continue;
            }
            let machine = Machine::new(context).with(engine).unwrap();
            let (profile, semantics) = (Profile::Modern, Semantics::VToV);
            for name in
                ["constants.glsl", "include/vector_function.glsl", "a \"b\nc", "", "program.glsl"]
            {
                let mut function =
                    DFunction::from_glsl(&machine, name, text, profile, semantics).unwrap();
                function.set_constant(95, 1.0).unwrap();
                assert!(function.set_constant(96, 1.0).is_err());
                let input = DVector::from_slice(&[3.0_f32, 7.0]);
                assert_eq!(function.apply::<f32>(&[&input]).unwrap().read().unwrap(), [4.0; 2]);
                let program = DProgram::parse(name, "MOV o[1], v[1];", profile).unwrap();
                let copy = DFunction::new(&machine, &program, semantics).unwrap();
                assert_eq!(copy.apply::<f32>(&[&input]).unwrap().read().unwrap(), [3.0, 7.0]);
            }
            let bad = "void program() {\n    o[1] = nothing;\n}";
            let function =
                DFunction::from_glsl(&machine, "mine.glsl", bad, profile, semantics).unwrap();
            let error = function.apply::<f32>(&[&DVector::<f32>::zeros(4)]).unwrap_err();
            assert!(error.to_string().starts_with("mine.glsl does not compile"), "{error}");
            let none =
                DFunction::from_glsl(&machine, "none.glsl", "void main() {}", profile, semantics);
            let error = none.map(|_| ()).unwrap_err();
            assert!(error.to_string().contains("void program()"), "{error}");
        }
    });
}
