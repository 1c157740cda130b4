"""Tests of a vision-language model whose answers come late: what goes on without them, and what they revise."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.components.perception.background_vlm_detector import MAX_AWAITED
from stma_ros.components.perception.perception import PerceptionConfig
from stma_ros.components.perception.scene_answers import NoSceneError, from_message, to_message
from stma_ros.components.spatial_memory.spatial_memory import SpatialMemory, SpatialMemoryConfig
from stma_ros.models.errors import UnreachableError
from stma_ros.roles.scene_graph import SceneGraphRole, SceneObject, SceneQuery, SceneRelation, SceneView
from stma_ros.sensing.detectors.names import MODEL, SEGMENTATION
from stma_ros.types import topics
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.component import Emission, OpenQuestion
from stma_ros.types.errors import ErrorCode
from stma_ros.types.message import Message
from stma_ros.types.planning import Task
from stma_ros.types.remembering import MemoryAction, MemoryRequest, ObjectQuery, ObjectQueryResult
from stma_ros.types.scene_answer import SceneAnswer
from stma_ros.types.scene_graph import SceneGraph
from stma_ros.types.sensing import KeyframeDetections, Observation
from stma_ros.types.settings import configure
from stma_ros.types.standard import Header, Image, Pose, Time
from stma_ros.types.stepped import StepStamp
from stma_ros.types.telemetry import RoleCall
from support.components.wall_frames import HandedParts, Patch, frame, perceiving, remembering

BOTH = f"{SEGMENTATION}+{MODEL}"
MUG = Patch("mug", (20, 28), (30, 38))
MUG_BOX = (375, 333, 475, 467)
SHOWS_A_MUG = SceneView(objects=(SceneObject("mug 1", "mug", MUG_BOX),))
AWAY = UnreachableError("small", "scene_graph", "no server listens")


class Expert:
    """A SceneGraphRole that answers by a script, and records its questions."""

    def __init__(self, answer: Callable[[SceneQuery], SceneView] = lambda _: SHOWS_A_MUG) -> None:
        self._answer = answer
        self.queries: list[SceneQuery] = []

    def answer(self, query: SceneQuery) -> SceneView:
        self.queries.append(query)
        return self._answer(query)


class Free:
    """A perception that runs freely: its questions are asked when the test says so."""

    def __init__(
        self, role: SceneGraphRole, source: str = MODEL, wait: float = 2.0, **settings: float
    ) -> None:
        values = {"source": source, "model_wait": wait, **settings}
        self._perception = perceiving(configure(PerceptionConfig, values, "perception"), role)
        self.open: list[OpenQuestion] = []
        self.emitted: list[Emission] = []

    def tell(self, emissions: Iterable[Emission]) -> list[KeyframeDetections]:
        """Hands messages to it; returns the detections that follow."""
        before = len(self.emitted)
        for topic, message in emissions:
            self.emitted += self._perception.handle(topic, message)
            self.open += self._perception.component.take_questions()
        return [each for _, each in self.emitted[before:] if isinstance(each, KeyframeDetections)]

    def ask(self) -> Emission:
        """Asks the oldest open question; returns the answer."""
        question = self.open.pop(0)
        return question.topic, question.ask()


def seen(
    second: float, step: int = 0, name: str = "t", patches: tuple[Patch, ...] = (MUG,)
) -> list[Emission]:
    """Returns a step with one keyframe."""
    stamp = Time.from_nanoseconds(round(second * 1e9))
    parts = frame(stamp, patches, Pose.planar(0.4 * second, 0, 0))
    return [*parts.items(), (topics.OBSERVATION, Observation(task_id=name, step=step, watermark=stamp))]


def task(name: str = "t") -> Emission:
    return topics.TASK, Task(header=Header(), task_id=name, text="find the mug")


def one_second_steps(last: int) -> list[Emission]:
    return [task(), *(part for second in range(1, last + 1) for part in seen(second, second))]


def test_a_keyframe_waits_for_an_answer_that_comes_in_time() -> None:
    free = Free(Expert(), wait=2.0)
    assert not free.tell(one_second_steps(3))
    (update,) = free.tell([free.ask()])
    assert (update.header.stamp, update.revision, update.awaits_answer) == (Time(1), 0, False)
    assert [detection.category for detection in update.detections] == ["mug"]
    assert (topics.SCENE_ANSWER, str(Time(1).nanoseconds)) in [
        (ref.topic, ref.id) for ref in update.derived_from
    ]


def test_an_answer_in_time_says_the_same_as_to_one_who_waits_for_it() -> None:
    free, waiting = Free(Expert()), Free(Expert(), wait=-1.0)
    (late,), (in_time,) = (
        [*free.tell([task(), *seen(1)]), *free.tell([free.ask()])],
        waiting.tell([task(), *seen(1)]),
    )
    assert not waiting.open
    assert (late.detections, late.looks, late.relations, late.keyframe) == (
        in_time.detections,
        in_time.looks,
        in_time.relations,
        in_time.keyframe,
    )


def test_a_keyframe_without_an_answer_goes_on_and_is_revised_when_that_comes() -> None:
    free = Free(Expert(), wait=2.0)
    (without,) = free.tell(one_second_steps(4))
    assert (without.header.stamp, without.keyframe, without.awaits_answer) == (Time(1), True, True)
    assert (without.detections, without.looks, without.error) == ((), (), Error())
    revised = free.tell([free.ask()])[0]
    assert (revised.header.stamp, revised.revision, revised.awaits_answer) == (Time(1), 1, False)
    assert revised.processed_until == Time(1)
    assert [detection.category for detection in revised.detections] == ["mug"]
    assert [look.source for look in revised.looks] == [MODEL]


def test_a_standing_camera_waits_for_its_answer_however_long_that_takes() -> None:
    """A simulator that waits for the step sends no frames: in lock-step nothing is late."""
    free = Free(Expert(), wait=0.0)
    assert not free.tell([task(), *seen(1)])
    (update,) = free.tell([free.ask()])
    assert (update.revision, len(update.detections)) == (0, 1)


def test_other_sources_are_heard_at_once_and_joined_with_the_late_answer() -> None:
    free = Free(Expert(), BOTH, wait=0.0)
    (at_once, *_) = free.tell(one_second_steps(2))
    assert [look.source for look in at_once.looks] == [SEGMENTATION]
    assert (len(at_once.detections), at_once.awaits_answer) == (1, True)
    revised = free.tell([free.ask()])[0]
    assert [look.source for look in revised.looks] == [SEGMENTATION, MODEL]
    (mug,) = revised.detections
    assert {each.source for each in mug.hypotheses} == {SEGMENTATION, MODEL}
    assert mug.center == at_once.detections[0].center


def test_a_late_error_leaves_what_other_sources_have_found() -> None:
    def is_away(query: SceneQuery) -> SceneView:
        raise AWAY

    free = Free(Expert(is_away), BOTH, wait=0.0)
    free.tell(one_second_steps(2))
    revised = free.tell([free.ask()])[0]
    assert (revised.revision, revised.keyframe, len(revised.detections)) == (1, True, 1)
    assert revised.error.code == ErrorCode.MODEL_UNREACHABLE


def test_a_late_error_alone_is_no_keyframe_and_the_model_is_not_asked_for_a_while() -> None:
    def is_away(query: SceneQuery) -> SceneView:
        raise AWAY

    free = Free(Expert(is_away), wait=0.0, model_pause=30.0)
    free.tell(one_second_steps(2))
    revised, *_ = free.tell([free.ask()])
    assert (revised.revision, revised.keyframe, revised.error.code) == (1, False, ErrorCode.MODEL_UNREACHABLE)
    asked = len(free.open)
    updates = free.tell([part for second in range(3, 9) for part in seen(second, second)])
    assert len(free.open) == asked
    assert "not asked before" in updates[-1].error.text


@pytest.mark.parametrize("seconds", [3, 30])
def test_no_keyframe_is_delayed_by_more_than_the_wait(seconds: int) -> None:
    """Each question is answered some steps after it was asked, one after the other."""
    free = Free(Expert(), wait=2.0)
    told: list[tuple[float, float]] = []
    free.tell([task()])
    for now in range(1, 40):
        updates = free.tell(seen(now, now))
        if now % seconds == 0 and free.open:
            updates += free.tell([free.ask()])
        told += [(now, each.header.stamp.seconds) for each in updates if not each.revision]
    assert max(now - stamp for now, stamp in told) <= 3
    assert [stamp for _, stamp in told] == sorted(stamp for _, stamp in told)


def step_with(count: int, step: int = 0) -> list[Emission]:
    """Returns a step with several keyframes."""
    moments = [step * count + number + 1 for number in range(count)]
    frames = [part for moment in moments for part in seen(moment)[:-1]]
    return [*frames, seen(moments[-1], step)[-1]]


def test_model_is_asked_about_as_many_keyframes_of_a_step_as_where_the_robot_waits() -> None:
    free, waiting = Expert(), Expert()
    asked = Free(free, wait=0.0)
    asked.tell([task(), *step_with(12)])
    assert len(asked.open) == PerceptionConfig().questions_per_step
    Free(waiting, wait=-1.0).tell([task(), *step_with(12)])
    assert len(waiting.queries) == len(asked.open)


@pytest.mark.parametrize("late", [True, False])
def test_one_outage_in_a_step_begins_one_pause(late: bool) -> None:
    def is_away(query: SceneQuery) -> SceneView:
        raise AWAY

    free = Free(Expert(is_away), wait=0.0, model_pause=30.0)
    free.tell([task(), *step_with(4), *(seen(5, 1) if late else [])])
    while free.open:
        free.tell([free.ask()])
    updates = free.tell(seen(6, 2))
    assert f"not asked before {35 if late else 34}.0 s" in updates[-1].error.text


def test_one_outage_begins_one_pause() -> None:
    def is_away(query: SceneQuery) -> SceneView:
        raise AWAY

    free = Free(Expert(is_away), wait=0.0, model_pause=30.0)
    free.tell(one_second_steps(6))
    while free.open:
        free.tell([free.ask()])
    (update, *_) = [each for each in free.tell(seen(7, 7)) if each.error]
    assert "not asked before 36.0 s" in update.error.text


def test_answers_that_were_lost_do_not_keep_the_model_from_being_asked() -> None:
    free = Free(Expert(), wait=0.0)
    free.tell(one_second_steps(4))
    assert len(free.open) == 4
    del free.open[:3]
    revised = free.tell([free.ask()])
    assert [each.error.text for each in revised[:3]] == [
        "the model's answer about this keyframe was lost"
    ] * 3
    assert (len(revised), len(revised[3].detections)) == (4, 1)


def test_a_model_that_is_slower_than_the_questions_come_is_asked_fewer() -> None:
    free = Free(Expert(), wait=0.0)
    updates = free.tell(one_second_steps(12))
    assert len(free.open) == MAX_AWAITED
    assert {update.error.code for update in updates[MAX_AWAITED:]} == {ErrorCode.MODEL_BUDGET}
    free.tell([free.ask()])
    free.tell(seen(13, 13))
    assert len(free.open) == MAX_AWAITED


def test_no_question_is_asked_about_a_black_image() -> None:
    free = Free(Expert(), wait=0.0)
    parts = dict(seen(1)[:-1])
    color = parts[topics.COLOR]
    assert isinstance(color, Image)
    parts[topics.COLOR] = Image.from_array(color.header, np.zeros((60, 80, 3), np.uint8), "rgb8")
    (update,) = free.tell([task(), *parts.items(), seen(1)[-1]])
    assert (update.error.code, free.open) == (ErrorCode.BAD_IMAGE, [])


def test_the_graph_of_a_new_task_does_not_take_an_answer_of_the_task_before() -> None:
    expert = Expert()
    free = Free(expert, wait=0.0)
    free.tell([task(), *seen(1), *seen(2, 1), task("u"), *seen(3, 0, "u"), *seen(4, 1, "u")])
    while free.open:
        free.tell([free.ask()])
    free.tell(seen(5, 2, "u"))
    free.ask()
    assert [len(query.previous.objects) for query in expert.queries][:3] == [0, 0, 0]
    assert len(expert.queries[-1].previous.objects) == 1


def test_an_answer_that_comes_again_changes_nothing() -> None:
    free = Free(Expert(), wait=0.0)
    free.tell(one_second_steps(2))
    answer = free.ask()
    assert free.tell([answer])
    assert not free.tell([answer])


def test_an_answer_to_a_question_that_was_not_asked_tells_that_earlier_ones_are_lost() -> None:
    """As in a replay with other keyframes than those that were recorded."""
    free = Free(Expert(), wait=0.0)
    free.tell(one_second_steps(3))
    updates = free.tell([(topics.SCENE_ANSWER, SceneAnswer(header=Header(Time(77))))])
    assert [update.header.stamp.sec for update in updates] == [1, 2, 3]
    assert {update.error.text for update in updates} == {"the model's answer about this keyframe was lost"}


def test_a_late_answer_says_for_which_step_it_was_asked() -> None:
    free = Free(Expert(), wait=0.0)
    free.tell(one_second_steps(3))
    free.tell([free.ask()])
    (call,) = [message for _, message in free.emitted if isinstance(message, RoleCall)]
    assert (call.task_id, call.step) == ("t", 1)


# -- into the memory


def hand_over(memory: HandedParts[SpatialMemory], emissions: Iterable[Emission]) -> list[Message]:
    """Hands messages to a spatial memory, with the temporal belief of each step; returns what it says."""
    said: list[Emission] = []
    for topic, message in emissions:
        said += memory.handle(topic, message)
        if isinstance(message, Observation):
            belief = TemporalBelief(at=StepStamp(task_id=message.task_id, step=message.step))
            said += memory.handle(topics.TEMPORAL_BELIEF, belief)
    return [message for _, message in said]


def graphs_of(emissions: Iterable[Emission]) -> list[SceneGraph]:
    """Returns the scene graphs of a spatial memory, one for each step."""
    said = hand_over(remembering(SpatialMemoryConfig()), emissions)
    return [message for message in said if isinstance(message, SceneGraph)]


def with_detections(free: Free, emissions: Iterable[Emission], late: int) -> list[Emission]:
    """Returns what a spatial memory gets, where each answer comes some steps late."""
    told: list[Emission] = []
    steps = 0
    for emission in emissions:
        told += [(topics.KEYFRAME_DETECTIONS, update) for update in free.tell([emission])]
        told.append(emission)
        steps += isinstance(emission[1], Observation)
        if free.open and steps > late and isinstance(emission[1], Observation):
            told += [(topics.KEYFRAME_DETECTIONS, update) for update in free.tell([free.ask()])]
    return told


def known(graph: SceneGraph) -> list[tuple[object, ...]]:
    return [
        (item.id, item.category, item.first_seen, item.last_seen, item.keyframes, item.center)
        for item in (*graph.objects, *graph.unconfirmed)
    ]


def test_a_late_answer_enters_the_scene_graph_at_the_next_step() -> None:
    """Steps that show nothing new follow, in which all answers come."""
    steps = [*one_second_steps(4), *(part for n in (1, 2, 3, 4) for part in seen(4 + n / 100, 4 + n))]
    in_time = graphs_of(with_detections(Free(Expert(), wait=-1.0), steps, 0))
    late = graphs_of(with_detections(Free(Expert(), wait=0.0), steps, 2))
    assert [len(known(graph)) for graph in late[:2]] == [0, 0]
    assert len(known(in_time[0])) == 1
    assert known(late[-1]) == known(in_time[-1]) != []
    for before, after in pairwise(late):
        assert {name for name, *_ in known(before)} <= {name for name, *_ in known(after)}


def test_a_late_answer_is_saved_with_the_memory(tmp_path: Path) -> None:
    """It comes after the last step, and after the memory was saved."""
    free = Free(Expert(), wait=0.0, precision=0.99)
    memory = remembering(SpatialMemoryConfig(memory_dir=str(tmp_path)))
    hand_over(memory, with_detections(free, one_second_steps(2), 9))
    save = topics.MEMORY_REQUEST, MemoryRequest(request_id="s", kind=MemoryAction.SAVE)
    late = [(topics.KEYFRAME_DETECTIONS, update) for update in free.tell([free.ask()])]
    hand_over(memory, [save, *late])
    memory.close()
    again = remembering(SpatialMemoryConfig(memory_dir=str(tmp_path)))
    query = topics.OBJECT_QUERY, ObjectQuery(request_id="q", description="mug")
    (answer,) = [message for message in hand_over(again, [query]) if isinstance(message, ObjectQueryResult)]
    again.close()
    assert [sighting.last_seen for sighting in answer.sightings] == [Time(1)]


# -- as messages

texts = st.text("abc 1'", max_size=5)
edges = st.tuples(*[st.integers(0, 1000)] * 4)
views = st.builds(
    SceneView,
    texts,
    st.lists(texts, max_size=2).map(tuple),
    st.lists(
        st.builds(SceneObject, texts, texts, edges, st.lists(texts, max_size=2).map(tuple)), max_size=3
    ).map(tuple),
    st.lists(texts, max_size=2).map(tuple),
    st.lists(st.builds(SceneRelation, texts, texts, texts), max_size=3).map(tuple),
    st.dictionaries(st.sampled_from(["box beyond the picture", "reply cut off"]), st.integers(1, 9)).map(
        lambda counts: tuple(counts.items())
    ),
)


@given(views)
def test_an_answer_survives_as_a_message(view: SceneView) -> None:
    message: Message = to_message(view, Header(Time(1)))
    assert isinstance(message, SceneAnswer)
    assert from_message(message) == view


@pytest.mark.parametrize("is_canceled", [True, False])
def test_a_missing_answer_survives_as_a_message(is_canceled: bool) -> None:
    error = NoSceneError(Error.of(AWAY), is_canceled=is_canceled)
    told = from_message(to_message(error, Header(Time(1))))
    assert isinstance(told, NoSceneError)
    assert (told.code, str(told), told.is_canceled) == (AWAY.code, str(AWAY), is_canceled)
