"""Tests of the report of a run: its content, its figures, and recordings that are damaged or incomplete."""

from __future__ import annotations

import base64
import io
import json
import math
import os
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image as PillowImage

from stma_ros.apps.report.charts import drawings
from stma_ros.apps.report.collect import collect
from stma_ros.apps.report.frames import Keyframe, KeyframeCollector, pick
from stma_ros.apps.report.map_figure import map_figure
from stma_ros.apps.report.model_table import model_table
from stma_ros.apps.report.render import _seconds, render_report, write_report
from stma_ros.apps.report.scene_tree import Entry, room_trees
from stma_ros.apps.report.task_run import TaskRun
from stma_ros.apps.report.timeline import step_entries, timeline_bar
from stma_ros.roles.critic import CRITIC
from stma_ros.roles.planner import PLANNER
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER
from stma_ros.roles.scene_graph import SCENE_GRAPH
from stma_ros.storage.bag.writer import BAG_FILE, BagWriter, MessageRecorder
from stma_ros.storage.recording import RecordingConfig
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types import topics
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.common import Error
from stma_ros.types.control import Fault
from stma_ros.types.errors import ErrorCode, StorageError
from stma_ros.types.evidence import StateEstimate
from stma_ros.types.message import Message
from stma_ros.types.planning import (
    Action,
    ActionProposal,
    Critique,
    Outcome,
    Plan,
    SkillRequest,
    SkillTarget,
    Task,
    TaskResult,
    TaskStatus,
    Verdict,
)
from stma_ros.types.scene_graph import ObjectNode, Relation, RoomNode, SceneGraph
from stma_ros.types.sensing import Detection, KeyframeDetections, ObjectHypothesis
from stma_ros.types.standard import (
    Header,
    Image,
    MapMetaData,
    OccupancyGrid,
    Odometry,
    Point,
    Pose,
    Time,
    TransformStamped,
    Vector3,
)
from stma_ros.types.stepped import StepStamp
from stma_ros.types.telemetry import ModelCall, RoleCall
from stma_ros.visual import keyframe_join
from stma_ros.visual.naming import labels
from support.apps.page_reader import Balance
from support.apps.synthetic_run import synthetic_run
from support.apps.text_game_run import text_game_run

LOOK, OPEN = Action("look_around"), Action("open", ("fridge_1",))


@pytest.fixture(scope="module")
def page() -> str:
    return render_report(synthetic_run(), "run-7", {"success_rate": 50.0, "commands": 6})


def test_report_shows_the_task_and_its_end(page: str) -> None:
    text = text_of(page)
    assert "1 of 2 tasks succeeded" in text
    for words in ("find the mug", "The mug is in cupboard 1 in the kitchen.", 'find <the> "teapot" & report'):
        assert words in text
    assert "everything that can be searched was searched" in text
    assert "success rate 50" in text


def test_report_counts_unverified_tasks_apart_and_gives_their_doubt() -> None:
    messages = [
        (
            topic,
            replace(message, status=TaskStatus.UNVERIFIED)
            if message.status == TaskStatus.SUCCEEDED
            else message,
        )
        if isinstance(message, TaskResult)
        else (topic, message)
        for topic, message in synthetic_run()
    ]
    page = render_report(messages, "run", {})
    text = text_of(page)
    assert "0 of 2 tasks succeeded, 1 could not be verified" in text
    assert "I believe so, but could not check: The mug is in cupboard 1 in the kitchen." in text
    assert '<span class="badge unverified">unverified</span>' in page


def test_report_shows_every_step_with_its_outcome(page: str) -> None:
    text = text_of(page)
    for _, message in synthetic_run():
        for words in (
            getattr(message, "subgoal", ""),
            getattr(message, "reason", ""),
            getattr(message, "reasoning", ""),
        ):
            assert words in text
    assert "open(cupboard_1) spatial: cupboard_1 is 3.2 m away; go there first" in text
    assert "navigate(cupboard_1) succeeded" in text
    assert "explore(frontier_7) failed" in text
    assert "blocked: a chair stands in the way" in text
    steps = re.findall(r"beliefs at step (\d+)", page)
    assert steps == ["0", "1", "2", "3", "4", "5", "0", "1"]


