"""The relation aggregator of text worlds leaves nothing unsaid."""

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
    """Keeps what it is told of the home before each plan."""

    def __init__(self, home: TextHome) -> None:
        self.heard: list[str] = []
        super().__init__(home)

    def plan(self, *rejected: str) -> PlanAnswer:
        self.heard.append(self.spatial.text)
        return super().plan(*rejected)


HALL = ((words.ROBOT, words.IN, "hall"), ("chest", words.IN, "hall"))


class TestRest:
    def test_what_no_sentence_is_made_for_comes_last(self) -> None:
        told = text("hall", *HALL, ("ham", "made of", "pork"), ("moon", words.STATE, "full"))

        assert told.splitlines()[-1] == "Also: (ham, made of, pork); (moon, state, full)."

    def test_nothing_comes_last_where_all_is_said(self) -> None:
        facts = (
            *HALL,
            ("egg", words.IN, "chest"),
            ("egg", words.STATE, "raw"),
            ("hall", "exit east", "yard"),
        )

        assert "Also" not in text("hall", *facts, ("yard", "exit west", words.UNEXPLORED))

    @pytest.mark.parametrize("seed", range(4))
    def test_nothing_is_left_in_a_usual_home(self, seed: int) -> None:
        player = Listener(random_home(seed))

        player.play()

        assert player.heard
        assert "Also" not in "".join(player.heard)

    def test_the_robot_carries_only_what_it_holds(self) -> None:
        told = text("hall", *HALL, ("ham", words.HELD_BY, "cook"), ("egg", words.HELD_BY, words.ROBOT))

        assert "The robot carries egg." in told
        assert "(ham, held by, cook)" in told

    def test_a_thing_is_said_to_be_in_what_holds_it(self) -> None:
        assert "egg in the chest" in text("hall", *HALL, ("egg", words.IN, "chest"))

    def test_of_two_places_neither_is_left_out(self) -> None:
        told = text("hall", *HALL, ("egg", words.IN, "chest"), ("egg", words.ON, "shelf"))

        assert "(egg, in, chest)" in told
        assert "shelf" in told


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
def test_every_fact_is_named(room: str, facts: list[tuple[str, str, str]]) -> None:
    told = text(room, *facts)

    for subject, _, item in facts:
        assert subject in told
        assert item in told or item == words.UNEXPLORED


@given(st.sampled_from([*words.OPPOSITE]), st.text(min_size=1))
def test_the_name_of_an_exit_is_read_as_it_was_written(direction: str, room: str) -> None:
    assert read_exit_target(exit_target(direction, room)) == (direction, room)


def test_a_room_is_no_exit() -> None:
    assert read_exit_target("kitchen") is None
