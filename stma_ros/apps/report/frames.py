"""Draws camera frames with perception's detections in them."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont

from stma_ros.types.errors import BadImageError
from stma_ros.types.sensing import Detection, KeyframeDetections
from stma_ros.types.standard import Image
from stma_ros.visual.colours import TARGET, of_category
from stma_ros.visual.keyframe_join import KeyframeJoin

MAX_FRAMES = 9
_ENOUGH_FRAMES = 6  # with fewer events, further frames are added
_WIDTH = 640  # [pixels] of a frame in the report
_JPEG_QUALITY = 82


@dataclass(frozen=True)
class Keyframe:
    """A colour image as JPEG and its detections; `stamp` [ns] is the frame's."""

    stamp: int
    jpeg: bytes
    detections: tuple[Detection, ...]

    @property
    def time(self) -> float:
        return self.stamp / 1e9


@dataclass(frozen=True)
class Picked:
    """A keyframe for the report and why it was picked."""

    keyframe: Keyframe
    reason: str


class KeyframeCollector:
    """Joins colour images and their detections by stamp, in any order of arrival."""

    def __init__(self, keyframes: Collection[int] | None = None) -> None:
        """keyframes: as in KeyframeJoin."""
        self._join: KeyframeJoin[Image] = KeyframeJoin(keyframes)

    def take(self, message: Image | KeyframeDetections) -> Iterator[Keyframe]:
        """Yields the keyframe that the message completes, if any."""
        stamp = message.header.stamp.nanoseconds
        if isinstance(message, Image):
            joined = self._join.add_image(stamp, message, message.data.nbytes)
        else:
            joined = self._join.add_detections(message)
        for image, detections in joined:
            jpeg = _encode(image)
            if jpeg is not None:
                yield Keyframe(stamp, jpeg, detections)


def pick(
    keyframes: Sequence[Keyframe],
    target: str,
    moments: Sequence[tuple[float, str]],
    earlier: Sequence[Keyframe] = (),
) -> list[Picked]:
    """Selects at most MAX_FRAMES keyframes of a task that show its course, in the order of time.

    Args:
        keyframes: keyframes of the task.
        target: category that was searched (may be empty).
        moments: times [s] with captions for the last keyframe up to then.
        earlier: keyframes of earlier tasks; if the target was seen only there, that frame comes first.

    Returns:
        The keyframes; free places go to frames that show the most categories for the first time.
    """
    ordered = sorted(keyframes, key=lambda keyframe: keyframe.stamp)
    reasons: dict[int, list[str]] = {}
    found = next((k for k in ordered if _shows(k, target)), None)
    if found is None:
        found = next((k for k in earlier if _shows(k, target)), None)
        if found is not None:
            ordered.insert(0, found)
            reasons[found.stamp] = [f"{target} seen before this task"]
    else:
        reasons[found.stamp] = [f"{target} first seen"]
    if keyframes:
        first = next((k for k in ordered if k.detections and k not in earlier), ordered[0])
        reasons.setdefault(first.stamp, []).insert(0, "first view")
        reasons.setdefault(ordered[-1].stamp, []).append("last view")
    for time, caption in moments:
        before = [keyframe for keyframe in ordered if keyframe.time <= time + 1e-6]
        if before and (len(reasons) < MAX_FRAMES or before[-1].stamp in reasons):
            reasons.setdefault(before[-1].stamp, []).append(caption)
    for stamp, categories in sorted(_novelties(ordered), key=lambda item: (-len(item[1]), item[0])):
        if len(reasons) < _ENOUGH_FRAMES and stamp not in reasons:
            reasons[stamp] = [
                f"first sight of {', '.join(categories[:3])}{' ...' if len(categories) > 3 else ''}"
            ]
    return [Picked(k, "; ".join(dict.fromkeys(reasons[k.stamp]))) for k in ordered if k.stamp in reasons]


