"""Tests of the spatial memory: the belief of a step is made from exactly the frames up to its watermark."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.components.spatial_memory.spatial_memory import (
    MAX_PENDING_STEPS,
    SpatialMemory,
    SpatialMemoryConfig,
)
from stma_ros.library.scene.frame_mapper import MAX_PENDING_FRAMES
from stma_ros.roles.relation_retriever import RelationQuery, Relations
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.common import Error, MessageRef
from stma_ros.types.component import Emission
from stma_ros.types.errors import ConfigurationError, ErrorCode, WorldError
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.message import Message
from stma_ros.types.planning import Action, Outcome, Result, TaskResult, TaskStatus
from stma_ros.types.scene_graph import Relation, SceneGraph
from stma_ros.types.sensing import KeyframeDetections, Observation, Step
from stma_ros.types.standard import Header, Image, Pose, Time, Transform, TransformStamped, Vector3
from stma_ros.types.stepped import StepStamp
from stma_ros.types.telemetry import RoleCall
from support.components.wall_frames import HandedParts, Patch, frame, perceiving, remembering

FRIDGE = Patch("fridge", (10, 50), (20, 40), (240, 240, 240))
MUG = Patch("mug", (22, 30), (50, 58))
CONFIG = SpatialMemoryConfig(resolution=0.1)


def at(second: float) -> Time:
    return Time.from_nanoseconds(round(second * 1e9))


def update_of(parts: Mapping[str, Message]) -> KeyframeDetections:
    perception = perceiving()
    ((_, update),) = [sent for topic, part in parts.items() for sent in perception.handle(topic, part)]
    assert isinstance(update, KeyframeDetections)
    return update


def messages_of_step(
    task: str, step: int, second: int, parts: Mapping[str, Message], done: tuple[Outcome, ...] = ()
) -> list[Emission]:
    """Returns all inputs of spatial memory for a step with one frame."""
    return [
        *((topic, parts[topic]) for topic in topics.DEPTH_FRAME),
        (topics.KEYFRAME_DETECTIONS, update_of(parts)),
        (topics.OBSERVATION, Observation(task_id=task, step=step, watermark=at(second))),
        (topics.TEMPORAL_BELIEF, TemporalBelief(at=StepStamp(task_id=task, step=step), completed=done)),
    ]


def deliver(memory: HandedParts[SpatialMemory], emissions: list[Emission]) -> list[Emission]:
    return [answer for topic, message in emissions for answer in memory.handle(topic, message)]


def belief(answers: list[Emission]) -> SpatialBelief:
    (found,) = [message for _, message in answers if isinstance(message, SpatialBelief)]
    return found


def graph(answers: list[Emission]) -> SceneGraph:
    (found,) = [message for _, message in answers if isinstance(message, SceneGraph)]
    return found


def test_step_gives_one_belief_with_all_its_sources() -> None:
    memory = remembering(CONFIG)
    step = messages_of_step("t", 0, 1, frame(at(1), (FRIDGE, MUG)))
    answers = deliver(memory, step)
    assert [topic for topic, _ in answers] == [
        topics.ROLE_CALLS,
        topics.MAP,
        topics.FRONTIERS,
        topics.SCENE_GRAPH,
        topics.ROLE_CALLS,
        topics.SPATIAL_BELIEF,
    ]
    assert [node.id for node in graph(answers).objects] == ["fridge_1", "mug_1"]
    assert graph(answers).header == Header(at(1), "map")
    assert {made_from.topic for made_from in belief(answers).derived_from} == {
        topics.OBSERVATION,
        topics.TEMPORAL_BELIEF,
        topics.SCENE_GRAPH,
        topics.FRONTIERS,
    }
    assert deliver(memory, step) == []


@settings(max_examples=25)
@given(st.data())
def test_beliefs_do_not_depend_on_the_order_of_arrival_across_topics(data: st.DataObject) -> None:
    steps = [
        messages_of_step("t", 0, 1, frame(at(1), (FRIDGE,))),
        messages_of_step("t", 1, 2, frame(at(2), (FRIDGE, MUG), Pose.planar(0.4, 0, 0))),
    ]
    expected = deliver(remembering(CONFIG), list(itertools.chain(*steps)))
    queues: dict[str, list[Message]] = {}
    for topic, message in itertools.chain(*steps):
        queues.setdefault(topic, []).append(message)
    memory, answers = remembering(CONFIG), []
    while waiting := sorted(topic for topic, queue in queues.items() if queue):
        topic = data.draw(st.sampled_from(waiting))
        answers += memory.handle(topic, queues[topic].pop(0))
    assert answers == expected


def test_belief_is_repeated_in_the_revision_that_a_memory_action_made() -> None:
    memory = remembering(CONFIG)
    first = belief(deliver(memory, messages_of_step("t", 0, 1, frame(at(1), (FRIDGE, MUG)))))
    revised = (
        topics.TEMPORAL_BELIEF,
        TemporalBelief(at=StepStamp(header=Header(at(1)), task_id="t", step=0, revision=1)),
    )

    (answer,) = deliver(memory, [revised, revised])

    again = belief([answer])
    assert again == replace(first, at=replace(first.at, revision=1), derived_from=again.derived_from)
    assert again.derived_from == (
        MessageRef(topics.TEMPORAL_BELIEF, "t/0", 1),
        MessageRef(topics.SPATIAL_BELIEF, "t/0"),
    )
    assert (
        deliver(
            memory, [(topics.TEMPORAL_BELIEF, TemporalBelief(at=StepStamp(task_id="t", step=1, revision=1)))]
        )
        == []
    )


def test_frames_beyond_the_watermark_wait_for_their_step() -> None:
    memory = remembering(CONFIG)
    later = frame(at(2), (FRIDGE, MUG), Pose.planar(0.4, 0, 0))
    early = [(topic, later[topic]) for topic in topics.DEPTH_FRAME]
    first = messages_of_step("t", 0, 1, frame(at(1), (FRIDGE,)))
    own = len(topics.DEPTH_FRAME) + 1  # the parts of its frame, and its detections
    answers = deliver(
        memory, [*first[:own], *early, (topics.KEYFRAME_DETECTIONS, update_of(later)), *first[own:]]
    )
    assert [node.id for node in graph(answers).objects] == ["fridge_1"]
    assert belief(answers).robot.position.x == 0.0


def test_belief_has_the_robot_pose_of_the_odometry_when_the_depth_image_is_unusable() -> None:
    memory = remembering(CONFIG)
    deliver(memory, messages_of_step("t", 0, 1, frame(at(1), (FRIDGE,))))
    blind = frame(at(2), (FRIDGE,), Pose.planar(0.5, 0, 0))
    blind[topics.DEPTH] = Image.from_array(Header(at(2)), np.zeros((60, 80), np.uint16), "16UC1")
    answers = deliver(memory, messages_of_step("t", 1, 2, blind))
    assert belief(answers).robot.position.x == 0.5
    assert [node.id for node in graph(answers).objects] == ["fridge_1"]


def opened(name: str, second: int) -> Outcome:
    return Outcome(
        header=Header(at(second)),
        request_id="t/1",
        task_id="t",
        step=1,
        action=Action("open", (name,)),
        result=Result.SUCCEEDED,
    )


def test_opened_container_is_open_in_scene_graph_and_belief() -> None:
    memory = remembering(CONFIG)
    deliver(memory, messages_of_step("t", 0, 1, frame(at(1), (FRIDGE,))))
    answers = deliver(memory, messages_of_step("t", 1, 2, frame(at(2), (FRIDGE,)), (opened("fridge_1", 2),)))
    assert graph(answers).objects[0].state_names == ("open",)
    states = [fact for fact in belief(answers).facts if fact.predicate == words.STATE]
    assert [(fact.subject, fact.object) for fact in states] == [("fridge_1", words.STATE_OPEN)]


def test_route_to_an_opened_container_ends_where_the_robot_stood() -> None:
    memory = remembering(CONFIG)
    before = belief(deliver(memory, messages_of_step("t", 0, 1, frame(at(1), (FRIDGE,)))))
    step = messages_of_step("t", 1, 2, frame(at(2), (FRIDGE,)), (opened("fridge_1", 2),))
    after = belief(deliver(memory, step))
    stood = after.robot.position
    goals = [route.goal.position for route in (*before.routes, *after.routes) if route.target == "fridge_1"]
    away = [math.dist((goal.x, goal.y), (stood.x, stood.y)) for goal in goals]
    assert away[1] < CONFIG.resolution < away[0]


def test_incomplete_step_does_not_delay_the_next_task() -> None:
    memory = remembering(CONFIG)
    stuck = messages_of_step("t1", 0, 1, frame(at(1), (FRIDGE,)))[:-1]  # its temporal belief never comes
    assert deliver(memory, stuck) == []
    ended = TaskResult(task_id="t1", status=TaskStatus.ERROR)
    assert deliver(memory, [(topics.TASK_RESULT, ended)]) == []
    answers = deliver(
        memory, messages_of_step("t2", 0, 2, frame(at(2), (FRIDGE, MUG), Pose.planar(0.4, 0, 0)))
    )
    assert belief(answers).task_id == "t2"


def test_very_late_duplicate_of_an_observation_is_ignored() -> None:
    memory = remembering(CONFIG)
    for step in range(12):
        parts = frame(at(step + 1), (FRIDGE,), Pose.planar(0.4 * (step % 2), 0, 0))
        assert deliver(memory, messages_of_step("t", step, step + 1, parts))
    assert deliver(memory, [(topics.OBSERVATION, Observation(task_id="t", step=0, watermark=at(1)))]) == []
    assert deliver(memory, messages_of_step("t", 12, 13, frame(at(13), (FRIDGE,))))


def test_folder_is_refused_with_maps_that_do_not_tell_one_home_from_another(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="leave out memory_dir, or set mapping_rule=hit_miss"):
        remembering(SpatialMemoryConfig(mapping_rule="binary", memory_dir=str(tmp_path)))
    assert list(tmp_path.iterdir()) == []
    remembering(SpatialMemoryConfig(mapping_rule="binary"))


def test_step_with_an_earlier_stamp_is_refused_as_a_reset_of_the_world() -> None:
    memory = remembering(CONFIG)
    deliver(memory, messages_of_step("t1", 0, 50, frame(at(50), (FRIDGE,))))
    with pytest.raises(WorldError, match=r"time went back from 50\.0 to 1\.0 s.*reset the components"):
        deliver(memory, messages_of_step("t2", 0, 1, frame(at(1), (FRIDGE,))))


def test_frames_without_a_step_are_mapped_when_too_many_wait() -> None:
    memory = remembering(CONFIG)
    for second in range(1, MAX_PENDING_FRAMES + 50):
        parts = frame(at(second), (FRIDGE,))
        deliver(
            memory,
            [
                *((topic, parts[topic]) for topic in topics.DEPTH_FRAME),
                (topics.KEYFRAME_DETECTIONS, update_of(parts)),
            ],
        )
    assert len(memory.component._mapper._frames) <= MAX_PENDING_FRAMES + 1
    assert len(memory.component._mapper._updates) <= MAX_PENDING_FRAMES + 1
    last = MAX_PENDING_FRAMES + 50
    assert belief(deliver(memory, messages_of_step("t", 0, last, frame(at(last), (FRIDGE,)))))


def test_a_thing_that_is_detected_late_moves_with_a_correction_of_the_map() -> None:
    count = MAX_PENDING_FRAMES + 20
    away = Pose.planar(0.0, 0, 1.5)
    frames = [frame(at(second), (FRIDGE, MUG)) for second in range(1, 10)]
    for second in range(10, count + 1):
        to_map = TransformStamped(Header(at(second), "map"), "odom", Transform(Vector3(0.3, 0.0, 0.0)))
        frames.append({**frame(at(second), (), away), topics.LOCALIZATION: to_map})
    images = [(topic, parts[topic]) for parts in frames[:-1] for topic in topics.DEPTH_FRAME]
    found = [(topics.KEYFRAME_DETECTIONS, update_of(parts)) for parts in frames[:-1]]
    memory = remembering(CONFIG)
    answers = deliver(memory, [*images, *found, *messages_of_step("t", 0, count, frames[-1])])
    middles = {node.id: node.box.center.position.x for node in graph(answers).objects}
    assert middles["mug_1"] == pytest.approx(2.3, abs=0.05)


def test_detections_of_a_frame_with_a_rejected_pose_are_left_out() -> None:
    memory = remembering(CONFIG)
    deliver(memory, messages_of_step("t", 0, 1, frame(at(1), (FRIDGE,))))
    jumped = frame(at(2), (FRIDGE, MUG), Pose.planar(50.0, 0, 0))
    answers = deliver(memory, messages_of_step("t", 1, 2, jumped))  # perception knows of no frame before
    assert [node.id for node in graph(answers).objects] == ["fridge_1"]
    assert belief(answers).robot.position.x == 0.0


def test_missing_object_is_present_when_it_is_seen_again() -> None:
    memory = remembering(CONFIG)
    deliver(memory, messages_of_step("t", 0, 1, frame(at(1), (FRIDGE,))))
    missed = Outcome(
        header=Header(at(2)),
        request_id="t/1",
        task_id="t",
        step=1,
        action=Action("open", ("fridge_1",)),
        result=Result.FAILED,
        error=Error(ErrorCode.NO_SUCH_TARGET, "nothing there"),
    )
    away = frame(at(2), (), Pose.planar(0.0, 0, 1.5))
    gone = deliver(memory, messages_of_step("t", 1, 2, away, (missed,)))
    assert words.STATE_MISSING in _states(gone, "fridge_1")
    back = deliver(memory, messages_of_step("t", 2, 3, frame(at(3), (FRIDGE,)), (missed,)))
    assert words.STATE_MISSING not in _states(back, "fridge_1")


def _states(answers: list[Emission], name: str) -> set[str]:
    facts = belief(answers).facts
    return {fact.object for fact in facts if (fact.subject, fact.predicate) == (name, words.STATE)}


class FixedRetriever:
    """A RelationRetrieverRole that returns fixed facts from step 1 on."""

    def __init__(self, *facts: Relation) -> None:
        self._facts = facts

    def answer(self, query: RelationQuery) -> Relations:
        return Relations(self._facts if query.temporal.step >= 1 else ())


def _about(answers: list[Emission], name: str) -> set[tuple[str, str]]:
    return {
        (fact.predicate, fact.object)
        for fact in belief(answers).facts
        if fact.subject == name and fact.predicate in (words.IN, words.ON, words.HELD_BY, words.IN_ROOM)
    }


def test_held_object_is_held_until_the_hand_is_empty() -> None:
    held = Relation("mug_1", words.HELD_BY, words.ROBOT, confidence=1.0, first_seen=at(2), last_seen=at(2))
    memory = remembering(CONFIG, retriever=FixedRetriever(held))
    deliver(memory, messages_of_step("t", 0, 1, frame(at(1), (FRIDGE, MUG))))
    step = messages_of_step("t", 1, 2, frame(at(2), (FRIDGE,)))
    grasped = [(topic, replace(m, holding=True) if isinstance(m, Observation) else m) for topic, m in step]
    answers = deliver(memory, grasped)
    assert _about(answers, "mug_1") == {(words.HELD_BY, words.ROBOT)}
    assert "mug_1" not in {route.target for route in belief(answers).routes}
    assert "mug_1" in {node.id for node in graph(answers).objects}
    dropped = deliver(memory, messages_of_step("t", 2, 3, frame(at(3), (FRIDGE,))))
    assert (words.HELD_BY, words.ROBOT) not in _about(dropped, "mug_1")


def test_frame_at_the_end_of_an_action_shows_its_effect() -> None:
    placed = Relation("mug_1", words.ON, "fridge_1", confidence=1.0, first_seen=at(2), last_seen=at(2))
    held = Relation(
        "mug_1", words.HELD_BY, words.ROBOT, confidence=1.0, first_seen=at(1.5), last_seen=at(1.5)
    )
    memory = remembering(CONFIG, retriever=FixedRetriever(held, placed))
    deliver(memory, messages_of_step("t", 0, 1, frame(at(1), (FRIDGE, MUG))))
    moved = Patch("mug", (4, 10), (26, 34))
    answers = deliver(memory, messages_of_step("t", 1, 2, frame(at(2), (FRIDGE, moved))))
    assert [node.id for node in graph(answers).objects] == ["fridge_1", "mug_1"]
    assert (words.ON, "fridge_1") in _about(answers, "mug_1")
    (mug,) = [node for node in graph(answers).objects if node.id == "mug_1"]
    assert mug.last_seen == at(2)


def test_belief_has_the_sizes_of_small_objects_and_graph_the_times_of_rooms() -> None:
    answers = deliver(remembering(CONFIG), messages_of_step("t", 0, 1, frame(at(1), (FRIDGE, MUG))))
    sizes = {
        fact.subject: float(fact.object) for fact in belief(answers).facts if fact.predicate == words.SIZE
    }
    assert sizes.keys() == {"mug_1"}
    assert 0.2 < sizes["mug_1"] < 0.5
    assert all(room.first_seen <= room.last_seen == at(1) for room in graph(answers).rooms)


def test_object_that_the_camera_sees_through_is_missing() -> None:
    memory = remembering(CONFIG)
    mug = Patch("mug", (18, 34), (46, 62))
    deliver(memory, messages_of_step("t", 0, 1, frame(at(1), (mug,))))
    answers: list[Emission] = []
    for second in (2, 3, 4):
        parts = frame(at(second), (), depth_mm=4000 + 100 * second)
        answers = deliver(memory, messages_of_step("t", second, second, parts))
    assert words.STATE_MISSING in _states(answers, "mug_1")


def test_objects_follow_a_correction_of_the_localisation() -> None:
    memory = remembering(CONFIG)
    (before,) = graph(deliver(memory, messages_of_step("t", 0, 1, frame(at(1), (FRIDGE,))))).objects
    parts = frame(at(2), ())
    parts[topics.LOCALIZATION] = TransformStamped.of_pose(
        Header(at(2), "map"), "odom", Pose.planar(0.0, 0.15, 0.0)
    )
    (after,) = graph(deliver(memory, messages_of_step("t", 1, 2, parts))).objects
    assert after.center.y == pytest.approx(before.center.y + 0.15)
    assert after.last_seen == at(1)


# -- steps without a task


def idle_step(number: int, second: int) -> Emission:
    return topics.STEP, Step(step=number, watermark=at(second))


def seen_at(second: int, *patches: Patch) -> list[Emission]:
    parts = frame(at(second), patches)
    return [
        *((topic, parts[topic]) for topic in topics.DEPTH_FRAME),
        (topics.KEYFRAME_DETECTIONS, update_of(parts)),
    ]


def test_step_without_a_task_needs_no_temporal_belief() -> None:
    memory = remembering(CONFIG)
    answers = deliver(memory, [*seen_at(1, FRIDGE), *seen_at(2, FRIDGE, MUG), idle_step(0, 1)])
    assert [node.id for node in graph(answers).objects] == ["fridge_1"]
    made = belief(answers)
    assert (made.task_id, made.step, made.header.stamp) == ("", 0, at(1))
    assert made.derived_from[0] == MessageRef(topics.STEP, "/0")
    assert {topic for topic, _ in answers} >= {topics.MAP, topics.FRONTIERS}


def test_step_without_a_task_waits_for_its_frames_and_gives_one_belief() -> None:
    memory = remembering(CONFIG)
    assert deliver(memory, [idle_step(0, 2), *seen_at(1, FRIDGE)]) == []
    answers = deliver(memory, seen_at(2, FRIDGE, MUG))
    assert len(graph(answers).objects) == 2
    assert deliver(memory, [idle_step(0, 2)]) == []


def test_oldest_steps_without_a_task_are_dropped_when_perception_falls_far_behind() -> None:
    memory = remembering(CONFIG)
    steps = [idle_step(number, number + 1) for number in range(MAX_PENDING_STEPS + 2)]
    assert deliver(memory, steps) == []
    answers = deliver(memory, seen_at(MAX_PENDING_STEPS + 2, FRIDGE))
    made = [message.step for _, message in answers if isinstance(message, SpatialBelief)]
    assert made == [*range(2, MAX_PENDING_STEPS + 2)]


def test_task_continues_from_the_last_step_without_a_task() -> None:
    memory = remembering(CONFIG)
    deliver(memory, [*seen_at(1, FRIDGE), idle_step(0, 1)])
    answers = deliver(memory, messages_of_step("t", 0, 2, frame(at(2), (FRIDGE, MUG))))
    assert [node.id for node in graph(answers).objects] == ["fridge_1", "mug_1"]
    assert deliver(memory, [idle_step(1, 1)]) == []  # too late: a later step was taken
    assert belief(deliver(memory, messages_of_step("t", 1, 3, frame(at(3), (FRIDGE, MUG))))).step == 1


def test_corrupted_belief_is_reported_with_its_fault_and_differs_from_the_scene_graph() -> None:
    switched = Relation(
        "fridge_1",
        words.STATE,
        words.STATE_OPEN,
        source=EvidenceSource.OWN_ACTION,
        first_seen=at(1.5),
        last_seen=at(1.5),
    )
    memory = remembering(replace(CONFIG, fault_rate=1.0), retriever=FixedRetriever(switched))
    deliver(memory, messages_of_step("t", 0, 1, frame(at(1), (FRIDGE, MUG))))
    answers = deliver(memory, messages_of_step("t", 1, 2, frame(at(2), (MUG,)), (opened("fridge_1", 1),)))
    (call,) = [m for _, m in answers if isinstance(m, RoleCall) and m.fault]
    assert (call.fault, call.fault_detail) == ("contradicted", "fridge_1 state closed, not state open")
    assert words.STATE_CLOSED in _states(answers, "fridge_1")
    (fridge,) = [node for node in graph(answers).objects if node.id == "fridge_1"]
    assert words.STATE_OPEN in fridge.state_names
