from __future__ import annotations

import json
import threading
from typing import Any

import numpy as np
import pytest
import yaml
from rclpy.lifecycle import TransitionCallbackReturn
from rosbags.highlevel import AnyReader

from stma_ros.nodes.recorder import open_bag
from stma_ros.ros.host import ComponentHost
from stma_ros.ros.recorder import Recorder
from stma_ros.storage.bag.reader import Bag, read_bag
from stma_ros.types import topics
from stma_ros.types.planning import PlanRequest
from stma_ros.types.standard import Header, Image, Time
from stma_ros.types.stepped import StepStamp
from support.ros.small_graph import ALONE
from support.ros.waiting import eventually
from support.storage.small_disk import mounted_disk


@pytest.fixture
def graph(ros, tmp_path):
    recorder = ros.add(Recorder, open_bag, ALONE, path=str(tmp_path / "bag"), bridge="")
    thinker = ros.add(ComponentHost, "thinker", ALONE, host__bridge="", host__recorder="recorder")
    ros.up(recorder, thinker)
    return recorder, thinker


def ask(ros, steps: range) -> list[Any]:
    """Requests plans from the component and returns its answers."""
    plans = ros.listen(topics.PLAN)
    publish = ros.publisher(topics.PLAN_REQUEST, readers=2)
    for step in steps:
        publish(PlanRequest(at=StepStamp(task_id="t", step=step), task="go"))
    eventually(lambda: len(plans) == len(steps))
    return plans


def test_recorder_writes_every_message_in_order_and_unchanged(ros, graph, tmp_path):
    recorder, _ = graph
    plans = ask(ros, range(50))
    eventually(lambda: int(recorder.diagnostics()["written"]) >= 150)
    ros.run(recorder.trigger_deactivate)
    ros.run(recorder.trigger_cleanup)
    eventually(lambda: Bag(tmp_path / "bag").is_finished)
    recorded = list(read_bag(tmp_path / "bag", ros.namespace))
    assert [entry.message for entry in recorded if entry.topic == topics.PLAN] == plans
    assert [entry.topic for entry in recorded].count(topics.JOURNAL) == 50


def test_a_bag_can_be_read_while_the_recorder_runs(ros, graph, tmp_path):
    """The messages are flushed by then, so a killed recorder leaves them as well."""
    ask(ros, range(5))
    eventually(
        lambda: [entry.topic for entry in read_bag(tmp_path / "bag", ros.namespace)].count(topics.PLAN) == 5
    )


def test_a_reset_of_the_recorder_starts_another_bag_and_preserves_the_first(ros, graph, tmp_path):
    recorder, thinker = graph
    ask(ros, range(3))
    for node in (thinker, recorder):
        ros.run(node.trigger_deactivate)
        ros.run(node.trigger_cleanup)
    ros.up(recorder, thinker)
    eventually(lambda: Bag(tmp_path / "bag").is_finished)
    assert [entry.topic for entry in read_bag(tmp_path / "bag", ros.namespace)].count(topics.PLAN) == 3
    assert (tmp_path / "bag_1" / "run.mcap").is_file()


@pytest.mark.parametrize("path", ["", "bag"])
def test_an_unusable_bag_folder_fails_the_configuration_of_the_recorder(ros, tmp_path, path):
    (tmp_path / "bag").mkdir()
    (tmp_path / "bag" / "run.mcap").touch()
    recorder = ros.add(Recorder, open_bag, ALONE, path=str(tmp_path / path) if path else "", bridge="")
    assert ros.run(recorder.trigger_configure) == TransitionCallbackReturn.FAILURE
    assert ("holds a bag already" if path else "needs the parameter path") in recorder._last_error


