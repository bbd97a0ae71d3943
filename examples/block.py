#!/usr/bin/env python3
"""The temperature of a block of two materials around a hot chip, in three slices: `examples/block.py block.png`.

Heat flows from a chip through a block of plastic, in which a copper post leads from it to one side; the outside of the block is kept at zero. Where
it has settled, -div(k grad u) is what the chip gives off: one solution with a coefficient k at each point, of three axes.
"""

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

import quadrille_gl as q

COPPER, PLASTIC = 400.0, 0.5


def conductivity(shape: tuple[int, int, int]) -> npt.NDArray[np.float64]:
    """Copper in a post along x from the middle to the far side, plastic elsewhere."""
    z, y, x = (np.arange(n) / n - 0.5 for n in shape)
    post = (np.abs(z)[:, None, None] < 0.06) & (np.abs(y)[:, None] < 0.06) & (x > 0)
    return np.where(post, COPPER, PLASTIC)


def temperature(shape: tuple[int, int, int]) -> npt.NDArray[np.float64]:
    z, y, x = (np.arange(n) / n - 0.5 for n in shape)
    chip = (np.abs(z)[:, None, None] < 0.15) & (np.abs(y)[:, None] < 0.15) & (np.abs(x + 0.04) < 0.04)
    heat = np.where(chip, 1.0, 0.0)
    return q.solve(coefficient=conductivity(shape), b=heat, tolerance=1e-8).x


def colours(u: npt.NDArray[np.float64], most: float) -> npt.NDArray[np.float32]:
    """From black through red and yellow to white, in twenty steps."""
    part = np.floor(20 * u / most) / 20
    return np.clip(np.stack([3 * part, 3 * part - 1, 3 * part - 2], axis=-1), 0, 1).astype("float32")


def main() -> None:
    u = temperature((64, 64, 96))
    side = u.shape[0]
    slices = [u[side // 2], u[:, side // 2], u[:, :, u.shape[2] // 2]]
    bar = np.full((side, 4, 3), 1, "float32")
    parts: list[npt.NDArray[np.float32]] = []
    for one in slices:
        parts += [colours(one, u.max()), bar]
    picture = np.kron(np.concatenate(parts[:-1], axis=1), np.ones((3, 3, 1), "float32"))
    Path(sys.argv[1]).write_bytes(q.array(picture)._repr_png_() or b"")


if __name__ == "__main__":
    main()
