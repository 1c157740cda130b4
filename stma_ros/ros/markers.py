"""Converts drawable things to RViz markers and images."""

from __future__ import annotations

import array
import math
from collections.abc import Iterable, Iterator
from functools import singledispatch
from typing import Any

import numpy as np
from geometry_msgs.msg import Point, Pose, Quaternion, Vector3
from numpy.typing import NDArray
from PIL import Image as Pixels
from PIL import ImageDraw
from scipy.spatial.transform import Rotation
from sensor_msgs.msg import Image
from std_msgs.msg import ColorRGBA, Header
from visualization_msgs.msg import Marker, MarkerArray

from stma_ros.ros.conversions import to_msg
from stma_ros.types.standard import Time
from stma_ros.visual.drawables import Arrows, Boxes, Lines, Picture, PoseOf
from stma_ros.visual.snapshots import view_corners

_TEXT = 0.12  # height of a capital letter [m]
_ABOVE = np.array((0.0, 0.0, _TEXT))
_TEXT_COLOUR = ColorRGBA(r=0.1, g=0.1, b=0.1, a=1.0)  # over a light map and a light background
_SHAFT, _HEAD = 0.04, 0.1  # diameters of arrows [m]
_ROBOT = Vector3(x=0.5, y=0.12, z=0.12)  # length and thickness of the robot's arrow [m]
_ROBOT_COLOUR = ColorRGBA(r=0.1, g=0.45, b=0.9, a=1.0)
_VIEW, _EDGE = 0.4, 0.01  # length of the camera's frustum, and width of its edges [m]
_BOX_OPACITY = 0.6  # objects inside are visible
_NAMES = "names"  # namespace of the texts, by which a viewer can hide them


def marker_array(frame_id: str, namespace: str, markers: Iterable[Marker]) -> MarkerArray:
    """Returns all markers of a topic. The first one deletes earlier markers, so that each message is complete, also for
    a reader that came late or missed some."""
    # Without a stamp, a viewer shows it at the present pose of its frame, whatever its age.
    header = Header(frame_id=frame_id)
    shown = [Marker(header=header, action=Marker.DELETEALL)]
    for number, marker in enumerate(markers):
        marker.header = header
        marker.ns = marker.ns or namespace
        marker.id = number
        shown.append(marker)
    return MarkerArray(markers=shown)


@singledispatch
def markers_of(thing: Any) -> Iterator[Marker]:
    """Yields the markers of a drawable thing, without header and id; none for a thing without a place."""
    yield from ()


@markers_of.register
def _boxes(boxes: Boxes) -> Iterator[Marker]:
    for center, size, yaw, colour in zip(boxes.centers, boxes.sizes, boxes.yaws, boxes.colours, strict=True):
        yield Marker(
            type=Marker.CUBE,
            pose=_at(center, float(yaw)),
            scale=_vector(size),
            color=_colour(colour, _BOX_OPACITY),
        )
    tops = boxes.centers + np.array((0.0, 0.0, 0.5)) * boxes.sizes + _ABOVE
    yield from _names(tops, boxes.labels)


@markers_of.register
def _lines(lines: Lines) -> Iterator[Marker]:
    drawn = [
        (strip, colour, label)
        for strip, colour, label in zip(lines.strips, lines.colours, lines.labels, strict=True)
        if len(strip) >= 2
    ]
    for strip, colour, _ in drawn:
        yield Marker(
            type=Marker.LINE_STRIP,
            scale=Vector3(x=lines.width),
            color=_colour(colour),
            points=[_point(position) for position in strip],
        )
    yield from _names([strip.mean(axis=0) for strip, _, _ in drawn], [label for _, _, label in drawn])


@markers_of.register
def _arrows(arrows: Arrows) -> Iterator[Marker]:
    tips = arrows.origins + arrows.vectors
    for origin, tip, colour in zip(arrows.origins, tips, arrows.colours, strict=True):
        yield Marker(
            type=Marker.ARROW,
            scale=Vector3(x=_SHAFT, y=_HEAD),
            color=_colour(colour),
            points=[_point(origin), _point(tip)],
        )
    yield from _names(tips + _ABOVE, arrows.labels)


@markers_of.register
def _pose(thing: PoseOf) -> Iterator[Marker]:
    if thing.camera is None:
        yield Marker(type=Marker.ARROW, pose=_pose_of(thing.pose), scale=_ROBOT, color=_ROBOT_COLOUR)
        return
    ends = view_corners(thing.pose, thing.camera, _VIEW)
    edges = [(thing.pose[:3, 3], end) for end in ends] + [(ends[i - 1], ends[i]) for i in range(4)]
    yield Marker(
        type=Marker.LINE_LIST,
        scale=Vector3(x=_EDGE),
        color=_ROBOT_COLOUR,
        points=[_point(position) for edge in edges for position in edge],
    )


def _names(positions: Any, texts: Any) -> Iterator[Marker]:
    for position, text in zip(positions, texts, strict=True):
        if text:
            yield Marker(
                type=Marker.TEXT_VIEW_FACING,
                ns=_NAMES,
                pose=_at(position),
                scale=Vector3(z=_TEXT),
                color=_TEXT_COLOUR,
                text=text,
            )


def labelled_image(picture: Picture, stamp_ns: int) -> Image:
    """Returns the image with its boxes and their labels drawn into it, as rgb8."""
    image = Pixels.fromarray(np.ascontiguousarray(picture.pixels))
    pen = ImageDraw.Draw(image)
    for box, colour, label in zip(picture.boxes, picture.colours, picture.labels, strict=True):
        shade = tuple(int(part) for part in colour[:3])
        pen.rectangle(tuple(float(edge) for edge in box), outline=shade, width=2)
        if label:
            corner = (float(box[0]) + 2, max(0.0, float(box[1]) - 12))
            pen.rectangle(pen.textbbox(corner, label), fill=shade)
            pen.text(corner, label, fill="black" if sum(shade) > 380 else "white")
    return Image(
        header=Header(stamp=to_msg(Time.from_nanoseconds(stamp_ns))),
        height=image.height,
        width=image.width,
        encoding="rgb8",
        step=3 * image.width,
        data=array.array("B", image.tobytes()),
    )


def _point(position: NDArray[Any]) -> Point:
    x, y, z = map(float, position)
    return Point(x=x, y=y, z=z)


def _vector(values: NDArray[Any]) -> Vector3:
    x, y, z = map(float, values)
    return Vector3(x=x, y=y, z=z)


def _at(position: NDArray[Any], yaw: float = 0.0) -> Pose:
    return Pose(position=_point(position), orientation=Quaternion(z=math.sin(yaw / 2), w=math.cos(yaw / 2)))


def _pose_of(matrix: NDArray[Any]) -> Pose:
    x, y, z, w = map(float, Rotation.from_matrix(matrix[:3, :3]).as_quat())
    return Pose(position=_point(matrix[:3, 3]), orientation=Quaternion(x=x, y=y, z=z, w=w))


def _colour(rgba: NDArray[Any], opacity: float = 1.0) -> ColorRGBA:
    r, g, b, a = (float(part) / 255.0 for part in rgba)
    return ColorRGBA(r=r, g=g, b=b, a=a * opacity)
