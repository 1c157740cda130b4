"""Alarms that are driven by the stamps of camera frames, so that the playback speed of a bag has no effect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from stma_ros.types.control import Alarm
from stma_ros.types.standard import Header, Time

FIRST_FRAME = "first_frame"
"""The alarm that is set for every such component at its start."""


class StampAlarms:
    """The alarms of one component, driven by the stamps of one part of the frames.

    An expired alarm is remembered until it is `handled` or replaced: if it was lost because the component's node was
    deactivated, `restore` lets it expire once more.
    """

    def __init__(self, component: str, topic: str) -> None:
        """topic: the part of a frame, a small one, whose stamps drive the alarms."""
        self.topic = topic
        self._newest = Time()
        first = Alarm(component=component, id=FIRST_FRAME, due=Time(0, 1))
        self._alarms: dict[str, Alarm] = {FIRST_FRAME: first}
        self._unhandled: dict[str, tuple[Alarm, Alarm]] = {}  # as set, and as expired

    def set(self, alarm: Alarm) -> Iterator[Alarm]:
        """Sets an alarm, or cancels it where it has no `due`; it replaces the one with the same id. Yields expired
        alarms, as `advance`."""
        self._alarms.pop(alarm.id, None)
        self._unhandled.pop(alarm.id, None)
        if alarm.due != Time():
            self._alarms[alarm.id] = alarm
            yield from self.advance(self._newest)

    def advance(self, stamp: Time) -> Iterator[Alarm]:
        """Takes the stamp of a frame. Yields the alarms that expire, in the order in which they were due, with the
        newest frame's stamp."""
        self._newest = max(self._newest, stamp)
        due = [alarm for alarm in self._alarms.values() if alarm.due <= self._newest]
        for alarm in sorted(due, key=lambda alarm: (alarm.due, alarm.id)):
            expired = replace(alarm, header=Header(self._newest, alarm.header.frame_id))
            self._unhandled[alarm.id] = self._alarms.pop(alarm.id), expired
            yield expired

    def handled(self, expired: Alarm) -> None:
        """Marks an alarm as handled: the component has taken it, and all of its emissions were published."""
        if self._unhandled.get(expired.id, (None, None))[1] is expired:
            del self._unhandled[expired.id]

    def restore(self) -> None:
        """Sets expired alarms again that were not handled: they expire with the next frame."""
        self._alarms.update({name: alarm for name, (alarm, _) in self._unhandled.items()})
        self._unhandled.clear()
