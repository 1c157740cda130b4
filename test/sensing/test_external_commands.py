"""Tests of exit status and output of `stma doctor --bag` and `stma replay` for recordings of other robots."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
import yaml

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.apps.doctor.bag import check_bag
from stma_ros.apps.external_files import ExternalFiles
from stma_ros.apps.replay_external import TimedQuestion, replay_external
from stma_ros.replay.exact_replay import replay
from stma_ros.replay.passive_agent import PassiveAgent
from stma_ros.storage.bag.reader import Bag, Recorded
from stma_ros.storage.bag.writer import BagWriter, MessageRecorder
from stma_ros.storage.cdr import to_cdr
from stma_ros.storage.run_folder import RunFolder
from stma_ros.testing.model_server.server import serving
from stma_ros.types import topics
from stma_ros.types.control import Configuration, JournalEntry
from stma_ros.types.errors import ConfigurationError, StorageError
from stma_ros.types.planning import Task
from stma_ros.types.remembering import ObjectQueryResult, Sighting
from stma_ros.types.standard import CompressedImage, Header, Point, Time
from stma_ros.types.telemetry import REPLIES_FILE
from support.models.chat_server import ChatServer, HangUp, Hold, in_turn, says
from support.sensing.external_bags import (
    BEGIN,
    MOUNT,
    NAMES,
    SECOND,
    drive,
    images,
    odometry,
    tf,
    transform,
    write_mcap,
)


@pytest.fixture
def mount(tmp_path: Path) -> Path:
    file = tmp_path / "mapping.yaml"
    file.write_text(MOUNT)
    return file


@pytest.fixture(scope="module")
def bag(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_mcap(tmp_path_factory.mktemp("robot") / "bag", drive(3.0))


def without(*left_out: str) -> list[Recorded]:
    return [message for message in drive(0.5) if message.topic not in [NAMES[topic] for topic in left_out]]


# -- doctor


def test_doctor_names_the_robots_of_a_bag_of_several(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with BagWriter(tmp_path / "bag") as writer:
        for namespace in ("robot_1", "robot_2"):
            for topic, message in ((topics.JOURNAL, JournalEntry()), (topics.CONFIGURATION, Configuration())):
                MessageRecorder(writer, namespace)(topic, message)
    assert check_bag(tmp_path / "bag", None) == 1
    assert "holds the runs of 2 robots (robot_1, robot_2)" in " ".join(capsys.readouterr().out.split())


def test_doctor_describes_a_usable_bag(bag: Path, mount: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_bag(bag, mount) == 0
    output = capsys.readouterr().out
    assert f"depth  {NAMES[topics.DEPTH]}, 30 messages, 10.0 Hz, 40x30 16UC1" in output
    assert "30 of 30 depth images" in output
    assert "from depth to colour  median 0.0 ms" in output
    assert "no journal and configuration" in output
    assert "this bag can be used" in output


def test_doctor_names_a_missing_camera_mount(bag: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_bag(bag, None) == 1
    output = capsys.readouterr().out
    assert "missing  tf_static" in output
    assert "camera: {xyz: [0.1, 0, 1.2], rpy: [0, 0.3, 0]}" in output


@pytest.mark.parametrize(
    ("topic", "remedy"),
    [
        (topics.DEPTH, "record a depth image registered"),
        (topics.COLOR, "record the colour camera's"),
        (topics.CAMERA_INFO, "without its calibration"),
        (topics.ODOMETRY, "or /tf and /tf_static"),
    ],
)
def test_doctor_names_each_missing_part_of_a_bag_with_a_remedy(
    topic: str, remedy: str, tmp_path: Path, mount: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check_bag(write_mcap(tmp_path / "bag", without(topic)), mount) == 1
    output = capsys.readouterr().out
    assert remedy in output
    assert "in the bag" in output


def test_doctor_describes_a_bag_without_usable_topics(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check_bag(write_mcap(tmp_path, [Recorded("/task", BEGIN, Task())]), None) == 1
    assert "/task (stma_ros/msg/Task)" in capsys.readouterr().out


def test_doctor_describes_an_empty_bag(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_bag(write_mcap(tmp_path, []), None) == 1
    assert "it holds no messages" in capsys.readouterr().out


def test_doctor_reports_gaps_jumps_and_missing_stamps(
    tmp_path: Path, mount: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded = [*drive(1.0), *drive(1.0, begin=BEGIN + 100 * SECOND), *drive(0.5), odometry(0)]
    check_bag(write_mcap(tmp_path / "bag", recorded), mount)
    output = capsys.readouterr().out
    assert "a gap of 99.1 s" in output
    assert "stamps go back 1 times" in output
    assert "1 messages have no stamp" in output
    assert "falls into parts" in output


def test_doctor_reports_messages_too_short_for_a_header_and_uses_the_others(
    tmp_path: Path, mount: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    depth = NAMES[topics.DEPTH]
    with BagWriter(tmp_path / "bag") as writer:
        for name, stamp, message in drive(1.0):
            writer.add_topic(name, message.ROS_TYPE)
            writer.write(name, to_cdr(message), stamp)
            if name == depth:
                writer.write(name, bytes(7), stamp)
    check_bag(tmp_path / "bag", mount)
    output = capsys.readouterr().out
    assert "10 messages have no stamp" in output
    assert f"10 messages on {depth} could not be decoded" in output
    assert "10 of 10 depth images" in output


def test_doctor_reports_and_uses_a_truncated_bag(
    tmp_path: Path, mount: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bag = write_mcap(tmp_path / "bag", drive(3.0))
    content = (bag / "run.mcap").read_bytes()
    (bag / "run.mcap").write_bytes(content[: len(content) // 2])
    check_bag(bag, mount)
    output = capsys.readouterr().out
    assert "note     end  the recorder did not close it" in output
    assert "note     damage" in output
    assert "what follows it" not in output


def test_doctor_recognises_depth_by_its_encoding_when_its_name_does_not_show_it(
    tmp_path: Path, mount: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    renamed = [
        message._replace(topic="/stereo/image") if message.topic == NAMES[topics.DEPTH] else message
        for message in drive(0.5)
    ]
    assert check_bag(write_mcap(tmp_path / "bag", renamed), mount) == 1
    output = capsys.readouterr().out
    assert "missing  depth  /stereo/image is 16UC1: depth?" in output
    assert "name it as topics.depth in a mapping file" in output
    assert "color: others" not in output


def test_doctor_notes_further_cameras_of_a_bag(
    tmp_path: Path, mount: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = [
        message._replace(topic="/rear/color/image_raw")
        for message in drive(0.5)
        if message.topic == NAMES[topics.COLOR]
    ]
    check_bag(write_mcap(tmp_path / "bag", [*drive(0.5), *more]), mount)
    assert "note     color: others  /rear/color/image_raw" in capsys.readouterr().out


def test_doctor_recognises_a_bag_for_exact_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded = [Recorded("/configuration", 1, Configuration()), Recorded("/journal", 2, JournalEntry())]
    assert check_bag(write_mcap(tmp_path / "bag", recorded), None) == 0
    assert "ok       decision by decision" in capsys.readouterr().out


def test_misspelt_topic_of_a_mapping_file_is_refused_with_the_nearest_one(bag: Path, tmp_path: Path) -> None:
    file = tmp_path / "mapping.yaml"
    file.write_text("topics: {depth: /camera/aligned_depth_to_color/image}")
    for command in (lambda: check_bag(bag, file), lambda: replay_external(bag, file, out=tmp_path / "out")):
        with pytest.raises(
            ConfigurationError, match="Did you mean '/camera/aligned_depth_to_color/image_raw'"
        ):
            command()
    assert not (tmp_path / "out").exists()


def test_doctor_refuses_a_path_without_a_bag(tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        check_bag(tmp_path / "none", None)


# -- replay


def test_replay_maps_every_depth_image_and_answers_the_questions(
    bag: Path, mount: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert replay_external(bag, mount, ["a mug"], out=out, json_file=tmp_path / "all.json") == 0
    assert "30 of 30 depth images mapped" in capsys.readouterr().out
    summary = json.loads((tmp_path / "all.json").read_text())
    assert (summary["frames"], summary["skipped"], summary["answers"][0]["found"]) == (30, {}, False)
    picture = json.loads((out / "keyframes.json").read_text())[0]
    assert picture["stamp_ns"] == BEGIN
    assert (out / picture["file"]).is_file()


def test_bag_written_by_a_replay_spans_the_time_of_the_recording(
    bag: Path, mount: Path, tmp_path: Path
) -> None:
    replay_external(bag, mount, ["a mug"], out=tmp_path / "out")
    stamps = [raw.stamp_ns for raw in Bag(tmp_path / "out").messages()]
    assert (min(stamps), max(stamps)) == (BEGIN, BEGIN + 29 * SECOND // 10)
    about = yaml.safe_load((tmp_path / "out" / "metadata.yaml").read_text())["rosbag2_bagfile_information"]
    assert about["starting_time"]["nanoseconds_since_epoch"] == BEGIN
    assert about["duration"]["nanoseconds"] == 29 * SECOND // 10


def test_passive_agent_without_a_frame_emits_nothing() -> None:
    emitted: list[str] = []
    agent = PassiveAgent(configure_agent(), [lambda topic, message: emitted.append(topic)])
    agent.finish()
    assert emitted == []
    assert agent.ask("a mug").error


def test_bag_written_by_a_replay_can_be_replayed(bag: Path, mount: Path, tmp_path: Path) -> None:
    replay_external(bag, mount, ["a mug"], out=tmp_path / "out")
    result = replay(Bag(tmp_path / "out"))
    assert (result.same, result.first) == (True, None)


def test_replay_of_a_watched_bag_begins_with_the_memory_of_the_recordings_before_it(
    bag: Path, mount: Path, tmp_path: Path
) -> None:
    overrides = {"spatial_memory": {"memory_dir": str(tmp_path / "home")}}
    replay_external(bag, mount, out=tmp_path / "first", overrides=overrides)
    saved = (tmp_path / "home" / "memory.stma").read_bytes()
    replay_external(bag, mount, out=tmp_path / "second", overrides=overrides)
    assert (tmp_path / "second" / "memory" / "memory.stma").read_bytes() == saved
    result = replay(Bag(tmp_path / "second"))
    assert (result.same, result.first, result.notes) == (True, None, ())


def test_an_answer_about_an_earlier_recording_has_the_picture_that_the_memory_brought_along(
    tmp_path: Path,
) -> None:
    picture = CompressedImage(Header(Time(7)), "jpeg", np.frombuffer(b"a small picture", np.uint8))
    sightings = (
        Sighting(object_id="mug_1", picture=picture),
        Sighting(object_id="mug_2", position=Point(math.nan)),
    )
    files = ExternalFiles(tmp_path)
    first, second = files.answer("a mug", ObjectQueryResult(sightings=sightings))["sightings"]
    assert (tmp_path / first["picture"]).read_bytes() == b"a small picture"
    assert first["pictured_at"]["stamp_ns"] == 7 * SECOND
    assert "remembered/" in files.names
    assert (second["picture"], second["pictured_at"]) == (None, None)


def test_replay_skips_the_frames_of_a_place_beyond_the_limits_of_the_map(
    tmp_path: Path, mount: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    far = [odometry(BEGIN + 50 * SECOND + k * SECOND // 10, 1e6) for k in range(30)]
    there = [recorded for k in range(20) for recorded in images(BEGIN + 50 * SECOND + k * SECOND // 10)]
    back = drive(1.0, begin=BEGIN + 100 * SECOND)
    recorded = sorted((*drive(3.0), *far, *there, *back), key=lambda message: message.stamp_ns)
    assert replay_external(write_mcap(tmp_path / "bag", recorded), mount, out=tmp_path / "out") == 0
    assert "could not be used, the first because" in capsys.readouterr().out
    assert json.loads((tmp_path / "out" / "scene_graph.json").read_text())["step"] > 0


def test_replay_leaves_a_folder_that_is_named_after_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = tf(transform(BEGIN, "somewhere", "elsewhere"), static=True)
    bag = write_mcap(tmp_path / "bag", [lost, tf(transform(BEGIN, "odom", "base_link")), *without()])
    monkeypatch.chdir(tmp_path)
    replay_external(bag, None)
    assert RunFolder.open(Path("runs/replay-1")).settings()["command"] == "replay"


def test_replay_of_a_bag_without_usable_frames_fails_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lost = tf(transform(BEGIN, "somewhere", "elsewhere"), static=True)
    bag = write_mcap(tmp_path / "bag", [lost, tf(transform(BEGIN, "odom", "base_link")), *without()])
    assert replay_external(bag, None, ["a mug"], out=tmp_path / "out") == 1
    output = capsys.readouterr().out
    assert "0 of 5 depth images mapped" in output
    assert "5 left out: no transform from 'camera_color_optical_frame' to 'base_link'" in output


def test_replay_refuses_a_bag_without_usable_topics(tmp_path: Path) -> None:
    bag = write_mcap(tmp_path / "bag", [Recorded("/task", BEGIN, Task())])
    with pytest.raises(ConfigurationError, match="no topic that could be the robot's depth"):
        replay_external(bag, None, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_replay_refuses_an_empty_bag(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="holds no messages"):
        replay_external(write_mcap(tmp_path / "bag", []), None, out=tmp_path / "out")


def test_replay_warns_once_that_no_object_can_be_recognised(
    bag: Path, mount: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replay_external(bag, mount, ["a mug", "a bed"], out=tmp_path / "out")
    output = capsys.readouterr().out
    assert output.count("no segmentation in the bag: without it no thing is recognised") == 1
    assert "--set perception.source=model" in output


@pytest.mark.parametrize(
    ("source", "keyframes"),
    [("model", 0), ("segmentation+model", None)],
    ids=["model alone", "with a segmentation"],
)
def test_replay_fails_when_the_model_never_answered(
    source: str,
    keyframes: int | None,
    bag: Path,
    mount: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with ChatServer(Hold()) as server:
        address = server.address
    models = {"scene_graph": f"openai:eyes@{address}", "attempts": "1"}
    overrides = {"perception": {"source": source}}
    assert replay_external(bag, mount, out=tmp_path / "out", overrides=overrides, models=models) == 1
    output = capsys.readouterr().out
    assert output.count("the model of the scene graph never gave a usable answer: eyes at") == 1
    calls = [line for line in (tmp_path / "out" / REPLIES_FILE).read_text().splitlines() if line]
    assert len(calls) == 1
    assert keyframes is None or f" {keyframes} keyframes" in output


def test_replay_fails_when_the_model_did_not_answer_any_more(
    bag: Path, mount: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mug = {"label": "mug 1", "name": "mug", "box": [100, 100, 500, 500], "states": []}
    view = {"position": "", "objects": [mug], "rooms": [], "relationships": []}
    with ChatServer(in_turn(says(json.dumps(view)), HangUp())) as server:
        models = {"scene_graph": f"openai:eyes@{server.address}", "attempts": "1"}
        overrides = {"perception": {"source": "model"}}
        assert replay_external(bag, mount, out=tmp_path / "out", overrides=overrides, models=models) == 1
        assert len(server.asked) == 2
    output = capsys.readouterr().out
    assert (
        "the model of the scene graph did not answer any more, the last 1 of 2 times that it was asked: "
        in output
    )


def test_replay_succeeds_when_the_model_answered(bag: Path, mount: Path, tmp_path: Path) -> None:
    with serving() as server:
        models = {"scene_graph": f"openai:rules@{server.url}"}
        overrides = {"perception": {"source": "model"}}
        assert replay_external(bag, mount, out=tmp_path / "out", overrides=overrides, models=models) == 0
        assert server.requests > 0


def test_replay_that_is_refused_can_be_given_the_same_folder_again(
    bag: Path, mount: Path, tmp_path: Path
) -> None:
    overrides = {"perception": {"source": "model"}}
    with pytest.raises(ConfigurationError):
        replay_external(bag, mount, out=tmp_path / "out", overrides=overrides)
    assert replay_external(bag, mount, out=tmp_path / "out") == 0


def test_replay_tells_that_the_network_of_the_simulated_house_knows_nothing_else(
    bag: Path, mount: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("onnxruntime", reason="make vision")
    overrides = {"perception": {"source": "network"}}
    replay_external(bag, mount, out=tmp_path / "out", overrides=overrides)
    assert "perception.network=house knows the things of the simulated house" in capsys.readouterr().out


def test_doctor_names_the_detections_of_a_file_and_how_they_are_used(
    bag: Path, mount: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = {"stamp": BEGIN / SECOND, "objects": [{"label": "cup", "score": 0.8, "box": [0, 0, 9, 9]}]}
    (mount.parent / "found.jsonl").write_text(json.dumps(line))
    mount.write_text(mount.read_text() + "detections: found.jsonl\n")
    assert check_bag(bag, mount) == 0
    output = capsys.readouterr().out
    assert "found.jsonl, with --set perception.source=detections" in output
    assert "no thing is recognised" not in output


def test_replay_fails_when_no_detections_are_of_an_image(
    bag: Path, mount: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    late = BEGIN / SECOND + 1000.0
    line = {"stamp": late, "objects": [{"label": "cup", "score": 0.8, "box": [0, 0, 9, 9]}]}
    (mount.parent / "found.jsonl").write_text(json.dumps(line))
    mount.write_text(mount.read_text() + "detections: found.jsonl\n")
    overrides = {"perception": {"source": "detections"}}
    assert replay_external(bag, mount, out=tmp_path / "out", overrides=overrides) == 1
    assert "no keyframe could be used" in capsys.readouterr().out


def test_replay_warns_of_a_segmentation_without_labels(
    tmp_path: Path, mount: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ids = [
        message._replace(topic="/segmentation")
        for message in drive(0.5)
        if message.topic == NAMES[topics.DEPTH]
    ]
    replay_external(write_mcap(tmp_path / "bag", [*drive(0.5), *ids]), mount, out=tmp_path / "out")
    assert "no segmentation_labels in the bag" in capsys.readouterr().out
    mount.write_text(mount.read_text() + "segmentation_labels: {2000: wall}\n")
    replay_external(tmp_path / "bag", mount, out=tmp_path / "labelled")
    assert "no thing is recognised" not in capsys.readouterr().out


def test_replay_names_the_files_that_it_writes(
    bag: Path, mount: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replay_external(bag, mount, out=tmp_path / "out")
    assert (
        f"in {tmp_path / 'out'}: map.pgm, scene_graph.json, keyframes/, answers.json"
        in capsys.readouterr().out
    )


def test_replay_notes_a_question_after_the_end_of_the_recording(
    bag: Path, mount: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replay_external(bag, mount, ["@99 a bed", "@2.9 a mug"], out=tmp_path / "out")
    assert "@99 is after the recording's end (2.9 s)" in capsys.readouterr().out
    mug, bed = json.loads((tmp_path / "out" / "answers.json").read_text())
    assert ("note" in mug, "note" in bed) == (False, True)


def test_replay_refuses_a_question_without_a_time_after_the_at_sign(
    bag: Path, mount: Path, tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError, match="comes a time in seconds"):
        replay_external(bag, mount, ["@x the mug"], out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("preset", "overrides", "name"),
    [("full", {"planner": {"actions": "1"}}, "planner"), ("stma_no_critic", {}, "critic")],
)
def test_replay_refuses_settings_of_components_that_take_no_part(
    preset: str, overrides: dict[str, dict[str, str]], name: str, bag: Path, mount: Path, tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError, match=f"the {name} takes no part"):
        replay_external(bag, mount, overrides=overrides, preset=preset, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_timed_question_is_read_with_and_without_a_time() -> None:
    assert TimedQuestion.read("@12.5 the red mug") == TimedQuestion("the red mug", 12.5)
    assert TimedQuestion.read("@3s the red mug") == TimedQuestion("the red mug", 3.0)
    assert TimedQuestion.read(" the red mug ") == TimedQuestion("the red mug", None)
