"""Writes journal entries: the order in which a component took its inputs, so that its run can be replayed."""

from __future__ import annotations

import itertools

from stma_ros.types.causality import message_id
from stma_ros.types.control import JournalEntry
from stma_ros.types.message import Message
from stma_ros.types.standard import Header

HANDLING = "handling "
"""Prefix of a host's report of a component's error, followed by the topic under way and the error."""


class Journal:
    """Numbers the inputs of one component."""

    def __init__(self, component: str) -> None:
        self._component = component
        self._indices = itertools.count()

    def line(self, header: Header, topic: str, message: Message) -> JournalEntry:
        """Returns the entry of an input, to be published before the component takes the message."""
        revision = getattr(message, "revision", 0)
        return JournalEntry(
            header=header,
            component=self._component,
            index=next(self._indices),
            topic=topic,
            id=message_id(message),
            revision=revision,
        )
