"""Tests of how `stma doctor --model` finds out in which convention a model draws boxes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stma_ros.apps.doctor.boxes import HEIGHT, WIDTH, BoxFinding, blocks, mean_overlap, measure_boxes
from stma_ros.apps.doctor.models import check_models
from stma_ros.domains.registry import DOMAINS
from stma_ros.models.box_convention import BoxConvention
from stma_ros.models.errors import FinalModelError
from stma_ros.testing.model_server.scene_graph import build
from support.roles.scripted_client import ScriptedClient

HOUSEHOLD = DOMAINS["household"]
TRUE = [item.box for item in build("", [blocks()]).objects]
"""Boxes of the blocks in thousandths, as the stand-in finds them."""


def drawn(convention: BoxConvention) -> list[list[float]]:
    """Returns the boxes of the blocks in a convention."""
    limits = convention.limits(WIDTH, HEIGHT)
    boxes = []
    for left, top, right, bottom in TRUE:
        ordered = (
            (top, left, bottom, right)
            if convention is BoxConvention.TOP_FIRST
            else (left, top, right, bottom)
        )
        numbers = [value * limit / 1000 for value, limit in zip(ordered, limits, strict=True)]
        boxes.append(
            numbers if convention is BoxConvention.FRACTIONS else [round(number) for number in numbers]
        )
    return boxes


def reply(boxes: list[list[float]]) -> dict[str, Any]:
    return {"objects": [{"label": f"block {n}", "name": "block", "box": box} for n, box in enumerate(boxes)]}


def measured(asked: BoxConvention, boxes: list[list[float]]) -> BoxFinding:
    return measure_boxes(ScriptedClient(reply(boxes), reply(boxes)), asked, HOUSEHOLD)


@pytest.mark.parametrize("asked", list(BoxConvention))
@pytest.mark.parametrize("convention", list(BoxConvention))
def test_box_check_finds_the_convention_whatever_was_asked_for(
    asked: BoxConvention, convention: BoxConvention
) -> None:
    finding = measured(asked, drawn(convention))
    assert finding.found is convention
    assert finding.overlap > 0.9
    assert bool(finding.advice) == (asked is not convention)
    assert asked is convention or f"set model.boxes={convention.value}" in finding.advice


@pytest.mark.parametrize("convention", list(BoxConvention))
def test_boxes_of_one_convention_do_not_fit_another(convention: BoxConvention) -> None:
    boxes = [tuple(box) for box in drawn(convention)]
    others = [mean_overlap(boxes, other) for other in BoxConvention if other is not convention]  # type: ignore[arg-type]
    assert max(others) < 0.3


def test_box_check_counts_the_first_reply_with_boxes() -> None:
    """The second one follows a complaint about the first, and may be a guess at another convention."""
    first, second = drawn(BoxConvention.FRACTIONS), drawn(BoxConvention.THOUSANDTHS)
    client = ScriptedClient(reply(first), reply(second))
    finding = measure_boxes(client, BoxConvention.THOUSANDTHS, HOUSEHOLD)
    assert (finding.found, finding.boxes) == (BoxConvention.FRACTIONS, len(TRUE))


def test_box_check_of_rough_boxes_finds_their_convention() -> None:
    rough = [
        [left - 15, top + 10, right + 5, bottom + 25]
        for left, top, right, bottom in drawn(BoxConvention.PIXELS)
    ]
    assert measured(BoxConvention.PIXELS, rough).found is BoxConvention.PIXELS


def test_box_check_of_boxes_anywhere_recommends_another_model() -> None:
    finding = measured(BoxConvention.THOUSANDTHS, [[0, 0, 300, 90], [700, 600, 1000, 1000]])
    assert (finding.found, finding.text[:30]) == (None, "its boxes fit no convention (m")
    assert "trained to draw boxes" in finding.advice


def test_box_check_says_why_it_measured_nothing() -> None:
    error = FinalModelError("script", "scene_graph", "it takes no images")
    finding = measure_boxes(ScriptedClient(error), BoxConvention.PIXELS, HOUSEHOLD)
    assert "not measured: script did not answer" in finding.text
    assert finding.advice == ""


@pytest.mark.parametrize(
    ("settings", "advice"),
    [
        ({}, "set model.boxes=pixels: it was asked for thousandths"),
        ({"boxes": "pixels"}, "nothing to change"),
    ],
)
def test_model_check_recommends_the_convention_of_the_boxes(
    settings: dict[str, str], advice: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "replies.jsonl"
    file.write_text(f"{json.dumps(reply(drawn(BoxConvention.PIXELS)))}\n" * 2)
    assert check_models({"scene_graph": f"scripted:{file}", **settings}, repeat=1) == 0
    output = " ".join(capsys.readouterr().out.split())
    assert "scene graph: its boxes are pixels" in output
    assert advice in output
