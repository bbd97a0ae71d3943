//! The gallery's bodies, which attract each other.

use super::*;

#[test]
fn bodies_move_as_in_double_precision() {
    each(|context| {
        let (dt, softening) = (0.01, 0.05);
        let count = 7 * 5;
        let mut bodies = random(4 * count, 1);
        let mut velocities = random(3 * count, 2);
        let arrays =
            vec![("bodies", field(7, 5, 4, &bodies)), ("velocities", field(7, 5, 3, &velocities))];
        // The iteration is not 0, so that it does not begin with a disc of its own.
        let uniforms = [("dt", "0.01"), ("softening", "0.05"), ("iteration", "1")];
        let mut nbody = described(context, "nbody.run.toml", settings(arrays, &uniforms));
        // Moves all; the pull of some bodies alone.
        let move_all = |bodies: &mut [f64], velocities: &mut [f64], some: Range<usize>| {
            let before = bodies.to_vec();
            for i in 0..count {
                for j in some.clone() {
                    let way: [f64; 3] =
                        std::array::from_fn(|a| before[4 * j + a] - before[4 * i + a]);
                    let squared = way.iter().map(|x| x * x).sum::<f64>() + softening * softening;
                    for axis in 0..3 {
                        let pull = before[4 * j + 3] / squared.powf(1.5) * way[axis];
                        velocities[3 * i + axis] += dt * pull;
                    }
                }
                for axis in 0..3 {
                    bodies[4 * i + axis] += dt * velocities[3 * i + axis];
                }
            }
        };
        let mut lost = (Vec::new(), Vec::new());
        for _ in 0..5 {
            lost = (bodies.clone(), velocities.clone());
            move_all(&mut lost.0, &mut lost.1, 1..count);
            move_all(&mut bodies, &mut velocities, 0..count);
            nbody.step().unwrap();
        }
        let got = (read(&nbody, "move.next_bodies"), read(&nbody, "move.next_velocities"));
        near(&got.0, &bodies, 1e-4);
        near(&got.1, &velocities, 1e-4);
        far(&got.0, &lost.0, 1e-4);
        far(&got.1, &lost.1, 1e-4);
    });
}

/// Runs a step of no time, which leaves the disc that it begins with.
#[test]
fn bodies_begin_as_a_disc_of_mass_1_that_turns() {
    each(|context| {
        let numbers = random(4 * 64, 3);
        let arrays = vec![
            ("bodies", field(8, 8, 4, &numbers)),
            ("velocities", field(8, 8, 3, &vec![0.0; 3 * 64])),
        ];
        let uniforms = [("dt", "0"), ("softening", "0.05")];
        let mut nbody = described(context, "nbody.run.toml", settings(arrays, &uniforms));
        nbody.step().unwrap();
        let velocities = read(&nbody, "move.next_velocities");
        for (i, body) in read(&nbody, "move.next_bodies").chunks(4).enumerate() {
            let radius = numbers[4 * i + 1].sqrt();
            let angle = std::f64::consts::TAU * numbers[4 * i];
            let wanted = [
                radius * angle.cos(),
                radius * angle.sin(),
                0.1 * (numbers[4 * i + 2] - 0.5),
                1.0 / 64.0,
            ];
            near(body, &wanted, 1e-4);
            let velocity = &velocities[3 * i..3 * i + 3];
            let along = 0.5 / radius.max(1e-3).sqrt();
            near(velocity, &[-along * wanted[1], along * wanted[0], 0.0], 1e-3);
        }
    });
}

/// One body is one spot, where its coordinates say.
#[test]
fn the_picture_shows_a_body_in_its_place() {
    each(|context| {
        let bodies = field(1, 1, 4, &[0.6, 0.3, 0.0, 1.0]);
        let setup = Setup::new().input("bodies", bodies).extent(Extent::new(240, 240));
        let mut picture = experiment(context, "nbody/picture.frag", setup);
        picture.step().unwrap();
        let field = picture.read("colour").unwrap();
        let Values::F32(colours) = field.values() else { panic!("floats") };
        let light = |i: usize| {
            let (x, y) = ((i % 240) as f64 + 0.5, (i / 240) as f64 + 0.5);
            let (dx, dy) = (0.6 - (x / 100.0 - 1.2), 0.3 - (1.2 - y / 100.0));
            (-(dx * dx + dy * dy) / (2.0 * 0.008 * 0.008)).exp()
        };
        let tints = [0.7, 1.0, 1.8];
        let wanted: Vec<f64> =
            (0..240 * 240).flat_map(|i| tints.map(|tint| 1.0 - (-light(i) * tint).exp())).collect();
        let got: Vec<f64> = colours.iter().map(|x| f64::from(*x)).collect();
        near(&got, &wanted, 1e-3);
        assert!(wanted.iter().any(|x| *x > 0.5), "the body is in the picture");
    });
}
