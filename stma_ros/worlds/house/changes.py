"""Changes the flat between two skills or two tasks of the robot, as another resident would: moves a thing, opens or
closes one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from stma_ros.types.errors import SkillError
from stma_ros.worlds.house.flat import Flat, Furniture, Item
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.placing import free_spot
from stma_ros.worlds.robot.scene import is_obstructed
from stma_ros.worlds.robot.state import SceneState, Spot

_STREAM = 31  # number of the stream of random numbers
_FIRST, _LAST = 3, 15  # first and last skill before which changes happen
_MOVES = 0.6  # share of the changes that move a thing; the others open or close one
_AWAY = 2.0  # least distance of a change from the robot [m]
_ATTEMPTS = 30


class Changes:
    """Draws the changes of one episode and their times.

    Changes happen away from the robot, never to things that the robot has handled or what carries them, and never twice
    to one thing. The robot can undo every change, so that everything in the flat remains reachable.
    """

    def __init__(self, count: int, seed: int) -> None:
        self._rng = np.random.default_rng((seed, _STREAM))
        self._when = sorted(self._rng.integers(_FIRST, _LAST + 1, size=count).tolist())
        self._done: frozenset[str] = frozenset()  # names of changed things

    def before_skill(
        self, number: int, flat: Flat, state: SceneState, base: Placement, handled: frozenset[str]
    ) -> SceneState:
        """Returns the state at the begin of the robot's skill of that number (from 1)."""
        while self._when and self._when[0] <= number:
            self._when.pop(0)
            state = self._changed(flat, state, base, handled | self._done)
        return state

    def between_tasks(
        self, count: int, flat: Flat, state: SceneState, base: Placement, handled: frozenset[str]
    ) -> SceneState:
        """Returns the state with so many changes, as the robot begins another task. The arguments after `count` are
        those of `before_skill`."""
        for _ in range(count):
            state = self._changed(flat, state, base, handled | self._done)
        return state

    def _changed(
        self, flat: Flat, state: SceneState, base: Placement, excluded: frozenset[str]
    ) -> SceneState:
        """Returns the state with one changed thing that is not in `excluded`."""
        kinds: list[Callable[[], SceneState | None]] = [
            lambda: self._moved(flat, state, base, excluded),
            lambda: self._swung(flat, state, base, excluded),
        ]
        if self._rng.random() >= _MOVES:
            kinds.reverse()
        for kind in kinds:
            changed = kind()
            if changed is not None:
                return changed
        return state

    def _moved(
        self, flat: Flat, state: SceneState, base: Placement, excluded: frozenset[str]
    ) -> SceneState | None:
        """Returns the state with a thing moved to another place of its kind; None when no move is possible."""
        items = [
            item
            for item in sorted(flat.items, key=lambda item: item.box)
            if excluded.isdisjoint((item.name, *state.load(item.name)))
            and _is_movable(state.spots[item.name], flat, base)
        ]
        pieces = [
            piece
            for piece in sorted(flat.furniture, key=lambda piece: piece.box)
            if piece.footprint.distance(base.x, base.y) > _AWAY and (piece.shape.on or piece.is_receptacle)
        ]
        for _ in range(_ATTEMPTS if items else 0):
            item = items[int(self._rng.integers(len(items)))]
            fitting = [
                piece
                for piece in pieces
                if piece.category in item.kind.belongs and piece.name != state.spots[item.name].support
            ]
            if fitting:
                spot = self._spot(flat, state, item, fitting[int(self._rng.integers(len(fitting)))])
                if spot is not None:
                    self._done |= {item.name}
                    return state.moved(item.name, spot)
        return None

    def _spot(self, flat: Flat, state: SceneState, item: Item, piece: Furniture) -> Spot | None:
        inside = piece.is_receptacle and (not piece.shape.on or bool(self._rng.random() < 0.5))
        in_front = Placement(*piece.ahead(0.8), piece.placement.yaw)
        try:
            return free_spot(flat, state, piece, item, in_front, inside=inside, name="")
        except SkillError:  # there is no free spot
            return None

    def _swung(
        self, flat: Flat, state: SceneState, base: Placement, excluded: frozenset[str]
    ) -> SceneState | None:
        """Returns the state with a door or a container opened or closed; None when no such change is possible."""
        things = [
            thing
            for thing in sorted(flat.fixed, key=lambda thing: thing.box)
            if thing.name in flat.openable_names
            and thing.name not in excluded
            and not is_obstructed(flat, thing, state)
            and all(
                area.bounds.distance(base.x, base.y) > _AWAY
                for area in (*thing.obstacles(True), *thing.sweep)
            )
        ]
        if not things:
            return None
        thing = things[int(self._rng.integers(len(things)))]
        self._done |= {thing.name}
        return state.closed(thing.name) if thing.name in state.open_names else state.opened(thing.name)


def _is_movable(spot: Spot, flat: Flat, base: Placement) -> bool:
    piece = flat.furniture_by_name.get(spot.support)
    return piece is not None and piece.footprint.distance(base.x, base.y) > _AWAY
