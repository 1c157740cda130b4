"""Reads the question files of OpenEQA, A-EQA and EXPRESS-Bench, as published.

Positions and rotations keep the axes of the files, which are Habitat's: y points up.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from stma_ros.types.errors import ConfigurationError

_RecordT = TypeVar("_RecordT", bound=BaseModel)
_UNIT = 1e-3  # largest difference of a quaternion's norm from 1


class QuestionFileError(ConfigurationError):
    """A file of questions, or one of its records, is not as published; the text names file and record."""


@dataclass(frozen=True)
class StartPose:
    """The pose of the robot at the start of an episode, in the axes of the file.

    Attributes:
        position: (x, y, z) of its base [m].
        rotation: quaternion (w, x, y, z) of length 1.
    """

    position: tuple[float, float, float]
    rotation: tuple[float, float, float, float]


@dataclass(frozen=True)
class EqaQuestion:
    """A question about a scene, with its right answers; they are for scorers only.

    Attributes:
        id: unique in its file.
        scene: the scene, as the file calls it.
        question: the question as people asked it.
        answer: a right answer.
        extra_answers: further right answers, by other people.
        category: in the spelling of the file.
        start: where the robot starts; None = the file does not say.
        target: (x, y, z) from where the answer can be seen [m], in the axes of the file; None = not given.
        shortest: length of the shortest path from the start to it [m], infinite if there is none; None = not given.
    """

    id: str
    scene: str
    question: str
    answer: str
    extra_answers: tuple[str, ...] = ()
    category: str = ""
    start: StartPose | None = None
    target: tuple[float, float, float] | None = None
    shortest: float | None = None

    @property
    def answers(self) -> tuple[str, ...]:
        """All right answers."""
        return self.answer, *self.extra_answers


_Coordinate = Annotated[float, Field(allow_inf_nan=False)]
_Text = Annotated[str, Field(min_length=1)]
_Point = tuple[_Coordinate, _Coordinate, _Coordinate]
_Quaternion = tuple[_Coordinate, _Coordinate, _Coordinate, _Coordinate]


class _Record(BaseModel):
    """A record of a file; further fields are left unread."""

    model_config = ConfigDict(frozen=True, str_strip_whitespace=True)


class _OpenEqaRecord(_Record):
    question: _Text
    answer: _Text
    category: _Text
    question_id: _Text
    episode_history: _Text
    extra_answers: tuple[str, ...] = ()


class _ActiveEqaRecord(_OpenEqaRecord):
    position: _Point
    rotation: _Quaternion


class _ExpressRecord(_Record):
    question: _Text
    answer: _Text
    type: _Text
    scene_id: _Text
    start_position: _Point
    start_rotation: _Quaternion
    goal_position: _Point
    geodesic_distance: Annotated[float, Field(ge=0)] | None = None


def load_openeqa(path: Path) -> tuple[EqaQuestion, ...]:
    """Returns the questions of a file of OpenEQA (open-eqa-v0.json), in its order; it has no poses.

    Raises:
        QuestionFileError: the file cannot be read, or a record is not as published.
    """
    return _questions(path, _OpenEqaRecord, lambda index, record: _of_openeqa(record))


def load_aeqa(path: Path, path_lengths: Path | None = None) -> tuple[EqaQuestion, ...]:
    """Returns the questions of A-EQA with start poses, in the order of the file.

    Args:
        path: records of OpenEQA with `position` (x, y, z) and `rotation` (w, x, y, z).
        path_lengths: an object of shortest path lengths [m] by question id, of which all questions need one; None = the
            lengths are not known.

    Raises:
        QuestionFileError: a file cannot be read, or a record is not as published.
    """
    lengths = None if path_lengths is None else _path_lengths(path_lengths)

    def active(index: int, record: _ActiveEqaRecord) -> EqaQuestion:
        shortest = None if lengths is None else lengths.get(record.question_id)
        if lengths is not None and shortest is None:
            raise QuestionFileError(f"{path_lengths} has no path length of the question {record.question_id}")
        start = _start(path, index, record.position, record.rotation)
        return _of_openeqa(record, start, shortest)

    return _questions(path, _ActiveEqaRecord, active)


def load_express_bench(path: Path) -> tuple[EqaQuestion, ...]:
    """Returns the questions of EXPRESS-Bench (express-bench.json), in its order; their ids are their indices.

    Raises:
        QuestionFileError: the file cannot be read, or a record is not as published.
    """

    def express(index: int, record: _ExpressRecord) -> EqaQuestion:
        return EqaQuestion(
            id=str(index),
            scene=record.scene_id,
            question=record.question,
            answer=record.answer,
            category=record.type,
            start=_start(path, index, record.start_position, record.start_rotation),
            target=record.goal_position,
            shortest=record.geodesic_distance,
        )

    return _questions(path, _ExpressRecord, express)


def _of_openeqa(
    record: _OpenEqaRecord, start: StartPose | None = None, shortest: float | None = None
) -> EqaQuestion:
    return EqaQuestion(
        id=record.question_id,
        scene=record.episode_history,
        question=record.question,
        answer=record.answer,
        extra_answers=tuple(filter(None, record.extra_answers)),  # the published file has an empty one
        category=record.category,
        start=start,
        shortest=shortest,
    )


def _start(
    path: Path,
    index: int,
    position: tuple[float, float, float],
    rotation: tuple[float, float, float, float],
) -> StartPose:
    if abs(math.hypot(*rotation) - 1) > _UNIT:
        raise QuestionFileError(
            f"{path}: record {index} has the rotation {list(rotation)}, whose length is not 1; give a quaternion"
            " (w, x, y, z)"
        )
    return StartPose(position, rotation)


def _questions(
    path: Path, model: type[_RecordT], question_of: Callable[[int, _RecordT], EqaQuestion]
) -> tuple[EqaQuestion, ...]:
    """Returns the questions of a JSON list of records. Raises QuestionFileError."""
    document = _read(path)
    if not isinstance(document, Sequence) or isinstance(document, str) or not document:
        raise QuestionFileError(f"{path} holds no questions: a list of records is wanted")
    questions = tuple(
        question_of(index, _record(path, index, model, record)) for index, record in enumerate(document)
    )
    seen: dict[str, int] = {}
    for index, question in enumerate(questions):
        if question.id in seen:
            raise QuestionFileError(
                f"{path}: records {seen[question.id]} and {index} have the id {question.id}"
            )
        seen[question.id] = index
    return questions


def _record(path: Path, index: int, model: type[_RecordT], record: Any) -> _RecordT:
    try:
        return model.model_validate(record)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "the record"
        named = record.get("question_id") if isinstance(record, Mapping) else None
        name = f"record {index}" + (f" ({named})" if named else "")
        raise QuestionFileError(f"{path}: {name}, {field}: {first['msg'].lower()}") from None


def _path_lengths(path: Path) -> Mapping[str, float]:
    document = _read(path)
    if not isinstance(document, Mapping):
        raise QuestionFileError(f"{path} holds no path lengths: an object of metres by question id is wanted")
    for name, length in document.items():
        if isinstance(length, bool) or not isinstance(length, (int, float)) or not length >= 0:
            raise QuestionFileError(f"{path}: the path length of {name} is {length!r}; give metres")
    return document


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise QuestionFileError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise QuestionFileError(f"{path} is no JSON file in UTF-8: {error}") from None
