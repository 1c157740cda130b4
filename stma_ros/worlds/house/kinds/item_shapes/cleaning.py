"""Builds things for washing, cleaning and storing."""

from __future__ import annotations

from stma_ros.worlds.house.kinds.item_shapes.basic import cup_shape, lining, packet, surface
from stma_ros.worlds.house.kinds.palette import BLACK, BROWN, GREEN, STEEL, WHITE, YELLOW
from stma_ros.worlds.house.meshes import Colour, Mesh, box, merge, rod


def soap_bottle(c: Colour) -> Mesh:
    return merge(
        [
            rod(0, 0, 0, 0.15, 0.04, c, 12),
            rod(0, 0, 0.15, 0.2, 0.012, WHITE),
            box((0.02, 0, 0.205), (0.06, 0.02, 0.018), WHITE),
        ]
    )


def shampoo(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.1), (0.05, 0.09, 0.2), c),
            rod(0, 0, 0.2, 0.235, 0.022, WHITE),
            box((0.026, 0, 0.1), (0.003, 0.06, 0.09), WHITE),
        ]
    )


def toothpaste(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.022), (0.05, 0.17, 0.044), WHITE),
            box((0, 0.02, 0.045), (0.052, 0.08, 0.003), c),
            rod(0, 0.1, 0, 0.04, 0.018, c),
        ]
    )


def toothbrush(c: Colour) -> Mesh:
    """Builds a toothbrush in its beaker."""
    return merge(
        [
            cup_shape(0.035, 0.04, 0.1, WHITE),
            box((0.01, 0, 0.1), (0.014, 0.014, 0.17), c),
            box((0.018, 0, 0.175), (0.02, 0.02, 0.035), BLACK),
        ]
    )


def toilet_paper(c: Colour) -> Mesh:
    return merge([rod(0, 0, 0, 0.1, 0.055, c, 14), rod(0, 0, 0.1, 0.101, 0.02, BROWN, 10)])


def medicine(c: Colour) -> Mesh:
    return merge(
        [
            rod(0, 0, 0, 0.09, 0.035, c, 12),
            rod(0, 0, 0.09, 0.12, 0.037, WHITE, 12),
            rod(0, 0, 0.025, 0.065, 0.036, WHITE, 12),
        ]
    )


def sponge(c: Colour) -> Mesh:
    return merge([box((0, 0, 0.02), (0.08, 0.13, 0.04), c), box((0, 0, 0.047), (0.08, 0.13, 0.014), GREEN)])


def detergent(c: Colour) -> Mesh:
    return merge(
        [
            packet(0.1, 0.16, 0.22, c, WHITE),
            rod(0, 0.04, 0.22, 0.255, 0.03, YELLOW),
            box((0, -0.03, 0.235), (0.03, 0.07, 0.03), c),
        ]
    )


def bucket(c: Colour) -> Mesh:
    return merge(
        [
            cup_shape(0.1, 0.135, 0.22, c),
            box((0.139, 0, 0.2), (0.014, 0.03, 0.03), STEEL),
            box((-0.139, 0, 0.2), (0.014, 0.03, 0.03), STEEL),
        ]
    )


def lined_bucket(c: Colour) -> Mesh:
    return lining(0.1, 0.135, 0.22, c)


def full_bucket(c: Colour) -> Mesh:
    return surface(0.118, 0.17, c)


def watering_can(c: Colour) -> Mesh:
    return merge(
        [
            cup_shape(0.085, 0.075, 0.18, c),
            box((0.12, 0, 0.12), (0.1, 0.024, 0.024), c),
            box((0.165, 0, 0.165), (0.026, 0.05, 0.07), c),
            box((-0.11, 0, 0.12), (0.018, 0.022, 0.13), c),
            box((-0.09, 0, 0.18), (0.05, 0.022, 0.018), c),
        ]
    )


def full_watering_can(c: Colour) -> Mesh:
    return surface(0.0685, 0.15, c)


def storage_box(c: Colour) -> Mesh:
    return merge(
        [box((0, 0, 0.08), (0.22, 0.3, 0.16), c), box((0, 0, 0.161), (0.222, 0.05, 0.004), (226, 206, 170))]
    )
