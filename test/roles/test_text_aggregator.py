"""Tests of the descriptions by the relation aggregator of text worlds, which state every fact."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.cooking.relation_aggregator import (
    TextRelationAggregator,
    exit_target,
    read_exit_target,
)
from stma_ros.roles.planner import PlanAnswer
from stma_ros.roles.relation_aggregator import AggregateQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation
from support.roles.scripted_text_home import TextHome, random_home
from support.roles.text_player import Player


def text(room: str, *facts: tuple[str, str, str]) -> str:
    query = AggregateQuery(room, tuple(Relation(*fact) for fact in facts), ())
    return TextRelationAggregator().answer(query).text


class Listener(Player):
    """A player that records the description of the home before each plan."""

    def __init__(self, home: TextHome) -> None:
        self.heard: list[str] = []
        super().__init__(home)

    def plan(self, *rejected: str) -> PlanAnswer:
        self.heard.append(self.spatial.text)
        return super().plan(*rejected)


HALL = ((words.ROBOT, words.IN, "hall"), ("chest", words.IN, "hall"))


class TestDescription:
    def test_text_description_ends_with_facts_that_have_no_sentence(self) -> None:
        description = text("hall", *HALL, ("ham", "made of", "pork"), ("moon", words.STATE, "full"))

        assert description.splitlines()[-1] == "Also: (ham, made of, pork); (moon, state, full)."

    def test_text_description_has_no_rest_when_every_fact_has_a_sentence(self) -> None:
        facts = (
            *HALL,
            ("egg", words.IN, "chest"),
            ("egg", words.STATE, "raw"),
            ("hall", "exit east", "yard"),
        )

        assert "Also" not in text("hall", *facts, ("yard", "exit west", words.UNEXPLORED))

    @pytest.mark.parametrize("seed", range(4))
    def test_text_description_of_a_usual_home_has_no_rest(self, seed: int) -> None:
        player = Listener(random_home(seed))

        player.play()

        assert player.heard
        assert "Also" not in "".join(player.heard)

    def test_text_description_lists_only_objects_held_by_the_robot_as_carried(self) -> None:
        description = text("hall", *HALL, ("ham", words.HELD_BY, "cook"), ("egg", words.HELD_BY, words.ROBOT))

        assert "The robot carries egg." in description
        assert "(ham, held by, cook)" in description

    def test_text_description_states_the_container_of_an_object(self) -> None:
        assert "egg in the chest" in text("hall", *HALL, ("egg", words.IN, "chest"))

    def test_text_description_states_both_places_of_an_object(self) -> None:
        description = text("hall", *HALL, ("egg", words.IN, "chest"), ("egg", words.ON, "shelf"))

        assert "(egg, in, chest)" in description
        assert "shelf" in description


NAMES = st.sampled_from(["hall", "attic", "yard", "ham", "chest", "oak door", "cook", words.ROBOT])
PREDICATES = st.sampled_from(
    [
        words.IN,
        words.ON,
        words.HELD_BY,
        words.IN_ROOM,
        words.IS_A,
        "made of",
        *(kind + way for kind in (words.EXIT, words.DOOR, words.FARTHER) for way in ("north", "south", "up")),
    ]
)
FACTS = (
    st.tuples(NAMES, PREDICATES, NAMES)
    | st.tuples(NAMES, st.just(words.STATE), st.sampled_from(["open", "closed", "raw"]))
    | st.tuples(NAMES, st.just("exit north"), st.just(words.UNEXPLORED))
)


@given(NAMES | st.just(""), st.lists(FACTS, max_size=10))
def test_text_description_names_every_fact(room: str, facts: list[tuple[str, str, str]]) -> None:
    description = text(room, *facts)

    for subject, _, item in facts:
        assert subject in description
        assert item in description or item == words.UNEXPLORED


@given(st.sampled_from([*words.OPPOSITE]), st.text(min_size=1))
def test_written_exit_target_is_restored(direction: str, room: str) -> None:
    assert read_exit_target(exit_target(direction, room)) == (direction, room)


def test_name_of_a_room_is_not_read_as_an_exit_target() -> None:
    assert read_exit_target("kitchen") is None
