"""Builds things for reading, writing, playing and decoration."""

from __future__ import annotations

from stma_ros.worlds.house.kinds.palette import BLACK, BLUE, BROWN, GREEN, GREY, STEEL, TAN, WHITE
from stma_ros.worlds.house.meshes import Colour, Mesh, ball, box, lathe, merge, rod


def book(c: Colour) -> Mesh:
    return merge(
        [box((0, 0, 0.02), (0.17, 0.24, 0.04), c), box((0.004, 0, 0.02), (0.165, 0.244, 0.03), WHITE)]
    )


def notebook(c: Colour) -> Mesh:
    rings = [box((-0.075, 0.09 * k, 0.011), (0.02, 0.012, 0.024), STEEL) for k in (-1, -0.5, 0, 0.5, 1)]
    return merge([box((0, 0, 0.01), (0.15, 0.21, 0.02), c), *rings])


def magazine(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.006), (0.21, 0.29, 0.012), c),
            box((-0.07, 0, 0.0125), (0.05, 0.24, 0.002), WHITE),
            box((0.03, 0, 0.0125), (0.1, 0.18, 0.002), TAN),
        ]
    )


def game(c: Colour) -> Mesh:
    squares = [
        box((0.05 * (k % 2) - 0.025, 0.06 * (k // 2) - 0.06, 0.0605), (0.045, 0.055, 0.002), WHITE)
        for k in (0, 3, 4)
    ]
    return merge([box((0, 0, 0.03), (0.2, 0.28, 0.06), c), *squares])


def picture_frame(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.11), (0.02, 0.17, 0.22), c),
            box((0.0105, 0, 0.11), (0.002, 0.13, 0.18), (206, 220, 226)),
            box((0.0115, 0, 0.07), (0.002, 0.13, 0.09), (104, 140, 96)),
            box((-0.03, 0, 0.06), (0.06, 0.03, 0.012), c),
        ]
    )


def stapler(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.012), (0.05, 0.16, 0.024), BLACK),
            box((0, -0.005, 0.045), (0.045, 0.15, 0.03), c),
            box((0, -0.06, 0.03), (0.04, 0.03, 0.03), c),
        ]
    )


def globe(c: Colour) -> Mesh:
    return merge(
        [
            rod(0, 0, 0, 0.015, 0.07, BROWN, 14),
            rod(0, 0, 0.015, 0.06, 0.012, BROWN),
            ball((0, 0, 0.15), 0.095, c, 16),
            ball((0.04, 0.03, 0.17), 0.068, GREEN, 12),
            ball((-0.045, -0.02, 0.14), 0.062, GREEN, 12),
        ]
    )


def candle(c: Colour) -> Mesh:
    return merge(
        [
            rod(0, 0, 0, 0.015, 0.05, STEEL, 12),
            rod(0, 0, 0.015, 0.16, 0.035, c, 12),
            rod(0, 0, 0.16, 0.18, 0.005, BLACK),
        ]
    )


def cactus(c: Colour) -> Mesh:
    return merge(
        [
            lathe([(0, 0), (0.05, 0), (0.065, 0.09), (0, 0.09)], (190, 108, 72)),
            lathe([(0.035, 0.09), (0.045, 0.16), (0.035, 0.24), (0, 0.26)], c),
            ball((0, 0.05, 0.19), 0.022, c, 8),
        ]
    )


def teddy_bear(c: Colour) -> Mesh:
    return merge(
        [
            ball((0, 0, 0.09), 0.09, c),
            ball((0, 0, 0.22), 0.07, c),
            ball((0, 0.055, 0.28), 0.03, c),
            ball((0, -0.055, 0.28), 0.03, c),
            ball((0.06, 0, 0.21), 0.03, (232, 208, 176)),
            ball((0.07, 0.07, 0.045), 0.045, c),
            ball((0.07, -0.07, 0.045), 0.045, c),
            ball((0.03, 0.1, 0.13), 0.04, c),
            ball((0.03, -0.1, 0.13), 0.04, c),
        ]
    )


def doll(c: Colour) -> Mesh:
    skin = (232, 190, 160)
    arms = [box((0, sy * 0.075, 0.17), (0.03, 0.05, 0.03), skin) for sy in (-1, 1)]
    return merge(
        [
            lathe([(0, 0), (0.09, 0), (0.035, 0.2), (0, 0.2)], c, 12),
            *arms,
            ball((0, 0, 0.245), 0.05, skin),
            ball((-0.012, 0, 0.26), 0.05, BROWN),
        ]
    )


def toy_car(c: Colour) -> Mesh:
    wheels = [
        box((sx * 0.06, sy * 0.05, 0.025), (0.05, 0.02, 0.05), BLACK) for sx in (-1, 1) for sy in (-1, 1)
    ]
    return merge(
        [
            box((0, 0, 0.05), (0.22, 0.1, 0.05), c),
            box((-0.01, 0, 0.095), (0.11, 0.09, 0.05), (170, 210, 230)),
            *wheels,
        ]
    )


def ball_toy(c: Colour) -> Mesh:
    return merge([ball((0, 0, 0.11), 0.11, c, 16), rod(0, 0, 0.1, 0.12, 0.111, WHITE, 16)])


def building_blocks(c: Colour) -> Mesh:
    """Builds a small tower of blocks."""
    return merge(
        [
            box((0, -0.05, 0.04), (0.08, 0.08, 0.08), c),
            box((0, 0.05, 0.04), (0.08, 0.08, 0.08), BLUE),
            box((0, 0, 0.12), (0.08, 0.08, 0.08), GREEN),
            box((0, 0, 0.2), (0.05, 0.05, 0.08), c),
        ]
    )


def umbrella(c: Colour) -> Mesh:
    """Builds a folded umbrella, lying along y."""
    return merge(
        [
            box((0, 0.03, 0.03), (0.06, 0.28, 0.06), c),
            box((0, -0.13, 0.03), (0.02, 0.06, 0.02), GREY),
            box((0.015, -0.17, 0.03), (0.05, 0.025, 0.025), BROWN),
        ]
    )


def hammer(c: Colour) -> Mesh:
    return merge(
        [box((0, -0.02, 0.022), (0.03, 0.26, 0.03), c), box((0, 0.12, 0.03), (0.12, 0.04, 0.05), GREY)]
    )
