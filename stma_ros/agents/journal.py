"""What a component tells of itself so that its run can be replayed: what it was made with, and in which order it took
its inputs. Both runtimes say the same."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from stma_ros.models.settings import ModelConfig
from stma_ros.types.causality import message_id
from stma_ros.types.control import Configuration, Consumption
from stma_ros.types.message import Message
from stma_ros.types.standard import Header, KeyValue
from stma_ros.types.world import Senses

HANDLING = "handling "
"""How a host's report of a component's error begins; then comes the topic of what it was handling, and the error."""


class Journal:
    """Numbers the inputs of one component."""

    def __init__(self, component: str) -> None:
        self._component = component
        self._indices = itertools.count()

    def line(self, header: Header, topic: str, message: Message) -> Consumption:
        """To be published before the component takes the message."""
        revision = getattr(message, "revision", 0)
        return Consumption(header, self._component, next(self._indices), topic, message_id(message), revision)


def configuration(
    header: Header, component: str, senses: Senses, config: Any, models: ModelConfig | None
) -> Configuration:
    """config: the component's. models: those that its roles may ask; None where it has no such roles."""
    asked = {} if models is None else asdict(models)
    return Configuration(header, component, senses.value, _pairs(asdict(config)), _pairs(asked))


def values(pairs: Iterable[KeyValue]) -> dict[str, str]:
    """The settings that a configuration tells, as text, which types.settings.configure reads."""
    return {pair.key: pair.value for pair in pairs}


def _pairs(settings: Mapping[str, Any]) -> tuple[KeyValue, ...]:
    return tuple(KeyValue(name, str(value)) for name, value in settings.items())
