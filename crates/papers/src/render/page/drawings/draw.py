#!/usr/bin/env python3
"""Draws who reads what in six matrix products, as SVG files beside this script.

cp.svg and sp.svg are slides 10 and 11 of Fatahalian, Sugerman and Hanrahan 2004, with the texels that one step of the
loop reads. serial, simple, tiled and shared.svg are figures 8 to 11 of the CUDA tutorial, for a product of 4 x 6 by
6 x 4 elements and its example, C12. An element is named by its row and its column, counted from 0, as there.
"""

from pathlib import Path

CELL, GAP, MARGIN = 34, 46, 30
RED, ORANGE, YELLOW = "#f2a59b", "#f7cf8a", "#f6ee9c"
BLUE, PLAIN = "#a8c8ee", "#ffffff"


class Drawing:
    def __init__(self, rows, inner, columns):
        self.rows, self.inner, self.columns = rows, inner, columns
        # A is left of C and B above it, so that an element of C has its row of A and its column of B beside it.
        self.corners = {
            "A": (MARGIN, MARGIN + inner * CELL + GAP),
            "B": (MARGIN + inner * CELL + GAP, MARGIN),
            "C": (MARGIN + inner * CELL + GAP, MARGIN + inner * CELL + GAP),
        }
        self.shapes = {"A": (rows, inner), "B": (inner, columns), "C": (rows, columns)}
        self.colours, self.parts, self.lines = {}, [], []

    def colour(self, matrix, elements, colour):
        self.colours.update({(matrix, row, column): colour for row, column in elements})

    def texels(self, matrix, height, width):
        """Thick outlines around blocks of this size: texels, tiles or blocks of threads."""
        (x, y), (rows, columns) = self.corners[matrix], self.shapes[matrix]
        for top in range(0, rows, height):
            for left in range(0, columns, width):
                place = f'x="{x + left * CELL}" y="{y + top * CELL}" width="{width * CELL}" height="{height * CELL}"'
                self.parts.append(f'<rect {place} fill="none" stroke="#333333" stroke-width="3"/>')

    def say(self, *lines):
        self.lines += lines

    def svg(self):
        width = max(2 * MARGIN + (self.inner + self.columns) * CELL + GAP, 2 * MARGIN + 7 * max(map(len, self.lines)))
        below = self.corners["C"][1] + self.rows * CELL + 30
        height = below + 20 * len(self.lines)
        out = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
            ' font-family="sans-serif" font-size="12" fill="#222222">',
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        ]
        for matrix, (x, y) in self.corners.items():
            rows, columns = self.shapes[matrix]
            out.append(f'<text x="{x}" y="{y - 8}" font-size="16" font-weight="bold">{matrix}</text>')
            for row in range(rows):
                for column in range(columns):
                    left, top = x + column * CELL, y + row * CELL
                    fill = self.colours.get((matrix, row, column), PLAIN)
                    out.append(
                        f'<rect x="{left}" y="{top}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="#aaaaaa"/>'
                        f'<text x="{left + CELL / 2:g}" y="{top + CELL / 2 + 4:g}" text-anchor="middle">{row}{column}</text>'
                    )
        out += self.parts
        out += [f'<text x="{MARGIN}" y="{below + 20 * at}">{line}</text>' for at, line in enumerate(self.lines)]
        return "\n".join([*out, "</svg>", ""])


def block(top, left, height, width):
    return [(row, column) for row in range(top, top + height) for column in range(left, left + width)]


def column_packed():
    drawing = Drawing(8, 8, 4)
    drawing.colour("C", block(0, 2, 4, 1), BLUE)
    for k, colour in enumerate([RED, ORANGE, YELLOW, "#c9e4a5"]):
        drawing.colour("A", block(0, k, 4, 1), colour)
        drawing.colour("B", [(k, 2)], colour)
    for matrix in "ABC":
        drawing.texels(matrix, 4, 1)
    drawing.say(
        "Column packed: a texel holds four consecutive elements of a column.",
        "A fragment computes the blue texel of C. A step of its loop reads one texel of B and four of A,",
        "and adds each texel of A times the element of B of the same colour: 5 fetches, 4 multiply-adds of vectors.",
    )
    return drawing


def submatrix_packed():
    drawing = Drawing(8, 8, 4)
    drawing.colour("C", block(0, 2, 2, 2), BLUE)
    for k, colour in enumerate([RED, ORANGE]):
        drawing.colour("A", block(0, k, 2, 1), colour)
        drawing.colour("B", block(k, 2, 1, 2), colour)
    for matrix in "ABC":
        drawing.texels(matrix, 2, 2)
    drawing.say(
        "Submatrix packed: a texel holds 2 x 2 elements.",
        "A fragment computes the blue texel of C. A step of its loop reads one texel of A and one of B, and adds",
        "their product: columns of A times rows of B of the same colour: 2 fetches, 2 multiply-adds of vectors.",
    )
    return drawing


def tutorial():
    drawing = Drawing(4, 6, 4)
    drawing.colour("A", block(1, 0, 1, 6), RED)
    drawing.colour("B", block(0, 2, 6, 1), RED)
    drawing.colour("C", [(1, 2)], BLUE)
    return drawing


C12 = "C12 = A10 B02 + A11 B12 + A12 B22 + A13 B32 + A14 B42 + A15 B52."


def serial():
    drawing = tutorial()
    drawing.say("Multiply_Host: one thread computes one element of C after the other.", C12)
    return drawing


def simple():
    drawing = tutorial()
    drawing.texels("C", 4, 4)
    drawing.say(
        "Multiply_Simple: one block has a thread for each element of C.",
        f"Thread 12 reads a row of A and a column of B: {C12}",
        "Every element of A and of B is read four times from memory.",
    )
    return drawing


def tiled():
    drawing = tutorial()
    drawing.texels("C", 2, 2)
    drawing.say(
        "Multiply_Simple_Tile: four blocks of 2 x 2 threads.",
        f"Thread 10 of block 01 reads a row of A and a column of B: {C12}",
        "Every element of A and of B is still read four times from memory.",
    )
    return drawing


def shared():
    drawing = Drawing(4, 6, 4)
    drawing.colour("C", [(1, 2)], BLUE)
    for step, colour in enumerate([RED, ORANGE, YELLOW]):
        drawing.colour("A", block(0, 2 * step, 2, 2), colour)
        drawing.colour("B", block(2 * step, 2, 2, 2), colour)
    drawing.texels("A", 2, 2)
    drawing.texels("B", 2, 2)
    drawing.texels("C", 2, 2)
    drawing.say(
        "Multiply_Fancy_Tile: the threads of block 01 load a tile of A and a tile of B of one colour into shared memory,",
        "an element of each by a thread: thread 10 loads A10 and B12, then A12 and B32, then A14 and B52.",
        "After each it adds two products from shared memory: A10 B02 + A11 B12, then A12 B22 + A13 B32, then A14 B42 + A15 B52.",
        "Every element of A and of B is read twice from memory, once by each block that needs it.",
    )
    return drawing


DRAWINGS = {"cp": column_packed, "sp": submatrix_packed, "serial": serial, "simple": simple, "tiled": tiled, "shared": shared}

if __name__ == "__main__":
    for name, draw in DRAWINGS.items():
        Path(__file__).with_name(f"{name}.svg").write_text(draw().svg())
