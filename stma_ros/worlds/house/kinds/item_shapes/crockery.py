"""Builds things for cooking, eating and drinking."""

from __future__ import annotations

from stma_ros.worlds.house.kinds.item_shapes.basic import cup_shape, flower, lining, surface
from stma_ros.worlds.house.kinds.palette import (
    BLACK,
    BROWN,
    GLOWING,
    GREEN,
    PINK,
    RED,
    SCREEN,
    STEEL,
    WHITE,
    YELLOW,
)
from stma_ros.worlds.house.meshes import EMPTY, Colour, Mesh, box, lathe, merge, rod


def _band(c: Colour, *profile: tuple[float, float]) -> Mesh:
    """Returns a liquid behind a transparent wall; (height, radius) of the wall from below [m]."""
    return lathe([(radius + 0.0015, height) for height, radius in profile], c)


def mug(c: Colour) -> Mesh:
    return merge([cup_shape(0.045, 0.05, 0.11, c), box((0.068, 0, 0.055), (0.035, 0.014, 0.06), c)])


def lined_mug(c: Colour) -> Mesh:
    return lining(0.045, 0.05, 0.11, c)


def full_mug(c: Colour) -> Mesh:
    return surface(0.0432, 0.095, c)


def cup(c: Colour) -> Mesh:
    saucer = lathe([(0, 0), (0.05, 0), (0.075, 0.012), (0, 0.01)], WHITE)
    return merge(
        [
            saucer,
            cup_shape(0.025, 0.047, 0.062, c).placed(0, 0, 0.012),
            box((0.06, 0, 0.045), (0.025, 0.01, 0.03), c),
        ]
    )


def lined_cup(c: Colour) -> Mesh:
    return lining(0.025, 0.047, 0.062, c).placed(0, 0, 0.012)


def full_cup(c: Colour) -> Mesh:
    return surface(0.036, 0.062, c)


def bowl(c: Colour) -> Mesh:
    return cup_shape(0.05, 0.1, 0.08, c)


def lined_bowl(c: Colour) -> Mesh:
    return lining(0.05, 0.1, 0.08, c)


def full_bowl(c: Colour) -> Mesh:
    return surface(0.078, 0.062, c)


def plate(c: Colour) -> Mesh:
    return lathe([(0, 0), (0.07, 0), (0.13, 0.03), (0.12, 0.032), (0.07, 0.012), (0, 0.012)], c)


def glass(c: Colour) -> Mesh:
    return cup_shape(0.032, 0.04, 0.13, c)


def full_glass(c: Colour) -> Mesh:
    return merge([_band(c, (0.012, 0.0327), (0.105, 0.0385)), surface(0.0335, 0.105, c)])


def jug(c: Colour) -> Mesh:
    return merge(
        [
            cup_shape(0.06, 0.058, 0.21, c),
            box((0.065, 0, 0.2), (0.03, 0.03, 0.02), c),
            box((-0.09, 0, 0.12), (0.018, 0.022, 0.12), c),
            box((-0.072, 0, 0.18), (0.04, 0.022, 0.018), c),
        ]
    )


def lined_jug(c: Colour) -> Mesh:
    return lining(0.06, 0.058, 0.21, c)


def full_jug(c: Colour) -> Mesh:
    return surface(0.051, 0.18, c)


def teapot(c: Colour) -> Mesh:
    return merge(
        [
            lathe([(0, 0), (0.055, 0), (0.085, 0.06), (0.06, 0.12), (0, 0.125)], c),
            rod(0, 0, 0.125, 0.145, 0.014, WHITE),
            box((0.105, 0, 0.085), (0.06, 0.02, 0.025), c),
            box((-0.105, 0, 0.07), (0.018, 0.018, 0.08), c),
            box((-0.085, 0, 0.108), (0.04, 0.018, 0.016), c),
        ]
    )


def full_teapot(c: Colour) -> Mesh:
    """Nothing is visible of what is in it."""
    return EMPTY


def kettle(c: Colour) -> Mesh:
    return merge(
        [
            lathe([(0, 0), (0.09, 0), (0.07, 0.16), (0.02, 0.18), (0, 0.18)], c),
            box((0.1, 0, 0.13), (0.06, 0.03, 0.025), c),
            box((-0.095, 0, 0.11), (0.02, 0.025, 0.12), BLACK),
            box((-0.06, 0, 0.175), (0.08, 0.025, 0.018), BLACK),
        ]
    )


