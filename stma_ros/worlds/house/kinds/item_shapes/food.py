"""Builds food and its packaging."""

from __future__ import annotations

from stma_ros.worlds.house.kinds.item_shapes.basic import packet
from stma_ros.worlds.house.kinds.palette import BLUE, BROWN, GREEN, RED, STEEL, WHITE, YELLOW
from stma_ros.worlds.house.meshes import Colour, Mesh, ball, box, lathe, merge, rod


def apple(c: Colour) -> Mesh:
    return merge([ball((0, 0, 0.042), 0.042, c), box((0, 0, 0.09), (0.006, 0.006, 0.02), BROWN)])


def orange(c: Colour) -> Mesh:
    return ball((0, 0, 0.042), 0.042, c)


def lemon(c: Colour) -> Mesh:
    return merge(
        [
            ball((0, 0, 0.035), 0.035, c),
            ball((0, 0.035, 0.035), 0.016, c, 8),
            ball((0, -0.035, 0.035), 0.016, c, 8),
        ]
    )


def tomato(c: Colour) -> Mesh:
    return merge([ball((0, 0, 0.04), 0.04, c), rod(0, 0, 0.075, 0.085, 0.02, GREEN, 6)])


def banana(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.025), (0.05, 0.1, 0.042), c),
            box((0.012, 0.07, 0.027), (0.042, 0.07, 0.036), c),
            box((0.012, -0.07, 0.027), (0.042, 0.07, 0.036), c),
            box((0.02, 0.112, 0.03), (0.015, 0.02, 0.015), BROWN),
        ]
    )


def pineapple(c: Colour) -> Mesh:
    leaves = [
        lathe([(0.03, 0.15 + 0.03 * k), (0.05, 0.2 + 0.03 * k), (0, 0.22 + 0.03 * k)], GREEN, 6)
        for k in range(3)
    ]
    return merge([lathe([(0, 0), (0.05, 0), (0.065, 0.08), (0.045, 0.16), (0, 0.17)], c, 10), *leaves])


def bread(c: Colour) -> Mesh:
    return merge(
        [box((0, 0, 0.045), (0.11, 0.24, 0.09), c), box((0, 0, 0.1), (0.08, 0.22, 0.03), (222, 176, 112))]
    )


def cake(c: Colour) -> Mesh:
    cherries = [
        ball((0.07 * x, 0.07 * y, 0.105), 0.016, RED, 6) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))
    ]
    return merge(
        [
            rod(0, 0, 0, 0.01, 0.13, WHITE, 16),
            rod(0, 0, 0.01, 0.075, 0.105, c, 16),
            rod(0, 0, 0.075, 0.095, 0.107, WHITE, 16),
            *cherries,
        ]
    )


def cheese(c: Colour) -> Mesh:
    return merge([box((0, 0, 0.035), (0.1, 0.14, 0.07), c), box((0, 0.05, 0.035), (0.102, 0.02, 0.072), RED)])


def cereal_box(c: Colour) -> Mesh:
    return packet(0.07, 0.19, 0.28, c, WHITE)


def pasta(c: Colour) -> Mesh:
    return packet(0.06, 0.12, 0.2, c, YELLOW)


def rice(c: Colour) -> Mesh:
    return merge([packet(0.08, 0.13, 0.17, c, GREEN), box((0, 0, 0.18), (0.02, 0.13, 0.03), c)])


def coffee(c: Colour) -> Mesh:
    return merge([packet(0.07, 0.1, 0.18, c, WHITE), box((0, 0, 0.19), (0.015, 0.1, 0.03), c)])


def milk(c: Colour) -> Mesh:
    return _carton(c, BLUE)


def juice(c: Colour) -> Mesh:
    return _carton(c, WHITE)


def _carton(c: Colour, band: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.1), (0.085, 0.085, 0.2), c),
            box((0, 0, 0.215), (0.05, 0.085, 0.03), band),
            box((0, 0, 0.08), (0.087, 0.087, 0.07), band),
        ]
    )


def can(c: Colour) -> Mesh:
    return merge([rod(0, 0, 0, 0.13, 0.037, c, 14), rod(0, 0, 0.12, 0.135, 0.034, STEEL, 14)])


def jar(c: Colour) -> Mesh:
    return merge([rod(0, 0, 0, 0.12, 0.05, c, 14), rod(0, 0, 0.12, 0.15, 0.046, YELLOW, 14)])
