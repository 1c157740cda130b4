"""The engine in another process: any failure there is an error here that states the cause, and work can go on."""

from __future__ import annotations

import math
import os
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from stma_ros.types.errors import ConfigurationError, MissingDependencyError, StmaError, WorldError
from stma_ros.worlds.habitat.client import EngineProcess
from stma_ros.worlds.habitat.engine.interface import (
    Change,
    NavmeshSettings,
    Place,
    SetJoints,
    Show,
    change_to_json,
)
from stma_ros.worlds.habitat.engine.scene_report import OBJECT_IDS
from stma_ros.worlds.habitat.engine.settings import EngineSettings
from stma_ros.worlds.habitat.engine_child import ProcessSettings
from stma_ros.worlds.habitat.engine_errors import EngineLostError

TESTS = Path(__file__).parents[2]
FACTORY = "support.worlds.fake_engine:FakeEngine"
SMALL = EngineSettings(width=8, height=6)


def has_numpy(python: str) -> bool:
    return subprocess.run([python, "-c", "import numpy"], stderr=subprocess.DEVNULL).returncode == 0


def interpreters() -> list[str]:
    """Returns every supported Python on the PATH that has numpy, and this one in any case."""
    found = {shutil.which(f"python3.{minor}") for minor in range(9, 14)}
    return [sys.executable, *sorted(python for python in found if python and has_numpy(python))]


@pytest.fixture(autouse=True)
def the_fake_can_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(TESTS))


def started(
    settings: EngineSettings = SMALL, python: str = "", log: Path | None = None, deadline: float = 60.0
) -> EngineProcess:
    return EngineProcess(settings, ProcessSettings(python, deadline, deadline, log, FACTORY))


@pytest.fixture
def engine() -> Iterator[EngineProcess]:
    process = started()
    yield process
    process.close()


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    path = tmp_path / "hanging"
    os.mkfifo(path)
    return path


def gone(pid: int) -> bool:
    """Returns whether a child process has ended and was waited for."""
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return True
    return False


def open_files() -> list[str]:
    """Returns the targets of our file descriptors."""
    links = Path("/proc/self/fd").iterdir()
    return sorted(os.readlink(link) for link in links if link.is_symlink())


@pytest.mark.parametrize("python", interpreters())
def test_engine_process_passes_every_call_and_returns_every_result(python: str) -> None:
    process = started(python=python)
    try:
        report = process.load("a set", "a scene")
        thing = report.objects[0]
        assert (report.scene, thing.category, thing.id) == ("a scene", "cup", OBJECT_IDS)
        assert thing.box == ((-0.5, 0.0, -0.25), (0.5, 1.0, 0.25))
        assert thing.user == {"category": "cup", "nested": {"sizes": [1, 2.5], "open": True}}
        assert (thing.joints[0].low, thing.joints[0].high) == (-math.inf, 1.5)
        assert report.regions[0].outline == ((0.0, 1.0), (2.0, 3.0), (4.0, 5.0))
        changes: list[Change] = [
            Place(OBJECT_IDS, (1.0, 2.0, 3.0), (1.0, 0.0, 0.0, 0.0)),
            Show(OBJECT_IDS, False),
            SetJoints(OBJECT_IDS, [0.5]),
        ]
        process.apply(changes)
        about = process.about()
        assert about["changes"] == [change_to_json(change) for change in changes]
        assert about["pid"] == process.pid != os.getpid()
        assert about["settings"] == SMALL.to_json()
        low, high = process.make_navmesh(NavmeshSettings(0.25, 1.5, 0.125, 0.75, 0.05, 0.05))
        assert (low.height, low.area, high.height, high.area) == (0.25, 1.5, 0.125, 0.75)
        raster = process.navigable(2.0, 0.5)
        assert (raster.origin, raster.resolution) == ((2.0, -2.0), 0.5)
        np.testing.assert_array_equal(raster.cells, [[True, False, True], [False, True, False]])
        np.testing.assert_array_equal(
            process.cast_rays([[0, 0, 0], [1, 0, 0]], [[0.5, 1, 1], [1.25, 0, 0]]), [0.5, 0.25]
        )
    finally:
        process.close()


