"""Tests of the rules behind the memories: the summary of a history, its facts, and their description."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.programs.observed_home import kind_of
from stma_ros.domains.programs.relation_aggregator import ProgramsRelationAggregator
from stma_ros.domains.programs.relation_retriever import ProgramsRelationRetriever
from stma_ros.domains.programs.summariser import ProgramsSummariser
from stma_ros.memory.working.records import raw_summary
from stma_ros.roles.relation_aggregator import AggregateQuery
from stma_ros.roles.relation_retriever import RelationQuery
from stma_ros.roles.summariser import SummariseQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import Summary, TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.scene_graph import Relation
from stma_ros.types.sensing import Observation


def _record(
    step: int, room: str, *things: str, after: str = "", failed: str = "", held: str = "nothing"
) -> Observation:
    outcome = Outcome(
        request_id=str(step) if after else "",
        step=step,
        action=Action(words.SKILL_COMMAND, (after,)),
        result=Result.FAILED if failed else Result.SUCCEEDED,
        error=Error(ErrorCode.NO_EFFECT, failed) if failed else Error(),
    )
    description = "\n".join((f"You are in {room}.", "The rooms are hall_1, kitchen_1.", "You see:", *things))
    return Observation(
        step=step, last_outcome=outcome, description=description, inventory=f"You hold {held}."
    )


_HISTORY = (
    _record(1, "hall_1", "key_1 on shelf_1"),
    _record(2, "kitchen_1", "fridge_1 (closed)", after="walk to kitchen_1"),
    _record(3, "kitchen_1", "fridge_1 (open)", "milk_1 in fridge_1", after="open fridge_1"),
    _record(4, "kitchen_1", "fridge_1 (open)", after="grab milk_1", held="milk_1"),
    _record(
        5, "kitchen_1", "fridge_1 (open)", after="open cup_1", failed="it cannot be opened", held="milk_1"
    ),
)


def _summary(records: tuple[Observation, ...], history: int) -> Summary:
    """Returns the summary of records that came one after the other. history: those that the buffer holds at most."""
    summary = Summary()
    for number in range(1, len(records) + 1):
        buffer = records[max(0, number - history) : number]
        summary = ProgramsSummariser().answer(SummariseQuery("t", summary, buffer, fresh=1))
    return summary


def _facts(temporal: TemporalBelief, since: int = 0) -> list[tuple[int, str]]:
    found = ProgramsRelationRetriever().answer(RelationQuery(temporal, since))
    return [
        (step, f"{fact.subject} {fact.predicate} {fact.object}")
        for fact, step in zip(found.triples, found.steps, strict=True)
    ]


def test_summary_has_the_last_look_at_each_room_what_was_done_and_what_failed() -> None:
    summary = _summary(_HISTORY, history=10)
    assert summary.observations == (
        "Step 1, hall_1: key_1 on shelf_1",
        "Step 5, kitchen_1: fridge_1 (open); milk_1 held by you",
    )
    assert [str(each.action) for each in summary.completed] == [
        "walk to kitchen_1",
        "open fridge_1",
        "grab milk_1",
        "open cup_1",
    ]
    assert summary.suggestions == ("do not repeat 'open cup_1' as it was: it cannot be opened",)
    assert all(note in summary.text for note in (*summary.observations, *summary.suggestions))


def test_summary_remembers_rooms_that_the_history_buffer_forgot() -> None:
    assert _summary(_HISTORY, history=1).observations == _summary(_HISTORY, history=10).observations


def test_observation_without_a_room_adds_no_look() -> None:
    blind = Observation(step=6, description="It is dark.", inventory="You hold nothing.")
    assert _summary((*_HISTORY, blind), history=10).observations == _summary(_HISTORY, 10).observations


def test_facts_are_those_of_the_looks_with_their_steps() -> None:
    observations = _summary(_HISTORY, history=10).observations
    assert _facts(TemporalBelief(observations=observations)) == [
        (1, "robot in hall_1"),
        (1, "key_1 on shelf_1"),
        (5, "robot in kitchen_1"),
        (5, "fridge_1 in kitchen_1"),
        (5, "fridge_1 state open"),
        (5, "milk_1 held by robot"),
    ]


def test_facts_that_are_known_are_left_out() -> None:
    observations = _summary(_HISTORY, history=10).observations
    assert {step for step, _ in _facts(TemporalBelief(observations=observations), since=5)} == {5}


def test_records_have_the_facts_of_a_summary_of_each() -> None:
    temporal = TemporalBelief(text=raw_summary(_HISTORY).text)
    each = [_facts(TemporalBelief(observations=_summary((record,), 1).observations)) for record in _HISTORY]
    assert _facts(temporal) == [fact for facts in each for fact in facts]


def test_things_in_a_circle_have_a_place_in_the_room() -> None:
    record = _record(
        1,
        "hall_1",
        "box_1 in bag_1",
        "bag_1 in sack_1",
        "sack_1 in box_1",
        "rag_1 on rag_1",
        "key_1 in bag_1",
    )
    facts = [fact for _, fact in _facts(TemporalBelief(observations=_summary((record,), 1).observations))]
    assert facts == [
        "robot in hall_1",
        "box_1 in hall_1",
        "bag_1 in sack_1",
        "sack_1 in box_1",
        "rag_1 in hall_1",
        "key_1 in bag_1",
    ]


_ROOMS = ("hall_1", "kitchen_1")
_THINGS = tuple(f"thing_{number}" for number in range(1, 7))
_STATES = ("open", "on", "clean")


@st.composite
def facts(draw: st.DrawFn) -> tuple[Relation, ...]:
    """Returns places without circles: each thing is in a room, on or in one that comes before, or held; with states."""
    told = [Relation(words.ROBOT, words.IN, draw(st.sampled_from(_ROOMS)))]
    for number, name in enumerate(_THINGS):
        relation = draw(st.sampled_from((words.ON, words.IN, words.HELD_BY)))
        at = draw(st.sampled_from((*_ROOMS, *_THINGS[:number])))
        told.append(Relation(name, relation, words.ROBOT if relation == words.HELD_BY else at))
        told += [Relation(name, words.STATE, state) for state in draw(st.sets(st.sampled_from(_STATES)))]
    return tuple(draw(st.permutations(told)))


@given(facts())
def test_description_tells_each_fact_once_and_the_room_of_each_thing(told: tuple[Relation, ...]) -> None:
    places = {fact.subject: fact for fact in told if fact.predicate != words.STATE}
    here = places[words.ROBOT].object
    described = ProgramsRelationAggregator().answer(AggregateQuery(here, told, ()))
    first, *lines = described.text.splitlines()
    assert first == f"The robot is in {here}."
    seen: dict[str, str] = {}
    for line in lines:
        room, _, things = line.rstrip(".").partition(": ")
        for thing in things.split("; "):
            name = thing.split()[0]
            assert name not in seen
            seen[name] = room
            fact = places[name]
            assert (f" {fact.predicate} {fact.object}" in thing) is (fact.object != room)
            states = [each.object for each in told if (each.subject, each.predicate) == (name, words.STATE)]
            assert (f" ({', '.join(states)})" in thing) is bool(states)
    assert seen.keys() == set(_THINGS)
    inferred = {(fact.subject, fact.predicate): fact.object for fact in described.facts}
    assert len(inferred) == len(described.facts)
    for name, room in seen.items():
        holder = places[name].object
        assert room == (holder if holder in _ROOMS else here if holder == words.ROBOT else seen[holder])
        assert inferred[name, words.IN_ROOM] == room
        assert inferred[name, words.IS_A] == kind_of(name)
    assert inferred[here, words.IS_A] == kind_of(here)


def test_description_without_facts_says_that_the_room_is_not_known() -> None:
    assert ProgramsRelationAggregator().answer(AggregateQuery("", (), ())).text == (
        "Where the robot is, is not known."
    )
