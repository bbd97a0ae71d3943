"""Device arrays as the pictures that notebooks show."""

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import quadrille_gl as q

Random = Callable[..., npt.NDArray[np.float32]]


def decoded(png: bytes | None) -> npt.NDArray[Any]:
    pillow = pytest.importorskip("PIL.Image")
    assert png is not None
    return np.asarray(pillow.open(io.BytesIO(png)))


@pytest.mark.parametrize("channels", [3, 4])
def test_colours_are_shown_as_a_picture_of_their_numbers(channels: int, random: Random) -> None:
    x = random(7, 13, channels) * np.float32(1.5) - np.float32(0.25)
    x[2, 3, 0], x[2, 3, 1] = np.nan, np.inf
    # As the command writes pictures: clamped, NaN black, rounded to the nearest level.
    exact = np.clip(np.nan_to_num(x.astype("f8"), nan=0.0, posinf=1.0), 0, 1) * 255
    shown = decoded(q.array(x)._repr_png_())
    assert shown.shape == (7, 13, channels)
    assert np.all(np.abs(shown - exact) <= 0.5 + 1e-9)
    half = q.array(x[::2, ::-1]) > 0.5
    assert np.array_equal(decoded(half._repr_png_()), 255 * (x[::2, ::-1] > 0.5))


def test_numbers_are_shown_through_a_colour_map() -> None:
    x = np.zeros((20, 30), "f4")
    x[5:, 10:] = 1
    map_of = decoded(q.array(x)._repr_png_())
    assert np.array_equal(map_of, decoded(q.array(x.reshape(20, 30, 1))._repr_png_()))
    # The two ends of viridis have the same area, as the two numbers do; the scale adds a line.
    ends = [np.all(map_of == colour, axis=2).sum() for colour in [(253, 231, 37), (68, 1, 84)]]
    assert min(ends) >= 300 and 0.95 < ends[0] / ends[1] < 1.05


@pytest.mark.parametrize("shape", [(5,), (0, 3), (4, 0, 3), (4, 5, 2), (4, 5, 5), (2, 2, 2, 3)])
def test_other_shapes_have_no_picture(shape: tuple[int, ...]) -> None:
    assert q.array(np.zeros(shape, "f4"))._repr_png_() is None