@pytest.fixture
def memory(tmp_path):
    """A folder with a saved memory."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "memory.stma").write_text("the new one")
    return folder


def test_an_existing_bag_and_its_memory_are_not_overwritten(ros, tmp_path, memory):
    bag = tmp_path / "bag"
    (bag / "memory").mkdir(parents=True)
    (bag / "run.mcap").touch()
    (bag / "memory" / "memory.stma").write_text("of that run")
    recorder = ros.add(Recorder, open_bag, ALONE, path=str(bag), bridge="", memory_dir=str(memory))
    assert ros.run(recorder.trigger_configure) == TransitionCallbackReturn.FAILURE
    assert (bag / "memory" / "memory.stma").read_text() == "of that run"


def test_a_memory_that_cannot_be_copied_fails_the_configuration_and_leaves_a_closed_bag(
    ros, tmp_path, memory
):
    bag = tmp_path / "bag"
    bag.mkdir()
    (bag / "memory").touch()  # in the way of the folder
    recorder = ros.add(Recorder, open_bag, ALONE, path=str(bag), bridge="", memory_dir=str(memory))
    assert ros.run(recorder.trigger_configure) == TransitionCallbackReturn.FAILURE
    assert "cannot be recorded" in recorder._last_error
    assert Bag(bag).is_finished


@pytest.mark.parametrize(("exclude", "copied"), [("plan", True), ("camera/*", False)])
def test_a_memory_is_copied_into_the_bag_only_when_colour_is_recorded(ros, tmp_path, memory, exclude, copied):
    bag = tmp_path / "bag"
    recorder = ros.add(
        Recorder, open_bag, ALONE, path=str(bag), bridge="", memory_dir=str(memory), exclude=exclude
    )
    ros.configure(recorder)
    assert (bag / "memory" / "memory.stma").exists() == copied


def test_recorder_reports_a_gap_of_every_topic_except_the_clock(ros, tmp_path):
    recorder = ros.add(Recorder, open_bag, ALONE, path=str(tmp_path / "bag"), bridge="body")
    assert ros.run(recorder.trigger_configure) == TransitionCallbackReturn.SUCCESS
    for topic in (topics.CLOCK, topics.OBSERVATION):
        assert topic in recorder._inputs
        for number in (1, 5):
            info = {
                "publication_sequence_number": number,
                "publisher_gid": {"data": topic.encode()},
                "source_timestamp": 0,
            }
            ros.run(recorder._received, recorder._writer.write, recorder.resolve_topic_name(topic), b"", info)
        assert ("3 message(s)" in recorder._last_error) == (topic != topics.CLOCK)


def test_diagnostics_of_the_recorder_warn_of_messages_that_were_not_recorded(graph, ros):
    recorder, _ = graph
    receive(ros, recorder, "no_topic_of_the_bag", 0)
    eventually(lambda: recorder._health().warning == "1 message(s) were not recorded")


def about(folder):
    return yaml.safe_load((folder / "metadata.yaml").read_text())["rosbag2_bagfile_information"]


def finish(ros, recorder, folder):
    ros.run(recorder.trigger_deactivate)
    ros.run(recorder.trigger_cleanup)
    eventually(lambda: Bag(folder).is_finished)


def noise(second):
    """Returns an image of 0.3 MB that cannot be compressed."""
    pixels = np.random.default_rng(second).integers(0, 256, (250, 400, 3), np.uint8)
    return Image.from_array(Header(Time(second), "camera"), pixels, "rgb8")


def test_recorder_does_not_subscribe_to_excluded_topics_and_the_graph_starts(ros, tmp_path):
    path = tmp_path / "bag"
    recorder = ros.add(Recorder, open_bag, ALONE, path=str(path), bridge="", exclude="plan, camera/*")
    thinker = ros.add(
        ComponentHost,
        "thinker",
        ALONE,
        host__bridge="",
        host__recorder="recorder",
        host__excluded_topics="plan, camera/*",
    )
    ros.up(recorder, thinker)
    heard = {subscription.topic_name for subscription in recorder.subscriptions}
    assert recorder.resolve_topic_name(topics.PLAN_REQUEST) in heard
    assert not heard & {recorder.resolve_topic_name(topic) for topic in (topics.PLAN, topics.COLOR)}
    ask(ros, range(3))
    eventually(lambda: int(recorder.diagnostics()["written"]) >= 6)
    finish(ros, recorder, path)
    recorded = {entry.topic for entry in read_bag(path, ros.namespace)}
    assert topics.PLAN_REQUEST in recorded
    assert topics.PLAN not in recorded
    assert "camera/color" in about(path)["custom_data"]["excluded"]
    assert not any(
        "camera" in topic["topic_metadata"]["name"] for topic in about(path)["topics_with_message_count"]
    )


def test_a_bag_states_lossy_colour_and_the_metadata_of_its_run(ros, tmp_path):
    path = tmp_path / "bag"
    metadata_of_run = json.dumps({"seed": "7", "preset": "full"})
    recorder = ros.add(
        Recorder, open_bag, ALONE, path=str(path), bridge="", lossy_color=90, about=metadata_of_run
    )
    ros.configure(recorder)
    publish = ros.publisher(topics.COLOR)
    publish(Image.from_array(Header(Time(3), "camera"), np.full((48, 64, 3), 99, np.uint8), "rgb8"))
    eventually(lambda: about(path)["message_count"] == 1)
    finish(ros, recorder, path)
    assert about(path)["custom_data"] == {"seed": "7", "preset": "full", "lossy": "camera/color"}
    with AnyReader([path]) as reader:
        ((connection, _, data),) = reader.messages()
        stored = reader.deserialize(data, connection.msgtype)
    assert connection.topic == f"{ros.namespace}/camera/color/compressed"
    assert (stored.format, stored.header.stamp.sec) == ("rgb8; jpeg compressed bgr8", 3)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"about": "seed 7"}, "about is no JSON"),
        ({"about": '{"seed": 7}'}, "no JSON object of texts"),
        ({"exclude": "camera/colour"}, "Did you mean 'camera/color'"),
        ({"keep": 5.0}, "set max_file_size or max_file_time"),
    ],
)
def test_invalid_recorder_settings_fail_the_configuration(ros, tmp_path, parameters, message):
    recorder = ros.add(Recorder, open_bag, ALONE, path=str(tmp_path / "bag"), bridge="", **parameters)
    assert ros.run(recorder.trigger_configure) == TransitionCallbackReturn.FAILURE
    assert message in recorder._last_error
    assert not (tmp_path / "bag").exists()


def test_a_full_disk_is_reported_once_and_leaves_a_complete_bag(ros, tmp_path):
    with mounted_disk(tmp_path / "disk", megabytes=32) as disk:
        recorder = ros.add(Recorder, open_bag, ALONE, path=str(disk / "bag"), bridge="")
        thinker = ros.add(ComponentHost, "thinker", ALONE, host__bridge="", host__recorder="recorder")
        ros.up(recorder, thinker)
        faults = ros.listen(topics.FAULT)
        publish = ros.publisher(topics.COLOR, readers=2)
        second = 0
        while not faults:
            second += 1
            publish(noise(second))
            eventually(lambda: int(recorder.diagnostics()["waiting to be written"]) < 5)
            assert second < 200
        plans = ask(ros, range(20))
        assert len(plans) == 20  # the robot goes on
        eventually(lambda: int(recorder.diagnostics()["not recorded"]) >= 40)
        (fault,) = faults
        assert not fault.fatal
        assert "disk takes no more" in fault.error.text
        assert "Free space" in fault.error.text
        bag = list(read_bag(disk / "bag", ros.namespace))
        assert Bag(disk / "bag").is_finished
        pictures = [entry.message.header.stamp.sec for entry in bag if entry.topic == topics.COLOR]
        assert pictures == list(range(1, len(pictures) + 1))
        assert len(pictures) >= 50  # 15 of the 16 MB that are not reserved


class SlowWriter:
    """Writes nothing before `proceed` is set."""

    closed = False

    def __init__(self, *_: Any) -> None:
        self.proceed = threading.Event()
        self.topics: list[str] = []
        self.flushes = 0

    def write(self, topic: str, data: bytes, stamp_ns: int, published_ns: int | None = None) -> None:
        self.proceed.wait()
        self.topics.append(topic.rpartition("/")[2])

    def flush(self) -> None:
        self.flushes += 1

    def close(self) -> None: ...


@pytest.fixture
def lagging(ros, tmp_path, monkeypatch):
    """A recorder for which 1000 bytes are many, and its writer."""
    monkeypatch.setattr("stma_ros.ros.recorder._BACKLOG", 1000)
    writer = SlowWriter()
    recorder = ros.add(Recorder, lambda *_: writer, ALONE, path=str(tmp_path / "bag"), bridge="body")
    ros.configure(recorder)
    yield recorder, writer
    writer.proceed.set()


def receive(ros, recorder, topic, size):
    info = {"publication_sequence_number": None, "publisher_gid": None, "source_timestamp": 0}
    name = recorder.resolve_topic_name(topic)
    ros.run(recorder._received, recorder._writer.write, name, bytes(size), info)


def test_recorder_counts_messages_and_no_flushes(ros, lagging):
    recorder, writer = lagging
    writer.proceed.set()
    eventually(lambda: writer.flushes > 2)
    assert recorder.diagnostics()["written"] == "0"


def test_recorder_that_lags_drops_images_first_and_says_so(ros, lagging):
    recorder, writer = lagging
    receive(ros, recorder, topics.DEPTH, 400)
    assert recorder.warning() == ""
    for size in (400, 400, 400):
        receive(ros, recorder, topics.COLOR, size)
    receive(ros, recorder, topics.OBSERVATION, 400)
    assert (recorder.diagnostics()["written"], recorder.diagnostics()["not recorded"]) == ("0", "2")
    assert "camera images are dropped (2 so far)" in recorder.warning()
    assert "camera images are missing from the bag" in recorder._last_error
    writer.proceed.set()
    eventually(lambda: recorder.diagnostics()["written"] == "4")  # with the fault that reports it
    assert sorted(writer.topics) == ["color", "depth", "fault", "observation"]
    assert recorder.diagnostics()["waiting to be written"] == "0"
    assert recorder.warning() == "2 message(s) were not recorded"


def test_recorder_that_cannot_finish_in_time_says_how_much_is_missing(ros, lagging, capfd):
    recorder, _ = lagging
    receive(ros, recorder, topics.OBSERVATION, 400)
    assert not recorder.close(0.1)
    assert "1 message(s) are missing from the bag" in capfd.readouterr().err
