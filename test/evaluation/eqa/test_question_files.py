"""The question files of other benchmarks: records as published, and refusals that name file and record."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from stma_ros.evaluation.eqa.question_files import (
    EqaQuestion,
    QuestionFileError,
    StartPose,
    load_aeqa,
    load_express_bench,
    load_openeqa,
)

OPEN_EQA = {
    "question": " Where is the zither? ",
    "answer": "On the shelf",
    "category": "object localization",
    "question_id": "q-1",
    "episode_history": "flat/001",
}
A_EQA = {
    **OPEN_EQA,
    "position": [1.0, 0.2, -3.0],
    "rotation": [0.6, 0.0, 0.8, 0.0],
    "object_id": None,
    "class": None,
}
EXPRESS = {
    "question": "Is there a zither?",
    "answer": "Yes.",
    "type": "existence",
    "scene_id": "00001-flat",
    "start_position": [0.0, 0.1, 2.0],
    "start_rotation": [1.0, 0.0, 0.0, 0.0],
    "goal_position": [4.0, 0.1, 2.0],
    "geodesic_distance": 4.5,
}


def _file(folder: Path, document: Any, name: str = "questions.json") -> Path:
    path = folder / name
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return path


def test_openeqa_is_read_with_all_right_answers_that_are_not_empty(tmp_path: Path) -> None:
    path = _file(
        tmp_path, [OPEN_EQA, {**OPEN_EQA, "question_id": "q-2", "extra_answers": ["there", " ", "up there"]}]
    )
    first, second = load_openeqa(path)
    assert first == EqaQuestion(
        "q-1", "flat/001", "Where is the zither?", "On the shelf", (), "object localization"
    )
    assert second.answers == ("On the shelf", "there", "up there")


def test_aeqa_is_read_with_start_poses_and_path_lengths(tmp_path: Path) -> None:
    lengths = _file(tmp_path, {"q-1": 7.25, "of another question": 1}, "lengths.json")
    (question,) = load_aeqa(_file(tmp_path, [A_EQA]), lengths)
    assert question.start == StartPose((1.0, 0.2, -3.0), (0.6, 0.0, 0.8, 0.0))
    assert question.shortest == 7.25
    (without,) = load_aeqa(_file(tmp_path, [A_EQA]))
    assert without.shortest is None


def test_express_bench_is_read_with_start_target_and_shortest_path(tmp_path: Path) -> None:
    endless = json.dumps([EXPRESS, {**EXPRESS, "geodesic_distance": math.inf}])
    first, second = load_express_bench(_file(tmp_path, endless))
    assert first == EqaQuestion(
        id="0",
        scene="00001-flat",
        question="Is there a zither?",
        answer="Yes.",
        category="existence",
        start=StartPose((0.0, 0.1, 2.0), (1.0, 0.0, 0.0, 0.0)),
        target=(4.0, 0.1, 2.0),
        shortest=4.5,
    )
    assert (second.id, second.shortest) == ("1", math.inf)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"answer": None}, "answer"),
        ({"question": "  "}, "question"),
        ({"position": [1.0, 2.0]}, "position"),
        ({"position": [1.0, 2.0, math.nan]}, "position"),
        ({"rotation": [1.0, 0.0, 1.0, 0.0]}, "rotation"),
        ({"rotation": "north"}, "rotation"),
        ({"extra_answers": "there"}, "extra_answers"),
    ],
)
def test_malformed_record_is_refused_by_file_record_and_field(
    tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    path = _file(tmp_path, [A_EQA, {**A_EQA, "question_id": "q-2", **change}])
    with pytest.raises(QuestionFileError) as refusal:
        load_aeqa(path)
    assert f"{path}: record 1" in str(refusal.value)
    assert told in str(refusal.value)


@pytest.mark.parametrize("field", sorted(EXPRESS.keys() - {"geodesic_distance"}))
def test_missing_field_of_express_bench_is_named(tmp_path: Path, field: str) -> None:
    path = _file(tmp_path, [{name: value for name, value in EXPRESS.items() if name != field}])
    with pytest.raises(QuestionFileError, match=rf"record 0.*{field}.*required"):
        load_express_bench(path)


@pytest.mark.parametrize("document", ["", "{", "[]", "{}", '"text"', "[1]", "null"])
def test_file_without_questions_is_refused_by_name(tmp_path: Path, document: str) -> None:
    path = _file(tmp_path, document)
    with pytest.raises(QuestionFileError, match=r"questions\.json"):
        load_openeqa(path)


def test_missing_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(QuestionFileError, match=r"nowhere\.json cannot be read"):
        load_express_bench(tmp_path / "nowhere.json")


def test_ids_are_unique(tmp_path: Path) -> None:
    with pytest.raises(QuestionFileError, match="records 0 and 1 have the id q-1"):
        load_openeqa(_file(tmp_path, [OPEN_EQA, OPEN_EQA]))


@pytest.mark.parametrize("lengths", [{}, {"q-1": "far"}, {"q-1": -1}, {"q-1": True}, []])
def test_path_lengths_that_do_not_fit_are_refused(tmp_path: Path, lengths: Any) -> None:
    path = _file(tmp_path, lengths, "lengths.json")
    with pytest.raises(QuestionFileError, match=r"lengths\.json"):
        load_aeqa(_file(tmp_path, [A_EQA]), path)
