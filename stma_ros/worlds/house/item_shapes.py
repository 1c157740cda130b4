"""How small things are built: standing on z = 0 around the origin, x to their front; the argument is the
main colour."""

from __future__ import annotations

from stma_ros.worlds.house.meshes import Colour, Mesh, ball, box, lathe, merge, rod
from stma_ros.worlds.house.palette import BLACK, BLUE, BROWN, GREEN, GREY, PINK, RED, STEEL, WHITE, YELLOW


def mug(c: Colour) -> Mesh:
    return merge(
        [
            lathe([(0, 0), (0.045, 0), (0.05, 0.11), (0.043, 0.11), (0.04, 0.015), (0, 0.015)], c),
            box((0.068, 0, 0.055), (0.035, 0.014, 0.06), c),
        ]
    )


def bowl(c: Colour) -> Mesh:
    return lathe([(0, 0), (0.05, 0), (0.1, 0.08), (0.092, 0.08), (0.045, 0.015), (0, 0.015)], c)


def plate(c: Colour) -> Mesh:
    return lathe([(0, 0), (0.07, 0), (0.13, 0.03), (0.12, 0.032), (0.07, 0.012), (0, 0.012)], c)


def bottle(c: Colour) -> Mesh:
    return merge(
        [
            lathe([(0, 0), (0.042, 0), (0.042, 0.18), (0.016, 0.24), (0.016, 0.29), (0, 0.29)], c),
            rod(0, 0, 0.275, 0.3, 0.019, WHITE),
            rod(0, 0, 0.06, 0.14, 0.043, WHITE, 14),
        ]
    )


def glass(c: Colour) -> Mesh:
    return lathe([(0, 0), (0.032, 0), (0.04, 0.13), (0.036, 0.13), (0.03, 0.012), (0, 0.012)], c)


def pan(c: Colour) -> Mesh:
    return merge(
        [
            lathe([(0, 0), (0.11, 0), (0.13, 0.05), (0.124, 0.05), (0.106, 0.01), (0, 0.01)], c),
            box((0.18, 0, 0.045), (0.12, 0.025, 0.018), BLACK),
        ]
    )


def pot(c: Colour) -> Mesh:
    return merge(
        [
            rod(0, 0, 0, 0.14, 0.11, c, 16),
            rod(0, 0, 0.14, 0.155, 0.113, STEEL, 16),
            rod(0, 0, 0.155, 0.18, 0.018, BLACK),
            box((0, 0, 0.11), (0.03, 0.28, 0.02), BLACK),
        ]
    )


def kettle(c: Colour) -> Mesh:
    return merge(
        [
            lathe([(0, 0), (0.09, 0), (0.07, 0.16), (0.02, 0.18), (0, 0.18)], c),
            box((0.1, 0, 0.13), (0.06, 0.03, 0.025), c),
            box((-0.095, 0, 0.11), (0.02, 0.025, 0.12), BLACK),
            box((-0.06, 0, 0.175), (0.08, 0.025, 0.018), BLACK),
        ]
    )


def toaster(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.1), (0.17, 0.28, 0.18), c),
            box((0, 0, 0.008), (0.15, 0.26, 0.016), BLACK),
            box((-0.03, 0, 0.191), (0.025, 0.2, 0.003), BLACK),
            box((0.03, 0, 0.191), (0.025, 0.2, 0.003), BLACK),
        ]
    )


def apple(c: Colour) -> Mesh:
    return merge([ball((0, 0, 0.042), 0.042, c), box((0, 0, 0.09), (0.006, 0.006, 0.02), BROWN)])


def orange(c: Colour) -> Mesh:
    return ball((0, 0, 0.042), 0.042, c)


def banana(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.025), (0.05, 0.1, 0.042), c),
            box((0.012, 0.07, 0.027), (0.042, 0.07, 0.036), c),
            box((0.012, -0.07, 0.027), (0.042, 0.07, 0.036), c),
            box((0.02, 0.112, 0.03), (0.015, 0.02, 0.015), BROWN),
        ]
    )


def bread(c: Colour) -> Mesh:
    return merge(
        [box((0, 0, 0.045), (0.11, 0.24, 0.09), c), box((0, 0, 0.1), (0.08, 0.22, 0.03), (222, 176, 112))]
    )


def cereal(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.14), (0.07, 0.19, 0.28), c),
            box((0.036, 0, 0.16), (0.002, 0.13, 0.12), YELLOW),
            box((-0.036, 0, 0.16), (0.002, 0.13, 0.12), YELLOW),
        ]
    )


def milk(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.1), (0.085, 0.085, 0.2), c),
            box((0, 0, 0.215), (0.05, 0.085, 0.03), BLUE),
            box((0, 0, 0.08), (0.087, 0.087, 0.07), BLUE),
        ]
    )


def can(c: Colour) -> Mesh:
    return merge([rod(0, 0, 0, 0.13, 0.037, c, 14), rod(0, 0, 0.12, 0.135, 0.034, STEEL, 14)])


