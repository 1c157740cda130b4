"""Programs of VirtualHome: what people do for an activity, step by step."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stma_ros.types.errors import StorageError

_STEP = re.compile(r"\[(?P<action>\w+)\]\s*(?P<arguments>(?:<[^<>]+>\s*\(\d+\.\d+\)\s*)*)$")
_ARGUMENT = re.compile(r"<([^<>]+)>\s*\(\d+\.(\d+)\)")


@dataclass(frozen=True)
class ProgramStep:
    """An action on things.

    Attributes:
        action: As "WALK".
        arguments: Ids of the things.
        text: The line of the program.
    """

    action: str
    arguments: tuple[int, ...]
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Program:
    """What people do for an activity.

    Attributes:
        title: As "Wash hands".
        description: In their own words; may be empty.
        steps: In their order.
    """

    title: str
    description: str
    steps: tuple[ProgramStep, ...]


def read_program(text: str) -> Program:
    """Returns a program: a title, a description and steps such as "[GRAB] <novel> (1.1000)", on lines of their own.

    Raises:
        StorageError: It has no title or no steps, or a line is no step.
    """
    lines = [line.strip() for line in text.splitlines()]
    first = next((number for number, line in enumerate(lines) if line.startswith("[")), len(lines))
    told = [line for line in lines[:first] if line]
    steps = tuple(_step(line) for line in lines[first:] if line)
    if not told or not steps:
        raise StorageError("a program has a title and at least one step such as '[WALK] <bedroom> (1.67)'")
    return Program(told[0], " ".join(told[1:]), steps)


def _step(line: str) -> ProgramStep:
    found = _STEP.match(line)
    if found is None:
        raise StorageError(f"{line!r} is no step such as '[PUTIN] <plate> (1.5) <cabinet> (1.7)'")
    arguments = tuple(int(id) for _, id in _ARGUMENT.findall(found["arguments"]))
    return ProgramStep(found["action"].upper(), arguments, line)
