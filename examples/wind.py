#!/usr/bin/env python3
"""Wind around a ball, in the slice through its middle: `examples/wind.py wind.png`.

Air flows through a channel of cells with a velocity on each of their faces. A step carries the velocities along themselves, and then takes away
the gradient of a pressure so that as much flows into each cell as out of it, with nothing through the ball's faces: a Poisson equation in three
dimensions, whose matrix of seven points knows the ball, solved by conjugate gradients with multigrid on the device. At the far end the pressure is
zero, and the air leaves.

Source: Stam, "Stable fluids" (1999), on the staggered grid of Harlow and Welch (1965).
"""

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import scipy.ndimage
import scipy.sparse

import quadrille_gl as q

Array = npt.NDArray[np.float64]


def faces(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    """The shape of the faces across an axis of a grid of cells."""
    return tuple(n + (axis == at) for at, n in enumerate(shape))


class Channel:
    """Cells (z, y, x), of which a ball is closed; the air comes in where x is 0."""

    def __init__(self, shape: tuple[int, int, int]) -> None:
        self.shape = shape
        z, y, x = np.indices(shape) + 0.5
        middle, radius = np.array([shape[0] / 2, shape[1] / 2, shape[2] / 4]), shape[1] / 6
        self.open = (z - middle[0]) ** 2 + (y - middle[1]) ** 2 + (x - middle[2]) ** 2 > radius**2
        # Faces between two open cells, and the ends of the channel; what is not one lets no air through.
        self.passes = []
        for axis in range(3):
            sides = [(1, 1) if axis == at else (0, 0) for at in range(3)]
            cells = np.pad(self.open, sides, constant_values=axis == 2)
            before, behind = (np.delete(cells, end, axis) for end in (-1, 0))
            self.passes.append(before & behind)
        self.velocity = [np.where(passes, float(axis == 2), 0.0) for axis, passes in enumerate(self.passes)]
        # The air does not come in quite evenly, so that the wake need not be symmetric.
        self.inflow = 1 + 0.05 * np.sin(2 * np.pi * np.arange(shape[1]) / shape[1])[None, :] * np.ones(shape[:2])
        self.matrix = self.poisson()

    def poisson(self) -> scipy.sparse.csr_array:
        """The pressure's matrix: -1 between open cells that share a face, and on the diagonal how many faces a cell has that let air through."""
        n = int(np.prod(self.shape))
        index = np.arange(n).reshape(self.shape)
        diagonal = np.where(self.open, 0.0, 1.0)
        matrix = scipy.sparse.csr_array((n, n))
        for axis in range(3):
            inner = self.passes[axis].take(range(1, self.shape[axis]), axis)
            before, behind = (np.delete(index, end, axis)[inner] for end in (-1, 0))
            pairs = (np.concatenate([before, behind]), np.concatenate([behind, before]))
            matrix = matrix + scipy.sparse.coo_array((np.full(2 * len(before), -1.0), pairs), shape=(n, n))
            np.add.at(diagonal.reshape(-1), pairs[0], 1.0)
        diagonal[:, :, -1] += self.open[:, :, -1]  # towards the pressure zero at the far end
        return (matrix + scipy.sparse.diags_array(diagonal.ravel())).tocsr()

    def at(self, points: list[Array], axis: int) -> Array:
        """A component of the velocity at points in cells, linear between the middles of faces."""
        places = [point - 0.5 * (axis != at) for at, point in enumerate(points)]
        return np.asarray(scipy.ndimage.map_coordinates(self.velocity[axis], places, order=1, mode="nearest"))

    def step(self, time: float) -> float:
        """Goes on by a time; returns the largest part of air that a cell would keep or lose without the pressure's gradient."""
        carried = []
        for axis in range(3):
            points = [place + 0.5 * (axis != at) for at, place in enumerate(np.indices(faces(self.shape, axis)).astype(float))]
            back = [point - time * self.at(points, at) for at, point in enumerate(points)]
            carried.append(np.where(self.passes[axis], self.at(back, axis), 0.0))
        self.velocity = carried
        self.velocity[2][:, :, 0] = self.inflow
        before = np.abs(self.divergence()).max()
        pressure = q.solve(self.matrix, -self.divergence(), shape=self.shape, tolerance=1e-6).x
        for axis in range(3):
            inside = tuple(slice(1, -1) if axis == at else slice(None) for at in range(3))
            self.velocity[axis][inside] -= np.where(self.passes[axis][inside], np.diff(pressure, axis=axis), 0.0)
        self.velocity[2][:, :, -1] += np.where(self.open[:, :, -1], pressure[:, :, -1], 0.0)
        return float(before)

    def divergence(self) -> Array:
        """What flows out of each open cell, less what flows in."""
        total = sum(np.diff(velocity, axis=axis) for axis, velocity in enumerate(self.velocity))
        return np.where(self.open, total, 0.0)

    def speed(self) -> Array:
        """The speed in the middles of cells."""
        middles = [(v.take(range(v.shape[axis] - 1), axis) + v.take(range(1, v.shape[axis]), axis)) / 2 for axis, v in enumerate(self.velocity)]
        return np.asarray(np.sqrt(sum(v**2 for v in middles)))


def main() -> None:
    channel = Channel((32, 48, 96))
    for _ in range(40):
        channel.step(2.0)
    across = channel.shape[0] // 2
    speed, ball = channel.speed()[across], ~channel.open[across]
    slow, fast = np.array([0.10, 0.14, 0.35]), np.array([1.0, 0.95, 0.70])
    colours = slow + (fast - slow) * np.clip(speed / 1.5, 0, 1)[..., None]
    colours[ball] = 0.5
    picture = np.kron(colours, np.ones((8, 8, 1))).astype("float32")
    Path(sys.argv[1]).write_bytes(q.array(picture)._repr_png_() or b"")


if __name__ == "__main__":
    main()
