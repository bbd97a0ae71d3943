//! Fields and colours of three channels as textures.

use quadrille::data::{Field, Values};
use quadrille::gl::{Error, FieldTexel};
use quadrille::{Context, Extent, Kind, Rectangle, stream};

fn comes_back<T: FieldTexel>(
    context: &Context,
    channels: usize,
    make: impl Fn(Vec<u32>) -> Values,
) {
    for extent in [Extent::new(1, 1), Extent::new(5, 3)] {
        let count = extent.texels() * channels;
        let field = Field::new(extent, channels, make((1..=count as u32).collect())).unwrap();
        let texture = context.texture_of::<T>(&field).unwrap();
        assert_eq!(texture.field().unwrap(), field);
    }
}

#[test]
fn a_field_comes_back_from_a_texture_of_its_texels() {
    let floats =
        |numbers: Vec<u32>| numbers.iter().map(|x| *x as f32 / 7.0).collect::<Vec<_>>().into();
    let integers =
        |numbers: Vec<u32>| numbers.iter().map(|x| -(*x as i32)).collect::<Vec<_>>().into();
    let unsigned =
        |numbers: Vec<u32>| numbers.iter().map(|x| u32::MAX - x).collect::<Vec<_>>().into();
    crate::common::each(|context| {
        comes_back::<f32>(context, 1, floats);
        comes_back::<[f32; 2]>(context, 2, floats);
        comes_back::<[f32; 3]>(context, 3, floats);
        comes_back::<[f32; 4]>(context, 4, floats);
        comes_back::<i32>(context, 1, integers);
        comes_back::<[i32; 2]>(context, 2, integers);
        comes_back::<[i32; 3]>(context, 3, integers);
        comes_back::<[i32; 4]>(context, 4, integers);
        comes_back::<u32>(context, 1, unsigned);
        comes_back::<[u32; 2]>(context, 2, unsigned);
        comes_back::<[u32; 3]>(context, 3, unsigned);
        comes_back::<[u32; 4]>(context, 4, unsigned);
    });
}

#[test]
fn a_field_of_other_texels_is_refused() {
    let context = Context::headless().unwrap();
    let picture = Field::new(Extent::new(1, 2), 3, vec![0.5_f32; 6]).unwrap();
    let error = context.texture_of::<[f32; 4]>(&picture).unwrap_err();
    assert!(matches!(error, Error::FieldTexel { channels: 3, .. }), "{error}");
    assert_eq!(error.kind(), Kind::Input);
    let integers = Field::new(Extent::new(1, 2), 1, vec![1, 2]).unwrap();
    let error = context.texture_of::<f32>(&integers).unwrap_err();
    assert!(error.to_string().contains("1 integers"), "{error}");
    assert!(context.texture_of::<u32>(&integers).is_err());
}

/// The device stores four channels, of which the fourth reads as 1 after every way to write.
#[test]
fn a_colour_of_three_channels_reads_as_written_and_its_fourth_as_one() {
    crate::common::each(|context| {
        let extent = Extent::new(3, 2);
        let colours: Vec<[f32; 3]> = (0..6).map(|i| [i as f32, -0.5 * i as f32, 1e30]).collect();
        let all = crate::common::kernel(
            context,
            "uniform sampler2D image; out vec4 o; void main() { o = READ(image, TEXEL); }",
        );
        let holds = |image: &quadrille::gl::Texture<[f32; 3]>, expected: &[[f32; 3]]| {
            assert_eq!(image.read().unwrap(), expected);
            assert_eq!(image.read_async().unwrap().read().unwrap(), expected);
            let mut read = context.uninit::<[f32; 4]>(extent).unwrap();
            all.pass().input("image", image).draw(&mut read).unwrap();
            let with_one: Vec<[f32; 4]> =
                expected.iter().map(|[r, g, b]| [*r, *g, *b, 1.0]).collect();
            assert_eq!(read.read().unwrap(), with_one);
        };
        let mut image = context.texture(extent, &colours).unwrap();
        holds(&image, &colours);
        let part = Rectangle::new(1, 0, 2, 1);
        image.write_rectangle(part, &[[7.0; 3], [8.0; 3]]).unwrap();
        assert_eq!(image.read_rectangle(part).unwrap(), [[7.0; 3], [8.0; 3]]);
        let mut copy = context.uninit(extent).unwrap();
        copy.copy_from(&image).unwrap();
        assert_eq!(copy.read().unwrap(), image.read().unwrap());
        image.fill([1.5, 2.5, 3.5]).unwrap();
        holds(&image, &[[1.5, 2.5, 3.5]; 6]);
        let three = "out vec3 o; void main() { o = vec3(4.0, 5.0, 6.0); }";
        crate::common::kernel(context, three).pass().draw(&mut image).unwrap();
        holds(&image, &[[4.0, 5.0, 6.0]; 6]);
        let four = "out vec4 o; void main() { o = vec4(0.25); }";
        let refused = crate::common::kernel(context, four).pass().draw(&mut image).unwrap_err();
        assert!(matches!(refused, stream::Error::Targets { .. }), "{refused}");
    });
}
