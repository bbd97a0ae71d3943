#!/usr/bin/env python3
"""A picture in a few colours of its own: `examples/palette.py picture.png 8 few.png`.

k-means: each pixel goes to the colour nearest to it, and each colour becomes the mean of its pixels, until none moves. A shader finds the
nearest colour, and the sums of each colour's pixels are histograms with weights, which sort the pixels by their colours.

Source: Lloyd, "Least Squares Quantization in PCM" (1957, published 1982).
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import quadrille_gl as q

_Array = npt.NDArray[Any]

NEAREST = """
uniform sampler2D pixels;
uniform sampler2D colours;
layout(location = 0) out uint label;
layout(location = 1) out float distance_of_label;
void main() {
    vec3 pixel = READ(pixels, TEXEL).rgb;
    label = 0u;
    distance_of_label = 1.0 / 0.0;
    for (int i = 0; i < textureSize(colours, 0).x; i++) {
        vec3 difference = READ(colours, ivec2(i, 0)).rgb - pixel;
        float far = dot(difference, difference);
        if (far < distance_of_label) {
            label = uint(i);
            distance_of_label = far;
        }
    }
}
"""


def means(pixels: _Array, labels: _Array, colours: _Array) -> _Array:
    """The mean of the pixels of each colour; a colour that has none stays."""
    count = len(colours)
    pixels_of = q.bincount(labels.ravel(), minlength=count)
    sums = [q.bincount(labels.ravel(), np.ascontiguousarray(pixels[..., i]).ravel(), count) for i in range(3)]
    result: _Array = np.where(pixels_of[:, None] > 0, np.stack(sums, 1) / np.maximum(pixels_of, 1)[:, None], colours)
    return result.astype("float32")


def palette(pixels: _Array, count: int, seed: int = 1) -> tuple[_Array, _Array, list[float]]:
    """Colours, the number of that of each pixel, and the mean squared distance after each step."""
    nearest = q.Kernel(NEAREST)
    flat = np.unique(pixels.reshape(-1, 3), axis=0)
    colours = flat[np.random.default_rng(seed).permutation(len(flat))[:count]]
    errors: list[float] = []
    while True:
        found = nearest(pixels=pixels, colours=colours[None], size=pixels.shape[1::-1])
        errors.append(float(found["distance_of_label"].mean(dtype="float64")))
        moved = means(pixels, found["label"], colours)
        if np.abs(moved - colours).max() < 1e-4 or len(errors) == 100:
            return colours, found["label"], errors
        colours = moved


def main() -> None:
    picture, count, to = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    pixels = q.Experiment("uniform sampler2D p; out vec3 c; void main() { c = READ(p, TEXEL).rgb; }", p=picture).step()["c"]
    colours, labels, errors = palette(pixels, count)
    print(f"{len(errors)} steps, mean squared distance {errors[0]:.5f} to {errors[-1]:.5f}")
    to.write_bytes(q.array(colours[labels])._repr_png_() or b"")


if __name__ == "__main__":
    main()
