"""`stma view`: makes the Rerun recording of a run and opens it."""

from __future__ import annotations

import errno
import importlib.util
import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from rich.console import Console

from stma_ros.apps.console import make_console, make_progress
from stma_ros.apps.damage_summary import DamageSummary
from stma_ros.library.household import household_knowledge
from stma_ros.replay.recorded_message import Reader
from stma_ros.storage.bag.reader import Bag
from stma_ros.storage.files import drafted_file, text_name
from stma_ros.storage.run_folder import VIEW_FILE
from stma_ros.types.errors import ConfigurationError, MissingDependencyError, StorageError
from stma_ros.visual.scene_builder import LOOKED_AT, SceneBuilder

_PAGE_PORT, _DATA_PORT = 9090, 9876  # Rerun's defaults
_HERE = "127.0.0.1"  # served to this machine only


def view(path: Path, save: Path | None = None, *, web: bool = False, open_: bool = True) -> int:
    """Writes the recording of a run's folder or bag, and opens it in Rerun's viewer or, with `web`, serves it to the
    browser until interrupted.

    Args:
        path: the run's folder, or a bag.
        save: file to write; None = view.rrd in the run's folder, or next to the bag.
        web: whether to use the browser.
        open_: whether a window or a browser is opened.

    Returns:
        The exit status.

    Raises:
        MissingDependencyError: Rerun is not installed.
        StorageError: the bag cannot be read or holds nothing to see, or the disk is full.
        ConfigurationError: the file cannot be written.
    """
    _require_rerun()
    console = make_console()
    file = save if save is not None else (path / VIEW_FILE if path.is_dir() else path.with_suffix(".rrd"))
    damages = make_recording(path, file, console)
    for line in damages.lines:
        console.print(f"left out: {line}", style="yellow", markup=False, soft_wrap=True)
    size = file.stat().st_size / 1e6
    console.print(f"recording: {file} ({size:.1f} MB)", markup=False, highlight=False, soft_wrap=True)
    return _show(file, web, open_, console) if web or open_ else 0


def make_recording(path: Path, file: Path, console: Console) -> DamageSummary:
    """Draws a bag into `file`, which is replaced when all is drawn; returns the unreadable parts."""
    from stma_ros.apps.view.rerun_file import RerunFile

    damages = DamageSummary()
    bag = Bag(path)
    if file.exists() and any(file.samefile(part) for part in bag.files if part.exists()):
        raise ConfigurationError(f"{file} is the bag itself; name another file with --save")
    reader = Reader(bag, damages.add)
    if reader.topics.isdisjoint(LOOKED_AT):
        raise StorageError(
            f"{path} holds none of the topics of stma_ros; `stma replay` makes a run of a robot's own recording, and "
            "that can be viewed"
        )
    builder = SceneBuilder(knowledge=household_knowledge(), keyframes=reader.keyframes())
    name = text_name(path)
    with _drafted(file) as draft, make_progress(console) as progress, RerunFile(draft, name) as recording:
        bar = progress.add_task("", total=reader.count(LOOKED_AT) or None, rate="messages,")
        for topic, _, message in reader.decoded(LOOKED_AT):
            for drawn in builder.take(topic, message):
                recording.add(drawn)
            progress.advance(bar)
    return damages


@contextmanager
def _drafted(file: Path) -> Iterator[Path]:
    """Yields the file to draw into; raises ConfigurationError where `file` cannot be written."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with drafted_file(file) as draft:
            draft.open("ab").close()
            yield draft
    except OSError as error:
        raise ConfigurationError(
            f"{file} cannot be written ({error.strerror}); name another with --save"
        ) from error


def _show(file: Path, web: bool, open_: bool, console: Console) -> int:
    """Runs Rerun's own viewer until its window is closed, or its server until Ctrl+C, with its output on the
    terminal."""
    data = _free_port(_DATA_PORT)
    viewer = [str(_binary()), str(file), "--bind", _HERE, "--port", str(data)]
    if web:
        page = _free_port(_PAGE_PORT)
        source = quote(f"rerun+http://{_HERE}:{data}/proxy", safe="")
        console.print(
            f"serving at http://{_HERE}:{page}/?url={source} (Ctrl+C ends it)",
            highlight=False,
            soft_wrap=True,
        )
        viewer += ["--web-viewer" if open_ else "--serve-web", "--web-viewer-port", str(page)]
    try:
        status = subprocess.run(viewer, check=False).returncode
    except KeyboardInterrupt:
        return 0
    except OSError as error:
        raise StorageError(f"Rerun's viewer cannot be started ({error}); open {file} with `rerun`") from error
    if status and not web:
        console.print("no window could be opened; `stma view --web` shows it in a browser", soft_wrap=True)
    return 1 if status else 0


def _free_port(wanted: int) -> int:
    """Returns the default port, or another one where that is taken."""
    for port in (wanted, 0):
        with socket.socket() as probe, suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((_HERE, port))
            return int(probe.getsockname()[1])
    return wanted


def _binary() -> Path:
    """Returns the viewer itself, not the script around it, which would leave it running at its end."""
    found = importlib.util.find_spec("rerun_cli")
    if found is None or not found.submodule_search_locations:
        raise MissingDependencyError(
            "the viewer of rerun-sdk is missing: pip install --force-reinstall rerun-sdk"
        )
    return Path(found.submodule_search_locations[0]) / "rerun"


def _require_rerun() -> None:
    if importlib.util.find_spec("rerun") is None:
        raise MissingDependencyError(
            "viewing needs rerun-sdk: pip install 'stma_ros[view]', in a checkout `make view`; `report.html` in the "
            "folder of a run shows much of it without"
        )
