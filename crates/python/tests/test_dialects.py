"""Shaders as people paste them."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quadrille_gl as q

TOY = "void mainImage(out vec4 o, in vec2 p) { o = vec4(p / iResolution.xy, iTime, 1.0); }"
OLD = "varying vec2 v; uniform sampler2D t; void main() { gl_FragColor = texture2D(t, v).bgra; }"


def rows(height: int) -> np.ndarray:
    return (np.arange(height) + 0.5) / height


def test_a_shadertoy_shader_counts_rows_from_the_bottom() -> None:
    picture = q.run(TOY, size=(5, 3))
    assert picture.shape == (3, 5, 4)
    np.testing.assert_allclose(picture[:, 0, 1], rows(3)[::-1], rtol=1e-6)
    np.testing.assert_allclose(picture[0, :, 0], rows(5), rtol=1e-6)
    upright = q.Kernel(TOY)(size=(5, 3), flip=False)
    np.testing.assert_allclose(upright[:, 0, 1], rows(3), rtol=1e-6)


def test_time_follows_the_rate() -> None:
    experiment = q.Experiment(TOY, size=(2, 2), rate=4.0)
    assert np.all(experiment.step(3)["colour"][..., 2] == 0.5)
    assert np.all(q.Experiment(TOY, size=(2, 2), iTime=7.0).step()["colour"][..., 2] == 7.0)


def test_old_words_are_read() -> None:
    image = np.random.default_rng(1).random((3, 4, 4), dtype="float32")
    np.testing.assert_array_equal(q.run(OLD, t=image), image[..., [2, 1, 0, 3]])
    one = q.Pass(OLD, dialect="legacy", read={"t": "image"})
    two = q.Experiment({"one": one, "two": q.Pass(OLD, read={"t": "one.colour"})}, image=image)
    np.testing.assert_array_equal(two.step()["two.colour"], image)


@pytest.mark.parametrize("make", [q.run, q.Kernel, q.Experiment, q.Pass])
def test_an_unknown_dialect_lists_those_that_there_are(make: Callable[..., object]) -> None:
    with pytest.raises(q.InputError, match="dialect: expected one of: auto, plain, .*isf; got 'twigl'"):
        make(TOY, dialect="twigl")


OWN = """uniform float rate; uniform bool flip; uniform sampler2D dialect; uniform float iTime;
void mainImage(out vec4 o, in vec2 p) { o = vec4(rate, flip, READ(dialect, ivec2(0)).r, p.y); }"""
CLOCK = TOY.replace("void", "uniform float rate; uniform bool flip; uniform float dialect; void").replace(
    "iTime, 1.0", "iTime, rate + float(flip) + dialect"
)
Call = Callable[..., np.ndarray]


def kernel(text: str, *mapping: Any, **given: Any) -> np.ndarray:
    """As `q.run`, through a kernel, which takes no dialect in a call."""
    told = given.pop("dialect") if str(given.get("dialect")) == "shadertoy" else None
    picture: np.ndarray = q.Kernel(text, dialect=told)(*mapping, **given)
    return picture


def experiment(text: str, *mapping: Any, **given: Any) -> np.ndarray:
    """The second step."""
    return q.Experiment(text, *mapping, **given).step().step()["colour"]


@pytest.mark.parametrize("call", [q.run, kernel, experiment])
def test_names_that_a_shader_declares_are_its_own(call: Call) -> None:
    own = np.full((3, 2), 5, "float32")
    expected = np.broadcast_to(np.array([0.25, 1, 5], "float32"), (3, 2, 3))
    for picture in [
        call(OWN, rate=0.25, flip=True, dialect=own),
        call(OWN, {"rate": 0.25, "flip": True, "dialect": own}),
        call(OWN, {"rate": 0.25}, flip=True, dialect=own),
    ]:
        np.testing.assert_array_equal(picture[..., :3], expected)
        np.testing.assert_array_equal(picture[:, 0, 3], [2.5, 1.5, 0.5])


@pytest.mark.parametrize("call", [q.run, kernel, experiment])
def test_a_mapping_that_gives_them_leaves_the_keywords_to_us(call: Call) -> None:
    mapping = {"rate": 0.25, "flip": 1, "dialect": 2}
    picture = call(CLOCK, mapping, size=(5, 3), rate=4.0, flip=False, dialect="shadertoy")
    np.testing.assert_allclose(picture[:, 0, 1], rows(3), rtol=1e-6)
    assert np.all(picture[..., 2] == (0.25 if call is experiment else 0.0))
    assert np.all(picture[..., 3] == 3.25)
    with pytest.raises(q.InputError, match="rate: expected a number.*got 'fast'"):
        call(CLOCK, mapping, size=(5, 3), rate="fast")


@pytest.mark.parametrize("call", [q.run, kernel, experiment])
def test_numbers_given_as_texts_are_the_shaders_too(call: Call) -> None:
    picture = call(CLOCK, size=(5, 3), rate="0.5", flip="true", dialect="2.0")
    assert np.all(picture[..., 3] == 3.5)


def test_what_no_shader_declares_is_checked() -> None:
    calls: list[Call] = [q.run, kernel, experiment]
    for call in calls:
        with pytest.raises(q.InputError, match=r"flip: expected True or False.*`flip`; got \[1, 2\]"):
            call(TOY, size=(2, 2), flip=[1, 2])
    makes: list[Callable[..., object]] = [q.run, q.Experiment]
    for make in makes:
        with pytest.raises(q.InputError, match=r'dialect: expected one of: auto.*; got 2\.5'):
            make(TOY, size=(2, 2), dialect=2.5)
        with pytest.raises(q.InputError, match="dialect: expected one of: auto.*; got 'twigl'"):
            make(CLOCK, size=(2, 2), rate=1, flip=1, dialect="twigl")


def test_a_file_of_passes_whose_shader_declares_them(tmp_path: Path) -> None:
    (tmp_path / "clock.frag").write_text(CLOCK)
    file = tmp_path / "clock.run.toml"
    file.write_text('iterate = 2\nsize = [5, 3]\nuniform = { rate = 1, flip = 1, dialect = 2 }\n[pass.A]\nshader = "clock.frag"\n')
    picture = q.run(file, rate=0.25)
    np.testing.assert_allclose(picture[:, 0, 1], rows(3)[::-1], rtol=1e-6)
    assert np.all(picture[..., 3] == 3.25)
    assert np.all(picture[..., 2] == np.float32(1 / 60))
    picture = q.run(file, {"rate": 0.5, "flip": 0}, rate=4, flip=False, dialect=0)
    np.testing.assert_allclose(picture[:, 0, 1], rows(3), rtol=1e-6)
    assert np.all(picture[..., 3] == 0.5)
    assert np.all(picture[..., 2] == 0.25)


ISF = """/*{
  "INPUTS": [ { "NAME": "image", "TYPE": "image" }, { "NAME": "part", "TYPE": "float", "DEFAULT": 0.5 } ],
  "PASSES": [ { "TARGET": "kept", "PERSISTENT": true, "FLOAT": true, "WIDTH": "floor($WIDTH * $part)" }, {} ]
}*/
void main() {
    vec4 now = PASSINDEX == 0 ? IMG_PIXEL(image, gl_FragCoord.xy) : vec4(IMG_SIZE(kept), RENDERSIZE);
    gl_FragColor = PASSINDEX == 0 ? 0.5 * (IMG_THIS_PIXEL(kept) + now) : now;
}"""


def test_an_isf_shader_of_several_passes_keeps_its_buffer() -> None:
    image = np.random.default_rng(3).random((5, 8, 4), dtype="float32")
    first = q.run(ISF, image=image)
    np.testing.assert_array_equal(first["kept.colour"], 0.5 * image[:, :4])
    np.testing.assert_array_equal(first["colour"], np.broadcast_to(np.array([4, 5, 8, 5]), (5, 8, 4)))
    kernel = q.Kernel(ISF)
    for part in (0.5, 0.5, 0.25, 1):
        # Each call starts again, with targets of the size that it gives.
        kept = kernel(image=image, part=part)["kept.colour"]
        np.testing.assert_array_equal(kept, 0.5 * image[:, : int(8 * part)])
    experiment = q.Experiment(ISF, image=image, part=0.5).step(3)
    np.testing.assert_allclose(experiment["kept.colour"], 0.875 * image[:, :4], rtol=1e-6)
    with pytest.raises(q.InputError, match="uniform `part` gives the sizes"):
        experiment.set(part=1)


def test_an_isf_shader_brings_the_vertex_shader_beside_it(tmp_path: Path) -> None:
    shader = tmp_path / "pair.fs"
    shader.write_text(
        '/*{ "INPUTS": [ { "NAME": "shift", "TYPE": "float", "DEFAULT": 0.25 } ] }*/\n'
        "varying vec2 moved; void main() { gl_FragColor = moved.xyxy; }"
    )
    vertices = "varying vec2 moved; void main() { isf_vertShaderInit(); moved = isf_FragNormCoord + shift; }"
    shader.with_suffix(".vs").write_text(vertices)
    np.testing.assert_array_equal(q.run(shader, size=(2, 1))[0, :, 0], [0.5, 1.0])
    experiment = q.Experiment(shader, size=(2, 1), shift=1.0)
    np.testing.assert_array_equal(experiment.step()["colour"][0, :, 0], [1.25, 1.75])


def test_what_a_shader_leaves_to_chance_is_a_warning() -> None:
    chance = "out float y; void main() { float sum; sum += 1.0; y = sum; }"
    for make in (q.Kernel, lambda text: q.Experiment(text, size=(2, 2))):
        with pytest.warns(UserWarning, match=r"kernel\.frag:1:34: `sum` is read before") as told:
            make(chance)
        assert len(told) == 1
    with pytest.warns(UserWarning, match="`sum` is read before"):
        q.run(chance, size=(2, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        q.Kernel(chance.replace("sum;", "sum = 0.0;", 1))
