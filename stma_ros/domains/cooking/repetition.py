"""What the history says of repetitions: what had no effect before will have none again."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise

from stma_ros.domains.cooking.game_state import GameState
from stma_ros.domains.cooking.notes import Note
from stma_ros.domains.cooking.scene import Scene

_ENOUGH = 2  # times that something is done to no end before something else is to be tried


def changed_nothing(command: str, game_state: GameState) -> bool:
    """Whether the last run of a command began and ended with the present observation."""
    runs = [(before, after) for before, after in _runs(game_state) if after.action == command]
    if not runs:
        return False
    before, after = runs[-1]
    return _look(before.scene) == _look(after.scene) == _look(game_state.scene)


def visited_in_vain(room: str, game_state: GameState) -> bool:
    """Whether the last visits to a room had no effect."""
    runs = _runs(game_state)
    return _in_vain([two.step for one, two in runs if two.scene.room == room != one.scene.room], game_state)


def instead_of(command: str, game_state: GameState) -> str:
    """The command toward another exit of this room that has been left alone for longer, where nothing came of this one
    the last times that it was taken; empty = nothing speaks against it."""
    ways = [way.moves for way in game_state.ways_on if way.moves[0] in game_state.commands]
    if not ways or command in ways[0]:
        return ""
    taken = game_state.here, command
    steps = [two.step for one, two in _runs(game_state) if (one.scene.room, two.action) == taken]
    return ways[0][0] if _in_vain(steps, game_state) else ""


def _in_vain(steps: Sequence[int], game_state: GameState) -> bool:
    """Whether nothing was seen or done for the first time after all but one of the last steps."""
    return len(steps) >= _ENOUGH and _newest(game_state) <= steps[-_ENOUGH]


def _runs(game_state: GameState) -> list[tuple[Note, Note]]:
    """Returns the notes before and after each command."""
    return [(one, two) for one, two in pairwise(game_state.notes) if two.step == one.step + 1]


def _newest(game_state: GameState) -> int:
    """Returns the last step at which a room was seen for the first time, or an action other than a move was done."""
    rooms: set[str] = set()
    newest = 0
    for note in game_state.notes:
        verb = note.action.partition(" ")[0]
        has_done = note.action == game_state.rules.read or verb not in ("", "go", *game_state.rules.idle)
        if has_done or note.scene.room not in rooms:
            newest = note.step
        rooms.add(note.scene.room)
    return newest


def _look(scene: Scene) -> Hashable:
    carried = frozenset((item.name, frozenset(item.states)) for item in scene.carried)
    return scene.room, frozenset(scene.exits), frozenset(scene.things), carried
