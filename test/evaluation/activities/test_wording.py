"""Tests of saying goals in English."""

from __future__ import annotations

import pytest

from stma_ros.evaluation.activities.wording import ActivityWording
from stma_ros.worlds.bddl.problem import Problem, read_problem
from stma_ros.worlds.house.activities.instantiation import ActivityHome, home_for
from support.activities import SNACKS

FRIDGE = "electric_refrigerator.n.01_1"


@pytest.fixture(scope="module")
def home() -> ActivityHome:
    return home_for(read_problem("storing_snacks", SNACKS, "problem0.bddl"), 1000)


def with_goal(goal: str) -> Problem:
    return read_problem(
        "storing_snacks", SNACKS[: SNACKS.index("(:goal")] + f"(:goal {goal}))", "problem0.bddl"
    )


EVERY_MUFFIN = "forall (?muffin.n.01 - muffin.n.01)"
A_CONTAINER = "exists (?tupperware.n.01 - tupperware.n.01)"


@pytest.mark.parametrize(
    ("goal", "text"),
    [
        (f"({EVERY_MUFFIN} (inside ?muffin.n.01 {FRIDGE}))", "Put all the muffins in the fridge."),
        (
            f"(and (inside muffin.n.01_1 {FRIDGE}) (inside muffin.n.01_2 {FRIDGE}) (inside mug.n.04_1 {FRIDGE}))",
            "Put all the muffins and one mug in the fridge.",
        ),
        (
            "(forn (2) (?mug.n.04 - mug.n.04) (ontop ?mug.n.04 countertop.n.01_1))",
            "Put two of the mugs on the counter.",
        ),
        (
            f"({EVERY_MUFFIN} ({A_CONTAINER} (inside ?muffin.n.01 ?tupperware.n.01)))",
            "Put all the muffins in one of the plastic containers.",
        ),
        (
            f"({A_CONTAINER} ({EVERY_MUFFIN} (inside ?muffin.n.01 ?tupperware.n.01)))",
            "Put all the muffins in one plastic container.",
        ),
        (
            f"(and ({A_CONTAINER} ({EVERY_MUFFIN} (inside ?muffin.n.01 ?tupperware.n.01)))"
            f" ({A_CONTAINER} (forall (?mug.n.04 - mug.n.04) (inside ?mug.n.04 ?tupperware.n.01))))",
            "Put all the muffins in one plastic container. Put all the mugs in one plastic container.",
        ),
        (
            f"({A_CONTAINER} (and ({EVERY_MUFFIN} (inside ?muffin.n.01 ?tupperware.n.01))"
            " (not (inside mug.n.04_1 ?tupperware.n.01))))",
            "Put all the muffins in one plastic container. "
            "Do not put the mugs in the same plastic container as the muffins.",
        ),
        (
            f"({A_CONTAINER} ({EVERY_MUFFIN} (and (inside ?muffin.n.01 ?tupperware.n.01)"
            " (not (inside mug.n.04_1 ?tupperware.n.01)))))",
            "Put all the muffins in one plastic container. "
            "Do not put the mugs in the same plastic container as the muffins.",
        ),
        (
            "(forpairs (?muffin.n.01 - muffin.n.01) (?tupperware.n.01 - tupperware.n.01)"
            " (inside ?muffin.n.01 ?tupperware.n.01))",
            "Put one muffin in each plastic container.",
        ),
        (
            "(forall (?tupperware.n.01 - tupperware.n.01)"
            " (forn (1) (?muffin.n.01 - muffin.n.01) (inside ?muffin.n.01 ?tupperware.n.01)))",
            "Put one muffin in each plastic container.",
        ),
        (f"(nextto mug.n.04_1 {FRIDGE})", "Put one of the mugs next to the fridge."),
        ("(nextto mug.n.04_1 mug.n.04_2)", "Put one of the mugs next to the other mug."),
        (f"(not (open {FRIDGE}))", "Close the fridge."),
        (f"(and (open {FRIDGE}) (not (open mug.n.04_1)))", "Open the fridge."),
        ("(ontop muffin.n.01_1 floor.n.01_1)", "Put one of the muffins on the floor of the kitchen."),
        (
            f"(or (inside mug.n.04_1 {FRIDGE}) (ontop mug.n.04_1 countertop.n.01_1))",
            "Put one of the mugs in the fridge or on the counter.",
        ),
        (
            "(forall (?mug.n.04 - mug.n.04) (or (touching ?mug.n.04 mug.n.04_1) (touching ?mug.n.04 mug.n.04_2)))",
            "Put all the mugs together.",
        ),
    ],
)
def test_goal_is_said_as_a_person_would(home: ActivityHome, goal: str, text: str) -> None:
    said = ActivityWording(ActivityHome(with_goal(goal), home.flat, home.names)).text()
    assert said.replace(" in the kitchen", "") == text


def test_whole_activity_is_said_without_the_names_of_its_instances(home: ActivityHome) -> None:
    text = ActivityWording(home).text()
    assert text.startswith("Put one muffin in each plastic container. ")
    assert text.endswith("Close the fridge.")
    assert not any(name in text for name in (*home.names, *home.names.values()))