def full_kettle(c: Colour) -> Mesh:
    """Builds the water that is visible through the gauge of some kettles."""
    return _band(c, (0.07, 0.0813), (0.12, 0.075))


def lit_kettle(c: Colour) -> Mesh:
    return lathe([(0.0935, 0.0), (0.0905, 0.03)], SCREEN)


def wine_bottle(c: Colour) -> Mesh:
    return merge(
        [
            lathe([(0, 0), (0.042, 0), (0.042, 0.18), (0.016, 0.24), (0.016, 0.29), (0, 0.29)], c),
            rod(0, 0, 0.275, 0.3, 0.019, WHITE),
            rod(0, 0, 0.06, 0.14, 0.043, WHITE, 14),
        ]
    )


def vase(c: Colour) -> Mesh:
    flowers = [
        flower(0.05 * x, 0.05 * y, 0.31 + 0.02 * abs(x + y), colour)
        for x, y, colour in ((0, 0, YELLOW), (1, 0.3, PINK), (-0.8, 0.7, RED), (0.1, -1, YELLOW))
    ]
    return merge(
        [
            lathe([(0, 0), (0.045, 0), (0.07, 0.1), (0.03, 0.2), (0.045, 0.24), (0, 0.22)], c),
            rod(0, 0, 0.22, 0.3, 0.012, GREEN),
            *flowers,
        ]
    )


def full_vase(c: Colour) -> Mesh:
    """Nothing is visible of what is in it."""
    return EMPTY


def pan(c: Colour) -> Mesh:
    return merge([cup_shape(0.11, 0.13, 0.05, c), box((0.18, 0, 0.045), (0.12, 0.025, 0.018), BLACK)])


def pot(c: Colour) -> Mesh:
    return merge([cup_shape(0.105, 0.11, 0.13, c), box((0, 0, 0.11), (0.03, 0.28, 0.02), BLACK)])


def lined_pot(c: Colour) -> Mesh:
    return lining(0.105, 0.11, 0.13, c)


def full_pot(c: Colour) -> Mesh:
    return surface(0.1, 0.1, c)


def chopping_board(c: Colour) -> Mesh:
    return merge(
        [box((0, 0, 0.012), (0.22, 0.34, 0.024), c), box((0, 0.14, 0.025), (0.1, 0.02, 0.002), BROWN)]
    )


def tray(c: Colour) -> Mesh:
    edges = [box((sx * 0.125, 0, 0.025), (0.012, 0.36, 0.05), c) for sx in (-1, 1)]
    ends = [box((0, sy * 0.175, 0.03), (0.25, 0.012, 0.06), c) for sy in (-1, 1)]
    return merge([box((0, 0, 0.008), (0.25, 0.36, 0.016), c), *edges, *ends])


def toaster(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.1), (0.17, 0.28, 0.18), c),
            box((0, 0, 0.008), (0.15, 0.26, 0.016), BLACK),
            box((-0.03, 0, 0.191), (0.025, 0.2, 0.003), BLACK),
            box((0.03, 0, 0.191), (0.025, 0.2, 0.003), BLACK),
            box((0.086, 0, 0.06), (0.004, 0.2, 0.04), BLACK),
        ]
    )


def lit_toaster(c: Colour) -> Mesh:
    from_above = [box((x, 0, 0.193), (0.026, 0.2, 0.006), GLOWING) for x in (-0.03, 0.03)]
    return merge([*from_above, box((0.087, 0, 0.06), (0.006, 0.2, 0.04), GLOWING)])


def coffee_machine(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.02), (0.24, 0.2, 0.04), c),
            box((-0.07, 0, 0.17), (0.1, 0.2, 0.26), c),
            box((0.02, 0, 0.27), (0.2, 0.2, 0.08), c),
            box((0.121, 0, 0.27), (0.004, 0.14, 0.045), BLACK),
            rod(0.05, 0, 0.2, 0.23, 0.02, STEEL),
            cup_shape(0.03, 0.035, 0.08, WHITE).placed(0.05, 0, 0.04),
        ]
    )


def lit_coffee_machine(c: Colour) -> Mesh:
    return box((0.122, 0, 0.27), (0.006, 0.14, 0.045), SCREEN)
