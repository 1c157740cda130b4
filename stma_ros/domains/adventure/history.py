"""Reads the map out of the history of a task, as the text of a temporal belief shows it."""

from __future__ import annotations

import re

from stma_ros.domains.adventure.aims import Aim, read_aim
from stma_ros.domains.adventure.explored_map import ExploredMap
from stma_ros.domains.adventure.map_text import read_map
from stma_ros.domains.adventure.observed_text import Sight, read_sight

_LINE = re.compile(r"(?P<head>Action|Observation|Summary|Last observation|\d+\. Subgoal): (?P<text>.*)")
_LEFT_OUT = "(Left out here"


def read_history(text: str) -> ExploredMap:
    """Returns the map of a history. text: that of a temporal belief, or some of its lines, oldest first."""
    reader = _Reader()
    for line in text.splitlines():
        match = _LINE.fullmatch(line)
        if match is not None:
            reader.read(match["head"], match["text"])
        elif line.startswith(_LEFT_OUT):
            reader.explored.arrive(None)
    return reader.explored


class _Reader:
    def __init__(self) -> None:
        self.explored = ExploredMap()
        self._command = ""
        self._aim: Aim | None = None

    def read(self, head: str, text: str) -> None:
        if head == "Action":
            self._command = text
        elif head == "Summary":
            self.explored.update(read_map(text))
        elif head == "Observation":
            self._observe(text)
            self._command = ""
        elif head == "Last observation":
            place = self._sight(text).place
            if self._aim is None:
                self.explored.arrive(place)
            else:
                self.explored.learn_of(self._aim, place)
        else:
            self._command, self._aim = "", read_aim(text)

    def _observe(self, text: str) -> None:
        sight = self._sight(text)
        if self._command:
            self.explored.learn(self._command, sight.place, sight.obstacle)
        else:
            self.explored.arrive(sight.place)

    def _sight(self, text: str) -> Sight:
        return read_sight(text, {place.title for place in self.explored.exits})
