"""Converts drawable objects to Rerun's archetypes."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from colorsys import hls_to_rgb, rgb_to_hls
from functools import singledispatch
from typing import Any, TypeAlias

import numpy as np
import PIL.Image
import rerun as rr
from numpy.typing import NDArray

from stma_ros.types.vocabulary import HELD_BY, IN, IN_ROOM, ON
from stma_ros.visual import drawables as dw

Logged: TypeAlias = tuple[str, Any]
"""A path below the thing's own ("" = its own) and its content: an archetype, or several."""

JPEG_QUALITY = 80
_JPEG, _MARKDOWN = "image/jpeg", "text/markdown"
_FREE, _OCCUPIED, _UNKNOWN = (206, 212, 222), (70, 78, 95), (24, 27, 33)
_LIGHTNESS = (0.54, 0.66)  # of text: legible on white and on black
_LEVELS: Mapping[dw.Level, str] = {
    dw.Level.INFO: "INFO",
    dw.Level.GOOD: "DEBUG",  # Rerun has no level for good news; its colour shows it
    dw.Level.WARNING: "WARN",
    dw.Level.ERROR: "ERROR",
}
_LEVEL_COLOURS: Mapping[dw.Level, tuple[int, int, int]] = {
    dw.Level.INFO: (60, 120, 215),
    dw.Level.GOOD: (40, 150, 70),
    dw.Level.WARNING: (200, 120, 20),
    dw.Level.ERROR: (210, 60, 60),
}
_NAMED_WIDTH = (
    0.03  # [m] of lines whose labels are always shown; those of thinner ones, when they are pointed at
)
_ROBOT_LENGTH = 0.5  # of the arrow that shows the robot's heading [m]
_ROBOT_COLOUR = (235, 80, 70)
_ROW = 26  # between two rows of the graph [px]
_LETTER = 7  # width of a letter [px]
_SAID_OF_SUBJECT = (
    IN,
    ON,
    HELD_BY,
)  # Rerun draws edges without words: the node says how it hangs on the other
_GRAPH_EDGES = (*_SAID_OF_SUBJECT, IN_ROOM)  # edges of nearness would make it a tangle


@singledispatch
def logged(thing: object) -> Iterator[Logged]:
    """Yields the content that Rerun shows of a thing. Raises TypeError for an unknown one."""
    raise TypeError(f"{type(thing).__name__} cannot be shown in Rerun: register it in archetypes.py")


@logged.register
def _(thing: dw.Boxes) -> Iterator[Logged]:
    """Two entities: Rerun shows all labels of an entity, or only the one under the pointer."""
    minor = np.array(thing.minor or (False,) * len(thing.ids), np.bool_)
    for below, chosen in (("", ~minor), ("minor", minor)):
        boxes = rr.Boxes3D(
            centers=thing.centers[chosen],
            sizes=thing.sizes[chosen],
            quaternions=_about_z(thing.yaws[chosen]),
            colors=legible(thing.colours[chosen]),
            labels=[label for label, is_chosen in zip(thing.labels, chosen, strict=True) if is_chosen],
            radii=0.008,
            fill_mode="majorwireframe",
            show_labels=not below,
        )
        yield below, boxes


def _about_z(yaws: NDArray[np.float32]) -> NDArray[np.float32]:
    """Returns rotations (N, 4) as x, y, z, w."""
    turned = np.zeros((len(yaws), 4), np.float32)
    turned[:, 2], turned[:, 3] = np.sin(yaws / 2), np.cos(yaws / 2)
    return turned


@logged.register
def _(thing: dw.Points) -> Iterator[Logged]:
    yield "", rr.Points3D(thing.positions, colors=thing.colours, radii=thing.radius)


@logged.register
def _(thing: dw.Lines) -> Iterator[Logged]:
    yield (
        "",
        rr.LineStrips3D(
            thing.strips,
            colors=thing.colours,
            radii=thing.width / 2,
            labels=thing.labels,
            show_labels=thing.width >= _NAMED_WIDTH,
        ),
    )


@logged.register
def _(thing: dw.Arrows) -> Iterator[Logged]:
    yield (
        "",
        rr.Arrows3D(
            origins=thing.origins,
            vectors=thing.vectors,
            colors=thing.colours,
            labels=thing.labels,
            radii=0.025,
            show_labels=False,
        ),
    )