def test_images_returned_through_shared_memory_are_copies() -> None:
    process = started(EngineSettings(width=1920, height=1080))
    try:
        first = process.render((7.0, 0.5, 0.0), (3.0, 0.0, 0.0, 0.0))
        second = process.render((8.0, 0.25, 0.0), (4.0, 0.0, 0.0, 0.0), into=None)
        pixels = np.arange(1920 * 1080, dtype=np.float32).reshape(1080, 1920)
        assert first.color.shape == (1080, 1920, 4)
        assert [image.dtype.name for image in vars(first).values()] == ["uint8", "float32", "int32"]
        for views, color, offset, instance in ((first, 7, 0.5, 3), (second, 8, 0.25, 4)):
            assert (views.color == color).all()
            np.testing.assert_array_equal(views.depth, pixels + np.float32(offset))
            assert (views.instance == OBJECT_IDS + instance).all()
        again = process.render((9.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), into=first)
        assert again is first
        assert (first.color == 9).all()
    finally:
        process.close()


@pytest.mark.parametrize(
    ("scene", "error", "text"),
    [
        ("missing:carpet", ConfigurationError, "there is no carpet"),
        ("bug:", WorldError, "RuntimeError: a bug"),
    ],
)
def test_an_error_in_the_engine_process_is_raised_here_and_the_engine_goes_on(
    engine: EngineProcess, scene: str, error: type[StmaError], text: str
) -> None:
    with pytest.raises(error, match=text):
        engine.load("", scene)
    assert not engine.is_lost
    assert engine.load("", "another").scene == "another"


@pytest.mark.parametrize(
    ("scene", "text"),
    [
        ("exit:3", r"exit status 3(.|\n)*loading exit:3(.|\n)*that is the end"),
        ("abort:", r"signal 6 \(SIGABRT\)(.|\n)*Fatal Python error: Aborted"),
        ("memory:", "no memory left"),
        ("nonsense:", "does not begin as a message does; it was killed"),
    ],
)
def test_a_dead_engine_is_reported_with_its_last_output(engine: EngineProcess, scene: str, text: str) -> None:
    with pytest.raises(EngineLostError, match=text):
        engine.load("", scene)
    assert engine.is_lost
    assert gone(engine.pid)
    with pytest.raises(EngineLostError, match="Start it again"):
        engine.about()
    with_another = started()
    assert with_another.load("", "another").scene == "another"
    with_another.close()


def test_an_engine_killed_during_a_call_is_detected_at_once(engine: EngineProcess, fifo: Path) -> None:
    errors: list[EngineLostError] = []

    def load() -> None:
        with pytest.raises(EngineLostError) as raised:
            engine.load("", f"hang:{fifo}")
        errors.append(raised.value)

    caller = threading.Thread(target=load)
    caller.start()
    fifo.read_bytes()  # it hangs now
    begun = time.monotonic()
    os.kill(engine.pid, signal.SIGKILL)
    caller.join(30)
    assert time.monotonic() - begun < 5.0
    assert "SIGKILL" in str(errors[0])
    assert "when it was to load a scene" in str(errors[0])
    assert gone(engine.pid)


def test_an_engine_that_does_not_answer_in_time_is_killed(fifo: Path) -> None:
    engine = started(deadline=3.0)
    opened = threading.Thread(target=fifo.read_bytes)
    opened.start()
    begun = time.monotonic()
    with pytest.raises(
        EngineLostError, match=r"did not load a scene within 3 s and was killed(.|\n)*loading hang:"
    ):
        engine.load("", f"hang:{fifo}")
    assert 3.0 <= time.monotonic() - begun < 6.0
    opened.join()
    assert gone(engine.pid)
    engine.close()


