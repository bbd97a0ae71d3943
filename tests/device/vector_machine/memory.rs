//! The memory manager: copies are made when needed, kept while they are right, given up for room.

use crate::common::each;
use quadrille::{Context, Kind};
use quadrille_vp::vector_machine::{
    DFunction, DProgram, DVector, Machine, Memory, Processor, Profile, Semantics,
};

/// Adds 1.
fn increment(machine: &Machine) -> DFunction {
    let program = DProgram::parse("add.vp", "ADD o[1], v[1], c[0];", Profile::Modern).unwrap();
    let mut function = DFunction::new(machine, &program, Semantics::VToV).unwrap();
    function.set_constant(0, 1.0).unwrap();
    function
}

fn memory(machine: &Machine) -> &Memory {
    machine.memory().unwrap()
}

/// 1024 numbers: 4096 bytes.
const LENGTH: usize = 1024;

fn counting(from: f32) -> DVector<f32> {
    (0..LENGTH).map(|i| from + i as f32).collect::<Vec<f32>>().into()
}

fn is_counting(vector: &DVector<f32>, from: f32) -> bool {
    vector.read().unwrap().iter().enumerate().all(|(i, n)| *n == from + i as f32)
}

#[test]
fn repeating_a_function_costs_no_transfer() {
    each(|context| {
        let machine = Machine::new(context);
        let function = increment(&machine);
        let input = counting(0.0);
        let mut output = DVector::zeros(LENGTH);
        assert!(!input.is_on_device());
        for _ in 0..5 {
            function.execute(&[&input], &mut output).unwrap();
        }
        let state = memory(&machine).state();
        assert_eq!((state.counts.uploads, state.counts.hits, state.counts.readbacks), (1, 4, 0));
        assert_eq!((state.vectors, state.bytes), (2, 8192));
        assert!(is_counting(&output, 1.0) && is_counting(&output, 1.0));
        assert_eq!(memory(&machine).state().counts.readbacks, 1);
        // The numbers just read back are on the device too: no upload to go on.
        function.execute(&[&output], &mut DVector::<f32>::zeros(LENGTH)).unwrap();
        assert_eq!(memory(&machine).state().counts.uploads, 1);
    });
}

/// On each engine of each device but the simulator, with memory of its own.
fn on_engines_of_a_device(test: impl Fn(&Machine)) {
    each(|context| {
        let engines = Processor::of(context).into_iter();
        for engine in engines.filter(|engine| *engine != Processor::Simulator) {
            test(&Machine::new(context).with(engine).unwrap());
        }
    });
}

#[test]
fn repeated_calls_make_no_object() {
    on_engines_of_a_device(|machine| {
        let (context, engine) = (memory(machine).context(), machine.engine());
        let (function, input) = (increment(machine), counting(0.0));
        let mut output = DVector::<f32>::zeros(LENGTH);
        let mut call = || {
            function.apply_into(&[&input], &mut output).unwrap();
            function.apply::<f32>(&[&output]).unwrap()
        };
        call();
        let made = context.objects_made();
        for _ in 0..5 {
            call();
        }
        let last = call();
        assert_eq!(context.objects_made(), made, "{engine}");
        assert!(is_counting(&last, 2.0), "{engine}");
    });
}

#[test]
fn a_buffer_of_attributes_counts_as_memory_and_goes_with_its_vector() {
    each(|context| {
        let machine = Machine::new(context).with(Processor::Attributes).unwrap();
        let (function, input) = (increment(&machine), counting(0.0));
        let output: DVector<f32> = function.apply(&[&input]).unwrap();
        let quads = LENGTH as u64 / 4;
        // 14 quads more than the vector has, which the last invocation of a sum may read.
        let state = memory(&machine).state();
        assert_eq!((state.vectors, state.bytes), (2, 16 * (quads + quads + quads + 14)));
        memory(&machine).clear().unwrap();
        assert_eq!(memory(&machine).state().bytes, 0);
        assert!(is_counting(&output, 1.0));
    });
}

#[test]
fn what_the_host_writes_is_sent_again() {
    on_engines_of_a_device(|machine| {
        let function = increment(machine);
        let mut input = counting(0.0);
        let first: DVector<f32> = function.apply(&[&input]).unwrap();
        input.read_mut().unwrap()[0] = 41.0;
        assert!(!input.is_on_device());
        let second: DVector<f32> = function.apply(&[&input]).unwrap();
        assert_eq!((first.read().unwrap()[0], second.read().unwrap()[0]), (1.0, 42.0));
        assert_eq!(memory(machine).state().counts.uploads, 2);
        // Writing what a function gave keeps the rest of it.
        let mut result: DVector<f32> = function.apply(&[&input]).unwrap();
        result.read_mut().unwrap()[0] = -1.0;
        assert_eq!(result.read().unwrap()[..3], [-1.0, 2.0, 3.0]);
    });
}

