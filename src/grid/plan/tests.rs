//! Every number is owned once, and every halo texel is filled once, from its owner.

use super::*;

/// Rows of one texel and of several, ragged or not, with sides of primes and one beside a power of
/// two.
const SHAPES: [(usize, usize); 12] = [
    (1, 1),
    (1, 3),
    (2, 3),
    (10, 3),
    (23, 5),
    (50, 7),
    (61, 8),
    (64, 8),
    (150, 13),
    (273, 17),
    (1025, 33),
    (323, 64),
];

fn halos() -> impl Iterator<Item = Halo> {
    let depths = [0, 1, 2, 3, 4, 5, 8, 13];
    depths
        .into_iter()
        .flat_map(|steps| [false, true].map(|across_ends| Halo { steps, across_ends }))
}

fn plans() -> impl Iterator<Item = Plan> {
    let shapes = SHAPES.into_iter().flat_map(|(numbers, width)| {
        let shape = GridShape::in_rows(numbers, width);
        [shape, shape.with_lanes(1)]
    });
    shapes.flat_map(|shape| {
        halos().flat_map(move |halo| {
            let limits = [1, 2, 3, 4, 5, 8, 16, 64].map(|limit| Extent::new(limit, limit));
            let within = limits.map(move |limit| Plan::within(shape, limit, halo).ok());
            let strips = [1, 2, 3, 5, 100].map(move |count| Plan::strips(shape, count, halo));
            let blocks = [(2, 1, 1), (3, 2, 1), (2, 3, 4), (5, 7, 2)];
            let blocks = blocks.into_iter().filter(move |_| !halo.across_ends);
            let blocks = blocks.map(move |(columns, rows, unit)| {
                Plan::blocks(shape, columns, rows, Extent::new(unit, unit), halo)
            });
            within.into_iter().flatten().chain(strips).chain(blocks)
        })
    })
}

fn texels(place: Rectangle) -> impl Iterator<Item = (u32, u32)> {
    let columns = place.x..place.x + place.width;
    (place.y..place.y + place.height).flat_map(move |y| columns.clone().map(move |x| (x, y)))
}

#[test]
fn every_number_is_owned_once() {
    for plan in plans() {
        let mut owned = vec![0; plan.shape.len()];
        for part in &plan.parts {
            assert!(part.owned.texels() > 0 && part.owned.common(part.stored) == part.owned);
            for row in part.owned.y..part.owned.y + part.owned.height {
                let columns = part.owned.x..part.owned.x + part.owned.width;
                plan.shape.numbers_of(row as usize, columns).for_each(|number| owned[number] += 1);
            }
        }
        assert!(owned.iter().all(|count| *count == 1), "{plan}, {:?}", plan.halo);
    }
}

#[test]
fn parts_are_within_the_limit() {
    for (numbers, width) in SHAPES {
        let shape = GridShape::in_rows(numbers, width);
        for halo in halos() {
            for limit in [1, 2, 3, 4, 5, 8, 16, 64] {
                let extent = Extent::new(limit, limit);
                let Ok(plan) = Plan::within(shape, extent, halo) else {
                    let border = halo.texels(shape);
                    let cuts_rows = halo.across_ends && shape.texels().width > limit;
                    let no_room = 2 * border.width.max(border.height) >= limit;
                    assert!(cuts_rows || no_room, "{shape:?} {halo:?} {limit}");
                    continue;
                };
                assert!(plan.parts.iter().all(|part| part.extent().rectangle().fits(extent)));
                let whole = shape.texels().rectangle().fits(extent);
                assert_eq!(whole, plan.parts.len() == 1, "{plan}");
            }
        }
    }
}

/// Returns the texel of the whole grid that each texel of a part's texture has after the copies.
fn filled(plan: &Plan) -> Vec<Vec<Option<(u32, u32)>>> {
    let place = |part: &Part, (x, y): (u32, u32)| {
        ((y - part.stored.y) * part.stored.width + x - part.stored.x) as usize
    };
    let mut textures: Vec<Vec<Option<(u32, u32)>>> =
        plan.parts.iter().map(|part| vec![None; part.extent().texels()]).collect();
    for (part, texture) in plan.parts.iter().zip(&mut textures) {
        texels(part.owned).for_each(|at| texture[place(part, at)] = Some(at));
    }
    for copy in &plan.copies {
        assert_ne!(copy.from, copy.to);
        let (source, target) = (&plan.parts[copy.from], &plan.parts[copy.to]);
        for (from, to) in texels(copy.source).zip(texels(copy.target)) {
            let whole = (from.0 + source.stored.x, from.1 + source.stored.y);
            assert!(texels(source.owned).any(|owned| owned == whole), "{plan}");
            let slot = &mut textures[copy.to][(to.1 * target.stored.width + to.0) as usize];
            assert_eq!(slot.replace(whole), None, "filled twice: {plan}");
        }
    }
    textures
}

