"""Detects commands and exits that had no effect before and are likely to have none again."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise

from stma_ros.domains.cooking.game_state import GameState
from stma_ros.domains.cooking.notes import Note
from stma_ros.domains.cooking.scene import Scene

_MAX_FUTILE = 2  # times that an exit is used without result before another one is suggested


def had_no_effect(command: str, game_state: GameState) -> bool:
    """Whether the last run of a command began and ended with the present observation."""
    runs = [(before, after) for before, after in _runs(game_state) if after.action == command]
    if not runs:
        return False
    before, after = runs[-1]
    return _content(before.scene) == _content(after.scene) == _content(game_state.scene)


def was_visited_in_vain(room: str, game_state: GameState) -> bool:
    """Whether the last visits to a room had no effect."""
    runs = _runs(game_state)
    return _are_futile(
        [two.step for one, two in runs if two.scene.room == room != one.scene.room], game_state
    )


def better_exit(command: str, game_state: GameState) -> str:
    """Returns the command toward another exit if a command toward an exit had no result the last times.

    The other exit is the one of this room that was not used for the longest time. Empty = there is no better command.
    """
    routes = [route.moves for route in game_state.exits_by_last_use if route.moves[0] in game_state.commands]
    if not routes or command in routes[0]:
        return ""
    repeated = game_state.here, command
    steps = [two.step for one, two in _runs(game_state) if (one.scene.room, two.action) == repeated]
    return routes[0][0] if _are_futile(steps, game_state) else ""


def _are_futile(steps: Sequence[int], game_state: GameState) -> bool:
    """Whether the last progress was made before or at the first of the last _MAX_FUTILE steps."""
    return len(steps) >= _MAX_FUTILE and _last_progress(game_state) <= steps[-_MAX_FUTILE]


def _runs(game_state: GameState) -> list[tuple[Note, Note]]:
    """Returns the notes before and after each command."""
    return [(one, two) for one, two in pairwise(game_state.notes) if two.step == one.step + 1]


def _last_progress(game_state: GameState) -> int:
    """Returns the last step at which a room was observed for the first time or an action other than a move was done."""
    rooms: set[str] = set()
    last = 0
    for note in game_state.notes:
        verb = note.action.partition(" ")[0]
        has_acted = note.action == game_state.rules.read or verb not in ("", "go", *game_state.rules.idle)
        if has_acted or note.scene.room not in rooms:
            last = note.step
        rooms.add(note.scene.room)
    return last


def _content(scene: Scene) -> Hashable:
    carried = frozenset((item.name, frozenset(item.states)) for item in scene.carried)
    return scene.room, frozenset(scene.exits), frozenset(scene.objects), carried
