"""Builds things with a plug or a battery."""

from __future__ import annotations

from stma_ros.worlds.house.kinds.palette import BLACK, GLOWING, GREY, RED, SCREEN, STEEL, WARM, WHITE
from stma_ros.worlds.house.meshes import Colour, Mesh, box, lathe, merge, rod

_DARK_SCREEN = (34, 40, 52)
_SHADE = (236, 226, 204)


def laptop(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.012), (0.24, 0.34, 0.024), c),
            box((0.02, 0, 0.025), (0.12, 0.3, 0.003), BLACK),
            box((-0.125, 0, 0.13), (0.014, 0.34, 0.22), c),
            box((-0.117, 0, 0.13), (0.003, 0.31, 0.19), _DARK_SCREEN),
        ]
    )


def lit_laptop(c: Colour) -> Mesh:
    return box((-0.116, 0, 0.13), (0.004, 0.31, 0.19), SCREEN)


def table_lamp(c: Colour) -> Mesh:
    return merge([rod(0, 0, 0, 0.02, 0.07, c, 14), rod(0, 0, 0.02, 0.2, 0.014, c), _lamp_shade(0.0, _SHADE)])


def lit_table_lamp(c: Colour) -> Mesh:
    return _lamp_shade(0.002, WARM)


def _lamp_shade(proud: float, c: Colour) -> Mesh:
    return lathe(
        [(0, 0.17 - proud), (0.1 + proud, 0.17 - proud), (0.065 + proud, 0.31 + proud), (0, 0.31 + proud)], c
    )


def radio(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.08), (0.09, 0.24, 0.16), c),
            rod(0, 0, 0, 0.004, 0.045, GREY).placed(0.046, -0.06, 0.05),
            box((0.046, 0.05, 0.06), (0.004, 0.1, 0.08), BLACK),
            box((0.046, 0, 0.13), (0.004, 0.2, 0.04), BLACK),
            box((0, 0, 0.175), (0.02, 0.16, 0.014), STEEL),
        ]
    )


def lit_radio(c: Colour) -> Mesh:
    return box((0.047, 0, 0.13), (0.006, 0.2, 0.04), WARM)


def torch(c: Colour) -> Mesh:
    """Builds a torch that stands on its tail, so that the light is on top."""
    return merge(
        [
            rod(0, 0, 0, 0.13, 0.024, c),
            lathe([(0.024, 0.13), (0.04, 0.17), (0, 0.17)], c),
            _torch_head(0.0, GREY),
        ]
    )


def lit_torch(c: Colour) -> Mesh:
    return _torch_head(0.002, WARM)


def _torch_head(proud: float, c: Colour) -> Mesh:
    return lathe([(0.041 + proud, 0.165), (0.041 + proud, 0.2 + proud), (0, 0.2 + proud)], c)


def hair_dryer(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.14), (0.2, 0.075, 0.075), c),
            box((-0.03, 0, 0.06), (0.05, 0.045, 0.12), c),
            box((0.11, 0, 0.14), (0.03, 0.06, 0.06), BLACK),
        ]
    )


def lit_hair_dryer(c: Colour) -> Mesh:
    return box((0.112, 0, 0.14), (0.03, 0.064, 0.064), GLOWING)


def tablet(c: Colour) -> Mesh:
    return _slate(0.18, 0.25, c)


def phone(c: Colour) -> Mesh:
    return _slate(0.08, 0.15, c)


def _slate(depth: float, width: float, c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.007), (depth, width, 0.014), c),
            box((0, 0, 0.0145), (depth - 0.02, width - 0.02, 0.002), _DARK_SCREEN),
        ]
    )


def remote(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.018), (0.06, 0.2, 0.036), c),
            box((0, 0.07, 0.037), (0.02, 0.02, 0.004), RED),
            box((0, -0.01, 0.037), (0.035, 0.09, 0.003), GREY),
        ]
    )


def camera(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.05), (0.07, 0.14, 0.09), c),
            box((0, 0, 0.1), (0.05, 0.06, 0.02), c),
            rod(0, 0, 0, 0.06, 0.035, GREY).placed(0.05, 0, 0.02),
        ]
    )


def headphones(c: Colour) -> Mesh:
    cups = [rod(0, sy * 0.075, 0, 0.075, 0.035, c) for sy in (-1, 1)]
    sides = [box((0, sy * 0.075, 0.11), (0.022, 0.014, 0.09), BLACK) for sy in (-1, 1)]
    return merge([*cups, *sides, box((0, 0, 0.16), (0.026, 0.16, 0.016), c)])


def iron(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.01), (0.22, 0.11, 0.02), STEEL),
            box((-0.01, 0, 0.05), (0.18, 0.1, 0.06), c),
            box((-0.01, 0, 0.12), (0.15, 0.03, 0.025), BLACK),
            box((-0.08, 0, 0.1), (0.02, 0.03, 0.05), BLACK),
            box((0.06, 0, 0.1), (0.02, 0.03, 0.05), BLACK),
        ]
    )


def clock(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.08), (0.07, 0.16, 0.16), c),
            box((0.036, 0, 0.08), (0.003, 0.13, 0.13), WHITE),
            box((0.038, 0, 0.1), (0.003, 0.01, 0.05), BLACK),
            box((0.038, 0.02, 0.08), (0.003, 0.045, 0.01), BLACK),
        ]
    )