def test_report_names_a_step_without_a_subgoal_by_its_action() -> None:
    run = TaskRun(Task(), 0.0, 9.0)
    planned, accepted, done, undecided = (run.step(number) for number in range(4))
    planned.plans[0] = Plan(actions=(LOOK, OPEN))
    accepted.proposals = {
        0: ActionProposal(action=LOOK),
        1: ActionProposal(action=OPEN, at=StepStamp(revision=1)),
    }
    accepted.critiques = {
        0: Critique(verdict=Verdict.REJECTED),
        1: Critique(verdict=Verdict.ACCEPTED, at=StepStamp(revision=1)),
    }
    done.outcome = Outcome(action=OPEN)
    undecided.plans[0] = Plan()
    decisions = [entry.decision for entry in step_entries(run)]
    assert decisions == ["look_around()", "open(fridge_1)", "open(fridge_1)", ""]
    planned.plans[1] = Plan(actions=(OPEN,), subgoal="look into fridge_1")
    assert step_entries(run)[0].decision == "look into fridge_1"


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (59.94, "59.9 s"),
        (59.97, "1 min 00 s"),
        (119.6, "2 min 00 s"),
        (3599.7, "60 min 00 s"),
        (-0.4, "-0.4 s"),
        (-0.04, "0.0 s"),
        (-3.0, "-3.0 s"),
        (-63.0, "-1 min 03 s"),
    ],
)
def test_times_of_a_report_are_rounded_whole_and_may_be_negative(seconds: float, shown: str) -> None:
    assert _seconds(seconds) == shown


def test_blocks_of_the_timeline_count_from_the_begin_of_a_recording_with_the_time_of_day() -> None:
    day = 1_700_000_000
    run = TaskRun(Task(), day, day + 60.0, begin=day)
    run.step(0).outcome = Outcome(header=Header(Time(day + 10)), action=LOOK, duration=4.0)
    assert ", 6.0 to 10.0 s</title>" in str(timeline_bar(run))


def test_report_leaves_out_what_a_skill_did_not_measure() -> None:
    messages: list[tuple[str, Message]] = [(topics.TASK, Task(task_id="t", text="find it"))]
    for step, (distance, duration) in enumerate(((2.0, 3.0), (math.nan, math.nan)), start=1):
        outcome = Outcome(
            header=Header(Time(4 * step)),
            task_id="t",
            step=step,
            action=OPEN,
            distance=distance,
            duration=duration,
        )
        messages.append((topics.OUTCOME, outcome))
    messages.append((topics.OUTCOME, replace(messages[-1][1], step=3, action=LOOK)))
    messages.append((topics.TASK_RESULT, TaskResult(header=Header(Time(9)), task_id="t")))
    page = render_report(messages, "run", {})
    assert "nan" not in page
    text = text_of(page)
    assert "travelled 2.0 m" in text
    assert "look_around 1\N{MULTIPLICATION SIGN}, - " in text
    assert "open 2\N{MULTIPLICATION SIGN}, 3.0 s" in text


def test_report_of_a_folder_whose_name_is_no_utf8_replaces_its_bytes(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / os.fsdecode(b"caf\xe9"))
    with BagWriter(folder.path) as writer:
        MessageRecorder(writer)(topics.TASK, Task(task_id="t", text="find it"))
    assert "<h1>caf\ufffd</h1>" in write_report(folder).read_text()


def test_report_shows_faults(page: str) -> None:
    lost = Error(ErrorCode.MESSAGES_LOST, "1 message(s) are missing")
    faults = [
        (topics.FAULT, Fault(header=Header(Time(sec)), node="recorder", fatal=False, error=lost))
        for sec in (3, 65)
    ]
    text = text_of(render_report([*synthetic_run(), *faults], "run", {}))
    assert "3 faults" in text
    assert "recorder 3.0 s to 1 min 05 s, 2 times MESSAGES_LOST: 1 message(s) are missing" in text
    assert "BAD_IMAGE: 320x240 rgb8 needs 230400 bytes, got 1200" in text_of(page)


