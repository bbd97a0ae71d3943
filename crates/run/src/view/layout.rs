//! The rectangles of a field and of its colour bar in a window.

use quadrille::{Extent, Rectangle};

/// Rectangles in a window, counted from its top left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The whole window.
    pub window: Extent,
    /// The field.
    pub place: Rectangle,
    /// The bar of colours, at the bottom; none if it is not wanted or the window is too low.
    pub bar: Option<Rectangle>,
    /// Whether the field's first row is at the bottom.
    pub flip: bool,
}

/// The height of the bar.
const BAR: u32 = 12;
/// The bar is left out of windows lower than this many bars.
const WORTH_A_BAR: u32 = 6;

impl Layout {
    /// Fits a field into a window, in the middle, its sides in proportion: enlarged by the largest
    /// whole factor, or made smaller by any. Its first row is at the top.
    ///
    /// ```
    /// use quadrille_run::view::Layout;
    /// use quadrille::{Extent, Rectangle};
    /// let layout = Layout::new(Extent::new(100, 90), Extent::new(40, 30), false);
    /// assert_eq!(layout.place, Rectangle::new(10, 15, 80, 60));
    /// ```
    pub fn new(window: Extent, field: Extent, with_bar: bool) -> Layout {
        let has_bar = with_bar && window.height >= BAR * WORTH_A_BAR;
        let rows = if has_bar { window.height - BAR } else { window.height };
        let (width, height) = fit(field, window.width, rows);
        let place = Rectangle::new((window.width - width) / 2, (rows - height) / 2, width, height);
        let bar = has_bar.then(|| Rectangle::new(0, rows, window.width, BAR));
        Layout { window, place, bar, flip: false }
    }

    /// Returns the extent of a window that a field fits into well: enlarged if it is small, made
    /// smaller if it is large.
    pub fn window_for(field: Extent) -> Extent {
        const SMALL: u32 = 512;
        const LARGE: u32 = 1024;
        let longest = field.width.max(field.height).max(1);
        let factor = (SMALL / longest).max(1);
        let (width, height) = (field.width * factor, field.height * factor);
        let (width, height) =
            if longest > LARGE { fit(field, LARGE, LARGE) } else { (width, height) };
        Extent::new(width.max(256), height.max(BAR * WORTH_A_BAR) + BAR)
    }
}

/// Returns the size of a field within these numbers of columns and rows, each at least 1.
fn fit(field: Extent, columns: u32, rows: u32) -> (u32, u32) {
    let factor = (columns / field.width.max(1)).min(rows / field.height.max(1));
    if factor > 0 {
        return (field.width * factor, field.height * factor);
    }
    let scaled = |side: u32, most: u32, of: u32| {
        (u64::from(side) * u64::from(most) / u64::from(of.max(1))).max(1) as u32
    };
    // The side with the smaller factor decides.
    let by_width =
        u64::from(columns) * u64::from(field.height) <= u64::from(rows) * u64::from(field.width);
    match by_width {
        true => (columns, scaled(field.height, columns, field.width).min(rows)),
        false => (scaled(field.width, rows, field.height).min(columns), rows),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_field_is_enlarged_by_a_whole_factor_and_stands_in_the_middle() {
        let layout = Layout::new(Extent::new(101, 112), Extent::new(10, 7), true);
        assert_eq!(layout.place, Rectangle::new(0, 15, 100, 70));
        assert_eq!(layout.bar, Some(Rectangle::new(0, 100, 101, 12)));
    }

    #[test]
    fn a_large_field_keeps_its_proportions() {
        let layout = Layout::new(Extent::new(100, 100), Extent::new(1000, 500), false);
        assert_eq!(layout.place, Rectangle::new(0, 25, 100, 50));
        let layout = Layout::new(Extent::new(100, 100), Extent::new(300, 1200), false);
        assert_eq!(layout.place, Rectangle::new(37, 0, 25, 100));
    }

    #[test]
    fn everything_lies_inside_of_the_window_whatever_the_sizes() {
        let sides = [1, 2, 3, 11, 12, 71, 72, 73, 257, 16384];
        for width in sides {
            for height in sides {
                for (columns, rows) in [(1, 1), (1, 16384), (16384, 1), (7, 5), (300, 200)] {
                    let window = Extent::new(width, height);
                    let layout = Layout::new(window, Extent::new(columns, rows), true);
                    assert!(layout.place.fits(window) && layout.place.texels() > 0, "{layout:?}");
                    if let Some(bar) = layout.bar {
                        assert!(bar.fits(window) && bar.y >= layout.place.y + layout.place.height);
                    }
                }
            }
        }
    }

    #[test]
    fn a_window_is_made_so_that_the_field_fits() {
        assert_eq!(Layout::window_for(Extent::new(64, 64)), Extent::new(512, 524));
        assert_eq!(Layout::window_for(Extent::new(600, 400)), Extent::new(600, 412));
        assert_eq!(Layout::window_for(Extent::new(4096, 2048)), Extent::new(1024, 524));
        assert_eq!(Layout::window_for(Extent::new(1, 1)), Extent::new(512, 524));
        assert_eq!(Layout::window_for(Extent::new(5000, 1)), Extent::new(1024, 84));
    }
}
