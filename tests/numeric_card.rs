mod common;
#[test]
fn temp() {
    common::on(&[common::Flavour::Gl], |context| {
        for row in quadrille::measure::card::temp(context).unwrap() {
            eprintln!("{:?} {:<16} {:<20} {:>12.3} {:>8.3} {:>9.2e} {:>5} {:?} {:?}", row.engine, row.operation, row.range, row.max_ulps, row.mean_ulps, row.max_error, row.not_nearest, row.worst, row.kept);
        }
    });
}