def test_report_shows_each_text_of_the_faults_of_a_node_and_that_one_is_fatal() -> None:
    texts = ["ValueError: first", "ValueError: first", "KeyError: 'second'"]
    faults = [
        Fault(
            header=Header(Time(sec)), node="planner", fatal=sec == 3, error=Error(ErrorCode.NODE_FAILED, text)
        )
        for sec, text in enumerate(texts, start=1)
    ]
    page = render_report([(topics.FAULT, fault) for fault in faults], "run", {})
    shown = "planner 1.0 s to 3.0 s, 3 times, fatal NODE_FAILED: ValueError: first (2 times) NODE_FAILED: KeyError: "
    assert shown in text_of(page)


def test_map_of_a_report_shows_target_rooms_visits_and_scale(page: str) -> None:
    first = figures(page, "map")[0]
    words = ["".join(node.itertext()) for node in first.iter("text")]
    for name in ("mug 1", "kitchen", "living room", "sofa 1", "2 m"):
        assert name in words
    assert len([node for node in first.iter("circle") if node.get("class") == "frontier"]) == 2
    assert len([node for node in first.iter("rect") if "target" in node.get("class", "")]) == 1
    assert len({node.get("stroke") for node in first.iter("line")}) > 10


def test_map_of_a_report_shows_the_grid_from_above(page: str) -> None:
    (picture,) = figures(page, "map")[0].iter("image")
    content = base64.b64decode(picture.get("href", "").split(",")[1])
    pixels = np.asarray(PillowImage.open(io.BytesIO(content)).convert("RGBA"))
    run = collect(synthetic_run()).tasks[0]
    assert run.grid is not None
    cells = run.grid.data.reshape(run.grid.info.height, run.grid.info.width)[::-1]
    assert pixels.shape[:2] == cells.shape
    assert (pixels[cells < 0][:, 3] == 0).all()
    assert (pixels[cells == 100][:, :3] < 100).all()
    assert (pixels[cells == 0][:, :3] > 250).all()


def test_scene_tree_of_a_report_shows_every_object_at_its_place() -> None:
    graph = collect(synthetic_run()).tasks[0].graph
    assert graph is not None
    rooms = {room.name: room for room in room_trees(graph, {"mug_1"})}
    kitchen = {entry.name: entry for entry in (*rooms["kitchen"].bearers, *rooms["kitchen"].others)}
    assert entry_text(kitchen["cupboard 1"]) == "cupboard 1 open (in: mug 1*)"
    assert entry_text(kitchen["table 1"]) == "table 1 (on: plate 1, plate 2 (on: bowl 1))"
    assert entry_text(kitchen["cupboard 2"]) == "cupboard 2 closed"
    assert "near table 1" in kitchen["chair 1"].note
    assert rooms["kitchen"].detail == "room 1, 20 m², 11 objects"
    assert sum(entry.count for room in rooms.values() for entry in (*room.bearers, *room.others)) == 25


def test_scene_tree_of_a_report_shows_held_missing_and_unconfirmed_objects_in_no_room() -> None:
    def node(name: str, *states: str) -> ObjectNode:
        return ObjectNode(
            id=name,
            category=name[:-2],
            states=tuple(StateEstimate(state=state) for state in states),
            box=BoundingBox3D.aligned(Point(1.0, 1.0, 0.5)),
        )

    graph = SceneGraph(
        objects=(node("table_1"), node("mug_1", "full"), node("cup_1", "empty", "missing"), node("vase_1")),
        unconfirmed=(node("jar_1"),),
        rooms=(RoomNode(id="room_1", category="kitchen"),),
        relations=(
            Relation("table_1", "in room", "room_1"),
            Relation("mug_1", "held by", "robot"),
            Relation("cup_1", "on", "table_1"),
            Relation("vase_1", "on", "table_1"),
        ),
    )
    trees = room_trees(graph, ())
    assert [
        (room.name, [entry_text(entry) for entry in (*room.bearers, *room.others)]) for room in trees
    ] == [
        ("in the hand", ["mug 1 full"]),
        ("kitchen", ["table 1 (on: vase 1)"]),
        ("no longer where it was", ["cup 1 empty"]),
        ("perhaps there, to be seen from near by", ["jar 1"]),
    ]
    run = replace(collect(synthetic_run()).tasks[0], graph=graph)
    drawn = map_figure(run, ())
    assert drawn is not None
    assert [name for name in ("table 1", "mug 1", "cup 1") if name in drawn] == ["table 1"]


