//! The gallery's waves and its sandpile: cells that depend on their neighbours.

use super::*;

#[test]
fn waves_run_as_in_double_precision() {
    each(|context| {
        let (w, h, speed) = (23_isize, 17_isize, 0.6);
        let start = random(2 * (w * h) as usize, 8);
        let setup = Setup::new().input("state", field(23, 17, 2, &start)).uniform("speed", "0.6");
        let mut wave = experiment(context, "wave.frag", setup.feedback("next", "state"));
        let drop = |i: usize, (x, y): (f64, f64)| {
            let (column, row) = ((i as isize % w) as f64 + 0.5, (i as isize / w) as f64 + 0.5);
            let (dx, dy) = (column / w as f64 - x, row / h as f64 - y);
            (-(dx * dx + dy * dy) / 0.0008).exp()
        };
        let fallen = |(i, (now, before)): (usize, (f64, f64))| {
            let drops = drop(i, (0.3, 0.35)) - 0.7 * drop(i, (0.7, 0.6));
            (now + drops, before + drops)
        };
        let pairs = start.chunks(2).map(|pair| (pair[0], pair[1]));
        let mut state: Vec<(f64, f64)> = pairs.enumerate().map(fallen).collect();
        let next = |state: &[(f64, f64)], neighbours: &[(isize, isize)], step: usize| {
            let cell = |i: usize| {
                let (now, before) = state[i];
                let sum: f64 =
                    neighbours.iter().map(|o| state[around(i, *o, (w, h), true)].0).sum();
                let bend = if step == 0 { 0.0 } else { sum - 4.0 * now };
                (2.0 * now - before + speed * speed * bend, now)
            };
            (0..state.len()).map(cell).collect::<Vec<_>>()
        };
        let mut lost = Vec::new();
        for step in 0..20 {
            lost = next(&state, &CROSS[1..], step);
            state = next(&state, &CROSS, step);
            wave.step().unwrap();
        }
        let heights = |state: &[(f64, f64)]| state.iter().map(|(now, _)| *now).collect::<Vec<_>>();
        // Heights of up to some tens: each step rounds a few times, and errors grow no faster than
        // the steps squared.
        near(&read(&wave, "height"), &heights(&state), 1e-4);
        far(&read(&wave, "height"), &heights(&lost), 1e-4);
    });
}

#[test]
fn the_sandpile_is_exact_and_comes_to_rest() {
    each(|context| {
        let (w, h) = (33_isize, 29_isize);
        let start: Vec<i32> =
            random((w * h) as usize, 2).iter().map(|x| (3.0 * x) as i32).collect();
        let pile = Field::new(Extent::new(33, 29), 1, start.clone()).unwrap();
        let setup = Setup::new().input("pile", pile).uniform("grains", "700");
        let mut sandpile = experiment(context, "sandpile.frag", setup.feedback("next", "pile"));
        let mut pile = start;
        pile[(h / 2 * w + w / 2) as usize] += 700;
        for step in 0..1000 {
            let given = |i: usize, (x, y): (isize, isize)| {
                let (x, y) = (i as isize % w + x, i as isize / w + y);
                let inside = (0..w).contains(&x) && (0..h).contains(&y);
                if inside { pile[(y * w + x) as usize] / 4 } else { 0 }
            };
            let cell = |i: usize| pile[i] % 4 + CROSS.iter().map(|o| given(i, *o)).sum::<i32>();
            pile = (0..pile.len()).map(cell).collect();
            sandpile.step().unwrap();
            if step % 50 < 2 {
                let wanted: Vec<f64> = pile.iter().map(|grains| f64::from(*grains)).collect();
                assert_eq!(read(&sandpile, "next"), wanted, "step {step}");
            }
        }
        let rest = read(&sandpile, "next");
        assert!(rest.iter().all(|grains| *grains < 4.0), "it is at rest");
        assert_eq!(rest, pile.iter().map(|grains| f64::from(*grains)).collect::<Vec<_>>());
        let colours = read(&sandpile, "colour");
        let one = rest.iter().position(|grains| *grains == 1.0).unwrap();
        near(&colours[3 * one..3 * one + 3], &[0.15, 0.4, 0.65], 1e-6);
    });
}
