//! `quadrille bench cluster`, on ranks within one process.

use crate::runner::Folder;

#[test]
fn steps_and_products_of_several_ranks_are_right() {
    let folder = Folder::new();
    let arguments = "bench cluster --ranks 1,2 --side 64 --halos 3 --product 70 --runs 1";
    let run = folder.run(&format!("{arguments} --plot scaling.svg --json")).ended(0);
    let json = run.json();
    let rows = json["rows"].as_array().unwrap();
    let works: Vec<_> = rows
        .iter()
        .map(|row| (row["work"].as_str().unwrap(), row["ranks"].as_u64().unwrap()))
        .collect();
    let steps = [("jacobi", 1), ("jacobi", 2), ("jacobi", 2)];
    let solutions = [("solve", 1), ("solve", 2), ("solve", 2)];
    let products = [("on-device", 1), ("product", 1), ("product", 2), ("product", 2)];
    assert_eq!(works, [&steps[..], &solutions[..], &products[..]].concat());
    assert!(
        rows.iter().all(|row| row["right"] == true && row["median_ms"].as_f64().unwrap() > 0.0),
        "{json}"
    );
    let two = &rows[1];
    assert_eq!(
        (&two["scaling"], &two["across"], &two["size"]),
        (&"weak".into(), &"1x2".into(), &"64x128".into())
    );
    assert!(
        two["exposed_ms"].as_f64().is_some() && two["sent_bytes"].as_u64().unwrap() >= 64 * 3 * 4,
        "{two}"
    );
    assert!(json["messages"].as_array().unwrap().iter().all(|message| message["right"] == true));
    assert_eq!(json["processes"], false);
    let svg = std::fs::read_to_string(folder.file("scaling.svg")).unwrap();
    assert!(svg.contains("show that results are right") && svg.contains("jacobi, weak, halo 3"));
}

#[test]
fn one_rank_has_no_messages() {
    let run = Folder::new()
        .run("bench cluster --ranks 1 --side 64 --halos 1 --product 0 --no-solve --runs 1")
        .ended(0);
    assert!(run.out.contains("jacobi") && !run.out.contains("message ["), "{}", run.out);
    Folder::new().run("bench cluster --ranks 0").ended(2);
}