def jar(c: Colour) -> Mesh:
    return merge([rod(0, 0, 0, 0.12, 0.05, c, 14), rod(0, 0, 0.12, 0.15, 0.046, YELLOW, 14)])


def book(c: Colour) -> Mesh:
    return merge(
        [box((0, 0, 0.02), (0.17, 0.24, 0.04), c), box((0.004, 0, 0.02), (0.165, 0.244, 0.03), WHITE)]
    )


def laptop(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.012), (0.24, 0.34, 0.024), c),
            box((0.02, 0, 0.025), (0.12, 0.3, 0.003), BLACK),
            box((-0.125, 0, 0.13), (0.014, 0.34, 0.22), c),
            box((-0.117, 0, 0.13), (0.003, 0.31, 0.19), (88, 150, 210)),
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


def vase(c: Colour) -> Mesh:
    flowers = [
        ball((0.05 * x, 0.05 * y, 0.31 + 0.02 * abs(x + y)), 0.035, colour, 8)
        for x, y, colour in ((0, 0, YELLOW), (1, 0.3, PINK), (-0.8, 0.7, RED), (0.1, -1, YELLOW))
    ]
    return merge(
        [
            lathe([(0, 0), (0.045, 0), (0.07, 0.1), (0.03, 0.2), (0.045, 0.24), (0, 0.22)], c),
            rod(0, 0, 0.22, 0.3, 0.012, GREEN),
            *flowers,
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


def cushion(c: Colour) -> Mesh:
    return merge([box((0, 0, 0.06), (0.32, 0.32, 0.08), c), box((0, 0, 0.06), (0.27, 0.27, 0.12), c)])


def candle(c: Colour) -> Mesh:
    return merge(
        [
            rod(0, 0, 0, 0.015, 0.05, STEEL, 12),
            rod(0, 0, 0.015, 0.16, 0.035, c, 12),
            rod(0, 0, 0.16, 0.18, 0.005, BLACK),
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


def teddy(c: Colour) -> Mesh:
    return merge(
        [
            ball((0, 0, 0.09), 0.09, c),
            ball((0, 0, 0.22), 0.07, c),
            ball((0, 0.055, 0.28), 0.03, c),
            ball((0, -0.055, 0.28), 0.03, c),
            ball((0.06, 0, 0.21), 0.03, (232, 208, 176)),
            ball((0.07, 0.07, 0.04), 0.045, c),
            ball((0.07, -0.07, 0.04), 0.045, c),
            ball((0.03, 0.1, 0.13), 0.04, c),
            ball((0.03, -0.1, 0.13), 0.04, c),
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


def toy_ball(c: Colour) -> Mesh:
    return merge([ball((0, 0, 0.11), 0.11, c, 16), rod(0, 0, 0.1, 0.12, 0.111, WHITE, 16)])


def shoe(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.012), (0.28, 0.1, 0.024), WHITE),
            box((0.06, 0, 0.045), (0.15, 0.095, 0.045), c),
            box((-0.07, 0, 0.07), (0.13, 0.09, 0.1), c),
        ]
    )


def hat(c: Colour) -> Mesh:
    return merge(
        [
            rod(0, 0, 0, 0.015, 0.16, c, 16),
            lathe([(0.095, 0.015), (0.085, 0.12), (0, 0.13)], c, 16),
            rod(0, 0, 0.015, 0.045, 0.097, BLACK, 16),
        ]
    )


def bag(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.12), (0.14, 0.32, 0.24), c),
            box((0, 0, 0.3), (0.02, 0.16, 0.02), BROWN),
            box((0, 0.08, 0.27), (0.02, 0.02, 0.08), BROWN),
            box((0, -0.08, 0.27), (0.02, 0.02, 0.08), BROWN),
        ]
    )


def towel(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.025), (0.24, 0.32, 0.05), c),
            box((0, 0, 0.07), (0.22, 0.3, 0.04), c),
            box((0, 0, 0.05), (0.245, 0.04, 0.085), WHITE),
        ]
    )


def soap_bottle(c: Colour) -> Mesh:
    return merge(
        [
            rod(0, 0, 0, 0.15, 0.04, c, 12),
            rod(0, 0, 0.15, 0.2, 0.012, WHITE),
            box((0.02, 0, 0.205), (0.06, 0.02, 0.018), WHITE),
        ]
    )


def toilet_paper(c: Colour) -> Mesh:
    return merge([rod(0, 0, 0, 0.1, 0.055, c, 14), rod(0, 0, 0.1, 0.101, 0.02, BROWN, 10)])


def hair_dryer(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.14), (0.2, 0.075, 0.075), c),
            box((-0.03, 0, 0.06), (0.05, 0.045, 0.12), c),
            box((0.11, 0, 0.14), (0.03, 0.06, 0.06), BLACK),
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


def carton(c: Colour) -> Mesh:
    return merge(
        [box((0, 0, 0.08), (0.22, 0.3, 0.16), c), box((0, 0, 0.161), (0.222, 0.05, 0.004), (226, 206, 170))]
    )
