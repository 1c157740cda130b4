"""`stma scene`: describes a flat of the worlds `house` and `habitat`, draws it, exports it and saves it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from stma_ros.apps.console import make_console
from stma_ros.storage.files import write_atomically
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.habitat.export.dataset import ExportedFlat, export_flat
from stma_ros.worlds.house.building.layout import ROOM_COUNTS
from stma_ros.worlds.house.drawing import draw_flat
from stma_ros.worlds.house.flat import Flat, Furniture
from stma_ros.worlds.house.flat_file import flat_text, load_flat
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.glb import glb_bytes
from stma_ros.worlds.robot.scene import is_hidden


@dataclass(frozen=True)
class Outputs:
    """The requested files, and the folder for habitat-sim; None = not requested."""

    drawing: Path | None = None
    glb: Path | None = None
    saved: Path | None = None
    habitat: Path | None = None


def show_scene(source: str, rooms: int, outputs: Outputs) -> int:
    """Runs the subcommand; returns the exit status.

    Args:
        source: a flat's seed, or the file of a saved one.
        rooms: number of rooms; 0 = drawn from the seed.
        outputs: the requested files.

    Raises:
        ConfigurationError: no such flat, or a missing folder to write into.
        StorageError: a file that cannot be read or written, or a folder that holds something else.
    """
    files = [path for path in (outputs.drawing, outputs.glb, outputs.saved) if path is not None]
    for path in [*files, *([] if outputs.habitat is None else [outputs.habitat])]:
        if not path.absolute().parent.is_dir():
            raise ConfigurationError(f"there is no folder {path.parent} for {path.name}; make it first")
    shown = _flat_of(source, rooms)
    console = make_console()
    _describe(shown, console)
    if outputs.drawing is not None:
        write_atomically(outputs.drawing, draw_flat(shown, open_names=shown.initial.open_names))
    if outputs.glb is not None:
        write_atomically(outputs.glb, glb_bytes(shown))
    if outputs.saved is not None:
        write_atomically(outputs.saved, flat_text(shown))
    for path in files:
        console.print(f"written: {path}", highlight=False, markup=False, soft_wrap=True)
    if outputs.habitat is not None:
        exported = export_flat(shown, outputs.habitat)
        for line in _how_to_load(exported, outputs.habitat):
            console.print(line, highlight=False, markup=False, soft_wrap=True)
    return 0


def _how_to_load(exported: ExportedFlat, folder: Path) -> Iterator[str]:
    yield f"written: {folder}"
    yield "load it in habitat-sim with"
    yield f"  scene_dataset_config_file={str(exported.dataset)!r}, scene_id={exported.scene!r},"
    yield "  enable_physics=True, and a navmesh made with include_static_objects=True"


def _flat_of(source: str, rooms: int) -> Flat:
    if not (source.isascii() and source.isdigit()):
        if rooms:
            raise ConfigurationError(f"{source} has the rooms it was saved with; leave --rooms out")
        path = Path(source)
        if not path.is_file():
            raise ConfigurationError(
                f"{source!r} is neither a flat's seed, which is a number, nor a file that --save has written"
            )
        return load_flat(path)
    if rooms and rooms not in ROOM_COUNTS:
        raise ConfigurationError(
            f"a flat has {ROOM_COUNTS.start} to {ROOM_COUNTS.stop - 1} rooms, not {rooms}; take another --rooms"
        )
    return make_flat(int(source), rooms or None)


def _describe(shown: Flat, console: Console) -> None:
    bounds = shown.layout.bounds
    table = Table(
        title=f"flat {shown.seed}: {len(shown.layout.rooms)} rooms on {bounds.width:.1f} x {bounds.depth:.1f} m, "
        f"{len(shown.doors)} doors, {len(shown.furniture)} pieces of furniture, {len(shown.items)} small things",
        show_lines=True,
        title_justify="left",
    )
    for heading in ("room", "furniture", "in closed containers", "in the open"):
        table.add_column(heading)
    for index, room in enumerate(shown.layout.rooms):
        pieces = [piece for piece in shown.furniture if piece.room == index]
        cells = (
            f"{room.kind}\n{room.floor.area:.1f} m2",
            ", ".join(_counted(piece.category + _states(piece, shown) for piece in pieces)),
            "\n".join(_contents(shown, pieces, hidden=True)),
            "\n".join(_contents(shown, pieces, hidden=False)),
        )
        table.add_row(*map(escape, cells))
    console.print(table)


def _states(piece: Furniture, shown: Flat) -> str:
    """Describes the states that differ from the usual: open or running at the begin of an episode."""
    now = shown.initial
    states = [
        state
        for state, names in ((words.STATE_OPEN, now.open_names), (words.STATE_ON, now.on_names))
        if piece.name in names
    ]
    return f" ({', '.join(states)})" if states else ""


def _contents(shown: Flat, pieces: Sequence[Furniture], *, hidden: bool) -> Iterator[str]:
    """Yields a line for each piece with objects in or on it."""
    for piece in pieces:
        names = [
            item.category
            for item in shown.items
            if shown.initial.spots[item.name].support == piece.name
            and is_hidden(shown, item, shown.initial) == hidden
        ]
        if names:
            yield f"{piece.category}: {', '.join(_counted(names))}"


def _counted(names: Iterable[str]) -> list[str]:
    return [name if count == 1 else f"{count} {name}" for name, count in sorted(Counter(names).items())]
