//! Requests that functions refuse, and the state that an error leaves.

use super::*;

#[test]
fn what_does_not_fit_is_refused() {
    each(|context| {
        let machine = Machine::new(context);
        let modern = |text: &str| program(text, Profile::Modern);
        let sum = modern("ADD o[1], v[1], v[1];");
        let function = DFunction::new(&machine, &sum, Semantics::VToV).unwrap();
        let (three, four) = (DVector::<f32>::zeros(3), DVector::<f32>::zeros(4));
        let refused = |error: Error, words: &[&str]| {
            let text = error.to_string();
            assert_eq!(error.kind(), Kind::Input, "{text}");
            assert!(words.iter().all(|word| text.contains(word)), "{text}");
        };
        refused(
            function.apply::<f32>(&[]).unwrap_err(),
            &["test.vp", "v -> v", "expected 1", "got 0"],
        );
        refused(function.apply::<f32>(&[&three, &three]).unwrap_err(), &["got 2"]);
        refused(function.total(&[&three]).unwrap_err(), &["returns a vector", "`apply`"]);
        let mut output = DVector::<u8>::zeros(4);
        refused(
            function.execute(&[&three], &mut output).unwrap_err(),
            &["to fill has 4", "have 3"],
        );

        let both = modern("MOV R0, v[1]; ADD o[1], R0, v[2];");
        let function = DFunction::new(&machine, &both, Semantics::VvToV).unwrap();
        refused(function.apply::<f32>(&[&four, &three]).unwrap_err(), &["vector 2 has 3", "has 4"]);
        let error = DFunction::new(&machine, &both, Semantics::VToV).map(|_| ()).unwrap_err();
        refused(error, &["test.vp:1:29", "v[2]", "v[1] to v[1]", "\n    1 | MOV R0, v[1]; ADD"]);

        let none = modern("MOV R0, v[1];");
        let error = DFunction::new(&machine, &none, Semantics::VToV).map(|_| ()).unwrap_err();
        refused(error, &["never writes its result"]);

        let dot = modern("DP4 o[1], v[1], v[1];");
        let function = DFunction::new(&machine, &dot, Semantics::VToS).unwrap();
        refused(function.total(&[&four]).unwrap_err(), &["4 numbers", "60", "set_padding"]);
        refused(function.apply::<f32>(&[&four]).unwrap_err(), &["returns a scalar", "`total`"]);

        let period = DProgram::parse("test.vp", "MOV o[1], v[1];", Profile::Period).unwrap();
        let mut function = DFunction::new(&machine, &period, Semantics::VToV).unwrap();
        function.set_constant(95, 1.0).unwrap();
        refused(function.set_constant(96, 1.0).unwrap_err(), &["c[96]", "c[95]"]);

        let simulator = Machine::simulator();
        let error = simulator.with(Processor::Vertex).map(|_| ()).unwrap_err();
        assert_eq!(error.kind(), Kind::Unsupported);
        let (profile, semantics) = (Profile::Modern, Semantics::VToV);
        let error = DFunction::from_glsl(&simulator, "x.glsl", "", profile, semantics);
        assert_eq!(error.map(|_| ()).unwrap_err().kind(), Kind::Unsupported);
    });
}

#[test]
fn a_device_without_float_targets_says_so() {
    let context = Context::builder().without(Ability::FloatTargets).build().unwrap();
    let machine = Machine::new(&context).with(Processor::Fragment).unwrap();
    let program = program("MOV o[1], v[1];", Profile::Modern);
    let function = DFunction::new(&machine, &program, Semantics::VToV).unwrap();
    let error = function.apply::<f32>(&[&DVector::<f32>::zeros(4)]).unwrap_err();
    assert_eq!(error.kind(), Kind::Unsupported);
}

#[test]
fn an_error_of_the_device_leaves_zeros_and_one_of_the_arguments_nothing() {
    each(|context| {
        let machine = Machine::new(context).with(Processor::Fragment).unwrap();
        let bad = |semantics| {
            let text = "void program() { o[1] = w[1]; }";
            DFunction::from_glsl(&machine, "bad.glsl", text, Profile::Modern, semantics).unwrap()
        };
        let input = DVector::from_slice(&[1.0_f32; 60]);
        let add = program("ADD o[1], v[1], v[1];", Profile::Modern);
        let twice = DFunction::new(&machine, &add, Semantics::VToV).unwrap();
        for looked in [false, true] {
            let mut output: DVector<f32> = twice.apply(&[&input]).unwrap();
            let mut scalar = DScalar::new();
            let dot = program("DP4 o[1].x, v[1], v[1];", Profile::Modern);
            let sum = DFunction::new(&machine, &dot, Semantics::VToS).unwrap();
            sum.execute(&[&input], &mut scalar).unwrap();
            if looked {
                assert_eq!((output.read().unwrap()[0], scalar.value().unwrap()), (2.0, 4.0));
            }
            let short = DVector::<f32>::zeros(59);
            assert!(twice.execute(&[&short], &mut output).is_err());
            assert!(sum.execute(&[&short], &mut scalar).is_err());
            assert_eq!((output.read().unwrap()[0], scalar.value().unwrap()), (2.0, 4.0));
            let mut output: DVector<f32> = twice.apply(&[&input]).unwrap();
            assert!(bad(Semantics::VToV).execute(&[&input], &mut output).is_err());
            assert!(bad(Semantics::VToS).execute(&[&input], &mut scalar).is_err());
            assert_eq!(output.read().unwrap(), [0.0; 60]);
            assert_eq!(scalar.value().unwrap(), 0.0);
        }
    });
}

#[test]
fn more_constants_than_a_stage_holds_are_a_limit() {
    each(|context| {
        let abilities = context.abilities();
        for (engine, uniforms) in [
            (Processor::Attributes, abilities.max_vertex_uniforms),
            (Processor::Vertex, abilities.max_vertex_uniforms),
            (Processor::Feedback, abilities.max_vertex_uniforms),
            (Processor::Fragment, abilities.max_fragment_uniforms),
        ] {
            let machine = Machine::new(context).with(engine).unwrap();
            for (constant, fits) in [(uniforms - 9, true), (uniforms - 8, false)] {
                if constant >= 4096 {
                    continue;
                }
                let program = program(&format!("MOV o[1], c[{constant}];"), Profile::Modern);
                let function = DFunction::new(&machine, &program, Semantics::VToV).unwrap();
                let result = function.apply::<f32>(&[&DVector::<f32>::zeros(4)]);
                match fits {
                    true => assert_eq!(result.unwrap().read().unwrap(), [0.0; 4]),
                    false => {
                        let error = result.unwrap_err();
                        assert_eq!(error.kind(), Kind::Limit, "{error}");
                        assert!(error.to_string().contains(&format!("c[{constant}]")), "{error}");
                    }
                }
            }
        }
    });
}
