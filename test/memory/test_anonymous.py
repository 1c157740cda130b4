"""Tests of what of an experience may leave a home."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stma_ros.memory.anonymous import SOMEBODY, anonymous
from stma_ros.types.planning import Action
from stma_ros.types.scene_graph import Relation
from support.experiences.made import made


@pytest.mark.parametrize(
    ("task", "left"),
    [
        ("put Anna's mug into the sink", f"put {SOMEBODY}'s mug into the sink"),
        ("Anna's mug belongs in the sink", f"{SOMEBODY}'s mug belongs in the sink"),
        (
            "bring the book to Jörg. Then give Jörg the pen.",
            f"bring the book to {SOMEBODY}. Then give {SOMEBODY} the pen.",
        ),
        ("Put the mug away. Then find the TV.", "Put the mug away. Then find the TV."),
        ("put The mug into the sink", "put The mug into the sink"),
    ],
)
def test_names_of_people_are_left_out_of_a_task(task: str, left: str) -> None:
    assert anonymous(made(task=task)).task == left


def test_name_is_left_out_of_every_text_once_one_tells_it() -> None:
    step = replace(
        made().steps[0],
        rationale="anna waits for it.",
        graph=(Relation("anna_1", "near", "Anna"),),
        action=Action("give", ("mug_1", "Anna")),
    )
    left = anonymous(
        made(task="take the mug to Anna", steps=(replace(step, rationale="Anna waits for it."),))
    )
    assert "anna" not in str(left.steps).lower().replace("anna_1", "")
    assert left.steps[0].rationale == f"{SOMEBODY} waits for it."


def test_given_names_are_found_in_small_letters() -> None:
    assert anonymous(made(task="take the mug to anna"), ["Anna"]).task == f"take the mug to {SOMEBODY}"


def test_home_is_left_out_and_all_else_stays() -> None:
    assert anonymous(made()) == replace(made(), home="")
