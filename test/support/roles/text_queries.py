"""Arbitrary questions to the roles of text games: empty, wrong or contradictory beliefs, odd commands."""

from __future__ import annotations

from hypothesis import strategies as st

from stma_ros.roles.planner import PlanQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.scene_graph import Relation, Route
from support.roles.text_player import GIVE_UP, command

NAMES = st.sampled_from(
    [
        "kitchen",
        "cellar",
        "ham",
        "knife",
        "cookbook",
        "fridge",
        "stove",
        "door",
        words.ROBOT,
        words.UNEXPLORED,
        "",
        "floor",
    ]
)
PREDICATES = st.sampled_from(
    [
        words.IN,
        words.ON,
        words.IN_ROOM,
        words.HELD_BY,
        words.STATE,
        "exit north",
        "exit ",
        "door north",
        "odd",
    ]
)
VALUES = NAMES | st.sampled_from([words.STATE_CLOSED, words.STATE_OPEN])
COMMANDS = st.sampled_from(
    [
        "go north",
        "go",
        "open fridge",
        "close fridge",
        "open door",
        "examine cookbook",
        "take ham from fridge",
        "take knife",
        "drop ham",
        "cook ham with stove",
        "chop ham with knife",
        "prepare meal",
        "eat meal",
        "eat ham",
        "look",
        "",
        "with",
    ]
)
TEXTS = st.sampled_from(
    [
        "",
        "-= Kitchen =-\nA closed door leads north.",
        "-= Cellar =-",
        "You are carrying: a raw ham and a knife.",
        "Ingredients:\nham\n\nDirections:\nchop the ham\nfry the ham\nprepare meal",
        "Step 1 (go north), kitchen. Exits: north (door, closed). There: ham in fridge. Carried: knife.",
    ]
) | st.text(max_size=20)
QUERIES = st.builds(
    lambda facts, routes, allowed, notes, instructions, now: PlanQuery(
        "cook",
        TemporalBelief(observations=tuple(notes), instructions=tuple(instructions)),
        SpatialBelief(facts=tuple(facts), routes=tuple(routes)),
        (*(command(text) for text in allowed), GIVE_UP),
        observation="\n".join(now),
    ),
    st.lists(st.builds(Relation, NAMES, PREDICATES, VALUES), max_size=8),
    st.lists(
        st.builds(
            lambda target, moves: Route(target=target, moves=tuple(moves)),
            NAMES | st.sampled_from(["exit north of kitchen", "exit up of cellar"]),
            st.lists(COMMANDS, max_size=3),
        ),
        max_size=3,
    ),
    st.lists(COMMANDS, max_size=8, unique=True),
    st.lists(TEXTS, max_size=2),
    st.lists(TEXTS, max_size=1),
    st.lists(TEXTS, max_size=3),
)
