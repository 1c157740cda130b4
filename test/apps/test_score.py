"""Tests of `stma score` on a synthetic run."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Picture

from stma_ros.apps.score.command import Alternatives, Outputs, References, _names, score
from stma_ros.apps.score.page import _answer
from stma_ros.evaluation.offline import truth_file
from stma_ros.evaluation.offline.questions import Marked, Question
from stma_ros.storage.bag.writer import BagWriter, MessageRecorder
from stma_ros.types import topics
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.errors import ConfigurationError, StorageError
from stma_ros.types.message import Message
from stma_ros.types.remembering import ObjectQueryResult, Sighting
from stma_ros.types.scene_graph import SceneGraph
from stma_ros.types.standard import Header, OccupancyGrid, Time
from stma_ros.types.truth import GroundTruth, GroundTruthObject, GroundTruthRoom
from support.apps.synthetic_run import THINGS, synthetic_run


def record(folder: Path, messages: Iterable[tuple[str, Message]]) -> Path:
    with BagWriter(folder) as writer:
        recorder = MessageRecorder(writer)
        for topic, message in messages:
            recorder(topic, message)
    return folder


def last(kind: type[Message]) -> Message:
    return [message for _, message in synthetic_run() if isinstance(message, kind)][-1]


def truth() -> GroundTruth:
    """Returns the last scene graph of the run as ground truth, with one more object."""
    graph = last(SceneGraph)
    assert isinstance(graph, SceneGraph)
    carriers = {thing[0]: thing[7].split() for thing in THINGS if thing[7]}
    rooms = tuple(
        GroundTruthRoom(name=room.id, category=room.category or "hall", footprint=room.footprint)
        for room in graph.rooms
    )
    objects = tuple(
        GroundTruthObject(
            name=node.id,
            category=node.category,
            box=BoundingBox3D.aligned(node.center, node.size),
            support=carriers[node.id][1] if node.id in carriers else "",
            inside=node.id in carriers and carriers[node.id][0] == "in",
            states=node.state_names,
        )
        for node in graph.objects
    )
    clock = GroundTruthObject(
        name="clock",
        category="clock",
        box=BoundingBox3D.aligned(objects[0].center, objects[0].size),
    )
    return GroundTruth(header=Header(frame_id="map"), rooms=rooms, objects=(*objects, clock))


@pytest.fixture(scope="module")
def bag(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record(tmp_path_factory.mktemp("bags") / "flat", synthetic_run())


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> References:
    folder = tmp_path_factory.mktemp("given")
    truth_file.write(folder / "truth.yaml", truth())
    grid = last(OccupancyGrid)
    assert isinstance(grid, OccupancyGrid)
    cells = grid.data.reshape(grid.info.height, grid.info.width)[::-1]
    shades = np.select([cells == 0, cells == 100], [254, 0], 205).astype(np.uint8)
    Picture.fromarray(shades).save(folder / "map.png")
    (folder / "map.yaml").write_text("image: map.png\nresolution: 0.05\norigin: [-0.5, -0.5, 0]\n")
    return References(folder / "truth.yaml", folder / "map.yaml")


def test_score_files_hold_all_scores(bag, given, tmp_path):
    outputs = Outputs(tmp_path / "s.json", tmp_path / "s.csv", tmp_path / "s.html")
    assert score([bag], given, outputs=outputs) == 0

    outcome = json.loads((tmp_path / "s.json").read_text())
    assert outcome["suite"] == "score"
    assert [(row["preset"], row["group"]) for row in outcome["rows"]] == [
        ("recorded", "flat"),
        ("recorded", "all"),
    ]
    row = outcome["rows"][0]
    assert row["object_recall"] == pytest.approx(100 * len(THINGS) / (len(THINGS) + 1))
    assert row["object_precision"] == 100
    assert row["state_accuracy"] == 100
    assert row["median_position_error"] == pytest.approx(0, abs=1e-3)
    assert (row["map_accuracy"], row["map_coverage"], row["map_occupied_iou"]) == (100, 100, 1)
    (episode,) = outcome["episodes"]
    recall = episode["series"]["object_recall"]["values"]
    assert recall == sorted(recall)
    assert recall[0] < recall[-1]
    assert episode["claimed_success"] == [1, 2]

    with (tmp_path / "s.csv").open() as file:
        assert [line["group"] for line in csv.DictReader(file)] == ["flat", "all"]


def test_score_page_refers_to_nothing_outside_of_itself(bag, given, tmp_path):
    score([bag], given, outputs=Outputs(html=tmp_path / "s.html"))
    page = (tmp_path / "s.html").read_text()
    assert not re.search(r'(?:src|href)="(?!#|data:)', page)
    assert page.count("<polyline") >= 6
    assert "give --questions FILE" in page


def test_score_without_references_names_the_options(bag, capsys):
    assert score([bag]) == 0
    output = capsys.readouterr().out
    for option in ("--truth FILE", "--grid FILE", "--questions FILE", "--runtime ros"):
        assert option in output


def test_score_shows_the_first_decision_at_which_another_preset_differs(bag, tmp_path, capsys):
    outputs = Outputs(tmp_path / "s.json", html=tmp_path / "s.html")
    assert score([bag], others=Alternatives(["stma_no_critic"]), outputs=outputs) == 0
    outcome = json.loads((tmp_path / "s.json").read_text())
    recorded, replayed = outcome["episodes"]
    assert replayed["preset"] == "stma_no_critic (replayed)"
    assert replayed["same_subgoal"][0] < replayed["same_subgoal"][1]
    assert replayed["disagreements"][0]["differs"] == ["subgoal"]
    assert replayed["disagreements"][0]["seen"]["allowed actions"]
    assert "disagreements" in recorded
    assert "decisions differ; the first:" in capsys.readouterr().out
    assert "find &lt;the&gt; &#34;teapot&#34;" in (tmp_path / "s.html").read_text()


def test_score_labels_bags_with_the_same_name_differently(bag, tmp_path):
    twin = record(tmp_path / "other" / "flat", synthetic_run())
    score([bag, twin], outputs=Outputs(tmp_path / "s.json"))
    groups = [row["group"] for row in json.loads((tmp_path / "s.json").read_text())["rows"]]
    assert groups == [f"{bag.parent.name}/flat", "other/flat", "all"]


def test_score_lengthens_the_names_of_bags_until_they_differ(tmp_path):
    paths = [tmp_path / name for name in ("a/x/run", "b/x/run", "c/y/run", "other")]
    assert _names(paths) == ["a/x/run", "b/x/run", "y/run", "other"]


def test_score_counts_a_bag_that_is_named_twice_once(bag, tmp_path, capsys):
    (tmp_path / "link").symlink_to(bag)
    score([bag, tmp_path / "link"], outputs=Outputs(tmp_path / "s.json"))
    groups = [row["group"] for row in json.loads((tmp_path / "s.json").read_text())["rows"]]
    assert groups == ["flat", "all"]
    assert f"link is {bag}, which is scored once" in capsys.readouterr().out


def test_score_continues_with_the_other_bags_when_one_cannot_be_read(bag, tmp_path, capsys):
    assert score([tmp_path / "nowhere", bag], outputs=Outputs(tmp_path / "s.json")) == 1
    assert "nowhere" in capsys.readouterr().out
    assert json.loads((tmp_path / "s.json").read_text())["episodes"][0]["group"] == "flat"


def test_score_of_a_truncated_bag_covers_the_part_before_the_cut(bag, given, tmp_path):
    data = (bag / "run.mcap").read_bytes()
    cut = tmp_path / "cut.mcap"
    cut.write_bytes(data[: len(data) // 4])
    assert score([cut], given, outputs=Outputs(tmp_path / "s.json")) == 0
    (episode,) = json.loads((tmp_path / "s.json").read_text())["episodes"]
    steps = sum(topic == topics.SCENE_GRAPH for topic, _ in synthetic_run())
    assert 0 < len(episode["series"]["object_recall"]["values"]) < steps
    assert "claimed_success" not in episode
    assert "cut.mcap" in " ".join(episode["missing"])


def test_score_reports_each_damaged_part_of_a_bag_once(bag, tmp_path, capsys):
    data = bytearray((bag / "run.mcap").read_bytes())
    damaged = tmp_path / "damaged.mcap"
    chunks = [match.start() for match in re.finditer(rb"\x28\xb5\x2f\xfd", bytes(data))]  # zstd frames
    for start in chunks[::2]:
        data[start + 6 : start + 26] = bytes(20)
    damaged.write_bytes(data)
    questions = tmp_path / "questions.yaml"
    questions.write_text(
        "format: stma_ros questions\nversion: 1\nquestions: [{ask: a mug, expect: {found: false}}]\n"
    )
    assert score([damaged], References(questions=questions), outputs=Outputs(tmp_path / "s.json")) == 1
    (episode,) = json.loads((tmp_path / "s.json").read_text())["episodes"]
    damages = [text for text in episode["missing"] if "damaged" in text]
    assert 0 < len(damages) <= 6
    assert len(set(damages)) == len(damages)
    assert 0 < capsys.readouterr().out.count("not read: ") <= 6


def questions(folder: Path, *lines: str) -> References:
    (folder / "questions.yaml").write_text(
        "\n- ".join(("format: stma_ros questions\nversion: 1\nquestions:", *lines)) + "\n"
    )
    return References(questions=folder / "questions.yaml")


def test_score_names_wrong_answers_and_questions_after_the_end(bag, tmp_path, capsys):
    unicorns = [
        f"{{ask: the unicorn {number}, expect: {{category: mug, place: hall}}}}" for number in range(8)
    ]
    right = "{ask: the unicorn, at: 90000, expect: {found: false}}"
    assert score([bag], questions(tmp_path, right, *unicorns)) == 0
    output = capsys.readouterr().out
    assert 'expected: mug, "hall"' in output
    assert output.count("was answered") == 6
    assert "and 2 wrong answers more" in output
    assert "'the unicorn': at 90000 s is after the bag's end (" in output


def test_score_page_shows_how_long_before_a_question_a_thing_was_seen():
    seen = Sighting(object_id="mug_1", place="on table_1", last_seen=Time(1_700_000_012))
    answer = ObjectQueryResult(header=Header(Time(1_700_000_015)), sightings=(seen,))
    shown = _answer(Marked(Question(ask="the mug", at=12.5), answer, {"found": True}))
    assert shown.seen.startswith("mug_1, on table_1, at (")
    assert shown.seen.endswith("last seen 3.0 s before")


def test_score_gives_all_other_scores_when_questions_cannot_be_asked(given, tmp_path, capsys):
    wanted = (SceneGraph, OccupancyGrid)
    watched = record(tmp_path / "maps", (item for item in synthetic_run() if isinstance(item[1], wanted)))
    asked = References(given.truth, given.grid, questions(tmp_path, "ask: a mug").questions)
    assert score([watched], asked, outputs=Outputs(tmp_path / "s.json")) == 0
    (episode,) = json.loads((tmp_path / "s.json").read_text())["episodes"]
    assert episode["object_precision"]
    assert episode["map_coverage"] == 100
    output = capsys.readouterr().out
    assert "its memory was not asked: " in output
    assert "give --questions" not in output


def test_score_refuses_a_recording_of_another_robot_with_the_remedy(tmp_path):
    image = next(item for item in synthetic_run() if item[0] == topics.COLOR)
    foreign = record(tmp_path / "robot", [image])
    with pytest.raises(StorageError, match=r"stma replay .*robot"):
        score([foreign])


def test_score_checks_its_options_before_it_reads_a_bag(tmp_path):
    nowhere = tmp_path / "nowhere"
    with pytest.raises(ConfigurationError, match="no preset 'reakt'"):
        score([nowhere], others=Alternatives(["reakt"]))
    with pytest.raises(ConfigurationError, match="there is no folder"):
        score([nowhere], outputs=Outputs(csv=nowhere / "s.csv"))
    with pytest.raises(ConfigurationError, match="is a folder; name a file in it"):
        score([nowhere], outputs=Outputs(html=tmp_path))
    with pytest.raises(ConfigurationError, match=r"truth\.yaml cannot be read"):
        score([nowhere], References(truth=nowhere / "truth.yaml"))


def test_detectors_are_scored_if_that_is_asked_for(
    bag: Path, given: References, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    score([bag], given, outputs=Outputs(json=tmp_path / "score.json"), detectors=True)
    assert "no detector is scored: the bag holds no keyframes with depth" in capsys.readouterr().out
    assert json.loads((tmp_path / "score.json").read_text())["detectors"] == {}
    score([bag], given)
    assert "detector" not in capsys.readouterr().out
