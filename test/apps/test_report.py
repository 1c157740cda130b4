"""The report says what happened, holds nothing that was not recorded, and needs nothing outside of itself."""

from __future__ import annotations

import base64
import io
import json
import random
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image as PillowImage
from synthetic_run import synthetic_run

from stma_ros.apps.report.collect import collect, labels
from stma_ros.apps.report.frames import Keyframe, pick
from stma_ros.apps.report.render import render_report, write_report
from stma_ros.storage.bag_writer import BagWriter, MessageRecorder
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types import topics
from stma_ros.types.errors import StorageError
from stma_ros.types.message import Message
from stma_ros.types.scene_graph import RoomNode, SceneGraph
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import Header, Image, MapMetaData, OccupancyGrid


@pytest.fixture(scope="module")
def page() -> str:
    return render_report(synthetic_run(), "run-7", {"success_rate": 50.0, "commands": 6})


def test_the_page_says_what_was_asked_and_how_it_ended(page: str) -> None:
    text = text_of(page)
    assert "1 of 2 tasks succeeded" in text
    for words in ("find the mug", "The mug is in cupboard 1 in the kitchen.", 'find <the> "teapot" & report'):
        assert words in text
    assert "everything that can be searched was searched" in text
    assert "success rate 50" in text


def test_every_step_is_told_with_what_became_of_it(page: str) -> None:
    text = text_of(page)
    for _, message in synthetic_run():
        for said in (
            getattr(message, "subgoal", ""),
            getattr(message, "reason", ""),
            getattr(message, "reasoning", ""),
        ):
            assert said in text
    assert "open(cupboard_1) spatial: cupboard_1 is 3.2 m away; go there first" in text
    assert "navigate(cupboard_1) succeeded" in text
    assert "explore(frontier_7) failed" in text
    assert "blocked: a chair stands in the way" in text
    steps = re.findall(r"beliefs at step (\d+)", page)
    assert steps == ["0", "1", "2", "3", "4", "5", "0", "1"]


def test_faults_are_shown(page: str) -> None:
    assert "BAD_IMAGE: 320x240 rgb8 needs 230400 bytes, got 1200" in text_of(page)


def test_the_map_shows_the_target_rooms_visits_and_a_scale(page: str) -> None:
    first = figures(page, "map")[0]
    words = ["".join(node.itertext()) for node in first.iter("text")]
    for name in ("mug 1", "kitchen", "living room", "sofa 1", "2 m"):
        assert name in words
    assert len([node for node in first.iter("circle") if node.get("class") == "frontier"]) == 2
    assert len([node for node in first.iter("rect") if "target" in node.get("class", "")]) == 1
    assert len({node.get("stroke") for node in first.iter("line")}) > 10


def test_the_map_is_the_grid_seen_from_above(page: str) -> None:
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


def test_the_scene_graph_shows_every_object_where_it_belongs(page: str) -> None:
    drawn = {figure.findtext("title"): figure for figure in figures(page, "graph")[:4]}
    kitchen = drawn["What is in the kitchen"]
    assert "mug 1 in cupboard 1" in kitchen.get("aria-label", "")
    assert "bowl 1 on plate 2" in kitchen.get("aria-label", "")
    (target,) = [node for node in kitchen.iter("g") if node.get("class") == "entry target"]
    assert "mug 1" in ["".join(text.itertext()) for text in target.iter("text")]
    names = [n for figure in drawn.values() for n in figure.iter("text") if n.get("class") == "node-name"]
    assert len(names) == 25


def test_the_page_refers_to_nothing_outside_of_itself(page: str) -> None:
    assert "://" not in page
    assert "<script" not in page
    for reference in re.findall(r'(?:src|href)="([^"]*)"', page):
        assert reference.startswith(("data:image/", "#task-"))
    assert "url(" not in page
    assert "@import" not in page
    assert len(page) < 2_000_000


def test_pictures_have_words_for_those_who_cannot_see_them(page: str) -> None:
    for image in re.findall(r"<img [^>]*>", page):
        assert re.search(r'alt="Camera frame at [\d.]+ s, [^"]+; detected: [^"]+"', image)
    for figure in re.findall(r"<svg [^>]*>", page):
        assert 'role="img"' in figure
        assert re.search(r'aria-label="[^"]+"', figure)


def test_the_page_is_well_formed(page: str) -> None:
    checker = _Balance()
    checker.feed(page)
    assert checker.open == []


def test_topics_may_arrive_in_any_order_among_each_other(page: str) -> None:
    """As with DDS: each topic in its own order, the topics against one another in any."""
    sensed = {
        topics.ODOMETRY,
        topics.MAP,
        topics.COLOR,
        topics.SCENE_GRAPH_UPDATE,
        topics.TASK,
        topics.TASK_RESULT,
    }
    messages = synthetic_run()
    stepped = [pair for pair in messages if pair[0] not in sensed]
    random.Random(1).shuffle(stepped)
    shuffled: list[tuple[str, Message]] = [pair for pair in messages if pair[0] in sensed] + stepped
    ours, theirs = (steps_of(text) for text in (page, render_report(shuffled, "run-7", {})))
    assert ours == theirs


def test_a_report_is_made_of_a_recorded_run(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "run")
    with BagWriter(folder.path) as writer:
        recorder = MessageRecorder(writer)
        for topic, message in synthetic_run():
            recorder(topic, message)
    folder.write_metrics({"success_rate": 50.0, "commands": 6})
    written = write_report(folder).read_text()
    assert written == render_report(synthetic_run(), "run", json.loads(folder.metrics.read_text()))


def test_a_run_that_broke_off_has_a_report() -> None:
    messages = synthetic_run()
    text = text_of(render_report(messages[: len(messages) // 3], "run", {}))
    assert "unfinished" in text
    assert "the recording ends before the task does" in text


def test_an_empty_recording_has_a_report() -> None:
    assert "The recording holds no task." in text_of(render_report([], "run", {}))


def test_a_garbled_map_and_a_truncated_image_leave_the_rest(page: str) -> None:
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


def test_a_missing_bag_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"run's folder"):
        write_report(RunFolder.create(tmp_path))


def test_keyframes_are_picked_for_what_they_tell() -> None:
    def frame(time: int, *categories: str) -> Keyframe:
        return Keyframe(time * 10**9, b"", tuple(Detection(category) for category in categories))

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


def test_rooms_of_one_kind_are_told_apart() -> None:
    rooms = (
        RoomNode("room_1", "bedroom"),
        RoomNode("room_2", "bedroom"),
        RoomNode("room_3", "kitchen"),
        RoomNode("room_4"),
    )
    assert labels(SceneGraph(rooms=rooms)) == {
        "room_1": "bedroom 1",
        "room_2": "bedroom 2",
        "room_3": "kitchen",
        "room_4": "room 4",
    }


def figures(page: str, kind: str) -> list[ElementTree.Element]:
    found = [ElementTree.fromstring(text) for text in re.findall(r"<svg .*?</svg>", page, re.DOTALL)]
    return [figure for figure in found if figure.get("class") == kind]


def steps_of(page: str) -> list[str]:
    return re.findall(r'<ol class="steps">.*?</ol>', page, re.DOTALL)


def text_of(page: str) -> str:
    collector = _Balance()
    collector.feed(page)
    return re.sub(r"\s+", " ", " ".join(collector.words))


class _Balance(HTMLParser):
    """Keeps the open elements and the visible text."""

    VOID = frozenset({"meta", "img", "br", "link"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)
