"""Problems of Tyreworld: flat wheels that are to be replaced, with tools from a boot and back into it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from stma_ros.worlds.pddl.problems.problem import Atom, Problem, Step, first_short

_BOOT, _WRENCH, _JACK, _PUMP = "boot", "wrench", "jack", "pump"
_TOOLS: Final = (_WRENCH, _JACK, _PUMP)
_HUBS: Final = (1, 2, 2, 2)
"""Numbers of hubs; drawn evenly. With two of them most problems need twenty steps."""
_WANTED: Final = 0.8  # probability of each goal besides the new wheel on its hub
_OUTSIDE: Final = 0.12  # probability that a thing is not in the boot at first
_OPEN: Final = 0.15  # probability that the boot is open at first


@dataclass(frozen=True)
class _Hub:
    """A hub and what belongs to it.

    Attributes:
        number: Its number, which ends all names.
        inflated: Whether the new wheel is to be inflated.
        tight: Whether the nut is to be tight.
        stowed: Whether the old wheel is to be in the boot.
    """

    number: int
    inflated: bool
    tight: bool
    stowed: bool

    @property
    def name(self) -> str:
        return f"hub{self.number}"

    @property
    def nut(self) -> str:
        return f"nut{self.number}"

    @property
    def old(self) -> str:
        return f"w{self.number}"

    @property
    def new(self) -> str:
        return f"r{self.number}"

    def goal(self) -> Iterator[Atom]:
        yield "on", self.new, self.name
        if self.inflated:
            yield "inflated", self.new
        if self.tight:
            yield "tight", self.nut, self.name
        if self.stowed:
            yield "in", self.old, _BOOT


def generate(seed: int) -> Problem:
    """Returns a problem. seed: not negative."""
    return first_short(_drawn(np.random.default_rng(seed)))


def _drawn(rng: np.random.Generator) -> Iterator[Problem]:
    while True:
        wanted = [bool(value) for value in rng.random(3) < _WANTED]
        hubs = [_Hub(k + 1, *_varied(wanted, rng)) for k in range(int(rng.choice(_HUBS)))]
        put_back = [tool for tool in _TOOLS if rng.random() < _WANTED]
        closed = bool(rng.random() < _WANTED)
        things = (*_TOOLS, *(hub.new for hub in hubs))
        outside = [thing for thing in things if rng.random() < _OUTSIDE]
        is_open = bool(rng.random() < _OPEN)
        inside = [thing for thing in things if thing not in outside]
        goal = [atom for hub in hubs for atom in hub.goal()]
        goal += [("in", tool, _BOOT) for tool in put_back]
        goal += [("closed", _BOOT)] if closed else []
        yield Problem(
            "tyreworld",
            (
                (_BOOT, "container"),
                *((hub.name, "hub") for hub in hubs),
                *((hub.nut, "nut") for hub in hubs),
                *((wheel, "wheel") for hub in hubs for wheel in (hub.old, hub.new)),
            ),
            (
                ("unlocked", _BOOT),
                ("open" if is_open else "closed", _BOOT),
                *(("in", thing, _BOOT) for thing in inside),
                *(("have", thing) for thing in outside),
                *(atom for hub in hubs for atom in _mounted(hub)),
            ),
            tuple(goal),
            tuple(_plan(hubs, put_back, inside, is_open=is_open, closed=closed)),
        )


def _varied(wanted: Collection[bool], rng: np.random.Generator) -> Iterator[bool]:
    """Yields which goals a hub has: mostly those of the other hubs, too."""
    yield from (value != bool(rng.random() < 1 - _WANTED) for value in wanted)


def _mounted(hub: _Hub) -> Iterator[Atom]:
    yield "on-ground", hub.name
    yield "fastened", hub.name
    yield "tight", hub.nut, hub.name
    yield "on", hub.old, hub.name
    yield "not-inflated", hub.new
    yield "intact", hub.new


def _plan(
    hubs: Collection[_Hub], put_back: Collection[str], inside: Collection[str], *, is_open: bool, closed: bool
) -> Iterator[Step]:
    """Yields a plan: take everything, do one hub after the other, put everything away."""
    needed = [
        _WRENCH,
        _JACK,
        *([_PUMP] if any(hub.inflated for hub in hubs) else []),
        *(hub.new for hub in hubs),
    ]
    to_fetch = [thing for thing in needed if thing in inside]
    held = [thing for thing in (*_TOOLS, *needed) if thing not in inside or thing in needed]
    away = [tool for tool in put_back if tool in held] + [hub.old for hub in hubs if hub.stowed]
    opened = not is_open and bool(to_fetch or away)
    if opened:
        yield "open", _BOOT
    yield from (("fetch", thing, _BOOT) for thing in to_fetch)
    for position, hub in enumerate(hubs, start=1):
        # The jack stays under the last hub, if neither it nor a tight nut is wanted.
        down = hub.tight or position < len(hubs) or _JACK in put_back
        yield from _replaced(hub, down=down)
    yield from (("put-away", thing, _BOOT) for thing in away)
    if closed and (is_open or opened):
        yield "close", _BOOT


def _replaced(hub: _Hub, *, down: bool) -> Iterator[Step]:
    """Yields the replacement of a wheel. down: whether the hub is to be on the ground at the end."""
    if hub.inflated:
        yield "inflate", hub.new
    yield "loosen", hub.nut, hub.name
    yield "jack-up", hub.name
    yield "undo", hub.nut, hub.name
    yield "remove-wheel", hub.old, hub.name
    yield "put-on-wheel", hub.new, hub.name
    if hub.tight:
        yield "do-up", hub.nut, hub.name
    if down:
        yield "jack-down", hub.name
    if hub.tight:
        yield "tighten", hub.nut, hub.name