def test_closing_an_engine_process_ends_it_and_can_be_repeated(engine: EngineProcess) -> None:
    engine.close()
    engine.close()
    assert gone(engine.pid)
    with pytest.raises(EngineLostError, match="closed"):
        engine.about()


def test_an_engine_process_leaves_no_open_files(tmp_path: Path) -> None:
    before = open_files()
    for _ in range(3):
        with pytest.raises(ConfigurationError):
            started(EngineSettings(gpu=7))
        with pytest.raises(ConfigurationError):
            started(python=str(tmp_path / "python"))
        started().close()
        lost = started()
        with pytest.raises(EngineLostError):
            lost.load("", "abort:")
    assert open_files() == before


def test_an_engine_that_refuses_to_start_is_reported_with_the_cause() -> None:
    with pytest.raises(ConfigurationError, match="there is no GPU 7: use another"):
        started(EngineSettings(gpu=7))


def test_a_missing_interpreter_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=f"{tmp_path}/python, cannot be started: No such file"):
        started(python=str(tmp_path / "python"))


def test_an_interpreter_without_numpy_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "numpy.py").write_text("raise ImportError('not here')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(
        MissingDependencyError, match=f"{sys.executable} cannot run the engine: numpy .*not here"
    ):
        started()


def test_an_interpreter_without_habitat_sim_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "habitat_sim.py").write_text("raise ImportError('libEGL.so.1 is missing')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(
        MissingDependencyError, match=r"cannot be imported by .*: libEGL.so.1 is missing. Install"
    ):
        EngineProcess(SMALL)


@pytest.mark.parametrize("any_version", [False, True])
def test_an_unsupported_habitat_sim_is_refused_unless_any_version_is_allowed(
    any_version: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "habitat_sim.py").write_text("__version__ = '0.1.7'")
    (tmp_path / "magnum.py").touch()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    settings = EngineSettings(any_version=any_version)
    if any_version:
        process = EngineProcess(settings)
        assert process.about()["version"] == "0.1.7"
        process.close()
    else:
        with pytest.raises(
            ConfigurationError, match=r"habitat_sim 0\.1\.7 is not known to work.*any_version"
        ):
            EngineProcess(settings)


def test_the_engine_log_is_written_to_the_given_file(tmp_path: Path) -> None:
    log = tmp_path / "engine.log"
    for scene in ("first", "second"):
        process = started(log=log)
        process.load("", scene)
        process.close()
    assert log.read_text().splitlines() == ["loading first of ", "loading second of "]
    with pytest.raises(ConfigurationError, match=r"log .* cannot be written"):
        started(log=tmp_path / "no folder" / "engine.log")


def test_the_engine_does_not_import_modules_of_its_own_or_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "socket.py").write_text("raise ImportError('the wrong one')")
    monkeypatch.chdir(tmp_path)
    process = started()
    paths = process.about()["path"]
    process.close()
    assert "" not in paths
    assert not [path for path in paths if "worlds/habitat" in path and path != str(TESTS)]


def test_a_busy_engine_ends_when_its_parent_process_is_killed(fifo: Path, tmp_path: Path) -> None:
    """The parent is a process of its own here, which is killed."""
    program = f"""
import sys
from stma_ros.worlds.habitat.client import EngineProcess
from stma_ros.worlds.habitat.engine.settings import EngineSettings
from stma_ros.worlds.habitat.engine_child import ProcessSettings
engine = EngineProcess(EngineSettings(), ProcessSettings(factory={FACTORY!r}))
print(engine.pid, flush=True)
engine.load("", "hang:{fifo}")
"""
    environment = {**os.environ, "PYTHONPATH": f"{TESTS}:{TESTS.parent}"}
    ours = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, env=environment, text=True
    )
    assert ours.stdout is not None
    with ours, os.fdopen(os.pidfd_open(int(ours.stdout.readline())), closefd=True) as theirs:
        fifo.read_bytes()  # it hangs now
        assert not select.select([theirs], [], [], 0)[0]
        ours.kill()
        assert select.select([theirs], [], [], 10)[0], "the engine's process outlives us"
