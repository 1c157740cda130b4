"""Random conditions on the home of twins."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from stma_ros.evaluation.programs.conditions import HOLDS, RelationCondition, StateCondition
from stma_ros.worlds.programs.home_graph import INSIDE, ON, ROOM
from support.homes_of_twins import KITCHEN, OFFICE, WHO, twins

HOME: Final = twins()
_THINGS = [id for id, node in HOME.nodes.items() if node.category != ROOM and id != WHO]
_THING_STATES = ("ON", "OFF", "OPEN", "CLOSED", "CLEAN", "DIRTY", "PLUGGED_IN", "PLUGGED_OUT")

conditions = st.one_of(
    st.builds(StateCondition, st.sampled_from(_THINGS), st.sampled_from(_THING_STATES), st.booleans()),
    st.builds(StateCondition, st.just(WHO), st.sampled_from(("SITTING", "LYING")), st.booleans()),
    st.builds(RelationCondition, st.just(WHO), st.just(HOLDS), st.sampled_from(_THINGS), st.booleans()),
    st.builds(RelationCondition, st.just(WHO), st.just(ON), st.sampled_from(_THINGS), st.booleans()),
    st.builds(
        RelationCondition,
        st.sampled_from([WHO, *_THINGS]),
        st.just(INSIDE),
        st.sampled_from((KITCHEN, OFFICE)),
        st.booleans(),
    ),
    st.builds(
        RelationCondition,
        st.sampled_from(_THINGS),
        st.sampled_from((ON, INSIDE)),
        st.sampled_from([*_THINGS, WHO]),
        st.booleans(),
    ),
)
