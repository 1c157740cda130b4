"""Tests of joining the messages of a step over declared topics, in any order of arrival and with bounded storage."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.components.step_synchronizer import STEPS, StepBuffer, StepInputs, StepSynchronizer
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.component import Emission
from stma_ros.types.planning import Critique, Outcome, PlanRequest
from stma_ros.types.scene_graph import Frontiers
from stma_ros.types.sensing import Observation
from stma_ros.types.stepped import StepStamp

DECLARED = (topics.OBSERVATION, *topics.BELIEFS, topics.FRONTIERS)
"""More topics than any component joins today."""


def step_of(task: str, step: int) -> list[Emission]:
    """A message on each of the declared topics."""
    return [
        (topics.OBSERVATION, Observation(task_id=task, step=step)),
        (topics.TEMPORAL_BELIEF, TemporalBelief(at=StepStamp(task_id=task, step=step))),
        (topics.SPATIAL_BELIEF, SpatialBelief(at=StepStamp(task_id=task, step=step))),
        (topics.FRONTIERS, Frontiers(at=StepStamp(task_id=task, step=step))),
    ]


def request(step: int, revision: int = 0, task: str = "a") -> Emission:
    return topics.PLAN_REQUEST, PlanRequest(at=StepStamp(task_id=task, step=step, revision=revision))


def synchronizer() -> StepSynchronizer[PlanRequest]:
    """Joins each request with the inputs of its step and the revision of the beliefs that it names."""
    return StepSynchronizer(
        topics.PLAN_REQUEST, DECLARED, lambda asked: (asked.task_id, asked.step, asked.belief_revision)
    )


def ask(*messages: Emission) -> list[tuple[PlanRequest, StepInputs]]:
    """Returns the joined questions of a component that declares all of the topics."""
    joining = synchronizer()
    return [joined for topic, message in messages for joined in joining.add(topic, message)]


MESSAGES = [
    *(message for task in ("a", "b") for step in range(3) for message in step_of(task, step)),
    *(request(step, revision, task) for task in ("a", "b") for step in range(3) for revision in range(2)),
]


@given(st.permutations(MESSAGES), st.lists(st.sampled_from(MESSAGES), max_size=10))
def test_synchronizer_joins_each_question_once_in_any_order_and_with_duplicates(
    order: list[Emission], repeated: list[Emission]
) -> None:
    joined = ask(*order, *repeated, *order)

    expected = {(task, step, revision) for task in ("a", "b") for step in range(3) for revision in range(2)}
    assert sorted((q.task_id, q.step, q.revision) for q, _ in joined) == sorted(expected)
    for question, inputs in joined:
        assert tuple(inputs.messages) == DECLARED
        assert dict(step_of(question.task_id, question.step)) == inputs.messages


def test_synchronizer_yields_the_questions_of_a_step_in_the_order_in_which_they_came() -> None:
    joined = ask(request(0, 1), request(0, 0), *step_of("a", 0))

    assert [question.revision for question, _ in joined] == [1, 0]


@pytest.mark.parametrize("missing", DECLARED)
def test_synchronizer_waits_for_every_declared_topic(missing: str) -> None:
    messages = [(topic, message) for topic, message in step_of("a", 0) if topic != missing]

    assert ask(request(0), *messages, *step_of("a", 1), *step_of("b", 0)) == []


def test_synchronizer_ignores_topics_that_are_not_declared() -> None:
    joined = ask(request(0), (topics.CRITIQUE, Critique(at=StepStamp(task_id="a"))), *step_of("a", 0))

    assert len(joined) == 1


def test_synchronizer_joins_a_question_with_the_inputs_of_its_step() -> None:
    joining: StepSynchronizer[PlanRequest] = StepSynchronizer(
        topics.PLAN_REQUEST, DECLARED, lambda question: (question.task_id, question.step - 1, 0)
    )

    joined = [
        pair for topic, message in (request(1), *step_of("a", 0)) for pair in joining.add(topic, message)
    ]

    assert [(question.step, inputs.observation.step) for question, inputs in joined] == [(1, 0)]


@given(
    st.permutations(
        [message for step in range(3 * STEPS) for message in (*step_of("a", step), request(step))]
    )
)
def test_synchronizer_stores_the_last_steps_only(order: list[Emission]) -> None:
    joining = synchronizer()
    for topic, message in order:
        list(joining.add(topic, message))
        assert len(joining._open) <= STEPS
        assert len(joining._inputs._steps) <= STEPS


def test_step_buffer_names_the_missing_topics_of_a_step() -> None:
    buffer = StepBuffer((topics.OUTCOME, topics.OBSERVATION))

    assert buffer.missing(("a", 0)) == (topics.OUTCOME, topics.OBSERVATION)
    assert buffer.put(topics.OUTCOME, Outcome(task_id="a"))
    assert buffer.missing(("a", 0)) == (topics.OBSERVATION,)
    assert buffer.inputs(("a", 0)) is None
    assert buffer.put(topics.OBSERVATION, Observation(task_id="a"))
    assert buffer.missing(("a", 0)) == ()
    inputs = buffer.inputs(("a", 0))
    assert inputs is not None
    assert [made_from.topic for made_from in inputs.sources] == [topics.OBSERVATION]


def test_step_buffer_holds_the_first_of_two_messages_of_one_revision() -> None:
    buffer = StepBuffer(DECLARED)

    assert buffer.put(topics.TEMPORAL_BELIEF, TemporalBelief(at=StepStamp(task_id="a"), text="first"))
    assert not buffer.put(topics.TEMPORAL_BELIEF, TemporalBelief(at=StepStamp(task_id="a"), text="second"))
    assert buffer.put(
        topics.TEMPORAL_BELIEF, TemporalBelief(at=StepStamp(task_id="a", revision=1), text="third")
    )
    texts = [buffer.get(topics.TEMPORAL_BELIEF, TemporalBelief, ("a", 0), revision) for revision in (0, 1, 2)]
    assert [belief and belief.text for belief in texts] == ["first", "third", None]


def test_step_buffer_gives_the_beliefs_of_a_revision_with_the_other_inputs_of_the_step() -> None:
    buffer = StepBuffer((topics.OBSERVATION, topics.TEMPORAL_BELIEF))
    buffer.put(topics.OBSERVATION, Observation(task_id="a"))
    buffer.put(topics.TEMPORAL_BELIEF, TemporalBelief(at=StepStamp(task_id="a", revision=1)))

    assert buffer.missing(("a", 0)) == (topics.TEMPORAL_BELIEF,)
    assert buffer.revisions(("a", 0)) == (1,)
    inputs = buffer.inputs(("a", 0), 1)
    assert inputs is not None
    assert inputs.get(topics.TEMPORAL_BELIEF, TemporalBelief).revision == 1


@given(st.permutations([(revision, topic) for revision in range(3) for topic in (*topics.BELIEFS, "asked")]))
def test_synchronizer_joins_each_question_with_the_revision_that_it_names(
    order: list[tuple[int, str]],
) -> None:
    joining = StepSynchronizer[PlanRequest](
        topics.PLAN_REQUEST, topics.BELIEFS, lambda asked: (asked.task_id, asked.step, asked.belief_revision)
    )
    joined = []
    for revision, topic in order:
        message = {
            topics.TEMPORAL_BELIEF: TemporalBelief(at=StepStamp(task_id="a", revision=revision)),
            topics.SPATIAL_BELIEF: SpatialBelief(at=StepStamp(task_id="a", revision=revision)),
        }.get(topic, PlanRequest(at=StepStamp(task_id="a", revision=revision), belief_revision=revision))
        joined += joining.add(topic if topic in topics.BELIEFS else topics.PLAN_REQUEST, message)

    assert sorted(question.revision for question, _ in joined) == [0, 1, 2]
    for question, inputs in joined:
        assert {made_from.revision for made_from in inputs.sources} == {question.belief_revision}
