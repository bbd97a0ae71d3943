#!/usr/bin/env python3
"""A sea whose waves are a spectrum: `examples/ocean.py ocean.png`.

The height of the water is a sum of waves of every direction and length. Each travels at a speed of its own, by the dispersion relation of deep
water, and the sum of all is an inverse Fourier transform. Wind makes long waves higher than short ones, and those across it lower. All that is
done for a moment in time stays on the device; the spectrum is made once, by NumPy.

Source: Tessendorf, "Simulating Ocean Water" (SIGGRAPH course notes, 2001).
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np

import quadrille_gl as q

GRAVITY = 9.81


class Sea:
    """A square of water of this many metres a side, which repeats, on a grid of `side` points."""

    def __init__(self, side: int, metres: float, wind: tuple[float, float], seed: int = 1) -> None:
        k = 2 * np.pi * np.fft.fftfreq(side, metres / side)
        kx, ky = np.meshgrid(k, k)
        length = np.hypot(kx, ky)
        speed = np.hypot(*wind)
        safe = np.where(length > 0, length, 1.0)
        # Phillips' spectrum: waves up to what this wind raises, and none shorter than the grid shows well.
        along = (kx * wind[0] + ky * wind[1]) / (safe * speed)
        power = np.exp(-1 / (safe * speed**2 / GRAVITY) ** 2) / safe**4 * along**2 * np.exp(-((safe * metres / side) ** 2))
        power[length == 0] = 0
        random = np.random.default_rng(seed)
        waves = np.sqrt(power / 2) * (random.standard_normal(power.shape) + 1j * random.standard_normal(power.shape))
        # The wave of -k, whose conjugate makes the sum real.
        opposite = np.conj(np.roll(waves[::-1, ::-1], 1, axis=(0, 1)))
        scale = side**2 / np.sqrt(np.sum(np.abs(waves) ** 2 + np.abs(opposite) ** 2))
        self.waves = q.array((scale * waves).astype("complex64"))
        self.opposite = q.array((scale * opposite).astype("complex64"))
        self.rates = q.array(np.sqrt(GRAVITY * length).astype("float32"))
        self.metres = metres / side

    def heights(self, seconds: float) -> q.Array:
        """The water's height at each point, about a metre from the mean."""
        angles = self.rates * seconds
        cosines, sines = angles.cos(), angles.sin()
        forward = self.waves * cosines + (1j * self.waves) * sines
        backward = self.opposite * cosines - (1j * self.opposite) * sines
        result: q.Array = q.ifft2(forward + backward).real
        return result

    def light(self, heights: q.Array) -> q.Array:
        """How bright each point is in the light of a low sun, and darker where the water looks towards us."""
        difference = np.array([[-1, 0, 1]], "float32") / (2 * self.metres)
        x: Any = q.correlate(heights, difference, mode="wrap")
        y: Any = q.correlate(heights, difference.T, mode="wrap")
        facing = (0.5 - 0.8 * x - 0.35 * y) / (1 + x * x + y * y).sqrt()
        return q.maximum(facing, 0.0)


def main() -> None:
    sea = Sea(side=512, metres=240, wind=(9, 4))
    light = np.asarray(sea.light(sea.heights(seconds=12)))[..., np.newaxis]
    deep, bright = np.array([0.02, 0.10, 0.16]), np.array([0.80, 0.93, 0.90])
    colours = np.clip(deep + (bright - deep) * light, 0, 1).astype("float32")
    Path(sys.argv[1]).write_bytes(q.array(colours)._repr_png_() or b"")


if __name__ == "__main__":
    main()
