//! Colour maps. They are perceptually ordered and told apart with any colour vision; a value that is no number has a colour that
//! stands in none of them.

/// Red, green, blue in sRGB.
pub type Rgb = [u8; 3];

/// NaN and infinities.
pub const NON_FINITE: Rgb = [0xff, 0x2b, 0xd6];

/// A family of colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Map {
    /// From dark to bright, for magnitudes.
    Sequential,
    /// Two hues around a neutral middle, for signed values.
    Diverging,
}

/// What the map is painted on: the neutral middle of a diverging map is near the page's own colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ground {
    /// A light page.
    Light,
    /// A dark page.
    #[default]
    Dark,
}

/// viridis of matplotlib (Stéfan van der Walt and Nathaniel Smith, CC0), at 33 even steps.
const VIRIDIS: [u32; 33] = [
    0x440154, 0x470d60, 0x48186a, 0x482374, 0x472d7b, 0x453781, 0x424086, 0x3e4989, 0x3b528b, 0x375b8d, 0x33638d,
    0x2f6b8e, 0x2c728e, 0x297a8e, 0x26828e, 0x23898e, 0x21918c, 0x1f988b, 0x1fa088, 0x22a785, 0x28ae80, 0x32b67a,
    0x3fbc73, 0x4ec36b, 0x5ec962, 0x70cf57, 0x84d44b, 0x98d83e, 0xaddc30, 0xc2df23, 0xd8e219, 0xece51b, 0xfde725,
];
/// berlin of Fabio Crameri's Scientific Colour Maps (MIT), at 33 even steps: blue, near black, red.
const BERLIN: [u32; 33] = [
    0x9eb0ff, 0x8caef6, 0x79abed, 0x65a7e2, 0x519fd3, 0x4194c1, 0x3685ad, 0x2e7699, 0x286886, 0x225973, 0x1d4b61,
    0x183d4f, 0x14303e, 0x11242e, 0x111a20, 0x121214, 0x190c09, 0x220c02, 0x2b0e01, 0x351000, 0x411201, 0x4d1602,
    0x5b1d08, 0x6c2711, 0x7d341e, 0x8e422e, 0x9e513f, 0xae6051, 0xbe6f63, 0xce7f76, 0xdf8f89, 0xf09f9c, 0xffadad,
];
/// RdBu of ColorBrewer (Cynthia Brewer, Apache-2.0), reversed, at 33 even steps: blue, near white, red.
const BLUE_RED: [u32; 33] = [
    0x053061, 0x0e4179, 0x175290, 0x1f63a8, 0x2a71b2, 0x3480b9, 0x3f8ec0, 0x529dc8, 0x6bacd1, 0x84bcd9, 0x9bc9e0,
    0xaed3e6, 0xc2ddec, 0xd4e6f1, 0xe0ecf3, 0xecf2f5, 0xf7f6f6, 0xf9eee7, 0xfbe5d8, 0xfddcc9, 0xfbccb4, 0xf8bb9e,
    0xf5aa89, 0xee9677, 0xe48066, 0xdb6b55, 0xd05548, 0xc53e3d, 0xba2832, 0xab162a, 0x930e26, 0x7c0722, 0x67001f,
];

/// The colour at a position from 0 to 1; what lies outside has the colour of the nearer end.
pub fn at(map: Map, ground: Ground, position: f64) -> Rgb {
    let table = match (map, ground) {
        (Map::Sequential, _) => &VIRIDIS,
        (Map::Diverging, Ground::Dark) => &BERLIN,
        (Map::Diverging, Ground::Light) => &BLUE_RED,
    };
    let position = if position.is_nan() { 0.0 } else { position.clamp(0.0, 1.0) };
    let scaled = position * (table.len() - 1) as f64;
    // Positions are at most 1, so the cell below the last is the highest.
    let cell = (scaled as usize).min(table.len() - 2);
    let part = scaled - cell as f64;
    let (from, to) = (rgb(table[cell]), rgb(table[cell + 1]));
    std::array::from_fn(|channel| {
        let (from, to) = (f64::from(from[channel]), f64::from(to[channel]));
        (from + (to - from) * part).round() as u8
    })
}

/// Whether dark text is easier to read on `colour` than light text (relative luminance of WCAG 2, with a gamma of 2.2).
pub fn wants_dark_text(colour: Rgb) -> bool {
    let linear = |channel: u8| (f64::from(channel) / 255.0).powf(2.2);
    let [red, green, blue] = colour;
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) > 0.18
}

fn rgb(packed: u32) -> Rgb {
    let [_, red, green, blue] = packed.to_be_bytes();
    [red, green, blue]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_and_middles() {
        assert_eq!(at(Map::Sequential, Ground::Dark, 0.0), [0x44, 0x01, 0x54]);
        assert_eq!(at(Map::Sequential, Ground::Light, 1.0), [0xfd, 0xe7, 0x25]);
        assert_eq!(at(Map::Diverging, Ground::Dark, 0.5), [0x19, 0x0c, 0x09]);
        assert_eq!(at(Map::Diverging, Ground::Light, 0.5), [0xf7, 0xf6, 0xf6]);
        assert_eq!(at(Map::Diverging, Ground::Light, f64::NAN), at(Map::Diverging, Ground::Light, 0.0));
    }

    #[test]
    fn no_map_comes_near_the_colour_of_nan() {
        for (map, ground) in
            [(Map::Sequential, Ground::Dark), (Map::Diverging, Ground::Dark), (Map::Diverging, Ground::Light)]
        {
            for step in 0..=1000 {
                let colour = at(map, ground, f64::from(step) / 1000.0);
                let distance: u32 = colour.iter().zip(NON_FINITE).map(|(a, b)| u32::from(a.abs_diff(b))).sum();
                assert!(distance > 120, "{map:?} {ground:?} {colour:?}");
            }
        }
    }

    #[test]
    fn text_contrasts() {
        assert!(wants_dark_text([0xfd, 0xe7, 0x25]));
        assert!(!wants_dark_text([0x44, 0x01, 0x54]));
    }
}
