"""The numbers in a bag's depth images: how many of them say nothing, and whether unit and range are plausible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.apps.doctor.checks import Finding, State
from stma_ros.mapping.depth_view import SATURATED
from stma_ros.sensing.array_parts import NEAREST_MM
from stma_ros.sensing.encodings import MILLIMETRE, DepthRule, depth_in_millimetres
from stma_ros.sensing.external_images import recorded_depth
from stma_ros.storage.bag.messages import RawMessage
from stma_ros.storage.bag.reader import Bag
from stma_ros.types.errors import BadImageError, StorageError
from stma_ros.types.standard import CompressedImage, Image

_PIXELS = 20_000
"""Pixels that are looked at in one image, in a regular grid."""

_MARK = 0.01
"""Share of the pixels from which on one extreme number is taken for a mark of pixels without depth."""

_NEIGHBOURS = 0.1
"""A mark outnumbers all depths that differ from it by less than this share."""

_FAR = 8.0
"""Median depth [m] beyond which the unit of a 16-bit image is doubted; indoor cameras see less far."""

_FARTHEST = 60.0
"""Median depth [m] beyond which a 32-bit image is not in metres."""

_FEW = 0.2
"""Share of pixels with depth below which a camera is reported to measure little."""


@dataclass(frozen=True)
class DepthValues:
    """The numbers of sampled depth images. Shares are of all pixels, from 0 to 1.

    Attributes:
        encoding: 16UC1 or 32FC1.
        images: Number of sampled images.
        zero: Share of 0, NaN, infinity and negative numbers.
        saturated: Share of 65535 in 16-bit images.
        marked: Share of the number that the mapping file gives as the mark of pixels without depth.
        outside: Share of numbers outside of the range of the mapping file, or not below 65.535 m.
        median: Median of the recorded numbers that may be distances; NaN if there are none.
        largest: The greatest of them.
        span: 1st, 50th and 99th percentile of the depth that is used [m]; empty if there is none.
        extreme: The least or greatest number, if it is so frequent that it seems to be a mark; None if neither is.
        extreme_share: Its share.
    """

    encoding: str
    images: int
    zero: float
    saturated: float
    marked: float
    outside: float
    median: float
    largest: float
    span: tuple[float, ...]
    extreme: float | None
    extreme_share: float

    @property
    def used(self) -> float:
        """Share of the pixels whose depth is used."""
        return 1.0 - self.zero - self.saturated - self.marked - self.outside


def depth_values(bag: Bag, sample: Sequence[RawMessage], rule: DepthRule) -> DepthValues | None:
    """Counts the numbers of depth images.

    Args:
        bag: The bag.
        sample: Depth images of one topic; those that cannot be decoded are passed over.
        rule: Which numbers are distances.

    Returns:
        The shares; None if no image can be decoded.
    """
    images = [image for raw in sample if (image := _decoded(bag, raw)) is not None]
    images = [image for image in images if image.encoding == images[0].encoding and image.data.size]
    if not images:
        return None
    pairs = [_thinned(image, rule) for image in images]
    numbers, used_mm = (np.concatenate(parts) for parts in zip(*pairs, strict=True))
    is_16_bit = images[0].encoding == "16UC1"
    valid = np.isfinite(numbers) & (numbers > 0)
    saturated = valid & (numbers == SATURATED) if is_16_bit else np.zeros_like(valid)
    marked = valid & ~saturated & (rule.invalid is not None and numbers == np.float32(rule.invalid or 0))
    distances = valid & ~saturated & ~marked
    used = used_mm > 0
    extreme, share = _extreme([part[mm > 0] for part, mm in pairs], len(numbers))
    return DepthValues(
        images[0].encoding,
        len(images),
        float(np.mean(~valid)),
        float(np.mean(saturated)),
        float(np.mean(marked)),
        float(np.mean(distances & ~used)),
        float(np.median(numbers[distances])) if distances.any() else float("nan"),
        float(numbers[distances].max(initial=0)),
        tuple(float(n) / 1000 for n in np.percentile(used_mm[used], (1, 50, 99))) if used.any() else (),
        extreme,
        share,
    )


def depth_findings(values: DepthValues, rule: DepthRule) -> Iterator[Finding]:
    """Reports the shares, and what seems to be wrong with the numbers with the key of the mapping file that helps."""
    parts = [f"0{'' if values.encoding == '16UC1' else ' or NaN'}: {values.zero:.1%}"]
    if values.encoding == "16UC1":
        parts.append(f"65535: {values.saturated:.1%}")
    if rule.invalid is not None:
        parts.append(f"{rule.invalid:g}: {values.marked:.1%}")
    parts.append(f"out of range: {values.outside:.1%}")
    if values.span:
        near, _, far = values.span
        parts.append(f"the rest {near:.2f} to {far:.2f} m")
    yield Finding("pixels", State.FOUND, f"{', '.join(parts)} (of {values.images} images)")
    yield from _doubts_of_unit(values, rule)
    if values.extreme is not None:
        number = f"{values.extreme:g}"
        yield Finding(
            "mark",
            State.NOTE,
            f"{values.extreme_share:.1%} of the pixels are {number}, more than there are of all numbers near it",
            "if that is a mark of pixels without depth, they are mapped as a surface that does not exist: write "
            f"`depth_invalid: {number}` in a mapping file, or the camera's range as `depth_range: [0.3, 6.0]`",
        )
    if values.used < _FEW:
        yield _little_depth(values, rule)


def _little_depth(values: DepthValues, rule: DepthRule) -> Finding:
    few = f"only {values.used:.1%} have depth that is used"
    if 2 * values.outside > 1.0 - values.used:
        return Finding(
            "pixels",
            State.NOTE,
            f"{few}, since {values.outside:.1%} are out of the range from {rule.least:g} to {rule.greatest:g} m",
            "`depth_range` in a mapping file gives another range in metres; see also the unit",
        )
    return Finding(
        "pixels",
        State.NOTE,
        few,
        "is something in front of the depth camera, or the room out of its range? `depth_range` and `depth_invalid` in "
        "a mapping file leave out depth",
    )


def _doubts_of_unit(values: DepthValues, rule: DepthRule) -> Iterator[Finding]:
    if np.isnan(values.median):
        return
    is_16_bit = values.encoding == "16UC1"
    unit = rule.unit if is_16_bit else rule.float_unit
    median, largest = values.median * unit, values.largest * unit
    key = "depth_unit" if is_16_bit else "float_depth_unit"
    if largest * 1000 < NEAREST_MM:
        guess = " (1.0 if these are metres)" if is_16_bit and rule.unit == MILLIMETRE else ""
        yield Finding(
            "unit",
            State.NOTE,
            f"nothing is farther than {largest * 1000:g} mm",
            f"write the length of one count in metres as `{key}` in a mapping file{guess}",
        )
    elif is_16_bit and median > _FAR and rule.unit != MILLIMETRE:
        yield Finding(
            "unit",
            State.NOTE,
            f"half of the depth is beyond {median:.1f} m with `depth_unit: {rule.unit:g}`",
            f"most cameras count millimetres: leave `depth_unit` out ({values.median / 1000:.2g} m then)",
        )
    elif is_16_bit and median > _FAR:
        yield Finding(
            "unit",
            State.NOTE,
            f"half of the depth is beyond {median:.1f} m",
            "if the room is smaller, one count is less than a millimetre: write its length in metres as `depth_unit` "
            "in a mapping file (0.0002 where 5000 counts are a metre)",
        )
    elif not is_16_bit and median > _FARTHEST:
        yield Finding(
            "unit",
            State.NOTE,
            f"half of the depth is beyond {median:.0f} m",
            "if these are millimetres, write `float_depth_unit: 0.001` in a mapping file",
        )


def _decoded(bag: Bag, raw: RawMessage) -> Image | None:
    try:
        if raw.ros_type == Image.ROS_TYPE:
            return recorded_depth(bag.decode(raw, Image))
        return recorded_depth(bag.decode(raw, CompressedImage))
    except (StorageError, BadImageError):
        return None  # reported for all images of the bag when its frames are made


def _thinned(image: Image, rule: DepthRule) -> tuple[NDArray[np.float32], NDArray[np.uint16]]:
    """Returns the recorded numbers of some pixels (N,), and the depth that is used of them (N,) [mm]."""
    step = max(1, int(np.ceil(np.sqrt(image.height * image.width / _PIXELS))))
    thinned = Image.from_array(image.header, image.array()[::step, ::step], image.encoding)
    return thinned.array().astype(np.float32).ravel(), depth_in_millimetres(thinned, rule).ravel()


def _extreme(images: Sequence[NDArray[np.float32]], pixels: int) -> tuple[float | None, float]:
    """Returns the least or greatest number of images (N,) that seems to be a mark, and its share of the pixels.

    A surface has many distances. A mark is one number that is frequent, alone, and in at least half of the images.
    """
    numbers = np.concatenate(images)
    if not len(numbers) or numbers.min() == numbers.max():
        return None, 0.0
    for number in (numbers.max(), numbers.min()):
        count = int(np.sum(numbers == number))
        near = int(np.sum(np.abs(numbers - number) < _NEIGHBOURS * number)) - count
        shown = sum(bool(np.any(image == number)) for image in images)
        if count >= _MARK * pixels and count > near and 2 * shown >= len(images):
            return float(number), count / pixels
    return None, 0.0
