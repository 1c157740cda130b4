"""Forms that several small things share."""

from __future__ import annotations

from stma_ros.worlds.house.meshes import Colour, Mesh, ball, box, lathe, merge


def cup_shape(bottom: float, brim: float, height: float, c: Colour) -> Mesh:
    """Returns an open vessel with a thin wall; radii at its bottom and its brim [m]."""
    wall = min(0.008, brim * 0.12)
    inner = max(bottom - wall, bottom * 0.8)
    return lathe([(0, 0), (bottom, 0), (brim, height), (brim - wall, height), (inner, 0.014), (0, 0.014)], c)


def lining(bottom: float, brim: float, height: float, c: Colour) -> Mesh:
    """Returns the inside of such a vessel in a colour of its own."""
    wall = min(0.008, brim * 0.12)
    inner = max(bottom - wall, bottom * 0.8)
    return lathe([(brim - wall - 0.0008, height - 0.001), (inner - 0.0008, 0.0148), (0, 0.0148)], c)


def surface(radius: float, height: float, c: Colour) -> Mesh:
    """Returns the level surface of a liquid, which is visible from above only."""
    return lathe([(radius, height), (0, height)], c)


def flower(x: float, y: float, z: float, c: Colour) -> Mesh:
    return ball((x, y, z), 0.035, c, 8)


def packet(depth: float, width: float, height: float, c: Colour, label: Colour) -> Mesh:
    """Returns a box with a label on its front and back."""
    labels = [
        box((side * depth / 2, 0, height * 0.55), (0.003, width * 0.7, height * 0.4), label)
        for side in (-1, 1)
    ]
    return merge([box((0, 0, height / 2), (depth, width, height), c), *labels])


def folded(depth: float, width: float, height: float, c: Colour, trim: Colour) -> Mesh:
    """Returns a pile of cloth, with a strip of another colour."""
    return merge(
        [
            box((0, 0, height * 0.3), (depth, width, height * 0.6), c),
            box((0, 0, height * 0.75), (depth - 0.02, width - 0.02, height * 0.5), c),
            box((0, 0, height * 0.5), (depth + 0.004, width * 0.14, height * 1.02), trim),
        ]
    )