def selectable(keyframes: Sequence[Keyframe]) -> list[Keyframe]:
    """Returns the keyframes that `pick` can select without a target and moments, now or once more have come: the first,
    the last, and those with a category for the first time."""
    ordered = sorted(keyframes, key=lambda keyframe: keyframe.stamp)
    new = {stamp for stamp, _ in _novelties(ordered)}
    return [
        keyframe
        for number, keyframe in enumerate(ordered)
        if keyframe.stamp in new or number in (0, len(ordered) - 1)
    ]


def _shows(keyframe: Keyframe, target: str) -> bool:
    return bool(target) and any(detection.category == target for detection in keyframe.detections)


def _novelties(ordered: Sequence[Keyframe]) -> Iterator[tuple[int, list[str]]]:
    """Yields the frames that show a category for the first time, with these categories."""
    seen: set[str] = set()
    for keyframe in ordered:
        new = sorted({detection.category for detection in keyframe.detections} - seen)
        if new:
            yield keyframe.stamp, new
        seen.update(new)


def draw(keyframe: Keyframe, targets: Collection[str]) -> bytes:
    """Returns the frame as JPEG with a labelled box around each detection; the categories in `targets` are
    highlighted."""
    with PillowImage.open(io.BytesIO(keyframe.jpeg)) as opened:
        small = opened.convert("RGB")
    scale = _WIDTH / small.width
    picture = small.resize((_WIDTH, round(small.height * scale)), PillowImage.Resampling.LANCZOS)
    pen = ImageDraw.Draw(picture, "RGBA")
    font = ImageFont.load_default(size=21)
    placed: list[tuple[float, float, float, float]] = []
    # Small objects are drawn last, on top of the furniture that they stand on; the target last of all.
    by_size = sorted(keyframe.detections, key=lambda d: (d.category in targets, -d.roi.width * d.roi.height))
    for detection in by_size:
        line = 5 if detection.category in targets else 3
        pen.rectangle(
            _box(detection, scale, picture.size), outline=_colour(detection.category, targets), width=line
        )
    for detection in reversed(by_size):
        _label(pen, font, detection, scale, targets, placed, picture.size)
    return _jpeg(picture)


def _label(
    pen: ImageDraw.ImageDraw,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
    detection: Detection,
    scale: float,
    targets: Collection[str],
    placed: list[tuple[float, float, float, float]],
    size: tuple[int, int],
) -> None:
    left, top, _, bottom = _box(detection, scale, size)
    width, height = pen.textlength(detection.category, font=font) + 10, 26
    x = min(max(0.0, left), size[0] - width)
    for y in (top - height, top, bottom - height, bottom):
        area = (x, y, x + width, y + height)
        if y >= 0 and y + height <= size[1] and not any(_overlap(area, other) for other in placed):
            placed.append(area)
            pen.rectangle(area, fill=(*_colour(detection.category, targets), 225))
            pen.text((x + 5, y + 1), detection.category, fill=(255, 255, 255), font=font)
            return


def _box(detection: Detection, scale: float, size: tuple[int, int]) -> tuple[float, float, float, float]:
    """Returns left, top, right and bottom, clipped to the picture's size: Pillow's time grows with a box."""
    roi = detection.roi
    left, top = roi.x_offset * scale, roi.y_offset * scale
    right, bottom = left + max(1, roi.width) * scale - 1, top + max(1, roi.height) * scale - 1
    width, height = size
    return min(left, width), min(top, height), min(right, width), min(bottom, height)


def _colour(category: str, targets: Collection[str]) -> tuple[int, int, int]:
    return TARGET if category in targets else of_category(category)


def _overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _encode(image: Image) -> bytes | None:
    """Encodes a frame; None for an unreadable one, which perception reports as a fault."""
    try:
        pixels = image.array()
    except BadImageError:
        return None
    if pixels.ndim != 3:
        return None
    rgb = pixels[..., ::-1] if image.encoding == "bgr8" else pixels
    return _jpeg(PillowImage.fromarray(rgb.copy()))


def _jpeg(picture: PillowImage.Image) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, "JPEG", quality=_JPEG_QUALITY)
    return stream.getvalue()
