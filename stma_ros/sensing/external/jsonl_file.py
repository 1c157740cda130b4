"""Reads detections from a JSON Lines file, one image or one object in each line."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from math import nan
from pathlib import Path
from typing import Any

from stma_ros.sensing.detection_names import DetectionNames
from stma_ros.sensing.external.gathering import DetectionGatherer, Edges
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.evidence import UNSCORED
from stma_ros.types.sensing import ExternalDetections
from stma_ros.types.standard import NANOSECONDS_PER_SECOND, Header, Time

NANOSECONDS_FROM = 10**11
"""A `stamp` from here on is in nanoseconds: as seconds it would be of the year 5138."""

_LATEST = 2**31 * NANOSECONDS_PER_SECOND  # that a message can hold [ns]
_SHOWN = 3

FORM = '{"stamp": 12.5, "objects": [{"label": "cup", "score": 0.8, "box": [left, top, right, bottom]}]}'


class _LineError(ValueError):
    """A line cannot be used; the text says why."""


@dataclass(frozen=True)
class DetectionsFile:
    """Detections of a file.

    Attributes:
        images: Detections by stamp of the image [ns].
        problems: Reasons why lines or objects are left out, with the numbers of the lines.
    """

    images: Mapping[int, ExternalDetections]
    problems: tuple[str, ...] = ()

    def note(self, path: Path) -> str:
        """Returns a remark about what is left out; empty if nothing is."""
        if not self.problems:
            return ""
        more = f"; and {len(self.problems) - _SHOWN} more" if len(self.problems) > _SHOWN else ""
        return f"{path.name}: {'; '.join(self.problems[:_SHOWN])}{more}"


def read_detections_file(path: Path, names: DetectionNames) -> DetectionsFile:
    """Reads a file of detections.

    Args:
        path: The file.
        names: Names of what the detector finds.

    Raises:
        ConfigurationError: The file cannot be read, or none of its lines can.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"{path} cannot be read ({error}); `detections` in a mapping file names a file of JSON Lines"
        ) from error
    found = parse_detections(text, names)
    if not found.images:
        first = found.problems[0] if found.problems else "it is empty"
        raise ConfigurationError(f"{path} holds no detections: {first}; each line is as {FORM}")
    return found


def parse_detections(text: str, names: DetectionNames) -> DetectionsFile:
    """Returns the detections in a text; lines with one stamp are of one image, and lines in any order."""
    gatherers: dict[int, DetectionGatherer] = defaultdict(lambda: DetectionGatherer(names))
    problems: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            stamp, objects = _content(line)
        except _LineError as error:
            problems.append(f"line {number} is left out: {error}")
            continue
        gatherer = gatherers[stamp]
        for item in objects:
            try:
                label, score, edges = _object(item)
            except _LineError as error:
                reason = str(error)
                gatherer.leave_out(reason)
            else:
                reason = gatherer.add(((label, score),), edges)
            if reason:
                problems.append(f"line {number}: an object is left out: {reason}")
    images = {
        stamp: gatherers[stamp].gathered(Header(Time.from_nanoseconds(stamp))) for stamp in sorted(gatherers)
    }
    return DetectionsFile(images, tuple(problems))


def _content(line: str) -> tuple[int, list[Any]]:
    """Returns the stamp [ns] and the objects of a line."""
    try:
        value = json.loads(line, parse_float=Decimal, parse_constant=lambda name: nan)
    except (ValueError, RecursionError, InvalidOperation) as error:
        raise _LineError(f"it is no JSON ({_first_line(error)})") from error
    if not isinstance(value, dict):
        raise _LineError("it is no object in braces")
    if "stamp" not in value:
        raise _LineError("it has no stamp, in seconds or nanoseconds")
    objects = value.get("objects", [value] if "label" in value or "box" in value else None)
    if not isinstance(objects, list):
        raise _LineError("it has neither a label with a box nor a list of objects")
    return _stamp(value["stamp"]), objects


def _stamp(value: Any) -> int:
    if not _is_number(value):
        raise _LineError("the stamp is no number")
    exact = Decimal(value)
    if not exact.is_finite() or not 0 <= exact < _LATEST:
        raise _LineError("the stamp is not a time")
    stamp = int(exact if exact >= NANOSECONDS_FROM else (exact * NANOSECONDS_PER_SECOND).to_integral_value())
    if stamp >= _LATEST:
        raise _LineError("the stamp is not a time")
    return stamp


def _object(item: Any) -> tuple[str, float, Edges]:
    if not isinstance(item, dict):
        raise _LineError("it is no object in braces")
    label = item.get("label")
    if isinstance(label, int) and not isinstance(label, bool):
        label = str(label)
    if not isinstance(label, str) or not label.strip():
        raise _LineError("its label is no text")
    score = item.get("score", UNSCORED)
    if not _is_number(score):
        raise _LineError("its score is no number")
    box = item.get("box")
    if not isinstance(box, list) or len(box) != 4 or not all(map(_is_number, box)):
        raise _LineError("its box is no list of four numbers (left, top, right, bottom)")
    left, top, right, bottom = map(_float, box)
    return label, _float(score), (left, top, right, bottom)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return nan


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
