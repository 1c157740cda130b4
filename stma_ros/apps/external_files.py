"""Writes the results of a replay of another robot's recording: map, scene graph, frontiers, keyframes, answers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from stma_ros.apps.report.frames import Keyframe, KeyframeCollector
from stma_ros.storage.codec import encode
from stma_ros.storage.files import write_atomically
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.errors import MODEL_AWAY, ErrorCode, StmaError, StorageError
from stma_ros.types.message import Message
from stma_ros.types.remembering import ObjectQueryResult, Sighting
from stma_ros.types.scene_graph import Frontiers, SceneGraph
from stma_ros.types.sensing import KeyframeDetections
from stma_ros.types.standard import NANOSECONDS_PER_SECOND, Image, OccupancyGrid, Time
from stma_ros.types.telemetry import ModelCall

_KEYFRAMES = "keyframes"
_REMEMBERED = "remembered"
"""Folder of the pictures that the memory brought along from earlier recordings."""

_OCCUPIED, _FREE = (
    0.65,
    0.196,
)  # thresholds of Nav2's map_server; grey 205 is above the second, so it is unknown
_CLOCK_TIME = (
    1_000_000_000  # [s] later stamps count from 1970, earlier ones from a robot's or simulator's start
)
_BLACK, _WHITE, _GREY = 0, 254, 205  # occupied, free, unknown


class _ErrorCounter:
    """Counts errors by code, with the first text of each."""

    def __init__(self) -> None:
        self._counts: Counter[ErrorCode] = Counter()
        self._examples: dict[ErrorCode, str] = {}

    def add(self, error: Error) -> None:
        self._counts[error.code] += 1
        self._examples.setdefault(error.code, error.text)

    @property
    def counts(self) -> dict[str, int]:
        """Returns the number of errors by the first text of each kind, the most frequent kind first."""
        return {self._examples[code]: count for code, count in self._counts.most_common()}


def _silence(errors: Sequence[Error]) -> str:
    """Returns why the recording was not seen to its end by a model whose requests had these errors; empty = it was."""
    if all(errors):
        return f"never gave a usable answer: {errors[0].text}"
    if errors[-1].code not in MODEL_AWAY:
        return ""
    lost = next(number for number, error in enumerate(reversed(errors)) if error.code not in MODEL_AWAY)
    return f"did not answer any more, the last {lost} of {len(errors)} times that it was asked: {errors[-1].text}"


class ExternalFiles:
    """A tap that holds the newest map, scene graph and frontiers, and writes keyframes as they arrive."""

    def __init__(self, folder: Path) -> None:
        """Raises StorageError where the folder cannot be written."""
        self._folder = folder
        self._collector = KeyframeCollector()
        self._keyframes: dict[str, dict[str, Any]] = {}  # by file
        self._pictures: dict[int, str] = {}  # file by stamp
        self.graph = SceneGraph()
        self.frontiers = Frontiers()
        self.map = OccupancyGrid()
        self._begin = -1  # [ns], of the first frame
        self._errors = _ErrorCounter()
        self._incomplete = _ErrorCounter()
        self._asked: dict[str, list[Error]] = {}  # by role, the error of each request to a model
        try:
            (folder / _KEYFRAMES).mkdir(exist_ok=True)
        except OSError as error:
            raise StorageError(f"{folder} takes no files ({error.strerror}); name another folder") from error

    def __call__(self, topic: str, message: Message) -> None:
        match message:
            case SceneGraph():
                self.graph = message
            case Frontiers():
                self.frontiers = message
            case OccupancyGrid():
                self.map = message
            case ModelCall():
                self._asked.setdefault(message.role, []).append(message.error)
            case KeyframeDetections() if message.error and not message.awaits_answer:
                (self._incomplete if message.keyframe else self._errors).add(message.error)
        if topic == topics.COLOR and self._begin < 0:
            self._begin = message.header.stamp.nanoseconds  # type: ignore[attr-defined]
        if topic == topics.COLOR or topic == topics.KEYFRAME_DETECTIONS:
            assert isinstance(message, Image | KeyframeDetections)
            for keyframe in self._collector.take(message):
                self._add(keyframe)

    def note(self, error: StmaError) -> None:
        """Counts a frame that the agent could not use."""
        self._errors.add(Error.of(error))

    @property
    def errors(self) -> dict[str, int]:
        """Returns the number of unusable frames by the first example of each kind."""
        return self._errors.counts

    @property
    def incomplete(self) -> dict[str, int]:
        """Returns the number of keyframes with possibly missing detections, by the first example of each cause."""
        return self._incomplete.counts

    @property
    def unanswered(self) -> dict[str, str]:
        """Returns of each role whose models gave no usable answer, or were away at the end, what became of them."""
        return {role: text for role, errors in self._asked.items() if (text := _silence(errors))}

    @property
    def keyframes(self) -> int:
        return len(self._keyframes)

    @property
    def names(self) -> list[str]:
        """The names of the existing files and folders, for people."""
        named = ("map.pgm", "scene_graph.json", f"{_KEYFRAMES}/", f"{_REMEMBERED}/", "answers.json")
        return [name for name in named if (self._folder / name).exists()]

    def answer(self, question: str, answer: ObjectQueryResult) -> dict[str, Any]:
        """Converts an answer to its form in answers.json, each sighting with the file of its image."""
        return {
            "question": question,
            "asked_at": self.time(answer.header.stamp),
            "found": not answer.error,
            "text": answer.text,
            "sightings": [self._sighting(sighting) for sighting in answer.sightings],
        }

    def write(self, answers: Sequence[Mapping[str, Any]]) -> None:
        """Writes all files. Raises StorageError."""
        self._write_json("scene_graph.json", encode(self.graph, {}))
        self._write_json("frontiers.json", encode(self.frontiers, {}))
        self._write_json("keyframes.json", list(self._keyframes.values()))
        self._write_json("answers.json", answers)
        if self.map.data.size:
            self._write_map()

    def seconds(self, stamp: Time) -> float:
        """Returns the time since the first frame [s]."""
        return (stamp.nanoseconds - max(0, self._begin)) / NANOSECONDS_PER_SECOND

    def time(self, stamp: Time) -> dict[str, Any]:
        """Returns the stamp, the time since the first frame, and the time of day."""
        day = datetime.fromtimestamp(stamp.sec, timezone.utc) if stamp.sec >= _CLOCK_TIME else None
        return {
            "stamp_ns": stamp.nanoseconds,
            "seconds": self.seconds(stamp),
            "utc": day.isoformat() if day else None,
        }

    def _add(self, keyframe: Keyframe) -> None:
        name = self._write_picture(_KEYFRAMES, keyframe.stamp, keyframe.jpeg)
        seen = [
            {"category": detection.category, "confidence": detection.confidence}
            for detection in keyframe.detections
        ]
        self._keyframes.pop(name, None)  # a model has added to it
        self._keyframes[name] = {
            "file": name,
            **self.time(Time.from_nanoseconds(keyframe.stamp)),
            "seen": seen,
        }

    def _write_picture(self, folder: str, stamp: int, jpeg: bytes) -> str:
        """Writes a picture into a folder, and returns its name."""
        name = f"{folder}/{stamp}.jpg"
        file = self._folder / name
        try:
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(jpeg)
        except OSError as error:
            raise StorageError(
                f"{self._folder} takes no more ({error.strerror}): is the disk full?"
            ) from error
        self._pictures[stamp] = name
        return name

    def _sighting(self, sighting: Sighting) -> dict[str, Any]:
        where, pictured = sighting.position, sighting.picture.header.stamp
        if pictured.nanoseconds not in self._pictures and sighting.picture.data.size:
            self._write_picture(_REMEMBERED, pictured.nanoseconds, sighting.picture.data.tobytes())
        return {
            "object": sighting.object_id,
            "category": sighting.category,
            "place": sighting.place,
            "present": sighting.present,
            "position": [where.x, where.y, where.z] if np.isfinite(where.x) else None,
            "first_seen": self.time(sighting.first_seen),
            "last_seen": self.time(sighting.last_seen),
            "picture": self._pictures.get(pictured.nanoseconds),
            "pictured_at": self.time(pictured) if pictured.nanoseconds in self._pictures else None,
        }

    def _write_map(self) -> None:
        """Writes the map in the format of Nav2's map_server."""
        info = self.map.info
        cells = self.map.data.reshape(info.height, info.width)[::-1]  # an image begins at its top
        shades = np.select(
            [cells < 0, cells >= 100 * _OCCUPIED, cells <= 100 * _FREE], [_GREY, _BLACK, _WHITE], _GREY
        )
        head = f"P5\n{info.width} {info.height}\n255\n".encode()
        write_atomically(self._folder / "map.pgm", head + shades.astype(np.uint8).tobytes())
        origin = info.origin
        about = {
            "image": "map.pgm",
            "mode": "trinary",
            "resolution": round(info.resolution, 6),
            "origin": [origin.position.x, origin.position.y, origin.yaw],
            "negate": 0,
            "occupied_thresh": _OCCUPIED,
            "free_thresh": _FREE,
        }
        write_atomically(self._folder / "map.yaml", yaml.safe_dump(about, sort_keys=False))

    def _write_json(self, name: str, content: Any) -> None:
        write_atomically(self._folder / name, json.dumps(content, indent=2) + "\n")
