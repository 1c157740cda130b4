"""Tests of `stma view`: the Rerun recording that it writes and the web viewer that it serves."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcap.reader import make_reader

from stma_ros.apps.view import command
from stma_ros.apps.view.command import view
from stma_ros.storage.bag.writer import BAG_FILE, BagWriter, MessageRecorder
from stma_ros.storage.lossy_color import to_jpeg
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError, MissingDependencyError, StorageError
from stma_ros.types.message import Message
from stma_ros.types.standard import Header, Image, Time
from stma_ros.visual.scene_builder import LOOKED_AT, SceneBuilder
from support.apps.exploration_run import exploration_run
from support.apps.synthetic_run import synthetic_run
from support.apps.text_game_run import text_game_run
from support.storage.message_strategies import messages

rr = pytest.importorskip(
    "rerun", reason="rerun-sdk is not installed: `make view`; NOTHING OF `stma view` IS TESTED"
)
from stma_ros.apps.view.rerun_file import RerunFile  # noqa: E402 - it needs Rerun

rr.set_strict_mode(True)  # invalid data are an error instead of a warning

_TIMELINE = re.compile(r"index_name: (\w+)")


def recorded(folder: Path, messages: Iterable[tuple[str, Message]]) -> Path:
    with BagWriter(folder) as writer:
        recorder = MessageRecorder(writer)
        for topic, message in messages:
            recorder(topic, message)
    return folder


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = recorded(tmp_path_factory.mktemp("run"), synthetic_run())
    assert view(folder, open_=False) == 0
    return folder


def printed(file: Path, *options: str) -> str:
    """Returns the listing of a recording by Rerun."""
    rerun = str(command._binary())
    done = subprocess.run(
        [rerun, "rrd", "print", *options, str(file)], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout


def entities(file: Path) -> set[str]:
    rerun = str(command._binary())
    done = subprocess.run(
        [rerun, "rrd", "stats", str(file)], capture_output=True, text=True, timeout=60, check=True
    )
    listed = done.stdout.split("Num chunks per entity")[1]
    return set(re.findall(r"^(/\S+): \d+$", listed, re.MULTILINE))


def verify(file: Path) -> None:
    rerun = str(command._binary())
    done = subprocess.run(
        [rerun, "rrd", "verify", str(file)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr


def test_rerun_recording_contains_everything_that_was_drawn(run: Path) -> None:
    found = entities(run / "view.rrd")
    assert found >= {
        "/graph",
        "/keyframe",
        "/keyframe/detections",
        "/keyframe/detections/names",
        "/log/critic",
        "/log/faults",
        "/log/outcomes",
        "/log/plans",
        "/log/tasks",
        "/metrics/area/mapped",
        "/metrics/commands/done",
        "/metrics/commands/failed",
        "/metrics/commands/rejected",
        "/metrics/known/objects",
        "/text/plan",
        "/text/spatial_belief",
        "/text/task",
        "/text/temporal_belief",
        "/world/camera/color",
        "/world/floor",
        "/world/objects",
        "/world/objects/minor",
        "/world/path/0",
        "/world/relations",
        "/world/robot",
        "/world/rooms",
    }


def test_rerun_recording_of_an_exploration_contains_its_plan_pictures_and_views(
    run: Path, tmp_path: Path
) -> None:
    folder = recorded(tmp_path, exploration_run())
    assert view(folder, open_=False) == 0
    verify(folder / "view.rrd")
    ours, others = (printed(file / "view.rrd", "-vvv") for file in (folder, run))
    for name in ("Checklist", "Frontiers", "Evidence"):
        assert f"[{name}]" in ours
        assert f"[{name}]" not in others  # no empty tabs for other agents
    assert entities(folder / "view.rrd") >= {
        "/evidence",
        "/evidence/detections/names",
        "/frontier_views",
        "/frontier_views/detections/names",
        "/log/checklist",
        "/text/checklist",
        "/world/evidence",
        "/world/snapshots",
    }


def test_rerun_recording_contains_texts_on_the_timeline_of_the_run(run: Path) -> None:
    content = printed(run / "view.rrd", "-vvv")
    assert "look into cupboard 1" in content
    assert "succeeded: The mug is in cupboard 1" in content
    assert set(_TIMELINE.findall(content)) <= {
        "time",
        "blueprint",
        "log_time",
    }  # the last two are of the layout
    # A line has all timelines of a part; the parts of the run have no timeline of their writing.
    parts = [set(_TIMELINE.findall(line)) for line in content.splitlines()]
    assert [part for part in parts if "time" in part]
    assert all(part == {"time"} for part in parts if "time" in part)


def test_rerun_recording_passes_the_verification_of_rerun(run: Path) -> None:
    verify(run / "view.rrd")


def test_rerun_recording_of_a_text_game_has_pages_but_no_map(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "game", text_game_run())
    assert view(folder, tmp_path / "game.rrd", open_=False) == 0
    found = entities(tmp_path / "game.rrd")
    assert {"/text/world", "/text/task", "/log/tasks"} <= found
    assert not {"/world/floor", "/keyframe"} & found


def test_rerun_recording_contains_colour_that_was_recorded_as_jpeg(tmp_path: Path) -> None:
    header = Header(Time(1, 0), "camera")
    image = Image.from_array(header, np.full((24, 32, 3), 90, np.uint8), "rgb8")
    recorded(tmp_path / "lossy", [(f"{topics.COLOR}/compressed", to_jpeg(image, 80))])
    assert view(tmp_path / "lossy", tmp_path / "lossy.rrd", open_=False) == 0
    assert "/world/camera/color" in entities(tmp_path / "lossy.rrd")


def test_view_draws_colour_once_that_was_recorded_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[str] = []
    monkeypatch.setattr(SceneBuilder, "take", lambda self, topic, message: taken.append(topic) or ())
    image = Image.from_array(Header(Time(1)), np.full((24, 32, 3), 90, np.uint8), "rgb8")
    both = [(topics.COLOR, image), (f"{topics.COLOR}/compressed", to_jpeg(image, 80))]
    recorded(tmp_path / "both", both)
    assert view(tmp_path / "both", tmp_path / "both.rrd", open_=False) == 0
    assert taken == [topics.COLOR]


def test_view_reports_damage_and_shows_the_rest(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (run / BAG_FILE).open("rb") as stream:
        chunk = max(make_reader(stream).get_summary().chunk_indexes, key=lambda chunk: chunk.chunk_length)
    middle = chunk.chunk_start_offset + chunk.chunk_length // 2
    content = bytearray((run / BAG_FILE).read_bytes())
    content[middle : middle + 64] = bytes(64)
    (tmp_path / "damaged.mcap").write_bytes(content)
    assert view(tmp_path / "damaged.mcap", open_=False) == 0
    assert "left out: damaged.mcap, byte" in capsys.readouterr().out
    assert "/world/objects" in entities(tmp_path / "damaged.rrd")


def test_view_refuses_a_bag_without_known_topics(tmp_path: Path) -> None:
    recorded(tmp_path / "strange", [("scan/picture", synthetic_run()[0][1])])
    with pytest.raises(StorageError, match="none of the topics of stma_ros"):
        view(tmp_path / "strange", open_=False)
    with pytest.raises(StorageError):
        view(tmp_path / "nowhere", open_=False)


def test_view_names_a_file_that_cannot_be_written(run: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ConfigurationError, match="--save"):
        view(run, tmp_path / "file" / "view.rrd", open_=False)


def test_a_view_that_breaks_off_leaves_the_earlier_one(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(builder: SceneBuilder, topic: str, message: Message) -> None:
        raise KeyboardInterrupt

    (tmp_path / "view.rrd").write_text("an earlier view")
    monkeypatch.setattr(SceneBuilder, "take", interrupt)
    with pytest.raises(KeyboardInterrupt):
        view(run, tmp_path / "view.rrd", open_=False)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("view.rrd", "an earlier view")]


def test_a_view_on_a_full_disk_is_refused_with_the_remedy(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(stream: rr.RecordingStream) -> None:
        raise RuntimeError("File-writer thread shut down prematurely")

    monkeypatch.setattr(rr.RecordingStream, "flush", full)
    with pytest.raises(StorageError, match=r"File-writer .*--save"):
        view(run, tmp_path / "view.rrd", open_=False)
    assert not list(tmp_path.iterdir())


def test_a_view_never_replaces_its_bag(run: Path) -> None:
    before = (run / BAG_FILE).read_bytes()
    for bag in (run, run / BAG_FILE):
        with pytest.raises(ConfigurationError, match=r"is the bag itself; name another file with --save"):
            view(bag, run / BAG_FILE, open_=False)
    assert (run / BAG_FILE).read_bytes() == before


def test_view_without_rerun_names_the_extra(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingDependencyError, match="make view"):
        view(run, open_=False)


def test_rerun_recording_accepts_everything_that_can_be_drawn(tmp_path: Path) -> None:
    any_message = st.sampled_from(sorted(LOOKED_AT)).flatmap(
        lambda topic: st.tuples(st.just(topic), messages(topics.TOPICS[topic].type))
    )
    with RerunFile(tmp_path / "any.rrd", "any") as recording:

        @settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
        @given(st.lists(any_message, max_size=3))
        def write(taken: list[tuple[str, Message]]) -> None:
            builder = SceneBuilder()
            for topic, message in taken:
                for drawn in builder.take(topic, message):
                    recording.add(drawn)

        write()
    verify(tmp_path / "any.rrd")


def test_view_serves_the_web_viewer_at_the_printed_address(run: Path, tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from stma_ros.apps.view.command import view;"
        "sys.exit(view(Path(sys.argv[1]), Path(sys.argv[2]), web=True, open_=False))"
    )
    server = subprocess.Popen(
        [sys.executable, "-u", "-c", script, str(run), str(tmp_path / "served.rrd")],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        cwd=Path(__file__).resolve().parents[2],
    )
    try:
        assert server.stdout is not None
        address = ""
        for line in server.stdout:
            address = address or "".join(re.findall(r"serving at http://(127\.0\.0\.1:\d+)/\?url=", line))
            if "Hosting a web-viewer" in line:
                break
        connection = http.client.HTTPConnection(address, timeout=30)
        connection.request("GET", "/")
        answer = connection.getresponse()
        assert answer.status == 200
        assert b"<html" in answer.read()
        connection.close()
    finally:
        # Ctrl+C reaches the whole group, as in a terminal.
        os.killpg(server.pid, signal.SIGINT)
        server.communicate(timeout=60)
    assert server.returncode == 0