def test_scene_tree_of_a_report_shows_objects_on_each_other_side_by_side() -> None:
    nodes = (ObjectNode(id="box_1", category="box"), ObjectNode(id="book_1", category="book"))
    relations = (Relation("box_1", "on", "book_1"), Relation("book_1", "on", "box_1"))
    (room,) = room_trees(SceneGraph(objects=nodes, relations=relations), ())
    assert [entry_text(entry) for entry in room.others] == ["book 1", "box 1"]


def test_report_marks_the_picked_object_as_the_target() -> None:
    messages = synthetic_run()
    pick_up = Action("pick", ("plate_1",))
    changed: list[tuple[str, Message]] = []
    for topic, message in messages:
        if isinstance(message, SkillRequest) and message.action.skill == "open":
            message = replace(message, action=pick_up, targets=(SkillTarget(id="plate_1", category="plate"),))
        elif isinstance(message, Outcome) and message.action.skill == "open":
            message = replace(message, action=pick_up)
        elif isinstance(message, TaskResult):
            message = replace(message, target=SkillTarget())
        changed.append((topic, message))
    page = render_report(changed, "run", {})
    assert 'class="thing-chip target"' in page
    words = ["".join(node.itertext()) for node in figures(page, "map")[0].iter("text")]
    assert "plate 1" in words
    assert "plate 2" not in words  # objects that lie on others are named in the scene graph only
    assert "after pick(plate_1)" in text_of(page)


def test_trajectory_of_a_report_follows_the_localisation() -> None:
    """The odometry frame is turned by a quarter and moved by a metre in the map."""
    messages: list[tuple[str, Message]] = []
    for topic, message in synthetic_run():
        messages.append((topic, message))
        if isinstance(message, Odometry):
            pose = TransformStamped.of_pose(message.header, "odom", Pose.planar(1.0, 0.0, math.pi / 2))
            messages.insert(
                random.Random(len(messages)).randrange(len(messages)), (topics.LOCALIZATION, pose)
            )
    plain, moved = (collect(those).tasks[0].trajectory for those in (synthetic_run(), messages))
    assert len(plain) == len(moved) > 50
    for one, other in zip(plain, moved, strict=True):
        assert (other.x, other.y) == pytest.approx((1.0 - one.y, one.x))


def test_report_refers_to_nothing_outside_of_itself(page: str) -> None:
    assert "://" not in page
    assert "<script" not in page
    for reference in re.findall(r'(?:src|href)="([^"]*)"', page):
        assert reference.startswith(("data:image/", "#task-"))
    assert "url(" not in page
    assert "@import" not in page
    assert len(page) < 2_000_000


def test_pictures_of_a_report_have_alternative_texts(page: str) -> None:
    for image in re.findall(r"<img [^>]*>", page):
        assert re.search(r'alt="Camera frame at [\d.]+ s, [^"]+; detected: [^"]+"', image)
    for figure in re.findall(r"<svg [^>]*>", page):
        assert 'role="img"' in figure
        assert re.search(r'aria-label="[^"]+"', figure)


def test_report_is_well_formed_html(page: str) -> None:
    checker = Balance()
    checker.feed(page)
    assert checker.open == []


def test_report_does_not_depend_on_the_order_of_arrival_across_topics(page: str) -> None:
    """DDS preserves the order within each topic, but not across topics."""
    sensed = {
        topics.ODOMETRY,
        topics.MAP,
        topics.COLOR,
        topics.KEYFRAME_DETECTIONS,
        topics.TASK,
        topics.TASK_RESULT,
    }
    messages = synthetic_run()
    stepped = [pair for pair in messages if pair[0] not in sensed]
    random.Random(1).shuffle(stepped)
    shuffled: list[tuple[str, Message]] = [pair for pair in messages if pair[0] in sensed] + stepped
    ours, theirs = (steps_of(text) for text in (page, render_report(shuffled, "run-7", {})))
    assert ours == theirs