#[test]
fn the_budget_is_kept_and_nothing_is_lost() {
    each(|context| {
        let machine = Machine::new(context);
        let function = increment(&machine);
        memory(&machine).set_budget(3 * 4096).unwrap();
        let inputs: Vec<DVector<f32>> = (0..4).map(|i| counting(i as f32 * 10.0)).collect();
        let mut results = Vec::new();
        for input in &inputs {
            results.push(function.apply::<f32>(&[input]).unwrap());
            let state = memory(&machine).state();
            assert!(state.bytes <= state.budget, "{state:?}");
        }
        let state = memory(&machine).state();
        assert!(state.counts.evictions >= 5, "{state:?}");
        assert!(state.counts.readbacks >= 1, "results that were given up are read back first");
        assert!(!inputs[0].is_on_device() && inputs[3].is_on_device());
        for (i, result) in results.iter().enumerate() {
            assert!(is_counting(result, i as f32 * 10.0 + 1.0), "{i}");
        }
        // They are made again when they are needed again.
        let again: DVector<f32> = function.apply(&[&inputs[0]]).unwrap();
        assert!(is_counting(&again, 1.0));
        // A budget below what one call takes does not stop it.
        memory(&machine).set_budget(1).unwrap();
        assert_eq!(memory(&machine).state().vectors, 0);
        assert!(is_counting(&function.apply(&[&inputs[1]]).unwrap(), 11.0));
    });
}

#[test]
fn what_a_call_needs_itself_stays_whatever_the_budget() {
    each(|context| {
        let machine = Machine::new(context);
        let input = counting(0.0);
        let text = "DP4 o[1].x, v[1], v[1];";
        let program = DProgram::parse("dot.vp", text, Profile::Modern).unwrap();
        memory(&machine).set_budget(4096).unwrap();
        for engine in Processor::of(context) {
            let mut sum =
                DFunction::new(&machine.with(engine).unwrap(), &program, Semantics::VToS).unwrap();
            sum.set_padding(0.0);
            for _ in 0..3 {
                sum.total(&[&input]).unwrap();
                machine.find(&input, 5.0).unwrap();
            }
        }
        let counts = memory(&machine).state().counts;
        assert_eq!((counts.uploads, counts.evictions), (1, 0));
    });
}

#[test]
fn the_least_recently_used_goes_first() {
    each(|context| {
        let machine = Machine::new(context);
        let function = increment(&machine);
        let (a, b) = (counting(0.0), counting(1.0));
        let mut output = DVector::<f32>::zeros(LENGTH);
        function.execute(&[&a], &mut output).unwrap();
        function.execute(&[&b], &mut output).unwrap();
        function.execute(&[&a], &mut output).unwrap();
        memory(&machine).set_budget(2 * 4096).unwrap();
        assert!(a.is_on_device() && !b.is_on_device() && output.is_on_device());
    });
}

#[test]
fn clearing_and_dropping_free_the_device() {
    each(|context| {
        let machine = Machine::new(context);
        let function = increment(&machine);
        let input = counting(0.0);
        let result: DVector<f32> = function.apply(&[&input]).unwrap();
        memory(&machine).clear().unwrap();
        assert_eq!(memory(&machine).state().bytes, 0);
        assert!(is_counting(&result, 1.0));
        drop((input, result));
        assert_eq!(memory(&machine).state().vectors, 0);
    });
}

#[test]
fn a_vector_follows_its_function_to_another_context() {
    each(|context| {
        let other = Context::headless().unwrap();
        let machines = [Machine::new(context), Machine::new(&other), Machine::simulator()];
        let mut vector = counting(0.0);
        for machine in machines.iter().chain([&machines[0]]) {
            vector = increment(machine).apply(&[&vector]).unwrap();
        }
        assert!(is_counting(&vector, 4.0));
    });
}

#[test]
fn engines_of_one_machine_share_their_vectors() {
    each(|context| {
        let machine = Machine::new(context);
        let mut vector = counting(0.0);
        let engines = Processor::of(context);
        let steps = engines.len() as f32 - 1.0;
        for engine in engines.into_iter().filter(|engine| *engine != Processor::Simulator) {
            vector = increment(&machine.with(engine).unwrap()).apply(&[&vector]).unwrap();
        }
        assert_eq!(memory(&machine).state().counts.uploads, 1);
        assert!(is_counting(&vector, steps));
    });
}

#[test]
fn a_vector_too_large_for_the_device_is_refused() {
    let context = Context::headless().unwrap();
    let machine = Machine::new(&context);
    let side = 8192.min(1 << context.abilities().max_texture_size.ilog2());
    for length in [4 * side * side + 1, 1 << 31] {
        // The host never touches them.
        let error = increment(&machine).apply::<u8>(&[&DVector::<u8>::zeros(length)]).unwrap_err();
        assert_eq!(error.kind(), Kind::Limit);
        let said = error.to_string();
        assert!(said.contains(&format!("up to {} numbers", 4 * side * side)), "{said}");
    }
}
