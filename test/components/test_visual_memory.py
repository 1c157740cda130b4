"""Tests of the memory of pictures: what it keeps, and what it shows of frontiers, in any order of messages."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from stma_ros.components.visual_memory.evidence_memory import EvidenceMemory
from stma_ros.components.visual_memory.visual_memory import MAX_VIEWS, VisualMemory, VisualMemoryConfig
from stma_ros.roles.category_filter import CategoryQuery, RelevantCategories
from stma_ros.roles.exploration import ExplorationQuery, FrontierQuery
from stma_ros.roles.frontier_manager import KeptFrontiers
from stma_ros.roles.snapshot_manager import RECORD_PURPOSE, KeptSnapshots
from stma_ros.sensing.assembler import FrameAssembler
from stma_ros.storage.memory_store import MemoryNotSavedError
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.common import MessageRef
from stma_ros.types.errors import ErrorCode, RoleError
from stma_ros.types.exploration import ExplorationPlan, Snapshot, VisualBelief
from stma_ros.types.message import Message
from stma_ros.types.planning import Action, SkillRequest, SkillTarget, Task
from stma_ros.types.remembering import MemoryAction, MemoryReply, MemoryRequest
from stma_ros.types.scene_graph import Frontier, Frontiers, Route
from stma_ros.types.sensing import Detection, KeyframeDetections, ObjectHypothesis, Observation
from stma_ros.types.standard import Header, Point, Pose, Time, Vector3
from stma_ros.types.stepped import StepStamp
from support.components.wall_frames import Patch, frame

AHEAD, BEHIND = Point(1.5, 0.0, 0.5), Point(-3.0, 0.0, 0.5)
"""Places before the wall that the camera sees, and behind the camera."""


class Manager:
    """Keeps what it is told to, of snapshots and frontiers."""

    def __init__(self, kept: Callable[[int], tuple[int, ...]], error: str = "") -> None:
        self.asked: list[ExplorationQuery] = []
        self._kept, self._error = kept, error

    def answer(self, query):  # type: ignore[no-untyped-def]
        self.asked.append(query)
        if self._error:
            raise RoleError(self._error)
        if isinstance(query, CategoryQuery):
            return RelevantCategories(query.categories[:1])
        if isinstance(query, FrontierQuery):
            return KeptFrontiers(self._kept(len(query.frontiers)), "")
        return KeptSnapshots(self._kept(len(query.snapshots)), "what they show")


def everything(count: int) -> tuple[int, ...]:
    return tuple(range(count))


def memory(manager: Manager | None = None, **settings: object) -> VisualMemory:
    role = manager or Manager(everything)
    return VisualMemory(VisualMemoryConfig(**settings), role, role, role)  # type: ignore[arg-type]


def camera_frame(stamp: Time, sight: Patch, x: float, depth_mm: int = 2000) -> Message:
    parts = frame(stamp, (sight,), base=Pose.planar(x, 0.0, 0.0), depth_mm=depth_mm)
    assembler = FrameAssembler(parts)
    (whole,) = [each for topic, part in parts.items() if (each := assembler.add(topic, part)) is not None]
    return whole


def step(
    number: int,
    x: float = 0.0,
    frontiers: dict[str, Point] | None = None,
    keyframe: bool = True,
    task_id: str = "a",
    begun: int = 1,
    furniture: tuple[Detection, ...] = (),
) -> list[tuple[str, Message]]:
    """Returns the messages of a step at whose end the robot is at x [m], and has taken one frame.

    Args:
        begun: time at which the task began [s]; a step takes one second.
        furniture: what is seen besides the thing of the step.
    """
    taken = Time(number + begun)
    at = StepStamp(header=Header(taken, "map"), task_id=task_id, step=number)
    first_row = taken.sec % 37  # or all pictures would be the same
    sight = Patch(f"thing {number}", (first_row, first_row + 20), (20, 60))
    camera = camera_frame(taken, sight, x)
    found = Detection(hypotheses=(ObjectHypothesis(category=f"thing {number}", score=0.9),))
    places = {"frontier_1": AHEAD} if frontiers is None else frontiers
    led_by = (MessageRef(topics.PLAN, f"{task_id}/{number - 1}", 0),) if number else ()
    messages: list[tuple[str, Message]] = [
        (
            topics.SKILL_REQUEST,
            SkillRequest(task_id=task_id, step=number, action=Action("observe"), derived_from=led_by),
        ),
        (topics.CAMERA_FRAME, camera),
        (
            topics.KEYFRAME_DETECTIONS,
            KeyframeDetections(
                header=Header(taken), processed_until=taken, keyframe=keyframe, detections=(found, *furniture)
            ),
        ),
        (
            topics.OBSERVATION,
            Observation(header=Header(taken), task_id=task_id, step=number, watermark=taken),
        ),
        (
            topics.FRONTIERS,
            Frontiers(at=at, frontiers=tuple(Frontier(id=name, center=p) for name, p in places.items())),
        ),
        (topics.TEMPORAL_BELIEF, TemporalBelief(at=at, observations=("I went on.",))),
        (
            topics.SPATIAL_BELIEF,
            SpatialBelief(at=at, routes=tuple(Route(target=name, length=1.5) for name in places)),
        ),
    ]
    if number:
        before = StepStamp(header=Header(Time(number)), task_id=task_id, step=number - 1)
        messages.insert(0, (topics.EXPLORATION_PLAN, ExplorationPlan(at=before)))
    return messages


TASK: tuple[str, Message] = (topics.TASK, Task(task_id="a", text="Is there a cat?"))


def beliefs(component: VisualMemory, messages: Iterable[tuple[str, Message]]) -> list[VisualBelief]:
    said = (emission for message in messages for emission in component.handle(*message))
    return [message for _, message in said if isinstance(message, VisualBelief)]


def test_belief_of_a_step_does_not_depend_on_the_order_of_its_messages():
    expected = None
    for order in itertools.islice(itertools.permutations(step(0)), 0, None, 37):
        made = beliefs(memory(), [TASK, *order, *order])
        expected = expected or made
        assert made == expected
    (belief,) = expected or ()
    (snapshot,) = belief.snapshots
    assert [each.category for each in snapshot.detections] == ["thing 0"]
    assert snapshot.picture.data.size > 0
    (frontier,) = belief.frontiers
    assert (frontier.frontier, frontier.length, frontier.view.id) == ("frontier_1", 1.5, snapshot.id)


def test_frontier_that_is_out_of_view_keeps_the_picture_of_when_it_was_seen_last():
    first, second = beliefs(memory(), [TASK, *step(0), *step(1, x=3.0)])
    assert second.frontiers[0].view == first.frontiers[0].view
    (nearest,) = beliefs(memory(), [TASK, *step(0, frontiers={"frontier_2": BEHIND})])
    assert nearest.frontiers[0].view == nearest.snapshots[0]  # the only picture there is


def test_manager_chooses_what_is_kept_of_more_snapshots_than_its_threshold():
    manager = Manager(lambda count: (count - 1,))
    walk = [message for number in range(4) for message in step(number, float(number))]
    made = beliefs(memory(manager, manage_above=2), [TASK, *walk])
    assert [len(belief.snapshots) for belief in made] == [1, 2, 1, 2]
    assert [belief.text for belief in made] == ["", "", "what they show", ""]


def test_frames_that_are_no_keyframes_push_no_keyframe_out():
    walk = [message for number in range(4) for message in step(number, float(number))]
    others = (
        message
        for number in range(2 * MAX_VIEWS)
        for message in step(number, keyframe=False, begun=100)
        if message[0] in (topics.CAMERA_FRAME, topics.KEYFRAME_DETECTIONS)
    )
    first, last = (
        [each for each in walk if (each[0] == topics.OBSERVATION) is is_last] for is_last in (False, True)
    )
    component = memory()
    beliefs(component, [TASK, *first])
    assert len(component._frames) == 4
    beliefs(component, others)
    assert len(component._frames) == 4
    assert len(beliefs(component, last)) == 4


def test_manager_is_told_when_the_pictures_are_a_record_too():
    for purpose, mode in (("evidence", ""), ("record", RECORD_PURPOSE)):
        manager = Manager(everything)
        beliefs(memory(manager, manage_above=0, manager_purpose=purpose), [TASK, *step(0)])
        assert [query.mode for query in manager.asked] == [mode]


def covering_walk(manager: Manager, **settings: object) -> list[VisualBelief]:
    """Returns the beliefs of a walk on which each frame shows another thing, the last two of them none."""
    walk = [message for number in range(5) for message in step(number, float(number))]
    bare = [
        (topic, replace(message, detections=()) if message.header.stamp >= Time(4) else message)  # type: ignore[attr-defined]
        if isinstance(message, KeyframeDetections)
        else (topic, message)
        for topic, message in walk
    ]
    component = memory(manager, keeps="covering", frontier_manager=False, **settings)
    return beliefs(component, [TASK, *bare])


def test_covering_memory_keeps_what_shows_everything_and_shows_what_the_filter_finds_relevant():
    manager = Manager(everything)
    made = covering_walk(manager, relevant_kinds=7)
    assert {query.most for query in manager.asked} == {7}
    assert [query.categories for query in manager.asked] == [
        ("thing 0",),
        ("thing 0", "thing 1"),
        *[("thing 0", "thing 1", "thing 2")] * 3,
    ]
    assert all(
        [each.category for s in belief.snapshots for each in s.detections] == ["thing 0"] for belief in made
    )


def test_covering_memory_shows_all_that_it_keeps_when_the_filter_fails():
    made = covering_walk(Manager(everything, error="no list"))
    shown = [[each.category for s in belief.snapshots for each in s.detections] for belief in made]
    assert shown[-1] == ["thing 0", "thing 1", "thing 2"]


def test_reply_of_a_manager_that_cannot_be_used_keeps_everything_and_is_told():
    manager = Manager(everything, error="no numbers")
    walk = [
        message for number in range(3) for message in step(number, float(number), {"a": AHEAD, "b": AHEAD})
    ]
    component = memory(manager, manage_above=0)
    said = [emission for message in (TASK, *walk) for emission in component.handle(*message)]
    made = [message for _, message in said if isinstance(message, VisualBelief)]
    assert [len(belief.snapshots) for belief in made] == [1, 2, 3]
    assert [len(belief.frontiers) for belief in made] == [2, 2, 2]
    errors = [message.error for topic, message in said if topic == topics.ROLE_CALLS]  # type: ignore[attr-defined]
    assert errors == ["no numbers"] * 6


def test_without_a_manager_the_newest_pictures_are_kept():
    walk = [message for number in range(5) for message in step(number, float(number))]
    manager = Manager(everything)
    made = beliefs(memory(manager, keeps="newest", newest=2), [TASK, *walk])
    assert [len(belief.snapshots) for belief in made] == [1, 2, 2, 2, 2]
    assert manager.asked == []


def test_a_picture_of_the_same_view_is_kept_once():
    walk = [message for number in range(4) for message in step(number)]
    made = beliefs(memory(), [TASK, *walk])
    assert [len(belief.snapshots) for belief in made] == [1, 1, 1, 1]
    assert made[-1].snapshots[0].stamp == Time(4)


def test_frame_that_is_no_keyframe_is_no_snapshot_and_a_frontier_is_a_way_on_without_a_picture():
    (belief,) = beliefs(memory(), [TASK, *step(0, keyframe=False)])
    assert belief.snapshots == ()
    (frontier,) = belief.frontiers
    assert (frontier.frontier, frontier.length, frontier.view) == ("frontier_1", 1.5, Snapshot())


# -- over tasks and starts

NEXT: tuple[str, Message] = (topics.TASK, Task(task_id="b", text="Is there a dog?"))


def piece(category: str, y: float) -> Detection:
    box = BoundingBox3D.upright(Point(20.0, y, 0.5), Vector3(1.0, 1.0, 1.0), 0.0)
    return Detection(hypotheses=(ObjectHypothesis(category=category, score=0.9),), box=box)


HOME = piece("sofa", 0.0), piece("bed", 3.0)


def walk(steps: int, task_id: str = "a", begun: int = 1) -> list[tuple[str, Message]]:
    """Returns the messages of a task on which the robot goes 1 m at each step, and sees the furniture of the home."""
    return [
        message
        for number in range(steps)
        for message in step(number, float(number), task_id=task_id, begun=begun, furniture=HOME)
    ]


def stamps(belief: VisualBelief) -> list[int]:
    return [each.stamp.sec for each in belief.snapshots]


def test_next_task_begins_with_the_pictures_that_matter_for_its_question():
    manager = Manager(lambda count: (0,))
    component = memory(manager, manage_above=9)
    beliefs(component, [TASK, *walk(3)])
    (belief,) = beliefs(component, [NEXT, *step(0, 9.0, task_id="b", begun=10)])
    (asked,) = manager.asked
    assert (asked.question, asked.items, asked.trail) == ("Is there a dog?", (), ())
    assert [each.stamp.sec for each in asked.snapshots] == [1, 2, 3]
    assert stamps(belief) == [1, 10]


def test_no_question_about_earlier_pictures_holds_more_than_a_task_may_keep():
    manager = Manager(lambda count: (count - 1,))
    component = memory(manager, manage_above=9, limit=2)
    beliefs(component, [TASK, *walk(5)])
    (belief,) = beliefs(component, [NEXT, *step(0, 9.0, task_id="b", begun=10)])
    assert [len(query.snapshots) for query in manager.asked] == [2, 2, 1]
    assert stamps(belief) == [5, 10]


def test_pictures_that_the_manager_dropped_are_there_for_the_next_question():
    kept = [0]
    component = memory(Manager(lambda count: tuple(kept)), manage_above=0)
    beliefs(component, [TASK, *walk(3)])
    kept[:] = [0, 1, 2]
    (belief, *_) = beliefs(component, [NEXT, *step(0, 9.0, task_id="b", begun=10)])
    assert stamps(belief) == [1, 2, 3]


def test_picture_of_the_way_is_no_snapshot_of_its_task_and_is_there_for_the_next_question():
    early = Time(0, 500_000_000)
    vase = Detection(hypotheses=(ObjectHypothesis(category="vase", score=0.9),))
    passed = KeyframeDetections(
        header=Header(early), processed_until=early, keyframe=True, detections=(vase, *HOME)
    )
    on_the_way = [
        (topics.CAMERA_FRAME, camera_frame(early, Patch("vase", (10, 30), (20, 60)), 5.0)),
        (topics.KEYFRAME_DETECTIONS, passed),
    ]
    component = memory()
    (request, *others) = step(0, furniture=HOME)
    (first,) = beliefs(component, [TASK, request, *on_the_way, *others])
    assert stamps(first) == [1]
    (second,) = beliefs(component, [NEXT, *step(0, 9.0, task_id="b", begun=10)])
    assert stamps(second) == [0, 1, 10]


def test_frontier_keeps_its_picture_over_tasks():
    component = memory()
    (first,) = beliefs(component, [TASK, *step(0)])
    (belief,) = beliefs(component, [NEXT, *step(0, 9.0, keyframe=False, task_id="b", begun=10)])
    assert belief.frontiers == first.frontiers


def test_without_evidence_a_task_begins_with_no_picture():
    component = memory(evidence=0)
    beliefs(component, [TASK, *walk(3)])
    (belief,) = beliefs(component, [NEXT, *step(0, 9.0, task_id="b", begun=10)])
    assert stamps(belief) == [10]


def test_without_a_manager_a_task_begins_with_the_newest_pictures():
    manager = Manager(everything)
    component = memory(manager, keeps="newest", newest=3)
    beliefs(component, [TASK, *walk(5)])
    (belief,) = beliefs(component, [NEXT, *step(0, 9.0, task_id="b", begun=10)])
    assert (stamps(belief), manager.asked) == ([4, 5, 10], [])


def test_evidence_is_there_after_the_next_start_with_stamps_before_its_own(tmp_path):
    first = memory(memory_dir=str(tmp_path))
    made = beliefs(first, [TASK, *walk(3)])
    first.close()
    second = memory(memory_dir=str(tmp_path))  # of a simulation: its clock begins anew
    (belief,) = beliefs(second, [TASK, *step(0, 9.0, furniture=HOME)])
    second.close()
    assert stamps(belief) == [-2, -1, 0, 1]
    assert len({each.id for each in belief.snapshots}) == 4
    for old, again in zip(made[-1].snapshots, belief.snapshots, strict=False):
        assert old.picture.data.tobytes() == again.picture.data.tobytes()
        assert (old.camera, old.detections) == (again.camera, again.detections)


def test_stamps_stay_as_they_are_where_the_clock_went_on(tmp_path):
    first = memory(memory_dir=str(tmp_path))
    beliefs(first, [TASK, *walk(3)])
    first.close()
    second = memory(memory_dir=str(tmp_path))
    (belief,) = beliefs(second, [NEXT, *step(0, 9.0, task_id="b", begun=100, furniture=HOME)])
    assert stamps(belief) == [1, 2, 3, 100]
    second.close()


def test_evidence_is_used_once_the_furniture_of_the_home_is_seen_again(tmp_path):
    first = memory(memory_dir=str(tmp_path))
    beliefs(first, [TASK, *walk(2)])
    first.close()
    second = memory(memory_dir=str(tmp_path))
    later = [
        message
        for number, seen in enumerate(((), HOME, ()))
        for message in step(number, 5.0 + number, task_id="b", begun=100, furniture=seen)
    ]
    made = beliefs(second, [NEXT, *later])
    second.close()
    assert [stamps(belief) for belief in made] == [[100], [1, 2, 100, 101], [1, 2, 100, 101, 102]]
    third = memory(memory_dir=str(tmp_path))
    (belief,) = beliefs(third, [TASK, *step(0, 9.0, begun=200, furniture=HOME)])
    third.close()
    assert stamps(belief) == [1, 2, 100, 101, 102, 200]


def test_evidence_that_was_not_recognised_stays_in_its_file(tmp_path):
    first = memory(memory_dir=str(tmp_path))
    beliefs(first, [TASK, *walk(2)])
    first.close()
    before = (tmp_path / "visual_memory" / "memory.stma").read_bytes()
    second = memory(memory_dir=str(tmp_path))
    beliefs(second, [NEXT, *step(0, 9.0, task_id="b", begun=100)])
    second.close()
    assert (tmp_path / "visual_memory" / "memory.stma").read_bytes() == before
    assert (tmp_path / "visual_memory" / "memory-2.stma").exists()


def test_evidence_of_another_home_is_told_and_left_as_it_is(tmp_path):
    first = memory(memory_dir=str(tmp_path))
    there = tuple(
        Detection(
            hypotheses=(ObjectHypothesis(category=name, score=0.9),),
            box=BoundingBox3D.upright(Point(9.8, y, 1.0), Vector3(0.7, 0.2, 0.7), 0.0),
        )
        for name, y in (("sofa", 0.0), ("bed", 0.25), ("piano", -0.25))
    )
    beliefs(first, [TASK, *step(0, furniture=there)])
    first.close()
    second = memory(memory_dir=str(tmp_path))
    messages = [
        NEXT,
        *step(0, 9.0, task_id="b", begun=100),
    ]  # the wall is behind where the furniture is to be
    said = [emission for message in messages for emission in second.handle(*message)]
    second.close()
    (reply,) = [message for _, message in said if isinstance(message, MemoryReply)]
    assert reply.error.code == ErrorCode.MEMORY_OF_ANOTHER_PLACE
    assert sorted(path.name for path in tmp_path.glob("*/*.stma")) == ["memory-2.stma", "memory.stma"]


def test_evidence_is_saved_before_each_belief(tmp_path):
    killed = memory(memory_dir=str(tmp_path))
    for number, message in enumerate([TASK, *walk(2)]):
        for topic, _ in killed.handle(*message):
            if topic == topics.VISUAL_BELIEF:
                assert list(tmp_path.glob("*/*.stma")), number
    killed._evidence._store.close()  # as the system does, of a process that is killed
    again = memory(memory_dir=str(tmp_path))
    (belief,) = beliefs(again, [NEXT, *step(0, 9.0, task_id="b", begun=100, furniture=HOME)])
    assert stamps(belief) == [1, 2, 100]
    again.close()


def test_damaged_evidence_is_told_and_left_as_it_is(tmp_path):
    file = tmp_path / "visual_memory" / "memory.stma"
    file.parent.mkdir()
    file.write_bytes(b"no memory")
    component = memory(memory_dir=str(tmp_path))
    said = [emission for message in (TASK, *step(0)) for emission in component.handle(*message)]
    (reply,) = [message for _, message in said if isinstance(message, MemoryReply)]
    assert (reply.request_id, reply.error.code) == ("", ErrorCode.MEMORY_UNREADABLE)
    component.close()
    assert file.read_bytes() == b"no memory"
    assert (file.parent / "memory-2.stma").exists()


def replied(component: VisualMemory, kind: MemoryAction, subject: str = "") -> MemoryReply:
    """Returns the reply to a request."""
    request = MemoryRequest(request_id=f"{kind.name} {subject}", kind=kind, subject=subject)
    ((_, reply),) = component.handle(topics.MEMORY_REQUEST, request)
    assert isinstance(reply, MemoryReply)
    assert reply.request_id == request.request_id
    return reply


def forget(component: VisualMemory, subject: str) -> MemoryReply:
    return replied(component, MemoryAction.FORGET, subject)


def test_pictures_on_trial_are_forgotten_too(tmp_path):
    first = memory(memory_dir=str(tmp_path))
    beliefs(first, [TASK, *walk(3)])
    first.close()
    second = memory(memory_dir=str(tmp_path))
    assert [forget(second, subject).text for subject in ("thing 1", "")] == [
        "Forgot 1 picture.",
        "Forgot 2 pictures.",
    ]
    assert not list(tmp_path.glob("*/*.stma"))
    (belief,) = beliefs(second, [NEXT, *step(0, 9.0, task_id="b", begun=100, furniture=HOME)])
    assert stamps(belief) == [100]
    second.close()


def test_forgotten_pictures_are_gone_from_the_task_the_evidence_and_the_folder(tmp_path):
    component = memory(memory_dir=str(tmp_path))
    beliefs(component, [TASK, *walk(3)])
    assert forget(component, "thing 1").text == "Forgot 1 picture."
    (belief,) = beliefs(component, step(3, 3.0))
    assert stamps(belief) == [1, 3, 4]
    forget(component, "")
    assert not list(tmp_path.glob("*/*.stma"))
    (belief,) = beliefs(component, step(4, 4.0))
    assert stamps(belief) == [5]
    component.close()


def test_pictures_that_cannot_be_forgotten_in_the_folder_are_an_error_of_the_reply(tmp_path, monkeypatch):
    component = memory(memory_dir=str(tmp_path))

    def fail(self: EvidenceMemory, category: str) -> frozenset[str]:
        raise MemoryNotSavedError("the disk is full")

    monkeypatch.setattr(EvidenceMemory, "forget", fail)
    reply = forget(component, "")
    assert (reply.error.code, reply.text) == (ErrorCode.MEMORY_NOT_KEPT, "the disk is full")
    component.close()


def test_a_request_to_save_is_answered_with_the_number_of_pictures(tmp_path):
    component = memory(memory_dir=str(tmp_path))
    beliefs(component, [TASK, *walk(3)])
    file = tmp_path / "visual_memory" / "memory.stma"
    assert replied(component, MemoryAction.SAVE).text == f"Saved 3 pictures to {file}."
    component.close()
    again = memory(memory_dir=str(tmp_path))
    assert "once those of the last time are known" in replied(again, MemoryAction.SAVE).text
    again.close()
    assert "no folder is set" in replied(memory(), MemoryAction.SAVE).text


def at_first_hidden(target: SkillTarget) -> list[tuple[str, Message]]:
    """Returns the messages of a step towards a target, at whose first frame something hides it."""
    (request, *others) = step(0)
    early = Time(0, 500_000_000)
    camera = camera_frame(early, Patch("hand", (10, 30), (20, 60)), 0.0, depth_mm=500)
    nothing = KeyframeDetections(header=Header(early), processed_until=early, keyframe=True)
    asked = replace(request[1], targets=(target,))  # type: ignore[type-var]
    return [
        (request[0], asked),
        (topics.CAMERA_FRAME, camera),
        (topics.KEYFRAME_DETECTIONS, nothing),
        *others,
    ]


@pytest.mark.parametrize(("category", "taken"), [("", 0), ("cup", 1)])
def test_picture_of_a_thing_is_taken_that_the_robot_was_sent_to_look_at(category: str, taken: int):
    messages = at_first_hidden(SkillTarget(id="x", category=category, pose=Pose(AHEAD)))
    (belief,) = beliefs(memory(first_views=1, views=1), [TASK, *messages])
    assert [each.stamp.sec for each in belief.snapshots] == [taken]  # of one place and direction, one is kept


@pytest.mark.parametrize("is_settled", [True, False])
def test_late_answer_adds_what_it_finds_to_its_picture_which_can_be_forgotten(is_settled: bool):
    """The answer comes after the picture's step, or before."""
    component = memory()
    cat = Detection(hypotheses=(ObjectHypothesis(category="cat", score=0.9),))
    steps = [TASK, *step(0), *step(1, 1.0)]
    (at,) = [message for _, message in step(0) if isinstance(message, KeyframeDetections)]
    late = topics.KEYFRAME_DETECTIONS, replace(at, revision=1, detections=(cat,), processed_until=Time(2))
    where = len(steps)
    if not is_settled:
        where = next(number for number, (topic, _) in enumerate(steps) if topic == topics.OBSERVATION)
    made = beliefs(component, [*steps[:where], late, *steps[where:]])
    made += beliefs(component, step(2, 2.0))
    first = min(made[-1].snapshots, key=lambda each: each.stamp.nanoseconds)
    assert [each.category for each in first.detections] == ["cat"]
    assert forget(component, "cat").text == "Forgot 1 picture."


def test_a_late_answer_does_not_bring_back_what_was_forgotten():
    component = memory()
    beliefs(component, [TASK, *step(0), *step(1, 1.0)])
    forget(component, "cat")
    (at,) = [message for _, message in step(0) if isinstance(message, KeyframeDetections)]
    cat = Detection(hypotheses=(ObjectHypothesis(category="cat", score=0.9),))
    component.handle(topics.KEYFRAME_DETECTIONS, replace(at, revision=1, detections=(cat,)))
    (belief,) = beliefs(component, step(2, 2.0))
    assert all(found.category != "cat" for each in belief.snapshots for found in each.detections)