def test_report_charts_figures_over_the_whole_run(page: str) -> None:
    shown = charts_of(page)
    assert list(shown) == ["Known", "Mapped [m²]", "Commands"]  # the synthetic run holds no context sizes
    assert "done 6 failed 1 refused by the critic 1" in text_of(shown["Commands"])
    assert shown["Known"].count("<polyline") == 2
    assert shown["Known"].count("task-line") == 1  # where the second task begins


def test_chart_shows_each_value_from_its_time_until_the_next_one() -> None:
    (chart,) = drawings({"metrics/area/mapped": [(10.0, 0.0), (20.0, 30.0), (30.0, 15.0)]}, [], "s")
    (line,) = re.findall(r'<polyline points="([^"]+)"', str(chart.picture))
    places = [tuple(float(number) for number in place.split(",")) for place in line.split()]
    left, middle, right = places[0][0], places[1][0], places[-1][0]
    assert middle == pytest.approx((left + right) / 2)
    floor, top = places[0][1], places[2][1]
    assert [x for x, _ in places] == [left, middle, middle, right, right, right]
    assert [y for _, y in places] == pytest.approx(
        [floor, floor, top, top, (floor + top) / 2, (floor + top) / 2]
    )
    assert chart.lines[0][2] == "15"


def test_report_shows_the_last_beliefs_open_and_the_others_folded(page: str) -> None:
    tasks = page.split('<article id="task-')[1:]
    for task in tasks:
        *others, newest = re.findall(r"<details( open)?>", task)
        assert newest
        assert not any(others)


def test_report_of_a_recorded_run_equals_that_of_its_messages(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "run")
    with BagWriter(folder.path) as writer:
        recorder = MessageRecorder(writer)
        for topic, message in synthetic_run():
            recorder(topic, message)
    folder.write_metrics({"success_rate": 50.0, "commands": 6})
    written = write_report(folder).read_text()
    assert written == render_report(synthetic_run(), "run", json.loads(folder.metrics.read_text()))


def test_report_contains_colour_that_was_recorded_as_jpeg(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "run")
    config = RecordingConfig(lossy_color=90)
    with BagWriter(folder.path, config=config) as writer:
        recorder = MessageRecorder(writer, config=config)
        for topic, message in synthetic_run():
            if not isinstance(message, Image) or message.data.size == message.step * message.height:
                recorder(topic, message)
    pictures = write_report(folder).read_text().count("<img ")
    assert pictures == render_report(synthetic_run(), "run", {}).count("<img ") > 0


def test_report_of_a_damaged_bag_shows_the_rest_and_the_damage(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "run")
    with BagWriter(folder.path) as writer:
        recorder = MessageRecorder(writer)
        for number, (topic, message) in enumerate(synthetic_run()):
            recorder(topic, message)
            if number < 7:
                writer.add_topic("/fault", Fault.ROS_TYPE)
                writer.write("/fault", b"\0\1\0\0 no fault at all" + bytes(number), number)
    page = write_report(folder).read_text()
    assert steps_of(page) == steps_of(render_report(synthetic_run(), "run", {}))
    text = text_of(page)
    assert "Parts of the recording that could not be read" in text
    assert text.count("run: a message on fault cannot be read") == 5
    assert "2 more damaged parts" in text


def test_report_of_a_bag_with_a_broken_chunk_shows_the_rest_and_the_damage(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "run")
    with BagWriter(folder.path) as writer:
        recorder = MessageRecorder(writer)
        for topic, message in synthetic_run():
            recorder(topic, message)
            writer.flush()
    file = folder.path / BAG_FILE
    content = bytearray(file.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 64] = bytes(64)
    file.write_bytes(content)
    text = text_of(write_report(folder).read_text())
    assert f"{BAG_FILE}, byte " in text
    assert "find the mug" in text


def test_keyframe_collector_holds_a_bounded_number_of_keyframes_without_pictures() -> None:
    collector = KeyframeCollector()
    for second in range(1_000):
        assert not list(collector.take(KeyframeDetections(header=Header(Time(second)), keyframe=True)))
    image = Image.from_array(Header(), np.zeros((8, 8, 3), np.uint8), "rgb8")
    found = [
        keyframe.stamp // 10**9
        for second in range(1_000)
        for keyframe in collector.take(replace(image, header=Header(Time(second))))
    ]
    assert found == list(range(1_000 - len(found), 1_000))
    assert 0 < len(found) < 100