#[test]
fn every_halo_texel_that_is_read_is_filled_once_from_its_owner() {
    for plan in plans().filter(|plan| plan.shape.len() < 300) {
        let (n, m, steps) = (plan.shape.len(), plan.shape.width(), plan.halo.steps);
        for (part, texture) in plan.parts.iter().zip(filled(&plan)) {
            for (texel, got) in texels(part.stored).zip(&texture) {
                assert!(got.is_none_or(|got| got == texel), "{plan}: {texel:?} has {got:?}");
            }
            let has = |x: usize, y: usize| {
                let at = ((x / plan.shape.lanes()) as u32, y as u32);
                texels(part.stored)
                    .zip(&texture)
                    .any(|(place, got)| place == at && *got == Some(at))
            };
            for row in part.owned.y..part.owned.y + part.owned.height {
                let columns = part.owned.x..part.owned.x + part.owned.width;
                for number in plan.shape.numbers_of(row as usize, columns) {
                    for read in reads(number, n, m, steps, plan.halo.across_ends) {
                        assert!(has(read % m, read / m), "{plan}: {number} lacks {read}");
                    }
                }
            }
        }
    }
}

/// Returns the extremes of what several products in a row read for one number.
fn reads(number: usize, n: usize, m: usize, steps: usize, across_ends: bool) -> Vec<usize> {
    if across_ends {
        let reach = steps * (m + 1);
        return vec![number.saturating_sub(reach), (number + reach).min(n - 1), number];
    }
    let (x, y) = (number % m, number / m);
    let [left, right] = [x.saturating_sub(steps), (x + steps).min(m - 1)];
    let [down, up] = [y.saturating_sub(steps), (y + steps).min((n - 1) / m)];
    let corners = [(left, down), (right, down), (left, up), (right, up), (x, y)];
    corners.into_iter().map(|(x, y)| y * m + x).filter(|read| *read < n).collect()
}

#[test]
fn what_cannot_be_cut_is_an_error() {
    let shape = GridShape::new(100, 100);
    let across = Halo { steps: 1, across_ends: true };
    let error = Plan::within(shape, Extent::new(16, 16), across).unwrap_err();
    assert_eq!(error.kind(), crate::Kind::Limit);
    assert!(error.to_string().contains("exceeds this device's limit of 16"), "{error}");
    let deep = Halo { steps: 8, across_ends: false };
    assert!(Plan::within(shape, Extent::new(16, 16), deep).is_err());
    assert!(
        Plan::within(GridShape::new(0, 3), Extent::new(1, 1), deep).unwrap().parts().is_empty()
    );
}

/// Checks the panels of ranks: together the parts of all ranks own every number once, and no part
/// stores what its rank does not.
#[test]
fn windows_are_cut_as_grids_are() {
    for (numbers, width) in SHAPES.into_iter().filter(|(n, m)| n % m == 0) {
        let shape = GridShape::new(width, numbers / width);
        for (steps, limit) in [(0, 3), (1, 5), (2, 9)] {
            let halo = Halo { steps, across_ends: false };
            let ranks = Plan::blocks(shape, 2, 3, Extent::new(1, 1), halo);
            for rank in ranks.parts() {
                let local = ranks.block(rank.stored);
                let grid = GridShape::new(local.width(), local.rows.len());
                let window = rank.local(rank.owned);
                let plan = Plan::of_window(grid, window, Extent::new(limit, limit), halo).unwrap();
                let owned: usize = plan.parts().iter().map(|part| part.owned.texels()).sum();
                assert_eq!(owned, window.texels(), "{plan}");
                assert_eq!(grid.texels(), rank.extent());
                for part in plan.parts() {
                    assert_eq!(part.owned.common(window), part.owned);
                    assert!(part.extent().width <= limit && part.extent().height <= limit);
                    assert!(part.stored.fits(rank.extent()));
                }
            }
        }
    }
}

/// Halos that are shallower than those that are stored are filled by fewer copies, to the same
/// places.
#[test]
fn shallower_halos_are_parts_of_deeper_ones() {
    let shape = GridShape::new(61, 40);
    let halo = |steps| Halo { steps, across_ends: false };
    let deep = Plan::blocks(shape, 3, 2, Extent::new(1, 1), halo(5));
    let shallow = Plan::blocks(shape, 3, 2, Extent::new(1, 1), halo(1));
    let whole = |plan: &Plan, copy: &HaloCopy| {
        let (from, to) = (plan.parts[copy.from].stored, plan.parts[copy.to].stored);
        (copy.source.x + from.x, copy.source.y + from.y, copy.target.x + to.x, copy.target.y + to.y)
    };
    let places = |plan: &Plan, copies: &[HaloCopy]| -> Vec<_> {
        copies.iter().map(|copy| (copy.from, copy.to, whole(plan, copy))).collect()
    };
    let within = deep.copies_within(halo(1));
    assert_eq!(places(&deep, &within), places(&shallow, shallow.copies()));
    assert_ne!(within, deep.copies());
}