@logged.register
def _(thing: dw.Grid) -> Iterator[Logged]:
    """A textured rectangle; unknown cells are cut off at the edges, and dark elsewhere."""
    known = np.argwhere(thing.cells >= 0)
    if not known.size:
        yield "", rr.Clear(recursive=False)
        return
    (bottom, left), (top, right) = known.min(axis=0), known.max(axis=0) + 1
    cells = thing.cells[bottom:top, left:right]
    corners = np.array([(left, bottom), (right, bottom), (right, top), (left, top)]) * thing.resolution
    placed = np.column_stack([corners, np.zeros(4), np.ones(4)]) @ thing.origin.T
    yield (
        "",
        rr.Mesh3D(
            vertex_positions=placed[:, :3],
            vertex_texcoords=[(0, 1), (1, 1), (1, 0), (0, 0)],
            triangle_indices=[(0, 1, 2), (0, 2, 3)],
            albedo_texture=_texture(cells[::-1]),
        ),
    )


def _texture(cells: NDArray[np.int8]) -> NDArray[np.uint8]:
    pixels = np.full((*cells.shape, 3), _UNKNOWN, np.uint8)
    pixels[(cells >= 0) & (cells < 50)] = _FREE
    pixels[cells >= 50] = _OCCUPIED
    return pixels


@logged.register
def _(thing: dw.Picture) -> Iterator[Logged]:
    yield "", rr.EncodedImage(contents=jpeg(thing.pixels), media_type=_JPEG)
    if not thing.labels:
        yield "detections", rr.Clear(recursive=True)  # those of the previous image
    else:
        boxes, colours = thing.boxes, legible(thing.colours)
        yield "detections", rr.Boxes2D(array=boxes, array_format=rr.Box2DFormat.XYXY, colors=colours)
        # Rerun writes the name of a box below it, which would be outside for a box that fills the image.
        middles = (boxes[:, :2] + boxes[:, 2:]) / 2
        names = rr.Points2D(middles, labels=thing.labels, colors=colours, radii=1.0, show_labels=True)
        yield "detections/names", names


@logged.register
def _(thing: dw.PoseOf) -> Iterator[Logged]:
    place = rr.Transform3D(translation=thing.pose[:3, 3], mat3x3=thing.pose[:3, :3])
    if thing.camera is None:
        yield "", place
        arrow = rr.Arrows3D(
            origins=[(0, 0, 0.1)], vectors=[(_ROBOT_LENGTH, 0, 0)], colors=[_ROBOT_COLOUR], radii=0.06
        )
        yield "base", arrow
        return
    camera = thing.camera
    yield "", place
    yield (
        "color",
        rr.Pinhole(
            focal_length=(camera.fx, camera.fy),
            principal_point=(camera.cx, camera.cy),
            width=camera.width,
            height=camera.height,
            image_plane_distance=0.6,
        ),
    )


@logged.register
def _(thing: dw.Text) -> Iterator[Logged]:
    yield "", rr.TextDocument(thing.markdown, media_type=_MARKDOWN)


@logged.register
def _(thing: dw.Remark) -> Iterator[Logged]:
    yield "", rr.TextLog(thing.text, level=_LEVELS[thing.level], color=_LEVEL_COLOURS[thing.level])


@logged.register
def _(thing: dw.GraphView) -> Iterator[Logged]:
    said = {subject: predicate for subject, predicate, _ in thing.edges if predicate in _SAID_OF_SUBJECT}
    labels = [
        f"{said[id_]}: {label}" if id_ in said else label
        for id_, label in zip(thing.ids, thing.labels, strict=True)
    ]
    # Rerun expects the middle of a node, whose width depends on its label.
    middles = thing.positions * _ROW + np.array(
        [(len(label) * _LETTER / 2, 0.0) for label in labels]
    ).reshape(-1, 2)
    nodes = rr.GraphNodes(
        thing.ids,
        positions=middles,
        labels=labels,
        colors=legible(thing.colours),
        show_labels=True,
    )
    edges = [(one, other) for one, predicate, other in thing.edges if predicate in _GRAPH_EDGES]
    yield "", [nodes, rr.GraphEdges(edges, graph_type="undirected")]


@logged.register
def _(thing: dw.Series) -> Iterator[Logged]:
    yield "", rr.Scalars(thing.value)


@logged.register
def _(thing: dw.Clear) -> Iterator[Logged]:
    yield "", rr.Clear(recursive=True)


def jpeg(pixels: NDArray[np.uint8]) -> bytes:
    """Encodes (H, W, 3) uint8 RGB as a JPEG file."""
    stream = io.BytesIO()
    PIL.Image.fromarray(np.ascontiguousarray(pixels)).save(stream, "JPEG", quality=JPEG_QUALITY)
    return stream.getvalue()


def legible(colours: dw.Colours) -> dw.Colours:
    """Returns the same hues with a lightness at which text is legible."""
    written: dw.Colours = colours.copy()
    for row in written:
        hue, lightness, saturation = rgb_to_hls(*(row[:3] / 255))
        row[:3] = np.multiply(
            hls_to_rgb(hue, min(max(lightness, _LIGHTNESS[0]), _LIGHTNESS[1]), saturation), 255
        )
    return written