def test_report_shows_keyframes_whose_detections_come_seconds_after_hundreds_of_images(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyframe_join, "MAX_WAITING_BYTES", 0)
    folder = RunFolder.create(tmp_path / "run")
    pixels = np.zeros((8, 8, 3), np.uint8)
    said: list[tuple[str, Message]] = [
        (topics.TASK, Task(header=Header(Time(1)), task_id="t", text="find it"))
    ]
    headers = [Header(Time.from_nanoseconds(10**9 + number * 10**9 // 30)) for number in range(600)]
    said += [(topics.COLOR, Image.from_array(header, pixels, "rgb8")) for header in headers]
    said.append((topics.KEYFRAME_DETECTIONS, KeyframeDetections(header=headers[0], keyframe=True)))
    with BagWriter(folder.path) as writer:
        recorder = MessageRecorder(writer)
        for topic, message in said:
            recorder(topic, message)
    assert "Camera frame at 1.0 s, first view" in write_report(folder).read_text()


def test_report_of_an_aborted_run_marks_its_task_as_unfinished() -> None:
    messages = synthetic_run()
    text = text_of(render_report(messages[: len(messages) // 3], "run", {}))
    assert "unfinished" in text
    assert "the recording ends before the task does" in text


def test_report_of_an_empty_recording_states_that_it_has_no_task() -> None:
    assert "The recording holds no task." in text_of(render_report([], "run", {}))


def test_report_leaves_out_an_invalid_map_and_truncated_images(page: str) -> None:
    broken: list[tuple[str, Message]] = []
    for topic, message in synthetic_run():
        if isinstance(message, OccupancyGrid):
            message = OccupancyGrid(Header(), MapMetaData(width=9, height=9), np.zeros(3, np.int8))
        elif isinstance(message, Image):
            message = Image(message.header, 240, 320, "rgb8", 0, 960, np.zeros(12, np.uint8))
        broken.append((topic, message))
    text = render_report(broken, "run-7", {})
    assert steps_of(text) == steps_of(page)
    assert "Map and way" not in text
    assert "<img" not in text


def test_report_shows_a_text_game_command_by_command() -> None:
    page = render_report(text_game_run(), "game", {})
    text = text_of(page)
    for words in (
        "Eat the apple.",
        "the game is won",
        "commands 2 of 50",
        "points 3 of 4",
        "observed -= Kitchen =- You are in a kitchen.",
        "plan open fridge there is food",
        "done open fridge succeeded",
        "observed You open the fridge. It holds <an apple>.",
        "observed Not bad.",
        "Done so far: 2 commands.",
    ):
        assert words in text
    assert "You open the fridge.\nIt holds" in page  # without the blank lines


def test_report_of_a_text_game_has_no_empty_sections() -> None:
    page = render_report(text_game_run(), "game", {})
    assert not figures(page, "map")
    assert not figures(page, "bar")
    text = text_of(page)
    for words in ("Map and way", "What the robot saw", "Scene graph", "travelled", " 1.0 s", "0.0 m"):
        assert words not in text
    checker = Balance()
    checker.feed(page)
    assert checker.open == []
    assert "<code></code>" not in page


def test_report_shows_model_use_by_role() -> None:
    small, large = "small at http://one/v1", "large at http://two/v1"
    calls = (
        called(PLANNER.name, small, latency=1.0, prompt_tokens=1500, cached_tokens=900, reply_tokens=40),
        called(RELATION_RETRIEVER.name, large, latency=2.0, attempts=3),
        called(PLANNER.name, small, latency=3.0, prompt_tokens=1500, cached_tokens=300, reply_tokens=60),
        called(CRITIC.name, small, latency=0.5),
        called(CRITIC.name, small, attempts=0, cached=True),
    )
    table = model_table(calls)
    assert {model: [row.role for row in rows] for model, rows in table.models.items()} == {
        small: ["planner", "critic"],
        large: ["relation retriever"],
    }
    assert [row.cells for rows in table.models.values() for row in rows] == [
        ("2", "0", "0", "0 %", "3,000", "40 %", "100", "2.00 s"),
        ("1", "0", "0", "50 %", "0", "-", "0", "0.50 s"),
        ("1", "0", "2", "0 %", "0", "-", "0", "2.00 s"),
    ]
    text = text_of(report_of(*calls))
    assert f"mean time {small} planner 2 0 0 0 % 3,000 40 % 100 2.00 s critic" in text
    assert "encoded before" not in text


def test_report_counts_images_when_there_are_any() -> None:
    calls = [called(SCENE_GRAPH.name, "eyes", images=2, images_cached=1), called(PLANNER.name, "small")]
    text = text_of(report_of(*calls))
    assert "images encoded before eyes" in text
    assert "2 50 % small" in text


def test_report_shows_errors_of_models_as_plain_text() -> None:
    away, rude = (
        "the server says 429",
        "the reply is not as asked for: <script>alert('hi')</script> & <b>more",
    )
    calls = (
        failed(PLANNER.name, away),
        failed(PLANNER.name, rude),
        called(PLANNER.name, "small"),
        failed(PLANNER.name, away),
    )
    page = report_of(*calls)
    text = text_of(page)
    assert "planner 4 3 " in text
    assert re.search(rf"2. {re.escape(away)} 1. {re.escape(rude)}", text)
    assert "<script" not in page
    assert "<b>more" not in page
    checker = Balance()
    checker.feed(page)
    assert checker.open == []


def test_report_counts_what_was_left_out_of_replies() -> None:
    reasons = (
        "2x relation with an unknown label; 1x unknown state",
        "1x unknown state",
        "no server listens",
        "",
    )
    at = StepStamp(header=Header(Time(2)), task_id="task_1", step=1)
    told = [(topics.ROLE_CALLS, RoleCall(at=at, role=SCENE_GRAPH.name, error=reason)) for reason in reasons]
    calls = [(topics.MODEL_CALL, called(SCENE_GRAPH.name, "eyes")), *told]
    page = render_report([*text_game_run(), *calls], "game", {})
    assert (
        "left out of replies, or corrected: 2\N{MULTIPLICATION SIGN} relation with an unknown label "
        "2\N{MULTIPLICATION SIGN} unknown state" in text_of(page)
    )
    checker = Balance()
    checker.feed(page)
    assert checker.open == []


def test_report_shortens_many_errors_of_models_to_the_most_frequent() -> None:
    texts = [*(f"trouble {number}" for number in range(20)), "often", "often", "long " * 1000]
    (row,) = model_table(failed(CRITIC.name, text) for text in texts).models["small"]
    assert row.troubles[0] == ("often", 2)
    assert row.troubles[-1] == ("something else", len(texts) - 6)
    assert sum(count for _, count in row.troubles) == len(texts)
    ((text, _),) = model_table([failed(CRITIC.name, texts[-1])]).models["small"][0].troubles
    assert len(text) <= 300


def test_report_has_no_model_section_when_no_model_was_asked(page: str) -> None:
    assert "Language models" not in page
    assert "Language models" in report_of(called(PLANNER.name, "small"))


def test_report_refuses_a_folder_without_a_bag(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"run's folder"):
        write_report(RunFolder.create(tmp_path))


def test_pick_chooses_informative_keyframes() -> None:
    def frame(time: int, *categories: str) -> Keyframe:
        return Keyframe(
            time * 10**9,
            b"",
            tuple(Detection(hypotheses=(ObjectHypothesis(category=category),)) for category in categories),
        )

    frames = [frame(0, "wall"), *(frame(t, "wall") for t in range(1, 30)), frame(30, "mug"), frame(40, "mug")]
    picked = [(p.keyframe.time, p.reason) for p in pick(frames, "mug", [(20.5, "after open(box_1)")])]
    assert picked == [
        (0.0, "first view"),
        (20.0, "after open(box_1)"),
        (30.0, "mug first seen"),
        (40.0, "last view"),
    ]
    assert pick([], "mug", []) == []
    (known,) = pick([], "mug", [], earlier=frames)
    assert (known.keyframe.time, known.reason) == (30.0, "mug seen before this task")


def test_labels_of_rooms_of_one_category_differ() -> None:
    rooms = (
        RoomNode(id="room_1", category="bedroom"),
        RoomNode(id="room_2", category="bedroom"),
        RoomNode(id="room_3", category="kitchen"),
        RoomNode(id="room_4"),
    )
    assert labels(SceneGraph(rooms=rooms)) == {
        "room_1": "bedroom 1",
        "room_2": "bedroom 2",
        "room_3": "kitchen",
        "room_4": "room 4",
    }


def called(role: str, model: str, **fields: Any) -> ModelCall:
    return ModelCall(
        header=Header(Time(2)), task_id="task_1", step=1, role=role, model=model, **{"attempts": 1, **fields}
    )


def failed(role: str, text: str) -> ModelCall:
    return called(role, "small", error=Error(ErrorCode.ROLE_FAILED, text))


def report_of(*calls: ModelCall) -> str:
    """Returns the report of a text game with these model calls."""
    return render_report([*text_game_run(), *((topics.MODEL_CALL, call) for call in calls)], "game", {})


def entry_text(entry: Entry) -> str:
    """Returns an object and its contents as one line, with a star if the object is marked."""
    inside = "; ".join(f"{how}: {', '.join(map(entry_text, those))}" for how, those in entry.contents)
    words = " ".join((entry.name, *entry.states))
    return f"{words}{'*' if entry.marked else ''}{inside and f' ({inside})'}"


def figures(page: str, kind: str) -> list[ElementTree.Element]:
    found = [ElementTree.fromstring(text) for text in re.findall(r"<svg .*?</svg>", page, re.DOTALL)]
    return [figure for figure in found if figure.get("class") == kind]


def steps_of(page: str) -> list[str]:
    return re.findall(r'<ol class="steps">.*?</ol>', page, re.DOTALL)


def text_of(page: str) -> str:
    collector = Balance()
    collector.feed(page)
    return re.sub(r"\s+", " ", " ".join(collector.words))


def charts_of(page: str) -> dict[str, str]:
    """Returns the figures with charts by their titles."""
    figures = re.findall(r"<figure>.*?</figure>", page, re.DOTALL)
    return {re.findall("<h3>([^<]*)", one)[0]: one for one in figures if 'class="chart"' in one}


@pytest.mark.parametrize("yaw", [0.0, 0.6, -2.0])
def test_map_of_a_report_draws_boxes_in_their_own_axes(yaw: float) -> None:
    run = collect(synthetic_run()).tasks[0]
    assert run.graph is not None
    sofa = next(node for node in run.graph.objects if node.id == "sofa_1")
    turned = replace(sofa, box=BoundingBox3D.upright(sofa.center, Vector3(2.0, 0.9, 0.8), yaw))
    others = tuple(node for node in run.graph.objects if node.id != "sofa_1")
    figure = map_figure(replace(run, graph=replace(run.graph, objects=(turned, *others))), ())
    assert figure is not None
    boxes = ElementTree.fromstring(str(figure)).iter("rect")
    box = next(node for node in boxes if (node.get("width"), node.get("height")) == ("2", "0.9"))
    expected = None if yaw == 0 else f"rotate({-math.degrees(yaw):.1f} "
    transform = box.get("transform")
    assert transform is None if expected is None else str(transform).startswith(expected)


def test_late_answer_is_shown_with_the_keyframe_of_its_own_task() -> None:
    """It comes after the task's end, and in the next task."""
    image = Image.from_array(Header(Time(2)), np.zeros((8, 8, 3), np.uint8), "rgb8")
    mug = Detection(hypotheses=(ObjectHypothesis(category="mug", score=0.9),))
    seen = KeyframeDetections(header=Header(Time(2)), keyframe=True, awaits_answer=True)
    answered = replace(seen, awaits_answer=False, revision=1, detections=(mug,))
    tasks = [Task(header=Header(Time(second)), task_id=name) for second, name in ((1, "t"), (4, "u"))]
    first, second = collect(
        [
            (topics.TASK, tasks[0]),
            (topics.COLOR, image),
            (topics.KEYFRAME_DETECTIONS, seen),
            (topics.TASK_RESULT, TaskResult(header=Header(Time(3)), task_id="t")),
            (topics.TASK, tasks[1]),
            (topics.KEYFRAME_DETECTIONS, answered),
        ]
    ).tasks
    assert [keyframe.detections for keyframe in first.keyframes] == [(mug,)]
    assert second.keyframes == []
