"""Reads goals and subgoals, which are sentences about what is to be true, and writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from stma_ros.domains.pddl.ground_task import atom_of, literal_of
from stma_ros.domains.pddl.state_space import Condition
from stma_ros.types.action_model import Literal
from stma_ros.types.errors import TaskNotUnderstoodError
from stma_ros.types.sentences import END, Sentences

_SEPARATOR = "; "
_OTHER_SEPARATORS = re.compile(r"[;,]|\band\b")
_EXAMPLE = "Make this true: b1 is on b2; b2 is on b3."


def read_goal(task: str, sentences: Sentences) -> Condition:
    """Returns what a task wants: after a colon, or alone, the sentences of literals between semicolons (or commas, or
    "and").

    Raises:
        TaskNotUnderstoodError: a part of it states no literal of the world.
    """
    wanted = task.partition(":")[2] or task
    pieces = _pieces(wanted, sentences)
    literals = [sentences.read_sentence(piece) for piece in pieces]
    unread = [piece for piece, literal in zip(pieces, literals, strict=True) if literal is None]
    if unread or not literals:
        raise TaskNotUnderstoodError(
            f"{unread[0] if unread else task!r} is no sentence about this world; write the goal as its observations "
            f"are written, such as: {_EXAMPLE}"
        )
    return condition_of(literal for literal in literals if literal is not None)


def read_subgoal(text: str, sentences: Sentences) -> Condition | None:
    """Returns what a subgoal wants; None if it is not written as sentences of literals."""
    try:
        return read_goal(text, sentences) if text else None
    except TaskNotUnderstoodError:
        return None


def subgoal_text(condition: Condition, sentences: Sentences) -> str:
    """Returns a subgoal as sentences, in a fixed order."""
    literals = (
        *(literal_of(atom) for atom in sorted(condition.true)),
        *(literal_of(atom, negated=True) for atom in sorted(condition.false)),
    )
    return _SEPARATOR.join(map(sentences.sentence, literals))


def condition_of(literals: Iterable[Literal]) -> Condition:
    """Returns the condition that literals state together."""
    literals = tuple(literals)
    return Condition(
        frozenset(atom_of(each) for each in literals if not each.negated),
        frozenset(atom_of(each) for each in literals if each.negated),
    )


def _pieces(text: str, sentences: Sentences) -> Sequence[str]:
    by_semicolon = _split(text.split(";"))
    if all(sentences.read_sentence(piece) for piece in by_semicolon):
        return by_semicolon
    return _split(_OTHER_SEPARATORS.split(text))


def _split(parts: Iterable[str]) -> list[str]:
    return [piece for part in parts if (piece := part.strip().rstrip(END).strip())]
